/* What two texts differ in, by words. */
#include "corpus/word_diff.h"

#include "base/bits.h"
#include "text/utf8.h"

#include <string.h>

#define LEAD      160        /* bytes before the first difference, at most */
#define LOOKED    (64 << 10) /* bytes of each text that are compared, at most */
#define DEPTH     200        /* words in a row that differ, at most, for the fewest to be found */
#define DIFFERING 1000       /* words that differ, at most, before the rest is left */
#define NOWHERE   (-1)

/* A text in words: where each begins, and behind the last one where that ends. */
typedef struct words {
    const char *text;
    uint32_t *begins;
    uint8_t *differs; /* of each */
    uint32_t count;
} words;

/* The states of a search: how far it is on each diagonal, after each number of differing words. */
typedef struct search {
    words a, b;
    int32_t (*reached)[2 * DEPTH + 1];
    uint32_t x, y; /* where it begins */
} search;

/* ------------------------------------------------------------------------------------------------------------ words */

typedef enum kind { LETTER, SPACE, SINGLE } kind;

/* Kana and ideographs stand for themselves: no blanks are between them. */
static int is_ideograph(uint32_t point)
{
    return (point >= 0x2e80 && point < 0xa4d0) || (point >= 0x20000 && point < 0x40000);
}

static kind kind_at(const char *text, uint64_t length, size_t *size)
{
    const uint32_t point = akin_utf8_decode(text, length, size);
    if (point == AKIN_NO_POINT) {
        *size = 1;
        return SINGLE;
    }
    if (point <= ' ' || point == 0xa0)
        return SPACE;
    if (point < 0x80)
        return (point | 0x20) - 'a' < 26 || point - '0' < 10 ? LETTER : SINGLE;
    return is_ideograph(point) ? SINGLE : LETTER;
}

/* is_cut: the text goes on, perhaps in the midst of the last word, which is left out then. */
static akin_status cut_words(akin_account *account, const char *text, uint64_t length, int is_cut, words *out)
{
    kind last = SINGLE;
    size_t size;
    out->text = text;
    out->begins = akin_alloc(account, length + 1, sizeof *out->begins);
    out->differs = akin_alloc_zero(account, length + 1, 1);
    if (!out->begins || !out->differs)
        return AKIN_E_NOMEM;
    for (uint64_t at = 0; at < length; at += size) {
        const kind own = kind_at(text + at, length - at, &size);
        if (own == SINGLE || own != last)
            out->begins[out->count++] = (uint32_t)at;
        last = own;
    }
    out->begins[out->count] = (uint32_t)length;
    out->count -= is_cut && out->count > 1;
    return AKIN_OK;
}

static int is_space(const words *w, uint32_t at)
{
    size_t size;
    return kind_at(w->text + w->begins[at], w->begins[at + 1] - w->begins[at], &size) == SPACE;
}

static int are_alike(const search *s, uint32_t x, uint32_t y)
{
    const uint32_t length = s->a.begins[x + 1] - s->a.begins[x];
    if (length == s->b.begins[y + 1] - s->b.begins[y] &&
        memcmp(s->a.text + s->a.begins[x], s->b.text + s->b.begins[y], length) == 0)
        return 1;
    return is_space(&s->a, x) && is_space(&s->b, y);
}

/* ----------------------------------------------------------------------------------------------------------- search */

/* Where diagonal k = x - y is entered with `depth` differing words: below or right of where a neighbour was before.
 * *from is that neighbour's diagonal. x counts from s->x, and y from s->y. */
static int32_t enter(const search *s, int32_t depth, int32_t k, int32_t *from)
{
    const int32_t *before = s->reached[depth - 1] + DEPTH;
    const int32_t x_most = (int32_t)(s->a.count - s->x), y_most = (int32_t)(s->b.count - s->y);
    const int32_t above = k + 1 < depth ? before[k + 1] : NOWHERE; /* a word of b more */
    const int32_t left = k - 1 > -depth ? before[k - 1] : NOWHERE; /* a word of a more */
    const int32_t down = above != NOWHERE && above - k <= y_most ? above : NOWHERE;
    const int32_t right = left != NOWHERE && left < x_most ? left + 1 : NOWHERE;
    *from = down >= right ? k + 1 : k - 1;
    return down >= right ? down : right;
}

/* As far as words are alike. */
static int32_t follow(const search *s, int32_t k, int32_t x)
{
    while (s->x + (uint32_t)x < s->a.count && s->y + (uint32_t)(x - k) < s->b.count &&
           are_alike(s, s->x + (uint32_t)x, s->y + (uint32_t)(x - k)))
        x++;
    return x;
}

/* Marks the words that differ on the way to a diagonal. */
static void mark(search *s, int32_t depth, int32_t k)
{
    for (int32_t from; depth > 0; depth--, k = from) {
        const int32_t x = enter(s, depth, k, &from);
        if (from > k)
            s->b.differs[s->y + (uint32_t)(x - k) - 1] = 1;
        else
            s->a.differs[s->x + (uint32_t)x - 1] = 1;
    }
}

/* Goes on from s->x and s->y, to the ends of both texts or up to DEPTH differing words; returns how many differ. */
static uint32_t advance(search *s)
{
    const int32_t x_most = (int32_t)(s->a.count - s->x), y_most = (int32_t)(s->b.count - s->y);
    int32_t from;
    for (int32_t depth = 0;; depth++) {
        int32_t *reached = s->reached[depth] + DEPTH;
        int32_t best = 0, most = NOWHERE; /* the diagonal that is farthest, by words of both */
        for (int32_t k = -depth; k <= depth; k += 2) {
            const int32_t x = depth == 0 ? 0 : enter(s, depth, k, &from);
            reached[k] = x == NOWHERE ? NOWHERE : follow(s, k, x);
            if (reached[k] != NOWHERE && 2 * reached[k] - k > most) {
                most = 2 * reached[k] - k;
                best = k;
            }
        }
        if (depth == DEPTH - 1 || (reached[best] == x_most && reached[best] - best == y_most)) {
            const int32_t x = reached[best];
            mark(s, depth, best);
            s->x += (uint32_t)x;
            s->y += (uint32_t)(x - best);
            return (uint32_t)depth;
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------- runs */

static akin_status add_run(akin_account *account, akin_word_diff *diff, akin_word_run_kind kind, uint64_t begin,
                           uint64_t end)
{
    akin_word_run *last = diff->count > 0 ? &diff->runs[diff->count - 1] : NULL;
    if (last && last->kind == kind) {
        last->length = end - last->begin;
        return AKIN_OK;
    }
    akin_word_run *runs = akin_enlarge(account, diff->runs, &diff->capacity, diff->count + 1, sizeof *runs);
    if (!runs)
        return AKIN_E_NOMEM;
    diff->runs = runs;
    runs[diff->count++] = (akin_word_run){kind, begin, end - begin};
    return AKIN_OK;
}

/* Adds the words that differ, from *at on. */
static akin_status add_differing(akin_account *account, akin_word_diff *diff, const words *w, uint32_t *at,
                                 uint32_t end, akin_word_run_kind kind, uint64_t start)
{
    akin_status status = AKIN_OK;
    for (; *at < end && w->differs[*at] && status == AKIN_OK; ++*at)
        status = add_run(account, diff, kind, start + w->begins[*at], start + w->begins[*at + 1]);
    return status;
}

/* Leaves out words of one text behind the last common ones, if the other text goes on: that may have them there. */
static void drop_end(akin_word_diff *diff, int a_goes_on, int b_goes_on)
{
    uint64_t count = diff->count;
    for (; count > 0; count--) {
        const akin_word_run_kind kind = diff->runs[count - 1].kind;
        if (!(kind == AKIN_RUN_OF_A && b_goes_on) && !(kind == AKIN_RUN_OF_B && a_goes_on))
            break;
    }
    if (count > 1) /* else there is nothing else that differs */
        diff->count = count;
}

static akin_status make_runs(akin_account *account, const search *s, uint64_t start, akin_word_diff *diff)
{
    akin_status status = AKIN_OK;
    for (uint32_t x = 0, y = 0; (x < s->x || y < s->y) && status == AKIN_OK;) {
        status = add_differing(account, diff, &s->a, &x, s->x, AKIN_RUN_OF_A, start);
        if (status == AKIN_OK)
            status = add_differing(account, diff, &s->b, &y, s->y, AKIN_RUN_OF_B, start);
        for (; x < s->x && !s->a.differs[x] && !s->b.differs[y] && status == AKIN_OK; x++, y++)
            status = add_run(account, diff, AKIN_RUN_COMMON, start + s->a.begins[x], start + s->a.begins[x + 1]);
    }
    if (diff->count == 1 && diff->runs[0].kind == AKIN_RUN_COMMON)
        diff->count = 0;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- diff */

/* The first byte of a character, at or before a place. */
static uint64_t border(const char *text, uint64_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* Where two texts are compared from. */
static uint64_t start_of(const char *a, uint64_t a_length, const char *b, uint64_t b_length)
{
    const uint64_t shorter = akin_min_u64(a_length, b_length);
    uint64_t alike = 0;
    while (alike < shorter && a[alike] == b[alike])
        alike++;
    if (alike <= LEAD)
        return 0;
    return border(a, alike - LEAD);
}

akin_status akin_word_diff_make(akin_account *account, const char *a, uint64_t a_length, const char *b,
                                uint64_t b_length, akin_word_diff *diff)
{
    const uint64_t start = start_of(a, a_length, b, b_length);
    const uint64_t a_end = a_length - start > LOOKED ? border(a, start + LOOKED) : a_length;
    const uint64_t b_end = b_length - start > LOOKED ? border(b, start + LOOKED) : b_length;
    const int a_goes_on = a_end < a_length, b_goes_on = b_end < b_length;
    search s = {.x = 0};
    uint32_t differing = 0;
    diff->count = 0;
    s.reached = akin_alloc(account, DEPTH, sizeof *s.reached);
    akin_status status = s.reached ? cut_words(account, a + start, a_end - start, a_goes_on, &s.a) : AKIN_E_NOMEM;
    if (status == AKIN_OK)
        status = cut_words(account, b + start, b_end - start, b_goes_on, &s.b);
    while (status == AKIN_OK && (s.x < s.a.count || s.y < s.b.count) && differing < DIFFERING)
        differing += advance(&s);
    diff->is_late = start > 0;
    const int is_left = s.x < s.a.count || s.y < s.b.count;
    diff->is_cut = a_goes_on || b_goes_on || is_left;
    if (status == AKIN_OK)
        status = make_runs(account, &s, start, diff);
    if (status == AKIN_OK && !is_left)
        drop_end(diff, a_goes_on, b_goes_on);
    akin_free(s.reached);
    akin_free(s.a.begins);
    akin_free(s.a.differs);
    akin_free(s.b.begins);
    akin_free(s.b.differs);
    return status;
}

void akin_word_diff_clear(akin_word_diff *diff)
{
    akin_free(diff->runs);
    *diff = (akin_word_diff){NULL, 0, 0, 0, 0};
}
