/* Fuzzes the reading of documents of plain text: paragraphs, and whole files. */
#include "table.h"

/* Adds the document bytes[begin] .. bytes[end - 1], which begins on that line: without the end of its last line. */
static void add_document(plain *p, const char *bytes, size_t begin, size_t end, long line)
{
    if (end > begin && bytes[end - 1] == '\n')
        end--;
    if (end > begin && bytes[end - 1] == '\r')
        end--;
    text_add_row(&p->table, line);
    text_add_string(&p->table, bytes + begin, end - begin); /* the record, and the column */
    text_add_string(&p->table, bytes + begin, end - begin);
}

static int is_blank(const char *line, size_t length)
{
    if (length > 0 && line[length - 1] == '\r')
        length--;
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    return length == 0;
}

static size_t begin_table(plain *p, const char *bytes, size_t size)
{
    text_add_string(&p->table, "text", 4);
    text_add_string(&p->table, "", 0); /* no header */
    return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static plain parse_paragraphs(const char *bytes, size_t size)
{
    plain p = {{0}, 0};
    size_t at = begin_table(&p, bytes, size), begin = at;
    long line = 0, first = 0; /* the line that the document begins on; 0: there is none */
    while (at < size) {
        size_t end = at;
        while (end < size && bytes[end] != '\n')
            end++;
        int blank = is_blank(bytes + at, end - at);
        line++;
        if (blank && first)
            add_document(&p, bytes, begin, at, first);
        if (blank || !first)
            begin = blank ? end + 1 : at;
        first = blank ? 0 : first ? first : line;
        at = end + 1;
    }
    if (first)
        add_document(&p, bytes, begin, size, first);
    return p;
}

static plain parse_whole(const char *bytes, size_t size)
{
    plain p = {{0}, 0};
    size_t begin = begin_table(&p, bytes, size);
    add_document(&p, bytes, begin, size, 1);
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_table(AKIN_FORMAT_PARAGRAPHS, parse_paragraphs, data, size);
    return fuzz_table(AKIN_FORMAT_WHOLE, parse_whole, data, size);
}
