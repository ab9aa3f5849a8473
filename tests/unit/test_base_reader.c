/* Tests of reading plain, gzip and zstd files in blocks of lines. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/reader.h"
#include "test_base_cancel.h"
#include "test_base_files.h"
#include "test_base_packed.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* Reads all of a file, checking what a block must be like. On success the content is in *out. */
static akin_status read_all(const char *path, bytes *out, akin_error *error)
{
    akin_reader *reader = NULL;
    *out = (bytes){0};
    append(out, "", 0);
    memset(error, 0, sizeof *error);
    akin_status status = akin_reader_open(akin_scope_of(&context), path, &reader, error);
    int ended = 0;
    while (status == AKIN_OK) {
        char *data = NULL;
        size_t length = 0;
        unsigned sum = 0;
        status = akin_reader_next(reader, &data, &length, error);
        if (status != AKIN_OK || length == 0)
            break;
        assert_false(ended); /* only the last block, and what is no text, may lack its line feed */
        ended = data[length - 1] != '\n' && !memchr(data, '\0', length);
        append(out, data, length);
        for (size_t i = 0; i < 64; i++)
            sum += (unsigned char)data[length + i];
        assert_true(sum <= 64 * 255);
        memset(data, 'w', length);
    }
    akin_reader_close(reader);
    assert_int_equal(error->code, status);
    if (status != AKIN_OK) {
        free(out->data);
        *out = (bytes){0};
        assert_non_null(strstr(error->message, strcmp(path, "-") == 0 ? "standard input" : path));
    }
    return status;
}

static void expect_content(const char *path, const void *data, size_t length)
{
    bytes got;
    akin_error error;
    if (read_all(path, &got, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(got.length, length);
    assert_true(length == 0 || (got.data && memcmp(got.data, data, length) == 0));
    free(got.data);
}

static void expect_refusal(const bytes *file, size_t length, const char *words)
{
    bytes got;
    akin_error error;
    const char *path = scratch_write("refused", file->data, length);
    assert_int_equal(read_all(path, &got, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "byte "));
    assert_non_null(strstr(error.message, words));
}

/* The content as it is, compressed, and compressed in several parts. */
static void expect_in_all_formats(const char *data, size_t length)
{
    bytes file = {0};
    size_t third = length / 3;
    expect_content(scratch_write("plain", data, length), data, length);

    append_gzip(&file, data, length);
    expect_content(scratch_write("whole.gz", file.data, file.length), data, length);
    file.length = 0;
    append_gzip(&file, data, third);
    append_gzip(&file, "", 0);
    append_gzip(&file, data + third, length - third);
    expect_content(scratch_write("parts.gz", file.data, file.length), data, length);

    file.length = 0;
    append_zstd(&file, data, length, 1);
    expect_content(scratch_write("whole.zst", file.data, file.length), data, length);
    file.length = 0;
    append(&file, "\x50\x2a\x4d\x18\x03\0\0\0abc", 11); /* skippable frames */
    append_zstd(&file, data, third, 0);
    append(&file, "\x5f\x2a\x4d\x18\0\0\0\0", 8);
    append_zstd(&file, "", 0, 1);
    append_zstd(&file, data + third, length - third, 1);
    expect_content(scratch_write("parts.zst", file.data, file.length), data, length);
    free(file.data);
}

static bytes random_lines(size_t least, uint64_t seed)
{
    akin_random random;
    bytes text = {0};
    akin_random_seed(&random, seed);
    text.data = malloc(least + 1000);
    assert_non_null(text.data);
    while (text.length < least) {
        for (uint64_t left = akin_random_below(&random, 60); left-- > 0;)
            text.data[text.length++] = "0123456789 "[akin_random_below(&random, 11)];
        text.data[text.length++] = '\n';
    }
    return text;
}

static void short_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "\n", "1", "1\n", "\n\n\n", "1 2\r\n3 4\r\n", "1 2\n3", "(", "(1", "\x1e\n", "P*M", "P*M\n", "_",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_in_all_formats(texts[i], strlen(texts[i]));
    expect_in_all_formats("a\0b\n\0\n", 6);
}

static void many_lines(void **state)
{
    (void)state;
    bytes text = random_lines(3 << 20, 1);
    expect_in_all_formats(text.data, text.length);
    expect_in_all_formats(text.data, text.length - 1); /* no line feed at the end */
    free(text.data);
}

/* Lines about as long as the buffer, and far longer. */
static void long_lines(void **state)
{
    (void)state;
    static const char line[6] = "1 2 3\n", lines[6] = "\n4 5\n\n";
    static const size_t lengths[] = {(1 << 18) - 2, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 1 << 20, 2500000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t length = lengths[i] + 1 + 6 + lengths[i] / 2;
        char *text = malloc(length + 6);
        assert_non_null(text);
        memset(text, '7', length + 6);
        text[lengths[i]] = '\n';
        memcpy(text + lengths[i] + 1, line, sizeof line);
        expect_content(scratch_write("one", text, lengths[i]), text, lengths[i]);
        expect_content(scratch_write("one", text, lengths[i] + 1), text, lengths[i] + 1);
        expect_content(scratch_write("three", text, length), text, length);
        memcpy(text + length, lines, sizeof lines);
        if (i % 4 == 0)
            expect_in_all_formats(text, length + 6);
        free(text);
    }
}

/* The next block, whose bytes are read where they are if they were left out. */
static void cut_and_load(akin_reader *reader, akin_block *block, int *ranges)
{
    akin_range range;
    akin_error error;
    assert_int_equal(akin_reader_cut(reader, block, &range, &error), AKIN_OK);
    if (range.begin == range.end)
        return;
    assert_true(akin_reader_has_ranges(reader) && block->length == 0 && akin_reader_place(reader) == range.end);
    assert_int_equal(akin_reader_load(reader, range, block, &error), AKIN_OK);
    assert_int_equal(block->length, range.end - range.begin);
    (*ranges)++;
}

/* Blocks that are cut are those that are taken, in turns with them or not; the number of those that were left out. */
static int compare_cuts(const char *path, uint64_t block_bytes, int turns)
{
    akin_wishes wishes = {.block_bytes = block_bytes};
    akin_context own = {.scope = {.context = &own, .threads = 1}, .wishes = &wishes};
    akin_reader *readers[2] = {NULL, NULL};
    akin_block cut = {0}, taken = {0};
    akin_error error;
    int ranges = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(akin_reader_open(akin_scope_of(&own), path, &readers[i], &error), AKIN_OK);
    for (int i = 0; i == 0 || taken.length > 0; i++) {
        assert_int_equal(akin_reader_take(readers[0], &taken, &error), AKIN_OK);
        if (turns && i % 3 == 2)
            assert_int_equal(akin_reader_take(readers[1], &cut, &error), AKIN_OK);
        else
            cut_and_load(readers[1], &cut, &ranges);
        assert_int_equal(cut.length, taken.length);
        assert_true(taken.length == 0 || memcmp(cut.data, taken.data, taken.length) == 0);
    }
    for (int i = 0; i < 2; i++)
        akin_reader_close(readers[i]);
    akin_free(cut.data);
    akin_free(taken.data);
    return ranges;
}

static void ranges_are_the_blocks(void **state)
{
    (void)state;
    static const uint64_t blocks[] = {10, 17, 64, 5000, 0};
    bytes text = random_lines(600000, 7), packed = {0};
    const char *path = scratch_write("ranges", text.data, text.length - 1);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (int turns = 0; turns < 2; turns++)
            assert_in_range(compare_cuts(path, blocks[i], turns), blocks[i] == 0 ? 1 : 20, 60000);
    memset(text.data + 1000, 'x', 30000); /* a line of many blocks, one that is no text, and one of many tails */
    memset(text.data + 50000, 0, 900);
    memset(text.data + 60000, 'y', 12000);
    path = scratch_write("ranges", text.data, text.length);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (int turns = 0; turns < 2; turns++)
            assert_in_range(compare_cuts(path, blocks[i], turns), 1, 60000);
    append_gzip(&packed, text.data, text.length);
    assert_int_equal(compare_cuts(scratch_write("ranges.gz", packed.data, packed.length), 64, 0), 0);
    assert_int_equal(compare_cuts(scratch_write("ranges", "", 0), 64, 0), 0);
    free(packed.data);
    free(text.data);
}

/* A reader that is held can load ranges once it has been closed. A file that has become shorter lacks bytes. */
static void ranges_of_a_held_reader(void **state)
{
    (void)state;
    akin_reader *reader = NULL;
    akin_block block = {0};
    akin_range range;
    akin_error error;
    bytes text = random_lines(2 << 20, 3);
    const char *path = scratch_write("held", text.data, text.length);
    assert_int_equal(akin_reader_open(akin_scope_of(&context), path, &reader, &error), AKIN_OK);
    assert_int_equal(akin_reader_cut(reader, &block, &range, &error), AKIN_OK);
    assert_true(range.begin == 0 && range.end > 200000);
    akin_reader_hold(reader);
    akin_reader_close(reader);
    assert_int_equal(akin_reader_load(reader, range, &block, &error), AKIN_OK);
    assert_memory_equal(block.data, text.data, range.end);
    assert_int_equal(truncate(path, 1000), 0);
    block.length = 0;
    assert_int_equal(akin_reader_load(reader, range, &block, &error), AKIN_E_IO);
    assert_non_null(strstr(error.message, "held: byte 1000: has become shorter while it was read"));
    akin_reader_close(reader);
    akin_free(block.data);
    free(text.data);
}

static void truncated_gzip_is_refused(void **state)
{
    (void)state;
    bytes text = random_lines(700, 2), file = {0}, two = {0};
    append_gzip(&file, text.data, text.length);
    for (size_t length = 1; length < file.length; length++)
        expect_refusal(&file, length, "truncated gzip");
    append(&two, file.data, file.length);
    append_gzip(&two, text.data, 100);
    for (size_t length = file.length + 1; length < two.length; length++)
        expect_refusal(&two, length, "truncated gzip");
    expect_content(scratch_write("boundary", two.data, file.length), text.data, text.length);
    free(text.data);
    free(file.data);
    free(two.data);
}

static void truncated_zstd_is_refused(void **state)
{
    (void)state;
    bytes text = random_lines(700, 3);
    for (int checksum = 0; checksum < 2; checksum++) {
        bytes file = {0}, two = {0};
        append_zstd(&file, text.data, text.length, checksum);
        for (size_t length = 2; length < file.length; length++)
            expect_refusal(&file, length, "truncated zstd");
        append(&two, file.data, file.length);
        append_zstd(&two, text.data, 100, checksum);
        for (size_t length = file.length + 1; length < two.length; length++)
            expect_refusal(&two, length, "truncated zstd");
        append(&file, "\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
        for (size_t cut = 1; cut < 11; cut++)
            expect_refusal(&file, file.length - cut, "truncated zstd");
        free(file.data);
        free(two.data);
    }
    free(text.data);
}

/* Where the decoder is far behind what was read: truncation with much output pending. */
static void truncated_zeros_are_refused(void **state)
{
    (void)state;
    size_t length = 2 << 20;
    char *text = calloc(length, 1);
    bytes gzip = {0}, zstd = {0};
    assert_non_null(text);
    append_gzip(&gzip, text, length);
    append_zstd(&zstd, text, length, 0);
    expect_content(scratch_write("zeros.gz", gzip.data, gzip.length), text, length);
    expect_content(scratch_write("zeros.zst", zstd.data, zstd.length), text, length);
    for (size_t cut = 1; cut < 12; cut++) {
        expect_refusal(&gzip, gzip.length - cut, "truncated gzip");
        expect_refusal(&zstd, zstd.length - cut, "truncated zstd");
    }
    free(text);
    free(gzip.data);
    free(zstd.data);
}

/* Flips every bit from byte `from` on: the file must be refused. Or, for the few bits without meaning, it is read
 * right. */
static void flip_every_bit(const bytes *file, size_t from, const bytes *text)
{
    int without = 0;
    for (size_t bit = 8 * from; bit < 8 * file->length; bit++) {
        bytes got;
        akin_error error;
        file->data[bit / 8] ^= (char)(1 << bit % 8);
        akin_status status = read_all(scratch_write("altered", file->data, file->length), &got, &error);
        file->data[bit / 8] ^= (char)(1 << bit % 8);
        if (status == AKIN_OK) {
            assert_int_equal(got.length, text->length);
            assert_memory_equal(got.data, text->data, text->length);
            free(got.data);
            without++;
        }
    }
    assert_true(without <= 16);
}

static void altered_data_is_refused(void **state)
{
    (void)state;
    bytes text = random_lines(150, 4), gzip = {0}, zstd = {0};
    append_gzip(&gzip, text.data, text.length);
    append_zstd(&zstd, text.data, text.length, 1);
    flip_every_bit(&gzip, 10, &text); /* after the header, which holds the time and the like */
    flip_every_bit(&zstd, 4, &text);  /* after the magic */
    free(text.data);
    free(gzip.data);
    free(zstd.data);
}

static void rubbish_after_compressed_data_is_refused(void **state)
{
    (void)state;
    static const char *const rubbish[] = {
        "1 2 3\n", "x", "\x1f", "\x1f\x8b", "(", "\x1f\x8c and more", "\x28\xb5\x2f\xfc 12345"};
    for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; i++) {
        bytes gzip = {0}, zstd = {0};
        append_gzip(&gzip, "1 2\n", 4);
        append(&gzip, rubbish[i], strlen(rubbish[i]));
        expect_refusal(&gzip, gzip.length, "gzip data");
        append_zstd(&zstd, "1 2\n", 4, 1);
        append(&zstd, rubbish[i], strlen(rubbish[i]));
        expect_refusal(&zstd, zstd.length, "zstd data");
        free(gzip.data);
        free(zstd.data);
    }
}

/* A frame that asks for a window of 256 MiB, as zstd --long=28 makes it; zstd's own limit is 128 MiB. */
static void long_windows_are_read(void **state)
{
    (void)state;
    static const char frame[] =
        "\x28\xb5\x2f\xfd\x00\x90\x31\x00\x00"
        "1 2 3\n";
    expect_content(scratch_write("long.zst", frame, sizeof frame - 1), "1 2 3\n", 6);
}

static void what_cannot_be_opened(void **state)
{
    (void)state;
    bytes got;
    akin_error error;
    assert_int_equal(read_all(scratch_path("missing"), &got, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(read_all(scratch, &got, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "directory"));
    if (geteuid() != 0) {
        const char *path = scratch_write("secret", "1\n", 2);
        chmod(path, 0);
        assert_int_equal(read_all(path, &got, &error), AKIN_E_INPUT);
        assert_non_null(strstr(error.message, "Permission denied"));
    }
}

static void peeking_consumes_nothing(void **state)
{
    (void)state;
    bytes text = random_lines(3 << 20, 5), got = {0};
    static const size_t lengths[] = {0, 1, 8, 100, 1 << 18, (1 << 18) + 1, 2 << 20, 50 << 20};
    akin_reader *reader;
    akin_random random;
    akin_random_seed(&random, 6);
    assert_int_equal(
        akin_reader_open(akin_scope_of(&context), scratch_write("peek", text.data, text.length), &reader, NULL),
        AKIN_OK);
    for (size_t length = 1; length > 0;) {
        const char *seen;
        char *data;
        size_t ahead = lengths[akin_random_below(&random, sizeof lengths / sizeof *lengths)], have;
        size_t left = text.length - got.length;
        assert_int_equal(akin_reader_peek(reader, ahead, &seen, &have, NULL), AKIN_OK);
        assert_int_equal(have, ahead < left ? ahead : left);
        assert_memory_equal(seen, text.data + got.length, have);
        assert_int_equal(akin_reader_next(reader, &data, &length, NULL), AKIN_OK);
        append(&got, data, length);
    }
    akin_reader_close(reader);
    assert_int_equal(got.length, text.length);
    assert_memory_equal(got.data, text.data, text.length);
    free(text.data);
    free(got.data);
}

/* A pipe as standard input, fed in small pieces by another process. */
static void standard_input_in_pieces(void **state)
{
    (void)state;
    bytes text = random_lines(300000, 7), file = {0};
    append_gzip(&file, text.data, text.length);
    for (int compressed = 0; compressed < 2; compressed++) {
        const bytes *sent = compressed ? &file : &text;
        int ends[2], before = dup(STDIN_FILENO);
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            size_t at = 0;
            for (size_t piece = 1; at < sent->length; piece = piece % 997 + 1) {
                size_t length = piece < sent->length - at ? piece : sent->length - at;
                at += (size_t)write(ends[1], sent->data + at, length);
            }
            _exit(0);
        }
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        expect_content("-", text.data, text.length);
        assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* left open */
        dup2(before, STDIN_FILENO);
        close(before);
        assert_int_equal(waitpid(child, NULL, 0), child);
    }
    free(text.data);
    free(file.data);
}

/* Makes a pipe standard input; the other end is in *writer, the answer is what stood there before. */
static int pipe_as_input(int flags, int *writer)
{
    int ends[2], before = dup(STDIN_FILENO);
    assert_int_equal(pipe2(ends, flags), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    *writer = ends[1];
    return before;
}

static void restore_input(int before)
{
    dup2(before, STDIN_FILENO);
    close(before);
}

typedef struct late_writer {
    asking asking;
    int fd;
} late_writer;

static void *write_late(void *argument)
{
    late_writer *w = argument;
    asking_wait(&w->asking, 2);
    ssize_t first = write(w->fd, "1 2", 3);
    asking_wait(&w->asking, 4);
    ssize_t second = write(w->fd, " 3\n4\n", 5);
    close(w->fd);
    return first == 3 && second == 5 ? w : NULL;
}

static void a_late_writer_is_waited_for(void **state)
{
    (void)state;
    static const int flags[] = {0, O_NONBLOCK};
    for (size_t i = 0; i < 2; i++) {
        late_writer w = {.fd = -1};
        akin_context asked = asking_context(&asked, &w.asking);
        akin_reader *reader = NULL;
        pthread_t thread;
        void *wrote = NULL;
        char *data = NULL;
        size_t length = 0;
        int before = pipe_as_input(flags[i], &w.fd);
        assert_int_equal(pthread_create(&thread, NULL, write_late, &w), 0);
        akin_status status = akin_reader_open(akin_scope_of(&asked), "-", &reader, NULL);
        if (status == AKIN_OK)
            status = akin_reader_next(reader, &data, &length, NULL);
        restore_input(before);
        assert_int_equal(pthread_join(thread, &wrote), 0);
        assert_non_null(wrote);
        assert_int_equal(status, AKIN_OK);
        assert_int_equal(length, 8);
        assert_memory_equal(data, "1 2 3\n4\n", 8);
        akin_reader_close(reader);
    }
}

static void a_wait_can_be_cancelled(void **state)
{
    (void)state;
    static const int flags[] = {0, O_NONBLOCK};
    for (size_t i = 0; i < 2; i++) {
        asking a = {.stop_at = 3};
        akin_context asked = asking_context(&asked, &a);
        akin_error error;
        akin_reader *reader = NULL;
        int writer, before = pipe_as_input(flags[i], &writer);
        akin_status status = akin_reader_open(akin_scope_of(&asked), "-", &reader, &error);
        restore_input(before);
        close(writer);
        assert_int_equal(status, AKIN_E_CANCELLED);
        assert_string_equal(error.message, "standard input: cancelled while reading");
        assert_int_equal(a.asked, 3);
    }
}

typedef struct late_opener {
    asking asking;
    const char *path;
} late_opener;

static void *open_late(void *argument)
{
    late_opener *w = argument;
    asking_wait(&w->asking, 2);
    int fd = open(w->path, O_WRONLY);
    ssize_t wrote = write(fd, "1 2\n", 4);
    close(fd);
    return wrote == 4 ? w : NULL;
}

/* A FIFO that has no writer yet is not at its end. */
static void a_fifo_waits_for_its_writer(void **state)
{
    (void)state;
    late_opener w = {.path = scratch_path("fifo")};
    akin_context asked = asking_context(&asked, &w.asking);
    akin_reader *reader = NULL;
    pthread_t thread;
    void *wrote = NULL;
    char *data;
    size_t length;
    assert_int_equal(mkfifo(w.path, 0666), 0);
    assert_int_equal(pthread_create(&thread, NULL, open_late, &w), 0);
    assert_int_equal(akin_reader_open(akin_scope_of(&asked), w.path, &reader, NULL), AKIN_OK);
    assert_int_equal(akin_reader_next(reader, &data, &length, NULL), AKIN_OK);
    assert_int_equal(length, 4);
    assert_memory_equal(data, "1 2\n", 4);
    assert_int_equal(akin_reader_next(reader, &data, &length, NULL), AKIN_OK);
    assert_int_equal(length, 0);
    assert_int_equal(pthread_join(thread, &wrote), 0);
    assert_non_null(wrote);
    akin_reader_close(reader);

    asking a = {.stop_at = 3};
    akin_error error;
    asked = asking_context(&asked, &a);
    assert_int_equal(akin_reader_open(akin_scope_of(&asked), w.path, &reader, &error), AKIN_E_CANCELLED);
    assert_non_null(strstr(error.message, "fifo: cancelled while reading"));
    assert_int_equal(a.asked, 3);
}

/* Bytes that are not text are not kept until a line ends: the reader hands out the first NUL byte that the buffer
 * meets. */
static void lines_with_nul_bytes_come_in_pieces(void **state)
{
    (void)state;
    const size_t size = (size_t)20 << 20;
    for (int digits = 0; digits < 2; digits++) { /* how many MB of digits come first */
        char *text = calloc(1, size);
        assert_non_null(text);
        memset(text, '7', (size_t)digits * 3 << 20);
        text[size - 1] = '\n';
        bytes file = {0};
        append_gzip(&file, text, size);
        const char *paths[] = {scratch_write("zeros", text, size), scratch_write("zeros.gz", file.data, file.length)};
        for (size_t i = 0; i < 2; i++) {
            akin_reader *reader;
            char *data;
            size_t length, at = 0;
            assert_int_equal(akin_reader_open(akin_scope_of(&context), paths[i], &reader, NULL), AKIN_OK);
            do {
                assert_int_equal(akin_reader_next(reader, &data, &length, NULL), AKIN_OK);
                assert_true(length <= size - at && length <= (size_t)4 << 20);
                assert_memory_equal(data, text + at, length);
                assert_true(length == 0 || memchr(data, 0, length) || data[length - 1] == '\n');
                at += length;
            } while (length > 0);
            assert_int_equal(at, size);
            akin_reader_close(reader);
        }
        free(file.data);
        free(text);
    }
}

static void names(void **state)
{
    (void)state;
    akin_reader *reader;
    const char *path = scratch_write("name", "1\n", 2);
    assert_int_equal(akin_reader_open(akin_scope_of(&context), path, &reader, NULL), AKIN_OK);
    assert_string_equal(akin_reader_name(reader), path);
    akin_reader_close(reader);
    akin_reader_close(NULL);
}

static void watch(void *user, const akin_progress *progress)
{
    *(akin_progress *)user = *progress;
}

static int refuse(void *user)
{
    (void)user;
    return 1;
}

static void progress_and_cancel(void **state)
{
    (void)state;
    akin_progress seen = {0};
    akin_context watching = {.scope = {.context = &watching,
                                       .threads = 1,
                                       .reporter = {.progress = watch, .user = &seen}}},
                 refusing = {.scope = {.context = &refusing, .threads = 1, .reporter = {.cancel = refuse}}};
    bytes text = random_lines(2 << 20, 8);
    const char *path = scratch_write("progress", text.data, text.length);
    akin_reader *reader;
    akin_error error;
    char *data;
    size_t length;
    assert_int_equal(akin_reader_open(akin_scope_of(&watching), path, &reader, &error), AKIN_OK);
    assert_int_equal(akin_reader_next(reader, &data, &length, &error), AKIN_OK);
    akin_reader_close(reader);
    assert_string_equal(seen.phase, "reading");
    assert_int_equal(seen.total, text.length);
    assert_true(seen.done <= seen.total);

    assert_int_equal(akin_reader_open(akin_scope_of(&refusing), path, &reader, &error), AKIN_OK);
    assert_int_equal(akin_reader_next(reader, &data, &length, &error), AKIN_E_CANCELLED);
    assert_int_equal(error.code, AKIN_E_CANCELLED);
    akin_reader_close(reader);
    free(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_texts),
        cmocka_unit_test(many_lines),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(ranges_are_the_blocks),
        cmocka_unit_test(ranges_of_a_held_reader),
        cmocka_unit_test(truncated_gzip_is_refused),
        cmocka_unit_test(truncated_zstd_is_refused),
        cmocka_unit_test(truncated_zeros_are_refused),
        cmocka_unit_test(altered_data_is_refused),
        cmocka_unit_test(rubbish_after_compressed_data_is_refused),
        cmocka_unit_test(long_windows_are_read),
        cmocka_unit_test(what_cannot_be_opened),
        cmocka_unit_test(peeking_consumes_nothing),
        cmocka_unit_test(standard_input_in_pieces),
        cmocka_unit_test(a_late_writer_is_waited_for),
        cmocka_unit_test(a_wait_can_be_cancelled),
        cmocka_unit_test(a_fifo_waits_for_its_writer),
        cmocka_unit_test(lines_with_nul_bytes_come_in_pieces),
        cmocka_unit_test(names),
        cmocka_unit_test(progress_and_cancel),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
