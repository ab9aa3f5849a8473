/* Columns of frames: their types, and how they go into another frame. */
#ifndef AKIN_PYTHON_FRAME_H
#define AKIN_PYTHON_FRAME_H

#include "module.h"

#define FRAME_MOST 64 /* columns of a result */

/* The type of a column by its format in Arrow's notation, and back. */
akin_type frame_type_of(const char *format);
const char *frame_format_of(akin_type type);

/* Bytes of a value in the making of a column; 0 for text. */
size_t frame_width_of(akin_type type);

/*
 * Puts a value, given as text, into a column that has that type: text, or the type that the text was made of
 * (akin_table_column_type). bytes NULL: a null. data: the place of the first of the new rows, NULL for text; the value
 * is that of new row `i`, and row `row` of the frame.
 */
akin_status frame_put(akin_frame *made, uint32_t column, akin_type type, void *data, uint64_t i, uint64_t row,
                      const char *bytes, uint64_t length, akin_error *error);

/* A column in the layout of Arrow, from its first row on. */
typedef struct frame_part {
    const char *name, *format;
    const char *validity, *data, *text; /* validity NULL: no nulls; text NULL: it is a column of numbers */
    Py_ssize_t validity_length, data_length, text_length;
} frame_part;

/* Copies a column into column `i` of a frame that has these rows. to: the place of its values. */
akin_status frame_part_fill(akin_frame *made, uint32_t i, const frame_part *part, uint64_t rows, void *to,
                            akin_error *error);

/* 0, and an exception, if there are no such rows. */
int frame_check_rows(const struct ArrowArray *array, Py_ssize_t start, Py_ssize_t stop);

/* The method of frames. */
PyObject *frame_state(PyObject *self, PyObject *args);

#endif
