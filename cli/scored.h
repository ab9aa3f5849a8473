/* Writes pairs of records, with the similarities of their attributes, as CSV, TSV or JSON lines. */
#ifndef AKIN_CLI_SCORED_H
#define AKIN_CLI_SCORED_H

#include "shown.h"
#include "source.h"

typedef struct akin_cli_scored {
    akin_output *output;
    akin_cli_format format;
    const akin_dedupe_plan *plan;
    const akin_cli_names *left, *right;
    akin_error error;      /* of the write that failed; code AKIN_OK so far */
    int digits;            /* of similarities, behind the point; below 0: as few as read back */
    akin_cli_shown *shown; /* beside them */
    /* The rest is its own. */
    char *keys;                    /* of lines of JSON: what stands before the similarity of each attribute, */
    size_t *key_ends;              /* and where that ends */
    const akin_scored_pair *pairs; /* the pairs at hand, and their similarities */
    const double *each;
} akin_cli_scored;

/* Writes the header; what it points to is borrowed. The caller clears it in any case. An attribute is called by its
 * column, and by its comparator, too, if that column is compared more than once. */
akin_status akin_cli_scored_begin(akin_cli_scored *scored, akin_error *error);

/* An akin_scored_sink, whose user is an akin_cli_scored; it stops when writing fails. */
int akin_cli_scored_sink(void *user, const akin_scored_pair *pairs, const double *each, size_t count);
void akin_cli_scored_clear(akin_cli_scored *scored);

#endif
