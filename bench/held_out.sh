#!/bin/sh
# Compares what the planner of joins chooses and predicts with what joins take, on twelve families of generated
# collections. Each family is joined with itself at five thresholds, by each technique and by the planner's choice, on
# one thread. Prints a table, and shares of all cells: a cell is a family at a threshold.
#
#     bench/held_out.sh BUILD [--quick] [--device cuda] [--calibrate] [--raw FILE] [FILE...]
#
# --quick takes a fifth of the sets. --device cuda has a GPU join, too. --calibrate measures the machine before each
# family, as `akin info --calibrate` does. --raw keeps the rows of plan_bench in FILE. With FILEs these collections are
# joined in place of the families. THRESHOLDS, ROUNDS and SECONDS_A_CELL in the environment change what is run.
set -eu

build=${1:?usage: $0 BUILD [--quick] [--device cuda] [--calibrate] [--raw FILE] [FILE...]}
shift
quick=0 techniques=auto,allpairs,ppjoin,groupjoin,bitmap,screened calibrate='' raw=$build/bench/held_out.tsv
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 ;;
    --device) shift; PLAN_BENCH_DEVICE=$1 techniques=auto,tensor,prefix; export PLAN_BENCH_DEVICE ;;
    --calibrate) calibrate=measure ;;
    --raw) shift; raw=$1 ;;
    *) break ;;
    esac
    shift
done

# NAME SETS OPTION...: a collection in the build folder, made once.
family()
{
    name=$1 sets=$2
    shift 2
    [ $quick = 0 ] || sets=$((sets / 5)) name=$name-quick
    file=$build/bench/held-out-$name.akin
    [ -e "$file" ] || "$build/akin" generate sets --quiet --sets "$sets" "$@" -o "$file"
    files="$files $file"
}

files=
if [ $# -eq 0 ]; then
    family baskets 100000 --tokens 50000 --average 10 --spread 3
    family visits 30000 --tokens 41000 --average 34 --spread 60 --lognormal --largest 1014
    family clicks 26500 --tokens 17000 --average 10 --spread 25 --lognormal --largest 699 --zipf 1.1
    family many-tokens 1000000 --tokens 1000000
    family words 100000 --tokens 100000 --average 80 --spread 20 --zipf 0.8
    family dense 20000 --tokens 2500 --average 90 --spread 20 --zipf 0.6
    family categories 40000 --tokens 500 --average 12 --spread 4 --zipf 0.5
    family clusters 60000 --tokens 100000 --average 20 --spread 8 --zipf 0.9 --duplicates 0.7
    family documents 20000 --tokens 200000 --average 150 --spread 150 --lognormal
    family equal-weights 300000 --tokens 100000 --average 8 --spread 2 --zipf 0
    family few-tokens 120000 --tokens 3000 --average 4 --spread 2 --zipf 0.9 --smallest 2
    family rare-words 150000 --tokens 600000 --average 25 --spread 40 --lognormal --zipf 1.2 --duplicates 0.2
    # shellcheck disable=SC2086 # a list of names without blanks
    set -- $files
fi
for file; do
    "$build/bench/plan_bench" "$file" "${THRESHOLDS:-0.9,0.8,0.7,0.6,0.5}" $techniques "${ROUNDS:-7}" \
        "${SECONDS_A_CELL:-5}" $calibrate
done >"$raw"
awk -f "$(dirname -- "$0")/held_out.awk" "$raw"
