/* Puts rows of tokens together. */
#include "property/rows.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

/* Room for `used` items and more, in blocks whose sizes are powers of two. */
static void *with_room(void *block, uint64_t used, uint64_t more, size_t size)
{
    uint64_t room = 16;
    while (room < used)
        room *= 2;
    if (block && used + more <= room)
        return block;
    while (room < used + more)
        room *= 2;
    block = realloc(block, room * size);
    if (!block)
        abort();
    return block;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void rows_add(rows *rows, const uint32_t *tokens, uint32_t size)
{
    uint32_t *own = malloc(((size_t)size + 1) * sizeof *own);
    if (!own)
        abort();
    if (size)
        memcpy(own, tokens, size * sizeof *own);
    qsort(own, size, sizeof *own, compare);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < size; i++)
        if (i == 0 || own[i] != own[i - 1])
            own[distinct++] = own[i];
    uint64_t used = rows->count ? rows->offsets[rows->count] : 0;
    rows->offsets = with_room(rows->offsets, rows->count ? (uint64_t)rows->count + 1 : 0, 2, sizeof *rows->offsets);
    rows->tokens = with_room(rows->tokens, used, distinct, sizeof *rows->tokens);
    memcpy(rows->tokens + used, own, distinct * sizeof *own);
    rows->offsets[rows->count++] = used;
    rows->offsets[rows->count] = used + distinct;
    free(own);
}

void rows_clear(rows *rows)
{
    free(rows->offsets);
    free(rows->tokens);
    memset(rows, 0, sizeof *rows);
}

akin_sets *rows_to_sets(const rows *rows)
{
    static const uint64_t nothing[1] = {0};
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_sets *sets = NULL;
    if (akin_sets_from_arrays(&context, rows->count, rows->count ? rows->offsets : nothing, rows->tokens, &sets, NULL))
        abort();
    return sets;
}
