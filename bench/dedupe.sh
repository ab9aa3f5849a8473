#!/bin/sh
# Figures 6 to 8 of Forchhammer et al., Duplicate Detection on GPUs, with the paper's settings: how long the search for
# duplicates takes, by records, comparator, selection and device.
#
#     bench/dedupe.sh FILE [BENCH [DEVICE...]]
#
# FILE has CDs, as `akin generate records --kind cd` makes them; BENCH is dedupe_bench
# (build/release/bench/dedupe_bench); devices are cpu and cuda, cpu if none is named; $RUNS runs of each, 5 if it is not
# set. Lines as dedupe_bench prints them.
set -eu
file=$1
bench=${2:-build/release/bench/dedupe_bench}
shift $(($# > 2 ? 2 : $#))
[ $# -gt 0 ] || set -- cpu
sizes='100000 200000 400000 800000 1200000 1792000'

# measure JOB DEVICE THREADS SIZE...
measure()
{
    job=$1 device=$2 threads=$3
    shift 3
    for size; do
        "$bench" -j "$job" -d "$device" -t "$threads" -n "${RUNS:-5}" -r "$size" "$file" 2>/dev/null
    done
}

# shellcheck disable=SC2086 # sizes are words
for device; do
    if [ "$device" = cpu ]; then
        measure snm-jw cpu 1 $sizes
        measure snm-l cpu 1 $sizes
        measure cp-jw cpu 1 10000 20000
        measure cp-l cpu 1 10000 20000
        measure snm-jw cpu "$(nproc)" $sizes
    else
        measure snm-jw "$device" "$(nproc)" $sizes
        measure snm-l "$device" "$(nproc)" $sizes
        measure cp-jw "$device" "$(nproc)" 10000 20000 $sizes
        measure cp-l "$device" "$(nproc)" 10000 20000 $sizes
    fi
done
