/*
 * Makes calls of the C library fail: faults.py loads it with LD_PRELOAD, and says how to in the environment.
 *
 *     FAULTY_LOG=FILE     where the log goes
 *     FAULTY_CLASS=NAME   the functions of which one fails; none: nothing fails, and the log has the number of calls of
 *                         each class, and for each stack of callers of a class its first call
 *     FAULTY_CALL=N       the call of the class that fails, counted from 1
 *     FAULTY_ERROR=E      errno then
 *     FAULTY_LATER=K      one of K calls after it fails, too (default: 0, none)
 *     FAULTY_NAMED=1      in addition, no file system makes files without a name
 *
 * What the C library calls inside itself is not seen, but for memory. So streams fail as a whole: a failure sets their
 * error indicator. Streams in memory and standard error are left alone: of the former, memory fails; and what cannot be
 * said on the latter cannot be said.
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* it has other functions of these names */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAMES     24
#define FIRST_MOST 32768 /* stacks that are told apart, of all classes */
#define TABLE      (4 * FIRST_MOST)

/* The classes, in the order of the log. A call may be of several. */
#define CLASSES(X)                                                                                                     \
    X(memory)                                                                                                          \
    X(map)                                                                                                             \
    X(unmap)                                                                                                           \
    X(open)                                                                                                            \
    X(close)                                                                                                           \
    X(read)                                                                                                            \
    X(write)                                                                                                           \
    X(short_read)                                                                                                      \
    X(short_write)                                                                                                     \
    X(interrupt)                                                                                                       \
    X(sync)                                                                                                            \
    X(name)                                                                                                            \
    X(unlink)                                                                                                          \
    X(size)                                                                                                            \
    X(seek)                                                                                                            \
    X(status)                                                                                                          \
    X(owner)                                                                                                           \
    X(folder)                                                                                                          \
    X(lock)                                                                                                            \
    X(thread)                                                                                                          \
    X(object)                                                                                                          \
    X(wait)                                                                                                            \
    X(system)

#define AS_ENUM(name) CLASS_##name,
#define AS_WORD(name) #name,
typedef enum faulty_class { CLASSES(AS_ENUM) CLASS_COUNT } faulty_class;
static const char *const words[] = {CLASSES(AS_WORD)};

typedef struct first {
    uint64_t stack, call;
    const char *function;
    faulty_class class;
} first;

static struct {
    int is_on, counts, class, error, is_named;
    uint64_t call, later;
    const char *log;
    _Atomic uint64_t calls[CLASS_COUNT];
    atomic_flag lock; /* of what follows */
    uint32_t found;
    uint32_t places[TABLE]; /* 0: free; else the number of a stack, from 1 */
    first firsts[FIRST_MOST];
} faulty = {.lock = ATOMIC_FLAG_INIT};

static __thread int is_inside; /* what the library itself calls is not counted */

/* Appends a line to the log. */
static void note(const char *text)
{
    const long fd = syscall(SYS_openat, AT_FDCWD, faulty.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd >= 0) {
        (void)!syscall(SYS_write, fd, text, strlen(text));
        syscall(SYS_close, fd);
    }
}

/* A number for the stack of callers. */
static uint64_t hash_stack(void)
{
    void *frames[FRAMES];
    const int count = backtrace(frames, FRAMES);
    uint64_t hash = 1469598103934665603u;
    for (int i = 2; i < count; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 1099511628211u;
    return hash;
}

/* Keeps the first call of each stack. */
static void keep_first(faulty_class class, uint64_t call, const char *function)
{
    const uint64_t stack = hash_stack();
    while (atomic_flag_test_and_set(&faulty.lock)) {
    }
    uint64_t place = (stack ^ (uint64_t) class * 0x9e3779b97f4a7c15u) % TABLE;
    while (faulty.places[place] && (faulty.firsts[faulty.places[place] - 1].stack != stack ||
                                    faulty.firsts[faulty.places[place] - 1].class != class))
        place = (place + 1) % TABLE;
    if (!faulty.places[place] && faulty.found < FIRST_MOST) {
        faulty.firsts[faulty.found++] = (first){stack, call, function, class};
        faulty.places[place] = faulty.found;
    }
    atomic_flag_clear(&faulty.lock);
}

/* Some of the calls, so that no loop meets the same call for ever. */
static int fails_later(uint64_t call)
{
    return faulty.later > 0 && (call * 0x9e3779b97f4a7c15u >> 40) % faulty.later == 0;
}

/* Whether this call fails; `about` says what it is of. */
static int fails(faulty_class class, const char *function, const char *about)
{
    char line[512];
    if (!faulty.is_on || is_inside || (!faulty.counts && class != (faulty_class)faulty.class))
        return 0;
    const uint64_t call = atomic_fetch_add(&faulty.calls[class], 1) + 1;
    if (faulty.counts) {
        is_inside = 1;
        keep_first(class, call, function);
        is_inside = 0;
        return 0;
    }
    if (call < faulty.call || (call > faulty.call && !fails_later(call)))
        return 0;
    if (call == faulty.call) {
        is_inside = 1;
        snprintf(line, sizeof line, "failed %s %.400s\n", function, about ? about : "");
        note(line);
        is_inside = 0;
    }
    errno = faulty.error;
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *class = getenv("FAULTY_CLASS"), *number;
    void *frames[2];
    faulty.log = getenv("FAULTY_LOG");
    if (!faulty.log)
        return;
    faulty.counts = !class;
    for (int i = 0; i < CLASS_COUNT; i++)
        faulty.class = class && strcmp(class, words[i]) == 0 ? i : faulty.class;
    faulty.call = (number = getenv("FAULTY_CALL")) ? strtoull(number, NULL, 10) : 0;
    faulty.later = (number = getenv("FAULTY_LATER")) ? strtoull(number, NULL, 10) : 0;
    faulty.error = (number = getenv("FAULTY_ERROR")) ? (int)strtol(number, NULL, 10) : EIO;
    faulty.is_named = getenv("FAULTY_NAMED") != NULL;
    (void)backtrace(frames, 2); /* it loads a library, once */
    faulty.is_on = 1;
}

__attribute__((destructor)) static void end(void)
{
    char line[512];
    if (!faulty.is_on || !faulty.counts)
        return;
    faulty.is_on = 0;
    for (int i = 0; i < CLASS_COUNT; i++) {
        snprintf(line, sizeof line, "calls %s %llu\n", words[i], (unsigned long long)faulty.calls[i]);
        note(line);
    }
    const long fd = syscall(SYS_openat, AT_FDCWD, faulty.log, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
    FILE *log = fd < 0 ? NULL : fdopen((int)fd, "a");
    for (uint32_t i = 0; log && i < faulty.found; i++)
        fprintf(log, "first %s %llu %llx %s\n", words[faulty.firsts[i].class],
                (unsigned long long)faulty.firsts[i].call, (unsigned long long)faulty.firsts[i].stack,
                faulty.firsts[i].function);
    if (log)
        fclose(log);
}

/* The next function of that name. */
#define NEXT(name)                                                                                                     \
    static __typeof__(&(name)) next_##name;                                                                            \
    if (!next_##name) {                                                                                                \
        is_inside++;                                                                                                   \
        *(void **)&next_##name = dlsym(RTLD_NEXT, #name);                                                              \
        is_inside--;                                                                                                   \
    }

/* A function that only fails: its type, name, parameters, arguments, class, what it is of, and what it returns then. */
#define FAULTY(type, name, parameters, arguments, class, about, failed)                                                \
    type name parameters                                                                                               \
    {                                                                                                                  \
        NEXT(name)                                                                                                     \
        return fails(CLASS_##class, #name, about) ? (failed) : next_##name arguments;                                  \
    }

/* Memory. */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    return fails(CLASS_memory, "malloc", NULL) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(CLASS_memory, "calloc", NULL) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails(CLASS_memory, "realloc", NULL) ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(CLASS_memory, "aligned_alloc", NULL) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block = fails(CLASS_memory, "posix_memalign", NULL) ? NULL : __libc_memalign(alignment, size);
    if (block)
        *out = block;
    return block ? 0 : ENOMEM;
}

FAULTY(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
       (at, size, protection, flags, fd, offset), map, NULL, MAP_FAILED)
FAULTY(int, munmap, (void *at, size_t size), (at, size), unmap, NULL, -1)
FAULTY(int, madvise, (void *at, size_t size, int advice), (at, size, advice), unmap, NULL, -1)

void *mremap(void *at, size_t old, size_t size, int flags, ...)
{
    va_list rest;
    NEXT(mremap)
    va_start(rest, flags);
    void *place = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
    va_end(rest);
    return fails(CLASS_map, "mremap", NULL) ? MAP_FAILED : next_mremap(at, old, size, flags, place);
}

/* Descriptors. */

static int cannot_open(const char *function, const char *path, int flags)
{
    if (faulty.is_on && faulty.is_named && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return 1;
    }
    return fails(CLASS_open, function, path) || fails(CLASS_interrupt, function, path);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    NEXT(open)
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return cannot_open("open", path, flags) ? -1 : next_open(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    NEXT(openat)
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return cannot_open("openat", path, flags) ? -1 : next_openat(folder, path, flags, mode);
}

/* Linux closes a descriptor in any case. */
int close(int fd)
{
    NEXT(close)
    const int closed = next_close(fd);
    return fails(CLASS_close, "close", NULL) || fails(CLASS_interrupt, "close", NULL) ? -1 : closed;
}

ssize_t read(int fd, void *to, size_t size)
{
    NEXT(read)
    if (fails(CLASS_read, "read", NULL) || fails(CLASS_interrupt, "read", NULL))
        return -1;
    return next_read(fd, to, size > 1 && fails(CLASS_short_read, "read", NULL) ? size / 2 : size);
}

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    NEXT(pread)
    if (fails(CLASS_read, "pread", NULL) || fails(CLASS_interrupt, "pread", NULL))
        return -1;
    return next_pread(fd, to, size > 1 && fails(CLASS_short_read, "pread", NULL) ? size / 2 : size, at);
}

ssize_t write(int fd, const void *from, size_t size)
{
    NEXT(write)
    if (fd != STDERR_FILENO && (fails(CLASS_write, "write", NULL) || fails(CLASS_interrupt, "write", NULL)))
        return -1;
    return next_write(fd, from, size > 1 && fails(CLASS_short_write, "write", NULL) ? size / 2 : size);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
    NEXT(pwrite)
    if (fails(CLASS_write, "pwrite", NULL) || fails(CLASS_interrupt, "pwrite", NULL))
        return -1;
    return next_pwrite(fd, from, size > 1 && fails(CLASS_short_write, "pwrite", NULL) ? size / 2 : size, at);
}

int fsync(int fd)
{
    NEXT(fsync)
    return fails(CLASS_sync, "fsync", NULL) || fails(CLASS_interrupt, "fsync", NULL) ? -1 : next_fsync(fd);
}

FAULTY(off_t, lseek, (int fd, off_t offset, int from), (fd, offset, from), seek, NULL, -1)
FAULTY(int, truncate, (const char *path, off_t size), (path, size), size, path, -1)
FAULTY(int, ftruncate, (int fd, off_t size), (fd, size), size, NULL, -1)

int posix_fallocate(int fd, off_t from, off_t size)
{
    NEXT(posix_fallocate)
    return fails(CLASS_size, "posix_fallocate", NULL) || fails(CLASS_interrupt, "posix_fallocate", NULL)
               ? faulty.error
               : next_posix_fallocate(fd, from, size);
}

int flock(int fd, int operation)
{
    NEXT(flock)
    return fails(CLASS_lock, "flock", NULL) || fails(CLASS_interrupt, "flock", NULL) ? -1 : next_flock(fd, operation);
}

int fcntl(int fd, int command, ...)
{
    va_list rest;
    NEXT(fcntl)
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return fails(CLASS_lock, "fcntl", NULL) ? -1 : next_fcntl(fd, command, argument);
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    NEXT(ioctl)
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return fails(CLASS_system, "ioctl", NULL) ? -1 : next_ioctl(fd, request, argument);
}

int poll(struct pollfd *descriptors, nfds_t count, int milliseconds)
{
    NEXT(poll)
    return fails(CLASS_wait, "poll", NULL) || fails(CLASS_interrupt, "poll", NULL)
               ? -1
               : next_poll(descriptors, count, milliseconds);
}

/* Names and folders. */

FAULTY(int, rename, (const char *from, const char *to), (from, to), name, to, -1)
FAULTY(int, linkat, (int at, const char *from, int folder, const char *to, int flags), (at, from, folder, to, flags),
       name, to, -1)
FAULTY(int, mkdir, (const char *path, mode_t mode), (path, mode), name, path, -1)
FAULTY(int, unlink, (const char *path), (path), unlink, path, -1)
FAULTY(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), unlink, path, -1)
FAULTY(int, stat, (const char *path, struct stat *out), (path, out), status, path, -1)
FAULTY(int, lstat, (const char *path, struct stat *out), (path, out), status, path, -1)
FAULTY(int, fstat, (int fd, struct stat *out), (fd, out), status, NULL, -1)
FAULTY(int, access, (const char *path, int mode), (path, mode), status, path, -1)
FAULTY(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size), status, path, -1)
FAULTY(char *, realpath, (const char *path, char *to), (path, to), status, path, NULL)
FAULTY(int, fchmod, (int fd, mode_t mode), (fd, mode), owner, NULL, -1)
FAULTY(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group), owner, NULL, -1)
FAULTY(DIR *, opendir, (const char *path), (path), open, path, NULL)
FAULTY(struct dirent *, readdir, (DIR * folder), (folder), folder, NULL, NULL)
FAULTY(int, glob, (const char *pattern, int flags, int (*wrong)(const char *, int), glob_t *out),
       (pattern, flags, wrong, out), folder, pattern, GLOB_ABORTED)

int closedir(DIR *folder)
{
    NEXT(closedir)
    const int closed = next_closedir(folder);
    return fails(CLASS_close, "closedir", NULL) ? -1 : closed;
}

/* Streams. */

/* Whether a call fails, which is of a file or a pipe. */
static int stream_fails(faulty_class class, const char *function, FILE *stream)
{
    const int fd = fileno_unlocked(stream);
    if (fd < 0 || fd == STDERR_FILENO || !fails(class, function, NULL))
        return 0;
    stream->_flags |= 0x20; /* as glibc says that it failed */
    return 1;
}

FAULTY(FILE *, fopen, (const char *path, const char *mode), (path, mode), open, path, NULL)
FAULTY(FILE *, fdopen, (int fd, const char *mode), (fd, mode), open, NULL, NULL)

int fclose(FILE *stream)
{
    NEXT(fclose)
    const int counts = fileno_unlocked(stream) >= 0, closed = next_fclose(stream);
    return counts && fails(CLASS_close, "fclose", NULL) ? EOF : closed;
}

#define STREAM(type, name, parameters, arguments, class, of, failed)                                                   \
    type name parameters                                                                                               \
    {                                                                                                                  \
        NEXT(name)                                                                                                     \
        return stream_fails(CLASS_##class, #name, of) ? (failed) : next_##name arguments;                              \
    }

STREAM(size_t, fread, (void *to, size_t size, size_t count, FILE *from), (to, size, count, from), read, from, 0)
STREAM(int, fgetc, (FILE * from), (from), read, from, EOF)
STREAM(int, getc, (FILE * from), (from), read, from, EOF)
STREAM(char *, fgets, (char *to, int size, FILE *from), (to, size, from), read, from, NULL)
STREAM(ssize_t, getline, (char **line, size_t *size, FILE *from), (line, size, from), read, from, -1)
STREAM(int, fseek, (FILE * stream, long offset, int from), (stream, offset, from), seek, stream, -1)
STREAM(size_t, fwrite, (const void *data, size_t size, size_t count, FILE *to), (data, size, count, to), write, to, 0)
STREAM(int, fputs, (const char *text, FILE *to), (text, to), write, to, EOF)
STREAM(int, fputc, (int c, FILE *to), (c, to), write, to, EOF)
STREAM(int, putc, (int c, FILE *to), (c, to), write, to, EOF)
STREAM(int, putchar, (int c), (c), write, stdout, EOF)
STREAM(int, puts, (const char *text), (text), write, stdout, EOF)

/* Nothing fails where nothing is to be written. */
int fflush(FILE *to)
{
    NEXT(fflush)
    return to && __fpending(to) > 0 && stream_fails(CLASS_write, "fflush", to) ? EOF : next_fflush(to);
}

#define SCAN(name)                                                                                                     \
    int name(FILE *from, const char *format, ...)                                                                      \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        if (stream_fails(CLASS_read, "fscanf", from))                                                                  \
            return EOF;                                                                                                \
        va_start(rest, format);                                                                                        \
        const int read = vfscanf(from, format, rest);                                                                  \
        va_end(rest);                                                                                                  \
        return read;                                                                                                   \
    }

int __isoc99_fscanf(FILE *from, const char *format, ...);
int __isoc23_fscanf(FILE *from, const char *format, ...);
SCAN(__isoc99_fscanf)
SCAN(__isoc23_fscanf)

int fprintf(FILE *to, const char *format, ...)
{
    va_list rest;
    if (stream_fails(CLASS_write, "fprintf", to))
        return -1;
    va_start(rest, format);
    const int written = vfprintf(to, format, rest);
    va_end(rest);
    return written;
}

int printf(const char *format, ...)
{
    va_list rest;
    if (stream_fails(CLASS_write, "printf", stdout))
        return -1;
    va_start(rest, format);
    const int written = vprintf(format, rest);
    va_end(rest);
    return written;
}

FAULTY(FILE *, fopencookie, (void *cookie, const char *mode, cookie_io_functions_t how), (cookie, mode, how), memory,
       NULL, NULL)
FAULTY(FILE *, open_memstream, (char **text, size_t *size), (text, size), memory, NULL, NULL)

/* Threads, and what the system says about itself. */

FAULTY(int, pthread_create, (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *argument),
       (thread, how, run, argument), thread, NULL, faulty.error)

#define THREADS(name, parameters, arguments) FAULTY(int, name, parameters, arguments, object, NULL, faulty.error)

THREADS(pthread_attr_init, (pthread_attr_t * how), (how))
THREADS(pthread_attr_setstacksize, (pthread_attr_t * how, size_t size), (how, size))
THREADS(pthread_mutex_init, (pthread_mutex_t * lock, const pthread_mutexattr_t *how), (lock, how))
FAULTY(int, pthread_mutex_trylock, (pthread_mutex_t * lock), (lock), object, NULL, EBUSY)
THREADS(pthread_cond_init, (pthread_cond_t * wake, const pthread_condattr_t *how), (wake, how))
THREADS(pthread_condattr_init, (pthread_condattr_t * how), (how))
THREADS(pthread_condattr_setclock, (pthread_condattr_t * how, clockid_t clock), (how, clock))

FAULTY(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old), system, NULL, EINVAL)
FAULTY(int, sigaction, (int number, const struct sigaction *what, struct sigaction *old), (number, what, old), system,
       NULL, -1)
FAULTY(__sighandler_t, __sysv_signal, (int number, __sighandler_t handler), (number, handler), system, NULL, SIG_ERR)
FAULTY(long, sysconf, (int name), (name), system, NULL, -1)
FAULTY(int, sched_getaffinity, (pid_t process, size_t size, cpu_set_t *out), (process, size, out), system, NULL, -1)
FAULTY(int, isatty, (int fd), (fd), system, NULL, 0)
FAULTY(int, getrlimit, (__rlimit_resource_t what, struct rlimit *out), (what, out), system, NULL, -1)
