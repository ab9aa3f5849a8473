"""The report in Markdown: a table for each experiment, and what won where."""

import textwrap

from experiments import COLLECTIONS, EXPERIMENTS, PREFIX

# The page, but for its tables. %(cut)s is the number of seconds after which a join was stopped.
OPENING = """\
# A paper's evaluation of joins, repeated

C. Bellas and A. Gounaris, *An Empirical Evaluation of Exact Set Similarity Join Techniques Using GPUs*, compare
techniques on real, enlarged and synthetic collections. This page repeats their evaluation with akin's techniques.
`python3 bench/paper report` writes the page from the results in `bench/paper`: do not edit it. akin's other figures
are in [benchmarks.md](benchmarks.md).

All joins are Jaccard self-joins that count pairs. Times are seconds from ranked and sorted sets in memory to the
number of pairs. Planning and index are included.

- A cell is the median of 5 runs below 0.3 s, and of 3 runs below 1 s. Above that it is one run.
- A join stops after %(cut)s s ("> %(cut)s"). It stops earlier if its progress after a sixth of that time predicts
  two and a half times as long.
- After such a stop, the technique is not tried at lower thresholds, nor on larger collections of the same kind. Those
  cells have the same mark, because such joins nearly always take longer.
- All techniques of a row found the same number of pairs, on every machine. Where that number is known from
  elsewhere, they found the known number. The report fails otherwise.
"""

ON_CPU = """
## On a CPU

How it was measured:

"""

QUIET = 1.5  # the load that the run before may leave behind
BUSY = """
**The machine was busy with other work, as its load shows. These times show that the joins are possible, not how fast.**
"""

READING = """
The picture names the fastest technique of each cell, `auto` left aside, and its time. A second number says how many
times as long `auto` takes, where that is more than 1.1. The lower part is like Figure 22 of the paper: the technique
that is the fastest in most cells of a kind.

![Fastest technique by collection and threshold](%(picture)s)

In the tables **bold** marks the fastest technique, `auto` left aside.

- "auto / best" is the time of `auto` divided by the fastest time.
- "prefix / auto" is the time of the fastest of allpairs, ppjoin and groupjoin, divided by the time of `auto`. The
  paper's "CPU" is the fastest of these three.
- Memory is the highest heap of the join, without the collection.
"""

WINNERS = """
### What wins where

Both halves of Figure 22, as counts: how often each technique is the fastest. Columns combine the number of sets (the
paper's small, medium and large are about 10^5, 10^6 and 10^7) and the size of the sets (small: below 10 tokens on
average). Rows are first thresholds, then numbers of pairs.

"""

NO_GPU = """
The rest of the paper has no counterpart on the CPU: the cost of clearing a quadratic space (Table 5, Figure 13), of
launching a kernel for each set (Figure 16, but for its low thresholds), and of copying pairs back from the GPU (Figure
23). CPU-GPU, gSSJoin, fgSSJoin and sf-gSSJoin are techniques of the GPU, and there are no results of a machine that
has one.
"""


def seconds(value):
    if value < 0.1:
        return f"{value:.4f}" if value < 0.01 else f"{value:.3f}"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def ratio(value, digits=2):
    return f"{value:.{digits}f}" if value < 9.95 else f"{value:.0f}"


def row(*texts):
    return "| " + " | ".join(texts) + " |\n"


def head(*texts):
    return row(*texts) + row(*["---"] * len(texts))


def is_auto(technique):
    return technique.partition("@")[0] == "auto"


def is_fixed(technique):
    """Whether a technique is one that is compared, at the planner's widths: neither auto nor one of given width, nor
    with output."""
    return not is_auto(technique) and not any(c in technique for c in ":+")


def fill(text, indent=""):
    """Lines of 118 characters, and an empty one."""
    lines = textwrap.fill(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return lines + "\n\n"


class Cell:
    """What the techniques did on one collection at one threshold, and which of them wins."""

    def __init__(self, results, collection, threshold, techniques, about_widths):
        found = ((k, results.get(collection, threshold, k)) for k in techniques)
        own = [k for k in techniques if (collection, threshold, k) in results.cells]
        self.measured = any(":" in k for k in own) if about_widths else bool(own)
        self.collection, self.threshold = collection, threshold
        self.of = {k: r for k, r in found if r}  # technique: its result
        self.done = {k: r for k, r in self.of.items() if not r.cut}
        fixed = {k: r for k, r in self.done.items() if (not is_auto(k) if about_widths else is_fixed(k))}
        self.winner = min(fixed, key=lambda k: fixed[k].seconds, default=None)
        self.best = fixed[self.winner].seconds if self.winner else None
        auto = self.of.get("auto@cuda") or self.of.get("auto")
        self.auto = auto if auto and not auto.cut else None
        self.auto_ratio = auto.seconds / self.best if auto and self.best else None  # at least, where auto was cut

    def text(self, technique):
        result = self.of.get(technique)
        if not result:
            return "-"
        if result.cut:
            return f"> {result.seconds:g}"
        return f"**{seconds(result.seconds)}**" if technique == self.winner else seconds(result.seconds)

    def auto_text(self, digits=2):
        return "-" if not self.auto_ratio else ("" if self.auto else "> ") + ratio(self.auto_ratio, digits)

    def prefix_ratio(self):
        """How many times as long as auto the best of the paper's CPU techniques takes."""
        of = [self.of[k] for k in PREFIX if k in self.of]
        if not self.auto or len(of) < len(PREFIX):
            return "-"
        done = [r.seconds for r in of if not r.cut]
        return ratio(min(done) / self.auto.seconds) if done else "> " + ratio(of[0].seconds / self.auto.seconds)


def cells_of(experiment, results):
    """The experiment's cells that were measured, and those whose result follows from others that were cut, unless only
    a full run has them."""
    techniques = known_techniques(experiment, results)
    there = dict.fromkeys(cell[:2] for cell in experiment.cells(True, True))
    cells = [Cell(results, c, t, techniques, experiment.about_widths) for c, t in there]
    tried = {cell.collection for cell in cells if cell.measured}
    asked = {cell[:2] for cell in experiment.cells()}
    return [
        cell
        for cell in cells
        if cell.measured or cell.of and cell.collection in tried and (cell.collection, cell.threshold) in asked
    ]


def known_techniques(experiment, results):
    """The experiment's techniques and, unless it is about widths, all others that were measured, auto last."""
    known = dict.fromkeys(k for k in experiment.techniques)
    if not experiment.about_widths:
        known.update(dict.fromkeys(k for _, _, k in results.cells if not any(c in k for c in ":+")))
    return sorted(known, key=is_auto)


def table(cells, techniques):
    widths = any(":" in k for k in techniques)
    text = head(
        "collection",
        "threshold",
        *techniques,
        *([] if widths else ["auto / best", "prefix / auto"]),
        "auto chose",
        "pairs",
        "auto's peak, MB",
    )
    for cell in cells:
        more = [] if widths else [cell.auto_text(), cell.prefix_ratio()]
        pairs = {r.pairs for r in cell.done.values()}
        if len(pairs) > 1:
            raise SystemExit(f"paper: WRONG: {cell.collection} at {cell.threshold} has {sorted(pairs)} pairs")
        text += row(
            cell.collection,
            cell.threshold,
            *map(cell.text, techniques),
            *more,
            cell.auto.chosen if cell.auto else "-",
            f"{pairs.pop():,}" if pairs else "-",
            f"{cell.auto.peak_mb:.0f}" if cell.auto else "-",
        )
    return text


def characteristics(views):
    """Table 4 and 6 of the paper: what the collections are like."""
    of = {r.collection: r for view in views for r in view.cells.values() if not r.cut}
    text = head("collection", "sets", "tokens a set", "different tokens")
    for name in COLLECTIONS:
        if name in of:
            r = of[name]
            text += row(name, f"{r.sets:,}", f"{r.tokens / max(r.sets, 1):.1f}", f"{r.universe:,}")
    return text


BANDS = ((0.9, "very high (0.9)"), (0.8, "high (0.8)"), (0.5, "medium (0.5 to 0.7)"), (0, "low (below 0.5)"))
RESULTS = ((0, "below 10^4"), (10**4, "10^4 to 10^6"), (10**7, "10^7 to 10^8"), (10**9, "10^9 and more"))
KINDS = [f"{collection} - {sets}" for collection in ("small", "medium", "large") for sets in ("small", "large")]


def by_threshold(cell):
    return next(name for least, name in BANDS if float(cell.threshold) >= least)


def by_result(cell):
    pairs = next(iter(cell.done.values())).pairs
    return next(name for least, name in reversed(RESULTS) if pairs >= least)


def kind(cell):
    r = next(iter(cell.done.values()))
    return KINDS[2 * ((r.sets >= 10**6 / 2) + (r.sets >= 10**7 / 2)) + (r.tokens >= 10 * r.sets)]


def who_wins(cells, band, winner):
    """One half of Figure 22: how often each technique wins, by size of collection and of sets, and by band."""
    won = [(band(cell), kind(cell), winner(cell)) for cell in cells]
    kinds = [k for k in KINDS if any(w[1] == k for w in won)]
    text = head("threshold" if band is by_threshold else "pairs", *kinds)
    for _, b in BANDS if band is by_threshold else RESULTS:
        counts = []
        for k in kinds:
            winners = [w[2] for w in won if w[:2] == (b, k)]
            order = sorted(set(winners), key=lambda w: (-winners.count(w), w))
            counts.append(", ".join(f"{w} {winners.count(w)}" for w in order) or "-")
        text += row(b, *counts)
    return text


def sections(view):
    """(experiment, its cells) of all experiments with a measurement."""
    found = ((e, cells_of(e, view)) for e in EXPERIMENTS)
    return [(e, cells) for e, cells in found if cells]


def opening(cut):
    return OPENING % {"cut": f"{cut:g}"}


def on_cpu(view, picture):
    """The part of a machine's CPU."""
    text = ON_CPU
    for where, commands in view.runs.items():
        text += f"- {where}:\n" + "".join(f"  - {command}\n" for command in dict.fromkeys(commands))
    loads = [float(command.rpartition(" ")[2]) for commands in view.runs.values() for command in commands]
    text += BUSY if max(loads, default=0) > QUIET else ""
    text += READING % {"picture": picture}
    parts = sections(view)
    for e, cells in parts:
        text += f"\n### {e.title}\n\n{fill(e.figure + '. ' + e.text)}" + table(cells, known_techniques(e, view))
    won = [cell for e, cells in parts for cell in cells if cell.winner and not e.about_widths]
    if won:
        text += WINNERS + who_wins(won, by_threshold, lambda cell: cell.winner)
        text += "\n" + who_wins(won, by_result, lambda cell: cell.winner)
    return text


def closing(views):
    return "\n## The collections\n\nTables 4 and 6.\n\n" + characteristics(views)
