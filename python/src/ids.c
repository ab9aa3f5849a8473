/* The ids of rows: results with ids beside the numbers of rows. */
#include "module.h"

#include <stdio.h>
#include <string.h>

#define MOST  64  /* columns of a result */
#define SHOWN 200 /* bytes of an id in a message */

/* The rows of one side of pairs, and their ids. */
typedef struct side {
    const char *name; /* of the column of ids in the result */
    akin_column ids;
    uint32_t rows;
    const uint32_t *of; /* the row of each pair */
} side;

akin_status ids_check(job *j, const akin_column *ids, uint32_t rows)
{
    akin_dictionary *seen;
    akin_status status = akin_dictionary_create(j->context, &seen, &j->error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        const char *bytes = ids->bytes + ids->offsets[row];
        const size_t length = (size_t)(ids->offsets[row + UINT64_C(1)] - ids->offsets[row]);
        uint32_t first = 0;
        const int has = !ids->validity || (ids->validity[row / 8] >> row % 8 & 1);
        if (row % LOOK_EVERY == 0)
            status = job_poll(j);
        if (status == AKIN_OK && has && length > 0)
            status = akin_dictionary_add(seen, bytes, length, &first, &j->error);
        if (status != AKIN_OK || (has && length > 0 && first == row))
            continue;
        status = AKIN_E_INPUT;
        size_t shown = length < SHOWN ? length : SHOWN;
        while (shown < length && shown > 0 && ((unsigned char)bytes[shown] & 0xc0) == 0x80)
            shown--; /* no part of a character */
        if (!has || length == 0)
            akin_error_set(&j->error, status, AKIN_REASON_MISSING, "row %u, column '%.200s': there is no id", row,
                           ids->name);
        else
            akin_error_set(&j->error, status, AKIN_REASON_REPEATED,
                           "row %u, column '%.200s': the id '%.*s' is already that of row %u", row, ids->name,
                           (int)shown, bytes, first);
        j->error.row = row;
        snprintf(j->error.column, sizeof j->error.column, "%s", ids->name);
    }
    akin_dictionary_free(seen);
    return status;
}

static akin_status put_ids(job *j, akin_frame *made, uint32_t column, const side *s, uint64_t count)
{
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        const uint64_t *offsets = s->ids.offsets + s->of[i];
        status = akin_frame_add_text(made, column, s->ids.bytes + offsets[0], offsets[1] - offsets[0], &j->error);
        if (status == AKIN_OK && i % LOOK_EVERY == 0)
            status = job_poll(j);
    }
    return status;
}

/* Numbers as they are, nulls included. */
static akin_status copy_column(akin_frame *made, uint32_t column, const struct ArrowArray *from, size_t width, void *to,
                               akin_error *error)
{
    const uint64_t count = (uint64_t)from->length;
    const uint8_t *validity = from->buffers[0];
    akin_status status = AKIN_OK;
    if (count > 0)
        memcpy(to, from->buffers[1], (size_t)count * width);
    for (uint64_t row = 0; row < count && validity && status == AKIN_OK; row++)
        if (!(validity[row / 8] >> row % 8 & 1))
            status = akin_frame_set_null(made, column, row, error);
    return status;
}

/*
 *     left  right  similarity  ...         left  right  left_id  right_id  similarity  ...
 *
 * Columns of the result are numbers of 4 or 8 bytes.
 */
static akin_status make(job *j, const struct ArrowSchema *schema, const struct ArrowArray *array, const side sides[2],
                        akin_frame **out)
{
    akin_type types[MOST] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_TEXT, AKIN_TYPE_TEXT};
    const char *names[MOST] = {"left", "right", sides[0].name, sides[1].name};
    void *data[MOST];
    const uint32_t count = (uint32_t)array->n_children;
    for (uint32_t i = 2; i < count; i++) {
        const char format = *schema->children[i]->format;
        types[i + 2] = format == 'I' ? AKIN_TYPE_U32 : format == 'L' ? AKIN_TYPE_U64 : AKIN_TYPE_F64;
        names[i + 2] = schema->children[i]->name;
    }
    akin_status status = ids_check(j, &sides[0].ids, sides[0].rows);
    if (status == AKIN_OK && sides[1].ids.offsets != sides[0].ids.offsets)
        status = ids_check(j, &sides[1].ids, sides[1].rows);
    if (status == AKIN_OK)
        status = akin_frame_create(j->context, count + 2, types, names, out, &j->error);
    if (status != AKIN_OK)
        return status;
    status = akin_frame_extend(*out, (uint64_t)array->length, data, &j->error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        const uint32_t to = i < 2 ? i : i + 2;
        status = copy_column(*out, to, array->children[i], types[to] == AKIN_TYPE_U32 ? 4 : 8, data[to], &j->error);
    }
    for (uint32_t i = 0; i < 2 && status == AKIN_OK; i++)
        status = put_ids(j, *out, 2 + i, &sides[i], (uint64_t)array->length);
    return status;
}

/* Whether the first two columns are rows, and the others numbers. */
static int are_pairs(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    if (array->n_children < 2 || array->n_children > MOST - 2)
        return 0;
    for (int64_t i = 0; i < array->n_children; i++)
        if (!strchr(i < 2 ? "I" : "ILg", *schema->children[i]->format) || (i < 2 && array->children[i]->null_count))
            return 0;
    return 1;
}

static int take_side(const char *name, const input *from, unsigned int column, const struct ArrowArray *rows, side *out)
{
    *out = (side){.name = name, .rows = akin_table_rows(from->table), .of = rows->buffers[1]};
    out->ids.size = sizeof out->ids;
    if (akin_table_column(from->table, column, &out->ids, NULL) != AKIN_OK) {
        PyErr_SetString(PyExc_IndexError, "there is no such column");
        return 0;
    }
    for (int64_t i = 0; i < rows->length; i++)
        if (out->of[i] >= out->rows) {
            PyErr_SetString(PyExc_IndexError, "there is no such row");
            return 0;
        }
    return 1;
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

/* with_ids(settings, frame, left, column, right, column): a frame whose first two columns are rows of the inputs. */
static PyObject *with_ids(PyObject *module, PyObject *args)
{
    PyObject *settings, *pairs, *inputs[2];
    unsigned int columns[2];
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    side sides[2];
    akin_frame *made = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!O!IO!I:with_ids", &settings, s->frame_type, &pairs, s->input_type, &inputs[0],
                          &columns[0], s->input_type, &inputs[1], &columns[1]))
        return NULL;
    frame_arrays(pairs, &schema, &array);
    if (!are_pairs(schema, array)) {
        PyErr_SetString(PyExc_TypeError, "expected pairs: two columns of rows, and others of numbers");
        return NULL;
    }
    for (int i = 0; i < 2; i++)
        if (!take_side(i ? "right_id" : "left_id", (const input *)inputs[i], columns[i], array->children[i], &sides[i]))
            return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    job_leave(&j);
    akin_status status = make(&j, schema, array, sides, &made);
    status = job_return(&j, status);
    job_end(&j);
    return frame_of_job(&j, status, made);
}

/* The ids of the rows of two tables, the right ones after the left ones. */
typedef struct callings {
    akin_column ids[2];
    uint32_t rows[2];
} callings;

static akin_status add_id(akin_frame *made, uint32_t column, const callings *c, uint32_t row, akin_error *error)
{
    const int side = row >= c->rows[0];
    const uint64_t *offsets = c->ids[side].offsets + (side ? row - c->rows[0] : row);
    return akin_frame_add_text(made, column, c->ids[side].bytes + offsets[0], offsets[1] - offsets[0], error);
}

/*
 *     row  cluster  size  representative         row  id  cluster  size  representative  representative_id
 *
 * Columns are numbers of 4 bytes; the first and the last are rows.
 */
static akin_status make_named(job *j, const struct ArrowSchema *schema, const struct ArrowArray *array,
                              const callings *c, akin_frame **out)
{
    akin_type types[MOST];
    const char *names[MOST];
    void *data[MOST];
    const uint32_t count = (uint32_t)array->n_children, last = count + 1;
    const uint32_t *first_rows = array->children[0]->buffers[1], *last_rows = array->children[count - 1]->buffers[1];
    for (uint32_t i = 0; i < count; i++) {
        types[i + (i > 0)] = AKIN_TYPE_U32;
        names[i + (i > 0)] = schema->children[i]->name;
    }
    types[1] = types[last] = AKIN_TYPE_TEXT;
    names[1] = "id";
    names[last] = "representative_id";
    akin_status status = akin_frame_create(j->context, count + 2, types, names, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, (uint64_t)array->length, data, &j->error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = copy_column(*out, i + (i > 0), array->children[i], 4, data[i + (i > 0)], &j->error);
    for (int64_t i = 0; i < array->length && status == AKIN_OK; i++) {
        status = add_id(*out, 1, c, first_rows[i], &j->error);
        if (status == AKIN_OK)
            status = add_id(*out, last, c, last_rows[i], &j->error);
        if (status == AKIN_OK && i % LOOK_EVERY == 0)
            status = job_poll(j);
    }
    return status;
}

/* Whether all columns are numbers of 4 bytes, and the first and the last rows that there are. */
static int are_rows(const struct ArrowSchema *schema, const struct ArrowArray *array, const callings *c)
{
    const uint64_t rows = (uint64_t)c->rows[0] + c->rows[1];
    if (array->n_children < 2 || array->n_children > MOST - 2)
        return 0;
    for (int64_t i = 0; i < array->n_children; i++)
        if (*schema->children[i]->format != 'I' || array->children[i]->null_count)
            return 0;
    for (int64_t i = 0; i < array->length; i++)
        if (((const uint32_t *)array->children[0]->buffers[1])[i] >= rows ||
            ((const uint32_t *)array->children[array->n_children - 1]->buffers[1])[i] >= rows)
            return 0;
    return 1;
}

/* rows_with_ids(settings, frame, left, column, right or None, column): a frame of numbers, with rows of the
 * inputs in the first and the last column. Rows of the right input are numbered after those of the left one. */
static PyObject *rows_with_ids(PyObject *module, PyObject *args)
{
    PyObject *settings, *frame, *inputs[2];
    unsigned int columns[2];
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    const input *in[2];
    callings c = {.rows = {0, 0}};
    akin_frame *made = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!O!IOI:rows_with_ids", &settings, s->frame_type, &frame, s->input_type, &inputs[0],
                          &columns[0], &inputs[1], &columns[1]) ||
        !input_take(s, inputs[0], 1, &in[0]) || !input_take(s, inputs[1], 1, &in[1]))
        return NULL;
    for (int side = 0; side < 2 && in[side]; side++) {
        c.ids[side].size = sizeof c.ids[side];
        c.rows[side] = akin_table_rows(in[side]->table);
        if (akin_table_column(in[side]->table, columns[side], &c.ids[side], NULL) != AKIN_OK) {
            PyErr_SetString(PyExc_IndexError, "there is no such column");
            return NULL;
        }
    }
    frame_arrays(frame, &schema, &array);
    if (!are_rows(schema, array, &c)) {
        PyErr_SetString(PyExc_TypeError, "expected numbers, with rows of the inputs in the first and the last column");
        return NULL;
    }
    if (!job_begin(&j, s, settings))
        return NULL;
    job_leave(&j);
    akin_status status = make_named(&j, schema, array, &c, &made);
    status = job_return(&j, status);
    job_end(&j);
    return frame_of_job(&j, status, made);
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
    {"rows_with_ids", rows_with_ids, METH_VARARGS,
     "rows_with_ids(settings, frame, left, column, right, column) -> Frame"},
    {"with_ids", with_ids, METH_VARARGS, "with_ids(settings, pairs, left, column, right, column) -> Frame"},
    {NULL, NULL, 0, NULL},
};
