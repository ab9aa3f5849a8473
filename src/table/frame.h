/*
 * Frames: columns of results that grow, and are shared with those who hold arrays of them once they have been exported.
 *
 *     frame (holders) <-- stream, array, each child of an array: one hold each
 */
#ifndef AKIN_TABLE_FRAME_H
#define AKIN_TABLE_FRAME_H

#include "base/scope.h"
#include "table/strings.h"

#include <stdatomic.h>

typedef struct akin_frame_column {
    akin_type type;
    char *name;
    akin_bulk data;     /* of what is not text; of bool a byte each until it is exported, then a bit */
    akin_bulk validity; /* likewise, empty as long as there are no nulls */
    uint64_t nulls;
    akin_strings text;
} akin_frame_column;

struct akin_frame {
    akin_store store;
    _Atomic uint64_t holders;
    int is_exported;
    uint32_t count;
    uint64_t rows;
    akin_frame_column *columns;
};

#endif
