/* An index as it is used: terms and names are found, and the bits of frequent terms made when they are worth it. */
#include "rank/rank_index.h"

#define FEW 128 /* queries for which making the bits of frequent terms takes longer than they save, of any words */

akin_rank_index *akin_rank_index_begin(const char *name)
{
    const size_t length = strlen(name) + 1;
    akin_rank_index *index = akin_alloc_zero(NULL, 1, sizeof *index);
    akin_rank_index_used *used = akin_alloc_zero(NULL, 1, sizeof *used + length);
    if (!index || !used || pthread_mutex_init(&used->lock, NULL) != 0) {
        akin_free(index);
        akin_free(used);
        return NULL;
    }
    memcpy(used->name, name, length);
    index->used = used;
    return index;
}

void akin_rank_index_free(akin_rank_index *index)
{
    if (!index)
        return;
    akin_lists_clear(&index->lists);
    akin_frequent_clear(&index->used->bits);
    pthread_mutex_destroy(&index->used->lock);
    akin_free(index->used);
    akin_trie_free(index->trie);
    akin_analysis_free(index->analysis);
    for (int i = 0; i < 3; i++)
        akin_bulk_clear(&index->own[i]);
    akin_store_clear(&index->store);
    akin_container_close(index->container);
    akin_free(index);
}

akin_status akin_rank_index_find(const akin_rank_index *index, const char *term, uint32_t length, uint32_t *list,
                                 akin_error *error)
{
    const akin_list *lists = index->lists.lists;
    uint32_t id;
    *list = AKIN_RANK_INDEX_NONE;
    if (!akin_trie_find(index->trie, term, length, &id)) {
        if (!index->head.shared)
            return AKIN_OK;
        id = akin_trie_count(index->trie);
    }
    akin_status status = akin_lists_bring(&index->lists, 2 * id, error);
    if (status == AKIN_OK)
        status = akin_lists_bring(&index->lists, 2 * id + 1, error);
    if (status != AKIN_OK)
        return status;
    const uint64_t entries = (uint64_t)lists[2 * id].count + lists[2 * id + 1].count;
    if (entries > 0)
        *list = 2 * id;
    if (akin_frequent_is(&index->lists, entries) && !atomic_load_explicit(&index->used->frequent, memory_order_relaxed))
        atomic_fetch_add_explicit(&index->used->read, entries, memory_order_relaxed);
    return AKIN_OK;
}

akin_status akin_rank_index_frequent(const akin_scope *scope, const akin_rank_index *index, uint64_t queries,
                                     const akin_frequent **out, akin_error *error)
{
    static const akin_frequent none;
    akin_rank_index_used *used = index->used;
    const uint64_t asked = queries + atomic_fetch_add_explicit(&used->asked, queries, memory_order_relaxed);
    const uint64_t read = atomic_load_explicit(&used->read, memory_order_relaxed);
    akin_status status = AKIN_OK;
    *out = atomic_load_explicit(&used->frequent, memory_order_acquire);
    if (!*out && (asked >= FEW || read >= index->lists.head.entries) && pthread_mutex_trylock(&used->lock) == 0) {
        *out = atomic_load_explicit(&used->frequent, memory_order_relaxed);
        if (!*out) {
            status = akin_frequent_build(scope, &index->lists, &used->bits, error);
            if (status == AKIN_OK)
                *out = &used->bits;
            else
                akin_frequent_clear(&used->bits);
            atomic_store_explicit(&used->frequent, *out, memory_order_release);
        }
        pthread_mutex_unlock(&used->lock);
    }
    if (!*out)
        *out = &none;
    return status == AKIN_E_NOMEM ? AKIN_OK : status; /* bits only save time */
}

/* ------------------------------------------------------------------------------------------------------------ names */

akin_status akin_rank_index_check_name(const akin_rank_index *index, uint32_t document, akin_error *error)
{
    const akin_section *offsets = &index->names[0], *names = &index->names[1];
    const char *bytes;
    size_t length;
    if (offsets->length == 0 || document >= index->lists.head.documents)
        return AKIN_OK;
    akin_status status =
        akin_section_check(offsets, document * sizeof(uint64_t), (document + UINT64_C(2)) * sizeof(uint64_t), error);
    if (status != AKIN_OK)
        return status;
    akin_section_string(offsets, names, document, &bytes, &length);
    const uint64_t begin = (uint64_t)(bytes - (const char *)names->data);
    return length > 0 ? akin_section_check(names, begin, begin + length, error) : AKIN_OK;
}

int akin_rank_index_name(const akin_rank_index *index, uint32_t document, const char **bytes, size_t *length)
{
    if (index->names[0].length == 0 || document >= index->lists.head.documents ||
        akin_rank_index_check_name(index, document, NULL) != AKIN_OK)
        return 0;
    akin_section_string(&index->names[0], &index->names[1], document, bytes, length);
    return 1;
}
