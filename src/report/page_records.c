/* What a page shows of records: pairs near the threshold, and the largest clusters. */
#include "report/page.h"

#include "report/sizes.h"
#include "base/bits.h"
#include "strings/alphabet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SYMBOLS_SHOWN 1000000 /* of all records, at most; each value has its share */
#define VALUE_LEAST   24      /* and at least, */
#define VALUE_MOST    240     /* and at most */
#define LEAD          20      /* symbols that are shown before two long values begin to differ, of few half */

/* ----------------------------------------------------------------------------------------------------------- values */

typedef struct value {
    const char *text;
    size_t length;
    int is_there; /* neither null nor empty */
} value;

/* The value of a row. */
static value value_of_row(const akin_column *column, uint32_t row)
{
    value v = {column->bytes + column->offsets[row],
               (size_t)(column->offsets[row + (uint64_t)1] - column->offsets[row]), 0};
    v.is_there = akin_column_has_text(column, row);
    return v;
}

/* Of columns that are combined: their values that are there, with a blank between. `which` of two that are needed at a
 * time it is. */
static value combine(akin_page *page, const akin_column *columns, uint32_t row, const akin_combined *combined,
                     int which)
{
    akin_html *html = &page->html;
    uint64_t length = 0;
    for (uint32_t part = 0; part < combined->count && html->status == AKIN_OK; part++) {
        value v = value_of_row(&columns[combined->columns[part]], row);
        char *to = akin_enlarge(NULL, page->combined[which], &page->room[which], length + v.length + 1, 1);
        if (!to) {
            html->status = akin_fail_memory(html->error, "the report");
            break;
        }
        page->combined[which] = to;
        if (!v.is_there)
            continue;
        if (length > 0)
            to[length++] = ' ';
        memcpy(to + length, v.text, v.length);
        length += v.length;
    }
    return (value){page->combined[which], html->status == AKIN_OK ? (size_t)length : 0, length > 0};
}

/* The value of a record, which is one of either table, as it was given. */
static value value_of_record(akin_page *page, uint32_t record, uint32_t column, int which)
{
    const akin_report *r = page->report;
    uint32_t side = record >= r->records.rows[0], row = side ? record - r->records.rows[0] : record;
    const akin_column *columns = r->columns_given[side];
    return column < r->own ? value_of_row(&columns[column], row)
                           : combine(page, columns, row, &r->job_options.combined[column - r->own], which);
}

/* Limits of the values that are shown: the symbols of all listed pairs and clusters together. */
static size_t most_shown(const akin_page *page)
{
    const akin_report *r = page->report;
    uint64_t records = 2 * r->pair_count;
    for (uint32_t i = 0; i < r->largest_count; i++)
        records += akin_min_u64(r->largest[i].size, AKIN_REPORT_MEMBERS);
    uint64_t share = SYMBOLS_SHOWN / akin_max_u64(records * page->shown_count, 1);
    return (size_t)akin_min_u64(akin_max_u64(share, VALUE_LEAST), VALUE_MOST);
}

/* Writes a value, or that there is none. */
static void put_record_value(akin_page *page, const value *v, size_t first)
{
    akin_html *html = &page->html;
    if (!v->is_there) {
        akin_html_markup(html, "<i>missing</i>");
        return;
    }
    akin_html_markup(html, "<bdi>");
    akin_html_cut(html, v->text, v->length, first, most_shown(page));
    akin_html_markup(html, "</bdi>");
}

/* Where to begin to show two values, if one of them is too long. */
static size_t first_shown(const akin_page *page, const value *a, const value *b)
{
    size_t most = most_shown(page), lead = LEAD < most / 2 ? LEAD : most / 2;
    size_t lengths[2] = {akin_html_length(a->text, a->length), akin_html_length(b->text, b->length)};
    if (lengths[0] <= most && lengths[1] <= most)
        return 0;
    size_t alike = akin_html_alike(a->text, a->length, b->text, b->length);
    return alike > most / 2 && (alike < lengths[0] || alike < lengths[1]) ? alike - lead : 0;
}

/* What a record is called. */
static void put_id(akin_page *page, uint32_t record)
{
    const akin_report *r = page->report;
    uint32_t side = record >= r->records.rows[0], row = side ? record - r->records.rows[0] : record;
    const akin_column *ids = r->options.ids[side];
    akin_html *html = &page->html;
    char number[16];
    akin_html_markup(html, "<bdi>");
    if (ids) {
        uint64_t begin = ids->offsets[row], end = ids->offsets[row + (uint64_t)1];
        akin_html_cut(html, ids->bytes + begin, (size_t)(end - begin), 0, VALUE_MOST / 2);
    } else {
        snprintf(number, sizeof number, "%u", row);
        akin_html_markup(html, number);
    }
    akin_html_markup(html, "</bdi>");
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

static void put_pair_columns(akin_page *page)
{
    for (uint32_t i = 0; i < page->shown_count; i++) {
        akin_html_markup(&page->html, "<th scope=\"col\"><bdi>");
        akin_page_column(page, page->shown[i]);
        akin_html_markup(&page->html, "</bdi></th>");
    }
}

/* The evidence of a pair, in bits. */
static void put_evidence(akin_page *page, uint32_t at)
{
    const uint32_t width = akin_report_parts(page->report);
    const double *parts = page->report->learnt.parts + (uint64_t)at * width;
    akin_html_markup(&page->html, "\" data-bits=\"");
    for (uint32_t i = 0; i < width; i++) {
        akin_html_markup(&page->html, i ? " " : "");
        if (isnan(parts[i]))
            akin_html_markup(&page->html, "none");
        else
            akin_html_decimal(&page->html, parts[i], 3);
    }
}

/* What each attribute adds to the sum. */
static void put_counts(akin_page *page, uint32_t at)
{
    const uint32_t attributes = page->report->job_options.attribute_count;
    const double *counts = page->report->counts + (uint64_t)at * attributes;
    akin_html_markup(&page->html, "\" data-counts=\"");
    for (uint32_t i = 0; i < attributes; i++) {
        akin_html_markup(&page->html, i ? " " : "");
        akin_html_double(&page->html, counts[i]);
    }
}

/* What the script makes the waterfall of: similarities, what they add to the sum, and the selections. */
static void put_parts(akin_page *page, uint32_t at)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    uint32_t attributes = r->job_options.attribute_count;
    const double *each = r->each + (uint64_t)at * attributes;
    akin_html_markup(html, " data-each=\"");
    for (uint32_t i = 0; i < attributes; i++) {
        akin_html_markup(html, i ? " " : "");
        if (isnan(each[i]) || each[i] < 0)
            akin_html_markup(html, each[i] < 0 ? "low" : "none");
        else
            akin_html_double(html, each[i]);
    }
    if (r->learnt.is_there)
        put_evidence(page, at);
    else
        put_counts(page, at);
    akin_html_markup(html, "\" data-by=\"");
    for (uint32_t i = 0, any = 0; i < r->job_options.selection_count && i < 64; i++)
        if (r->pairs[at].selected >> i & 1) {
            akin_html_markup(html, any++ ? " " : "");
            akin_html_count(html, i);
        }
    akin_html_markup(html, "\"");
}

static void put_verdict(akin_page *page, const akin_report_pair *pair)
{
    const akin_page_kind *kind = &akin_page_kinds[pair->kind];
    int is_wrong = page->report->gold.count > 0 && pair->kind == AKIN_REPORT_FOUND && !pair->is_right;
    akin_html_markup(&page->html, "<span>");
    akin_html_markup(&page->html, is_wrong ? "wrong" : pair->is_right ? kind->right : kind->listed);
    akin_html_markup(&page->html, "</span>");
}

/* Writes a weighted average with as many digits as show on which side of the threshold it is. */
static void put_average(akin_page *page, const akin_report_pair *pair)
{
    akin_ratio threshold = page->report->job_options.threshold;
    uint64_t scale = 10000;
    int digits = 4;
    if (page->report->learnt.is_there) {
        akin_page_probability(&page->html, pair->average);
        return;
    }
    while (digits < 12 && ((uint64_t)round(pair->average * (double)scale) * (akin_u128)threshold.den >=
                           scale * (akin_u128)threshold.num) != pair->reaches) {
        digits++;
        scale *= 10;
    }
    akin_html_decimal(&page->html, pair->average, digits);
}

static void put_pair(akin_page *page, uint32_t at)
{
    static const char *const kinds[] = {
        [AKIN_REPORT_FOUND] = "found", [AKIN_REPORT_BEATEN] = "beaten",   [AKIN_REPORT_NEAR] = "near",
        [AKIN_REPORT_BELOW] = "below", [AKIN_REPORT_SKIPPED] = "skipped", [AKIN_REPORT_UNKNOWN] = ""};
    const akin_report *r = page->report;
    const akin_report_pair *pair = &r->pairs[at];
    akin_html *html = &page->html;
    uint32_t a = (uint32_t)(pair->records >> 32), b = (uint32_t)pair->records;
    akin_html_markup(html, "<tr data-kind=\"");
    akin_html_markup(html, kinds[pair->kind]);
    if (r->gold.count > 0)
        akin_html_markup(html, pair->is_right ? "\" data-right=\"1" : "\" data-right=\"0");
    akin_html_markup(html, "\" data-average=\"");
    akin_html_double(html, pair->average);
    akin_html_markup(html, "\"");
    put_parts(page, at);
    akin_html_markup(html, "><td>");
    put_average(page, pair);
    akin_html_markup(html, " ");
    put_verdict(page, pair);
    akin_html_markup(html, "</td><td>");
    put_id(page, a);
    put_id(page, b);
    akin_html_markup(html, "</td>");
    for (uint32_t i = 0; i < page->shown_count; i++) {
        value x = value_of_record(page, a, page->shown[i], 0), y = value_of_record(page, b, page->shown[i], 1);
        size_t first = first_shown(page, &x, &y);
        akin_html_markup(html, "<td>");
        put_record_value(page, &x, first);
        put_record_value(page, &y, first);
        akin_html_markup(html, "</td>");
    }
    akin_html_markup(html, "</tr>\n");
}

static void put_record_pairs(akin_page *page)
{
    for (uint64_t i = 0; i < page->report->pair_count; i++)
        put_pair(page, page->report->order[i]);
}

static const char *about_pairs(const akin_report *r)
{
    int is_below = akin_ratio_below(r->least, r->job_options.threshold);
    if (r->figures.pairs_selected == 0)
        return r->pair_count == 0 ? "There are none: no pair was compared."
                                  : "No pair was compared. These are the right pairs of the gold standard.";
    if (r->pair_count == 0)
        return is_below ? "There are none: no pair reaches the threshold, or is near to it."
                        : "There are none: no pair reaches the threshold.";
    if (is_below)
        return "The pairs nearest to the threshold, above and below it. Read them to judge the threshold.";
    if (akin_page_below(r) == 0)
        return "The pairs nearest to the threshold. No pair is below it.";
    return r->is_crowded ? "The nearest pairs that reach the threshold. The pairs below it are too many to list."
                         : "The nearest pairs that reach the threshold. The pairs below it are not listed.";
}

static void put_about_pairs(akin_page *page)
{
    akin_html_markup(&page->html, about_pairs(page->report));
    if (page->report->gold.count > 0 && page->report->pair_count > 0 && page->report->figures.pairs_selected > 0)
        akin_html_markup(&page->html, " The list also has wrong pairs and missed pairs.");
}

/* --------------------------------------------------------------------------------------------------------- clusters */

static void put_about_clusters(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    const akin_clusters_shape clustered = r->shape;
    if (clustered.clusters == 0) {
        akin_html_markup(html, "No record is like another.");
        return;
    }
    akin_html_count(html, clustered.clusters);
    akin_html_markup(html, clustered.clusters == 1 ? " cluster has" : " clusters have");
    akin_html_markup(html, " two records or more, ");
    akin_html_counted(html, clustered.rows, "record", "records");
    akin_html_markup(html, " in total; ");
    akin_html_counted(html, r->records.count - clustered.rows, "record is", "records are");
    akin_html_markup(html, " alone.");
}

static void put_sizes(akin_page *page)
{
    const akin_clusters *clusters = page->report->clusters;
    akin_sizes sizes = {{0}, {0}};
    for (uint32_t row = 0; row < akin_clusters_rows(clusters); row++) {
        const uint32_t size = akin_clusters_size(clusters, row);
        if (size >= 2 && akin_clusters_row(clusters, row) == row)
            akin_sizes_add(&sizes, size);
    }
    akin_sizes_write(&sizes, 1, &page->html);
}

/* How similar, or how probable, a pair of a cluster is. */
static void put_cluster_similarity(akin_page *page, double similarity)
{
    if (page->report->learnt.is_there)
        akin_page_probability(&page->html, similarity);
    else
        akin_html_decimal(&page->html, similarity, 4);
}

/* A record and its values; `best` NAN: no more than that. */
static void put_member(akin_page *page, uint32_t record, double best)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    akin_html_markup(html, "<tr><th scope=\"row\">");
    put_id(page, record);
    if (r->records.tables == 2)
        akin_html_markup(html, record >= r->records.rows[0] ? " <small>right</small>" : " <small>left</small>");
    akin_html_markup(html, "</th>");
    if (!isnan(best)) {
        akin_html_markup(html, "<td>");
        akin_page_probability(html, best);
        akin_html_markup(html, "</td>");
    }
    for (uint32_t i = 0; i < page->shown_count; i++) {
        value v = value_of_record(page, record, page->shown[i], 0);
        akin_html_markup(html, "<td>");
        put_record_value(page, &v, 0);
        akin_html_markup(html, "</td>");
    }
    akin_html_markup(html, "</tr>\n");
}

/* Pairs of a cluster that deserve a look. */
static void put_edges(akin_page *page, const char *name, const akin_report_edge *edges, uint32_t count, uint64_t all)
{
    akin_html *html = &page->html;
    if (count == 0)
        return;
    akin_html_markup(html, "<p class=\"about edges\">");
    akin_html_markup(html, name);
    for (uint32_t i = 0; i < count; i++) {
        akin_html_markup(html, i ? "; " : ": ");
        put_id(page, (uint32_t)(edges[i].records >> 32));
        akin_html_markup(html, " \xe2\x80\x93 ");
        put_id(page, (uint32_t)edges[i].records);
        akin_html_markup(html, " (");
        put_cluster_similarity(page, edges[i].similarity);
        akin_html_markup(html, ")");
    }
    if (all > count) {
        akin_html_markup(html, "; and ");
        akin_html_count(html, all - count);
        akin_html_markup(html, " more");
    }
    akin_html_markup(html, "</p>\n");
}

/* The line that stands for a cluster in the list. */
static void put_cluster_line(akin_page *page, const akin_report_cluster *c)
{
    akin_html *html = &page->html;
    akin_html_markup(html, "<summary><strong>");
    akin_html_count(html, c->size);
    akin_html_markup(html, " records</strong>, with ");
    put_id(page, c->first);
    akin_html_markup(html, " <span>");
    akin_html_count(html, c->pairs);
    if (c->pairs < c->possible) {
        akin_html_markup(html, " of ");
        akin_html_count(html, c->possible);
    }
    akin_html_markup(html, c->possible == 1 ? " pair found" : " pairs found");
    if (c->possible > 1) {
        akin_html_markup(html, " (density ");
        akin_html_percent(html, c->pairs, c->possible);
        akin_html_markup(html, ")");
    }
    if (c->pairs > 0) {
        akin_html_markup(html, c->possible == 1 ? ", " : ", lowest ");
        akin_html_markup(html, page->report->learnt.is_there ? "probability " : "similarity ");
        put_cluster_similarity(page, c->weakest);
    }
    if (c->bridges > 0) {
        akin_html_markup(html, ", ");
        akin_html_counted(html, c->bridges, "bridge", "bridges");
    }
    if (c->missing > 0) {
        akin_html_markup(html, ", ");
        akin_html_counted(html, c->missing, "pair below the threshold", "pairs below the threshold");
    }
    akin_html_markup(html, "</span></summary>\n");
}

static void put_cluster(akin_page *page, const akin_report_cluster *c)
{
    akin_html *html = &page->html;
    uint32_t members = c->size < AKIN_REPORT_MEMBERS ? c->size : AKIN_REPORT_MEMBERS;
    akin_html_markup(html, "<details class=\"cluster\">");
    put_cluster_line(page, c);
    put_edges(page, "Bridges", c->bridge, c->bridges_listed, c->bridges);
    put_edges(page, "Compared, and below the threshold", c->missed, c->missed_listed, c->missing);
    akin_html_markup(html, "<table class=\"members\"><thead><tr><th scope=\"col\">Record</th>");
    put_pair_columns(page);
    akin_html_markup(html, "</tr></thead><tbody>\n");
    for (uint32_t i = 0; i < members; i++)
        put_member(page, c->members[i], NAN);
    akin_html_markup(html, "</tbody></table>");
    if (c->size > members) {
        akin_html_markup(html, "<p class=\"about\">and ");
        akin_html_count(html, c->size - members);
        akin_html_markup(html, " more</p>");
    }
    akin_html_markup(html, "</details>\n");
}

static void put_largest(akin_page *page)
{
    for (uint32_t i = 0; i < page->report->largest_count; i++)
        put_cluster(page, &page->report->largest[i]);
}

/* Records that no pair could link, with the best probability there could be. */
static void put_unlinkables(akin_page *page)
{
    const akin_report_learnt *learnt = &page->report->learnt;
    for (uint32_t i = 0; i < learnt->example_count; i++)
        put_member(page, (uint32_t)learnt->examples[i].records, learnt->examples[i].similarity);
}

const akin_page_part akin_page_records[] = {
    {"about_pairs", put_about_pairs},
    {"pair_columns", put_pair_columns},
    {"pairs", put_record_pairs},
    {"about_clusters", put_about_clusters},
    {"sizes", put_sizes},
    {"largest", put_largest},
    {"unlinkables", put_unlinkables},
    {NULL, NULL},
};
