/*
 * The host's part of the lookup of words of the host on a GPU. Words are copied to the device in chunks. Two chunks are
 * under way at the same time, each in a stream of its own:
 *
 *     threads    pack 0   pack 1   unpack 0, pack 0   unpack 1, pack 1   ...
 *     stream 0            copy, look up, copy back             copy, look up, ...
 *     stream 1                     copy, look up, copy back             copy, ...
 *
 * Of a word that is too long for a GPU, only some bytes are copied. The host looks it up when the chunk comes back.
 */
#include "dict/trie_gpu.h"

#include "base/context.h"
#include "base/memory.h"
#include "base/parallel.h"

#define CHUNK       ((uint64_t)1 << 20) /* the most words of a chunk, */
#define CHUNK_LEAST ((uint64_t)1 << 10) /* and the least */
#define LETTERS     8                   /* a chunk has room for 8 bytes of text a word */
#define TASK        ((uint64_t)1 << 15) /* words that a thread packs or unpacks at a time */
#define ALIGNED     256                 /* bytes to which pieces are aligned in device memory */

_Static_assert(CHUNK_LEAST *LETTERS >= AKIN_GPU_WORD, "a chunk has room for any word that is looked up there");

static const char what[] = "a trie";

/* --------------------------------------------------------------------------------------------------------- bringing */

/* The pieces of a copy: sections of the trie, and the data that a trie in memory has beside them. */
enum { RECORDS, CELLS, STARTS, PLACES, OWN, PAIRS, CODES, EDGES, PIECES };

typedef struct pieces {
    akin_section piece[PIECES];
    uint64_t at[PIECES]; /* the offset of each piece */
    uint64_t bytes;
} pieces;

/* Computes the lengths and offsets of the pieces. The edges come later: they have addresses of other pieces. */
static pieces pieces_of(const akin_trie *trie)
{
    pieces p = {.piece = {
                    [RECORDS] = trie->parts[AKIN_TRIE_RECORDS],
                    [CELLS] = trie->parts[AKIN_TRIE_CELLS],
                    [STARTS] = trie->parts[AKIN_TRIE_STARTS],
                    [PLACES] = trie->parts[AKIN_TRIE_PLACES],
                    [OWN] = {.data = trie->own, .length = trie->own ? trie->form->own_bytes : 0},
                    [PAIRS] = {.data = trie->pairs,
                               .length = trie->pairs ? (uint64_t)trie->span * trie->span * sizeof *trie->pairs : 0},
                    [CODES] = {.data = trie->code, .length = sizeof trie->code},
                    [EDGES] = {.length = ((uint64_t)trie->head.symbols + 2) * sizeof(akin_gpu_edge)},
                }};
    for (int i = 0; i < PIECES; i++) {
        p.at[i] = p.bytes;
        p.bytes += akin_ceil_div(p.piece[i].length, ALIGNED) * ALIGNED;
    }
    return p;
}

uint64_t akin_trie_gpu_bytes(const akin_trie *trie)
{
    return pieces_of(trie).bytes;
}

/* Returns the address in device memory of the data at `from`, which is in a piece. */
static const void *moved(const pieces *p, int piece, const char *base, const void *from)
{
    return base + p->at[piece] + ((const char *)from - (const char *)p->piece[piece].data);
}

static akin_gpu_edge edge_of(const akin_trie *trie, uint32_t symbol, const pieces *p, const char *base)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    akin_gpu_edge out = {.first = edge->first, .count = edge->count};
    if (edge->count == 0) /* the symbol leads to no node */
        return out;
    if (edge->starts) {
        out.starts = moved(p, STARTS, base, edge->starts);
        return out;
    }
    out.records = moved(p, RECORDS, base, edge->records);
    out.cells = moved(p, CELLS, base, edge->cells);
    return out;
}

/* Returns the bytes of the longest word that the device can find. */
static uint32_t longest_of(const akin_trie *trie)
{
    return trie->head.longest < AKIN_GPU_WORD ? trie->head.longest : AKIN_GPU_WORD;
}

static akin_gpu_trie view_of(const akin_trie *trie, const pieces *p, const char *base)
{
    akin_gpu_trie view = {.edges = (const void *)(base + p->at[EDGES]),
                          .codes = (const void *)(base + p->at[CODES]),
                          .places = (const void *)(base + p->at[PLACES]),
                          .symbols = trie->head.symbols,
                          .span = trie->span,
                          .longest = longest_of(trie)};
    if (trie->pairs)
        view.pairs = (const void *)(base + p->at[PAIRS]);
    if (trie->own)
        view.own = view.near = base + p->at[OWN];
    return view;
}

akin_status akin_trie_upload(akin_device *device, akin_device_stream *stream, const akin_trie *trie,
                             akin_device_buffer *buffer, akin_trie_copy *out, akin_error *error)
{
    akin_gpu_edge edges[AKIN_TRIE_EDGES];
    pieces p = pieces_of(trie);
    akin_status status = akin_device_reserve(device, buffer, p.bytes, 1, what, error);
    if (status != AKIN_OK)
        return status;
    char *base = buffer->data;
    for (uint32_t symbol = 0; symbol < trie->head.symbols + 2; symbol++)
        edges[symbol] = edge_of(trie, symbol, &p, base);
    p.piece[EDGES].data = edges;
    for (int i = 0; i < PIECES && status == AKIN_OK; i++)
        if (p.piece[i].length > 0)
            status = akin_device_upload(stream, base + p.at[i], p.piece[i].data, p.piece[i].length, error);
    *out = (akin_trie_copy){trie->form->look_up, view_of(trie, &p, base)};
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- chunks */

/* A chunk that is under way: words `first` to `end`, and the number of their bytes that are copied. */
typedef struct chunk {
    akin_device_stream *stream;
    akin_device_buffer text, offsets, ids;
    akin_pinned packed, places, found;
    uint64_t first, end, bytes;
} chunk;

typedef struct looking {
    const akin_trie_gpu_job *job;
    const akin_column *words;
    uint64_t rows;
    uint32_t *ids;
    uint64_t room; /* the most words of a chunk */
    akin_trie_copy copy;
    akin_device_buffer trie;
    chunk chunks[2];
} looking;

static akin_status make_chunk(akin_device *device, chunk *c, uint64_t room, akin_error *error)
{
    static const char words[] = "words to be looked up";
    akin_status status = akin_device_stream_create(device, &c->stream, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &c->text, room, LETTERS, words, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &c->offsets, room + 1, sizeof(uint32_t), words, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &c->ids, room, sizeof(uint32_t), words, error);
    if (status == AKIN_OK)
        status = akin_pinned_reserve(device, &c->packed, room, LETTERS, words, error);
    if (status == AKIN_OK)
        status = akin_pinned_reserve(device, &c->places, room + 1, sizeof(uint32_t), words, error);
    return status == AKIN_OK ? akin_pinned_reserve(device, &c->found, room, sizeof(uint32_t), words, error) : status;
}

/* Copies the trie to the device, and makes two chunks in the rest of its memory. */
static akin_status begin_looking(looking *a, akin_error *error)
{
    const akin_scope *scope = a->job->scope;
    akin_device *device = a->job->device;
    akin_device_stream *stream = NULL;
    const uint64_t each = 2 * (LETTERS + 2 * sizeof(uint32_t)), wanted = akin_wishes_of(scope)->candidates;
    akin_status status = akin_device_stream_create(device, &stream, error);
    if (status == AKIN_OK)
        status = akin_trie_upload(device, stream, a->job->trie, &a->trie, &a->copy, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(stream, error);
    akin_device_stream_free(stream);
    if (status != AKIN_OK)
        return status;
    const uint64_t most = akin_device_room(device) / each, some = akin_min_u64(a->rows, wanted ? wanted : CHUNK);
    a->room = akin_max_u64(CHUNK_LEAST, akin_min_u64(some, most - most / 8));
    for (int i = 0; i < 2 && status == AKIN_OK; i++)
        status = make_chunk(device, &a->chunks[i], a->room, error);
    return status;
}

/* Frees the chunks and the trie. All streams must have finished. */
static void end_looking(looking *a)
{
    akin_device *device = a->job->device;
    for (int i = 0; i < 2; i++) {
        chunk *c = &a->chunks[i];
        akin_device_stream_free(c->stream);
        akin_device_release(device, &c->text);
        akin_device_release(device, &c->offsets);
        akin_device_release(device, &c->ids);
        akin_pinned_release(device, &c->packed);
        akin_pinned_release(device, &c->places);
        akin_pinned_release(device, &c->found);
    }
    akin_device_release(device, &a->trie);
}

/* Gives a chunk the words from `first` on, as long as the chunk has room. If the first word is too long for the chunk,
 * the chunk has this word alone, without its bytes. */
static void cut_chunk(const looking *a, chunk *c, uint64_t first)
{
    const uint64_t *offsets = a->words->offsets, count = akin_min_u64(a->room, a->rows - first);
    const uint64_t behind = offsets[first] + a->room * LETTERS;
    /* the words that end at `behind` or before: one less than the offsets up to it */
    const uint64_t fit = akin_lower_bound_u64(offsets + first, count + 1, behind + 1) - 1;
    c->first = first;
    c->end = first + akin_max_u64(fit, 1);
    c->bytes = fit > 0 ? offsets[c->end] - offsets[first] : 0;
}

typedef struct packing {
    const looking *looking;
    const chunk *chunk;
} packing;

/* Returns the byte at which a word begins in the chunk. */
static uint64_t place_of(const packing *p, uint64_t word)
{
    const uint64_t *offsets = p->looking->words->offsets;
    return akin_min_u64(offsets[word] - offsets[p->chunk->first], p->chunk->bytes);
}

static akin_status pack_words(void *argument, uint64_t task, uint32_t thread)
{
    const packing *p = argument;
    const chunk *c = p->chunk;
    const akin_column *words = p->looking->words;
    const uint64_t first = c->first + task * TASK, end = akin_min_u64(c->end, first + TASK);
    const uint64_t begin = place_of(p, first), bytes = place_of(p, end) - begin;
    uint32_t *places = c->places.data;
    (void)thread;
    if (bytes > 0)
        memcpy((char *)c->packed.data + begin, words->bytes + words->offsets[c->first] + begin, (size_t)bytes);
    for (uint64_t word = first; word < end; word++)
        places[word - c->first] = (uint32_t)place_of(p, word);
    if (end == c->end)
        places[end - c->first] = (uint32_t)c->bytes;
    return AKIN_OK;
}

static akin_status unpack_ids(void *argument, uint64_t task, uint32_t thread)
{
    const packing *p = argument;
    const looking *a = p->looking;
    const chunk *c = p->chunk;
    const uint64_t first = c->first + task * TASK, end = akin_min_u64(c->end, first + TASK);
    const uint64_t *offsets = a->words->offsets;
    const akin_trie *trie = a->job->trie;
    (void)thread;
    memcpy(a->ids + first, (const uint32_t *)c->found.data + (first - c->first),
           (size_t)(end - first) * sizeof *a->ids);
    for (uint64_t word = first; word < end; word++) {
        const uint64_t length = offsets[word + 1] - offsets[word];
        if (length > AKIN_GPU_WORD &&
            !trie->form->find(trie, a->words->bytes + offsets[word], (size_t)length, &a->ids[word]))
            a->ids[word] = AKIN_TRIE_UNKNOWN;
    }
    return AKIN_OK;
}

/* Packs the words of a chunk, or unpacks its ids, on all threads. */
static akin_status for_chunk(const looking *a, const chunk *c, akin_task task, akin_error *error)
{
    packing p = {a, c};
    akin_status status = akin_parallel(a->job->scope, NULL, akin_ceil_div(c->end - c->first, TASK), task, &p);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* If a chunk is under way, waits for it, and unpacks its ids. */
static akin_status receive_chunk(const looking *a, chunk *c, akin_error *error)
{
    if (c->first == c->end)
        return AKIN_OK;
    akin_status status = akin_device_stream_finish(c->stream, error);
    if (status == AKIN_OK)
        status = for_chunk(a, c, unpack_ids, error);
    c->first = c->end;
    return status;
}

/* Later: looks up the words of a packed chunk. */
static akin_status send_chunk(const looking *a, const chunk *c, akin_error *error)
{
    const uint64_t count = c->end - c->first;
    const uint32_t *places = c->offsets.data;
    const akin_gpu_words words = {c->text.data, places, places + 1, count};
    akin_status status =
        akin_device_write(c->stream, c->offsets.data, c->places.data, (count + 1) * sizeof *places, error);
    if (status == AKIN_OK && c->bytes > 0)
        status = akin_device_write(c->stream, c->text.data, c->packed.data, c->bytes, error);
    if (status == AKIN_OK)
        status = a->copy.look_up(c->stream, &a->copy.view, &words, a->job->balance, c->ids.data, error);
    return status == AKIN_OK ? akin_device_read(c->stream, c->found.data, c->ids.data, count * sizeof(uint32_t), error)
                             : status;
}

static akin_status look_up_chunks(looking *a, akin_error *error)
{
    akin_status status = AKIN_OK;
    int turn = 0;
    for (uint64_t first = 0; first < a->rows && status == AKIN_OK; turn ^= 1) {
        chunk *c = &a->chunks[turn];
        status = receive_chunk(a, c, error);
        if (status == AKIN_OK && akin_scope_report(a->job->scope, "looking up", first, a->rows) != AKIN_OK)
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (status != AKIN_OK)
            break;
        cut_chunk(a, c, first);
        first = c->end;
        status = for_chunk(a, c, pack_words, error);
        if (status == AKIN_OK)
            status = send_chunk(a, c, error);
    }
    for (int i = 0; i < 2 && status == AKIN_OK; i++)
        status = receive_chunk(a, &a->chunks[turn ^ i], error);
    return status;
}

akin_status akin_trie_look_up_there(const akin_trie_gpu_job *job, const akin_column *words, uint32_t rows,
                                    uint32_t *ids, akin_error *error)
{
    looking a = {.job = job, .words = words, .rows = rows, .ids = ids};
    akin_status status = begin_looking(&a, error);
    if (status == AKIN_OK)
        status = look_up_chunks(&a, error);
    end_looking(&a);
    return status;
}
