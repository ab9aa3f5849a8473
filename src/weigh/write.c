/* Writes term weights, and vocabularies: chooses the format, and does those that are text. */
#include "weigh/write.h"

#include "base/bits.h"
#include "base/output.h"
#include "table/columns.h"
#include "weigh/file.h"
#include "weigh/npz.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------------- text */

#define NUMBERS (4 * AKIN_DIGITS) /* bytes that the numbers of a line take at most, with what is behind them */

/* What the lines are made from. */
typedef struct lines_job {
    const akin_weights *weights;
    const akin_column *names; /* of documents; NULL: these have numbers */
    char gap;                 /* between fields: a comma, a tab, a blank */
    char is_safe;             /* what a spreadsheet may take for a formula gets an apostrophe */
} lines_job;

/* Puts a string in quotes, with `before` before it. */
static char *put_quoted(char *at, const char *bytes, size_t length, const char *before)
{
    *at++ = '"';
    while (*before)
        *at++ = *before++;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '"')
            *at++ = '"';
        *at++ = bytes[i];
    }
    *at++ = '"';
    return at;
}

/* A string, quoted where CSV needs it, and the gap behind it: at most 2 bytes a byte, and 4 more. */
static char *put_string(char *at, const char *bytes, size_t length, const lines_job *j)
{
    const char gap = j->gap;
    int is_plain = 1;
    if (j->is_safe && akin_is_formula(bytes, length)) {
        at = put_quoted(at, bytes, length, "'");
        *at = gap;
        return at + 1;
    }
    for (size_t i = 0; gap == ',' && i < length; i++)
        is_plain &= bytes[i] != '"' && bytes[i] != ',' && bytes[i] != '\n' && bytes[i] != '\r';
    if (!is_plain)
        at = put_quoted(at, bytes, length, "");
    else if (length > 0)
        memcpy(at, bytes, length);
    at += is_plain ? length : 0;
    *at = gap;
    return at + 1;
}

static char *put_line_number(char *at, uint64_t number, char behind)
{
    at = akin_digits_integer(at, number);
    *at = behind;
    return at + 1;
}

static char *put_weight(char *at, double weight)
{
    at = akin_digits_double(at, weight);
    *at = '\n';
    return at + 1;
}

/* Makes room for a line with strings of `length` bytes. */
static char *reserve_line(akin_lines *lines, size_t length)
{
    return length < SIZE_MAX / 2 - NUMBERS ? akin_lines_reserve(lines, 2 * length + NUMBERS) : NULL;
}

/* A pair of a document and a term, as a format writes it. */
typedef akin_status (*put_pair)(const lines_job *j, uint32_t document, uint32_t term, uint32_t tf, double weight,
                                akin_lines *lines);

static akin_status put_pair_mtx(const lines_job *j, uint32_t document, uint32_t term, uint32_t tf, double weight,
                                akin_lines *lines)
{
    char *at = reserve_line(lines, 0);
    (void)j, (void)tf;
    if (!at)
        return AKIN_E_NOMEM;
    at = put_line_number(at, (uint64_t)document + 1, ' ');
    at = put_weight(put_line_number(at, (uint64_t)term + 1, ' '), weight);
    lines->length = (size_t)(at - lines->text);
    return AKIN_OK;
}

static akin_status put_pair_named(const lines_job *j, uint32_t document, uint32_t term, uint32_t tf, double weight,
                                  akin_lines *lines)
{
    const uint64_t *offset = j->names ? j->names->offsets + document : NULL;
    const size_t named = offset ? (size_t)(offset[1] - offset[0]) : 0;
    const char *bytes;
    size_t length;
    akin_weights_term(j->weights, term, &bytes, &length);
    char *at = reserve_line(lines, named + length);
    if (!at)
        return AKIN_E_NOMEM;
    at = offset ? put_string(at, j->names->bytes + offset[0], named, j) : put_line_number(at, document, j->gap);
    at = put_line_number(put_string(at, bytes, length, j), tf, j->gap);
    at = put_weight(at, weight);
    lines->length = (size_t)(at - lines->text);
    return AKIN_OK;
}

/* The list that has a pair. */
static uint32_t list_of(const akin_weights *w, uint64_t pair)
{
    return (uint32_t)akin_lower_bound_u64(w->offsets + 1, akin_weights_lists(w), pair + 1);
}

static akin_status format_pairs(const lines_job *j, put_pair put_one, uint64_t begin, uint64_t end, akin_lines *lines)
{
    const akin_weights *w = j->weights;
    const int by_term = w->order == AKIN_WEIGHTS_BY_TERM;
    akin_status status = AKIN_OK;
    uint32_t list = begin < end ? list_of(w, begin) : 0;
    for (uint64_t i = begin; i < end && status == AKIN_OK; i++) {
        while (i >= w->offsets[list + UINT64_C(1)])
            list++;
        status = put_one(j, by_term ? w->ids[i] : list, by_term ? list : w->ids[i], w->tf[i], w->values[i], lines);
    }
    return status;
}

/* The formats of lines (akin_lines_format), whose user is a lines_job. */
static akin_status format_mtx(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    (void)error;
    return format_pairs(user, put_pair_mtx, begin, end, lines);
}

static akin_status format_named(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    (void)error;
    return format_pairs(user, put_pair_named, begin, end, lines);
}

static akin_status format_terms(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const lines_job *j = user;
    (void)error;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        const char *bytes;
        size_t length;
        akin_weights_term(j->weights, i, &bytes, &length);
        char *at = reserve_line(lines, length);
        if (!at)
            return AKIN_E_NOMEM;
        at = put_line_number(put_string(at, bytes, length, j), j->weights->df[i], '\n');
        lines->length = (size_t)(at - lines->text);
    }
    return AKIN_OK;
}

/* Writes a line of names, given with commas between them, unless the columns have been said. */
static akin_status write_column_names(const char *names, char gap, akin_output *output, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (akin_output_has_columns(output))
        return status;
    for (; *names && status == AKIN_OK; names++)
        status = akin_output_write(output, *names == ',' ? &gap : names, 1, error);
    return status;
}

/* Whether TSV can hold a string. */
static int is_field(const char *bytes, size_t length)
{
    int is_bad = 0;
    for (size_t i = 0; i < length; i++)
        is_bad |= bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r';
    return !is_bad;
}

static akin_status check_terms(const akin_weights *w, akin_error *error)
{
    for (uint32_t i = 0; i < w->ids_count; i++) {
        const char *bytes;
        size_t length;
        akin_weights_term(w, i, &bytes, &length);
        if (!is_field(bytes, length))
            return akin_fail(error, AKIN_E_INPUT,
                             "term %u has a tab or a line end, which TSV cannot hold: expected CSV", i);
    }
    return AKIN_OK;
}

static akin_status check_weight_names(const akin_weights *w, const akin_column *names, akin_error *error)
{
    for (uint32_t i = 0; names && i < w->documents; i++) {
        const uint64_t *offset = names->offsets + i;
        if (!is_field(names->bytes + offset[0], (size_t)(offset[1] - offset[0])))
            return akin_fail(error, AKIN_E_INPUT,
                             "the name of document %u has a tab or a line end, which TSV cannot hold: expected CSV", i);
    }
    return AKIN_OK;
}

static akin_status write_matrix_market(const akin_scope *scope, const akin_weights *w, const akin_column *names,
                                       akin_output *output, akin_error *error)
{
    static const char banner[] = "%%MatrixMarket matrix coordinate real general\n";
    lines_job job = {.weights = w};
    char sizes[NUMBERS], *at = put_line_number(sizes, w->documents, ' ');
    (void)scope, (void)names;
    at = put_line_number(put_line_number(at, w->ids_count, ' '), w->pairs, '\n');
    akin_status status = akin_output_write(output, banner, sizeof banner - 1, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, sizes, (size_t)(at - sizes), error);
    return status == AKIN_OK ? akin_output_write_rows(output, w->pairs, format_mtx, &job, error) : status;
}

/* Writes a line for each pair, below a header. */
static akin_status write_pairs(const akin_weights *w, const akin_column *names, char gap, int is_safe,
                               akin_output *output, akin_error *error)
{
    lines_job job = {.weights = w, .names = names, .gap = gap, .is_safe = (char)is_safe};
    akin_status status = write_column_names("document,term,tf,weight\n", gap, output, error);
    return status == AKIN_OK ? akin_output_write_rows(output, w->pairs, format_named, &job, error) : status;
}

static akin_status write_tsv(const akin_scope *scope, const akin_weights *w, const akin_column *names,
                             akin_output *output, akin_error *error)
{
    akin_status status = check_terms(w, error);
    (void)scope;
    if (status == AKIN_OK)
        status = check_weight_names(w, names, error);
    return status == AKIN_OK ? write_pairs(w, names, '\t', 0, output, error) : status;
}

static akin_status write_csv(const akin_scope *scope, const akin_weights *w, const akin_column *names,
                             akin_output *output, akin_error *error)
{
    (void)scope;
    return write_pairs(w, names, ',', 0, output, error);
}

static akin_status write_safe_csv(const akin_scope *scope, const akin_weights *w, const akin_column *names,
                                  akin_output *output, akin_error *error)
{
    (void)scope;
    return write_pairs(w, names, ',', 1, output, error);
}

static akin_status write_npz(const akin_scope *scope, const akin_weights *w, const akin_column *names,
                             akin_output *output, akin_error *error)
{
    (void)names;
    return akin_weights_write_npz(scope, w, output, error);
}

/* ---------------------------------------------------------------------------------------------------------- formats */

typedef struct format_row {
    akin_choice choice; /* its value is an akin_weights_format */
    akin_status (*write)(const akin_scope *scope, const akin_weights *weights, const akin_column *names,
                         akin_output *output, akin_error *error);
    char gap; /* of a table, which vocabularies are written in, too: what is between fields; else 0 */
} format_row;

static const format_row formats[] = {
    {{"akin", "", "an .akin file", AKIN_WEIGHTS_AKIN, AKIN_CAN_READ | AKIN_CAN_WRITE | AKIN_HAS_NAMES},
     akin_weights_write_file,
     0},
    {{"npz", "", "a sparse matrix of SciPy", AKIN_WEIGHTS_NPZ, AKIN_CAN_WRITE}, write_npz, 0},
    {{"mtx", "", "a matrix of Matrix Market", AKIN_WEIGHTS_MTX, AKIN_CAN_WRITE}, write_matrix_market, 0},
    {{"tsv", "", "a line for each pair, fields separated by tabs", AKIN_WEIGHTS_TSV,
      AKIN_CAN_WRITE | AKIN_HAS_NAMES | AKIN_IS_DEFAULT},
     write_tsv,
     '\t'},
    {{"csv", "", "a line for each pair, fields separated by commas", AKIN_WEIGHTS_CSV, AKIN_CAN_WRITE | AKIN_HAS_NAMES},
     write_csv,
     ','},
};
const akin_choice_table akin_weights_formats = AKIN_CHOICE_TABLE("format of weights", formats);

/* A form of CSV, and so no choice beside it. */
static const format_row safe_csv = {
    {"safe-csv", "", "CSV, for spreadsheets", AKIN_WEIGHTS_SAFE_CSV, AKIN_CAN_WRITE | AKIN_HAS_NAMES},
    write_safe_csv,
    ','};

static const format_row *row_of(akin_weights_format format)
{
    return format == AKIN_WEIGHTS_SAFE_CSV ? &safe_csv
                                           : (const format_row *)akin_choice_of(&akin_weights_formats, (int)format);
}

akin_status akin_weights_format_parse(const char *name, akin_weights_format *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_weights_formats, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_weights_format)value;
    return status;
}

akin_status akin_weights_write(akin_context *context, const akin_weights *weights, const akin_column *names,
                               akin_weights_format format, akin_output *output, akin_error *error)
{
    const format_row *row = row_of(format);
    akin_status status =
        names ? akin_table_columns_check(names, 1, weights->documents, "name documents by", error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    return row ? row->write(akin_scope_of(context), weights, names, output, error)
               : akin_fail(error, AKIN_E_OPTION, "format %d of weights is none of those there are", (int)format);
}

akin_status akin_weights_write_vocabulary(akin_context *context, const akin_weights *weights,
                                          akin_weights_format format, akin_output *output, akin_error *error)
{
    const format_row *row = row_of(format);
    lines_job job = {.weights = weights, .gap = row ? row->gap : '\0', .is_safe = row == &safe_csv};
    (void)context;
    if (job.gap == '\0')
        return akin_fail(error, AKIN_E_OPTION, "format %d of a vocabulary: expected TSV or CSV", (int)format);
    akin_status status = job.gap == '\t' ? check_terms(weights, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = write_column_names("term,df\n", job.gap, output, error);
    return status == AKIN_OK ? akin_output_write_rows(output, weights->ids_count, format_terms, &job, error) : status;
}
