/* Finds decoys of a link, and what they allow. */
#include "dedupe/own_decoys.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "base/parallel.h"
#include "base/sort_parallel.h"
#include "learn/right_share.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define NEAREST 5    /* partners of a record that lead to decoys */
#define SAMPLE  4096 /* records of a table whose decoys are found, at least, if it has as many */
#define NONE    UINT32_MAX

static const char what[] = "the decoys of the link";

/* A record, and the probability that it is the same as another one, whatever their other pairs are. */
typedef struct partner {
    double probability;
    uint32_t record;
} partner;

/* The most probable partners of some records. */
typedef struct partners {
    uint32_t *slots; /* of each record its place, or NONE */
    uint32_t *records;
    partner *of; /* [place][NEAREST], the most probable one first, up to NONE */
    uint32_t count;
} partners;

typedef struct heeding {
    akin_training *training;
    akin_training_scorers scorers;
    partners first, second; /* of the sample, and of its partners */
    double *alone;          /* of each pair its probability without other pairs */
    double *decoys;         /* of each record of the sample; negative: it has none */
    double *items;          /* those of the matched pairs, ascending */
    uint64_t item_count;
    double *shares[2]; /* of each item, by the decoys of each table */
} heeding;

/* --------------------------------------------------------------------------------------------------------- partners */

static akin_status find_alone(void *argument, uint64_t task, uint32_t thread)
{
    const heeding *h = argument;
    const akin_training *e = h->training;
    const akin_level_pairs *pairs = &e->pairs;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, pairs->count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const double evidence =
            akin_level_weights(&e->model, pairs->levels + i * pairs->comparisons) + pairs->rarity[i];
        h->alone[i] = akin_training_alone(e, e->model.tempering * evidence);
    }
    return AKIN_OK;
}

static akin_status make_partners(akin_account *account, uint32_t records, uint32_t most, partners *p)
{
    p->slots = akin_alloc(account, records, sizeof *p->slots);
    p->records = akin_alloc(account, most, sizeof *p->records);
    p->of = akin_alloc(account, (uint64_t)most * NEAREST, sizeof *p->of);
    if (!p->slots || !p->records || !p->of)
        return AKIN_E_NOMEM;
    for (uint32_t r = 0; r < records; r++)
        p->slots[r] = NONE;
    for (uint64_t i = 0; i < (uint64_t)most * NEAREST; i++)
        p->of[i] = (partner){-1, NONE};
    p->count = 0;
    return AKIN_OK;
}

static void clear_partners(partners *p)
{
    akin_free(p->slots);
    akin_free(p->records);
    akin_free(p->of);
    *p = (partners){0};
}

static void add_record(partners *p, uint32_t record)
{
    if (p->slots[record] != NONE)
        return;
    p->records[p->count] = record;
    p->slots[record] = p->count++;
}

/* Of equally probable partners the first one stays. */
static void add_partner(partners *p, uint32_t record, partner other)
{
    if (p->slots[record] == NONE)
        return;
    partner *of = p->of + (uint64_t)p->slots[record] * NEAREST;
    uint32_t at = NEAREST;
    while (at > 0 && other.probability > of[at - 1].probability) {
        if (at < NEAREST)
            of[at] = of[at - 1];
        at--;
    }
    if (at < NEAREST)
        of[at] = other;
}

/* Finds the partners of the records that are there. */
static akin_status find_partners(const heeding *h, partners *p)
{
    const akin_level_pairs *pairs = &h->training->pairs;
    for (uint64_t i = 0; i < pairs->count; i++) {
        add_partner(p, pairs->left[i], (partner){h->alone[i], pairs->right[i]});
        add_partner(p, pairs->right[i], (partner){h->alone[i], pairs->left[i]});
        if (akin_is_stopped(h->training->job->scope, i))
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- decoys */

/* The decoy of a record of the sample: of the partners of its partners the one that is most like it. */
static akin_status find_decoy(void *argument, uint64_t task, uint32_t thread)
{
    const heeding *h = argument;
    const uint32_t record = h->first.records[task];
    const partner *of = h->first.of + task * NEAREST;
    uint32_t seen[NEAREST * NEAREST], count = 0;
    akin_status status = AKIN_OK;
    h->decoys[task] = -1;
    for (uint32_t i = 0; i < NEAREST && of[i].record != NONE; i++) {
        const partner *others = h->second.of + (uint64_t)h->second.slots[of[i].record] * NEAREST;
        for (uint32_t k = 0; k < NEAREST && others[k].record != NONE && status == AKIN_OK; k++) {
            const uint32_t other = others[k].record;
            double probability = 0;
            uint32_t at = 0;
            while (at < count && seen[at] != other)
                at++;
            if (at < count || other == record)
                continue;
            seen[count++] = other;
            status = akin_training_score(&h->scorers, thread, record, other, &probability);
            if (probability > h->decoys[task])
                h->decoys[task] = probability;
        }
    }
    return status;
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
    for (uint32_t r = begin; r < end && status == AKIN_OK; r += *step)
        add_record(&h->first, r);
    if (status == AKIN_OK)
        status = find_partners(h, &h->first);
    if (status == AKIN_OK)
        status = make_partners(account, records, (uint32_t)akin_min_u64((uint64_t)sampled * NEAREST, rows[1 - side]),
                               &h->second);
    for (uint64_t i = 0; i < (uint64_t)sampled * NEAREST && status == AKIN_OK; i++)
        if (h->first.of[i].record != NONE)
            add_record(&h->second, h->first.of[i].record);
    return status == AKIN_OK ? find_partners(h, &h->second) : status;
}

/* Sorts numbers from 0 on, whose bits are in the order of their values. */
static akin_status sort_probabilities(const akin_training *e, double *values, uint64_t count)
{
    uint64_t *bits = akin_alloc(&e->job->account, count, sizeof *bits);
    if (!bits)
        return AKIN_E_NOMEM;
    memcpy(bits, values, count * sizeof *bits);
    const akin_status status = akin_sort_parallel_u64(e->job->scope, &e->job->account, bits, count);
    memcpy(values, bits, count * sizeof *bits);
    akin_free(bits);
    return status;
}

/* Finds the shares of items by the decoys of one table. */
static akin_status share_by_table(heeding *h, uint32_t side, double *shares)
{
    akin_training *e = h->training;
    akin_account *account = &e->job->account;
    const double own = e->pairs.rows[side], other = e->pairs.rows[1 - side], least = own < other ? own : other;
    uint32_t step;
    uint64_t kept = 0;
    akin_status status = find_neighbours(h, side, &step);
    h->decoys = status == AKIN_OK ? akin_alloc(account, h->first.count, sizeof *h->decoys) : NULL;
    if (status == AKIN_OK && !h->decoys)
        status = AKIN_E_NOMEM;
    if (status == AKIN_OK)
        status = akin_parallel_long(&h->scorers.scope, NULL, h->first.count, find_decoy, h, &e->job->cancelled);
    for (uint32_t i = 0; i < h->first.count && status == AKIN_OK; i++)
        if (h->decoys[i] >= 0)
            h->decoys[kept++] = h->decoys[i];
    if (status == AKIN_OK)
        status = sort_probabilities(e, h->decoys, kept);
    const akin_weighed_decoys decoys = {h->decoys, kept, least, step * least / own};
    if (status == AKIN_OK)
        status = akin_right_share_find(account, h->items, h->item_count, &decoys, shares);
    akin_free(h->decoys);
    h->decoys = NULL;
    clear_partners(&h->first);
    clear_partners(&h->second);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- probabilities */

typedef struct lowering {
    const heeding *heeding;
    double *probabilities;
} lowering;

/* The place behind the items that are as probable, or less. */
static uint64_t find_above(const heeding *h, double probability)
{
    uint64_t low = 0, high = h->item_count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (h->items[middle] <= probability)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* No pair is more probable than the share of the items that are as probable without other pairs. */
static akin_status lower(void *argument, uint64_t task, uint32_t thread)
{
    const lowering *l = argument;
    const heeding *h = l->heeding;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, h->training->pairs.count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const uint64_t above = find_above(h, h->alone[i]), item = above > 0 ? above - 1 : 0;
        const double share = h->shares[0][item] > h->shares[1][item] ? h->shares[0][item] : h->shares[1][item];
        if (l->probabilities[i] > share)
            l->probabilities[i] = share;
    }
    return AKIN_OK;
}

/* Everything is there but what has been found. */
static akin_status heed(heeding *h, const uint64_t *matched, double *probabilities)
{
    const akin_training *e = h->training;
    lowering l = {h, probabilities};
    const uint64_t tasks = akin_ceil_div(e->pairs.count, AKIN_LEVEL_PAIRS);
    akin_status status = akin_parallel(e->job->scope, NULL, tasks, find_alone, h);
    for (uint64_t i = 0; i < h->item_count && status == AKIN_OK; i++)
        h->items[i] = h->alone[matched[i]];
    if (status == AKIN_OK)
        status = sort_probabilities(e, h->items, h->item_count);
    for (uint32_t side = 0; side < 2 && status == AKIN_OK; side++)
        status = share_by_table(h, side, h->shares[side]);
    return status == AKIN_OK ? akin_parallel(e->job->scope, NULL, tasks, lower, &l) : status;
}

akin_status akin_training_heed_decoys(akin_training *training, const uint64_t *matched, uint64_t count,
                                      double *probabilities, akin_error *error)
{
    akin_account *account = &training->job->account;
    if (count == 0)
        return AKIN_OK;
    heeding h = {.training = training,
                 .alone = akin_alloc(account, training->pairs.count, sizeof *h.alone),
                 .items = akin_alloc(account, count, sizeof *h.items),
                 .item_count = count,
                 .shares = {akin_alloc(account, count, sizeof(double)), akin_alloc(account, count, sizeof(double))}};
    akin_status status = akin_training_scorers_make(training, &h.scorers, error);
    if (status == AKIN_OK) {
        const int done = h.alone && h.items && h.shares[0] && h.shares[1];
        status = done ? heed(&h, matched, probabilities) : AKIN_E_NOMEM;
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_training_scorers_clear(&h.scorers);
    akin_free(h.alone);
    akin_free(h.items);
    akin_free(h.shares[0]);
    akin_free(h.shares[1]);
    return status;
}
