/* JSON lines: an object a line, whose keys are columns. */
#include "table/jsonl.h"

#define KEYS_SHOWN    480 /* bytes */
#define OTHERS_KEPT   32
#define OTHER_LONGEST 200

/* A line being parsed: what a message needs, and the column that the next key is guessed to be. */
typedef struct line {
    const char *begin;
    uint32_t guess;
    akin_json_fault fault;
} line;

static akin_status fail_line(const akin_parser *p, const line *l, akin_error *error)
{
    return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, p->name, p->lines + 1, "byte %llu: expected %s",
                          (unsigned long long)(l->fault.at - l->begin) + 1, l->fault.expected);
}

static akin_status fail_expected(const akin_parser *p, line *l, const char *at, const char *expected, akin_error *error)
{
    l->fault = (akin_json_fault){at, expected};
    return fail_line(p, l, error);
}

/* Decodes a string with escapes to the scratch buffer, which *bytes and *length then are. */
static akin_status decode(akin_parser *p, line *l, const char **bytes, size_t *length, akin_error *error)
{
    akin_strings *scratch = &p->jsonl.scratch;
    akin_status status = akin_strings_grow(scratch, *length);
    if (status != AKIN_OK)
        return akin_parser_fail(p, status, error);
    *length = akin_json_decode(*bytes, *length, p->lossy, scratch->bytes, &l->fault);
    *bytes = scratch->bytes;
    return *length == SIZE_MAX ? fail_line(p, l, error) : AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- columns */

/* Remembers a key that is not kept, to be shown if a requested column is not there. */
static akin_status note_other(akin_parser *p, const char *name, size_t length, akin_error *error)
{
    akin_names *others = &p->jsonl.others;
    if (akin_names_count(others) == OTHERS_KEPT || length > OTHER_LONGEST ||
        akin_names_find(others, name, length) != AKIN_NAMES_NONE)
        return AKIN_OK;
    akin_status status = akin_names_add(others, name, length);
    return status == AKIN_OK ? AKIN_OK : akin_parser_fail(p, status, error);
}

/* The column of a key, made if it is new and all are kept; NULL if it is not kept. */
static akin_status find_column(akin_parser *p, line *l, const char *name, size_t length, akin_strings **out,
                               akin_error *error)
{
    akin_table *table = p->table;
    uint32_t count = akin_names_count(&table->names), index = l->guess;
    *out = NULL;
    if (index >= count || !akin_names_is(&table->names, index, name, length))
        index = akin_names_find(&table->names, name, length);
    if (index == AKIN_NAMES_NONE && !p->keep_all)
        return table->rows == p->first ? note_other(p, name, length, error) : AKIN_OK;
    if (index == AKIN_NAMES_NONE) {
        akin_status status = akin_table_add_column(table, name, length);
        if (status != AKIN_OK)
            return akin_parser_fail(p, status, error);
        index = count;
    }
    l->guess = index + 1;
    *out = &table->columns[index];
    return AKIN_OK;
}

/* The same for the key as it stands between its quotes. */
static akin_status take_key(akin_parser *p, line *l, const char *key, size_t length, int escaped, akin_strings **to,
                            akin_error *error)
{
    const char *name = key;
    akin_strings *repaired = &p->jsonl.repaired;
    akin_status status = escaped ? decode(p, l, &name, &length, error) : AKIN_OK;
    if (status == AKIN_OK && p->lossy) {
        repaired->length = 0;
        status = akin_strings_append_repaired(repaired, name, length);
        if (status != AKIN_OK)
            return akin_parser_fail(p, status, error);
        name = repaired->bytes;
        length = repaired->length;
    }
    if (status == AKIN_OK)
        status = find_column(p, l, name, length, to, error);
    if (status == AKIN_OK && *to && (*to)->rows > p->table->rows)
        return fail_expected(p, l, key - 1, "each key once, and this one has been before", error);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ lines */

/* Adds the value at `at` to a column (NULL: it is not kept), and gives what follows it. */
static akin_status take_value(akin_parser *p, line *l, akin_strings *to, const char **at, akin_error *error)
{
    const char *begin = *at, *bytes = begin, *end;
    int escaped = 0, is_string = *begin == '"';
    if (is_string)
        end = akin_json_string(++bytes, p->jsonl.find, &escaped, &l->fault);
    else
        end = akin_json_value(begin, p->jsonl.find, &l->fault);
    if (!end)
        return fail_line(p, l, error);
    *at = end + is_string;
    if (!to)
        return AKIN_OK;
    size_t length = (size_t)(end - bytes);
    akin_status status = escaped ? decode(p, l, &bytes, &length, error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    status = akin_strings_add_nulls(to, p->table->rows);
    if (status == AKIN_OK && *begin == 'n')
        status = akin_strings_add_nulls(to, (uint64_t)p->table->rows + 1);
    else if (status == AKIN_OK)
        status = akin_parser_put(p, to, bytes, length);
    return status == AKIN_OK ? AKIN_OK : akin_parser_fail(p, status, error);
}

/* Adds the members of the object whose first brace is before `at`; gives what follows the object. */
static akin_status take_members(akin_parser *p, line *l, const char **at, akin_error *error)
{
    const char *here = akin_json_space(*at);
    int more = *here != '}';
    while (more) {
        int escaped;
        akin_strings *to = NULL;
        if (*here != '"')
            return fail_expected(p, l, here, "a key in double quotes", error);
        const char *key = here + 1, *end = akin_json_string(key, p->jsonl.find, &escaped, &l->fault);
        if (!end)
            return fail_line(p, l, error);
        akin_status status = take_key(p, l, key, (size_t)(end - key), escaped, &to, error);
        if (status != AKIN_OK)
            return status;
        here = akin_json_space(end + 1);
        if (*here != ':')
            return fail_expected(p, l, here, "':' and a value", error);
        here = akin_json_space(here + 1);
        status = take_value(p, l, to, &here, error);
        if (status != AKIN_OK)
            return status;
        here = akin_json_space(here);
        more = *here == ',';
        if (more)
            here = akin_json_space(here + 1);
        else if (*here != '}')
            return fail_expected(p, l, here, "',' or '}'", error);
    }
    *at = here + 1;
    return AKIN_OK;
}

void akin_jsonl_begin(akin_parser *parser)
{
    parser->jsonl.find = akin_json_finder_for(parser->cpu);
}

akin_status akin_jsonl_add(akin_parser *parser, const char *text, size_t length, akin_error *error)
{
    for (const char *at = text, *end = text + length; at < end; at++, parser->lines++) {
        line l = {.begin = at};
        at = akin_json_space(at);
        if (*at == '\n')
            continue;
        if (*at != '{')
            return fail_expected(parser, &l, at,
                                 *at == '[' ? "an object, '{...}', on each line (jq -c '.[]' writes an array so)"
                                            : "an object, '{...}', on each line",
                                 error);
        at++;
        akin_status status = take_members(parser, &l, &at, error);
        if (status != AKIN_OK)
            return status;
        const char *stop = at;
        at = akin_json_space(at);
        if (*at != '\n')
            return fail_expected(parser, &l, at, "the end of the line after the object", error);
        stop = at > stop && at[-1] == '\r' ? at - 1 : at;
        status = akin_table_end_row(parser->table, parser->lines + 1, l.begin, (size_t)(stop - l.begin));
        if (status != AKIN_OK)
            return akin_parser_fail(parser, status, error);
    }
    return AKIN_OK;
}

akin_status akin_jsonl_finish(akin_parser *parser, akin_error *error)
{
    const akin_table *table = parser->table;
    for (uint32_t i = 0; i < parser->required && table->rows > parser->first; i++)
        if (table->columns[i].rows <= parser->first) {
            char list[KEYS_SHOWN];
            akin_names_list(&parser->jsonl.others, list, sizeof list);
            const char *name = akin_names_at(&table->names, i);
            akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, name,
                             "%s: no line has the key '%s'%s; other keys of the first line: %s", parser->name,
                             akin_name_show(name, AKIN_NAME_SHOWN).name,
                             akin_names_meant(&parser->jsonl.others, name).text, *list ? list : "none");
            return akin_note_meant(AKIN_E_OPTION, akin_names_near(&parser->jsonl.others, name), error);
        }
    return AKIN_OK;
}
