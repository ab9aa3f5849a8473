"""The raw results: tab-separated files to which every measured cell adds a line, and what follows from them."""

import fcntl
import os
import re
from dataclasses import MISSING, dataclass, fields

from experiments import COLLECTIONS, KNOWN


@dataclass
class Result:
    """One cell. Times are seconds; where `cut` is 1, the run was stopped at `seconds`, or before because it would take
    far longer, and the rest says nothing. The technique is NAME, NAME:BITS, NAME@DEVICE (the CPU where there is none)
    and, where pairs are handed over and not counted alone, NAME@DEVICE+sorted or +unsorted."""

    collection: str
    threshold: str
    technique: str
    threads: int
    seconds: float
    pairs: int = 0
    cut: int = 0
    runs: int = 1
    plan: float = 0.0
    prepare: float = 0.0
    peak_mb: float = 0.0
    chosen: str = "-"
    sets: int = 0
    tokens: int = 0
    universe: int = 0
    block_pairs: int = 0
    cleared: int = 0  # bytes of counters
    clearing: float = 0.0
    deliver: float = 0.0  # seconds for sorting pairs and handing them over, beside `seconds`
    checksum: str = "-"  # of the pairs that were handed over

    @staticmethod
    def of_line(line):
        """The result in a line; older lines lack the last fields."""
        texts = line.rstrip("\n").split("\t")
        known = fields(Result)
        if not sum(f.default is MISSING for f in known) < len(texts) <= len(known):
            raise SystemExit(f"paper: expected {len(known)} fields in the line: {line!r}")
        try:
            return Result(*(f.type(text) for f, text in zip(known, texts)))
        except ValueError:
            raise SystemExit(f"paper: expected a result in the line: {line!r}") from None

    def line(self):
        values = (getattr(self, f.name) for f in fields(self))
        return "\t".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in values) + "\n"


def machine_of(where):
    """The machine in the words of a line about a run: what comes after the date, the commit and the threads."""
    return where.partition("; ")[2] or "unknown machine"


def gpu_of(machine):
    """The GPU that a machine has, in its own words, or nothing."""
    found = re.search(r"GPU: (.*)$", machine)
    return found.group(1) if found else ""


def drop_half_line(path):
    """Takes away what a run that was killed may have left at the end."""
    with open(path, "rb") as file:
        text = file.read()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        os.truncate(path, whole)


class View:
    """The cells of one machine, joined with one number of threads; the last line of a cell holds."""

    def __init__(self, machine, threads):
        self.machine, self.threads = machine, threads
        self.cells = {}  # (collection, threshold, technique): its result
        self.runs = {}  # when, where and from which commit: the commands

    def get(self, collection, threshold, technique):
        """What is known of a cell: its own line, or else that of a cell that was cut and takes less time: the same
        technique at a higher threshold, on a smaller collection of the same kind, or with pairs that are counted alone.
        None if nothing is known."""
        own = self.cells.get((collection, threshold, technique))
        if own:
            return own
        family = []
        while collection:
            family.append(collection)
            collection = COLLECTIONS[collection].smaller
        less = (technique, technique.partition("+")[0])
        for r in self.cells.values():
            if r.cut and r.technique in less and r.collection in family and float(r.threshold) >= float(threshold):
                return r
        return None


class Results:
    """All cells of the files, by machine and number of threads. The last file may be written."""

    def __init__(self, paths, write=False, machine=""):
        self.views = {}
        self.pairs = {}  # (collection, threshold): how many, and what found as many
        self.sums = {}  # the same for checksums
        self.machine, self.run = machine, ""  # the line about this run, until there is a cell to go with it
        for path in paths:
            try:
                self.file = open(path, "a+" if write else "r", encoding="utf-8")
            except OSError as error:
                raise SystemExit(f"paper: {path}: {error.strerror}") from None
            if write:
                try:
                    fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise SystemExit(f"paper: {path} is being written by another run") from None
                drop_half_line(path)
            self.read()
        if write and self.file.tell() == 0:
            self.append("\t".join(f.name for f in fields(Result)) + "\n")

    def read(self):
        """Reads the file, but for half a line at its end."""
        where, command, machine = "", "", "unknown machine"
        self.file.seek(0)
        for line in self.file:
            if not line.endswith("\n"):
                break
            if line.startswith("# run: "):
                where, _, command = line[len("# run: ") :].rstrip("\n").partition("\t")
                machine = machine_of(where)
            elif not line.startswith(("#", "collection\t")):
                result = Result.of_line(line)
                self.check(result)
                self.keep(result, machine)
                commands = self.view(machine, result.threads).runs.setdefault(where, [])
                if command not in commands:
                    commands.append(command)

    def view(self, machine, threads):
        return self.views.setdefault((machine, threads), View(machine, threads))

    def of_machine(self, machine):
        return [view for view in self.views.values() if view.machine == machine]

    def append(self, text):
        self.file.write(text)
        self.file.flush()

    def keep(self, result, machine):
        self.view(machine, result.threads).cells[result.collection, result.threshold, result.technique] = result

    def add(self, result):
        """Adds a cell, whose pairs must be those that are known and those of the other techniques."""
        self.check(result)
        self.append(self.run + result.line())
        self.run = ""
        self.keep(result, self.machine)

    def check(self, result):
        if result.cut:
            return
        where = f"{result.collection} at {result.threshold}"
        known = KNOWN.get(result.collection, {}).get(result.threshold, result.pairs)
        if known != result.pairs:
            raise SystemExit(f"paper: WRONG: {where}: {result.technique} finds {result.pairs} pairs, there are {known}")
        for found, of in ((result.pairs, self.pairs), (result.checksum, self.sums)):
            if found == "-":
                continue
            other, technique = of.setdefault((result.collection, result.threshold), (found, result.technique))
            if other != found:
                what = "pairs" if of is self.pairs else "as sum"
                raise SystemExit(f"paper: WRONG: {where}: {result.technique} finds {found} {what}, {technique} {other}")
