/* A bit for each place of a text: whether the window that begins there is marked. Threads mark at once. */
#ifndef AKIN_CORPUS_MARKS_H
#define AKIN_CORPUS_MARKS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct akin_marks {
    _Atomic uint64_t *words; /* the caller's */
    uint64_t count;          /* of places */
} akin_marks;

/* Marks the places from `begin` on, before `end`. */
void akin_marks_set(akin_marks *marks, uint64_t begin, uint64_t end);

/* The first place from `place` on, before `end`, that is marked, or that is not; the end if there is none. */
uint64_t akin_marks_next(const akin_marks *marks, uint64_t place, uint64_t end);
uint64_t akin_marks_next_free(const akin_marks *marks, uint64_t place, uint64_t end);

#endif
