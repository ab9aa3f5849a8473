/* Files that appear whole or not at all: written unnamed or hidden, given their name at the end. A saver may write what
 * is in the file, or make a table of a database in its place. */
#define _GNU_SOURCE /* O_TMPFILE */

#include "base/counted.h"
#include "base/output.h"

#include "base/clock.h"
#include "base/context.h"
#include "base/descriptor.h"
#include "base/hidden.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/packer.h"
#include "base/random.h"
#include "base/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

AKIN_OPTIONS_END(akin_other_texts, user);

#define BUFFER_BYTES ((size_t)1 << 18)
#define LINKS_MOST   40 /* symbolic links followed in a row; Linux follows the same number */
#define NAME_BYTES   32
#define SHOWN        300  /* bytes of an address that a message shows */
#define OVER         (-1) /* in place of an errno value: the limit of bytes is met */

struct akin_output {
    const akin_scope *scope;
    int fd;             /* -1: none, or no longer */
    int is_stdout;      /* left open */
    int atomic;         /* a file; 0: written as it is (standard output, a pipe, a device), or a database */
    int is_named;       /* it has taken its name, or the saver has made the table appear */
    int replaces;       /* there was a file of that name */
    double reported_at; /* when the caller was last asked whether to stop */
    int failed;         /* the errno value of the first write that failed, ECANCELED: it was cancelled, OVER; or 0 */
    char *target; /* the name the file is to have, links followed; for a file written as it is, its name for messages */
    char *hidden; /* the name it has until then; NULL: none */
    const akin_saver *saver; /* that bytes go to; NULL: the file */
    void *saved;             /* what it calls the table; NULL: none yet */
    int has_columns;         /* the saver knows them */
    akin_error broken;       /* the first failure of the saver; code AKIN_OK: none */
    akin_packer *packer;     /* NULL: bytes are written as they are */
    uint64_t sent, most;     /* bytes that were sent on, and that may be; most 0: any number */
    size_t used;
    char buffer[BUFFER_BYTES];
};

static akin_status fail_write(const akin_output *output, int number, akin_error *error)
{
    akin_counted room;
    if (number == OVER) {
        akin_error_set(error, AKIN_E_LIMIT, AKIN_REASON_LIMIT, "%s: would have more than %s", output->target,
                       akin_count(&room, output->most, "byte"));
        return akin_note_limit(error, AKIN_LIMIT_OUTPUT);
    }
    if (number == ECANCELED)
        return akin_fail(error, AKIN_E_CANCELLED, "%s: cancelled while writing", output->target);
    return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_FILE, number, "%s: cannot be written", output->target);
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
        char *next = akin_beside(output->target, link);
        if (!next)
            return akin_fail_memory(error, "a file name");
        akin_free(output->target);
        output->target = next;
    }
}

static akin_status fail_name(const akin_output *output, int number, akin_error *error)
{
    if (number == ENOMEM)
        return akin_fail_memory(error, "a file name");
    if (number == EACCES || number == EPERM || number == EROFS)
        return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_FILE, number, "%s: its directory cannot be written to",
                                output->target);
    if (number == ENOENT)
        return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_FILE, number, "%s: its directory is not there",
                                output->target);
    return fail_write(output, number, error);
}

/* Puts a file with a fresh hidden name beside the target: `make` does it, and says EEXIST if the name is taken. */
static akin_status hide(akin_output *output, int (*make)(void *output, const char *name), akin_error *error)
{
    const int failed = akin_hidden_place(output->target, make, output, &output->hidden);
    return failed ? fail_name(output, failed, error) : AKIN_OK;
}

static int make_hidden(void *output, const char *name)
{
    return (((akin_output *)output)->fd = akin_hidden_open(name)) < 0 ? -1 : 0;
}

#if defined(O_TMPFILE)

static void descriptor_path(int fd, char *path)
{
    snprintf(path, NAME_BYTES, "/proc/self/fd/%d", fd);
}

static int link_unnamed(const akin_output *output, const char *name)
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
    char *directory = akin_beside(output->target, ".");
    if (!directory)
        return akin_fail_memory(error, "a file name");
    output->fd = akin_descriptor_make(directory, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
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

static int link_unnamed(const akin_output *output, const char *name)
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

/* Nobody else can hold a file without a name. */
static int make_linked(void *output, const char *name)
{
    (void)akin_hidden_hold(((const akin_output *)output)->fd);
    return link_unnamed(output, name);
}

/* The folder of an output, as the system numbers it. */
static akin_status find_folder(const akin_output *output, struct stat *out, akin_error *error)
{
    char *folder = akin_beside(output->target, ".");
    if (!folder)
        return akin_fail_memory(error, "a file name");
    const int failed = stat(folder, out);
    akin_free(folder);
    return failed ? fail_name(output, errno, error) : AKIN_OK;
}

/* Removes what killed processes have left beside the output, unless that was the last folder of the context. */
static void sweep_beside(const akin_output *output)
{
    struct stat about = {0};
    akin_context *context = output->scope ? output->scope->context : NULL;
    if (find_folder(output, &about, NULL) != AKIN_OK)
        return;
    const uint64_t place = akin_random_mixed(about.st_ino + akin_random_mixed(about.st_dev));
    if (!context)
        akin_hidden_sweep(output->target, NULL, NULL);
    else if (atomic_exchange(&context->swept, place) != place)
        akin_hidden_sweep(output->target, context->note, context->scope.reporter.user);
}

/* Gives the file the owner and the permissions of the file that it replaces. If its group has to be another one, the
 * group gets no more permissions than others. */
static akin_status take_after(const akin_output *output, const struct stat *existing, akin_error *error)
{
    struct stat own;
    mode_t mode = existing->st_mode & 0777;
    if (fstat(output->fd, &own) != 0)
        return fail_write(output, errno, error);
    if ((own.st_uid != existing->st_uid || own.st_gid != existing->st_gid) &&
        fchown(output->fd, existing->st_uid, existing->st_gid) != 0 &&
        fchown(output->fd, (uid_t)-1, existing->st_gid) != 0)
        mode &= (mode_t)(0707 | (mode & 07) << 3);
    return fchmod(output->fd, mode) == 0 ? AKIN_OK : fail_write(output, errno, error);
}

static akin_status open_beside(akin_output *output, const struct stat *existing, akin_error *error)
{
    output->atomic = 1;
    akin_status status = follow_links(output, error);
    if (status != AKIN_OK)
        return status;
    sweep_beside(output);
    if (existing && access(output->target, W_OK) != 0) /* replacing would get round a write protection */
        return fail_write(output, errno, error);
    status = open_unnamed(output, error);
    if (status == AKIN_OK && output->fd < 0)
        status = hide(output, make_hidden, error);
    return status == AKIN_OK && existing ? take_after(output, existing, error) : status;
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

/* Refuses a file in a store of objects. */
static akin_status refuse_store(const char *path, const akin_remote *store, akin_error *error)
{
    char shown[SHOWN];
    akin_address_show(path, shown, sizeof shown);
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                          "%s: only Parquet and Arrow files are written to %s%s%s", shown, store->scheme,
                          store->put ? "; or pipe: akin ... | " : "", store->put ? store->put : "");
}

static akin_status open_output(akin_output *output, const char *path, akin_error *error)
{
    struct stat existing;
    const akin_remote *store = akin_remote_of(path);
    if (store)
        return refuse_store(path, store, error);
    output->is_stdout = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    output->target = akin_beside("", output->is_stdout ? "standard output" : path);
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

/* An output that is not open; NULL: memory is short. */
static akin_output *create_output(const akin_scope *scope)
{
    akin_output *output = akin_alloc(NULL, 1, sizeof *output);
    if (!output)
        return NULL;
    output->scope = scope;
    output->fd = -1;
    output->is_stdout = output->atomic = output->is_named = output->replaces = output->failed = 0;
    output->target = output->hidden = NULL;
    output->saver = NULL;
    output->saved = NULL;
    output->has_columns = 0;
    output->broken.code = AKIN_OK;
    output->packer = NULL;
    output->sent = 0;
    output->most = akin_limit_of(scope, AKIN_LIMIT_OUTPUT);
    output->used = 0;
    output->reported_at = akin_clock();
    return output;
}

/* Hands out an output that could be opened. */
static akin_status give_output(akin_output *output, akin_status status, akin_output **out)
{
    if (status == AKIN_OK)
        *out = output;
    else
        akin_output_discard(output);
    return status;
}

akin_status akin_output_open_within(const akin_scope *scope, const char *path, akin_output **out, akin_error *error)
{
    akin_output *output = create_output(scope);
    if (!output)
        return akin_fail_memory(error, "an output buffer");
    return give_output(output, open_output(output, path, error), out);
}

/* Opens the file that a saver writes, which must be one. */
static akin_status open_saved_file(akin_output *output, const char *path, akin_error *error)
{
    akin_status status = open_output(output, path, error);
    if (status == AKIN_OK && !output->atomic)
        status =
            akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                           "%s: is a pipe or a device, which holds no such file: expected the name of a file", path);
    return status;
}

static akin_status name_database(akin_output *output, const char *name, akin_error *error)
{
    output->target = akin_beside("", name);
    return output->target ? AKIN_OK : akin_fail_memory(error, "the address of a table");
}

akin_status akin_output_open_saved(const akin_scope *scope, const akin_saver *saver, const akin_saving *saving,
                                   const char *database, akin_output **out, akin_error *error)
{
    akin_saving own = *saving;
    akin_output *output = create_output(scope);
    if (!output)
        return akin_fail_memory(error, "an output buffer");
    akin_status status = database ? name_database(output, database, error) : open_saved_file(output, own.path, error);
    output->saver = saver;
    own.descriptor = output->fd;
    if (status == AKIN_OK)
        status = saver->open(saver->user, &own, &output->saved, error);
    return give_output(output, status, out);
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

/* Ends a call of the saver. Its first failure is remembered: whatever follows it fails, too. */
static akin_status conclude(akin_output *output, akin_status status, const akin_error *own, akin_error *error)
{
    if (status != AKIN_OK && output->broken.code == AKIN_OK)
        output->broken = *own;
    if (output->broken.code != AKIN_OK && error)
        *error = output->broken;
    return output->broken.code;
}

int akin_output_has_columns(const akin_output *output)
{
    return output->has_columns;
}

static akin_status cancelled_before(const akin_output *output, akin_error *error)
{
    if (output->scope && akin_scope_report(output->scope, NULL, 0, 0) != AKIN_OK)
        return fail_write(output, ECANCELED, error);
    return AKIN_OK;
}

/* Hands bytes to the saver, which must know the columns. */
static akin_status save_bytes(akin_output *output, const char *data, size_t length, akin_error *error)
{
    akin_error own;
    akin_status status = output->broken.code == AKIN_OK ? cancelled_before(output, &own) : output->broken.code;
    if (status == AKIN_OK && !output->has_columns)
        status = akin_error_set(&own, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                                "%s: holds tables, and this is none: expected another name", output->target);
    if (status == AKIN_OK && length > 0)
        status = output->saver->write(output->saved, data, length, &own);
    return conclude(output, status, &own, error);
}

akin_status akin_output_columns(akin_output *output, const akin_output_column *columns, uint32_t count,
                                akin_error *error)
{
    akin_error own;
    if (!output->saver)
        return AKIN_OK;
    akin_status status = cancelled_before(output, &own);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        if (!columns[i].name || !columns[i].type)
            status = akin_fail(&own, AKIN_E_OPTION, "column %u: its name or its type is NULL", i);
    if (status == AKIN_OK)
        status = output->saver->begin(output->saved, columns, count, &own);
    output->has_columns = status == AKIN_OK;
    return conclude(output, status, &own, error);
}

akin_status akin_output_copy_texts(akin_output *output, akin_format format, const char *path, const uint8_t *kept,
                                   uint32_t rows, const akin_other_texts *texts, akin_error *error)
{
    const akin_saver *saver = output->saver;
    const akin_opening from = {.size = sizeof from, .format = format, .path = path, .keeps_records = 1};
    akin_error own;
    if (!saver)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                              "%s: rows of a table with types are not copied there", output->target);
    if (texts && (saver->size < sizeof *saver || !saver->copy_texts))
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                              "%s: rows are not copied there with other texts", output->target);
    akin_other_texts other = {.size = sizeof other, .user = NULL};
    akin_status status = cancelled_before(output, &own);
    if (status == AKIN_OK && texts)
        status = akin_options_read(texts, &other, sizeof other, sizeof other, "akin_other_texts", &own);
    if (status == AKIN_OK && texts && (!other.column || !other.of))
        status = akin_fail(&own, AKIN_E_OPTION, "akin_other_texts: its column, or the function of its texts, is NULL");
    if (status == AKIN_OK)
        status = texts ? saver->copy_texts(output->saved, &from, kept, rows, &other, &own)
                       : saver->copy(output->saved, &from, kept, rows, &own);
    output->has_columns = status == AKIN_OK;
    return conclude(output, status, &own, error);
}

akin_status akin_output_copy(akin_output *output, akin_format format, const char *path, const uint8_t *kept,
                             uint32_t rows, akin_error *error)
{
    return akin_output_copy_texts(output, format, path, kept, rows, NULL, error);
}

static akin_status send_output(akin_output *output, const void *data, size_t length, akin_error *error)
{
    if (output->failed == 0 && output->most && length > output->most - output->sent)
        output->failed = OVER;
    if (output->failed == OVER)
        return fail_write(output, OVER, error);
    output->sent += length;
    if (output->saver)
        return save_bytes(output, data, length, error);
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

/* Has the saver write the rest. */
static akin_status finish_saved(akin_output *output, akin_error *error)
{
    if (!output->saver)
        return AKIN_OK;
    akin_status status = cancelled_before(output, error);
    return status == AKIN_OK ? output->saver->finish(output->saved, error) : status;
}

/* Whether a file is to be on the disk before it is committed. */
static int is_synced(const akin_output *output)
{
    return output->scope && output->scope->context->sync;
}

/* Has the system write the file to the disk; pipes and devices have none. */
static akin_status sync_file(const akin_output *output, akin_error *error)
{
    struct stat about;
    if (!is_synced(output) || output->fd < 0 || fstat(output->fd, &about) != 0 || !S_ISREG(about.st_mode))
        return AKIN_OK;
    return akin_descriptor_sync(output->fd) == 0 ? AKIN_OK : fail_write(output, errno, error);
}

/* Closes a file, as some systems say only then that it could not be written. Another descriptor keeps it, with its
 * lock, until it has its name. */
static akin_status settle_file(akin_output *output, akin_error *error)
{
    const int kept = output->atomic ? fcntl(output->fd, F_DUPFD_CLOEXEC, 3) : -1;
    if (output->atomic && kept < 0)
        return fail_write(output, errno, error);
    const akin_status status = close_file(output, error);
    output->fd = kept;
    return status;
}

/* Writes the rest, so that only the name is missing. What replaces a file has a hidden name by then. */
static akin_status finish_output(akin_output *output, akin_error *error)
{
    struct stat about;
    akin_status status = output->packer ? akin_packer_add(output->packer, "", 0, 1, put_bytes, output, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = flush_output(output, error);
    if (status == AKIN_OK)
        status = finish_saved(output, error);
    if (status == AKIN_OK)
        status = sync_file(output, error);
    if (status == AKIN_OK)
        status = settle_file(output, error);
    output->replaces = output->atomic && lstat(output->target, &about) == 0;
    return status == AKIN_OK && output->replaces && !output->hidden ? hide(output, make_linked, error) : status;
}

/* Whether an output is the table of a database. */
static int is_database(const akin_output *output)
{
    return output->saver && !output->atomic;
}

static akin_status rename_file(akin_output *output, akin_error *error)
{
    struct stat about;
    output->replaces = lstat(output->target, &about) == 0;
    if (rename(output->hidden, output->target) != 0)
        return fail_write(output, errno, error);
    akin_free(output->hidden);
    output->hidden = NULL;
    return AKIN_OK;
}

/* A name that is free is taken in one step, so that a process that is killed leaves no hidden file. */
static akin_status name_file(akin_output *output, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (!output->hidden && link_unnamed(output, output->target) == 0)
        return AKIN_OK;
    if (!output->hidden)
        status = errno == EEXIST ? hide(output, make_linked, error) : fail_name(output, errno, error);
    return status == AKIN_OK ? rename_file(output, error) : status;
}

static akin_status take_name(akin_output *output, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (is_database(output))
        status = output->saver->commit(output->saved, error);
    else if (!output->atomic)
        return AKIN_OK;
    else
        status = name_file(output, error);
    output->is_named = status == AKIN_OK;
    return status;
}

/* Takes a file that has its name away again, where there was none before; else says that it is there, as is the table
 * of a database. */
static void withdraw(const akin_output *output, akin_error *error)
{
    if (!output->is_named || (output->atomic && !output->replaces && unlink(output->target) == 0) || !error)
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
    const akin_status status = find_folder(output, &about, error);
    if (status == AKIN_OK)
        *out = (place){about.st_dev, about.st_ino, slash ? slash + 1 : output->target};
    return status;
}

/* Whether two outputs take the same name, however it is spelled: one of them would replace the other. */
static akin_status have_same_name(const akin_output *a, const akin_output *b, int *same, akin_error *error)
{
    place own = {.name = ""}, other = own;
    *same = is_database(a) && is_database(b) && strcmp(a->target, b->target) == 0;
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

/* Has the system write the name of a file to the disk, unless the file system cannot sync a folder. */
static akin_status sync_name(const akin_output *output, akin_error *error)
{
    if (!is_synced(output) || !output->atomic)
        return AKIN_OK;
    char *folder = akin_beside(output->target, ".");
    if (!folder)
        return akin_fail_memory(error, "a file name");
    const int fd = akin_descriptor_make(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    const int failed = (fd < 0 || akin_descriptor_sync(fd) != 0) && errno != EINVAL ? errno : 0;
    if (fd >= 0)
        close(fd);
    akin_free(folder);
    return failed ? fail_write(output, failed, error) : AKIN_OK;
}

akin_status akin_output_commit_all(akin_output *const *outputs, size_t count, akin_error *error)
{
    akin_status status = check_output_names(outputs, count, error);
    for (size_t i = 0; i < count && status == AKIN_OK; i++)
        status = finish_output(outputs[i], error);
    for (int databases = 0; databases < 2; databases++) /* last, as what is committed cannot be taken back */
        for (size_t i = 0; i < count && status == AKIN_OK; i++)
            if (is_database(outputs[i]) == databases)
                status = take_name(outputs[i], error);
    for (size_t i = 0; i < count && status == AKIN_OK; i++)
        status = sync_name(outputs[i], error);
    for (size_t i = 0; i < count && status != AKIN_OK; i++)
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
    if (output->saved)
        output->saver->discard(output->saved);
    close_file(output, NULL);
    if (output->hidden)
        unlink(output->hidden);
    akin_packer_close(output->packer);
    akin_free(output->hidden);
    akin_free(output->target);
    akin_free(output);
}
