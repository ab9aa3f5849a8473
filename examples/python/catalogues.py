"""Two catalogues of products, in which the same product is called differently: which belong together?

A join of names finds candidates; a link that also looks at prices, and lets a product have one counterpart only,
decides better. The right pairs are known here, so we can measure by how much.
"""

import csv
from pathlib import Path

import akin

DATA = Path(__file__).parent.parent / "data"
ours, theirs, gold = DATA / "catalogue_a.csv", DATA / "catalogue_b.csv", DATA / "catalogue_gold.csv"


def tell(what, pairs):
    ids = list(zip(pairs["left_id"], pairs["right_id"]))
    found = akin.evaluate(ids, gold, linked=True)
    print(
        f"{what:32} {found.pairs:3} pairs, precision {found.precision:.3f}, recall {found.recall:.3f}, f1 "
        f"{found.f1:.3f}"
    )
    return set(ids)


# By names alone: as sets of words, then as runs of three characters, which forgive a missing hyphen.
tell("words, Jaccard 0.5", akin.join(ours, theirs, on="name", id="id", jaccard=0.5))
tell(
    "runs of 3 letters, Jaccard 0.5",
    akin.join(ours, theirs, on="name", id="id", tokens="qgrams:3", ignore_case=True, jaccard=0.5)
)

# Rare words weigh more (tfidf), prices may differ by a tenth or so, and neither shop sells a product twice.
links = akin.link(
    ours,
    theirs,
    compare=["name:tfidf/3:0:4", "price:number/60"],
    similar="name:jaccard:0.15:qgrams:3",
    fold={"name": "all"},
    threshold=0.55,
    one_to_one=True,
    id="id",
)
linked = tell("weighed, with prices, one to one", links)

names = {}
for file in (ours, theirs):
    with open(file, newline="", encoding="utf-8") as lines:
        names |= {row["id"]: row["name"] for row in csv.DictReader(lines)}
print("\nThe least certain of them:")
for similarity, a, b in sorted(zip(links["similarity"], links["left_id"], links["right_id"]))[:3]:
    print(f"  {similarity:.2f}  {names[a]}  |  {names[b]}")

with open(gold, newline="", encoding="utf-8") as lines:
    missed = sorted({(row["left"], row["right"]) for row in csv.DictReader(lines)} - linked)
print(f"\nMissed: {len(missed)}")
for a, b in missed:
    print(f"  {names[a]}  |  {names[b]}")
