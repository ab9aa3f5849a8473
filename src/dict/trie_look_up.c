/* Looks up the words of a column: on the CPU, or on a GPU where that is worth it. */
#include "dict/trie_gpu.h"
#include "dict/trie_walk.h"
#include "table/columns.h"

#define LOOKED_UP_A_SECOND 2e7  /* words, by a thread */
#define SECONDS_TO_OPEN    2.0  /* what a GPU must save to be opened, */
#define SECONDS_TO_USE     0.05 /* or, once it is open, to be used */

/* Whether a GPU is predicted to save enough time, or was asked for. */
static int wants_gpu(const akin_scope *scope, uint32_t rows)
{
    double seconds = rows / (LOOKED_UP_A_SECOND * scope->threads);
    if (scope->device_choice == AKIN_DEVICE_AUTO)
        return seconds > (akin_device_opened(scope) ? SECONDS_TO_USE : SECONDS_TO_OPEN);
    return scope->device_choice == AKIN_DEVICE_CUDA;
}

static akin_status look_up_here(const akin_scope *scope, const akin_trie *trie, const akin_column *words, uint32_t rows,
                                uint32_t *ids, akin_error *error)
{
    const akin_trie_batch batch = {words->bytes, words->offsets, words->offsets + 1, rows, ids};
    return akin_trie_walk(scope, trie, &batch, error);
}

static akin_status look_up(const akin_scope *scope, const akin_trie *trie, const akin_column *words, uint32_t rows,
                           uint32_t *ids, akin_error *error)
{
    akin_device *device = NULL;
    akin_status status = wants_gpu(scope, rows) ? akin_device_of(scope, &device, error) : AKIN_OK;
    if (status == AKIN_OK && device) {
        const akin_trie_asking asking = {scope, device, trie, AKIN_BALANCE_CHOSEN};
        status = akin_trie_look_up_there(&asking, words, rows, ids, error);
        if (status == AKIN_OK || status == AKIN_E_CANCELLED)
            return status;
        /* it has too little memory, and the CPU has what it takes; or it failed, and was not asked for */
        if (status == AKIN_E_NOMEM || scope->device_choice == AKIN_DEVICE_AUTO)
            status = AKIN_OK;
    }
    return status == AKIN_OK ? look_up_here(scope, trie, words, rows, ids, error) : status;
}

akin_status akin_trie_look_up_within(const akin_scope *scope, const akin_trie *trie, const akin_column *words,
                                     uint32_t rows, uint32_t *ids, akin_error *error)
{
    if (rows == 0)
        return AKIN_OK;
    akin_status status = akin_table_columns_check(words, 1, rows, "look up", error);
    if (status == AKIN_OK)
        status = look_up(scope, trie, words, rows, ids, error);
    for (uint32_t row = 0; words->validity && row < rows && status == AKIN_OK; row++)
        if ((words->validity[row / 8] >> row % 8 & 1) == 0)
            ids[row] = AKIN_TRIE_UNKNOWN;
    return status;
}

akin_status akin_trie_look_up(akin_context *context, const akin_trie *trie, const akin_column *words, uint32_t rows,
                              uint32_t *ids, akin_error *error)
{
    return akin_trie_look_up_within(akin_scope_of(context), trie, words, rows, ids, error);
}
