/*
 * Fuzzes the opening of saved tries: with the input as it is, which the checksums refuse nearly always, and again with
 * all checksums made right, so that everything behind them is reached. A dictionary that opens is walked, down and up.
 */
#include "akin_papers.h"
#include "base/context.h"
#include "base/memory.h"
#include "dict/trie.h"

#include "container.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* Each node has one parent, so a lookup of the word of an id finds that id, if the way up ends at the root. */
static void use(const akin_trie *trie)
{
    enum { MOST = 300 };
    char word[1024];
    akin_error error;
    uint64_t offsets[MOST + 1] = {0};
    uint32_t ids[MOST], count = akin_trie_count(trie) < MOST ? akin_trie_count(trie) : MOST;
    char *text = malloc(MOST * sizeof word);
    require(text != NULL);
    for (uint32_t id = 0; id < count; id++) {
        size_t length = 0;
        uint32_t found;
        offsets[id + 1] = offsets[id];
        if (akin_trie_string(trie, id, word, sizeof word, &length, &error) != AKIN_OK)
            continue;
        require(akin_trie_find(trie, word, length, &found) && found == id);
        memcpy(text + offsets[id], word, length);
        offsets[id + 1] += length;
    }
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
        const akin_trie_batch batch = {text, offsets, offsets + 1, count, ids};
        trie->form->walker((akin_cpu)cpu)(trie, &batch);
        for (uint32_t id = 0; id < count; id++)
            require(ids[id] == id || offsets[id + 1] == offsets[id]);
    }
    free(text);
}

static void parse(const uint8_t *data, size_t size, int mended)
{
    akin_error error;
    akin_trie *trie = NULL;
    uint8_t *image = image_of(data, size, mended);
    akin_bulk bulk = akin_bulk_adopt(image);
    akin_status status = akin_trie_parse(akin_scope_of(&context), "input", &bulk, size, &trie, &error);
    require(status == AKIN_OK || status == AKIN_E_INPUT);
    if (status == AKIN_OK)
        use(trie);
    else
        akin_free(image);
    akin_trie_free(trie);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    context.annex = akin_papers();
    parse(data, size, 0);
    parse(data, size, 1);
    return 0;
}
