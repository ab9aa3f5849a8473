/* Texts folded: examples, random ones against the oracle, and that folding once more changes nothing. */
#include "test_text_support.h"

#include "text/fold.h"

/* ----------------------------------------------------------------------------------------------------------- oracle */

static int is_one_of(int32_t point, const int32_t *points)
{
    while (*points && *points != point)
        points++;
    return *points != 0;
}

static const int32_t apostrophes[] = {0x27,  0x60,   0xb4,   0x2b9,  0x2bb,  0x2bc,  0x2bd, 0x2be,
                                      0x2bf, 0x2018, 0x2019, 0x201b, 0x2032, 0xff07, 0};

static const char *const letters[][2] = {
    {"\xc3\x86", "AE"}, {"\xc3\x90", "D"},  {"\xc3\x98", "O"},  {"\xc3\x9e", "TH"}, {"\xc3\x9f", "ss"},
    {"\xc3\xa6", "ae"}, {"\xc3\xb0", "d"},  {"\xc3\xb8", "o"},  {"\xc3\xbe", "th"}, {"\xc4\x90", "D"},
    {"\xc4\x91", "d"},  {"\xc4\xa6", "H"},  {"\xc4\xa7", "h"},  {"\xc4\xb1", "i"},  {"\xc5\x81", "L"},
    {"\xc5\x82", "l"},  {"\xc5\x92", "OE"}, {"\xc5\x93", "oe"}, {"\xc5\xa6", "T"},  {"\xc5\xa7", "t"},
    {"\xc5\xbf", "s"},  {NULL, NULL},
};

/* Adds a code point, decomposed and without accents. */
static void add_unaccented(text *to, const utf8proc_uint8_t *bytes, utf8proc_ssize_t size)
{
    utf8proc_uint8_t *parts = NULL;
    utf8proc_ssize_t count = utf8proc_map(bytes, size, &parts, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE), length;
    assert_true(count > 0 || (count == 0 && bytes[0] == 0));
    for (utf8proc_ssize_t at = 0; at < count; at += length) {
        int32_t point;
        length = utf8proc_iterate(parts + at, count - at, &point);
        int class = utf8proc_get_property(point)->combining_class, known = 0;
        if ((class >= 10 && class <= 35) || class >= 200 || strcmp(utf8proc_category_string(point), "Me") == 0)
            continue;
        while (letters[known][0] && strncmp(letters[known][0], (const char *)parts + at, (size_t)length) != 0)
            known++;
        if (point == 0x1e9e)
            text_add(to, "SS", 2);
        else if (point >= 0x80 && letters[known][0])
            text_add(to, letters[known][1], strlen(letters[known][1]));
        else
            text_add(to, (const char *)parts + at, (size_t)length);
    }
    free(parts);
}

/* Leaves one blank of several, and none at the ends. */
static void squeeze(text *t)
{
    size_t to = 0;
    for (size_t i = 0; i < t->length; i++)
        if (t->bytes[i] != ' ' || (to > 0 && t->bytes[to - 1] != ' '))
            t->bytes[to++] = t->bytes[i];
    t->length = to - (to > 0 && t->bytes[to - 1] == ' ');
}

static char *fold_plainly(const char *bytes, size_t length, uint32_t folds, size_t *made)
{
    text t = {0};
    size_t count;
    int fold_case = (folds & AKIN_FOLD_CASE) != 0, gone = 0;
    char *normal = oracle_normalise(bytes, length, AKIN_TOKENS_QGRAMS, fold_case, &count);
    text_add(&t, "", 0);
    for (size_t at = 0, size; at < count; at += size) {
        const utf8proc_uint8_t *from = (const utf8proc_uint8_t *)normal + at;
        int32_t point;
        size = (size_t)utf8proc_iterate(from, (utf8proc_ssize_t)(count - at), &point);
        const char *category = utf8proc_category_string(point);
        int apostrophe = is_one_of(point, apostrophes), mark = *category == 'M';
        if ((folds & AKIN_FOLD_BLANKS) && utf8proc_get_property(point)->ignorable)
            continue;
        gone =
            (folds & AKIN_FOLD_PUNCTUATION) && (*category == 'P' || *category == 'S' || apostrophe || (gone && mark));
        if (gone && (apostrophe || mark))
            continue;
        if (gone || ((folds & AKIN_FOLD_BLANKS) && (*category == 'Z' || strcmp(category, "Cc") == 0)))
            text_add(&t, " ", 1);
        else if (folds & AKIN_FOLD_ACCENTS)
            add_unaccented(&t, from, (utf8proc_ssize_t)size);
        else
            text_add(&t, (const char *)from, size);
    }
    if (folds & AKIN_FOLD_BLANKS)
        squeeze(&t);
    char *folded = oracle_normalise(t.bytes, t.length, AKIN_TOKENS_QGRAMS, fold_case, made);
    free(normal);
    free(t.bytes);
    return folded;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void becomes(uint32_t folds, const char *from, const char *to)
{
    akin_folder folder;
    akin_folder_begin(&folder, NULL, folds);
    assert_int_equal(akin_folder_take(&folder, from, strlen(from)), AKIN_OK);
    if (folder.length != strlen(to) || memcmp(folder.text, to, folder.length) != 0)
        fail_msg("'%s' folded by %u is '%.*s', not '%s'", from, folds, (int)folder.length, folder.text, to);
    akin_folder_clear(&folder);
}

static void examples(void **state)
{
    (void)state;
    becomes(AKIN_FOLD_CASE, "O'Neill-STRASSE ", "o'neill-strasse ");
    becomes(AKIN_FOLD_CASE,
            "Stra\xc3\x9f"
            "e \xc3\x89T\xc3\x89",
            "strasse \xc3\xa9t\xc3\xa9");
    becomes(AKIN_FOLD_CASE, "e\xcc\x81", "\xc3\xa9"); /* in normal form C */
    becomes(AKIN_FOLD_ACCENTS, "\xc3\x89T\xc3\x89 nai\xcc\x88ve", "ETE naive");
    becomes(AKIN_FOLD_ACCENTS,
            "\xc5\x81\xc3\xb3"
            "d\xc5\xba K\xc3\xb8"
            "ge \xc3\x86sir Stra\xc3\x9f"
            "e \xc3\x9e\xc3\xb3r",
            "Lodz Koge AEsir Strasse THor");
    becomes(AKIN_FOLD_ACCENTS, "\xd7\xa9\xd6\xb8\xd7\x9c\xd7\x95\xd6\xb9\xd7\x9d", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d");
    becomes(AKIN_FOLD_ACCENTS, "\xe3\x81\x8c", "\xe3\x81\x8c");                         /* GA is not KA */
    becomes(AKIN_FOLD_ACCENTS, "\xe0\xb8\x81\xe0\xb8\xb8", "\xe0\xb8\x81\xe0\xb8\xb8"); /* nor has Thai accents */
    becomes(AKIN_FOLD_ACCENTS, "\xea\xb0\x81", "\xea\xb0\x81");                         /* Hangul stays composed */
    becomes(AKIN_FOLD_PUNCTUATION, "O'Neill, (J.)", "ONeill   J  ");
    becomes(AKIN_FOLD_PUNCTUATION,
            "d\xe2\x80\x99\xc3\x89on\xe2\x80\x94"
            "b",
            "d\xc3\x89on b");
    becomes(AKIN_FOLD_PUNCTUATION,
            "a=\xcc\xb8"
            "b",
            "a b"); /* with the mark that is on it */
    becomes(AKIN_FOLD_BLANKS, " \t a \r\n\xc2\xa0 b\xe3\x80\x80", "a b");
    becomes(AKIN_FOLD_BLANKS,
            "\xef\xbb\xbf"
            "an\xc2\xad"
            "na\xe2\x80\x8b",
            "anna");
    becomes(AKIN_FOLD_ALL, " O'N\xc3\x89ill,  Ann-Marie ", "oneill ann marie");
    becomes(AKIN_FOLD_ALL, " - . ", "");
    becomes(AKIN_FOLD_ALL, "\xe2\x80\x94", "");
    becomes(AKIN_FOLD_ALL, "", "");
    becomes(0, " A\xcc\x81", " \xc3\x81");
}

static void not_text(void **state)
{
    static const char *const texts[] = {"\xff", "a\xc3", "\xed\xa0\x80"};
    akin_folder folder;
    (void)state;
    akin_folder_begin(&folder, NULL, AKIN_FOLD_ALL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(akin_folder_take(&folder, texts[i], strlen(texts[i])), AKIN_E_INPUT);
    assert_int_equal(akin_folder_take(&folder, "A\0B ", 4), AKIN_OK); /* a NUL is a control character */
    assert_int_equal(folder.length, 3);
    assert_memory_equal(folder.text, "a b", 3);
    akin_folder_clear(&folder);
    akin_folder_begin(&folder, NULL, AKIN_FOLD_PUNCTUATION);
    assert_int_equal(akin_folder_take(&folder, "a\0'b", 4), AKIN_OK);
    assert_int_equal(folder.length, 3);
    assert_memory_equal(folder.text, "a\0b", 3);
    akin_folder_clear(&folder);
}

/* Against the oracle, and once more. */
static void check(akin_folder *folder, const char *bytes, size_t length)
{
    size_t made;
    char *own = malloc(length ? length : 1); /* a block of its own, so that reading beyond it shows */
    assert_non_null(own);
    memcpy(own, bytes, length);
    char *expected = fold_plainly(bytes, length, folder->folds, &made);
    assert_int_equal(akin_folder_take(folder, own, length), AKIN_OK);
    assert_int_equal(folder->length, made);
    assert_memory_equal(folder->text, expected, made);
    assert_int_equal(akin_folder_take(folder, expected, made), AKIN_OK);
    assert_int_equal(folder->length, made);
    assert_memory_equal(folder->text, expected, made);
    free(expected);
    free(own);
}

static void random_texts(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 7);
    for (uint32_t folds = 0; (folds & ~(uint32_t)AKIN_FOLD_ALL) == 0; folds++) {
        akin_folder folder;
        akin_folder_begin(&folder, NULL, folds);
        for (int i = 0; i < 3000; i++) {
            text t = random_text(&random, i % 10 ? 12 : 80);
            check(&folder, t.bytes, t.length);
            free(t.bytes);
        }
        akin_folder_clear(&folder);
    }
}

/* Each code point, alone and between letters and marks. */
static void every_code_point(void **state)
{
    akin_folder folders[3];
    const uint32_t folds[] = {AKIN_FOLD_ALL, AKIN_FOLD_ALL & ~AKIN_FOLD_CASE, AKIN_FOLD_CASE | AKIN_FOLD_ACCENTS};
    (void)state;
    for (int i = 0; i < 3; i++)
        akin_folder_begin(&folders[i], NULL, folds[i]);
    for (int32_t point = 0; point <= 0x10ffff; point += point < 0x3100 || point > 0xa000 ? 1 : 37) {
        text t = {0};
        if (point == 0xd800)
            point = 0xe000;
        if (point == 0x20000)
            point = 0xe0000;
        if (point == 0xe1000)
            break;
        text_add(&t, "A", 1);
        text_add_point(&t, point);
        text_add(&t, "\xcc\xa3\xcc\x81 b", 6);
        check(&folders[point % 3], t.bytes, t.length);
        check(&folders[point % 3], t.bytes + 1, t.length - 7);
        free(t.bytes);
    }
    for (int i = 0; i < 3; i++)
        akin_folder_clear(&folders[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(not_text),
                                       cmocka_unit_test(random_texts), cmocka_unit_test(every_code_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
