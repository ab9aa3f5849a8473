/* Finds rows that are equal, by hashes of their bytes. */
#include "join/equal_rows.h"

#include "base/budget.h"
#include "base/context.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/wishes.h"

#include <string.h>
#include <xxhash.h>

#define SAMPLE 4096 /* rows, at most */
#define PAIRS  1    /* of equal rows, for each row: from more on groups pay */

static const char what[] = "rows that are equal";

/* ---------------------------------------------------------------------------------------------------------- sample */

/* The hash of a row, exact where it can be (base/numbering.h). *is_there: it is not empty. */
static uint64_t hash_row(const akin_row_bytes *rows, uint32_t row, uint64_t seed, int *is_there)
{
    uint64_t length, hash = seed;
    const void *bytes = rows->of(rows->rows, row, 0, &length);
    *is_there = length > 0 || rows->parts > 1;
    if (rows->parts == 1 && length > 0 && length <= AKIN_HASH_EXACT_MOST)
        return akin_hash_exact(bytes, length, seed);
    for (uint32_t part = 0; part < rows->parts; part++) {
        bytes = rows->of(rows->rows, row, part, &length);
        hash = XXH3_64bits_withSeed(bytes, length, hash);
    }
    return hash & ~AKIN_HASH_EXACT;
}

/* Puts the hashes of the sample's rows in order, and returns their number. Of each of `count` equal pieces of the
 * collection there is one row, at a place that differs from piece to piece. */
static uint32_t hash_sample(const akin_row_bytes *rows, uint32_t count, uint64_t *hashes)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t begin = (uint64_t)i * rows->count / count, end = (i + (uint64_t)1) * rows->count / count;
        int is_there;
        hashes[there] = hash_row(rows, (uint32_t)(begin + akin_random_mixed(i) % (end - begin)), 0, &is_there);
        there += is_there != 0;
    }
    akin_sort_u64(hashes, there);
    return there;
}

akin_status akin_equal_rows_abound(const akin_scope *scope, const akin_row_bytes *rows, int *abound, akin_error *error)
{
    const int wish = akin_wishes_of(scope)->equal_rows;
    const uint32_t count = rows->count < SAMPLE ? rows->count : SAMPLE;
    double pairs = 0;
    *abound = wish > 0;
    if (wish != 0 || count < 2)
        return AKIN_OK;
    uint64_t *hashes = akin_alloc(NULL, count, sizeof *hashes);
    if (!hashes)
        return akin_fail_memory(error, what);
    const uint32_t there = hash_sample(rows, count, hashes);
    for (uint32_t begin = 0, end; begin < there; begin = end) {
        for (end = begin + 1; end < there && hashes[end] == hashes[begin];)
            end++;
        pairs += (double)(end - begin) * (end - begin - 1) / 2;
    }
    akin_free(hashes);
    *abound = pairs * rows->count / count / count > PAIRS;
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- groups */

static void hash_rows(const void *items, uint64_t seed, uint32_t first, uint32_t end, uint64_t *hashes, uint32_t *of)
{
    const akin_row_bytes *rows = items;
    for (uint32_t row = first; row < end; row++) {
        int is_there;
        hashes[row] = hash_row(rows, row, seed, &is_there);
        of[row] = is_there ? 0 : AKIN_NUMBER_NONE;
    }
}

static int is_same_row(const void *items, uint32_t a, uint32_t b)
{
    const akin_row_bytes *rows = items;
    for (uint32_t part = 0; part < rows->parts; part++) {
        uint64_t lengths[2];
        const void *x = rows->of(rows->rows, a, part, &lengths[0]), *y = rows->of(rows->rows, b, part, &lengths[1]);
        if (lengths[0] != lengths[1] || memcmp(x, y, lengths[0]) != 0)
            return 0;
    }
    return 1;
}

/* Lists the members of groups, in the order of their rows. */
static akin_status list_members(akin_account *account, akin_equal_rows *equal, akin_error *error)
{
    uint32_t there = 0;
    for (uint32_t row = 0; row < equal->rows; row++)
        there += equal->of[row] != AKIN_NUMBER_NONE;
    equal->begin = akin_alloc_zero(account, equal->groups + (uint64_t)2, sizeof *equal->begin);
    if (!equal->begin)
        return akin_fail_memory(error, what);
    const akin_status status =
        akin_bulk_reserve(&equal->room[1], there * (uint64_t)sizeof *equal->members, what, error);
    if (status != AKIN_OK)
        return status;
    equal->members = equal->room[1].data;
    uint32_t *next = equal->begin + 1; /* becomes where the group's next member goes, and at last its end */
    for (uint32_t row = 0; row < equal->rows; row++)
        if (equal->of[row] != AKIN_NUMBER_NONE)
            next[equal->of[row] + (uint64_t)1]++;
    for (uint32_t group = 1; group <= equal->groups; group++)
        next[group] += next[group - 1];
    for (uint32_t row = 0; row < equal->rows; row++)
        if (equal->of[row] != AKIN_NUMBER_NONE)
            equal->members[next[equal->of[row]]++] = row;
    return AKIN_OK;
}

akin_status akin_equal_rows_make(const akin_scope *scope, akin_account *account, const akin_row_bytes *rows,
                                 akin_equal_rows *out, akin_error *error)
{
    const akin_numbered numbered = {rows, rows->count, hash_rows, is_same_row, NULL};
    *out = (akin_equal_rows){.rows = rows->count};
    out->room[0] = out->room[1] = akin_bulk_of(scope, account, akin_budget(scope, AKIN_BUDGET_EQUAL_ROWS));
    akin_status status = akin_bulk_reserve(&out->room[0], rows->count * (uint64_t)sizeof *out->of, what, error);
    if (status != AKIN_OK)
        return status;
    out->of = out->room[0].data;
    akin_numbers numbers = {.of = out->of};
    status = akin_number_items(scope, account, &numbered, what, &numbers, error);
    out->first = numbers.first;
    out->groups = numbers.count;
    return status == AKIN_OK ? list_members(account, out, error) : status;
}

void akin_equal_rows_clear(akin_equal_rows *equal)
{
    akin_free(equal->first);
    akin_free(equal->begin);
    akin_bulk_clear(&equal->room[0]);
    akin_bulk_clear(&equal->room[1]);
    *equal = (akin_equal_rows){0};
}
