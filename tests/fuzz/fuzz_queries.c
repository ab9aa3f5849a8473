/*
 * Fuzzes queries that people write: for each kind of index, and for rankings. The first byte selects a command line,
 * the rest is the file of queries. With any number of threads, plain or compressed, a file is answered alike, and each
 * technique that can answer it gives the same.
 */
#include "commands.h"

#define SETS    "1 2 3\n2 3 4\n\n7 8\n3 2\n"
#define TEXTS   "isbn,text\nb1,The red boat sails\nb2,\"A blue, blue sea\"\nb3,The sea is red\nb4,\n"
#define PEOPLE  "key,name,age,town\np1,Ada,30,Rome\np2,Bob,35,Rome\np3,Cy,-60.5,Oslo\np4,,,Oslo\n"
#define STRINGS "abcdefgh\nabcdefgx\nK\xc3\xb6ln\nxyz\n\n"

/* How an index is made once, and asked. */
static const struct {
    const char *file, *content, *make, *ask, *asked;
    int techniques; /* the first of the table below that answer it, too */
} lines[] = {
    {"sets.txt", SETS, "index sets.txt -q --kind sets -o 0.akin", "search 0.akin asked.txt -q -k 3", "asked.txt", 1},
    {"sets.txt", SETS, "index sets.txt -q --kind sets -o 1.akin",
     "search 1.akin asked.txt -q --measure jaccard --format jsonl", "asked.txt", 1},
    {"sets.txt", SETS, "index sets.txt -q --kind sets --family minhash --functions 9 -o 2.akin",
     "search 2.akin asked.txt -q -k 2", "asked.txt", 2},
    {"books.csv", TEXTS, "index books.csv -q --on text --id isbn --kind documents -o 3.akin",
     "search 3.akin asked.csv -q --on text --measure cosine --show text", "asked.csv", 1},
    {"books.csv", TEXTS, "index books.csv -q --on text --kind documents --tokens qgrams:2 --ignore-case -o 4.akin",
     "search 4.akin asked.txt -q --least 1 --format tsv", "asked.txt", 1},
    {"people.csv", PEOPLE, "index people.csv -q --id key --kind rows --numeric age --bins 10 -o 5.akin",
     "search 5.akin asked.csv -q --tolerance 2", "asked.csv", 2},
    {"people.csv", PEOPLE, "index people.csv -q --id key --kind rows --numeric age --bins 10 -o 6.akin",
     "search 6.akin asked.jsonl -q --on age,town --weight age=3 --tolerance 0", "asked.jsonl", 2},
    {"words.txt", STRINGS, "index words.txt -q --kind strings --ngram 2 -o 7.akin", "search 7.akin asked.txt -q -k 2",
     "asked.txt", 0},
    {"words.txt", STRINGS, "index words.txt -q --kind strings --fold all -o 8.akin",
     "search 8.akin asked.txt -q -k 2 --format jsonl", "asked.txt", 0},
    {"words.txt", STRINGS, "index words.txt -q --kind strings --bytes --ngram 3 -o 9.akin",
     "search 9.akin asked.txt -q -k 1 --candidates 1 --one-round", "asked.txt", 0},
    {"books.csv", TEXTS, "index books.csv -q --on text --id isbn --kind bm25 --stem english -o 10.akin",
     "rank 10.akin asked.txt -q -k 2", "asked.txt", 0},
    {"books.csv", TEXTS, "index books.csv -q --on text --id isbn --kind bm25 -o 11.akin",
     "rank 11.akin asked.tsv -q --on text --id id --format jsonl", "asked.tsv", 0},
    {"books.csv", TEXTS, "index books.csv -q --on text --kind bm25 -o 12.akin",
     "rank books.csv asked.csv -q --on text --format csv --lossy", "asked.csv", 0},
};

enum { LINES = sizeof lines / sizeof lines[0] };

static void make_indexes(void)
{
    static int made;
    for (size_t i = 0; !made && i < LINES; i++) {
        put_text(lines[i].file, lines[i].content);
        run_well(lines[i].make);
    }
    made = 1;
}

static void check_techniques(const char *line, int count, const outcome *first)
{
    static const char *const techniques[] = {"lists", "scan"};
    for (int i = 0; i < count; i++) {
        const char *const more[] = {"--technique", techniques[i]};
        outcome other = run_line(line, more, 2);
        require(is_same_outcome(first, &other));
        clear_outcome(&other);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || data[0] >= LINES)
        return -1;
    make_indexes();
    outcome o = run_file(lines[data[0]].ask, lines[data[0]].asked, data + 1, size - 1);
    if (o.status == 0)
        check_techniques(lines[data[0]].ask, lines[data[0]].techniques, &o);
    clear_outcome(&o);
    return 0;
}
