#!/usr/bin/env python3
"""Near-duplicates on Spark by akin, by Spark's MinHashLSH and by text-dedup: seconds, and recall of the exact pairs.

usage: cluster_peers.py ROWS|FILE [--rows N] [--text-dedup PYTHON] [--cores 2] [--memory 2] [--only akin,spark,...]

ROWS texts of 60 to 300 words are made up. One in 10 is another one with 1 to 12 words changed, so that some pairs are
just above the threshold, and some below. FILE has a text in each line (.zst too). All find pairs of Jaccard 0.8 in the
sets of 5 successive words. The exact pairs are those of akin.near_duplicates on one machine.

    akin          akin.spark.near_duplicates, in executors with one core each
    spark         pyspark.ml.feature in the same executors: RegexTokenizer, NGram(5), HashingTF(binary) and MinHashLSH
                  with 5 hash tables, as Spark's guide has it; approxSimilarityJoin, whose last step compares the sets
                  exactly. HashingTF has 2^30 places, so that hardly any two shingles are one
    text-dedup    python -m text_dedup.minhash of an environment that has it, with its documented options: 5-grams, 250
                  permutations, threshold 0.7, on all cores; with the start of its process. It makes clusters and no
                  pairs: a pair is found if both rows are in one cluster
    datasketch    where there is no --text-dedup but the package datasketch: MinHash and MinHashLSH with the same
                  options, in one process. Its pairs are candidates, as those of text-dedup are

"beyond" counts the pairs found that are not exact ones. The environments:

    ./dev cluster-test spark                     # makes build/cluster/spark
    python3 -m venv build/peers && build/peers/bin/pip install text-dedup==0.4.0
    for rows in 1e4 1e5; do
        build/cluster/spark/bin/python bench/cluster_peers.py $rows --text-dedup build/peers/bin/python --memory 6
    done
"""

import argparse
import importlib.util
import itertools
import os
import pathlib
import pickle
import random
import re
import shutil
import subprocess
import tempfile
import types

import akin
import cluster_rows as made
import pyarrow as pa
import pyarrow.parquet as pq
from cluster import Spark, least_of, seconds

JACCARD, SHINGLE, TABLES, PERMUTATIONS, THRESHOLD = 0.8, 5, 5, 250, 0.7


def texts_of(given, rows):
    """The texts of a file, or made-up ones."""
    if os.path.exists(given):
        return made.lines_of(given)[:rows]
    count = int(float(given))
    draw = random.Random(1)
    lengths = sorted(draw.randint(60, 300) for _ in range(count))
    drawn = made.Rows(made.zipf()[:100_000], SHINGLE).draw([length - SHINGLE + 1 for length in lengths], 1)
    texts = drawn.to_pylist() if not isinstance(drawn, list) else drawn
    draw.shuffle(texts)
    for at in range(9, count, 10):
        words = texts[draw.randrange(at)].split()
        for _ in range(draw.randint(1, 12)):
            words[draw.randrange(len(words))] = "changed"
        texts[at] = " ".join(words)
    return texts


def by_akin(spark, frame, folder, options):
    from akin import spark as aks

    found = aks.near_duplicates(frame, on="text", id="id", jaccard=JACCARD, tokens=f"words:{SHINGLE}").collect()
    return {(row.left_id, row.right_id) for row in found}


def by_spark(spark, frame, folder, options):
    from pyspark.ml import Pipeline
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
    from pyspark.sql import functions as F

    sets = Pipeline(stages=[
        RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W"),
        NGram(n=SHINGLE, inputCol="words", outputCol="shingles"),
        HashingTF(inputCol="shingles", outputCol="set", binary=True, numFeatures=2**30),
    ]).fit(frame).transform(frame).where(F.size("shingles") > 0).select("id", "set")  # fmt: skip
    model = MinHashLSH(inputCol="set", outputCol="hashes", numHashTables=TABLES, seed=1).fit(sets)
    hashed = model.transform(sets).cache()
    near = model.approxSimilarityJoin(hashed, hashed, 1 - JACCARD + 1e-9, distCol="distance")
    pairs = near.select(F.col("datasetA.id").alias("left"), F.col("datasetB.id").alias("right")).where("left < right")
    found = {(row.left, row.right) for row in pairs.collect()}
    hashed.unpersist()
    return found


def pairs_of(clusters):
    return {pair for members in clusters.values() for pair in itertools.combinations(sorted(members), 2)}


class Forest(pickle.Unpickler):
    """Reads the union-find structure of text-dedup without its package."""

    def find_class(self, module, name):
        return types.SimpleNamespace if module.startswith("text_dedup") else super().find_class(module, name)


def by_text_dedup(spark, frame, folder, options):
    command = [
        os.path.abspath(options.text_dedup), "-m", "text_dedup.minhash", "--path", "parquet", "--data_files",
        f"{folder}/rows/*.parquet", "--split", "train", "--cache_dir", f"{folder}/cache", "--output", f"{folder}/out",
        "--column", "text", "--batch_size", "10000", "--num_proc", str(options.cores), "--debug",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(done.stdout[-2000:])
    clusters = {}
    with open(f"{folder}/out/uf.pkl", "rb") as file:
        parents = Forest(file).load().parent

    def root(row):
        while parents[row] != row:
            row = parents[row]
        return row

    for row in parents:
        clusters.setdefault(root(row), []).append(row)
    return pairs_of(clusters)


def by_datasketch(spark, frame, folder, options):
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    found = set()
    for row, text in enumerate(options.texts):
        words = [word for word in re.split(r"\W", text.lower()) if word]
        shingles = {" ".join(words[at : at + SHINGLE]).encode() for at in range(len(words) - SHINGLE + 1)}
        if not shingles:
            continue
        signature = MinHash(num_perm=PERMUTATIONS)
        signature.update_batch(shingles)
        found |= {(other, row) for other in index.query(signature)}
        index.insert(row, signature)
    return found


PEERS = {"akin": by_akin, "spark": by_spark, "text-dedup": by_text_dedup, "datasketch": by_datasketch}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("given", metavar="ROWS|FILE")
    parser.add_argument("--rows", type=lambda value: int(float(value)), help="of FILE, at most")
    parser.add_argument("--text-dedup", metavar="PYTHON")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", type=int, default=2, help="GB of an executor (%(default)s)")
    parser.add_argument("--only", help="the programs, with commas")
    options = parser.parse_args()
    options.texts = texts_of(options.given, options.rows)
    chosen = options.only.split(",") if options.only else list(PEERS)
    if not options.text_dedup:
        chosen = [name for name in chosen if name != "text-dedup"]
    elif not options.only:
        chosen.remove("datasketch")
    if "datasketch" in chosen and not importlib.util.find_spec("datasketch"):
        print("datasketch is not installed, so it is left out")
        chosen.remove("datasketch")
    table = pa.table({"id": pa.array(range(len(options.texts)), pa.int64()), "text": options.texts})
    how = {"on": "text", "jaccard": JACCARD, "tokens": f"words:{SHINGLE}", "threads": options.cores}
    akin.near_duplicates(table.slice(0, 1000), **how)
    pairs, alone = seconds(lambda: akin.near_duplicates(table, **how))
    exact = set(zip(pairs["left"], pairs["right"], strict=True))
    size = sum(map(len, options.texts)) / 1e6
    print(f"{len(table):,} texts, {size:.1f} MB, {len(exact):,} pairs; akin, {options.cores} threads: {alone:.2f} s")
    folder = tempfile.mkdtemp(prefix="akin-peers-")
    pathlib.Path(folder, "rows").mkdir()
    spark = frame = None
    try:
        if {"akin", "spark"} & set(chosen):
            spark = Spark(options.cores, options.memory)
            frame = spark.frame(table, f"{folder}/rows")
            least_of(frame.mapInArrow(lambda batches: batches, frame.schema).selectExpr("max(length(text))").collect)
        else:
            pq.write_table(table, f"{folder}/rows/0.parquet")
        for name in chosen:
            found, took = seconds(lambda name=name: PEERS[name](spark, frame, folder, options))
            recall = len(found & exact) / max(1, len(exact))
            print(
                f"{name:12} {took:9.2f} s   recall {recall:.4f}   {len(found):,} pairs, {len(found - exact):,} beyond",
                flush=True,
            )
    finally:
        if spark:
            spark.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
