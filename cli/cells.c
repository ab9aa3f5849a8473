/* The cells of CSV that the command wrote itself, read back to be shown. */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

#include "akin.h"

/* Code points that take two columns of a screen, and those that take none: the large blocks of either. */
static uint32_t columns_of(uint32_t c)
{
    static const struct {
        uint32_t first, last, width;
    } blocks[] = {{0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0},  {0x064b, 0x065f, 0},
                  {0x1100, 0x115f, 2},   {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},  {0x2e80, 0x303e, 2},
                  {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},  {0xfe00, 0xfe0f, 0},
                  {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},  {0x1f300, 0x1f64f, 2},
                  {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (c >= blocks[i].first && c <= blocks[i].last)
            return blocks[i].width;
    return 1;
}

/* The code point of valid UTF-8 at `at`, and its bytes. */
static uint32_t decode(const char *at, uint32_t *bytes)
{
    const unsigned char *u = (const unsigned char *)at;
    *bytes = u[0] < 0x80 ? 1 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
    uint32_t c = *bytes == 1 ? u[0] : u[0] & (0xffu >> (*bytes + 1));
    for (uint32_t i = 1; i < *bytes; i++)
        c = c << 6 | (u[i] & 0x3fu);
    return c;
}

void akin_cli_cell_cut(akin_cli_cell *cell, uint32_t width)
{
    uint32_t at = 0, columns = 0, bytes = 0;
    if (cell->width <= width)
        return;
    for (; at < cell->length; at += bytes) {
        uint32_t wide = columns_of(decode(cell->text + at, &bytes));
        if (columns + wide > width - 3)
            break;
        columns += wide;
    }
    memcpy(cell->text + at, "...", 3);
    cell->length = at + 3;
    cell->width = columns + 3;
}

/* Puts a blank in place of each character that a terminal must not get. What remains is valid UTF-8. */
static void make_shown(akin_cli_cell *cell)
{
    char *to = cell->text;
    int is_shown;
    for (size_t at = 0, bytes; at < cell->length; at += bytes) {
        bytes = akin_character_shown(cell->text + at, cell->length - at, &is_shown);
        memmove(to, is_shown ? cell->text + at : " ", is_shown ? bytes : 1);
        to += is_shown ? bytes : 1;
    }
    cell->length = (uint32_t)(to - cell->text);
}

/* Ends a cell: it is cut where a character begins, and measured. */
static void finish_cell(akin_cli_cell *cell, int is_cut)
{
    uint32_t bytes;
    while (is_cut && cell->length > 0 && ((unsigned char)cell->text[cell->length] & 0xc0) == 0x80)
        cell->length--;
    make_shown(cell);
    for (uint32_t at = 0; at < cell->length; at += bytes)
        cell->width += columns_of(decode(cell->text + at, &bytes));
    if (is_cut) {
        memcpy(cell->text + cell->length, "...", 3);
        cell->length += 3;
        cell->width += 3;
    }
}

/* A file on its way to cells. */
typedef struct reading {
    FILE *file;
    int quoted; /* within quotes */
    int next;   /* read, and not taken yet; EOF: the end */
} reading;

/* The next character of a value, or EOF at its end, where `next` is what ended it. */
static int take_character(reading *r)
{
    int c = r->next;
    if (!r->quoted && (c == ',' || c == '\n'))
        return EOF;
    if (c == '"') {
        r->next = getc(r->file);
        if (r->quoted && r->next == '"') {
            r->next = getc(r->file);
            return '"';
        }
        r->quoted = !r->quoted;
        return take_character(r);
    }
    if (c != EOF)
        r->next = getc(r->file);
    return c;
}

/* Reads a value. A NULL cell: it is passed over. */
static void read_cell(reading *r, akin_cli_cell *cell)
{
    int c, is_cut = 0;
    for (r->quoted = 0; (c = take_character(r)) != EOF;) {
        if (!cell || is_cut)
            continue;
        cell->text[cell->length] = (char)c;
        is_cut = cell->length == AKIN_CLI_CELL;
        cell->length += !is_cut;
    }
    if (cell)
        finish_cell(cell, is_cut);
}

/* Makes room for one more cell; NULL: there is none. */
static akin_cli_cell *add_cell(akin_cli_cells *cells, size_t *count, size_t *room)
{
    if (*count == *room) {
        size_t larger = 2 * *room + 64;
        akin_cli_cell *moved = realloc(cells->cells, larger * sizeof *moved);
        if (!moved)
            return NULL;
        cells->cells = moved;
        *room = larger;
    }
    akin_cli_cell *cell = &cells->cells[(*count)++];
    memset(cell, 0, sizeof *cell);
    return cell;
}

int akin_cli_cells_read(FILE *file, size_t most, akin_cli_cells *out)
{
    reading r = {.file = file, .next = getc(file)};
    size_t count = 0, room = 0;
    *out = (akin_cli_cells){0};
    while (r.next != EOF) {
        int kept = out->count < most, more = 1;
        while (more) {
            akin_cli_cell *cell = kept ? add_cell(out, &count, &room) : NULL;
            if (kept && !cell)
                return 0;
            read_cell(&r, cell);
            more = r.next == ',';
            r.next = r.next == EOF ? EOF : getc(file);
        }
        out->columns = out->count == 0 ? count : out->columns;
        out->rows += (size_t)kept;
        out->count++;
    }
    return 1;
}

void akin_cli_cells_clear(akin_cli_cells *cells)
{
    free(cells->cells);
    *cells = (akin_cli_cells){0};
}
