/* What the charts of a page are drawn from: how alike pairs are, and how good at each threshold. */
#include "report/page.h"

/* ----------------------------------------------------------------------------------------------------- similarities */

static void put_about_overall(akin_page *page)
{
    akin_html *html = &page->html;
    if (page->report->figures.pairs_selected == 0) {
        akin_html_markup(html, "No pair was compared.");
        return;
    }
    if (page->report->learnt.is_there) {
        akin_html_markup(html, "Compared pairs by probability, in steps of 0.01, on a logarithmic scale.");
        if (page->report->figures.partners == AKIN_PARTNERS_ONE)
            akin_html_markup(html,
                             " A record has one partner at most: a pair is not found if a record of it has a better "
                             "pair, however probable it is.");
        return;
    }
    akin_html_markup(html,
                     "Compared pairs by weighted average, in steps of 0.01, on a logarithmic scale. Counts from ");
    akin_page_ratio(html, page->report->least);
    akin_html_markup(html, " up are exact");
    if (akin_page_below(page->report) == 0) {
        akin_html_markup(html, ". No pair is lower.");
        return;
    }
    if (page->report->drawn.is_all) {
        akin_html_markup(html, ", and so are the counts below.");
        return;
    }
    akin_html_markup(html, ". The bars below are estimates from ");
    akin_page_sample(page);
    akin_html_markup(html, ".");
}

/* A hundredth: 0.07. */
static void put_hundredth(akin_html *html, uint32_t k)
{
    akin_html_decimal(html, k / 100.0, 2);
}

static void put_overall(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    double least = akin_ratio_value(r->least);
    double scale = r->drawn.count > 0 ? (double)r->figures.pairs_selected / (double)r->drawn.count : 0;
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++) {
        uint64_t known = r->found_bins[k] + r->near_bins[k];
        uint64_t all = k / 100.0 < least ? (uint64_t)((double)r->drawn_bins[k] * scale + 0.5) : 0;
        uint64_t below = all > known ? all - known : 0; /* the hundredth that `least` is within has some of either */
        uint64_t near = r->near_bins[k] + (r->drawn.is_all ? below : 0), guess = r->drawn.is_all ? 0 : below;
        if (r->found_bins[k] + near + guess == 0)
            continue;
        akin_html_markup(html, "<tr><td>");
        put_hundredth(html, k);
        akin_html_markup(html, "</td>");
        akin_html_cell(html, r->found_bins[k]);
        akin_html_cell(html, near);
        akin_html_cell(html, guess);
        if (r->gold.count > 0)
            akin_html_cell(html, r->right_bins[k]);
        akin_html_markup(html, "</tr>\n");
    }
}

static void put_about_columns(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    if (r->figures.pairs_selected == 0) {
        akin_html_markup(html, "No pair was compared.");
        return;
    }
    akin_html_markup(
        html, "A column is useful if its blue bars and its grey bars are apart. The blue bars above the line are ");
    if (r->figures.pairs_found == 0)
        akin_html_markup(html, "absent, as no pair was found");
    if (r->found_measured < r->figures.pairs_found) {
        akin_html_markup(html, "a random sample of ");
        akin_html_count(html, r->found_measured);
        akin_html_markup(html, " of ");
    }
    if (r->figures.pairs_found > 0) {
        akin_html_markup(html, "the ");
        akin_html_counted(html, r->figures.pairs_found, "pair that was found", "pairs that were found");
    }
    akin_html_markup(html, ". The grey bars below it are ");
    akin_page_sample(page);
    akin_html_markup(
        html,
        ". Each bar is a share of the pairs with a value in both records. Its height is the square root of "
        "the share, which makes small shares visible.");
}

static void put_column_bins(akin_page *page, uint32_t attribute)
{
    const akin_report_column *column = &page->report->columns[attribute];
    akin_html *html = &page->html;
    akin_html_markup(html,
                     "<table class=\"figures bins\"><thead><tr><th scope=\"col\">Similarity from</th>"
                     "<th scope=\"col\">found</th><th scope=\"col\">compared</th></tr></thead>\n<tbody>\n");
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++) {
        if (column->found[k] + column->drawn[k] == 0)
            continue;
        akin_html_markup(html, "<tr><td>");
        put_hundredth(html, k);
        akin_html_markup(html, "</td>");
        akin_html_cell(html, column->found[k]);
        akin_html_cell(html, column->drawn[k]);
        akin_html_markup(html, "</tr>\n");
    }
    akin_html_markup(html, "</tbody></table>");
}

static void put_columns(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    for (uint32_t i = 0; i < r->job_options.attribute_count; i++) {
        const akin_report_column *column = &r->columns[i];
        akin_html_markup(html, "<figure class=\"column\" data-threshold=\"");
        akin_page_ratio(html, r->learnt.is_there ? (akin_ratio){0, 1} : r->job_options.attributes[i].threshold);
        akin_html_markup(html, "\"><figcaption><h3><bdi>");
        akin_page_column(page, r->job_options.attributes[i].column);
        akin_html_markup(html, "</bdi></h3><p>");
        akin_page_comparator(page, i);
        akin_html_markup(html, " \xc2\xb7 missing in ");
        if (r->found_measured > 0) {
            akin_html_percent(html, column->found_missing, r->found_measured);
            akin_html_markup(html, " of found, ");
        }
        akin_html_percent(html, column->drawn_missing, r->drawn.count);
        akin_html_markup(html, " of compared pairs");
        if (column->found_low + column->drawn_low > 0) {
            akin_html_markup(html, " \xc2\xb7 below the threshold and too long to compare: ");
            akin_html_count(html, column->found_low);
            akin_html_markup(html, " found, ");
            akin_html_count(html, column->drawn_low);
            akin_html_markup(html, " compared");
        }
        akin_html_markup(html,
                         "</p></figcaption>\n<div class=\"plot\"></div>\n"
                         "<details><summary>The figures</summary>");
        put_column_bins(page, i);
        akin_html_markup(html, "</details></figure>\n");
    }
}

/* ------------------------------------------------------------------------------------------------------------- gold */

static void put_about_gold(akin_page *page)
{
    const akin_report_gold *gold = &page->report->gold;
    uint64_t right = gold->of_kind[AKIN_REPORT_FOUND], wrong = page->report->figures.pairs_found - right;
    akin_html *html = &page->html;
    akin_html_count(html, right);
    akin_html_markup(html, " of ");
    akin_html_counted(html, gold->count, "right pair was found", "right pairs were found");
    akin_html_markup(html, "; ");
    if (wrong == 0) {
        akin_html_markup(html, "no found pair is wrong.");
    } else {
        akin_html_count(html, wrong);
        akin_html_markup(html, wrong == 1 ? " found pair is wrong." : " found pairs are wrong.");
    }
    if (!gold->has_clusters || (!gold->has_closures && !page->report->is_split))
        akin_html_markup(html, " The figures of the clusters are left out, as the memory limit is too small.");
}

static void put_evaluation(akin_page *page)
{
    static const char *const names[] = {"Pairs as found", "Pairs within clusters"};
    akin_html *html = &page->html;
    for (int closed = 0; closed < 2; closed++) {
        const akin_evaluation *e = &page->report->gold.at[closed];
        if (closed && !page->report->gold.has_closures)
            continue;
        akin_html_markup(html, "<tr><th scope=\"row\">");
        akin_html_markup(html, names[closed]);
        akin_html_markup(html, "</th>");
        akin_html_cell(html, e->pairs);
        akin_html_cell(html, e->gold);
        akin_html_cell(html, e->both);
        akin_page_share(html, e->precision, 4);
        akin_page_share(html, e->recall, 4);
        akin_page_share(html, e->f1, 4);
        akin_html_markup(html, "</tr>\n");
    }
}

static void put_quality(akin_html *html, const akin_quality *quality)
{
    akin_page_share(html, quality->precision, 4);
    akin_page_share(html, quality->recall, 4);
    akin_page_share(html, quality->f1, 4);
    akin_html_markup(html, "</tr>\n");
}

/* How good the clusters are, as akin evaluate says it. */
static void put_agreement(akin_page *page)
{
    const akin_cluster_evaluation *e = &page->report->gold.clusters;
    akin_html *html = &page->html;
    akin_html_markup(html, "<tr><th scope=\"row\">Clusters, found exactly</th>");
    akin_html_cell(html, e->found_clusters);
    akin_html_cell(html, e->gold_clusters);
    akin_html_cell(html, e->both_clusters);
    put_quality(html, &e->clusters);
    akin_html_markup(html, "<tr><th scope=\"row\">Records, by B-cubed<small>");
    akin_html_counted(html, e->records, "record", "records");
    akin_html_markup(html, "</small></th><td>\xe2\x80\x93</td><td>\xe2\x80\x93</td><td>\xe2\x80\x93</td>");
    put_quality(html, &e->bcubed);
}

static void put_kinds(akin_page *page)
{
    const akin_report_gold *gold = &page->report->gold;
    akin_html *html = &page->html;
    for (size_t kind = 0; kind < sizeof akin_page_kinds / sizeof *akin_page_kinds; kind++) {
        if ((kind == AKIN_REPORT_NEAR && !akin_ratio_below(page->report->least, page->report->job_options.threshold)) ||
            (kind == AKIN_REPORT_BEATEN && !page->report->job_options.one_to_one))
            continue; /* there are none */
        akin_html_markup(html, "<tr><th scope=\"row\">");
        akin_html_markup(html, akin_page_kinds[kind].counted);
        akin_html_markup(html, "</th>");
        akin_html_cell(html, gold->of_kind[kind]);
        akin_html_bar(html, (double)gold->of_kind[kind] / (double)gold->count);
        akin_html_markup(html, "</tr>\n");
    }
}

static void put_curve(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    double least = akin_ratio_value(r->least);
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++) {
        const akin_evaluation *e = &r->gold.curve[0][k];
        if (k / 100.0 < least)
            continue;
        akin_html_markup(html, "<tr><td>");
        put_hundredth(html, k);
        akin_html_markup(html, "</td>");
        akin_html_cell(html, e->pairs);
        akin_html_cell(html, e->both);
        akin_page_share(html, e->precision, 4);
        akin_page_share(html, e->recall, 4);
        akin_page_share(html, e->f1, 4);
        if (r->gold.has_closures)
            akin_page_share(html, r->gold.curve[1][k].f1, 4);
        akin_html_markup(html, "</tr>\n");
    }
}

const akin_page_part akin_page_charts[] = {
    {"about_overall", put_about_overall},
    {"overall", put_overall},
    {"about_columns", put_about_columns},
    {"columns", put_columns},
    {"about_gold", put_about_gold},
    {"evaluation", put_evaluation},
    {"agreement", put_agreement},
    {"kinds", put_kinds},
    {"curve", put_curve},
    {NULL, NULL},
};
