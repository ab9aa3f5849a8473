/* Weights of the terms of documents. */
#include "weights.h"

#include "text.h"

static void weights_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    akin_weights_free(((weights *)self)->weights);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---------------------------------------------------------------------------------------------------------- weighing */

/* How terms weigh, of a tuple (formula, k1, b, delta, stem or None). */
static int take_options(job *j, PyObject *spec, akin_weigh_options *out)
{
    const char *formula, *technique;
    PyObject *dictionary;
    int adds;
    if (!tuple_take(spec, "sdddzsOp:options", &formula, &out->k1, &out->b, &out->delta, &out->stem, &technique,
                    &dictionary, &adds))
        return 0;
    if (PyObject_TypeCheck(dictionary, j->module->trie_type)) {
        out->dictionary = ((trie *)dictionary)->trie;
    } else if (dictionary != Py_None) {
        PyErr_Format(PyExc_TypeError, "expected a Trie or None, got %R", Py_TYPE(dictionary));
        return 0;
    }
    out->unknown = adds ? AKIN_UNKNOWN_ADD : AKIN_UNKNOWN_SHARE;
    out->order = AKIN_WEIGHTS_BY_TERM;
    akin_status status = akin_formula_parse(formula, &out->formula, &j->error);
    if (status == AKIN_OK)
        status = akin_weigh_technique_parse(technique, &out->technique, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* weigh(settings, documents, how many of their columns are text, what a term is, options) */
static PyObject *weigh(PyObject *module, PyObject *args)
{
    PyObject *settings, *documents, *text_spec, *spec;
    akin_text_options text = {0};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    state *s = state_of(module);
    weights *made = NULL;
    const input *in;
    unsigned int count;
    job j;
    if (!PyArg_ParseTuple(args, "OO!IOO:weigh", &settings, s->input_type, &documents, &count, &text_spec, &spec) ||
        !input_take(s, documents, count, &in))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    akin_column *columns = input_columns(in);
    if (columns && take_options(&j, spec, &options) && text_take(s, text_spec, &text) &&
        (made = PyObject_New(weights, s->weights_type))) {
        made->weights = NULL;
        options.text = &text;
        job_leave(&j);
        akin_status status =
            akin_weigh(j.context, columns, count, akin_table_rows(in->table), &options, &made->weights, &j.error);
        job_return(&j);
        if (status != AKIN_OK) {
            Py_DECREF(made);
            made = NULL;
            job_fail(&j, status);
        }
    }
    text_clear(&text);
    PyMem_Free(columns);
    job_end(&j);
    return (PyObject *)made;
}

PyObject *figures(uint32_t documents, uint32_t terms, uint64_t words, uint64_t pairs)
{
    return Py_BuildValue("(IIKK)", (unsigned int)documents, (unsigned int)terms, (unsigned long long)words,
                         (unsigned long long)pairs);
}

static PyObject *weights_figures(PyObject *self, PyObject *unused)
{
    (void)unused;
    akin_weights_statistics s = {.size = sizeof s};
    akin_weights_describe(((weights *)self)->weights, &s, NULL); /* of a size that can be */
    return figures(s.documents, s.ids, s.words, s.pairs);
}

static akin_status put_weights(const akin_weights *from, uint32_t terms, uint64_t pairs, akin_context *context,
                               akin_frame **out, akin_error *error)
{
    static const akin_type types[] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_F64};
    static const char *const names[] = {"document", "term", "tf", "weight"};
    void *data[4];
    akin_frame *made = NULL;
    akin_status status = akin_frame_create(context, 4, types, names, &made, error);
    if (status == AKIN_OK)
        status = akin_frame_extend(made, pairs, data, error);
    if (status != AKIN_OK) {
        akin_frame_free(made);
        return status;
    }
    uint64_t at = 0;
    for (uint32_t term = 0; term < terms; term++) {
        const uint32_t *documents, *tf;
        const double *values;
        uint32_t count = akin_weights_list(from, term, &documents, &tf, &values);
        for (uint32_t i = 0; i < count; i++, at++) {
            ((uint32_t *)data[0])[at] = documents[i];
            ((uint32_t *)data[1])[at] = term;
            ((uint32_t *)data[2])[at] = tf[i];
            ((double *)data[3])[at] = values[i];
        }
    }
    *out = made;
    return AKIN_OK;
}

/* frame(settings): document, term, tf, weight, by term and document. */
static PyObject *weights_frame(PyObject *self, PyObject *settings)
{
    const akin_weights *from = ((weights *)self)->weights;
    akin_weights_statistics statistics = {.size = sizeof statistics};
    akin_frame *made = NULL;
    job j;
    if (!job_begin(&j, PyType_GetModuleState(Py_TYPE(self)), settings))
        return NULL;
    akin_weights_describe(from, &statistics, NULL);
    job_leave(&j);
    akin_status status = put_weights(from, statistics.ids, statistics.pairs, j.context, &made, &j.error);
    job_return(&j);
    job_end(&j);
    return status == AKIN_OK ? frame_wrap(j.module, made) : job_fail(&j, status);
}

/* vocabulary(): the terms as a list, and in how many documents each is. */
static PyObject *weights_vocabulary(PyObject *self, PyObject *unused)
{
    (void)unused;
    const akin_weights *from = ((weights *)self)->weights;
    akin_weights_statistics s = {.size = sizeof s};
    akin_weights_describe(from, &s, NULL);
    PyObject *terms = PyList_New(s.ids), *df = PyList_New(s.ids);
    for (uint32_t id = 0; terms && df && id < s.ids; id++) {
        const char *bytes;
        size_t length;
        akin_weights_term(from, id, &bytes, &length);
        PyObject *term = PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "replace");
        PyObject *count = PyLong_FromUnsignedLong(akin_weights_df(from, id));
        if (!term || !count) {
            Py_XDECREF(term);
            Py_XDECREF(count);
            Py_CLEAR(terms);
            break;
        }
        PyList_SetItem(terms, id, term);
        PyList_SetItem(df, id, count);
    }
    if (!terms || !df) {
        Py_XDECREF(terms);
        Py_XDECREF(df);
        return NULL;
    }
    return Py_BuildValue("(NN)", terms, df);
}

/* ------------------------------------------------------------------------------------------------------------- words */

/* stop_words(language): the function words of a language, as a tuple. */
static PyObject *stop_words(PyObject *module, PyObject *language)
{
    const char *const *words;
    uint32_t count;
    job j = {.module = state_of(module)};
    const char *name = name_of(j.module, language);
    if (!name)
        return NULL;
    akin_status status = akin_stop_words(name, &words, &count, &j.error);
    if (status != AKIN_OK)
        return job_fail(&j, status);
    PyObject *list = PyTuple_New(count);
    for (uint32_t i = 0; list && i < count; i++) {
        PyObject *word = PyUnicode_FromString(words[i]);
        if (!word || PyTuple_SetItem(list, i, word) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* --------------------------------------------------------------------------------------------------------- the types */

static PyMethodDef weights_methods[] = {
    {"figures", weights_figures, METH_NOARGS, "figures() -> (documents, terms, words, pairs)"},
    {"frame", weights_frame, METH_O, "frame(settings) -> Frame"},
    {"vocabulary", weights_vocabulary, METH_NOARGS, "vocabulary() -> (terms, df)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot weights_slots[] = {
    {Py_tp_dealloc, (void *)weights_dealloc},
    {Py_tp_methods, weights_methods},
    {Py_tp_doc, (void *)"Weights of terms in documents."},
    {0, NULL},
};

static PyType_Spec weights_spec = {
    .name = "akin._akin.Weights",
    .basicsize = sizeof(weights),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = weights_slots,
};

PyTypeObject *weights_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &weights_spec, NULL);
}

PyMethodDef weights_functions[] = {
    {"weigh", weigh, METH_VARARGS, "weigh(settings, documents, count, text, options) -> Weights"},
    {"stop_words", stop_words, METH_O, "stop_words(language) -> tuple"},
    {NULL, NULL, 0, NULL},
};
