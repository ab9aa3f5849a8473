/* Writes the head of an array in NumPy's format. */
#include "base/npy.h"

#include <stdio.h>
#include <string.h>

/* "\x93NUMPY", the version, the length of what follows, a dictionary of Python's, filled up with blanks. */
void akin_npy_head(char head[AKIN_NPY_HEAD], const char *type, const char *shape)
{
    char text[AKIN_NPY_HEAD - 10];
    const int length =
        snprintf(text, sizeof text, "{'descr': '%.16s', 'fortran_order': False, 'shape': %.50s, }", type, shape);
    memset(head, ' ', AKIN_NPY_HEAD);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(head + 10, text, (size_t)length); /* 49 characters, 16 and 50 at most: there is room for 117 */
    head[AKIN_NPY_HEAD - 1] = '\n';
}
