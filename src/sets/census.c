/*
 * Counts the tokens of a collection: in a table by token where the tokens are dense numbers, and where they are sparse
 * (hashes, say) by sorting, so that memory follows the universe and not the largest token.
 */
#include "base/memory.h"
#include "base/sort.h"
#include "sets/sets.h"

#include <string.h>

/* A table is taken if it has at most DENSE entries a token of the sets, or FEW in all. */
#define DENSE 4
#define FEW   65536

void akin_census_clear(akin_census *census)
{
    akin_free(census->tokens);
    akin_free(census->counts);
    *census = (akin_census){0};
}

/* Makes room in the census for `distinct` tokens. */
static int reserve(akin_census *census, uint64_t distinct)
{
    census->distinct = distinct;
    census->tokens = akin_alloc(NULL, distinct, sizeof *census->tokens);
    census->counts = akin_alloc(NULL, distinct, sizeof *census->counts);
    return census->tokens && census->counts;
}

static int take_dense(const akin_sets *sets, uint64_t bound, akin_census *census)
{
    uint64_t total = sets->offsets[sets->rows], distinct = 0;
    uint32_t *table = akin_alloc_zero(NULL, bound, sizeof *table);
    if (!table)
        return 0;
    for (uint64_t i = 0; i < total; i++)
        table[sets->tokens[i]]++;
    for (uint64_t token = 0; token < bound; token++)
        distinct += table[token] != 0;
    int done = reserve(census, distinct);
    for (uint64_t token = 0, i = 0; done && i < distinct; token++) {
        if (table[token] == 0)
            continue;
        census->tokens[i] = (uint32_t)token;
        census->counts[i++] = table[token];
    }
    akin_free(table);
    return done;
}

/*
 * Counters, each a token in the upper and how often it was seen in the lower 32 bits. New ones are appended; when the
 * room is used up, those of the same token are made one.
 */
typedef struct tally {
    uint64_t used;
    uint64_t capacity;
    uint64_t *counters;
    uint64_t *scratch;
} tally;

static int enlarge(tally *t)
{
    uint64_t capacity = t->capacity ? 2 * t->capacity : FEW;
    akin_free(t->scratch);
    t->scratch = akin_alloc(NULL, capacity, sizeof *t->scratch);
    uint64_t *counters = akin_resize(NULL, t->counters, capacity, sizeof *counters);
    if (counters)
        t->counters = counters;
    t->capacity = capacity;
    return counters && t->scratch;
}

static void merge(tally *t)
{
    uint64_t merged = 0;
    akin_radix_sort_u64(t->counters, t->scratch, (size_t)t->used);
    for (uint64_t i = 0; i < t->used; i++) {
        if (merged > 0 && t->counters[merged - 1] >> 32 == t->counters[i] >> 32)
            t->counters[merged - 1] += (uint32_t)t->counters[i];
        else
            t->counters[merged++] = t->counters[i];
    }
    t->used = merged;
}

static int take_sparse(const akin_sets *sets, akin_census *census)
{
    tally t = {0};
    uint64_t total = sets->offsets[sets->rows];
    int done = enlarge(&t);
    for (uint64_t i = 0; done && i < total; i++) {
        if (t.used == t.capacity) {
            merge(&t);
            if (t.used > t.capacity / 2)
                done = enlarge(&t);
        }
        if (done)
            t.counters[t.used++] = (uint64_t)sets->tokens[i] << 32 | 1;
    }
    if (done) {
        merge(&t);
        done = reserve(census, t.used);
    }
    for (uint64_t i = 0; done && i < t.used; i++) {
        census->tokens[i] = (uint32_t)(t.counters[i] >> 32);
        census->counts[i] = (uint32_t)t.counters[i];
    }
    akin_free(t.counters);
    akin_free(t.scratch);
    return done;
}

akin_status akin_census_take(const akin_sets *sets, akin_census *out, akin_error *error)
{
    akin_census census = {0};
    uint64_t bound = 0;
    for (uint32_t row = 0; row < sets->rows; row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        if (size > 0 && tokens[size - 1] >= bound)
            bound = (uint64_t)tokens[size - 1] + 1;
    }
    int dense = bound <= FEW || bound / DENSE <= sets->offsets[sets->rows];
    if (!(dense ? take_dense(sets, bound, &census) : take_sparse(sets, &census))) {
        akin_census_clear(&census);
        return akin_fail_memory(error, "counting the tokens");
    }
    *out = census;
    return AKIN_OK;
}
