/* Takes pairs of strings, and compares them in lanes. */
#include "strings/pairwise.h"

#include "base/bits.h"
#include "table/columns.h"

#include <string.h>

#define MOST    AKIN_PAIRWISE_MOST
#define ASCII   128
#define NEXT    512               /* bytes from a string to those that are likely to be taken soon */
#define NOWHERE 255               /* a symbol that the pattern does not have */
#define MAPPED  (NOWHERE - ASCII) /* symbols beyond ASCII that a pattern may have */
#define ROOM    (2 * AKIN_LANES_LONGEST * (uint64_t)MOST)
#define CLASSES 5                              /* of patterns, by the words that they take */
#define BUCKETS (CLASSES * AKIN_LANES_LONGEST) /* of pairs, by class and length of the text */
#define NEVER   BUCKETS                        /* the bucket of those whose lengths alone are too far apart */

struct akin_pairwise_room {
    _Alignas(AKIN_LANES_ALIGN) uint8_t lanes[AKIN_LANES_ROOM];
    uint16_t buckets[MOST], order[MOST], counts[BUCKETS + 2];
    uint32_t lowest, highest; /* of the buckets that are not empty */
    akin_lanes_pair pairs[MOST];
    akin_pairwise_found found[MOST];
    uint32_t bounds[MOST];
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

/* The class of a pattern: a version of the comparators in lanes_level.h serves each. */
static inline uint32_t class_of(uint32_t rows)
{
    return rows <= 32 ? 0 : rows <= 64 ? 1 : rows <= 128 ? 2 : rows <= 256 ? 3 : 4;
}

/* Whether the right string is the pattern. It is the longer one if that takes no more words, so that there are fewer
 * columns; patterns of up to 64 symbols take the same time. A long one that is not ASCII may have too many symbols. */
static inline int is_turned(uint32_t a, uint32_t b, int is_ascii)
{
    const uint32_t longer = akin_max_u32(a, b), shorter = akin_min_u32(a, b);
    const int is_longer = longer <= 64 || (is_ascii && class_of(longer) == class_of(shorter));
    return (a < b) == is_longer;
}

/* Makes the pair of bytes. */
static int make_pair(struct akin_pairwise_room *r, const akin_symbols *left, const akin_symbols *right, int is_kept,
                     akin_lanes_pair *out)
{
    const int turned = is_turned(left->length, right->length, !left->points && !right->points);
    const akin_symbols *pattern = turned ? right : left, *text = turned ? left : right;
    *out = (akin_lanes_pair){pattern->bytes, text->bytes, pattern->length, text->length};
    if (!left->points && !right->points && is_kept)
        return 1;
    mapping m = {.count = 0};
    out->pattern = put_symbols(r, &m, pattern, 1);
    out->text = out->pattern ? put_symbols(r, &m, text, 0) : NULL;
    return out->pattern != NULL;
}

static void empty_room(struct akin_pairwise_room *room)
{
    room->filled = 0;
    memset(room->counts, 0, sizeof room->counts);
    room->lowest = BUCKETS;
    room->highest = 0;
}

/* Whether pairs have bounds. */
static inline int is_bound(const akin_cutoff *cutoff)
{
    return cutoff->ratio.num > 0 || (!cutoff->is_jaro && cutoff->most < AKIN_LANES_LONGEST);
}

/* The bound of a pair: edits at most, or matches at least. To find how many matches the cutoff needs would take longer
 * than to count those out of order. */
static uint32_t bound_of(const akin_cutoff *cutoff, const akin_pairwise_found *pair)
{
    const akin_jaro all = {akin_min_u32(pair->a, pair->b), 0};
    if (!cutoff->is_jaro)
        return akin_cutoff_edits(cutoff, pair->a, pair->b);
    return akin_cutoff_reached(cutoff, all, pair->a, pair->b, pair->prefix) ? 0 : AKIN_CUTOFF_NONE;
}

/* The room for pairs; NULL: memory is short. */
static inline struct akin_pairwise_room *room_of(akin_pairwise *p)
{
    if (!p->room) {
        p->room = akin_alloc(p->account, 1, sizeof *p->room);
        if (p->room)
            empty_room(p->room);
    }
    return p->room;
}

/* The first symbols, the first one in the lowest bits. */
static inline uint32_t load_first(const char *text)
{
    const uint8_t *at = (const uint8_t *)text;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The symbols that both begin with, as akin_winkler_prefix has them. */
static inline uint32_t prefix_of(const char *left, uint32_t a, const char *right, uint32_t b)
{
    const akin_symbols both[] = {{.bytes = (const uint8_t *)left, .length = a},
                                 {.bytes = (const uint8_t *)right, .length = b}};
    _Static_assert(AKIN_WINKLER_PREFIX == sizeof(uint32_t), "a word has it");
    if (akin_min_u32(a, b) < AKIN_WINKLER_PREFIX)
        return akin_winkler_prefix(&both[0], &both[1]);
    const uint32_t apart = load_first(left) ^ load_first(right);
    return apart ? (uint32_t)__builtin_ctz(apart) / 8 : AKIN_WINKLER_PREFIX;
}

static inline int has_length(uint64_t length)
{
    return length > 0 && length <= AKIN_LANES_LONGEST;
}

/* Adds pair `at`, whose strings r->pairs has. */
static inline void add_pair(struct akin_pairwise_room *r, const akin_cutoff *cutoff, uint32_t at, uint32_t a,
                            uint32_t b, uint32_t prefix, uint64_t number)
{
    akin_pairwise_found *pair = &r->found[at];
    uint32_t bucket = class_of(r->pairs[at].rows) * AKIN_LANES_LONGEST + r->pairs[at].length - 1;
    pair->number = number;
    pair->a = a;
    pair->b = b;
    pair->prefix = prefix;
    if (is_bound(cutoff)) {
        r->bounds[at] = bound_of(cutoff, pair);
        bucket = r->bounds[at] == AKIN_CUTOFF_NONE ? NEVER : bucket;
    }
    r->buckets[at] = (uint16_t)bucket;
    r->counts[bucket + 1]++;
    r->lowest = akin_min_u32(r->lowest, bucket);
    r->highest = akin_max_u32(r->highest, bucket);
}

int akin_pairwise_take(akin_pairwise *pairwise, const akin_symbols *left, const akin_symbols *right, int is_kept,
                       uint64_t number)
{
    const uint32_t a = left->length, b = right->length;
    if (!has_length(a) || !has_length(b) || !room_of(pairwise) ||
        !make_pair(pairwise->room, left, right, is_kept, &pairwise->room->pairs[pairwise->count]))
        return 0;
    add_pair(pairwise->room, pairwise->cutoff, pairwise->count++, a, b,
             pairwise->cutoff->is_jaro ? akin_winkler_prefix(left, right) : 0, number);
    return 1;
}

/* A string of a row. */
typedef struct text {
    const char *bytes;
    uint32_t length;
} text;

/* Takes ASCII strings as pair `at`. */
static inline void take_ascii(struct akin_pairwise_room *r, const akin_cutoff *cutoff, uint32_t at, text left,
                              text right, uint64_t number)
{
    /* Which one is longer is as good as random: no branch. NOLINTBEGIN(performance-no-int-to-ptr) */
    const uint32_t a = left.length, b = right.length, turned = (uint32_t)is_turned(a, b, 1);
    const uint32_t lengths = (a ^ b) & (0 - turned);
    const uintptr_t first = (uintptr_t)left.bytes, second = (uintptr_t)right.bytes;
    const uintptr_t addresses = (first ^ second) & (0 - (uintptr_t)turned);
    r->pairs[at].pattern = (const uint8_t *)(first ^ addresses);
    r->pairs[at].text = (const uint8_t *)(second ^ addresses); /* NOLINTEND(performance-no-int-to-ptr) */
    r->pairs[at].rows = a ^ lengths;
    r->pairs[at].length = b ^ lengths;
    add_pair(r, cutoff, at, a, b, cutoff->is_jaro ? prefix_of(left.bytes, a, right.bytes, b) : 0, number);
}

/* Finds the string of a pair in a column; 0: there is none, or it does not serve as it is. */
static inline int find_text(const akin_pairwise_column *column, akin_ascii_span *ascii, uint64_t pair, text *out)
{
    const akin_column *c = column->column;
    const uint32_t row = column->rows ? column->rows[pair] : (uint32_t)pair;
    const uint64_t begin = c->offsets[row], length = c->offsets[row + (uint64_t)1] - begin;
    if (!akin_column_has(c, row) || !has_length(length))
        return 0;
    *out = (text){c->bytes + begin, (uint32_t)length};
    if (c->ascii == 1) /* nothing has read the text before: NOLINTNEXTLINE(performance-no-int-to-ptr) */
        __builtin_prefetch((const void *)((uintptr_t)out->bytes + NEXT));
    else
        return akin_ascii_has(ascii, out->bytes, length, column->limit);
    return 1;
}

uint64_t akin_pairwise_take_rows(akin_pairwise *pairwise, akin_pairwise_column columns[2], uint64_t first, uint64_t end)
{
    struct akin_pairwise_room *r = room_of(pairwise);
    akin_ascii_span ascii[] = {columns[0].ascii, columns[1].ascii};
    uint32_t at = pairwise->count;
    uint64_t pair = first;
    text left, right;
    for (; r && pair < end && at < MOST; pair++, at++) {
        if (!find_text(&columns[0], &ascii[0], pair, &left) || !find_text(&columns[1], &ascii[1], pair, &right))
            break;
        take_ascii(r, pairwise->cutoff, at, left, right, pair);
    }
    pairwise->count = at;
    columns[0].ascii = ascii[0];
    columns[1].ascii = ascii[1];
    return pair;
}

/* ---------------------------------------------------------------------------------------------------------- compare */

/* Puts pairs in the order of their buckets. */
static void order_pairs(struct akin_pairwise_room *r, uint32_t count)
{
    for (uint32_t bucket = r->lowest + 1; bucket <= r->highest; bucket++)
        r->counts[bucket] = (uint16_t)(r->counts[bucket] + r->counts[bucket - 1]);
    for (uint32_t at = 0; at < count; at++)
        r->order[r->counts[r->buckets[at]]++] = (uint16_t)at;
}

/* Where the pairs of one class end that begin at place `first` of the order. */
static uint32_t class_end(const akin_pairwise *p, uint32_t first, uint32_t *rows)
{
    const struct akin_pairwise_room *r = p->room;
    const uint32_t own = r->buckets[r->order[first]] / AKIN_LANES_LONGEST;
    const int is_long = r->pairs[r->order[first]].length > 64;
    uint32_t end = first;
    for (*rows = 0; end < p->count && r->buckets[r->order[end]] / AKIN_LANES_LONGEST == own &&
                    (r->pairs[r->order[end]].length > 64) == is_long;
         end++)
        *rows = akin_max_u32(*rows, r->pairs[r->order[end]].rows);
    return end;
}

/* Notes what came of the pairs of a class. Those that have too many edits for their bounds have none. */
static void note_results(const akin_pairwise *p, const uint16_t *order, uint32_t count)
{
    struct akin_pairwise_room *r = p->room;
    const int has_bound = is_bound(p->cutoff);
    if (p->cutoff->is_jaro)
        for (uint32_t i = 0; i < count; i++)
            r->found[order[i]].jaro = r->results.jaro[i];
    else
        for (uint32_t i = 0; i < count; i++)
            r->found[order[i]].edits =
                has_bound && r->results.edits[i] > r->bounds[order[i]] ? AKIN_CUTOFF_NONE : r->results.edits[i];
}

static void note_none(const akin_pairwise *p, const uint16_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        p->room->found[order[i]].edits = AKIN_CUTOFF_NONE;
        p->room->found[order[i]].jaro = (akin_jaro){0, 0};
    }
}

/* Compares pairs of one class. */
static void compare_class(akin_pairwise *p, uint32_t first, uint32_t end, uint32_t rows)
{
    struct akin_pairwise_room *r = p->room;
    const akin_lanes_pairs pairs = {.pairs = r->pairs,
                                    .order = r->order + first,
                                    .count = end - first,
                                    .rows = rows,
                                    .bound = is_bound(p->cutoff) ? r->bounds : NULL,
                                    .room = r->lanes};
    if (p->cutoff->is_jaro)
        p->lanes->jaro_pairs(&pairs, r->results.jaro);
    else
        (p->cutoff->swaps ? p->lanes->osa_pairs : p->lanes->levenshtein_pairs)(&pairs, r->results.edits);
    note_results(p, pairs.order, pairs.count);
}

void akin_pairwise_compare(akin_pairwise *pairwise,
                           void (*found)(void *user, const akin_pairwise_found *found, uint32_t count), void *user)
{
    akin_pairwise *p = pairwise;
    struct akin_pairwise_room *r = p->room;
    if (p->count == 0)
        return;
    order_pairs(r, p->count);
    for (uint32_t first = 0, end, rows; first < p->count; first = end) {
        end = class_end(p, first, &rows);
        if (r->buckets[r->order[first]] == NEVER)
            note_none(p, r->order + first, end - first);
        else
            compare_class(p, first, end, rows);
    }
    found(user, r->found, p->count);
    p->count = 0;
    empty_room(r);
}
