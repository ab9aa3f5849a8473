#!/usr/bin/env python3
"""Plans joins of up to 10 billion sets on up to 1,024 workers, runs a sample of their tiles here, and adds up the time.

usage: cluster_plan.py FILE [--sets 1e8,1e9,1e10] [--workers 16,128,1024] [--sample 50] [--device cuda] [...]
       cluster_plan.py FILE --check 1e6 [--check-tiles 200]

FILE has texts, a line each (.zst too), or, if its name ends in .tsv, lines of a size, its rows and their bytes. It
gives the histogram of sizes, which is scaled up, and the frequencies of words (of a .tsv file: Zipf's law). Rows are
drawn anew from both, deterministically; a row has no topic, and one in 20 is the row before with another word. A tile
is run by akin.join. If it has more than --rows-most rows, the same share of both blocks is run. Then the seconds of the
join itself are multiplied by the pairs of rows, and all other seconds by the rows. That is the larger estimate. A
quarter of the rows runs, too. The smaller estimate supposes that the join goes on to grow as it did from the quarter.
Filters work better on more rows, so a larger --rows-most brings the estimates together.

Each figure is marked: "planned" by akin.parts, "sampled" here, "assumed" by an option, or "measured" by --check. With
--device cuda a task has one GPU and --threads threads.

--check N draws N rows, runs all tiles of a plan one after another, and compares the seconds with those that a sample
predicts. It also checks that the tiles find as many pairs as one join of all rows. Where other work runs on the
machine, seconds of the processor say more. The sample must run its tiles as wholes: see --rows-most.

A quiet machine and the titles of 2 million documents:

    python3 bench/cluster_plan.py ../shared/data/text/titles.txt.zst
    python3 bench/cluster_plan.py ../shared/data/text/titles.txt.zst --check 1e6
    python3 bench/cluster_plan.py ../shared/data/text/titles.txt.zst --device cuda --threads 16 --sets 1e9,1e10
"""

import argparse
import math
import multiprocessing
import random
import resource
import time

import akin
import cluster_rows as made
import numpy as np
from akin import parts

TWINS = 0.05
CHUNK = 1_000_000  # rows that are drawn at a time


def options_of(args=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--sets", default="1e8,1e9,1e10", help="numbers of sets (%(default)s)")
    parser.add_argument("--workers", default="16,128,1024", help="numbers of workers (%(default)s)")
    parser.add_argument("--tokens", default="words", help="words or words:N (%(default)s)")
    parser.add_argument("--jaccard", default="0.8")
    parser.add_argument("--least", type=int, default=5, help="leave out smaller sets (%(default)s)")
    parser.add_argument("--sample", type=int, default=50, help="tiles to run of each plan (%(default)s)")
    parser.add_argument("--rows-most", type=float, default=1e6, help="rows of a tile that are run (%(default).0f)")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1, help="of a tile that is run (%(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="that draw rows, before a tile runs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", type=float, help="run all tiles of so many rows")
    parser.add_argument("--check-tiles", type=int, default=200, help="the most tiles of --check (%(default)s)")
    assumed = parser.add_argument_group("what is assumed")
    assumed.add_argument("--cores", type=int, default=16, help="of a worker (%(default)s)")
    assumed.add_argument("--task-cores", type=int, default=16, help="that a task has, each as fast (%(default)s)")
    assumed.add_argument("--memory", type=float, default=64, help="GB of a worker (%(default)s)")
    assumed.add_argument("--growth", type=float, default=8, help="bytes of memory for one of a tile (%(default)s)")
    assumed.add_argument("--network", type=float, default=1.25, help="GB/s of a worker (%(default)s: 10 Gbit/s)")
    assumed.add_argument("--arrow", type=float, default=100, help="MB/s of a core to Python and back (%(default)s)")
    assumed.add_argument("--retries", type=float, default=0.05, help="share of work that is done again (%(default)s)")
    return parser.parse_args(args)


def say(mark, what, value):
    print(f"  {mark:8} {what:44} {value}", flush=True)


def duration(seconds):
    if isinstance(seconds, np.ndarray):
        return " to ".join(dict.fromkeys(map(duration, seconds.tolist())))
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} s"


class Source:
    """The histogram of a file, and rows like its own."""

    def __init__(self, options):
        self.options = options
        if options.file.endswith(".tsv"):
            self._histogram, frequencies = made.read_histogram(options.file), made.zipf()
        else:
            lines = made.lines_of(options.file)
            self._histogram = made.histogram_of(lines, options.tokens)
            frequencies = made.frequencies_of(lines)
        _, _, shingle = options.tokens.partition(":")
        self.rows = made.Rows(frequencies, int(shingle or 1))
        self._histogram = {size: value for size, value in self._histogram.items() if size >= options.least}
        self.rule = parts.rule_of(jaccard=options.jaccard)
        rows, bytes = (sum(value[at] for value in self._histogram.values()) for at in (0, 1))
        print(
            f"{options.file}: {rows:,} sets of at least {options.least} tokens, {bytes / rows:.1f} bytes a set, "
            f"{len(frequencies):,} words; jaccard {options.jaccard}, tokens {options.tokens}"
        )

    def histogram(self, sets):
        return made.scaled(self._histogram, sets)

    def join(self, left, right=None):
        """The pairs, the seconds, and the processor's seconds."""
        begun, busy = time.perf_counter(), time.process_time()
        options = self.options
        pairs = akin.join(
            left, right, tokens=options.tokens, jaccard=options.jaccard, threads=options.threads, device=options.device
        )
        return pairs, time.perf_counter() - begun, time.process_time() - busy


class Sample:
    """One tile, and how to draw the rows of it that run: all, or a share of them, and a quarter of that share."""

    def __init__(self, source, histogram, tiling, number):
        tile = tiling.tiles[number]
        self.rows, self.bytes = tiling.sent(number)
        self.share = min(1.0, source.options.rows_most / self.rows)
        self._source, self._histogram = source.rows, histogram
        self._blocks = [tiling.blocks[tile.left]] + [tiling.blocks[tile.right]] * (tile.left != tile.right)
        self._seed = [source.options.seed, self._blocks[0].least, tile.left, tile.right]

    def draw(self):
        """The blocks of the tile, and those of a quarter."""
        shares = [self.share] if self.share == 1 else [self.share, self.share / 4]
        return [self._draw(share) for share in shares]

    def _draw(self, share):
        """Where a size has parts, the twin of a row may be in any of them; and where a share runs, that share of the
        twins is there."""
        blocks, seed, draw = self._blocks, self._seed, self._source.draw
        if len(blocks) == 2 and blocks[0].sizes == blocks[1].sizes:  # every second row is one of the other part
            sizes = np.repeat(self._sizes(blocks[0], share), 2)
            both = draw(sizes, seed, TWINS * share / blocks[0].parts)
            return [both[at::2] if isinstance(both, list) else both.take(np.arange(at, len(both), 2)) for at in (0, 1)]
        return [
            draw(self._sizes(block, share), [*seed, at], TWINS * share / block.parts) for at, block in enumerate(blocks)
        ]

    def _sizes(self, block, share):
        counts = [(size, max(1, round(self._histogram[size][0] / block.parts * share))) for size in block.sizes]
        return np.repeat(*(np.array(each) for each in zip(*counts, strict=True)))


class Run:
    """One tile: its seconds as a whole, those that were measured, the share of its rows that ran, and so on."""

    def __init__(self, source, tile, drawn):
        self.share = tile.share

        def run(blocks):
            pairs, seconds, busy = source.join(*blocks)
            return pairs.stats, seconds, busy, tile.rows / sum(map(len, blocks))

        stats, self.measured, self.busy, growth = run(drawn[0])
        self.by_pairs = stats["seconds_join"] + stats["seconds_deliver"]
        self.growth = growth
        self.linear = (self.measured - self.by_pairs) * growth
        self.found = stats["pairs_found"] * growth**2
        self.heap = stats["memory_peak"] / (tile.bytes * self.share)
        self.steps = [step["technique"] for step in stats["steps"]]
        self.of_quarter = 0.0  # how long a quarter of these rows takes by pairs
        if self.share < 1:
            stats, *_ = run(drawn[1])
            self.of_quarter = stats["seconds_join"] + stats["seconds_deliver"]

    def seconds(self, power):
        """The seconds of the whole tile, if those of the join grow by this power of the rows."""
        return self.linear + self.by_pairs * self.growth**power


def draw_tiles(count, sample, seed):
    """One tile of each of as many equal ranges of numbers: neighbours have similar sizes, so this varies least."""
    draw, sample = random.Random(seed), min(count, sample)
    return [draw.randrange(count * at // sample, count * (at + 1) // sample) for at in range(sample)]


def run_sample(source, histogram, tiling):
    """Runs the tiles of a sample one after another. Processes draw the rows of as many tiles ahead, and no process
    draws while a tile runs."""
    options = source.options
    numbers = draw_tiles(len(tiling.tiles), options.sample, options.seed)
    tiles = [Sample(source, histogram, tiling, number) for number in numbers]
    if options.processes == 1:
        return [Run(source, tile, tile.draw()) for tile in tiles]
    runs = []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for at in range(0, len(tiles), options.processes):
            batch = tiles[at : at + options.processes]
            runs += map(Run, [source] * len(batch), batch, pool.map(Sample.draw, batch, 1))
    return runs


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def report_sample(runs):
    """Says what was sampled, and returns the mean seconds of a tile: the smaller and the larger estimate."""
    seconds = [run.seconds(2) for run in runs]
    error = (np.std(seconds, ddof=1) / math.sqrt(len(seconds)) if len(runs) > 1 else 0) / mean(seconds)
    shares = [run.share for run in runs]
    techniques = sorted({step for run in runs for step in run.steps})
    say("sampled", "tiles", f"{len(runs)}, in {duration(sum(run.measured for run in runs))} by {', '.join(techniques)}")
    say("sampled", "heap of akin for each byte of a tile", f"{mean(run.heap for run in runs):.2g}")
    parted = [run for run in runs if run.of_quarter]
    power = 2.0
    if parted:
        say("sampled", "share of the rows of a tile that ran", f"{min(shares):.2g} to {max(shares):.2g}")
        times = sum(run.by_pairs for run in parted) / sum(run.of_quarter for run in parted)
        power = min(2.0, max(1.0, math.log(times, 4)))
        say("sampled", "the join of 4 times the rows takes", f"{times:.1f} times as long (by pairs: 16)")
    small = mean(run.seconds(power) for run in runs)
    large = mean(seconds)
    said = f"{small:,.1f} to {large:,.1f}" if parted else f"{large:,.2f}"
    say("sampled", "seconds of a tile", f"{said} ({100 * error:.0f} % standard error)")
    return np.array([small, large])


def plan(source, sets, workers, known):
    options = source.options
    print(f"\n{sets:,} sets, {workers:,} workers of {options.cores} cores")
    histogram = source.histogram(sets)
    slots = workers * max(1, options.cores // options.task_cores)
    most = options.memory * 1e9 * options.task_cores / options.cores / options.growth
    begun = time.perf_counter()
    tiling = parts.tile(source.rule, histogram, tiles=min(2**20, 3 * slots), bytes=round(most))
    took = time.perf_counter() - begun
    rows, bytes = (sum(value[at] for value in histogram.values()) for at in (0, 1))
    tiles, sent = len(tiling.tiles), tiling.bytes_sent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say("assumed", "bytes of a tile at most", f"{most / 1e9:.1f} GB")
    say("planned", "tasks", f"{tiles:,} of {len(tiling.blocks):,} blocks, in {took:.1f} s, {peak:.0f} MB")
    say("planned", "rows sent", f"{tiling.rows_sent:.3g}, each {tiling.rows_sent / rows:.1f} times")
    say("planned", "bytes sent", f"{sent / 1e9:,.0f} GB of {bytes / 1e9:,.0f} GB, {sent / sets:.0f} a set")
    say("planned", "largest task", f"{tiling.largest / 1e6:,.0f} MB")
    key = (sets, tiles, len(tiling.blocks))
    if key in known:
        print("  the same tiles as before: the same sample")
    else:
        known[key] = run_sample(source, histogram, tiling)
    each = report_sample(known[key]) * options.threads
    found = mean(run.found for run in known[key]) * tiles
    say("sampled", "pairs", f"{found:.2g}")
    cores = options.task_cores if options.device == "cpu" else options.threads
    compute = each * tiles / slots / cores
    if cores > options.threads:
        say("assumed", "threads of a task", f"{cores}, each as fast as the {options.threads} that ran")
    unit = "core" if options.device == "cpu" else "GPU"
    hours = compute / 3600 * slots * (cores if unit == "core" else 1)
    said = " to ".join(dict.fromkeys(f"{value:,.0f}" for value in hours))
    say("sampled", f"compute, {slots:,} tasks at a time", f"{duration(compute)}; {said} {unit} hours")
    network = sent / (workers * options.network * 1e9)
    say("assumed", f"network, {options.network} GB/s a worker", duration(network))
    arrow = 2 * (bytes + sent) / (workers * options.cores * options.arrow * 1e6)
    say("assumed", f"to Python and back, {options.arrow:.0f} MB/s a core", duration(arrow))
    total = (compute + network + arrow) * (1 + options.retries)
    say("", f"in all, with {100 * options.retries:.0f} % retries (assumed)", duration(total))


def table_of(source, histogram):
    """Rows of all sizes, and their sizes."""
    counts = [(size, histogram[size][0]) for size in sorted(histogram)]
    sizes = np.repeat(*(np.array(each) for each in zip(*counts, strict=True)))
    drawn = [
        source.rows.draw(sizes[at : at + CHUNK], [source.options.seed, 0, at], TWINS)
        for at in range(0, len(sizes), CHUNK)
    ]
    return made.joined(drawn), sizes


def taken(column, rows):
    return [column[row] for row in rows] if isinstance(column, list) else column.take(np.frombuffer(rows, np.int32))


def check(source):
    options = source.options
    sets = round(options.check)
    histogram = source.histogram(sets)
    tiling = parts.tile(source.rule, histogram, tiles=options.check_tiles)
    tiles = len(tiling.tiles)
    print(f"\n{sets:,} sets here, {tiles} tiles of {len(tiling.blocks)} blocks, {options.threads} thread")
    runs = run_sample(source, histogram, tiling)
    predicted = report_sample(runs)[1] * tiles
    column, sizes = table_of(source, histogram)
    begun = time.perf_counter()
    rows, numbers, sides = (np.frombuffer(each, each.typecode) for each in tiling.route(sizes.tolist(), int))
    routed = time.perf_counter() - begun
    order = np.argsort(numbers, kind="stable")
    ends = np.searchsorted(numbers[order], np.arange(tiles + 1))
    total = processor = found = 0
    for number in range(tiles):
        here = order[ends[number] : ends[number + 1]]
        it = tiling.tiles[number]
        parted = [here] if it.left == it.right else [here[sides[here] == side] for side in (0, 1)]
        if not all(len(each) for each in parted):
            continue
        pairs, seconds, busy = source.join(*(taken(column, np.ascontiguousarray(rows[each])) for each in parted))
        total, processor = total + seconds, processor + busy
        found += pairs.stats["pairs_found"]
    whole, alone, _ = source.join(column)
    assert found == whole.stats["pairs_found"], (found, whole.stats["pairs_found"])
    say("measured", "rows sent", f"{len(rows):,} ({tiling.rows_sent:,.0f} planned), routed in {duration(routed)}")
    say("measured", "pairs, also of one join", f"{found:,} ({mean(run.found for run in runs) * tiles:,.0f} predicted)")
    say("measured", "one join of all rows", duration(alone))
    for what, expected, value in (
        ("seconds", predicted, total), ("seconds of the processor", mean(run.busy for run in runs) * tiles, processor)
    ):  # fmt: skip
        said = f"{value:.1f}, {expected:.1f} predicted: {100 * (expected / value - 1):+.0f} %"
        say("measured", f"{what} of all tiles", said)


def main():
    options = options_of()
    source = Source(options)
    source.join(source.rows.draw([5] * 1000, 0))  # what a process does once
    if options.check:
        check(source)
        return
    known = {}
    for sets in options.sets.split(","):
        for workers in options.workers.split(","):
            plan(source, round(float(sets)), int(workers), known)


if __name__ == "__main__":
    main()
