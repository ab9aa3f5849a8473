/*
 * Fuzzes the reading of matrices: the first byte tells the format, the rest is the file. What is read is finite.
 */
#define _GNU_SOURCE

#include "table/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check(const akin_matrix *matrix)
{
    float *row = malloc(((size_t)matrix->dimensions + 1) * sizeof *row);
    require(row && (matrix->rows == 0 || matrix->dimensions > 0));
    for (uint32_t i = 0; i < matrix->rows; i++) {
        akin_matrix_floats(matrix, i, 1, row);
        for (uint32_t j = 0; j < matrix->dimensions; j++)
            require(isfinite(row[j]));
    }
    free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    akin_context context = {.threads = 1};
    akin_matrix matrix;
    akin_error error = {.message = ""};
    char name[64];
    if (size == 0 || data[0] >= AKIN_MATRIX_FORMATS)
        return -1;
    int file = memfd_create("matrix", 0);
    require(file >= 0 && (size == 1 || write(file, data + 1, size - 1) == (ssize_t)size - 1));
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    if (akin_matrix_read(&context, name, (akin_matrix_format)data[0], &matrix, &error) == AKIN_OK)
        check(&matrix);
    else
        require(error.message[0] != 0);
    akin_matrix_clear(&matrix);
    close(file);
    return 0;
}
