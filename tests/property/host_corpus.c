/*
 * The kernels of near-duplicates on the GPU that the host plays (property/host_device.h). What each thread of a kernel
 * does (src/corpus/gpu_bag.h) is the very same code: one thread after the other, and step by step where those of a
 * block wait for each other. It does not show that the threads of one block do each other no harm.
 */
#include "property/host_kernel.h"

#include "corpus/gpu_bag.h"

#define THREADS 7 /* of a block */

static akin_status corpus_count(akin_device_stream *stream, const uint64_t *hashes, uint64_t count,
                                const akin_gpu_counters *counters, akin_error *error)
{
    const akin_status status = host_enter(error);
    must(count <= AKIN_GPU_BAG_HASHES);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++)
        akin_gpu_bag_count(counters, hashes[i]);
    return status;
}

static void choose(const uint64_t *hashes, const akin_gpu_bag *bag, uint32_t document,
                   const akin_gpu_counters *counters, const akin_gpu_prefixes *out)
{
    static akin_gpu_bag_shared s;
    for (uint32_t t = THREADS; t-- > 0;)
        akin_gpu_bag_begin(&s, bag, t, THREADS);
    for (uint32_t t = THREADS; t-- > 0;)
        akin_gpu_bag_look(&s, bag, hashes, counters, out->scratch, t, THREADS);
    akin_gpu_bag_cut(&s, bag);
    for (uint32_t t = THREADS; t-- > 0;)
        akin_gpu_bag_spread(&s, bag, hashes, out->scratch, t, THREADS);
    akin_gpu_bag_choose(&s, out);
    for (uint32_t t = THREADS; t-- > 0;)
        akin_gpu_bag_write(&s, bag, hashes, out, t, THREADS);
    must(s.written == s.chosen);
    for (uint32_t t = THREADS; t-- > 0;)
        akin_gpu_bag_finish(&s, out, document, t, THREADS);
}

/* Documents come in another order than they have, as on a GPU. */
static akin_status corpus_prefixes(akin_device_stream *stream, const uint64_t *hashes, const akin_gpu_bag *bags,
                                   uint32_t documents, const akin_gpu_counters *counters, const akin_gpu_prefixes *out,
                                   akin_error *error)
{
    const akin_status status = host_enter(error);
    uint64_t all = 0;
    for (uint32_t d = documents; d-- > 0 && status == AKIN_OK; all += bags[d].size)
        choose(hashes, &bags[d], d, counters, out);
    must(all <= AKIN_GPU_BAG_HASHES);
    return status;
}

const akin_corpus_kernels host_corpus_kernels = {corpus_count, corpus_prefixes};
