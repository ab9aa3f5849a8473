/*
 * Windows of a text, in runs. A text is a sequence of symbols: bytes, or numbers of words. A window is `length` symbols
 * within one document. Its key is the least hash of its grams. A gram is 4 to 32 bytes of the window, and one symbol or
 * at most half of the window, from any place on:
 *
 *     text       t h e   c a t   s a t   o n   t h e   m a t
 *     grams      h0  h1  h2 ...                                each place has one
 *     windows    [ h0 .. h9 ]                                  the key is the least of these
 *                  [ h1 .. h10 ]
 *     runs       windows 0 to 6: h5 | windows 7 to 11: h13 | ...
 *
 * Equal windows have equal keys, wherever they are. Neighbours mostly share their key, so they make a run, and a text
 * has few runs: about two for every `length` symbols. A text of a short period is one run. A run that shares its key
 * with no other run, and has the gram once, has no window that is repeated.
 */
#ifndef AKIN_CORPUS_WINDOW_RUNS_H
#define AKIN_CORPUS_WINDOW_RUNS_H

#include "base/bits.h"
#include "base/memory.h"

#include <stdatomic.h>

#define AKIN_WINDOW_MOST  65536 /* symbols of a window */
#define AKIN_WINDOW_LEAST 8     /* bytes of a window of bytes; one of words may have one */
#define AKIN_PLACE_BITS   40    /* a text is shorter than 2 to that power */

/* What the symbols are, by their bytes. */
typedef enum akin_symbol {
    AKIN_SYMBOL_BYTE = 1,
    AKIN_SYMBOL_WORD = 4, /* a uint32_t */
} akin_symbol;

/* A text: the symbols of all rows, one row after another. A place is a symbol of it, and a window is known by its
 * first. */
typedef struct akin_windows {
    const akin_column *column; /* whose offsets count symbols */
    const char *text;
    akin_symbol symbol;
    uint32_t rows;
    uint64_t places, length;
    uint64_t mask;  /* the bits of hashes that count: all, but for tests */
    uint64_t piece; /* places of a piece */
} akin_windows;

/* The text of a column. piece 0: the usual one. Lengths have been checked. */
akin_windows akin_windows_of(const akin_column *column, uint32_t rows, akin_symbol symbol, uint64_t length,
                             uint64_t mask, uint64_t piece);

/* Where the symbol at a place is. */
static inline const char *akin_windows_at(const akin_windows *windows, uint64_t place)
{
    return windows->text + place * windows->symbol;
}

uint64_t akin_windows_pieces(const akin_windows *windows);

/* The row that a place is in, and where the row begins. */
uint32_t akin_windows_row(const akin_windows *windows, uint64_t place);
static inline uint64_t akin_windows_begin(const akin_windows *windows, uint32_t row)
{
    return windows->column->offsets[row] - windows->column->offsets[0];
}

/* A run: | key: 64 bits | first window: 40 | whether the gram is there again: 1 | windows: 23 |. In ascending order,
 * runs of one key are together, those of earlier places first. */
typedef akin_u128 akin_run;

static inline akin_run akin_run_make(uint64_t key, uint64_t begin, int is_again, uint64_t count)
{
    return (akin_u128)key << 64 | begin << 24 | (uint64_t)is_again << 23 | count;
}

static inline uint64_t akin_run_key(akin_run run)
{
    return (uint64_t)(run >> 64);
}

static inline uint64_t akin_run_begin(akin_run run)
{
    return (uint64_t)run >> 24;
}

static inline int akin_run_is_again(akin_run run)
{
    return (uint64_t)run >> 23 & 1;
}

static inline uint64_t akin_run_count(akin_run run)
{
    return (uint64_t)run & 0x7fffff;
}

static inline uint64_t akin_run_end(akin_run run)
{
    return akin_run_begin(run) + akin_run_count(run);
}

/* What a thread lists runs in. */
typedef struct akin_run_list {
    akin_run *runs;
    uint64_t *hashes;
    uint64_t count; /* of runs */
} akin_run_list;

/* Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_run_list_make(akin_account *account, const akin_windows *windows, akin_run_list *list);
void akin_run_list_clear(akin_run_list *list);

/* Lists the runs of windows that begin in a piece, in their order. */
void akin_run_list_fill(akin_run_list *list, const akin_windows *windows, uint64_t piece);

/* The key of a window; the list is used for its hashes. */
uint64_t akin_run_list_key(akin_run_list *list, const akin_windows *windows, uint64_t place);

/*
 * Which keys have been seen twice, about: two bits for each slot, of which keys share some. What was seen twice is
 * never taken for new. Threads add at once, and the bits depend on the keys alone. The slots are in buckets.
 */
#define AKIN_SEEN_BUCKETS 1024

typedef struct akin_seen {
    _Atomic uint64_t *words;
    uint64_t slots;
    _Atomic uint64_t counts[AKIN_SEEN_BUCKETS]; /* runs of keys that have been seen twice */
} akin_seen;

/* For about that many slots, but not more than `most` bytes. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_seen_make(akin_account *account, uint64_t slots, uint64_t most, akin_seen *out);
void akin_seen_clear(akin_seen *seen);

/* Forgets all keys; the counts stay, as those of fewer keys are no larger. */
void akin_seen_forget(akin_seen *seen);

static inline uint32_t akin_seen_bucket(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

/* Adds the key of a run, twice if its gram is there again. */
void akin_seen_add(akin_seen *seen, akin_run run);

/* Adds a key as one that was seen twice, and counts no run. */
void akin_seen_mark(akin_seen *seen, uint64_t key);
int akin_seen_twice(const akin_seen *seen, uint64_t key);

#endif
