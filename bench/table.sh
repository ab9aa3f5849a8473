#!/bin/sh
# Times the reading of tables: best and median of 9, one line a file and CPU level. LEVELS in the environment says which
# levels (such as scalar,avx2,avx512; what the machine offers if it is not set), THREADS which numbers of threads (such
# as 1,2; one if it is not set), REPEATS how often.
#
#     bench/table.sh BUILD [FILE...]
#
# Without files: 300,000 generated records of a number, a title, a word, a year and an abstract, as CSV with a third of
# the titles quoted, TSV, JSON lines with an escape in a tenth of the titles, and text; and as CSV with half of the
# words Greek.
set -eu

build=${1:?usage: $0 BUILD [FILE...]}
shift

# generate FORMAT FIRST: records; FIRST is what half of the words begin with.
generate()
{
    awk -v format="$1" -v first="$2" '
        function words(count,    text) {
            for (text = vocabulary[int(rand() * 5000)]; count > 1; count--)
                text = text " " vocabulary[int(rand() * 5000)]
            return text
        }
        BEGIN {
            srand(1)
            for (i = 0; i < 5000; i++) {
                vocabulary[i] = i % 2 ? first : ""
                for (length_left = 2 + int(rand() * 8); length_left > 0; length_left--)
                    vocabulary[i] = vocabulary[i] sprintf("%c", 97 + int(rand() * 26))
            }
            comma = format == "tsv" ? "\t" : ","
            if (format == "csv" || format == "tsv")
                print "id" comma "title" comma "venue" comma "year" comma "abstract"
            for (i = 0; i < 300000; i++) {
                title = words(4 + int(rand() * 9))
                if (format == "csv" && i % 3 == 0)
                    title = "\"" title ", and \"\"more\"\"\""
                if (format == "jsonl" && i % 10 == 0)
                    title = title " \\\"q\\\""
                venue = words(1)
                year = 1950 + int(rand() * 77)
                abstract = words(16)
                if (format == "jsonl")
                    print "{\"id\": " i ", \"title\": \"" title "\", \"venue\": \"" venue "\", \"year\": " year \
                          ", \"abstract\": \"" abstract "\", \"tags\": [\"a\", 1]}"
                else if (format == "txt")
                    print title " " venue " " year " " abstract
                else
                    print i comma title comma venue comma year comma abstract
            }
        }' </dev/null
}

if [ $# -eq 0 ]; then
    for format in csv tsv jsonl txt; do
        file=$build/bench/table.$format
        [ -e "$file" ] || generate $format '' >"$file"
        set -- "$@" "$file"
    done
    file=$build/bench/greek.csv
    [ -e "$file" ] || generate csv 'λέξη' >"$file"
    set -- "$@" "$file"
fi

"$build/bench/table_bench" ${LEVELS:+--cpu "$LEVELS"} --threads "${THREADS:-1}" --repeats "${REPEATS:-9}" "$@"
