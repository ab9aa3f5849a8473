/* The kinds of tries: a row of a name and a form for each. */
#ifndef AKIN_DICT_TRIE_FORMS_H
#define AKIN_DICT_TRIE_FORMS_H

#include "base/choice.h"
#include "dict/trie.h"

/* A row of this table; its value is form->kind. */
typedef struct akin_trie_kind_row {
    akin_choice choice;
    const akin_trie_form *form;
} akin_trie_kind_row;

extern const akin_choice_table akin_trie_kinds;

/* The form of a kind, and of the kind in the head of a file; NULL: there is none. */
const akin_trie_form *akin_trie_form_of(akin_trie_kind kind);
const akin_trie_form *akin_trie_form_saved(uint32_t saved);

#endif
