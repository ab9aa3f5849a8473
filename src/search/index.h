/*
 * An index for match-count search: objects by their keywords, what identifies keywords (a vocabulary, token ids, or the
 * values and bins of columns), and the names of objects; or strings, or trees, which have no keywords.
 *
 * Of rows, dimension d is a column. Its keywords are its values, rising by their bytes, or its bins, rising, those left
 * out that are empty:
 *
 *     strings    | name of column 0 | its values ..  | name of column 1 | ..     a numeric one has its name alone
 *     bins       | of the first numeric column | of the second | ..
 *
 * Of vectors, and of sets by MinHash, dimension f is a hash function, and its keywords are the values that it may have;
 * of signatures those that there are, rising, unless they are hashed:
 *
 *     values     | of column 0 | of column 1 | ..
 */
#ifndef AKIN_SEARCH_INDEX_H
#define AKIN_SEARCH_INDEX_H

#include "dict/trie.h"
#include "search/objects.h"
#include "search/letters.h"
#include "search/ordered.h"
#include "sets/analysis.h"
#include "signature/family.h"
#include "rank/rank_index.h"
#include "trees/stored.h"

typedef struct akin_search_head {
    uint32_t kind;
    uint32_t rows;       /* objects */
    uint32_t dimensions; /* columns of rows, else 0 */
    uint32_t ngram;      /* symbols of the n-grams of strings; 0: there are none */
    uint32_t functions;  /* of vectors, of sets by MinHash, and of signatures; else 0 */
    uint32_t letters;    /* 1: strings are of code points (letters.h); 0: of bytes, or there are none */
    uint32_t folds;      /* that strings were folded by, and queries are; else 0 */
} akin_search_head;

/* What vectors, sets by MinHash and signatures have. */
typedef struct akin_search_lsh {
    akin_family_head family; /* of signatures the buckets that they are hashed into and the seed, the rest 0 */
    uint32_t number;         /* of the vectors, an akin_number */
    uint32_t is_kept;        /* whether they are */
} akin_search_lsh;

/* A column of rows. */
typedef struct akin_dimension {
    double low, high; /* the values of a numeric column; if it has none, 0 */
    uint32_t bins;    /* that these are cut into; 0: it is not numeric */
    uint32_t first;   /* of its keywords */
    uint32_t count;   /* of them */
    uint32_t reserved;
    uint64_t string; /* its name; values follow */
    uint64_t bin;    /* its first one */
} akin_dimension;

enum { /* sections of a file */
       AKIN_SEARCH_HEAD,
       AKIN_SEARCH_OBJECTS,                                         /* none of strings without n-grams */
       AKIN_SEARCH_TRIE = AKIN_SEARCH_OBJECTS + AKIN_OBJECTS_PARTS, /* of documents: the keywords are its ids */
       AKIN_SEARCH_ANALYSIS = AKIN_SEARCH_TRIE + AKIN_TRIE_PARTS,   /* of documents */
       AKIN_SEARCH_TOKENS,     /* of sets: uint32, rising; keyword i is token i. Of strings: code points (letters.h) */
       AKIN_SEARCH_DIMENSIONS, /* of rows, as what follows */
       AKIN_SEARCH_BINS,       /* uint32. Of strings with more than 254 code points: the number of each */
       AKIN_SEARCH_STRING_OFFSETS, /* uint64, one more than there are strings; also those of an index of strings */
       AKIN_SEARCH_STRINGS,
       AKIN_SEARCH_VALIDITY,     /* of strings: bits, or empty if there are no nulls */
       AKIN_SEARCH_GRAMS,        /* of strings with n-grams: uint64, rising, see grams.h */
       AKIN_SEARCH_SIZES,        /* of sets and documents: uint32, keywords of each object */
       AKIN_SEARCH_LSH,          /* where there are functions, as what follows: akin_search_lsh */
       AKIN_SEARCH_SCALE,        /* float, see family.h; none of signatures, nor of MinHash */
       AKIN_SEARCH_SHIFT,        /* float, likewise */
       AKIN_SEARCH_SALT,         /* uint64; none of signatures */
       AKIN_SEARCH_VECTORS,      /* if they are kept: as akin_matrix has them */
       AKIN_SEARCH_VALUE_ENDS,   /* of signatures that are not hashed: uint64, where the values of each column end */
       AKIN_SEARCH_VALUES,       /* int64 */
       AKIN_SEARCH_NAME_OFFSETS, /* of objects, or empty */
       AKIN_SEARCH_NAMES,
       AKIN_SEARCH_STORED, /* of trees; files of other kinds end before it */
       AKIN_SEARCH_SECTIONS = AKIN_SEARCH_STORED + AKIN_STORED_PARTS,
};

struct akin_search_index {
    akin_search_head head;
    akin_objects objects;
    akin_trie *trie;
    akin_analysis *analysis;
    akin_text_counts texts; /* of documents: those that were added last, when it was extended; else zeros */
    akin_ordered ordered;
    akin_letters letters;     /* of strings of code points */
    akin_search_lsh lsh;      /* all zeros if there are no functions */
    akin_rank_index *ranking; /* of bm25, which has nothing else; else NULL */
    akin_stored_trees *trees; /* of trees; else NULL */
    /* What is not in one of these: in arrays of its own, or the container. */
    akin_section sections[AKIN_SEARCH_SECTIONS];
    akin_bulk own[AKIN_SEARCH_SECTIONS];
    akin_container *container;
};

/* Makes an index of nothing, with the names of its objects, to be freed by akin_search_index_free. Errors:
 * AKIN_E_OPTION (names that cannot be), AKIN_E_NOMEM. */
akin_status akin_search_index_begin(const akin_scope *scope, akin_search_kind kind, uint32_t rows,
                                    const akin_column *names, akin_search_index **out, akin_error *error);

/* Hands an index over, or frees it if that failed. */
akin_status akin_search_index_end(akin_search_index *index, akin_status status, akin_search_index **out);

/* Makes one of its sections an array of its own, index->own[section].data: of the heap what the bound of memory has for
 * it, else in a temporary file. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_search_section(const akin_scope *scope, akin_search_index *index, int section, uint64_t count,
                                size_t size, akin_error *error);

/* An array that building needs for a while. The caller clears it in any case. Errors: as above. */
akin_status akin_search_scratch(const akin_scope *scope, akin_bulk *array, uint64_t count, size_t size,
                                akin_error *error);

/* Copies a column as offsets, in that section, and bytes, in the one behind it. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_search_copy_strings(const akin_scope *scope, const akin_column *column, akin_search_index *index,
                                     int section, akin_error *error);

/* All sections of an index, as they are written. */
void akin_search_index_sections(const akin_search_index *index, akin_section sections[AKIN_SEARCH_SECTIONS]);

/* Refuses a file. Returns AKIN_E_INPUT. */
akin_status akin_search_refuse(const char *name, const char *why, akin_error *error);

/* Whether a section is the offsets of `count` strings (UINT64_MAX: of any number), and another their bytes. */
int akin_search_are_offsets(const akin_section *offsets, const akin_section *bytes, uint64_t count);

/* The functions of vectors and sets, and the vectors that are kept, in views of the index; how long the sections of the
 * functions are. */
void akin_search_lsh_lengths(const akin_family_head *head, akin_section sections[AKIN_SEARCH_SECTIONS]);
akin_family akin_search_family(const akin_search_index *index);
akin_matrix akin_search_matrix(const akin_search_index *index);

/* String `i`. */
static inline const char *akin_search_string(const akin_search_index *index, uint64_t i, uint64_t *length)
{
    const uint64_t *offsets = index->sections[AKIN_SEARCH_STRING_OFFSETS].data;
    *length = offsets[i + 1] - offsets[i];
    return (const char *)index->sections[AKIN_SEARCH_STRINGS].data + offsets[i];
}

/* The strings of an index, as a column. */
static inline akin_column akin_search_strings(const akin_search_index *index)
{
    const akin_section *sections = index->sections;
    return (akin_column){.size = sizeof(akin_column),
                         .offsets = sections[AKIN_SEARCH_STRING_OFFSETS].data,
                         .bytes = sections[AKIN_SEARCH_STRINGS].data,
                         .validity =
                             sections[AKIN_SEARCH_VALIDITY].length ? sections[AKIN_SEARCH_VALIDITY].data : NULL};
}

#endif
