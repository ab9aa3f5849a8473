/* Puts runs of sorted pairs aside in a temporary file, and merges them. */
#include "join/runs.h"

#include "base/context.h"
#include "base/bits.h"
#include "base/temporary.h"

#include <string.h>
#include <unistd.h>

#define BATCH        8192 /* pairs handed over, or written, at once */
#define BUFFER_LEAST 4096 /* pairs of a run in memory */
#define BUFFER_MOST  65536

akin_status akin_runs_make(const akin_scope *scope, uint64_t length, akin_runs *out, akin_error *error)
{
    *out = (akin_runs){.directory = akin_context_temporary(scope)};
    if (pthread_mutex_init(&out->lock, NULL) != 0)
        return akin_fail_memory(error, "the pairs found");
    out->length = length;
    return AKIN_OK;
}

static void close_runs_file(int *file)
{
    if (*file)
        close(*file - 1);
    *file = 0;
}

void akin_runs_clear(akin_runs *runs)
{
    if (!runs->length)
        return;
    close_runs_file(&runs->file);
    pthread_mutex_destroy(&runs->lock);
}

static akin_status open_runs_file(const akin_runs *runs, int *file, akin_error *error)
{
    int fd = -1, reason = *file ? 0 : akin_temporary_open(runs->directory, &fd);
    if (reason)
        return akin_temporary_fail(error, reason, runs->directory);
    if (!*file)
        *file = fd + 1;
    return AKIN_OK;
}

int akin_runs_put_aside(akin_runs *runs, akin_u128 *pairs)
{
    akin_error error = {.code = AKIN_OK};
    akin_sort_u128(pairs, (size_t)runs->length);
    pthread_mutex_lock(&runs->lock);
    akin_status status = runs->error.code;
    if (status == AKIN_OK)
        status = open_runs_file(runs, &runs->file, &error);
    uint64_t run = runs->count;
    runs->count += status == AKIN_OK;
    pthread_mutex_unlock(&runs->lock);
    int reason = 0;
    size_t bytes = (size_t)runs->length * sizeof *pairs;
    if (status == AKIN_OK)
        reason = akin_temporary_write(runs->file - 1, pairs, bytes, run * bytes);
    if (reason)
        status = akin_temporary_fail(&error, reason, runs->directory);
    if (status == AKIN_OK)
        return 1;
    pthread_mutex_lock(&runs->lock);
    if (runs->error.code == AKIN_OK)
        runs->error = error;
    pthread_mutex_unlock(&runs->lock);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ merging
 */

/* Pairs that come sorted: those in memory, and behind them those of the file that have not been read. */
typedef struct source {
    akin_u128 *pairs;
    uint64_t at, end;    /* in memory */
    uint64_t next, last; /* in the file, counted from its beginning */
} source;

typedef struct merger {
    const akin_scope *scope;
    const akin_runs *runs;
    int from, to;       /* files; without `to` the pairs go to the sink */
    uint64_t length;    /* of the runs in `from` */
    uint64_t fan, room; /* how many are merged at once, and how many pairs of each are in memory */
    akin_u128 *buffers, *out;
    source *sources;
    source **heap; /* those with pairs left; none comes before the one at the top */
    uint32_t count;
    uint64_t used;        /* pairs in `out` */
    uint64_t at;          /* pairs written to `to`, or handed over */
    uint64_t done, total; /* pairs moved, of all that will be */
    akin_pair_sink sink;
    void *sink_user;
} merger;

/* Sends off what `out` holds. */
static akin_status flush_run(merger *m, akin_error *error)
{
    int reason = 0;
    if (m->to)
        reason = akin_temporary_write(m->to - 1, m->out, m->used * sizeof *m->out, m->at * sizeof *m->out);
    if (reason)
        return akin_temporary_fail(error, reason, m->runs->directory);
    for (uint64_t i = 0; i < m->used && !m->to; i++) { /* in place: pairs are shorter */
        const akin_pair pair = {(uint32_t)(m->out[i] >> 64), (uint32_t)(m->out[i] >> 32), (uint32_t)m->out[i]};
        memcpy((char *)m->out + i * sizeof pair, &pair, sizeof pair);
    }
    if (m->used && !m->to && m->sink(m->sink_user, (const akin_pair *)(const void *)m->out, m->used))
        return akin_fail(error, AKIN_E_CANCELLED, "stopped by the receiver of the pairs");
    m->at += m->used;
    m->done += m->used;
    m->used = 0;
    if (akin_scope_report(m->scope, m->to ? "merging pairs" : "writing", m->done, m->total) != AKIN_OK)
        return akin_fail(error, AKIN_E_CANCELLED, "cancelled");
    return AKIN_OK;
}

/* Reads more of a run whose pairs in memory are used up. */
static akin_status refill_run(merger *m, source *s, akin_error *error)
{
    uint64_t count = akin_min_u64(m->room, s->last - s->next);
    int reason = 0;
    s->at = 0;
    s->end = count;
    if (count)
        reason = akin_temporary_read(m->from - 1, s->pairs, count * sizeof *s->pairs, s->next * sizeof *s->pairs);
    s->next += count;
    return reason ? akin_temporary_fail(error, reason, m->runs->directory) : AKIN_OK;
}

static inline akin_u128 head_of_run(const source *s)
{
    return s->pairs[s->at];
}

/* Lets heap[root] sink to its place. */
static void sift_runs(const merger *m, uint32_t root)
{
    source **heap = m->heap, *own = heap[root];
    for (uint32_t child; (child = 2 * root + 1) < m->count; root = child) {
        if (child + 1 < m->count && head_of_run(heap[child + 1]) < head_of_run(heap[child]))
            child++;
        if (head_of_run(own) <= head_of_run(heap[child]))
            break;
        heap[root] = heap[child];
    }
    heap[root] = own;
}

/* Merges `count` sources to the sink or to the end of the file. */
static akin_status merge_runs(merger *m, uint32_t count, akin_error *error)
{
    akin_status status = AKIN_OK;
    m->count = 0;
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        if (m->sources[i].at == m->sources[i].end)
            status = refill_run(m, &m->sources[i], error);
        if (m->sources[i].at < m->sources[i].end)
            m->heap[m->count++] = &m->sources[i];
    }
    if (status != AKIN_OK)
        return status;
    for (uint32_t root = m->count / 2; root-- > 0;)
        sift_runs(m, root);
    while (m->count > 0 && status == AKIN_OK) {
        source *first = m->heap[0];
        m->out[m->used++] = first->pairs[first->at++];
        if (first->at == first->end)
            status = refill_run(m, first, error);
        if (first->at == first->end)
            m->heap[0] = m->heap[--m->count];
        if (m->count && status == AKIN_OK)
            sift_runs(m, 0);
        if (m->used == BATCH && status == AKIN_OK)
            status = flush_run(m, error);
    }
    return status == AKIN_OK ? flush_run(m, error) : status;
}

/* Makes sources of up to `fan` runs of `from`, that number `first` and those that follow; returns how many there are.
 */
static uint32_t take_runs(const merger *m, uint64_t first, uint64_t pairs)
{
    uint32_t taken = 0;
    if (!m->buffers) /* there are no runs */
        return 0;
    for (uint64_t at = first * m->length; taken < m->fan && at < pairs; taken++, at += m->length)
        m->sources[taken] = (source){m->buffers + taken * m->room, 0, 0, at, akin_min_u64(at + m->length, pairs)};
    return taken;
}

/* Merges the runs, `fan` at a time, into a new file, which takes the old one's place. */
static akin_status merge_pass(merger *m, akin_runs *runs, uint64_t pairs, akin_error *error)
{
    akin_status status = open_runs_file(runs, &m->to, error);
    m->at = 0;
    for (uint64_t run = 0; status == AKIN_OK && run * m->length < pairs; run += m->fan)
        status = merge_runs(m, take_runs(m, run, pairs), error);
    close_runs_file(&runs->file);
    m->from = runs->file = m->to;
    m->to = 0;
    m->length *= m->fan;
    return status;
}

/* How many runs are merged at once, the buffers, and how often the pairs are moved. */
static int plan_merge(merger *m, akin_account *account, const akin_runs *runs, uint32_t rests, uint64_t room)
{
    uint64_t buffers = room / sizeof(akin_u128);
    m->fan = akin_wishes_of(m->scope)->runs_a_merge ? akin_wishes_of(m->scope)->runs_a_merge : buffers / BUFFER_LEAST;
    m->fan = akin_max_u64(2, akin_min_u64(m->fan, runs->count));
    m->room = akin_min_u64(akin_max_u64(buffers / m->fan, BUFFER_LEAST), akin_min_u64(BUFFER_MOST, runs->length));
    m->buffers = runs->count ? akin_alloc(account, m->fan * m->room, sizeof *m->buffers) : NULL;
    m->out = akin_alloc(account, BATCH, sizeof *m->out);
    m->sources = akin_alloc(account, m->fan + rests, sizeof *m->sources);
    m->heap = akin_alloc(account, m->fan + rests, sizeof(source *));
    return (m->buffers || !runs->count) && m->out && m->sources && m->heap;
}

akin_status akin_runs_deliver(const akin_scope *scope, akin_account *account, akin_runs *runs,
                              const akin_runs_rest *rests, uint32_t count, uint64_t room, akin_pair_sink sink,
                              void *sink_user, akin_error *error)
{
    merger m = {.scope = scope, .runs = runs, .from = runs->file, .length = runs->length};
    uint64_t pairs = runs->count * runs->length;
    m.sink = sink;
    m.sink_user = sink_user;
    akin_status status = AKIN_OK;
    if (!plan_merge(&m, account, runs, count, room))
        status = akin_fail_memory(error, "merging the pairs");
    m.total = pairs;
    for (uint64_t length = m.length; status == AKIN_OK && akin_ceil_div(pairs, length) > m.fan; length *= m.fan)
        m.total += pairs;
    for (uint32_t i = 0; i < count; i++)
        m.total += rests[i].count;
    while (status == AKIN_OK && akin_ceil_div(pairs, m.length) > m.fan)
        status = merge_pass(&m, runs, pairs, error);
    if (status == AKIN_OK) {
        uint32_t taken = take_runs(&m, 0, pairs);
        for (uint32_t i = 0; i < count; i++) {
            akin_sort_u128(rests[i].pairs, (size_t)rests[i].count);
            m.sources[taken++] = (source){rests[i].pairs, 0, rests[i].count, 0, 0};
        }
        status = merge_runs(&m, taken, error);
    }
    akin_free(m.buffers);
    akin_free(m.out);
    akin_free(m.sources);
    akin_free(m.heap);
    return status;
}
