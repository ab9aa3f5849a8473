/*
 * Weighing on a GPU. While a batch is counted the next one is on its way there:
 *
 *     threads    pack 0   pack 1            pack 2
 *     copies              copy 0   copy 1            copy 2
 *     kernels                      count 0           count 1
 *
 * What is counted goes to the host at once, batch by batch (device/bring.h), and stays on the device as long as that
 * has room for it, so that the device weighs it in the end. Otherwise the host does, which then has the pairs at hand:
 * to bring them there again would take longer.
 */
#include "weigh/gpu_weigher.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/memory.h"
#include "device/bring.h"
#include "table/columns.h"
#include "weigh/gpu_pack.h"

#define BATCH_BYTES ((uint64_t)64 << 20) /* at most, unless one document has more */
#define BATCH_LEAST ((uint64_t)1 << 12)
#define BATCH_ROWS  ((uint32_t)1 << 22)
#define SHARE       40 /* the share of the device's memory, one part in this many */

static const char what[] = "term weights";

struct akin_gpu_weigher {
    akin_weigher *weigher;
    akin_device *device;
    akin_gpu_terms terms;
    akin_gpu_packer packer;
    akin_device_bringer bringer;
    akin_pinned df;             /* how many documents terms are in, on its way to the host */
    uint64_t batch_bytes, room; /* of the next batch; what the device had at first */
    int keeps;                  /* what is counted stays there: */
    akin_gpu_counted *kept;
    uint32_t kept_count;
    uint64_t kept_capacity;
    akin_gpu_counted passing; /* or it does not */
    int is_tight;             /* the device had no room for a batch: one at a time */
};

/* Rows that are a batch. */
typedef struct stretch {
    uint32_t first, end;
    uint64_t bytes;
} stretch;

akin_status akin_gpu_weigher_create(akin_weigher *weigher, akin_device *device, akin_gpu_weigher **out,
                                    akin_error *error)
{
    akin_gpu_weigher *g = akin_alloc_zero(NULL, 1, sizeof *g);
    if (!g)
        return akin_fail_memory(error, what);
    g->weigher = weigher;
    g->device = device;
    g->keeps = 1;
    g->room = akin_device_room(device);
    g->batch_bytes = akin_max_u64(BATCH_LEAST, akin_min_u64(BATCH_BYTES, g->room / SHARE));
    if (weigher->few.memory)
        g->batch_bytes = akin_max_u64(
            BATCH_LEAST, akin_min_u64(g->batch_bytes, akin_budget(&weigher->few, AKIN_BUDGET_WEIGHING_ON_GPU)));
    if (akin_tokens_facts_of(weigher->weights->analysis->text.tokens)->takes_length)
        g->batch_bytes = akin_ceil_div(g->batch_bytes, weigher->weights->analysis->text.q + 1);
    akin_status status =
        akin_gpu_terms_begin(&g->terms, device, weigher->weights, weigher->technique->way, &weigher->few, error);
    if (status == AKIN_OK)
        status = akin_device_bringer_begin(&g->bringer, &weigher->few, device, error);
    if (status == AKIN_OK && weigher->technique->way->begin)
        status = weigher->technique->way->begin(&g->terms, weigher->options.dictionary, error);
    if (status == AKIN_OK)
        *out = g;
    else
        akin_gpu_weigher_free(g);
    return status;
}

/* Lets go of what has been kept on the device. */
static void drop_kept(akin_gpu_weigher *g)
{
    for (uint32_t i = 0; i < g->kept_count; i++)
        akin_gpu_counted_clear(g->device, &g->kept[i]);
    akin_free(g->kept);
    g->kept = NULL;
    g->kept_count = 0;
    g->kept_capacity = 0;
    g->keeps = 0;
}

void akin_gpu_weigher_free(akin_gpu_weigher *gpu)
{
    if (!gpu)
        return;
    akin_device_bringer_clear(&gpu->bringer);
    akin_pinned_release(gpu->device, &gpu->df);
    drop_kept(gpu);
    akin_gpu_counted_clear(gpu->device, &gpu->passing);
    akin_gpu_terms_clear(&gpu->terms);
    akin_gpu_packer_clear(&gpu->packer, gpu->device);
    akin_free(gpu);
}

/* ---------------------------------------------------------------------------------------------------------- batches */

/* Packs rows from `first` on, as many as a batch has, and sends them to a place. */
static akin_status send_batch(akin_gpu_weigher *g, uint32_t place, uint32_t first, stretch *out, akin_error *error)
{
    akin_weigher *w = g->weigher;
    akin_gpu_batch batch;
    out->first = first;
    out->end = akin_columns_cut(w->columns, w->column_count, first, w->rows, BATCH_ROWS, g->batch_bytes, &out->bytes);
    akin_status status =
        akin_device_event_finish(g->terms.places[place].copied, error); /* or it would be packed over */
    if (status == AKIN_OK)
        status = akin_gpu_pack(&g->packer, w, g->device, place, first, out->end, &batch, error);
    return status == AKIN_OK ? akin_gpu_terms_send(&g->terms, place, &batch, error) : status;
}

/* Brings what was counted to the host, behind what is there. */
static akin_status bring_counted(akin_gpu_weigher *g, const akin_gpu_counted *c, akin_error *error)
{
    akin_weigher *w = g->weigher;
    akin_weights *m = w->weights;
    akin_device_bringer *b = &g->bringer;
    const uint64_t before = m->documents, pairs = m->pairs;
    akin_status status = akin_weigher_make_room(w, before + c->documents, pairs + c->pairs, error);
    if (status == AKIN_OK)
        status = akin_device_bring_after(b, g->terms.stream, error);
    if (status == AKIN_OK)
        status = akin_device_bring(b, w->ids + pairs, c->ids.data, c->pairs * sizeof *w->ids, error);
    if (status == AKIN_OK)
        status = akin_device_bring(b, w->tf + pairs, c->tf.data, c->pairs * sizeof *w->tf, error);
    if (status == AKIN_OK)
        status = akin_device_bring(b, w->lengths + before, c->lengths.data, c->documents * sizeof *w->lengths, error);
    if (status == AKIN_OK)
        status = akin_device_bring(b, w->offsets + before, c->offsets.data,
                                   ((uint64_t)c->documents + 1) * sizeof *w->offsets, error);
    if (status == AKIN_OK)
        status = akin_device_bring_finish(b, error);
    if (status != AKIN_OK)
        return status;
    for (uint64_t i = 0; i < c->documents; i++) {
        w->offsets[before + i] += pairs;
        m->words += w->lengths[before + i];
    }
    w->offsets[before + c->documents] += pairs;
    m->documents += c->documents;
    m->pairs += c->pairs;
    return AKIN_OK;
}

/* Where what is counted next goes. */
static akin_gpu_counted *next_counted(akin_gpu_weigher *g)
{
    if (!g->keeps)
        return &g->passing;
    akin_gpu_counted *kept = akin_enlarge(NULL, g->kept, &g->kept_capacity, (uint64_t)g->kept_count + 1, sizeof *kept);
    if (!kept)
        return NULL;
    g->kept = kept;
    kept[g->kept_count] = (akin_gpu_counted){0};
    return &kept[g->kept_count++];
}

/* Counts a batch that was sent. *is_counted says that it cannot be tried again. */
static akin_status count_batch(akin_gpu_weigher *g, uint32_t place, int *is_counted, akin_error *error)
{
    akin_gpu_counted *counted = next_counted(g);
    if (!counted)
        return akin_fail_memory(error, what);
    akin_status status = akin_gpu_terms_count(&g->terms, place, counted, error);
    *is_counted = status == AKIN_OK;
    if (status == AKIN_OK)
        status = bring_counted(g, counted, error);
    if (status == AKIN_OK)
        akin_text_counts_add(&g->weigher->counts, &g->packer.counts[place]);
    if (g->keeps && akin_device_room(g->device) < g->room / 2)
        drop_kept(g);
    return status;
}

/* What can be done when memory is short for rows, so that they, or some of them, can be tried again; 0: nothing. */
static int shrink_rows(akin_gpu_weigher *g, const stretch *rows)
{
    const int kept = g->kept_count > 1, was_tight = g->is_tight;
    drop_kept(g);
    g->is_tight = 1;
    akin_gpu_terms_trim(&g->terms);
    akin_gpu_packer_clear(&g->packer, g->device);
    if (rows->end - rows->first > 1)
        g->batch_bytes = rows->bytes / 2;
    return rows->end - rows->first > 1 || kept || !was_tight;
}

akin_status akin_gpu_weigher_pass(akin_gpu_weigher *gpu, const akin_gpu_pass *pass, akin_error *error)
{
    akin_gpu_weigher *g = gpu;
    akin_weigher *w = g->weigher;
    const uint64_t total = akin_columns_bytes(w->columns, w->column_count, 0, w->rows);
    akin_status status = AKIN_OK;
    stretch now = {0, 0, 0}, ahead = {0, 0, 0};
    uint64_t done = 0;
    uint32_t place = 0;
    for (uint32_t row = 0; row < w->rows && status == AKIN_OK;) {
        int is_taken = 0;
        if (akin_scope_report(&w->few, pass->step, done, total) != AKIN_OK)
            return akin_fail(error, AKIN_E_CANCELLED, "cancelled while counting terms");
        if (now.end <= row)
            status = send_batch(g, place, row, &now, error);
        ahead.end = 0;
        if (status == AKIN_OK && now.end < w->rows && !g->is_tight)
            status = send_batch(g, place ^ 1, now.end, &ahead, error);
        if (status == AKIN_OK)
            status = pass->take(g, place, &is_taken, error);
        if (status == AKIN_OK) {
            row = now.end;
            done += now.bytes;
            now = ahead;
            place ^= 1;
        } else if (status == AKIN_E_NOMEM && !is_taken && shrink_rows(g, &now)) {
            now.end = row;
            status = AKIN_OK;
        }
    }
    return status;
}

akin_status akin_gpu_weigher_count(akin_gpu_weigher *gpu, akin_error *error)
{
    static const akin_gpu_pass counting = {"counting", count_batch};
    return akin_gpu_weigher_pass(gpu, &counting, error);
}

akin_status akin_gpu_weigher_add(akin_gpu_weigher *gpu, akin_error *error)
{
    return gpu->weigher->technique->add(gpu, error);
}

akin_gpu_terms *akin_gpu_weigher_terms(akin_gpu_weigher *gpu)
{
    return &gpu->terms;
}

/* ---------------------------------------------------------------------------------------------------------- results */

akin_status akin_gpu_weigher_tell(akin_gpu_weigher *gpu, akin_error *error)
{
    akin_gpu_weigher *g = gpu;
    const uint64_t count = g->terms.df_count; /* these come while the host takes in the words */
    akin_status status = AKIN_OK;
    if (count > 0)
        status = akin_pinned_reserve(g->device, &g->df, count, sizeof(uint32_t), what, error);
    if (status == AKIN_OK && count > 0)
        status = akin_device_bring_after(&g->bringer, g->terms.stream, error);
    if (status == AKIN_OK && count > 0)
        status = akin_device_read(g->bringer.stream, g->df.data, akin_gpu_terms_df(&g->terms), count * sizeof(uint32_t),
                                  error);
    return status == AKIN_OK ? akin_gpu_terms_tell(&g->terms, error) : status;
}

akin_status akin_gpu_weigher_df(akin_gpu_weigher *gpu, uint32_t *df, akin_error *error)
{
    const uint32_t *own = gpu->df.data;
    akin_status status = akin_device_stream_finish(gpu->bringer.stream, error);
    for (uint32_t i = 0; i < gpu->terms.df_count && status == AKIN_OK; i++)
        df[i] += own[i];
    return status;
}

/* Weighs what was kept, batch by batch. */
static akin_status weigh_kept(akin_gpu_weigher *g, double *values, akin_device_buffer *weighed, akin_error *error)
{
    const akin_scope *few = &g->weigher->few;
    akin_device_bringer *b = &g->bringer;
    const akin_weights *m = g->weigher->weights;
    const double mean = akin_weights_mean(m), *idf;
    akin_status status = akin_gpu_terms_idf(&g->terms, &m->formula, m->documents, &idf, error);
    for (uint32_t i = 0; i < g->kept_count && status == AKIN_OK; i++) {
        const akin_gpu_counted *c = &g->kept[i];
        if (akin_scope_report(few, "weighing", i, g->kept_count) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        status = akin_device_reserve(g->device, weighed, c->pairs, sizeof *values, what, error);
        if (status == AKIN_OK)
            status = akin_device_bring_before(b, g->terms.stream, error);
        if (status == AKIN_OK)
            status = akin_gpu_terms_weigh(&g->terms, &m->formula, mean, c, idf, weighed->data, error);
        if (status == AKIN_OK)
            status = akin_device_bring_after(b, g->terms.stream, error);
        if (status == AKIN_OK)
            status = akin_device_bring(b, values, weighed->data, c->pairs * sizeof *values, error);
        values += c->pairs;
    }
    return status == AKIN_OK ? akin_device_bring_finish(b, error) : status;
}

akin_status akin_gpu_weigher_weigh(akin_gpu_weigher *gpu, double *values, int *done, akin_error *error)
{
    akin_device_buffer weighed = {0};
    *done = 0;
    if (!gpu->keeps)
        return AKIN_OK;
    akin_gpu_terms_trim(&gpu->terms);
    akin_status status = weigh_kept(gpu, values, &weighed, error);
    *done = status == AKIN_OK;
    akin_device_release(gpu->device, &weighed);
    return status == AKIN_E_NOMEM ? AKIN_OK : status; /* the host has room for it */
}
