/*
 * The joins against the oracle: random collections of many shapes, and on each of them joins of every kind. What
 * differs from case to case is drawn from a seed; a case that fails is printed with what runs it alone.
 *
 *     AKIN_PROPERTY_SEED        the seed, 1 if not given
 *     AKIN_PROPERTY_ROUNDS      how often all shapes are made anew, 1 if not given
 *     AKIN_PROPERTY_COLLECTION  run this collection only
 *     AKIN_PROPERTY_CASE        run this case of it only
 *     AKIN_PROPERTY_STEP        run one case in this number, 1 if not given; where joins are slow, as under a sanitizer
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "annex.h"
#include "base/context.h"
#include "device/backend.h"
#include "device/devices.h"
#include "join/price.h"
#include "join/technique_rows.h"
#include "papers/join/sharings.h"
#include "papers/join/techniques.h"
#ifndef PROPERTY_DEVICE
#include "gpu/host_gpu.h"
#include "property/host_device.h"
#endif
#include "property/setting.h"
#include "property/oracle.h"
#include "property/shapes.h"
#include "sets/measure.h"
#include "sets/sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static akin_wishes wishes; /* of the tests below */

#define CASES 10 /* drawn for a collection on which not every combination is tried */
#define ALL   UINT64_MAX

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const uint32_t thread_counts[] = {1, 2, 5};

/* ------------------------------------------------------------------------------------------------- what is tried */

/* Where joins are done. */
typedef struct place {
    const char *name;
    const akin_device_backend *backend; /* a GPU that the host plays; NULL: there is none, or a real one */
    const char *device;
    uint64_t candidates;      /* that a GPU keeps at once; 0: as usual */
    unsigned capability;      /* the techniques that are tried have it, */
    akin_technique technique; /* or it is this one */
    uint32_t least_bits;
    uint32_t gpu; /* the join is done on a GPU */
} place;

#ifdef PROPERTY_DEVICE
static const place places[] = {
    {"a GPU", NULL, PROPERTY_DEVICE, 0, AKIN_ON_GPU, AKIN_AUTO, 256, 1},
};
#define ON_GPU 1 /* on a real one */
#else
static const place places[] = {
    {"the CPU", NULL, "cpu", 0, AKIN_ON_CPU, AKIN_AUTO, 64, 0},
    {"hybrid, on a GPU that the host plays", &host_gpu_backend, "auto", 1000, 0, AKIN_HYBRID, 64, 1},
    {"prefix, on a GPU that the host plays", &host_backend, "cuda", 0, 0, AKIN_PREFIX, 256, 1},
    {"tensor, on a GPU that the host plays", &host_backend, "cuda", 1000, 0, AKIN_TENSOR, 256, 1},
};
#define ON_GPU 0
#endif

static const place *place_at = places; /* of the joins at hand */

typedef struct trial {
    akin_join_options options;
    akin_papers_join_options papers;
    uint32_t threads;
    akin_cpu cpu;
    int self;
    int keep;             /* with a sink, not only counted */
    uint64_t part_tokens; /* with a memory bound, and in parts of this many tokens; 0: without */
    int parts_anew;       /* the sets of a part are ranked anew */
    uint64_t pairs_a_run, runs_a_merge;
    uint64_t block_postings; /* of a block of tokens; 0: of all */
    int cut_all;             /* bucket by bucket, wherever it can be cut */
    uint64_t candidates;     /* that a GPU keeps at once, if that is less than usual */
    const char *device;
    uint64_t device_memory; /* MiB of a GPU's; 0: what is free */
    uint64_t share_tokens;  /* of a share of a GPU's; 0: as memory permits */
    int share_all;          /* GPUs share however short it is */
    int either;             /* the CPU may do it, too, and parts of it: */
    double start;           /* the seconds that a GPU is said to take for a part, and for nothing else */
    int kernel;             /* of the tensor join; 0: the best */
} trial;

/* Joins that were done on both. */
static uint64_t on_both;

/* Two collections and all that the oracle says of their pairs. */
typedef struct subject {
    uint64_t seed;
    uint64_t number; /* of the collection */
    const shape *shape;
    rows rows[2];
    akin_sets *sets[2];
    oracle_pairs self, both;
    uint64_t universe[2]; /* distinct tokens of the left collection, and of both */
} subject;

static int compare_tokens(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint64_t count_tokens(const rows *rows)
{
    return rows->count ? rows->offsets[rows->count] : 0;
}

static uint64_t count_distinct(const rows *left, const rows *right)
{
    uint64_t a = count_tokens(left), b = right ? count_tokens(right) : 0, distinct = 0;
    uint32_t *tokens = malloc((size_t)(a + b + 1) * sizeof *tokens);
    assert_non_null(tokens);
    if (a)
        memcpy(tokens, left->tokens, a * sizeof *tokens);
    if (b)
        memcpy(tokens + a, right->tokens, b * sizeof *tokens);
    qsort(tokens, a + b, sizeof *tokens, compare_tokens);
    for (uint64_t i = 0; i < a + b; i++)
        distinct += i == 0 || tokens[i] != tokens[i - 1];
    free(tokens);
    return distinct;
}

static void subject_make(subject *s, uint64_t seed, uint64_t number)
{
    akin_random random;
    akin_random_seed(&random, seed * 1000003 + number);
    *s = (subject){.seed = seed, .number = number, .shape = &shapes[number]};
    shape_make(s->shape, &random, &s->rows[0], &s->rows[1]);
    for (int side = 0; side < 2; side++)
        s->sets[side] = rows_to_sets(&s->rows[side]);
    s->self = oracle_compare(&s->rows[0], NULL);
    s->both = oracle_compare(&s->rows[0], &s->rows[1]);
    s->universe[0] = count_distinct(&s->rows[0], NULL);
    s->universe[1] = count_distinct(&s->rows[0], &s->rows[1]);
}

static void subject_clear(subject *s)
{
    for (int side = 0; side < 2; side++) {
        rows_clear(&s->rows[side]);
        akin_sets_free(s->sets[side]);
    }
    oracle_clear(&s->self);
    oracle_clear(&s->both);
}

/* ---------------------------------------------------------------------------------------------- drawing a trial */

static uint32_t below(akin_random *random, uint64_t bound)
{
    return (uint32_t)akin_random_below(random, bound);
}

static akin_ratio common_ratio(akin_random *random)
{
    static const akin_ratio ratios[] = {
        {1, 1},
        {10, 10},
        {8, 10},
        {65, 100},
        {9, 10},
        {95, 100},
        {99, 100},
        {7, 10},
        {1, 2},
        {3, 4},
        {333333333, 1000000000},
        {666666667, 1000000000},
        {999999999, 1000000000},
        {1, 3},
        {2, 3},
        {17, 33},
        {1, 10},
        {1, 1000},
        {1, 1000000000},
    };
    return ratios[below(random, COUNT_OF(ratios))];
}

/* The similarity that a pair of the collection has, so that the pair is exactly on the threshold; or for cosine,
 * which may be irrational, the closest number of 9 digits to either side. */
static akin_ratio ratio_of_pair(akin_random *random, const subject *s, int self, akin_measure measure)
{
    const oracle_pairs *all = self ? &s->self : &s->both;
    for (int tries = 0; all->count && tries < 20; tries++) {
        const akin_pair *pair = &all->pairs[akin_random_below(random, all->count)];
        uint32_t sizes = rows_size(&s->rows[0], pair->left), n = pair->overlap;
        uint32_t other = rows_size(&s->rows[self ? 0 : 1], pair->right);
        if (n == 0)
            continue;
        akin_ratio exact = oracle_value(measure, sizes, other, n);
        if (exact.den > 0)
            return exact;
        uint32_t nearly = (uint32_t)(n / sqrt((double)sizes * other) * 1e9) + below(random, 2);
        return (akin_ratio){nearly > 1000000000 ? 1000000000 : nearly, 1000000000};
    }
    return measure == AKIN_OVERLAP ? (akin_ratio){1, 1} : common_ratio(random);
}

static int is_directed(akin_measure measure)
{
    const akin_choice *row = akin_choice_of(&akin_measures, (int)measure);
    return row && (row->capabilities & AKIN_IS_DIRECTED);
}

/* One of the measures that the table has for the sides. */
static akin_measure draw_measure(akin_random *random, int self)
{
    const akin_choice *row;
    do
        row = akin_choice_at(&akin_measures, below(random, akin_measures.count));
    while (!row || !(row->capabilities & AKIN_FOR_JOIN) || (self && is_directed((akin_measure)row->value)));
    return (akin_measure)row->value;
}

static akin_ratio draw_ratio(akin_random *random, const subject *s, int self, akin_measure measure)
{
    static const uint32_t overlaps[] = {1, 1, 2, 3, 5, 10, 20, 300, 1000000000};
    if (below(random, 2))
        return ratio_of_pair(random, s, self, measure);
    if (measure == AKIN_OVERLAP)
        return (akin_ratio){overlaps[below(random, COUNT_OF(overlaps))], 1};
    return common_ratio(random);
}

static unsigned capabilities_of(akin_technique technique)
{
    static akin_context context;
    context.annex = akin_papers();
    const akin_technique_row *row = (ON_GPU ? akin_technique_on_gpu : akin_technique_of)(context.annex, technique);
    return row ? row->choice.capabilities : 0;
}

/* What finds the candidates of another technique: one of the table, or AKIN_AUTO. */
static akin_technique draw_filter(akin_random *random)
{
    const akin_choice *row;
    do
        row = akin_choice_at(&akin_join_techniques, below(random, akin_join_techniques.count));
    while (!row || !(row->capabilities & (AKIN_IS_FILTER | AKIN_IS_DEFAULT)));
    return (akin_technique)row->value;
}

/* Signatures are as wide as the technique has them, and blocks a small part of the sets: each pair of blocks takes its
 * time. */
static void draw_sizes(akin_random *random, const subject *s, akin_join_options *options,
                       akin_papers_join_options *papers)
{
    *papers = (akin_papers_join_options)AKIN_PAPERS_JOIN_OPTIONS_INIT;
    const akin_technique technique = options->technique;
    const unsigned takes = capabilities_of(technique);
    uint32_t least = technique == AKIN_BITMAP ? 64 : place_at->least_bits;
    if (takes & AKIN_TAKES_BITS) {
        options->bits = below(random, 3) ? least << below(random, 6) : 0;
        options->bits = options->bits > 2048 ? 2048 : options->bits;
    }
    if (ON_GPU && (takes & AKIN_TAKES_BLOCK))
        papers->block = below(random, 4) ? 1 + s->rows[0].count / 12 + below(random, s->rows[0].count / 4 + 2) : 0;
    if (takes & AKIN_TAKES_FILTER)
        papers->filter = draw_filter(random);
    if ((takes & AKIN_TAKES_SHARING) && (ON_GPU || !(takes & AKIN_ON_CPU)))
        papers->sharing =
            (akin_sharing)akin_choice_at(&akin_papers_sharings, below(random, akin_papers_sharings.count))->value;
}

static int is_cut(akin_technique technique)
{
    return technique == AKIN_AUTO || technique == AKIN_TENSOR || technique == AKIN_PREFIX;
}

/* What is cut where it does not fit a GPU, or where several share it, or the CPU with one. */
static void draw_devices(akin_random *random, const subject *s, trial *t)
{
    static const uint64_t limits[] = {64, 63, 16, 7};
    t->device = place_at->device;
    if (!ON_GPU || !is_cut(t->options.technique))
        return;
    uint64_t tokens = s->sets[0]->offsets[s->sets[0]->rows];
    if (below(random, 3) == 0 &&
        t->options.technique != AKIN_PREFIX) /* whose lists take 8 bytes a token, wherever it is cut */
        t->device_memory = limits[below(random, COUNT_OF(limits))];
    if (below(random, 2) == 0)
        t->share_tokens = 1 + tokens / (1 + below(random, 8));
    t->share_all = below(random, 4) == 0;
    uint32_t choice = below(random, 3);
    if (choice > 0)
        t->device = choice == 2 && akin_device_find().devices > 1 ? "cuda:0,1" : "cuda:all";
}

static int is_tried(const akin_choice *row)
{
    if (place_at->technique != AKIN_AUTO)
        return row->value == (int)place_at->technique;
    return ((ON_GPU ? capabilities_of((akin_technique)row->value) : row->capabilities) & place_at->capability) != 0;
}

/* Technique `index` of those that are tried, from 0 on; NULL: there is none. */
static const akin_choice *technique_at(uint64_t index)
{
    const akin_choice *row;
    for (uint32_t i = 0; (row = choice_of_both("techniques", i)); i++)
        if (is_tried(row) && index-- == 0)
            break;
    return row;
}

/* How many there are: one at least. */
static uint64_t count_techniques(void)
{
    uint64_t count = 1;
    while (technique_at(count))
        count++;
    return count;
}

/* Trial number `number` of a collection: on small ones every technique, level and number of threads comes up, and the
 * rest is drawn; on others all is drawn. */
static trial draw_trial(const subject *s, uint64_t number)
{
    akin_random random;
    trial t = {.options = AKIN_JOIN_OPTIONS_INIT};
    akin_random_seed(&random, (s->seed * 1009 + s->number) * 100003 + number);
    uint32_t levels = (uint32_t)akin_cpu_detect() + 1;
    uint64_t code = s->shape->every ? number : akin_random_next(&random) >> 8;
    const uint64_t count = count_techniques();
    t.options.technique = (akin_technique)technique_at(code % count)->value;
    code /= count;
    t.cpu = (akin_cpu)(code % levels);
    t.threads = thread_counts[code / levels % COUNT_OF(thread_counts)];
    t.self = below(&random, 2) == 0;
    t.keep = below(&random, 4) != 0;
    t.options.measure = draw_measure(&random, t.self);
    t.options.threshold = draw_ratio(&random, s, t.self, t.options.measure);
    draw_sizes(&random, s, &t.options, &t.papers);
    t.candidates = below(&random, 3) ? place_at->candidates : s->shape->every ? 1 : 1000;
    t.kernel = ON_GPU ? (int)below(&random, 4) : 0;
    if (below(&random, 12) == 0) {
        static const uint64_t parts[] = {1, 7, 5, 3}; /* a share of the tokens, but the first */
        uint64_t tokens = s->sets[0]->offsets[s->sets[0]->rows] + 1, many = parts[below(&random, 4)];
        int few = s->rows[0].count <= 30 && s->rows[1].count <= 30;
        t.part_tokens = many > 1 ? 1 + tokens / many : few ? 1 : tokens;
        t.pairs_a_run = 1 + below(&random, below(&random, 2) ? 10 : 1000);
        t.runs_a_merge = 2 + below(&random, 5);
        t.parts_anew = below(&random, 3) == 0;
    } else {
        t.cut_all = below(&random, 4) == 0;
    }
    t.options.any_order = below(&random, 6) == 0;
    t.block_postings = below(&random, 4) ? 0 : 1 + below(&random, below(&random, 2) ? 10 : 1000);
    draw_devices(&random, s, &t);
    if (ON_GPU && t.options.technique == AKIN_AUTO && strcmp(t.device, place_at->device) == 0 && below(&random, 3)) {
        static const double starts[] = {0, 3e-6, 1e-5, 3e-5, 1e-4};
        t.either = 1;
        t.start = starts[below(&random, COUNT_OF(starts))];
        t.cut_all = !t.part_tokens && below(&random, 4);
    }
    return t;
}

static uint64_t count_trials(const subject *s)
{
    uint64_t every = count_techniques() * ((uint64_t)akin_cpu_detect() + 1) * COUNT_OF(thread_counts);
    return s->shape->every ? every : CASES;
}

/* ------------------------------------------------------------------------------------------------------- failing */

static void describe(const subject *s, uint64_t number, const trial *t)
{
    print_error("%s: %s (%u rows with %u): %s %s %u/%u, bits %u, block %u, threads %u, %s, %s, %s\n", place_at->name,
                s->shape->name, s->rows[0].count, s->rows[1].count,
                akin_technique_name(akin_papers(), t->options.technique),
                akin_choice_name(&akin_measures, (int)t->options.measure), t->options.threshold.num,
                t->options.threshold.den, t->options.bits, t->papers.block, t->threads, akin_cpu_name(t->cpu),
                t->self ? "self" : "with the right collection", t->keep ? "pairs" : "counted");
    if (t->part_tokens)
        print_error("in parts of %llu tokens%s, runs of %llu pairs, merged by %llu\n",
                    (unsigned long long)t->part_tokens, t->parts_anew ? ", ranked anew" : "",
                    (unsigned long long)t->pairs_a_run, (unsigned long long)t->runs_a_merge);
    if (t->block_postings)
        print_error("blocks of tokens with %llu postings\n", (unsigned long long)t->block_postings);
    if (t->cut_all)
        print_error("cut into buckets\n");
    if (t->options.technique == AKIN_HYBRID)
        print_error("filter %s, sharing %s, %s chunks\n", akin_technique_name(akin_papers(), t->papers.filter),
                    akin_sharing_name(t->papers.sharing), t->candidates == 1 ? "tiny" : "usual");
    if (t->candidates || t->kernel)
        print_error("candidates %llu, kernel %d\n", (unsigned long long)t->candidates, t->kernel);
    if (t->options.any_order)
        print_error("in any order\n");
    if (t->either)
        print_error("on the CPU, too, and on a GPU if that is to take more than %g s\n", t->start);
    if (t->device_memory || t->share_tokens || t->share_all || ON_GPU)
        print_error("on %s, %llu MiB of it, in shares of %llu tokens%s\n", t->device,
                    (unsigned long long)t->device_memory, (unsigned long long)t->share_tokens,
                    t->share_all ? ", shared however short" : "");
    print_error("again: AKIN_PROPERTY_SEED=%llu AKIN_PROPERTY_COLLECTION=%llu AKIN_PROPERTY_CASE=%llu\n",
                (unsigned long long)s->seed, (unsigned long long)s->number, (unsigned long long)number);
}

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            describe(s, number, t);                                                                                    \
            fail_msg("%s", #condition);                                                                                \
        }                                                                                                              \
    } while (0)

/* -------------------------------------------------------------------------------------------------- joining once */

/* What a sink has received. */
typedef struct receiver {
    akin_pair *pairs;
    uint64_t count, room;
} receiver;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    receiver *r = user;
    if (r->count + count > r->room) {
        r->room = 2 * (r->count + count);
        r->pairs = realloc(r->pairs, (size_t)r->room * sizeof *r->pairs);
        assert_non_null(r->pairs);
    }
    memcpy(r->pairs + r->count, pairs, count * sizeof *pairs);
    r->count += count;
    return 0;
}

static int by_rows(const void *a, const void *b)
{
    const akin_pair *x = a, *y = b;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return x->right < y->right ? -1 : x->right > y->right;
}

static void check_pairs(const subject *s, uint64_t number, const trial *t, const receiver *got,
                        const oracle_pairs *right)
{
    for (uint64_t i = 0; i < got->count && i < right->count; i++) {
        const akin_pair *a = &got->pairs[i], *b = &right->pairs[i];
        int same = a->left == b->left && a->right == b->right && a->overlap == b->overlap;
        if (!same)
            print_error("pair %llu is (%u, %u, %u), expected (%u, %u, %u)\n", (unsigned long long)i, a->left, a->right,
                        a->overlap, b->left, b->right, b->overlap);
        CHECK(same);
    }
    CHECK(got->count == right->count);
}

static uint32_t count_filled(const rows *rows, uint32_t *smallest, uint32_t *largest)
{
    uint32_t filled = 0;
    for (uint32_t row = 0; row < rows->count; row++) {
        uint32_t size = rows_size(rows, row);
        filled += size != 0;
        if (size && (*smallest == 0 || size < *smallest))
            *smallest = size;
        if (size > *largest)
            *largest = size;
    }
    return filled;
}

static void check_data(const subject *s, uint64_t number, const trial *t, const akin_join_summary *summary)
{
    uint32_t smallest = 0, largest = 0;
    uint64_t left = count_filled(&s->rows[0], &smallest, &largest);
    uint64_t right = t->self ? 0 : count_filled(&s->rows[1], &smallest, &largest);
    CHECK(summary->size == sizeof *summary);
    CHECK(summary->rows_left == left && summary->rows_right == right);
    CHECK(summary->tokens_left == count_tokens(&s->rows[0]));
    CHECK(summary->tokens_right == (t->self ? 0 : count_tokens(&s->rows[1])));
    CHECK(summary->universe == s->universe[!t->self]);
    CHECK(summary->smallest == smallest && summary->largest == largest);
    CHECK(summary->pairs_all == (t->self ? s->self.count : s->both.count));
    CHECK(summary->pairs_all == (t->self ? left * (left - (left != 0)) / 2 : left * right));
    CHECK(summary->threads >= 1 && summary->threads <= t->threads);
}

/* Whether sets meet in blocks. */
static int has_blocks(akin_technique technique)
{
    return technique == AKIN_GSSJOIN || (capabilities_of(technique) & AKIN_TAKES_BLOCK);
}

/* The steps that the join was done in. */
static void check_done(const subject *s, uint64_t number, const trial *t, const akin_join_report *report,
                       uint64_t found)
{
    uint32_t count = akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE);
    uint64_t candidates = 0;
    double seconds = 0;
    uint32_t on_gpu = 0;
    akin_join_summary summary = {.size = sizeof summary};
    akin_join_step done = {.size = sizeof done};
    akin_papers_join_step papers = {.size = sizeof papers};
    CHECK(akin_join_report_summary(report, &summary, NULL) == AKIN_OK);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &done, NULL) == AKIN_OK);
        CHECK(akin_papers_join_step_read(&done, &papers, NULL) == AKIN_OK);
        CHECK(akin_technique_name(akin_papers(), done.technique) && done.technique != AKIN_AUTO);
        CHECK(t->options.technique == AKIN_AUTO || done.technique == t->options.technique);
        CHECK(t->options.bits == 0 || done.bits == t->options.bits);
        CHECK(done.bits_screen <= done.bits && done.seconds >= 0);
        CHECK((papers.block_pairs > 0) == (done.device && has_blocks(done.technique)));
        CHECK(t->either ? done.device <= 1 : done.device == place_at->gpu);
        CHECK(done.instead == 0);
        const unsigned takes = capabilities_of(done.technique);
        CHECK((papers.filter != AKIN_AUTO) == !!(takes & AKIN_TAKES_FILTER));
        CHECK(papers.filter == AKIN_AUTO || (capabilities_of(papers.filter) & AKIN_IS_FILTER));
        CHECK(t->papers.filter == AKIN_AUTO || papers.filter == t->papers.filter);
        CHECK((papers.sharing != AKIN_SHARING_AUTO) == (done.device && (takes & AKIN_TAKES_SHARING)));
        CHECK(t->papers.sharing == AKIN_SHARING_AUTO || papers.sharing == t->papers.sharing);
        CHECK(papers.cleared >= 4 * papers.block_pairs);
        int shared = t->device_memory || t->share_tokens || t->share_all;
        CHECK(done.parts > 0 && (count == 1000 || shared || done.parts == 1) && done.probes > 0 && done.indexed > 0);
        CHECK(done.parts_cpu <= done.parts && (place_at->gpu || done.gpus == 0));
        CHECK(done.probes_smallest <= done.probes_largest && done.indexed_smallest <= done.indexed_largest);
        CHECK(done.probes_smallest >= summary.smallest && done.indexed_largest <= summary.largest);
        CHECK(!t->self || done.parts > 1 || done.indexed_smallest <= done.probes_smallest);
        candidates += done.candidates;
        on_gpu += done.device;
        seconds += done.seconds;
    }
    on_both += on_gpu > 0 && on_gpu < count;
    CHECK(summary.device_failure == NULL);
    CHECK(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, count, &done, NULL) == AKIN_E_OPTION);
    CHECK(candidates >= found && summary.seconds_join >= seconds - 1e-9 * count);
}

static void check_report(const subject *s, uint64_t number, const trial *t, const akin_join_report *report,
                         uint64_t found, uint64_t compatible)
{
    akin_join_summary summary = {.size = sizeof summary};
    akin_join_step weighed = {.size = sizeof weighed};
    double before = -1;
    CHECK(akin_join_report_summary(report, &summary, NULL) == AKIN_OK);
    CHECK((akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE) > 0) == (compatible > 0));
    CHECK(t->part_tokens || t->cut_all || akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE) <= 1);
    check_data(s, number, t, &summary);
    CHECK(summary.pairs_found == found);
    CHECK(summary.pairs_compatible == compatible);
    check_done(s, number, t, report, found);
    CHECK(summary.memory_peak > 0);
    CHECK(summary.seconds_prepare >= 0 && summary.seconds_plan >= 0 && summary.seconds_deliver >= 0);
    CHECK(summary.seconds_join >= 0);
    CHECK(!t->part_tokens || summary.memory_peak <= (uint64_t)20 << 20);
    CHECK((akin_join_report_steps(report, AKIN_JOIN_STEPS_WEIGHED) > 0) == (compatible > 0));
    for (uint32_t i = 0; i < akin_join_report_steps(report, AKIN_JOIN_STEPS_WEIGHED); i++) {
        CHECK(akin_join_report_step(report, AKIN_JOIN_STEPS_WEIGHED, i, &weighed, NULL) == AKIN_OK);
        CHECK(before <= weighed.predicted_seconds && weighed.predicted_candidates >= 0);
        before = weighed.predicted_seconds;
    }
}

/* *prices is to be there as long as the context. */
static akin_context *context_make(const trial *t, akin_gpu_prices *prices)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = t->threads;
    options.device = t->either ? "auto" : t->device;
    options.device_memory = t->device_memory << 20;
    setenv("AKIN_CPU", akin_cpu_name(t->cpu), 1);
    if (t->part_tokens)
        options.memory = (uint64_t)32 << 20;
    if (place_at->backend)
        options.device = "cpu"; /* so that none is opened yet */
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    assert_int_equal(akin_context_use(context, akin_papers(), NULL), AKIN_OK);
    if (place_at->backend) {
        context->backend = place_at->backend;
        assert_int_equal(akin_device_wish_read(t->either ? "auto" : t->device, &context->wish, NULL), AKIN_OK);
        context->scope.device_choice = context->wish.choice;
    }
    wishes = (akin_wishes){.equal_rows = -1}; /* figures are those of all rows; test_join_equal.c has equal ones */
    context->wishes = &wishes;
    wishes.part_tokens = t->part_tokens;
    wishes.parts_anew = t->parts_anew;
    wishes.block_postings = t->block_postings;
    wishes.pairs_a_run = t->pairs_a_run;
    wishes.runs_a_merge = t->runs_a_merge;
    wishes.cut_all = t->cut_all;
    wishes.candidates = t->candidates;
    *prices = (akin_gpu_prices){.start = t->start,
                                .bytes = 1e30,
                                .tokens = 1e30,
                                .compare = {1e30, 1e30, 1e30, 1e30},
                                .decide = {1e30, 1e30, 1e30, 1e30},
                                .candidates = 1e30,
                                .verified = 1e30,
                                .fetched = 1e30,
                                .drained = 1e30,
                                .staged = 1e30,
                                .bounds = 1e30,
                                .postings = 1e30,
                                .visits = 1e30,
                                .merged = 1e30};
    if (t->either)
        wishes.gpu_prices = prices;
    wishes.kernel = t->kernel;
    wishes.share_tokens = t->share_tokens;
    wishes.share_all = t->share_all;
    return context;
}

/* Joins as the trial says, into *got (which is NULL when pairs are only counted), and checks all but the pairs. */
static void join(const subject *s, uint64_t number, const trial *t, const akin_sets *right, receiver *got,
                 akin_join_report **report)
{
    akin_gpu_prices prices;
    akin_context *context = context_make(t, &prices);
    akin_error error;
    uint64_t count = 0;
    akin_join_options options = t->options;
    if (t->papers.block || t->papers.filter != AKIN_AUTO || t->papers.sharing != AKIN_SHARING_AUTO)
        options.annex = &t->papers;
    akin_status status =
        akin_join(context, s->sets[0], right, &options, got ? receive : NULL, got, &count, report, &error);
    if (status != AKIN_OK)
        print_error("%s\n", error.message);
    CHECK(status == AKIN_OK);
    akin_join_summary summary = {.size = sizeof summary};
    CHECK(akin_join_report_summary(*report, &summary, NULL) == AKIN_OK);
    CHECK(count == summary.pairs_found);
    CHECK(!got || got->count == count);
    if (got && t->options.any_order && count > 0)
        qsort(got->pairs, (size_t)count, sizeof *got->pairs, by_rows);
    akin_context_free(context);
}

static void run_trial(const subject *s, uint64_t number)
{
    const trial drawn = draw_trial(s, number), *t = &drawn;
    uint64_t compatible;
    receiver got = {0};
    akin_join_report *report = NULL;
    const rows *right = t->self ? NULL : &s->rows[1];
    oracle_pairs expected = oracle_select(t->self ? &s->self : &s->both, &s->rows[0], right, t->options.measure,
                                          t->options.threshold, &compatible);
    join(s, number, t, right ? s->sets[1] : NULL, t->keep ? &got : NULL, &report);
    if (t->keep)
        check_pairs(s, number, t, &got, &expected);
    check_report(s, number, t, report, expected.count, compatible);
    akin_join_report_free(report);
    free(got.pairs);
    oracle_clear(&expected);
}

/* The self-join is the upper triangle of the join of the collection with itself, whatever the oracle says. */
static void run_triangle(const subject *s, uint64_t number)
{
    trial drawn = draw_trial(s, number), *t = &drawn;
    receiver triangle = {0}, square = {0};
    akin_join_report *report = NULL;
    if (is_directed(t->options.measure))
        return; /* the square is not symmetric */
    t->keep = 1;
    t->self = 1;
    join(s, number, t, NULL, &triangle, &report);
    akin_join_report_free(report);
    t->self = 0;
    join(s, number, t, s->sets[0], &square, &report);
    akin_join_report_free(report);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < square.count; i++)
        if (square.pairs[i].left < square.pairs[i].right)
            square.pairs[kept++] = square.pairs[i];
    square.count = kept;
    check_pairs(s, number, t, &square, &(oracle_pairs){triangle.pairs, triangle.count});
    free(triangle.pairs);
    free(square.pairs);
}

/* --------------------------------------------------------------------------------------------------------- tests */

static void on_every_shape(void (*run)(const subject *s, uint64_t number), uint64_t trials)
{
    uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), only = setting("AKIN_PROPERTY_CASE", ALL);
    uint64_t rounds = setting("AKIN_PROPERTY_ROUNDS", 1), shape = setting("AKIN_PROPERTY_COLLECTION", ALL);
    uint64_t step = setting("AKIN_PROPERTY_STEP", 1);
    for (uint64_t round = 0; round < rounds; round++, seed++) {
        for (uint64_t number = 0; number < shapes_count; number++) {
            subject s;
            if (shape != ALL && number != shape)
                continue;
            subject_make(&s, seed, number);
            for (place_at = places; place_at < places + COUNT_OF(places); place_at++) {
                uint64_t end = trials ? trials : count_trials(&s);
                for (uint64_t i = 0; i < end; i++)
                    if (only == ALL ? (i + number) % step == 0 : i == only)
                        run(&s, i);
            }
            subject_clear(&s);
        }
    }
}

static void every_join_finds_what_the_oracle_finds(void **state)
{
    (void)state;
    on_every_shape(run_trial, 0);
}

static void a_self_join_is_the_upper_triangle(void **state)
{
    (void)state;
    on_every_shape(run_triangle, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_join_finds_what_the_oracle_finds),
        cmocka_unit_test(a_self_join_is_the_upper_triangle),
    };
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error;
    options.device = places[0].device;
    if (akin_context_create(&options, &context, &error) == AKIN_E_DEVICE) {
        printf("skipped: %s\n", error.message);
        return 77;
    }
    akin_context_free(context);
    if (ON_GPU && akin_device_find().devices == 1)
        printf("there is one GPU: cuda:0,1 is left out\n");
    printf("seed %llu, SIMD up to %s\n", (unsigned long long)setting("AKIN_PROPERTY_SEED", 1),
           akin_cpu_name(akin_cpu_detect()));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (ON_GPU)
        printf("%llu joins were done on both CPU and GPU\n", (unsigned long long)on_both);
    return failed;
}
