/* Fuzzes comparators: the text before the first line feed and the text behind it, both ways, with a cutoff. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "table/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* Besides all comparators of the table. */
static const char *const more[] = {"number/2.5", "date/7", "jaccard/1", "dice/3", "cosine/40"};

static void expect(int is_so)
{
    if (!is_so)
        abort();
}

static int is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Whether it matters which value is the left one. */
static int is_directed(const akin_compare_options *options)
{
    return (akin_choice_of_value("comparators", (int)options->comparator)->capabilities & AKIN_IS_DIRECTED) != 0;
}

/* A cutoff leaves the values, or says that they are below it; at the cutoff itself doubles may be either. */
static void check_cutoff(const akin_compare_options *options, const char *text, const uint64_t *bounds,
                         const akin_compared *whole)
{
    const akin_ratio cutoff = {8, 10};
    const akin_column left = {.size = sizeof left, .offsets = bounds, .bytes = text};
    const akin_column right = {.size = sizeof right, .offsets = bounds + 2, .bytes = text};
    akin_compared cut;
    expect(akin_compare_pairs(&context, options, &left, 1, &right, 1, NULL, NULL, 1, &cutoff, &cut, NULL) == AKIN_OK);
    int is_cut = cut.similarity == 0 && isinf(cut.distance);
    if (isnan(whole->similarity) || whole->similarity > 0.8 + 1e-9)
        expect(is_same(cut.similarity, whole->similarity) && is_same(cut.distance, whole->distance));
    else
        expect(is_cut || (whole->similarity > 0.8 - 1e-9 && cut.similarity == whole->similarity));
}

static void check(const char *name, const char *text, const uint64_t *bounds, int is_utf8)
{
    const char *a = text + bounds[0], *b = text + bounds[2];
    size_t a_length = (size_t)(bounds[1] - bounds[0]), b_length = (size_t)(bounds[3] - bounds[2]);
    akin_compare_options options = {.size = sizeof options};
    akin_compared one, other;
    expect(akin_compare_options_parse(name, &options, NULL) == AKIN_OK);
    akin_status status = akin_compare(&context, &options, a, a_length, b, b_length, &one, NULL);
    expect(status == (is_utf8 ? AKIN_OK : AKIN_E_INPUT));
    expect(akin_compare(&context, &options, b, b_length, a, a_length, &other, NULL) == status);
    if (status != AKIN_OK)
        return;
    expect(is_directed(&options) ||
           (is_same(one.similarity, other.similarity) && is_same(one.distance, other.distance)));
    expect(isnan(one.similarity) ? isnan(one.distance)
                                 : one.similarity >= 0 && one.similarity <= 1 && one.distance >= 0);
    check_cutoff(&options, text, bounds, &one);
    expect(akin_compare(&context, &options, a, a_length, a, a_length, &other, NULL) == AKIN_OK);
    expect(other.similarity == 1 || isnan(other.similarity) || options.comparator == AKIN_SOUNDEX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *feed = size > 0 ? memchr(text, '\n', size) : NULL;
    if (!feed)
        return 0;
    uint64_t end = (uint64_t)(feed - text), bounds[] = {0, end, end + 1, size};
    int is_utf8 =
        akin_utf8_check(text, (size_t)end) == end && akin_utf8_check(feed + 1, size - end - 1) == size - end - 1;
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("comparators", i)); i++)
        if (row->capabilities & AKIN_FOR_COMPARE)
            check(row->name, text, bounds, is_utf8);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        check(more[i], text, bounds, is_utf8);
    return 0;
}
