/* Searches vectors exactly, and then counts on how many functions those that are found agree with the query. */
#include "search/call_flat.h"

#include "base/bits.h"
#include "base/clock.h"
#include "search/flat.h"
#include "search/vectors.h"

#include <math.h>
#include <string.h>

static const char what[] = "a search";

int akin_call_is_flat(const akin_search_call *call)
{
    const akin_search_index *index = call->index;
    const akin_search_options *o = &call->options;
    return o->rerank > 0 && o->rerank >= index->head.rows && index->head.rows > 0 && index->lsh.is_kept &&
           o->least == 0 && o->technique == AKIN_SEARCH_AUTO && call->source.matrix &&
           (uint32_t)call->source.matrix->number == index->lsh.number && index->lsh.family.kind != AKIN_FAMILY_COSINE;
}

/* The vectors that were found, one after the other. */
static void copy_found(const akin_matrix *objects, const akin_flat_hit *found, uint64_t count, uint8_t *to)
{
    const size_t bytes = (size_t)objects->columns * akin_number_bytes(objects->number);
    for (uint64_t i = 0; i < count; i++)
        /* they are there: NOLINTNEXTLINE(clang-analyzer-core.*) */
        memcpy(to + i * bytes, (const uint8_t *)objects->numbers + found[i].object * bytes, bytes);
}

/* Signs the queries and what was found for them. */
static akin_status sign_all(const akin_search_call *call, uint32_t first, uint32_t count, const akin_matrix *found,
                            uint32_t *of_queries, uint32_t *of_found, akin_error *error)
{
    const akin_family family = akin_search_family(call->index);
    akin_status status = akin_vectors_sign(call->scope, &family, (akin_signed){.matrix = call->source.matrix}, first,
                                           count, of_queries, error);
    return status == AKIN_OK ? akin_vectors_sign(call->scope, &family, (akin_signed){.matrix = found}, 0, found->rows,
                                                 of_found, error)
                             : status;
}

static uint32_t agreeing(const akin_search_index *index, const uint32_t *a, const uint32_t *b)
{
    uint32_t agreed = 0;
    for (uint32_t f = 0; f < index->head.functions; f++)
        agreed += a[f] == b[f] && a[f] < index->lsh.family.buckets;
    return agreed;
}

/* Makes hits of what was found. */
static akin_status make_hits(akin_search_call *call, uint32_t first, uint32_t count, uint32_t k,
                             const akin_flat_hit *found, akin_error *error)
{
    const akin_search_index *index = call->index;
    const uint32_t functions = index->head.functions;
    const uint64_t all = (uint64_t)count * k;
    akin_matrix objects = akin_search_matrix(index);
    uint8_t *vectors = akin_alloc(NULL, all * objects.columns, akin_number_bytes(objects.number));
    uint32_t *of_queries = akin_alloc(NULL, (uint64_t)count * functions, sizeof *of_queries);
    uint32_t *of_found = akin_alloc(NULL, all * functions, sizeof *of_found);
    akin_status status =
        vectors && of_queries && of_found ? akin_call_reserve(call, all, error) : akin_fail_memory(error, what);
    if (status == AKIN_OK) {
        copy_found(&objects, found, all, vectors);
        objects.numbers = vectors;
        objects.rows = (uint32_t)all;
        status = sign_all(call, first, count, &objects, of_queries, of_found, error);
    }
    for (uint64_t i = 0; i < all && status == AKIN_OK; i++) {
        const uint32_t q = (uint32_t)(i / k);
        const uint32_t agreed = agreeing(index, of_queries + (size_t)q * functions, of_found + (size_t)i * functions);
        const double apart = found[i].apart; /* NOLINT(clang-analyzer-core.NullDereference) */
        call->hits[i] = (akin_search_hit){first + q,
                                          found[i].object,
                                          agreed,
                                          AKIN_CERTIFICATE_NONE,
                                          (double)agreed / functions,
                                          index->lsh.family.kind == AKIN_FAMILY_L2 ? sqrt(apart) : apart};
    }
    akin_free(vectors);
    akin_free(of_queries);
    akin_free(of_found);
    return status == AKIN_OK ? akin_call_hand_on(call, all, error) : status;
}

akin_status akin_call_flat(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error)
{
    const double begun = akin_clock();
    const akin_matrix objects = akin_search_matrix(call->index);
    const akin_flat flat = {.objects = &objects,
                            .queries = call->source.matrix,
                            .first = first,
                            .count = count,
                            .k = akin_min_u32(call->options.k, objects.rows),
                            .squared = call->index->lsh.family.kind == AKIN_FAMILY_L2};
    akin_flat_hit *found = akin_alloc(NULL, (uint64_t)count * flat.k, sizeof *found);
    akin_status status = found ? AKIN_OK : akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = akin_flat_search(call->scope, &flat, found, error);
    call->report.technique = AKIN_SEARCH_SCAN;
    call->report.uncertified += count;
    call->report.seconds_search += akin_clock() - begun;
    if (status == AKIN_OK)
        status = make_hits(call, first, count, flat.k, found, error);
    akin_free(found);
    return status;
}
