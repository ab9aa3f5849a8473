#!/usr/bin/env python3
"""How much answers help: gold as the person who answers.

usage: label.py AKIN [--data DIR] [--tables NAME,...] [--answers N,...] [--seconds]

For each table of ../shared/data/dedupe, akin chooses the questions and gold answers them. After each number of answers
the table is deduplicated with them. The output has the F1 of pairs and of clusters, against gold; of clusters every two
rows are a pair. A table that is not there is left out.
"""
import argparse
import csv
import io
import pathlib
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TABLES = {
    "restaurants": (("restaurants.csv",), "id"),
    "dblp-acm": (("dblp.csv", "acm.csv"), "id"),
    "abt-buy": (("abt.csv", "buy.csv"), "id"),
    "febrl3": (("febrl3.csv",), "rec_id"),
    "fake_1000": (("fake_1000.csv",), "id"),
    "cora": (("cora.csv",), "Entity Id"),
    "transactions": (("a.csv.zst", "b.csv.zst"), "id"),
    "historical_50k": (("historical_50k.csv.zst",), "unique_id"),
}
GOLD_COLUMNS = ("", "class", "cluster")  # they hold gold: no rule may look at them


def read(path):
    if path.suffix == ".zst":
        text = subprocess.run(["zstd", "-dc", str(path)], capture_output=True, check=True).stdout.decode()
    else:
        text = path.read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def pair_of(left, right):
    return (left, right) if left < right else (right, left)


def f1_of(found, gold):
    both = len(found & gold)
    return 2 * both / (len(found) + len(gold)) if both else 0


def write_without_gold(data, folder, name):
    """Files of a table in a scratch folder, without columns that hold gold; the column of ids; pairs of gold."""
    files, ids = TABLES[name]
    inputs = []
    for file in files:
        rows = read(data / name / file)
        columns = [c for c in rows[0] if c not in GOLD_COLUMNS]
        inputs.append(folder / f"{name}.{file.split('.')[0]}.csv")
        with open(inputs[-1], "w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    return inputs, ids, [list(row.values())[:2] for row in read(next((data / name).glob("gold.csv*")))]


class Table:
    """Inputs, and gold, which answers. If known is there, gold is sure of these pairs only, and of others it is not."""

    def __init__(self, akin, folder, inputs, ids, gold, known=None):
        self.akin, self.folder, self.inputs, self.id = akin, folder, inputs, ids
        self.gold = {self.pair(*pair) for pair in gold}
        self.known = None if known is None else {self.pair(*pair) for pair in known}
        self.closed = self.pairs_of(self.components())

    def pair(self, left, right):
        return pair_of((0, left), (len(self.inputs) - 1, right))

    def components(self):
        members = {}
        for a, b in self.gold:
            one, other = members.setdefault(a, {a}), members.setdefault(b, {b})
            if one is not other:
                one |= other
                members.update((x, one) for x in other)
        return {id(m): m for m in members.values()}.values()

    def pairs_of(self, clusters):
        return {(a, b) for m in clusters for a in m for b in m if a < b}

    def dedupe(self, answers):
        """F1 of pairs and of clusters."""
        pairs, clusters = self.folder / "pairs.csv", self.folder / "clusters.csv"
        command = [self.akin, "dedupe", *self.inputs, "--id", self.id, "-q", "--pairs", pairs, "-o", clusters]
        subprocess.run(command + (["--answers", answers] if answers else []), check=True)
        found = {self.pair(row["left"], row["right"]) for row in read(pairs)}
        members = {}
        for row in read(clusters):
            side = int(row.get("side", "left") == "right")
            members.setdefault(row["cluster"], []).append((side, row["id"]))
        together = self.pairs_of(m for m in members.values() if len(m) < 5000)
        if len(self.inputs) == 2:
            together = {(a, b) for a, b in together if a[0] != b[0]}
        return f1_of(found, self.gold), f1_of(together, self.closed)

    def of(self, pair):
        if self.known is not None and pair not in self.known:
            return "u"
        return "y" if pair in (self.closed if self.known is None else self.gold) else "n"

    def answer(self, counts):
        """The file of answers after each number of them, and the seconds of a question. Unsure is no answer."""
        path, after, seconds, answers = self.folder / "answers.csv", {}, [], 0
        most = max(counts) if self.known is None else 10 * max(counts)
        command = [self.akin, "label", *self.inputs, "--id", self.id, "-q", "--answers", path, "--limit", most]
        person = subprocess.Popen([*map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ids, begun = None, None
        while len(seconds) < most and answers <= max(counts):
            line = self.line_of(person.stdout)
            if line is None:
                break
            if line[2:].startswith(self.id + " "):
                ids = line[2 + len(self.id):].split(maxsplit=1) if len(line.split("  ")) > 2 else None
            if line.startswith("the same?"):
                if begun is not None:
                    seconds.append(time.perf_counter() - begun)
                left, right = ids[0].strip(), ids[1].strip()
                reply = self.of(self.pair(left, right))
                answers += reply != "u"
                person.stdin.write(reply + "\n")
                begun = time.perf_counter()
                person.stdin.flush()
        person.stdin.close()
        person.stdout.read()
        person.wait()
        if person.returncode:
            raise subprocess.CalledProcessError(person.returncode, command)
        lines = [line for line in path.read_text().splitlines(True) if not line.endswith(",unsure\n")]
        for count in counts:
            after[count] = self.folder / f"answers.{count}.csv"
            after[count].write_text("".join(lines[: count + 1]))
        return after, seconds

    @staticmethod
    def line_of(stream):
        """A line, or a question at the end of the output, which has no line feed yet; None: there is no more."""
        text = ""
        while (c := stream.read(1)) and c != "\n":
            text += c
            if text.endswith("[y/n/u/b/q] "):
                break
        return text if text or c else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("akin")
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parent.parent / "shared/data/dedupe")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--answers", default="25,50,100,200")
    parser.add_argument("--seconds", action="store_true", help="also the time from an answer to the next question")
    given = parser.parse_args()
    counts = [int(n) for n in given.answers.split(",")]
    print("table,what," + ",".join(map(str, [0, *counts])) + (",median ms,largest ms" if given.seconds else ""))
    for name in given.tables.split(","):
        if not (given.data / name).is_dir():
            print(f"{name}: there is no {given.data / name}: left out")
            continue
        with tempfile.TemporaryDirectory() as folder:
            table = Table(given.akin, pathlib.Path(folder), *write_without_gold(given.data, pathlib.Path(folder), name))
            after, seconds = table.answer(counts)
            rows = [table.dedupe(None)] + [table.dedupe(after[n]) for n in counts]
            times = sorted(1000 * s for s in seconds) or [0]
            shown = f",{times[len(times) // 2]:.0f},{times[-1]:.0f}" if given.seconds else ""
            for i, what in enumerate(("pairs", "clusters")):
                print(f"{name},{what}," + ",".join(f"{row[i]:.4f}" for row in rows) + shown, flush=True)


if __name__ == "__main__":
    main()
