/* Cuts records into parts that a GPU has room for, and compares part by part. */
#include "dedupe/gpu_parts.h"

#include "base/context.h"
#include "base/bits.h"
#include "dedupe/gpu_kernels.h"
#include "dedupe/selections.h"
#include "strings/alphabet.h"

#include <stdlib.h>
#include <string.h>

#define RECORDS_LEAST 64 /* of a part */
#define NOWHERE       UINT32_MAX

static const char what[] = "parts of the records";

/* The text of a part's column. */
typedef struct gathered {
    uint64_t *offsets;
    char *bytes;
} gathered;

/* The part at hand, and what it is made with. */
typedef struct part {
    akin_gpu_job *job; /* of all records */
    uint32_t most;     /* records of a part */
    uint32_t *ids;     /* of its records, rising; room for `most` */
    uint32_t count;
    uint32_t *local;      /* of each record of the job its number in the part, or NOWHERE */
    gathered *texts;      /* of both tables, of the columns that are compared */
    akin_column *columns; /* these texts */
    akin_selector selectors[AKIN_GPU_SELECTORS];
    akin_records records;
    uint64_t pairs, fresh; /* of the selection at hand */
} part;

/* ------------------------------------------------------------------------------------------------------------- room */

static int is_compared(const akin_gpu_job *job, uint32_t column)
{
    const akin_dedupe_options *o = job->options;
    for (uint32_t i = 0; i < o->attribute_count; i++)
        if (o->attributes[i].column == column)
            return 1;
    return 0;
}

/* Whether the GPU needs a column of all records. */
static int is_needed(const akin_gpu_job *job, uint32_t column)
{
    const akin_dedupe_options *o = job->options;
    for (uint32_t i = 0; i < o->selection_count; i++)
        if (akin_gpu_sorts(&o->selections[i]) && o->selections[i].parts[0].column == column)
            return 1;
    return is_compared(job, column);
}

/* The device memory that a record takes, about: shapes, and symbols of two bytes; one column as it comes; sorting. */
static double bytes_of_record(const akin_gpu_job *job)
{
    double sum = 12. * (job->options->selection_count + 1), largest = 0;
    int meets_all = 0;
    for (uint32_t i = 0; i < job->options->selection_count; i++)
        meets_all |= akin_selection_row_of(job->options->selections[i].kind)->pairing->is_complete;
    for (uint32_t c = 0; c < job->columns; c++) {
        double bytes = 0;
        for (uint32_t side = 0; side < job->records->tables && is_needed(job, c); side++) {
            const akin_column *column = &job->records->columns[side][c];
            uint32_t rows = job->records->rows[side];
            bytes += rows ? (double)(column->offsets[rows] - column->offsets[0]) : 0;
        }
        bytes /= job->records->count;
        sum += is_needed(job, c) ? (double)sizeof(akin_gpu_shape) + 2 * bytes : 0;
        largest = bytes > largest ? bytes : largest;
    }
    return sum + largest + 24 + (meets_all ? 36 : 0);
}

int akin_gpu_fits(const akin_gpu_job *job)
{
    return akin_wishes_of(job->scope)->part_tokens == 0 && /* a wish of tests: the records of a part */
           bytes_of_record(job) * job->records->count <= 0.75 * (double)akin_device_room(job->device);
}

/* ---------------------------------------------------------------------------------------------------------- records */

static int is_before(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Adds a record of the job, unless it is there. 0: the part is full. */
static int add_record(part *p, uint32_t record)
{
    if (p->local[record] != NOWHERE)
        return 1;
    if (p->count == p->most)
        return 0;
    p->local[record] = 0;
    p->ids[p->count++] = record;
    return 1;
}

/* Numbers the part's records. */
static void number_records(part *p)
{
    const akin_records *all = p->job->records;
    qsort(p->ids, p->count, sizeof *p->ids, is_before);
    p->records = (akin_records){.tables = all->tables, .count = p->count};
    for (uint32_t i = 0; i < p->count; i++) {
        p->local[p->ids[i]] = i;
        p->records.rows[all->tables == 2 && p->ids[i] >= all->rows[0]]++;
    }
}

/* Copies a column of some records, those of the part from `first` on. */
static akin_status gather_column(const part *p, uint32_t number, uint32_t first, uint32_t rows, gathered *out,
                                 akin_error *error)
{
    const akin_records *all = p->job->records;
    akin_account *account = p->job->account;
    uint64_t bytes = 0;
    out->offsets = akin_alloc(account, rows + (uint64_t)1, sizeof *out->offsets);
    for (int copying = 0; copying < 2 && out->offsets; copying++) {
        out->bytes = copying ? akin_alloc(account, bytes, 1) : NULL;
        bytes = 0;
        for (uint32_t i = 0; i < rows && (out->bytes || !copying); i++) {
            uint32_t record = p->ids[first + i], right = all->tables == 2 && record >= all->rows[0];
            const akin_column *from = &all->columns[right][number];
            uint32_t row = right ? record - all->rows[0] : record;
            uint64_t length =
                akin_column_has_text(from, row) ? from->offsets[row + (uint64_t)1] - from->offsets[row] : 0;
            out->offsets[i] = bytes;
            if (copying && length)
                memcpy(out->bytes + bytes, from->bytes + from->offsets[row], length);
            bytes += length;
        }
        out->offsets[rows] = bytes;
    }
    return out->bytes ? AKIN_OK : akin_fail_memory(error, what);
}

static akin_status gather_part(part *p, akin_error *error)
{
    uint32_t columns = p->job->columns;
    akin_status status = AKIN_OK;
    for (uint32_t side = 0; side < p->records.tables; side++) {
        uint64_t at = side * (uint64_t)columns;
        p->records.columns[side] = p->columns + at;
        for (uint32_t c = 0; c < columns && status == AKIN_OK; c++, at++) {
            if (!is_compared(p->job, c))
                continue;
            status = gather_column(p, c, side ? p->records.rows[0] : 0, p->records.rows[side], &p->texts[at], error);
            p->columns[at] =
                (akin_column){.size = sizeof *p->columns, .offsets = p->texts[at].offsets, .bytes = p->texts[at].bytes};
        }
    }
    return status;
}

/* Forgets the part's records. */
static void empty(part *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        p->local[p->ids[i]] = NOWHERE;
    for (uint64_t c = 0; c < 2 * (uint64_t)p->job->columns; c++) {
        akin_free(p->texts[c].offsets);
        akin_free(p->texts[c].bytes);
        p->texts[c] = (gathered){0};
    }
    for (uint32_t i = 0; i < AKIN_GPU_SELECTORS; i++)
        akin_selector_clear(&p->selectors[i]);
    p->count = 0;
}

/* -------------------------------------------------------------------------------------------------------- selectors */

/* The lists of a selector by similarity, of pairs within the part. */
static akin_status gather_lists(part *p, const akin_selector *all, akin_selector *out, akin_error *error)
{
    akin_account *account = p->job->account;
    uint64_t found = 0;
    out->starts = akin_alloc(account, p->count + (uint64_t)1, sizeof *out->starts);
    for (int copying = 0; copying < 2 && out->starts; copying++) {
        out->order = copying ? akin_alloc(account, found, sizeof *out->order) : NULL;
        found = 0;
        for (uint32_t i = 0; i < p->count && (out->order || !copying); i++) {
            out->starts[i] = found;
            for (uint64_t k = all->starts[p->ids[i]]; k < all->starts[p->ids[i] + (uint64_t)1]; k++) {
                uint32_t other = p->local[all->order[k]];
                if (other != NOWHERE && copying)
                    out->order[found] = other;
                found += other != NOWHERE;
            }
        }
        out->starts[p->count] = found;
    }
    return out->order ? AKIN_OK : akin_fail_memory(error, what);
}

/* The selector of the part for selection `at`, still without arrays. */
static akin_selector *begin_selector(part *p, uint32_t at)
{
    p->selectors[at] = akin_selector_begin(&p->job->options->selections[at], &p->records);
    return &p->selectors[at];
}

/* By what it is known that an earlier selection has a pair of the part. */
static akin_status gather_earlier(part *p, uint32_t at, akin_error *error)
{
    const akin_selector *all = &p->job->selectors[at];
    akin_selector *out = begin_selector(p, at);
    if (out->pairing->is_complete)
        return AKIN_OK;
    if (out->pairing->has_lists)
        return gather_lists(p, all, out, error);
    out->places = akin_alloc(p->job->account, p->count, sizeof *out->places);
    for (uint32_t i = 0; out->places && i < p->count; i++)
        out->places[i] = all->places[p->ids[i]];
    return out->places ? AKIN_OK : akin_fail_memory(error, what);
}

/* The order of the part's records in a window or in blocks, which is that of places first to end - 1. */
static akin_status gather_order(part *p, uint32_t at, uint64_t first, uint64_t end, akin_error *error)
{
    const akin_selector *all = &p->job->selectors[at];
    akin_selector *out = begin_selector(p, at);
    uint32_t *order = akin_alloc(p->job->account, end - first, sizeof *order);
    out->count = (uint32_t)(end - first);
    out->order = order;
    for (uint64_t i = first; order && i < end; i++)
        order[i - first] = p->local[all->order[i]];
    return order ? AKIN_OK : akin_fail_memory(error, what);
}

/* The same, and the blocks in that order. */
static akin_status gather_blocks(part *p, uint32_t at, uint64_t first, uint64_t end, akin_error *error)
{
    const akin_selector *all = &p->job->selectors[at];
    akin_selector *out = &p->selectors[at];
    uint32_t low = all->places[all->order[first]], high = all->places[all->order[end - 1]];
    akin_status status = gather_order(p, at, first, end, error);
    if (status != AKIN_OK)
        return status;
    out->count = high - low + 1;
    out->starts = akin_alloc(p->job->account, out->count + (uint64_t)1, sizeof *out->starts);
    out->places = akin_alloc(p->job->account, p->count, sizeof *out->places);
    if (!out->starts || !out->places)
        return akin_fail_memory(error, what);
    for (uint32_t block = 0; block <= out->count; block++)
        out->starts[block] = all->starts[low + block] - first;
    for (uint32_t i = 0; i < p->count; i++)
        out->places[i] = all->places[p->ids[i]] - low;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ parts */

/* Gives pairs that were found in the part the rows of the whole tables. */
static void number_found(const part *p, uint64_t first)
{
    const akin_records *all = p->job->records;
    uint32_t border = p->records.tables == 2 ? p->records.rows[0] : 0, away = all->tables == 2 ? all->rows[0] : 0;
    for (uint64_t i = first; i < p->job->found->count; i++) {
        akin_scored_pair *pair = &p->job->found->pairs[i];
        pair->left = p->ids[pair->left];
        pair->right = p->ids[pair->right + border] - away;
    }
}

/* Compares the pairs of the part that selection `at` has, of the first `lists` places. */
static akin_status compare_lists(part *p, uint32_t at, uint32_t lists, akin_error *error)
{
    akin_gpu_job *all = p->job;
    akin_selected selected[AKIN_GPU_SELECTORS] = {{0}};
    akin_dedupe_options options = *all->options;
    uint64_t before = all->found->count;
    akin_status status = AKIN_OK;
    options.selected = selected;
    options.selection_count = at + 1;
    for (uint32_t i = 0; i < at && status == AKIN_OK; i++)
        status = gather_earlier(p, i, error);
    if (status == AKIN_OK)
        status = gather_part(p, error);
    akin_gpu_job own = *all;
    own.options = &options;
    own.records = &p->records;
    own.selectors = p->selectors;
    own.given = 1;
    own.first = at;
    own.lists = lists;
    own.selected = 0;
    int none = p->records.tables == 2 && (p->records.rows[0] == 0 || p->records.rows[1] == 0);
    if (status == AKIN_OK && !none)
        status = akin_gpu_compare(&own, error);
    all->unfit = own.unfit;
    if (status == AKIN_OK)
        number_found(p, before);
    p->pairs += selected[at].pairs;
    p->fresh += selected[at].fresh;
    all->figures = own.figures;
    all->seconds_values = own.seconds_values;
    all->seconds_select = own.seconds_select;
    empty(p);
    return status;
}

static akin_status fail_small(const part *p, uint32_t at, akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_DEVICE_MEMORY,
                          "the memory of the GPU has no room for the records of a %s",
                          akin_selection_row_of(p->job->options->selections[at].kind)->choice.name);
}

/* Windows overlap by window - 1. */
static akin_status compare_windows(part *p, uint32_t at, akin_error *error)
{
    const akin_selector *s = &p->job->selectors[at];
    uint64_t count = p->job->records->count, overlap = akin_min_u64(s->window, count) - 1;
    akin_status status = AKIN_OK;
    for (uint64_t first = 0, next; first < count && status == AKIN_OK; first = next) {
        uint64_t end = akin_min_u64(first + p->most, count);
        next = end == count ? count : end > first + overlap ? end - overlap : first;
        if (next == first)
            return fail_small(p, at, error);
        for (uint64_t i = first; i < end; i++)
            add_record(p, s->order[i]);
        number_records(p);
        status = gather_order(p, at, first, end, error);
        if (status == AKIN_OK)
            status = compare_lists(p, at, (uint32_t)(next - first), error);
        else
            empty(p);
    }
    return status;
}

static akin_status compare_blocks(part *p, uint32_t at, akin_error *error)
{
    const akin_selector *s = &p->job->selectors[at];
    akin_status status = AKIN_OK;
    for (uint32_t block = 0, next; block < s->count && status == AKIN_OK; block = next) {
        uint64_t first = s->starts[block];
        for (next = block; next < s->count && s->starts[next + 1] - first <= p->most; next++)
            ;
        uint64_t end = s->starts[next];
        if (next == block)
            return fail_small(p, at, error);
        if (end == first) /* all of them are too large to be compared */
            continue;
        for (uint64_t i = first; i < end; i++)
            add_record(p, s->order[i]);
        number_records(p);
        status = gather_blocks(p, at, first, end, error);
        if (status == AKIN_OK)
            status = compare_lists(p, at, (uint32_t)(end - first), error);
        else
            empty(p);
    }
    return status;
}

/* The lists of the records that were added, each whole or a part of it: of record `from` those from `begin` on, and of
 * `to` those up to `end`. */
typedef struct cursor {
    uint32_t record;
    uint64_t at;
} cursor;

/* Adds records and their partners from the cursor on, and moves it behind them. */
static void add_lists(part *p, const akin_selector *s, cursor *c)
{
    while (c->record < s->count) {
        uint64_t end = s->starts[c->record + (uint64_t)1];
        if (c->at < end && (p->count + 2 > p->most || !add_record(p, c->record)))
            return;
        while (c->at < end && add_record(p, s->order[c->at]))
            c->at++;
        if (c->at < end)
            return;
        c->record++;
    }
}

/* The lists between two cursors, of the part. */
static akin_status list_between(part *p, uint32_t at, cursor from, cursor to, akin_error *error)
{
    const akin_selector *s = &p->job->selectors[at];
    akin_selector *out = begin_selector(p, at);
    uint64_t found = 0;
    out->starts = akin_alloc(p->job->account, p->count + (uint64_t)1, sizeof *out->starts);
    out->order = akin_alloc(p->job->account, to.at - from.at, sizeof *out->order);
    if (!out->starts || !out->order)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t begin = s->starts[p->ids[i]], end = s->starts[p->ids[i] + (uint64_t)1];
        out->starts[i] = found;
        for (uint64_t k = akin_max_u64(begin, from.at); k < akin_min_u64(end, to.at); k++)
            out->order[found++] = p->local[s->order[k]];
    }
    out->starts[p->count] = found;
    return AKIN_OK;
}

static akin_status compare_similar(part *p, uint32_t at, akin_error *error)
{
    const akin_selector *s = &p->job->selectors[at];
    cursor from = {0, 0}, to = {0, 0};
    akin_status status = AKIN_OK;
    while (to.record < s->count && status == AKIN_OK) {
        from = to;
        add_lists(p, s, &to);
        if (p->count == 0)
            break;
        number_records(p);
        status = list_between(p, at, from, to, error);
        if (status == AKIN_OK)
            status = compare_lists(p, at, p->count, error);
        else
            empty(p);
    }
    return status;
}

/* All pairs of two ranges of records, or of one, given twice. */
static akin_status compare_ranges(part *p, uint32_t at, uint64_t a, uint64_t a_end, uint64_t b, uint64_t b_end,
                                  akin_error *error)
{
    for (uint64_t i = a; i < a_end; i++)
        add_record(p, (uint32_t)i);
    for (uint64_t i = b; i < b_end; i++)
        add_record(p, (uint32_t)i);
    number_records(p);
    if (a != b) /* pairs within a range are those of another part */
        p->records =
            (akin_records){.tables = 2, .rows = {(uint32_t)(a_end - a), (uint32_t)(b_end - b)}, .count = p->count};
    begin_selector(p, at);
    return compare_lists(p, at, p->count, error);
}

static akin_status compare_all(part *p, uint32_t at, akin_error *error)
{
    const akin_records *all = p->job->records;
    int two = all->tables == 2;
    uint64_t half = p->most / 2, left = two ? all->rows[0] : all->count, right = all->count;
    akin_status status = AKIN_OK;
    for (uint64_t a = 0; a < left && status == AKIN_OK; a += half)
        for (uint64_t b = two ? left : a; b < right && status == AKIN_OK; b += half)
            status = compare_ranges(p, at, a, akin_min_u64(a + half, left), b, akin_min_u64(b + half, right), error);
    return status;
}

/* The pairs of a selection, by the form of its selector. */
static akin_status compare_selection(part *p, uint32_t at, akin_error *error)
{
    static akin_status (*const compare_form[])(part *, uint32_t,
                                               akin_error *) = {[AKIN_PAIRS_ALL] = compare_all,
                                                                [AKIN_PAIRS_NEAR] = compare_windows,
                                                                [AKIN_PAIRS_SAME] = compare_blocks,
                                                                [AKIN_PAIRS_LISTED] = compare_similar};
    return compare_form[p->job->selectors[at].form](p, at, error);
}

/* The same; if the GPU has no room for a part after all, once more with parts of half as many records. */
static akin_status compare_selection_cut(part *p, uint32_t at, akin_error *error)
{
    const uint64_t found = p->job->found->count;
    const akin_gpu_figures before = p->job->figures;
    akin_status status = compare_selection(p, at, error);
    while (status == AKIN_E_NOMEM && p->most / 2 >= RECORDS_LEAST) {
        p->most /= 2;
        p->job->found->count = found;
        p->job->figures = before;
        p->pairs = p->fresh = 0;
        status = compare_selection(p, at, error);
    }
    return status;
}

static akin_status compare_selections(part *p, akin_error *error)
{
    akin_gpu_job *job = p->job;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < job->records->count; i++)
        p->local[i] = NOWHERE;
    for (uint32_t at = 0; at < job->options->selection_count && status == AKIN_OK; at++) {
        const akin_selector *s = &job->selectors[at];
        p->pairs = p->fresh = 0;
        status = compare_selection_cut(p, at, error);
        if (s->pairing->is_complete) { /* by drivers, fresh ones are not counted */
            p->pairs = akin_records_pairs(job->records);
            p->fresh = p->pairs - job->selected;
        }
        job->selected += p->fresh;
        akin_selected selected = s->known;
        selected.pairs = p->pairs;
        selected.fresh = p->fresh;
        if (job->options->selected)
            job->options->selected[at] = selected;
    }
    return status;
}

akin_status akin_gpu_compare_parts(akin_gpu_job *job, akin_error *error)
{
    part p = {.job = job};
    uint64_t records = job->records->count, wished = akin_wishes_of(job->scope)->part_tokens,
             columns = 2 * (uint64_t)job->columns;
    double fit = 0.5 * (double)akin_device_room(job->device) / bytes_of_record(job);
    uint64_t most = wished ? wished : fit < (double)records ? (uint64_t)fit : records;
    p.most = (uint32_t)akin_max_u64(wished ? 4 : RECORDS_LEAST, most);
    p.ids = akin_alloc(job->account, p.most, sizeof *p.ids);
    p.local = akin_alloc(job->account, records, sizeof *p.local);
    p.texts = akin_alloc_zero(job->account, columns, sizeof *p.texts);
    p.columns = akin_alloc_zero(job->account, columns, sizeof *p.columns);
    akin_status status = AKIN_E_NOMEM;
    if (p.ids && p.local && p.texts && p.columns)
        status = compare_selections(&p, error);
    else
        akin_fail_memory(error, what);
    akin_free(p.ids);
    akin_free(p.local);
    akin_free(p.texts);
    akin_free(p.columns);
    return status;
}
