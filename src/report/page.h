/*
 * The page of a report: a template (template.h), which is made of the files in page/ when akin is built.
 */
#ifndef AKIN_REPORT_PAGE_H
#define AKIN_REPORT_PAGE_H

#include "report/html.h"
#include "report/report.h"

typedef struct akin_page {
    akin_html html;
    const akin_report *report;
    uint32_t *shown; /* columns of the table: those compared, then those that pairs are selected by */
    uint32_t shown_count;
    char *combined[2]; /* room for two values that are combined of others */
    uint64_t room[2];
} akin_page;

/* What a page says of an akin_report_kind. */
typedef struct akin_page_kind {
    const char *counted;        /* of all pairs of the kind */
    const char *listed, *right; /* of one of them, not known to be right, or right */
} akin_page_kind;

/* By akin_report_kind. */
extern const akin_page_kind akin_page_kinds[AKIN_REPORT_KINDS];

typedef struct akin_page_part {
    const char *name;
    void (*write)(akin_page *page);
} akin_page_part;

/* The parts, then one without a name: figures, what charts are drawn from, what the records hold, and what was learnt.
 */
extern const akin_page_part akin_page_figures[];
extern const akin_page_part akin_page_charts[];
extern const akin_page_part akin_page_records[];
extern const akin_page_part akin_page_learnt[];

/* What the page calls a column, and how an attribute is compared. */
void akin_page_column(akin_page *page, uint32_t column);
void akin_page_comparator(akin_page *page, uint32_t attribute);

/* "a random sample of 50,000 of the 47,653,203 compared pairs", or "all 15 compared pairs". */
void akin_page_sample(akin_page *page);

/* How many of the pairs compared are less alike than those that were gathered. */
uint64_t akin_page_below(const akin_report *report);

/* A probability, with more digits near to 0 and 1; the threshold, as the page has it in words. */
void akin_page_probability(akin_html *html, double value);
void akin_page_threshold(akin_page *page);

/* A ratio as a decimal number. */
void akin_page_ratio(akin_html *html, akin_ratio ratio);

/* A cell of a table: a share with `digits` digits. */
void akin_page_share(akin_html *html, double value, int digits);

extern const unsigned char akin_page_template[];
extern const size_t akin_page_template_length;

#endif
