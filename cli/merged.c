/* Writes one record a cluster, merged of its records by a rule for each column. */
#include "merged.h"

#include <stdlib.h>
#include <string.h>

#include "header.h"
#include "number.h"

/* ------------------------------------------------------------------------------------------------------------ rules */

#define ALL "all"

/* Takes a name, in double quotes if need be, up to a colon or the end; *at is behind it. NULL: it is malformed. The
 * name is moved to where it began. */
static char *take_name(char **at, int *is_quoted)
{
    char *name = *at, *to = *at, *from = *at;
    *is_quoted = *from == '"';
    if (!*is_quoted) {
        from += strcspn(from, ":");
        to = from;
    } else {
        for (from++; *from && (*from != '"' || from[1] == '"'); *to++ = *from++)
            from += *from == '"';
        if (*from++ != '"')
            return NULL;
    }
    if (*from && *from != ':')
        return NULL;
    *at = *from ? from + 1 : from;
    *to = '\0';
    return *name ? name : NULL;
}

static int refuse_rule(const akin_cli_option *option, const char *given)
{
    akin_cli_listed names;
    return akin_cli_refuse("--%s %s: expected COLUMN:RULE, where RULE is %s", option->name, akin_cli_word(given),
                           akin_cli_names_of("merge-rules", 0, &names));
}

/* Reads an argument, in `word`, a copy of it. */
static int read_rule(const akin_cli_option *option, const char *given, char *word, akin_cli_merge_rule *out)
{
    const akin_choice *rule;
    akin_error error;
    int is_quoted, is_by_quoted;
    char *rest = word;
    out->column = take_name(&rest, &is_quoted);
    if (!out->column || !*rest)
        return refuse_rule(option, given);
    out->is_all = !is_quoted && strcmp(out->column, ALL) == 0;
    char *by = strchr(rest, ':');
    if (by)
        *by++ = '\0';
    if (akin_choice_find("merge-rules", rest, &rule, &error) != AKIN_OK)
        return akin_cli_refuse("--%s %s: %s", option->name, given, error.message);
    out->rule = (uint32_t)rule->value;
    if (!by != !*rule->arguments)
        return akin_cli_refuse("--%s %s: expected COLUMN:%s%s", option->name, given, rule->name, rule->arguments);
    out->by = by ? take_name(&by, &is_by_quoted) : NULL;
    return by && (!out->by || *by) ? refuse_rule(option, given) : AKIN_CLI_DONE;
}

int akin_cli_merge_rules_check(const akin_cli_arguments *arguments, int at, const akin_cli_option *option,
                               akin_cli_merge_rules *out)
{
    size_t room = 1, count = 0;
    const char *given;
    for (int i = 0; (given = akin_cli_repeated_next(arguments, at, NULL, &i)); count++)
        room += strlen(given) + 1;
    *out = (akin_cli_merge_rules){.rules = calloc(count + 1, sizeof *out->rules), .words = malloc(room)};
    if (!out->rules || !out->words) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    char *word = out->words;
    for (int i = 0; (given = akin_cli_repeated_next(arguments, at, NULL, &i)); word += strlen(given) + 1) {
        akin_cli_merge_rule *rule = &out->rules[out->count];
        const int status = read_rule(option, given, memcpy(word, given, strlen(given) + 1), rule);
        if (status != AKIN_CLI_DONE)
            return status;
        for (uint32_t other = 0; other < out->count; other++)
            if (strcmp(out->rules[other].column, rule->column) == 0 && out->rules[other].is_all == rule->is_all)
                return akin_cli_refuse("--%s %s: there is a rule for %s already", option->name, given, rule->column);
        out->count++;
    }
    return AKIN_CLI_DONE;
}

void akin_cli_merge_rules_clear(akin_cli_merge_rules *rules)
{
    free(rules->rules);
    free(rules->words);
    *rules = (akin_cli_merge_rules){0};
}

akin_status akin_cli_merge_rules_find(const akin_cli_merge_rules *rules, const akin_table *table, akin_error *error)
{
    akin_status status = AKIN_OK;
    akin_error reason;
    uint32_t index;
    for (uint32_t i = 0; i < rules->count && status == AKIN_OK; i++) {
        const akin_cli_merge_rule *rule = &rules->rules[i];
        if (!rule->is_all)
            status = akin_table_find(table, rule->column, &index, &reason);
        if (status == AKIN_OK && rule->by)
            status = akin_table_find(table, rule->by, &index, &reason);
    }
    return status == AKIN_OK ? status : akin_error_set(error, status, reason.reason, "--merge: %.900s", reason.message);
}

/* The rule of a column: its own, or that of all; NULL: there is none. */
static const akin_cli_merge_rule *rule_of(const akin_cli_merge_rules *rules, const char *column)
{
    const akin_cli_merge_rule *of_all = NULL;
    for (uint32_t i = 0; i < rules->count; i++) {
        if (rules->rules[i].is_all)
            of_all = &rules->rules[i];
        else if (strcmp(rules->rules[i].column, column) == 0)
            return &rules->rules[i];
    }
    return of_all;
}

/* ---------------------------------------------------------------------------------------------------------- records */

#define SOURCE "_source" /* behind the name of a column */

/* A column, and the row of each merged record. */
typedef struct merged_column {
    akin_column values;
    const char *type;
    uint32_t *sources;
    char *before[2]; /* what stands before a value, and before its source */
} merged_column;

typedef struct merged {
    const akin_cli_merged_form *form;
    const akin_table *table;
    const akin_cli_writer *writer;
    uint32_t rows, clusters, count; /* count: of columns */
    uint32_t *numbers;              /* of the cluster of each row */
    merged_column *columns;
} merged;

static akin_status fail_merged_memory(akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the merged records");
}

/* What stands before the values of a column: the separator, and in lines of JSON its key, such as ,"name_source": */
static char *make_before(const akin_cli_writer *writer, int is_first, const char *name, const char *end)
{
    const size_t length = strlen(name), more = strlen(end);
    char *whole = malloc(length + more + 1), *before = malloc(6 * (length + more) + 8), *at = before;
    if (!whole || !before) {
        free(whole);
        free(before);
        return NULL;
    }
    memcpy(whole, name, length);
    memcpy(whole + length, end, more + 1);
    if (!writer->separator)
        *at++ = is_first ? '{' : ',';
    else if (!is_first)
        *at++ = writer->separator[0];
    if (!writer->separator) {
        at = writer->write(at, whole, length + more);
        *at++ = ':';
    }
    *at = '\0';
    free(whole);
    return before;
}

/* Finds the rows that the values of a column are taken from. */
static akin_status merge_column(akin_cli_job *job, const merged *m, uint32_t at, merged_column *out, akin_error *error)
{
    akin_merge_options options = AKIN_MERGE_OPTIONS_INIT;
    akin_column by = AKIN_COLUMN_INIT;
    uint32_t index = 0;
    out->values.size = sizeof out->values;
    akin_status status = akin_table_column(m->table, at, &out->values, error);
    if (status != AKIN_OK)
        return status;
    const akin_cli_merge_rule *rule = rule_of(m->form->rules, out->values.name);
    out->type = akin_table_column_format(m->table, at);
    out->sources = malloc(((size_t)m->clusters + 1) * sizeof *out->sources);
    out->before[0] = make_before(m->writer, at == 0, out->values.name, "");
    out->before[1] = make_before(m->writer, 0, out->values.name, SOURCE);
    if (!out->sources || !out->before[0] || !out->before[1])
        return fail_merged_memory(error);
    if (rule)
        options.rule = rule->rule;
    if (rule && rule->by) {
        status = akin_table_find(m->table, rule->by, &index, error);
        if (status == AKIN_OK)
            status = akin_table_column(m->table, index, &by, error);
        options.by = &by;
    }
    return status == AKIN_OK
               ? akin_merge(job->context, &out->values, m->rows, m->numbers, m->clusters, &options, out->sources, error)
               : status;
}

/* Puts what stands before a value, and its text; NULL: it is missing. */
static akin_status put_value(const merged *m, const char *before, const char *text, uint64_t length, akin_lines *lines)
{
    const size_t more = strlen(before);
    char *at = akin_lines_reserve(lines, more + 6 * (size_t)length + 16);
    if (!at)
        return AKIN_E_NOMEM;
    at = akin_cli_put_bytes(at, before, more);
    at = text ? m->writer->write(at, text, (size_t)length)
              : akin_cli_put_bytes(at, m->writer->none, strlen(m->writer->none));
    lines->length = (size_t)(at - lines->text);
    return AKIN_OK;
}

static akin_status put_merged_value(const merged *m, const merged_column *column, uint32_t row, akin_lines *lines,
                                    akin_error *error)
{
    const akin_column *from = &column->values;
    if (row == AKIN_NO_ROW)
        return put_value(m, column->before[0], NULL, 0, lines);
    const uint64_t begin = from->offsets[row], length = from->offsets[row + UINT64_C(1)] - begin;
    if (!akin_cli_name_fits(from->bytes + begin, (size_t)length, m->form->format))
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                              "--merged: column '%.100s' has a tab or a line end in row %u, which TSV cannot hold: "
                              "write CSV or JSON lines",
                              from->name, row);
    return put_value(m, column->before[0], from->bytes + begin, length, lines);
}

/* Puts what the row is called that a value is from. */
static akin_status put_source(const merged *m, const merged_column *column, uint32_t row, akin_lines *lines)
{
    const akin_column *ids = m->form->ids;
    char number[AKIN_CLI_NUMBER];
    if (row == AKIN_NO_ROW)
        return put_value(m, column->before[1], NULL, 0, lines);
    if (ids)
        return put_value(m, column->before[1], ids->bytes + ids->offsets[row],
                         ids->offsets[row + UINT64_C(1)] - ids->offsets[row], lines);
    const size_t length = (size_t)(akin_digits_integer(number, row) - number), more = strlen(column->before[1]);
    char *at = akin_lines_reserve(lines, more + length + 16);
    if (!at)
        return AKIN_E_NOMEM;
    at = akin_cli_put_bytes(akin_cli_put_bytes(at, column->before[1], more), number, length);
    lines->length = (size_t)(at - lines->text);
    return AKIN_OK;
}

/* An akin_lines_format, whose user is what is merged. */
static akin_status format_merged(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const merged *m = user;
    akin_status status = AKIN_OK;
    for (uint64_t cluster = begin; cluster < end && status == AKIN_OK; cluster++) {
        for (uint32_t c = 0; c < m->count && status == AKIN_OK; c++)
            status = put_merged_value(m, &m->columns[c], m->columns[c].sources[cluster], lines, error);
        for (uint32_t c = 0; c < m->count && m->form->with_sources && status == AKIN_OK; c++)
            status = put_source(m, &m->columns[c], m->columns[c].sources[cluster], lines);
        char *at = status == AKIN_OK ? akin_lines_reserve(lines, 2) : NULL;
        if (status == AKIN_OK && !at)
            return AKIN_E_NOMEM;
        if (at)
            memcpy(at, m->writer->separator ? "\n" : "}\n", m->writer->separator ? 1 : 2);
        lines->length += !at ? 0 : m->writer->separator ? 1 : 2;
    }
    return status;
}

/* Writes the names of the columns, if the format has them. */
static akin_status put_merged_header(const merged *m, akin_output *output, akin_error *error)
{
    akin_cli_header header = {0};
    for (uint32_t c = 0; c < m->count; c++)
        akin_cli_header_add(&header, "", m->columns[c].values.name, m->columns[c].type);
    for (uint32_t c = 0; c < m->count && m->form->with_sources; c++)
        akin_cli_header_add(&header, m->columns[c].values.name, SOURCE, m->form->id_type);
    return akin_cli_header_write(&header, m->form->format, output, error);
}

/* Refuses a column whose name is that of the sources of another. */
static akin_status check_names(const merged *m, akin_error *error)
{
    for (uint32_t c = 0; c < m->count && m->form->with_sources; c++) {
        const char *name = m->columns[c].values.name;
        const size_t length = strlen(name);
        for (uint32_t other = 0; other < m->count; other++) {
            const char *whole = m->columns[other].values.name;
            if (strncmp(whole, name, length) == 0 && strcmp(whole + length, SOURCE) == 0)
                return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_REPEATED,
                                      "--merged-sources: the table has a column '%.200s', as that of the sources of "
                                      "'%.200s' is called",
                                      whole, name);
        }
    }
    return AKIN_OK;
}

/* Merges the columns and writes them; there is room for them. */
static akin_status merge_all(akin_cli_job *job, merged *m, akin_output *output, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t c = 0; c < m->count && status == AKIN_OK; c++)
        status = merge_column(job, m, c, &m->columns[c], error);
    if (status == AKIN_OK)
        status = check_names(m, error);
    if (status == AKIN_OK && m->count > 0)
        status = put_merged_header(m, output, error);
    if (status == AKIN_OK && m->count > 0)
        status = akin_output_write_rows(output, m->clusters, format_merged, m, error);
    return status;
}

akin_status akin_cli_merged_write(akin_cli_job *job, const akin_clusters *clusters, const akin_table *table,
                                  const akin_cli_merged_form *form, akin_output *output, akin_error *error)
{
    merged m = {.form = form,
                .table = table,
                .writer = akin_cli_writer_of(form->format),
                .rows = akin_clusters_rows(clusters),
                .clusters = akin_clusters_count(clusters),
                .count = akin_table_columns(table)};
    m.numbers = malloc(((size_t)m.rows + 1) * sizeof *m.numbers);
    m.columns = calloc((size_t)m.count + 1, sizeof *m.columns);
    if (m.numbers)
        akin_clusters_number(clusters, m.numbers);
    const akin_status status = m.numbers && m.columns ? merge_all(job, &m, output, error) : fail_merged_memory(error);
    for (uint32_t c = 0; c < m.count && m.columns; c++) {
        free(m.columns[c].sources);
        free(m.columns[c].before[0]);
        free(m.columns[c].before[1]);
    }
    free(m.columns);
    free(m.numbers);
    return status;
}
