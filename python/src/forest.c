/* A spanning forest over ids. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* The type of integers that a letter stands for, as in Frame.fields; 0, and an exception. */
static int take_type(const char *letter, akin_type *out)
{
    static const struct {
        const char *letter;
        akin_type type;
    } types[] = {
        {"I", AKIN_TYPE_U32}, {"L", AKIN_TYPE_U64}, {"i", AKIN_TYPE_I32}, {"l", AKIN_TYPE_I64}, {NULL, AKIN_TYPE_U64}};
    size_t i = 0;
    while (types[i].letter && strcmp(types[i].letter, letter) != 0)
        i++;
    *out = types[i].type;
    if (!types[i].letter)
        PyErr_Format(PyExc_ValueError, "there is no type '%s' of integers", letter);
    return types[i].letter != NULL;
}

static PyObject *make_forest(state *s, PyObject *settings, const akin_pair_ids ids[2], uint64_t count)
{
    akin_frame *made = NULL;
    job j;
    if (!job_begin(&j, s, settings))
        return NULL;
    job_leave(&j);
    akin_status status = akin_forest(j.context, &ids[0], &ids[1], count, &made, &j.error);
    status = job_return(&j, status);
    job_end(&j);
    return frame_of_job(&j, status, made);
}

/* forest_of_integers(settings, left, right, type, names): buffers of integers of that type. */
static PyObject *forest_of_integers(PyObject *module, PyObject *args)
{
    PyObject *settings, *made = NULL;
    Py_buffer sides[2];
    const char *letter, *names[2];
    akin_type type;
    if (!PyArg_ParseTuple(args, "Oy*y*s(ss):forest_of_integers", &settings, &sides[0], &sides[1], &letter, &names[0],
                          &names[1]))
        return NULL;
    if (take_type(letter, &type)) {
        const size_t width = type == AKIN_TYPE_U32 || type == AKIN_TYPE_I32 ? sizeof(uint32_t) : sizeof(uint64_t);
        akin_pair_ids ids[2] = {AKIN_PAIR_IDS_INIT, AKIN_PAIR_IDS_INIT};
        for (int side = 0; side < 2; side++) {
            ids[side].name = names[side];
            ids[side].type = type;
            ids[side].numbers = sides[side].buf;
        }
        if (sides[0].len != sides[1].len)
            PyErr_SetString(PyExc_ValueError, "there are not as many left ids as right ones");
        else if (buffer_check(&sides[0], width) && buffer_check(&sides[1], width))
            made = make_forest(state_of(module), settings, ids, (uint64_t)sides[0].len / width);
    }
    PyBuffer_Release(&sides[0]);
    PyBuffer_Release(&sides[1]);
    return made;
}

/* forest_of_texts(settings, input, names): of its first two columns. */
static PyObject *forest_of_texts(PyObject *module, PyObject *args)
{
    PyObject *settings, *from;
    const char *names[2];
    const input *in;
    state *s = state_of(module);
    akin_pair_ids ids[2] = {AKIN_PAIR_IDS_INIT, AKIN_PAIR_IDS_INIT};
    if (!PyArg_ParseTuple(args, "OO(ss):forest_of_texts", &settings, &from, &names[0], &names[1]) ||
        !input_take(s, from, 2, &in))
        return NULL;
    akin_column *columns = input_columns(in);
    if (!columns)
        return NULL;
    for (int side = 0; side < 2; side++) {
        ids[side].name = names[side];
        ids[side].type = AKIN_TYPE_TEXT;
        ids[side].text = &columns[side];
    }
    PyObject *made = make_forest(s, settings, ids, akin_table_rows(in->table));
    PyMem_Free(columns);
    return made;
}

PyMethodDef forest_functions[] = {
    {"forest_of_integers", forest_of_integers, METH_VARARGS, "forest_of_integers(settings, left, right, type, names)"},
    {"forest_of_texts", forest_of_texts, METH_VARARGS, "forest_of_texts(settings, input, names) -> Frame"},
    {NULL, NULL, 0, NULL},
};
