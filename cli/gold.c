/* How good the pairs are that were found, against a file of those that are known to be right. */
#include "gold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "path.h"

static int reserve_pairs(akin_cli_gold *gold, size_t count)
{
    if (gold->count + count <= gold->room)
        return 1;
    const size_t room = 2 * gold->room + count + 1024;
    for (int side = 0; side < 2; side++) {
        uint32_t *larger = realloc(gold->rows[side], room * sizeof *larger);
        if (!larger) {
            gold->failed = 1;
            return 0;
        }
        gold->rows[side] = larger;
    }
    gold->room = room;
    return 1;
}

static void add_pair(akin_cli_gold *gold, uint32_t left, uint32_t right)
{
    gold->rows[0][gold->count] = left;
    gold->rows[1][gold->count++] = right;
}

int akin_cli_gold_add(akin_cli_gold *gold, const akin_scored_pair *pairs, size_t count)
{
    if (!reserve_pairs(gold, count))
        return 0;
    for (size_t i = 0; i < count; i++)
        add_pair(gold, pairs[i].left, pairs[i].right);
    return 1;
}

akin_status akin_cli_gold_fail(akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the pairs to be evaluated");
}

/* The id of a row, in `number` if it is that. */
static const char *id_of(const akin_column *ids, uint32_t row, char number[AKIN_CLI_NUMBER], uint64_t *length)
{
    if (ids) {
        *length = ids->offsets[row + (uint64_t)1] - ids->offsets[row];
        return ids->bytes + ids->offsets[row];
    }
    *length = (uint64_t)(akin_digits_integer(number, row) - number);
    return number;
}

/* Writes a column of the ids of the rows on one side, whose arrays are the caller's to free. */
static akin_status make_column(const akin_cli_gold *gold, int side, const akin_column *ids, akin_column *out,
                               akin_error *error)
{
    char number[AKIN_CLI_NUMBER];
    uint64_t length, bytes = 0, *offsets = malloc((gold->count + 1) * sizeof *offsets);
    for (size_t i = 0; i < gold->count; i++) {
        id_of(ids, gold->rows[side][i], number, &length);
        bytes += length;
    }
    char *text = malloc(bytes + 1);
    *out = (akin_column){.size = sizeof *out, .name = "id", .offsets = offsets, .bytes = text};
    if (!offsets || !text)
        return akin_cli_gold_fail(error);
    offsets[0] = 0;
    for (size_t i = 0; i < gold->count; i++) {
        const char *id = id_of(ids, gold->rows[side][i], number, &length);
        memcpy(text + offsets[i], id, (size_t)length);
        offsets[i + 1] = offsets[i] + length;
    }
    return AKIN_OK;
}

/* What a warning is about. */
typedef struct warned {
    const char *path, *advice;
    int count;
} warned;

static void warn_of_gold(void *user, const char *text)
{
    warned *about = user;
    about->count++;
    akin_cli_warn("--gold %.600s: %s%s", akin_cli_path_name(about->path), text, about->advice);
}

/* Warns of a file that would be far better with left and right swapped, or that has none of the pairs. */
static akin_status warn_of_pairs(akin_cli_job *job, const akin_cli_gold *gold, const akin_column found[2],
                                 const akin_evaluate_options *how, int have_numbers, akin_error *error)
{
    const akin_cli_id_pairs *known = &gold->known;
    warned about = {.path = known->path, .advice = ""};
    akin_status status = akin_evaluate_warn_swapped(job->context, found, (uint32_t)gold->count, known->ids, known->rows,
                                                    how, &gold->evaluation, warn_of_gold, &about, error);
    about.advice = have_numbers          ? "; left and right are numbers of rows, as --id is missing"
                   : known->are_clusters ? ""
                                         : "; a table of clusters needs a column 'cluster'";
    if (status == AKIN_OK && about.count == 0)
        akin_evaluate_warn_apart(found, (uint32_t)gold->count, known->ids, known->rows, &gold->evaluation, warn_of_gold,
                                 &about);
    return status;
}

/* Makes a column of the numbers of the rows of a table, whose arrays are the caller's to free. */
static akin_status make_numbers(uint32_t rows, akin_column *out, akin_error *error)
{
    uint64_t *offsets = malloc(((size_t)rows + 1) * sizeof *offsets);
    char *text = malloc((size_t)rows * 10 + 1), *at = text; /* a number has ten digits at most */
    *out = (akin_column){.size = sizeof *out, .name = "id", .offsets = offsets, .bytes = text};
    if (!offsets || !text)
        return akin_cli_gold_fail(error);
    offsets[0] = 0;
    for (uint32_t row = 0; row < rows; row++) {
        char number[AKIN_CLI_NUMBER];
        const size_t length = (size_t)(akin_digits_integer(number, row) - number);
        memcpy(at, number, length);
        at += length;
        offsets[row + (uint64_t)1] = (uint64_t)(at - text);
    }
    return AKIN_OK;
}

/* Evaluates clusters, whose pairs have these columns, and all rows of the tables as records. */
static akin_status evaluate_clusters(akin_cli_job *job, const akin_cli_gold *gold, const akin_column found[2],
                                     const akin_column *const ids[2], const uint32_t rows[2],
                                     const akin_evaluate_options *how, akin_cluster_evaluation *out, akin_error *error)
{
    akin_evaluate_options options = *how;
    akin_column numbers[2] = {{0}, {0}};
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        if (!ids[side])
            status = make_numbers(rows[side], &numbers[side], error);
        options.records[side] = ids[side] ? ids[side] : &numbers[side];
        options.record_rows[side] = rows[side];
    }
    out->size = sizeof *out;
    if (status == AKIN_OK)
        status = akin_evaluate_clusters(job->context, found, (uint32_t)gold->count, gold->known.ids, gold->known.rows,
                                        &options, out, error);
    for (int side = 0; side < 2; side++) {
        free((void *)numbers[side].offsets);
        free((void *)numbers[side].bytes);
    }
    return status;
}

/* Makes columns of the ids of the pairs at hand, and evaluates them: as they stand, or as clusters. */
static akin_status evaluate_pairs(akin_cli_job *job, akin_cli_gold *gold, const akin_column *const ids[2],
                                  const uint32_t rows[2], const akin_evaluate_options *how, akin_error *error)
{
    akin_column found[2] = {{0}, {0}};
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && status == AKIN_OK; side++)
        status = make_column(gold, side, ids[side], &found[side], error);
    if (status == AKIN_OK && gold->count > UINT32_MAX)
        status =
            akin_error_set(error, AKIN_E_LIMIT, AKIN_REASON_NONE, "--gold: more than %u pairs were found", UINT32_MAX);
    if (status == AKIN_OK && how->closed)
        status = evaluate_clusters(job, gold, found, ids, rows, how, &gold->closed, error);
    else if (status == AKIN_OK)
        status = akin_evaluate(job->context, found, (uint32_t)gold->count, gold->known.ids, gold->known.rows, how,
                               &gold->evaluation, error);
    if (status == AKIN_OK && !how->closed)
        status = warn_of_pairs(job, gold, found, how, !ids[0] || !ids[1], error);
    for (int side = 0; side < 2; side++) {
        free((void *)found[side].offsets);
        free((void *)found[side].bytes);
    }
    return status;
}

#define NONE UINT32_MAX

/* Replaces the pairs by some whose closure is the clusters: each row with the first row of its cluster; of two tables
 * with the first row of the other table there. `first` has room for a number of each row. */
static void list_clusters(akin_cli_gold *gold, const akin_clusters *clusters, uint32_t lefts, uint32_t *first)
{
    const uint32_t rows = akin_clusters_rows(clusters);
    gold->count = 0;
    for (uint32_t row = rows; row > lefts && lefts > 0; row--)
        first[akin_clusters_row(clusters, row - 1)] = row - 1;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t label = akin_clusters_row(clusters, row);
        if (lefts == 0 && label != row)
            add_pair(gold, label, row);
        else if (row < lefts && akin_clusters_size(clusters, row) > 1 && first[label] != NONE)
            add_pair(gold, row, first[label] - lefts);
        else if (row >= lefts && lefts > 0 && label < lefts && row != first[label])
            add_pair(gold, label, row - lefts);
    }
}

/* The same, with room for as many pairs as rows. */
static akin_status take_clusters(akin_cli_gold *gold, const akin_clusters *clusters, uint32_t lefts, akin_error *error)
{
    const uint32_t rows = akin_clusters_rows(clusters);
    uint32_t *first = malloc(((size_t)rows + 1) * sizeof *first);
    gold->count = 0;
    if (!first || !reserve_pairs(gold, rows)) {
        free(first);
        return akin_cli_gold_fail(error);
    }
    memset(first, 0xff, (size_t)rows * sizeof *first);
    list_clusters(gold, clusters, lefts, first);
    free(first);
    return AKIN_OK;
}

akin_status akin_cli_gold_evaluate(akin_cli_job *job, akin_cli_gold *gold, const akin_column *const ids[2],
                                   const akin_clusters *clusters, int linked, uint32_t lefts, akin_error *error)
{
    akin_evaluate_options how = AKIN_EVALUATE_OPTIONS_INIT;
    how.linked = (uint32_t)linked;
    const uint32_t all = akin_clusters_rows(clusters), rows[2] = {linked ? lefts : all, linked ? all - lefts : 0};
    akin_status status = evaluate_pairs(job, gold, ids, rows, &how, error);
    if (status == AKIN_OK)
        status = take_clusters(gold, clusters, lefts, error);
    how.closed = 1;
    return status == AKIN_OK ? evaluate_pairs(job, gold, ids, rows, &how, error) : status;
}

/* ------------------------------------------------------------------------------------------------------------ check */

/* Whether a table has a record of that id, in *found. */
static akin_status find_record(const akin_cli_source *table, akin_cli_format written, const char *id, uint64_t length,
                               int *found, akin_error *error)
{
    char number[AKIN_CLI_NUMBER];
    uint64_t row;
    uint32_t ignored;
    *found = 0;
    if (!table->names.written) {
        snprintf(number, sizeof number, "%.*s", length < 20 ? (int)length : 20, id);
        *found = akin_cli_read_u64(number, 0, UINT32_MAX, &row) && row < table->rows && (length == 1 || *id != '0');
        return AKIN_OK;
    }
    char *name = malloc((size_t)(6 * length + 2));
    if (!name)
        return akin_cli_gold_fail(error);
    *found = akin_dictionary_find(table->names.written, name, akin_cli_name_write(name, id, (size_t)length, written),
                                  &ignored);
    free(name);
    return AKIN_OK;
}

/* Counts the distinct ids of a side, which the dictionary has seen or not, and those of no record. */
static akin_status count_strangers(const akin_column *ids, uint32_t rows, akin_dictionary *seen,
                                   const akin_cli_source *table, akin_cli_format written, uint64_t *strangers,
                                   akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        const char *id = ids->bytes + ids->offsets[row];
        uint64_t length = ids->offsets[row + 1] - ids->offsets[row];
        uint32_t count = akin_dictionary_count(seen), number;
        int found = 1;
        status = akin_dictionary_add(seen, id, (size_t)length, &number, error);
        if (status == AKIN_OK && number == count)
            status = find_record(table, written, id, length, &found, error);
        *strangers += (uint64_t)!found;
    }
    return status;
}

static void warn_of_strangers(const char *path, uint64_t strangers, uint64_t ids, int have_numbers)
{
    if (strangers > 0)
        akin_cli_warn("--gold %.600s: %" PRIu64 " of its %" PRIu64 " ids %s of no record%s", akin_cli_path_name(path),
                      strangers, ids, strangers == 1 ? "is" : "are", have_numbers ? "; is --id missing?" : "");
}

#define EXAMPLE 40 /* bytes of an id that a message shows */

/* "'a1', 'a7'": the first id and the last one. */
static void show_ids(const akin_column *ids, uint32_t rows, char text[2 * EXAMPLE + 16])
{
    const uint32_t shown[2] = {0, rows - 1};
    size_t length = 0;
    for (int i = 0; i < (rows > 1 ? 2 : 1); i++) {
        const uint64_t begin = ids->offsets[shown[i]], bytes = ids->offsets[shown[i] + (uint64_t)1] - begin;
        length += (size_t)snprintf(text + length, 2 * EXAMPLE + 16 - length, "%s'%.*s'", i > 0 ? ", " : "",
                                   (int)(bytes < EXAMPLE ? bytes : EXAMPLE), ids->bytes + begin);
    }
}

/* The same of the records of a table, as they are written; numbers, if these have no ids. */
static void show_records(const akin_cli_source *table, char text[2 * EXAMPLE + 16])
{
    const uint32_t shown[2] = {0, table->rows - 1};
    char number[16];
    size_t length = 0, bytes;
    for (int i = 0; i < (table->rows > 1 ? 2 : 1); i++) {
        const char *id = akin_cli_names_row(&table->names, shown[i], number, &bytes);
        length += (size_t)snprintf(text + length, 2 * EXAMPLE + 16 - length, "%s%s%.*s%s", i > 0 ? ", " : "",
                                   *id == '"' ? "" : "'", (int)(bytes < EXAMPLE ? bytes : EXAMPLE), id,
                                   *id == '"' ? "" : "'");
    }
}

/* Whether any of the ids is of a record of the table. */
static akin_status has_record(const akin_column *ids, uint32_t rows, const akin_cli_source *table,
                              akin_cli_format written, int *has, akin_error *error)
{
    akin_status status = AKIN_OK;
    *has = 0;
    for (uint32_t row = 0; row < rows && !*has && status == AKIN_OK; row++)
        status = find_record(table, written, ids->bytes + ids->offsets[row], ids->offsets[row + 1] - ids->offsets[row],
                             has, error);
    return status;
}

/* Refuses a file without an id of a record; of two tables, without one of a side. */
static akin_status check_relation(const akin_cli_id_pairs *known, const akin_cli_source *const tables[2],
                                  akin_cli_format written, akin_error *error)
{
    const int two = tables[0] != tables[1];
    int has[2] = {0, 0}, crossed[2] = {0, 0};
    char ours[2 * EXAMPLE + 16], theirs[2 * EXAMPLE + 16];
    akin_status status = AKIN_OK;
    if (known->rows == 0 || tables[0]->rows == 0 || tables[1]->rows == 0)
        return status;
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        status = has_record(&known->ids[side], known->rows, tables[side], written, &has[side], error);
        if (status == AKIN_OK && two)
            status = has_record(&known->ids[side], known->rows, tables[!side], written, &crossed[side], error);
    }
    if (status != AKIN_OK || (two ? has[0] && has[1] : has[0] || has[1]))
        return status;
    const int side = two && has[0];
    show_ids(&known->ids[side], known->rows, theirs);
    show_records(tables[side], ours);
    const char *advice = two && !has[0] && !has[1] && crossed[0] && crossed[1] ? "; its left and right are swapped"
                         : !tables[side]->names.written                        ? "; is --id missing?"
                                                                               : "";
    return akin_error_set(
        error, AKIN_E_INPUT, AKIN_REASON_NONE,
        "--gold %.600s: none of its %sids is of a record: they are like %s, those of records like %s%s",
        akin_cli_path_name(known->path),
        !two   ? ""
        : side ? "right "
               : "left ",
        theirs, ours, advice);
}

/* Of lines of JSON no line is a header. */
static akin_status warn_of_header(const akin_cli_id_pairs *known, const akin_cli_source *const tables[2],
                                  akin_cli_format written, akin_error *error)
{
    int found = 1;
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && found && status == AKIN_OK; side++)
        status =
            find_record(tables[side], written, known->ids[side].name, strlen(known->ids[side].name), &found, error);
    if (status == AKIN_OK && found)
        akin_cli_warn("--gold %.600s: its first line is taken for a header, but names two records",
                      akin_cli_path_name(known->path));
    return status;
}

akin_status akin_cli_gold_check(akin_cli_job *job, const akin_cli_id_pairs *known, akin_format format,
                                const akin_cli_source *const tables[2], akin_cli_format written, akin_error *error)
{
    akin_dictionary *seen[2] = {NULL, NULL};
    int sides = tables[0] == tables[1] ? 1 : 2, have_numbers = 0;
    uint64_t strangers = 0, ids = 0;
    akin_status status = check_relation(known, tables, written, error);
    for (int i = 0; i < sides && status == AKIN_OK; i++)
        status = akin_dictionary_create(job->context, &seen[i], error);
    for (int side = 0; side < 2 && status == AKIN_OK; side++)
        status = count_strangers(&known->ids[side], known->rows, seen[side < sides ? side : 0], tables[side], written,
                                 &strangers, error);
    for (int i = 0; i < sides && status == AKIN_OK; i++) {
        ids += akin_dictionary_count(seen[i]);
        have_numbers |= !tables[i]->names.written && tables[i]->rows > 0;
    }
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        warn_of_strangers(known->path, strangers, ids, have_numbers);
    if (status == AKIN_OK && format != AKIN_FORMAT_JSONL && known->ids[0].name && known->ids[1].name)
        status = warn_of_header(known, tables, written, error);
    for (int i = 0; i < sides; i++)
        akin_dictionary_free(seen[i]);
    return status;
}

void akin_cli_gold_clear(akin_cli_gold *gold)
{
    akin_cli_id_pairs_clear(&gold->known);
    free(gold->rows[0]);
    free(gold->rows[1]);
    *gold = (akin_cli_gold){0};
}
