#!/bin/sh
# A deduplication whose selection by similar tokens has hundreds of millions of pairs: the time and the memory of the
# join that counts them, and of the whole deduplication, with two threads and with one.
#
#     bench/similar.sh [AKIN [RECORDS]]
#
# Needs GNU time. The clusters of all runs are the same bytes, or it fails.
set -eu
akin=${1:-build/release/akin} records=${2:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$akin" generate records --records "$records" -q -o "$folder/people.csv"
for threads in 2 1; do
    echo "threads $threads, the join:"
    /usr/bin/time -f '%e s, %U s user, %M KiB' "$akin" join "$folder/people.csv" --on address --tokens qgrams:3 \
        --jaccard 0.6 --count -q --threads "$threads"
    echo "threads $threads, the deduplication:"
    /usr/bin/time -f '%e s, %U s user, %M KiB' "$akin" dedupe "$folder/people.csv" --id id --threads "$threads" \
        --similar address:jaccard:.6:qgrams:3 --compare given_name:levenshtein --compare surname:levenshtein \
        --threshold .85 -o "$folder/$threads.csv"
done
cmp "$folder/1.csv" "$folder/2.csv"
