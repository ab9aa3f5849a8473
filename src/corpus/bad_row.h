/* The lowest row whose text cannot be taken, which threads find. Tasks before the first one that fails are all done, so
 * it is the same with any number of threads. */
#ifndef AKIN_CORPUS_BAD_ROW_H
#define AKIN_CORPUS_BAD_ROW_H

#include <stdatomic.h>
#include <stdint.h>

#define AKIN_BAD_ROW_NONE UINT64_MAX

/* AKIN_BAD_ROW_NONE at first. */
typedef _Atomic uint64_t akin_bad_row;

static inline void akin_bad_row_note(akin_bad_row *bad, uint64_t row)
{
    uint64_t held = *bad;
    while (row < held && !atomic_compare_exchange_weak(bad, &held, row))
        ;
}

#endif
