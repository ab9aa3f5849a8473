/*
 * The sweep of one SIMD level. A file includes it that has defined
 *
 *     VECTOR      REGISTER bytes of bits
 *     most_of     (a, b, c): the bits that two of three have
 *     add_words   (counters, words, apart, count, weight): counters of 64 places count `weight` more where a bit of the
 *                 first word is set, twice as much where one of the next is, and so on
 *
 * Bitmaps of one weight are added up before they are spread to counters, 31 at a time, or 15, or 7, by full adders,
 * which make one bit of three, and a carry of twice its weight. All at once would be slower by far: they begin at
 * multiples of 4 KB, so that a line of each is in the same few sets of a cache.
 *
 *     bitmaps    | 0 | 1 | .. | 30 |   a register of each  -->  sums  | bit 0 | .. | bit 4 |  -->  counters
 */
#define GROUP  31u /* bitmaps */
#define PLACES (8u * REGISTER)

INLINE VECTOR load(const akin_sweep_bits *bits, uint32_t place)
{
    VECTOR some;
    memcpy(&some, bits->cells + place / 16, sizeof some);
    return some;
}

/* The sum of two numbers of `bits` bits, and of a carry, bit by bit. */
INLINE void add_up(const VECTOR *a, const VECTOR *b, VECTOR carry, int bits, VECTOR *sum)
{
    for (int i = 0; i < bits; i++) {
        sum[i] = a[i] ^ b[i] ^ carry;
        carry = most_of(a[i], b[i], carry);
    }
    sum[bits] = carry;
}

INLINE void add_3(const akin_sweep_bits *bits, uint32_t place, VECTOR *sum)
{
    const VECTOR a = load(bits, place), b = load(bits + 1, place);
    add_up(&a, &b, load(bits + 2, place), 1, sum);
}

INLINE void add_7(const akin_sweep_bits *bits, uint32_t place, VECTOR *sum)
{
    VECTOR a[2], b[2];
    add_3(bits, place, a);
    add_3(bits + 3, place, b);
    add_up(a, b, load(bits + 6, place), 2, sum);
}

INLINE void add_15(const akin_sweep_bits *bits, uint32_t place, VECTOR *sum)
{
    VECTOR a[3], b[3];
    add_7(bits, place, a);
    add_7(bits + 7, place, b);
    add_up(a, b, load(bits + 14, place), 3, sum);
}

INLINE void add_31(const akin_sweep_bits *bits, uint32_t place, VECTOR *sum)
{
    VECTOR a[4], b[4];
    add_15(bits, place, a);
    add_15(bits + 15, place, b);
    add_up(a, b, load(bits + 30, place), 4, sum);
}

/* The bitmaps of the group that the first of `count` begin, which have one weight; 0: they are too few. */
static uint32_t group_of(uint32_t count)
{
    return count >= GROUP ? GROUP : count >= 15 ? 15 : count >= 7 ? 7 : 0;
}

/* Counts a group; `size` is known when this is compiled. */
INLINE void add_group(uint8_t *counters, uint32_t places, const akin_sweep_bits *bits, uint32_t size)
{
    const uint32_t sums = size == GROUP ? 5 : size == 15 ? 4 : 3;
    for (uint32_t place = 0; place < places; place += PLACES) {
        VECTOR sum[5];
        uint64_t words[5 * (PLACES / 64)];
        if (size == GROUP)
            add_31(bits, place, sum);
        else if (size == 15)
            add_15(bits, place, sum);
        else
            add_7(bits, place, sum);
        memcpy(words, sum, sums * sizeof *sum);
        for (uint32_t w = 0; w < PLACES / 64; w++)
            add_words(counters + place + w * 64, words + w, PLACES / 64, sums, bits->weight);
    }
}

TARGET static uint32_t add_groups(uint8_t *counters, uint32_t places, const akin_sweep_bits *bits, uint32_t count)
{
    uint32_t same = 0, b = 0;
    while (same < count && bits[same].weight == bits[0].weight)
        same++;
    for (uint32_t size; (size = group_of(same - b)) > 0; b += size) {
        if (size == GROUP)
            add_group(counters, places, bits + b, GROUP);
        else if (size == 15)
            add_group(counters, places, bits + b, 15);
        else
            add_group(counters, places, bits + b, 7);
    }
    return b;
}

TARGET static void add(uint8_t *counters, uint32_t places, const akin_sweep_bits *bits, uint32_t count)
{
    for (uint32_t b = add_groups(counters, places, bits, count); b < count; b++)
        for (uint32_t place = 0; place < places; place += 64) {
            const uint64_t word = akin_load_word((const char *)(bits[b].cells + place / 16));
            add_words(counters + place, &word, 1, 1, bits[b].weight);
        }
}
