/* The cells of CSV that the command wrote itself, read back to be shown. */
#ifndef AKIN_CLI_CELLS_H
#define AKIN_CLI_CELLS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define AKIN_CLI_CELL 64 /* bytes of a cell that are kept */

/* A value as it is shown: blanks are in place of what a terminal must not get, and "..." of what was cut off. */
typedef struct akin_cli_cell {
    char text[AKIN_CLI_CELL + 4];
    uint32_t length, width; /* in bytes, and in columns of the screen */
} akin_cli_cell;

/* The first rows of a file, cell by cell, and how many rows it has. */
typedef struct akin_cli_cells {
    akin_cli_cell *cells;
    size_t columns, rows; /* that are kept; the header is a row, too */
    uint64_t count;       /* of all rows */
} akin_cli_cells;

/* Reads a file, and keeps its first `most` rows; the caller clears *out. Returns 0 if memory was short. */
int akin_cli_cells_read(FILE *file, size_t most, akin_cli_cells *out);
void akin_cli_cells_clear(akin_cli_cells *cells);

/* Cuts a cell to a width of at least 4. */
void akin_cli_cell_cut(akin_cli_cell *cell, uint32_t width);

#endif
