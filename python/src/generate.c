/* Generated data: records with duplicates, sets, documents. */
#include "akin_generate.h"
#include "module.h"

#include <stdlib.h>
#include <string.h>

#define MOST   64 /* columns of records */
#define TABLES 3  /* records, or originals; duplicates apart; pairs */

/* ---------------------------------------------------------------------------------------------------------- records */

typedef struct tables {
    akin_context *context;
    akin_frame *frames[TABLES]; /* NULL: there is none so far */
    akin_status status;
    akin_error error;
} tables;

static akin_status begin_table(tables *t, const akin_records_batch *batch)
{
    akin_type types[MOST];
    const char *names[MOST];
    for (uint32_t i = 0; i < batch->column_count && i < MOST; i++) {
        types[i] = AKIN_TYPE_TEXT;
        names[i] = batch->columns[i].name;
    }
    return akin_frame_create(t->context, batch->column_count, types, names, &t->frames[batch->table - 1], &t->error);
}

/* Values that are missing are nulls. */
static int take_records(void *user, const akin_records_batch *batch)
{
    tables *t = user;
    akin_frame **frame = &t->frames[batch->table - 1];
    if (!*frame)
        t->status = begin_table(t, batch);
    if (t->status == AKIN_OK)
        t->status = akin_frame_extend(*frame, batch->rows, NULL, &t->error);
    for (uint32_t c = 0; c < batch->column_count && t->status == AKIN_OK; c++) {
        const akin_column *column = &batch->columns[c];
        for (uint32_t row = 0; row < batch->rows && t->status == AKIN_OK; row++) {
            const uint64_t begin = column->offsets[row], length = column->offsets[row + 1] - begin;
            t->status = akin_frame_add_text(*frame, c, length ? column->bytes + begin : NULL, length, &t->error);
        }
    }
    return t->status != AKIN_OK;
}

static PyObject *wrap_tables(state *s, tables *t)
{
    PyObject *made = PyTuple_New(TABLES);
    for (int i = 0; i < TABLES; i++) {
        PyObject *one = NULL;
        if (made)
            one = t->frames[i] ? frame_wrap(s, t->frames[i]) : Py_NewRef(Py_None);
        else
            akin_frame_free(t->frames[i]);
        if (made && (!one || PyTuple_SetItem(made, i, one) < 0))
            Py_CLEAR(made);
    }
    return made;
}

/* generate_records(settings, (kind, rows, duplicates, copies, most_copies, field_modifications, record_modifications,
 * tracks, linked, seed), modifications with weights if not the defaults) -> (Frame, Frame or None, Frame) */
static PyObject *generate_records(PyObject *module, PyObject *args)
{
    PyObject *settings, *weights, *made = NULL;
    akin_records_options options = AKIN_RECORDS_OPTIONS_INIT;
    uint32_t numbers[AKIN_MODIFICATIONS] = AKIN_MODIFICATIONS_INIT;
    unsigned int kind, copies;
    unsigned long long seed;
    tables t = {.status = AKIN_OK};
    job j;
    if (!PyArg_ParseTuple(args, "O(IIdIIIIIpK)O!:generate_records", &settings, &kind, &options.rows,
                          &options.duplicates, &copies, &options.most_copies, &options.field_modifications,
                          &options.record_modifications, &options.tracks, &options.linked, &seed, &PyTuple_Type,
                          &weights))
        return NULL;
    options.kind = (akin_records_kind)kind;
    options.copies = (akin_copies)copies;
    options.seed = seed;
    options.weights = numbers;
    options.weight_count = AKIN_MODIFICATIONS;
    for (Py_ssize_t i = 0; i < PyTuple_Size(weights) && !PyErr_Occurred(); i++) {
        unsigned int modification, weight;
        if (!PyArg_ParseTuple(PyTuple_GetItem(weights, i), "II", &modification, &weight))
            return NULL;
        if (modification < AKIN_MODIFICATIONS)
            numbers[modification] = weight;
    }
    if (PyErr_Occurred() || !job_begin(&j, state_of(module), settings))
        return NULL;
    t.context = j.context;
    job_leave(&j);
    akin_status status = akin_records_generate(j.context, &options, take_records, &t, &j.error);
    status = job_return(&j, status);
    if (t.status != AKIN_OK) {
        status = t.status;
        j.error = t.error;
    }
    if (status == AKIN_OK)
        made = wrap_tables(j.module, &t);
    else
        for (int i = 0; i < TABLES; i++)
            akin_frame_free(t.frames[i]);
    job_end(&j);
    return status == AKIN_OK ? made : job_fail(&j, status);
}

/* ------------------------------------------------------------------------------------------------------------- sets */

/* Offsets and tokens of all sets, as buffers. */
static PyObject *arrays_of(state *s, const akin_sets *all)
{
    const uint32_t rows = akin_sets_rows(all);
    uint64_t *offsets = malloc(((size_t)rows + 1) * sizeof *offsets), count = 0;
    for (uint32_t row = 0; row < rows && offsets; row++) {
        offsets[row] = count;
        count += akin_sets_row(all, row, NULL);
    }
    uint32_t *tokens = malloc(((size_t)count + 1) * sizeof *tokens);
    if (!offsets || !tokens) {
        free(offsets);
        free(tokens);
        return PyErr_NoMemory();
    }
    offsets[rows] = count;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t *from;
        const uint32_t size = akin_sets_row(all, row, &from);
        if (size > 0)
            memcpy(tokens + offsets[row], from, size * sizeof *tokens);
    }
    PyObject *first = buffer_wrap(s, offsets, (Py_ssize_t)rows + 1, "Q");
    PyObject *second = buffer_wrap(s, tokens, (Py_ssize_t)count, "I");
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

/* generate_sets(settings, (rows, universe, mean, deviation, smallest, largest, zipf, duplicates, seed,
 * lognormal))
 * -> (offsets, tokens) */
static PyObject *generate_sets(PyObject *module, PyObject *args)
{
    PyObject *settings;
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    unsigned long long seed;
    int lognormal;
    akin_sets *all = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "O(IIddIIddKp):generate_sets", &settings, &options.rows, &options.universe,
                          &options.size_mean, &options.size_deviation, &options.size_smallest, &options.size_largest,
                          &options.zipf, &options.duplicates, &seed, &lognormal))
        return NULL;
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    options.seed = seed;
    options.lognormal = (uint32_t)lognormal;
    job_leave(&j);
    akin_status status = akin_sets_generate(j.context, &options, &all, &j.error);
    status = job_return(&j, status);
    PyObject *made = status == AKIN_OK ? arrays_of(j.module, all) : job_fail(&j, status);
    akin_sets_free(all);
    job_end(&j);
    return made;
}

/* grow_sets(settings, sets, copies) -> (offsets, tokens) */
static PyObject *grow_sets(PyObject *module, PyObject *args)
{
    PyObject *settings, *original;
    unsigned int copies;
    akin_sets *all = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!I:grow_sets", &settings, s->sets_type, &original, &copies))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    job_leave(&j);
    akin_status status = akin_sets_grow(j.context, ((const sets *)original)->sets, copies, &all, &j.error);
    status = job_return(&j, status);
    PyObject *made = status == AKIN_OK ? arrays_of(s, all) : job_fail(&j, status);
    akin_sets_free(all);
    job_end(&j);
    return made;
}

/* -------------------------------------------------------------------------------------------------------- documents */

typedef struct text {
    char *bytes;
    size_t length, capacity;
    int failed; /* memory is short */
} text;

static int take_text(void *user, const char *bytes, uint64_t length)
{
    text *t = user;
    if (length > t->capacity - t->length) {
        const size_t larger = t->length + (size_t)length + t->length / 2 + 4096;
        char *moved = realloc(t->bytes, larger);
        if (!moved) {
            t->failed = 1;
            return 1;
        }
        t->bytes = moved;
        t->capacity = larger;
    }
    memcpy(t->bytes + t->length, bytes, (size_t)length);
    t->length += (size_t)length;
    return 0;
}

/* generate_text(settings, (documents, bytes, mu, sigma, vocabulary, uniform, seed), words, weights or None) -> bytes */
static PyObject *generate_text(PyObject *module, PyObject *args)
{
    PyObject *settings, *words;
    const input *in;
    Py_buffer weights = {.buf = NULL};
    akin_documents_options options = AKIN_DOCUMENTS_OPTIONS_INIT;
    unsigned long long documents, bytes, seed;
    int uniform;
    akin_column *columns = NULL;
    text t = {.bytes = NULL};
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "O(KKddIpK)Oz*:generate_text", &settings, &documents, &bytes, &options.length_mu,
                          &options.length_sigma, &options.vocabulary, &uniform, &seed, &words, &weights))
        return NULL;
    options.documents = documents;
    options.bytes = bytes;
    options.uniform = (uint32_t)uniform;
    options.seed = seed;
    const int fine = input_take(s, words, 1, &in) && (!weights.buf || buffer_check(&weights, sizeof(double)));
    if (fine && in) {
        options.word_count = akin_table_rows(in->table);
        options.words = columns = input_columns(in);
        options.weights = weights.buf;
        if (weights.buf && (uint64_t)weights.len != options.word_count * (uint64_t)sizeof(double))
            PyErr_SetString(PyExc_ValueError, "there are not as many weights as words");
    }
    PyObject *made = NULL;
    if (!PyErr_Occurred() && job_begin(&j, s, settings)) {
        job_leave(&j);
        akin_status status = akin_documents_generate(j.context, &options, take_text, &t, &j.error);
        status = job_return(&j, status);
        if (t.failed)
            PyErr_NoMemory();
        made = status == AKIN_OK ? PyBytes_FromStringAndSize(t.bytes, (Py_ssize_t)t.length) : job_fail(&j, status);
        job_end(&j);
    }
    free(t.bytes);
    PyMem_Free(columns);
    PyBuffer_Release(&weights);
    return made;
}

PyMethodDef generate_functions[] = {
    {"generate_records", generate_records, METH_VARARGS, "generate_records(settings, options, weights) -> tuple"},
    {"generate_sets", generate_sets, METH_VARARGS, "generate_sets(settings, options) -> (offsets, tokens)"},
    {"grow_sets", grow_sets, METH_VARARGS, "grow_sets(settings, sets, copies) -> (offsets, tokens)"},
    {"generate_text", generate_text, METH_VARARGS, "generate_text(settings, options, words, weights) -> bytes"},
    {NULL, NULL, 0, NULL},
};
