"""Draws in SVG: shapes and text, curves on axes, bars."""

import math
from html import escape

COLOURS = ("#2a78b5", "#d07a1c", "#2f9469", "#b34747", "#7a62c2", "#5c6a75")
INK, QUIET, LINE, SHADE = "#1f2328", "#59636e", "#d8dee4", "#f0f3f6"


class Drawing:
    """A white page with a title, to which shapes are added."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.parts = width, height, title, []
        self.text(12, 22, title, weight=600)

    def text(self, x, y, content, anchor="start", fill=INK, size=13, weight=400, mono=False):
        more = (f' text-anchor="{anchor}"' if anchor != "start" else "") + (f' font-weight="{weight}"' if weight != 400 else "")
        family = ' font-family="ui-monospace, DejaVu Sans Mono, monospace"' if mono else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{more}{family}>{escape(content)}</text>')

    def box(self, x, y, width, height, fill, stroke="none", radius=0):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius}" fill="{fill}" stroke="{stroke}"/>')

    def line(self, points, colour, width=1.0, dash=""):
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashed}/>')

    def dot(self, x, y, radius, fill, told=""):
        tip = f"<title>{escape(told)}</title>" if told else ""
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}">{tip}</circle>')

    def legend(self, x, y, names):
        """Colours and what they are, one below the other."""
        for i, (name, colour) in enumerate(names):
            self.box(x, y + 20 * i, 14, 4, colour)
            self.text(x + 20, y + 20 * i + 7, name)

    def __str__(self):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" role="img" aria-label="{escape(self.title)}">'
        style = "<style>text { font-family: system-ui, sans-serif }</style>"
        page = f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>'
        return "\n".join((head, style, page, *self.parts, "</svg>")) + "\n"


class Axes:
    """A field of a drawing with two scales, each linear or logarithmic."""

    def __init__(self, drawing, x, y, log_x=False, log_y=False, left=62, top=50, width=440, height=250):
        self.drawing, self.left, self.top, self.width, self.height = drawing, left, top, width, height
        self.scales = (self.scale(x, log_x), self.scale(y, log_y))

    @staticmethod
    def scale(ends, log):
        low, high = (math.log10(end) for end in ends) if log else ends
        return lambda value: ((math.log10(value) if log else value) - low) / (high - low)

    def at(self, x, y):
        return self.left + self.scales[0](x) * self.width, self.top + (1 - self.scales[1](y)) * self.height

    def marks(self, xs, ys, label_x, label_y="", text=str):
        """Lines across at ys, and what stands at xs and ys."""
        for y in ys:
            _, place = self.at(xs[0], y)
            self.drawing.line([(self.left, place), (self.left + self.width, place)], LINE)
            self.drawing.text(self.left - 8, place + 4, text(y), "end", QUIET)
        for x in xs:
            place, _ = self.at(x, ys[0])
            self.drawing.text(place, self.top + self.height + 18, text(x), "middle", QUIET)
        self.drawing.text(self.left + self.width / 2, self.top + self.height + 38, label_x, "middle")
        self.drawing.text(self.left - 50, self.top - 9, label_y, fill=QUIET, size=12)

    def curve(self, points, colour, dots=False, dash=""):
        places = [self.at(x, y) for x, y in points]
        self.drawing.line(places, colour, 2, dash)
        for (x, y), (px, py) in zip(points, places):
            if dots:
                self.drawing.dot(px, py, 3, colour, f"{x:g}: {y:g}")


def shade(value, colour="#2a78b5"):
    """White to the colour as value goes from 0 to 1."""
    channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 + (c - 255) * value):02x}" for c in channels)


def number(value):
    """A number with few signs: 1M, 20k, 0.5."""
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{sign}"
    return f"{value:g}"
