#!/usr/bin/env python3
"""Fuzzes for hours, and keeps count.

    long.py BUILD HOURS [TARGET...] [-- FLAG...]    runs BUILD/tests/fuzz_TARGET with these flags of libFuzzer
    long.py BUILD --add FOLDER                      adds what another machine has logged, FOLDER/TARGET[.N].log

HOURS are hours of a core, for all targets together. Each target takes turns on every core of the machine, until the
hours are over, or it has had an hour without a new edge, also in earlier calls: then it is done. Inputs stay in
BUILD/corpus/TARGET, and are minimised at the end. BUILD/long.csv has a row for each target; the calls add up. The edges
of two binaries cannot be compared: edges, features and quiet seconds begin again when a target was built anew.

Each line of a log, BUILD/TARGET.log, begins with the seconds since the target began. The first one names the binary.
The exit status is 1 if a fuzzer found something, did not start, or failed without a find.
"""
import concurrent.futures
import csv
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

DONE = 3600  # seconds without a new edge
SLICE = 600  # seconds of a turn, at most
COLUMNS = ["target", "executions", "edges", "features", "corpus", "seconds", "quiet_seconds", "finds", "build"]
TEXTS = ("target", "build")
SEEDS = pathlib.Path(__file__).parent / "corpus"
DICTIONARIES = pathlib.Path(__file__).parent / "dictionaries"
FIND = re.compile(r"Test unit written to (\S*(?:crash|leak|oom|timeout)-\S+)")  # slow ones are none
STATUS = re.compile(r"#(\d+)\s+\S+\s+cov: (\d+) ft: (\d+)")
INTERRUPTED = "libFuzzer: run interrupted"


def read_table(path):
    """The rows by target; numbers are numbers. Older tables do not name the binary."""
    rows = {}
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                rows[row["target"]] = {name: row.get(name, "") if name in TEXTS else int(row[name]) for name in COLUMNS}
    return rows


def write_table(path, rows):
    """The file appears whole."""
    new = path.with_suffix(".new")
    with new.open("w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows[target] for target in sorted(rows))
    new.replace(path)


def empty_row(target):
    return {name: "" if name in TEXTS else 0 for name in COLUMNS} | {"target": target}


def build_id(build, target):
    """What tells the binary of a target from others."""
    program = program_of(build, target)
    try:
        return hashlib.sha256(program.read_bytes()).hexdigest()[:16]
    except OSError as error:
        sys.exit(f"dev: fuzz_{target} cannot start: {program}: {error.strerror}")


def enter_build(row, build):
    """What is known of the edges of another binary does not hold for this one."""
    if row["build"] != build:
        row |= {"edges": 0, "features": 0, "quiet_seconds": 0, "build": build}


def add_log(row, lines):
    """A row with what a log says; returns the names of the finds."""
    last, end, executions, finds = None, 0.0, 0, []
    for line in lines:
        seconds, _, text = line.partition(" ")
        end = max(end, float(seconds))
        if text.startswith("build "):
            enter_build(row, text.split()[1])
        elif status := STATUS.match(text):
            executions = int(status[1])
            row["features"] = max(row["features"], int(status[3]))
            if int(status[2]) > row["edges"]:
                row["edges"], last = int(status[2]), end
        elif text.startswith("stat::number_of_executed_units:"):
            executions = int(text.split()[1])
        elif INTERRUPTED in text:
            break  # by a signal: the input at hand is no find
        elif find := FIND.search(text):
            finds.append(find[1])
    row["executions"] += executions
    row["seconds"] += round(end)
    row["quiet_seconds"] = row["quiet_seconds"] + round(end) if last is None else round(end - last)
    row["finds"] += len(finds)
    return finds


def failure_of(lines):
    """How a fuzzer ended that ran no input, or failed without a find; nothing if it ended as it should."""
    texts = [line.partition(" ")[2].strip() for line in lines]
    ends = [text for text in texts if text.startswith("ended with ")]
    if any(FIND.search(text) or INTERRUPTED in text for text in texts):
        return ""
    if any(STATUS.match(text) for text in texts) and ends in ([], ["ended with 0"]):
        return ""
    said = [text for text in texts if text and text not in ends and not text.startswith("build ")]
    return "; ".join(["it ran no input", *ends][-1:] + said[-1:])


def count_corpus(build, target):
    folder = build / "corpus" / target
    return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0


def program_of(build, target):
    return build / "tests" / f"fuzz_{target}"


def command_of(build, target, flags):
    words = DICTIONARIES / f"{target}.dict"
    return [program_of(build, target), *flags, *([f"-dict={words}"] if words.exists() else [])]


def run_slice(build, target, seconds, flags):
    """Runs a target, and logs what it says; returns the lines."""
    corpus = build / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    command = [*command_of(build, target, flags), f"-max_total_time={seconds}", "-print_final_stats=1",
               f"-artifact_prefix={build}/{target}-", corpus, SEEDS / target]
    lines, begun = [], time.monotonic()
    with (build / f"{target}.log").open("w") as log:

        def say(line):
            lines.append(f"{time.monotonic() - begun:.1f} {line}")
            log.write(lines[-1])

        say(f"build {build_id(build, target)}\n")
        try:
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, errors="replace") as process:
                for line in process.stderr:
                    say(line)
            say(f"ended with {process.returncode}\n")
        except OSError as error:
            say(f"{error.strerror}\n")
    return lines


def merge(build, target, flags):
    """Keeps the inputs that the others do not make needless."""
    corpus, smaller = build / "corpus" / target, build / "corpus" / f"{target}.new"
    shutil.rmtree(smaller, ignore_errors=True)
    smaller.mkdir()
    result = subprocess.run([*command_of(build, target, flags), "-merge=1", f"-artifact_prefix={build}/{target}-",
                             smaller, corpus, SEEDS / target], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    if result.returncode == 0:
        shutil.rmtree(corpus)
        smaller.rename(corpus)
    else:
        shutil.rmtree(smaller)


def say(row):
    print(f"fuzz_{row['target']}: {row['executions']} executions, {row['edges']} edges, {row['seconds']} s, "
          f"{row['quiet_seconds']} s without a new edge", flush=True)


def run_all(build, hours, targets, flags):
    """Gives each target its turns; returns the finds, and those that failed."""
    table = build / "long.csv"
    rows, left, finds, failures, running = read_table(table), hours * 3600, [], {}, {}
    for target in targets:
        enter_build(rows.setdefault(target, empty_row(target)), build_id(build, target))
    waiting = [target for target in targets if rows[target]["quiet_seconds"] < DONE]
    touched, slice_seconds = set(), max(1, min(SLICE, round(left / max(1, len(waiting)))))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while running or (waiting and left >= 1):
            while waiting and left >= 1 and len(running) < os.cpu_count():
                target, seconds = waiting.pop(0), min(slice_seconds, max(1, round(left)))
                left -= seconds
                touched.add(target)
                running[pool.submit(run_slice, build, target, seconds, flags)] = target
            ended, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                target = running.pop(future)
                lines = future.result()
                found = add_log(rows[target], lines)
                failures |= {target: failure} if (failure := failure_of(lines)) else {}
                rows[target]["corpus"] = count_corpus(build, target)
                write_table(table, rows)
                say(rows[target])
                finds += found
                if not found and not failure and rows[target]["quiet_seconds"] < DONE:
                    waiting.append(target)
        list(pool.map(lambda target: merge(build, target, flags), touched - failures.keys()))
    for target in touched:
        rows[target]["corpus"] = count_corpus(build, target)
    write_table(table, rows)
    return finds, failures


def add_folder(build, folder):
    """Adds the logs of another machine; returns the finds, and the targets that failed there."""
    table = build / "long.csv"
    rows, finds, failures = read_table(table), [], {}
    for log in sorted(folder.glob("*.log")):
        target = log.name.split(".")[0]  # several processes may have one
        row = rows.setdefault(target, empty_row(target))
        lines = log.read_text(errors="replace").splitlines()
        finds += add_log(row, lines)
        failures |= {target: failure} if (failure := failure_of(lines)) else {}
        row["corpus"] = count_corpus(build, target)
        say(row)
    write_table(table, rows)
    return finds, failures


def main(words):
    flags = words[words.index("--") + 1:] if "--" in words else []
    words = words[:words.index("--")] if "--" in words else words
    known = sorted(folder.name for folder in SEEDS.iterdir())
    if len(words) == 3 and words[1] == "--add":
        finds, failures = add_folder(pathlib.Path(words[0]).resolve(), pathlib.Path(words[2]))
    else:
        try:
            hours = float(words[1])
        except (IndexError, ValueError):
            sys.exit("dev: expected a number of hours: ./dev fuzz-long HOURS [TARGET...]")
        if unknown := [word for word in words[2:] if word not in known]:
            sys.exit(f"dev: there is no target {unknown[0]}; expected {', '.join(known)}")
        finds, failures = run_all(pathlib.Path(words[0]).resolve(), hours, words[2:] or known, flags)
    for find in finds:
        print(f"find: {find}")
    for target, failure in sorted(failures.items()):
        print(f"dev: fuzz_{target} failed: {failure}", file=sys.stderr)
    return 1 if finds or failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
