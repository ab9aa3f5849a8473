/* Writes term weights, and vocabularies: chooses the format, and does those that are text. */
#include "weigh/write.h"

#include "base/scope.h"
#include "strings/number.h"
#include "table/columns.h"
#include "weigh/file.h"
#include "weigh/npz.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------------- text */

#define ROOM   65536
#define NUMBER 40 /* bytes that a number takes at most, with what is behind it */

/* Text on its way to an output. */
typedef struct lines {
    const akin_scope *scope;
    akin_output *output;
    akin_error *error;
    char gap; /* between fields: a comma, a tab, a blank */
    size_t length;
    char room[ROOM];
} lines;

static akin_status flush_lines(lines *l)
{
    akin_status status = akin_output_write(l->output, l->room, l->length, l->error);
    l->length = 0;
    if (status == AKIN_OK && akin_scope_report(l->scope, NULL, 0, 0) != AKIN_OK)
        return akin_fail(l->error, AKIN_E_CANCELLED, "cancelled while writing");
    return status;
}

static akin_status put_bytes(lines *l, const char *bytes, size_t length)
{
    akin_status status = length > ROOM - l->length ? flush_lines(l) : AKIN_OK;
    if (status == AKIN_OK && length > ROOM)
        return akin_output_write(l->output, bytes, length, l->error);
    if (status == AKIN_OK && length > 0) {
        memcpy(l->room + l->length, bytes, length);
        l->length += length;
    }
    return status;
}

static akin_status put_quoted(lines *l, const char *bytes, size_t length)
{
    akin_status status = put_bytes(l, "\"", 1);
    for (size_t i = 0; i < length && status == AKIN_OK; i++)
        status = bytes[i] == '"' ? put_bytes(l, "\"\"", 2) : put_bytes(l, bytes + i, 1);
    return status == AKIN_OK ? put_bytes(l, "\"", 1) : status;
}

/* A string, quoted where CSV needs it, and the gap behind it. */
static akin_status put_string(lines *l, const char *bytes, size_t length)
{
    int is_plain = 1;
    for (size_t i = 0; l->gap == ',' && i < length; i++)
        is_plain &= bytes[i] != '"' && bytes[i] != ',' && bytes[i] != '\n' && bytes[i] != '\r';
    akin_status status = is_plain ? put_bytes(l, bytes, length) : put_quoted(l, bytes, length);
    return status == AKIN_OK ? put_bytes(l, &l->gap, 1) : status;
}

static akin_status put_line_number(lines *l, uint64_t number, char behind)
{
    char text[NUMBER], *at = text + sizeof text;
    *--at = behind;
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    return put_bytes(l, at, (size_t)(text + sizeof text - at));
}

/* The fewest digits that read back; of 15 digits or fewer, %g drops the zeros, and 17 always do. */
static akin_status put_weight(lines *l, double weight)
{
    char text[NUMBER];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, weight);
        if (strtod(text, NULL) == weight)
            break;
    }
    akin_number_point(text);
    size_t length = strlen(text);
    text[length++] = '\n';
    return put_bytes(l, text, length);
}

/* A pair of a document and a term, as a format writes it. */
typedef akin_status (*put_pair)(lines *l, const akin_weights *weights, const akin_column *names, uint32_t document,
                                uint32_t term, uint32_t tf, double weight);

static akin_status put_pair_mtx(lines *l, const akin_weights *weights, const akin_column *names, uint32_t document,
                                uint32_t term, uint32_t tf, double weight)
{
    (void)weights, (void)names, (void)tf;
    akin_status status = put_line_number(l, (uint64_t)document + 1, ' ');
    if (status == AKIN_OK)
        status = put_line_number(l, (uint64_t)term + 1, ' ');
    return status == AKIN_OK ? put_weight(l, weight) : status;
}

static akin_status put_pair_named(lines *l, const akin_weights *weights, const akin_column *names, uint32_t document,
                                  uint32_t term, uint32_t tf, double weight)
{
    akin_status status;
    const char *bytes;
    size_t length;
    if (names) {
        const uint64_t *offset = names->offsets + document;
        status = put_string(l, names->bytes + offset[0], (size_t)(offset[1] - offset[0]));
    } else {
        status = put_line_number(l, document, l->gap);
    }
    akin_weights_term(weights, term, &bytes, &length);
    if (status == AKIN_OK)
        status = put_string(l, bytes, length);
    if (status == AKIN_OK)
        status = put_line_number(l, tf, l->gap);
    return status == AKIN_OK ? put_weight(l, weight) : status;
}

static akin_status put_weight_pairs(lines *l, const akin_weights *w, const akin_column *names, put_pair put_one)
{
    akin_status status = AKIN_OK;
    const int by_term = w->order == AKIN_WEIGHTS_BY_TERM;
    for (uint32_t i = 0; i < akin_weights_lists(w) && status == AKIN_OK; i++) {
        const uint32_t *ids, *tf;
        const double *values;
        uint32_t count = akin_weights_list(w, i, &ids, &tf, &values);
        for (uint32_t j = 0; j < count && status == AKIN_OK; j++)
            status = put_one(l, w, names, by_term ? ids[j] : i, by_term ? i : ids[j], tf[j], values[j]);
    }
    return status == AKIN_OK ? flush_lines(l) : status;
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

static akin_status write_mtx(lines *l, const akin_weights *w)
{
    static const char banner[] = "%%MatrixMarket matrix coordinate real general\n";
    akin_status status = put_bytes(l, banner, sizeof banner - 1);
    if (status == AKIN_OK)
        status = put_line_number(l, w->documents, ' ');
    if (status == AKIN_OK)
        status = put_line_number(l, w->ids_count, ' ');
    if (status == AKIN_OK)
        status = put_line_number(l, w->pairs, '\n');
    return status == AKIN_OK ? put_weight_pairs(l, w, NULL, put_pair_mtx) : status;
}

/* Puts a line of names, given with commas between them. */
static akin_status put_column_names(lines *l, const char *names)
{
    akin_status status = AKIN_OK;
    for (; *names && status == AKIN_OK; names++)
        status = put_bytes(l, *names == ',' ? &l->gap : names, 1);
    return status;
}

static akin_status write_matrix_market(const akin_scope *scope, const akin_weights *w, const akin_column *names,
                                       akin_output *output, akin_error *error)
{
    lines l = {.scope = scope, .output = output, .error = error, .gap = '\t'};
    (void)names;
    return write_mtx(&l, w);
}

/* Writes a line for each pair, below a header. */
static akin_status write_pairs(lines *l, const akin_weights *w, const akin_column *names)
{
    akin_status status = put_column_names(l, "document,term,tf,weight\n");
    return status == AKIN_OK ? put_weight_pairs(l, w, names, put_pair_named) : status;
}

static akin_status write_tsv(const akin_scope *scope, const akin_weights *w, const akin_column *names,
                             akin_output *output, akin_error *error)
{
    lines l = {.scope = scope, .output = output, .error = error, .gap = '\t'};
    akin_status status = check_terms(w, error);
    if (status == AKIN_OK)
        status = check_weight_names(w, names, error);
    return status == AKIN_OK ? write_pairs(&l, w, names) : status;
}

static akin_status write_csv(const akin_scope *scope, const akin_weights *w, const akin_column *names,
                             akin_output *output, akin_error *error)
{
    lines l = {.scope = scope, .output = output, .error = error, .gap = ','};
    return write_pairs(&l, w, names);
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
    const format_row *row = (const format_row *)akin_choice_of(&akin_weights_formats, (int)format);
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
    const format_row *row = (const format_row *)akin_choice_of(&akin_weights_formats, (int)format);
    lines l = {.scope = akin_scope_of(context), .output = output, .error = error, .gap = row ? row->gap : '\0'};
    if (l.gap == '\0')
        return akin_fail(error, AKIN_E_OPTION, "format %d of a vocabulary: expected TSV or CSV", (int)format);
    akin_status status = l.gap == '\t' ? check_terms(weights, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = put_column_names(&l, "term,df\n");
    for (uint32_t i = 0; i < weights->ids_count && status == AKIN_OK; i++) {
        const char *bytes;
        size_t length;
        akin_weights_term(weights, i, &bytes, &length);
        status = put_string(&l, bytes, length);
        if (status == AKIN_OK)
            status = put_line_number(&l, weights->df[i], '\n');
    }
    return status == AKIN_OK ? flush_lines(&l) : status;
}
