/* The kinds of tries: the table of the library, and look-ups in it and in the table of an annex. */
#include "dict/trie_forms.h"

#include "base/annex.h"
#include "dict/trie_chunks.h"

static const akin_trie_kind_row rows[] = {
    {{"chunks", "", "bit vectors in chunks of 128: smallest and fastest", AKIN_TRIE_CHUNKS, AKIN_IS_DEFAULT},
     &akin_trie_chunks},
};
const akin_choice_table akin_trie_kinds = AKIN_CHOICE_TABLE("kind of trie", rows);

akin_status akin_trie_form_of(const akin_annex *annex, akin_trie_kind kind, const akin_trie_form **out,
                              akin_error *error)
{
    const akin_choice *row = NULL;
    akin_status status = akin_annex_row(annex, &akin_trie_kinds, (int)kind, "akin_trie_options", &row, error);
    if (status == AKIN_OK)
        *out = ((const akin_trie_kind_row *)row)->form;
    return status;
}

const akin_trie_form *akin_trie_form_saved(const akin_annex *annex, uint32_t saved)
{
    const akin_choice_table all = akin_annex_table(annex, &akin_trie_kinds);
    const akin_trie_kind_row *row;
    for (uint32_t i = 0; (row = (const akin_trie_kind_row *)akin_choice_at(&all, i)); i++)
        if (row->form->saved == saved)
            return row->form;
    return NULL;
}

const char *akin_trie_kind_name(const akin_annex *annex, akin_trie_kind kind)
{
    const akin_choice *row = akin_annex_find(annex, &akin_trie_kinds, (int)kind);
    return row ? row->name : NULL;
}

akin_status akin_trie_kind_parse(const akin_annex *annex, const char *name, akin_trie_kind *out, akin_error *error)
{
    const akin_choice_table all = akin_annex_table(annex, &akin_trie_kinds);
    int value;
    akin_status status = akin_choice_value(&all, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_trie_kind)value;
    return status;
}
