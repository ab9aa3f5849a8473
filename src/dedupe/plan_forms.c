/* Words of a plan as JSON, and back. */
#include "dedupe/plan_forms.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "dedupe/plan_made.h"
#include "dedupe/plan_words.h"

#define LISTED    200 /* bytes of the names of all fields */
#define NODE_ROOM 32  /* bytes that each node of an object takes in a word, beside twice its text */

const akin_plan_form akin_plan_column_form = {{AKIN_FIELDS_OF_COLUMN}, 1};
const akin_plan_form akin_plan_keyed_form = {{AKIN_FIELDS_OF_COLUMN, {"key", AKIN_FIELD_KEY, 0, 1, NULL, NULL}}, 1};

/* How many fields a form has. */
static int count_fields(const akin_plan_form *form)
{
    int count = 0;
    while (count < AKIN_PLAN_FIELDS && form->fields[count].name)
        count++;
    return count;
}

/* ----------------------------------------------------------------------------------------------------- JSON to word */

akin_status akin_plan_json_fail(const akin_plan_json *json, uint32_t node, akin_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const akin_status status = akin_fail_node(error, AKIN_E_OPTION, json->name, &json->nodes[node], format, arguments);
    va_end(arguments);
    return status;
}

static akin_status take_text(const akin_plan_json *json, uint32_t node, const char **out, akin_error *error)
{
    *out = json->nodes[node].text;
    return json->nodes[node].kind == AKIN_JSON_STRING ? AKIN_OK
                                                      : akin_plan_json_fail(json, node, error, "expected a string");
}

/* A number, which may be given as text, too. */
static akin_status take_number(const akin_plan_json *json, uint32_t node, const char **out, akin_error *error)
{
    *out = json->nodes[node].text;
    return *out ? AKIN_OK : akin_plan_json_fail(json, node, error, "expected a number");
}

/* Lists the fields of a form: "column", "key". */
static void list_fields(const akin_plan_form *form, char text[LISTED])
{
    size_t length = 0;
    text[0] = '\0';
    for (int at = 0; at < count_fields(form) && length < LISTED; at++)
        length += (size_t)snprintf(text + length, LISTED - length, "%s\"%s\"", at ? ", " : "", form->fields[at].name);
}

static int may_lack(const akin_plan_field *field)
{
    return field->is_optional || field->otherwise;
}

/* Refuses an object without any field, and one with the field that stands behind a mark, but not the one before the
 * mark. */
static akin_status check_members(const akin_plan_json *json, const akin_plan_form *form, uint32_t object,
                                 const uint32_t nodes[AKIN_PLAN_FIELDS], int last, akin_error *error)
{
    char names[LISTED];
    list_fields(form, names);
    if (last < 0 && may_lack(&form->fields[0]))
        return akin_plan_json_fail(json, object, error, "expected an object with at least one of %s", names);
    for (int at = 1; at <= last; at++)
        if (nodes[at] && form->fields[at].before && !nodes[at - 1] && may_lack(&form->fields[at - 1]))
            return akin_plan_json_fail(json, nodes[at], error, "expected \"%s\" with it", form->fields[at - 1].name);
    return AKIN_OK;
}

/* Finds the member of an object for each field: *nodes is 0 where there is none. */
static akin_status find_members(const akin_plan_json *json, const akin_plan_form *form, uint32_t object,
                                uint32_t nodes[AKIN_PLAN_FIELDS], akin_error *error)
{
    int fields = count_fields(form);
    for (uint32_t node = object + 1; node < json->nodes[object].next; node = json->nodes[node].next) {
        const char *key = json->nodes[node].key;
        int at = 0;
        akin_guess guess = {.word = key};
        for (; at < fields && strcmp(form->fields[at].name, key) != 0; at++)
            akin_guess_offer(&guess, form->fields[at].name);
        if (at == fields && guess.best)
            return akin_plan_json_fail(json, node, error, "is unknown here: did you mean \"%s\"?", guess.best);
        if (at == fields) {
            char names[LISTED];
            list_fields(form, names);
            return akin_plan_json_fail(json, node, error, "is unknown here: expected %s", names);
        }
        if (nodes[at] != 0)
            return akin_plan_json_fail(json, node, error, "is there twice");
        nodes[at] = node;
    }
    return AKIN_OK;
}

static akin_status put_list(const akin_plan_json *json, const akin_plan_field *field, uint32_t list, char **to,
                            akin_error *error);

static void put_raw(const char *text, char **to)
{
    size_t length = strlen(text);
    memcpy(*to, text, length);
    *to += length;
}

static akin_status put_json_value(const akin_plan_json *json, const akin_plan_field *field, uint32_t node, char **to,
                                  akin_error *error)
{
    const akin_plan_field_kind kind = field->kind;
    const char *text;
    if (kind == AKIN_FIELD_LIST || (kind == AKIN_FIELD_NAMES && json->nodes[node].kind == AKIN_JSON_ARRAY))
        return put_list(json, field, node, to, error);
    akin_status status =
        kind == AKIN_FIELD_NUMBER ? take_number(json, node, &text, error) : take_text(json, node, &text, error);
    if (status != AKIN_OK)
        return status;
    if (kind == AKIN_FIELD_REST || kind == AKIN_FIELD_NAMES ||
        (kind == AKIN_FIELD_KEY && *text != '"' && !strchr(text, '+')))
        put_raw(text, to);
    else
        *to = akin_plan_put(*to, text, kind == AKIN_FIELD_TEXT ? field->otherwise : NULL);
    return AKIN_OK;
}

static char before(const akin_plan_field *field)
{
    return field->before ? field->before : ':';
}

/* The fields of an object, with what stands before each. */
static akin_status put_fields(const akin_plan_json *json, const akin_plan_form *form, uint32_t object, char **to,
                              akin_error *error)
{
    uint32_t nodes[AKIN_PLAN_FIELDS] = {0};
    int last = -1, fields = count_fields(form);
    akin_status status = find_members(json, form, object, nodes, error);
    for (int at = 0; at < fields; at++)
        last = nodes[at] ? at : last;
    if (status == AKIN_OK)
        status = check_members(json, form, object, nodes, last, error);
    for (int at = 0; at < fields && status == AKIN_OK; at++) {
        const akin_plan_field *field = &form->fields[at];
        if (!nodes[at] && field->is_optional && (field->before || at > last))
            continue; /* the mark before the next one says that it is left out, or there is no next one */
        if (!nodes[at] && !field->otherwise)
            return akin_plan_json_fail(json, object, error, "expected an object with \"%s\"", field->name);
        if (at > 0)
            *(*to)++ = before(field);
        if (nodes[at])
            status = put_json_value(json, field, nodes[at], to, error);
        else
            put_raw(field->otherwise, to);
    }
    return status;
}

/* A name, or the word of an object; a string in its place is the first field. */
static akin_status put_element(const akin_plan_json *json, const akin_plan_field *field, uint32_t node, char **to,
                               akin_error *error)
{
    const akin_json_kind kind = json->nodes[node].kind;
    if (kind == AKIN_JSON_STRING)
        *to = akin_plan_put(*to, json->nodes[node].text, NULL);
    else if (field->of && kind == AKIN_JSON_OBJECT)
        return put_fields(json, field->of, node, to, error);
    else if (field->of)
        return akin_plan_json_fail(json, node, error, "expected a string or an object: {\"%s\": ..., \"%s\": ...}",
                                   field->of->fields[0].name, field->of->fields[count_fields(field->of) - 1].name);
    return kind == AKIN_JSON_STRING ? AKIN_OK : akin_plan_json_fail(json, node, error, "expected a string");
}

static akin_status put_list(const akin_plan_json *json, const akin_plan_field *field, uint32_t list, char **to,
                            akin_error *error)
{
    uint32_t end = json->nodes[list].next;
    akin_status status = AKIN_OK;
    if (json->nodes[list].kind != AKIN_JSON_ARRAY || list + 1 == end)
        return akin_plan_json_fail(json, list, error, "expected an array of strings%s", field->of ? " or objects" : "");
    for (uint32_t node = list + 1; node < end && status == AKIN_OK; node = json->nodes[node].next) {
        if (node > list + 1)
            *(*to)++ = '+';
        status = put_element(json, field, node, to, error);
    }
    return status;
}

/* Room for the word of an object, with what stands for fields that it lacks. */
static size_t room_for(const akin_plan_json *json, uint32_t object)
{
    size_t room = (size_t)NODE_ROOM * AKIN_PLAN_FIELDS;
    for (uint32_t node = object; node < json->nodes[object].next; node++)
        room += NODE_ROOM + (json->nodes[node].text ? 2 * strlen(json->nodes[node].text) : 0);
    return room;
}

static akin_status word_of_object(const akin_plan_json *json, uint32_t node, const akin_plan_form *form, char **out,
                                  akin_error *error)
{
    char *word = akin_alloc(NULL, room_for(json, node), 1), *to = word;
    if (!word)
        return akin_fail_memory(error, "the plan");
    akin_status status = put_fields(json, form, node, &to, error);
    *to = '\0';
    *out = word;
    if (status != AKIN_OK) {
        akin_free(word);
        *out = NULL;
    }
    return status;
}

akin_status akin_plan_word_of_json(const akin_plan_json *json, uint32_t node, unsigned capabilities,
                                   const akin_plan_form *form, char **out, akin_error *error)
{
    akin_json_kind kind = json->nodes[node].kind;
    const int has_form = count_fields(form) > 0, is_flag = (capabilities & AKIN_IS_FLAG) != 0;
    const char *text = "";
    akin_status status = AKIN_OK;
    *out = NULL;
    if (has_form && kind == AKIN_JSON_OBJECT)
        return word_of_object(json, node, form, out, error);
    if (has_form && kind != AKIN_JSON_STRING)
        return akin_plan_json_fail(json, node, error, "expected an object or a string in \"%s\"", json->option);
    if (is_flag && kind != AKIN_JSON_TRUE && kind != AKIN_JSON_FALSE)
        return akin_plan_json_fail(json, node, error, "expected true or false");
    if (is_flag && kind == AKIN_JSON_FALSE)
        return AKIN_OK;
    if (capabilities & AKIN_IS_NUMBER)
        status = take_number(json, node, &text, error);
    else if (!is_flag)
        status = take_text(json, node, &text, error);
    if (status != AKIN_OK)
        return status;
    *out = akin_alloc(NULL, strlen(text) + 1, 1);
    if (!*out)
        return akin_fail_memory(error, "the plan");
    memcpy(*out, text, strlen(text) + 1);
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------- word to JSON */

static void put_byte(akin_plan_growing *out, char c)
{
    char *text = akin_enlarge(NULL, out->text, &out->capacity, out->length + 2, 1);
    out->failed |= !text;
    if (!text)
        return;
    out->text = text;
    out->text[out->length++] = c;
    out->text[out->length] = '\0';
}

void akin_plan_grow(akin_plan_growing *out, const char *text)
{
    for (; *text; text++)
        put_byte(out, *text);
}

void akin_plan_grow_string(akin_plan_growing *out, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    put_byte(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ') {
            akin_plan_grow(out, "\\u00");
            put_byte(out, digits[c >> 4]);
            put_byte(out, digits[c & 15]);
            continue;
        }
        if (c == '"' || c == '\\')
            put_byte(out, '\\');
        put_byte(out, (char)c);
    }
    put_byte(out, '"');
}

/* Digits with at most one point as the number of JSON, in one form: 0.8 for .80. A fraction, 2/3, is a string there,
 * and so is a word that stands for a number. */
static void put_json_number(akin_plan_growing *out, const char *text)
{
    const char *point = strchr(text, '.'), *end = text + strlen(text);
    if (text[strspn(text, "0123456789.")] != '\0') {
        akin_plan_grow_string(out, text);
        return;
    }
    while (*text == '0' && text[1] >= '0' && text[1] <= '9')
        text++;
    while (point && end > point && (end[-1] == '0' || end[-1] == '.'))
        end--; /* up to the point, and no further: that is the end if there is nothing behind it */
    if (text == point || text == end)
        put_byte(out, '0');
    while (text < end)
        put_byte(out, *text++);
}

/* A word that is taken apart: what is left of it, and what the field before ended with. */
typedef struct rest {
    char *text, ended;
} rest;

/* What ends a field of a form whose word ends with that: the marks of those behind it. */
static void list_ends(const akin_plan_form *form, int at, const char *end, char ends[AKIN_PLAN_FIELDS + 2])
{
    size_t count = 0;
    for (int next = at + 1; next < count_fields(form); next++)
        ends[count++] = before(&form->fields[next]);
    snprintf(ends + count, AKIN_PLAN_FIELDS + 2 - count, "%s", end);
}

static int write_list(akin_plan_growing *out, const akin_plan_field *field, rest *from);

/* Writes the next field; 0 if it is none. */
static int write_field(akin_plan_growing *out, const akin_plan_field *field, const char *ends, rest *from)
{
    char *value = from->text;
    if (field->kind == AKIN_FIELD_LIST || field->kind == AKIN_FIELD_NAMES)
        return write_list(out, field, from);
    if (field->kind == AKIN_FIELD_REST)
        from->ended = '\0';
    else
        value = akin_plan_take(&from->text, ends, &from->ended);
    if (value && field->kind == AKIN_FIELD_CHOICE)
        akin_choice_respell(value);
    if (value && field->kind == AKIN_FIELD_NUMBER)
        put_json_number(out, value);
    else if (value)
        akin_plan_grow_string(out, value);
    return value != NULL;
}

/* Writes the object of a word, up to what ends it; 0 if the word is not of the form. */
static int write_fields(akin_plan_growing *out, const akin_plan_form *form, const char *end, rest *from)
{
    const uint64_t start = out->length;
    const char *first = from->text;
    int written = 0, last = 0;
    from->ended = before(form->fields);
    put_byte(out, '{');
    for (int at = 0; at < count_fields(form); at++) {
        const akin_plan_field *field = &form->fields[at];
        const uint64_t member = out->length;
        const char *value = from->text;
        const int is_quoted = *value == '"';
        char ends[AKIN_PLAN_FIELDS + 2];
        if (from->ended != before(field) && field->is_optional)
            continue;
        list_ends(form, at, end, ends);
        akin_plan_grow(out, written ? ", " : "");
        akin_plan_grow_string(out, field->name);
        akin_plan_grow(out, ": ");
        const uint64_t start_of_value = out->length;
        if (from->ended != before(field) || !write_field(out, field, ends, from))
            return 0;
        last = at;
        written++;
        if (field->kind == AKIN_FIELD_NUMBER && !out->failed)
            value = out->text + start_of_value; /* in its one form: 0 for 0.0 */
        if (field->otherwise && !is_quoted && strcmp(value, field->otherwise) == 0) {
            out->length = member;
            written--;
        }
    }
    put_byte(out, '}');
    if (form->is_short && written == 1 && last == 0 && !akin_plan_needs_quotes(first, NULL)) {
        out->length = start;
        akin_plan_grow_string(out, first);
    }
    return strchr(end, from->ended) != NULL;
}

/* Writes the next name of a list; 0 if it is none. */
static int write_name(akin_plan_growing *out, rest *from)
{
    const char *name = akin_plan_take(&from->text, "+", &from->ended);
    if (name)
        akin_plan_grow_string(out, name);
    return name != NULL;
}

static int write_list(akin_plan_growing *out, const akin_plan_field *field, rest *from)
{
    const char *between = "[";
    do {
        akin_plan_grow(out, between);
        if (!(field->of ? write_fields(out, field->of, "+", from) : write_name(out, from)))
            return 0;
        between = ", ";
    } while (from->ended == '+');
    put_byte(out, ']');
    return 1;
}

/* Writes a word as an object. One that says nothing but what stands anyway, or is of no form, is written as it is. */
static void write_word(akin_plan_growing *out, const char *word, const akin_plan_form *form)
{
    const size_t size = strlen(word) + 1;
    const uint64_t start = out->length;
    char *copy = akin_alloc(NULL, size, 1);
    rest from = {copy, ':'};
    out->failed |= !copy;
    if (!copy)
        return;
    memcpy(copy, word, size);
    if (!write_fields(out, form, "", &from) || out->length == start + strlen("{}")) {
        out->length = start;
        akin_plan_grow_string(out, word);
    }
    akin_free(copy);
}

void akin_plan_json_of_word(akin_plan_growing *out, const char *word, unsigned capabilities, const akin_plan_form *form)
{
    if (count_fields(form) > 0)
        write_word(out, word, form);
    else if (capabilities & AKIN_IS_NUMBER)
        put_json_number(out, word);
    else if (capabilities & AKIN_IS_FLAG)
        akin_plan_grow(out, "true");
    else
        akin_plan_grow_string(out, word);
}
