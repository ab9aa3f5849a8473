/*
 * Saves term weights, and opens what was saved: a container of kind "weights", version 1.
 *
 *     section 0   numbers, see below
 *             1   offsets, uint64, one more than there are lists
 *             2   ids, uint32            3   tf, uint32         4   values, doubles      of all pairs
 *             5   lengths of documents   6   df of terms        uint32
 *             7   offsets of the terms in their bytes, uint64, one more than there are terms     8   their bytes
 *             9   how text became terms, see analysis.c
 *            10   offsets of the names of documents, likewise, or nothing                       11   their bytes
 */
#include "weigh/file.h"

#include "base/bits.h"
#include "base/memory.h"
#include "weigh/weigher.h"

#include <math.h>
#include <string.h>

#define KIND    "weights"
#define VERSION 1

enum {
    NUMBERS,
    OFFSETS,
    IDS,
    TF,
    VALUES,
    LENGTHS,
    DF,
    TERM_OFFSETS,
    TERM_BYTES,
    ANALYSIS,
    NAME_OFFSETS,
    NAME_BYTES,
    SECTIONS
};

_Static_assert(SECTIONS == AKIN_WEIGHTS_SECTIONS, "a copy of each");

static const char what[] = "a file of term weights"; /* the memory is for */

typedef struct numbers {
    uint32_t order, formula, documents, ids, terms, shared;
    uint64_t words, pairs;
    double k1, b, delta;
} numbers;

/* ----------------------------------------------------------------------------------------------------------- saving */

/* The terms as strings, in two blocks. */
static akin_status gather_terms(const akin_weights *weights, uint64_t **offsets, char **bytes, akin_error *error)
{
    const char *term;
    size_t length;
    uint64_t total = 0;
    *bytes = NULL;
    *offsets = akin_alloc(NULL, (uint64_t)weights->ids_count + 1, sizeof **offsets);
    if (!*offsets)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < weights->ids_count; i++) {
        (*offsets)[i] = total;
        akin_weights_term(weights, i, &term, &length);
        total += length;
    }
    (*offsets)[weights->ids_count] = total;
    *bytes = akin_alloc(NULL, total, 1);
    if (!*bytes)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < weights->ids_count; i++) {
        akin_weights_term(weights, i, &term, &length);
        if (length > 0)
            memcpy(*bytes + (*offsets)[i], term, length);
    }
    return AKIN_OK;
}

/* The names. The first one begins at byte 0: offsets that begin elsewhere are copied. */
static akin_status gather_names(const akin_column *names, uint32_t documents, uint64_t **copy, akin_section sections[],
                                akin_error *error)
{
    const uint64_t *offsets = names->offsets, first = offsets[0];
    sections[NAME_BYTES] = (akin_section){.data = names->bytes + first, .length = offsets[documents] - first};
    if (first > 0) {
        *copy = akin_alloc(NULL, (uint64_t)documents + 1, sizeof **copy);
        if (!*copy)
            return akin_fail_memory(error, what);
        for (uint64_t i = 0; i <= documents; i++)
            (*copy)[i] = offsets[i] - first;
        offsets = *copy;
    }
    sections[NAME_OFFSETS] = (akin_section){.data = offsets, .length = ((uint64_t)documents + 1) * sizeof *offsets};
    return AKIN_OK;
}

akin_status akin_weights_write_file(const akin_scope *scope, const akin_weights *weights, const akin_column *names,
                                    akin_output *output, akin_error *error)
{
    const akin_weights *w = weights;
    const numbers n = {w->order, w->formula.formula, w->documents,  w->ids_count, w->terms,        w->shared,
                       w->words, w->pairs,           w->formula.k1, w->formula.b, w->formula.delta};
    const uint64_t lists = akin_weights_lists(w), terms = w->ids_count;
    uint64_t *offsets = NULL, *copy = NULL, length = 0;
    char *bytes = NULL, *analysis = NULL;
    if (w->is_part)
        return akin_fail(error, AKIN_E_OPTION,
                         "weights by the statistics of a corpus are not saved as akin: save an index of them, or write "
                         "another format");
    akin_section sections[SECTIONS] = {[NUMBERS] = {.data = &n, .length = sizeof n},
                                       [OFFSETS] = {.data = w->offsets, .length = (lists + 1) * sizeof *w->offsets},
                                       [IDS] = {.data = w->ids, .length = w->pairs * sizeof *w->ids},
                                       [TF] = {.data = w->tf, .length = w->pairs * sizeof *w->tf},
                                       [VALUES] = {.data = w->values, .length = w->pairs * sizeof *w->values},
                                       [LENGTHS] = {.data = w->lengths, .length = w->documents * sizeof *w->lengths},
                                       [DF] = {.data = w->df, .length = terms * sizeof *w->df},
                                       [NAME_OFFSETS] = {.data = "", .length = 0},
                                       [NAME_BYTES] = {.data = "", .length = 0}};
    akin_status status = gather_terms(w, &offsets, &bytes, error);
    if (status == AKIN_OK)
        status = akin_analysis_write(w->analysis, &analysis, &length, error);
    if (status == AKIN_OK && names)
        status = gather_names(names, w->documents, &copy, sections, error);
    if (status == AKIN_OK) {
        sections[TERM_OFFSETS] = (akin_section){.data = offsets, .length = (terms + 1) * sizeof *offsets};
        sections[TERM_BYTES] = (akin_section){.data = bytes, .length = offsets[terms]};
        sections[ANALYSIS] = (akin_section){.data = analysis, .length = length};
        status = akin_container_write(scope, output, KIND, VERSION, sections, SECTIONS, error);
    }
    akin_free(offsets);
    akin_free(bytes);
    akin_free(analysis);
    akin_free(copy);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- opening */

/* A file being checked. */
typedef struct opening {
    const char *name;
    akin_section sections[SECTIONS];
    akin_weights *weights;
    akin_error *error;
} opening;

static akin_status damaged(const opening *o, const char *part)
{
    return akin_fail(o->error, AKIN_E_INPUT, "%s: %s are not those of term weights", o->name, part);
}

/* Takes the sections of a container. Those of a mapped file are copied, but for the values, which are computed with
 * alone. */
static akin_status take_sections(const akin_scope *scope, const akin_container *container, opening *o)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < SECTIONS && status == AKIN_OK; i++) {
        o->sections[i] = akin_container_section(container, i);
        if (i != VALUES)
            status = akin_section_keep(scope, AKIN_BUDGET_WEIGHTS, &o->sections[i], 0, &o->weights->kept[i], o->error);
    }
    return status;
}

static akin_status check_numbers(const opening *o)
{
    akin_weights *w = o->weights;
    numbers n;
    akin_section from = o->sections[NUMBERS];
    if (from.length != sizeof n)
        return damaged(o, "its numbers");
    memcpy(&n, from.data, sizeof n);
    if (!akin_choice_of(&akin_weights_orders, (int)n.order) || n.terms > n.ids ||
        (n.shared != AKIN_WEIGHTS_NONE && n.shared >= n.ids) || n.pairs > UINT64_MAX / sizeof(double) || n.delta < 0 ||
        akin_formula_read((akin_formula)n.formula, n.k1, n.b, n.delta, &w->formula, NULL) != AKIN_OK)
        return damaged(o, "its numbers");
    w->order = (akin_weights_order)n.order;
    w->documents = n.documents;
    w->ids_count = n.ids;
    w->terms = n.terms;
    w->shared = n.shared;
    w->words = n.words;
    w->pairs = n.pairs;
    return AKIN_OK;
}

static akin_status check_sizes(const opening *o)
{
    const akin_weights *w = o->weights;
    const uint64_t pairs = w->pairs, terms = w->ids_count, documents = w->documents;
    const uint64_t sizes[] = {[OFFSETS] = ((uint64_t)akin_weights_lists(w) + 1) * sizeof *w->offsets,
                              [IDS] = pairs * sizeof *w->ids,
                              [TF] = pairs * sizeof *w->tf,
                              [VALUES] = pairs * sizeof *w->values,
                              [LENGTHS] = documents * sizeof *w->lengths,
                              [DF] = terms * sizeof *w->df,
                              [TERM_OFFSETS] = (terms + 1) * sizeof *w->term_offsets};
    for (uint32_t i = OFFSETS; i <= TERM_OFFSETS; i++)
        if (o->sections[i].length != sizes[i])
            return damaged(o, "the sizes of its parts");
    uint64_t names = o->sections[NAME_OFFSETS].length;
    if (names != 0 && names != (documents + 1) * sizeof *w->name_offsets)
        return damaged(o, "the sizes of its parts");
    return AKIN_OK;
}

/* Offsets from 0 to `end` that never fall. */
static int are_offsets(const uint64_t *offsets, uint64_t count, uint64_t end)
{
    int falls = offsets[0] != 0 || offsets[count] != end;
    for (uint64_t i = 0; i < count; i++)
        falls |= offsets[i + 1] < offsets[i];
    return !falls;
}

/* Ids of each list ascend, and are below `limit`. */
static int are_lists(const akin_weights *w, uint32_t limit)
{
    const uint32_t lists = akin_weights_lists(w);
    for (uint32_t i = 0; i < lists; i++) {
        uint64_t begin = w->offsets[i], end = w->offsets[i + 1];
        for (uint64_t j = begin + 1; j < end; j++)
            if (w->ids[j] <= w->ids[j - 1])
                return 0;
        if (end > begin && w->ids[end - 1] >= limit)
            return 0;
    }
    return 1;
}

/* Counts that the file has twice must agree: tokens by document, documents by term. */
static akin_status check_counts(const opening *o)
{
    const akin_weights *w = o->weights;
    const int by_term = w->order == AKIN_WEIGHTS_BY_TERM;
    const uint32_t lists = akin_weights_lists(w), others = by_term ? w->documents : w->ids_count;
    uint64_t *sums = akin_alloc_zero(NULL, others, sizeof *sums), words = 0;
    uint32_t terms = 0;
    if (!sums)
        return akin_fail_memory(o->error, what);
    int right = 1;
    for (uint32_t i = 0; i < lists; i++) {
        uint64_t tokens = 0;
        for (uint64_t j = w->offsets[i]; j < w->offsets[i + 1]; j++) {
            right &= w->tf[j] > 0 && isfinite(w->values[j]);
            tokens += w->tf[j];
            sums[w->ids[j]] += by_term ? w->tf[j] : 1;
        }
        right &= by_term ? w->offsets[i + 1] - w->offsets[i] == w->df[i] : tokens == w->lengths[i];
    }
    for (uint32_t i = 0; i < others; i++)
        right &= sums[i] == (by_term ? w->lengths[i] : w->df[i]);
    for (uint32_t i = 0; i < w->documents; i++)
        words += w->lengths[i];
    for (uint32_t i = 0; i < w->ids_count; i++)
        terms += w->df[i] > 0;
    akin_free(sums);
    return right && words == w->words && terms == w->terms ? AKIN_OK : damaged(o, "its counts");
}

static akin_status check_contents(const opening *o)
{
    const akin_weights *w = o->weights;
    akin_status status = AKIN_OK;
    if (!are_offsets(w->offsets, akin_weights_lists(w), w->pairs) ||
        !are_lists(w, w->order == AKIN_WEIGHTS_BY_TERM ? w->documents : w->ids_count))
        status = damaged(o, "its lists");
    if (status == AKIN_OK)
        status = check_counts(o);
    if (status == AKIN_OK &&
        (!are_offsets(w->term_offsets, w->ids_count, o->sections[TERM_BYTES].length) ||
         (w->name_offsets && !are_offsets(w->name_offsets, w->documents, o->sections[NAME_BYTES].length))))
        status = damaged(o, "its terms or names");
    return status;
}

/* Makes weights of what the container holds, which becomes theirs. */
static akin_status unpack_weights(const akin_scope *scope, const char *name, akin_container *container,
                                  akin_weights **out, akin_error *error)
{
    opening o = {.name = name, .weights = akin_alloc_zero(NULL, 1, sizeof *o.weights), .error = error};
    akin_weights *w = o.weights;
    if (!w)
        return akin_fail_memory(error, what);
    akin_status status = take_sections(scope, container, &o);
    if (status == AKIN_OK)
        status = check_numbers(&o);
    if (status == AKIN_OK)
        status = check_sizes(&o);
    if (status == AKIN_OK) {
        w->offsets = o.sections[OFFSETS].data;
        w->ids = o.sections[IDS].data;
        w->tf = o.sections[TF].data;
        w->values = o.sections[VALUES].data;
        w->lengths = o.sections[LENGTHS].data;
        w->df = o.sections[DF].data;
        w->term_offsets = o.sections[TERM_OFFSETS].data;
        w->term_bytes = o.sections[TERM_BYTES].data;
        w->name_offsets = o.sections[NAME_OFFSETS].length > 0 ? o.sections[NAME_OFFSETS].data : NULL;
        w->name_bytes = o.sections[NAME_BYTES].data;
        status = check_contents(&o);
    }
    if (status == AKIN_OK)
        status = akin_analysis_parse(name, o.sections[ANALYSIS].data, o.sections[ANALYSIS].length, &w->analysis, error);
    if (status == AKIN_OK) {
        w->container = container;
        *out = w;
    } else {
        akin_weights_free(w);
    }
    return status;
}

akin_status akin_weights_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                      akin_weights **out, akin_error *error)
{
    akin_status status = akin_container_expect(container, name, KIND, VERSION, SECTIONS, error);
    if (status == AKIN_OK)
        status = unpack_weights(scope, name, container, out, error);
    if (status != AKIN_OK)
        akin_container_close(container);
    return status;
}

akin_status akin_weights_open(akin_context *context, const char *path, akin_weights **out, akin_error *error)
{
    akin_container *container;
    akin_status status = akin_container_open(akin_scope_of(context), path, KIND, VERSION, SECTIONS, &container, error);
    if (status != AKIN_OK)
        return status;
    status =
        unpack_weights(akin_scope_of(context), strcmp(path, "-") == 0 ? "standard input" : path, container, out, error);
    if (status != AKIN_OK)
        akin_container_close(container);
    return status;
}

const akin_mapping *akin_weights_mapping(const akin_weights *weights)
{
    return akin_container_mapping(weights->container);
}

akin_status akin_weights_parse(const akin_scope *scope, const char *name, akin_bulk *image, uint64_t length,
                               akin_weights **out, akin_error *error)
{
    akin_container *container;
    akin_status status =
        akin_container_parse(scope, name, image->data, length, KIND, VERSION, SECTIONS, &container, error);
    if (status != AKIN_OK)
        return status;
    status = unpack_weights(scope, name, container, out, error);
    if (status == AKIN_OK)
        (*out)->image = *image;
    else
        akin_container_close(container);
    return status;
}
