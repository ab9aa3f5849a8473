"""Measures cells: each one is a process of join_bench, and never are there two at once."""

import datetime
import os
import re
import subprocess
import time

from experiments import COLLECTIONS
from results import Result

REPEATS = ((0.3, 5), (1, 3))  # below so many seconds that many runs, whose median counts; else a single one

LINE = re.compile(
    r" plan +(?P<plan>[\d.]+) .* prepare +(?P<prepare>[\d.]+) +(?P<chosen>\S+) .* pairs (?P<pairs>\d+)  pieces \d+"
    r"  median (?P<seconds>[\d.]+) s  peak (?P<peak_mb>[\d.]+) MB  sets (?P<sets>\d+)  tokens (?P<tokens>\d+)"
    r"  universe (?P<universe>\d+)$"
)


class Failed(Exception):
    """A program that could not do what it was asked for."""


def say(text):
    print(text, flush=True)


def first_match(pattern, path, default):
    try:
        with open(path, encoding="utf-8") as file:
            found = re.search(pattern, file.read(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1) if found else default


def machine():
    """The machine in words, as far as the system tells."""
    model = first_match(r"^model name\s*: (.*)$", "/proc/cpuinfo", "unknown processor")
    model = re.sub(r"\(R\)|\(TM\)", "", model)
    simd = (
        "AVX-512 with VPOPCNTDQ"
        if first_match(r"(avx512_vpopcntdq)", "/proc/cpuinfo", "")
        else "AVX2" if first_match(r"\b(avx2)\b", "/proc/cpuinfo", "") else "neither AVX-512 with VPOPCNTDQ nor AVX2"
    )
    memory = int(first_match(r"^MemTotal: +(\d+)", "/proc/meminfo", "0")) / 1048576
    system = first_match(r'^PRETTY_NAME="(.*)"$', "/etc/os-release", "unknown system")
    if "AKIN_CPU" in os.environ:
        simd = f"AKIN_CPU={os.environ['AKIN_CPU']}"
    return f"{os.cpu_count()} CPUs, {model}, {simd}, {memory:.0f} GiB of memory, {system}"


def git(*arguments):
    home = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    return subprocess.run(["git", "-C", home, *arguments], capture_output=True, text=True, check=False).stdout.strip()


def commit():
    """The commit, and whether what is measured, or measures, differs from it; documents do not matter."""
    name = git("rev-parse", "--short", "HEAD") or "unknown"
    return name + (", altered" if git("status", "--porcelain", "--", "src", "include", "cmake", "bench") else "")


class Bench:
    """Where programs and data are, and what is known of how long they take beside the join."""

    def __init__(self, build, data, made, cut, threads):
        self.build, self.data, self.made, self.cut, self.threads = build, data, made, cut, threads
        self.beside = {}  # collection: seconds that a process takes for reading, ranking and sorting

    def path(self, name):
        """The file of a collection, made if it is not there."""
        made = COLLECTIONS[name].made
        if not made:
            return os.path.join(self.data, name + ".txt.zst")
        path = os.path.join(self.made, name.replace(" ", "-") + ".akin")
        if not os.path.exists(path):
            say(f"making {name}")
            os.makedirs(self.made, exist_ok=True)
            arguments = [self.path(a[1:]) if a.startswith("@") else a for a in made]
            done = subprocess.run(
                [os.path.join(self.build, "akin"), "generate", "sets", "--quiet", *arguments, "-o", path], check=False
            )
            if done.returncode:
                raise Failed(f"could not make {name}")
        return path

    def available(self, name):
        """Whether there is, or can be made, such a collection."""
        made = COLLECTIONS[name].made
        bases = [a[1:] for a in made if a.startswith("@")]
        return all(map(self.available, bases)) if made else os.path.exists(self.path(name))

    def run(self, path, cell, repeats, limit):
        """The fields of join_bench's line, or None if it took longer than `limit` seconds."""
        _, threshold, technique = cell
        technique, _, device = technique.partition("@")
        try:
            done = subprocess.run(
                [
                    os.path.join(self.build, "bench", "join_bench"),
                    path,
                    threshold,
                    technique,
                    str(self.threads),
                    str(repeats),
                ],
                env={**os.environ, "JOIN_BENCH_DEVICE": device or "cpu"},
                capture_output=True,
                text=True,
                check=False,
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            return None
        found = LINE.search(done.stdout.rstrip("\n"))
        if done.returncode or not found:
            raise Failed(f"join_bench ended with {done.returncode}: {done.stderr.strip()}")
        return found.groupdict()

    def measure(self, cell):
        """Measures a cell. The first run decides how often it is repeated. The limit leaves room for what a process
        does beside the join, generously as long as no process of this collection has ended."""
        name, threshold, technique = cell
        path = self.path(name)
        begun = time.monotonic()
        values = self.run(path, cell, 1, self.cut + 1.5 * self.beside.get(name, 60) + 0.5)
        cut = Result(name, threshold, technique, self.threads, self.cut, cut=1)
        if not values:
            return cut
        seconds = float(values["seconds"])
        self.beside[name] = max(self.beside.get(name, 0), time.monotonic() - begun - seconds)
        if seconds > self.cut:
            return cut
        repeats = next((n for bound, n in REPEATS if seconds < bound), 1)
        if repeats > 1:
            values = self.run(path, cell, repeats, None)
        return Result(
            name,
            threshold,
            technique,
            self.threads,
            float(values["seconds"]),
            int(values["pairs"]),
            0,
            repeats,
            float(values["plan"]),
            float(values["prepare"]),
            float(values["peak_mb"]),
            values["chosen"].replace(":0/0", ""),
            int(values["sets"]),
            int(values["tokens"]),
            int(values["universe"]),
        )


def describe(selection, threads):
    """A line about this run for the results: when, where, of which commit, asked for with what."""
    now = datetime.datetime.now(datetime.timezone.utc)
    command = " ".join(["python3 bench/paper run", *selection])
    return (
        f"{now:%Y-%m-%d}, commit {commit()}, {threads} thread{'s' if threads > 1 else ''}; {machine()}\t"
        f"`{command}`, at a load of {os.getloadavg()[0]:.1f}"
    )


def measure_all(bench, results, cells, deadline):
    """Measures the cells of which nothing is known, until the deadline; returns how many failed, and are left."""
    failed = 0
    for number, cell in enumerate(cells):
        known = results.get(*cell)
        if known and (not known.cut or known.seconds >= bench.cut):
            continue
        if deadline and time.monotonic() > deadline:
            left = sum(results.get(*c) is None for c in cells[number:])
            say(f"the time is up; at most {left} cells are left, and the same command goes on with them")
            return failed, left
        try:
            result = bench.measure(cell)
        except Failed as failure:
            failed += 1
            say(f"FAILED: {' '.join(cell)}: {failure}")
            continue
        results.add(result)
        say(
            f"{number + 1}/{len(cells)}  {cell[0]:24} {cell[1]:4} {cell[2]:12} "
            + (f"> {bench.cut:g} s" if result.cut else f"{result.seconds:.4f} s  {result.pairs} pairs")
        )
    return failed, 0
