/* Weights of the terms of documents. */
#ifndef AKIN_PYTHON_WEIGHTS_H
#define AKIN_PYTHON_WEIGHTS_H

#include "module.h"

typedef struct weights {
    PyObject_HEAD akin_weights *weights; /* by term, unless they are only to be written */
} weights;

/* Reads a tuple (formula, k1, b, delta, stem or None, technique, dictionary or None, unknown). 0, and an exception. */
int weigh_options_take(job *j, PyObject *spec, akin_weigh_options *out);

#endif
