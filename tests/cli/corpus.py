#!/usr/bin/env python3
"""Compares `akin corpus near-duplicates` with brute force on random collections, in shards of several formats, with
any order of shards, threads and memory bounds; and kills jobs of `near-duplicates` and `overlap` that write shards,
which must go on.

    tests/cli/corpus.py AKIN [RUNS (default: 40) [KILLS (default: 100)]]

It prints what was compared, and exits with 1 at the first difference."""
import csv
import gzip
import io
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

MEASURES = {  # whether `common` tokens of sets of a and b reach a threshold t
    "jaccard": lambda a, b, common, t: common >= t * (a + b - common),
    "dice": lambda a, b, common, t: 2 * common >= t * (a + b),
    "cosine": lambda a, b, common, t: common**2 >= t**2 * a * b,
    "overlap-coefficient": lambda a, b, common, t: common >= t * min(a, b),
    "containment": lambda a, b, common, t: common >= t * a,
}


def documents_of(draw, count):
    """Half of the documents are others with some words changed; some are short, empty, or equal."""
    words = [f"w{i}" for i in range(60)]
    texts = []
    for _ in range(count):
        if texts and draw.random() < 0.5:
            text = draw.choice(texts).split()
            for _ in range(draw.choice((0, 0, 1, 2, 5))):
                if text:
                    text[draw.randrange(len(text))] = draw.choice(words)
        else:
            text = [draw.choice(words) for _ in range(draw.choice((0, 1, 3, 8, 30, 60)))]
        texts.append(draw.choice((" ", ", ", "  ")).join(text).upper() if draw.random() < 0.2 else " ".join(text))
    ids = draw.sample(range(10 * count), count)
    return [
        {
            "id": str(id),
            "text": text,
            "score": draw.choice(("1", "2.5", "10", "-3", "high", "low", "")),
            "source": draw.choice("abc")
        } for id, text in zip(ids, texts)
    ]


def tokens_of(text, n):
    words = text.lower().replace(",", " ").split()
    n = min(n, len(words))
    return {" ".join(words[i:i + n]) for i in range(len(words) - n + 1)} if n else set()


def key_of(value, turned=lambda value: value):
    """Numbers come before other texts, and what is empty last, whichever way they are compared."""
    if not value:
        return 2, 0, ""
    try:
        return 0, turned(float(value)), ""
    except ValueError:
        return 1, 0, turned(value)


class Reversed:
    """A value that is sorted the other way round."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return other.value < self.value

    def __eq__(self, other):
        return other.value == self.value


def order_of(documents, keep):
    """The documents in the order of preference."""
    if keep == "first":
        return list(documents)
    if keep == "longest":
        return sorted(documents, key=lambda d: (-len(d["text"]), key_of(d["id"])))
    column, _, order = keep.partition(":")
    turned = Reversed if order == "desc" else lambda value: value
    return sorted(documents, key=lambda d: (key_of(d[column], turned), key_of(d["id"])))


def removed_of(documents, options):
    """The removed documents: id -> survivor, common tokens."""
    sets = {d["id"]: tokens_of(d["text"], options["n"]) for d in documents}
    emptied = set()
    if options["frequent"]:
        counts = {}
        for token in itertools.chain.from_iterable(sets.values()):
            counts[token] = counts.get(token, 0) + 1
        for id, tokens in sets.items():
            left = {token for token in tokens if counts[token] <= options["frequent"]}
            if tokens and not left:
                emptied.add(id)
            sets[id] = left
    kept, found = [], {}
    if options["components"]:
        return chained_of(documents, options, sets)
    for d in order_of(documents, options["keep"]):
        own = sets[d["id"]]
        for k in kept:
            other, same = sets[k["id"]], d["source"] == k["source"]
            if d["id"] in emptied or k["id"] in emptied or options["groups"] == ("within" if not same else "across"):
                continue
            alike = own == other if not own or not other else MEASURES[options["measure"]](
                len(own), len(other), len(own & other), options["t"])
            if alike:
                found[d["id"]] = k["id"], len(own & other)
                break
        else:
            kept.append(d)
    return found


def chained_of(documents, options, sets):
    """The same by connected components."""
    alike, component = MEASURES[options["measure"]], {d["id"]: {d["id"]} for d in documents}
    for a, b in itertools.combinations(sets, 2):
        own, other = sets[a], sets[b]
        both = own == other if not own or not other else alike(len(own), len(other), len(own & other), options["t"])
        if both and component[a] is not component[b]:
            component[a] |= component[b]
            for id in component[b]:
                component[id] = component[a]
    order, found = [d["id"] for d in order_of(documents, options["keep"])], {}
    for id in order:
        first = next(other for other in order if other in component[id])
        if first != id:
            found[id] = first, len(sets[first] & sets[id])
    return found


def options_of(draw):
    chained = draw.random() < 0.2
    return {
        "components": chained,
        "measure": draw.choice(list(MEASURES)[:4 if chained else 5]),
        "t": draw.choice((Fraction(1, 2), Fraction(4, 5), Fraction(1), Fraction(7, 10))),
        "n": draw.choice((1, 2, 3, 5)),
        "keep": draw.choice(("first", "longest", "score", "score:desc")),
        "groups": "" if chained else draw.choice(("", "", "within", "across")),
        "frequent": 0 if chained else draw.choice((0, 0, 3, 20)),
    }


def words_of(options):
    words = ["--on", "text", "--id", "id", f"--{options['measure']}", str(options["t"]), "--tokens",
             f"words:{options['n']}", "--keep", options["keep"]]
    words += [f"--{options['groups']}", "source"] if options["groups"] else []
    words += ["--components"] if options["components"] else []
    words += ["--ignore-frequent", str(options["frequent"])] if options["frequent"] else []
    return words


def packed(documents, ending):
    """The bytes of a file."""
    if ending.startswith("jsonl"):
        text = "".join(json.dumps(d) + "\n" for d in documents)
    else:
        out = io.StringIO()
        writer = csv.DictWriter(out, ["id", "text", "score", "source"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(documents)
        text = out.getvalue()
    return gzip.compress(text.encode(), mtime=0) if ending.endswith(".gz") else text.encode()


def unpacked(path):
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def run(akin, words, folder, **how):
    done = subprocess.run([akin, "corpus", "near-duplicates", *map(str, words), "-q"], cwd=folder, capture_output=True,
                          text=True, **how)
    if done.returncode:
        sys.exit(f"akin corpus near-duplicates {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def shards_of(draw, folder, documents):
    """Writes documents into files; returns the files, and the documents of each."""
    count = draw.choice((1, 1, 3, 5))
    cuts = [0, *sorted(draw.choices(range(len(documents) + 1), k=count - 1)), len(documents)]
    shards = []
    for i, (begin, end) in enumerate(zip(cuts, cuts[1:])):
        ending = draw.choice(("csv", "jsonl", "csv.gz", "jsonl.gz")) if end > begin else "csv"
        path = folder / f"{i}.{ending}"
        path.write_bytes(packed(documents[begin:end], ending))
        shards.append((path, documents[begin:end]))
    return shards


def compare(akin, draw, folder):
    """One collection; returns how many documents were removed."""
    documents, options = documents_of(draw, draw.choice((0, 1, 10, 120))), options_of(draw)
    expected = removed_of(documents, options)
    shards = shards_of(draw, folder, documents)
    if options["keep"] != "first":
        draw.shuffle(shards)
    paths = [path for path, _ in shards]
    out = folder / ("kept" if len(paths) > 1 else f"kept.{paths[0].name.partition('.')[2].removesuffix('.gz')}")
    words = [*paths, *words_of(options), "--removed", folder / "removed.csv", "--kept", out,
             "--threads", draw.choice((1, 2, 4)), *draw.choice(((), ("--memory", "16M")))]
    run(akin, words, folder)
    with open(folder / "removed.csv", newline="") as file:
        found = {row["id"]: (row["survivor"], int(row["common"])) for row in csv.DictReader(file)}
    if found != expected:
        wrong = {id for id in found.keys() | expected.keys() if found.get(id) != expected.get(id)}
        sys.exit(f"{' '.join(map(str, words))}: {len(wrong)} differ, such as "
                 f"{[(id, found.get(id), expected.get(id)) for id in sorted(wrong)[:3]]}")
    for path, own in shards:
        kept = packed([d for d in own if d["id"] not in expected], path.name.partition(".")[2].removesuffix(".gz"))
        written = out / path.name if len(paths) > 1 else out
        if unpacked(written) != kept:
            sys.exit(f"{' '.join(map(str, words))}: {written} is not the input without what was removed")
    return len(expected)


VERBS = {  # the operands before files, the options, and the file of what is found
    "near-duplicates": ((), ("--on", "text", "--id", "id", "--tokens", "words:2", "--keep", "score:desc"), "--removed"),
    "overlap": (("items.csv",), ("--id", "id", "--words", "5"), "--output"),
}


def kill(job, draw, folder, seconds):
    """Kills a job at a random moment, or as it writes a file; whether it was still running."""
    job = subprocess.Popen(job, cwd=folder, stderr=subprocess.DEVNULL)
    moment = time.monotonic() + draw.random() * seconds
    files = draw.choice((None, 1, 4, 7))  # beside the manifest
    while job.poll() is None and time.monotonic() < moment + (seconds if files else 0):
        if files and (folder / "out").exists() and len(os.listdir(folder / "out")) > files:
            break
        time.sleep(0.0005)
    was_running = job.poll() is None
    job.kill()
    job.wait()
    return was_running


def content_of(folder, name):
    """The files of a folder of kept documents, but for its manifest, and the file of what is found."""
    content = {path.name: path.read_bytes() for path in (folder / name).iterdir() if path.name != ".akin-manifest"}
    return content, (folder / f"{name}.csv").read_bytes()


def killed(akin, draw, folder, verb, kills):
    """Kills jobs that write shards. They go on, and end as if they had never been killed. Returns in how many ends some
    files were done already."""
    documents = documents_of(draw, 3000)
    names = [f"{i}.jsonl" for i in range(8)]
    for i, name in enumerate(names):
        (folder / name).write_bytes(packed(documents[i::8], "jsonl"))
    (folder / "items.csv").write_text("text\n" + "".join(d["text"].replace(",", " ") + "\n" for d in documents[::50]))
    items, options, found = VERBS[verb]
    words = [akin, "corpus", verb, *items, *names, *options]
    begun = time.monotonic()
    subprocess.run([*words, "-q", "--kept", "reference", found, "reference.csv"], cwd=folder, check=True)
    seconds = time.monotonic() - begun
    expected, times, ends, went_on = content_of(folder, "reference"), 0, 0, 0
    if not 0 < sum(map(len, expected[0].values())) < sum((folder / name).stat().st_size for name in names):
        sys.exit(f"{verb}: all documents are kept, or none")
    job = [*words, "--kept", "out", found, "out.csv"]
    while times < kills or ends == 0:
        times += kill([*job, "-q"], draw, folder, seconds)
        if draw.random() < 0.3 or times >= kills:
            done = subprocess.run(job, cwd=folder, capture_output=True, text=True)
            if done.returncode or content_of(folder, "out") != expected:
                sys.exit(f"{verb}: not as if the job had never been killed: {done.stderr}")
            ends, went_on = ends + 1, went_on + ("files were done already" in done.stderr)
            shutil.rmtree(folder / "out")
            (folder / "out.csv").unlink()
    if kills >= 20 and not went_on:
        sys.exit(f"{verb}: no job went on: kills come too early or too late")
    return went_on


def main():
    akin = os.path.abspath(sys.argv[1])
    runs, kills = (int(word) for word in (sys.argv[2:] + ["40", "100"][len(sys.argv) - 2:]))
    removed, went_on = 0, []
    for seed in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            removed += compare(akin, random.Random(seed), pathlib.Path(folder))
    for verb in VERBS:
        with tempfile.TemporaryDirectory() as folder:
            went_on.append(killed(akin, random.Random(runs), pathlib.Path(folder), verb, kills // len(VERBS)))
    if runs >= 40 and removed < 200:
        sys.exit(f"only {removed} documents were removed: the collections show little")
    print(f"{runs} collections as brute force has them, {removed} documents removed; {kills} jobs killed, after "
          f"{' and '.join(map(str, went_on))} of which files were done already")


main()
