/*
 * Fuzzes neighbours that are known (--truth): the first byte selects a command line, the rest is the file. With any
 * number of threads, plain or compressed, it is refused or rated alike, what is found stays the same, and shares lie
 * between 0 and 1.
 */
#include "commands.h"

static const struct {
    const char *search, *file;
} lines[] = {
    {"search words.akin typed.txt -q -k 2", "near.csv"},    {"search words.akin typed.txt -q -k 1", "near.tsv"},
    {"search words.akin typed.txt -q -k 3", "near.jsonl"},  {"search words.akin typed.txt -q -k 2", "near.ivecs"},
    {"search words.akin typed.txt -q -k 2", "near.npy"},    {"search sets.akin asked.txt -q -k 2", "near.csv"},
    {"search base.akin asked.bvecs -q -k 2", "near.ivecs"}, {"search base.akin asked.bvecs -q --rerank 3", "near.tsv"},
    {"search base.akin asked.bvecs -q -k 1", "near.npy"},
};

enum { LINES = sizeof lines / sizeof lines[0] };

static void make_indexes(void)
{
    static const char vectors[] = "\2\0\0\0az\2\0\0\0bb\2\0\0\0da\2\0\0\0hz";
    static int made;
    if (made)
        return;
    put_text("words.txt", "abcdefgh\nabcdefgx\nxyz\nabcdxfgh\n");
    put_text("typed.txt", "abcdefgh\nabzzyyxx\n");
    put_text("sets.txt", "1 2 3 4 5 6\n40 50\n4 5 6\n");
    put_text("asked.txt", "4 5\n40\n");
    put_file("base.bvecs", vectors, sizeof vectors - 1);
    put_file("asked.bvecs", vectors, 12);
    run_well("index words.txt -q --kind strings --ngram 2 -o words.akin");
    run_well("index sets.txt -q --kind sets -o sets.akin");
    run_well("index base.bvecs -q --kind vectors --functions 16 -o base.akin");
    made = 1;
}

static void check_share(const char *err)
{
    const char *at = strstr(err, "recall@"), *number = at ? strchr(at, ' ') : NULL;
    char *end = NULL;
    require(number != NULL);
    const double share = strtod(number, &end);
    require(end > number && share >= 0 && share <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[200];
    if (size == 0 || data[0] >= LINES)
        return -1;
    make_indexes();
    snprintf(line, sizeof line, "%s --truth %s", lines[data[0]].search, lines[data[0]].file);
    outcome rated = run_file(line, lines[data[0]].file, data + 1, size - 1);
    if (rated.status == 0) {
        outcome bare = run_line(lines[data[0]].search, NULL, 0);
        require(bare.status == 0 && bare.out_length == rated.out_length &&
                memcmp(bare.out, rated.out, rated.out_length) == 0);
        check_share(rated.err);
        clear_outcome(&bare);
    }
    clear_outcome(&rated);
    return 0;
}
