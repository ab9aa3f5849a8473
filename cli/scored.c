/* Writes pairs of records, with the similarities of their attributes. */
#include "scored.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

static akin_status put_scored(akin_cli_scored *s, const char *text, size_t length)
{
    return s->error.code = akin_output_write(s->output, text, length, &s->error);
}

static akin_status put_scored_text(akin_cli_scored *s, const char *text)
{
    return put_scored(s, text, strlen(text));
}

/* Writes what an attribute is called, as the format has it. */
static akin_status put_attribute_name(akin_cli_scored *s, uint32_t attribute)
{
    const char *name = akin_dedupe_plan_titles(s->plan)->attributes[attribute];
    size_t length = strlen(name);
    char *written = malloc(6 * length + 2);
    akin_status status = AKIN_E_NOMEM;
    if (written) {
        status = put_scored(s, written, akin_cli_name_write(written, name, length, s->format));
    } else {
        akin_error_set(&s->error, status, AKIN_REASON_MEMORY, "not enough memory for the names of the columns");
    }
    free(written);
    return status;
}

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

/* Writes the values that are shown. */
static akin_status put_shown(akin_cli_scored *s, const akin_scored_pair *pair)
{
    const char *text;
    size_t length;
    if (s->shown->count == 0)
        return AKIN_OK;
    const uint32_t rows[2] = {pair->left, pair->right};
    s->error.code = akin_cli_shown_values(s->shown, rows, &text, &length, &s->error);
    return s->error.code == AKIN_OK ? put_scored(s, text, length) : s->error.code;
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
    if (status == AKIN_OK)
        status = akin_cli_header_write(&header, s->format, s->output, &s->error);
    else
        akin_cli_header_clear(&header);
    if (status != AKIN_OK && error)
        *error = s->error;
    return status;
}

/* Writes a number, or that there is none. */
static akin_status put_scored_number(akin_cli_scored *s, double value)
{
    char text[AKIN_CLI_NUMBER];
    if (!isnan(value))
        return put_scored(s, text, akin_cli_format_rounded(text, value, s->digits));
    return put_scored_text(s, akin_cli_writer_of(s->format)->none);
}

static akin_status put_row(akin_cli_scored *s, const akin_cli_names *names, uint32_t row)
{
    char number[16];
    size_t length;
    const char *name = akin_cli_names_row(names, row, number, &length);
    return put_scored(s, name, length);
}

/* Between the values of a line; of lines of JSON the key of the next one. */
static akin_status put_between(akin_cli_scored *s, const char *key)
{
    return put_scored_text(s, akin_cli_between(akin_cli_writer_of(s->format), key));
}

static akin_status put_each(akin_cli_scored *s, const double *each)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < count_attributes(s) && status == AKIN_OK; i++) {
        status = put_between(s, i ? "," : "");
        if (status == AKIN_OK && !akin_cli_writer_of(s->format)->separator)
            status = put_attribute_name(s, i);
        if (status == AKIN_OK && !akin_cli_writer_of(s->format)->separator)
            status = put_scored_text(s, ":");
        if (status == AKIN_OK)
            status = put_scored_number(s, each[i]);
    }
    return status;
}

static akin_status put_pair(akin_cli_scored *s, const akin_scored_pair *pair, const double *each)
{
    int json = !akin_cli_writer_of(s->format)->separator;
    akin_status status = json ? put_scored_text(s, "{\"left\":") : AKIN_OK;
    if (status == AKIN_OK)
        status = put_row(s, s->left, pair->left);
    if (status == AKIN_OK)
        status = put_between(s, ",\"right\":");
    if (status == AKIN_OK)
        status = put_row(s, s->right, pair->right);
    if (status == AKIN_OK)
        status = put_between(s, ",\"similarity\":");
    if (status == AKIN_OK)
        status = put_scored_number(s, pair->similarity);
    if (status == AKIN_OK)
        status = json ? put_scored_text(s, ",\"each\":{") : AKIN_OK;
    if (status == AKIN_OK)
        status = put_each(s, each);
    if (status == AKIN_OK && json)
        status = put_scored_text(s, "}");
    if (status == AKIN_OK)
        status = put_shown(s, pair);
    return status == AKIN_OK ? put_scored_text(s, json ? "}\n" : "\n") : status;
}

int akin_cli_scored_sink(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    akin_cli_scored *s = user;
    for (size_t i = 0; i < count; i++)
        if (put_pair(s, &pairs[i], each + i * count_attributes(s)) != AKIN_OK)
            return 1;
    return 0;
}
