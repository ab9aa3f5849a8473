/* The checksums of containers, and the table of their kinds. */
#include "base/container_layout.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const char akin_container_zeros[AKIN_CONTAINER_ALIGNMENT];

uint64_t akin_container_hash(const void *data, uint64_t length)
{
    return XXH3_64bits(data, (size_t)length);
}

akin_status akin_container_hash_section(const akin_scope *scope, const void *data, uint64_t length, uint64_t *out)
{
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (uint64_t at = 0; at < length; at += AKIN_CONTAINER_PIECE) {
        if (akin_scope_report(scope, NULL, 0, 0) != AKIN_OK)
            return AKIN_E_CANCELLED;
        uint64_t left = length - at;
        XXH3_64bits_update(&state, (const char *)data + at,
                           (size_t)(left < AKIN_CONTAINER_PIECE ? left : AKIN_CONTAINER_PIECE));
    }
    *out = XXH3_64bits_digest(&state);
    return AKIN_OK;
}

/* What akin saves, by kind. */
static const akin_saved_kind_row kinds[] = {
    {{"sets", "", "sets of tokens", AKIN_SAVED_SETS, 0}, "akin generate sets", "akin join and akin index", 0},
    {{"trie", "", "a dictionary", AKIN_SAVED_TRIE, 0},
     "akin dictionary build",
     "akin dictionary lookup and akin weigh --dictionary",
     0},
    {{"weights", "", "term weights", AKIN_SAVED_WEIGHTS, 0}, "akin weigh", "programs, through akin_weights_open", 0},
    {{"index", "", "an index of ranked documents", AKIN_SAVED_RANK_INDEX, 0},
     "akin index --kind bm25",
     "akin search and akin rank",
     2},
    {{"search", "", "a search index", AKIN_SAVED_SEARCH, 0}, "akin index", "akin search", 0},
};
const akin_choice_table akin_saved_kinds = AKIN_CHOICE_TABLE("kind of file", kinds);

const akin_saved_kind_row *akin_container_kind_named(const char name[8])
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(kinds[i].choice.name, name, 8) == 0)
            return &kinds[i];
    return NULL;
}

int akin_container_has_blocks(const akin_container_header *h)
{
    const akin_saved_kind_row *row = akin_container_kind_named(h->kind);
    return row && row->blocks > 0 && h->version >= row->blocks;
}
