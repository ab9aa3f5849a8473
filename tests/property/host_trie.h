/* Of the GPU that the host plays for frozen dictionaries (property/host_trie.c): what a test sets, and what it
 * counts. */
#ifndef AKIN_TEST_HOST_TRIE_H
#define AKIN_TEST_HOST_TRIE_H

#include "dict/trie_gpu.h"
#include "property/host_device.h"

typedef struct host_trie_state {
    uint64_t launches;
    uint64_t words, most; /* looked up, in all and by a launch */
    uint64_t steps;
} host_trie_state;

extern host_trie_state host_trie;

#endif
