"""The raw results: a tab-separated file to which every measured cell adds a line, and what follows from them."""

import fcntl
from dataclasses import dataclass, fields

from experiments import COLLECTIONS, KNOWN


@dataclass
class Result:
    """One cell. Times are seconds; where `cut` is 1, the run was stopped at `seconds`, and the rest says nothing."""

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

    @staticmethod
    def of_line(line):
        texts = line.rstrip("\n").split("\t")
        types = [f.type for f in fields(Result)]
        if len(texts) != len(types):
            raise SystemExit(f"paper: expected {len(types)} fields in the line: {line!r}")
        return Result(*(kind(text) for kind, text in zip(types, texts)))

    def line(self):
        values = (getattr(self, f.name) for f in fields(self))
        return "\t".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in values) + "\n"


class Results:
    """All cells of a file that were measured with this number of threads; the last line of a cell holds."""

    def __init__(self, path, threads, write=False):
        self.threads, self.cells = threads, {}
        self.runs = {}  # when, where and of which commit: the commands
        self.run = ""  # the line about this run, until there is a cell to go with it
        try:
            self.file = open(path, "a+" if write else "r", encoding="utf-8")
        except OSError as error:
            raise SystemExit(f"paper: {path}: {error.strerror}") from None
        if write:
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise SystemExit(f"paper: {path} is being written by another run") from None
        self.file.seek(0)
        for line in self.file:
            if line.startswith("# run: "):
                where, _, command = line[len("# run: ") :].rstrip("\n").partition("\t")
                self.runs.setdefault(where, []).append(command)
            elif not line.startswith(("#", "collection\t")):
                self.keep(Result.of_line(line))
        if write and self.file.tell() == 0:
            self.append("\t".join(f.name for f in fields(Result)) + "\n")

    def append(self, text):
        self.file.write(text)
        self.file.flush()

    def keep(self, result):
        if result.threads == self.threads:
            self.cells[result.collection, result.threshold, result.technique] = result

    def add(self, result):
        """Adds a cell, whose pairs must be those that are known and those of the other techniques."""
        self.check(result)
        self.append(self.run + result.line())
        self.run = ""
        self.keep(result)

    def check(self, result):
        where = f"{result.collection} at {result.threshold}: {result.technique} finds {result.pairs} pairs"
        known = KNOWN.get(result.collection, {}).get(result.threshold, result.pairs)
        if result.cut:
            return
        if known != result.pairs:
            raise SystemExit(f"paper: WRONG: {where}, but there are {known}")
        for other in self.cells.values():
            if (other.collection, other.threshold, other.cut) == (
                result.collection,
                result.threshold,
                0,
            ) and other.pairs != result.pairs:
                raise SystemExit(f"paper: WRONG: {where}, {other.technique} {other.pairs}")

    def get(self, collection, threshold, technique):
        """What is known of a cell: its own line, or else that of a cell that was cut and takes less time: the same
        technique at a higher threshold, or on a smaller collection of the same kind. None if nothing is known."""
        own = self.cells.get((collection, threshold, technique))
        if own:
            return own
        family = []
        while collection:
            family.append(collection)
            collection = COLLECTIONS[collection].smaller
        for r in self.cells.values():
            if r.cut and r.technique == technique and r.collection in family and float(r.threshold) >= float(threshold):
                return r
        return None
