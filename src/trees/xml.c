/* The reader of XML: one pass, whose only stack is that of the open nodes. */
#include "trees/xml.h"

#include "base/bits.h"

#include <string.h>

#define BROKEN UINT32_MAX /* of a character reference: it names no character of XML */

typedef struct reading {
    akin_tree_builder *builder;
    const char *begin, *at, *end;
    char *out;       /* text that is decoded, behind a byte of room: as long as the document at most */
    uint64_t length; /* of it */
    uint32_t attributes;
    akin_tree_fault *fault;
    akin_error *error;
} reading;

static akin_status expect(reading *r, const char *at, const char *expected)
{
    return akin_tree_fault_at(r->fault, (uint64_t)(at - r->begin), expected);
}

/* ------------------------------------------------------------------------------------------------------- characters */

static int begins(const reading *r, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(r->end - r->at) >= length && memcmp(r->at, word, length) == 0;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int skip_blanks(reading *r)
{
    const char *from = r->at;
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
    return r->at > from;
}

static int begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || (unsigned char)c >= 0x80;
}

/* The bytes of a name; 0: there is none. */
static size_t skip_name(reading *r)
{
    const char *from = r->at;
    if (r->at < r->end && begins_name(*r->at))
        while (r->at < r->end &&
               (begins_name(*r->at) || (*r->at >= '0' && *r->at <= '9') || *r->at == '-' || *r->at == '.'))
            r->at++;
    return (size_t)(r->at - from);
}

/* Whether the byte begins a character that XML has: no control characters, and neither U+FFFE nor U+FFFF. */
static int is_character(const reading *r, const char *at)
{
    const unsigned char c = (unsigned char)*at;
    return c >= 0x20 ? c != 0xef || r->end - at < 3 || (unsigned char)at[1] != 0xbf || (unsigned char)at[2] < 0xbe
                     : is_blank(*at);
}

static void put_character(reading *r, uint32_t c)
{
    char *to = r->out + r->length;
    const int bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = bytes - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(bytes == 1 ? c : ((0xf00u >> bytes) & 0xf0) | c);
    r->length += (uint64_t)bytes;
}

/* The character of a reference such as &#38; whose digits begin at r->at, and end before a semicolon. */
static uint32_t read_number(reading *r)
{
    const int is_hex = r->at < r->end && *r->at == 'x';
    uint32_t value = 0;
    const char *from = r->at += is_hex;
    for (; r->at < r->end && *r->at != ';'; r->at++) {
        const char c = *r->at, lower = (char)(c | 0x20);
        const uint32_t digit = c >= '0' && c <= '9'                     ? (uint32_t)(c - '0')
                               : is_hex && lower >= 'a' && lower <= 'f' ? (uint32_t)(lower - 'a' + 10)
                                                                        : BROKEN;
        if (digit == BROKEN || value > 0x10ffff)
            return BROKEN;
        value = value * (is_hex ? 16 : 10) + digit;
    }
    const int is_fit = value == '\t' || value == '\n' || value == '\r' || (value >= 0x20 && value < 0xd800) ||
                       (value >= 0xe000 && value < 0xfffe) || (value >= 0x10000 && value <= 0x10ffff);
    return r->at > from && r->at < r->end && is_fit ? value : BROKEN;
}

/* Decodes what begins with an ampersand. */
static akin_status read_reference(reading *r)
{
    static const struct {
        const char *word;
        char means;
    } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    const char *from = r->at;
    if (begins(r, "&#")) {
        r->at += 2;
        const uint32_t c = read_number(r);
        if (c == BROKEN)
            return expect(r, from, "a character reference, such as &#38;");
        put_character(r, c);
        r->at++;
        return AKIN_OK;
    }
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (begins(r, entities[i].word)) {
            r->out[r->length++] = entities[i].means;
            r->at += strlen(entities[i].word);
            return AKIN_OK;
        }
    return expect(r, from, "&lt; &gt; &amp; &quot; or &apos;");
}

/* Passes over a part that ends with a word, as a part of the text or not. */
static akin_status read_until(reading *r, const char *word, int is_text, const char *expected)
{
    while (!begins(r, word)) {
        if (r->at == r->end)
            return expect(r, r->at, expected);
        if (!is_character(r, r->at))
            return expect(r, r->at, "no control character");
        if (is_text)
            r->out[r->length++] = *r->at;
        r->at++;
    }
    r->at += strlen(word);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ nodes */

/* Opens and closes a leaf with the decoded text from `from` on, in quotes. The byte before it is free. */
static akin_status put_leaf(reading *r, uint64_t from, uint64_t length)
{
    char *label = r->out + from - 1;
    label[0] = label[length + 1] = '"';
    const akin_status status = akin_tree_builder_open(r->builder, label, (size_t)length + 2, r->error);
    if (status == AKIN_OK)
        akin_tree_nodes_close(&r->builder->nodes);
    return status;
}

/* Makes a leaf of the text so far, if there is any but blanks, and begins another. */
static akin_status end_text(reading *r)
{
    uint64_t length = 0;
    for (uint64_t i = 0; i < r->length; i++)
        if (!is_blank(r->out[i]))
            r->out[length++] = r->out[i];
        else if (length > 0 && r->out[length - 1] != ' ')
            r->out[length++] = ' ';
    length -= length > 0 && r->out[length - 1] == ' ';
    r->length = 0;
    return length > 0 ? put_leaf(r, 0, length) : AKIN_OK;
}

/* Reads the value of an attribute, behind the text so far, and keeps it with its name. */
static akin_status read_attribute(reading *r)
{
    const char *name = r->at;
    const size_t length = skip_name(r);
    if (length == 0)
        return expect(r, r->at, "the name of an attribute, or >");
    skip_blanks(r);
    if (r->at == r->end || *r->at != '=')
        return expect(r, r->at, "an equals sign");
    r->at++;
    skip_blanks(r);
    if (r->at == r->end || (*r->at != '"' && *r->at != '\''))
        return expect(r, r->at, "a value in quotes");
    const char quote = *r->at++;
    const uint64_t from = ++r->length; /* a byte for a quote */
    while (r->at < r->end && *r->at != quote) {
        if (*r->at == '<' || !is_character(r, r->at))
            return expect(r, r->at, "no < and no control character in a value");
        if (*r->at == '&') {
            const akin_status status = read_reference(r);
            if (status != AKIN_OK)
                return status;
            continue;
        }
        if (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n')
            r->at++;
        r->out[r->length++] = is_blank(*r->at) ? ' ' : *r->at;
        r->at++;
    }
    if (r->at == r->end)
        return expect(r, r->at, "the end of the value, a quote");
    r->at++;
    akin_xml_attribute *all = akin_enlarge(r->builder->account, r->builder->attributes, &r->builder->attributes_room,
                                           r->attributes + UINT64_C(1), sizeof *all);
    if (!all)
        return akin_fail_memory(r->error, "attributes");
    r->builder->attributes = all;
    all[r->attributes++] = (akin_xml_attribute){name, length, from, r->length++ - from}; /* and one for the other */
    return AKIN_OK;
}

static int compare_names(const akin_xml_attribute *a, const akin_xml_attribute *b)
{
    const int order = memcmp(a->name, b->name, a->name_length < b->name_length ? a->name_length : b->name_length);
    return order ? order : (a->name_length > b->name_length) - (a->name_length < b->name_length);
}

/* Lets attribute `at` sink in a heap of the first `count`, whose root is the last one by name. */
static void sink_attribute(akin_xml_attribute *all, uint32_t at, uint32_t count)
{
    for (uint64_t child; (child = 2 * (uint64_t)at + 1) < count; at = (uint32_t)child) {
        child += child + 1 < count && compare_names(&all[child + 1], &all[child]) > 0;
        if (compare_names(&all[child], &all[at]) <= 0)
            return;
        const akin_xml_attribute other = all[at];
        all[at] = all[child];
        all[child] = other;
    }
}

/* Makes nodes of the attributes of an element, sorted by name. */
static akin_status put_attributes(reading *r)
{
    akin_xml_attribute *all = r->builder->attributes;
    akin_status status = AKIN_OK;
    for (uint32_t at = r->attributes / 2; at-- > 0;)
        sink_attribute(all, at, r->attributes);
    for (uint32_t count = r->attributes; count > 1; count--) {
        const akin_xml_attribute last = all[0];
        all[0] = all[count - 1];
        all[count - 1] = last;
        sink_attribute(all, 0, count - 1);
    }
    for (uint32_t i = 0; i < r->attributes && status == AKIN_OK; i++) {
        if (i > 0 && compare_names(&all[i - 1], &all[i]) == 0)
            return expect(r, all[i].name > all[i - 1].name ? all[i].name : all[i - 1].name,
                          "another name: the element has this attribute already");
        /* its label is the name with an equals sign, as it stands but for blanks between */
        char *label = r->out + r->length;
        memcpy(label, all[i].name, all[i].name_length);
        label[all[i].name_length] = '=';
        status = akin_tree_builder_open(r->builder, label, all[i].name_length + 1, r->error);
        if (status == AKIN_OK)
            status = put_leaf(r, all[i].from, all[i].length);
        if (status == AKIN_OK)
            akin_tree_nodes_close(&r->builder->nodes);
    }
    return status;
}

/* The label of an element, <name>, behind the text so far. */
static const char *label_of(reading *r, const char *name, size_t length)
{
    char *label = r->out + r->length;
    label[0] = '<';
    memcpy(label + 1, name, length);
    label[length + 1] = '>';
    return label;
}

/* A start tag, or an element without content. */
static akin_status read_start(reading *r)
{
    akin_status status = end_text(r);
    const char *name = ++r->at;
    const size_t length = skip_name(r);
    if (status == AKIN_OK && length == 0)
        return expect(r, r->at, "the name of an element");
    if (status == AKIN_OK)
        status = akin_tree_builder_open(r->builder, label_of(r, name, length), length + 2, r->error);
    r->attributes = 0;
    while (status == AKIN_OK) {
        const int is_apart = skip_blanks(r);
        if (r->at < r->end && (*r->at == '>' || begins(r, "/>")))
            break;
        status = is_apart ? read_attribute(r) : expect(r, r->at, "a blank, >, or />");
    }
    if (status == AKIN_OK)
        status = put_attributes(r);
    r->length = 0;
    if (status != AKIN_OK)
        return status;
    if (*r->at == '/') {
        akin_tree_nodes_close(&r->builder->nodes);
        r->at++;
    }
    r->at++;
    return AKIN_OK;
}

static akin_status read_end(reading *r)
{
    const akin_status status = end_text(r);
    const akin_tree_nodes *nodes = &r->builder->nodes;
    const char *name = r->at += 2;
    const size_t length = skip_name(r);
    uint32_t label = 0;
    if (status != AKIN_OK)
        return status;
    if (!akin_dictionary_find(r->builder->dictionary, label_of(r, name, length), length + 2, &label) ||
        nodes->open_count == 0 || nodes->open[nodes->open_count - 1].label != label)
        return expect(r, name, "the end tag of the element that is open");
    skip_blanks(r);
    if (r->at == r->end || *r->at != '>')
        return expect(r, r->at, ">");
    r->at++;
    akin_tree_nodes_close(&r->builder->nodes);
    return AKIN_OK;
}

/* --------------------------------------------------------------------------------------------------------- document */

/* A comment, a processing instruction, or characters that are taken as they stand. *is_read: it was one of them. */
static akin_status read_aside(reading *r, int *is_read)
{
    *is_read = 1;
    if (begins(r, "<!--")) {
        r->at += 4;
        const akin_status status = read_until(r, "--", 0, "the end of the comment, -->");
        if (status != AKIN_OK || (r->at < r->end && *r->at++ == '>'))
            return status;
        return expect(r, r->at, "the end of the comment: it must not have --");
    }
    if (begins(r, "<?")) {
        const char *from = r->at += 2;
        const size_t length = skip_name(r);
        if (length == 0 ||
            (length == 3 && (from[0] | 0x20) == 'x' && (from[1] | 0x20) == 'm' && (from[2] | 0x20) == 'l'))
            return expect(r, from, "the name of an instruction, which is not xml");
        if (!begins(r, "?>") && !skip_blanks(r))
            return expect(r, r->at, "a blank, or ?>");
        return read_until(r, "?>", 0, "the end of the instruction, ?>");
    }
    if (begins(r, "<![CDATA[") && r->builder->nodes.open_count > 0) {
        r->at += 9;
        return read_until(r, "]]>", 1, "the end of the section, ]]>");
    }
    *is_read = 0;
    return AKIN_OK;
}

/* What is in the root, up to its end. */
static akin_status read_content(reading *r)
{
    akin_status status = AKIN_OK;
    while (status == AKIN_OK && r->builder->nodes.open_count > 0) {
        int is_read = 0;
        if (r->at == r->end)
            return expect(r, r->at, "an end tag for each element that is open");
        if (*r->at == '<') {
            status = read_aside(r, &is_read);
            if (status == AKIN_OK && !is_read)
                status = begins(r, "</") ? read_end(r) : read_start(r);
        } else if (*r->at == '&') {
            status = read_reference(r);
        } else if (begins(r, "]]>") || !is_character(r, r->at)) {
            status = expect(r, r->at, "no ]]> and no control character in a text");
        } else {
            r->out[r->length++] = *r->at++;
        }
    }
    return status;
}

/* Blanks, comments and instructions around the root. */
static akin_status read_around(reading *r)
{
    akin_status status = AKIN_OK;
    int is_read = 1;
    while (status == AKIN_OK && is_read) {
        skip_blanks(r);
        status = read_aside(r, &is_read);
    }
    return status;
}

/* What comes before the root: the declaration, and a document type without declarations. */
static akin_status read_prologue(reading *r)
{
    akin_status status = AKIN_OK;
    if (begins(r, "\xef\xbb\xbf"))
        r->at += 3;
    if (begins(r, "<?xml") && r->end - r->at > 5 && is_blank(r->at[5]))
        status = read_until(r, "?>", 0, "the end of the declaration, ?>");
    if (status == AKIN_OK)
        status = read_around(r);
    if (status != AKIN_OK || !begins(r, "<!DOCTYPE"))
        return status;
    for (char quote = 0; r->at < r->end && (quote || *r->at != '>'); r->at++) {
        if (*r->at == '[' && !quote)
            return expect(r, r->at, "a document type without declarations");
        quote = quote ? (*r->at == quote ? (char)0 : quote) : *r->at == '"' || *r->at == '\'' ? *r->at : (char)0;
    }
    if (r->at == r->end)
        return expect(r, r->at, "the end of the document type, >");
    r->at++;
    return read_around(r);
}

akin_status akin_tree_xml_read(akin_tree_builder *builder, const char *text, uint64_t length, akin_tree_fault *fault,
                               akin_error *error)
{
    reading r = {builder, text, text, text + length, NULL, 0, 0, fault, error};
    char *room = akin_tree_builder_room(builder, 3 * length + 8, error); /* decoded text, with quotes, and a label */
    if (!room)
        return AKIN_E_NOMEM;
    r.out = room + 1;
    akin_status status = read_prologue(&r);
    if (status == AKIN_OK && (r.at == r.end || *r.at != '<'))
        return expect(&r, r.at, "a document, which begins with <");
    if (status == AKIN_OK)
        status = read_start(&r);
    if (status == AKIN_OK)
        status = read_content(&r);
    if (status == AKIN_OK)
        status = read_around(&r);
    return status != AKIN_OK || r.at == r.end ? status : expect(&r, r.at, "nothing behind the root");
}
