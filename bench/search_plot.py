"""Draws lines on two logarithmic axes, or two linear ones, as SVG."""

import math
from html import escape

COLOURS = ("#2a78b5", "#d07a1c", "#2f9469", "#b34747", "#7a62c2", "#5c6a75")
WIDTH, HEIGHT, LEFT, TOP, RIGHT = 420, 260, 70, 40, 190


def ticks(low, high):
    """Powers of ten from below the least to above the largest."""
    return [10.0**i for i in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def logarithmic(points):
    """The places of points, from 0 to 1 on both axes, and what the axes are marked by."""
    marks = ticks(min(y for _, y in points), max(y for _, y in points))
    bottom, top = math.log10(marks[0]), max(math.log10(marks[-1]), math.log10(marks[0]) + 1)
    xs = sorted({x for x, _ in points})
    first, last = math.log10(xs[0]), max(math.log10(xs[-1]), math.log10(xs[0]) + 0.1)
    return lambda x, y: ((math.log10(x) - first) / (last - first), (math.log10(y) - bottom) / (top - bottom)), xs, marks


def linear(points):
    """The same of chances, and of counts from 0 on."""
    step = 10.0 ** math.floor(math.log10(max(y for _, y in points)))
    top = math.ceil(max(y for _, y in points) / step) * step
    marks = [i * step / 2 for i in range(round(2 * top / step) + 1)]
    return lambda x, y: (x, y / top), [i / 10 for i in range(0, 11, 2)], marks


def plot(path, title, label, lines, axes=logarithmic):
    """`lines` are names, each with the values by x."""
    points = [(x, y) for line in lines.values() for x, y in line.items() if x > 0 and y > 0]
    if not points:
        return
    place, xs, marks = axes(points)

    def at(x, y):
        across, up = place(x, y)
        return LEFT + across * WIDTH, TOP + HEIGHT - up * HEIGHT

    width, height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + 50
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">\n'
    svg += "<style>text { font: 13px system-ui, sans-serif; fill: #1f2328 }</style>\n"
    svg += f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n<text x="10" y="22">{escape(title)}</text>\n'
    for mark in marks:
        y = at(xs[-1], mark)[1]
        svg += (
            f'<path d="M{LEFT} {y:.1f}h{WIDTH}" stroke="#d8dee4"/><text x="{LEFT - 8}" y="{y + 4:.1f}" '
            f'text-anchor="end">{mark:g}</text>\n'
        )
    for x in xs:
        svg += f'<text x="{at(x, marks[-1])[0]:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{short(x)}</text>\n'
    svg += f'<text x="{LEFT + WIDTH / 2:.0f}" y="{TOP + HEIGHT + 38}" text-anchor="middle">{escape(label)}</text>\n'
    for i, (name, line) in enumerate(lines.items()):
        colour, places = COLOURS[i % len(COLOURS)], [at(x, y) for x, y in sorted(line.items()) if y > 0]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        svg += f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>\n'
        if axes is logarithmic:
            svg += "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places) + "\n"
        y = TOP + 20 * i + 8
        svg += f'<rect x="{LEFT + WIDTH + 20}" y="{y}" width="14" height="4" fill="{colour}"/>'
        svg += f'<text x="{LEFT + WIDTH + 40}" y="{y + 7}">{escape(name)}</text>\n'
    path.write_text(svg + "</svg>\n", encoding="utf-8")


def short(x):
    return f"{x / 1e6:g}M" if x >= 1e6 else f"{x / 1e3:.0f}K" if x >= 10000 else f"{x:g}"
