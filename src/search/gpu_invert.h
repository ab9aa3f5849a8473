/*
 * What threads of a GPU do to invert objects. Each works on its own; only the bits of a bitmap are shared. It is
 * compiled into kernels, and into the GPU that the host plays in tests. invert_kernels.h describes the steps.
 */
#ifndef AKIN_SEARCH_GPU_INVERT_H
#define AKIN_SEARCH_GPU_INVERT_H

#include "device/gpu_step.h"
#include "search/invert_kernels.h"

#define AKIN_INVERT_WORDS (AKIN_RANGE / 32) /* of a bitmap */

/* Returns the keyword of a token, `none` if there is none. */
AKIN_GPU_FUNCTION uint32_t akin_invert_token(uint32_t token, const uint32_t *inverse, uint32_t universe, uint32_t none,
                                             uint32_t *wrong)
{
    if (token >= universe) {
        *wrong = 1; /* the same of all threads that say so */
        return none;
    }
    const uint32_t keyword = inverse ? inverse[token] : token;
    return keyword < none ? keyword : none;
}

AKIN_GPU_FUNCTION uint32_t akin_invert_code(uint32_t code, uint32_t first, uint32_t codes, uint32_t none,
                                            uint32_t *wrong)
{
    if (code < codes)
        return first + code;
    if (code != UINT32_MAX)
        *wrong = 1;
    return none;
}

/* Whether a segment begins with posting i. */
AKIN_GPU_FUNCTION uint8_t akin_invert_begins(const akin_gpu_postings *p, uint64_t i)
{
    return i == 0 || p->keywords[i] != p->keywords[i - 1] ||
           p->objects[i] / AKIN_RANGE != p->objects[i - 1] / AKIN_RANGE;
}

AKIN_GPU_FUNCTION uint64_t akin_invert_end(const akin_gpu_postings *p, const akin_gpu_inverted *v, uint64_t segment)
{
    return segment + 1 < v->count ? v->starts[segment + 1] : p->count;
}

AKIN_GPU_FUNCTION void akin_invert_size(const akin_gpu_postings *p, const akin_gpu_inverted *v, uint64_t segment)
{
    const uint32_t objects = (uint32_t)(akin_invert_end(p, v, segment) - v->starts[segment]);
    const uint8_t is_bits = objects > AKIN_RANGE_PLACES;
    v->sizes[segment] = is_bits ? AKIN_RANGE_CELLS : objects;
    v->is_bits[segment] = is_bits;
}

/* Finds what keywords from `keyword` on have: where its list begins, if it has one, or would. */
AKIN_GPU_FUNCTION void akin_invert_list(const akin_gpu_postings *p, const akin_gpu_inverted *v, uint32_t keyword)
{
    uint64_t low = 0, high = v->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (p->keywords[v->starts[middle]] < keyword)
            low = middle + 1;
        else
            high = middle;
    }
    v->lists[keyword].segment = low;
    v->lists[keyword].cell = v->offsets[low];
}

AKIN_GPU_FUNCTION void akin_invert_segment(const akin_gpu_postings *p, const akin_gpu_inverted *v, uint64_t segment)
{
    const uint32_t start = v->starts[segment];
    v->segments[segment].range = p->objects[start] / AKIN_RANGE;
    v->segments[segment].end = (uint32_t)(v->offsets[segment + 1] - v->lists[p->keywords[start]].cell);
}

/* Writes the place of posting i, which is of that segment, unless that is a bitmap. */
AKIN_GPU_FUNCTION void akin_invert_place(const akin_gpu_postings *p, const akin_gpu_inverted *v, uint64_t i,
                                         uint64_t segment)
{
    if (segment < v->kept && v->sizes[segment] <= AKIN_RANGE_PLACES)
        v->cells[v->offsets[segment] + (i - v->starts[segment])] = (uint16_t)(p->objects[i] % AKIN_RANGE);
}

/* The segment of a posting. */
AKIN_GPU_FUNCTION uint64_t akin_invert_segment_of(const akin_gpu_inverted *v, uint64_t posting)
{
    uint64_t low = 0, high = v->count; /* the first that begins behind it */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (v->starts[middle] <= posting)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

/* Sets a thread's bits of a bitmap, whose words begin as zeros, and are shared by a block. */
AKIN_GPU_FUNCTION void akin_invert_set(const akin_gpu_postings *p, uint64_t begin, uint64_t end, uint32_t *words,
                                       uint32_t thread)
{
    for (uint64_t i = begin + thread; i < end; i += AKIN_INVERT_THREADS) {
        const uint32_t place = p->objects[i] % AKIN_RANGE;
#ifdef __CUDACC__
        atomicOr(&words[place / 32], 1u << place % 32);
#else
        words[place / 32] |= 1u << place % 32;
#endif
    }
}

AKIN_GPU_FUNCTION void akin_invert_write(const uint32_t *words, uint16_t *cells, uint32_t thread)
{
    for (uint32_t cell = thread; cell < AKIN_RANGE_CELLS; cell += AKIN_INVERT_THREADS)
        cells[cell] = (uint16_t)(words[cell / 2] >> cell % 2 * 16);
}

#endif
