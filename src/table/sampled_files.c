/* Which files a sample of a table is read from, and how much of each. */
#define _POSIX_C_SOURCE 200809L

#include "table/sampled_files.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

#include <sys/stat.h>

#define PLACES 64 /* in files */

static akin_status size_of(const char *path, uint64_t *out, akin_error *error)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_FILE,
                              "%s: a sample is read from files; expected a regular file", akin_files_name(path));
    *out = about.st_size > 0 ? (uint64_t)about.st_size : 0;
    return AKIN_OK;
}

/* The parts of a file of that size, behind `before` bytes of other files. */
static uint64_t parts_of(uint64_t before, uint64_t size, uint64_t stored)
{
    uint64_t parts = 0;
    for (uint64_t i = 0; i < PLACES; i++) {
        const uint64_t place = (uint64_t)((akin_u128)(2 * i + 1) * stored / (UINT64_C(2) * PLACES));
        parts += place >= before && place - before < size;
    }
    return parts;
}

akin_status akin_sampled_choose(const akin_files *all, uint64_t bytes, akin_sampled_files *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint64_t before = 0, size;
    out->files.names = akin_alloc(NULL, all->count, sizeof *out->files.names);
    out->list = akin_alloc(NULL, all->count, sizeof *out->list);
    if (!out->files.names || !out->list)
        return akin_fail_memory(error, "the names of files");
    for (uint64_t i = 0; i < all->count && status == AKIN_OK; i++) {
        status = size_of(all->names[i], &size, error);
        out->stored += status == AKIN_OK ? size : 0;
    }
    for (uint64_t i = 0; i < all->count && status == AKIN_OK; i++, before += size) {
        status = size_of(all->names[i], &size, error);
        if (status != AKIN_OK)
            break;
        const uint64_t parts = out->stored > bytes ? parts_of(before, size, out->stored) : 1;
        const uint64_t most = out->stored > bytes ? akin_max_u64(1, bytes / PLACES) * parts
                                                  : (uint64_t)((akin_u128)bytes * size / akin_max_u64(1, out->stored));
        if (parts == 0)
            continue;
        out->list[out->files.count] = (akin_sampled_file){size, most};
        out->files.names[out->files.count++] = all->names[i];
        out->files.bytes += size;
    }
    return status;
}

void akin_sampled_clear(akin_sampled_files *sampled)
{
    akin_free(sampled->files.names);
    akin_free(sampled->list);
    *sampled = (akin_sampled_files){.taken = 0};
}

void akin_sampled_note(akin_sampled_files *sampled, uint64_t index, uint64_t bytes)
{
    sampled->taken += akin_min_u64(bytes, sampled->list[index].size);
}

double akin_sampled_times(const akin_sampled_files *sampled)
{
    const double times = sampled->taken > 0 ? (double)sampled->stored / (double)sampled->taken : 1;
    return times > 1 ? times : 1;
}
