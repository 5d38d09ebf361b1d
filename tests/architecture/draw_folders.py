#!/usr/bin/env python3
"""Draws which folder of src/polyad uses which, from DEPENDS in their CMakeLists.txt, as docs/images/folders.svg.

    draw_folders.py           writes the picture
    draw_folders.py --check   changes nothing; ends with 1 where the picture is not the one that would be written

A folder stands just below what uses it. Arrows that follow from others are left out.
"""

import sys
from pathlib import Path

from check_includes import read_arrows, reachable

TREE = Path(__file__).resolve().parents[2]
PICTURE = TREE / "docs" / "images" / "folders.svg"

# Folder -> its column and what it is for. Others go to the right of all in their row.
PLACES = {
    "evaluate": (2, "how well a model explains data"),
    "select": (1, "rank and loss by held-out data"),
    "fit": (2, "the door: plan, then fit"),
    "report": (3, "tables, pictures, pages"),
    "solve": (2, "methods, starts, checkpoints"),
    "comm": (0, "several processes"),
    "optim": (1, "update rules, schedules"),
    "sample": (2, "samplers, which fill batches"),
    "io": (3, "files"),
    "problems": (4, "generated tensors"),
    "kernel": (2, "batch; sampled and exact kernels"),
    "model": (2, "factors, guesses, scores"),
    "tensor": (2, "cells, weights, labels"),
    "loss": (3, "one header per loss"),
    "base": (2, "errors, memory, random numbers"),
}
WIDTH, HEIGHT, ROW, COLUMN = 200, 46, 84, 224


def levels_of(arrows):
    """Folder -> row, 0 at the bottom: as high as what uses it allows."""
    low = {}

    def lowest(name):
        if name not in low:
            low[name] = 1 + max((lowest(below) for below in arrows[name]), default=-1)
        return low[name]

    users = {name: [other for other in arrows if name in arrows[other]] for name in arrows}
    top = max(lowest(name) for name in arrows)
    row = {}
    for name in sorted(arrows, key=lambda n: -lowest(n)):
        row[name] = min((row[user] - 1 for user in users[name] if users[user] or lowest(user) == top), default=lowest(name))
    # What nothing uses stands right above what it uses.
    for name in arrows:
        if not users[name] and arrows[name]:
            row[name] = 1 + max(row[below] for below in arrows[name])
    return row


def direct(arrows):
    """The arrows that do not follow from others."""
    for name in sorted(arrows):
        for below in sorted(set(arrows[name])):
            if not any(below in reachable(arrows, other) for other in arrows[name] if other != below):
                yield name, below


def columns_of(row):
    column = {}
    for name in sorted(row):
        taken = {column[other] for other in column if row[other] == row[name]}
        wanted = PLACES[name][0] if name in PLACES else 4
        while wanted in taken or (name not in PLACES and wanted in {PLACES[o][0] for o in row if o in PLACES and row[o] == row[name]}):
            wanted += 1
        column[name] = wanted
    return column


def picture(arrows):
    row = levels_of(arrows)
    column = columns_of(row)
    first, last, top = min(column.values()), max(column.values()), max(row.values())
    wide, high = (last - first) * COLUMN + WIDTH + 40, top * ROW + HEIGHT + 40

    def corner(name):
        return 20 + (column[name] - first) * COLUMN, 20 + (top - row[name]) * ROW

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        'font-family="Helvetica, Arial, sans-serif" role="img">',
        "  <title>The folders of src/polyad and which uses which</title>",
        "  <!-- Written by tests/architecture/draw_folders.py; do not edit. -->",
        "  <style>.box { fill: #f4f7fb; stroke: #5b7083; } .name { font-size: 15px; font-weight: bold; fill: #222; } "
        ".what { font-size: 11px; fill: #555; } .uses { fill: none; stroke: #8496a6; stroke-width: 1.4; }</style>",
        '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#8496a6"/></marker></defs>',
        f'  <rect width="{wide}" height="{high}" fill="#fff"/>',
    ]
    for name, below in direct(arrows):
        (x0, y0), (x1, y1) = corner(name), corner(below)
        x0, y0, x1 = x0 + WIDTH / 2, y0 + HEIGHT, x1 + WIDTH / 2
        # Down the own column as far as the row above the target, then across.
        bend = y1 - (ROW - HEIGHT)
        out.append(f'  <path class="uses" marker-end="url(#tip)" d="M{x0:.0f},{y0:.0f} L{x0:.0f},{max(y0, bend):.0f} '
                   f'C{x0:.0f},{y1 - 8:.0f} {x1:.0f},{max(y0, bend) + 8:.0f} {x1:.0f},{y1:.0f}"/>')
    for name in sorted(arrows):
        x, y = corner(name)
        out.append(f'  <rect class="box" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>')
        out.append(f'  <text class="name" x="{x + WIDTH / 2:.0f}" y="{y + 19}" text-anchor="middle">{name}</text>')
        if name in PLACES:
            out.append(f'  <text class="what" x="{x + WIDTH / 2:.0f}" y="{y + 36}" text-anchor="middle">{PLACES[name][1]}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    text = picture(read_arrows(TREE / "src" / "polyad"))
    if sys.argv[1:] == ["--check"]:
        if not PICTURE.is_file() or PICTURE.read_text() != text:
            sys.exit("docs/images/folders.svg does not show the arrows of src/polyad: run tests/architecture/draw_folders.py")
        print("the picture shows the arrows")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        PICTURE.write_text(text)


if __name__ == "__main__":
    main()
