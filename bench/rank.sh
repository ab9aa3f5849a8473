#!/bin/sh
# How fast a collection of lines is indexed and ranked: rank.sh BUILD FILE [QUERIES]
#
# BUILD has the programs, or is the folder build/gpu/carry. FILE has a document a line, plain or compressed; QUERIES
# (10000) are 3 to 5 words drawn from one line each, the same every time.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 BUILD FILE [QUERIES]" >&2; exit 2; }
build=$1 file=$2 count=${3:-10000}
bench=$build/bench/rank_bench
[ -x "$bench" ] || bench=$build/rank_bench
folder=$(mktemp -d "${TMPDIR:-/tmp}/akin-rank.XXXXXX")
trap 'rm -rf "$folder"' EXIT
case $file in
*.zst) zstd -dcq "$file" ;;
*.gz) gzip -dc "$file" ;;
*) cat "$file" ;;
esac >"$folder/lines.txt"
awk -v count="$count" '
    BEGIN { srand(5) }
    NF >= 3 { kept++; at = kept <= count ? kept : int(rand() * kept) + 1; if (at <= count) line[at] = $0 }
    END {
        for (i = 1; i <= count && i <= kept; i++) {
            n = split(line[i], word, " ")
            wanted = 3 + int(rand() * 3)
            if (wanted > n) wanted = n
            query = ""
            for (j = 1; j <= wanted; j++) {
                k = j + int(rand() * (n - j + 1))
                swapped = word[j]; word[j] = word[k]; word[k] = swapped
                query = query (j > 1 ? " " : "") word[j]
            }
            print query
        }
    }' "$folder/lines.txt" >"$folder/queries.txt"
begun=$(date +%s.%N)
"$build/akin" index "$folder/lines.txt" --kind bm25 -o "$folder/index.akin" -q
ended=$(date +%s.%N)
echo "weighed and indexed in $(awk "BEGIN { print $ended - $begun }") s, $(wc -c <"$folder/index.akin") bytes"
if "$build/akin" info | grep -q '^gpu: *cuda:0'; then
    echo "on a GPU, 10000 queries a call:"
    "$bench" -g -t 0 -r 15 -b 10000 "$folder/index.akin" "$folder/queries.txt"
    echo "on the CPU, one thread, and two:"
fi
"$bench" -r 5 "$folder/index.akin" "$folder/queries.txt"
"$bench" -r 5 -t 2 "$folder/index.akin" "$folder/queries.txt" | tail -n 1
