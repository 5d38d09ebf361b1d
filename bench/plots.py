"""Growth of the cost of an iteration with rank, modes, samples, nonzeros and threads, as plain SVG."""
import math

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 360, 64, 48, 36, 96
STYLES = [("#0072b2", ""), ("#d55e00", "6 3"), ("#009e73", "2 3"), ("#555", "8 2 2 2")]


def ticks(top):
    step = 10 ** len(str(int(top))) / 10
    while top / step < 4:
        step /= 2
    return [i * step for i in range(int(top / step) + 1)]


def decades(low, high):
    return [10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def chart(path, title, x_name, lines, logarithmic):
    """lines: threads -> [(x, microseconds)], in double precision. A thin line through the last point of the first shows what
    growth in proportion to x would be (from 0 where the axis begins there)."""
    xs = [x for points in lines.values() for x, _ in points]
    y_top = max(y for points in lines.values() for _, y in points) * 1.08
    x_low, x_top = (min(xs), max(xs)) if logarithmic else (0, max(xs))

    def at(x, y):
        part = math.log(x / x_low) / math.log(x_top / x_low) if logarithmic else x / x_top
        return (LEFT + (WIDTH - LEFT - RIGHT) * part, HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * y / y_top)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">{title}</text>']
    for y in ticks(y_top):
        _, py = at(x_top, y)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{py:.1f}" y2="{py:.1f}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{py + 4:.1f}" text-anchor="end" fill="#444">{y:g}</text>')
    for x in decades(x_low, x_top) if logarithmic else ticks(x_top):
        if x_low <= x <= x_top * 1.001:
            px, py = at(x, 0)
            parts.append(f'<text x="{px:.1f}" y="{py + 16:.1f}" text-anchor="middle" fill="#444">{x:,.0f}</text>')
    if not logarithmic:
        (x0, y0), (x1, y1) = at(0, 0), at(x_top, sorted(lines[min(lines)])[-1][1])
        parts.append(f'<line x1="{x0}" y1="{y0}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="#999"/>')
    for number, (threads, points) in enumerate(sorted(lines.items())):
        colour, dashes = STYLES[number % len(STYLES)]
        places = [at(x, y) for x, y in sorted(points)]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.5" fill="{colour}"/>' for px, py in places]
        px, py = places[-1]
        parts.append(f'<text x="{px + 8:.1f}" y="{py + 4:.1f}" fill="{colour}">{threads} thread{"s" if threads > 1 else ""}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{x_name}</text>'
                 f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">microseconds an iteration</text>')
    path.write_text("\n".join(parts) + "\n</svg>\n")
    print(f"{path} written")


TASKS = {
    # task: (what grows, title, logarithmic axis)
    "ranks": ("rank", "Rank: poisson, 4 modes, 2000 samples", False),
    "modes": ("modes", "Modes: bernoulli-odds, rank 8, 2000 samples, 960 rows", False),
    "samples": ("samples", "Samples: bernoulli-odds, rank 5, 4 modes", False),
    "nonzeros": ("nonzeros", "Nonzeros: bernoulli-odds, rank 8, 2000 samples, 3 modes", True),
}


def draw(runs, folder):
    """runs: rows of several rounds. The least of them is drawn: what disturbs a measurement only ever adds to it."""
    for task, (fact, title, logarithmic) in TASKS.items():
        lines = {}
        for key, row in runs[0].items():
            if key[0] == task:
                figure = min(run[key]["least"] for run in runs)
                lines.setdefault(key[3], []).append((row["facts"][fact], figure))
        if lines:
            chart(folder / f"growth-{task}.svg", title, fact, lines, logarithmic)
