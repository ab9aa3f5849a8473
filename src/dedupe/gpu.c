/* Brings a job to a GPU: records, bounds, selections; then has the pairs of each selection compared. */
#include "dedupe/gpu.h"

#include "base/context.h"
#include "base/bits.h"
#include "base/clock.h"
#include "base/random.h"
#include "dedupe/gpu_groups.h"
#include "dedupe/gpu_pairs.h"
#include "dedupe/keys.h"
#include "dedupe/missing.h"
#include "dedupe/select_window.h"
#include "dedupe/selections.h"
#include "device/primitives.h"
#include "strings/bag_screen.h"
#include "strings/comparators.h"
#include "strings/comparer_values.h"

#include <string.h>

#define ROOM_MOST   ((uint64_t)16 << 20) /* candidates of a launch */
#define ROOM_LEAST  1024                 /* the pairs of two groups */
#define SCORED_MOST ((uint64_t)1 << 20)  /* that are scored at once */
#define SCORED_WORK (1e10)               /* and what their values may take: symbols compared with symbols */

_Static_assert(AKIN_BAG_WORDS == 4, "a shape has a bag");
_Static_assert(AKIN_GPU_PREFIXES == AKIN_PREFIXES, "limits have an entry for each prefix");

static const char what[] = "duplicates";
static const akin_ratio nothing = {0, 1}; /* the threshold of pairs that are gathered */

static akin_status refuse_on_gpu(const char *where, const char *name, akin_error *error)
{
    return akin_fail(error, AKIN_E_OPTION, "records cannot be compared on a GPU where %s%s; use the device cpu or auto",
                     where, name);
}

akin_status akin_gpu_check(const akin_dedupe_options *options, akin_error *error)
{
    if (options->attribute_count > AKIN_GPU_ATTRIBUTES)
        return refuse_on_gpu("there are more than 16 attributes", "", error);
    if (options->selection_count > AKIN_GPU_SELECTORS)
        return refuse_on_gpu("there are more than 16 selections", "", error);
    for (uint32_t i = 0; i < options->attribute_count; i++) {
        const akin_compare_options *compare = options->attributes[i].compare;
        const akin_comparator_row *row = compare ? akin_comparator_of(compare->comparator) : NULL;
        if (row && !(row->choice.capabilities & AKIN_ON_GPU))
            return refuse_on_gpu("a column is compared by ", akin_comparator_name(compare), error);
    }
    return AKIN_OK;
}

int akin_gpu_sorts(const akin_selection *selection)
{
    return akin_selection_row_of(selection->kind)->gpu == AKIN_GPU_SORTS &&
           akin_key_row_of(selection->parts[0].key)->gpu != AKIN_GPU_NO_KEY;
}

int akin_gpu_selects(const akin_selection *selection)
{
    return akin_selection_row_of(selection->kind)->gpu == AKIN_GPU_NEEDS_NONE || akin_gpu_sorts(selection);
}

static int selects(const akin_gpu_run *run, uint32_t at)
{
    return !run->job->given && akin_gpu_selects(&run->job->options->selections[at]);
}

static int sorts(const akin_gpu_run *run, uint32_t at)
{
    return !run->job->given && akin_gpu_sorts(&run->job->options->selections[at]);
}

/* Reserves memory for an array of the host's, and brings it there. */
static akin_status bring_array(akin_gpu_run *run, akin_device_buffer *buffer, const void *from, uint64_t count,
                               size_t size, akin_error *error)
{
    akin_status status = akin_device_reserve(run->job->device, buffer, count, size, what, error);
    return status == AKIN_OK ? akin_device_upload(run->records.stream, buffer->data, from, count * size, error)
                             : status;
}

/* ------------------------------------------------------------------------------------------------------- attributes */

/* Two values are the same if nothing of their bags differs. */
static int limit_exact(akin_scored *a, uint32_t longest, akin_account *account)
{
    a->longest = longest < AKIN_SCORED_LONGEST ? longest : AKIN_SCORED_LONGEST;
    uint64_t side = (uint64_t)a->longest + 1, count = side * side * AKIN_PREFIXES;
    a->limits = akin_alloc(account, count, sizeof *a->limits);
    for (uint64_t i = 0; a->limits && i < count; i++)
        a->limits[i] = i / AKIN_PREFIXES % side == i / AKIN_PREFIXES / side ? 0 : -1;
    return a->limits != NULL;
}

/* What bags may be apart, by lengths. */
static akin_status set_limits(akin_gpu_run *run, uint32_t at, const akin_gpu_loaded *c, akin_error *error)
{
    akin_scored *a = &run->scored[at];
    akin_gpu_attribute *there = &run->screen.scoring.attributes[at];
    uint8_t occurs[AKIN_SCORED_LONGEST + 1] = {0};
    int exact = a->row->form == AKIN_BY_BYTES && a->threshold.num > 0;
    if (!a->is_screened && !exact)
        return AKIN_OK;
    for (uint32_t length = 1; length <= AKIN_SCORED_LONGEST; length++)
        occurs[length] = c->lengths[0][length] || c->lengths[1][length];
    if (!(exact ? limit_exact(a, c->longest, run->job->account)
                : akin_scored_limit(a, occurs, c->longest, run->job->account)))
        return akin_fail_memory(error, "the bounds of similarities");
    uint64_t side = (uint64_t)a->longest + 1;
    there->longest = a->longest;
    there->by_prefix = a->by_prefix;
    akin_status status =
        bring_array(run, &run->limits[at], a->limits, side * side * AKIN_PREFIXES, sizeof *a->limits, error);
    there->limits = run->limits[at].data;
    return status;
}

/* Brings there what an attribute compares. */
static akin_status load_attribute(akin_gpu_run *run, uint32_t at, akin_error *error)
{
    const akin_dedupe_options *o = run->job->options;
    const int gathers = run->screen.scoring.gathers;
    akin_attribute given = o->attributes[at];
    akin_gpu_attribute *there = &run->screen.scoring.attributes[at];
    akin_scored *a = &run->scored[at];
    akin_device_buffer *numbers = &run->numbers[at];
    if (gathers)
        given.threshold = nothing;
    akin_status status = akin_scored_read(&given, a, error);
    if (status != AKIN_OK)
        return status;
    a->least = akin_scored_least(a, o->attribute_count, gathers ? nothing : o->threshold);
    *there = (akin_gpu_attribute){.form = a->row->form,
                                  .cutoff = akin_cutoff_of(a->row, &a->compare, a->least, AKIN_CUTOFF_NONE - 1),
                                  .least = akin_alike_of_ratio(a->least),
                                  .units = a->units,
                                  .weight = a->weight,
                                  .scale = akin_number_scale_of(a->row, &a->compare)};
    if (there->form == AKIN_BY_NUMBERS || there->form == AKIN_BY_DAYS) {
        status = akin_gpu_records_numbers(&run->records, given.column, there->form == AKIN_BY_DAYS, numbers, error);
        there->numbers = numbers->data;
        return status;
    }
    status = akin_gpu_records_need(&run->records, given.column, error);
    if (status != AKIN_OK)
        return status;
    const akin_gpu_loaded *c = &run->records.columns[given.column];
    there->shapes = c->column.shapes;
    there->symbols = c->column.symbols;
    there->width = c->column.width;
    if (there->form != AKIN_BY_CODES)
        return set_limits(run, at, c, error);
    status = akin_device_reserve(run->job->device, numbers, c->column.count, sizeof(uint32_t), what, error);
    there->codes = numbers->data;
    return status == AKIN_OK
               ? akin_kernels(run->records.stream)
                     ->dedupe_texts->keys(run->records.stream, &c->column, AKIN_GPU_CODE, numbers->data, NULL, error)
               : status;
}

/* Draws pairs of records, and sees how many of them each attribute lets pass. */
static akin_status draw_sample(akin_gpu_run *run, akin_error *error)
{
    akin_gpu_scoring *s = &run->screen.scoring;
    akin_device_buffer pairs = {0}, passed = {0};
    uint32_t *drawn = akin_alloc(run->job->account, 2 * AKIN_GPU_DRAWN, sizeof *drawn);
    akin_random random;
    if (!drawn)
        return akin_fail_memory(error, what);
    akin_random_seed(&random, 1);
    for (uint32_t i = 0; i < 2 * AKIN_GPU_DRAWN; i++)
        drawn[i] = (uint32_t)akin_random_below(&random, run->job->records->count);
    akin_status status = bring_array(run, &pairs, drawn, 2 * AKIN_GPU_DRAWN, sizeof *drawn, error);
    if (status == AKIN_OK)
        status = bring_array(run, &passed, run->passed, AKIN_GPU_ATTRIBUTES, sizeof *run->passed, error);
    if (status == AKIN_OK)
        status = akin_kernels(run->records.stream)
                     ->dedupe_screens->sample(run->records.stream, s, pairs.data, AKIN_GPU_DRAWN, passed.data, error);
    if (status == AKIN_OK)
        status = akin_device_download(run->records.stream, run->passed, passed.data, sizeof run->passed, error);
    akin_device_release(run->job->device, &pairs);
    akin_device_release(run->job->device, &passed);
    akin_free(drawn);
    return status;
}

/* Attributes are looked at in the order of the weight that they rule out. */
static void order_attributes(akin_gpu_run *run)
{
    akin_gpu_scoring *s = &run->screen.scoring;
    for (uint32_t i = 0; i < s->count; i++) {
        double gain = (AKIN_GPU_DRAWN - run->passed[i]) * s->attributes[i].weight;
        uint32_t at = i;
        for (; at > 0; at--) {
            uint32_t before = s->order[at - 1];
            if ((AKIN_GPU_DRAWN - run->passed[before]) * s->attributes[before].weight >= gain)
                break;
            s->order[at] = before;
        }
        s->order[at] = i;
    }
}

/* The comparisons of a job that learns. */
static void load_gathering(const akin_gathering *from, akin_gpu_gathering *to)
{
    to->count = from->count;
    if (from->count == 0)
        return;
    const akin_leveled *last = &from->comparisons[from->count - 1];
    memcpy(to->comparisons, from->comparisons, from->count * sizeof *to->comparisons);
    memcpy(to->members, from->members, (last->first + last->count) * sizeof *to->members);
    memcpy(to->cuts, akin_level_cuts, sizeof to->cuts);
}

static akin_status load_attributes(akin_gpu_run *run, akin_error *error)
{
    const akin_dedupe_options *o = run->job->options;
    akin_gpu_scoring *s = &run->screen.scoring;
    akin_status status = AKIN_OK;
    uint64_t units = 0;
    s->missing = (int)o->missing;
    s->gathers = o->weights == AKIN_WEIGHTS_LEARN;
    s->threshold = akin_billionths_of_ratio(s->gathers ? nothing : o->threshold);
    s->least = akin_ratio_value(s->gathers ? nothing : o->threshold) - AKIN_BOUND_SLACK;
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++) {
        status = load_attribute(run, i, error);
        s->weights += run->scored[i].weight;
        units += run->scored[i].units;
        s->count = i + 1;
    }
    s->evidence = akin_missing_skips(o->missing) && !s->gathers ? akin_evidence_of(o->evidence, units) : 0;
    load_gathering(run->job->gathering, &s->gathering);
    if (status == AKIN_OK)
        status = draw_sample(run, error);
    order_attributes(run);
    run->drivers = akin_gpu_drivers(run);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- selections */

/* What is known of a window whose records were sorted by these keys on the device. */
static akin_status count_window(akin_gpu_run *run, uint32_t at, const uint32_t *keys, akin_error *error)
{
    const akin_records *records = run->job->records;
    uint64_t count = records->count;
    uint32_t *sorted = akin_alloc(run->job->account, count, sizeof *sorted);
    uint32_t *order = records->tables == 2 ? akin_alloc(run->job->account, count, sizeof *order) : NULL;
    akin_status status = AKIN_OK;
    if (!sorted || (!order && records->tables == 2))
        status = akin_fail_memory(error, "the pairs to compare");
    if (status == AKIN_OK)
        status = akin_device_download(run->records.stream, sorted, keys, count * sizeof *sorted, error);
    if (status == AKIN_OK && order)
        status = akin_device_download(run->records.stream, order, run->order[at].data, count * sizeof *order, error);
    if (status == AKIN_OK)
        status = akin_window_count(run->job->scope, records, run->job->options->selections[at].window,
                                   &(akin_sorted_keys){.order = order, .sorted = sorted}, &run->known[at], error);
    akin_free(sorted);
    akin_free(order);
    return status;
}

/* Sorts records by the keys of a window, on the device. */
static akin_status make_window(akin_gpu_run *run, uint32_t at, akin_error *error)
{
    const akin_key_part *part = &run->job->options->selections[at].parts[0];
    const akin_gpu_column *column = &run->records.columns[part->column].column;
    akin_device *device = run->job->device;
    akin_device_stream *stream = run->records.stream;
    uint64_t count = run->job->records->count;
    akin_device_buffer buffers[3] = {{0}}; /* keys, their twin, a twin of the order */
    akin_status status = akin_device_reserve(device, &run->order[at], count, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &run->places[at], count, sizeof(uint32_t), what, error);
    for (uint32_t i = 0; i < 3 && status == AKIN_OK; i++)
        status = akin_device_reserve(device, &buffers[i], count, sizeof(uint32_t), what, error);
    uint32_t *keys = buffers[0].data, *twin = buffers[1].data, *order = run->order[at].data, *other = buffers[2].data;
    if (status == AKIN_OK)
        status = akin_kernels(stream)->dedupe_texts->keys(stream, column, akin_key_row_of(part->key)->gpu, keys, order,
                                                          error);
    if (status == AKIN_OK)
        status = akin_device_sort_pairs32(stream, &keys, &twin, &order, &other, count, 32, error);
    if (status == AKIN_OK && order != run->order[at].data)
        status = akin_device_copy(stream, run->order[at].data, order, count * sizeof *order, error);
    if (status == AKIN_OK)
        status = akin_kernels(stream)->dedupe_texts->invert(stream, run->order[at].data, (uint32_t)count,
                                                            run->places[at].data, error);
    if (status == AKIN_OK)
        status = count_window(run, at, keys, error);
    for (uint32_t i = 0; i < 3; i++)
        akin_device_release(device, &buffers[i]);
    return status;
}

/* Brings a selector of the CPU's there. */
static akin_status bring_selector(akin_gpu_run *run, uint32_t at, akin_error *error)
{
    const akin_selector *s = &run->job->selectors[at];
    uint64_t records = run->job->records->count, ordered = s->starts ? s->starts[s->count] : records;
    akin_status status = AKIN_OK;
    if (s->starts)
        status = bring_array(run, &run->starts[at], s->starts, (uint64_t)s->count + 1, sizeof *s->starts, error);
    if (status == AKIN_OK && s->order)
        status = bring_array(run, &run->order[at], s->order, ordered, sizeof *s->order, error);
    if (status == AKIN_OK && s->places)
        status = bring_array(run, &run->places[at], s->places, records, sizeof *s->places, error);
    return status;
}

static akin_status load_selections(akin_gpu_run *run, akin_error *error)
{
    const akin_dedupe_options *o = run->job->options;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < o->selection_count && status == AKIN_OK; i++) {
        const akin_selection *selection = &o->selections[i];
        if (!selects(run, i))
            status = bring_selector(run, i, error);
        else if (sorts(run, i))
            status = make_window(run, i, error);
        run->screen.selectors[i] = (akin_gpu_selector){
            .form = run->job->selectors[i].form,
            .window = selection->window,
            .count = run->job->records->count,
            .order = run->order[i].data,
            .places = run->places[i].data,
            .starts = run->starts[i].data,
        };
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- buffers */

/* How many candidates are scored at once: so few that it takes no longer than a launch may. */
static uint64_t scored_at_once(const akin_gpu_run *run)
{
    double work = 1;
    for (uint32_t i = 0; i < run->screen.scoring.count; i++) {
        double longest = run->records.columns[run->job->options->attributes[i].column].longest;
        work += longest * longest;
    }
    return akin_max_u64(ROOM_LEAST, akin_min_u64(SCORED_MOST, (uint64_t)(SCORED_WORK / work)));
}

static akin_status reserve_run(akin_gpu_run *run, akin_error *error)
{
    akin_gpu_launch *l = &run->launch;
    akin_device *device = run->job->device;
    uint64_t left = akin_device_room(device), wished = akin_wishes_of(run->job->scope)->candidates;
    const uint64_t kept = akin_gpu_kept(&run->screen.scoring), a_pair = sizeof(akin_scored_pair) + kept;
    l->room = wished ? wished : akin_min_u64(ROOM_MOST, left / 4 / sizeof(akin_gpu_candidate));
    l->room = akin_max_u64(l->room, ROOM_LEAST);
    l->scored = akin_min_u64(akin_min_u64(scored_at_once(run), l->room), akin_max_u64(ROOM_LEAST, left / 4 / a_pair));
    akin_status status =
        akin_device_reserve(device, &l->list, l->room, sizeof(akin_gpu_candidate), "the candidates", error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &l->tally, 1, sizeof(akin_gpu_told), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &l->pairs, l->scored, sizeof(akin_scored_pair), "the pairs found", error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &l->kept, l->scored, kept, "the pairs found", error);
    if (status == AKIN_OK)
        status = akin_pinned_reserve(device, &l->told, 1, sizeof(akin_gpu_told), what, error);
    run->screen.list = l->list.data;
    run->screen.room = l->room;
    run->screen.tally = l->tally.data;
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* Compares the pairs of a selection. */
static akin_status compare_selection(akin_gpu_run *run, akin_error *error)
{
    uint32_t at = run->screen.at;
    const akin_records *records = run->job->records;
    const akin_selector *selector = &run->job->selectors[at];
    akin_selected selected = selects(run, at) ? run->known[at] : selector->known;
    akin_status status;
    if (selector->pairing->is_complete && run->drivers) {
        selected.pairs = akin_records_pairs(records);
        selected.fresh = selected.pairs - run->job->selected;
        status = selected.fresh ? akin_gpu_meet_all(run, error) : AKIN_OK;
    } else {
        status = akin_gpu_list_pairs(run, &selected, error);
    }
    run->job->selected += selected.fresh;
    if (run->job->options->selected)
        run->job->options->selected[at] = selected;
    return status;
}

static akin_status load(akin_gpu_run *run, akin_error *error)
{
    akin_gpu_job *job = run->job;
    double start = akin_clock();
    akin_status status =
        akin_gpu_records_begin(job->scope, job->account, job->device, job->records, job->columns, &run->records, error);
    if (status == AKIN_OK)
        status = load_attributes(run, error);
    for (uint32_t i = 0; i < job->options->selection_count && status == AKIN_OK; i++)
        if (sorts(run, i))
            status = akin_gpu_records_need(&run->records, job->options->selections[i].parts[0].column, error);
    job->unfit = run->records.unfit;
    akin_gpu_records_ready(&run->records);
    job->seconds_values += akin_clock() - start;
    start = akin_clock();
    if (status == AKIN_OK)
        status = load_selections(run, error);
    if (status == AKIN_OK)
        status = reserve_run(run, error);
    job->seconds_select += akin_clock() - start;
    return status;
}

static void clear_run(akin_gpu_run *run)
{
    akin_device *device = run->job->device;
    for (uint32_t i = 0; i < AKIN_GPU_ATTRIBUTES; i++) {
        akin_device_release(device, &run->limits[i]);
        akin_device_release(device, &run->numbers[i]);
        akin_free(run->scored[i].limits);
    }
    for (uint32_t i = 0; i < AKIN_GPU_SELECTORS; i++) {
        akin_device_release(device, &run->order[i]);
        akin_device_release(device, &run->places[i]);
        akin_device_release(device, &run->starts[i]);
    }
    akin_device_release(device, &run->launch.list);
    akin_device_release(device, &run->launch.tally);
    akin_device_release(device, &run->launch.pairs);
    akin_device_release(device, &run->launch.kept);
    akin_pinned_release(device, &run->launch.told);
    akin_gpu_records_clear(&run->records);
}

akin_status akin_gpu_compare(akin_gpu_job *job, akin_error *error)
{
    akin_gpu_run *run = akin_alloc_zero(job->account, 1, sizeof *run);
    if (!run)
        return akin_fail_memory(error, what);
    run->job = job;
    run->screen.border = job->records->tables == 2 ? job->records->rows[0] : 0;
    akin_status status = job->records->count > 0 ? load(run, error) : AKIN_OK;
    for (uint32_t i = job->first; i < job->options->selection_count && status == AKIN_OK && job->records->count > 0;
         i++) {
        run->screen.at = i;
        status = compare_selection(run, error);
    }
    clear_run(run);
    akin_free(run);
    return status;
}
