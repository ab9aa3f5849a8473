"""Jobs among threads, signals, callbacks; and whether anything is left behind."""

import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

import akin
from akin import generate, strings

LONG = """
import random, signal, time, akin
signal.signal(signal.SIGINT, signal.default_int_handler)  # which who runs in the background may be without
draw = random.Random(1)
words = [str(i) for i in range(300)]
rows = [" ".join(draw.choices(words, k=60)) for _ in range(60000)]
print("ready", flush=True)
try:
    akin.join(rows, jaccard="0.2", technique="allpairs", threads=2{arguments})
    print("done")
except {error} as error:
    print("stopped", time.time(), flush=True)
"""


def start(error, arguments=""):
    program = LONG.format(error=error, arguments=arguments)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    return child


def test_interrupt():
    child = start("KeyboardInterrupt")
    time.sleep(1.5)
    asked = time.time()
    child.send_signal(signal.SIGINT)
    words = child.communicate(timeout=60)[0].split()
    assert child.returncode == 0 and words[0] == "stopped"
    assert float(words[1]) - asked < 5  # 0.1 s where the machine has nothing else to do


class Told:
    """Progress that is reported never goes back, nor beyond its total, and comes to it."""

    def __init__(self):
        self.last, self.calls = None, 0

    def __call__(self, phase, done, total):
        assert isinstance(phase, str) and phase and 0 <= done and (done <= total or total == 0)
        if self.last is not None and not self.is_over():
            assert self.last[0] == phase and self.last[2] == total and self.last[1] <= done
        self.last = phase, done, total
        self.calls += 1

    def is_over(self):
        return self.last is None or self.last[2] in (0, self.last[1])


def table_of(rows):
    return {
        "text": rows, "id": [str(i) for i in range(len(rows))], "number": [str(i * 7 % 100) for i in range(len(rows))]
    }


def index_of(rows, run):
    vectors = [[float(i * j % 13) for j in range(1, 5)] for i in range(500)]
    sets = [[i % 50, i % 7 + 50] for i in range(2000)]
    made = [
        akin.Index.build(table_of(rows), "text", id="id", **run).append(
            table_of([r + "x" for r in rows]), "text", id="id", **run
        ),
        akin.Index.build(table_of(rows), kind="rows", numeric="number", **run),
        akin.Index.build(rows, kind="strings", ngram=2, **run).append(rows, **run),
        akin.Index.build(rows, kind="strings", **run),
    ]
    made[0].search(rows, k=2, **run)
    made[1].search({name: column[:50] for name, column in table_of(rows).items()}, k=2, **run)
    made[2].search(rows[:20], k=2, **run)
    made[3].search(rows[:20], k=2, **run)
    akin.Index.build(sets, kind="sets", **run).append(sets, **run).search(sets[:50], k=2, **run)
    akin.Index.build(vectors, kind="vectors", functions=9, **run).append(vectors, **run).search(
        vectors[:50], k=2, **run
    )


def files_of(rows, run):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for i, made in enumerate(
            [akin.Index.build(rows, kind="strings"), akin.bm25(rows).index, akin.Dictionary.build(rows)]
        ):
            made.save(f"{folder}/{i}.akin")
            type(made).open(f"{folder}/{i}.akin", **run)
        with open(f"{folder}/rows.txt", "w", encoding="utf-8") as file:
            file.writelines(f"{row}\n" for row in rows)
        akin.join(f"{folder}/rows.txt", jaccard=0.9, **run)


ALL = [("0", "1"), ("2", "3"), ("3", "4")]
TOLD = {
    "join": lambda rows, run: akin.join(rows, jaccard=0.5, **run),
    "join of two": lambda rows, run: akin.join(rows, rows[:500], cosine=0.8, **run),
    "join in little memory": lambda rows, run: akin.join(rows * 5, jaccard=0.9, memory="20MiB", **run),
    "join by each technique": lambda rows, run: [
        akin.join(rows, jaccard=0.5, technique=technique, **run)
        for technique in ("allpairs", "ppjoin", "groupjoin", "bitmap", "screened")
    ],
    "join of ids": lambda rows,
    run: akin.join([[i % 9, i % 5 + 9] for i in range(2000)], tokens="ids", jaccard=0.9, **run),
    "join with ids": lambda rows, run: akin.join(table_of(rows), on="text", id="id", jaccard=0.9, **run),
    "near-duplicates": lambda rows, run: akin.near_duplicates(rows, tokens="words:2", **run).keep,
    "components": lambda rows, run: akin.components([(0, 1), (1, 2)], 50, **run),
    "forest": lambda rows, run: akin.forest({"left_id": rows[1:], "right_id": rows[:-1]}, **run),
    "sizes": lambda rows, run: [
        akin.sizes(rows, tokens=tokens, **run) for tokens in ("words", "characters")
    ],
    "evaluate": lambda rows, run: (akin.evaluate(ALL, ALL, **run), akin.evaluate(ALL, ALL, closed=True, **run)),
    "curve": lambda rows, run: akin.evaluate_curve(*2 * [akin.join(rows[:500], jaccard=0.5)], **run),
    "dedupe": lambda rows, run: akin.dedupe(
        table_of(rows), "text:jaro", window=["5:text"], similar=["text:jaccard:0.8"], report=True, gold=[(0, 1)],
        fold="all", **run
    ),
    "dedupe of all": lambda rows,
    run: akin.dedupe({"text": rows[:500]}, "text:levenshtein:0.9", all_pairs=True, fold="all", **run),
    "link": lambda rows,
    run: akin.link(table_of(rows), table_of(rows[:99]), "text:jaro", window="3:text", fold="all", **run),
    "strings": lambda rows, run: (
        strings.compare(rows, rows[::-1], "jaro", **run),
        strings.cdist_sparse(rows[:500], cutoff=0.9, **run),
        strings.cdist_sparse(rows, rows[:50], scorer="levenshtein", distance=1, **run),
    ),
    "indexes": index_of,
    "bm25": lambda rows, run: akin.bm25(rows, stem="english", **run).rank(rows[:300], k=2, **run),
    "dictionary": lambda rows, run: akin.Dictionary.build(rows, **run).look_up(rows, **run),
    "files": files_of,
    "generate": lambda rows,
    run: (generate.records(9000, linked=True, **run), generate.sets(9000, **run), generate.text(300, **run)),
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", TOLD)
def test_progress_comes_to_its_total(name, threads, titles):
    told = Told()
    TOLD[name](titles[:3000], dict(threads=threads, device="cpu", progress=told))
    assert told.calls and told.is_over()


@pytest.mark.parametrize("name", TOLD)
def test_progress_may_stop_a_job_at_its_very_end(name, titles):
    """What was made by then is freed: the library has succeeded, and the call raises."""

    def stop(phase, done, total):
        if total and done == total:
            raise ZeroDivisionError(phase)

    if name != "dictionary":  # which has no total to come to
        with pytest.raises(ZeroDivisionError):
            TOLD[name](titles[:1000], dict(threads=1, device="cpu", progress=stop))


def test_progress_is_told_and_may_stop():
    told = []
    akin.join([f"row {i} of many rows" for i in range(20000)], jaccard=0.9, progress=lambda *said: told.append(said))
    assert told and all(isinstance(phase, str) and done <= (total or done) for phase, done, total in told)

    def stop(phase, done, total):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        akin.join([f"row {i} of many rows" for i in range(20000)], jaccard=0.9, progress=stop)


def test_threads(addresses):
    expected = akin.join(addresses, jaccard=0.5)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: akin.join(addresses, jaccard=0.5, threads=2), range(64)))
    assert all(table == expected for table in found)


def test_threads_share_indexes(addresses):
    """Different jobs at once, on objects that all threads have."""
    index, ranked = akin.Index.build(addresses), akin.bm25(addresses)
    nearest = akin.Index.build(addresses, kind="strings", ngram=2)
    jobs = [
        lambda: index.search(addresses[:50], k=5, threads=2),
        lambda: ranked.rank(addresses[:50], k=5, threads=2),
        lambda: nearest.search(addresses[:20], k=3, threads=2),
        lambda: strings.cdist_sparse(addresses, scorer="levenshtein", distance=2, threads=2),
        lambda: akin.dedupe({"a": addresses}, "a:jaro", window="5:a", threads=2),
        lambda: index.append(addresses, threads=2).search(addresses[:9]),
    ]
    expected = [job() for job in jobs]
    at_once = threading.Barrier(8)

    def work(i):
        at_once.wait(60)
        return [jobs[(i + j) % len(jobs)]() for j in range(len(jobs))]

    fresh = akin.bm25(addresses)  # whose index is made by whoever comes first
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(8)))
        assert all(table == expected[1] for table in pool.map(lambda _: fresh.rank(addresses[:50], k=5), range(16)))
    for i, tables in enumerate(found):
        assert all(table == expected[(i + j) % len(jobs)] for j, table in enumerate(tables))


def _search(asked):
    return SHARED.search(asked, k=3, threads=2)


def test_processes_share_an_index(addresses, tmp_path):
    global SHARED
    akin.Index.build(addresses).save(tmp_path / "shared.akin")
    SHARED = akin.Index.open(tmp_path / "shared.akin")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map(_search, [addresses[:30], addresses[30:60]] * 2)
    assert found == [SHARED.search(addresses[:30], k=3), SHARED.search(addresses[30:60], k=3)] * 2
    assert found[0].stats["queries"] == 30


LONGEST = 0.25  # seconds of processor time, which caches that others share make longer


class Listener:
    """Notes how long the longest time was in which Python heard no signals, in seconds of this thread, which others do
    not count in, nor does Python's own collection of garbage."""

    def __enter__(self):
        gc.collect()
        gc.disable()
        self.longest, self.last = 0.0, time.thread_time()
        self.before = signal.signal(signal.SIGALRM, self.hear)
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
        return self

    def hear(self, *_):
        now = time.thread_time()
        self.longest, self.last = max(self.longest, now - self.last), now

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        gc.enable()
        self.hear()
        signal.signal(signal.SIGALRM, self.before)


@pytest.fixture(scope="module")
def distinct():
    draw = random.Random(4)
    return [f"{draw.getrandbits(64):x} of a list" for _ in range(400_000)]


@pytest.fixture(scope="module")
def titles():
    draw = random.Random(2)
    words = [f"w{int(draw.paretovariate(0.5) * 20) % 10**6}" for _ in range(300_000)]
    return [" ".join(words[at : at + 4 + at % 9]) for at in (draw.randrange(299_000) for _ in range(100_000))]


LONG_JOBS = {
    "join": lambda rows, run: akin.join(rows, jaccard=0.8, **run),
    "bm25": lambda rows, run: akin.bm25(rows, stem="english", **run).rank(rows[:2000], **run),
    "cdist": lambda rows, run: strings.cdist_sparse(rows[:10_000], cutoff=0.95, **run),
    "documents": lambda rows, run: akin.Index.build(rows, **run).search(rows[:5000], **run),
    "strings": lambda rows, run: akin.Index.build(rows, kind="strings", ngram=3, **run).search(rows[:50], **run),
    "many of strings": lambda rows,
    run: akin.Index.build(rows[:20_000], kind="strings").search(rows[:9], k=9000, **run),
    "dedupe": lambda rows, run: akin.dedupe({"t": rows[:30_000]}, "t:jaro", window="20:t", fold="all", **run),
    "lists": lambda rows, run: akin.strings.compare(rows * 5, rows * 5, "exact", **run).to_dict(),
}


@pytest.mark.parametrize("name", LONG_JOBS)
def test_signals_are_heard(name, titles):
    with Listener() as listener:
        LONG_JOBS[name](titles, dict(threads=1, device="cpu"))
    assert listener.longest < LONGEST


def weights_of(rows, run):
    ranked = akin.bm25(rows * 4, **run)
    return lambda: ranked.weights


# Jobs on many strings that differ, or on few that are long. Each returns the work that follows once they are there.
ONE_BY_ONE = {
    "rows": lambda rows, run: lambda: akin.Index.build({"value": rows}, kind="rows", **run),
    "strings": lambda rows, run: lambda: akin.Index.build(rows, kind="strings", ngram=2, **run),
    "dictionary": lambda rows, run: lambda: akin.Dictionary.build(rows, **run),
    "components": lambda rows, run: lambda: akin.components({"left": [0], "right": [1]}, 20 * len(rows), **run),
}


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_signals_are_heard_where_strings_are_distinct(name, distinct):
    job = ONE_BY_ONE[name](distinct, dict(threads=1, device="cpu"))
    with Listener() as listener:
        job()
    assert listener.longest < LONGEST


def test_signals_are_heard_where_strings_are_long():
    rows = [f"number {i}, " * 5000 for i in range(3000)]
    with Listener() as listener:
        akin.Index.build(rows, kind="strings", threads=1)
    assert listener.longest < LONGEST


def test_signals_are_heard_while_weights_become_a_matrix(titles):
    pytest.importorskip("scipy")
    job = weights_of(titles, dict(threads=1, device="cpu"))
    with Listener() as listener:
        job()
    assert listener.longest < LONGEST


def test_others_run_meanwhile(addresses):
    ticks = []
    over = threading.Event()

    def tick():
        while not over.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    while time.monotonic() - began < 0.5:
        akin.join(addresses * 20, jaccard=0.9, threads=1)
    over.set()
    thread.join()
    assert len(ticks) > 50


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="there is no /proc")
def test_nothing_is_left_behind():
    pa = pytest.importorskip("pyarrow")
    column = pa.array([f"row {i % 20} of a table" for i in range(60)])
    rows = column.to_pylist()
    held = pa.total_allocated_bytes()

    def call(n):
        for i in range(n):
            table = akin.join(column if i % 2 else rows, overlap=5, threads=1)
            assert len(table.to_pyarrow()) == len(table) and len(table["left"]) == len(table)
            with pytest.raises(akin.OptionError):
                akin.join(column, jaccard=7, threads=1)
            with pytest.raises(TypeError):
                akin.join(rows[:5] + [3], jaccard=1, threads=1)

    call(1000)
    before = resident()
    call(10000)
    assert resident() - before < 8 << 20  # a frame of each call would be 100 MB
    del column
    assert pa.total_allocated_bytes() <= held


TEXTS = [f"red chair {i % 9}" for i in range(40)] + [None]
PEOPLE = {"name": TEXTS, "city": ["Ulm", "Bonn"] * 20 + ["x"]}
COMPARE = ["name:jaro:0.5", "city:exact"]


def fails(call, *arguments, **named):
    with pytest.raises(Exception):  # noqa: B017 - which one is tested elsewhere
        call(*arguments, **named)


def files(folder):
    akin.Index.build(TEXTS).save(folder / "i.akin")
    akin.Index.open(folder / "i.akin")
    akin.bm25(TEXTS).index.save(folder / "b.akin")
    akin.Index.open(folder / "b.akin")
    fails(akin.Dictionary.open, folder / "b.akin")


JOBS = {
    "info": lambda _: akin.info(),
    "join": lambda _: akin.join(PEOPLE, on=["name", "city"], jaccard=0.5, stop_words="english"),
    "a column that is not there": lambda _: fails(akin.join, PEOPLE, on="none", jaccard=0.5),
    "no such technique": lambda _: fails(akin.join, TEXTS, jaccard=0.5, technique="x"),
    "no text": lambda _: fails(akin.join, ["a", 1], jaccard=0.5),
    "stopped": lambda _: fails(akin.join, TEXTS, jaccard=0.5, progress=lambda *_: 1 / 0),
    "strings": lambda _: strings.jaro_winkler("martha", "marhta"),
    "no such scorer": lambda _: fails(strings.similarity, "martha", "marhta", "x"),
    "compare": lambda _: strings.compare(TEXTS, TEXTS, "jaro"),
    "cdist": lambda _: strings.cdist_sparse(TEXTS, TEXTS, scorer="levenshtein", distance=1),
    "components": lambda _: akin.components([(0, 1), (1, 2)], 41),
    "no such row": lambda _: fails(akin.components, [(1, 99)], 41),
    "evaluate": lambda _: akin.evaluate([(0, 1)], [(0, 9)]),
    "dedupe": lambda _: akin.dedupe(PEOPLE, COMPARE, block=["city"], similar=["name:jaccard:0.5"], fold="all"),
    "report": lambda at: akin.dedupe(PEOPLE, COMPARE, block="city", report=at / "r.html", gold=[(0, 1)]),
    "ids": lambda _: akin.join(
        {"i": [f"{i}" for i in range(41)], "name": TEXTS}, on="name", id="i", jaccard=0.9
    ).clusters,
    "ids twice": lambda _: fails(akin.join, PEOPLE, on="name", id="city", jaccard=0.9),
    "sets of ids": lambda _: akin.join([[1, 2], [2, 1]], [[1]], tokens="ids", jaccard=0.5),
    "near-duplicates": lambda _: akin.near_duplicates(TEXTS, tokens="words:2").keep,
    "stopped at the end": lambda _: fails(
        akin.join, TEXTS, jaccard=0.5, progress=lambda _, done, total: total == done and 1 / 0
    ),
    "matrix of weights": lambda _: (ranked := akin.bm25(TEXTS))._weights.matrix(ranked._run),
    "no folder": lambda at: fails(akin.bm25(TEXTS).index.save, at / "none" / "b.akin"),
    "dictionary": lambda at: (
        d := akin.Dictionary.build(TEXTS), d.save(at / "d.akin"), akin.Dictionary.open(at / "d.akin").look_up(TEXTS)
    ),
    "no dictionary": lambda at: fails(akin.Dictionary.build, TEXTS, kind="x"),
    "fixed vocabulary": lambda _: akin.bm25(TEXTS, dictionary=akin.Dictionary.build(["red"])).vocabulary,
    "curve": lambda _: akin.evaluate_curve({"left": [0], "right": [1], "similarity": [0.5]}, [(0, 1)]),
    "records": lambda _: generate.records(20, linked=True, duplicates=0.2),
    "made-up sets": lambda _: generate.sets(20),
    "made-up text": lambda _: generate.text(2, words={"a": 1, "b": 2}, length=(1, 1)),
    "no such pairs": lambda _: fails(akin.dedupe, PEOPLE, COMPARE, similar="name:jaccard:7", fold="all"),
    "bm25": lambda _: akin.bm25(TEXTS).rank(["red"], k=3),
    "names of documents": lambda at: (
        akin.bm25({"i": [f"{i}" for i in range(41)], "name": TEXTS}, "name", id="i").rank(
            {"q": ["a"], "t": ["red"]}, on="t", id="q"
        ).save(at / "run")
    ),
    "names twice": lambda _: fails(akin.bm25, PEOPLE, "name", id="city"),
    "names of queries": lambda _: akin.Index.build(PEOPLE, "name").search(
        {"q": ["a"], "t": ["red"]}, on="t", id="q", k=2
    ),
    "grown sets": lambda _: generate.grow([[1, 2], [3]], 3),
    "a number of bytes": lambda _: generate.text(bytes=50, words={"a": 1, "b": 2}, length=(1, 1)),
    "vocabulary": lambda _: akin.bm25(TEXTS).df,
    "rows": lambda _: akin.Index.build(PEOPLE, kind="rows").search(PEOPLE, k=2, weights={"city": 2}),
    "strings": lambda _: akin.Index.build(TEXTS, kind="strings", ngram=2).search(TEXTS, k=2),
    "sets": lambda _: akin.Index.build([[1, 2], [3]], kind="sets").append([[2]]).search([[2]], k=2),
    "vectors": lambda _: akin.Index.build([[1.0, 2.0]], kind="vectors", functions=5).search(
        [1.0, 2.0], truth=[[0]], k=1
    ),
    "other vectors": lambda _: fails(akin.Index.build([[1.0, 2.0]], kind="vectors", functions=5).search, [1.0]),
    "no vectors": lambda _: fails(akin.Index.build, [[1.0, 1e300]], kind="vectors"),
    "no sets": lambda _: fails(akin.Index.build, [[-1]], kind="sets"),
    "names": lambda _: akin.Index.build(PEOPLE, "name", id="city").search("red", k=2),
    "no numbers": lambda _: fails(akin.Index.build, PEOPLE, kind="rows", numeric="city"),
    "files": files,
    "pickles": lambda _: pickle.loads(pickle.dumps(akin.components([(0, 1)]))),
    "a stream that nobody reads": lambda _: akin.components([(0, 1)]).__arrow_c_stream__(),
    "buffers": lambda _: memoryview(akin.components([(0, 1)]).buffer("size")).tolist(),
}


SLOW = ("report", "records", "dictionary", "made-up sets")  # each call of these also leaves more behind


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="there is no /proc")
@pytest.mark.parametrize("name", JOBS)
def test_no_job_leaves_anything_behind(name, tmp_path):
    def call(times):
        for _ in range(times):
            JOBS[name](tmp_path)
        gc.collect()
        return resident(), sys.getallocatedblocks()

    few = 10 if name in SLOW else 1
    call(50 // few)
    rounds = []
    for _ in range(3):  # a leak grows each time; a heap for new threads, or a cache of Python's, does not
        bytes_before, blocks_before = call(1)
        bytes_after, blocks_after = call(200 // few)
        rounds.append((bytes_after - bytes_before, blocks_after - blocks_before))
        if rounds[-1][0] < 1 << 20 and rounds[-1][1] < 150:
            return
    raise AssertionError(f"bytes and blocks of Python that each round left behind: {rounds}")


def test_bars(capsys, monkeypatch):
    many = [f"row {i} of many rows" for i in range(20000)]
    expected = akin.join(many, jaccard=0.9)
    monkeypatch.setitem(sys.modules, "tqdm", None)  # as if it were not installed
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert akin.join(many, jaccard=0.9, progress=True, device="cpu") == expected
    line = capsys.readouterr().err
    assert "\r" in line and "%" in line and line.endswith(" \r")
    assert akin.join(many, jaccard=0.9, progress=False) == expected
    assert capsys.readouterr().err == ""


UNITS = ("B", " rows", " pairs", " queries", " strings", " terms")


def test_bars_of_tqdm(monkeypatch, titles):
    auto = pytest.importorskip("tqdm.auto")
    told = []

    class Bar:
        def __init__(self, desc, total, leave, unit=None, unit_scale=False, bar_format=None):
            self.n, self.total = 0, total
            assert not leave and (unit_scale and unit in UNITS or "rate" not in bar_format)
            told.append((desc, self))

        def update(self, more):
            self.n += more
            assert more >= 0 and self.n <= (self.total or self.n)

        def close(self):
            self.closed = True

    monkeypatch.setattr(auto, "tqdm", Bar)
    for name in TOLD:
        TOLD[name](titles[:3000], dict(threads=1, device="cpu", progress=True))
    assert told and all(bar.closed and bar.n == (bar.total or bar.n) for _, bar in told)
    many = [f"row {i} of many rows" for i in range(20000)]
    index = akin.Index.build(many, progress=True)
    index.search(many, k=50, progress=True)
    akin.join(many, jaccard=0.9, progress=True)
    assert told and all(phase and bar.closed for phase, bar in told)

    def stop(self, more):
        raise ZeroDivisionError

    monkeypatch.setattr(Bar, "update", stop)
    with pytest.raises(ZeroDivisionError):
        akin.join(many, jaccard=0.9, progress=True)
