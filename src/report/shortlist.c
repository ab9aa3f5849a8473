/* The lowest few of many keys. */
#include "report/shortlist.h"

int akin_shortlist_make(akin_shortlist *list, akin_account *account, uint64_t most)
{
    *list = (akin_shortlist){akin_alloc(account, most, sizeof *list->keys), 0, most};
    return list->keys != NULL;
}

void akin_shortlist_clear(akin_shortlist *list)
{
    akin_free(list->keys);
    *list = (akin_shortlist){0};
}

/* Puts a key at the root, and lets it sink. */
static void sink_key(akin_shortlist *list, akin_u128 key)
{
    uint64_t at = 0;
    for (uint64_t child = 1; child < list->count; child = 2 * at + 1) {
        child += child + 1 < list->count && list->keys[child + 1] > list->keys[child];
        if (list->keys[child] <= key)
            break;
        list->keys[at] = list->keys[child];
        at = child;
    }
    list->keys[at] = key;
}

void akin_shortlist_offer(akin_shortlist *list, akin_u128 key)
{
    uint64_t at = list->count;
    if (at == list->most) {
        if (key < list->keys[0])
            sink_key(list, key);
        return;
    }
    for (list->count++; at > 0 && list->keys[(at - 1) / 2] < key; at = (at - 1) / 2)
        list->keys[at] = list->keys[(at - 1) / 2];
    list->keys[at] = key;
}
