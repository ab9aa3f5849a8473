/* A probe at work: its best partners, and what a further one must reach. */
#include "join/top.h"

#include "join/marks.h"

#include <string.h>

static akin_fraction rank_of(const akin_top_probe *p, uint64_t key)
{
    return akin_rule_rank(p->all->form, key >> 32, p->size, akin_top_row_size(p->all->right, (uint32_t)key));
}

int akin_top_is_worse(const void *user, uint64_t a, uint64_t b)
{
    const akin_fraction x = rank_of(user, a), y = rank_of(user, b);
    const akin_u128 left = (akin_u128)x.above * y.below, right = (akin_u128)y.above * x.below;
    return left != right ? left < right : (uint32_t)a > (uint32_t)b;
}

int akin_top_is_tie(const void *user, uint64_t a, uint64_t b)
{
    const akin_fraction x = rank_of(user, a), y = rank_of(user, b);
    return (akin_u128)x.above * y.below == (akin_u128)y.above * x.below;
}

void akin_top_raise_bar(akin_top_probe *p)
{
    p->is_full = akin_heap_is_full(&p->heap);
    if (!p->is_full)
        return;
    const akin_fraction worst = rank_of(p, p->heap.keys[0]);
    p->bar.rule = (akin_measure_rule){p->all->form, worst.below, worst.above};
    p->worst = (uint32_t)p->heap.keys[0];
}

void akin_top_keep(akin_top_probe *p, uint64_t key)
{
    uint64_t dropped;
    if (akin_heap_offer(&p->heap, key, 0, &dropped))
        akin_top_raise_bar(p);
}

void akin_top_set_marks(akin_top_probe *p)
{
    if (p->has_marks)
        return;
    akin_mark(p->worker->marks, p->tokens, p->size);
    memset(p->signature, 0, sizeof p->signature);
    akin_parity_add(p->signature, p->all->parity.stride, p->tokens, p->size);
    p->has_marks = 1;
}
