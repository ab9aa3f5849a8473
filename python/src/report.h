/* The report of a search for duplicates, which becomes a file. */
#ifndef AKIN_PYTHON_REPORT_H
#define AKIN_PYTHON_REPORT_H

#include "module.h"

typedef struct report {
    const char *path;
    akin_report_options options;
    akin_report *gathered;
    const char **names; /* of tables: what the options point to */
    akin_column ids[2], *gold;
} report;

/*
 * Takes a tuple (path, names of tables, the columns of ids or -1, gold or None, whether it is reproducible), or None:
 * then nothing is gathered. The objects in it must live until report_clear, which may follow in any case. 0, and an
 * exception.
 */
int report_begin(report *r, job *j, PyObject *spec, const input *left, const input *right,
                 const akin_dedupe_plan *plan);
akin_status report_write(const report *r, job *j);
void report_clear(report *r);

#endif
