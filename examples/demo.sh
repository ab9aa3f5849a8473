#!/bin/sh
# A first look at akin: which of a few recipes share most of their ingredients, and then the same at a larger scale.
#
#     examples/demo.sh AKIN
set -eu

here=$(cd "$(dirname "$0")" && pwd)
akin=$(cd "$(dirname "${1:?usage: $0 AKIN}")" && pwd)/$(basename "$1")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/akin-demo.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat <<'TEXT'
akin finds what is alike. Here are recipes; each is a set of ingredients:

TEXT
sed -n '1,3s/^/    /p' "$here/recipes.txt"
cat <<'TEXT'
    ...

akin reads sets of numbers, one set a line. A line of awk numbers the ingredients,
and akin finds every pair of recipes that share 70 % of what is in either:

TEXT
awk -F ': |, ' '{
    for (i = 2; i <= NF; i++) {
        if (!($i in id)) id[$i] = ++n
        printf "%d%s", id[$i], i < NF ? " " : "\n"
    }
}' "$here/recipes.txt" >recipes.ids
echo '    $ akin join recipes.ids --jaccard 0.7 -o pairs.csv'
echo
"$akin" join recipes.ids --jaccard 0.7 -o pairs.csv
awk -F '[:,]' 'NR == FNR { name[NR - 1] = $1; next }
    FNR == 1 { printf "    %-26s  (recipes)\n", $0; next }
    { printf "    %-26s  %s, %s\n", $0, name[$1], name[$2] }' "$here/recipes.txt" pairs.csv
cat <<'TEXT'

The same for 100,000 sets, each compared with every other, and how it was done:

    $ akin generate sets --sets 100000 -o sets.txt
    $ akin join sets.txt --jaccard 0.8 --count --explain

TEXT
"$akin" generate sets --sets 100000 -o sets.txt
"$akin" join sets.txt --jaccard 0.8 --count --explain 2>&1 | sed 's/^./    &/'
cat <<'TEXT'

Go on with: akin join --help
TEXT
