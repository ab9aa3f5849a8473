/* What options are called elsewhere: by other programs, and by other commands of akin. */
#include "elsewhere.h"

/* The first row of a word counts whose option the command has. Old names of akin's own stand in former.c. */
static const akin_cli_same rows[] = {
    {"limit", "top", " K"},
    {"k", "top", " K"},
    {"tokenizer", "tokens", " words"},
    {"tokenize", "tokens", " words"},
    {"ngram", "tokens", " qgrams:N"},
    {"ngrams", "tokens", " qgrams:N"},
    {"qgram", "tokens", " qgrams:N"},
    {"qgrams", "tokens", " qgrams:N"},
    {"shingles", "tokens", " qgrams:N"},
    {"outfile", "output", " FILE"},
    {"n-jobs", "threads", " N"},
    {"jobs", "threads", " N"},
    {"workers", "threads", " N"},
    {"cores", "threads", " N"},
    {"num-cores", "threads", " N"},
    {"gpu", "device", " cuda"},
    {"cuda", "device", " cuda"},
    {"column", "on", " COLUMN"},
    {"columns", "on", " COLUMN"},
    {"field", "on", " COLUMN"},
    {"fields", "on", " COLUMN"},
    {"column", "compare", " COLUMN:COMPARATOR"},
    {"columns", "compare", " COLUMN:COMPARATOR"},
    {"field", "compare", " COLUMN:COMPARATOR"},
    {"fields", "compare", " COLUMN:COMPARATOR"},
    {"on", "compare", " COLUMN:COMPARATOR"},
    {"left-on", "compare", " LEFT=RIGHT:COMPARATOR"},
    {"right-on", "compare", " LEFT=RIGHT:COMPARATOR"},
    {"weights", "compare", " COLUMN:COMPARATOR:THRESHOLD:WEIGHT"},
    {"unique-id", "id", " COLUMN"},
    {"unique-id-column-name", "id", " COLUMN"},
    {"measure", "similarity", " NAME:T"},
    {"metric", "similarity", " NAME:T"},
    {"scorer", "similarity", " NAME:T"},
    {"measure", "scorer", " COMPARATOR"},
    {"metric", "scorer", " COMPARATOR"},
    {"similarity", "scorer", " COMPARATOR"},
    {"measure", "compare", " COLUMN:COMPARATOR"},
    {"metric", "compare", " COLUMN:COMPARATOR"},
    {"scorer", "compare", " COLUMN:COMPARATOR"},
    {"similarity", "compare", " COLUMN:COMPARATOR"},
    {"max-distance", "levenshtein", " N"},
    {"max-dist", "levenshtein", " N"},
    {"max-edits", "levenshtein", " N"},
    {"edits", "levenshtein", " N"},
    {"edit-distance", "levenshtein", " N"},
    {"distance", "levenshtein", " N"},
    {"max-distance", "top", " K, and then filter the result"},
    {"max-dist", "top", " K, and then filter the result"},
    {"max-edits", "top", " K, and then filter the result"},
    {"edits", "top", " K, and then filter the result"},
    {"edit-distance", "top", " K, and then filter the result"},
    {"distance", "top", " K, and then filter the result"},
    {"threshold", "top", " K, and then filter the result"},
    {"cutoff", "top", " K, and then filter the result"},
    {"min-similarity", "top", " K, and then filter the result"},
    {"algorithm", "technique", " NAME"},
    {"method", "technique", " NAME"},
    {"separator", "input", " tsv"},
    {"delimiter", "input", " tsv"},
    {"sep", "input", " tsv"},
    {"encoding", "lossy", ""},
    {"ignore-case", "fold", ""},
    {"lowercase", "fold", ""},
    {"keep", "deduplicated", " FILE"},
    {"dedupe", "deduplicated", " FILE"},
    {"dedup", "deduplicated", " FILE"},
    {"drop-duplicates", "deduplicated", " FILE"},
    {"golden", "merged", " FILE"},
    {"golden-record", "merged", " FILE"},
    {"golden-records", "merged", " FILE"},
    {"consolidated", "merged", " FILE"},
    {"survivorship", "merge", " COLUMN:RULE"},
    {"threshold-auto", "threshold", " auto"},
    {"auto-threshold", "threshold", " auto"},
    {"match-threshold", "threshold", " T"},
    {"cluster-threshold", "cluster", " average:T"},
    {"link-type", "one-to-one",
     AKIN_CLI_SAYS "akin dedupe FILE finds duplicates, and akin link FILE FILE2 finds links"},
    {"training-file", "answers", " FILE"},
    {"exclude", "ignore", " COLUMN"},
    {"html", "report", " FILE"},
    {"settings", "job", " FILE"},
    {"truth", "gold", " FILE"},
    {"labels", "gold", " FILE"},
    {"random-state", "seed", " N"},
    {"silent", "quiet", ""},
    {"query", "sql", " QUERY"},
    {"select", "sql", " QUERY"},
    {"verbose", "explain", ""},
    {"verbose", "report", AKIN_CLI_SAYS "the summary is shown without it, and --report FILE writes more"},
};

/* Whether names are equal; some programs write them with underscores. */
static int is_same(const char *word, const char *name)
{
    while (*word && (*word == *name || (*word == '-' && *name == '_')))
        word++, name++;
    return *word == *name;
}

const akin_cli_same *akin_cli_elsewhere(const akin_cli_command *command, const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_same(rows[i].word, name) && akin_cli_has_option(command, rows[i].here))
            return &rows[i];
    return NULL;
}
