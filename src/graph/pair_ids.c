/*
 * Numbers ids, and sorts the distinct ones: all threads sort keys of 64 or 128 bits.
 *
 *     integers   | key - least | number |    in 64 bits where both fit, else
 *                | 0 | key | number |
 *     texts      | 0 | 8 bytes behind what all texts begin with | number |     equal ones are then sorted as strings
 */
#include "graph/pair_ids.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort_parallel.h"
#include "dict/string_sort.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define TASK 65536 /* numbers, or pairs */
#define FEW  16    /* texts that are sorted by insertion */
#define SIGN ((uint64_t)1 << 63)

static const char what[] = "the ids of pairs"; /* the memory is for */

void akin_pair_ids_put(akin_type type, uint64_t key, void *to, uint64_t i)
{
    if (type == AKIN_TYPE_U64)
        ((uint64_t *)to)[i] = key;
    else if (type == AKIN_TYPE_I64)
        ((uint64_t *)to)[i] = key ^ SIGN;
    else
        ((uint32_t *)to)[i] = (uint32_t)key; /* the sign is beyond its bits */
}

static const char *text_of(const akin_numbered_ids *ids, uint32_t end, uint64_t *length)
{
    const akin_column *column = ids->sides[end % 2]->text;
    const uint64_t begin = column->offsets[end / 2];
    *length = column->offsets[end / 2 + UINT64_C(1)] - begin;
    return column->bytes + begin;
}

/* -------------------------------------------------------------------------------------------------------- numbering */

static void hash_texts(const void *items, uint64_t seed, uint32_t first, uint32_t end, uint64_t *hashes, uint32_t *of)
{
    uint64_t length;
    for (uint32_t item = first; item < end; item++) {
        const char *text = text_of(items, item, &length);
        of[item] = 0;
        hashes[item] = length <= AKIN_HASH_EXACT_MOST
                           ? akin_hash_exact(text, length, seed)
                           : XXH3_64bits_withSeed(text, (size_t)length, seed) & ~AKIN_HASH_EXACT;
    }
}

static int same_texts(const void *items, uint32_t a, uint32_t b)
{
    uint64_t length[2];
    const char *texts[] = {text_of(items, a, &length[0]), text_of(items, b, &length[1])};
    return length[0] == length[1] && memcmp(texts[0], texts[1], (size_t)length[0]) == 0;
}

static void fetch_text(const void *items, uint32_t item, int is_near)
{
    const akin_numbered_ids *ids = items;
    const akin_column *column = ids->sides[item % 2]->text;
    if (is_near)
        __builtin_prefetch(column->bytes + column->offsets[item / 2]);
    else
        __builtin_prefetch(&column->offsets[item / 2]);
}

static void hash_integers(const void *items, uint64_t seed, uint32_t first, uint32_t end, uint64_t *hashes,
                          uint32_t *of)
{
    const akin_numbered_ids *ids = items;
    for (uint32_t item = first; item < end; item++) {
        const uint64_t key = akin_pair_ids_key(ids->sides[item % 2], item / 2) - ids->least;
        of[item] = 0;
        hashes[item] = akin_hash_exact_number(key & ~SIGN, seed ^ key >> 63);
        if (ids->most - ids->least >= SIGN) /* two keys may differ in this bit alone */
            hashes[item] &= ~AKIN_HASH_EXACT;
    }
}

static int same_integers(const void *items, uint32_t a, uint32_t b)
{
    const akin_numbered_ids *ids = items;
    return akin_pair_ids_key(ids->sides[a % 2], a / 2) == akin_pair_ids_key(ids->sides[b % 2], b / 2);
}

static akin_status find_range(const akin_scope *scope, akin_numbered_ids *ids)
{
    ids->least = UINT64_MAX;
    for (uint64_t i = 0; i < ids->pairs; i++) {
        const uint64_t a = akin_pair_ids_key(ids->sides[0], i), b = akin_pair_ids_key(ids->sides[1], i);
        ids->least = akin_min_u64(ids->least, akin_min_u64(a, b));
        ids->most = akin_max_u64(ids->most, akin_max_u64(a, b));
        if (akin_is_stopped(scope, i))
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

static akin_status reserve_array(const akin_scope *scope, const akin_numbered_ids *ids, akin_bulk *bulk, uint64_t bytes,
                                 akin_error *error)
{
    *bulk = akin_bulk_of(scope, ids->account, akin_budget(scope, AKIN_BUDGET_FOREST));
    return akin_bulk_reserve(bulk, bytes, what, error);
}

akin_status akin_pair_ids_number(const akin_scope *scope, akin_account *account, const akin_pair_ids *left,
                                 const akin_pair_ids *right, uint64_t pairs, akin_numbered_ids *out, akin_error *error)
{
    akin_numbered_ids *ids = out;
    *ids = (akin_numbered_ids){.sides = {left, right}, .pairs = pairs, .account = account};
    const int is_text = left->type == AKIN_TYPE_TEXT;
    const akin_numbered numbered = {.items = ids,
                                    .count = (uint32_t)(2 * pairs),
                                    .hash = is_text ? hash_texts : hash_integers,
                                    .same = is_text ? same_texts : same_integers,
                                    .fetch = is_text ? fetch_text : NULL};
    if (!is_text && find_range(scope, ids) != AKIN_OK)
        return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    akin_status status = reserve_array(scope, ids, &ids->of, 2 * pairs * sizeof *ids->numbers.of, error);
    ids->numbers.of = ids->of.data;
    return status == AKIN_OK ? akin_number_items(scope, account, &numbered, what, &ids->numbers, error) : status;
}

/* ---------------------------------------------------------------------------------------------------------- sorting */

/* What makes keys, and takes them apart. */
typedef struct keying {
    akin_numbered_ids *ids;
    akin_u128 *keys;
    uint64_t *small; /* keys of 64 bits in place of those, */
    int bits;        /* with so many of a number */
    uint64_t shared; /* bytes that all texts begin with */
} keying;

/* The first 8 bytes of a text from `from` on, with zeros behind its end: they have the order of such texts. */
static uint64_t piece_of(const akin_column *texts, uint32_t number, uint64_t from)
{
    const uint64_t begin = texts->offsets[number] + from, end = texts->offsets[number + UINT64_C(1)];
    uint64_t piece = 0;
    memcpy(&piece, texts->bytes + begin, (size_t)akin_min_u64(end - begin, sizeof piece));
    return __builtin_bswap64(piece);
}

static akin_status make_keys(void *argument, uint64_t task, uint32_t thread)
{
    const keying *k = argument;
    const akin_numbered_ids *ids = k->ids;
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * TASK, ids->numbers.count);
    (void)thread;
    for (uint32_t number = (uint32_t)(task * TASK); number < end; number++) {
        const uint32_t first = ids->numbers.first[number];
        const uint64_t key = ids->texts.offsets ? piece_of(&ids->texts, number, k->shared)
                                                : akin_pair_ids_key(ids->sides[first % 2], first / 2);
        if (k->small)
            k->small[number] = (key - ids->least) << k->bits | number;
        else
            k->keys[number] = (akin_u128)key << 32 | number;
    }
    return AKIN_OK;
}

/* Takes the sorted keys apart. Those of 128 bits leave integers in the first half of their room. */
static void take_keys(const keying *k)
{
    akin_numbered_ids *ids = k->ids;
    const uint64_t numbers = ((uint64_t)1 << k->bits) - 1;
    for (uint64_t i = 0; i < ids->numbers.count; i++) {
        ids->order[i] = k->small ? (uint32_t)(k->small[i] & numbers) : (uint32_t)k->keys[i];
        if (ids->texts.offsets)
            continue;
        const uint64_t key = k->small ? (k->small[i] >> k->bits) + ids->least : (uint64_t)(k->keys[i] >> 32);
        memcpy((char *)ids->keys.data + i * sizeof key, &key, sizeof key);
    }
    ids->sorted = ids->texts.offsets ? NULL : ids->keys.data;
}

/* Copies the text of each number. */
static akin_status copy_texts(const akin_scope *scope, akin_numbered_ids *ids, akin_error *error)
{
    const uint32_t count = ids->numbers.count;
    uint64_t length;
    akin_status status =
        reserve_array(scope, ids, &ids->texts_room[0], (count + UINT64_C(1)) * sizeof(uint64_t), error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = ids->texts_room[0].data;
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        text_of(ids, ids->numbers.first[i], &length);
        offsets[i + UINT64_C(1)] = offsets[i] + length;
    }
    status = reserve_array(scope, ids, &ids->texts_room[1], offsets[count], error);
    if (status != AKIN_OK)
        return status;
    char *bytes = ids->texts_room[1].data;
    for (uint32_t i = 0; i < count; i++) {
        const char *text = text_of(ids, ids->numbers.first[i], &length);
        if (length > 0)
            memcpy(bytes + offsets[i], text, (size_t)length);
        if (akin_is_stopped(scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    ids->texts = (akin_column){.size = sizeof ids->texts, .offsets = offsets, .bytes = bytes};
    return AKIN_OK;
}

/* The number of bytes that all texts begin with. */
static uint64_t shared_bytes(const akin_column *texts, uint32_t count)
{
    uint64_t shared = count > 0 ? texts->offsets[1] : 0;
    for (uint32_t i = 1; i < count && shared > 0; i++) {
        const char *text = texts->bytes + texts->offsets[i];
        uint64_t own = 0;
        const uint64_t most = akin_min_u64(shared, texts->offsets[i + UINT64_C(1)] - texts->offsets[i]);
        while (own < most && text[own] == texts->bytes[own])
            own++;
        shared = own;
    }
    return shared;
}

static int is_before(const akin_column *texts, uint32_t a, uint32_t b)
{
    const uint64_t lengths[] = {texts->offsets[a + UINT64_C(1)] - texts->offsets[a],
                                texts->offsets[b + UINT64_C(1)] - texts->offsets[b]};
    const int by_bytes = memcmp(texts->bytes + texts->offsets[a], texts->bytes + texts->offsets[b],
                                (size_t)akin_min_u64(lengths[0], lengths[1]));
    return by_bytes != 0 ? by_bytes < 0 : lengths[0] < lengths[1];
}

static void sort_few(const akin_column *texts, uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t number = numbers[i];
        uint32_t at = i;
        for (; at > 0 && is_before(texts, number, numbers[at - 1]); at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* Sorts the numbers whose keys have equal pieces. */
static akin_status sort_equal(const akin_scope *scope, const keying *k, akin_error *error)
{
    akin_numbered_ids *ids = k->ids;
    const uint32_t count = ids->numbers.count;
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {.scope = scope, .cancelled = &cancelled};
    akin_store store = {.account = {0}};
    akin_status status = akin_store_begin(&store, scope, AKIN_BUDGET_FOREST, what, error);
    for (uint32_t first = 0, end; first < count && status == AKIN_OK; first = end) {
        for (end = first + 1; end < count && k->keys[end] >> 32 == k->keys[first] >> 32; end++) {
        }
        if (end - first <= FEW)
            sort_few(&ids->texts, ids->order + first, end - first);
        else
            status =
                akin_strings_sort(&ids->texts, ids->order + first, end - first, &store, &cancellation, what, error);
        if (status == AKIN_OK && akin_is_stopped(scope, first))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    akin_store_clear(&store);
    return status;
}

/* How many bits of a key have a number; 0: keys of 64 bits have no room for it. */
static int small_bits(const akin_numbered_ids *ids)
{
    int bits = 1;
    while (ids->numbers.count >> bits > 0)
        bits++;
    return (ids->most - ids->least) >> (64 - bits) == 0 ? bits : 0;
}

akin_status akin_pair_ids_sort(const akin_scope *scope, akin_numbered_ids *ids, akin_error *error)
{
    const int is_text = ids->sides[0]->type == AKIN_TYPE_TEXT;
    const uint64_t count = ids->numbers.count;
    keying k = {.ids = ids, .bits = is_text ? 0 : small_bits(ids)};
    akin_status status = is_text ? copy_texts(scope, ids, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = reserve_array(scope, ids, &ids->keys, count * (k.bits ? sizeof *k.small : sizeof *k.keys), error);
    if (status == AKIN_OK)
        status = reserve_array(scope, ids, &ids->ordered, count * sizeof *ids->order, error);
    if (status != AKIN_OK)
        return status;
    if (k.bits)
        k.small = ids->keys.data;
    else
        k.keys = ids->keys.data;
    ids->order = ids->ordered.data;
    k.shared = is_text ? shared_bytes(&ids->texts, (uint32_t)count) : 0;
    status = akin_parallel(scope, NULL, akin_ceil_div(count, TASK), make_keys, &k);
    if (status == AKIN_OK)
        status = k.small ? akin_sort_parallel_u64(scope, ids->account, k.small, count)
                         : akin_sort_parallel_u128(scope, ids->account, k.keys, count);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    take_keys(&k);
    return is_text ? sort_equal(scope, &k, error) : AKIN_OK;
}

void akin_pair_ids_clear(akin_numbered_ids *ids)
{
    akin_bulk *const bulks[] = {&ids->of, &ids->ordered, &ids->keys, &ids->texts_room[0], &ids->texts_room[1]};
    for (size_t i = 0; i < sizeof bulks / sizeof *bulks; i++)
        akin_bulk_clear(bulks[i]);
    akin_free(ids->numbers.first);
    *ids = (akin_numbered_ids){0};
}
