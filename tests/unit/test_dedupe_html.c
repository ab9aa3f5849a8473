/* Text of others in HTML: whatever it is, it stays text, and as long as it is allowed to be. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>

#include "report/html.h"
#include "unit/test_base_files.h"

#define ROOM 4096

static char written[ROOM];
static akin_html html;

static void begin(void)
{
    html = (akin_html){.status = AKIN_OK};
    assert_int_equal(akin_output_open(NULL, scratch_path("text"), &html.output, NULL), AKIN_OK);
}

/* What was written since. */
static const char *end(void)
{
    assert_int_equal(html.status, AKIN_OK);
    assert_int_equal(akin_output_commit(html.output, NULL), AKIN_OK);
    FILE *file = fopen(scratch_path("text"), "rb");
    assert_non_null(file);
    written[fread(written, 1, ROOM - 1, file)] = '\0';
    fclose(file);
    return written;
}

static void becomes(const char *text, size_t length, const char *expected)
{
    begin();
    akin_html_text(&html, text, length);
    assert_string_equal(end(), expected);
}

#define BECOMES(text, expected) becomes(text, sizeof(text) - 1, expected)

static void text(void **state)
{
    (void)state;
    BECOMES("", "");
    BECOMES("plain, \xc3\xa4 and \xf0\x9f\x91\xa9", "plain, \xc3\xa4 and \xf0\x9f\x91\xa9");
    BECOMES("</script><b a=\"1\" c='2'>&amp;", "&lt;/script&gt;&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
    BECOMES("a\tb\nc", "a\tb\nc");
    BECOMES("a\rb",
            "a\xe2\x90\x8d"
            "b");
    BECOMES("\x01\x1f\x7f", "\xe2\x90\x81\xe2\x90\x9f\xe2\x90\xa1");
    BECOMES("a\0b",
            "a\xe2\x90\x80"
            "b");
    BECOMES("\xc2\x80\xc2\x9f\xc2\xa0", "\xef\xbf\xbd\xef\xbf\xbd\xc2\xa0");                     /* C1, and a blank */
    BECOMES("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae", "\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae");     /* separators, RLO */
    BECOMES("\xff<\xc3", "\xef\xbf\xbd&lt;\xef\xbf\xbd");                                        /* not UTF-8 */
    BECOMES("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");                             /* a surrogate */
    BECOMES("\xc0\xbcscript\xc0\xbe", "\xef\xbf\xbd\xef\xbf\xbdscript\xef\xbf\xbd\xef\xbf\xbd"); /* overlong < and > */
}

static void cut(const char *given, size_t first, size_t most, const char *expected)
{
    begin();
    akin_html_cut(&html, given, strlen(given), first, most);
    assert_string_equal(end(), expected);
}

#define DOTS "<i>\xe2\x80\xa6</i>"

static void cuts(void **state)
{
    (void)state;
    cut("abc", 0, 3, "abc");
    cut("abcd", 0, 3, "abc" DOTS);
    cut("abcd", 1, 2, DOTS "bc" DOTS);
    cut("abcd", 2, 9, DOTS "cd");
    cut("\xc3\xa4\xc3\xb6\xc3\xbc", 1, 1, DOTS "\xc3\xb6" DOTS);
    cut("<<<<", 0, 2, "&lt;&lt;" DOTS);
    cut("ab", 7, 2, DOTS);
    assert_int_equal(akin_html_length("a\xc3\xa4\xff", 4), 3);
    assert_int_equal(akin_html_alike("a\xc3\xa4x", 4, "a\xc3\xa4y", 4), 2);
    assert_int_equal(akin_html_alike("a\xc3\xa4", 3, "a\xc3\xb6", 3), 1); /* not in the middle of a character */
    assert_int_equal(akin_html_alike("ab", 2, "abc", 3), 2);
    assert_int_equal(akin_html_alike("\xff", 1, "\xfe", 1), 0);
}

static void numbers(void **state)
{
    (void)state;
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where there is such a locale, a point is a comma */
    begin();
    akin_html_count(&html, 0);
    akin_html_markup(&html, " ");
    akin_html_count(&html, 999);
    akin_html_markup(&html, " ");
    akin_html_count(&html, 1000);
    akin_html_markup(&html, " ");
    akin_html_count(&html, UINT64_MAX);
    assert_string_equal(end(), "0 999 1,000 18,446,744,073,709,551,615");
    begin();
    akin_html_double(&html, 0.1 + 0.2);
    akin_html_markup(&html, " ");
    akin_html_double(&html, 1);
    akin_html_markup(&html, " ");
    akin_html_double(&html, 1e-12);
    akin_html_markup(&html, " ");
    akin_html_double(&html, -1.25e-6);
    akin_html_markup(&html, " ");
    akin_html_double(&html, 120);
    akin_html_markup(&html, " ");
    akin_html_double(&html, 1e-300); /* but not this one */
    akin_html_markup(&html, " ");
    akin_html_decimal(&html, 2.0 / 3, 4);
    akin_html_markup(&html, " ");
    akin_html_percent(&html, 1, 8);
    akin_html_markup(&html, " ");
    akin_html_percent(&html, 0, 0);
    assert_string_equal(end(),
                        "0.30000000000000004 1 0.000000000001 -0.00000125 120 1e-300 0.6667 12.5 % \xe2\x80\x93");
    setlocale(LC_ALL, "C");
}

/* The first error stays. */
static void errors(void **state)
{
    akin_error error = {.message = ""};
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    html = (akin_html){.error = &error, .status = AKIN_OK};
    assert_int_equal(akin_output_open(NULL, "/dev/full", &html.output, NULL), AKIN_OK);
    for (int i = 0; i < 100000 && html.status == AKIN_OK; i++)
        akin_html_markup(&html, "0123456789");
    assert_int_equal(html.status, AKIN_E_IO);
    assert_non_null(strstr(error.message, "/dev/full"));
    error.message[0] = '\0';
    akin_html_markup(&html, "more");
    assert_string_equal(error.message, "");
    akin_output_discard(html.output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(text, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(cuts, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(numbers, scratch_make, scratch_remove),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
