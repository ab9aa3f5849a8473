/* What a page says of a job that learnt its weights: the weights, what is expected at each threshold, and records that
 * no pair could link. */
#include "report/page.h"

#include <math.h>
#include <stdio.h>

#define LN_2   0.69314718055994530942
#define WIDTH  640.0 /* of a chart of shares by threshold, */
#define HEIGHT 260.0
#define LEFT   46.0 /* and what is around it */
#define RIGHT  90.0
#define TOP    26.0
#define BOTTOM 28.0

void akin_page_probability(akin_html *html, double value)
{
    int digits = 4;
    for (double least = 0.1; digits < 9 && value > 0 && value < least; least /= 10)
        digits++;
    for (double rest = 1 - value, least = 0.001; digits < 6 && rest > 0 && rest < least; least /= 10)
        digits++;
    akin_html_decimal(html, value, digits);
}

/* A number of bits, with its sign. */
static void put_bits(akin_html *html, double bits, int digits)
{
    akin_html_markup(html, bits < 0 ? "\xe2\x88\x92" : "+");
    akin_html_decimal(html, fabs(bits), digits);
}

/* ---------------------------------------------------------------------------------------------------------- weights */

static void put_about_weights(akin_page *page)
{
    const akin_report_learnt *learnt = &page->report->learnt;
    akin_html *html = &page->html;
    if (page->report->figures.learnt == 0)
        akin_html_markup(html,
                         "Fewer than three columns are compared, so these weights are not learnt: they are the "
                         "default ones. ");
    akin_html_markup(html, "Of all pairs of records, about one in ");
    akin_html_count(html, (uint64_t)(1 / learnt->prior + 1.5));
    akin_html_markup(html, " is a match. So each pair begins with ");
    put_bits(html, log(learnt->prior) / LN_2, 1);
    akin_html_markup(
        html,
        " bits. Each column adds a weight in bits: above 0 it speaks for a match, below 0 against one. A sum of 0 bits "
        "is a probability of 0.5, and each bit more doubles the odds: 1 bit is 2 to 1, 5 bits are 32 to 1. "
        "The weight is log\xe2\x82\x82 (m / u), where m is the share of matches with "
        "such a similarity, and u that of all other pairs. Each line is a range of "
        "similarity, from its number up to that of the line above. ");
    akin_html_markup(html, page->report->figures.partners == AKIN_PARTNERS_ONE
                               ? "A record has one partner at most, so pairs of one record compete."
                               : "A record may have many partners, so each pair stands for itself.");
    if (learnt->tempering < 1) {
        akin_html_markup(html,
                         " Columns that say the same would count twice. So the sum of the weights is multiplied by ");
        akin_html_decimal(html, learnt->tempering, 3);
        akin_html_markup(html, ".");
    }
}

/* The highest weight without its sign, in nats: the bars of all comparisons have one scale. */
static double largest_weight(const akin_report_learnt *learnt)
{
    double most = 1;
    for (uint32_t c = 0; c < learnt->count; c++)
        for (uint32_t l = 0; l < learnt->comparisons[c].model.levels; l++)
            most = fmax(most, fabs(learnt->comparisons[c].model.weights[l]));
    return most;
}

/* A bar to the right of the middle, or to the left if the value is negative. */
static void put_weight_bar(akin_html *html, double share)
{
    akin_html_markup(html,
                     "<td class=\"bar both\"><svg viewBox=\"-50 0 100 8\" preserveAspectRatio=\"none\" "
                     "aria-hidden=\"true\"><path d=\"M0 0v8\"/><rect");
    akin_html_markup(html, share < 0 ? " class=\"against\" x=\"" : " x=\"");
    akin_html_decimal(html, 0, 0);
    if (share < 0) {
        akin_html_markup(html, "\" transform=\"scale(-1 1)");
    }
    akin_html_markup(html, "\" width=\"");
    akin_html_decimal(html, 50 * fabs(share), 1);
    akin_html_markup(html, "\" height=\"8\"/></svg></td>");
}

/* Two bars, one above the other: m and u. */
static void put_share_bars(akin_html *html, double m, double u)
{
    akin_html_markup(html,
                     "<td class=\"bar\"><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                     "<rect height=\"4\" width=\"");
    akin_html_decimal(html, 100 * m, 1);
    akin_html_markup(html, "\"/><rect class=\"other\" y=\"4\" height=\"4\" width=\"");
    akin_html_decimal(html, 100 * u, 1);
    akin_html_markup(html, "\"/></svg></td>");
}

static void put_percent(akin_html *html, double share)
{
    akin_html_markup(html, "<td>");
    akin_html_decimal(html, 100 * share, share < 0.001 ? 4 : share < 0.1 ? 2 : 1);
    akin_html_markup(html, "</td>");
}

static void put_level(akin_page *page, const akin_report_comparison *c, uint32_t level, double most)
{
    const akin_level_model *model = &c->model;
    akin_html *html = &page->html;
    akin_html_markup(html, "<tr><th scope=\"row\">");
    akin_html_decimal(html, level ? c->cuts[level - 1] : 0, level && c->cuts[level - 1] > 0.99 ? 3 : 2);
    akin_html_markup(html, "</th>");
    put_weight_bar(html, model->weights[level] / most);
    akin_html_markup(html, "<td>");
    put_bits(html, model->weights[level] / LN_2, 1);
    akin_html_markup(html, "</td>");
    if (model->is_dependent) {
        akin_html_markup(html, "<td>");
        put_bits(html, model->weights_given[level] / LN_2, 1);
        akin_html_markup(html, "</td>");
    }
    put_share_bars(html, model->m[level], model->u[level]);
    put_percent(html, model->m[level]);
    put_percent(html, model->u[level]);
    akin_html_markup(html, "</tr>\n");
}

/* How the column of a comparison is compared. */
static void put_comparators(akin_page *page, uint32_t column)
{
    const akin_dedupe_options *o = &page->report->job_options;
    for (uint32_t i = 0, any = 0; i < o->attribute_count; i++)
        if (o->attributes[i].column == column) {
            akin_html_markup(&page->html, any++ ? ", " : "");
            akin_page_comparator(page, i);
        }
}

static void put_weight_heads(akin_page *page, const akin_report_comparison *c)
{
    akin_html *html = &page->html;
    akin_html_markup(html,
                     "<table class=\"figures weights\"><thead><tr><th scope=\"col\">from</th><td></td>"
                     "<th scope=\"col\">bits</th>");
    if (c->model.is_dependent)
        akin_html_markup(html, "<th scope=\"col\">bits, given</th>");
    akin_html_markup(html, "<td></td><th scope=\"col\">m, %</th><th scope=\"col\">u, %</th></tr></thead><tbody>\n");
}

static void put_weights(akin_page *page)
{
    const akin_report_learnt *learnt = &page->report->learnt;
    akin_html *html = &page->html;
    const double most = largest_weight(learnt);
    for (uint32_t i = 0; i < learnt->count; i++) {
        const akin_report_comparison *c = &learnt->comparisons[i];
        akin_html_markup(html, "<figure><figcaption><h3><bdi>");
        akin_page_column(page, c->column);
        akin_html_markup(html, "</bdi></h3><p>");
        put_comparators(page, c->column);
        if (c->model.is_idle)
            akin_html_markup(html, " \xc2\xb7 it weighs nothing, as its parts are compared");
        if (c->model.is_dependent) {
            akin_html_markup(html, " \xc2\xb7 \xe2\x80\x9cgiven\xe2\x80\x9d: the weight where <bdi>");
            akin_page_column(page, learnt->comparisons[c->model.parent].column);
            akin_html_markup(html, "</bdi> is the same");
        }
        akin_html_markup(html, "</p></figcaption>");
        if (!c->model.is_idle) {
            put_weight_heads(page, c);
            for (uint32_t level = c->model.levels; level > 0; level--)
                put_level(page, c, level - 1, most);
            akin_html_markup(html, "</tbody></table>");
        }
        akin_html_markup(html, "</figure>\n");
    }
}

/* --------------------------------------------------------------------------------------------- shares by threshold */

static double x_of(double value)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * value;
}

static double y_of(double share)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
}

static void put_text(akin_html *html, double x, double y, const char *type, const char *anchor, const char *text)
{
    akin_html_markup(html, "<text x=\"");
    akin_html_decimal(html, x, 1);
    akin_html_markup(html, "\" y=\"");
    akin_html_decimal(html, y, 1);
    akin_html_markup(html, "\" class=\"");
    akin_html_markup(html, type);
    akin_html_markup(html, "\" text-anchor=\"");
    akin_html_markup(html, anchor);
    akin_html_markup(html, "\">");
    akin_html_markup(html, text);
    akin_html_markup(html, "</text>");
}

static void put_line(akin_html *html, double x1, double y1, double x2, double y2, const char *type)
{
    akin_html_markup(html, "<path class=\"");
    akin_html_markup(html, type);
    akin_html_markup(html, "\" d=\"M");
    akin_html_decimal(html, x1, 1);
    akin_html_markup(html, " ");
    akin_html_decimal(html, y1, 1);
    akin_html_markup(html, "L");
    akin_html_decimal(html, x2, 1);
    akin_html_markup(html, " ");
    akin_html_decimal(html, y2, 1);
    akin_html_markup(html, "\"/>");
}

/* Begins a chart, with its axes and the threshold. */
static void begin_chart(akin_page *page, const char *says)
{
    static const char *const shares[] = {"0", "25 %", "50 %", "75 %", "100 %"};
    static const char *const values[] = {"0", "0.2", "0.4", "0.6", "0.8", "1"};
    akin_html *html = &page->html;
    const double threshold = page->report->learnt.threshold, at = x_of(threshold);
    akin_html_markup(html, "<svg class=\"shares\" viewBox=\"0 0 640 260\" role=\"img\" aria-label=\"");
    akin_html_markup(html, says);
    akin_html_markup(html, "\">");
    for (int i = 0; i < 5; i++) {
        put_line(html, LEFT, y_of(i / 4.0), WIDTH - RIGHT, y_of(i / 4.0), i ? "axis" : "base");
        put_text(html, LEFT - 6, y_of(i / 4.0) + 4, "", "end", shares[i]);
    }
    for (int i = 0; i < 6; i++)
        put_text(html, x_of(i / 5.0), HEIGHT - BOTTOM + 17, "", "middle", values[i]);
    put_line(html, at, 6, at, HEIGHT - BOTTOM, "limit");
    put_text(html, at + (threshold > 0.5 ? -5 : 5), 14, "limit-text", threshold > 0.5 ? "end" : "start", "threshold");
}

/* A curve with a share for each hundredth, as far as there are some; NAN: none. */
static void put_curve(akin_html *html, const double *shares, const char *type)
{
    int any = 0;
    akin_html_markup(html, "<path class=\"line ");
    akin_html_markup(html, type);
    akin_html_markup(html, "\" d=\"");
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++) {
        if (isnan(shares[k]))
            continue;
        akin_html_markup(html, any++ ? "L" : "M");
        akin_html_decimal(html, x_of(k / 100.0), 1);
        akin_html_markup(html, " ");
        akin_html_decimal(html, y_of(shares[k]), 1);
    }
    akin_html_markup(html, "\"/>");
}

/* The names of curves stand at the right, from the top down, with a piece of each. */
static void put_curve_name(akin_html *html, int line, const char *type, const char *name)
{
    const double y = TOP + 16 * line + 4;
    char drawn[32];
    snprintf(drawn, sizeof drawn, "line %s", type);
    put_line(html, WIDTH - RIGHT + 8, y, WIDTH - RIGHT + 22, y, drawn);
    put_text(html, WIDTH - RIGHT + 26, y + 4, type, "start", name);
}

/* --------------------------------------------------------------------------------------------------------- expected */

static void put_expected(akin_page *page)
{
    double precision[AKIN_CURVE_POINTS], recall[AKIN_CURVE_POINTS], f1[AKIN_CURVE_POINTS];
    uint64_t pairs[AKIN_CURVE_POINTS];
    akin_html *html = &page->html;
    akin_report_expect(page->report, precision, recall, f1, pairs);
    begin_chart(page, "Expected precision, recall and F1 by threshold");
    put_curve(html, precision, "precision");
    put_curve(html, recall, "recall");
    put_curve(html, f1, "f1");
    put_curve_name(html, 0, "precision", "precision");
    put_curve_name(html, 1, "recall", "recall");
    put_curve_name(html, 2, "f1", "F1");
    akin_html_markup(html, "</svg>");
}

static void put_share(akin_html *html, double share)
{
    if (isnan(share))
        akin_html_markup(html, "<td>\xe2\x80\x93</td>");
    else
        akin_page_share(html, share, 4);
}

static void put_expected_rows(akin_page *page)
{
    double precision[AKIN_CURVE_POINTS], recall[AKIN_CURVE_POINTS], f1[AKIN_CURVE_POINTS];
    uint64_t pairs[AKIN_CURVE_POINTS];
    akin_html *html = &page->html;
    akin_report_expect(page->report, precision, recall, f1, pairs);
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k += 5) {
        akin_html_markup(html, "<tr><td>");
        akin_html_decimal(html, k / 100.0, 2);
        akin_html_markup(html, "</td>");
        akin_html_cell(html, pairs[k]);
        put_share(html, precision[k]);
        put_share(html, recall[k]);
        put_share(html, f1[k]);
        akin_html_markup(html, "</tr>\n");
    }
}

static void put_about_expected(akin_page *page)
{
    const akin_dedupe_report *figures = &page->report->figures;
    akin_html *html = &page->html;
    akin_html_markup(html,
                     "These figures follow from the probabilities alone, without a gold standard: of 100 pairs of "
                     "probability 0.9, 90 are expected to be right. About ");
    akin_html_counted(html, (uint64_t)(figures->expected_matches + 0.5), "match is", "matches are");
    akin_html_markup(html, " expected among the compared pairs. At the threshold ");
    akin_page_probability(html, figures->threshold);
    akin_html_markup(html, " the expected precision is ");
    akin_html_decimal(html, figures->expected_precision, 4);
    akin_html_markup(html, ", and the expected recall is ");
    akin_html_decimal(html, figures->expected_recall, 4);
    akin_html_markup(html, ". Matches that no selection has are not among them.");
}

/* ------------------------------------------------------------------------------------------------------- unlinkable */

static void put_about_unlinkable(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    if (r->learnt.unlinkable == 0) {
        akin_html_markup(html, "There is none: each record would reach the threshold with one of the same values.");
        return;
    }
    akin_html_counted(html, r->learnt.unlinkable, "record says", "records say");
    akin_html_markup(html, " too little to be linked, ");
    akin_html_percent(html, r->learnt.unlinkable, r->records.count);
    akin_html_markup(html,
                     " of all: even a pair with a record of the same values would not reach the threshold. Their "
                     "values are missing or frequent.");
}

/* The share of records that could not be linked, at each threshold. */
static void put_unlinkable(akin_page *page)
{
    const akin_report *r = page->report;
    double shares[AKIN_CURVE_POINTS];
    uint64_t below = 0;
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++) {
        shares[k] = r->records.count > 0 ? (double)below / r->records.count : NAN;
        below += r->learnt.best[k];
    }
    begin_chart(page, "Share of records that no pair could link, by threshold");
    put_curve(&page->html, shares, "f1");
    akin_html_markup(&page->html, "</svg>");
}

const akin_page_part akin_page_learnt[] = {
    {"about_weights", put_about_weights},   {"weights", put_weights},
    {"about_expected", put_about_expected}, {"expected", put_expected},
    {"expected_rows", put_expected_rows},   {"about_unlinkable", put_about_unlinkable},
    {"unlinkable", put_unlinkable},         {NULL, NULL},
};
