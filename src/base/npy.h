/* The head of an array in NumPy's format (NEP 1), version 1.0. */
#ifndef AKIN_BASE_NPY_H
#define AKIN_BASE_NPY_H

#define AKIN_NPY_HEAD 128 /* bytes before the numbers: NumPy aligns these to 64 */

/* Writes the head. Type and shape are as Python writes them, such as "<f4" and "(2, 3)"; of them 16 and 50
 * characters count. */
void akin_npy_head(char head[AKIN_NPY_HEAD], const char *type, const char *shape);

#endif
