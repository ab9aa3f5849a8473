/* akin dictionary: builds frozen dictionaries, looks words up in them, and describes them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "job.h"
#include "mapped.h"
#include "job_file.h"
#include "names.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "table.h"
#include "unknown.h"

enum {
    KIND,
    INPUT,
    TABLE,
    SQL,
    ON,
    IDS,
    OUTPUT,
    SYNC,
    QUIET,
    THREADS,
    DEVICE,
    DEVICE_MEMORY,
    MEMORY,
    LIMITS,
    JOB,
    SAVE_JOB,
    ALLOW_PATHS,
    OPTION_COUNT
};

static const akin_cli_option options[OPTION_COUNT] = {
    [KIND] = {.heading = "Building",
              .name = "kind",
              .argument = "KIND",
              .choices = "dictionary-kinds",
              .help = "{} (default: chunks, the smallest and fastest). All give the same ids"},
    [INPUT] = {.heading = "Words",
               .name = "input",
               .argument = "FORMAT",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .help = "{} (default: by the name of the file, else text, with a word in each line)"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [ON] = {.name = "on", .argument = "COLUMN", .help = "the column of a table with the words"},
    [IDS] = {.name = "ids", .help = "lookup: read ids, and print their words"},
    [OUTPUT] = {.heading = "Other options",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .written = 1,
                .help = "write to FILE, which appears whole or not at all; -\n"
                        "is standard output (default for lookup)"},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [THREADS] = {.name = "threads", .argument = "N", .help = "lookup: threads to use (default: one for each CPU)"},
    [DEVICE] = {.name = "device", .argument = "NAME", .help = "lookup: auto, cpu, cuda or cuda:N (default: auto)"},
    [DEVICE_MEMORY] = {AKIN_CLI_JOB_DEVICE_MEMORY},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap, at least 16M (default: none). " AKIN_CLI_JOB_SIZES},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(0)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

/* What is to be done. */
enum { BUILD, LOOKUP, STATS, VERBS };

static const struct {
    const char *name;
    const char *takes; /* after the name */
    int least, most;   /* files */
    uint32_t options;  /* bits: those that it takes */
} verbs[VERBS] = {
    [BUILD] = {"build", "WORDS-FILE -o FILE", 1, 1,
               1u << KIND | 1u << INPUT | 1u << TABLE | 1u << SQL | 1u << ON | 1u << OUTPUT | 1u << SYNC | 1u << QUIET |
                   1u << MEMORY | 1u << LIMITS},
    [LOOKUP] = {"lookup", "FILE [WORDS-FILE]", 1, 2,
                1u << INPUT | 1u << TABLE | 1u << SQL | 1u << ON | 1u << IDS | 1u << OUTPUT | 1u << SYNC | 1u << QUIET |
                    1u << THREADS | 1u << DEVICE | 1u << DEVICE_MEMORY | 1u << MEMORY | 1u << LIMITS},
    [STATS] = {"stats", "FILE", 1, 1, 1u << LIMITS},
};

/* The request of the command line. */
typedef struct dictionary_request {
    int verb;
    akin_trie_options build;
    const char *words, *saved, *output; /* files; `saved` is that of a dictionary which is read */
    akin_format format;
    const char *on;
    int ids, quiet;
    akin_cli_resources resources;
} dictionary_request;

/* ---------------------------------------------------------------------------------------------------------- options */

/* How the words are to be read. */
static int check_words(const akin_cli_arguments *arguments, dictionary_request *request)
{
    const char *input = arguments->value[INPUT][0];
    request->on = arguments->value[ON][0];
    if (input && akin_cli_option_format(&options[INPUT], input, &request->format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (!input && akin_format_of_name(request->words, &request->format, NULL) != AKIN_OK)
        request->format = AKIN_FORMAT_TEXT;
    if (!akin_cli_has_columns(request->format) && request->on)
        return akin_cli_refuse("--on %s: %s is plain text, which has no columns", akin_cli_word(request->on),
                               akin_cli_path_name(request->words));
    if (akin_cli_has_columns(request->format) && !request->on)
        return akin_cli_missing(&options[ON], "the column of %s with the words", akin_cli_path_name(request->words));
    return AKIN_CLI_DONE;
}

static int check_files(const akin_cli_arguments *arguments, dictionary_request *request)
{
    const char *const *files = arguments->operands + 1;
    int count = arguments->operand_count - 1;
    if (count < verbs[request->verb].least || count > verbs[request->verb].most)
        return akin_cli_refuse("expected akin dictionary %s %s, not %d file%s", verbs[request->verb].name,
                               verbs[request->verb].takes, count, count == 1 ? "" : "s");
    for (int i = 0; i < count; i++)
        if (!*files[i])
            return akin_cli_refuse("expected the name of a file, not an empty word");
    request->words = request->verb == BUILD ? files[0] : count == 2 ? files[1] : "-";
    request->saved = request->verb == BUILD ? NULL : files[0];
    if (request->verb == LOOKUP && akin_cli_path_is_stdin(request->saved) && akin_cli_path_is_stdin(request->words))
        return akin_cli_refuse("%s and %s: standard input can be read only once", request->saved, request->words);
    return AKIN_CLI_DONE;
}

static int check_dictionary_output(const akin_cli_arguments *arguments, dictionary_request *request)
{
    const char *output = arguments->value[OUTPUT][0];
    if (!output && request->verb == BUILD)
        return akin_cli_missing(&options[OUTPUT], "the file of the dictionary, such as words.akin");
    request->output = output ? output : "-";
    if (akin_cli_path_same(request->words, request->output) ||
        (request->saved && akin_cli_path_same(request->saved, request->output)))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", request->output);
    return akin_cli_path_check_output("output", request->output);
}

static int check_verb(const akin_cli_arguments *arguments, dictionary_request *request)
{
    const char *word = arguments->operand_count > 0 ? arguments->operands[0] : NULL;
    for (request->verb = 0; word && request->verb < VERBS; request->verb++)
        if (strcmp(word, verbs[request->verb].name) == 0)
            break;
    if (!word)
        return akin_cli_refuse("expected what to do: akin dictionary build, lookup or stats");
    if (request->verb == VERBS)
        return akin_cli_unknown_word(&akin_cli_dictionary, word);
    for (int option = 0; option < OPTION_COUNT; option++)
        if (arguments->value[option][0] && (verbs[request->verb].options >> option & 1) == 0)
            return akin_cli_refuse("--%s: akin dictionary %s has no use for it", options[option].name,
                                   verbs[request->verb].name);
    return AKIN_CLI_DONE;
}

static int check_dictionary(const akin_cli_arguments *arguments, dictionary_request *request)
{
    const char *kind = arguments->value[KIND][0];
    const akin_choice *row = NULL;
    if (kind && akin_cli_option_choose(&options[KIND], kind, &row) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (row)
        request->build.kind = (akin_trie_kind)row->value;
    request->ids = arguments->value[IDS][0] != NULL;
    request->quiet = arguments->value[QUIET][0] != NULL;
    request->resources = (akin_cli_resources){.threads = arguments->value[THREADS][0],
                                              .memory = arguments->value[MEMORY][0],
                                              .device = arguments->value[DEVICE][0],
                                              .device_memory = arguments->value[DEVICE_MEMORY][0],
                                              .arguments = arguments,
                                              .limits = LIMITS,
                                              .opener = arguments->opener,
                                              .sync = arguments->value[SYNC][0] != NULL};
    int status = check_verb(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_files(arguments, request);
    if (status == AKIN_CLI_DONE && request->verb != STATS)
        status = check_words(arguments, request);
    if (status == AKIN_CLI_DONE && request->verb != STATS)
        status = check_dictionary_output(arguments, request);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* Reads the words, or ids: a table of one column. */
static akin_status read_words(akin_cli_job *job, const dictionary_request *request, akin_table **out,
                              akin_column *column, akin_error *error)
{
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    how.format = request->format;
    how.column_count = request->on ? 1 : 0;
    how.columns = request->on ? &request->on : NULL;
    how.keep_lines = request->ids;
    akin_status status = akin_cli_table_read(job, request->words, &how, out, error);
    if (status != AKIN_OK)
        return status;
    column->size = sizeof *column;
    if (akin_table_rows(*out) == 0) /* of lines of JSON: there may be no column then */
        return AKIN_OK;
    return akin_table_column(*out, 0, column, error);
}

/* Makes a dictionary; *count becomes the number of its words. */
static akin_status build_dictionary(akin_cli_job *job, const dictionary_request *request, akin_output *output,
                                    uint64_t *count, akin_error *error)
{
    akin_trie_statistics about = {.size = sizeof about};
    static const uint64_t none;
    akin_column column = AKIN_COLUMN_INIT;
    akin_table *table = NULL;
    akin_trie *trie = NULL;
    akin_status status = read_words(job, request, &table, &column, error);
    if (!column.offsets) {
        column.offsets = &none;
        column.bytes = "";
    }
    if (status == AKIN_OK)
        status = akin_trie_build(job->context, &column, akin_table_rows(table), &request->build, &trie, error);
    akin_table_free(table);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = akin_trie_write(job->context, trie, output, error);
    if (status == AKIN_OK)
        status = akin_trie_describe(trie, &about, error);
    *count = about.words;
    akin_trie_free(trie);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- look-up */

/* Lines gathered for an output. */
typedef struct lines {
    akin_output *output;
    size_t length;
    char buffer[16384];
} lines;

static akin_status flush_words(lines *l, akin_error *error)
{
    akin_status status = akin_output_write(l->output, l->buffer, l->length, error);
    l->length = 0;
    if (status == AKIN_OK && akin_cli_job_cancelled())
        status = error->code = AKIN_E_CANCELLED;
    return status;
}

static akin_status put_ids(lines *l, const uint32_t *ids, uint32_t count, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        char *to = l->buffer + l->length;
        if (ids[i] == AKIN_TRIE_UNKNOWN)
            *to++ = '-';
        else
            to = akin_digits_integer(to, ids[i]);
        *to++ = '\n';
        l->length = (size_t)(to - l->buffer);
        if (l->length > sizeof l->buffer - AKIN_CLI_NUMBER)
            status = flush_words(l, error);
    }
    return status;
}

static akin_status look_up_words(akin_cli_job *job, const akin_trie *trie, const akin_column *column, uint32_t rows,
                                 lines *l, akin_error *error)
{
    uint32_t *ids = malloc(((size_t)rows + 1) * sizeof *ids);
    if (!ids)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the ids");
    akin_status status = akin_trie_look_up(job->context, trie, column, rows, ids, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = put_ids(l, ids, rows, error);
    free(ids);
    return status;
}

/* Reads the id of a row. */
static akin_status read_id(const dictionary_request *request, const akin_table *table, const akin_column *column,
                           uint32_t row, uint32_t count, uint32_t *id, akin_error *error)
{
    const uint64_t begin = column->offsets[row], length = column->offsets[row + 1] - begin;
    char text[AKIN_CLI_NUMBER] = "";
    uint64_t value = 0;
    if (length < sizeof text)
        memcpy(text, column->bytes + begin, (size_t)length);
    if (length >= sizeof text || !akin_cli_read_u64(text, 0, UINT32_MAX, &value) || value >= count) {
        akin_status status = akin_cli_fail_where(request->words, table, row, error);
        akin_cli_append(error, "'%.*s' is no id: expected a whole number below %" PRIu32,
                        (int)(length < 100 ? length : 100), column->bytes + begin, count);
        return status;
    }
    *id = (uint32_t)value;
    return AKIN_OK;
}

static akin_status look_up_ids(const dictionary_request *request, const akin_trie *trie, const akin_table *table,
                               const akin_column *column, lines *l, akin_error *error)
{
    akin_trie_statistics about = {.size = sizeof about};
    akin_status status = akin_trie_describe(trie, &about, error);
    char *word = malloc((size_t)about.longest + 1);
    if (!word)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for a word");
    for (uint32_t row = 0; row < akin_table_rows(table) && status == AKIN_OK; row++) {
        uint32_t id = 0;
        size_t length = 0;
        status = read_id(request, table, column, row, about.words, &id, error);
        if (status == AKIN_OK)
            status = akin_trie_string(trie, id, word, about.longest, &length, error);
        word[length++] = '\n';
        if (status == AKIN_OK && length > sizeof l->buffer - l->length)
            status = flush_words(l, error);
        if (status == AKIN_OK && length > sizeof l->buffer) {
            status = akin_output_write(l->output, word, length, error);
        } else if (status == AKIN_OK) {
            memcpy(l->buffer + l->length, word, length);
            l->length += length;
        }
    }
    free(word);
    return status;
}

/* Looks words or ids up; *count becomes their number. */
static akin_status look_up_lines(akin_cli_job *job, const dictionary_request *request, akin_output *output,
                                 uint64_t *count, akin_error *error)
{
    akin_column column = AKIN_COLUMN_INIT;
    akin_table *table = NULL;
    akin_trie *trie = NULL;
    lines l = {.output = output};
    akin_status status = akin_trie_open(job->context, request->saved, &trie, error);
    if (status == AKIN_OK)
        status = read_words(job, request, &table, &column, error);
    if (status == AKIN_OK && column.offsets) /* an empty table may have no column */
        status = request->ids ? look_up_ids(request, trie, table, &column, &l, error)
                              : look_up_words(job, trie, &column, akin_table_rows(table), &l, error);
    if (status == AKIN_OK)
        status = flush_words(&l, error);
    *count = table ? akin_table_rows(table) : 0;
    akin_table_free(table);
    akin_trie_free(trie);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ stats */

static akin_status show_dictionary(akin_cli_job *job, const dictionary_request *request, akin_error *error)
{
    akin_trie_statistics about = {.size = sizeof about};
    akin_trie *trie = NULL;
    akin_status status = akin_trie_open(job->context, request->saved, &trie, error);
    if (status == AKIN_OK)
        status = akin_trie_describe(trie, &about, error);
    akin_cli_progress_clear(&job->progress);
    akin_trie_free(trie);
    if (status == AKIN_OK)
        status = akin_cli_mapped_check(error);
    if (status != AKIN_OK)
        return status;
    const double words = about.words > 0 ? about.words : 1;
    printf("kind %s\nwords %" PRIu32 "\nbytes %" PRIu64 "\nbytes-a-word %.3f\nheap %" PRIu64 "\n",
           akin_trie_kind_name(akin_papers(), about.kind), about.words, about.bytes, (double)about.bytes / words,
           about.bytes_beside);
    printf("nodes %" PRIu32 "\nsymbols %" PRIu32 "\nrare-symbols %" PRIu32 "\ndepth %" PRIu32 "\n", about.nodes,
           about.symbols, about.rare, about.longest);
    printf("stt-bytes %" PRIu64 "\nstt-ratio %.1f\n", about.bytes_table,
           (double)about.bytes_table / (double)about.bytes);
    return AKIN_OK;
}

/* The output is opened first: what cannot be written is better known before the work. */
static akin_status run_dictionary_request(akin_cli_job *job, const dictionary_request *request, akin_error *error)
{
    akin_output *output = NULL;
    uint64_t count = 0;
    if (request->verb == STATS)
        return show_dictionary(job, request, error);
    akin_status status = akin_output_open(job->context, request->output, &output, error);
    if (status == AKIN_OK)
        status = (request->verb == BUILD ? build_dictionary : look_up_lines)(job, request, output, &count, error);
    if (status == AKIN_OK)
        status = akin_cli_job_commit(&output, 1, error);
    else
        akin_output_discard(output);
    if (status == AKIN_OK)
        akin_cli_job_wrote(job, request->output, count, request->verb == BUILD || request->ids ? "words" : "ids");
    return status;
}

static int run_dictionary(const akin_cli_arguments *arguments)
{
    dictionary_request request = {.build = AKIN_TRIE_OPTIONS_INIT};
    akin_cli_job job;
    akin_error error;
    int status = check_dictionary(arguments, &request);
    if (status != AKIN_CLI_DONE)
        return status;
    akin_status done = akin_cli_job_begin(&job, &request.resources, request.quiet, &error);
    if (done == AKIN_OK)
        done = run_dictionary_request(&job, &request, &error);
    status = akin_cli_job_end(&job, done, &error);
    return status == AKIN_CLI_DONE ? akin_cli_flush() : status;
}

const akin_cli_command akin_cli_dictionary = {
    .name = "dictionary",
    .summary = "keep a list of words in few bytes, with a number for each",
    .usage = "build|lookup|stats FILE [FILE2] [OPTION...]",
    .about =
        "Keeps a list of words as a compressed dictionary, in about 2.4 bytes a word. A\n"
        "command maps the file, and does not unpack it. Each word has an id: 0, 1, ...\n"
        "The ids follow the order of the reversed words, byte by byte.\n",
    .notes =
        "What it does:\n"
        "  build WORDS-FILE -o FILE\n"
        "      makes the dictionary FILE of a list of words, one a line, in any order.\n"
        "      Repeated words count once. An empty line is the empty word\n"
        "  lookup FILE [WORDS-FILE]\n"
        "      prints the id of each word in the dictionary FILE, one a line, or - for a\n"
        "      word that FILE does not have (default: words of standard input)\n"
        "  stats FILE\n"
        "      prints figures of the dictionary FILE\n"
        "\n"
        "What stats prints:\n"
        "  kind           how the words are kept ('akin help dictionary-kinds')\n"
        "  words          the number of distinct words\n"
        "  bytes          the size of the dictionary, without the head of the file\n"
        "  bytes-a-word   bytes / words\n"
        "  heap           the heap that an open dictionary takes in addition, in bytes\n"
        "  nodes          the number of nodes of the trie\n"
        "  symbols        the number of distinct bytes in the words\n"
        "  rare-symbols   the number of symbols that are kept as lists\n"
        "  depth          the length of the longest word, in bytes\n"
        "  stt-bytes      the bytes that a state-transition table would take\n"
        "  stt-ratio      stt-bytes / bytes\n"
        "\n"
        "Examples:\n"
        "  akin dictionary build words.txt -o words.akin\n"
        "  akin dictionary build names.csv --on name -o names.akin\n"
        "  akin dictionary lookup words.akin text.txt -o ids.txt\n"
        "  echo 0 | akin dictionary lookup words.akin --ids\n"
        "      the first word in the order of the ids\n"
        "  akin dictionary stats words.akin\n"
        "\n"
        "The trie is that of T. Wakatsuki, A. Keyaki and J. Miyazaki, A Case for Term\n"
        "Weighting using a Dictionary on GPUs; rrr is their layout.\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_dictionary,
};
