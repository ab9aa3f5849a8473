/*
 * Reads a model from JSON. Each object has a table of its keys: what kind of value each has, and where it goes. All
 * names are those of the text until akin_model_create copies them.
 */
#include "dedupe/model.h"

#include "strings/number.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define FIELDS_MOST 12

typedef enum kind { OF_NUMBER, OF_TEXT, OF_NAMES, OF_LIST, OF_PAIRS, OF_FLAG } kind;

/* A key of an object. */
typedef struct field {
    const char *name;
    kind kind;
    int is_optional;
    double low, high;       /* of a number, */
    int is_whole, is_above; /* and whether it is above `low`, not `low` itself */
} field;

typedef struct reading {
    const char *called; /* NULL: nothing */
    const akin_json_node *nodes;
    akin_model_content content;
    akin_model_comparison *comparisons;
} reading;

/* Refuses what stands at a node. */
AKIN_PRINTF(4, 5)
static akin_status refuse(const reading *r, uint32_t node, akin_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const akin_status status = akin_fail_node(error, AKIN_E_INPUT, r->called, &r->nodes[node], format, arguments);
    va_end(arguments);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* Whether a node is of that kind, or else refuses it. */
static akin_status check_kind(const reading *r, uint32_t node, kind kind, akin_error *error)
{
    static const char *const expected[] = {[OF_NUMBER] = "a number",
                                           [OF_TEXT] = "a string",
                                           [OF_NAMES] = "an array of strings",
                                           [OF_LIST] = "an array with a value or more",
                                           [OF_PAIRS] = "an array of arrays of two numbers",
                                           [OF_FLAG] = "true"};
    const akin_json_node *at = &r->nodes[node];
    int is_it = kind == OF_NUMBER ? at->kind == AKIN_JSON_NUMBER
                : kind == OF_TEXT ? at->kind == AKIN_JSON_STRING && *at->text
                : kind == OF_FLAG ? at->kind == AKIN_JSON_TRUE
                                  : at->kind == AKIN_JSON_ARRAY && (kind == OF_PAIRS || at->next > node + 1);
    for (uint32_t i = node + 1; is_it && kind == OF_NAMES && i < at->next; i = r->nodes[i].next)
        is_it = r->nodes[i].kind == AKIN_JSON_STRING && *r->nodes[i].text;
    for (uint32_t i = node + 1; is_it && kind == OF_PAIRS && i < at->next; i = r->nodes[i].next)
        is_it = r->nodes[i].kind == AKIN_JSON_ARRAY && r->nodes[i].next == i + 3 &&
                r->nodes[i + 1].kind == AKIN_JSON_NUMBER && r->nodes[i + 2].kind == AKIN_JSON_NUMBER;
    return is_it ? AKIN_OK : refuse(r, node, error, "expected %s", expected[kind]);
}

static akin_status take_number(const reading *r, uint32_t node, const field *f, double *out, akin_error *error)
{
    const char *text = r->nodes[node].text;
    akin_status status = check_kind(r, node, OF_NUMBER, error);
    if (status != AKIN_OK)
        return status;
    const size_t length = strlen(text);
    if (length > UINT32_MAX || !akin_number_parse(text, (uint32_t)length, out) || *out < f->low || *out > f->high ||
        (f->is_above && *out == f->low) || (f->is_whole && *out != (double)(uint64_t)*out))
        return refuse(r, node, error, "expected a %snumber %s %g%s %g", f->is_whole ? "whole " : "",
                      f->is_above ? "above" : "from", f->low, f->is_above ? ", at most" : " to", f->high);
    return AKIN_OK;
}

/* Finds the member of an object for each field: nodes[i] is 0 where there is none. */
static akin_status find_members(const reading *r, uint32_t object, const field *fields, uint32_t count,
                                uint32_t nodes[FIELDS_MOST], akin_error *error)
{
    akin_status status = AKIN_OK;
    memset(nodes, 0, FIELDS_MOST * sizeof *nodes);
    if (r->nodes[object].kind != AKIN_JSON_OBJECT)
        return refuse(r, object, error, "expected an object with the key \"%s\"", fields[0].name);
    for (uint32_t at = object + 1; at < r->nodes[object].next && status == AKIN_OK; at = r->nodes[at].next) {
        uint32_t f = 0;
        while (f < count && strcmp(fields[f].name, r->nodes[at].key) != 0)
            f++;
        if (f == count)
            return refuse(r, at, error, "is not a key of a model");
        if (nodes[f] != 0)
            return refuse(r, at, error, "is there twice");
        nodes[f] = at;
        status = check_kind(r, at, fields[f].kind, error);
    }
    for (uint32_t f = 0; f < count && status == AKIN_OK; f++)
        if (!nodes[f] && !fields[f].is_optional)
            status = refuse(r, object, error, "expected an object with the key \"%s\"", fields[f].name);
    return status;
}

/* How many elements an array has. */
static uint32_t count_elements(const reading *r, uint32_t array)
{
    uint32_t count = 0;
    for (uint32_t at = array + 1; at < r->nodes[array].next; at = r->nodes[at].next)
        count++;
    return count;
}

/* Takes the strings of an array; node 0: there are none. The list is freed by clear_comparisons. */
static akin_status take_names(const reading *r, uint32_t node, akin_model_names *out, akin_error *error)
{
    if (node == 0)
        return AKIN_OK;
    const char **names = akin_alloc(NULL, count_elements(r, node), sizeof *names);
    if (!names)
        return akin_fail_memory(error, "the model");
    *out = (akin_model_names){names, 0};
    for (uint32_t at = node + 1; at < r->nodes[node].next; at = r->nodes[at].next)
        names[out->count++] = r->nodes[at].text;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------ comparisons */

#define NO_NUMBER   0, 0, 0, 0
#define PROBABILITY 0, 1, 0, 0
#define ABOVE_0     0, 1, 0, 1
#define WEIGHT      -1000, 1000, 0, 0
#define WHOLE       0, 4294967294.0, 1, 0

enum { FROM, M, U, LEVEL_WEIGHT, GIVEN_SHARE, GIVEN_U, GIVEN_WEIGHT, LEVEL_FIELDS };

static const field of_level[LEVEL_FIELDS] = {
    [FROM] = {"from", OF_NUMBER, 0, PROBABILITY},
    [M] = {"m", OF_NUMBER, 0, PROBABILITY},
    [U] = {"u", OF_NUMBER, 0, ABOVE_0},
    [LEVEL_WEIGHT] = {"weight", OF_NUMBER, 0, WEIGHT},
    [GIVEN_SHARE] = {"given_share", OF_NUMBER, 0, PROBABILITY},
    [GIVEN_U] = {"given_u", OF_NUMBER, 0, PROBABILITY},
    [GIVEN_WEIGHT] = {"given_weight", OF_NUMBER, 0, WEIGHT},
};

static akin_status take_level(const reading *r, uint32_t node, akin_model_comparison *c, uint32_t level,
                              akin_error *error)
{
    akin_level_model *l = &c->levels;
    double *const to[LEVEL_FIELDS] = {[FROM] = &c->from[level],
                                      [M] = &l->m[level],
                                      [U] = &l->u[level],
                                      [LEVEL_WEIGHT] = &l->weights[level],
                                      [GIVEN_SHARE] = &l->shares[level],
                                      [GIVEN_U] = &l->u_given[level],
                                      [GIVEN_WEIGHT] = &l->weights_given[level]};
    const uint32_t count = l->is_dependent ? LEVEL_FIELDS : GIVEN_SHARE;
    uint32_t nodes[FIELDS_MOST];
    akin_status status = find_members(r, node, of_level, count, nodes, error);
    for (uint32_t f = 0; f < count && status == AKIN_OK; f++)
        status = take_number(r, nodes[f], &of_level[f], to[f], error);
    if (status == AKIN_OK && (level == 0 ? c->from[0] != 0 : !(c->from[level] > c->from[level - 1])))
        status = refuse(r, nodes[FROM], error,
                        level == 0 ? "expected 0 for the first level" : "expected more than the level before has");
    return status;
}

static akin_status take_levels(const reading *r, uint32_t node, akin_model_comparison *c, akin_error *error)
{
    const uint32_t count = count_elements(r, node);
    akin_status status = AKIN_OK;
    if (count < 2 || count > AKIN_LEVELS_MOST)
        return refuse(r, node, error, "has %u levels: expected 2 to %d", count, AKIN_LEVELS_MOST);
    c->levels.levels = count;
    for (uint32_t at = node + 1, level = 0; level < count && status == AKIN_OK; at = r->nodes[at].next)
        status = take_level(r, at, c, level++, error);
    return status;
}

enum { COLUMN, COMBINED_OF, COMPARATORS, FOLD, IDLE, GIVEN, GIVEN_PAIRS, LEVELS, COMPARISON_FIELDS };

static const field of_comparison[COMPARISON_FIELDS] = {
    [COLUMN] = {"column", OF_TEXT, 0, NO_NUMBER},
    [COMBINED_OF] = {"combined_of", OF_NAMES, 1, NO_NUMBER},
    [COMPARATORS] = {"comparators", OF_NAMES, 0, NO_NUMBER},
    [FOLD] = {"fold", OF_TEXT, 0, NO_NUMBER},
    [IDLE] = {"idle", OF_FLAG, 1, NO_NUMBER},
    [GIVEN] = {"given", OF_TEXT, 1, NO_NUMBER},
    [GIVEN_PAIRS] = {"given_pairs", OF_NUMBER, 1, 0, 1e20, 0, 0},
    [LEVELS] = {"levels", OF_LIST, 0, NO_NUMBER},
};

/* Another comparison of that column; the number of all of them if there is none. */
static uint32_t find_column(const reading *r, const char *column)
{
    uint32_t c = 0;
    while (c < r->content.count && strcmp(r->comparisons[c].column, column) != 0)
        c++;
    return c;
}

/* What the comparison depends on; parents have their names before. */
static akin_status take_given(const reading *r, const uint32_t nodes[FIELDS_MOST], uint32_t at, akin_error *error)
{
    akin_level_model *l = &r->comparisons[at].levels;
    l->is_dependent = nodes[GIVEN] != 0;
    if (!nodes[GIVEN] != !nodes[GIVEN_PAIRS])
        return refuse(r, nodes[GIVEN] ? nodes[GIVEN] : nodes[GIVEN_PAIRS], error, "expected both \"%s\" and \"%s\"",
                      of_comparison[GIVEN].name, of_comparison[GIVEN_PAIRS].name);
    if (!l->is_dependent)
        return AKIN_OK;
    l->parent = find_column(r, r->nodes[nodes[GIVEN]].text);
    if (l->parent == r->content.count || l->parent == at)
        return refuse(r, nodes[GIVEN], error, "expected the column of another comparison");
    return take_number(r, nodes[GIVEN_PAIRS], &of_comparison[GIVEN_PAIRS], &l->agreeing, error);
}

static akin_status take_comparison(const reading *r, uint32_t node, uint32_t at, akin_error *error)
{
    akin_model_comparison *c = &r->comparisons[at];
    uint32_t nodes[FIELDS_MOST];
    akin_error refused;
    akin_status status = find_members(r, node, of_comparison, COMPARISON_FIELDS, nodes, error);
    if (status == AKIN_OK && find_column(r, c->column) != at)
        status = refuse(r, nodes[COLUMN], error, "is the column of another comparison, too");
    if (status == AKIN_OK && akin_folds_parse(r->nodes[nodes[FOLD]].text, &c->folds, &refused) != AKIN_OK)
        status = refuse(r, nodes[FOLD], error, "%s", refused.message);
    c->levels.is_idle = status == AKIN_OK && nodes[IDLE] != 0;
    if (status == AKIN_OK)
        status = take_given(r, nodes, at, error);
    if (status == AKIN_OK)
        status = take_names(r, nodes[COMPARATORS], &c->comparators, error);
    if (status == AKIN_OK)
        status = take_names(r, nodes[COMBINED_OF], &c->parts, error);
    return status == AKIN_OK ? take_levels(r, nodes[LEVELS], c, error) : status;
}

/* The column of each comparison, which others may depend on; "": it has none, and is refused later. */
static void take_columns(const reading *r, uint32_t list)
{
    uint32_t c = 0;
    for (uint32_t at = list + 1; at < r->nodes[list].next; at = r->nodes[at].next, c++) {
        r->comparisons[c].column = "";
        for (uint32_t i = at + 1; i < r->nodes[at].next && r->nodes[at].kind == AKIN_JSON_OBJECT; i = r->nodes[i].next)
            if (strcmp(r->nodes[i].key, of_comparison[COLUMN].name) == 0 && r->nodes[i].kind == AKIN_JSON_STRING)
                r->comparisons[c].column = r->nodes[i].text;
    }
}

/* Whether a comparison depends on itself, through others. */
static int is_circle(const reading *r, uint32_t at)
{
    uint32_t parent = at, steps = 0;
    while (r->comparisons[parent].levels.is_dependent && steps++ < r->content.count) {
        parent = r->comparisons[parent].levels.parent;
        if (parent == at)
            return 1;
    }
    return 0;
}

/* The member of an object that has that key; the object itself if there is none. */
static uint32_t member_of(const reading *r, uint32_t object, const char *key)
{
    for (uint32_t at = object + 1; at < r->nodes[object].next; at = r->nodes[at].next)
        if (strcmp(r->nodes[at].key, key) == 0)
            return at;
    return object;
}

/* Refuses comparisons that depend on one another in a circle. */
static akin_status check_circles(const reading *r, uint32_t list, akin_error *error)
{
    uint32_t c = 0;
    for (uint32_t at = list + 1; at < r->nodes[list].next; at = r->nodes[at].next, c++)
        if (is_circle(r, c))
            return refuse(r, member_of(r, at, of_comparison[GIVEN].name), error,
                          "is a circle: \"%.100s\" depends on itself", r->comparisons[c].column);
    return AKIN_OK;
}

static akin_status take_comparisons(reading *r, uint32_t list, akin_error *error)
{
    const uint32_t count = count_elements(r, list);
    akin_status status = AKIN_OK;
    r->comparisons = akin_alloc_zero(NULL, count, sizeof *r->comparisons);
    if (!r->comparisons)
        return akin_fail_memory(error, "the model");
    r->content.comparisons = r->comparisons;
    r->content.count = count;
    take_columns(r, list);
    for (uint32_t at = list + 1, c = 0; at < r->nodes[list].next && status == AKIN_OK; at = r->nodes[at].next)
        status = take_comparison(r, at, c++, error);
    return status == AKIN_OK ? check_circles(r, list, error) : status;
}

static void clear_comparisons(reading *r)
{
    for (uint32_t c = 0; r->comparisons && c < r->content.count; c++) {
        akin_free((void *)r->comparisons[c].comparators.names);
        akin_free((void *)r->comparisons[c].parts.names);
    }
    akin_free(r->comparisons);
}

/* ------------------------------------------------------------------------------------------------------------ model */

enum {
    KIND,
    VERSION,
    PARTNERS,
    RECORDS,
    MATCHES,
    THRESHOLD,
    TEMPERING,
    OFFSET,
    RARENESS,
    LEARNT,
    CAPS,
    COMPARISONS,
    MODEL_FIELDS
};
_Static_assert(MODEL_FIELDS <= FIELDS_MOST && COMPARISON_FIELDS <= FIELDS_MOST, "there is room for all fields");

static const field of_model[MODEL_FIELDS] = {
    [KIND] = {"akin", OF_TEXT, 0, NO_NUMBER},
    [VERSION] = {"version", OF_NUMBER, 0, WHOLE},
    [PARTNERS] = {"partners", OF_TEXT, 0, NO_NUMBER},
    [RECORDS] = {"records", OF_LIST, 0, WHOLE},
    [MATCHES] = {"matches", OF_NUMBER, 0, 0, 1e20, 0, 1},
    [THRESHOLD] = {"threshold", OF_NUMBER, 0, ABOVE_0},
    [TEMPERING] = {"tempering", OF_NUMBER, 0, ABOVE_0},
    [OFFSET] = {"offset", OF_NUMBER, 1, WEIGHT},
    [RARENESS] = {"rareness", OF_NUMBER, 1, -1, 1000, 0, 0},
    [LEARNT] = {"learnt", OF_NUMBER, 0, WHOLE},
    [CAPS] = {"caps", OF_PAIRS, 1, NO_NUMBER},
    [COMPARISONS] = {"comparisons", OF_LIST, 0, NO_NUMBER},
};

static const field of_step[] = {{"caps", OF_NUMBER, 0, -AKIN_CAPS_WEIGHT, AKIN_CAPS_WEIGHT, 0, 0},
                                {"caps", OF_NUMBER, 0, PROBABILITY}};

/* What is no model has other keys, so this comes first. */
static akin_status check_akin(const reading *r, akin_error *error)
{
    const akin_json_node *nodes = r->nodes;
    for (uint32_t at = 1; nodes->kind == AKIN_JSON_OBJECT && at < nodes->next; at = nodes[at].next)
        if (strcmp(nodes[at].key, of_model[KIND].name) == 0 && nodes[at].kind == AKIN_JSON_STRING)
            return strcmp(nodes[at].text, AKIN_MODEL_KIND) == 0
                       ? AKIN_OK
                       : refuse(r, at, error, "expected \"" AKIN_MODEL_KIND "\", by which it is known as a model");
    return refuse(r, 0, error, "expected an object with \"%s\": \"" AKIN_MODEL_KIND "\"", of_model[KIND].name);
}

static akin_status check_version(const reading *r, uint32_t node, akin_error *error)
{
    return strcmp(r->nodes[node].text, AKIN_MODEL_VERSION) == 0
               ? AKIN_OK
               : refuse(r, node, error, "expected " AKIN_MODEL_VERSION ", the version that this akin knows");
}

static akin_status take_records(reading *r, uint32_t list, akin_error *error)
{
    const uint32_t count = count_elements(r, list);
    akin_status status = AKIN_OK;
    if (count > 2)
        return refuse(r, list, error, "has %u numbers: expected that of one table, or those of two", count);
    r->content.tables = count;
    for (uint32_t at = list + 1, i = 0; i < count && status == AKIN_OK; at = r->nodes[at].next, i++) {
        double rows = 0;
        status = take_number(r, at, &of_model[RECORDS], &rows, error);
        r->content.rows[i] = status == AKIN_OK ? (uint32_t)rows : 0;
    }
    return status;
}

/* Matches are pairs of the records; 1 at least, as of no pairs there may be a part of one. But of one table they may be
 * more, because pairs of equal records count that learning has left out. */
static akin_status take_matches(reading *r, uint32_t node, akin_error *error)
{
    akin_model_content *c = &r->content;
    const double pairs = (double)c->rows[0] * c->rows[1], most = pairs > 1 ? pairs : 1;
    const akin_status status = take_number(r, node, &of_model[MATCHES], &c->expected, error);
    if (status != AKIN_OK || c->tables == 1 || c->expected <= most)
        return status;
    return refuse(r, node, error, "expected at most %.0f, the number of pairs of these records", most);
}

static akin_status take_partners(reading *r, uint32_t node, akin_error *error)
{
    int value;
    akin_error refused;
    if (akin_choice_value(&akin_model_partners, r->nodes[node].text, &value, &refused) != AKIN_OK)
        return refuse(r, node, error, "%s", refused.message);
    r->content.partners = (akin_partners)value;
    return AKIN_OK;
}

/* Takes caps; node 0: there are none. */
static akin_status take_caps(reading *r, uint32_t node, akin_error *error)
{
    akin_caps *to = &r->content.caps;
    akin_status status = AKIN_OK;
    if (node == 0)
        return AKIN_OK;
    r->content.has_caps = 1;
    to->steps = akin_alloc(NULL, count_elements(r, node), sizeof *to->steps);
    if (!to->steps)
        return akin_fail_memory(error, "the model");
    for (uint32_t at = node + 1; at < r->nodes[node].next && status == AKIN_OK; at = r->nodes[at].next) {
        akin_cap *step = &to->steps[to->count++];
        status = take_number(r, at + 1, &of_step[0], &step->weight, error);
        if (status == AKIN_OK)
            status = take_number(r, at + 2, &of_step[1], &step->share, error);
        if (status == AKIN_OK && to->count > 1 && !(step->weight > step[-1].weight))
            status = refuse(r, at + 1, error, "expected more than the weight of the step before");
    }
    return status;
}

static akin_status take_model(reading *r, akin_error *error)
{
    uint32_t nodes[FIELDS_MOST];
    double learnt = 0;
    akin_model_content *c = &r->content;
    akin_status status = check_akin(r, error);
    if (status == AKIN_OK)
        status = find_members(r, 0, of_model, MODEL_FIELDS, nodes, error);
    if (status == AKIN_OK)
        status = check_version(r, nodes[VERSION], error);
    if (status == AKIN_OK)
        status = take_partners(r, nodes[PARTNERS], error);
    if (status == AKIN_OK)
        status = take_records(r, nodes[RECORDS], error);
    if (status == AKIN_OK)
        status = take_matches(r, nodes[MATCHES], error);
    if (status == AKIN_OK)
        status = take_number(r, nodes[THRESHOLD], &of_model[THRESHOLD], &c->threshold, error);
    if (status == AKIN_OK)
        status = take_number(r, nodes[TEMPERING], &of_model[TEMPERING], &c->tempering, error);
    if (status == AKIN_OK && nodes[OFFSET])
        status = take_number(r, nodes[OFFSET], &of_model[OFFSET], &c->offset, error);
    if (status == AKIN_OK && nodes[RARENESS])
        status = take_number(r, nodes[RARENESS], &of_model[RARENESS], &c->rareness, error);
    if (status == AKIN_OK)
        status = take_number(r, nodes[LEARNT], &of_model[LEARNT], &learnt, error);
    c->learnt = status == AKIN_OK ? (uint32_t)learnt : 0;
    if (status == AKIN_OK)
        status = take_caps(r, nodes[CAPS], error);
    return status == AKIN_OK ? take_comparisons(r, nodes[COMPARISONS], error) : status;
}

akin_status akin_dedupe_model_read(const akin_json *json, const char *called, akin_dedupe_model **out,
                                   akin_error *error)
{
    reading r = {.called = called, .nodes = akin_json_nodes(json)};
    akin_status status = take_model(&r, error);
    if (status == AKIN_OK)
        status = akin_model_create(&r.content, out, error);
    clear_comparisons(&r);
    akin_free(r.content.caps.steps);
    return status;
}
