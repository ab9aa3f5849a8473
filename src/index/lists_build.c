/*
 * Builds an inverted index: documents are put in the order of their keys, the factors of each class tabulated, and the lists
 * coded by all threads, each task some lists in memory of its own, which is put together at the end.
 */
#include "base/parallel.h"
#include "base/sort.h"
#include "index/lists.h"

#include <math.h>

#define TASK_ENTRIES 65536 /* of a task's lists, about */
#define RADIX_FROM   4096

/* What a task has made. */
typedef struct piece {
    uint32_t first, end; /* lists */
    akin_block *blocks;
    uint64_t *words;
    uint64_t block_count, block_capacity, word_count, word_capacity;
} piece;

/* A thread's entries of a list, document << 32 | count. */
typedef struct entries {
    uint64_t *keys, *scratch;
    uint64_t capacity, scratch_capacity;
} entries;

typedef struct building {
    const akin_lists_source *source;
    akin_lists *lists;
    akin_list *list;      /* the lists, being made */
    uint32_t *place;      /* of each of the caller's documents, its new number */
    uint32_t *class_of;   /* of each new number */
    uint32_t *class_most; /* the largest count in each class */
    uint32_t *class_key;
    uint64_t *firsts; /* of the lists' factors */
    double *factors;
    piece *pieces;
    uint64_t piece_count;
    entries *entries; /* one for each thread */
} building;

static const char what[] = "an index"; /* the memory is for */

/* -------------------------------------------------------------------------------------------------------- documents */

static akin_status order_documents(building *b, akin_error *error)
{
    const akin_lists_source *source = b->source;
    uint64_t documents = source->documents;
    uint64_t *keys = akin_alloc(NULL, documents, sizeof *keys), *scratch = akin_alloc(NULL, documents, sizeof *scratch);
    uint32_t *numbers = akin_alloc(NULL, documents, sizeof *numbers), classes = 0;
    b->lists->own[AKIN_LISTS_NUMBERS] = numbers;
    b->place = akin_alloc(NULL, documents, sizeof *b->place);
    b->class_of = akin_alloc(NULL, documents, sizeof *b->class_of);
    if (keys && scratch && numbers && b->place && b->class_of) {
        for (uint64_t i = 0; i < documents; i++)
            keys[i] = (uint64_t)source->keys[i] << 32 | i;
        akin_radix_sort_u64(keys, scratch, documents);
        uint64_t placed = 0;
        for (uint8_t late = 0; late < 2; late++)
            for (uint64_t i = 0; i < documents; i++)
                if (source->late[(uint32_t)keys[i]] == late)
                    numbers[placed++] = (uint32_t)keys[i];
        for (uint64_t i = 0; i < documents; i++) {
            const uint32_t number = numbers[i], before = numbers[i > 0 ? i - 1 : 0];
            const int is_alike =
                source->keys[number] == source->keys[before] && source->late[number] == source->late[before];
            b->place[number] = (uint32_t)i;
            classes += i == 0 || !is_alike;
            b->class_of[i] = classes - 1;
        }
    }
    akin_free(keys);
    akin_free(scratch);
    uint32_t *starts = akin_alloc(NULL, (uint64_t)classes + 1, sizeof *starts);
    b->lists->own[AKIN_LISTS_CLASSES] = starts;
    b->class_most = akin_alloc_zero(NULL, classes, sizeof *b->class_most);
    b->class_key = akin_alloc(NULL, classes, sizeof *b->class_key);
    if (!keys || !scratch || !numbers || !b->place || !b->class_of || !starts || !b->class_most || !b->class_key)
        return akin_fail_memory(error, what);
    for (uint64_t i = documents; i-- > 0;) {
        starts[b->class_of[i]] = (uint32_t)i;
        b->class_key[b->class_of[i]] = source->keys[numbers[i]];
    }
    starts[classes] = source->documents;
    b->lists->head.documents = source->documents;
    b->lists->head.classes = classes;
    return AKIN_OK;
}

/* Finds the largest count of each class, and with them the number of entries, and makes the factors. */
static akin_status make_factors(building *b, akin_error *error)
{
    const akin_lists_source *source = b->source;
    akin_lists_head *head = &b->lists->head;
    uint64_t total = 0;
    for (uint32_t i = 0; i < source->lists; i++) {
        const uint32_t *documents, *counts;
        double scale;
        uint32_t count = source->list(source->user, i, &documents, &counts, &scale);
        head->entries += count;
        for (uint32_t j = 0; j < count; j++) {
            uint32_t *most = &b->class_most[b->class_of[b->place[documents[j]]]];
            *most = *most < counts[j] ? counts[j] : *most;
        }
    }
    for (uint32_t c = 0; c < head->classes; c++)
        total += b->class_most[c];
    b->firsts = b->lists->own[AKIN_LISTS_FIRSTS] = akin_alloc(NULL, (uint64_t)head->classes + 1, sizeof *b->firsts);
    b->factors = b->lists->own[AKIN_LISTS_FACTORS] = akin_alloc(NULL, total, sizeof *b->factors);
    if (!b->firsts || !b->factors)
        return akin_fail_memory(error, what);
    total = 0;
    for (uint32_t c = 0; c < head->classes; c++) {
        b->firsts[c] = total;
        for (uint32_t n = 1; n <= b->class_most[c]; n++)
            b->factors[total++] = source->factor(source->user, b->class_key[c], n);
        for (uint64_t i = b->firsts[c]; i < total; i++)
            if (!(b->factors[i] <= AKIN_LISTS_LARGEST))
                return akin_fail(error, AKIN_E_OPTION, "weights of an index are beyond %g", AKIN_LISTS_LARGEST);
    }
    b->firsts[head->classes] = total;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ coding */

static uint32_t bits_of(uint64_t value)
{
    return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

/* The least float that is not below a double. */
static float round_up(double value)
{
    float rounded = (float)value;
    return (double)rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

static void pack(uint64_t *words, uint32_t i, uint32_t bits, uint64_t value)
{
    uint64_t at = (uint64_t)i * bits, shift = at % 64;
    if (bits == 0)
        return;
    words[at / 64] |= value << shift;
    if (shift > 0 && shift + bits > 64)
        words[at / 64 + 1] |= value >> (64 - shift);
}

/* Describes the block of `count` entries: all but its words and its bounds. */
static akin_block describe(const uint64_t *keys, uint32_t count, uint32_t base)
{
    akin_block block = {.last = (uint32_t)(keys[count - 1] >> 32), .entries_less_1 = (uint8_t)(count - 1)};
    uint32_t most = 0, others = count - 1;
    for (uint32_t i = 0; i < count; i++)
        most = most < (uint32_t)keys[i] ? (uint32_t)keys[i] : most;
    block.counts = (uint8_t)bits_of(most - 1);
    block.low = others ? (uint8_t)bits_of((block.last - base) / others / 2) : 0;
    return block;
}

static akin_status code_block(building *b, piece *p, const uint64_t *keys, uint32_t count, uint32_t base,
                              uint64_t list_words)
{
    akin_block block = describe(keys, count, base);
    uint64_t need = akin_block_words(&block, base);
    akin_block *blocks = akin_enlarge(NULL, p->blocks, &p->block_capacity, p->block_count + 1, sizeof *blocks);
    p->blocks = blocks ? blocks : p->blocks;
    uint64_t *words = akin_enlarge(NULL, p->words, &p->word_capacity, p->word_count + need + 1, sizeof *words);
    p->words = words ? words : p->words;
    if (!blocks || !words)
        return AKIN_E_NOMEM;
    if (p->word_count - list_words > UINT32_MAX)
        return AKIN_E_LIMIT;
    block.words = (uint32_t)(p->word_count - list_words);
    uint64_t *upper = words + p->word_count, *lower = upper + akin_ceil_div(akin_block_upper(&block, base), 64);
    uint64_t *counts = lower + akin_ceil_div((uint64_t)(count - 1) * block.low, 64);
    double most = 0;
    memset(upper, 0, need * sizeof *upper);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t document = (uint32_t)(keys[i] >> 32), times = (uint32_t)keys[i];
        double factor = b->factors[b->firsts[b->class_of[document]] + times - 1];
        most = factor > most ? factor : most;
        pack(counts, i, block.counts, times - 1);
        if (i + 1 == count)
            break;
        uint64_t value = document - base, place = (value >> block.low) + i;
        upper[place / 64] |= UINT64_C(1) << place % 64;
        pack(lower, i, block.low, value & ((UINT64_C(1) << block.low) - 1));
    }
    block.most = round_up(most);
    blocks[p->block_count++] = block;
    p->word_count += need;
    return AKIN_OK;
}

/* The entries of a list by the new numbers of their documents, ascending. */
static akin_status gather(building *b, uint32_t list, entries *e, uint32_t *out)
{
    const uint32_t *documents, *counts;
    double scale;
    uint32_t count = b->source->list(b->source->user, list, &documents, &counts, &scale);
    uint64_t *keys = akin_enlarge(NULL, e->keys, &e->capacity, (uint64_t)count + 1, sizeof *keys);
    e->keys = keys ? keys : e->keys;
    uint64_t *scratch = akin_enlarge(NULL, e->scratch, &e->scratch_capacity, (uint64_t)count + 1, sizeof *scratch);
    e->scratch = scratch ? scratch : e->scratch;
    if (!keys || !scratch)
        return AKIN_E_NOMEM;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)b->place[documents[i]] << 32 | counts[i];
    if (count < RADIX_FROM)
        akin_sort_u64(keys, count);
    else
        akin_radix_sort_upper_u64(keys, scratch, count, 32);
    if (!(fabs(scale) <= AKIN_LISTS_LARGEST))
        return AKIN_E_OPTION;
    b->list[list] = (akin_list){.scale = scale, .count = count};
    *out = count;
    return AKIN_OK;
}

static akin_status code_lists(void *argument, uint64_t task, uint32_t thread)
{
    building *b = argument;
    piece *p = &b->pieces[task];
    entries *e = &b->entries[thread];
    akin_status status = AKIN_OK;
    for (uint32_t list = p->first; list < p->end && status == AKIN_OK; list++) {
        uint32_t count = 0, base = 0;
        uint64_t words = p->word_count, blocks = p->block_count;
        status = gather(b, list, e, &count);
        for (uint64_t i = 0; i < count && status == AKIN_OK; i += AKIN_BLOCK) {
            uint32_t some = count - i < AKIN_BLOCK ? (uint32_t)(count - i) : AKIN_BLOCK;
            status = code_block(b, p, e->keys + i, some, base, words);
            if (status == AKIN_OK)
                base = p->blocks[p->block_count - 1].last + 1;
        }
        float rest = 0;
        for (uint64_t i = p->block_count; i-- > blocks && status == AKIN_OK;) {
            rest = p->blocks[i].most > rest ? p->blocks[i].most : rest;
            p->blocks[i].rest = rest;
        }
    }
    return status;
}

/* Cuts the lists into tasks of about equal work. */
static akin_status make_pieces(building *b, akin_error *error)
{
    const akin_lists_source *source = b->source;
    uint64_t most = b->lists->head.entries / TASK_ENTRIES + source->lists / TASK_ENTRIES + 2, weight = 0;
    b->pieces = akin_alloc_zero(NULL, most, sizeof *b->pieces);
    if (!b->pieces)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < source->lists; i++) {
        const uint32_t *documents, *counts;
        double scale;
        weight += 1 + source->list(source->user, i, &documents, &counts, &scale);
        b->pieces[b->piece_count].end = i + 1;
        if (weight >= TASK_ENTRIES && i + 1 < source->lists) {
            b->pieces[++b->piece_count].first = i + 1;
            weight = 0;
        }
    }
    b->piece_count += source->lists > 0;
    return AKIN_OK;
}

/* Puts the pieces together. */
static akin_status join_pieces(building *b, akin_error *error)
{
    akin_lists_head *head = &b->lists->head;
    uint64_t blocks = 0, words = 0;
    for (uint64_t i = 0; i < b->piece_count; i++) {
        blocks += b->pieces[i].block_count;
        words += b->pieces[i].word_count;
    }
    if (blocks > UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "an index of more than 4294967295 blocks");
    akin_block *all = b->lists->own[AKIN_LISTS_BLOCKS] = akin_alloc(NULL, blocks, sizeof *all);
    uint64_t *all_words = b->lists->own[AKIN_LISTS_WORDS] = akin_alloc_zero(NULL, words + 1, sizeof *all_words);
    if (!all || !all_words)
        return akin_fail_memory(error, what);
    head->blocks = (uint32_t)blocks;
    blocks = words = 0;
    for (uint64_t i = 0; i < b->piece_count; i++) {
        piece *p = &b->pieces[i];
        uint64_t block = blocks, at = words;
        if (p->block_count > 0)
            memcpy(all + blocks, p->blocks, p->block_count * sizeof *all);
        if (p->word_count > 0)
            memcpy(all_words + words, p->words, p->word_count * sizeof *all_words);
        for (uint32_t l = p->first; l < p->end; l++) {
            akin_list *list = &b->list[l];
            uint32_t count = akin_list_blocks(list);
            list->block = (uint32_t)block;
            list->words = at;
            for (uint32_t j = 0; j < count; j++)
                at = list->words + all[block + j].words +
                     akin_block_words(&all[block + j], j > 0 ? all[block + j - 1].last + 1 : 0);
            block += count;
        }
        blocks += p->block_count;
        words += p->word_count;
        akin_free(p->blocks);
        akin_free(p->words);
        *p = (piece){.first = p->first, .end = p->end};
    }
    b->lists->parts[AKIN_LISTS_WORDS].length = words * sizeof(uint64_t);
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- building */

static void settle(akin_lists *lists)
{
    const akin_lists_head *head = &lists->head;
    void *const *own = lists->own;
    lists->lists = own[AKIN_LISTS_LISTS];
    lists->blocks = own[AKIN_LISTS_BLOCKS];
    lists->words = own[AKIN_LISTS_WORDS];
    lists->numbers = own[AKIN_LISTS_NUMBERS];
    lists->classes = own[AKIN_LISTS_CLASSES];
    lists->firsts = own[AKIN_LISTS_FIRSTS];
    lists->factors = own[AKIN_LISTS_FACTORS];
    lists->parts[AKIN_LISTS_LISTS].length = head->lists * sizeof(akin_list);
    lists->parts[AKIN_LISTS_BLOCKS].length = head->blocks * sizeof(akin_block);
    lists->parts[AKIN_LISTS_NUMBERS].length = head->documents * sizeof(uint32_t);
    lists->parts[AKIN_LISTS_CLASSES].length = (head->classes + UINT64_C(1)) * sizeof(uint32_t);
    lists->parts[AKIN_LISTS_FIRSTS].length = (head->classes + UINT64_C(1)) * sizeof(uint64_t);
    lists->parts[AKIN_LISTS_FACTORS].length = lists->firsts[head->classes] * sizeof(double);
    for (int part = AKIN_LISTS_LISTS; part < AKIN_LISTS_PARTS; part++)
        lists->parts[part].data = own[part];
    lists->parts[AKIN_LISTS_HEAD] = (akin_section){&lists->head, sizeof lists->head};
}

static akin_status build(akin_context *context, building *b, akin_error *error)
{
    const akin_lists_source *source = b->source;
    b->lists->head.lists = source->lists;
    b->list = b->lists->own[AKIN_LISTS_LISTS] = akin_alloc_zero(NULL, source->lists, sizeof *b->list);
    b->entries = akin_alloc_zero(NULL, context->threads, sizeof *b->entries);
    if (!b->list || !b->entries)
        return akin_fail_memory(error, what);
    akin_status status = order_documents(b, error);
    if (status == AKIN_OK)
        status = make_factors(b, error);
    if (status == AKIN_OK)
        status = make_pieces(b, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(context, "indexing", b->piece_count, code_lists, b);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "an index with a list of more than 32 GiB");
    if (status == AKIN_E_OPTION)
        return akin_fail(error, status, "weights of an index are beyond %g", AKIN_LISTS_LARGEST);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    return join_pieces(b, error);
}

akin_status akin_lists_build(akin_context *context, const akin_lists_source *source, akin_lists *out, akin_error *error)
{
    building b = {.source = source, .lists = out};
    *out = (akin_lists){0};
    akin_status status = build(context, &b, error);
    if (status == AKIN_OK)
        settle(out);
    for (uint64_t i = 0; b.pieces && i < b.piece_count; i++) {
        akin_free(b.pieces[i].blocks);
        akin_free(b.pieces[i].words);
    }
    for (uint32_t i = 0; b.entries && i < context->threads; i++) {
        akin_free(b.entries[i].keys);
        akin_free(b.entries[i].scratch);
    }
    akin_free(b.pieces);
    akin_free(b.entries);
    akin_free(b.place);
    akin_free(b.class_of);
    akin_free(b.class_most);
    akin_free(b.class_key);
    return status;
}
