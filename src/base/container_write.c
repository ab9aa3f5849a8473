/* Writes containers. */
#define _POSIX_C_SOURCE 200809L /* strnlen */

#include "base/container.h"

#include "base/memory.h"
#include "base/output.h"

#include <string.h>

/* Header, table and checksum into `bytes`, which has room for those of AKIN_CONTAINER_SECTIONS; AKIN_E_CANCELLED when
 * asked to stop. */
static akin_status compose(const akin_scope *scope, const char *kind, uint32_t version, const akin_section *sections,
                           uint32_t count, char *bytes)
{
    akin_container_header h = {.version = version, .count = count};
    uint64_t at = akin_container_header_bytes(count);
    char *to = bytes + sizeof h;
    memcpy(h.magic, AKIN_CONTAINER_MAGIC, sizeof h.magic);
    for (size_t i = 0; i < sizeof h.kind && kind[i]; i++)
        h.kind[i] = kind[i];
    for (uint32_t i = 0; i < count; i++) {
        uint64_t length = sections[i].length;
        akin_container_entry e = {.offset = at + akin_container_gap(at), .length = length};
        akin_status status = akin_container_hash_section(scope, sections[i].data, length, &e.hash);
        if (status != AKIN_OK)
            return status;
        memcpy(to, &e, sizeof e);
        to += sizeof e;
        at = e.offset + e.length;
    }
    h.size = at;
    memcpy(bytes, &h, sizeof h);
    uint64_t check = akin_container_hash(bytes, (uint64_t)(to - bytes));
    memcpy(to, &check, sizeof check);
    return AKIN_OK;
}

/* Writes the sections as they are, and no other. */
static akin_status write_sections(const akin_scope *scope, akin_output *output, const char *kind, uint32_t version,
                                  const akin_section *sections, uint32_t count, akin_error *error)
{
    char
        head[sizeof(akin_container_header) + AKIN_CONTAINER_SECTIONS * sizeof(akin_container_entry) + sizeof(uint64_t)];
    if (count > AKIN_CONTAINER_SECTIONS)
        return akin_fail(error, AKIN_E_IO, "%u sections are more than a saved file holds (%d)", count,
                         AKIN_CONTAINER_SECTIONS);
    uint64_t at = akin_container_header_bytes(count);
    akin_status status = compose(scope, kind, version, sections, count, head);
    if (status != AKIN_OK)
        return akin_fail(error, status, "cancelled while saving");
    status = akin_output_write(output, head, (size_t)at, error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        uint64_t gap = akin_container_gap(at);
        status = akin_output_write(output, akin_container_zeros, (size_t)gap, error);
        if (status == AKIN_OK)
            status = akin_output_write(output, sections[i].data, (size_t)sections[i].length, error);
        at += gap + sections[i].length;
    }
    return status;
}

akin_status akin_container_write(const akin_scope *scope, akin_output *output, const char *kind, uint32_t version,
                                 const akin_section *sections, uint32_t count, akin_error *error)
{
    akin_section all[AKIN_CONTAINER_SECTIONS];
    akin_container_header h = {.version = version};
    uint64_t blocks = 0, at = 0;
    memcpy(h.kind, kind, strnlen(kind, sizeof h.kind));
    if (!akin_container_has_blocks(&h) ||
        count >= AKIN_CONTAINER_SECTIONS) /* there is no room for the checksums: it is refused */
        return write_sections(scope, output, kind, version, sections, count + (uint32_t)akin_container_has_blocks(&h),
                              error);
    for (uint32_t i = 0; i < count; i++)
        blocks += akin_container_blocks(sections[i].length);
    uint64_t *sums = akin_alloc(NULL, blocks, sizeof *sums);
    if (!sums)
        return akin_fail_memory(error, "a saved file");
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        all[i] = sections[i];
        status = akin_container_sum(scope, &sections[i], sums + at);
        at += akin_container_blocks(sections[i].length);
    }
    all[count] = (akin_section){.data = sums, .length = blocks * sizeof *sums};
    status = status == AKIN_OK ? write_sections(scope, output, kind, version, all, count + 1, error)
                               : akin_fail(error, status, "cancelled while saving");
    akin_free(sums);
    return status;
}

akin_status akin_container_save(const akin_scope *scope, const char *path, const char *kind, uint32_t version,
                                const akin_section *sections, uint32_t count, akin_error *error)
{
    akin_output *output = NULL;
    akin_status status = akin_output_open_within(scope, path, &output, error);
    if (status == AKIN_OK)
        status = akin_container_write(scope, output, kind, version, sections, count, error);
    if (status == AKIN_OK)
        return akin_output_commit(output, error);
    akin_output_discard(output);
    return status;
}
