/*
 * Builds an inverted index. It puts the documents in the order of their keys, tabulates the factors of each class, and
 * codes the lists. All threads code some lists at a time, each task in memory of its own, and the result is appended.
 * All arrays are in a store, so under a memory bound they go to temporary files.
 */
#include "base/parallel.h"
#include "base/budget.h"
#include "base/sort.h"
#include "lists/lists.h"

#include <math.h>

#define TASK_ENTRIES 65536 /* of a task's lists, about */
#define TASKS_EACH   16    /* tasks for each thread, until what they have made is put together */
#define RADIX_FROM   4096
#define PLAIN_MOST   32 /* counts that are numbers of factors themselves, see below */

/* What a task makes. */
typedef struct piece {
    uint32_t first, end; /* lists */
    akin_coded coded;
} piece;

/* A thread's entries of a list, document << 32 | number of the factor. */
typedef struct entries {
    uint64_t *keys, *scratch;
    akin_bulk bulks[2];
} entries;

/*
 * An entry has the number of its factor, from 1 on. Up to PLAIN_MOST this is the count. Larger counts are rare, and may
 * be as large as a document is long. A class lists those that occur, ascending, behind its plain ones:
 *
 *     factors of a class    | 1 | 2 | ... | the largest up to PLAIN_MOST || 40 | 75 | 1202 |
 */
typedef struct building {
    const akin_lists_source *source;
    akin_store *store;
    akin_lists *lists;
    akin_list *list;      /* the lists, being made */
    uint32_t *place;      /* of each of the caller's documents, its new number */
    uint32_t *class_of;   /* of each new number */
    uint32_t *class_most; /* the largest plain count in each class */
    uint32_t *class_key;
    uint64_t *class_large; /* where the large counts of each class begin, one more than there are classes */
    uint64_t *large;       /* those of all classes: class << 32 | count, ascending */
    uint64_t *firsts;      /* of the lists' factors */
    double *factors;
    akin_bulk bulks[5]; /* what class_large, large, place, class_of, and class_most with class_key are in */
    piece *pieces;
    uint32_t piece_most, piece_count;
    entries *entries; /* one for each thread */
} building;

enum { LARGE_STARTS, LARGE, PLACE, CLASS_OF, CLASSES };

static const char what[] = "inverted lists"; /* the memory is for */

/* Makes an array that is not to grow. */
static akin_status reserve_fixed(const building *b, akin_bulk *bulk, uint64_t count, size_t size, akin_error *error)
{
    *bulk = akin_bulk_in(b->store);
    return akin_bulk_reserve(bulk, count * size, what, error);
}

/* -------------------------------------------------------------------------------------------------------- documents */

/* Sorts the documents by key, the late ones behind the others, and finds their classes. `keys` and `scratch` are
 * scratch arrays. */
static void sort_documents(building *b, uint64_t *keys, uint64_t *scratch, uint32_t *numbers)
{
    const akin_lists_source *source = b->source;
    const uint64_t documents = source->documents;
    uint64_t placed = 0;
    uint32_t classes = 0;
    for (uint64_t i = 0; i < documents; i++)
        keys[i] = (uint64_t)source->keys[i] << 32 | i;
    akin_radix_sort_u64(keys, scratch, documents);
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
    b->lists->head.documents = source->documents;
    b->lists->head.classes = classes;
}

static akin_status make_classes(building *b, akin_error *error)
{
    const uint32_t classes = b->lists->head.classes, *numbers = b->lists->own[AKIN_LISTS_NUMBERS].data;
    akin_bulk *own = &b->lists->own[AKIN_LISTS_CLASSES];
    akin_status status = reserve_fixed(b, own, (uint64_t)classes + 1, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = reserve_fixed(b, &b->bulks[CLASSES], 2 * (uint64_t)classes, sizeof(uint32_t), error);
    if (status != AKIN_OK)
        return status;
    uint32_t *starts = own->data;
    b->class_most = b->bulks[CLASSES].data;
    b->class_key = b->class_most + classes;
    for (uint64_t i = b->source->documents; i-- > 0;) {
        starts[b->class_of[i]] = (uint32_t)i;
        b->class_key[b->class_of[i]] = b->source->keys[numbers[i]];
    }
    starts[classes] = b->source->documents;
    memset(b->class_most, 0, classes * sizeof *b->class_most);
    return AKIN_OK;
}

static akin_status order_documents(building *b, akin_error *error)
{
    const uint64_t documents = b->source->documents;
    akin_bulk keys = {0}, scratch = {0}, *numbers = &b->lists->own[AKIN_LISTS_NUMBERS];
    akin_status status = reserve_fixed(b, numbers, documents, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = reserve_fixed(b, &b->bulks[PLACE], documents, sizeof *b->place, error);
    if (status == AKIN_OK)
        status = reserve_fixed(b, &b->bulks[CLASS_OF], documents, sizeof *b->class_of, error);
    if (status == AKIN_OK)
        status = reserve_fixed(b, &keys, documents, sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = reserve_fixed(b, &scratch, documents, sizeof(uint64_t), error);
    b->place = b->bulks[PLACE].data;
    b->class_of = b->bulks[CLASS_OF].data;
    if (status == AKIN_OK)
        sort_documents(b, keys.data, scratch.data, numbers->data);
    akin_bulk_clear(&keys);
    akin_bulk_clear(&scratch);
    return status == AKIN_OK ? make_classes(b, error) : status;
}

/* ---------------------------------------------------------------------------------------------------------- factors */

/* Finds the largest plain count of each class, and lists the large ones. */
static akin_status measure_counts(building *b, uint64_t *large, akin_error *error)
{
    const akin_lists_source *source = b->source;
    akin_bulk *bulk = &b->bulks[LARGE];
    *bulk = akin_bulk_in(b->store);
    *large = 0;
    for (uint32_t i = 0; i < source->lists; i++) {
        const uint32_t *documents, *counts;
        double scale;
        uint32_t count = source->list(source->user, i, &documents, &counts, &scale);
        b->lists->head.entries += count;
        for (uint32_t j = 0; j < count; j++) {
            const uint32_t class = b->class_of[b->place[documents[j]]], plain = counts[j] > PLAIN_MOST ? 1 : counts[j];
            b->class_most[class] = akin_max_u32(b->class_most[class], plain);
            if (counts[j] <= PLAIN_MOST)
                continue;
            akin_status status = akin_bulk_grow(bulk, (*large + 1) * sizeof *b->large, what, error);
            if (status != AKIN_OK)
                return status;
            ((uint64_t *)bulk->data)[(*large)++] = (uint64_t) class << 32 | counts[j];
        }
    }
    b->large = bulk->data;
    return AKIN_OK;
}

/* Puts the large counts in order, each once; returns how many there are then. */
static uint64_t sort_large(building *b, uint64_t count)
{
    uint64_t kept = 0;
    if (count > 0)
        akin_sort_u64(b->large, count);
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || b->large[i] != b->large[i - 1])
            b->large[kept++] = b->large[i];
    for (uint32_t c = 0; c <= b->lists->head.classes; c++)
        b->class_large[c] = akin_lower_bound_u64(b->large, kept, (uint64_t)c << 32);
    return kept;
}

/* The number of a factor. */
static uint32_t factor_number(const building *b, uint32_t document, uint32_t count)
{
    if (count <= PLAIN_MOST)
        return count;
    const uint32_t class = b->class_of[document];
    const uint64_t first = b->class_large[class], end = b->class_large[class + 1];
    return b->class_most[class] + 1 +
           (uint32_t)akin_lower_bound_u64(b->large + first, end - first, (uint64_t) class << 32 | count);
}

/* The factors of a class, from *at on. */
static akin_status fill_class(const building *b, uint32_t class, uint64_t *at, akin_error *error)
{
    const akin_lists_source *source = b->source;
    const uint64_t first = *at;
    for (uint32_t n = 1; n <= b->class_most[class]; n++)
        b->factors[(*at)++] = source->factor(source->user, b->class_key[class], n);
    for (uint64_t i = b->class_large[class]; i < b->class_large[class + 1]; i++)
        b->factors[(*at)++] = source->factor(source->user, b->class_key[class], (uint32_t)b->large[i]);
    for (uint64_t i = first; i < *at; i++)
        if (!(b->factors[i] <= AKIN_LISTS_LARGEST))
            return akin_fail(error, AKIN_E_OPTION, "weights of an index are beyond %g", AKIN_LISTS_LARGEST);
    return AKIN_OK;
}

static akin_status make_factors(building *b, akin_error *error)
{
    const uint32_t classes = b->lists->head.classes;
    akin_bulk *own = b->lists->own;
    uint64_t total = 0;
    akin_status status = measure_counts(b, &total, error);
    if (status == AKIN_OK)
        status = reserve_fixed(b, &b->bulks[LARGE_STARTS], (uint64_t)classes + 1, sizeof *b->class_large, error);
    if (status == AKIN_OK)
        status = reserve_fixed(b, &own[AKIN_LISTS_FIRSTS], (uint64_t)classes + 1, sizeof *b->firsts, error);
    if (status != AKIN_OK)
        return status;
    b->class_large = b->bulks[LARGE_STARTS].data;
    total = sort_large(b, total);
    for (uint32_t c = 0; c < classes; c++)
        total += b->class_most[c];
    status = reserve_fixed(b, &own[AKIN_LISTS_FACTORS], total, sizeof *b->factors, error);
    b->firsts = own[AKIN_LISTS_FIRSTS].data;
    b->factors = own[AKIN_LISTS_FACTORS].data;
    total = 0;
    for (uint32_t c = 0; c < classes && status == AKIN_OK; c++) {
        b->firsts[c] = total;
        status = fill_class(b, c, &total, error);
    }
    b->firsts[classes] = total;
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- tasks */

/* The entries of a list by the new numbers of their documents, ascending. */
static akin_status gather_entries(building *b, uint32_t list, entries *e, uint32_t *out)
{
    const uint32_t *documents, *counts;
    double scale;
    uint32_t count = b->source->list(b->source->user, list, &documents, &counts, &scale);
    akin_status status = akin_bulk_grow(&e->bulks[0], ((uint64_t)count + 1) * sizeof *e->keys, NULL, NULL);
    if (status == AKIN_OK && count >= RADIX_FROM)
        status = akin_bulk_grow(&e->bulks[1], (uint64_t)count * sizeof *e->scratch, NULL, NULL);
    if (status != AKIN_OK)
        return status;
    uint64_t *keys = e->keys = e->bulks[0].data;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t document = b->place[documents[i]];
        keys[i] = (uint64_t)document << 32 | factor_number(b, document, counts[i]);
    }
    if (count < RADIX_FROM)
        akin_sort_u64(keys, count);
    else
        akin_radix_sort_upper_u64(keys, e->bulks[1].data, count, 32);
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
    const akin_factors factors = {b->class_of, b->firsts, b->factors};
    p->coded.block_count = p->coded.word_count = 0;
    for (uint32_t list = p->first; list < p->end && status == AKIN_OK; list++) {
        uint32_t count = 0;
        status = gather_entries(b, list, e, &count);
        if (status == AKIN_OK)
            status = akin_code_list(&p->coded, &factors, e->keys, count);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------------- building */

/* Cuts the lists from `list` on into tasks of about equal work, one for each piece; returns where they end. */
static uint32_t cut_lists(building *b, uint32_t list)
{
    const akin_lists_source *source = b->source;
    for (b->piece_count = 0; b->piece_count < b->piece_most && list < source->lists; b->piece_count++) {
        piece *p = &b->pieces[b->piece_count];
        p->first = list;
        for (uint64_t weight = 0; weight < TASK_ENTRIES && list < source->lists; list++) {
            const uint32_t *documents, *counts;
            double scale;
            weight += 1 + source->list(source->user, list, &documents, &counts, &scale);
        }
        p->end = list;
    }
    return list;
}

/* Sets where the blocks and words of a piece's lists are; the piece begins at `blocks` and `words`. */
static void place_lists(building *b, const piece *p, uint64_t block, uint64_t words)
{
    const akin_block *next = p->coded.blocks;
    for (uint32_t l = p->first; l < p->end; l++) {
        akin_list *list = &b->list[l];
        const uint32_t count = akin_list_blocks(list);
        list->block = (uint32_t)block;
        list->words = words;
        if (count > 0)
            words +=
                next[count - 1].words + akin_block_words(&next[count - 1], count > 1 ? next[count - 2].last + 1 : 0);
        block += count;
        next += count;
    }
}

/* Puts the pieces behind what there is of blocks, and of *words. */
static akin_status append_pieces(building *b, uint64_t *words, akin_error *error)
{
    akin_lists_head *head = &b->lists->head;
    akin_bulk *blocks = &b->lists->own[AKIN_LISTS_BLOCKS], *all = &b->lists->own[AKIN_LISTS_WORDS];
    for (uint32_t i = 0; i < b->piece_count; i++) {
        const akin_coded *p = &b->pieces[i].coded;
        if (p->block_count > UINT32_MAX - head->blocks)
            return akin_fail(error, AKIN_E_LIMIT, "an index of more than 4294967295 blocks");
        akin_status status = akin_bulk_grow(blocks, (head->blocks + p->block_count) * sizeof(akin_block), what, error);
        if (status == AKIN_OK)
            status = akin_bulk_grow(all, (*words + p->word_count + 1) * sizeof(uint64_t), what, error);
        if (status != AKIN_OK)
            return status;
        if (p->block_count > 0)
            memcpy((akin_block *)blocks->data + head->blocks, p->blocks, p->block_count * sizeof(akin_block));
        if (p->word_count > 0)
            memcpy((uint64_t *)all->data + *words, p->words, p->word_count * sizeof(uint64_t));
        place_lists(b, &b->pieces[i], head->blocks, *words);
        head->blocks += (uint32_t)p->block_count;
        *words += p->word_count;
    }
    return AKIN_OK;
}

/* Has all pieces coded. */
static akin_status code(const akin_scope *scope, building *b, akin_error *error)
{
    akin_status status = akin_parallel(scope, NULL, b->piece_count, code_lists, b);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "an index with a list of more than 32 GiB");
    if (status == AKIN_E_OPTION)
        return akin_fail(error, status, "weights of an index are beyond %g", AKIN_LISTS_LARGEST);
    if (status == AKIN_E_IO)
        return akin_store_fail(b->store, status, what, error);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, what);
}

static akin_status code_all(const akin_scope *scope, building *b, akin_error *error)
{
    const uint32_t lists = b->source->lists;
    akin_bulk *own = b->lists->own;
    uint64_t words = 0;
    own[AKIN_LISTS_BLOCKS] = own[AKIN_LISTS_WORDS] = akin_bulk_in(b->store);
    akin_status status = akin_bulk_reserve(&own[AKIN_LISTS_BLOCKS], 0, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&own[AKIN_LISTS_WORDS], sizeof(uint64_t), what, error);
    for (uint32_t list = 0; list < lists && status == AKIN_OK;) {
        if (akin_scope_report(scope, "indexing", list, lists) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        list = cut_lists(b, list);
        status = code(scope, b, error);
        if (status == AKIN_OK)
            status = append_pieces(b, &words, error);
    }
    if (status != AKIN_OK)
        return status;
    ((uint64_t *)own[AKIN_LISTS_WORDS].data)[words] = 0;
    b->lists->parts[AKIN_LISTS_WORDS].length = words * sizeof(uint64_t);
    return AKIN_OK;
}

static akin_status build_lists(const akin_scope *scope, building *b, akin_error *error)
{
    const akin_lists_source *source = b->source;
    b->lists->head.lists = source->lists;
    b->entries = akin_alloc_zero(NULL, scope->threads, sizeof *b->entries);
    b->pieces = akin_alloc_zero(NULL, b->piece_most, sizeof *b->pieces);
    if (!b->entries || !b->pieces)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < scope->threads; i++)
        b->entries[i].bulks[0] = b->entries[i].bulks[1] = akin_bulk_in(b->store);
    for (uint32_t i = 0; i < b->piece_most; i++)
        b->pieces[i].coded.bulks[0] = b->pieces[i].coded.bulks[1] = akin_bulk_in(b->store);
    akin_status status = reserve_fixed(b, &b->lists->own[AKIN_LISTS_LISTS], source->lists, sizeof *b->list, error);
    b->list = b->lists->own[AKIN_LISTS_LISTS].data;
    if (status == AKIN_OK)
        status = order_documents(b, error);
    if (status == AKIN_OK)
        status = make_factors(b, error);
    return status == AKIN_OK ? code_all(scope, b, error) : status;
}

static void settle_lists(akin_lists *lists)
{
    const akin_lists_head *head = &lists->head;
    akin_bulk *own = lists->own;
    lists->parts[AKIN_LISTS_LISTS].length = head->lists * sizeof(akin_list);
    lists->parts[AKIN_LISTS_BLOCKS].length = head->blocks * sizeof(akin_block);
    lists->parts[AKIN_LISTS_NUMBERS].length = head->documents * sizeof(uint32_t);
    lists->parts[AKIN_LISTS_CLASSES].length = (head->classes + UINT64_C(1)) * sizeof(uint32_t);
    lists->parts[AKIN_LISTS_FIRSTS].length = (head->classes + UINT64_C(1)) * sizeof(uint64_t);
    lists->parts[AKIN_LISTS_FACTORS].length =
        ((const uint64_t *)own[AKIN_LISTS_FIRSTS].data)[head->classes] * sizeof(double);
    for (int part = AKIN_LISTS_LISTS; part < AKIN_LISTS_PARTS; part++) {
        akin_bulk_trim(&own[part], lists->parts[part].length + (part == AKIN_LISTS_WORDS ? sizeof(uint64_t) : 0));
        lists->parts[part].data = own[part].data;
    }
    lists->lists = own[AKIN_LISTS_LISTS].data;
    lists->blocks = own[AKIN_LISTS_BLOCKS].data;
    lists->words = own[AKIN_LISTS_WORDS].data;
    lists->numbers = own[AKIN_LISTS_NUMBERS].data;
    lists->classes = own[AKIN_LISTS_CLASSES].data;
    lists->firsts = own[AKIN_LISTS_FIRSTS].data;
    lists->factors = own[AKIN_LISTS_FACTORS].data;
    lists->parts[AKIN_LISTS_HEAD] = (akin_section){.data = &lists->head, .length = sizeof lists->head};
}

akin_status akin_lists_build(const akin_scope *scope, const akin_lists_source *source, akin_store *store,
                             akin_lists *out, akin_error *error)
{
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    building b = {.source = source, .store = store, .lists = out, .piece_most = few.threads * TASKS_EACH};
    *out = (akin_lists){0};
    akin_status status = build_lists(&few, &b, error);
    if (status == AKIN_OK)
        settle_lists(out);
    for (uint32_t i = 0; b.pieces && i < b.piece_most; i++)
        for (int j = 0; j < 2; j++)
            akin_bulk_clear(&b.pieces[i].coded.bulks[j]);
    for (uint32_t i = 0; b.entries && i < few.threads; i++)
        for (int j = 0; j < 2; j++)
            akin_bulk_clear(&b.entries[i].bulks[j]);
    for (size_t i = 0; i < sizeof b.bulks / sizeof *b.bulks; i++)
        akin_bulk_clear(&b.bulks[i]);
    akin_free(b.pieces);
    akin_free(b.entries);
    return status;
}
