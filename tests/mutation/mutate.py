#!/usr/bin/env python3
"""Tests the tests: changes one place of the code that filters and decides at a time, and runs the tests of that file.

    tests/mutation/mutate.py [--build FOLDER] [--limit N] [--seed S] [--jobs J] [--again] [FILE...]

FOLDER has been built by the preset `mutation`; `./dev mutate` does that first. N mutants of each file are drawn
(default: 8; 0: all), and the same ones for the same seed (default: 1). A mutant is

    same       the compiler makes the same code of it as of the file, or of an earlier mutant of the file
    killed     a test fails, or does not end in time
    known      no test fails, and tests/mutation/known.tsv says why no result can differ
    SURVIVED   no test fails: the exit status is then 1

What does not compile or link is no mutant. FOLDER/mutants.csv lists all of them, FOLDER/survivors.txt those that
survived, with their lines. Times count the processor, so that a busy machine fails no test."""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

import mutants

ROOT = pathlib.Path(__file__).resolve().parents[2]
KNOWN = pathlib.Path(__file__).with_name("known.tsv")
REASONS = ("same results", "only speed", "sanitizers")
NO_PROGRAM = "it is not linked"
WALL = 120  # seconds, where a mutant waits for what never comes
MEMORY = 8 << 30

# What is mutated, and the tests that decide, the quick ones first. `differential` is the program of tests/differential.
JOINS = ["test_join_run", "test_join_counts", "property_join", "differential"]
TOPS = ["test_join_top", "property_top", "differential"]
MATCHES = ["test_match", "property_strings", "property_decisions", "property_top", "differential"]
NEAREST = ["test_search", "test_nearest_failures", "property_nearest", "property_index", "differential"]
TREES = ["test_trees_distance", "property_trees"]
NEAR = ["test_corpus_survivors", "test_corpus_near_duplicates", "property_documents"]
GRAMS = ["test_corpus_gram_search"]
REPEATS = ["test_corpus_repeats", "test_corpus_passages"]
GRAPHS = ["test_graphs_distance", "property_graphs"]
DEDUPE = ["test_dedupe", "property_dedupe", "property_decisions", "differential"]
FILES = {
    "src/base/ratio.c": ["test_base_ratio"],
    "src/sets/measure.c": ["test_sets_measure", "test_join_threshold", *JOINS],
    "src/sets/measure.h": ["test_sets_measure", "test_join_threshold", *JOINS, "property_top"],
    "src/join/threshold.c": ["test_join_threshold", *JOINS],
    "src/join/technique.c": [*JOINS, "test_join_shares", "test_join_failures"],
    "src/join/prefix.c": ["test_join_prefix", *JOINS],
    "src/join/prefix_join.c": [*JOINS, "test_join_failures"],
    "src/join/verify.c": JOINS,
    "src/join/tile.c": JOINS,
    "src/join/bitmap.c": JOINS,
    "src/join/screened.c": JOINS,
    "src/join/top.h": TOPS,
    "src/join/top_probe.c": TOPS,
    "src/join/top_prefix.c": TOPS,
    "src/join/top_counted.c": TOPS,
    "src/signature/parity.c": ["test_signature_parity", "test_signature_screen", *JOINS],
    "src/signature/screen.c": ["test_signature_screen", *JOINS],
    "src/corpus/bag_prefix.c": NEAR,
    "src/corpus/frequencies.c": ["test_corpus_frequencies", *NEAR],
    "src/corpus/kept_index.c": NEAR,
    "src/corpus/shingles.c": ["test_corpus_shingles", *NEAR],
    "src/corpus/survivors.c": NEAR,
    "src/corpus/near_survive.c": ["test_corpus_near_duplicates", "property_documents"],
    "src/corpus/grams.c": GRAMS,
    "src/corpus/gram_scanner.c": GRAMS,
    "src/corpus/gram_automaton.c": GRAMS,
    "src/corpus/window_classes.c": REPEATS,
    "src/corpus/passages.c": REPEATS,
    "src/graphs/assignment.c": GRAPHS,
    "src/graphs/index.c": ["property_graphs"],
    "src/graphs/pair.c": GRAPHS,
    "src/graphs/search.c": GRAPHS,
    "src/graphs/side.c": ["property_graphs"],
    "src/graphs/state.c": GRAPHS,
    "src/graphs/state_branches.c": GRAPHS,
    "src/trees/reduce.c": TREES,
    "src/trees/sequence.c": TREES,
    "src/trees/band.c": TREES,
    "src/trees/band_trace.c": ["test_trees_distance"],
    "src/trees/verifier.c": TREES,
    "src/trees/index.c": ["property_trees"],
    "src/trees/side.c": ["property_trees"],
    "src/trees/best.c": ["property_trees"],
    "src/match/options.c": MATCHES,
    "src/match/match_cpu.c": [*MATCHES, "test_strings_failures"],
    "src/match/match_top.c": ["property_top", "differential"],
    "src/match/batch_search.c": [*MATCHES, "test_strings_failures"],
    "src/strings/cutoff.c": ["test_strings_cutoff", "test_strings", *MATCHES],
    "src/strings/decision.h": ["test_strings_cutoff", "test_strings", *MATCHES, "property_dedupe"],
    "src/strings/similarity.h": ["test_strings_cutoff", "test_strings", "test_strings_compare", *MATCHES],
    "src/strings/bag.h": ["test_strings_cutoff", "test_strings", *MATCHES, "property_dedupe"],
    "src/strings/bag.c": ["test_strings", *MATCHES, "property_dedupe"],
    "src/strings/bag_screen.c": ["test_strings_scan", "test_strings", *MATCHES],
    "src/strings/bag_screen.h": ["test_strings_scan", "test_strings", *MATCHES],
    "src/strings/counts.c": ["test_strings", *MATCHES],
    "src/strings/order.c": ["test_strings_cutoff", "property_top", "differential"],
    "src/strings/scan.c": ["test_strings", *MATCHES],
    "src/strings/segments.c": ["test_strings_segments", *MATCHES],
    "src/strings/slicer.c": ["property_top", *NEAREST],
    "src/strings/average.h": ["test_dedupe_average", *DEDUPE],
    "src/search/top.c": ["property_search", *NEAREST],
    "src/search/score.h": ["test_search_score", "property_search", "property_index"],
    "src/search/similar.c": ["test_search_score", "property_index", "property_vectors", "differential"],
    "src/search/nearest.c": NEAREST,
    "src/search/nearest_bags.c": NEAREST,
    "src/search/nearest_subsequences.c": NEAREST,
    "src/search/nearest_verify.c": NEAREST,
    "src/search/candidates.c": NEAREST,
    "src/search/rounds.c": [*NEAREST, "test_search_index_failures"],
    "src/rank/ranker.c": ["test_rank", "differential"],
    "src/rank/ranker_candidates.c": ["test_rank", "differential"],
    "src/dedupe/scorer.c": [*DEDUPE, "test_dedupe_scoring_failures"],
    "src/dedupe/matching.c": ["test_dedupe_partners", *DEDUPE, "test_dedupe_learn"],
    "src/learn/expected.c": ["test_learn_expected"],
}

# Fewer cases where that is enough; see tests/property/setting.h.
SETTINGS = {"AKIN_PROPERTY_STEP": "40", "AKIN_PROPERTY_CASES": "25"}
DIFFERENTIAL = ["--cases", "1000"]


class Build:
    """What CMake and Ninja know of a build: how objects are compiled and programs linked."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        entries = json.loads((self.folder / "compile_commands.json").read_text())
        self.compiles, self.sources = {}, {}
        for entry in entries:
            words = shlex.split(entry["command"])
            target = words[words.index("-o") + 1]
            self.compiles[target] = [word for word in words if not word.startswith("-W")]
            self.sources[target] = str(pathlib.Path(entry["file"]).relative_to(ROOT))
        self.includes, target = {}, None
        for line in self._ninja("-t", "deps").splitlines():
            if line and not line[0].isspace():
                target = line.split(":")[0]
            elif line.strip() and target in self.sources:
                name = (self.folder / line.strip()).resolve()
                if name.is_relative_to(ROOT):
                    self.includes.setdefault(str(name.relative_to(ROOT)), []).append(target)
        self.links = {}
        self.headers = [path.read_text() for path in sorted((ROOT / "src").glob("*/*.h"))]

    def _ninja(self, *arguments):
        command = ["ninja", "-C", self.folder, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def link_of(self, program):
        if program not in self.links:
            line = self._ninja("-t", "commands", "-s", program).strip().splitlines()[-1]
            line = line.removeprefix(": && ").removesuffix(" && :")
            self.links[program] = [word for word in shlex.split(line) if word != "ccache"]
        return self.links[program]

    def target_of(self, test):
        return "python/_akin.abi3.so" if test == "differential" else f"tests/{test}"

    def objects_of(self, file, tests, function):
        """The objects that a file is compiled into: of the libraries, and of these tests. Of a header those alone whose
        sources name the function, or one of a header that calls it."""
        ours = {word for test in tests for word in self.link_of(self.target_of(test)) if word.endswith(".o")}
        made = []
        for target in sorted(self.includes.get(file, [])):
            is_of_library = self.sources[target].startswith("src/")
            if is_of_library or (target in ours and target.startswith("tests/")):
                made.append(target)
        if not file.endswith(".h"):
            return made
        users = mutants.users_of(function, self.headers)
        word = re.compile(rf"\b(?:{'|'.join(users)})\b")
        return [target for target in made if word.search((ROOT / self.sources[target]).read_text())]

    def compile(self, target, folder, file, text):
        """The object, from a tree in which one file has another text; None: it does not compile."""
        source = self.sources[target]
        for name in (file, source):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if source != file:
            shutil.copy(ROOT / source, folder / source)
        (folder / file).write_text(text)
        words = list(self.compiles[target])
        made = folder / target
        made.parent.mkdir(parents=True, exist_ok=True)
        words[words.index("-o") + 1] = str(made)
        words[words.index("-c") + 1] = str(folder / source)
        words[1:1] = [f"-I{folder}/src", "-w"]
        strict = ["-Werror=implicit-function-declaration", "-Werror=int-conversion"]
        done = subprocess.run([*words, *strict], cwd=self.folder, capture_output=True)
        return made if done.returncode == 0 else None

    def link(self, test, folder, objects):
        """A program of a test with these objects, by target, in place of those of the build."""
        target = self.target_of(test)
        words = [str(objects.get(word, word)) for word in self.link_of(target)]
        added = [str(made) for name, made in objects.items() if str(made) not in words and "akin_objects" in name]
        first = next(i for i, word in enumerate(words) if word.endswith(".a"))
        words[first:first] = added  # before the archive, which is then not asked for what they define
        made = folder / pathlib.Path(target).name
        words[words.index("-o") + 1] = str(made)
        subprocess.run(words, cwd=self.folder, check=True, capture_output=True)
        return made


def package_of(made, folder):
    """A folder with the Python package, and that extension."""
    package = folder / "akin"
    package.mkdir()
    for path in (ROOT / "python" / "akin").iterdir():
        if path.name != "__pycache__":
            (package / path.name).symlink_to(path)
    (package / made.name).symlink_to(made)
    return folder


def run(test, made, folder, seconds):
    """Runs a test: 0 where it passed, and the seconds of the processor that it took."""
    command, variables = [str(made)], {**os.environ, **SETTINGS, "TMPDIR": str(folder)}
    if test == "differential":
        variables["PYTHONPATH"] = str(package_of(made, folder))
        variables["PYTHONDONTWRITEBYTECODE"] = "1"
        command = [sys.executable, str(ROOT / "tests/differential/differential.py"), *DIFFERENTIAL]

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (MEMORY // 8, MEMORY // 8))

    child = subprocess.Popen(
        command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, preexec_fn=limit, start_new_session=True,
    )
    try:
        child.wait(WALL)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    return child.returncode


class Trial:
    """Compiles the mutants of files, and runs tests."""

    def __init__(self, build, jobs):
        self.build, self.pool = build, concurrent.futures.ThreadPoolExecutor(jobs)
        self.space = pathlib.Path(tempfile.mkdtemp(prefix="akin-mutate-"))
        self.seconds = {}

    def measure(self, tests):
        """How long each test may take: several times what it takes as the code is."""
        for test in tests:  # one by one, because what children took is added up
            folder = self.space / test
            folder.mkdir()
            made = self.build.link(test, folder, {})
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            status = run(test, made, folder, 600)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            if status != 0:
                sys.exit(f"mutate: {test} fails as the code is: status {status}")
            self.seconds[test] = math.ceil(4 * used) + 3
            print(f"{test}: {used:.1f} s", file=sys.stderr, flush=True)
            shutil.rmtree(folder)

    def folder_of(self, number, file):
        return self.space / f"{file.replace('/', '.')}.{number}"

    def compile(self, number, file, text, targets):
        """The objects of a file with that text, by target; None: it does not compile."""
        objects = {}
        for target in targets:
            made = self.build.compile(target, self.folder_of(number, file), file, text)
            if not made:
                return None
            objects[target] = made
        return objects

    def judge(self, number, file, objects):
        """The test that fails, or None."""
        failed = None
        for test in FILES[file]:
            folder = self.folder_of(number, file) / f"{test}.run"
            folder.mkdir()
            try:
                made = self.build.link(test, folder, objects)
            except subprocess.CalledProcessError:
                return NO_PROGRAM
            status = run(test, made, folder, self.seconds[test])
            shutil.rmtree(folder)
            if status != 0:
                failed = test if status != -signal.SIGXCPU and status != -signal.SIGKILL else f"{test} (time)"
                break
        shutil.rmtree(self.folder_of(number, file))
        return failed


def known():
    """By the name of a mutant: the class of the reason, and the reason."""
    table = {}
    for line in KNOWN.read_text().splitlines() if KNOWN.exists() else []:
        if line and not line.startswith("#"):
            name, kind, reason = line.split("\t")
            if kind not in REASONS:
                sys.exit(f"mutate: {KNOWN.name}: '{kind}' is none of {', '.join(REASONS)}")
            table[name] = (kind, reason)
    return table


def survivors_of(folder):
    """The names of the mutants that survived the last time."""
    with open(folder / "mutants.csv", newline="", encoding="utf-8") as rows:
        return {"{file}: {function}: {was} => {now}".format(**row)
                for row in csv.DictReader(rows) if row["verdict"] == "SURVIVED"}


def try_file(trial, file, limit, seed, reasons, again):
    """Compiles mutants of a file, and begins to run tests: the futures of these, and a function that waits for them,
    and returns all mutants with what became of each: (mutant, verdict, remark)."""
    text = (ROOT / file).read_text()
    every = mutants.mutants_of(file, text)
    stale = [name for name in reasons if name.startswith(f"{file}: ") and name not in {m.name() for m in every}]
    if stale:
        sys.exit("mutate: known.tsv lists what is no mutant (any more):\n" + "\n".join(stale))
    chosen = mutants.drawn(every, limit or len(every), seed)
    if again is not None:
        chosen = [mutant for mutant in every if mutant.name() in again]
    numbers = range(len(chosen))
    targets = [trial.build.objects_of(file, FILES[file], mutant.function) for mutant in chosen]
    own = trial.compile("own", file, text, sorted({target for each in targets for target in each}))
    own = {target: made.read_bytes() for target, made in own.items()}
    compiled = list(trial.pool.map(lambda i: trial.compile(i, file, chosen[i].of(text), targets[i]), numbers))
    seen, verdicts, running = {(): "the file"}, {}, {}
    for i in numbers:
        if compiled[i] is None:
            continue
        changed = {target: made for target, made in compiled[i].items() if made.read_bytes() != own[target]}
        content = tuple((target, made.read_bytes()) for target, made in changed.items())
        if content in seen:
            verdicts[i] = ("same", f"as {seen[content]}")
        else:
            seen[content] = f"line {chosen[i].line}: {chosen[i].now}"
            running[i] = trial.pool.submit(trial.judge, i, file, changed)

    def finish():
        for i, future in running.items():
            failed, name = future.result(), chosen[i].name()
            if failed == NO_PROGRAM:
                continue
            if failed:
                verdicts[i] = ("killed", failed)
            else:
                verdicts[i] = ("known", ": ".join(reasons[name])) if name in reasons else ("SURVIVED", "")
        return [(chosen[i], *verdicts[i]) for i in sorted(verdicts)]

    return list(running.values()), finish


HEAD = f"{'file':34} {'mutants':>8} {'same':>6} {'killed':>7} {'known':>6} {'survived':>9}"


def row_of(name, verdicts):
    counts = [sum(verdict == each for verdict in verdicts) for each in ("same", "killed", "known", "SURVIVED")]
    return f"{name:34} {len(verdicts):8} {counts[0]:6} {counts[1]:7} {counts[2]:6} {counts[3]:9}"


def write(folder, found):
    """Writes the files; what survived, as text."""
    with open(folder / "mutants.csv", "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(("file", "line", "function", "kind", "verdict", "remark", "was", "now"))
        for m, verdict, remark in found:
            writer.writerow((m.file, m.line, m.function, m.kind, verdict, remark, m.was, m.now))
    survivors = [m for m, verdict, _ in found if verdict == "SURVIVED"]
    said = [f"{m.file}:{m.line}: {m.function}: {m.kind}\n  - {m.was}\n  + {m.now}\n" for m in survivors]
    (folder / "survivors.txt").write_text("".join(said))
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build/mutation")
    parser.add_argument("--limit", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again", action="store_true", help="try those alone that survived the last time")
    parser.add_argument("--list", action="store_true", help="print the mutants, and try none")
    parser.add_argument("--targets", action="store_true", help="print what the build must have")
    parser.add_argument("files", nargs="*", metavar="FILE")
    asked = parser.parse_args()
    files = [os.path.relpath(file, ROOT) if os.path.exists(file) else file for file in asked.files] or list(FILES)
    for file in files:
        if file not in FILES:
            sys.exit(f"mutate: the table in mutate.py does not have {file}")
    tests = list(dict.fromkeys(test for file in files for test in FILES[file]))
    if asked.targets:
        print(*("akin_python" if test == "differential" else test for test in tests))
        return
    if asked.list:
        for file in files:
            every = mutants.mutants_of(file, (ROOT / file).read_text())
            for mutant in mutants.drawn(every, asked.limit or len(every), asked.seed):
                print(f"{mutant.file}:{mutant.line}: {mutant.kind}: {mutant.was} => {mutant.now}")
        return
    os.nice(10)
    build, reasons = Build(asked.build), known()
    again = survivors_of(build.folder) if asked.again else None
    trial, found = Trial(build, asked.jobs), []
    try:
        trial.measure(tests)
        print(HEAD, flush=True)
        begun = []
        for file in files:
            begun.append((file, *try_file(trial, file, asked.limit, asked.seed, reasons, again)))
            while begun and (file == files[-1] or all(future.done() for future in begun[0][1])):
                name, _, finish = begun.pop(0)
                found += (tried := finish())
                print(row_of(name, [verdict for _, verdict, _ in tried]), flush=True)
                write(build.folder, found)
    finally:
        trial.pool.shutdown(cancel_futures=True)
        shutil.rmtree(trial.space)
    print(row_of("all", [verdict for _, verdict, _ in found]))
    survivors = write(build.folder, found)
    print("".join(survivors), end="")
    sys.exit(len(survivors) > 0)


if __name__ == "__main__":
    main()
