#!/usr/bin/env python3
"""One join over the GPUs of a host: a process for each GPU runs its tiles. It is timed beside one process with one GPU.

usage: two_gpus.py [ROWS] [--gpus 2] [--tiles 16] [--threads N] [--device cuda|cpu] [--repeats 3]

It needs akin with numpy; pyarrow is not needed. ROWS (2e6 if not given) texts of 4 to 40 words are made up, one in 20
is another row with one word changed, and Jaccard 0.8 joins them. akin.parts makes tiles, which are dealt out by their
predicted cost, the most expensive ones first. Each process sees one GPU (CUDA_VISIBLE_DEVICES) and has its share of the
threads. Seconds are those of the tiles: rows of a tile are gathered, and joined with all work on texts. They start when
all processes hold the rows and have made a first join, and end when the last one is done. The runs must find the same
pairs, with the same overlaps.

    python3 bench/two_gpus.py 2e6               # a host with two GPUs
    python3 bench/two_gpus.py 1e5 --device cpu  # two processes without GPUs, to see that it works
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import akin
import cluster_rows as made
import numpy as np
from akin import parts

JACCARD, WORDS, CHUNK = "0.8", 30_000, 500_000
ROW_COST = {"cuda": 1e6, "cpu": 1e4}  # what a row costs, in pairs of rows


def rows_of(count):
    """The texts and their sizes."""
    rows = made.Rows(1 / (np.arange(WORDS) + 10))
    texts, sizes = [], []
    for at in range(0, count, CHUNK):
        draw = np.random.default_rng(at)
        sizes.append(np.sort(draw.integers(4, 40, min(CHUNK, count - at), endpoint=True)))
        texts.append(rows.draw(sizes[-1], [1, at], 0.05))
    return made.joined(texts), np.concatenate(sizes)


def taken(texts, rows):
    return [texts[row] for row in rows] if isinstance(texts, list) else texts.take(rows)


def tiling_of(sizes, tiles):
    rows = np.bincount(sizes)
    histogram = {int(size): (int(rows[size]), int(rows[size] * (8 * size + made.ROW))) for size in np.nonzero(rows)[0]}
    return parts.tile(parts.rule_of(jaccard=JACCARD), histogram, tiles=tiles)


def cost_of(tiling, number, device):
    it = tiling.tiles[number]
    left, right = tiling.blocks[it.left].rows, tiling.blocks[it.right].rows
    return tiling.sent(number)[0] * ROW_COST[device] + (left * right if it.left != it.right else left * left / 2)


def dealt(tiling, hands, device):
    """The tiles of each process: the most expensive one left goes to the process that has least."""
    costs = [cost_of(tiling, number, device) for number in range(len(tiling.tiles))]
    held, loads = [[] for _ in range(hands)], [0.0] * hands
    for number in sorted(range(len(costs)), key=lambda number: -costs[number]):
        least = loads.index(min(loads))
        held[least].append(number)
        loads[least] += costs[number]
    return held


class Work:
    """What a process does: the tiles of its hand, or with no tiles, one join of all rows."""

    def __init__(self, options):
        self._how = {"jaccard": JACCARD, "threads": options.threads, "device": options.device}
        self._texts, sizes = rows_of(int(options.rows))
        akin.join(taken(self._texts, np.arange(min(2000, len(sizes)))), **self._how)  # what a process does once
        self._tiles = []
        if options.tiles:
            tiling = tiling_of(sizes, options.tiles)
            rows, numbers, sides = (np.frombuffer(each, each.typecode) for each in tiling.route(sizes.tolist(), int))
            for number in dealt(tiling, options.hands, options.device)[options.hand]:
                here = np.nonzero(numbers == number)[0]
                it = tiling.tiles[number]
                parted = [here] if it.left == it.right else [here[sides[here] == side] for side in (0, 1)]
                if all(len(each) for each in parted):
                    self._tiles.append([rows[each].astype(np.int64) for each in parted])

    def run(self):
        """The pairs, sorted: rows and overlap."""
        if not self._tiles:
            return self._join([self._texts], lambda left: left, lambda right: right)
        found = [
            self._join([taken(self._texts, rows) for rows in tile], tile[0].__getitem__, tile[-1].__getitem__)
            for tile in self._tiles
        ]
        return np.concatenate(found)

    def _join(self, columns, left_of, right_of):
        pairs = akin.join(*columns, **self._how)
        if pairs.stats["device_failure"]:
            raise SystemExit(f"the GPU failed: {pairs.stats['device_failure']}")
        columns = (np.asarray(pairs.buffer(name)).astype(np.int64) for name in ("left", "right", "overlap"))
        left, right, overlap = columns
        left, right = left_of(left), right_of(right)
        return np.stack([np.minimum(left, right), np.maximum(left, right), overlap], axis=1)


def worker(options):
    """Runs the work of a process once for each line that it reads."""
    work = Work(options)
    print("ready", flush=True)
    for _ in sys.stdin:
        found = work.run()
        print(len(found), flush=True)
    np.save(options.worker, found)


def timed(options, hands, tiles, folder):
    """The least seconds of a few runs by so many processes, and their pairs."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    gpus = visible.split(",") if visible else [str(at) for at in range(options.gpus)]
    workers, files = [], []
    for hand in range(hands):
        files.append(os.path.join(folder, f"{hands}-{tiles}-{hand}.npy"))
        command = [
            sys.executable, __file__, str(options.rows), "--device", options.device, "--tiles", str(tiles),
            "--threads", str(max(1, options.threads // hands)), "--worker", files[-1], "--hand", str(hand),
            "--hands", str(hands),
        ]  # fmt: skip
        environment = dict(os.environ, CUDA_VISIBLE_DEVICES=gpus[hand]) if options.device == "cuda" else None
        workers.append(
            subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )

    def heard(each):
        line = each.stdout.readline()
        if not line:
            raise SystemExit(f"a process of {hands} ended with status {each.wait()}")
        return line

    for each in workers:
        heard(each)
    seconds, ends = [], []
    for _ in range(options.repeats):
        begun = time.perf_counter()
        for each in workers:
            each.stdin.write("go\n")
            each.stdin.flush()
        ends = []
        for each in workers:
            heard(each)
            ends.append(time.perf_counter() - begun)
        seconds.append(max(ends))
    for each in workers:
        each.stdin.close()
        if each.wait():
            raise SystemExit(f"a process of {hands} ended with status {each.returncode}")
    found = np.concatenate([np.load(file) for file in files])
    return min(seconds), found[np.lexsort((found[:, 1], found[:, 0]))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rows", type=float, nargs="?", default=2e6)
    parser.add_argument("--gpus", type=int, default=2)
    parser.add_argument("--tiles", type=int, default=16)
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of all processes together (%(default)s)")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--repeats", type=int, default=3)
    for name, kind in (("worker", str), ("hand", int), ("hands", int)):  # of a process that this one starts
        parser.add_argument(f"--{name}", type=kind, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options)
        return
    rows, repeats = int(options.rows), options.repeats
    print(f"{rows:,} rows, {options.device}, {options.threads} threads; the least of {repeats} runs")
    with tempfile.TemporaryDirectory() as folder:
        base, expected = timed(options, 1, 0, folder)
        print(f"{'1 process, one join:':29} {base:8.3f} s, {len(expected):,} pairs", flush=True)
        for hands in range(1, options.gpus + 1):
            seconds, found = timed(options, hands, options.tiles, folder)
            assert np.array_equal(found, expected), "the pairs differ"
            said = f"{hands} process{'es' * (hands > 1)}, {options.tiles} tiles:"
            ratio = base / seconds
            print(f"{said:29} {seconds:8.3f} s, the same pairs; {ratio:.2f} times as fast as one join", flush=True)


if __name__ == "__main__":
    main()
