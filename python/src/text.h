/* What a token is, as Python says it. */
#ifndef AKIN_PYTHON_TEXT_H
#define AKIN_PYTHON_TEXT_H

#include "module.h"

/* Of a tuple (tokens, q, multiset, fold, tuple of stop words); text_clear may follow in any case. 0, and an
 * exception. */
int text_take(const state *s, PyObject *spec, akin_text_options *out);
void text_clear(akin_text_options *options);

#endif
