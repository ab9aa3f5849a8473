/* Makes the texts that nearest records are searched in, and their inverted lists. */
#include "dedupe/neighbour_texts.h"

#include "base/parallel.h"
#include "base/sort.h"
#include "base/sort_parallel.h"
#include "dedupe/tokens.h"

#include <math.h>

#define TASK_TEXTS  1024
#define TOKENS_MOST (UINT32_C(1) << 30) /* of a text */

static const char what[] = "the nearest records";

/* What texts are made of. */
typedef struct making {
    const akin_scope *scope;
    akin_account *account;
    const akin_values *values;
    akin_weighted weighted;
    uint32_t *value_of;         /* of each text its value, */
    uint32_t *text_of;          /* of each value its text, AKIN_VALUE_NONE without tokens */
    uint32_t *rank_of;          /* of each token its rank */
    akin_neighbour_texts *made; /* what becomes of it */
} making;

/* ------------------------------------------------------------------------------------------------------------ texts */

/* Sorts the values that have tokens by their lengths, those of one length by their numbers. */
static akin_status order_values(making *m)
{
    akin_neighbour_texts *t = m->made;
    const uint32_t values = m->values->count;
    akin_u128 *keys = akin_alloc(m->account, values, sizeof *keys);
    m->value_of = akin_alloc(m->account, values, sizeof *m->value_of);
    m->text_of = akin_alloc(m->account, values, sizeof *m->text_of);
    akin_status status = keys && m->value_of && m->text_of ? AKIN_OK : AKIN_E_NOMEM;
    for (uint32_t v = 0; v < values && status == AKIN_OK; v++) {
        m->text_of[v] = AKIN_VALUE_NONE;
        if (m->weighted.lengths[v] > 0)
            keys[t->count++] = (akin_u128)m->weighted.lengths[v] << 32 | v;
    }
    if (status == AKIN_OK)
        status = akin_sort_parallel_u128(m->scope, m->account, keys, t->count);
    for (uint32_t text = 0; text < t->count && status == AKIN_OK; text++) {
        m->value_of[text] = (uint32_t)keys[text];
        m->text_of[m->value_of[text]] = text;
    }
    akin_free(keys);
    return status;
}

/* The text of a record; AKIN_VALUE_NONE: it has none. */
static uint32_t text_of(const making *m, uint32_t record)
{
    const uint32_t value = m->values->of[record];
    return value == AKIN_VALUE_NONE ? AKIN_VALUE_NONE : m->text_of[value];
}

/* Puts the records of each text side by side: starts[t + 2] counts those of text t, and starts[t + 1] becomes where
 * the next one goes, and so where text t + 1 begins. */
static akin_status gather_records(making *m)
{
    akin_neighbour_texts *t = m->made;
    t->starts = akin_alloc_zero(m->account, t->count + UINT64_C(2), sizeof *t->starts);
    if (!t->starts)
        return AKIN_E_NOMEM;
    for (uint32_t record = 0; record < t->records->count; record++)
        if (text_of(m, record) != AKIN_VALUE_NONE)
            t->starts[text_of(m, record) + UINT64_C(2)]++;
    for (uint64_t text = 1; text <= t->count; text++)
        t->starts[text + 1] += t->starts[text];
    t->of = akin_alloc(m->account, t->starts[t->count + UINT64_C(1)], sizeof *t->of);
    if (!t->of)
        return AKIN_E_NOMEM;
    for (uint32_t record = 0; record < t->records->count; record++)
        if (text_of(m, record) != AKIN_VALUE_NONE)
            t->of[t->starts[text_of(m, record) + UINT64_C(1)]++] = record;
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- tokens */

/* Ranks tokens by their weights, those of one weight by their numbers. */
static akin_status rank_tokens(making *m)
{
    akin_neighbour_texts *t = m->made;
    t->tokens = m->weighted.tokens;
    uint64_t *keys = akin_alloc(m->account, t->tokens, sizeof *keys);
    m->rank_of = akin_alloc(m->account, t->tokens, sizeof *m->rank_of);
    t->squares = akin_alloc(m->account, t->tokens, sizeof *t->squares);
    akin_status status = keys && m->rank_of && t->squares ? AKIN_OK : AKIN_E_NOMEM;
    for (uint32_t token = 0; token < t->tokens && status == AKIN_OK; token++)
        keys[token] = (uint64_t)(UINT32_MAX - m->weighted.squares[token]) << 32 | token;
    if (status == AKIN_OK)
        status = akin_sort_parallel_u64(m->scope, m->account, keys, t->tokens);
    for (uint32_t rank = 0; rank < t->tokens && status == AKIN_OK; rank++) {
        const uint32_t token = (uint32_t)keys[rank];
        m->rank_of[token] = rank;
        t->squares[rank] = m->weighted.squares[token];
    }
    akin_free(keys);
    return status;
}

static akin_status set_tokens(void *argument, uint64_t task, uint32_t thread)
{
    const making *m = argument;
    const akin_neighbour_texts *t = m->made;
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * TASK_TEXTS, t->count);
    (void)thread;
    for (uint32_t text = (uint32_t)(task * TASK_TEXTS); text < end; text++) {
        uint64_t count;
        const uint32_t *tokens = akin_weighted_tokens(&m->weighted, m->value_of[text], &count);
        uint32_t *ranks = t->ranks + t->offsets[text];
        for (uint64_t i = 0; i < count; i++)
            ranks[i] = m->rank_of[tokens[i]];
        akin_sort_u32(ranks, count);
    }
    return AKIN_OK;
}

/* Brings the tokens of each text, by rank, with its length. */
static akin_status gather_tokens(making *m)
{
    akin_neighbour_texts *t = m->made;
    t->lengths = akin_alloc(m->account, t->count, sizeof *t->lengths);
    t->roots = akin_alloc(m->account, t->count, sizeof *t->roots);
    t->offsets = akin_alloc(m->account, t->count + UINT64_C(1), sizeof *t->offsets);
    if (!t->lengths || !t->roots || !t->offsets)
        return AKIN_E_NOMEM;
    uint64_t most = 0;
    t->offsets[0] = 0;
    for (uint32_t text = 0; text < t->count; text++) {
        uint64_t count;
        akin_weighted_tokens(&m->weighted, m->value_of[text], &count);
        most = akin_max_u64(most, count);
        t->offsets[text + 1] = t->offsets[text] + count;
        t->lengths[text] = m->weighted.lengths[m->value_of[text]];
        t->roots[text] = sqrt((double)t->lengths[text]);
    }
    if (most > TOKENS_MOST)
        return AKIN_E_LIMIT;
    t->ranks = akin_alloc(m->account, t->offsets[t->count], sizeof *t->ranks);
    return t->ranks ? akin_parallel(m->scope, NULL, akin_ceil_div(t->count, TASK_TEXTS), set_tokens, m) : AKIN_E_NOMEM;
}

akin_status akin_neighbour_texts_make(const akin_scope *scope, akin_account *account, const akin_values *values,
                                      const akin_text_options *text, akin_neighbour_texts *out, akin_error *error)
{
    making m = {.scope = scope, .account = account, .values = values, .made = out};
    *out = (akin_neighbour_texts){.records = values->records};
    const akin_token_weighing how = {.text = text};
    akin_status status = akin_weighted_make(scope, account, values, &how, &m.weighted, error);
    if (status == AKIN_OK) {
        status = order_values(&m);
        if (status == AKIN_OK)
            status = gather_records(&m);
        if (status == AKIN_OK)
            status = rank_tokens(&m);
        if (status == AKIN_OK)
            status = gather_tokens(&m);
        if (status == AKIN_E_LIMIT)
            akin_fail(error, status, "a value has more than 2^30 tokens: expected fewer");
        else if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_weighted_clear(&m.weighted);
    akin_free(m.value_of);
    akin_free(m.text_of);
    akin_free(m.rank_of);
    return status;
}

void akin_neighbour_texts_clear(akin_neighbour_texts *texts)
{
    akin_free(texts->starts);
    akin_free(texts->of);
    akin_free(texts->lengths);
    akin_free(texts->roots);
    akin_free(texts->offsets);
    akin_free(texts->ranks);
    akin_free(texts->squares);
    *texts = (akin_neighbour_texts){0};
}

akin_neighbour_rows akin_neighbour_rows_of(const akin_neighbour_texts *texts, uint32_t text, uint32_t table)
{
    const akin_records *records = texts->records;
    const uint32_t *rows = texts->of + texts->starts[text];
    const uint32_t count = texts->starts[text + 1] - texts->starts[text];
    if (records->tables == 1)
        return (akin_neighbour_rows){rows, count};
    const uint32_t lefts = (uint32_t)akin_lower_bound_u32(rows, count, records->rows[0]);
    return table == 0 ? (akin_neighbour_rows){rows, lefts} : (akin_neighbour_rows){rows + lefts, count - lefts};
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* starts[r + 2] counts the texts of rank r, and starts[r + 1] becomes where the next one goes, as above. */
static akin_status count_texts(const akin_scope *scope, const akin_neighbour_texts *t, uint32_t table,
                               akin_neighbour_lists *lists)
{
    for (uint32_t text = 0; text < t->count; text++) {
        if (akin_is_stopped(scope, text))
            return AKIN_E_CANCELLED;
        if (akin_neighbour_rows_of(t, text, table).count > 0)
            for (uint64_t i = t->offsets[text]; i < t->offsets[text + 1]; i++)
                lists->starts[t->ranks[i] + UINT64_C(2)]++;
    }
    for (uint64_t rank = 1; rank <= t->tokens; rank++)
        lists->starts[rank + 1] += lists->starts[rank];
    return AKIN_OK;
}

static akin_status fill_lists(const akin_scope *scope, const akin_neighbour_texts *t, uint32_t table,
                              akin_neighbour_lists *lists)
{
    for (uint32_t text = 0; text < t->count; text++) {
        if (akin_is_stopped(scope, text))
            return AKIN_E_CANCELLED;
        if (akin_neighbour_rows_of(t, text, table).count > 0)
            for (uint64_t i = t->offsets[text]; i < t->offsets[text + 1]; i++)
                lists->texts[lists->starts[t->ranks[i] + UINT64_C(1)]++] = text;
    }
    return AKIN_OK;
}

akin_status akin_neighbour_lists_make(const akin_scope *scope, akin_account *account, const akin_neighbour_texts *texts,
                                      uint32_t table, akin_neighbour_lists *out, akin_error *error)
{
    *out = (akin_neighbour_lists){.starts = akin_alloc_zero(account, texts->tokens + UINT64_C(2), sizeof *out->starts)};
    akin_status status = out->starts ? count_texts(scope, texts, table, out) : AKIN_E_NOMEM;
    if (status == AKIN_OK) {
        out->texts = akin_alloc(account, out->starts[texts->tokens + UINT64_C(1)], sizeof *out->texts);
        status = out->texts ? fill_lists(scope, texts, table, out) : AKIN_E_NOMEM;
    }
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

void akin_neighbour_lists_clear(akin_neighbour_lists *lists)
{
    akin_free(lists->starts);
    akin_free(lists->texts);
    *lists = (akin_neighbour_lists){0};
}
