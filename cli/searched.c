/* The data of an index and its queries, read as its kind has them. */
#include "searched.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "path.h"

const akin_search_facts *akin_cli_kind_facts(akin_search_kind kind, int is_hashed)
{
    const akin_search_facts *facts = akin_search_facts_of(kind, is_hashed);
    return facts || is_hashed ? facts : akin_search_facts_of(kind, 1);
}

const char *akin_cli_kinds_with(const char *option, char text[AKIN_CLI_KINDS])
{
    akin_cli_list list = {.text = text, .room = AKIN_CLI_KINDS};
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("search-kinds", i)); i++)
        for (int is_hashed = 0; is_hashed < 2; is_hashed++) {
            const akin_search_facts *facts = akin_search_facts_of((akin_search_kind)row->value, is_hashed);
            if (facts && akin_search_facts_take(facts, option))
                akin_cli_list_add(&list, facts->title, "", "");
        }
    return akin_cli_list_end(&list);
}

/* A layout of matrices; "auto" is none. */
static int parse_layout(const char *input, akin_matrix_format *out)
{
    return akin_matrix_format_parse(input, out, NULL) == AKIN_OK && *out != AKIN_MATRIX_AUTO;
}

/* The first option that is of text and its columns; NULL: there is none. */
static const char *of_text(const akin_cli_searched_words *words)
{
    return words->on ? "on" : words->id ? "id" : words->lossy ? "lossy" : NULL;
}

/* Matrices have neither text nor names of columns. */
static int check_matrix(const akin_cli_searched_words *words, akin_search_kind kind, const char *path,
                        akin_cli_reading *out)
{
    akin_cli_listed names;
    *out = (akin_cli_reading){.is_matrix = 1};
    if (of_text(words))
        return akin_cli_refuse("--%s: %s are rows of a matrix, which has no names and no text", of_text(words),
                               akin_search_kind_name(kind));
    if (words->input && !parse_layout(words->input, &out->layout))
        return akin_cli_refuse("--input %s: is no matrix: expected %s", words->input,
                               akin_cli_names_of("matrix-formats", AKIN_CAN_READ, &names));
    if (!words->input && akin_matrix_format_of_name(path, &out->layout, NULL) != AKIN_OK)
        return akin_cli_missing(&(akin_cli_option){.name = "input", .argument = "LAYOUT"},
                                "the layout of the matrix %s: %s", akin_cli_path_name(path),
                                akin_cli_names_of("matrix-formats", AKIN_CAN_READ, &names));
    return AKIN_CLI_DONE;
}

/* Sets are read as ids alone. */
static int check_sets(const akin_cli_searched_words *words)
{
    if (of_text(words))
        return akin_cli_refuse("--%s: sets are lines of token ids, which have no text and no names", of_text(words));
    if (words->input)
        return akin_cli_refuse("--input %s: sets are lines of token ids, plain or compressed", words->input);
    return AKIN_CLI_DONE;
}

static int check_searched_columns(const akin_cli_searched_words *words, const char *name, const char *path)
{
    akin_format format;
    static const akin_cli_option input = {.name = "input", .choices = "table-formats", .capabilities = AKIN_CAN_READ};
    if (words->input && akin_cli_option_format(&input, words->input, &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (!words->input && akin_cli_path_is_saved(path))
        return akin_cli_refuse("%s: is a file saved by akin; %s are of text, or of a table", path, name);
    return AKIN_CLI_DONE;
}

int akin_cli_searched_check(const akin_cli_searched_words *words, akin_search_kind kind, const char *path,
                            akin_cli_reading *out)
{
    const akin_search_facts *facts = akin_cli_kind_facts(kind, 0);
    const int of_sets = facts->objects == AKIN_GIVEN_SETS, of_table = facts->objects == AKIN_GIVEN_TABLE;
    const akin_cli_reading_words reading = {.input = of_sets ? "ids" : words->input,
                                            .on = words->on,
                                            .id = words->id,
                                            .tokens = words->tokens ? words->tokens
                                                      : of_sets     ? NULL
                                                                    : "words", /* text, and not sets of ids */
                                            .fold = words->fold,
                                            .lossy = words->lossy,
                                            .all = of_table,
                                            .purpose = words->purpose};
    const char *const name = akin_search_kind_name(kind);
    akin_cli_listed names;
    if (facts->objects == AKIN_GIVEN_MATRIX)
        return check_matrix(words, kind, path, out);
    int status = of_sets ? check_sets(words) : check_searched_columns(words, name, path);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_reading_check(&reading, path, out);
    if (status != AKIN_CLI_DONE)
        return status;
    out->keep_lines = 1;
    if (of_table && !akin_cli_has_columns(out->format))
        return akin_cli_refuse("%s: is text; %s are of a table: expected --input %s", akin_cli_path_name(path), name,
                               akin_cli_names_of("table-formats", AKIN_HAS_COLUMNS, &names));
    return AKIN_CLI_DONE;
}

static akin_status fail_searched_memory(akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the columns");
}

/* Lists the columns that are wanted. */
static akin_status list_columns(const akin_cli_reading *reading, uint32_t count, uint32_t id, akin_cli_searched *out,
                                akin_error *error)
{
    akin_status status = AKIN_OK;
    out->columns = malloc(((size_t)count + 1) * sizeof *out->columns);
    if (!out->columns)
        return fail_searched_memory(error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        if (reading->all && reading->id && i == id)
            continue;
        akin_column *column = &out->columns[out->column_count++];
        column->size = sizeof *column;
        status = akin_table_column(out->table, i, column, error);
    }
    out->id.size = sizeof out->id;
    if (status == AKIN_OK && reading->id)
        status = akin_table_column(out->table, id, &out->id, error);
    return status;
}

/* JSON lines without a line have no columns. */
static akin_status list_none(akin_cli_searched *out, akin_error *error)
{
    static const uint64_t nothing[1] = {0};
    out->columns = malloc(sizeof *out->columns);
    if (!out->columns)
        return fail_searched_memory(error);
    out->columns[0] = (akin_column){.size = sizeof *out->columns, .name = "none", .offsets = nothing, .bytes = ""};
    out->id = out->columns[0];
    out->column_count = 1;
    return AKIN_OK;
}

akin_status akin_cli_searched_read(akin_cli_job *job, const akin_cli_reading *reading, const char *path,
                                   akin_cli_format format, akin_cli_searched *out, akin_error *error)
{
    uint32_t columns = 0, id = 0;
    if (reading->ids) {
        akin_status status = akin_sets_read(job->context, path, &out->sets, error);
        out->rows = status == AKIN_OK ? akin_sets_rows(out->sets) : 0;
        return status;
    }
    if (reading->is_matrix) {
        akin_status status = akin_matrix_read(job->context, path, reading->layout, &out->matrix, error);
        out->rows = status == AKIN_OK ? out->matrix->rows : 0;
        return status;
    }
    akin_status status = akin_cli_source_table(job, reading, path, &out->table, &columns, &id, error);
    if (status == AKIN_E_INPUT)
        akin_cli_source_advise_lossy(error);
    if (status != AKIN_OK)
        return status;
    out->rows = akin_table_rows(out->table);
    if (out->rows == 0 && akin_table_columns(out->table) < columns + (reading->id != NULL && !reading->all))
        return list_none(out, error);
    status = list_columns(reading, columns, id, out, error);
    if (status == AKIN_OK && reading->id)
        status = akin_cli_names_add(job->context, path, out->table, id, format, &out->names, error);
    return status;
}

int akin_cli_searched_check_typed(akin_search_kind kind)
{
    const akin_search_facts *facts = akin_cli_kind_facts(kind, 0);
    if (facts->objects == AKIN_GIVEN_TEXTS || facts->objects == AKIN_GIVEN_SETS)
        return AKIN_CLI_DONE;
    return akin_cli_refuse(
        "--query: %s are searched for by %s, which a line of text is not: expected a file of queries",
        akin_search_kind_name(kind), facts->objects == AKIN_GIVEN_MATRIX ? "rows of a matrix" : "rows of a table");
}

akin_status akin_cli_searched_type(akin_context *context, const akin_cli_typed *typed, akin_search_kind kind,
                                   akin_cli_searched *out, akin_error *error)
{
    out->rows = typed->rows;
    if (akin_cli_kind_facts(kind, 0)->objects == AKIN_GIVEN_SETS)
        return akin_cli_typed_sets(context, typed, &out->sets, error);
    out->columns = malloc(sizeof *out->columns);
    if (!out->columns)
        return fail_searched_memory(error);
    out->columns[0] = typed->column;
    out->column_count = 1;
    return AKIN_OK;
}

void akin_cli_searched_clear(akin_cli_searched *searched)
{
    akin_sets_free(searched->sets);
    akin_matrix_free(searched->matrix);
    akin_table_free(searched->table);
    free(searched->columns);
    akin_cli_names_clear(&searched->names);
    *searched = (akin_cli_searched){0};
}
