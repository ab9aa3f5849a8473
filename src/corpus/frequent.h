/*
 * Tokens that are in many documents, by their bytes: counted exactly, and then found by the documents that leave them
 * out.
 *
 *     stripe      of the first bits of a hash; one thread at a time adds to it
 *       slots     | hash, documents, place of its bytes | ...       linear probing
 *       bytes     of its tokens
 */
#ifndef AKIN_CORPUS_FREQUENT_H
#define AKIN_CORPUS_FREQUENT_H

#include "base/memory.h"

typedef struct akin_frequent akin_frequent;

/* `most`: the documents that a token may be in. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_frequent_create(akin_account *account, uint64_t most, akin_frequent **out);
void akin_frequent_free(akin_frequent *frequent);

/* Counts one more document with a token, whose hash depends on its bytes alone. Threads may add at once. Errors,
 * without a message: AKIN_E_NOMEM. */
akin_status akin_frequent_add(akin_frequent *frequent, const char *bytes, uint32_t length, uint64_t hash);

/* Forgets tokens that are in no more documents than they may be; *left receives how many tokens are left. Nothing is
 * added after that. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_frequent_finish(akin_frequent *frequent, uint64_t *left);

/* Whether a token is left. */
int akin_frequent_has(const akin_frequent *frequent, const char *bytes, uint32_t length, uint64_t hash);

#endif
