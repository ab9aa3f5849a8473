/* Looks up the words of a column, on the CPU, or on a GPU if that is faster. */
#include "device/devices.h"
#include "device/worth.h"
#include "dict/trie.h"
#include "dict/trie_gpu.h"
#include "dict/trie_walk.h"
#include "table/columns.h"

#define LOOKED_UP_A_SECOND 2e7  /* words that a thread looks up in a second */
#define SECONDS_ON_GPU     0.05 /* an estimate for any number of words; most of it is copies */

static int is_gpu_worth_it(const akin_scope *scope, uint32_t rows)
{
    const double scale = akin_calibrated_scale(scope, AKIN_CALIBRATED_LISTS);
    const akin_device_estimate e = {.here = scale * rows / (LOOKED_UP_A_SECOND * scope->threads),
                                    .there = SECONDS_ON_GPU};
    return akin_device_is_worth(scope, &e);
}

static akin_status look_up_here(const akin_scope *scope, const akin_trie *trie, const akin_column *words, uint32_t rows,
                                uint32_t *ids, akin_error *error)
{
    const akin_trie_batch batch = {words->bytes, words->offsets, words->offsets + 1, rows, ids};
    return akin_trie_walk(scope, trie, &batch, error);
}

static akin_status look_up_words(const akin_scope *scope, const akin_trie *trie, const akin_column *words,
                                 uint32_t rows, uint32_t *ids, akin_error *error)
{
    akin_device *device = NULL;
    akin_status status = is_gpu_worth_it(scope, rows) ? akin_device_of(scope, &device, error) : AKIN_OK;
    if (status == AKIN_OK && device) {
        const akin_trie_gpu_job job = {scope, device, trie, AKIN_BALANCE_CHOSEN};
        status = akin_trie_look_up_there(&job, words, rows, ids, error);
        if (status == AKIN_OK || status == AKIN_E_CANCELLED)
            return status;
        /* the CPU takes over if the GPU has too little memory, or if the GPU failed and was not required */
        if (status == AKIN_E_NOMEM || !akin_device_is_required(scope))
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
        status = look_up_words(scope, trie, words, rows, ids, error);
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
