/*
 * Texts as words, and where words stand in the original text.
 *
 * A text is cut into pieces before each ASCII character that is not in a word. Nothing before such a character composes
 * with it, and no word has it. So pieces are normalised one by one, and the words of a text are those of its pieces. A
 * piece of ASCII characters has one word or none:
 *
 *     text      C a f E ' ,   n o n !      pieces  "CafE'"  ","  " non"  "!"
 *
 * Within other pieces borders are found by bisection. A prefix is long enough if it has the wanted word, whole and at
 * its place. That holds from one of the cuts on, where the code point behind joins nothing before it. Between this cut
 * and the one before there may be marks, and each border of these is tried.
 */
#include "corpus/words.h"

#include "base/bits.h"
#include "text/utf8.h"

#include <string.h>

#define MARKS 64 /* that are tried; nobody writes more of them in a row */

akin_text_options akin_words_options(void)
{
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    options.tokens = AKIN_TOKENS_WORDS;
    options.fold = 1;
    return options;
}

void akin_words_begin(akin_tokenizer *tokenizer, akin_cpu cpu, akin_account *account)
{
    const akin_text_options options = akin_words_options();
    akin_tokenizer_begin(tokenizer, cpu, account, &options);
}

void akin_word_locator_begin(akin_word_locator *locator, akin_cpu cpu, akin_account *account)
{
    locator->account = account;
    locator->word = NULL;
    locator->capacity = 0;
    locator->length = 0;
    akin_words_begin(&locator->tokenizer, cpu, account);
}

void akin_word_locator_clear(akin_word_locator *locator)
{
    akin_tokenizer_clear(&locator->tokenizer);
    akin_free(locator->word);
    locator->word = NULL;
    locator->capacity = 0;
}

/* Bytes of a text, and the words that are in it and before it. */
typedef struct piece {
    uint64_t begin, end;
    uint32_t before, words;
    int is_ascii;
} piece;

static int is_in_word(char byte)
{
    const unsigned char c = (unsigned char)byte, low = c | 0x20;
    return c >= 0x80 || (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9');
}

/* The word of a text at hand that has a number, by its bounds; *words: how many words the text has. */
static akin_status find_word(akin_word_locator *l, const char *text, uint64_t length, uint32_t number, uint32_t *begin,
                             uint32_t *end, uint32_t *words)
{
    akin_spans spans;
    const akin_status status = akin_tokenizer_take(&l->tokenizer, text, length, length);
    *begin = *end = *words = 0;
    while (status == AKIN_OK && akin_tokenizer_next(&l->tokenizer, &spans)) {
        if (number >= *words && number - *words < spans.count) {
            const uint32_t *bounds = spans.bounds + (uint64_t)(number - *words) * spans.step;
            *begin = bounds[0];
            *end = bounds[spans.gap];
        }
        *words += spans.count;
    }
    return status;
}

/* Goes on to the next piece, which begins where this one ends. */
static akin_status next_piece(akin_word_locator *l, const char *text, uint64_t length, piece *p)
{
    uint32_t begin, end;
    unsigned char high = 0;
    p->before += p->words;
    p->begin = p->end;
    do
        high |= (unsigned char)text[p->end++] & 0x80;
    while (p->end < length && is_in_word(text[p->end]));
    p->is_ascii = !high;
    if (!p->is_ascii)
        return find_word(l, text + p->begin, p->end - p->begin, 0, &begin, &end, &p->words);
    p->words = p->end - p->begin > 1 || is_in_word(text[p->begin]);
    return AKIN_OK;
}

/* Goes on to the piece of a word. */
static akin_status find_piece(akin_word_locator *l, const char *text, uint64_t length, uint32_t number, piece *p)
{
    akin_status status = AKIN_OK;
    while (status == AKIN_OK && number - p->before >= p->words)
        status = p->end < length ? next_piece(l, text, length, p) : AKIN_E_OPTION;
    return status;
}

/* Keeps the word of a piece that is searched. */
static akin_status keep_word(akin_word_locator *l, const char *text, const piece *p, uint32_t number)
{
    uint32_t begin, end, words;
    const akin_status status =
        find_word(l, text + p->begin, p->end - p->begin, number - p->before, &begin, &end, &words);
    if (status != AKIN_OK)
        return status;
    char *word = akin_enlarge(l->account, l->word, &l->capacity, end - begin, 1);
    if (!word)
        return AKIN_E_NOMEM;
    l->word = word;
    l->length = end - begin;
    memcpy(word, l->tokenizer.normal.text + begin, l->length);
    return AKIN_OK;
}

/* Whether a text has the kept word: as that of a number, from its beginning or from its end. */
static akin_status has_word(akin_word_locator *l, const char *text, uint64_t length, uint32_t number, int from_end,
                            int *has)
{
    uint32_t begin, end, words = 0;
    akin_status status = find_word(l, text, length, number, &begin, &end, &words);
    if (status == AKIN_OK && from_end && number < words)
        status = find_word(l, text, length, words - 1 - number, &begin, &end, &words);
    *has =
        number < words && end - begin == l->length && memcmp(l->tokenizer.normal.text + begin, l->word, l->length) == 0;
    return status;
}

/* Whether a border of a text is a cut: the code point behind it does not join the one before. */
static int is_cut(akin_word_locator *l, const char *text, uint64_t at, uint64_t end)
{
    size_t size;
    if ((unsigned char)text[at] < 0x80)
        return 1;
    const akin_glyph *glyph =
        akin_unicode_glyph(&l->tokenizer.normal.unicode, akin_utf8_decode(text + at, (size_t)(end - at), &size));
    return !glyph || glyph->state != AKIN_GLYPH_JOINS;
}

static uint64_t next_border(const char *text, uint64_t at, uint64_t end)
{
    do
        at++;
    while (at < end && akin_utf8_trails((unsigned char)text[at]));
    return at;
}

static uint64_t last_border(const char *text, uint64_t at)
{
    do
        at--;
    while (akin_utf8_trails((unsigned char)text[at]));
    return at;
}

/* A cut between `low` and `high`; `high` if there is none. */
static uint64_t middle_cut(akin_word_locator *l, const char *text, uint64_t low, uint64_t high)
{
    uint64_t at = low + (high - low) / 2 + 1;
    for (at = last_border(text, at); at > low && !is_cut(l, text, at, high);)
        at = last_border(text, at);
    if (at > low)
        return at;
    at = next_border(text, low + (high - low) / 2, high);
    while (at < high && !is_cut(l, text, at, high))
        at = next_border(text, at, high);
    return at;
}

/* The first border of a piece before which the word is whole. */
static akin_status find_end(akin_word_locator *l, const char *text, const piece *p, uint32_t number, uint64_t *out)
{
    uint64_t low = p->begin, high = p->end, at;
    int has = 0;
    *out = high;
    if (p->is_ascii)
        return AKIN_OK;
    akin_status status = keep_word(l, text, p, number);
    while (status == AKIN_OK && (at = middle_cut(l, text, low, high)) < high) {
        status = has_word(l, text + p->begin, at - p->begin, number - p->before, 0, &has);
        low = has ? low : at;
        high = has ? at : high;
    }
    at = low;
    has = 0;
    for (uint32_t i = 0; i < MARKS && !has && status == AKIN_OK && (at = next_border(text, at, high)) < high; i++)
        status = has_word(l, text + p->begin, at - p->begin, number - p->before, 0, &has);
    *out = has ? at : high;
    return status;
}

/* The last border of a piece behind which the word is whole, in front of `more` words that end at `end`. */
static akin_status find_begin(akin_word_locator *l, const char *text, const piece *p, uint32_t number, uint64_t end,
                              uint32_t more, uint64_t *out)
{
    uint64_t low = p->begin, high = end, at;
    int has = 0;
    *out = low + !is_in_word(text[low]);
    if (p->is_ascii)
        return AKIN_OK;
    akin_status status = keep_word(l, text, p, number);
    while (status == AKIN_OK && (at = middle_cut(l, text, low, high)) < high) {
        status = has_word(l, text + at, end - at, more, 1, &has);
        low = has ? at : low;
        high = has ? high : at;
    }
    at = high;
    has = 0;
    for (uint32_t i = 0; i < MARKS && !has && status == AKIN_OK && (at = last_border(text, at)) > low; i++)
        status = has_word(l, text + at, end - at, more, 1, &has);
    *out = has ? at : low;
    return status;
}

akin_status akin_words_locate(akin_word_locator *locator, const char *text, uint64_t length, uint32_t first,
                              uint32_t count, uint64_t *begin, uint64_t *end)
{
    const uint32_t last = first + count - 1;
    piece p = {0, 0, 0, 0, 1}, from;
    if (count == 0 || last < first)
        return AKIN_E_OPTION;
    akin_status status = find_piece(locator, text, length, first, &p);
    from = p;
    locator->piece_begin = p.begin;
    locator->piece_words = p.before;
    if (status == AKIN_OK)
        status = find_piece(locator, text, length, last, &p);
    if (status == AKIN_OK)
        status = find_end(locator, text, &p, last, end);
    if (status != AKIN_OK)
        return status;
    const int is_one = from.begin == p.begin;
    const uint64_t from_end = is_one ? *end : from.end;
    uint32_t ignored, words = from.words;
    if (is_one && !p.is_ascii)
        status = find_word(locator, text + p.begin, from_end - p.begin, 0, &ignored, &ignored, &words);
    if (status != AKIN_OK)
        return status;
    return find_begin(locator, text, &from, first, from_end, words - 1 - (first - from.before), begin);
}
