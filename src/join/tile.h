/*
 * Tiles: a block of probes against a list of sets, screened by narrow signatures, then by wider ones, then verified.
 * The bitmap join cuts all length-compatible pairs into tiles, the screened join the pairs that meet in a list of the
 * prefix index.
 *
 *               strip 0 (512 sets)   strip 1   ...
 *     probe 0     hits  ->  wide distance  ->  exact count
 *     probe 1
 *      ...
 */
#ifndef AKIN_JOIN_TILE_H
#define AKIN_JOIN_TILE_H

#include "join/technique.h"
#include "signature/parity.h"
#include "signature/screen.h"

/* The signatures of a join's two sides, for all tiles. */
typedef struct akin_tile_join {
    const akin_join_job *job;
    akin_parity built[2];
    const akin_parity *probes, *indexed; /* the wider signatures; the same in a self-join */
    uint32_t narrow;                     /* words of the narrow ones */
    int exact;                           /* the wider signature is the set itself */
    akin_screen screen, refine;
    akin_hamming hamming;
} akin_tile_join;

/* Builds the signatures that job->bits and job->bits_screen ask for. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_tile_prepare(akin_join_job *job, akin_tile_join *join, akin_error *error);
void akin_tile_clear(akin_tile_join *join);

/* Sets to compare with, in any order: their numbers, and their narrow signatures transposed (see signature/parity.h).
 */
typedef struct akin_tile_list {
    const uint32_t *set;
    const uint64_t *strips;
    const uint64_t *wide; /* their wide signatures, likewise transposed; NULL: they are looked up set by set */
    const int64_t *slack; /* akin_rule_share of every set; NULL where the bound cannot be taken apart */
    uint32_t count;
} akin_tile_list;

/* The part of a list that a block of probes meets: positions [first, end), and bounds of the sizes of the sets there.
 */
typedef struct akin_tile_window {
    uint32_t first, end;
    uint32_t smallest, largest;
} akin_tile_window;

/* Probes of a tile, and for each the position of the list where its partners end. */
typedef struct akin_tile_probes {
    uint32_t count; /* at most AKIN_SCREEN_PROBES */
    uint32_t set[AKIN_SCREEN_PROBES];
    uint32_t end[AKIN_SCREEN_PROBES];
    const uint64_t *narrow; /* their narrow signatures, contiguous */
    const uint64_t *wide;   /* and their wide ones, where the list has them */
} akin_tile_probes;

/* How far apart the signatures of each probe and of a set in the window may be: a set hits if its distance is below the
 * probe's limit, to which with `slack` the set's own is added. */
typedef struct akin_tile_limits {
    int64_t probe[AKIN_SCREEN_PROBES];
    int slack;
    int64_t most; /* the most tokens that any pair may differ in; negative: none match, and there is nothing to run */
} akin_tile_limits;

/* One thread's working memory for tiles. */
typedef struct akin_tile_work {
    _Alignas(64) uint64_t hits[AKIN_SCREEN_PROBES * AKIN_SCREEN_WORDS];
    uint32_t partners[AKIN_SCREEN_STRIP * AKIN_SCREEN_GROUP];
} akin_tile_work;

/* The most tokens that a set of size r and any set of a size from smallest to largest may differ in; negative: none
 * match. */
int64_t akin_tile_distance(const akin_threshold *threshold, uint32_t r, uint32_t smallest, uint32_t largest);

/* The limits of a block of probes and a window of a list. */
void akin_tile_limit(const akin_tile_join *join, const akin_tile_probes *probes, const akin_tile_list *list,
                     const akin_tile_window *window, akin_tile_limits *out);

/* Fills slack for `count` sets, rounded up to whole groups. */
void akin_tile_slack(const akin_join_job *job, const uint32_t *sets, uint64_t count, int64_t *slack);

/* Joins a block of probes with the window of a list, whose limits are given. `token` is the token whose list it is, or
 * AKIN_JOIN_ANY (see akin_join_verify). AKIN_E_NOMEM when a pair found cannot be kept. */
akin_status akin_tile_run(const akin_tile_join *join, akin_join_worker *worker, akin_tile_work *work,
                          const akin_tile_probes *probes, const akin_tile_list *list, const akin_tile_window *window,
                          const akin_tile_limits *limits, uint64_t token);

#endif
