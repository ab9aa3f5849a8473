#!/usr/bin/env python3
"""How well and how fast akin finds duplicates without rules, beside peers that are set up as they recommend.

    python3 -m venv VENV && VENV/bin/pip install splink recordlinkage dedupe "BTrees<6" goldenmatch polars pandas
    python3 bench/linkage.py --data ../shared/data/dedupe --akin build/release/akin --python VENV/bin/python

    python3 bench/held_out.py FOLDER CLONES                   prepares tables that nobody looked at while akin was made
    python3 bench/kept.py FOLDER CLONES                       prepares more of them
    python3 bench/linkage.py --held-out FOLDER --akin build/release/akin [--python VENV/bin/python --peers akin,splink]

The peer `hand` is akin with rules that a careful person wrote (bench/hand.py), and `label` is akin with 100 answers to
the questions of akin label, which gold gives.

Writes a table in Markdown: for each table and each peer F1 at its own threshold, F1 at the threshold that gold would
choose, CPU seconds and memory of the whole process, and lines of configuration (bench/linkage_peers.py). Each has a
process of its own. A process that needs more than --limit CPU seconds or --memory GB is stopped, and the table says so.
Columns that hold gold are dropped. F1 is that of pairs; where `of` says clusters, every two rows of a cluster are a
pair.
"""

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import hand
import label
import linkage_peers

PEERS = ("akin", "splink", "recordlinkage", "dedupe", "goldenmatch")
TABLES = {  # files, the column of ids, and what is measured
    "restaurants": (("restaurants.csv",), "id", ("pairs",)),
    "dblp-acm": (("dblp.csv", "acm.csv"), "id", ("pairs",)),
    "abt-buy": (("abt.csv", "buy.csv"), "id", ("pairs",)),
    "febrl3": (("febrl3.csv",), "rec_id", ("pairs",)),
    "febrl4": (("febrl4a.csv", "febrl4b.csv"), "rec_id", ("pairs",)),
    "fake_1000": (("fake_1000.csv",), "id", ("pairs", "clusters")),
    "transactions": (("a.csv.zst", "b.csv.zst"), "id", ("pairs",)),
    "cora": (("cora.csv",), "Entity Id", ("clusters",)),
    "historical_50k": (("historical_50k.csv.zst",), "unique_id", ("clusters",)),
}
OF_CLUSTERS = (  # held out: many records of one thing
    *("chicago", "patents", "fake_20000", "foreigners"),
    *("musicbrainz", "cytology", "digital-work", "census", "notebooks-2", "notebooks-3", "notebook-titles"),
    *("memory-cards", "truth-set", "three-files", "voters", "towns", "companies"),
)
GOLD_COLUMNS = ("", "class", "cluster")
LARGEST = 5000  # a cluster of so many records is an error, and does not count

# Tables.


def rows_of(path):
    command = ["zstd", "-dcq"] if path.suffix == ".zst" else ["cat"]
    text = subprocess.run([*command, path], check=True, stdout=subprocess.PIPE).stdout.decode()
    return list(csv.DictReader(text.splitlines(keepends=True)))


def write(path, names, rows):
    with open(path, "w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([names, *rows])


def prepare(data, name, folder):
    """Tables without gold, with their ids in the column `id`."""
    files, ids, _ = TABLES[name]
    for file, out in zip(files, ("table",) if len(files) == 1 else ("left", "right")):
        rows = rows_of(data / name / file)
        kept = [column for column in rows[0] if column not in (*GOLD_COLUMNS, ids)]
        write(folder / f"{out}.csv", ["id", *kept], ([row[ids], *(row[column] for column in kept)] for row in rows))
    gold = next((data / name).glob("gold.csv*"))
    write(folder / "gold.csv", ["left", "right"], (list(row.values())[:2] for row in rows_of(gold)))


def pairs_in(path):
    return [list(row.values())[:3] for row in rows_of(path)]


# Quality.


class Gold:
    def __init__(self, folder):
        self.link = (folder / "left.csv").exists()
        self.pairs = self.of(pairs_in(folder / "gold.csv"))
        labels = folder / "labels.csv"
        self.labels = self.of(pairs_in(labels)) if labels.exists() else None
        clusters = self.connected(self.pairs)
        self.thing = {record: i for i, members in enumerate(clusters) for record in members}
        self.closed = sum(map(self.count, clusters))

    def name(self, pair):
        if self.link:
            return (0, pair[0]), (1, pair[1])
        return tuple(sorted(((0, pair[0]), (0, pair[1]))))

    def of(self, pairs):
        return {self.name(pair) for pair in pairs if self.link or pair[0] != pair[1]}

    def connected(self, pairs):
        """Clusters: the records that pairs connect, directly or through others."""
        group = {}
        for a, b in pairs:
            one, two = group.setdefault(a, [a]), group.setdefault(b, [b])
            if one is not two:
                small, large = sorted((one, two), key=len)
                large += small
                group.update((x, large) for x in small)
        return list({id(members): members for members in group.values()}.values())

    def count(self, members):
        """The pairs of a cluster."""
        left = sum(side == 0 for side, _ in members)
        return left * (len(members) - left) if self.link else left * (left - 1) // 2

    def f1(self, found):
        found = found if self.labels is None else found & self.labels
        return 2 * len(found & self.pairs) / max(1, len(found) + len(self.pairs))

    def f1_of_clusters(self, clusters):
        found = both = 0
        for members in clusters:
            if len(members) < LARGEST:
                found += self.count(members)
                things = defaultdict(list)
                for record in members:
                    things[self.thing.get(record, record)].append(record)
                both += sum(map(self.count, things.values()))
        return 2 * both / max(1, found + self.closed)

    def best(self, scored, of):
        """F1 at the threshold that gold would choose. Clusters are tried at 20 thresholds only."""
        named = [(float(pair[2]), self.name(pair)) for pair in scored if self.link or pair[0] != pair[1]]
        named = sorted((score, pair) for score, pair in named if self.labels is None or pair in self.labels)[::-1]
        if of == "clusters":
            cuts = {len(named) * i // 20 for i in range(1, 21)}
            tried = (self.connected(pair for _, pair in named[:cut]) for cut in cuts)
            return max(map(self.f1_of_clusters, tried), default=0)
        best, both, seen = 0, 0, set()
        for at, (score, pair) in enumerate(named):
            both += pair in self.pairs and pair not in seen
            seen.add(pair)
            if at + 1 == len(named) or named[at + 1][0] != score:
                best = max(best, 2 * both / (len(seen) + len(self.pairs)))
        return best


# Processes.


def memory(process):
    """The most bytes so far. What wait4 tells would be at least those of this script, which it was forked from."""
    try:
        with open(f"/proc/{process.pid}/status") as told:
            return 1024 * int(told.read().split("VmHWM:")[1].split()[0])
    except (OSError, IndexError):
        return 0


def spent(process):
    try:
        with open(f"/proc/{process.pid}/stat") as told:
            return sum(map(int, told.read().rsplit(")", 1)[1].split()[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0


def measured(command, asked, log):
    """CPU seconds and bytes of a process, or why it was stopped."""
    with open(log, "wb") as told:
        process = subprocess.Popen(list(map(str, command)), stdout=told, stderr=told, start_new_session=True)
        why, most = None, 0
        while why is None:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            most = max(most, memory(process))
            if spent(process) > asked.limit:
                why = f"more than {asked.limit} s"
            elif most > asked.memory * 1e9:
                why = f"more than {asked.memory:g} GB"
            time.sleep(0.01)
        if why:
            os.killpg(process.pid, signal.SIGKILL)
            os.wait4(process.pid, 0)
            process.returncode = -signal.SIGKILL
            return None, why
        process.returncode = status
    if status:
        print(f"{command}:\n{log.read_text()[-2000:]}", file=sys.stderr)
        return None, "failed"
    return (usage.ru_utime + usage.ru_stime, most), None


def run_akin(folder, out, asked, *more):
    inputs = [folder / "left.csv", folder / "right.csv"] if (folder / "left.csv").exists() else [folder / "table.csv"]
    command = [asked.akin, "link" if len(inputs) == 2 else "dedupe", *inputs, "--id", "id", "-q"]
    return measured(
        [*command, "--pairs", out / "pairs.csv", "-o", out / "clusters.csv", *more], asked, out / "akin.log"
    )


def akin_clusters(out):
    clusters = defaultdict(list)
    for row in rows_of(out / "clusters.csv"):
        clusters[row["cluster"]].append((int(row.get("side") == "right"), row["id"]))
    return clusters.values()


def of_akin(peer, name, folder, out, gold, asked, measures):
    more = hand.options(name) if peer == "hand" else []
    if peer == "label":
        inputs = [path for side in ("table", "left", "right") if (path := folder / f"{side}.csv").exists()]
        known = pairs_in(folder / "labels.csv") if gold.labels is not None else None
        table = label.Table(asked.akin, out, inputs, "id", pairs_in(folder / "gold.csv"), known)
        try:
            more = ["--answers", table.answer([linkage_peers.LABELS])[0][linkage_peers.LABELS]]
        except subprocess.CalledProcessError:
            return None, "failed", "", {}
    told, why = run_akin(folder, out, asked, *more)
    if why:
        return told, why, "", {}
    version = subprocess.run([asked.akin, "--version"], stdout=subprocess.PIPE, text=True).stdout.split()[-1]
    own = {"pairs": gold.f1(gold.of(pairs_in(out / "pairs.csv"))), "clusters": gold.f1_of_clusters(akin_clusters(out))}
    figures = {of: own[of] for of in measures}
    if peer == "hand":
        return told, None, version, {of: (figures[of],) for of in measures}
    run_akin(folder, out, asked, *more, "--threshold", "0.000000001")
    scored = pairs_in(out / "pairs.csv")
    return told, None, version, {of: (figures[of], max(figures[of], gold.best(scored, of))) for of in measures}


def of_peer(peer, name, folder, out, gold, asked, measures):
    script = Path(linkage_peers.__file__).resolve()
    result = out / f"{peer}.json"
    told, why = measured([asked.python, script, peer, name, folder, result], asked, out / f"{peer}.log")
    if why:
        return told, why, "", {}
    answer = json.loads(result.read_text())
    pairs = gold.of(answer["decided"])
    own = {"pairs": gold.f1(pairs), "clusters": gold.f1_of_clusters(gold.connected(pairs))}
    figures = {of: own[of] for of in measures}
    best = {of: max(figures[of], gold.best(answer["scored"], of)) for of in measures}
    return told, None, answer["version"], {of: (figures[of], best[of]) for of in measures}


# The table.


def line(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def compare(name, folder, out, asked, measures):
    gold = Gold(folder)
    for peer in asked.peers:
        lines = hand.lines_of(name) if peer == "hand" else linkage_peers.lines_of(peer, name)
        if peer in linkage_peers.CONFIGURE and not linkage_peers.function_of(peer, name):
            continue
        if peer == "hand" and not hand.options(name):
            continue
        one = of_akin if peer in ("akin", "hand", "label") else of_peer
        told, why, version, figures = one(peer, name, folder, out, gold, asked, measures)
        for of in measures:
            cells = [f"{told[0]:.1f}", f"{told[1] / 1e6:.0f}"] if told else ["", ""]
            scores = [f"{score:.3f}" for score in figures[of]] if figures else [why]
            scores += [""] * (2 - len(scores))
            line(name, of, f"{peer} {version}".strip(), *scores, *cells, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder of the tables")
    parser.add_argument("--held-out", type=Path, help="a folder that bench/held_out.py made: its tables instead")
    parser.add_argument("--akin", type=Path, required=True)
    parser.add_argument("--python", default=sys.executable, help="the Python that has the peers (default: this one)")
    parser.add_argument("--only", help="tables, with commas between them (default: all)")
    parser.add_argument("--peers", help=f"{','.join(PEERS)} (default; with --held-out akin), hand, label")
    parser.add_argument("--limit", type=float, default=900, help="CPU seconds of one process (default: 900)")
    parser.add_argument("--memory", type=float, default=6, help="GB of one process (default: 6)")
    asked = parser.parse_args()
    asked.peers = asked.peers.split(",") if asked.peers else PEERS if not asked.held_out else ("akin",)
    if not asked.data and not asked.held_out:
        parser.error("--data or --held-out says where the tables are")
    names = sorted(path.parent.name for path in asked.held_out.glob("*/gold.csv")) if asked.held_out else TABLES
    line("table", "of", "peer", "F1", "best F1", "CPU s", "MB", "lines")
    line(*["---"] * 8)
    for name in asked.only.split(",") if asked.only else names:
        with tempfile.TemporaryDirectory() as work:
            out, folder = Path(work), asked.held_out and asked.held_out / name
            if not folder:
                folder = out
                prepare(asked.data, name, folder)
            measures = ("clusters",) if name in OF_CLUSTERS else TABLES.get(name, (0, 0, ("pairs",)))[2]
            compare(name, folder, out, asked, measures)


if __name__ == "__main__":
    main()
