/* What rows are called in results. */
#include "named.h"

#include "frame.h"

named named_of(const input *from, const akin_column *columns, int index)
{
    if (index < 0)
        return (named){NULL, AKIN_TYPE_U32};
    return (named){&columns[index], akin_table_column_type(from->table, (uint32_t)index)};
}

akin_status named_put(job *j, const named *names, akin_frame *made, uint32_t column, void *data, uint64_t i,
                      uint64_t at, uint32_t row)
{
    const akin_column *ids = names->ids;
    if (!ids) {
        ((uint32_t *)data)[i] = row;
        return AKIN_OK;
    }
    const int is_null = ids->validity && !(ids->validity[row / 8] >> row % 8 & 1);
    return frame_put(made, column, names->type, data, i, at, is_null ? NULL : ids->bytes + ids->offsets[row],
                     ids->offsets[row + UINT64_C(1)] - ids->offsets[row], &j->error);
}
