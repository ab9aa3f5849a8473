"""Two catalogues of products, in which the same product is called differently: which belong together?

A join of names finds candidates; a link that also looks at prices, and lets a product have one counterpart only, decides better. What is right is
known here, so we can tell by how much.
"""

import csv
from pathlib import Path

import akin

DATA = Path(__file__).parent.parent / "data"


def read(name):
    with open(DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


ours, theirs = read("catalogue_a.csv"), read("catalogue_b.csv")
left, right = ({key: [row[key] for row in rows] for key in rows[0]} for rows in (ours, theirs))
gold = [(row["left"], row["right"]) for row in read("catalogue_gold.csv")]


def named(pairs):
    """Pairs of ids instead of row numbers."""
    return [(ours[i]["id"], theirs[j]["id"]) for i, j in zip(pairs["left"], pairs["right"])]


def tell(what, pairs):
    found = akin.evaluate(named(pairs), gold, linked=True)
    print(f"{what:32} {found.pairs:3} pairs, precision {found.precision:.3f}, recall {found.recall:.3f}, f1 {found.f1:.3f}")


# By names alone: as sets of words, then as runs of three characters, which forgive a missing hyphen.
tell("words, Jaccard 0.5", akin.join(left, right, on="name", jaccard=0.5))
tell("runs of 3 letters, Jaccard 0.5", akin.join(left, right, on="name", tokens="qgrams:3", fold=True, jaccard=0.5))

# Rare words weigh more (tfidf), prices may differ by a tenth or so, and neither shop sells a product twice.
links = akin.link(
    left,
    right,
    compare=["name:tfidf/3:0:4", "price:number/60"],
    pairs="similar:name:jaccard:0.15:qgrams:3",
    fold={"name": "all"},
    threshold=0.55,
    one_to_one=True,
)
tell("weighed, with prices, one to one", links)

print("\nThe least certain of them:")
for row in sorted(links, key=lambda row: row[2])[:3]:
    i, j, similarity = row[:3]
    print(f"  {similarity:.2f}  {ours[i]['name']}  |  {theirs[j]['name']}")

missed = sorted(set(gold) - set(named(links)))
names = {row["id"]: row["name"] for row in ours + theirs}
print(f"\nMissed: {len(missed)}")
for a, b in missed:
    print(f"  {names[a]}  |  {names[b]}")
