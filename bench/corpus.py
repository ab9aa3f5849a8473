#!/usr/bin/env python3
"""Near-duplicates of whole collections: quality and price of akin and of packages of PyPI.

    python3 bench/corpus.py collect FOLDER [--titles FILE]    collections of files of this system, as lines of JSON
    python3 bench/corpus.py generate AKIN GB FILE [--seed N]  generated documents: a fifth of them are near-copies
    python3 bench/corpus.py run AKIN FILE... [--tools akin,rensa,...] [--rounds N]

Each tool reads a file of lines of JSON with `id` and `text`, in a process of its own, on the cores that there are, and
writes the ids that it removes. Shingles are runs of five words, and the threshold is a Jaccard similarity of 0.8.
The truth are all pairs that reach it, by `akin join`:

    false     removed documents that no kept document is like: text that is lost
    missed    kept documents that another kept document before them is like

Peers have their usual parameters. A tool that is not installed is left out, with a word."""

import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

THRESHOLD, WORDS = 0.8, 5


# ---------------------------------------------------------------------------------------------------------- collections


def write(path, texts):
    with open(path, "w", encoding="utf-8") as file:
        for id, text in enumerate(texts):
            file.write(json.dumps({"id": id, "text": text}) + "\n")


def files_under(roots, endings, least=200, most=1 << 20):
    """The texts of files, in the order of their paths."""
    for root in roots:
        for path in sorted(pathlib.Path(root).rglob("*")):
            if path.suffix in endings and path.is_file() and least <= path.stat().st_size <= most:
                yield path.read_text(encoding="utf-8", errors="replace").replace("\0", " ")


def collect(folder, titles):
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "python.jsonl", files_under(["/usr/lib/python3", "/usr/lib/python3.11"], {".py"}))
    write(folder / "headers.jsonl", files_under(["/usr/include"], {".h", ".hpp"}))
    pages = {".html", ".txt", ".md", ".pod"}
    write(folder / "manuals.jsonl", files_under(["/usr/share/doc", "/usr/share/perl"], pages))
    if titles:
        command = ["zstd", "-dc", titles] if titles.endswith(".zst") else ["cat", titles]
        lines = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace").splitlines()
        write(folder / "titles.jsonl", lines[:300000])


def generate(akin, gigabytes, path, seed):
    draw, size, count, recent = random.Random(seed + 1), 0, 0, []
    with open(path, "w", encoding="utf-8") as file:
        while size < gigabytes * 1e9:
            seed += 1
            made = subprocess.run([akin, "generate", "text", "--documents", "20000", "--vocabulary", "500000", "--seed",
                                   str(seed), "-q"], capture_output=True, text=True, check=True).stdout
            for text in made.replace("\n\n", "\0").replace("\n", " ").split("\0"):
                if recent and draw.random() < 0.25:
                    words = draw.choice(recent).split(" ")
                    for _ in range(int(len(words) * draw.choice((0, 0.005, 0.01, 0.02, 0.05)))):
                        words[draw.randrange(len(words))] = f"changed{draw.randrange(1000)}"
                    text = " ".join(words)
                elif len(recent) < 5000:
                    recent.append(text)
                else:
                    recent[draw.randrange(5000)] = text
                line = json.dumps({"id": count, "text": text}) + "\n"
                file.write(line)
                size, count = size + len(line), count + 1
    print(f"{count} documents, {size} bytes")


# ---------------------------------------------------------------------------------------------------------------- tools


def shingles_of(text):
    words = re.findall(r"[^\W_]+", text.lower())
    n = min(WORDS, len(words))
    return {" ".join(words[i:i + n]) for i in range(len(words) - n + 1)} if n else set()


def documents_of(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def of_akin(path, out, akin):
    subprocess.run([akin, "corpus", "near-duplicates", path, "--id", "id", "--jaccard", str(THRESHOLD), "--removed",
                    f"{out}.csv", "-q"], check=True)
    with open(f"{out}.csv", encoding="utf-8") as file:
        return [int(line.split(",")[0]) for line in file.readlines()[1:]]


def of_datasketch(path, out, akin):
    import datasketch

    index, removed = datasketch.MinHashLSH(threshold=THRESHOLD, num_perm=128), []
    for document in documents_of(path):
        sketch = datasketch.MinHash(num_perm=128)
        sketch.update_batch([shingle.encode() for shingle in shingles_of(document["text"])])
        if index.query(sketch):
            removed.append(document["id"])
        else:
            index.insert(document["id"], sketch)
    return removed


def of_rensa(path, out, akin):
    import rensa

    index, removed = rensa.RMinHashLSH(threshold=THRESHOLD, num_perm=128, num_bands=16), []
    for document in documents_of(path):
        sketch = rensa.RMinHash(num_perm=128, seed=42)
        sketch.update(list(shingles_of(document["text"])))
        if index.query(sketch):
            removed.append(document["id"])
        else:
            index.insert(document["id"], sketch)
    return removed


def of_text_dedup(path, out, akin):
    """Its program with its own 128 permutations, and 5-grams. It keeps the first document of each component."""
    command = [sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", path, "--split", "train",
               "--cache_dir", f"{out}.cache", "--output", f"{out}.kept", "--column", "text", "--batch_size", "10000",
               "--ngram", str(WORDS), "--min_length", "1", "--threshold", str(THRESHOLD), "--num_perm", "128",
               "--num_proc", str(os.cpu_count())]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(done.stdout[-2000:])
    import datasets

    kept = set(datasets.load_from_disk(f"{out}.kept")["id"])
    return [document["id"] for document in documents_of(path) if document["id"] not in kept]


class Blanks:
    """Words between blanks, for datatrove, whose tokenisers of words are downloads."""

    def word_tokenize(self, text):
        return text.split()


def of_datatrove(path, out, akin):
    """Its four steps with its usual 14 bands of 8 hashes. It keeps one document of each component."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import minhash
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter

    minhash.load_word_tokenizer = lambda language: Blanks()
    options, cores = minhash.MinhashConfig(n_grams=WORDS), os.cpu_count()
    folder, name = os.path.split(path)
    shards = pathlib.Path(f"{out}.shards")
    shutil.rmtree(shards, ignore_errors=True)
    shards.mkdir()
    parts = [open(shards / f"{i}.jsonl", "w", encoding="utf-8") for i in range(cores)]
    with open(path, encoding="utf-8") as file:
        for i, line in enumerate(file):
            document = json.loads(line)
            if document["text"]:
                parts[i % cores].write(json.dumps({"id": str(document["id"]), "text": document["text"]}) + "\n")
    for part in parts:
        part.close()

    def reader():
        return JsonlReader(str(shards), glob_pattern="*.jsonl")

    steps = [
        (cores, [reader(), minhash.MinhashDedupSignature(f"{out}.signatures", config=options)]),
        (options.num_buckets, [minhash.MinhashDedupBuckets(f"{out}.signatures", f"{out}.buckets", config=options)]),
        (1, [minhash.MinhashDedupCluster(f"{out}.buckets", f"{out}.remove", config=options)]),
        (cores, [reader(), minhash.MinhashDedupFilter(f"{out}.remove"),
                 JsonlWriter(f"{out}.kept", compression=None)]),
    ]  # fmt: skip
    for i, (tasks, steps_of) in enumerate(steps):
        LocalPipelineExecutor(steps_of, tasks=tasks, workers=cores, start_method="fork", skip_completed=False,
                              logging_dir=f"{out}.logs{i}").run()  # fmt: skip
    kept = {int(document["id"]) for file in pathlib.Path(f"{out}.kept").iterdir() for document in documents_of(file)}
    return [document["id"] for document in documents_of(path) if document["text"] and document["id"] not in kept]


TOOLS = {"akin": of_akin, "datasketch": of_datasketch, "rensa": of_rensa, "text-dedup": of_text_dedup,
         "datatrove": of_datatrove}  # fmt: skip


def one(tool, akin, path, out):
    """A tool in this process: its removed ids, seconds and peak memory, as JSON in a file."""
    begun = time.monotonic()
    removed = TOOLS[tool](path, out, akin)
    seconds = time.monotonic() - begun
    kilobytes = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    pathlib.Path(out).write_text(json.dumps({"removed": removed, "seconds": seconds, "memory": kilobytes * 1024}))


# -------------------------------------------------------------------------------------------------------------- quality


def pairs_of(akin, path, folder):
    """For each document those that it is like, by id, which is its number."""
    out = f"{folder}/pairs.csv"
    subprocess.run([akin, "join", path, "--on", "text", "--tokens", f"words:{WORDS}", "--jaccard", str(THRESHOLD), "-q",
                    "--max-pairs", "0", "-o", out], check=True)
    alike = {}
    with open(out, encoding="utf-8") as file:
        next(file)
        for line in file:
            left, right = map(int, line.split(",")[:2])
            alike.setdefault(left, set()).add(right)
            alike.setdefault(right, set()).add(left)
    return alike


def judge(removed, alike, empty):
    """Removed documents that no kept one is like, and kept ones that a kept one before them is like."""
    gone = set(removed)
    false = sum(1 for id in gone if id not in empty and not any(other not in gone for other in alike.get(id, ())))
    missed = sum(1 for id, others in alike.items()
                 if id not in gone and any(other < id and other not in gone for other in others))
    return false, missed


def run(akin, paths, tools, rounds):
    print("collection\ttool\tdocuments\tMB\tremoved\tfalse\tmissed\tseconds\tMB of memory")
    for path in paths:
        texts = [(document["id"], shingles_of(document["text"])) for document in documents_of(path)]
        empty, count = {id for id, shingles in texts if not shingles}, len(texts)
        del texts
        with tempfile.TemporaryDirectory() as folder:
            alike = pairs_of(akin, path, folder)
            for tool in tools:
                said = []
                for _ in range(rounds):
                    out = f"{folder}/{tool}"
                    done = subprocess.run([sys.executable, __file__, "one", tool, akin, path, out], capture_output=True,
                                          text=True)
                    if done.returncode:
                        print(f"{tool}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                        break
                    said.append(json.loads(pathlib.Path(out).read_text()))
                if not said:
                    continue
                false, missed = judge(said[0]["removed"], alike, empty)
                seconds = statistics.median(each["seconds"] for each in said)
                print(pathlib.Path(path).stem, tool, count, round(os.path.getsize(path) / 1e6),
                      len(set(said[0]["removed"])), false, missed, f"{seconds:.2f}", round(said[0]["memory"] / 1e6),
                      sep="\t", flush=True)


def main():
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("collect")
    verb.add_argument("folder", type=pathlib.Path)
    verb.add_argument("--titles")
    verb = verbs.add_parser("generate")
    verb.add_argument("akin")
    verb.add_argument("gigabytes", type=float)
    verb.add_argument("path")
    verb.add_argument("--seed", type=int, default=0, help="files of seeds that differ by 1000 have different documents")
    verb = verbs.add_parser("run")
    verb.add_argument("akin")
    verb.add_argument("paths", nargs="+")
    verb.add_argument("--tools", default=",".join(TOOLS))
    verb.add_argument("--rounds", type=int, default=3)
    verb = verbs.add_parser("one")
    for name in ("tool", "akin", "path", "out"):
        verb.add_argument(name)
    asked = parser.parse_args()
    if asked.verb == "collect":
        collect(asked.folder, asked.titles)
    elif asked.verb == "generate":
        generate(asked.akin, asked.gigabytes, asked.path, asked.seed)
    elif asked.verb == "one":
        one(asked.tool, asked.akin, asked.path, asked.out)
    else:
        run(os.path.abspath(asked.akin), [os.path.abspath(path) for path in asked.paths], asked.tools.split(","),
            asked.rounds)


if __name__ == "__main__":
    main()
