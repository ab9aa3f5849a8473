/* The form of tries whose bit-vectors are kept in chunks (chunks.h). */
#ifndef AKIN_DICT_TRIE_CHUNKS_H
#define AKIN_DICT_TRIE_CHUNKS_H

#include "dict/trie_layout.h"

extern const akin_trie_form akin_trie_chunks;

#endif
