/* Sorts the words that a trie is built from. */
#include "dict/trie_words.h"

#include "base/bits.h"
#include "dict/string_sort.h"
#include "dict/trie_layout.h"

#define OFTEN ((uint32_t)1 << 16) /* the job may be cancelled after this number of words */

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

/* --------------------------------------------------------------------------------------------------------- checking */

static int is_null(const akin_column *column, uint32_t row)
{
    return column->validity && (column->validity[row / 8] >> row % 8 & 1) == 0;
}

/* Fails with a message that begins with "row R of column 'NAME' ". */
static akin_status refuse_row(const akin_column *column, uint32_t row, akin_reason reason, const char *fault,
                              akin_error *error)
{
    const char *name = column->name;
    return akin_fail_row(error, AKIN_E_INPUT, reason, row, name, "%s%.200s%s %s", name ? " of column '" : "",
                         name ? name : "", name ? "'" : "", fault);
}

/* Lists the rows that are not null in words->rows, and sets *sorted if their words rise already. */
static akin_status list_rows(const akin_scope *scope, const akin_column *column, uint32_t rows, akin_trie_words *words,
                             int *sorted, akin_error *error)
{
    const char *last = "";
    uint64_t last_length = 0;
    *sorted = 1;
    for (uint32_t row = 0; row < rows; row++) {
        const uint64_t length = column->offsets[row + 1] - column->offsets[row];
        const char *word = column->bytes + column->offsets[row];
        if (row % OFTEN == 0 && akin_scope_report(scope, "sorting", 0, 0) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (is_null(column, row))
            continue;
        if (length >= AKIN_TRIE_NODES)
            return refuse_row(column, row, AKIN_REASON_NONE, "has more bytes than a trie has nodes", error);
        if (length > 0 && memchr(word, 0, (size_t)length))
            return refuse_row(column, row, AKIN_REASON_NUL, "has a NUL byte, which no word may have", error);
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

/* Keeps the first of the rows that have equal words. Such rows are adjacent after the sort. */
static akin_status keep_distinct(akin_trie_words *words, akin_cancellation *cancellation, akin_error *error)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < words->count; i++) {
        const char *word, *last;
        uint64_t length = akin_trie_word(words, i, &word);
        if (i % OFTEN == 0 && !akin_goes_on(cancellation))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (kept > 0) {
            uint64_t last_length = akin_trie_word(words, kept - 1, &last);
            if (last_length == length && (length == 0 || memcmp(last, word, (size_t)length) == 0))
                continue;
        }
        words->rows[kept++] = words->rows[i];
    }
    words->count = kept;
    return AKIN_OK;
}

akin_status akin_trie_words_sort(const akin_scope *scope, const akin_column *column, uint32_t rows, akin_store *store,
                                 akin_trie_words *out, akin_error *error)
{
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {scope, &cancelled, 0, 0};
    int sorted = 0;
    *out = (akin_trie_words){.column = column, .bulk = akin_bulk_in(store)};
    akin_status status = akin_bulk_reserve(&out->bulk, (uint64_t)rows * sizeof *out->rows, what, error);
    if (status != AKIN_OK)
        return status;
    out->rows = out->bulk.data;
    status = list_rows(scope, column, rows, out, &sorted, error);
    if (status != AKIN_OK || sorted)
        return status;
    status = akin_strings_sort(column, out->rows, out->count, store, &cancellation, what, error);
    return status == AKIN_OK ? keep_distinct(out, &cancellation, error) : status;
}
