/* Bags of documents: tokens are hashed and sorted, and those of one hash are compared. */
#include "corpus/shingles.h"

#include "dict/term.h"

#include <string.h>

void akin_shingler_begin(akin_shingler *shingler, akin_cpu cpu, akin_account *account, const akin_text_options *options)
{
    *shingler = (akin_shingler){.account = account, .mask = ~UINT64_C(0)};
    akin_tokenizer_begin(&shingler->tokenizer, cpu, account, options);
}

void akin_shingler_clear(akin_shingler *shingler)
{
    akin_tokenizer_clear(&shingler->tokenizer);
    akin_free(shingler->tokens);
    akin_free(shingler->distinct);
    akin_free(shingler->hashes);
    *shingler = (akin_shingler){.account = shingler->account};
}

/* ----------------------------------------------------------------------------------------------------------- hashes */

static uint64_t multiply(uint64_t a, uint64_t b)
{
    const akin_u128 product = (akin_u128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* A hash of 1 byte or more; 16 can be read. It is the same on every run, because temporary files keep it. */
static uint64_t hash_of(const char *bytes, uint32_t length)
{
    const uint64_t first = UINT64_C(0x9e3779b97f4a7c15), second = UINT64_C(0xd6e8feb86659fd93);
    const char *last = length < 16 ? bytes : bytes + length - 16;
    uint64_t hash = length ^ first;
    for (; bytes < last; bytes += 16)
        hash = multiply(load(bytes) ^ hash, load(bytes + 8) ^ second);
    const akin_term end = akin_term_load(last, length < 16 ? length : 16);
    return multiply(multiply(end.word[0] ^ hash, end.word[1] ^ second) ^ first, second);
}

/* -------------------------------------------------------------------------------------------------------------- bag */

static akin_status add_spans(akin_shingler *s, const akin_spans *spans)
{
    akin_u128 *tokens = akin_enlarge(s->account, s->tokens, &s->capacity, s->count + spans->count, sizeof *tokens);
    if (!tokens)
        return AKIN_E_NOMEM;
    s->tokens = tokens;
    for (uint32_t i = 0; i < spans->count; i++) {
        const uint32_t *bounds = spans->bounds + (uint64_t)i * spans->step;
        const uint32_t begin = bounds[0], length = bounds[spans->gap] - begin;
        const uint64_t hash = hash_of(spans->text + begin, length) & s->mask;
        s->tokens[s->count++] = (akin_u128)hash << 64 | (uint64_t)begin << 32 | length;
    }
    return AKIN_OK;
}

static int are_equal(const char *text, uint64_t a, uint64_t b)
{
    return (uint32_t)a == (uint32_t)b && memcmp(text + (a >> 32), text + (b >> 32), (uint32_t)a) == 0;
}

/* How many distinct tokens there are among those of one hash. */
static uint32_t count_distinct(const akin_shingler *s, const char *text, uint64_t first, uint64_t end)
{
    uint32_t count = 0;
    for (uint64_t i = first; i < end; i++) {
        const uint64_t token = (uint64_t)s->tokens[i];
        uint32_t k = 0;
        while (k < count && !are_equal(text, s->distinct[k], token))
            k++;
        if (k == count)
            s->distinct[count++] = token;
    }
    return count;
}

/* Room for the bag and for the distinct tokens of one hash. */
static int make_room(akin_shingler *s)
{
    uint64_t *hashes = akin_enlarge(s->account, s->hashes, &s->hash_capacity, s->count, sizeof *hashes);
    if (hashes)
        s->hashes = hashes;
    uint64_t *distinct = akin_enlarge(s->account, s->distinct, &s->distinct_capacity, s->count, sizeof *distinct);
    if (distinct)
        s->distinct = distinct;
    return hashes && distinct;
}

static void make_bag(akin_shingler *s, const char *text)
{
    akin_sort_u128(s->tokens, s->count);
    for (uint64_t i = 0, end; i < s->count; i = end) {
        const uint64_t hash = (uint64_t)(s->tokens[i] >> 64);
        for (end = i + 1; end < s->count && (uint64_t)(s->tokens[end] >> 64) == hash;)
            end++;
        for (uint32_t times = end == i + 1 ? 1 : count_distinct(s, text, i, end); times > 0; times--)
            s->hashes[s->size++] = hash;
    }
}

akin_status akin_shingler_take(akin_shingler *shingler, const char *text, uint64_t length, uint64_t readable)
{
    akin_shingler *s = shingler;
    akin_spans spans = {.text = NULL};
    s->count = s->size = 0;
    if (length == 0)
        return AKIN_OK;
    akin_status status = akin_tokenizer_take(&s->tokenizer, text, length, readable);
    while (status == AKIN_OK && akin_tokenizer_next(&s->tokenizer, &spans))
        status = add_spans(s, &spans);
    if (status == AKIN_OK && !make_room(s))
        status = AKIN_E_NOMEM;
    if (status == AKIN_OK)
        make_bag(s, spans.text);
    return status;
}

uint32_t akin_shingles_common(const uint64_t *left, uint32_t left_size, const uint64_t *right, uint32_t right_size)
{
    uint32_t common = 0;
    for (uint32_t a = 0, b = 0; a < left_size && b < right_size;) {
        const uint64_t x = left[a], y = right[b];
        common += x == y;
        a += x <= y;
        b += y <= x;
    }
    return common;
}
