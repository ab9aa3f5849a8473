/*
 * The kernels of akin_rank on the GPU that the host plays (property/host_device.h). What each thread of a kernel does
 * (src/rank/gpu_rank.h) is the very same code, with shared memory of the very size: one thread after the other, step by
 * step, the last one first. It does not show that the threads of one block do each other no harm.
 */
#include "property/host_rank.h"

#include "property/host_kernel.h"

#include "rank/gpu_rank.h"

#include <string.h>

#define THREADS      256
#define MORE_THREADS 512

host_rank_state host_rank;

static akin_status rank_mark(akin_device_stream *stream, const uint32_t *documents, uint64_t count, uint32_t list,
                             uint64_t *words, akin_error *error)
{
    akin_status status = host_enter(error);
    must(count <= AKIN_GPU_RANK_MARKS && list < 2);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++)
        akin_gpu_rank_mark(words, list, documents[i]);
    host_rank.marks += count;
    return status;
}

static akin_status rank_at_once(akin_device *device, uint32_t k, uint32_t at_once[2], akin_error *error)
{
    must(k > 0 && k <= AKIN_GPU_RANK_MOST);
    at_once[0] = host_rank.at_once ? host_rank.at_once : 396;
    at_once[1] = host_rank.at_once ? host_rank.at_once : 264;
    return host_enter(error);
}

/* What all threads of a block do between two times that they wait for each other. */
#define EACH(call)                                                                                                     \
    for (uint32_t thread = threads; thread-- > 0;)                                                                     \
    call

static void sort(akin_gpu_ranking *r, uint32_t threads)
{
    const uint32_t items = akin_gpu_rank_items(r);
    must(items <= r->room && items >= r->items);
    EACH(akin_gpu_rank_pad(r, items, thread, threads));
    for (uint32_t run = 2; run <= items; run *= 2)
        for (uint32_t stride = run / 2; stride > 0; stride /= 2)
            EACH(akin_gpu_rank_order(r, items, run, stride, thread, threads));
    akin_gpu_rank_cut(r);
    host_rank.sorts++;
}

static akin_status rank_query(const akin_gpu_lists *lists, const akin_gpu_rank_batch *batch, uint32_t query,
                              uint32_t threads, uint64_t *spent, akin_error *error)
{
    const uint32_t room = akin_gpu_rank_room(batch->k, threads);
    void *memory = malloc(akin_gpu_rank_bytes(room, threads));
    akin_gpu_ranking r;
    if (!memory)
        return akin_fail_memory(error, "a block of threads");
    memset(&r, 0xa5, sizeof r);
    akin_gpu_rank_lay_out(&r, memory, room, threads);
    EACH(akin_gpu_rank_load(&r, batch, query, thread, threads));
    akin_gpu_rank_start(&r, batch);
    for (;;) {
        const akin_gpu_rank_step step = akin_gpu_rank_choose(&r, threads);
        if (step == AKIN_GPU_RANK_STOPPED)
            break;
        if (step == AKIN_GPU_RANK_PASSING) {
            EACH(akin_gpu_rank_pass(&r, lists, thread));
            host_rank.blocks += r.until - r.from;
            host_rank.passed += r.passed;
        } else if (step == AKIN_GPU_RANK_SCANNING) {
            const uint32_t before = r.queued;
            EACH(akin_gpu_rank_scan(&r, lists, thread, threads));
            host_rank.scanned += (uint64_t)r.scans * AKIN_GPU_RANK_BLOCK;
            host_rank.queued += r.queued - before;
        } else if (step == AKIN_GPU_RANK_WEIGHING) {
            const uint32_t before = r.items;
            EACH(akin_gpu_rank_weigh(&r, lists, thread));
            host_rank.weighed += r.taken;
            host_rank.found += r.items - before;
        } else {
            sort(&r, threads);
        }
        must(r.queued <= AKIN_GPU_RANK_QUEUE * threads && r.items <= room && r.passed <= threads / AKIN_GPU_RANK_PASS);
    }
    must(r.spent <= batch->budget + batch->budget / 2 + 4 * akin_gpu_rank_cost(&r));
    EACH(akin_gpu_rank_save(&r, batch, query, thread, threads));
    *spent += r.spent;
    free(memory);
    return AKIN_OK;
}

static akin_status rank_best(akin_device_stream *stream, const akin_gpu_lists *lists, const akin_gpu_rank_batch *batch,
                             akin_error *error)
{
    akin_status status = host_enter(error);
    must(batch->k > 0 && batch->k <= AKIN_GPU_RANK_MOST && batch->count <= AKIN_GPU_RANK_BATCH);
    const uint32_t threads = batch->which && host_rank.at_once == 0 ? MORE_THREADS : THREADS;
    uint64_t spent = 0;
    must(batch->budget > 0);
    for (uint32_t i = batch->count; i-- > 0 && status == AKIN_OK;)
        status = rank_query(lists, batch, batch->which ? batch->which[i] : i, threads, &spent, error);
    host_rank.launches++;
    host_rank.most_steps = spent > host_rank.most_steps ? spent : host_rank.most_steps;
    host_rank.queries += batch->count;
    return status;
}

const akin_rank_kernels host_rank_kernels = {rank_at_once, rank_best, rank_mark};
