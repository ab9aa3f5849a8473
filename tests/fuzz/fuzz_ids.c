/*
 * Fuzzes the reading of `ids` text. The input is parsed from memory at every SIMD level, in one block and in short
 * ones, and what comes out must be what a plain parser says; then it is read as a file, plain or compressed as its
 * bytes have it, by one thread and by several: the same collection, or the same error.
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "sets/ids.h"
#include "sets/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* ----------------------------------------------------------------------------------------------------- plain parser */

/* A collection whose rows are in the order of the text, unsorted; line is that of the first mistake, or 0. */
typedef struct plain {
    uint64_t rows, count, line;
    uint64_t *offsets;
    uint32_t *tokens;
} plain;

/* Reads a word from *at on; 0 if it is no token. */
static int plain_token(const char *text, size_t end, size_t *at, uint32_t *token)
{
    uint64_t value = 0;
    for (; *at < end && text[*at] != ' ' && text[*at] != '\t'; (*at)++) {
        if (text[*at] < '0' || text[*at] > '9')
            return 0;
        value = value * 10 + (uint64_t)(text[*at] - '0');
        if (value > UINT32_MAX)
            return 0;
    }
    *token = (uint32_t)value;
    return 1;
}

static plain plain_parse(const char *text, size_t size)
{
    plain p = {0};
    p.offsets = calloc(size + 2, sizeof *p.offsets);
    p.tokens = calloc(size + 1, sizeof *p.tokens);
    require(p.offsets && p.tokens);
    for (size_t at = 0; at < size;) {
        const char *feed = memchr(text + at, '\n', size - at);
        size_t next = feed ? (size_t)(feed - text) + 1 : size, end = feed ? next - 1 : size;
        if (end > at && text[end - 1] == '\r')
            end--;
        while (at < end) {
            if (text[at] == ' ' || text[at] == '\t') {
                at++;
            } else if (!plain_token(text, end, &at, &p.tokens[p.count++])) {
                p.line = p.rows + 1;
                return p;
            }
        }
        p.offsets[++p.rows] = p.count;
        at = next;
    }
    return p;
}

/* ---------------------------------------------------------------------------------------------------------- compare */

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void compare(const plain *p, const akin_sets *sets)
{
    require(akin_sets_rows(sets) == p->rows);
    for (uint32_t row = 0; row < p->rows; row++) {
        const uint32_t *tokens;
        uint32_t *expected = p->tokens + p->offsets[row], size = akin_sets_row(sets, row, &tokens), kept = 0;
        size_t count = (size_t)(p->offsets[row + 1] - p->offsets[row]);
        if (count > 0)
            qsort(expected, count, sizeof *expected, ascending);
        for (size_t i = 0; i < count; i++)
            if (i == 0 || expected[i] != expected[i - 1])
                require(kept < size && tokens[kept++] == expected[i]);
        require(kept == size);
    }
}

static void check(plain *p, const char *text, size_t size, size_t block, akin_cpu cpu)
{
    akin_ids ids;
    akin_error error;
    akin_sets *sets = NULL;
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = cpu}};
    akin_status status = akin_ids_begin(&ids, akin_scope_of(&context), "input", &error);
    for (size_t at = 0; status == AKIN_OK && at < size;) {
        size_t end = size - at < block ? size : at + block;
        while (end < size && text[end - 1] != '\n')
            end++;
        char *copy = malloc(end - at); /* so that a sanitizer sees what is read outside */
        require(copy != NULL);
        memcpy(copy, text + at, end - at);
        status = akin_ids_add(&ids, copy, end - at, &error);
        free(copy);
        at = end;
    }
    if (status == AKIN_OK)
        status = akin_ids_finish(&ids, &sets, &error);
    akin_ids_clear(&ids);
    if (p->line) {
        char where[40];
        int length = snprintf(where, sizeof where, "input:%llu: ", (unsigned long long)p->line);
        require(status == AKIN_E_INPUT && strncmp(error.message, where, (size_t)length) == 0);
    } else {
        require(status == AKIN_OK);
        compare(p, sets);
    }
    akin_sets_free(sets);
}

/* Reads the file by that many threads in blocks of that size (0: the usual one). */
static akin_sets *read_by(const char *path, uint32_t threads, uint64_t block, akin_error *error)
{
    const akin_wishes wishes = {.block_bytes = block};
    akin_context context = {.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()},
                            .wishes = &wishes};
    akin_sets *sets = NULL;
    akin_status status = akin_sets_read(&context, path, &sets, error);
    require(status == AKIN_OK || status == AKIN_E_INPUT || status == AKIN_E_NOMEM || status == AKIN_E_LIMIT);
    require((status == AKIN_OK) == (sets != NULL));
    return sets;
}

static void read_file(const void *data, size_t size)
{
    akin_error first, second;
    char path[64];
    int file = memfd_create("input", MFD_CLOEXEC);
    require(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    akin_sets_free(read_by(path, 1, 0, &first));
    const uint64_t block = 16 + size % 300;
    akin_sets *one = read_by(path, 1, block, &first), *all = read_by(path, 2 + (uint32_t)(size % 3), block, &second);
    require((one != NULL) == (all != NULL));
    if (one) {
        require(akin_sets_rows(one) == akin_sets_rows(all));
        for (uint32_t row = 0; row < akin_sets_rows(one); row++) {
            const uint32_t *tokens, *others, length = akin_sets_row(one, row, &tokens);
            require(akin_sets_row(all, row, &others) == length);
            require(length == 0 || memcmp(tokens, others, length * sizeof *tokens) == 0);
        }
    } else {
        require(first.line == second.line && strcmp(first.message, second.message) == 0);
    }
    akin_sets_free(one);
    akin_sets_free(all);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    plain p = plain_parse(text, size);
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
        check(&p, text, size, SIZE_MAX / 2, (akin_cpu)cpu);
        check(&p, text, size, 50, (akin_cpu)cpu);
    }
    free(p.offsets);
    free(p.tokens);
    read_file(data, size);
    return 0;
}
