/* Compressed files: what is packed, in pieces of any size, is what zlib and zstd unpack. A sink that fails, and memory
 * that runs out, end it with an error. */
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/packer.h"
#include "base/random.h"
#include "unit/test_base_packed.h"

#define LONGEST 300000 /* bytes, of which 65,536 are packed at a time */

static const char *const names[] = {"pairs.csv.gz", "pairs.csv.zst"};

/* Random bytes, which take as much room when they are packed, or zeros. */
static char *make_text(int is_random)
{
    akin_random random;
    char *text = calloc(LONGEST, 1);
    assert_non_null(text);
    akin_random_seed(&random, 1);
    for (size_t i = 0; is_random && i < LONGEST; i++)
        text[i] = (char)akin_random_below(&random, 256);
    return text;
}

/* Takes packed bytes, as many as are wanted. */
typedef struct taken {
    bytes packed;
    size_t most;
} taken;

static akin_status take(void *user, const void *data, size_t length, akin_error *error)
{
    taken *t = user;
    if (t->packed.length + length > t->most)
        return akin_fail(error, AKIN_E_IO, "the disk is full");
    append(&t->packed, data, length);
    return AKIN_OK;
}

static akin_status pack(const char *name, const char *text, size_t length, size_t piece, taken *out, akin_error *error)
{
    akin_packer *packer = NULL;
    akin_status status = akin_packer_open(name, &packer, error);
    for (size_t at = 0, is_last = 0; status == AKIN_OK && !is_last; at += piece) {
        const size_t some = length - at < piece ? length - at : piece;
        is_last = at + some == length;
        status = akin_packer_add(packer, text + at, some, (int)is_last, take, out, error);
    }
    akin_packer_close(packer);
    return status;
}

static void unpack(const char *name, const bytes *packed, char *out, size_t *length)
{
    *length = LONGEST + 1;
    if (strstr(name, ".zst")) {
        *length = ZSTD_decompress(out, *length, packed->data, packed->length);
        assert_false(ZSTD_isError(*length));
        return;
    }
    z_stream z = {.next_in = (unsigned char *)packed->data, .avail_in = (unsigned)packed->length};
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)*length;
    assert_int_equal(inflateInit2(&z, 16 + MAX_WBITS), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    *length = z.total_out;
    inflateEnd(&z);
}

static void any_pieces(void **state)
{
    static const size_t lengths[] = {0, 1, 1000, 65536, LONGEST}, pieces[] = {1, 999, 65536, LONGEST + 1};
    char *found = malloc(LONGEST + 1);
    (void)state;
    assert_non_null(found);
    for (int is_random = 0; is_random < 2; is_random++) {
        char *text = make_text(is_random);
        for (size_t i = 0; i < 2 * 5 * 4; i++) {
            const char *name = names[i % 2];
            const size_t length = lengths[i / 2 % 5], piece = pieces[i / 10];
            taken t = {.most = SIZE_MAX};
            size_t got = 0;
            if (length / piece > 70000)
                continue;
            assert_int_equal(pack(name, text, length, piece, &t, NULL), AKIN_OK);
            unpack(name, &t.packed, found, &got);
            assert_int_equal(got, length);
            assert_memory_equal(found, text, length);
            assert_true(is_random || length < 1000 || t.packed.length < length / 5);
            free(t.packed.data);
        }
        free(text);
    }
    free(found);
}

static void other_names(void **state)
{
    static const char *const plain[] = {"pairs.csv", "gz", "pairs.gz.csv", ""};
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        akin_packer *packer = NULL;
        assert_int_equal(akin_packer_open(plain[i], &packer, NULL), AKIN_OK);
        assert_null(packer);
    }
    akin_packer_close(NULL);
}

static void a_sink_that_fails(void **state)
{
    char *text = make_text(1);
    (void)state;
    for (int i = 0; i < 2; i++)
        for (size_t most = 0; most < LONGEST; most += 60000) {
            taken t = {.most = most};
            akin_error error = {0};
            assert_int_equal(pack(names[i], text, LONGEST, LONGEST, &t, &error), AKIN_E_IO);
            assert_string_equal(error.message, "the disk is full");
            free(t.packed.data);
        }
    free(text);
}

/* Those of zlib and zstd are their own. */
static void every_allocation(void **state)
{
    char *text = make_text(1);
    (void)state;
    for (int i = 0; i < 2; i++)
        for (unsigned n = 0;; n++) {
            static char room[2 * LONGEST];
            taken t = {.packed = {room, 0, sizeof room}, .most = SIZE_MAX};
            akin_error error = {0};
            begin_failing(n, 1);
            akin_status status = pack(names[i], text, LONGEST, LONGEST, &t, &error);
            armed = 0;
            if (failed == 0) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 0);
                break;
            }
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_string_equal(error.message, "not enough memory for compressing a file");
        }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_pieces), cmocka_unit_test(other_names),
                                       cmocka_unit_test(a_sink_that_fails), cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
