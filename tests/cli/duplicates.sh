#!/bin/sh
# The duplicates among the paper's CDs, in every way that akin has: threads, SIMD levels, memory bounds, and, where
# there is a GPU, on it, whole and in parts: the same bytes.
#
#     duplicates.sh AKIN DATA     DATA: the folder with dedupe/cd/cd.csv.zst; skipped if it is not there
set -eu
akin=$1 data=$2/dedupe/cd/cd.csv.zst
if [ ! -r "$data" ]; then
    echo "duplicates: skipped, $data is not there"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 passed=0

# dedupe NAME COMPARATOR THRESHOLDS SELECTION OPTION...: writes NAME.csv, the clusters, and NAME.pairs.csv
dedupe()
{
    name=$1 comparator=$2 artist=$3 title=$4 track=$5 overall=$6 selection=$7
    shift 7
    "$akin" dedupe "$data" -q --id pk "--$selection" --compare "artist:$comparator:$artist:0.2" \
        --compare "title:$comparator:$title:0.3" --compare "track01:$comparator:$track:0.25" \
        --compare "track02:$comparator:$track:0.25" --threshold "$overall" --missing equal -o "$folder/$name.csv" \
        --pairs "$folder/$name.pairs.csv" "$@"
}

# same LABEL: what was written last is what was written first
same()
{
    if cmp -s "$folder/first.csv" "$folder/next.csv" && cmp -s "$folder/first.pairs.csv" "$folder/next.pairs.csv"; then
        passed=$((passed + 1))
    else
        echo "FAIL: duplicates: $1"
        failed=$((failed + 1))
    fi
}

# every_way SETTINGS...: as dedupe has them
every_way()
{
    dedupe first "$@" --threads 1 --device cpu
    dedupe next "$@" --threads 2 --device cpu
    same "$* --threads 2"
    dedupe next "$@" --memory 32M --device cpu
    same "$* --memory 32M"
    for level in scalar neon avx2; do
        AKIN_CPU=$level "$akin" info >/dev/null 2>&1 || continue
        AKIN_CPU=$level
        export AKIN_CPU
        dedupe next "$@" --device cpu
        unset AKIN_CPU
        same "$* AKIN_CPU=$level"
    done
    if "$akin" info | grep -q '^gpu: *cuda:0'; then
        for memory in 0 16M; do
            if [ "$memory" = 0 ]; then
                dedupe next "$@" --device cuda
            else
                dedupe next "$@" --device cuda --device-memory "$memory"
            fi
            same "$* --device cuda, memory $memory"
        done
    fi
}

every_way levenshtein 0.6 0.6 0.5 0.6 window=20
every_way jaro-winkler 0.6 0.67 0.87 0.66 window=20
every_way jaro-winkler 0.78 0.75 0.87 0.66 all-pairs
echo "duplicates: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
