/*
 * What a collection of sets is made of, and how the room makes one.
 *
 *     offsets   rows + 1 numbers, from 0 to the number of tokens, never falling
 *     tokens    | row 0, ascending, distinct | row 1 | ... : row r is tokens[offsets[r]] .. tokens[offsets[r + 1] - 1]
 *
 * Whoever makes a collection sees to these invariants; whoever uses one relies on them.
 */
#ifndef AKIN_SETS_SETS_H
#define AKIN_SETS_SETS_H

#include "base/container.h"

#include <stddef.h>

struct akin_sets {
    uint32_t rows;
    const uint64_t *offsets;
    const uint32_t *tokens;
    akin_container *container; /* what the arrays are a part of; NULL: they are blocks of their own */
    void *image;               /* the block that the container was parsed from; NULL: it is a mapped file, or none */
};

/* Makes a collection of two blocks (see base/memory.h) that hold the invariants. The blocks are the collection's from
 * then on, and the caller's still if it fails. Errors: AKIN_E_NOMEM. */
akin_status akin_sets_adopt(uint32_t rows, uint64_t *offsets, uint32_t *tokens, akin_sets **out, akin_error *error);

/* Puts `count` tokens in ascending order, each once, and returns how many are left. Cheap if they are so already. */
size_t akin_tokens_arrange(uint32_t *tokens, size_t count);

/* How many of `count` tokens do not exceed the one before. */
uint64_t akin_tokens_falls(const uint32_t *tokens, size_t count);

/*
 * Opens a collection saved by akin_sets_save. The container's checksums say that the file is as it was written; that it
 * holds a collection is checked here, invariant by invariant, so that nothing that follows has to distrust it.
 * Errors: AKIN_E_INPUT names the file and the row; AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_sets_open(akin_context *context, const char *path, akin_sets **out, akin_error *error);

/* The same from a block in memory, which becomes the collection's, and stays the caller's if it fails; `name` is for
 * messages. */
akin_status akin_sets_parse(akin_context *context, const char *name, void *image, uint64_t length, akin_sets **out,
                            akin_error *error);

#endif
