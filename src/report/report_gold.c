/* Reads the pairs that are known to be right, and evaluates the found pairs against them. */
#include "report/report.h"

#include "dict/dictionary.h"
#include "base/bits.h"

#include <stdio.h>

/* ------------------------------------------------------------------------------------------------------------- ids */

/* The id of a row. *length 0: it has none. */
static const char *id_of(const akin_column *ids, uint32_t row, uint64_t *length)
{
    int there = !ids->validity || (ids->validity[row / 8] >> row % 8 & 1);
    *length = there ? ids->offsets[row + (uint64_t)1] - ids->offsets[row] : 0;
    return ids->bytes + ids->offsets[row];
}

/* Numbers the ids of a table's records: that of row r is r. */
static akin_status number_records(akin_report *report, uint32_t side, akin_dictionary *dictionary, akin_error *error)
{
    const akin_column *ids = report->options.ids[side];
    for (uint32_t row = 0; row < report->records.rows[side]; row++) {
        char number[16];
        uint64_t length = 0;
        uint32_t id = 0;
        akin_status status = akin_records_check_cancelled(report->scope, row, error);
        if (status != AKIN_OK)
            return status;
        const char *text = number;
        if (ids)
            text = id_of(ids, row, &length);
        else
            length = (uint64_t)snprintf(number, sizeof number, "%u", row);
        if (length == 0)
            return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, row, ids ? ids->name : NULL,
                                 " of the %s table has no id", side ? "right" : "left");
        status = akin_dictionary_add(dictionary, text, length, &id, error);
        if (status != AKIN_OK)
            return status;
        if (id != row)
            return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_REPEATED, row, ids ? ids->name : NULL,
                                 " of the %s table has the id of row %u", side ? "right" : "left", id);
    }
    return AKIN_OK;
}

/* Numbers the ids of the gold standard. */
static akin_status number_gold(akin_report *report, akin_dictionary *const dictionaries[2], akin_error *error)
{
    akin_report_gold *gold = &report->gold;
    int linked = report->records.tables == 2;
    for (uint32_t row = 0; row < report->options.gold_rows; row++) {
        uint32_t nodes[2] = {0, 0};
        akin_status status = akin_records_check_cancelled(report->scope, row, error);
        for (int side = 0; side < 2 && status == AKIN_OK; side++) {
            uint64_t length;
            const char *text = id_of(report->options.gold[side], row, &length);
            status = length ? akin_dictionary_add(dictionaries[side], text, length, &nodes[side], error)
                            : akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, row, side ? "right" : "left",
                                            " of the gold pairs has no %s id", side ? "right" : "left");
        }
        if (status != AKIN_OK)
            return status;
        if (linked || nodes[0] != nodes[1])
            gold->pairs[gold->count++] = linked ? akin_nodes(nodes[0], nodes[1]) : akin_two_records(nodes[0], nodes[1]);
    }
    return AKIN_OK;
}

/* Sorts the pairs, and separates those with a record that is not in the tables. */
static akin_status settle_gold(akin_report *report, akin_error *error)
{
    akin_report_gold *gold = &report->gold;
    uint32_t rights = report->records.rows[report->records.tables - 1];
    uint64_t kept = 0;
    akin_sort_u64(gold->pairs, gold->count);
    for (uint64_t i = 0; i < gold->count; i++)
        if (i == 0 || gold->pairs[i] != gold->pairs[kept - 1])
            gold->pairs[kept++] = gold->pairs[i];
    gold->count = kept;
    gold->kinds = akin_alloc(&report->account, gold->count, sizeof *gold->kinds);
    if (!gold->kinds)
        return akin_fail_memory(error, "the report");
    for (uint64_t i = 0; i < gold->count; i++) {
        int known = gold->pairs[i] >> 32 < report->records.rows[0] && (uint32_t)gold->pairs[i] < rights;
        gold->kinds[i] = known ? AKIN_REPORT_BELOW : AKIN_REPORT_UNKNOWN;
    }
    return AKIN_OK;
}

akin_status akin_report_read_gold(akin_report *report, akin_error *error)
{
    akin_report_gold *gold = &report->gold;
    akin_dictionary *dictionaries[2] = {NULL, NULL};
    uint32_t tables = report->records.tables;
    akin_status status = AKIN_OK;
    if (report->options.gold_rows == 0)
        return AKIN_OK;
    gold->pairs = akin_alloc(&report->account, report->options.gold_rows, sizeof *gold->pairs);
    if (!gold->pairs)
        return akin_fail_memory(error, "the report");
    for (uint32_t side = 0; side < tables && status == AKIN_OK; side++) {
        status = akin_dictionary_create_within(report->scope, &dictionaries[side], error);
        if (status == AKIN_OK)
            status = number_records(report, side, dictionaries[side], error);
    }
    akin_dictionary *const of_sides[2] = {dictionaries[0], dictionaries[tables == 2]};
    if (status == AKIN_OK)
        status = number_gold(report, of_sides, error);
    if (status == AKIN_OK) {
        gold->lefts = akin_dictionary_count(of_sides[0]);
        gold->rights = akin_dictionary_count(of_sides[1]);
        status = settle_gold(report, error);
    }
    akin_dictionary_free(dictionaries[0]);
    akin_dictionary_free(dictionaries[1]);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- places */

uint64_t akin_report_gold_records(const akin_report *report, uint64_t place)
{
    return report->gold.pairs[place] + (report->records.tables == 2 ? report->records.rows[0] : 0);
}

uint64_t akin_report_find_gold(const akin_report *report, uint64_t records)
{
    const akin_report_gold *gold = &report->gold;
    uint64_t nodes = records - (report->records.tables == 2 ? report->records.rows[0] : 0);
    uint64_t at = akin_lower_bound_u64(gold->pairs, gold->count, nodes);
    return at < gold->count && gold->pairs[at] == nodes ? at : gold->count;
}

/* ------------------------------------------------------------------------------------------------------- evaluation */

/* How good the pairs are as they stand follows from how many of each hundredth there are. */
static void evaluate_pairs(akin_report *report)
{
    akin_report_gold *gold = &report->gold;
    akin_tally all = {.golds = gold->count, .points = AKIN_CURVE_POINTS}, found = {.golds = gold->count, .points = 1};
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++) {
        all.found[k + 1] = report->kept_bins[k];
        all.both[k + 1] = report->kept_right_bins[k];
        found.found[1] += report->found_bins[k];
    }
    found.both[1] = gold->of_kind[AKIN_REPORT_FOUND];
    akin_tally_sum(&all, gold->curve[0]);
    akin_tally_sum(&found, &gold->at[0]);
}

/* Lists the pairs that were gathered, or of one threshold those that were found. */
static void add_pairs(const akin_report *report, const akin_dedupe_view *job, akin_tally *tally)
{
    for (uint32_t t = 0; t < job->threads; t++)
        for (uint64_t i = 0; i < job->stored[t].count; i++) {
            const akin_scored_pair *p = &job->stored[t].pairs[i];
            int is_beaten = akin_report_is_beaten(report, akin_report_records(&report->records, p));
            if (!is_beaten && (tally->points > 1 || i < job->stored[t].reaching))
                akin_tally_add(tally, &tally->pairs, p->left, p->right,
                               tally->points > 1 ? akin_report_bin(p->similarity) + 1 : 1);
        }
}

static akin_status evaluate_closures(akin_report *report, const akin_dedupe_view *job, uint32_t points,
                                     akin_evaluation *out, akin_error *error)
{
    const akin_report_gold *gold = &report->gold;
    akin_tally tally = {.scope = report->scope,
                        .account = &report->account,
                        .linked = report->records.tables == 2,
                        .closed = 1,
                        .lefts = gold->lefts,
                        .rights = gold->rights,
                        .points = points};
    uint64_t count = 0;
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++)
        count += points > 1 ? report->kept_bins[k] : report->found_bins[k];
    tally.pairs.keys = akin_alloc(&report->account, count, sizeof *tally.pairs.keys);
    tally.gold.keys = akin_alloc(&report->account, gold->count, sizeof *tally.gold.keys);
    akin_status status =
        tally.pairs.keys && tally.gold.keys ? AKIN_OK : akin_fail_memory(error, "the pairs to evaluate");
    if (status == AKIN_OK) {
        add_pairs(report, job, &tally);
        for (uint64_t i = 0; i < gold->count; i++)
            akin_tally_add(&tally, &tally.gold, (uint32_t)(gold->pairs[i] >> 32), (uint32_t)gold->pairs[i], 1);
        status = akin_tally_count(&tally, out, error);
    }
    akin_free(tally.pairs.keys);
    akin_free(tally.gold.keys);
    return status;
}

/* Evaluates the clusters as wholes, whatever made them: of pairs of a record with the first one of its cluster. */
static akin_status evaluate_clusters(akin_report *report, akin_error *error)
{
    akin_report_gold *gold = &report->gold;
    const uint32_t border = report->records.tables == 2 ? report->records.rows[0] : report->records.count;
    const uint32_t shift = report->records.tables == 2 ? gold->lefts : 0; /* of ids of the right table */
    akin_tally tally = {.scope = report->scope,
                        .account = &report->account,
                        .closed = 1,
                        .lefts = gold->lefts + (report->records.tables == 2 ? gold->rights : 0),
                        .points = 1};
    akin_evaluation pairs = {0};
    tally.pairs.keys = akin_alloc(&report->account, report->records.count, sizeof *tally.pairs.keys);
    tally.gold.keys = akin_alloc(&report->account, gold->count, sizeof *tally.gold.keys);
    akin_status status =
        tally.pairs.keys && tally.gold.keys ? AKIN_OK : akin_fail_memory(error, "the clusters to evaluate");
    for (uint32_t r = 0; r < report->records.count && status == AKIN_OK; r++) {
        const uint32_t first = akin_clusters_row(report->clusters, r);
        akin_tally_add(&tally, &tally.pairs, first < border ? first : first - border + shift,
                       r < border ? r : r - border + shift, 1);
    }
    for (uint64_t i = 0; i < gold->count && status == AKIN_OK; i++)
        akin_tally_add(&tally, &tally.gold, (uint32_t)(gold->pairs[i] >> 32), (uint32_t)gold->pairs[i] + shift, 1);
    if (status == AKIN_OK)
        status = akin_tally_count(&tally, &pairs, error);
    if (status == AKIN_OK)
        status = akin_agreement_count(&tally, &(akin_drawing){.times = 0}, &gold->clusters, error);
    gold->clusters.pairs = pairs;
    akin_free(tally.pairs.keys);
    akin_free(tally.gold.keys);
    return status;
}

/* Under a bound what there is no memory for is left out. */
akin_status akin_report_evaluate(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    akin_report_gold *gold = &report->gold;
    evaluate_pairs(report);
    akin_status status = evaluate_clusters(report, error);
    gold->has_clusters = status == AKIN_OK;
    if (status == AKIN_OK && !report->is_split) { /* else clusters are not the closures of pairs */
        status = evaluate_closures(report, job, 1, &gold->at[1], error);
        if (status == AKIN_OK)
            status = evaluate_closures(report, job, AKIN_CURVE_POINTS, gold->curve[1], error);
        gold->has_closures = status == AKIN_OK;
    }
    return status == AKIN_E_NOMEM && report->account.limit ? AKIN_OK : status;
}
