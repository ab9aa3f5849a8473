/*
 * Reads and writes file descriptors such that a wait can be cancelled.
 *
 * A signal that arrives just before a call that waits is noticed only when that call returns, so nothing here means
 * to wait but poll, which comes back by itself. What poll calls ready takes PIPE_BUF bytes without waiting; a longer
 * write to a pipe would wait until somebody has read the rest.
 */
#define _POSIX_C_SOURCE 200809L

#include "base/descriptor.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPORT_MILLISECONDS 100
/* Whether one can wait for the other end of a FIFO after it was opened with these flags without waiting. On Linux, poll
 * on a FIFO for reading waits for the first writer; other systems report the end. */
#if defined(__linux__)
#define CAN_WAIT(flags) 1
#else
#define CAN_WAIT(flags) (((flags)&O_ACCMODE) == O_WRONLY)
#endif

#define FILE_PIECE ((size_t)16 << 20) /* written at once to a regular file, which takes it without poll */

static int report_wait(const akin_scope *scope)
{
    return !scope || akin_scope_report(scope, NULL, 0, 0) == AKIN_OK ? 0 : ECANCELED;
}

/* Waits until the descriptor is ready, or has an error for the call that follows to find. */
static int await(const akin_scope *scope, int fd, short events)
{
    for (;;) {
        struct pollfd descriptor = {.fd = fd, .events = events};
        int count = poll(&descriptor, 1, REPORT_MILLISECONDS);
        if (count > 0)
            return 0;
        if (count < 0 && errno != EINTR)
            return errno;
        int stopped = report_wait(scope);
        if (stopped != 0)
            return stopped;
    }
}

/* What to do about a call that failed: 0 to repeat it, else an errno value. */
static int forgive(const akin_scope *scope, int number)
{
    if (number == EINTR)
        return report_wait(scope);
    return number == EAGAIN || number == EWOULDBLOCK ? 0 : number;
}

int akin_descriptor_open(const akin_scope *scope, const char *path, int flags, int *fd)
{
    struct stat about;
    int failed = 0, is_fifo = stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
    while (failed == 0) {
        *fd = open(path, flags | O_CLOEXEC | (is_fifo && CAN_WAIT(flags) ? O_NONBLOCK : 0));
        if (*fd >= 0)
            return 0;
        if (is_fifo && errno == ENXIO) { /* nobody reads yet */
            poll(NULL, 0, REPORT_MILLISECONDS);
            failed = report_wait(scope);
        } else {
            failed = errno == EINTR ? report_wait(scope) : errno;
        }
    }
    return failed;
}

int akin_descriptor_make(const char *path, int flags, unsigned mode)
{
    int fd;
    do
        fd = open(path, flags, (mode_t)mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

int akin_descriptor_sync(int fd)
{
    int failed;
    do
        failed = fsync(fd);
    while (failed != 0 && errno == EINTR);
    return failed;
}

int akin_descriptor_read(const akin_scope *scope, int fd, void *to, size_t room, size_t *got)
{
    int failed = 0;
    while (failed == 0) {
        failed = await(scope, fd, POLLIN);
        if (failed != 0)
            break;
        ssize_t n = read(fd, to, room < SSIZE_MAX ? room : SSIZE_MAX);
        if (n >= 0) {
            *got = (size_t)n;
            return 0;
        }
        failed = forgive(scope, errno);
    }
    return failed;
}

int akin_descriptor_write(const akin_scope *scope, int fd, const void *data, size_t length, double *reported_at)
{
    struct stat about;
    int regular = fstat(fd, &about) == 0 && S_ISREG(about.st_mode), failed = 0;
    size_t piece = regular ? FILE_PIECE : PIPE_BUF;
    const char *from = data;
    while (length > 0 && failed == 0) {
        if (!regular && (failed = await(scope, fd, POLLOUT)) != 0)
            break;
        ssize_t n = write(fd, from, length < piece ? length : piece);
        if (n < 0) {
            failed = forgive(scope, errno);
            continue;
        }
        from += n;
        length -= (size_t)n;
        double now = akin_clock();
        if (now - *reported_at >= REPORT_MILLISECONDS * 1e-3) { /* what moves slowly never lets poll run out of time */
            *reported_at = now;
            failed = report_wait(scope);
        }
    }
    return failed;
}
