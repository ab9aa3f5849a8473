/*
 * How fast an index is searched: search_bench [-g] [-k K,..] [-t THREADS] [-r REPEATS] [-T TOLERANCE] [-n CANDIDATES]
 * [-R RERANK] [-o] [-w TECHNIQUE,..] [-M MEASURE] [-q QUERIES,..] [-m MEMORY] INDEX QUERIES prints the seconds of all
 * queries in one call, median and best of REPEATS runs, and what was predicted. The index is open; with -g it is on the
 * first GPU before the first run that counts. The queries are in memory, from a file whose name names its format, else
 * from lines of text. Answers are in memory, and counted. The number in hexadecimal is the same for the same answers.
 *
 * search_bench ... -s VECTORS,FUNCTIONS,BUCKETS has no files: it draws VECTORS vectors of FUNCTIONS random values.
 * 1,024 of them are the queries, each value drawn anew by a chance of one half. -m bounds what a GPU holds, as
 * --device-memory does.
 *
 * Of several values of K, techniques, or numbers of queries there is a search for each combination. It takes that
 * number of queries from the first on. `cpq+` and `spq+` balance load; -o has one round of candidates. Of the paper's
 * techniques on a GPU there are the seconds of the stages of the last run.
 */
#define _GNU_SOURCE

#include <inttypes.h>
#include <unistd.h>

#include "akin_papers.h"
#include "base/parallel.h"
#include "base/random.h"
#include "device/devices.h"
#include "search/query_batch.h"
#include "search/searcher.h"
#include "search/techniques.h"
#include "timing.h"

#define COLUMNS  256
#define QUERIES  1024 /* made-up, without -q */
#define SEVERAL  16
#define BALANCED 0x80000000u /* beside a technique */

/* What was found, as a number that does not depend on how fast. */
typedef struct tally {
    uint64_t count, mix;
} tally;

static int take(void *user, const akin_search_hit *found, size_t count)
{
    tally *t = user;
    for (size_t i = 0; i < count; i++)
        t->mix = (t->mix * 31 + found[i].object) * 31 + found[i].count;
    t->count += count;
    return 0;
}

/* The queries. */
typedef struct asked {
    akin_sets *sets;
    akin_matrix *matrix;
    akin_table *table;
    akin_column columns[COLUMNS];
    uint32_t count, rows;
} asked;

static akin_status read_queries(akin_context *context, akin_search_kind kind, const char *path, asked *out,
                                akin_error *error)
{
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    if (kind == AKIN_KIND_SETS)
        return akin_sets_read(context, path, &out->sets, error);
    if (kind == AKIN_KIND_VECTORS || kind == AKIN_KIND_SIGNATURES)
        return akin_matrix_read(context, path, AKIN_MATRIX_AUTO, &out->matrix, error);
    if (akin_format_of_name(path, &how.format, NULL) != AKIN_OK)
        how.format = AKIN_FORMAT_TEXT;
    akin_status status = akin_table_read(context, path, &how, &out->table, error);
    out->rows = status == AKIN_OK ? akin_table_rows(out->table) : 0;
    for (; status == AKIN_OK && out->count < COLUMNS && out->count < akin_table_columns(out->table); out->count++) {
        out->columns[out->count].size = sizeof *out->columns;
        status = akin_table_column(out->table, out->count, &out->columns[out->count], error);
    }
    return status;
}

/* Numbers that were given. */
typedef struct several {
    uint32_t values[SEVERAL], count;
} several;

/* What is searched, and how. */
typedef struct bench {
    akin_context *context;
    akin_search_index *index;
    akin_searcher *searcher;
    akin_search_options options;
    akin_papers_search_options papers; /* options.annex points here, if it is needed */
    akin_search_report report;
    asked queries;
    akin_query_batch items; /* instead of those: made-up ones */
    tally found;
    uint32_t limit; /* queries, the first of all */
} bench;

static void print_runs_of(const char *name, double *seconds, int runs)
{
    qsort(seconds, (size_t)runs, sizeof *seconds, rising);
    printf("%s: median %.5f, best %.5f\n", name, seconds[runs / 2], seconds[0]);
}

/* Counts for made-up queries, and takes what is found. */
static akin_status ask_items(bench *b, akin_error *error)
{
    const uint32_t count = b->limit < b->items.count ? b->limit : b->items.count;
    const akin_queries queries = {count, b->items.offsets, b->items.items};
    akin_search_results results = {.k = b->options.k};
    const akin_search_technique_row *technique = akin_search_technique_of(akin_papers(), b->options.technique);
    b->searcher->annex_options = b->options.annex;
    memset(b->searcher->annex_figures, 0, sizeof b->searcher->annex_figures);
    akin_status status = technique->count(b->searcher, &queries, technique, &results, error);
    for (uint32_t q = 0; q < queries.count && status == AKIN_OK; q++)
        for (uint32_t i = 0; i < results.found[q]; i++) {
            const uint64_t key = results.keys[(uint64_t)q * results.k + i];
            b->found.mix = (b->found.mix * 31 + (uint32_t)key) * 31 + akin_top_count(key);
            b->found.count++;
        }
    b->report.queries = queries.count;
    b->report.technique = results.technique;
    b->report.device = b->searcher->device;
    memcpy(b->report.annex_figures, b->searcher->annex_figures, sizeof b->report.annex_figures);
    akin_search_clear(&results);
    return status;
}

static akin_status ask(bench *b, akin_error *error)
{
    const asked *q = &b->queries;
    b->found = (tally){0};
    b->report = (akin_search_report){.size = sizeof b->report};
    return b->items.count > 0 ? ask_items(b, error)
           : q->matrix
               ? akin_searcher_run_vectors(b->searcher, q->matrix, &b->options, take, &b->found, &b->report, error)
           : q->sets ? akin_searcher_run_sets(b->searcher, q->sets, &b->options, take, &b->found, &b->report, error)
                     : akin_searcher_run(b->searcher, q->columns, q->count, b->limit < q->rows ? b->limit : q->rows,
                                         &b->options, take, &b->found, &b->report, error);
}

static akin_status measure(bench *b, int runs, akin_error *error)
{
    double all[REPEATS_MOST] = {0}, counting[REPEATS_MOST] = {0}, begun;
    akin_status status = AKIN_OK;
    for (int run = 0; run < runs && status == AKIN_OK; run++) {
        begun = now();
        status = ask(b, error);
        all[run] = now() - begun;
        counting[run] = b->report.seconds_search;
    }
    if (status != AKIN_OK)
        return status;
    const akin_search_report *r = &b->report;
    akin_papers_search_report papers = {.size = sizeof papers};
    akin_papers_search_report_read(r, &papers, NULL);
    printf("%" PRIu32 " queries in %" PRIu32 " objects, %" PRIu64 " found, %016" PRIx64 "\n", r->queries,
           b->index->head.rows, b->found.count, b->found.mix);
    printf("%s, on %s", akin_search_technique_name(akin_papers(), r->technique), r->device ? "the GPU" : "the CPU");
    if (r->parts > 1)
        printf(", in %" PRIu32 " parts", r->parts);
    if (r->seconds_lists > 0)
        printf("; predicted for one thread: lists %.3f s, scan %.3f s", r->seconds_lists, r->seconds_scan);
    printf("\n");
    if (b->index->head.kind == AKIN_KIND_STRINGS)
        printf("certified: %" PRIu32 " by count, %" PRIu32 " by scan, %" PRIu32 " not\n", r->by_count, r->by_scan,
               r->uncertified);
    if (papers.query_bytes > 0)
        printf("%" PRIu64 " bytes a query, %" PRIu64
               " again; seconds of stages: transfer %.5f, match %.5f, select %.5f\n",
               papers.query_bytes, papers.again, papers.seconds_transfer, papers.seconds_match, papers.seconds_select);
    print_runs_of("seconds", all, runs);
    if (b->items.count == 0)
        print_runs_of("of these to count", counting, runs);
    return AKIN_OK;
}

/* Brings the index to a GPU with -g, and searches for the first time, with all queries. */
static akin_status begin(bench *b, akin_error *error)
{
    double begun = now();
    akin_device *device = NULL;
    akin_status status = akin_searcher_create(b->context, b->index, &b->searcher, error);
    if (status == AKIN_OK)
        status = akin_device_of(akin_scope_of(b->context), &device, error);
    if (status != AKIN_OK || !device)
        return status;
    printf("the GPU was opened in %.3f s\n", now() - begun);
    begun = now();
    status = ask(b, error);
    printf("asked for the first time, with the index brought there, in %.3f s; %.3f GB are there\n", now() - begun,
           (double)akin_device_held(device) * 1e-9);
    return status;
}

/* All combinations of what was given. */
static akin_status measure_all(bench *b, const several *techniques, const several *ks, const several *limits, int runs,
                               akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t t = 0; t < techniques->count; t++)
        for (uint32_t l = 0; l < limits->count; l++)
            for (uint32_t k = 0; k < ks->count && status == AKIN_OK; k++) {
                b->options.technique = (akin_search_technique)(techniques->values[t] & ~BALANCED);
                b->papers.load_balance = (techniques->values[t] & BALANCED) != 0;
                b->options.annex = b->papers.load_balance ? &b->papers : NULL;
                b->options.k = ks->values[k];
                b->limit = limits->values[l];
                if (techniques->count * limits->count * ks->count > 1)
                    printf("-- %s%s, k %" PRIu32 "\n", akin_search_technique_name(akin_papers(), b->options.technique),
                           b->papers.load_balance ? "+" : "", b->options.k);
                status = measure(b, runs, error);
            }
    return status;
}

/* ------------------------------------------------------------------------------------------------------- made up */

typedef struct making {
    uint64_t vectors;
    uint32_t buckets, **codes;
} making;

/* Draws the values of a function. */
static akin_status draw(void *argument, uint64_t function, uint32_t thread)
{
    const making *m = argument;
    akin_random random;
    (void)thread;
    akin_random_seed(&random, function + 1);
    for (uint64_t i = 0; i < m->vectors; i++)
        m->codes[function][i] = (uint32_t)((akin_random_next(&random) >> 32) * m->buckets >> 32);
    return AKIN_OK;
}

static akin_status draw_queries(bench *b, const making *m, uint32_t functions)
{
    akin_random random;
    akin_random_seed(&random, 1);
    const uint32_t count = b->limit < UINT32_MAX ? b->limit : QUERIES;
    int made = akin_query_batch_begin(&b->items, count);
    for (uint32_t q = 0; q < count && made; q++) {
        const uint64_t vector = akin_random_below(&random, m->vectors);
        for (uint32_t f = 0; f < functions && made; f++) {
            const int is_kept = akin_random_below(&random, 2) == 0;
            const uint32_t value = is_kept ? m->codes[f][vector] : (uint32_t)akin_random_below(&random, m->buckets);
            made = akin_query_batch_add(&b->items, f * m->buckets + value, f * m->buckets + value, 1);
        }
        akin_query_batch_end(&b->items);
    }
    return made ? AKIN_OK : AKIN_E_NOMEM;
}

/* Makes vectors, and queries. */
static akin_status make(bench *b, uint32_t vectors, uint32_t functions, uint32_t buckets, akin_error *error)
{
    const double begun = now();
    making m = {vectors, buckets, calloc(functions, sizeof(uint32_t *))};
    uint32_t *counts = calloc(functions, sizeof *counts);
    akin_status status = m.codes && counts ? AKIN_OK : AKIN_E_NOMEM;
    for (uint32_t f = 0; f < functions && status == AKIN_OK; f++) {
        counts[f] = buckets;
        m.codes[f] = malloc((size_t)vectors * sizeof *m.codes[f]);
        status = m.codes[f] ? AKIN_OK : AKIN_E_NOMEM;
    }
    if (status == AKIN_OK)
        status = akin_parallel(akin_scope_of(b->context), NULL, functions, draw, &m);
    if (status == AKIN_OK)
        status = draw_queries(b, &m, functions);
    const double made = now();
    if (status == AKIN_OK)
        status = akin_search_index_begin(akin_scope_of(b->context), AKIN_KIND_ROWS, vectors, NULL, &b->index, error);
    const akin_objects_source source = {.objects = vectors,
                                        .keywords = functions * buckets,
                                        .dimensions = functions,
                                        .counts = counts,
                                        .codes = (const uint32_t *const *)m.codes};
    if (status == AKIN_OK)
        status = akin_objects_build(akin_scope_of(b->context), &source, &b->index->objects, error);
    printf("made in %.3f s, inverted in %.3f s by %" PRIu32 " threads\n", made - begun, now() - made,
           akin_scope_of(b->context)->threads);
    for (uint32_t f = 0; f < functions && m.codes; f++)
        free(m.codes[f]);
    free(m.codes);
    free(counts);
    return status == AKIN_E_NOMEM ? akin_fail_memory(error, "made-up vectors") : status;
}

static akin_status open_index(bench *b, const char *const paths[2], akin_error *error)
{
    akin_search_statistics about = {.size = sizeof about};
    const double begun = now();
    akin_status status = akin_search_index_open(b->context, paths[0], &b->index, error);
    printf("opened in %.3f s\n", now() - begun);
    if (status == AKIN_OK)
        status = akin_search_index_describe(b->index, &about, error);
    return status == AKIN_OK ? read_queries(b->context, about.kind, paths[1], &b->queries, error) : status;
}

static int usage(void)
{
    fprintf(
        stderr,
        "usage: search_bench [-g] [-k K,..] [-t THREADS] [-r REPEATS] [-T TOLERANCE] [-n CANDIDATES] [-R RERANK] [-o] "
        "[-w TECHNIQUE,..] [-M MEASURE] [-q QUERIES,..] [-m MEMORY] INDEX QUERIES | -s VECTORS,FUNCTIONS,BUCKETS\n");
    return 2;
}

/* A technique, and BALANCED if it is followed by +; UINT32_MAX: there is no such thing. */
static uint32_t read_technique(char *word)
{
    akin_search_technique technique = AKIN_SEARCH_AUTO;
    char *plus = strchr(word, '+');
    if (plus)
        *plus = '\0';
    if (akin_search_technique_parse(akin_papers(), word, &technique, NULL) != AKIN_OK)
        return UINT32_MAX;
    return (uint32_t)technique | (plus ? BALANCED : 0);
}

/* Reads numbers, or techniques if `are_names`, between which there are commas; cuts `text`. 0: they are none. */
static int read_several(char *text, int are_names, several *out)
{
    out->count = 0;
    for (char *word = text, *comma; word; word = comma) {
        comma = strchr(word, ',');
        if (comma)
            *comma++ = '\0';
        const unsigned long value = are_names ? read_technique(word) : strtoul(word, NULL, 10);
        if (out->count == SEVERAL || value >= UINT32_MAX || (!are_names && value == 0))
            return 0;
        out->values[out->count++] = (uint32_t)value;
    }
    return 1;
}

/* 0: there is no such measure. */
static int read_measure(const char *name, akin_measure *out)
{
    static const char *const names[] = {"jaccard", "cosine", "dice"};
    static const akin_measure measures[] = {AKIN_JACCARD, AKIN_COSINE, AKIN_DICE};
    for (int i = 0; i < 3; i++)
        if (name && strcmp(name, names[i]) == 0) {
            *out = measures[i];
            return 1;
        }
    return 0;
}

/* The options. */
typedef struct asked_for {
    akin_context_options how;
    akin_search_options options;
    several techniques, ks, limits, shape;
    int runs;
} asked_for;

/* 0: that is no number, or not one that there can be. */
static int read_option(asked_for *a, int option, char *value)
{
    const unsigned long number = value ? strtoul(value, NULL, 10) : 0;
    switch (option) {
    case 'g':
        a->how.device = "cuda";
        return 1;
    case 'o':
        a->options.one_round = 1;
        return 1;
    case 't':
        a->how.threads = (uint32_t)number;
        return 1;
    case 'T':
        a->options.tolerance = (uint32_t)number;
        return 1;
    case 'n':
        a->options.candidates = (uint32_t)number;
        return 1;
    case 'R':
        a->options.rerank = (uint32_t)number;
        return 1;
    case 'm':
        a->how.device_memory = number;
        return 1;
    case 'r':
        a->runs = (int)number;
        return number > 0 && number <= REPEATS_MOST;
    case 'k':
        return read_several(value, 0, &a->ks);
    case 'q':
        return read_several(value, 0, &a->limits);
    case 'M':
        return read_measure(value, &a->options.measure);
    case 's':
        return read_several(value, 0, &a->shape) && a->shape.count == 3;
    case 'w':
        return read_several(value, 1, &a->techniques);
    default:
        return 0;
    }
}

static akin_status run(bench *b, const asked_for *a, const char *const paths[2], akin_error *error)
{
    const uint32_t *shape = a->shape.values;
    b->options = a->options;
    b->limit = 0;
    for (uint32_t i = 0; i < a->limits.count; i++)
        b->limit = a->limits.values[i] > b->limit ? a->limits.values[i] : b->limit;
    akin_status status = akin_context_create(&a->how, &b->context, error);
    if (status == AKIN_OK)
        status = akin_context_use(b->context, akin_papers(), error);
    if (status != AKIN_OK)
        return status;
    status = a->shape.count > 0 ? make(b, shape[0], shape[1], shape[2], error) : open_index(b, paths, error);
    if (status == AKIN_OK)
        status = begin(b, error);
    if (status == AKIN_OK)
        status = measure_all(b, &a->techniques, &a->ks, &a->limits, a->runs, error);
    akin_searcher_free(b->searcher);
    akin_search_index_free(b->index);
    akin_query_batch_clear(&b->items);
    akin_sets_free(b->queries.sets);
    akin_matrix_free(b->queries.matrix);
    akin_table_free(b->queries.table);
    akin_context_free(b->context);
    return status;
}

int main(int argc, char **argv)
{
    asked_for a = {.how = AKIN_CONTEXT_OPTIONS_INIT,
                   .options = AKIN_SEARCH_OPTIONS_INIT,
                   .techniques = {{AKIN_SEARCH_AUTO}, 1},
                   .ks = {{10}, 1},
                   .limits = {{UINT32_MAX}, 1},
                   .runs = 5};
    bench b = {.papers = AKIN_PAPERS_SEARCH_OPTIONS_INIT};
    a.how.threads = 1;
    a.how.device = "cpu";
    for (int option; (option = getopt(argc, argv, "gok:t:r:R:T:n:w:s:m:M:q:")) != -1;)
        if (!read_option(&a, option, optarg))
            return usage();
    if (argc - optind != (a.shape.count > 0 ? 0 : 2))
        return usage();
    akin_error error;
    const char *const paths[2] = {argv[optind], a.shape.count > 0 ? NULL : argv[optind + 1]};
    akin_status status = run(&b, &a, paths, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "search_bench: %s\n", error.message);
    return status != AKIN_OK;
}
