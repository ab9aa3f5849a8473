#!/usr/bin/env python3
"""Times what starts: the command of a build, the command of a wheel, and the import of the package, each beside the
interpreter alone. They run in turn, so that a machine's moods meet all alike; medians are printed, in milliseconds.

usage: startup.py BUILD/akin VENV [RUNS]
"""

import os
import statistics
import subprocess
import sys
import time


def seconds(command):
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=os.environ)
    return time.perf_counter() - began


def main(native, venv, runs="41"):
    python, wheel = f"{venv}/bin/python", f"{venv}/bin/akin"
    rows = {
        "true, which does nothing": ["/bin/true"],
        "the command of a build, --version": [native, "--version"],
        "the interpreter": [python, "-c", "pass"],
        "the command of a wheel, --version": [wheel, "--version"],
        "import akin": [python, "-c", "import akin"],
    }
    taken = {name: [] for name in rows}
    for _ in range(int(runs)):
        for name, command in rows.items():
            taken[name].append(1000 * seconds(command))
    for name, each in taken.items():
        print(f"{name:36}{statistics.median(each):8.1f} ms")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
