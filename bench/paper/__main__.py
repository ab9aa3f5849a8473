"""Does the evaluation of a paper again with akin's techniques: A. Bellas and A. Gounaris, An Empirical Evaluation of
Exact Set Similarity Join Techniques Using GPUs, sections 4.2 to 4.4.

    python3 bench/paper list [--full]        what would be measured
    python3 bench/paper run [OPTION...]      measure, into a tab-separated file; goes on where it was left
    python3 bench/paper report               docs/benchmarks-paper.md and .svg from that file

It wants a build with AKIN_BUILD_BENCH, such as `./dev bench` leaves, and the collections in ../shared/data/join; those
that are not there are left out. Nothing else should run on the machine.
"""

import argparse
import os
import sys
import tempfile
import time

import heat_map
import report
from experiments import EXPERIMENTS
from measure import Bench, describe, measure_all, say
from results import Results

HOME = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SELECTION = ("experiments", "collections", "thresholds", "techniques", "full", "cut", "minutes")


def words(text):
    return tuple(text.split(","))


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="bench/paper", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("verb", choices=("list", "run", "report"))
    parser.add_argument("--experiments", type=words, help="only these: " + ",".join(e.name for e in EXPERIMENTS))
    parser.add_argument("--collections", type=words, help="only these collections, which a full run has")
    parser.add_argument("--thresholds", type=words, help="only these thresholds, which a full run has")
    parser.add_argument(
        "--techniques",
        type=words,
        help="these instead of the experiments' own: names that join_bench takes, NAME:BITS, or NAME@DEVICE",
    )
    parser.add_argument("--full", action="store_true", help="larger sizes and more thresholds: hours, 15 GB on disk")
    parser.add_argument("--cut", type=float, default=30, help="stop a join after so many seconds (30)")
    parser.add_argument(
        "--minutes",
        type=float,
        help="begin no cell after so many minutes (35, in a full run no bound); run again to go on",
    )
    parser.add_argument("--threads", type=int, default=1, help="threads of each join (1); results are kept apart")
    parser.add_argument("--build", default=os.path.join(HOME, "build", "release"), help="where akin was built")
    parser.add_argument(
        "--data", default=os.path.join(HOME, "..", "shared", "data", "join"), help="the real collections"
    )
    parser.add_argument(
        "--made",
        default=os.path.join(tempfile.gettempdir(), "akin-paper"),
        help="where collections that are made are kept (%(default)s)",
    )
    parser.add_argument(
        "--results", default=os.path.join(HOME, "build", "paper.tsv"), help="the raw results (build/paper.tsv)"
    )
    parser.add_argument(
        "--to",
        default=os.path.join(HOME, "docs", "benchmarks-paper"),
        help="the report's name without .md and .svg (docs/benchmarks-paper)",
    )
    return parser.parse_args(arguments), parser


def selected(asked, bench):
    """The cells that were asked for, and whose collections there can be, each once."""
    cells, missing = {}, {}
    for experiment in EXPERIMENTS:
        if asked.experiments and experiment.name not in asked.experiments:
            continue
        for name, threshold, technique in experiment.cells(
            asked.full or asked.collections, asked.full or asked.thresholds
        ):
            if (
                asked.collections
                and name not in asked.collections
                or asked.thresholds
                and threshold not in asked.thresholds
            ):
                continue
            if not bench.available(name):
                missing[name] = 1
                continue
            for own in asked.techniques or (technique,):
                cells[name, threshold, own] = 1
    for name in missing:
        say(f"{name}: left out, its data is not there")
    return list(cells)


def options_said(asked, parser):
    """The options that were given and say what is measured, for the report; not the paths."""
    said = []
    for name in SELECTION:
        value = getattr(asked, name)
        if value != parser.get_default(name):
            said.append(
                f"--{name}"
                + ("" if value is True else " " + (",".join(value) if isinstance(value, tuple) else f"{value:g}"))
            )
    return said


def run(asked, parser, bench):
    cells = selected(asked, bench)
    results = Results(asked.results, asked.threads, write=True)
    results.run = f"# run: {describe(options_said(asked, parser), asked.threads)}\n"
    minutes = asked.minutes or (None if asked.full else 35)
    deadline = time.monotonic() + minutes * 60 if minutes else None
    failed, left = measure_all(bench, results, cells, deadline)
    say(f"{len(cells)} cells asked for, {left} left, {failed} failed; results are in {asked.results}")
    return 1 if failed else 0


def write_report(asked):
    results = Results(asked.results, asked.threads)
    picture = asked.to + ".svg"
    with open(picture, "w", encoding="utf-8") as file:
        file.write(heat_map.draw(report.sections(results), asked.threads, asked.cut))
    with open(asked.to + ".md", "w", encoding="utf-8") as file:
        file.write(report.markdown(results, os.path.basename(picture), asked.cut))
    return 0


def main(arguments):
    asked, parser = parse(arguments)
    bench = Bench(asked.build, asked.data, asked.made, asked.cut, asked.threads)
    if asked.verb == "report":
        return write_report(asked)
    if asked.verb == "run":
        return run(asked, parser, bench)
    for cell in selected(asked, bench):
        say(" ".join(cell))
    return 0


try:
    sys.exit(main(sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(130)
