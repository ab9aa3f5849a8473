#!/usr/bin/env python3
"""The exact nearest vectors: the command, which reads an index and writes its answer, against FAISS's flat index in
memory, in turns. It prints the median seconds of each, their ratio with its range, and whether the neighbours agree.

    bench/flat.py AKIN BASE.u8 QUERIES.u8 [RUNS]

BASE and QUERIES are matrices of bytes (docs/vectors.md). Needs numpy and faiss.
"""
import csv, pathlib, statistics, subprocess, sys, tempfile, time

import faiss, numpy

K = 10


def matrix(path):
    rows, columns = numpy.fromfile(path, dtype="<i4", count=2)
    return numpy.fromfile(path, dtype="u1", offset=8).reshape(rows, columns)


def timed(run):
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def main():
    akin, base, queries = sys.argv[1:4]
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    objects, asked = matrix(base).astype("f4"), matrix(queries).astype("f4")
    flat = faiss.IndexFlatL2(objects.shape[1])
    flat.add(objects)
    with tempfile.TemporaryDirectory() as folder:
        index, answer = f"{folder}/base.akin", pathlib.Path(folder, "answer.csv")
        subprocess.run([akin, "index", base, "--kind", "vectors", "--functions", "8", "-q", "-o", index], check=True)
        for threads in (1, 2):
            faiss.omp_set_num_threads(threads)
            command = [akin, "search", index, queries, "-k", str(K), "--rerank", str(len(objects)), "-q", "--threads",
                       str(threads), "-o", answer]
            seconds = {"akin": [], "faiss": []}
            for _ in range(runs):
                seconds["akin"].append(timed(lambda: subprocess.run(command, check=True))[0])
                taken, (far, _) = timed(lambda: flat.search(asked, K))
                seconds["faiss"].append(taken)
            with answer.open() as file:
                ours = numpy.array([float(row["distance"]) for row in csv.DictReader(file)]).reshape(-1, K)
            ratios = [f / a for a, f in zip(seconds["akin"], seconds["faiss"])]
            agree = numpy.allclose(ours, numpy.sqrt(far), rtol=1e-3, atol=1)
            print(f"{threads} thread(s): akin {statistics.median(seconds['akin']):.3f} s, FAISS {faiss.__version__} "
                  f"{statistics.median(seconds['faiss']):.3f} s, ratio {statistics.median(ratios):.1f} "
                  f"({min(ratios):.1f} to {max(ratios):.1f}), distances agree: {agree}", flush=True)


main()
