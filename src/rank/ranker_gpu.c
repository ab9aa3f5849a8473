/* Brings an index to a GPU, and queries: what the host does to have them ranked there. */
#include "rank/ranker_gpu.h"

#include "base/context.h"
#include "base/parallel.h"

#include <math.h>
#include <stdatomic.h>

#define PIECE    ((uint64_t)1 << 20) /* bytes that are brought at once */
#define FOUND    (UINT64_C(1) << 20) /* documents that a batch may find */
#define BUDGET   8192                /* steps of a launch for a query at most: a millisecond or two, */
#define LATER    8                   /* and how many times as many for those that are left; */
#define LEAST    256                 /* at least: fewer are not worth a launch */
#define LAUNCH   125000              /* of a launch in sequence: 25 ms, as two launches share the device */
#define FREQUENT 2048                /* a term has bits if at least one in this many documents has it, */
#define SHARE    4                   /* if all bits take at most one part in this many of the device's memory */

_Static_assert(AKIN_GPU_RANK_BLOCK == AKIN_BLOCK, "blocks are those of the index");

static const char what[] = "an index of documents";

/* Queries in a place. */
typedef struct batch {
    akin_device_stream *stream;
    akin_device_buffer queries, terms, states, found, left[2];
    akin_pinned packed, packed_terms, told_states, told, told_left;
    uint32_t count;
    atomic_uint term_count;
    int is_sent;
} batch;

enum { ONCE, MORE, FACTORS, ONES, NUMBERS, BOUNDS, BITS, BUFFERS };

struct akin_gpu_ranker {
    const akin_scope *scope;
    akin_device *device;
    const akin_lists *lists;
    uint32_t k, most;     /* queries of a batch */
    uint32_t at_once[2];  /* queries of a launch: of the first, and of those that follow */
    uint64_t *firsts;     /* of lists: their first entries there */
    uint32_t *bits;       /* of terms: which of the frequent ones they are */
    double most_factor;   /* of any entry */
    akin_gpu_lists there; /* what kernels see */
    akin_device_buffer buffers[BUFFERS];
    batch batches[AKIN_GPU_RANK_PLACES];
};

/* ---------------------------------------------------------------------------------------------------------- writing */

/* An array that is made item by item, and goes there in pieces. */
typedef struct writer {
    akin_device_stream *stream;
    char *to, *piece;
    uint64_t used;
} writer;

static akin_status flush_writer(writer *w, akin_error *error)
{
    akin_status status = w->used > 0 ? akin_device_upload(w->stream, w->to, w->piece, w->used, error) : AKIN_OK;
    w->to += w->used;
    w->used = 0;
    return status;
}

static inline akin_status append_item(writer *w, const void *item, size_t size, akin_error *error)
{
    akin_status status = w->used + size > PIECE ? flush_writer(w, error) : AKIN_OK;
    memcpy(w->piece + w->used, item, size);
    w->used += size;
    return status;
}

/* --------------------------------------------------------------------------------------------------------- bringing */

typedef struct bringing {
    akin_gpu_ranker *g;
    akin_device_stream *stream;
    writer writers[FACTORS + 1]; /* each is used for one array after the other */
    char *pieces;
} bringing;

/* Has an array written next. */
static writer *begin_array(bringing *b, int which, int buffer)
{
    writer *w = &b->writers[which];
    *w = (writer){b->stream, b->g->buffers[buffer].data, b->pieces + (uint64_t)which * PIECE, 0};
    return w;
}

/* The factor of terms that are there once, of each document; and the largest of all factors. */
static akin_status bring_ones(bringing *b, akin_error *error)
{
    const akin_lists *lists = b->g->lists;
    writer *w = begin_array(b, ONCE, ONES);
    akin_status status = AKIN_OK;
    for (uint32_t c = 0; c < lists->head.classes && status == AKIN_OK; c++) {
        const uint64_t first = lists->firsts[c], end = lists->firsts[c + 1];
        const double one = first < end ? lists->factors[first] : 0; /* documents without terms */
        for (uint64_t i = first; i < end; i++)
            b->g->most_factor = fmax(b->g->most_factor, lists->factors[i]);
        for (uint32_t d = lists->classes[c]; d < lists->classes[c + 1] && status == AKIN_OK; d++)
            status = append_item(w, &one, sizeof one, error);
    }
    return status == AKIN_OK ? flush_writer(w, error) : status;
}

static akin_status bring_bounds(bringing *b, akin_error *error)
{
    const akin_lists *lists = b->g->lists;
    writer *w = begin_array(b, ONCE, BOUNDS);
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < lists->head.blocks && status == AKIN_OK; i++)
        status = append_item(w, &lists->blocks[i].most, sizeof lists->blocks[i].most, error);
    return status == AKIN_OK ? flush_writer(w, error) : status;
}

/* The factors of a block of a list of documents that have its term more than once. */
static akin_status bring_factors(bringing *b, const akin_block_view *view, const uint32_t *documents, uint32_t count,
                                 akin_error *error)
{
    const akin_lists *lists = b->g->lists;
    uint32_t class =
        (uint32_t)akin_lower_bound_u32(lists->classes, lists->head.classes, (uint64_t)documents[0] + 1) - 1;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        class = akin_ranker_class_from(lists, class, documents[i]);
        const double *factor = &lists->factors[lists->firsts[class] + akin_block_factor(view, i) - 1];
        status = append_item(&b->writers[FACTORS], factor, sizeof *factor, error);
    }
    return status;
}

static akin_status bring_list(bringing *b, uint32_t list, akin_error *error)
{
    const akin_lists *lists = b->g->lists;
    const uint32_t blocks = akin_list_blocks(&lists->lists[list]);
    akin_status status = AKIN_OK;
    for (uint32_t block = 0; block < blocks && status == AKIN_OK; block++) {
        uint32_t documents[AKIN_BLOCK];
        const akin_block_view view = akin_block_open(lists, &lists->lists[list], block);
        const uint32_t count = akin_block_documents(&view, documents);
        status = append_item(&b->writers[list % 2 == 0 ? ONCE : MORE], documents, count * sizeof *documents, error);
        if (list % 2 == 0)
            continue;
        if (status == AKIN_OK)
            status = bring_factors(b, &view, documents, count, error);
        if (documents[0] < b->g->there.late)
            b->g->there.late = documents[0];
    }
    return status;
}

static akin_status bring_lists(bringing *b, akin_error *error)
{
    const akin_lists_head *head = &b->g->lists->head;
    akin_status status = AKIN_OK;
    for (int i = ONCE; i <= FACTORS; i++)
        begin_array(b, i, i);
    for (uint32_t list = 0; list < head->lists && status == AKIN_OK; list++) {
        if (list % 65536 == 0 &&
            akin_scope_report(b->g->scope, "bringing an index to the GPU", list, head->lists) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        status = bring_list(b, list, error);
    }
    for (int i = ONCE; i <= FACTORS && status == AKIN_OK; i++)
        status = flush_writer(&b->writers[i], error);
    return status;
}

/* Numbers the lists' entries, first lists and second lists apart, and makes room. */
static akin_status reserve_entries(akin_gpu_ranker *g, akin_error *error)
{
    const akin_lists_head *head = &g->lists->head;
    uint64_t used[2] = {0, 0};
    g->firsts = akin_alloc(NULL, head->lists, sizeof *g->firsts);
    g->bits = akin_alloc(NULL, head->lists / 2, sizeof *g->bits);
    if (!g->firsts || !g->bits)
        return akin_fail_memory(error, what);
    for (uint32_t list = 0; list < head->lists; list++) {
        g->firsts[list] = used[list % 2];
        used[list % 2] += g->lists->lists[list].count;
    }
    const struct {
        uint64_t count;
        size_t size;
    } rooms[] = {[ONCE] = {used[0], sizeof(uint32_t)},
                 [MORE] = {used[1], sizeof(uint32_t)},
                 [FACTORS] = {used[1], sizeof(double)},
                 [ONES] = {head->documents, sizeof(double)},
                 [NUMBERS] = {head->documents, sizeof(uint32_t)},
                 [BOUNDS] = {head->blocks, sizeof(float)}};
    akin_status status = AKIN_OK;
    for (int i = ONCE; i < BITS && status == AKIN_OK; i++)
        status = akin_device_reserve(g->device, &g->buffers[i], rooms[i].count, rooms[i].size, what, error);
    g->there = (akin_gpu_lists){.once = g->buffers[ONCE].data,
                                .more = g->buffers[MORE].data,
                                .factors = g->buffers[FACTORS].data,
                                .ones = g->buffers[ONES].data,
                                .numbers = g->buffers[NUMBERS].data,
                                .most = g->buffers[BOUNDS].data,
                                .words = akin_ceil_div(head->documents, 64) * 2,
                                .documents = head->documents,
                                .late = head->documents};
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- bits */

/* Numbers the terms that one of `share` documents has, and more than a block; returns how many they are. */
static uint32_t number_frequent(const akin_gpu_ranker *g, uint64_t share)
{
    const akin_lists *lists = g->lists;
    uint32_t frequent = 0;
    for (uint32_t list = 0; list + 1 < lists->head.lists; list += 2) {
        const uint64_t entries = (uint64_t)lists->lists[list].count + lists->lists[list + 1].count;
        const int has_bits = entries > AKIN_BLOCK && entries >= lists->head.documents / share;
        g->bits[list / 2] = has_bits ? frequent++ : AKIN_GPU_RANK_NONE;
    }
    return frequent;
}

static akin_status mark_list(const akin_gpu_ranker *g, akin_device_stream *stream, uint32_t list, akin_error *error)
{
    const uint32_t *documents = (list % 2 == 0 ? g->there.once : g->there.more) + g->firsts[list];
    const uint64_t count = g->lists->lists[list].count;
    uint64_t *words = g->there.bits + g->bits[list / 2] * g->there.words;
    akin_status status = AKIN_OK;
    for (uint64_t at = 0; at < count && status == AKIN_OK; at += AKIN_GPU_RANK_MARKS)
        status = akin_kernels(stream)->rank->mark(stream, documents + at, akin_min_u64(count - at, AKIN_GPU_RANK_MARKS),
                                                  list % 2, words, error);
    return status;
}

static akin_status make_bits(akin_gpu_ranker *g, akin_device_stream *stream, akin_error *error)
{
    const uint64_t each = g->there.words * sizeof(uint64_t), most = akin_device_room(g->device) / SHARE;
    uint64_t share = FREQUENT;
    uint32_t frequent = number_frequent(g, share);
    for (; frequent * each > most && share > 1; share /= 2)
        frequent = number_frequent(g, share / 2);
    if (frequent * each > most) { /* not even the most frequent ones */
        memset(g->bits, 0xff, g->lists->head.lists / 2 * sizeof *g->bits);
        frequent = 0;
    }
    akin_status status =
        akin_device_reserve(g->device, &g->buffers[BITS], frequent * g->there.words, sizeof(uint64_t), what, error);
    g->there.bits = g->buffers[BITS].data;
    if (status == AKIN_OK && frequent > 0)
        status = akin_device_fill(stream, g->there.bits, 0, frequent * each, error);
    for (uint32_t list = 0; list < g->lists->head.lists && status == AKIN_OK; list++)
        if (g->bits[list / 2] != AKIN_GPU_RANK_NONE)
            status = mark_list(g, stream, list, error);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- begin, end */

static akin_status bring_index(akin_gpu_ranker *g, akin_error *error)
{
    bringing b = {.g = g, .pieces = akin_alloc(NULL, FACTORS + 1, PIECE)};
    akin_status status = b.pieces ? reserve_entries(g, error) : akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = akin_device_stream_create(g->device, &b.stream, error);
    if (status == AKIN_OK)
        status = bring_ones(&b, error);
    if (status == AKIN_OK)
        status = bring_bounds(&b, error);
    if (status == AKIN_OK)
        status = bring_lists(&b, error);
    if (status == AKIN_OK)
        status = akin_device_upload(b.stream, g->buffers[NUMBERS].data, g->lists->numbers,
                                    (uint64_t)g->lists->head.documents * sizeof *g->lists->numbers, error);
    if (status == AKIN_OK)
        status = make_bits(g, b.stream, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(b.stream, error);
    akin_device_stream_free(b.stream);
    akin_free(b.pieces);
    return status;
}

static akin_status make_batch(akin_gpu_ranker *g, batch *b, akin_error *error)
{
    static const char queries[] = "queries";
    const uint64_t most = g->most, terms = most * AKIN_GPU_RANK_TERMS;
    const struct {
        akin_device_buffer *there;
        akin_pinned *here;
        uint64_t count;
        size_t size;
    } rooms[] = {{&b->queries, &b->packed, most, sizeof(akin_gpu_rank_query)},
                 {&b->terms, &b->packed_terms, terms, sizeof(akin_gpu_rank_term)},
                 {&b->states, &b->told_states, most, sizeof(akin_gpu_rank_state)},
                 {&b->found, &b->told, most * g->k, sizeof(akin_gpu_found)},
                 {&b->left[0], &b->told_left, most + 1, sizeof(uint32_t)},
                 {&b->left[1], NULL, most + 1, sizeof(uint32_t)}};
    akin_status status = akin_device_stream_create(g->device, &b->stream, error);
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms && status == AKIN_OK; i++) {
        status = akin_device_reserve(g->device, rooms[i].there, rooms[i].count, rooms[i].size, queries, error);
        if (status == AKIN_OK && rooms[i].here)
            status = akin_pinned_reserve(g->device, rooms[i].here, rooms[i].count, rooms[i].size, queries, error);
    }
    return status;
}

static void clear_batch(akin_gpu_ranker *g, batch *b)
{
    akin_device_buffer *const there[] = {&b->queries, &b->terms, &b->states, &b->found, &b->left[0], &b->left[1]};
    akin_pinned *const here[] = {&b->packed, &b->packed_terms, &b->told_states, &b->told, &b->told_left};
    akin_device_stream_free(b->stream);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        akin_device_release(g->device, there[i]);
    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        akin_pinned_release(g->device, here[i]);
}

akin_status akin_gpu_ranker_create(const akin_scope *scope, akin_device *device, const akin_lists *lists, uint32_t k,
                                   akin_gpu_ranker **out, akin_error *error)
{
    const uint32_t wanted =
        akin_wishes_of(scope)->candidates > 0 && akin_wishes_of(scope)->candidates < AKIN_GPU_RANK_BATCH
            ? (uint32_t)akin_wishes_of(scope)->candidates
            : AKIN_GPU_RANK_BATCH;
    akin_gpu_ranker *g = akin_alloc_zero(NULL, 1, sizeof *g);
    if (!g)
        return akin_fail_memory(error, what);
    g->scope = scope;
    g->device = device;
    g->lists = lists;
    g->k = k;
    g->most = (uint32_t)akin_min_u64(wanted, FOUND / akin_max_u64(k, 1));
    akin_status status = akin_kernels_of(device)->rank->at_once(device, k, g->at_once, error);
    if (status == AKIN_OK)
        status = bring_index(g, error);
    for (int i = 0; i < AKIN_GPU_RANK_PLACES && status == AKIN_OK; i++)
        status = make_batch(g, &g->batches[i], error);
    if (status == AKIN_OK)
        *out = g;
    else
        akin_gpu_ranker_free(g);
    return status;
}

void akin_gpu_ranker_free(akin_gpu_ranker *gpu)
{
    if (!gpu)
        return;
    for (int i = 0; i < AKIN_GPU_RANK_PLACES; i++)
        clear_batch(gpu, &gpu->batches[i]);
    for (int i = 0; i < BUFFERS; i++)
        akin_device_release(gpu->device, &gpu->buffers[i]);
    akin_free(gpu->firsts);
    akin_free(gpu->bits);
    akin_free(gpu);
}

uint32_t akin_gpu_ranker_batch(const akin_gpu_ranker *gpu)
{
    return gpu->most;
}

/* ---------------------------------------------------------------------------------------------------------- queries */

akin_status akin_gpu_ranker_begin(akin_gpu_ranker *gpu, uint32_t place, uint32_t count, akin_error *error)
{
    batch *b = &gpu->batches[place];
    akin_status status = b->is_sent ? akin_device_stream_finish(b->stream, error) : AKIN_OK;
    b->is_sent = 0;
    b->count = count;
    b->term_count = 0;
    return status;
}

/* The most that the entries of a list weigh, beside the scale. */
static double most_of(const akin_lists *lists, const akin_list *list)
{
    return list->count > 0 ? (double)lists->blocks[list->block].rest : 0;
}

static akin_gpu_rank_term term_of(const akin_gpu_ranker *g, const akin_ranker_list *wanted)
{
    const akin_list *list = wanted->list;
    const uint64_t number = (uint64_t)(list - g->lists->lists);
    const double once = most_of(g->lists, list), more = most_of(g->lists, list + 1);
    const double all = wanted->scale > 0 ? wanted->scale : 0;
    return (akin_gpu_rank_term){.scale = list->scale,
                                .all = wanted->scale,
                                .most = all * (once > more ? once : more),
                                .more = all * more,
                                .first = {g->firsts[number], g->firsts[number + 1]},
                                .count = {list->count, list[1].count},
                                .block = {list->block, list[1].block},
                                .bits = g->bits[number / 2]};
}

int akin_gpu_ranker_put(akin_gpu_ranker *gpu, uint32_t place, uint32_t query, const akin_ranker *ranker)
{
    batch *b = &gpu->batches[place];
    akin_gpu_rank_query *q = (akin_gpu_rank_query *)b->packed.data + query;
    const uint32_t count = ranker->term_count / 2;
    akin_gpu_rank_term terms[AKIN_GPU_RANK_TERMS];
    uint8_t order[AKIN_GPU_RANK_TERMS] = {0}, rank[AKIN_GPU_RANK_TERMS];
    double sizes = 0;
    *q = (akin_gpu_rank_query){0};
    if (count > AKIN_GPU_RANK_TERMS || ranker->token_count > AKIN_GPU_RANK_TOKENS)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        terms[i] = term_of(gpu, &ranker->terms[2 * i]);
        sizes += fabs(terms[i].all);
        for (; at > 0 && terms[order[at - 1]].most < terms[i].most; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)i;
    }
    q->first = atomic_fetch_add(&b->term_count, count);
    q->terms = count;
    q->tokens = ranker->token_count;
    q->slack = sizes * gpu->most_factor * (double)(ranker->token_count + 1) * 0x1p-48;
    for (uint32_t i = 0; i < count; i++) {
        ((akin_gpu_rank_term *)b->packed_terms.data)[q->first + i] = terms[order[i]];
        rank[order[i]] = (uint8_t)i;
    }
    for (uint32_t i = 0; i < ranker->token_count; i++)
        q->token[i] = rank[ranker->tokens[i] / 2];
    return 1;
}

/* What a launch may spend on each of `count` queries: those that are not ranked at once wait for others to end. */
static uint32_t budget_for(const akin_gpu_ranker *g, uint32_t count, int is_first)
{
    const uint64_t turns = akin_ceil_div(count, g->at_once[is_first ? 0 : 1]);
    const uint64_t most = is_first ? BUDGET : LATER * BUDGET;
    if (akin_wishes_of(g->scope)->candidates > 0)
        return 1;
    return (uint32_t)akin_max_u64(LEAST, akin_min_u64(most, LAUNCH / akin_max_u64(turns, 1)));
}

/* Later: ranks the queries that list `turn` names, or all, and brings back their states. */
static akin_status launch_batch(akin_gpu_ranker *g, batch *b, const uint32_t *which, uint32_t count, int turn,
                                akin_error *error)
{
    const akin_gpu_rank_batch queries = {.queries = b->queries.data,
                                         .terms = b->terms.data,
                                         .states = b->states.data,
                                         .found = b->found.data,
                                         .k = g->k,
                                         .count = count,
                                         .which = which,
                                         .left = b->left[turn].data,
                                         .budget = budget_for(g, count, which == NULL)};
    akin_status status = akin_device_fill(b->stream, queries.left, 0, sizeof *queries.left, error);
    if (status == AKIN_OK)
        status = akin_kernels(b->stream)->rank->best(b->stream, &g->there, &queries, error);
    if (status == AKIN_OK)
        status = akin_device_read(b->stream, b->told_left.data, queries.left, sizeof *queries.left, error);
    if (status == AKIN_OK)
        status =
            akin_device_read(b->stream, b->told_states.data, queries.states, b->count * sizeof *queries.states, error);
    return status == AKIN_OK ? akin_device_read(b->stream, b->told.data, queries.found,
                                                (uint64_t)b->count * g->k * sizeof *queries.found, error)
                             : status;
}

akin_status akin_gpu_ranker_send(akin_gpu_ranker *gpu, uint32_t place, akin_error *error)
{
    batch *b = &gpu->batches[place];
    akin_status status =
        akin_device_write(b->stream, b->queries.data, b->packed.data, b->count * sizeof(akin_gpu_rank_query), error);
    b->is_sent = 1;
    if (status == AKIN_OK && b->term_count > 0)
        status = akin_device_write(b->stream, b->terms.data, b->packed_terms.data,
                                   b->term_count * sizeof(akin_gpu_rank_term), error);
    if (status == AKIN_OK)
        status = akin_device_fill(b->stream, b->states.data, 0, b->count * sizeof(akin_gpu_rank_state), error);
    return status == AKIN_OK ? launch_batch(gpu, b, NULL, b->count, 0, error) : status;
}

akin_status akin_gpu_ranker_take(akin_gpu_ranker *gpu, uint32_t place, akin_error *error)
{
    batch *b = &gpu->batches[place];
    akin_status status = akin_device_stream_finish(b->stream, error);
    const uint32_t *left = b->told_left.data;
    for (int turn = 0; status == AKIN_OK && *left > 0; turn ^= 1) {
        if (akin_scope_report(gpu->scope, NULL, 0, 0) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        status = launch_batch(gpu, b, (const uint32_t *)b->left[turn].data + 1, *left, turn ^ 1, error);
        if (status == AKIN_OK)
            status = akin_device_stream_finish(b->stream, error);
    }
    b->is_sent = status != AKIN_OK;
    return status;
}

const akin_gpu_found *akin_gpu_ranker_found(const akin_gpu_ranker *gpu, uint32_t place, uint32_t query, uint32_t *count)
{
    const batch *b = &gpu->batches[place];
    *count = ((const akin_gpu_rank_state *)b->told_states.data)[query].found;
    return (const akin_gpu_found *)b->told.data + (uint64_t)query * gpu->k;
}
