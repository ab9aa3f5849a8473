/* Looks the tokens of a batch up on a GPU, and finds out the terms of words that are new. */
#include "weigh/gpu.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/sort.h"
#include "device/primitives.h"

#include <string.h>

#define BITS_LEAST 10
#define BITS_FIRST 22 /* of the first table, at most: it is in the cache of a large GPU, for 2 million words */
#define BITS_MOST  31
#define GROWTH     2         /* bits by which it grows */
#define PIECE      (1 << 16) /* words that go to the host at a time, */
#define PIECE_MANY (1 << 20) /* or, where all threads take them in, and no memory bound is set */

static const char what[] = "the words";

static const uint64_t *pool_of(const akin_gpu_terms *t)
{
    return t->buffers[AKIN_TERMS_POOL].data;
}

/* ------------------------------------------------------------------------------------------------------------ table */

/* Makes a table of 1 << bits slots, of the words that there are. */
static akin_status make_table(akin_gpu_terms *t, uint32_t bits, akin_error *error)
{
    t->is_dirty = 1;
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_SLOTS, (uint64_t)1 << bits, sizeof(uint64_t), error);
    if (status != AKIN_OK)
        return status;
    t->table.slots = t->buffers[AKIN_TERMS_SLOTS].data;
    t->table.bits = bits;
    status = akin_device_fill(t->stream, t->table.slots, 0xff, sizeof(uint64_t) << bits, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->rebuild(t->stream, &t->table, error);
    t->is_dirty = status != AKIN_OK;
    return status;
}

/* Sees to it that there is a table, and that it holds nothing but words. */
static akin_status ready_table(akin_gpu_terms *t, akin_error *error)
{
    uint32_t bits = t->table.bits;
    if (bits > 0 && !t->is_dirty)
        return AKIN_OK;
    for (bits = akin_max_u32(bits, BITS_LEAST);
         t->table.bits == 0 && bits < BITS_FIRST && (uint64_t)8 << bits < t->text.bytes;)
        bits++;
    return make_table(t, bits, error);
}

/* Makes it larger. */
static akin_status grow_table(akin_gpu_terms *t, akin_error *error)
{
    if (t->table.bits + GROWTH > BITS_MOST)
        return akin_fail(error, AKIN_E_LIMIT, "more than %u distinct words, on a GPU", (uint32_t)1 << (BITS_MOST - 1));
    return make_table(t, t->table.bits + GROWTH, error);
}

static akin_status look_up_once(akin_gpu_terms *t, akin_error *error)
{
    akin_gpu_told *there = t->buffers[AKIN_TERMS_TOLD].data, *told = t->told.data;
    const uint64_t half = ((uint64_t)1 << t->table.bits) / 2;
    akin_gpu_finds finds = {.news = &there->news,
                            .room = akin_min_u64(t->tokens, half - akin_min_u64(half, t->table.count))};
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_NEW_SLOTS, finds.room, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status =
            akin_gpu_terms_need(t, AKIN_TERMS_LONGS, t->text.bytes / AKIN_GPU_LONG + 1, sizeof *finds.longs, error);
    if (status == AKIN_OK)
        status = akin_device_fill(t->stream, &there->news, 0, sizeof there->news, error);
    finds.slots = t->buffers[AKIN_TERMS_NEW_SLOTS].data;
    finds.longs = t->buffers[AKIN_TERMS_LONGS].data;
    t->is_dirty = 1;
    for (uint64_t first = 0; first < t->text.spans && status == AKIN_OK; first += AKIN_GPU_SLICE)
        status = akin_kernels(t->stream)->terms_look->look_up(
            t->stream, &t->text, &t->table, &finds, first, akin_min_u64(AKIN_GPU_SLICE, t->text.spans - first), error);
    if (status == AKIN_OK)
        status =
            akin_kernels(t->stream)->terms_look->report(t->stream, &told->news, &there->news, sizeof told->news, error);
    return status == AKIN_OK ? akin_device_stream_finish(t->stream, error) : status;
}

/* Looks all tokens up, in a table that is large enough. */
static akin_status look_up_tokens(akin_gpu_terms *t, akin_error *error)
{
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_TOKENS, t->tokens, sizeof(uint32_t), error);
    t->text.tokens = t->buffers[AKIN_TERMS_TOKENS].data;
    if (status == AKIN_OK)
        status = ready_table(t, error);
    if (status == AKIN_OK)
        status = look_up_once(t, error);
    while (status == AKIN_OK && akin_gpu_terms_told(t)->news.full) {
        status = grow_table(t, error);
        if (status == AKIN_OK)
            status = look_up_once(t, error);
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------------- new words */

/* Makes room for what is new among words, and for what it takes of the pool. */
static akin_status extend_words(akin_gpu_terms *t, uint64_t words, uint64_t pool, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (words > t->words_room) {
        uint64_t room = words + words / 2;
        status = akin_gpu_terms_extend(t, AKIN_TERMS_WORDS, t->table.count * sizeof(akin_gpu_word),
                                       room * sizeof(akin_gpu_word), error);
        t->words_room = status == AKIN_OK ? room : t->words_room;
    }
    if (status == AKIN_OK && pool > t->pool_room) {
        uint64_t room = pool + pool / 2;
        status =
            akin_gpu_terms_extend(t, AKIN_TERMS_POOL, t->table.used * sizeof(uint64_t), room * sizeof(uint64_t), error);
        t->pool_room = status == AKIN_OK ? room : t->pool_room;
    }
    t->table.words = t->buffers[AKIN_TERMS_WORDS].data;
    t->table.pool = t->buffers[AKIN_TERMS_POOL].data;
    return status;
}

static akin_status ready_fresh(akin_gpu_terms *t, akin_gpu_fresh *fresh, akin_error *error)
{
    const uint64_t count = fresh->count;
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_NEW_BEGINS, count, sizeof *fresh->begins, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_NEW_BEGINS_TWIN, count, sizeof *fresh->begins, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_NEW_SLOTS_TWIN, count, sizeof *fresh->slots, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_NEW_SIZES, count, sizeof *fresh->sizes, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_NEW_PLACES, count + 1, sizeof *fresh->places, error);
    fresh->begins = t->buffers[AKIN_TERMS_NEW_BEGINS].data;
    fresh->slots = t->buffers[AKIN_TERMS_NEW_SLOTS].data;
    fresh->sizes = t->buffers[AKIN_TERMS_NEW_SIZES].data;
    fresh->places = t->buffers[AKIN_TERMS_NEW_PLACES].data;
    return status;
}

/* Makes words of those that are new, numbered as they first appear. */
static akin_status keep_new_words(akin_gpu_terms *t, akin_gpu_fresh *fresh, uint64_t size, akin_error *error)
{
    akin_status status = ready_fresh(t, fresh, error);
    if (status == AKIN_OK)
        status = extend_words(t, t->table.count + fresh->count, t->table.used + size, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->list(t->stream, &t->table, fresh, error);
    if (status == AKIN_OK) {
        uint64_t *twin = t->buffers[AKIN_TERMS_NEW_BEGINS_TWIN].data;
        uint32_t *slots_twin = t->buffers[AKIN_TERMS_NEW_SLOTS_TWIN].data;
        status = akin_device_sort_pairs64(t->stream, &fresh->begins, &twin, &fresh->slots, &slots_twin, fresh->count,
                                          akin_bits_of(t->text.bytes), error);
    }
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->measure(t->stream, &t->text, fresh, error);
    if (status == AKIN_OK)
        status = akin_device_scan64(t->stream, fresh->sizes, fresh->count, fresh->places, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->keep(t->stream, &t->text, &t->table, fresh, t->ids, error);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ terms */

/* Some words, brought to the host. */
typedef struct piece {
    akin_gpu_word *words;
    uint64_t *pool, *begins;
    uint64_t pool_capacity;
    uint32_t *terms;
    uint64_t count;
} piece;

static void clear_piece(piece *p)
{
    akin_free(p->words);
    akin_free(p->pool);
    akin_free(p->begins);
    akin_free(p->terms);
}

static akin_status make_piece(piece *p, uint64_t count, akin_error *error)
{
    *p = (piece){.count = 0};
    p->words = akin_alloc(NULL, count, sizeof *p->words);
    p->begins = akin_alloc(NULL, count, sizeof *p->begins);
    p->terms = akin_alloc(NULL, count, sizeof *p->terms);
    if (p->words && p->begins && p->terms)
        return AKIN_OK;
    clear_piece(p);
    return akin_fail_memory(error, what);
}

/* Brings words `first` and so on to the host; `begins`, where each begins, may be NULL. */
static akin_status bring_piece(akin_gpu_terms *t, piece *p, uint64_t first, uint64_t count, const uint64_t *begins,
                               akin_error *error)
{
    p->count = count;
    akin_status status =
        akin_device_download(t->stream, p->words, t->table.words + first, count * sizeof *p->words, error);
    if (status == AKIN_OK && begins)
        status = akin_device_download(t->stream, p->begins, begins, count * sizeof *p->begins, error);
    if (status != AKIN_OK)
        return status;
    const akin_gpu_word *last = &p->words[count - 1];
    uint64_t from = p->words[0].place, size = last->place + akin_ceil_div(last->length, 8) - from;
    uint64_t *pool = akin_enlarge(NULL, p->pool, &p->pool_capacity, size, sizeof *pool);
    if (!pool)
        return akin_fail_memory(error, what);
    p->pool = pool;
    return akin_device_download(t->stream, pool, pool_of(t) + from, size * sizeof *pool, error);
}

static const char *bytes_of_word(const piece *p, uint64_t i)
{
    return (const char *)(p->pool + (p->words[i].place - p->words[0].place));
}

static akin_status word_of(void *user, uint64_t i, uint32_t thread, const char **bytes, uint32_t *length)
{
    const piece *p = user;
    (void)thread;
    *bytes = bytes_of_word(p, i);
    *length = p->words[i].length;
    return AKIN_OK;
}

static akin_status fail_terms(akin_error *error)
{
    return akin_fail(error, AKIN_E_LIMIT, "more than %u terms, on a GPU", AKIN_GPU_SPARE - 1);
}

/* The term of a word. */
static akin_status resolve(akin_gpu_terms *t, const char *word, uint32_t size, uint32_t *term, akin_error *error)
{
    const char *bytes;
    uint32_t length;
    *term = AKIN_GPU_SPARE;
    if (akin_analyser_resolve(&t->analyser, word, size, &bytes, &length) != AKIN_OK)
        return akin_fail_memory(error, what);
    if (length == 0)
        return AKIN_OK;
    if (t->shared != AKIN_WEIGHTS_NONE) {
        if (!akin_dictionary_find(t->dictionary, bytes, length, term))
            *term = t->shared;
        return AKIN_OK;
    }
    akin_status status = akin_dictionary_add(t->dictionary, bytes, length, term, error);
    return status == AKIN_OK && *term >= AKIN_GPU_SPARE ? fail_terms(error) : status;
}

akin_status akin_gpu_terms_tell(akin_gpu_terms *terms, akin_error *error)
{
    akin_gpu_terms *t = terms;
    piece p;
    if (!t->is_plain || t->known == t->table.count)
        return AKIN_OK;
    const uint64_t most = t->scope->memory ? PIECE : PIECE_MANY;
    akin_status status = make_piece(&p, akin_min_u64(most, t->table.count - t->known), error);
    if (status != AKIN_OK)
        return status;
    while (t->known < t->table.count && status == AKIN_OK) {
        status = bring_piece(t, &p, t->known, akin_min_u64(most, t->table.count - t->known), NULL, error);
        const akin_dictionary_words words = {p.count, word_of, &p};
        if (status == AKIN_OK)
            status = akin_dictionary_add_words_within(t->scope, t->dictionary, &words, error);
        t->known += status == AKIN_OK ? (uint32_t)p.count : 0;
    }
    clear_piece(&p);
    return status;
}

/* ------------------------------------------------------------------------------------------------------ long tokens */

/* The tokens that are too long for the device, in their order. */
typedef struct long_tokens {
    akin_gpu_long *list;
    uint32_t *terms;
    uint64_t count, next;
    char *bytes; /* of one of them, folded */
    uint64_t capacity;
} long_tokens;

static void clear_longs(long_tokens *l)
{
    akin_free(l->list);
    akin_free(l->terms);
    akin_free(l->bytes);
}

/* Brings them to the host, by way of keys. Their ranks ascend as their places do, so that both can be sorted for
 * themselves. */
static akin_status read_longs(akin_gpu_terms *t, long_tokens *l, uint64_t *keys, akin_error *error)
{
    akin_status status =
        akin_device_download(t->stream, l->list, t->buffers[AKIN_TERMS_LONGS].data, l->count * sizeof *l->list, error);
    if (status != AKIN_OK)
        return status;
    for (uint64_t i = 0; i < l->count; i++) {
        keys[i] = l->list[i].begin;
        keys[l->count + i] = l->list[i].rank;
    }
    akin_sort_u64(keys, l->count);
    akin_sort_u64(keys + l->count, l->count);
    for (uint64_t i = 0; i < l->count; i++)
        l->list[i] = (akin_gpu_long){keys[i], keys[l->count + i]};
    return AKIN_OK;
}

static akin_status bring_longs(akin_gpu_terms *t, long_tokens *l, akin_error *error)
{
    uint64_t *keys = akin_alloc(NULL, 2 * l->count, sizeof *keys);
    l->list = akin_alloc(NULL, l->count, sizeof *l->list);
    l->terms = akin_alloc(NULL, l->count, sizeof *l->terms);
    akin_status status = keys && l->list && l->terms ? read_longs(t, l, keys, error) : akin_fail_memory(error, what);
    akin_free(keys);
    return status;
}

/* A byte by the batch's rule: folded, or AKIN_GPU_BARRIER if it is in no token. */
static unsigned char read_byte(const akin_gpu_batch *b, uint64_t at)
{
    const unsigned char byte = (unsigned char)b->text[at], lower = byte | 0x20;
    const int is_letter = lower >= 'a' && lower <= 'z';
    if (!(b->rule & AKIN_GPU_BARRIERS) && byte < 0x80 && !is_letter && (byte < '0' || byte > '9'))
        return AKIN_GPU_BARRIER;
    return b->rule & AKIN_GPU_FOLDED && is_letter && byte < 0x80 ? lower : byte;
}

/* Finds out the term of the next one. */
static akin_status resolve_long(akin_gpu_terms *t, const akin_gpu_batch *b, long_tokens *l, akin_error *error)
{
    const uint64_t begin = l->list[l->next].begin;
    const uint64_t row = akin_lower_bound_u64(b->offsets, (uint64_t)b->documents + 1, begin + 1);
    uint64_t length = 0;
    while (begin + length < b->offsets[row] && read_byte(b, begin + length) != AKIN_GPU_BARRIER)
        length++;
    char *bytes = akin_enlarge(NULL, l->bytes, &l->capacity, length, 1);
    if (!bytes)
        return akin_fail_memory(error, what);
    l->bytes = bytes;
    for (uint64_t i = 0; i < length; i++)
        bytes[i] = (char)read_byte(b, begin + i);
    return resolve(t, bytes, (uint32_t)length, &l->terms[l->next++], error);
}

/* Puts their terms where the tokens are. */
static akin_status patch(akin_gpu_terms *t, const long_tokens *l, akin_error *error)
{
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_NAMES, l->count, sizeof *l->terms, error);
    if (status == AKIN_OK)
        status = akin_device_upload(t->stream, t->buffers[AKIN_TERMS_LONGS].data, l->list, l->count * sizeof *l->list,
                                    error);
    if (status == AKIN_OK)
        status = akin_device_upload(t->stream, t->buffers[AKIN_TERMS_NAMES].data, l->terms, l->count * sizeof *l->terms,
                                    error);
    if (status == AKIN_OK)
        status =
            akin_kernels(t->stream)->terms_look->patch(t->stream, t->text.tokens, t->buffers[AKIN_TERMS_LONGS].data,
                                                       t->buffers[AKIN_TERMS_NAMES].data, l->count, error);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- all of it */

/* Finds out the terms of a piece of the new words, and of the long tokens before them. */
static akin_status name_piece(akin_gpu_terms *t, const akin_gpu_batch *b, piece *p, uint32_t first, long_tokens *l,
                              akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < p->count && status == AKIN_OK; i++) {
        while (l->next < l->count && l->list[l->next].begin < p->begins[i] && status == AKIN_OK)
            status = resolve_long(t, b, l, error);
        if (status == AKIN_OK)
            status = resolve(t, bytes_of_word(p, i), p->words[i].length, &p->terms[i], error);
    }
    akin_device_buffer *names = &t->buffers[AKIN_TERMS_NAMES];
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_NAMES, p->count, sizeof *p->terms, error);
    if (status == AKIN_OK)
        status = akin_device_upload(t->stream, names->data, p->terms, p->count * sizeof *p->terms, error);
    return status == AKIN_OK
               ? akin_kernels(t->stream)->terms_look->name(t->stream, &t->table, first, names->data, p->count, error)
               : status;
}

/* Finds out the terms of the new words and of long tokens, all in the order in which they first appear. */
static akin_status name_all(akin_gpu_terms *t, const akin_gpu_batch *b, const akin_gpu_fresh *fresh, uint64_t longs,
                            akin_error *error)
{
    long_tokens l = {.count = longs};
    piece p;
    akin_status status = make_piece(&p, akin_min_u64(PIECE, fresh->count), error);
    if (status != AKIN_OK)
        return status;
    if (longs > 0)
        status = bring_longs(t, &l, error);
    for (uint64_t at = 0; at < fresh->count && status == AKIN_OK; at += PIECE) {
        const uint32_t first = t->table.count + (uint32_t)at;
        status = bring_piece(t, &p, first, akin_min_u64(PIECE, fresh->count - at), fresh->begins + at, error);
        if (status == AKIN_OK)
            status = name_piece(t, b, &p, first, &l, error);
    }
    while (l.next < l.count && status == AKIN_OK)
        status = resolve_long(t, b, &l, error);
    if (status == AKIN_OK && longs > 0)
        status = patch(t, &l, error);
    clear_longs(&l);
    clear_piece(&p);
    return status;
}

akin_status akin_gpu_terms_learn(akin_gpu_terms *terms, const akin_gpu_batch *batch, akin_error *error)
{
    akin_gpu_terms *t = terms;
    akin_status status = AKIN_OK;
    const akin_gpu_news news = akin_gpu_terms_told(t)->news;
    akin_gpu_fresh fresh = {.count = news.fresh};
    const int is_plain = t->is_plain && news.longs == 0;
    if (is_plain && fresh.count > AKIN_GPU_SPARE - t->ids)
        return fail_terms(error);
    if (fresh.count > 0)
        status = keep_new_words(t, &fresh, news.size, error);
    if (status == AKIN_OK && !is_plain) {
        status = akin_gpu_terms_tell(t, error); /* those before get their terms first */
        if (status == AKIN_OK)
            status = name_all(t, batch, &fresh, news.longs, error);
    }
    if (status != AKIN_OK)
        return status;
    t->table.count += (uint32_t)fresh.count;
    t->table.used += news.size;
    t->ids = is_plain ? t->ids + (uint32_t)fresh.count : t->dictionary->count + (t->shared != AKIN_WEIGHTS_NONE);
    t->known = is_plain ? t->known : t->table.count;
    return AKIN_OK;
}

akin_status akin_gpu_terms_look_up(akin_gpu_terms *terms, const akin_gpu_batch *batch, akin_error *error)
{
    akin_gpu_terms *t = terms;
    double start = akin_clock();
    akin_status status = look_up_tokens(t, error);
    akin_gpu_terms_timed(t, AKIN_TERMS_LOOK_UP, &start);
    if (status == AKIN_OK)
        status = akin_gpu_terms_learn(t, batch, error);
    akin_gpu_terms_timed(t, AKIN_TERMS_KEEP, &start);
    t->is_dirty = status != AKIN_OK; /* the words are unknown: slots that have them are built again */
    return status;
}
