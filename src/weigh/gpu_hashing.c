/* Counts the terms of a batch's documents on a GPU, whose words a hash table finds: short documents, those that fit a
 * table, and those that are sorted. */
#include "weigh/gpu_hashing.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/sort.h"
#include "device/primitives.h"

#define SORTED_MOST ((uint64_t)1 << 26) /* tokens that are sorted at once, unless one document has more */
#define SORTED_SIZE 32                  /* bytes that each of them takes */

static const char what[] = "the terms of documents";

/* ----------------------------------------------------------------------------------------------------- sorted ones */

/* Documents that are sorted, some of them at a time. */
typedef struct sorting {
    uint32_t *documents; /* all of them, ascending */
    uint64_t *tokens;    /* of each, */
    uint64_t *starts;    /* and of those at hand, where they begin */
    uint32_t count;
} sorting;

static void clear_sorting(sorting *s)
{
    akin_free(s->documents);
    akin_free(s->tokens);
    akin_free(s->starts);
}

/* Brings the last list to the host; keys and firsts have room for it, and for the first tokens of all documents. */
static akin_status read_list(akin_gpu_terms *t, sorting *s, uint64_t *keys, uint64_t *firsts, akin_error *error)
{
    akin_status status = akin_device_download(t->stream, s->documents, t->counts.lists[AKIN_GPU_TABLES],
                                              s->count * sizeof *s->documents, error);
    if (status == AKIN_OK)
        status = akin_device_download(t->stream, firsts, t->counts.firsts,
                                      ((uint64_t)t->counts.documents + 1) * sizeof *firsts, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < s->count; i++)
        keys[i] = s->documents[i];
    akin_sort_u64(keys, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        s->documents[i] = (uint32_t)keys[i];
        s->tokens[i] = firsts[keys[i] + 1] - firsts[keys[i]];
    }
    return AKIN_OK;
}

static akin_status bring_list(akin_gpu_terms *t, sorting *s, akin_error *error)
{
    uint64_t *keys = akin_alloc(NULL, s->count, sizeof *keys);
    uint64_t *firsts = akin_alloc(NULL, (uint64_t)t->counts.documents + 1, sizeof *firsts);
    s->documents = akin_alloc(NULL, s->count, sizeof *s->documents);
    s->tokens = akin_alloc(NULL, s->count, sizeof *s->tokens);
    s->starts = akin_alloc(NULL, (uint64_t)s->count + 1, sizeof *s->starts);
    akin_status status = keys && firsts && s->documents && s->tokens && s->starts ? read_list(t, s, keys, firsts, error)
                                                                                  : akin_fail_memory(error, what);
    akin_free(keys);
    akin_free(firsts);
    return status;
}

/* How many documents, from `at` on, are sorted together; *tokens is what they have. */
static uint32_t documents_at_once(const akin_gpu_terms *t, sorting *s, uint32_t at, uint64_t *tokens)
{
    const uint64_t most = akin_min_u64(SORTED_MOST, akin_device_room(t->device) / (2 * SORTED_SIZE));
    uint32_t count = 0;
    s->starts[0] = 0;
    do {
        s->starts[count + 1] = s->starts[count] + s->tokens[at + count];
        count++;
    } while (at + count < s->count && s->starts[count] + s->tokens[at + count] <= most);
    *tokens = s->starts[count];
    return count;
}

static akin_status ready_group(akin_gpu_terms *t, const sorting *s, uint32_t at, akin_gpu_group *group, uint64_t tokens,
                               akin_error *error)
{
    const uint64_t count = group->count;
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_KEYS, tokens, sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_KEYS_TWIN, tokens, sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_TIMES, tokens, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_GROUP, count, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_STARTS, count + 1, sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_AT, count + 1, sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = akin_device_upload(t->stream, t->buffers[AKIN_TERMS_GROUP].data, s->documents + at,
                                    count * sizeof *s->documents, error);
    if (status == AKIN_OK)
        status = akin_device_upload(t->stream, t->buffers[AKIN_TERMS_STARTS].data, s->starts,
                                    (count + 1) * sizeof *s->starts, error);
    group->documents = t->buffers[AKIN_TERMS_GROUP].data;
    group->starts = t->buffers[AKIN_TERMS_STARTS].data;
    return status;
}

/* Counts some documents: keys are sorted, and equal ones counted. The keys that were sorted make room for the distinct
 * ones. */
static akin_status sort_group(akin_gpu_terms *t, const akin_gpu_group *group, uint64_t tokens, akin_error *error)
{
    uint64_t *keys = t->buffers[AKIN_TERMS_KEYS].data, *twin = t->buffers[AKIN_TERMS_KEYS_TWIN].data;
    uint64_t *found = &((akin_gpu_told *)t->buffers[AKIN_TERMS_TOLD].data)->found;
    uint64_t *at = t->buffers[AKIN_TERMS_AT].data;
    uint32_t *times = t->buffers[AKIN_TERMS_TIMES].data;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < tokens && status == AKIN_OK; i += AKIN_GPU_GATHER)
        status = akin_kernels(t->stream)->terms_tally->gather(t->stream, &t->counts, group, keys, i,
                                                              akin_min_u64(AKIN_GPU_GATHER, tokens - i), error);
    if (status == AKIN_OK)
        status =
            akin_device_sort64(t->stream, &keys, &twin, tokens, group->term_bits + akin_bits_of(group->count), error);
    if (status == AKIN_OK)
        status = akin_device_count_runs64(t->stream, keys, tokens, twin, times, found, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_tally->bound(t->stream, &t->counts, group, twin, found, at, error);
    for (uint64_t i = 0; i < tokens && status == AKIN_OK; i += AKIN_GPU_GATHER)
        status = akin_kernels(t->stream)->terms_tally->spread(t->stream, &t->counts, group, twin, times, found, at, i,
                                                              akin_min_u64(AKIN_GPU_GATHER, tokens - i), error);
    return status;
}

static akin_status sort_documents(akin_gpu_terms *t, uint32_t count, akin_error *error)
{
    sorting s = {.count = count};
    uint64_t tokens;
    akin_status status = bring_list(t, &s, error);
    for (uint32_t at = 0; at < count && status == AKIN_OK;) {
        akin_gpu_group group = {.count = documents_at_once(t, &s, at, &tokens),
                                .term_bits = akin_max_u32(1, akin_bits_of(t->ids))};
        if (tokens > AKIN_DEVICE_ITEMS)
            status = akin_fail(error, AKIN_E_LIMIT, "a document of %llu tokens; at most %llu are possible on a GPU",
                               (unsigned long long)tokens, (unsigned long long)AKIN_DEVICE_ITEMS);
        if (status == AKIN_OK)
            status = ready_group(t, &s, at, &group, tokens, error);
        if (status == AKIN_OK)
            status = sort_group(t, &group, tokens, error);
        at += group.count;
    }
    clear_sorting(&s);
    return status;
}

/* ------------------------------------------------------------------------------------------------------ all of them */

static akin_status ready(akin_gpu_terms *t, akin_gpu_counted *counted, akin_error *error)
{
    const uint64_t documents = counted->documents;
    akin_gpu_told *there = t->buffers[AKIN_TERMS_TOLD].data;
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_TERMS, t->tokens, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_TF, t->tokens, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_SIZES, documents, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_LISTS, AKIN_GPU_LISTS * documents, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_device_reserve(t->device, &counted->offsets, documents + 1, sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(t->device, &counted->lengths, documents, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_fill(t->stream, &there->waiting, 0, sizeof there->waiting, error);
    t->counts = (akin_gpu_counts){.firsts = t->text.firsts,
                                  .tokens = t->text.tokens,
                                  .slots = t->table.slots,
                                  .words = t->table.words,
                                  .documents = counted->documents,
                                  .terms = t->buffers[AKIN_TERMS_TERMS].data,
                                  .tf = t->buffers[AKIN_TERMS_TF].data,
                                  .sizes = t->buffers[AKIN_TERMS_SIZES].data,
                                  .lengths = counted->lengths.data,
                                  .waiting = &there->waiting};
    for (uint32_t i = 0; i < AKIN_GPU_LISTS && status == AKIN_OK; i++)
        t->counts.lists[i] = (uint32_t *)t->buffers[AKIN_TERMS_LISTS].data + i * documents;
    return status;
}

/* Where each document's pairs begin; told how many there are, and which documents wait. */
static akin_status hear_pairs(akin_gpu_terms *t, akin_gpu_counted *counted, akin_error *error)
{
    akin_gpu_told *told = t->told.data, *there = t->buffers[AKIN_TERMS_TOLD].data;
    uint64_t *offsets = counted->offsets.data;
    akin_status status = akin_device_scan64(t->stream, t->counts.sizes, counted->documents, offsets, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->report(t->stream, &told->pairs, offsets + counted->documents,
                                                             sizeof told->pairs, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->report(t->stream, &told->waiting, &there->waiting,
                                                             sizeof told->waiting, error);
    return status == AKIN_OK ? akin_device_stream_finish(t->stream, error) : status;
}

static akin_status move(akin_gpu_terms *t, akin_gpu_counted *counted, akin_error *error)
{
    counted->pairs = akin_gpu_terms_told(t)->pairs;
    akin_status status = akin_device_reserve(t->device, &counted->ids, counted->pairs, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(t->device, &counted->tf, counted->pairs, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_extend_df(t, error);
    const akin_gpu_pairs pairs = {counted->offsets.data, counted->documents, counted->pairs, counted->ids.data,
                                  counted->tf.data};
    for (uint64_t first = 0; first < pairs.count && status == AKIN_OK; first += AKIN_GPU_ITEMS)
        status =
            akin_kernels(t->stream)->terms_tally->move(t->stream, &t->counts, &pairs, t->buffers[AKIN_TERMS_DF].data,
                                                       first, akin_min_u64(AKIN_GPU_ITEMS, pairs.count - first), error);
    return status;
}

static akin_status tally(akin_gpu_terms *t, akin_gpu_counted *counted, akin_error *error)
{
    akin_status status = ready(t, counted, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_tally->count_few(t->stream, &t->counts, error);
    for (uint32_t list = 0; list < AKIN_GPU_TABLES && status == AKIN_OK; list++)
        status = akin_kernels(t->stream)->terms_tally->count_table(t->stream, &t->counts, list, error);
    if (status == AKIN_OK)
        status = hear_pairs(t, counted, error);
    if (status == AKIN_OK && akin_gpu_terms_told(t)->waiting.count[AKIN_GPU_TABLES] > 0) {
        status = sort_documents(t, akin_gpu_terms_told(t)->waiting.count[AKIN_GPU_TABLES], error);
        if (status == AKIN_OK)
            status = hear_pairs(t, counted, error);
    }
    return status == AKIN_OK ? move(t, counted, error) : status;
}

/* --------------------------------------------------------------------------------------------------------- the way */

static akin_status count(akin_gpu_terms *t, const akin_gpu_place *p, akin_gpu_counted *counted, akin_error *error)
{
    akin_status status = akin_gpu_terms_look_up(t, &p->batch, error);
    double start = akin_clock();
    if (status == AKIN_OK)
        status = akin_device_event_record(p->used, t->stream, error);
    if (status == AKIN_OK)
        status = tally(t, counted, error);
    akin_gpu_terms_timed(t, AKIN_TERMS_COUNT, &start);
    return status;
}

static akin_status weigh(akin_gpu_terms *terms, const akin_formula_terms *formula, double mean,
                         const akin_gpu_counted *counted, const double *idf, double *values, akin_error *error)
{
    const akin_gpu_pairs pairs = {counted->offsets.data, counted->documents, counted->pairs, counted->ids.data,
                                  counted->tf.data};
    akin_status status = AKIN_OK;
    for (uint64_t first = 0; first < pairs.count && status == AKIN_OK; first += AKIN_GPU_ITEMS)
        status = akin_kernels(terms->stream)
                     ->terms_tally->weigh(terms->stream, formula, mean, &pairs, counted->lengths.data, idf, values,
                                          first, akin_min_u64(AKIN_GPU_ITEMS, pairs.count - first), error);
    return status;
}

const akin_gpu_way akin_gpu_hashing = {.count = count, .weigh = weigh};
