/* Tests of hidden files: system calls that fail, and processes that are killed at each of them. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/hidden.h"
#include "base/temporary.h"
#include "test_base_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* ---------------------------------------------------------------------------------------------------- system calls */

/* What happens to the library's system calls. */
static struct {
    int without_unnamed; /* the file system has no unnamed files */
    int kill_at;         /* the process is killed before this call, counted from 1; 0: never */
    const char *fails;   /* the name of a call that fails; NULL: none does */
    int fails_at;        /* which of the calls of that name, counted from 1 */
    int reason;          /* why */
    int calls, named;    /* that were made; of that name */
} system_calls;

/* Whether a call fails. */
static int call(const char *name)
{
    if (++system_calls.calls == system_calls.kill_at)
        raise(SIGKILL);
    if (!system_calls.fails || strcmp(name, system_calls.fails) != 0 || ++system_calls.named != system_calls.fails_at)
        return 0;
    errno = system_calls.reason;
    return 1;
}

int instead_of_open(const char *path, int flags, ...) __asm__("open");
int instead_of_linkat(int from, const char *old, int to, const char *new, int flags) __asm__("linkat");
int instead_of_rename(const char *old, const char *new) __asm__("rename");
int instead_of_unlink(const char *path) __asm__("unlink");
int instead_of_flock(int fd, int operation) __asm__("flock");
int instead_of_fsync(int fd) __asm__("fsync");
int instead_of_fchmod(int fd, mode_t mode) __asm__("fchmod");
int instead_of_fchown(int fd, uid_t owner, gid_t group) __asm__("fchown");

int instead_of_open(const char *path, int flags, ...)
{
    const int makes = (flags & O_CREAT) != 0, unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    mode_t mode = 0;
    if (makes || unnamed) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (unnamed && system_calls.without_unnamed) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return call(unnamed ? "open unnamed" : makes ? "open new" : "open") ? -1 : openat(AT_FDCWD, path, flags, mode);
}

int instead_of_linkat(int from, const char *old, int to, const char *new, int flags)
{
    return call("linkat") ? -1 : (int)syscall(SYS_linkat, from, old, to, new, flags);
}

int instead_of_rename(const char *old, const char *new)
{
    return call("rename") ? -1 : renameat(AT_FDCWD, old, AT_FDCWD, new);
}

int instead_of_unlink(const char *path)
{
    return call("unlink") ? -1 : unlinkat(AT_FDCWD, path, 0);
}

int instead_of_flock(int fd, int operation)
{
    return call("flock") ? -1 : (int)syscall(SYS_flock, fd, operation);
}

int instead_of_fsync(int fd)
{
    return call("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int instead_of_fchmod(int fd, mode_t mode)
{
    return call("fchmod") ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int instead_of_fchown(int fd, uid_t owner, gid_t group)
{
    return call("fchown") ? -1 : (int)syscall(SYS_fchown, fd, owner, group);
}

static void no_faults(void)
{
    memset(&system_calls, 0, sizeof system_calls);
}

/* ----------------------------------------------------------------------------------------------------------- files */

/* What was noted: the texts, and how many. */
typedef struct notes {
    char last[1024];
    int count;
} notes;

static void take_note(void *user, const char *text)
{
    notes *taken = user;
    snprintf(taken->last, sizeof taken->last, "%s", text);
    taken->count++;
}

static akin_context context_of(akin_context *self, notes *taken, int sync)
{
    return (akin_context){
        .scope = {.context = self, .threads = 1, .reporter = {.user = taken}}, .note = take_note, .sync = sync};
}

static akin_status write_file(akin_context *context, const char *path, const char *text, akin_error *error)
{
    akin_output *output = NULL;
    akin_status status = akin_output_open(context, path, &output, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, text, strlen(text), error);
    if (status == AKIN_OK)
        return akin_output_commit(output, error);
    akin_output_discard(output);
    return status;
}

static akin_status write_both(akin_context *context, const char *const *paths)
{
    akin_output *outputs[2] = {NULL, NULL};
    akin_status status = AKIN_OK;
    for (int i = 0; i < 2 && status == AKIN_OK; i++)
        status = akin_output_open(context, paths[i], &outputs[i], NULL);
    for (int i = 0; i < 2 && status == AKIN_OK; i++)
        status = akin_output_write(outputs[i], "new", 3, NULL);
    return status == AKIN_OK ? akin_output_commit_all(outputs, 2, NULL) : status;
}

/* Whether a file is there with that content. */
static int has(const char *path, const char *text)
{
    if (access(path, F_OK) != 0)
        return 0;
    char *content = scratch_read(path, NULL);
    const int same = strcmp(content, text) == 0;
    free(content);
    return same;
}

static int empty_directory(void **state)
{
    (void)state;
    no_faults();
    return mkdir(scratch_path("d"), 0777);
}

static int remove_directory(void **state)
{
    (void)state;
    no_faults();
    return scratch_remove_within(scratch_path("d"));
}

/* ------------------------------------------------------------------------------------------------------------ kills */

/* Runs `body` in a process of its own, which is killed before system call `kill_at`. Returns whether it was. */
static int is_killed(void (*body)(void), int kill_at)
{
    int ended;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        system_calls.calls = 0;
        system_calls.kill_at = kill_at;
        body();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) || (WIFEXITED(ended) && WEXITSTATUS(ended) == 0));
    return WIFSIGNALED(ended);
}

static void write_both_or_fail(void)
{
    notes taken = {.count = 0};
    akin_context context = context_of(&context, &taken, 1);
    const char *const paths[] = {scratch_path("d/a"), scratch_path("d/b")};
    if (write_both(&context, paths) != AKIN_OK)
        _exit(1);
}

/* After a kill each file is old, new or absent, and the next output removes the rest. */
static void expect_whole_files(int olds)
{
    static const char *const names[] = {"d/a", "d/b"};
    notes taken = {.count = 0};
    akin_context context = context_of(&context, &taken, 0);
    const int left = scratch_entries("d");
    int there = 0;
    assert_int_equal(write_file(&context, scratch_path("d/next"), "next", NULL), AKIN_OK);
    for (int i = 0; i < 2; i++) {
        const char *path = scratch_path(names[i]);
        const int exists = access(path, F_OK) == 0, is_old = i < olds;
        assert_true(has(path, "new") || (is_old ? has(path, "old") : !exists));
        there += exists;
    }
    assert_int_equal(scratch_entries("d"), there + 1);
    assert_int_equal(taken.count, left - there);
}

static void a_kill_at_each_call(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        const int olds = way / 2; /* files that are there before */
        for (int at = 1, killed = 1; killed; at++) {
            assert_true(at < 100);
            empty_directory(NULL);
            for (int i = 0; i < olds; i++)
                scratch_write(i ? "d/b" : "d/a", "old", 3);
            system_calls.without_unnamed = way % 2;
            killed = is_killed(write_both_or_fail, at);
            expect_whole_files(olds);
            assert_true(killed || (has(scratch_path("d/a"), "new") && has(scratch_path("d/b"), "new")));
            remove_directory(NULL);
        }
    }
}

static void open_temporary(void)
{
    int fd = -1;
    if (akin_temporary_open(scratch_path("d"), &fd) != 0 || akin_temporary_write(fd, "x", 1, 0) != 0)
        _exit(1);
}

static void a_kill_leaves_no_temporary_file(void **state)
{
    (void)state;
    for (int without = 0; without < 2; without++) {
        notes taken = {.count = 0};
        system_calls.without_unnamed = without;
        for (int at = 1, killed = 1; killed; at++) {
            killed = is_killed(open_temporary, at);
            akin_temporary_sweep(scratch_path("d"), take_note, &taken);
            assert_int_equal(scratch_entries("d"), 0);
        }
        assert_int_equal(taken.count, without); /* between its making and its removal */
    }
}

/* A file that another process writes is no file that was left. */
static void what_is_written_stays(void **state)
{
    (void)state;
    notes taken = {.count = 0};
    akin_context ours = context_of(&ours, &taken, 0), others = context_of(&others, &taken, 0);
    akin_output *output = NULL;
    int pipes[2];
    char byte = 0;
    system_calls.without_unnamed = 1;
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        (void)!akin_output_open(&others, scratch_path("d/theirs"), &output, NULL);
        (void)!write(pipes[1], &byte, 1);
        for (;;)
            pause();
    }
    assert_int_equal(read(pipes[0], &byte, 1), 1);
    assert_int_equal(akin_output_open(&ours, scratch_path("d/ours"), &output, NULL), AKIN_OK);
    assert_int_equal(scratch_entries("d"), 2);
    assert_int_equal(taken.count, 0);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(write_file(&others, scratch_path("d/next"), "next", NULL), AKIN_OK);
    assert_int_equal(taken.count, 1);
    assert_non_null(strstr(taken.last, "/d/.akin-"));
    assert_non_null(strstr(taken.last, ": removed: a process that was killed has left it"));
    assert_int_equal(akin_output_commit(output, NULL), AKIN_OK);
    assert_int_equal(scratch_entries("d"), 2);
    close(pipes[0]);
    close(pipes[1]);
}

/* Files of other names, folders and links stay. */
static void only_hidden_files_are_removed(void **state)
{
    (void)state;
    static const char *const names[] = {
        "d/.akin-manifest",        "d/.akin-0123456789abcde",  "d/.akin-01234567D92051D5", "d/.akin-01234567d92051d50",
        "d/akin-01234567d92051d5", "d/.akin-0123456789abcdef", "d/.akin-11234567d92051d5"}; /* of somebody else */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        scratch_write(names[i], "x", 1);
    mkdir(scratch_path("d/.akin-000000003b4ec840"), 0777);
    assert_int_equal(symlink(".akin-manifest", scratch_path("d/.akin-0000000150fc7de6")), 0);
    assert_int_equal(mkfifo(scratch_path("d/.akin-00000002b04fc25b"), 0666), 0);
    scratch_write("d/.akin-01234567d92051d5", "x", 1);
    notes taken = {.count = 0};
    akin_hidden_sweep(scratch_path("d/any"), take_note, &taken);
    assert_int_equal(taken.count, 1);
    assert_int_equal(scratch_entries("d"), 10);
    akin_hidden_sweep(scratch_path("d/absent/any"), take_note, &taken);
    assert_int_equal(taken.count, 1);
}

/* ----------------------------------------------------------------------------------------------------------- faults */

/* A call that fails, and what the output says of it. */
typedef struct fault {
    const char *call;
    int at, reason;
    int replaces;        /* an old file is there */
    int without_unnamed; /* the file system has no unnamed files */
    akin_status status;
} fault;

static void expect_fault(const fault *f)
{
    notes taken = {.count = 0};
    akin_context context = context_of(&context, &taken, 1);
    akin_error error;
    const char *path = scratch_path("d/a");
    empty_directory(NULL);
    if (f->replaces)
        scratch_write("d/a", "old", 3);
    system_calls.without_unnamed = f->without_unnamed;
    system_calls.fails = f->call;
    system_calls.fails_at = f->at;
    system_calls.reason = f->reason;
    const akin_status status = write_file(&context, path, "new", &error);
    const int met = system_calls.named >= f->at;
    no_faults();
    assert_true(met);
    assert_int_equal(status, f->status);
    const int is_named =
        status == AKIN_OK || (f->replaces && f->call[0] == 'f' && f->at == 2); /* fsync of the folder */
    assert_true(is_named ? has(path, "new") : f->replaces ? has(path, "old") : access(path, F_OK) != 0);
    assert_int_equal(scratch_entries("d"), is_named || f->replaces);
    if (status != AKIN_OK) {
        assert_non_null(strstr(error.message, path));
        assert_non_null(strstr(error.message, strerror(f->reason)));
        assert_true(!is_named || strstr(error.message, "has been written all the same"));
    }
    remove_directory(NULL);
}

static void each_call_fails(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"open unnamed", 1, EOPNOTSUPP, 0, 0, AKIN_OK}, /* a hidden file takes its place */
        {"open unnamed", 1, EIO, 1, 0, AKIN_OK},
        {"open new", 1, EIO, 0, 1, AKIN_E_IO},
        {"open new", 1, EEXIST, 0, 1, AKIN_OK}, /* another name is tried */
        {"open new", 1, ENOSPC, 1, 1, AKIN_E_IO},
        {"linkat", 1, EIO, 0, 0, AKIN_E_IO},
        {"linkat", 1, ENOSPC, 1, 0, AKIN_E_IO},
        {"linkat", 1, EEXIST, 1, 0, AKIN_OK},
        {"linkat", 1, EEXIST, 0, 0, AKIN_OK}, /* the name was taken meanwhile */
        {"rename", 1, EIO, 1, 0, AKIN_E_IO},
        {"rename", 1, EIO, 0, 1, AKIN_E_IO},
        {"flock", 1, ENOLCK, 1, 0, AKIN_OK}, /* the file system has no locks */
        {"flock", 1, EINTR, 1, 0, AKIN_OK},
        {"flock", 1, ENOLCK, 0, 1, AKIN_OK},
        {"flock", 1, EWOULDBLOCK, 0, 1, AKIN_OK}, /* another process removes the file */
        {"fsync", 1, EIO, 0, 0, AKIN_E_IO},
        {"fsync", 1, ENOSPC, 1, 0, AKIN_E_IO},
        {"fsync", 2, EIO, 0, 0, AKIN_E_IO},
        {"fsync", 2, EIO, 1, 0, AKIN_E_IO},
        {"fsync", 2, EINVAL, 1, 0, AKIN_OK}, /* the file system cannot sync a folder */
        {"fchmod", 1, EPERM, 1, 0, AKIN_E_IO},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        expect_fault(&faults[i]);
}

/* Without --sync nothing is synced. */
static void files_are_synced_on_request(void **state)
{
    (void)state;
    for (int sync = 0; sync < 2; sync++) {
        notes taken = {.count = 0};
        akin_context context = context_of(&context, &taken, sync);
        system_calls.named = 0;
        system_calls.fails = "fsync";
        assert_int_equal(write_file(&context, scratch_path("d/a"), "new", NULL), AKIN_OK);
        assert_int_equal(system_calls.named, sync ? 2 : 0); /* the file, and its folder */
        system_calls.named = 0;
        assert_int_equal(write_file(&context, "/dev/null", "new", NULL), AKIN_OK);
        assert_int_equal(system_calls.named, 0);
    }
}

/* A file that cannot be removed stays, and nobody is told. */
static void a_sweep_that_fails(void **state)
{
    (void)state;
    notes taken = {.count = 0};
    scratch_write("d/.akin-01234567d92051d5", "x", 1);
    system_calls.fails = "flock";
    system_calls.fails_at = 1;
    system_calls.reason = ENOLCK;
    akin_hidden_sweep(scratch_path("d/any"), take_note, &taken);
    assert_int_equal(taken.count, 0);
    assert_int_equal(scratch_entries("d"), 1);
    akin_hidden_sweep(scratch_path("d/any"), NULL, NULL);
    assert_int_equal(scratch_entries("d"), 0);
}

/* -------------------------------------------------------------------------------------------------------- replacing */

static struct stat about_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about;
}

static void a_name_that_appears_meanwhile_is_replaced(void **state)
{
    (void)state;
    akin_output *output = NULL;
    const char *path = scratch_path("d/a");
    assert_int_equal(akin_output_open(NULL, path, &output, NULL), AKIN_OK);
    assert_int_equal(akin_output_write(output, "new", 3, NULL), AKIN_OK);
    scratch_write("d/a", "old", 3);
    assert_int_equal(akin_output_commit(output, NULL), AKIN_OK);
    assert_true(has(path, "new"));
    assert_int_equal(scratch_entries("d"), 1);
}

static void hard_links_keep_the_old_file(void **state)
{
    (void)state;
    scratch_write("d/a", "old", 3);
    assert_int_equal(link(scratch_path("d/a"), scratch_path("d/other")), 0);
    assert_int_equal(write_file(NULL, scratch_path("d/a"), "new", NULL), AKIN_OK);
    assert_true(has(scratch_path("d/a"), "new") && has(scratch_path("d/other"), "old"));
    assert_int_equal(about_of(scratch_path("d/a")).st_nlink, 1);
}

/* The superuser gives the file the owner of the old one. */
static void owner_and_group_are_kept(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    const char *path = scratch_write("d/a", "old", 3);
    assert_int_equal(chown(path, 1234, 4321), 0);
    assert_int_equal(chmod(path, 0674), 0);
    assert_int_equal(write_file(NULL, path, "new", NULL), AKIN_OK);
    const struct stat about = about_of(path);
    assert_int_equal(about.st_uid, 1234);
    assert_int_equal(about.st_gid, 4321);
    assert_int_equal(about.st_mode & 07777, 0674);
}

/* Who may not give the file that owner gives it the group; who may not do that, either, opens it to no other group. */
static void a_group_that_cannot_be_kept(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    for (int i = 0; i < 2; i++) {
        const char *path = scratch_write("d/a", "old", 3);
        assert_int_equal(chown(path, 1234, 4321), 0);
        assert_int_equal(chmod(path, 0674), 0);
        if (i == 0) { /* the first fchown fails */
            system_calls.fails = "fchown";
            system_calls.fails_at = 1;
            system_calls.reason = EPERM;
            assert_int_equal(write_file(NULL, path, "new", NULL), AKIN_OK);
        } else { /* as somebody else, who may write to the file for being in no group of it */
            assert_int_equal(chmod(path, 0672), 0);
            assert_int_equal(chmod(scratch_path("d"), 0777), 0);
            assert_int_equal(chmod(scratch, 0755), 0);
            assert_int_equal(setegid(77), 0);
            assert_int_equal(seteuid(77), 0);
            const akin_status status = write_file(NULL, path, "new", NULL);
            assert_int_equal(seteuid(0), 0);
            assert_int_equal(setegid(0), 0);
            if (status != AKIN_OK)
                return; /* access(2) asks for the real user, and so does this system */
        }
        const struct stat about = about_of(path);
        assert_int_equal(about.st_uid, i ? 77 : 0);
        assert_int_equal(about.st_gid, i ? 77 : 4321);
        assert_int_equal(about.st_mode & 07777, i ? 0622 : 0674);
        no_faults();
        assert_int_equal(unlink(path), 0);
    }
}

int main(void)
{
#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, empty_directory, remove_directory)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kill_at_each_call),      IN_DIRECTORY(a_kill_leaves_no_temporary_file),
        IN_DIRECTORY(what_is_written_stays),        IN_DIRECTORY(only_hidden_files_are_removed),
        cmocka_unit_test(each_call_fails),          IN_DIRECTORY(files_are_synced_on_request),
        IN_DIRECTORY(a_sweep_that_fails),           IN_DIRECTORY(a_name_that_appears_meanwhile_is_replaced),
        IN_DIRECTORY(hard_links_keep_the_old_file), IN_DIRECTORY(owner_and_group_are_kept),
        IN_DIRECTORY(a_group_that_cannot_be_kept),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
