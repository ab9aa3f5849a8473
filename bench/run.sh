#!/bin/sh
# Times self-joins: best of 5, from ranked and sorted sets in memory to the number of pairs. One line a collection,
# threshold and technique. THRESHOLDS, TECHNIQUES, THREADS and REPEATS in the environment say which.
#
#     bench/run.sh BUILD [FILE...]
#
# Without files: the collections in ../shared/data/join, or, where that is not, three that akin generates.
set -eu

build=${1:?usage: $0 BUILD [FILE...]}
shift
data=$(dirname -- "$0")/../../shared/data/join

generate()
{
    file=$build/bench/$1.akin
    shift
    [ -e "$file" ] || "$build/akin" generate sets --quiet "$@" -o "$file"
}

if [ $# -eq 0 ] && [ -d "$data" ]; then
    set -- "$data"/*.txt.zst
elif [ $# -eq 0 ]; then
    generate short --sets 100000 --tokens 50000 --average 10 --spread 3
    generate long --sets 50000 --tokens 20000 --average 90 --spread 20 --zipf 0.8
    generate sparse --sets 500000 --tokens 2000000 --average 4 --spread 2 --zipf 0.5
    set -- "$build/bench/short.akin" "$build/bench/long.akin" "$build/bench/sparse.akin"
fi

for file; do
    "$build/bench/join_bench" "$file" "${THRESHOLDS:-0.9,0.8,0.7,0.6,0.5}" "${TECHNIQUES:-auto}" "${THREADS:-1}" \
        "${REPEATS:-5}"
done
