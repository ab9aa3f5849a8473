/* What threads of a GPU do with a list: each of its objects counts more, in c-PQ or in a count table. */
#ifndef AKIN_PAPERS_SEARCH_GPU_LISTS_H
#define AKIN_PAPERS_SEARCH_GPU_LISTS_H

#include "papers/search/gpu_cpq.h"

/* Returns the keyword of a segment's list, at least `keyword`: the last one that begins there or before. */
AKIN_GPU_FUNCTION uint32_t akin_paper_keyword(const akin_gpu_objects *o, const akin_paper_list *list, uint32_t keyword,
                                              uint64_t segment)
{
    const akin_keyword *lists = o->lists + keyword;
    if (keyword == list->last || segment < lists[1].segment)
        return keyword;
    return keyword +
           (uint32_t)akin_gpu_last64(&lists->segment, sizeof *lists, (uint64_t)list->last - keyword + 1, segment);
}

AKIN_GPU_FUNCTION void akin_paper_add(const akin_paper_batch *b, akin_cpq *q, const akin_paper_list *list,
                                      uint32_t object)
{
    if (b->counts)
        akin_gpu_add32(&b->counts[(uint64_t)list->query * b->objects + object], list->weight);
    else
        akin_cpq_add(q, object, list->weight);
}

/* The same of 16 objects, of those whose bits are set. */
AKIN_GPU_FUNCTION void akin_paper_add_bits(const akin_paper_batch *b, akin_cpq *q, const akin_paper_list *list,
                                           uint32_t first, uint32_t bits)
{
    if (!b->counts) {
        akin_cpq_add_bits(q, first, bits, list->weight);
        return;
    }
    for (uint32_t i = 0; i < 16; i++)
        if (bits >> i & 1)
            akin_paper_add(b, q, list, first + i);
}

/* Counts what the thread has of a segment: every `lanes`-th cell of it. */
AKIN_GPU_FUNCTION void akin_paper_segment(const akin_gpu_objects *o, const akin_paper_batch *b, akin_cpq *q,
                                          const akin_paper_list *list, const akin_keyword *keyword, uint64_t segment,
                                          uint32_t lane, uint32_t lanes)
{
    const uint32_t from = segment > keyword->segment ? o->segments[segment - 1].end : 0;
    const uint32_t size = o->segments[segment].end - from, first = o->segments[segment].range * AKIN_RANGE;
    const uint32_t end = size < list->cell_end ? size : list->cell_end;
    const uint16_t *cells = o->cells + keyword->cell + from;
    for (uint32_t c = list->cell; c < end; c += lanes) {
        const uint32_t own = c + lane, cell = own < end ? cells[own] : 0;
        if (own < end && size == AKIN_RANGE_CELLS)
            akin_paper_add_bits(b, q, list, first + own * 16, cell);
        else if (own < end)
            akin_paper_add(b, q, list, first + cell);
        akin_gpu_together();
    }
}

/* Counts what a thread of the block has of a list: a warp takes a segment, or the block, if there are few. */
AKIN_GPU_FUNCTION void akin_paper_walk(const akin_gpu_objects *o, const akin_paper_batch *b,
                                       const akin_paper_list *list, uint32_t thread)
{
    const uint32_t warps = AKIN_PAPER_THREADS / 32;
    const uint32_t lanes = list->end - list->segment < warps ? AKIN_PAPER_THREADS : 32;
    uint32_t keyword = list->first;
    akin_cpq q = {0};
    if (!b->counts)
        q = akin_cpq_of(b, list->query);
    for (uint64_t s = list->segment + thread / lanes; s < list->end; s += AKIN_PAPER_THREADS / lanes) {
        keyword = akin_paper_keyword(o, list, keyword, s);
        akin_paper_segment(o, b, &q, list, &o->lists[keyword], s, thread % lanes, lanes);
    }
}

#endif
