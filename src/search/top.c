/* The k best objects: cut by quickselect, so that an object costs the same whatever k is. */
#include "search/top.h"

#include "base/bits.h"
#include "base/sort.h"

#define MORE 512 /* than k are held, or as many again */

int akin_top_begin(akin_top *top, uint32_t k, akin_account *account)
{
    top->k = k;
    top->ties = 0;
    top->take = NULL;
    top->user = NULL;
    top->room = (uint64_t)k + akin_max_u64(k, MORE);
    top->keys = akin_alloc(account, top->room, sizeof *top->keys);
    akin_top_reset(top, 1);
    return top->keys != NULL;
}

void akin_top_clear(akin_top *top)
{
    akin_free(top->keys);
    top->keys = NULL;
}

void akin_top_reset(akin_top *top, uint32_t least)
{
    top->held = 0;
    top->least = least;
    top->last = UINT64_MAX;
}

/* Parts keys around one of them, which is returned: those up to it are not larger, those behind it not smaller. */
static uint64_t part_keys(uint64_t *keys, uint64_t first, uint64_t last)
{
    const uint64_t middle = first + (last - first) / 2;
    const uint64_t a = keys[first], b = keys[middle], c = keys[last];
    const uint64_t pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
    uint64_t i = first, j = last;
    for (;; i++, j--) {
        while (keys[i] < pivot)
            i++;
        while (keys[j] > pivot)
            j--;
        if (i >= j)
            return j;
        uint64_t swapped = keys[i];
        keys[i] = keys[j];
        keys[j] = swapped;
    }
}

/* Puts the `k` smallest of more keys first, the largest of them last. Where parting does not get on, they are
 * sorted. */
static void select_smallest(uint64_t *keys, uint64_t count, uint64_t k)
{
    uint64_t first = 0, last = count - 1;
    for (int rounds = 0; first < last; rounds++) {
        if (rounds == 64) {
            akin_sort_u64(keys + first, last - first + 1);
            return;
        }
        uint64_t at = part_keys(keys, first, last);
        if (k - 1 <= at)
            last = at;
        else
            first = at + 1;
    }
}

void akin_top_cut(akin_top *top)
{
    if (top->take) {
        top->take(top);
        return;
    }
    if (top->held < top->k)
        return;
    if (top->held > top->k)
        select_smallest(top->keys, top->held, top->k);
    else
        akin_sort_u64(top->keys, top->held);
    top->held = top->k;
    top->last = top->keys[top->k - 1];
    top->least = akin_max_u32(top->least, akin_top_count(top->keys[top->k - 1]) + !top->ties);
}

void akin_top_finish(akin_top *top)
{
    akin_top_cut(top);
    akin_sort_u64(top->keys, top->held);
}
