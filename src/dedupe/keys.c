/* Makes keys of values. */
#include "dedupe/keys.h"

#include "base/bits.h"
#include "base/parallel.h"
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

#define TASK_VALUES 16384

/* What keys are made of: numbers, else the ranks of texts, else the numbers of values, which distinguish texts. */
typedef struct making {
    const akin_values *values;
    const akin_key_row *row;
    uint32_t argument;
    const uint32_t *ranks;
    uint64_t *keys;
} making;

static akin_status make_keys(void *argument, uint64_t task, uint32_t thread)
{
    const making *m = argument;
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * TASK_VALUES, m->values->count);
    (void)thread;
    for (uint32_t v = (uint32_t)(task * TASK_VALUES); v < end; v++)
        m->keys[v] =
            m->row->number ? m->row->number(m->values, v, m->argument) : (uint64_t)(m->ranks ? m->ranks[v] : v) + 1;
    return AKIN_OK;
}

akin_status akin_keys_of_values(const akin_scope *scope, const akin_values *values, const akin_key_part *part,
                                int sorted, akin_account *account, uint64_t **out, akin_error *error)
{
    making m = {.values = values, .row = akin_key_row_of(part->key), .argument = part->argument};
    const int ranked = !m.row->number && (sorted || m.row->cut);
    uint32_t *ranks = ranked ? akin_alloc(account, values->count, sizeof *ranks) : NULL;
    *out = m.keys = akin_alloc(account, values->count, sizeof *m.keys);
    m.ranks = ranks;
    akin_status status = m.keys && (ranks || !ranked) ? AKIN_OK : akin_fail_memory(error, "the keys");
    if (status == AKIN_OK && ranked)
        status = akin_values_rank(scope, values, account, m.row->cut, m.argument, ranks, error);
    if (status == AKIN_OK) {
        status = akin_parallel(scope, NULL, akin_ceil_div(values->count, TASK_VALUES), make_keys, &m);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "the keys");
    }
    akin_free(ranks);
    if (status != AKIN_OK) {
        akin_free(*out);
        *out = NULL;
    }
    return status;
}
