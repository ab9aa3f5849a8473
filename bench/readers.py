#!/usr/bin/env python3
"""Files to columns in memory: akin against readers of PyPI, with the same numbers of threads.

    python3 bench/readers.py BUILD [--threads 1,2] [--runs 5] [--people 2000000] [FILE...]

BUILD is the folder of a build with benchmarks. FILES end in .csv or .jsonl. Without any, akin generates people in both
formats. Each program runs in its own process, in turn. It reads the file twice, and the second reading is timed. The
table has medians of MB of the file a second, and the median of the ratios akin / peer of the runs. A peer "as text"
keeps every column as text, as akin does, else it finds types. A peer that fails on a file has 0 MB/s. A package that is
not there is left out, and the last line names it.
"""
import argparse, importlib.util, math, os, pathlib, re, statistics, subprocess, sys, time


def polars(path, as_text):
    import polars
    if path.suffix == ".jsonl":
        return polars.read_ndjson(path)
    return polars.read_csv(path, infer_schema=not as_text)


def pyarrow(path, as_text):
    from pyarrow import csv, json, string
    if path.suffix == ".jsonl":
        return json.read_json(path)
    with open(path) as file:
        names = file.readline().rstrip("\n").split(",") if as_text else []
    return csv.read_csv(path, convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, string())))


def duckdb(path, as_text):
    import duckdb
    connection = duckdb.connect()
    connection.execute(f"set threads = {os.environ['READER_THREADS']}")
    function = "read_json" if path.suffix == ".jsonl" else "read_csv"
    found = connection.sql(f"select * from {function}('{path}'{', all_varchar = true' * as_text})")
    return (getattr(found, "to_arrow_table", None) or found.arrow)()


PEERS = [(polars, False), (polars, True), (pyarrow, False), (pyarrow, True), (duckdb, False), (duckdb, True)]


def time_peer(name, path, as_text):
    """What a process of a peer does: it prints the seconds of the second reading."""
    read = next(peer for peer, _ in PEERS if peer.__name__ == name)
    for _ in range(2):
        start = time.perf_counter()
        read(pathlib.Path(path), as_text == "text")
        seconds = time.perf_counter() - start
    print(seconds)


def run_peer(peer, as_text, path, threads):
    words = [sys.executable, __file__, "--peer", peer.__name__, str(path), "text" if as_text else "types"]
    names = ("READER_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS")  # the last one is Arrow's
    environment = os.environ | dict.fromkeys(names, str(threads))
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    return float(done.stdout) if done.returncode == 0 else math.inf


def run_akin(build, path, threads):
    """The second of two readings is the best of them."""
    words = [build / "bench/table_bench", "--threads", str(threads), "--repeats", "2", path]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return float(re.search(r"best +([0-9.]+)", said)[1])


def generated(build, people):
    files = [build / "bench" / f"people-{people}.{suffix}" for suffix in ("csv", "jsonl")]
    for path in files:
        if not path.exists():
            words = ["generate", "records", "--quiet", "--records", str(people), "-o", path]
            subprocess.run([build / "akin", *words], check=True)
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--people", type=int, default=2000000)
    asked = parser.parse_args()
    here = [(peer, text) for peer, text in PEERS if importlib.util.find_spec(peer.__name__)]
    print("| file | threads | akin, MB/s | peer | MB/s | akin / peer |\n| --- | --- | --- | --- | --- | --- |")
    for path in asked.files or generated(asked.build, asked.people):
        megabytes = path.stat().st_size / 1e6
        peers = [(peer, text) for peer, text in here if path.suffix == ".csv" or not text]
        for threads in asked.threads.split(","):
            runs = [(run_akin(asked.build, path, threads), *(run_peer(*peer, path, threads) for peer in peers))
                    for _ in range(asked.runs)]
            own, *others = zip(*runs)
            for (peer, text), seconds in zip(peers, others):
                ratio = statistics.median(theirs / ours for ours, theirs in zip(own, seconds))
                print(f"| {path.name} | {threads} | {megabytes / statistics.median(own):,.0f} "
                      f"| {peer.__name__}{', as text' * text} | {megabytes / statistics.median(seconds):,.0f} "
                      f"| {ratio:.1f} |", flush=True)
    absent = {peer.__name__ for peer, _ in PEERS} - {peer.__name__ for peer, _ in here}
    print(f"\nnot there: {', '.join(sorted(absent)) or 'none'}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        time_peer(*sys.argv[2:])
    else:
        main()
