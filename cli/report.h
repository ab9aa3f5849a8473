/* The report of a search for duplicates, as the command names what is in it. */
#ifndef AKIN_CLI_REPORT_H
#define AKIN_CLI_REPORT_H

#include "dedupe.h"
#include "id_pairs.h"

typedef struct akin_cli_page {
    akin_report *report;
    akin_report_options options;
    const char *tables[2];
} akin_cli_page;

/* Creates it: ids[side] is what rows of that file are called, or NULL; gold NULL: no pairs are known to be right. All
 * of that and the request must outlive the page, which stays where it is, and is to be cleared in any case. Errors:
 * those of akin_report_create. */
akin_status akin_cli_page_begin(akin_cli_page *page, akin_cli_job *job, const akin_cli_dedupe_request *request,
                                const akin_column *const ids[2], const akin_cli_id_pairs *gold, akin_error *error);
void akin_cli_page_clear(akin_cli_page *page);

#endif
