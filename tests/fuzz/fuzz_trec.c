/*
 * Fuzzes the readers of TREC's formats: what comes before the first NUL byte is a run, the rest judgements. Nothing
 * breaks, and what is measured lies between 0 and 1.
 */
#define _GNU_SOURCE

#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static akin_context context = {.scope = {.context = &context, .threads = 1}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* A file in memory, and its name. */
static int hold(const uint8_t *data, size_t size, char name[64])
{
    int file = memfd_create("trec", 0);
    require(file >= 0 && (size == 0 || write(file, data, size) == (ssize_t)size));
    snprintf(name, 64, "/proc/self/fd/%d", file);
    return file;
}

static int is_share(double value)
{
    return value >= 0 && value <= 1 + 1e-9;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
    size_t first = end ? (size_t)(end - data) : size;
    char names[2][64];
    int files[2] = {hold(data, first, names[0]), hold(end ? end + 1 : data, end ? size - first - 1 : 0, names[1])};
    akin_trec_evaluation found = {.size = sizeof found};
    akin_error error;
    akin_status status = akin_evaluate_trec(&context, names[0], names[1], &found, &error);
    require(status == AKIN_OK || status == AKIN_E_INPUT || status == AKIN_E_IO || status == AKIN_E_NOMEM ||
            status == AKIN_E_LIMIT);
    if (status == AKIN_OK)
        require(is_share(found.ndcg_10) && is_share(found.map) && is_share(found.p_10) && is_share(found.r_100) &&
                is_share(found.mrr) && found.answered <= found.queries);
    close(files[0]);
    close(files[1]);
    return 0;
}
