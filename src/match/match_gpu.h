/* The join of two batches of strings on a GPU. */
#ifndef AKIN_MATCH_MATCH_GPU_H
#define AKIN_MATCH_MATCH_GPU_H

#include "device/device.h"
#include "strings/scan.h"

/* Takes a pair of places, and its distance or 0; 0: memory is short, or no more are wanted. */
typedef int (*akin_strings_take)(void *user, uint32_t probe, uint32_t other, uint32_t distance);

typedef struct akin_match_gpu_job {
    const akin_scope *scope;
    akin_account *account;
    akin_device *device;
    const akin_cutoff *cutoff;
    const akin_strings_batch *probes, *others; /* the same one: probes meet those behind them */
    akin_strings_take take;                    /* NULL: pairs are only counted */
    void *user;
    /* the work done is added to these */
    uint64_t found, compatible, candidates;
    int refused; /* `take` answered 0 */
} akin_match_gpu_job;

/* Whether a batch is one that a GPU joins: symbols that are bytes, in strings that are not too long, and not of too
 * many lengths. *why names what is not so. */
int akin_match_gpu_can(const akin_strings_batch *batch, const char **why);

/* The bytes of GPU memory that a batch takes, of each string and of each symbol. */
#define AKIN_STRINGS_GPU_STRING 40
#define AKIN_STRINGS_GPU_SYMBOL 2

/* Errors: AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED; if `refused` is set, what the caller knows. */
akin_status akin_match_gpu_join(akin_match_gpu_job *job, akin_error *error);

#endif
