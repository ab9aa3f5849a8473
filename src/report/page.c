/* Writes the page of a report. */
#include "report/page.h"

#include "report/template.h"
#include "strings/comparators.h"

#include <math.h>
#include <string.h>

const akin_page_kind akin_page_kinds[AKIN_REPORT_KINDS] = {
    [AKIN_REPORT_FOUND] = {"found", "found", "right"},
    [AKIN_REPORT_BEATEN] = {"reached the threshold, displaced by a better pair", "displaced", "missed"},
    [AKIN_REPORT_NEAR] = {"compared, a little below the threshold", "not found", "missed"},
    [AKIN_REPORT_BELOW] = {"compared, far below the threshold", "not found", "missed"},
    [AKIN_REPORT_SKIPPED] = {"not compared, in no selection", "not compared", "not compared"},
    [AKIN_REPORT_UNKNOWN] = {"with an id that no record has", "", ""}, /* none is listed */
};

static int has_gold(const akin_report *report)
{
    return report->gold.count > 0;
}

static int has_compared(const akin_report *report)
{
    return report->figures.pairs_selected > 0;
}

static int has_listed(const akin_report *report)
{
    return report->pair_count > 0;
}

static int has_clusters(const akin_report *report)
{
    return report->largest_count > 0;
}

static int has_closures(const akin_report *report)
{
    return report->gold.has_closures;
}

static void note(void *user, const char *text)
{
    *(int *)user = *text != '\0';
}

static int has_warnings(const akin_report *report)
{
    int any = 0;
    akin_report_warn(report, note, &any);
    return any;
}

static int is_linked(const akin_report *report)
{
    return report->records.tables == 2;
}

static int is_deduplicated(const akin_report *report)
{
    return report->records.tables != 2;
}

static int is_learnt(const akin_report *report)
{
    return report->learnt.is_there;
}

static int has_weights(const akin_report *report)
{
    return report->learnt.is_there && report->figures.pairs_selected > 0;
}

static int is_given(const akin_report *report)
{
    return !report->learnt.is_there;
}

static int has_unlinkable(const akin_report *report)
{
    return report->learnt.example_count > 0;
}

static int has_agreement(const akin_report *report)
{
    return report->gold.has_clusters;
}

static int is_timed(const akin_report *report)
{
    return !report->options.reproducible;
}

static const struct {
    const char *name;
    int (*holds)(const akin_report *report);
} conditions[] = {{"gold", has_gold},
                  {"compared", has_compared},
                  {"listed", has_listed},
                  {"clusters", has_clusters},
                  {"closures", has_closures},
                  {"warned", has_warnings},
                  {"linked", is_linked},
                  {"deduplicated", is_deduplicated},
                  {"learnt", is_learnt},
                  {"weighed", has_weights},
                  {"given", is_given},
                  {"agreement", has_agreement},
                  {"unlinkables", has_unlinkable},
                  {"timed", is_timed}};

static int holds(void *user, const char *name, size_t length)
{
    const akin_page *page = user;
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
        if (akin_template_is(name, length, conditions[i].name))
            return conditions[i].holds(page->report);
    return 0;
}

static void write_part(void *user, const char *name, size_t length)
{
    static const akin_page_part *const lists[] = {akin_page_figures, akin_page_charts, akin_page_records,
                                                  akin_page_learnt};
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (const akin_page_part *part = lists[list]; part->name; part++)
            if (akin_template_is(name, length, part->name))
                part->write(user);
}

/* ---------------------------------------------------------------------------------------------------------- columns */

static void show_column(akin_page *page, uint32_t column)
{
    uint32_t i = 0;
    while (i < page->shown_count && page->shown[i] != column)
        i++;
    if (i == page->shown_count)
        page->shown[page->shown_count++] = column;
}

static int choose_columns(akin_page *page)
{
    const akin_dedupe_options *job_options = &page->report->job_options;
    uint64_t room = job_options->attribute_count;
    for (uint32_t i = 0; i < job_options->selection_count; i++)
        room += job_options->selections[i].part_count;
    page->shown = akin_alloc(NULL, room, sizeof *page->shown);
    for (uint32_t i = 0; page->shown && i < job_options->attribute_count; i++)
        show_column(page, job_options->attributes[i].column);
    for (uint32_t i = 0; page->shown && i < job_options->selection_count; i++)
        for (uint32_t p = 0; p < job_options->selections[i].part_count; p++)
            show_column(page, job_options->selections[i].parts[p].column);
    return page->shown != NULL;
}

static void put_column_name(akin_page *page, uint32_t column)
{
    const akin_report *r = page->report;
    const char *name = r->options.columns                       ? r->options.columns[column]
                       : column < r->own && r->columns_given[0] ? r->columns_given[0][column].name
                                                                : NULL;
    if (name) {
        akin_html_cut(&page->html, name, strlen(name), 0, 80);
        return;
    }
    akin_html_markup(&page->html, "column ");
    akin_html_count(&page->html, column);
}

void akin_page_column(akin_page *page, uint32_t column)
{
    const akin_report *r = page->report;
    if (column < r->own || r->options.columns) {
        put_column_name(page, column);
        return;
    }
    const akin_combined *combined = &r->job_options.combined[column - r->own];
    for (uint32_t part = 0; part < combined->count; part++) {
        akin_html_markup(&page->html, part ? " + " : "");
        put_column_name(page, combined->columns[part]);
    }
}

/* ------------------------------------------------------------------------------------------------------------ words */

void akin_page_ratio(akin_html *html, akin_ratio ratio)
{
    akin_html_double(html, akin_ratio_value(ratio));
}

void akin_page_threshold(akin_page *page)
{
    if (page->report->learnt.is_there)
        akin_page_probability(&page->html, page->report->learnt.threshold);
    else
        akin_page_ratio(&page->html, page->report->job_options.threshold);
}

void akin_page_share(akin_html *html, double value, int digits)
{
    akin_html_markup(html, "<td data-v=\"");
    akin_html_double(html, value);
    akin_html_markup(html, "\">");
    akin_html_decimal(html, value, digits);
    akin_html_markup(html, "</td>");
}

void akin_page_sample(akin_page *page)
{
    const akin_report *r = page->report;
    akin_html *html = &page->html;
    if (r->drawn.is_all) {
        akin_html_markup(html, r->drawn.count == 1 ? "the " : "all ");
        akin_html_counted(html, r->drawn.count, "compared pair", "compared pairs");
        return;
    }
    akin_html_markup(html, "a random sample of ");
    akin_html_count(html, r->drawn.count);
    akin_html_markup(html, " of the ");
    akin_html_counted(html, r->figures.pairs_selected, "compared pair", "compared pairs");
}

uint64_t akin_page_below(const akin_report *report)
{
    uint64_t gathered = 0;
    for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++)
        gathered += report->found_bins[k] + report->near_bins[k];
    return report->figures.pairs_selected - akin_min_u64(gathered, report->figures.pairs_selected);
}

void akin_page_comparator(akin_page *page, uint32_t attribute)
{
    if (page->report->options.comparators)
        akin_html_string(&page->html, page->report->options.comparators[attribute]);
    else
        akin_html_markup(&page->html, akin_comparator_name(page->report->job_options.attributes[attribute].compare));
}

/* -------------------------------------------------------------------------------------------------------------- all */

akin_status akin_report_write(const akin_report *report, akin_output *output, akin_error *error)
{
    akin_page page = {.html = {.output = output, .error = error}, .report = report};
    const akin_template template = {(const char *)akin_page_template, akin_page_template_length, write_part, holds};
    if (!report->is_done)
        return akin_fail(error, AKIN_E_OPTION, "the report is of nothing yet: expected akin_dedupe to be done with it");
    if (!choose_columns(&page))
        return akin_fail_memory(error, "the report");
    akin_template_write(&template, &page.html, &page);
    akin_free(page.shown);
    akin_free(page.combined[0]);
    akin_free(page.combined[1]);
    return page.html.status;
}
