/* Temporary files: made without a name, or deprived of it at once. */
#define _GNU_SOURCE /* O_TMPFILE */

#include "base/temporary.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

akin_status akin_temporary_fail(akin_error *error, int number, const char *directory)
{
    return akin_fail_system(error, AKIN_E_IO, number, "%s: a temporary file there cannot be written or read",
                            directory);
}

/* Where the system cannot make files without a name. */
static int open_and_unlink(const char *directory)
{
    static const char name[] = "/.akin-XXXXXX";
    size_t length = strlen(directory);
    char *path = akin_alloc(NULL, (uint64_t)length + sizeof name, 1);
    if (!path) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(path, directory, length);
    memcpy(path + length, name, sizeof name);
    int fd = mkstemp(path), reason = errno;
    if (fd >= 0) {
        unlink(path);
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    akin_free(path);
    errno = reason;
    return fd;
}

akin_status akin_temporary_open(const char *directory, int *fd, akin_error *error)
{
#if defined(O_TMPFILE)
    *fd = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (*fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        *fd = open_and_unlink(directory);
#else
    *fd = open_and_unlink(directory);
#endif
    if (*fd < 0 && errno == ENOMEM)
        return akin_fail_memory(error, "a temporary file");
    return *fd < 0 ? akin_temporary_fail(error, errno, directory) : AKIN_OK;
}

int akin_temporary_grow(int fd, uint64_t before, uint64_t size)
{
    int reason;
    do
        reason = posix_fallocate(fd, (off_t)before, (off_t)(size - before));
    while (reason == EINTR);
    return reason;
}

int akin_temporary_write(int fd, const void *data, size_t length, uint64_t at)
{
    const char *bytes = data;
    while (length > 0) {
        ssize_t done = pwrite(fd, bytes, length, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        bytes += done;
        at += (uint64_t)done;
        length -= (size_t)done;
    }
    return 0;
}

int akin_temporary_read(int fd, void *to, size_t length, uint64_t at)
{
    char *bytes = to;
    while (length > 0) {
        ssize_t done = pread(fd, bytes, length, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        bytes += done;
        at += (uint64_t)done;
        length -= (size_t)done;
    }
    return 0;
}
