/* Temporary files: made without a name, or deprived of it at once. */
#define _GNU_SOURCE /* O_TMPFILE */

#include "base/temporary.h"

#include "base/descriptor.h"
#include "base/hidden.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

akin_status akin_temporary_fail(akin_error *error, int number, const char *directory)
{
    if (number == ENOMEM)
        return akin_fail_memory(error, "a temporary file");
    return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_TEMPORARY, number,
                            "%s: a temporary file there cannot be written or read", directory);
}

/* The path of a folder, with a slash at its end, so that names stand beside it; NULL: memory is short. */
static char *inside(const char *directory)
{
    const size_t length = strlen(directory);
    char *path = akin_alloc(NULL, (uint64_t)length + 2, 1);
    if (path) {
        memcpy(path, directory, length);
        memcpy(path + length, "/", 2);
    }
    return path;
}

static int make_and_unlink(void *fd, const char *name)
{
    *(int *)fd = akin_descriptor_make(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return *(int *)fd < 0 ? -1 : (unlink(name), 0);
}

/* Where the system cannot make files without a name. Returns 0 or an errno value. */
static int open_and_unlink(const char *directory, int *fd)
{
    char *folder = inside(directory), *name = NULL;
    const int failed = folder ? akin_hidden_place(folder, make_and_unlink, fd, &name) : ENOMEM;
    akin_free(name);
    akin_free(folder);
    return failed;
}

/* Opens a file without a name. Returns 0, an errno value, or -1 if the system cannot make one. */
static int open_unnamed(const char *directory, int *fd)
{
#if defined(O_TMPFILE)
    *fd = akin_descriptor_make(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    return *fd >= 0 ? 0 : errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL ? -1 : errno;
#else
    (void)directory;
    *fd = -1;
    return -1;
#endif
}

int akin_temporary_open(const char *directory, int *fd)
{
    const int failed = open_unnamed(directory, fd);
    return failed < 0 ? open_and_unlink(directory, fd) : failed;
}

void akin_temporary_sweep(const char *directory, akin_warning_sink note, void *user)
{
    int fd = -1;
    const int failed = open_unnamed(directory, &fd);
    char *folder = failed < 0 ? inside(directory) : NULL;
    if (folder)
        akin_hidden_sweep(folder, note, user);
    if (fd >= 0)
        close(fd);
    akin_free(folder);
}

int akin_temporary_grow(int fd, uint64_t before, uint64_t size)
{
    int reason;
    do
        reason = posix_fallocate(fd, (off_t)before, (off_t)(size - before));
    while (reason == EINTR);
    return reason;
}

/* Reads to `to` or, if that is NULL, writes from `from`. */
static int move(int fd, char *to, const char *from, size_t length, uint64_t at)
{
    for (size_t done = 0; done < length;) {
        off_t place = (off_t)(at + done);
        ssize_t some = to ? pread(fd, to + done, length - done, place) : pwrite(fd, from + done, length - done, place);
        if (some > 0)
            done += (size_t)some;
        else if (some == 0)
            return EIO;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

int akin_temporary_write(int fd, const void *data, size_t length, uint64_t at)
{
    return move(fd, NULL, data, length, at);
}

int akin_temporary_read(int fd, void *to, size_t length, uint64_t at)
{
    return move(fd, to, NULL, length, at);
}
