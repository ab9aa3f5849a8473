/* akin generate: data to try things on. */
#include "generate.h"

#include <string.h>

#include "number.h"
#include "unknown.h"

static const akin_cli_option options[GENERATE_OPTIONS] = {
    [GENERATE_SETS] = {.heading = "What sets look like",
                       .name = "sets",
                       .argument = "N",
                       .help = "number of sets (100000 if not given)"},
    [GENERATE_TOKENS] = {.name = "tokens", .argument = "N", .help = "number of tokens to choose from (50000)"},
    [GENERATE_AVERAGE] = {.name = "average",
                          .argument = "X",
                          .help = "average size of a set (10), normally distributed"},
    [GENERATE_SPREAD] = {.name = "spread", .argument = "X", .help = "standard deviation of the sizes (3)"},
    [GENERATE_SMALLEST] = {.name = "smallest", .argument = "N", .help = "size of the smallest set (1)"},
    [GENERATE_LARGEST] = {.name = "largest", .argument = "N", .help = "size of the largest set (no bound)"},
    [GENERATE_ZIPF] = {.name = "zipf",
                       .argument = "X",
                       .help = "exponent of the token distribution (1): token k is\n"
                               "drawn with weight 1 / (k + 1)^X; 0 for equal weights"},
    [GENERATE_GROW] = {.name = "grow",
                       .argument = "FILE N",
                       .help = "or an enlarged collection: N copies of the sets in\n"
                               "FILE, one after the other; the first is the original,\n"
                               "and in every next copy each token is replaced by the\n"
                               "next more frequent one, the most frequent by the\n"
                               "rarest"},
    [GENERATE_RECORDS] = {.heading = "What records look like",
                          .name = "records",
                          .argument = "N",
                          .help = "number of records, duplicates included (10000)"},
    [GENERATE_KIND] = {.name = "kind",
                       .argument = "WHAT",
                       .help = "what records are of, one of those below (people)",
                       .choices = "record-kinds"},
    [GENERATE_TRACKS] = {.name = "tracks", .argument = "N", .help = "columns for tracks of CDs, 44 at most (2)"},
    [GENERATE_COPIES] = {.name = "copies",
                         .argument = "HOW",
                         .help = "how many duplicates a record has that has any:\n"
                                 "{}, as told below\n"
                                 "(poisson)",
                         .choices = "copies"},
    [GENERATE_MOST_COPIES] = {.name = "most-copies", .argument = "N", .help = "but not more than N (5)"},
    [GENERATE_FIELD_MODIFICATIONS] = {.name = "field-modifications",
                                      .argument = "N",
                                      .help = "errors in a value of a duplicate, at most (2)"},
    [GENERATE_RECORD_MODIFICATIONS] = {.name = "record-modifications",
                                       .argument = "N",
                                       .help = "errors in a duplicate, at most (5); there is one at\n"
                                               "least, and each number is as likely as any other"},
    [GENERATE_MODIFY] = {.name = "modify",
                         .argument = "ERROR:W",
                         .repeated = 1,
                         .help = "how often a kind of error is, a whole number, 0 for\n"
                                 "never, compared with the others: one of those\n"
                                 "below, or all:W",
                         .choices = "modifications",
                         .other = "all"},
    [GENERATE_LINKED] = {.name = "linked",
                         .argument = "FILE",
                         .help = "write duplicates to FILE, apart from the originals"},
    [GENERATE_GOLD] = {.name = "gold",
                       .argument = "FILE",
                       .help = "write to FILE which records are of one original: the\n"
                               "ids of every two of them; with --linked those of an\n"
                               "original and a duplicate"},
    [GENERATE_FORMAT] = {.name = "format",
                         .argument = "FORMAT",
                         .choices = "table-formats",
                         .capabilities = AKIN_CAN_WRITE,
                         .help = "{}; if not given, what the name of\n"
                                 "each file ends in, else csv"},
    [GENERATE_DOCUMENTS] = {.heading = "What text looks like",
                            .name = "documents",
                            .argument = "N",
                            .help = "number of documents (1000, unless --bytes is given)"},
    [GENERATE_BYTES] = {.name = "bytes",
                        .argument = "SIZE",
                        .help = "or how much text, at most: it ends with the last word\n"
                                "that fits. K, M, G, T are powers of 1024, KB, MB, GB\n"
                                "of 1000"},
    [GENERATE_WORDS] = {.name = "words",
                        .argument = "FILE",
                        .help = "the words to draw from, one a line: a word, a tab and\n"
                                "how frequent it is, any number from 0 on. A word of 0\n"
                                "is half as frequent as the rarest of the others. Made\n"
                                "up if not given"},
    [GENERATE_VOCABULARY] = {.name = "vocabulary",
                             .argument = "N",
                             .help = "how many words: the first N of FILE, or so many made\n"
                                     "up, whose frequencies are those of Zipf and\n"
                                     "Mandelbrot (all of FILE; 500000)"},
    [GENERATE_DISTRIBUTION] = {.name = "distribution",
                               .argument = "HOW",
                               .choices = "distributions",
                               .help = "frequency, words are as frequent as said; uniform,\n"
                                       "one is as frequent as another (frequency)"},
    [GENERATE_LENGTH] = {.name = "length",
                         .argument = "MU SIGMA",
                         .help = "mean and standard deviation of the natural logarithm\n"
                                 "of a document's length in words (6.0 and 1.1)"},
    [GENERATE_DUPLICATES] = {.heading = "Sets and records",
                             .name = "duplicates",
                             .argument = "X",
                             .help = "rate of sets that are near-duplicates of an earlier\n"
                                     "one (0.05): a tenth of the tokens is changed; and of\n"
                                     "records that are duplicates (0.1)"},
    [GENERATE_SEED] = {.heading = "All of them",
                       .name = "seed",
                       .argument = "N",
                       .help = "the same seed gives the same data everywhere (1)"},
    [GENERATE_OUTPUT] = {.name = "output",
                         .letter = 'o',
                         .argument = "FILE",
                         .help = "write to FILE, which appears whole or not at all;\n"
                                 "standard output if it is - or not given. Of sets, a\n"
                                 "name that ends in .akin gets a binary, checked file\n"
                                 "that join reads faster than text"},
    [GENERATE_QUIET] = {.name = "quiet", .letter = 'q', .help = "show no progress"},
    [GENERATE_THREADS] = {.name = "threads",
                          .argument = "N",
                          .help = "threads to use; as many as there are if not given"},
};

int akin_cli_generate_whole(const akin_cli_arguments *arguments, int option, uint64_t low, uint64_t high, uint64_t *out)
{
    const char *text = arguments->value[option][0];
    if (text && !akin_cli_read_u64(text, low, high, out))
        return akin_cli_refuse("--%s %s: expected a whole number from %llu to %llu", options[option].name, text,
                               (unsigned long long)low, (unsigned long long)high);
    return AKIN_CLI_DONE;
}

int akin_cli_generate_u32(const akin_cli_arguments *arguments, int option, uint32_t low, uint32_t *out)
{
    uint64_t value = *out;
    int status = akin_cli_generate_whole(arguments, option, low, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return status;
}

int akin_cli_generate_decimal(const akin_cli_arguments *arguments, int option, double high, double *out)
{
    const char *text = arguments->value[option][0];
    if (text && (!akin_cli_read_double(text, out) || *out > high))
        return akin_cli_refuse("--%s %s: expected a decimal number from 0 to %.0f", options[option].name, text, high);
    return AKIN_CLI_DONE;
}

/* Refuses an option from `first` up to, not including, `end`: it is of the others. */
static int check_none(const akin_cli_arguments *arguments, int first, int end, const char *others)
{
    for (int option = first; option < end; option++)
        if (arguments->value[option][0])
            return akin_cli_refuse("generate %s --%s: that is of %s", arguments->operands[0], options[option].name,
                                   others);
    return AKIN_CLI_DONE;
}

static int run(const akin_cli_arguments *arguments)
{
    int count = arguments->operand_count;
    if (count == 0)
        return akin_cli_refuse("expected what to generate: akin generate sets, records or text");
    if (count > 1)
        return akin_cli_refuse("%s: generate %s takes no operand", arguments->operands[1], arguments->operands[0]);
    static const struct {
        const char *name;
        int (*make)(const akin_cli_arguments *arguments);
        int first, end; /* its own options */
        const char *of; /* what the others call it */
    } kinds[] = {{"sets", akin_cli_generate_sets, GENERATE_SETS, GENERATE_RECORDS, "sets"},
                 {"records", akin_cli_generate_records, GENERATE_RECORDS, GENERATE_DOCUMENTS, "records"},
                 {"text", akin_cli_generate_text, GENERATE_DOCUMENTS, GENERATE_DUPLICATES, "text"}};
    for (int kind = 0; kind < 3; kind++) {
        int status = AKIN_CLI_DONE;
        if (strcmp(arguments->operands[0], kinds[kind].name) != 0)
            continue;
        for (int other = 0; other < 3 && status == AKIN_CLI_DONE; other++)
            if (other != kind)
                status = check_none(arguments, kinds[other].first, kinds[other].end, kinds[other].of);
        if (status == AKIN_CLI_DONE && kinds[kind].make == akin_cli_generate_text)
            status = check_none(arguments, GENERATE_DUPLICATES, GENERATE_SEED, "sets and records");
        return status == AKIN_CLI_DONE ? kinds[kind].make(arguments) : status;
    }
    return akin_cli_unknown_word(&akin_cli_generate, arguments->operands[0]);
}

const akin_cli_command akin_cli_generate = {
    .name = "generate",
    .summary = "make data to try things on: sets, records with duplicates, text",
    .usage = "sets|records|text [OPTION...]",
    .about =
        "Makes a collection of sets, one a line, as 'akin join' reads it: synthetic ones,\n"
        "whose shape the options describe, or an existing collection enlarged. Or records\n"
        "of people or CDs that nobody has, some of them with errors and more than once,\n"
        "for 'akin dedupe', and a file that says which. Or text: documents with an empty\n"
        "line between, of words as frequent as they are said to be, for 'akin weigh'.\n",
    .notes =
        "Kinds of records:\n"
        "{record-kinds}\n"
        "\n"
        "How many duplicates, K:\n"
        "{copies}\n"
        "\n"
        "Errors, and how often each is if --modify does not say it:\n"
        "{modifications}\n"
        "\n"
        "Examples:\n"
        "  akin generate sets --sets 1000000 --average 50 --spread 10 -o sets.txt\n"
        "  akin generate sets --sets 5000 --duplicates 0.3 | akin join - --jaccard 0.7\n"
        "  akin generate sets --grow baskets.txt 5 -o five-times.akin\n"
        "  akin generate records --records 100000 -o people.csv --gold gold.csv\n"
        "  akin generate records --kind cd --tracks 12 --modify missing:0 -o cds.csv\n"
        "  akin generate records --records 10000 --duplicates 0.5 --most-copies 1 \\\n"
        "        -o originals.csv --linked duplicates.csv --gold gold.csv\n"
        "  akin generate text --bytes 100MB -o text.txt\n"
        "  akin generate text --documents 50 --words words.tsv --distribution uniform\n"
        "\n"
        "The shapes of sets are those of A. Bellas and A. Gounaris, An Empirical\n"
        "Evaluation of Exact Set Similarity Join Techniques Using GPUs, Table 8 and\n"
        "section 4.4.1; the errors of records those of Febrl's generator (P. Christen,\n"
        "Probabilistic Data Generation for Deduplication and Data Linkage, 2005); the\n"
        "lengths of documents those of T. Wakatsuki, A. Keyaki and J. Miyazaki, A Case\n"
        "for Term Weighting using a Dictionary on GPUs, section 4.1.\n",
    .options = options,
    .option_count = GENERATE_OPTIONS,
    .run = run,
};
