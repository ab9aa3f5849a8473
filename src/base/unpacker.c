/* Gzip members and zstd frames decoded by several threads. */
#define _POSIX_C_SOURCE 200809L

#include "base/unpacker.h"

#include "base/budget.h"
#include "base/context.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/thread.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define BATCH_BYTES   ((size_t)1 << 18)   /* stored bytes of a batch, if members and frames are no longer */
#define CONTENT_MOST  ((uint64_t)1 << 25) /* of a batch */
#define BATCHES_AHEAD 2                   /* beside one for each thread */
#define THREADS_MOST  64                  /* the caller, who copies what they decode, keeps no more of them busy */

/* A batch: bytes begin to end - 1 of the file, and what they become. */
typedef struct batch {
    uint64_t begin, end;
    char *stored, *content;
    size_t stored_room, content_room, length, handed; /* handed: bytes of the content that the caller has */
    int decoded, failed;
} batch;

/*
 * Batches are numbered from 0 on, and batch b is in batches[b % slots]:
 *
 *     | handed over | decoded, or being so | cut, and to be decoded | free slots |
 *     0             first                  taken                    cut          first + slots
 */
struct akin_unpacker {
    const akin_scope *scope;
    int fd;
    akin_packing packing;
    uint64_t size, at;   /* of the file; the byte at which the next batch begins */
    size_t aim;          /* stored bytes of a batch */
    uint64_t most;       /* bytes that a slot may have */
    int ended, given_up; /* nothing more is cut: the file has ended, or no end of a member or frame was found */
    uint32_t slots, threads;
    batch *batches;
    pthread_t *started;
    int lock_made, conditions;  /* of these, how many are to be destroyed */
    pthread_mutex_t lock;       /* of what follows, and of the slots' `decoded` */
    pthread_cond_t wanted;      /* signals to a thread that there is a batch, */
    pthread_cond_t handed_over; /* and to the caller that one is decoded */
    uint64_t first, taken, cut;
    int closing;
    atomic_int closed; /* the same, for threads that decode */
};

static batch *batch_of(const akin_unpacker *f, uint64_t number)
{
    return &f->batches[number % f->slots];
}

/* ------------------------------------------------------------------------------------------------------------- cutting
 */

#define GZIP_HEADER 18 /* bytes of a member at least: the header is 10 of them, the end 8 */
#define BGZF_HEADER 18

static uint32_t two_bytes(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8;
}

/* Whether a member may begin with these bytes: the flags that exist, levels and systems that gzip has numbers for. */
static int looks_like_member(const unsigned char *b)
{
    return b[0] == 0x1f && b[1] == 0x8b && b[2] == Z_DEFLATED && (b[3] & 0xe0) == 0 &&
           (b[8] == 0 || b[8] == 2 || b[8] == 4) && (b[9] <= 13 || b[9] == 255);
}

/* The length of a member of BGZF, which its header has in an extra field; 0: it is none. */
static size_t bgzf_length(const unsigned char *b, size_t length)
{
    const int is_bgzf = length >= BGZF_HEADER && looks_like_member(b) && (b[3] & 4) && two_bytes(b + 10) == 6 &&
                        b[12] == 'B' && b[13] == 'C' && two_bytes(b + 14) == 2;
    return is_bgzf ? two_bytes(b + 16) + 1 : 0;
}

/* The length of the member at the front, or what seems to be it; 0: its end is not among these bytes. */
static size_t member_length(const char *bytes, size_t length, int is_rest)
{
    const unsigned char *b = (const unsigned char *)bytes;
    const size_t said = bgzf_length(b, length);
    if (said)
        return said <= length ? said : 0;
    for (size_t at = GZIP_HEADER; at + GZIP_HEADER <= length; at++) {
        const unsigned char *next = memchr(b + at, 0x1f, length - GZIP_HEADER + 1 - at);
        if (!next)
            break;
        at = (size_t)(next - b);
        if (looks_like_member(next))
            return at;
    }
    return is_rest ? length : 0;
}

static size_t frame_length(const char *bytes, size_t length)
{
    const size_t found = ZSTD_findFrameCompressedSize(bytes, length);
    return ZSTD_isError(found) || found > length ? 0 : found;
}

/* The length of whole members or frames at the front, about as much as is aimed at; 0: there is none. `is_rest`: the
 * file ends with these bytes. */
static size_t whole_length(const akin_unpacker *f, const char *bytes, size_t length, int is_rest)
{
    size_t at = 0;
    for (size_t next = 1; next > 0 && at < f->aim && at < length; at += next)
        next = f->packing == AKIN_PACKING_GZIP ? member_length(bytes + at, length - at, is_rest)
                                               : frame_length(bytes + at, length - at);
    return at;
}

static int read_more(const akin_unpacker *f, batch *b, size_t length, size_t wanted)
{
    if (wanted > b->stored_room) {
        char *larger = akin_resize(NULL, b->stored, wanted, 1);
        if (!larger)
            return 0;
        b->stored = larger;
        b->stored_room = wanted;
    }
    while (length < wanted) {
        const ssize_t got = pread(f->fd, b->stored + length, wanted - length, (off_t)(b->begin + length));
        if (got == 0 || (got < 0 && errno != EINTR))
            return 0;
        length += got > 0 ? (size_t)got : 0;
    }
    return 1;
}

/* Reads the next batch into its slot; 0: none can be cut. */
static int cut_batch(akin_unpacker *f, batch *b)
{
    const uint64_t rest = f->size - f->at,
                   most = akin_min_u64(akin_min_u64(rest, AKIN_UNPACKER_BATCH_MOST), f->most / 2);
    *b = (batch){.begin = f->at,
                 .stored = b->stored,
                 .stored_room = b->stored_room,
                 .content = b->content,
                 .content_room = b->content_room};
    size_t length = 0, whole = 0;
    for (uint64_t wanted = akin_min_u64(2 * (uint64_t)f->aim, most); length < most && whole == 0;
         wanted = akin_min_u64(2 * wanted, most)) {
        if (!read_more(f, b, length, (size_t)wanted))
            return 0;
        length = (size_t)wanted;
        whole = whole_length(f, b->stored, length, length == rest);
    }
    b->end = f->at + whole;
    return whole > 0;
}

/* Cuts as many batches as there are free slots. */
static void cut_ahead(akin_unpacker *f)
{
    while (!f->ended && !f->given_up && f->cut < f->first + f->slots) {
        batch *b = batch_of(f, f->cut);
        f->ended = f->at == f->size;
        f->given_up = !f->ended && !cut_batch(f, b);
        if (f->ended || f->given_up)
            return;
        f->at = b->end;
        pthread_mutex_lock(&f->lock);
        f->cut++;
        pthread_cond_signal(&f->wanted);
        pthread_mutex_unlock(&f->lock);
    }
}

/* ------------------------------------------------------------------------------------------------------------ decoding
 */

/* Makes room for more of the content; 0: there may be no more, or there is no memory. */
static int grow_content(const akin_unpacker *f, batch *b)
{
    const uint64_t most = akin_min_u64(CONTENT_MOST, f->most - b->stored_room),
                   room = akin_min_u64(most, b->content_room ? 2 * (uint64_t)b->content_room : 4 * (b->end - b->begin));
    char *larger = room > b->content_room ? akin_resize(NULL, b->content, room, 1) : NULL;
    if (!larger)
        return 0;
    b->content = larger;
    b->content_room = (size_t)room;
    return 1;
}

/* Returns 0 if the batch is to be given up. */
static int decode_batch(akin_unpacker *f, akin_decoder *decoder, batch *b)
{
    akin_coded coded = {.in = b->stored, .in_length = (size_t)(b->end - b->begin)};
    const char *reason;
    int well = 1;
    akin_decoder_reset(decoder);
    while (well && (coded.in_at < coded.in_length || decoder->inside)) {
        const size_t in_at = coded.in_at, out_at = coded.out_at;
        if (coded.out_at == b->content_room && !grow_content(f, b))
            return 0;
        coded.out = b->content;
        coded.out_length = b->content_room;
        well = akin_decoder_run(decoder, &coded, &reason) == AKIN_DECODED_WELL &&
               (coded.in_at > in_at || coded.out_at > out_at) && !atomic_load(&f->closed);
    }
    b->length = coded.out_at;
    return well;
}

static void *decode_batches(void *argument)
{
    akin_unpacker *f = argument;
    akin_decoder decoder = {0};
    const int opened = akin_decoder_open(&decoder, f->packing, akin_limit_of(f->scope, AKIN_LIMIT_WINDOW));
    pthread_mutex_lock(&f->lock);
    while (!f->closing) {
        if (f->taken == f->cut) {
            akin_condition_wait(&f->wanted, &f->lock);
            continue;
        }
        batch *b = batch_of(f, f->taken++);
        pthread_mutex_unlock(&f->lock);
        const int well = opened && decode_batch(f, &decoder, b);
        pthread_mutex_lock(&f->lock);
        b->failed = !well;
        b->decoded = 1;
        pthread_cond_signal(&f->handed_over);
    }
    pthread_mutex_unlock(&f->lock);
    akin_decoder_close(&decoder);
    return NULL;
}

/* Waits for the first batch. */
static akin_status wait_decoded(akin_unpacker *f, const batch *b)
{
    akin_status status = AKIN_OK;
    pthread_mutex_lock(&f->lock);
    while (!b->decoded && status == AKIN_OK)
        if (!akin_condition_wait(&f->handed_over, &f->lock)) {
            pthread_mutex_unlock(&f->lock);
            status = akin_scope_report(f->scope, NULL, 0, 0);
            pthread_mutex_lock(&f->lock);
        }
    pthread_mutex_unlock(&f->lock);
    return status;
}

akin_status akin_unpacker_next(akin_unpacker *unpacker, char *to, size_t room, size_t *got, uint64_t *position,
                               int *left)
{
    akin_unpacker *f = unpacker;
    *got = 0;
    *left = 0;
    for (;;) {
        cut_ahead(f);
        if (f->first == f->cut) {
            *left = f->given_up;
            *position = f->at;
            return AKIN_OK;
        }
        batch *b = batch_of(f, f->first);
        const akin_status status = wait_decoded(f, b);
        if (status != AKIN_OK)
            return status;
        *position = b->failed ? b->begin : b->end;
        *left = b->failed;
        *got = b->failed ? 0 : (size_t)akin_min_u64(room, b->length - b->handed);
        if (*got > 0)
            memcpy(to, b->content + b->handed, *got);
        b->handed += *got;
        if (*got > 0 || *left)
            return AKIN_OK;
        f->first++;
    }
}

/* ------------------------------------------------------------------------------------------------------------- opening
 */

static int make_lock(akin_unpacker *f)
{
    f->lock_made = pthread_mutex_init(&f->lock, NULL) == 0;
    f->conditions = f->lock_made && akin_condition_make(&f->wanted);
    f->conditions += f->conditions == 1 && akin_condition_make(&f->handed_over);
    return f->conditions == 2;
}

/* Starts as many threads as the system does. */
static int start_threads(akin_unpacker *f, uint32_t wanted)
{
    while (f->threads < wanted && akin_thread_start(&f->started[f->threads], decode_batches, f))
        f->threads++;
    return f->threads > 0;
}

static akin_unpacker *make_unpacker(const akin_scope *scope, uint32_t threads)
{
    const uint64_t wished = akin_wishes_of(scope)->block_bytes;
    akin_unpacker *f = akin_alloc_zero(NULL, 1, sizeof *f);
    if (!f)
        return NULL;
    f->scope = scope;
    f->slots = threads + BATCHES_AHEAD;
    f->most = akin_budget_unpacked(scope, f->slots, AKIN_UNPACKER_BATCH_MOST + CONTENT_MOST);
    f->aim = wished ? (size_t)wished : BATCH_BYTES;
    f->batches = akin_alloc_zero(NULL, f->slots, sizeof *f->batches);
    f->started = akin_alloc(NULL, threads, sizeof *f->started);
    return f;
}

/* Whether there are two batches, and room for some. */
static int is_worth(akin_unpacker *f)
{
    return f->batches && f->started && f->most >= 4 * (uint64_t)f->aim && cut_batch(f, f->batches) &&
           f->batches->end < f->size;
}

akin_unpacker *akin_unpacker_open(const akin_scope *scope, int fd, akin_packing packing, uint64_t begin, uint64_t size)
{
    const uint32_t threads = (uint32_t)akin_min_u64(akin_scope_threads(scope), THREADS_MOST);
    akin_unpacker *f = threads > 1 && begin < size ? make_unpacker(scope, threads) : NULL;
    if (!f)
        return NULL;
    f->fd = fd;
    f->packing = packing;
    f->at = begin;
    f->size = size;
    if (is_worth(f) && make_lock(f) && start_threads(f, threads))
        return f;
    akin_unpacker_close(f);
    return NULL;
}

/* Lets the threads end, and waits for them. */
static void join_threads(akin_unpacker *f)
{
    pthread_mutex_lock(&f->lock);
    f->closing = 1;
    atomic_store(&f->closed, 1);
    pthread_cond_broadcast(&f->wanted);
    pthread_mutex_unlock(&f->lock);
    while (f->threads > 0)
        pthread_join(f->started[--f->threads], NULL);
}

void akin_unpacker_close(akin_unpacker *unpacker)
{
    akin_unpacker *f = unpacker;
    if (!f)
        return;
    if (f->threads > 0)
        join_threads(f);
    for (uint32_t i = 0; i < f->slots && f->batches; i++) {
        akin_free(f->batches[i].stored);
        akin_free(f->batches[i].content);
    }
    if (f->conditions > 1)
        pthread_cond_destroy(&f->handed_over);
    if (f->conditions > 0)
        pthread_cond_destroy(&f->wanted);
    if (f->lock_made)
        pthread_mutex_destroy(&f->lock);
    akin_free(f->batches);
    akin_free(f->started);
    akin_free(f);
}
