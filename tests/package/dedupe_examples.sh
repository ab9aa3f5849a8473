#!/bin/sh
# Does the jobs of examples/dedupe, and holds what comes of them against the table of a document.
#
#     tests/package/dedupe_examples.sh AKIN DATA DOCUMENT
#
# DATA is the folder with the tables that they read, a folder for each job; where it is not there nothing is done (exit
# status 77). A line of the table belongs to the job that it links to, examples/dedupe/NAME.json, and has the pairs that
# were compared, precision, recall and F1 of the pairs found, and F1 of the clusters in fields 4 to 8. Each job must be
# as --save-job would write it.
set -u

[ $# = 3 ] || {
    echo "usage: $0 AKIN DATA DOCUMENT" >&2
    exit 2
}
akin=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") document=$3
jobs=$(cd "$(dirname "$0")/../../examples/dedupe" && pwd) || exit 2
if [ ! -d "$2" ]; then
    echo "dedupe_examples: skipped, $2 is not there"
    exit 77
fi
data=$(cd "$2" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/akin-examples.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
faults=0 count=0

fault() {
    echo "$1"
    faults=$((faults + 1))
}

# documented NAME: what the table says of a job, with a blank between.
documented() {
    sed -n "/^|.*examples\\/dedupe\\/$1\\.json/p" "$document" | awk -F ' *[|] *' '{ print $5, $6, $7, $8, $9 }'
}

# The same of a summary.
summed_up() {
    sed -n 's/,//g
        s/^compared *\([0-9]*\) .*/\1/p
        s/^gold.*precision \([0-9.]*\) recall \([0-9.]*\) f1 \([0-9.]*\)$/\1 \2 \3/p
        s/^closed.* f1 \([0-9.]*\)$/\1/p' "$1" | tr '\n' ' ' | sed 's/ $//'
}

for job in "$jobs"/*.json; do
    name=$(basename "$job" .json)
    count=$((count + 1))
    mkdir "$scratch/$name" && ln -s "$data/$name"/* "$scratch/$name" || exit 2
    (cd "$scratch/$name" && "$akin" dedupe --allow-paths --job "$job" --save-job again.json) 2>"$scratch/summary" ||
        fault "$name: $(cat "$scratch/summary")"
    cmp -s "$job" "$scratch/$name/again.json" || fault "$name: $job is not as --save-job writes it"
    expected=$(documented "$name" | tr -d ,) got=$(summed_up "$scratch/summary")
    echo "$name: $got"
    [ "$expected" = "$got" ] || fault "$name: $document has '$expected'"
done
sed -n 's/^|.*examples\/dedupe\/\([a-z0-9_-]*\)\.json.*/\1/p' "$document" >"$scratch/names"
while read -r name; do
    [ -f "$jobs/$name.json" ] || fault "$name: there is no such job"
done <"$scratch/names"
echo "$count jobs done, $faults faults"
[ $count -gt 0 ] && [ $faults = 0 ]
