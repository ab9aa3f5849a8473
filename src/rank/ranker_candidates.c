/*
 * The candidates of a ranking: documents of a window. They are looked up list by list, as long as their sums and the
 * bounds of the lists to come can make them useful. Those that are left are scored by the definition.
 */
#include "rank/ranker.h"

#define NONE AKIN_RANKER_NONE

void akin_ranker_decode(const akin_ranker *r, akin_ranker_list *t, uint32_t block)
{
    if (t->decoded == block)
        return;
    akin_block_view view = akin_block_open(r->lists, t->list, block);
    akin_block_documents(&view, t->documents);
    t->decoded = block;
    t->at = 0;
}

/* Looks for a document in a block that ends with it or behind it, later than one before; answers its factor, or -1 if
 * it is not there. A block in which a second one is looked for is decoded. */
static double look_up_document(const akin_ranker *r, akin_ranker_list *t, uint32_t block, uint32_t document,
                               const double *factors)
{
    akin_block_view view = akin_block_open(r->lists, t->list, block);
    uint32_t entry;
    if (document < view.base)
        return -1;
    if (t->tried == block)
        akin_ranker_decode(r, t, block);
    t->tried = block;
    if (t->decoded == block) {
        for (entry = t->at; t->documents[entry] < document;)
            entry++;
        t->at = entry;
        if (t->documents[entry] != document)
            return -1;
    } else if (akin_block_seek(&view, document, &entry) != document) {
        return -1;
    }
    return factors[akin_block_factor(&view, entry) - 1];
}

/* Whether a list of a frequent term has a document. */
static int has_bit(const akin_ranker_list *t, uint32_t document)
{
    return (int)(t->bits[(uint64_t)document / 64 * 2] >> document % 64 & 1);
}

/* Looks for any document that is not before the window, and leaves no trace. */
static double look_up_afresh(const akin_ranker *r, const akin_ranker_list *t, uint32_t document, const double *factors)
{
    uint32_t entry;
    if (t->bits && !has_bit(t, document))
        return -1;
    if (t->is_plain)
        return factors[0];
    uint32_t block = akin_list_seek(r->lists, t->list, t->block, document);
    if (block == t->blocks)
        return -1;
    akin_block_view view = akin_block_open(r->lists, t->list, block);
    if (document < view.base || akin_block_seek(&view, document, &entry) != document)
        return -1;
    return factors[akin_block_factor(&view, entry) - 1];
}

/* The score of a document as it is defined. */
static akin_ranker_found score(akin_ranker *r, uint32_t document, const double *factors)
{
    double sum = 0;
    uint32_t number = 0;
    if (akin_lists_number(r->lists, document, &number, NULL) != AKIN_OK)
        r->damaged = document + UINT64_C(1);
    for (uint32_t i = 0; i < r->term_count; i++) {
        double factor = look_up_afresh(r, &r->terms[i], document, factors);
        r->weights[i] = factor < 0 ? 0 : r->terms[i].list->scale * factor;
    }
    for (uint32_t i = 0; i < r->token_count; i++)
        sum += r->weights[r->tokens[i]] + r->weights[r->tokens[i] + 1]; /* one of them is 0 */
    return (akin_ranker_found){sum, number};
}

/* --------------------------------------------------------------------------------------------------------- look-ups */

/* Whether a list has nothing to be looked up in this window. */
static int is_absent(const akin_ranker_list *t)
{
    return t->bound <= 0 && t->scale > 0;
}

/* Those that have bits come first, and of these, as of the others, the ones of the largest bound. */
void akin_candidates_plan(akin_ranker *r, uint32_t count, uint32_t driver)
{
    r->look_count = 0;
    for (uint32_t i = 0; i < r->term_count; i += 2)
        r->terms[i].look = NONE;
    for (int bits = 1; bits >= 0; bits--)
        for (uint32_t i = count; i-- > 0;) {
            const uint32_t place = r->order[i], first = place & ~UINT32_C(1);
            if ((r->terms[place].bits != NULL) != bits || first == driver || is_absent(&r->terms[place]))
                continue;
            if (r->terms[first].look == NONE) {
                r->terms[first].look = r->look_count;
                r->looks[r->look_count++] = (akin_ranker_look){.place = first};
            }
            r->looks[r->terms[first].look].which |= UINT32_C(1) << place % 2;
        }
    r->open = 0;
    for (uint32_t i = r->look_count; i-- > 0;) {
        akin_ranker_look *look = &r->looks[i];
        const akin_ranker_list *t = &r->terms[look->place];
        const double first = look->which & 1 ? t[0].bound : 0, second = look->which & 2 ? t[1].bound : 0;
        look->after = r->open;
        r->open += first > second ? first : second;
    }
}

/* Looks the batch up in a list, and keeps the candidates that may still qualify, if all later lists add `after` at
 * most. Memory that will be read is prefetched. */
static void look_up_list(akin_ranker *r, akin_ranker_list *t, double after)
{
    const double least = r->least - r->slack - after;
    uint32_t left = 0;
    for (uint32_t i = 0; i < r->batched; i++) {
        akin_ranker_candidate *c = &r->batch[i];
        c->block = t->probed = akin_list_seek(r->lists, t->list, t->probed, c->document);
        if (c->block == t->blocks)
            continue;
        const akin_block *block = &r->lists->blocks[t->list->block + c->block];
        __builtin_prefetch(r->lists->words + t->list->words + block->words);
    }
    for (uint32_t i = 0; i < r->batched; i++) {
        akin_ranker_candidate c = r->batch[i];
        double factor = c.block == t->blocks ? -1 : look_up_document(r, t, c.block, c.document, c.factors);
        c.sum += factor < 0 ? 0 : t->scale * factor;
        r->batch[left] = c;
        left += !(c.sum < least);
    }
    r->batched = left;
}

/* The same by the bits of a frequent term. There are no branches, except for documents that have the term more than
 * once: their counts are read. */
static void look_up_bits(akin_ranker *r, const akin_ranker_look *look)
{
    akin_ranker_list *t = &r->terms[look->place];
    const double least = r->least - r->slack - look->after, scale = t->scale;
    const uint64_t first = look->which & 1, second = look->which >> 1, *bits = t->bits;
    uint32_t left = 0;
    for (uint32_t i = 0; i < r->batched; i++)
        __builtin_prefetch(bits + (uint64_t)r->batch[i].document / 64 * 2);
    for (uint32_t i = 0; i < r->batched; i++) {
        akin_ranker_candidate c = r->batch[i];
        const uint64_t *words = bits + (uint64_t)c.document / 64 * 2;
        const double weight = scale * c.factors[0];
        c.sum += words[0] >> c.document % 64 & first ? weight : 0;
        if (words[1] >> c.document % 64 & second) {
            t[1].probed = akin_list_seek(r->lists, t[1].list, t[1].probed, c.document);
            c.sum += scale * look_up_document(r, &t[1], t[1].probed, c.document, c.factors);
        }
        r->batch[left] = c;
        left += !(c.sum < least);
    }
    r->batched = left;
}

void akin_candidates_look_up(akin_ranker *r)
{
    for (uint32_t i = 0; i < r->look_count && r->batched > 0; i++) {
        const akin_ranker_look *look = &r->looks[i];
        akin_ranker_list *t = &r->terms[look->place];
        if (t->bits) {
            look_up_bits(r, look);
            continue;
        }
        if (look->which & 1)
            look_up_list(r, &t[0], look->after + (look->which & 2 ? t[1].bound : 0));
        if (look->which & 2)
            look_up_list(r, &t[1], look->after);
    }
}

void akin_candidates_keep(akin_ranker *r)
{
    akin_candidates_look_up(r);
    for (uint32_t i = 0; i < r->batched; i++)
        if (!akin_ranker_is_hopeless(r, r->batch[i].sum))
            akin_ranker_keep(r, score(r, r->batch[i].document, r->batch[i].factors));
    r->batched = 0;
}
