/* Writes the template of a page, and what is to stand in it. */
#include "report/template.h"

#include <string.h>

int akin_template_is(const char *at, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(at, name, length) == 0;
}

/* The first place of two characters in the rest of the template, or its end. */
static const char *find_two(const char *at, const char *end, char c)
{
    while (end - at >= 2 && !(at[0] == c && at[1] == c))
        at++;
    return end - at >= 2 ? at : end;
}

void akin_template_write(const akin_template *template, akin_html *html, void *user)
{
    const char *at = template->text, *end = at + template->length;
    uint32_t left_out = 0; /* parts around that are, one within the other */
    while (at < end) {
        const char *open = find_two(at, end, '{'), *close = find_two(open, end, '}');
        if (!left_out)
            akin_html_bytes(html, at, (size_t)(open - at));
        if (close == end)
            break;
        const char *name = open + 2;
        size_t length = (size_t)(close - name);
        if (*name == '#')
            left_out += left_out > 0 || !template->holds(user, name + 1, length - 1);
        else if (*name == '/')
            left_out -= left_out > 0;
        else if (!left_out)
            template->write(user, name, length);
        at = close + 2;
    }
}
