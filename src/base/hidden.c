/*
 * Hidden files: their names, their locks, and the removal of those that a killed process has left.
 *
 * The digits of a name are at random, and a hash of these:
 *
 *     .akin-0123456789abcdef
 *           | random || hash|
 *
 * So a file of somebody else that begins with .akin- is not taken for one of akin's.
 */
#define _GNU_SOURCE

#include "base/hidden.h"

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGINNING     ".akin-"
#define DIGITS        16
#define SALT          (UINT64_C(0x616b696e) << 32) /* so that no other use of the hash makes such names */
#define NAME_BYTES    32
#define ATTEMPTS_MOST 100 /* names tried for a hidden file */
#define SHOWN         600 /* bytes of a path that a note shows */

/* What the digits of a hidden name are, of which the first half is at random. */
static uint64_t digits_of(uint32_t random)
{
    return (uint64_t)random << 32 | akin_random_mixed(SALT | random) >> 32;
}

char *akin_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const size_t directory = slash && name[0] != '/' ? (size_t)(slash + 1 - path) : 0, length = strlen(name) + 1;
    char *joined = akin_alloc(NULL, (uint64_t)directory + length, 1);
    if (joined) {
        memcpy(joined, path, directory);
        memcpy(joined + directory, name, length);
    }
    return joined;
}

int akin_hidden_place(const char *path, int (*make)(void *user, const char *name), void *user, char **out)
{
    akin_random random;
    akin_random_seed_anew(&random, out);
    for (int i = 0; i < ATTEMPTS_MOST; i++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, BEGINNING "%016llx",
                 (unsigned long long)digits_of((uint32_t)akin_random_next(&random)));
        char *place = akin_beside(path, name);
        if (!place)
            return ENOMEM;
        if (make(user, place) == 0) {
            *out = place;
            return 0;
        }
        const int reason = errno;
        akin_free(place);
        if (reason != EEXIST)
            return reason;
    }
    return EEXIST;
}

/* Tries to lock a file. Returns 0, or the errno value of what went wrong, EWOULDBLOCK if another has the lock. */
static int lock_file(int fd)
{
    int failed;
    do
        failed = flock(fd, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
    while (failed == EINTR);
    return failed;
}

int akin_hidden_hold(int fd)
{
    return lock_file(fd) == EWOULDBLOCK ? -1 : 0;
}

/* Between the making of a file and its lock another process may take it for one that was left. */
int akin_hidden_open(const char *name)
{
    struct stat about;
    const int fd = akin_descriptor_make(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 || (akin_hidden_hold(fd) == 0 && fstat(fd, &about) == 0 && about.st_nlink > 0))
        return fd;
    close(fd);
    unlink(name);
    errno = EEXIST;
    return -1;
}

static int is_hidden_name(const char *name)
{
    const size_t beginning = sizeof BEGINNING - 1;
    if (strncmp(name, BEGINNING, beginning) != 0 || strlen(name) != beginning + DIGITS ||
        strspn(name + beginning, "0123456789abcdef") != DIGITS)
        return 0;
    const uint64_t digits = strtoull(name + beginning, NULL, 16);
    return digits == digits_of((uint32_t)(digits >> 32));
}

/* Removes a hidden file that no process holds. Returns whether it did. What may not be removed, stays. */
static int sweep_file(int folder, const char *name)
{
    struct stat about;
    const int fd = openat(folder, name, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const int removed =
        fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && lock_file(fd) == 0 && unlinkat(folder, name, 0) == 0;
    close(fd);
    return removed;
}

static void note_removal(const char *path, const char *name, akin_warning_sink note, void *user)
{
    char text[SHOWN + 2 * NAME_BYTES + 64];
    char *removed = akin_beside(path, name);
    snprintf(text, sizeof text, "%.*s: removed: a process that was killed has left it", SHOWN,
             removed ? removed : name);
    akin_free(removed);
    note(user, text);
}

void akin_hidden_sweep(const char *path, akin_warning_sink note, void *user)
{
    char *folder = akin_beside(path, ".");
    DIR *list = folder ? opendir(folder) : NULL;
    for (const struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        if (is_hidden_name(entry->d_name) && sweep_file(dirfd(list), entry->d_name) && note)
            note_removal(path, entry->d_name, note, user);
    if (list)
        closedir(list);
    akin_free(folder);
}
