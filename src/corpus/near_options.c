/* What the caller wants of near-duplicates. */
#include "corpus/near_options.h"

#include "base/options.h"
#include "sets/measure.h"
#include "table/columns.h"
#include "text/options.h"

#include <stddef.h>

AKIN_OPTIONS_END(akin_duplicates_options, files);

static int is_keep(uint32_t keep)
{
    switch ((akin_keep)keep) {
    case AKIN_KEEP_FIRST:
    case AKIN_KEEP_LONGEST:
    case AKIN_KEEP_LEAST:
    case AKIN_KEEP_GREATEST:
        return 1;
    case AKIN_KEEP_NONE:
        break;
    }
    return 0;
}

static int is_comparing(uint32_t comparing)
{
    switch ((akin_comparing)comparing) {
    case AKIN_COMPARE_ALL:
    case AKIN_COMPARE_WITHIN:
    case AKIN_COMPARE_ACROSS:
        return 1;
    }
    return 0;
}

/* Checks the columns beside the documents. */
static akin_status check_columns(const akin_duplicates_options *o, uint32_t rows, akin_error *error)
{
    const int has_preference = o->keep == AKIN_KEEP_LEAST || o->keep == AKIN_KEEP_GREATEST;
    akin_status status = AKIN_OK;
    if (has_preference && !o->preference)
        return akin_fail(error, AKIN_E_OPTION, "preference is NULL; expected the values by which documents are kept");
    if (o->comparing != AKIN_COMPARE_ALL && !o->sources && (!o->files || akin_table_files(o->files) == 0))
        return akin_fail(error, AKIN_E_OPTION,
                         "the documents have no sources: expected the source of each document, or files");
    if (o->comparing != AKIN_COMPARE_ALL && !o->sources && akin_table_rows(o->files) != rows)
        return akin_fail(error, AKIN_E_OPTION, "files has %u rows; expected the %u documents",
                         akin_table_rows(o->files), rows);
    if (o->preference)
        status = akin_table_columns_check(o->preference, 1, rows, "prefer documents by", error);
    if (status == AKIN_OK && o->ids)
        status = akin_table_columns_check(o->ids, 1, rows, "name documents by", error);
    if (status == AKIN_OK && o->sources)
        status = akin_table_columns_check(o->sources, 1, rows, "take sources from", error);
    return status;
}

akin_status akin_near_options_read(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                   const akin_duplicates_options *given, akin_near_options *out, akin_error *error)
{
    akin_duplicates_options *own = &out->own;
    akin_text_options usual = AKIN_TEXT_OPTIONS_INIT;
    *own = (akin_duplicates_options)AKIN_DUPLICATES_OPTIONS_INIT;
    usual.tokens = AKIN_TOKENS_SHINGLES;
    usual.q = 5;
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_duplicates_options", error);
    if (status == AKIN_OK)
        status = akin_text_options_read(own->text ? own->text : &usual, &out->text, error);
    if (status == AKIN_OK)
        status = akin_threshold_make((akin_measure)own->measure, own->threshold, &out->threshold, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(documents, 1, rows, "find duplicates in", error);
    if (status != AKIN_OK)
        return status;
    if (out->text.stop_word_count > 0 || out->text.multiset)
        return akin_fail(error, AKIN_E_OPTION, "documents are sets of all their tokens: %s is not taken",
                         out->text.multiset ? "multiset" : "stop_words");
    if (!is_keep(own->keep))
        return akin_fail(error, AKIN_E_OPTION, "keep is %u; expected an akin_keep, 0 to 3", own->keep);
    if (!is_comparing(own->comparing))
        return akin_fail(error, AKIN_E_OPTION, "comparing is %u; expected an akin_comparing, 0 to 2", own->comparing);
    if (own->components > 1)
        return akin_fail(error, AKIN_E_OPTION, "components is %u; expected 0 or 1", own->components);
    if (own->components && (own->comparing != AKIN_COMPARE_ALL || own->ignore_frequent > 0))
        return akin_fail(error, AKIN_E_OPTION, "components and %s are wanted: expected one of the two",
                         own->ignore_frequent > 0 ? "ignore_frequent" : "sources");
    const akin_measure_row *measure = akin_measure_of((akin_measure)own->measure);
    if (own->components && measure && (measure->choice.capabilities & AKIN_IS_DIRECTED))
        return akin_fail(error, AKIN_E_OPTION, "components and the measure %s: chains have no direction",
                         measure->choice.name);
    if (own->ignore_frequent > 0 && scope->device_choice == AKIN_DEVICE_CUDA)
        return akin_fail(error, AKIN_E_OPTION,
                         "frequent tokens are left out on the CPU alone: use the device cpu or auto");
    return check_columns(own, rows, error);
}
