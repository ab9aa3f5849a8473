#!/usr/bin/env python3
"""Learning from many records: seconds, CPU seconds and memory of akin dedupe --weights learn, with four blocks.

    python3 bench/linkage_speed.py AKIN [RECORDS [DEVICE...]]

AKIN is the command, RECORDS 1000000 if not given, a DEVICE `cpu` or `cuda`. The records are made by akin generate, with
a share of duplicates of 0.3. From 10 million records on, the blocks are narrower, so that pairs do not grow with the
square of the records. Each device runs three times; the run of the median wall time is shown.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

COMPARE = {"given_name": "jaro-winkler", "surname": "jaro-winkler", "date_of_birth": "osa", "address": "jaro-winkler",
           "suburb": "jaro-winkler", "postcode": "osa", "phone": "osa"}
BLOCKS = ("given_name+surname", "surname+postcode", "date_of_birth+state", "phone")
NARROW = ("given_name+date_of_birth", "surname+date_of_birth", "given_name+surname+postcode", "phone")


def measure(command):
    """Wall seconds, CPU seconds, megabytes at most, and the summary."""
    begun = time.monotonic()
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    summary = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(summary)
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, summary


def main():
    akin, records = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    with tempfile.TemporaryDirectory() as folder:
        table, out = pathlib.Path(folder, "people.csv"), pathlib.Path(folder, "clusters.csv")
        subprocess.run([akin, "generate", "records", "--records", str(records), "--duplicates", "0.3", "--seed", "1",
                        "-o", table], check=True)
        command = [akin, "dedupe", table, "--id", "id", "--weights", "learn", "-o", out]
        for block in BLOCKS if records < 10000000 else NARROW:
            command += ["--block", block]
        for column, comparator in COMPARE.items():
            command += ["--compare", f"{column}:{comparator}"]
        for device in sys.argv[3:] or ["cpu"]:
            runs = sorted(measure([*command, "--device", device]) for _ in range(3))
            wall, cpu, memory, summary = runs[1]
            print(f"{device}: {wall:.2f} s, {cpu:.1f} CPU s, {memory:,.0f} MB")
            for line in summary.splitlines():
                if line.split()[0] in ("compared", "learnt", "found", "seconds"):
                    print(f"    {line}")


if __name__ == "__main__":
    main()
