/*
 * The kernel of frozen dictionaries on the GPU that the host plays (property/host_device.h), by the arithmetic of
 * src/dict/trie_step.h. It does not show how threads of a real GPU deal words out among them.
 */
#include "property/host_trie.h"

#include "property/host_kernel.h"

#include "dict/trie_step.h"

#define LANES 32

host_trie_state host_trie;

/* ----------------------------------------------------------------------------------------------------------- the kernels */

/* Lanes that go on step by step, and get the next word as soon as theirs has ended. */
static void refill(const akin_gpu_trie *trie, const akin_gpu_words *words, uint32_t *ids)
{
    akin_walk walks[LANES];
    uint64_t word[LANES], next = 0;
    int goes_on[LANES] = {0};
    for (int busy = 1; busy || next < words->count;) {
        busy = 0;
        for (int lane = 0; lane < LANES; lane++) {
            if (goes_on[lane]) {
                goes_on[lane] = akin_walk_on(trie, trie->kind, words, &walks[lane]);
                host_trie.steps++;
            } else if (next < words->count) {
                word[lane] = next;
                goes_on[lane] = akin_walk_begin(trie, words, next++, &walks[lane]);
            } else {
                continue;
            }
            busy |= goes_on[lane];
            if (!goes_on[lane])
                ids[word[lane]] = walks[lane].node;
        }
    }
}

static akin_status gpu_trie_look_up(akin_device_stream *stream, const akin_gpu_trie *trie, const akin_gpu_words *words,
                                    akin_balance balance, uint32_t *ids, akin_error *error)
{
    akin_status status = host_enter(error);
    must(words->count > 0 && (unsigned)balance < AKIN_BALANCES);
    must(words->ends[words->count - 1] - words->begins[0] <= 8 << 20); /* or the launch would take too long */
    must(trie->longest <= AKIN_GPU_WORD && (uintptr_t)trie->edges % sizeof(akin_quad) == 0);
    if (status != AKIN_OK)
        return status;
    host_trie.launches++;
    host_trie.words += words->count;
    host_trie.most = host_trie.most > words->count ? host_trie.most : words->count;
    if (balance == AKIN_BALANCE_REFILL)
        refill(trie, words, ids);
    else
        for (uint64_t i = 0; i < words->count; i++)
            ids[i] = akin_walk_all(trie, trie->kind, words, i);
    return AKIN_OK;
}

const akin_trie_kernels host_trie_kernels = {gpu_trie_look_up};
