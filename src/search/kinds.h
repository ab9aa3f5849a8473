/* The table of the kinds of objects that an index is of. Each kind has a module of its own, which implements the
 * functions of its row (way.h). */
#ifndef AKIN_SEARCH_KINDS_H
#define AKIN_SEARCH_KINDS_H

#include "base/choice.h"
#include "search/way.h"

/* A kind; its value is an akin_search_kind. */
typedef struct akin_search_kind_row {
    akin_choice choice;
    const akin_search_way *plain, *hashed; /* without and with hash functions; NULL: it is not indexed so */
    /* Makes an index of objects in the form that the facts say. */
    akin_status (*make)(const akin_scope *scope, const akin_search_objects *objects,
                        const akin_search_index_options *options, const akin_column *names, akin_search_index **out,
                        akin_error *error);
} akin_search_kind_row;

/* The kinds of objects by name. */
extern const akin_choice_table akin_search_kinds;

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
