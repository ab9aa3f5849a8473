/* Repeated passages of a corpus. */
#include <stdlib.h>

#include "named.h"

/* What the documents are, and what comes of them. */
typedef struct cutting {
    akin_table *combined;
    akin_column documents;
    uint32_t rows;
    akin_repeats *found;
    akin_frame *passages, *texts;
} cutting;

static akin_status find(job *j, const input *from, const akin_column *columns, unsigned texts,
                        const akin_repeats_options *how, cutting *c)
{
    c->rows = akin_table_rows(from->table);
    const akin_status status = input_strings(j, columns, texts, c->rows, &c->combined, &c->documents);
    akin_repeats_options own = *how;
    own.table = c->combined ? c->combined : from->table;
    return status == AKIN_OK ? akin_repeats_find(j->context, &c->documents, c->rows, &own, &c->found, &j->error)
                             : status;
}

/* The bytes of the longest text. */
static uint64_t longest(const cutting *c)
{
    const uint64_t *offsets = c->documents.offsets;
    uint64_t most = 0;
    for (uint32_t row = 0; row < c->rows; row++)
        if (offsets[row + UINT64_C(1)] - offsets[row] > most)
            most = offsets[row + UINT64_C(1)] - offsets[row];
    return most;
}

/* Adds the text of a row without passages; of a null, a null. */
static akin_status put_text(job *j, cutting *c, uint32_t row, char *text)
{
    const uint8_t *validity = c->documents.validity;
    const uint64_t length = akin_repeats_cut(c->found, &c->documents, row, text);
    const int is_null = validity && !(validity[row / 8] >> row % 8 & 1);
    const akin_status status = akin_frame_add_text(c->texts, 0, is_null ? NULL : text, length, &j->error);
    return row % LOOK_EVERY == LOOK_EVERY - 1 && status == AKIN_OK ? job_poll(j) : status;
}

/* Makes the table of the texts without passages. */
static akin_status make_texts(job *j, cutting *c)
{
    static const akin_type types[] = {AKIN_TYPE_TEXT};
    static const char *const titles[] = {"text"};
    char *text = malloc((size_t)longest(c) + 1);
    void *data[1];
    if (!text)
        return akin_error_set(&j->error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for a text");
    akin_status status = akin_frame_create(j->context, 1, types, titles, &c->texts, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(c->texts, c->rows, data, &j->error);
    for (uint32_t row = 0; row < c->rows && status == AKIN_OK; row++)
        status = put_text(j, c, row, text);
    free(text);
    return status;
}

/* Makes the table of passages. */
static akin_status make_frame(job *j, const akin_repeats *repeats, const named *names, akin_frame **out)
{
    static const char *const titles[] = {"id", "begin", "end", "source", "source_begin", "times"};
    const akin_type types[] = {names->type, AKIN_TYPE_U64, AKIN_TYPE_U64, names->type, AKIN_TYPE_U64, AKIN_TYPE_U64};
    const uint64_t count = akin_repeats_count(repeats);
    void *data[6];
    akin_status status = akin_frame_create(j->context, 6, types, titles, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, count, data, &j->error);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        akin_repeat r = {.size = sizeof r};
        status = akin_repeats_at(repeats, i, &r, &j->error);
        if (status == AKIN_OK)
            status = named_put(j, names, *out, 0, data[0], i, i, r.row);
        if (status == AKIN_OK)
            status = named_put(j, names, *out, 3, data[3], i, i, r.source_row);
        ((uint64_t *)data[1])[i] = r.begin;
        ((uint64_t *)data[2])[i] = r.end;
        ((uint64_t *)data[4])[i] = r.source_begin;
        ((uint64_t *)data[5])[i] = r.times;
        if (i % LOOK_EVERY == LOOK_EVERY - 1 && status == AKIN_OK)
            status = job_poll(j);
    }
    return status;
}

/* Passages, or passages and texts, of a job that has ended. */
static PyObject *result_of(const job *j, akin_status status, cutting *c, int cut)
{
    PyObject *passages = frame_of_job(j, status, c->passages), *texts = NULL;
    if (!passages || !cut) {
        akin_frame_free(c->texts);
        return passages ? Py_BuildValue("(NO)", passages, Py_None) : NULL;
    }
    texts = frame_of_job(j, status, c->texts);
    if (texts)
        return Py_BuildValue("(NN)", passages, texts);
    Py_DECREF(passages);
    return NULL;
}

/* repeats(settings, input, texts, id, unit, length, keep, cut) -> (Frame, Frame of the texts without passages or None)
 */
static PyObject *repeats(PyObject *module, PyObject *args)
{
    PyObject *settings, *given;
    const input *from;
    unsigned texts;
    unsigned long long length;
    int id, cut;
    akin_repeats_options how = AKIN_REPEATS_OPTIONS_INIT;
    cutting c = {.combined = NULL};
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OOIiIKIp:repeats", &settings, &given, &texts, &id, &how.unit, &length, &how.keep,
                          &cut) ||
        !input_take(s, given, 1, &from))
        return NULL;
    how.length = length;
    akin_column *columns = input_columns(from);
    if (!columns)
        return NULL;
    if (!job_begin(&j, s, settings)) {
        PyMem_Free(columns);
        return NULL;
    }
    job_leave(&j);
    const named names = named_of(from, columns, id);
    akin_status status = find(&j, from, columns, texts, &how, &c);
    if (status == AKIN_OK)
        status = make_frame(&j, c.found, &names, &c.passages);
    if (status == AKIN_OK && cut)
        status = make_texts(&j, &c);
    status = job_return(&j, status);
    job_end(&j);
    akin_repeats_free(c.found);
    akin_table_free(c.combined);
    PyMem_Free(columns);
    return result_of(&j, status, &c, cut);
}

PyMethodDef repeats_functions[] = {
    {"repeats", repeats, METH_VARARGS, "repeats(settings, input, texts, id, unit, length, keep, cut)"},
    {NULL, NULL, 0, NULL},
};
