/*
 * The tokens of one or two collections by rising frequency: counted, ordered (ties by token), and looked up both ways.
 *
 * Tokens are arbitrary 32-bit numbers. Where they are dense, a table is indexed by the token itself; where they are
 * sparse (hashes, say), it is a hash table, so that memory follows the universe and not the largest token:
 *
 *     dense    table[token]
 *     sparse   parts[upper bits of hash(token)].slots[next bits, or one of the slots that follow] = {token, value}
 *
 * A value is the token's frequency after akin_ranking_count, and its rank after akin_ranking_order.
 */
#ifndef AKIN_SETS_RANKING_H
#define AKIN_SETS_RANKING_H

#include "base/scope.h"
#include "base/memory.h"

#define AKIN_RANKING_PARTS 16

typedef struct akin_ranking_slot {
    uint32_t token;
    uint32_t value; /* while counting, 0 says that the slot is empty */
} akin_ranking_slot;

typedef struct akin_ranking_part {
    akin_ranking_slot *slots;
    uint64_t length; /* of slots: a power of two, at least twice what is used */
    uint64_t used;
} akin_ranking_part;

typedef struct akin_ranking {
    akin_account *account;
    uint64_t universe; /* distinct tokens */
    uint64_t once;     /* of them occur once, once ordered: those of the first ranks */
    uint32_t *tokens;  /* universe tokens by rank, once ordered */
    uint32_t *table;   /* dense: bound values; NULL: sparse */
    uint64_t bound;    /* the largest token + 1, or 0 */
    uint32_t part_bits;
    uint64_t salt; /* of the hash: drawn anew each time, so that nobody can make tokens that collide */
    akin_ranking_part parts[AKIN_RANKING_PARTS];
} akin_ranking;

/* Whether `total` tokens below `bound` are dense. */
int akin_ranking_is_dense(uint64_t bound, uint64_t total);

/* The bytes of the table, or of the hash table, of `total` tokens below `bound`, about `universe` of them distinct; and
 * those that counting and ranking them takes with it, at most. */
double akin_ranking_table_bytes(uint64_t bound, uint64_t total, double universe);
double akin_ranking_bytes(uint64_t bound, uint64_t total, double universe, uint32_t threads);

/*
 * Counts the tokens of `left` and, unless it is NULL, `right`, on the scope's threads. Working memory, charged to
 * account, with that of akin_ranking_number: akin_ranking_bytes. The caller empties *out with akin_ranking_clear, also
 * after a failure. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_ranking_count(const akin_scope *scope, akin_account *account, const akin_sets *left,
                               const akin_sets *right, akin_ranking *out, akin_error *error);

/* Turns frequencies into ranks. Errors as above. */
akin_status akin_ranking_number(const akin_scope *scope, akin_ranking *ranking, akin_error *error);

/* The same, and lists the tokens by rank. */
akin_status akin_ranking_order(const akin_scope *scope, akin_ranking *ranking, akin_error *error);

/* The ranks of `count` tokens; each of them was counted. `ranks` may be `tokens`. */
void akin_ranking_map(const akin_ranking *ranking, const uint32_t *tokens, uint64_t count, uint32_t *ranks);

/* Frees what it holds and empties it; an empty one is allowed. */
void akin_ranking_clear(akin_ranking *ranking);

#endif
