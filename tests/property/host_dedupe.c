/*
 * A GPU that is made of host memory, for akin_dedupe (src/dedupe/gpu*.c): the linker puts these functions in the place of
 * those of the device and of the kernels. So what is brought there, how groups and launches are cut and what comes of their
 * lists run where there is no GPU, and under the sanitizers. What dedupe/gpu_kernels.h says of a kernel is done here in the
 * plainest way, with comparators as books have them; the kernels' own arithmetic is not shown by it.
 */
#include "property/host_dedupe.h"

#include "property/host_kernel.h"
#include "unit/test_ratio.h"
#include "unit/test_strings_support.h"

#include "base/bits.h"
#include "dedupe/gpu_kernels.h"
#include "strings/similarity.h"
#include "strings/soundex.h"
#include "text/utf8.h"

#include <math.h>
#include <string.h>

host_dedupe_state host_dedupe;

/* -------------------------------------------------------------------------------------------------------- texts */

/* The symbols of a row, as many as they are; none if it is missing. UINT32_MAX: they are none, or too many. */
static uint32_t decode(const akin_gpu_texts *texts, uint32_t row, uint32_t symbols[AKIN_GPU_LONGEST])
{
    const char *at = texts->bytes + (texts->offsets[row] - texts->offsets[0]);
    const char *end = texts->bytes + (texts->offsets[row + 1] - texts->offsets[0]);
    uint32_t count = 0;
    if (texts->validity && !(texts->validity[row / 8] >> row % 8 & 1))
        return 0;
    while (at < end) {
        size_t size;
        uint32_t point = akin_utf8_decode(at, (size_t)(end - at), &size);
        if (point == AKIN_NO_POINT || count == AKIN_GPU_LONGEST)
            return UINT32_MAX;
        symbols[count++] = point;
        at += size;
    }
    return count;
}

static akin_status gpu_measure(akin_device_stream *stream, const akin_gpu_texts *texts, uint32_t *lengths,
                               akin_gpu_survey *survey, akin_error *error)
{
    uint32_t symbols[AKIN_GPU_LONGEST];
    akin_status status = host_enter(error);
    for (uint32_t row = 0; row < texts->rows && status == AKIN_OK; row++) {
        uint32_t length = decode(texts, row, symbols);
        survey->unfit += length == UINT32_MAX;
        length = length == UINT32_MAX ? 0 : length;
        lengths[texts->first + row] = length;
        survey->lengths[length]++;
        survey->longest = length > survey->longest ? length : survey->longest;
        for (uint32_t i = 0; i < length; i++) {
            survey->point = symbols[i] > survey->point ? symbols[i] : survey->point;
            survey->bins[AKIN_GPU_BIN(symbols[i])] += row % 3 == 0;
        }
    }
    return status;
}

static uint32_t symbol_at(const void *symbols, uint32_t width, uint64_t at)
{
    return width == 1   ? ((const uint8_t *)symbols)[at]
           : width == 2 ? ((const uint16_t *)symbols)[at]
                        : ((const uint32_t *)symbols)[at];
}

static void put_symbol(const akin_gpu_column *column, uint64_t at, uint32_t symbol)
{
    must(column->width == 4 || symbol >> 8 * column->width == 0);
    if (column->width == 1)
        ((uint8_t *)column->symbols)[at] = (uint8_t)symbol;
    else if (column->width == 2)
        ((uint16_t *)column->symbols)[at] = (uint16_t)symbol;
    else
        ((uint32_t *)column->symbols)[at] = symbol;
}

/* So many of a kind, in unary, four bits a word: see strings/bag.h. */
static void put_count(uint64_t words[4], uint32_t kind, uint32_t count, int deep)
{
    must(kind < (deep ? 32 : 64));
    for (uint32_t i = 0; i < count && i < (deep ? 8 : 4); i++)
        words[kind / 16 + i / 4 * 2] |= (uint64_t)1 << (kind % 16 * 4 + i % 4);
}

static akin_gpu_shape shape_of(const uint32_t *symbols, uint32_t length, const uint8_t *kinds, int deep)
{
    akin_gpu_shape shape = {.length = length};
    uint32_t counts[256] = {0};
    for (uint32_t i = 0; i < length; i++)
        counts[kinds[AKIN_GPU_BIN(symbols[i])]]++;
    for (uint32_t kind = 0; kind < 256; kind++)
        if (counts[kind])
            put_count(shape.words, kind, counts[kind], deep);
    for (uint32_t i = 0; i < 4; i++)
        shape.head = shape.head << 8 | (i < length ? symbols[i] % 251 : 255);
    return shape;
}

static akin_status gpu_shape_texts(akin_device_stream *stream, const akin_gpu_texts *texts, const uint32_t *lengths,
                                   const uint64_t *starts, const uint8_t *kinds, int deep,
                                   const akin_gpu_column *column, akin_error *error)
{
    uint32_t symbols[AKIN_GPU_LONGEST] = {0};
    akin_status status = host_enter(error);
    for (uint32_t row = 0; row < texts->rows && status == AKIN_OK; row++) {
        uint32_t record = texts->first + row, length = decode(texts, row, symbols);
        must(length == lengths[record] && starts[record + 1] == starts[record] + length);
        column->shapes[record] = shape_of(symbols, length, kinds, deep);
        column->shapes[record].at = starts[record];
        for (uint32_t i = 0; i < length; i++)
            put_symbol(column, starts[record] + i, symbols[i]);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------------- keys */

/* The Soundex code as a number; 0: there is none. */
static uint32_t soundex_of(const akin_gpu_column *column, const akin_gpu_shape *shape)
{
    char text[AKIN_GPU_LONGEST], code[AKIN_SOUNDEX_CODE];
    for (uint32_t i = 0; i < shape->length; i++) {
        uint32_t symbol = symbol_at(column->symbols, column->width, shape->at + i);
        text[i] = (char)(symbol < 128 ? symbol : '-'); /* which is no letter either */
    }
    if (!akin_soundex(text, shape->length, code))
        return 0;
    return (uint32_t)code[0] << 24 | (uint32_t)code[1] << 16 | (uint32_t)code[2] << 8 | (uint32_t)code[3];
}

static uint32_t key_of(const akin_gpu_column *column, const akin_gpu_shape *shape, akin_gpu_key key)
{
    if (shape->length == 0)
        return 0;
    if (key == AKIN_GPU_SIMPLE)
        return 1000 * shape->length + symbol_at(column->symbols, column->width, shape->at);
    uint32_t code = soundex_of(column, shape);
    return code == 0 && key == AKIN_GPU_CODE ? 1 : code;
}

static akin_status gpu_keys(akin_device_stream *stream, const akin_gpu_column *column, akin_gpu_key key, uint32_t *keys,
                            uint32_t *order, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t record = 0; record < column->count && status == AKIN_OK; record++) {
        keys[record] = key_of(column, &column->shapes[record], key);
        if (order)
            order[record] = record;
    }
    return status;
}

static akin_status gpu_invert(akin_device_stream *stream, const uint32_t *order, uint32_t count, uint32_t *places,
                              akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        places[order[i]] = i;
    return status;
}

static akin_status gpu_lengths(akin_device_stream *stream, const akin_gpu_column *column, uint32_t first,
                               uint32_t count, uint32_t *lengths, uint32_t *order, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        lengths[i] = column->shapes[first + i].length;
        order[i] = first + i;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------ scoring */

static int is_missing(const akin_gpu_attribute *a, uint32_t record)
{
    return a->numbers ? isnan(a->numbers[record]) : a->codes ? a->codes[record] == 0 : a->shapes[record].length == 0;
}

static double similarity_of_numbers(const akin_gpu_attribute *a, double x, double y)
{
    double distance = fabs(x - y), scale = a->scale > 0 ? a->scale : fmax(fabs(x), fabs(y));
    return distance == 0 ? 1 : distance >= scale ? 0 : 1 - distance / scale;
}

/* As the comparator has it, whatever counts. */
static double similarity_of_symbols(const akin_gpu_attribute *a, uint32_t i, uint32_t j)
{
    uint32_t x[AKIN_GPU_LONGEST], y[AKIN_GPU_LONGEST], prefix = 0;
    uint32_t m = a->shapes[i].length, n = a->shapes[j].length;
    for (uint32_t k = 0; k < m; k++)
        x[k] = symbol_at(a->symbols, a->width, a->shapes[i].at + k);
    for (uint32_t k = 0; k < n; k++)
        y[k] = symbol_at(a->symbols, a->width, a->shapes[j].at + k);
    if (a->form == AKIN_BY_BYTES)
        return m == n && memcmp(x, y, m * sizeof *x) == 0;
    if (a->form == AKIN_BY_EDITS)
        return akin_edit_similarity(distance_by_matrix(x, m, y, n, a->cutoff.swaps), m, n);
    must(a->form == AKIN_BY_MATCHES);
    while (prefix < AKIN_WINKLER_PREFIX && prefix < m && prefix < n && x[prefix] == y[prefix])
        prefix++;
    return akin_jaro_similarity(jaro_by_windows(x, m, y, n), m, n, prefix, &a->cutoff.winkler);
}

/* Whether a similarity counts; values are short enough for doubles to tell (unit/test_ratio.h). */
static int counts(const akin_gpu_attribute *a, double similarity)
{
    must(a->least == (uint64_t)llround(value_of_ratio(a->cutoff.ratio) * 0x1p40));
    return value_reaches(similarity, a->cutoff.ratio);
}

/* NAN: it does not count. */
static double similarity_of(const akin_gpu_scoring *s, const akin_gpu_attribute *a, uint32_t i, uint32_t j)
{
    int both = is_missing(a, i) && is_missing(a, j);
    if (is_missing(a, i) || is_missing(a, j))
        return s->missing == AKIN_MISSING_SKIP ? NAN : s->missing == AKIN_MISSING_EQUAL && both;
    if (a->numbers)
        return similarity_of_numbers(a, a->numbers[i], a->numbers[j]);
    if (a->codes)
        return a->codes[i] == a->codes[j] && a->codes[i] != 1;
    return similarity_of_symbols(a, i, j);
}

/* Whether lengths and bags rule out that two values, neither of them missing, reach the threshold. */
static int are_apart(const akin_gpu_attribute *a, const akin_gpu_shape *x, const akin_gpu_shape *y)
{
    uint32_t prefix = 0, apart = 0;
    if (!a->limits || x->length > a->longest || y->length > a->longest)
        return 0;
    while (a->by_prefix && prefix < 4 && x->head >> (24 - 8 * prefix) == y->head >> (24 - 8 * prefix))
        prefix++;
    for (uint32_t w = 0; w < 4; w++)
        apart += akin_popcount64(x->words[w] ^ y->words[w]);
    return (int)apart > a->limits[(x->length * (a->longest + 1) + y->length) * 5 + prefix];
}

/* The similarity of a pair at most, as far as lengths and bags tell; NAN: it does not count. */
static double most_of(const akin_gpu_scoring *s, const akin_gpu_attribute *a, uint32_t i, uint32_t j)
{
    if (a->numbers || a->codes || is_missing(a, i) || is_missing(a, j))
        return similarity_of(s, a, i, j);
    return are_apart(a, &a->shapes[i], &a->shapes[j]) ? 0 : 1;
}

/* Whether an attribute does not rule out that its threshold is reached, or is left out of the sum. */
static int passes(const akin_gpu_scoring *s, uint32_t attribute, uint32_t i, uint32_t j)
{
    double most = most_of(s, &s->attributes[attribute], i, j);
    return isnan(most) || counts(&s->attributes[attribute], most);
}

/* Whether a pair may reach the threshold. */
static int may_reach(const akin_gpu_scoring *s, uint32_t i, uint32_t j)
{
    double sum = 0, weights = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        const akin_gpu_attribute *a = &s->attributes[s->order[k]];
        double most = most_of(s, a, i, j);
        weights += isnan(most) ? 0 : a->weight;
        sum += !isnan(most) && counts(a, most) ? a->weight * most : 0;
    }
    return weights > 0 && sum >= s->least * weights;
}

static akin_status gpu_sample(akin_device_stream *stream, const akin_gpu_scoring *scoring, const uint32_t *pairs,
                              uint32_t count, uint32_t passed[AKIN_GPU_ATTRIBUTES], akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i += 64) /* of 64 one is enough here */
        for (uint32_t k = 0; k < scoring->count; k++)
            passed[k] += 64 * (uint32_t)passes(scoring, k, pairs[2 * i], pairs[2 * i + 1]);
    return status;
}

/* Pairs are found from the last to the first. */
static akin_status gpu_score(akin_device_stream *stream, const akin_gpu_scoring *scoring,
                             const akin_gpu_candidate *candidates, uint64_t count, uint32_t border,
                             akin_scored_pair *pairs, double *each, akin_gpu_told *tally, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint64_t c = count; c-- > 0 && status == AKIN_OK;) {
        uint32_t a = candidates[c].a, b = candidates[c].b, left = a < b ? a : b, right = a < b ? b : a;
        double sum = 0, weights = 0, *own = each + tally->found * scoring->count;
        for (uint32_t k = 0; k < scoring->count; k++) {
            const akin_gpu_attribute *attribute = &scoring->attributes[k];
            double similarity = similarity_of(scoring, attribute, a, b);
            int is_counted = !isnan(similarity) && counts(attribute, similarity);
            weights += isnan(similarity) ? 0 : attribute->weight;
            sum += is_counted ? attribute->weight * similarity : 0;
            own[k] = isnan(similarity) || is_counted ? similarity : 0;
            tally->compared++;
        }
        const akin_ratio threshold = {scoring->count == 1 ? 0 : scoring->threshold, AKIN_BILLION};
        if (weights > 0 && sum > 0 && average_reaches(sum / weights, scoring->count, threshold))
            pairs[tally->found++] = (akin_scored_pair){left, right - border, sum / weights};
        host_dedupe.scored++;
    }
    host_dedupe.scores++;
    return status;
}

/* --------------------------------------------------------------------------------------------------- selections */

static int has(const akin_gpu_selector *s, uint32_t a, uint32_t b)
{
    uint32_t lower = a < b ? a : b, higher = a < b ? b : a, found = 0;
    if (s->form == AKIN_PAIRS_ALL)
        return 1;
    if (s->form == AKIN_PAIRS_SAME)
        return s->places[a] == s->places[b] && s->places[a] != UINT32_MAX;
    if (s->form == AKIN_PAIRS_NEAR)
        return labs((long)s->places[a] - (long)s->places[b]) < (long)s->window;
    for (uint64_t i = s->starts[lower]; i < s->starts[lower + 1]; i++) {
        must(i == s->starts[lower] || s->order[i - 1] < s->order[i]); /* so that one can be looked up */
        found += s->order[i] == higher;
    }
    return (int)found;
}

static int is_known(const akin_gpu_screen *screen, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < screen->at; i++)
        if (has(&screen->selectors[i], a, b))
            return 1;
    return 0;
}

static void list(const akin_gpu_screen *screen, uint32_t a, uint32_t b)
{
    unsigned long long to = screen->tally->candidates++;
    if (to < screen->room)
        screen->list[to] = (akin_gpu_candidate){a, b};
    host_dedupe.listed++;
}

/* The record at a place of a selector; *begin and *end: where its partners are, in `order` or as they are. */
static uint32_t record_at(const akin_gpu_screen *screen, uint32_t at, uint64_t *begin, uint64_t *end)
{
    const akin_gpu_selector *s = &screen->selectors[screen->at];
    *begin = at + (uint64_t)1;
    *end = s->count;
    switch (s->form) {
    case AKIN_PAIRS_NEAR:
        *end = (uint64_t)at + s->window < s->count ? (uint64_t)at + s->window : s->count;
        return s->order[at];
    case AKIN_PAIRS_SAME:
        *end = s->starts[s->places[s->order[at]] + 1];
        return s->order[at];
    case AKIN_PAIRS_LISTED:
        *begin = s->starts[at];
        *end = s->starts[at + 1];
        return at;
    default:
        if (screen->border > 0)
            *begin = at < screen->border ? screen->border : *end;
        return at;
    }
}

static akin_status gpu_screen_lists(akin_device_stream *stream, const akin_gpu_screen *screen, uint32_t first,
                                    uint32_t end, uint64_t from, uint64_t to, akin_error *error)
{
    const akin_gpu_selector *s = &screen->selectors[screen->at];
    akin_status status = host_enter(error);
    must(first < end && from <= to);
    for (uint32_t at = first; at < end && status == AKIN_OK; at++) {
        uint64_t begin, behind;
        uint32_t record = record_at(screen, at, &begin, &behind);
        for (uint64_t k = begin + from; k < behind && k < begin + to; k++) {
            uint32_t other = s->order && s->form != AKIN_PAIRS_ALL ? s->order[k] : (uint32_t)k;
            if (screen->border > 0 && (record < screen->border) == (other < screen->border))
                continue;
            screen->tally->pairs++;
            if (is_known(screen, record, other))
                continue;
            screen->tally->fresh++;
            if (may_reach(&screen->scoring, record, other))
                list(screen, record, other);
        }
    }
    must(status != AKIN_OK || screen->tally->candidates <= screen->room);
    host_dedupe.lists++;
    return status;
}

/* ------------------------------------------------------------------------------------------------------- groups */

static akin_status gpu_group_records(akin_device_stream *stream, const akin_gpu_shape *shapes,
                                     const akin_gpu_grouped *grouped, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t i = 0; i < grouped->count && status == AKIN_OK; i++) {
        grouped->words[0][i] = shapes[grouped->order[i]].words[0];
        grouped->words[1][i] = shapes[grouped->order[i]].words[1];
        grouped->heads[i] = shapes[grouped->order[i]].head;
    }
    return status;
}

/* Whether a pair passes that a driver lets meet, and none before it did. */
static int passes_closely(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < screen->scoring.count; k++)
        if (meeting->earlier >> k & 1 && passes(&screen->scoring, k, a, b))
            return 0;
    return passes(&screen->scoring, meeting->driver, a, b) && !is_known(screen, a, b) &&
           may_reach(&screen->scoring, a, b);
}

/* The record at a place, which a group has: it is as long as the group says, and what is known of it there is so. */
static uint32_t member(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting, const akin_gpu_grouped *side,
                       const akin_gpu_group *group, uint32_t lane)
{
    uint32_t place = group->first + lane, record = side->order[place];
    const akin_gpu_shape *shape = &screen->scoring.attributes[meeting->driver].shapes[record];
    must(lane < group->filled && group->filled <= AKIN_GPU_GROUP && place < side->count);
    must(shape->length == group->length && side->heads[place] == shape->head);
    must(side->words[0][place] == shape->words[0] && side->words[1][place] == shape->words[1]);
    host_dedupe.longest = shape->length > host_dedupe.longest ? shape->length : host_dedupe.longest;
    return record;
}

static void meet_group(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting, uint32_t own, uint32_t other)
{
    const akin_gpu_group *p = &meeting->probes.groups[own], *o = &meeting->others.groups[other];
    int same = meeting->same && own == other;
    for (uint32_t i = 0; i < p->filled; i++)
        for (uint32_t j = same ? i + 1 : 0; j < o->filled; j++) {
            uint32_t a = member(screen, meeting, &meeting->probes, p, i);
            uint32_t b = member(screen, meeting, &meeting->others, o, j);
            screen->tally->met++;
            screen->tally->near += (unsigned)passes(&screen->scoring, meeting->driver, a, b);
            if (passes_closely(screen, meeting, a, b))
                list(screen, a, b);
        }
}

/* A group of probes meets the others of a launch; those behind its last chunk are left out, as there are no blocks for
 * them. */
static void meet_others(const akin_gpu_screen *screen, const akin_gpu_meeting *meeting, uint32_t own)
{
    const uint32_t *reach = &meeting->reach[2 * meeting->probes.groups[own].length];
    uint32_t chunks = (meeting->widest + meeting->chunk - 1) / meeting->chunk;
    uint32_t first = reach[0] > meeting->other_first ? reach[0] : meeting->other_first;
    first = meeting->same && own > first ? own : first;
    must(chunks <= 65535);
    for (uint64_t other = first; other < first + (uint64_t)chunks * meeting->chunk; other++)
        if (other < reach[1] && other < meeting->other_end)
            meet_group(screen, meeting, own, (uint32_t)other);
}

/* How a launch ends: HOST_STEADY, HOST_LATE or HOST_FULL. */
static host_mood end_of(const akin_gpu_meeting *meeting)
{
    uint32_t probes = meeting->probe_end - meeting->probe_first, others = meeting->other_end - meeting->other_first;
    host_mood mood = host_dedupe.mood;
    must((probes == 1 && others == 1) == (meeting->patience == 0)); /* what cannot be cut has all the time */
    if (mood == HOST_BY_JOB)
        mood = (host_mood)(HOST_STEADY + host_device.streams % 4); /* a job has one */
    if (mood == HOST_MOODY)
        mood = (meeting->probe_first + meeting->other_first + probes + others) % 3 ? HOST_STEADY
               : host_dedupe.meetings % 2                                          ? HOST_LATE
                                                                                   : HOST_FULL;
    return meeting->patience ? mood : HOST_STEADY;
}

static akin_status gpu_screen_groups(akin_device_stream *stream, const akin_gpu_screen *screen,
                                     const akin_gpu_meeting *meeting, akin_error *error)
{
    akin_status status = host_enter(error);
    must(meeting->probe_first < meeting->probe_end && meeting->probe_end <= meeting->probes.group_count);
    must(meeting->other_first < meeting->other_end && meeting->other_end <= meeting->others.group_count);
    if (status != AKIN_OK)
        return status;
    host_mood end = end_of(meeting);
    for (uint32_t own = meeting->probe_first; own < meeting->probe_end; own++)
        if (end != HOST_LATE || own % 2)
            meet_others(screen, meeting, own);
    screen->tally->late = end == HOST_LATE;
    screen->tally->candidates += end == HOST_FULL ? screen->room + 1 : 0;
    host_dedupe.cut += end != HOST_STEADY || screen->tally->candidates > screen->room;
    host_dedupe.meetings++;
    host_dedupe.drivers |= (uint64_t)1 << meeting->driver;
    return AKIN_OK;
}

const akin_dedupe_texts_kernels host_dedupe_texts_kernels = {gpu_measure, gpu_shape_texts, gpu_keys, gpu_invert,
                                                             gpu_lengths};

const akin_dedupe_screen_kernels host_dedupe_screen_kernels = {gpu_sample, gpu_screen_lists, gpu_group_records,
                                                               gpu_screen_groups};

const akin_dedupe_score_kernels host_dedupe_score_kernels = {gpu_score};
