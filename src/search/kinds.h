/* Kinds of objects that an index is of: what an index of each is made of, and how it is checked, extended and
 * searched. */
#ifndef AKIN_SEARCH_KINDS_H
#define AKIN_SEARCH_KINDS_H

#include "search/append.h"
#include "search/query_builder.h"
#include "search/call.h"

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
    akin_status (*unite)(akin_appending *a, akin_error *error);
    akin_status (*admits)(const akin_search_call *call, akin_error *error);
    akin_status (*ready)(akin_query_source *source, akin_error *error);
    akin_query_build build;
    akin_status (*gather)(const akin_scope *scope, const akin_query_source *source, uint32_t first, uint32_t count,
                          akin_query_batch *batch, akin_error *error);
    akin_status (*find)(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error);
    akin_status (*all)(akin_search_call *call, uint32_t rows, akin_error *error);
    double (*distance)(const akin_family_head *family, uint32_t agreed);
    int has_letters, has_dimensions; /* columns, each with keywords of its own */
} akin_search_way;

/* A kind; its value is an akin_search_kind. */
typedef struct akin_search_kind_row {
    akin_choice choice;
    const akin_search_way *plain, *hashed; /* without and with hash functions; NULL: it is not indexed so */
    /* Makes an index of objects in the form that the facts say. */
    akin_status (*make)(const akin_scope *scope, const akin_search_objects *objects,
                        const akin_search_index_options *options, const akin_column *names, akin_search_index **out,
                        akin_error *error);
} akin_search_kind_row;

/* Makes an index of bm25. Errors: those of akin_weigh and akin_index_create. */
akin_status akin_search_index_of_bm25(const akin_scope *scope, const akin_search_objects *objects,
                                      const akin_search_index_options *options, const akin_column *names,
                                      akin_search_index **out, akin_error *error);

/* How an index is made, by its head; NULL: there is no such kind. */
const akin_search_way *akin_search_way_of(const akin_search_head *head);

/* Whether the options of an index's kind have one of that name. */
int akin_search_takes(const akin_search_index *index, const char *option);

/* The name of an index's kind. */
const char *akin_search_index_kind(const akin_search_index *index);

/* Whether an index of that head has a section. */
int akin_search_has_section(const akin_search_head *head, int section);

/* The form in which objects are given: SETS, MATRIX, or TEXTS for any columns. And whether those of an index are. */
akin_given_form akin_search_form_of(const akin_search_objects *objects);
int akin_search_is_given(const akin_search_index *index, akin_given_form form);

/* Lists the kinds whose objects are given in that form: "vectors or signatures". */
void akin_search_list_kinds(akin_given_form form, char *text, size_t room);

#endif
