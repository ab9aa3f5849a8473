"""The part of the report about a machine with a GPU: its figures are compared with each other alone."""

from statistics import median

from experiments import FASTEST_PREFIX, PREFIX
from measure import values_of
from portions import PORTIONS
from report import BANDS, by_result, by_threshold, fill, head, kind, ratio, row, seconds, who_wins

OPENING = """
## On a GPU

All figures from here on are of another machine, which has a GPU. Compare them with each other, not with the figures
above. How it was measured:

"""

READING = """
Times are seconds from ranked and sorted sets in ordinary memory on the host to the number of pairs there. Planning,
index, transfers and verification are included; opening the GPU, ranking and sorting are not. Joins below 1 s are
repeated, and the first run does not count. No run begins after %(patience)g s, ranking and sorting included.

`auto` may take the CPU, the GPU, or both. Three columns are of the CPU of this machine: "CPU x%(threads)d" is `auto` on
the CPU alone with all threads, "CPU x1" the same with one thread, and "paper's CPU" the fastest of allpairs, ppjoin and
groupjoin on one thread.

- **Bold** marks the fastest, `auto` left aside.
- "best / auto" is the fastest time of all others, divided by the time of `auto`.
- "paper / auto" is the fastest time of the paper's techniques, divided by the time of `auto`. These are the paper's
  CPU, hybrid (its CPU-GPU), fgssjoin, sf-gssjoin, bitmap and gssjoin.

Joins on one thread ran four at a time, on cores of their own, during joins on the GPU. Joins that need all threads ran
alone.
"""

FIGURE_22 = "Both halves of Figure 22: how often each is the fastest, by threshold, then by the number of pairs."
FIGURE_22_PAPER = "The same among the paper's techniques alone:"

AUTO, CPU_ALL, CPU_ONE, CPU_PAPER = "auto", "CPU x%d", "CPU x1", "paper's CPU"
GPU = ("tensor", "prefix", "hybrid", "bitmap", "fgssjoin", "sf-gssjoin", "gssjoin")
PAPER = (CPU_PAPER, "hybrid", "bitmap", "fgssjoin", "sf-gssjoin", "gssjoin")

BAND_ORDER = [name for _, name in BANDS]

# Figure 22, by threshold and by size of the result. Two: it depends on the number of different tokens.
PAPER_WINS = {
    "very high (0.9)": {
        "small - small": ("fgssjoin", CPU_PAPER),
        "small - large": (CPU_PAPER,),
        "medium - large": ("fgssjoin", CPU_PAPER),
        "large - small": (CPU_PAPER,),
        "large - large": (CPU_PAPER, "hybrid"),
    },
    "high (0.8)": {
        "small - small": ("fgssjoin",),
        "small - large": ("fgssjoin",),
        "medium - large": ("fgssjoin", "hybrid"),
        "large - small": ("hybrid",),
        "large - large": ("hybrid",),
    },
    "medium (0.5 to 0.7)": {
        "small - small": ("fgssjoin",),
        "small - large": ("fgssjoin",),
        "medium - large": ("fgssjoin", "bitmap"),
        "large - small": ("hybrid",),
        "large - large": ("fgssjoin", "hybrid"),
    },
    "low (below 0.5)": dict.fromkeys(("small - small", "small - large", "medium - large"), ("sf-gssjoin",)),
    "below 10^4": {
        "small - large": ("fgssjoin", CPU_PAPER),
        "medium - large": ("fgssjoin", CPU_PAPER),
        "large - small": (CPU_PAPER,),
        "large - large": (CPU_PAPER, "hybrid"),
    },
    "10^4 to 10^6": {
        "small - large": ("fgssjoin",),
        "medium - large": ("fgssjoin", "hybrid"),
        "large - small": ("hybrid",),
        "large - large": ("hybrid",),
    },
    "10^7 to 10^8": {
        "small - small": ("fgssjoin", CPU_PAPER),
        "small - large": ("fgssjoin",),
        "medium - large": ("fgssjoin", "bitmap"),
        "large - small": ("hybrid",),
        "large - large": ("hybrid",),
    },
    "10^9 and more": {
        "small - small": ("sf-gssjoin",),
        "small - large": ("sf-gssjoin",),
        "medium - large": ("sf-gssjoin",),
        "large - large": ("fgssjoin", "hybrid"),
    },
}


class Machine:
    """All results of a machine that has a GPU."""

    def __init__(self, views):
        self.machine = views[0].machine
        self.threads = max(view.threads for view in views)
        by_threads = {view.threads: view for view in views}
        self.all = by_threads[self.threads]
        self.one = by_threads.get(1)
        self.runs = {where: commands for view in views for where, commands in view.runs.items()}


class Cell:
    """What all techniques did on one collection at one threshold, by the names that the tables have."""

    def __init__(self, machine, collection, threshold):
        self.collection, self.threshold = collection, threshold
        of = {AUTO: machine.all.get(collection, threshold, "auto@auto")}
        of.update({k: machine.all.get(collection, threshold, k + "@cuda") for k in GPU})
        if machine.threads > 1:
            of[CPU_ALL % machine.threads] = machine.all.get(collection, threshold, "auto")
        if machine.one:
            of[CPU_ONE] = machine.one.get(collection, threshold, "auto")
            of[CPU_PAPER] = self.paper_cpu(machine.one)
        self.of = {k: r for k, r in of.items() if r}
        self.done = {k: r for k, r in self.of.items() if not r.cut}
        self.winner = self.fastest(k for k in self.of if k != AUTO)
        self.paper_winner = self.fastest(PAPER)
        self.best = self.done[self.winner].seconds if self.winner else None
        auto = self.of.get(AUTO)
        self.auto = self.done.get(AUTO)
        self.auto_ratio = auto.seconds / self.best if auto and self.best else None

    def paper_cpu(self, one):
        """The fastest CPU technique of the paper, if all of them were measured; else what is known."""
        of = [one.get(self.collection, self.threshold, k) for k in PREFIX]
        fastest = one.get(self.collection, self.threshold, FASTEST_PREFIX)
        if fastest and not all(of):
            return fastest
        return min(of, key=lambda r: (r.cut, r.seconds)) if all(of) else None

    def fastest(self, names):
        return min((k for k in names if k in self.done), key=lambda k: self.done[k].seconds, default=None)

    def text(self, name):
        result = self.of.get(name)
        if not result:
            return "-"
        words = f"> {result.seconds:g}" if result.cut else seconds(result.seconds)
        return f"**{words}**" if name == self.winner else words

    def auto_text(self, digits=2):
        return "-" if not self.auto_ratio else ("" if self.auto else "> ") + ratio(self.auto_ratio, digits)

    def against_auto(self, names):
        """How many times as long as auto the fastest of these takes."""
        fastest = self.fastest(names)
        if not self.auto:
            return "-"
        if fastest:
            return ratio(self.done[fastest].seconds / self.auto.seconds)
        cut = [self.of[k].seconds for k in names if k in self.of]
        return "> " + ratio(min(cut) / self.auto.seconds) if cut else "-"


def cells_of(portion, machine):
    """The portion's cells with a measurement."""
    cells = [Cell(machine, c, t) for c in portion.collections for t in portion.thresholds]
    return [cell for cell in cells if cell.done]


def sections(machine):
    """(portion, its cells) of those with a measurement; each cell in one, and none about output."""
    found, seen = [], set()
    for portion in PORTIONS:
        cells = [] if portion.of_output else cells_of(portion, machine)
        cells = [c for c in cells if (c.collection, c.threshold) not in seen]
        seen.update((c.collection, c.threshold) for c in cells)
        if cells:
            found.append((portion, cells))
    return found


def table(cells):
    there = {n for cell in cells for n in cell.of} - {AUTO}
    names = [n for n in GPU if n in there] + sorted(there.difference(GPU))
    text = head("collection", "threshold", *names, AUTO, "auto chose", "best / auto", "paper / auto", "pairs")
    for cell in cells:
        pairs = next(iter(cell.done.values())).pairs
        text += row(
            cell.collection,
            cell.threshold,
            *map(cell.text, names),
            cell.text(AUTO),
            cell.auto.chosen if cell.auto else "-",
            cell.against_auto(names),
            cell.against_auto(PAPER),
            f"{pairs:,}",
        )
    return text


def clearing(cells):
    """Table 5: what clearing the counters of pairs of blocks costs fgssjoin."""
    found = [(cell, cell.done["fgssjoin"]) for cell in cells if "fgssjoin" in cell.done]
    found = [(cell, r) for cell, r in found if r.cleared and r.block_pairs >= 100]
    if not found:
        return ""
    text = "\n### Clearing a quadratic space\n\n" + fill(
        "Table 5 and Figure 13. fgssjoin clears counters for each pair of blocks of 15,000 sets. The table has joins "
        "of 100 "
        "such pairs or more. The paper's figures for AOL are 42,628 pairs of blocks, 38 TB and 80 s at 0.9, and "
        "138,841, 125 TB "
        "and 261 s at 0.5."
    )
    text += head("collection", "threshold", "pairs of blocks", "TB cleared", "seconds for it", "of the join", "TB/s")
    for cell, r in found:
        text += row(
            cell.collection,
            cell.threshold,
            f"{r.block_pairs:,}",
            f"{r.cleared / 1e12:.3g}",
            seconds(r.clearing),
            f"{100 * r.clearing / r.seconds:.0f} %" if r.seconds else "-",
            f"{r.cleared / r.clearing / 1e12:.2g}" if r.clearing else "-",
        )
    return text


def whole(result):
    """The time of a join with all that becomes of its pairs."""
    if not result:
        return "-"
    return f"> {result.seconds:g}" if result.cut else seconds(result.seconds + result.deliver)


def output(portion, view):
    """Figure 23: seconds to count, and to hand over all pairs."""
    text = ""
    techniques = [k for k in portion.techniques if "+" not in k]
    cells = [(c, t, k) for c in portion.collections for t in portion.thresholds for k in techniques]
    for collection, threshold, technique in cells:
        count, *kept = (view.cells.get((collection, threshold, technique + o)) for o in ("", "+unsorted", "+sorted"))
        if not any(kept):
            continue
        done = [r for r in (count, *kept) if r and not r.cut]
        times = map(whole, (count, *kept))
        pairs = f"{done[0].pairs:,}" if done else "-"
        gigabytes = f"{done[0].pairs * 12 / 1e9:.2g}" if done else "-"
        text += row(collection, threshold, values_of(technique)[0], *times, pairs, gigabytes)
    if not text:
        return ""
    columns = ("collection", "threshold", "technique", "counted", "as found", "sorted", "pairs", "GB of pairs")
    return f"\n### Counting against full output\n\n{fill(portion.figure + '. ' + portion.text)}" + head(*columns) + text


def halves(cells, winner):
    """Figure 22: by threshold, and by size of the result."""
    return who_wins(cells, by_threshold, winner) + "\n" + who_wins(cells, by_result, winner)


def differences(cells):
    """Where others win, of the paper's techniques alone, than the paper says."""
    lines = {}
    agree = there = 0
    for cell in cells:
        k = kind(cell)
        said = PAPER_WINS[by_threshold(cell)].get(k)
        if not said or not cell.paper_winner or len([n for n in PAPER if n in cell.of]) < 3:
            continue
        there += 1
        agree += cell.paper_winner in said
        if cell.paper_winner not in said:
            lines.setdefault((by_threshold(cell), k, said, cell.paper_winner), []).append(cell)
    if not there:
        return ""
    text = fill(
        f"Figure 22 of the paper covers, by threshold, {there} cells in which three or more of its techniques were "
        "measured "
        f"here. In {agree} of them a technique that the figure names is the fastest of the paper's. The others:"
    )
    for band, k, said, winner in sorted(lines, key=lambda line: (BAND_ORDER.index(line[0]), *line[1:])):
        of = lines[band, k, said, winner]
        names = ", ".join(f"{cell.collection} {cell.threshold}" for cell in of)
        line = f"- {band}, {k}: the paper says {' or '.join(said)}; {winner} wins {len(of)}: {names}"
        text += fill(line, "  ").rstrip("\n") + "\n"
    return text


def against_paper(cells):
    """How the paper's techniques compare with auto, in numbers."""
    found = [
        (cell.done[cell.paper_winner].seconds / cell.auto.seconds, cell)
        for cell in cells
        if cell.auto and cell.paper_winner
    ]
    late = [c for c in cells if c.auto_ratio and c.auto_ratio > 1.1]
    text = ""
    if found:
        ratios = [r for r, _ in found]
        worst = min(found, key=lambda f: f[0])
        text += fill(
            f"In {len(found)} cells the fastest of the paper's techniques takes {ratio(median(ratios))} times as long "
            "as "
            f"`auto` (median). The smallest ratio is {ratio(min(ratios))} ({worst[1].collection} at "
            f"{worst[1].threshold}), the largest {ratio(max(ratios))}."
        )
    known = [c for c in cells if c.auto_ratio]
    if known:
        slower = ", ".join(f"{c.collection} {c.threshold} ({c.auto_text()})" for c in late)
        text += fill(
            f"`auto` is faster than all others, or at most 10 % slower than the fastest, in {len(known) - len(late)} "
            "of "
            f"{len(known)} cells{f'. The exceptions: {slower}' if slower else ''}."
        )
    return text


def markdown(machine, picture, patience, remarks):
    text = OPENING
    for where, commands in machine.runs.items():
        text += f"- {where}:\n" + "".join(f"  - {command}\n" for command in dict.fromkeys(commands))
    text += READING % {"threads": machine.threads, "patience": patience}
    text += f"\n![Fastest technique by collection and threshold, with a GPU]({picture})\n"
    parts = sections(machine)
    cells = [cell for _, own in parts for cell in own]
    for portion, own in parts:
        text += f"\n### {portion.title}, with a GPU\n\n{fill(portion.figure + '. ' + portion.text)}" + table(own)
    text += clearing(cells)
    for portion in PORTIONS:
        if portion.of_output:
            text += output(portion, machine.all)
    won = [cell for cell in cells if cell.winner]
    if won:
        text += "\n### What wins where, with a GPU\n\n" + fill(FIGURE_22)
        text += halves(won, lambda cell: cell.winner)
    won = [cell for cell in cells if cell.paper_winner]
    if won:
        text += "\n" + fill(FIGURE_22_PAPER) + halves(won, lambda cell: cell.paper_winner)
    text += "\n### Where this differs from the paper\n\n" + against_paper(cells)
    differing = differences(cells)
    text += "\n" * bool(differing) + differing
    for remark in remarks:
        text += "\n" + fill(remark).rstrip("\n") + "\n"
    return text
