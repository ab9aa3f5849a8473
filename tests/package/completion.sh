#!/usr/bin/env bash
# Completes command lines with the installed function, as bash calls it, and holds what it offers against the help and
# the messages of akin, which is on PATH.
#
#     tests/package/completion.sh FILE
set -u

# shellcheck source=/dev/null
source "$1" || exit 1
faults=0

# In the place of the builtin, which works only while bash completes. 'default' asks bash for the names of files.
compopt() {
    [[ $* != *' default'* ]] || files=FILE
    [[ $* != *nospace* ]] || files=...
}

# offered WORD...: what is offered for the last word.
offered() {
    local files=''
    # shellcheck disable=SC2034 # the function reads them
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _akin
    echo "${COMPREPLY[*]}$files"
}

# check EXPECTED WORD...
check() {
    local expected=$1 got
    shift
    got=$(offered "$@" 2>&1)
    [[ $got == "$expected" ]] && return
    echo "completing '$*': expected '$expected', got '$got'"
    faults=$((faults + 1))
}

# One a line, sorted; what goes on after a colon is left out.
sorted() {
    tr ' ' '\n' | sed '/:/d; /^$/d' | sort
}

check_commands() {
    local commands tables
    commands=$(akin help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')
    check "${commands% }" akin ''
    tables=$(akin help choices | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' | tr '\n' ' ')
    check "${commands% help } ${tables% }" akin help ''
    check 'comparators' akin help compara
    check '' akin help join ''
    check 'join' akin j
    check '--help --version' akin -
    check '' akin nonsense ''
    check '' akin nonsense -
}

check_options() {
    local command listed option
    for command in $(offered akin ''); do
        [ "$command" != help ] || continue
        listed=$(akin help "$command" | sed -n 's/^ \{2,6\}\(-[a-z], \)\{0,1\}\(--[a-z][a-z0-9-]*\).*/\2/p' |
            tr '\n' ' ')
        check "${listed% }" akin "$command" -
        for option in $listed; do
            check_values "$command" "$option"
        done
    done
}

# The help of a command names every word that is offered as the argument of an option.
check_named() {
    local help value
    help=$(akin help "$1")
    for value in $3; do
        [[ $value != [0-9]* ]] || continue # a width: the help says which numbers there are
        grep -q -e "\(^\|[^a-z0-9+-]\)${value%%[:/]*}\([^a-z0-9+-]\|$\)" <<<"$help" && continue
        echo "akin help $1 does not name $value, which is offered for $2"
        faults=$((faults + 1))
    done
}

# The words that are offered as the argument of an option are those that akin, given another one, says it expected.
check_values() {
    local values said expected
    local -a line=("$1")
    [[ $1 != join ]] || line=(join none --overlap 1)
    [[ $1$2 == compare--scorer || $1 != compare ]] || line=(compare --files none none --scorer jaro-winkler)
    [[ $1 != dictionary ]] || line=(dictionary lookup none)
    [[ $1 != generate ]] || line=(generate records)
    [[ $1$2 != generate--distribution ]] || line=(generate text)
    [[ $1 != weigh ]] || line=(weigh none)
    [[ $1 != rank ]] || line=(rank none none)
    [[ $1 != search ]] || line=(search none none)
    [[ $1$2 != rank--query && $1$2 != search--query ]] || line=("$1" none)
    [[ $1 != corpus ]] || line=(corpus near-duplicates none.jsonl)
    [[ $1$2 != corpus--format ]] || line=(corpus near-duplicates none.jsonl --removed none)
    [[ $1$2 != corpus--keep ]] || return # any other word is the name of a column
    [[ $1 != index ]] || line=(index none --kind documents -o none.akin)
    [[ $1$2 != index--kind ]] || line=(index none)
    [[ $1$2 != index--formula && $1$2 != index--documents && $1$2 != index--unknown ]] ||
        line=(index none --kind bm25 --dictionary none -o none.akin)
    [[ $1$2 != index--family ]] || line=(index none --kind vectors -o none.akin)
    [[ $1$2 != index--tree-format ]] || line=(index none --kind trees -o none.akin)
    [[ $1 != dedupe ]] || line=(dedupe none.csv --all-pairs --compare none:exact --threshold 1)
    [[ $1 != link ]] || line=(link none.csv none.csv --all-pairs --compare none:exact --threshold 1)
    [[ $1 != label ]] || line=(label none.csv --answers none.csv --all-pairs --compare none:exact --threshold 1)
    [[ $1$2 != link--left-id ]] || line+=(--right-id none)
    [[ $1$2 != link--right-id ]] || line+=(--left-id none)
    akin help "$1" | grep -q -e "$2 [A-Z]" || return
    ! akin help "$1" | grep -q -e "$2 \(K\[:\)\?COLUMN\(:\|\[\)" || return # its message lists what may follow
    values=$(offered akin "$1" "$2" '')
    [[ $values != FILE ]] || return
    check_named "$1" "$2" "$values"
    said=$(akin "${line[@]}" "$2" nonsense 2>&1)
    [[ $1$2 == weigh* || $1$2 == search* || $2 != --technique ]] ||
        said+=$'\n'$(akin join none --levenshtein 1 --technique nonsense 2>&1)
    expected=$(sed -n "s/'//g; s/\[[^]]*\]//g; s/ or /, /g; /expected /{ s/.*expected //; s/;.*//; p; }" <<<"$said" |
        tr ',' '\n' | sed -n 's/^ *\([a-z0-9+-]*\) *$/\1/p' | sort -u)
    [[ $(sorted <<<"$values") == "$expected" ]] && return
    echo "offered for akin $1 $2: '$values'; akin says: $said"
    faults=$((faults + 1))
}

# Where in a line what is offered.
check_places() {
    check FILE akin join ''
    check FILE akin join baskets.txt ''
    check FILE akin search ''
    check FILE akin rank index.akin ''
    check FILE akin join bas
    check '' akin join --jaccard ''
    check '128 1024' akin join --bits 1
    check 'jaro: jaro-winkler:...' akin join --similarity ja
    check '' akin join --similarity jaro : 0.8
    check FILE akin join --jaccard 0.8 ''
    check 'auto allpairs' akin join --technique a
    check 'auto allpairs' akin join x --technique = a
    check 'csv tsv jsonl' akin join --format =
    check 'csv' akin join --format = c
    check FILE akin join --technique = ppjoin ''
    check FILE akin join --output ''
    check FILE akin join -o ''
    check FILE akin join --count ''
    check 'cpu cuda cuda:0 cuda:all' akin join --device c
    check 'all' akin join --device cuda : a
    check 'all' akin join --device = cuda : a
    [[ $(offered akin join --device cuda :) == '0 all'* ]] || check '0 all' akin join --device cuda : # and GPUs there
    check '' akin join --device cuda : x
    check '' akin join --device cpu : a
    check '' akin join --similarity jaro :
    check '' akin join --similarity jaro : 0
    check '' akin dedupe --window 3 : n
    check '' akin join cuda :
    check '' akin join --device cuda --technique cuda :
    check FILE akin join --device cuda : 0 ''
    check '--output' akin join --out
    check '--format' akin join -o pairs.csv x --form
    check '' akin join -o pairs.csv x --out
    check '--count' akin join -q --coun
    check '' akin join --count --count
    check FILE akin join -- ''
    check FILE akin join -- --ja
    check FILE akin compare ''
    check 'jaro jaro-winkler jaccard' akin compare --scorer ja
    check 'text csv tsv jsonl' akin compare --files --input ''
    check FILE akin evaluate pairs.csv ''
    check 'csv tsv jsonl' akin evaluate --input ''
    check FILE akin dedupe ''
    check FILE akin dedupe people.csv --pairs ''
    check FILE akin dedupe people.csv --deduplicated ''
    check FILE akin dedupe people.csv -o ''
    check FILE akin dedupe --job ''
    check FILE akin dedupe --job people.json --save-job ''
    check '--window' akin dedupe people.csv --win
    check FILE akin dedupe --window 3 : name --compare name : exact ''
    check '--pairs' akin dedupe --window 3 --all-pairs --pai
    check '' akin dedupe --all-pairs --all-
    check '--window' akin dedupe --window 3 --win
    check '--compare' akin dedupe --compare name : exact : 0.5 --comp
    check '' akin dedupe --pairs pairs.csv --pairs
    check 'build lookup stats' akin dictionary ''
    check FILE akin dictionary build ''
    check FILE akin dictionary build words.txt -o ''
    check 'chunks rrr stt' akin dictionary build words.txt --kind ''
    check 'sets records text' akin generate ''
    check '--modify --safe-csv --seed --sync --job --save-job --allow-paths --help' akin generate sets --sets 5 \
        --tokens 5 --average 3 --spread 1 --lognormal --smallest 1 --largest 5 --zipf 1 --duplicates 0 --grow x 2 \
        --records 5 --kind cd --tracks 1 --copies zipf --most-copies 2 --field-modifications 1 \
        --record-modifications 2 --modify case : 0 --linked x --gold y --format csv --output y \
        --replace --quiet --threads 1 --documents 1 \
        --bytes 1 --words w --vocabulary 1 --distribution uniform --length 1 1 ''
    check 'missing: merge:...' akin generate records --modify m
    check FILE akin generate records --gold ''
    check FILE akin generate --grow ''
    check '' akin generate --grow x ''
    check 'sets records text' akin generate --grow x 2 ''
    check FILE akin info ''
    check FILE akin search ''
    check FILE akin rank x.akin ''
    check FILE akin index ''
}

check_commands
check_options
check_places
echo "$faults faults"
[[ $faults == 0 ]]
