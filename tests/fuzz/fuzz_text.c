/* Fuzzes the reading of text, a row a line. */
#include "table.h"

static plain parse(const char *bytes, size_t size)
{
    plain p = {{0}, 0};
    long line = 1;
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    text_add_string(&p.table, "text", 4);
    text_add_string(&p.table, "", 0); /* no header */
    while (at < size) {
        size_t end = at;
        while (end < size && bytes[end] != '\n')
            end++;
        size_t length = end - at - (end > at && bytes[end - 1] == '\r');
        text_add_row(&p.table, line++);
        text_add_string(&p.table, bytes + at, length); /* the record, and the column */
        text_add_string(&p.table, bytes + at, length);
        at = end + 1;
    }
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_table(AKIN_FORMAT_TEXT, parse, data, size);
}
