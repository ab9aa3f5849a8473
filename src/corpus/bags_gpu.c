/* Bags in the memory of GPUs: what is where, and the calls of kernels. */
#include "corpus/bags_gpu.h"

#include "base/bits.h"
#include "base/context.h"
#include "corpus/kernels.h"
#include "device/bring.h"
#include "device/worth.h"

#include <string.h>

#define HERE       50e6                /* bytes of text a second and thread, on the CPU, */
#define THERE      79e6                /* and with a GPU; measured on the host of an H200, see docs/benchmarks.md */
#define SLICE      AKIN_GPU_BAG_HASHES /* hashes of a launch, at most */
#define DOCUMENTS  ((uint64_t)1 << 16) /* documents of one, at most */
#define SCRATCH    20                  /* bytes of memory for a hash of a launch, with the document's, at most */
#define SHORT      8                   /* hashes of a document, at least, where a launch has the most documents */
#define PLACE_BITS 56                  /* of a place; above them is the number of the GPU */

static const char what[] = "the bags of documents";

/* A GPU. */
typedef struct gpu {
    akin_device *device;
    akin_device_stream *stream;
    akin_device_sender sender;
    akin_gpu_counters counters;
    uint64_t kept, most; /* hashes */
    akin_device_buffer counter_room, bags, wanted, of, hashes, counts, scratch, words, taken;
} gpu;

/* What comes of a slice, on the host. */
typedef struct brought {
    akin_gpu_bag *bags;
    akin_gpu_prefix *of;
    uint32_t *numbers; /* of the wanted documents */
    uint64_t bag_capacity, of_capacity, number_capacity;
} brought;

/* The prefixes of a side, and the signatures. */
typedef struct found {
    uint64_t *hashes;
    uint8_t *counts;
    uint64_t *words;
    uint64_t hash_capacity, count_capacity, word_capacity;
} found;

struct akin_bags_gpu {
    akin_scope scope; /* of one thread, without callbacks */
    akin_account *account;
    akin_frequencies *frequencies; /* of the host */
    gpu *gpus;
    uint32_t count, turn;
    uint64_t slice, documents; /* hashes and documents of a launch */
    int is_partial;            /* the host makes bags again: they are not kept, or are too large for a launch */
    brought slice_of;
    found sides[2];
};

/* ----------------------------------------------------------------------------------------------------------- choice */

/* Time grows with the text, and is that of the threads: they cut each document twice without a GPU, and once with one.
 * The rest of both passes, looking kept documents up and comparing, is the same. What the GPU and the bus do goes on
 * beside that, and opening the GPU is added by akin_device_is_worth. With 16 threads the GPU pays from 1 GB on. */
akin_status akin_bags_gpu_choose(const akin_scope *scope, uint64_t bytes, akin_devices **out, akin_error *error)
{
    const double scale = akin_calibrated_scale(scope, AKIN_CALIBRATED_SCREENED);
    const double each = (double)bytes * scale / scope->threads;
    const akin_device_estimate e = {.here = each / HERE, .there = each / THERE};
    *out = NULL;
    return akin_device_is_worth(scope, &e) ? akin_devices_of(scope, out, error) : AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- memory */

/* Takes memory: for the counters, for what a launch needs, and for bags what is left, but no more than all have. */
static akin_status reserve(akin_bags_gpu *b, gpu *g, uint64_t hashes, akin_error *error)
{
    const uint64_t words = akin_ceil_div(b->frequencies->slots, 8);
    akin_status status = akin_device_reserve(g->device, &g->counter_room, words, 4, "the counters of hashes", error);
    if (status != AKIN_OK)
        return status;
    g->counters = (akin_gpu_counters){g->counter_room.data, b->frequencies->slots, b->frequencies->counted};
    b->slice = akin_min_u64(b->slice, akin_max_u64(1, akin_device_room(g->device) / 4 / SCRATCH));
    b->documents = akin_min_u64(DOCUMENTS, akin_max_u64(1, b->slice / SHORT));
    const struct {
        akin_device_buffer *buffer;
        uint64_t count;
        size_t size;
    } rooms[] = {{&g->wanted, b->documents, sizeof(akin_gpu_bag)},
                 {&g->of, b->documents, sizeof(akin_gpu_prefix)},
                 {&g->taken, 1, sizeof(akin_gpu_taken)},
                 {&g->hashes, b->slice, sizeof(uint64_t)},
                 {&g->counts, b->slice, 1},
                 {&g->scratch, b->slice, 1},
                 {&g->words, b->slice / 32 + b->documents, sizeof(uint64_t)}};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms && status == AKIN_OK; i++)
        status = akin_device_reserve(g->device, rooms[i].buffer, rooms[i].count, rooms[i].size, what, error);
    const uint64_t room = akin_device_room(g->device);
    g->most = akin_min_u64((room - room / 16) / sizeof(uint64_t), hashes + hashes / 4 + 1);
    if (status == AKIN_OK && akin_device_reserve(g->device, &g->bags, g->most, sizeof(uint64_t), what, NULL) != AKIN_OK)
        g->most = 0; /* all bags are made again */
    return status == AKIN_OK ? akin_device_fill(g->stream, g->counter_room.data, 0, words * sizeof(uint32_t), error)
                             : status;
}

static void clear(gpu *g)
{
    akin_device_buffer *all[] = {&g->counter_room, &g->bags,    &g->wanted, &g->of,   &g->hashes,
                                 &g->counts,       &g->scratch, &g->words,  &g->taken};
    akin_device_sender_clear(&g->sender);
    akin_device_stream_free(g->stream);
    for (size_t i = 0; i < sizeof all / sizeof *all && g->device; i++)
        akin_device_release(g->device, all[i]);
}

akin_status akin_bags_gpu_create(const akin_scope *scope, akin_account *account, akin_devices *devices,
                                 akin_frequencies *frequencies, uint64_t hashes, akin_bags_gpu **out, akin_error *error)
{
    const akin_reporter silent = {0};
    akin_status status = AKIN_OK;
    akin_bags_gpu *b = akin_alloc_zero(account, 1, sizeof *b);
    gpu *gpus = b ? akin_alloc_zero(account, devices->count, sizeof *gpus) : NULL;
    if (!gpus) {
        akin_free(b);
        return akin_fail_memory(error, what);
    }
    *b = (akin_bags_gpu){.scope = akin_scope_narrow(scope, (akin_narrowing){.threads = 1, .reporter = &silent}),
                         .account = account,
                         .frequencies = frequencies,
                         .gpus = gpus,
                         .count = devices->count,
                         .slice = SLICE};
    for (uint32_t i = 0; i < devices->count && status == AKIN_OK; i++) {
        gpu *g = &gpus[i];
        g->device = devices->device[i];
        status = akin_device_stream_create(g->device, &g->stream, error);
        if (status == AKIN_OK)
            status = akin_device_sender_begin(&g->sender, &b->scope, g->device, g->stream, error);
        if (status == AKIN_OK)
            status = reserve(b, g, akin_ceil_div(hashes, devices->count), error);
    }
    if (status == AKIN_OK)
        *out = b;
    else
        akin_bags_gpu_free(b);
    return status;
}

void akin_bags_gpu_free(akin_bags_gpu *bags)
{
    akin_bags_gpu *b = bags;
    if (!b)
        return;
    for (uint32_t i = 0; i < b->count; i++)
        clear(&b->gpus[i]);
    akin_free(b->gpus);
    akin_free(b->slice_of.bags);
    akin_free(b->slice_of.of);
    akin_free(b->slice_of.numbers);
    for (int side = 0; side < 2; side++) {
        akin_free(b->sides[side].hashes);
        akin_free(b->sides[side].counts);
        akin_free(b->sides[side].words);
    }
    akin_free(b);
}

/* --------------------------------------------------------------------------------------------------------- counting */

static akin_status count(const gpu *g, const uint64_t *hashes, uint64_t size, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t at = 0; at < size && status == AKIN_OK; at += SLICE)
        status = akin_kernels(g->stream)->corpus->count(g->stream, hashes + at, akin_min_u64(SLICE, size - at),
                                                        &g->counters, error);
    return status;
}

/* Keeps hashes, and counts them. */
static akin_status keep(gpu *g, uint64_t number, akin_bag_rows *rows, akin_error *error)
{
    uint64_t *to = (uint64_t *)g->bags.data + g->kept;
    akin_status status = akin_device_sender_send(&g->sender, to, rows->hashes, rows->count * sizeof *to, error);
    if (status == AKIN_OK)
        status = count(g, to, rows->count, error);
    rows->place = number << PLACE_BITS | g->kept;
    g->kept += rows->count;
    return status;
}

/* Counts hashes that there is no memory for. */
static akin_status pass_by(akin_bags_gpu *b, gpu *g, akin_bag_rows *rows, akin_error *error)
{
    akin_status status = AKIN_OK;
    b->is_partial = 1;
    rows->place = AKIN_NOT_ON_GPU;
    for (uint64_t at = 0; at < rows->count && status == AKIN_OK; at += b->slice) {
        const uint64_t size = akin_min_u64(b->slice, rows->count - at);
        status =
            akin_device_sender_send(&g->sender, g->hashes.data, rows->hashes + at, size * sizeof *rows->hashes, error);
        if (status == AKIN_OK)
            status = count(g, g->hashes.data, size, error);
    }
    return status;
}

akin_status akin_bags_gpu_add(akin_bags_gpu *bags, akin_bag_rows *rows, uint32_t row_count, akin_error *error)
{
    akin_bags_gpu *b = bags;
    gpu *g = &b->gpus[b->turn];
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < row_count && status == AKIN_OK; i++) {
        b->is_partial |= rows[i].longest > b->slice;
        if (rows[i].count <= g->most - g->kept)
            status = keep(g, b->turn, &rows[i], error);
        else
            status = pass_by(b, g, &rows[i], error);
    }
    b->turn = (b->turn + 1) % b->count;
    return status;
}

/* Adds counters of 4 bits, up to the most. */
static void add_counters(akin_frequencies *to, const uint8_t *from)
{
    for (uint64_t i = 0; i < to->slots / 2; i++) {
        const uint8_t own = atomic_load_explicit(&to->counters[i], memory_order_relaxed);
        const unsigned low = (own & 15u) + (from[i] & 15u), high = (own >> 4) + (from[i] >> 4);
        const unsigned sum = akin_min_u32(low, AKIN_FREQUENCY_MOST) | akin_min_u32(high, AKIN_FREQUENCY_MOST) << 4;
        atomic_store_explicit(&to->counters[i], (uint8_t)sum, memory_order_relaxed);
    }
}

/* Adds what all GPUs counted, and gives them the sums. */
static akin_status add_up(akin_bags_gpu *b, akin_error *error)
{
    const uint64_t bytes = b->frequencies->slots / 2;
    akin_status status = AKIN_OK;
    uint8_t *own = akin_alloc(b->account, bytes, 1);
    if (!own)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < b->count && status == AKIN_OK; i++) {
        status = akin_device_download(b->gpus[i].stream, own, b->gpus[i].counter_room.data, bytes, error);
        if (status == AKIN_OK)
            add_counters(b->frequencies, own);
    }
    for (uint32_t i = 0; i < b->count && status == AKIN_OK; i++) {
        status = akin_device_upload(b->gpus[i].stream, b->gpus[i].counter_room.data,
                                    (const void *)b->frequencies->counters, bytes, error);
        if (status == AKIN_OK)
            status = akin_device_stream_finish(b->gpus[i].stream, error);
    }
    akin_free(own);
    return status;
}

akin_status akin_bags_gpu_finish(akin_bags_gpu *bags, akin_error *error)
{
    akin_bags_gpu *b = bags;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < b->count; i++)
        akin_device_sender_clear(&b->gpus[i].sender);
    if (b->count > 1)
        return add_up(b, error);
    if (b->is_partial || !akin_device_is_required(&b->scope))
        status = akin_device_download(b->gpus->stream, (void *)b->frequencies->counters, b->gpus->counter_room.data,
                                      b->frequencies->slots / 2, error);
    return status == AKIN_OK ? akin_device_stream_finish(b->gpus->stream, error) : status;
}

/* --------------------------------------------------------------------------------------------------------- prefixes */

/* Gathers documents of a GPU, from *at on, for a launch. Larger ones than a launch takes are left to the host. */
static uint32_t gather(akin_bags_gpu *b, uint32_t number, const akin_bag_wanted *wanted, uint32_t count, uint32_t *at)
{
    uint64_t hashes = 0;
    uint32_t documents = 0;
    for (; *at < count && documents < b->documents; ++*at) {
        const akin_bag_wanted *w = &wanted[*at];
        if (w->place >> PLACE_BITS != number || w->size > b->slice)
            continue;
        if (hashes + w->size > b->slice)
            break;
        b->slice_of.bags[documents] =
            (akin_gpu_bag){w->place & ((UINT64_C(1) << PLACE_BITS) - 1), hashes, w->size, w->longest};
        b->slice_of.numbers[documents++] = *at;
        hashes += w->size;
    }
    return documents;
}

/* Makes room on the host for what comes of a launch, behind what others have. */
static akin_status reserve_found(akin_account *account, found *f, uint64_t hashes, uint64_t words)
{
    uint64_t *own = akin_enlarge(account, f->hashes, &f->hash_capacity, hashes, sizeof *own);
    f->hashes = own ? own : f->hashes;
    uint8_t *counts = akin_enlarge(account, f->counts, &f->count_capacity, hashes, sizeof *counts);
    f->counts = counts ? counts : f->counts;
    uint64_t *all = akin_enlarge(account, f->words, &f->word_capacity, words, sizeof *all);
    f->words = all ? all : f->words;
    return own && counts && all ? AKIN_OK : AKIN_E_NOMEM;
}

/* Has the kernel choose, and brings what it chose. */
static akin_status bring(akin_bags_gpu *b, gpu *g, uint32_t documents, found *f, akin_gpu_taken *taken,
                         akin_error *error)
{
    const akin_gpu_taken before = *taken;
    const akin_gpu_prefixes out = {g->of.data,      g->hashes.data, g->counts.data,
                                   g->scratch.data, g->words.data,  g->taken.data};
    akin_gpu_taken own = {0, 0};
    akin_status status =
        akin_device_upload(g->stream, g->wanted.data, b->slice_of.bags, documents * sizeof(akin_gpu_bag), error);
    if (status == AKIN_OK)
        status = akin_device_fill(g->stream, g->taken.data, 0, sizeof own, error);
    if (status == AKIN_OK)
        status = akin_kernels(g->stream)->corpus->prefixes(g->stream, g->bags.data, g->wanted.data, documents,
                                                           &g->counters, &out, error);
    if (status == AKIN_OK)
        status = akin_device_download(g->stream, &own, g->taken.data, sizeof own, error);
    if (status != AKIN_OK)
        return status;
    *taken = (akin_gpu_taken){before.hashes + own.hashes, before.words + own.words};
    if (reserve_found(b->account, f, taken->hashes, taken->words) != AKIN_OK)
        return akin_fail_memory(error, what);
    status = akin_device_download(g->stream, b->slice_of.of, g->of.data, documents * sizeof(akin_gpu_prefix), error);
    if (status == AKIN_OK && own.hashes > 0)
        status = akin_device_download(g->stream, f->hashes + before.hashes, g->hashes.data, own.hashes * 8, error);
    if (status == AKIN_OK && own.hashes > 0)
        status = akin_device_download(g->stream, f->counts + before.hashes, g->counts.data, own.hashes, error);
    if (status == AKIN_OK && own.words > 0)
        status = akin_device_download(g->stream, f->words + before.words, g->words.data, own.words * 8, error);
    return status;
}

/* Finds what a GPU has of the wanted documents. Places are numbers as yet, as arrays may move. */
static akin_status take_gpu(akin_bags_gpu *b, uint32_t number, const akin_bag_wanted *wanted, uint32_t count, found *f,
                            akin_gpu_taken *taken, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t at = 0; at < count && status == AKIN_OK;) {
        const akin_gpu_taken before = *taken;
        const uint32_t documents = gather(b, number, wanted, count, &at);
        if (documents > 0)
            status = bring(b, &b->gpus[number], documents, f, taken, error);
        for (uint32_t i = 0; i < documents && status == AKIN_OK; i++) {
            const akin_gpu_prefix *p = &b->slice_of.of[i];
            *wanted[b->slice_of.numbers[i]].out = (akin_rare){.begin = before.hashes + p->begin,
                                                              .signature_begin = before.words + p->signature,
                                                              .count = p->count,
                                                              .alone = p->alone,
                                                              .is_made = 1};
        }
    }
    return status;
}

static akin_status reserve_slice(akin_bags_gpu *b, uint32_t count)
{
    const uint64_t most = akin_min_u64(count, b->documents);
    brought *s = &b->slice_of;
    akin_gpu_bag *bags = akin_enlarge(b->account, s->bags, &s->bag_capacity, most, sizeof *bags);
    s->bags = bags ? bags : s->bags;
    akin_gpu_prefix *of = akin_enlarge(b->account, s->of, &s->of_capacity, most, sizeof *of);
    s->of = of ? of : s->of;
    uint32_t *numbers = akin_enlarge(b->account, s->numbers, &s->number_capacity, most, sizeof *numbers);
    s->numbers = numbers ? numbers : s->numbers;
    return bags && of && numbers ? AKIN_OK : AKIN_E_NOMEM;
}

akin_status akin_bags_gpu_prefixes(akin_bags_gpu *bags, uint32_t side, const akin_bag_wanted *wanted, uint32_t count,
                                   akin_error *error)
{
    akin_bags_gpu *b = bags;
    found *f = &b->sides[side];
    akin_gpu_taken taken = {0, 0};
    if (reserve_slice(b, count) != AKIN_OK)
        return akin_fail_memory(error, what);
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < b->count && status == AKIN_OK; i++)
        status = take_gpu(b, i, wanted, count, f, &taken, error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        akin_rare *r = wanted[i].out;
        if (!r->is_made)
            continue;
        r->hashes = f->hashes + r->begin;
        r->counts = f->counts + r->begin;
        r->signature = f->words + r->signature_begin;
    }
    return status;
}
