/*
 * Makes the nodes of a trie, first in the order of the sorted words, where a parent comes before its children, and then
 * in XBW order: sorted by their prefixes, read upwards. That is a sort of all suffixes of many short strings. It is
 * done by doubling (U. Manber, G. Myers, Suffix arrays, 1993). The first pass sorts by the 4 or 8 symbols above a node,
 * as one number. Each further pass takes the nodes that are equal in h symbols, and sorts them by the ranks of their
 * ancestors h levels above. Then they are sorted by 2 h symbols. In a list of words, 8 symbols distinguish most nodes,
 * and only the others are sorted further (N. Larsson, K. Sadakane, Faster suffix sorting, 2007).
 */
#include "dict/trie_nodes.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "dict/ranges.h"
#include "dict/trie_layout.h"

#define OFTEN ((uint64_t)1 << 16) /* the job may be cancelled after this number of nodes, */
#define WORDS 2048                /* and of words */

enum { PARENT, LABEL, ENDS, KEYS, SCRATCH, ORDER, RANK, ABOVE, ARRAYS };

typedef struct making {
    akin_cancellation *cancellation;
    const akin_trie_words *words;
    akin_store *store;
    akin_trie_nodes *out;
    akin_error *error;
    uint32_t count;
    uint32_t bits;     /* the bits of a symbol, counted from 1 on */
    uint8_t code[256]; /* for each byte its symbol, counted from 1 on */
    akin_bulk bulks[ARRAYS];
    uint32_t *parent; /* for each node its parent, in the order of the words */
    uint8_t *label;   /* for each node the symbol that leads to it, counted from 1 on */
    uint8_t *ends;    /* a bit for each node: 1 if a word ends there */
    uint64_t *keys;
    uint32_t *order; /* the nodes in XBW order, as far as they are sorted */
    uint32_t *rank;  /* for each node its place in `order`; nodes that are equal so far have the first one's */
    uint32_t *above; /* for each node its ancestor h levels above; the root's is the root */
    akin_ranges now, next;
} making;

static const char what[] = "the nodes of a trie";

static akin_status check_cancelled(const making *m)
{
    return akin_goes_on(m->cancellation) ? AKIN_OK : akin_fail_stopped(m->error, AKIN_E_CANCELLED, NULL);
}

static akin_status reserve_array(making *m, int array, uint64_t bytes)
{
    return akin_bulk_reserve(&m->bulks[array], bytes, what, m->error);
}

/* ---------------------------------------------------------------------------------------- in the order of the words */

/* Gives word i and, in *common, the length of the prefix that the word before has, too. Returns its length. */
static uint64_t word_at(const making *m, uint32_t i, const char **word, uint64_t *common)
{
    const char *last;
    uint64_t length = akin_trie_word(m->words, i, word);
    *common = 0;
    if (i > 0) {
        uint64_t last_length = akin_trie_word(m->words, i - 1, &last);
        *common = akin_trie_words_common(last, last_length, *word, length);
    }
    return length;
}

/* Counts the nodes, and the children by each symbol. */
static akin_status count_nodes(making *m)
{
    akin_trie_nodes *out = m->out;
    uint64_t count = 1, counts[256] = {0};
    for (uint32_t i = 0; i < m->words->count; i++) {
        const char *word;
        uint64_t common, length = word_at(m, i, &word, &common);
        if (i % WORDS == 0 && check_cancelled(m) != AKIN_OK)
            return AKIN_E_CANCELLED;
        for (uint64_t at = common; at < length; at++)
            counts[(unsigned char)word[at]]++;
        count += length - common;
        if (count > AKIN_TRIE_NODES)
            return akin_fail(m->error, AKIN_E_LIMIT, "the words need more than %u nodes of a trie", AKIN_TRIE_NODES);
        out->longest = akin_max_u32(out->longest, (uint32_t)length);
    }
    out->count = m->count = (uint32_t)count;
    uint32_t first = 1;
    for (uint32_t byte = 1; byte < 256; byte++) {
        uint32_t symbol = out->symbols;
        if (counts[byte] == 0)
            continue;
        out->bytes[symbol] = (uint8_t)byte;
        out->first[symbol] = first;
        out->counts[symbol] = (uint32_t)counts[byte];
        first += (uint32_t)counts[byte];
        m->code[byte] = (uint8_t)++out->symbols;
    }
    out->words = out->counts[out->symbols] = m->words->count;
    while (out->symbols >> m->bits)
        m->bits++;
    return AKIN_OK;
}

/* Lists the nodes. The new nodes of a word are below the last node that it has in common with the word before. */
static akin_status list_nodes(making *m)
{
    akin_status status = reserve_array(m, PARENT, (uint64_t)m->count * sizeof *m->parent);
    if (status == AKIN_OK)
        status = reserve_array(m, LABEL, m->count);
    if (status == AKIN_OK)
        status = akin_bulk_reserve_zeros(&m->bulks[ENDS], akin_ceil_div(m->count, 8), what, m->error);
    if (status != AKIN_OK)
        return status;
    m->parent = m->bulks[PARENT].data;
    m->label = m->bulks[LABEL].data;
    m->ends = m->bulks[ENDS].data;
    m->parent[0] = m->label[0] = 0;
    uint32_t node = 0, last = 0;
    uint64_t depth = 0;
    for (uint32_t i = 0; i < m->words->count; i++) {
        const char *word;
        uint64_t common, length = word_at(m, i, &word, &common);
        if (i % WORDS == 0 && check_cancelled(m) != AKIN_OK)
            return AKIN_E_CANCELLED;
        for (; depth > common; depth--)
            last = m->parent[last];
        for (; depth < length; depth++) {
            m->parent[++node] = last;
            m->label[node] = m->code[(unsigned char)word[depth]];
            last = node;
        }
        m->ends[last / 8] = (uint8_t)(m->ends[last / 8] | 1 << last % 8);
    }
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------- in XBW order */

/* Makes `above` the ancestors twice as many levels above. The loop goes from the last node to the first, because a
 * node's ancestor comes before it. */
static akin_status double_above(const making *m)
{
    for (uint32_t node = m->count; node-- > 0;) {
        m->above[node] = m->above[m->above[node]];
        if (node % OFTEN == 0 && check_cancelled(m) != AKIN_OK)
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

/* Sorts the nodes by the symbols that lead to them, 8 or 4: as many as fit into a number beside the node. Returns the
 * number of symbols in *symbols, and the bits of a node in *shift. */
static akin_status sort_keys(making *m, uint32_t *symbols, uint32_t *shift)
{
    uint64_t *keys, *scratch;
    uint32_t node_bits = 0;
    akin_status status = reserve_array(m, KEYS, (uint64_t)m->count * sizeof *keys);
    if (status == AKIN_OK)
        status = reserve_array(m, SCRATCH, (uint64_t)m->count * sizeof *scratch);
    if (status == AKIN_OK)
        status = akin_bulk_touch(m->cancellation->scope, &m->bulks[SCRATCH], what, m->error);
    if (status != AKIN_OK)
        return status;
    keys = m->keys = m->bulks[KEYS].data;
    scratch = m->bulks[SCRATCH].data;
    while ((m->count - 1) >> node_bits)
        node_bits++;
    *symbols = 8 * m->bits + node_bits <= 64 ? 8 : 4;
    *shift = node_bits;
    keys[0] = 0;
    for (uint32_t node = 1; node < m->count; node++) {
        keys[node] = (uint64_t)m->label[node] << 7 * m->bits | keys[m->parent[node]] >> m->bits;
        if (node % OFTEN == 0 && check_cancelled(m) != AKIN_OK)
            return AKIN_E_CANCELLED;
    }
    for (uint32_t node = 0; node < m->count; node++) {
        keys[node] = keys[node] >> (8 - *symbols) * m->bits << node_bits | node;
        if (node % OFTEN == 0 && check_cancelled(m) != AKIN_OK)
            return AKIN_E_CANCELLED;
    }
    if (!akin_radix_sort_long_u64(keys, scratch, m->count, (int)node_bits, m->cancellation))
        return akin_fail_stopped(m->error, AKIN_E_CANCELLED, NULL);
    akin_bulk_clear(&m->bulks[SCRATCH]);
    return AKIN_OK;
}

/* Ranks the nodes of a range, whose keys are sorted by the bits from `shift` on. Lists the ranges of equal nodes. */
static akin_status rank_range(making *m, const uint64_t *keys, akin_range range, uint32_t shift)
{
    const uint64_t node = ((uint64_t)1 << shift) - 1;
    for (uint32_t i = 0, next, reported = 0; i < range.count; i = next) {
        if (i - reported > OFTEN) {
            reported = i;
            if (check_cancelled(m) != AKIN_OK)
                return AKIN_E_CANCELLED;
        }
        for (next = i; next < range.count && keys[next] >> shift == keys[i] >> shift; next++) {
            m->order[range.first + next] = (uint32_t)(keys[next] & node);
            m->rank[keys[next] & node] = range.first + i;
        }
        if (next == i + 1)
            continue;
        akin_status status = akin_ranges_add(&m->next, range.first + i, next - i, what, m->error);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

/* Sorts the nodes of a range, which are equal so far, by the ranks of their ancestors. */
static akin_status sort_range(making *m, akin_range range)
{
    for (uint32_t i = 0; i < range.count; i++) {
        const uint32_t node = m->order[range.first + i];
        m->keys[i] = (uint64_t)m->rank[m->above[node]] << 32 | node;
        if (i % OFTEN == OFTEN - 1 && check_cancelled(m) != AKIN_OK)
            return AKIN_E_CANCELLED;
    }
    if (!akin_sort_long_u64(m->keys, range.count, m->cancellation))
        return akin_fail_stopped(m->error, AKIN_E_CANCELLED, NULL);
    return rank_range(m, m->keys, range, 32);
}

static akin_status sort_ranges(making *m)
{
    akin_status status = AKIN_OK;
    uint64_t work = 0;
    akin_ranges_turn(&m->now, &m->next);
    for (uint64_t i = 0; i < m->now.count && status == AKIN_OK; i++) {
        const akin_range range = akin_ranges_at(&m->now, i);
        status = sort_range(m, range);
        work += range.count;
        if (status == AKIN_OK && work > OFTEN) {
            work = 0;
            status = check_cancelled(m);
        }
    }
    return status;
}

static akin_status order_nodes(making *m)
{
    uint32_t symbols = 0, shift = 0;
    akin_status status = check_cancelled(m);
    if (status == AKIN_OK)
        status = sort_keys(m, &symbols, &shift);
    for (int array = ORDER; array <= ABOVE && status == AKIN_OK; array++)
        status = reserve_array(m, array, (uint64_t)m->count * sizeof *m->order);
    if (status == AKIN_OK)
        status = akin_bulk_touch(m->cancellation->scope, &m->bulks[RANK], what, m->error);
    if (status != AKIN_OK)
        return status;
    m->order = m->bulks[ORDER].data;
    m->rank = m->bulks[RANK].data;
    m->above = m->bulks[ABOVE].data;
    status = rank_range(m, m->keys, (akin_range){0, m->count}, shift);
    if (status != AKIN_OK || m->next.count == 0)
        return status;
    for (uint64_t i = 0; i < m->count; i += OFTEN) {
        memcpy(m->above + i, m->parent + i, akin_min_u64(OFTEN, m->count - i) * sizeof *m->above);
        if (check_cancelled(m) != AKIN_OK)
            return AKIN_E_CANCELLED;
    }
    for (; symbols > 1 && status == AKIN_OK; symbols /= 2)
        status = double_above(m);
    while (m->next.count > 0 && status == AKIN_OK) {
        status = sort_ranges(m);
        if (m->next.count > 0 && status == AKIN_OK)
            status = double_above(m);
    }
    return status;
}

/* Lists the nodes that have a child, by symbol, and the nodes at which words end. */
static akin_status list_children(making *m)
{
    akin_trie_nodes *out = m->out;
    akin_status status = akin_bulk_reserve(&out->bulks[1], (uint64_t)out->words * sizeof(uint32_t), what, m->error);
    if (status != AKIN_OK)
        return status;
    uint32_t *parents = m->above, *ends = out->bulks[1].data, found = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const uint32_t node = m->order[i];
        if (i % OFTEN == 0 && check_cancelled(m) != AKIN_OK)
            return AKIN_E_CANCELLED;
        parents[i] = m->rank[m->parent[node]];
        if (m->ends[node / 8] >> node % 8 & 1)
            ends[found++] = i;
    }
    out->parents = parents;
    out->ends = ends;
    out->bulks[0] = m->bulks[ABOVE];
    m->bulks[ABOVE] = (akin_bulk){0};
    return AKIN_OK;
}

akin_status akin_trie_nodes_make(const akin_scope *scope, const akin_trie_words *words, akin_store *store,
                                 akin_trie_nodes *out, akin_error *error)
{
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {scope, &cancelled, 0, 0};
    making m = {.cancellation = &cancellation, .words = words, .store = store, .out = out, .error = error};
    *out = (akin_trie_nodes){0};
    for (int array = 0; array < ARRAYS; array++)
        m.bulks[array] = akin_bulk_in(store);
    m.now.bulk = m.next.bulk = out->bulks[0] = out->bulks[1] = akin_bulk_in(store);
    akin_status status = akin_scope_report(scope, "building", 0, 0) == AKIN_OK
                             ? count_nodes(&m)
                             : akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
    if (status == AKIN_OK)
        status = list_nodes(&m);
    if (status == AKIN_OK)
        status = order_nodes(&m);
    if (status == AKIN_OK)
        status = list_children(&m);
    for (int array = 0; array < ARRAYS; array++)
        akin_bulk_clear(&m.bulks[array]);
    akin_bulk_clear(&m.now.bulk);
    akin_bulk_clear(&m.next.bulk);
    return status;
}

void akin_trie_nodes_clear(akin_trie_nodes *nodes)
{
    akin_bulk_clear(&nodes->bulks[0]);
    akin_bulk_clear(&nodes->bulks[1]);
}
