#!/usr/bin/env python3
"""Files to results, whole processes: medians of seconds, for each number of threads.

    python3 bench/files.py BUILD DATA [--threads 1,2] [--cuda] [--runs 5] [--only NAME,...]

BUILD is the folder of a build. DATA is a folder of inputs: people are generated there if they are missing. A case that
needs titles.txt, a text with a title in each line, is skipped without that file. Files stay in the page cache, as each
case runs once before the times are taken. With --cuda each case runs on a GPU, too, with the last number of threads.
"""
import argparse, pathlib, statistics, subprocess, time

WINDOWS = (
    "--window 10 --compare given_name:jaro-winkler:.8 --compare surname:jaro-winkler:.8 "
    "--compare date_of_birth:levenshtein:.8 --compare address:levenshtein:.7 --threshold .8"
)
BLOCKS = (
    "--block surname:soundex+postcode --compare given_name:jaro-winkler:.8:2 --compare surname:levenshtein:.7 "
    "--threshold .75"
)
CASES = [
    # name, file, millions of people in it (0: the file is given), command
    ("windows", "people10.csv", 10, f"dedupe FILE --id id {WINDOWS} -o OUT"),
    ("blocks", "people2.csv", 2, f"dedupe FILE --id id {BLOCKS} -o OUT"),
    ("words", "titles.txt", 0, "join FILE --tokens words --jaccard .8 --count"),
    ("3-grams", "titles.txt", 0, "join FILE --tokens qgrams:3 --jaccard .8 --count"),
]


def seconds_of(words):
    begin = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default=",".join(name for name, *_ in CASES))
    asked = parser.parse_args()
    akin, threads = str(asked.build / "akin"), asked.threads.split(",")
    settings = [(count, "cpu") for count in threads] + [(threads[-1], "cuda")] * asked.cuda
    print("| case | threads | device | seconds | least and most |\n| --- | --- | --- | --- | --- |")
    for name, file, millions, command in CASES:
        path = asked.data / file
        if name not in asked.only.split(","):
            continue
        if not path.exists() and not millions:
            print(f"| {name} | skipped: there is no {path} | | | |")
            continue
        if not path.exists():
            subprocess.run(
                [akin, "generate", "records", "--quiet", "--records", f"{millions}000000", "-o", path], check=True
            )
        places = {"FILE": str(path), "OUT": str(asked.data / "clusters.csv")}
        for count, device in settings:
            words = [akin, *(places.get(word, word) for word in command.split()), "--quiet"]
            words += ["--threads", count, "--device", device]
            seconds_of(words)
            took = [seconds_of(words) for _ in range(asked.runs)]
            print(
                f"| {name} | {count} | {device} | {statistics.median(took):.3g} "
                f"| {min(took):.3g} to {max(took):.3g} |", flush=True
            )


if __name__ == "__main__":
    main()
