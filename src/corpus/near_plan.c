/* What a job of near-duplicates takes, foreseen: the job runs on a sample, and what it took is scaled. */
#include "corpus/near_plan.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/bulk.h"
#include "base/context.h"
#include "base/options.h"
#include "corpus/kept_index.h"
#include "corpus/near_duplicates.h"
#include "corpus/near_options.h"
#include "device/devices.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define STRETCHES 64   /* of rows, that a sample is made of */
#define MOST      1e18 /* no figure is more */
#define PADDING   64   /* bytes behind a text */

AKIN_OPTIONS_END(akin_duplicates_plan_options, times);

static const char what[] = "the sample of a plan"; /* the memory is for */

typedef struct job {
    const akin_scope *scope;
    akin_duplicates_plan_options own;
    akin_duplicates_options find; /* of the trials */
    int has_order, has_sources;
    akin_column documents; /* the sample, */
    uint32_t rows;
    double times;             /* and how many times as many bytes all documents have */
    akin_bulk offsets, bytes; /* of the sample, if it is copied */
    uint64_t text;            /* its bytes */
} job;

static uint64_t whole(double figure)
{
    return figure < MOST ? (uint64_t)(figure + 0.5) : (uint64_t)MOST;
}

/* ----------------------------------------------------------------------------------------------------------- sample */

/* The end of a stretch of rows from `begin` on, of so many bytes. */
static uint32_t stretch_end(const uint64_t *offsets, uint32_t begin, uint32_t rows, uint64_t bytes)
{
    uint32_t end = begin;
    while (end < rows && (end == begin || offsets[end + UINT64_C(1)] - offsets[begin] <= bytes))
        end++;
    return end;
}

/* Copies a stretch to the end of the sample. Nulls are texts without a token, too. */
static void copy_stretch(job *j, const akin_column *from, uint32_t begin, uint32_t end)
{
    uint64_t *offsets = j->offsets.data;
    const uint64_t first = from->offsets[begin], length = from->offsets[end] - first, at = offsets[j->rows];
    if (length > 0)
        memcpy((char *)j->bytes.data + at, from->bytes + first, length);
    for (uint32_t row = begin; row < end; row++)
        offsets[++j->rows] = at + from->offsets[row + UINT64_C(1)] - first;
}

/* Runs over the stretches of a sample. Without `copy` they are counted. */
static void visit_stretches(job *j, const akin_column *from, uint32_t rows, int copies, uint64_t *count,
                            uint64_t *bytes)
{
    uint32_t behind = 0; /* the last stretch */
    *count = *bytes = 0;
    for (uint64_t i = 0; i < STRETCHES; i++) {
        const uint32_t begin = akin_max_u32(behind, (uint32_t)(i * rows / STRETCHES));
        behind = stretch_end(from->offsets, begin, rows, j->own.bytes / STRETCHES);
        *count += behind - begin;
        *bytes += from->offsets[behind] - from->offsets[begin];
        if (copies && behind > begin)
            copy_stretch(j, from, begin, behind);
    }
}

/* Takes all documents, if they are few; else stretches from all over. */
static akin_status take_sample(job *j, const akin_column *documents, uint32_t rows, akin_error *error)
{
    const uint64_t all = rows > 0 ? documents->offsets[rows] - documents->offsets[0] : 0;
    uint64_t count, bytes;
    j->documents = *documents;
    j->rows = rows;
    j->text = all;
    j->times = j->own.times;
    if (all <= j->own.bytes)
        return AKIN_OK;
    visit_stretches(j, documents, rows, 0, &count, &bytes);
    akin_status status = akin_bulk_reserve_zeros(&j->offsets, (count + 1) * sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve_zeros(&j->bytes, bytes + PADDING, what, error);
    if (status != AKIN_OK)
        return status;
    j->rows = 0;
    visit_stretches(j, documents, rows, 1, &count, &bytes);
    j->documents = (akin_column)AKIN_COLUMN_INIT;
    j->documents.offsets = j->offsets.data;
    j->documents.bytes = j->bytes.data;
    j->text = bytes;
    j->times *= (double)all / (double)akin_max_u64(1, bytes);
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- figures */

/* Bytes of arrays with an entry for each document, which a bound puts into temporary files. */
static double rows_memory(const job *j, double documents, double *temporary)
{
    const struct {
        double bytes; /* of a document */
        akin_budget_share share;
    } arrays[] = {{sizeof(akin_duplicate), AKIN_BUDGET_DUPLICATES},
                  {j->has_order ? sizeof(uint32_t) : 0, AKIN_BUDGET_DOCUMENTS},
                  {j->has_sources ? sizeof(uint32_t) : 0, AKIN_BUDGET_DOCUMENTS}};
    double bytes = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const double own = documents * arrays[i].bytes;
        bytes += own;
        *temporary += j->scope->memory && own > (double)akin_budget(j->scope, arrays[i].share) ? own : 0;
    }
    return bytes;
}

/* What all documents take, by trials with as many counters as the sample needs, and with as many as a bound leaves for
 * its share. */
static void foresee(const job *j, const akin_near_trial *wide, const akin_near_trial *bounded,
                    akin_duplicates_cost *out)
{
    const double times = j->times, rows = (double)j->rows * times, text = (double)j->text * times;
    const double indexed = (double)bounded->survivors.indexed;
    const uint64_t counters = akin_frequencies_bytes(whole((double)wide->hashes * times), UINT64_MAX);
    const akin_survivors_report *s = &wide->survivors;
    /* Under a bound the peak has the room of the index, else the index. */
    const uint64_t index =
        s->index_room > 0 ? akin_kept_index_takes(s->indexed, s->words, s->postings) : s->index_bytes;
    const uint64_t growing = wide->counters + (s->index_room > 0 ? s->index_room : index);
    const uint64_t fixed = wide->report.memory_peak - akin_min_u64(wide->report.memory_peak, growing);
    double temporary = 0, rounds = (double)bounded->report.rounds;
    const double arrays = rows_memory(j, rows, &temporary), columns = text + 8 * (rows + 1);
    if (times > 1 && bounded->survivors.index_room > 0 && indexed > 0) {
        const uint64_t holds =
            akin_kept_index_holds(bounded->survivors.index_room, (double)bounded->survivors.words / indexed,
                                  (double)bounded->survivors.postings / indexed);
        rounds = fmax(1, ceil(indexed * times / (double)akin_max_u64(1, holds)));
    }
    if (j->scope->memory && columns > (double)akin_budget(j->scope, AKIN_BUDGET_TABLE))
        temporary += columns;
    out->sampled = j->rows;
    out->documents = whole(rows);
    out->text = whole(text);
    out->tokens = whole((double)wide->tokens * times);
    out->memory = whole(columns + arrays + (double)counters + (double)index * times + (double)fixed);
    out->temporary = whole(temporary);
    out->rounds = whole(rounds);
    out->readings = (j->find.ignore_frequent > 0 ? 2 : 1) + out->rounds;
    out->seconds = times * (bounded->report.seconds_frequency +
                            bounded->report.seconds_survivors * (times > 1 ? (rounds + 1) / 2 : 1));
}

/* Runs the job on the sample. */
static akin_status run(job *j, akin_duplicates_cost *out, akin_error *error)
{
    akin_near_trial wide, bounded;
    akin_status status = akin_duplicates_try(j->scope, &j->documents, j->rows, &j->find, 0, &wide, error);
    if (status != AKIN_OK)
        return status;
    bounded = wide;
    if (j->scope->memory && j->times > 1) {
        const uint64_t all = akin_frequencies_bytes(whole((double)wide.hashes * j->times), wide.counters_room);
        const uint64_t own = akin_max_u64(1, whole((double)all / j->times));
        if (own < wide.counters)
            status = akin_duplicates_try(j->scope, &j->documents, j->rows, &j->find, own, &bounded, error);
        const uint64_t more = all - akin_min_u64(all, bounded.counters);
        if (status == AKIN_OK) /* the counters of all documents leave the index less */
            bounded.survivors.index_room -= akin_min_u64(bounded.survivors.index_room, more / AKIN_LEFT_WITHIN);
    }
    if (status == AKIN_OK)
        foresee(j, &wide, &bounded, out);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* Reads the caller's options. The sample is compared as if it had no columns beside the text. */
static akin_status read_options(job *j, const akin_column *documents, uint32_t rows,
                                const akin_duplicates_plan_options *given, akin_error *error)
{
    akin_near_options near = {.own = AKIN_DUPLICATES_OPTIONS_INIT};
    akin_status status =
        akin_options_read(given, &j->own, sizeof j->own, sizeof j->own, "akin_duplicates_plan_options", error);
    if (status == AKIN_OK && (j->own.bytes == 0 || !(j->own.times >= 1) || j->own.times > MOST))
        return akin_fail(error, AKIN_E_OPTION,
                         j->own.bytes == 0 ? "bytes is 0; expected 1 or more" : "times is not a number from 1 on");
    if (status == AKIN_OK)
        status = akin_near_options_read(j->scope, documents, rows, j->own.find, &near, error);
    if (status == AKIN_OK && near.own.components)
        return akin_fail(error, AKIN_E_OPTION, "a plan and components are wanted: expected one of the two");
    if (status == AKIN_OK && akin_device_is_required(j->scope))
        return akin_fail(error, AKIN_E_OPTION, "a plan is made on the CPU alone: use the device cpu or auto");
    if (j->scope->memory)
        j->own.bytes = akin_min_u64(j->own.bytes, j->scope->memory);
    j->has_order = near.own.keep != AKIN_KEEP_FIRST;
    j->has_sources = near.own.comparing != AKIN_COMPARE_ALL;
    j->find.measure = near.own.measure;
    j->find.threshold = near.own.threshold;
    j->find.text = near.own.text;
    j->find.ignore_frequent = near.own.ignore_frequent;
    return status;
}

akin_status akin_duplicates_plan_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_plan_options *options, akin_duplicates_cost *out,
                                        akin_error *error)
{
    static const char type[] = "akin_duplicates_cost";
    akin_duplicates_cost made = {.size = sizeof made};
    job j = {.scope = scope, .own = AKIN_DUPLICATES_PLAN_OPTIONS_INIT, .find = AKIN_DUPLICATES_OPTIONS_INIT};
    j.offsets = j.bytes = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_TABLE));
    akin_status status = akin_options_check(out, sizeof *out, type, error);
    if (status == AKIN_OK)
        status = read_options(&j, documents, rows, options, error);
    if (status == AKIN_OK)
        status = take_sample(&j, documents, rows, error);
    if (status == AKIN_OK && j.find.ignore_frequent > 0) /* in so many documents of the sample */
        j.find.ignore_frequent = akin_max_u64(1, whole((double)j.find.ignore_frequent / j.times));
    if (status == AKIN_OK)
        status = run(&j, &made, error);
    akin_bulk_clear(&j.offsets);
    akin_bulk_clear(&j.bytes);
    return status == AKIN_OK ? akin_options_write(&made, sizeof made, out, type, error) : status;
}

akin_status akin_duplicates_plan(akin_context *context, const akin_column *documents, uint32_t rows,
                                 const akin_duplicates_plan_options *options, akin_duplicates_cost *out,
                                 akin_error *error)
{
    return akin_duplicates_plan_within(akin_scope_of(context), documents, rows, options, out, error);
}
