#!/bin/sh
# The manual page says what the help of akin, which is on PATH, says, word for word and in the same order; and the programs
# that show manual pages, those that are there, find nothing wrong with it.
#
#     tests/package/manual.sh PAGE
set -eu

page=$1
faults=0

fault()
{
    echo "$1"
    faults=$((faults + 1))
}

# The words of the page, without those of roff.
page_words()
{
    sed -e 's/^\.S[HS] "\{0,1\}\([^"]*\)"\{0,1\}$/\1/' -e '/^\./d' "$page" |
        sed -e 's/\\f[BIR]//g' -e 's/\\&//g' -e "s/\\\\(aq/'/g" -e 's/\\(ha/^/g' -e 's/\\(ga/`/g' -e 's/\\(ti/~/g' \
            -e 's/\\-/-/g' -e 's/\\e/\\/g' | tr -s ' \n' ' '
}

# A help on standard input as lines of words: a line for each paragraph, or one for all if $1 is `whole`. Headings lose
# their colon; the word Usage goes.
help_words()
{
    sed -e 's/^Usage: //' -e '$!N' -e 's/^\([^ \n].*\):\n /\1\n /' -e 'P' -e 'D' | awk -v whole="${1-}" '
        NF == 0 && !whole && words != "" { print words; words = "" }
        { for (i = 1; i <= NF; i++) words = words (words == "" ? "" : " ") $i }
        END { print words }'
}

# Standard input: lines of words that the page must hold.
check_words()
{
    while IFS= read -r words; do
        case $all in
        *" $words "*) ;;
        *) echo "the page lacks: $words" ;;
        esac
    done
}

all=" $(page_words)"
commands=$(akin help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p')
lacking=$(
    akin help | sed -e '/^Usage:/d' -e '/^[A-Z][a-z ]*:$/d' | help_words | check_words
    for command in $commands; do
        [ "$command" != help ] || continue
        akin help "$command" | sed -n 's/^Usage: //p' | check_words
        akin help "$command" | sed 1,2d | help_words whole | check_words
    done
)
[ -z "$lacking" ] || fault "$lacking"
[ "$(echo "$commands" | wc -l)" -gt 2 ] || fault "these are not all commands: $commands"

# A tag is a name alone, and no line is broken in the middle of a sentence.
! grep -n '^\\fB[A-Z_]* ' "$page" || fault "a tag holds what is said about it"
! sed -n '/,$/{N;/\n\.br$/p;}' "$page" | grep . || fault "a sentence is broken"

if command -v mandoc >/dev/null; then
    # It has no date, so that it is the same whenever it is made.
    said=$(mandoc -T lint -W warning "$page" | grep -v 'missing date, using ""') || said=
    [ -z "$said" ] || fault "$said"
fi
if command -v man >/dev/null; then
    said=$(LC_ALL=C man --warnings -l "$page" 2>&1 >/dev/null) || said="man -l $page failed: $said"
    [ -z "$said" ] || fault "$said"
fi
echo "$faults faults"
[ $faults = 0 ]
