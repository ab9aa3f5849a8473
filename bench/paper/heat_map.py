"""The heat map, in SVG: a row a collection, a column a threshold, coloured by the technique that wins."""

from html import escape

from report import BANDS, KINDS, RESULTS, by_result, by_threshold, is_fixed, kind, seconds

# Light enough for dark text, and apart for those who do not see all colours. Techniques without one take a spare one.
COLOURS = {
    "allpairs": "#e8a33d",
    "ppjoin": "#63b4e6",
    "groupjoin": "#3fb68b",
    "screened": "#efdf4f",
    "bitmap": "#d68bb4",
    "tensor": "#7fc97f",
    "prefix": "#f0a6a0",
    "hybrid": "#c9a27a",
    "fgssjoin": "#a99be8",
    "sf-gssjoin": "#6fd3d6",
    "gssjoin": "#b8c4d9",
    "CPU x1": "#efc75e",
    "paper's CPU": "#e8a33d",
}
SPARE = ("#efdf4f", "#f08a6c", "#8fd14f", "#9fb7ff")
SHADES = ((1.1, 0, "auto takes at most 1.1 times as long"), (1.5, 0.4, "1.5 times"), (float("inf"), 0.7, "more"))

LABELS, WIDTH, HEIGHT, TOP, MARGIN = 160, 100, 38, 132, 16

STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .group { font-weight: 600 }
  .cell { fill: #14171a }
  .time { font-weight: 600 }
  .small { font-size: 11px; font-weight: 400 }
  .middle { text-anchor: middle }
  .end { text-anchor: end }
  .page { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .cell { fill: #14171a }
    .page { fill: #0d1117 }
  }
"""


def paler(colour, part):
    """The colour with so much of white in it."""
    channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(c + (255 - c) * part):02x}" for c in channels)


def text(x, y, content, kind=""):
    return f'<text x="{x:g}" y="{y:g}"' + (f' class="{kind}"' if kind else "") + f">{escape(content)}</text>\n"


def box(x, y, width, height, fill):
    return f'<rect x="{x:g}" y="{y:g}" width="{width}" height="{height}" rx="3" fill="{fill}"/>\n'


def shade(value):
    return next(part for bound, part, _ in SHADES if value is None or value <= bound)


def draw_cell(cell, x, y, colours):
    """A cell; what all techniques took is its tooltip."""
    told = "\n".join(f"{k}: {'> ' if r.cut else ''}{seconds(r.seconds)} s" for k, r in cell.of.items())
    svg = f"<g><title>{escape(f'{cell.collection}, {cell.threshold}')}\n{escape(told)}</title>\n"
    centre, beside = x + WIDTH / 2 - 1, ""
    if cell.winner:
        fill = paler(colours[cell.winner], shade(cell.auto_ratio))
        beside = cell.auto_text(1) + "×" if cell.auto_ratio and cell.auto_ratio > 1.1 else ""
        lines = seconds(cell.best), cell.winner
    else:
        fill = "#b4bac1"
        lines = f"> {max(r.seconds for r in cell.of.values()):g}", "all cut"
    svg += box(x, y, WIDTH - 2, HEIGHT - 2, fill)
    if beside:
        svg += text(x + 8, y + 16, lines[0], "cell time") + text(x + WIDTH - 9, y + 16, beside, "cell small end")
    else:
        svg += text(centre, y + 16, lines[0], "cell time middle")
    svg += text(centre, y + 30, lines[1], "cell small middle")
    return svg + "</g>\n"


def draw_legend(colours, won, y):
    svg, x = "", MARGIN
    for technique in (k for k in colours if k in won):
        svg += box(x, y, 16, 16, colours[technique]) + text(x + 22, y + 13, technique)
        x += 44 + 7.5 * len(technique)
    x, y = MARGIN, y + 23
    for _, part, words in SHADES:
        svg += box(x, y, 16, 16, paler("#6b7684", part)) + text(x + 22, y + 13, words)
        x += 44 + 6.8 * len(words)
    return svg


def colours_of(cells):
    techniques = dict.fromkeys(k for cell in cells for k in cell.of if is_fixed(k))
    spare = iter(SPARE * len(techniques))
    return {k: COLOURS.get(k) or next(spare) for k in list(COLOURS) + [k for k in techniques if k not in COLOURS]}


def rows_of(sections):
    """The rows: (experiment, its collections) in order, and of each collection its cells by threshold. A collection
    has one row, in the experiment that has it first."""
    parts, rows = [], {}
    for experiment, cells in sections:
        if getattr(experiment, "about_widths", False):
            continue
        new = list(dict.fromkeys(cell.collection for cell in cells if cell.collection not in rows))
        if new:
            parts.append((experiment, new))
        for cell in cells:
            rows.setdefault(cell.collection, {})[cell.threshold] = cell
    return parts, rows


def draw_halves(cells, colours, y):
    """Figure 22, by threshold and by size of the result: who wins most often, and how often; and where that ends."""
    svg, won = "", [cell for cell in cells if cell.winner]
    kinds = [k for k in KINDS if any(kind(cell) == k for cell in won)]
    for title, bands, band in (
        ("By threshold", BANDS, by_threshold),
        ("By number of pairs", RESULTS, by_result),
    ):
        svg += text(MARGIN, y + 18, title, "group")
        for column, name in enumerate(kinds):
            svg += text(MARGIN + LABELS + WIDTH * (column + 0.5), y + 18, name, "small middle")
        y += 26
        for _, name in bands:
            svg += text(MARGIN + LABELS - 10, y + 23, name, "end")
            for column, of_kind in enumerate(kinds):
                winners = [cell.winner for cell in won if band(cell) == name and kind(cell) == of_kind]
                if winners:
                    svg += draw_most(winners, MARGIN + LABELS + WIDTH * column, y, colours)
            y += HEIGHT
        y += 6
    return svg, y


def draw_most(winners, x, y, colours):
    """The one that wins most often, paler where that is not half of the cells."""
    most = min(dict.fromkeys(winners), key=lambda w: -winners.count(w))
    share = winners.count(most)
    told = ", ".join(f"{w} {winners.count(w)}" for w in dict.fromkeys(winners))
    svg = f"<g><title>{escape(told)}</title>\n"
    svg += box(x, y, WIDTH - 2, HEIGHT - 2, paler(colours[most], 0 if 2 * share >= len(winners) else 0.5))
    svg += text(x + WIDTH / 2 - 1, y + 16, most, "cell time middle")
    return svg + text(x + WIDTH / 2 - 1, y + 30, f"{share} of {len(winners)}", "cell small middle") + "</g>\n"


def draw(sections, threads, cut, where=""):
    """The picture of all sections' cells."""
    parts, rows = rows_of(sections)
    all_cells = [cell for row in rows.values() for cell in row.values()]
    colours, won = colours_of(all_cells), {cell.winner for cell in all_cells}
    thresholds = sorted({cell.threshold for cell in all_cells}, reverse=True)
    width = max(2 * MARGIN + LABELS + WIDTH * len(thresholds), 720)
    svg = text(MARGIN, 28, "Fastest technique by collection and Jaccard threshold" + where, "title")
    svg += text(
        MARGIN,
        48,
        f"seconds of the fastest technique, threads: {threads}; > {cut:g}: stopped there; n×: what auto takes of that",
    )
    svg += draw_legend(colours, won, 60)
    y = TOP
    for column, threshold in enumerate(thresholds):
        svg += text(MARGIN + LABELS + WIDTH * (column + 0.5), y - 8, threshold, "group middle")
    for experiment, collections in parts:
        svg += text(MARGIN, y + 18, experiment.title.split(",")[0], "group")
        y += 26
        for name in collections:
            svg += text(MARGIN + LABELS - 10, y + 23, name, "end")
            for column, threshold in enumerate(thresholds):
                if threshold in rows[name]:
                    svg += draw_cell(rows[name][threshold], MARGIN + LABELS + WIDTH * column, y, colours)
            y += HEIGHT
        y += 6
    if any(cell.winner for cell in all_cells):
        halves, y = draw_halves(all_cells, colours, y + 8)
        svg += halves
    height = y + MARGIN - 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f"<style>{STYLE}</style>\n" + f'<rect class="page" width="{width}" height="{height}"/>\n' + svg + "</svg>\n"
    )
