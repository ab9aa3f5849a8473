/*
 * The walker of a form at a SIMD level. A file of that level includes this one. Before, it defines WALKER, the name of
 * the function, INLINE and TARGET, its attributes, and
 *
 *     step_state                                 the type of what look passes on to settle
 *     step_record(trie, edge, node)              returns the record of a node
 *     step_look(edge, record, node, cell)        reads the record; moves *cell from the symbol's cells to the node's
 *     step_found(next, found)                    returns the state that makes settle return `found` and *next
 *     step_settle(trie, state, cell, next)       returns whether there is a next node, and the node in *next
 *
 * A step has two halves, because it waits for memory twice. `look` reads the record of a node, and prefetches the cell.
 * After all walks have looked, `settle` reads the cell, which gives the next node, and prefetches the record of that
 * node by the next symbol. A rare symbol has no record: look_rare finds the next node by itself, and leaves a state and
 * a cell from which settle returns that node.
 *
 *     walks    | going | going | ... | free |          a walk that ends is overwritten by the walks behind it
 */

enum { WALKS = 64 };

typedef struct walks {
    uint32_t count;
    uint32_t word[WALKS];
    const uint8_t *at[WALKS], *end[WALKS]; /* the rest of the word, from the current symbol on */
    uint32_t node[WALKS], symbol[WALKS];
    const void *record[WALKS];  /* the record of this node and symbol; NULL: the symbol is rare */
    const uint8_t *cell[WALKS]; /* the first cell of the symbol; after look the one that settle reads */
    step_state state[WALKS];    /* from look to settle */
} walks;

static const uint8_t first_place[16]; /* 16 bytes, the longest cell; its first one is bit 0 */

/* Returns the symbol at `at`, or the end of the word, without a branch that could be mispredicted. */
INLINE uint32_t symbol_at(const akin_trie *trie, uint32_t last, const uint8_t *at, const uint8_t *end)
{
    const uint64_t inside = 0 - (uint64_t)(at < end);
    const uintptr_t from = ((uintptr_t)at & inside) | ((uintptr_t)first_place & ~inside);
    const uint8_t *symbol = (const uint8_t *)from; /* NOLINT(performance-no-int-to-ptr): intended */
    return last ^ ((last ^ trie->code[*symbol]) & (uint32_t)inside);
}

/* Sets walk i to a node and its next symbol, and prefetches their record. */
INLINE void put(walks *w, uint32_t i, const akin_trie *trie, uint32_t node, uint32_t symbol)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    const char *record = step_record(trie, edge, node);
    w->node[i] = node;
    w->symbol[i] = symbol;
    w->record[i] = edge->starts ? NULL : record;
    w->cell[i] = edge->cells;
    __builtin_prefetch(record);
}

/* Begins walks of the words from *next on, until no walk is free. */
INLINE void begin(walks *w, const akin_trie *trie, const akin_trie_batch *batch, uint64_t *next)
{
    const uint32_t end = trie->head.symbols;
    for (; w->count < WALKS && *next < batch->count; ++*next) {
        const uint8_t *from = (const uint8_t *)batch->bytes + batch->begins[*next];
        const uint8_t *to = (const uint8_t *)batch->bytes + batch->ends[*next];
        uint32_t node = 0, first = from < to ? trie->code[*from] : end;
        if (trie->pairs) {
            uint32_t second = to - from > 1 ? trie->code[from[1]] : end;
            node = trie->pairs[first * trie->span + second];
            batch->ids[*next] = node;
            if (node == AKIN_TRIE_UNKNOWN || to - from < 2)
                continue;
            from += 2;
            first = from < to ? trie->code[*from] : end;
        }
        w->at[w->count] = from;
        w->end[w->count] = to;
        w->word[w->count] = (uint32_t)*next;
        put(w, w->count++, trie, node, first);
    }
}

/* Takes the whole step by a rare symbol, and leaves the result for settle. */
INLINE void look_rare(walks *w, uint32_t i, const akin_trie *trie)
{
    uint32_t next = 0, found = (uint32_t)akin_trie_next_rare(trie, w->symbol[i], w->node[i], &next);
    w->cell[i] = first_place;
    w->state[i] = step_found(next, found);
}

INLINE void look_all(walks *w, const akin_trie *trie)
{
    const uint32_t count = w->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!w->record[i])
            look_rare(w, i, trie);
        else
            w->state[i] = step_look(&trie->edges[w->symbol[i]], w->record[i], w->node[i], &w->cell[i]);
        __builtin_prefetch(w->cell[i]);
    }
}

INLINE void settle_all(walks *w, const akin_trie *trie, uint32_t *ids)
{
    const uint32_t count = w->count, last = trie->head.symbols;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *at = w->at[i] + 1, *end = w->end[i];
        const uint32_t word = w->word[i], goes_on = w->symbol[i] != last;
        uint32_t next = AKIN_TRIE_UNKNOWN, found = (uint32_t)step_settle(trie, w->state[i], w->cell[i], &next);
        ids[word] = next | (found - 1);
        w->at[kept] = at;
        w->end[kept] = end;
        w->word[kept] = word;
        put(w, kept, trie, next & (0 - found), symbol_at(trie, last, at, end));
        kept += found & goes_on;
    }
    w->count = kept;
}

TARGET static void WALKER(const akin_trie *trie, const akin_trie_batch *batch)
{
    walks w;
    uint64_t next = 0;
    w.count = 0;
    for (begin(&w, trie, batch, &next); w.count > 0; begin(&w, trie, batch, &next)) {
        look_all(&w, trie);
        settle_all(&w, trie, batch->ids);
    }
}
