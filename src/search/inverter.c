/* Inverts objects on a device: what is put into its stream, and the memory that this takes. */
#include "search/inverter.h"

#include "base/bits.h"
#include "device/primitives.h"

/* A posting takes its keyword and its object, twice, and a flag; and if it is a segment of its own, an offset, a mark,
 * a place among bitmaps, the segment and the cell; two bytes are left, and the rest for what a sort works in. */
#define POSTING_BYTES (16 + 1 + 8 + 1 + 4 + 8 + 2 + 2)
#define SPARE         ((uint64_t)64 << 20)

enum { SEGMENTS, BITMAPS, WRONG, NUMBERS }; /* the results of kernels: of 64 bits, except for the last one */

static const char what[] = "a search index on a GPU"; /* the memory is for */

akin_status akin_inverter_begin(akin_inverter *inverter, const akin_scope *scope, akin_device *device,
                                akin_error *error)
{
    *inverter = (akin_inverter){.scope = scope, .device = device};
    akin_status status = akin_device_stream_create(device, &inverter->stream, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(device, &inverter->buffers[AKIN_INVERTER_NUMBERS], NUMBERS, sizeof(uint64_t), what,
                                     error);
    return status;
}

void akin_inverter_clear(akin_inverter *inverter)
{
    if (!inverter->device)
        return;
    akin_device_stream_free(inverter->stream);
    for (int i = 0; i < AKIN_INVERTER_BUFFERS; i++)
        akin_device_release(inverter->device, &inverter->buffers[i]);
    *inverter = (akin_inverter){0};
}

uint64_t akin_inverter_room(uint64_t bytes, uint64_t keywords)
{
    const uint64_t others = SPARE + (keywords + 1) * sizeof(akin_keyword);
    return bytes > others ? akin_min_u64((bytes - others) / POSTING_BYTES, AKIN_DEVICE_ITEMS) : 0;
}

static akin_status reserve_inverter(akin_inverter *inverter, int buffer, uint64_t count, size_t size, akin_error *error)
{
    return akin_device_reserve(inverter->device, &inverter->buffers[buffer], akin_max_u64(count, 1), size, what, error);
}

static uint64_t *inverted_number(const akin_inverter *inverter, int which)
{
    return (uint64_t *)inverter->buffers[AKIN_INVERTER_NUMBERS].data + which;
}

uint32_t *akin_inverter_wrong(const akin_inverter *inverter)
{
    return (uint32_t *)inverted_number(inverter, WRONG);
}

akin_status akin_inverter_reserve(akin_inverter *inverter, uint64_t postings, uint32_t keywords, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int i = AKIN_INVERTER_KEYWORDS; i <= AKIN_INVERTER_OBJECTS_TWIN && status == AKIN_OK; i++)
        status = reserve_inverter(inverter, i, postings, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = reserve_inverter(inverter, AKIN_INVERTER_FLAGS, postings, 1, error);
    if (status == AKIN_OK)
        status = reserve_inverter(inverter, AKIN_INVERTER_LISTS, (uint64_t)keywords + 1, sizeof(akin_keyword), error);
    if (status == AKIN_OK)
        status = akin_device_fill(inverter->stream, inverter->buffers[AKIN_INVERTER_NUMBERS].data, 0,
                                  NUMBERS * sizeof(uint64_t), error);
    inverter->postings = (akin_gpu_postings){.keywords = inverter->buffers[AKIN_INVERTER_KEYWORDS].data,
                                             .objects = inverter->buffers[AKIN_INVERTER_OBJECTS].data,
                                             .count = postings,
                                             .none = keywords};
    inverter->made = (akin_gpu_inverted){.flags = inverter->buffers[AKIN_INVERTER_FLAGS].data,
                                         .lists = inverter->buffers[AKIN_INVERTER_LISTS].data};
    inverter->cells = 0;
    return status;
}

/* Brings numbers that kernels have written. All earlier work of the stream is done then. */
static akin_status bring_numbers(akin_inverter *inverter, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    akin_status status = akin_device_download(inverter->stream, to, from, bytes, error);
    if (status == AKIN_OK && akin_scope_report(inverter->scope, NULL, 0, 0) != AKIN_OK)
        return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    return status;
}

/* Sorts the postings, and finds where segments begin: in the twin of the keywords. */
static akin_status find_segments(akin_inverter *inverter, uint32_t *wrong, akin_error *error)
{
    akin_gpu_postings *p = &inverter->postings;
    akin_gpu_inverted *made = &inverter->made;
    uint32_t *keywords = inverter->buffers[AKIN_INVERTER_KEYWORDS_TWIN].data;
    uint32_t *objects = inverter->buffers[AKIN_INVERTER_OBJECTS_TWIN].data;
    uint64_t numbers[NUMBERS];
    const uint32_t bits = p->none ? 32 - (uint32_t)__builtin_clz(p->none) : 0;
    akin_status status = akin_device_sort_pairs32(inverter->stream, &p->keywords, &keywords, &p->objects, &objects,
                                                  p->count, bits, error);
    made->starts = keywords;
    made->sizes = objects;
    if (status == AKIN_OK)
        status = akin_kernels(inverter->stream)->invert->flag(inverter->stream, p, made->flags, error);
    if (status == AKIN_OK)
        status = akin_device_select_positions(inverter->stream, made->flags, p->count, made->starts,
                                              inverted_number(inverter, SEGMENTS), error);
    if (status == AKIN_OK)
        status = bring_numbers(inverter, numbers, inverted_number(inverter, 0), sizeof numbers, error);
    if (status != AKIN_OK)
        return status;
    made->count = numbers[SEGMENTS];
    *wrong = (uint32_t)numbers[WRONG];
    return AKIN_OK;
}

/* Finds how long segments are, which are bitmaps, and where the list of each keyword begins. */
static akin_status measure_keyword_segments(akin_inverter *inverter, akin_error *error)
{
    const akin_gpu_postings *p = &inverter->postings;
    akin_gpu_inverted *made = &inverter->made;
    akin_keyword end = {0, 0};
    uint64_t bitmaps = 0;
    akin_status status =
        reserve_inverter(inverter, AKIN_INVERTER_OFFSETS, made->count + 1, sizeof *made->offsets, error);
    if (status == AKIN_OK)
        status = reserve_inverter(inverter, AKIN_INVERTER_IS_BITS, made->count, 1, error);
    if (status == AKIN_OK)
        status = reserve_inverter(inverter, AKIN_INVERTER_BITMAPS, made->count, sizeof *made->bitmaps, error);
    if (status != AKIN_OK)
        return status;
    made->offsets = inverter->buffers[AKIN_INVERTER_OFFSETS].data;
    made->is_bits = inverter->buffers[AKIN_INVERTER_IS_BITS].data;
    made->bitmaps = inverter->buffers[AKIN_INVERTER_BITMAPS].data;
    status = akin_kernels(inverter->stream)->invert->measure(inverter->stream, p, made, error);
    if (status == AKIN_OK)
        status = akin_device_scan64(inverter->stream, made->sizes, made->count, made->offsets, error);
    if (status == AKIN_OK)
        status = akin_device_select_positions(inverter->stream, made->is_bits, made->count, made->bitmaps,
                                              inverted_number(inverter, BITMAPS), error);
    if (status == AKIN_OK)
        status = akin_kernels(inverter->stream)->invert->lists(inverter->stream, p, made, error);
    if (status == AKIN_OK)
        status = bring_numbers(inverter, &bitmaps, inverted_number(inverter, BITMAPS), sizeof bitmaps, error);
    if (status == AKIN_OK)
        status = bring_numbers(inverter, &end, &made->lists[p->none], sizeof end, error);
    made->bitmap_count = bitmaps;
    made->kept = end.segment;
    inverter->cells = end.cell;
    return status;
}

static akin_status write_cells(akin_inverter *inverter, akin_error *error)
{
    const akin_gpu_postings *p = &inverter->postings;
    akin_gpu_inverted *made = &inverter->made;
    akin_status status = reserve_inverter(inverter, AKIN_INVERTER_SEGMENTS, made->kept, sizeof *made->segments, error);
    if (status == AKIN_OK)
        status = reserve_inverter(inverter, AKIN_INVERTER_CELLS, inverter->cells, sizeof *made->cells, error);
    made->segments = inverter->buffers[AKIN_INVERTER_SEGMENTS].data;
    made->cells = inverter->buffers[AKIN_INVERTER_CELLS].data;
    if (status == AKIN_OK)
        status = akin_kernels(inverter->stream)->invert->segments(inverter->stream, p, made, error);
    if (status == AKIN_OK)
        status = akin_kernels(inverter->stream)->invert->places(inverter->stream, p, made, error);
    if (status == AKIN_OK)
        status = akin_kernels(inverter->stream)->invert->bitmaps(inverter->stream, p, made, error);
    return status;
}

akin_status akin_inverter_run(akin_inverter *inverter, uint32_t *wrong, akin_error *error)
{
    akin_status status = find_segments(inverter, wrong, error);
    if (status == AKIN_OK && !*wrong)
        status = measure_keyword_segments(inverter, error);
    return status == AKIN_OK && !*wrong ? write_cells(inverter, error) : status;
}
