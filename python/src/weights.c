/* Weights of the terms of documents. */
#include "weights.h"

#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "stats.h"
#include "text.h"

static void weights_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    akin_weights_free(((weights *)self)->weights);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* --------------------------------------------------------------------------------------------------------- weighing */

int weigh_options_take(job *j, PyObject *spec, akin_weigh_options *out)
{
    const char *formula, *technique;
    PyObject *dictionary;
    int unknown;
    if (!tuple_take(spec, "sdddzsOi:options", &formula, &out->k1, &out->b, &out->delta, &out->stem, &technique,
                    &dictionary, &unknown))
        return 0;
    if (PyObject_TypeCheck(dictionary, j->module->trie_type)) {
        out->dictionary = ((trie *)dictionary)->trie;
    } else if (dictionary != Py_None) {
        PyErr_Format(PyExc_TypeError, "expected a Trie or None, got %R", Py_TYPE(dictionary));
        return 0;
    }
    out->unknown = (akin_unknown)unknown;
    out->order = AKIN_WEIGHTS_BY_TERM;
    akin_status status = akin_formula_parse(formula, &out->formula, &j->error);
    if (status == AKIN_OK)
        status = akin_weigh_technique_parse(akin_papers(), technique, &out->technique, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* weigh(settings, documents, how many of their columns are text, what a term is, options, the order of the lists, a
 * corpus or None) -> (weights, [warning, ...]) */
static PyObject *weigh(PyObject *module, PyObject *args)
{
    PyObject *settings, *documents, *text_spec, *spec, *whole_spec, *both = NULL;
    akin_text_options text = {0};
    corpus whole = {.said = {0}};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    state *s = state_of(module);
    weights *made = NULL;
    const input *in;
    unsigned int count;
    int order;
    job j;
    if (!PyArg_ParseTuple(args, "OO!IOOiO:weigh", &settings, s->input_type, &documents, &count, &text_spec, &spec,
                          &order, &whole_spec) ||
        !input_take(s, documents, count, &in))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    akin_column *columns = input_columns(in);
    if (columns && weigh_options_take(&j, spec, &options) && text_take(s, text_spec, &text) &&
        corpus_take(s, whole_spec, &whole) && (made = PyObject_New(weights, s->weights_type))) {
        PyObject *warnings = PyList_New(0);
        akin_text_counts counts = {0, 0};
        made->weights = NULL;
        text.counts = &counts;
        options.text = &text;
        options.order = (akin_weights_order)order;
        options.corpus = whole.said.size ? &whole.said : NULL;
        job_leave(&j);
        akin_status status =
            akin_weigh(j.context, columns, count, akin_table_rows(in->table), &options, &made->weights, &j.error);
        status = job_return(&j, status);
        if (status != AKIN_OK) {
            Py_DECREF(made);
            made = NULL;
            job_fail(&j, status);
        }
        akin_text_warn(&text, NULL, stats_add_warning, &warnings);
        both = stats_beside((PyObject *)made, warnings);
    }
    text_clear(&text);
    corpus_release(&whole);
    PyMem_Free(columns);
    job_end(&j);
    return both;
}

/* count_documents(settings, documents, how many of their columns are text, what a term is, options) -> ((documents,
 * tokens, Frame), [warning, ...]) */
static PyObject *count_documents(PyObject *module, PyObject *args)
{
    PyObject *settings, *documents, *text_spec, *spec, *both = NULL;
    akin_text_options text = {0};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    state *s = state_of(module);
    akin_statistics *counted = NULL;
    akin_frame *made = NULL;
    const input *in;
    unsigned int count;
    job j;
    if (!PyArg_ParseTuple(args, "OO!IOO:count_documents", &settings, s->input_type, &documents, &count, &text_spec,
                          &spec) ||
        !input_take(s, documents, count, &in) || !job_begin(&j, s, settings))
        return NULL;
    akin_column *columns = input_columns(in);
    if (columns && weigh_options_take(&j, spec, &options) && text_take(s, text_spec, &text)) {
        PyObject *warnings = PyList_New(0);
        akin_text_counts counts = {0, 0};
        text.counts = &counts;
        options.text = &text;
        job_leave(&j);
        akin_status status = akin_statistics_of_documents(j.context, columns, count, akin_table_rows(in->table),
                                                          &options, &counted, &j.error);
        if (status == AKIN_OK)
            status = corpus_put(&j, counted, &made);
        status = job_return(&j, status);
        akin_text_warn(&text, NULL, stats_add_warning, &warnings);
        both = stats_beside(corpus_of_job(&j, status, counted, made), warnings);
    }
    akin_statistics_free(counted);
    text_clear(&text);
    PyMem_Free(columns);
    job_end(&j);
    return both;
}

/* statistics(settings) -> (documents, tokens, Frame) */
static PyObject *weights_statistics(PyObject *self, PyObject *settings)
{
    akin_statistics *counted = NULL;
    akin_frame *made = NULL;
    job j;
    if (!job_begin(&j, PyType_GetModuleState(Py_TYPE(self)), settings))
        return NULL;
    job_leave(&j);
    akin_status status = akin_statistics_of_weights(j.context, ((weights *)self)->weights, &counted, &j.error);
    if (status == AKIN_OK)
        status = corpus_put(&j, counted, &made);
    status = job_return(&j, status);
    PyObject *found = corpus_of_job(&j, status, counted, made);
    akin_statistics_free(counted);
    job_end(&j);
    return found;
}

static PyObject *weights_figures(PyObject *self, PyObject *unused)
{
    (void)unused;
    akin_weights_statistics s = {.size = sizeof s};
    akin_weights_describe(((weights *)self)->weights, &s, NULL); /* of a size that can be */
    return Py_BuildValue("(IIKK)", (unsigned int)s.documents, (unsigned int)s.ids, (unsigned long long)s.words,
                         (unsigned long long)s.pairs);
}

/* Whether the lists are those of terms; else an exception is set. */
static int is_by_term(PyObject *self)
{
    akin_weights_statistics s = {.size = sizeof s};
    akin_weights_describe(((weights *)self)->weights, &s, NULL);
    if (s.order != AKIN_WEIGHTS_BY_TERM)
        PyErr_SetString(PyExc_ValueError, "weights by document; expected weights by term");
    return s.order == AKIN_WEIGHTS_BY_TERM;
}

static akin_status put_weights(job *j, const akin_weights *from, uint32_t terms, uint64_t pairs, akin_frame **out)
{
    static const akin_type types[] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_F64};
    static const char *const names[] = {"document", "term", "tf", "weight"};
    void *data[4];
    akin_status status = akin_frame_create(j->context, 4, types, names, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, pairs, data, &j->error);
    uint64_t at = 0;
    for (uint32_t term = 0; term < terms && status == AKIN_OK; term++) {
        const uint32_t *documents, *tf;
        const double *values;
        uint32_t count = akin_weights_list(from, term, &documents, &tf, &values);
        for (uint32_t i = 0; i < count && status == AKIN_OK; i++, at++) {
            ((uint32_t *)data[0])[at] = documents[i];
            ((uint32_t *)data[1])[at] = term;
            ((uint32_t *)data[2])[at] = tf[i];
            ((double *)data[3])[at] = values[i];
            if (at % LOOK_EVERY == 0)
                status = job_poll(j);
        }
    }
    return status;
}

/* frame(settings): document, term, tf, weight, by term and document. */
static PyObject *weights_frame(PyObject *self, PyObject *settings)
{
    const akin_weights *from = ((weights *)self)->weights;
    akin_weights_statistics statistics = {.size = sizeof statistics};
    akin_frame *made = NULL;
    job j;
    if (!is_by_term(self) || !job_begin(&j, PyType_GetModuleState(Py_TYPE(self)), settings))
        return NULL;
    akin_weights_describe(from, &statistics, NULL);
    job_leave(&j);
    akin_status status = put_weights(&j, from, statistics.ids, statistics.pairs, &made);
    status = job_return(&j, status);
    job_end(&j);
    return frame_of_job(&j, status, made);
}

/* ------------------------------------------------------------------------------------------------------ by document */

/* Weights on their way to a sparse matrix: where each document's begin, and their terms, are numbers of 4 bytes, or of
 * 8 where these are too few. */
typedef struct matrix_of {
    const akin_weights *from;
    uint32_t documents, terms;
    uint64_t pairs;
    int is_wide;
    uint64_t *places; /* where the next weight of each document goes */
    void *offsets, *ids;
    double *values;
} matrix_of;

static void put_number(const matrix_of *m, void *array, uint64_t at, uint64_t number)
{
    if (m->is_wide)
        ((uint64_t *)array)[at] = number;
    else
        ((uint32_t *)array)[at] = (uint32_t)number;
}

/* Visits all weights, by term: counts those of each document, or, if there are values, puts them in their places. */
static akin_status go_through(job *j, const matrix_of *m)
{
    uint64_t at = 0;
    for (uint32_t term = 0; term < m->terms; term++) {
        const uint32_t *documents, *tf;
        const double *values;
        const uint32_t count = akin_weights_list(m->from, term, &documents, &tf, &values);
        for (uint32_t i = 0; i < count; i++) {
            if (at++ % LOOK_EVERY == 0 && job_poll(j) != AKIN_OK)
                return AKIN_E_CANCELLED;
            if (!m->values) {
                m->places[documents[i] + UINT64_C(1)]++;
                continue;
            }
            const uint64_t to = m->places[documents[i]]++;
            put_number(m, m->ids, to, term);
            m->values[to] = values[i];
        }
    }
    return AKIN_OK;
}

/* Memory that is cleared here, bit by bit, with checks for cancellation. The system would clear it on the first writes,
 * which are at random places, without checks. */
static void *alloc_cleared(job *j, uint64_t count, size_t size)
{
    char *array = malloc((size_t)(count + 1) * size);
    for (uint64_t at = 0; array && at < count * size; at += LOOK_BYTES) {
        memset(array + at, 0, (size_t)(count * size - at < LOOK_BYTES ? count * size - at : LOOK_BYTES));
        if (job_poll(j) != AKIN_OK) {
            free(array);
            return NULL;
        }
    }
    return array;
}

/* Sums up what was counted. */
static akin_status place(job *j, const matrix_of *m)
{
    put_number(m, m->offsets, 0, 0);
    for (uint64_t d = 0; d < m->documents; d++) {
        m->places[d + 1] += m->places[d];
        put_number(m, m->offsets, d + 1, m->places[d + 1]);
        if (d % LOOK_EVERY == 0 && job_poll(j) != AKIN_OK)
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

static akin_status turn(job *j, matrix_of *m)
{
    const size_t width = m->is_wide ? sizeof(uint64_t) : sizeof(uint32_t);
    m->places = alloc_cleared(j, (uint64_t)m->documents + 1, sizeof *m->places);
    m->offsets = alloc_cleared(j, (uint64_t)m->documents + 1, width);
    m->ids = alloc_cleared(j, m->pairs, width);
    double *values = alloc_cleared(j, m->pairs, sizeof *values);
    akin_status status = AKIN_OK;
    if (!m->places || !m->offsets || !m->ids || !values)
        status = akin_error_set(&j->error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "out of memory: a matrix of weights");
    if (status == AKIN_OK)
        status = go_through(j, m);
    if (status == AKIN_OK)
        status = place(j, m);
    m->values = values;
    return status == AKIN_OK ? go_through(j, m) : status;
}

/* matrix(settings) -> three buffers: where each document begins, the terms, rising, and the weights. */
static PyObject *weights_matrix(PyObject *self, PyObject *settings)
{
    akin_weights_statistics s = {.size = sizeof s};
    matrix_of m = {.from = ((weights *)self)->weights};
    job j;
    if (!is_by_term(self) || !job_begin(&j, PyType_GetModuleState(Py_TYPE(self)), settings))
        return NULL;
    akin_weights_describe(m.from, &s, NULL);
    m.documents = s.documents;
    m.terms = s.ids;
    m.pairs = s.pairs;
    m.is_wide = s.pairs > INT32_MAX || s.ids > INT32_MAX || s.documents > INT32_MAX;
    job_leave(&j);
    akin_status status = turn(&j, &m);
    status = job_return(&j, status);
    job_end(&j);
    free(m.places);
    if (status != AKIN_OK) {
        free(m.offsets);
        free(m.ids);
        free(m.values);
        return job_fail(&j, status);
    }
    const char *format = m.is_wide ? "Q" : "I";
    PyObject *offsets = buffer_wrap(j.module, m.offsets, (Py_ssize_t)m.documents + 1, format);
    PyObject *ids = buffer_wrap(j.module, m.ids, (Py_ssize_t)m.pairs, format);
    PyObject *values = buffer_wrap(j.module, m.values, (Py_ssize_t)m.pairs, "d");
    PyObject *all = offsets && ids && values ? PyTuple_Pack(3, offsets, ids, values) : NULL;
    Py_XDECREF(offsets);
    Py_XDECREF(ids);
    Py_XDECREF(values);
    return all;
}

/* ------------------------------------------------------------------------------------------------------- vocabulary */

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
        const int is_stopped = id % LOOK_EVERY == LOOK_EVERY - 1 && PyErr_CheckSignals() < 0;
        PyObject *term = is_stopped ? NULL : PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "replace");
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

/* ------------------------------------------------------------------------------------------------------------ files */

/* Writes weights, whose documents have names or NULL; or their vocabulary. */
static akin_status write_part(job *j, const akin_weights *from, const char *path, const char *format,
                              const akin_column *names, int is_vocabulary, int is_safe)
{
    akin_weights_format how;
    akin_output *output = NULL;
    akin_status status = akin_weights_format_parse(format, &how, &j->error);
    if (status == AKIN_OK && is_safe && how == AKIN_WEIGHTS_CSV)
        how = AKIN_WEIGHTS_SAFE_CSV;
    if (status == AKIN_OK)
        status = akin_output_open(j->context, path, &output, &j->error);
    if (status != AKIN_OK)
        return status;
    status = is_vocabulary ? akin_weights_write_vocabulary(j->context, from, how, output, &j->error)
                           : akin_weights_write(j->context, from, names, how, output, &j->error);
    if (status == AKIN_OK)
        return akin_output_commit(output, &j->error);
    akin_output_discard(output);
    return status;
}

/* write(settings, path, format, names of the documents or None, whether it is the vocabulary that is written, whether
 * CSV is for spreadsheets) */
static PyObject *weights_write(PyObject *self, PyObject *args)
{
    state *s = PyType_GetModuleState(Py_TYPE(self));
    PyObject *settings, *path, *given;
    const char *format;
    const input *names;
    int is_vocabulary, is_safe;
    job j;
    if (!PyArg_ParseTuple(args, "OO&sOpp:write", &settings, PyUnicode_FSConverter, &path, &format, &given,
                          &is_vocabulary, &is_safe))
        return NULL;
    akin_status status = AKIN_OK;
    akin_column *columns = NULL;
    const int begun =
        input_take(s, given, 1, &names) && (!names || (columns = input_columns(names))) && job_begin(&j, s, settings);
    if (begun) {
        j.path = PyBytes_AsString(path);
        job_leave(&j);
        status = write_part(&j, ((weights *)self)->weights, j.path, format, columns, is_vocabulary, is_safe);
        status = job_return(&j, status);
        job_end(&j);
    }
    PyMem_Free(columns);
    PyObject *result = !begun ? NULL : status == AKIN_OK ? Py_NewRef(Py_None) : job_fail(&j, status);
    Py_DECREF(path);
    return result;
}

/* lengths(): the number of tokens of each document. */
static PyObject *weights_lengths(PyObject *self, PyObject *unused)
{
    (void)unused;
    const akin_weights *from = ((weights *)self)->weights;
    akin_weights_statistics s = {.size = sizeof s};
    akin_weights_describe(from, &s, NULL);
    PyObject *list = PyList_New(s.documents);
    for (uint32_t i = 0; list && i < s.documents; i++) {
        const int is_stopped = i % LOOK_EVERY == LOOK_EVERY - 1 && PyErr_CheckSignals() < 0;
        PyObject *length = is_stopped ? NULL : PyLong_FromUnsignedLong(akin_weights_length(from, i));
        if (!length || PyList_SetItem(list, i, length) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* ------------------------------------------------------------------------------------------------------------ words */

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

/* -------------------------------------------------------------------------------------------------------- the types */

static PyMethodDef weights_methods[] = {
    {"figures", weights_figures, METH_NOARGS, "figures() -> (documents, terms, words, pairs)"},
    {"frame", weights_frame, METH_O, "frame(settings) -> Frame"},
    {"matrix", weights_matrix, METH_O, "matrix(settings) -> (Buffer, Buffer, Buffer)"},
    {"vocabulary", weights_vocabulary, METH_NOARGS, "vocabulary() -> (terms, df)"},
    {"write", weights_write, METH_VARARGS, "write(settings, path, format, names, is_vocabulary, is_safe)"},
    {"lengths", weights_lengths, METH_NOARGS, "lengths() -> list"},
    {"statistics", weights_statistics, METH_O, "statistics(settings) -> (int, int, Frame)"},
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
    {"count_documents", count_documents, METH_VARARGS,
     "count_documents(settings, documents, count, text, options) -> ((int, int, Frame), warnings)"},
    {"weigh", weigh, METH_VARARGS, "weigh(settings, documents, count, text, options, order, corpus) -> Weights"},
    {"stop_words", stop_words, METH_O, "stop_words(language) -> tuple"},
    {NULL, NULL, 0, NULL},
};
