/* What a search has found, as lines of a file. */
#ifndef AKIN_CLI_HITS_H
#define AKIN_CLI_HITS_H

#include "indexed.h"
#include "searched.h"
#include "shown.h"
#include "truth.h"

typedef struct akin_cli_hits {
    const akin_search_index *index;
    akin_cli_format format;
    int digits;                    /* of similarities, behind the point; below 0: as few as read back */
    unsigned values;               /* what objects are found for, a sum of akin_hit_value: the columns of the file */
    const akin_cli_names *queries; /* what these are called, as the format has it */
    akin_cli_truth *truth;         /* to which they are added; NULL: it is not known */
    akin_output *output;
    akin_cli_shown shown;   /* columns of queries and documents, beside the others, */
    akin_cli_beside beside; /* which are in these tables */
    /* Its own: */
    uint64_t count;               /* of the lines so far */
    const akin_search_hit *found; /* those at hand */
    akin_error error;             /* of the sink */
} akin_cli_hits;

/* Writes the names of the columns, if the format has them. Errors: AKIN_E_IO. */
akin_status akin_cli_hits_begin(akin_cli_hits *hits, akin_error *error);

/* An akin_search_sink, whose user is an akin_cli_hits. If it cancels, `error` of that says why: AKIN_E_IO, AKIN_E_INPUT
 * (a name that the format cannot hold), AKIN_E_NOMEM. */
int akin_cli_hits_sink(void *user, const akin_search_hit *found, size_t count);

void akin_cli_hits_clear(akin_cli_hits *hits);

#endif
