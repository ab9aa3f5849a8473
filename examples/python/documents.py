"""Notices from several places, some of them nearly the same: which are near-duplicates, and one of each."""

import json
from pathlib import Path

import akin

notices = Path(__file__).parent.parent / "data/notices.jsonl"
rows = [json.loads(line) for line in notices.read_text(encoding="utf-8").splitlines()]

# Runs of 3 words (shingles): half of them or more are in common. Longer runs distinguish longer texts.
found = akin.near_duplicates(notices, on="text", id="id", tokens="words:3", jaccard=0.5)
print(found)

# Which belong together, directly or by way of others; a text that was changed in many places is too far from the first.
clusters = found.clusters["cluster"]
print("\nThe largest cluster:")
largest = max(set(clusters), key=lambda cluster: (clusters.count(cluster), -cluster))
for row, cluster in zip(rows, clusters):
    if cluster == largest:
        print(f"  {row['id']} ({row['source']}): {row['text'][:80]}...")

print(
    f"\n{sum(found.keep)} of {len(rows)} notices are left:",
    *(row["id"] for row, stays in zip(rows, found.keep) if stays)
)

# The threshold is exact, so a lower one gives more pairs, and all of those before.
print("\nthreshold  pairs")
for jaccard in ("0.9", "0.7", "0.5", "0.3", "0.1"):
    print(f"{jaccard:>9}  {len(akin.near_duplicates(notices, on='text', tokens='words:3', jaccard=jaccard)):5}")
