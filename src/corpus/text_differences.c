/* What a text differs from another one in, as HTML. */
#include "corpus/text_differences.h"

#include "base/bits.h"

#include <string.h>

#define SHOWN_MOST 1500 /* symbols of a text with its differences, about, */
#define RUN_MOST   300  /* and of words in a row that differ */
#define AROUND     80   /* symbols in common on each side of a difference */

/* The place of the last `most` symbols of a text, or its start. */
static uint64_t last_symbols(const char *text, uint64_t length, uint64_t most)
{
    uint64_t at = length;
    for (; at > 0 && most > 0; most--) {
        at--;
        while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
            at--;
    }
    return at;
}

/* Writes what both texts have, around differences alone. Returns about how many symbols that are. */
static uint64_t put_common(akin_html *html, const char *text, uint64_t length, int is_first, int is_last)
{
    const uint64_t tail = is_last ? length : last_symbols(text, length, AROUND);
    const uint64_t symbols = akin_html_length(text, length);
    const uint64_t head = is_first ? 0 : AROUND, wanted = head + (is_last ? 0 : AROUND);
    if (symbols <= wanted) {
        akin_html_text(html, text, length);
        return symbols;
    }
    if (is_first)
        akin_html_markup(html, "<i>\xe2\x80\xa6</i>");
    else
        akin_html_cut(html, text, length, 0, head);
    akin_html_text(html, text + tail, length - tail);
    return wanted;
}

static uint64_t put_differing(akin_html *html, const char *element, const char *text, uint64_t length)
{
    akin_html_markup(html, "<");
    akin_html_markup(html, element);
    akin_html_markup(html, ">");
    akin_html_cut(html, text, length, 0, RUN_MOST);
    akin_html_markup(html, "</");
    akin_html_markup(html, element);
    akin_html_markup(html, ">");
    return akin_min_u64(akin_html_length(text, length), RUN_MOST);
}

/* Writes the differences of a removed document and its survivor. */
static void put_runs(akin_html *html, const akin_word_diff *diff, const char *survivor, const char *removed)
{
    uint64_t shown = 0;
    akin_html_markup(html, "<p class=\"text\" dir=\"auto\">");
    if (diff->is_late && diff->runs[0].kind != AKIN_RUN_COMMON)
        akin_html_markup(html, "<i>\xe2\x80\xa6</i>");
    for (uint64_t i = 0; i < diff->count; i++) {
        const akin_word_run *run = &diff->runs[i];
        if (shown > SHOWN_MOST) {
            akin_html_markup(html, "<i>\xe2\x80\xa6 more differences are left out</i>");
            break;
        }
        if (run->kind == AKIN_RUN_OF_A)
            shown += put_differing(html, "del", survivor + run->begin, run->length);
        else if (run->kind == AKIN_RUN_OF_B)
            shown += put_differing(html, "ins", removed + run->begin, run->length);
        else
            shown += put_common(html, survivor + run->begin, run->length, i == 0, i + 1 == diff->count);
    }
    if (diff->is_cut && shown <= SHOWN_MOST)
        akin_html_markup(html, "<i>\xe2\x80\xa6 the rest is not compared</i>");
    akin_html_markup(html, "</p>\n");
}

void akin_text_differences_write(akin_html *html, akin_account *account, const char *survivor, uint64_t survivor_length,
                                 const char *removed, uint64_t removed_length, akin_word_diff *diff)
{
    if (html->status != AKIN_OK)
        return;
    if (survivor_length == removed_length && memcmp(survivor, removed, survivor_length) == 0) {
        akin_html_markup(html, "<p class=\"about\">The text is that of the survivor.</p>\n");
        return;
    }
    if (akin_word_diff_make(account, survivor, survivor_length, removed, removed_length, diff) != AKIN_OK) {
        html->status = akin_fail_memory(html->error, "the differences of documents");
        return;
    }
    if (diff->count > 0)
        put_runs(html, diff, survivor, removed);
    else
        akin_html_markup(html, diff->is_cut
                                   ? "<p class=\"about\">The texts differ in white space alone, as far as they were "
                                     "compared.</p>\n"
                                   : "<p class=\"about\">The texts differ in white space alone.</p>\n");
}
