/*
 * One string after the other against a batch: a screen of bags leaves candidates, which are compared.
 *
 *     query --> limits of its length --> screen, run by run --> candidates --> comparator --> hits
 *
 * A scanner serves one thread. Candidates are kept until there are many, so that lanes of SIMD are full.
 */
#ifndef AKIN_STRINGS_SCAN_H
#define AKIN_STRINGS_SCAN_H

#include "strings/bag_screen.h"
#include "strings/batch.h"
#include "strings/cutoff.h"
#include "strings/edit.h"
#include "strings/lanes.h"

#define AKIN_SCAN_STRIP      4096 /* strings that are screened at once at most: their bags stay in the cache */
#define AKIN_SCAN_CANDIDATES (2 * AKIN_SCAN_STRIP)
#define AKIN_SCAN_LONG       1024 /* symbols of a string, whose comparison may take long */
#define AKIN_SCAN_TABLES     64   /* lengths of queries whose limits are kept */

/* A string that qualifies: its place in the batch, and the distance or the matches. */
typedef struct akin_scan_hit {
    uint32_t at, run, distance, prefix;
    akin_jaro jaro;
} akin_scan_hit;

/* Takes hits of a query, in one or several batches, in the order of the places; 0: memory is short, or no more are
 * wanted. */
typedef int (*akin_scan_take)(void *user, const akin_scan_hit *hits, uint32_t count);

/* What the strings of a run may be apart from a query of one length, by the number of symbols that both begin with. */
typedef struct akin_scan_limits {
    int64_t apart[AKIN_PREFIXES];  /* bits of the bags, or counts, at most INT32_MAX; -1: none will do */
    uint32_t bound[AKIN_PREFIXES]; /* edits at most, or matches at least */
    uint32_t any;                  /* with some prefix there may be hits */
    /* m matches, `apart` of them out of order, are too few if apart > 2 m (m * each + rest) */
    double each, rest[AKIN_PREFIXES];
} akin_scan_limits;

/* by_prefix: with a common prefix they may be further apart; else that is of no account. */
akin_scan_limits akin_scan_limits_of(const akin_cutoff *cutoff, uint32_t a, uint32_t b, int by_prefix);

/* Strings of a run that passed a screen, to become candidates. */
typedef struct akin_scan_passed {
    const uint32_t *places, *apart; /* by their counts; NULL: that is of no account */
    const uint32_t *heads;          /* of places */
    uint32_t count, first, head;    /* strings; what is added to a place; the head of the query */
    int by_prefix;
    const akin_scan_limits *limits;
    uint32_t run, length; /* of all; string i begins at symbol origin + i * length, modulo 2^64 */
    uint64_t origin;
    /* out, with room for count + 16: of each candidate */
    uint32_t *place, *runs, *lengths, *bound;
    uint64_t *at;
    uint8_t *prefix;
    float *rest;
} akin_scan_passed;

/* Makes candidates of those that are near enough by their counts, and answers how many. One version for each SIMD level
 * that has one; all give the same. */
typedef uint32_t (*akin_scan_sift)(const akin_scan_passed *passed);

akin_scan_sift akin_scan_sift_choose(akin_cpu cpu);

/* For the choice alone. */
uint32_t akin_scan_sift_neon(const akin_scan_passed *passed);
uint32_t akin_scan_sift_avx512(const akin_scan_passed *passed);

typedef struct akin_scan_candidates akin_scan_candidates;

typedef struct akin_scanner {
    akin_account *account;
    const akin_cutoff *cutoff;
    const akin_strings_batch *batch;
    akin_bag_screen screen;
    akin_counts_compare compare_counts;
    akin_scan_sift sift;
    const akin_lanes *lanes; /* NULL: there are none */
    akin_scan_take take;
    /* Called every few milliseconds while strings are compared one by one; 0: no more is wanted. May be NULL. */
    int (*poll)(void *user);
    void *user;
    /* the query */
    akin_symbols query;
    akin_bag_query bag;
    const akin_scan_limits *limits; /* of each run */
    int has_pattern, has_counts;
    akin_counts counts;
    /* limits by length of the query, modulo the number of tables */
    akin_scan_limits *tables[AKIN_SCAN_TABLES];
    uint32_t table_length[AKIN_SCAN_TABLES], table_count;
    akin_scan_limits *own; /* of each run, set by akin_scanner_limit: there are no tables then */
    akin_pattern pattern;
    akin_scan_candidates *candidates;
    uint32_t *noted;
    uint64_t noted_room;
    uint64_t screened, compared; /* pairs so far */
} akin_scanner;

/* Begins. Limits are kept for `tables` lengths of queries, 1 to AKIN_SCAN_TABLES; or `tables` is 0, and the owner, who
 * may change the cutoff, sets the limits of each run before it is screened, by akin_scanner_limit. 0: memory is short.
 * The caller clears the scanner in any case. */
int akin_scanner_begin(akin_scanner *scanner, akin_account *account, akin_cpu cpu, const akin_cutoff *cutoff,
                       const akin_strings_batch *batch, uint32_t tables, akin_scan_take take, void *user);
void akin_scanner_clear(akin_scanner *scanner);

/* Sets the query, which is borrowed until the next one: it is in the batch's alphabet, and head that of a query. */
int akin_scanner_query(akin_scanner *scanner, const akin_symbols *query, akin_bag bag, uint32_t head);

/* Sets the limits of a run, for the query and the cutoff as it is now. No candidates of the run are pending. Returns
 * them, to be made narrower at will. */
akin_scan_limits *akin_scanner_limit(akin_scanner *scanner, uint32_t run);

/* How many candidates are pending. */
uint32_t akin_scanner_pending(const akin_scanner *scanner);

/* Screens strings first to end - 1, which are of one run, and come behind those before. What it answers, here and
 * below, is 0 when memory is short or `take` answered so. */
int akin_scanner_screen(akin_scanner *scanner, uint32_t run, uint32_t first, uint32_t end);

/* Takes strings of one run, ascending, which come behind those before, as candidates, as far as their bags permit. */
int akin_scanner_offer(akin_scanner *scanner, uint32_t run, const uint32_t *places, uint32_t count);

/* Compares the candidates that are left: to be called before the next query. */
int akin_scanner_finish(akin_scanner *scanner);

#endif
