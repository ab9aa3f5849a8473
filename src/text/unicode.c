/* Normal forms and case folding by utf8proc, in pieces. */
#include "text/unicode.h"

#include "base/memory.h"
#include "text/utf8.h"

#include <string.h>
#include <utf8proc.h>

#define DECOMPOSED 64 /* code points that one may become, with room to spare */
#define FEW        32 /* marks that are put in order one by one */
#define CLASSES    256

void akin_unicode_begin(akin_unicode *unicode, akin_account *account, akin_tokens tokens, int fold)
{
    int options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    if (tokens == AKIN_TOKENS_WORDS)
        options |= UTF8PROC_COMPAT;
    if (fold)
        options |= UTF8PROC_CASEFOLD;
    *unicode = (akin_unicode){.tokens = tokens, .account = account, .options = options};
}

void akin_unicode_clear(akin_unicode *unicode)
{
    for (uint32_t i = 0; unicode->pages && i < AKIN_PAGES; i++)
        akin_free(unicode->pages[i]);
    akin_free(unicode->pages);
    akin_free(unicode->points);
    akin_free(unicode->unfolded);
    akin_free(unicode->sorted);
    unicode->pages = NULL;
    unicode->points = unicode->unfolded = unicode->sorted = NULL;
    unicode->capacity = unicode->unfolded_capacity = unicode->sorted_capacity = 0;
}

/* ---------------------------------------------------------------------------------------------------------- classes */

static int combining_class(int32_t point)
{
    return utf8proc_get_property(point)->combining_class;
}

static int is_inside(akin_tokens tokens, int32_t point)
{
    if (tokens == AKIN_TOKENS_WHITESPACE)
        return point != ' ' && (point < '\t' || point > '\r');
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
        return 1;
    default:
        return 0;
    }
}

int akin_unicode_is_digit(uint32_t point)
{
    return utf8proc_category((int32_t)point) == UTF8PROC_CATEGORY_ND;
}

int akin_unicode_is_word(uint32_t point)
{
    return is_inside(AKIN_TOKENS_WORDS, (int32_t)point);
}

uint32_t akin_unicode_encode(const akin_unicode *unicode, int32_t point, char *to, uint32_t *inside)
{
    uint32_t length = (uint32_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)to);
    if (unicode->tokens == AKIN_TOKENS_QGRAMS)
        *inside = 1;
    else
        *inside = is_inside(unicode->tokens, point) ? (1u << length) - 1 : 0;
    return length;
}

/*
 * Whether the first code point of a decomposition may join the text before it: it is no starter, or it is the second
 * half of a primary composite. These are marks, and vowels and final consonants of Hangul. Unicode has no boundary
 * between characters (UAX #29, Extend, SpacingMark, V, T) within a sequence that is canonically equivalent to one of
 * them.
 */
static int joins(int32_t point)
{
    const utf8proc_property_t *property = utf8proc_get_property(point);
    if (property->combining_class != 0)
        return 1;
    switch (property->category) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return 1;
    default:
        break;
    }
    switch (property->boundclass) {
    case UTF8PROC_BOUNDCLASS_EXTEND:
    case UTF8PROC_BOUNDCLASS_SPACINGMARK:
    case UTF8PROC_BOUNDCLASS_V:
    case UTF8PROC_BOUNDCLASS_T:
        return 1;
    default:
        return 0;
    }
}

/* -------------------------------------------------------------------------------------------------------- a stretch */

static int folding(const akin_unicode *unicode)
{
    return (unicode->options & UTF8PROC_CASEFOLD) != 0;
}

/* utf8proc's options for decomposing what is to be folded later. */
static int unfolding(const akin_unicode *unicode)
{
    return unicode->options & ~(int)UTF8PROC_CASEFOLD;
}

/* Decomposes a code point to the end of *count others, as utf8proc's options say. */
static akin_status decompose(akin_unicode *unicode, int32_t point, int options, uint64_t *count)
{
    for (uint64_t room = DECOMPOSED;; room *= 4) {
        int boundary = 0;
        int32_t *points =
            akin_enlarge(unicode->account, unicode->points, &unicode->capacity, *count + room, sizeof *points);
        if (!points)
            return AKIN_E_NOMEM;
        unicode->points = points;
        utf8proc_ssize_t made = utf8proc_decompose_char(point, points + *count, (utf8proc_ssize_t)room,
                                                        (utf8proc_option_t)options, &boundary);
        if (made <= (utf8proc_ssize_t)room) {
            *count += made < 0 ? 0 : (uint64_t)made;
            return AKIN_OK;
        }
    }
}

/* Puts a run of `count` marks in the order of their classes, those of one class as they come: by counting, as a run
 * may be as long as a text. */
static akin_status sort_marks(akin_unicode *unicode, int32_t *marks, uint64_t count)
{
    uint64_t starts[CLASSES + 1] = {0};
    int32_t *sorted = akin_enlarge(unicode->account, unicode->sorted, &unicode->sorted_capacity, count, sizeof *sorted);
    if (!sorted)
        return AKIN_E_NOMEM;
    unicode->sorted = sorted;
    for (uint64_t i = 0; i < count; i++)
        starts[(combining_class(marks[i]) & (CLASSES - 1)) + 1]++;
    for (int i = 0; i < CLASSES; i++)
        starts[i + 1] += starts[i];
    for (uint64_t i = 0; i < count; i++)
        sorted[starts[combining_class(marks[i]) & (CLASSES - 1)]++] = marks[i];
    memcpy(marks, sorted, count * sizeof *marks);
    return AKIN_OK;
}

static void insert_marks(int32_t *marks, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        int32_t mark = marks[i];
        uint64_t j = i;
        for (; j > 0 && combining_class(marks[j - 1]) > combining_class(mark); j--)
            marks[j] = marks[j - 1];
        marks[j] = mark;
    }
}

/* The canonical order: between starters, marks by class. */
static akin_status reorder(akin_unicode *unicode, uint64_t count)
{
    int32_t *points = unicode->points;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t start = i;
        while (i < count && combining_class(points[i]) != 0)
            i++;
        if (i - start > FEW) {
            if (sort_marks(unicode, points + start, i - start) != AKIN_OK)
                return AKIN_E_NOMEM;
        } else if (i - start > 1) {
            insert_marks(points + start, i - start);
        }
    }
    return AKIN_OK;
}

/*
 * Whether a code point, or its decomposition, may contain U+0345. This mark folds to a letter, which no mark may pass
 * any more, so all marks must be in order before (The Unicode Standard, section 3.13, D145 and D146). The folds of all
 * other marks stay in their classes, so folding can come first, which saves a pass. The function is true of U+0345,
 * U+037A, and letters of the block Greek Extended.
 */
static int folds_last(uint32_t point)
{
    return point == 0x345 || point == 0x37a || (point >= 0x1f80 && point <= 0x1fff);
}

/* Folds what was decomposed and put in order, and decomposes what that becomes. */
static akin_status fold_points(akin_unicode *unicode, uint64_t *count)
{
    int32_t *unfolded = unicode->points;
    uint64_t capacity = unicode->capacity, made = 0;
    akin_status status = AKIN_OK;
    unicode->points = unicode->unfolded;
    unicode->capacity = unicode->unfolded_capacity;
    unicode->unfolded = unfolded;
    unicode->unfolded_capacity = capacity;
    for (uint64_t i = 0; i < *count && status == AKIN_OK; i++)
        status = decompose(unicode, unfolded[i], unicode->options, &made);
    *count = made;
    return status;
}

/* Orders the decomposed code points, folds them if that is still to be done, and composes them. */
static akin_status compose(akin_unicode *unicode, int folded, uint64_t *count)
{
    akin_status status = reorder(unicode, *count);
    if (status == AKIN_OK && !folded) {
        status = fold_points(unicode, count);
        if (status == AKIN_OK)
            status = reorder(unicode, *count);
    }
    if (status != AKIN_OK)
        return status;
    utf8proc_ssize_t composed =
        utf8proc_normalize_utf32(unicode->points, (utf8proc_ssize_t)*count, (utf8proc_option_t)unicode->options);
    *count = composed < 0 ? 0 : (uint64_t)composed;
    return AKIN_OK;
}

akin_status akin_unicode_normalise(akin_unicode *unicode, const char *text, size_t length, const int32_t **points,
                                   size_t *count)
{
    uint64_t made = 0;
    size_t size;
    int last = 0;
    for (size_t at = 0; at < length && !last; at += size)
        last = folds_last(akin_utf8_decode(text + at, length - at, &size));
    last &= folding(unicode);
    int options = last ? unfolding(unicode) : unicode->options;
    for (size_t at = 0; at < length; at += size)
        if (decompose(unicode, (int32_t)akin_utf8_decode(text + at, length - at, &size), options, &made) != AKIN_OK)
            return AKIN_E_NOMEM;
    if (compose(unicode, !last, &made) != AKIN_OK)
        return AKIN_E_NOMEM;
    *points = unicode->points;
    *count = (size_t)made;
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------- a code point alone */

/* Makes the entry of a code point that stands alone. */
static akin_status describe_code_point(akin_unicode *unicode, uint32_t point, akin_glyph *glyph)
{
    uint64_t count = 0;
    if (decompose(unicode, (int32_t)point, unfolding(unicode), &count) != AKIN_OK)
        return AKIN_E_NOMEM;
    if (count > 0 && joins(unicode->points[0])) {
        glyph->state = AKIN_GLYPH_JOINS;
        return AKIN_OK;
    }
    if (compose(unicode, !folding(unicode), &count) != AKIN_OK)
        return AKIN_E_NOMEM;
    akin_glyph made = {.state = AKIN_GLYPH_SHORT};
    for (uint64_t i = 0; i < count && made.state == AKIN_GLYPH_SHORT; i++) {
        char bytes[4];
        uint32_t inside, length = akin_unicode_encode(unicode, unicode->points[i], bytes, &inside);
        if (made.length + length > AKIN_GLYPH_BYTES) {
            made.state = AKIN_GLYPH_LONG;
            break;
        }
        memcpy(made.bytes + made.length, bytes, length);
        made.inside = (uint8_t)(made.inside | inside << made.length);
        made.length = (uint8_t)(made.length + length);
    }
    *glyph = made;
    return AKIN_OK;
}

const akin_glyph *akin_unicode_learn(akin_unicode *unicode, uint32_t point)
{
    if (!unicode->pages)
        unicode->pages = akin_alloc_zero(unicode->account, AKIN_PAGES, sizeof *unicode->pages);
    if (!unicode->pages)
        return NULL;
    akin_glyph **page = &unicode->pages[point >> AKIN_PAGE_BITS];
    if (!*page)
        *page = akin_alloc_zero(unicode->account, (uint64_t)1 << AKIN_PAGE_BITS, sizeof **page);
    if (!*page)
        return NULL;
    akin_glyph *glyph = *page + (point & ((1u << AKIN_PAGE_BITS) - 1));
    return describe_code_point(unicode, point, glyph) == AKIN_OK ? glyph : NULL;
}
