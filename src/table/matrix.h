/*
 * Matrices of numbers, a vector a row, as they are exchanged: little-endian, plain, gzip or zstd.
 *
 *     u8, f32        int32 rows, int32 dimensions, then the numbers row by row: a byte, or 4 bytes, each (.u8bin, .fbin)
 *     npy            NumPy's: of |u1, <f4 or <f8, in C order, two-dimensional (NEP 1)
 *     bvecs, fvecs   for each row: int32 dimensions, the same in all, then the numbers: bytes, or 4 bytes each
 */
#ifndef AKIN_TABLE_MATRIX_H
#define AKIN_TABLE_MATRIX_H

#include "base/context.h"

#define AKIN_MATRIX_DIMENSIONS (1u << 20) /* at most */

typedef enum akin_matrix_format {
    AKIN_MATRIX_U8,
    AKIN_MATRIX_F32,
    AKIN_MATRIX_NPY,
    AKIN_MATRIX_BVECS,
    AKIN_MATRIX_FVECS,
    AKIN_MATRIX_FORMATS
} akin_matrix_format;

typedef struct akin_matrix {
    uint32_t rows, dimensions;
    int is_bytes;
    void *numbers; /* uint8_t if is_bytes, else float: row by row */
} akin_matrix;

/* The format by how a name ends, but for .gz and .zst: .u8 .u8bin .f32 .fbin .npy .bvecs .fvecs; 0 if by none of these. */
int akin_matrix_format_of(const char *path, akin_matrix_format *out);

/* Reads all of the file at path ("-": standard input); akin_matrix_clear may follow in any case. Doubles are rounded to float.
 * Errors: AKIN_E_INPUT (cut short, or something behind it; a number that is not finite, or beyond a float; more dimensions than
 * there may be; what npy may say and this does not read), AKIN_E_LIMIT (2^32 - 1 rows), AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_matrix_read(akin_context *context, const char *path, akin_matrix_format format, akin_matrix *out,
                             akin_error *error);
void akin_matrix_clear(akin_matrix *matrix);

/* Rows `first` to `first + count - 1` as floats. */
void akin_matrix_floats(const akin_matrix *matrix, uint32_t first, uint32_t count, float *out);

#endif
