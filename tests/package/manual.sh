#!/bin/sh
# The manual pages say what the help of akin, which is on PATH, says, word for word and in the same order; and the
# programs that show manual pages, those that are there, find nothing wrong with them. Headings may be in capitals.
#
#     tests/package/manual.sh FOLDER
set -eu

folder=$1
faults=0

fault()
{
    echo "$1"
    faults=$((faults + 1))
}

small()
{
    tr '[:upper:]' '[:lower:]'
}

# The words of a page, without those of roff.
page_words()
{
    sed -e '/^\.SH OPTIONS$/d' -e 's/^\.S[HS] "\{0,1\}\([^"]*\)"\{0,1\}$/\1/' -e '/^\./d' "$folder/$1" |
        sed -e 's/\\f[BIR]//g' -e 's/\\&//g' -e "s/\\\\(aq/'/g" -e 's/\\(ha/^/g' -e 's/\\(ga/`/g' -e 's/\\(ti/~/g' \
            -e 's/\\-/-/g' -e 's/\\e/\\/g' | tr -s ' \n' ' ' | small
}

# A help on standard input as lines of words: a line for each paragraph, or one for all if $1 is `whole`. Headings lose
# their colon; the word Usage goes.
help_words()
{
    sed -e 's/^Usage: //' -e '$!N' -e 's/^\([^ \n].*\):\n /\1\n /' -e 'P' -e 'D' | awk -v whole="${1-}" '
        NF == 0 && !whole && words != "" { print words; words = "" }
        { for (i = 1; i <= NF; i++) words = words (words == "" ? "" : " ") $i }
        END { print words }' | small
}

# Standard input: lines of words that a page must hold.
check_words()
{
    all=" $(page_words "$1") "
    while IFS= read -r words; do
        case $all in
        *" $words "*) ;;
        *) echo "$1 lacks: $words" ;;
        esac
    done
}

commands=$(akin help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')
lacking=$(
    akin help | sed -e '/^Usage:/d' -e '/^Commands:$/,/^$/d' -e '/^[A-Z][a-z ]*:$/d' | help_words | check_words akin.1
    for command in $commands; do
        echo "akin-$command(1) $(akin help | sed -n "s/^  $command  *//p")" | check_words akin.1
        akin help "$command" | sed -n 's/^Usage: //p' | small | check_words "akin-$command.1"
        akin help "$command" | sed -e "1,/^\$/d" -e '/^Options:$/d' | help_words whole | check_words "akin-$command.1"
    done
)
[ -z "$lacking" ] || fault "$lacking"
[ "$(echo "$commands" | wc -l)" -gt 2 ] || fault "these are not all commands: $commands"
pages=$(for command in '' $commands; do echo "akin${command:+-}$command.1"; done | sort)
[ "$(ls "$folder")" = "$pages" ] || fault "the pages are not those of the commands: $(ls "$folder")"

for page in "$folder"/*; do
    # A tag is a name alone, and no line is broken in the middle of a sentence.
    ! grep -n '^\\fB[A-Z_]* ' "$page" || fault "$page: a tag holds what is said about it"
    ! sed -n '/,$/{N;/\n\.br$/p;}' "$page" | grep . || fault "$page: a sentence is broken"
    if command -v mandoc >/dev/null; then
        # It has no date, so that it is the same whenever it is made.
        said=$(mandoc -T lint -W warning "$page" | grep -v 'missing date, using ""') || said=
        [ -z "$said" ] || fault "$said"
    fi
    if command -v man >/dev/null; then
        said=$(LC_ALL=C man --warnings -l "$page" 2>&1 >/dev/null) || said="man -l $page failed: $said"
        [ -z "$said" ] || fault "$said"
    fi
done
echo "$faults faults"
[ $faults = 0 ]
