/* Takes pairs of strings, and compares them in lanes. */
#include "strings/pairwise.h"

#include "base/bits.h"

#include <string.h>

#define MOST    AKIN_PAIRWISE_MOST
#define ASCII   128
#define NOWHERE 255               /* a symbol that the pattern does not have */
#define MAPPED  (NOWHERE - ASCII) /* symbols beyond ASCII that a pattern may have */
#define ROOM    (2 * AKIN_LANES_LONGEST * (uint64_t)MOST)
#define CLASSES 5                              /* of patterns, by the words that they take */
#define BUCKETS (CLASSES * AKIN_LANES_LONGEST) /* of pairs, by class and length of the text */

struct akin_pairwise_room {
    _Alignas(AKIN_LANES_ALIGN) uint8_t lanes[AKIN_LANES_ROOM];
    uint16_t buckets[MOST], order[MOST], counts[BUCKETS + 1];
    uint32_t lowest, highest; /* of the buckets that are not empty */
    akin_lanes_pair taken[MOST], pairs[MOST + 2 * AKIN_LANES];
    akin_pairwise_found found[MOST];
    uint32_t bounds[MOST], bound[MOST + 2 * AKIN_LANES];
    union {
        uint32_t edits[MOST + 2 * AKIN_LANES];
        akin_jaro jaro[MOST + 2 * AKIN_LANES];
    } results;
    uint64_t filled;
    uint8_t bytes[ROOM]; /* of pairs that are not borrowed */
};

void akin_pairwise_begin(akin_pairwise *pairwise, akin_cpu cpu, akin_account *account, const akin_cutoff *cutoff)
{
    *pairwise = (akin_pairwise){.lanes = akin_lanes_choose(cpu), .cutoff = cutoff, .account = account};
}

void akin_pairwise_clear(akin_pairwise *pairwise)
{
    akin_free(pairwise->room);
    pairwise->room = NULL;
    pairwise->count = 0;
}

/* ------------------------------------------------------------------------------------------------------------- take */

/* The symbols beyond ASCII that a pattern has, in the order in which they come: they become bytes from ASCII on. */
typedef struct mapping {
    uint32_t points[MAPPED], count;
} mapping;

/* The byte of a symbol; `adds`: it gets one if it has none. NOWHERE: it has none. */
static uint8_t byte_of(mapping *m, uint32_t point, int adds)
{
    uint32_t i = 0;
    if (point < ASCII)
        return (uint8_t)point;
    while (i < m->count && m->points[i] != point)
        i++;
    if (i == m->count && (!adds || i == MAPPED))
        return NOWHERE;
    if (i == m->count)
        m->points[m->count++] = point;
    return (uint8_t)(ASCII + i);
}

/* Puts a string into the room, as bytes. Returns NULL if it has too many symbols. */
static const uint8_t *put_symbols(struct akin_pairwise_room *r, mapping *m, const akin_symbols *text, int adds)
{
    uint8_t *bytes = r->bytes + r->filled;
    for (uint32_t i = 0; i < text->length; i++) {
        bytes[i] = byte_of(m, akin_symbol(text, i), adds);
        if (adds && bytes[i] == NOWHERE)
            return NULL;
    }
    r->filled += text->length;
    return bytes;
}

/* Makes the pair of bytes; the shorter string is the pattern. */
static int make_pair(struct akin_pairwise_room *r, const akin_symbols *left, const akin_symbols *right, int is_kept,
                     akin_lanes_pair *out)
{
    const int is_turned = right->length < left->length;
    const akin_symbols *pattern = is_turned ? right : left, *text = is_turned ? left : right;
    *out = (akin_lanes_pair){pattern->bytes, text->bytes, pattern->length, text->length};
    if (!left->points && !right->points && is_kept)
        return 1;
    mapping m = {.count = 0};
    out->pattern = put_symbols(r, &m, pattern, 1);
    out->text = out->pattern ? put_symbols(r, &m, text, 0) : NULL;
    return out->pattern != NULL;
}

/* The class of a pattern: a version of the comparators in lanes_level.h serves each. */
static uint32_t class_of(uint32_t rows)
{
    return rows <= 32 ? 0 : rows <= 64 ? 1 : rows <= 128 ? 2 : rows <= 256 ? 3 : 4;
}

static void empty_room(struct akin_pairwise_room *room)
{
    room->filled = 0;
    memset(room->counts, 0, sizeof room->counts);
    room->lowest = BUCKETS;
    room->highest = 0;
}

/* The bound of a pair: edits at most, or matches at least. To find how many matches the cutoff needs would take longer
 * than to count those out of order. */
static uint32_t bound_of(const akin_cutoff *cutoff, const akin_pairwise_found *pair)
{
    const akin_jaro all = {akin_min_u32(pair->a, pair->b), 0};
    if (!cutoff->is_jaro)
        return akin_cutoff_edits(cutoff, pair->a, pair->b);
    return cutoff->ratio.num == 0 || akin_cutoff_reached(cutoff, all, pair->a, pair->b, pair->prefix)
               ? 0
               : AKIN_CUTOFF_NONE;
}

int akin_pairwise_take(akin_pairwise *pairwise, const akin_symbols *left, const akin_symbols *right, int is_kept,
                       uint64_t number)
{
    const uint32_t a = left->length, b = right->length;
    if (a == 0 || b == 0 || a > AKIN_LANES_LONGEST || b > AKIN_LANES_LONGEST)
        return 0;
    if (!pairwise->room) {
        pairwise->room = akin_alloc(pairwise->account, 1, sizeof *pairwise->room);
        if (pairwise->room)
            empty_room(pairwise->room);
    }
    struct akin_pairwise_room *r = pairwise->room;
    akin_lanes_pair pair;
    if (!r || !make_pair(r, left, right, is_kept, &pair))
        return 0;
    const uint32_t prefix = pairwise->cutoff->is_jaro ? akin_winkler_prefix(left, right) : 0, at = pairwise->count++;
    r->taken[at] = pair;
    r->found[at] = (akin_pairwise_found){.number = number, .a = a, .b = b, .prefix = prefix};
    r->bounds[at] = bound_of(pairwise->cutoff, &r->found[at]);
    r->buckets[at] = (uint16_t)(class_of(pair.rows) * AKIN_LANES_LONGEST + pair.length - 1);
    r->counts[r->buckets[at] + 1]++;
    r->lowest = akin_min_u32(r->lowest, r->buckets[at]);
    r->highest = akin_max_u32(r->highest, r->buckets[at]);
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- compare */

/* Whether the cutoff permits a pair at all. */
static int is_possible(const struct akin_pairwise_room *r, uint32_t at)
{
    return r->bounds[at] != AKIN_CUTOFF_NONE;
}

/* Puts pairs in the order of their buckets. */
static void order_pairs(struct akin_pairwise_room *r, uint32_t count)
{
    for (uint32_t bucket = r->lowest + 1; bucket <= r->highest; bucket++)
        r->counts[bucket] = (uint16_t)(r->counts[bucket] + r->counts[bucket - 1]);
    for (uint32_t at = 0; at < count; at++)
        r->order[r->counts[r->buckets[at]]++] = (uint16_t)at;
}

/* Lists the pairs of a class, from place `first` of the order on; those that cannot qualify are left out. Returns where
 * it ends. */
static uint32_t list_class(akin_pairwise *p, uint32_t first, uint32_t *count, uint32_t *rows)
{
    struct akin_pairwise_room *r = p->room;
    const uint32_t own = r->buckets[r->order[first]] / AKIN_LANES_LONGEST;
    uint32_t end = first, listed = 0;
    *rows = 0;
    for (; end < p->count && r->buckets[r->order[end]] / AKIN_LANES_LONGEST == own; end++) {
        const uint32_t at = r->order[end];
        if (!is_possible(r, at))
            continue;
        r->pairs[listed] = r->taken[at];
        r->bound[listed] = akin_min_u32(r->bounds[at], AKIN_LANES_LONGEST);
        *rows = akin_max_u32(*rows, r->taken[at].rows);
        listed++;
    }
    for (uint32_t i = 0; listed > 0 && i < 2 * AKIN_LANES; i++) {
        r->pairs[listed + i] = r->pairs[listed - 1];
        r->bound[listed + i] = r->bound[listed - 1];
    }
    *count = listed;
    return end;
}

static void compare_class(akin_pairwise *p, uint32_t count, uint32_t rows)
{
    struct akin_pairwise_room *r = p->room;
    const akin_lanes_pairs pairs = {r->pairs, count, rows, r->bound, r->lanes};
    if (p->cutoff->is_jaro)
        p->lanes->jaro_pairs(&pairs, r->results.jaro);
    else
        (p->cutoff->swaps ? p->lanes->osa_pairs : p->lanes->levenshtein_pairs)(&pairs, r->results.edits);
}

/* What came of pair `at`, the one at place `result` of its class if it was compared. */
static void note_result(const akin_pairwise *p, uint32_t at, uint32_t result, akin_pairwise_found *found)
{
    const struct akin_pairwise_room *r = p->room;
    found->edits = AKIN_CUTOFF_NONE;
    found->jaro = (akin_jaro){0, 0};
    if (!is_possible(r, at))
        return;
    if (p->cutoff->is_jaro)
        found->jaro = r->results.jaro[result];
    else if (r->results.edits[result] <= r->bounds[at])
        found->edits = r->results.edits[result];
}

void akin_pairwise_compare(akin_pairwise *pairwise, void (*found)(void *user, const akin_pairwise_found *found),
                           void *user)
{
    akin_pairwise *p = pairwise;
    struct akin_pairwise_room *r = p->room;
    if (p->count == 0)
        return;
    order_pairs(r, p->count);
    for (uint32_t first = 0, end, count, rows; first < p->count; first = end) {
        end = list_class(p, first, &count, &rows);
        if (count > 0)
            compare_class(p, count, rows);
        for (uint32_t i = first, result = 0; i < end; i++) {
            const uint32_t at = r->order[i];
            note_result(p, at, result, &r->found[at]);
            result += is_possible(r, at) ? 1u : 0u;
            found(user, &r->found[at]);
        }
    }
    p->count = 0;
    empty_room(r);
}
