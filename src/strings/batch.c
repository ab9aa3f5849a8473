/* Makes batches: sorts rows by length, then writes symbols, bags and heads, many rows at a time. */
#include "strings/batch.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "text/utf8.h"

#define STRING_WEIGHT 8                /* of a string, beside its symbols */
#define UNKNOWN       (UINT32_MAX - 1) /* as a byte AKIN_HEAD_QUERY: no symbol of a batch has it */

uint32_t akin_strings_batch_write(const akin_alphabet *alphabet, const char *text, uint64_t length, void *symbols)
{
    int wide = akin_alphabet_is_wide(alphabet);
    uint8_t *bytes = symbols;
    uint32_t *words = symbols, count = 0;
    for (size_t at = 0, size; at < length; at += size, count++) {
        uint32_t number = akin_alphabet_number(alphabet, akin_utf8_decode(text + at, length - at, &size));
        number = number == UINT32_MAX ? UNKNOWN : number;
        if (wide)
            words[count] = number;
        else
            bytes[count] = (uint8_t)number;
    }
    return count;
}

uint32_t akin_strings_batch_head(const akin_symbols *symbols, uint32_t none)
{
    uint32_t head = 0;
    for (uint32_t i = 0; i < AKIN_HEAD; i++)
        head = head << 8 | (i < symbols->length ? akin_symbol(symbols, i) & 0xff : none);
    return head;
}

/* The strings that there are as keys, length above row, sorted by length. */
static uint32_t sort_rows_by_length(const uint32_t *lengths, uint32_t first, uint32_t end, uint64_t *keys,
                                    uint64_t *scratch)
{
    uint32_t count = 0;
    for (uint32_t row = first; row < end; row++)
        if (lengths[row] > 0)
            keys[count++] = (uint64_t)lengths[row] << 32 | row;
    akin_radix_sort_upper_u64(keys, scratch, count, 32);
    return count;
}

static uint32_t count_runs(const uint64_t *keys, uint32_t count)
{
    uint32_t runs = 0;
    for (uint32_t i = 0; i < count; i++)
        runs += i == 0 || keys[i] >> 32 != keys[i - 1] >> 32;
    return runs;
}

/* Where runs begin; answers the number of symbols. */
static uint64_t lay_out_runs(akin_strings_batch *batch, const uint64_t *keys)
{
    uint64_t symbols = 0;
    uint32_t run = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t length = (uint32_t)(keys[i] >> 32);
        if (run == 0 || length != batch->lengths[run - 1]) {
            batch->starts[run] = i;
            batch->lengths[run] = length;
            batch->begins[run++] = symbols;
        }
        batch->rows[i] = (uint32_t)keys[i];
        symbols += length;
    }
    batch->starts[run] = batch->count;
    batch->counted = batch->starts[akin_lower_bound_u32(batch->lengths, run, AKIN_COUNTS_LEAST)];
    return symbols;
}

/* Everything but the symbols, for as many strings. */
static int reserve_batch(akin_account *account, akin_strings_batch *batch, uint32_t count, uint32_t runs)
{
    batch->count = count;
    batch->runs = runs;
    batch->rows = akin_alloc(account, count, sizeof *batch->rows);
    batch->heads = akin_alloc(account, count, sizeof *batch->heads);
    int has_bags = 1;
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++) {
        batch->bags[w] = akin_alloc(account, count, sizeof *batch->bags[w]);
        has_bags &= batch->bags[w] != NULL;
    }
    batch->starts = akin_alloc(account, (uint64_t)runs + 1, sizeof *batch->starts);
    batch->lengths = akin_alloc(account, runs, sizeof *batch->lengths);
    batch->begins = akin_alloc(account, runs, sizeof *batch->begins);
    return has_bags && batch->rows && batch->heads && batch->starts && batch->lengths && batch->begins;
}

typedef struct writing {
    const akin_column *column;
    const akin_alphabet *alphabet;
    akin_strings_batch *batch;
} writing;

/* What the strings of a batch before place i weigh, which may be one beyond the last. */
static uint64_t weight_before(const void *of, uint32_t i)
{
    const akin_strings_batch *batch = of;
    uint32_t run = akin_strings_batch_run(batch, i < batch->count ? i : batch->count - 1);
    uint64_t each = (uint64_t)batch->lengths[run] + STRING_WEIGHT;
    return batch->begins[run] + STRING_WEIGHT * (uint64_t)batch->starts[run] + (i - batch->starts[run]) * each;
}

static akin_status write_batch_strings(void *argument, uint64_t task, uint32_t thread)
{
    const writing *w = argument;
    akin_strings_batch *batch = w->batch;
    uint32_t first = akin_weighed_begin(weight_before, batch, batch->count, task);
    uint32_t end = akin_weighed_begin(weight_before, batch, batch->count, task + 1);
    uint32_t run = akin_strings_batch_run(batch, first);
    (void)thread;
    for (uint32_t i = first; i < end; i++) {
        run += i == batch->starts[run + 1];
        uint64_t row = batch->rows[i], from = w->column->offsets[row], to = w->column->offsets[row + 1];
        akin_symbols symbols = akin_strings_batch_at(batch, run, i);
        void *at = batch->wide ? (void *)symbols.points : (void *)symbols.bytes;
        akin_strings_batch_write(w->alphabet, w->column->bytes + from, to - from, at);
        akin_bag bag;
        if (i < batch->counted)
            bag = akin_bag_of(&symbols, w->alphabet->kinds);
        else
            batch->counts[i - batch->counted] = akin_counts_with_bag(&symbols, w->alphabet->kinds, &bag);
        for (uint32_t word = 0; word < AKIN_BAG_WORDS; word++)
            batch->bags[word][i] = bag.words[word];
        batch->heads[i] = akin_strings_batch_head(&symbols, AKIN_HEAD_NONE);
    }
    return AKIN_OK;
}

akin_status akin_strings_batch_make(const akin_scope *scope, akin_account *account, const akin_column *column,
                                    const uint32_t *lengths, uint32_t first, uint32_t end,
                                    const akin_alphabet *alphabet, akin_strings_batch *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint64_t rows = end - first, *keys = akin_alloc(account, 2 * rows, sizeof *keys);
    *out = (akin_strings_batch){.wide = akin_alphabet_is_wide(alphabet)};
    uint32_t count = keys ? sort_rows_by_length(lengths, first, end, keys, keys + rows) : 0;
    if (!keys || !reserve_batch(account, out, count, count_runs(keys, count))) {
        status = akin_fail_memory(error, "strings");
        goto done;
    }
    uint64_t total = lay_out_runs(out, keys), bytes = total * (out->wide ? sizeof(uint32_t) : 1) + AKIN_BATCH_PAD;
    akin_free(keys);
    keys = NULL;
    out->symbols = akin_alloc(account, bytes, 1);
    out->counts = akin_alloc(account, count - out->counted, sizeof *out->counts);
    if (!out->symbols || !out->counts) {
        status = akin_fail_memory(error, "strings");
        goto done;
    }
    memset((char *)out->symbols + bytes - AKIN_BATCH_PAD, 0, AKIN_BATCH_PAD);
    writing w = {column, alphabet, out};
    status = akin_parallel(scope, "preparing strings", akin_weighed_tasks(weight_before, out, count),
                           write_batch_strings, &w);
    if (status != AKIN_OK)
        akin_fail_stopped(error, status, "preparing strings");
done:
    akin_free(keys);
    if (status != AKIN_OK)
        akin_strings_batch_clear(out);
    return status;
}

void akin_strings_batch_clear(akin_strings_batch *batch)
{
    akin_free(batch->rows);
    akin_free(batch->heads);
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
        akin_free(batch->bags[w]);
    akin_free(batch->starts);
    akin_free(batch->lengths);
    akin_free(batch->begins);
    akin_free(batch->symbols);
    akin_free(batch->counts);
    *batch = (akin_strings_batch){.count = 0};
}
