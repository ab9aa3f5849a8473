/*
 * Sorts words: 12 bytes at a time, as numbers beside their rows. Words that are equal in these are sorted by the next 12, range
 * by range, until all have ended.
 *
 *     entry    | 12 bytes of the word, the first one uppermost, zeros behind its end | row |        16 bytes
 */
#include "dict/trie_words.h"

#include "base/bits.h"
#include "base/sort.h"
#include "dict/ranges.h"
#include "dict/trie.h"

#define PIECE 12        /* bytes of an entry */
#define OFTEN (1 << 20) /* entries, until the caller is asked whether to go on */
#define DEEP  64        /* parts that entries are cut into one after the other, at most */

typedef struct sorting {
    akin_context *context;
    const akin_column *column;
    akin_u128 *entries;
    akin_bulk bulk;
    uint32_t count;
    akin_ranges now, next;
    uint64_t work; /* entries since the caller was asked */
    akin_error *error;
} sorting;

static const char what[] = "the words of a trie";

uint64_t akin_trie_words_common(const char *a, uint64_t a_length, const char *b, uint64_t b_length)
{
    const uint64_t most = akin_min_u64(a_length, b_length);
    uint64_t at = 0;
    while (at + 8 <= most && akin_load_word(a + at) == akin_load_word(b + at))
        at += 8;
    while (at < most && a[at] == b[at])
        at++;
    return at;
}

void akin_trie_words_clear(akin_trie_words *words)
{
    akin_bulk_clear(&words->bulk);
    words->rows = NULL;
    words->count = 0;
}

/* ---------------------------------------------------------------------------------------------------------- checking */

static int is_null(const akin_column *column, uint32_t row)
{
    return column->validity && (column->validity[row / 8] >> row % 8 & 1) == 0;
}

/* "row R of column 'NAME' " */
static akin_status refuse(const akin_column *column, uint32_t row, const char *fault, akin_error *error)
{
    const char *name = column->name;
    return akin_fail(error, AKIN_E_INPUT, "row %u%s%.200s%s %s", row, name ? " of column '" : "", name ? name : "",
                     name ? "'" : "", fault);
}

/* Lists the rows that are not null in words->rows, and tells in *sorted whether they rise already. */
static akin_status list_rows(akin_context *context, const akin_column *column, uint32_t rows, akin_trie_words *words,
                             int *sorted, akin_error *error)
{
    const char *last = "";
    uint64_t last_length = 0;
    *sorted = 1;
    for (uint32_t row = 0; row < rows; row++) {
        const uint64_t length = column->offsets[row + 1] - column->offsets[row];
        const char *word = column->bytes + column->offsets[row];
        if (row % OFTEN == 0 && akin_context_report(context, "sorting", 0, 0) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (is_null(column, row))
            continue;
        if (length >= AKIN_TRIE_NODES)
            return refuse(column, row, "has more bytes than a trie has nodes", error);
        if (length > 0 && memchr(word, 0, (size_t)length))
            return refuse(column, row, "has a NUL byte, which no word may have", error);
        if (*sorted && words->count > 0) {
            uint64_t common = akin_trie_words_common(last, last_length, word, length);
            *sorted =
                common < length && (common == last_length || (unsigned char)last[common] < (unsigned char)word[common]);
        }
        last = word;
        last_length = length;
        words->rows[words->count++] = row;
    }
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- sorting */

/* The entry of a row, by its bytes from `depth` on. */
static akin_u128 entry_of(const akin_column *column, uint32_t row, uint64_t depth)
{
    const uint64_t begin = column->offsets[row] + depth, end = column->offsets[row + 1];
    unsigned char piece[16] = {0};
    uint64_t upper = 0, lower = 0;
    memcpy(piece, column->bytes + begin, (size_t)akin_min_u64(PIECE, end - begin));
    for (int i = 0; i < 8; i++)
        upper = upper << 8 | piece[i];
    for (int i = 8; i < PIECE; i++)
        lower = lower << 8 | piece[i];
    return (akin_u128)upper << 64 | lower << 32 | row;
}

/* Keeps the ranges of a sorted one that are equal so far and go on. */
static akin_status split(sorting *s, akin_range sorted)
{
    const uint32_t end = sorted.first + sorted.count;
    for (uint32_t i = sorted.first, next; i < end; i = next) {
        for (next = i + 1; next < end && s->entries[next] >> 32 == s->entries[i] >> 32;)
            next++;
        if (next == i + 1 || (s->entries[i] >> 32 & 255) == 0)
            continue;
        akin_status status = akin_ranges_add(&s->next, i, next - i, what, s->error);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

/* Asks whether to go on, after so many entries more. */
static akin_status ask(sorting *s, uint32_t count)
{
    s->work += count;
    if (s->work <= OFTEN)
        return AKIN_OK;
    s->work = 0;
    return akin_context_report(s->context, "sorting", 0, 0) == AKIN_OK
               ? AKIN_OK
               : akin_fail_stopped(s->error, AKIN_E_CANCELLED, NULL);
}

static akin_u128 median(akin_u128 a, akin_u128 b, akin_u128 c)
{
    const akin_u128 low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Parts entries, none of which are equal, into those up to one of them and those above; how many are the former, which are some, but not all. */
static uint32_t part(akin_u128 *entries, uint32_t count)
{
    const akin_u128 middle = median(entries[0], entries[count / 2], entries[count - 1]);
    uint32_t low = 0, high = count - 1;
    for (;; low++, high--) {
        while (entries[low] < middle)
            low++;
        while (entries[high] > middle)
            high--;
        if (low >= high)
            return high + 1;
        const akin_u128 entry = entries[low];
        entries[low] = entries[high];
        entries[high] = entry;
    }
}

/* Sorts entries, many of them part by part, so that it can be cancelled in between. */
static akin_status sort_entries(sorting *s, uint32_t first, uint32_t count)
{
    akin_status status = AKIN_OK;
    for (uint32_t parts = 0; count > OFTEN && parts < DEEP && status == AKIN_OK; parts++) { /* the smaller part first */
        const uint32_t low = part(s->entries + first, count);
        const int is_low_first = low <= count - low;
        status = ask(s, count);
        if (status == AKIN_OK)
            status = is_low_first ? sort_entries(s, first, low) : sort_entries(s, first + low, count - low);
        first += is_low_first ? low : 0;
        count = is_low_first ? count - low : low;
    }
    if (status == AKIN_OK)
        status = ask(s, count);
    if (status == AKIN_OK)
        akin_sort_u128(s->entries + first, count);
    return status;
}

static akin_status sort_range(sorting *s, akin_range r, uint64_t depth)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = r.first; i < r.first + r.count && status == AKIN_OK; i++) {
        s->entries[i] = entry_of(s->column, (uint32_t)s->entries[i], depth);
        if (i % OFTEN == OFTEN - 1)
            status = ask(s, OFTEN);
    }
    if (status == AKIN_OK)
        status = sort_entries(s, r.first, r.count);
    return status == AKIN_OK ? split(s, r) : status;
}

static akin_status sort_all(sorting *s)
{
    akin_status status = s->count > 0 ? sort_range(s, (akin_range){0, s->count}, 0) : AKIN_OK;
    for (uint64_t depth = PIECE; s->next.count > 0 && status == AKIN_OK; depth += PIECE) {
        akin_ranges_turn(&s->now, &s->next);
        for (uint64_t i = 0; i < s->now.count && status == AKIN_OK; i++)
            status = sort_range(s, akin_ranges_at(&s->now, i), depth);
    }
    return status;
}

/* Rows whose words are equal stand side by side now: keeps the first of them. */
static void keep_distinct(akin_trie_words *words)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < words->count; i++) {
        const char *word, *last;
        uint64_t length = akin_trie_word(words, i, &word);
        if (kept > 0) {
            uint64_t last_length = akin_trie_word(words, kept - 1, &last);
            if (last_length == length && (length == 0 || memcmp(last, word, (size_t)length) == 0))
                continue;
        }
        words->rows[kept++] = words->rows[i];
    }
    words->count = kept;
}

akin_status akin_trie_words_sort(akin_context *context, const akin_column *column, uint32_t rows, akin_store *store,
                                 akin_trie_words *out, akin_error *error)
{
    sorting s = {.context = context, .column = column, .error = error};
    int sorted = 0;
    s.bulk = s.now.bulk = s.next.bulk = akin_bulk_in(store);
    *out = (akin_trie_words){.column = column, .bulk = akin_bulk_in(store)};
    akin_status status = akin_bulk_reserve(&out->bulk, (uint64_t)rows * sizeof *out->rows, what, error);
    if (status == AKIN_OK) {
        out->rows = out->bulk.data;
        status = list_rows(context, column, rows, out, &sorted, error);
    }
    if (status != AKIN_OK || sorted)
        goto done;
    status = akin_bulk_reserve(&s.bulk, (uint64_t)out->count * sizeof *s.entries, what, error);
    if (status != AKIN_OK)
        goto done;
    s.entries = s.bulk.data;
    s.count = out->count;
    for (uint32_t i = 0; i < s.count; i++)
        s.entries[i] = out->rows[i];
    status = sort_all(&s);
    for (uint32_t i = 0; i < s.count && status == AKIN_OK; i++)
        out->rows[i] = (uint32_t)s.entries[i];
    if (status == AKIN_OK)
        keep_distinct(out);
done:
    akin_bulk_clear(&s.bulk);
    akin_bulk_clear(&s.now.bulk);
    akin_bulk_clear(&s.next.bulk);
    return status;
}
