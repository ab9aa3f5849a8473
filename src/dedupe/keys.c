/* Makes keys of values. */
#include "dedupe/keys.h"

#include "strings/soundex.h"
#include "text/utf8.h"

/* The paper's simple key: sorts by length, and by the first symbol where that is the same. */
static uint64_t simple_key(const akin_values *values, uint32_t value, uint32_t argument)
{
    uint64_t length;
    size_t size;
    const char *text = akin_values_text(values, value, &length);
    (void)argument;
    return 1000 * (uint64_t)values->shapes[value].length + akin_utf8_decode(text, length, &size);
}

static uint64_t soundex_key(const akin_values *values, uint32_t value, uint32_t argument)
{
    char code[AKIN_SOUNDEX_CODE];
    uint64_t length, key = 0;
    const char *text = akin_values_text(values, value, &length);
    (void)argument;
    if (!akin_soundex(text, (uint32_t)length, code))
        return 0;
    for (uint32_t i = 0; i < AKIN_SOUNDEX_CODE; i++)
        key = key << 8 | (unsigned char)code[i];
    return key;
}

#define PREFIX_MOST 255 /* characters */

/* The bytes of the first characters. */
static uint64_t prefix_of(const char *text, uint64_t length, uint32_t count)
{
    uint64_t at = 0;
    while (at < length && (((unsigned char)text[at] & 0xc0) == 0x80 || count-- > 0))
        at++;
    return at;
}

static const akin_key_row rows[] = {
    {{"value", "", "the value itself", AKIN_KEY_VALUE, 0}, .gpu = AKIN_GPU_NO_KEY},
    {{"simple", "", "the length of the value and its first character", AKIN_KEY_SIMPLE, 0},
     .number = simple_key,
     .gpu = AKIN_GPU_SIMPLE},
    {{"soundex", "", "the Soundex code of the value", AKIN_KEY_SOUNDEX, 0},
     .number = soundex_key,
     .gpu = AKIN_GPU_SOUNDEX},
    {{"prefix", ":N", "the first N characters of the value, N from 1 to 255", AKIN_KEY_PREFIX, 0},
     .most = PREFIX_MOST,
     .cut = prefix_of,
     .gpu = AKIN_GPU_NO_KEY},
};
const akin_choice_table akin_keys = AKIN_CHOICE_TABLE("key", rows);

const akin_key_row *akin_key_row_of(akin_key key)
{
    return (const akin_key_row *)akin_choice_of(&akin_keys, (int)key);
}

/* The keys of a column's values, likewise. */
static uint64_t *keys_of_values(const akin_values *values, const akin_key_part *part, int sorted, akin_account *account)
{
    const akin_key_row *row = akin_key_row_of(part->key);
    int ranked = !row->number && (sorted || row->cut); /* else the numbers of the values distinguish texts */
    uint64_t *keys = akin_alloc(account, values->count, sizeof *keys);
    uint32_t *ranks = ranked ? akin_alloc(account, values->count, sizeof *ranks) : NULL;
    if (!keys || (ranked && (!ranks || !akin_values_rank(values, account, row->cut, part->argument, ranks)))) {
        akin_free(ranks);
        akin_free(keys);
        return NULL;
    }
    for (uint32_t v = 0; v < values->count; v++)
        keys[v] = row->number ? row->number(values, v, part->argument) : (uint64_t)(ranks ? ranks[v] : v) + 1;
    akin_free(ranks);
    return keys;
}

uint64_t *akin_keys_of_records(const akin_values *values, const akin_key_part *part, int sorted, akin_account *account)
{
    uint32_t count = values->records->count;
    uint64_t *of_values = keys_of_values(values, part, sorted, account);
    uint64_t *keys = of_values ? akin_alloc(account, count, sizeof *keys) : NULL;
    for (uint32_t record = 0; keys && record < count; record++)
        keys[record] = values->of[record] == AKIN_VALUE_NONE ? 0 : of_values[values->of[record]];
    akin_free(of_values);
    return keys;
}
