/* A bit for each place of a text: whether the window that begins there is marked. Threads mark at once. */
#ifndef AKIN_CORPUS_MARKS_H
#define AKIN_CORPUS_MARKS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct akin_marks {
    _Atomic uint64_t *words; /* the caller's */
    uint64_t count;          /* of places */
} akin_marks;

/* Marks the places from `begin` on, before `end`, or takes their marks away. */
void akin_marks_set(akin_marks *marks, uint64_t begin, uint64_t end);
void akin_marks_unset(akin_marks *marks, uint64_t begin, uint64_t end);

static inline int akin_marks_has(const akin_marks *marks, uint64_t place)
{
    return atomic_load_explicit(&marks->words[place / 64], memory_order_relaxed) >> place % 64 & 1 ? 1 : 0;
}

/* The first place from `place` on, before `end`, that is marked, or that is not; the end if there is none. */
uint64_t akin_marks_next(const akin_marks *marks, uint64_t place, uint64_t end);
uint64_t akin_marks_next_free(const akin_marks *marks, uint64_t place, uint64_t end);

#endif
