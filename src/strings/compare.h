/* What comparisons of two strings, of rows and of all cells have in common: the checks of what they are given, and the
 * workers of the threads. */
#ifndef AKIN_STRINGS_COMPARE_H
#define AKIN_STRINGS_COMPARE_H

#include "base/error.h"
#include "base/parallel.h"
#include "strings/comparer.h"

/* Reads the options of a comparison that sees two strings and no others. */
akin_status akin_compare_read(const akin_compare_options *given, akin_compare_options *own, akin_error *error);

/* Whether rows list[i], or i if the list is NULL, for i below count, are there, and have offsets that can be. `side`
 * names the column. */
akin_status akin_compare_check_rows(const akin_column *column, uint32_t rows, const uint32_t *list, uint64_t count,
                                    const char *side, akin_error *error);

/* Sets the error of a row that cannot be compared. */
akin_status akin_compare_fail_row(akin_error *error, akin_status status, const akin_column *column, const char *side,
                                  uint32_t row);

/* What a thread has to compare rows of two columns. */
typedef struct akin_compare_worker {
    _Alignas(64) akin_comparer comparer;
    akin_cancellation cancellation;
    uint64_t at;        /* the pair, or the task, at which it failed, if it did: */
    akin_status status; /* how, */
    int side;           /* and at which row: 0: a left one */
    uint32_t row;
} akin_compare_worker;

/* Makes one for each thread of a scope, which is borrowed, as `stopped` is; in *out, for akin_compare_workers_free in
 * any case. */
akin_status akin_compare_workers_make(const akin_scope *scope, akin_account *account,
                                      const akin_compare_options *options, const akin_ratio *cutoff,
                                      atomic_int *stopped, akin_compare_worker **out, akin_error *error);
void akin_compare_workers_free(akin_compare_worker *workers, uint32_t threads);

/* The error of a job that ended with `status`. A thread stops at its first failure. The caller gets the failure of the
 * first pair, or task, among these. */
akin_status akin_compare_workers_fail(const akin_compare_worker *workers, uint32_t threads, akin_status status,
                                      const akin_column *const columns[2], akin_error *error);

#endif
