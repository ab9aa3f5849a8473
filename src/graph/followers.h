/* The rows of components behind their first one. */
#ifndef AKIN_GRAPH_FOLLOWERS_H
#define AKIN_GRAPH_FOLLOWERS_H

#include "base/memory.h"
#include "base/scope.h"

/*
 * Lists the rows that are not the first one of their component, which is their label, as numbers that sort by
 * component: label << 32 | row. They ascend by row; the caller sorts and frees them.
 *
 *     labels     0 1 2 0 0 2
 *     followers  0:3 0:4 2:5
 *
 * Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_followers_list(const akin_scope *scope, akin_account *account, const uint32_t *labels, uint32_t rows,
                                uint64_t **followers, uint64_t *count, akin_error *error);

#endif
