/*
 * The kernels of akin_weigh on the GPU that the host plays (property/host_device.h). What each thread of a kernel does
 * (src/weigh/gpu_look.h, gpu_tally.h) is the very same code: one thread after the other, and step by step where those
 * of a block wait for each other. Spans and threads come in another order than the text, as on a GPU. Several threads
 * look up the tokens of long texts at once. It does not show that the threads of one block do each other no harm.
 */
#include "base/context.h"
#include "property/host_weigh.h"

#include "property/host_kernel.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "weigh/gpu_look.h"
#include "weigh/gpu_tally.h"
#include "papers/weigh/steps.h"

#include <string.h>

host_weigh_state host_weigh;

static akin_status terms_report(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                akin_error *error)
{
    return akin_device_read(stream, to, from, bytes, error);
}

/* -------------------------------------------------------------------------------------------------------- text */

static akin_status terms_start(akin_device_stream *stream, const akin_gpu_text *text, akin_error *error)
{
    akin_status status = host_enter(error);
    must(text->offsets[0] == 0 && text->offsets[text->documents] <= text->bytes);
    for (uint32_t d = 0; d < text->documents && status == AKIN_OK; d++)
        if (text->offsets[d] < text->bytes)
            text->stops[text->offsets[d] / 32] |= (uint32_t)1 << text->offsets[d] % 32;
    return status;
}

static akin_status terms_mark(akin_device_stream *stream, const akin_gpu_text *text, uint64_t first_span,
                              uint64_t spans, akin_error *error)
{
    akin_status status = host_enter(error);
    must(spans <= AKIN_GPU_SLICE && first_span + spans <= text->spans);
    for (uint64_t span = first_span; span < first_span + spans && status == AKIN_OK; span++) {
        uint32_t count = 0;
        for (uint64_t word = span * AKIN_GPU_WORDS; word < (span + 1) * AKIN_GPU_WORDS; word++) {
            text->begins[word] = akin_gpu_mark(text, word, &text->stops[word]);
            text->ranks[word] = (uint16_t)count;
            count += akin_popcount64(text->begins[word]);
        }
        text->counts[span] = count;
    }
    return status;
}

static akin_status terms_place(akin_device_stream *stream, const akin_gpu_text *text, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t d = 0; d <= text->documents && status == AKIN_OK; d++)
        text->firsts[d] = akin_gpu_rank(text, text->offsets[d]);
    return status;
}

typedef struct looking {
    const akin_gpu_text *text;
    const akin_gpu_table *table;
    const akin_gpu_finds *finds;
    uint64_t end; /* of the spans */
} looking;

/* Spans from the last one on, and in each the tokens by strides. */
static akin_status look_up_span(void *argument, uint64_t task, uint32_t thread)
{
    const looking *l = argument;
    const akin_gpu_text *text = l->text;
    const uint64_t span = l->end - 1 - task;
    uint16_t places[AKIN_GPU_SPAN];
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < AKIN_GPU_SPAN; bit++)
        if (text->begins[span * AKIN_GPU_WORDS + bit / 32] >> bit % 32 & 1)
            places[count++] = (uint16_t)bit;
    must(count == text->counts[span]);
    for (uint32_t lane = 0; lane < 7; lane++)
        for (uint32_t i = lane; i < count; i += 7)
            akin_gpu_look_up(text, l->table, l->finds, span * AKIN_GPU_SPAN + places[i], text->bases[span] + i);
    return AKIN_OK;
}

/* By several threads at once, if there is much: the table is the one thing that they all write. */
static akin_status terms_look_up(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_table *table,
                                 const akin_gpu_finds *finds, uint64_t first_span, uint64_t spans, akin_error *error)
{
    looking l = {text, table, finds, first_span + spans};
    akin_context context = {.scope = {.context = &context, .threads = spans > 16 ? 4 : 1}};
    akin_status status = host_enter(error);
    must(spans <= AKIN_GPU_SLICE && first_span + spans <= text->spans);
    host_weigh.batches += first_span == 0;
    if (status == AKIN_OK)
        must(akin_parallel(akin_scope_of(&context), NULL, spans, look_up_span, &l) == AKIN_OK);
    host_weigh.longs += finds->news->longs;
    return status;
}

static akin_status terms_patch(akin_device_stream *stream, uint32_t *tokens, const akin_gpu_long *longs,
                               const uint32_t *terms, uint64_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++)
        tokens[longs[i].rank] = terms[i];
    return status;
}

/* ------------------------------------------------------------------------------------------------------- words */

static akin_status terms_list(akin_device_stream *stream, const akin_gpu_table *table, const akin_gpu_fresh *fresh,
                              akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = 0; i < fresh->count && status == AKIN_OK; i++) {
        must(fresh->slots[i] < (uint64_t)1 << table->bits && table->slots[fresh->slots[i]] & AKIN_GPU_IS_NEW);
        fresh->begins[i] = table->slots[fresh->slots[i]] & AKIN_GPU_BELOW;
    }
    return status;
}

static akin_status terms_measure(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_fresh *fresh,
                                 akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = 0; i < fresh->count && status == AKIN_OK; i++)
        fresh->sizes[i] = (akin_gpu_length(text, fresh->begins[i]) + 7) / 8;
    return status;
}

static akin_status terms_keep(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_table *table,
                              const akin_gpu_fresh *fresh, uint32_t term, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = 0; i < fresh->count && status == AKIN_OK; i++)
        akin_gpu_keep(text, table, fresh, i, term + (uint32_t)i);
    return status;
}

static akin_status terms_name(akin_device_stream *stream, const akin_gpu_table *table, uint32_t first,
                              const uint32_t *terms, uint64_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++)
        table->words[first + i].term = terms[i];
    return status;
}

static akin_status terms_rebuild(akin_device_stream *stream, const akin_gpu_table *table, akin_error *error)
{
    akin_status status = host_enter(error);
    must((uint64_t)table->count * 2 <= (uint64_t)1 << table->bits);
    for (uint32_t i = 0; i < table->count && status == AKIN_OK; i++)
        akin_gpu_rebuild(table, i);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- counting */

static akin_status terms_count_few(akin_device_stream *stream, const akin_gpu_counts *counts, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t d = counts->documents; d-- > 0 && status == AKIN_OK;) {
        const uint64_t tokens = counts->firsts[d + (uint64_t)1] - counts->firsts[d];
        akin_gpu_few few;
        if (tokens > AKIN_GPU_FEW) {
            akin_gpu_put_off(counts, akin_gpu_list_of(tokens), d);
            continue;
        }
        for (uint32_t lane = 0; lane < AKIN_GPU_FEW; lane++)
            akin_gpu_few_read(counts, d, &few, lane);
        for (uint32_t lane = 0; lane < AKIN_GPU_FEW; lane++)
            akin_gpu_few_find_heads(&few, (uint32_t)tokens, lane);
        for (uint32_t lane = 0; lane < AKIN_GPU_FEW; lane++)
            akin_gpu_few_write(counts, d, &few, (uint32_t)tokens, lane);
        host_weigh.few++;
    }
    return status;
}

/* What all threads of a block do between two times that they wait for each other. */
#define EACH(call)                                                                                                     \
    for (uint32_t thread = threads; thread-- > 0;)                                                                     \
    call

/* A step of a warp with a chunk: lanes have what the others have before it. */
static void order_chunk(uint32_t *keys, uint32_t mask, uint32_t top)
{
    uint32_t before[AKIN_GPU_CHUNK];
    memcpy(before, keys, sizeof before);
    for (uint32_t lane = 32; lane-- > 0;)
        akin_gpu_order_lane(keys + lane * AKIN_GPU_OWN, before + (lane ^ (mask / AKIN_GPU_OWN)) % 32 * AKIN_GPU_OWN,
                            mask, top, lane);
}

static void sort_keys(const akin_gpu_tally *tally, uint32_t room, uint32_t threads)
{
    const uint32_t count = akin_gpu_tally_keys(*tally->distinct);
    must(count < 2 * room);
    EACH(akin_gpu_tally_pad(tally, count, thread, threads));
    for (uint32_t run = 2; run <= count; run *= 2)
        for (uint32_t top = run / 2, mask = run - 1; top > 0; top /= 2, mask = top)
            if (top >= AKIN_GPU_CHUNK)
                EACH(akin_gpu_order_pairs(tally->keys, count / 2, mask, top, thread, threads));
            else
                for (uint32_t at = 0; at < count; at += AKIN_GPU_CHUNK)
                    order_chunk(tally->keys + at, mask, top);
}

static void count_document(const akin_gpu_counts *counts, uint32_t list, uint32_t document, uint32_t room,
                           uint32_t slots, uint32_t threads)
{
    static uint32_t keys[AKIN_GPU_SLOTS_3], terms[AKIN_GPU_SLOTS_3], times[AKIN_GPU_SLOTS_3], distinct, spared, full;
    const uint64_t tokens = counts->firsts[document + (uint64_t)1] - counts->firsts[document];
    const akin_gpu_tally tally = {keys,      terms,   times, room, akin_gpu_tally_slots(tokens, slots),
                                  &distinct, &spared, &full};
    must(tally.slots == slots || tokens <= room);
    EACH(akin_gpu_tally_clear(&tally, thread, threads));
    EACH(akin_gpu_tally_fill(counts, document, &tally, thread, threads));
    if (full) {
        akin_gpu_put_off(counts, list + 1, document);
        return;
    }
    sort_keys(&tally, room, threads);
    EACH(akin_gpu_tally_write(counts, document, &tally, thread, threads));
    host_weigh.tables[list]++;
}

static akin_status terms_count_table(akin_device_stream *stream, const akin_gpu_counts *counts, uint32_t list,
                                     akin_error *error)
{
    static const uint32_t rooms[] = {AKIN_GPU_TERMS_0, AKIN_GPU_TERMS_1, AKIN_GPU_TERMS_2, AKIN_GPU_TERMS_3};
    static const uint32_t slots[] = {AKIN_GPU_SLOTS_0, AKIN_GPU_SLOTS_1, AKIN_GPU_SLOTS_2, AKIN_GPU_SLOTS_3};
    static const uint32_t threads[] = {AKIN_GPU_THREADS_0, AKIN_GPU_THREADS_1, AKIN_GPU_THREADS_2, AKIN_GPU_THREADS_3};
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i < counts->waiting->count[list] && status == AKIN_OK; i++)
        count_document(counts, list, counts->lists[list][i], rooms[list], slots[list], threads[list]);
    return status;
}

static akin_status terms_gather(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                                uint64_t *keys, uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = first; i < first + count && status == AKIN_OK; i++)
        keys[i] = akin_gpu_group_key(counts, group, i);
    host_weigh.sorted += group->count;
    return status;
}

static akin_status terms_bound(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                               const uint64_t *keys, const uint64_t *found, uint64_t *at, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i <= group->count && status == AKIN_OK; i++)
        akin_gpu_group_bound(counts, group, keys, *found, at, i);
    return status;
}

static akin_status terms_spread(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                                const uint64_t *keys, const uint32_t *times, const uint64_t *found, const uint64_t *at,
                                uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t i = first; i < first + count && i < *found && status == AKIN_OK; i++)
        akin_gpu_group_spread(counts, group, keys[i], times[i], at, i);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- pairs */

static akin_status terms_move(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_pairs *pairs,
                              uint32_t *df, uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    must(first + count <= pairs->count);
    for (uint64_t i = first; i < first + count && status == AKIN_OK; i++)
        akin_gpu_move(counts, pairs, df, 0, pairs->documents, i);
    return status;
}

static akin_status terms_idf(akin_device_stream *stream, const akin_gpu_idf *idf, uint64_t first, uint64_t count,
                             akin_error *error)
{
    akin_status status = host_enter(error);
    must(first + count <= idf->count);
    for (uint64_t i = first; i < first + count && status == AKIN_OK; i++) {
        const uint32_t *found = idf->distinct;
        while (*found != idf->df[i])
            must(++found < idf->distinct + idf->found);
        akin_gpu_find_idf(idf, i);
    }
    host_weigh.distinct = idf->found;
    return status;
}

static akin_status terms_weigh(akin_device_stream *stream, const akin_formula_terms *formula, double mean,
                               const akin_gpu_pairs *pairs, const uint32_t *lengths, const double *idf, double *values,
                               uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    must(first + count <= pairs->count);
    for (uint64_t i = first; i < first + count && status == AKIN_OK; i++)
        values[i] = akin_gpu_weigh(formula, mean, pairs, lengths, idf, 0, pairs->documents, i);
    host_weigh.weighed += count;
    return status;
}

/* ------------------------------------------------------------------------------------------- the paper's techniques */

#define ROW(step, function) [AKIN_PAPER_##step] = (function),
static akin_paper_function *const paper_functions[AKIN_PAPER_STEPS] = {AKIN_PAPER_EACH_STEP(ROW)};

/* Items from the last one on. */
static akin_status paper_run(akin_device_stream *stream, akin_paper_step step, const akin_paper_view *view,
                             uint64_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    must((unsigned)step < AKIN_PAPER_STEPS);
    for (uint64_t i = count; i-- > 0 && status == AKIN_OK;)
        paper_functions[step](view, i);
    host_weigh.batches += step == AKIN_PAPER_EXTRACT;
    host_weigh.longs += step == AKIN_PAPER_EXTRACT ? view->finds.news->longs : 0;
    host_weigh.rounds += step == AKIN_PAPER_SETTLE;
    host_weigh.grouped += step == AKIN_PAPER_PAIR && !view->groups;
    host_weigh.weighed += step == AKIN_PAPER_WEIGH ? count : 0;
    return status;
}

const akin_terms_look_kernels host_terms_look_kernels = {terms_report,  terms_start,   terms_mark,    terms_place,
                                                         terms_look_up, terms_list,    terms_measure, terms_keep,
                                                         terms_name,    terms_rebuild, terms_patch};

const akin_terms_tally_kernels host_terms_tally_kernels = {
    terms_count_few, terms_count_table, terms_gather, terms_bound, terms_spread, terms_move, terms_idf, terms_weigh};

const akin_weigh_paper_kernels host_weigh_paper_kernels = {paper_run};
