/* Cuts a join into shares: its pieces are halved until each is small enough. */
#include "join/shares.h"

#include "base/bits.h"

/* ------------------------------------------------------------------------------------------------------------- views
 */

akin_status akin_share_view_make(const akin_join_job *job, akin_share_view *out, akin_error *error)
{
    out->job = *job;
    return akin_piece_view_make(job, &out->sides, error);
}

void akin_share_view_clear(akin_share_view *view)
{
    akin_piece_view_clear(&view->sides);
}

void akin_share_view_enter(akin_share_view *view, const akin_share *share)
{
    akin_piece_view_enter(&view->sides, &share->piece, &view->job);
}

/* Counts the pairs of a trimmed share. */
static void count_share_pairs(akin_share_view *view, akin_share *share)
{
    akin_share_view_enter(view, share);
    share->pairs = 0;
    for (uint32_t c = 0; c < view->job.probes->classes; c++)
        share->pairs += akin_join_class_pairs(&view->job, c);
}

static uint32_t middle_of_share(void *user, const akin_piece_range *range)
{
    (void)user;
    return akin_piece_place_of(range, 1, 2);
}

uint32_t akin_share_cut(akin_share_view *view, const akin_share *share, akin_share out[3])
{
    akin_piece pieces[3];
    uint32_t count = akin_piece_cut(&share->piece, akin_piece_range_weight, middle_of_share, NULL, pieces), kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (!akin_piece_trim(&view->job.threshold, &pieces[k]))
            continue;
        out[kept].piece = pieces[k];
        count_share_pairs(view, &out[kept]);
        kept += out[kept].pairs > 0;
    }
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

static int share_fits(const cutter *c, const akin_share *share)
{
    const akin_share_bounds *bounds = c->bounds;
    uint64_t tokens = akin_piece_tokens(&share->piece), sets = akin_piece_sets(&share->piece);
    return (!bounds->pairs || share->pairs <= bounds->pairs) && (!bounds->tokens || tokens <= bounds->tokens) &&
           akin_share_bytes(bounds, tokens, sets, share->pairs) <= bounds->bytes;
}

static akin_status append_share(cutter *c, const akin_share *share, akin_error *error)
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

static int trim_share(void *user, akin_piece *piece)
{
    const cutter *c = user;
    return akin_piece_trim(&c->view.job.threshold, piece);
}

/* Keeps a piece that is within the bounds, or that cannot be cut. */
static akin_status keep_share(void *user, const akin_piece *piece, int *taken, akin_error *error)
{
    cutter *c = user;
    akin_share share = {.piece = *piece};
    count_share_pairs(&c->view, &share);
    *taken = share.pairs == 0 || share_fits(c, &share) || akin_piece_is_single(piece);
    return share.pairs > 0 && *taken ? append_share(c, &share, error) : AKIN_OK;
}

static int share_is_before(const akin_share *a, const akin_share *b)
{
    if (a->pairs != b->pairs)
        return a->pairs > b->pairs;
    const akin_piece *x = &a->piece, *y = &b->piece;
    return x->probes.first != y->probes.first ? x->probes.first < y->probes.first : x->indexed.first < y->indexed.first;
}

/* Heap sort: it needs no memory, and there are thousands at most, as a rule. */
static void sort_shares(akin_share *list, uint32_t count)
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
            if (child + 1 < end && share_is_before(&list[child], &list[child + 1]))
                child++;
            if (!share_is_before(&list[at], &list[child]))
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
    const akin_piece_policy policy = {akin_piece_range_weight, middle_of_share, trim_share, keep_share, &c};
    *out = (akin_shares){.list = NULL};
    akin_status status = akin_share_view_make(job, &c.view, error);
    if (status == AKIN_OK)
        status = akin_pieces_walk(&policy, akin_piece_whole(job), error);
    akin_share_view_clear(&c.view);
    if (status == AKIN_OK)
        sort_shares(out->list, out->count);
    else
        akin_shares_clear(out);
    return status;
}

void akin_shares_clear(akin_shares *shares)
{
    akin_free(shares->list);
    *shares = (akin_shares){.list = NULL};
}
