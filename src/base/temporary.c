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
    if (number == ENOMEM)
        return akin_fail_memory(error, "a temporary file");
    return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_TEMPORARY, number,
                            "%s: a temporary file there cannot be written or read", directory);
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

int akin_temporary_open(const char *directory, int *fd)
{
#if defined(O_TMPFILE)
    *fd = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (*fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        *fd = open_and_unlink(directory);
#else
    *fd = open_and_unlink(directory);
#endif
    return *fd < 0 ? errno : 0;
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
