/* Fuzzes the reading of JSON lines, against a plain recursive parser. */
#include "table.h"

/* A line being parsed; `at` is NULL once there is a mistake. */
typedef struct reading {
    const char *at, *end;
} reading;

typedef struct member {
    size_t row, column;
    text value;
    int is_null;
} member;

typedef struct members {
    member *list;
    size_t count, capacity;
    text names[4096];
    size_t columns;
} members;

static int peek(const reading *r)
{
    return r->at && r->at < r->end ? (unsigned char)*r->at : -1;
}

static void skip_blanks(reading *r)
{
    while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\r')
        r->at++;
}

static void expect(reading *r, char c)
{
    if (peek(r) == c)
        r->at++;
    else
        r->at = NULL;
}

/* ---------------------------------------------------------------------------------------------------------- strings */

static long hexadecimal(reading *r)
{
    char digits[5] = "";
    for (int i = 0; i < 4; i++) {
        if (!strchr("0123456789abcdefABCDEF", peek(r) > 0 ? peek(r) : 'x')) {
            r->at = NULL;
            return -1;
        }
        digits[i] = *r->at++;
    }
    return strtol(digits, NULL, 16);
}

static void add_character(text *out, long c)
{
    char bytes[4] = {(char)c, 0, 0, 0};
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const int lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; length > 1 && i-- > 0; c >>= 6)
        bytes[i] = (char)(i == 0 ? (lead[length] | (int)c) : (0x80 | (int)(c & 0x3f)));
    text_add(out, bytes, length);
}

/* Reads a string, and decodes it; *bad is set where that meets a NUL or half a pair. */
static text string(reading *r, int *bad)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    text out = {0};
    long high = 0;
    text_add(&out, "", 1); /* so that there are bytes */
    out.length = 0;
    for (expect(r, '"'); peek(r) != '"' || high;) {
        int c = peek(r);
        if (c == '\\' && r->at + 1 < r->end && r->at[1] == 'u') {
            r->at += 2;
            long unit = hexadecimal(r);
            if (unit < 0)
                break;
            if (high && unit >= 0xdc00 && unit < 0xe000)
                add_character(&out, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
            else
                *bad |= high || unit == 0 || (unit >= 0xdc00 && unit < 0xe000);
            if (unit < 0xd800 || unit >= 0xe000)
                add_character(&out, unit);
            high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
            continue;
        }
        *bad |= high != 0;
        high = 0;
        if (c == '"')
            break;
        if (c < 0x20) {
            r->at = NULL;
            break;
        }
        const char *found = c == '\\' && r->at + 1 < r->end && r->at[1] ? strchr(letters, r->at[1]) : NULL;
        if (c == '\\' && !found) {
            r->at = NULL;
            break;
        }
        text_add(&out, found ? &meant[found - letters] : r->at, 1);
        r->at += found ? 2 : 1;
    }
    expect(r, '"');
    return out;
}

/* ----------------------------------------------------------------------------------------------------------- values */

static void digits(reading *r)
{
    if (peek(r) < '0' || peek(r) > '9')
        r->at = NULL;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
}

static void number(reading *r)
{
    if (peek(r) == '-')
        r->at++;
    if (peek(r) == '0')
        r->at++;
    else
        digits(r);
    if (peek(r) == '.') {
        r->at++;
        digits(r);
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->at++;
        if (peek(r) == '+' || peek(r) == '-')
            r->at++;
        digits(r);
    }
}

static void word(reading *r, const char *letters)
{
    for (; *letters && r->at; letters++)
        expect(r, *letters);
}

static void value(reading *r, int depth);

static void collection(reading *r, int depth, char closing)
{
    int ignored = 0;
    r->at++;
    skip_blanks(r);
    if (depth > AKIN_JSON_DEPTH)
        r->at = NULL;
    for (int first = 1; r->at && !(first && peek(r) == closing); first = 0) {
        if (closing == '}') {
            free(string(r, &ignored).bytes);
            skip_blanks(r);
            expect(r, ':');
            skip_blanks(r);
        }
        value(r, depth);
        skip_blanks(r);
        if (peek(r) == closing)
            break;
        expect(r, ',');
        skip_blanks(r);
    }
    expect(r, closing);
}

static void value(reading *r, int depth)
{
    int ignored = 0, c = peek(r);
    if (c == '"')
        free(string(r, &ignored).bytes);
    else if (c == '[' || c == '{')
        collection(r, depth + 1, c == '[' ? ']' : '}');
    else if (c == 'n')
        word(r, "null");
    else if (c == 't')
        word(r, "true");
    else if (c == 'f')
        word(r, "false");
    else
        number(r);
}

/* ------------------------------------------------------------------------------------------------------------ tables
 */

static size_t column_of(members *m, text *name)
{
    for (size_t i = 0; i < m->columns; i++)
        if (text_equal(&m->names[i], name)) {
            free(name->bytes);
            return i;
        }
    require(m->columns < sizeof m->names / sizeof *m->names);
    m->names[m->columns] = *name;
    return m->columns++;
}

static member *new_member(members *m, size_t row, size_t column)
{
    if (m->count == m->capacity) {
        m->capacity = 2 * m->capacity + 16;
        m->list = realloc(m->list, m->capacity * sizeof *m->list);
        if (!m->list)
            abort();
    }
    m->list[m->count] = (member){.row = row, .column = column};
    return &m->list[m->count++];
}

/* Reads a key and its value. Returns 0 if it is a mistake. */
static int plain_member(reading *r, members *m, size_t row)
{
    int bad = 0;
    text name = string(r, &bad);
    if (!r->at || bad) {
        free(name.bytes);
        return 0;
    }
    size_t column = column_of(m, &name);
    for (size_t i = m->count; i-- > 0 && m->list[i].row == row;)
        if (m->list[i].column == column)
            return 0;
    member *one = new_member(m, row, column);
    skip_blanks(r);
    expect(r, ':');
    skip_blanks(r);
    const char *begin = r->at;
    one->is_null = peek(r) == 'n';
    if (peek(r) == '"') {
        one->value = string(r, &bad);
    } else {
        value(r, 0);
        if (r->at && !one->is_null)
            text_add(&one->value, begin, (size_t)(r->at - begin));
    }
    skip_blanks(r);
    return r->at && !bad;
}

/* Reads a line. Returns 0 if it is a mistake. */
static int plain_line(reading *r, members *m, size_t row)
{
    expect(r, '{');
    skip_blanks(r);
    for (int first = 1; !(first && peek(r) == '}'); first = 0) {
        if (!r->at || !plain_member(r, m, row))
            return 0;
        if (peek(r) == '}')
            break;
        expect(r, ',');
        skip_blanks(r);
    }
    expect(r, '}');
    skip_blanks(r);
    return r->at && r->at == r->end;
}

/* `lines` are those on which the records stand. */
static text members_text(const members *m, const text *records, const long *lines, size_t rows)
{
    text t = {0};
    for (size_t i = 0; i < m->columns; i++)
        text_add_string(&t, m->names[i].bytes, m->names[i].length);
    text_add_string(&t, "", 0); /* no header */
    for (size_t row = 0, from = 0; row < rows; row++) {
        size_t to = from;
        text_add_row(&t, lines[row]);
        text_add_string(&t, records[row].bytes, records[row].length);
        while (to < m->count && m->list[to].row == row)
            to++;
        for (size_t column = 0; column < m->columns; column++) {
            const member *found = NULL;
            for (size_t i = from; i < to; i++)
                if (m->list[i].column == column)
                    found = &m->list[i];
            text_add_string(&t, found && !found->is_null ? found->value.bytes : NULL, found ? found->value.length : 0);
        }
        from = to;
    }
    return t;
}

static plain parse(const char *bytes, size_t size)
{
    static members m;
    plain p = {{0}, 0};
    text *records = calloc(size + 1, sizeof *records);
    long *lines = calloc(size + 1, sizeof *lines);
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, rows = 0;
    long line = 1;
    m = (members){.count = 0};
    require(records && lines);
    for (; at < size && !p.line; line++) {
        size_t end = at;
        while (end < size && bytes[end] != '\n')
            end++;
        reading r = {bytes + at, bytes + end};
        skip_blanks(&r);
        if (r.at < r.end) {
            p.line = plain_line(&r, &m, rows) ? 0 : line;
            lines[rows] = line;
            records[rows++] = (text){(char *)bytes + at, end - at - (bytes[end - 1] == '\r'), 0};
        }
        at = end + 1;
    }
    if (!p.line)
        p.table = members_text(&m, records, lines, rows);
    for (size_t i = 0; i < m.count; i++)
        free(m.list[i].value.bytes);
    for (size_t i = 0; i < m.columns; i++)
        free(m.names[i].bytes);
    free(m.list);
    free(records);
    free(lines);
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_table(AKIN_FORMAT_JSONL, parse, data, size);
}
