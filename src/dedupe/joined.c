/* Joins sets in threads of their own, and hands the pairs over in batches. */
#include "dedupe/joined.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/thread.h"
#include "join/join.h"
#include "sets/sets.h"

#include <stdatomic.h>
#include <string.h>

#define BATCH          ((uint32_t)1 << 18) /* pairs: they stay in a cache, and are some milliseconds of work */
#define REPORT_SECONDS 0.01

static const char what[] = "the pairs to compare";

akin_status akin_joined_make(const akin_scope *scope, akin_account *account, const akin_records *records,
                             uint32_t column, const akin_text_options *text, const akin_join_options *options,
                             akin_joined *out, akin_error *error)
{
    *out = (akin_joined){.options = *options, .border = records->tables == 2 ? records->rows[0] : 0};
    akin_status status = akin_threshold_make(options->measure, options->threshold, &out->threshold, error);
    if (status == AKIN_OK)
        status = akin_tokens_begin(scope, account, &out->share, error);
    if (status == AKIN_OK)
        status = akin_tokens_make(&out->share.scope, records, column, text, out->sets, NULL, error);
    akin_tokens_keep(&out->share, out->sets);
    return status;
}

void akin_joined_clear(akin_joined *joined)
{
    akin_sets_free(joined->sets[0]);
    akin_sets_free(joined->sets[1]);
    akin_tokens_end(&joined->share);
    *joined = (akin_joined){.border = 0};
}

/* Whether two ascending lists have `wanted` numbers in common. */
static int have_common(const uint32_t *x, uint64_t count_x, const uint32_t *y, uint64_t count_y, uint64_t wanted)
{
    uint64_t spare_x = count_x - wanted, spare_y = count_y - wanted; /* that may be in one list alone */
    uint64_t i = 0, j = 0;
    while (i < count_x && j < count_y) {
        const uint32_t a = x[i], b = y[j];
        if (a < b && spare_x-- == 0)
            return 0;
        if (a > b && spare_y-- == 0)
            return 0;
        i += a <= b;
        j += a >= b;
        wanted -= a == b;
        if (wanted == 0)
            return 1;
    }
    return 0;
}

int akin_joined_has(const akin_joined *joined, uint32_t lower, uint32_t higher)
{
    const akin_sets *left = joined->sets[0], *right = joined->sets[1] ? joined->sets[1] : left;
    if (joined->sets[1] && (lower >= joined->border || higher < joined->border))
        return 0;
    const uint32_t row = higher - joined->border;
    const uint64_t x = left->offsets[lower], count_x = left->offsets[lower + (uint64_t)1] - x;
    const uint64_t y = right->offsets[row], count_y = right->offsets[row + (uint64_t)1] - y;
    if (count_x == 0 || count_y == 0)
        return 0;
    const uint64_t wanted = akin_threshold_overlap(&joined->threshold, count_x, count_y);
    return wanted <= akin_min_u64(count_x, count_y) &&
           have_common(left->tokens + x, count_x, right->tokens + y, count_y, wanted);
}

/* Joins within a share of the account. */
static akin_status run(const akin_joined *joined, const akin_scope *scope, akin_account *account, int any_order,
                       akin_pair_sink sink, void *user, akin_error *error)
{
    akin_join_options options = joined->options;
    akin_tokens_share share = {.reserved = 0};
    options.any_order = (uint32_t)any_order;
    akin_status status = akin_tokens_begin(scope, account, &share, error);
    if (status == AKIN_OK)
        status =
            akin_join_within(&share.scope, joined->sets[0], joined->sets[1], &options, sink, user, NULL, NULL, error);
    akin_tokens_end(&share);
    return status;
}

akin_status akin_joined_list(const akin_joined *joined, const akin_scope *scope, akin_account *account,
                             akin_pair_sink sink, void *user, akin_error *error)
{
    return run(joined, scope, account, 0, sink, user, error);
}

/* ------------------------------------------------------------------------------------------------------- in batches */

typedef struct stream {
    const akin_joined *joined;
    const akin_scope *scope; /* of the caller */
    akin_scope own;          /* of the join */
    akin_account *account;
    akin_joined_take take;
    void *user;
    akin_status taken;
    uint32_t *lower, *higher, count, room; /* the batch; the join's as long as it is not full */
    atomic_int stops;                      /* the join is to end */
    int is_alone;                          /* it runs on the caller's thread, and needs none of what follows */
    pthread_mutex_t lock;
    pthread_cond_t full, empty;
    int is_full, has_ended;
    akin_progress progress; /* of the join; phase NULL: none yet */
    akin_status status;     /* of the join, once it has ended */
    akin_error error;
} stream;

static void take_batch(stream *s)
{
    if (s->count > 0 && s->taken == AKIN_OK)
        s->taken = s->take(s->user, s->lower, s->higher, s->count);
    s->count = 0;
    if (s->taken != AKIN_OK)
        atomic_store(&s->stops, 1);
}

/* The batch is full: the caller takes it. */
static void hand_over(stream *s)
{
    if (s->is_alone) {
        take_batch(s);
        return;
    }
    pthread_mutex_lock(&s->lock);
    s->is_full = 1;
    pthread_cond_signal(&s->full);
    while (s->is_full)
        akin_condition_wait(&s->empty, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

static int put_pairs(void *user, const akin_pair *pairs, size_t count)
{
    stream *s = user;
    const uint32_t border = s->joined->border;
    for (size_t i = 0; i < count;) {
        const uint32_t now = (uint32_t)akin_min_u64(count - i, s->room - s->count);
        for (uint32_t k = 0; k < now; k++) {
            s->lower[s->count + k] = pairs[i + k].left;
            s->higher[s->count + k] = pairs[i + k].right + border;
        }
        s->count += now;
        i += now;
        if (s->count == s->room)
            hand_over(s);
        if (atomic_load(&s->stops))
            return 1;
    }
    return 0;
}

static void note_progress(void *user, const akin_progress *progress)
{
    stream *s = user;
    pthread_mutex_lock(&s->lock);
    s->progress = *progress;
    pthread_mutex_unlock(&s->lock);
}

static int is_to_stop(void *user)
{
    stream *s = user;
    return atomic_load(&s->stops);
}

static void *join_apart(void *user)
{
    stream *s = user;
    const akin_status status = run(s->joined, &s->own, s->account, 1, put_pairs, s, &s->error);
    pthread_mutex_lock(&s->lock);
    s->status = status;
    s->has_ended = 1;
    pthread_cond_signal(&s->full);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Reports how far the join is; the lock is held. */
static void report(stream *s, double *reported)
{
    const akin_progress now = s->progress;
    *reported = akin_clock();
    pthread_mutex_unlock(&s->lock);
    const akin_status status = akin_scope_report_pieces(s->scope, now.phase, now.done, now.total);
    pthread_mutex_lock(&s->lock);
    if (status != AKIN_OK) {
        s->taken = s->taken == AKIN_OK ? status : s->taken;
        atomic_store(&s->stops, 1);
    }
}

/* Takes batches until the join has ended. */
static void take_batches(stream *s)
{
    double reported = 0;
    pthread_mutex_lock(&s->lock);
    while (!s->has_ended || s->is_full) {
        if (!s->is_full)
            akin_condition_wait(&s->full, &s->lock);
        if (akin_clock() - reported >= REPORT_SECONDS)
            report(s, &reported);
        if (!s->is_full)
            continue;
        pthread_mutex_unlock(&s->lock);
        take_batch(s);
        pthread_mutex_lock(&s->lock);
        s->is_full = 0;
        pthread_cond_signal(&s->empty);
    }
    pthread_mutex_unlock(&s->lock);
}

/* Joins in a thread of its own, and takes batches here. 0: no thread starts, and nothing has been done. */
static int stream_apart(stream *s)
{
    const akin_reporter reporter = {note_progress, is_to_stop, s};
    pthread_t thread;
    s->own = akin_scope_narrow(s->scope, (akin_narrowing){.reporter = &reporter});
    if (pthread_mutex_init(&s->lock, NULL) != 0)
        return 0;
    const int has_full = akin_condition_make(&s->full), has_empty = akin_condition_make(&s->empty);
    const int starts = has_full && has_empty && akin_thread_start(&thread, join_apart, s);
    if (starts) {
        take_batches(s);
        pthread_join(thread, NULL);
    }
    if (has_full)
        pthread_cond_destroy(&s->full);
    if (has_empty)
        pthread_cond_destroy(&s->empty);
    pthread_mutex_destroy(&s->lock);
    return starts;
}

/* Joins on this thread alone, which takes a batch when it is full. */
static void stream_alone(stream *s)
{
    s->is_alone = 1;
    s->own = akin_scope_narrow(s->scope, (akin_narrowing){.threads = 1});
    s->status = run(s->joined, &s->own, s->account, 1, put_pairs, s, &s->error);
}

akin_status akin_joined_stream(const akin_joined *joined, const akin_scope *scope, akin_account *account,
                               akin_joined_take take, void *user, akin_status *taken, akin_error *error)
{
    const uint32_t wished = akin_wishes_of(scope)->pairs_a_batch, room = wished ? wished : BATCH;
    stream s = {.joined = joined,
                .scope = scope,
                .account = account,
                .take = take,
                .user = user,
                .lower = akin_alloc(account, room, sizeof *s.lower),
                .higher = akin_alloc(account, room, sizeof *s.higher),
                .room = room,
                .error = {.code = AKIN_OK}};
    *taken = AKIN_OK;
    if (!s.lower || !s.higher)
        s.status = akin_fail_memory(&s.error, what);
    else if (scope->threads == 1 || !stream_apart(&s))
        stream_alone(&s);
    if (s.status == AKIN_OK)
        take_batch(&s);
    akin_free(s.lower);
    akin_free(s.higher);
    *taken = s.taken;
    if (s.taken != AKIN_OK)
        return akin_fail_stopped(error, s.taken, what);
    return s.status == AKIN_OK ? AKIN_OK : akin_fail_again(error, s.status, &s.error);
}
