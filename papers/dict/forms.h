/* The forms of tries of the papers: rows of the table "dictionary-kinds". */
#ifndef AKIN_PAPERS_DICT_FORMS_H
#define AKIN_PAPERS_DICT_FORMS_H

#include "dict/trie_forms.h"

#define AKIN_PAPERS_TRIE_KINDS 2
extern const akin_trie_kind_row akin_papers_trie_kinds[AKIN_PAPERS_TRIE_KINDS];

#endif
