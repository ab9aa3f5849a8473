/*
 * Fuzzes tables of pairs and of clusters: the first byte selects a command line, what comes before the first NUL byte
 * is the pairs, the rest the gold standard. Plain or compressed, with any number of threads, the result is the same.
 * Of two tables of pairs, one's precision is the other's recall. A table against itself is all right.
 */
#include "commands.h"

#include <math.h>

static const struct {
    const char *line, *pairs, *gold;
    int is_symmetric; /* it measures two tables, either of which may be the gold standard */
} lines[] = {
    {"evaluate pairs.csv gold.csv -q", "pairs.csv", "gold.csv", 1},
    {"evaluate pairs.tsv gold.jsonl -q", "pairs.tsv", "gold.jsonl", 1},
    {"evaluate pairs.csv gold.csv -q --linked", "pairs.csv", "gold.csv", 1},
    {"evaluate pairs.csv gold.csv -q --closed", "pairs.csv", "gold.csv", 1},
    {"evaluate pairs.csv gold.csv -q --curve", "pairs.csv", "gold.csv", 0},
    {"evaluate pairs.csv gold.tsv -q --bootstrap 40", "pairs.csv", "gold.tsv", 0},
    {"dedupe people.csv -q --id id --all-pairs --compare name:jaro --threshold 0.8 --gold gold.csv", "other.csv",
     "gold.csv", 0},
    {"dedupe people.csv more.csv -q --all-pairs --compare name:exact --threshold 1 --gold gold.jsonl", "other.csv",
     "gold.jsonl", 0},
    {"compare --files pairs.csv gold.csv -q --scorer levenshtein --on name", "pairs.csv", "gold.csv", 0},
    {"compare --files pairs.txt gold.txt -q --scorer jaro --format jsonl", "pairs.txt", "gold.txt", 0},
};

enum { LINES = sizeof lines / sizeof lines[0] };

/* The number behind a word that a line begins with; NaN: there is none. */
static double number_of(const outcome *o, const char *word)
{
    const char *at = strstr(o->out, word);
    char *end = NULL;
    const double number = at ? strtod(at + strlen(word), &end) : NAN;
    return at && end > at + strlen(word) ? number : NAN;
}

static int is_alike(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* `line` with "pairs" and "gold" as they are; returns what comes of it with other files in their places. */
static outcome run_on(int line, const uint8_t *pairs, size_t pairs_size, const uint8_t *gold, size_t gold_size)
{
    put_file(lines[line].pairs, pairs, pairs_size);
    put_file(lines[line].gold, gold, gold_size);
    return run_line(lines[line].line, NULL, 0);
}

static void check_both(int line, const outcome *o, const uint8_t *pairs, size_t pairs_size, const uint8_t *gold,
                       size_t gold_size)
{
    outcome other = run_on(line, gold, gold_size, pairs, pairs_size);
    const double precision = number_of(o, "precision"), recall = number_of(o, "recall");
    require(isnan(precision) || (precision >= 0 && precision <= 1));
    require(isnan(recall) || (recall >= 0 && recall <= 1));
    /* The other way round a format may be wrong. */
    require(other.status != 0 ||
            (is_alike(number_of(&other, "recall"), precision) && is_alike(number_of(&other, "precision"), recall)));
    clear_outcome(&other);
    other = run_on(line, pairs, pairs_size, pairs, pairs_size);
    const double same = number_of(&other, "precision");
    require(other.status != 0 || isnan(same) || same == 1 || number_of(&other, "\npairs") == 0); /* of none */
    clear_outcome(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || data[0] >= LINES)
        return -1;
    const uint8_t *nul = memchr(data + 1, 0, size - 1), *gold = nul ? nul + 1 : data + size;
    const size_t pairs_size = (size_t)((nul ? nul : data + size) - data - 1), gold_size = (size_t)(data + size - gold);
    const int line = data[0];
    put_text("people.csv", "id,name\na,Martha\nb,Marhta\n\"c,d\",Dixon\ne,Dickson\n");
    put_text("more.csv", "id,name\nz,Martha\na,Xu\n");
    outcome first = run_on(line, data + 1, pairs_size, gold, gold_size);
    for (int how = GZIP; how < PACKINGS && !looks_packed(data + 1, pairs_size) && !looks_packed(gold, gold_size);
         how++) {
        put_packed(lines[line].pairs, (packing)how, data + 1, pairs_size);
        put_packed(lines[line].gold, (packing)how, gold, gold_size);
        outcome other = run_line(lines[line].line, NULL, 0);
        /* That a file is of TREC's format is seen in a plain one alone. */
        require(is_same_outcome(&first, &other) ||
                (first.status == other.status && strstr(first.err, "akin evaluate --trec")));
        clear_outcome(&other);
    }
    if (lines[line].is_symmetric && first.status == 0)
        check_both(line, &first, data + 1, pairs_size, gold, gold_size);
    clear_outcome(&first);
    return 0;
}
