/* Annexes: finds their rows beside those of the library, and gives an annex to a context. */
#include "base/annex.h"

#include "base/context.h"

#include <string.h>

static const akin_choice_table *rows_for(const akin_annex *annex, const akin_choice_table *table)
{
    for (uint32_t i = 0; annex && i < annex->count; i++)
        if (annex->parts[i].of == table)
            return &annex->parts[i].rows;
    return NULL;
}

akin_choice_table akin_annex_table(const akin_annex *annex, const akin_choice_table *table)
{
    akin_choice_table both = *table;
    both.more = rows_for(annex, table);
    return both;
}

const akin_choice *akin_annex_find(const akin_annex *annex, const akin_choice_table *table, int value)
{
    const akin_choice_table *more = rows_for(annex, table);
    const akin_choice *row = akin_choice_of(table, value);
    return row || !more ? row : akin_choice_of(more, value);
}

akin_status akin_annex_row(const akin_annex *annex, const akin_choice_table *table, int value, const char *where,
                           const akin_choice **out, akin_error *error)
{
    const akin_choice *row = akin_annex_find(annex, table, value);
    if (!row && !annex && value >= AKIN_ANNEX_FIRST)
        return akin_fail(error, AKIN_E_OPTION,
                         "%s: the %s %d is not in libakin: link libakin_papers, and call "
                         "akin_context_use(context, akin_papers(), error) first",
                         where, table->what, value);
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "%s: there is no %s %d", where, table->what, value);
    *out = row;
    return AKIN_OK;
}

akin_status akin_annex_reader(const akin_annex *annex, const akin_choice_table *readers, const char *where,
                              const akin_choice **out, akin_error *error)
{
    *out = akin_annex_find(annex, readers, 0);
    if (*out)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     "%s: annex has options of an annex that the context does not use: call akin_context_use first",
                     where);
}

const akin_annex *akin_annex_of(const akin_scope *scope)
{
    return scope ? scope->context->annex : NULL;
}

akin_status akin_annex_check(const char *version, akin_error *error)
{
    if (strcmp(version, AKIN_VERSION_STRING) == 0)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     "the annex is of version %.40s, and libakin of version %s: install both of one version", version,
                     AKIN_VERSION_STRING);
}

akin_status akin_context_use(akin_context *context, const akin_annex *annex, akin_error *error)
{
    akin_status status = annex ? akin_annex_check(annex->version, error) : AKIN_OK;
    if (status == AKIN_OK)
        context->annex = annex;
    return status;
}
