/* The form of tries of a state-transition table (stt.h). */
#ifndef AKIN_DICT_PAPER_STT_FORM_H
#define AKIN_DICT_PAPER_STT_FORM_H

#include "dict/trie.h"

extern const akin_trie_form akin_stt_form;

#endif
