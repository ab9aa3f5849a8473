/*
 * What the fuzzers of the command share: a folder of their own, in which command lines run within the process, with
 * the files that an input makes; and what a command line wrote. Whatever the files hold, a command ends with a status
 * that it documents, says why it failed, and prints nothing that a terminal must not get.
 */
#ifndef AKIN_FUZZ_COMMANDS_H
#define AKIN_FUZZ_COMMANDS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run.h"
#include "packed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ----------------------------------------------------------------------------------------------------------- folder */

static char folder_path[200];
static int folder = -1, home = -1; /* the folder, and the one that the process is in otherwise */

/* Removes all files of the folder that is open; it is closed. */
static inline void empty_folder(int fd)
{
    DIR *list = fdopendir(fd);
    if (!list)
        abort();
    rewinddir(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(fd, entry->d_name, 0) != 0) {
            const int inner = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
            if (inner >= 0)
                empty_folder(inner);
            unlinkat(fd, entry->d_name, AT_REMOVEDIR);
        }
    }
    closedir(list);
}

static inline void remove_folder(void)
{
    empty_folder(dup(folder));
    rmdir(folder_path);
}

/* Makes the folder, in memory where that is possible. */
static inline void make_folder(void)
{
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    if (folder >= 0)
        return;
    snprintf(folder_path, sizeof folder_path, "%s/akin-fuzz-XXXXXX", place);
    require(mkdtemp(folder_path) != NULL);
    folder = open(folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    require(folder >= 0 && home >= 0 && atexit(remove_folder) == 0);
}

static inline void put_file(const char *name, const void *bytes, size_t size)
{
    make_folder();
    const int file = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(file >= 0 && (size == 0 || write(file, bytes, size) == (ssize_t)size));
    close(file);
}

static inline void put_text(const char *name, const char *text)
{
    put_file(name, text, strlen(text));
}

static inline void put_packed(const char *name, packing how, const uint8_t *data, size_t size)
{
    size_t length = size;
    uint8_t *packed = how == PLAIN ? NULL : pack(how, data, size, size / 2 + 1, &length);
    put_file(name, packed ? packed : data, length);
    free(packed);
}

/* ---------------------------------------------------------------------------------------------------- command lines */

typedef struct outcome {
    int status;
    char *out, *err; /* end in '\0' */
    size_t out_length, err_length;
} outcome;

static inline void clear_outcome(outcome *o)
{
    free(o->out);
    free(o->err);
    *o = (outcome){0};
}

/* All that is in a file, which is emptied. */
static inline char *take_all(int file, size_t *length)
{
    const off_t size = lseek(file, 0, SEEK_END);
    char *bytes = malloc((size_t)size + 1);
    require(size >= 0 && bytes && pread(file, bytes, (size_t)size, 0) == size);
    bytes[size] = '\0';
    *length = (size_t)size;
    require(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
    return bytes;
}

/* Runs `akin WORD...` in the folder. Sanitizers report on the process's own standard error. */
static inline outcome run_words(int count, const char *const *words)
{
    static int out = -1, mine;
    static FILE *errors;
    FILE *own = stderr;
    outcome o;
    make_folder();
    if (out < 0) {
        const int nothing = open("/dev/null", O_RDONLY);
        require(nothing >= 0 && dup2(nothing, STDIN_FILENO) == STDIN_FILENO);
        out = memfd_create("out", MFD_CLOEXEC);
        errors = fdopen(memfd_create("errors", MFD_CLOEXEC), "w");
        mine = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        require(out >= 0 && errors && mine >= 0 && setenv("XDG_CACHE_HOME", folder_path, 1) == 0 &&
                setenv("TMPDIR", folder_path, 1) == 0);
    }
    char **copies = calloc((size_t)count + 2, sizeof *copies), **argv = calloc((size_t)count + 2, sizeof *argv);
    require(copies && argv);
    for (int i = 0; i <= count; i++)
        require((argv[i] = copies[i] = strdup(i > 0 ? words[i - 1] : "akin")) != NULL);
    fflush(stdout);
    require(fchdir(folder) == 0 && dup2(out, STDOUT_FILENO) == STDOUT_FILENO);
    stderr = errors; /* which the C library permits */
    o.status = akin_cli_run(count + 1, argv, NULL);
    fflush(stdout);
    fflush(stderr);
    stderr = own;
    require(dup2(mine, STDOUT_FILENO) == STDOUT_FILENO && fchdir(home) == 0);
    o.out = take_all(out, &o.out_length);
    o.err = take_all(fileno(errors), &o.err_length);
    for (int i = 0; i <= count; i++)
        free(copies[i]);
    free(copies);
    free(argv);
    return o;
}

/* The last line of a text that ends with a line feed. */
static inline const char *last_line(const char *text, size_t length)
{
    const char *at = text + length;
    for (at -= length > 0; at > text && at[-1] != '\n';)
        at--;
    return at;
}

/* What holds of each command line. */
static inline void check_outcome(const outcome *o)
{
    require(o->status >= 0 && o->status <= 2 && strlen(o->err) == o->err_length);
    require(o->err_length == 0 || o->err[o->err_length - 1] == '\n');
    require(o->status == 0 || strncmp(last_line(o->err, o->err_length), "akin: ", 6) == 0);
    for (size_t i = 0; i < o->err_length; i++)
        require((unsigned char)o->err[i] >= ' ' || o->err[i] == '\n');
}

/* Runs a line, cut at its blanks, with further words behind. */
static inline outcome run_line(const char *line, const char *const *more, int more_count)
{
    const char *words[64];
    int count = 0;
    char *copy = strdup(line), *rest = NULL;
    require(copy != NULL);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    for (int i = 0; i < more_count; i++)
        words[count++] = more[i];
    require(count < 64);
    outcome o = run_words(count, words);
    check_outcome(&o);
    free(copy);
    return o;
}

/* What must go well, such as the making of an index. */
static inline void run_well(const char *line)
{
    outcome o = run_line(line, NULL, 0);
    require(o.status == 0);
    clear_outcome(&o);
}

static inline int is_same_outcome(const outcome *a, const outcome *b)
{
    return a->status == b->status && a->out_length == b->out_length && a->err_length == b->err_length &&
           memcmp(a->out, b->out, a->out_length) == 0 && memcmp(a->err, b->err, a->err_length) == 0;
}

/*
 * Puts the bytes into the file of that name, and runs the line: with one thread and with three, and with the file
 * compressed, which all must give the same. Returns what one of them gave.
 */
static inline outcome run_file(const char *line, const char *name, const uint8_t *data, size_t size)
{
    static const char *const one[] = {"--threads", "1"}, *const three[] = {"--threads", "3"};
    put_file(name, data, size);
    outcome first = run_line(line, one, 2);
    for (int how = looks_packed(data, size) ? PACKINGS : PLAIN; how < PACKINGS; how++) {
        put_packed(name, (packing)how, data, size);
        outcome other = run_line(line, three, 2);
        require(is_same_outcome(&first, &other));
        clear_outcome(&other);
    }
    return first;
}

#endif
