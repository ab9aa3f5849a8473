/* Numbers items by what they have: equal ones have one number, in the order of the first item of each. */
#ifndef AKIN_DEDUPE_NUMBERING_H
#define AKIN_DEDUPE_NUMBERING_H

#include "base/memory.h"
#include "base/scope.h"

#define AKIN_NUMBER_NONE UINT32_MAX

/* Items 0 to count - 1. Threads call the functions at once. */
typedef struct akin_numbered {
    const void *items;
    uint32_t count;

    /* Makes the hashes of items first to end - 1. of[item] becomes AKIN_NUMBER_NONE if an item has nothing, else 0. */
    void (*hash)(const void *items, uint64_t seed, uint32_t first, uint32_t end, uint64_t *hashes, uint32_t *of);

    /* Whether two items, whose hashes are equal, are equal. */
    int (*same)(const void *items, uint32_t a, uint32_t b);
} akin_numbered;

/* The numbers of items. */
typedef struct akin_numbers {
    uint32_t *of;    /* of each item its number, or AKIN_NUMBER_NONE; room of the caller */
    uint32_t *first; /* of each number the first item that has it; to be freed */
    uint32_t count;
} akin_numbers;

/* Fills `numbers`, by all threads. `what` is for messages. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_number_items(const akin_scope *scope, akin_account *account, const akin_numbered *numbered,
                              const char *what, akin_numbers *numbers, akin_error *error);

#endif
