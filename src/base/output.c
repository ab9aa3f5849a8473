/* Files that appear whole or not at all: written unnamed or hidden, given their name at the end. */
#define _GNU_SOURCE /* O_TMPFILE */

#include "base/output.h"

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/memory.h"
#include "base/packer.h"
#include "base/random.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES  ((size_t)1 << 18)
#define LINKS_MOST    40  /* symbolic links followed in a row; Linux follows the same number */
#define ATTEMPTS_MOST 100 /* names tried for the hidden file */
#define NAME_BYTES    32

struct akin_output {
    const akin_scope *scope;
    int fd;
    int is_stdout;      /* left open */
    int atomic;         /* 0: written as it is (standard output, a pipe, a device) */
    int replaces;       /* there was a file of the name that it has taken */
    double reported_at; /* when the caller was last asked whether to stop */
    int failed;         /* the errno value of the first write that failed, ECANCELED: it was cancelled; or 0 */
    char *target; /* the name the file is to have, links followed; for a file written as it is, its name for messages */
    char *hidden; /* the name it has until then; NULL: none */
    akin_packer *packer; /* NULL: bytes are written as they are */
    size_t used;
    char buffer[BUFFER_BYTES];
};

static akin_status fail_write(const akin_output *output, int number, akin_error *error)
{
    if (number == ECANCELED)
        return akin_fail(error, AKIN_E_CANCELLED, "%s: cancelled while writing", output->target);
    return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_FILE, number, "%s: cannot be written", output->target);
}

/* The path of `name` in the directory that holds `path` (of `name` itself if that is absolute); NULL if memory is
 * short. */
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t directory = slash && name[0] != '/' ? (size_t)(slash + 1 - path) : 0, length = strlen(name) + 1;
    char *joined = akin_alloc(NULL, (uint64_t)directory + length, 1);
    if (joined) {
        memcpy(joined, path, directory);
        memcpy(joined + directory, name, length);
    }
    return joined;
}

/* Follows the symbolic links that output->target ends in, so that the file changes and the links stay. */
static akin_status follow_links(akin_output *output, akin_error *error)
{
    for (int i = 0;; i++) {
        char link[PATH_MAX];
        ssize_t length = readlink(output->target, link, sizeof link - 1);
        if (length < 0) /* no link, or no file */
            return AKIN_OK;
        if (i == LINKS_MOST)
            return fail_write(output, ELOOP, error);
        link[length] = '\0';
        char *next = beside(output->target, link);
        if (!next)
            return akin_fail_memory(error, "a file name");
        akin_free(output->target);
        output->target = next;
    }
}

/* Puts a file with a fresh hidden name beside the target: `make` does it, and says EEXIST if the name is taken. */
static akin_status hide(akin_output *output, int (*make)(akin_output *output, const char *name), akin_error *error)
{
    akin_random random;
    akin_random_seed_anew(&random, output);
    for (int i = 0; i < ATTEMPTS_MOST; i++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, ".akin-%016llx", (unsigned long long)akin_random_next(&random));
        char *path = beside(output->target, name);
        if (!path)
            return akin_fail_memory(error, "a file name");
        if (make(output, path) == 0) {
            output->hidden = path;
            return AKIN_OK;
        }
        int reason = errno;
        akin_free(path);
        if (reason == EACCES || reason == EPERM || reason == EROFS)
            return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_FILE, reason,
                                    "%s: its directory cannot be written to", output->target);
        if (reason == ENOENT)
            return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_FILE, reason, "%s: its directory is not there",
                                    output->target);
        if (reason != EEXIST)
            return fail_write(output, reason, error);
    }
    return fail_write(output, EEXIST, error);
}

static int make_hidden(akin_output *output, const char *name)
{
    output->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return output->fd < 0 ? -1 : 0;
}

#if defined(O_TMPFILE)

static void descriptor_path(int fd, char *path)
{
    snprintf(path, NAME_BYTES, "/proc/self/fd/%d", fd);
}

static int make_linked(akin_output *output, const char *name)
{
    char path[NAME_BYTES];
    descriptor_path(output->fd, path);
    return linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* An unnamed file goes away by itself if the process dies. Leaves fd at -1 where the system cannot make one, or could
 * not name it later (without /proc). */
static akin_status open_unnamed(akin_output *output, akin_error *error)
{
    char path[NAME_BYTES];
    char *directory = beside(output->target, ".");
    if (!directory)
        return akin_fail_memory(error, "a file name");
    output->fd = open(directory, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    akin_free(directory);
    if (output->fd < 0)
        return AKIN_OK;
    descriptor_path(output->fd, path);
    if (access(path, F_OK) != 0) {
        close(output->fd);
        output->fd = -1;
    }
    return AKIN_OK;
}

#else

static int make_linked(akin_output *output, const char *name)
{
    (void)output;
    (void)name;
    errno = ENOTSUP;
    return -1;
}

static akin_status open_unnamed(akin_output *output, akin_error *error)
{
    (void)output;
    (void)error;
    return AKIN_OK;
}

#endif

static akin_status open_beside(akin_output *output, const struct stat *existing, akin_error *error)
{
    output->atomic = 1;
    akin_status status = follow_links(output, error);
    if (status != AKIN_OK)
        return status;
    if (existing && access(output->target, W_OK) != 0) /* replacing would get round a write protection */
        return fail_write(output, errno, error);
    status = open_unnamed(output, error);
    if (status == AKIN_OK && output->fd < 0)
        status = hide(output, make_hidden, error);
    if (status == AKIN_OK && existing && fchmod(output->fd, existing->st_mode & 0777) != 0)
        status = fail_write(output, errno, error);
    return status;
}

/* The number of the open descriptor that a path names ("/dev/fd/3"), or -1: it is written to as it stands, not
 * replaced. */
static int named_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        char *end;
        if (strncmp(path, folders[i], length) != 0 || path[length] < '0' || path[length] > '9')
            continue;
        long number = strtol(path + length, &end, 10);
        if (!*end && number <= INT_MAX)
            return (int)number;
    }
    return -1;
}

static akin_status open_output(akin_output *output, const char *path, akin_error *error)
{
    struct stat existing;
    output->is_stdout = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    output->target = beside("", output->is_stdout ? "standard output" : path);
    if (!output->target)
        return akin_fail_memory(error, "a file name");
    if (output->is_stdout) {
        output->fd = STDOUT_FILENO;
        return AKIN_OK;
    }
    if (!*path)
        return fail_write(output, ENOENT, error);
    int descriptor = named_descriptor(path);
    if (descriptor >= 0) {
        output->fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
        return output->fd < 0 ? fail_write(output, errno, error) : AKIN_OK;
    }
    if (stat(path, &existing) != 0)
        return errno == ENOENT ? open_beside(output, NULL, error) : fail_write(output, errno, error);
    if (S_ISREG(existing.st_mode))
        return open_beside(output, &existing, error);
    int failed = akin_descriptor_open(output->scope, path, O_WRONLY, &output->fd);
    return failed ? fail_write(output, failed, error) : AKIN_OK;
}

akin_status akin_output_open_within(const akin_scope *scope, const char *path, akin_output **out, akin_error *error)
{
    akin_output *output = akin_alloc(NULL, 1, sizeof *output);
    if (!output)
        return akin_fail_memory(error, "an output buffer");
    output->scope = scope;
    output->fd = -1;
    output->is_stdout = output->atomic = output->replaces = output->failed = 0;
    output->target = output->hidden = NULL;
    output->packer = NULL;
    output->used = 0;
    output->reported_at = akin_clock();
    akin_status status = open_output(output, path, error);
    if (status == AKIN_OK)
        *out = output;
    else
        akin_output_discard(output);
    return status;
}

akin_status akin_output_open(akin_context *context, const char *path, akin_output **out, akin_error *error)
{
    return akin_output_open_within(akin_scope_of(context), path, out, error);
}

const akin_scope *akin_output_scope(const akin_output *output)
{
    return output->scope;
}

const char *akin_output_name(const akin_output *output)
{
    return output->target;
}

static akin_status send_output(akin_output *output, const void *data, size_t length, akin_error *error)
{
    if (output->failed == 0)
        output->failed = akin_descriptor_write(output->scope, output->fd, data, length, &output->reported_at);
    return output->failed ? fail_write(output, output->failed, error) : AKIN_OK;
}

static akin_status flush_output(akin_output *output, akin_error *error)
{
    size_t used = output->used;
    output->used = 0;
    return send_output(output, output->buffer, used, error);
}

/* Writes bytes as they are. */
static akin_status put_bytes(void *user, const void *data, size_t length, akin_error *error)
{
    akin_output *output = user;
    if (length > BUFFER_BYTES - output->used) {
        akin_status status = flush_output(output, error);
        if (status != AKIN_OK || length >= BUFFER_BYTES)
            return status != AKIN_OK ? status : send_output(output, data, length, error);
    }
    if (length > 0)
        memcpy(output->buffer + output->used, data, length);
    output->used += length;
    return AKIN_OK;
}

akin_status akin_output_write(akin_output *output, const void *data, size_t length, akin_error *error)
{
    return output->packer ? akin_packer_add(output->packer, data, length, 0, put_bytes, output, error)
                          : put_bytes(output, data, length, error);
}

akin_status akin_output_pack(akin_output *output, const char *name, akin_error *error)
{
    akin_packer_close(output->packer);
    return akin_packer_open(name, &output->packer, error);
}

static akin_status close_file(akin_output *output, akin_error *error)
{
    int fd = output->fd;
    output->fd = -1;
    if (fd >= 0 && !output->is_stdout && close(fd) != 0 && errno != EINTR)
        return fail_write(output, errno, error);
    return AKIN_OK;
}

/* Writes the rest, so that only the name is missing. */
static akin_status finish_output(akin_output *output, akin_error *error)
{
    akin_status status = output->packer ? akin_packer_add(output->packer, "", 0, 1, put_bytes, output, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = flush_output(output, error);
    if (status == AKIN_OK && output->atomic && !output->hidden)
        status = hide(output, make_linked, error);
    return status == AKIN_OK ? close_file(output, error) : status;
}

static akin_status take_name(akin_output *output, akin_error *error)
{
    struct stat about;
    if (!output->atomic)
        return AKIN_OK;
    output->replaces = lstat(output->target, &about) == 0;
    if (rename(output->hidden, output->target) != 0)
        return fail_write(output, errno, error);
    akin_free(output->hidden);
    output->hidden = NULL;
    return AKIN_OK;
}

/* Takes a file that has its name away again, where there was none before; else says that it is there. */
static void withdraw(const akin_output *output, akin_error *error)
{
    if (!output->atomic || (!output->replaces && unlink(output->target) == 0) || !error)
        return;
    akin_error failed = *error;
    akin_fail(error, failed.code, "%s; %s has been written all the same", failed.message, output->target);
    akin_note_from(failed.code, &failed, error);
}

/* A folder, as the system numbers it, and a name in it. */
typedef struct place {
    dev_t device;
    ino_t folder;
    const char *name;
} place;

static akin_status place_of(const akin_output *output, place *out, akin_error *error)
{
    struct stat about;
    const char *slash = strrchr(output->target, '/');
    char *folder = beside(output->target, ".");
    if (!folder)
        return akin_fail_memory(error, "a file name");
    int failed = stat(folder, &about);
    akin_free(folder);
    if (failed)
        return fail_write(output, errno, error);
    *out = (place){about.st_dev, about.st_ino, slash ? slash + 1 : output->target};
    return AKIN_OK;
}

/* Whether two outputs take the same name, however it is spelled: one of them would replace the other. */
static akin_status have_same_name(const akin_output *a, const akin_output *b, int *same, akin_error *error)
{
    place own = {.name = ""}, other = own;
    *same = 0;
    if (!a->atomic || !b->atomic)
        return AKIN_OK;
    akin_status status = place_of(a, &own, error);
    if (status == AKIN_OK)
        status = place_of(b, &other, error);
    if (status == AKIN_OK)
        *same = own.device == other.device && own.folder == other.folder && strcmp(own.name, other.name) == 0;
    return status;
}

static akin_status check_output_names(akin_output *const *outputs, size_t count, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i && status == AKIN_OK; k++) {
            int same;
            status = have_same_name(outputs[i], outputs[k], &same, error);
            if (status == AKIN_OK && same)
                status = akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_REPEATED,
                                        "%s: would be written twice; nothing has been", outputs[i]->target);
        }
    return status;
}

akin_status akin_output_commit_all(akin_output *const *outputs, size_t count, akin_error *error)
{
    akin_status status = check_output_names(outputs, count, error);
    size_t named = 0;
    for (size_t i = 0; i < count && status == AKIN_OK; i++)
        status = finish_output(outputs[i], error);
    while (named < count && status == AKIN_OK) {
        status = take_name(outputs[named], error);
        named += status == AKIN_OK;
    }
    for (size_t i = 0; i < named && status != AKIN_OK; i++)
        withdraw(outputs[i], error);
    for (size_t i = 0; i < count; i++)
        akin_output_discard(outputs[i]);
    return status;
}

akin_status akin_output_commit(akin_output *output, akin_error *error)
{
    return akin_output_commit_all(&output, 1, error);
}

void akin_output_discard(akin_output *output)
{
    if (!output)
        return;
    close_file(output, NULL);
    if (output->hidden)
        unlink(output->hidden);
    akin_packer_close(output->packer);
    akin_free(output->hidden);
    akin_free(output->target);
    akin_free(output);
}
