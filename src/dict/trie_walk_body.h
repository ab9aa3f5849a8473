/*
 * The walker of a form and a SIMD level. Its file includes this, and has defined WALKER, its name, INLINE and TARGET, its
 * attributes, and
 *
 *     step_state                                 what look leaves for settle
 *     step_record(trie, edge, node)              the record of a node
 *     step_look(edge, record, node, cell)        reads it; *cell is that of the symbol, and becomes the one to be read
 *     step_found(next, found)                    what look leaves of a step that was found, or not
 *     step_settle(trie, state, cell, next)       the next node; 0 if there is none
 *
 * A step is cut where it waits: `look` reads the record of a node, and asks for the cell; when all walks have looked, `settle`
 * reads the cell, which gives the next node, and asks for its record by the next symbol. A rare symbol takes no part in that:
 * its whole step is in look, and the cell that is left for settle is one that says the same.
 *
 *     walks    | going | going | ... | free |          those that end are overwritten by those behind them
 */

enum { WALKS = 64 };

typedef struct walks {
    uint32_t count;
    uint32_t word[WALKS];
    const uint8_t *at[WALKS], *end[WALKS]; /* what is left of the word, from the symbol at hand on */
    uint32_t node[WALKS], symbol[WALKS];
    const void *record[WALKS];  /* of that node and symbol; NULL: the symbol is rare */
    const uint8_t *cell[WALKS]; /* of that symbol, and after look the one that settle reads */
    step_state state[WALKS];    /* between look and settle */
} walks;

static const uint8_t first_place[16]; /* the longest cell, whose first one is bit 0 */

/* The symbol at `at`, or the end, without a branch to mispredict. */
INLINE uint32_t symbol_at(const akin_trie *trie, uint32_t last, const uint8_t *at, const uint8_t *end)
{
    const uint64_t inside = 0 - (uint64_t)(at < end);
    const uintptr_t from = ((uintptr_t)at & inside) | ((uintptr_t)first_place & ~inside);
    const uint8_t *symbol = (const uint8_t *)from; /* NOLINT(performance-no-int-to-ptr): that is the point of it */
    return last ^ ((last ^ trie->code[*symbol]) & (uint32_t)inside);
}

/* Lets walk i go on from a node by a symbol. */
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

/* Begins walks of the words from *next on, as many as there is room for. */
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

/* A whole step by a rare symbol, and what settle is to find. */
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
