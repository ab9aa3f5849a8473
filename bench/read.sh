#!/bin/sh
# Times the reading of collections: best and median of 9, one line a file and CPU level. LEVELS in the
# environment lists the levels, such as scalar,avx2,avx512 (default: those of the machine), REPEATS the runs.
#
#     bench/read.sh BUILD [FILE...]
#
# Without files: text that akin generates, about 50 MB of it.
set -eu

build=${1:?usage: $0 BUILD [FILE...]}
shift

if [ $# -eq 0 ]; then
    file=$build/bench/read.txt
    [ -e "$file" ] ||
        "$build/akin" generate sets --quiet --sets 500000 --tokens 200000 --average 24 --spread 8 -o "$file"
    set -- "$file"
fi

"$build/bench/read_bench" ${LEVELS:+--cpu "$LEVELS"} --repeats "${REPEATS:-9}" "$@"
