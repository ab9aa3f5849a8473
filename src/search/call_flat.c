/* Searches vectors exactly, and then counts on how many functions those that are found agree with the query. */
#include "search/call_flat.h"

#include "base/bits.h"
#include "base/clock.h"
#include "device/devices.h"
#include "search/flat.h"
#include "search/vectors.h"
#include "table/matrix.h"

#include <math.h>
#include <string.h>

#define SHARE  64                  /* of the objects, of which k is at most one part */
#define KEPT   (UINT64_C(1) << 20) /* hits at a time that threads keep */
#define VALUES (UINT64_C(1) << 22) /* of functions, or of four bytes of vectors, at a time */

static const char what[] = "a search";

int akin_call_is_flat(const akin_search_call *call)
{
    const akin_search_index *index = call->index;
    const akin_search_options *o = &call->options;
    return o->rerank > 0 && o->rerank >= index->head.rows && o->k <= index->head.rows / SHARE &&
           !akin_device_is_required(call->scope) && index->lsh.is_kept && o->least == 0 &&
           o->technique == AKIN_SEARCH_AUTO && call->source.matrix &&
           (uint32_t)call->source.matrix->number == index->lsh.number && index->lsh.family.kind != AKIN_FAMILY_COSINE;
}

uint64_t akin_call_flat_most(const akin_search_call *call)
{
    return akin_max_u64(KEPT / (akin_max_u64(call->options.k, 1) * call->scope->threads), 1);
}

/* The vectors that were found, one after the other. */
static void copy_found(const akin_matrix *objects, const akin_flat_hit *found, uint64_t count, uint8_t *to)
{
    const size_t bytes = (size_t)objects->columns * akin_number_bytes(objects->number);
    for (uint64_t i = 0; i < count; i++)
        /* they are there: NOLINTNEXTLINE(clang-analyzer-core.*) */
        memcpy(to + i * bytes, akin_matrix_vector(objects, found[i].object), bytes);
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

/* What making hits of some queries takes. */
typedef struct hits_room {
    uint8_t *vectors;
    uint32_t *of_queries, *of_found;
} hits_room;

/* Makes hits of what was found for some queries, `k` for each. */
static akin_status make_some(const akin_search_call *call, const hits_room *room, uint32_t first, uint32_t count,
                             uint32_t k, const akin_flat_hit *found, akin_search_hit *hits, akin_error *error)
{
    const akin_search_index *index = call->index;
    const uint32_t functions = index->head.functions, all = count * k;
    akin_matrix objects = akin_search_matrix(index);
    copy_found(&objects, found, all, room->vectors);
    objects.numbers = room->vectors;
    objects.rows = all;
    akin_status status = sign_all(call, first, count, &objects, room->of_queries, room->of_found, error);
    for (uint32_t i = 0; i < all && status == AKIN_OK; i++) {
        const uint32_t q = i / k;
        const uint32_t agreed =
            agreeing(index, room->of_queries + (size_t)q * functions, room->of_found + (size_t)i * functions);
        const double apart = found[i].apart; /* NOLINT(clang-analyzer-core.NullDereference) */
        hits[i] = (akin_search_hit){first + q,
                                    found[i].object,
                                    agreed,
                                    AKIN_CERTIFICATE_NONE,
                                    (double)agreed / functions,
                                    index->lsh.family.kind == AKIN_FAMILY_L2 ? sqrt(apart) : apart};
    }
    return status;
}

/* Makes hits of what was found, some queries at a time. */
static akin_status make_hits(akin_search_call *call, uint32_t first, uint32_t count, uint32_t k,
                             const akin_flat_hit *found, akin_error *error)
{
    const uint32_t functions = call->index->head.functions;
    const akin_matrix objects = akin_search_matrix(call->index);
    const uint64_t number = akin_number_bytes(objects.number);
    const uint64_t each = k * akin_max_u64(functions, akin_ceil_div(objects.columns * number, 4));
    const uint32_t most = (uint32_t)akin_min_u64(count, akin_max_u64(VALUES / each, 1));
    const hits_room room = {akin_alloc(NULL, (uint64_t)most * k * objects.columns, number),
                            akin_alloc(NULL, (uint64_t)most * functions, sizeof *room.of_queries),
                            akin_alloc(NULL, (uint64_t)most * k * functions, sizeof *room.of_found)};
    akin_status status = room.vectors && room.of_queries && room.of_found
                             ? akin_call_reserve(call, (uint64_t)count * k, error)
                             : akin_fail_memory(error, what);
    for (uint32_t q = 0; q < count && status == AKIN_OK; q += most) {
        const uint64_t at = (uint64_t)q * k;
        status =
            make_some(call, &room, first + q, akin_min_u32(most, count - q), k, found + at, call->hits + at, error);
    }
    akin_free(room.vectors);
    akin_free(room.of_queries);
    akin_free(room.of_found);
    return status;
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
    if (status == AKIN_OK)
        status = make_hits(call, first, count, flat.k, found, error);
    akin_free(found);
    call->report.technique = AKIN_SEARCH_SCAN;
    call->report.uncertified += count;
    call->report.seconds_search += akin_clock() - begun;
    return status == AKIN_OK ? akin_call_hand_on(call, (uint64_t)count * flat.k, error) : status;
}
