/* Writes the pairs of a join as CSV, TSV or JSON lines. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "number.h"
#include "path.h"
#include "scores.h"
#include "shown.h"

#define BUFFER (256u << 10)
#define LINE   160u /* bytes that hold any line */

/* What stands around the three values of a line, the third being a similarity or a distance. */
typedef struct layout {
    const char *before, *middle, *after, *end;
} layout;

struct akin_cli_pairs {
    akin_output *output;
    layout layout;
    akin_cli_scores *scores;
    const akin_cli_names *left, *right;
    akin_cli_shown *shown; /* NULL: nothing more */
    int numbers;           /* rows are called by their numbers */
    akin_error error;      /* of the write that failed; code AKIN_OK so far */
    uint32_t left_row;
    size_t left_length;
    char
        left_text[48]; /* of lines with numbers: the line as far as the right row, kept while left_row stays the same */
    size_t length;
    char buffer[BUFFER];
};

static char *put_field(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

/* The line of a pair as far as the right row's number. */
static void begin_line(akin_cli_pairs *pairs, uint32_t row)
{
    char *at = put_field(pairs->left_text, pairs->layout.before);
    at = akin_digits_integer(at, row);
    at = put_field(at, pairs->layout.middle);
    pairs->left_length = (size_t)(at - pairs->left_text);
    pairs->left_row = row;
}

static akin_status flush_pairs(akin_cli_pairs *pairs)
{
    akin_status status = akin_output_write(pairs->output, pairs->buffer, pairs->length, &pairs->error);
    pairs->error.code = status;
    pairs->length = 0;
    return status;
}

/* Puts text, however long, behind what is in the buffer; LINE bytes stay free. */
static akin_status put_bytes(akin_cli_pairs *pairs, const char *name, size_t length)
{
    if (length + LINE > BUFFER - pairs->length && flush_pairs(pairs) != AKIN_OK)
        return pairs->error.code;
    if (length + LINE > BUFFER)
        return pairs->error.code = akin_output_write(pairs->output, name, length, &pairs->error);
    memcpy(pairs->buffer + pairs->length, name, length);
    pairs->length += length;
    return AKIN_OK;
}

static akin_status put_pair_name(akin_cli_pairs *pairs, const akin_cli_names *names, uint32_t row)
{
    char number[16];
    size_t length;
    const char *name = akin_cli_names_row(names, row, number, &length);
    return put_bytes(pairs, name, length);
}

static akin_status put_pair_text(akin_cli_pairs *pairs, const char *text)
{
    if (pairs->length > BUFFER - LINE && flush_pairs(pairs) != AKIN_OK)
        return pairs->error.code;
    pairs->length = (size_t)(put_field(pairs->buffer + pairs->length, text) - pairs->buffer);
    return AKIN_OK;
}

static akin_status put_named(akin_cli_pairs *pairs, const akin_pair *pair, size_t index)
{
    const layout *layout = &pairs->layout;
    akin_status status = put_pair_text(pairs, layout->before);
    if (status == AKIN_OK)
        status = put_pair_name(pairs, pairs->left, pair->left);
    if (status == AKIN_OK)
        status = put_pair_text(pairs, layout->middle);
    if (status == AKIN_OK)
        status = put_pair_name(pairs, pairs->right, pair->right);
    if (status == AKIN_OK)
        status = put_pair_text(pairs, layout->after);
    if (status != AKIN_OK)
        return status;
    char *at = akin_cli_scores_put(pairs->scores, pairs->buffer + pairs->length, pair, index);
    pairs->length = (size_t)(at - pairs->buffer);
    if (pairs->shown) {
        const uint32_t rows[2] = {pair->left, pair->right};
        const char *text;
        size_t length;
        status = pairs->error.code = akin_cli_shown_values(pairs->shown, rows, &text, &length, &pairs->error);
        if (status == AKIN_OK)
            status = put_bytes(pairs, text, length);
    }
    if (status == AKIN_OK)
        status = put_pair_text(pairs, layout->end);
    return status == AKIN_OK ? put_pair_text(pairs, "\n") : status;
}

static akin_status put_numbered(akin_cli_pairs *pairs, const akin_pair *pair, size_t index)
{
    if (pairs->length > BUFFER - LINE && flush_pairs(pairs) != AKIN_OK)
        return pairs->error.code;
    if (pair->left != pairs->left_row || pairs->left_length == 0)
        begin_line(pairs, pair->left);
    char *begin = pairs->buffer + pairs->length;
    memcpy(begin, pairs->left_text, sizeof pairs->left_text);
    char *at = akin_digits_integer(begin + pairs->left_length, pair->right);
    at = put_field(at, pairs->layout.after);
    at = akin_cli_scores_put(pairs->scores, at, pair, index);
    at = put_field(put_field(at, pairs->layout.end), "\n");
    pairs->length += (size_t)(at - begin);
    return AKIN_OK;
}

/* Writes as many pairs as can be scored at once. */
static akin_status put_scored_pairs(akin_cli_pairs *pairs, const akin_pair *batch, size_t count)
{
    akin_status status = akin_cli_scores_take(pairs->scores, batch, count, &pairs->error);
    pairs->error.code = status;
    for (size_t i = 0; i < count && status == AKIN_OK; i++)
        status = (pairs->numbers ? put_numbered : put_named)(pairs, &batch[i], i);
    return status;
}

int akin_cli_pairs_sink(void *user, const akin_pair *batch, size_t count)
{
    for (size_t first = 0, part; first < count; first += part) {
        part = count - first < AKIN_CLI_SCORES ? count - first : AKIN_CLI_SCORES;
        if (put_scored_pairs(user, batch + first, part) != AKIN_OK)
            return 1;
    }
    return 0;
}

/* Puts the names of the columns, if the format has them. */
static akin_status put_pair_header(akin_cli_pairs *pairs, const akin_cli_writer *w, int distances)
{
    const char *names = distances ? "left,right,distance" : "left,right,similarity", *text;
    size_t length;
    pairs->length = (size_t)(akin_cli_put_header(pairs->buffer, w, names) - pairs->buffer);
    if (!w->separator || !pairs->shown)
        return AKIN_OK;
    pairs->length--; /* more columns follow */
    akin_status status = pairs->error.code = akin_cli_shown_header(pairs->shown, &text, &length, &pairs->error);
    if (status == AKIN_OK)
        status = put_bytes(pairs, text, length);
    return status == AKIN_OK ? put_pair_text(pairs, "\n") : status;
}

akin_status akin_cli_pairs_begin(akin_output *output, akin_cli_format format, akin_cli_scores *scores,
                                 const akin_cli_names *left, const akin_cli_names *right, akin_cli_shown *shown,
                                 akin_cli_pairs **out, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(format);
    const int distances = akin_cli_scores_are_distances(scores);
    akin_cli_pairs *pairs = calloc(1, sizeof *pairs);
    if (!pairs)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "out of memory for writing pairs");
    pairs->output = output;
    pairs->layout =
        (layout){akin_cli_keyed(w, "{\"left\":"), akin_cli_between(w, ",\"right\":"),
                 akin_cli_between(w, distances ? ",\"distance\":" : ",\"similarity\":"), akin_cli_keyed(w, "}")};
    pairs->scores = scores;
    pairs->left = left;
    pairs->right = right;
    pairs->shown = shown && shown->count > 0 ? shown : NULL;
    pairs->numbers = !left->written && !right->written && !pairs->shown;
    *out = pairs;
    if (put_pair_header(pairs, w, distances) != AKIN_OK)
        *error = pairs->error;
    return pairs->error.code;
}

akin_status akin_cli_pairs_finish(akin_cli_pairs *pairs, akin_status status, akin_error *error)
{
    if (status == AKIN_OK)
        flush_pairs(pairs);
    if (pairs->error.code == AKIN_OK)
        return status;
    *error = pairs->error;
    return error->code;
}

void akin_cli_pairs_free(akin_cli_pairs *pairs)
{
    free(pairs);
}
