/* Bags of documents: tokens are hashed and sorted, and those of one hash are compared. */
#include "corpus/shingles.h"

#include "table/columns.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FEW 64 /* tokens that are sorted at once */

void akin_shingler_begin(akin_shingler *shingler, akin_cpu cpu, akin_account *account, const akin_text_options *options)
{
    *shingler = (akin_shingler){.account = account, .mask = ~UINT64_C(0)};
    akin_tokenizer_begin(&shingler->tokenizer, cpu, account, options);
}

void akin_shingler_clear(akin_shingler *shingler)
{
    akin_tokenizer_clear(&shingler->tokenizer);
    akin_free(shingler->tokens);
    akin_free(shingler->sorted);
    akin_free(shingler->starts);
    akin_free(shingler->hashes);
    *shingler = (akin_shingler){.account = shingler->account};
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
        const uint64_t hash = XXH3_64bits(spans->text + begin, length) & s->mask;
        s->tokens[s->count++] = (akin_u128)hash << 64 | (uint64_t)begin << 32 | length;
    }
    return AKIN_OK;
}

/* Hashes are spread evenly, so their first bits sort nearly all tokens: a bucket has one or two. */
static void sort_buckets(akin_shingler *s, uint32_t bits)
{
    const uint64_t buckets = UINT64_C(1) << bits;
    uint32_t *starts = s->starts;
    memset(starts, 0, (buckets + 1) * sizeof *starts);
    for (uint64_t i = 0; i < s->count; i++)
        starts[(s->tokens[i] >> (128 - bits)) + 1]++;
    for (uint64_t b = 0; b < buckets; b++)
        starts[b + 1] += starts[b];
    for (uint64_t i = 0; i < s->count; i++)
        s->sorted[starts[s->tokens[i] >> (128 - bits)]++] = s->tokens[i];
    for (uint64_t b = 0, begin = 0; b < buckets; begin = starts[b++]) /* a bucket now begins where the next one did */
        if (starts[b] - begin > 1)
            akin_sort_u128(s->sorted + begin, starts[b] - begin);
    akin_u128 *const tokens = s->tokens;
    const uint64_t capacity = s->capacity;
    s->tokens = s->sorted;
    s->capacity = s->sorted_capacity;
    s->sorted = tokens;
    s->sorted_capacity = capacity;
}

static akin_status sort_tokens(akin_shingler *s)
{
    if (s->count < FEW) {
        akin_sort_u128(s->tokens, s->count);
        return AKIN_OK;
    }
    const uint32_t bits = 63 - (uint32_t)__builtin_clzll(s->count);
    const uint64_t starts_needed = (UINT64_C(1) << bits) + 1;
    akin_u128 *sorted = akin_enlarge(s->account, s->sorted, &s->sorted_capacity, s->count, sizeof *sorted);
    if (sorted)
        s->sorted = sorted;
    uint32_t *starts = akin_enlarge(s->account, s->starts, &s->start_capacity, starts_needed, sizeof *starts);
    if (starts)
        s->starts = starts;
    if (!sorted || !starts)
        return AKIN_E_NOMEM;
    sort_buckets(s, bits);
    return AKIN_OK;
}

/* Tokens of one hash. */
typedef struct group {
    const char *text;
    const akin_u128 *tokens;
    uint64_t count;
} group;

static uint64_t hash_at(const akin_shingler *s, uint64_t at)
{
    return (uint64_t)(s->tokens[at] >> 64);
}

/* Those from `at` on that have its hash. */
static group group_at(const akin_shingler *s, uint64_t at)
{
    uint64_t end = at + 1;
    while (end < s->count && hash_at(s, end) == hash_at(s, at))
        end++;
    return (group){s->tokenizer.normal.text, s->tokens + at, end - at};
}

/* Whether a token is among the first ones of a group. */
static int has_token(const group *g, uint64_t first, const char *text, akin_u128 token)
{
    const uint64_t place = (uint64_t)token;
    const uint32_t length = (uint32_t)place;
    for (uint64_t i = 0; i < first; i++) {
        const uint64_t other = (uint64_t)g->tokens[i];
        if ((uint32_t)other == length && memcmp(g->text + (other >> 32), text + (place >> 32), length) == 0)
            return 1;
    }
    return 0;
}

/* Nearly all groups have one distinct token, so the first one answers. */
static uint32_t count_distinct(const group *g)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < g->count; i++)
        count += !has_token(g, i, g->text, g->tokens[i]);
    return count;
}

static void make_bag(akin_shingler *s)
{
    for (uint64_t i = 0; i < s->count;) {
        const group g = group_at(s, i);
        for (uint32_t times = g.count == 1 ? 1 : count_distinct(&g); times > 0; times--)
            s->hashes[s->size++] = hash_at(s, i);
        i += g.count;
    }
}

/* Takes the tokens away that are left out. */
static void leave_out(akin_shingler *s)
{
    const char *text = s->tokenizer.normal.text;
    const uint64_t all = s->count;
    s->count = 0;
    for (uint64_t i = 0; i < all; i++) {
        const uint64_t place = (uint64_t)s->tokens[i];
        if (!akin_frequent_has(s->left_out, text + (place >> 32), (uint32_t)place, hash_at(s, i)))
            s->tokens[s->count++] = s->tokens[i];
    }
    s->is_emptied = all > 0 && s->count == 0;
}

akin_status akin_shingler_take(akin_shingler *shingler, const char *text, uint64_t length, uint64_t readable)
{
    akin_shingler *s = shingler;
    akin_spans spans = {.text = NULL};
    s->count = s->size = 0;
    s->is_emptied = 0;
    if (length == 0)
        return AKIN_OK;
    akin_status status = akin_tokenizer_take(&s->tokenizer, text, length, readable);
    while (status == AKIN_OK && akin_tokenizer_next(&s->tokenizer, &spans))
        status = add_spans(s, &spans);
    if (status == AKIN_OK)
        status = sort_tokens(s);
    if (status != AKIN_OK)
        return status;
    if (s->left_out)
        leave_out(s);
    uint64_t *hashes = akin_enlarge(s->account, s->hashes, &s->hash_capacity, s->count, sizeof *hashes);
    if (!hashes)
        return AKIN_E_NOMEM;
    s->hashes = hashes;
    make_bag(s);
    return AKIN_OK;
}

akin_status akin_shingler_take_row(akin_shingler *shingler, const akin_column *column, uint32_t rows, uint32_t row)
{
    const uint64_t *at = column->offsets + row;
    if (!akin_column_has(column, row))
        return akin_shingler_take(shingler, "", 0, 0);
    return akin_shingler_take(shingler, column->bytes + at[0], at[1] - at[0], column->offsets[rows] - at[0]);
}

akin_status akin_shingler_visit(const akin_shingler *shingler, akin_token_visit visit, void *user)
{
    akin_status status = AKIN_OK;
    for (uint64_t at = 0; at < shingler->count && status == AKIN_OK;) {
        const group g = group_at(shingler, at);
        for (uint64_t i = 0; i < g.count && status == AKIN_OK; i++) {
            const uint64_t place = (uint64_t)g.tokens[i];
            if (!has_token(&g, i, g.text, g.tokens[i]))
                status = visit(user, g.text + (place >> 32), (uint32_t)place, hash_at(shingler, at));
        }
        at += g.count;
    }
    return status;
}

/* How many distinct tokens of a group another one has. */
static uint32_t count_common(const group *g, const group *other)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < g->count; i++)
        count += has_token(other, other->count, g->text, g->tokens[i]) && !has_token(g, i, g->text, g->tokens[i]);
    return count;
}

uint32_t akin_shingler_common(const akin_shingler *left, const akin_shingler *right)
{
    uint32_t common = 0;
    for (uint64_t a = 0, b = 0; a < left->count && b < right->count;) {
        const group g = group_at(left, a), other = group_at(right, b);
        const uint64_t x = hash_at(left, a), y = hash_at(right, b);
        common += x == y ? count_common(&g, &other) : 0;
        a += x <= y ? g.count : 0;
        b += y <= x ? other.count : 0;
    }
    return common;
}
