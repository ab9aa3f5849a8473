"""A run on a machine with a GPU that is there for minutes only: collections are made and joins of one thread measured
beside those on the GPU, and what needs the whole CPU waits until it is quiet."""

import os
import threading
import time

from experiments import COLLECTIONS
from measure import Failed, Lane, Refused, is_known, say, told
from portions import PORTIONS, needs_cpu

USUAL = 540  # seconds of a run that the portions' shares are of
BESIDE = 0.35  # of the run: so long joins of one thread are measured, and collections made, beside it
BESIDES = 4  # lanes beside the main one, if that is at most a quarter of the CPUs
MAKERS = 2
KEPT = 8  # processes, each with a collection and a GPU that are open: opening takes a second
WAIT = 0.1  # seconds
LATE = 20  # seconds after the end that the last cell may take


class Run:
    """One run: what is left to do, and who does what."""

    def __init__(self, bench, results, threads, minutes, selected):
        self.bench, self.results, self.threads = bench, results, threads
        self.begun = time.monotonic()
        self.minutes = minutes
        self.end = self.begun + minutes * 60
        self.lock = threading.RLock()
        self.view = {n: results.view(results.machine, n) for n in {1, threads}}
        self.left = [(p, cell) for p in PORTIONS for cell in self.unknown(p.cells(), threads) if selected(p, cell)]
        self.ones = [cell for p in PORTIONS for cell in self.unknown(p.ones(), 1) if selected(p, cell)]
        self.spent = {}  # (portion, whether it needs the CPU): seconds
        self.refused, self.failed, self.error = set(), set(), None
        self.unmade = self.to_make()
        self.making, self.unmakable = set(), set()
        self.busy = 0  # lanes at work beside the main one
        self.stop = False
        self.main = Lane(bench, most=KEPT)
        self.lanes = [self.main]

    def is_known(self, cell, threads):
        return is_known(self.view[threads].get(*cell), self.bench.cut)

    def unknown(self, cells, threads):
        """The collections to be measured. Those with all results are not even made again."""
        return [cell for cell in cells if not self.is_known(cell, threads)]

    def to_make(self):
        """The collections that have to be made, in the order in which they are wanted."""
        names = {}
        for _, cell in self.left:
            names[cell[0]] = 1
        names.update((cell[0], 1) for cell in self.ones)
        return [n for n in names if COLLECTIONS[n].made and not os.path.exists(self.bench.path(n))]

    # Beside the main lane.

    def is_over(self, until):
        return self.stop or self.error or time.monotonic() > until

    def guarded(self, work):
        """Runs a thread's work, and passes what ends it to the main thread."""
        try:
            work()
        except BaseException as error:  # pylint: disable=broad-except
            self.error = self.error or error
        finally:
            with self.lock:
                self.busy -= 1

    def make_next(self, threads):
        """Makes a collection; 0 if there are none left to make."""
        with self.lock:
            if not self.unmade:
                return 0
            name = self.unmade.pop(0)
            self.making.add(name)
        try:
            self.bench.make(name, threads)
        except Failed as failure:
            say(f"FAILED: {failure}")
            with self.lock:
                self.unmakable.add(name)
                self.failed.add((name,))
        with self.lock:
            self.making.remove(name)
        return 1

    def make_all(self, threads, until):
        while not self.is_over(until) and self.make_next(threads):
            pass

    def is_there(self, name):
        return name not in self.unmade and name not in self.making and name not in self.unmakable

    def measure_ones(self, cpu, until):
        lane = Lane(self.bench, cpu)
        self.lanes.append(lane)
        while not self.is_over(until):
            with self.lock:
                there = [c for c in self.ones if self.is_there(c[0])]
                cell = next((c for c in there if c[0] == lane.name), there[0] if there else None)
                if cell:
                    self.ones.remove(cell)
                elif not self.ones:
                    break
            if cell:
                self.measure(lane, cell, 1)
            else:
                time.sleep(WAIT)
        lane.close()

    # All lanes.

    def measure(self, lane, cell, threads):
        """Measures a cell unless it is known."""
        with self.lock:
            if self.stop or self.is_known(cell, threads) or cell[2] in self.refused:
                return
        try:
            result = lane.measure(cell, threads)
        except Refused as reason:
            with self.lock:
                self.refused.add(cell[2])
            say(f"{cell[2]}: left out: {reason}")
            return
        except Failed as failure:
            if not self.stop:
                self.failed.add(cell)
                say(f"FAILED: {' '.join(cell)}: {failure}")
            return
        with self.lock:
            if self.stop:
                return
            self.results.add(result)
            at = time.monotonic() - self.begun
            say(f"{at:5.0f} s  {cell[0]:20} {cell[1]:4} {cell[2]:22} x{threads:<3} {told(result)}")

    def pick(self):
        """The next cell of the main lane: that of a portion with time left goes first. None if it has to wait. Half of
        a portion's share is for what needs the CPU, so that it is there when the CPU is."""
        with self.lock:
            quiet = not self.busy
            late = None
            for at, (portion, cell) in enumerate(self.left):
                if not self.is_there(cell[0]) or needs_cpu(cell[2]) and not quiet:
                    continue
                spent = self.spent.get((portion.name, needs_cpu(cell[2])), 0)
                if spent < portion.share / 2 * self.minutes * 60 / USUAL:
                    return self.left.pop(at)
                late = at if late is None else late
            return None if late is None else self.left.pop(late)

    def main_lane(self):
        while self.left and not self.is_over(self.end):
            waiting = self.busy  # before it is looked what there is to do
            picked = self.pick()
            if picked:
                begun = time.monotonic()
                self.measure(self.main, picked[1], self.threads)
                key = picked[0].name, needs_cpu(picked[1][2])
                self.spent[key] = self.spent.get(key, 0) + time.monotonic() - begun
                continue
            with self.lock:
                self.left = [c for c in self.left if c[1][0] not in self.unmakable]
                if not self.making and not self.unmade:
                    self.ones = []  # the lanes beside are what is waited for: they end with the cells at hand
            if not waiting and not self.make_next(self.threads):
                break
            if waiting:
                time.sleep(WAIT)
        while self.busy and not self.is_over(self.end):
            time.sleep(WAIT)

    def stop_all(self):
        self.stop = True
        for lane in self.lanes:
            lane.kill()

    def go(self, beside=None):
        """Runs it all; returns how many cells failed, and are left."""
        cpus = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
        until = self.begun + BESIDE * self.minutes * 60
        works = []
        for i in range(min(BESIDES, len(cpus) // 4) if beside is None else beside):
            works.append(lambda cpu=cpus[-1 - i % len(cpus)]: self.measure_ones({cpu}, until))
        works += [lambda: self.make_all(max(1, len(cpus) // 2 - 2), until)] * (MAKERS if self.unmade else 0)
        self.busy = len(works)
        threads = [threading.Thread(target=self.guarded, args=(work,), daemon=True) for work in works]
        for thread in threads:
            thread.start()
        late = threading.Timer(self.minutes * 60 + LATE, self.stop_all)
        late.daemon = True
        late.start()
        try:
            self.main_lane()
        finally:
            late.cancel()
            self.stop_all()
            for thread in threads:  # those that make collections are not waited for
                thread.join(1)
            self.main.close()
        if self.error:
            raise self.error
        return len(self.failed), sum(not self.is_known(cell, self.threads) for _, cell in self.left)
