/* The form of tries whose bit-vectors are compressed as RRR (rrr.h). */
#ifndef AKIN_PAPERS_DICT_RRR_FORM_H
#define AKIN_PAPERS_DICT_RRR_FORM_H

#include "dict/trie_layout.h"

extern const akin_trie_form akin_rrr_form;

#endif
