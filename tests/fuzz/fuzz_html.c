/*
 * Fuzzes the pages that akin writes, with a parser of HTML as judge. The input is the name of a column and its values,
 * with line feeds between. A report and a page of questions are made of them, and again of the same text with other
 * characters in the place of markup. Both pages must be the same to a parser: the same tags and attributes, and the
 * same text, but for those characters. So no text of others becomes a tag, an attribute, a script or an entity.
 */
#include "commands.h"

#define VALUES 6
#define LONG   60 /* bytes of a value */

/* ------------------------------------------------------------------------------------------------------------- text */

typedef struct text {
    char *bytes;
    size_t length, capacity;
} text;

static void add(text *t, const char *bytes, size_t length)
{
    if (t->capacity - t->length < length + 1) {
        t->capacity = 2 * (t->length + length) + 100;
        t->bytes = realloc(t->bytes, t->capacity);
        require(t->bytes != NULL);
    }
    if (length > 0)
        memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
}

static void add_string(text *t, const char *string)
{
    add(t, string, strlen(string));
}

/* Adds a character, one of markup as one of private use: so both pages say the same. */
static void add_tame(text *t, char c)
{
    static const char markup[] = "<>&\"'";
    const char *at = c ? strchr(markup, c) : NULL;
    const char private[] = {'\xee', '\x80', (char)(0x80 + (at ? at - markup : 0))};
    if (at)
        add(t, private, sizeof private);
    else
        add(t, &c, 1);
}

/* ----------------------------------------------------------------------------------------------------------- parser */

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static int is_letter(char c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* Whether the text at this place begins with a name, in any case, behind which it ends. */
static int has_name(const char *at, const char *end, const char *name)
{
    const size_t length = strlen(name);
    return (size_t)(end - at) > length && strncasecmp(at, name, length) == 0 &&
           (is_blank(at[length]) || at[length] == '>' || at[length] == '/');
}

/* Decodes a reference, which begins with '&'; returns what follows it. */
static const char *take_reference(text *out, const char *at, const char *end)
{
    static const struct {
        const char *name;
        char c;
    } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((size_t)(end - at) >= strlen(known[i].name) && strncmp(at, known[i].name, strlen(known[i].name)) == 0) {
            add_tame(out, known[i].c);
            return at + strlen(known[i].name);
        }
    add_string(out, "{reference}"); /* another, which no text of others has */
    return at + 1;
}

static void take_text(text *out, const char *at, const char *end)
{
    while (at < end) {
        if (*at == '&')
            at = take_reference(out, at, end);
        else
            add_tame(out, *at++);
    }
}

/* Takes the attributes of a tag; returns what follows the tag. */
static const char *take_attributes(text *out, const char *at, const char *end)
{
    while (at < end && *at != '>') {
        if (is_blank(*at) || *at == '/') {
            at++;
            continue;
        }
        add_string(out, "{attribute} ");
        for (; at < end && !is_blank(*at) && *at != '=' && *at != '>'; at++)
            add(out, at, 1);
        if (at < end && *at == '=') {
            const char quote = ++at < end ? *at : '\0';
            const int is_quoted = quote == '"' || quote == '\'';
            const char *begin = at += is_quoted;
            while (at < end && (is_quoted ? *at != quote : !is_blank(*at) && *at != '>'))
                at++;
            add_string(out, "=");
            take_text(out, begin, at);
            at += is_quoted && at < end;
        }
    }
    return at < end ? at + 1 : end;
}

/* What an element whose content is no markup has, as it is, or with references decoded; JSON as its strings. */
static const char *take_raw(text *out, const char *at, const char *end, const char *name, int decode)
{
    char close[20];
    const char *begin = at;
    akin_json *json = NULL;
    snprintf(close, sizeof close, "</%s", name);
    while (at < end && !has_name(at, end, close))
        at++;
    require(at < end);
    if (decode) {
        take_text(out, begin, at);
    } else if (begin < at && *begin == '{' &&
               akin_json_parse("script", begin, (uint64_t)(at - begin), &json, NULL) == AKIN_OK) {
        const akin_json_node *nodes = akin_json_nodes(json);
        for (uint32_t i = 0; i < nodes[0].next; i++) {
            add_string(out, "{json} ");
            for (const char *c = nodes[i].text; c && *c; c++)
                add_tame(out, *c);
        }
        akin_json_free(json);
    } else {
        add(out, begin, (size_t)(at - begin));
    }
    return at;
}

/* What a parser sees in a page: a text in which tags, attributes and text are told apart. */
static text parse(const char *at, size_t length)
{
    static const char *const raw[] = {"script", "style", "title", "textarea"};
    const char *end = at + length;
    text out = {0};
    while (at < end) {
        const int closes = end - at > 2 && at[0] == '<' && at[1] == '/' && is_letter(at[2]);
        if (!closes && !(end - at > 1 && at[0] == '<' && is_letter(at[1]))) {
            const char *begin = at;
            if (end - at > 1 && at[0] == '<' && (at[1] == '!' || at[1] == '?' || at[1] == '/')) {
                add_string(&out, "{declaration}");
                while (at < end && *at != '>')
                    at++;
            }
            for (at += at < end; at < end && *at != '<';)
                at++;
            take_text(&out, begin, at);
            continue;
        }
        const char *name = at += 1 + closes;
        while (at < end && !is_blank(*at) && *at != '>' && *at != '/')
            at++;
        add_string(&out, closes ? "{end} " : "{begin} ");
        add(&out, name, (size_t)(at - name));
        at = take_attributes(&out, at, end);
        for (size_t i = 0; i < sizeof raw / sizeof *raw && !closes; i++)
            if (has_name(name, end, raw[i]))
                at = take_raw(&out, at, end, raw[i], i >= 2);
    }
    return out;
}

/* ------------------------------------------------------------------------------------------------------------ pages */

/* Adds a field as CSV has it, and with `tamed` without markup. */
static void add_field(text *csv, const char *bytes, size_t length, int tamed)
{
    add_string(csv, "\"");
    for (size_t i = 0; i < length; i++) {
        if (tamed)
            add_tame(csv, bytes[i]);
        else
            add(csv, bytes + i, 1);
        if (!tamed && bytes[i] == '"')
            add_string(csv, "\"");
    }
    add_string(csv, "\"");
}

/* A page that is written by this line, as a parser sees it; nothing if it is refused. */
static text page_of(const char *line, const char *column, const char *csv, size_t length)
{
    const char *const more[] = {"--compare", column};
    text seen = {0};
    put_file("t.csv", csv, length);
    unlinkat(folder, "page.html", 0);
    unlinkat(folder, "n.csv", 0);
    outcome o = run_line(line, more, 2);
    if (o.status == 0) {
        size_t size;
        const int file = openat(folder, "page.html", O_RDWR | O_CLOEXEC);
        require(file >= 0);
        char *bytes = take_all(file, &size);
        close(file);
        seen = parse(bytes, size);
        free(bytes);
    }
    clear_outcome(&o);
    return seen;
}

static void check_page(const char *line, const text names[2], const text tables[2])
{
    text seen[2];
    for (int i = 0; i < 2; i++)
        seen[i] = page_of(line, names[i].bytes, tables[i].bytes, tables[i].length);
    require(seen[0].length == seen[1].length && (!seen[0].bytes || strcmp(seen[0].bytes, seen[1].bytes) == 0));
    free(seen[0].bytes);
    free(seen[1].bytes);
}

static void make_table(const char *data, size_t size, int tamed, text *name, text *table)
{
    const char *end = data + size;
    for (int row = -1; row < VALUES && data < end; row++) {
        const char *feed = memchr(data, '\n', (size_t)(end - data)), *next = feed ? feed : end;
        const size_t length = next - data < LONG ? (size_t)(next - data) : LONG;
        char id[20];
        snprintf(id, sizeof id, row < 0 ? "id," : "%d,", row);
        add_string(table, id);
        add_field(table, data, length, tamed);
        if (row < 0) {
            add_field(name, data, length, tamed);
            add_string(name, ":levenshtein");
        }
        add_string(table, "\n");
        data = next + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    text names[2] = {{0}, {0}}, tables[2] = {{0}, {0}};
    if (size == 0 || memchr(data, 0, size) || memmem(data, size, "\xee\x80", 2) || *data == '\n')
        return 0;
    for (int i = 0; i < 2; i++)
        make_table((const char *)data, size, i, &names[i], &tables[i]);
    put_text("gold.csv", "l,r\n0,1\n1,3\n2,9\n");
    check_page(
        "dedupe t.csv -q --id id --all-pairs --threshold 0.5 --gold gold.csv --report page.html --reproducible "
        "--threads 1",
        names, tables);
    check_page("label t.csv -q --id id --all-pairs --answers n.csv --page page.html --threads 1", names, tables);
    for (int i = 0; i < 2; i++) {
        free(names[i].bytes);
        free(tables[i].bytes);
    }
    return 0;
}
