/*
 * Fuzzes synonyms: the first byte selects folds, what follows up to the first NUL byte is a text of synonyms, and the
 * rest is a value. A text is refused with a message, or all of its entries have words. A value that is rewritten is
 * UTF-8, and so are entries.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "table/utf8.h"
#include "text/rewriter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* The value, rewritten by what takes it. */
static void rewrite(akin_folder *folder, akin_rewriter *rewriter, const char *value, size_t length)
{
    require(akin_folder_take(folder, value, length) == AKIN_OK);
    require(akin_rewriter_take(rewriter, folder->text, folder->length) == AKIN_OK);
    require(akin_utf8_check(rewriter->text, rewriter->length) == rewriter->length);
}

static void check(const akin_synonyms *synonyms, uint32_t folds, const char *value, size_t length)
{
    akin_forms forms;
    akin_folder folder;
    akin_rewriter rewriter;
    require(akin_forms_make(NULL, synonyms, folds, &forms, NULL) == AKIN_OK);
    akin_folder_begin(&folder, NULL, folds);
    akin_rewriter_begin(&rewriter, NULL, &forms);
    if (akin_utf8_check(value, length) == length)
        rewrite(&folder, &rewriter, value, length);
    for (uint64_t i = 0; i < synonyms->count; i++) {
        const akin_synonyms_entry *entry = &synonyms->entries[i];
        uint64_t begin;
        require(akin_synonyms_word(synonyms->text + entry->begin, entry->length, 0, &begin) > 0);
        rewrite(&folder, &rewriter, synonyms->text + entry->begin, entry->length);
    }
    akin_rewriter_clear(&rewriter);
    akin_folder_clear(&folder);
    akin_forms_clear(&forms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    akin_synonyms *synonyms = NULL;
    akin_error error = {.message = ""};
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1, *nul = memchr(text, 0, size - 1);
    const size_t length = nul ? (size_t)(nul - text) : size - 1;
    require(akin_synonyms_create(&synonyms, NULL) == AKIN_OK);
    if (akin_synonyms_add(synonyms, "text", text, length, &error) == AKIN_OK)
        check(synonyms, data[0] & AKIN_FOLD_ALL, nul ? nul + 1 : "", nul ? size - 2 - length : 0);
    else
        require(error.code == AKIN_E_INPUT && error.message[0] != '\0' && synonyms->count == 0);
    akin_synonyms_free(synonyms);
    return 0;
}
