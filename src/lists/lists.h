/*
 * An inverted index: for each term, or other subject of a list, the documents that have it, and how often. It does not
 * know words.
 *
 * Documents get new numbers: first those that are not late, then the late ones; within each by a key that the caller
 * gives (for text its length), and then by their old number. So documents of one key, a class, stand together (or make
 * two classes, if some are late). The weight of an entry is the product, rounded once,
 *
 *     weight = scale[list] * factors[first[class of the document] + number - 1]
 *
 * so weights are exact and take no room of their own. Neighbours differ little in weight, so bounds are tight. An entry
 * stores the number: the count of the term in the document, if that is at most 32. Each larger count that occurs in a
 * class has one of the next numbers, so there are no more factors than counts, however large these are. 1 is for a
 * count of 1.
 *
 * A list is cut into blocks of AKIN_BLOCK entries. Each block is found, searched and read on its own:
 *
 *     block    last document | where its words begin | bound of factors here | and from here on | widths
 *     words    [ upper halves ][ lower halves ][ numbers less 1 ]    of 64 bits each
 *
 * Documents but the last are coded as Elias and Fano do: with what lies below them (the last document of the block
 * before, plus 1) taken away, the lower `low` bits of all stand in a row; of the rest, each number h of entry i is a
 * one at place h + i. That takes 2 + log2(gap) bits an entry, and one can look for a document without reading the
 * others. Behind the words of the last block there are 8 bytes with any content.
 */
#ifndef AKIN_LISTS_LISTS_H
#define AKIN_LISTS_LISTS_H

#include "base/bits.h"
#include "base/bulk.h"
#include "base/container.h"

#define AKIN_BLOCK         128   /* entries */
#define AKIN_LISTS_LARGEST 1e140 /* no scale and no factor is larger, so that no sum is infinite */

typedef struct akin_block {
    uint32_t last;  /* document */
    uint32_t words; /* of its list, before its own */
    float most;     /* no factor of its entries is larger */
    float rest;     /* nor of those from here to the end of the list */
    uint8_t entries_less_1;
    uint8_t low;    /* bits of a lower half */
    uint8_t counts; /* bits of a number less 1 */
    uint8_t reserved;
} akin_block;

typedef struct akin_list {
    uint64_t words; /* where its words begin */
    double scale;
    uint32_t block; /* its first */
    uint32_t count; /* entries */
} akin_list;

typedef struct akin_lists_head {
    uint64_t entries;
    uint32_t documents, lists, classes, blocks;
} akin_lists_head;

enum { /* the parts, sections of a file */
       AKIN_LISTS_HEAD,
       AKIN_LISTS_LISTS,
       AKIN_LISTS_BLOCKS,
       AKIN_LISTS_WORDS,
       AKIN_LISTS_NUMBERS, /* uint32: the caller's number of each document */
       AKIN_LISTS_CLASSES, /* uint32, one more than there are: the first document of each class */
       AKIN_LISTS_FIRSTS,  /* uint64, likewise: where its factors begin */
       AKIN_LISTS_FACTORS, /* doubles */
       AKIN_LISTS_PARTS
};

/* How the lists of a file are brought, see akin_lists_bring; it belongs to lists_take.c. */
typedef struct akin_lists_bringing akin_lists_bringing;

typedef struct akin_lists {
    akin_lists_head head;
    const akin_list *lists;
    const akin_block *blocks;
    const uint64_t *words;
    const uint32_t *numbers, *classes;
    const uint64_t *firsts;
    const double *factors;
    akin_section parts[AKIN_LISTS_PARTS];
    akin_bulk own[AKIN_LISTS_PARTS]; /* what these are in, if it was built, or copied from a mapped file */
    _Atomic uint64_t *brought;       /* a bit for each list of a file: it may be read; NULL: all may */
    akin_lists_bringing *bringing;   /* of a file */
} akin_lists;

/* What an index is built of. List i is `count` entries, ascending by document, and a scale. */
typedef struct akin_lists_source {
    uint32_t documents, lists;
    const uint32_t *keys; /* of documents */
    const uint8_t *late;  /* of documents: those with a 1 stand behind all with a 0 */
    uint32_t (*list)(const void *user, uint32_t i, const uint32_t **documents, const uint32_t **counts, double *scale);
    /* What an entry of a document of that key weighs beside the scale: 0 or more. */
    double (*factor)(const void *user, uint32_t key, uint32_t count);
    const void *user;
} akin_lists_source;

/* Builds it, on all threads, in arrays of the store, which must live as long as it; akin_lists_clear may follow in any
 * case. Errors: AKIN_E_OPTION (a scale or a factor is too large), AKIN_E_NOMEM, AKIN_E_IO (a temporary file),
 * AKIN_E_LIMIT, AKIN_E_CANCELLED. */
akin_status akin_lists_build(const akin_scope *scope, const akin_lists_source *source, akin_store *store,
                             akin_lists *out, akin_error *error);

/* Takes the sections of a file, which stay where they are, and checks classes and factors. A list can be read when it
 * was brought.
 *
 *     numbers    are compared with the number of documents when they are read
 *     lists      are brought one by one: its entry, blocks and words are checked, as far as they have checksums of
 *                blocks, and that blocks and words are in their sections, and documents in order
 *     words      may hold anything: documents that are decoded are in order and in their block (akin_block_documents),
 *                and behind the factors there are as many zeros as a number can reach
 *
 * So a file that was made to harm, with the right checksums, gives wrong answers at most; akin_lists_check sees that,
 * too. Of a mapped file all but the words and numbers is copied, so whoever changes these changes answers alone. Behind
 * the words 8 bytes must be readable, as they are in a file that has another section there, in the order of the parts:
 * that of the first factors alone has as many. Errors: AKIN_E_INPUT, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_lists_take(const akin_scope *scope, const char *name, const akin_section parts[AKIN_LISTS_PARTS],
                            akin_lists *out, akin_error *error);

/* Brings all lists, and on all threads checks all that the file holds: what follows each other without gaps, that each
 * document has one number, that documents ascend, that each count has a factor, and that no factor is beyond a bound.
 * Errors: as above. */
akin_status akin_lists_check(const akin_scope *scope, const akin_lists *lists, akin_error *error);

void akin_lists_clear(akin_lists *lists);

/* ------------------------------------------------------------------------------------------------------ from a file */

/* What akin_lists_bring does for a list that was not brought yet. */
akin_status akin_lists_bring_now(const akin_lists *lists, uint32_t list, akin_error *error);

/* Lets a list be read from now on, by all threads. Errors: AKIN_E_INPUT (it is damaged). */
static inline akin_status akin_lists_bring(const akin_lists *lists, uint32_t list, akin_error *error)
{
    if (!lists->brought || (atomic_load_explicit(&lists->brought[list / 64], memory_order_acquire) >> list % 64 & 1))
        return AKIN_OK;
    return akin_lists_bring_now(lists, list, error);
}

/* The error of a file with such lists. */
akin_status akin_lists_refuse(const akin_lists *lists, const char *why, akin_error *error);

/* How many entries a list says it has, which may be wrong before it is brought. */
uint32_t akin_lists_entries(const akin_lists *lists, uint32_t list);

/* The caller's number of a document, in *number. Errors: AKIN_E_INPUT (it is damaged). */
akin_status akin_lists_number(const akin_lists *lists, uint32_t document, uint32_t *number, akin_error *error);

/* ----------------------------------------------------------------------------------------------------------- blocks */

static inline uint32_t akin_block_entries(const akin_block *block)
{
    return (uint32_t)block->entries_less_1 + 1;
}

static inline uint32_t akin_list_blocks(const akin_list *list)
{
    return (uint32_t)akin_ceil_div(list->count, AKIN_BLOCK);
}

/* Bits and words of the upper halves of a block whose documents begin at `base`. */
static inline uint64_t akin_block_upper(const akin_block *block, uint32_t base)
{
    uint32_t others = block->entries_less_1;
    return others ? (uint64_t)others + ((uint64_t)(block->last - base) >> block->low) + 1 : 0;
}

static inline uint64_t akin_block_words(const akin_block *block, uint32_t base)
{
    return akin_ceil_div(akin_block_upper(block, base), 64) +
           akin_ceil_div((uint64_t)block->entries_less_1 * block->low, 64) +
           akin_ceil_div((uint64_t)akin_block_entries(block) * block->counts, 64);
}

/* A block to be read. */
typedef struct akin_block_view {
    const uint64_t *upper, *lower, *counts;
    const akin_block *block;
    uint32_t base;
} akin_block_view;

static inline akin_block_view akin_block_open(const akin_lists *lists, const akin_list *list, uint32_t number)
{
    akin_block_view view;
    view.block = &lists->blocks[list->block + number];
    view.base = number > 0 ? view.block[-1].last + 1 : 0;
    view.upper = lists->words + list->words + view.block->words;
    view.lower = view.upper + akin_ceil_div(akin_block_upper(view.block, view.base), 64);
    view.counts = view.lower + akin_ceil_div((uint64_t)view.block->entries_less_1 * view.block->low, 64);
    return view;
}

/* Value `i` of an array of `bits` bits each, at most 32; 8 bytes behind the array may be read, which are there. */
static inline uint32_t akin_packed(const uint64_t *words, uint32_t i, uint32_t bits)
{
    uint64_t at = (uint64_t)i * bits;
    return (uint32_t)(akin_load_word((const char *)words + at / 8) >> at % 8 & ((UINT64_C(1) << bits) - 1));
}

/* The number of entry `i`'s factor: how often it is in its document, as far as that is at most 32. */
static inline uint32_t akin_block_factor(const akin_block_view *view, uint32_t i)
{
    return 1 + akin_packed(view->counts, i, view->block->counts);
}

/* Reads all documents of a block, which never fall, and are those of the block's range whatever its words are; returns
 * how many. */
uint32_t akin_block_documents(const akin_block_view *view, uint32_t documents[AKIN_BLOCK]);

/* The first entry whose document is at least `document`, which is not beyond the last, in *entry, and that document. */
uint32_t akin_block_seek(const akin_block_view *view, uint32_t document, uint32_t *entry);

/* The first block from `from` on whose last document is at least `document`; the number of blocks if there is none. */
uint32_t akin_list_seek(const akin_lists *lists, const akin_list *list, uint32_t from, uint32_t document);

/* --------------------------------------------------------------------------------------- coding, as lists are built */

/* Lists that have been coded. */
typedef struct akin_coded {
    akin_block *blocks;
    uint64_t *words;
    uint64_t block_count, word_count;
    akin_bulk bulks[2]; /* what these are in */
} akin_coded;

/* The factors of documents: of each document its class, of each class where its factors begin, and these, from number 1
 * on. */
typedef struct akin_factors {
    const uint32_t *class_of;
    const uint64_t *firsts;
    const double *factors;
} akin_factors;

/* Codes a list behind those that there are: entries, document << 32 | number of the factor, ascending. Errors, without
 * a message: AKIN_E_LIMIT (32 GiB of words), AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_code_list(akin_coded *coded, const akin_factors *factors, const uint64_t *keys, uint32_t count);

#endif
