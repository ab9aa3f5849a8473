"""A table of customers, some of whom are there more than once, with typing errors: find them, choose the threshold, keep one of each."""

from pathlib import Path

import akin

DATA = Path(__file__).parent.parent / "data"
table = DATA / "customers.csv"

# Which pairs are looked at: neighbours by surname and by date of birth, and customers of one postcode whose names sound alike. An
# error in one column is seldom in another, too.
pairs = ["window:8:surname:value", "window:8:date_of_birth:value", "block:postcode+given_name:soundex"]
compare = [
    "given_name:jaro-winkler:0.7",
    "surname:jaro-winkler:0.7:2",
    "address:jaccard/2:0.4",
    "suburb:jaro-winkler:0.7",
    "date_of_birth:levenshtein:0.6:2",
    "phone:levenshtein:0.6",
]
found = akin.dedupe(table, compare, pairs, threshold=0.5, fold="all", missing="skip")

# What is right is known of this table; of your own, label some hundred pairs, and evaluate those.
ids = [line.split(",", 1)[0] for line in table.read_text(encoding="utf-8").splitlines()[1:]]
similarities = found["similarity"]
print("threshold  pairs  precision  recall     f1")
best = None
for step in range(50, 100, 5):
    threshold = step / 100
    kept = [(ids[i], ids[j]) for i, j, s in zip(found["left"], found["right"], similarities) if s >= threshold]
    result = akin.evaluate(kept, DATA / "customers_gold.csv")
    print(f"{threshold:9.2f} {result.pairs:6} {result.precision:10.3f} {result.recall:7.3f} {result.f1:6.3f}")
    if best is None or result.f1 > best[0]:
        best = (result.f1, threshold)

# Rows that pairs connect are one customer; the first row of each stays.
threshold = best[1]
same = [(i, j) for i, j, s in zip(found["left"], found["right"], similarities) if s >= threshold]
clusters = akin.components(same, rows=len(ids))["cluster"]
kept = [row for row, cluster in enumerate(clusters) if row == cluster]
print(f"\nAt {threshold} {len(ids)} rows are {len(kept)} customers. The largest cluster:")
largest = max(set(clusters), key=lambda cluster: (clusters.count(cluster), -cluster))
lines = table.read_text(encoding="utf-8").splitlines()[1:]
for row, cluster in enumerate(clusters):
    if cluster == largest:
        print("  " + lines[row])
