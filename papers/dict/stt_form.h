/* The form of tries that are a state-transition table (stt.h). */
#ifndef AKIN_PAPERS_DICT_STT_FORM_H
#define AKIN_PAPERS_DICT_STT_FORM_H

#include "dict/trie_layout.h"

extern const akin_trie_form akin_stt_form;

#endif
