/* What a token is, as Python says it. */
#include "text.h"

int text_take(PyObject *spec, akin_text_options *out)
{
    PyObject *words;
    int tokens;
    unsigned int q;
    *out = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    if (!PyArg_ParseTuple(spec, "iIpiO!:text", &tokens, &q, &out->multiset, &out->fold, &PyTuple_Type, &words))
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
        if (!(list[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(words, i), NULL)))
            return 0;
    out->stop_word_count = (uint32_t)count;
    return 1;
}

void text_clear(akin_text_options *options)
{
    PyMem_Free((void *)options->stop_words);
    options->stop_words = NULL;
}
