/*
 * Names, in which initials may stand for words: the mean credit of all words of both. Words are paired in their order,
 * so that their credits, in tenths, come to the most:
 *
 *     best(i, j) = the most of     best(i - 1, j), best(i, j - 1)      a word without a partner
 *                                  best(i - 1, j - 1) + 20             equal words
 *                                  best(i - 1, j - 1) + 18             a word of one symbol, and one that begins so
 *                                  best(i - 1, j - k) + 9 (k + 1)      a word of k symbols, and k words that begin with
 *                                  best(i - k, j - 1) + 9 (k + 1)      them, from either side
 */
#include "strings/initials.h"

#include "base/bits.h"
#include "base/memory.h"
#include "text/tokenizer.h"
#include "text/utf8.h"

#include <string.h>

#define FULL      10 /* credit of a word, in tenths */
#define INITIAL   9
#define RUN_MOST  3 /* initials that are one word */
#define ROWS_KEPT (RUN_MOST + 1)
#define POLL      1000000 /* pairs of words before somebody is asked whether to go on */

typedef struct word {
    uint32_t start, length; /* in bytes of the text */
    uint32_t symbols;       /* RUN_MOST + 1: that or more */
} word;

typedef struct words {
    akin_tokenizer tokenizer; /* has the text */
    word *list;
    uint64_t room;
    uint32_t count;
} words;

typedef struct initials {
    words left, right;
    uint64_t *best; /* ROWS_KEPT rows, of the right words and one more */
    uint64_t room;
    uint64_t last; /* the sum of credits of what was compared last */
} initials;

/* ------------------------------------------------------------------------------------------------------------ words */

static uint32_t size_of_symbol(const char *text)
{
    size_t size;
    akin_utf8_decode(text, 4, &size); /* there are more bytes behind the text that can be read */
    return (uint32_t)size;
}

static word word_of(const char *text, uint32_t start, uint32_t end)
{
    word w = {.start = start, .length = end - start};
    for (uint32_t at = start; at < end && w.symbols <= RUN_MOST; w.symbols++)
        at += size_of_symbol(text + at);
    return w;
}

static akin_status take_words(words *w, akin_account *account, const char *text, uint32_t length)
{
    akin_spans spans;
    w->count = 0;
    akin_status status = akin_tokenizer_take(&w->tokenizer, text, length, length);
    while (status == AKIN_OK && akin_tokenizer_next(&w->tokenizer, &spans)) {
        word *list = akin_enlarge(account, w->list, &w->room, (uint64_t)w->count + spans.count, sizeof *list);
        if (!list)
            return AKIN_E_NOMEM;
        w->list = list;
        for (uint32_t i = 0; i < spans.count; i++)
            list[w->count++] =
                word_of(spans.text, spans.bounds[i * spans.step], spans.bounds[i * spans.step + spans.gap]);
    }
    return status;
}

static const char *text_of(const words *w, uint32_t i)
{
    return w->tokenizer.normal.text + w->list[i].start;
}

static int are_equal(const words *a, uint32_t i, const words *b, uint32_t j)
{
    const uint32_t length = a->list[i].length;
    return length == b->list[j].length && memcmp(text_of(a, i), text_of(b, j), length) == 0;
}

/* How many words of b the symbols of word i of a are the initials of, the last one being word j; 0: of none. */
static uint32_t run_of(const words *a, uint32_t i, const words *b, uint32_t j)
{
    const uint32_t symbols = a->list[i].symbols;
    const char *symbol = text_of(a, i);
    if (symbols > RUN_MOST || symbols > j + 1)
        return 0;
    for (uint32_t k = 0; k < symbols; k++) {
        const uint32_t size = size_of_symbol(symbol);
        if (memcmp(symbol, text_of(b, j + 1 - symbols + k), size) != 0) /* each symbol begins with another byte */
            return 0;
        symbol += size;
    }
    return symbols;
}

/* ---------------------------------------------------------------------------------------------------------- strings */

static akin_status begin_initials(akin_comparer *c)
{
    akin_text_options text;
    akin_status status = akin_compare_options_text(&c->options, &text, NULL);
    initials *m = status == AKIN_OK ? akin_alloc_zero(c->account, 1, sizeof *m) : NULL;
    if (!m)
        return status == AKIN_OK ? AKIN_E_NOMEM : status;
    akin_tokenizer_begin(&m->left.tokenizer, c->cpu, c->account, &text);
    akin_tokenizer_begin(&m->right.tokenizer, c->cpu, c->account, &text);
    c->own = m;
    return AKIN_OK;
}

static void clear_initials(akin_comparer *c)
{
    initials *m = c->own;
    if (!m)
        return;
    akin_tokenizer_clear(&m->left.tokenizer);
    akin_tokenizer_clear(&m->right.tokenizer);
    akin_free(m->left.list);
    akin_free(m->right.list);
    akin_free(m->best);
    akin_free(m);
}

static akin_status take_initials(akin_comparer *c, const char *text, uint32_t length)
{
    akin_status status = c->own ? AKIN_OK : begin_initials(c);
    initials *m = c->own;
    return status == AKIN_OK ? take_words(&m->left, c->account, text, length) : status;
}

/* The row of best sums for the first i left words. */
static uint64_t *row_of(const initials *m, uint32_t i)
{
    return m->best + i % ROWS_KEPT * ((uint64_t)m->right.count + 1);
}

/* The best sum for the first i and j words, neither of them 0. */
static uint64_t best_of(const initials *m, uint32_t i, uint32_t j)
{
    const uint64_t *above = row_of(m, i - 1);
    uint64_t best = akin_max_u64(above[j], row_of(m, i)[j - 1]);
    if (are_equal(&m->left, i - 1, &m->right, j - 1))
        best = akin_max_u64(best, above[j - 1] + 2 * FULL);
    const uint32_t left = run_of(&m->left, i - 1, &m->right, j - 1);
    if (left > 0)
        best = akin_max_u64(best, above[j - left] + INITIAL * (left + 1));
    const uint32_t right = run_of(&m->right, j - 1, &m->left, i - 1);
    if (right > 0)
        best = akin_max_u64(best, row_of(m, i - right)[j - 1] + INITIAL * (right + 1));
    return best;
}

static akin_status pair_words(akin_comparer *c)
{
    initials *m = c->own;
    const uint64_t side = (uint64_t)m->right.count + 1;
    uint64_t *best = akin_enlarge(c->account, m->best, &m->room, ROWS_KEPT * side, sizeof *best), work = 0;
    if (!best)
        return AKIN_E_NOMEM;
    m->best = best;
    memset(best, 0, ROWS_KEPT * side * sizeof *best); /* the first place of each row stays 0 */
    for (uint32_t i = 1; i <= m->left.count; i++) {
        uint64_t *row = row_of(m, i);
        for (uint32_t j = 1; j <= m->right.count; j++)
            row[j] = best_of(m, i, j);
        work += m->right.count;
        if (work >= POLL && c->pattern.go_on) {
            work = 0;
            if (!c->pattern.go_on(c->pattern.user))
                return AKIN_E_CANCELLED;
        }
    }
    m->last = row_of(m, m->left.count)[m->right.count];
    return AKIN_OK;
}

static akin_status compare_initials(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    initials *m = c->own;
    akin_status status = take_words(&m->right, c->account, text, length);
    if (status == AKIN_OK)
        status = pair_words(c);
    if (status != AKIN_OK)
        return status;
    const uint64_t count = (uint64_t)m->left.count + m->right.count;
    const double similarity = count > 0 ? (double)m->last / (double)(FULL * count) : 1.0;
    *out = (akin_compared){similarity, 1.0 - similarity};
    return AKIN_OK;
}

/* Two names without words are the same. */
static int initials_reach(const akin_comparer *c, akin_ratio ratio)
{
    const initials *m = c->own;
    const uint64_t count = (uint64_t)m->left.count + m->right.count;
    return count == 0 || (akin_u128)m->last * ratio.den >= (akin_u128)(FULL * count) * ratio.num;
}

const akin_comparer_functions akin_initials_functions = {
    .clear = clear_initials, .take = take_initials, .compare = compare_initials, .reaches = initials_reach};
