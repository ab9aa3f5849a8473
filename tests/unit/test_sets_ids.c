/* The parser of `ids` text against an obviously right one, at every SIMD level, and its messages. */
#include "base/context.h"
#include "test_sets_support.h"

#include "sets/ids.h"

/* ----------------------------------------------------------------------------------------------------------- oracle */

/* What the oracle says of a text: the rows, ascending without repetitions, as text; or the line that is wrong. */
typedef struct verdict {
    text rows;
    uint64_t bad_line; /* 0: none */
} verdict;

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Reads one line, without its line feed, byte by byte. Returns 0 if it is wrong. */
static int oracle_line(const char *line, size_t length, text *rows)
{
    uint64_t *tokens = malloc((length + 1) * sizeof *tokens);
    size_t count = 0, i = 0;
    int good = tokens != NULL;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    while (good && i < length) {
        if (line[i] == ' ' || line[i] == '\t') {
            i++;
            continue;
        }
        uint64_t value = 0;
        for (; good && i < length && line[i] != ' ' && line[i] != '\t'; i++) {
            good = line[i] >= '0' && line[i] <= '9';
            value = value * 10 + (uint64_t)(unsigned char)line[i] - '0';
            good = good && value <= UINT32_MAX;
        }
        tokens[count++] = value;
    }
    if (count > 0)
        qsort(tokens, count, sizeof *tokens, ascending);
    for (i = 0; good && i < count; i++) {
        if (i > 0 && tokens[i] == tokens[i - 1])
            continue;
        text_add_string(rows, i ? " " : "");
        text_add_number(rows, tokens[i]);
    }
    text_add_string(rows, "\n");
    free(tokens);
    return good;
}

static verdict oracle(const char *bytes, size_t length)
{
    verdict v = {0};
    text_add(&v.rows, "", 0);
    for (size_t at = 0, line = 1; at < length; line++) {
        size_t end = at;
        while (end < length && bytes[end] != '\n')
            end++;
        if (!oracle_line(bytes + at, end - at, &v.rows)) {
            v.bad_line = line;
            return v;
        }
        at = end + 1;
    }
    return v;
}

/* ---------------------------------------------------------------------------------------------------------- parsing */

/* Parses a text in blocks of whole lines that are longer than `block` bytes. Each block is in memory of its own, so
 * that a sanitizer sees what is read outside. */
static akin_status parse(akin_cpu cpu, const char *bytes, size_t length, size_t block, akin_sets **out,
                         akin_error *error)
{
    akin_ids ids;
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = cpu}};
    akin_status status = akin_ids_begin(&ids, akin_scope_of(&context), "data.txt", error);
    for (size_t at = 0; status == AKIN_OK && at < length;) {
        size_t end = length - at < block ? length : at + block;
        while (end < length && bytes[end - 1] != '\n')
            end++;
        char *copy = malloc(end - at);
        assert_non_null(copy);
        memcpy(copy, bytes + at, end - at);
        status = akin_ids_add(&ids, copy, end - at, error);
        free(copy);
        at = end;
    }
    if (status == AKIN_OK)
        status = akin_ids_finish(&ids, out, error);
    akin_ids_clear(&ids);
    return status;
}

static void check_block(const char *bytes, size_t length, size_t block)
{
    verdict v = oracle(bytes, length);
    char where[64];
    snprintf(where, sizeof where, "data.txt:%llu: ", (unsigned long long)v.bad_line);
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
        akin_error error;
        akin_sets *sets = NULL;
        akin_status status = parse((akin_cpu)cpu, bytes, length, block, &sets, &error);
        if (v.bad_line) {
            assert_int_equal(status, AKIN_E_INPUT);
            assert_null(sets);
            if (strncmp(error.message, where, strlen(where)) != 0)
                fail_msg("'%s' does not begin with '%s'", error.message, where);
        } else {
            assert_int_equal(status, AKIN_OK);
            assert_sets_valid(sets);
            assert_sets_text(sets, v.rows.bytes);
            akin_sets_free(sets);
        }
    }
    text_clear(&v.rows);
}

static void check(const char *bytes, size_t length)
{
    check_block(bytes, length, SIZE_MAX / 2);
}

static void check_string(const char *string)
{
    check(string, strlen(string));
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void test_small_texts(void **state)
{
    static const char *const texts[] = {
        "",
        "\n",
        "1",
        "1\n",
        "1 2 3",
        "3 2 1\n",
        "1 1 1\n",
        "\n\n\n",
        " ",
        "\t\n",
        " 1\t2 ",
        "1\n\n2",
        "1\r\n2\r\n",
        "1\r",
        "\r\n",
        "\r",
        "1 \r\n",
        "1\r2\n",
        "\r\r\n",
        "007 7\n",
        "0 00 000\n",
        "a",
        "1\nb\n",
        "-1\n",
        "+1\n",
        "1.5\n",
        "1,2\n",
        "1 2x 3\n",
        "\v1\n",
        "1\f2\n",
        "1\n\r2\n",
        "5 \r\r",
        "4294967295\n",
        "4294967296\n",
        "9999999999\n",
        "99999999",
        "00000000000001",
        "12345678 87654321 1234567 123456789\n",
        "4294967295 0 4294967295\n",
        "18446744073709551617\n",
        "1 2\n3 4\n 5 18446744073709551616 x\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_string(texts[i]);
    check("1\0002\n", 4);
    check("\0", 1);
    check("1\n\n\n\n\200\n", 7);
}

/* A token of each length at each place of two groups, and at the end of the text. */
static void test_every_place(void **state)
{
    static const char digits[] = "4096183572946";
    static const size_t lengths[] = {1, 4, 7, 8, 9, 10, 13};
    (void)state;
    for (size_t before = 0; before <= 130; before++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            size_t length = lengths[i];
            char line[256];
            memset(line, before % 2 ? ' ' : '\t', before);
            memcpy(line + before, digits, length);
            check(line, before + length);
            memcpy(line + before + length, "\n17 4\n", 6);
            check(line, before + length + 6);
            line[before / 2] = '\n';
            check(line, before + length + 6);
            for (size_t j = 0; j < before; j++) /* "0 0 0 ..." */
                line[j] = j % 2 ? ' ' : '0';
            check(line, before + length + 6);
        }
}

/* A byte of each value at places in each quarter of a group, and around it. */
static void test_every_byte(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++)
        for (size_t at = (size_t)byte % 5; at < 70; at += 5) {
            char line[80] = "12 345 6 7890 23 45678 9 0 12 345 6 7890 23\n5678 9 0 12 345 6 7890 23 5678 9 0\n";
            line[at] = (char)byte;
            check(line, strlen(line) > 70 ? strlen(line) : 79);
        }
}

static void test_carriage_returns(void **state)
{
    (void)state;
    for (size_t before = 0; before < 140; before++) {
        text t = {0};
        for (size_t i = 0; i < before; i++)
            text_add_string(&t, "7");
        for (size_t i = 7; i < before; i += 8)
            t.bytes[i] = ' ';
        text_add_string(&t, "\r");
        check(t.bytes, t.length); /* at the end of the text */
        text_add_string(&t, "\n");
        check(t.bytes, t.length);
        text_add_string(&t, "8\r\n\r\n9");
        check(t.bytes, t.length);
        t.bytes[before + 1] = ' '; /* no longer before a line feed */
        check(t.bytes, t.length);
        text_clear(&t);
    }
}

/* Numbers around powers of ten and of two, with zeros before them, in lines of many. */
static void test_values(void **state)
{
    text t = {0};
    (void)state;
    for (uint64_t power = 1; power <= 10000000000u; power *= 10)
        for (int64_t delta = -2; delta <= 2; delta++)
            for (size_t zeros = 0; zeros < 12; zeros++) {
                uint64_t value = power + (uint64_t)delta;
                if ((int64_t)value < 0 || value > UINT32_MAX)
                    continue;
                text_add(&t, "000000000000", zeros);
                text_add_number(&t, value);
                text_add_string(&t, delta == 0 ? "\n" : " ");
            }
    for (unsigned bit = 0; bit < 32; bit++) {
        text_add_number(&t, (UINT64_C(1) << bit) - 1);
        text_add_string(&t, " ");
        text_add_number(&t, UINT64_C(1) << bit);
        text_add_string(&t, "\n");
    }
    check(t.bytes, t.length);
    check_block(t.bytes, t.length, 1);
    text_add_string(&t, "5 4294967296");
    check(t.bytes, t.length);
    text_clear(&t);
}

static void add_random_token(text *t, akin_random *random, unsigned kind)
{
    uint64_t bound = kind % 4 == 0 ? 10 : kind % 4 == 1 ? 5000 : kind % 4 == 2 ? 100000000 : UINT64_C(1) << 32;
    text_add_number(t, akin_random_below(random, akin_random_below(random, bound) + 1));
}

/* Random texts; every fourth has one byte replaced by another. */
static void test_random_texts(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 2024);
    for (unsigned round = 0; round < 1000; round++) {
        text t = {0};
        size_t pieces = (size_t)akin_random_below(&random, 120) + 1;
        for (size_t i = 0; i < pieces; i++) {
            static const char *const gaps[] = {" ", " ", " ", " ", "\t", "  ", "\n", "\r\n", "\n\n", " \n"};
            add_random_token(&t, &random, round);
            text_add_string(&t, gaps[akin_random_below(&random, round % 5 ? 10 : 5)]);
        }
        if (round % 4 == 3)
            t.bytes[akin_random_below(&random, t.length)] = (char)akin_random_below(&random, round % 8 == 3 ? 256 : 64);
        check(t.bytes, t.length);
        check_block(t.bytes, t.length, (size_t)akin_random_below(&random, t.length) + 1);
        text_clear(&t);
    }
}

/* Rows in order, with rows that are not here and there: only these are rearranged, and the others moved up. */
static void test_unordered_blocks(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 7);
    for (unsigned round = 0; round < 100; round++) {
        text t = {0};
        for (unsigned row = 0; row < 40; row++) {
            uint64_t token = akin_random_below(&random, 1000);
            uint64_t size = akin_random_below(&random, 12);
            for (uint64_t i = 0; i < size; i++, token += 1 + akin_random_below(&random, 50)) {
                text_add_number(&t, token);
                text_add_string(&t, " ");
            }
            if (akin_random_below(&random, 30) == 0) {
                text_add_number(&t, akin_random_below(&random, 1000));
                text_add_string(&t, " 1000000 1000000");
            }
            text_add_string(&t, "\n");
        }
        check(t.bytes, t.length);
        check_block(t.bytes, t.length, 200);
        text_clear(&t);
    }
}

/* More rows and tokens than there is room for at first, in one line and in many. */
static void test_growing(void **state)
{
    text t = {0};
    (void)state;
    for (unsigned i = 0; i < 40000; i++) {
        text_add_number(&t, i * 7u);
        text_add_string(&t, " ");
    }
    check(t.bytes, t.length);
    for (size_t i = 0; i < t.length; i++)
        if (t.bytes[i] == ' ')
            t.bytes[i] = '\n';
    check(t.bytes, t.length);
    check_block(t.bytes, t.length, 1000);
    memset(t.bytes, '\n', t.length);
    check(t.bytes, t.length);
    memset(t.bytes, '0', t.length);
    check(t.bytes, t.length);
    text_clear(&t);
}

static void assert_message(const char *bytes, size_t length, const char *expected)
{
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
        akin_error error;
        akin_sets *sets = NULL;
        assert_int_equal(parse((akin_cpu)cpu, bytes, length, 1, &sets, &error), AKIN_E_INPUT);
        assert_int_equal(error.code, AKIN_E_INPUT);
        assert_string_equal(error.message, expected);
        assert_int_equal(parse((akin_cpu)cpu, bytes, length, 1, &sets, NULL), AKIN_E_INPUT);
    }
}

static void test_messages(void **state)
{
    static const struct {
        const char *bytes;
        const char *message;
    } cases[] = {
        {"1 2\nfive 6\n", "data.txt:2: 'five' is not a token id (a number from 0 to 4294967295)"},
        {"-1\n", "data.txt:1: '-1' is not a token id (a number from 0 to 4294967295)"},
        {"1\n\n3 4,5 6", "data.txt:3: '4,5' is not a token id (a number from 0 to 4294967295)"},
        {"1\r2\n", "data.txt:1: '1\\x0d2' is not a token id (a number from 0 to 4294967295)"},
        {"\r\r\n", "data.txt:1: '\\x0d' is not a token id (a number from 0 to 4294967295)"},
        {"\xef\xbb\xbf"
         "1\n",
         "data.txt:1: begins with a UTF-8 byte order mark (bytes ef bb bf): save it without one"},
        {"1\n\xef\xbb\xbf"
         "2\n",
         "data.txt:2: '\\xef\\xbb\\xbf2' is not a token id (a number from 0 to 4294967295)"},
        {"1\n99999999999\n", "data.txt:2: token 99999999999 does not fit 32 bits (0 to 4294967295)"},
        {"4294967296 x\n", "data.txt:1: token 4294967296 does not fit 32 bits (0 to 4294967295)"},
        {"x 4294967296\n", "data.txt:1: 'x' is not a token id (a number from 0 to 4294967295)"},
        {"111111111111111111111111\n",
         "data.txt:1: token 111111111111111111111111 does not fit 32 bits (0 to 4294967295)"},
        {"1111111111111111111111112\n",
         "data.txt:1: token 111111111111111111111111... does not fit 32 bits (0 to 4294967295)"},
        {"a long word that is followed by more\n", "data.txt:1: 'a' is not a token id (a number from 0 to 4294967295)"},
        {"abcdefghijklmnopqrstuvwxyz\n",
         "data.txt:1: 'abcdefghijklmnopqrstuvwx...' is not a token id (a number from 0 to 4294967295)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_message(cases[i].bytes, strlen(cases[i].bytes), cases[i].message);
    assert_message("1 \0\n", 4, "data.txt:1: '\\x00' is not a token id (a number from 0 to 4294967295)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_texts),      cmocka_unit_test(test_every_place),
        cmocka_unit_test(test_every_byte),       cmocka_unit_test(test_carriage_returns),
        cmocka_unit_test(test_values),           cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_unordered_blocks), cmocka_unit_test(test_growing),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
