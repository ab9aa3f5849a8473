#!/usr/bin/env bash
# Completes command lines with fish by the installed rules, and compares the offers with the help of akin, on PATH.
#
#     tests/package/completion_fish.sh FILE
set -u

command -v fish >/dev/null || {
    echo "completion_fish: skipped, there is no fish"
    exit 77
}
rules=$1 faults=0
work=$(mktemp -d "${TMPDIR:-/tmp}/akin-fish.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work LC_ALL=C
mkdir "$work/folder"
: >"$work/folder/data.csv"

# complete_lines: for each line of standard input what fish offers, in a line; without descriptions.
complete_lines() {
    (cd "$work/folder" && fish --no-config -c "source $rules
        while read -l line
            echo (complete -C\"\$line\" | string replace -r '\t.*' '' | sort | string join ' ')
        end")
}

# check: standard input has a line to complete, and what is expected, in turn.
check() {
    local line expected got
    grep -v '^    ' >"$work/lines"
    complete_lines <"$work/lines" >"$work/got"
    paste -d '\n' "$work/lines" "$work/got" >"$work/both"
    while IFS= read -r line; do
        read -r got
        read -r expected <&3
        [[ $got == "$expected" ]] && continue
        echo "completing '$line': expected '$expected', got '$got'"
        faults=$((faults + 1))
    done <"$work/both" 3<"$work/expected"
}

# ask LINE EXPECTED: a case of the next check.
ask() {
    echo "$1" >>"$work/cases"
    echo "$2" >>"$work/expected"
}

: >"$work/cases"
: >"$work/expected"
commands=$(akin help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort | tr '\n' ' ')
ask 'akin ' "${commands% }"
for command in ${commands/help /}; do
    options=$(akin help "$command" | sed -n 's/^ \{2,6\}\(-[a-z], \)\{0,1\}\(--[a-z][a-z0-9-]*\).*/\2/p' |
        sort | tr '\n' ' ')
    ask "akin $command --" "${options% }"
done
ask 'akin join --jaccard 0.8 --jacc' ''
ask 'akin join --technique=allp' '--technique=allpairs'
ask 'akin join --technique grou' 'groupjoin'
ask 'akin join --device cu' 'cuda cuda:0 cuda:all'
ask 'akin join --format ' 'csv jsonl tsv'
ask 'akin join --similarity jaro' 'jaro-winkler: jaro:'
ask 'akin join dat' 'data.csv'
ask 'akin join --output dat' 'data.csv'
ask 'akin search dat' 'data.csv'
ask 'akin generate ' 'records sets text'
ask 'akin generate sets rec' ''
ask 'akin dictionary bu' 'build'
ask 'akin help ded' 'dedupe'
ask 'akin help compara' 'comparators'
ask 'akin help dedupe jo' ''
ask 'akin info da' 'data.csv'
check <"$work/cases"
echo "$faults faults"
[[ $faults == 0 ]]
