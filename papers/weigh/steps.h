/*
 * What a thread of a GPU does in the paper's techniques, with one item. It is compiled into kernels, and into the GPU
 * that the host plays in tests.
 *
 * Words are compared as strings, by pieces of 7 bytes. The key of a piece is these, the first one uppermost, zeros
 * where the word has ended, and how many there are, 8 if the word goes on:
 *
 *     term weights    | t e r m 20 w e  8 | i g h t s 0 0  5 |
 *
 * so keys are ordered as words are, those with NUL bytes, too, and equal ones that end are equal words.
 */
#ifndef AKIN_PAPERS_WEIGH_STEPS_H
#define AKIN_PAPERS_WEIGH_STEPS_H

#include "weigh/gpu_tally.h"
#include "papers/weigh/kernels.h"

#define AKIN_PAPER_PIECE 7
#define AKIN_PAPER_MORE  8              /* in the lowest byte of a key: the word goes on */
#define AKIN_PAPER_LONG  (~(uint64_t)0) /* the key of a token that is too long; no word has such a byte */
#define AKIN_PAPER_NONE  AKIN_GPU_EMPTY /* the slot of a run of these */

/* ---------------------------------------------------------------------------------------------------------- words */

AKIN_GPU_FUNCTION uint64_t akin_paper_reverse(uint64_t word)
{
#ifdef __CUDACC__
    return (uint64_t)__byte_perm((uint32_t)word, 0, 0x0123) << 32 | __byte_perm((uint32_t)(word >> 32), 0, 0x0123);
#else
    return __builtin_bswap64(word);
#endif
}

AKIN_GPU_FUNCTION uint32_t akin_paper_document(const akin_paper_view *v, uint32_t token)
{
    return v->sums[(uint64_t)token + 1] - 1;
}

AKIN_GPU_FUNCTION int akin_paper_is_long(const akin_paper_view *v, uint32_t token)
{
    return v->ends[token] - v->begins[token] > AKIN_GPU_LONG;
}

/* Up to 7 bytes of the pool, from byte `at` on. */
AKIN_GPU_FUNCTION uint64_t akin_paper_of_pool(const uint64_t *pool, uint64_t at, uint32_t bytes)
{
    const uint32_t shift = (uint32_t)(at % 8) * 8;
    uint64_t word = pool[at / 8] >> shift;
    if (shift + 8 * bytes > 64)
        word |= pool[at / 8 + 1] << (64 - shift);
    return word & (((uint64_t)1 << 8 * bytes) - 1);
}

/* The key of piece `round` of an item, which has one. */
AKIN_GPU_FUNCTION uint64_t akin_paper_key(const akin_paper_view *v, uint32_t item, uint32_t round)
{
    const uint32_t before = round * AKIN_PAPER_PIECE;
    uint32_t left, bytes;
    uint64_t piece;
    if (item < v->known) {
        const akin_gpu_word *word = &v->table.words[item];
        left = word->length - before;
        bytes = left < AKIN_PAPER_PIECE ? left : AKIN_PAPER_PIECE;
        piece = akin_paper_of_pool(v->table.pool, word->place * 8 + before, bytes);
    } else {
        const uint32_t token = item - v->known, begin = v->begins[token];
        if (akin_paper_is_long(v, token))
            return AKIN_PAPER_LONG;
        left = v->ends[token] - begin - before;
        bytes = left < AKIN_PAPER_PIECE ? left : AKIN_PAPER_PIECE;
        piece = akin_gpu_take(&v->text, (uint64_t)begin + before, bytes);
    }
    return akin_paper_reverse(piece) | (left > AKIN_PAPER_PIECE ? AKIN_PAPER_MORE : left);
}

AKIN_GPU_FUNCTION void akin_paper_first_key(const akin_paper_view *v, uint64_t i)
{
    v->keys[i] = akin_paper_key(v, (uint32_t)i, 0);
    v->items[i] = (uint32_t)i;
}

AKIN_GPU_FUNCTION int akin_paper_goes_on(uint64_t key)
{
    return (key & 0xff) == AKIN_PAPER_MORE;
}

/* The run of a sorted item. */
AKIN_GPU_FUNCTION uint32_t akin_paper_run_of(const akin_paper_view *v, uint64_t i)
{
    return v->head_sums[i + 1] - 1;
}

/* The term of a word that is known by now. */
AKIN_GPU_FUNCTION uint32_t akin_paper_term(const akin_paper_view *v, uint64_t slot)
{
    return v->table.words[slot & AKIN_GPU_BELOW].term;
}

/* ------------------------------------------------------------------------------------------------------- extract */

AKIN_GPU_FUNCTION void akin_paper_extract(const akin_paper_view *v, uint64_t i)
{
    const akin_gpu_text *text = &v->text;
    uint64_t rank = text->bases[i / AKIN_GPU_WORDS] + text->ranks[i];
    for (uint32_t bits = text->begins[i]; bits; bits &= bits - 1, rank++) {
        const uint64_t begin = i * 32 + akin_gpu_lowest(bits);
        const uint32_t length = akin_gpu_length(text, begin);
        v->begins[rank] = (uint32_t)begin;
        v->ends[rank] = (uint32_t)begin + length;
        if (length > AKIN_GPU_LONG) {
            const akin_gpu_long token = {begin, rank};
            v->finds.longs[akin_gpu_add(&v->finds.news->longs, 1)] = token;
        }
    }
}

AKIN_GPU_FUNCTION void akin_paper_begin(const akin_paper_view *v, uint64_t i)
{
    const uint64_t first = v->text.firsts[i];
    if (first < v->text.firsts[v->text.documents])
        akin_gpu_add32(&v->starts[first], 1);
}

AKIN_GPU_FUNCTION void akin_paper_measure(const akin_paper_view *v, uint64_t i)
{
    if (i < *v->found)
        v->lengths[v->distinct[i] - 1] = v->times[i];
}

/* ---------------------------------------------------------------------------------------------------------- sort */

AKIN_GPU_FUNCTION void akin_paper_head(const akin_paper_view *v, uint64_t i)
{
    v->heads[i] = i == 0 || v->keys[i] != v->keys[i - 1];
    v->flags[i] = (uint8_t)akin_paper_goes_on(v->keys[i]);
}

AKIN_GPU_FUNCTION uint64_t akin_paper_place(const akin_paper_view *v, uint64_t i)
{
    return v->from ? v->from[i] : i;
}

/* All of a run have equal keys, so either all of it goes on or none: runs stay side by side among those that go on. */
AKIN_GPU_FUNCTION void akin_paper_open(const akin_paper_view *v, uint64_t i)
{
    const int is_alone =
        v->heads[akin_paper_place(v, i)] && (i + 1 == v->count || v->heads[akin_paper_place(v, i + 1)]);
    if (is_alone)
        v->flags[i] = 0;
}

AKIN_GPU_FUNCTION void akin_paper_choose(const akin_paper_view *v, uint64_t i)
{
    const uint64_t place = akin_paper_place(v, v->picks[i]);
    const uint32_t item = v->items[place];
    v->places[i] = (uint32_t)place;
    v->own[i] = item;
    v->marks[i] = v->heads[place];
    v->keys[i] = akin_paper_key(v, item, v->round);
    v->order[i] = (uint32_t)i;
}

AKIN_GPU_FUNCTION void akin_paper_label(const akin_paper_view *v, uint64_t i)
{
    v->labels[i] = v->mark_sums[(uint64_t)v->order[i] + 1];
    v->index[i] = (uint32_t)i;
}

AKIN_GPU_FUNCTION void akin_paper_settle(const akin_paper_view *v, uint64_t i)
{
    const uint32_t at = v->index[i], place = v->places[i];
    const uint64_t key = v->keys[at];
    v->items[place] = v->own[v->order[at]];
    v->heads[place] = i == 0 || v->labels[i] != v->labels[i - 1] || key != v->keys[v->index[i - 1]];
    v->flags[i] = (uint8_t)akin_paper_goes_on(key);
}

/* Words that are known stand before tokens, and sorting is stable, so one that is known is the first of its run. */
AKIN_GPU_FUNCTION void akin_paper_word(const akin_paper_view *v, uint64_t i)
{
    const uint32_t item = v->items[i], run = akin_paper_run_of(v, i);
    if (!v->heads[i])
        return;
    if (item < v->known) {
        v->table.slots[run] = item;
    } else if (akin_paper_is_long(v, item - v->known)) {
        v->table.slots[run] = AKIN_PAPER_NONE;
    } else {
        const uint32_t token = item - v->known;
        v->table.slots[run] = AKIN_GPU_IS_NEW | v->begins[token];
        akin_gpu_found_new(&v->finds, run, v->ends[token] - v->begins[token]);
    }
}

AKIN_GPU_FUNCTION void akin_paper_write_term(const akin_paper_view *v, uint64_t i)
{
    const uint64_t slot = v->table.slots[akin_paper_run_of(v, i)];
    if (v->items[i] >= v->known && slot != AKIN_PAPER_NONE)
        v->text.tokens[v->items[i] - v->known] = akin_paper_term(v, slot);
}

/* ---------------------------------------------------------------------------------------------------- dictionary */

AKIN_GPU_FUNCTION void akin_paper_fold(const akin_paper_view *v, uint64_t i)
{
    v->folded[i] = akin_gpu_fold(v->text.rule, v->text.text[i]);
}

AKIN_GPU_FUNCTION void akin_paper_map(const akin_paper_view *v, uint64_t i)
{
    const uint32_t id = v->ids[i];
    v->text.tokens[i] = id >= v->id_count ? v->unknown : v->map ? v->map[id] : id;
}

/* --------------------------------------------------------------------------------------------------------- count */

AKIN_GPU_FUNCTION void akin_paper_order(const akin_paper_view *v, uint64_t i)
{
    const uint32_t term = v->text.tokens[i];
    v->labels[i] = term < v->terms ? term : v->terms;
    v->order[i] = (uint32_t)i;
}

AKIN_GPU_FUNCTION void akin_paper_count(const akin_paper_view *v, uint64_t i)
{
    uint64_t low = 0, count = v->count;
    (void)i;
    while (count > 0) {
        const uint64_t half = count / 2;
        const int is_below = v->labels[low + half] < v->terms;
        low += is_below ? half + 1 : 0;
        count = is_below ? count - half - 1 : half;
    }
    *v->kept = low;
}

AKIN_GPU_FUNCTION void akin_paper_spare(const akin_paper_view *v, uint64_t i)
{
    akin_gpu_add32(&v->lengths[akin_paper_document(v, v->order[v->count + i])], ~(uint32_t)0);
}

AKIN_GPU_FUNCTION void akin_paper_pair(const akin_paper_view *v, uint64_t i)
{
    const uint32_t group = v->groups ? v->groups[i] : akin_paper_run_of(v, i);
    v->keys[i] = (uint64_t)group << 32 | akin_paper_document(v, v->order[i]);
}

AKIN_GPU_FUNCTION uint32_t akin_paper_name(const akin_paper_view *v, uint32_t group)
{
    return v->names ? akin_paper_term(v, v->names[group]) : group;
}

AKIN_GPU_FUNCTION void akin_paper_write_group(const akin_paper_view *v, uint64_t i)
{
    v->pair_groups[i] = (uint32_t)(v->pairs[i] >> 32);
}

AKIN_GPU_FUNCTION void akin_paper_turn(const akin_paper_view *v, uint64_t i)
{
    const uint64_t pair = v->pairs[i];
    v->keys[i] = (pair & 0xffffffffu) << v->term_bits | akin_paper_name(v, (uint32_t)(pair >> 32));
}

AKIN_GPU_FUNCTION void akin_paper_bound(const akin_paper_view *v, uint64_t i)
{
    v->offsets[i] = akin_gpu_below(v->keys, v->pair_count, i << v->term_bits);
}

AKIN_GPU_FUNCTION void akin_paper_split(const akin_paper_view *v, uint64_t i)
{
    v->term_ids[i] = (uint32_t)(v->keys[i] & (((uint64_t)1 << v->term_bits) - 1));
    v->tf[i] = v->times[i];
}

/* No two groups of a batch are one term. */
AKIN_GPU_FUNCTION void akin_paper_df(const akin_paper_view *v, uint64_t i)
{
    if (i < *v->found)
        v->df[akin_paper_name(v, v->distinct[i])] += v->times[i];
}

AKIN_GPU_FUNCTION void akin_paper_weigh(const akin_paper_view *v, uint64_t i)
{
    const uint64_t pair = v->first + i;
    const double norm = akin_formula_norm(&v->formula, v->lengths[v->segments[i]], v->mean);
    v->values[pair] = v->idf[v->term_ids[pair]] * akin_formula_factor(&v->formula, norm, v->tf[pair]);
}

/* ------------------------------------------------------------------------------------------------------ all of it */

/* What a thread does with item i. */
typedef void akin_paper_function(const akin_paper_view *view, uint64_t i);

/* All steps, in the order of akin_paper_step: DO(name, function) for each. */
#define AKIN_PAPER_EACH_STEP(DO)                                                                                       \
    DO(EXTRACT, akin_paper_extract)                                                                                    \
    DO(BEGIN, akin_paper_begin)                                                                                        \
    DO(MEASURE, akin_paper_measure)                                                                                    \
    DO(KEY, akin_paper_first_key)                                                                                      \
    DO(HEAD, akin_paper_head)                                                                                          \
    DO(OPEN, akin_paper_open)                                                                                          \
    DO(CHOOSE, akin_paper_choose)                                                                                      \
    DO(LABEL, akin_paper_label)                                                                                        \
    DO(SETTLE, akin_paper_settle)                                                                                      \
    DO(WORD, akin_paper_word)                                                                                          \
    DO(TERM, akin_paper_write_term)                                                                                    \
    DO(FOLD, akin_paper_fold)                                                                                          \
    DO(MAP, akin_paper_map)                                                                                            \
    DO(ORDER, akin_paper_order)                                                                                        \
    DO(COUNT, akin_paper_count)                                                                                        \
    DO(SPARE, akin_paper_spare)                                                                                        \
    DO(PAIR, akin_paper_pair)                                                                                          \
    DO(GROUP, akin_paper_write_group)                                                                                  \
    DO(TURN, akin_paper_turn)                                                                                          \
    DO(BOUND, akin_paper_bound)                                                                                        \
    DO(SPLIT, akin_paper_split)                                                                                        \
    DO(DF, akin_paper_df)                                                                                              \
    DO(WEIGH, akin_paper_weigh)

#endif
