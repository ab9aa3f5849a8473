/* Writes HTML to an output. */
#include "report/html.h"

#include "base/grouped.h"
#include "strings/number.h"
#include "text/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void akin_html_bytes(akin_html *html, const char *bytes, size_t length)
{
    if (html->status == AKIN_OK)
        html->status = akin_output_write(html->output, bytes, length, html->error);
}

void akin_html_markup(akin_html *html, const char *markup)
{
    akin_html_bytes(html, markup, strlen(markup));
}

/* ------------------------------------------------------------------------------------------------------------- text */

/* What is at the start of a text: a code point, or AKIN_NO_POINT and a byte. */
static uint32_t next_point(const char *text, size_t length, size_t *size)
{
    uint32_t point = akin_utf8_decode(text, length, size);
    if (point == AKIN_NO_POINT)
        *size = 1;
    return point;
}

/* What a code point is written as; NULL: as it is. A line feed stays, a carriage return would become one. */
static const char *reference_of(uint32_t point, char picture[4])
{
    switch (point) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case AKIN_NO_POINT:
        return "\xef\xbf\xbd";
    case '\t':
    case '\n':
        return NULL;
    default:
        break;
    }
    if (point >= 0x80 && point < 0xa0) /* control characters without a picture */
        return "\xef\xbf\xbd";
    if (point >= 0x20 && point != 0x7f)
        return NULL;
    memcpy(picture, "\xe2\x90", 2); /* U+2400 and the next ones; U+2421 is that of U+007F */
    picture[2] = (char)(0x80 + (point == 0x7f ? 0x21 : point));
    picture[3] = '\0';
    return picture;
}

/* Writes a text up to its end, or `most` code points; returns how many bytes it took. */
static size_t put_html_text(akin_html *html, const char *text, size_t length, size_t most)
{
    size_t from = 0, at = 0, size;
    char picture[4];
    for (; at < length && most > 0; most--, at += size) {
        const char *instead = reference_of(next_point(text + at, length - at, &size), picture);
        if (!instead)
            continue;
        akin_html_bytes(html, text + from, at - from);
        akin_html_markup(html, instead);
        from = at + size;
    }
    akin_html_bytes(html, text + from, at - from);
    return at;
}

void akin_html_text(akin_html *html, const char *text, size_t length)
{
    put_html_text(html, text, length, length);
}

void akin_html_string(akin_html *html, const char *text)
{
    akin_html_text(html, text, strlen(text));
}

void akin_html_cut(akin_html *html, const char *text, size_t length, size_t first, size_t most)
{
    size_t at = 0, size;
    for (; at < length && first > 0; first--, at += size)
        next_point(text + at, length - at, &size);
    if (at > 0)
        akin_html_markup(html, "<i>\xe2\x80\xa6</i>");
    at += put_html_text(html, text + at, length - at, most);
    if (at < length)
        akin_html_markup(html, "<i>\xe2\x80\xa6</i>");
}

size_t akin_html_length(const char *text, size_t length)
{
    size_t count = 0, size;
    for (size_t at = 0; at < length; at += size, count++)
        next_point(text + at, length - at, &size);
    return count;
}

size_t akin_html_alike(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t alike = 0, at = 0, size, other;
    for (; at < a_length && at < b_length; at += size, alike++)
        if (next_point(a + at, a_length - at, &size) != next_point(b + at, b_length - at, &other) || a[at] != b[at])
            break;
    return alike;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

#define PLACES_MOST 40 /* behind the point: a number that needs more is written with a power of ten */

void akin_html_count(akin_html *html, uint64_t count)
{
    char text[AKIN_GROUPED];
    akin_html_markup(html, akin_grouped(text, count));
}

void akin_html_double(akin_html *html, double value)
{
    char text[64];
    int digits = 1, places;
    for (; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value)
            break;
    }
    const char *exponent = strchr(text, 'e'); /* there is none of what is no number */
    places = exponent ? digits - 1 - (int)strtol(exponent + 1, NULL, 10) : 0;
    if (places >= -15 && places <= PLACES_MOST)
        snprintf(text, sizeof text, "%.*f", places > 0 ? places : 0, value);
    akin_number_point(text);
    akin_html_markup(html, text);
}

void akin_html_decimal(akin_html *html, double value, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*f", digits, fabs(value) < 1e40 ? value : 0);
    akin_number_point(text);
    akin_html_markup(html, text);
}

void akin_html_percent(akin_html *html, uint64_t count, uint64_t of)
{
    if (of == 0) {
        akin_html_markup(html, "\xe2\x80\x93");
        return;
    }
    akin_html_decimal(html, 100.0 * (double)count / (double)of, 1);
    akin_html_markup(html, " %");
}

/* --------------------------------------------------------------------------------------------------------- elements */

void akin_html_counted(akin_html *html, uint64_t count, const char *one, const char *many)
{
    akin_html_count(html, count);
    akin_html_markup(html, " ");
    akin_html_markup(html, count == 1 ? one : many);
}

void akin_html_cell(akin_html *html, uint64_t count)
{
    akin_html_markup(html, "<td>");
    akin_html_count(html, count);
    akin_html_markup(html, "</td>");
}

void akin_html_bar(akin_html *html, double share)
{
    akin_html_markup(html,
                     "<td class=\"bar\"><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                     "<rect width=\"");
    akin_html_decimal(html, share > 0 ? fmax(100 * share, 0.4) : 0, 2);
    akin_html_markup(html, "\" height=\"8\"/></svg></td>");
}

void akin_html_tile(akin_html *html, const char *name, uint64_t count, const char *id)
{
    akin_html_markup(html, "<div><dt>");
    akin_html_markup(html, name);
    akin_html_markup(html, "</dt><dd id=\"");
    akin_html_markup(html, id);
    akin_html_markup(html, "\">");
    akin_html_count(html, count);
    akin_html_markup(html, "</dd></div>\n");
}
