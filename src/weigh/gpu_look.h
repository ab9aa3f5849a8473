/*
 * What a thread of a GPU does with text: which bytes are in tokens, a token as a key, and the table of words. It is
 * compiled into kernels, and into the GPU that the host plays in tests.
 *
 * There is one rule for a chunk. Where text is plain ASCII it is cut and folded as it stands. Documents that are more
 * than that, and tokens that are not words, come from the host's tokenizer, as tokens with a barrier behind each:
 * letters beyond ASCII are bytes of 0x80 and above, which this rule puts in tokens; a barrier is in no token by either
 * rule.
 *
 * The order in which threads come decides which slot a new word gets, and nothing else: of all the places where it is
 * the lowest one stays. A slot never goes from one word to another while tokens are looked up; so one that was read
 * before it changed, from a cache, is either found empty, which the exchange corrects, or has a later place of the same
 * word. The host plays it with several threads, too.
 */
#ifndef AKIN_WEIGH_GPU_LOOK_H
#define AKIN_WEIGH_GPU_LOOK_H

#include "device/gpu_step.h"
#include "weigh/kernels.h"

#define AKIN_GPU_EMPTY  (~(uint64_t)0)      /* a slot */
#define AKIN_GPU_IS_NEW ((uint64_t)1 << 47) /* in a slot: what is below is a place in the text */
#define AKIN_GPU_BELOW  (AKIN_GPU_IS_NEW - 1)
#define AKIN_GPU_TAG    (~(AKIN_GPU_IS_NEW | AKIN_GPU_BELOW))
#define AKIN_GPU_PROBES 4096 /* slots that are looked at, before the table is said to be full */

/* -------------------------------------------------------------------------------------------------------- machine */

#ifdef __CUDACC__
AKIN_GPU_FUNCTION uint64_t akin_gpu_high(uint64_t a, uint64_t b)
{
    return __umul64hi(a, b);
}

/* What a slot is: cached, so it may be old. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_peek(const uint64_t *slot)
{
    return __ldca((const unsigned long long *)slot);
}

/* A word, which no kernel changes that looks words up: two loads of 16 bytes, where the fields would take four. */
AKIN_GPU_FUNCTION akin_gpu_word akin_gpu_read(const akin_gpu_word *word)
{
    const ulonglong2 *from = (const ulonglong2 *)word;
    const ulonglong2 head = __ldg(from), rest = __ldg(from + 1);
    return {{head.x, head.y}, rest.x, (uint32_t)rest.y, (uint32_t)(rest.y >> 32)};
}

AKIN_GPU_FUNCTION void akin_gpu_lower(uint64_t *slot, uint64_t value)
{
    atomicMin((unsigned long long *)slot, (unsigned long long)value);
}
#else
AKIN_GPU_FUNCTION uint64_t akin_gpu_high(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 product;
    return (uint64_t)((product)a * b >> 64);
}

AKIN_GPU_FUNCTION uint64_t akin_gpu_peek(const uint64_t *slot)
{
    return __atomic_load_n(slot, __ATOMIC_RELAXED);
}

AKIN_GPU_FUNCTION akin_gpu_word akin_gpu_read(const akin_gpu_word *word)
{
    return *word;
}

AKIN_GPU_FUNCTION void akin_gpu_lower(uint64_t *slot, uint64_t value)
{
    uint64_t found = akin_gpu_peek(slot);
    while (value < found && !__atomic_compare_exchange_n(slot, &found, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}
#endif

/* ---------------------------------------------------------------------------------------------------------- bytes */

#define AKIN_GPU_EACH(byte) ((uint64_t)(byte)*0x0101010101010101u)

/* Bit 7 of the bytes, all below 0x80, that are from `first` to `last`. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_within(uint64_t word, uint32_t first, uint32_t last)
{
    return (word + AKIN_GPU_EACH(0x80 - first)) & ~(word + AKIN_GPU_EACH(0x7f - last)) & AKIN_GPU_EACH(0x80);
}

/* Bit i for byte i of eight: whether it is in a token. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_inside(uint32_t rule, uint64_t word)
{
    const uint64_t low = word & AKIN_GPU_EACH(0x7f);
    const uint64_t solid = ((~word & AKIN_GPU_EACH(0x7f)) + AKIN_GPU_EACH(0x7f)) | ~word; /* no barrier */
    uint64_t bits = solid;
    if (!(rule & AKIN_GPU_BARRIERS)) {
        uint64_t plain = akin_gpu_within(low | AKIN_GPU_EACH(0x20), 'a', 'z') | akin_gpu_within(low, '0', '9');
        bits = (plain & ~word) | (solid & word);
    }
    return (uint32_t)(((bits & AKIN_GPU_EACH(0x80)) >> 7) * 0x0102040810204080u >> 56);
}

/* Eight bytes, folded. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_fold(uint32_t rule, uint64_t word)
{
    uint64_t upper = akin_gpu_within(word & AKIN_GPU_EACH(0x7f), 'A', 'Z') & ~word;
    return rule & AKIN_GPU_FOLDED ? word | upper >> 2 : word;
}

/* Eight bytes from `at` on; up to 16 from there are read. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_load(const uint64_t *text, uint64_t at)
{
    const uint64_t low = text[at / 8];
    const uint32_t shift = (uint32_t)(at % 8) * 8;
    return shift ? low >> shift | text[at / 8 + 1] << (64 - shift) : low;
}

/* The same, folded, and zeros in place of what is behind `left` bytes, at least one. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_take(const akin_gpu_text *text, uint64_t at, uint64_t left)
{
    const uint64_t word = akin_gpu_fold(text->rule, akin_gpu_load(text->text, at));
    return left < 8 ? word & (((uint64_t)1 << 8 * left) - 1) : word;
}

/* ----------------------------------------------------------------------------------------------------------- marks */

/* Marks 32 bytes: the bits of `starts` become those of stops; returns those of begins. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_mark(const akin_gpu_text *text, uint64_t word, uint32_t *stops)
{
    const uint64_t at = word * 32, *from = text->text + word * 4;
    uint32_t inside = 0, before = 0, starts = *stops;
    if (at > text->bytes) {
        *stops = ~(uint32_t)0;
        return 0;
    }
    for (uint32_t i = 0; i < 4; i++)
        inside |= akin_gpu_inside(text->rule, from[i]) << 8 * i;
    if (text->bytes - at < 32)
        inside &= ((uint32_t)1 << (text->bytes - at)) - 1;
    if (at > 0)
        before = akin_gpu_inside(text->rule, from[-1]) >> 7;
    *stops = ~inside | starts;
    return inside & (~(inside << 1 | before) | starts);
}

/* How many tokens of the chunk begin before a place in the text. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_rank(const akin_gpu_text *text, uint64_t at)
{
    const uint64_t word = at / 32;
    return text->bases[word / AKIN_GPU_WORDS] + text->ranks[word] +
           akin_gpu_ones(text->begins[word] & (((uint32_t)1 << at % 32) - 1));
}

/* The length of the token that begins there; more than AKIN_GPU_LONG if it has more. The end of the text has a stop. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_length(const akin_gpu_text *text, uint64_t begin)
{
    uint64_t at = begin + 1;
    while (at - begin <= AKIN_GPU_LONG) {
        const uint32_t bits = text->stops[at / 32] >> at % 32;
        if (bits)
            return (uint32_t)(at + akin_gpu_lowest(bits) - begin);
        at = (at / 32 + 1) * 32;
    }
    return AKIN_GPU_LONG + 1;
}

/* ------------------------------------------------------------------------------------------------------------ keys */

/* A token, or a word. */
typedef struct akin_gpu_key {
    uint64_t head[2];
    uint64_t hash;
    uint32_t length;
} akin_gpu_key;

AKIN_GPU_FUNCTION uint64_t akin_gpu_mix(uint64_t a, uint64_t b)
{
    return a * b ^ akin_gpu_high(a, b);
}

/* The hash of the first 16 bytes, or of all if there are no more. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_hash(const uint64_t salt[2], const uint64_t head[2], uint32_t length)
{
    return akin_gpu_mix(head[0] ^ salt[0], (head[1] ^ salt[1]) - length);
}

/* That and eight more bytes. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_hash_on(const uint64_t salt[2], uint64_t hash, uint64_t word)
{
    return akin_gpu_mix(hash ^ word, salt[1] | 1) + 0x9e3779b97f4a7c15u;
}

AKIN_GPU_FUNCTION akin_gpu_key akin_gpu_key_of(const akin_gpu_text *text, const uint64_t salt[2], uint64_t begin,
                                               uint32_t length)
{
    akin_gpu_key key;
    key.length = length;
    key.head[0] = akin_gpu_take(text, begin, length);
    key.head[1] = length > 8 ? akin_gpu_take(text, begin + 8, length - 8) : 0;
    key.hash = akin_gpu_hash(salt, key.head, length);
    for (uint32_t i = 16; i < length; i += 8)
        key.hash = akin_gpu_hash_on(salt, key.hash, akin_gpu_take(text, begin + i, length - i));
    return key;
}

AKIN_GPU_FUNCTION uint64_t akin_gpu_hash_word(const akin_gpu_table *table, const akin_gpu_word *word)
{
    uint64_t hash = akin_gpu_hash(table->salt, word->head, word->length);
    for (uint32_t i = 16; i < word->length; i += 8)
        hash = akin_gpu_hash_on(table->salt, hash, table->pool[word->place + i / 8]);
    return hash;
}

/* ----------------------------------------------------------------------------------------------------------- table */

/* Whether a word that is known is the token that begins there. */
AKIN_GPU_FUNCTION int akin_gpu_is_word(const akin_gpu_text *text, const akin_gpu_table *table,
                                       const akin_gpu_word *word, const akin_gpu_key *key, uint64_t begin)
{
    if (word->head[0] != key->head[0] || word->head[1] != key->head[1] || word->length != key->length)
        return 0;
    for (uint32_t i = 16; i < key->length; i += 8)
        if (table->pool[word->place + i / 8] != akin_gpu_take(text, begin + i, key->length - i))
            return 0;
    return 1;
}

/* Whether another token of the text is the same. */
AKIN_GPU_FUNCTION int akin_gpu_is_same(const akin_gpu_text *text, uint64_t other, const akin_gpu_key *key,
                                       uint64_t begin)
{
    if (other == begin)
        return 1;
    if (akin_gpu_take(text, other, key->length) != key->head[0] || akin_gpu_length(text, other) != key->length)
        return 0;
    for (uint32_t i = 8; i < key->length; i += 8)
        if (akin_gpu_take(text, other + i, key->length - i) != akin_gpu_take(text, begin + i, key->length - i))
            return 0;
    return 1;
}

/* Notes a word that has got a slot. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_found_new(const akin_gpu_finds *finds, uint64_t slot, uint32_t length)
{
    const uint64_t number = akin_gpu_add(&finds->news->fresh, 1);
    akin_gpu_add(&finds->news->size, (length + 7) / 8);
    if (number < finds->room)
        finds->slots[number] = (uint32_t)slot;
    else
        akin_gpu_add(&finds->news->full, 1);
    return AKIN_GPU_FRESH | (uint32_t)slot;
}

/* What a token comes to: a term, or the slot of a new word. Slots whose tags are others' are passed by in a loop of
 * their own, so that the threads of a warp are together again when they compare words. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_find(const akin_gpu_text *text, const akin_gpu_table *table,
                                         const akin_gpu_finds *finds, uint64_t begin, uint32_t length)
{
    const akin_gpu_key key = akin_gpu_key_of(text, table->salt, begin, length);
    const uint64_t mask = ((uint64_t)1 << table->bits) - 1, tag = key.hash << 48;
    const uint64_t own = tag | AKIN_GPU_IS_NEW | begin;
    uint64_t at = key.hash >> (64 - table->bits);
    for (uint32_t probe = 0; probe < AKIN_GPU_PROBES; probe++, at = (at + 1) & mask) {
        uint64_t slot = akin_gpu_peek(table->slots + at);
        while (slot != AKIN_GPU_EMPTY && (slot ^ tag) & AKIN_GPU_TAG && ++probe < AKIN_GPU_PROBES) {
            at = (at + 1) & mask;
            slot = akin_gpu_peek(table->slots + at);
        }
        if (slot == AKIN_GPU_EMPTY) {
            slot = akin_gpu_exchange(table->slots + at, AKIN_GPU_EMPTY, own);
            if (slot == AKIN_GPU_EMPTY)
                return akin_gpu_found_new(finds, at, length);
        }
        if ((slot ^ tag) & AKIN_GPU_TAG)
            continue;
        if (!(slot & AKIN_GPU_IS_NEW)) {
            const akin_gpu_word word = akin_gpu_read(table->words + (slot & AKIN_GPU_BELOW));
            if (akin_gpu_is_word(text, table, &word, &key, begin))
                return word.term;
        } else if (akin_gpu_is_same(text, slot & AKIN_GPU_BELOW, &key, begin)) {
            if (own < slot)
                akin_gpu_lower(table->slots + at, own);
            return AKIN_GPU_FRESH | (uint32_t)at;
        }
    }
    akin_gpu_add(&finds->news->full, 1);
    return AKIN_GPU_SPARE;
}

/* Looks up the token that begins there, `rank` tokens of the chunk being before it. */
AKIN_GPU_FUNCTION void akin_gpu_look_up(const akin_gpu_text *text, const akin_gpu_table *table,
                                        const akin_gpu_finds *finds, uint64_t begin, uint64_t rank)
{
    const uint32_t length = akin_gpu_length(text, begin);
    if (length <= AKIN_GPU_LONG) {
        text->tokens[rank] = akin_gpu_find(text, table, finds, begin, length);
        return;
    }
    const akin_gpu_long token = {begin, rank};
    finds->longs[akin_gpu_add(&finds->news->longs, 1)] = token;
    text->tokens[rank] = AKIN_GPU_SPARE;
}

/* Makes a word of new word `i`. */
AKIN_GPU_FUNCTION void akin_gpu_keep(const akin_gpu_text *text, const akin_gpu_table *table,
                                     const akin_gpu_fresh *fresh, uint64_t i, uint32_t term)
{
    const uint64_t begin = fresh->begins[i], place = table->used + fresh->places[i];
    const uint32_t length = akin_gpu_length(text, begin), number = table->count + (uint32_t)i;
    uint64_t *slot = table->slots + fresh->slots[i];
    akin_gpu_word word = {{0, 0}, place, length, term};
    for (uint32_t at = 0; at < length; at += 8) {
        const uint64_t bytes = akin_gpu_take(text, begin + at, length - at);
        table->pool[place + at / 8] = bytes;
        if (at < 16)
            word.head[at / 8] = bytes;
    }
    table->words[number] = word;
    *slot = (*slot & AKIN_GPU_TAG) | number;
}

/* Puts a word into a slot. */
AKIN_GPU_FUNCTION void akin_gpu_rebuild(const akin_gpu_table *table, uint32_t number)
{
    const uint64_t hash = akin_gpu_hash_word(table, table->words + number);
    const uint64_t mask = ((uint64_t)1 << table->bits) - 1, own = hash << 48 | number;
    uint64_t at = hash >> (64 - table->bits);
    while (akin_gpu_exchange(table->slots + at, AKIN_GPU_EMPTY, own) != AKIN_GPU_EMPTY)
        at = (at + 1) & mask;
}

#endif
