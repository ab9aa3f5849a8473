"""A table of customers, some of them more than once, with typing errors: find them, choose the threshold, keep one of
each."""

from pathlib import Path

import akin

DATA = Path(__file__).parent.parent / "data"
table, gold = DATA / "customers.csv", DATA / "customers_gold.csv"

# Which pairs are looked at: neighbours by surname and by date of birth, and customers of one postcode whose names sound
# alike. An error in one column is seldom in another, too.
windows = [akin.window("surname", 8, key="value"), akin.window("date_of_birth", 8, key="value")]
block = akin.block("postcode", ("given_name", "soundex"))
compare = [
    "given_name:jaro-winkler:0.7",
    "surname:jaro-winkler:0.7:2",
    "address:jaccard/2:0.4",
    "suburb:jaro-winkler:0.7",
    "date_of_birth:levenshtein:0.6:2",
    "phone:levenshtein:0.6",
]


def find(threshold):
    return akin.dedupe(
        table, compare, window=windows, block=block, threshold=threshold, fold="all", missing="skip", id="id", gold=gold
    )


# The right pairs are known of this table. Of your own, label some hundred pairs, and evaluate those. A cluster also
# joins records that are alike by way of others, so one wrong pair costs more there.
print("threshold  pairs  precision  recall     f1  f1 of clusters")
results = {}
for step in range(50, 100, 5):
    found = results[step / 100] = find(step / 100)
    result = found.evaluation
    print(
        f"{step / 100:9.2f} {result.pairs:6} {result.precision:10.3f} {result.recall:7.3f} {result.f1:6.3f} "
        f"{found.closed.f1:15.3f}"
    )
best = max(results, key=lambda threshold: results[threshold].closed.f1)

# Rows that pairs connect are one customer; the first row of each stays.
found = results[best]
rows = table.read_text(encoding="utf-8").splitlines()[1:]
print(f"\nAt {best} {len(rows)} rows are {sum(found.keep)} customers. The largest cluster:")
clusters = found.clusters["cluster"]
largest = max(set(clusters), key=lambda cluster: (clusters.count(cluster), -cluster))
for row, cluster in zip(rows, clusters):
    if cluster == largest:
        print("  " + row)
