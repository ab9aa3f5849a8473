/* Tests of compressed files that several threads decode: the same content as one thread gives, or the same error. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "base/reader.h"
#include "base/unpacker.h"
#include "test_base_failing.h"
#include "test_base_files.h"
#include "test_base_packed.h"
#include "test_sanitizers.h"

#include <fcntl.h>

#define MEMORY_LEAST ((uint64_t)16 << 20)

#if UNDER_SANITIZER
#define TEXT 20000 /* bytes, about: sanitizers make threads slow */
#else
#define TEXT 100000
#endif

static const uint32_t threads_of[] = {3, 2, 8};
#define THREADS (TEXT > 20000 ? sizeof threads_of / sizeof *threads_of : 1)

/* How a part of a content is packed. */
typedef enum kind { GZIP, GZIP_NAMED, BGZF, GZIP_STORED, ZSTD, ZSTD_UNSIZED, SKIPPED, KINDS } kind;

/* A member with its name in the header, as gzip writes it. */
static void append_named(bytes *to, const void *data, size_t length)
{
    bytes member = {0};
    append_gzip(&member, data, length);
    member.data[3] = 8;
    append(to, member.data, 10);
    append(to, "a name", 7);
    append(to, member.data + 10, member.length - 10);
    free(member.data);
}

/* A block of BGZF: 18 bytes of header, the last two of which have the length of the block, less 1. */
static void append_bgzf(bytes *to, const void *data, size_t length)
{
    bytes member = {0};
    append_gzip(&member, data, length);
    const size_t all = member.length + 8 - 1;
    const char extra[] = {6, 0, 'B', 'C', 2, 0, (char)(all & 255), (char)(all >> 8)};
    member.data[3] = 4;
    append(to, member.data, 10);
    append(to, extra, sizeof extra);
    append(to, member.data + 10, member.length - 10);
    free(member.data);
}

/* A member that holds its data as they are. */
static void append_stored(bytes *to, const void *data, size_t length)
{
    append_deflated(to, data, length, 0);
}

static void append_unsized(bytes *to, const void *data, size_t length)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    const size_t room = ZSTD_compressBound(length) + 64;
    char *out = malloc(room);
    ZSTD_inBuffer in = {data, length, 0};
    ZSTD_outBuffer to_file = {out, room, 0};
    assert_true(z && out);
    while (in.pos < in.size)
        assert_false(ZSTD_isError(ZSTD_compressStream2(z, &to_file, &in, ZSTD_e_continue)));
    assert_int_equal(ZSTD_compressStream2(z, &to_file, &in, ZSTD_e_end), 0);
    append(to, out, to_file.pos);
    ZSTD_freeCCtx(z);
    free(out);
}

static void append_part(bytes *to, kind kind, const char *data, size_t length)
{
    static const char skippable[] = "\x53\x2a\x4d\x18\x05\0\0\0hello";
    if (kind == GZIP)
        append_gzip(to, data, length);
    else if (kind == GZIP_NAMED)
        append_named(to, data, length);
    else if (kind == BGZF)
        append_bgzf(to, data, length);
    else if (kind == GZIP_STORED)
        append_stored(to, data, length);
    else if (kind == ZSTD_UNSIZED)
        append_unsized(to, data, length);
    else
        append_zstd(to, data, length, 1);
    if (kind == SKIPPED)
        append(to, skippable, sizeof skippable - 1);
}

/* Lines; some of them hold what looks like the header of a member. */
static bytes make_text(size_t least, akin_random *random)
{
    static const char header[] = "\x1f\x8b\x08\x00\x01\x01\x01\x01\x00\x03 not a member\n";
    bytes text = {0};
    while (text.length < least) {
        char line[64];
        const int length =
            snprintf(line, sizeof line, "%llu,%llu\n", (unsigned long long)akin_random_below(random, 1000),
                     (unsigned long long)akin_random_next(random));
        append(&text, line, (size_t)length);
        if (akin_random_below(random, 50) == 0)
            append(&text, header, sizeof header - 1);
    }
    return text;
}

/* The text in parts of up to `longest` bytes, each packed in some way that the bits of `kinds` allow. */
static bytes pack(const bytes *text, uint32_t kinds, size_t longest, akin_random *random)
{
    bytes file = {0};
    for (size_t at = 0; at < text->length;) {
        const size_t rest = text->length - at, wanted = akin_random_below(random, longest + 1);
        const size_t length = wanted < rest ? wanted : rest;
        kind k;
        do
            k = (kind)akin_random_below(random, KINDS);
        while (!(kinds & 1U << k));
        append_part(&file, k, text->data + at, length);
        at += length;
    }
    return file;
}

/* What reading a file comes to: its content, or the status and the message. */
typedef struct outcome {
    akin_status status;
    bytes content;
    char message[sizeof((akin_error *)0)->message];
} outcome;

static outcome read_with(const char *path, uint32_t threads, uint64_t block, uint64_t memory)
{
    const akin_wishes wishes = {.block_bytes = block};
    akin_context context = {.scope = {.context = &context, .threads = threads, .memory = memory}, .wishes = &wishes};
    akin_reader *reader = NULL;
    akin_error error = {0};
    outcome o = {0};
    o.status = akin_reader_open(akin_scope_of(&context), path, &reader, &error);
    while (o.status == AKIN_OK) {
        char *data = NULL;
        size_t length = 0;
        o.status = akin_reader_next(reader, &data, &length, &error);
        if (o.status != AKIN_OK || length == 0)
            break;
        append(&o.content, data, length);
    }
    akin_reader_close(reader);
    memcpy(o.message, error.message, sizeof o.message);
    return o;
}

static void expect_same(const char *path, const outcome *expected, uint32_t threads, uint64_t block, uint64_t memory)
{
    outcome got = read_with(path, threads, block, memory);
    assert_int_equal(got.status, expected->status);
    assert_string_equal(got.message, expected->message);
    assert_int_equal(got.content.length, expected->content.length);
    if (got.content.length > 0)
        assert_memory_equal(got.content.data, expected->content.data, got.content.length);
    free(got.content.data);
}

/* Whether several threads decode the file at `path`, and come to the end of it. */
static int is_shared(const char *path, akin_packing packing, uint64_t block)
{
    const akin_wishes wishes = {.block_bytes = block};
    akin_context context = {.scope = {.context = &context, .threads = 3}, .wishes = &wishes};
    const int fd = open(path, O_RDONLY);
    struct stat about = {0};
    assert_true(fd >= 0 && fstat(fd, &about) == 0);
    akin_unpacker *unpacker = akin_unpacker_open(akin_scope_of(&context), fd, packing, 0, (uint64_t)about.st_size);
    int left = unpacker == NULL;
    for (size_t got = 1; unpacker && got > 0;) {
        char some[1000];
        uint64_t position;
        assert_int_equal(akin_unpacker_next(unpacker, some, sizeof some, &got, &position, &left), AKIN_OK);
    }
    akin_unpacker_close(unpacker);
    close(fd);
    return !left;
}

static void check_parts(uint32_t kinds, size_t longest, const char *end, size_t end_length, uint64_t seed)
{
    static const uint64_t blocks[] = {100, 4096, 0};
    akin_random random;
    akin_random_seed(&random, seed);
    bytes text = make_text(TEXT, &random), file = pack(&text, kinds, longest, &random);
    append(&file, end, end_length);
    const char *path = scratch_write("parts", file.data, file.length);
    const outcome expected = {.status = AKIN_OK, .content = text};
    expect_same(path, &expected, 1, 0, 0);
    for (size_t i = 0; i < THREADS; i++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            expect_same(path, &expected, threads_of[i], blocks[b], 0);
            expect_same(path, &expected, threads_of[i], blocks[b], MEMORY_LEAST);
        }
    free(text.data);
    free(file.data);
}

static void all_kinds_of_parts_are_joined(void **state)
{
    static const uint32_t gzip[] = {1 << GZIP, 1 << GZIP_NAMED, 1 << BGZF, 1 << GZIP_STORED, (1 << ZSTD) - 1};
    static const uint32_t zstd[] = {1 << ZSTD, 1 << ZSTD_UNSIZED, 1 << ZSTD | 1 << ZSTD_UNSIZED | 1 << SKIPPED};
    static const size_t longest[] = {100, 5000, 60000};
    static const char zeros[1000];
    (void)state;
    for (size_t l = 0; l < sizeof longest / sizeof *longest; l++) {
        for (size_t i = 0; i < sizeof gzip / sizeof *gzip; i++)
            check_parts(gzip[i], longest[l], zeros, i % 2 ? sizeof zeros : 0, 10 * l + i);
        for (size_t i = 0; i < sizeof zstd / sizeof *zstd; i++)
            check_parts(zstd[i], longest[l], NULL, 0, 10 * l + i);
    }
}

/* Parts that several threads are to decode are decoded by them, to the end. */
static void small_parts_are_shared(void **state)
{
    static const kind kinds[] = {GZIP, GZIP_NAMED, BGZF, ZSTD, ZSTD_UNSIZED, SKIPPED};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        akin_random random;
        akin_random_seed(&random, i);
        bytes text = make_text(2000000, &random), file = pack(&text, 1U << kinds[i], 60000, &random);
        const char *path = scratch_write("shared", file.data, file.length);
        assert_true(is_shared(path, kinds[i] < ZSTD ? AKIN_PACKING_GZIP : AKIN_PACKING_ZSTD, 0));
        free(text.data);
        free(file.data);
    }
}

/* Parts that are too long, or become too long, are left to one thread, and what follows them is shared again. */
static void long_parts_are_left_to_one_thread(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 7);
    bytes noise = make_text((size_t)(TEXT > 20000 ? 22 : 9) << 20, &random), lines = make_text(3000000, &random),
          zeros = {0};
    zeros.length = (size_t)40 << 20;
    assert_non_null(zeros.data = calloc(1, zeros.length));
    for (int zstd = 0; zstd < 2; zstd++)
        for (int longs = 0; longs < 2; longs++) {
            const bytes *middle = longs ? &zeros : &noise;
            const kind kind = zstd ? ZSTD : GZIP_STORED;
            bytes file = pack(&lines, 1U << kind, 100000, &random), rest = pack(&lines, 1U << kind, 100000, &random);
            bytes text = {0};
            append_part(&file, kind, middle->data, middle->length);
            append(&file, rest.data, rest.length);
            append(&text, lines.data, lines.length);
            append(&text, middle->data, middle->length);
            append(&text, lines.data, lines.length);
            const outcome expected = {.status = AKIN_OK, .content = text};
            expect_same(scratch_write("long", file.data, file.length), &expected, 3, 0, 0);
            free(file.data);
            free(rest.data);
            free(text.data);
        }
    free(noise.data);
    free(lines.data);
    free(zeros.data);
}

/* Damage, and an end that comes too early, are the same error at the same byte. */
static void errors_are_those_of_one_thread(void **state)
{
    static const uint32_t kinds[] = {1 << GZIP, 1 << BGZF, (1 << ZSTD) - 1, 1 << ZSTD, 1 << ZSTD | 1 << SKIPPED};
    int failures = 0;
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        akin_random random;
        akin_random_seed(&random, 20 + i);
        bytes text = make_text(3 * TEXT, &random), file = pack(&text, kinds[i], TEXT / 10, &random);
        for (int n = 0; n < 60; n++) {
            const size_t at = 10 + akin_random_below(&random, file.length - 10);
            const size_t length = n % 2 ? at : file.length;
            file.data[at] ^= (char)(n % 2 ? 0 : 1 << n % 8);
            const char *path = scratch_write("damaged", file.data, length);
            file.data[at] ^= (char)(n % 2 ? 0 : 1 << n % 8);
            outcome expected = read_with(path, 1, 4096, 0);
            failures += expected.status != AKIN_OK;
            expect_same(path, &expected, 2, 4096, 0);
            expect_same(path, &expected, 8, 4096, 0);
            free(expected.content.data);
        }
        free(text.data);
        free(file.data);
    }
    assert_true(failures > 200);
}

/* Rubbish behind the last part, and nothing but the beginning of one. */
static void rubbish_is_refused_as_by_one_thread(void **state)
{
    static const char *const rubbish[] = {"1 2 3\n", "\x1f", "\x1f\x8b\x08", "\x28\xb5\x2f\xfd",
                                          "\x53\x2a\x4d\x18\x05"};
    (void)state;
    for (int zstd = 0; zstd < 2; zstd++)
        for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; i++) {
            akin_random random;
            akin_random_seed(&random, i);
            bytes text = make_text(50000, &random), file = pack(&text, 1U << (zstd ? ZSTD : GZIP), 2000, &random);
            append(&file, rubbish[i], strlen(rubbish[i]));
            const char *path = scratch_write("rubbish", file.data, file.length);
            outcome expected = read_with(path, 1, 300, 0);
            assert_int_equal(expected.status, AKIN_E_INPUT);
            expect_same(path, &expected, 3, 300, 0);
            free(expected.content.data);
            free(text.data);
            free(file.data);
        }
}

static int refuse(void *user)
{
    return ++*(int *)user > 1;
}

static void a_job_can_be_cancelled(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 1);
    bytes text = make_text(12000000, &random), file = pack(&text, 1 << GZIP, 60000, &random);
    const char *path = scratch_write("cancelled", file.data, file.length);
    int calls = 0;
    akin_context context = {.scope = {.context = &context, .threads = 3}};
    context.scope.reporter.cancel = refuse;
    context.scope.reporter.user = &calls;
    akin_reader *reader = NULL;
    akin_error error = {0};
    akin_status status = akin_reader_open(akin_scope_of(&context), path, &reader, &error);
    while (status == AKIN_OK) {
        char *data;
        size_t length;
        status = akin_reader_next(reader, &data, &length, &error);
        assert_true(status != AKIN_OK || length > 0);
    }
    assert_int_equal(status, AKIN_E_CANCELLED);
    assert_non_null(strstr(error.message, "cancelled while reading"));
    akin_reader_close(reader);
    free(text.data);
    free(file.data);
}

/* Without memory for several threads, one reads; without any, the file is refused. */
static void memory_may_be_short(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 5);
    bytes text = make_text(20000, &random), file = pack(&text, 1 << GZIP, 2000, &random);
    const char *path = scratch_write("short", file.data, file.length);
    int read = 0, refused = 0;
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0, had_failed = 1; had_failed; n += FAILING_STEP) {
            const akin_wishes wishes = {.block_bytes = 1000};
            akin_context context = {.scope = {.context = &context, .threads = 3}, .wishes = &wishes};
            akin_reader *reader = NULL;
            akin_error error = {0};
            size_t total = 0, length = 1;
            begin_failing(n, alone);
            akin_status status = akin_reader_open(akin_scope_of(&context), path, &reader, &error);
            for (char *data; status == AKIN_OK && length > 0; total += length)
                status = akin_reader_next(reader, &data, &length, &error);
            armed = 0;
            had_failed = failed;
            akin_reader_close(reader);
            assert_true(status == AKIN_OK || status == AKIN_E_NOMEM);
            assert_int_equal(error.code, status);
            if (status == AKIN_OK)
                assert_int_equal(total, text.length);
            read += status == AKIN_OK;
            refused += status == AKIN_E_NOMEM;
        }
    assert_true(read > 1 && refused > 1);
    free(text.data);
    free(file.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_of_parts_are_joined),
        cmocka_unit_test(small_parts_are_shared),
        cmocka_unit_test(long_parts_are_left_to_one_thread),
        cmocka_unit_test(errors_are_those_of_one_thread),
        cmocka_unit_test(rubbish_is_refused_as_by_one_thread),
        cmocka_unit_test(a_job_can_be_cancelled),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
