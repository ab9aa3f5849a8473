#!/usr/bin/env bash
# Completes command lines with zsh by the installed functions, as one who types would, and holds what it offers against
# the help of akin, which is on PATH.
#
#     tests/package/completion_zsh.sh FILE
set -u

command -v zsh >/dev/null || {
    echo "completion_zsh: skipped, there is no zsh"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/akin-zsh.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/functions" "$work/folder"
cp "$1" "$work/functions/_akin"
: >"$work/folder/data.csv"
faults=0

# A zsh in a pseudoterminal. For a line that ends in Ctrl-G, it notes all that it could add.
cat >"$work/.zshrc" <<END
fpath=($work/functions \$fpath)
autoload -Uz compinit
compinit -u -D
zstyle ':completion:*' verbose no
cd $work/folder
compadd()
{
    local -a hits
    if [[ \${@[(i)-(O|A|D)]} -gt \$# ]]; then
        builtin compadd -O hits "\$@"
        print -rl -- "\$hits[@]" >>$work/offered
    fi
    builtin compadd "\$@"
}
akin-ask()
{
    zle complete-word
    print end >>$work/offered
    BUFFER=
}
zle -N akin-ask
bindkey '^G' akin-ask
print end >>$work/offered
END
cat >"$work/driver" <<'END'
zmodload zsh/zpty
await()
{
    local waited=0 ignored
    while [[ $(grep -c '^end$' $1) -lt $2 ]]; do
        (( ++waited < 1000 )) || exit 1
        sleep 0.02
        while zpty -r -t shell ignored; do :; done
    done
}
asked=1
export ZDOTDIR=$2
zpty -b shell zsh -d -i
await $2/offered $asked
while IFS= read -r line; do
    zpty -w -n shell "$line"$'\x07'
    await $2/offered $((++asked))
done <$1
END
: >"$work/offered"

# ask LINE EXPECTED: a case.
ask() {
    echo "$1" >>"$work/lines"
    echo "$2" >>"$work/expected"
}

commands=$(akin help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort | tr '\n' ' ')
ask 'akin ' "${commands% }"
for command in ${commands/help /}; do
    options=$(akin help "$command" | sed -n 's/^ \{2,6\}\(-[a-z], \)\{0,1\}\(--[a-z][a-z0-9-]*\).*/\2/p' |
        sort | tr '\n' ' ')
    ask "akin $command --" "${options% }"
done
ask 'akin join --technique=allp' 'allpairs'
ask 'akin join --technique grou' 'groupjoin'
ask 'akin join --device cu' 'cuda cuda:0 cuda:all'
ask 'akin join --format ' 'csv jsonl tsv'
ask 'akin join --similarity jaro' 'jaro-winkler: jaro:'
ask 'akin join dat' 'data.csv'
ask 'akin join -o dat' 'data.csv'
ask 'akin search dat' 'data.csv'
ask 'akin generate ' 'records sets text'
ask 'akin dictionary bu' 'build'
ask 'akin help ded' 'dedupe'
ask 'akin help compara' 'comparators'
ask 'akin info da' 'data.csv'
LC_ALL=C timeout 300 zsh -f "$work/driver" "$work/lines" "$work" >/dev/null || {
    echo "completion_zsh: zsh does not answer"
    exit 1
}
offered=''
while IFS= read -r line; do
    if [[ $line != end ]]; then
        offered+=$line$'\n'
        continue
    fi
    IFS= read -r asked <&3
    read -r expected <&4
    got=$(sed '/^$/d' <<<"$offered" | sort -u | tr '\n' ' ')
    offered=''
    [[ ${got% } == "$expected" ]] && continue
    echo "completing '$asked': expected '$expected', got '${got% }'"
    faults=$((faults + 1))
done < <(sed 1d "$work/offered") 3<"$work/lines" 4<"$work/expected"
echo "$faults faults"
[[ $faults == 0 ]]
