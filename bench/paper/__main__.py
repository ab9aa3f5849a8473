"""Does the evaluation of a paper again with akin's techniques: C. Bellas and A. Gounaris, An Empirical Evaluation of
Exact Set Similarity Join Techniques Using GPUs, sections 4.2 to 4.4.

    python3 bench/paper list [--full|--gpu]  what would be measured
    python3 bench/paper run [OPTION...]      measure, into a tab-separated file; goes on where it was left
    python3 bench/paper run --gpu            the same for techniques of the GPU, on a machine that has one
    python3 bench/paper report               docs/benchmarks-paper.md and its pictures from the results that are kept

It wants a build with AKIN_BUILD_BENCH, such as `./dev bench` leaves, or build/gpu/carry of `./dev gpu-build`, and the
collections in ../shared/data/join; those that are not there are left out. Nothing else should run on the machine.
Results that are to stay belong into cpu.tsv and gpu.tsv beside this file.
"""

import argparse
import os
import sys
import tempfile
import time

import gpu_report
import heat_map
import report
from experiments import EXPERIMENTS
from lanes import Run
from measure import Bench, describe, machine, measure_all, say
from portions import PORTIONS, REMARKS
from results import Results, gpu_of

HOME = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
KEPT = tuple(os.path.join(HOME, "bench", "paper", name) for name in ("cpu.tsv", "gpu.tsv"))
SELECTION = ("gpu", "experiments", "collections", "thresholds", "techniques", "full", "cut", "minutes", "patience")
PATIENCE = 3  # seconds for a cell's repeated runs where minutes count


def words(text):
    return tuple(text.split(","))


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="bench/paper", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("verb", choices=("list", "run", "report"))
    parser.add_argument("--gpu", action="store_true", help="portions for a GPU, most important first, in 9 minutes")
    parser.add_argument(
        "--experiments",
        type=words,
        help="only these: "
        + ",".join(e.name for e in EXPERIMENTS)
        + "; with --gpu: "
        + ",".join(p.name for p in PORTIONS),
    )
    parser.add_argument("--collections", type=words, help="only these collections, which a full run has")
    parser.add_argument("--thresholds", type=words, help="only these thresholds, which a full run has")
    parser.add_argument(
        "--techniques",
        type=words,
        help="these instead of the experiments' own: names that join_bench takes, NAME:BITS, or NAME@DEVICE",
    )
    parser.add_argument("--full", action="store_true", help="larger sizes and more thresholds: hours, 15 GB on disk")
    parser.add_argument("--cut", type=float, default=30, help="stop a join after this many seconds (30)")
    parser.add_argument(
        "--minutes",
        type=float,
        help="begin no cell after this many minutes (35, with --gpu 9, in a full run no bound); run again to go on",
    )
    parser.add_argument(
        "--patience",
        type=float,
        help="begin no further run of a cell after this many seconds (with --gpu 3, else no bound)",
    )
    parser.add_argument(
        "--threads",
        type=int,
        help="threads of each join (1; with --gpu as many as there are); results are kept apart",
    )
    parser.add_argument("--machine", help="the machine in words, to go on with results of one that was described so")
    parser.add_argument("--commit", default="", help="the commit that was built, if git does not know it")
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
        "--results",
        type=words,
        help="the raw results: of a run one file (build/paper.tsv), of a report all that there are (those kept in "
        "bench/paper, one of each machine)",
    )
    parser.add_argument(
        "--to",
        default=os.path.join(HOME, "docs", "benchmarks-paper"),
        help="the report's name without .md and .svg (docs/benchmarks-paper)",
    )
    asked = parser.parse_args(arguments)
    asked.results = asked.results or (KEPT if asked.verb == "report" else (os.path.join(HOME, "build", "paper.tsv"),))
    return asked, parser


def selected(asked, bench):
    """The cells that the arguments select and whose collections there can be, each once."""
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
    say_missing(missing)
    return list(cells)


def say_missing(names):
    for name in names:
        say(f"{name}: left out, its data is not there")


def chooser(asked, bench):
    """Returns whether a portion and a cell are selected, and there can be such a collection."""
    collections = {c for p in PORTIONS for c in p.collections}
    missing = {c for c in sorted(collections) if not bench.available(c)}
    say_missing(sorted(missing))

    def is_selected(portion, cell):
        asked_for = (asked.experiments, asked.collections, asked.thresholds, asked.techniques)
        wanted = zip(asked_for, (portion.name, *cell))
        return cell[0] not in missing and all(not some or one in some for some, one in wanted)

    return is_selected


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
    results = Results(asked.results[-1:], write=True, machine=asked.machine or machine(asked.build))
    say(f"{sum(len(view.cells) for view in results.of_machine(results.machine))} cells are known of {results.machine}")
    said = options_said(asked, parser)
    results.run = f"# run: {describe(said, asked.threads, results.machine, asked.commit)}\n"
    if asked.gpu:
        failed, left = Run(bench, results, asked.threads, asked.minutes or 9, chooser(asked, bench)).go()
        say(f"{left} cells left, {failed} failed; results are in {asked.results[-1]}")
        return 1 if failed else 0
    cells = selected(asked, bench)
    minutes = asked.minutes or (None if asked.full else 35)
    deadline = time.monotonic() + minutes * 60 if minutes else None
    failed, left = measure_all(bench, results, asked.threads, cells, deadline)
    say(f"{len(cells)} cells asked for, {left} left, {failed} failed; results are in {asked.results[-1]}")
    return 1 if failed else 0


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def views(results, threads):
    """What the report is made of: the results of a CPU, rather of a machine without a GPU, with these threads; and all
    of a machine with a GPU. None where there are none; of several those with the most cells."""
    of = [view for view in results.views.values() if view.cells]
    on_cpu = [view for view in of if view.threads == threads and any("@" not in cell[2] for cell in view.cells)]
    cpu = max(on_cpu, key=lambda view: (not gpu_of(view.machine), len(view.cells)), default=None)
    cells = {}
    for view in of:
        if gpu_of(view.machine):
            cells[view.machine] = cells.get(view.machine, 0) + len(view.cells)
    if not cells:
        return cpu, None
    machine_name = max(cells, key=cells.get)
    gpu = gpu_report.Machine([view for view in of if view.machine == machine_name])
    return (None if cpu and cpu.machine == machine_name else cpu), gpu


def write_report(asked):
    results = Results(asked.results)
    cpu, gpu = views(results, asked.threads)
    text, picture = report.opening(asked.cut), os.path.basename(asked.to)
    if cpu:
        write(asked.to + ".svg", heat_map.draw(report.sections(cpu), cpu.threads, asked.cut))
        text += report.on_cpu(cpu, picture + ".svg")
    if gpu:
        write(asked.to + "-gpu.svg", heat_map.draw(gpu_report.sections(gpu), gpu.threads, asked.cut, ", with a GPU"))
        text += gpu_report.markdown(gpu, picture + "-gpu.svg", asked.patience or PATIENCE, REMARKS)
    else:
        text += report.NO_GPU
    write(asked.to + ".md", text + report.closing(results.views.values()))
    return 0


def show(asked, bench):
    if not asked.gpu:
        for cell in selected(asked, bench):
            say(" ".join(cell))
        return 0
    is_selected = chooser(asked, bench)
    for portion in PORTIONS:
        cells = [cell for cell in portion.cells() if is_selected(portion, cell)]
        ones = [cell for cell in portion.ones() if is_selected(portion, cell)]
        say(f"# {portion.name}: {len(cells)} cells in {portion.share:g} s, {len(ones)} on one thread beside them")
        for cell in cells:
            say(" ".join(cell))
    return 0


def main(arguments):
    asked, parser = parse(arguments)
    patience = asked.patience if asked.patience is not None else PATIENCE if asked.gpu else 0
    threads = os.cpu_count() if asked.gpu and asked.verb == "run" else 1
    asked.threads = asked.threads or threads
    bench = Bench(asked.build, asked.data, asked.made, asked.cut, patience)
    return {"report": lambda: write_report(asked), "run": lambda: run(asked, parser, bench)}.get(
        asked.verb, lambda: show(asked, bench)
    )()


try:
    sys.exit(main(sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(130)
