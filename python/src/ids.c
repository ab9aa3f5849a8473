/* The ids of rows: each row has one, and each another. */
#include "module.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 200 /* bytes of an id in a message */

static int has_id(const akin_column *ids, uint64_t row)
{
    return (!ids->validity || (ids->validity[row / 8] >> row % 8 & 1)) && ids->offsets[row + 1] > ids->offsets[row];
}

static akin_status id_of_row(void *user, uint64_t row, uint32_t thread, const char **bytes, uint32_t *length)
{
    const akin_column *ids = user;
    const uint64_t own = ids->offsets[row + 1] - ids->offsets[row];
    (void)thread;
    *bytes = ids->bytes + ids->offsets[row];
    *length = (uint32_t)own;
    return has_id(ids, row) && own <= UINT32_MAX ? AKIN_OK : AKIN_E_INPUT;
}

static akin_status refuse_id(job *j, const akin_column *ids, uint32_t row, uint32_t first)
{
    const char *bytes = ids->bytes + ids->offsets[row];
    const size_t length = (size_t)(ids->offsets[row + UINT64_C(1)] - ids->offsets[row]);
    size_t shown = length < SHOWN ? length : SHOWN;
    while (shown < length && shown > 0 && ((unsigned char)bytes[shown] & 0xc0) == 0x80)
        shown--; /* no part of a character */
    if (!has_id(ids, row))
        akin_error_set(&j->error, AKIN_E_INPUT, AKIN_REASON_MISSING, "row %u, column '%.200s': there is no id", row,
                       ids->name);
    else
        akin_error_set(&j->error, AKIN_E_INPUT, AKIN_REASON_REPEATED,
                       "row %u, column '%.200s': the id '%.*s' is already that of row %u", row, ids->name, (int)shown,
                       bytes, first);
    j->error.row = row;
    snprintf(j->error.column, sizeof j->error.column, "%s", ids->name);
    return AKIN_E_INPUT;
}

/* Finds the first row whose id is missing, or that of a row before. */
static akin_status find_fault(job *j, const akin_column *ids, uint32_t rows, akin_dictionary *seen)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        uint32_t first = row;
        if (row % LOOK_EVERY == 0)
            status = job_poll(j);
        if (status == AKIN_OK && has_id(ids, row))
            status =
                akin_dictionary_add(seen, ids->bytes + ids->offsets[row],
                                    (size_t)(ids->offsets[row + UINT64_C(1)] - ids->offsets[row]), &first, &j->error);
        if (status == AKIN_OK && (first < row || !has_id(ids, row)))
            status = refuse_id(j, ids, row, first);
    }
    return status;
}

akin_status ids_check(job *j, const akin_column *ids, uint32_t rows)
{
    akin_dictionary *seen = NULL, *anew = NULL;
    akin_column column = *ids;
    const akin_dictionary_words words = {rows, id_of_row, &column};
    akin_status status = akin_dictionary_create(j->context, &seen, &j->error);
    if (status == AKIN_OK)
        status = akin_dictionary_add_words(j->context, seen, &words, &j->error);
    if (status == AKIN_E_INPUT || (status == AKIN_OK && akin_dictionary_count(seen) < rows)) {
        status = akin_dictionary_create(j->context, &anew, &j->error);
        if (status == AKIN_OK)
            status = find_fault(j, ids, rows, anew);
    }
    akin_dictionary_free(seen);
    akin_dictionary_free(anew);
    return status;
}

int ids_take(job *j, const input *in, int number, akin_column *out)
{
    *out = (akin_column)AKIN_COLUMN_INIT;
    if (number == -1)
        return 1;
    if (number < 0 || akin_table_column(in->table, (uint32_t)number, out, NULL) != AKIN_OK) {
        PyErr_SetString(PyExc_IndexError, "there is no such column of ids");
        return 0;
    }
    job_leave(j);
    akin_status status = ids_check(j, out, akin_table_rows(in->table));
    status = job_return(j, status);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* check_ids(settings, input, column): raises an exception if the column cannot have the ids of rows. */
static PyObject *check_ids(PyObject *module, PyObject *args)
{
    PyObject *settings, *from;
    akin_column ids;
    int column;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!i:check_ids", &settings, s->input_type, &from, &column) ||
        !job_begin(&j, s, settings))
        return NULL;
    const int fine = ids_take(&j, (const input *)from, column, &ids);
    job_end(&j);
    return fine ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef ids_functions[] = {
    {"check_ids", check_ids, METH_VARARGS, "check_ids(settings, input, column)"},
    {NULL, NULL, 0, NULL},
};
