/*
 * Writes HTML to an output. Text of others is escaped here and nowhere else: what is markup comes from string literals
 * and from the template alone.
 */
#ifndef AKIN_REPORT_HTML_H
#define AKIN_REPORT_HTML_H

#include "base/error.h"

/* The first error stays, and what is written after it goes nowhere. */
typedef struct akin_html {
    akin_output *output;
    akin_error *error;
    akin_status status;
} akin_html;

/* Markup, as it stands. */
void akin_html_markup(akin_html *html, const char *markup);
void akin_html_bytes(akin_html *html, const char *bytes, size_t length);

/* Text of others, within an element or a quoted attribute: markup becomes text, control characters their pictures, and
 * what is not UTF-8 becomes U+FFFD. */
void akin_html_text(akin_html *html, const char *text, size_t length);
void akin_html_string(akin_html *html, const char *text);

/* The same of at most `most` code points from code point `first` on, with an ellipsis where it is cut. */
void akin_html_cut(akin_html *html, const char *text, size_t length, size_t first, size_t most);

/* Numbers: 1,234,567; the fewest digits that read back to the same double, as a plain decimal; a number with `digits`
 * digits behind the point; a share of `of` in percent, a dash if that is 0. */
void akin_html_count(akin_html *html, uint64_t count);
void akin_html_double(akin_html *html, double value);
void akin_html_decimal(akin_html *html, double value, int digits);
void akin_html_percent(akin_html *html, uint64_t count, uint64_t of);

/* "1 pair", "2 pairs". Cells of a table: a count, and a bar that fills a share of it. A count with its name, and the id
 * of the element. */
void akin_html_counted(akin_html *html, uint64_t count, const char *one, const char *many);
void akin_html_cell(akin_html *html, uint64_t count);
void akin_html_bar(akin_html *html, double share);
void akin_html_tile(akin_html *html, const char *name, uint64_t count, const char *id);

/* How many code points, what is not UTF-8 being one each byte; and how many of them two texts begin with alike. */
size_t akin_html_length(const char *text, size_t length);
size_t akin_html_alike(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
