/* How many clusters have which size. */
#include "report/sizes.h"

#include "base/bits.h"

/* The last size of the line that begins with `first`. */
static uint64_t last_size(uint64_t first)
{
    static const uint64_t steps[] = {2, 5, 10};
    uint64_t ten = 10;
    if (first <= 10)
        return first;
    for (;; ten *= 10)
        for (int i = 0; i < 3; i++)
            if (first <= steps[i] * ten)
                return steps[i] * ten;
}

void akin_sizes_add(akin_sizes *sizes, uint32_t size)
{
    uint32_t line = 0;
    for (uint64_t last = 1; last < size; last = last_size(last + 1))
        line++;
    sizes->counts[line]++;
    sizes->members[line] += size;
}

static void put_sizes(akin_html *html, uint64_t first, uint64_t last)
{
    akin_html_markup(html, "<tr><th scope=\"row\">");
    akin_html_count(html, first);
    if (last > first) {
        akin_html_markup(html, " to ");
        akin_html_count(html, last);
    }
    akin_html_markup(html, "</th>");
}

void akin_sizes_write(const akin_sizes *sizes, int with_members, akin_html *html)
{
    uint64_t most = 1, first = 1;
    for (uint32_t line = 0; line < AKIN_SIZES_LINES; line++)
        most = akin_max_u64(most, sizes->counts[line]);
    for (uint32_t line = 0; line < AKIN_SIZES_LINES; line++, first = last_size(first) + 1) {
        if (sizes->counts[line] == 0)
            continue;
        put_sizes(html, first, last_size(first));
        akin_html_cell(html, sizes->counts[line]);
        if (with_members)
            akin_html_cell(html, sizes->members[line]);
        akin_html_bar(html, (double)sizes->counts[line] / (double)most);
        akin_html_markup(html, "</tr>\n");
    }
}
