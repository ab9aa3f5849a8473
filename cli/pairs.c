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

#define LINE 160u /* bytes of a line beside its names and what is shown, at most */

/* What stands around the three values of a line, the third being a similarity or a distance. */
typedef struct layout {
    akin_cli_field before, middle, after, end;
} layout;

struct akin_cli_pairs {
    akin_output *output;
    layout layout;
    akin_cli_field none; /* a score that is missing */
    akin_cli_scores *scores;
    const akin_cli_names *left, *right;
    akin_cli_shown *shown; /* NULL: nothing more */
    akin_error error;      /* of the write that failed; code AKIN_OK so far */
    size_t count;
    akin_pair waiting[AKIN_CLI_SCORES]; /* that are not written yet: many at once serve many threads */
};

/* What a thread knows when it comes to a pair: what the left row is called, which pairs are sorted by, and more. */
typedef struct formatting {
    const akin_cli_pairs *pairs;
    akin_cli_scores_known known;
    akin_cli_shown shown; /* its own */
    const char *left;     /* NULL: not known yet */
    size_t left_length;
    uint32_t left_row;
    char number[16];
} formatting;

static void name_left(formatting *f, uint32_t row)
{
    if (f->left && f->left_row == row)
        return;
    f->left = akin_cli_names_row(f->pairs->left, row, f->number, &f->left_length);
    f->left_row = row;
}

/* Puts what a row is called. A number is in `number`: a fixed length takes one move. */
static char *put_name(char *at, const char *name, size_t length, const char number[16])
{
    if (name != number)
        return akin_cli_put_bytes(at, name, length);
    memcpy(at, number, 16);
    return at + length;
}

static akin_status put_pair(formatting *f, size_t index, akin_lines *lines, akin_error *error)
{
    const akin_cli_pairs *pairs = f->pairs;
    const akin_pair *pair = &pairs->waiting[index];
    const layout *layout = &pairs->layout;
    char number[16];
    size_t right_length;
    const char *right = akin_cli_names_row(pairs->right, pair->right, number, &right_length);
    name_left(f, pair->left);
    char *at = akin_lines_reserve(lines, f->left_length + right_length + LINE);
    if (!at)
        return AKIN_E_NOMEM;
    at = put_name(akin_cli_put_field(at, &layout->before), f->left, f->left_length, f->number);
    at = put_name(akin_cli_put_field(at, &layout->middle), right, right_length, number);
    at = akin_cli_put_field(at, &layout->after);
    at = akin_cli_scores_lack(pairs->scores, pair) ? akin_cli_put_field(at, &pairs->none)
                                                   : akin_cli_scores_put(pairs->scores, &f->known, at, pair, index);
    lines->length = (size_t)(at - lines->text);
    const uint32_t rows[2] = {pair->left, pair->right};
    akin_status status = f->shown.count > 0 ? akin_cli_shown_put(&f->shown, rows, lines, LINE, error) : AKIN_OK;
    if (status == AKIN_OK)
        lines->length = (size_t)(akin_cli_put_field(lines->text + lines->length, &layout->end) - lines->text);
    return status;
}

/* An akin_lines_format, whose user is an akin_cli_pairs. */
static akin_status format_pairs(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    formatting f = {.pairs = user};
    akin_status status = AKIN_OK;
    if (f.pairs->shown)
        f.shown = *f.pairs->shown;
    f.shown.line = (akin_cli_line){0};
    for (uint64_t i = begin; i < end && status == AKIN_OK; i++)
        status = put_pair(&f, (size_t)i, lines, error);
    akin_cli_shown_clear(&f.shown);
    return status;
}

/* Writes the pairs that wait. */
static akin_status flush_pairs(akin_cli_pairs *pairs)
{
    const size_t count = pairs->count;
    akin_status status = akin_cli_scores_take(pairs->scores, pairs->waiting, count, &pairs->error);
    pairs->count = 0;
    if (status == AKIN_OK)
        status = akin_output_write_rows(pairs->output, count, format_pairs, pairs, &pairs->error);
    return pairs->error.code = status;
}

int akin_cli_pairs_sink(void *user, const akin_pair *batch, size_t count)
{
    akin_cli_pairs *pairs = user;
    for (size_t first = 0, part; first < count; first += part) {
        const size_t room = AKIN_CLI_SCORES - pairs->count;
        part = count - first < room ? count - first : room;
        memcpy(pairs->waiting + pairs->count, batch + first, part * sizeof *batch);
        pairs->count += part;
        if (pairs->count == AKIN_CLI_SCORES && flush_pairs(pairs) != AKIN_OK)
            return 1;
    }
    return 0;
}

/* Writes the names of the columns, if the format has them. */
static akin_status write_pair_header(akin_cli_pairs *pairs, akin_cli_format format, int distances, akin_error *error)
{
    akin_cli_header header = {0};
    akin_cli_header_add(&header, "", "left", akin_cli_names_type(pairs->left));
    akin_cli_header_add(&header, "", "right", akin_cli_names_type(pairs->right));
    akin_cli_header_add(&header, "", distances ? "distance" : "similarity",
                        distances ? AKIN_CLI_INTEGER : AKIN_CLI_DOUBLE);
    if (pairs->shown)
        akin_cli_shown_columns(pairs->shown, NULL, &header);
    return akin_cli_header_write(&header, format, pairs->output, error);
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
    pairs->layout = (layout){akin_cli_field_of(akin_cli_keyed(w, "{\"left\":")),
                             akin_cli_field_of(akin_cli_between(w, ",\"right\":")),
                             akin_cli_field_of(akin_cli_between(w, distances ? ",\"distance\":" : ",\"similarity\":")),
                             akin_cli_field_of(w->separator ? "\n" : "}\n")};
    pairs->none = akin_cli_field_of(w->none);
    pairs->scores = scores;
    pairs->left = left;
    pairs->right = right;
    pairs->shown = shown && shown->count > 0 ? shown : NULL;
    *out = pairs;
    return write_pair_header(pairs, format, distances, error);
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
