/*
 * Parses the `ids` text format: a block of whole lines in one pass over groups of 64 bytes (see ids_group.h).
 *
 * The end of a row among the tokens is the number of token ends up to its line feed, so no token is checked for being
 * the last of its row. The check for ascending rows handles a whole block at once. It counts the tokens that do not
 * exceed the token before, and then those of them that begin a row. If there are no others, every row is in order.
 *
 * A second, plain pass over a bad block finds its error.
 */
#include "sets/ids.h"

#include "base/bits.h"
#include "base/foreign.h"
#include "base/reader.h"
#include "sets/ids_group.h"
#include "sets/sets.h"

#include <string.h>

#define WORD_SHOWN   24 /* bytes of a bad token that a message shows */
#define ROWS_FIRST   1024
#define TOKENS_FIRST 16384

/* ---------------------------------------------------------------------------------------------------------- storage */

/* Makes room for at least `offsets` offsets and `tokens` tokens, and for half as many again as there were. */
static akin_status enlarge_ids(akin_ids *ids, uint64_t offsets, uint64_t tokens, akin_error *error)
{
    akin_bulk *rows = &ids->bulks[0], *all = &ids->bulks[1];
    akin_status status = akin_bulk_grow(rows, offsets * sizeof *ids->offsets, "reading the sets", error);
    if (status == AKIN_OK)
        status = akin_bulk_grow(all, tokens * sizeof *ids->tokens, "reading the sets", error);
    ids->offsets = rows->data;
    ids->tokens = all->data;
    ids->rows_capacity = rows->capacity / sizeof *ids->offsets - (rows->data != NULL);
    ids->capacity = all->capacity / sizeof *ids->tokens;
    return status;
}

akin_status akin_ids_begin(akin_ids *ids, const akin_scope *scope, const char *name, akin_error *error)
{
    *ids = (akin_ids){.name = name, .cpu = scope->cpu};
    for (int i = 0; i < 2; i++)
        ids->bulks[i] = akin_bulk_of(scope, NULL, akin_sets_share(scope));
    akin_status status = enlarge_ids(ids, ROWS_FIRST, TOKENS_FIRST, error);
    if (status == AKIN_OK)
        ids->offsets[0] = 0;
    return status;
}

void akin_ids_clear(akin_ids *ids)
{
    akin_bulk_clear(&ids->bulks[0]);
    akin_bulk_clear(&ids->bulks[1]);
}

akin_status akin_ids_finish(akin_ids *ids, akin_sets **out, akin_error *error)
{
    akin_status status = akin_sets_adopt_bulks((uint32_t)ids->rows, &ids->bulks[0], &ids->bulks[1], out, error);
    if (status != AKIN_OK)
        return status;
    ids->bulks[0] = ids->bulks[1] = (akin_bulk){0};
    return AKIN_OK;
}

void akin_ids_expect(akin_ids *ids, double times)
{
    const uint64_t rows = akin_expected(ids->rows, times), tokens = akin_expected(ids->count, times);
    akin_error ignored;
    if (rows > ids->rows && tokens > 0)
        (void)enlarge_ids(ids, rows + 1, tokens + GROUP / 2 + OVERSHOOT, &ignored);
}

/* ----------------------------------------------------------------------------------------------------------- pieces */

void akin_ids_renew(akin_ids *ids)
{
    ids->rows = ids->count = 0;
}

int akin_ids_have_room(const akin_ids *ids, const akin_ids *piece)
{
    return piece->rows <= ids->rows_capacity - ids->rows && piece->count <= ids->capacity - ids->count;
}

akin_status akin_ids_put(akin_ids *ids, const akin_ids *piece, akin_ids_place *place, akin_error *error)
{
    const akin_status status = enlarge_ids(ids, ids->rows + piece->rows + 1, ids->count + piece->count, error);
    if (status != AKIN_OK)
        return status;
    *place = (akin_ids_place){ids->offsets + ids->rows + 1, ids->tokens + ids->count, ids->count};
    ids->rows += piece->rows;
    ids->count += piece->count;
    return AKIN_OK;
}

void akin_ids_copy(const akin_ids *piece, const akin_ids_place *place)
{
    for (uint64_t row = 0; row < piece->rows; row++)
        place->offsets[row] = piece->offsets[row + 1] + place->before;
    memcpy(place->tokens, piece->tokens, piece->count * sizeof *piece->tokens);
}

/* --------------------------------------------------------------------------------------------------------- messages */

/* The word in printable form, cut to a few bytes; `shown` has room for four characters a byte and an ellipsis. */
static const char *printable_byte(const char *word, size_t length, char shown[WORD_SHOWN * 4 + 4])
{
    static const char hex[] = "0123456789abcdef";
    char *at = shown;
    for (size_t i = 0; i < length && i < WORD_SHOWN; i++) {
        unsigned char c = (unsigned char)word[i];
        if (c >= 0x20 && c < 0x7f) {
            *at++ = (char)c;
        } else {
            *at++ = '\\';
            *at++ = 'x';
            *at++ = hex[c >> 4];
            *at++ = hex[c & 15];
        }
    }
    memcpy(at, length > WORD_SHOWN ? "..." : "", length > WORD_SHOWN ? 4 : 1);
    return shown;
}

/* Whether the word is a token: 1, or 0 if it has other characters than digits, or -1 if its value is too large. */
static int judge_byte(const char *word, size_t length)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return 0;
        if (value <= UINT32_MAX)
            value = value * 10 + (uint64_t)(word[i] - '0');
    }
    return value <= UINT32_MAX ? 1 : -1;
}

/* Whether these are tokens whose lines end in CR alone. */
static int is_digits_and_returns(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (word[i] != '\r' && (word[i] < '0' || word[i] > '9'))
            return 0;
    return 1;
}

/* Whether a file begins with the mark that some editors put before UTF-8 text. It looks like nothing on a screen. */
static int is_marked(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
}

/* Finds the first word of the block that is no token and says so. `line` is the number of the block's first line. */
static akin_status fail_at_byte(const akin_ids *ids, const char *text, size_t length, uint64_t line, akin_error *error)
{
    char shown[WORD_SHOWN * 4 + 4];
    if (line == 1 && is_marked(text, length))
        return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, ids->name, 1,
                              "begins with a UTF-8 byte order mark (bytes ef bb bf): save it without one");
    const char *wide = line == 1 ? akin_wide(text, length) : NULL;
    int returns = line == 1 && akin_has_returns(text, length, 2);
    for (size_t at = 0; at < length; line++) {
        const char *feed = memchr(text + at, '\n', length - at);
        size_t next = feed ? (size_t)(feed - text) + 1 : length;
        size_t end = feed ? next - 1 : length;
        if (end > at && text[end - 1] == '\r')
            end--;
        while (at < end) {
            size_t start = at;
            while (at < end && text[at] != ' ' && text[at] != '\t')
                at++;
            int verdict = judge_byte(text + start, at - start);
            if (verdict == 0 && (wide || (returns && is_digits_and_returns(text + start, at - start))))
                return akin_fail_line(error, AKIN_E_INPUT, wide ? AKIN_REASON_UTF16 : AKIN_REASON_MALFORMED, ids->name,
                                      line, "%s", wide ? wide : AKIN_RETURNS);
            if (verdict == 0)
                akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_NOT_A_TOKEN, ids->name, line,
                               "'%s' is not a token id (a number from 0 to 4294967295)",
                               printable_byte(text + start, at - start, shown));
            if (verdict < 0)
                akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_NONE, ids->name, line,
                               "token %s does not fit 32 bits (0 to 4294967295)",
                               printable_byte(text + start, at - start, shown));
            if (verdict <= 0)
                return akin_note_word(AKIN_E_INPUT, text + start, at - start, error);
            at++;
        }
        at = next;
    }
    return akin_fail(error, AKIN_E_INPUT, "%s: a token id cannot be read", ids->name);
}

/* ---------------------------------------------------------------------------------------------------------- parsing */

/* Whether every byte that `other` marks in the group at `at` is a carriage return before a line feed or the end. */
static int only_returns(const char *text, size_t length, size_t at, uint64_t other)
{
    for (; other != 0; other &= other - 1) {
        size_t i = at + (size_t)__builtin_ctzll(other);
        if (text[i] != '\r' || (i + 1 < length && text[i + 1] != '\n'))
            return 0;
    }
    return 1;
}

/* Ends a row after `count` tokens in all. */
static akin_status end_row(akin_ids *ids, uint64_t count, akin_error *error)
{
    if (ids->rows == ids->rows_capacity) {
        akin_status status = enlarge_ids(ids, ids->rows + 2, 0, error);
        if (status != AKIN_OK)
            return status;
    }
    ids->offsets[++ids->rows] = count;
    return AKIN_OK;
}

/* Parses a block with the given functions; compiled once for each pair of them, so that they are part of the loop. */
__attribute__((always_inline)) static inline akin_status scan(akin_ids *ids, const char *text, size_t length,
                                                              classifier classify, converter convert, akin_error *error)
{
    uint64_t first_line = ids->rows + 1, count = ids->count, carry = 0;
    akin_status status = AKIN_OK;
    char padded[2 * GROUP];
    for (size_t at = 0; at <= length; at += GROUP) {
        const char *bytes = text + at;
        if (length - at < GROUP || at == 0) {
            /* nothing is read before the block or beyond it, blanks stand for that; the last group may be empty */
            memset(padded, ' ', sizeof padded);
            if (at > 0)
                memcpy(padded, bytes - GROUP, GROUP);
            memcpy(padded + GROUP, bytes, length - at < GROUP ? length - at : GROUP);
            bytes = padded + GROUP;
        }
        classes found = classify(bytes);
        if (found.other != 0 && !only_returns(text, length, at, found.other))
            return fail_at_byte(ids, text, length, first_line, error);
        if (ids->capacity - count < GROUP / 2 + OVERSHOOT) {
            status = enlarge_ids(ids, 0, count + GROUP / 2 + OVERSHOOT, error);
            if (status != AKIN_OK)
                return status;
        }
        uint64_t ends = ~found.digit & (found.digit << 1 | carry);
        carry = found.digit >> 63;
        for (uint64_t feed = found.feed; feed != 0; feed &= feed - 1)
            if ((status = end_row(ids, count + akin_popcount64(ends & (feed ^ (feed - 1))), error)) != AKIN_OK)
                return status;
        uint32_t some = akin_popcount64(ends);
        if (!convert((group){text, at, bytes}, ends, some, ids->tokens + count))
            return fail_at_byte(ids, text, length, first_line, error);
        count += some;
    }
    ids->count = count;
    return text[length - 1] == '\n' ? AKIN_OK : end_row(ids, count, error);
}

static akin_status scan_plain_ids(akin_ids *ids, const char *text, size_t length, akin_error *error)
{
    return scan(ids, text, length, classify_plain, convert_plain, error);
}

#if defined(__x86_64__)
static akin_status scan_sse2(akin_ids *ids, const char *text, size_t length, akin_error *error)
{
    return scan(ids, text, length, classify_sse2, convert_sse2, error);
}

AVX512 static akin_status scan_avx512(akin_ids *ids, const char *text, size_t length, akin_error *error)
{
    return scan(ids, text, length, classify_avx512, convert_avx512, error);
}
#elif defined(__aarch64__)
static akin_status scan_neon(akin_ids *ids, const char *text, size_t length, akin_error *error)
{
    return scan(ids, text, length, classify_neon, convert_neon, error);
}
#endif

static akin_status scan_best(akin_ids *ids, const char *text, size_t length, akin_error *error)
{
    static akin_status (*const by_level[])(akin_ids *, const char *, size_t, akin_error *) =
        AKIN_CPU_ROW(scan_plain_ids, scan_neon, scan_sse2, scan_avx512);
    return by_level[ids->cpu](ids, text, length, error);
}

/* --------------------------------------------------------------------------------------------------------- settling */

/* Whether every row from `row` on is ascending and without repetitions. */
static int in_order(const akin_ids *ids, uint64_t row)
{
    const uint64_t *offsets = ids->offsets;
    const uint32_t *tokens = ids->tokens;
    uint64_t first = offsets[row], falls = 0;
    for (; row < ids->rows; row++) {
        uint64_t start = offsets[row];
        if (start > first && start < offsets[row + 1])
            falls += tokens[start] <= tokens[start - 1];
    }
    return falls == akin_tokens_falls(tokens + first, (size_t)(ids->count - first));
}

/* Puts the tokens of each row from `row` on in order, each once, and closes the gaps. */
static void arrange_ids(akin_ids *ids, uint64_t row)
{
    uint64_t start = ids->offsets[row], to = start;
    for (; row < ids->rows; row++) {
        uint64_t end = ids->offsets[row + 1];
        size_t kept = akin_tokens_arrange(ids->tokens + start, (size_t)(end - start));
        if (to != start)
            memmove(ids->tokens + to, ids->tokens + start, kept * sizeof *ids->tokens);
        to += kept;
        start = end;
        ids->offsets[row + 1] = to;
    }
    ids->count = to;
}

akin_status akin_ids_add(akin_ids *ids, const char *text, size_t length, akin_error *error)
{
    uint64_t row = ids->rows, count = ids->count;
    akin_status status = scan_best(ids, text, length, error);
    if (status != AKIN_OK)
        return status;
    if (ids->rows > UINT32_MAX)
        return akin_fail_line(error, AKIN_E_LIMIT, AKIN_REASON_NONE, ids->name, (uint64_t)UINT32_MAX + 1,
                              "more than 4294967295 rows");
    if (!in_order(ids, row))
        arrange_ids(ids, row);
    /* only where this many tokens are new can one row have all 2^32 */
    for (; ids->count - count > UINT32_MAX && row < ids->rows; row++)
        if (ids->offsets[row + 1] - ids->offsets[row] > UINT32_MAX)
            return akin_fail_line(error, AKIN_E_LIMIT, AKIN_REASON_NONE, ids->name, row + 1,
                                  "a set of more than 4294967295 tokens");
    return AKIN_OK;
}
