/*
 * Takes an inverted index from the sections of a file, and brings its lists one by one, when they are wanted: so a file
 * is open at once, and one query reads of it what its lists are in. What is checked then is what reading relies on:
 * that lists and blocks are in their sections, and that the last documents of blocks ascend.
 */
#include "lists/lists.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/pages.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

_Static_assert(sizeof(akin_block) == 20 && sizeof(akin_list) == 24 && sizeof(akin_lists_head) == 24,
               "structs that lie in memory as in the file");

struct akin_lists_bringing {
    akin_section parts[2]; /* lists and blocks as the file has them */
    pthread_mutex_t lock;  /* of the copies of these */
    uint64_t words;
    uint32_t widest; /* bits of a number less 1 */
    char name[];     /* of the file */
};

static akin_status refuse(const char *name, const char *why, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no index: %s", name, why);
}

akin_status akin_lists_refuse(const akin_lists *lists, const char *why, akin_error *error)
{
    return refuse(lists->bringing->name, why, error);
}

/* --------------------------------------------------------------------------------------------------------- bringing */

static const char *check_block(const akin_lists *lists, const akin_list *list, uint32_t number, uint64_t *words)
{
    const akin_lists_bringing *b = lists->bringing;
    const akin_block *block = &lists->blocks[list->block + number];
    const uint32_t count = akin_list_blocks(list), base = number > 0 ? block[-1].last + 1 : 0;
    const uint32_t entries = number + 1 < count ? AKIN_BLOCK : (list->count - 1) % AKIN_BLOCK + 1;
    if (block->last >= lists->head.documents || block->last < base || block->last - base < entries - 1)
        return "the blocks of a list are not in order";
    if (akin_block_entries(block) != entries || block->low > 31 || block->counts > b->widest || block->reserved != 0 ||
        block->words != *words)
        return "a block is not what it must be";
    float rest = number + 1 < count ? block[1].rest : 0;
    if (!(block->most >= 0) || !(block->rest == (rest > block->most ? rest : block->most)))
        return "a bound is not that of the blocks behind it";
    *words += akin_block_words(block, base);
    return *words > b->words - list->words ? "a block is longer than its section" : NULL;
}

/* Brings the bytes of a part that `count` items of `size` bytes have, from the first on. */
static akin_status bring_items(const akin_lists *lists, int part, uint64_t first, uint64_t count, size_t size,
                               akin_error *error)
{
    const akin_section *section = &lists->bringing->parts[part - AKIN_LISTS_LISTS];
    return count > 0 ? akin_section_bring(section, lists->own[part].data, first * size, (first + count) * size, error)
                     : AKIN_OK;
}

static akin_status bring_list(const akin_lists *lists, uint32_t i, akin_error *error)
{
    const akin_lists_bringing *b = lists->bringing;
    const akin_list *list = &lists->lists[i];
    const char *why = NULL;
    uint64_t words = 0;
    akin_status status = bring_items(lists, AKIN_LISTS_LISTS, i, 1, sizeof *list, error);
    if (status != AKIN_OK)
        return status;
    const uint32_t count = akin_list_blocks(list), blocks = lists->head.blocks;
    if (!(fabs(list->scale) <= AKIN_LISTS_LARGEST) || list->count > lists->head.documents || list->block > blocks ||
        count > blocks - list->block || list->words > b->words)
        return refuse(b->name, "a list is not what it must be", error);
    status = bring_items(lists, AKIN_LISTS_BLOCKS, list->block, count, sizeof *lists->blocks, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t block = 0; block < count && !why; block++)
        why = check_block(lists, list, block, &words);
    if (why)
        return refuse(b->name, why, error);
    return akin_section_check(&lists->parts[AKIN_LISTS_WORDS], list->words * sizeof(uint64_t),
                              (list->words + words) * sizeof(uint64_t), error);
}

akin_status akin_lists_bring_now(const akin_lists *lists, uint32_t list, akin_error *error)
{
    _Atomic uint64_t *bits = &lists->brought[list / 64];
    const uint64_t bit = UINT64_C(1) << list % 64;
    akin_status status = AKIN_OK;
    pthread_mutex_lock(&lists->bringing->lock);
    if (!(atomic_load_explicit(bits, memory_order_relaxed) & bit))
        status = bring_list(lists, list, error);
    if (status == AKIN_OK)
        atomic_fetch_or_explicit(bits, bit, memory_order_release);
    pthread_mutex_unlock(&lists->bringing->lock);
    return status;
}

uint32_t akin_lists_entries(const akin_lists *lists, uint32_t list)
{
    const akin_list *all = lists->bringing ? lists->bringing->parts[0].data : lists->lists;
    return *(const volatile uint32_t *)&all[list].count;
}

akin_status akin_lists_number(const akin_lists *lists, uint32_t document, uint32_t *number, akin_error *error)
{
    akin_status status = akin_section_check(&lists->parts[AKIN_LISTS_NUMBERS], document * sizeof *number,
                                            (document + UINT64_C(1)) * sizeof *number, error);
    if (status == AKIN_OK)
        *number = *(const volatile uint32_t *)&lists->numbers[document]; /* is read once */
    return status == AKIN_OK && *number >= lists->head.documents
               ? akin_lists_refuse(lists, "a document has a number that none has", error)
               : status;
}

/* ----------------------------------------------------------------------------------------------------------- taking */

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
    return head->lists == 0 && (head->blocks != 0 || lengths[AKIN_LISTS_WORDS] > 0) ? "it has blocks of no list" : NULL;
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

/* Checks a part and copies it, also out of memory if there is something to be put behind it. */
static akin_status keep_part(const akin_scope *scope, akin_lists *lists, int part, uint64_t pad, akin_error *error)
{
    akin_section *section = &lists->parts[part];
    section->is_mapped |= pad > 0;
    return akin_section_keep(scope, AKIN_BUDGET_KEPT, section, pad, &lists->own[part], error);
}

/* Makes room for the copy of a part of a mapped file that is brought block by block, and shows in *items where items
 * are read. What has no checksums of blocks is copied at once. */
static akin_status prepare_part(const akin_scope *scope, akin_lists *lists, int part, const void **items,
                                akin_error *error)
{
    akin_section *section = &lists->parts[part];
    akin_bulk *own = &lists->own[part];
    *items = section->data;
    if (!section->is_mapped)
        return AKIN_OK;
    if (!section->blocks) {
        akin_status status = akin_section_keep(scope, AKIN_BUDGET_KEPT, section, 0, own, error);
        *items = section->data;
        return status;
    }
    *own = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_KEPT));
    akin_status status = akin_bulk_reserve(own, section->length + 1, "a saved file", error);
    if (status != AKIN_OK)
        return status;
    akin_bulk_trim(own, section->length + 1);
    akin_pages_scatter(own->data, (size_t)section->length);
    *items = own->data;
    return AKIN_OK;
}

static akin_status begin_bringing(const akin_scope *scope, const char *name, akin_lists *lists, akin_error *error)
{
    const size_t length = strlen(name) + 1;
    const void *items[2] = {NULL, NULL};
    akin_status status = prepare_part(scope, lists, AKIN_LISTS_LISTS, &items[0], error);
    if (status == AKIN_OK)
        status = prepare_part(scope, lists, AKIN_LISTS_BLOCKS, &items[1], error);
    if (status != AKIN_OK)
        return status;
    akin_lists_bringing *b = akin_alloc_zero(NULL, 1, sizeof *b + length);
    lists->brought = akin_alloc_zero(NULL, lists->head.lists / 64 + 1, sizeof *lists->brought);
    if (!b || !lists->brought || pthread_mutex_init(&b->lock, NULL) != 0) {
        akin_free(b);
        return akin_fail_memory(error, "inverted lists");
    }
    memcpy(b->name, name, length);
    memcpy(b->parts, &lists->parts[AKIN_LISTS_LISTS], sizeof b->parts);
    b->words = lists->parts[AKIN_LISTS_WORDS].length / sizeof(uint64_t);
    b->widest = widest_number(lists);
    lists->bringing = b;
    lists->lists = lists->parts[AKIN_LISTS_LISTS].data = items[0];
    lists->blocks = lists->parts[AKIN_LISTS_BLOCKS].data = items[1];
    lists->words = lists->parts[AKIN_LISTS_WORDS].data;
    lists->numbers = lists->parts[AKIN_LISTS_NUMBERS].data;
    return AKIN_OK;
}

/* Checks the parts that are small, and copies them. Behind the factors there is room for each number that a block can
 * have, of any class. */
static akin_status take_classes(const akin_scope *scope, const char *name, akin_lists *lists, akin_error *error)
{
    static const int parts[] = {AKIN_LISTS_CLASSES, AKIN_LISTS_FIRSTS};
    const char *why = check_lengths(lists);
    akin_status status = why ? refuse(name, why, error) : AKIN_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == AKIN_OK; i++)
        status = keep_part(scope, lists, parts[i], 0, error);
    if (status != AKIN_OK)
        return status;
    lists->classes = lists->parts[AKIN_LISTS_CLASSES].data;
    lists->firsts = lists->parts[AKIN_LISTS_FIRSTS].data;
    why = check_classes(lists);
    if (why)
        return refuse(name, why, error);
    status = keep_part(scope, lists, AKIN_LISTS_FACTORS, sizeof(double) << widest_number(lists), error);
    if (status != AKIN_OK)
        return status;
    lists->factors = lists->parts[AKIN_LISTS_FACTORS].data;
    why = check_factors(lists);
    return why ? refuse(name, why, error) : AKIN_OK;
}

akin_status akin_lists_take(const akin_scope *scope, const char *name, const akin_section parts[AKIN_LISTS_PARTS],
                            akin_lists *out, akin_error *error)
{
    static const int checked[] = {AKIN_LISTS_HEAD, AKIN_LISTS_CLASSES, AKIN_LISTS_FIRSTS, AKIN_LISTS_FACTORS};
    akin_status status = AKIN_OK;
    *out = (akin_lists){0};
    memcpy(out->parts, parts, sizeof out->parts);
    for (size_t i = 0; i < sizeof checked / sizeof *checked && status == AKIN_OK; i++)
        status = akin_section_check(&parts[checked[i]], 0, parts[checked[i]].length, error);
    if (status != AKIN_OK)
        return status;
    if (parts[AKIN_LISTS_HEAD].length == sizeof out->head)
        memcpy(&out->head, parts[AKIN_LISTS_HEAD].data, sizeof out->head);
    status = take_classes(scope, name, out, error);
    return status == AKIN_OK ? begin_bringing(scope, name, out, error) : status;
}

void akin_lists_clear(akin_lists *lists)
{
    for (int part = 0; part < AKIN_LISTS_PARTS; part++)
        akin_bulk_clear(&lists->own[part]);
    if (lists->bringing)
        pthread_mutex_destroy(&lists->bringing->lock);
    akin_free(lists->bringing);
    akin_free(lists->brought);
    *lists = (akin_lists){0};
}
