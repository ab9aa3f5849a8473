#!/bin/sh
# Runs the golden tests of the command line: every case is a shell snippet whose output is compared with files.
#
#     tests/cli/run.sh [--update] AKIN [CASE...]
#
# AKIN is the command to test. A case is a directory cases/NAME:
#
#     cmd      run by sh, in a scratch directory that holds a copy of data/
#     stdout   what it must print, stderr likewise; status its exit status. A file that is not there: nothing, or 0.
#
# cmd sees $AKIN and the functions of prelude.sh, and has $AKIN_CASE_SECONDS to end (default: 120). Exit status 77 means
# that the case cannot run here, which cmd says on stdout. --update writes what came out as what must come out: review
# it with git diff.
set -u

usage() {
    echo "usage: $0 [--update] AKIN [CASE...]" >&2
    exit 2
}

update=
if [ "${1-}" = --update ]; then
    update=1
    shift
fi
[ $# -ge 1 ] || usage
here=$(cd "$(dirname "$0")" && pwd) || exit 2
AKIN=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") || exit 2
shift
if [ ! -x "$AKIN" ]; then
    echo "$0: $AKIN: not an executable" >&2
    exit 2
fi
DATA=$here/data
LC_ALL=C
export AKIN DATA LC_ALL
unset AKIN_CPU

scratch=$(mktemp -d "${TMPDIR:-/tmp}/akin-cli.XXXXXX") || exit 2
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# compare CASE NAME: whether the output NAME of the case is as expected; shows the difference, or records it.
compare() {
    expected=$here/cases/$1/$2
    if [ -n "$update" ]; then
        if [ -s "$scratch/$2" ]; then
            cp "$scratch/$2" "$expected"
        else
            rm -f "$expected"
        fi
        return 0
    fi
    [ -e "$expected" ] || expected=/dev/null
    diff -u "$expected" "$scratch/$2" >"$scratch/diff" && return 0
    echo "--- $1: $2: expected (-) and actual (+)"
    tail -n +3 "$scratch/diff"
    return 1
}

run_case() {
    if [ ! -f "$here/cases/$1/cmd" ]; then
        echo "$1: there is no such case"
        return 1
    fi
    mkdir "$scratch/work" && cp "$DATA"/* "$scratch/work" || return 1
    # shellcheck disable=SC2016 # the inner shell expands them
    (cd "$scratch/work" && XDG_CACHE_HOME="$scratch/work/.cache" && export XDG_CACHE_HOME &&
        exec timeout "${AKIN_CASE_SECONDS-120}" sh -uc '. "$1"; . "$2"' sh "$here/prelude.sh" "$here/cases/$1/cmd") \
        </dev/null >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    chmod -R u+w "$scratch/work"
    rm -rf "$scratch/work"
    [ "$status" != 77 ] || return 77
    : >"$scratch/status"
    [ "$status" = 0 ] || echo "$status" >"$scratch/status"
    same=0
    for output in stdout stderr status; do
        compare "$1" $output || same=1
    done
    return $same
}

if [ $# = 0 ]; then
    for path in "$here"/cases/*/; do
        set -- "$@" "$(basename "$path")"
    done
fi
passed=0 failed=0 skipped=0
for case in "$@"; do
    run_case "$case"
    case $? in
    0) passed=$((passed + 1)) ;;
    77)
        skipped=$((skipped + 1))
        echo "skip: $case: $(cat "$scratch/stdout")"
        ;;
    *)
        failed=$((failed + 1))
        echo "FAIL: $case"
        ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
