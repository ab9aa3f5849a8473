/* The distinct texts of items: words are added one after another, and taken back if the text is known. */
#include "corpus/item_texts.h"

#include "corpus/word_sums.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void akin_item_texts_begin(akin_item_texts *texts, akin_account *account, uint64_t mask)
{
    *texts = (akin_item_texts){.account = account, .mask = mask, .known = {.bulk = {.account = account}}};
}

void akin_item_texts_clear(akin_item_texts *texts)
{
    akin_slots_clear(&texts->known);
    akin_free(texts->bytes);
    akin_free(texts->begins);
    akin_free(texts->firsts);
    *texts = (akin_item_texts){.account = texts->account, .mask = texts->mask, .known = {.bulk = texts->known.bulk}};
}

/* Makes room for more bytes, words and texts. */
static akin_status reserve(akin_item_texts *t, uint64_t bytes, uint64_t words)
{
    if (t->byte_count + bytes >= UINT32_MAX)
        return AKIN_E_LIMIT;
    char *all = akin_enlarge(t->account, t->bytes, &t->byte_capacity, t->byte_count + bytes + AKIN_WORD_READABLE, 1);
    if (all)
        t->bytes = all;
    uint32_t *begins =
        akin_enlarge(t->account, t->begins, &t->begin_capacity, t->word_count + words + 1, sizeof *begins);
    if (begins)
        t->begins = begins;
    uint32_t *firsts = akin_enlarge(t->account, t->firsts, &t->first_capacity, t->count + UINT64_C(2), sizeof *firsts);
    if (firsts)
        t->firsts = firsts;
    return all && begins && firsts ? AKIN_OK : AKIN_E_NOMEM;
}

static akin_status add_spans(akin_item_texts *t, const akin_spans *spans)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        const uint32_t *bounds = spans->bounds + (uint64_t)i * spans->step;
        bytes += bounds[spans->gap] - bounds[0];
    }
    const akin_status status = reserve(t, bytes, spans->count);
    for (uint32_t i = 0; i < spans->count && status == AKIN_OK; i++) {
        const uint32_t *bounds = spans->bounds + (uint64_t)i * spans->step;
        const uint32_t length = bounds[spans->gap] - bounds[0];
        memcpy(t->bytes + t->byte_count, spans->text + bounds[0], length);
        t->begins[t->word_count++] = t->byte_count;
        t->byte_count += length;
    }
    return status;
}

/* Whether a text has the words from `first` to the last one. */
static int is_equal(const akin_item_texts *t, uint32_t text, uint32_t first)
{
    const uint32_t words = t->word_count - first;
    const uint32_t *own = t->begins + t->firsts[text], *other = t->begins + first;
    if (akin_item_texts_size(t, text) != words || own[words] - own[0] != t->byte_count - other[0])
        return 0;
    for (uint32_t i = 1; i < words; i++)
        if (own[i] - own[0] != other[i] - other[0])
            return 0;
    return memcmp(t->bytes + own[0], t->bytes + other[0], t->byte_count - other[0]) == 0;
}

/* Makes a text of the words from `first` on, or finds the one that has them. */
static akin_status name_words(akin_item_texts *t, uint32_t first, uint32_t *text)
{
    const uint32_t begin = t->begins[first];
    const uint64_t hash =
        XXH3_64bits_withSeed(t->bytes + begin, t->byte_count - begin, t->word_count - first) & t->mask;
    const akin_status status = akin_slots_reserve(&t->known, t->count + UINT64_C(1));
    if (status != AKIN_OK)
        return status;
    uint64_t at = akin_slots_home(&t->known, hash);
    for (; t->known.slots[at] != 0; at = akin_slots_next(&t->known, at)) {
        *text = akin_slots_number(t->known.slots[at]);
        if (!akin_slots_match(t->known.slots[at], hash) || !is_equal(t, *text, first))
            continue;
        t->word_count = first;
        t->byte_count = begin;
        return AKIN_OK;
    }
    *text = t->count++;
    t->known.slots[at] = akin_slots_make(hash, *text);
    t->firsts[*text] = first;
    t->firsts[t->count] = t->word_count;
    t->begins[t->word_count] = t->byte_count;
    return AKIN_OK;
}

akin_status akin_item_texts_add(akin_item_texts *texts, akin_tokenizer *tokenizer, uint32_t *text)
{
    const uint32_t first = texts->word_count;
    akin_status status = AKIN_OK;
    akin_spans spans;
    *text = AKIN_TEXT_NONE;
    while (status == AKIN_OK && akin_tokenizer_next(tokenizer, &spans))
        status = add_spans(texts, &spans);
    if (status == AKIN_OK && texts->word_count > first)
        status = name_words(texts, first, text);
    return status;
}

void akin_item_texts_end(akin_item_texts *texts)
{
    akin_item_texts *t = texts;
    akin_slots_clear(&t->known);
    if (t->count == 0)
        return;
    char *bytes = akin_resize(t->account, t->bytes, (uint64_t)t->byte_count + AKIN_WORD_READABLE, 1);
    uint32_t *begins = akin_resize(t->account, t->begins, t->word_count + UINT64_C(1), sizeof *begins);
    uint32_t *firsts = akin_resize(t->account, t->firsts, t->count + UINT64_C(1), sizeof *firsts);
    t->bytes = bytes ? bytes : t->bytes;
    t->begins = begins ? begins : t->begins;
    t->firsts = firsts ? firsts : t->firsts;
}
