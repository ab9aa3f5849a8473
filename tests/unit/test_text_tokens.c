/* Texts normalised and cut into tokens, against the oracle: in pieces and at once, ASCII and not, at each SIMD
 * level. */
#include "test_text_support.h"

#include "text/tokenizer.h"

static void check(akin_tokenizer *tokenizer, const char *bytes, size_t length, akin_tokens tokens, uint32_t q, int fold)
{
    /* a block of its own, so that reading beyond it shows */
    char *own = malloc(length + 1);
    assert_non_null(own);
    memcpy(own, bytes, length);
    char *exact = realloc(own, length ? length : 1);
    assert_int_equal(akin_tokenizer_take(tokenizer, exact, length, length), AKIN_OK);
    free(exact);
    oracle o = oracle_of(bytes, length, tokens, q, fold);
    assert_int_equal(tokenizer->normal.length, o.length);
    assert_memory_equal(tokenizer->normal.text, o.text, o.length);
    akin_spans spans;
    size_t count = 0;
    while (akin_tokenizer_next(tokenizer, &spans)) {
        assert_true(spans.count > 0);
        for (uint32_t i = 0; i < spans.count; i++, count++) {
            assert_true(count < o.count);
            assert_int_equal(spans.bounds[i * spans.step], o.starts[count]);
            assert_int_equal(spans.bounds[i * spans.step + spans.gap], o.ends[count]);
        }
    }
    assert_int_equal(count, o.count);
    assert_false(akin_tokenizer_next(tokenizer, &spans));
    oracle_clear(&o);
}

/* Calls `test` with every kind of tokens, fold and level. */
static void with_each(void (*test)(akin_tokenizer *tokenizer, akin_tokens tokens, uint32_t q, int fold))
{
    static const uint32_t lengths[] = {1, 2, 3, 7, 64, 255};
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++)
        for (int kind = 0; kind < 17; kind++)
            for (int fold = 0; fold <= 1; fold++) {
                akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
                static akin_tokenizer tokenizer;
                options.tokens = kind == 0   ? AKIN_TOKENS_WORDS
                                 : kind == 1 ? AKIN_TOKENS_WHITESPACE
                                 : kind < 8  ? AKIN_TOKENS_QGRAMS
                                 : kind < 14 ? AKIN_TOKENS_SHINGLES
                                 : kind < 15 ? AKIN_TOKENS_CODES
                                 : kind < 16 ? AKIN_TOKENS_LINES
                                             : AKIN_TOKENS_PARAGRAPHS;
                options.q = kind < 2 ? 0 : lengths[(kind - 2) % 6];
                options.fold = fold;
                akin_tokenizer_begin(&tokenizer, cpu, NULL, &options);
                test(&tokenizer, options.tokens, options.q, fold);
                akin_tokenizer_clear(&tokenizer);
            }
}

static void check_known(akin_tokenizer *tokenizer, akin_tokens tokens, uint32_t q, int fold)
{
    static const char *const texts[] = {
        "",
        "a",
        " ",
        "Hello, World",
        "naive na\xc3\xafve nai\xcc\x88ve",
        "STRASSE Stra\xc3\237e stra\xe1\xba\236e",
        "\xce\x9f\xce\x94\xce\xa5\xce\xa3\xce\xa3\xce\x95\xce\x8e\xce\xa3",
        "\xc4\xb0stanbul \xc4\xb1 I i",
        "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab\xe1\x84\x80\xe1\x85\xb3\xe1\x86\xaf",
        "\xe3\x85\x8e\xe3\x85\x8f\xe3\x84\xb4",
        "\xef\xbd\xb6\xef\xbe\x9e",
        "\xd8\xa7\xd9\x84\xd8\xb9\xd9\x8e\xd8\xb1\xd9\x8e\xd8\xa8\xd9\x90\xd9\x8a\xd9\x91\xd8\xa9",
        "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80",
        "o\xef\xac\203ce \xef\xb7\xba",
        "\xef\xbc\xa1\xef\xbc\xa2\xef\xbc\x91",
        "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
        "\xcc\201a",
        "a \xcc\x81 b",
        "\xc2\xb4x",
        "e\xcc\xa3\xcc\x82 e\xcc\x82\xcc\xa3",
        "co\xc2\xadop",
        "a\xcc\x81\xcc\x81\xcc\x81",
        "x\xcd\x85\xcc\x81",
        "e\xcc\x81\xcd\x85 e\xcd\x85\xcc\x81",
        "\xcd\xba\xcc\x81",
        "\xe1\xbe\xb3",
        "1\xe2\x81\2042 \xc2\xbd \xe2\x91\xa0",
        "tab\tnew\nline",
        "\n one  line\r\nanother\rlast \n \r\n\r\n a\tparagraph\nof two lines\n\n",
        "DSC-W120/B",
        " Sony dsc-w120/b, (8x) 5-in-1 -- 12. ",
        "\xd9\xa3-\xd9\xa4x x\xe0\xa5\xa7",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(tokenizer, texts[i], strlen(texts[i]), tokens, q, fold);
    check(tokenizer, "a\0b", 3, tokens, q, fold);
}

static void test_known(void **state)
{
    (void)state;
    with_each(check_known);
}

static void check_random(akin_tokenizer *tokenizer, akin_tokens tokens, uint32_t q, int fold)
{
    akin_random random;
    akin_random_seed(&random, 7 + q);
    for (int i = 0; i < 400; i++) {
        text t = random_text(&random, i % 20 ? 150 : 6000);
        check(tokenizer, t.bytes, t.length, tokens, q, fold);
        text_clear(&t);
    }
}

static void test_random(void **state)
{
    (void)state;
    with_each(check_random);
}

/* Groups of 64 bytes: a text of each length, with what is not ASCII, and what joins it, at each place. */
static void check_places(akin_tokenizer *tokenizer, akin_tokens tokens, uint32_t q, int fold)
{
    for (size_t length = 0; length <= 200; length += 3 + length % 2)
        for (size_t at = 0; at <= length; at += at % 64 == 60 ? 4 : 5) { /* 64, 128 and 192 among them */
            text t = {0};
            for (size_t i = 0; i < length; i++) {
                if (i == at)
                    text_add_string(&t, length % 2 ? "\xcc\x81" : "\xc3\x84");
                text_add_string(&t, i % 11 == 3 ? " " : "E");
            }
            text_add(&t, "", 0);
            check(tokenizer, t.bytes, t.length, tokens, q, fold);
            text_clear(&t);
        }
}

static void test_places(void **state)
{
    (void)state;
    with_each(check_places);
}

/* Every code point, after what may combine with it and before: whatever joins or does not is found out right. */
static void test_each_point(void **state)
{
    static const struct {
        akin_tokens tokens;
        int fold;
    } kinds[] = {{AKIN_TOKENS_WORDS, 1}, {AKIN_TOKENS_WORDS, 0}, {AKIN_TOKENS_WHITESPACE, 0}, {AKIN_TOKENS_QGRAMS, 1}};
    (void)state;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
        static akin_tokenizer tokenizer;
        options.tokens = kinds[kind].tokens;
        options.fold = kinds[kind].fold;
        akin_tokenizer_begin(&tokenizer, akin_cpu_detect(), NULL, &options);
        for (int32_t point = 0; point < 0x32000; point++) {
            text t = {0};
            int32_t parts[64];
            int boundary = 0;
            if (point >= 0xd800 && point <= 0xdfff)
                continue;
            if (point >= 0x3400 && point < 0xa000 && point % 64) /* ideographs, one like the other */
                continue;
            text_add_point(&t, point);
            text_add_point(&t, 0x301);
            text_add_point(&t, point);
            text_add_point(&t, point);
            /* and the code points of its canonical decomposition, which compose again */
            utf8proc_ssize_t count =
                utf8proc_decompose_char(point, parts, 64, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, &boundary);
            for (utf8proc_ssize_t i = 0; i < count && count > 1; i++)
                text_add_point(&t, parts[i]);
            check(&tokenizer, t.bytes, t.length, options.tokens, options.q, options.fold);
            text_clear(&t);
        }
        akin_tokenizer_clear(&tokenizer);
    }
}

/* More marks on a letter than are put in order one by one. */
static void test_many_marks(void **state)
{
    akin_random random;
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    static akin_tokenizer tokenizer;
    (void)state;
    akin_random_seed(&random, 3);
    options.fold = 1;
    akin_tokenizer_begin(&tokenizer, AKIN_CPU_SCALAR, NULL, &options);
    for (int count = 1; count < 2000; count += 1 + count / 3) {
        text t = {0};
        text_add_string(&t, "E");
        for (int i = 0; i < count; i++)
            text_add_point(&t, point_within(&random, 0x300, 0x36e));
        text_add_string(&t, "f");
        check(&tokenizer, t.bytes, t.length, AKIN_TOKENS_WORDS, 3, 1);
        text_clear(&t);
    }
    akin_tokenizer_clear(&tokenizer);
}

/* Random letters with marks of several classes on them. */
static uint64_t random_marked(akin_random *random, int32_t *points, uint64_t most)
{
    static const int32_t letters[] = {'e', 'H', 0x3b1, 0x1fb3, 0x1fbc, 0x1f8d, 0x37a, 0x212b, 0x1e69, 0x958, 0xff76};
    static const int32_t marks[] = {0x345, 0x301, 0x300, 0x308, 0x323, 0x327, 0x342, 0x313, 0x344, 0x93c, 0xff9e};
    uint64_t count = 1 + akin_random_below(random, most);
    for (uint64_t i = 0; i < count; i++)
        points[i] = akin_random_below(random, 4) ? marks[akin_random_below(random, sizeof marks / sizeof *marks)]
                                                 : letters[akin_random_below(random, sizeof letters / sizeof *letters)];
    return count;
}

/* Takes a string, and adds a fold of it to `to`. */
static void take_points(akin_tokenizer *tokenizer, const int32_t *points, uint64_t count, text *to)
{
    text t = {0};
    for (uint64_t i = 0; i < count; i++)
        text_add_point(&t, points[i]);
    assert_int_equal(akin_tokenizer_take(tokenizer, t.bytes, t.length, t.length), AKIN_OK);
    text_add(to, tokenizer->normal.text, tokenizer->normal.length);
    text_clear(&t);
}

/* Swaps marks that follow one another and have different classes, which is the same string to Unicode. */
static void swap_marks(akin_random *random, int32_t *points, uint64_t count)
{
    for (uint64_t swaps = 4 * count; swaps > 0 && count > 1; swaps--) {
        uint64_t i = akin_random_below(random, count - 1);
        int first = utf8proc_get_property(points[i])->combining_class;
        int second = utf8proc_get_property(points[i + 1])->combining_class;
        if (first && second && first != second) {
            int32_t point = points[i];
            points[i] = points[i + 1];
            points[i + 1] = point;
        }
    }
}

/* What is canonically equivalent comes out as one, and what has come out stays as it is. */
static void check_equivalent(akin_tokenizer *tokenizer, akin_tokens tokens, uint32_t q, int fold)
{
    enum { MOST = 12 };
    akin_random random;
    (void)tokens;
    (void)fold;
    akin_random_seed(&random, 11 + q);
    for (int i = 0; i < 3000; i++) {
        int32_t points[MOST], parts[MOST * 8];
        text first = {0}, other = {0}, again = {0};
        uint64_t count = random_marked(&random, points, MOST);
        take_points(tokenizer, points, count, &first);
        if (i % 2) {
            swap_marks(&random, points, count);
            take_points(tokenizer, points, count, &other);
        } else {
            utf8proc_ssize_t made = 0;
            for (uint64_t k = 0; k < count; k++) {
                int boundary = 0;
                made += utf8proc_decompose_char(points[k], parts + made, 8, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE,
                                                &boundary);
            }
            swap_marks(&random, parts, (uint64_t)made);
            take_points(tokenizer, parts, (uint64_t)made, &other);
        }
        assert_int_equal(first.length, other.length);
        assert_memory_equal(first.bytes, other.bytes, first.length);
        assert_int_equal(akin_tokenizer_take(tokenizer, first.bytes, first.length, first.length), AKIN_OK);
        text_add(&again, tokenizer->normal.text, tokenizer->normal.length);
        assert_int_equal(first.length, again.length);
        assert_memory_equal(first.bytes, again.bytes, first.length);
        text_clear(&first);
        text_clear(&other);
        text_clear(&again);
    }
}

static void test_equivalent(void **state)
{
    (void)state;
    with_each(check_equivalent);
}

static void test_not_utf8(void **state)
{
    static const char *const texts[] = {
        "\x80",
        "abc\xff",
        "\xc3",
        "a\xc3",
        "\xc3(",
        "\xc0\x80",
        "\xc1\xbf",
        "\xe0\x80\x80",
        "\xe0\x9f\xbf",
        "\xed\xa0\x80",
        "\xe2\x82",
        "\xe2\x82(",
        "\xf0\x80\x80\x80",
        "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf0\x9f\x98",
        "\xf8\x88\x80\x80\x80",
        "e\xcc\x81\xcc",
        "\xc3\xa9\x81",
    };
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    static akin_tokenizer tokenizer;
    (void)state;
    options.fold = 1;
    akin_tokenizer_begin(&tokenizer, akin_cpu_detect(), NULL, &options);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i]);
        assert_int_equal(akin_tokenizer_take(&tokenizer, texts[i], length, length), AKIN_E_INPUT);
    }
    assert_int_equal(akin_tokenizer_take(&tokenizer, "fine", 4, 4), AKIN_OK);
    akin_tokenizer_clear(&tokenizer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),      cmocka_unit_test(test_random),     cmocka_unit_test(test_places),
        cmocka_unit_test(test_each_point), cmocka_unit_test(test_many_marks), cmocka_unit_test(test_equivalent),
        cmocka_unit_test(test_not_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
