"""Tests of bench/paper, with programs that only play `akin` and `join_bench`: the calls that they receive, what becomes
of their answers, and that a report comes of any of it.

    python3 tests/bench/paper.py
"""

import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

PAPER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "paper")
DOCS = os.path.join(PAPER, "..", "..", "docs")
sys.path.insert(0, PAPER)
sys.dont_write_bytecode = True

import gpu_report  # noqa: E402
import lanes  # noqa: E402
import measure  # noqa: E402
import portions  # noqa: E402
import report  # noqa: E402
from experiments import COLLECTIONS, KNOWN  # noqa: E402
from results import Result, Results, gpu_of, machine_of  # noqa: E402

JOIN_BENCH = """#!{python}
import os, sys, time
KNOWN = {known}
name = os.path.basename(sys.argv[1]).split(".")[0]
assert sys.argv[2] == "-"
open(os.environ["FAKE_LOG"], "a").write("begin " + name + "\\n")
for line in sys.stdin:
    open(os.environ["FAKE_LOG"], "a").write(name + " " + line)
    threshold, technique, device, threads, output = line.split()
    if technique == "gssjoin":
        print("stopped", flush=True)
    elif technique == "prefix":
        print("refused unknown technique", flush=True)
    elif technique == "hybrid" and threshold == "0.5":
        print("failed out of memory", flush=True)
    elif technique == "hybrid" and threshold == "0.6":
        sys.exit(3)
    else:
        pairs = KNOWN.get(name, {{}}).get(threshold, 5)
        if os.environ.get("FAKE_WRONG") == technique:
            pairs += 1
        print(f"{{name}} {{threshold}} {{technique}} join 0.1 s  plan 0.01  predicted 0.1  prepare 0.5  "
              f"{{technique}}:0/0  compared 1e+04  candidates 79094 (1.48e+05)  pairs {{pairs}}  pieces 1  "
              f"median 0.250000 s  peak 4.7 MB  sets 48684  tokens 320601  universe 3340  runs 5  blocks 200  "
              f"cleared 1000000000000  clearing 0.125000"
              + ("" if output == "count" else "  deliver 0.500000  sum 00000000000000ff"), flush=True)
"""
AKIN = """#!/bin/sh
case $1 in
info) echo 'gpu:       cuda:0, NVIDIA H200, 139.8 GiB, compute capability 9.0' ;;
generate) while [ $# -gt 1 ]; do shift; done; echo made >"$1" ;;
esac
"""


class Fakes(unittest.TestCase):
    """A folder with a build, a real collection, and results."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name, text in (("akin", AKIN), ("join_bench", JOIN_BENCH.format(python=sys.executable, known=KNOWN))):
            with open(self.at(name), "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(self.at(name), 0o755)
        for name in ("BMS2", "retail", "enron"):
            with open(self.at(name + ".txt.zst"), "w", encoding="utf-8"):
                pass
        environment = mock.patch.dict(os.environ, {"FAKE_LOG": self.at("log")})
        environment.start()
        self.addCleanup(environment.stop)
        said = mock.patch.object(measure, "say"), mock.patch.object(lanes, "say")
        for patch in said:
            patch.start()
            self.addCleanup(patch.stop)
        self.bench = measure.Bench(self.at(""), self.at(""), self.at("made"), 30)

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def log(self):
        with open(self.at("log"), encoding="utf-8") as file:
            return file.read().splitlines()

    def results(self, write=True):
        results = Results([self.at("paper.tsv")], write=write, machine=measure.machine(self.at("")) if write else "")
        results.run = f"# run: {measure.describe([], 16, results.machine, 'abc')}\n" if write else ""
        self.addCleanup(results.file.close)
        return results

    def run_portions(self, names, collections, thresholds=None, beside=0):
        def is_wanted(portion, cell):
            return portion.name in names and cell[0] in collections and (not thresholds or cell[1] in thresholds)

        results = self.results()
        outcome = lanes.Run(self.bench, results, 16, 1, is_wanted).go(beside)
        results.file.close()
        return outcome

    def command(self, *arguments):
        done = subprocess.run(
            [
                sys.executable,
                PAPER,
                *arguments,
                "--build",
                self.at(""),
                "--data",
                self.at(""),
                "--made",
                self.at("made"),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        return done


class Answers(Fakes):
    def test_a_cell_is_measured(self):
        lane = measure.Lane(self.bench)
        result = lane.measure(("BMS2", "0.9", "tensor@cuda+sorted"), 16)
        lane.measure(("BMS2", "0.8", "auto"), 16)
        lane.close()
        self.assertEqual(self.log(), ["begin BMS2", "BMS2 0.9 tensor cuda 16 sorted", "BMS2 0.8 auto cpu 16 count"])
        self.assertEqual(
            (result.seconds, result.pairs, result.runs, result.chosen, result.sets, result.universe),
            (0.25, 72, 5, "tensor", 48684, 3340),
        )
        self.assertEqual(
            (result.block_pairs, result.cleared, result.clearing, result.deliver, result.checksum),
            (200, 10**12, 0.125, 0.5, "00000000000000ff"),
        )

    def test_what_cannot_be_measured(self):
        lane = measure.Lane(self.bench)
        cut = lane.measure(("BMS2", "0.9", "gssjoin@cuda"), 16)
        self.assertEqual((cut.cut, cut.seconds), (1, 30))
        with self.assertRaisesRegex(measure.Refused, "unknown technique"):
            lane.measure(("BMS2", "0.9", "prefix@cuda"), 16)
        with self.assertRaisesRegex(measure.Failed, "out of memory"):
            lane.measure(("BMS2", "0.5", "hybrid@cuda"), 16)
        with self.assertRaisesRegex(measure.Failed, "ended with"):
            lane.measure(("BMS2", "0.6", "hybrid@cuda"), 16)
        self.assertEqual(lane.measure(("BMS2", "0.9", "auto"), 1).pairs, 72)  # in a new process
        lane.close()
        self.assertEqual(self.log().count("begin BMS2"), 3)

    def test_a_collection_is_made(self):
        self.assertEqual(self.bench.make("BMS2 x25"), self.at("made/BMS2-x25.akin"))
        self.assertTrue(os.path.exists(self.at("made/BMS2-x25.akin")))
        self.assertFalse(self.bench.available("tweets_words x5"))


class Files(Fakes):
    def test_lines_go_and_come(self):
        result = Result("BMS2", "0.9", "tensor@cuda", 16, 0.25, 72, cleared=10**12, clearing=0.5, checksum="00ff")
        self.assertEqual(Result.of_line(result.line()), result)

    def test_older_lines_have_fewer_fields(self):
        line = "retail\t0.8\tauto\t1\t0.01\t780\t0\t5\t0.0002\t0.0103\t11\tppjoin\t83490\t899669\t16470\n"
        self.assertEqual((Result.of_line(line).universe, Result.of_line(line).cleared), (16470, 0))

    def test_lines_that_cannot_be(self):
        for line in ("a\tb\n", "a\t0.9\tauto\tx\t1\t1\n", "\t".join("1" * 40) + "\n"):
            with self.assertRaises(SystemExit):
                Result.of_line(line)

    def test_machines_are_kept_apart(self):
        with open(self.at("paper.tsv"), "w", encoding="utf-8") as file:
            file.write("collection\tthreshold\n")
            for where in ("two CPUs", "16 CPUs; GPU: NVIDIA H200"):
                file.write(f"# run: 2026-01-01, commit x, 1 thread; {where}\t`run`, at a load of 0.1\n")
                file.write("BMS2\t0.9\tauto\t1\t0.5\t72\n")
        results = self.results(write=False)
        self.assertEqual(sorted(results.views), [("16 CPUs; GPU: NVIDIA H200", 1), ("two CPUs", 1)])
        self.assertEqual(machine_of("2026-01-01, commit x, 1 thread; 2 CPUs; GPU: G"), "2 CPUs; GPU: G")
        self.assertEqual((gpu_of("2 CPUs; GPU: G, 1 GiB"), gpu_of("2 CPUs")), ("G, 1 GiB", ""))

    def test_what_follows_from_a_cell_that_was_cut(self):
        results = self.results()
        results.add(Result("5M-50K-5", "0.8", "bitmap@cuda", 16, 30, cut=1))
        results.add(Result("BMS2", "0.8", "fgssjoin@cuda+sorted", 16, 30, cut=1))
        get = results.view(results.machine, 16).get
        for collection, threshold, technique in (
            ("5M-50K-5", "0.7", "bitmap@cuda"),
            ("20M-50K-5", "0.8", "bitmap@cuda"),
            ("10M-50K-5", "0.8", "bitmap@cuda+unsorted"),
            ("BMS2", "0.7", "fgssjoin@cuda+sorted"),
        ):
            self.assertTrue(get(collection, threshold, technique).cut)
        for collection, threshold, technique in (
            ("5M-50K-5", "0.9", "bitmap@cuda"),
            ("5M-50K-25", "0.8", "bitmap@cuda"),
            ("BMS2", "0.8", "fgssjoin@cuda"),
            ("BMS2", "0.8", "fgssjoin@cuda+unsorted"),
        ):
            self.assertIsNone(get(collection, threshold, technique))

    def test_half_a_line_is_dropped(self):
        with open(self.at("paper.tsv"), "w", encoding="utf-8") as file:
            file.write("BMS2\t0.9\tauto\t1\t0.5\t72\nBMS2\t0.8\tauto\t1\t0.5\t18")
        results = self.results()
        results.add(Result("BMS2", "0.8", "ppjoin", 1, 0.5, 1853))
        results.file.close()
        with open(self.at("paper.tsv"), encoding="utf-8") as file:
            self.assertEqual([line.split("\t")[0][:5] for line in file], ["BMS2", "# run", "BMS2"])

    def test_wrong_pairs_are_refused(self):
        results = self.results()
        with self.assertRaisesRegex(SystemExit, "WRONG.*there are 72"):
            results.add(Result("BMS2", "0.9", "ppjoin", 1, 0.5, 71))
        results.add(Result("BMS2", "0.1", "ppjoin", 1, 0.5, 7))
        with self.assertRaisesRegex(SystemExit, "WRONG.*finds 8"):
            results.add(Result("BMS2", "0.1", "tensor@cuda", 16, 0.5, 8))
        results.add(Result("BMS2", "0.1", "tensor@cuda+sorted", 16, 0.5, 7, checksum="ab"))
        with self.assertRaisesRegex(SystemExit, "WRONG.*as sum"):
            results.add(Result("BMS2", "0.1", "bitmap@cuda+sorted", 16, 0.5, 7, checksum="ac"))


class Runs(Fakes):
    def test_everything_is_measured_once(self):
        failed, left = self.run_portions({"real", "gssjoin"}, {"BMS2", "retail"}, beside=2)
        self.assertEqual(failed, 4)  # hybrid at 0.6 and 0.5, on both
        log = self.log()
        self.assertEqual(left, 0)
        self.assertEqual(len([line for line in log if "gssjoin cuda" in line and " gssjoin" in line]), 1)  # cut at 0.9
        self.assertEqual(len([line for line in log if " prefix " in line]), 1)  # refused once
        asked = [line for line in log if not line.startswith("begin") and " hybrid " not in line]
        self.assertEqual(len(asked), len(set(asked)))
        for technique in ("allpairs", "ppjoin", "groupjoin", "auto"):
            self.assertIn(f"retail 0.5 {technique} cpu 1 count", log)
        self.assertIn("retail 0.5 auto cpu 16 count", log)
        before = len(log)
        self.run_portions({"real", "gssjoin"}, {"BMS2", "retail"}, thresholds={"0.9", "0.8"})
        self.assertEqual([line for line in self.log()[before:] if " prefix " not in line and "begin" not in line], [])

    def test_collections_are_made_beside(self):
        _, left = self.run_portions({"sizes"}, {"dblp-like 100K", "dblp-like 1M"}, thresholds={"0.9"})
        self.assertEqual(left, 0)
        self.assertIn("dblp-like-1M 0.9 tensor cuda 16 count", self.log())

    def test_what_was_not_made_beside_is_made_later(self):
        with mock.patch.object(lanes, "BESIDE", 0):
            _, left = self.run_portions({"sizes"}, {"dblp-like 100K", "dblp-like 1M"}, thresholds={"0.9"}, beside=1)
        self.assertEqual(left, 0)
        self.assertIn("dblp-like-1M 0.9 auto cpu 16 count", self.log())

    def test_what_is_known_is_not_made_again(self):
        for made in (True, False):
            _, left = self.run_portions({"complete"}, {"dblp-flat 1M"}, thresholds={"0.9"})
            self.assertEqual((left, os.path.exists(self.at("made/dblp-flat-1M.akin"))), (0, made))
            if made:
                os.remove(self.at("made/dblp-flat-1M.akin"))

    def test_a_collection_that_cannot_be_made(self):
        os.remove(self.at("akin"))
        with open(self.at("akin"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n[ $1 = info ]\n")
        os.chmod(self.at("akin"), 0o755)
        failed, left = self.run_portions({"sizes"}, {"dblp-like 100K"}, thresholds={"0.9"}, beside=1)
        self.assertEqual((failed, left), (1, 0))

    def test_wrong_pairs_end_the_run(self):
        with mock.patch.dict(os.environ, {"FAKE_WRONG": "bitmap"}):
            with self.assertRaisesRegex(SystemExit, "WRONG.*bitmap"):
                self.run_portions({"real"}, {"BMS2"})

    def test_wrong_pairs_of_one_thread_end_it_too(self):
        results = self.results()
        with mock.patch.dict(os.environ, {"FAKE_WRONG": "ppjoin"}):
            run = lanes.Run(self.bench, results, 16, 1, lambda p, cell: cell == ("BMS2", "0.9", "ppjoin"))
            with self.assertRaisesRegex(SystemExit, "WRONG.*ppjoin"):
                run.go(1)

    def test_what_needs_the_cpu(self):
        self.assertEqual(
            [portions.needs_cpu(k) for k in ("auto", "auto@auto", "hybrid@cuda", "tensor@cuda", "tensor@cuda+sorted")],
            [True, True, True, False, False],
        )

    def test_portions_name_collections(self):
        for portion in portions.PORTIONS:
            for cell in portion.cells() + portion.ones():
                self.assertIn(cell[0], COLLECTIONS)


class Reports(Fakes):
    def page(self):
        with open(self.at("page.md"), encoding="utf-8") as file:
            return file.read()

    def test_of_nothing(self):
        self.results().file.close()
        self.assertEqual(
            self.command("report", "--results", self.at("paper.tsv"), "--to", self.at("page")).returncode, 0
        )
        self.assertIn("no results of a machine that has one", " ".join(self.page().split()))

    def test_of_a_machine_with_a_gpu(self):
        self.run_portions({"real", "output"}, {"BMS2", "enron"}, thresholds={"0.9", "0.5"}, beside=1)
        done = self.command("report", "--results", self.at("paper.tsv"), "--to", self.at("page"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = self.page()
        self.assertIn("GPU: NVIDIA H200", page)
        self.assertIn("CPU x16 |", page)
        self.assertIn("### Clearing a quadratic space", page)
        self.assertIn("| BMS2 | 0.9 | 200 | 1 | 0.125 | 50 % | 8 |", page)
        self.assertNotIn("## On a CPU", page)  # all of it is of the machine with the GPU
        with open(self.at("page-gpu.svg"), encoding="utf-8") as file:
            self.assertIn("</svg>", file.read())

    def test_of_what_is_kept(self):
        """The page in docs is that of the results in bench/paper, and nobody has edited it."""
        done = self.command("report", "--to", self.at("benchmarks-paper"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in ("benchmarks-paper.md", "benchmarks-paper.svg", "benchmarks-paper-gpu.svg"):
            with open(self.at(name), encoding="utf-8") as made, open(
                os.path.join(DOCS, name), encoding="utf-8"
            ) as kept:
                self.assertEqual(made.read(), kept.read())

    def test_fastest_of_the_cpu(self):
        """Known of all three techniques, or of the fastest alone where the results have no more."""
        results = self.results()
        results.add(Result("enron", "0.9", "auto@auto", 16, 0.5, 109664))
        results.add(Result("enron", "0.9", "fastest-prefix", 1, 3, 109664))
        machine = gpu_report.Machine(results.of_machine(results.machine))
        self.assertEqual(gpu_report.Cell(machine, "enron", "0.9").against_auto(["paper's CPU"]), "6.00")
        for technique, seconds in (("allpairs", 2.5), ("ppjoin", 2), ("groupjoin", 4)):
            results.add(Result("enron", "0.9", technique, 1, seconds, 109664))
        self.assertEqual(gpu_report.Cell(machine, "enron", "0.9").against_auto(["paper's CPU"]), "4.00")

    def test_the_command_measures(self):
        done = self.command(
            *("run", "--gpu", "--minutes", "1", "--experiments", "real", "--collections", "BMS2"),
            *("--thresholds", "0.9", "--threads", "4", "--results", self.at("paper.tsv")),
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("prefix@cuda: left out: unknown technique", done.stdout)
        self.assertIn("kosarak_uchoice: left out, its data is not there", done.stdout)
        with open(self.at("paper.tsv"), encoding="utf-8") as file:
            self.assertIn("--gpu --experiments real --collections BMS2 --thresholds 0.9 --minutes 1`", file.read())

    def test_figure_22(self):
        results = self.results()
        for technique, seconds in (
            ("fgssjoin@cuda", 2),
            ("bitmap@cuda", 1),
            ("sf-gssjoin@cuda", 3),
            ("auto@auto", 0.5),
        ):
            results.add(
                Result("enron", "0.9", technique, 16, seconds, 109664, sets=100000, tokens=13000000, chosen="x")
            )
        machine = gpu_report.Machine(results.of_machine(results.machine))
        cell = gpu_report.Cell(machine, "enron", "0.9")
        self.assertEqual((cell.winner, cell.paper_winner, cell.auto_ratio), ("bitmap", "bitmap", 0.5))
        self.assertEqual(cell.against_auto(gpu_report.PAPER), "2.00")
        self.assertEqual((report.kind(cell), report.by_result(cell)), ("small - large", "10^4 to 10^6"))
        self.assertIn("the paper says paper's CPU; bitmap wins 1: enron 0.9", gpu_report.differences([cell]))
        self.assertIn("in 1 of 1 cells.", gpu_report.against_paper([cell]))


if __name__ == "__main__":
    unittest.main()
