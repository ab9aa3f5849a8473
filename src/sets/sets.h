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

#include "base/budget.h"
#include "base/bulk.h"
#include "base/container.h"

#include <stddef.h>

struct akin_sets {
    uint32_t rows;
    const uint64_t *offsets;
    const uint32_t *tokens;
    akin_bulk own[2];          /* the arrays; with a container, the block that it was parsed from, if there is one */
    akin_container *container; /* what the arrays are a part of; NULL: they are its own */
};

/* Makes a collection of two blocks (see base/memory.h) that hold the invariants. The blocks are the collection's from
 * then on, and the caller's still if it fails. Errors: AKIN_E_NOMEM. */
akin_status akin_sets_adopt(uint32_t rows, uint64_t *offsets, uint32_t *tokens, akin_sets **out, akin_error *error);

/* The same for arrays that may be in mapped files. The memory behind their content is given back. */
akin_status akin_sets_adopt_bulks(uint32_t rows, akin_bulk *offsets, akin_bulk *tokens, akin_sets **out,
                                  akin_error *error);

/* What an array of a collection that is being read may have of the heap, of a memory bound: together those of two
 * collections take a quarter of it. */
static inline uint64_t akin_sets_share(const akin_scope *scope)
{
    return akin_budget(scope, AKIN_BUDGET_SETS);
}

/* The bytes of the heap that the arrays of a collection take. */
static inline uint64_t akin_sets_heap(const akin_sets *sets)
{
    return (sets->own[0].mapped ? 0 : sets->own[0].capacity) + (sets->own[1].mapped ? 0 : sets->own[1].capacity);
}

/* Puts `count` tokens in ascending order, each once, and returns how many are left. Cheap if they are so already. */
size_t akin_tokens_arrange(uint32_t *tokens, size_t count);

/* How many of `count` tokens do not exceed the one before. */
uint64_t akin_tokens_falls(const uint32_t *tokens, size_t count);

/*
 * Opens a collection saved by akin_sets_save. The checksums of the container show that the file is as it was written.
 * This function checks each invariant of a collection, so that later code can rely on them. Errors: AKIN_E_INPUT names
 * the file and the row; AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_sets_open(const akin_scope *scope, const char *path, akin_sets **out, akin_error *error);

/* The same from `length` bytes in memory, which become the collection's, and stay the caller's if it fails; `name` is
 * for messages. */
akin_status akin_sets_parse(const akin_scope *scope, const char *name, akin_bulk *image, uint64_t length,
                            akin_sets **out, akin_error *error);

/* Takes a collection from a container, which becomes its own, or is closed if it is mapped, or has no collection. */
akin_status akin_sets_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                   akin_sets **out, akin_error *error);

#endif
