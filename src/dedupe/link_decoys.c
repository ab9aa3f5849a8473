/* Finds decoys of a link, and what they allow. */
#include "dedupe/link_decoys.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/sort_parallel.h"
#include "learn/right_share.h"

#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define NEAREST 10                  /* partners of a record that lead to decoys, */
#define MOST    (NEAREST * NEAREST) /* which are as many at most */
#define SAMPLE  4096                /* records of a table whose decoys are found, at least, if it has as many */
#define NONE    UINT32_MAX
#define SIGN    ((uint64_t)1 << 63)

static const char what[] = "the decoys of the link";

/* A record, and what its pair with another one weighs, in nats. */
typedef struct partner {
    double weight;
    uint32_t record;
} partner;

/* The partners of some records of one table that weigh most. */
typedef struct partners {
    uint32_t *slots; /* of each record its place, or NONE */
    uint32_t *records;
    partner *of; /* [place][NEAREST], the heaviest one first, and of one weight the lower record, up to NONE */
    _Atomic uint8_t *busy; /* of each place: a thread changes its partners */
    uint32_t count;
} partners;

typedef struct heeding {
    akin_training *training;
    akin_training_scorers scorers;
    partners first, second; /* of the sample, and of its partners */
    const double *weights;  /* of each pair, in nats */
    partner *decoys;        /* [record of the sample][MOST], by rows */
    uint32_t *counts;       /* how many there are */
    double *items;          /* those of the matched pairs, ascending, */
    uint64_t item_count;
    double *shares[2]; /* of each item, by the decoys of each table */
} heeding;

/* --------------------------------------------------------------------------------------------------------- partners */

static akin_status make_partners(akin_account *account, uint32_t records, uint32_t most, partners *p)
{
    p->slots = akin_alloc(account, records, sizeof *p->slots);
    p->records = akin_alloc(account, most, sizeof *p->records);
    p->of = akin_alloc(account, (uint64_t)most * NEAREST, sizeof *p->of);
    p->busy = akin_alloc_zero(account, most, sizeof *p->busy);
    if (!p->slots || !p->records || !p->of || !p->busy)
        return AKIN_E_NOMEM;
    for (uint32_t r = 0; r < records; r++)
        p->slots[r] = NONE;
    for (uint64_t i = 0; i < (uint64_t)most * NEAREST; i++)
        p->of[i] = (partner){-INFINITY, NONE};
    p->count = 0;
    return AKIN_OK;
}

static void clear_partners(partners *p)
{
    akin_free(p->slots);
    akin_free(p->records);
    akin_free(p->of);
    akin_free((void *)p->busy);
    *p = (partners){0};
}

static void add_record(partners *p, uint32_t record)
{
    if (p->slots[record] != NONE)
        return;
    p->records[p->count] = record;
    p->slots[record] = p->count++;
}

static int is_nearer(const partner *a, const partner *b)
{
    return a->weight > b->weight || (a->weight == b->weight && a->record < b->record);
}

/* The partners that stay do not depend on the order in which they are added. */
static void add_partner(const partners *p, uint32_t slot, partner other)
{
    partner *of = p->of + (uint64_t)slot * NEAREST;
    uint32_t at = NEAREST;
    while (atomic_exchange_explicit(&p->busy[slot], 1, memory_order_acquire))
        continue;
    while (at > 0 && is_nearer(&other, &of[at - 1])) {
        if (at < NEAREST)
            of[at] = of[at - 1];
        at--;
    }
    if (at < NEAREST)
        of[at] = other;
    atomic_store_explicit(&p->busy[slot], 0, memory_order_release);
}

/* The search for partners of some records. */
typedef struct finding {
    const heeding *heeding;
    const partners *partners;
    const uint32_t *own, *other; /* of each pair, the record of the table of these records, and the other one */
} finding;

static akin_status find_some(void *argument, uint64_t task, uint32_t thread)
{
    const finding *f = argument;
    const heeding *h = f->heeding;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, h->training->pairs.count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const uint32_t slot = f->partners->slots[f->own[i]];
        if (slot != NONE)
            add_partner(f->partners, slot, (partner){h->weights[i], f->other[i]});
    }
    return AKIN_OK;
}

/* Finds the partners of the records that are there, which are of table `side`. */
static akin_status find_partners(const heeding *h, uint32_t side, const partners *p)
{
    const akin_level_pairs *pairs = &h->training->pairs;
    finding f = {h, p, side == 0 ? pairs->left : pairs->right, side == 0 ? pairs->right : pairs->left};
    const uint64_t tasks = akin_ceil_div(pairs->count, AKIN_LEVEL_PAIRS);
    return akin_parallel(h->training->job->scope, NULL, tasks, find_some, &f);
}

/* ----------------------------------------------------------------------------------------------------------- decoys */

/* Adds a partner behind those of lower rows, unless it is there. */
static void insert_decoy(partner *of, uint32_t *count, partner decoy)
{
    uint32_t at = *count;
    while (at > 0 && of[at - 1].record > decoy.record)
        at--;
    if (at > 0 && of[at - 1].record == decoy.record)
        return;
    memmove(of + at + 1, of + at, (*count - at) * sizeof *of);
    of[at] = decoy;
    ++*count;
}

/* The decoys of a record of the sample: the partners of its partners, sorted, and what they weigh. */
static akin_status find_decoys(void *argument, uint64_t task, uint32_t thread)
{
    const heeding *h = argument;
    const uint32_t record = h->first.records[task];
    const partner *of = h->first.of + task * NEAREST;
    partner *decoys = h->decoys + task * MOST;
    uint32_t *count = h->counts + task;
    akin_status status = AKIN_OK;
    *count = 0;
    for (uint32_t i = 0; i < NEAREST && of[i].record != NONE; i++) {
        const partner *others = h->second.of + (uint64_t)h->second.slots[of[i].record] * NEAREST;
        for (uint32_t k = 0; k < NEAREST && others[k].record != NONE; k++)
            if (others[k].record != record)
                insert_decoy(decoys, count, (partner){0, others[k].record});
    }
    for (uint32_t i = 0; i < *count && status == AKIN_OK; i++)
        status = akin_training_weigh_records(&h->scorers, thread, record, decoys[i].record, &decoys[i].weight);
    return status;
}

/* Numbers in the order of doubles, and back. */
static uint64_t key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & SIGN ? ~bits : bits | SIGN;
}

static double value_of(uint64_t key)
{
    const uint64_t bits = key & SIGN ? key ^ SIGN : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Keeps the decoys that are left if each record is in one as a left record at most, and in one as a right record, as
 * if the table was linked with itself: the heaviest one first, and of one weight those of lower rows. Writes what they
 * weigh, ascending. */
static akin_status match_decoys(const heeding *h, uint32_t side, double *weights, uint64_t *count)
{
    const akin_training *e = h->training;
    akin_account *account = &e->job->account;
    const uint32_t rows = e->pairs.rows[side], begin = side == 0 ? 0 : e->pairs.rows[0];
    const uint64_t most = (uint64_t)h->first.count * MOST;
    akin_u128 *ranks = akin_alloc(account, most, sizeof *ranks);
    uint8_t *are_left = akin_alloc_zero(account, rows, 1), *are_right = akin_alloc_zero(account, rows, 1);
    const int done = ranks && are_left && are_right;
    uint64_t decoys = 0, kept = 0;
    for (uint32_t r = 0; r < h->first.count && done; r++)
        for (uint32_t i = 0; i < h->counts[r]; i++) {
            const uint64_t place = (uint64_t)r * MOST + i;
            ranks[decoys++] = (akin_u128)~key_of(h->decoys[place].weight) << 64 | place;
        }
    if (done)
        akin_sort_u128(ranks, decoys);
    for (uint64_t i = 0; i < decoys && done; i++) {
        const uint64_t place = (uint64_t)ranks[i];
        uint8_t *left = &are_left[h->first.records[place / MOST] - begin];
        uint8_t *right = &are_right[h->decoys[place].record - begin];
        if (*left || *right)
            continue;
        *left = *right = 1;
        weights[kept++] = h->decoys[place].weight;
    }
    for (uint64_t i = 0; i < kept / 2; i++) {
        const double other = weights[i];
        weights[i] = weights[kept - 1 - i];
        weights[kept - 1 - i] = other;
    }
    *count = kept;
    akin_free(ranks);
    akin_free(are_left);
    akin_free(are_right);
    return done ? AKIN_OK : AKIN_E_NOMEM;
}

/* Draws every n-th record of a table, and finds its partners and theirs. */
static akin_status find_neighbours(heeding *h, uint32_t side, uint32_t *step)
{
    akin_account *account = &h->training->job->account;
    const uint32_t *rows = h->training->pairs.rows, records = rows[0] + rows[1];
    const uint32_t begin = side == 0 ? 0 : rows[0], end = begin + rows[side];
    *step = rows[side] / SAMPLE > 1 ? rows[side] / SAMPLE : 1;
    const uint32_t sampled = (uint32_t)akin_ceil_div(rows[side], *step);
    akin_status status = make_partners(account, records, sampled, &h->first);
    for (uint64_t r = begin; r < end && status == AKIN_OK; r += *step)
        add_record(&h->first, (uint32_t)r);
    if (status == AKIN_OK)
        status = find_partners(h, side, &h->first);
    if (status == AKIN_OK)
        status = make_partners(account, records, (uint32_t)akin_min_u64((uint64_t)sampled * NEAREST, rows[1 - side]),
                               &h->second);
    for (uint64_t i = 0; i < (uint64_t)sampled * NEAREST && status == AKIN_OK; i++)
        if (h->first.of[i].record != NONE)
            add_record(&h->second, h->first.of[i].record);
    return status == AKIN_OK ? find_partners(h, 1 - side, &h->second) : status;
}

static akin_status sort_weights(const akin_training *e, double *weights, uint64_t count)
{
    uint64_t *keys = akin_alloc(&e->job->account, count, sizeof *keys);
    if (!keys)
        return AKIN_E_NOMEM;
    for (uint64_t i = 0; i < count; i++)
        keys[i] = key_of(weights[i]);
    const akin_status status = akin_sort_parallel_u64(e->job->scope, &e->job->account, keys, count);
    for (uint64_t i = 0; i < count; i++)
        weights[i] = value_of(keys[i]);
    akin_free(keys);
    return status;
}

/* Finds the shares of items by the decoys of the sample. */
static akin_status share_by_decoys(heeding *h, uint32_t side, uint32_t step, double *shares)
{
    akin_training *e = h->training;
    akin_account *account = &e->job->account;
    const double own = e->pairs.rows[side], other = e->pairs.rows[1 - side], least = own < other ? own : other;
    double *matched = akin_alloc(account, h->first.count, sizeof *matched);
    uint64_t count = 0;
    akin_status status =
        akin_parallel_long(&h->scorers.scope, NULL, h->first.count, find_decoys, h, &e->job->cancelled);
    if (status == AKIN_OK)
        status = matched ? match_decoys(h, side, matched, &count) : AKIN_E_NOMEM;
    const akin_weighed_decoys decoys = {matched, count, least, step * least / own};
    if (status == AKIN_OK)
        status = akin_right_share_find(account, h->items, h->item_count, &decoys, shares);
    akin_free(matched);
    return status;
}

static akin_status share_by_table(heeding *h, uint32_t side, double *shares)
{
    akin_account *account = &h->training->job->account;
    uint32_t step;
    akin_status status = find_neighbours(h, side, &step);
    if (status == AKIN_OK) {
        h->decoys = akin_alloc(account, (uint64_t)h->first.count * MOST, sizeof *h->decoys);
        h->counts = akin_alloc(account, h->first.count, sizeof *h->counts);
        status = h->decoys && h->counts ? share_by_decoys(h, side, step, shares) : AKIN_E_NOMEM;
    }
    akin_free(h->decoys);
    akin_free(h->counts);
    h->decoys = NULL;
    h->counts = NULL;
    clear_partners(&h->first);
    clear_partners(&h->second);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- caps */

/* Everything is there but what has been found. */
static akin_status find_caps(heeding *h, const uint64_t *matched, akin_caps *out)
{
    const akin_training *e = h->training;
    for (uint64_t i = 0; i < h->item_count; i++)
        h->items[i] = h->weights[matched[i]];
    akin_status status = sort_weights(e, h->items, h->item_count);
    for (uint32_t side = 0; side < 2 && status == AKIN_OK; side++)
        status = share_by_table(h, side, h->shares[side]);
    if (status != AKIN_OK)
        return status;
    for (uint64_t i = 0; i < h->item_count; i++)
        if (h->shares[0][i] < h->shares[1][i])
            h->shares[0][i] = h->shares[1][i];
    return akin_caps_make(&e->job->account, h->items, h->shares[0], h->item_count, out) ? AKIN_OK : AKIN_E_NOMEM;
}

akin_status akin_training_find_caps(akin_training *training, const double *weights, const uint64_t *matched,
                                    uint64_t count, akin_caps *out, akin_error *error)
{
    akin_account *account = &training->job->account;
    *out = (akin_caps){.count = 0};
    if (count == 0)
        return AKIN_OK;
    heeding h = {.training = training,
                 .weights = weights,
                 .items = akin_alloc(account, count, sizeof *h.items),
                 .item_count = count,
                 .shares = {akin_alloc(account, count, sizeof(double)), akin_alloc(account, count, sizeof(double))}};
    akin_status status = akin_training_scorers_make(training, &h.scorers, error);
    if (status == AKIN_OK) {
        status = h.items && h.shares[0] && h.shares[1] ? find_caps(&h, matched, out) : AKIN_E_NOMEM;
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_training_scorers_clear(&h.scorers);
    akin_free(h.items);
    akin_free(h.shares[0]);
    akin_free(h.shares[1]);
    return status;
}
