/*
 * Fuzzes the reading of matrices: the first byte is the format, from 0 on, the rest is the file. Values that it reads
 * are finite.
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "table/matrix.h"

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
    akin_error error;
    const size_t numbers = (size_t)matrix->rows * matrix->columns;
    int64_t sum = 0;
    require(akin_matrix_check(matrix, "check", &error) == AKIN_OK); /* which looks at all floats */
    for (size_t i = 0; i < numbers && matrix->number != AKIN_NUMBER_F32; i++)
        sum ^= akin_matrix_integer(matrix, i);
    *(volatile int64_t *)&sum = sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_matrix *matrix = NULL;
    akin_error error = {.message = ""};
    char name[64];
    if (size == 0 || !akin_choice_of_value("matrix-formats", data[0] + 1))
        return -1;
    int file = memfd_create("matrix", 0);
    require(file >= 0 && (size == 1 || write(file, data + 1, size - 1) == (ssize_t)size - 1));
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    if (akin_matrix_read(&context, name, (akin_matrix_format)(data[0] + 1), &matrix, &error) == AKIN_OK)
        check(matrix);
    else
        require(error.message[0] != 0);
    akin_matrix_free(matrix);
    close(file);
    return 0;
}
