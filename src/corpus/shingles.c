/* Bags of documents: tokens are hashed, and found again by their hashes. */
#include "corpus/shingles.h"

#include "corpus/word_sums.h"
#include "table/columns.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SLOTS_LEAST 64
#define SLOT_BYTES  4 /* bytes of text for a slot, in a guess */

void akin_shingler_begin(akin_shingler *shingler, akin_cpu cpu, akin_account *account, const akin_text_options *options)
{
    *shingler = (akin_shingler){.account = account, .mask = ~UINT64_C(0)};
    akin_tokenizer_begin(&shingler->tokenizer, cpu, account, options);
}

void akin_shingler_clear(akin_shingler *shingler)
{
    akin_tokenizer_clear(&shingler->tokenizer);
    akin_free(shingler->tokens);
    akin_free(shingler->slots);
    akin_free(shingler->hashes);
    *shingler = (akin_shingler){.account = shingler->account};
}

/* ----------------------------------------------------------------------------------------------------------- tokens */

static uint64_t hash_of(akin_u128 token)
{
    return (uint64_t)(token >> 64);
}

static uint32_t length_of(akin_u128 token)
{
    return (uint32_t)token;
}

static const char *bytes_of(const akin_shingler *s, akin_u128 token)
{
    return s->tokenizer.normal.text + (uint32_t)((uint64_t)token >> 32);
}

/* The slot of a token of another document or of this one, or the free slot where it would be. *others counts tokens
 * with the same hash that were passed. */
static uint64_t find_slot(const akin_shingler *s, const char *bytes, uint32_t length, uint64_t hash, int *others)
{
    const uint64_t last = s->slot_count - 1;
    uint64_t at = hash & last;
    for (; s->slots[at] != 0; at = (at + 1) & last) {
        const akin_u128 token = s->tokens[s->slots[at] - 1];
        if (hash_of(token) != hash)
            continue;
        if (length_of(token) == length && memcmp(bytes_of(s, token), bytes, length) == 0)
            break;
        ++*others;
    }
    return at;
}

/* Makes that many slots, a power of two, for the tokens so far. */
static akin_status make_slots(akin_shingler *s, uint64_t count)
{
    uint32_t *slots = akin_enlarge(s->account, s->slots, &s->slot_capacity, count, sizeof *slots);
    if (!slots)
        return AKIN_E_NOMEM;
    s->slots = slots;
    s->slot_count = count;
    memset(slots, 0, count * sizeof *slots);
    for (uint32_t i = 0; i < s->size; i++) {
        uint64_t at = hash_of(s->tokens[i]) & (count - 1);
        while (slots[at] != 0)
            at = (at + 1) & (count - 1);
        slots[at] = i + 1;
    }
    return AKIN_OK;
}

/* Makes room for that many tokens more. */
static akin_status reserve_tokens(akin_shingler *s, uint32_t more)
{
    const uint64_t needed = (uint64_t)s->size + more;
    uint64_t count = s->slot_count;
    akin_u128 *tokens = akin_enlarge(s->account, s->tokens, &s->capacity, needed, sizeof *tokens);
    if (!tokens)
        return AKIN_E_NOMEM;
    s->tokens = tokens;
    while (count < 2 * needed)
        count *= 2;
    return count > s->slot_count ? make_slots(s, count) : AKIN_OK;
}

/* Adds a token, for which there is room, if it is a new one. */
static void add_token(akin_shingler *s, uint32_t begin, uint32_t length, uint64_t hash)
{
    const char *bytes = s->tokenizer.normal.text + begin;
    int others = 0;
    const uint64_t at = find_slot(s, bytes, length, hash, &others);
    if (s->slots[at] != 0)
        return;
    if (s->left_out && akin_frequent_has(s->left_out, bytes, length, hash)) {
        s->is_emptied = 1;
        return;
    }
    s->tokens[s->size++] = (akin_u128)hash << 64 | (uint64_t)begin << 32 | length;
    s->slots[at] = s->size;
    s->is_ambiguous |= others > 0;
}

/* Hashes the tokens of a piece: runs of words by their sums, others by their bytes. */
static void hash_spans(akin_shingler *s, const akin_spans *spans)
{
    const uint32_t words = (spans->gap + 1) / 2;
    const uint64_t power = akin_word_power(words);
    if (s->tokenizer.tokens != AKIN_TOKENS_SHINGLES) {
        for (uint32_t i = 0; i < spans->count; i++) {
            const uint32_t *bounds = spans->bounds + (uint64_t)i * spans->step;
            s->piece[i] = XXH3_64bits(spans->text + bounds[0], bounds[spans->gap] - bounds[0]) & s->mask;
        }
        return;
    }
    s->sums[0] = 0;
    akin_word_sums(spans->text, spans->bounds, spans->count + words - 1, UINT64_MAX, s->sums);
    for (uint32_t i = 0; i < spans->count; i++)
        s->piece[i] = akin_word_run_hash(s->sums[i], s->sums[i + words], power, words) & s->mask;
}

static akin_status add_spans(akin_shingler *s, const akin_spans *spans)
{
    const akin_status status = reserve_tokens(s, spans->count);
    if (status != AKIN_OK)
        return status;
    hash_spans(s, spans);
    for (uint32_t i = 0; i < spans->count; i++) {
        const uint32_t *bounds = spans->bounds + (uint64_t)i * spans->step;
        add_token(s, bounds[0], bounds[spans->gap] - bounds[0], s->piece[i]);
    }
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- bag */

static akin_status make_bag(akin_shingler *s)
{
    uint64_t *hashes = akin_enlarge(s->account, s->hashes, &s->hash_capacity, s->size, sizeof *hashes);
    if (!hashes)
        return AKIN_E_NOMEM;
    s->hashes = hashes;
    for (uint32_t i = 0; i < s->size; i++)
        hashes[i] = hash_of(s->tokens[i]);
    if (s->is_ambiguous)
        akin_sort_u64(hashes, s->size);
    return AKIN_OK;
}

akin_status akin_shingler_take(akin_shingler *shingler, const char *text, uint64_t length, uint64_t readable)
{
    akin_shingler *s = shingler;
    akin_spans spans = {.text = NULL};
    s->size = 0;
    s->is_emptied = s->is_ambiguous = 0;
    if (length == 0)
        return AKIN_OK;
    akin_status status = akin_tokenizer_take(&s->tokenizer, text, length, readable);
    if (status == AKIN_OK)
        status = make_slots(
            s, akin_max_u64(SLOTS_LEAST, UINT64_C(1) << akin_bits_of(s->tokenizer.normal.length / SLOT_BYTES)));
    while (status == AKIN_OK && akin_tokenizer_next(&s->tokenizer, &spans))
        status = add_spans(s, &spans);
    s->is_emptied &= s->size == 0;
    return status == AKIN_OK ? make_bag(s) : status;
}

/* The text of a row. */
typedef struct row_text {
    const char *bytes;
    uint64_t length, readable;
} row_text;

static row_text text_of(const akin_column *column, uint32_t rows, uint32_t row)
{
    const uint64_t *at = column->offsets + row;
    if (!akin_column_has(column, row))
        return (row_text){"", 0, 0};
    return (row_text){column->bytes + at[0], at[1] - at[0], column->offsets[rows] - at[0]};
}

akin_status akin_shingler_take_row(akin_shingler *shingler, const akin_column *column, uint32_t rows, uint32_t row)
{
    const row_text t = text_of(column, rows, row);
    return akin_shingler_take(shingler, t.bytes, t.length, t.readable);
}

akin_status akin_shingler_count_row(akin_shingler *shingler, const akin_column *column, uint32_t rows, uint32_t row,
                                    akin_frequencies *frequencies, uint64_t *count)
{
    const row_text t = text_of(column, rows, row);
    akin_spans spans = {.text = NULL};
    *count = 0;
    if (t.length == 0)
        return AKIN_OK;
    const akin_status status = akin_tokenizer_take(&shingler->tokenizer, t.bytes, t.length, t.readable);
    while (status == AKIN_OK && akin_tokenizer_next(&shingler->tokenizer, &spans)) {
        hash_spans(shingler, &spans);
        akin_frequencies_add(frequencies, shingler->piece, spans.count);
        *count += spans.count;
    }
    return status;
}

akin_status akin_shingler_visit(const akin_shingler *shingler, akin_token_visit visit, void *user)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < shingler->size && status == AKIN_OK; i++) {
        const akin_u128 token = shingler->tokens[i];
        status = visit(user, bytes_of(shingler, token), length_of(token), hash_of(token));
    }
    return status;
}

uint32_t akin_shingler_common(const akin_shingler *left, const akin_shingler *right)
{
    uint32_t common = 0;
    int others = 0;
    for (uint32_t i = 0; i < right->size && left->size > 0; i++) {
        const akin_u128 token = right->tokens[i];
        const uint64_t at = find_slot(left, bytes_of(right, token), length_of(token), hash_of(token), &others);
        common += left->slots[at] != 0;
    }
    return common;
}
