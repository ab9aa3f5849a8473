/* A text normalised and folded, and for each byte of it whether it is in a token. */
#include "text/normal.h"

#include "base/memory.h"
#include "text/utf8.h"

#define GROUP AKIN_ASCII_GROUP
#define ROOM  (2 * GROUP) /* what one step may write beyond the text */
#define MOST  (UINT32_MAX - ROOM)

void akin_normal_begin(akin_normal *normal, akin_cpu cpu, akin_account *account, akin_tokens tokens, int fold)
{
    *normal = (akin_normal){.cpu = cpu, .account = account};
    normal->rules.fold = fold ? ~UINT64_C(0) : 0;
    normal->rules.words = tokens == AKIN_TOKENS_WORDS ? ~UINT64_C(0) : 0;
    normal->rules.solid = tokens == AKIN_TOKENS_WHITESPACE ? ~UINT64_C(0) : 0;
    normal->rules.any = tokens == AKIN_TOKENS_QGRAMS ? ~UINT64_C(0) : 0;
    akin_unicode_begin(&normal->unicode, account, tokens, fold);
}

void akin_normal_clear(akin_normal *normal)
{
    akin_free(normal->text);
    akin_free(normal->inside);
    akin_unicode_clear(&normal->unicode);
    *normal = (akin_normal){0};
}

/* Makes room for a text of `length` bytes, and for one step more. */
static akin_status reserve_normal(akin_normal *n, uint64_t length)
{
    if (length > MOST)
        return AKIN_E_LIMIT;
    char *text = akin_enlarge(n->account, n->text, &n->capacity, length + ROOM + AKIN_NORMAL_PADDING, 1);
    if (!text)
        return AKIN_E_NOMEM;
    n->text = text;
    uint64_t *inside = akin_enlarge(n->account, n->inside, &n->inside_capacity, (n->capacity >> 6) + 3, sizeof *inside);
    if (!inside)
        return AKIN_E_NOMEM;
    n->inside = inside;
    return AKIN_OK;
}

static inline uint64_t low_bits(uint64_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
}

/* Sets the bits from `at` on: up to 64 given ones, and zeros after them. */
static inline void put_bits(uint64_t *inside, uint64_t at, uint64_t bits)
{
    uint64_t shift = at & 63, *word = inside + (at >> 6);
    word[0] = (word[0] & low_bits(shift)) | bits << shift;
    word[1] = shift ? bits >> (64 - shift) : 0;
}

/* Where a text is being read and written. */
typedef struct place {
    uint64_t from, to;         /* read and written so far */
    uint64_t cut_from, cut_to; /* the last code point that nothing before joins */
} place;

/* Normalises the stretch from the last cut to `end` by utf8proc. */
static akin_status rewrite(akin_normal *n, const char *from, uint64_t end, place *p)
{
    const int32_t *points;
    size_t count;
    akin_status status =
        akin_unicode_normalise(&n->unicode, from + p->cut_from, (size_t)(end - p->cut_from), &points, &count);
    uint64_t to = p->cut_to;
    put_bits(n->inside, to, 0);
    for (size_t i = 0; i < count && status == AKIN_OK; i++) {
        uint32_t inside;
        if (n->capacity - to < ROOM + AKIN_NORMAL_PADDING)
            status = reserve_normal(n, to + (count - i) * 4);
        if (status == AKIN_OK) {
            uint32_t length = akin_unicode_encode(&n->unicode, points[i], n->text + to, &inside);
            put_bits(n->inside, to, inside);
            to += length;
        }
    }
    p->from = end;
    p->to = to;
    return status;
}

/* Moves *at past what joins the code point before. */
static akin_status find_cut(akin_normal *n, const char *from, uint64_t length, uint64_t *at)
{
    size_t size;
    while (*at < length && (from[*at] & 0x80)) {
        uint32_t point = akin_utf8_decode(from + *at, (size_t)(length - *at), &size);
        if (point == AKIN_NO_POINT)
            return AKIN_E_INPUT;
        const akin_glyph *glyph = akin_unicode_glyph(&n->unicode, point);
        if (!glyph)
            return AKIN_E_NOMEM;
        if (glyph->state != AKIN_GLYPH_JOINS)
            break;
        *at += size;
    }
    return AKIN_OK;
}

/* Goes on to the next ASCII character, or the end. */
static akin_status take_others(akin_normal *n, const char *from, uint64_t length, place *p)
{
    akin_status status = AKIN_OK;
    while (status == AKIN_OK && p->from < length && (from[p->from] & 0x80)) {
        size_t size;
        uint32_t point = akin_utf8_decode(from + p->from, (size_t)(length - p->from), &size);
        if (point == AKIN_NO_POINT)
            return AKIN_E_INPUT;
        const akin_glyph *glyph = akin_unicode_glyph(&n->unicode, point);
        if (!glyph)
            return AKIN_E_NOMEM;
        if (glyph->state != AKIN_GLYPH_JOINS) {
            p->cut_from = p->from;
            p->cut_to = p->to;
        }
        if (n->capacity - p->to < ROOM + AKIN_NORMAL_PADDING && (status = reserve_normal(n, p->to + ROOM)) != AKIN_OK)
            return status;
        if (glyph->state == AKIN_GLYPH_SHORT) {
            memcpy(n->text + p->to, glyph->bytes, AKIN_GLYPH_BYTES);
            put_bits(n->inside, p->to, glyph->inside);
            p->from += size;
            p->to += glyph->length;
        } else {
            uint64_t end = p->from + size;
            status = find_cut(n, from, length, &end);
            if (status == AKIN_OK)
                status = rewrite(n, from, end, p);
        }
    }
    return status;
}

/* Takes groups of pure ASCII while there are any and there is room. The text written so far consists of groups, too. */
__attribute__((always_inline)) static inline void take_groups(akin_normal *n, const char *from, uint64_t length,
                                                              place *p, akin_ascii_classifier classify)
{
    const uint64_t room = n->capacity - p->to < ROOM ? 0 : n->capacity - p->to - ROOM;
    const uint64_t groups = akin_min_u64(length - p->from, room) / GROUP;
    uint64_t *inside = n->inside + p->to / GROUP, taken = 0;
    for (; taken < groups; taken++) {
        akin_ascii_classes found = classify(from + p->from + taken * GROUP, n->text + p->to + taken * GROUP, &n->rules);
        if (found.high)
            break;
        inside[taken] = found.inside;
    }
    inside[taken] = 0;
    p->from += taken * GROUP;
    p->to += taken * GROUP;
    if (taken > 0) {
        p->cut_from = p->from - 1;
        p->cut_to = p->to - 1;
    }
}

/* Takes a text with the given function; compiled once for each, so that it is part of the loop. */
__attribute__((always_inline)) static inline akin_status take(akin_normal *n, const char *from, uint64_t length,
                                                              uint64_t readable, akin_ascii_classifier classify)
{
    place p = {0, 0, 0, 0};
    char padded[GROUP] = {0};
    n->inside[0] = 0;
    while (p.from < length) {
        if (p.to % GROUP == 0 && length - p.from >= GROUP) {
            take_groups(n, from, length, &p, classify);
            if (p.from == length)
                break;
        }
        const char *bytes = from + p.from;
        uint64_t left = length - p.from;
        if (readable - p.from < GROUP) {
            memcpy(padded, bytes, (size_t)left);
            bytes = padded;
        }
        if (n->capacity - p.to < ROOM + AKIN_NORMAL_PADDING) {
            akin_status status = reserve_normal(n, p.to + left);
            if (status != AKIN_OK)
                return status;
        }
        akin_ascii_classes found = classify(bytes, n->text + p.to, &n->rules);
        uint64_t high = found.high & low_bits(left);
        uint64_t run = high ? (uint64_t)__builtin_ctzll(high) : akin_min_u64(left, GROUP);
        put_bits(n->inside, p.to, found.inside & low_bits(run));
        p.from += run;
        p.to += run;
        if (run > 0) {
            p.cut_from = p.from - 1;
            p.cut_to = p.to - 1;
        }
        if (high) {
            akin_status status = take_others(n, from, length, &p);
            if (status != AKIN_OK)
                return status;
        }
    }
    n->length = p.to;
    return p.to > MOST ? AKIN_E_LIMIT : AKIN_OK;
}

static akin_status take_plain(akin_normal *n, const char *from, uint64_t length, uint64_t readable)
{
    return take(n, from, length, readable, akin_ascii_plain);
}

#if defined(__x86_64__)
AKIN_ASCII_AVX2 static akin_status take_avx2(akin_normal *n, const char *from, uint64_t length, uint64_t readable)
{
    return take(n, from, length, readable, akin_ascii_avx2);
}

AKIN_ASCII_AVX512 static akin_status take_avx512(akin_normal *n, const char *from, uint64_t length, uint64_t readable)
{
    return take(n, from, length, readable, akin_ascii_avx512);
}
#elif defined(__aarch64__)
static akin_status take_neon(akin_normal *n, const char *from, uint64_t length, uint64_t readable)
{
    return take(n, from, length, readable, akin_ascii_neon);
}
#endif

akin_status akin_normal_take(akin_normal *normal, const char *from, uint64_t length, uint64_t readable)
{
    static akin_status (*const by_level[])(akin_normal *, const char *, uint64_t, uint64_t) =
        AKIN_CPU_ROW(take_plain, take_neon, take_avx2, take_avx512);
    const akin_status status = reserve_normal(normal, length);
    return status == AKIN_OK ? by_level[normal->cpu](normal, from, length, readable) : status;
}
