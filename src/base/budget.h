/*
 * The budget: how the memory bound of a scope is divided. Every share has its name here, and no other file divides.
 *
 *     | the job at hand: 5/8             | collection 1/8 | collection 1/8 | 1/8: the rest |
 *
 * What lasts from job to job has a share as long as it lives, and is in a temporary file beyond that. The rest is for
 * dictionaries (1/32), tables (1/64), clusters (1/64), and the buffers of files. A job that makes something lasting,
 * such as an index, takes the shares of its arrays in place of a collection's.
 */
#ifndef AKIN_BASE_BUDGET_H
#define AKIN_BASE_BUDGET_H

#include "base/bits.h"
#include "base/memory.h"
#include "base/scope.h"

#define AKIN_MEMORY_LEAST  ((uint64_t)16 << 20) /* the least bound that a context takes */
#define AKIN_MEMORY_THREAD ((uint64_t)4 << 20)  /* the part of it that a thread needs */

/* Shares of a bound: its bytes are divided by these. */
typedef enum akin_budget_share {
    /* what lasts */
    AKIN_BUDGET_COLLECTION = 8,  /* a collection of sets: two arrays, */
    AKIN_BUDGET_SETS = 16,       /* and each of them */
    AKIN_BUDGET_DICTIONARY = 32, /* a dictionary, or a trie */
    AKIN_BUDGET_TABLE = 64,      /* a table, or a frame */
    AKIN_BUDGET_CLUSTERS = 128,  /* each of the two arrays of clusters */
    AKIN_BUDGET_MATRIX = 8,      /* the numbers of a matrix */
    AKIN_BUDGET_WEIGHTS = 64,    /* each array of term weights */
    AKIN_BUDGET_INDEX = 4,       /* an index of documents */
    AKIN_BUDGET_INDEX_BITS = 8,  /* and the bits of its frequent terms */
    AKIN_BUDGET_CLASSES = 32,    /* and the classes of documents, when a file is checked */
    AKIN_BUDGET_OBJECTS = 64,    /* each array of an index of objects */
    AKIN_BUDGET_ORDERED = 64,    /* each array of strings in order */
    AKIN_BUDGET_KEPT = 64,       /* each section of a mapped file that is copied */
    AKIN_BUDGET_DUPLICATES = 64, /* what became of each document */
    /* what a job makes on its way */
    AKIN_BUDGET_FOLDED = 32,          /* the offsets, and the bytes, of a column of folded text */
    AKIN_BUDGET_TRIE_MAKING = 2,      /* the words and nodes that a trie is made of */
    AKIN_BUDGET_TRIE_WORDS = 16,      /* each array of a trie's words, listed */
    AKIN_BUDGET_TRIE_PARENTS = 64,    /* each array of a trie's parents */
    AKIN_BUDGET_OBJECTS_MAKING = 8,   /* the arrays that objects are made of */
    AKIN_BUDGET_ORDERED_MAKING = 8,   /* the keys that strings are sorted by */
    AKIN_BUDGET_SEARCH_SCRATCH = 16,  /* an array that an index is made of */
    AKIN_BUDGET_RECORD = 4,           /* a record that is read; its copies are of that size, too */
    AKIN_BUDGET_BLOCKS = 8,           /* the blocks of a file that threads parse, and what they become */
    AKIN_BUDGET_UNPACKED = 16,        /* what threads decode of a compressed file */
    AKIN_BUDGET_LINES = 32,           /* the lines that threads format for a file */
    AKIN_BUDGET_NUMBERING = 4,        /* the columns of a table whose values are numbered */
    AKIN_BUDGET_ITEMS_MAKING = 32,    /* the hashes, or the order, of items that are numbered */
    AKIN_BUDGET_EQUAL_ROWS = 64,      /* each array of a side's rows in groups of equal ones, and of distinct ones */
    AKIN_BUDGET_PART_ROWS = 32,       /* the rows of the parts of a join */
    AKIN_BUDGET_PART_SETS = 16,       /* the ranked sets that these parts are of */
    AKIN_BUDGET_PART_TOKENS = 16,     /* the tokens counted for these parts */
    AKIN_BUDGET_REPORT = 4,           /* a report, beside the job that it observes */
    AKIN_BUDGET_WEIGHING_ON_GPU = 16, /* a batch of documents on its way to a GPU */
    AKIN_BUDGET_TO_GPU = 32,          /* a piece of what is copied to a GPU */
    AKIN_BUDGET_BIT_MATRIX = 4,       /* the matrix of bits that Warshall's algorithm closes */
    AKIN_BUDGET_EDGES = 32,           /* the edges that wait for it, or for another clustering */
    AKIN_BUDGET_EDGES_MAKING = 4,     /* what sorts edges for a clustering */
    AKIN_BUDGET_FOREST = 16,          /* each array that a forest over ids is made of */
    AKIN_BUDGET_DOCUMENTS = 32,       /* the order of documents, and their sources */
    AKIN_BUDGET_MARKS = 16,           /* the bits of repeated windows */
    AKIN_BUDGET_PLANNED = 32,         /* documents from which a job is foreseen; it takes some times as much */
    AKIN_BUDGET_HEADS = 16,           /* the windows that spans of repeated text begin with */
} akin_budget_share;

static inline uint64_t akin_budget(const akin_scope *scope, akin_budget_share share)
{
    return scope->memory / share;
}

/* The bound of each of `count` jobs that go on at once; at least 1 where there is a bound. */
static inline uint64_t akin_budget_each(const akin_scope *scope, uint32_t count)
{
    return scope->memory ? akin_max_u64(1, scope->memory / count) : 0;
}

/* Shares of a job's own share: its bytes are divided by these. */
typedef enum akin_job_share {
    AKIN_JOB_PAIRS = 8,         /* pairs that threads keep before they are stored, or delivered */
    AKIN_JOB_PAIRS_OF_GPU = 16, /* pairs on their way from a GPU */
    AKIN_JOB_RANKED = 2,        /* what is found for the queries at hand */
    AKIN_JOB_NEAREST = 4,       /* each of the two arrays of a search for nearest strings */
    AKIN_JOB_TOP_PARTS = 2,     /* two ranked parts of a join for the best partners */
    AKIN_JOB_SAMPLE = 8,        /* the pairs that a report draws */
    AKIN_JOB_NEAR = 2,          /* the pairs just below the threshold of a report */
} akin_job_share;

/* The share of the job at hand; 0 without a bound. */
static inline uint64_t akin_budget_job(const akin_scope *scope)
{
    return scope->memory / 8 * 5;
}

/* The same share of the ceiling, where there is no bound. */
static inline uint64_t akin_budget_ceiling(const akin_scope *scope)
{
    return scope->memory ? 0 : scope->ceiling / 8 * 5;
}

/* Begins the account of a job that may need more than a multiple of its input. */
static inline void akin_account_begin(akin_account *account, const akin_scope *scope)
{
    *account = (akin_account){.limit = akin_budget_job(scope), .ceiling = akin_budget_ceiling(scope)};
}

/* The other way: the bound under which a job has `bytes` bytes, for messages. */
static inline double akin_budget_for_job(double bytes)
{
    return bytes * 8 / 5;
}

/* And the bound under which a job has `bytes` bytes for a share of its own share. */
static inline double akin_budget_for_part(double bytes, akin_job_share share)
{
    return akin_budget_for_job(bytes * (int)share);
}

static inline uint64_t akin_budget_part(uint64_t job, akin_job_share share)
{
    return job / share;
}

/* Shares of what an account has left: these bytes are divided by these. */
typedef enum akin_left_share {
    AKIN_LEFT_ALL = 1,         /* the job at hand is alone */
    AKIN_LEFT_DELIVERY = 2,    /* the buffers that pairs are merged in */
    AKIN_LEFT_RANKING = 2,     /* the counts of the tokens of all sets */
    AKIN_LEFT_RANGES = 3,      /* a range of strings: two of them are joined, with what comes with them */
    AKIN_LEFT_SEGMENTS = 4,    /* tables of segments */
    AKIN_LEFT_FREQUENCIES = 2, /* in how many documents hashes are; an index of some of them has the rest */
    AKIN_LEFT_RUNS = 2,        /* the runs of windows that are sorted at once, and what sorts them */
    AKIN_LEFT_CLASSES = 2,     /* the classes of windows that all threads have */
    AKIN_LEFT_BATCH = 16,      /* the text of the documents that are compared at once */
    AKIN_LEFT_CUTTING = 16,    /* the counts by which an index is cut into blocks, and then the tasks of a block */
    AKIN_LEFT_WITHIN = 2,      /* a job within the job */
} akin_left_share;

/* A share of what an account with a limit has left, when `taken` bytes more are taken. */
static inline uint64_t akin_budget_left(const akin_account *account, uint64_t taken, akin_left_share share)
{
    const uint64_t used = account->held + taken;
    return account->limit > used ? (account->limit - used) / share : 0;
}

/* What the lists of an index may take of what an account with a limit has left, when `taken` bytes more are taken:
 * three quarters. */
static inline uint64_t akin_budget_lists(const akin_account *account, uint64_t taken)
{
    const uint64_t left = akin_budget_left(account, taken, AKIN_LEFT_ALL);
    return left - left / 4;
}

/* The bound of a job within another one, whose account this is: half of what the account has left. The outer job keeps
 * the other half for what it makes of the results. 0 without a bound. */
static inline uint64_t akin_budget_within(const akin_account *account)
{
    return account->limit ? akin_max_u64(1, akin_budget_left(account, 0, AKIN_LEFT_WITHIN)) : 0;
}

/* The ceiling of a job within another one: what its account has left. 0 without a ceiling. */
static inline uint64_t akin_budget_ceiling_within(const akin_account *account)
{
    return account->limit || !account->ceiling
               ? 0
               : akin_max_u64(1, account->ceiling - akin_min_u64(account->held, account->ceiling));
}

/* The bytes of a batch that a job has room for, where a batch takes `growth` times its bytes. */
static inline uint64_t akin_budget_batch(uint64_t job, uint64_t growth)
{
    return job / growth;
}

#define AKIN_BLOCK_GROWTH 4 /* what a block becomes has that many times its bytes on the heap, at most, under a bound */

/* The bound of what a block of `bytes` bytes becomes: a table, say, which takes its share of that bound. 0: none. */
static inline uint64_t akin_budget_block(const akin_scope *scope, uint64_t bytes, akin_budget_share share)
{
    return akin_min_u64(scope->memory, bytes * AKIN_BLOCK_GROWTH * share);
}

/* How many blocks a bound has room for, with what they become; `most` or fewer. */
static inline uint32_t akin_budget_blocks(const akin_scope *scope, uint64_t bytes, akin_budget_share share,
                                          uint32_t most)
{
    const uint64_t each = 2 * bytes + akin_budget_block(scope, bytes, share) / share;
    return scope->memory ? (uint32_t)akin_min_u64(most, akin_budget(scope, AKIN_BUDGET_BLOCKS) / each) : most;
}

/* The bytes that each of `count` batches of a compressed file may have, `most` or fewer. */
static inline uint64_t akin_budget_unpacked(const akin_scope *scope, uint32_t count, uint64_t most)
{
    return scope->memory ? akin_min_u64(most, akin_budget(scope, AKIN_BUDGET_UNPACKED) / count) : most;
}

/* The bytes that a record may have that is read: its share of the bound, or of the least one if that is more, as a
 * narrow scope reads what its whole does; 0: any number. */
static inline uint64_t akin_budget_record(const akin_scope *scope)
{
    return scope->memory ? akin_max_u64(scope->memory, AKIN_MEMORY_LEAST) / AKIN_BUDGET_RECORD : 0;
}

/* The bytes that each of `pieces` pieces of lines may have; 0: any number. */
static inline uint64_t akin_budget_lines(const akin_scope *scope, uint32_t pieces)
{
    return scope->memory ? akin_max_u64(1, akin_budget(scope, AKIN_BUDGET_LINES) / pieces) : 0;
}

/* How many threads a job may have: under a bound there must be memory for what each of them works in. */
static inline uint32_t akin_scope_threads(const akin_scope *scope)
{
    uint64_t most = scope->memory / AKIN_MEMORY_THREAD;
    if (!scope->memory || most >= scope->threads)
        return scope->threads;
    return most > 0 ? (uint32_t)most : 1;
}

#endif
