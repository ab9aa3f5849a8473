"""Jobs among threads, signals, callbacks; and whether anything is left behind."""

import concurrent.futures
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

import akin

LONG = """
import random, time, akin
draw = random.Random(1)
words = [str(i) for i in range(3000)]
rows = [" ".join(draw.choices(words, k=60)) for _ in range(60000)]
print("ready", flush=True)
try:
    akin.join(rows, jaccard="0.2", technique="allpairs", threads=2{arguments})
    print("done")
except {error} as error:
    print("stopped", time.time(), flush=True)
"""


def start(error, arguments=""):
    program = LONG.format(error=error, arguments=arguments)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    return child


def test_interrupt():
    child = start("KeyboardInterrupt")
    time.sleep(1.5)
    asked = time.time()
    child.send_signal(signal.SIGINT)
    words = child.communicate(timeout=60)[0].split()
    assert child.returncode == 0 and words[0] == "stopped"
    assert float(words[1]) - asked < 5  # 0.1 s where the machine has nothing else to do


def test_progress_is_told_and_may_stop():
    told = []
    akin.join([f"row {i} of many rows" for i in range(20000)], jaccard=0.9, progress=lambda *said: told.append(said))
    assert told and all(isinstance(phase, str) and done <= (total or done) for phase, done, total in told)

    def stop(phase, done, total):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        akin.join([f"row {i} of many rows" for i in range(20000)], jaccard=0.9, progress=stop)


def test_threads(addresses):
    expected = akin.join(addresses, jaccard=0.5)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: akin.join(addresses, jaccard=0.5, threads=2), range(64)))
    assert all(table == expected for table in found)


def test_others_run_meanwhile(addresses):
    ticks = []
    over = threading.Event()

    def tick():
        while not over.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    while time.monotonic() - began < 0.5:
        akin.join(addresses * 20, jaccard=0.9, threads=1)
    over.set()
    thread.join()
    assert len(ticks) > 50


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="there is no /proc")
def test_nothing_is_left_behind():
    pa = pytest.importorskip("pyarrow")
    column = pa.array([f"row {i % 20} of a table" for i in range(60)])
    rows = column.to_pylist()
    held = pa.total_allocated_bytes()

    def call(n):
        for i in range(n):
            table = akin.join(column if i % 2 else rows, overlap=5, threads=1)
            assert len(table.to_pyarrow()) == len(table) and len(table["left"]) == len(table)
            with pytest.raises(akin.OptionError):
                akin.join(column, jaccard=7)
            with pytest.raises(TypeError):
                akin.join(rows[:5] + [3], jaccard=1)

    call(1000)
    before = resident()
    call(10000)
    assert resident() - before < 8 << 20  # a frame of each call would be 100 MB
    del column
    assert pa.total_allocated_bytes() <= held
