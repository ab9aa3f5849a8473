/*
 * Times term weights on a GPU, from within:
 *
 *     weigh_gpu_bench FILE [REPEATS [MEGABYTES [NUMBER [TECHNIQUE]]]]
 *
 * FILE is text as for weigh_bench, all of it ASCII; REPEATS is 5, MEGABYTES of a batch 64, NUMBER that of the GPU 0,
 * TECHNIQUE hash. Twice:
 *
 *     resident   text in device memory to pairs and weights in device memory
 *     pinned     text in pinned memory to pairs and weights there: copies both ways beside the kernels
 *
 * Each begins with an empty table of words. The dictionary of the technique `dictionary` is made before, and a line has
 * the time of that. The dictionary is on the device if the text is, and is copied there with the text otherwise. Each
 * has a line with the best and median seconds, the bytes per second of the best run, and the seconds of each step of
 * the median run that took time. A line has the time of copies alone. Then come the floor (what must be read or written
 * once, and how long the device's memory takes for that), the counts of the input, and the sum of the weights, to be
 * compared with that of weigh_bench. The host has a part in `idf`: it takes a logarithm for each distinct df. The first
 * run allocates memory. Techniques of the paper wait for each of their steps to be done (papers/weigh/primitives.h).
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "collection.h"
#include "timing.h"

#include "base/bits.h"
#include "base/memory.h"
#include "papers/weigh/primitives.h"
#include "papers/weigh/techniques.h"
#include "weigh/gpu_hashing.h"
#include "weigh/sum.h"
#include "weigh/weigher.h"

#include <inttypes.h>

#define MEMORY_RATE 4.3e12 /* bytes a second that the memory of an H200 was seen to give */

enum { PAPER = AKIN_TERMS_STEPS, IDF = PAPER + AKIN_PAPER_TIMES_COUNT, WEIGH, REST, STEPS };

static const char *const step_names[STEPS] = {"cut",     "look up", "keep",    "count", "extract", "documents",
                                              "lengths", "convert", "sort",    "name",  "tf",      "df",
                                              "turn",    "assign",  "weights", "idf",   "weigh",   "rest"};

/* Documents that are a batch, and what comes of them: on the device, and in pinned memory. */
typedef struct part {
    akin_gpu_batch batch;
    akin_device_buffer text, offsets, values;
    akin_gpu_counted counted;
    uint64_t place; /* of its first pair among all */
    akin_device_event *done;
} part;

typedef struct bench {
    akin_context *context;
    akin_device *device;
    akin_device_stream *results;
    akin_weights weights; /* what is known of them before: how text becomes terms, the formula */
    akin_pinned text, offsets, ids, tf, values, sizes, df;
    part *parts;
    uint32_t part_count;
    uint64_t pairs, words;
    uint32_t terms;
    akin_weigh_technique technique;
    akin_trie *trie; /* of the technique that has one, */
    uint32_t *map;   /* and the term of each of its words */
    double steps[REPEATS_MOST][STEPS];
} bench;

static akin_error failure;

static void check(akin_status status)
{
    if (status == AKIN_OK)
        return;
    fprintf(stderr, "weigh_gpu_bench: %s\n", failure.message);
    exit(1);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

/* Puts the collection into pinned memory, and cuts it into parts. */
static void make_parts(bench *b, const collection *c, uint64_t bytes)
{
    check(akin_pinned_reserve(b->device, &b->text, c->length, 1, "text", &failure));
    check(akin_pinned_reserve(b->device, &b->offsets, 2 * (uint64_t)c->documents + 2, sizeof(uint64_t), "offsets",
                              &failure));
    memcpy(b->text.data, c->bytes, c->length);
    b->parts = must(calloc((size_t)c->documents + 1, sizeof *b->parts));
    uint64_t *offsets = b->offsets.data;
    for (uint32_t first = 0, end; first < c->documents; first = end) {
        part *p = &b->parts[b->part_count++];
        for (end = first + 1; end < c->documents && c->offsets[end + 1] - c->offsets[first] <= bytes;)
            end++;
        for (uint32_t d = first; d <= end; d++)
            offsets[d - first] = c->offsets[d] - c->offsets[first];
        p->batch = (akin_gpu_batch){(const char *)b->text.data + c->offsets[first], offsets[end - first], offsets,
                                    end - first, (uint32_t)AKIN_GPU_LETTERS | (uint32_t)AKIN_GPU_FOLDED};
        offsets += end - first + 1;
        check(akin_device_event_create(b->device, &p->done, &failure));
    }
}

/* Brings the text to the device for good. */
static void make_resident(bench *b, akin_gpu_terms *t)
{
    for (part *p = b->parts; p < b->parts + b->part_count; p++) {
        const uint64_t offsets = ((uint64_t)p->batch.documents + 1) * sizeof(uint64_t);
        const uint64_t bytes = akin_ceil_div(p->batch.bytes, 8) * 8 + AKIN_GPU_PADDING;
        check(akin_device_reserve(b->device, &p->text, bytes, 1, "text", &failure));
        check(akin_device_reserve(b->device, &p->offsets, offsets, 1, "offsets", &failure));
        check(akin_device_write(t->stream, p->text.data, p->batch.text, p->batch.bytes, &failure));
        check(akin_device_write(t->stream, p->offsets.data, p->batch.offsets, offsets, &failure));
    }
    check(akin_device_stream_finish(t->stream, &failure));
}

/* ------------------------------------------------------------------------------------------------------------- runs */

/* Counts a part whose text is on the device already. */
static void count_resident(akin_gpu_terms *t, part *p)
{
    const akin_gpu_place own = t->places[0];
    t->places[0].batch = p->batch;
    t->places[0].text = p->text;
    t->places[0].offsets = p->offsets;
    check(akin_gpu_terms_count(t, 0, &p->counted, &failure));
    t->places[0] = own;
}

/* Later: brings an array of a part to pinned memory. */
static void bring(bench *b, const akin_pinned *to, uint64_t place, const void *from, uint64_t count, size_t size)
{
    check(akin_device_read(b->results, (char *)to->data + place * size, from, count * size, &failure));
}

/* Later: once what is in the engine's stream is done, brings a part's pairs, or its weights, to pinned memory. */
static void bring_part(bench *b, akin_gpu_terms *t, part *p, int values)
{
    const akin_gpu_counted *c = &p->counted;
    check(akin_device_event_record(p->done, t->stream, &failure));
    check(akin_device_stream_wait(b->results, p->done, &failure));
    if (values) {
        bring(b, &b->values, p->place, p->values.data, c->pairs, sizeof(double));
        return;
    }
    bring(b, &b->ids, p->place, c->ids.data, c->pairs, sizeof(uint32_t));
    bring(b, &b->tf, p->place, c->tf.data, c->pairs, sizeof(uint32_t));
    bring(b, &b->sizes, (uint64_t)(p->batch.offsets - (const uint64_t *)b->offsets.data), c->offsets.data,
          (uint64_t)c->documents + 1, sizeof(uint64_t));
}

static void count_parts(bench *b, akin_gpu_terms *t, int is_pinned)
{
    b->pairs = b->words = 0;
    if (is_pinned)
        check(akin_gpu_terms_send(t, 0, &b->parts[0].batch, &failure));
    for (uint32_t i = 0; i < b->part_count; i++) {
        part *p = &b->parts[i];
        p->place = b->pairs;
        if (is_pinned && i + 1 < b->part_count)
            check(akin_gpu_terms_send(t, (i + 1) % 2, &b->parts[i + 1].batch, &failure));
        if (is_pinned)
            check(akin_gpu_terms_count(t, i % 2, &p->counted, &failure));
        else
            count_resident(t, p);
        b->pairs += p->counted.pairs;
        b->words += p->counted.tokens;
        if (is_pinned && b->ids.bytes > 0)
            bring_part(b, t, p, 0);
    }
}

/* Later: brings df to pinned memory, beside the weighing. */
static void bring_df(bench *b, akin_gpu_terms *t)
{
    check(akin_device_event_record(b->parts[0].done, t->stream, &failure));
    check(akin_device_stream_wait(b->results, b->parts[0].done, &failure));
    bring(b, &b->df, 0, t->buffers[AKIN_TERMS_DF].data, t->df_count, sizeof(uint32_t));
}

static void weigh_parts(bench *b, akin_gpu_terms *t, const double *idf, double mean, int is_pinned)
{
    for (part *p = b->parts; p < b->parts + b->part_count; p++) {
        check(akin_device_reserve(b->device, &p->values, p->counted.pairs, sizeof(double), "weights", &failure));
        check(akin_gpu_terms_weigh(t, &b->weights.formula, mean, &p->counted, idf, p->values.data, &failure));
        if (is_pinned)
            bring_part(b, t, p, 1);
    }
    check(akin_device_stream_finish(t->stream, &failure));
    check(akin_device_stream_finish(b->results, &failure));
}

/* Makes a dictionary of the collection's words. */
static void make_dictionary(bench *b, akin_context *context)
{
    akin_gpu_terms t = {0};
    const double start = now();
    check(akin_gpu_terms_begin(&t, b->device, &b->weights, &akin_gpu_hashing, akin_scope_of(b->context), &failure));
    for (const part *p = b->parts; p < b->parts + b->part_count; p++) {
        check(akin_gpu_terms_send(&t, 0, &p->batch, &failure));
        check(akin_gpu_paper_gather(&t, 0, &failure));
    }
    check(akin_gpu_terms_tell(&t, &failure));
    const double gathered = now();
    check(akin_gpu_paper_build(b->weights.dictionary, akin_scope_of(context), &b->trie, &b->map, &failure));
    akin_gpu_terms_clear(&t);
    printf("    dictionary: words gathered %.4f s  built %.4f  %u words\n", gathered - start, now() - gathered,
           akin_trie_count(b->trie));
}

static void begin(bench *b, akin_gpu_terms *t)
{
    const akin_choice *row = akin_annex_find(akin_papers(), &akin_weigh_techniques, (int)b->technique);
    const akin_gpu_way *way = ((const akin_weigh_technique_row *)row)->way;
    check(akin_gpu_terms_begin(t, b->device, &b->weights, way, akin_scope_of(b->context), &failure));
    if (way->begin)
        check(way->begin(t, NULL, &failure));
}

static void bring_dictionary(bench *b, akin_gpu_terms *t)
{
    if (b->trie)
        check(akin_gpu_paper_bring(t, b->trie, b->map, &failure));
}

/* One run, from an empty table of words on; returns its seconds. */
static double run(bench *b, uint32_t documents, int is_pinned, double steps[STEPS])
{
    akin_gpu_terms t = {0};
    const double *idf;
    begin(b, &t);
    if (!is_pinned && !b->parts[0].text.data)
        make_resident(b, &t);
    if (!is_pinned)
        bring_dictionary(b, &t);
    check(akin_device_stream_finish(t.stream, &failure));
    const double start = now();
    if (is_pinned)
        bring_dictionary(b, &t);
    count_parts(b, &t, is_pinned);
    const double counted = now();
    b->terms = t.ids;
    if (is_pinned && b->df.bytes > 0)
        bring_df(b, &t);
    check(akin_gpu_terms_idf(&t, &b->weights.formula, documents, &idf, &failure));
    const double weighed = now();
    weigh_parts(b, &t, idf, (double)b->words / documents, is_pinned && b->values.bytes > 0);
    const double end = now();
    memcpy(steps, t.seconds, sizeof t.seconds);
    steps[IDF] = weighed - counted;
    steps[WEIGH] = end - weighed;
    steps[REST] = counted - start;
    const akin_gpu_paper *paper = t.own;
    for (int i = 0; i < AKIN_PAPER_TIMES_COUNT; i++)
        steps[PAPER + i] = paper ? paper->seconds[i] : 0;
    steps[WEIGH] -= steps[PAPER + AKIN_PAPER_ASSIGNING] + steps[PAPER + AKIN_PAPER_WEIGHING];
    for (int i = 0; i < PAPER + AKIN_PAPER_ASSIGNING; i++)
        steps[REST] -= steps[i];
    akin_gpu_terms_clear(&t);
    return end - start;
}

/* Room for what comes back, once it is known how much that is. */
static void make_room(bench *b, uint32_t documents)
{
    check(akin_pinned_reserve(b->device, &b->ids, b->pairs, sizeof(uint32_t), "ids", &failure));
    check(akin_pinned_reserve(b->device, &b->tf, b->pairs, sizeof(uint32_t), "tf", &failure));
    check(akin_pinned_reserve(b->device, &b->values, b->pairs, sizeof(double), "weights", &failure));
    check(akin_pinned_reserve(b->device, &b->df, b->terms, sizeof(uint32_t), "df", &failure));
    check(akin_pinned_reserve(b->device, &b->sizes, 2 * (uint64_t)documents + 2, sizeof(uint64_t), "sizes", &failure));
}

/* What copies take that nothing is beside: of the text, there, and of the results, back. */
static void report_copies(bench *b)
{
    akin_gpu_terms t = {0};
    begin(b, &t);
    double start = now();
    for (uint32_t i = 0; i < b->part_count; i++)
        check(akin_gpu_terms_send(&t, i % 2, &b->parts[i].batch, &failure));
    check(akin_device_stream_finish(t.copies, &failure));
    bring_dictionary(b, &t);
    check(akin_device_stream_finish(t.stream, &failure));
    const double there = now() - start;
    start = now();
    for (part *p = b->parts; p < b->parts + b->part_count; p++)
        for (int values = 0; values < 2; values++)
            bring_part(b, &t, p, values);
    check(akin_device_stream_finish(b->results, &failure));
    printf("    copies alone: there %.5f back %.5f\n", there, now() - start);
    akin_gpu_terms_clear(&t);
}

/* What must be read and written once, of text and of pairs, against the best run's seconds. */
static void report_floor(const bench *b, const collection *c, double best)
{
    const uint64_t in = c->length + c->documents * sizeof(uint64_t);
    const uint64_t pair = 2 * sizeof(uint32_t) + sizeof(double), out = b->pairs * pair + c->documents * pair;
    const double bytes = (double)in + (double)out;
    printf("    floor %.5f s: %.1f MB read once and written once at %.1f TB/s; the best run has %.1f GB/s of them\n",
           bytes / MEMORY_RATE, bytes / 1e6, MEMORY_RATE / 1e12, bytes / best / 1e9);
}

static void time_runs(bench *b, const char *path, const collection *c, int is_pinned, int repeats)
{
    double seconds[REPEATS_MOST] = {0}, sorted[REPEATS_MOST] = {0};
    int median = 0;
    for (int i = 0; i < repeats; i++)
        sorted[i] = seconds[i] = run(b, c->documents, is_pinned, b->steps[i]);
    print_runs(path, is_pinned ? "pinned" : "resident", sorted, repeats, (double)c->length);
    for (int i = 0; i < repeats; i++)
        median = seconds[i] >= sorted[repeats / 2] && seconds[i] <= sorted[repeats / 2] ? i : median;
    printf("\n   ");
    for (int i = 0; i < STEPS; i++)
        if (b->steps[median][i] != 0)
            printf(" %s %.5f", step_names[i], b->steps[median][i]);
    printf("\n");
    report_floor(b, c, sorted[0]);
}

/* What there was; the sum is that of the weights that came back. */
static void report(const bench *b, const collection *c)
{
    akin_sum *sum = must(calloc(1, sizeof *sum));
    const double *values = b->values.data;
    for (uint64_t i = 0; i < b->pairs; i++)
        akin_sum_add(sum, values[i]);
    printf("    %" PRIu32 " documents  %" PRIu64 " words  %" PRIu64 " pairs  %" PRIu32 " terms  weight %.17g\n",
           c->documents, b->words, b->pairs, b->terms, akin_sum_value(sum));
    free(sum);
}

static void clear(bench *b)
{
    for (part *p = b->parts; p < b->parts + b->part_count; p++) {
        akin_device_event_free(p->done);
        akin_device_release(b->device, &p->text);
        akin_device_release(b->device, &p->offsets);
        akin_device_release(b->device, &p->values);
        akin_gpu_counted_clear(b->device, &p->counted);
    }
    akin_pinned *const pinned[] = {&b->text, &b->offsets, &b->ids, &b->tf, &b->values, &b->sizes, &b->df};
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
        akin_pinned_release(b->device, pinned[i]);
    akin_device_stream_free(b->results);
    akin_device_close(b->device);
    akin_trie_free(b->trie);
    akin_free(b->map);
    akin_analysis_free(b->weights.analysis);
    akin_dictionary_free(b->weights.dictionary);
    free(b->parts);
}

int main(int argc, char **argv)
{
    static bench b;
    collection c = {0};
    akin_context *context = NULL;
    akin_context_options about = AKIN_CONTEXT_OPTIONS_INIT;
    const int repeats = argc > 2 ? atoi(argv[2]) : 5;
    const uint64_t bytes = (uint64_t)(argc > 3 ? atoi(argv[3]) : 64) << 20;
    about.device = "cpu"; /* the GPU is opened here */
    b.technique = AKIN_WEIGH_HASH;
    if (argc < 2 || argc > 6 || repeats < 1 || repeats > REPEATS_MOST || bytes == 0 ||
        (argc > 5 && akin_weigh_technique_parse(akin_papers(), argv[5], &b.technique, NULL) != AKIN_OK) ||
        b.technique == AKIN_WEIGH_AUTO) {
        fprintf(stderr, "usage: weigh_gpu_bench FILE [REPEATS [MEGABYTES [NUMBER [TECHNIQUE]]]]\n");
        return 2;
    }
    if (!read_text(argv[1], &c)) {
        fprintf(stderr, "weigh_gpu_bench: %s cannot be read\n", argv[1]);
        return 2;
    }
    for (size_t i = 0; i < c.length; i++)
        if ((unsigned char)c.bytes[i] >= 0x80) {
            fprintf(stderr, "weigh_gpu_bench: %s is not all ASCII: use weigh_bench\n", argv[1]);
            return 2;
        }
    find_documents(&c);
    check(akin_context_create(&about, &context, &failure));
    b.context = context;
    check(akin_device_open(argc > 4 ? (uint32_t)atoi(argv[4]) : 0, 0, &b.device, &failure));
    check(akin_device_stream_create(b.device, &b.results, &failure));
    check(akin_analysis_create(NULL, NULL, AKIN_CPU_SCALAR, &b.weights.analysis, &failure));
    check(akin_dictionary_create(context, &b.weights.dictionary, &failure));
    check(akin_formula_read(AKIN_FORMULA_PAPER, 1.2, 0.75, -1, &b.weights.formula, &failure));
    b.weights.shared = AKIN_WEIGHTS_NONE;
    if (c.documents > 0) {
        make_parts(&b, &c, bytes);
        if (b.technique == AKIN_WEIGH_DICTIONARY)
            make_dictionary(&b, context);
        time_runs(&b, argv[1], &c, 0, repeats);
        make_room(&b, c.documents);
        time_runs(&b, argv[1], &c, 1, repeats);
        report_copies(&b);
        report(&b, &c);
    }
    clear(&b);
    akin_context_free(context);
    free(c.bytes);
    free(c.offsets);
    return 0;
}
