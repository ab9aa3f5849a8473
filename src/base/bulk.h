/*
 * Arrays that may outgrow the memory bound: on the heap up to a limit, beyond it in a mapped temporary file, which the
 * system writes out and drops from memory as it needs to.
 *
 *     akin_bulk bulk = akin_bulk_of(scope, NULL, share);    an empty array that may take `share` bytes of the heap
 *     akin_bulk_reserve(&bulk, bytes, "the titles", error);   room for `bytes` bytes; bulk.data may have moved
 *     akin_bulk_trim(&bulk, bytes);                           when it will grow no more
 *     akin_bulk_clear(&bulk);
 *
 * Several arrays that belong together have one share in a store. An array that grows when the share is used up goes to
 * a file.
 */
#ifndef AKIN_BASE_BULK_H
#define AKIN_BASE_BULK_H

#include "base/budget.h"
#include "base/scope.h"
#include "base/memory.h"

typedef struct akin_bulk {
    void *data;            /* aligned to 64 bytes; NULL while there is none */
    uint64_t capacity;     /* bytes */
    uint64_t limit;        /* bytes that it may have on the heap, if there is a directory */
    akin_account *account; /* charged for these; NULL: none */
    const char
        *directory;      /* of the temporary file; borrowed until the array grows no more; NULL: it stays on the heap */
    _Atomic int *reason; /* the store's; or NULL */
    int file;            /* its descriptor + 1 while the array may grow; 0: none */
    int mapped;          /* data is in that file */
} akin_bulk;

/* An empty array of at most `share` bytes on the heap, if the scope has a memory bound, else of any number. It goes
 * to its file, too, where the account's limit leaves it no room. */
akin_bulk akin_bulk_of(const akin_scope *scope, akin_account *account, uint64_t share);

/* An array that is a block of akin_alloc's, which becomes its own. */
akin_bulk akin_bulk_adopt(void *block);

/* Makes room for `bytes` bytes and keeps what is there; what is new holds zeros in a mapped file, and anything on the
 * heap. `what` is for messages. Errors: AKIN_E_NOMEM, AKIN_E_IO (the directory cannot be written, the disk is full);
 * the array is as before. */
akin_status akin_bulk_reserve(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error);

/* Room for at least `bytes` bytes, and half as much again as there was, so that adding piece by piece moves little. */
akin_status akin_bulk_grow(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error);

/* Room for `bytes` bytes in an empty array, all of them zero. */
akin_status akin_bulk_reserve_zeros(akin_bulk *bulk, uint64_t bytes, const char *what, akin_error *error);

/* Writes to each page of an array that holds nothing yet, by all threads; one in a mapped file is left alone. The
 * system clears a page when it is first written to: where that is at random places, the first few of them would clear
 * the whole array, and nobody could ask to stop. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_bulk_touch(const akin_scope *scope, akin_bulk *bulk, const char *what, akin_error *error);

/* Cuts a block on the heap to `bytes` bytes, and lets go of the directory: the array is not to grow from now on. */
void akin_bulk_trim(akin_bulk *bulk, uint64_t bytes);

/* Lets go of the memory of an array in a mapped file: its bytes stay, and are brought back when they are looked at. Its
 * memory counts as the process's until then, though the system may take it at any time. An array that grows piece by
 * piece in a file does so by itself. */
void akin_bulk_release(const akin_bulk *bulk);

/* Frees what it holds and empties it; an empty or zeroed one is allowed. */
void akin_bulk_clear(akin_bulk *bulk);

/* Frees what it holds; it may grow again, as when it was made. It has not been trimmed. */
void akin_bulk_empty(akin_bulk *bulk);

/* What arrays that belong together have in common; it stays where it is as long as they live. Several threads may make
 * arrays of one grow, each its own. */
typedef struct akin_store {
    akin_account account; /* its limit is the share; 0: any number */
    char *directory;      /* its own copy, NULL without a memory bound */
    _Atomic int reason;   /* the errno value of what went wrong with a file, for messages */
} akin_store;

/* A store in zeroed memory. If the scope (which may be NULL) has a memory bound, a share of it is what its arrays
 * may have of the heap. `what` is for the message. Errors: AKIN_E_NOMEM. */
akin_status akin_store_begin(akin_store *store, const akin_scope *scope, akin_budget_share share, const char *what,
                             akin_error *error);

/* Frees what it holds; its arrays have been cleared. */
void akin_store_clear(akin_store *store);

/* An empty array of the store. */
akin_bulk akin_bulk_in(akin_store *store);

/* The message for an array of the store that could not grow, where only its status was kept: AKIN_E_NOMEM, AKIN_E_IO.
 */
akin_status akin_store_fail(const akin_store *store, akin_status status, const char *what, akin_error *error);

#endif
