/* The cheapest assignment by shortest paths. Column 0 of the arrays is the row that looks for a column. */
#include "graphs/assignment.h"

#include <string.h>

int akin_assigner_reserve(akin_assigner *assigner, uint32_t count)
{
    int32_t **const numbers[] = {&assigner->row_price, &assigner->column_price, &assigner->slack};
    uint32_t **const places[] = {&assigner->row_of, &assigner->before, &assigner->waiting};
    const uint64_t needed = count + UINT64_C(1);
    if (needed <= assigner->room)
        return 1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int32_t *larger = akin_resize(assigner->account, *numbers[i], needed, sizeof *larger);
        if (!larger)
            return 0;
        *numbers[i] = larger;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t *larger = akin_resize(assigner->account, *places[i], needed, sizeof *larger);
        if (!larger)
            return 0;
        *places[i] = larger;
    }
    uint8_t *done = akin_resize(assigner->account, assigner->done, needed, sizeof *done);
    if (!done)
        return 0;
    assigner->done = done;
    assigner->room = needed;
    return 1;
}

/* Finds the shortest path from a row, which column 0 has, to a free column, and adjusts the prices. Returns that
 * column; *length becomes that of the path. */
static uint32_t find_path(akin_assigner *a, const uint16_t *costs, uint32_t stride, uint32_t count, int32_t *length)
{
    uint32_t column = 0;
    *length = 0;
    for (uint32_t c = 0; c <= count; c++)
        a->slack[c] = INT32_MAX;
    memset(a->done, 0, count + (size_t)1);
    do {
        const uint32_t row = a->row_of[column];
        const uint16_t *of_row = costs + (size_t)(row - 1) * stride;
        const int32_t price = a->row_price[row];
        int32_t step = INT32_MAX;
        uint32_t next = 0;
        a->done[column] = 1;
        for (uint32_t c = 1; c <= count; c++) {
            if (a->done[c])
                continue;
            const int32_t cost = of_row[c - 1] - price - a->column_price[c];
            if (cost < a->slack[c]) {
                a->slack[c] = cost;
                a->before[c] = column;
            }
            if (a->slack[c] < step) {
                step = a->slack[c];
                next = c;
            }
        }
        for (uint32_t c = 0; c <= count && step > 0; c++)
            if (a->done[c]) {
                a->row_price[a->row_of[c]] += step;
                a->column_price[c] -= step;
            } else {
                a->slack[c] -= step;
            }
        *length += step;
        column = next;
    } while (a->row_of[column] != 0);
    return column;
}

/* Lowers each row by its smallest cost, then each column. Returns the sum, or more than `most`. */
static uint64_t reduce(akin_assigner *a, const uint16_t *costs, uint32_t stride, uint32_t count, uint32_t most)
{
    uint64_t total = 0;
    for (uint32_t c = 1; c <= count; c++)
        a->column_price[c] = INT32_MAX;
    for (uint32_t r = 0; r < count && total <= most; r++) {
        const uint16_t *of_row = costs + (size_t)r * stride;
        uint16_t least = UINT16_MAX;
        for (uint32_t c = 0; c < count; c++)
            least = of_row[c] < least ? of_row[c] : least;
        a->row_price[r + 1] = least;
        total += least;
        for (uint32_t c = 0; c < count; c++) {
            const int32_t cost = of_row[c] - least;
            a->column_price[c + 1] = cost < a->column_price[c + 1] ? cost : a->column_price[c + 1];
        }
    }
    for (uint32_t c = 1; c <= count && total <= most; c++)
        total += (uint32_t)a->column_price[c];
    return total;
}

/* Gives each row the first free column where it costs nothing more. Returns how many have none,
 * and lists them in `left`. */
static uint32_t match_freely(akin_assigner *a, const uint16_t *costs, uint32_t stride, uint32_t count, uint32_t *left)
{
    uint32_t waiting = 0;
    for (uint32_t c = 0; c <= count; c++)
        a->row_of[c] = 0;
    for (uint32_t r = 1; r <= count; r++) {
        const uint16_t *of_row = costs + (size_t)(r - 1) * stride;
        uint32_t c = 1;
        while (c <= count && (a->row_of[c] || of_row[c - 1] != a->row_price[r] + a->column_price[c]))
            c++;
        if (c <= count)
            a->row_of[c] = r;
        else
            left[waiting++] = r;
    }
    return waiting;
}

uint32_t akin_assign(akin_assigner *assigner, const uint16_t *costs, uint32_t stride, uint32_t count, uint32_t most)
{
    akin_assigner *a = assigner;
    uint64_t total = reduce(a, costs, stride, count, most);
    if (total > most)
        return most + 1;
    const uint32_t waiting = match_freely(a, costs, stride, count, a->waiting);
    a->row_price[0] = a->column_price[0] = 0;
    for (uint32_t i = 0; i < waiting; i++) {
        int32_t length;
        a->row_of[0] = a->waiting[i];
        uint32_t column = find_path(a, costs, stride, count, &length);
        total += (uint32_t)length;
        if (total > most)
            return most + 1;
        while (column != 0) { /* each row of the path takes the column behind it */
            a->row_of[column] = a->row_of[a->before[column]];
            column = a->before[column];
        }
    }
    return (uint32_t)total;
}

void akin_assigner_clear(akin_assigner *assigner)
{
    akin_free(assigner->row_price);
    akin_free(assigner->column_price);
    akin_free(assigner->slack);
    akin_free(assigner->row_of);
    akin_free(assigner->before);
    akin_free(assigner->waiting);
    akin_free(assigner->done);
    *assigner = (akin_assigner){.account = assigner->account};
}
