/*
 * Checks an inverted index of a file, entry by entry: that each document has one number, that lists, blocks and their
 * words follow one another without gaps, that documents ascend, that every count has a factor, and that no factor is
 * beyond a bound.
 */
#include "base/parallel.h"
#include "base/budget.h"
#include "lists/lists.h"

#define TASK 4096 /* lists */

typedef struct checking {
    const akin_lists *lists;
    _Atomic(const char *) why; /* one of the reasons, if there are several */
    uint64_t words;
    uint32_t *class_of; /* of each document, */
    akin_bulk bulk;     /* which they are in */
} checking;

/* Whether the numbers are each there once; leaves the class of each document. */
static const char *check_numbers(const akin_lists *lists, uint32_t *class_of)
{
    const uint32_t documents = lists->head.documents;
    memset(class_of, 0, (size_t)documents * sizeof *class_of);
    for (uint32_t i = 0; i < documents; i++) {
        uint32_t number = *(const volatile uint32_t *)&lists->numbers[i];
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

/* Checks a list, which was brought, and that the next one follows it. */
static const char *check_list(const checking *c, uint32_t i)
{
    const akin_lists *lists = c->lists;
    const akin_list *list = &lists->lists[i];
    const int is_last = i + 1 == lists->head.lists;
    const uint32_t count = akin_list_blocks(list), next = is_last ? lists->head.blocks : list[1].block;
    const akin_block_view last = count > 0 ? akin_block_open(lists, list, count - 1) : (akin_block_view){0};
    const uint64_t words = count > 0 ? last.block->words + akin_block_words(last.block, last.base) : 0;
    const char *why = NULL;
    if (list->block + count != next || list->words + words != (is_last ? c->words : list[1].words))
        return "lists do not follow one another";
    for (uint32_t block = 0; block < count && !why; block++) {
        const akin_block_view view = akin_block_open(lists, list, block);
        why = check_entries(c, &view);
    }
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

static const char *check_heads(const checking *c)
{
    const akin_lists_head *head = &c->lists->head;
    uint64_t entries = 0;
    if (head->lists > 0 && (c->lists->lists[0].block != 0 || c->lists->lists[0].words != 0))
        return "its first list does not begin at the beginning";
    for (uint32_t i = 0; i < head->lists; i++)
        entries += c->lists->lists[i].count;
    return entries == head->entries ? NULL : "its entries are not as many as its head says";
}

/* Brings all lists, and checks their sections. */
static akin_status bring_all(const akin_scope *scope, const akin_lists *lists, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < lists->head.lists && status == AKIN_OK; i++) {
        if (i % TASK == 0 && akin_scope_report(scope, NULL, 0, 0) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, "inverted lists");
        status = akin_lists_bring(lists, i, error);
    }
    for (int part = AKIN_LISTS_WORDS; part <= AKIN_LISTS_NUMBERS && status == AKIN_OK; part++)
        status = akin_section_check(&lists->parts[part], 0, lists->parts[part].length, error);
    return status;
}

akin_status akin_lists_check(const akin_scope *scope, const akin_lists *lists, akin_error *error)
{
    checking c = {.lists = lists, .words = lists->parts[AKIN_LISTS_WORDS].length / sizeof(uint64_t)};
    akin_status status = lists->bringing ? bring_all(scope, lists, error) : AKIN_OK;
    if (status != AKIN_OK || !lists->bringing)
        return status;
    c.why = check_heads(&c);
    if (!c.why) {
        c.bulk = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_CLASSES));
        status = akin_bulk_reserve(&c.bulk, lists->head.documents * sizeof *c.class_of, "inverted lists", error);
        if (status != AKIN_OK)
            return status;
        c.class_of = c.bulk.data;
        c.why = check_numbers(lists, c.class_of);
    }
    if (!c.why) {
        status = akin_parallel(scope, NULL, akin_ceil_div(lists->head.lists, TASK), check_task, &c);
        if (status != AKIN_OK && status != AKIN_E_INPUT)
            status = akin_fail_stopped(error, status, "inverted lists");
    }
    akin_bulk_clear(&c.bulk);
    return c.why ? akin_lists_refuse(lists, c.why, error) : status;
}
