#!/bin/sh
# How good the sorted neighbourhood is by its window and key: the paper's settings for CDs with Jaro-Winkler, windows of
# 10 to 500, against pairs that are known to be right.
#
#     bench/dedupe_windows.sh CDS GOLD [AKIN]
#
# A line for each window, tab-separated: the window, then F1 with the keys simple, soundex and value, and with all pairs
# of two keys, simple for titles and soundex for the rest.
set -eu
cds=$1 gold=$2 akin=${3:-build/release/akin}

# f1 WINDOW KEY-OF-TITLES KEY-OF-THE-REST
f1()
{
    "$akin" dedupe "$cds" --id pk --window "$1:artist:$3" --window "$1:title:$2" --window "$1:track01:$3" \
        --window "$1:track02:$3" --compare artist:jaro-winkler:0.6:0.2 --compare title:jaro-winkler:0.67:0.3 \
        --compare track01:jaro-winkler:0.87:0.25 --compare track02:jaro-winkler:0.87:0.25 --threshold 0.66 \
        --missing equal --gold "$gold" -o /dev/null 2>&1 | sed -n 's/^gold .*f1 //p'
}

printf 'window\tsimple\tsoundex\tvalue\tsimple and soundex\n'
for window in 10 20 50 100 200 500; do
    printf '%s\t%s\t%s\t%s\t%s\n' "$window" "$(f1 "$window" simple simple)" "$(f1 "$window" soundex soundex)" \
        "$(f1 "$window" value value)" "$(f1 "$window" simple soundex)"
done
