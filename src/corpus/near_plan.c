/* Foresees what finding near-duplicates takes. */
#include "corpus/near_plan.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/context.h"
#include "base/memory.h"
#include "base/options.h"
#include "corpus/bag_prefix.h"
#include "corpus/kept_index.h"
#include "corpus/near_duplicates.h"
#include "corpus/near_job.h"
#include "corpus/near_options.h"
#include "table/columns.h"

#include <stddef.h>
#include <string.h>

#define SAMPLE (32 << 20) /* bytes of the documents that are copied, about */

AKIN_OPTIONS_END(akin_duplicates_plan, seconds_survivors);

static const char what[] = "a plan for near-duplicates"; /* the memory is for */

/* Documents from all over the corpus. */
typedef struct sample {
    akin_account *account;
    uint64_t *offsets;
    char *bytes;
    uint32_t count;
    uint64_t longest; /* the bytes of the longest document of all */
} sample;

/* What comes of them, and of all documents: about. */
typedef struct foreseen {
    double scale;           /* all bytes / those of the sample */
    uint64_t tokens, index; /* of the sample, and the bytes of its index */
    uint64_t all_tokens;
} foreseen;

static uint64_t length_of(const akin_column *column, uint32_t row)
{
    return akin_column_has(column, row) ? column->offsets[row + UINT64_C(1)] - column->offsets[row] : 0;
}

static uint32_t row_at(uint32_t i, uint32_t count, uint32_t rows)
{
    return (uint32_t)((uint64_t)i * rows / count);
}

/* Copies documents at equal distances. */
static akin_status draw(const akin_column *column, uint32_t rows, uint64_t bytes, sample *s)
{
    const uint64_t all = column->offsets[rows] - column->offsets[0];
    uint64_t length = 0, at = 0;
    s->count = all <= bytes ? rows : (uint32_t)akin_max_u64(1, (uint64_t)((akin_u128)rows * bytes / all));
    for (uint32_t row = 0; row < rows; row++)
        s->longest = akin_max_u64(s->longest, length_of(column, row));
    for (uint32_t i = 0; i < s->count; i++)
        length += length_of(column, row_at(i, s->count, rows));
    s->offsets = akin_alloc(s->account, s->count + UINT64_C(1), sizeof *s->offsets);
    s->bytes = akin_alloc(s->account, length + 1, 1);
    if (!s->offsets || !s->bytes)
        return AKIN_E_NOMEM;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t row = row_at(i, s->count, rows);
        s->offsets[i] = at;
        memcpy(s->bytes + at, column->bytes + column->offsets[row], length_of(column, row));
        at += length_of(column, row);
    }
    s->offsets[s->count] = at;
    return AKIN_OK;
}

/* What an index of all documents of the sample takes. */
static void measure(const akin_near_options *options, const akin_duplicates *duplicates, uint32_t rows, foreseen *f)
{
    const akin_threshold turned = akin_threshold_turn(&options->threshold);
    for (uint32_t row = 0; row < rows; row++) {
        akin_duplicate own;
        akin_duplicates_row(duplicates, row, &own);
        const uint32_t size = own.sizes[0], prefix = akin_bag_prefix_length(&turned, size);
        f->tokens += size;
        f->index += prefix > 0 ? akin_kept_index_bytes(size, prefix) : 0;
    }
}

static uint64_t scaled(const foreseen *f, uint64_t number)
{
    return (uint64_t)((double)number * f->scale + 0.5);
}

/* The memory of the job, and how often it looks for kept documents. */
static void foresee_memory(const akin_scope *scope, const sample *s, const foreseen *f, uint32_t rows,
                           akin_duplicates_plan *out)
{
    akin_account account;
    akin_account_begin(&account, scope);
    const uint64_t most = account.limit ? akin_budget_left(&account, 0, AKIN_LEFT_FREQUENCIES) : UINT64_MAX;
    const uint64_t counters = akin_frequencies_bytes(f->all_tokens, most), index = scaled(f, f->index);
    const double each = (double)f->all_tokens / (double)akin_max_u64(out->bytes, 1);
    const uint64_t left = account.limit - akin_min_u64(account.limit, counters);
    const uint64_t batch = account.limit ? left / AKIN_LEFT_BATCH : (uint64_t)AKIN_NEAR_BATCH_BYTES * scope->threads;
    const uint64_t beside =
        akin_near_beside(scope->threads, rows, akin_min_u64(out->bytes, batch + s->longest), s->longest, each);
    out->memory = counters + index + beside;
    out->rounds = 1;
    if (!account.limit)
        return;
    const uint64_t share = akin_max_u64(1, (left - akin_min_u64(left, beside)) / AKIN_LEFT_WITHIN);
    /* each round decides a document at least */
    out->rounds = akin_max_u64(1, akin_min_u64(akin_ceil_div(index, share), rows));
    out->memory = akin_min_u64(out->memory, scope->memory);
    out->temporary = out->bytes;
}

/* Does the job with the sample. */
static akin_status try(const akin_scope *scope, const sample *s, const akin_near_options *options, foreseen *f,
                       akin_duplicates_plan *out, akin_error *error)
{
    const akin_column column = {.size = sizeof column, .offsets = s->offsets, .bytes = s->bytes};
    akin_duplicates_options own = options->own;
    akin_duplicates_report report = {.size = sizeof report};
    akin_duplicates *duplicates = NULL;
    akin_scope here = *scope;
    here.memory = 0;
    here.device_choice = AKIN_DEVICE_CPU;
    own.keep = AKIN_KEEP_FIRST;
    own.comparing = AKIN_COMPARE_ALL;
    own.components = 0;
    own.ignore_frequent = 0;
    own.preference = own.ids = own.sources = NULL;
    own.table = own.files = NULL;
    own.text = &options->text;
    const akin_status status =
        akin_duplicates_find_within(&here, &column, s->count, &own, UINT64_MAX, &duplicates, error);
    if (status == AKIN_E_INPUT)
        return akin_fail(error, status, "a document is not UTF-8");
    if (status != AKIN_OK)
        return status;
    (void)akin_duplicates_describe(duplicates, &report, NULL);
    measure(options, duplicates, s->count, f);
    out->seconds_frequency = report.seconds_frequency * f->scale;
    out->seconds_survivors = report.seconds_survivors * f->scale;
    akin_duplicates_free(duplicates);
    return AKIN_OK;
}

akin_status akin_duplicates_plan_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_options *options, uint64_t bytes,
                                        akin_duplicates_plan *out, akin_error *error)
{
    static const char type[] = "akin_duplicates_plan";
    akin_near_options own;
    akin_account account;
    sample s = {.account = &account};
    foreseen f = {.scale = 1};
    akin_scope narrow = *scope;
    akin_duplicates_plan made = {.size = sizeof made, .documents = rows};
    akin_scope unbound = *scope; /* the sample is small against the bound */
    unbound.memory = 0;
    akin_account_begin(&account, &unbound);
    narrow.threads = akin_scope_threads(scope);
    akin_status status = akin_options_check(out, sizeof *out, type, error);
    if (status == AKIN_OK)
        status = akin_near_options_read(scope, documents, rows, options, &own, error);
    if (status != AKIN_OK)
        return status;
    made.bytes = rows > 0 ? documents->offsets[rows] - documents->offsets[0] : 0;
    status = draw(documents, rows, bytes, &s) == AKIN_OK ? AKIN_OK : akin_fail_memory(error, what);
    if (status == AKIN_OK) {
        const uint64_t drawn = s.offsets[s.count];
        f.scale = s.count == rows || drawn == 0 ? 1 : (double)made.bytes / (double)drawn;
        status = try(&narrow, &s, &own, &f, &made, error);
    }
    akin_free(s.offsets);
    akin_free(s.bytes);
    if (status != AKIN_OK)
        return status;
    made.tokens = f.all_tokens = scaled(&f, f.tokens);
    foresee_memory(&narrow, &s, &f, rows, &made);
    made.readings = 2 + (own.own.ignore_frequent > 0);
    return akin_options_write(&made, sizeof made, out, type, error);
}

akin_status akin_duplicates_plan_make(akin_context *context, const akin_column *documents, uint32_t rows,
                                      const akin_duplicates_options *options, akin_duplicates_plan *out,
                                      akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    const uint64_t share = akin_budget(scope, AKIN_BUDGET_PLANNED);
    const uint64_t bytes = share > 0 ? akin_min_u64(SAMPLE, share) : SAMPLE;
    return akin_duplicates_plan_within(scope, documents, rows, options, bytes, out, error);
}
