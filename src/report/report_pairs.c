/* Goes through the pairs that a job found, and those near them: counts for a report, and lists those near the
 * threshold. */
#include "report/report.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#define CHUNK 4096 /* pairs that are measured at once */

/* The lists of a report, each of the pairs that come first by some order. */
enum {
    ABOVE,   /* found, nearest to the threshold */
    BELOW,   /* not found, nearest to it */
    WRONG,   /* found, not right, nearest to it */
    SURE,    /* the same, most alike */
    MISSED,  /* right, not found, nearest to it, of those gathered */
    FAR,     /* right, compared, further below: most alike */
    SKIPPED, /* right, not compared: most alike */
    SAMPLE,  /* some of those found, by a hash */
    LISTS
};

typedef struct examination {
    akin_report *report;
    const akin_dedupe_view *job;
    akin_gathered_pairs gathered; /* of a job that learns, in the place of the job's; */
    akin_scored_pair *own;        /* its pairs */
    akin_shortlist lists[LISTS];
    akin_measured chunk;
    uint64_t *records; /* of a chunk */
} examination;

/* --------------------------------------------------------------------------------------------------------- counting */

/* Whether a selection selects a pair; *which has a bit for each that does, of the first 64. */
static int is_selected(const akin_dedupe_view *job, uint64_t records, uint64_t *which)
{
    int any = 0;
    *which = 0;
    for (uint32_t i = 0; i < job->options->selection_count; i++)
        if (akin_selector_has(&job->selectors[i], (uint32_t)(records >> 32), (uint32_t)records)) {
            *which |= i < 64 ? UINT64_C(1) << i : 0;
            any = 1;
        }
    return any;
}

/* Credits the selections with a pair that was found. */
static void credit(akin_report *report, const akin_dedupe_view *job, uint64_t records)
{
    uint32_t a = (uint32_t)(records >> 32), b = (uint32_t)records, last = 0, count = 0;
    for (uint32_t i = 0; i < job->options->selection_count; i++)
        if (akin_selector_has(&job->selectors[i], a, b)) {
            report->credits[i]++;
            last = i;
            count++;
        }
    report->soles[last] += (uint64_t)(count == 1);
}

/* Counts a pair that was gathered, and offers it to the lists that it is for. */
static void take_pair(examination *x, const akin_scored_pair *pair, int reaches)
{
    akin_report *report = x->report;
    uint64_t records = akin_report_records(&report->records, pair);
    double similarity = pair->similarity, threshold = akin_ratio_value(report->job_options.threshold);
    uint64_t place = akin_report_find_gold(report, records);
    int is_beaten = akin_report_is_beaten(report, records), is_found = reaches && !is_beaten;
    int is_right = place < report->gold.count;
    uint32_t bin = akin_report_bin(similarity);
    if (is_right)
        report->gold.kinds[place] = is_found ? AKIN_REPORT_FOUND : reaches ? AKIN_REPORT_BEATEN : AKIN_REPORT_NEAR;
    report->right_bins[bin] += (uint64_t)is_right;
    report->kept_bins[bin] += (uint64_t)!is_beaten;
    report->learnt.sums[bin] += is_beaten ? 0 : similarity;
    report->kept_right_bins[bin] += (uint64_t)(is_right && !is_beaten);
    if (is_found) {
        report->found_bins[bin]++;
        credit(report, x->job, records);
        akin_shortlist_offer(&x->lists[ABOVE], akin_shortlist_key(similarity - threshold, records));
        akin_shortlist_offer(&x->lists[SAMPLE], (akin_u128)akin_random_mixed(records) << 64 | records);
        if (report->gold.count > 0 && !is_right) {
            akin_shortlist_offer(&x->lists[WRONG], akin_shortlist_key(similarity - threshold, records));
            akin_shortlist_offer(&x->lists[SURE], akin_shortlist_key(1 - similarity, records));
        }
        return;
    }
    report->near_bins[bin]++;
    akin_shortlist_offer(&x->lists[BELOW], akin_shortlist_key(fabs(threshold - similarity), records));
    if (is_right)
        akin_shortlist_offer(&x->lists[MISSED], akin_shortlist_key(fabs(threshold - similarity), records));
}

static akin_status take_pairs(examination *x, akin_error *error)
{
    for (uint32_t t = 0; t < x->job->threads; t++) {
        const akin_gathered_pairs *stored = &x->job->stored[t];
        for (uint64_t i = 0; i < stored->count; i++) {
            akin_status status = akin_records_check_cancelled(x->report->scope, (uint32_t)(i % 65536), error);
            if (status != AKIN_OK)
                return status;
            take_pair(x, &stored->pairs[i], i < stored->reaching);
        }
    }
    return AKIN_OK;
}

/* Of a job that learns: the pairs that are not gathered, which hardly anybody wants to see. */
static akin_status take_rest(examination *x, akin_error *error)
{
    akin_report *report = x->report;
    const akin_learnt *learnt = x->job->learnt;
    const akin_level_pairs *pairs = &learnt->training.pairs;
    const double threshold = akin_ratio_value(report->job_options.threshold);
    uint64_t at = 0; /* among candidates */
    for (uint64_t i = 0; i < pairs->count; i++) {
        const double p = learnt->probabilities[i];
        const int is_candidate = at < learnt->candidate_count && learnt->candidates[at] == i;
        akin_status status = akin_records_check_cancelled(report->scope, (uint32_t)(i % 65536), error);
        if (status != AKIN_OK)
            return status;
        at += (uint64_t)is_candidate;
        if (akin_report_is_gathered(report, p))
            continue;
        const uint32_t bin = akin_report_bin(p);
        report->near_bins[bin]++;
        report->kept_bins[bin] += (uint64_t)is_candidate;
        report->learnt.sums[bin] += is_candidate ? p : 0;
        akin_shortlist_offer(&x->lists[BELOW],
                             akin_shortlist_key(threshold - p, akin_two_records(pairs->left[i], pairs->right[i])));
    }
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------- measuring */

/* Receives the pairs of a chunk that have been measured. */
typedef void (*take_measured)(examination *x, const uint64_t *records, const akin_measured *chunk, uint64_t count);

/* Measures the pairs of a list, in the order of their keys. */
static akin_status measure_list(examination *x, akin_shortlist *list, take_measured take, akin_error *error)
{
    akin_status status = AKIN_OK;
    akin_sort_u128(list->keys, list->count);
    for (uint64_t first = 0; first < list->count && status == AKIN_OK; first += CHUNK) {
        uint64_t count = akin_min_u64(CHUNK, list->count - first);
        for (uint64_t i = 0; i < count; i++)
            x->records[i] = (uint64_t)list->keys[first + i];
        status = akin_measure_pairs(x->report->scope, x->job->scoring, x->records, count, &x->chunk, error);
        if (status == AKIN_OK)
            take(x, x->records, &x->chunk, count);
    }
    return status;
}

static void count_found(examination *x, const uint64_t *records, const akin_measured *chunk, uint64_t count)
{
    uint32_t attributes = x->job->options->attribute_count;
    const double *each = chunk->each;
    (void)records;
    x->report->found_measured += count;
    for (uint64_t i = 0; i < count * attributes; i++) {
        akin_report_column *column = &x->report->columns[i % attributes];
        column->found_missing += isnan(each[i]) != 0;
        column->found_low += each[i] < 0;
        if (each[i] >= 0)
            column->found[akin_step_of(each[i]) - 1]++;
    }
}

static void offer_far(examination *x, const uint64_t *records, const akin_measured *chunk, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t place = akin_report_find_gold(x->report, records[i]);
        int list = x->report->gold.kinds[place] == AKIN_REPORT_BELOW ? FAR : SKIPPED;
        akin_shortlist_offer(&x->lists[list], akin_shortlist_key(1 - chunk->averages[i], records[i]));
    }
}

/* Decides why the right pairs that were not gathered are missing, and measures some thousands of them at most, chosen
 * by a hash. */
static akin_status measure_far(examination *x, akin_error *error)
{
    akin_report_gold *gold = &x->report->gold;
    akin_shortlist far = {0};
    uint64_t which;
    if (!akin_shortlist_make(&far, &x->report->account, AKIN_REPORT_SAMPLE / 5))
        return akin_fail_memory(error, "the report");
    for (uint64_t i = 0; i < gold->count; i++) {
        uint64_t records = akin_report_gold_records(x->report, i);
        if (gold->kinds[i] == AKIN_REPORT_BELOW) {
            gold->kinds[i] = is_selected(x->job, records, &which) ? AKIN_REPORT_BELOW : AKIN_REPORT_SKIPPED;
            akin_shortlist_offer(&far, (akin_u128)akin_random_mixed(records) << 64 | records);
        }
        gold->of_kind[gold->kinds[i]]++;
    }
    akin_status status = measure_list(x, &far, offer_far, error);
    akin_shortlist_clear(&far);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- listing */

/* What became of a pair that is listed, whose probability is known. */
static akin_report_kind kind_of_learnt(const examination *x, akin_report_pair *pair)
{
    const akin_report *report = x->report;
    const int is_completed = akin_report_is_completed(report, pair->records);
    if (!is_selected(x->job, pair->records, &pair->selected) && !is_completed)
        return AKIN_REPORT_SKIPPED;
    if (!pair->reaches)
        return akin_report_is_gathered(report, pair->average) ? AKIN_REPORT_NEAR : AKIN_REPORT_BELOW;
    return akin_report_is_beaten(report, pair->records) ? AKIN_REPORT_BEATEN : AKIN_REPORT_FOUND;
}

/* The same as list_measured, of a job that learns. */
static void list_learnt(examination *x, const uint64_t *records, const akin_measured *chunk, uint64_t count)
{
    akin_report *report = x->report;
    const uint64_t attributes = x->job->options->attribute_count, width = akin_report_parts(report);
    memcpy(report->each + report->pair_count * attributes, chunk->each, count * attributes * sizeof *chunk->each);
    for (uint64_t i = 0; i < count; i++) {
        akin_report_pair *pair = &report->pairs[report->pair_count];
        *pair = (akin_report_pair){.records = records[i]};
        pair->average = akin_report_weigh(report, x->job, records[i], chunk->each + i * attributes,
                                          report->learnt.parts + report->pair_count * width);
        pair->reaches = pair->average >= report->learnt.threshold;
        pair->is_right = akin_report_find_gold(report, records[i]) < report->gold.count;
        pair->kind = kind_of_learnt(x, pair);
        report->pair_count++;
    }
}

static void list_measured(examination *x, const uint64_t *records, const akin_measured *chunk, uint64_t count)
{
    akin_report *report = x->report;
    uint64_t attributes = x->job->options->attribute_count, first = report->pair_count * attributes;
    memcpy(report->each + first, chunk->each, count * attributes * sizeof *chunk->each);
    memcpy(report->counts + first, chunk->counts, count * attributes * sizeof *chunk->counts);
    for (uint64_t i = 0; i < count; i++) {
        akin_report_pair *pair = &report->pairs[report->pair_count++];
        int reaches = chunk->reached[i] == 2;
        *pair = (akin_report_pair){.records = records[i], .reaches = reaches, .average = chunk->averages[i]};
        pair->is_right = akin_report_find_gold(report, records[i]) < report->gold.count;
        pair->kind = !is_selected(x->job, records[i], &pair->selected)      ? AKIN_REPORT_SKIPPED
                     : reaches && akin_report_is_beaten(report, records[i]) ? AKIN_REPORT_BEATEN
                     : reaches                                              ? AKIN_REPORT_FOUND
                     : chunk->reached[i] == 1                               ? AKIN_REPORT_NEAR
                                                                            : AKIN_REPORT_BELOW;
    }
}

/* Puts those first that are nearest to the threshold. */
static akin_status order_listed(akin_report *report, akin_error *error)
{
    double threshold = akin_ratio_value(report->job_options.threshold);
    akin_u128 *keys = akin_alloc(&report->account, report->pair_count, sizeof *keys);
    report->order = akin_alloc(&report->account, report->pair_count, sizeof *report->order);
    if (!keys || !report->order) {
        akin_free(keys);
        return akin_fail_memory(error, "the report");
    }
    for (uint64_t i = 0; i < report->pair_count; i++)
        keys[i] = akin_shortlist_key(fabs(report->pairs[i].average - threshold), i);
    akin_sort_u128(keys, report->pair_count);
    for (uint64_t i = 0; i < report->pair_count; i++)
        report->order[i] = (uint32_t)keys[i];
    akin_free(keys);
    return AKIN_OK;
}

/* Measures the pairs of all lists but the sample, each once, by their distance from the threshold. */
static akin_status list_pairs(examination *x, akin_error *error)
{
    akin_report *report = x->report;
    akin_shortlist all = {0};
    uint64_t room = 0, kept = 0;
    for (int list = 0; list < SAMPLE; list++)
        room += x->lists[list].count;
    int done = akin_shortlist_make(&all, &report->account, room + 1);
    report->pairs = akin_alloc(&report->account, room, sizeof *report->pairs);
    report->each = akin_alloc(&report->account, room * x->job->options->attribute_count, sizeof *report->each);
    report->counts = akin_alloc(&report->account, room * x->job->options->attribute_count, sizeof *report->counts);
    report->learnt.parts = akin_alloc(&report->account, room * akin_report_parts(report), sizeof *report->learnt.parts);
    done = done && report->pairs && report->each && report->counts && report->learnt.parts;
    for (int list = 0; done && list < SAMPLE; list++)
        for (uint64_t i = 0; i < x->lists[list].count; i++)
            all.keys[all.count++] = (uint64_t)x->lists[list].keys[i];
    if (done)
        akin_sort_u128(all.keys, all.count);
    for (uint64_t i = 0; i < all.count; i++)
        if (i == 0 || all.keys[i] != all.keys[kept - 1])
            all.keys[kept++] = all.keys[i];
    all.count = kept;
    akin_status status = done ? measure_list(x, &all, report->learnt.is_there ? list_learnt : list_measured, error)
                              : akin_fail_memory(error, "the report");
    akin_shortlist_clear(&all);
    return status == AKIN_OK ? order_listed(report, error) : status;
}

/* ----------------------------------------------------------------------------------------------------- examination */

static int make_lists(examination *x)
{
    akin_report *report = x->report;
    uint64_t each = report->options.pairs, few = (each + 1) / 2, attributes = x->job->options->attribute_count;
    akin_account *account = &report->account;
    int done = 1;
    for (int list = 0; list < LISTS; list++) {
        uint64_t most = list <= BELOW ? each : list == SAMPLE ? AKIN_REPORT_SAMPLE : few;
        done = done && akin_shortlist_make(&x->lists[list], account, most);
    }
    x->chunk = (akin_measured){.each = akin_alloc(account, CHUNK * attributes, sizeof *x->chunk.each),
                               .counts = akin_alloc(account, CHUNK * attributes, sizeof *x->chunk.counts),
                               .averages = akin_alloc(account, CHUNK, sizeof *x->chunk.averages),
                               .reached = akin_alloc(account, CHUNK, sizeof *x->chunk.reached),
                               .thresholds = {report->least, report->job_options.threshold}};
    x->records = akin_alloc(account, CHUNK, sizeof *x->records);
    return done && x->chunk.each && x->chunk.counts && x->chunk.averages && x->chunk.reached && x->records;
}

akin_status akin_report_examine(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    double begun = akin_clock();
    akin_dedupe_view shown = *job;
    examination x = {.report = report, .job = &shown};
    akin_status status = make_lists(&x) ? AKIN_OK : akin_fail_memory(error, "the report");
    if (status == AKIN_OK)
        status = akin_report_read_gold(report, error);
    if (status == AKIN_OK && job->learnt) {
        status = akin_report_gather_learnt(report, job, &x.own, &x.gathered, error);
        shown.stored = &x.gathered;
        shown.threads = 1;
    } else if (status == AKIN_OK && report->job_options.one_to_one) {
        status = akin_report_find_beaten(report, job, error);
    }
    if (status == AKIN_OK)
        status = take_pairs(&x, error);
    if (status == AKIN_OK && job->learnt)
        status = take_rest(&x, error);
    if (status == AKIN_OK)
        status = measure_list(&x, &x.lists[SAMPLE], count_found, error);
    if (status == AKIN_OK && report->gold.count > 0)
        status = measure_far(&x, error);
    if (status == AKIN_OK)
        status = list_pairs(&x, error);
    if (status == AKIN_OK)
        status = akin_report_cluster_pairs(report, &shown, error);
    if (status == AKIN_OK && report->gold.count > 0)
        status = akin_report_evaluate(report, &shown, error);
    for (int list = 0; list < LISTS; list++)
        akin_shortlist_clear(&x.lists[list]);
    akin_free(x.chunk.each);
    akin_free(x.chunk.counts);
    akin_free(x.chunk.averages);
    akin_free(x.chunk.reached);
    akin_free(x.records);
    akin_free(x.own);
    report->seconds += akin_clock() - begun;
    return status;
}
