/* Counts tokens in a table or a hash table, and ranks them by rising frequency. */
#include "sets/ranking.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"
#include "sets/sets.h"

#define FEW   65536 /* entries: a table up to this size is taken for any data */
#define DENSE 4     /* and one up to this number of entries a token of the sets */
#define TASK  65536 /* rows, tokens or entries a task */
#define BLOCK (UINT64_C(1) << 20)
#define BUNCH 1024
#define LIGHT 1024   /* frequencies from here on have few tokens */
#define SLOTS 131072 /* of all parts at first, which is 1 MiB: growing while others run costs them interrupts */

void akin_ranking_clear(akin_ranking *ranking)
{
    akin_free(ranking->tokens);
    akin_free(ranking->table);
    for (int p = 0; p < AKIN_RANKING_PARTS; p++)
        akin_free(ranking->parts[p].slots);
    *ranking = (akin_ranking){0};
}

_Static_assert(SLOTS / AKIN_RANKING_PARTS >= 4 * BUNCH, "a part that doubles has room for another bunch");

/* What the tasks of counting and of ordering share. */
typedef struct counting {
    akin_ranking *ranking;
    const akin_sets *sets;
    uint64_t first, end; /* sparse: the tokens at hand */
    uint8_t *lower;      /* dense: of each thread, the lower bits of its counts, contiguous */
    uint64_t threads;
    const uint64_t *order; /* frequency << 32 | token, by rank */
    _Atomic uint64_t bound;
    _Atomic uint64_t universe;
} counting;

/* ------------------------------------------------------------------------------------------------------------ bound */

static akin_status find_bound(void *argument, uint64_t task, uint32_t thread)
{
    counting *c = argument;
    const uint64_t *offsets = c->sets->offsets;
    uint64_t end = akin_min_u64((task + 1) * TASK, c->sets->rows), bound = 0;
    (void)thread;
    for (uint64_t row = task * TASK; row < end; row++)
        if (offsets[row + 1] > offsets[row])
            bound = akin_max_u64(bound, (uint64_t)c->sets->tokens[offsets[row + 1] - 1] + 1);
    uint64_t before = atomic_load_explicit(&c->bound, memory_order_relaxed);
    while (bound > before && !atomic_compare_exchange_weak_explicit(&c->bound, &before, bound, memory_order_relaxed,
                                                                    memory_order_relaxed)) {
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ dense */

/* Counts are capped: two sides may hold a token in more than UINT32_MAX rows. */
static inline uint32_t add_capped(uint32_t a, uint32_t b)
{
    return a + b < a ? UINT32_MAX : a + b;
}

/* Adds 256 to a count of the table, which threads share. */
static void carry(_Atomic uint32_t *count)
{
    uint32_t before = atomic_load_explicit(count, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(count, &before, add_capped(before, UINT8_MAX + 1),
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

/*
 * Each thread counts in bytes of its own, which caches hold four times as many of, and carries to the table:
 *
 *     lower   thread 0: | bound bytes | thread 1: | bound bytes | ...       counts modulo 256
 *     table   | bound counts: multiples of 256 |
 */
static akin_status count_dense(void *argument, uint64_t task, uint32_t thread)
{
    counting *c = argument;
    const uint32_t *tokens = c->sets->tokens;
    uint64_t end = akin_min_u64((task + 1) * TASK, c->sets->offsets[c->sets->rows]);
    uint8_t *lower = c->lower + thread * c->ranking->bound;
    for (uint64_t i = task * TASK; i < end; i++)
        if (++lower[tokens[i]] == 0)
            carry((_Atomic uint32_t *)&c->ranking->table[tokens[i]]);
    return AKIN_OK;
}

/* Adds a part of the bytes to the table. */
static akin_status sum_lower(void *argument, uint64_t task, uint32_t thread)
{
    counting *c = argument;
    uint32_t *table = c->ranking->table;
    uint64_t first = task * TASK, end = akin_min_u64(first + TASK, c->ranking->bound), distinct = 0;
    (void)thread;
    for (uint64_t k = 0; k < c->threads; k++) {
        const uint8_t *lower = c->lower + k * c->ranking->bound;
        for (uint64_t token = first; token < end; token++)
            table[token] = add_capped(table[token], lower[token]);
    }
    for (uint64_t token = first; token < end; token++)
        distinct += table[token] != 0;
    atomic_fetch_add_explicit(&c->universe, distinct, memory_order_relaxed);
    return AKIN_OK;
}

/* There are no more threads than their bytes are worth: together they are no more than those of the tokens to count. */
static uint32_t threads_in_tables(uint64_t bound, uint64_t total, uint32_t threads)
{
    return (uint32_t)akin_min_u64(threads, akin_max_u64(1, sizeof(uint32_t) * total / akin_max_u64(1, bound)));
}

static akin_status count_in_tables(const akin_scope *scope, const akin_sets *const sides[2], uint64_t total,
                                   counting *c)
{
    akin_ranking *ranking = c->ranking;
    akin_status status = AKIN_OK;
    const akin_scope few =
        akin_scope_narrow(scope, (akin_narrowing){.threads = threads_in_tables(ranking->bound, total, scope->threads)});
    c->threads = few.threads;
    ranking->table = akin_alloc_zero(ranking->account, ranking->bound, sizeof *ranking->table);
    c->lower = akin_alloc_zero(ranking->account, c->threads * ranking->bound, sizeof *c->lower);
    if (!ranking->table || !c->lower)
        status = AKIN_E_NOMEM;
    for (int side = 0; side < 2 && sides[side] && status == AKIN_OK; side++) {
        c->sets = sides[side];
        status = akin_parallel(&few, "counting", akin_ceil_div(c->sets->offsets[c->sets->rows], TASK), count_dense, c);
    }
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, akin_ceil_div(ranking->bound, TASK), sum_lower, c);
    akin_free(c->lower);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- sparse */

/* The part of a token, and behind the part's bits those that say where in the part: a hash of two multiplications,
 * for after one alone the multiples of some numbers still lie in heaps. Ranks do not depend on it. */
static inline uint64_t place_of_token(const akin_ranking *ranking, uint32_t token)
{
    uint64_t hash = (token ^ ranking->salt) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return hash >> 32 << ranking->part_bits;
}

static uint64_t draw_ranking_salt(const akin_ranking *ranking)
{
    akin_random random;
    akin_random_seed_anew(&random, ranking);
    return akin_random_next(&random);
}

static inline uint64_t first_ranking_slot(const akin_ranking_part *part, uint64_t place)
{
    return (place & UINT32_MAX) * part->length >> 32;
}

/* The token's slot, or the empty one where it belongs. */
static inline akin_ranking_slot *find_slot(const akin_ranking_part *part, uint64_t place, uint32_t token)
{
    uint64_t at = first_ranking_slot(part, place);
    while (part->slots[at].value && part->slots[at].token != token)
        at = (at + 1) & (part->length - 1);
    return &part->slots[at];
}

/* The slot of a token that has one, where values may be 0: none on the way to it is empty. */
static inline akin_ranking_slot *known_slot(const akin_ranking *ranking, uint32_t token)
{
    uint64_t where = place_of_token(ranking, token);
    const akin_ranking_part *part = &ranking->parts[where >> 32];
    uint64_t at = first_ranking_slot(part, where);
    while (part->slots[at].token != token)
        at = (at + 1) & (part->length - 1);
    return &part->slots[at];
}

/* Makes room for `more` further tokens, at most BUNCH, at a load of at most one half. */
static int reserve_ranking(const akin_ranking *ranking, akin_ranking_part *part, uint64_t more)
{
    if (part->length >= 2 * (part->used + more))
        return 1;
    akin_ranking_part larger = {.length = akin_max_u64(2 * part->length, SLOTS >> ranking->part_bits),
                                .used = part->used};
    larger.slots = akin_alloc_zero(ranking->account, larger.length, sizeof *larger.slots);
    if (!larger.slots)
        return 0;
    for (uint64_t i = 0; i < part->length; i++) {
        akin_ranking_slot slot = part->slots[i];
        if (slot.value)
            *find_slot(&larger, place_of_token(ranking, slot.token), slot.token) = slot;
    }
    akin_free(part->slots);
    *part = larger;
    return 1;
}

/* Counts the tokens of one part: looks at all of them, which costs far less than a visit to the table. */
static akin_status count_token_part(void *argument, uint64_t task, uint32_t thread)
{
    counting *c = argument;
    const akin_ranking *ranking = c->ranking;
    const uint32_t *tokens = c->sets->tokens;
    akin_ranking_part part = ranking->parts[task];
    akin_status status = AKIN_OK;
    (void)thread;
    for (uint64_t at = c->first; at < c->end && status == AKIN_OK;) {
        uint32_t own[BUNCH], count = 0;
        for (; at < c->end && count < BUNCH; at++) {
            own[count] = tokens[at];
            count += place_of_token(ranking, tokens[at]) >> 32 == task;
        }
        if (!reserve_ranking(ranking, &part, count))
            status = AKIN_E_NOMEM;
        for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
            akin_ranking_slot *slot = find_slot(&part, place_of_token(ranking, own[i]), own[i]);
            part.used += slot->value == 0;
            slot->token = own[i];
            slot->value = add_capped(slot->value, 1);
        }
    }
    c->ranking->parts[task] = part;
    return status;
}

/* Every thread has a part of the hash table, up to AKIN_RANKING_PARTS of them. */
static akin_status count_in_parts(const akin_scope *scope, const akin_sets *const sides[2], uint64_t total, counting *c)
{
    akin_ranking *ranking = c->ranking;
    uint64_t parts = 1, done = 0;
    akin_status status = AKIN_OK;
    while (2 * parts <= akin_min_u64(AKIN_RANKING_PARTS, akin_min_u64(scope->threads, total / TASK))) {
        parts *= 2;
        ranking->part_bits++;
    }
    for (int side = 0; side < 2 && sides[side]; side++) {
        c->sets = sides[side];
        for (c->first = 0; c->first < c->sets->offsets[c->sets->rows]; c->first = c->end) {
            c->end = akin_min_u64(c->first + BLOCK, c->sets->offsets[c->sets->rows]);
            status = akin_scope_report(scope, "counting", done, total);
            if (status == AKIN_OK)
                status = akin_parallel(scope, NULL, parts, count_token_part, c);
            if (status != AKIN_OK)
                return status;
            done += c->end - c->first;
        }
    }
    for (uint64_t p = 0; p < parts; p++)
        c->universe += ranking->parts[p].used;
    return status;
}

int akin_ranking_is_dense(uint64_t bound, uint64_t total)
{
    return bound / DENSE <= total + FEW / DENSE;
}

akin_status akin_ranking_count(const akin_scope *scope, akin_account *account, const akin_sets *left,
                               const akin_sets *right, akin_ranking *out, akin_error *error)
{
    const akin_sets *const sides[2] = {left, right};
    counting c = {.ranking = out};
    akin_status status = AKIN_OK;
    uint64_t total = 0;
    *out = (akin_ranking){.account = account, .salt = draw_ranking_salt(out)};
    for (int side = 0; side < 2 && sides[side] && status == AKIN_OK; side++) {
        c.sets = sides[side];
        total += c.sets->offsets[c.sets->rows];
        status = akin_parallel(scope, NULL, akin_ceil_div(c.sets->rows, TASK), find_bound, &c);
    }
    out->bound = c.bound;
    if (status == AKIN_OK)
        status = (akin_ranking_is_dense(out->bound, total) ? count_in_tables : count_in_parts)(scope, sides, total, &c);
    out->universe = c.universe;
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "counting the tokens");
}

/* ----------------------------------------------------------------------------------------------------- dense ranks */

/*
 * Tokens in the order of a table are sorted by frequency in one pass: those of a frequency below LIGHT by counting how
 * many there are of each, by all threads. The few others are listed and sorted.
 *
 *     places   chunk 0: | heavy | of frequency 1 | of frequency 2 | ... | chunk 1: | ...     counts, then places
 */
typedef struct numbering {
    akin_ranking *ranking;
    uint64_t chunk, chunks; /* entries in a chunk, and how many there are */
    uint64_t *places;       /* chunks times LIGHT */
    uint64_t *heavy;        /* frequency << 32 | token */
    uint64_t light;         /* how many tokens are not heavy */
} numbering;

static akin_status count_frequencies(void *argument, uint64_t task, uint32_t thread)
{
    const numbering *n = argument;
    const uint32_t *table = n->ranking->table;
    const uint64_t end = akin_min_u64((task + 1) * n->chunk, n->ranking->bound);
    uint64_t *places = n->places + task * LIGHT;
    (void)thread;
    for (uint64_t token = task * n->chunk; token < end; token++)
        places[table[token] < LIGHT ? table[token] : 0] += table[token] != 0;
    return AKIN_OK;
}

/* Turns counts into places: ranks, by frequency and then by chunk; for the heavy ones places in their list. */
static int place_frequencies(numbering *n)
{
    uint64_t heavy = 0;
    for (uint32_t frequency = 0; frequency < LIGHT; frequency++) {
        if (frequency == 2)
            n->ranking->once = n->light;
        for (uint64_t chunk = 0; chunk < n->chunks; chunk++) {
            uint64_t *place = &n->places[chunk * LIGHT + frequency], *sum = frequency ? &n->light : &heavy,
                     own = *place;
            *place = *sum;
            *sum += own;
        }
    }
    n->heavy = akin_alloc(n->ranking->account, 2 * heavy, sizeof *n->heavy);
    return n->heavy != NULL;
}

static inline void write_rank(akin_ranking *ranking, uint32_t token, uint64_t rank)
{
    ranking->table[token] = (uint32_t)rank;
    if (ranking->tokens)
        ranking->tokens[rank] = token;
}

static akin_status number_light(void *argument, uint64_t task, uint32_t thread)
{
    const numbering *n = argument;
    const uint64_t end = akin_min_u64((task + 1) * n->chunk, n->ranking->bound);
    uint64_t *places = n->places + task * LIGHT;
    (void)thread;
    for (uint64_t token = task * n->chunk; token < end; token++) {
        const uint32_t frequency = n->ranking->table[token];
        if (frequency >= LIGHT)
            n->heavy[places[0]++] = (uint64_t)frequency << 32 | token;
        else if (frequency)
            write_rank(n->ranking, (uint32_t)token, places[frequency]++);
    }
    return AKIN_OK;
}

static akin_status number_table(const akin_scope *scope, akin_ranking *ranking)
{
    numbering n = {.ranking = ranking, .chunk = akin_max_u64(TASK, akin_ceil_div(ranking->bound, 4 * scope->threads))};
    n.chunks = akin_ceil_div(ranking->bound, n.chunk);
    n.places = akin_alloc_zero(ranking->account, n.chunks * LIGHT, sizeof *n.places);
    akin_status status = n.places ? akin_parallel(scope, NULL, n.chunks, count_frequencies, &n) : AKIN_E_NOMEM;
    if (status == AKIN_OK && !place_frequencies(&n))
        status = AKIN_E_NOMEM;
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, n.chunks, number_light, &n);
    if (status == AKIN_OK) {
        const uint64_t heavy = ranking->universe - n.light;
        akin_radix_sort_upper_u64(n.heavy, n.heavy + heavy, (size_t)heavy, 32);
        for (uint64_t i = 0; i < heavy; i++)
            write_rank(ranking, (uint32_t)n.heavy[i], n.light + i);
    }
    akin_free(n.places);
    akin_free(n.heavy);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- sparse ranks */

/* Lists frequency << 32 | token; `to` has room for one more than there are. */
static void gather_slots(const akin_ranking *ranking, uint64_t *to)
{
    uint64_t n = 0;
    for (int p = 0; p < AKIN_RANKING_PARTS; p++)
        for (uint64_t i = 0; i < ranking->parts[p].length; i++) {
            akin_ranking_slot slot = ranking->parts[p].slots[i];
            to[n] = (uint64_t)slot.value << 32 | slot.token;
            n += slot.value != 0;
        }
}

static akin_status write_ranks(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    akin_ranking *ranking = c->ranking;
    uint64_t end = akin_min_u64((task + 1) * TASK, ranking->universe);
    (void)thread;
    for (uint64_t rank = task * TASK; rank < end; rank++) {
        uint32_t token = (uint32_t)c->order[rank];
        if (ranking->tokens)
            ranking->tokens[rank] = token;
        known_slot(ranking, token)->value = (uint32_t)rank;
    }
    return AKIN_OK;
}

static akin_status number_slots(const akin_scope *scope, akin_ranking *ranking)
{
    akin_status status = AKIN_E_NOMEM;
    uint64_t *order = akin_alloc(ranking->account, ranking->universe + 1, sizeof *order);
    uint64_t *scratch = akin_alloc(ranking->account, ranking->universe, sizeof *scratch);
    if (!order || !scratch)
        goto done;
    gather_slots(ranking, order);
    status = akin_scope_report(scope, NULL, 0, 0);
    if (status != AKIN_OK)
        goto done;
    akin_radix_sort_upper_u64(order, scratch, (size_t)ranking->universe, 0);
    /* tokens come by how often they occur, which is the upper half of each number */
    ranking->once = akin_lower_bound_u64(order, ranking->universe, UINT64_C(2) << 32);
    counting c = {.ranking = ranking, .order = order};
    status = akin_parallel(scope, NULL, akin_ceil_div(ranking->universe, TASK), write_ranks, &c);
done:
    akin_free(order);
    akin_free(scratch);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ order */

akin_status akin_ranking_number(const akin_scope *scope, akin_ranking *ranking, akin_error *error)
{
    akin_status status = (ranking->table ? number_table : number_slots)(scope, ranking);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "ranking the tokens by frequency");
}

akin_status akin_ranking_order(const akin_scope *scope, akin_ranking *ranking, akin_error *error)
{
    ranking->tokens = akin_alloc(ranking->account, ranking->universe, sizeof *ranking->tokens);
    if (!ranking->tokens)
        return akin_fail_memory(error, "ranking the tokens by frequency");
    return akin_ranking_number(scope, ranking, error);
}

void akin_ranking_map(const akin_ranking *ranking, const uint32_t *tokens, uint64_t count, uint32_t *ranks)
{
    if (ranking->table)
        for (uint64_t i = 0; i < count; i++)
            ranks[i] = ranking->table[tokens[i]];
    else
        for (uint64_t i = 0; i < count; i++)
            ranks[i] = known_slot(ranking, tokens[i])->value;
}

/* ----------------------------------------------------------------------------------------------------------- memory */

/* The slots of all parts: each part has twice its share, rounded up; shares differ a little. */
static double slots_of(double universe)
{
    double slots = SLOTS;
    while (slots < 2.05 * universe)
        slots *= 2;
    return slots;
}

double akin_ranking_table_bytes(uint64_t bound, uint64_t total, double universe)
{
    if (akin_ranking_is_dense(bound, total))
        return sizeof(uint32_t) * (double)bound;
    return sizeof(akin_ranking_slot) * slots_of(universe);
}

double akin_ranking_bytes(uint64_t bound, uint64_t total, double universe, uint32_t threads)
{
    const double table = akin_ranking_table_bytes(bound, total, universe);
    if (!akin_ranking_is_dense(bound, total)) /* parts grow to twice their slots together; numbers are listed twice */
        return table + (table / 2 > 16 * universe ? table / 2 : 16 * universe);
    const double heavy = (double)total / LIGHT < universe ? (double)total / LIGHT : universe;
    const double lower = (double)bound * threads_in_tables(bound, total, threads);
    const double places = (4.0 * threads + 1) * LIGHT * sizeof(uint64_t) + 2 * sizeof(uint64_t) * heavy;
    return table + (lower > places ? lower : places);
}
