#!/usr/bin/env python3
"""Tests of long.py, with fuzzers that only play libFuzzer's: what becomes of their logs, who gets a turn, and that
calls add up.

    python3 tests/fuzz/test_long.py
"""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import long  # noqa: E402

LOG = """\
0.0 INFO: Seed: 7
0.5 #12\tINITED cov: 100 ft: 200 corp: 9/1Kb exec/s: 0 rss: 30Mb
3.2 #400\tNEW    cov: 105 ft: 220 corp: 10/1Kb lim: 4 exec/s: 0 rss: 30Mb L: 1/1 MS: 1 CopyPart-
7.0 #900\tREDUCE cov: 105 ft: 230 corp: 10/1Kb lim: 4 exec/s: 0 rss: 30Mb L: 1/1 MS: 1 CopyPart-
9.0 artifact_prefix='./'; Test unit written to ./slow-unit-1
10.0 stat::number_of_executed_units: 1000
""".splitlines()

FUZZER = """#!{python}
import pathlib, sys
folders = [word for word in sys.argv[1:] if word[0] != "-"]
if "-merge=1" in sys.argv:
    pathlib.Path(folders[0], "kept").touch()
    sys.exit(0)
count = len(list(pathlib.Path(folders[0]).iterdir()))
pathlib.Path(folders[0], str(count)).touch()
print(f"#7\\tINITED cov: {{50 + min(count, 2)}} ft: 60 corp: 1/1b", file=sys.stderr)
print("stat::number_of_executed_units: 70", file=sys.stderr)
if {crashes}:
    print("artifact_prefix='x-'; Test unit written to x-crash-1", file=sys.stderr)
    sys.exit(77)
"""


class Logs(unittest.TestCase):
    def test_counts(self):
        row = long.empty_row("csv")
        self.assertEqual(long.add_log(row, LOG), [])
        self.assertEqual(row, {"target": "csv", "executions": 1000, "edges": 105, "features": 230, "corpus": 0,
                               "seconds": 10, "quiet_seconds": 7, "finds": 0, "build": ""})

    def test_calls_add_up(self):
        row = long.empty_row("csv")
        for _ in range(2):
            long.add_log(row, LOG)
        self.assertEqual((row["executions"], row["seconds"], row["quiet_seconds"]), (2000, 20, 17))

    def test_finds(self):
        row = long.empty_row("csv")
        lines = [*LOG, "11.0 artifact_prefix='x-'; Test unit written to x-crash-12ab", "12.0 x-leak-1 is no find"]
        self.assertEqual(long.add_log(row, lines), ["x-crash-12ab"])
        self.assertEqual(row["finds"], 1)

    def test_an_interrupted_run_finds_nothing(self):
        lines = [*LOG, "11.0 ==1== libFuzzer: run interrupted; exiting", "11.0 Test unit written to x-crash-12ab"]
        self.assertEqual(long.add_log(long.empty_row("csv"), lines), [])

    def test_the_edges_of_another_build_count_from_0(self):
        row = long.empty_row("csv")
        long.add_log(row, ["0.0 build a", *LOG])
        long.add_log(row, ["0.0 build a", "0.5 #12\tINITED cov: 105 ft: 230", "9.0 ended with 0"])
        self.assertEqual((row["edges"], row["quiet_seconds"]), (105, 16))
        long.add_log(row, ["0.0 build b", "0.5 #12\tINITED cov: 90 ft: 80", "9.0 ended with 0"])
        self.assertEqual(row, {"target": "csv", "executions": 1024, "edges": 90, "features": 80, "corpus": 0,
                               "seconds": 28, "quiet_seconds": 8, "finds": 0, "build": "b"})

    def test_failures(self):
        started, found = "0.5 #12\tINITED cov: 90 ft: 80", "8.0 Test unit written to ./crash-1"
        for lines, failure in ((LOG, ""), ([started, "9.0 ended with 0"], ""), ([found, "9.0 ended with 77"], ""),
                               ([f"9.0 ==1== {long.INTERRUPTED}; exiting", "9.0 ended with 72"], ""),
                               (["0.0 build a", "0.0 no libz.so", "0.0 ended with 127"], "ended with 127; no libz.so"),
                               ([started, "9.0 ended with -9"], "ended with -9; #12\tINITED cov: 90 ft: 80"),
                               (["0.0 build a", "0.0 ended with 0"], "ended with 0"),
                               (["0.0 build a", "0.0 Exec format error"], "it ran no input; Exec format error")):
            self.assertEqual(long.failure_of(lines), failure)

    def test_nothing(self):
        row = long.empty_row("csv")
        self.assertEqual(long.add_log(row, ["0.0 ended with 1"]), [])
        self.assertEqual(row, long.empty_row("csv"))


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name).resolve()
        (self.build / "tests").mkdir()
        for target, crashes in (("csv", 0), ("tsv", 1)):
            self.build_anew(target, FUZZER.format(python=sys.executable, crashes=crashes))

    def run_long(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            status = long.main([str(self.build), *words])
        return status, out.getvalue(), long.read_table(self.build / "long.csv")

    def build_anew(self, target, text):
        program = self.build / "tests" / f"fuzz_{target}"
        program.write_text(text)
        program.chmod(0o755)

    def test_turns(self):
        with mock.patch.object(long, "SLICE", 4):
            status, _, rows = self.run_long("0.0045", "csv")  # 16.2 s, of which none is used
        self.assertEqual(status, 0)
        self.assertEqual((rows["csv"]["executions"], rows["csv"]["edges"]), (4 * 70, 52))
        self.assertEqual([file.name for file in (self.build / "corpus" / "csv").iterdir()], ["kept"])
        self.assertEqual(rows["csv"]["corpus"], 1)

    def test_a_find_ends_a_target(self):
        status, said, rows = self.run_long("0.01", "tsv")
        self.assertEqual((status, rows["tsv"]["executions"], rows["tsv"]["finds"]), (1, 70, 1))
        self.assertIn("find: x-crash-1\n", said)

    def test_what_is_done_is_left_out(self):
        row = long.empty_row("csv") | {"quiet_seconds": long.DONE, "executions": 5,
                                       "build": long.build_id(self.build, "csv")}
        long.write_table(self.build / "long.csv", {"csv": row})
        self.assertEqual(self.run_long("1", "csv"), (0, "", {"csv": row}))

    def test_what_is_built_anew_is_not_done(self):
        table = self.build / "long.csv"  # of before there was the column `build`
        table.write_text("target,executions,edges,features,corpus,seconds,quiet_seconds,finds\n"
                         f"csv,5,900,900,1,{long.DONE},{long.DONE},0\n")
        with mock.patch.object(long, "SLICE", 1):
            _, _, rows = self.run_long("0.0003", "csv")
        self.assertEqual((rows["csv"]["executions"], rows["csv"]["edges"]), (75, 50))
        self.assertGreaterEqual(rows["csv"]["seconds"], long.DONE)
        self.assertLess(rows["csv"]["quiet_seconds"], long.DONE)

    def test_a_fuzzer_that_fails_is_an_error(self):
        self.build_anew("json", "#!/bin/sh\necho no libz.so >&2\nexit 127\n")
        self.build_anew("text", "#!/no/such/program\n")
        status, said, rows = self.run_long("0.001", "json", "text", "csv")
        self.assertEqual((status, rows["json"]["executions"]), (1, 0))
        self.assertIn("dev: fuzz_json failed: ended with 127; no libz.so\n", said)
        self.assertIn("dev: fuzz_text failed: it ran no input; No such file or directory\n", said)
        self.assertNotIn("fuzz_csv failed", said)
        self.assertGreater(rows["csv"]["executions"], 0)
        with self.assertRaisesRegex(SystemExit, "fuzz_tsv cannot start: .*fuzz_tsv: No such file"):
            (self.build / "tests" / "fuzz_tsv").unlink()
            self.run_long("1", "csv", "tsv")

    def test_logs_of_another_machine(self):
        folder = self.build / "logs"
        folder.mkdir()
        (folder / "csv.log").write_text("\n".join(LOG))
        _, _, rows = self.run_long("--add", str(folder))
        self.assertEqual((rows["csv"]["executions"], rows["csv"]["edges"]), (1000, 105))

    def test_refusals(self):
        for words in ((), ("soon",), ("1", "nothing")):
            with self.assertRaises(SystemExit):
                self.run_long(*words)


if __name__ == "__main__":
    unittest.main()
