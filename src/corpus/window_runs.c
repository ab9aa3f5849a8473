/* Keys of windows, and the runs that they make. */
#include "corpus/window_runs.h"

#include "table/columns.h"

#include <string.h>

#define PIECE      8192 /* places of a piece, at least, */
#define PIECE_EACH 2    /* and for each byte of a window */
#define SLOTS_WORD 32   /* slots of a word */

/* ---------------------------------------------------------------------------------------------------------- windows */

akin_windows akin_windows_of(const akin_column *column, uint32_t rows, akin_symbol symbol, uint64_t length,
                             uint64_t mask, uint64_t piece)
{
    const uint64_t places = column->offsets[rows] - column->offsets[0];
    const uint64_t usual = akin_max_u64(PIECE, PIECE_EACH * length);
    return (akin_windows){.column = column,
                          .text = places > 0 ? column->bytes + column->offsets[0] * symbol : NULL,
                          .symbol = symbol,
                          .rows = rows,
                          .places = places,
                          .length = length,
                          .mask = mask,
                          .piece = akin_max_u64(1, akin_min_u64(places, piece ? akin_min_u64(piece, usual) : usual))};
}

uint64_t akin_windows_pieces(const akin_windows *windows)
{
    return akin_ceil_div(windows->places, windows->piece);
}

uint32_t akin_windows_row(const akin_windows *windows, uint64_t place)
{
    const uint64_t *offsets = windows->column->offsets;
    return (uint32_t)(akin_lower_bound_u64(offsets, windows->rows + UINT64_C(1), offsets[0] + place + 1) - 1);
}

/* ------------------------------------------------------------------------------------------------------------ grams */

#define FIRST  UINT64_C(0x8c3d37c819544da2)
#define SECOND UINT64_C(0xd9ac1f0b6e5f7a31)

/* The symbols of a gram. */
static uint64_t gram_symbols(const akin_windows *windows)
{
    const uint64_t bytes = windows->length * windows->symbol;
    return (bytes >= 64 ? 32 : bytes >= 32 ? 16 : bytes >= 16 ? 8 : 4) / windows->symbol;
}

/* Hashes the grams at `count` places from `text` on, `step` bytes apart. */
static inline void hash_4(const char *text, uint64_t count, uint64_t step, uint64_t mask, uint64_t *out)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, text + i * step, sizeof word);
        out[i] = akin_mix_u64(word ^ FIRST, SECOND) & mask;
    }
}

static inline void hash_8(const char *text, uint64_t count, uint64_t step, uint64_t mask, uint64_t *out)
{
    for (uint64_t i = 0; i < count; i++)
        out[i] = akin_mix_u64(akin_load_word(text + i * step) ^ FIRST, SECOND) & mask;
}

static inline void hash_16(const char *text, uint64_t count, uint64_t step, uint64_t mask, uint64_t *out)
{
    for (uint64_t i = 0; i < count; i++)
        out[i] =
            akin_mix_u64(akin_load_word(text + i * step) ^ FIRST, akin_load_word(text + i * step + 8) ^ SECOND) & mask;
}

/* A gram of 32 bytes is two of 16. `out` has room for 16 hashes more. */
static inline void hash_32(const char *text, uint64_t count, uint64_t step, uint64_t mask, uint64_t *out)
{
    const uint64_t apart = 16 / step;
    hash_16(text, count + apart, step, UINT64_MAX, out);
    for (uint64_t i = 0; i < count; i++)
        out[i] = (out[i] + (out[i + apart] << 23 | out[i + apart] >> 41)) & mask;
}

static inline void hash_of(uint64_t bytes, const char *text, uint64_t count, uint64_t step, uint64_t mask,
                           uint64_t *out)
{
    if (bytes == 32)
        hash_32(text, count, step, mask, out);
    else if (bytes == 16)
        hash_16(text, count, step, mask, out);
    else if (bytes == 8)
        hash_8(text, count, step, mask, out);
    else
        hash_4(text, count, step, mask, out);
}

/* Hashes the grams at `count` places. The step is a constant, for the compiler. */
static void hash_grams(const akin_windows *windows, uint64_t place, uint64_t count, uint64_t *out)
{
    const uint64_t bytes = gram_symbols(windows) * windows->symbol;
    if (windows->symbol == AKIN_SYMBOL_BYTE)
        hash_of(bytes, akin_windows_at(windows, place), count, AKIN_SYMBOL_BYTE, windows->mask, out);
    else
        hash_of(bytes, akin_windows_at(windows, place), count, AKIN_SYMBOL_WORD, windows->mask, out);
}

/* ------------------------------------------------------------------------------------------------------------- runs */

/* The least of some hashes: its last place, and whether it is there again. */
typedef struct least {
    uint64_t hash, place;
    int is_again;
} least;

static least least_of(const uint64_t *hashes, uint64_t begin, uint64_t end)
{
    least l = {hashes[end - 1], end - 1, 0};
    for (uint64_t i = end - 1; i-- > begin;) {
        if (hashes[i] < l.hash)
            l = (least){hashes[i], i, 0};
        else if (hashes[i] == l.hash)
            l.is_again = 1;
    }
    return l;
}

/* Lists the runs of `count` windows from `begin` on, all in one row. list->hashes has those of their grams, `wide` for
 * each window. The least hash is looked for anew only when its last place leaves the window. */
static void list_runs(akin_run_list *list, uint64_t begin, uint64_t count, uint64_t wide)
{
    const uint64_t *hashes = list->hashes;
    least l = least_of(hashes, 0, wide);
    uint64_t first = 0;
    for (uint64_t i = 1; i < count; i++) {
        const uint64_t stop = akin_min_u64(count, l.place + 1);
        while (i < stop && hashes[i + wide - 1] > l.hash)
            i++;
        if (i == count)
            break;
        const uint64_t last = i + wide - 1;
        if (hashes[last] == l.hash) {
            l.place = last;
            l.is_again = 1;
            continue;
        }
        list->runs[list->count++] = akin_run_make(l.hash, begin + first, l.is_again, i - first);
        l = hashes[last] < l.hash ? (least){hashes[last], last, 0} : least_of(hashes, i, last + 1);
        first = i;
    }
    list->runs[list->count++] = akin_run_make(l.hash, begin + first, l.is_again, count - first);
}

void akin_run_list_fill(akin_run_list *list, const akin_windows *windows, uint64_t piece)
{
    const uint64_t begin = piece * windows->piece, end = akin_min_u64(begin + windows->piece, windows->places);
    const uint64_t wide = windows->length - gram_symbols(windows) + 1;
    list->count = 0;
    for (uint32_t row = akin_windows_row(windows, begin); row < windows->rows; row++) {
        const uint64_t row_begin = akin_windows_begin(windows, row), row_end = akin_windows_begin(windows, row + 1);
        if (row_begin >= end)
            break;
        if (row_end - row_begin < windows->length || !akin_column_has(windows->column, row))
            continue;
        const uint64_t from = akin_max_u64(begin, row_begin), to = akin_min_u64(end, row_end - windows->length + 1);
        if (from >= to)
            continue;
        hash_grams(windows, from, to - from + wide - 1, list->hashes);
        list_runs(list, from, to - from, wide);
    }
}

uint64_t akin_run_list_key(akin_run_list *list, const akin_windows *windows, uint64_t place)
{
    const uint64_t wide = windows->length - gram_symbols(windows) + 1;
    hash_grams(windows, place, wide, list->hashes);
    return least_of(list->hashes, 0, wide).hash;
}

akin_status akin_run_list_make(akin_account *account, const akin_windows *windows, akin_run_list *list)
{
    const uint64_t most =
        akin_min_u64(windows->places, windows->piece + windows->length); /* of the first halves, too */
    *list = (akin_run_list){.runs = akin_alloc(account, windows->piece, sizeof *list->runs),
                            .hashes = akin_alloc(account, most, sizeof *list->hashes)};
    return list->runs && list->hashes ? AKIN_OK : AKIN_E_NOMEM;
}

void akin_run_list_clear(akin_run_list *list)
{
    akin_free(list->runs);
    akin_free(list->hashes);
    *list = (akin_run_list){0};
}

/* ------------------------------------------------------------------------------------------------------------- seen */

akin_status akin_seen_make(akin_account *account, uint64_t slots, uint64_t most, akin_seen *out)
{
    const uint64_t wanted = akin_min_u64(slots, most * 4) / AKIN_SEEN_BUCKETS;
    out->slots = akin_max_u64(1, wanted) * AKIN_SEEN_BUCKETS;
    out->words = akin_alloc_zero(account, out->slots / SLOTS_WORD, sizeof *out->words);
    return out->words ? AKIN_OK : AKIN_E_NOMEM;
}

void akin_seen_clear(akin_seen *seen)
{
    akin_free((void *)seen->words);
    seen->words = NULL;
}

void akin_seen_forget(akin_seen *seen)
{
    memset((void *)seen->words, 0, seen->slots / SLOTS_WORD * sizeof *seen->words);
}

/* The high bits of a product say where a key is, the highest ones in which bucket. */
static uint64_t slot_of(const akin_seen *seen, uint64_t key)
{
    return (uint64_t)((akin_u128)(key * UINT64_C(0x9e3779b97f4a7c15)) * seen->slots >> 64);
}

/* Adds a key: by how many runs the ones that have been seen twice become more. The second one brings the first. */
static uint64_t add(akin_seen *seen, uint64_t key)
{
    const uint64_t slot = slot_of(seen, key);
    const uint64_t once = UINT64_C(1) << slot % SLOTS_WORD * 2, twice = once << 1;
    _Atomic uint64_t *word = &seen->words[slot / SLOTS_WORD];
    if (atomic_load_explicit(word, memory_order_relaxed) & twice)
        return 1;
    if (!(atomic_fetch_or_explicit(word, once, memory_order_relaxed) & once))
        return 0;
    return atomic_fetch_or_explicit(word, twice, memory_order_relaxed) & twice ? 1 : 2;
}

void akin_seen_add(akin_seen *seen, akin_run run)
{
    const uint64_t key = akin_run_key(run);
    uint64_t more = add(seen, key);
    if (akin_run_is_again(run))
        more += add(seen, key);
    if (more > 0)
        atomic_fetch_add_explicit(&seen->counts[akin_seen_bucket(key)], more, memory_order_relaxed);
}

void akin_seen_mark(akin_seen *seen, uint64_t key)
{
    const uint64_t slot = slot_of(seen, key);
    atomic_fetch_or_explicit(&seen->words[slot / SLOTS_WORD], UINT64_C(3) << slot % SLOTS_WORD * 2,
                             memory_order_relaxed);
}

int akin_seen_twice(const akin_seen *seen, uint64_t key)
{
    const uint64_t slot = slot_of(seen, key);
    return atomic_load_explicit(&seen->words[slot / SLOTS_WORD], memory_order_relaxed) >> slot % SLOTS_WORD * 2 & 2 ? 1
                                                                                                                    : 0;
}
