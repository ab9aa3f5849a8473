#!/usr/bin/env python3
"""Kills jobs (SIGKILL) at random moments. Each file that they write is old, new or absent, and never half a file. The
next job beside it removes what they have left.

    tests/cli/kills.py AKIN [KILLS (default: 40)]

It prints how many jobs were killed, in how many of these some of several files were new and some were not, and how
often hidden files were left and removed. It exits with 1 if there is a fault."""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

HIDDEN = re.compile(r"\.akin-[0-9a-f]{16}")
OLD = b"an older file\n"

# What is read: made by akin, in the folder in which all run.
MADE = (
    "generate sets --sets 6000 --tokens 300 --average 8 --spread 2 --seed 1 -q -o sets.txt",
    "generate records --records 600 --duplicates 0.4 --seed 1 -q -o people.csv",
    "generate text --documents 1000 --vocabulary 20000 --seed 1 -q -o text.txt",
    "generate text --documents 20 --vocabulary 20000 --seed 1 -q -o queries.txt",
    "index text.txt --kind bm25 --documents blank-line --tokens words -q -o text.akin",
)
# The jobs, and the files that each writes into the folder out.
JOBS = (
    ("join sets.txt --input text --tokens whitespace --jaccard 0.4 --memory 16M -q -o out/pairs.csv", ["pairs.csv"]),
    (
        "dedupe people.csv --id id --compare surname:jaro-winkler --compare given_name:jaro --window 10:surname "
        "--threshold 0.9 -q -o out/clusters.csv --pairs out/linked.csv --deduplicated out/one.csv "
        "--merged out/merged.csv --report out/report.html",
        ["clusters.csv", "linked.csv", "one.csv", "merged.csv", "report.html"],
    ),
    ("index text.txt --kind bm25 --documents blank-line --tokens words -q -o out/index.akin", ["index.akin"]),
    ("dictionary build text.txt -q -o out/words.akin", ["words.akin"]),
    ("search text.akin queries.txt -q -k 3 -o out/found.csv", ["found.csv"]),
)
NEXT = "generate sets --sets 1 -q -o out/next.txt"


def content_of(path):
    """The bytes of a file, but for the numbers of a report, some of which are seconds. None: there is no file."""
    content = path.read_bytes() if path.exists() else None
    return re.sub(rb"[0-9.]+", b"", content) if content and path.suffix == ".html" else content


class Kills:
    """The folder, and what has happened in it."""

    def __init__(self, akin, folder):
        self.akin, self.folder, self.out = akin, folder, folder / "out"
        self.killed = self.mixed = self.left = self.faults = 0
        self.environment = {**os.environ, "TMPDIR": str(folder / "temporary")}
        for name in ("out", "temporary"):
            (folder / name).mkdir()

    def start(self, line):
        return subprocess.Popen([self.akin, *line.split()], cwd=self.folder, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, line):
        """What a job prints; it must not fail."""
        job = self.start(line)
        said = job.communicate()[0].decode()
        if job.returncode:
            sys.exit(f"akin {line}: exit status {job.returncode}: {said}")
        return said

    def fault(self, text):
        self.faults += 1
        print(text)

    def finish(self, line, names):
        """The content of the files that a job writes, and the seconds that it takes."""
        self.run(line)  # the system has read the files then
        begun = time.monotonic()
        self.run(line)
        return {name: content_of(self.out / name) for name in names}, time.monotonic() - begun

    def kill(self, line, new, seconds, draw):
        """Runs a job, some of whose files are there before, and kills it."""
        for entry in os.listdir(self.out):
            (self.out / entry).unlink()
        olds = {name for name in new if draw.random() < 0.5}
        for name in olds:
            (self.out / name).write_bytes(OLD)
        begun = time.monotonic()
        job = self.start(line)
        self.wait(job, begun + seconds * draw.uniform(0, 1), draw.random() < 0.4)
        job.kill()
        delay = time.monotonic() - begun
        job.communicate()
        what = f"akin {line}: killed after {delay:.4f} s"
        self.killed += job.returncode < 0
        if job.returncode > 0:
            self.fault(f"{what}: exit status {job.returncode}")
        self.check(what, new, olds, job.returncode == 0)

    def wait(self, job, until, watches):
        """Waits for that moment, or until files take their names, which takes less than a millisecond."""
        before = sorted((entry.name, entry.inode()) for entry in os.scandir(self.out))
        while job.poll() is None and (watches or time.monotonic() < until):
            if watches and sorted((entry.name, entry.inode()) for entry in os.scandir(self.out)) != before:
                return
            if not watches:
                time.sleep(max(0, until - time.monotonic()))

    def check(self, what, new, olds, is_done):
        states = set()
        hidden = {entry for entry in os.listdir(self.out) if HIDDEN.fullmatch(entry)}
        for name, content in new.items():
            found = content_of(self.out / name)
            states.add(found == content)
            if found != content and (is_done or found != (OLD if name in olds else None)):
                self.fault(f"{what}: {name} is neither old nor new")
        said = self.run(NEXT)
        self.mixed += len(states) > 1
        self.left += bool(hidden)
        if said.count("removed: a process that was killed has left it") != len(hidden):
            self.fault(f"{what}: {len(hidden)} hidden files, and the next job says: {said}")
        if more := set(os.listdir(self.out)) - set(new) - {"next.txt"}:
            self.fault(f"{what}: left behind: {', '.join(sorted(more))}")
        if more := os.listdir(self.folder / "temporary"):
            self.fault(f"{what}: left behind in TMPDIR: {', '.join(sorted(more))}")


def main(akin, kills=40):
    draw = random.Random(kills)
    with tempfile.TemporaryDirectory(prefix="akin-kills.") as folder:
        tried = Kills(os.path.abspath(akin), pathlib.Path(folder))
        for line in MADE:
            tried.run(line)
        jobs = [(line, *tried.finish(line, names)) for line, names in JOBS]
        runs = 0
        while tried.killed < kills and runs < 5 * kills:  # a job may end before it is killed
            tried.kill(*jobs[runs % len(jobs)], draw)
            runs += 1
    print(f"{runs} runs, {tried.killed} of them killed, {tried.mixed} with some new files, {tried.left} with hidden "
          f"files that were removed, {tried.faults} faults")
    return tried.faults > 0 or tried.killed < kills


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
