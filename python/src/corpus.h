/* Statistics of a corpus between Python and the library. */
#ifndef AKIN_PYTHON_CORPUS_H
#define AKIN_PYTHON_CORPUS_H

#include "module.h"

/* Statistics that the caller gives, and what their arrays are in. Zeros at first. */
typedef struct corpus {
    akin_corpus said;   /* size 0: there are none */
    akin_column *terms; /* freed with PyMem_Free */
    Py_buffer df;
} corpus;

/* Takes (documents, tokens, terms, in how many documents each of them is), or None. 0, and an exception. The caller
 * releases it in any case. */
int corpus_take(const state *s, PyObject *spec, corpus *out);
void corpus_release(corpus *c);

/* Makes a frame of the terms of statistics: term, documents. Without the interpreter. */
akin_status corpus_put(job *j, const akin_statistics *statistics, akin_frame **out);

/* (documents, tokens, Frame), of which the frame is taken over, if the job has succeeded; else what the status says is
 * raised. */
PyObject *corpus_of_job(const job *j, akin_status status, const akin_statistics *statistics, akin_frame *made);

#endif
