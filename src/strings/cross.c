/* Compares each string of a column with each of another, tile by tile. */
#include "strings/cross.h"

#include "base/bits.h"

#include <string.h>

#define BYTES AKIN_ALPHABET_BYTE /* different symbols of a block, at most */

/* The symbols of the strings of a block, numbered as they come. */
typedef struct coding {
    uint32_t count, symbols[BYTES];
    uint8_t *bytes; /* of each symbol of the alphabet its number, or AKIN_CROSS_NOWHERE */
} coding;

struct akin_cross_room {
    union {
        uint32_t edits[AKIN_CROSS_STRIP + AKIN_LANES];
        akin_jaro jaro[AKIN_CROSS_STRIP + AKIN_LANES];
    } found;
    double values[AKIN_CROSS_STRIP];
    uint8_t pattern[AKIN_LANES_TALLEST], strip[AKIN_CROSS_SYMBOLS + AKIN_BATCH_PAD];
    coding coding;
    _Alignas(AKIN_LANES_ALIGN) uint8_t lanes[]; /* their room, and the bytes of the coding where the alphabet is wide */
};

/* ----------------------------------------------------------------------------------------------------------- coding */

/* Numbers the symbols of a string that have no number. Returns 0 if there are too many. */
static int add_symbols(coding *c, const akin_symbols *text)
{
    for (uint32_t i = 0; i < text->length; i++) {
        uint8_t *byte = &c->bytes[akin_symbol(text, i)];
        if (*byte == AKIN_CROSS_NOWHERE && c->count == BYTES)
            return 0;
        if (*byte == AKIN_CROSS_NOWHERE) {
            *byte = (uint8_t)c->count;
            c->symbols[c->count++] = akin_symbol(text, i);
        }
    }
    return 1;
}

static void forget_symbols(coding *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        c->bytes[c->symbols[i]] = AKIN_CROSS_NOWHERE;
    c->count = 0;
}

static void write_symbols(const coding *c, const uint32_t *points, uint64_t count, uint8_t *out)
{
    for (uint64_t i = 0; i < count; i++)
        out[i] = c->bytes[points[i]];
}

/* ---------------------------------------------------------------------------------------------------------- prepare */

/* The symbols of a string in a tile, at most. */
static uint32_t most_symbols(const akin_cross *x)
{
    return x->cutoff->is_jaro ? AKIN_LANES_LONGEST : AKIN_LANES_TALLEST;
}

/* How many runs of a side are of strings that are short enough: the first ones. */
static uint32_t short_runs(const akin_cross *x, int side)
{
    return (uint32_t)akin_lower_bound_u32(x->sides[side].lengths, x->sides[side].runs, most_symbols(x) + 1);
}

/* How many strings these are. */
static uint32_t count_short(const akin_cross *x, int side)
{
    const uint32_t runs = short_runs(x, side);
    return runs > 0 ? x->sides[side].starts[runs] : 0;
}

/* The symbols of the longest of them. */
static uint32_t longest_of(const akin_cross *x, int side)
{
    const uint32_t runs = short_runs(x, side);
    return runs > 0 ? x->sides[side].lengths[runs - 1] : 0;
}

/* The string of a place, and the run that it is of: that of the place before, or a later one. */
static akin_symbols next_string(const akin_strings_batch *batch, uint32_t place, uint32_t *run)
{
    while (batch->starts[*run + 1] <= place)
        ++*run;
    return akin_strings_batch_at(batch, *run, place);
}

/* Adds a string to the last span of a list, or begins the next one. */
static void extend_spans(akin_cross_span *spans, uint32_t *count, int begins, uint32_t place)
{
    if (begins)
        spans[(*count)++] = (akin_cross_span){place, 0};
    spans[*count - 1].count++;
}

/* Lists the left strings in blocks. A string with too many symbols is in none. */
static akin_status list_blocks(akin_cross *x, uint8_t *is_taken, akin_error *error)
{
    const akin_strings_batch *batch = &x->sides[0];
    const uint32_t count = count_short(x, 0);
    akin_cross_room *room = batch->wide ? akin_cross_room_make(x) : NULL;
    x->blocks = akin_alloc(x->account, count, sizeof *x->blocks);
    if ((batch->wide && !room) || !x->blocks) {
        akin_free(room);
        return akin_fail_memory(error, "strings");
    }
    uint64_t symbols = 0;
    int begins = 1;
    for (uint32_t place = 0, run = 0; place < count; place++) {
        const akin_symbols text = next_string(batch, place, &run);
        begins = begins || x->blocks[x->block_count - 1].count == AKIN_CROSS_BLOCK ||
                 symbols + text.length > AKIN_CROSS_ROWS;
        if (begins && room)
            forget_symbols(&room->coding);
        if (batch->wide && !add_symbols(&room->coding, &text)) {
            forget_symbols(&room->coding);
            if (!begins)
                place--; /* again, in a block of its own */
            begins = 1;
            continue;
        }
        symbols = (begins ? 0 : symbols) + text.length;
        extend_spans(x->blocks, &x->block_count, begins, place);
        begins = 0;
        is_taken[batch->rows[place]] = 1;
    }
    akin_free(room);
    return AKIN_OK;
}

/* Lists the right strings in strips. */
static akin_status list_strips(akin_cross *x, uint8_t *is_taken, akin_error *error)
{
    const akin_strings_batch *batch = &x->sides[1];
    const uint32_t count = count_short(x, 1);
    uint64_t symbols = 0;
    x->strips = akin_alloc(x->account, count, sizeof *x->strips);
    if (!x->strips)
        return akin_fail_memory(error, "strings");
    for (uint32_t place = 0, run = 0; place < count; place++) {
        const uint32_t length = next_string(batch, place, &run).length;
        const int begins = place == 0 || x->strips[x->strip_count - 1].count == AKIN_CROSS_STRIP ||
                           symbols + length > AKIN_CROSS_SYMBOLS;
        symbols = (begins ? 0 : symbols) + length;
        extend_spans(x->strips, &x->strip_count, begins, place);
        is_taken[batch->rows[place]] = 1;
    }
    return AKIN_OK;
}

/* Notes where the strings of each strip begin, and their lengths. */
static akin_status place_strips(akin_cross *x, akin_error *error)
{
    const akin_strings_batch *batch = &x->sides[1];
    const uint32_t entries = AKIN_CROSS_STRIP + AKIN_LANES;
    const uint64_t all = batch->count + x->strip_count * (uint64_t)AKIN_LANES;
    uint32_t run = 0;
    x->at = akin_alloc(x->account, all, sizeof *x->at);
    x->lengths = akin_alloc(x->account, all, sizeof *x->lengths);
    x->bound = akin_alloc(x->account, entries, sizeof *x->bound);
    if (!x->at || !x->lengths || !x->bound)
        return akin_fail_memory(error, "strings");
    for (uint32_t i = 0; i < entries; i++)
        x->bound[i] = x->cutoff->is_jaro ? 0 : most_symbols(x);
    for (uint32_t s = 0; s < x->strip_count; s++) {
        const akin_cross_span *strip = &x->strips[s];
        uint64_t *at = x->at + strip->first + (uint64_t)s * AKIN_LANES, next = 0;
        uint32_t *lengths = x->lengths + strip->first + (uint64_t)s * AKIN_LANES;
        for (uint32_t i = 0; i < strip->count; i++) {
            lengths[i] = next_string(batch, strip->first + i, &run).length;
            at[i] = next;
            next += lengths[i];
        }
        for (uint32_t i = strip->count; i < strip->count + AKIN_LANES; i++) {
            at[i] = at[strip->count - 1];
            lengths[i] = lengths[strip->count - 1];
        }
    }
    return AKIN_OK;
}

/* Lists the rows of a side that are in no tile. */
static akin_status list_aside(akin_cross *x, int side, const uint8_t *is_taken, uint32_t rows, akin_error *error)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < rows; row++)
        count += !is_taken[row];
    x->aside[side] = akin_alloc(x->account, count, sizeof **x->aside);
    if (!x->aside[side])
        return akin_fail_memory(error, "strings");
    for (uint32_t row = 0; row < rows; row++)
        if (!is_taken[row])
            x->aside[side][x->aside_count[side]++] = row;
    return AKIN_OK;
}

akin_status akin_cross_make(const akin_scope *scope, akin_account *account, const akin_lanes *lanes,
                            const akin_cutoff *cutoff, const akin_column *columns, const uint32_t *rows,
                            akin_cross *out, akin_error *error)
{
    *out = (akin_cross){.lanes = lanes, .cutoff = cutoff, .account = account};
    uint32_t *lengths[2] = {0};
    uint8_t *is_taken[2] = {0};
    akin_status status = AKIN_OK;
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        lengths[side] = akin_alloc(account, rows[side], sizeof **lengths);
        is_taken[side] = akin_alloc_zero(account, rows[side], sizeof **is_taken);
        if (!lengths[side] || !is_taken[side])
            status = akin_fail_memory(error, "strings");
    }
    if (status == AKIN_OK)
        status = akin_alphabet_make(scope, account, columns, rows, lengths, 2, &out->alphabet, error);
    for (int side = 0; side < 2 && status == AKIN_OK; side++)
        status = akin_strings_batch_make(scope, account, &columns[side], lengths[side], 0, rows[side], &out->alphabet,
                                         &out->sides[side], error);
    if (status == AKIN_OK)
        status = list_blocks(out, is_taken[0], error);
    if (status == AKIN_OK)
        status = list_strips(out, is_taken[1], error);
    if (status == AKIN_OK)
        status = place_strips(out, error);
    for (int side = 0; side < 2; side++) {
        if (status == AKIN_OK)
            status = list_aside(out, side, is_taken[side], rows[side], error);
        akin_free(lengths[side]);
        akin_free(is_taken[side]);
    }
    return status;
}

void akin_cross_clear(akin_cross *cross)
{
    akin_alphabet_clear(&cross->alphabet);
    for (int side = 0; side < 2; side++) {
        akin_strings_batch_clear(&cross->sides[side]);
        akin_free(cross->aside[side]);
    }
    akin_free(cross->blocks);
    akin_free(cross->strips);
    akin_free(cross->at);
    akin_free(cross->lengths);
    akin_free(cross->bound);
}

akin_cross_room *akin_cross_room_make(const akin_cross *cross)
{
    const uint64_t bytes = akin_alphabet_is_wide(&cross->alphabet) ? cross->alphabet.count : 0;
    const uint64_t lanes = akin_lanes_room(longest_of(cross, 0), longest_of(cross, 1));
    akin_cross_room *room = akin_alloc(cross->account, sizeof *room + lanes + bytes, 1);
    if (!room)
        return NULL;
    room->coding.bytes = room->lanes + lanes;
    memset(room->coding.bytes, AKIN_CROSS_NOWHERE, bytes);
    room->coding.count = 0;
    return room;
}

/* ---------------------------------------------------------------------------------------------------------- compare */

/* A tile, as its patterns see it. */
typedef struct tile {
    const akin_cross *cross;
    akin_cross_room *room;
    const akin_cross_span *strip;
    const uint8_t *symbols; /* of the strip */
    const uint64_t *at;
    const uint32_t *lengths;
    int distances;
} tile;

static void settle_edits(const tile *t, uint32_t length)
{
    const uint32_t *edits = t->room->found.edits, *lengths = t->lengths, count = t->strip->count;
    double *values = t->room->values;
    if (t->distances)
        for (uint32_t i = 0; i < count; i++)
            values[i] = edits[i];
    else
        for (uint32_t i = 0; i < count; i++)
            values[i] = akin_edit_similarity(edits[i], length, lengths[i]);
}

static void settle_matches(const tile *t, const uint8_t *pattern, uint32_t length)
{
    const akin_symbols left = {.bytes = pattern, .length = length};
    const akin_cutoff *cutoff = t->cross->cutoff;
    const int by_prefix = akin_cutoff_by_prefix(cutoff);
    for (uint32_t i = 0; i < t->strip->count; i++) {
        const akin_symbols right = {.bytes = t->symbols + t->at[i], .length = t->lengths[i]};
        const uint32_t prefix = by_prefix ? akin_winkler_prefix(&left, &right) : 0;
        const double similarity =
            akin_jaro_similarity(t->room->found.jaro[i], length, t->lengths[i], prefix, &cutoff->winkler);
        t->room->values[i] = t->distances ? 1.0 - similarity : similarity;
    }
}

static void compare_pattern(const tile *t, const uint8_t *pattern, uint32_t length)
{
    const akin_cross *x = t->cross;
    const akin_lanes_job job = {.symbols = t->symbols,
                                .at = t->at,
                                .lengths = t->lengths,
                                .count = t->strip->count,
                                .pattern = pattern,
                                .length = length,
                                .bound = x->bound,
                                .room = t->room->lanes};
    if (x->cutoff->is_jaro) {
        x->lanes->jaro(&job, t->room->found.jaro);
        settle_matches(t, pattern, length);
    } else {
        (x->cutoff->swaps ? x->lanes->osa : x->lanes->levenshtein)(&job, t->room->found.edits);
        settle_edits(t, length);
    }
}

/* The first symbol of a strip; where the alphabet is wide, of a copy in the symbols of the block. */
static const uint8_t *symbols_of(const akin_cross *x, akin_cross_room *room, const akin_cross_span *block,
                                 const akin_cross_span *strip)
{
    const akin_strings_batch *left = &x->sides[0], *right = &x->sides[1];
    const akin_symbols first = akin_strings_batch_at(right, akin_strings_batch_run(right, strip->first), strip->first);
    if (!right->wide)
        return first.bytes;
    const uint32_t end = strip->first + strip->count - 1;
    const akin_symbols last = akin_strings_batch_at(right, akin_strings_batch_run(right, end), end);
    uint32_t run = akin_strings_batch_run(left, block->first);
    forget_symbols(&room->coding);
    for (uint32_t i = 0; i < block->count; i++) {
        const akin_symbols text = next_string(left, block->first + i, &run);
        add_symbols(&room->coding, &text);
    }
    write_symbols(&room->coding, first.points, (uint64_t)(last.points - first.points) + last.length, room->strip);
    return room->strip;
}

void akin_cross_compare(const akin_cross *cross, akin_cross_room *room, uint32_t block, uint32_t strip, int distances,
                        akin_cross_take take, void *user)
{
    const akin_cross_span *lefts = &cross->blocks[block], *rights = &cross->strips[strip];
    const akin_strings_batch *left = &cross->sides[0];
    const uint64_t place = rights->first + (uint64_t)strip * AKIN_LANES;
    const tile t = {
        cross,    room, rights, symbols_of(cross, room, lefts, rights), cross->at + place, cross->lengths + place,
        distances};
    uint32_t run = akin_strings_batch_run(left, lefts->first);
    for (uint32_t i = 0; i < lefts->count; i++) {
        const akin_symbols text = next_string(left, lefts->first + i, &run);
        if (left->wide)
            write_symbols(&room->coding, text.points, text.length, room->pattern);
        compare_pattern(&t, left->wide ? room->pattern : text.bytes, text.length);
        take(user, left->rows[lefts->first + i], cross->sides[1].rows + rights->first, rights->count, room->values);
    }
}
