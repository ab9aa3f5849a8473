/* Formats of tables: the tables of rows. */
#include "table/formats.h"

#include "base/reader.h"

#include <stdio.h>

static const akin_format_row formats[] = {
    {{"text", "", "plain text, every line a row", AKIN_FORMAT_TEXT, AKIN_CAN_READ},
     {".txt", NULL},
     akin_table_read_text,
     NULL,
     akin_lines_add,
     NULL,
     1,
     2},
    {{"csv", "", "fields separated by commas", AKIN_FORMAT_CSV, AKIN_CAN_READ | AKIN_CAN_WRITE | AKIN_HAS_COLUMNS},
     {".csv", NULL},
     akin_table_read_text,
     akin_csv_begin,
     akin_delimited_add,
     akin_delimited_finish,
     0,
     1},
    {{"tsv", "", "fields separated by tabs", AKIN_FORMAT_TSV, AKIN_CAN_READ | AKIN_CAN_WRITE | AKIN_HAS_COLUMNS},
     {".tsv", ".tab"},
     akin_table_read_text,
     akin_tsv_begin,
     akin_delimited_add,
     akin_delimited_finish,
     0,
     1},
    {{"jsonl", "", "lines of JSON objects", AKIN_FORMAT_JSONL, AKIN_CAN_READ | AKIN_CAN_WRITE | AKIN_HAS_COLUMNS},
     {".jsonl", ".ndjson"},
     akin_table_read_text,
     akin_jsonl_begin,
     akin_jsonl_add,
     akin_jsonl_finish,
     0,
     0},
};
const akin_choice_table akin_table_formats = AKIN_CHOICE_TABLE("format", formats);

static const akin_format_row documents[] = {
    {{"line", "", "a document is a line", AKIN_FORMAT_TEXT, AKIN_IS_DEFAULT},
     {NULL},
     akin_table_read_text,
     NULL,
     akin_lines_add,
     NULL,
     1,
     2},
    {{"blank-line", "", "a document ends at a blank line", AKIN_FORMAT_PARAGRAPHS, 0},
     {NULL},
     akin_table_read_text,
     NULL,
     akin_paragraphs_add,
     akin_documents_finish,
     1,
     2},
    {{"file", "", "a document is a file", AKIN_FORMAT_WHOLE, 0},
     {NULL},
     akin_table_read_text,
     NULL,
     akin_whole_add,
     akin_whole_finish,
     1,
     2},
};
const akin_choice_table akin_document_formats = AKIN_CHOICE_TABLE("kind of documents", documents);

const akin_format_row *akin_format_of(akin_format format)
{
    const akin_choice *row = akin_choice_of(&akin_table_formats, (int)format);
    return (const akin_format_row *)(row ? row : akin_choice_of(&akin_document_formats, (int)format));
}

akin_status akin_format_of_name(const char *path, akin_format *out, akin_error *error)
{
    const size_t length = akin_reader_stem(path);
    char all[120] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int e = 0; e < AKIN_FORMAT_ENDINGS && formats[i].endings[e]; e++) {
            if (akin_reader_ends(path, length, formats[i].endings[e])) {
                *out = (akin_format)formats[i].choice.value;
                return AKIN_OK;
            }
            if (used < sizeof all)
                used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? ", " : "",
                                         formats[i].endings[e]);
        }
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_FORMAT,
                          "%s: its name does not say its format: expected an ending such as %s, also with .gz or .zst "
                          "behind, or to be told the format",
                          path, all);
}
