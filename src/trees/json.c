/* The reader of JSON values as trees: one pass over a copy of the text, whose open nodes are on a stack. */
#include "trees/json.h"

#include "table/json.h"
#include "trees/json_order.h"

#include <string.h>

#define BEYOND 64 /* bytes behind the text that scans may read */

/* A text that is read. */
typedef struct reading {
    akin_tree_builder *builder;
    akin_json_order *order;
    akin_json_finder find;
    const char *text, *at;
    char *label; /* room for one of any string of the text */
    akin_json_fault fault;
    akin_error *error;
} reading;

static akin_status expect(reading *r, const char *at, const char *expected)
{
    r->fault = (akin_json_fault){at, expected};
    return AKIN_E_INPUT;
}

/* Keeps a node with that label. */
static akin_status keep(reading *r, const char *label, size_t length, akin_json_form form)
{
    uint32_t number = 0;
    const akin_status status = akin_dictionary_add(r->builder->dictionary, label, length, &number, r->error);
    return status == AKIN_OK ? akin_json_order_keep(r->order, number, form, r->error) : status;
}

/* A string as a leaf, or as the key of a member. */
static akin_status read_string(reading *r, akin_json_form form)
{
    const char *from = r->at + 1;
    int is_escaped;
    const char *end = akin_json_string(from, r->find, &is_escaped, &r->fault);
    if (!end)
        return AKIN_E_INPUT;
    const size_t length = akin_json_decode(from, (size_t)(end - from), 0, r->label + 1, &r->fault);
    if (length == SIZE_MAX)
        return AKIN_E_INPUT;
    r->label[0] = r->label[length + 1] = '"';
    r->label[length + 2] = ':';
    r->at = end + 1;
    return keep(r, r->label, length + (form == AKIN_JSON_MEMBER ? 3 : 2), form);
}

/* The key of a member, and the colon. */
static akin_status read_key(reading *r)
{
    r->at = akin_json_space(r->at);
    if (*r->at != '"')
        return expect(r, r->at, "a key in quotes");
    const akin_status status = read_string(r, AKIN_JSON_MEMBER);
    if (status != AKIN_OK)
        return status;
    r->at = akin_json_space(r->at);
    if (*r->at != ':')
        return expect(r, r->at, "a colon");
    r->at++;
    return AKIN_OK;
}

/* A number, true, false or null. */
static akin_status read_scalar(reading *r)
{
    const char *end = akin_json_value(r->at, r->find, &r->fault);
    if (!end)
        return AKIN_E_INPUT;
    const char *from = r->at;
    r->at = end;
    return keep(r, from, (size_t)(end - from), AKIN_JSON_LEAF);
}

/* The beginning of an array or object: its first element is to be read unless it is empty. *is_done: it is complete. */
static akin_status read_beginning(reading *r, akin_json_form form, char closing, int *is_done)
{
    akin_status status = keep(r, form == AKIN_JSON_LIST ? "[]" : "{}", 2, form);
    if (status != AKIN_OK)
        return status;
    r->at = akin_json_space(r->at + 1);
    *is_done = *r->at == closing;
    if (*is_done) {
        akin_json_order_close(r->order);
        r->at++;
    } else if (form == AKIN_JSON_MEMBERS) {
        status = read_key(r);
    }
    return status;
}

/* A value, or the beginning of one. */
static akin_status read_json_value(reading *r, int *is_done)
{
    r->at = akin_json_space(r->at);
    *is_done = 1;
    if (*r->at == '{')
        return read_beginning(r, AKIN_JSON_MEMBERS, '}', is_done);
    if (*r->at == '[')
        return read_beginning(r, AKIN_JSON_LIST, ']', is_done);
    return *r->at == '"' ? read_string(r, AKIN_JSON_LEAF) : read_scalar(r);
}

/* Behind a value: closes what ends there, up to where the next value begins. */
static akin_status read_ends(reading *r)
{
    for (;;) {
        const akin_json_form form = akin_json_order_top(r->order);
        if (form == AKIN_JSON_LEAF)
            return AKIN_OK;
        if (form == AKIN_JSON_MEMBER) {
            akin_json_order_close(r->order);
            continue;
        }
        r->at = akin_json_space(r->at);
        const int is_list = form == AKIN_JSON_LIST;
        if (*r->at == ',') {
            r->at++;
            return is_list ? AKIN_OK : read_key(r);
        }
        if (*r->at != (is_list ? ']' : '}'))
            return expect(r, r->at, is_list ? "a comma or ]" : "a comma or }");
        r->at++;
        akin_json_order_close(r->order);
    }
}

static akin_status read_all(reading *r, uint64_t length)
{
    akin_status status;
    int is_done;
    do {
        status = read_json_value(r, &is_done);
        if (status == AKIN_OK && is_done)
            status = read_ends(r);
    } while (status == AKIN_OK && akin_json_order_top(r->order) != AKIN_JSON_LEAF);
    if (status != AKIN_OK)
        return status;
    r->at = akin_json_space(r->at);
    return r->at == r->text + length ? AKIN_OK : expect(r, r->at, "nothing behind the value");
}

/* Makes what is kept; it stays with the builder. */
static akin_json_order *order_of(akin_tree_builder *builder, akin_error *error)
{
    if (!builder->order) {
        builder->order = akin_alloc_zero(builder->account, 1, sizeof *builder->order);
        if (!builder->order)
            akin_fail_memory(error, "a JSON value");
        else
            builder->order->account = builder->account;
    }
    return builder->order;
}

static akin_status read_json(akin_tree_builder *builder, const char *text, uint64_t length, int is_sorted,
                             akin_tree_fault *fault, akin_error *error)
{
    reading r = {.builder = builder, .order = order_of(builder, error), .error = error};
    if (!r.order)
        return AKIN_E_NOMEM;
    char *copy = akin_tree_builder_room(builder, 2 * length + BEYOND + 8, error);
    if (!copy)
        return AKIN_E_NOMEM;
    memcpy(copy, text, length);
    memset(copy + length, 0, BEYOND);
    copy[length] = '\n';
    for (char *lf = copy; (lf = memchr(lf, '\n', (size_t)(copy + length - lf))) != NULL;)
        *lf = '\r'; /* a blank as well, and LF ends scans */
    r.text = r.at = copy;
    r.label = copy + length + BEYOND;
    r.find = akin_json_finder_for(builder->cpu);
    r.order->count = r.order->stacked = 0;
    const akin_status status = read_all(&r, length);
    if (status == AKIN_E_INPUT)
        return akin_tree_fault_at(fault, (uint64_t)(r.fault.at - copy), r.fault.expected);
    return status == AKIN_OK ? akin_json_order_build(r.order, builder->dictionary, is_sorted, &builder->nodes, error)
                             : status;
}

akin_status akin_tree_json_read(akin_tree_builder *builder, const char *text, uint64_t length, akin_tree_fault *fault,
                                akin_error *error)
{
    return read_json(builder, text, length, 1, fault, error);
}

akin_status akin_tree_json_read_written(akin_tree_builder *builder, const char *text, uint64_t length,
                                        akin_tree_fault *fault, akin_error *error)
{
    return read_json(builder, text, length, 0, fault, error);
}
