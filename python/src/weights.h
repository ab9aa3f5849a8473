/* Weights of the terms of documents. */
#ifndef AKIN_PYTHON_WEIGHTS_H
#define AKIN_PYTHON_WEIGHTS_H

#include "module.h"

typedef struct weights {
    PyObject_HEAD akin_weights *weights; /* by term */
} weights;

/* The figures of a collection, which weights and indexes have in common. */
PyObject *figures(uint32_t documents, uint32_t terms, uint64_t words, uint64_t pairs);

#endif
