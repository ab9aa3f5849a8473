/* Models of learnt weights, by which pairs compete that tasks have found in parts of tables. */
#include "module.h"

/* NULL, and the job has failed. */
static akin_dedupe_model *parse_model(job *j, const char *name, const char *text, Py_ssize_t length)
{
    akin_json *json = NULL;
    akin_dedupe_model *made = NULL;
    akin_status status = akin_json_parse(name, text, (uint64_t)length, &json, &j->error);
    if (status == AKIN_OK)
        status = akin_dedupe_model_read(json, name, &made, &j->error);
    akin_json_free(json);
    if (status != AKIN_OK)
        job_fail(j, status);
    return made;
}

/* model_competes(settings, name and text of a model): whether a record has one partner at most */
static PyObject *model_competes(PyObject *module, PyObject *args)
{
    PyObject *settings;
    const char *name, *text;
    Py_ssize_t length;
    job j;
    if (!PyArg_ParseTuple(args, "Oss#:model_competes", &settings, &name, &text, &length) ||
        !job_begin(&j, state_of(module), settings))
        return NULL;
    akin_dedupe_model *model = parse_model(&j, name, text, length);
    const int competes = model && akin_dedupe_model_partners(model) == AKIN_PARTNERS_ONE;
    akin_dedupe_model_free(model);
    job_end(&j);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(competes);
}

/* The pairs that compete: their rows and weights. */
typedef struct competing {
    Py_buffer sides[2], weights;
    uint32_t rows[2];
    akin_ratio threshold;
    akin_scored_pair *pairs;
    uint64_t *numbers, count;
} competing;

/* Without the interpreter. */
static akin_status match_pairs(job *j, const akin_dedupe_model *model, competing *c, akin_frame **out)
{
    static const char *const names[] = {"pair", "probability"};
    static const akin_type types[] = {AKIN_TYPE_U64, AKIN_TYPE_F64};
    const uint32_t *left = c->sides[0].buf, *right = c->sides[1].buf;
    const double *weights = c->weights.buf;
    void *data[2];
    for (uint64_t i = 0; i < c->count; i++)
        c->pairs[i] = (akin_scored_pair){left[i], right[i], weights[i]};
    akin_status status =
        akin_dedupe_model_match(j->context, model, c->rows, c->threshold, c->pairs, c->numbers, &c->count, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_create(j->context, 2, types, names, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, c->count, data, &j->error);
    for (uint64_t i = 0; i < c->count && status == AKIN_OK; i++) {
        ((uint64_t *)data[0])[i] = c->numbers[i];
        ((double *)data[1])[i] = c->pairs[i].similarity;
    }
    return status;
}

static PyObject *match_all(state *s, PyObject *settings, const char *text, Py_ssize_t length, competing *c)
{
    akin_frame *made = NULL;
    akin_status status = AKIN_OK;
    job j;
    if (c->sides[0].len != c->sides[1].len || c->weights.len / 2 != c->sides[0].len) {
        PyErr_SetString(PyExc_ValueError, "expected a left row, a right row and a weight for each pair");
        return NULL;
    }
    if (!buffer_check(&c->sides[0], sizeof(uint32_t)) || !buffer_check(&c->sides[1], sizeof(uint32_t)) ||
        !buffer_check(&c->weights, sizeof(double)) || !job_begin(&j, s, settings))
        return NULL;
    c->count = (uint64_t)c->weights.len / sizeof(double);
    c->pairs = PyMem_Malloc(c->count * sizeof *c->pairs);
    c->numbers = PyMem_Malloc(c->count * sizeof *c->numbers);
    akin_dedupe_model *model = parse_model(&j, "the model", text, length);
    if (model && c->pairs && c->numbers) {
        job_leave(&j);
        status = match_pairs(&j, model, c, &made);
        status = job_return(&j, status);
    } else if (model)
        PyErr_NoMemory();
    akin_dedupe_model_free(model);
    PyMem_Free(c->pairs);
    PyMem_Free(c->numbers);
    job_end(&j);
    return PyErr_Occurred() ? NULL : frame_of_job(&j, status, made);
}

/* model_match(settings, text of a model, (left records, right records or 0), (numerator, denominator) of a threshold,
 * left, right: buffers of 32-bit rows, weights) -> Frame of "pair" and "probability" */
static PyObject *model_match(PyObject *module, PyObject *args)
{
    PyObject *settings, *made;
    const char *text;
    Py_ssize_t length;
    competing c = {.count = 0};
    if (!PyArg_ParseTuple(args, "Os#(II)(II)y*y*y*:model_match", &settings, &text, &length, &c.rows[0], &c.rows[1],
                          &c.threshold.num, &c.threshold.den, &c.sides[0], &c.sides[1], &c.weights))
        return NULL;
    made = match_all(state_of(module), settings, text, length, &c);
    PyBuffer_Release(&c.sides[0]);
    PyBuffer_Release(&c.sides[1]);
    PyBuffer_Release(&c.weights);
    return made;
}

PyMethodDef model_functions[] = {
    {"model_competes", model_competes, METH_VARARGS, "model_competes(settings, name, text) -> bool"},
    {"model_match", model_match, METH_VARARGS,
     "model_match(settings, text, records, threshold, left, right, weights) -> Frame"},
    {NULL, NULL, 0, NULL},
};
