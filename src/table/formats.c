/* Formats of tables: the tables of rows. */
#include "table/formats.h"

#include "base/reader.h"
#include "base/remote.h"
#include "table/delimited.h"
#include "table/documents.h"
#include "table/jsonl.h"
#include "table/lines.h"
#include "table/opened.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 600 /* bytes of a path that a message shows */

static const akin_format_row formats[] = {
    {{"text", "", "plain text, every line a row", AKIN_FORMAT_TEXT, AKIN_CAN_READ},
     {".txt", NULL},
     NULL,
     NULL,
     akin_lines_add,
     NULL,
     1,
     2,
     AKIN_CUT_LINES,
     {NULL},
     NULL,
     NULL},
    {{"csv", "", "fields separated by commas", AKIN_FORMAT_CSV, AKIN_CAN_READ | AKIN_CAN_WRITE | AKIN_HAS_COLUMNS},
     {".csv", NULL},
     NULL,
     akin_csv_begin,
     akin_delimited_add,
     akin_delimited_finish,
     0,
     1,
     AKIN_CUT_QUOTES,
     {NULL},
     NULL,
     NULL},
    {{"tsv", "", "fields separated by tabs", AKIN_FORMAT_TSV, AKIN_CAN_READ | AKIN_CAN_WRITE | AKIN_HAS_COLUMNS},
     {".tsv", ".tab"},
     NULL,
     akin_tsv_begin,
     akin_delimited_add,
     akin_delimited_finish,
     0,
     1,
     AKIN_CUT_LINES,
     {NULL},
     NULL,
     NULL},
    {{"jsonl", "", "lines of JSON objects", AKIN_FORMAT_JSONL, AKIN_CAN_READ | AKIN_CAN_WRITE | AKIN_HAS_COLUMNS},
     {".jsonl", ".ndjson"},
     NULL,
     akin_jsonl_begin,
     akin_jsonl_add,
     akin_jsonl_finish,
     0,
     0,
     AKIN_CUT_LINES,
     {NULL},
     NULL,
     NULL},
};
const akin_choice_table akin_table_formats = AKIN_CHOICE_TABLE("format", formats);

static const akin_format_row documents[] = {
    {{"line", "", "a document is a line", AKIN_FORMAT_TEXT, AKIN_IS_DEFAULT},
     {NULL},
     NULL,
     NULL,
     akin_lines_add,
     NULL,
     1,
     2,
     AKIN_CUT_LINES,
     {NULL},
     NULL,
     NULL},
    {{"blank-line", "", "a document ends at a blank line", AKIN_FORMAT_PARAGRAPHS, 0},
     {NULL},
     NULL,
     NULL,
     akin_paragraphs_add,
     akin_documents_finish,
     1,
     2,
     AKIN_CUT_NOWHERE,
     {NULL},
     NULL,
     NULL},
    {{"file", "", "a document is a file", AKIN_FORMAT_WHOLE, AKIN_HAS_NAMES},
     {NULL},
     NULL,
     NULL,
     akin_whole_add,
     akin_whole_finish,
     1,
     2,
     AKIN_CUT_NOWHERE,
     {NULL},
     NULL,
     NULL},
};
const akin_choice_table akin_document_formats = AKIN_CHOICE_TABLE("kind of documents", documents);

#define OPENED    akin_opened_read, NULL, NULL, NULL, 0, 0, AKIN_CUT_NOWHERE
#define BY(extra) "for the Python package's command: pip install 'libakin[" extra "]'"
static const akin_format_row opened[] = {
    {{"parquet", "", BY("parquet"), AKIN_FORMAT_PARQUET, AKIN_HAS_COLUMNS},
     {".parquet"},
     OPENED,
     {NULL},
     "duckdb -c \"copy (from 'FILE') to '/dev/stdout' (format csv)\"",
     "duckdb -c \"copy (from read_csv('/dev/stdin')) to 'FILE' (format parquet)\""},
    {{"arrow", "", BY("parquet"), AKIN_FORMAT_ARROW, AKIN_HAS_COLUMNS},
     {".arrow", ".feather", ".ipc"},
     OPENED,
     {NULL},
     NULL,
     NULL},
    {{"duckdb", "", BY("databases"), AKIN_FORMAT_DUCKDB, AKIN_HAS_COLUMNS | AKIN_HAS_TABLES},
     {NULL},
     OPENED,
     {"duckdb:"},
     "duckdb FILE -c \"copy TABLE to '/dev/stdout' (format csv)\"",
     "duckdb FILE -c \"create table TABLE as from read_csv('/dev/stdin')\""},
    {{"sqlite", "", BY("databases"), AKIN_FORMAT_SQLITE, AKIN_HAS_COLUMNS | AKIN_HAS_TABLES},
     {NULL},
     OPENED,
     {"sqlite:"},
     "sqlite3 -header -csv FILE 'select * from TABLE'",
     "sqlite3 -csv FILE '.import /dev/stdin TABLE'"},
    {{"postgresql", "", BY("databases"), AKIN_FORMAT_POSTGRESQL, AKIN_HAS_COLUMNS | AKIN_HAS_TABLES},
     {NULL},
     OPENED,
     {"postgresql://", "postgres://"},
     "psql ADDRESS -c 'copy TABLE to stdout csv header'",
     "psql ADDRESS -c 'copy TABLE from stdin csv header'"},
};
const akin_choice_table akin_opened_formats = AKIN_CHOICE_TABLE("opened format", opened);

/* Endings of other formats that hold tables: the help says what to do with such a file. Their values mean nothing. */
#define FROM_SQLITE "name its table, sqlite:FILE?table=TABLE: the Python package reads it"
static const akin_choice foreign[] = {
    {"orc", "", "use akin in Python with pyarrow or Polars", 0, 0},
    {"avro", "", "use akin in Python with Polars", 0, 0},
    {"xlsx", "", "save it as CSV UTF-8 in Excel", 0, 0},
    {"xls", "", "save it as CSV UTF-8 in Excel", 0, 0},
    {"ods", "", "save it as CSV in UTF-8 in your spreadsheet program", 0, 0},
    {"db", "", FROM_SQLITE, 0, 0},
    {"sqlite", "", FROM_SQLITE, 0, 0},
    {"duckdb", "", "name its table, duckdb:FILE?table=TABLE: the Python package reads it", 0, 0},
};
const akin_choice_table akin_foreign_formats = AKIN_CHOICE_TABLE("foreign format", foreign);

/* The row for the ending of a name of `length` bytes; NULL: no foreign format has that ending. */
static const akin_choice *foreign_of(const char *path, size_t length)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        char ending[16];
        snprintf(ending, sizeof ending, ".%s", foreign[i].name);
        if (akin_reader_ends(path, length, ending))
            return &foreign[i];
    }
    return NULL;
}

const akin_format_row *akin_format_of(akin_format format)
{
    static const akin_choice_table *const tables[] = {&akin_table_formats, &akin_document_formats,
                                                      &akin_opened_formats};
    const akin_choice *row = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !row; i++)
        row = akin_choice_of(tables[i], (int)format);
    return (const akin_format_row *)row;
}

/* The row whose files have names that end like this path, of which `length` bytes count; NULL: there is none. */
static const akin_format_row *row_of_ending(const akin_format_row *rows, size_t count, const char *path, size_t length)
{
    for (size_t i = 0; i < count; i++)
        for (int e = 0; e < AKIN_FORMAT_ENDINGS && rows[i].endings[e]; e++)
            if (akin_reader_ends(path, length, rows[i].endings[e]))
                return &rows[i];
    return NULL;
}

/* The row whose addresses begin like this path; NULL: there is none. */
static const akin_format_row *row_of_scheme(const char *path)
{
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++)
        for (int s = 0; s < AKIN_FORMAT_SCHEMES && opened[i].schemes[s]; s++)
            if (strncmp(path, opened[i].schemes[s], strlen(opened[i].schemes[s])) == 0)
                return &opened[i];
    return NULL;
}

/* The endings of the formats that the library reads: ".txt, .csv". */
static void list_endings(char *text, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int e = 0; e < AKIN_FORMAT_ENDINGS && formats[i].endings[e] && used < room; e++)
            used += (size_t)snprintf(text + used, room - used, "%s%s", used > 0 ? ", " : "", formats[i].endings[e]);
}

int akin_format_is_opened(const char *path)
{
    return row_of_scheme(path) ||
           row_of_ending(opened, sizeof opened / sizeof *opened, path, akin_remote_name_length(path));
}

akin_status akin_format_of_ending(const char *path, akin_format *out, akin_error *error)
{
    const size_t length = akin_reader_stem(path);
    char all[120] = "", shown[SHOWN];
    const akin_format_row *row = row_of_scheme(path);
    if (!row)
        row = row_of_ending(formats, sizeof formats / sizeof *formats, path, length);
    if (!row)
        row = row_of_ending(opened, sizeof opened / sizeof *opened, path, akin_remote_name_length(path));
    if (row) {
        *out = (akin_format)row->choice.value;
        return AKIN_OK;
    }
    akin_address_show(path, shown, sizeof shown);
    row = row_of_ending(opened, sizeof opened / sizeof *opened, path, length);
    if (row)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                              "%s: a compressed file of %s is not read: unpack it first", shown, row->choice.name);
    list_endings(all, sizeof all);
    const akin_choice *other = foreign_of(path, length);
    if (other)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                              "%s: .%s is neither read nor written: expected an ending such as %s; %s", shown,
                              other->name, all, other->help);
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_FORMAT,
                          "%s: its name does not say its format: expected an ending such as %s, also with .gz or .zst "
                          "behind, or to be told the format",
                          shown, all);
}
