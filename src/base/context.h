/* The context of a run, and what the rooms ask of it: threads, SIMD level, progress, cancelling. */
#ifndef AKIN_BASE_CONTEXT_H
#define AKIN_BASE_CONTEXT_H

#include "base/cpu.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the option `device` asks for. */
typedef enum akin_device_choice { AKIN_DEVICE_AUTO, AKIN_DEVICE_CPU, AKIN_DEVICE_CUDA } akin_device_choice;

#define AKIN_DEVICES_MOST 16 /* GPUs that a context has */

struct akin_context {
    uint32_t threads; /* at least 1 */
    akin_cpu cpu;
    akin_cpu cpu_best;
    void (*progress)(void *user, const akin_progress *progress);
    int (*cancel)(void *user);
    void *user;
    /* How many times as long as the planner's prices say joins by index, screened and bitmap take; 0: 1. */
    double scale[3];
    /* And of a GPU: to open it, bring sets there, compare signatures, verify candidates; 0: 1. */
    double scale_gpu[4];
    uint64_t memory; /* the bound, in bytes; 0: none */
    char *temporary; /* the directory for temporary files, the context's own; NULL: /tmp */
    /* The GPU, which jobs get from akin_device_of (device/device.h). */
    akin_device_choice device_choice;
    uint32_t device_number;                     /* the first of them */
    uint16_t device_numbers[AKIN_DEVICES_MOST]; /* of several, those asked for */
    uint32_t device_count;                      /* so many; 0: one, or with device_all what there is */
    int device_all;                             /* all, and the CPU with them */
    uint64_t device_memory;                     /* the most that each may hold, in bytes; 0: what is free */
    const struct akin_device_backend *backend;  /* that opens them (device/backend.h); NULL: the one built in */
    struct akin_device *device;                 /* the first, open; NULL: not yet, or none */
    struct akin_devices *devices;               /* all of them, once a job asked for them */
    int device_tried;                           /* opening the first was tried */
    /* Wishes of tests; 0: as memory permits. Of a bounded join's parts the most tokens that two of them have; the pairs
     * that a thread keeps before it puts them aside; and the runs of pairs that are merged at once. */
    uint64_t part_tokens, pairs_a_run, runs_a_merge;
    uint64_t sample_cells;   /* that measuring the pairs of a report's sample may take */
    uint64_t candidates;     /* that a GPU's buffer has room for; its tasks are small then, too */
    uint64_t share_tokens;   /* that a share of a GPU has at most, on both sides */
    int share_all;           /* GPUs share what is short, too, and the CPU takes its part, worth it or not */
    int kernel;              /* of the tensor join: an akin_tensor_kernel (join/kernels.h) */
    int cut_all;             /* and a join is cut into buckets wherever it can be, cheaper or not */
    const akin_annex *annex; /* rows for tables of the library (base/annex.h); NULL: none */
    const struct akin_gpu_prices *gpu_prices; /* of a GPU (join/price.h); NULL: those built in */
};

/* The least bound that a context takes. */
#define AKIN_MEMORY_LEAST  ((uint64_t)16 << 20)
#define AKIN_MEMORY_THREAD ((uint64_t)4 << 20) /* of it, for a thread */

/*
 * How a bound is divided. What lasts from job to job has a share of its own, as long as it lives:
 *
 *     a collection 1/8      a dictionary 1/32      a table 1/64      clusters 1/64
 *
 * and the job at hand, be it making sets of text or a join, five eighths. That leaves an eighth, with two collections,
 * for tables, dictionaries, clusters, and for the buffers that files are read and written through.
 */
static inline uint64_t akin_memory_job(uint64_t memory)
{
    return memory / 8 * 5;
}

/* How many threads a job may have: under a bound there must be memory for what each of them works in. */
static inline uint32_t akin_memory_threads(const akin_context *context)
{
    uint64_t most = context->memory / AKIN_MEMORY_THREAD;
    if (!context->memory || most >= context->threads)
        return context->threads;
    return most > 0 ? (uint32_t)most : 1;
}

/* The directory for temporary files. */
static inline const char *akin_context_temporary(const akin_context *context)
{
    return context->temporary ? context->temporary : "/tmp";
}

/* Tells the callbacks how far the job is (phase NULL: only asks whether to stop); AKIN_E_CANCELLED if the caller asked
 * to stop, else AKIN_OK. To be called on the job's own thread only, at most every few milliseconds or so. */
akin_status akin_context_report(akin_context *context, const char *phase, uint64_t done, uint64_t total);

/* The same where pieces of work are counted, whatever the phase. */
akin_status akin_context_report_pieces(akin_context *context, const char *phase, uint64_t done, uint64_t total);

#ifdef __cplusplus
}
#endif

#endif
