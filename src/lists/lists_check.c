/*
 * Takes an inverted index from the sections of a file, and checks it: that every section is as long as it must be, that
 * each document has one number, that lists, blocks and their words follow one another without gaps, that documents
 * ascend, that every count has a factor, and that no factor is beyond a bound. So reading and ranking need no checks.
 */
#include "base/parallel.h"
#include "base/budget.h"
#include "lists/lists.h"

#include <math.h>

#define TASK 4096 /* lists */

_Static_assert(sizeof(akin_block) == 20 && sizeof(akin_list) == 24 && sizeof(akin_lists_head) == 24,
               "structs that lie in memory as in the file");

typedef struct checking {
    akin_lists *lists;
    _Atomic(const char *) why; /* one of the reasons, if there are several */
    uint64_t words;
    uint32_t widest;    /* bits of a number less 1 */
    uint32_t *class_of; /* of each document, */
    akin_bulk bulk;     /* which they are in */
} checking;

static const char *check_lengths(const akin_lists *lists)
{
    const akin_lists_head *head = &lists->head;
    const uint64_t lengths[AKIN_LISTS_PARTS] = {
        [AKIN_LISTS_HEAD] = sizeof *head,
        [AKIN_LISTS_LISTS] = (uint64_t)head->lists * sizeof(akin_list),
        [AKIN_LISTS_BLOCKS] = (uint64_t)head->blocks * sizeof(akin_block),
        [AKIN_LISTS_WORDS] = lists->parts[AKIN_LISTS_WORDS].length / 8 * 8,
        [AKIN_LISTS_NUMBERS] = (uint64_t)head->documents * sizeof(uint32_t),
        [AKIN_LISTS_CLASSES] = ((uint64_t)head->classes + 1) * sizeof(uint32_t),
        [AKIN_LISTS_FIRSTS] = ((uint64_t)head->classes + 1) * sizeof(uint64_t),
        [AKIN_LISTS_FACTORS] = lists->parts[AKIN_LISTS_FACTORS].length / 8 * 8,
    };
    for (int part = 0; part < AKIN_LISTS_PARTS; part++)
        if (lists->parts[part].length != lengths[part])
            return "its sections are not as long as they must be";
    return NULL;
}

static const char *check_classes(const akin_lists *lists)
{
    const akin_lists_head *head = &lists->head;
    const uint64_t factors = lists->parts[AKIN_LISTS_FACTORS].length / sizeof(double);
    if (lists->classes[0] != 0 || lists->classes[head->classes] != head->documents || lists->firsts[0] != 0 ||
        lists->firsts[head->classes] != factors)
        return "its classes are not those of its documents";
    for (uint32_t c = 0; c < head->classes; c++)
        if (lists->classes[c] >= lists->classes[c + 1] || lists->firsts[c] > lists->firsts[c + 1])
            return "its classes are not in order";
    return NULL;
}

static const char *check_factors(const akin_lists *lists)
{
    for (uint64_t i = 0; i < lists->firsts[lists->head.classes]; i++)
        if (!(lists->factors[i] >= 0 && lists->factors[i] <= AKIN_LISTS_LARGEST))
            return "a factor is none";
    return NULL;
}

/* Bits of the largest number of a factor, less 1. */
static uint32_t widest_number(const akin_lists *lists)
{
    uint64_t most = 1;
    for (uint32_t c = 0; c < lists->head.classes; c++)
        most = akin_max_u64(most, lists->firsts[c + 1] - lists->firsts[c]);
    return most > 1 ? 64 - (uint32_t)__builtin_clzll(most - 1) : 0;
}

/* Whether the numbers are each there once; leaves the class of each document. */
static const char *check_numbers(const akin_lists *lists, uint32_t *class_of)
{
    const uint32_t documents = lists->head.documents;
    memset(class_of, 0, (size_t)documents * sizeof *class_of);
    for (uint32_t i = 0; i < documents; i++) {
        uint32_t number = lists->numbers[i];
        if (number >= documents || class_of[number])
            return "two documents have one number";
        class_of[number] = 1;
    }
    for (uint32_t c = 0, i = 0; c < lists->head.classes; c++)
        for (; i < lists->classes[c + 1]; i++)
            class_of[i] = c;
    return NULL;
}

/* Whether the upper halves have a one for each document but the last, then the zero that ends them, and then zeros
 * only. If so, no half is above that of the last document, and decoding and searching give the same documents. */
static const char *check_upper(const akin_block_view *view)
{
    const uint64_t words = (uint64_t)(view->lower - view->upper);
    const uint64_t bits = akin_block_upper(view->block, view->base);
    uint32_t ones = 0;
    for (uint64_t i = 0; i < words; i++)
        ones += akin_popcount64(view->upper[i]);
    if (ones != view->block->entries_less_1)
        return "a block has more documents, or fewer, than it says";
    if (words > 0 && view->upper[words - 1] >> (bits - 1) % 64)
        return "a block has a document behind its last one";
    return NULL;
}

static const char *check_entries(const checking *c, const akin_block_view *view)
{
    const akin_lists *lists = c->lists;
    uint32_t documents[AKIN_BLOCK], count = akin_block_entries(view->block);
    const char *why = check_upper(view);
    if (why)
        return why;
    akin_block_documents(view, documents);
    for (uint32_t i = 0; i < count; i++) {
        if (documents[i] < view->base || documents[i] > view->block->last ||
            (i > 0 && documents[i] <= documents[i - 1]))
            return "the documents of a list are not in order";
        uint32_t class = c->class_of[documents[i]], number = akin_block_factor(view, i);
        if (number == 0 || number > lists->firsts[class + 1] - lists->firsts[class])
            return "a document has no factor for a count";
        if (!(lists->factors[lists->firsts[class] + number - 1] <= (double)view->block->most))
            return "a factor is beyond its bound";
    }
    return NULL;
}

static const char *check_block(const checking *c, const akin_list *list, uint32_t number, uint64_t *words)
{
    const akin_lists *lists = c->lists;
    const akin_block *block = &lists->blocks[list->block + number];
    const uint32_t count = akin_list_blocks(list), base = number > 0 ? block[-1].last + 1 : 0;
    const uint32_t entries = number + 1 < count ? AKIN_BLOCK : (list->count - 1) % AKIN_BLOCK + 1;
    if (block->last >= lists->head.documents || block->last < base || block->last - base < entries - 1)
        return "the blocks of a list are not in order";
    if (akin_block_entries(block) != entries || block->low > 31 || block->counts > c->widest || block->reserved != 0 ||
        block->words != *words)
        return "a block is not what it must be";
    float rest = number + 1 < count ? block[1].rest : 0;
    if (!(block->rest == (rest > block->most ? rest : block->most)))
        return "a bound is not that of the blocks behind it";
    *words += akin_block_words(block, base);
    if (*words > c->words - list->words)
        return "a block is longer than its section";
    akin_block_view view = akin_block_open(lists, list, number);
    return check_entries(c, &view);
}

static const char *check_list(const checking *c, uint32_t i)
{
    const akin_lists *lists = c->lists;
    const akin_list *list = &lists->lists[i];
    const int is_last = i + 1 == lists->head.lists;
    const uint32_t blocks = is_last ? lists->head.blocks : list[1].block, count = akin_list_blocks(list);
    const char *why = NULL;
    uint64_t words = 0;
    if (!(fabs(list->scale) <= AKIN_LISTS_LARGEST) || list->count > lists->head.documents)
        return "a list is not what it must be";
    if (blocks > lists->head.blocks || list->block > blocks || blocks - list->block != count || list->words > c->words)
        return "lists do not follow one another";
    for (uint32_t block = 0; block < count && !why; block++)
        why = check_block(c, list, block, &words);
    if (!why && list->words + words != (is_last ? c->words : list[1].words))
        why = "lists do not follow one another";
    return why;
}

static akin_status check_task(void *argument, uint64_t task, uint32_t thread)
{
    checking *c = argument;
    uint64_t begin = task * TASK, end = akin_min_u64(begin + TASK, c->lists->head.lists);
    const char *why = NULL;
    (void)thread;
    for (uint64_t i = begin; i < end && !why; i++)
        why = check_list(c, (uint32_t)i);
    if (why)
        c->why = why;
    return why ? AKIN_E_INPUT : AKIN_OK;
}

static akin_status check_lists(const akin_scope *scope, checking *c, akin_error *error)
{
    const akin_lists_head *head = &c->lists->head;
    if (head->lists > 0 && (c->lists->lists[0].block != 0 || c->lists->lists[0].words != 0))
        c->why = "its first list does not begin at the beginning";
    else if (head->lists == 0 && (head->blocks != 0 || c->words != 0))
        c->why = "it has blocks of no list";
    uint64_t entries = 0;
    for (uint32_t i = 0; i < head->lists; i++)
        entries += c->lists->lists[i].count;
    if (entries != head->entries)
        c->why = "its entries are not as many as its head says";
    if (c->why)
        return AKIN_E_INPUT;
    akin_status status = akin_parallel(scope, NULL, akin_ceil_div(head->lists, TASK), check_task, c);
    return status == AKIN_OK || status == AKIN_E_INPUT ? status : akin_fail_stopped(error, status, "inverted lists");
}

/* Copies all parts of a mapped file but the words, and checks classes. Behind the factors there is room for each number
 * that a block can have, of any class. */
static akin_status keep_parts(const akin_scope *scope, checking *c, akin_error *error)
{
    static const int parts[] = {AKIN_LISTS_LISTS, AKIN_LISTS_BLOCKS, AKIN_LISTS_NUMBERS, AKIN_LISTS_CLASSES,
                                AKIN_LISTS_FIRSTS};
    akin_lists *lists = c->lists;
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == AKIN_OK; i++)
        status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &lists->parts[parts[i]], 0, &lists->own[parts[i]], error);
    lists->classes = lists->parts[AKIN_LISTS_CLASSES].data;
    lists->firsts = lists->parts[AKIN_LISTS_FIRSTS].data;
    c->why = status == AKIN_OK ? check_classes(lists) : NULL;
    if (status != AKIN_OK || c->why)
        return status == AKIN_OK ? AKIN_E_INPUT : status;
    c->widest = widest_number(lists);
    status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &lists->parts[AKIN_LISTS_FACTORS], sizeof(double) << c->widest,
                               &lists->own[AKIN_LISTS_FACTORS], error);
    lists->lists = lists->parts[AKIN_LISTS_LISTS].data;
    lists->blocks = lists->parts[AKIN_LISTS_BLOCKS].data;
    lists->words = lists->parts[AKIN_LISTS_WORDS].data;
    lists->numbers = lists->parts[AKIN_LISTS_NUMBERS].data;
    lists->factors = lists->parts[AKIN_LISTS_FACTORS].data;
    return status;
}

akin_status akin_lists_take(const akin_scope *scope, const char *name, const akin_section parts[AKIN_LISTS_PARTS],
                            akin_lists *out, akin_error *error)
{
    checking c = {.lists = out};
    akin_status status = AKIN_E_INPUT;
    *out = (akin_lists){0};
    memcpy(out->parts, parts, sizeof out->parts);
    if (parts[AKIN_LISTS_HEAD].length == sizeof out->head)
        memcpy(&out->head, parts[AKIN_LISTS_HEAD].data, sizeof out->head);
    c.words = parts[AKIN_LISTS_WORDS].length / sizeof(uint64_t);
    c.why = check_lengths(out);
    if (!c.why) {
        status = keep_parts(scope, &c, error);
        if (status != AKIN_OK && status != AKIN_E_INPUT)
            return status;
    }
    if (!c.why)
        c.why = check_factors(out);
    status = AKIN_E_INPUT;
    if (!c.why) {
        c.bulk = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_CLASSES));
        status = akin_bulk_reserve(&c.bulk, out->head.documents * sizeof *c.class_of, "inverted lists", error);
        if (status != AKIN_OK)
            return status;
        c.class_of = c.bulk.data;
        c.why = check_numbers(out, c.class_of);
        status = c.why ? AKIN_E_INPUT : check_lists(scope, &c, error);
        akin_bulk_clear(&c.bulk);
    }
    return status == AKIN_E_INPUT
               ? akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no index: %s", name, c.why)
               : status;
}
