/* akin generate: data to try things on. */
#include "generate.h"

#include <string.h>

#include "job.h"
#include "job_file.h"
#include "number.h"
#include "unknown.h"
#include "writer.h"

static const akin_cli_option options[GENERATE_OPTIONS] = {
    [GENERATE_SETS] = {.heading = "Sets", .name = "sets", .argument = "N", .help = "number of sets (default: 100000)"},
    [GENERATE_TOKENS] = {.name = "tokens", .argument = "N", .help = "number of distinct tokens (default: 50000)"},
    [GENERATE_AVERAGE] = {.name = "average",
                          .argument = "X",
                          .help = "mean size of a set; sizes are normally distributed\n"
                                  "(default: 10)"},
    [GENERATE_SPREAD] = {.name = "spread", .argument = "X", .help = "standard deviation of the sizes (default: 3)"},
    [GENERATE_SMALLEST] = {.name = "smallest", .argument = "N", .help = "size of the smallest set (default: 1)"},
    [GENERATE_LARGEST] = {.name = "largest", .argument = "N", .help = "size of the largest set (default: no bound)"},
    [GENERATE_LOGNORMAL] = {.name = "lognormal",
                            .help = "sizes are lognormally distributed: most sets are\n"
                                    "small, and a few are very large"},
    [GENERATE_ZIPF] = {.name = "zipf",
                       .argument = "X",
                       .help = "draw token k with the weight 1 / (k + 1)^X; 0: equal\n"
                               "weights (default: 1)"},
    [GENERATE_GROW] = {.name = "grow",
                       .argument = "FILE N",
                       .help = "enlarge a collection instead: write N copies of the\n"
                               "sets in FILE. The first copy is the original. Each\n"
                               "next copy replaces a token by the next more frequent\n"
                               "token, and the most frequent token by the rarest"},
    [GENERATE_RECORDS] = {.heading = "Records",
                          .name = "records",
                          .argument = "N",
                          .help = "number of records, with the duplicates (default:\n"
                                  "10000)"},
    [GENERATE_KIND] = {.name = "kind",
                       .argument = "WHAT",
                       .help = "the kind of the records: {} (default: people)",
                       .choices = "record-kinds"},
    [GENERATE_TRACKS] = {.name = "tracks",
                         .argument = "N",
                         .help = "columns for tracks of CDs, at most 44 (default: 2)"},
    [GENERATE_COPIES] =
        {.name = "copies",
         .argument = "HOW",
         .help = "the distribution of the number of duplicates of a record: {} (default: poisson); see below",
         .choices = "copies"},
    [GENERATE_MOST_COPIES] = {.name = "most-copies",
                              .argument = "N",
                              .help = "at most N duplicates of a record (default: 5)"},
    [GENERATE_FIELD_MODIFICATIONS] = {.name = "field-modifications",
                                      .argument = "N",
                                      .help = "at most N errors in a value of a duplicate (default:\n"
                                              "2)"},
    [GENERATE_RECORD_MODIFICATIONS] = {.name = "record-modifications",
                                       .argument = "N",
                                       .help = "1 to N errors in a duplicate; every number has the\n"
                                               "same probability (default: 5)"},
    [GENERATE_MODIFY] = {.name = "modify",
                         .argument = "ERROR:W",
                         .repeated = 1,
                         .help = "the weight of a kind of error: a whole number, 0 for\n"
                                 "never. ERROR is one of the errors below, or all. You\n"
                                 "may give this option several times",
                         .choices = "modifications",
                         .other = "all"},
    [GENERATE_LINKED] = {.name = "linked",
                         .argument = "FILE",
                         .written = 1,
                         .help = "write the duplicates to FILE, the originals to -o"},
    [GENERATE_GOLD] =
        {.name = "gold",
         .argument = "FILE",
         .written = 1,
         .help = "write to FILE the pairs of records with the same original, as ids. With --linked: the pairs of an "
                 "original and a duplicate of it"},
    [GENERATE_FORMAT] = {.name = "format",
                         .argument = "FORMAT",
                         .choices = "table-formats",
                         .capabilities = AKIN_CAN_WRITE,
                         .help = "{} (default: by the name of each file, else csv)"},
    [GENERATE_SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [GENERATE_REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [GENERATE_DOCUMENTS] = {.heading = "Text",
                            .name = "documents",
                            .argument = "N",
                            .help = "number of documents (default: 1000, unless --bytes is\n"
                                    "given)"},
    [GENERATE_BYTES] =
        {.name = "bytes",
         .argument = "SIZE",
         .help = "at most SIZE bytes of text. The text ends with the last word that fits. " AKIN_CLI_JOB_SIZES},
    [GENERATE_WORDS] = {.name = "words",
                        .argument = "FILE",
                        .help = "the words to draw, one a line: a word, a tab and its\n"
                                "frequency, a number from 0. A word with 0 is half as\n"
                                "frequent as the rarest other word (default: made-up\n"
                                "words)"},
    [GENERATE_VOCABULARY] = {.name = "vocabulary",
                             .argument = "N",
                             .help = "number of words: the first N of FILE, or N made-up\n"
                                     "words, with the frequencies of Zipf and Mandelbrot\n"
                                     "(default: all of FILE, or 500000)"},
    [GENERATE_DISTRIBUTION] =
        {.name = "distribution",
         .argument = "HOW",
         .choices = "distributions",
         .help = "{}: draw words by their frequency, or all with the same probability (default: frequency)"},
    [GENERATE_LENGTH] = {.name = "length",
                         .argument = "MU SIGMA",
                         .help = "mean and standard deviation of the natural logarithm\n"
                                 "of the number of words in a document (default: 6.0\n"
                                 "and 1.1)"},
    [GENERATE_DUPLICATES] =
        {.heading = "Sets and records",
         .name = "duplicates",
         .argument = "X",
         .help =
             "sets: the share of near-duplicates of an earlier set; a tenth of their tokens differs (default: 0.05). "
             "Records: the share of duplicates (default: 0.1)"},
    [GENERATE_SEED] = {.heading = "All kinds",
                       .name = "seed",
                       .argument = "N",
                       .help = "the same seed gives the same data everywhere\n"
                               "(default: 1)"},
    [GENERATE_OUTPUT] = {.name = "output",
                         .letter = 'o',
                         .argument = "FILE",
                         .written = 1,
                         .help = "write to FILE, which appears whole or not at all\n"
                                 "(default: -, standard output). Sets: FILE.akin is a\n"
                                 "binary file, which join reads faster than text"},
    [GENERATE_SYNC] = {AKIN_CLI_JOB_SYNC},
    [GENERATE_QUIET] = {AKIN_CLI_JOB_QUIET},
    [GENERATE_THREADS] = {AKIN_CLI_JOB_THREADS},
    [GENERATE_JOB] = {AKIN_CLI_JOB_OPTION("")},
    [GENERATE_SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [GENERATE_ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
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
            return akin_cli_refuse("--%s: is an option of akin generate %s, not of akin generate %s",
                                   options[option].name, others, arguments->operands[0]);
    return AKIN_CLI_DONE;
}

static int run_generate(const akin_cli_arguments *arguments)
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
    .summary = "make test data: sets, records with duplicates, text",
    .usage = "sets|records|text [OPTION...]",
    .about =
        "Makes sets for 'akin join', records with duplicates for 'akin dedupe', or text\n"
        "for 'akin weigh'. All data are invented.\n",
    .notes =
        "Kinds of data:\n"
        "  sets           a collection of sets, one a line. The options describe its\n"
        "                 shape. With --grow: an existing collection, enlarged\n"
        "  records        a table of people or CDs. Some records have duplicates, with\n"
        "                 errors; --gold writes the pairs\n"
        "  text           documents of words, with an empty line between them\n"
        "\n"
        "Kinds of records:\n"
        "{record-kinds}\n"
        "\n"
        "How many duplicates, K:\n"
        "{copies}\n"
        "\n"
        "Errors, with the weight that each has without --modify:\n"
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
        "Shapes of sets: C. Bellas and A. Gounaris, An Empirical Evaluation of Exact Set\n"
        "Similarity Join Techniques Using GPUs, Table 8 and section 4.4.1. Errors of\n"
        "records: P. Christen, Probabilistic Data Generation for Deduplication and Data\n"
        "Linkage, 2005. Lengths of documents: T. Wakatsuki, A. Keyaki and J. Miyazaki, A\n"
        "Case for Term Weighting using a Dictionary on GPUs, section 4.1.\n",
    .options = options,
    .option_count = GENERATE_OPTIONS,
    .run = run_generate,
};
