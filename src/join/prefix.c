/* Builds prefix indexes: one pass counts the postings of every token, one puts them into place. */
#include "join/prefix.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

uint32_t akin_prefix_length(const akin_join_job *job, uint32_t size, akin_prefix_side side)
{
    const akin_threshold threshold =
        side == AKIN_PREFIX_INDEXED ? akin_threshold_turn(&job->threshold) : job->threshold;
    uint64_t least = akin_threshold_smallest(&threshold, size);
    if (least > size)
        return 0;
    uint64_t partner = side == AKIN_PREFIX_INDEXED && job->same ? size : least;
    uint64_t need = akin_threshold_overlap(&threshold, size, partner);
    return need > size ? 0 : (uint32_t)(size - need + 1);
}

/* ------------------------------------------------------------------------------------------------------------- room
 */

/* Arrays begin at multiples of that many bytes, as those of the heap do. */
#define ALIGNED 64

static uint64_t aligned_bytes(uint64_t count, size_t size)
{
    return akin_ceil_div(count * size, ALIGNED) * ALIGNED;
}

/* Starts have two more: see akin_prefix_build. */
static uint64_t starts_bytes(uint64_t tokens)
{
    return aligned_bytes(tokens + 2, sizeof(uint64_t));
}

static uint64_t postings_bytes(uint64_t postings)
{
    return aligned_bytes(postings, sizeof(uint32_t));
}

uint64_t akin_prefix_bytes(uint64_t tokens, uint64_t postings, int positions)
{
    return starts_bytes(tokens) + (positions ? 2 : 1) * postings_bytes(postings);
}

akin_prefix_index akin_prefix_lend(void *bytes, uint64_t tokens, uint64_t postings, int positions)
{
    char *entries = (char *)bytes + starts_bytes(tokens);
    return (akin_prefix_index){.start = bytes,
                               .entry = (void *)entries,
                               .position = positions ? (void *)(entries + postings_bytes(postings)) : NULL,
                               .start_room = tokens + 2,
                               .entry_room = postings,
                               .is_lent = 1};
}

static int reserve_starts(akin_account *account, akin_prefix_index *index, uint64_t tokens)
{
    if (index->is_lent)
        return index->start_room >= tokens + 2;
    index->start = akin_alloc(account, tokens + 2, sizeof *index->start);
    return index->start != NULL;
}

static int reserve_postings(akin_account *account, akin_prefix_index *index, uint64_t postings, int positions)
{
    if (index->is_lent)
        return index->entry_room >= postings;
    index->entry = akin_alloc(account, postings, sizeof *index->entry);
    index->position = positions ? akin_alloc(account, postings, sizeof *index->position) : NULL;
    return index->entry && (index->position || !positions);
}

/* --------------------------------------------------------------------------------------------------------- building
 */

#define ENTRIES_A_REPORT 65536
#define ENTRIES_A_RANGE  8192  /* fewer are not worth a thread */
#define SAMPLE           16384 /* tokens that ranges are cut by */

/* An index in the making. Each thread has a range of tokens, puts their postings into place, and passes over all
 * others: prefixes are read fast, one after the other, and postings are scattered, which takes the time. */
typedef struct building {
    const akin_join_job *job;
    const akin_ranked *sets;
    const akin_prefix_groups *groups;
    akin_prefix_side side;
    akin_prefix_index index;
    uint64_t *next;     /* of each token of the index the place of its next posting */
    uint32_t *splits;   /* of range r the tokens splits[r] .. splits[r + 1] - 1 */
    uint64_t *postings; /* of each range */
    int fills;          /* postings are put into place; else counted */
    atomic_int cancelled;
} building;

/* A walk over all entries of an index to be: the prefix length of the one at hand. */
typedef struct walk {
    const building *building;
    uint32_t size, length;
} walk;

static inline const uint32_t *walk_postings_to(walk *walk, uint32_t entry)
{
    const building *b = walk->building;
    const uint32_t set = b->groups->first ? b->groups->first[entry] : entry;
    const uint32_t size = akin_ranked_size(b->sets, set);
    if (size != walk->size) {
        walk->size = size;
        walk->length = akin_prefix_length(b->job, size, b->side);
    }
    return b->sets->tokens + b->sets->offsets[set];
}

/* Places of tokens first to last - 1 of a prefix, which ascend. */
static inline void put_postings(building *b, uint32_t entry, const uint32_t *tokens, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        const uint64_t at = b->next[tokens[i] - b->index.first]++;
        b->index.entry[at] = entry;
        if (b->index.position)
            b->index.position[at] = i;
    }
}

/* Counts the postings of a range, or puts them into place. */
static akin_status pass_range(void *argument, uint64_t range, uint32_t thread)
{
    building *b = argument;
    akin_cancellation cancellation = {.scope = b->job->scope, .cancelled = &b->cancelled, .thread = thread};
    const uint32_t begin = b->splits[range], end = b->splits[range + 1];
    walk walk = {.building = b};
    uint64_t postings = 0;
    for (uint32_t entry = 0; entry < b->groups->count; entry++) {
        if (entry % ENTRIES_A_REPORT == 0 && !akin_goes_on(&cancellation))
            return AKIN_E_CANCELLED;
        const uint32_t *tokens = walk_postings_to(&walk, entry);
        uint32_t first = 0, last;
        while (first < walk.length && tokens[first] < begin)
            first++;
        for (last = first; last < walk.length && tokens[last] < end; last++)
            if (!b->fills)
                b->next[tokens[last] - b->index.first + 1]++;
        if (b->fills)
            put_postings(b, entry, tokens, first, last);
        postings += last - first;
    }
    b->postings[range] = postings;
    return AKIN_OK;
}

/* Cuts the tokens into ranges of about as many postings each, by a sample of the entries. */
static void cut_ranges(building *b, uint32_t ranges, uint32_t *sample)
{
    const uint32_t entries = b->groups->count, step = entries / (SAMPLE / 4) + 1;
    walk walk = {.building = b};
    uint32_t count = 0;
    for (uint64_t entry = 0; entry < entries && count < SAMPLE && ranges > 1; entry += step) {
        const uint32_t *tokens = walk_postings_to(&walk, (uint32_t)entry);
        for (uint32_t i = 0; i < walk.length && count < SAMPLE; i++) {
            sample[count] = tokens[i];
            count += tokens[i] >= b->index.first && tokens[i] < b->index.end;
        }
    }
    akin_sort_u32(sample, count);
    /* A token that occurs once leads to no partner, and is left out. */
    b->splits[0] = (uint32_t)akin_min_u64(akin_max_u64(b->sets->once, b->index.first), UINT32_MAX);
    for (uint32_t range = 1; range < ranges; range++)
        b->splits[range] = akin_max_u32(b->splits[0], count > 0 ? sample[(uint64_t)count * range / ranges] : 0);
    b->splits[ranges] = (uint32_t)akin_min_u64(b->index.end, UINT32_MAX);
}

/* Counts the postings, and puts them into place. */
static akin_status pass_twice(building *b, uint32_t ranges, int positions)
{
    const akin_join_job *job = b->job;
    uint64_t total = 0;
    akin_status status = akin_parallel_long(job->scope, NULL, ranges, pass_range, b, &b->cancelled);
    if (status != AKIN_OK)
        return status;
    for (uint32_t range = 0; range < ranges; range++)
        total += b->postings[range];
    for (uint64_t t = 1; t <= b->index.end - b->index.first; t++)
        b->next[t] += b->next[t - 1];
    if (!reserve_postings(job->account, &b->index, total, positions))
        return AKIN_E_NOMEM;
    b->fills = 1;
    return akin_parallel_long(job->scope, NULL, ranges, pass_range, b, &b->cancelled);
}

akin_status akin_prefix_build(const akin_join_job *job, const akin_ranked *sets, akin_prefix_side side,
                              const akin_prefix_groups *groups, int positions, akin_prefix_index *out,
                              akin_error *error)
{
    building b = {.job = job, .sets = sets, .groups = groups, .side = side, .index = *out};
    const uint32_t ranges = (uint32_t)akin_min_u64(akin_scope_threads(job->scope), groups->count / ENTRIES_A_RANGE + 1);
    uint32_t *sample = akin_alloc(job->account, ranges > 1 ? SAMPLE : 1, sizeof *sample);
    b.splits = akin_alloc(job->account, ranges + UINT64_C(1), sizeof *b.splits);
    b.postings = akin_alloc(job->account, ranges, sizeof *b.postings);
    b.index.end = b.index.end ? b.index.end : sets->universe;
    akin_status status = AKIN_E_NOMEM;
    if (sample && b.splits && b.postings && reserve_starts(job->account, &b.index, b.index.end - b.index.first)) {
        /* Counts are kept two places on and starts one place on: filling moves each start to its end, the next one's
         * start. */
        memset(b.index.start, 0, (b.index.end - b.index.first + 2) * sizeof *b.index.start);
        b.next = b.index.start + 1;
        cut_ranges(&b, ranges, sample);
        status = pass_twice(&b, ranges, positions);
    }
    akin_free(sample);
    akin_free(b.splits);
    akin_free(b.postings);
    *out = b.index;
    if (status == AKIN_OK)
        return AKIN_OK;
    akin_prefix_clear(out);
    return akin_fail_stopped(error, status, "the prefix index");
}

void akin_prefix_clear(akin_prefix_index *index)
{
    if (!index->is_lent) {
        akin_free(index->start);
        akin_free(index->entry);
        akin_free(index->position);
    }
    memset(index, 0, sizeof *index);
}
