/* What a token is, as Python says it. */
#ifndef AKIN_PYTHON_TEXT_H
#define AKIN_PYTHON_TEXT_H

#include "module.h"

/* Reads a tuple (tokens, q, multiset, fold, tuple of stop words). 0, and an exception. Call text_clear in any case. */
int text_take(const state *s, PyObject *spec, akin_text_options *out);
void text_clear(akin_text_options *options);

#endif
