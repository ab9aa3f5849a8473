/*
 * The walker of one SIMD level: to be included by its file, which has defined INLINE and TARGET, its attributes, and of chunks
 * look(record, bit) and settle(chunk, cell, number), as chunks.h has them.
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
    const uint8_t *cell[WALKS]; /* of that symbol, and after look those of the chunk or block */
    /* Between look and settle: */
    akin_chunk chunk[WALKS];
    akin_rrr_place place[WALKS];
} walks;

static const uint8_t first_place[AKIN_CHUNK_PLACES]; /* a cell whose first one is bit 0 */

/* The symbol at `at`, or the end, without a branch to mispredict. */
INLINE uint32_t symbol_at(const akin_trie *trie, uint32_t last, const uint8_t *at, const uint8_t *end)
{
    const uint64_t inside = 0 - (uint64_t)(at < end);
    const uintptr_t from = ((uintptr_t)at & inside) | ((uintptr_t)first_place & ~inside);
    const uint8_t *symbol = (const uint8_t *)from; /* NOLINT(performance-no-int-to-ptr): that is the point of it */
    return last ^ ((last ^ trie->code[*symbol]) & (uint32_t)inside);
}

/* Lets walk i go on from a node by a symbol. */
INLINE void put(walks *w, uint32_t i, const akin_trie *trie, uint32_t node, uint32_t symbol, uint32_t kind)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    const uint32_t bytes = kind == AKIN_TRIE_CHUNKS ? 32
                           : kind == AKIN_TRIE_RRR  ? 16
                                                    : (trie->head.symbols + 1) * (uint32_t)sizeof node;
    const char *record = (const char *)edge->records + (uint64_t)(node / akin_trie_record_nodes(kind)) * bytes;
    w->node[i] = node;
    w->symbol[i] = symbol;
    w->record[i] = edge->starts ? NULL : record;
    w->cell[i] = edge->cells;
    __builtin_prefetch(record);
}

/* Begins walks of the words from *next on, as many as there is room for. */
INLINE void begin(walks *w, const akin_trie *trie, const akin_trie_batch *batch, uint64_t *next, uint32_t kind)
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
        put(w, w->count++, trie, node, first, kind);
    }
}

/* A whole step by a rare symbol, and what settle is to find. */
INLINE void look_rare(walks *w, uint32_t i, const akin_trie *trie, uint32_t kind)
{
    uint32_t next = 0, found = (uint32_t)akin_trie_next(trie, w->node[i], w->symbol[i], &next);
    w->cell[i] = first_place;
    if (kind == AKIN_TRIE_CHUNKS)
        w->chunk[i] = (akin_chunk){.number = next, .count = found};
    else
        w->place[i] = (akin_rrr_place){.ones = next, .k = found * AKIN_RRR_BLOCK};
}

INLINE void look_all(walks *w, const akin_trie *trie, uint32_t kind)
{
    const uint32_t count = w->count;
    for (uint32_t i = 0; i < count; i++) {
        if (!w->record[i]) {
            look_rare(w, i, trie, kind);
        } else if (kind == AKIN_TRIE_CHUNKS) {
            akin_chunk chunk = look(w->record[i], w->node[i] % AKIN_CHUNK_RECORD);
            w->cell[i] += chunk.cell;
            w->chunk[i] = chunk;
        } else {
            akin_rrr_place place = akin_rrr_look(w->record[i], w->node[i] % AKIN_RRR_SUPERBLOCK);
            w->cell[i] += place.offset / 8;
            place.offset %= 8;
            place.ones += trie->edges[w->symbol[i]].first;
            w->place[i] = place;
        }
        __builtin_prefetch(w->cell[i]);
    }
}

/* The next node of walk i; 0 if there is none. */
INLINE uint32_t settle_one(const walks *w, uint32_t i, const akin_trie *trie, uint32_t kind, uint32_t *next)
{
    if (kind == AKIN_TRIE_CHUNKS)
        return (uint32_t)settle(w->chunk[i], w->cell[i], next);
    if (kind == AKIN_TRIE_RRR)
        return (uint32_t)akin_rrr_settle(w->place[i], trie->table, w->cell[i], next);
    return (uint32_t)akin_trie_next(trie, w->node[i], w->symbol[i], next);
}

INLINE void settle_all(walks *w, const akin_trie *trie, uint32_t *ids, uint32_t kind)
{
    const uint32_t count = w->count, last = trie->head.symbols;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *at = w->at[i] + 1, *end = w->end[i];
        const uint32_t word = w->word[i], goes_on = w->symbol[i] != last;
        uint32_t next = AKIN_TRIE_UNKNOWN, found = settle_one(w, i, trie, kind, &next);
        ids[word] = next | (found - 1);
        w->at[kept] = at;
        w->end[kept] = end;
        w->word[kept] = word;
        put(w, kept, trie, next & (0 - found), symbol_at(trie, last, at, end), kind);
        kept += found & goes_on;
    }
    w->count = kept;
}

INLINE void walk_kind(const akin_trie *trie, const akin_trie_batch *batch, uint32_t kind)
{
    walks w;
    uint64_t next = 0;
    w.count = 0;
    for (begin(&w, trie, batch, &next, kind); w.count > 0; begin(&w, trie, batch, &next, kind)) {
        if (kind != AKIN_TRIE_STT)
            look_all(&w, trie, kind);
        settle_all(&w, trie, batch->ids, kind);
    }
}

TARGET static void walk(const akin_trie *trie, const akin_trie_batch *batch)
{
    if (trie->head.kind == AKIN_TRIE_CHUNKS)
        walk_kind(trie, batch, AKIN_TRIE_CHUNKS);
    else if (trie->head.kind == AKIN_TRIE_RRR)
        walk_kind(trie, batch, AKIN_TRIE_RRR);
    else
        walk_kind(trie, batch, AKIN_TRIE_STT);
}
