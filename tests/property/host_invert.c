/*
 * The kernels that invert objects (src/search/invert_kernels.h) on the GPU that the host plays
 * (property/host_device.h). What each thread does (src/search/gpu_invert.h) is the very same code, and threads come
 * from the last one on.
 */
#include "property/host_search.h"

#include "property/host_kernel.h"

#include "search/gpu_invert.h"

#include <string.h>

static akin_status invert_order(akin_device_stream *stream, const uint32_t *order, uint32_t keywords, uint32_t *inverse,
                                akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t k = keywords; k-- > 0 && status == AKIN_OK;)
        inverse[order[k]] = k;
    return status;
}

static akin_status invert_tokens(akin_device_stream *stream, const akin_gpu_postings *p, const uint32_t *inverse,
                                 uint32_t universe, uint32_t *wrong, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = p->count; i-- > 0 && status == AKIN_OK;)
        p->keywords[i] = akin_invert_token(p->keywords[i], inverse, universe, p->none, wrong);
    return status;
}

static akin_status invert_codes(akin_device_stream *stream, const uint32_t *column, uint32_t objects, uint32_t first,
                                uint32_t codes, const akin_gpu_postings *p, uint64_t to, uint32_t *wrong,
                                akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = objects; i-- > 0 && status == AKIN_OK;) {
        p->keywords[to + i] = akin_invert_code(column[i], first, codes, p->none, wrong);
        p->objects[to + i] = i;
    }
    return status;
}

static akin_status invert_flag(akin_device_stream *stream, const akin_gpu_postings *p, uint8_t *flags,
                               akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = p->count; i-- > 0 && status == AKIN_OK;)
        flags[i] = akin_invert_begins(p, i);
    return status;
}

static akin_status invert_measure(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                  akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t segment = v->count; segment-- > 0 && status == AKIN_OK;)
        akin_invert_size(p, v, segment);
    return status;
}

static akin_status invert_lists(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t keyword = (uint64_t)p->none + 1; keyword-- > 0 && status == AKIN_OK;)
        akin_invert_list(p, v, (uint32_t)keyword);
    host_search.inverted += status == AKIN_OK;
    return status;
}

static akin_status invert_segments(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                   akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t segment = v->kept; segment-- > 0 && status == AKIN_OK;)
        akin_invert_segment(p, v, segment);
    return status;
}

/* Segments that begin are counted from the first posting of a block on. */
static akin_status invert_places(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                 akin_error *error)
{
    const uint64_t tile = AKIN_INVERT_THREADS * AKIN_INVERT_EACH;
    akin_status status = host_enter(error);
    for (uint64_t begin = 0; begin < p->count && status == AKIN_OK; begin += tile) {
        uint64_t begun = begin > 0 ? akin_invert_segment_of(v, begin - 1) + 1 : 0;
        for (uint64_t i = begin; i < begin + tile && i < p->count; i++) {
            begun += v->flags[i];
            akin_invert_place(p, v, i, begun - 1);
        }
    }
    return status;
}

static akin_status invert_bitmaps(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                  akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = v->bitmap_count; i-- > 0 && status == AKIN_OK;) {
        const uint64_t segment = v->bitmaps[i];
        uint32_t words[AKIN_INVERT_WORDS];
        if (segment >= v->kept)
            continue;
        memset(words, 0, sizeof words);
        for (uint32_t thread = 0; thread < AKIN_INVERT_THREADS; thread++)
            akin_invert_set(p, v->starts[segment], akin_invert_end(p, v, segment), words, thread);
        for (uint32_t thread = AKIN_INVERT_THREADS; thread-- > 0;)
            akin_invert_write(words, v->cells + v->offsets[segment], thread);
        host_search.bitmaps++;
    }
    return status;
}

const akin_invert_kernels host_invert_kernels = {invert_order,    invert_tokens,  invert_codes,
                                                 invert_flag,     invert_measure, invert_lists,
                                                 invert_segments, invert_places,  invert_bitmaps};
