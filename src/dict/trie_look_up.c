/* Looks up the words of a column: on the CPU, or on a GPU where that is worth it. */
#include "base/memory.h"
#include "dict/trie_walk.h"

akin_status akin_trie_look_up(akin_context *context, const akin_trie *trie, const akin_column *words, uint32_t rows,
                              uint32_t *ids, akin_error *error)
{
    const akin_trie_batch batch = {words->bytes, words->offsets, words->offsets + 1, rows, ids};
    if (rows == 0)
        return AKIN_OK;
    akin_status status = akin_trie_walk(context, trie, &batch, error);
    for (uint32_t row = 0; words->validity && row < rows && status == AKIN_OK; row++)
        if ((words->validity[row / 8] >> row % 8 & 1) == 0)
            ids[row] = AKIN_TRIE_UNKNOWN;
    return status;
}
