#!/usr/bin/env python3
"""The best partners of each row: akin join --top K against packages of PyPI, whole processes in turns.

    python3 bench/top.py AKIN DATA [--left 1000] [--right 100000] [--top 3] [--runs 5] [--only jaccard,levenshtein]

AKIN is the command. DATA is a folder of data with text/titles.txt.zst; names of people are made by akin generate. Both
sides read two files of lines and write a file of pairs, on one thread. Figures are medians of seconds of user time,
which other programs on the machine disturb less than elapsed time, and the median of the ratios of the runs, theirs /
akin. A package that is not there is left out, and said so.
"""
import argparse, csv, importlib.util, os, pathlib, resource, statistics, subprocess, sys, tempfile

JOBS = [
    # name, words of akin, package, the call of the package
    ("jaro-winkler", ["--similarity", "jaro-winkler", "--floored", "--boost-threshold", "0.7"], "rapidfuzz", "cdist"),
    ("levenshtein", ["--similarity", "levenshtein"], "rapidfuzz", "cdist"),
    ("jaccard", ["--tokens", "qgrams:3", "--jaccard"], "scipy", "product"),
    ("cosine", ["--tokens", "qgrams:3", "--cosine"], "sparse_dot_topn", "product"),
]
ROWS = 100  # left rows at a time, so that results of all pairs have room


def write_best(out, first, similarities, k):
    """Writes the k best columns of each row of an array."""
    import numpy
    for i, row in enumerate(similarities):
        best = numpy.argpartition(row, -k)[-k:]
        for j in best[numpy.argsort(-row[best], kind="stable")]:
            if row[j] > 0:
                out.write(f"{first + i},{j},{row[j]}\n")


def strings(name, left, right, k, out):
    import numpy
    from rapidfuzz.distance import JaroWinkler, Levenshtein
    from rapidfuzz.process import cdist
    scorer = JaroWinkler.similarity if name == "jaro-winkler" else Levenshtein.normalized_similarity
    for first in range(0, len(left), ROWS):
        write_best(out, first, cdist(left[first:first + ROWS], right, scorer=scorer, dtype=numpy.float32, workers=1), k)


def vectors(left, right):
    from sklearn.feature_extraction.text import CountVectorizer
    made = CountVectorizer(analyzer="char", ngram_range=(3, 3), lowercase=False, binary=True, dtype="float32").fit(
        left + right
    )
    return made.transform(left), made.transform(right)


def jaccard(left, right, k, out):
    import numpy
    a, b = vectors(left, right)
    sizes = numpy.asarray(b.sum(axis=1)).ravel()
    turned = b.T.tocsr()
    for i in range(len(left)):
        common = a[i] @ turned
        similar = common.data / (a[i].nnz + sizes[common.indices] - common.data)
        best = numpy.argpartition(similar, -k)[-k:] if len(similar) > k else numpy.arange(len(similar))
        for j in best[numpy.argsort(-similar[best], kind="stable")]:
            out.write(f"{i},{common.indices[j]},{similar[j]}\n")


def cosine(left, right, k, out):
    from sklearn.preprocessing import normalize
    from sparse_dot_topn import sp_matmul_topn
    a, b = (normalize(m) for m in vectors(left, right))
    best = sp_matmul_topn(a, b.T.tocsr(), top_n=k, sort=True, n_threads=1)
    for i in range(best.shape[0]):
        for at in range(best.indptr[i], best.indptr[i + 1]):
            out.write(f"{i},{best.indices[at]},{best.data[at]}\n")


def peer(name, left, right, k, path):
    left, right = (open(p, encoding="utf-8").read().rstrip("\n").split("\n") for p in (left, right))
    with open(path, "w", encoding="utf-8") as out:
        if name == "jaccard":
            jaccard(left, right, k, out)
        elif name == "cosine":
            cosine(left, right, k, out)
        else:
            strings(name, left, right, k, out)


def user_time(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"top: {' '.join(words)}: status {done.returncode}: {done.stderr[-300:]}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def best_of(path):
    """The best similarities of each left row, best first."""
    found = {}
    for row, _, similarity in (words for words in csv.reader(open(path)) if words[0] != "left"):
        found.setdefault(int(row), []).append(float(similarity))
    return {row: sorted(values, reverse=True) for row, values in found.items()}


def agreement(ours, theirs):
    """The share of left rows whose best similarities are the same on both sides, as far as single precision can say."""
    a, b = best_of(ours), best_of(theirs)
    same = sum(
        len(a[row]) == len(b[row]) and all(abs(x - y) < 1e-6 for x, y in zip(a[row], b[row]))
        for row in a.keys() & b.keys()
    )
    return same / max(1, len(a.keys() | b.keys()))


def make_lines(akin, data, room, left, right):
    """Files of lines: titles, and names of people. The left rows are not among the right ones."""
    made = []
    titles = data / "text/titles.txt.zst"
    if titles.exists():
        lines = subprocess.run(
            f"zstd -dc {titles} | head -n {2 * (left + right)}", shell=True, capture_output=True, text=True
        ).stdout.split("\n")[:-1]
        made.append(("titles", lines[::2], lines[1::2]))
    else:
        print(f"titles: skipped: there is no {titles}")
    people = room / "people.csv"
    subprocess.run(
        [akin, "generate", "records", "--records", str(left + right), "-o", str(people)], check=True,
        capture_output=True
    )
    names = [
        f"{row['given_name']} {row['surname']}".strip() or "-" for row in csv.DictReader(open(people, encoding="utf-8"))
    ]
    made.append(("people", names[right:], names))
    for name, some, many in made:
        for side, lines, count in (("left", some, left), ("right", many, right)):
            (room / f"{name}.{side}.txt").write_text("".join(line + "\n" for line in lines[:count]), encoding="utf-8")
    return [name for name, _, _ in made]


def compare(o, room, data, job):
    name, words, package, _ = job
    if not importlib.util.find_spec(package):
        print(f"| {data} | {name} | skipped: {package} is not installed | | | |", flush=True)
        return
    left, right = (str(room / f"{data}.{side}.txt") for side in ("left", "right"))
    outs = [str(room / f"{side}.csv") for side in ("ours", "theirs")]
    ours = [
        o.akin, "join", left, right, "--input", "text", *words, "--top", str(o.top), "--threads", "1", "-q", "-o",
        outs[0]
    ]
    theirs = [sys.executable, __file__, "--peer", name, left, right, str(o.top), outs[1]]
    pairs = []
    for run in range(o.runs):
        times = {}
        for side in ((0, 1), (1, 0))[run % 2]:
            times[side] = user_time((ours, theirs)[side])
        pairs.append((times[0], times[1]))
    ratios = sorted(b / a for a, b in pairs)
    a, b = (statistics.median(side) for side in zip(*pairs))
    print(
        f"| {data} | {name} | {a:.3g} | {package} {b:.3g} | {statistics.median(ratios):.3g} ({ratios[0]:.3g} to "
        f"{ratios[-1]:.3g}) | {agreement(*outs):.4f} |",
        flush=True
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin"), parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--left", type=int, default=1000), parser.add_argument("--right", type=int, default=100000)
    parser.add_argument("--top", type=int, default=3), parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="")
    o = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    print(
        "| data | measure | akin, s | peer, s | peer / akin | rows that agree |\n| --- | --- | --- | --- | --- | --- |",
        flush=True
    )
    with tempfile.TemporaryDirectory() as room:
        for data in make_lines(o.akin, o.data, pathlib.Path(room), o.left, o.right):
            for job in JOBS:
                if not o.only or job[0] in o.only.split(","):
                    compare(o, pathlib.Path(room), data, job)


if len(sys.argv) > 1 and sys.argv[1] == "--peer":
    peer(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]), sys.argv[6])
else:
    main()
