#!/bin/sh
# How long one query of an index of bm25 takes as a whole process: open.sh BUILD FILE [QUERY]
#
# BUILD has akin. FILE has a document a line, plain or compressed. The index is made, and read once, so that the system
# has it in memory. Printed are wall and processor seconds of akin search, medians of 5: of no work, of the query, and
# of the query with all of the file checked, if this akin has --verify.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 BUILD FILE [QUERY]" >&2; exit 2; }
akin=$1/akin file=$2 query=${3:-parallel algorithms for string similarity}
folder=$(mktemp -d "${TMPDIR:-/tmp}/akin-open.XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$akin" index "$file" --documents line --kind bm25 -o "$folder/index.akin" -q
echo "index of $(wc -c <"$folder/index.akin") bytes"
cat "$folder/index.akin" >/dev/null

# median WHAT COMMAND...: of 5 runs, after one that does not count
median() {
    what=$1
    shift
    "$@" >/dev/null
    for _ in 1 2 3 4 5; do
        python3 -c '
import resource, subprocess, sys, time
def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
begun, before = time.perf_counter(), used()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(f"{time.perf_counter() - begun:.4f} {used() - before:.4f}")' "$@"
    done >"$folder/runs.txt"
    wall=$(cut -d ' ' -f 1 "$folder/runs.txt" | sort -n | sed -n 3p)
    busy=$(cut -d ' ' -f 2 "$folder/runs.txt" | sort -n | sed -n 3p)
    echo "$what: wall $wall s, processor $busy s"
}

median "akin --version" "$akin" --version
median "one query" "$akin" search "$folder/index.akin" --query "$query" -q
if "$akin" search --help | grep -q -e --verify; then
    median "one query, --verify" "$akin" search "$folder/index.akin" --query "$query" -q --verify
fi
