/* The sections of a saved file, to be altered and saved again with the right checksums, so that tests reach the checks
 * behind these. */
#ifndef AKIN_TEST_BASE_SAVED_H
#define AKIN_TEST_BASE_SAVED_H

#include "base/context.h"
#include "base/container.h"

#include "test_base_files.h"

typedef struct saved {
    const char *kind;
    uint32_t version, count;
    void *data[AKIN_CONTAINER_SECTIONS];
    uint64_t lengths[AKIN_CONTAINER_SECTIONS];
} saved;

/* Makes a section longer, by zeros, or shorter. */
static inline void saved_resize(saved *s, uint32_t section, uint64_t length)
{
    char *data = calloc(length + 1, 1);
    if (!data)
        abort();
    if (s->data[section])
        memcpy(data, s->data[section], length < s->lengths[section] ? length : s->lengths[section]);
    free(s->data[section]);
    s->data[section] = data;
    s->lengths[section] = length;
}

static inline saved saved_read(akin_context *context, const char *path, const char *kind, uint32_t count)
{
    saved s = {.kind = kind, .count = count};
    akin_container *container;
    if (akin_container_open(akin_scope_of(context), path, kind, UINT32_MAX, count, &container, NULL) != AKIN_OK)
        abort();
    s.version = akin_container_version(container);
    for (uint32_t i = 0; i < count; i++) {
        akin_section section = akin_container_section(container, i);
        saved_resize(&s, i, section.length);
        if (section.length > 0)
            memcpy(s.data[i], section.data, section.length);
    }
    akin_container_close(container);
    return s;
}

/* Writes it, and frees it. */
static inline void saved_write(akin_context *context, saved *s, const char *path)
{
    akin_section sections[AKIN_CONTAINER_SECTIONS];
    for (uint32_t i = 0; i < s->count; i++)
        sections[i] = (akin_section){.data = s->data[i], .length = s->lengths[i]};
    unlink(path);
    if (akin_container_save(akin_scope_of(context), path, s->kind, s->version, sections, s->count, NULL) != AKIN_OK)
        abort();
    for (uint32_t i = 0; i < s->count; i++)
        free(s->data[i]);
}

#endif
