/* Results on a terminal: an aligned table, and below it the number of rows. */
#define _POSIX_C_SOURCE 200809L /* fdopen */
#define _DEFAULT_SOURCE         /* the size of a terminal */

#include "screen.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cells.h"
#include "command.h"
#include "number.h"

#define ROWS   40u /* of a table that are shown */
#define GAP    2u  /* columns of the screen between those of the table */
#define NARROW 8u  /* columns are not made narrower than this, so that a table fits */
#define SCREEN 80u /* columns of a screen that does not say how many it has */

int akin_cli_screen_wanted(const char *output, const char *format)
{
    return !output && !format && isatty(STDOUT_FILENO);
}

akin_status akin_cli_screen_open(akin_cli_screen *screen, const akin_context *context, akin_error *error)
{
    int fd = -1;
    const akin_status status = akin_temporary_file(context, &fd, error);
    if (status != AKIN_OK)
        return status;
    screen->file = fdopen(fd, "r");
    if (!screen->file) {
        const int reason = errno;
        close(fd);
        return akin_error_set(error, AKIN_E_IO, AKIN_REASON_FILE, "a temporary file cannot be read: %s",
                              strerror(reason));
    }
    snprintf(screen->path, sizeof screen->path, "/dev/fd/%d", fd);
    return AKIN_OK;
}

void akin_cli_screen_close(akin_cli_screen *screen)
{
    if (screen->file)
        fclose(screen->file);
    screen->file = NULL;
}

/* The columns of a screen. */
static uint32_t screen_width(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : SCREEN;
}

static akin_cli_cell *cell_at(const akin_cli_cells *cells, size_t row, size_t column)
{
    return &cells->cells[row * cells->columns + column];
}

/* Whether all values of a column are numbers, or missing. */
static int is_numeric(const akin_cli_cells *cells, size_t column)
{
    for (size_t row = 1; row < cells->rows; row++) {
        const akin_cli_cell *cell = cell_at(cells, row, column);
        if (strspn(cell->text, "0123456789.+-e") != cell->length)
            return 0;
    }
    return 1;
}

/* How wide the columns are: as their widest value, and the widest ones less if the table is wider than the screen. */
static void measure_widths(const akin_cli_cells *cells, uint32_t *widths)
{
    uint64_t total = 0;
    for (size_t column = 0; column < cells->columns; column++) {
        widths[column] = 0;
        for (size_t row = 0; row < cells->rows; row++) {
            const uint32_t width = cell_at(cells, row, column)->width;
            widths[column] = width > widths[column] ? width : widths[column];
        }
        total += widths[column] + GAP;
    }
    for (const uint64_t fits = screen_width() + (uint64_t)GAP; total > fits; total--) {
        size_t widest = 0;
        for (size_t column = 1; column < cells->columns; column++)
            widest = widths[column] > widths[widest] ? column : widest;
        if (widths[widest] <= NARROW)
            return;
        widths[widest]--;
    }
}

static void put_blanks(uint32_t count)
{
    printf("%*s", (int)count, "");
}

static void put_row(const akin_cli_cells *cells, size_t row, const uint32_t *widths, const char *numeric)
{
    for (size_t column = 0; column < cells->columns; column++) {
        akin_cli_cell *cell = cell_at(cells, row, column);
        const int is_last = column + 1 == cells->columns;
        akin_cli_cell_cut(cell, widths[column]);
        const uint32_t blanks = widths[column] - cell->width;
        if (numeric[column])
            put_blanks(blanks);
        fwrite(cell->text, 1, cell->length, stdout);
        if (!numeric[column] && !is_last)
            put_blanks(blanks);
        put_blanks(is_last ? 0 : GAP);
    }
    putchar('\n');
}

static void put_cells_line(const akin_cli_cells *cells, const uint32_t *widths)
{
    for (size_t column = 0; column < cells->columns; column++) {
        for (uint32_t i = 0; i < widths[column]; i++)
            putchar('-');
        put_blanks(column + 1 == cells->columns ? 0 : GAP);
    }
    putchar('\n');
}

/* "12 rows", or which of them were shown and how to have all. */
static void put_count(uint64_t shown, uint64_t count)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER];
    if (shown < count)
        printf("... %s more; -o FILE writes all %s rows\n", akin_cli_format_grouped(a, count - shown),
               akin_cli_format_grouped(b, count));
    else
        printf("%s row%s\n", akin_cli_format_grouped(a, count), count == 1 ? "" : "s");
}

static akin_status show_cells(const akin_cli_cells *cells, akin_error *error)
{
    uint32_t *widths = malloc((cells->columns + 1) * sizeof *widths);
    char *numeric = malloc(cells->columns + 1);
    const int fine = widths && numeric;
    if (fine) {
        for (size_t column = 0; column < cells->columns; column++)
            numeric[column] = (char)is_numeric(cells, column);
        measure_widths(cells, widths);
        put_row(cells, 0, widths, numeric);
        put_cells_line(cells, widths);
        for (size_t row = 1; row < cells->rows; row++)
            put_row(cells, row, widths, numeric);
        put_count(cells->rows - 1, cells->count - 1);
    }
    free(widths);
    free(numeric);
    return fine ? AKIN_OK
                : akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory to show the result");
}

akin_status akin_cli_screen_show(akin_cli_screen *screen, akin_error *error)
{
    akin_cli_cells cells = {0};
    akin_status status = AKIN_OK;
    if (!screen->file)
        return status;
    rewind(screen->file);
    if (!akin_cli_cells_read(screen->file, ROWS + 1, &cells))
        status = akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory to show the result");
    else if (cells.rows > 0)
        status = show_cells(&cells, error);
    if (status == AKIN_OK && fflush(stdout) != 0)
        status = akin_error_set(error, AKIN_E_IO, AKIN_REASON_FILE, "standard output: cannot be written: %s",
                                strerror(errno));
    akin_cli_cells_clear(&cells);
    akin_cli_screen_close(screen);
    return status;
}
