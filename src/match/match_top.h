/* The most similar strings of each string: akin_match with the option `top`. */
#ifndef AKIN_MATCH_MATCH_TOP_H
#define AKIN_MATCH_MATCH_TOP_H

#include "join/best.h"
#include "strings/order.h"
#include "strings/scan.h"

/* The best partners of the strings of a batch, which may meet several other batches in turn. */
typedef struct akin_match_top {
    const akin_scope *scope;
    akin_account *account;
    const akin_cutoff *cutoff; /* that every partner reaches */
    int by_distance;           /* partners are in the order of their distances, not of similarities */
    int self;                  /* no string is a partner of itself: of its row */
    int marks_ties;            /* with AKIN_BEST_TIES */
    uint32_t threads;
    const akin_strings_batch *probes;
    akin_best best;     /* a key is a slot */
    akin_alike *alikes; /* k + 1 slots a row: those of its partners, and one that is free */
    uint32_t *free;     /* of each row, once it has k partners */
    uint64_t found, compatible, candidates;
} akin_match_top;

/* The bytes that a result of a row takes. */
#define AKIN_MATCH_TOP_RESULT (sizeof(uint64_t) + sizeof(akin_alike))

/* Makes room for k partners of each row from `first` to end - 1, whose strings `probes` has. The caller clears it in
 * any case; only its counters stay valid. Errors: AKIN_E_NOMEM. */
akin_status akin_match_top_begin(akin_match_top *top, uint32_t first, uint32_t end, uint32_t k, akin_error *error);
void akin_match_top_clear(akin_match_top *top);

/* Looks for partners among the strings of a batch. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_match_top_meet(akin_match_top *top, const akin_strings_batch *others, akin_error *error);

/* Hands the partners to the sink, which may be NULL, and adds their number to `found`. Errors: AKIN_E_CANCELLED. */
akin_status akin_match_top_deliver(akin_match_top *top, akin_pair_sink sink, void *sink_user, akin_error *error);

#endif
