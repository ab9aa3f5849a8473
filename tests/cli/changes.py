#!/usr/bin/env python3
"""Changes saved files while a job reads them: the job ends with exit status 2 and the name of the file, and its output
is as it was before.

    tests/cli/changes.py AKIN

It prints how many changes were made, and exits with 1 if there is a fault, or with 77 where it cannot see which files a
process has mapped."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

OLD = b"an older file\n"
SECONDS = 60  # to wait for a job, at most

# What is read: made by akin, in the folder in which all run.
MADE = (
    "generate text --documents 3000 --vocabulary 20000 --seed 1 -q -o text.txt",
    "generate text --documents 20 --vocabulary 20000 --seed 2 -q -o asked.txt",
    "index text.txt --kind bm25 --documents blank-line --tokens words -q -o ranked.akin",
    "index text.txt --kind documents --tokens words -q -o counted.akin",
    "dictionary build text.txt -q -o words.akin",
    "index text.txt --kind strings --ngram 3 -q -o strings.akin",
)
# The jobs that read live.akin, a copy of that file, and then standard input.
JOBS = (
    ("ranked.akin", "search live.akin - -q -k 3 -o out/found.csv"),
    ("ranked.akin", "rank live.akin - -q -k 3 -o out/found.csv"),
    ("counted.akin", "search live.akin - -q -k 3 -o out/found.csv"),
    ("strings.akin", "search live.akin - -q -k 3 -o out/found.csv"),
    ("words.akin", "dictionary lookup live.akin - -q -o out/found.csv"),
    ("counted.akin", "index --append live.akin - -q -o out/found.akin"),
)


def shorten(live, _):
    os.truncate(live, 100)


def write_over(live, source):
    """As cp does, which empties the file first."""
    with open(live, "r+b") as file:
        file.truncate()
        shutil.copyfileobj(source.open("rb"), file)


def write_within(live, _):
    with open(live, "r+b") as file:
        file.seek(os.path.getsize(live) // 2)
        file.write(bytes(4096))


def replace(live, source):
    """As mv does."""
    other = live.with_name("other.akin")
    shutil.copyfile(source, other)
    os.replace(other, live)


def remove(live, _):
    live.unlink()


CHANGES = {
    shorten: "was shortened",
    write_over: "was ",  # shortened, or written to: as it is seen
    write_within: "was written to",
    replace: "was replaced by another file",
    remove: "was removed or renamed",
}


class Changes:
    """The folder, and what has happened in it."""

    def __init__(self, akin, folder):
        self.akin, self.folder, self.out, self.live = akin, folder, folder / "out", folder / "live.akin"
        self.result = None  # the file that the job at hand writes
        self.made = self.faults = 0
        self.out.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(folder)}

    def start(self, line):
        return subprocess.Popen([self.akin, *line.split()], cwd=self.folder, env=self.environment,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def fault(self, text):
        self.faults += 1
        print(text)

    def begin(self, source, line):
        """A job that has mapped its file, and has an older output to replace."""
        for entry in os.listdir(self.out):
            (self.out / entry).unlink()
        self.result = self.folder / line.split()[-1]
        self.result.write_bytes(OLD)
        shutil.copyfile(self.folder / source, self.live)
        job = self.start(line)
        until = time.monotonic() + SECONDS
        maps = pathlib.Path(f"/proc/{job.pid}/maps")
        while "live.akin" not in maps.read_text() and job.poll() is None and time.monotonic() < until:
            pass
        return job

    def end(self, job):
        """The exit status of a job, which gets the rest of its input, and what it prints."""
        said = job.communicate((self.folder / "asked.txt").read_bytes(), timeout=SECONDS)[0].decode()
        return job.returncode, said

    def check(self, what, job, change):
        self.made += 1
        status, said = self.end(job)
        if status != 2 or f"live.akin: {CHANGES[change]}" not in said or "while it was read" not in said:
            self.fault(f"{what}: exit status {status}: {said}")
        if os.listdir(self.out) != [self.result.name] or self.result.read_bytes() != OLD:
            self.fault(f"{what}: the output is not as it was: {os.listdir(self.out)}")

    def try_all(self, source, line):
        status, said = self.end(self.begin(source, line))
        if status or self.result.read_bytes() == OLD:
            self.fault(f"akin {line}: unchanged: exit status {status}: {said}")
        for change in CHANGES:
            for pause in (0, 0.4):  # while it is opened, and while the job waits for its input
                job = self.begin(source, line)
                time.sleep(pause)
                what = f"akin {line}: {change.__name__} after {pause} s"
                if job.poll() is not None:
                    self.fault(f"{what}: has ended before: {job.communicate()[0].decode()}")
                    continue
                change(self.live, self.folder / source)
                self.check(what, job, change)


def main(akin):
    if not pathlib.Path(f"/proc/{os.getpid()}/maps").exists():
        return 77
    with tempfile.TemporaryDirectory(prefix="akin-changes.") as folder:
        tried = Changes(os.path.abspath(akin), pathlib.Path(folder))
        for line in MADE:
            job = tried.start(line)
            if said := job.communicate()[0].decode():
                sys.exit(f"akin {line}: {said}")
        for source, line in JOBS:
            tried.try_all(source, line)
    print(f"{tried.made} changes, {tried.faults} faults")
    return tried.faults > 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
