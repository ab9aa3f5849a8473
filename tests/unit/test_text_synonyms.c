/* Synonyms: what is read and refused, examples of values that are rewritten, and random ones against the oracle. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "text/rewriter.h"

static akin_synonyms *read_text(const char *text)
{
    akin_synonyms *synonyms = NULL;
    assert_int_equal(akin_synonyms_create(&synonyms, NULL), AKIN_OK);
    assert_int_equal(akin_synonyms_add(synonyms, "text", text, strlen(text), NULL), AKIN_OK);
    return synonyms;
}

/* --------------------------------------------------------------------------------------------------------- reading */

static void check_entries(const char *text, const char *const *expected)
{
    akin_synonyms *s = read_text(text);
    uint64_t i = 0;
    for (; expected[i]; i++) {
        char entry[100];
        assert_true(i < s->count);
        snprintf(entry, sizeof entry, "%s%.*s", s->entries[i].is_first ? "*" : "", (int)s->entries[i].length,
                 s->text + s->entries[i].begin);
        assert_string_equal(entry, expected[i]);
    }
    assert_int_equal(s->count, i);
    akin_synonyms_free(s);
}

static void reading(void **state)
{
    (void)state;
    check_entries("", (const char *const[]){NULL});
    check_entries("a,b\nc;d\te\n", (const char *const[]){"*a", "b", "*c", "d", "e", NULL});
    check_entries("\xef\xbb\xbf a , b c \r\n\r\n#x,y\n,,d,", (const char *const[]){"*a", "b c", "*d", NULL});
    check_entries("\"a, b\" ,\"c \"\"d\"\"\"\n\"#\xc3\xa9\"",
                  (const char *const[]){"*a, b", "c \"d\"", "*#\xc3\xa9", NULL});
}

static void refusals(void **state)
{
    static const char *const refused[][2] = {
        {"a,b\nc,\"d\n", "names.txt:2: a quote is not closed"},
        {"\"a\"b", "names.txt:1: something follows a quote"},
        {"a,&", "names.txt:1: '&' has no letters and no digits"},
        {"a,b\n\xff", "names.txt:2: is not valid UTF-8"},
    };
    static const char nul[] = "a,b\0c\n";
    akin_synonyms *s = read_text("x,y\n");
    akin_error error;
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(akin_synonyms_add(s, "names.txt", refused[i][0], strlen(refused[i][0]), &error), AKIN_E_INPUT);
        assert_string_equal(error.message, refused[i][1]);
    }
    assert_int_equal(akin_synonyms_add(s, "names.txt", nul, sizeof nul - 1, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "NUL byte"));
    assert_int_equal(akin_synonyms_add(s, "names.txt", "", UINT64_MAX, &error), AKIN_E_LIMIT);
    assert_int_equal(s->count, 2); /* as before */
    assert_int_equal(s->length, 2);
    akin_synonyms_free(s);
}

/* -------------------------------------------------------------------------------------------------------- examples */

/* What becomes of a value that is folded first. */
static char *rewrite(const akin_synonyms *synonyms, uint32_t folds, const char *value, size_t length)
{
    akin_forms forms;
    akin_folder folder;
    akin_rewriter rewriter;
    assert_int_equal(akin_forms_make(NULL, synonyms, folds, &forms, NULL), AKIN_OK);
    akin_folder_begin(&folder, NULL, folds);
    akin_rewriter_begin(&rewriter, NULL, &forms);
    for (int again = 0; again < 2; again++) { /* what was taken before leaves no trace */
        assert_int_equal(akin_folder_take(&folder, value, length), AKIN_OK);
        assert_int_equal(akin_rewriter_take(&rewriter, folder.text, folder.length), AKIN_OK);
    }
    char *made = calloc(rewriter.length + 1, 1);
    assert_non_null(made);
    memcpy(made, rewriter.text, rewriter.length);
    akin_rewriter_clear(&rewriter);
    akin_folder_clear(&folder);
    akin_forms_clear(&forms);
    return made;
}

static void examples(void **state)
{
    static const char names[] =
        "William,Bill,will\nalexander,alex\nalexandra,alex,sandra\nbill,billy\n"
        "united kingdom,UK,u.k.,Great Britain\nstreet,st\nz\xc3\xbcrich,zurigo\nnew york";
    static const struct {
        const char *value, *expected;
        uint32_t folds;
    } cases[] = {
        {"Bill Smith", "William Smith", 0},
        {"smith,BILL;will", "smith,William;William", 0},
        {"Bill", "william", AKIN_FOLD_ALL},
        {"billy william", "William William", 0}, /* the group of bill follows that of William */
        {"Bills Will-o", "Bills William-o", 0},
        {"alex sandra alexandra", "alexander alexandra alexandra", 0}, /* alex follows its first line */
        {"UK", "united kingdom", 0},
        {"U.K., London", "united kingdom, London", 0},
        {"united  KINGDOM!", "united kingdom!", 0},
        {"united, kingdom united", "united kingdom united", 0},
        {"kingdom united", "kingdom united", 0},
        {"12 High St., York", "12 High street, York", 0},
        {"St.Mary www.st.com", "street.Mary www.street.com", 0},
        {"great britain st. new york st", "united kingdom street new york street", 0},
        {"Z\xc3\x9cRICH Zu\xcc\x88rich", "z\xc3\xbcrich z\xc3\xbcrich", 0},
        {"Zurich", "Zurich", 0},
        {"Zurigo Zurich", "zurich zurich", AKIN_FOLD_ALL},
        {"", "", 0},
        {"...", "...", 0},
    };
    akin_synonyms *synonyms = read_text(names);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *made = rewrite(synonyms, cases[i].folds, cases[i].value, strlen(cases[i].value));
        assert_string_equal(made, cases[i].expected);
        free(made);
    }
    akin_synonyms_free(synonyms);
}

/* Lines that follow one another in a circle, or by their first entries, in any order, are one group. */
static void chains(void **state)
{
    static const char *const texts[] = {"a,b\nb,c\nc,a", "b,c\na,b", "c,a\nb,c", "a,b\na,c", "a,b,a\nc,a"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        akin_synonyms *synonyms = read_text(texts[i]);
        char *made = rewrite(synonyms, 0, "a b c", 5);
        assert_true(made[0] == made[2] && made[2] == made[4]);
        free(made);
        akin_synonyms_free(synonyms);
    }
}

/* An entry that folds remove is no entry. */
static void vanished(void **state)
{
    akin_synonyms *synonyms = read_text("\xcc\x81,a\nb,\xcc\x81,c");
    char *made = rewrite(synonyms, AKIN_FOLD_ALL, "a c", 3);
    (void)state;
    assert_string_equal(made, "a b");
    free(made);
    akin_synonyms_free(synonyms);
}

static void keep_warning(void *user, const char *text)
{
    snprintf(user, 400, "%s", text);
}

static void warnings(void **state)
{
    char text[400] = "";
    akin_synonyms *synonyms = read_text("a,b\na,b,c\nb,c\nb,a\n");
    (void)state;
    akin_synonyms_warn(synonyms, "column 'x'", keep_warning, text);
    assert_string_equal(text, "");
    akin_synonyms_free(synonyms);
    synonyms = read_text("pat rick,Pat\npatricia,pat,b\nx,B\ny,PAT");
    akin_synonyms_warn(synonyms, "column 'x'", keep_warning, text);
    assert_non_null(strstr(text,
                           "column 'x': 'pat' and 1 other entry are in several lines of the synonyms, and follow "
                           "the first one alone"));
    akin_synonyms_free(synonyms);
    synonyms = read_text("a,b\nc,b");
    akin_synonyms_warn(synonyms, NULL, keep_warning, text);
    assert_non_null(strstr(text, "'b' is in several lines of the synonyms, and follows the first one alone"));
    akin_synonyms_free(synonyms);
}

/* ---------------------------------------------------------------------------------------------------------- oracle */

#define LINES   6
#define ENTRIES 4
#define WORDS   3
#define LETTERS 5

/* An entry: words of one letter, with blanks between, and the entry that it follows; itself: none. */
typedef struct entry {
    char words[2 * WORDS];
    const char *follows;
} entry;

typedef struct book {
    entry entries[LINES * ENTRIES];
    size_t count;
} book;

static entry *entry_of(book *b, const char *words)
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->entries[i].words, words) == 0)
            return &b->entries[i];
    return NULL;
}

static const char *form_of(book *b, const char *words)
{
    while (entry_of(b, words)->follows != words && entry_of(b, words)->follows)
        words = entry_of(b, words)->follows;
    return words;
}

/* Draws lines, and what they mean. */
static void draw_lines(akin_random *random, char *text, book *b)
{
    const size_t lines = 1 + akin_random_below(random, LINES);
    *b = (book){.count = 0};
    *text = '\0';
    for (size_t l = 0; l < lines; l++) {
        char first[2 * WORDS] = "";
        const size_t entries = 1 + akin_random_below(random, ENTRIES);
        for (size_t e = 0; e < entries; e++) {
            char words[2 * WORDS] = "";
            const size_t count = 1 + akin_random_below(random, WORDS);
            for (size_t w = 0; w < count; w++)
                sprintf(words + strlen(words), "%s%c", w ? " " : "", (int)('a' + akin_random_below(random, LETTERS)));
            sprintf(text + strlen(text), "%s%s%s", e ? "," : "", words, e + 1 == entries ? "\n" : "");
            if (!entry_of(b, words))
                memcpy(b->entries[b->count++].words, words, strlen(words) + 1);
            if (e == 0)
                memcpy(first, words, sizeof first);
            else if (!entry_of(b, words)->follows && strcmp(form_of(b, first), words) != 0)
                entry_of(b, words)->follows = entry_of(b, first)->words;
        }
    }
}

/* Rewrites a value of words of one letter, with one byte between two of them. */
static void rewrite_plainly(book *b, const char *value, char *to)
{
    const size_t words = (strlen(value) + 1) / 2;
    *to = '\0';
    for (size_t w = 0; w < words;) {
        size_t count = words - w < WORDS ? words - w : WORDS;
        char found[2 * WORDS];
        for (; count > 0; count--) {
            snprintf(found, sizeof found, "%.*s", (int)(2 * count - 1), value + 2 * w);
            for (char *c = found; *c; c++)
                *c = isalpha((unsigned char)*c) ? (char)tolower((unsigned char)*c) : ' ';
            if (entry_of(b, found))
                break;
        }
        if (count > 0)
            sprintf(to + strlen(to), "%s", form_of(b, found));
        else
            strncat(to, value + 2 * w, 1);
        w += count ? count : 1;
        if (w < words)
            strncat(to, value + 2 * w - 1, 1);
    }
}

static void random_values(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 11);
    for (int round = 0; round < 3000; round++) {
        char text[1000], value[40] = "", expected[1000];
        book b;
        draw_lines(&random, text, &b);
        akin_synonyms *synonyms = read_text(text);
        const size_t words = 1 + akin_random_below(&random, 12);
        for (size_t w = 0; w < words; w++) {
            const size_t at = strlen(value);
            if (w > 0)
                value[at] = " ,-"[akin_random_below(&random, 3)];
            value[at + (w > 0)] =
                (char)((akin_random_below(&random, 4) ? 'a' : 'A') + (char)akin_random_below(&random, LETTERS + 1));
        }
        rewrite_plainly(&b, value, expected);
        char *made = rewrite(synonyms, 0, value, strlen(value));
        assert_string_equal(made, expected);
        free(made);
        akin_synonyms_free(synonyms);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading),      cmocka_unit_test(refusals),
                                       cmocka_unit_test(examples),     cmocka_unit_test(chains),
                                       cmocka_unit_test(vanished),     cmocka_unit_test(warnings),
                                       cmocka_unit_test(random_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
