/* Tests of the container: a file comes back as it was written, and a file with any change is refused. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/container.h"
#include "base/memory.h"
#include "test_base_cancel.h"
#include "test_base_files.h"

#include <fcntl.h>
#include <sys/wait.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static const char *write_container(const akin_section *sections, uint32_t count)
{
    akin_error error;
    const char *path = scratch_path("file.akin");
    if (akin_container_save(akin_scope_of(&context), path, "sets", 3, sections, count, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    return path;
}

/* A small file in aligned memory, to be freed with akin_free. */
static char *small_file(size_t *length)
{
    const uint32_t first[] = {1, 2, 3}, third[] = {7};
    const akin_section sections[] = {
        {.data = first, .length = sizeof first}, {.data = NULL, .length = 0}, {.data = third, .length = sizeof third}};
    char *content = scratch_read(write_container(sections, 3), length);
    char *data = akin_alloc(NULL, *length + 64, 1);
    assert_non_null(data);
    memcpy(data, content, *length + 1);
    free(content);
    return data;
}

static akin_status parse(const void *data, uint64_t length, akin_error *error)
{
    akin_container *container = NULL;
    memset(error, 0, sizeof *error);
    akin_status status =
        akin_container_parse(akin_scope_of(&context), "small", data, length, "sets", 3, 3, &container, error);
    assert_true((status == AKIN_OK) == (container != NULL));
    assert_int_equal(error->code, status);
    assert_true(status == AKIN_OK || (strstr(error->message, "small: ") == error->message));
    akin_container_close(container);
    return status;
}

static void check_sections(const akin_container *container, const akin_section *sections, uint32_t count)
{
    assert_int_equal(akin_container_version(container), 3);
    for (uint32_t i = 0; i < count; i++) {
        akin_section got = akin_container_section(container, i);
        assert_int_equal(got.length, sections[i].length);
        assert_int_equal((uintptr_t)got.data % 64, 0);
        assert_true(got.length == 0 || memcmp(got.data, sections[i].data, (size_t)got.length) == 0);
    }
}

static void what_is_written_comes_back(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {0, 1, 63, 64, 65, 0, 1000, 300000, 8, 0};
    static unsigned char data[300000 + AKIN_CONTAINER_SECTIONS];
    akin_section sections[AKIN_CONTAINER_SECTIONS];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 2654435761u >> 13);
    for (uint32_t i = 0; i < AKIN_CONTAINER_SECTIONS; i++)
        sections[i] = (akin_section){.data = data + i, .length = i < 10 ? lengths[i] : i};
    for (uint32_t count = 0; count <= AKIN_CONTAINER_SECTIONS; count += count < 12 ? 1 : 13) {
        const char *path = write_container(sections, count);
        akin_container *container;
        akin_error error;
        assert_int_equal(akin_container_open(akin_scope_of(&context), path, "sets", 3, count, &container, &error),
                         AKIN_OK);
        check_sections(container, sections, count);
        akin_container_close(container);
        assert_int_equal(akin_container_open(akin_scope_of(&context), path, "sets", 9, count, &container, &error),
                         AKIN_OK);
        akin_container_close(container);
    }
    akin_container_close(NULL);
    akin_error error;
    assert_int_equal(akin_container_save(akin_scope_of(&context), scratch_path("x"), "sets", 1, sections, 65, &error),
                     AKIN_E_IO);
    assert_int_equal(access(scratch_path("x"), F_OK), -1);
}

static uint64_t number_at(const char *data, size_t offset)
{
    uint64_t number = 0;
    for (size_t i = 8; i-- > 0;)
        number = number << 8 | (unsigned char)data[offset + i];
    return number;
}

static void layout_is_as_documented(void **state)
{
    (void)state;
    size_t length;
    char *data = small_file(&length);
    assert_memory_equal(data, "AKIN\r\n\x1a\nsets\0\0\0\0\3\0\0\0\3\0\0\0", 24);
    assert_int_equal(number_at(data, 24), length);
    assert_int_equal(number_at(data, 32), 128);
    assert_int_equal(number_at(data, 40), 12);
    assert_true(number_at(data, 48) == XXH3_64bits(data + 128, 12));
    assert_int_equal(number_at(data, 56), 192);
    assert_int_equal(number_at(data, 64), 0);
    assert_int_equal(number_at(data, 80), 192);
    assert_int_equal(number_at(data, 88), 4);
    assert_true(number_at(data, 104) == XXH3_64bits(data, 104));
    assert_memory_equal(data + 128, "\1\0\0\0\2\0\0\0\3\0\0\0", 12);
    assert_memory_equal(data + 192, "\7\0\0\0", 4);
    assert_int_equal(length, 196);
    assert_true(akin_container_recognise(data, length));
    assert_true(akin_container_recognise(data, 8));
    assert_false(akin_container_recognise(data, 7));
    assert_false(akin_container_recognise(data + 1, 8));
    akin_free(data);
}

static void every_altered_bit_is_refused(void **state)
{
    (void)state;
    akin_error error;
    size_t length;
    char *data = small_file(&length);
    assert_int_equal(parse(data, length, &error), AKIN_OK);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        data[bit / 8] ^= (char)(1 << bit % 8);
        assert_int_equal(parse(data, length, &error), AKIN_E_INPUT);
        data[bit / 8] ^= (char)(1 << bit % 8);
    }
    assert_int_equal(parse(data, length, &error), AKIN_OK);
    akin_free(data);
}

static void every_other_length_is_refused(void **state)
{
    (void)state;
    akin_error error;
    size_t length;
    char *data = small_file(&length);
    memset(data + length, 0, 64);
    for (size_t wrong = 0; wrong < length + 64; wrong++) {
        if (wrong == length)
            continue;
        assert_int_equal(parse(data, wrong, &error), AKIN_E_INPUT);
        akin_container *container;
        const char *path = scratch_write("wrong", data, wrong);
        assert_int_equal(akin_container_open(akin_scope_of(&context), path, "sets", 3, 3, &container, &error),
                         AKIN_E_INPUT);
        assert_non_null(strstr(error.message, path));
    }
    assert_int_equal(parse(data, length - 1, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "small: ends after 195 of 196 bytes; make the file anew");
    akin_free(data);
}

/* Files with every checksum right, but a table that lies. */
static void lying_tables_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t place;
        uint64_t value;
    } cases[] = {
        {32, 0},
        {32, 64},
        {32, 129},
        {32, 192},
        {32, UINT64_MAX},
        {32, UINT64_MAX - 63},
        {40, UINT64_MAX},
        {40, 0},
        {40, 65},
        {40, 69},
        {40, UINT64_MAX - 127},
        {56, 128},
        {56, 0},
        {56, 256},
        {56, 196},
        {64, 1},
        {64, 4},
        {64, 5},
        {64, UINT64_MAX},
        {80, 128},
        {80, 256},
        {80, UINT64_MAX},
        {80, 0},
        {88, 3},
        {88, 5},
        {88, 0},
        {24, 197},
        {24, 195},
        {24, 0},
        {24, UINT64_MAX},
        {16, 3 | 2ull << 32},
        {16, 3 | 4ull << 32},
        {16, 3 | 65ull << 32},
        {16, 3 | 0xffffffffull << 32},
        {16, 3},
        {16, 4 | 3ull << 32},
    };
    akin_error error;
    size_t length;
    char *data = small_file(&length), *copy = akin_alloc(NULL, length, 1);
    assert_non_null(copy);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(copy, data, length);
        memcpy(copy + cases[i].place, &cases[i].value, 8);
        for (size_t section = 0; section < 3; section++) { /* right for what the table says, where that can be */
            uint64_t offset = number_at(copy, 32 + 24 * section), bytes = number_at(copy, 40 + 24 * section);
            if (offset <= length && bytes <= length - offset) {
                uint64_t hash = XXH3_64bits(copy + offset, (size_t)bytes);
                memcpy(copy + 48 + 24 * section, &hash, 8);
            }
        }
        size_t count = (size_t)number_at(copy, 16) >> 32, end = 32 + 24 * (count <= 6 ? count : 3);
        uint64_t hash = XXH3_64bits(copy, end);
        memcpy(copy + end, &hash, 8);
        assert_int_equal(parse(copy, length, &error), AKIN_E_INPUT);
    }
    akin_free(copy);
    akin_free(data);
}

static void what_is_not_wanted_is_refused(void **state)
{
    (void)state;
    akin_error error;
    akin_container *container;
    size_t length;
    akin_free(small_file(&length));
    const char *path = scratch_path("file.akin");
    assert_int_equal(akin_container_open(akin_scope_of(&context), path, "tables", 3, 3, &container, &error),
                     AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "another kind; expected tables"));
    assert_int_equal(akin_container_open(akin_scope_of(&context), path, "set", 3, 3, &container, &error), AKIN_E_INPUT);
    assert_int_equal(akin_container_open(akin_scope_of(&context), path, "sets", 2, 3, &container, &error),
                     AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "later akin"));
    assert_int_equal(akin_container_open(akin_scope_of(&context), path, "sets", 3, 2, &container, &error),
                     AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "has 3 sections; expected 2"));
    assert_int_equal(akin_container_open(akin_scope_of(&context), path, "sets", 3, 4, &container, &error),
                     AKIN_E_INPUT);

    assert_int_equal(
        akin_container_open(akin_scope_of(&context), scratch_path("missing"), "sets", 3, 3, &container, &error),
        AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(akin_container_open(akin_scope_of(&context), scratch, "sets", 3, 3, &container, &error),
                     AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "directory"));
    path = scratch_write("text", "1 2 3\n4 5 6\n", 12);
    assert_int_equal(akin_container_open(akin_scope_of(&context), path, "sets", 3, 3, &container, &error),
                     AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "not a file saved by akin"));
}

/* No saved file is empty; an empty file of another name is not one. */
static void empty_files_are_refused(void **state)
{
    static const struct {
        const char *name, *message;
        akin_reason reason;
    } cases[] = {{"empty.akin", "is empty", AKIN_REASON_DAMAGED},
                 {"empty.AKIN", "is empty", AKIN_REASON_DAMAGED},
                 {"empty.akin.gz", "is empty", AKIN_REASON_DAMAGED},
                 {"empty.akin.zst", "is empty", AKIN_REASON_DAMAGED},
                 {"empty.txt", "is not a file saved by akin", AKIN_REASON_OTHER_KIND}};
    akin_error error;
    akin_container *container;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = scratch_write(cases[i].name, "", 0);
        assert_int_equal(akin_container_open(akin_scope_of(&context), path, "sets", 3, 3, &container, &error),
                         AKIN_E_INPUT);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_int_equal(error.reason, cases[i].reason);
    }
    assert_int_equal(akin_container_check_empty("x.akin", 1, &error), AKIN_OK);
}

/* What cannot be mapped is read. */
static void pipes_are_read(void **state)
{
    (void)state;
    static uint32_t numbers[100000];
    for (uint32_t i = 0; i < 100000; i++)
        numbers[i] = i * i;
    const akin_section sections[] = {{.data = numbers, .length = sizeof numbers}, {.data = numbers + 5, .length = 4}};
    size_t length;
    char *content = scratch_read(write_container(sections, 2), &length);
    for (size_t cut = 0; cut < 2; cut++) {
        akin_container *container = NULL;
        int ends[2], before = dup(STDIN_FILENO);
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(ends[0]);
            for (size_t at = 0; at < length - cut;)
                at += (size_t)write(ends[1], content + at, length - cut - at < 5000 ? length - cut - at : 5000);
            _exit(0);
        }
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        akin_error error;
        akin_status status = akin_container_open(akin_scope_of(&context), "-", "sets", 3, 2, &container, &error);
        dup2(before, STDIN_FILENO);
        close(before);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_int_equal(status, cut ? AKIN_E_INPUT : AKIN_OK);
        if (cut)
            assert_non_null(strstr(error.message, "standard input: "));
        else
            check_sections(container, sections, 2);
        akin_container_close(container);
    }
    free(content);
}

/* A large section is hashed in pieces, as if it were one, and between them one can cancel. */
static void large_sections_can_be_cancelled(void **state)
{
    (void)state;
    const size_t size = ((size_t)40 << 20) + 5;
    char *data = malloc(size);
    assert_non_null(data);
    for (size_t i = 0; i < size; i++)
        data[i] = (char)(i * 31 + i / 1000);
    const akin_section section = {.data = data, .length = size};
    const char *path = scratch_path("large.akin");
    akin_container *container = NULL;
    akin_error error;
    asking a = {.stop_at = 0};
    akin_context asked = asking_context(&asked, &a);
    assert_int_equal(akin_container_save(akin_scope_of(&asked), path, "sets", 1, &section, 1, &error), AKIN_OK);
    assert_true(a.asked >= 3);
    a.asked = 0;
    assert_int_equal(akin_container_open(akin_scope_of(&asked), path, "sets", 1, 1, &container, &error), AKIN_OK);
    assert_int_equal(a.asked, 3);
    uint64_t hash;
    FILE *file = fopen(path, "rb");
    assert_true(file && fseek(file, 32 + 16, SEEK_SET) == 0 && fread(&hash, sizeof hash, 1, file) == 1);
    fclose(file);
    assert_true(hash == XXH3_64bits(data, size));
    akin_container_close(container);

    for (a.stop_at = 1; a.stop_at <= 3; a.stop_at++) {
        container = NULL;
        a.asked = 0;
        assert_int_equal(akin_container_open(akin_scope_of(&asked), path, "sets", 1, 1, &container, &error),
                         AKIN_E_CANCELLED);
        assert_int_equal(error.code, AKIN_E_CANCELLED);
        assert_null(container);
        a.asked = 0;
        assert_int_equal(
            akin_container_save(akin_scope_of(&asked), scratch_path("never"), "sets", 1, &section, 1, &error),
            AKIN_E_CANCELLED);
        assert_int_equal(error.code, AKIN_E_CANCELLED);
        assert_int_equal(access(scratch_path("never"), F_OK), -1);
    }
    free(data);
}

static void a_wait_can_be_cancelled(void **state)
{
    (void)state;
    asking a = {.stop_at = 2};
    akin_context asked = asking_context(&asked, &a);
    akin_container *container = NULL;
    akin_error error;
    int ends[2], before = dup(STDIN_FILENO);
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    akin_status status = akin_container_open(akin_scope_of(&asked), "-", "sets", 1, 1, &container, &error);
    dup2(before, STDIN_FILENO);
    close(before);
    close(ends[1]);
    assert_int_equal(status, AKIN_E_CANCELLED);
    assert_string_equal(error.message, "standard input: cancelled while reading");
}

static void a_failed_write_is_told(void **state)
{
    (void)state;
    static const char data[500000];
    const akin_section section = {.data = data, .length = sizeof data};
    akin_error error;
    assert_int_equal(akin_container_save(akin_scope_of(&context), "/dev/full", "sets", 1, &section, 1, &error),
                     AKIN_E_IO);
    assert_non_null(strstr(error.message, "/dev/full"));
    assert_int_equal(
        akin_container_save(akin_scope_of(&context), scratch_path("no/such"), "sets", 1, &section, 1, &error),
        AKIN_E_IO);
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

#define BLOCKED "index" /* a kind whose blocks have checksums, from version 2 on */

/* A file with sections of several blocks, of none, and of a part of one. */
static char *blocked_file(size_t *length)
{
    static unsigned char bytes[3 * AKIN_CONTAINER_BLOCK + 5];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 2654435761u >> 11);
    const akin_section sections[] = {
        {.data = bytes, .length = sizeof bytes}, {.length = 0}, {.data = bytes, .length = AKIN_CONTAINER_BLOCK}};
    const char *path = scratch_path("blocks.akin");
    assert_int_equal(akin_container_save(akin_scope_of(&context), path, BLOCKED, 2, sections, 3, NULL), AKIN_OK);
    char *content = scratch_read(path, length), *data = akin_alloc(NULL, *length, 1);
    assert_non_null(data);
    memcpy(data, content, *length);
    free(content);
    return data;
}

static akin_status parse_blocked(const void *data, uint64_t length, akin_container **out, akin_error *error)
{
    *out = NULL;
    return akin_container_parse(akin_scope_of(&context), "blocked", data, length, BLOCKED, 2, 3, out, error);
}

/* Makes the checksums of the last section and of the header right. */
static void mend_sums(char *data, uint32_t count)
{
    const size_t end = 32 + (size_t)count * 24, last = end - 24;
    uint64_t hash = XXH3_64bits(data + number_at(data, last), (size_t)number_at(data, last + 8));
    memcpy(data + last + 16, &hash, sizeof hash);
    hash = XXH3_64bits(data, end);
    memcpy(data + end, &hash, sizeof hash);
}

static void blocks_are_checked_when_they_are_read(void **state)
{
    (void)state;
    enum { B = AKIN_CONTAINER_BLOCK };
    size_t length;
    akin_container *container;
    akin_error error;
    char *data = blocked_file(&length), *copy = akin_alloc(NULL, 4 * B, 1), why[64];
    const uint64_t at = number_at(data, 32);
    assert_non_null(copy);
    assert_true(length == number_at(data, 32 + 3 * 24) + 5 * sizeof(uint64_t)); /* 4 blocks, none, and 1 */
    assert_true(number_at(data, length - 8) == XXH3_64bits(data + number_at(data, 32 + 2 * 24), B));
    data[at + B + 7] ^= 1;
    assert_int_equal(parse_blocked(data, length, &container, &error), AKIN_OK);
    const akin_section section = akin_container_section(container, 0), empty = akin_container_section(container, 1);
    assert_int_equal(atomic_load(&section.blocks->done[0]), 0);
    assert_int_equal(akin_section_check(&section, 0, B, &error), AKIN_OK);
    assert_int_equal(atomic_load(&section.blocks->done[0]), 1);
    assert_int_equal(akin_section_check(&section, B - 1, B + 1, &error), AKIN_E_INPUT);
    assert_int_equal(error.reason, AKIN_REASON_DAMAGED);
    snprintf(why, sizeof why, "blocked: byte %llu: ", (unsigned long long)at + B);
    assert_ptr_equal(strstr(error.message, why), error.message);
    assert_int_equal(akin_section_check(&section, 2 * B, section.length, &error), AKIN_OK);
    assert_int_equal(akin_section_check(&section, 0, section.length, &error), AKIN_E_INPUT);
    assert_int_equal(akin_section_check(&empty, 0, 0, &error), AKIN_OK);
    assert_int_equal(akin_container_check(akin_scope_of(&context), container, &error), AKIN_E_INPUT);
    data[at + B + 7] ^= 1;
    assert_int_equal(akin_section_bring(&section, copy, B, 2 * B, &error), AKIN_OK);
    assert_memory_equal(copy + B, data + at + B, B);
    memset(copy, 0, 4 * B);
    assert_int_equal(akin_section_bring(&section, copy, 0, section.length, &error), AKIN_OK); /* they were there */
    assert_true(copy[0] == 0 && copy[B] == 0);
    assert_int_equal(akin_container_check(akin_scope_of(&context), container, &error), AKIN_OK);
    akin_container_close(container);
    akin_free(copy);
    akin_free(data);
}

/* Checksums of blocks that are too few or too many, or none, and a file whose section has another checksum than its
 * blocks. */
static void lying_blocks_are_refused(void **state)
{
    (void)state;
    size_t length;
    akin_container *container;
    akin_error error;
    char *data = blocked_file(&length);
    uint64_t number = number_at(data, 32 + 3 * 24 + 8) - 8;
    memcpy(data + 32 + 3 * 24 + 8, &number, sizeof number);
    number = length - 8;
    memcpy(data + 24, &number, sizeof number);
    mend_sums(data, 4);
    assert_int_equal(parse_blocked(data, length - 8, &container, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "the checksums of blocks are not as many as the blocks"));
    akin_free(data);
    data = blocked_file(&length);
    data[number_at(data, 32 + 3 * 24)] ^= 1; /* of the first block */
    mend_sums(data, 4);
    assert_int_equal(parse_blocked(data, length, &container, &error), AKIN_OK);
    const akin_section section = akin_container_section(container, 0);
    assert_int_equal(akin_section_check(&section, 0, 1, &error), AKIN_E_INPUT);
    assert_int_equal(akin_container_check(akin_scope_of(&context), container, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "a block is altered"));
    akin_container_close(container);
    akin_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),      cmocka_unit_test(layout_is_as_documented),
        cmocka_unit_test(every_altered_bit_is_refused),    cmocka_unit_test(every_other_length_is_refused),
        cmocka_unit_test(lying_tables_are_refused),        cmocka_unit_test(what_is_not_wanted_is_refused),
        cmocka_unit_test(empty_files_are_refused),         cmocka_unit_test(pipes_are_read),
        cmocka_unit_test(large_sections_can_be_cancelled), cmocka_unit_test(a_wait_can_be_cancelled),
        cmocka_unit_test(a_failed_write_is_told),          cmocka_unit_test(blocks_are_checked_when_they_are_read),
        cmocka_unit_test(lying_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
