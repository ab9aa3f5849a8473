/* Words of a plan as JSON, and back. */
#include "dedupe/plan_forms.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dedupe/plan.h"

#define NODE_ROOM 32 /* bytes that each node of an object takes in a word, beside twice its text */

/* What a list is of. */
static const akin_plan_form column_form = {
    {{"column", AKIN_FIELD_TEXT, 0, NULL}, {"right", AKIN_FIELD_RIGHT, 1, NULL}, {"key", AKIN_FIELD_KEY, 1, NULL}}};

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
    char message[600], key[120] = "";
    const akin_json_node *at = &json->nodes[node];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (at->key)
        snprintf(key, sizeof key, "\"%.100s\": ", at->key);
    if (!json->name)
        return akin_fail(error, AKIN_E_OPTION, "%s%s", key, message);
    char name[251];
    snprintf(name, sizeof name, "%s", json->name);
    return akin_fail_line(error, AKIN_E_OPTION, AKIN_REASON_MALFORMED, name, at->line, "%s%s", key, message);
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
        if (at == fields)
            return guess.best
                       ? akin_plan_json_fail(json, node, error, "is unknown here: did you mean \"%s\"?", guess.best)
                       : akin_plan_json_fail(json, node, error, "is unknown here");
        if (nodes[at] != 0)
            return akin_plan_json_fail(json, node, error, "is there twice");
        nodes[at] = node;
    }
    return AKIN_OK;
}

static akin_status put_list(const akin_plan_json *json, uint32_t list, char **to, akin_error *error);

static akin_status put_value(const akin_plan_json *json, akin_plan_field_kind kind, uint32_t node, char **to,
                             akin_error *error)
{
    const char *text;
    if (kind == AKIN_FIELD_LIST)
        return put_list(json, node, to, error);
    akin_status status =
        kind == AKIN_FIELD_NUMBER ? take_number(json, node, &text, error) : take_text(json, node, &text, error);
    if (status != AKIN_OK)
        return status;
    int is_raw = kind == AKIN_FIELD_REST || (kind == AKIN_FIELD_KEY && *text != '"' && !strchr(text, '+'));
    size_t length = strlen(text);
    if (!is_raw) {
        *to = akin_plan_put(*to, text);
        return AKIN_OK;
    }
    memcpy(*to, text, length);
    *to += length;
    return AKIN_OK;
}

/* The fields of an object, with colons between them. */
static akin_status put_fields(const akin_plan_json *json, const akin_plan_form *form, uint32_t object, char **to,
                              akin_error *error)
{
    uint32_t nodes[AKIN_PLAN_FIELDS] = {0};
    int last = -1, fields = count_fields(form);
    akin_status status = find_members(json, form, object, nodes, error);
    for (int at = 0; at < fields; at++)
        last = nodes[at] ? at : last;
    for (int at = 0; at < fields && status == AKIN_OK; at++) {
        const akin_plan_field *field = &form->fields[at];
        if (!nodes[at] && field->kind == AKIN_FIELD_RIGHT)
            continue;
        if (!nodes[at] && at > last && field->is_optional)
            break;
        if (!nodes[at] && !field->otherwise)
            return akin_plan_json_fail(json, object, error, "expected an object with \"%s\"", field->name);
        if (at > 0)
            *(*to)++ = field->kind == AKIN_FIELD_RIGHT ? '=' : ':';
        if (nodes[at])
            status = put_value(json, field->kind, nodes[at], to, error);
        else
            *to = akin_plan_put(*to, field->otherwise);
    }
    return status;
}

static akin_status put_list(const akin_plan_json *json, uint32_t list, char **to, akin_error *error)
{
    uint32_t end = json->nodes[list].next;
    akin_status status = AKIN_OK;
    if (json->nodes[list].kind != AKIN_JSON_ARRAY || list + 1 == end)
        return akin_plan_json_fail(json, list, error, "expected an array of objects");
    for (uint32_t node = list + 1; node < end && status == AKIN_OK; node = json->nodes[node].next) {
        if (json->nodes[node].kind != AKIN_JSON_OBJECT)
            return akin_plan_json_fail(json, node, error, "expected an object: {\"column\": ..., \"key\": ...}");
        if (node > list + 1)
            *(*to)++ = '+';
        status = put_fields(json, &column_form, node, to, error);
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

akin_status akin_plan_word_of_json(const akin_plan_json *json, uint32_t node, akin_plan_shape shape,
                                   const akin_plan_form *form, char **out, akin_error *error)
{
    akin_json_kind kind = json->nodes[node].kind;
    int has_form = shape == AKIN_SHAPE_FORM;
    const char *text = "";
    akin_status status = AKIN_OK;
    *out = NULL;
    if (has_form && kind == AKIN_JSON_OBJECT)
        return word_of_object(json, node, form, out, error);
    if (has_form && kind != AKIN_JSON_STRING)
        return akin_plan_json_fail(json, node, error, "expected an object or a string in \"%s\"", json->option);
    if (shape == AKIN_SHAPE_FLAG && kind != AKIN_JSON_TRUE && kind != AKIN_JSON_FALSE)
        return akin_plan_json_fail(json, node, error, "expected true or false");
    if (shape == AKIN_SHAPE_FLAG && kind == AKIN_JSON_FALSE)
        return AKIN_OK;
    if (shape == AKIN_SHAPE_NUMBER)
        status = take_number(json, node, &text, error);
    else if (shape != AKIN_SHAPE_FLAG)
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

/* A text that grows; `failed`: there was no memory for it. */
typedef struct growing {
    char *text;
    uint64_t length, capacity;
    int failed;
} growing;

static void put_byte(growing *out, char c)
{
    char *text = akin_enlarge(NULL, out->text, &out->capacity, out->length + 1, 1);
    out->failed |= !text;
    if (!text)
        return;
    out->text = text;
    out->text[out->length++] = c;
}

static void put(growing *out, const char *text)
{
    for (; *text; text++)
        put_byte(out, *text);
}

static void put_string(growing *out, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    put_byte(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ') {
            put(out, "\\u00");
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

/* A number as it stands if JSON has it so, such as 0.8; else, such as .8, a string. */
static void put_number(growing *out, const char *text)
{
    akin_json *json = NULL;
    akin_status status = akin_json_parse("", text, strlen(text), &json, NULL);
    int is_number = status == AKIN_OK && akin_json_nodes(json)->kind == AKIN_JSON_NUMBER &&
                    strcmp(akin_json_nodes(json)->text, text) == 0;
    akin_json_free(json);
    out->failed |= status == AKIN_E_NOMEM;
    if (is_number)
        put(out, text);
    else
        put_string(out, text);
}

/* A word that is taken apart: what is left of it, and what the field before ended with. */
typedef struct rest {
    char *text, ended;
} rest;

static int write_list(growing *out, rest *from);

/* Writes the next field; 0 if it is none. */
static int write_field(growing *out, const akin_plan_field *field, const char *ends, rest *from)
{
    const char *value = from->text;
    if (field->kind == AKIN_FIELD_LIST)
        return write_list(out, from);
    if (field->kind == AKIN_FIELD_REST)
        from->ended = '\0';
    else
        value = akin_plan_take(&from->text, field->kind == AKIN_FIELD_KEY ? "+" : ends, &from->ended);
    if (value && field->kind == AKIN_FIELD_NUMBER)
        put_number(out, value);
    else if (value)
        put_string(out, value);
    return value != NULL;
}

/* Writes fields up to one that does not end in a colon, as members of an object; 0 if they are not those of the form. */
static int write_fields(growing *out, const akin_plan_form *form, const char *ends, rest *from)
{
    char column_ends[8];
    int at = 0, fields = count_fields(form);
    snprintf(column_ends, sizeof column_ends, "=%s", ends);
    for (; at < fields && (from->ended == ':' || from->ended == '='); at++) {
        int has_right = at + 1 < fields && form->fields[at + 1].kind == AKIN_FIELD_RIGHT;
        if (form->fields[at].kind == AKIN_FIELD_RIGHT && from->ended != '=')
            continue;
        put(out, at > 0 ? ", " : "");
        put_string(out, form->fields[at].name);
        put(out, ": ");
        if (!write_field(out, &form->fields[at], has_right ? column_ends : ends, from))
            return 0;
    }
    return from->ended != ':' && from->ended != '=' && (at == fields || form->fields[at].is_optional);
}

static int write_list(growing *out, rest *from)
{
    const char *before = "[";
    do {
        put(out, before);
        put_byte(out, '{');
        from->ended = ':';
        if (!write_fields(out, &column_form, ":+", from))
            return 0;
        put_byte(out, '}');
        before = ", ";
    } while (from->ended == '+');
    put_byte(out, ']');
    return 1;
}

/* Writes the object of a word, which is written to; 0 if it is not of a form. */
static int write_object(growing *out, char *word, const akin_plan_form *form)
{
    rest from = {word, ':'};
    put_byte(out, '{');
    int is_whole = write_fields(out, form, ":", &from);
    put_byte(out, '}');
    return is_whole;
}

/* The same; a word that is of no form becomes a string. */
static void write_word(growing *out, const char *word, const akin_plan_form *form)
{
    size_t size = strlen(word) + 1;
    char *copy = akin_alloc(NULL, size, 1);
    out->failed |= !copy;
    if (!copy)
        return;
    memcpy(copy, word, size);
    if (!write_object(out, copy, form)) {
        out->length = 0;
        put_string(out, word);
    }
    akin_free(copy);
}

akin_status akin_plan_json_of_word(const char *word, akin_plan_shape shape, const akin_plan_form *form, char **out,
                                   akin_error *error)
{
    growing json = {.text = NULL};
    switch (shape) {
    case AKIN_SHAPE_FORM:
        write_word(&json, word, form);
        break;
    case AKIN_SHAPE_NUMBER:
        put_number(&json, word);
        break;
    case AKIN_SHAPE_FLAG:
        put(&json, "true");
        break;
    case AKIN_SHAPE_TEXT:
        put_string(&json, word);
        break;
    }
    put_byte(&json, '\0');
    if (json.failed) {
        akin_free(json.text);
        return akin_fail_memory(error, "the plan");
    }
    *out = json.text;
    return AKIN_OK;
}
