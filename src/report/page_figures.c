/* What a page says in figures: what came of it, which pairs were compared, how, and how long it took. */
#include "report/page.h"
#include "dedupe/missing.h"
#include "dedupe/selections.h"
#include "text/fold.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------------------------- head */

static void put_version(akin_page *page)
{
    akin_html_string(&page->html, akin_version());
}

static void put_threshold(akin_page *page)
{
    if (page->report->learnt.is_there)
        akin_html_double(&page->html, page->report->learnt.threshold);
    else
        akin_page_ratio(&page->html, page->report->job_options.threshold);
}

static void put_least(akin_page *page)
{
    akin_page_ratio(&page->html, page->report->least);
}

static void put_missing(akin_page *page)
{
    akin_html_markup(&page->html, akin_choice_name(&akin_missing_ways, (int)page->report->job_options.missing));
}

static void put_table_name(akin_page *page, uint32_t table, int marked)
{
    akin_html *html = &page->html;
    const char *const *tables = page->report->options.tables;
    akin_html_markup(html, marked ? "<bdi>" : "");
    akin_html_cut(html, tables[table], strlen(tables[table]), 0, 200);
    akin_html_markup(html, marked ? "</bdi>" : "");
}

static void put_title(akin_page *page, int marked)
{
    akin_html *html = &page->html;
    int two = page->report->records.tables == 2;
    akin_html_markup(html, two ? "Links" : "Duplicates");
    if (!page->report->options.tables)
        return;
    akin_html_markup(html, two ? " between " : " in ");
    put_table_name(page, 0, marked);
    if (two) {
        akin_html_markup(html, " and ");
        put_table_name(page, 1, marked);
    }
}

static void put_plain_title(akin_page *page)
{
    put_title(page, 0);
}

static void put_heading(akin_page *page)
{
    put_title(page, 1);
}

static void put_lead(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    const akin_clusters_shape clustered = r->shape;
    if (r->figures.pairs_selected == 0) {
        akin_html_markup(html, "No pair of records was compared: no selection has a pair.");
        return;
    }
    if (clustered.largest > 1) {
        akin_html_markup(html, "The largest cluster has <strong id=\"largest\">");
        akin_html_counted(html, clustered.largest, "record", "records");
        akin_html_markup(html, "</strong>. ");
    }
    akin_html_markup(html, "Of ");
    akin_html_counted(html, r->figures.pairs_selected, "pair of records that was compared, ",
                      "pairs of records that were compared, ");
    akin_html_markup(html, "<strong>");
    akin_html_count(html, r->figures.pairs_found);
    akin_html_markup(html, r->figures.pairs_found == 1 ? "</strong> reaches" : "</strong> reach");
    akin_html_markup(html, r->learnt.is_there ? " the probability " : " the similarity ");
    akin_page_threshold(page);
    akin_html_markup(html, r->job_options.one_to_one ? ", at most one pair for each record. " : ". ");
    if (clustered.clusters == 0)
        return;
    akin_html_markup(html, r->figures.pairs_found == 1 ? "It puts " : "They put ");
    akin_html_count(html, clustered.rows);
    akin_html_markup(html, " of ");
    akin_html_counted(html, r->records.count, "record", "records");
    akin_html_markup(html, " into <strong>");
    akin_html_counted(html, clustered.clusters, "cluster", "clusters");
    akin_html_markup(html, "</strong>");
    if (r->records.tables == 1) {
        akin_html_markup(html, "; <strong>");
        akin_html_count(html, clustered.rows - clustered.clusters);
        akin_html_markup(html, "</strong> of these records are duplicates");
    }
    akin_html_markup(html, ".");
}

static void put_warning(void *user, const char *text)
{
    akin_html *html = user;
    akin_html_markup(html, "<li><strong>Warning:</strong> ");
    akin_html_string(html, text);
    akin_html_markup(html, ".</li>\n");
}

static void put_warnings(akin_page *page)
{
    akin_report_warn(page->report, put_warning, &page->html);
}

static void put_share_tile(akin_html *html, const char *name, double share, const char *id)
{
    akin_html_markup(html, "<div class=\"share\"><dt>");
    akin_html_markup(html, name);
    akin_html_markup(html, "</dt><dd id=\"");
    akin_html_markup(html, id);
    akin_html_markup(html, "\" data-v=\"");
    akin_html_double(html, share);
    akin_html_markup(html, "\">");
    akin_html_decimal(html, share, 4);
    akin_html_markup(html, "</dd></div>\n");
}

/* What is expected of a job that learnt its weights. */
static void put_expected_tiles(akin_page *page)
{
    const akin_dedupe_report *figures = &page->report->figures;
    akin_html_tile(&page->html, "expected matches", (uint64_t)(figures->expected_matches + 0.5), "expected-matches");
    put_share_tile(&page->html, "expected precision", figures->expected_precision, "expected-precision");
    put_share_tile(&page->html, "expected recall", figures->expected_recall, "expected-recall");
}

static void put_tiles(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    const akin_clusters_shape clustered = r->shape;
    if (r->records.tables == 2) {
        akin_html_tile(html, "left records", r->records.rows[0], "lefts");
        akin_html_tile(html, "right records", r->records.rows[1], "rights");
    } else {
        akin_html_tile(html, "records", r->records.count, "records");
    }
    akin_html_tile(html, "possible pairs", r->figures.pairs_all, "pairs-all");
    akin_html_tile(html, "pairs compared", r->figures.pairs_selected, "compared");
    akin_html_tile(html, "pairs found", r->figures.pairs_found, "found");
    akin_html_tile(html, "clusters", clustered.clusters, "clustered");
    if (r->records.tables == 1)
        akin_html_tile(html, "duplicates", clustered.rows - clustered.clusters, "duplicates");
    if (r->learnt.is_there)
        put_expected_tiles(page);
    if (r->gold.count == 0)
        return;
    put_share_tile(html, "precision", r->gold.at[0].precision, "precision");
    put_share_tile(html, "recall", r->gold.at[0].recall, "recall-at");
    put_share_tile(html, "F1", r->gold.at[0].f1, "f1");
}

/* ------------------------------------------------------------------------------------------------------------- work */

static void put_selection_name(akin_page *page, uint32_t at)
{
    const akin_selection *s = &page->report->job_options.selections[at];
    akin_html *html = &page->html;
    if (page->report->options.selections) {
        const char *name = page->report->options.selections[at];
        akin_html_cut(html, name, strlen(name), 0, 200);
        return;
    }
    akin_html_markup(html, akin_selection_row_of(s->kind)->choice.name);
    for (uint32_t p = 0; p < s->part_count; p++) {
        akin_html_markup(html, p ? ", " : " by ");
        akin_page_column(page, s->parts[p].column);
    }
}

/* What a selection has and lacks of the matches that all selections have, and what it adds, as the probabilities
 * have it. */
static void put_selection_share(akin_html *html, const akin_report_share *share, double all)
{
    akin_page_share(html, share->matches, 1);
    akin_page_share(html, fmax(all - share->matches, 0), 1);
    akin_page_share(html, all > 0 ? fmin(100 * share->matches / all, 100) : 0, 1);
    akin_html_cell(html, share->sole_pairs);
    akin_page_share(html, share->sole_matches, 1);
}

static void put_selections(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    for (uint32_t i = 0; i < r->job_options.selection_count; i++) {
        const akin_selected *s = &r->selected[i];
        akin_html_markup(html, "<tr><th scope=\"row\"><bdi>");
        put_selection_name(page, i);
        akin_html_markup(html, "</bdi>");
        if (s->oversized > 0) {
            akin_html_markup(html, "<small>left out: ");
            akin_html_counted(html, s->oversized, "block", "blocks");
            akin_html_markup(html, " of more than ");
            akin_html_count(html, r->job_options.max_block);
            akin_html_markup(html, " records, ");
            akin_html_count(html, s->oversized_records);
            akin_html_markup(html, " together</small>");
        }
        if (s->key_pairs_selected < s->key_pairs) {
            akin_html_markup(html, "<small>");
            akin_html_count(html, s->key_pairs_selected);
            akin_html_markup(html, " of ");
            akin_html_counted(html, s->key_pairs, "pair with equal keys", "pairs with equal keys");
            akin_html_markup(html, "</small>");
        }
        akin_html_markup(html, "</th>");
        akin_html_cell(html, s->pairs);
        akin_html_cell(html, s->fresh);
        akin_html_bar(html, r->figures.pairs_selected ? (double)s->fresh / (double)r->figures.pairs_selected : 0);
        akin_html_cell(html, r->credits[i]);
        akin_html_cell(html, r->soles[i]);
        if (r->learnt.is_there)
            put_selection_share(html, &r->learnt.shares[i], akin_report_caught_matches(r));
        akin_html_markup(html, "</tr>\n");
    }
}

/* How many matches no selection has, at least. A bound below 1 says nothing. */
static void put_about_missed(akin_page *page)
{
    const double least = floor(akin_report_missed_least(page->report));
    akin_html *html = &page->html;
    if (least < 1)
        return;
    akin_html_markup(html, " By that overlap, at least ");
    akin_html_counted(html, (uint64_t)least, "match is", "matches are");
    akin_html_markup(html, " in no selection. That is a lower bound: there may be many times more.");
}

/* How much the result depends on single selections. */
static void put_about_caught(akin_page *page)
{
    const akin_report_caught *caught = &page->report->learnt.caught;
    akin_html *html = &page->html;
    akin_html_markup(html, "Of all expected matches ");
    akin_html_decimal(html, caught->by_one, 1);
    akin_html_markup(html, " are in one selection alone, ");
    akin_html_decimal(html, caught->by_two, 1);
    akin_html_markup(html, " in two, and ");
    akin_html_decimal(html, caught->by_more, 1);
    akin_html_markup(html, " in three or more.");
    put_about_missed(page);
}

/* What values of a column are cleaned of before they are compared. */
static void put_folds(akin_page *page, uint32_t column)
{
    uint32_t folds = page->report->job_options.folds ? page->report->job_options.folds[column] : 0, any = 0;
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choice_at(&akin_folds, i)); i++) {
        uint32_t value = (uint32_t)row->value;
        if (!(folds & value) || (value & (value - 1))) /* sums of others have rows, too */
            continue;
        akin_html_markup(&page->html, any++ ? ", " : "<small>cleaned of ");
        akin_html_markup(&page->html, row->name);
    }
    akin_html_markup(&page->html, any ? "</small>" : "");
}

/* The threshold and the weight that were given. */
static void put_given(akin_html *html, const akin_attribute *attribute, double weights)
{
    akin_html_markup(html, "<td>");
    akin_page_ratio(html, attribute->threshold);
    akin_html_markup(html, "</td><td>");
    akin_page_ratio(html, attribute->weight);
    akin_html_markup(html, "</td>");
    akin_html_bar(html, akin_ratio_value(attribute->weight) / weights);
}

static void put_rules(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    double weights = 0;
    for (uint32_t i = 0; i < r->job_options.attribute_count; i++)
        weights += akin_ratio_value(r->job_options.attributes[i].weight);
    for (uint32_t i = 0; i < r->job_options.attribute_count; i++) {
        const akin_attribute *a = &r->job_options.attributes[i];
        akin_html_markup(html, "<tr data-column=\"");
        uint32_t shown = 0;
        while (page->shown[shown] != a->column)
            shown++;
        akin_html_count(html, shown);
        akin_html_markup(html, "\"><th scope=\"row\"><bdi>");
        akin_page_column(page, a->column);
        akin_html_markup(html, "</bdi>");
        put_folds(page, a->column);
        akin_html_markup(html, "</th><td class=\"words\">");
        akin_page_comparator(page, i);
        akin_html_markup(html, "</td>");
        if (!r->learnt.is_there)
            put_given(html, a, weights);
        akin_html_markup(html, "<td>");
        akin_html_percent(html, r->columns[i].drawn_missing, r->drawn.count);
        akin_html_markup(html, "</td><td>");
        akin_html_percent(html, r->columns[i].found_missing, r->found_measured);
        akin_html_markup(html, "</td></tr>\n");
    }
}

/* What a value that is missing does. */
static const char *about_missing(akin_missing missing)
{
    switch (missing) {
    case AKIN_MISSING_ZERO:
        return "counts as similarity 0";
    case AKIN_MISSING_SKIP:
        return "removes its column from the average";
    case AKIN_MISSING_EQUAL:
        return "counts as similarity 1 where both records lack it, else as 0";
    }
    return "";
}

/* What pairs must have, where columns are left out. */
static void put_about_evidence(akin_page *page)
{
    const akin_dedupe_options *o = &page->report->job_options;
    if (!akin_missing_skips(o->missing) || o->evidence.num == 0)
        return;
    akin_html_markup(&page->html, ", and a pair has the average 0 if less than ");
    akin_page_ratio(&page->html, o->evidence);
    akin_html_markup(&page->html, " of all weights remain");
}

static void put_about_sources(akin_page *page)
{
    if (page->report->job_options.one_per_source > 0)
        akin_html_markup(&page->html,
                         " Records of one source are never a pair, and a cluster has at most one record of each.");
}

static void put_about_rules(akin_page *page)
{
    akin_html *html = &page->html;
    if (page->report->learnt.is_there) {
        akin_html_markup(html,
                         "Weights were learnt from the compared pairs, without examples. Several comparisons of one "
                         "column count as one: their mean. A missing value adds nothing. A pair is found if its "
                         "probability is ");
        akin_page_threshold(page);
        akin_html_markup(html, " or more. ");
        akin_html_markup(html, page->report->figures.partners == AKIN_PARTNERS_ONE
                                   ? "A record has one partner at most: if two such pairs have the same record, akin "
                                     "finds only the better one."
                                   : "A record may have many partners: akin also compares the records that found pairs "
                                     "connect with one another, and finds their pairs, even if no selection has them.");
        put_about_sources(page);
        return;
    }
    akin_html_markup(html, "A similarity below the threshold of its column counts as 0. A missing value ");
    akin_html_markup(html, about_missing(page->report->job_options.missing));
    put_about_evidence(page);
    akin_html_markup(html, ". A pair is found if its weighted average is ");
    akin_page_ratio(html, page->report->job_options.threshold);
    akin_html_markup(html, " or more.");
    if (page->report->job_options.one_to_one)
        akin_html_markup(
            html,
            " Each record has at most one pair: of two pairs with the same record, the pair with the higher "
            "average stays.");
    put_about_sources(page);
}

static void put_steps(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    double longest = 0;
    for (uint32_t i = 0; i < r->step_count; i++)
        longest = fmax(longest, r->steps[i].seconds);
    for (uint32_t i = 0; i < r->step_count; i++) {
        akin_html_markup(html, "<tr><th scope=\"row\">");
        akin_html_string(html, r->steps[i].name);
        akin_html_markup(html, "</th><td>");
        akin_html_decimal(html, r->steps[i].seconds, 3);
        akin_html_markup(html, "</td>");
        akin_html_bar(html, longest > 0 ? r->steps[i].seconds / longest : 0);
        akin_html_markup(html, "</tr>\n");
    }
}

static void put_about_work(akin_page *page)
{
    const akin_dedupe_report *figures = &page->report->figures;
    akin_html *html = &page->html;
    akin_html_markup(html, "At most <span class=\"memory\">");
    akin_html_decimal(html, (double)figures->memory / 1e6, 1);
    akin_html_markup(html, " MB</span> of memory, without the tables.");
}

static void put_about_sample(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    if (r->figures.pairs_selected == 0) {
        akin_html_markup(html, "No pair was compared.");
        return;
    }
    if (!r->learnt.is_there)
        akin_html_markup(html, "The search rejects most pairs before their similarity is known. ");
    akin_html_markup(html, r->learnt.is_there ? "The similarities by column are those of "
                                              : "The figures of compared pairs are those of ");
    akin_page_sample(page);
    akin_html_markup(html, ", compared completely. ");
    if (!r->drawn.is_all)
        akin_html_markup(html,
                         "Each compared pair has the same chance to be in the sample. The same search with the same "
                         "memory draws the same sample. ");
    if (r->learnt.is_there) {
        akin_html_markup(html, "The probability of every compared pair is known, so other figures are exact.");
    } else if (akin_ratio_below(r->least, r->job_options.threshold)) {
        akin_html_markup(html, "The report knows every pair with a similarity of ");
        akin_page_ratio(html, r->least);
        akin_html_markup(html,
                         " or more, found or not. So it can list the pairs nearest to the threshold, and show the "
                         "results of lower thresholds.");
    } else if (r->is_crowded) {
        akin_html_markup(html, "Too many pairs are below the threshold: the report lists none of them.");
    } else if (akin_page_below(r) > 0) {
        akin_html_markup(html, "The report lists no pairs below the threshold.");
    }
}

const akin_page_part akin_page_figures[] = {
    {"version", put_version},
    {"threshold", put_threshold},
    {"least", put_least},
    {"missing", put_missing},
    {"title", put_plain_title},
    {"heading", put_heading},
    {"lead", put_lead},
    {"warnings", put_warnings},
    {"tiles", put_tiles},
    {"selections", put_selections},
    {"about_caught", put_about_caught},
    {"rules", put_rules},
    {"about_rules", put_about_rules},
    {"steps", put_steps},
    {"about_work", put_about_work},
    {"about_sample", put_about_sample},
    {NULL, NULL},
};
