#!/bin/sh
# Times the writing of results: best and median of 5, one line a kind and number of threads. THREADS in the environment
# says which numbers of threads (1,2 if it is not set), REPEATS how often.
#
#     bench/write.sh BUILD [OUTPUT]
#
# The clusters of 2,000,000 generated people, 5,000,000 pairs of generated sets, and the weights of the words of a
# generated text. OUTPUT is the file that they are written to, one after the other (BUILD/bench/write.out): in a folder
# of memory, such as /dev/shm, no disk is timed.
set -eu

build=${1:?usage: $0 BUILD [OUTPUT]}
output=${2:-$build/bench/write.out}
people=$build/bench/people.csv
sets=$build/bench/read.txt
text=$build/bench/write.txt

# Text of 3,600,000 words in documents of 120; the most frequent ones are the shortest.
generate_text()
{
    awk 'BEGIN {
        srand(1)
        for (document = 0; document < 30000; document++) {
            for (word = 0; word < 120; word++)
                printf "%sw%x", word ? " " : "", int(exp(rand() * log(200000)))
            print "\n"
        }
    }' </dev/null
}

[ -e "$people" ] || "$build/akin" generate records --quiet --kind people --records 2000000 -o "$people"
[ -e "$sets" ] ||
    "$build/akin" generate sets --quiet --sets 500000 --tokens 200000 --average 24 --spread 8 -o "$sets"
[ -e "$text" ] || generate_text >"$text"

while read -r kind file; do
    "$build/bench/write_bench" --threads "${THREADS:-1,2}" --repeats "${REPEATS:-5}" "$kind" "$file" "$output"
done <<END
clusters $people
pairs $sets
weights $text
END
rm -f "$output"
