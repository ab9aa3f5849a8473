/* What the tests of frozen dictionaries share: lists of words, drawn at random, and the words in the order of their ids
 * by an obvious sort. */
#ifndef AKIN_TEST_DICT_WORDS_H
#define AKIN_TEST_DICT_WORDS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "akin_papers.h"
#include "base/context.h"
#include "base/random.h"
#include "dict/trie.h"
#include "dict/trie_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const akin_trie_kind word_kinds[] = {AKIN_TRIE_CHUNKS, AKIN_TRIE_RRR, AKIN_TRIE_STT};
#define WORD_KINDS (sizeof word_kinds / sizeof *word_kinds)

static inline akin_context words_context(akin_context *self, uint32_t threads)
{
    return (akin_context){.scope = {.context = self, .threads = threads, .cpu = akin_cpu_detect()},
                          .cpu_best = akin_cpu_detect(),
                          .annex = akin_papers()};
}

typedef struct words {
    char *bytes;
    uint64_t *offsets;
    uint64_t used, room;
    uint32_t count, capacity;
} words;

static inline void words_add(words *w, const char *bytes, size_t length)
{
    if (!w->bytes || w->used + length > w->room) {
        w->room = 2 * (w->room + length + 16);
        w->bytes = realloc(w->bytes, w->room);
    }
    if (w->count == w->capacity) {
        w->capacity = 2 * w->capacity + 16;
        w->offsets = realloc(w->offsets, ((size_t)w->capacity + 1) * sizeof *w->offsets);
        if (w->count == 0 && w->offsets)
            w->offsets[0] = 0;
    }
    if (!w->bytes || !w->offsets)
        abort();
    memcpy(w->bytes + w->used, bytes, length);
    w->used += length;
    w->offsets[++w->count] = w->used;
}

static inline void words_add_string(words *w, const char *string)
{
    words_add(w, string, strlen(string));
}

static inline void words_clear(words *w)
{
    free(w->bytes);
    free(w->offsets);
    *w = (words){0};
}

static inline const char *words_at(const words *w, uint32_t i, size_t *length)
{
    *length = (size_t)(w->offsets[i + 1] - w->offsets[i]);
    return w->bytes + w->offsets[i];
}

/* The column, whose bytes are a block exactly as long, so that a sanitizer sees what is read beyond; to be cleared. */
static inline akin_column words_column(const words *w)
{
    static const uint64_t none;
    char *bytes = malloc(w->used ? w->used : 1);
    assert_non_null(bytes);
    if (w->used > 0)
        memcpy(bytes, w->bytes, w->used);
    return (akin_column){.size = sizeof(akin_column), .offsets = w->offsets ? w->offsets : &none, .bytes = bytes};
}

static inline void words_column_clear(akin_column *column)
{
    free((char *)column->bytes);
}

/* Words of up to `longest` bytes, drawn from `alphabet` of them; many begin as another does. */
static inline words words_draw(uint64_t seed, uint32_t count, uint32_t longest, uint32_t alphabet)
{
    akin_random random;
    words w = {0};
    akin_random_seed(&random, seed);
    char *word = malloc((size_t)longest + 1);
    assert_non_null(word);
    for (uint32_t i = 0; i < count; i++) {
        size_t length = (size_t)akin_random_below(&random, (uint64_t)longest + 1), kept = 0;
        if (w.count > 0 && akin_random_below(&random, 3) == 0) {
            size_t other;
            const char *bytes = words_at(&w, (uint32_t)akin_random_below(&random, w.count), &other);
            kept = (size_t)akin_random_below(&random, (other < length ? other : length) + 1);
            memcpy(word, bytes, kept);
        }
        for (size_t at = kept; at < length; at++) /* small bytes are frequent, large ones rare */
            word[at] = (char)(255 - akin_random_below(&random, 1 + akin_random_below(&random, alphabet)));
        words_add(&w, word, length);
    }
    free(word);
    return w;
}

typedef struct reversed {
    const unsigned char *bytes;
    size_t length;
} reversed;

static inline int compare_reversed(const void *a, const void *b)
{
    const reversed *x = a, *y = b;
    for (size_t i = 0; i < x->length && i < y->length; i++) {
        int difference = x->bytes[x->length - 1 - i] - y->bytes[y->length - 1 - i];
        if (difference != 0)
            return difference;
    }
    return (x->length > y->length) - (x->length < y->length);
}

/* The distinct words in the order of their ids, to be freed. */
static inline reversed *words_by_id(const words *w, uint32_t *count)
{
    reversed *list = malloc(((size_t)w->count + 1) * sizeof *list);
    assert_non_null(list);
    for (uint32_t i = 0; i < w->count; i++)
        list[i].bytes = (const unsigned char *)words_at(w, i, &list[i].length);
    qsort(list, w->count, sizeof *list, compare_reversed);
    *count = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (i == 0 || compare_reversed(&list[i], &list[*count - 1]) != 0)
            list[(*count)++] = list[i];
    return list;
}

/* The id of a word, by a search in that list. */
static inline uint32_t words_id(const reversed *list, uint32_t count, const char *bytes, size_t length)
{
    const reversed key = {(const unsigned char *)bytes, length};
    const reversed *found = count > 0 ? bsearch(&key, list, count, sizeof key, compare_reversed) : NULL;
    return found ? (uint32_t)(found - list) : AKIN_TRIE_UNKNOWN;
}

static inline akin_trie *words_build(akin_context *context, const words *w, akin_trie_kind kind)
{
    akin_trie_options options = AKIN_TRIE_OPTIONS_INIT;
    akin_column column = words_column(w);
    akin_trie *trie = NULL;
    akin_error error;
    options.kind = kind;
    if (akin_trie_build(context, &column, w->count, &options, &trie, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    words_column_clear(&column);
    return trie;
}

/* The trie has these words, under the right ids, and no others. */
static inline void words_expect(const akin_trie *trie, const words *w)
{
    uint32_t count;
    reversed *list = words_by_id(w, &count);
    size_t longest = 0;
    assert_int_equal(akin_trie_count(trie), count);
    for (uint32_t i = 0; i < count; i++)
        longest = list[i].length > longest ? list[i].length : longest;
    char *buffer = malloc(longest + 1);
    assert_non_null(buffer);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = 77;
        size_t length = 77;
        akin_error error;
        assert_true(akin_trie_find(trie, (const char *)list[i].bytes, list[i].length, &id));
        assert_int_equal(id, i);
        if (akin_trie_string(trie, i, buffer, longest, &length, &error) != AKIN_OK)
            fail_msg("%s", error.message);
        assert_int_equal(length, list[i].length);
        if (length > 0)
            assert_memory_equal(buffer, list[i].bytes, length);
    }
    for (uint32_t threads = 1; threads <= 3; threads += 2) { /* and all at once */
        akin_context context = words_context(&context, threads);
        akin_bulk all[2];
        assert_int_equal(akin_trie_list(akin_scope_of(&context), trie, all, NULL), AKIN_OK);
        const uint64_t *offsets = all[0].data;
        assert_int_equal(offsets[0], 0);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(offsets[i + 1] - offsets[i], list[i].length);
            if (list[i].length > 0)
                assert_memory_equal((const char *)all[1].data + offsets[i], list[i].bytes, list[i].length);
        }
        akin_bulk_clear(&all[0]);
        akin_bulk_clear(&all[1]);
    }
    free(buffer);
    free(list);
}

/* Checks dictionaries of random words, few and many, short and long, of small alphabets and large ones, with others to
 * look up. */
static inline void words_check_random(void (*check)(const words *in, const words *asked))
{
    static const struct {
        uint32_t count, longest, alphabet;
    } shapes[] = {{0, 1, 1},       {1, 1, 1},    {1, 0, 1},      {2, 5, 2},      {10, 3, 2},    {100, 6, 3},
                  {300, 12, 2},    {500, 4, 26}, {1000, 3, 255}, {3000, 9, 4},   {5000, 8, 26}, {3000, 20, 255},
                  {20000, 2, 255}, {40, 300, 3}, {30000, 7, 60}, {20000, 40, 20}};
    for (uint64_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        words in = words_draw(i, shapes[i].count, shapes[i].longest, shapes[i].alphabet);
        words asked = words_draw(1000 + i, 3000, shapes[i].longest, shapes[i].alphabet);
        check(&in, &asked);
        words_clear(&in);
        words_clear(&asked);
    }
}

#endif
