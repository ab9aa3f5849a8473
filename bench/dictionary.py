#!/usr/bin/env python3
"""Redoes the evaluation of dictionaries on a GPU by Wakatsuki, Keyaki and Miyazaki (A Case for Term Weighting using a
Dictionary on GPUs, section 4.3): Table 3 and Figures 8 to 12, with a state-transition table, their RRR, and our chunks.

    python3 bench/dictionary.py run build/gpu/carry/dictionary_bench word_frequencies.tsv >results.txt
    python3 bench/dictionary.py report results.txt docs/images

`run` takes some 5 minutes with texts of 100 million words (--words), as the paper's; `report` prints the tables, and
draws a figure for each into the directory.
"""

import argparse
import math
import subprocess
import sys
from html import escape
from pathlib import Path

KINDS = {"chunks": "#e8a33d", "rrr": "#63b4e6", "stt": "#3fb68b"}
BALANCES = ("none", "bins", "refill")
VOCABULARIES = (1e4, 1e5, 1e6, 1e7)  # of the last one all words of the list
GROWING = (1e5, 1e6)  # vocabularies of the figure that has texts grow
PARTS = (0.2, 0.5, 1)  # which it does from one part of the words to the next


# Running.


def run(asked):
    def bench(vocabulary, words, *more):
        command = [
            asked.bench, "-g", "-k", ",".join(KINDS), "-t", "16", "-v", f"{vocabulary:.0f}", "-n", f"{words:.0f}"
        ]
        subprocess.run([*command, *more, asked.words_file], check=True, stdout=sys.stdout)

    for vocabulary in VOCABULARIES:
        for text in [], ["-u"]:
            bench(vocabulary, asked.words, *text)
    for vocabulary in GROWING:
        for part in PARTS[:-1]:
            bench(vocabulary, asked.words * part)


# Reading.


def read(lines):
    """The lines of NAME=VALUE, as dictionaries; others are for people."""
    rows = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines if "vocabulary=" in line]
    for row in rows:
        row["vocabulary"], row["words"] = int(row["vocabulary"]), int(row["words"])
        if row.get("differ", "0") != "0":
            raise SystemExit(f"dictionary.py: ids differ from those of the CPU: {row}")
    return rows


def select(rows, *has, **same):
    return [row for row in rows if all(name in row for name in has) and all(row.get(k) == v for k, v in same.items())]


def value(rows, name, **same):
    found = select(rows, name, **same)
    return float(found[0][name]) if found else None


# Tables and figures.


def number(x):
    return "-" if x is None else f"{x:,.0f}" if x >= 1000 else f"{x:.3g}"


def table(title, head, rows):
    print(f"\n{title}\n\n| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(cell if isinstance(cell, str) else number(cell) for cell in row) + " |")


WIDTH, HEIGHT, LEFT, TOP = 460, 300, 70, 40


def figure(path, title, across, up, lines):
    """Lines of points (x, y), by name, with logarithms on both axes."""
    points = [p for line in lines.values() for p in line]
    if not points:
        return
    low = [math.floor(math.log10(min(p[i] for p in points)) + 1e-9) for i in (0, 1)]
    high = [max(math.ceil(math.log10(max(p[i] for p in points)) - 1e-9), low[i] + 1) for i in (0, 1)]

    def place(x, y):
        part = [(math.log10(v) - low[i]) / (high[i] - low[i]) for i, v in enumerate((x, y))]
        return LEFT + WIDTH * part[0], TOP + HEIGHT * (1 - part[1])

    def text(x, y, words, anchor="middle"):
        return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>\n'

    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + 240} {HEIGHT + 100}">\n'
    svg += "<style>text { font: 13px system-ui, sans-serif; fill: #1f2328 } .axis { stroke: #b8c0c8 }</style>\n"
    svg += f'<rect width="{WIDTH + 240}" height="{HEIGHT + 100}" fill="#ffffff"/>\n' + text(LEFT, 22, title, "start")
    for power in range(low[0], high[0] + 1):
        x, y = place(10.0**power, 10.0 ** low[1])
        svg += f'<line class="axis" x1="{x:g}" x2="{x:g}" y1="{TOP}" y2="{y:g}"/>\n' + text(x, y + 18, f"1e{power}")
    for power in range(low[1], high[1] + 1):
        x, y = place(10.0 ** low[0], 10.0**power)
        svg += f'<line class="axis" x1="{x:g}" x2="{x + WIDTH:g}" y1="{y:g}" y2="{y:g}"/>\n'
        svg += text(x - 8, y + 4, f"1e{power}", "end")
    svg += text(LEFT + WIDTH / 2, TOP + HEIGHT + 42, across) + text(LEFT, TOP - 4, up, "start")
    for i, (name, line) in enumerate(lines.items()):
        colour = KINDS[name.split(",")[0]]
        dashes = "" if i < len(KINDS) else ' stroke-dasharray="5 4"'
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*p) for p in sorted(line)))
        svg += f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2.5"{dashes}/>\n'
        svg += f'<line x1="{LEFT + WIDTH + 16}" x2="{LEFT + WIDTH + 40}" y1="{TOP + 20 * i}" y2="{TOP + 20 * i}" '
        svg += f'stroke="{colour}" stroke-width="2.5"{dashes}/>\n'
        svg += text(LEFT + WIDTH + 46, TOP + 20 * i + 4, name, "start")
    path.write_text(svg + "</svg>\n", encoding="utf-8")


def report(asked):
    with open(asked.results, encoding="utf-8") as lines:
        rows = read(lines)
    asked.images.mkdir(parents=True, exist_ok=True)
    most = max(row["words"] for row in rows)
    sizes = sorted({row["vocabulary"] for row in rows})

    def by_size(title, name, up, what, **same):
        """A table and a figure of a value by vocabulary and kind; the figure is named after the title's first words."""
        found = {k: [(n, value(rows, name, vocabulary=n, kind=k, **same)) for n in sizes] for k in KINDS}
        head = ["words of the dictionary", *KINDS]
        table(title + what, head, [[n, *(dict(found[k])[n] for k in KINDS)] for n in sizes])
        lines = {k: [p for p in line if p[1]] for k, line in found.items()}
        figure(asked.images / f"{title.replace(' ', '-').lower()}.svg", title + what, head[0], up, lines)

    table(
        "Table 3: the length of words",
        ["words of the dictionary", "frequent, mean", "variance", "uniform, mean", "variance"],
        [[n, *(value(rows, name, vocabulary=n, text=text, words=most) for text in ("frequent", "uniform")
               for name in ("mean", "variance"))] for n in sizes],
    )
    by_size("Figure 8", "trie", "bytes", ": bytes of the dictionary on the GPU", words=most)
    grown = select(rows, "ms", text="frequent", balance=asked.balance, **{"from": "device"})
    lines = {}
    for size in (int(n) for n in GROWING):
        for kind in KINDS:
            line = [
                (row["words"], float(row["ms"])) for row in grown if row["vocabulary"] == size and row["kind"] == kind
            ]
            lines[f"{kind}, {size:,}"] = sorted(line)
    table(
        f"Figure 9: milliseconds by words of the text, frequent ones, {asked.balance}",
        ["words", *lines],
        [
            [n, *(dict(line).get(n) for line in lines.values())]
            for n in sorted({p[0] for l in lines.values() for p in l})
        ],
    )
    figure(
        asked.images / "figure-9.svg", "Figure 9: milliseconds", "words of the text", "ms",
        {k: l for k, l in lines.items() if l}
    )
    by_size("Figure 10", "all", "bytes", ": bytes on the GPU, with the text", words=most, text="frequent")
    for title, text in (("Figure 11", "frequent"), ("Figure 12", "uniform")):
        for balance in BALANCES:
            name = title if balance == asked.balance else f"{title} {balance}"
            same = {"words": most, "text": text, "balance": balance, "from": "device"}
            by_size(name, "ns/byte", "ns", f": nanoseconds a character, {text} words, {balance}", **same)
    table(
        "Words a second, in millions, in device memory and from the host's memory and back",
        ["words of the dictionary", "kind", "text", *(f"{b}, {f}" for f in ("device", "host") for b in BALANCES)],
        [[n, k, text, *((
                            value(
                                rows, "words/s", vocabulary=n, kind=k, text=text, words=most, balance=b, **{"from": f}
                            )
                            or 0
                        ) / 1e6
                        for f in ("device", "host") for b in BALANCES)]
         for n in sizes for k in KINDS for text in ("frequent", "uniform")],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("run")
    verb.add_argument("bench")
    verb.add_argument("words_file")
    verb.add_argument("--words", type=float, default=1e8, help="of a text (1e8)")
    verb.set_defaults(do=run)
    verb = verbs.add_parser("report")
    verb.add_argument("results")
    verb.add_argument("images", type=Path)
    verb.add_argument("--balance", choices=BALANCES, default="bins", help="of Figures 9, 11 and 12 (bins)")
    verb.set_defaults(do=report)
    asked = parser.parse_args()
    asked.do(asked)


if __name__ == "__main__":
    main()
