/* Fuzzes the folding of text: the first byte selects the foldings, the rest is the text. The result is UTF-8, and stays
 * as it is if it is folded once more. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "table/utf8.h"
#include "text/fold.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int is_so)
{
    if (!is_so)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    akin_folder first, second;
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    akin_folder_begin(&first, NULL, data[0] & AKIN_FOLD_ALL);
    akin_folder_begin(&second, NULL, data[0] & AKIN_FOLD_ALL);
    akin_status status = akin_folder_take(&first, text, size - 1);
    expect(status == (akin_utf8_check(text, size - 1) == size - 1 ? AKIN_OK : AKIN_E_INPUT));
    if (status == AKIN_OK) {
        expect(akin_utf8_check(first.text, first.length) == first.length);
        expect(akin_folder_take(&second, first.text, first.length) == AKIN_OK);
        expect(second.length == first.length &&
               (first.length == 0 || memcmp(first.text, second.text, first.length) == 0));
    }
    akin_folder_clear(&first);
    akin_folder_clear(&second);
    return 0;
}
