/* Sets the bit vectors of a pattern: for each symbol of a string the places where it stands. */
#include "strings/pattern.h"

#include "base/bits.h"

/* Makes room for `count` entries, and clears them. */
static int reserve_pattern(akin_account *account, void **block, uint64_t *room, uint64_t count, size_t size)
{
    void *larger = akin_enlarge(account, *block, room, count, size);
    if (!larger)
        return 0;
    *block = larger;
    memset(larger, 0, count * size);
    return 1;
}

static int reserve_words(akin_account *account, uint64_t **block, uint64_t *room, uint64_t count)
{
    void *at = *block;
    int done = reserve_pattern(account, &at, room, count, sizeof(uint64_t));
    *block = at;
    return done;
}

/* Slots for twice as many other symbols as there may be: chains stay short, and end. */
static int reserve_points(akin_pattern *pattern, uint32_t others)
{
    void *points = pattern->points;
    uint64_t slots = others ? 2 : 0;
    while (slots < 2 * (uint64_t)others)
        slots *= 2;
    if (slots > UINT32_MAX ||
        !reserve_pattern(pattern->account, &points, &pattern->room_points, slots, sizeof(uint32_t)))
        return 0;
    pattern->points = points;
    pattern->slots = (uint32_t)slots;
    return 1;
}

/* Room for the vectors of `others` symbols beyond ASCII. Of a long string those that are distinct are counted first:
 * they are few, and their vectors are long. */
static int reserve_others(akin_pattern *pattern, const akin_symbols *text, uint32_t others)
{
    uint32_t distinct = 0;
    if (!reserve_points(pattern, others))
        return 0;
    if (pattern->words > 1 && others > 0) {
        for (uint32_t i = 0; i < text->length; i++) {
            uint32_t symbol = akin_symbol(text, i);
            uint32_t slot = symbol < AKIN_PATTERN_ASCII ? 0 : akin_pattern_slot(pattern, symbol);
            if (symbol < AKIN_PATTERN_ASCII || pattern->points[slot])
                continue;
            pattern->points[slot] = symbol;
            distinct++;
        }
        if (!reserve_points(pattern, distinct))
            return 0;
    }
    return reserve_words(pattern->account, &pattern->others, &pattern->room_others,
                         ((uint64_t)pattern->slots + 1) * pattern->words);
}

static int reserve_next(akin_pattern *pattern)
{
    if (pattern->words <= AKIN_PATTERN_FEW)
        return 1;
    void *next = pattern->next;
    const int done = reserve_pattern(pattern->account, &next, &pattern->room_next, akin_pattern_vectors(pattern),
                                     sizeof *pattern->next);
    pattern->next = next;
    return done;
}

/* The vector of a symbol, which has one from now on. */
static uint64_t *vector_of(akin_pattern *pattern, uint32_t symbol)
{
    if (symbol < AKIN_PATTERN_ASCII)
        return pattern->ascii + (uint64_t)symbol * pattern->words;
    uint32_t slot = akin_pattern_slot(pattern, symbol);
    pattern->points[slot] = symbol;
    return pattern->others + (uint64_t)slot * pattern->words;
}

int akin_pattern_set(akin_pattern *pattern, const akin_symbols *text)
{
    uint64_t words = akin_max_u64(1, akin_ceil_div(text->length, 64));
    uint32_t others = 0, low = 0;
    for (uint32_t i = 0; i < text->length; i++) {
        uint32_t symbol = akin_symbol(text, i);
        others += symbol >= AKIN_PATTERN_ASCII;
        low = symbol < AKIN_PATTERN_ASCII ? akin_max_u32(low, symbol + 1) : low;
    }
    pattern->low = low;
    pattern->wait = pattern->span = (uint32_t)(AKIN_PATTERN_POLL / words) + 1;
    pattern->length = text->length;
    pattern->words = (uint32_t)words;
    if (!reserve_words(pattern->account, &pattern->ascii, &pattern->room_ascii, words * low) ||
        !reserve_words(pattern->account, &pattern->scratch, &pattern->room_scratch, words * AKIN_PATTERN_SCRATCH) ||
        !reserve_others(pattern, text, others) || !reserve_next(pattern))
        return 0;
    for (uint32_t i = 0; i < text->length; i++)
        vector_of(pattern, akin_symbol(text, i))[i / 64] |= UINT64_C(1) << i % 64;
    return 1;
}

void akin_pattern_clear(akin_pattern *pattern)
{
    akin_free(pattern->ascii);
    akin_free(pattern->others);
    akin_free(pattern->scratch);
    akin_free(pattern->points);
    akin_free(pattern->next);
    *pattern = (akin_pattern){.account = pattern->account};
}
