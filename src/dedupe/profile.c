/* Profiles of columns. */
#include "dedupe/profile.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "dedupe/values.h"
#include "strings/date.h"
#include "strings/number.h"

#define SAMPLE      4096                /* rows that kinds and words are taken from */
#define SAMPLE_WORK (UINT64_C(1) << 24) /* rows times pairs of columns, at most */
#define WORDS       64                  /* of a value that are looked at */

#define LEAST_PRESENT 0.02 /* share of rows that a column must have values in */
#define MOSTLY        0.9  /* share of values that are of a kind */
#define CONTAINED     0.75 /* share of rows in which a column is a part of another one */
#define COVERED       0.75 /* share of words that such parts have */
#define LEAST_BOTH    20   /* rows that show it */
#define SHORT         24   /* symbols */
#define ONE_WORD      1.4  /* words */
#define DIGITS        0.7  /* share of letters and digits that are digits */
#define DECIMALS      0.1  /* share of numbers that have digits behind the point */
#define FEW_YEARS     1100 /* days */
#define DIGITS_OF_ROW 9    /* of the number of a row, at most */
#define SIZES         64   /* powers of two that sizes of numbers are told apart by */
#define CODE          5    /* letters and digits */

/* The text of a column in a record; NULL: it is missing. */
static const char *text_of(const akin_records *records, uint32_t column, uint32_t record, uint32_t *length)
{
    const int right = record >= records->rows[0];
    const akin_column *c = &records->columns[right][column];
    const uint32_t row = right ? record - records->rows[0] : record;
    const uint64_t begin = c->offsets[row], end = c->offsets[row + (uint64_t)1];
    *length = (uint32_t)akin_min_u64(end - begin, UINT32_MAX);
    return begin == end ? NULL : c->bytes + begin;
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* Hashes of the words of a value: runs of letters, digits and bytes beyond ASCII, without regard to case. */
typedef struct word_list {
    uint32_t count;
    uint32_t hashes[WORDS];
} word_list;

static int is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || akin_is_digit(c) || (c & 0x80);
}

static void list_words(const char *text, uint32_t length, word_list *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < length && out->count < WORDS;) {
        uint32_t hash = 2166136261u;
        const uint32_t begin = i;
        for (; i < length && is_of_word(text[i]); i++)
            hash = (hash ^ (uint8_t)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i])) * 16777619u;
        if (i > begin)
            out->hashes[out->count++] = hash;
        else
            i++;
    }
}

static int has_word(const word_list *list, uint32_t hash)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->hashes[i] == hash)
            return 1;
    return 0;
}

/* Whether a value is a part of another one, which has more words. */
static int is_part(const word_list *part, const word_list *whole)
{
    for (uint32_t i = 0; i < part->count; i++)
        if (!has_word(whole, part->hashes[i]))
            return 0;
    return part->count > 0 && part->count < whole->count;
}

/* ------------------------------------------------------------------------------------------------------------ kinds */

/* What values of a sample are. */
typedef struct tally {
    uint64_t values, dates, numbers, wholes, symbols, words, codes;
    uint64_t numbered; /* values that are a whole number behind the letters that all values of a table begin with */
    double lowest, highest;   /* of these numbers */
    const char *begins[2];    /* of each table: its first value, */
    uint32_t begin_bytes[2];  /* and how many letters that begins with */
    uint64_t digits, letters; /* of all values; bytes beyond ASCII are letters */
    double least, most;       /* of numbers */
    uint64_t sizes[SIZES];    /* numbers below 2^i, and not below 2^(i - 1) */
    int32_t first, last;      /* of dates, in days */
} tally;

/* Whether a value has a word of letters and digits. */
static int has_code(const char *text, uint32_t length)
{
    uint32_t digits = 0, letters = 0;
    for (uint32_t i = 0; i <= length; i++) {
        if (i < length && is_of_word(text[i])) {
            digits += (uint32_t)akin_is_digit(text[i]);
            letters += (uint32_t)!akin_is_digit(text[i]);
            continue;
        }
        if (digits > 0 && letters > 0 && digits + letters >= CODE)
            return 1;
        digits = letters = 0;
    }
    return 0;
}

static void tally_date(tally *t, int32_t days)
{
    t->first = t->dates == 0 || days < t->first ? days : t->first;
    t->last = t->dates == 0 || days > t->last ? days : t->last;
    t->dates++;
}

static void tally_number(tally *t, double number)
{
    t->least = t->numbers == 0 || number < t->least ? number : t->least;
    t->most = t->numbers == 0 || number > t->most ? number : t->most;
    uint32_t size = 0;
    for (double power = 1; size + 1 < SIZES && (number < 0 ? -number : number) >= power; power *= 2)
        size++;
    t->sizes[size]++;
    t->numbers++;
    t->wholes += number <= -1e15 || number >= 1e15 || number == (double)(int64_t)number; /* else a card or code */
}

/* Takes the number behind the letters that a value of a table begins with: of a0, a1, a2 and so on. */
static void tally_numbered(tally *t, uint32_t side, const char *text, uint32_t length)
{
    uint32_t begin = 0, at;
    double number = 0;
    while (begin < length && !akin_is_digit(text[begin]))
        begin++;
    for (at = begin; at < length && akin_is_digit(text[at]); at++)
        number = 10 * number + (text[at] - '0');
    if (!t->begins[side]) {
        t->begins[side] = text;
        t->begin_bytes[side] = begin;
    }
    if (at < length || at == begin || at - begin > DIGITS_OF_ROW || begin != t->begin_bytes[side] ||
        memcmp(text, t->begins[side], begin) != 0)
        return;
    t->lowest = t->numbered == 0 || number < t->lowest ? number : t->lowest;
    t->highest = t->numbered == 0 || number > t->highest ? number : t->highest;
    t->numbered++;
}

static void tally_value(tally *t, uint32_t side, const char *text, uint32_t length)
{
    int32_t days;
    double number;
    word_list words;
    t->values++;
    for (uint32_t i = 0; i < length; i++) {
        t->symbols += ((uint8_t)text[i] & 0xc0) != 0x80;
        t->digits += (uint64_t)akin_is_digit(text[i]);
        t->letters += (uint64_t)(is_of_word(text[i]) && !akin_is_digit(text[i]));
    }
    list_words(text, length, &words);
    t->words += words.count;
    t->codes += (uint64_t)has_code(text, length);
    tally_numbered(t, side, text, length);
    if (akin_date_parse(text, length, &days))
        tally_date(t, days);
    if (akin_number_parse(text, length, &number))
        tally_number(t, number);
}

/* The power of two at or below the median of the sizes; 0: it is less than 1. */
static double median_size(const tally *t)
{
    uint64_t below = t->sizes[0];
    double power = 0;
    for (uint32_t i = 1; i < SIZES && 2 * below < t->numbers; i++) {
        power = power > 0 ? 2 * power : 1;
        below += t->sizes[i];
    }
    return power;
}

static akin_profile_kind kind_of(const akin_profile *p, const tally *t, const akin_records *records)
{
    const double values = (double)t->values, digits = (double)t->digits;
    if (p->distinct < 2 || (double)p->present < LEAST_PRESENT * records->count || t->values == 0)
        return AKIN_PROFILE_EMPTY;
    const double rows = 2.0 * (double)p->present;
    if (p->most <= records->tables && ((t->wholes == t->values && t->most - t->least < rows) ||
                                       (t->numbered == t->values && t->highest - t->lowest < rows)))
        return AKIN_PROFILE_ROWS;
    if ((double)t->dates >= MOSTLY * values)
        return t->last - t->first <= FEW_YEARS ? AKIN_PROFILE_EVENTS : AKIN_PROFILE_DATES;
    if ((double)t->numbers >= MOSTLY * values && (double)(t->numbers - t->wholes) >= DECIMALS * values)
        return AKIN_PROFILE_AMOUNTS;
    if (p->length > SHORT)
        return AKIN_PROFILE_LONG;
    return p->words <= ONE_WORD || digits >= DIGITS * (digits + (double)t->letters) ? AKIN_PROFILE_WORD
                                                                                    : AKIN_PROFILE_WORDS;
}

static void look_at_values(const akin_records *records, uint32_t column, akin_profile *p)
{
    const uint32_t step = records->count / SAMPLE + 1;
    tally t = {0};
    for (uint64_t r = 0; r < records->count; r += step) {
        uint32_t length;
        const char *text = text_of(records, column, (uint32_t)r, &length);
        if (text)
            tally_value(&t, records->tables == 2 && r >= records->rows[0], text, length);
    }
    p->length = t.values > 0 ? (double)t.symbols / (double)t.values : 0;
    p->words = t.values > 0 ? (double)t.words / (double)t.values : 0;
    p->size = median_size(&t);
    p->codes = t.values > 0 ? (double)t.codes / (double)t.values : 0;
    p->kind = kind_of(p, &t, records);
}

/* ------------------------------------------------------------------------------------------------------ frequencies */

/* Counts values and their blocks. */
static akin_status count_values(const akin_scope *scope, akin_account *account, const akin_records *records,
                                uint32_t column, akin_profile *p, akin_error *error)
{
    akin_values values = {0};
    akin_status status = akin_values_make(scope, account, records, column, &values, error);
    uint32_t *counts = akin_alloc_zero(account, status == AKIN_OK ? values.count : 0, sizeof *counts);
    if (status == AKIN_OK && !counts)
        status = akin_fail_memory(error, "the profiles of columns");
    for (uint32_t r = 0; counts && r < records->count && status == AKIN_OK; r++)
        if (values.of[r] != AKIN_VALUE_NONE) {
            counts[values.of[r]]++;
            p->present++;
        }
    double equal = 0.5; /* pairs */
    for (uint32_t v = 0; counts && v < values.count && status == AKIN_OK; v++) {
        equal += (double)counts[v] * (counts[v] - 1.0) / 2;
        p->most = akin_max_u32(p->most, counts[v]);
        if (counts[v] <= AKIN_PROFILE_BLOCK)
            p->blocks[counts[v]] += (uint64_t)counts[v] * (counts[v] - 1) / 2;
    }
    for (uint32_t s = 1; s <= AKIN_PROFILE_BLOCK; s++)
        p->blocks[s] += p->blocks[s - 1];
    p->distinct = values.count;
    const double pairs = (double)p->present * ((double)p->present - 1) / 2;
    if (pairs > equal)
        p->telling = akin_logarithm_of(pairs / equal) * (double)p->present / records->count;
    akin_free(counts);
    akin_values_clear(&values);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- repetition */

/* Of each pair of columns, [whole * columns + part]. */
typedef struct overlaps {
    const akin_records *records;
    const akin_profile *profiles;
    uint32_t columns, step;
    uint32_t *both, *parts;  /* rows with values in both, and those in which the one is a part of the other */
    uint64_t *words, *found; /* of each column: words, and those that its parts have */
    word_list *lists;
} overlaps;

static void list_row(overlaps *o, uint32_t record)
{
    for (uint32_t c = 0; c < o->columns; c++) {
        uint32_t length;
        const char *text = text_of(o->records, c, record, &length);
        o->lists[c].count = 0;
        if (text && o->profiles[c].kind != AKIN_PROFILE_EMPTY)
            list_words(text, length, &o->lists[c]);
    }
}

static int is_contained(const overlaps *o, uint32_t whole, uint32_t part)
{
    const uint64_t at = (uint64_t)whole * o->columns + part;
    return o->both[at] >= LEAST_BOTH && o->parts[at] >= CONTAINED * o->both[at];
}

static void count_parts(overlaps *o)
{
    for (uint64_t r = 0; r < o->records->count; r += o->step) {
        list_row(o, (uint32_t)r);
        for (uint32_t w = 0; w < o->columns; w++)
            for (uint32_t p = 0; p < o->columns && o->lists[w].count > 0; p++)
                if (p != w && o->lists[p].count > 0) {
                    o->both[(uint64_t)w * o->columns + p]++;
                    o->parts[(uint64_t)w * o->columns + p] += (uint32_t)is_part(&o->lists[p], &o->lists[w]);
                }
    }
}

/* Counts the words of columns that have parts, and of these the words that a part has. */
static void count_covered(overlaps *o)
{
    for (uint64_t r = 0; r < o->records->count; r += o->step) {
        list_row(o, (uint32_t)r);
        for (uint32_t w = 0; w < o->columns; w++)
            for (uint32_t i = 0; i < o->lists[w].count; i++) {
                uint32_t p = 0;
                while (p < o->columns &&
                       (p == w || !is_contained(o, w, p) || !has_word(&o->lists[p], o->lists[w].hashes[i])))
                    p++;
                o->words[w]++;
                o->found[w] += p < o->columns;
            }
    }
}

/* Finds columns that are made of others, such as full names beside first names and surnames. */
static akin_status find_repeated(akin_account *account, const akin_records *records, uint32_t columns,
                                 akin_profile *profiles, akin_error *error)
{
    const uint64_t pairs = (uint64_t)columns * columns;
    const uint64_t rows = akin_max_u64(LEAST_BOTH, akin_min_u64(SAMPLE, SAMPLE_WORK / akin_max_u64(1, pairs)));
    overlaps o = {records,
                  profiles,
                  columns,
                  (uint32_t)(records->count / rows + 1),
                  akin_alloc_zero(account, pairs, sizeof *o.both),
                  akin_alloc_zero(account, pairs, sizeof *o.parts),
                  akin_alloc_zero(account, columns, sizeof *o.words),
                  akin_alloc_zero(account, columns, sizeof *o.found),
                  akin_alloc(account, columns, sizeof *o.lists)};
    const int done = o.both && o.parts && o.words && o.found && o.lists;
    if (done) {
        count_parts(&o);
        count_covered(&o);
    }
    for (uint32_t c = 0; c < columns && done; c++)
        profiles[c].is_repeated = o.found[c] > 0 && (double)o.found[c] >= COVERED * (double)o.words[c];
    akin_free(o.both);
    akin_free(o.parts);
    akin_free(o.words);
    akin_free(o.found);
    akin_free(o.lists);
    return done ? AKIN_OK : akin_fail_memory(error, "the profiles of columns");
}

akin_status akin_profile_make(const akin_scope *scope, akin_account *account, const akin_records *records,
                              uint32_t columns, akin_profile *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t c = 0; c < columns && status == AKIN_OK; c++) {
        out[c] = (akin_profile){.name = records->columns[0][c].name};
        status = count_values(scope, account, records, c, &out[c], error);
        if (status == AKIN_OK)
            look_at_values(records, c, &out[c]);
    }
    return status == AKIN_OK ? find_repeated(account, records, columns, out, error) : status;
}
