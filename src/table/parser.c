/* Parses records from memory: checks bytes, passes lines on to their format's parser, and hands out the table. */
#include "table/parser.h"

#include "base/foreign.h"
#include "base/memory.h"
#include "base/reader.h"
#include "table/utf8.h"

#define MARK "\xef\xbb\xbf" /* that some editors put before UTF-8 text */

uint64_t akin_parser_line(const akin_parser *parser, const char *text, const char *at)
{
    uint64_t line = parser->lines + 1;
    for (const char *feed; (feed = memchr(text, '\n', (size_t)(at - text))) != NULL; text = feed + 1)
        line++;
    return line;
}

akin_status akin_parser_fail(const akin_parser *parser, akin_status status, akin_error *error)
{
    if (status == AKIN_E_LIMIT && parser->table->rows == UINT32_MAX)
        return akin_fail(error, status, "%s: has more than 4294967295 rows", parser->name);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "%s: has too many columns", parser->name);
    if (status == AKIN_E_IO)
        return akin_store_fail(&parser->table->store, status, NULL, error);
    return akin_error_set(error, status, AKIN_REASON_MEMORY, "%s: not enough memory for a table of %u rows and more",
                          parser->name, parser->table->rows);
}

/* ------------------------------------------------------------------------------------------------ beginning and end */

static akin_status choose_parsed_columns(akin_parser *parser, const akin_table_options *options, akin_error *error)
{
    akin_table *table = parser->table;
    for (uint32_t i = 0; i < options->column_count; i++) {
        const char *name = options->columns[i];
        if (akin_names_find(&table->names, name, strlen(name)) != AKIN_NAMES_NONE)
            return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_REPEATED, name,
                                    "the column '%s' is asked for twice", akin_name_show(name, AKIN_NAME_SHOWN).name);
        if (parser->format->is_plain && i < parser->required && strcmp(name, "text") != 0)
            return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, name,
                                    "%s: there is no column '%s'; the one of a text is 'text'", parser->name,
                                    akin_name_show(name, AKIN_NAME_SHOWN).name);
        akin_status status = akin_table_add_column(table, name, strlen(name));
        if (status != AKIN_OK)
            return akin_parser_fail(parser, status, error);
    }
    parser->text = parser->format->is_plain ? akin_names_find(&table->names, "text", 4) : 0;
    if (parser->text != AKIN_NAMES_NONE)
        return AKIN_OK;
    parser->text = akin_names_count(&table->names);
    akin_status status = akin_table_add_column(table, "text", 4);
    return status == AKIN_OK ? status : akin_parser_fail(parser, status, error);
}

akin_status akin_parser_begin(akin_parser *parser, const akin_scope *scope, const char *name,
                              const akin_format_row *format, const akin_table_options *options, akin_error *error)
{
    *parser = (akin_parser){.name = name,
                            .format = format,
                            .cpu = scope->cpu,
                            .lossy = options->lossy,
                            .record_most = akin_record_most_of(scope, akin_reader_block_bytes(scope)),
                            .keep_all = options->column_count == 0,
                            .required = options->column_count - options->optional};
    if (parser->format->begin)
        parser->format->begin(parser);
    akin_status status = akin_table_begin(scope, options, &parser->table, error);
    return status == AKIN_OK ? choose_parsed_columns(parser, options, error) : status;
}

akin_status akin_parser_end_file(akin_parser *parser, akin_error *error)
{
    return parser->format && parser->format->finish ? parser->format->finish(parser, error) : AKIN_OK;
}

akin_status akin_parser_finish(akin_parser *parser, akin_table **out, akin_error *error)
{
    akin_status status = akin_parser_end_file(parser, error);
    if (status != AKIN_OK)
        return status;
    status = akin_table_finish(parser->table);
    if (status != AKIN_OK)
        return akin_parser_fail(parser, status, error);
    *out = parser->table;
    parser->table = NULL;
    return AKIN_OK;
}

akin_status akin_parser_match(const akin_parser *parser, const akin_names *names, const char *name, akin_error *error)
{
    const akin_names *own = &parser->table->names;
    const akin_names *sides[2][2] = {{own, names}, {names, own}};
    if (!parser->keep_all || akin_table_files(parser->table) == 0)
        return AKIN_OK;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < akin_names_count(sides[side][0]); i++) {
            const char *column = akin_names_at(sides[side][0], i);
            if (akin_names_find(sides[side][1], column, strlen(column)) == AKIN_NAMES_NONE)
                return akin_fail_column(error, AKIN_E_INPUT, AKIN_REASON_NO_COLUMN, column,
                                        side ? "%s: has a column '%s', which the files before do not have"
                                             : "%s: there is no column '%s', which the files before have",
                                        name, akin_name_show(column, AKIN_NAME_SHOWN).name);
        }
    return AKIN_OK;
}

/* Adds columns of `head` that are not there, and makes all columns as long as the table. */
static akin_status even_columns(akin_parser *parser, const akin_names *names)
{
    akin_table *table = parser->table;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < akin_names_count(names) && status == AKIN_OK; i++) {
        const char *name = akin_names_at(names, i);
        if (akin_names_find(&table->names, name, strlen(name)) == AKIN_NAMES_NONE)
            status = akin_table_add_column(table, name, strlen(name));
    }
    return status == AKIN_OK ? akin_table_even(table) : status;
}

/* The fields of a file of CSV or TSV are columns of this table, as they are of the other one's. */
static akin_status take_fields(akin_parser *parser, const akin_parser *head)
{
    const akin_delimited *from = &head->delimited;
    akin_delimited *to = &parser->delimited;
    akin_free(to->columns);
    to->columns = NULL;
    to->separator = from->separator;
    to->quotes = from->quotes;
    to->has_header = from->has_header;
    to->fields = from->fields;
    to->inside = to->field = to->record_line = to->feeds = 0;
    to->pending.length = to->record.length = 0;
    if (!from->has_header)
        return AKIN_OK;
    to->columns = akin_alloc(NULL, from->fields, sizeof *to->columns);
    if (!to->columns)
        return AKIN_E_NOMEM;
    for (uint64_t i = 0; i < from->fields; i++) {
        to->columns[i] = NULL;
        if (!from->columns[i])
            continue;
        const char *name = akin_names_at(&head->table->names, (uint32_t)(from->columns[i] - head->table->columns));
        to->columns[i] = &parser->table->columns[akin_names_find(&parser->table->names, name, strlen(name))];
    }
    return AKIN_OK;
}

/* The keys of the first line, if `head` has parsed it. */
static akin_status take_others(akin_parser *parser, const akin_parser *head, akin_error *error)
{
    const akin_names *from = &head->jsonl.others;
    akin_names *to = &parser->jsonl.others;
    akin_status status = AKIN_OK;
    akin_names_clear(to);
    for (uint32_t i = 0; i < akin_names_count(from) && status == AKIN_OK; i++) {
        const char *name = akin_names_at(from, i);
        status = akin_names_add(to, name, strlen(name));
    }
    return status == AKIN_OK ? AKIN_OK : akin_parser_fail(parser, status, error);
}

akin_status akin_parser_turn(akin_parser *parser, const akin_parser *head, uint64_t lines, const char *header,
                             uint64_t length, akin_error *error)
{
    akin_table *table = parser->table;
    akin_status status = AKIN_OK;
    parser->name = head->name;
    parser->format = head->format;
    if (head->delimited.has_header || head->format->is_plain)
        status = akin_parser_match(parser, &head->table->names, head->name, error);
    if (status != AKIN_OK)
        return status;
    if (parser->format->begin)
        parser->format->begin(parser);
    status = even_columns(parser, &head->table->names);
    if (status == AKIN_OK)
        status = take_fields(parser, head);
    if (status == AKIN_OK)
        status = akin_table_add_file(table, head->name, (akin_format)head->format->choice.value, parser->table->rows,
                                     header, length);
    if (status != AKIN_OK)
        return akin_parser_fail(parser, status, error);
    parser->text = head->format->is_plain ? akin_names_find(&table->names, "text", 4) : 0;
    parser->begun = 1;
    parser->first = table->rows;
    parser->lines = parser->delimited.line = lines;
    parser->document = 0;
    return take_others(parser, head, error);
}

void akin_parser_clear(akin_parser *parser)
{
    akin_table_free(parser->table);
    akin_free(parser->delimited.columns);
    akin_strings_clear(&parser->delimited.pending);
    akin_strings_clear(&parser->delimited.record);
    akin_strings_clear(&parser->jsonl.scratch);
    akin_strings_clear(&parser->jsonl.repaired);
    akin_names_clear(&parser->jsonl.others);
    parser->table = NULL;
    parser->delimited.columns = NULL;
}

/* ------------------------------------------------------------------------------------------------------------- text */

/* How many bytes are text: up to the first one that is NUL or, if that is an error, not UTF-8. */
static size_t text_bytes(const akin_parser *parser, const char *text, size_t length)
{
    if (akin_utf8_is_plain(text, length, parser->cpu))
        return length;
    const char *zero = memchr(text, '\0', length);
    const size_t upto = zero ? (size_t)(zero - text) : length;
    return parser->lossy || akin_utf8_is_valid(text, upto, parser->cpu) ? upto : akin_utf8_check(text, upto);
}

/* The message for the first byte that is no text. */
static akin_status fail_byte(const akin_parser *parser, const char *text, size_t length, size_t at, akin_error *error)
{
    const char *feed = memchr(text + at, '\n', length - at), *end = feed ? feed : text + length;
    const int has_zero = memchr(text + at, '\0', (size_t)(end - (text + at))) != NULL;
    const uint64_t line = akin_parser_line(parser, text, text + at);
    if (text[at] == '\0')
        return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_NUL, parser->name, line,
                              "has a NUL byte, which text never has");
    return akin_fail_line(error, AKIN_E_INPUT, has_zero ? AKIN_REASON_NUL : AKIN_REASON_NOT_UTF8, parser->name, line,
                          "is not UTF-8 (byte 0x%02x)%s", (unsigned char)text[at],
                          has_zero ? "" : "; if it is Latin-1, iconv -f LATIN1 -t UTF-8 converts it");
}

/* Parses lines that each end in LF. */
static akin_status add_lines(akin_parser *parser, const char *text, size_t length, akin_error *error)
{
    return length == 0 ? AKIN_OK : parser->format->add(parser, text, length, error);
}

/* Parses the last line of a file, which lacks its line feed: a copy gets one. */
static akin_status add_last_line(akin_parser *parser, const char *text, size_t length, akin_error *error)
{
    if (length == 0)
        return AKIN_OK;
    char *line = length < SIZE_MAX - AKIN_PARSER_PADDING ? akin_alloc(NULL, length + 1 + AKIN_PARSER_PADDING, 1) : NULL;
    if (!line)
        return akin_parser_fail(parser, AKIN_E_NOMEM, error);
    memcpy(line, text, length);
    memset(line + length, '\n', 1 + AKIN_PARSER_PADDING);
    akin_status status = add_lines(parser, line, length + 1, error);
    akin_free(line);
    return status;
}

/* Parses the lines before the first byte that is no text, because their errors come first. */
static akin_status add_before(akin_parser *parser, const char *text, size_t length, size_t at, akin_error *error)
{
    size_t whole = at;
    while (whole > 0 && text[whole - 1] != '\n')
        whole--;
    const uint64_t lines = parser->lines;
    akin_status status = add_lines(parser, text, whole, error);
    parser->lines = lines;
    return status == AKIN_OK ? fail_byte(parser, text, length, at, error) : status;
}

akin_status akin_parser_start(akin_parser *parser, const char *text, size_t length, size_t *mark, akin_error *error)
{
    const char *wide = akin_wide(text, length);
    *mark = length >= strlen(MARK) && memcmp(text, MARK, strlen(MARK)) == 0 ? strlen(MARK) : 0;
    text += *mark;
    length -= *mark;
    parser->begun = 1;
    if (wide && text_bytes(parser, text, length) < length)
        return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_UTF16, parser->name, 1, "%s", wide);
    /* In JSON a carriage return is a blank like others; elsewhere text of several lines would be taken for one, and in
     * a table all of it for the header. */
    if (parser->format->returns > 0 && akin_has_returns(text, length, parser->format->returns) &&
        text_bytes(parser, text, length) == length)
        return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, parser->name, 1, "%s", AKIN_RETURNS);
    return AKIN_OK;
}

akin_status akin_parser_add(akin_parser *parser, const char *text, size_t length, akin_error *error)
{
    size_t mark = 0;
    akin_status status = parser->begun ? AKIN_OK : akin_parser_start(parser, text, length, &mark, error);
    if (status != AKIN_OK)
        return status;
    text += mark;
    length -= mark;
    size_t whole = text_bytes(parser, text, length);
    if (whole < length)
        return add_before(parser, text, length, whole, error);
    while (whole > 0 && text[whole - 1] != '\n')
        whole--;
    status = add_lines(parser, text, whole, error);
    return status == AKIN_OK ? add_last_line(parser, text + whole, length - whole, error) : status;
}

/* ----------------------------------------------------------------------------------------------------------- pieces */

int akin_parser_is_settled(const akin_parser *parser)
{
    return parser->table->rows > 0 && parser->delimited.inside == 0;
}

akin_status akin_parser_fork(const akin_parser *parser, const akin_scope *scope, akin_parser *piece, akin_error *error)
{
    const akin_table *table = parser->table;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.keep_records = table->keeps_records;
    options.keep_lines = table->keeps_lines;
    *piece = (akin_parser){.name = parser->name,
                           .format = parser->format,
                           .cpu = parser->cpu,
                           .lossy = parser->lossy,
                           .record_most = parser->record_most,
                           .keep_all = parser->keep_all,
                           .text = parser->text,
                           .begun = 1};
    if (parser->format->begin)
        parser->format->begin(piece);
    akin_status status = akin_table_begin(scope, &options, &piece->table, error);
    for (uint32_t i = 0; i < akin_names_count(&table->names) && status == AKIN_OK; i++) {
        const char *name = akin_names_at(&table->names, i);
        status = akin_table_add_column(piece->table, name, strlen(name));
        if (status != AKIN_OK)
            akin_parser_fail(parser, status, error);
    }
    return status;
}

void akin_parser_renew(akin_parser *piece)
{
    akin_table_empty(piece->table);
    akin_names_clear(&piece->jsonl.others);
    piece->lines = 0;
}
