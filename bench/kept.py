#!/usr/bin/env python3
"""Prepares more tables that nobody looked at while akin's learning was made, for bench/linkage.py --held-out.

    python3 bench/kept.py FOLDER CLONES

They are as those of bench/held_out.py, which describes CLONES and FOLDER, from these public repositories:

    vintasoftware/entity-embed              musicbrainz: songs of five sources (Leipzig)
    CoLRev-Environment/bib-dedupe           references of systematic reviews, from its history
    scify/JedAI-Spark                       census: persons of two census records
    HPI-Information-Systems/snowman         notebooks of shops (SIGMOD contest 2021)
    Liu-rj/SigmodContest2022                texts of notebooks, and memory cards of shops
    Senzing/truth-sets                      persons and companies of three sources
    cran/multilink                          made-up persons of three files (needs pip install rdata)
    RostyslavSysenko/DPPRL                  voters of North Carolina, with made errors, of five parties and of two
    cran/reclin2                            spellings of towns
    fritshermans/deduplipy                  names and addresses of companies (needs pip install pandas openpyxl)
    wbsg-uni-mannheim/winter                films with actors; computers of shops: labels of some pairs
    megagonlabs/ditto                       watches; publications of DBLP and Google Scholar: labels of some pairs
"""

import csv
import io
import re
import subprocess
from xml.etree import ElementTree

from held_out import make_all, pairs_of, with_id


def connected(pairs):
    """(id, thing) of ids that pairs connect."""
    group = {}
    for a, b in pairs:
        one, two = group.setdefault(a, {a}), group.setdefault(b, {b})
        if one is not two:
            one |= two
            group.update((x, one) for x in two)
    return [(x, id(members)) for x, members in group.items()]


def songs(source):
    rows = [
        row
        for part in ("train", "valid", "test")
        for row in source.rows("vintasoftware/entity-embed", f"example-data/er-{part}.csv")
    ]
    source.put("musicbrainz", [with_id(rows, "id", "cluster")], pairs_of((row["id"], row["cluster"]) for row in rows))


def references(source):
    repository = "CoLRev-Environment/bib-dedupe"
    clone = source.clones / repository.replace("/", "+")
    clone = clone / "repo" if (clone / "repo").exists() else clone
    for name, folder in {"cytology": "cytology_screening", "digital-work": "digital_work"}.items():
        path = f"data/{folder}/records_pre_merged.csv"
        log = ["git", "-C", clone, "log", "--format=%H", "--diff-filter=D", "--", path]
        at = subprocess.run(log, check=True, stdout=subprocess.PIPE, text=True).stdout.split()[0] + "~1"
        rows = source.rows(repository, path, at=at)
        groups = source.rows(repository, f"data/{folder}/merged_record_ids.csv", at=at)
        groups = [row["merged_ids"].split(";") for row in groups]
        gold = pairs_of(connected((group[0], name) for group in groups for name in group))
        source.put(name, [with_id(rows, "ID", "ID_old")], gold)


def census(source):
    at = "datasets/dirty/census/census"
    rows = source.rows("scify/JedAI-Spark", f"{at}.csv")
    gold = source.rows("scify/JedAI-Spark", f"{at}_groundtruth.csv")
    source.put("census", [with_id(rows, "id")], pairs_of(connected((row["id1"], row["id2"]) for row in gold)))


def notebooks(source):
    at = "wrapper/assets/database_setup"
    files = (("notebooks-2", "notebook_X2", "notebook"), ("notebooks-3", "notebookLarge_X3", "notebooklarge"))
    for name, file, gold in files:
        rows = source.rows("HPI-Information-Systems/snowman", f"{at}/datasets/sigmod_{file}.csv")
        pairs = source.rows("HPI-Information-Systems/snowman", f"{at}/experiments/sigmod_{gold}_goldstandard.csv")
        same = [(row["left_instance_id"], row["right_instance_id"]) for row in pairs if row["label"] == "1"]
        source.put(name, [with_id(rows, "instance_id")], pairs_of(connected(same)))


def shops(source):
    for name, file, drop in (("notebook-titles", "1", ()), ("memory-cards", "2", ("category",))):
        rows = source.rows("Liu-rj/SigmodContest2022", f"X{file}.csv")
        pairs = source.rows("Liu-rj/SigmodContest2022", f"Y{file}.csv")
        there = {row["id"] for row in rows}
        same = [(row["lid"], row["rid"]) for row in pairs if row["lid"] in there and row["rid"] in there]
        source.put(name, [with_id(rows, "id", *drop)], pairs_of(connected(same)))


def truth(source):
    rows, columns = [], {}
    for file in ("customers", "reference", "watchlist"):
        rows += source.rows("Senzing/truth-sets", f"truthsets/demo/{file}.csv")
    for row in rows:
        columns.update({column: None for column, value in row.items() if value})
    for column in ("DATA_SOURCE", "RECORD_ID", "REL_ANCHOR_KEY", "REL_POINTER_KEY", "REL_POINTER_ROLE"):
        columns.pop(column, None)
    records = [
        {"id": row["RECORD_ID"], **{column.lower(): row.get(column, "").strip() for column in columns}} for row in rows
    ]
    gold = source.rows("Senzing/truth-sets", "truthsets/demo/actual_truthset_key.csv")
    source.put("truth-set", [records], pairs_of((row["RECORD_ID"], row["CLUSTER_ID"]) for row in gold))


def three_files(source):
    import rdata

    told = rdata.conversion.convert(rdata.parser.parse_data(source.bytes("cran/multilink", "data/dup_data.RData")))
    table, things = told["dup_data"]["records"], told["dup_data"]["IDs"]
    text = lambda value: "" if value is None or value != value else str(value)
    records = [
        {"id": str(i), **{column: text(value) for column, value in row.items()}}
        for i, row in enumerate(table.to_dict("records"))
    ]
    source.put("three-files", [records], pairs_of((str(i), int(thing)) for i, thing in enumerate(things)))


def voters(source):
    at = "Client_program/datasets_synthetic/ncvr_numrec_5000_modrec_2_ocp"

    def party(number, errors):
        rows = source.rows("RostyslavSysenko/DPPRL", f"{at}_{errors}_myp_{number}_nump_5.csv")
        things = [row.pop("recid") for row in rows]
        return [{"id": f"{number}-{i}", **row} for i, row in enumerate(rows)], things

    parties = [party(number, 20) for number in range(5)]
    things = [(row["id"], thing) for rows, of in parties for row, thing in zip(rows, of)]
    source.put("voters", [[row for rows, _ in parties for row in rows]], pairs_of(things))
    (left, of_left), (right, of_right) = party(0, 40), party(1, 40)
    at_right = {thing: row["id"] for thing, row in zip(of_right, right)}
    same = [(row["id"], at_right[thing]) for thing, row in zip(of_left, left) if thing in at_right]
    source.put("voters-2", [left, right], same)


def towns(source):
    rows = source.rows("cran/reclin2", "data/town_names.txt.gz", "\t")
    records = [{"id": str(i), "name": row["name"]} for i, row in enumerate(rows)]
    source.put("towns", [records], pairs_of((str(i), row["official_name"]) for i, row in enumerate(rows)))


def companies(source):
    import pandas

    data = source.bytes("fritshermans/deduplipy", "deduplipy/data/stoxx50_extended_with_id.xlsx")
    rows = pandas.read_excel(io.BytesIO(data)).to_dict("records")
    records = [{"id": str(i), "name": str(row["name"])} for i, row in enumerate(rows)]
    source.put("companies", [records], pairs_of((str(i), row["id"]) for i, row in enumerate(rows)))


def labelled(source, name, tables, labels):
    """Labels: (left, right, whether they are the same), of pairs whose records are in the tables."""
    there = [{row["id"] for row in rows} for rows in tables]
    labels = [label for label in labels if label[0] in there[0] and label[1] in there[1]]
    source.put(name, tables, [label[:2] for label in labels if label[2]], [label[:2] for label in labels])


def films(source):
    repository, at = "wbsg-uni-mannheim/winter", "winter-usecases/usecase/movie"

    def records(file):
        made = []
        for movie in ElementTree.fromstring(source.bytes(repository, f"{at}/input/{file}.xml")):
            named = lambda path: ", ".join((x.text or "").strip() for x in movie.findall(path))
            made.append(
                {
                    "id": movie.findtext("id"),
                    "title": (movie.findtext("title") or "").strip(),
                    "director": named("director/name"),
                    "actors": named("actors/actor/name"),
                    "date": movie.findtext("date") or "",
                }
            )
        return made

    labels = [
        row
        for part in ("training", "test")
        for row in csv.reader(
            io.StringIO(source.bytes(repository, f"{at}/goldstandard/gs_academy_awards_2_actors_{part}.csv").decode())
        )
        if row
    ]
    tables = [records("academy_awards"), records("actors")]
    labelled(source, "award-films", tables, [(row[0], row[1], row[2].strip().lower() == "true") for row in labels])


def computers(source):
    repository, at = "wbsg-uni-mannheim/winter", "winter-usecases/usecase/product"
    tables = []
    for side in ("left", "right"):
        rows = {row["id"]: row for row in source.rows(repository, f"{at}/input/products_{side}.csv")}
        tables.append(with_id(list(rows.values()), "id"))
    labels = csv.reader(io.StringIO(source.bytes(repository, f"{at}/goldstandard/gs_products_training.csv").decode()))
    labels = [(row[0], row[1], row[2].strip().lower() == "true") for row in labels if row]
    labelled(source, "computers", tables, labels)


def from_pairs(source, name, files):
    """Tables of the distinct records of labelled pairs."""
    at, tables, labels = [{}, {}], [[], []], []
    for file in files:
        for line in source.bytes("megagonlabs/ditto", file).decode().split("\n"):
            *texts, answer = line.split("\t") if line else ["", "", ""]
            if not line:
                continue
            label = []
            for side, text in enumerate(texts):
                fields = dict(re.findall(r"COL (\S+) VAL ?(.*?)(?= COL |\s*$)", text))
                fields = {column: value.strip() for column, value in fields.items()}
                if side_of := at[side].get(text):
                    label.append(side_of)
                    continue
                at[side][text] = f"{'ab'[side]}{len(tables[side])}"
                tables[side].append({"id": at[side][text], **fields})
                label.append(at[side][text])
            labels.append((*label, answer.strip() == "1"))
    labelled(source, name, tables, labels)


def watches(source):
    from_pairs(source, "watches", ["data/wdc/watches/test.txt"])


def scholar(source):
    at = "data/er_magellan/Structured/DBLP-GoogleScholar"
    from_pairs(source, "dblp-scholar", [f"{at}/{part}.txt" for part in ("valid", "test")])


MAKERS = (
    songs,
    references,
    census,
    notebooks,
    shops,
    truth,
    three_files,
    voters,
    towns,
    companies,
    films,
    computers,
    watches,
    scholar,
)

if __name__ == "__main__":
    make_all(MAKERS, __doc__)
