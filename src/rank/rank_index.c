/* Makes an index of term weights, and describes it. */
#include "rank/rank_index.h"
#include "base/budget.h"
#include "base/options.h"
#include "table/columns.h"
#include "weigh/weights.h"

static const char what[] = "an index of documents"; /* the memory is for */

/* What the lists are made of: for each term, in the order of the trie, the documents that have it once, then the
 * others. */
typedef struct origin {
    const akin_weights *weights;
    uint32_t *terms; /* of each two lists, the term */
    uint32_t *ids, *tf;
    uint64_t *middles; /* of each term, where those begin that have it more than once */
    uint8_t *repeats;  /* of documents: 1: it has a term more than once */
    double mean;
    akin_bulk bulks[5]; /* what these are in */
} origin;

enum { TERMS, IDS, TF, MIDDLES, REPEATS };

static uint32_t list_of(const void *user, uint32_t i, const uint32_t **documents, const uint32_t **counts,
                        double *scale)
{
    const origin *o = user;
    const akin_weights *w = o->weights;
    uint32_t term = o->terms[i / 2];
    uint64_t begin = i % 2 == 0 ? w->offsets[term] : o->middles[term];
    uint64_t end = i % 2 == 0 ? o->middles[term] : w->offsets[term + UINT64_C(1)];
    *documents = o->ids + begin;
    *counts = o->tf + begin;
    *scale =
        w->df[term] > 0 ? akin_formula_idf(&w->formula, akin_weights_all(w), akin_weights_frequencies(w)[term]) : 0;
    return (uint32_t)(end - begin);
}

static akin_status reserve_origin(origin *o, akin_error *error)
{
    const akin_weights *w = o->weights;
    akin_status status = akin_bulk_reserve(&o->bulks[IDS], w->pairs * sizeof *o->ids, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&o->bulks[TF], w->pairs * sizeof *o->tf, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&o->bulks[MIDDLES], (uint64_t)w->ids_count * sizeof *o->middles, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve_zeros(&o->bulks[REPEATS], w->documents, what, error);
    o->ids = o->bulks[IDS].data;
    o->tf = o->bulks[TF].data;
    o->middles = o->bulks[MIDDLES].data;
    o->repeats = o->bulks[REPEATS].data;
    return status;
}

/* Parts the documents of each term, which stay in order. */
static akin_status part_documents(origin *o, akin_error *error)
{
    const akin_weights *w = o->weights;
    akin_status status = reserve_origin(o, error);
    if (status != AKIN_OK)
        return status;
    for (uint64_t i = 0; i < w->pairs; i++)
        if (w->tf[i] > 1)
            o->repeats[w->ids[i]] = 1;
    for (uint32_t term = 0; term < w->ids_count; term++) {
        uint64_t begin = w->offsets[term], end = w->offsets[term + UINT64_C(1)], at = begin;
        for (int more = 0; more < 2; more++) {
            o->middles[term] = more ? at : begin;
            for (uint64_t i = begin; i < end; i++)
                if ((w->tf[i] > 1) == more) {
                    o->ids[at] = w->ids[i];
                    o->tf[at++] = w->tf[i];
                }
        }
    }
    return AKIN_OK;
}

static double factor_of(const void *user, uint32_t key, uint32_t count)
{
    const origin *o = user;
    const akin_formula_terms *formula = &o->weights->formula;
    return akin_formula_factor(formula, akin_formula_norm(formula, key, o->mean), count);
}

/* The vocabulary as a column in two arrays of the store, without the term that all unknown terms share. */
static akin_status list_vocabulary(const akin_weights *w, uint32_t count, akin_bulk bulks[2], akin_column *out,
                                   akin_error *error)
{
    uint64_t total = 0;
    const char *word;
    size_t length;
    for (uint32_t i = 0; i < count; i++) {
        akin_weights_term(w, i + (i >= w->shared), &word, &length);
        total += length;
    }
    akin_status status = akin_bulk_reserve(&bulks[0], ((uint64_t)count + 1) * sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&bulks[1], total, what, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = bulks[0].data;
    char *bytes = bulks[1].data;
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        akin_weights_term(w, i + (i >= w->shared), &word, &length);
        memcpy(bytes + offsets[i], word, length);
        offsets[i + 1] = offsets[i] + length;
    }
    *out = (akin_column){.size = sizeof *out, .name = "term", .offsets = offsets, .bytes = bytes};
    return AKIN_OK;
}

/* Looks the words up in the trie that was made of them: which term each of its words is. */
static akin_status list_terms(const akin_scope *scope, origin *o, const akin_trie *trie, const akin_column *words,
                              uint32_t count, akin_bulk *ids, akin_error *error)
{
    const akin_weights *w = o->weights;
    akin_status status = akin_bulk_reserve(ids, (uint64_t)count * sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&o->bulks[TERMS], (uint64_t)w->ids_count * sizeof *o->terms, what, error);
    if (status == AKIN_OK)
        status = akin_trie_look_up_within(scope, trie, words, count, ids->data, error);
    if (status != AKIN_OK)
        return status;
    const uint32_t *id = ids->data;
    o->terms = o->bulks[TERMS].data;
    for (uint32_t i = 0; i < count; i++)
        o->terms[id[i]] = i + (i >= w->shared);
    if (count < w->ids_count)
        o->terms[count] = w->shared;
    return AKIN_OK;
}

/* Numbers the terms by a trie of their words. */
static akin_status number_terms(const akin_scope *scope, origin *o, akin_rank_index *index, akin_error *error)
{
    const akin_weights *w = o->weights;
    akin_column words = {0};
    akin_bulk bulks[3];
    uint32_t count = w->ids_count - (w->shared != AKIN_WEIGHTS_NONE);
    for (int i = 0; i < 3; i++)
        bulks[i] = akin_bulk_in(&index->store);
    akin_status status = list_vocabulary(w, count, bulks, &words, error);
    if (status == AKIN_OK)
        status = akin_trie_build_within(scope, &words, count, NULL, &index->trie, error);
    if (status == AKIN_OK && akin_trie_count(index->trie) != count) /* of a file, which says nothing of it */
        status = akin_fail(error, AKIN_E_INPUT, "term weights that are no index: a term is there twice");
    if (status == AKIN_OK)
        status = list_terms(scope, o, index->trie, &words, count, &bulks[2], error);
    for (int i = 0; i < 3; i++)
        akin_bulk_clear(&bulks[i]);
    return status;
}

static akin_status make_lists(const akin_scope *scope, const akin_weights *w, akin_rank_index *index, akin_error *error)
{
    origin o = {.weights = w, .mean = akin_weights_mean(w)};
    if (w->ids_count > UINT32_MAX / 2)
        return akin_fail(error, AKIN_E_LIMIT, "an index of more than 2^31 terms");
    for (int i = TERMS; i <= REPEATS; i++)
        o.bulks[i] = akin_bulk_in(&index->store);
    akin_status status = number_terms(scope, &o, index, error);
    if (status == AKIN_OK)
        status = part_documents(&o, error);
    if (status == AKIN_OK) {
        akin_lists_source source = {w->documents, 2 * w->ids_count, w->lengths, o.repeats, list_of, factor_of, &o};
        status = akin_lists_build(scope, &source, &index->store, &index->lists, error);
    }
    for (int i = TERMS; i <= REPEATS; i++)
        akin_bulk_clear(&o.bulks[i]);
    return status;
}

static akin_status copy_names(const akin_column *names, uint32_t documents, akin_rank_index *index, akin_error *error)
{
    uint64_t first = names->offsets[0], length = names->offsets[documents] - first;
    akin_bulk *bulks = index->own;
    bulks[0] = bulks[1] = akin_bulk_in(&index->store);
    akin_status status = akin_bulk_reserve(&bulks[0], ((uint64_t)documents + 1) * sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&bulks[1], length, what, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = bulks[0].data;
    for (uint64_t i = 0; i <= documents; i++)
        offsets[i] = names->offsets[i] - first;
    if (length > 0)
        memcpy(bulks[1].data, names->bytes + first, length);
    index->names[0] = (akin_section){.data = offsets, .length = ((uint64_t)documents + 1) * sizeof *offsets};
    index->names[1] = (akin_section){.data = bulks[1].data, .length = length};
    return AKIN_OK;
}

akin_status akin_rank_index_create_within(const akin_scope *scope, const akin_weights *weights,
                                          const akin_column *names, akin_rank_index **out, akin_error *error)
{
    const akin_weights *w = weights;
    char *written = NULL;
    if (w->order != AKIN_WEIGHTS_BY_TERM)
        return akin_fail(error, AKIN_E_OPTION, "weights by document; expected weights by term");
    akin_status status = names ? akin_table_columns_check(names, 1, w->documents, "name documents by", error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    akin_rank_index *index = akin_rank_index_begin(what);
    if (!index)
        return akin_fail_memory(error, what);
    index->used->is_checked = 1;
    index->head = (akin_rank_index_head){.formula = w->formula.formula,
                                         .shared = w->shared != AKIN_WEIGHTS_NONE,
                                         .terms = w->terms,
                                         .words = w->words,
                                         .k1 = w->formula.k1,
                                         .b = w->formula.b,
                                         .delta = w->formula.delta};
    index->names[0].data = index->names[1].data = "";
    status = akin_store_begin(&index->store, scope, AKIN_BUDGET_INDEX, what, error);
    if (status == AKIN_OK)
        status = akin_analysis_write(w->analysis, &written, &index->written.length, error);
    index->own[2] = akin_bulk_adopt(written);
    index->written.data = written;
    if (status == AKIN_OK)
        status = akin_analysis_parse(what, written, index->written.length, &index->analysis, error);
    if (status == AKIN_OK && names)
        status = copy_names(names, w->documents, index, error);
    if (status == AKIN_OK)
        status = make_lists(scope, w, index, error);
    if (status == AKIN_OK)
        *out = index;
    else
        akin_rank_index_free(index);
    return status;
}

akin_status akin_rank_index_create(akin_context *context, const akin_weights *weights, const akin_column *names,
                                   akin_rank_index **out, akin_error *error)
{
    return akin_rank_index_create_within(akin_scope_of(context), weights, names, out, error);
}

akin_status akin_rank_index_describe(const akin_rank_index *index, akin_rank_index_statistics *statistics,
                                     akin_error *error)
{
    const akin_lists_head *head = &index->lists.head;
    akin_rank_index_statistics own = {.size = sizeof own,
                                      .documents = head->documents,
                                      .terms = index->head.terms,
                                      .words = index->head.words,
                                      .pairs = head->entries,
                                      .formula = (akin_formula)index->head.formula,
                                      .named = index->names[0].length > 0,
                                      .k1 = index->head.k1,
                                      .b = index->head.b,
                                      .delta = index->head.delta};
    own.bytes_lists = index->lists.parts[AKIN_LISTS_LISTS].length + index->lists.parts[AKIN_LISTS_BLOCKS].length +
                      index->lists.parts[AKIN_LISTS_WORDS].length;
    return akin_options_write(&own, sizeof own, statistics, "akin_rank_index_statistics", error);
}
