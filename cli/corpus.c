/* akin corpus: cleans collections of documents. */
#include "corpus.h"

#include <stdlib.h>
#include <string.h>

#include "corpus_options.h"
#include "folding.h"
#include "job_file.h"
#include "kept.h"
#include "path.h"
#include "reading.h"
#include "shards.h"
#include "table.h"
#include "unknown.h"

static const akin_cli_option options[OPTION_COUNT] = {
    [MEASURE] = {.heading = "near-duplicates: alike means (default: --jaccard 0.8)",
                 .argument = "T",
                 .choices = "measures",
                 .capabilities = AKIN_FOR_JOIN},
    [TOKENS] = {.name = "tokens",
                .argument = "KIND",
                .choices = "tokens",
                .help = "what a document is a set of: {} (default: words:5, every 5 words in a row). A document of "
                        "fewer words is one token"},
    [IGNORE_CASE] = {AKIN_CLI_IGNORE_CASE("ignore case in every kind of tokens (words always do)")},
    [KEEP] = {.heading = "Documents that are kept, and compared",
              .name = "keep",
              .argument = "WHICH",
              .choices = "keeps",
              .help = "what is kept of documents that are alike, or of the copies of a passage: {} (default: first). "
                      "Of documents also by a column: COLUMN prefers the lesser value, COLUMN:desc the greater one; "
                      "numbers count as numbers. Ties: the lesser --id, else the first"},
    [WITHIN] = {.name = "within",
                .argument = "COLUMN",
                .may_lack = 1,
                .help = "compare only documents that have the same value in COLUMN, such as the source; without "
                        "COLUMN, only documents of one file"},
    [ACROSS] = {.name = "across",
                .argument = "COLUMN",
                .may_lack = 1,
                .help = "compare only documents that have different values in COLUMN; without COLUMN, only documents "
                        "of different files"},
    [IGNORE_FREQUENT] = {.name = "ignore-frequent",
                         .argument = "N",
                         .help = "leave out tokens that are in more than N documents, such as menus and licences "
                                 "(default: none)"},
    [COMPONENTS] = {.name = "components",
                    .help = "keep one document of each chain of documents that are alike, instead of what a kept "
                            "document is alike to. Removed documents need not be like their survivors"},
    [PLAN] = {.name = "plan",
              .help = "what the job will take: bytes, tokens, memory, rounds and seconds, foreseen from 32 MB of the "
                      "documents; nothing is removed"},
    [SAMPLE] = {.name = "sample",
                .argument = "N",
                .help =
                    "instead of all that, draw N documents, and write how much thresholds of 0.5 to 1 would remove at "
                    "most, with intervals of 95 %. The measure counts, its threshold does not"},
    [WORDS] = {.heading = "Words, and items",
               .name = "words",
               .argument = "N",
               .help = "overlap: words of a gram, 1 to 255 (default: 13). A shorter item is one gram. repeats: the "
                       "least words of a passage, 1 to 65536, in place of --length"},
    [ITEMS_ON] = {.name = "items-on",
                  .argument = "COLUMNS",
                  .help = "the columns of ITEMS with the text, as A,B (default: text). With several each is an item, "
                          "and so are all of them together"},
    [ITEMS_ID] = {.name = "items-id",
                  .argument = "COLUMN",
                  .help = "the column of ITEMS that names items (default: their numbers from 0 on)"},
    [LENGTH] = {.heading = "Passages",
                .name = "length",
                .argument = "N",
                .help =
                    "the least bytes of a passage, 8 to 65536 (default: 100). With --words N passages are compared as "
                    "folded words"},
    [INPUT] = {.heading = "Input",
               .name = "input",
               .argument = "FORMAT",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "of FILE, not of ITEMS: {} (default: by the ending of each name)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help = "the columns with the text, as A,B (default: text). The values of several are one text, with "
                    "blanks between"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "the column that names documents in results (default: their numbers from 0 on; of several files "
                    "FILE:NUMBER). No two have one id; for overlap no two of one file"},
    [LOSSY] = {AKIN_CLI_READING_LOSSY},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [OUTPUT] = {.heading = "Output",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .written = 1,
                .help = "overlap, repeats, --sample: write to FILE what is found (default: standard output)"},
    [KEPT] = {.name = "kept",
              .argument = "FILE",
              .written = 1,
              .help = "near-duplicates, overlap: write to FILE the documents that are kept; "
                      "repeats: all documents, without their passages. Of several files, "
                      "FILE is a folder that gets files of the same names, and a job that was stopped goes on"},
    [REMOVED] =
        {.name = "removed",
         .argument = "FILE",
         .written = 1,
         .help = "near-duplicates: write to FILE a row for each removed document: its id, that of its survivor, their "
                 "similarity, and how many tokens they have in common"},
    [REPORT] = {.name = "report",
                .argument = "FILE",
                .written = 1,
                .help =
                    "near-duplicates: write to FILE a page of HTML for a browser, which needs no network: the figures, "
                    "how alike removed documents are, and the largest clusters with what their texts differ in"},
    [FORMAT] = {.name = "format",
                .argument = "FORMAT",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "the format of --removed or --output: {} (default: as its name ends, else csv)"},
    [SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap, at least 16M (default: none). The rest goes to temporary files in "
                        "$TMPDIR. " AKIN_CLI_JOB_SIZES},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "auto, cpu, cuda, or cuda:N for GPU N, counted from 0 (default: auto). Several GPUs, cuda:0,1 "
                        "or cuda:all, share the documents. overlap and repeats: auto or cpu"},
    [DEVICE_MEMORY] = {AKIN_CLI_JOB_DEVICE_MEMORY},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

/* -------------------------------------------------------------------------------------------------------- documents */

void akin_cli_documents_clear(akin_cli_documents *documents)
{
    akin_cli_reading_clear(&documents->reading);
    free(documents->options);
}

int akin_cli_corpus_paths(const akin_cli_arguments *arguments, int before, akin_cli_documents *out)
{
    int inputs = 0;
    out->paths = arguments->operands + before;
    out->path_count = arguments->operand_count > before ? arguments->operand_count - before : 0;
    for (int option = WITHIN; out->path_count == 0 && option <= ACROSS; option++) {
        const char *taken = arguments->value[option][0];
        if (taken && taken != akin_cli_lacking && (akin_path_has_files(taken) || akin_cli_path_is_regular(taken)))
            return akin_cli_refuse("--%s %s: was taken for a column, and no file is left: write --%s behind the files",
                                   options[option].name, taken, options[option].name);
    }
    if (out->path_count == 0)
        return akin_cli_refuse("expected the files of a corpus: akin corpus %s", akin_cli_corpus_takes(arguments));
    for (int i = 0; i < out->path_count; i++) {
        if (!out->paths[i][0])
            return akin_cli_refuse("expected the name of a file, not an empty word");
        inputs += akin_cli_path_is_stdin(out->paths[i]);
    }
    return inputs > 1 ? akin_cli_refuse("- and -: standard input can be read only once") : AKIN_CLI_DONE;
}

int akin_cli_corpus_reading(const akin_cli_arguments *arguments, akin_cli_documents *out)
{
    akin_cli_reading *reading = &out->reading;
    akin_format format = AKIN_FORMAT_AUTO;
    const char *input = arguments->value[INPUT][0];
    if (input && akin_cli_option_format(&options[INPUT], input, &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    const akin_cli_reading_words words = {.input = input,
                                          .on = arguments->value[ON][0] ? arguments->value[ON][0] : "text",
                                          .presumed = !arguments->value[ON][0],
                                          .id = arguments->value[ID][0],
                                          .tokens = arguments->value[TOKENS][0] ? arguments->value[TOKENS][0]
                                                                                : AKIN_CLI_CORPUS_TOKENS,
                                          .fold = arguments->value[IGNORE_CASE][0],
                                          .lossy = arguments->value[LOSSY][0],
                                          .strings = options[ON].name};
    int status = AKIN_CLI_DONE;
    for (int i = out->path_count - 1; i >= 0 && status == AKIN_CLI_DONE; i--) { /* the first one's stays */
        akin_cli_reading_clear(reading);
        status = akin_cli_reading_check(&words, out->paths[i], reading);
    }
    reading->by_name = !input && (reading->by_name || out->path_count > 1);
    reading->more = out->paths + 1;
    reading->more_count = (uint32_t)out->path_count - 1;
    reading->keep_lines = 1;
    return status;
}

int akin_cli_corpus_target(const akin_cli_documents *documents, const akin_cli_option *option, const char *path)
{
    for (int i = 0; i < documents->path_count; i++) {
        if (akin_cli_path_same(documents->paths[i], path))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", path);
        if (akin_path_has_files(documents->paths[i]) && akin_cli_path_is_below(path, documents->paths[i]))
            return akin_cli_refuse("--%s %s: is in the folder that is read: give another one", option->name, path);
    }
    return akin_cli_path_check_output(option->name, path);
}

int akin_cli_corpus_kept(const akin_cli_arguments *arguments, akin_cli_documents *out)
{
    const char *path = out->kept = arguments->value[KEPT][0];
    if (!path)
        return AKIN_CLI_DONE;
    out->reading.keep_records = 1;
    int status = akin_cli_corpus_target(out, &options[KEPT], path);
    if (status == AKIN_CLI_DONE && (out->path_count > 1 || akin_path_has_files(out->paths[0]))) {
        for (int i = 0; i < out->path_count; i++)
            if (akin_cli_path_is_stdin(out->paths[i]))
                return akin_cli_refuse("--kept %s: standard input has no name for its file in this folder", path);
        status = akin_cli_shards_options(&akin_cli_corpus, arguments, (int)(out->paths - arguments->operands),
                                         &out->options);
        return status == AKIN_CLI_DONE ? akin_cli_shards_check(&akin_cli_corpus, arguments, KEPT) : status;
    }
    return status == AKIN_CLI_DONE ? akin_cli_kept_check(options[KEPT].name, out->reading.format, path) : status;
}

int akin_cli_corpus_findings(const akin_cli_arguments *arguments, const akin_cli_documents *documents, const char *what,
                             akin_cli_findings *out)
{
    const char *path = out->path = arguments->value[OUTPUT][0];
    out->shown = arguments->value[FORMAT][0];
    int status = path ? akin_cli_corpus_target(documents, &options[OUTPUT], path) : AKIN_CLI_DONE;
    if (status == AKIN_CLI_DONE)
        status = akin_cli_format_check(&options[FORMAT], out->shown, path ? path : "-", what, &out->format);
    return status == AKIN_CLI_DONE ? akin_cli_safe_check(arguments->value[SAFE_CSV][0], path, &out->format) : status;
}

/* What a job has at its disposal. */
static akin_cli_resources resources_of(const akin_cli_arguments *arguments)
{
    return (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                .memory = arguments->value[MEMORY][0],
                                .device = arguments->value[DEVICE][0],
                                .device_memory = arguments->value[DEVICE_MEMORY][0],
                                .arguments = arguments,
                                .limits = LIMITS,
                                .opener = arguments->opener,
                                .saver = arguments->saver,
                                .replaces = arguments->value[REPLACE][0] != NULL,
                                .skip_bad = arguments->value[SKIP_BAD][0],
                                .bad = arguments->value[BAD][0],
                                .safe = arguments->value[SAFE_CSV][0] != NULL,
                                .sync = arguments->value[SYNC][0] != NULL};
}

/* ------------------------------------------------------------------------------------------------------------ verbs */

#define BIT(option) (UINT64_C(1) << (option))
#define FOR_ALL                                                                                                        \
    (BIT(INPUT) | BIT(TABLE) | BIT(SQL) | BIT(ON) | BIT(ID) | BIT(LOSSY) | BIT(SKIP_BAD) | BIT(BAD) | BIT(FORMAT) |    \
     BIT(SAFE_CSV) | BIT(REPLACE) | BIT(SYNC) | BIT(QUIET) | BIT(THREADS) | BIT(MEMORY) | BIT(DEVICE) | BIT(LIMITS) |  \
     BIT(JOB) | BIT(SAVE_JOB) | BIT(ALLOW_PATHS))

static const akin_cli_corpus_verb near = {akin_cli_near_check, akin_cli_near_run, akin_cli_near_clear},
                                  overlap = {akin_cli_overlap_check, akin_cli_overlap_run, akin_cli_overlap_clear},
                                  repeats = {akin_cli_repeats_check, akin_cli_repeats_run, akin_cli_repeats_clear};

/* clang-format off: texts as the help has them */
#define ANY_FILES                                                                                                      \
    "\n"                                                                                                               \
    "The answer is exact: hashes find, texts decide. FILE may also be a folder, a\n"                                   \
    "pattern in quotes such as 'shards/*.jsonl.gz', or @LIST, a file with a name in\n"                                 \
    "each line.\n"
/* clang-format on */

static const akin_cli_verb verbs[] = {
    {.name = "near-duplicates",
     .takes = "near-duplicates FILE...",
     .options = FOR_ALL | BIT(MEASURE) | BIT(TOKENS) | BIT(IGNORE_CASE) | BIT(KEEP) | BIT(WITHIN) | BIT(ACROSS) |
                BIT(IGNORE_FREQUENT) | BIT(COMPONENTS) | BIT(SAMPLE) | BIT(PLAN) | BIT(OUTPUT) | BIT(KEPT) |
                BIT(REMOVED) | BIT(REPORT) | BIT(DEVICE_MEMORY),
     .about = "Finds documents that are almost copies of others, and keeps one of them.\n"
              "Documents come in an order of preference (--keep). A document is removed if and\n"
              "only if a kept document before it is alike. The first such one is its survivor.\n"
              "So no document is removed for one that is removed itself, and chains of\n"
              "documents that are alike do not become one. Documents without a token are\n"
              "alike.\n" ANY_FILES,
     .notes = "Examples:\n"
              "  akin corpus near-duplicates docs.jsonl\n"
              "      how many documents are almost copies of others\n"
              "  akin corpus near-duplicates shards --id url --removed removed.csv --kept clean\n"
              "      the shards without near-duplicates, and which documents are gone\n"
              "  akin corpus near-duplicates docs.csv --keep quality:desc --jaccard 0.7\n"
              "      of documents that are alike the one of the best quality stays\n"
              "  akin corpus near-duplicates shards --sample 10000\n"
              "      how much each threshold would remove at most, before the whole job runs\n"
              "  akin corpus near-duplicates web.jsonl books.jsonl --across\n"
              "      documents that both files have\n",
     .job = &near},
    {.name = "overlap",
     .takes = "overlap ITEMS FILE...",
     .options = FOR_ALL | BIT(WORDS) | BIT(ITEMS_ON) | BIT(ITEMS_ID) | BIT(OUTPUT) | BIT(KEPT),
     .about = "Finds the items of a test that stand in a corpus: how many of their runs of 13\n"
              "words are in it, folded and without what is between words, and where the longest\n"
              "common run is, in bytes. --kept gets the documents that no item stands in.\n" ANY_FILES,
     .notes = "Examples:\n"
              "  akin corpus overlap quiz.csv shards --items-on question,answer -o hits.csv\n"
              "      questions, answers, and both together that stand in the shards\n"
              "  akin corpus overlap quiz.jsonl docs.jsonl --items-on question --kept clean.jsonl\n"
              "      the documents that no question stands in\n",
     .job = &overlap},
    {.name = "repeats",
     .takes = "repeats FILE...",
     .options = FOR_ALL | BIT(KEEP) | BIT(WORDS) | BIT(LENGTH) | BIT(OUTPUT) | BIT(KEPT),
     .about = "Finds passages that stand in a corpus twice or more, byte for byte or word for\n"
              "word, in one document or in two. A passage is what runs of --length bytes cover\n"
              "that were there before, and that do not overlap the first copy of such a run.\n"
              "--kept gets the documents without them: each run that is repeated stands there\n"
              "still. With --keep none the first copies are passages, too.\n" ANY_FILES,
     .notes = "Examples:\n"
              "  akin corpus repeats docs.jsonl --id url --length 200 -o passages.csv\n"
              "      passages of 200 bytes and more that were there before\n"
              "  akin corpus repeats shards --words 30 -o passages.csv --kept clean\n"
              "      the shards without passages of 30 words and more that were there before\n",
     .job = &repeats},
};

/* The verb of a command line; NULL: it has none, or an unknown one. */
static const akin_cli_verb *verb_of(const akin_cli_arguments *arguments)
{
    return arguments->operand_count > 0 ? akin_cli_verb_of(&akin_cli_corpus, arguments->operands[0]) : NULL;
}

static const akin_cli_corpus_verb *job_of(const akin_cli_verb *verb)
{
    return verb->job;
}

const char *akin_cli_corpus_takes(const akin_cli_arguments *arguments)
{
    const akin_cli_verb *verb = verb_of(arguments);
    return verb ? verb->takes : "";
}

/* Refuses what the verb has no use for. */
static int check_options(const akin_cli_arguments *arguments, const akin_cli_verb *verb)
{
    const char *device = arguments->value[DEVICE][0];
    for (int option = 0; option < OPTION_COUNT; option++)
        if (arguments->value[option][0] && (verb->options >> option & 1) == 0)
            return akin_cli_refuse("--%s: akin corpus %s has no use for it",
                                   options[option].name ? options[option].name : arguments->value[option][1],
                                   verb->name);
    const int has_gpu = (verb->options >> DEVICE_MEMORY & 1) != 0;
    if (device && !has_gpu && strcmp(device, "auto") != 0 && strcmp(device, "cpu") != 0)
        return akin_cli_refuse("--device %s: expected auto or cpu", akin_cli_word(device));
    return akin_cli_bad_check(&akin_cli_corpus, arguments);
}

static int run_corpus(const akin_cli_arguments *arguments)
{
    const akin_cli_verb *verb = verb_of(arguments);
    const akin_cli_resources resources = resources_of(arguments);
    akin_cli_job job;
    akin_error error;
    void *request = NULL;
    if (arguments->operand_count == 0)
        return akin_cli_refuse("expected what to do: akin corpus near-duplicates, overlap or repeats");
    if (!verb)
        return akin_cli_unknown_word(&akin_cli_corpus, arguments->operands[0]);
    int status = check_options(arguments, verb);
    if (status == AKIN_CLI_DONE)
        status = job_of(verb)->check(arguments, &request);
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &resources, arguments->value[QUIET][0] != NULL, &error);
        if (done == AKIN_OK)
            done = job_of(verb)->run(&job, request, &error);
        status = akin_cli_job_end(&job, done, &error);
    }
    job_of(verb)->clear(request);
    return status == AKIN_CLI_DONE ? akin_cli_flush() : status;
}

const akin_cli_command akin_cli_corpus = {
    .name = "corpus",
    .summary = "clean documents: near-duplicates, contamination, repeated passages",
    .usage = "near-duplicates|overlap|repeats [ITEMS] FILE... [OPTION...]",
    .about =
        "near-duplicates  finds documents that are almost copies of others, and keeps one\n"
        "of them. A document is removed if and only if a kept one before it is alike.\n"
        "\n"
        "overlap  finds the items of a test that stand in a corpus, and removes the\n"
        "documents that have them.\n"
        "\n"
        "repeats  finds passages that stand in a corpus twice or more, byte for byte or\n"
        "word for word, and cuts them out.\n"
        "\n"
        "akin corpus VERB --help says more of each, with its own options. The answers are\n"
        "exact: hashes find, texts decide. FILE may also be a folder, a pattern in quotes\n"
        "such as 'shards/*.jsonl.gz', or @LIST, a file with a name in each line.\n",
    .notes =
        "Examples:\n"
        "  akin corpus near-duplicates shards --id url --removed removed.csv --kept clean\n"
        "      the shards without near-duplicates, and which documents are gone\n"
        "  akin corpus overlap quiz.csv shards --items-on question,answer -o hits.csv\n"
        "      questions, answers, and both together that stand in the shards\n"
        "  akin corpus repeats shards --words 30 -o passages.csv --kept clean\n"
        "      the shards without passages of 30 words and more that were there before\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_corpus,
    .verbs = verbs,
    .verb_count = sizeof verbs / sizeof *verbs,
};
