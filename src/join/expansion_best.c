/*
 * The best partners of rows, made of those of groups of equal rows. A left row has the partners of its group, which are
 * ranges of rows; groups that tie are merged:
 *
 *     group of the left row    its partners            rows of each
 *     5                        5, 9 (ties), 2          5: 10 40 70   9: 20 30   2: 0 80
 *
 *     row 40, k = 6            10 20 30 70 | 0 80      not row 40 itself
 */
#include "join/expansion.h"

#include "base/bits.h"
#include "base/heap.h"
#include "base/parallel.h"

#define CHECK 1024 /* rows between two questions whether to stop */

static const char what[] = "the best partners of equal rows";

typedef akin_expansion expansion;

typedef struct merger {
    const expansion *e;
    uint64_t *begin;  /* of each left group, and at the end: where its partners begin */
    uint64_t *heads;  /* of the groups at hand: | the next row | the place among them | */
    uint32_t *places; /* of these rows among all members */
} merger;

/* Where the partners of each left group begin, which come in their order. */
static void set_partner_begins(merger *m)
{
    const akin_pair *kept = akin_expansion_kept(m->e);
    const uint32_t groups = m->e->sides[0].groups;
    uint64_t at = 0;
    for (uint32_t group = 0; group < groups; group++) {
        m->begin[group] = at;
        while (at < m->e->kept_count && kept[at].left == group)
            at++;
    }
    m->begin[groups] = at;
}

/* The place of a group's next row from place `at` on: not the left row itself. */
static uint32_t skip_own(const expansion *e, const uint32_t *members, uint32_t at, uint32_t end, uint32_t row)
{
    return at + (e->self && at < end && members[at] == row);
}

static int is_row_less(const void *user, uint64_t a, uint64_t b)
{
    (void)user;
    return a < b;
}

/* Hands over up to `wanted` rows of `count` groups that tie, the least rows first; returns how many. */
static uint32_t put_tied(expansion *e, const merger *m, uint32_t row, const akin_pair *partners, uint32_t count,
                         uint32_t wanted, int *stop)
{
    const akin_equal_rows *right = akin_expansion_rights(e);
    akin_heap heap = {.keys = m->heads, .is_worse = is_row_less};
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t begin = right->begin[partners[i].right], end = right->begin[partners[i].right + (uint64_t)1];
        m->places[i] = skip_own(e, right->members, begin, end, row);
        if (m->places[i] < end)
            heap.keys[heap.held++] = (uint64_t)right->members[m->places[i]] << 32 | i;
    }
    for (uint32_t at = heap.held / 2; at-- > 0;)
        akin_heap_sink(&heap, at, heap.held);
    for (; taken < wanted && heap.held > 0 && !*stop; taken++) {
        const uint32_t i = (uint32_t)heap.keys[0], end = right->begin[partners[i].right + (uint64_t)1];
        if (e->wanted.sink)
            *stop = akin_expansion_put(e, row, (uint32_t)(heap.keys[0] >> 32), partners[i].overlap & ~AKIN_BEST_TIES);
        m->places[i] = skip_own(e, right->members, m->places[i] + 1, end, row);
        heap.keys[0] = m->places[i] < end ? (uint64_t)right->members[m->places[i]] << 32 | i : heap.keys[--heap.held];
        if (heap.held > 0)
            akin_heap_sink(&heap, 0, heap.held);
    }
    return taken;
}

/* The best partners of a left row. */
static int put_best_of_row(expansion *e, const merger *m, uint32_t row)
{
    const uint32_t group = e->sides[0].of[row];
    const akin_pair *partners = akin_expansion_kept(e);
    uint32_t left = e->wanted.best;
    int stop = 0;
    for (uint64_t i = m->begin[group], next, end = m->begin[group + (uint64_t)1]; i < end && left > 0 && !stop;
         i = next) {
        for (next = i + 1; next < end && (partners[next].overlap & AKIN_BEST_TIES);)
            next++;
        const uint32_t taken = put_tied(e, m, row, &partners[i], (uint32_t)(next - i), left, &stop);
        e->found += taken;
        left -= taken;
    }
    return stop;
}

static akin_status make_merger(merger *m, const expansion *e, akin_error *error)
{
    uint64_t most = 1;
    m->e = e;
    m->begin = akin_alloc(e->account, e->sides[0].groups + (uint64_t)1, sizeof *m->begin);
    if (!m->begin)
        return akin_fail_memory(error, what);
    set_partner_begins(m);
    for (uint32_t group = 0; group < e->sides[0].groups; group++)
        most = akin_max_u64(most, m->begin[group + (uint64_t)1] - m->begin[group]);
    m->heads = akin_alloc(e->account, most, sizeof *m->heads);
    m->places = akin_alloc(e->account, most, sizeof *m->places);
    return m->heads && m->places ? AKIN_OK : akin_fail_memory(error, what);
}

akin_status akin_expansion_finish_best(akin_expansion *expansion, akin_error *error)
{
    merger m = {.e = NULL};
    int stop = 0;
    akin_status status = make_merger(&m, expansion, error);
    for (uint32_t row = 0; row < expansion->sides[0].rows && status == AKIN_OK && m.heads && !stop; row++) {
        if (expansion->sides[0].of[row] != AKIN_NUMBER_NONE)
            stop = put_best_of_row(expansion, &m, row);
        if (!stop && row % CHECK == 0 && expansion->asked == AKIN_OK)
            expansion->asked = akin_scope_report(expansion->scope, NULL, 0, 0);
        stop = stop || expansion->asked != AKIN_OK;
    }
    akin_free(m.begin);
    akin_free(m.heads);
    akin_free(m.places);
    return status;
}
