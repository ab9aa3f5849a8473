/*
 * A GPU that is made of host memory, for frozen dictionaries (src/dict/trie_gpu.c): the linker puts these functions in the place
 * of those of the device and of the kernels. So what is brought there, how words are cut in chunks, and the arithmetic of the
 * kernels (src/dict/trie_step.h) run where there is no GPU, and under the sanitizers: blocks are just as long as was asked for. What
 * they do not show is how threads of a real one deal words out among them.
 */
#include "property/host_trie.h"

#include "property/host_device.h"

#include "dict/trie_step.h"

#define LANES 32

static akin_device the_device;

host_trie_state host_trie;

/* Stops the test where the host asks for what no kernel can do. */
static void must(int holds)
{
    if (!holds)
        abort();
}

int host_trie_holds(void)
{
    return the_device.blocks;
}

akin_device *host_trie_device(void)
{
    return &the_device;
}

akin_status __wrap_akin_device_of(akin_context *context, akin_device **out, akin_error *error)
{
    int asked = context->device_choice == AKIN_DEVICE_CUDA;
    must(the_device.blocks == 0); /* or the job before left some */
    *out = NULL;
    host_trie.asked++;
    if (context->device_choice == AKIN_DEVICE_CPU)
        return AKIN_OK;
    akin_status status = enter(asked ? error : NULL);
    if (status == AKIN_OK && host_trie.is_absent)
        status = akin_fail(asked ? error : NULL, AKIN_E_DEVICE, "there is no GPU");
    *out = status == AKIN_OK ? &the_device : NULL;
    return asked ? status : AKIN_OK;
}

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

akin_status __wrap_akin_gpu_trie_look_up(akin_device_stream *stream, const akin_gpu_trie *trie,
                                         const akin_gpu_words *words, akin_balance balance, uint32_t *ids,
                                         akin_error *error)
{
    akin_status status = enter(error);
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
