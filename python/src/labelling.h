/* Labellings: answers to learn from, and the next question. */
#ifndef AKIN_PYTHON_LABELLING_H
#define AKIN_PYTHON_LABELLING_H

#include "module.h"

/* The labelling of a job, and answers that it is to take first. */
typedef struct labelled {
    akin_labelling *labelling; /* NULL: there is none */
    akin_column ids[2];        /* size 0: rows have numbers */
    akin_column *answers;      /* three columns, freed with PyMem_Free; NULL: there are none */
    uint32_t count;            /* of the answers */
} labelled;

/* Takes (labelling, number of the column of ids, likewise of the right table, answers or None), or None. 0, and an
 * exception. */
int labelled_take(labelled *out, const job *j, PyObject *spec, const input *left, const input *right);

/* Adds the answers, without the interpreter. */
akin_status labelled_add(const labelled *l, job *j, const uint32_t rows[2]);

#endif
