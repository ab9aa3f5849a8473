/*
 * How fast an index for searches is made: index_bench [-g] [-t THREADS] [-r REPEATS] [-m MEGABYTES] [-n NGRAM] KIND
 * FILE prints the seconds from data in memory to the index, median and best of REPEATS runs, and the most memory that
 * the process has held. FILE is lines of token ids for sets, else a table if its name says so, else lines of text;
 * columns of a table whose first field is a number are numeric in rows. Of sets FILE may also be `zipf` or `uniform`:
 * 100 million tokens, of a million, are drawn then. -m is the bound of memory. With -g a GPU inverts, and for sets it
 * also prints the time from tokens in its memory to lists, segments and cells in its memory.
 */
#define _GNU_SOURCE

#include <ctype.h>
#include <inttypes.h>
#include <sys/resource.h>
#include <unistd.h>

#include "device/devices.h"
#include "device/primitives.h"
#include "search/inverter.h"
#include "sets/sets.h"
#include "timing.h"

#define COLUMNS 256

typedef struct data {
    akin_search_kind kind;
    akin_sets *sets;
    akin_table *table;
    akin_column columns[COLUMNS];
    const char *numeric[COLUMNS];
    uint32_t count, numeric_count, rows, ngram;
    uint64_t tokens; /* of sets */
} data;

static akin_status draw_sets(akin_context *context, double exponent, akin_sets **out, akin_error *error)
{
    akin_generate_options how = AKIN_GENERATE_OPTIONS_INIT;
    how.rows = 5000000;
    how.universe = 1000000;
    how.size_mean = 20;
    how.size_deviation = 5;
    how.zipf = exponent;
    how.duplicates = 0;
    return akin_sets_generate(context, &how, out, error);
}

static akin_status read_sets(akin_context *context, const char *path, data *d, akin_error *error)
{
    akin_sets_statistics about = {.size = sizeof about};
    akin_status status = strcmp(path, "zipf") == 0      ? draw_sets(context, 0.7, &d->sets, error)
                         : strcmp(path, "uniform") == 0 ? draw_sets(context, 0, &d->sets, error)
                                                        : akin_sets_read(context, path, &d->sets, error);
    if (status == AKIN_OK)
        status = akin_sets_describe(context, d->sets, &about, error);
    d->rows = about.rows;
    d->tokens = about.tokens;
    return status;
}

static akin_status read_table(akin_context *context, const char *path, data *d, akin_error *error)
{
    akin_table_options how = AKIN_TABLE_OPTIONS_INIT;
    if (akin_format_of_name(path, &how.format, NULL) != AKIN_OK)
        how.format = AKIN_FORMAT_TEXT;
    akin_status status = akin_table_read(context, path, &how, &d->table, error);
    d->rows = status == AKIN_OK ? akin_table_rows(d->table) : 0;
    for (; status == AKIN_OK && d->count < COLUMNS && d->count < akin_table_columns(d->table); d->count++) {
        akin_column *column = &d->columns[d->count];
        column->size = sizeof *column;
        status = akin_table_column(d->table, d->count, column, error);
        if (status == AKIN_OK && d->rows > 0 && column->offsets[1] > 0 && isdigit((unsigned char)column->bytes[0]))
            d->numeric[d->numeric_count++] = column->name;
    }
    return status;
}

static akin_status make(akin_context *context, const data *d, akin_search_index **out, akin_error *error)
{
    akin_rows_options rows = AKIN_ROWS_OPTIONS_INIT;
    akin_strings_options strings = AKIN_STRINGS_OPTIONS_INIT;
    rows.numeric = d->numeric;
    rows.numeric_count = d->numeric_count;
    strings.ngram = d->ngram;
    return d->kind == AKIN_KIND_SETS ? akin_search_index_of_sets(context, d->sets, NULL, out, error)
           : d->kind == AKIN_KIND_DOCUMENTS
               ? akin_search_index_of_documents(context, d->columns, d->count, d->rows, NULL, NULL, out, error)
           : d->kind == AKIN_KIND_ROWS
               ? akin_search_index_of_rows(context, d->columns, d->count, d->rows, &rows, NULL, out, error)
               : akin_search_index_of_strings(context, d->columns, d->rows, &strings, NULL, out, error);
}

static double processor_seconds(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

/* Sets on a GPU, and the events that time the work on them. */
typedef struct resident {
    akin_inverter inverter;
    akin_device_buffer tokens, offsets;
    akin_device_event *begun, *done;
} resident;

static akin_status send(akin_context *context, akin_device *device, const akin_sets *sets, resident *r,
                        akin_error *error)
{
    const uint64_t total = sets->offsets[sets->rows], offsets = (sets->rows + UINT64_C(1)) * sizeof *sets->offsets;
    akin_status status = akin_inverter_begin(&r->inverter, akin_scope_of(context), device, error);
    if (status == AKIN_OK)
        status = akin_device_event_create(device, &r->begun, error);
    if (status == AKIN_OK)
        status = akin_device_event_create(device, &r->done, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &r->tokens, total, sizeof *sets->tokens, "tokens", error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &r->offsets, offsets, 1, "offsets", error);
    if (status == AKIN_OK)
        status =
            akin_device_upload(r->inverter.stream, r->tokens.data, sets->tokens, total * sizeof *sets->tokens, error);
    if (status == AKIN_OK)
        status = akin_device_upload(r->inverter.stream, r->offsets.data, sets->offsets, offsets, error);
    return status;
}

/* Inverts them once. */
static akin_status invert(const akin_sets *sets, uint32_t keywords, resident *r, double *seconds, akin_error *error)
{
    const uint64_t total = sets->offsets[sets->rows];
    akin_device_stream *stream = r->inverter.stream;
    uint32_t wrong = 0;
    akin_status status = akin_inverter_reserve(&r->inverter, total, keywords, error);
    const akin_gpu_postings *p = &r->inverter.postings;
    if (status == AKIN_OK)
        status = akin_device_copy(stream, p->keywords, r->tokens.data, total * sizeof *sets->tokens, error);
    if (status == AKIN_OK)
        status = akin_device_event_record(r->begun, stream, error);
    if (status == AKIN_OK)
        status = akin_device_segments_of(stream, r->offsets.data, sets->rows, 0, total, p->objects, error);
    if (status == AKIN_OK)
        status =
            akin_kernels(stream)->invert->tokens(stream, p, NULL, keywords, akin_inverter_wrong(&r->inverter), error);
    if (status == AKIN_OK)
        status = akin_inverter_run(&r->inverter, &wrong, error);
    if (status == AKIN_OK)
        status = akin_device_event_record(r->done, stream, error);
    if (status == AKIN_OK)
        status = akin_device_event_finish(r->done, error);
    if (status == AKIN_OK)
        status = akin_device_event_seconds(r->begun, r->done, seconds, error);
    return status;
}

static akin_status measure_there(akin_context *context, const akin_sets *sets, int runs, akin_error *error)
{
    akin_device *device = NULL;
    resident r = {.begun = NULL};
    double seconds[REPEATS_MOST] = {0};
    uint32_t keywords = 0;
    akin_status status = akin_device_of(akin_scope_of(context), &device, error);
    for (uint64_t i = 0; i < sets->offsets[sets->rows]; i++)
        keywords = sets->tokens[i] >= keywords ? sets->tokens[i] + 1 : keywords;
    if (status == AKIN_OK)
        status = send(context, device, sets, &r, error);
    for (int run = -1; run < runs && status == AKIN_OK; run++) /* the first one makes room */
        status = invert(sets, keywords, &r, &seconds[run < 0 ? 0 : run], error);
    if (status == AKIN_OK) {
        qsort(seconds, (size_t)runs, sizeof *seconds, rising);
        printf("on the GPU, from its memory to its memory: median %.2f ms, best %.2f ms; %" PRIu64 " segments, %" PRIu64
               " cells\n",
               seconds[runs / 2] * 1e3, seconds[0] * 1e3, r.inverter.made.kept, r.inverter.cells);
    }
    akin_device_event_free(r.begun);
    akin_device_event_free(r.done);
    akin_device_release(device, &r.tokens);
    akin_device_release(device, &r.offsets);
    akin_inverter_clear(&r.inverter);
    return status;
}

static akin_status measure(akin_context *context, const char *path, data *d, int runs, akin_error *error)
{
    akin_search_statistics about = {.size = sizeof about};
    double seconds[REPEATS_MOST] = {0};
    struct rusage before, after;
    akin_status status =
        d->kind == AKIN_KIND_SETS ? read_sets(context, path, d, error) : read_table(context, path, d, error);
    getrusage(RUSAGE_SELF, &before);
    const double worked = processor_seconds(&before);
    for (int run = 0; run < runs && status == AKIN_OK; run++) {
        akin_search_index *index = NULL;
        const double begun = now();
        status = make(context, d, &index, error);
        seconds[run] = now() - begun;
        if (status == AKIN_OK)
            status = akin_search_index_describe(index, &about, error);
        akin_search_index_free(index);
    }
    if (status == AKIN_OK) {
        getrusage(RUSAGE_SELF, &after);
        qsort(seconds, (size_t)runs, sizeof *seconds, rising);
        printf("%" PRIu32 " %s, %" PRIu64 " tokens, %" PRIu32 " keywords, %.1f MB\n", about.objects,
               akin_search_kind_name(about.kind), d->tokens, about.keywords, (double)about.bytes / 1e6);
        printf(
            "seconds: median %.3f, best %.3f; of all processors %.3f; most memory %.0f MB, %.0f MB with the data "
            "alone\n",
            seconds[runs / 2], seconds[0], (processor_seconds(&after) - worked) / runs, (double)after.ru_maxrss / 1024,
            (double)before.ru_maxrss / 1024);
    }
    if (status == AKIN_OK && d->sets && akin_scope_of(context)->device_choice == AKIN_DEVICE_CUDA)
        status = measure_there(context, d->sets, runs, error);
    akin_sets_free(d->sets);
    akin_table_free(d->table);
    return status;
}

static int usage(void)
{
    fprintf(stderr, "usage: index_bench [-g] [-t THREADS] [-r REPEATS] [-m MEGABYTES] [-n NGRAM] KIND FILE\n");
    return 2;
}

int main(int argc, char **argv)
{
    akin_context_options how = AKIN_CONTEXT_OPTIONS_INIT;
    data d = {0};
    int runs = 3;
    how.threads = 1;
    how.device = "cpu";
    for (int option; (option = getopt(argc, argv, "gt:r:m:n:")) != -1;) {
        const unsigned long value = optarg ? strtoul(optarg, NULL, 10) : 0;
        if (option == 'g')
            how.device = "cuda";
        else if (option == 't')
            how.threads = (uint32_t)value;
        else if (option == 'm')
            how.memory = (uint64_t)value << 20;
        else if (option == 'n')
            d.ngram = (uint32_t)value;
        else
            runs = option == 'r' && value > 0 && value <= REPEATS_MOST ? (int)value : 0;
    }
    if (argc - optind != 2 || runs == 0 || akin_search_kind_parse(argv[optind], &d.kind, NULL) != AKIN_OK)
        return usage();
    akin_context *context;
    akin_error error;
    akin_status status = akin_context_create(&how, &context, &error);
    if (status == AKIN_OK) {
        status = measure(context, argv[optind + 1], &d, runs, &error);
        akin_context_free(context);
    }
    if (status != AKIN_OK)
        fprintf(stderr, "index_bench: %s\n", error.message);
    return status != AKIN_OK;
}
