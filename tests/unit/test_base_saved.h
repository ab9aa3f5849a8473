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

/* What a program does with a saved file of this path. */
typedef akin_status (*saved_use)(akin_context *context, const char *path, akin_error *error);

static inline void saved_try(akin_context *context, saved *s, saved_use use, int is_same, uint64_t counts[2])
{
    const char *path = scratch_path("changed.akin");
    akin_error error = {.message = ""};
    saved_write(context, s, path);
    akin_status status = use(context, path, &error);
    const int is_refused = status == AKIN_E_INPUT || status == AKIN_E_OPTION; /* an option: without the annex */
    if (status != AKIN_OK && (is_same || !is_refused || !strstr(error.message, "changed.akin: ")))
        fail_msg("status %d: %s", (int)status, error.message);
    counts[status == AKIN_OK]++;
}

/* Changes the first and the last numbers of each section of a saved file, one at a time, and the lengths of sections.
 * Either the file is refused, or what it says can be used, which sanitizers watch. */
static inline void saved_change(akin_context *context, const char *path, const char *kind, uint32_t count,
                                saved_use use)
{
    enum { FIRST = 16, LAST = 3 };
    static const uint32_t to[] = {0, 1, UINT32_MAX, INT32_MAX, 0x7fc00000}; /* the last one is not a number */
    char good[PATH_BYTES];
    uint64_t counts[2] = {0};
    snprintf(good, sizeof good, "%s", path);
    saved s = saved_read(context, good, kind, count);
    for (uint32_t section = 0; section < count; section++) {
        const uint64_t words = s.lengths[section] / sizeof(uint32_t);
        for (uint64_t word = 0; word < words; word += word == FIRST && words > FIRST + LAST ? words - FIRST - LAST : 1)
            for (int way = 0; way < 7; way++) {
                saved changed = saved_read(context, good, kind, count);
                uint32_t *at = (uint32_t *)changed.data[section] + word;
                const uint32_t now = way < 5 ? to[way] : way == 5 ? *at + 1 : *at - 1;
                const int is_same = now == *at;
                *at = now;
                saved_try(context, &changed, use, is_same, counts);
            }
        for (int way = 0; way < 3; way++) {
            saved changed = saved_read(context, good, kind, count);
            saved_resize(&changed, section,
                         way == 0                 ? 0
                         : way == 1               ? s.lengths[section] + 4
                         : s.lengths[section] > 4 ? s.lengths[section] - 4
                                                  : 1);
            saved_try(context, &changed, use, 0, counts);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        free(s.data[i]);
    assert_true(counts[0] > 20);
}

#endif
