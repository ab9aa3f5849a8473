/* What the tests of forests share: the pairs of a frame. */
#ifndef AKIN_TEST_GRAPH_FOREST_H
#define AKIN_TEST_GRAPH_FOREST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "akin.h"

/* A result, which owns what its columns are in. */
typedef struct forest {
    struct ArrowSchema schema;
    struct ArrowArray array;
    uint64_t rows;
    const void *numbers[2];
    akin_column text[2];
} forest;

/* Takes the content of a frame, which it frees. */
static inline forest forest_of(akin_frame *frame)
{
    forest f = {.rows = akin_frame_rows(frame)};
    assert_int_equal(akin_frame_export_array(frame, &f.schema, &f.array, NULL), AKIN_OK);
    akin_frame_free(frame);
    assert_int_equal(f.array.n_children, 2);
    for (int side = 0; side < 2; side++) {
        const struct ArrowArray *child = f.array.children[side];
        f.numbers[side] = child->buffers[1];
        f.text[side] = (akin_column)AKIN_COLUMN_INIT;
        f.text[side].offsets = child->buffers[1];
        f.text[side].bytes = child->n_buffers > 2 ? child->buffers[2] : NULL;
    }
    return f;
}

static inline void forest_clear(forest *f)
{
    f->schema.release(&f->schema);
    f->array.release(&f->array);
}

#endif
