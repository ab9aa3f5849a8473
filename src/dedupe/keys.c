/* Makes keys of values. */
#include "dedupe/keys.h"

#include "base/bits.h"
#include "base/calendar.h"
#include "base/parallel.h"
#include "strings/date.h"
#include "strings/number.h"
#include "strings/soundex.h"
#include "text/utf8.h"

#include <math.h>

/* The paper's simple key: sorts by length, and by the first symbol where that is the same. */
static uint64_t simple_key(const akin_values *values, uint32_t value, const akin_key_part *part)
{
    uint64_t length;
    size_t size;
    const char *text = akin_values_text(values, value, &length);
    (void)part;
    return 1000 * (uint64_t)values->shapes[value].length + akin_utf8_decode(text, length, &size);
}

static uint64_t soundex_key(const akin_values *values, uint32_t value, const akin_key_part *part)
{
    char code[AKIN_SOUNDEX_CODE];
    uint64_t length, key = 0;
    const char *text = akin_values_text(values, value, &length);
    (void)part;
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

#define DIGITS_MOST 18 /* that are a number behind a 1 */

/* The first digits, behind a 1: so 07 is not 7. */
static uint64_t digits_key(const akin_values *values, uint32_t value, const akin_key_part *part)
{
    uint64_t length, key = 1;
    uint32_t count = 0;
    const char *text = akin_values_text(values, value, &length);
    (void)part;
    for (uint64_t i = 0; i < length && count < DIGITS_MOST; i++)
        if (akin_is_digit(text[i])) {
            key = 10 * key + (uint64_t)(text[i] - '0');
            count++;
        }
    return count > 0 ? key : 0;
}

#define BUCKETS_MOST ((int64_t)1 << 60) /* on either side of 0; one beyond is the last one */
#define BUCKET_ZERO  ((int64_t)1 << 61) /* is added to a bucket, so numbers are above 0 */

static uint64_t number_of_bucket(int64_t bucket)
{
    return (uint64_t)(bucket + BUCKET_ZERO);
}

static uint64_t round_key(const akin_values *values, uint32_t value, const akin_key_part *part)
{
    const double most = (double)BUCKETS_MOST;
    double number;
    uint64_t length;
    const char *text = akin_values_text(values, value, &length);
    if (length > UINT32_MAX || !akin_number_parse(text, (uint32_t)length, &number))
        return 0;
    const double bucket = floor(number * part->scale.den / part->scale.num);
    return number_of_bucket((int64_t)fmax(-most, fmin(most, bucket)));
}

/* The days of a value that is a date; 0: it is none. */
static int days_of(const akin_values *values, uint32_t value, int32_t *days)
{
    uint64_t length;
    const char *text = akin_values_text(values, value, &length);
    return length <= UINT32_MAX && akin_date_parse(text, (uint32_t)length, days);
}

static uint64_t week_key(const akin_values *values, uint32_t value, const akin_key_part *part)
{
    int32_t days;
    (void)part;
    if (!days_of(values, value, &days))
        return 0;
    const int64_t since = (int64_t)days + 3; /* 1970-01-01 was a Thursday */
    return number_of_bucket(since / 7 - (since % 7 < 0));
}

static uint64_t month_key(const akin_values *values, uint32_t value, const akin_key_part *part)
{
    int32_t days;
    (void)part;
    if (!days_of(values, value, &days))
        return 0;
    const akin_day day = akin_day_of(days);
    return number_of_bucket(12 * day.year + day.month);
}

static uint64_t year_key(const akin_values *values, uint32_t value, const akin_key_part *part)
{
    int32_t days;
    (void)part;
    return days_of(values, value, &days) ? number_of_bucket(akin_day_of(days).year) : 0;
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
    {{"digits", "", "the first 18 digits of the value, without what stands between them", AKIN_KEY_DIGITS, 0},
     .number = digits_key,
     .gpu = AKIN_GPU_NO_KEY},
    {{"round", ":X", "the number / X, rounded down; in blocks X apart and less, too", AKIN_KEY_ROUND, 0},
     .has_scale = 1,
     .is_bucket = 1,
     .number = round_key,
     .gpu = AKIN_GPU_NO_KEY},
    {{"week", "", "the week of the date; in blocks neighbouring weeks, too", AKIN_KEY_WEEK, 0},
     .is_bucket = 1,
     .number = week_key,
     .gpu = AKIN_GPU_NO_KEY},
    {{"month", "", "the month and year of the date; in blocks neighbouring months, too", AKIN_KEY_MONTH, 0},
     .is_bucket = 1,
     .number = month_key,
     .gpu = AKIN_GPU_NO_KEY},
    {{"year", "", "the year of the date; in blocks neighbouring years, too", AKIN_KEY_YEAR, 0},
     .is_bucket = 1,
     .number = year_key,
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
    const akin_key_part *part;
    const uint32_t *ranks;
    uint64_t *keys;
} making;

/* The number of a value; of a pair of buckets that of the pair. */
static uint64_t make_number(const making *m, uint32_t value)
{
    const uint64_t number = m->row->number(m->values, value, m->part);
    if (number == 0 || m->part->buckets == AKIN_BUCKETS_ALONE)
        return number;
    return (number + (m->part->buckets == AKIN_BUCKETS_ODD)) / 2;
}

static akin_status make_keys(void *argument, uint64_t task, uint32_t thread)
{
    const making *m = argument;
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * TASK_VALUES, m->values->count);
    (void)thread;
    for (uint32_t v = (uint32_t)(task * TASK_VALUES); v < end; v++)
        m->keys[v] = m->row->number ? make_number(m, v) : (uint64_t)(m->ranks ? m->ranks[v] : v) + 1;
    return AKIN_OK;
}

akin_status akin_keys_of_values(const akin_scope *scope, const akin_values *values, const akin_key_part *part,
                                int sorted, akin_account *account, uint64_t **out, akin_error *error)
{
    making m = {.values = values, .row = akin_key_row_of(part->key), .part = part};
    const int ranked = !m.row->number && (sorted || m.row->cut);
    uint32_t *ranks = ranked ? akin_alloc(account, values->count, sizeof *ranks) : NULL;
    *out = m.keys = akin_alloc(account, values->count, sizeof *m.keys);
    m.ranks = ranks;
    akin_status status = m.keys && (ranks || !ranked) ? AKIN_OK : akin_fail_memory(error, "the keys");
    if (status == AKIN_OK && ranked)
        status = akin_values_rank(scope, values, account, m.row->cut, part->argument, ranks, error);
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
