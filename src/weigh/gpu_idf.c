/*
 * Computes the idf of terms on a GPU. The host computes the logarithms, so the bits are those of the CPU.
 * Only the distinct values of df go to the host, and their logarithms come back:
 *
 *     df         7 1 3 1 0 3      of each term
 *     sorted     0 1 1 3 3 7
 *     distinct   0 1 3 7          few: d values above 0 need at least d (d + 1) / 2 pairs of a term and a document
 *     logs       0 a b c          computed by the host
 *     idf        c a b a 0 b      looked up by df
 */
#include "weigh/gpu.h"

#include "base/bits.h"
#include "base/memory.h"
#include "device/primitives.h"

static const char what[] = "what terms weigh";

const uint32_t *akin_gpu_terms_df(const akin_gpu_terms *terms)
{
    return terms->buffers[AKIN_TERMS_DF].data;
}

/* Finds the distinct numbers in df: *found of them at *distinct, rising. */
static akin_status find_distinct(akin_gpu_terms *t, uint32_t documents, uint32_t **distinct, uint64_t *found,
                                 akin_error *error)
{
    const uint64_t count = t->df_count;
    akin_gpu_told *there = t->buffers[AKIN_TERMS_TOLD].data, *told = t->told.data;
    akin_status status = akin_gpu_terms_need(t, AKIN_TERMS_KEYS, count, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_KEYS_TWIN, count, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_TIMES, count, sizeof(uint32_t), error);
    uint32_t *keys = t->buffers[AKIN_TERMS_KEYS].data, *twin = t->buffers[AKIN_TERMS_KEYS_TWIN].data;
    if (status == AKIN_OK)
        status = akin_device_copy(t->stream, keys, t->buffers[AKIN_TERMS_DF].data, count * sizeof *keys, error);
    if (status == AKIN_OK)
        status = akin_device_sort32(t->stream, &keys, &twin, count, akin_bits_of(documents), error);
    if (status == AKIN_OK)
        status = akin_device_count_runs32(t->stream, keys, count, twin, t->buffers[AKIN_TERMS_TIMES].data,
                                          &there->found, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->report(t->stream, &told->found, &there->found, sizeof told->found,
                                                             error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(t->stream, error);
    *distinct = twin;
    *found = told->found;
    return status;
}

/* Takes the logarithms of `found` distinct numbers, and sends them to the device; df and logs have room for them. */
static akin_status send_logs(akin_gpu_terms *t, const akin_formula_terms *formula, uint32_t documents,
                             const uint32_t *distinct, uint64_t found, uint32_t *df, double *logs, akin_error *error)
{
    akin_status status = akin_device_download(t->stream, df, distinct, found * sizeof *df, error);
    for (uint64_t i = 0; i < found && status == AKIN_OK; i++)
        logs[i] = df[i] > 0 ? akin_formula_idf(formula, documents, df[i]) : 0;
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_LOGS, found, sizeof *logs, error);
    return status == AKIN_OK
               ? akin_device_upload(t->stream, t->buffers[AKIN_TERMS_LOGS].data, logs, found * sizeof *logs, error)
               : status;
}

akin_status akin_gpu_terms_idf(akin_gpu_terms *terms, const akin_formula_terms *formula, uint32_t documents,
                               const double **out, akin_error *error)
{
    akin_gpu_terms *t = terms;
    uint32_t *distinct;
    uint64_t found;
    *out = NULL;
    if (t->df_count == 0)
        return AKIN_OK;
    akin_status status = find_distinct(t, documents, &distinct, &found, error);
    if (status != AKIN_OK)
        return status;
    uint32_t *df = akin_alloc(NULL, found, sizeof *df);
    double *logs = akin_alloc(NULL, found, sizeof *logs);
    status =
        df && logs ? send_logs(t, formula, documents, distinct, found, df, logs, error) : akin_fail_memory(error, what);
    akin_free(df);
    akin_free(logs);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_IDF, t->df_count, sizeof **out, error);
    const akin_gpu_idf idf = {t->buffers[AKIN_TERMS_DF].data,   t->df_count,     distinct,
                              t->buffers[AKIN_TERMS_LOGS].data, (uint32_t)found, t->buffers[AKIN_TERMS_IDF].data};
    for (uint64_t first = 0; first < idf.count && status == AKIN_OK; first += AKIN_GPU_ITEMS)
        status = akin_kernels(t->stream)->terms_tally->idf(t->stream, &idf, first,
                                                           akin_min_u64(AKIN_GPU_ITEMS, idf.count - first), error);
    *out = status == AKIN_OK ? idf.values : NULL;
    return status;
}
