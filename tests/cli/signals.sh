#!/bin/sh
# Ends joins at random moments, by SIGINT, SIGTERM and SIGKILL in turn: each output is there whole or not at all, an
# older file stays as it was, and the exit status says what happened.
#
#     tests/cli/signals.sh AKIN [RUNS (default: 100)]
set -u

akin=${1:?usage: $0 AKIN [RUNS]}
runs=${2:-100}
case $akin in
/*) ;;
*) akin=$PWD/$akin ;;
esac
scratch=$(mktemp -d "${TMPDIR:-/tmp}/akin-signals.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

# Enough pairs that reading, joining, sorting and writing all take their share of the time.
"$akin" generate sets --sets 20000 --tokens 300 --average 8 --spread 2 --quiet -o sets.txt || exit 2
set -- join sets.txt --input text --tokens whitespace --jaccard 0.4 --threads 2 --quiet
begun=$(date +%s%N)
"$akin" "$@" -o whole.csv --deduplicated whole.txt || exit 2
whole=$((($(date +%s%N) - begun) / 1000)) # microseconds
echo older >older

# are PAIRS RECORDS: whether the two outputs are like these files.
are() {
    cmp -s out/pairs.csv "$1" && cmp -s out/one.txt "$2"
}

faults=0 ended=0 run=0
mkdir out
while [ "$run" -lt "$runs" ]; do
    run=$((run + 1))
    case $((run % 3)) in
    0) signal=KILL killed=137 ;;
    1) signal=INT killed=130 ;;
    2) signal=TERM killed='130 143' ;; # before akin listens, it ends as any program does
    esac
    delay=$(awk -v run="$run" -v whole="$whole" 'BEGIN { srand(run); printf "%.6f", rand() * whole / 1e6 }')
    cp older out/pairs.csv
    cp older out/one.txt
    timeout --foreground --preserve-status -s "$signal" "$delay" "$akin" "$@" -o out/pairs.csv \
        --deduplicated out/one.txt 2>errors
    status=$?
    if [ "$status" = 0 ]; then
        expected='whole.csv whole.txt'
    else
        expected='older older'
        ended=$((ended + 1))
        case " $killed " in
        *" $status "*) ;;
        *) echo "run $run: SIG$signal after $delay s: exit status $status" && faults=$((faults + 1)) ;;
        esac
    fi
    # Killed between taking their names and ending, a join has written all of both, or of the first.
    # shellcheck disable=SC2086 # two words
    are $expected || { [ "$signal" = KILL ] && { are whole.csv whole.txt || are whole.csv older; }; } ||
        { echo "run $run: SIG$signal after $delay s: exit status $status, half a file" && faults=$((faults + 1)); }
    [ "$signal" = KILL ] || [ "$(ls -A out)" = "$(printf 'one.txt\npairs.csv')" ] ||
        { echo "run $run: SIG$signal after $delay s: left behind: $(ls -A out)" && faults=$((faults + 1)); }
    rm -rf out/.akin-*
done
echo "$run runs, $ended of them ended by a signal, $faults faults"
[ "$faults" = 0 ] && [ "$ended" -gt 0 ]
