/* Tests of files that appear whole or not at all. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "test_base_cancel.h"
#include "test_base_files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>
#include <sys/resource.h>

/* Lets the library's open take the place of a file system without unnamed files. */
static int without_unnamed;
static atomic_int unnamed_made; /* a test opens on a thread of its own, too */

int instead_of_open(const char *path, int flags, ...) __asm__("open");

int instead_of_open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    int makes = (flags & O_CREAT) != 0, unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    if (makes || unnamed) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (unnamed && without_unnamed) {
        errno = EOPNOTSUPP;
        return -1;
    }
    int fd = openat(AT_FDCWD, path, flags, mode);
    unnamed_made += unnamed && fd >= 0;
    return fd;
}

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static akin_output *open_output(const char *path)
{
    akin_output *output = NULL;
    akin_error error;
    if (akin_output_open(&context, path, &output, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    return output;
}

static void write_text(akin_output *output, const char *text)
{
    assert_int_equal(akin_output_write(output, text, strlen(text), NULL), AKIN_OK);
}

static void commit(akin_output *output)
{
    akin_error error;
    if (akin_output_commit(output, &error) != AKIN_OK)
        fail_msg("%s", error.message);
}

static void replace(const char *path, const char *text)
{
    akin_output *output = open_output(path);
    write_text(output, text);
    commit(output);
}

static void expect_content(const char *path, const char *text)
{
    char *content = scratch_read(path, NULL);
    assert_string_equal(content, text);
    free(content);
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 07777;
}

static int empty_directory(void **state)
{
    (void)state;
    return mkdir(scratch_path("d"), 0777);
}

static int remove_directory(void **state)
{
    (void)state;
    return scratch_remove_within(scratch_path("d"));
}

/* Every test below that writes regular files runs twice: with unnamed files, and without. */
static void in_both_ways(void (*body)(void))
{
    for (without_unnamed = 0; without_unnamed < 2; without_unnamed++) {
        empty_directory(NULL);
        body();
        remove_directory(NULL);
    }
    without_unnamed = 0;
}

static void appears_at_the_end(void)
{
    akin_output *output = open_output(scratch_path("d/new"));
    write_text(output, "1,2");
    assert_int_equal(access(scratch_path("d/new"), F_OK), -1);
    write_text(output, ",3\n");
    commit(output);
    expect_content(scratch_path("d/new"), "1,2,3\n");
    assert_int_equal(scratch_entries("d"), 1);
}

static void replaces_at_the_end(void)
{
    const char *path = scratch_write("d/old", "old", 3);
    akin_output *output = open_output(path);
    write_text(output, "new");
    expect_content(path, "old");
    commit(output);
    expect_content(path, "new");
    assert_int_equal(scratch_entries("d"), 1);
}

static void discarding_leaves_nothing(void)
{
    const char *path = scratch_write("d/old", "old", 3);
    akin_output *output = open_output(path);
    write_text(output, "new");
    akin_output_discard(output);
    expect_content(path, "old");
    output = open_output(scratch_path("d/never"));
    akin_output_discard(output);
    akin_output_discard(NULL);
    assert_int_equal(scratch_entries("d"), 1);
}

/* Commits a and b, where b cannot be named: a folder stands in its place by then. */
static void commit_both(akin_error *error)
{
    akin_output *outputs[] = {open_output(scratch_path("d/a")), open_output(scratch_path("d/b"))};
    write_text(outputs[0], "new");
    write_text(outputs[1], "new");
    assert_int_equal(mkdir(scratch_path("d/b"), 0777), 0);
    assert_int_equal(akin_output_commit_all(outputs, 2, error), AKIN_E_IO);
}

static void several_appear_together(void)
{
    akin_error error;
    scratch_write("d/b", "old", 3);
    akin_output *outputs[] = {open_output(scratch_path("d/a")), open_output(scratch_path("d/b"))};
    write_text(outputs[0], "1");
    write_text(outputs[1], "2");
    assert_int_equal(akin_output_commit_all(outputs, 2, &error), AKIN_OK);
    expect_content(scratch_path("d/a"), "1");
    expect_content(scratch_path("d/b"), "2");
    assert_int_equal(scratch_entries("d"), 2);
}

static void several_or_none(void)
{
    akin_error error;
    commit_both(&error);
    assert_non_null(strstr(error.message, "d/b: cannot be written: "));
    assert_null(strstr(error.message, "all the same"));
    assert_int_equal(scratch_entries("d"), 1);
}

static void a_replaced_one_is_named(void)
{
    akin_error error;
    const char *path = scratch_write("d/a", "old", 3);
    commit_both(&error);
    assert_non_null(strstr(error.message, "d/b: cannot be written: "));
    assert_non_null(strstr(error.message, "d/a has been written all the same"));
    expect_content(path, "new");
    assert_int_equal(scratch_entries("d"), 2);
}

/* What cannot be written to the end is found out before the first has its name. */
static void none_before_all_are_written(void)
{
    akin_error error;
    if (access("/dev/full", W_OK) != 0)
        return;
    akin_output *outputs[] = {open_output(scratch_path("d/a")), open_output("/dev/full")};
    write_text(outputs[0], "1");
    write_text(outputs[1], "2");
    assert_int_equal(akin_output_commit_all(outputs, 2, &error), AKIN_E_IO);
    assert_string_equal(error.message, "/dev/full: cannot be written: No space left on device");
    assert_int_equal(scratch_entries("d"), 0);
}

static void an_empty_file_is_a_file(void)
{
    commit(open_output(scratch_path("d/empty")));
    expect_content(scratch_path("d/empty"), "");
}

static void modes(void)
{
    mode_t before = umask(027);
    replace(scratch_path("d/new"), "x");
    assert_int_equal(mode_of(scratch_path("d/new")), 0640);
    assert_int_equal(chmod(scratch_path("d/new"), 0606), 0);
    replace(scratch_path("d/new"), "y");
    assert_int_equal(mode_of(scratch_path("d/new")), 0606);
    umask(before);
}

static void links_are_kept(void)
{
    struct stat about;
    mkdir(scratch_path("d/sub"), 0777);
    scratch_write("d/sub/file", "old", 3);
    assert_int_equal(symlink("sub/file", scratch_path("d/link")), 0);
    assert_int_equal(symlink(scratch_path("d/link"), scratch_path("d/link2")), 0);
    assert_int_equal(symlink("../d/sub/later", scratch_path("d/dangling")), 0);
    replace(scratch_path("d/link2"), "new");
    replace(scratch_path("d/dangling"), "first");
    expect_content(scratch_path("d/sub/file"), "new");
    expect_content(scratch_path("d/sub/later"), "first");
    static const char *const links[] = {"d/link", "d/link2", "d/dangling"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(lstat(scratch_path(links[i]), &about), 0);
        assert_true(S_ISLNK(about.st_mode));
    }
    assert_int_equal(scratch_entries("d"), 4);
    assert_int_equal(scratch_entries("d/sub"), 2);
}

static void all_sizes_of_writes(void)
{
    static const size_t sizes[] = {0, 1, 100, 65536, 262143, 262144, 262145, 700000, 3};
    size_t length = 0, got;
    akin_output *output = open_output(scratch_path("d/big"));
    char *expected = malloc(8 << 20);
    assert_non_null(expected);
    for (size_t round = 0; round < 27; round++) {
        size_t size = sizes[round * 7 % 9];
        for (size_t i = 0; i < size; i++)
            expected[length + i] = (char)(length + 31 * i + round);
        assert_int_equal(akin_output_write(output, expected + length, size, NULL), AKIN_OK);
        length += size;
    }
    commit(output);
    char *content = scratch_read(scratch_path("d/big"), &got);
    assert_int_equal(got, length);
    assert_memory_equal(content, expected, length);
    free(content);
    free(expected);
}

/* A limit on the size of files stands for a full disk. */
static void a_full_disk_leaves_the_old_file(void)
{
    static char chunk[300000];
    struct rlimit before, small;
    akin_error error;
    const char *path = scratch_write("d/old", "old", 3);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){100000, before.rlim_max};
    for (int large = 0; large < 2; large++) {
        akin_output *output = open_output(path);
        setrlimit(RLIMIT_FSIZE, &small);
        akin_status status = akin_output_write(output, chunk, large ? sizeof chunk : 200000, &error);
        assert_int_equal(status, large ? AKIN_E_IO : AKIN_OK);
        if (large) { /* what follows a failed write fails too, even if there is room again */
            setrlimit(RLIMIT_FSIZE, &before);
            assert_int_equal(akin_output_write(output, chunk, sizeof chunk, &error), AKIN_E_IO);
        }
        assert_int_equal(akin_output_commit(output, &error), AKIN_E_IO);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_non_null(strstr(error.message, "File too large"));
        assert_non_null(strstr(error.message, path));
        expect_content(path, "old");
        assert_int_equal(scratch_entries("d"), 1);
    }
}

static void two_outputs_of_one_name(void)
{
    akin_output *a = open_output(scratch_path("d/same")), *b = open_output(scratch_path("d/same"));
    write_text(a, "a");
    write_text(b, "b");
    commit(b);
    expect_content(scratch_path("d/same"), "b");
    commit(a);
    expect_content(scratch_path("d/same"), "a");
    assert_int_equal(scratch_entries("d"), 1);
}

/* However their one name is spelled. */
static void two_outputs_of_one_name_together(void)
{
    const char *const spellings[] = {"d/same", "d/./same", "d//same", "d/../d/same"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        akin_error error = {.code = AKIN_OK};
        akin_output *outputs[2] = {open_output(scratch_path("d/same"))};
        outputs[1] = open_output(scratch_path(spellings[i]));
        write_text(outputs[0], "a");
        write_text(outputs[1], "b");
        assert_int_equal(akin_output_commit_all(outputs, 2, &error), AKIN_E_OPTION);
        assert_non_null(strstr(error.message, "would be written twice"));
        assert_int_equal(scratch_entries("d"), 0);
    }
}

static void regular_files(void **state)
{
    (void)state;
    void (*const bodies[])(void) = {
        appears_at_the_end,
        replaces_at_the_end,
        discarding_leaves_nothing,
        an_empty_file_is_a_file,
        modes,
        links_are_kept,
        all_sizes_of_writes,
        a_full_disk_leaves_the_old_file,
        two_outputs_of_one_name,
        two_outputs_of_one_name_together,
        several_appear_together,
        several_or_none,
        a_replaced_one_is_named,
        none_before_all_are_written,
    };
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        in_both_ways(bodies[i]);
}

static void an_unnamed_file_is_not_seen(void **state)
{
    (void)state;
    akin_output *output = open_output(scratch_path("d/new"));
    write_text(output, "x");
    assert_int_equal(scratch_entries("d"), unnamed_made ? 0 : 1);
    akin_output_discard(output);
}

static void relative_names(void **state)
{
    (void)state;
    int before = open(".", O_RDONLY | O_DIRECTORY);
    assert_true(before >= 0);
    assert_int_equal(chdir(scratch_path("d")), 0);
    for (without_unnamed = 0; without_unnamed < 2; without_unnamed++) {
        replace("plain", "x");
        replace("./dotted", "y");
        expect_content("plain", "x");
        expect_content("dotted", "y");
    }
    without_unnamed = 0;
    assert_int_equal(fchdir(before), 0);
    close(before);
}

static void what_cannot_be_opened(void **state)
{
    (void)state;
    akin_output *output = NULL;
    akin_error error;
    assert_int_equal(symlink("loop", scratch_path("d/loop")), 0);
    static const char *const names[] = {"d/missing/file", "d", "d/", "d/nothing/", "d/loop"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = scratch_path(names[i]);
        assert_int_equal(akin_output_open(&context, path, &output, &error), AKIN_E_IO);
        assert_non_null(strstr(error.message, path));
        assert_null(output);
    }
    assert_int_equal(akin_output_open(&context, "", &output, &error), AKIN_E_IO);
    assert_null(output);
}

static void protected_files_and_directories(void **state)
{
    (void)state;
    akin_output *output = NULL;
    akin_error error;
    if (geteuid() == 0)
        skip(); /* who may do everything */
    chmod(scratch_write("d/protected", "old", 3), 0444);
    assert_int_equal(akin_output_open(&context, scratch_path("d/protected"), &output, &error), AKIN_E_IO);
    chmod(scratch_path("d"), 0555);
    assert_int_equal(akin_output_open(&context, scratch_path("d/new"), &output, &error), AKIN_E_IO);
    assert_non_null(strstr(error.message, "Permission denied"));
    chmod(scratch_path("d"), 0777);
}

static void devices(void **state)
{
    (void)state;
    static char chunk[300000];
    struct stat about;
    akin_error error;
    replace("/dev/null", "x");
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));

    akin_output *output = open_output("/dev/full");
    write_text(output, "x");
    assert_int_equal(akin_output_commit(output, &error), AKIN_E_IO);
    assert_string_equal(error.message, "/dev/full: cannot be written: No space left on device");
    output = open_output("/dev/full");
    assert_int_equal(akin_output_write(output, chunk, sizeof chunk, &error), AKIN_E_IO);
    assert_int_equal(akin_output_commit(output, NULL), AKIN_E_IO);
    output = open_output("/dev/full");
    akin_output_discard(output);
}

static void pipes(void **state)
{
    (void)state;
    char text[6] = {0};
    akin_error error;
    assert_int_equal(mkfifo(scratch_path("d/pipe"), 0666), 0);
    int reader = open(scratch_path("d/pipe"), O_RDONLY | O_NONBLOCK);
    replace(scratch_path("d/pipe"), "hello");
    assert_int_equal(read(reader, text, sizeof text), 5);
    assert_string_equal(text, "hello");

    signal(SIGPIPE, SIG_IGN);
    akin_output *output = open_output(scratch_path("d/pipe"));
    close(reader);
    write_text(output, "lost");
    assert_int_equal(akin_output_commit(output, &error), AKIN_E_IO);
    assert_non_null(strstr(error.message, "Broken pipe"));
    assert_int_equal(scratch_entries("d"), 1);
}

static void *open_late(void *argument)
{
    asking *a = argument;
    asking_wait(a, 2);
    int fd = open(scratch_path("d/pipe"), O_RDONLY);
    char text[6] = {0};
    ssize_t got = read(fd, text, sizeof text);
    close(fd);
    return got == 5 && strcmp(text, "hello") == 0 ? a : NULL;
}

/* A FIFO that nobody reads yet is waited for. */
static void a_fifo_waits_for_its_reader(void **state)
{
    (void)state;
    asking waits = {.stop_at = 0}, stops = {.stop_at = 3};
    akin_context asked = asking_context(&asked, &waits), stopped = asking_context(&stopped, &stops);
    akin_output *output = NULL;
    akin_error error;
    pthread_t thread;
    void *read_it = NULL;
    const char *path = scratch_path("d/pipe");
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(pthread_create(&thread, NULL, open_late, &waits), 0);
    assert_int_equal(akin_output_open(&asked, path, &output, &error), AKIN_OK);
    write_text(output, "hello");
    commit(output);
    assert_int_equal(pthread_join(thread, &read_it), 0);
    assert_non_null(read_it);
    assert_int_equal(akin_output_open(&stopped, path, &output, &error), AKIN_E_CANCELLED);
    assert_non_null(strstr(error.message, "d/pipe: cancelled while writing"));
    assert_int_equal(stops.asked, 3);
}

/* A pipe and an output into it, blocking and not. */
static akin_output *open_pipe(akin_context *asked, int flags, int ends[2])
{
    char path[32];
    akin_output *output = NULL;
    assert_int_equal(pipe2(ends, flags), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_int_equal(akin_output_open(asked, path, &output, NULL), AKIN_OK);
    close(ends[1]);
    return output;
}

static void a_pipe_that_nobody_reads_can_be_cancelled(void **state)
{
    (void)state;
    static char chunk[300000];
    static const int flags[] = {0, O_NONBLOCK};
    for (size_t i = 0; i < 2; i++) {
        asking a = {.stop_at = 3};
        akin_context asked = asking_context(&asked, &a);
        akin_error error;
        int ends[2];
        akin_output *output = open_pipe(&asked, flags[i], ends);
        assert_int_equal(akin_output_write(output, chunk, sizeof chunk, &error), AKIN_E_CANCELLED);
        assert_int_equal(error.code, AKIN_E_CANCELLED);
        assert_non_null(strstr(error.message, "cancelled while writing"));
        assert_int_equal(akin_output_write(output, chunk, 1, &error), AKIN_OK); /* gathered */
        assert_int_equal(akin_output_commit(output, &error), AKIN_E_CANCELLED);
        assert_int_equal(a.asked, 3);
        close(ends[0]);
    }
}

typedef struct late_reader {
    asking asking;
    int fd;
    int slow; /* reads a little all the time, rather than nothing, until the writer asks whether to stop */
    size_t got;
    int wrong;
} late_reader;

#define PIPED_BYTES ((size_t)8 << 20)
#define PIECE_BYTES ((size_t)1 << 15)

static char piped(size_t at)
{
    return (char)(at * 7 + at / 4096);
}

static void *read_late(void *argument)
{
    late_reader *r = argument;
    char bytes[4096];
    ssize_t n;
    if (!r->slow)
        asking_wait(&r->asking, 2);
    while ((n = read(r->fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < n; i++)
            r->wrong |= bytes[i] != piped(r->got++);
        if (atomic_load(&r->asking.asked) == 0)
            nap();
    }
    return NULL;
}

static void a_slow_reader_gets_all(void **state)
{
    (void)state;
    char *bytes = malloc(PIPED_BYTES);
    assert_non_null(bytes);
    for (size_t i = 0; i < PIPED_BYTES; i++)
        bytes[i] = piped(i);
    for (int i = 0; i < 4; i++) {
        late_reader r = {.slow = i & 1};
        akin_context asked = asking_context(&asked, &r.asking);
        pthread_t thread;
        int ends[2];
        akin_output *output = open_pipe(&asked, i & 2 ? O_NONBLOCK : 0, ends);
        if (i & 2)
            fcntl(ends[0], F_SETFL, 0); /* the reader's end waits */
        r.fd = ends[0];
        assert_int_equal(pthread_create(&thread, NULL, read_late, &r), 0);
        for (size_t at = 0; at < PIPED_BYTES;
             at += PIECE_BYTES) /* a write takes less time than passes between two checks */
            assert_int_equal(akin_output_write(output, bytes + at, PIECE_BYTES, NULL), AKIN_OK);
        assert_int_equal(akin_output_commit(output, NULL), AKIN_OK);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(r.got, PIPED_BYTES);
        assert_int_equal(r.wrong, 0);
        assert_true(r.asking.asked > 0);
        close(ends[0]);
    }
    free(bytes);
}

static void standard_output(void **state)
{
    (void)state;
    static const char *const names[] = {"-", "/dev/stdout"};
    for (size_t i = 0; i < 2; i++) {
        fflush(stdout);
        int before = dup(STDOUT_FILENO);
        int file = open(scratch_path("d/out"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        assert_true(before >= 0 && file >= 0);
        dup2(file, STDOUT_FILENO);
        close(file);
        int written = write(STDOUT_FILENO, "before ", 7) == 7;
        akin_output *output = NULL;
        akin_status status = akin_output_open(&context, names[i], &output, NULL);
        if (status == AKIN_OK)
            status = akin_output_write(output, "result ", 7, NULL);
        if (status == AKIN_OK)
            status = akin_output_commit(output, NULL);
        written &= write(STDOUT_FILENO, "after", 5) == 5; /* it is still open */
        dup2(before, STDOUT_FILENO);
        close(before);
        assert_int_equal(status, AKIN_OK);
        assert_true(written);
        expect_content(scratch_path("d/out"), "before result after");
    }
}

int main(void)
{
#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, empty_directory, remove_directory)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_files),
        IN_DIRECTORY(an_unnamed_file_is_not_seen),
        IN_DIRECTORY(relative_names),
        IN_DIRECTORY(what_cannot_be_opened),
        IN_DIRECTORY(protected_files_and_directories),
        cmocka_unit_test(devices),
        IN_DIRECTORY(pipes),
        IN_DIRECTORY(a_fifo_waits_for_its_reader),
        cmocka_unit_test(a_pipe_that_nobody_reads_can_be_cancelled),
        cmocka_unit_test(a_slow_reader_gets_all),
        IN_DIRECTORY(standard_output),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
