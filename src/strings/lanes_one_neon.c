/*
 * A pattern of up to 64 symbols and many texts in NEON, sixteen side by side.
 *
 *     symbols    eight of each text are loaded, become slots of the pattern, and are turned: a register has one symbol
 *                of each text
 *     places     a table of two registers looks up byte b of the places of all sixteen slots; these bytes are zipped
 *
 *                    byte 0  | a | b | c ..      byte 1  | a | b | c ..  ->  | a a | b b | c c ..
 */
#include "strings/lanes_sixteen_neon.h"

#define SLOTS   AKIN_LANES_FEW
#define QUARTER 64 /* symbols whose slots a look-up finds */

/* A pattern: slots of all symbols, where 0 stands for those that it does not have; byte b of the places of a slot. */
typedef struct table {
    uint8_t slots[256], places[MOST][SLOTS];
    uint32_t quarters; /* of the slots that are not all 0 */
} table;

typedef struct source {
    const table *table;
    const uint8_t *texts[LANES];
} source;

/* Makes the table; `before`: bits before the pattern. 0: it has too many symbols. */
static int set_table(const akin_lanes_job *job, uint32_t before, table *t)
{
    uint8_t next = 1, highest = 0;
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < job->length; i++) {
        const uint8_t symbol = job->pattern[i];
        uint8_t *slot = &t->slots[symbol];
        if (*slot == 0 && next == SLOTS)
            return 0;
        if (*slot == 0)
            *slot = next++;
        highest = symbol > highest ? symbol : highest;
        t->places[(before + i) / 8][*slot] |= (uint8_t)(1 << (before + i) % 8);
    }
    t->quarters = highest / QUARTER + 1;
    return 1;
}

/* A symbol that no table has becomes slot 0. */
INLINE uint8x16_t slots_of(const table *t, uint8x16_t symbols)
{
    uint8x16_t slots = vqtbl4q_u8(vld1q_u8_x4(t->slots), symbols);
    for (uint32_t q = 1; q < t->quarters; q++) {
        symbols = vsubq_u8(symbols, vdupq_n_u8(QUARTER));
        slots = vqtbx4q_u8(slots, vld1q_u8_x4(t->slots + (size_t)q * QUARTER), symbols);
    }
    return slots;
}

/* Zips registers 2k and 2k + 1 of each of `parts` parts, by words of so many bytes, into one register of each of twice
 * as many parts. */
INLINE void zip(uint8x16_t *v, uint32_t count, uint32_t parts, uint32_t bytes)
{
    const uint32_t each = count / parts / 2;
    uint8x16_t out[MOST];
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t low = i / each * each * 2 + i % each, high = low + each;
        const uint8x16_t a = v[2 * i], b = v[2 * i + 1];
        const uint16x8_t a2 = vreinterpretq_u16_u8(a), b2 = vreinterpretq_u16_u8(b);
        const uint32x4_t a4 = vreinterpretq_u32_u8(a), b4 = vreinterpretq_u32_u8(b);
        out[low] = bytes == 1   ? vzip1q_u8(a, b)
                   : bytes == 2 ? vreinterpretq_u8_u16(vzip1q_u16(a2, b2))
                                : vreinterpretq_u8_u32(vzip1q_u32(a4, b4));
        out[high] = bytes == 1   ? vzip2q_u8(a, b)
                    : bytes == 2 ? vreinterpretq_u8_u16(vzip2q_u16(a2, b2))
                                 : vreinterpretq_u8_u32(vzip2q_u32(a4, b4));
    }
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        v[i] = out[i];
}

/* The places of sixteen slots. */
INLINE void look_up(const table *t, uint8x16_t slots, uint32_t bytes, uint8x16_t *places)
{
#pragma GCC unroll 8
    for (uint32_t b = 0; b < bytes; b++)
        places[b] = vqtbl2q_u8(vld1q_u8_x2(t->places[b]), slots);
    zip(places, bytes, 1, 1);
    if (bytes >= 4)
        zip(places, bytes, 2, 2);
    if (bytes >= 8)
        zip(places, bytes, 4, 4);
}

INLINE void list_places(const source *s, uint32_t begin, uint32_t end, uint32_t bytes, uint8x16_t *places)
{
    uint8x16_t slots[STEP];
#pragma GCC unroll 8
    for (uint32_t i = 0; i < STEP; i++)
        slots[i] = slots_of(s->table, vcombine_u8(vld1_u8(s->texts[i] + begin), vld1_u8(s->texts[i + STEP] + begin)));
    turn(slots);
    for (uint32_t j = begin; j < end; j++) {
        uint8x16_t at[MOST];
        look_up(s->table, slots[j - begin], bytes, at);
        for (uint32_t i = 0; i < bytes; i++)
            places[(j - begin) * bytes + i] = at[i];
    }
}

#include "strings/lanes_sixteen_neon_body.h"

INLINE int compare(const akin_lanes_job *job, uint32_t bytes, int is_jaro, int swaps, void *results)
{
    table t;
    source s = {.table = &t};
    if (!set_table(job, is_jaro ? 0 : 8 * bytes - job->length, &t))
        return 0;
    for (uint32_t first = 0; first < job->count; first += LANES) {
        group g;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            s.texts[lane] = job->symbols + job->at[first + lane];
            g.rows[lane] = job->length;
        }
        memcpy(g.length, job->lengths + first, sizeof g.length);
        memcpy(g.bound, job->bound + first, sizeof g.bound);
        if (is_jaro)
            compare_matches(&s, &g, bytes, job->room, (akin_jaro *)results + first);
        else
            compare_edits(&s, &g, bytes, swaps, (uint32_t *)results + first);
    }
    return 1;
}

/* One function for each number of bytes. */
#define COMPARE(bytes)                                                                                                 \
    static int compare_##bytes(const akin_lanes_job *job, int is_jaro, int swaps, void *results)                       \
    {                                                                                                                  \
        return is_jaro ? compare(job, bytes, 1, 0, results)                                                            \
               : swaps ? compare(job, bytes, 0, 1, results)                                                            \
                       : compare(job, bytes, 0, 0, results);                                                           \
    }

COMPARE(2)
COMPARE(4)
COMPARE(8)

int akin_lanes_one_neon(const akin_lanes_job *job, int is_jaro, int swaps, void *results)
{
    if (job->length <= 16)
        return compare_2(job, is_jaro, swaps, results);
    if (job->length <= 32)
        return compare_4(job, is_jaro, swaps, results);
    return job->length <= 64 && compare_8(job, is_jaro, swaps, results);
}
