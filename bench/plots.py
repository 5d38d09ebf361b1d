"""Growth of the cost of an iteration with rank, modes and samples, as plain SVG."""

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 360, 64, 48, 36, 16


def ticks(top):
    step = 10 ** len(str(int(top))) / 10
    while top / step < 4:
        step /= 2
    return [i * step for i in range(int(top / step) + 1)]


def chart(path, title, x_name, points):
    """points: (x, microseconds), from one thread in double precision. A straight line through 0 and the last point shows
    what growth in proportion would be."""
    points = sorted(points)
    x_top, y_top = points[-1][0], max(y for _, y in points) * 1.08
    def at(x, y):
        return (LEFT + (WIDTH - LEFT - RIGHT) * x / x_top, HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * y / y_top)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">{title}</text>']
    for y in ticks(y_top):
        _, py = at(0, y)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{py:.1f}" y2="{py:.1f}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{py + 4:.1f}" text-anchor="end" fill="#444">{y:g}</text>')
    for x in ticks(x_top):
        px, py = at(x, 0)
        parts.append(f'<text x="{px:.1f}" y="{py + 16:.1f}" text-anchor="middle" fill="#444">{x:g}</text>')
    (x0, y0), (x1, y1) = at(0, 0), at(x_top, points[-1][1])
    parts.append(f'<line x1="{x0}" y1="{y0}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="#999" stroke-dasharray="4 4"/>')
    line = " ".join(f"{px:.1f},{py:.1f}" for px, py in (at(x, y) for x, y in points))
    parts.append(f'<polyline points="{line}" fill="none" stroke="#0072b2" stroke-width="2"/>')
    parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.5" fill="#0072b2"/>' for px, py in (at(x, y) for x, y in points)]
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{x_name}</text>'
                 f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">microseconds an iteration</text>')
    path.write_text("\n".join(parts) + "\n</svg>\n")
    print(f"{path} written")


def draw(rows, folder):
    for task, fact, title in (("ranks", "rank", "Rank (poisson, 4 modes, 2000 samples)"),
                              ("modes", "modes", "Number of modes (rank 8, 2000 samples)"),
                              ("samples", "samples", "Samples (bernoulli-odds, rank 5, 4 modes)")):
        points = [(r["facts"][fact], r["median"]) for key, r in rows.items() if key[0] == task and key[3] == 1]
        if points:
            chart(folder / f"growth-{task}.svg", f"{title}: dashed is growth in proportion", fact, points)
