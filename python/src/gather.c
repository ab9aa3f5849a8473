/* Columns beside the numbers of rows in a result: values of the rows, and the tables that have the rows. */
#include "frame.h"

#include <string.h>

/* A column to add. */
typedef struct added {
    unsigned int place; /* in the result */
    const char *name;
    const uint32_t *of; /* the row of each line */
    akin_type type;
    akin_column values[2]; /* of the rows of two tables, the right ones after the left ones */
    uint32_t rows[2];
} added;

typedef struct gathering {
    frame_part parts[FRAME_MOST]; /* of the frame that is given */
    added columns[FRAME_MOST];
    int from[FRAME_MOST]; /* for each column of the result: the added column, or -1 */
    uint32_t given, more;
    uint64_t rows;
} gathering;

static akin_status put_values(job *j, akin_frame *made, uint32_t column, const added *a, uint64_t rows, void *data)
{
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < rows && status == AKIN_OK; i++) {
        const int side = a->of[i] >= a->rows[0];
        const uint32_t row = a->of[i] - (side ? a->rows[0] : 0);
        const akin_column *values = &a->values[side];
        const uint64_t *offsets = values->offsets + row;
        const int has = !values->validity || (values->validity[row / 8] >> row % 8 & 1);
        status = frame_put(made, column, a->type, data, i, i, has ? values->bytes + offsets[0] : NULL,
                           offsets[1] - offsets[0], &j->error);
        if (status == AKIN_OK && i % LOOK_EVERY == 0)
            status = job_poll(j);
    }
    return status;
}

/*
 *     left  right  similarity               left  right  left_id  right_id  similarity
 *       0      1         0.9        -->       0      1       a1        a2         0.9
 */
static akin_status make(job *j, const gathering *g, akin_frame **out)
{
    akin_type types[FRAME_MOST];
    const char *names[FRAME_MOST];
    void *data[FRAME_MOST];
    const uint32_t count = g->given + g->more;
    for (uint32_t i = 0, given = 0; i < count; i++) {
        const added *a = g->from[i] < 0 ? NULL : &g->columns[g->from[i]];
        names[i] = a ? a->name : g->parts[given].name;
        types[i] = a ? a->type : frame_type_of(g->parts[given].format);
        given += !a;
    }
    akin_status status = akin_frame_create(j->context, count, types, names, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, g->rows, data, &j->error);
    for (uint32_t i = 0, given = 0; i < count && status == AKIN_OK; i++)
        status = g->from[i] < 0 ? frame_part_fill(*out, i, &g->parts[given++], g->rows, data[i], &j->error)
                                : put_values(j, *out, i, &g->columns[g->from[i]], g->rows, data[i]);
    return status;
}

/* The columns of the frame that is given. */
static int take_frame(PyObject *frame, gathering *g)
{
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    frame_arrays(frame, &schema, &array);
    if (array->n_children > FRAME_MOST) {
        PyErr_SetString(PyExc_ValueError, "a frame of too many columns");
        return 0;
    }
    g->given = (uint32_t)array->n_children;
    g->rows = (uint64_t)array->length;
    for (uint32_t i = 0; i < g->given; i++) {
        const struct ArrowArray *column = array->children[i];
        g->parts[i] = (frame_part){.name = schema->children[i]->name,
                                   .format = schema->children[i]->format,
                                   .validity = column->buffers[0],
                                   .data = column->buffers[1],
                                   .text = column->n_buffers > 2 ? column->buffers[2] : NULL};
    }
    return 1;
}

/* (place, name, column of the frame with rows, left, its column, right or None, its column) */
static int take_added(const state *s, PyObject *spec, const gathering *g, added *a)
{
    PyObject *inputs[2];
    unsigned int rows, columns[2];
    const input *in[2];
    if (!tuple_take(spec, "IsIOIOI:column", &a->place, &a->name, &rows, &inputs[0], &columns[0], &inputs[1],
                    &columns[1]) ||
        !input_take(s, inputs[0], 1, &in[0]) || !input_take(s, inputs[1], 1, &in[1]))
        return 0;
    if (!in[0] || rows >= g->given || *g->parts[rows].format != 'I' || g->parts[rows].validity) {
        PyErr_SetString(PyExc_TypeError, "expected a column of rows, and an input");
        return 0;
    }
    a->of = (const uint32_t *)(const void *)g->parts[rows].data;
    for (int side = 0; side < 2 && in[side]; side++) {
        a->values[side].size = sizeof a->values[side];
        a->rows[side] = akin_table_rows(in[side]->table);
        if (akin_table_column(in[side]->table, columns[side], &a->values[side], NULL) != AKIN_OK) {
            PyErr_SetString(PyExc_IndexError, "there is no such column");
            return 0;
        }
        const akin_type type = akin_table_column_type(in[side]->table, columns[side]);
        a->type = side == 0 || type == a->type ? type : AKIN_TYPE_TEXT;
    }
    for (uint64_t i = 0; i < g->rows; i++)
        if (a->of[i] >= (uint64_t)a->rows[0] + a->rows[1]) {
            PyErr_SetString(PyExc_IndexError, "there is no such row");
            return 0;
        }
    return 1;
}

static int take_columns(const state *s, PyObject *specs, gathering *g)
{
    const Py_ssize_t more = PyTuple_Size(specs);
    if (more < 0 || more > (Py_ssize_t)(FRAME_MOST - g->given)) {
        PyErr_Format(s->option_error, "a result has at most %d columns", FRAME_MOST);
        return 0;
    }
    g->more = (uint32_t)more;
    memset(g->from, -1, sizeof g->from);
    for (uint32_t i = 0; i < g->more; i++) {
        if (!take_added(s, PyTuple_GetItem(specs, (Py_ssize_t)i), g, &g->columns[i]))
            return 0;
        const unsigned int place = g->columns[i].place;
        if (place >= g->given + g->more || g->from[place] >= 0) {
            PyErr_SetString(PyExc_IndexError, "there is no such place for a column");
            return 0;
        }
        g->from[place] = (int)i;
    }
    return 1;
}

/* gather(settings, frame, (column, ...)): the frame with more columns, each as take_added says. */
static PyObject *gather(PyObject *module, PyObject *args)
{
    PyObject *settings, *frame, *specs, *made = NULL;
    akin_frame *out = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!O!:gather", &settings, s->frame_type, &frame, &PyTuple_Type, &specs))
        return NULL;
    gathering *g = PyMem_Calloc(1, sizeof *g);
    if (!g)
        return PyErr_NoMemory();
    if (take_frame(frame, g) && take_columns(s, specs, g) && job_begin(&j, s, settings)) {
        job_leave(&j);
        akin_status status = make(&j, g, &out);
        status = job_return(&j, status);
        job_end(&j);
        made = frame_of_job(&j, status, out);
    }
    PyMem_Free(g);
    return made;
}

/* Columns of rows of two tables, the right ones numbered after the left ones. */
typedef struct splitting {
    gathering frame;
    const char *sides[FRAME_MOST]; /* of each column: the name of the column of its sides; NULL: it stays */
    uint32_t left;                 /* rows of the left table */
} splitting;

static akin_status put_sides(job *j, akin_frame *made, uint32_t column, const splitting *s, const uint32_t *rows,
                             uint32_t *split)
{
    static const char *const names[] = {"left", "right"};
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < s->frame.rows && status == AKIN_OK; i++) {
        const int side = rows[i] >= s->left;
        split[i] = rows[i] - (side ? s->left : 0);
        status = frame_put(made, column, AKIN_TYPE_TEXT, NULL, i, i, names[side], strlen(names[side]), &j->error);
        if (status == AKIN_OK && i % LOOK_EVERY == 0)
            status = job_poll(j);
    }
    return status;
}

/*
 *     row  cluster               side  row  cluster
 *       1        0      -->      left    1        0
 *       5        0              right    2        0      with 3 left rows
 */
static akin_status split(job *j, const splitting *s, akin_frame **out)
{
    akin_type types[FRAME_MOST];
    const char *names[FRAME_MOST];
    void *data[FRAME_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->frame.given; i++) {
        if (s->sides[i]) {
            names[count] = s->sides[i];
            types[count++] = AKIN_TYPE_TEXT;
        }
        names[count] = s->frame.parts[i].name;
        types[count++] = frame_type_of(s->frame.parts[i].format);
    }
    akin_status status = akin_frame_create(j->context, count, types, names, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, s->frame.rows, data, &j->error);
    for (uint32_t i = 0, at = 0; i < s->frame.given && status == AKIN_OK; i++, at++) {
        const frame_part *part = &s->frame.parts[i];
        if (!s->sides[i]) {
            status = frame_part_fill(*out, at, part, s->frame.rows, data[at], &j->error);
            continue;
        }
        status = put_sides(j, *out, at, s, (const uint32_t *)(const void *)part->data, data[at + 1]);
        at++;
    }
    return status;
}

static int take_sides(PyObject *specs, splitting *s)
{
    const Py_ssize_t count = PyTuple_Size(specs);
    if (count > (Py_ssize_t)(FRAME_MOST - s->frame.given)) {
        PyErr_Format(PyExc_ValueError, "a result has at most %d columns", FRAME_MOST);
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        unsigned int column;
        const char *name;
        if (!tuple_take(PyTuple_GetItem(specs, i), "Is:side", &column, &name))
            return 0;
        if (column >= s->frame.given || *s->frame.parts[column].format != 'I' || s->frame.parts[column].validity ||
            s->sides[column]) {
            PyErr_SetString(PyExc_TypeError, "expected a column of rows");
            return 0;
        }
        s->sides[column] = name;
    }
    return count >= 0;
}

/* split_sides(settings, frame, rows of the left table, ((column of rows, name of the column of its sides), ...)): the
 * frame with rows of each table. */
static PyObject *split_sides(PyObject *module, PyObject *args)
{
    PyObject *settings, *frame, *specs, *made = NULL;
    akin_frame *out = NULL;
    unsigned int left;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!IO!:split_sides", &settings, s->frame_type, &frame, &left, &PyTuple_Type, &specs))
        return NULL;
    splitting *splitting = PyMem_Calloc(1, sizeof *splitting);
    if (!splitting)
        return PyErr_NoMemory();
    splitting->left = left;
    if (take_frame(frame, &splitting->frame) && take_sides(specs, splitting) && job_begin(&j, s, settings)) {
        job_leave(&j);
        akin_status status = split(&j, splitting, &out);
        status = job_return(&j, status);
        job_end(&j);
        made = frame_of_job(&j, status, out);
    }
    PyMem_Free(splitting);
    return made;
}

PyMethodDef gather_functions[] = {
    {"gather", gather, METH_VARARGS, "gather(settings, frame, columns) -> Frame"},
    {"split_sides", split_sides, METH_VARARGS, "split_sides(settings, frame, rows_left, columns) -> Frame"},
    {NULL, NULL, 0, NULL},
};
