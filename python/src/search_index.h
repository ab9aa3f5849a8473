/* Indexes for searches, their objects and their queries. */
#ifndef AKIN_PYTHON_SEARCH_INDEX_H
#define AKIN_PYTHON_SEARCH_INDEX_H

#include "module.h"

typedef struct search_index {
    PyObject_HEAD akin_search_index *index;
} search_index;

/* What an Input, Sets or a Matrix holds; one of the three is not NULL. */
typedef struct objects {
    akin_column *columns, names;
    uint32_t count, rows;
    int has_names;
    const akin_sets *sets;
    const akin_matrix *matrix;
} objects;

/* `id`: the column of names, which is taken out; -1: none. 0, and an exception. Then, too, call objects_clear. */
int objects_take(objects *o, state *s, PyObject *given, int id);
void objects_clear(objects *o);

/* SearchIndex.searcher(settings) */
PyObject *searcher_make(PyObject *index, PyObject *settings);

#endif
