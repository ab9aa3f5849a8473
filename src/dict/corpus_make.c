/* Makes statistics of counts: the terms that a document has, sorted by their bytes, and their frequencies. */
#include "dict/corpus.h"

#include "base/bulk.h"
#include "dict/string_sort.h"

#include <string.h>

enum { OFFSETS, BYTES, NUMBERS, ORDER, ARRAYS };

struct akin_statistics {
    akin_corpus corpus;
    akin_column terms;
    akin_bulk arrays[ORDER];
};

static const char what[] = "the statistics of a corpus";

/* The terms as they come. */
typedef struct listed_terms {
    uint32_t count;
    akin_bulk arrays[ARRAYS]; /* what these are in */
    uint64_t *offsets;
    char *bytes;
    uint32_t *ids, *order;
    uint64_t total; /* bytes of all */
} listed_terms;

/* Makes room for terms of `total` bytes together, in each of `count` arrays. */
static akin_status make_room(const akin_scope *scope, akin_bulk *arrays, int count, uint64_t terms, uint64_t total,
                             akin_error *error)
{
    const uint64_t sizes[ARRAYS] = {(terms + 1) * sizeof(uint64_t), total, terms * sizeof(uint32_t),
                                    terms * sizeof(uint32_t)};
    akin_status status = AKIN_OK;
    for (int i = 0; i < count; i++)
        arrays[i] = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_ORDERED));
    for (int i = 0; i < count && status == AKIN_OK; i++)
        status = akin_bulk_reserve(&arrays[i], sizes[i], what, error);
    return status;
}

/* Counts the terms that a document has, and returns their bytes. */
static uint64_t measure_terms(const akin_corpus_counts *counts, uint32_t *count)
{
    uint64_t total = 0;
    *count = 0;
    for (uint32_t id = 0; id < counts->count; id++) {
        const char *term;
        size_t length;
        if (counts->df[id] == 0)
            continue;
        counts->term(counts->of, id, &term, &length);
        total += length;
        (*count)++;
    }
    return total;
}

static akin_status list_terms(const akin_scope *scope, const akin_corpus_counts *counts, listed_terms *out,
                              akin_error *error)
{
    listed_terms *l = out;
    uint64_t place = 0;
    uint32_t at = 0;
    const uint64_t total = measure_terms(counts, &l->count);
    akin_status status = make_room(scope, l->arrays, ARRAYS, l->count, total, error);
    if (status != AKIN_OK)
        return status;
    l->offsets = l->arrays[OFFSETS].data;
    l->bytes = l->arrays[BYTES].data;
    l->ids = l->arrays[NUMBERS].data;
    l->order = l->arrays[ORDER].data;
    for (uint32_t id = 0; id < counts->count; id++) {
        const char *term;
        size_t length;
        if (counts->df[id] == 0)
            continue;
        counts->term(counts->of, id, &term, &length);
        if (length > 0)
            memcpy(l->bytes + place, term, length);
        l->offsets[at] = place;
        l->ids[at] = id;
        l->order[at] = at;
        place += length;
        at++;
    }
    l->offsets[at] = l->total = place;
    return AKIN_OK;
}

static akin_status sort_terms(const akin_scope *scope, listed_terms *l, akin_error *error)
{
    const akin_column column = {.size = sizeof column, .offsets = l->offsets, .bytes = l->bytes};
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {scope, &cancelled, 0, 0};
    akin_store store = {.directory = NULL};
    akin_status status = akin_store_begin(&store, scope, AKIN_BUDGET_ORDERED_MAKING, what, error);
    if (status == AKIN_OK)
        status = akin_strings_sort(&column, l->order, l->count, &store, &cancellation, what, error);
    akin_store_clear(&store);
    return status;
}

static akin_status put_terms(const akin_scope *scope, const akin_corpus_counts *counts, const listed_terms *l,
                             akin_statistics *s, akin_error *error)
{
    uint64_t place = 0;
    akin_status status = make_room(scope, s->arrays, ORDER, l->count, l->total, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = s->arrays[OFFSETS].data;
    char *bytes = s->arrays[BYTES].data;
    uint32_t *df = s->arrays[NUMBERS].data;
    for (uint32_t i = 0; i < l->count; i++) {
        const uint32_t at = l->order[i];
        const uint64_t length = l->offsets[at + UINT64_C(1)] - l->offsets[at];
        if (length > 0)
            memcpy(bytes + place, l->bytes + l->offsets[at], length);
        offsets[i] = place;
        df[i] = counts->df[l->ids[at]];
        place += length;
    }
    offsets[l->count] = place;
    for (int i = 0; i < ORDER; i++)
        akin_bulk_trim(&s->arrays[i], s->arrays[i].capacity);
    s->terms = (akin_column){
        .size = sizeof s->terms, .name = "term", .offsets = s->arrays[OFFSETS].data, .bytes = s->arrays[BYTES].data};
    s->corpus = (akin_corpus){.size = sizeof s->corpus,
                              .words = counts->words,
                              .documents = counts->documents,
                              .count = l->count,
                              .terms = &s->terms,
                              .df = s->arrays[NUMBERS].data};
    return AKIN_OK;
}

akin_status akin_statistics_make(const akin_scope *scope, const akin_corpus_counts *counts, akin_statistics **out,
                                 akin_error *error)
{
    listed_terms listed = {.count = 0};
    akin_statistics *s = akin_alloc_zero(NULL, 1, sizeof *s);
    if (!s)
        return akin_fail_memory(error, what);
    akin_status status = list_terms(scope, counts, &listed, error);
    if (status == AKIN_OK)
        status = sort_terms(scope, &listed, error);
    if (status == AKIN_OK)
        status = put_terms(scope, counts, &listed, s, error);
    for (int i = 0; i < ARRAYS; i++)
        akin_bulk_clear(&listed.arrays[i]);
    if (status == AKIN_OK)
        *out = s;
    else
        akin_statistics_free(s);
    return status;
}

const akin_corpus *akin_statistics_corpus(const akin_statistics *statistics)
{
    return &statistics->corpus;
}

void akin_statistics_free(akin_statistics *statistics)
{
    for (int i = 0; statistics && i < ORDER; i++)
        akin_bulk_clear(&statistics->arrays[i]);
    akin_free(statistics);
}
