/*
 * The kernels of frozen dictionaries on the GPU that the host plays (property/host_device.h), by the arithmetic of
 * src/dict/trie_step.h and the steps of the forms. They do not show how threads of a real GPU share out words.
 */
#include "property/host_trie.h"

#include "property/host_kernel.h"

#include "dict/chunks_step.h"
#include "papers/dict/kernels.h"
#include "papers/dict/rrr_step.h"
#include "papers/dict/stt_step.h"

#define LANES 32

host_trie_state host_trie;

/* ------------------------------------------------------------------------------------------------------ the kernels */

/* Lanes that go on step by step, and get the next word as soon as theirs has ended. */
static void play_refill(const akin_gpu_trie *trie, akin_gpu_step *step, const akin_gpu_words *words, uint32_t *ids)
{
    akin_walk walks[LANES];
    uint64_t word[LANES], next = 0;
    int goes_on[LANES] = {0};
    for (int busy = 1; busy || next < words->count;) {
        busy = 0;
        for (int lane = 0; lane < LANES; lane++) {
            if (goes_on[lane]) {
                goes_on[lane] = akin_walk_on(trie, step, words, &walks[lane]);
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

static akin_status play_look_up(const akin_gpu_trie *trie, akin_gpu_step *step, const akin_gpu_words *words,
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
        play_refill(trie, step, words, ids);
    else
        for (uint64_t i = 0; i < words->count; i++)
            ids[i] = akin_walk_all(trie, step, words, i);
    return AKIN_OK;
}

#define LOOK_UP_BY(form)                                                                                               \
    static akin_status look_up_##form(akin_device_stream *stream, const akin_gpu_trie *trie,                           \
                                      const akin_gpu_words *words, akin_balance balance, uint32_t *ids,                \
                                      akin_error *error)                                                               \
    {                                                                                                                  \
        return play_look_up(trie, akin_step_##form, words, balance, ids, error);                                       \
    }

LOOK_UP_BY(chunks)
LOOK_UP_BY(rrr)
LOOK_UP_BY(stt)

const akin_trie_kernels host_trie_kernels = {look_up_chunks};
const akin_paper_trie_kernels host_paper_trie_kernels = {look_up_rrr, look_up_stt};
