"""Measures cells: join_bench takes them one by one, and has the collection in memory meanwhile."""

import datetime
import os
import re
import selectors
import subprocess
import time

from experiments import COLLECTIONS
from results import Result

LINE = re.compile(
    r" plan +(?P<plan>[\d.]+) .* prepare +(?P<prepare>[\d.]+) +(?P<chosen>\S+) .* pairs (?P<pairs>\d+)  pieces \d+"
    r"  median (?P<seconds>[\d.]+) s  peak (?P<peak_mb>[\d.]+) MB  sets (?P<sets>\d+)  tokens (?P<tokens>\d+)"
    r"  universe (?P<universe>\d+)  runs (?P<runs>\d+)  blocks (?P<block_pairs>\d+)  cleared (?P<cleared>\d+)"
    r"  clearing (?P<clearing>[\d.]+)(  deliver (?P<deliver>[\d.]+)  sum (?P<checksum>[\da-f]+))?$"
)

GRACE = 60  # seconds beyond the limit, for what a process does beside joining, before it is taken for dead


class Failed(Exception):
    """A program that could not do its work."""


class Refused(Exception):
    """A technique or a device that this build, or this machine, does not have."""


def say(text):
    print(text, flush=True)


def first_match(pattern, path, default):
    try:
        with open(path, encoding="utf-8") as file:
            found = re.search(pattern, file.read(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1) if found else default


def gpus(build):
    """The GPUs in words, as `akin info` names them; what else it says of them is no machine's property."""
    done = subprocess.run([os.path.join(build, "akin"), "info"], capture_output=True, text=True, check=False)
    found = re.findall(r"^gpu: +cuda:\d+, (.*)$", done.stdout, re.MULTILINE)
    return f"; GPU: {' and '.join(found)}" if found else ""


def machine(build):
    """The machine in words, as far as the system has them."""
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
    return f"{os.cpu_count()} CPUs, {model}, {simd}, {memory:.0f} GiB of memory, {system}" + gpus(build)


def git(*arguments):
    home = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    try:
        done = subprocess.run(["git", "-C", home, *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def commit():
    """The commit, and whether what is measured, or measures, differs from it; documents do not matter."""
    name = git("rev-parse", "--short", "HEAD") or "unknown"
    return name + (", altered" if git("status", "--porcelain", "--", "src", "include", "cmake", "bench") else "")


def values_of(technique):
    """What a technique's name stands for: the name, the device, what becomes of the pairs."""
    technique, _, output = technique.partition("+")
    technique, _, device = technique.partition("@")
    return technique, device or "cpu", output or "count"


class Process:
    """A join_bench that has a collection in memory and measures the cells that it receives."""

    def __init__(self, program, path, limit, patience, cpus=None):
        self.limit, self.said, self.used = limit, b"", False
        self.process = subprocess.Popen(
            [program, path, "-", f"{limit:g}", f"{patience:g}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        if cpus and hasattr(os, "sched_setaffinity"):
            try:
                os.sched_setaffinity(self.process.pid, cpus)
            except OSError:
                pass  # then it shares them
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def ask(self, threshold, technique, threads):
        """The answer to a line, or "" if there is none, when the process has died or hangs."""
        name, device, output = values_of(technique)
        try:
            self.process.stdin.write(f"{threshold} {name} {device} {threads} {output}\n".encode())
        except OSError:
            return ""
        end = time.monotonic() + (self.limit + GRACE) * (1 if self.used else 3)
        while b"\n" not in self.said:
            if not self.selector.select(max(end - time.monotonic(), 0)):
                return "hangs"
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                return ""
            self.said += piece
        line, _, self.said = self.said.partition(b"\n")
        self.used = True
        return line.decode()

    def end(self):
        """Ends the process, which may be in the middle of something; returns how it ended."""
        self.selector.close()
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            return self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
        finally:
            self.process.stdout.close()


class Bench:
    """Where programs and data are, and what all cells have in common."""

    def __init__(self, build, data, made, cut, patience=0):
        self.build, self.data, self.made, self.cut, self.patience = build, data, made, cut, patience

    def program(self):
        """join_bench, which in a folder that is carried is beside akin."""
        beside = os.path.join(self.build, "join_bench")
        return beside if os.path.exists(beside) else os.path.join(self.build, "bench", "join_bench")

    def path(self, name):
        """The file of a collection, which need not be there."""
        if not COLLECTIONS[name].made:
            return os.path.join(self.data, name + ".txt.zst")
        return os.path.join(self.made, name.replace(" ", "-") + ".akin")

    def make(self, name, threads=0):
        """Makes the file of a collection, and those that it is made of, if they are not there."""
        path = self.path(name)
        if not COLLECTIONS[name].made or os.path.exists(path):
            return path
        say(f"making {name}")
        begun = time.monotonic()
        os.makedirs(self.made, exist_ok=True)
        arguments = [self.make(a[1:]) if a.startswith("@") else a for a in COLLECTIONS[name].made]
        arguments += ["--threads", str(threads)] if threads else []
        program = os.path.join(self.build, "akin")
        done = subprocess.run([program, "generate", "sets", "--quiet", *arguments, "-o", path], check=False)
        if done.returncode:
            raise Failed(f"could not make {name}")
        say(f"made {name} in {time.monotonic() - begun:.1f} s")
        return path

    def available(self, name):
        """Whether there is, or can be made, such a collection."""
        made = COLLECTIONS[name].made
        bases = [a[1:] for a in made if a.startswith("@")]
        return all(map(self.available, bases)) if made else os.path.exists(self.path(name))


class Lane:
    """Measures one cell after the other, in as few processes as it can: it keeps those of the last few collections."""

    def __init__(self, bench, cpus=None, most=1):
        self.bench, self.cpus, self.most = bench, cpus, most
        self.processes = {}  # collection: its process; the last one used is last
        self.name = None  # the last collection

    def close(self, name=None):
        """Ends the process of a collection, or all."""
        for each in [name] if name else list(self.processes):
            process = self.processes.pop(each, None)
            if process:
                process.end()

    def kill(self):
        """Ends what is at work at once; the lane then fails, and is to be closed."""
        for process in list(self.processes.values()):
            process.process.kill()

    def process_of(self, name):
        process = self.processes.pop(name, None)
        while not process and len(self.processes) >= self.most:
            self.close(next(iter(self.processes)))
        bench = self.bench
        self.name = name
        self.processes[name] = process or Process(
            bench.program(), bench.make(name), bench.cut, bench.patience, self.cpus
        )
        return self.processes[name]

    def measure(self, cell, threads):
        """The result of a cell, (collection, threshold, technique)."""
        name, threshold, technique = cell
        process = self.process_of(name)
        answer = process.ask(threshold, technique, threads)
        kind, _, reason = answer.partition(" ")
        if kind == "hangs":
            process.process.kill()
            self.close(name)
            raise Failed(f"join_bench did not end {GRACE} s after the limit")
        if kind == "stopped":
            return Result(name, threshold, technique, threads, self.bench.cut, cut=1)
        if kind == "refused":
            raise Refused(reason)
        found = LINE.search(answer)
        if not found:
            self.close(name)
            ended = "" if kind == "failed" else f"join_bench ended with {process.process.poll()} "
            raise Failed(ended + (reason if kind == "failed" else answer))
        values = {k: v for k, v in found.groupdict().items() if v is not None}
        values["chosen"] = values["chosen"].replace(":0/0", "")
        types = Result.__annotations__
        return Result(name, threshold, technique, threads, **{k: types[k](v) for k, v in values.items()})


def describe(selection, threads, where, name):
    """A line about this run for the results: time, machine, commit and arguments. It looks the commit up if the
    arguments do not name it."""
    now = datetime.datetime.now(datetime.timezone.utc)
    command = " ".join(["python3 bench/paper run", *selection])
    of = f"{threads} thread{'s' if threads > 1 else ''}"
    try:
        load = os.getloadavg()[0]
    except OSError:
        load = 0
    return f"{now:%Y-%m-%d}, commit {name or commit()}, {of}; {where}\t" f"`{command}`, at a load of {load:.1f}"


def is_known(known, cut):
    """Whether a cell need not be measured: it was, or would take too long."""
    return known and (not known.cut or known.seconds >= cut)


def told(result):
    """A result in words."""
    return f"> {result.seconds:g} s" if result.cut else f"{result.seconds:.4f} s  {result.pairs} pairs"


def measure_all(bench, results, threads, cells, deadline):
    """Measures the cells without a result, until the deadline. Returns how many failed, and how many are left."""
    failed, refused, lane = 0, {}, Lane(bench)
    view = results.view(results.machine, threads)
    for number, cell in enumerate(cells):
        if is_known(view.get(*cell), bench.cut) or cell[2] in refused:
            continue
        if deadline and time.monotonic() > deadline:
            left = sum(view.get(*c) is None for c in cells[number:])
            say(f"the time is up; at most {left} cells are left, and the same command goes on with them")
            lane.close()
            return failed, left
        try:
            result = lane.measure(cell, threads)
        except Refused as reason:
            refused[cell[2]] = reason
            say(f"{cell[2]}: left out: {reason}")
            continue
        except Failed as failure:
            failed += 1
            say(f"FAILED: {' '.join(cell)}: {failure}")
            continue
        results.add(result)
        say(f"{number + 1}/{len(cells)}  {cell[0]:24} {cell[1]:4} {cell[2]:12} " + told(result))
    lane.close()
    return failed, 0
