/*
 * Sorts the words of a batch as strings, with those that are known before: by radix, piece by piece (steps.h). A piece
 * leaves runs of words that it cannot distinguish. The next piece sorts those of them that go on, within their runs,
 * until no words are left:
 *
 *     piece 1     all of them               runs  | a | term (3) | term_we (2) | term_wi (1) |
 *     piece 2     those of runs that go on:                      | term_we: b, i |
 *
 * The runs of equal words that come of it are words that are known, if such a one is the first of its run, or new ones.
 */
#include "papers/weigh/primitives.h"

#include "base/bits.h"
#include "device/primitives.h"

/* What sorting changes hands of. */
typedef struct sorting {
    akin_gpu_terms *t;
    akin_gpu_paper *p;
    akin_paper_view *v;
    uint64_t items, count; /* all of them; those whose order is still open */
    uint64_t *twin;        /* of the keys */
    uint32_t *picks;
    uint64_t *found;
} sorting;

/* Sorts all by their first pieces. */
static akin_status sort_first(sorting *s, akin_error *error)
{
    akin_gpu_paper *p = s->p;
    akin_paper_view *v = s->v;
    const akin_paper_room rooms[] = {
        {AKIN_PAPER_KEYS, sizeof(uint64_t), s->items},  {AKIN_PAPER_KEYS_TWIN, sizeof(uint64_t), s->items},
        {AKIN_PAPER_ITEMS, sizeof(uint32_t), s->items}, {AKIN_PAPER_ITEMS_TWIN, sizeof(uint32_t), s->items},
        {AKIN_PAPER_HEADS, sizeof(uint32_t), s->items}, {AKIN_PAPER_HEAD_SUMS, sizeof(uint32_t), s->items + 1},
        {AKIN_PAPER_FLAGS, sizeof(uint8_t), s->items},  {AKIN_PAPER_PICKS, sizeof(uint32_t), s->items}};
    akin_status status = akin_gpu_paper_need(s->t, rooms, sizeof rooms / sizeof *rooms, error);
    uint32_t *items_twin = p->buffers[AKIN_PAPER_ITEMS_TWIN].data;
    s->twin = p->buffers[AKIN_PAPER_KEYS_TWIN].data;
    s->picks = p->buffers[AKIN_PAPER_PICKS].data;
    s->found = (uint64_t *)p->buffers[AKIN_PAPER_FOUND].data + AKIN_PAPER_OF_WORDS;
    v->keys = p->buffers[AKIN_PAPER_KEYS].data;
    v->items = p->buffers[AKIN_PAPER_ITEMS].data;
    v->heads = p->buffers[AKIN_PAPER_HEADS].data;
    v->flags = p->buffers[AKIN_PAPER_FLAGS].data;
    v->picks = s->picks;
    v->from = NULL;
    v->count = s->count = s->items;
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(s->t->stream)->weigh->run(s->t->stream, AKIN_PAPER_KEY, v, s->items, error);
    if (status == AKIN_OK)
        status =
            akin_device_sort_pairs64(s->t->stream, &v->keys, &s->twin, &v->items, &items_twin, s->items, 64, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(s->t->stream)->weigh->run(s->t->stream, AKIN_PAPER_HEAD, v, s->items, error);
    return status == AKIN_OK
               ? akin_annex_kernels_of(s->t->stream)->weigh->run(s->t->stream, AKIN_PAPER_OPEN, v, s->items, error)
               : status;
}

/* Selects those that are to be sorted by their next pieces. Places go to one of two buffers, as those of the round
 * before are read meanwhile. */
static akin_status choose(sorting *s, akin_error *error)
{
    akin_gpu_paper *p = s->p;
    akin_paper_view *v = s->v;
    const int places = v->round % 2 ? AKIN_PAPER_PLACES : AKIN_PAPER_PLACES_TWIN;
    akin_status status = akin_device_select_positions(s->t->stream, v->flags, s->count, s->picks, s->found, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_hear(s->t, s->found, sizeof *s->found, &s->count, error);
    if (status != AKIN_OK || s->count == 0)
        return status;
    const akin_paper_room rooms[] = {{places, sizeof(uint32_t), s->count},
                                     {AKIN_PAPER_OWN, sizeof(uint32_t), s->count},
                                     {AKIN_PAPER_MARKS, sizeof(uint32_t), s->count},
                                     {AKIN_PAPER_MARK_SUMS, sizeof(uint32_t), s->count + 1},
                                     {AKIN_PAPER_ORDERED, sizeof(uint32_t), s->count},
                                     {AKIN_PAPER_ORDERED_TWIN, sizeof(uint32_t), s->count},
                                     {AKIN_PAPER_LABELS, sizeof(uint32_t), s->count},
                                     {AKIN_PAPER_LABELS_TWIN, sizeof(uint32_t), s->count},
                                     {AKIN_PAPER_INDEX, sizeof(uint32_t), s->count},
                                     {AKIN_PAPER_INDEX_TWIN, sizeof(uint32_t), s->count}};
    status = akin_gpu_paper_need(s->t, rooms, sizeof rooms / sizeof *rooms, error);
    v->places = p->buffers[places].data;
    v->own = p->buffers[AKIN_PAPER_OWN].data;
    v->marks = p->buffers[AKIN_PAPER_MARKS].data;
    v->order = p->buffers[AKIN_PAPER_ORDERED].data;
    return status == AKIN_OK
               ? akin_annex_kernels_of(s->t->stream)->weigh->run(s->t->stream, AKIN_PAPER_CHOOSE, v, s->count, error)
               : status;
}

/* Sorts these: by the piece, and then by their runs. */
static akin_status sort_next(sorting *s, akin_error *error)
{
    akin_gpu_paper *p = s->p;
    akin_paper_view *v = s->v;
    uint32_t *sums = p->buffers[AKIN_PAPER_MARK_SUMS].data, *order_twin = p->buffers[AKIN_PAPER_ORDERED_TWIN].data;
    uint32_t *labels_twin = p->buffers[AKIN_PAPER_LABELS_TWIN].data;
    uint32_t *index_twin = p->buffers[AKIN_PAPER_INDEX_TWIN].data;
    v->mark_sums = sums;
    v->labels = p->buffers[AKIN_PAPER_LABELS].data;
    v->index = p->buffers[AKIN_PAPER_INDEX].data;
    v->count = s->count;
    akin_status status = akin_device_scan32(s->t->stream, v->marks, s->count, sums, error);
    if (status == AKIN_OK)
        status =
            akin_device_sort_pairs64(s->t->stream, &v->keys, &s->twin, &v->order, &order_twin, s->count, 64, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(s->t->stream)->weigh->run(s->t->stream, AKIN_PAPER_LABEL, v, s->count, error);
    if (status == AKIN_OK)
        status = akin_device_sort_pairs32(s->t->stream, &v->labels, &labels_twin, &v->index, &index_twin, s->count,
                                          akin_bits_of(s->count), error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(s->t->stream)->weigh->run(s->t->stream, AKIN_PAPER_SETTLE, v, s->count, error);
    v->from = v->places;
    return status == AKIN_OK
               ? akin_annex_kernels_of(s->t->stream)->weigh->run(s->t->stream, AKIN_PAPER_OPEN, v, s->count, error)
               : status;
}

/* Sorts all, and finds how many runs there are. */
static akin_status sort_all(sorting *s, uint64_t *runs, akin_error *error)
{
    akin_status status = sort_first(s, error);
    for (s->v->round = 1; status == AKIN_OK; s->v->round++) {
        status = choose(s, error);
        if (status != AKIN_OK || s->count == 0)
            break;
        status = sort_next(s, error);
    }
    uint32_t *sums = s->p->buffers[AKIN_PAPER_HEAD_SUMS].data;
    s->v->head_sums = sums;
    if (status == AKIN_OK)
        status = akin_device_scan32(s->t->stream, s->v->heads, s->items, sums, error);
    return status == AKIN_OK ? akin_gpu_paper_hear(s->t, sums + s->items, sizeof *sums, runs, error) : status;
}

/* Gives each run a slot, as one of a table of words has, and has new ones learnt. */
static akin_status find_words(sorting *s, const akin_gpu_batch *batch, uint64_t runs, akin_error *error)
{
    akin_gpu_terms *t = s->t;
    akin_gpu_told *there = t->buffers[AKIN_TERMS_TOLD].data, *told = t->told.data;
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_SLOTS, runs, sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_NEW_SLOTS, runs, sizeof(uint32_t), error);
    t->table.slots = t->buffers[AKIN_TERMS_SLOTS].data;
    t->table.bits = akin_bits_of(runs);
    s->v->table = t->table;
    s->v->finds.slots = t->buffers[AKIN_TERMS_NEW_SLOTS].data;
    s->v->finds.room = runs;
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_WORD, s->v, s->items, error);
    if (status == AKIN_OK)
        status =
            akin_kernels(t->stream)->terms_look->report(t->stream, &told->news, &there->news, sizeof told->news, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(t->stream, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_learn(t, batch, error);
    s->v->table = t->table;
    return status;
}

/* Where runs are terms, they are the groups; where several may be one term, or some of them have none, or are known and
 * not in the batch, tokens are sorted once more, by their terms. */
akin_status akin_gpu_paper_sort_words(akin_gpu_terms *terms, const akin_gpu_batch *batch, double *start,
                                      akin_error *error)
{
    akin_gpu_paper *p = terms->own;
    sorting s = {.t = terms, .p = p, .v = &p->view, .items = terms->table.count + terms->tokens};
    const int are_groups = terms->is_plain && terms->table.count == 0 && akin_gpu_terms_told(terms)->news.longs == 0;
    uint64_t runs = 0;
    p->view.known = terms->table.count;
    akin_status status = sort_all(&s, &runs, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(terms, AKIN_PAPER_SORTING, start, error);
    if (status == AKIN_OK)
        status = find_words(&s, batch, runs, error);
    if (status == AKIN_OK && !are_groups)
        status = akin_annex_kernels_of(terms->stream)->weigh->run(terms->stream, AKIN_PAPER_TERM, s.v, s.items, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_timed(terms, AKIN_PAPER_NAMING, start, error);
    if (status != AKIN_OK)
        return status;
    if (are_groups) {
        p->view.order = p->view.items;
        p->view.groups = NULL;
        p->view.names = terms->table.slots;
        p->kept = terms->tokens;
        return AKIN_OK;
    }
    status = akin_gpu_paper_sort_terms(terms, error);
    return status == AKIN_OK ? akin_gpu_paper_timed(terms, AKIN_PAPER_SORTING, start, error) : status;
}
