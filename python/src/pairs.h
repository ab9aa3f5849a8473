/* Pairs that a job gives, taken into a frame as they come. */
#ifndef AKIN_PYTHON_PAIRS_H
#define AKIN_PYTHON_PAIRS_H

#include "module.h"

/* Columns left, right, a number (u32 all) and similarity (f64). */
typedef struct pairs {
    akin_frame *frame;
    int has_number;     /* the third of them is there */
    akin_status status; /* of taking them */
    akin_error error;
    akin_measure measure;
    const akin_sets *left, *right; /* what similarity is computed of */
} pairs;

/* `number` names the column behind the rows; NULL: there is none. Errors: those of akin_frame_create. */
akin_status pairs_begin(pairs *p, job *j, const char *number);

/* Columns left, right and distance alone, for pairs_take_rows. */
akin_status pairs_begin_distances(pairs *p, job *j);

/* The sinks of akin_join, and akin_match, which leaves zeros for similarity. */
int pairs_take(void *user, const akin_pair *taken, size_t count);
int pairs_take_rows(void *user, const akin_pair *taken, size_t count);

/* The sink of akin_graphs_join: pairs_take_rows, with nulls for undecided distances. */
int pairs_take_graphs(void *user, const akin_pair *taken, size_t count);

/* The frame as an object; or what went wrong, which `status` of the job need not say. */
PyObject *pairs_end(pairs *p, job *j, akin_status status);

#endif
