/* The grams of items: hashes, a filter, and a table. */
#include "corpus/grams.h"

#include "base/parallel.h"

#include <string.h>

#define AHEAD        16      /* grams whose slots are brought to the cache before they are taken */
#define FILTER_BITS  12      /* for each gram */
#define FILTER_LEAST 16      /* words of the filter */
#define LENGTHS      4       /* words of `lengths` for each short text, */
#define LENGTHS_MOST 1048576 /* and at most */
#define BLOCK        16      /* places */
#define TEXT_MOST    (UINT32_C(1) << 30)

void akin_grams_clear(akin_grams *grams)
{
    for (uint32_t i = 0; i < grams->repeat_count; i++)
        akin_gram_automaton_clear(&grams->repeats[i].repeats);
    akin_free(grams->repeats);
    akin_free(grams->slots);
    akin_free(grams->filter);
    akin_free(grams->lengths);
    akin_free(grams->next);
    akin_free(grams->blocks);
    *grams = (akin_grams){.account = grams->account};
}

/* ---------------------------------------------------------------------------------------------------------- finding */

static uint64_t slot_of(const akin_grams *g, uint64_t hash)
{
    return (uint64_t)((akin_u128)hash * g->slot_count >> 64);
}

/* The high bits of a hash say where it is, so a slot has the low ones. */
static uint64_t make_slot(uint64_t hash, uint32_t place)
{
    return hash << 32 | (place + UINT64_C(1));
}

static int has_tag(uint64_t slot, uint64_t hash)
{
    return slot >> 32 == (hash & UINT32_MAX);
}

static uint32_t place_of(uint64_t slot)
{
    return (uint32_t)slot - 1;
}

uint32_t akin_grams_text(const akin_grams *grams, uint32_t place)
{
    uint32_t text = grams->blocks[place / BLOCK];
    while (grams->texts->firsts[text + 1] <= place)
        text++;
    return text;
}

/* Whether the gram at a place has these words, of which the first `known` are known to be there. */
static int is_gram(const akin_grams *g, uint32_t place, const char *text, const uint32_t *bounds, uint32_t words,
                   uint32_t known)
{
    const akin_item_texts *t = g->texts;
    const uint32_t *begins = t->begins + place;
    for (uint32_t i = known; i < words; i++) {
        const uint32_t length = bounds[2 * i + 1] - bounds[2 * i];
        if (i >= t->word_count - place || begins[i + 1] - begins[i] != length ||
            memcmp(t->bytes + begins[i], text + bounds[2 * i], length) != 0)
            return 0;
    }
    return !g->has_short || akin_grams_words(g, akin_grams_text(g, place)) == words;
}

uint32_t akin_grams_find(const akin_grams *grams, uint64_t hash, const char *text, const uint32_t *bounds,
                         uint32_t words, uint32_t likely)
{
    const akin_grams *g = grams;
    for (uint64_t at = slot_of(g, hash); g->slots[at] != 0; at = at + 1 == g->slot_count ? 0 : at + 1) {
        const uint32_t place = place_of(g->slots[at]);
        if (has_tag(g->slots[at], hash) && is_gram(g, place, text, bounds, words, place == likely ? words - 1 : 0))
            return place;
    }
    return AKIN_GRAM_NONE;
}

void akin_grams_bring(const akin_grams *grams, uint64_t hash)
{
    __builtin_prefetch(&grams->slots[slot_of(grams, hash)]);
}

void akin_grams_bring_words(const akin_grams *grams, uint64_t hash)
{
    const uint64_t slot = grams->slots[slot_of(grams, hash)];
    if (slot != 0 && has_tag(slot, hash)) {
        __builtin_prefetch(&grams->texts->begins[place_of(slot)]);
        __builtin_prefetch(&grams->next[place_of(slot)]);
    }
}

const akin_gram_automaton *akin_grams_repeats(const akin_grams *grams, uint32_t text)
{
    uint32_t low = 0, high = grams->repeat_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (grams->repeats[middle].text < text)
            low = middle + 1;
        else
            high = middle;
    }
    return low < grams->repeat_count && grams->repeats[low].text == text ? &grams->repeats[low].repeats : NULL;
}

/* ----------------------------------------------------------------------------------------------------------- making */

/* What is needed of the text at hand: of each word and gram. */
typedef struct maker {
    akin_grams *grams;
    uint32_t *bounds;
    uint64_t *sums, *hashes;
    uint32_t *firsts; /* where in the text each gram first begins */
    uint64_t bound_capacity, sum_capacity, hash_capacity, first_capacity;
} maker;

static void clear_maker(maker *m)
{
    akin_free(m->bounds);
    akin_free(m->sums);
    akin_free(m->hashes);
    akin_free(m->firsts);
}

static akin_status reserve_maker(maker *m, uint64_t words)
{
    akin_account *account = m->grams->account;
    uint32_t *bounds = akin_enlarge(account, m->bounds, &m->bound_capacity, 2 * words, sizeof *bounds);
    m->bounds = bounds ? bounds : m->bounds;
    uint64_t *sums = akin_enlarge(account, m->sums, &m->sum_capacity, words + 1, sizeof *sums);
    m->sums = sums ? sums : m->sums;
    uint64_t *hashes = akin_enlarge(account, m->hashes, &m->hash_capacity, words, sizeof *hashes);
    m->hashes = hashes ? hashes : m->hashes;
    uint32_t *firsts = akin_enlarge(account, m->firsts, &m->first_capacity, words, sizeof *firsts);
    m->firsts = firsts ? firsts : m->firsts;
    return bounds && sums && hashes && firsts ? AKIN_OK : AKIN_E_NOMEM;
}

/* Makes the hashes of a text's grams, whose number it returns. */
static uint32_t hash_text(maker *m, uint32_t first, uint32_t size, uint32_t words)
{
    const akin_item_texts *t = m->grams->texts;
    const uint32_t grams = size - words + 1;
    for (uint32_t i = 0; i < size; i++) {
        m->bounds[2 * i] = t->begins[first + i];
        m->bounds[2 * i + 1] = t->begins[first + i + 1];
    }
    m->sums[0] = 0;
    akin_word_sums(t->bytes, m->bounds, size, m->grams->mask, m->sums);
    for (uint32_t i = 0; i < grams; i++)
        m->hashes[i] = akin_grams_hash(m->grams, m->sums[i], m->sums[i + words], words);
    return grams;
}

/* Adds a gram of the text that begins with place `first`, and returns where the text first has it. The newest place of
 * a gram comes second. */
static uint32_t add_gram(akin_grams *g, uint64_t hash, uint32_t first, uint32_t place, const uint32_t *bounds,
                         uint32_t words)
{
    uint64_t at = slot_of(g, hash);
    g->next[place] = AKIN_GRAM_NONE;
    g->filter[akin_grams_filter_word(g, hash) - g->filter] |= akin_grams_filter_bits(hash);
    for (; g->slots[at] != 0; at = at + 1 == g->slot_count ? 0 : at + 1) {
        const uint32_t oldest = place_of(g->slots[at]);
        if (!has_tag(g->slots[at], hash) || !is_gram(g, oldest, g->texts->bytes, bounds, words, 0))
            continue;
        const uint32_t newest = g->next[oldest] == AKIN_GRAM_NONE ? oldest : g->next[oldest];
        if (newest >= first)
            return newest;
        g->next[place] = g->next[oldest];
        g->next[oldest] = place;
        return place;
    }
    g->slots[at] = make_slot(hash, place);
    return place;
}

static akin_status add_repeats(akin_grams *g, const maker *m, uint32_t text, uint32_t grams)
{
    akin_text_repeats *all =
        akin_enlarge(g->account, g->repeats, &g->repeat_capacity, g->repeat_count + UINT64_C(1), sizeof *all);
    if (!all)
        return AKIN_E_NOMEM;
    g->repeats = all;
    all[g->repeat_count].text = text;
    const akin_status status = akin_gram_automaton_make(g->account, m->firsts, grams, &all[g->repeat_count].repeats);
    g->repeat_count += status == AKIN_OK;
    return status;
}

static akin_status add_text(akin_grams *g, maker *m, uint32_t text)
{
    const uint32_t first = g->texts->firsts[text], size = akin_item_texts_size(g->texts, text);
    const uint32_t words = akin_grams_words(g, text);
    akin_status status = size < TEXT_MOST ? reserve_maker(m, size) : AKIN_E_LIMIT;
    int is_repeated = 0;
    if (status != AKIN_OK)
        return status;
    const uint32_t grams = hash_text(m, first, size, words);
    for (uint32_t i = 0; i < grams; i++) {
        if (grams - i > AHEAD) {
            __builtin_prefetch(&g->slots[slot_of(g, m->hashes[i + AHEAD])], 1);
            __builtin_prefetch(akin_grams_filter_word(g, m->hashes[i + AHEAD]), 1);
        }
        m->firsts[i] = add_gram(g, m->hashes[i], first, first + i, m->bounds + 2 * (uint64_t)i, words) - first;
        is_repeated |= m->firsts[i] != i;
    }
    if (size < g->words)
        *akin_grams_lengths(g, akin_grams_hash(g, m->sums[0], m->sums[1], 1)) |= UINT64_C(1) << ((size - 1) & 63);
    return is_repeated ? add_repeats(g, m, text, grams) : AKIN_OK;
}

/* Makes room for the grams of all texts. */
static akin_status reserve_grams(akin_grams *g)
{
    const akin_item_texts *t = g->texts;
    uint64_t grams = 0, brief = 0;
    for (uint32_t text = 0; text < t->count; text++) {
        grams += akin_item_texts_size(t, text) - akin_grams_words(g, text) + 1;
        brief += akin_item_texts_size(t, text) < g->words;
    }
    g->has_short = brief > 0;
    g->has_long = brief < t->count;
    g->slot_count = grams + grams / 3 + 1;
    g->filter_count = akin_max_u64(FILTER_LEAST, grams * FILTER_BITS / 64);
    g->length_count = akin_min_u64(LENGTHS * brief, LENGTHS_MOST);
    g->slots = akin_alloc_zero(g->account, g->slot_count, sizeof *g->slots);
    g->filter = akin_alloc_zero(g->account, g->filter_count, sizeof *g->filter);
    g->lengths = akin_alloc_zero(g->account, g->length_count, sizeof *g->lengths);
    g->next = akin_alloc(g->account, t->word_count, sizeof *g->next);
    g->blocks = akin_alloc(g->account, t->word_count / BLOCK + 1, sizeof *g->blocks);
    return g->slots && g->filter && g->lengths && g->next && g->blocks ? AKIN_OK : AKIN_E_NOMEM;
}

/* Notes the text of every 16th place. */
static void make_blocks(akin_grams *g)
{
    uint32_t text = 0;
    for (uint64_t place = 0; place < g->texts->word_count; place += BLOCK) {
        while (g->texts->firsts[text + 1] <= place)
            text++;
        g->blocks[place / BLOCK] = text;
    }
}

akin_status akin_grams_make(const akin_scope *scope, akin_account *account, const akin_item_texts *texts,
                            uint32_t words, uint64_t mask, akin_grams *out)
{
    maker m = {.grams = out};
    *out = (akin_grams){.account = account, .texts = texts, .mask = mask, .words = words, .powers = {1}};
    for (uint32_t i = 0; i < AKIN_GRAM_WORDS_MOST; i++)
        out->powers[i + 1] = out->powers[i] * AKIN_WORD_BASE;
    akin_status status = reserve_grams(out);
    if (status == AKIN_OK)
        make_blocks(out);
    for (uint32_t text = 0; text < texts->count && status == AKIN_OK; text++) {
        status = add_text(out, &m, text);
        if (status == AKIN_OK && akin_is_stopped(scope, text))
            status = AKIN_E_CANCELLED;
    }
    clear_maker(&m);
    if (status != AKIN_OK)
        akin_grams_clear(out);
    return status;
}
