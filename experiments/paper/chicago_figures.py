"""Figures of experiment 5: loss against time, and components by modes with a map."""
import datetime
import json

import matplotlib.collections
import matplotlib.colors
import numpy

from . import figures as draw
from .figures import plt

INK, FAINT = "#333333", "#8a8a8a"
DPI = 120  # of maps, which are drawn as images: their outlines would make large files


def outlines(path):
    """Rings of the areas of a GeoJSON file, by their property `area`; degrees, the east-west ones shortened to scale."""
    with open(path) as file:
        features = json.load(file)["features"]
    rings = {}
    for feature in features:
        shape = feature["geometry"]
        polygons = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
        squeeze = numpy.cos(numpy.radians(41.85))
        rings[int(feature["properties"]["area"])] = [numpy.array(p[0])[:, :2] * [squeeze, 1] for p in polygons]
    return rings


def squares(number):
    """Squares in rows in place of outlines, for places that have none."""
    wide = int(numpy.ceil(numpy.sqrt(number)))
    corner = numpy.array([[0, 0], [0.94, 0], [0.94, 0.94], [0, 0.94]])
    return {i + 1: [corner + [i % wide, -(i // wide)]] for i in range(number)}


def map_axes(axes, rings, values):
    """Areas shaded by value, 0 to 1."""
    areas, shades = [], []
    for area, parts in rings.items():
        areas += parts
        shades += [values[area - 1]] * len(parts)
    drawn = matplotlib.collections.PolyCollection(areas, array=numpy.array(shades), cmap="Greys", edgecolor="#b0b0b0",
                                                  linewidth=0.2, rasterized=True)
    drawn.set_clim(-0.05, 1)
    axes.add_collection(drawn)
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.set_axis_off()


def filled(axes, values):
    """Bars as one outline: a picture of many bars stays small."""
    axes.stairs(values, numpy.arange(len(values) + 1) - 0.5, fill=True, color=INK, linewidth=0)
    axes.set_xlim(-0.5, len(values) - 0.5)


def band(axes, low, high, begin, end, top, rows=100):
    """The range of the values against time, as an image of two colours: outlines would make large files."""
    at = (numpy.arange(rows) + 0.5) / rows * top
    half = 0.5 / rows * top  # so that a span of one value is seen
    inside = (at[:, None] >= low - half) & (at[:, None] <= high + half)
    axes.imshow(inside, extent=(begin, end, 0, top), origin="lower", aspect="auto", interpolation="none",
                cmap=matplotlib.colors.ListedColormap(["white", INK]), vmin=0, vmax=1)


def parts_of(digits):
    """What chicago.as_digits wrote down."""
    return numpy.array([int(digits[i:i + 2]) for i in range(0, len(digits), 2)]) / 99


def year(text):
    date = datetime.date.fromisoformat(text)
    return date.year + (date.timetuple().tm_yday - 1) / 365.25


def component_figure(folder, name, title, picture, match, span, rings, names):
    """A row a component, in the order of the reference's.

    picture: see chicago.picture_of; match: [[number of the component from 1, cosine]] a row; span: first and last day.
    """
    rows = len(match)
    fig, axes = plt.subplots(rows, 5, figsize=(10.4, 0.92 * rows + 1.5), squeeze=False,
                             gridspec_kw={"width_ratios": [3.0, 1.3, 1.9, 0.9, 1.7], "hspace": 0.3, "wspace": 0.14})
    begin, end = year(span[0]), year(span[1])
    for row, (number, cosine) in enumerate(match):
        day, hour, place, area, kind = axes[row]
        for axis in axes[row]:
            axis.grid(False)
            axis.tick_params(labelsize=6.5, length=2, pad=1.5)
            axis.set_yticks([])
            axis.spines["left"].set_visible(False)
        if number is None:
            continue
        j = number - 1
        low, high = (parts_of(text) * picture["top"][j] for text in picture["day"][j])  # in each span of days
        band(day, low, high, begin, end, 1.02 * max(picture["top"][j], 1e-9))
        day.spines["left"].set_visible(True)
        day.set_yticks([0, picture["top"][j]], ["0", f"{picture['top'][j]:,.0f}"])
        day.annotate(f"{row + 1}", (0, 0.5), (-42, 0), xycoords="axes fraction", textcoords="offset points", fontsize=10,
                     fontweight="bold", va="center")
        if end - begin > 3:
            day.set_xticks(range(int(begin) + 1, int(end) + 1, 3))
        else:
            day.set_xticks([begin, end - 1 / 366], span)
        filled(hour, picture["hour"][j])
        hour.set_xticks([0, 6, 12, 18, 23])
        filled(place, picture["place"][j])
        place.set_xticks(range(9, len(picture["place"][j]), 10), range(10, len(picture["place"][j]) + 1, 10))
        map_axes(area, rings, numpy.array(picture["place"][j]) / 1000)
        kind.bar(range(len(names)), picture["type"][j], color=INK, width=0.75)
        kind.set_xticks(range(len(names)))
        if cosine is not None:
            place.set_title(f"component {number}, cosine {cosine:.2f}", fontsize=6.5, color=FAINT, loc="right", pad=1)
        if row < rows - 1:
            for axis in (day, hour, place, kind):
                axis.set_xticklabels([])
    axes[-1][4].set_xticklabels([short(n) for n in names], rotation=90, fontsize=6.5)
    for axis, head in zip(axes[0], ["events a day", "hour", "place", "map", "type"]):
        axis.annotate(head, (0, 1), (0, 12), xycoords="axes fraction", textcoords="offset points", fontsize=9)
    axes[0][0].annotate(title, (0, 1), (0, 30), xycoords="axes fraction", textcoords="offset points", fontsize=11)
    with plt.rc_context({"savefig.dpi": DPI}):
        draw.save(fig, folder, name)


def short(name):
    return (name if len(name) <= 20 else name[:18] + "…").lower()


def median_steps(runs, points=90):
    """The median over the runs of the last value told by each time, up to the median of their ends."""
    first = max(r["trace"][0][0] for r in runs)
    end = numpy.median([r["trace"][-1][0] for r in runs])
    times = numpy.geomspace(max(first, 0.05), end, points)
    values = []
    for run in runs:
        seconds, losses = (numpy.array(x) for x in zip(*run["trace"]))
        values.append(losses[numpy.searchsorted(seconds, times, side="right") - 1])
    return times, numpy.median(values, axis=0)


def loss_figure(folder, name, groups, exact_rows, along, limits):
    """Left: estimates against time; right: exact losses only.

    groups: {method: runs}; exact_rows: {method: [[seconds, loss] rows a run]} of methods that know it on the way;
    along: {method: [(seconds, exact loss)]} of one start, stopped on its way; limits: of the loss, left and right.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(10.2, 4.2), constrained_layout=True)
    for number, (method, runs) in enumerate(groups.items()):
        look = draw.style(number)
        for run in runs:
            times, values = zip(*run["trace"])
            left.plot(times, numpy.array(values) / 1e6, color=look["color"], linewidth=0.5, linestyle=(0, (4, 3)), alpha=0.6,
                      drawstyle="steps-post")
        times, middle = median_steps(runs)
        left.plot(times, middle / 1e6, label=method, markevery=(8 + 3 * number, 20), **look)
        rows = exact_rows.get(method, [])
        for one in rows:
            times, values = zip(*one)
            right.plot(times, numpy.array(values) / 1e6, color=look["color"], linewidth=0.8, alpha=0.8)
        if along.get(method):
            times, values = zip(*along[method])
            right.plot(times, numpy.array(values) / 1e6, color=look["color"], linewidth=0.8, linestyle=(0, (2, 2)),
                       marker=look["marker"], markersize=3, markerfacecolor="white")
        right.plot([r["seconds"] for r in runs], [r["exact"] / 1e6 for r in runs], linestyle="none", label=method,
                   markersize=5, alpha=0.85, color=look["color"], marker=look["marker"])
    for axes, window in zip((left, right), limits):
        axes.set_xscale("log")
        axes.set_ylim(*(v / 1e6 for v in window))
        axes.set_xlabel("seconds")
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
        axes.xaxis.set_minor_formatter(lambda x, _: "")
    least = min(r["trace"][0][0] for runs in groups.values() for r in runs if r["trace"])
    for axes in (left, right):
        axes.set_xlim(left=max(least, 0.3))
    left.set_ylabel("loss, millions")
    left.set_title("Runs (dashed) and medians, as each method tells it", fontsize=9)
    right.set_title("Exact losses: ends of runs (marks), on the way (lines)", fontsize=9)
    left.legend(fontsize=8)
    draw.save(fig, folder, name)
