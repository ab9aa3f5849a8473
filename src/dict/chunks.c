/* Fills, checks and selects in bit-vectors in chunks. */
#include "dict/chunks.h"

_Static_assert(sizeof(akin_chunk_record) == 32, "a record lies in memory as in the file");

static uint32_t bytes_of_cell(uint64_t ones)
{
    return ones < AKIN_CHUNK_PLACES ? (uint32_t)ones : AKIN_CHUNK_PLACES;
}

/* Returns the number of ones from place `at` of the list on that are below `end`. */
static uint64_t count_below(const uint32_t *ones, uint64_t count, uint64_t at, uint64_t end)
{
    uint64_t to = at;
    while (to < count && ones[to] < end)
        to++;
    return to - at;
}

uint64_t akin_chunks_cells(const uint32_t *ones, uint64_t count)
{
    uint64_t bytes = 0;
    for (uint64_t at = 0, n; at < count; at += n) {
        n = count_below(ones, count, at, ((uint64_t)ones[at] / AKIN_CHUNK + 1) * AKIN_CHUNK);
        bytes += bytes_of_cell(n);
    }
    return bytes;
}

static void fill_cell(const uint32_t *ones, uint64_t count, uint8_t *cell)
{
    if (count > AKIN_CHUNK_PLACES)
        memset(cell, 0, AKIN_CHUNK_PLACES);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bit = ones[i] % AKIN_CHUNK;
        if (count > AKIN_CHUNK_PLACES)
            cell[bit / 8] = (uint8_t)(cell[bit / 8] | 1 << bit % 8);
        else
            cell[i] = (uint8_t)bit;
    }
}

void akin_chunks_fill(const uint32_t *ones, uint64_t count, uint64_t bits, uint32_t first, akin_chunk_record *records,
                      uint8_t *cells)
{
    uint64_t at = 0, cell = 0;
    for (uint64_t r = 0; r < akin_chunks_records(bits); r++) {
        akin_chunk_record *record = &records[r];
        record->number = (uint32_t)(first + at);
        record->cells = (uint32_t)cell;
        for (uint64_t chunk = 0; chunk < AKIN_CHUNKS; chunk++) {
            uint64_t n = count_below(ones, count, at, (r * AKIN_CHUNKS + chunk + 1) * AKIN_CHUNK);
            record->counts[chunk] = (uint8_t)n;
            fill_cell(ones + at, n, cells + cell);
            at += n;
            cell += bytes_of_cell(n);
        }
    }
}

/* --------------------------------------------------------------------------------------------------------- checking */

/* Whether a cell has `count` ones, all below `bits`, which the vector has from the beginning of the chunk on. */
static int is_cell_sound(const uint8_t *cell, uint32_t count, uint64_t bits)
{
    if (count > AKIN_CHUNK_PLACES) {
        uint64_t low = akin_load_word((const char *)cell), high = akin_load_word((const char *)cell + 8);
        uint64_t low_beyond = bits < 64 ? low >> bits : 0;
        uint64_t high_beyond = bits <= 64 ? high : bits < 128 ? high >> (bits - 64) : 0;
        return akin_popcount64(low) + akin_popcount64(high) == count && !low_beyond && !high_beyond;
    }
    for (uint32_t i = 0; i < count; i++)
        if (cell[i] >= bits || cell[i] >= AKIN_CHUNK || (i > 0 && cell[i] <= cell[i - 1]))
            return 0;
    return 1;
}

const char *akin_chunks_check(akin_chunks chunks, uint64_t bits, uint32_t first, uint64_t count, uint64_t bytes)
{
    uint64_t at = 0, cell = 0;
    for (uint64_t r = 0; r < akin_chunks_records(bits); r++) {
        const akin_chunk_record *record = &chunks.records[r];
        if (record->number != first + at || record->cells != cell)
            return "a record does not continue the one before";
        for (uint64_t chunk = 0; chunk < AKIN_CHUNKS; chunk++) {
            uint64_t begin = (r * AKIN_CHUNKS + chunk) * AKIN_CHUNK;
            uint32_t n = record->counts[chunk];
            if (bytes_of_cell(n) > bytes - cell)
                return "a chunk has more ones than there are";
            if (!is_cell_sound(chunks.cells + cell, n, begin < bits ? bits - begin : 0))
                return "the ones of a chunk are not as many as its record says, or not in order";
            at += n;
            cell += bytes_of_cell(n);
        }
    }
    return at == count && cell == bytes ? NULL : "there are more ones, or fewer, than it says";
}

const char *akin_chunks_check_records(akin_chunks chunks, uint64_t bits, uint32_t first, uint64_t count, uint64_t bytes)
{
    uint64_t at = 0, cell = 0;
    for (uint64_t r = 0; r < akin_chunks_records(bits); r++) {
        const akin_chunk_record *record = &chunks.records[r];
        if (record->number != first + at || record->cells != cell)
            return "a record does not continue the one before";
        for (uint32_t chunk = 0; chunk < AKIN_CHUNKS; chunk++) {
            at += record->counts[chunk];
            cell += bytes_of_cell(record->counts[chunk]);
        }
    }
    return at == count && cell == bytes ? NULL : "there are more ones, or fewer, than it says";
}

/* -------------------------------------------------------------------------------------------------------- selecting */

uint32_t akin_chunks_select(akin_chunks chunks, uint64_t bits, uint32_t number)
{
    uint64_t low = 0, high = akin_chunks_records(bits);
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (chunks.records[middle].number <= number)
            low = middle;
        else
            high = middle;
    }
    const akin_chunk_record *record = &chunks.records[low];
    const uint8_t *cell = chunks.cells + record->cells;
    uint32_t left = number - record->number, chunk = 0;
    for (; left >= record->counts[chunk] && chunk + 1 < AKIN_CHUNKS; chunk++) {
        left -= record->counts[chunk];
        cell += bytes_of_cell(record->counts[chunk]);
    }
    uint32_t bit = 0;
    if (record->counts[chunk] <= AKIN_CHUNK_PLACES)
        bit = cell[left % AKIN_CHUNK_PLACES];
    else
        for (;; bit++) {
            if ((cell[bit / 8] >> bit % 8 & 1) == 0)
                continue;
            if (left == 0 || bit + 1 == AKIN_CHUNK)
                break;
            left--;
        }
    return (uint32_t)akin_min_u64(low * AKIN_CHUNK_RECORD + (uint64_t)chunk * AKIN_CHUNK + bit, bits - 1);
}
