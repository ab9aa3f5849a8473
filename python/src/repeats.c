/* Repeated passages of a corpus. */
#include "named.h"

static akin_status find(job *j, const input *from, const akin_column *columns, unsigned texts,
                        const akin_repeats_options *how, akin_repeats **out)
{
    akin_table *combined = NULL;
    akin_column documents;
    const uint32_t rows = akin_table_rows(from->table);
    akin_status status = input_strings(j, columns, texts, rows, &combined, &documents);
    if (status == AKIN_OK)
        status = akin_repeats_find(j->context, &documents, rows, how, out, &j->error);
    akin_table_free(combined);
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
        akin_repeat r = {0};
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

/* repeats(settings, input, texts, id, length, keep) -> Frame */
static PyObject *repeats(PyObject *module, PyObject *args)
{
    PyObject *settings, *given;
    const input *from;
    unsigned texts;
    unsigned long long length;
    int id;
    akin_repeats_options how = AKIN_REPEATS_OPTIONS_INIT;
    akin_repeats *found = NULL;
    akin_frame *made = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OOIiKI:repeats", &settings, &given, &texts, &id, &length, &how.keep) ||
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
    akin_status status = find(&j, from, columns, texts, &how, &found);
    if (status == AKIN_OK)
        status = make_frame(&j, found, &names, &made);
    status = job_return(&j, status);
    job_end(&j);
    akin_repeats_free(found);
    PyMem_Free(columns);
    return frame_of_job(&j, status, made);
}

PyMethodDef repeats_functions[] = {
    {"repeats", repeats, METH_VARARGS, "repeats(settings, input, texts, id, length, keep) -> Frame"},
    {NULL, NULL, 0, NULL},
};
