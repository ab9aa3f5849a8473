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

/* The population of a plan, with a corpus for each column that is compared. Zeros at first. */
typedef struct population {
    akin_population said; /* size 0: there is none */
    corpus *corpora;      /* of each attribute; those of one column share that of the first one */
    const akin_corpus **values;
    uint32_t count;
} population;

/* The first attribute of the column of an attribute. */
uint32_t population_first(const akin_dedupe_options *options, uint32_t attribute);

/* Takes (left records, right records, {column: corpus, ...}), or None, into the options of a plan, which has these
 * titles. 0, and an exception. The caller releases it in any case. */
int population_take(const state *s, PyObject *spec, const akin_dedupe_titles *titles, akin_dedupe_options *options,
                    population *out);
void population_release(population *p);

/* Makes a frame of the terms of statistics: term, documents. Without the interpreter. */
akin_status corpus_put(job *j, const akin_statistics *statistics, akin_frame **out);

/* (documents, tokens, Frame), of which the frame is taken over, if the job has succeeded; else what the status says is
 * raised. */
PyObject *corpus_of_job(const job *j, akin_status status, const akin_statistics *statistics, akin_frame *made);

#endif
