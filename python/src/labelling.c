/* Labellings. Python has each as a capsule. */
#include "labelling.h"

#define NAME "akin.labelling"

static void free_labelling(PyObject *capsule)
{
    akin_labelling_free(PyCapsule_GetPointer(capsule, NAME));
}

/* labelling() -> a labelling without answers */
static PyObject *labelling(PyObject *module, PyObject *args)
{
    akin_labelling *made;
    akin_error error;
    (void)args;
    const akin_status status = akin_labelling_create(&made, &error);
    if (status != AKIN_OK)
        return error_raise(state_of(module), status, &error, NULL);
    PyObject *capsule = PyCapsule_New(made, NAME, free_labelling);
    if (!capsule)
        akin_labelling_free(made);
    return capsule;
}

/* labelling_next(labelling) -> (left, right, probability), or None */
static PyObject *labelling_next(PyObject *module, PyObject *capsule)
{
    akin_labelling *l = PyCapsule_GetPointer(capsule, NAME);
    akin_scored_pair pair;
    akin_error error;
    int is_there;
    if (!l)
        return NULL;
    const akin_status status = akin_labelling_next(l, &pair, &is_there, &error);
    if (status != AKIN_OK)
        return error_raise(state_of(module), status, &error, NULL);
    return is_there ? Py_BuildValue("(IId)", pair.left, pair.right, pair.similarity) : Py_NewRef(Py_None);
}

/* labelling_answer(labelling, left, right, number of the answer) */
static PyObject *labelling_answer(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    unsigned left, right;
    int answer;
    akin_error error;
    if (!PyArg_ParseTuple(args, "OIIi:labelling_answer", &capsule, &left, &right, &answer))
        return NULL;
    akin_labelling *l = PyCapsule_GetPointer(capsule, NAME);
    if (!l)
        return NULL;
    const akin_status status = akin_labelling_answer(l, left, right, (akin_answer)answer, &error);
    return status == AKIN_OK ? Py_NewRef(Py_None) : error_raise(state_of(module), status, &error, NULL);
}

/* labelling_undo(labelling) -> whether there was an answer */
static PyObject *labelling_undo(PyObject *module, PyObject *capsule)
{
    akin_labelling *l = PyCapsule_GetPointer(capsule, NAME);
    (void)module;
    return l ? PyBool_FromLong(akin_labelling_undo(l, NULL)) : NULL;
}

/* labelling_answers(labelling) -> [(left, right, number of the answer, whether it is doubted), ...] */
static PyObject *labelling_answers(PyObject *module, PyObject *capsule)
{
    akin_labelling *l = PyCapsule_GetPointer(capsule, NAME);
    PyObject *list = l ? PyList_New(0) : NULL;
    (void)module;
    for (uint64_t i = 0; list && i < akin_labelling_count(l); i++) {
        const akin_labelled_pair at = akin_labelling_at(l, i);
        PyObject *item =
            Py_BuildValue("(IIiN)", at.left, at.right, (int)at.answer, PyBool_FromLong(at.is_doubted != 0));
        if (!item || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

int labelled_take(labelled *out, const job *j, PyObject *spec, const input *left, const input *right)
{
    PyObject *capsule, *answers;
    const input *sides[2] = {left, right}, *known;
    int columns[2];
    if (spec == Py_None)
        return 1;
    if (!tuple_take(spec, "OiiO:labelling", &capsule, &columns[0], &columns[1], &answers))
        return 0;
    out->labelling = PyCapsule_GetPointer(capsule, NAME);
    if (!out->labelling || !input_take(j->module, answers, 3, &known))
        return 0;
    for (int i = 0; i < 2 && sides[i]; i++) {
        out->ids[i].size = columns[i] < 0 ? 0 : sizeof out->ids[i];
        if (columns[i] >= 0 &&
            akin_table_column(sides[i]->table, (uint32_t)columns[i], &out->ids[i], NULL) != AKIN_OK) {
            PyErr_SetString(PyExc_IndexError, "there is no such column");
            return 0;
        }
    }
    out->count = known ? akin_table_rows(known->table) : 0;
    out->answers = known ? input_columns(known) : NULL;
    return !known || out->answers;
}

akin_status labelled_add(const labelled *l, job *j, const uint32_t rows[2])
{
    const int right = rows[1] > 0;
    const uint32_t rows_of[2] = {rows[0], rows[right]};
    const akin_column *const ids[2] = {l->ids[0].size ? &l->ids[0] : NULL, l->ids[right].size ? &l->ids[right] : NULL};
    return l->count > 0 ? akin_labelling_add(j->context, l->labelling, ids, rows_of, l->answers, l->count, &j->error)
                        : AKIN_OK;
}

PyMethodDef labelling_functions[] = {
    {"labelling", labelling, METH_NOARGS, "labelling() -> a labelling without answers"},
    {"labelling_next", labelling_next, METH_O, "labelling_next(labelling) -> (left, right, probability), or None"},
    {"labelling_answer", labelling_answer, METH_VARARGS, "labelling_answer(labelling, left, right, answer)"},
    {"labelling_undo", labelling_undo, METH_O, "labelling_undo(labelling) -> bool"},
    {"labelling_answers", labelling_answers, METH_O,
     "labelling_answers(labelling) -> [(left, right, answer, is doubted), ...]"},
    {NULL, NULL, 0, NULL},
};
