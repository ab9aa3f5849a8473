/* The table of the kinds of tries. A row has a name and a form. */
#ifndef AKIN_DICT_TRIE_FORMS_H
#define AKIN_DICT_TRIE_FORMS_H

#include "base/choice.h"
#include "dict/trie_layout.h"

/* A row of the table; its value is form->kind. */
typedef struct akin_trie_kind_row {
    akin_choice choice;
    const akin_trie_form *form;
} akin_trie_kind_row;

extern const akin_choice_table akin_trie_kinds;

/* Finds the form of a kind of the library or of the annex, in *out. Errors: AKIN_E_OPTION. */
akin_status akin_trie_form_of(const akin_annex *annex, akin_trie_kind kind, const akin_trie_form **out,
                              akin_error *error);

/* Returns the form that has this number in files; NULL: neither the library nor the annex has such a form. */
const akin_trie_form *akin_trie_form_saved(const akin_annex *annex, uint32_t saved);

#endif
