#!/usr/bin/env python3
"""Redoes the evaluation of term weighting by Wakatsuki, Keyaki and Miyazaki (A Case for Term Weighting using a
Dictionary on GPUs, sections 4.1 and 4.2): Table 2 and Figures 5 and 7, with their two methods, `primitives` and
`dictionary`, and our `hash`.

    python3 bench/weigh_paper.py run build/release/akin build/gpu/carry/weigh_gpu_bench word_frequencies.tsv
    >results.txt python3 bench/weigh_paper.py report results.txt docs/images

`run` makes texts of 100 to 500 MB in a folder of its own, unless --texts names one where they are kept, and weighs each
by each technique: the paper's in one batch, as there, and ours in batches of 64 MB. `report` prints the tables, and
draws a figure for each into the directory.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

TECHNIQUES = {"hash": 64, "primitives": 2000, "dictionary": 2000}  # and the megabytes of a batch
SIZES = (100, 200, 300, 400, 500)
STEPS = ("htod", "cut", "look up", "keep", "count", "extract", "documents", "lengths", "convert", "sort", "name", "tf",
         "df",
         "turn", "idf", "assign", "weights", "weigh", "rest", "dtoh")
COLOURS = ("#63b4e6", "#e8a33d", "#3fb68b", "#c96a6a", "#9a86d8", "#7d8c99", "#d5c14d", "#5a9e9e", "#cf8bb8", "#a3b86c",
           "#46618c", "#b5835a", "#8fa9bf", "#2f7d5b", "#7a3b69", "#f0b9a0", "#4c4c9d", "#b0d8c4", "#8c2f39", "#d9d2e9")


# Running.


def make_text(asked, folder, size):
    path = folder / f"text{size}.txt"
    if not path.exists():
        words = [asked.akin, "generate", "text", "--bytes", f"{size}MB", "--words", asked.words]
        subprocess.run([*words, "-q", "-o", path], check=True)
    return path


def run_in(asked, folder):
    for size in asked.sizes:
        path = make_text(asked, folder, size)
        for technique, batch in TECHNIQUES.items():
            print(f"# size={size} technique={technique}", flush=True)
            subprocess.run([asked.bench, path, str(asked.repeats), str(batch), "0", technique], check=True)
        if not asked.texts:
            path.unlink()


def run(asked):
    if asked.texts:
        asked.texts.mkdir(parents=True, exist_ok=True)
        run_in(asked, asked.texts)
    else:
        with tempfile.TemporaryDirectory() as folder:
            run_in(asked, Path(folder))


# Reading.


def read_numbers(line):
    """The words and numbers of a line, in turn, by the words."""
    return {
        name.strip(): float(value) for name, value in re.findall(r"([a-z][a-z ]*?)\s+(-?[0-9.]+(?:e-?\d+)?)\b", line)
    }


def read(lines):
    """Of each size and technique: medians and steps of both kinds of runs, and what there was."""
    results, own, kind = {}, None, None
    for line in lines:
        start = re.match(r"# size=(\d+) technique=(\w+)", line)
        runs = re.search(r" (resident|pinned) +best +[0-9.]+ s +median +([0-9.]+)", line)
        there = re.match(r" +(\d+) documents +(\d+) words +(\d+) pairs +(\d+) terms +weight (\S+)", line)
        if start:
            own = results[int(start[1]), start[2]] = {"steps": {}}
        elif own is None:
            continue
        elif runs:
            kind = runs[1]
            own[kind] = float(runs[2])
        elif there:
            own["there"], own["weight"] = [int(n) for n in there.groups()[:4]], there[5]
        elif line.startswith("    copies alone:"):
            own["copies"] = read_numbers(line.split(":")[1])
        elif line.startswith("    dictionary:"):
            own["made"] = read_numbers(line.split(":")[1].replace(" s ", " "))
        elif kind and line.startswith("    ") and "floor" not in line:
            own["steps"][kind] = read_numbers(line)
    for size in {size for size, _ in results}:
        if len({(own.get("weight"), *own.get("there", ())) for (n, _), own in results.items() if n == size}) > 1:
            raise SystemExit(f"weigh_paper.py: the techniques differ at {size} MB")
    return results


# Tables and figures.


def table(title, head, rows):
    print(f"\n{title}\n\n| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def milliseconds(seconds):
    return "-" if seconds is None else f"{seconds * 1000:.2f}"


LEFT, WIDTH, BAR = 150, 480, 22


def figure(path, title, bars):
    """Bars side by side, each of a name and its parts, (name, seconds)."""
    names = list(dict.fromkeys(name for _, parts in bars for name, seconds in parts if seconds > 0))
    names.sort(key=lambda name: STEPS.index(name) if name in STEPS else -1)
    most = max((sum(s for _, s in parts) for _, parts in bars), default=0)
    if not most:
        return
    height = 60 + BAR * max(len(bars), len(names))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 210} {height}">\n'
    svg += "<style>text { font: 13px system-ui, sans-serif; fill: #1f2328 }</style>\n"
    svg += f'<rect width="{LEFT + WIDTH + 210}" height="{height}" fill="#ffffff"/>\n'
    svg += f'<text x="10" y="22">{escape(title)}</text>\n'
    for i, (name, parts) in enumerate(bars):
        x, y = LEFT, 40 + BAR * i
        svg += f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>\n'
        for part, seconds in parts:
            if part not in names:
                continue
            width = max(seconds, 0) / most * WIDTH
            colour = COLOURS[names.index(part) % len(COLOURS)]
            svg += f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR - 5}" fill="{colour}"/>\n'
            x += width
        svg += f'<text x="{x + 6:.1f}" y="{y + 14}">{milliseconds(sum(s for _, s in parts))}</text>\n'
    for i, name in enumerate(names if len(names) > 1 else ()):
        y = 40 + BAR * i
        svg += f'<rect x="{LEFT + WIDTH + 70}" y="{y}" width="14" height="14" fill="{COLOURS[i % len(COLOURS)]}"/>\n'
        svg += f'<text x="{LEFT + WIDTH + 90}" y="{y + 12}">{escape(name)}</text>\n'
    path.write_text(svg + "</svg>\n", encoding="utf-8")


def parts_of(own):
    """The steps of a resident run, and the copies, which are nobody's there."""
    steps = {name: s for name, s in own["steps"].get("resident", {}).items() if s > 0}
    copies = own.get("copies", {})
    return [("htod", copies.get("there", 0)), *steps.items(), ("dtoh", copies.get("back", 0))]


def report(asked):
    with open(asked.results, encoding="utf-8") as lines:
        results = read(lines)
    asked.images.mkdir(parents=True, exist_ok=True)
    sizes = sorted({size for size, _ in results})
    techniques = [t for t in TECHNIQUES if any(t == own for _, own in results)]

    def get(size, technique, name):
        return results.get((size, technique), {}).get(name)

    rows = [
        [f"{size} MB", *(f"{n:,}" for n in next(own["there"] for (s, _), own in results.items() if s == size))]
        for size in sizes
    ]
    table("Table 2: what the texts are", ["text", "documents", "words", "pairs", "terms"], rows)
    for kind, what in (("pinned", "from pinned memory and back"), ("resident", "in device memory")):
        rows = [[f"{size} MB", *(milliseconds(get(size, t, kind)) for t in techniques)] for size in sizes]
        table(f"Figure 5: milliseconds {what}", ["text", *techniques], rows)
    made = [
        [
            f"{size} MB",
            *(milliseconds((get(size, "dictionary", "made") or {}).get(n)) for n in ("words gathered", "built"))
        ]
        for size in sizes
    ]
    table(
        "The dictionary, made beforehand: milliseconds", ["text", "words gathered, on the GPU", "built, on the host"],
        made
    )
    figure(asked.images / "weigh-figure-5.svg", "Figure 5: milliseconds from pinned memory and back",
           [(f"{size} MB, {t}", [(t, get(size, t, "pinned") or 0)]) for size in sizes for t in techniques])
    for size in sizes:
        bars = [(t, parts_of(results[size, t])) for t in techniques if (size, t) in results]
        names = sorted(dict.fromkeys(name for _, parts in bars for name, _ in parts), key=STEPS.index)
        rows = [[name, *(milliseconds(dict(parts).get(name)) for _, parts in bars)] for name in names]
        table(f"Figure 7: milliseconds by step, {size} MB", ["step", *(t for t, _ in bars)], rows)
    figure(
        asked.images / "weigh-figure-7.svg",
        f"Figure 7: milliseconds by step, {sizes[-1]} MB in device memory, and copies", bars
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("run")
    verb.add_argument("akin")
    verb.add_argument("bench")
    verb.add_argument("words")
    verb.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="of texts, in MB (100 to 500)")
    verb.add_argument("--repeats", type=int, default=5)
    verb.add_argument("--texts", type=Path, help="a folder for text100.txt and so on, which stay")
    verb.set_defaults(do=run)
    verb = verbs.add_parser("report")
    verb.add_argument("results")
    verb.add_argument("images", type=Path)
    verb.set_defaults(do=report)
    asked = parser.parse_args()
    asked.do(asked)


if __name__ == "__main__":
    main()
