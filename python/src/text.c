/* What a token is, as Python says it. */
#include "text.h"

int text_take(const state *s, PyObject *spec, akin_text_options *out)
{
    PyObject *words;
    int tokens;
    unsigned int q;
    *out = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    if (!tuple_take(spec, "iIpiO!:text", &tokens, &q, &out->multiset, &out->fold, &PyTuple_Type, &words))
        return 0;
    out->tokens = (akin_tokens)tokens;
    out->q = q;
    Py_ssize_t count = PyTuple_Size(words);
    const char **list = PyMem_Malloc((size_t)(count + 1) * sizeof *list);
    if (!list) {
        PyErr_NoMemory();
        return 0;
    }
    out->stop_words = list;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!(list[i] = name_of(s, PyTuple_GetItem(words, i))))
            return 0;
    out->stop_word_count = (uint32_t)count;
    return 1;
}

void text_clear(akin_text_options *options)
{
    PyMem_Free((void *)options->stop_words);
    options->stop_words = NULL;
}
