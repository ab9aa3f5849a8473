#!/usr/bin/env python3
"""Fails calls of the C library in small jobs, one in each run: memory, system calls, streams and threads. Other calls
are interrupted by signals, or move fewer bytes than they were asked to.

    tests/cli/faults.py AKIN FAULTY [OPTION...]

FAULTY is the library of faulty.c. A job runs without failures first, which counts the calls of each class, and finds
the stacks of callers. Then every stack is failed once, in the first job that has it. Calls that run out fail alone, and
with all later ones. A job runs in an empty folder, in one with older files, and in both where the file system makes no
files without a name.

A job with a failed call either ends with status 0, and its files are as ever; or with 1 or 2 and a message with the
reason, and its files are as they were before. It never crashes nor waits for ever, and leaves no hidden or temporary
files. Calls that are interrupted or move few bytes change nothing.

First it compares the functions that AKIN and each --library import with those that FAULTY has. It exits with 1 if
there is a fault."""
import argparse
import collections
import concurrent.futures
import ctypes
import dataclasses
import errno
import gzip
import os
import pathlib
import queue
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HIDDEN = re.compile(r"\.akin-[0-9a-f]{16}")
OLD = b"an older file\n"
SECONDS = 60  # after which a job is taken to wait for ever
NO_RANDOM_ADDRESSES = 0x0040000
GROWN = re.compile(rb"left,right,answer\n([\w-]+,[\w-]+,(yes|no|unsure)\n)+")  # a file of answers, at any time
EVERY = 2  # how often calls fail that must be harmless in any number


@dataclasses.dataclass(frozen=True)
class Fault:
    """What a class of calls fails with, and what must become of it."""

    number: int
    words: tuple = ()  # one of these is in the message, besides what the system calls the number
    is_harmless: bool = False  # the job must succeed all the same, also if every second call fails
    stays: bool = False  # it is also tried that all later calls fail
    leaves: bool = False  # hidden files may be left, which the next job removes


FAULTS = {
    "memory": Fault(errno.ENOMEM, ("memory",), stays=True),
    "map": Fault(errno.ENOMEM, ("memory",), stays=True),
    "unmap": Fault(errno.ENOMEM, is_harmless=True),
    "open": Fault(errno.EMFILE, stays=True),
    "close": Fault(errno.EIO),
    "read": Fault(errno.EIO, stays=True),
    "write": Fault(errno.ENOSPC, stays=True),
    "short_read": Fault(0, is_harmless=True),
    "short_write": Fault(0, is_harmless=True),
    "interrupt": Fault(errno.EINTR, is_harmless=True),
    "sync": Fault(errno.EIO),
    "name": Fault(errno.EIO, stays=True),
    "unlink": Fault(errno.EIO, leaves=True),
    "size": Fault(errno.ENOSPC, stays=True),
    "seek": Fault(errno.EIO),
    "status": Fault(errno.EIO),
    "owner": Fault(errno.EPERM),
    "folder": Fault(errno.EIO),
    "lock": Fault(errno.ENOLCK, stays=True),
    "thread": Fault(errno.EAGAIN, ("memory", "thread"), stays=True),
    "object": Fault(errno.ENOMEM, ("memory", "thread"), stays=True),
    "wait": Fault(errno.ENOMEM, ("memory",), stays=True),
    "system": Fault(errno.EINVAL),
}

# Messages that need no other reason: what cannot be looked at is refused like what is not as it should be.
SAFE = ("only there may a job write", "missing --input table: the format of records", "expected a folder, as several",
        "records: is a directory", "records is plain text, whose column is text")

# Imported functions that are not failed, by the reason.
NOT_FAILED = {
    "cannot fail": """__ctype_b_loc __ctype_tolower_loc __cxa_finalize __errno_location __gmon_start__ __libc_start_main
        __sched_cpucount __stack_chk_fail __tls_get_addr _exit
        _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable atan atan2 ceil dirfd
        erfc exp expm1 feof ferror fileno floor fmax fmin free getenv getpid
        globfree ldexp lgamma llrint llround log log1p
        log2 memchr memcmp memcpy memmove memset nextafterf qsort round sigemptyset sigfillset sqrt strcasecmp strchr
        strcmp strcspn strlen strncasecmp strncmp strnlen strpbrk strrchr strspn strstr stderr stdin stdout""",
    "say nothing that depends on the system": """__isoc99_sscanf snprintf sprintf strtod strtol strtoul strtoull
        vsnprintf""",
    "fail only where the caller is wrong": """clock_gettime pthread_attr_destroy pthread_cond_broadcast
        pthread_cond_destroy pthread_cond_signal pthread_cond_timedwait pthread_condattr_destroy pthread_join
        pthread_mutex_destroy pthread_mutex_lock pthread_mutex_unlock raise sigdelset""",
    "have no result that says so": "rewind",
    "only write a text, or say that they cannot": "__xpg_strerror_r strerror",
    "take memory, which fails": "strdup strndup",
    "are of other libraries, whose memory fails": """crc32 deflate deflateEnd deflateInit2_ inflate inflateEnd
        inflateInit2_ inflateReset zlibVersion""",
}
OTHER_LIBRARIES = re.compile(r"ZSTD_|XXH3?_?|sb_stemmer_|utf8proc_|akin_|Py|_Py")


@dataclasses.dataclass(frozen=True)
class Job:
    """A job, the files that it writes into the folder out, and those that it needs there."""

    line: str
    names: tuple
    given: dict = dataclasses.field(default_factory=dict)  # name in out: a file that is there before
    typed: bytes = b""
    grows: tuple = ()  # files that get line after line, and keep those that they got
    folder: str = None  # where finished files stay if the job fails; the next job goes on with the others


# What is read: made by akin, in the folder in which all run.
MADE = (
    "generate sets --sets 60 --tokens 30 --average 8 --seed 1 -q -o sets.txt",
    "generate sets --sets 50 --tokens 30 --average 8 --seed 2 -q -o others.txt",
    "generate sets --sets 12000 --tokens 1500 --average 12 --spread 3 --duplicates 0.5 --seed 1 -q -o many.txt",
    "generate records --records 60 --duplicates 0.5 --most-copies 1 --seed 1 --linked copies.csv -q -o originals.csv "
    "--gold gold.csv",
    "generate records --records 120 --duplicates 0.5 --seed 3 -q -o people.csv --gold known.csv",
    "generate records --records 40 --duplicates 0.5 --seed 4 -q -o few.csv",
    "generate sets --sets 40 --tokens 30 --average 8 --seed 3 -q -o sets-saved.akin",
    "generate text --documents 60 --vocabulary 200 --seed 1 -q -o text.txt",
    "generate text --documents 20 --vocabulary 200 --seed 2 -q -o more.txt",
    "index text.txt --kind bm25 --documents blank-line --tokens words -q -o text.akin",
    "index sets.txt --kind sets -q -o sets.akin",
    "dictionary build text.txt -q -o words.akin",
    "dedupe people.csv --id id -q -o clusters.csv --pairs pairs.csv --save-job job.json --model model.json",
    "join sets.txt --input text --tokens whitespace --jaccard 0.4 -q -o joined.csv",
)
ONE = " --threads 1"
RULES = "--compare surname:jaro-winkler --compare given_name:jaro --window 10:surname --threshold 0.9 --id id"
JOBS = {
    "join": Job("join sets.txt --input text --tokens whitespace --jaccard 0.4 -o out/pairs.csv" + ONE, ("pairs.csv",)),
    "join-two": Job("join sets.txt others.txt.gz --dice 0.4 --threads 2 -q -o out/pairs.csv",
                    ("pairs.csv",)),
    "join-top": Job("join sets.txt --jaccard 0.1 --top 2 -q -o -" + ONE, ()),
    "join-memory": Job("join many.txt --input text --tokens words --jaccard 0.3 --memory 16M -q "
                       "-o out/pairs.csv" + ONE, ("pairs.csv",)),
    "join-strings": Job("join people.csv --on surname --id id --levenshtein 1 -q -o out/pairs.jsonl" + ONE,
                        ("pairs.jsonl",)),
    "join-sync": Job("join sets.txt --input text --tokens words --jaccard 0.4 -q --sync -o out/pairs.csv "
                     "--deduplicated out/one.txt" + ONE,
                     ("pairs.csv", "one.txt")),
    "dedupe": Job(f"dedupe people.csv {RULES} -o out/clusters.csv --pairs out/pairs.csv --deduplicated out/one.csv "
                  "--merged out/merged.csv --report out/report.html --gold known.csv" + ONE,
                  ("clusters.csv", "pairs.csv", "one.csv", "merged.csv", "report.html")),
    "dedupe-learn": Job("dedupe people.csv --id id -o out/clusters.csv --pairs out/pairs.csv --save-job out/job.json "
                        "--model out/model.json --report out/report.html" + ONE,
                        ("clusters.csv", "pairs.csv", "job.json", "model.json", "report.html")),
    "dedupe-threads": Job("dedupe people.csv --id id -q --threads 3 -o out/clusters.csv", ("clusters.csv",)),
    "dedupe-model": Job("dedupe few.csv --id id --model model.json -q -o out/clusters.csv" + ONE, ("clusters.csv",)),
    "dedupe-job": Job("dedupe --job job.json -q -o out/clusters.csv" + ONE, ("clusters.csv",)),
    "dedupe-similar": Job("dedupe people.csv --similar surname:jaccard:.4:qgrams:2 --compare surname:jaro-winkler "
                          "--threshold 0.9 --id id -q --threads 2 -o out/clusters.csv", ("clusters.csv",)),
    "compare-matrix": Job("compare --files people.csv --on surname=given_name --scorer osa --matrix -q --threads 2 "
                          "-o out/cells.npy", ("cells.npy",)),
    "link": Job("link originals.csv copies.csv --id id --gold gold.csv -o out/linked.csv --pairs out/pairs.csv" + ONE,
                ("linked.csv", "pairs.csv")),
    "label": Job("label few.csv --id id --answers out/answers.csv -q -o out/clusters.csv --limit 4" + ONE,
                 ("answers.csv", "clusters.csv"), typed=b"y\nn\nb\ny\nu\n", grows=("answers.csv",)),
    "label-more": Job("label few.csv --id id --answers out/answers.csv -q --limit 2" + ONE, ("answers.csv",),
                      given={"answers.csv": "answered.csv"}, typed=b"y\ny\n", grows=("answers.csv",)),
    "label-page": Job("label few.csv --id id --answers answers.csv --page out/page.html --limit 3 -q" + ONE,
                      ("page.html",)),
    "index-sets": Job("index sets.txt --kind sets -q -o out/sets.akin" + ONE, ("sets.akin",)),
    "index-text": Job("index text.txt --kind bm25 --documents blank-line --tokens words -q -o out/text.akin" + ONE,
                      ("text.akin",)),
    "index-strings": Job("index text.txt --kind strings --ngram 2 -q -o out/strings.akin" + ONE, ("strings.akin",)),
    "index-append": Job("index others.txt.gz --append out/grown.akin -q" + ONE, ("grown.akin",),
                        given={"grown.akin": "sets.akin"}),
    "search": Job("search text.akin more.txt.zst -k 3 -q -o out/found.csv" + ONE, ("found.csv",)),
    "search-sets": Job("search sets.akin others.txt.gz -k 3 -q -o out/found.jsonl" + ONE, ("found.jsonl",)),
    "rank": Job("rank text.akin more.txt.zst -k 3 -q -o out/run.trec" + ONE, ("run.trec",)),
    "weigh": Job("weigh text.txt more.txt.zst --documents blank-line -q -o out/weights.tsv" + ONE, ("weights.tsv",)),
    "weigh-npz": Job("weigh text.txt --documents blank-line -q -o out/weights.npz" + ONE,
                     ("weights.npz", "weights.vocabulary.tsv")),
    "dictionary": Job("dictionary build more.txt.zst -q -o out/words.akin", ("words.akin",)),
    "dictionary-lookup": Job("dictionary lookup words.akin text.txt -q -o out/ids.txt", ("ids.txt",)),
    "evaluate": Job("evaluate pairs.csv known.csv", ()),
    "evaluate-clusters": Job("evaluate clusters.csv known.csv", ()),
    "compare": Job("compare MARTHA MARHTA --scorer jaro-winkler", ()),
    "compare-files": Job("compare --files people.csv people.csv --left-on given_name --right-on surname --scorer jaro "
                         "-q -o out/scores.csv" + ONE,
                         ("scores.csv",)),
    "generate": Job("generate records --records 50 --duplicates 0.5 --seed 5 -q -o out/made.csv --gold out/gold.csv",
                    ("made.csv", "gold.csv")),
    "folder": Job("dedupe records --compare surname:exact --block surname --threshold 1 -q -o out/clusters.csv "
                  "--deduplicated out/one" + ONE, ("clusters.csv", "one/people.csv", "one/few.csv.gz"),
                  folder="one"),
    "corpus-near": Job("corpus near-duplicates records --on given_name,surname --tokens words --keep longest "
                       "--jaccard 1 --removed out/removed.csv --kept out/one" + ONE,
                       ("removed.csv", "one/people.csv", "one/few.csv.gz"), folder="one"),
    "corpus-near-memory": Job("corpus near-duplicates people.csv --on given_name,surname --tokens qgrams:3 -q "
                              "--memory 16M --ignore-frequent 20 --keep postcode:desc --threads 2 --kept out/one.csv",
                              ("one.csv",)),
    "corpus-components": Job("corpus near-duplicates people.csv --on given_name,surname --tokens qgrams:2 -q "
                             "--jaccard 0.6 --components --removed out/removed.jsonl" + ONE, ("removed.jsonl",)),
    "corpus-overlap": Job("corpus overlap few.csv records --items-on given_name,surname --on surname --words 2 "
                          "--kept out/one -o out/hits.csv" + ONE,
                          ("hits.csv", "one/people.csv", "one/few.csv.gz"), folder="one"),
    "corpus-repeats": Job("corpus repeats people.csv --on given_name,surname --id id --length 8 --memory 16M -q "
                          "-o out/passages.csv" + ONE, ("passages.csv",)),
    "corpus-repeats-kept": Job("corpus repeats records --on surname --words 1 -q -o out/passages.csv "
                               "--kept out/one" + ONE,
                               ("passages.csv", "one/people.csv", "one/few.csv.gz"), folder="one"),
    "join-saved": Job("join sets-saved.akin --jaccard 0.3 -q -o out/pairs.csv" + ONE, ("pairs.csv",)),
    "info": Job("info text.akin", ()),
}


@dataclasses.dataclass(frozen=True)
class Variant:
    """How a job finds the folder out."""

    name: str
    has_old: bool  # files of the names are there
    is_named: bool  # the file system makes no files without a name


VARIANTS = (Variant("fresh", False, False), Variant("older", True, False), Variant("named", False, True),
            Variant("older-named", True, True))


@dataclasses.dataclass(frozen=True)
class Trial:
    job: str
    variant: Variant
    fault: str
    call: int
    later: int = 0


@dataclasses.dataclass
class Outcome:
    status: int
    said: str  # on standard error
    printed: bytes
    log: str
    files: dict
    left: list  # in the folder out and in TMPDIR, that should not be there


def zstd_of(content):
    """A frame of zstd, of one raw block."""
    return struct.pack("<IBI", 0xFD2FB528, 0xA0, len(content)) + struct.pack("<I", len(content) << 3 | 1)[:3] + content


def content_of(path):
    """The bytes of a file, but for the numbers of a report, some of which are seconds. None: there is no file."""
    content = path.read_bytes() if path.is_file() else None
    if content and path.suffix == ".json":  # a number may be a text where memory is short
        content = re.sub(rb'": "(\d+)"', rb'": \1', content)
    return re.sub(rb"[0-9.]+", b"", content) if content and path.suffix == ".html" else content


class Place:
    """A folder in which one job runs at a time."""

    def __init__(self, akin, faulty, folder, made):
        self.akin, self.faulty, self.folder, self.out, self.temporary = (
            akin, faulty, folder, folder / "out", folder / "temporary")
        for made_folder in (folder, self.out, self.temporary):
            made_folder.mkdir()
        for path in made.iterdir():
            if path.is_file():
                os.link(path, folder / path.name)
            else:
                shutil.copytree(path, folder / path.name)
        self.environment = {**os.environ, "TMPDIR": str(self.temporary), "LC_ALL": "C",
                            "XDG_CACHE_HOME": str(folder / "cache")}

    def prepare(self, job, variant):
        for folder in (self.out, self.temporary):
            shutil.rmtree(folder)
            folder.mkdir()
        for name in job.names if variant.has_old else ():
            if name not in job.grows and name != "model.json" and "/" not in name:  # these would be read
                (self.out / name).write_bytes(OLD)
        for name, path in job.given.items():
            (self.out / name).write_bytes((self.folder / path).read_bytes())
        return {name: content_of(self.out / name) for name in job.names}

    def run(self, job, variant, settings):
        """Runs a job; settings are for faulty.c."""
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        environment = {**self.environment, "LD_PRELOAD": str(self.faulty), "FAULTY_LOG": str(log),
                       **({"FAULTY_NAMED": "1"} if variant.is_named else {}), **settings}
        try:
            done = subprocess.run([self.akin, *job.line.split()], cwd=self.folder, env=environment, input=job.typed,
                                  capture_output=True, timeout=SECONDS, check=False)
            status, printed, said = done.returncode, done.stdout, done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            status, printed, said = -9999, b"", f"no end after {SECONDS} s"
        files = {name: content_of(self.out / name) for name in job.names}
        return Outcome(status, said, printed, log.read_text() if log.exists() else "", files, self.left(job))

    def left(self, job):
        found = {str(path.relative_to(self.out)) for path in self.out.rglob("*") if path.is_file()}
        if job.folder:
            found.discard(f"{job.folder}/.akin-manifest")
        return sorted(found - set(job.names)) + os.listdir(self.temporary)



def reasons_of(fault):
    return {os.strerror(FAULTS[fault].number).lower(), *FAULTS[fault].words, *SAFE} - {""}


def files_wrong(job, before, new, outcome):
    """The files that are neither as they were, nor new and said to be."""
    for name in job.names:
        found, is_new = outcome.files[name], outcome.files[name] == new[name]
        if found == before[name] or (is_new and f"{name} has been written all the same" in outcome.said):
            continue
        if name in job.grows and (not found or GROWN.fullmatch(found)):
            continue
        if job.folder and is_new and name.startswith(f"{job.folder}/"):
            continue
        yield f"{name} is {'new' if is_new else 'neither old nor new'}, though the job failed"


def faults_of(job, trial, before, expected, outcome):
    """What is wrong with an outcome: texts."""
    fault = FAULTS[trial.fault]
    if outcome.status < 0 or outcome.status not in (0, 1, 2):
        yield f"exit status {outcome.status}"
        return
    if outcome.status == 0:
        if outcome.printed != expected.printed:
            yield "printed something else"
        for name in job.names:
            if outcome.files[name] != expected.files[name]:
                yield f"{name} differs, though the job succeeded"
        return
    if fault.is_harmless:
        yield f"exit status {outcome.status}"
    if not outcome.said.strip():
        yield "no message"
    elif not any(words in outcome.said.lower() for words in reasons_of(trial.fault)):
        yield "the message lacks the reason"
    if "failed" not in outcome.log:
        yield "failed by itself"
    yield from files_wrong(job, before, expected.files, outcome)


class Faults:
    """All jobs, and what has happened in them."""

    def __init__(self, akin, faulty, folder):
        self.akin, self.faulty, self.folder = os.path.abspath(akin), os.path.abspath(faulty), folder
        self.places, self.expected, self.plans = queue.Queue(), {}, {}
        self.counts, self.texts = collections.defaultdict(collections.Counter), collections.Counter()
        self.examples = {}

    def make(self, threads):
        """Makes what the jobs read, and the places that they run in."""
        made = self.folder / "made"
        made.mkdir()
        (made / "answers.csv").write_text("left,right,answer\n")
        (made / "answered.csv").write_text("left,right,answer\nrec-0-org,rec-1-org,no\n")
        for line in MADE:
            done = subprocess.run([self.akin, *line.split()], cwd=made, capture_output=True, check=False)
            if done.returncode:
                sys.exit(f"akin {line}: {done.stderr.decode()}")
        (made / "records").mkdir()
        (made / "records" / "people.csv").write_bytes((made / "people.csv").read_bytes())
        (made / "records" / "few.csv.gz").write_bytes(gzip.compress((made / "few.csv").read_bytes(), mtime=0))
        (made / "others.txt.gz").write_bytes(gzip.compress((made / "others.txt").read_bytes()))
        (made / "more.txt.zst").write_bytes(zstd_of((made / "more.txt").read_bytes()))
        for i in range(threads):
            self.places.put(Place(self.akin, self.faulty, self.folder / f"place{i}", made))

    def count(self, name, variant):
        """Runs a job without failures; the calls and stacks of each class."""
        place = self.places.get()
        try:
            place.prepare(JOBS[name], variant)
            outcome = place.run(JOBS[name], variant, {})
        finally:
            self.places.put(place)
        if outcome.status or outcome.left:
            sys.exit(f"akin {JOBS[name].line}: {outcome.status}: {outcome.said} {outcome.left}")
        other = self.expected.get((name, VARIANTS[0].name), outcome)
        if (outcome.files, outcome.printed) != (other.files, other.printed):
            sys.exit(f"akin {JOBS[name].line}: {variant.name}: the files differ")
        self.expected[name, variant.name] = outcome
        calls, firsts = {}, collections.defaultdict(list)
        for line in outcome.log.splitlines():
            what, fault, number, *rest = line.split()
            if what == "calls":
                calls[fault] = int(number)
            else:
                firsts[fault].append((int(number), rest[0]))
        return calls, firsts

    def try_out(self, trial):
        """Runs a job with a failure, and looks at what has become of it."""
        job, fault = JOBS[trial.job], FAULTS[trial.fault]
        settings = {"FAULTY_CLASS": trial.fault, "FAULTY_CALL": str(trial.call), "FAULTY_ERROR": str(fault.number),
                    "FAULTY_LATER": str(trial.later)}
        place = self.places.get()
        try:
            before = place.prepare(job, trial.variant)
            outcome = place.run(job, trial.variant, settings)
            left = outcome.left
            if left and fault.leaves:
                left = self.run_again(place, trial).left
            again = self.run_again(place, trial).files if outcome.status and job.folder else None
        finally:
            self.places.put(place)
        texts = list(faults_of(job, trial, before, self.expected[trial.job, trial.variant.name], outcome))
        if again and again != self.expected[trial.job, trial.variant.name].files:
            texts.append("the next job does not complete the folder")
        return trial, outcome, texts + [f"left behind: {'hidden file' if HIDDEN.fullmatch(x) else x}" for x in left]

    def run_again(self, place, trial):
        """The next job, in which nothing fails."""
        return place.run(JOBS[trial.job], trial.variant, {"FAULTY_CLASS": "none"})

    def keep(self, trial, outcome, texts):
        happened = "not reached" if "failed" not in outcome.log else "harmless" if outcome.status == 0 else "refused"
        self.counts[trial.job, trial.fault][happened] += 1
        function = outcome.log.split()[1] if "failed" in outcome.log else "nothing"
        for text in texts:
            what = (trial.job, trial.fault, function, text, outcome.said.strip()[-300:] if outcome.status else "")
            self.texts[what] += 1
            self.examples.setdefault(what, trial)


def spread(calls, most):
    """At most that many of some calls, evenly spread."""
    return calls if not most or len(calls) <= most else [calls[i * len(calls) // most] for i in range(most)]


def plan(faults, names, classes, every, most):
    """The failures to try: each stack once, in the first job that has it, or every call."""
    seen = set()
    for variant in VARIANTS:
        for name in names:
            calls, firsts = faults.count(name, variant)
            if set(calls) != set(FAULTS):
                sys.exit("faulty.c and faults.py have other classes")
            for fault in classes:
                chosen = range(1, calls[fault] + 1) if every else [
                    call for call, stack in firsts[fault] if (fault, stack, variant.is_named) not in seen]
                seen |= {(fault, stack, variant.is_named) for call, stack in firsts[fault]}
                for call in spread(list(chosen), most):
                    yield Trial(name, variant, fault, call)
                about = FAULTS[fault]
                if calls[fault] and about.is_harmless:
                    yield Trial(name, variant, fault, 1, EVERY)
                for call in spread(list(chosen), (most or 24) // 3 + 1) if about.stays else ():
                    yield Trial(name, variant, fault, call, 1)


def symbols_of(path, which):
    """The functions that a program or library imports or has, by their plain names: a compiler also takes __NAME_chk,
    which checks the buffer of NAME, and __isoc23_NAME."""
    said = subprocess.run(["nm", "-D", which, path], capture_output=True, check=True).stdout.decode()
    names = {line.split()[-1].split("@")[0] for line in said.splitlines()}
    return {re.sub(r"^__(?:isoc\d\d_)?(\w+?)(?:_chk)?$", r"\1", name) for name in names}


def check_imports(paths, faulty):
    """The number of imports that are neither failed, nor have a reason not to be."""
    known = symbols_of(faulty, "--defined-only")
    known |= {re.sub(r"^__(?:isoc\d\d_)?", "", name) for names in NOT_FAILED.values() for name in names.split()}
    missing = {name for path in paths for name in symbols_of(path, "--undefined-only") - known
               if not OTHER_LIBRARIES.match(name)}
    for name in sorted(missing):
        print(f"{name}: imported, and neither failed by faulty.c nor in NOT_FAILED of faults.py")
    return len(missing)


def write_table(faults, path):
    """Failures by job and class: how many were harmless, and how many were refused."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("| job | class | failures | job succeeded | job refused | not reached |\n")
        file.write("|---|---|--:|--:|--:|--:|\n")
        for (job, fault), counts in faults.counts.items():
            file.write(f"| {job} | {fault} | {counts['harmless'] + counts['refused']} | {counts['harmless']} | "
                       f"{counts['refused']} | {counts['not reached']} |\n")


def report(faults):
    for (job, fault, function, text, said), number in sorted(faults.texts.items()):
        trial = faults.examples[job, fault, function, text, said]
        print(f"{job}, {fault}, {function}: {text} ({number} times, such as call {trial.call}"
              f"{' and later' if trial.later else ''}, {trial.variant.name}){': ' + said if said else ''}")
    total = sum((counts for counts in faults.counts.values()), collections.Counter())
    print(f"{total['harmless'] + total['refused']} failures: {total['harmless']} jobs succeeded all the same, "
          f"{total['refused']} said why not; {total['not reached']} calls were not reached; "
          f"{sum(faults.texts.values())} faults")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("faulty")
    parser.add_argument("--all", action="store_true", help="fail every call of every job")
    parser.add_argument("--most", type=int, default=0, metavar="N",
                        help="fail N calls of a class in a job, spread evenly (default: any number)")
    parser.add_argument("--job", action="append", choices=JOBS, metavar="NAME", help="try this job (default: all)")
    parser.add_argument("--class", dest="classes", action="append", choices=FAULTS, metavar="NAME",
                        help="fail calls of this class (default: of all)")
    parser.add_argument("--library", action="append", default=[], metavar="FILE",
                        help="a library whose imports are compared, too")
    parser.add_argument("--table", metavar="FILE", help="write the numbers of failures, by job and class, to FILE")
    asked = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    ctypes.CDLL(None).personality(NO_RANDOM_ADDRESSES)  # the same stack has the same number in every job
    missing = check_imports([asked.akin, *asked.library], asked.faulty)
    with tempfile.TemporaryDirectory(prefix="akin-faults.") as folder:
        faults = Faults(asked.akin, asked.faulty, pathlib.Path(folder))
        faults.make(threads)
        trials = list(plan(faults, asked.job or JOBS, asked.classes or FAULTS, asked.all, asked.most))
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            for trial, outcome, texts in pool.map(faults.try_out, trials):
                faults.keep(trial, outcome, texts)
    if asked.table:
        write_table(faults, asked.table)
    report(faults)
    return missing > 0 or sum(faults.texts.values()) > 0


if __name__ == "__main__":
    sys.exit(main())
