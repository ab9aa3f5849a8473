/* The shapes of random collections that the joins are tried on: each is there for an edge of some filter, tile or
 * table. */
#ifndef AKIN_TEST_SHAPES_H
#define AKIN_TEST_SHAPES_H

#include "base/random.h"
#include "property/rows.h"

typedef struct shape {
    const char *name;
    uint32_t rows;
    uint32_t parameter; /* what it means differs: universe, size, ... */
    void (*make)(akin_random *random, uint32_t parameter, uint32_t count, rows *out);
    int every; /* small enough to try every technique, level and number of threads on it */
} shape;

extern const shape shapes[];
extern const size_t shapes_count;

/* Makes two collections of a shape: the left one has shape->rows rows, the right one some, and a part of these are
 * altered copies of left rows. */
void shape_make(const shape *shape, akin_random *random, rows *left, rows *right);

#endif
