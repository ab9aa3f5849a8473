/* A directory of its own for a test's files; to be included with _GNU_SOURCE defined. */
#ifndef AKIN_TEST_BASE_FILES_H
#define AKIN_TEST_BASE_FILES_H

#include <dirent.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 512

/* The directory; made by scratch_make, removed with all its files by scratch_remove, as set-up and tear-down of a test.
 */
static char scratch[PATH_BYTES / 2];

static inline int scratch_make(void **state)
{
    const char *parent = getenv("TMPDIR");
    (void)state;
    snprintf(scratch, sizeof scratch, "%s/akin-test-XXXXXX", parent && *parent ? parent : "/tmp");
    return mkdtemp(scratch) ? 0 : -1;
}

/* The path of a file in the directory, in one of a few buffers that are used in turn. */
static inline const char *scratch_path(const char *name)
{
    static char paths[8][PATH_BYTES];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, PATH_BYTES, "%s/%s", scratch, name);
    return path;
}

static inline int scratch_remove_one(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void)about;
    (void)type;
    (void)place;
    return remove(path);
}

static inline int scratch_remove_within(const char *directory)
{
    return nftw(directory, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline int scratch_remove(void **state)
{
    (void)state;
    return scratch_remove_within(scratch);
}

/* How many entries, hidden ones too, the directory holds. */
static inline int scratch_entries(const char *name)
{
    int entries = -2; /* . and .. */
    DIR *list = opendir(scratch_path(name));
    while (list && readdir(list))
        entries++;
    if (list)
        closedir(list);
    return entries;
}

static inline const char *scratch_write(const char *name, const void *data, size_t length)
{
    const char *path = scratch_path(name);
    unlink(path); /* some file systems wait for the disk when a file is cut and written anew */
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, length, file) != length || fclose(file) != 0)
        abort();
    return path;
}

/* The content of a file, to be freed with free; a NUL follows it. */
static inline char *scratch_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = (size_t)8 << 20, got;
    char *data = malloc(capacity);
    if (!file || !data || (got = fread(data, 1, capacity - 1, file)) == capacity - 1)
        abort();
    fclose(file);
    data[got] = '\0';
    if (length)
        *length = got;
    return data;
}

#endif
