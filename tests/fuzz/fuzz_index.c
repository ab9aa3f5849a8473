/*
 * Fuzzes the opening of saved indexes: with the input as it is, which the checksums refuse nearly always, and again
 * with all checksums made right, so that everything behind them is reached. What is opened is used, whatever its blocks
 * hold. If they are right, every document that a list has is looked for where decoding found it, and the ranker finds
 * the same best documents with bits of frequent terms, without, and among all.
 */
#include "akin_papers.h"
#include "base/context.h"
#include "base/memory.h"
#include "rank/rank_index.h"
#include "rank/ranker.h"

#include "container.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* Each document of each list is found, by the search for it, where decoding found it. */
static void seek_all(const akin_lists *lists)
{
    for (uint32_t i = 0; i < lists->head.lists; i++) {
        const akin_list *list = &lists->lists[i];
        for (uint32_t block = 0; block < akin_list_blocks(list); block++) {
            akin_block_view view = akin_block_open(lists, list, block);
            uint32_t documents[AKIN_BLOCK], count = akin_block_documents(&view, documents);
            for (uint32_t j = 0; j < count; j++) {
                uint32_t entry;
                require(akin_list_seek(lists, list, 0, documents[j]) == block);
                require(akin_block_seek(&view, documents[j], &entry) == documents[j]);
                require(entry == j);
            }
        }
    }
}

/* Adds a term to a query, unless no document has it, or its lists are damaged. */
static void add_term(const akin_lists *lists, akin_ranker *ranker, uint32_t list)
{
    if (akin_lists_bring(lists, list, NULL) != AKIN_OK || akin_lists_bring(lists, list + 1, NULL) != AKIN_OK)
        return;
    if (lists->lists[list].count > 0 || lists->lists[list + 1].count > 0)
        require(akin_ranker_add(ranker, list) == AKIN_OK);
}

/* Ranks by the first lists that have entries; the best must be the first of all, if the index is right. */
static void use(const akin_rank_index *index, int is_right)
{
    enum { TERMS = 4 };
    const akin_lists *lists = &index->lists;
    const akin_frequent none = {0}, *frequent;
    akin_ranker rankers[2];
    if (akin_rank_index_frequent(akin_scope_of(&context), index, 1 << 20, &frequent, NULL) != AKIN_OK)
        frequent = &none;
    require(akin_ranker_begin(&rankers[0], lists, frequent, 3, NULL) == AKIN_OK);
    require(akin_ranker_begin(&rankers[1], lists, &none, UINT32_MAX, NULL) == AKIN_OK);
    for (uint32_t first = 0; first < lists->head.lists && first < 60; first += 6)
        for (int i = 0; i < 2; i++) {
            akin_ranker_new(&rankers[i]);
            for (uint32_t list = first; list < lists->head.lists && list < first + 2 * TERMS; list += 2)
                add_term(lists, &rankers[i], list);
            require(akin_ranker_settle(&rankers[i]) == AKIN_OK);
            akin_ranker_run(&rankers[i]);
            for (uint32_t j = 0; is_right && i == 1 && j < rankers[0].found; j++)
                require(rankers[0].heap[j].score == rankers[1].heap[j].score &&
                        rankers[0].heap[j].document == rankers[1].heap[j].document);
        }
    akin_ranker_clear(&rankers[0]);
    akin_ranker_clear(&rankers[1]);
}

/* Finds the words that stand in the input, and the names of documents. */
static void look_up(const akin_rank_index *index, const uint8_t *data, size_t size)
{
    const char *name;
    size_t length;
    uint32_t list;
    for (size_t at = 0; at + 8 < size && at < 4096; at += 7)
        (void)akin_rank_index_find(index, (const char *)data + at, at % 8, &list, NULL);
    for (uint32_t i = 0; i < index->lists.head.documents && i < 100; i++)
        (void)akin_rank_index_name(index, i, &name, &length);
}

static void parse(const uint8_t *data, size_t size, int mended)
{
    akin_error error;
    akin_rank_index *index = NULL;
    uint8_t *image = image_of(data, size, mended);
    akin_status status = akin_rank_index_parse(akin_scope_of(&context), "input", image, size, &index, &error);
    require(status == AKIN_OK || status == AKIN_E_INPUT);
    if (status == AKIN_OK) {
        look_up(index, data, size);
        use(index, 0);
        if (akin_rank_index_check(akin_scope_of(&context), index, NULL) == AKIN_OK) {
            seek_all(&index->lists);
            use(index, 1);
        }
    }
    akin_rank_index_free(index);
    akin_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    context.annex = akin_papers();
    parse(data, size, 0);
    parse(data, size, 1);
    return 0;
}
