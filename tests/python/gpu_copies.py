"""Copies of indexes on a GPU: searches with them find what the CPU finds, and only the first call brings them there.

A test calls it where there is a GPU. By itself it needs nothing but the package, and prints how long calls take:
``python tests/python/gpu_copies.py``.
"""

import concurrent.futures
import random
import time

import akin


def timed(call, *arguments, **named):
    began = time.perf_counter()
    made = call(*arguments, **named)
    return made, time.perf_counter() - began


def check(rows=200_000, tell=lambda *said: None):
    draw = random.Random(11)
    words = [f"w{int(draw.paretovariate(0.5) * 20)}" for _ in range(50_000)]
    texts = [" ".join(draw.choices(words, k=12)) for _ in range(rows)]
    vectors = [[float(draw.randint(0, 99)) for _ in range(8)] for _ in range(rows // 10)]
    jobs = {
        "documents": (akin.Index.build(texts).search, texts[:500]),
        "ranking": (akin.bm25(texts).rank, texts[:500]),
        "vectors": (akin.Index.build(vectors, kind="vectors", functions=64).search, vectors[:500]),
        "signatures": (
            akin.Index.build([list(map(int, row)) for row in vectors], kind="signatures").search,
            [list(map(int, row)) for row in vectors[:500]],
        ),
        "strings": (akin.Index.build(texts[:20_000], kind="strings").search, texts[:100]),
    }
    for name, (search, asked) in jobs.items():
        expected, here = timed(search, asked, k=20, device="cpu")
        seconds = []
        for _ in range(4):
            found, taken = timed(search, asked, k=20, device="cuda")
            columns = [column for column in found.columns if column != "certificate"]
            assert all(found[column] == expected[column] for column in columns), name
            seconds.append(taken)
        tell(f"{name}: CPU {here:.4f} s; GPU", " ".join(f"{each:.4f}" for each in seconds), "s")
    index, kept = jobs["documents"][0].__self__, jobs["documents"][0].__self__._kept
    copy = kept._made
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda i: index.search(texts[i], k=5, device="cuda"), range(32)))
    assert found == [index.search(texts[i], k=5, device="cpu") for i in range(32)]
    assert copy is not None and kept._made is copy and found[0].stats["gpu"]


if __name__ == "__main__":
    if akin.info()["devices"]:
        check(tell=print)
    else:
        print("there is no GPU:", akin.info()["device"])
