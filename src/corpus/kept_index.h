/*
 * The index of kept documents, by the rare hashes of each:
 *
 *     hash --> slot --> posting --> posting of the slot that was linked before --> ...
 *                        | tag of the hash, kept document
 *                        v
 *                       entry     document, size, group
 *                       signature one bit or more for each hash: the parity of the hashes that fall on it
 *
 * Two bags that differ in d hashes have signatures at a Hamming distance of at most d (Bellas and Gounaris, section
 * 3.2.3). So a signature refutes nearly all documents that share a rare hash by chance, in a 64th of the memory that
 * hashes take. A wide signature folds to half its width.
 *
 * One thread adds documents, in their order. Linking is what takes time, so all threads do it.
 */
#ifndef AKIN_CORPUS_KEPT_INDEX_H
#define AKIN_CORPUS_KEPT_INDEX_H

#include "base/memory.h"
#include "base/scope.h"
#include "signature/screen.h"

#include <stdatomic.h>

/* A document as the index takes it. What it points to is the caller's. */
typedef struct akin_indexable {
    const uint64_t *hashes;    /* the rare ones, each once */
    const uint64_t *signature; /* akin_signature_words(size) words */
    uint64_t document;
    uint32_t hash_count, size, group;
} akin_indexable;

/* An indexed document. */
typedef struct akin_index_entry {
    uint64_t document, signature; /* signature: where its words begin */
    uint32_t size, group;
} akin_index_entry;

/* A hash of an indexed document. Other hashes may have the same tag: what they find is refuted like chance matches. */
typedef struct akin_posting {
    uint32_t tag;         /* the high half of the mixed hash, which also is what the slot depends on */
    uint32_t entry, next; /* next: another posting of the slot */
} akin_posting;

typedef struct akin_kept_index {
    akin_account *account; /* charged for all of it; NULL: none */
    akin_hamming hamming;  /* for signatures of one width */
    akin_index_entry *entries;
    uint64_t *signatures;
    akin_posting *postings;
    _Atomic uint32_t *slots; /* the posting of each that was linked last */
    uint64_t entry_count, entry_capacity, word_count, word_capacity, posting_count, posting_capacity, slot_count;
} akin_kept_index;

/* An empty index has zeros, a way to compare signatures, and perhaps an account. This frees what an index holds, and
 * leaves it empty. */
void akin_kept_index_clear(akin_kept_index *index);

/* The bytes of an index for a document of that size with so many postings, at most. */
uint64_t akin_kept_index_bytes(uint32_t size, uint32_t postings);

/* Where a document is in the index. */
typedef struct akin_index_place {
    uint64_t posting; /* the first one */
    uint32_t entry;
} akin_index_place;

/* Makes slots for that many postings more, by all threads: the most that there is memory for, perhaps none. Errors,
 * without a message: AKIN_E_CANCELLED. */
akin_status akin_kept_index_expect(const akin_scope *scope, akin_kept_index *index, uint64_t postings);

/* Makes room for a document, which is not found yet. Errors, without a message, the index being as before: AKIN_E_NOMEM
 * (too few postings were expected, too), AKIN_E_LIMIT (2^32 documents, or postings). */
akin_status akin_kept_index_add(akin_kept_index *index, const akin_indexable *document, akin_index_place *out);

/* Writes and links the postings of a document that was added: it is found from now on. Threads may link at once, each
 * document once, before more postings are expected. */
void akin_kept_index_link(const akin_kept_index *index, const akin_indexable *document, const akin_index_place *place);

/* Entries that were found; all zeros at first. */
typedef struct akin_entries {
    uint32_t *list;
    uint64_t *slots; /* entries that were tested, by hashing: | search | entry |; free: of another search */
    uint64_t count, capacity, tested, slot_count;
    uint32_t search; /* its number, from 1 on */
} akin_entries;

void akin_entries_clear(akin_entries *entries);

/* Which entries are wanted: from `first` on, of sizes least .. most, and those that pass a test, which is called once
 * for each. */
typedef struct akin_entries_wanted {
    uint32_t first;
    uint64_t least, most;
    int (*test)(void *user, uint32_t entry);
    void *user;
} akin_entries_wanted;

/* Finds the wanted entries that have one of the hashes, and a few that have others: ascending, each once. Threads may
 * find at once. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_kept_index_find(const akin_kept_index *index, const uint64_t *hashes, uint32_t count,
                                 const akin_entries_wanted *wanted, akin_account *account, akin_entries *out);

/* The words of the signature of a bag, and the signature: `words` has room for it. */
uint64_t akin_signature_words(uint32_t size);
void akin_signature_make(const uint64_t *hashes, uint32_t size, uint64_t *words);

/* The Hamming distance of the signature of a document of that size and that of an entry, both folded to the narrower
 * width. */
uint64_t akin_kept_index_distance(const akin_kept_index *index, const uint64_t *signature, uint32_t size,
                                  uint32_t entry);

#endif
