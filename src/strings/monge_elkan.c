/*
 * Monge-Elkan (1996), symmetric: how alike the words of two strings are. Each word has the similarity, by Jaro-Winkler,
 * of the word of the other string that is most like it. The mean over the words of one string and that over the words
 * of the other have the similarity of the strings as their mean.
 */
#include "strings/monge_elkan.h"

#include "base/bits.h"
#include "strings/jaro.h"

#define PATTERNS 32 /* words of the left string whose patterns are kept; those of further words are made each time */
#define POLL     1000000 /* symbols of right words that are compared before somebody is asked whether to go on */

/* The words of a string, folded: word i is text[bounds[2 i]] .. text[bounds[2 i + 1] - 1]. Tokens of other kinds, which
 * may overlap, are words here, too. */
typedef struct words {
    akin_tokenizer tokenizer; /* has the text */
    akin_points points;       /* has it as code points, where it is not all ASCII */
    akin_symbols text;
    uint32_t *bounds, count, longest;
    uint64_t room_bounds;
    uint64_t symbols; /* of all words */
} words;

typedef struct monge_elkan {
    words left, right;
    akin_pattern patterns[PATTERNS];
    double *best; /* of each right word: the similarity of the left word that is most like it */
    uint64_t room_best;
} monge_elkan;

/* ------------------------------------------------------------------------------------------------------------ words */

static akin_symbols word_at(const words *w, uint32_t i)
{
    const uint32_t *bounds = w->bounds + 2 * (uint64_t)i;
    const uint32_t start = bounds[0];
    return (akin_symbols){.bytes = w->text.points ? NULL : w->text.bytes + start,
                          .points = w->text.points ? w->text.points + start : NULL,
                          .length = bounds[1] - start};
}

static akin_status add_words(words *w, akin_account *account, const akin_spans *spans)
{
    uint64_t needed = 2 * ((uint64_t)w->count + spans->count);
    uint32_t *bounds = akin_enlarge(account, w->bounds, &w->room_bounds, needed, sizeof *bounds);
    if (!bounds)
        return AKIN_E_NOMEM;
    w->bounds = bounds;
    for (uint32_t i = 0; i < spans->count; i++, w->count++) {
        const uint64_t at = 2 * (uint64_t)w->count;
        bounds[at] = spans->bounds[i * spans->step];
        bounds[at + 1] = spans->bounds[i * spans->step + spans->gap];
    }
    return AKIN_OK;
}

/* Makes places in the text places among its code points. The places are every second one of `bounds`, and rise: the
 * starts of tokens do, and their ends. The two together need not, where tokens overlap. */
static void count_points(const char *text, uint32_t *bounds, uint32_t count)
{
    uint32_t at = 0, points = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *place = bounds + 2 * (uint64_t)i;
        for (; at < *place; at++)
            points += ((unsigned char)text[at] & 0xc0) != 0x80;
        *place = points;
    }
}

static akin_status take_words(words *w, akin_account *account, const char *text, uint32_t length)
{
    akin_spans spans;
    w->count = w->longest = 0;
    w->symbols = 0;
    akin_status status = akin_tokenizer_take(&w->tokenizer, text, length, length);
    while (status == AKIN_OK && akin_tokenizer_next(&w->tokenizer, &spans))
        status = add_words(w, account, &spans);
    if (status != AKIN_OK)
        return status;
    const akin_normal *normal = &w->tokenizer.normal;
    status = akin_symbols_take(normal->text, (uint32_t)normal->length, &w->points, &w->text);
    if (status != AKIN_OK)
        return status;
    if (w->text.points && w->count > 0) {
        count_points(normal->text, w->bounds, w->count);
        count_points(normal->text, w->bounds + 1, w->count);
    }
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t length = word_at(w, i).length;
        w->longest = akin_max_u32(w->longest, length);
        w->symbols += length;
    }
    return AKIN_OK;
}

static void clear_words(words *w)
{
    akin_tokenizer_clear(&w->tokenizer);
    akin_points_clear(&w->points);
    akin_free(w->bounds);
}

/* ---------------------------------------------------------------------------------------------------------- strings */

static akin_status begin_monge_elkan(akin_comparer *c)
{
    akin_text_options text;
    akin_status status = akin_compare_options_text(&c->options, &text, NULL);
    monge_elkan *m = status == AKIN_OK ? akin_alloc_zero(c->account, 1, sizeof *m) : NULL;
    if (!m)
        return status == AKIN_OK ? AKIN_E_NOMEM : status;
    akin_tokenizer_begin(&m->left.tokenizer, c->cpu, c->account, &text);
    akin_tokenizer_begin(&m->right.tokenizer, c->cpu, c->account, &text);
    m->left.points.account = m->right.points.account = c->account;
    for (uint32_t i = 0; i < PATTERNS; i++)
        m->patterns[i].account = c->account;
    c->own = m;
    return AKIN_OK;
}

static void clear_monge_elkan(akin_comparer *c)
{
    monge_elkan *m = c->own;
    if (!m)
        return;
    clear_words(&m->left);
    clear_words(&m->right);
    for (uint32_t i = 0; i < PATTERNS; i++)
        akin_pattern_clear(&m->patterns[i]);
    akin_free(m->best);
    akin_free(m);
}

/* Sets a pattern to a word of the left string. The pattern takes over the cancellation of the comparer's own
 * pattern. */
static int set_pattern(const akin_comparer *c, akin_pattern *pattern, uint32_t word)
{
    const monge_elkan *m = c->own;
    akin_symbols symbols = word_at(&m->left, word);
    pattern->go_on = c->pattern.go_on;
    pattern->user = c->pattern.user;
    return akin_pattern_set(pattern, &symbols);
}

static akin_status take_monge_elkan(akin_comparer *c, const char *text, uint32_t length)
{
    akin_status status = c->own ? AKIN_OK : begin_monge_elkan(c);
    monge_elkan *m = c->own;
    if (status == AKIN_OK)
        status = take_words(&m->left, c->account, text, length);
    for (uint32_t i = 0; status == AKIN_OK && i < m->left.count && i < PATTERNS; i++)
        status = set_pattern(c, &m->patterns[i], i) ? AKIN_OK : AKIN_E_NOMEM;
    return status;
}

/* The similarity of a left word that is most like a right one, having raised each right word's own. */
static double compare_word(const akin_comparer *c, akin_pattern *pattern, uint32_t word)
{
    monge_elkan *m = c->own;
    akin_symbols left = word_at(&m->left, word);
    double most = 0;
    for (uint32_t j = 0; j < m->right.count && !pattern->stopped; j++) {
        akin_symbols right = word_at(&m->right, j);
        akin_jaro jaro = akin_jaro_of(pattern, &right, c->noted);
        uint32_t prefix = akin_winkler_prefix(&left, &right);
        double similarity = akin_jaro_similarity(jaro, left.length, right.length, prefix, &c->cutoff.winkler);
        most = similarity > most ? similarity : most;
        m->best[j] = similarity > m->best[j] ? similarity : m->best[j];
    }
    return most;
}

/* Makes room for what is noted of the right words. */
static int reserve_right_words(akin_comparer *c)
{
    monge_elkan *m = c->own;
    double *best = akin_enlarge(c->account, m->best, &m->room_best, m->right.count, sizeof *best);
    if (best)
        m->best = best;
    uint32_t *noted = akin_enlarge(c->account, c->noted, &c->room_noted, m->right.longest, sizeof *noted);
    if (noted)
        c->noted = noted;
    return best && noted;
}

static akin_status compare_monge_elkan(akin_comparer *c, const char *text, uint32_t length, akin_compared *out)
{
    monge_elkan *m = c->own;
    double sums[2] = {0, 0};
    uint64_t work = 0;
    akin_status status = take_words(&m->right, c->account, text, length);
    if (status == AKIN_OK && !reserve_right_words(c))
        status = AKIN_E_NOMEM;
    for (uint32_t j = 0; status == AKIN_OK && j < m->right.count; j++)
        m->best[j] = 0;
    for (uint32_t i = 0; status == AKIN_OK && i < m->left.count; i++) {
        akin_pattern *pattern = i < PATTERNS ? &m->patterns[i] : &c->pattern;
        if (i >= PATTERNS && !set_pattern(c, pattern, i))
            return AKIN_E_NOMEM;
        sums[0] += compare_word(c, pattern, i);
        work += m->right.symbols;
        if (work >= POLL && pattern->go_on)
            pattern->stopped |= !pattern->go_on(pattern->user), work = 0;
        status = pattern->stopped ? AKIN_E_CANCELLED : AKIN_OK;
    }
    for (uint32_t j = 0; status == AKIN_OK && j < m->right.count; j++)
        sums[1] += m->best[j];
    if (status != AKIN_OK)
        return status;
    double similarity = m->left.count == 0 && m->right.count == 0;
    if (m->left.count > 0 && m->right.count > 0)
        similarity = (sums[0] / m->left.count + sums[1] / m->right.count) / 2;
    *out = (akin_compared){similarity, 1.0 - similarity};
    return AKIN_OK;
}

const akin_comparer_functions akin_monge_elkan_functions = {
    .clear = clear_monge_elkan, .take = take_monge_elkan, .compare = compare_monge_elkan};
