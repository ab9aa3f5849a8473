/* How objects of a kind are indexed and searched: the functions that a row of the table of kinds names (kinds.h). The
 * modules of kinds implement them. Modules below that table call them by the pointers of a way that they are given. */
#ifndef AKIN_SEARCH_WAY_H
#define AKIN_SEARCH_WAY_H

#include "search/query_builder.h"

struct akin_appending;
struct akin_search_call;

/* Makes an index of objects, as those of an index are; vectors, which it borrows, by the functions that there are.
 * Columns of rows are found by their names. Errors: those of making such an index; AKIN_E_OPTION (other columns or
 * numbers). */
typedef akin_status (*akin_search_more)(const akin_scope *scope, const akin_search_index *index,
                                        const akin_search_objects *objects, const akin_column *names,
                                        akin_search_index **out, akin_error *error);

/*
 * A way to index objects of a kind. What it does not need is NULL or 0.
 *
 * Making, checking and extending:
 *
 *     sections   the sections that a file has, a bit each; and with n-grams others besides
 *     check      what is wrong with the sections of a file, once the head and the objects are fine; NULL: nothing
 *     take       makes what is needed beside the sections
 *     more       makes an index of further objects, as those of an index are
 *     unite      unites the keywords of two indexes, and puts together what the kind has besides: sets a->count or
 *                a->counts
 *
 * Searching:
 *
 *     admits     checks queries and options
 *     ready      makes ready for all queries
 *     build      makes items of a query, one query at a time; or else
 *     gather     makes some queries items, on all threads
 *     find       finds what is wanted for some queries, and hands it on; or else
 *     all        for all of them
 *     distance   the distance that `agreed` equal functions estimate
 */
typedef struct akin_search_way {
    akin_search_facts facts;
    uint64_t sections, gram_sections;
    const char *(*check)(const akin_search_index *index);
    akin_status (*take)(const akin_scope *scope, const char *name, akin_search_index *index, akin_error *error);
    akin_search_more more;
    akin_status (*unite)(struct akin_appending *a, akin_error *error);
    akin_status (*admits)(const struct akin_search_call *call, akin_error *error);
    akin_status (*ready)(akin_query_source *source, akin_error *error);
    akin_query_build build;
    akin_status (*gather)(const akin_scope *scope, const akin_query_source *source, uint32_t first, uint32_t count,
                          akin_query_batch *batch, akin_error *error);
    akin_status (*find)(struct akin_search_call *call, uint32_t first, uint32_t count, akin_error *error);
    akin_status (*all)(struct akin_search_call *call, uint32_t rows, akin_error *error);
    double (*distance)(const akin_family_head *family, uint32_t agreed);
    int has_letters, has_dimensions; /* columns, each with keywords of its own */
} akin_search_way;

#endif
