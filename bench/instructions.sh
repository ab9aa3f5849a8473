#!/bin/sh
# Counts the instructions of inner loops for 64-bit ARM, per item and SIMD level: QEMU runs them one by one, and notes
# each. It says nothing about how long they take.
#
#     bench/instructions.sh [BUILD [LOOP]]
#
# BUILD is of the preset aarch64, with -DAKIN_BUILD_BENCH=ON (default: build/aarch64). LOOP: loops whose names begin so.
set -eu

build=${1:-build/aarch64}
bench=$build/bench/instructions_bench
emulator='qemu-aarch64-static -L /usr/aarch64-linux-gnu'

# count LOOP LEVEL REPEATS: all instructions of the program.
count()
{
    # shellcheck disable=SC2086 # a list of words
    $emulator -singlestep -d exec,nochain "$bench" "$@" 2>&1 | grep -c '^Trace'
}

printf '| an item is a | scalar | neon |\n| --- | --- | --- |\n'
$emulator "$bench" </dev/null | grep "^${2:-}" | while IFS='	' read -r loop items item; do
    printf '| %s |' "$item"
    for level in scalar neon; do
        once=$(count "$loop" "$level" 1)
        twice=$(count "$loop" "$level" 2)
        echo "$once $twice $items" | awk '{ printf " %.2f |", ($2 - $1) / $3 }'
    done
    echo
done
