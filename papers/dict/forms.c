/* The forms of tries of the papers. They give words the same ids as the library's form. */
#include "papers/dict/forms.h"

#include "akin_papers.h"
#include "papers/dict/rrr_form.h"
#include "papers/dict/stt_form.h"

const akin_trie_kind_row akin_papers_trie_kinds[AKIN_PAPERS_TRIE_KINDS] = {
    {{"rrr", "", "bit vectors compressed as RRR", AKIN_TRIE_RRR, AKIN_FROM_PAPER}, &akin_rrr_form},
    {{"stt", "", "a state-transition table, a hundred times as large", AKIN_TRIE_STT, AKIN_FROM_PAPER}, &akin_stt_form},
};
