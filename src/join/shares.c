/* Cuts a join into shares: ranges of sets sorted by size, halved until each is small enough. */
#include "join/shares.h"

#include "base/bits.h"

/* ------------------------------------------------------------------------------------------------------------- views
 */

akin_status akin_share_view_make(const akin_join_job *job, akin_share_view *out, akin_error *error)
{
    *out = (akin_share_view){.job = *job, .probes = job->probes, .indexed = job->indexed};
    out->class_first[0] = akin_alloc(job->account, (uint64_t)job->probes->classes + 1, sizeof(uint32_t));
    out->class_first[1] = akin_alloc(job->account, (uint64_t)job->indexed->classes + 1, sizeof(uint32_t));
    if (!out->class_first[0] || !out->class_first[1])
        return akin_fail_memory(error, "the shares of the join");
    return AKIN_OK;
}

void akin_share_view_clear(akin_share_view *view)
{
    akin_free(view->class_first[0]);
    akin_free(view->class_first[1]);
}

void akin_share_view_enter(akin_share_view *view, const akin_share *share)
{
    view->views[0] = akin_ranked_range(view->probes, share->probes, share->probes_end, view->class_first[0]);
    if (!share->self)
        view->views[1] = akin_ranked_range(view->indexed, share->indexed, share->indexed_end, view->class_first[1]);
    view->job.self = share->self;
    view->job.probes = &view->views[0];
    view->job.indexed = &view->views[share->self ? 0 : 1];
}

/* Counts the pairs of a share whose ranges are not empty. */
static void count_pairs(akin_share_view *view, akin_share *share)
{
    akin_share_view_enter(view, share);
    share->pairs = 0;
    for (uint32_t c = 0; c < view->job.probes->classes; c++)
        share->pairs += akin_join_class_pairs(&view->job, c);
}

/* ----------------------------------------------------------------------------------------------------------- cutting
 */

/* Of sets [*first, *end) of a side, those whose sizes sets [other_first, other_end) of the other side permit. */
static void trim(const akin_threshold *threshold, const akin_ranked *side, uint32_t *first, uint32_t *end,
                 const akin_ranked *other, uint32_t other_first, uint32_t other_end)
{
    uint64_t least, most;
    if (*first >= *end || other_first >= other_end)
        return;
    akin_threshold_partners(threshold, akin_ranked_size(other, other_first), akin_ranked_size(other, other_end - 1),
                            &least, &most);
    uint32_t low = akin_ranked_first(side, least), high = akin_ranked_first(side, most + 1);
    *first = low > *first ? low : *first;
    *end = high < *end ? high : *end;
}

/* Trims a share, counts its pairs, and tells whether it has any. */
static int settle(akin_share_view *view, akin_share *share)
{
    const akin_threshold *threshold = &view->job.threshold, turned = akin_threshold_turn(threshold);
    if (!share->self) {
        trim(threshold, view->indexed, &share->indexed, &share->indexed_end, view->probes, share->probes,
             share->probes_end);
        trim(&turned, view->probes, &share->probes, &share->probes_end, view->indexed, share->indexed,
             share->indexed_end);
    }
    share->pairs = 0;
    if (share->probes < share->probes_end && share->indexed < share->indexed_end)
        count_pairs(view, share);
    return share->pairs > 0;
}

akin_share akin_share_whole(akin_share_view *view)
{
    akin_share whole = {
        .probes_end = view->probes->count, .indexed_end = view->indexed->count, .self = view->probes == view->indexed};
    (void)settle(view, &whole);
    return whole;
}

/* What sets [first, end) weigh when they are cut. */
static uint64_t weight(const akin_ranked *side, uint32_t first, uint32_t end)
{
    return side->offsets[end] - side->offsets[first] + (uint64_t)3 * (end - first);
}

/* Where to cut sets [first, end), of which there are several: in the middle of their weight. */
static uint32_t middle_of(const akin_ranked *side, uint32_t first, uint32_t end)
{
    uint64_t half = weight(side, first, end) / 2;
    uint32_t low = first + 1, high = end - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (weight(side, first, middle) < half)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t akin_share_cut(akin_share_view *view, const akin_share *share, akin_share out[3])
{
    uint32_t probes = share->probes_end - share->probes, indexed = share->indexed_end - share->indexed, count = 2;
    int cut_probes = indexed == 1 || (probes > 1 && weight(view->probes, share->probes, share->probes_end) >=
                                                        weight(view->indexed, share->indexed, share->indexed_end));
    if (probes == 1 && indexed == 1)
        return 0;
    out[0] = out[1] = *share;
    if (cut_probes || share->self)
        out[0].probes_end = out[1].probes = middle_of(view->probes, share->probes, share->probes_end);
    if (!cut_probes || share->self)
        out[0].indexed_end = out[1].indexed = middle_of(view->indexed, share->indexed, share->indexed_end);
    if (share->self) {
        out[2] = (akin_share){out[1].probes, out[1].probes_end, out[0].probes, out[0].probes_end, 0, 0};
        count = 3;
    }
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++)
        if (settle(view, &out[k]))
            out[kept++] = out[k];
    return kept;
}

/* ------------------------------------------------------------------------------------------------------ all of them
 */

typedef struct cutter {
    akin_share_view view;
    const akin_share_bounds *bounds;
    akin_shares *out;
} cutter;

double akin_share_bytes(const akin_share_bounds *bounds, uint64_t tokens, uint64_t sets, uint64_t pairs)
{
    return bounds->fixed + bounds->a_token * (double)tokens + bounds->a_set * (double)sets +
           bounds->a_pair * (double)pairs;
}

static int is_small(const cutter *c, const akin_share *share)
{
    const akin_share_bounds *bounds = c->bounds;
    const akin_ranked *probes = c->view.probes, *indexed = c->view.indexed;
    uint64_t sets = share->probes_end - share->probes;
    uint64_t tokens = probes->offsets[share->probes_end] - probes->offsets[share->probes];
    if (!share->self) {
        sets += share->indexed_end - share->indexed;
        tokens += indexed->offsets[share->indexed_end] - indexed->offsets[share->indexed];
    }
    return (!bounds->pairs || share->pairs <= bounds->pairs) && (!bounds->tokens || tokens <= bounds->tokens) &&
           akin_share_bytes(bounds, tokens, sets, share->pairs) <= bounds->bytes;
}

static akin_status append(cutter *c, const akin_share *share, akin_error *error)
{
    akin_shares *out = c->out;
    if (out->count == out->room) {
        uint32_t room = 2 * out->room + 16;
        akin_share *larger =
            room > out->room ? akin_resize(c->view.job.account, out->list, room, sizeof *larger) : NULL;
        if (!larger)
            return akin_fail_memory(error, "the shares of the join");
        out->list = larger;
        out->room = room;
    }
    out->list[out->count++] = *share;
    out->pairs += share->pairs;
    return AKIN_OK;
}

/* The depth is that of halving both sides: 64 at most. */
static akin_status cut(cutter *c, const akin_share *share, akin_error *error)
{
    akin_share pieces[3];
    uint32_t count = is_small(c, share) ? 0 : akin_share_cut(&c->view, share, pieces);
    if (count == 0)
        return append(c, share, error);
    akin_status status = AKIN_OK;
    for (uint32_t k = 0; k < count && status == AKIN_OK; k++)
        status = cut(c, &pieces[k], error);
    return status;
}

static int is_before(const akin_share *a, const akin_share *b)
{
    if (a->pairs != b->pairs)
        return a->pairs > b->pairs;
    return a->probes != b->probes ? a->probes < b->probes : a->indexed < b->indexed;
}

/* Heap sort: it needs no memory, and there are thousands at most, as a rule. */
static void sort(akin_share *list, uint32_t count)
{
    for (uint64_t step = 0; step < (uint64_t)count + count / 2; step++) {
        uint64_t end = count, at = count / 2 - 1 - step;
        if (step >= count / 2) { /* it is a heap: the last one goes to the end */
            end = count - 1 - (step - count / 2);
            at = 0;
            akin_share last = list[0];
            list[0] = list[end];
            list[end] = last;
        }
        for (uint64_t child = 2 * at + 1; child < end; at = child, child = 2 * at + 1) {
            if (child + 1 < end && is_before(&list[child], &list[child + 1]))
                child++;
            if (!is_before(&list[at], &list[child]))
                break;
            akin_share moved = list[at];
            list[at] = list[child];
            list[child] = moved;
        }
    }
}

akin_status akin_shares_make(const akin_join_job *job, const akin_share_bounds *bounds, akin_shares *out,
                             akin_error *error)
{
    cutter c = {.bounds = bounds, .out = out};
    *out = (akin_shares){.list = NULL};
    akin_status status = akin_share_view_make(job, &c.view, error);
    if (status == AKIN_OK) {
        akin_share whole = akin_share_whole(&c.view);
        if (whole.pairs > 0)
            status = cut(&c, &whole, error);
    }
    akin_share_view_clear(&c.view);
    if (status == AKIN_OK)
        sort(out->list, out->count);
    else
        akin_shares_clear(out);
    return status;
}

void akin_shares_clear(akin_shares *shares)
{
    akin_free(shares->list);
    *shares = (akin_shares){.list = NULL};
}
