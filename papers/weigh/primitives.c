/* Counts batches, and weighs, by the steps of the paper. */
#include "papers/weigh/primitives.h"

#include "base/bits.h"
#include "base/memory.h"
#include "device/primitives.h"

#define BYTES_MOST (UINT32_MAX - 2 * AKIN_GPU_LONG) /* of a batch: places in it have 32 bits */

static const char what[] = "the paper's steps";

/* ----------------------------------------------------------------------------------------------------------- memory */

akin_status akin_gpu_paper_begin(akin_gpu_terms *terms, int by_dictionary, akin_error *error)
{
    akin_gpu_paper *p = akin_alloc_zero(NULL, 1, sizeof *p);
    if (!p)
        return akin_fail_memory(error, what);
    p->by_dictionary = by_dictionary;
    terms->own = p;
    return AKIN_OK;
}

void akin_gpu_paper_trim(akin_gpu_terms *terms)
{
    akin_gpu_paper *p = terms->own;
    for (int i = 0; i < AKIN_PAPER_BUFFERS && p; i++)
        if (i != AKIN_PAPER_TRIE && i != AKIN_PAPER_MAPPED)
            akin_device_release(terms->device, &p->buffers[i]);
}

void akin_gpu_paper_clear(akin_gpu_terms *terms)
{
    akin_gpu_paper *p = terms->own;
    for (int i = 0; i < AKIN_PAPER_BUFFERS && p; i++)
        akin_device_release(terms->device, &p->buffers[i]);
    akin_free(p);
    terms->own = NULL;
}

akin_status akin_gpu_paper_need(akin_gpu_terms *terms, const akin_paper_room *rooms, size_t count, akin_error *error)
{
    akin_gpu_paper *p = terms->own;
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < count && status == AKIN_OK; i++)
        status = akin_device_reserve(terms->device, &p->buffers[rooms[i].buffer], rooms[i].count, rooms[i].size, what,
                                     error);
    return status;
}

akin_status akin_gpu_paper_timed(akin_gpu_terms *terms, int step, double *start, akin_error *error)
{
    akin_gpu_paper *p = terms->own;
    akin_status status = akin_device_stream_finish(terms->stream, error);
    const double now = akin_clock();
    p->seconds[step] += now - *start;
    *start = now;
    return status;
}

akin_status akin_gpu_paper_hear(akin_gpu_terms *terms, const void *from, size_t size, uint64_t *out, akin_error *error)
{
    akin_gpu_told *told = terms->told.data;
    told->found = 0; /* the report may write the lower bytes alone */
    akin_status status =
        size == sizeof told->found
            ? akin_kernels(terms->stream)->terms_look->report(terms->stream, &told->found, from, size, error)
            : akin_device_read(terms->stream, &told->found, from, size, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(terms->stream, error);
    *out = told->found;
    return status;
}

static uint64_t *number(const akin_gpu_paper *p, int which)
{
    return (uint64_t *)p->buffers[AKIN_PAPER_FOUND].data + which;
}

/* ----------------------------------------------------------------------------------------------- documents, lengths */

/* Step 1: the marks of tokens are there, and their sums; what is left of compact. */
static akin_status extract(akin_gpu_terms *t, akin_error *error)
{
    akin_gpu_paper *p = t->own;
    akin_paper_view *v = &p->view;
    akin_gpu_told *there = t->buffers[AKIN_TERMS_TOLD].data, *told = t->told.data;
    const akin_paper_room rooms[] = {{AKIN_PAPER_BEGINS, sizeof(uint32_t), t->tokens},
                                     {AKIN_PAPER_ENDS, sizeof(uint32_t), t->tokens},
                                     {AKIN_PAPER_FOUND, sizeof(uint64_t), AKIN_PAPER_NUMBERS}};
    akin_status status = akin_gpu_paper_need(t, rooms, sizeof rooms / sizeof *rooms, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_TOKENS, t->tokens, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status =
            akin_gpu_terms_need(t, AKIN_TERMS_LONGS, t->text.bytes / AKIN_GPU_LONG + 1, sizeof(akin_gpu_long), error);
    if (status == AKIN_OK)
        status = akin_device_fill(t->stream, &there->news, 0, sizeof there->news, error);
    t->text.tokens = t->buffers[AKIN_TERMS_TOKENS].data;
    *v = (akin_paper_view){.text = t->text,
                           .table = t->table,
                           .finds = {.news = &there->news, .longs = t->buffers[AKIN_TERMS_LONGS].data},
                           .begins = p->buffers[AKIN_PAPER_BEGINS].data,
                           .ends = p->buffers[AKIN_PAPER_ENDS].data};
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_EXTRACT, v,
                                                              t->text.spans * AKIN_GPU_WORDS, error);
    return status == AKIN_OK ? akin_kernels(t->stream)->terms_look->report(t->stream, &told->news, &there->news,
                                                                           sizeof told->news, error)
                             : status;
}

/* Step 2. A document without tokens begins where the next one does, so several may begin at a token. */
static akin_status find_documents(akin_gpu_terms *t, akin_error *error)
{
    akin_gpu_paper *p = t->own;
    const akin_paper_room rooms[] = {{AKIN_PAPER_STARTS, sizeof(uint32_t), t->tokens},
                                     {AKIN_PAPER_SUMS, sizeof(uint32_t), t->tokens + 1}};
    akin_status status = akin_gpu_paper_need(t, rooms, sizeof rooms / sizeof *rooms, error);
    uint32_t *starts = p->view.starts = p->buffers[AKIN_PAPER_STARTS].data, *sums = p->buffers[AKIN_PAPER_SUMS].data;
    p->view.sums = sums;
    if (status == AKIN_OK)
        status = akin_device_fill(t->stream, starts, 0, t->tokens * sizeof *starts, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_BEGIN, &p->view, t->text.documents,
                                                              error);
    return status == AKIN_OK ? akin_device_scan32(t->stream, starts, t->tokens, sums, error) : status;
}

/* Step 3. */
static akin_status measure(akin_gpu_terms *t, const akin_gpu_counted *counted, akin_error *error)
{
    akin_gpu_paper *p = t->own;
    akin_paper_view *v = &p->view;
    const akin_paper_room rooms[] = {{AKIN_PAPER_DISTINCT, sizeof(uint32_t), t->tokens},
                                     {AKIN_PAPER_TIMES, sizeof(uint32_t), t->tokens}};
    akin_status status = akin_gpu_paper_need(t, rooms, sizeof rooms / sizeof *rooms, error);
    uint32_t *distinct = p->buffers[AKIN_PAPER_DISTINCT].data, *times = p->buffers[AKIN_PAPER_TIMES].data;
    v->distinct = distinct;
    v->times = times;
    v->lengths = counted->lengths.data;
    v->found = number(p, AKIN_PAPER_OF_TOKENS);
    if (status == AKIN_OK)
        status = akin_device_count_runs32(t->stream, v->sums + 1, t->tokens, distinct, times,
                                          number(p, AKIN_PAPER_OF_TOKENS), error);
    return status == AKIN_OK ? akin_annex_kernels_of(t->stream)->weigh->run(
                                   t->stream, AKIN_PAPER_MEASURE, v, akin_min_u64(t->text.documents, t->tokens), error)
                             : status;
}

/* ------------------------------------------------------------------------------------------------------------- sort */

akin_status akin_gpu_paper_sort_terms(akin_gpu_terms *terms, akin_error *error)
{
    akin_gpu_terms *t = terms;
    akin_gpu_paper *p = t->own;
    akin_paper_view *v = &p->view;
    const akin_paper_room rooms[] = {{AKIN_PAPER_ORDERED, sizeof(uint32_t), t->tokens},
                                     {AKIN_PAPER_ORDERED_TWIN, sizeof(uint32_t), t->tokens},
                                     {AKIN_PAPER_LABELS, sizeof(uint32_t), t->tokens},
                                     {AKIN_PAPER_LABELS_TWIN, sizeof(uint32_t), t->tokens}};
    akin_status status = akin_gpu_paper_need(t, rooms, sizeof rooms / sizeof *rooms, error);
    uint32_t *twin = p->buffers[AKIN_PAPER_LABELS_TWIN].data, *order_twin = p->buffers[AKIN_PAPER_ORDERED_TWIN].data;
    v->labels = p->buffers[AKIN_PAPER_LABELS].data;
    v->order = p->buffers[AKIN_PAPER_ORDERED].data;
    v->terms = t->ids;
    v->count = t->tokens;
    v->kept = number(p, AKIN_PAPER_OF_KEPT);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_ORDER, v, t->tokens, error);
    if (status == AKIN_OK)
        status = akin_device_sort_pairs32(t->stream, &v->labels, &twin, &v->order, &order_twin, t->tokens,
                                          akin_max_u32(1, akin_bits_of(t->ids)), error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_COUNT, v, 1, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_hear(t, v->kept, sizeof *v->kept, &p->kept, error);
    v->groups = v->labels;
    v->names = NULL;
    v->count = p->kept;
    return status == AKIN_OK ? akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_SPARE, v,
                                                                            t->tokens - p->kept, error)
                             : status;
}

/* ------------------------------------------------------------------------------------------------------------ count */

/* Step 5: pairs of a group and a document, in KEYS_TWIN, and how often each is there. */
static akin_status count_tf(akin_gpu_terms *t, akin_gpu_counted *counted, akin_error *error)
{
    akin_gpu_paper *p = t->own;
    akin_paper_view *v = &p->view;
    const akin_paper_room rooms[] = {{AKIN_PAPER_KEYS, sizeof(uint64_t), p->kept},
                                     {AKIN_PAPER_KEYS_TWIN, sizeof(uint64_t), p->kept},
                                     {AKIN_PAPER_TF, sizeof(uint32_t), p->kept},
                                     {AKIN_PAPER_TF_TWIN, sizeof(uint32_t), p->kept}};
    akin_status status = akin_gpu_paper_need(t, rooms, sizeof rooms / sizeof *rooms, error);
    uint64_t *pairs = p->buffers[AKIN_PAPER_KEYS_TWIN].data, *found = number(p, AKIN_PAPER_OF_PAIRS);
    v->keys = p->buffers[AKIN_PAPER_KEYS].data;
    v->pairs = pairs;
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_PAIR, v, p->kept, error);
    if (status == AKIN_OK)
        status =
            akin_device_count_runs64(t->stream, v->keys, p->kept, pairs, p->buffers[AKIN_PAPER_TF].data, found, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_hear(t, found, sizeof *found, &counted->pairs, error);
    v->pair_count = counted->pairs;
    return status;
}

/* Step 6: df of the batch's groups. */
static akin_status count_df(akin_gpu_terms *t, uint64_t pairs, akin_error *error)
{
    akin_gpu_paper *p = t->own;
    akin_paper_view *v = &p->view;
    const akin_paper_room rooms[] = {{AKIN_PAPER_PAIR_GROUPS, sizeof(uint32_t), pairs}};
    akin_status status = akin_gpu_paper_need(t, rooms, sizeof rooms / sizeof *rooms, error);
    v->pair_groups = p->buffers[AKIN_PAPER_PAIR_GROUPS].data;
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_GROUP, v, pairs, error);
    return status == AKIN_OK
               ? akin_device_count_runs32(t->stream, v->pair_groups, pairs, p->buffers[AKIN_PAPER_DISTINCT].data,
                                          p->buffers[AKIN_PAPER_TIMES].data, number(p, AKIN_PAPER_OF_GROUPS), error)
               : status;
}

/* Puts pairs in the order of documents and terms. */
static akin_status turn(akin_gpu_terms *t, akin_gpu_counted *counted, akin_error *error)
{
    akin_gpu_paper *p = t->own;
    akin_paper_view *v = &p->view;
    uint64_t *twin = p->buffers[AKIN_PAPER_KEYS_TWIN].data;
    uint32_t *tf = p->buffers[AKIN_PAPER_TF].data, *tf_twin = p->buffers[AKIN_PAPER_TF_TWIN].data;
    v->term_bits = akin_max_u32(1, akin_bits_of(t->ids));
    akin_status status = akin_device_reserve(t->device, &counted->ids, counted->pairs, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(t->device, &counted->tf, counted->pairs, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_extend_df(t, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_TURN, v, counted->pairs, error);
    if (status == AKIN_OK)
        status = akin_device_sort_pairs64(t->stream, &v->keys, &twin, &tf, &tf_twin, counted->pairs,
                                          v->term_bits + akin_bits_of(counted->documents), error);
    v->offsets = counted->offsets.data;
    v->term_ids = counted->ids.data;
    v->tf = counted->tf.data;
    v->times = tf;
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_BOUND, v,
                                                              (uint64_t)counted->documents + 1, error);
    return status == AKIN_OK
               ? akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_SPLIT, v, counted->pairs, error)
               : status;
}

/* Adds the groups' df to that of terms: the last of all, since what fails before it may be tried again. */
static akin_status add_df(akin_gpu_terms *t, uint64_t pairs, akin_error *error)
{
    akin_gpu_paper *p = t->own;
    akin_paper_view *v = &p->view;
    v->times = p->buffers[AKIN_PAPER_TIMES].data;
    v->found = number(p, AKIN_PAPER_OF_GROUPS);
    v->df = t->buffers[AKIN_TERMS_DF].data;
    return akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_DF, v, pairs, error);
}

static akin_status ready(akin_gpu_terms *t, const akin_gpu_batch *batch, akin_gpu_counted *counted, akin_error *error)
{
    const uint64_t documents = batch->documents;
    counted->pairs = 0;
    if (batch->bytes > BYTES_MOST)
        return akin_fail(error, AKIN_E_LIMIT, "a document of %llu bytes; the techniques of the paper take %llu at most",
                         (unsigned long long)batch->bytes, (unsigned long long)BYTES_MOST);
    akin_status status =
        akin_device_reserve(t->device, &counted->offsets, documents + 1, sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(t->device, &counted->lengths, documents, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_fill(t->stream, counted->offsets.data, 0, (documents + 1) * sizeof(uint64_t), error);
    return status == AKIN_OK
               ? akin_device_fill(t->stream, counted->lengths.data, 0, documents * sizeof(uint32_t), error)
               : status;
}

/* Step 4, with what comes before and behind. */
static akin_status sort(akin_gpu_terms *t, const akin_gpu_batch *batch, double *start, akin_error *error)
{
    const akin_gpu_paper *p = t->own;
    if (!p->by_dictionary)
        return akin_gpu_paper_sort_words(t, batch, start, error);
    akin_status status = akin_gpu_paper_convert(t, batch, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(t, AKIN_PAPER_CONVERTING, start, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_sort_terms(t, error);
    return status == AKIN_OK ? akin_gpu_paper_timed(t, AKIN_PAPER_SORTING, start, error) : status;
}

akin_status akin_gpu_paper_count(akin_gpu_terms *terms, const akin_gpu_place *place, akin_gpu_counted *counted,
                                 akin_error *error)
{
    akin_gpu_terms *t = terms;
    double start = akin_clock();
    akin_status status = ready(t, &place->batch, counted, error);
    if (status != AKIN_OK || t->tokens == 0)
        return status == AKIN_OK ? akin_device_event_record(place->used, t->stream, error) : status;
    status = extract(t, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(t, AKIN_PAPER_EXTRACTING, &start, error);
    if (status == AKIN_OK)
        status = find_documents(t, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(t, AKIN_PAPER_DOCUMENTS, &start, error);
    if (status == AKIN_OK)
        status = measure(t, counted, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(t, AKIN_PAPER_LENGTHS, &start, error);
    if (status == AKIN_OK)
        status = sort(t, &place->batch, &start, error);
    if (status == AKIN_OK)
        status = akin_device_event_record(place->used, t->stream, error); /* its text is not read any more */
    if (status == AKIN_OK)
        status = count_tf(t, counted, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(t, AKIN_PAPER_COUNTING_TF, &start, error);
    if (status == AKIN_OK)
        status = count_df(t, counted->pairs, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(t, AKIN_PAPER_COUNTING_DF, &start, error);
    if (status == AKIN_OK)
        status = turn(t, counted, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(t, AKIN_PAPER_TURNING, &start, error);
    return status == AKIN_OK ? add_df(t, counted->pairs, error) : status;
}

/* ------------------------------------------------------------------------------------------------------------ weigh */

/* Steps 7 and 8, for some pairs at a time. */
akin_status akin_gpu_paper_weigh(akin_gpu_terms *terms, const akin_formula_terms *formula, double mean,
                                 const akin_gpu_counted *counted, const double *idf, double *values, akin_error *error)
{
    akin_gpu_terms *t = terms;
    akin_gpu_paper *p = t->own;
    double start = akin_clock();
    const akin_paper_room rooms[] = {
        {AKIN_PAPER_SEGMENTS, sizeof(uint32_t), akin_min_u64(AKIN_GPU_ITEMS, counted->pairs)}};
    akin_status status = akin_gpu_paper_need(t, rooms, sizeof rooms / sizeof *rooms, error);
    uint32_t *segments = p->buffers[AKIN_PAPER_SEGMENTS].data;
    akin_paper_view v = {.formula = *formula,
                         .mean = mean,
                         .segments = segments,
                         .idf = idf,
                         .values = values,
                         .lengths = counted->lengths.data,
                         .term_ids = counted->ids.data,
                         .tf = counted->tf.data};
    for (; v.first < counted->pairs && status == AKIN_OK; v.first += AKIN_GPU_ITEMS) {
        const uint64_t count = akin_min_u64(AKIN_GPU_ITEMS, counted->pairs - v.first);
        status = akin_device_segments_of(t->stream, counted->offsets.data, counted->documents, v.first, count, segments,
                                         error);
        if (status == AKIN_OK)
            status = akin_gpu_paper_timed(t, AKIN_PAPER_ASSIGNING, &start, error);
        if (status == AKIN_OK)
            status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_WEIGH, &v, count, error);
        if (status == AKIN_OK)
            status = akin_gpu_paper_timed(t, AKIN_PAPER_WEIGHING, &start, error);
    }
    return status;
}
