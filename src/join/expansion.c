/* Makes pairs of rows of pairs of groups. */
#include "join/expansion.h"

#include "base/budget.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

#define BATCH    4096              /* pairs that the sink gets at once */
#define ASK      64                /* batches between two questions whether to stop */
#define AT_ONCE  ((uint64_t)65536) /* pairs of two groups that are handed over while groups are joined */
#define OF_BOUND AKIN_JOB_PAIRS    /* share of a bounded job for the pairs of groups that are kept */

static const char what[] = "the pairs of equal rows";

typedef akin_expansion expansion;

/* ------------------------------------------------------------------------------------------------------------- sink */

static int flush_batch(expansion *e)
{
    const uint32_t count = e->filled;
    e->filled = 0;
    if (count == 0 || e->stopped || e->asked != AKIN_OK)
        return e->stopped || e->asked != AKIN_OK;
    e->handed += count;
    e->stopped = e->wanted.sink(e->wanted.user, e->batch, count) != 0;
    if (!e->stopped && e->is_finishing && ++e->batches % ASK == 0)
        e->asked = akin_scope_report(e->scope, NULL, 0, 0);
    return e->stopped || e->asked != AKIN_OK;
}

static inline int put_pair(expansion *e, uint32_t left, uint32_t right, uint32_t overlap)
{
    e->batch[e->filled++] = (akin_pair){left, right, overlap};
    return e->filled == BATCH ? flush_batch(e) : 0;
}

int akin_expansion_put(akin_expansion *expansion, uint32_t left, uint32_t right, uint32_t overlap)
{
    return put_pair(expansion, left, right, overlap);
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* All pairs of rows of two groups. */
static int put_product(expansion *e, const akin_pair *groups)
{
    const akin_equal_rows *left = &e->sides[0], *right = akin_expansion_rights(e);
    for (uint32_t i = left->begin[groups->left]; i < left->begin[groups->left + (uint64_t)1]; i++)
        for (uint32_t j = right->begin[groups->right]; j < right->begin[groups->right + (uint64_t)1]; j++) {
            const uint32_t a = left->members[i], b = right->members[j];
            const int turned = e->self && a > b;
            if (put_pair(e, turned ? b : a, turned ? a : b, groups->overlap))
                return 1;
        }
    return 0;
}

/* Whether rows of a group are pairs with one another. */
static int is_group_paired(const expansion *e, uint32_t group, uint32_t *overlap)
{
    const akin_equal_rows *left = &e->sides[0];
    return e->self && akin_equal_rows_size(left, group) > 1 &&
           e->wanted.is_pair(e->wanted.rows, left->first[group], overlap);
}

/* Whether a group is met for the first time. */
static int is_new(uint64_t *reached, uint32_t group)
{
    const uint64_t bit = UINT64_C(1) << group % 64, before = reached[group / 64];
    reached[group / 64] |= bit;
    return !(before & bit);
}

/* Connects the other rows of a group with a row of another one, unless that is done, or its rows are connected with one
 * another at the end. */
static int connect_group(expansion *e, int side, uint32_t group, const akin_pair *first)
{
    const akin_equal_rows *equal = &e->sides[e->self ? 0 : side];
    uint32_t overlap;
    int stop = 0;
    if (is_group_paired(e, group, &overlap) || !is_new(e->reached[e->self ? 0 : side], group))
        return 0;
    for (uint32_t i = equal->begin[group] + 1; i < equal->begin[group + (uint64_t)1] && !stop; i++) {
        const uint32_t row = equal->members[i], a = side ? first->left : row, b = side ? row : first->right;
        const int turned = e->self && a > b;
        stop = put_pair(e, turned ? b : a, turned ? a : b, first->overlap);
    }
    return stop;
}

/* Pairs that connect the rows of two groups. */
static int put_connecting(expansion *e, const akin_pair *groups)
{
    const akin_equal_rows *right = akin_expansion_rights(e);
    const akin_pair first = {e->sides[0].first[groups->left], right->first[groups->right], groups->overlap};
    return put_pair(e, first.left, first.right, first.overlap) || connect_group(e, 0, groups->left, &first) ||
           connect_group(e, 1, groups->right, &first);
}

/* Keeps a pair of groups; 0: memory is short. */
static int keep_groups(expansion *e, const akin_pair *groups)
{
    if (akin_bulk_grow(&e->kept, (e->kept_count + 1) * sizeof *groups, what, NULL) != AKIN_OK)
        return 0;
    ((akin_pair *)e->kept.data)[e->kept_count++] = *groups;
    return 1;
}

/* The same, on the heap, within the share of a bound. What does not fit is found as if no rows were equal. */
static int keep_few_groups(expansion *e, const akin_pair *groups)
{
    const uint64_t bytes = (e->kept_count + 1) * sizeof *groups;
    return (!e->account->limit || bytes <= e->kept.limit) && keep_groups(e, groups);
}

/* Each of the first k partners of a left group, but for the group itself, gives each of its rows a pair at least. */
static int take_best_groups(expansion *e, const akin_pair *groups)
{
    const int is_next = e->kept_count > 0 && akin_expansion_kept(e)[e->kept_count - 1].left == groups->left;
    e->partners = is_next ? e->partners : 0;
    if (e->wanted.sink && !(e->self && groups->left == groups->right) && e->partners++ < e->wanted.best) {
        const uint64_t pairs = akin_equal_rows_size(&e->sides[0], groups->left);
        e->waiting += pairs;
        e->stopped = !akin_pair_limit_wait(e->limit, pairs);
    }
    e->is_short = !e->stopped && !keep_groups(e, groups);
    return e->stopped || e->is_short;
}

static int take_groups(expansion *e, const akin_pair *groups)
{
    const uint64_t pairs = (uint64_t)akin_equal_rows_size(&e->sides[0], groups->left) *
                           akin_equal_rows_size(akin_expansion_rights(e), groups->right);
    if (e->wanted.best > 0)
        return take_best_groups(e, groups);
    e->found += pairs;
    if (!e->wanted.sink)
        return 0;
    if (e->wanted.connecting)
        return put_connecting(e, groups);
    if (e->wanted.any_order)
        return pairs > AT_ONCE && keep_few_groups(e, groups) ? 0 : put_product(e, groups);
    e->waiting += pairs;
    e->stopped = !akin_pair_limit_wait(e->limit, pairs);
    if (e->stopped)
        return 1;
    e->is_short = !keep_few_groups(e, groups);
    return e->is_short;
}

int akin_expansion_take(void *expansion, const akin_pair *pairs, size_t count)
{
    akin_expansion *e = expansion;
    int stop = 0;
    for (size_t i = 0; i < count && !stop; i++)
        stop = take_groups(e, &pairs[i]);
    return stop;
}

/* ----------------------------------------------------------------------------------------------------------- one group
 */

/* The pairs of rows of a group, in any order, or those that connect them. */
static int put_group(expansion *e, uint32_t group, uint32_t overlap)
{
    const akin_equal_rows *left = &e->sides[0];
    const uint32_t begin = left->begin[group], end = left->begin[group + (uint64_t)1];
    for (uint32_t i = begin; i < (e->wanted.connecting ? begin + 1 : end); i++)
        for (uint32_t j = i + 1; j < end; j++)
            if (put_pair(e, left->members[i], left->members[j], overlap))
                return 1;
    return 0;
}

static void finish_unsorted(expansion *e)
{
    int stop = 0;
    for (uint64_t i = 0; i < e->kept_count && !stop; i++)
        stop = put_product(e, &akin_expansion_kept(e)[i]);
    for (uint32_t group = 0; group < e->sides[0].groups && !stop; group++) {
        const uint64_t size = akin_equal_rows_size(&e->sides[0], group);
        uint32_t overlap = 0;
        if (!is_group_paired(e, group, &overlap))
            continue;
        e->found += size * (size - 1) / 2;
        stop = e->wanted.sink && put_group(e, group, overlap);
    }
}

/* ----------------------------------------------------------------------------------------------------------- sorted */

/* Of each left group the groups that it is paired with. */
typedef struct partners {
    uint64_t *begin; /* of each group, and at the end */
    akin_pair *list; /* left: nothing; right: the other group */
    uint64_t *keys;  /* of a row: the partners, and their overlaps */
} partners;

/* Adds a partner; or counts it, while there is no list. */
static void add_partner(partners *p, uint32_t group, uint32_t other, uint32_t overlap)
{
    uint64_t *next = &p->begin[group + (uint64_t)1];
    if (p->list)
        p->list[*next] = (akin_pair){.right = other, .overlap = overlap};
    (*next)++;
}

static void add_partners(const expansion *e, partners *p)
{
    for (uint64_t i = 0; i < e->kept_count; i++) {
        const akin_pair *groups = &akin_expansion_kept(e)[i];
        add_partner(p, groups->left, groups->right, groups->overlap);
        if (e->self)
            add_partner(p, groups->right, groups->left, groups->overlap);
    }
    for (uint32_t group = 0; group < e->sides[0].groups; group++) {
        uint32_t overlap;
        if (is_group_paired(e, group, &overlap))
            add_partner(p, group, group, overlap);
    }
}

static akin_status make_partners(expansion *e, partners *p, akin_error *error)
{
    const uint32_t groups = e->sides[0].groups;
    p->begin = akin_alloc_zero(e->account, groups + (uint64_t)2, sizeof *p->begin);
    p->keys = akin_alloc(e->account, akin_expansion_rights(e)->rows, sizeof *p->keys);
    if (!p->begin || !p->keys)
        return akin_fail_memory(error, what);
    add_partners(e, p);
    uint64_t before = 0;
    for (uint32_t group = 0; group <= groups; group++) {
        const uint64_t own = p->begin[group + (uint64_t)1];
        p->begin[group + (uint64_t)1] = before;
        before += group < groups ? own : 0;
    }
    p->list = akin_alloc(e->account, before, sizeof *p->list);
    if (!p->list)
        return akin_fail_memory(error, what);
    add_partners(e, p);
    return AKIN_OK;
}

/* The first member of a group that a left row is in a pair with: of one collection, the first one behind it. */
static uint32_t first_behind(const expansion *e, uint32_t row, uint32_t group)
{
    const akin_equal_rows *right = akin_expansion_rights(e);
    uint32_t low = right->begin[group], high = right->begin[group + (uint64_t)1];
    if (!e->self)
        return low;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (right->members[middle] > row)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The pairs of a left row, by their right rows. */
static int put_row(expansion *e, const partners *p, uint32_t row)
{
    const akin_equal_rows *right = akin_expansion_rights(e);
    const uint32_t group = e->sides[0].of[row];
    const uint64_t begin = p->begin[group], end = p->begin[group + (uint64_t)1];
    uint64_t count = 0;
    for (uint64_t i = begin; i < end; i++) {
        const akin_pair *partner = &p->list[i];
        const uint32_t last = right->begin[partner->right + (uint64_t)1];
        for (uint32_t j = first_behind(e, row, partner->right); j < last; j++)
            p->keys[count++] = (uint64_t)right->members[j] << 32 | partner->overlap;
    }
    if (end - begin > 1)
        akin_sort_u64(p->keys, count);
    e->found += count;
    int stop = 0;
    for (uint64_t i = 0; i < count && !stop; i++)
        stop = put_pair(e, row, (uint32_t)(p->keys[i] >> 32), (uint32_t)p->keys[i]);
    return stop;
}

static akin_status finish_sorted(expansion *e, akin_error *error)
{
    partners p = {.begin = NULL};
    int stop = 0;
    akin_status status = make_partners(e, &p, error);
    e->found = 0;
    for (uint32_t row = 0; row < e->sides[0].rows && status == AKIN_OK && p.list && !stop; row++)
        if (e->sides[0].of[row] != AKIN_NUMBER_NONE) {
            stop = put_row(e, &p, row);
            if (!stop && akin_is_stopped(e->scope, row))
                e->asked = AKIN_E_CANCELLED;
            stop = stop || e->asked != AKIN_OK;
        }
    akin_free(p.begin);
    akin_free(p.list);
    akin_free(p.keys);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ whole */

akin_status akin_expansion_begin(akin_expansion *out, const akin_scope *scope, akin_account *account, int self,
                                 const akin_expanded *wanted, akin_error *error)
{
    out->scope = scope;
    out->account = account;
    out->self = self;
    out->wanted = *wanted;
    out->limit = akin_pair_limit_of(wanted->sink, wanted->user);
    out->kept = akin_bulk_of(scope, account, akin_budget_part(account->limit, OF_BOUND));
    if (!wanted->sink)
        return AKIN_OK;
    out->batch = akin_alloc(account, BATCH, sizeof *out->batch);
    if (!out->batch)
        return akin_fail_memory(error, what);
    for (int s = 0; s < (self ? 1 : 2) && wanted->connecting; s++) {
        out->reached[s] = akin_alloc_zero(account, out->sides[s].groups / 64 + (uint64_t)1, sizeof *out->reached[s]);
        if (!out->reached[s])
            return akin_fail_memory(error, what);
    }
    return AKIN_OK;
}

void akin_expansion_clear(akin_expansion *expansion)
{
    for (int s = 0; s < 2; s++) {
        akin_equal_rows_clear(&expansion->sides[s]);
        akin_free(expansion->reached[s]);
    }
    akin_free(expansion->batch);
    akin_bulk_clear(&expansion->kept);
    *expansion = (akin_expansion){0};
}

akin_status akin_expansion_finish(akin_expansion *expansion, akin_error *error)
{
    akin_expansion *e = expansion;
    akin_status status = AKIN_OK;
    e->is_finishing = 1;
    if (e->wanted.best > 0)
        status = akin_expansion_finish_best(e, error);
    else if (!e->wanted.sink || e->wanted.any_order || e->wanted.connecting)
        finish_unsorted(e);
    else
        status = finish_sorted(e, error);
    if (status == AKIN_OK && !e->stopped && e->asked == AKIN_OK)
        flush_batch(e);
    if (status == AKIN_OK && e->stopped)
        return akin_fail(error, AKIN_E_CANCELLED, "stopped by the receiver of the pairs");
    return status == AKIN_OK && e->asked != AKIN_OK ? akin_fail_stopped(error, e->asked, what) : status;
}

int akin_expansion_gives_up(const akin_expansion *expansion, akin_status status)
{
    const int gives_up = expansion->handed == 0 && (expansion->is_short || status == AKIN_E_NOMEM);
    if (gives_up)
        akin_pair_limit_unwait(expansion->limit, expansion->waiting);
    return gives_up;
}
