/* The form of tries compressed as RRR (rrr.h). */
#ifndef AKIN_DICT_PAPER_RRR_FORM_H
#define AKIN_DICT_PAPER_RRR_FORM_H

#include "dict/trie.h"

extern const akin_trie_form akin_rrr_form;

#endif
