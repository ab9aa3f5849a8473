/* Chooses the runs whose strings are looked up by segments: from samples it is predicted what each run would take,
 * looked up and screened. */
#include "strings/scan.h"
#include "strings/segment.h"
#include "strings/segments.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

#define SAMPLE       512 /* strings of a run that are drawn, to see which segments they share, */
#define SAMPLE_BAGS  96  /* and which pairs of them bags leave */
#define PIECES_MOST  256
#define APART_MOST   512
#define RUN_LEAST    64     /* strings, from which on a table may be worth it */
#define SECONDS_SEEK 8e-9   /* to look a segment up, */
#define SECONDS_HIT  1.2e-8 /* to do with what has it, beside comparing, */
#define SECONDS_MADE 2.5e-8 /* and to put a segment into a table */
#define HITS_LEAST   64     /* entries of a table that are looked at for a probe */

/* Seconds to screen a string, and to compare one that is left, for each symbol and word of 64 bits, by SIMD level.
 * Measured with bench/strings_bench on titles, as the others are. Those of NEON are guesses: its registers have half
 * the width of AVX2's, and nobody has measured it. */
static const double seconds_seen[] = AKIN_CPU_ROW(6e-9, 1.1e-9, 5.5e-10, 2e-10);
static const double seconds_compared[] = AKIN_CPU_ROW(4e-9, 2.5e-9, 1.5e-9, 7e-10);

typedef struct choice {
    akin_segments *segments;
    const akin_strings_batch *probes;
    double *seconds, *screened; /* of each run, as is best, and if it is screened */
    int same;
    double seen, compared; /* as below */
    akin_segments_wish wish;
} choice;

/* The pairs of two strings of a sample that have segment i in common, as a share of all. */
static double shared(const akin_strings_batch *batch, uint32_t run, uint32_t pieces, uint32_t i)
{
    uint64_t hashes[SAMPLE], same = 0;
    uint32_t of = batch->starts[run + 1] - batch->starts[run], count = of < SAMPLE ? of : SAMPLE, begin, size;
    akin_segment_of(batch->lengths[run], pieces, i, &begin, &size);
    for (uint32_t k = 0; k < count; k++) {
        akin_symbols s = akin_strings_batch_at(batch, run, batch->starts[run] + (uint32_t)((uint64_t)k * of / count));
        hashes[k] = akin_segment_hash(&s, begin, size, i);
    }
    akin_sort_u64(hashes, count);
    for (uint32_t k = 0, first = 0; k < count; k++) {
        first = hashes[k] == hashes[first] ? first : k;
        same += k - first;
    }
    return 2.0 * (double)same / ((double)count * (count - 1));
}

/* Of the pairs of two strings of a run those whose bags and counts are no further apart than each number of symbols. */
static void measure_bags(const akin_strings_batch *batch, uint32_t run, double below[APART_MOST + 1])
{
    uint32_t first = batch->starts[run], of = batch->starts[run + 1] - first;
    uint32_t count = of < SAMPLE_BAGS ? of : SAMPLE_BAGS;
    const akin_counts *counts = akin_strings_batch_counts(batch, first);
    memset(below, 0, (APART_MOST + 1) * sizeof *below);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a; b++) {
            uint32_t x = (uint32_t)((uint64_t)a * of / count), y = (uint32_t)((uint64_t)b * of / count);
            akin_bag bag_x = akin_strings_batch_bag(batch, first + x), bag_y = akin_strings_batch_bag(batch, first + y);
            uint32_t apart = akin_bag_apart(&bag_x, &bag_y);
            if (counts)
                apart = akin_max_u32(apart, akin_counts_apart(&counts[x], &counts[y]));
            below[apart < APART_MOST ? apart : APART_MOST] += 2.0 / ((double)count * (count - 1));
        }
    for (uint32_t apart = 1; apart <= APART_MOST; apart++)
        below[apart] += below[apart - 1];
}

/* The probes that may be similar to the strings of a run. */
typedef struct meeting {
    double probes;    /* how many */
    double compared;  /* pairs that bags are expected to leave, for each string of the run */
    double sought;    /* probes, each by the share of places at which it looks segments up, of those of one as long */
    uint64_t touched; /* the most segments that edits which turn a probe into such a string touch */
} meeting;

/* The probe's lengths lie around that of the run. */
static meeting meeting_of(const choice *c, uint32_t run, const double below[APART_MOST + 1])
{
    const akin_cutoff *cutoff = c->segments->cutoff;
    const akin_strings_batch *probes = c->probes;
    uint32_t length = c->segments->batch->lengths[run], p;
    meeting m = {.probes = 0};
    p = c->same ? run + 1 : (uint32_t)akin_lower_bound_u32(probes->lengths, probes->runs, (uint64_t)length + 1);
    while (!c->same && p < probes->runs && akin_cutoff_permits(cutoff, probes->lengths[p], length))
        p++;
    while (p-- > 0 && (probes->lengths[p] > length || akin_cutoff_permits(cutoff, probes->lengths[p], length))) {
        double of = (c->same && p == run ? 0.5 : 1) * (probes->starts[p + 1] - probes->starts[p]);
        double longer = fabs((double)probes->lengths[p] - length);
        /* what one string is longer by it has beyond the other, too */
        double apart = (double)akin_scan_limits_of(cutoff, probes->lengths[p], length, 0).apart[0] - longer;
        m.probes += of;
        m.compared += apart >= 0 ? of * below[apart < APART_MOST ? (uint32_t)apart : APART_MOST] : 0;
        if (cutoff->is_jaro)
            continue;
        double edits = akin_cutoff_edits(cutoff, probes->lengths[p], length);
        m.sought += of * ((edits * edits - longer * longer) / 2 + edits + 1) / (edits * edits / 2 + edits + 1);
        m.touched = akin_max_u64(m.touched, akin_segments_touched(cutoff, (uint32_t)edits));
    }
    return m;
}

/* Seconds to look up a probe as long as the strings of a run, if comparing it with one that is found takes `compared`.
 * More seconds than `most` are of no interest. */
static double seconds_to_seek(const choice *c, uint32_t run, uint32_t pieces, double compared, double most)
{
    const akin_segments *s = c->segments;
    const akin_strings_batch *batch = s->batch;
    uint32_t edits = akin_cutoff_edits(s->cutoff, batch->lengths[run], batch->lengths[run]);
    double strings = batch->starts[run + 1] - batch->starts[run], seconds = 0;
    for (uint32_t i = 0; i < pieces && seconds < most; i++) {
        int64_t low, high;
        /* a segment is found where it stood, and elsewhere more seldom, but that is not counted on */
        if (akin_segment_window(s->cutoff, i, edits, 0, &low, &high))
            seconds += (double)(high - low + 1) *
                       (SECONDS_SEEK + strings * shared(batch, run, pieces, i) * (SECONDS_HIT + compared));
    }
    return seconds;
}

/* Sees what a run would take in both ways. */
static akin_status choose_run(void *argument, uint64_t task, uint32_t thread)
{
    choice *c = argument;
    akin_segments *s = c->segments;
    const akin_strings_batch *batch = s->batch;
    uint32_t run = (uint32_t)task, length = batch->lengths[run];
    double strings = batch->starts[run + 1] - batch->starts[run], below[APART_MOST + 1];
    measure_bags(batch, run, below);
    meeting m = meeting_of(c, run, below);
    (void)thread;
    if (m.probes <= 0)
        return AKIN_OK;
    /* of each pair: to compare it if bags leave it */
    uint32_t words = length / 64 + 1;
    double compared = m.compared / m.probes * length * words * c->compared;
    c->screened[run] = c->seconds[run] = m.probes * strings * (c->seen + compared);
    if (s->cutoff->is_jaro || c->wish == AKIN_SEGMENTS_NONE || strings < 2 || m.touched >= PIECES_MOST ||
        m.touched >= length)
        return AKIN_OK;
    uint32_t pieces = (uint32_t)m.touched + 1;
    double made = strings * pieces * SECONDS_MADE, most = strings * (c->seen + compared) / (SECONDS_HIT + compared);
    s->runs[run].most = (uint32_t)most + HITS_LEAST;
    if (c->wish == AKIN_SEGMENTS_WORTH &&
        (strings < RUN_LEAST || made + m.sought * pieces * SECONDS_SEEK > c->seconds[run]))
        return AKIN_OK;
    double seconds = made + m.sought * seconds_to_seek(c, run, pieces, compared, c->seconds[run] / m.sought);
    if (seconds < c->seconds[run] || c->wish == AKIN_SEGMENTS_ALL)
        s->runs[run].count = pieces;
    if (seconds < c->seconds[run])
        c->seconds[run] = seconds;
    return AKIN_OK;
}

/* Takes back the choice of runs whose tables would be too large. */
static void trim_choice(choice *c)
{
    akin_segments *s = c->segments;
    const akin_account *account = s->account;
    uint64_t left = akin_budget_left(account, 0, AKIN_LEFT_SEGMENTS);
    for (uint32_t run = 0; run < s->batch->runs; run++) {
        akin_segments_run *table = &s->runs[run];
        uint64_t entries = (uint64_t)(s->batch->starts[run + 1] - s->batch->starts[run]) * table->count;
        uint64_t bytes = entries * sizeof *table->entries + (sizeof *table->starts << akin_segments_bits(entries));
        if (entries >= UINT32_MAX || (account->limit && bytes > left)) {
            table->count = 0;
            c->seconds[run] = c->screened[run];
        } else if (account->limit) {
            left -= bytes;
        }
    }
}

akin_status akin_segments_choose(const akin_scope *scope, akin_account *account, const akin_cutoff *cutoff,
                                 const akin_strings_batch *probes, const akin_strings_batch *batch, int same,
                                 akin_segments_wish wish, akin_segments *out, akin_error *error)
{
    *out = (akin_segments){.account = account, .cutoff = cutoff, .batch = batch};
    choice c = {.segments = out,
                .probes = probes,
                .same = same,
                .seen = seconds_seen[scope->cpu],
                .compared = seconds_compared[scope->cpu],
                .wish = wish};
    c.seconds = akin_alloc_zero(account, 2 * (uint64_t)batch->runs, sizeof *c.seconds);
    c.screened = c.seconds ? c.seconds + batch->runs : NULL;
    out->runs = akin_alloc_zero(account, batch->runs, sizeof *out->runs);
    akin_status status = c.seconds && out->runs ? AKIN_OK : akin_fail_memory(error, "the segments of strings");
    if (status == AKIN_OK) {
        status = akin_parallel(scope, NULL, batch->runs, choose_run, &c);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "comparing strings");
    }
    if (status == AKIN_OK)
        trim_choice(&c);
    for (uint32_t run = 0; run < batch->runs && status == AKIN_OK; run++) {
        out->seconds += c.seconds[run];
        out->seconds_screened += c.screened[run];
    }
    akin_free(c.seconds);
    return status;
}
