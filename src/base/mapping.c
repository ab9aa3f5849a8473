/* Maps saved files, and tells whether others have changed them since. */
#define _POSIX_C_SOURCE 200809L

#include "base/mapping.h"

#include "base/context.h"
#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

struct akin_mapping {
    void *bytes;
    size_t length;
    struct stat about; /* the file, when it was opened */
    akin_mapping_sink sink;
    void *user;
    char name[];
};

akin_mapping *akin_mapping_make(const akin_scope *scope, int fd, const struct stat *about, const char *name)
{
    const size_t length = strlen(name) + 1;
    akin_mapping *mapping = akin_alloc_zero(NULL, 1, sizeof *mapping + length);
    if (!mapping)
        return NULL;
    mapping->length = (size_t)about->st_size;
    mapping->bytes = mmap(NULL, mapping->length, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapping->bytes == MAP_FAILED) {
        akin_free(mapping);
        return NULL;
    }
    mapping->about = *about;
    mapping->sink = scope->context->mapped;
    mapping->user = scope->context->mapped_user;
    memcpy(mapping->name, name, length);
    if (mapping->sink)
        mapping->sink(mapping->user, mapping, 1);
    return mapping;
}

const void *akin_mapping_bytes(const akin_mapping *mapping)
{
    return mapping->bytes;
}

void akin_mapping_end(akin_mapping *mapping)
{
    if (!mapping)
        return;
    if (mapping->sink)
        mapping->sink(mapping->user, mapping, 0);
    munmap(mapping->bytes, mapping->length);
    akin_free(mapping);
}

const char *akin_mapping_name(const akin_mapping *mapping)
{
    return mapping->name;
}

int akin_mapping_has(const akin_mapping *mapping, const void *address)
{
    const char *begin = mapping->bytes, *at = address;
    return at >= begin && at < begin + mapping->length;
}

/* What has happened to a file since; NULL: nothing. */
static const char *change_of(const struct stat *before, const struct stat *now)
{
    if (now->st_dev != before->st_dev || now->st_ino != before->st_ino)
        return "was replaced by another file";
    if (now->st_size < before->st_size)
        return "was shortened";
    if (now->st_size > before->st_size)
        return "was made longer";
    return now->st_mtim.tv_sec != before->st_mtim.tv_sec || now->st_mtim.tv_nsec != before->st_mtim.tv_nsec
               ? "was written to"
               : NULL;
}

akin_status akin_mapping_check(const akin_mapping *mapping, akin_error *error)
{
    struct stat now;
    const char *change = NULL;
    if (!mapping)
        return AKIN_OK;
    if (stat(mapping->name, &now) == 0)
        change = change_of(&mapping->about, &now);
    else if (errno == ENOENT || errno == ENOTDIR)
        change = "was removed or renamed";
    else
        return akin_fail_system(error, AKIN_E_INPUT, AKIN_REASON_FILE, errno, "%s: cannot be checked for changes",
                                mapping->name);
    return change ? akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_CHANGED, "%s: %s while it was read: run this again",
                                   mapping->name, change)
                  : AKIN_OK;
}
