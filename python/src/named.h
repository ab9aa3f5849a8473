/* What rows are called in results: their ids, or their numbers. */
#ifndef AKIN_PYTHON_NAMED_H
#define AKIN_PYTHON_NAMED_H

#include "module.h"

typedef struct named {
    const akin_column *ids; /* NULL: rows are called by their numbers */
    akin_type type;         /* of the column that their names are in */
} named;

/* Of an input whose column `index` has the ids; below 0: none has. `columns` are the input's. */
named named_of(const input *from, const akin_column *columns, int index);

/* Puts the name of a row into column `column` of a frame, as value `i` of the new rows at `data`, which is row `at` of
 * the frame. */
akin_status named_put(job *j, const named *names, akin_frame *made, uint32_t column, void *data, uint64_t i,
                      uint64_t at, uint32_t row);

#endif
