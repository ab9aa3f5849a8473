/* The paper's techniques on the GPU: a thread for each item, whose work is in steps.h. */
#include "device/kernel.h"
#include "papers/weigh/steps.h"

#define THREADS 256

template <akin_paper_function *Function>
static __global__ void __launch_bounds__(THREADS) run_step(const akin_paper_view view, uint64_t first, uint64_t count)
{
    const uint64_t i = first + (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        Function(&view, i);
}

typedef void (*kernel)(const akin_paper_view, uint64_t, uint64_t);

struct named {
    kernel run;
    const char *name;
};

#define ROW(step, function) {run_step<function>, #step},

static const named kernels[] = {AKIN_PAPER_EACH_STEP(ROW)};
static_assert(sizeof kernels / sizeof *kernels == AKIN_PAPER_STEPS, "in the order of akin_paper_step");

static akin_status paper_run(akin_device_stream *stream, akin_paper_step step, const akin_paper_view *view,
                             uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint64_t first = 0; first < count && status == AKIN_OK; first += AKIN_GPU_ITEMS) {
        const uint64_t left = count - first, some = left < AKIN_GPU_ITEMS ? left : AKIN_GPU_ITEMS;
        kernels[step].run<<<(unsigned)((some + THREADS - 1) / THREADS), THREADS, 0, akin_device_stream_cuda(stream)>>>(
            *view, first, count);
        status = akin_device_launched(stream, kernels[step].name, error);
    }
    return status;
}

const akin_weigh_paper_kernels akin_cuda_weigh_paper = {paper_run};
