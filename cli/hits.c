/* What a search has found, as lines of a file: a line put together, and written. */
#include "hits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define AROUND 256 /* bytes of a line beside its names, at most */

static char *put_text(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

/* What stands before a value: what separates it from the one before, or its key. */
static char *put_before(const akin_cli_hits *r, char *to, const char *key)
{
    const char *text = akin_cli_between(akin_cli_writer_of(r->format), key);
    return put_text(to, text, strlen(text));
}

/* Puts a number, or if it is infinite nothing. */
static char *put_double(const akin_cli_hits *r, char *to, const char *key, double value)
{
    char number[AKIN_CLI_NUMBER];
    to = put_before(r, to, key);
    if (!isfinite(value))
        return put_text(to, akin_cli_writer_of(r->format)->none, strlen(akin_cli_writer_of(r->format)->none));
    const size_t length = akin_cli_format_rounded(number, value, r->digits);
    return put_text(to, number, length);
}

/* A column for what an object is found for. */
typedef struct value_column {
    unsigned value;  /* an akin_hit_value */
    const char *key; /* in a line of JSON */
    const char *type;
    char *(*put)(const akin_cli_hits *r, char *to, const akin_search_hit *hit, const char *key);
} value_column;

static char *put_count(const akin_cli_hits *r, char *to, const akin_search_hit *hit, const char *key)
{
    return akin_digits_integer(put_before(r, to, key), hit->count);
}

static char *put_similarity(const akin_cli_hits *r, char *to, const akin_search_hit *hit, const char *key)
{
    return put_double(r, to, key, hit->similarity);
}

static char *put_distance(const akin_cli_hits *r, char *to, const akin_search_hit *hit, const char *key)
{
    return put_double(r, to, key, hit->distance);
}

static char *put_certificate(const akin_cli_hits *r, char *to, const akin_search_hit *hit, const char *key)
{
    const char *proof = akin_certificate_name(hit->certificate);
    to = put_before(r, to, key);
    return to + akin_cli_name_write(to, proof, strlen(proof), r->format);
}

static const value_column columns[] = {{AKIN_HIT_SCORE, ",\"score\":", AKIN_CLI_DOUBLE, put_similarity},
                                       {AKIN_HIT_COUNT, ",\"count\":", AKIN_CLI_INTEGER, put_count},
                                       {AKIN_HIT_SIMILARITY, ",\"similarity\":", AKIN_CLI_DOUBLE, put_similarity},
                                       {AKIN_HIT_DISTANCE, ",\"distance\":", AKIN_CLI_DOUBLE, put_distance},
                                       {AKIN_HIT_EDITS, ",\"distance\":", AKIN_CLI_INTEGER, put_count},
                                       {AKIN_HIT_CERTIFICATE, ",\"certificate\":", AKIN_CLI_TEXT, put_certificate}};

#define COLUMNS (sizeof columns / sizeof *columns)

/* Puts a line behind what the lines have, without the values that are shown and its end. */
static akin_status put_line(const akin_cli_hits *r, const akin_search_hit *hit, uint32_t rank, akin_lines *lines,
                            akin_error *error)
{
    const akin_cli_format format = r->format;
    char query_number[16];
    const char *object = NULL;
    size_t query_length, object_length = 0;
    const char *query = akin_cli_names_row(r->queries, hit->query, query_number, &query_length);
    const int is_named = akin_search_index_name(r->index, hit->object, &object, &object_length);
    if (is_named && !akin_cli_name_fits(object, object_length, format))
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                              "object '%.*s' has a tab or a line end, which TSV cannot hold: write CSV or JSON lines",
                              (int)(object_length < 200 ? object_length : 200), object);
    char *to = akin_lines_reserve(lines, query_length + 6 * object_length + AROUND);
    if (!to)
        return AKIN_E_NOMEM;
    if (!akin_cli_writer_of(format)->separator)
        to = put_text(to, "{\"query\":", 9);
    to = put_text(to, query, query_length); /* as the format has it */
    to = put_before(r, to, ",\"rank\":");
    to = akin_digits_integer(to, rank);
    to = put_before(r, to, ",\"id\":");
    if (is_named)
        to += akin_cli_name_write(to, object, object_length, format);
    else
        to = akin_digits_integer(to, hit->object);
    for (size_t c = 0; c < COLUMNS; c++)
        if (r->values & columns[c].value)
            to = columns[c].put(r, to, hit, columns[c].key);
    lines->length = (size_t)(to - lines->text);
    return AKIN_OK;
}

/* The rank of a hit among the hits of its query, which are all at hand. */
static uint32_t rank_of(const akin_search_hit *found, uint64_t at)
{
    uint32_t rank = 1;
    for (; at > 0 && found[at - 1].query == found[at].query; at--)
        rank++;
    return rank;
}

/* An akin_lines_format, whose user is an akin_cli_hits. */
static akin_status format_hits(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const akin_cli_hits *r = user;
    const char *last = akin_cli_writer_of(r->format)->separator ? "\n" : "}\n";
    akin_cli_shown shown = r->shown; /* with a line of its own */
    akin_status status = AKIN_OK;
    shown.line = (akin_cli_line){0};
    for (uint64_t i = begin, rank = rank_of(r->found, begin); i < end && status == AKIN_OK; i++) {
        const akin_search_hit *hit = &r->found[i];
        rank = i == begin ? rank : hit->query == hit[-1].query ? rank + 1 : 1;
        status = put_line(r, hit, (uint32_t)rank, lines, error);
        if (status == AKIN_OK && shown.count > 0) {
            const uint32_t rows[2] = {hit->query, akin_cli_beside_row(&r->beside, hit->object, &shown)};
            status = akin_cli_shown_put(&shown, rows, lines, AROUND, error);
        }
        if (status == AKIN_OK)
            lines->length = (size_t)(put_text(lines->text + lines->length, last, strlen(last)) - lines->text);
    }
    akin_cli_shown_clear(&shown);
    return status;
}

int akin_cli_hits_sink(void *user, const akin_search_hit *found, size_t count)
{
    akin_cli_hits *r = user;
    r->found = found;
    r->count += count;
    r->error.code = akin_output_write_rows(r->output, count, format_hits, r, &r->error);
    if (r->error.code == AKIN_OK && r->truth)
        r->error.code = akin_cli_truth_add(r->truth, found, count, &r->error);
    return r->error.code != AKIN_OK;
}

akin_status akin_cli_hits_begin(akin_cli_hits *hits, akin_error *error)
{
    akin_cli_header header = {0};
    const char *name;
    size_t length;
    const int is_named = akin_search_index_name(hits->index, 0, &name, &length);
    akin_cli_header_add(&header, "", "query", akin_cli_names_type(hits->queries));
    akin_cli_header_add(&header, "", "rank", AKIN_CLI_INTEGER);
    akin_cli_header_add(&header, "", "id", is_named ? AKIN_CLI_TEXT : AKIN_CLI_INTEGER);
    for (size_t c = 0; c < COLUMNS; c++) {
        char column[AKIN_CLI_FIELD];
        const char *key = columns[c].key; /* the name has quotes around it, a comma before it and a colon behind it */
        snprintf(column, sizeof column, "%.*s", (int)strlen(key) - 4, key + 2);
        if (hits->values & columns[c].value)
            akin_cli_header_add(&header, "", column, columns[c].type);
    }
    akin_cli_shown_columns(&hits->shown, NULL, &header);
    return akin_cli_header_write(&header, hits->format, hits->output, error);
}

void akin_cli_hits_clear(akin_cli_hits *hits)
{
    akin_cli_shown_clear(&hits->shown);
    akin_cli_beside_clear(&hits->beside);
}
