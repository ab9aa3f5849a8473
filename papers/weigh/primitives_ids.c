/* Finds the terms of tokens by a frozen dictionary that is on the device; and makes one of the terms that there are, or
 * of the words of the documents. */
#include "papers/weigh/primitives.h"

#include "base/bits.h"
#include "base/memory.h"
#include "dict/dictionary.h"
#include "dict/trie.h"
#include "dict/trie_gpu.h"

#include <string.h>

#define LAUNCH ((uint64_t)32 << 20) /* bytes of the words that are looked up at once, about */

static const char what[] = "the dictionary";

/* ------------------------------------------------------------------------------------------------------- dictionary */

akin_status akin_gpu_paper_bring(akin_gpu_terms *terms, const akin_trie *trie, const uint32_t *map, akin_error *error)
{
    akin_gpu_paper *p = terms->own;
    const uint64_t words = akin_trie_count(trie);
    akin_device_buffer *mapped = &p->buffers[AKIN_PAPER_MAPPED];
    akin_status status =
        akin_trie_upload(terms->device, terms->stream, trie, &p->buffers[AKIN_PAPER_TRIE], &p->trie, error);
    p->words = (uint32_t)words;
    p->is_mapped = map != NULL;
    if (status == AKIN_OK && map)
        status = akin_device_reserve(terms->device, mapped, words, sizeof *map, what, error);
    if (status == AKIN_OK && map && words > 0)
        status = akin_device_upload(terms->stream, mapped->data, map, words * sizeof *map, error);
    return status;
}

/* The terms of a dictionary as a column, whose offsets and bytes become the caller's. */
static akin_status list_terms(const akin_dictionary *dictionary, uint64_t **offsets, char **bytes, akin_error *error)
{
    const uint32_t count = akin_dictionary_count(dictionary);
    const char *term = "";
    size_t length = 0;
    uint64_t total = 0;
    *offsets = akin_alloc(NULL, (uint64_t)count + 1, sizeof **offsets);
    for (uint32_t i = 0; *offsets && i < count; i++) {
        akin_dictionary_string(dictionary, i, &term, &length, NULL);
        (*offsets)[i] = total;
        total += length;
        if (memchr(term, 0, length))
            return akin_fail(error, AKIN_E_INPUT,
                             "a term has a NUL byte, which no frozen dictionary has: expected another technique");
    }
    *bytes = *offsets ? akin_alloc(NULL, total, 1) : NULL;
    if (!*bytes)
        return akin_fail_memory(error, what);
    (*offsets)[count] = total;
    for (uint32_t i = 0; i < count; i++) {
        akin_dictionary_string(dictionary, i, &term, &length, NULL);
        memcpy(*bytes + (*offsets)[i], term, length);
    }
    return AKIN_OK;
}

/* The term of each word, from the word of each term. */
static akin_status make_map(const akin_scope *scope, const akin_trie *trie, const akin_column *terms, uint32_t count,
                            uint32_t **map, akin_error *error)
{
    uint32_t *ids = akin_alloc(NULL, count, sizeof *ids);
    *map = akin_alloc(NULL, count, sizeof **map);
    akin_status status =
        ids && *map ? akin_trie_look_up_within(scope, trie, terms, count, ids, error) : akin_fail_memory(error, what);
    for (uint32_t i = 0; ids && *map && i < count && status == AKIN_OK; i++)
        (*map)[ids[i]] = i;
    akin_free(ids);
    return status;
}

akin_status akin_gpu_paper_build(const akin_dictionary *dictionary, const akin_scope *scope, akin_trie **trie,
                                 uint32_t **map, akin_error *error)
{
    const akin_scope here = akin_scope_narrow(scope, (akin_narrowing){.on_cpu = 1}); /* the device has other work */
    akin_column terms = {.size = sizeof terms, .name = "term"};
    const uint32_t count = akin_dictionary_count(dictionary);
    uint64_t *offsets = NULL;
    char *bytes = NULL;
    *trie = NULL;
    *map = NULL;
    akin_status status = list_terms(dictionary, &offsets, &bytes, error);
    terms.offsets = offsets;
    terms.bytes = bytes;
    if (status == AKIN_OK)
        status = akin_trie_build_within(&here, &terms, count, NULL, trie, error);
    if (status == AKIN_OK)
        status = make_map(&here, *trie, &terms, count, map, error);
    akin_free(offsets);
    akin_free(bytes);
    return status;
}

/* -------------------------------------------------------------------------------------------------- words, gathered */

akin_status akin_gpu_paper_gather(akin_gpu_terms *terms, uint32_t place, akin_error *error)
{
    akin_gpu_place *p = &terms->places[place];
    akin_status status = akin_gpu_terms_cut(terms, p, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_look_up(terms, &p->batch, error);
    return status == AKIN_OK ? akin_device_event_record(p->used, terms->stream, error) : status;
}

/* A batch may be gathered again. */
static akin_status gather(akin_gpu_weigher *gpu, uint32_t place, int *is_taken, akin_error *error)
{
    (void)is_taken;
    return akin_gpu_paper_gather(akin_gpu_weigher_terms(gpu), place, error);
}

/* Makes a dictionary of all terms that there are now, unless there is one of as many. */
static akin_status build(akin_gpu_terms *t, akin_error *error)
{
    akin_gpu_paper *p = t->own;
    akin_trie *trie = NULL;
    uint32_t *map = NULL;
    akin_status status = akin_gpu_terms_tell(t, error);
    if (status != AKIN_OK || (p->built > 0 && p->built == akin_dictionary_count(t->dictionary)))
        return status;
    status = akin_gpu_paper_build(t->dictionary, t->scope, &trie, &map, error);
    if (status == AKIN_OK)
        status = akin_gpu_paper_bring(t, trie, map, error);
    p->built = status == AKIN_OK ? akin_dictionary_count(t->dictionary) : 0;
    akin_trie_free(trie);
    akin_free(map);
    return status;
}

akin_status akin_gpu_paper_add(akin_gpu_weigher *gpu, akin_error *error)
{
    static const akin_gpu_pass gathering = {"gathering words", gather};
    akin_gpu_terms *t = akin_gpu_weigher_terms(gpu);
    const akin_gpu_paper *p = t->own;
    akin_status status = AKIN_OK;
    if (p->builds) {
        status = akin_gpu_weigher_pass(gpu, &gathering, error);
        if (status == AKIN_OK)
            status = build(t, error);
    }
    return status == AKIN_OK ? akin_gpu_weigher_count(gpu, error) : status;
}

/* ---------------------------------------------------------------------------------------------------------- convert */

/* Looks tokens up, some at a time, as a launch is short. */
static akin_status look_up(akin_gpu_terms *t, const void *text, uint32_t *ids, akin_error *error)
{
    const akin_gpu_paper *p = t->own;
    const uint64_t launches = t->text.bytes / LAUNCH + 1, most = akin_ceil_div(t->tokens, launches);
    akin_status status = AKIN_OK;
    for (uint64_t first = 0; first < t->tokens && status == AKIN_OK; first += most) {
        const akin_gpu_words words = {text, p->view.begins + first, p->view.ends + first,
                                      akin_min_u64(most, t->tokens - first)};
        status = p->trie.look_up(t->stream, &p->trie.view, &words, AKIN_BALANCE_CHOSEN, ids + first, error);
    }
    return status;
}

/* Tokens that are too long go to the host, as always. */
akin_status akin_gpu_paper_convert(akin_gpu_terms *terms, const akin_gpu_batch *batch, akin_error *error)
{
    akin_gpu_terms *t = terms;
    akin_gpu_paper *p = t->own;
    akin_paper_view *v = &p->view;
    const int folds = (t->text.rule & AKIN_GPU_FOLDED) != 0;
    const uint64_t words = t->text.bytes / sizeof(uint64_t) + 1;
    const akin_paper_room rooms[] = {{AKIN_PAPER_IDS, sizeof(uint32_t), t->tokens},
                                     {AKIN_PAPER_FOLDED, sizeof(uint64_t), folds ? words : 0}};
    akin_status status = akin_gpu_paper_need(t, rooms, sizeof rooms / sizeof *rooms, error);
    uint32_t *ids = p->buffers[AKIN_PAPER_IDS].data;
    v->ids = ids;
    v->map = p->is_mapped ? p->buffers[AKIN_PAPER_MAPPED].data : NULL;
    v->id_count = p->words;
    v->unknown = t->shared != AKIN_WEIGHTS_NONE ? t->shared : AKIN_GPU_SPARE;
    v->folded = p->buffers[AKIN_PAPER_FOLDED].data;
    if (status == AKIN_OK && folds)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_FOLD, v, words, error);
    if (status == AKIN_OK)
        status = look_up(t, folds ? (const void *)v->folded : t->text.text, ids, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(t->stream)->weigh->run(t->stream, AKIN_PAPER_MAP, v, t->tokens, error);
    return status == AKIN_OK && akin_gpu_terms_told(t)->news.longs > 0 ? akin_gpu_terms_learn(t, batch, error) : status;
}
