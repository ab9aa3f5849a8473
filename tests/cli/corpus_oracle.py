#!/usr/bin/env python3
"""Compares `akin corpus near-duplicates` with brute force on 10,000 documents of each of four kinds: titles, long
texts, code, and generated ones with planted near-duplicates just below and above the threshold. Shards, their order,
threads and memory bounds change nothing.

    tests/cli/corpus_oracle.py AKIN [TITLES (default: ../shared/data/titles.txt)]

The oracle counts the common shingles of each pair of documents, one by one, and has no filter. It prints what was
compared, and exits with 1 at the first difference."""
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import sysconfig
import tempfile

COUNT = 10000
MEASURES = {  # whether `common` shingles of sets of a and b reach 4/5; a is of the document itself
    "jaccard": lambda a, b, common: 5 * common >= 4 * (a + b - common),
    "containment": lambda a, b, common: 5 * common >= 4 * a,
}
RUNS = ((1, 1, None), (2, 4, "16M"), (5, 1, "16M"), (5, 4, None))  # shards, threads, memory


def plain(text):
    """ASCII, so that there is no doubt about what a word is."""
    return re.sub(r"[^A-Za-z0-9.,;:(){}=+*/ \n-]", " ", text)


def titles(draw, path):
    lines = [plain(line) for line in path.read_text(errors="replace").splitlines()]
    return draw.sample(lines, min(COUNT, len(lines)))


def length_of(draw, least, most):
    """A length of any order of magnitude."""
    return int(least * (most / least)**draw.random())


def long_texts(draw):
    """Texts of 20 to 2,000 words; some are made of passages of others."""
    texts = []
    for _ in range(COUNT):
        words = []
        while texts and draw.random() < 0.3:
            other = draw.choice(texts)
            begin = draw.randrange(len(other))
            words += other[begin:begin + length_of(draw, 10, 500)]
        words += [f"w{draw.randrange(3000)}" for _ in range(length_of(draw, 20, 2000))] if len(words) < 20 else []
        texts.append(words)
    return [" ".join(words) for words in texts]


def code(draw):
    """Files of Python's library, cut at lines into documents of many sizes; each file twice, by other cuts."""
    folder = pathlib.Path(sysconfig.get_paths()["stdlib"])
    files = [path for path in sorted(folder.rglob("*.py")) if "site-packages" not in path.parts and
             "dist-packages" not in path.parts]
    texts = []
    for path in files + files:
        lines = plain(path.read_text(errors="replace")).splitlines()
        at = 0
        while at < len(lines):
            size = length_of(draw, 3, 300)
            texts.append("\n".join(lines[at:at + size]))
            at += size
    return draw.sample(texts, min(COUNT, len(texts)))


def planted(draw):
    """Documents of which half have so many words changed that they are alike to another by 0.75 to 0.85."""
    texts = []
    for _ in range(COUNT):
        if texts and draw.random() < 0.5:
            words = list(draw.choice(texts))
            shingles = len(words) - 4
            similarity = draw.uniform(0.75, 0.85)
            lost = round(shingles * (1 - similarity) / (1 + similarity))  # of each of the two
            begin, end = draw.choice(((0, lost), (len(words) - lost, len(words)), (10, 10 + max(1, lost - 4))))
            words[begin:end] = [f"x{draw.randrange(10**6)}" for _ in range(end - begin)]
        else:
            words = [f"w{draw.randrange(10**4)}" for _ in range(length_of(draw, 40, 200))]
        texts.append(words)
    return [" ".join(words) for words in texts]


# ------------------------------------------------------------------------------------------------------------ oracle


def shingles_of(texts, n):
    """The set of shingles of each text, as numbers: equal ones have equal words."""
    known = collections.defaultdict(lambda: len(known))
    sets = []
    for text in texts:
        words = re.findall(r"[a-z0-9]+", text.lower())
        runs = (tuple(words[i:i + n]) for i in range(max(1, len(words) - n + 1))) if words else ()
        sets.append({known[run] for run in runs})
    return sets


def survivors_of(sets, order):
    """The survivor of each document that is removed, and how much both have in common, by measure."""
    having = collections.defaultdict(list)  # places of the documents before, by shingle
    sizes, found = [], {name: {} for name in MEASURES}
    for place, row in enumerate(order):
        counts = collections.Counter()
        for shingle in sets[row]:
            counts.update(having[shingle])
            having[shingle].append(place)
        size = len(sets[row])
        if not size:
            counts = {other: 0 for other, of in enumerate(sizes) if of == 0}
        for name, reaches in MEASURES.items():
            alike = (other for other, common in counts.items()
                     if reaches(size, sizes[other], common) and order[other] not in found[name])
            first = min(alike, default=None)
            if first is not None:
                found[name][row] = order[first], counts[first]
        sizes.append(size)
    return found


# -------------------------------------------------------------------------------------------------------- the command


def removed_by(akin, draw, folder, texts, words, how):
    """The lines of removed documents, sorted, of one run on shards in any order."""
    shards, threads, memory = how
    cuts = [0, *sorted(draw.sample(range(1, len(texts)), shards - 1)), len(texts)]
    paths = []
    for i, (begin, end) in enumerate(zip(cuts, cuts[1:])):
        path = folder / f"{i}.jsonl"
        path.write_text("".join(json.dumps({"id": row, "text": texts[row]}) + "\n" for row in range(begin, end)))
        paths.append(path.name)
    draw.shuffle(paths)
    job = [akin, "corpus", "near-duplicates", *paths, *words, "--id", "id", "--keep", "longest", "--removed", "-", "-q",
           "--threads", str(threads), *(["--memory", memory] if memory else [])]
    done = subprocess.run(job, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(job)}: {done.stderr}")
    return sorted(done.stdout.splitlines()[1:]), job


def compare(akin, draw, name, texts, n):
    sets = shingles_of(texts, n)
    order = sorted(range(len(texts)), key=lambda row: (-len(texts[row]), row))
    expected = survivors_of(sets, order)
    said = []
    for measure in MEASURES:
        rows = {(str(row), str(other), common) for row, (other, common) in expected[measure].items()}
        first = None
        for how in RUNS:
            with tempfile.TemporaryDirectory() as folder:
                lines, job = removed_by(akin, draw, pathlib.Path(folder), texts,
                                        ["--tokens", f"words:{n}", f"--{measure}", "4/5"], how)
            cells = [line.split(",") for line in lines]
            wrong = {(id, survivor, int(common)) for id, survivor, _, common in cells} ^ rows
            if wrong:
                sys.exit(f"{name}: {' '.join(job)}: {len(wrong)} differ, such as {sorted(wrong)[:4]}")
            first = first or lines
            if lines != first:
                sys.exit(f"{name}: {' '.join(job)}: not the same bytes as of the first run")
        said.append(f"{len(rows)} by {measure}")
    if any(not expected[measure] for measure in MEASURES):
        sys.exit(f"{name}: no document is removed: the collection shows nothing")
    print(f"{name}: {len(texts)} documents, removed: {', '.join(said)}", flush=True)


def main():
    akin = os.path.abspath(sys.argv[1])
    here = pathlib.Path(__file__).resolve().parents[2]
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else here.parent / "shared" / "data" / "titles.txt"
    draw = random.Random(7)
    if path.exists():
        compare(akin, draw, "titles", titles(draw, path), 2)
    else:
        print(f"titles: left out: {path} is not there")
    compare(akin, draw, "long texts", long_texts(draw), 5)
    compare(akin, draw, "code", code(draw), 5)
    compare(akin, draw, "planted", planted(draw), 5)


main()
