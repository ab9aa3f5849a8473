/* The request of akin corpus near-duplicates: what its command line says, checked. */
#define _POSIX_C_SOURCE 200809L

#include "corpus.h"

#include <stdlib.h>
#include <string.h>

#include "corpus_options.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "threshold.h"

/* The measure and its threshold. */
static int check_measure(const akin_cli_arguments *arguments, akin_duplicates_options *find)
{
    const char *text = arguments->value[MEASURE][0], *name = arguments->value[MEASURE][1];
    const akin_choice *measure = NULL;
    akin_error error;
    if (!text)
        return AKIN_CLI_DONE;
    if (akin_choice_find("measures", name, &measure, &error) != AKIN_OK || !measure)
        return akin_cli_fail(&error);
    find->measure = (uint32_t)measure->value;
    return akin_cli_threshold_check(measure, text, &find->threshold);
}

/* Which document is kept: a row of the table, or a column. */
static int check_keep(const char *text, akin_cli_near_request *request)
{
    static const char rising[] = ":asc", falling[] = ":desc";
    const akin_choice *row = NULL;
    char names[AKIN_CLI_HELP_BYTES];
    akin_error error;
    if (!text)
        return AKIN_CLI_DONE;
    if (akin_choice_find(akin_cli_corpus_option(KEEP)->choices, text, &row, &error) == AKIN_OK && row) {
        request->find.keep = (uint32_t)row->value;
        return row->value == AKIN_KEEP_NONE
                   ? akin_cli_refuse("--keep %s: of documents that are alike one is kept", row->name)
                   : AKIN_CLI_DONE;
    }
    request->words = strdup(text);
    if (!request->words) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    char *column = request->words;
    const int falls = akin_cli_path_ends(column, falling), rises = akin_cli_path_ends(column, rising);
    if (falls || rises)
        column[strlen(column) - (falls ? sizeof falling : sizeof rising) + 1] = '\0';
    if (!*column)
        return akin_cli_refuse("--keep %s: expected %s, or the name of a column", akin_cli_word(text),
                               akin_cli_option_names(akin_cli_corpus_option(KEEP), 0, names));
    request->find.keep = falls ? AKIN_KEEP_GREATEST : AKIN_KEEP_LEAST;
    request->preference = (int)request->documents.reading.show_count;
    request->column_options[request->preference] = akin_cli_corpus_option(KEEP)->name;
    request->columns[request->documents.reading.show_count++] = column;
    return AKIN_CLI_DONE;
}

/* Which documents are compared. */
static int check_sources(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    const char *within = arguments->value[WITHIN][0], *across = arguments->value[ACROSS][0];
    const char *column = within ? within : across;
    if (within && across)
        return akin_cli_refuse("--within and --across: expected one of them");
    if (!column)
        return AKIN_CLI_DONE;
    request->find.comparing = within ? AKIN_COMPARE_WITHIN : AKIN_COMPARE_ACROSS;
    if (column == akin_cli_lacking) /* files are the sources */
        return AKIN_CLI_DONE;
    if (request->preference >= 0 && strcmp(column, request->columns[request->preference]) == 0) {
        request->source = request->preference;
        return AKIN_CLI_DONE;
    }
    request->source = (int)request->documents.reading.show_count;
    request->column_options[request->source] = akin_cli_corpus_option(within ? WITHIN : ACROSS)->name;
    request->columns[request->documents.reading.show_count++] = column;
    return AKIN_CLI_DONE;
}

static int check_removed(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    const char *path = request->removed = arguments->value[REMOVED][0], *safe = arguments->value[SAFE_CSV][0];
    const char *format = arguments->value[FORMAT][0];
    if (request->sample > 0)
        return AKIN_CLI_DONE;
    if (!path && format)
        return akin_cli_missing(akin_cli_corpus_option(REMOVED), "--format is that of the list of removed documents");
    if (safe && !path)
        return akin_cli_missing(akin_cli_corpus_option(REMOVED), "--safe-csv is for the list of removed documents");
    if (!path)
        return AKIN_CLI_DONE;
    if (request->documents.kept && akin_cli_path_equal(request->documents.kept, path))
        return akin_cli_refuse("%s: expected two files, one for --kept and one for --removed", path);
    int status = akin_cli_corpus_target(&request->documents, akin_cli_corpus_option(REMOVED), path);
    if (status == AKIN_CLI_DONE)
        status =
            akin_cli_format_check(akin_cli_corpus_option(FORMAT), format, path, "documents", &request->removed_format);
    return status == AKIN_CLI_DONE ? akin_cli_safe_check(safe, path, &request->removed_format) : status;
}

static int check_frequent(const char *text, akin_duplicates_options *find)
{
    if (text && !akin_cli_read_u64(text, 1, UINT64_MAX, &find->ignore_frequent))
        return akin_cli_refuse("--ignore-frequent %s: expected a number of documents above 0", akin_cli_word(text));
    return AKIN_CLI_DONE;
}

/* What a join of all documents has no notion of. */
static int check_components(const akin_cli_near_request *request)
{
    const akin_choice *measure = akin_choice_of_value("measures", (int)request->find.measure);
    if (request->find.comparing != AKIN_COMPARE_ALL)
        return akin_cli_refuse(
            "--components and --%s: expected one of them",
            akin_cli_corpus_option(request->find.comparing == AKIN_COMPARE_WITHIN ? WITHIN : ACROSS)->name);
    if (request->find.ignore_frequent > 0)
        return akin_cli_refuse("--components and --%s: expected one of them",
                               akin_cli_corpus_option(IGNORE_FREQUENT)->name);
    if (measure && (measure->capabilities & AKIN_IS_DIRECTED))
        return akin_cli_refuse("--components and --%s: chains have no direction", measure->name);
    return AKIN_CLI_DONE;
}

static int check_report(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    const char *path = request->report = arguments->value[REPORT][0];
    const struct {
        int option;
        const char *path;
    } others[] = {{KEPT, request->documents.kept}, {REMOVED, request->removed}};
    if (!path)
        return AKIN_CLI_DONE;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].path && akin_cli_path_equal(others[i].path, path))
            return akin_cli_refuse("%s: expected two files, one for --%s and one for --report", path,
                                   akin_cli_corpus_option(others[i].option)->name);
    request->tokens = arguments->value[TOKENS][0] ? arguments->value[TOKENS][0] : AKIN_CLI_CORPUS_TOKENS;
    const int status = akin_cli_corpus_target(&request->documents, akin_cli_corpus_option(REPORT), path);
    return status == AKIN_CLI_DONE ? akin_cli_path_check_page(path) : status;
}

/* What estimates are made of, and where they go. */
static int check_sample(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    static const int others[] = {IGNORE_FREQUENT, COMPONENTS, KEPT, REMOVED, REPORT};
    const char *text = arguments->value[SAMPLE][0];
    const akin_choice *measure = akin_choice_of_value("measures", (int)request->find.measure);
    uint64_t count;
    if (!text)
        return arguments->value[OUTPUT][0]
                   ? akin_cli_missing(akin_cli_corpus_option(SAMPLE),
                                      "--%s is for its estimates; --%s FILE gets the removed documents",
                                      akin_cli_corpus_option(OUTPUT)->name, akin_cli_corpus_option(REMOVED)->name)
                   : AKIN_CLI_DONE;
    if (!akin_cli_read_u64(text, 1, UINT32_MAX, &count))
        return akin_cli_refuse("--sample %s: expected a number of documents above 0", akin_cli_word(text));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (arguments->value[others[i]][0])
            return akin_cli_refuse("--sample and --%s: expected one of them", akin_cli_corpus_option(others[i])->name);
    if (measure && (measure->capabilities & AKIN_TAKES_COUNT))
        return akin_cli_refuse("--sample and --%s: it counts tokens, and a sample is for measures from 0 to 1",
                               measure->name);
    request->sample = (uint32_t)count;
    request->documents.reading.nameless = 1;
    return akin_cli_corpus_findings(arguments, &request->documents, "estimates", &request->estimates);
}

/* A plan writes no results. */
static int check_plan(const akin_cli_arguments *arguments, akin_cli_near_request *request)
{
    static const int others[] = {COMPONENTS, SAMPLE, KEPT, REMOVED, REPORT};
    request->plan = arguments->value[PLAN][0] != NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others && request->plan; i++)
        if (arguments->value[others[i]][0])
            return akin_cli_refuse("--plan and --%s: expected one of them", akin_cli_corpus_option(others[i])->name);
    request->documents.reading.nameless |= request->plan;
    return AKIN_CLI_DONE;
}

int akin_cli_near_check(const akin_cli_arguments *arguments, void **out)
{
    akin_cli_near_request *request = calloc(1, sizeof *request);
    *out = request;
    if (!request) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    request->find = (akin_duplicates_options)AKIN_DUPLICATES_OPTIONS_INIT;
    request->preference = request->source = -1;
    request->quiet = arguments->value[QUIET][0] != NULL;
    int status = akin_cli_corpus_paths(arguments, 1, &request->documents);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_reading(arguments, &request->documents);
    request->documents.reading.show = request->columns;
    request->documents.reading.show_options = request->column_options;
    if (status == AKIN_CLI_DONE)
        status = check_measure(arguments, &request->find);
    if (status == AKIN_CLI_DONE)
        status = check_keep(arguments->value[KEEP][0], request);
    if (status == AKIN_CLI_DONE)
        status = check_sources(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_frequent(arguments->value[IGNORE_FREQUENT][0], &request->find);
    request->find.components = arguments->value[COMPONENTS][0] != NULL;
    if (status == AKIN_CLI_DONE && request->find.components)
        status = check_components(request);
    if (status == AKIN_CLI_DONE)
        status = check_plan(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = check_sample(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_kept(arguments, &request->documents);
    if (status == AKIN_CLI_DONE)
        status = check_removed(arguments, request);
    return status == AKIN_CLI_DONE ? check_report(arguments, request) : status;
}
