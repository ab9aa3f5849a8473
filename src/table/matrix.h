/* Matrices of numbers: what others than akin_matrix_read (akin.h) need of them. */
#ifndef AKIN_TABLE_MATRIX_H
#define AKIN_TABLE_MATRIX_H

#include "base/choice.h"
#include "base/scope.h"

/* The formats of matrices, by name. */
extern const akin_choice_table akin_matrix_formats;

/* The bytes of a number; 0: there is none such. */
size_t akin_number_bytes(akin_number number);

/* Whether vectors are of such numbers; others are integers. */
int akin_number_is_of_vectors(akin_number number);

/* Whether a caller's matrix can be, `purpose` saying what it is for; floats must be finite. Errors: AKIN_E_OPTION,
 * AKIN_E_INPUT. */
akin_status akin_matrix_check(const akin_matrix *matrix, const char *purpose, akin_error *error);

/* Rows `first` to `first + count - 1`, of bytes or floats, as floats. */
void akin_matrix_floats(const akin_matrix *matrix, uint32_t first, uint32_t count, float *out);

/* A row of vectors, which are bytes or floats. */
static inline const uint8_t *akin_matrix_vector(const akin_matrix *matrix, uint32_t row)
{
    const size_t bytes = (size_t)matrix->columns * (matrix->number == AKIN_NUMBER_U8 ? 1 : sizeof(float));
    return (const uint8_t *)matrix->numbers + row * bytes;
}

/* A number of those of integers. */
static inline int64_t akin_matrix_integer(const akin_matrix *matrix, size_t at)
{
    return matrix->number == AKIN_NUMBER_U8    ? ((const uint8_t *)matrix->numbers)[at]
           : matrix->number == AKIN_NUMBER_I32 ? ((const int32_t *)matrix->numbers)[at]
                                               : ((const int64_t *)matrix->numbers)[at];
}

#endif
