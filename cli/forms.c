/* Words of the command line that are made of fields, as objects of a job file. */
#define _POSIX_C_SOURCE 200809L /* open_memstream, strdup */

#include "forms.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fields.h"

#define FIELDS 4        /* of a form, at most */
#define SELECT "select" /* the key of the field that tells which form it is */

typedef enum field_kind {
    TEXT,
    NUMBER,
    REST, /* text, with colons that need no quotes; the last field */
    LIST  /* columns with keys, with a plus between them; the last field */
} field_kind;

typedef struct field {
    const char *name;
    field_kind kind;
    int is_optional;
    const char *otherwise; /* what stands for it where it is not given, but one behind it is; NULL: nothing can */
} field;

/* The fields of a word, in their order. */
typedef struct form {
    const char *option;
    const char *select; /* what the first field is, by which the form is told; NULL: there is no such field */
    field fields[FIELDS];
} form;

static const form forms[] = {
    {"compare",
     NULL,
     {{"column", TEXT, 0, NULL},
      {"comparator", TEXT, 0, NULL},
      {"threshold", NUMBER, 1, "0"},
      {"weight", NUMBER, 1, NULL}}},
    {"pairs", "all", {{NULL, TEXT, 0, NULL}}},
    {"pairs", "window", {{"size", NUMBER, 0, NULL}, {"column", TEXT, 1, NULL}, {"key", TEXT, 1, NULL}}},
    {"pairs", "block", {{"columns", LIST, 0, NULL}}},
    {"pairs",
     "similar",
     {{"column", TEXT, 0, NULL},
      {"measure", TEXT, 0, NULL},
      {"threshold", NUMBER, 0, NULL},
      {"tokens", REST, 1, NULL}}},
};

#define FORMS (sizeof forms / sizeof forms[0])

/* What a list is of. */
static const form column_form = {NULL, NULL, {{"column", TEXT, 0, NULL}, {"key", TEXT, 1, NULL}}};

int akin_cli_form_is_known(const char *option)
{
    size_t i = 0;
    while (i < FORMS && strcmp(forms[i].option, option) != 0)
        i++;
    return i < FORMS;
}

/* ----------------------------------------------------------------------------------------------------- object to word */

/* Which of a form's fields each member of an object is. */
typedef struct members {
    uint32_t nodes[FIELDS]; /* 0: not given */
} members;

/* Finds the form of an object; NULL, having refused it, if it has none. */
static const form *find_form(const akin_cli_json *json, const char *option, uint32_t object)
{
    char expected[100] = "";
    uint32_t node = object + 1, end = json->nodes[object].next;
    const char *given = NULL;
    while (node < end && strcmp(json->nodes[node].key, SELECT) != 0)
        node = json->nodes[node].next;
    if (node < end && !(given = akin_cli_json_text(json, node)))
        return NULL;
    for (size_t i = 0; i < FORMS; i++) {
        size_t length = strlen(expected);
        if (strcmp(forms[i].option, option) != 0)
            continue;
        if (!forms[i].select || (given && strcmp(given, forms[i].select) == 0))
            return &forms[i];
        snprintf(expected + length, sizeof expected - length, "%s\"%s\"", length ? ", " : "", forms[i].select);
    }
    akin_cli_json_refuse(json, given ? node : object, "expected %sone of %s", given ? "" : "\"" SELECT "\" to be ",
                         expected);
    return NULL;
}

static int find_members(const akin_cli_json *json, const form *f, uint32_t object, members *out)
{
    int has_select = 0;
    for (uint32_t node = object + 1; node < json->nodes[object].next; node = json->nodes[node].next) {
        const char *key = json->nodes[node].key;
        int is_select = f->select && strcmp(key, SELECT) == 0, at = 0;
        akin_guess guess = {.word = key};
        for (; !is_select && at < FIELDS && f->fields[at].name && strcmp(f->fields[at].name, key) != 0; at++)
            akin_guess_offer(&guess, f->fields[at].name);
        if (!is_select && (at == FIELDS || !f->fields[at].name))
            return guess.best ? akin_cli_json_refuse(json, node, "is unknown here: did you mean \"%s\"?", guess.best)
                              : akin_cli_json_refuse(json, node, "is unknown here");
        if (is_select ? has_select : out->nodes[at] != 0)
            return akin_cli_json_refuse(json, node, "is there twice");
        if (is_select)
            has_select = 1;
        else
            out->nodes[at] = node;
    }
    return AKIN_CLI_DONE;
}

static int put_list(const akin_cli_json *json, uint32_t list, char **to);

static int put_value(const akin_cli_json *json, field_kind kind, uint32_t node, char **to)
{
    if (kind == LIST)
        return put_list(json, node, to);
    const char *text = kind == NUMBER ? akin_cli_json_number(json, node) : akin_cli_json_text(json, node);
    if (!text)
        return AKIN_CLI_USAGE;
    if (kind != REST) {
        *to = akin_cli_field_put(*to, text);
        return AKIN_CLI_DONE;
    }
    size_t length = strlen(text);
    memcpy(*to, text, length);
    *to += length;
    return AKIN_CLI_DONE;
}

/* The fields of an object, with colons between them, one before them too if something stands there. */
static int put_fields(const akin_cli_json *json, const form *f, uint32_t object, int has_more, char **to)
{
    members given = {{0}};
    int last = -1, status = find_members(json, f, object, &given);
    for (int at = 0; at < FIELDS && status == AKIN_CLI_DONE; at++)
        if (given.nodes[at])
            last = at;
    for (int at = 0; at < FIELDS && f->fields[at].name && status == AKIN_CLI_DONE; at++) {
        const field *one = &f->fields[at];
        if (!given.nodes[at] && at > last && one->is_optional)
            break;
        if (!given.nodes[at] && !one->otherwise)
            return akin_cli_json_refuse(json, object, "expected an object with \"%s\"", one->name);
        if (has_more++)
            *(*to)++ = ':';
        if (given.nodes[at])
            status = put_value(json, one->kind, given.nodes[at], to);
        else
            *to = akin_cli_field_put(*to, one->otherwise);
    }
    return status;
}

static int put_list(const akin_cli_json *json, uint32_t list, char **to)
{
    int status = AKIN_CLI_DONE;
    uint32_t end = json->nodes[list].next;
    if (json->nodes[list].kind != AKIN_JSON_ARRAY || list + 1 == end)
        return akin_cli_json_refuse(json, list, "expected an array of objects");
    for (uint32_t node = list + 1; node < end && status == AKIN_CLI_DONE; node = json->nodes[node].next) {
        if (json->nodes[node].kind != AKIN_JSON_OBJECT)
            return akin_cli_json_refuse(json, node, "expected an object: {\"column\": ..., \"key\": ...}");
        if (node > list + 1)
            *(*to)++ = '+';
        status = put_fields(json, &column_form, node, 0, to);
    }
    return status;
}

int akin_cli_form_read(const akin_cli_json *json, const char *option, uint32_t object, char **to)
{
    const form *f = find_form(json, option, object);
    if (!f)
        return AKIN_CLI_USAGE;
    if (f->select)
        *to = akin_cli_field_put(*to, f->select);
    int status = put_fields(json, f, object, f->select != NULL, to);
    *(*to)++ = '\0';
    return status;
}

/* ----------------------------------------------------------------------------------------------------- word to object */

/* A word that is taken apart: what is left of it, and what the field before ended with: ':' if another one follows. */
typedef struct word_rest {
    char *text, ended;
} word_rest;

static int write_list(FILE *out, word_rest *rest);

/* Writes the next field; 0 if it is none. */
static int write_field(FILE *out, const field *f, const char *ends, word_rest *rest)
{
    if (f->kind == LIST)
        return write_list(out, rest);
    const char *value = rest->text;
    if (f->kind == REST)
        rest->ended = '\0';
    else
        value = akin_cli_field_take(&rest->text, ends, &rest->ended);
    if (!value)
        return 0;
    if (f->kind == NUMBER)
        akin_cli_json_put_number(out, value);
    else
        akin_cli_json_put_text(out, value);
    return 1;
}

/* Writes fields up to one that does not end in a colon, as members of an object; 0 if they are not those of the form. */
static int write_fields(FILE *out, const form *f, const char *ends, word_rest *rest, int has_more)
{
    int at = 0;
    for (; at < FIELDS && f->fields[at].name && rest->ended == ':'; at++) {
        fprintf(out, "%s\"%s\": ", has_more++ ? ", " : "", f->fields[at].name);
        if (!write_field(out, &f->fields[at], ends, rest))
            return 0;
    }
    return rest->ended != ':' && (at == FIELDS || !f->fields[at].name || f->fields[at].is_optional);
}

static int write_list(FILE *out, word_rest *rest)
{
    const char *before = "[";
    do {
        fprintf(out, "%s{", before);
        rest->ended = ':';
        if (!write_fields(out, &column_form, ":+", rest, 0))
            return 0;
        fputs("}", out);
        before = ", ";
    } while (rest->ended == '+');
    fputs("]", out);
    return 1;
}

/* Writes the object of a word, which is written to; 0 if it is not of that form. */
static int write_form(FILE *out, const form *f, char *word)
{
    word_rest rest = {word, ':'};
    putc('{', out);
    if (f->select) {
        const char *select = akin_cli_field_take(&rest.text, ":", &rest.ended);
        if (!select || strcmp(select, f->select) != 0)
            return 0;
        fputs("\"" SELECT "\": ", out);
        akin_cli_json_put_text(out, select);
    }
    int is_whole = write_fields(out, f, ":", &rest, f->select != NULL);
    putc('}', out);
    return is_whole;
}

void akin_cli_form_write(FILE *out, const char *option, const char *word)
{
    int is_written = 0;
    for (size_t i = 0; i < FORMS && !is_written; i++) {
        char *text = NULL, *copy;
        size_t length = 0;
        FILE *object = strcmp(forms[i].option, option) == 0 ? open_memstream(&text, &length) : NULL;
        if (!object)
            continue;
        copy = strdup(word);
        is_written = copy && write_form(object, &forms[i], copy);
        free(copy);
        is_written = fclose(object) == 0 && is_written;
        if (is_written)
            fwrite(text, 1, length, out);
        free(text);
    }
    if (!is_written)
        akin_cli_json_put_text(out, word);
}
