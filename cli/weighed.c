/* A job of akin weigh. */
#include "weighed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "header.h"
#include "number.h"
#include "path.h"
#include "statistics.h"
#include "table.h"

enum { WEIGHTS, VOCABULARY, DOCUMENTS, STATISTICS, OUTPUTS };

/* What the job has open. */
typedef struct weighing {
    akin_cli_job *job;
    const akin_cli_weighed *request;
    akin_trie *dictionary;
    akin_cli_stop_words words;
    akin_text_counts counts;        /* of the documents' texts */
    akin_cli_statistics statistics; /* of the corpus */
    uint64_t counted;               /* terms of the statistics that were written */
    akin_weigher *weigher;
    akin_weights *weights;
    akin_cli_names names;
    akin_column column; /* these names */
    akin_output *outputs[OUTPUTS];
} weighing;

/* ---------------------------------------------------------------------------------------------------------- reading */

/* What names must fit into. */
static akin_cli_format names_format(const akin_cli_weighed *request)
{
    const int is_tsv = request->beside[1] || (request->output && request->format == AKIN_WEIGHTS_TSV);
    return is_tsv ? AKIN_FORMAT_TSV : AKIN_FORMAT_TEXT;
}

/* The name of a row that is a file. */
static akin_status name_file(weighing *w, const char *path, akin_error *error)
{
    uint32_t id;
    akin_status status = akin_cli_path_check_text(path, "rename the file", error);
    if (status == AKIN_OK && !w->names.written)
        status = akin_dictionary_create(w->job->context, &w->names.written, error);
    if (status != AKIN_OK)
        return status;
    uint32_t count = akin_dictionary_count(w->names.written);
    status = akin_dictionary_add(w->names.written, path, strlen(path), &id, error);
    if (status == AKIN_OK && id != count)
        status = akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "%.600s: is given twice", path);
    return status;
}

#define BLANK_SHARE 0.01 /* of the lines of a text, from which on blank ones may stand between documents */
#define BLANK_LEAST 10

/* Warns of a text whose blank lines may divide documents of several lines. */
static void warn_of_blanks(akin_cli_job *job, const akin_column *column, uint32_t rows, const char *path)
{
    char blank[AKIN_CLI_NUMBER], all[AKIN_CLI_NUMBER];
    uint32_t count = 0;
    for (uint32_t row = 0; row < rows; row++)
        /* they are there: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        count += column->offsets[row + (uint64_t)1] == column->offsets[row];
    if (count < BLANK_LEAST || count < BLANK_SHARE * rows)
        return;
    akin_cli_progress_clear(&job->progress);
    akin_cli_warn(
        "%s: each of the %s lines is a document, and %s lines are blank: if these divide documents, "
        "--documents blank-line reads them so",
        akin_cli_path_name(path), akin_cli_format_grouped(all, rows), akin_cli_format_grouped(blank, count));
}

static akin_status add_file(weighing *w, int number, akin_error *error)
{
    const char *path = w->request->paths[number];
    const akin_cli_reading *reading = &w->request->readings[number];
    akin_column columns[AKIN_CLI_COLUMNS];
    akin_table *table = NULL;
    uint32_t weighed = 0, id = 0;
    akin_status status = akin_cli_source_table(w->job, reading, path, &table, &weighed, &id, error);
    if (status == AKIN_E_INPUT)
        akin_cli_source_advise_lossy(error);
    const uint32_t rows = status == AKIN_OK ? akin_table_rows(table) : 0;
    for (uint32_t i = 0; i < weighed && status == AKIN_OK && rows > 0; i++) {
        columns[i].size = sizeof columns[i];
        status = akin_table_column(table, i, &columns[i], error);
    }
    if (status == AKIN_OK && rows > 0 && weighed > 0 && w->request->lines && reading->format == AKIN_FORMAT_TEXT)
        warn_of_blanks(w->job, &columns[0], rows, path);
    if (status == AKIN_OK && rows > 0) {
        status = akin_weigher_add(w->weigher, columns, weighed, rows, error);
        if (status != AKIN_OK)
            akin_cli_source_locate(table, path, error);
    }
    if (status == AKIN_OK && reading->id && rows > 0)
        status = akin_cli_names_add(w->job->context, path, table, id, names_format(w->request), &w->names, error);
    else if (status == AKIN_OK && reading->format == AKIN_FORMAT_WHOLE && !akin_path_has_files(path))
        status = name_file(w, path, error);
    for (uint32_t row = 0; row < rows && reading->format == AKIN_FORMAT_WHOLE && akin_path_has_files(path); row++)
        if (status == AKIN_OK)
            status = name_file(w, akin_cli_table_name(table, row, path), error);
    akin_table_free(table);
    return status;
}

static akin_status weigh_documents(weighing *w, akin_error *error)
{
    akin_weigh_options options = w->request->weigh;
    akin_text_options text = w->request->text;
    akin_status status = AKIN_OK;
    if (w->request->dictionary)
        status = akin_trie_open(w->job->context, w->request->dictionary, &w->dictionary, error);
    if (status == AKIN_OK)
        status =
            akin_cli_stop_words_read(w->job, w->request->stop_words, w->request->readings[0].lossy, &w->words, error);
    text.stop_words = w->words.list;
    text.stop_word_count = w->words.count;
    text.counts = &w->counts;
    options.text = &text;
    options.dictionary = w->dictionary;
    if (status == AKIN_OK)
        status = akin_cli_statistics_read(w->job, w->request->statistics, &w->statistics, error);
    options.corpus = w->statistics.corpus.size ? &w->statistics.corpus : NULL;
    if (status == AKIN_OK)
        status = akin_weigher_create(w->job->context, &options, &w->weigher, error);
    for (int i = 0; i < w->request->path_count && status == AKIN_OK; i++)
        status = add_file(w, i, error);
    return status == AKIN_OK ? akin_weigher_finish(w->weigher, &w->weights, error) : status;
}

/* Warns of texts that are too short for their tokens, once for all files. */
static void warn_of_texts(weighing *w)
{
    akin_text_options text = w->request->text;
    const char *where = w->request->path_count == 1 ? akin_cli_path_name(w->request->paths[0]) : NULL;
    text.counts = &w->counts;
    akin_cli_progress_clear(&w->job->progress);
    akin_text_warn(&text, where, akin_cli_warn_of, NULL);
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static const char *vocabulary_path(const akin_cli_weighed *request)
{
    return request->vocabulary ? request->vocabulary : request->beside[0];
}

/* What cannot be written is better known before the work. */
static akin_status open_outputs(weighing *w, akin_error *error)
{
    const akin_cli_weighed *r = w->request;
    akin_status status = AKIN_OK;
    const char *vocabulary = vocabulary_path(r);
    if (r->output)
        status = akin_cli_job_open(w->job, r->output, "", &w->outputs[WEIGHTS], error);
    if (status == AKIN_OK && vocabulary)
        status = akin_cli_job_open(w->job, vocabulary, "", &w->outputs[VOCABULARY], error);
    if (status == AKIN_OK && r->save_statistics)
        status = akin_cli_job_open(w->job, r->save_statistics, "", &w->outputs[STATISTICS], error);
    if (status == AKIN_OK && r->beside[1])
        status = akin_output_open(w->job->context, r->beside[1], &w->outputs[DOCUMENTS], error);
    return status;
}

/* The names as a column. */
static akin_status list_names(weighing *w, akin_error *error)
{
    akin_status status = w->names.written ? akin_dictionary_column(w->names.written, &w->column, error) : AKIN_OK;
    w->column.name = "id";
    return status;
}

/* The names, and how long each document is. */
static akin_status write_documents(const weighing *w, akin_output *output, akin_error *error)
{
    const akin_column *names = &w->column;
    akin_status status = akin_output_write(output, "document\tlength\n", 16, error);
    for (uint32_t i = 0; names->offsets && i < akin_dictionary_count(w->names.written) && status == AKIN_OK; i++) {
        char number[32];
        int length = snprintf(number, sizeof number, "\t%" PRIu32 "\n", akin_weights_length(w->weights, i));
        const char *name = names->bytes + names->offsets[i];
        const size_t size = (size_t)(names->offsets[i + UINT64_C(1)] - names->offsets[i]);
        if (memchr(name, '\t', size) || memchr(name, '\n', size) || memchr(name, '\r', size)) { /* of a file */
            return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                                  "the name of document %" PRIu32 " has a tab or a line end, which TSV cannot hold", i);
        }
        status = akin_output_write(output, name, size, error);
        if (status == AKIN_OK)
            status = akin_output_write(output, number, (size_t)length, error);
    }
    return status;
}

/* Says the columns of an output that a saver writes. */
static akin_status say_columns(const weighing *w, int output, akin_error *error)
{
    const akin_choice *row = akin_cli_saved_of(output == WEIGHTS ? w->request->output : w->request->vocabulary);
    akin_cli_header header = {0};
    if (!row)
        return AKIN_OK;
    if (output == WEIGHTS)
        akin_cli_header_add(&header, "", "document", akin_cli_names_type(&w->names));
    akin_cli_header_add(&header, "", "term", AKIN_CLI_TEXT);
    akin_cli_header_add(&header, "", output == WEIGHTS ? "tf" : "df", AKIN_CLI_INTEGER);
    if (output == WEIGHTS)
        akin_cli_header_add(&header, "", "weight", AKIN_CLI_DOUBLE);
    return akin_cli_header_write(&header, (akin_cli_format)row->value, w->outputs[output], error);
}

/* How a file is written of that format: CSV perhaps for spreadsheets. */
static akin_weights_format safe_of(const weighing *w, const char *path, akin_weights_format format)
{
    const int is_safe = w->request->safe && format == AKIN_WEIGHTS_CSV && !akin_cli_saved_of(path);
    return is_safe ? AKIN_WEIGHTS_SAFE_CSV : format;
}

/* As its name says. */
static akin_status write_vocabulary(const weighing *w, akin_error *error)
{
    const char *path = w->request->vocabulary;
    const int is_csv = path && (akin_cli_path_ends(path, ".csv") || akin_cli_saved_of(path));
    const akin_weights_format format = safe_of(w, path, is_csv ? AKIN_WEIGHTS_CSV : AKIN_WEIGHTS_TSV);
    akin_status status = say_columns(w, VOCABULARY, error);
    if (status == AKIN_OK)
        status = akin_weights_write_vocabulary(w->job->context, w->weights, format, w->outputs[VOCABULARY], error);
    if (status == AKIN_E_INPUT)
        akin_cli_append(error, " (--vocabulary FILE.csv)");
    return status;
}

static akin_status write_outputs(weighing *w, akin_error *error)
{
    const akin_cli_weighed *r = w->request;
    akin_status status = list_names(w, error);
    const akin_column *names = w->column.offsets ? &w->column : NULL;
    if (status == AKIN_OK && w->outputs[WEIGHTS])
        status = say_columns(w, WEIGHTS, error);
    if (status == AKIN_OK && w->outputs[WEIGHTS])
        status = akin_weights_write(w->job->context, w->weights, names, safe_of(w, r->output, r->format),
                                    w->outputs[WEIGHTS], error);
    if (status == AKIN_OK && w->outputs[VOCABULARY])
        status = write_vocabulary(w, error);
    if (status == AKIN_OK && w->outputs[DOCUMENTS])
        status = write_documents(w, w->outputs[DOCUMENTS], error);
    if (status == AKIN_OK && w->outputs[STATISTICS])
        status = akin_cli_statistics_write(w->job, w->weights, w->outputs[STATISTICS], &w->counted, error);
    return status;
}

/* Commits the outputs together if status is AKIN_OK, else discards them. */
static akin_status close_outputs(weighing *w, akin_status status, akin_error *error)
{
    akin_output *open[OUTPUTS];
    size_t count = 0;
    for (int i = 0; i < OUTPUTS; i++)
        if (w->outputs[i])
            open[count++] = w->outputs[i];
    if (status == AKIN_OK && count > 0)
        return akin_cli_job_commit(open, count, error);
    for (size_t i = 0; i < count; i++)
        akin_output_discard(open[i]);
    return status;
}

static akin_status print_sum(const weighing *w, akin_error *error)
{
    akin_weights_statistics about = {.size = sizeof about};
    double sum = 0;
    akin_status status = akin_weights_describe(w->weights, &about, error);
    if (status == AKIN_OK)
        status = akin_weights_sum(w->job->context, w->weights, &sum, error);
    akin_cli_progress_clear(&w->job->progress);
    if (status == AKIN_OK)
        printf("documents %" PRIu32 "\nwords %" PRIu64 "\npairs %" PRIu64 "\nterms %" PRIu32 "\nweight %.17g\n",
               about.documents, about.words, about.pairs, about.terms, sum);
    return status;
}

/* Notes what was written, for the end of the job. */
static akin_status note_written(const weighing *w, akin_error *error)
{
    akin_weights_statistics about = {.size = sizeof about};
    akin_status status = akin_weights_describe(w->weights, &about, error);
    if (status != AKIN_OK)
        return status;
    akin_cli_job_wrote(w->job, w->request->output, about.pairs, "weights");
    akin_cli_job_wrote(w->job, vocabulary_path(w->request), about.ids, "terms");
    akin_cli_job_wrote(w->job, w->request->beside[1], about.documents, "documents");
    akin_cli_job_wrote(w->job, w->request->save_statistics, w->counted, "terms");
    return AKIN_OK;
}

static void clear_weighing(weighing *w)
{
    akin_cli_names_clear(&w->names);
    akin_cli_stop_words_clear(&w->words);
    akin_cli_statistics_clear(&w->statistics);
    akin_weigher_free(w->weigher);
    akin_weights_free(w->weights);
    akin_trie_free(w->dictionary);
}

akin_status akin_cli_weighed_run(akin_cli_job *job, const akin_cli_weighed *request, akin_error *error)
{
    weighing w = {.job = job, .request = request};
    akin_status status = open_outputs(&w, error);
    if (status == AKIN_OK)
        status = weigh_documents(&w, error);
    if (status == AKIN_OK)
        status = write_outputs(&w, error);
    akin_cli_progress_clear(&job->progress);
    status = close_outputs(&w, status, error);
    if (status == AKIN_OK)
        status = note_written(&w, error);
    if (status == AKIN_OK && request->sum)
        status = print_sum(&w, error);
    if (status == AKIN_OK)
        warn_of_texts(&w);
    clear_weighing(&w);
    return status;
}

akin_status akin_cli_weighed_index(akin_cli_job *job, const akin_cli_weighed *request, akin_rank_index **out,
                                   akin_error *error)
{
    weighing w = {.job = job, .request = request};
    akin_status status = weigh_documents(&w, error);
    if (status == AKIN_OK)
        status = list_names(&w, error);
    if (status == AKIN_OK)
        status = akin_rank_index_create(job->context, w.weights, w.column.offsets ? &w.column : NULL, out, error);
    if (status == AKIN_OK)
        warn_of_texts(&w);
    clear_weighing(&w);
    return status;
}
