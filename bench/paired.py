#!/usr/bin/env python3
"""Times two builds of akin against each other, case by case, and prints a table of ratios.

    python3 bench/paired.py BEFORE AFTER DATA [--cuda] [--runs 5] [--only join,strings] [--threads 1]

BEFORE and AFTER are folders of builds: build/release, or build/gpu/carry of a build with CUDA. DATA is a folder of
inputs: those below that it lacks are generated, or the case is skipped and says so. Each case runs in both builds in
turn, BEFORE first, then AFTER first, and so on. A case is a benchmark program, whose own figure is read (the core), or
a command, which is timed as a whole process. The table has medians of both, and the median of the ratios AFTER / BEFORE
of the pairs.

Cases are written as AFTER reads them. A build that refuses them gets the older grammar.
"""
import argparse, os, pathlib, re, statistics, subprocess, sys, time

JOIN = re.compile(r"join\s+([0-9.]+) s")
DEDUPE = re.compile(r"\t\d+\t\d+\t\S+\t\d+\t([0-9.]+)")  # file, job, records, window, device, threads, seconds
CASES = [
    # name, group, needs of DATA, command, what reads its figure (None: the whole process), where
    ("join enron .8", "join", "enron.txt", "join_bench {data}/enron.txt 0.8 auto {threads} 5", JOIN, "both"),
    ("join enron .5", "join", "enron.txt", "join_bench {data}/enron.txt 0.5 auto {threads} 3", JOIN, "both"),
    ("join dblp_like_q2 .8", "join", "dblp.txt", "join_bench {data}/dblp.txt 0.8 auto {threads} 3", JOIN, "both"),
    ("join tweets_words .5", "join", "tweets.txt", "join_bench {data}/tweets.txt 0.5 auto {threads} 3", JOIN, "both"),
    ("join enron .8 ppjoin", "join", "enron.txt", "join_bench {data}/enron.txt 0.8 ppjoin {threads} 5", JOIN, "cpu"),
    (
        "join enron .8 groupjoin", "join", "enron.txt", "join_bench {data}/enron.txt 0.8 groupjoin {threads} 5", JOIN,
        "cpu"
    ),
    ("join BMS2 .7 bitmap", "join", "bms2.txt", "join_bench {data}/bms2.txt 0.7 bitmap:128 {threads} 5", JOIN, "cpu"),
    (
        "join dblp_like_q2 .7 tensor", "join", "dblp.txt", "join_bench {data}/dblp.txt 0.7 tensor {threads} 5", JOIN,
        "cuda"
    ),
    ("join enron .5 prefix", "join", "enron.txt", "join_bench {data}/enron.txt 0.5 prefix {threads} 5", JOIN, "cuda"),
    (
        "join enron .8 fgssjoin", "join", "enron.txt", "join_bench {data}/enron.txt 0.8 fgssjoin {threads} 3", JOIN,
        "cuda"
    ),
    (
        "akin join enron .8 --cosine", "join", "enron.txt",
        "akin join {data}/enron.txt --input ids --cosine 0.8 --count --threads {threads} --device {device}", None,
        "both"
    ),
    (
        "akin join tweets_words .6 --dice", "join", "tweets.txt",
        "akin join {data}/tweets.txt --input ids --dice 0.6 --count --threads {threads} --device {device}", None, "both"
    ),
    (
        "akin join retail --overlap 6", "join", "retail.txt",
        "akin join {data}/retail.txt --input ids --overlap 6 --count --threads {threads} --device {device}", None,
        "both"
    ),
    (
        "strings levenshtein .8", "strings", "strings.txt",
        "strings_bench join {data}/strings.txt levenshtein 0.8 {threads} 3", JOIN, "both"
    ),
    (
        "strings jaro-winkler .9", "strings", "strings.txt",
        "strings_bench join {data}/strings.txt jaro-winkler 0.9 {threads} 3", JOIN, "both"
    ),
    (
        "dedupe windows, Jaro-Winkler", "dedupe", "cds.csv",
        "dedupe_bench -j snm-jw -d {device} -t {threads} -n 3 -r 100000 {data}/cds.csv", DEDUPE, "both"
    ),
    (
        "dedupe windows, Levenshtein", "dedupe", "cds.csv",
        "dedupe_bench -j snm-l -d {device} -t {threads} -n 3 -r 100000 {data}/cds.csv", DEDUPE, "both"
    ),
    (
        "dedupe all pairs, Jaro-Winkler", "dedupe", "cds.csv",
        "dedupe_bench -j cp-jw -d {device} -t {threads} -n 3 -r {all} {data}/cds.csv", DEDUPE, "both"
    ),
    (
        "akin dedupe blocks", "dedupe", "people.csv",
        "akin dedupe {data}/people.csv --id id --block surname:soundex+postcode --compare given_name:jaro-winkler:.8:2 "
        "--compare surname:levenshtein:.7 --compare date_of_birth:date:.5 --compare address:jaccard/3 --threshold .75 "
        "-q -o /dev/null --threads {threads} --device cpu",
        None, "cpu"
    ),
    (
        "search strings, top 10", "search", "seq.txt",
        "search_bench {g} -t {threads} -r 3 -k 10 {indexes}/seq.akin {data}/seq_queries.txt", "median", "both"
    ),
    (
        "search rows, top 100", "search", "adult.csv",
        "search_bench {g} -t {threads} -r 3 -k 100 -T 50 {indexes}/adult.akin {data}/adult_queries.csv", "median",
        "both"
    ),
    (
        "search documents, Jaccard", "search", "docs.txt",
        "search_bench {g} -t {threads} -r 3 -k 10 -M jaccard {indexes}/docs.akin {data}/doc_queries.txt", "median",
        "both"
    ),
    ("weigh", "weigh", "text.txt", "weigh_bench {data}/text.txt {threads} 3 paper {device}", "median", "both"),
    (
        "akin rank", "weigh", "docs.txt",
        "akin rank {indexes}/bm25.akin {data}/doc_queries.txt -k 10 -o /dev/null --threads {threads}", None, "cpu"
    ),
]
INDEXES = [  # file, needs of DATA, command; each build makes its own, as an older build reads no newer file
    ("seq.akin", "seq.txt", "akin index {data}/seq.txt --kind strings --ngram 3 -o {made}"),
    (
        "adult.akin", "adult.csv",
        "akin index {data}/adult.csv --kind rows --numeric "
        "age,fnlwgt,education-num,capital-gain,capital-loss,hours-per-week --bins 1024 -o {made}"
    ),
    ("docs.akin", "docs.txt", "akin index {data}/docs.txt --kind documents -o {made}"),
    ("bm25.akin", "docs.txt", "akin index {data}/docs.txt --kind bm25 -o {made}"),
]
OLDER = [  # words of a command, and what they were before
    (r"--pairs (\S+)", r"--pairs-out \1"),
    (r"--block (\S+)", r"--pairs block:\1"),
    (r"--kind strings", r"--kind sequences"),
    (r"akin index (\S+) --kind bm25", r"akin weigh \1 --order term"),
]


def generate(akin, data):
    """Inputs that can be made; what needs others is left to the caller."""
    def run(made, *words):
        if not (data / made).exists():
            subprocess.run(
                [str(akin), *words, "-o", str(data / made)], check=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL
            )
    run("cds.csv", "generate", "records", "--kind", "cd", "--records", "400000")
    run("people.csv", "generate", "records", "--records", "200000")
    run("text.txt", "generate", "text", "--bytes", "50MB")


def index(build, data, folder, only, environment):
    """Indexes of one build, those that cases need."""
    folder.mkdir(exist_ok=True)
    for name, needs, command in INDEXES:
        wanted = any(f"{{indexes}}/{name}" in case[3] and (not only or case[1] in only) for case in CASES)
        if wanted and (data / needs).exists() and not (folder / name).exists():
            subprocess.run(
                words_of(build, command.format(data=data, made=folder / name), environment), check=True,
                capture_output=True
            )


def program(build, name):
    for place in (build / name, build / "bench" / name):
        if place.exists():
            return str(place)
    sys.exit(f"paired: {build} has no {name}")


def words_of(build, text, environment):
    """The words of a case, in the grammar that the build reads."""
    older = text
    for pattern, replacement in OLDER:
        older = re.sub(pattern, replacement, older)
    name, *words = text.split()
    words = [program(build, name), *words]
    if older == text or subprocess.run(words, capture_output=True, env=environment).returncode == 0:
        return words
    return [words[0], *older.split()[1:]]


def figure(words, reader, environment):
    began = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    took = time.perf_counter() - began
    if done.returncode != 0:
        sys.exit(f"paired: {' '.join(words)}: status {done.returncode}: {done.stderr[-300:]}")
    if reader is None:
        return took
    if isinstance(reader, str):
        reader = re.compile(reader + r"\s+([0-9.]+)")
    found = reader.search(done.stdout)
    if not found:
        sys.exit(f"paired: {' '.join(words)}: no figure in {done.stdout[:300]}")
    return float(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path), parser.add_argument(
        "after", type=pathlib.Path
    ), parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--cuda", action="store_true"), parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default=""), parser.add_argument("--threads", type=int, default=1)
    o = parser.parse_args()
    device, only = "cuda" if o.cuda else "cpu", o.only.split(",") if o.only else []
    environment = dict(os.environ, JOIN_BENCH_DEVICE=device, STRINGS_BENCH_DEVICE=device)
    sides = ((o.before, o.data / "before"), (o.after, o.data / "after"))
    generate(program(o.before, "akin"), o.data)
    for build, folder in sides:
        index(build, o.data, folder, only, environment)
    print("| case | before, s | after, s | after / before | range |\n| --- | --- | --- | --- | --- |", flush=True)
    for name, group, needs, command, reader, where in CASES:
        if where not in ("both", device) or (only and group not in only):
            continue
        if not (o.data / needs).exists():
            print(f"| {name} | skipped: {o.data} has no {needs} | | | |", flush=True)
            continue
        texts = [
            command.format(
                data=o.data, indexes=folder, threads=o.threads, device=device, g="-g" if o.cuda else "",
                all=200000 if o.cuda else 8000
            )
            for _,
            folder in sides
        ]
        words = [words_of(build, text, environment) for (build, _), text in zip(sides, texts)]
        pairs = []
        for run in range(o.runs + 1):  # the first pair warms up
            first = run % 2
            got = {side: figure(words[side], reader, environment) for side in (first, 1 - first)}
            if run > 0:
                pairs.append((got[0], got[1]))
        ratios = sorted(b / a for a, b in pairs)
        a, b = (statistics.median(side) for side in zip(*pairs))
        print(
            f"| {name} | {a:.4g} | {b:.4g} | {statistics.median(ratios):.3f} | {ratios[0]:.3f} to {ratios[-1]:.3f} |",
            flush=True
        )


main()
