/* Writes pairs of records, with the similarities of their attributes. */
#include "scored.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define LINE 128u /* bytes of a line beside its names and attributes, and what is shown, at most */

static uint32_t count_attributes(const akin_cli_scored *s)
{
    return akin_dedupe_plan_options(s->plan)->attribute_count;
}

/* Refuses names that TSV cannot hold. */
static akin_status check_scored_names(akin_cli_scored *s)
{
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(s->plan);
    for (uint32_t i = 0; i < count_attributes(s) && !akin_cli_writer_of(s->format)->holds_lines; i++) {
        const char *column = titles->columns[akin_dedupe_plan_options(s->plan)->attributes[i].column];
        if (!strpbrk(column, "\t\n\r"))
            continue;
        return akin_error_set(&s->error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "the column '%.200s' has a tab or a line end in its name, which TSV cannot hold", column);
    }
    return AKIN_OK;
}

/* Writes what stands before the similarities of attributes in a line of JSON. */
static akin_status make_keys(akin_cli_scored *s, akin_error *error)
{
    const uint32_t attributes = count_attributes(s);
    const char *const *names = akin_dedupe_plan_titles(s->plan)->attributes;
    size_t room = 1;
    for (uint32_t i = 0; i < attributes; i++)
        room += 6 * strlen(names[i]) + 4; /* as JSON has it, and a comma and a colon */
    char *at = s->keys = malloc(room);
    s->key_ends = malloc((attributes + (size_t)1) * sizeof *s->key_ends);
    if (!s->keys || !s->key_ends)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY,
                              "not enough memory for the names of the columns");
    for (uint32_t i = 0; i < attributes; i++) {
        if (i > 0)
            *at++ = ',';
        at += akin_cli_name_write(at, names[i], strlen(names[i]), s->format);
        *at++ = ':';
        s->key_ends[i] = (size_t)(at - s->keys);
    }
    return AKIN_OK;
}

akin_status akin_cli_scored_begin(akin_cli_scored *scored, akin_error *error)
{
    akin_cli_scored *s = scored;
    akin_cli_header header = {0};
    akin_status status = check_scored_names(s);
    akin_cli_header_add(&header, "", "left", akin_cli_names_type(s->left));
    akin_cli_header_add(&header, "", "right", akin_cli_names_type(s->right));
    akin_cli_header_add(&header, "", "similarity", AKIN_CLI_DOUBLE);
    for (uint32_t i = 0; i < count_attributes(s); i++)
        akin_cli_header_add(&header, "", akin_dedupe_plan_titles(s->plan)->attributes[i], AKIN_CLI_DOUBLE);
    akin_cli_shown_columns(s->shown, NULL, &header);
    if (status == AKIN_OK && !akin_cli_writer_of(s->format)->separator)
        status = make_keys(s, &s->error);
    if (status == AKIN_OK)
        status = akin_cli_header_write(&header, s->format, s->output, &s->error);
    else
        akin_cli_header_clear(&header);
    if (status != AKIN_OK && error)
        *error = s->error;
    return status;
}

/* Puts a number, or that there is none. */
static char *put_number(char *at, const akin_cli_scored *s, double value)
{
    char text[AKIN_CLI_NUMBER];
    const char *none = akin_cli_writer_of(s->format)->none;
    if (isnan(value))
        return akin_cli_put_bytes(at, none, strlen(none));
    const size_t length = akin_cli_format_rounded(text, value, s->digits);
    return akin_cli_put_bytes(at, text, length);
}

static char *put_text(char *at, const char *text)
{
    return akin_cli_put_bytes(at, text, strlen(text));
}

static char *put_each(char *at, const akin_cli_scored *s, const double *each)
{
    const char *between = akin_cli_between(akin_cli_writer_of(s->format), "");
    for (uint32_t i = 0; i < count_attributes(s); i++) {
        const size_t begin = s->keys && i > 0 ? s->key_ends[i - 1] : 0;
        at = s->keys ? akin_cli_put_bytes(at, s->keys + begin, s->key_ends[i] - begin) : put_text(at, between);
        at = put_number(at, s, each[i]);
    }
    return at;
}

/* Puts a pair behind what the lines have. */
static akin_status put_pair(const akin_cli_scored *s, akin_cli_shown *shown, size_t index, akin_lines *lines,
                            akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(s->format);
    const akin_scored_pair *pair = &s->pairs[index];
    const uint32_t attributes = count_attributes(s), rows[2] = {pair->left, pair->right};
    char numbers[2][16];
    size_t left_length, right_length;
    const char *left = akin_cli_names_row(s->left, pair->left, numbers[0], &left_length);
    const char *right = akin_cli_names_row(s->right, pair->right, numbers[1], &right_length);
    const size_t keys = s->keys && attributes > 0 ? s->key_ends[attributes - 1] : 0;
    char *at = akin_lines_reserve(lines, left_length + right_length + keys + LINE +
                                             (size_t)attributes * (AKIN_CLI_NUMBER + 1));
    if (!at)
        return AKIN_E_NOMEM;
    at = akin_cli_put_bytes(w->separator ? at : put_text(at, "{\"left\":"), left, left_length);
    at = akin_cli_put_bytes(put_text(at, akin_cli_between(w, ",\"right\":")), right, right_length);
    at = put_number(put_text(at, akin_cli_between(w, ",\"similarity\":")), s, pair->similarity);
    at = put_each(w->separator ? at : put_text(at, ",\"each\":{"), s, s->each + index * attributes);
    at = w->separator ? at : put_text(at, "}");
    lines->length = (size_t)(at - lines->text);
    const akin_status status = shown->count > 0 ? akin_cli_shown_put(shown, rows, lines, LINE, error) : AKIN_OK;
    if (status == AKIN_OK)
        lines->length = (size_t)(put_text(lines->text + lines->length, w->separator ? "\n" : "}\n") - lines->text);
    return status;
}

/* An akin_lines_format, whose user is an akin_cli_scored. */
static akin_status format_scored(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const akin_cli_scored *s = user;
    akin_cli_shown shown = *s->shown; /* with a line of its own */
    akin_status status = AKIN_OK;
    shown.line = (akin_cli_line){0};
    for (uint64_t i = begin; i < end && status == AKIN_OK; i++)
        status = put_pair(s, &shown, (size_t)i, lines, error);
    akin_cli_shown_clear(&shown);
    return status;
}

int akin_cli_scored_sink(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    akin_cli_scored *s = user;
    s->pairs = pairs;
    s->each = each;
    s->error.code = akin_output_write_rows(s->output, count, format_scored, s, &s->error);
    return s->error.code != AKIN_OK;
}

void akin_cli_scored_clear(akin_cli_scored *scored)
{
    free(scored->keys);
    free(scored->key_ends);
    scored->keys = NULL;
    scored->key_ends = NULL;
}
