/*
 * Reads and writes the statistics of a corpus. The row with a number of tokens is that of the corpus, and has no term:
 *
 *     term,documents,tokens
 *     ,3,7
 *     red,2,
 *     wine,3,
 */
#include "statistics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "table.h"
#include "writer.h"

enum { TERM, DOCUMENTS, TOKENS, COLUMNS };

static const char *const names[COLUMNS] = {"term", "documents", "tokens"};

/* ------------------------------------------------------------------------------------------------------------- read */

/* What is read from. */
typedef struct reading {
    const char *path;
    akin_column columns[COLUMNS];
    uint32_t rows;
} reading;

static const char *text_of(const akin_column *column, uint32_t row, uint64_t *length)
{
    *length = column->offsets[row + UINT64_C(1)] - column->offsets[row];
    return column->bytes + column->offsets[row];
}

/* A whole number of decimal digits, at most `most`. */
static akin_status read_number(const reading *r, int column, uint32_t row, uint64_t most, uint64_t *out,
                               akin_error *error)
{
    uint64_t length, number = 0;
    const char *text = text_of(&r->columns[column], row, &length);
    int is_number = length > 0;
    for (uint64_t i = 0; i < length && is_number; i++) {
        const uint64_t digit = (uint64_t)(unsigned char)text[i] - '0';
        is_number = digit <= 9 && number <= (most - digit) / 10;
        number = 10 * number + digit;
    }
    *out = number;
    if (is_number)
        return AKIN_OK;
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED,
                          "%.600s: row %" PRIu32 ", column '%s' is '%.*s'; expected a whole number, at most %" PRIu64,
                          akin_cli_path_name(r->path), row, names[column], (int)(length < 60 ? length : 60), text,
                          most);
}

/* The row of the corpus: the one with tokens. */
static akin_status find_corpus(const reading *r, uint32_t *out, akin_error *error)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t row = 0; row < r->rows; row++) {
        uint64_t length, term;
        text_of(&r->columns[TOKENS], row, &length);
        if (length == 0)
            continue;
        text_of(&r->columns[TERM], row, &term);
        if (found != UINT32_MAX || term > 0)
            return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED,
                                  "%.600s: row %" PRIu32
                                  " has a number of tokens%s; expected one in the row of the "
                                  "corpus alone, which has no term",
                                  akin_cli_path_name(r->path), row, term > 0 ? " and a term" : ", as one before");
        found = row;
    }
    *out = found;
    return found != UINT32_MAX
               ? AKIN_OK
               : akin_error_set(
                     error, AKIN_E_INPUT, AKIN_REASON_MALFORMED,
                     "%.600s: no row has a number of tokens; expected one for the corpus: ',DOCUMENTS,TOKENS'",
                     akin_cli_path_name(r->path));
}

/* The terms are those of the table without the row of the corpus, which has no bytes. */
static akin_status take_terms(const reading *r, uint32_t corpus, akin_cli_statistics *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint32_t count = 0;
    out->offsets = malloc((r->rows + UINT64_C(1)) * sizeof *out->offsets);
    out->df = malloc((r->rows + UINT64_C(1)) * sizeof *out->df);
    if (!out->offsets || !out->df)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the statistics");
    for (uint32_t row = 0; row < r->rows && status == AKIN_OK; row++) {
        uint64_t df = 0;
        if (row == corpus)
            continue;
        status = read_number(r, DOCUMENTS, row, UINT32_MAX, &df, error);
        out->offsets[count] = r->columns[TERM].offsets[row];
        out->df[count++] = (uint32_t)df;
    }
    out->offsets[count] = r->columns[TERM].offsets[r->rows];
    out->terms = (akin_column){.size = sizeof out->terms, .offsets = out->offsets, .bytes = r->columns[TERM].bytes};
    out->corpus.count = count;
    return status;
}

static akin_status take_statistics(const reading *r, akin_cli_statistics *out, akin_error *error)
{
    uint64_t documents = 0, words = 0;
    uint32_t corpus = 0;
    akin_status status = find_corpus(r, &corpus, error);
    if (status == AKIN_OK)
        status = read_number(r, DOCUMENTS, corpus, UINT32_MAX, &documents, error);
    if (status == AKIN_OK)
        status = read_number(r, TOKENS, corpus, UINT64_MAX, &words, error);
    if (status == AKIN_OK)
        status = take_terms(r, corpus, out, error);
    out->corpus.size = sizeof out->corpus;
    out->corpus.documents = (uint32_t)documents;
    out->corpus.words = words;
    out->corpus.terms = &out->terms;
    out->corpus.df = out->df;
    return status;
}

akin_status akin_cli_statistics_read(akin_cli_job *job, const char *path, akin_cli_statistics *out, akin_error *error)
{
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    reading r = {.path = path};
    *out = (akin_cli_statistics){.table = NULL};
    if (!path)
        return AKIN_OK;
    how.column_count = COLUMNS;
    how.columns = names;
    if (akin_format_of_name(path, &how.format, NULL) != AKIN_OK)
        how.format = AKIN_FORMAT_CSV;
    akin_status status = akin_table_read(job->context, path, &how, &out->table, error);
    for (uint32_t i = 0; i < COLUMNS && status == AKIN_OK; i++) {
        r.columns[i].size = sizeof r.columns[i];
        status = akin_table_column(out->table, i, &r.columns[i], error);
    }
    r.rows = status == AKIN_OK ? akin_table_rows(out->table) : 0;
    return status == AKIN_OK ? take_statistics(&r, out, error) : status;
}

void akin_cli_statistics_clear(akin_cli_statistics *statistics)
{
    akin_table_free(statistics->table);
    free(statistics->offsets);
    free(statistics->df);
    *statistics = (akin_cli_statistics){.table = NULL};
}

/* ------------------------------------------------------------------------------------------------------------ write */

#define NUMBERS 64 /* bytes of the numbers of a row */

/* Writes the row of a term; `line` has room for it. */
static akin_status write_term(const akin_corpus *corpus, uint32_t i, char *line, akin_output *output, akin_error *error)
{
    const akin_cli_writer *writer = akin_cli_writer_of(AKIN_FORMAT_CSV);
    uint64_t length;
    const char *term = text_of(corpus->terms, i, &length);
    char *at = writer->write(line, term, (size_t)length);
    at += snprintf(at, NUMBERS, ",%" PRIu32 ",\n", corpus->df[i]);
    return akin_output_write(output, line, (size_t)(at - line), error);
}

static akin_status write_corpus(const akin_corpus *corpus, akin_output *output, akin_error *error)
{
    uint64_t longest = 0, length;
    char head[2 * NUMBERS];
    for (uint32_t i = 0; i < corpus->count; i++) {
        text_of(corpus->terms, i, &length);
        longest = length > longest ? length : longest;
    }
    char *line = malloc((size_t)(6 * longest + 2 + NUMBERS));
    if (!line)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the statistics");
    const int size = snprintf(head, sizeof head, "%s,%s,%s\n,%" PRIu32 ",%" PRIu64 "\n", names[TERM], names[DOCUMENTS],
                              names[TOKENS], corpus->documents, corpus->words);
    akin_status status = akin_output_write(output, head, (size_t)size, error);
    for (uint32_t i = 0; i < corpus->count && status == AKIN_OK; i++)
        status = write_term(corpus, i, line, output, error);
    free(line);
    return status;
}

akin_status akin_cli_statistics_write(akin_cli_job *job, const akin_weights *weights, akin_output *output,
                                      uint64_t *terms, akin_error *error)
{
    akin_statistics *counted = NULL;
    akin_status status = akin_statistics_of_weights(job->context, weights, &counted, error);
    if (status == AKIN_OK) {
        *terms = akin_statistics_corpus(counted)->count;
        status = write_corpus(akin_statistics_corpus(counted), output, error);
    }
    akin_statistics_free(counted);
    return status;
}
