/*
 * akin_dedupe against what it says it does, pair by pair: which pairs each selection selects by sorting and comparing
 * keys, and what each is worth by comparing all values of it. Every SIMD level, several threads, with and without a
 * memory bound; built with PROPERTY_DEVICE on a GPU, with room for few candidates or many, with PROPERTY_HOST_GPU on
 * one that the host plays. Learnt weights: the same bytes at every SIMD level and with several threads.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 60 if not given
 */
#define _POSIX_C_SOURCE 200809L /* gmtime_r */

#include "unit/test_strings_support.h"
#include "unit/test_ratio.h"

#include "akin.h"
#include "base/context.h"
#include "dedupe/keys.h"
#include "device/device.h"
#include "property/setting.h"
#include "sets/sets.h"
#include "strings/date.h"
#include "strings/number.h"
#include "strings/soundex.h"
#include "text/rewriter.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#ifdef PROPERTY_HOST_GPU
#include "property/host_dedupe.h"
#define ON_GPU          1
#define HOST_GPU        1
#define PROPERTY_DEVICE "cpu" /* there is none to be opened: the context says that there is one */
#elif defined(PROPERTY_DEVICE)
#define ON_GPU 1
#else
#define ON_GPU          0
#define PROPERTY_DEVICE "cpu"
#endif

static akin_wishes wishes; /* of the tests below */

#define RECORDS 60 /* of each table, at most */
#define COLUMNS 4
#define ALL     6 /* with those that are combined */
#define RULES   4
#define EVEN    3 /* bytes of values of one length */

/* A table: names and places, many of them alike; numbers, and dates, some of them invalid. */
typedef struct table {
    uint32_t rows;
    char *bytes[ALL];
    uint64_t offsets[ALL][RECORDS + 1];
    uint8_t validity[ALL][RECORDS / 8 + 1];
    akin_column columns[ALL];
} table;

typedef struct question {
    akin_compare_options compare[RULES];
    akin_attribute attributes[RULES];
    akin_selection selections[RULES];
    akin_key_part parts[2 * RULES];
    uint32_t folds[ALL], combined_parts[2][3];
    const akin_synonyms *synonyms[ALL];
    akin_combined combined[ALL - COLUMNS];
    uint32_t given[2][2 * RECORDS];
    akin_dedupe_options options;
} question;

/* A pair that is found, and what is expected of it. */
typedef struct pairs {
    akin_scored_pair pairs[RECORDS * RECORDS];
    double each[RECORDS * RECORDS][RULES];
    uint32_t count, attributes;
} pairs;

typedef struct expectation {
    pairs found;
    uint64_t selected[RULES], fresh[RULES], oversized[RULES], oversized_records[RULES];
    uint64_t key_pairs[RULES], key_pairs_selected[RULES]; /* of windows */
    uint64_t all;
} expectation;

/* ----------------------------------------------------------------------------------------------------------- tables */

static uint32_t write_value(akin_random *random, uint32_t column, const table *other, char *to)
{
    static const char *const spelt[] = {"O'Neill", "oneill ", "ONEILL", "\xc3\x89t\xc3\xa9", "ete", "-", " a-b", "A B"};
    static string drawn;
    uint32_t from = other && other->rows ? (uint32_t)akin_random_below(random, other->rows) : 0;
    if (akin_random_below(random, 8) == 0)
        return 0;
    if (other && other->rows && akin_random_below(random, 2)) { /* as there, with an edit or two */
        uint64_t begin = other->offsets[column][from], end = other->offsets[column][from + 1];
        memcpy(to, other->bytes[column] + begin, end - begin);
        if (end > begin && akin_random_below(random, 2) && (unsigned char)to[end - begin - 1] < 0x80)
            to[end - begin - 1] = (char)('a' + akin_random_below(random, 4));
        return (uint32_t)(end - begin);
    }
    if (column == 2)
        return (uint32_t)sprintf(to, akin_random_below(random, 5) ? "%u" : "no %u",
                                 (uint32_t)akin_random_below(random, 30));
    if (column == 3)
        return (uint32_t)sprintf(to, "%u-%02u-%02u", 2019 + (uint32_t)akin_random_below(random, 3),
                                 (uint32_t)akin_random_below(random, 14), 1 + (uint32_t)akin_random_below(random, 28));
    if (column == 1 && akin_random_below(random, 4) == 0)
        return (uint32_t)sprintf(to, "%s", spelt[akin_random_below(random, sizeof spelt / sizeof *spelt)]);
    int is_long = akin_random_below(random, 12) == 0; /* longer than is screened, or of many symbols */
    uint32_t kinds = column == 0 ? 4 : is_long ? 90 : 7, most = column == 0 ? 12 : is_long ? 300 : 40;
    draw_string(random, kinds, 1 + (uint32_t)akin_random_below(random, most), &drawn);
    memcpy(to, drawn.text, drawn.bytes);
    return drawn.bytes;
}

/* Rows. Half of their values come from another table, or from a row that was made before. In some tables most values of
 * a column are of one length, so that they fill a group of a GPU's. */
static void make_table(akin_random *random, uint32_t rows, const table *other, table *t)
{
    int even = akin_random_below(random, 4) == 0;
    t->rows = rows;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        t->bytes[c] = realloc(t->bytes[c], (size_t)RECORDS * 4 * SYMBOLS_MOST);
        assert_non_null(t->bytes[c]);
        memset(t->validity[c], 0, sizeof t->validity[c]);
        t->offsets[c][0] = 0;
        for (uint32_t row = 0; row < rows; row++) {
            uint64_t at = t->offsets[c][row];
            t->rows = row; /* so far */
            uint64_t length = write_value(random, c, other ? other : t, t->bytes[c] + at);
            if (even && c == 0 && length > EVEN)
                length = EVEN;
            t->offsets[c][row + 1] = at + length;
            if (length > 0 || akin_random_below(random, 2))
                t->validity[c][row / 8] |= (uint8_t)(1u << row % 8);
        }
        t->rows = rows;
        t->columns[c] =
            (akin_column){sizeof t->columns[c], "made up", t->offsets[c], t->bytes[c], t->validity[c], 0, NULL, 0, 0};
    }
}

/* A value as it is, or of the columns that are combined there. */
static uint64_t write_raw(const table *from, const question *q, uint32_t column, uint32_t row, char *to)
{
    uint64_t length = 0;
    const akin_combined *combined = column < COLUMNS ? NULL : &q->combined[column - COLUMNS];
    for (uint32_t part = 0; part < (combined ? combined->count : 1); part++) {
        uint32_t c = combined ? combined->columns[part] : column;
        uint64_t begin = from->offsets[c][row], own = from->offsets[c][row + 1] - begin;
        if (own > 0 && length > 0)
            to[length++] = ' ';
        memcpy(to + length, from->bytes[c] + begin, own);
        length += own;
    }
    return length;
}

/* The same table with its values folded and rewritten one by one, and those that are combined; what becomes empty is
 * missing. */
static void make_columns(const table *from, const question *q, table *to)
{
    static char raw[3 * 4 * SYMBOLS_MOST + 3];
    akin_folder folder;
    akin_rewriter rewriter;
    to->rows = from->rows;
    for (uint32_t c = 0; c < COLUMNS + q->options.combined_count; c++) {
        uint32_t folds = q->options.folds ? q->folds[c] : 0;
        const akin_synonyms *synonyms = q->options.synonyms ? q->synonyms[c] : NULL;
        akin_forms forms = {.table = NULL};
        akin_folder_begin(&folder, NULL, folds);
        if (synonyms)
            assert_int_equal(akin_forms_make(NULL, synonyms, folds, &forms, NULL), AKIN_OK);
        akin_rewriter_begin(&rewriter, NULL, &forms);
        to->bytes[c] = realloc(to->bytes[c], (size_t)RECORDS * 3 * 8 * SYMBOLS_MOST);
        assert_non_null(to->bytes[c]);
        to->offsets[c][0] = 0;
        for (uint32_t row = 0; row < from->rows; row++) {
            uint64_t length = write_raw(from, q, c, row, raw);
            const char *made = raw;
            if (folds || synonyms) {
                assert_int_equal(akin_folder_take(&folder, raw, length), AKIN_OK);
                made = folder.text;
                length = folder.length;
            }
            if (synonyms) {
                assert_int_equal(akin_rewriter_take(&rewriter, made, length), AKIN_OK);
                made = rewriter.text;
                length = rewriter.length;
            }
            if (length > 0)
                memcpy(to->bytes[c] + to->offsets[c][row], made, length);
            to->offsets[c][row + 1] = to->offsets[c][row] + length;
        }
        to->columns[c] =
            (akin_column){sizeof to->columns[c], "made up", to->offsets[c], to->bytes[c], NULL, 0, NULL, 0, 0};
        akin_rewriter_clear(&rewriter);
        akin_forms_clear(&forms);
        akin_folder_clear(&folder);
    }
}

/* -------------------------------------------------------------------------------------------------------- questions */

/* As akin_compare has them for the name that the oracle gives it, and akin_sets_from_columns for text. */
#define BIGRAMS "jaccard/2"
static const akin_text_options bigrams = {sizeof bigrams, AKIN_TOKENS_QGRAMS, 2, 0, -1, NULL, 0, 0, NULL};

static void draw_combined(akin_random *random, question *q)
{
    static const uint32_t shorter[] = {0, 2, 3}; /* as a GPU does not take long ones */
    q->options.combined = q->combined;
    q->options.combined_count = akin_random_below(random, ALL - COLUMNS + 1);
    for (uint32_t i = 0; i < q->options.combined_count; i++) {
        q->combined[i] = (akin_combined){q->combined_parts[i], 1 + (uint32_t)akin_random_below(random, 3), 0};
        for (uint32_t part = 0; part < 3; part++)
            q->combined_parts[i][part] = shorter[akin_random_below(random, 3)];
    }
}

/* The number of any column. */
static uint32_t draw_column(akin_random *random, const question *q)
{
    return (uint32_t)akin_random_below(random, COLUMNS + q->options.combined_count);
}

/* A row of a table, each as likely as any other. */
static const akin_choice *draw_choice(akin_random *random, const char *what)
{
    uint32_t count = 0;
    while (akin_choices(what, count))
        count++;
    return akin_choices(what, (uint32_t)akin_random_below(random, count));
}

/* Any key of any column. */
static akin_key_part draw_part(akin_random *random, const question *q)
{
    const akin_key_row *row = (const akin_key_row *)draw_choice(random, "keys");
    uint32_t most = row->most < 5 ? row->most : 5;
    const int any = row->is_bucket && akin_random_below(random, 2);
    return (akin_key_part){.column = draw_column(random, q),
                           .key = (akin_key)row->choice.value,
                           .argument = most > 0 ? 1 + (uint32_t)akin_random_below(random, most) : 0,
                           .buckets = any ? (akin_bucket_pairs)akin_random_below(random, 3) : AKIN_BUCKETS_ALONE,
                           .scale = {row->has_scale ? 1 + (uint32_t)akin_random_below(random, 9) : 0, 2}};
}

/* Pairs of any rows of these tables, some of them twice, for a selection that takes them. */
static void draw_given(akin_random *random, question *q, const table *left, const table *right)
{
    const uint32_t lefts = left->rows, rights = right->rows;
    int is_taken = 0;
    for (uint32_t i = 0; i < q->options.selection_count; i++)
        is_taken |= q->selections[i].kind == AKIN_SELECT_GIVEN;
    q->options.given_left = q->given[0];
    q->options.given_right = q->given[1];
    q->options.given_count = is_taken && lefts && rights ? akin_random_below(random, 2 * RECORDS + 1) : 0;
    for (uint64_t i = 0; i < q->options.given_count; i++) {
        q->given[0][i] = (uint32_t)akin_random_below(random, lefts);
        q->given[1][i] = (uint32_t)akin_random_below(random, rights);
    }
}

static void draw_selections(akin_random *random, question *q)
{
    uint32_t part = 0;
    q->options.selection_count = 1 + (uint32_t)akin_random_below(random, 3);
    for (uint32_t i = 0; i < q->options.selection_count; i++) {
        akin_selection *s = &q->selections[i];
        *s = (akin_selection){.kind = (akin_selection_kind)draw_choice(random, "selections")->value,
                              .parts = q->parts + part};
        if (s->kind == AKIN_SELECT_ALL && akin_random_below(random, 2))
            s->kind = AKIN_SELECT_WINDOW;
        s->window = 2 + (uint32_t)akin_random_below(random, 6);
        s->part_count = s->kind == AKIN_SELECT_BLOCK && akin_random_below(random, 2) ? 2 : 1;
        s->measure = AKIN_JACCARD;
        s->cutoff = (akin_ratio){1 + (uint32_t)akin_random_below(random, 5), 5};
        s->nearest = 1 + (uint32_t)akin_random_below(random, 5);
        s->text = &bigrams;
        for (uint32_t p = 0; p < s->part_count; p++)
            q->parts[part++] = draw_part(random, q);
    }
}

/* One of those that there are; of the arguments that it takes one that suits the values. */
static const akin_choice *draw_comparator(akin_random *random, akin_compare_options *out)
{
    static const char *const arguments[][2] = {
        {"[/SCALE]", "/10"}, {"[/DAYS]", "/90"}, {"[/P]", "/60"}, {"[/N]", "/2"}};
    const akin_choice *row = NULL;
    char name[64];
    uint32_t count = 0;
    while (akin_choices("comparators", count))
        count++;
    do
        row = akin_choices("comparators", (uint32_t)akin_random_below(random, count));
    while (!(row->capabilities & (ON_GPU ? AKIN_ON_GPU : AKIN_FOR_DEDUPE)));
    snprintf(name, sizeof name, "%s", row->name);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        if (strcmp(row->arguments, arguments[i][0]) == 0 && (i < 3 || akin_random_below(random, 2)))
            snprintf(name, sizeof name, "%s%s", row->name, arguments[i][1]);
    out->size = sizeof *out;
    assert_int_equal(akin_compare_options_parse(name, out, NULL), AKIN_OK);
    return row;
}

/* The column of numbers or dates for a comparator of these, else one of text. */
static uint32_t usual_column(akin_random *random, akin_comparator comparator)
{
    switch (comparator) {
    case AKIN_NUMBER:
    case AKIN_PERCENT:
        return 2;
    case AKIN_DATE:
    case AKIN_AFTER:
        return 3;
    default:
        return (uint32_t)akin_random_below(random, 2);
    }
}

/* Any column, where it may be folded in any way. */
static uint32_t any_column(akin_random *random, akin_comparator comparator, const question *q)
{
    const uint32_t usual = usual_column(random, comparator);
    return usual < 2 ? draw_column(random, q) : usual;
}

static akin_synonyms *equals; /* of names that tables have */

static void make_synonyms(void)
{
    static const char text[] = "O'Neill,oneill\na b,ete\na,b,aa,ab\nd,c,cc";
    assert_int_equal(akin_synonyms_create(&equals, NULL), AKIN_OK);
    assert_int_equal(akin_synonyms_add(equals, "text", text, sizeof text - 1, NULL), AKIN_OK);
}

static void draw_question(akin_random *random, question *q)
{
    static const double thresholds[] = {0, 0.3, 0.5, 0.6, 0.75, 0.8, 0.9, 1};
    *q = (question){.options = AKIN_DEDUPE_OPTIONS_INIT};
    draw_combined(random, q);
    q->options.selections = q->selections;
    q->options.attributes = q->attributes;
    q->options.attribute_count = 1 + (uint32_t)akin_random_below(random, RULES);
    q->options.threshold = ratio_of(thresholds[1 + akin_random_below(random, 7)]);
    q->options.one_to_one = akin_random_below(random, 4) == 0;
    q->options.missing = (akin_missing)(1 + akin_random_below(random, 3));
    if (akin_random_below(random, 3))
        q->options.evidence = ratio_of(thresholds[akin_random_below(random, 8)]);
    q->options.max_block = akin_random_below(random, 2) ? 1000 : 2 + akin_random_below(random, 10);
    for (uint32_t i = 0; i < q->options.attribute_count; i++) {
        const akin_choice *row = draw_comparator(random, &q->compare[i]);
        int is_winkler = (row->capabilities & AKIN_TAKES_PREFIX) != 0;
        q->compare[i].floored = (row->capabilities & AKIN_TAKES_FLOORED) && akin_random_below(random, 2);
        if (is_winkler && akin_random_below(random, 3) == 0)
            q->compare[i].boost_threshold = (akin_ratio){7, 10};
        if (is_winkler && akin_random_below(random, 3) == 0)
            q->compare[i].prefix_scale = (akin_ratio){(uint32_t)akin_random_below(random, 26), 100};
        q->attributes[i] = (akin_attribute){.column = akin_random_below(random, 3)
                                                          ? usual_column(random, (akin_comparator)row->value)
                                                          : any_column(random, (akin_comparator)row->value, q),
                                            .compare = &q->compare[i],
                                            .threshold = ratio_of(thresholds[akin_random_below(random, 8)]),
                                            .weight = {1 + (uint32_t)akin_random_below(random, 9), 10}};
    }
    draw_selections(random, q);
    for (uint32_t c = 0; c < ALL; c++)
        q->folds[c] = akin_random_below(random, 2) ? (uint32_t)akin_random_below(random, AKIN_FOLD_ALL + 1) &
                                                         (c < 2 || c >= COLUMNS ? AKIN_FOLD_ALL : AKIN_FOLD_BLANKS)
                                                   : 0;
    if (akin_random_below(random, 2))
        q->options.folds = q->folds;
    for (uint32_t c = 0; c < ALL; c++)
        q->synonyms[c] = (c < 2 || c >= COLUMNS) && akin_random_below(random, 3) ? equals : NULL;
    if (akin_random_below(random, 3) == 0)
        q->options.synonyms = q->synonyms;
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

/* The records of both tables in one row. */
typedef struct records {
    const table *tables[2];
    uint32_t count;
} records;

static const char *text_of(const records *r, uint32_t record, uint32_t column, uint64_t *length)
{
    uint32_t right = record >= r->tables[0]->rows, row = right ? record - r->tables[0]->rows : record;
    const table *t = r->tables[right];
    *length = t->offsets[column][row + 1] - t->offsets[column][row];
    return t->bytes[column] + t->offsets[column][row];
}

static int meets(const records *r, uint32_t a, uint32_t b)
{
    return !r->tables[1] || (a < r->tables[0]->rows) != (b < r->tables[0]->rows);
}

/* The bucket of a text; 0: it has none. */
static int find_bucket(const char *text, uint64_t length, const akin_key_part *part, int64_t *bucket)
{
    double number;
    int32_t days;
    struct tm tm;
    if (part->key == AKIN_KEY_ROUND) {
        const int is_there = akin_number_parse(text, (uint32_t)length, &number);
        *bucket = is_there ? (int64_t)floor(number * part->scale.den / part->scale.num) : 0;
        return is_there;
    }
    if (!akin_date_parse(text, (uint32_t)length, &days))
        return 0;
    const time_t seconds = (time_t)days * 86400;
    assert_non_null(gmtime_r(&seconds, &tm));
    *bucket = part->key == AKIN_KEY_YEAR    ? tm.tm_year
              : part->key == AKIN_KEY_MONTH ? tm.tm_year * 12 + tm.tm_mon + 1
                                            : (days - (tm.tm_wday + 6) % 7 + 3) / 7; /* Mondays are 4 + 7 k */
    return 1;
}

/* A bucket, or a pair of them, as a text. */
static uint64_t write_bucket(const char *text, uint64_t length, const akin_key_part *part, char *to)
{
    int64_t bucket;
    if (!find_bucket(text, length, part, &bucket))
        return 0;
    bucket += 1000000;
    if (part->buckets != AKIN_BUCKETS_ALONE)
        bucket = (bucket + (part->buckets == AKIN_BUCKETS_ODD)) / 2;
    return (uint64_t)sprintf(to, "%012lld", (long long)bucket);
}

/* The first digits: fewer come first. */
static uint64_t write_digits(const char *text, uint64_t length, char *to)
{
    char digits[20];
    int count = 0;
    for (uint64_t i = 0; i < length && count < 18; i++)
        if (strchr("0123456789", text[i]))
            digits[count++] = text[i];
    return count ? (uint64_t)sprintf(to, "%02d%.*s", count, count, digits) : 0;
}

/* The key as a text whose order is that of keys; none: *length 0. */
static void write_key(const records *r, uint32_t record, const akin_key_part *part, char *to, uint64_t *length)
{
    const char *text = text_of(r, record, part->column, length);
    uint32_t symbols = 0, first = 0;
    if (part->key == AKIN_KEY_VALUE)
        memcpy(to, text, *length);
    else if (part->key == AKIN_KEY_SOUNDEX)
        *length = akin_soundex(text, (uint32_t)*length, to) ? AKIN_SOUNDEX_CODE : 0;
    for (uint64_t i = 0, begun = 0; part->key == AKIN_KEY_PREFIX && i < *length; i++) {
        begun += ((unsigned char)text[i] & 0xc0) != 0x80;
        to[i] = text[i];
        if (begun > part->argument)
            *length = i;
    }
    if (part->key == AKIN_KEY_DIGITS)
        *length = write_digits(text, *length, to);
    if (((const akin_key_row *)akin_choice_of(&akin_keys, (int)part->key))->is_bucket)
        *length = write_bucket(text, *length, part, to);
    if (part->key != AKIN_KEY_SIMPLE || *length == 0)
        return;
    for (uint64_t i = 0; i < *length; i++) {
        unsigned char byte = (unsigned char)text[i];
        symbols += (byte & 0xc0) != 0x80;
        if (symbols == 1)
            first = byte < 0x80    ? byte
                    : byte >= 0xf0 ? byte & 7u
                    : byte >= 0xe0 ? byte & 15u
                    : byte >= 0xc0 ? byte & 31u
                                   : first << 6 | (byte & 63u);
    }
    *length = (uint64_t)sprintf(to, "%012llu", 1000ull * symbols + first);
}

static int order_of_keys(const records *r, uint32_t a, uint32_t b, const akin_key_part *part)
{
    static char x[4 * SYMBOLS_MOST], y[4 * SYMBOLS_MOST];
    uint64_t lengths[2];
    write_key(r, a, part, x, &lengths[0]);
    write_key(r, b, part, y, &lengths[1]);
    int order = memcmp(x, y, lengths[0] < lengths[1] ? lengths[0] : lengths[1]);
    return order != 0 ? order : lengths[0] < lengths[1] ? -1 : lengths[0] > lengths[1];
}

static int has_key(const records *r, uint32_t record, const akin_key_part *part)
{
    static char key[4 * SYMBOLS_MOST];
    uint64_t length;
    write_key(r, record, part, key, &length);
    return length > 0;
}

static int shares_block(const records *r, const akin_selection *s, uint32_t a, uint32_t b)
{
    int same = 1;
    for (uint32_t p = 0; p < s->part_count; p++)
        same = same && has_key(r, a, &s->parts[p]) && order_of_keys(r, a, b, &s->parts[p]) == 0;
    return same;
}

static void mark_block(const records *r, const akin_selection *s, uint64_t most, uint32_t a, uint8_t *marks,
                       expectation *e, uint32_t at)
{
    uint32_t size = 0, first = r->count;
    for (uint32_t b = 0; b < r->count; b++)
        if (shares_block(r, s, a, b)) {
            first = b < first ? b : first;
            size++;
        }
    if (size > most) {
        e->oversized[at] += first == a;
        e->oversized_records[at] += first == a ? size : 0;
        return;
    }
    for (uint32_t b = 0; b < r->count; b++)
        marks[a * r->count + b] = shares_block(r, s, a, b) != 0;
}

/* Whether two values have the similarity in tokens that the selection needs. */
static int shares_tokens(akin_context *context, const records *r, const akin_selection *s, uint32_t a, uint32_t b)
{
    akin_compare_options options = {.size = sizeof options};
    akin_compared compared;
    uint64_t lengths[2];
    const char *left = text_of(r, a, s->parts->column, &lengths[0]);
    const char *right = text_of(r, b, s->parts->column, &lengths[1]);
    assert_int_equal(akin_compare_options_parse(BIGRAMS, &options, NULL), AKIN_OK);
    assert_int_equal(akin_compare(context, &options, left, lengths[0], right, lengths[1], &compared, NULL), AKIN_OK);
    return lengths[0] && lengths[1] && compared.similarity >= (double)s->cutoff.num / s->cutoff.den - 1e-12;
}

/* The sets of tokens of a column, of all records. */
typedef struct token_lists {
    akin_sets *sets[2];
    uint32_t counts[RECORDS * 2 * 2 * 512]; /* of each token: records that have it */
} token_lists;

static token_lists lists[RULES], nearest;

static void list_tokens(akin_context *context, const records *r, uint32_t column, const akin_text_options *text,
                        token_lists *out)
{
    akin_dictionary *dictionary;
    memset(out->counts, 0, sizeof out->counts);
    assert_int_equal(akin_dictionary_create(context, &dictionary, NULL), AKIN_OK);
    for (uint32_t side = 0; side < 2; side++) {
        akin_sets_free(out->sets[side]);
        out->sets[side] = NULL;
        if (!r->tables[side])
            continue;
        assert_int_equal(akin_sets_from_columns(context, &r->tables[side]->columns[column], 1, r->tables[side]->rows,
                                                text, dictionary, &out->sets[side], NULL),
                         AKIN_OK);
        for (uint64_t i = 0; i < out->sets[side]->offsets[r->tables[side]->rows]; i++)
            out->counts[out->sets[side]->tokens[i]]++;
    }
    assert_true(akin_dictionary_count(dictionary) <= sizeof out->counts / sizeof *out->counts);
    akin_dictionary_free(dictionary);
}

/* The tokens of a record. */
static const uint32_t *tokens_of(const records *r, const token_lists *l, uint32_t record, uint64_t *count)
{
    const uint32_t right = record >= r->tables[0]->rows, row = right ? record - r->tables[0]->rows : record;
    *count = l->sets[right]->offsets[row + 1] - l->sets[right]->offsets[row];
    return l->sets[right]->tokens + l->sets[right]->offsets[row];
}

/* The records that have a value. */
static uint64_t count_values(const records *r, uint32_t column)
{
    uint64_t with = 0, length;
    for (uint32_t record = 0; record < r->count; record++) {
        text_of(r, record, column, &length);
        with += length > 0;
    }
    return with;
}

/* The sum of the squares of the tokens that two records have in common, by the book. */
static uint64_t common_of(const records *r, const token_lists *l, uint64_t with, uint32_t x, uint32_t y)
{
    uint64_t counts[2], sum = 0;
    const uint32_t *a = tokens_of(r, l, x, &counts[0]), *b = tokens_of(r, l, y, &counts[1]);
    for (uint64_t i = 0; i < counts[0]; i++)
        for (uint64_t j = 0; j < counts[1]; j++) {
            const uint64_t weight = (uint64_t)llround(1024 * log(1 + (double)with / l->counts[a[i]]));
            sum += a[i] == b[j] ? weight * weight : 0;
        }
    return sum;
}

/* Marks a record with its nearest ones. */
static void mark_nearest(const records *r, const akin_selection *s, uint64_t with, uint32_t a, uint8_t *marks)
{
    uint64_t common[2 * RECORDS] = {0}, lengths[2 * RECORDS] = {0};
    for (uint32_t b = 0; b < r->count; b++) {
        common[b] = a != b && meets(r, a, b) ? common_of(r, &nearest, with, a, b) : 0;
        lengths[b] = common_of(r, &nearest, with, b, b);
    }
    for (uint32_t found = 0; found < s->nearest; found++) {
        uint32_t best = 0;
        for (uint32_t b = 1; b < r->count; b++)
            if (common[b] > 0 && (common[best] == 0 || (akin_u128)common[b] * common[b] * lengths[best] >
                                                           (akin_u128)common[best] * common[best] * lengths[b]))
                best = b;
        if (common[best] > 0)
            marks[a * r->count + best] = marks[best * r->count + a] = 1;
        common[best] = 0;
    }
}

static void mark_given(const records *r, const akin_dedupe_options *o, uint8_t *marks)
{
    const uint32_t border = r->tables[1] ? r->tables[0]->rows : 0;
    for (uint64_t i = 0; i < o->given_count; i++) {
        const uint32_t a = o->given_left[i], b = o->given_right[i] + border;
        marks[a * r->count + b] = marks[b * r->count + a] = 1;
    }
}

/* Marks the pairs that selection `at` selects. */
static void mark(akin_context *context, const records *r, const question *q, uint32_t at, uint8_t *marks,
                 expectation *e)
{
    const akin_selection *s = &q->selections[at];
    uint32_t order[2 * RECORDS];
    memset(marks, s->kind == AKIN_SELECT_ALL, (size_t)r->count * r->count);
    if (s->kind == AKIN_SELECT_NEAREST)
        list_tokens(context, r, s->parts->column, s->text, &nearest);
    for (uint32_t a = 0; a < r->count && s->kind == AKIN_SELECT_NEAREST; a++)
        mark_nearest(r, s, count_values(r, s->parts->column), a, marks);
    if (s->kind == AKIN_SELECT_GIVEN)
        mark_given(r, &q->options, marks);
    for (uint32_t a = 0; a < r->count && s->kind == AKIN_SELECT_BLOCK; a++)
        mark_block(r, s, q->options.max_block, a, marks, e, at);
    for (uint32_t a = 0; a < r->count && s->kind == AKIN_SELECT_SIMILAR; a++)
        for (uint32_t b = 0; b < r->count; b++)
            marks[a * r->count + b] = shares_tokens(context, r, s, a, b) != 0;
    for (uint32_t a = 0; a < r->count && s->kind == AKIN_SELECT_WINDOW; a++) {
        uint32_t i = a;
        for (; i > 0 && order_of_keys(r, a, order[i - 1], s->parts) < 0; i--)
            order[i] = order[i - 1];
        order[i] = a;
    }
    for (uint32_t i = 0; i < r->count && s->kind == AKIN_SELECT_WINDOW; i++)
        for (uint32_t j = i + 1; j < r->count && j < i + s->window; j++)
            marks[order[i] * r->count + order[j]] = marks[order[j] * r->count + order[i]] = 1;
}

/* Whether a record has a value, and for codes one of them. */
static int has_tokens(const records *r, const akin_attribute *a, const token_lists *l, uint32_t record)
{
    uint64_t length, count;
    text_of(r, record, a->column, &length);
    tokens_of(r, l, record, &count);
    return length > 0 && (count > 0 || a->compare->comparator == AKIN_TFIDF);
}

/* The cosine of two records' tokens; 1 if neither has one. */
static double tfidf(const records *r, const akin_attribute *a, const token_lists *l, uint32_t x, uint32_t y)
{
    uint64_t with = 0;
    for (uint32_t record = 0; record < r->count; record++)
        with += (uint64_t)has_tokens(r, a, l, record);
    const double lengths[] = {(double)common_of(r, l, with, x, x), (double)common_of(r, l, with, y, y)};
    if (lengths[0] == 0 || lengths[1] == 0)
        return lengths[0] == lengths[1];
    return (double)common_of(r, l, with, x, y) / sqrt(lengths[0] * lengths[1]);
}

static int is_weighted(const akin_compare_options *compare)
{
    return compare->comparator == AKIN_TFIDF || compare->comparator == AKIN_CODES;
}

/* What two values contribute. */
static double similarity_of(akin_context *context, const records *r, const akin_attribute *a, akin_missing missing,
                            const token_lists *tokens, uint32_t x, uint32_t y)
{
    uint64_t lengths[2];
    const char *left = text_of(r, x, a->column, &lengths[0]), *right = text_of(r, y, a->column, &lengths[1]);
    akin_compared own[2] = {{0, 0}, {0, 0}}, compared;
    if (is_weighted(a->compare)) {
        const int is_left = has_tokens(r, a, tokens, x), is_right = has_tokens(r, a, tokens, y);
        if (is_left && is_right)
            return tfidf(r, a, tokens, x, y);
        return missing == AKIN_MISSING_SKIP ? NAN : missing == AKIN_MISSING_EQUAL && is_left == is_right;
    }
    assert_int_equal(akin_compare(context, a->compare, left, lengths[0], left, lengths[0], &own[0], NULL), AKIN_OK);
    assert_int_equal(akin_compare(context, a->compare, right, lengths[1], right, lengths[1], &own[1], NULL), AKIN_OK);
    int no_left = lengths[0] == 0 || isnan(own[0].similarity), no_right = lengths[1] == 0 || isnan(own[1].similarity);
    if (no_left || no_right)
        return missing == AKIN_MISSING_SKIP ? NAN : missing == AKIN_MISSING_EQUAL && no_left && no_right;
    assert_int_equal(akin_compare(context, a->compare, left, lengths[0], right, lengths[1], &compared, NULL), AKIN_OK);
    return compared.similarity;
}

static void score(akin_context *context, const question *q, const records *r, uint32_t a, uint32_t b, pairs *found)
{
    double sum = 0, weights = 0, *each = found->each[found->count];
    uint64_t counted = 0, all = 0; /* weights, in tenths */
    for (uint32_t i = 0; i < q->options.attribute_count; i++) {
        const akin_attribute *attribute = &q->attributes[i];
        each[i] = similarity_of(context, r, attribute, q->options.missing, &lists[i], a, b);
        double weight = value_of_ratio(attribute->weight);
        if (!isnan(each[i]) && !value_reaches(each[i], attribute->threshold))
            each[i] = 0;
        weights += isnan(each[i]) ? 0 : weight;
        counted += isnan(each[i]) ? 0 : attribute->weight.num;
        all += attribute->weight.num;
        sum += isnan(each[i]) ? 0 : weight * each[i];
    }
    if (counted * q->options.evidence.den < all * q->options.evidence.num)
        return;
    if (weights > 0 && average_reaches(sum / weights, q->options.attribute_count, q->options.threshold))
        found->pairs[found->count++] = (akin_scored_pair){a, r->tables[1] ? b - r->tables[0]->rows : b, sum / weights};
}

/* Whether a pair that is taken has a record in common with this one. */
static int is_taken(const pairs *p, const uint8_t *taken, uint32_t i, int linked)
{
    for (uint32_t k = 0; k < p->count; k++) {
        const akin_scored_pair *a = &p->pairs[k], *b = &p->pairs[i];
        if (taken[k] &&
            (a->left == b->left || a->right == b->right || (!linked && (a->left == b->right || a->right == b->left))))
            return 1;
    }
    return 0;
}

/* Leaves the best pair, to 9 digits, and the best of those that have no record in common with it, and so on. */
static void match(pairs *p, int linked)
{
    static uint8_t taken[RECORDS * RECORDS];
    uint32_t best = 0, left = 0;
    memset(taken, 0, sizeof taken);
    while (best < p->count) {
        best = p->count;
        for (uint32_t i = 0; i < p->count; i++)
            if (!taken[i] && !is_taken(p, taken, i, linked) &&
                (best == p->count || lround(1e9 * p->pairs[i].similarity) > lround(1e9 * p->pairs[best].similarity)))
                best = i;
        if (best < p->count)
            taken[best] = 1;
    }
    for (uint32_t i = 0; i < p->count; i++)
        if (taken[i]) {
            memcpy(p->each[left], p->each[i], sizeof p->each[i]);
            p->pairs[left++] = p->pairs[i];
        }
    p->count = left;
}

static void expect(akin_context *context, const question *q, const records *r, expectation *e)
{
    static uint8_t marks[RULES][4 * RECORDS * RECORDS];
    memset(e, 0, sizeof *e);
    for (uint32_t i = 0; i < q->options.selection_count; i++)
        mark(context, r, q, i, marks[i], e);
    for (uint32_t i = 0; i < q->options.attribute_count; i++)
        if (is_weighted(&q->compare[i])) {
            akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
            text.tokens = q->compare[i].tokens;
            text.q = q->compare[i].q;
            list_tokens(context, r, q->attributes[i].column, &text, &lists[i]);
        }
    for (uint32_t a = 0; a < r->count; a++)
        for (uint32_t b = a + 1; b < r->count; b++) {
            uint32_t known = 0;
            for (uint32_t i = 0; i < q->options.selection_count && meets(r, a, b); i++) {
                uint32_t selected = marks[i][a * r->count + b];
                uint32_t same = q->selections[i].kind == AKIN_SELECT_WINDOW && shares_block(r, &q->selections[i], a, b);
                e->key_pairs[i] += same;
                e->key_pairs_selected[i] += same && selected;
                e->selected[i] += selected;
                e->fresh[i] += selected && !known;
                known += selected;
            }
            e->all += meets(r, a, b) != 0;
            if (known)
                score(context, q, r, a, b, &e->found);
        }
    if (q->options.one_to_one)
        match(&e->found, r->tables[1] != NULL);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static int add(void *user, const akin_scored_pair *batch, const double *each, size_t count)
{
    pairs *p = user;
    for (size_t i = 0; i < count; i++) {
        assert_true(p->count < RECORDS * RECORDS);
        memcpy(p->each[p->count], each + i * p->attributes, p->attributes * sizeof *each);
        p->pairs[p->count++] = batch[i];
    }
    return 0;
}

static void same_number(double a, double b)
{
    assert_true((isnan(a) && isnan(b)) || (a <= b && a >= b));
}

/* With a report, which looks at more pairs than are found, or without. */
static void find(akin_context *context, const question *q, const table *left, const table *right, const expectation *e,
                 int reported)
{
    static pairs found;
    akin_selected selected[RULES];
    akin_dedupe_options options = q->options;
    akin_dedupe_report report = {.size = sizeof report};
    akin_error error = {.code = AKIN_OK, .message = ""};
    uint64_t count = 0;
    found.count = 0;
    found.attributes = options.attribute_count;
    options.selected = selected;
    if (reported)
        assert_int_equal(akin_report_create(context, NULL, &options.report, NULL), AKIN_OK);
    akin_status status = akin_dedupe(context, left->columns, left->rows, right ? right->columns : NULL,
                                     right ? right->rows : 0, COLUMNS, &options, add, &found, &count, &report, &error);
    akin_report_free(options.report);
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
    assert_int_equal(count, e->found.count);
    assert_int_equal(found.count, e->found.count);
    assert_int_equal(report.pairs_all, e->all);
    assert_int_equal(report.pairs_found, count);
    assert_int_equal(report.device > 0, ON_GPU && e->all > 0);
    for (uint32_t i = 0; i < options.selection_count; i++)
        report.pairs_selected -= selected[i].fresh;
    assert_int_equal(report.pairs_selected, 0);
    for (uint32_t i = 0; i < q->options.selection_count; i++) {
        assert_int_equal(selected[i].pairs, e->selected[i]);
        assert_int_equal(selected[i].fresh, e->fresh[i]);
        assert_int_equal(selected[i].oversized, e->oversized[i]);
        assert_int_equal(selected[i].oversized_records, e->oversized_records[i]);
        assert_int_equal(selected[i].key_pairs, e->key_pairs[i]);
        assert_int_equal(selected[i].key_pairs_selected, e->key_pairs_selected[i]);
    }
    for (uint32_t i = 0; i < found.count; i++) {
        assert_int_equal(found.pairs[i].left, e->found.pairs[i].left);
        assert_int_equal(found.pairs[i].right, e->found.pairs[i].right);
        same_number(found.pairs[i].similarity, e->found.pairs[i].similarity);
        for (uint32_t a = 0; a < q->options.attribute_count; a++)
            same_number(found.each[i][a], e->found.each[i][a]);
    }
}

static int stop(void *user, const akin_scored_pair *batch, const double *each, size_t count)
{
    (void)user, (void)batch, (void)each, (void)count;
    return 1;
}

/* The records of a part, on a GPU: more than a window, and than a block has. */
static uint64_t part_of(const question *q)
{
    uint64_t most = 4;
    for (uint32_t i = 0; i < q->options.selection_count; i++) {
        const akin_selection *s = &q->selections[i];
        uint64_t least = s->kind == AKIN_SELECT_WINDOW                                        ? s->window + (uint64_t)1
                         : s->kind == AKIN_SELECT_BLOCK && q->options.max_block > 2 * RECORDS ? 2 * RECORDS
                         : s->kind == AKIN_SELECT_BLOCK                                       ? q->options.max_block
                                                                                              : 4;
        most = most > least ? most : least;
    }
    return most;
}

static void find_in_every_way(akin_context *context, const question *q, const table *left, const table *right)
{
    static expectation expected;
    static table folded[2]; /* folding and combining first or within is the same */
    const records r = {{&folded[0], right ? &folded[1] : NULL}, left->rows + (right ? right->rows : 0)};
    akin_error error;
    make_columns(left, q, &folded[0]);
    if (right)
        make_columns(right, q, &folded[1]);
    context->scope.threads = 1;
    expect(context, q, &r, &expected);
    for (uint32_t cpu = ON_GPU ? context->cpu_best : AKIN_CPU_SCALAR; cpu <= context->cpu_best; cpu++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            context->scope.cpu = (akin_cpu)cpu;
            context->scope.threads = threads;
            context->scope.memory = threads == 3 ? (uint64_t)64 << 20 : 0;
            context->wishes = &wishes;
            wishes.candidates = ON_GPU && threads == 3 ? 1 : 0;
            wishes.part_tokens = ON_GPU && threads == 3 ? part_of(q) : 0;
            wishes.equal_rows = (cpu + threads / 2) % 2 ? 1 : -1;
            wishes.pairs_a_batch = cpu % 2 ? 0 : 7;
            for (int reported = 0; reported < 2; reported++)
                find(context, q, left, right, &expected, reported);
        }
    context->scope.memory = wishes.candidates = wishes.part_tokens = 0;
    wishes.pairs_a_batch = 5;
    wishes.equal_rows = 1;
    akin_status status = akin_dedupe(context, left->columns, left->rows, right ? right->columns : NULL,
                                     right ? right->rows : 0, COLUMNS, &q->options, stop, NULL, NULL, NULL, &error);
    assert_int_equal(status, expected.found.count ? AKIN_E_CANCELLED : AKIN_OK);
    wishes.equal_rows = 0;
    wishes.pairs_a_batch = 0;
}

static int is_directed(const question *q)
{
    for (uint32_t i = 0; i < q->options.attribute_count; i++)
        if (akin_choice_of_value("comparators", (int)q->compare[i].comparator)->capabilities & AKIN_IS_DIRECTED)
            return 1;
    return 0;
}

/* One table has no left and right records. */
static void refuse_direction(akin_context *context, const question *q, const table *one)
{
    akin_error error;
    assert_int_equal(
        akin_dedupe(context, one->columns, one->rows, NULL, 0, COLUMNS, &q->options, NULL, NULL, NULL, NULL, &error),
        AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "expected two tables, or a comparator that has no direction, such as date"));
}

/* Learns the weights. Probabilities, and all that is expected of them, are the report's and the pairs'. */
static void learn(akin_context *context, const question *q, const table *left, const table *right, pairs *found,
                  akin_dedupe_report *report)
{
    akin_dedupe_options options = q->options;
    akin_error error = {.code = AKIN_OK, .message = ""};
    options.weights = AKIN_WEIGHTS_LEARN;
    if (q->options.max_block == 1000) /* half of the questions */
        options.threshold = (akin_ratio){0, 1};
    *report = (akin_dedupe_report){.size = sizeof *report};
    memset(found, 0, sizeof *found);
    found->attributes = options.attribute_count;
    akin_status status = akin_dedupe(context, left->columns, left->rows, right ? right->columns : NULL,
                                     right ? right->rows : 0, COLUMNS, &options, add, found, NULL, report, &error);
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
    for (uint32_t i = 0; i < found->count; i++)
        assert_true(found->pairs[i].similarity >= 0 && found->pairs[i].similarity <= 1);
    assert_true(report->expected_precision >= 0 && report->expected_precision <= 1 && report->threshold >= 0);
    assert_true(report->expected_recall >= 0 && report->expected_recall <= 1 + 1e-9);
}

/* Learnt weights give the same bytes at every SIMD level, with one thread or several, and with pairs that a GPU has
 * compared. */
static void learn_in_every_way(akin_context *context, const question *q, const table *left, const table *right)
{
    static pairs expected, found;
    akin_dedupe_report first, report;
    const akin_device_choice choice = context->scope.device_choice;
    context->scope.threads = 1;
    context->scope.device_choice = AKIN_DEVICE_CPU;
    learn(context, q, left, right, &expected, &first);
    context->scope.device_choice = choice;
    for (uint32_t cpu = ON_GPU ? context->cpu_best : AKIN_CPU_SCALAR; cpu <= context->cpu_best; cpu++) {
        context->scope.cpu = (akin_cpu)cpu;
        context->scope.threads = 3;
        context->wishes = &wishes;
        wishes.candidates = ON_GPU ? 1 : 0;
        wishes.pairs_a_batch = cpu % 2 ? 0 : 7;
        wishes.part_tokens = ON_GPU && q->options.max_block == 1000 ? part_of(q) : 0;
        learn(context, q, left, right, &found, &report);
        assert_int_equal(report.device > 0, ON_GPU && report.pairs_all > 0);
        assert_memory_equal(&found, &expected, sizeof found);
        assert_true(report.threshold == first.threshold && report.partners == first.partners);
        assert_true(report.expected_matches == first.expected_matches && report.learnt == first.learnt);
        assert_true(report.expected_precision == first.expected_precision);
        assert_true(report.expected_recall == first.expected_recall);
    }
    wishes.candidates = wishes.part_tokens = wishes.pairs_a_batch = 0;
}

static void every_case(void **state)
{
    static table tables[2];
    static question q;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_random random;
    uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    (void)state;
    options.device = PROPERTY_DEVICE;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
#ifdef HOST_GPU
    context->backend = &host_backend;
    context->scope.device_choice = AKIN_DEVICE_CUDA;
#endif
    for (uint64_t i = 0; i < cases; i++) {
        akin_random_seed(&random, seed * 1000003 + i);
        uint32_t most = i % 10 == 0 ? 2 : RECORDS;
#ifdef HOST_GPU
        host_device_give(i % 2 ? (uint64_t)1 << 18 : 0, 0); /* so that candidates are scored in parts, or at once */
#endif
        make_table(&random, (uint32_t)akin_random_below(&random, most + 1), NULL, &tables[0]);
        make_table(&random, (uint32_t)akin_random_below(&random, most + 1), &tables[0], &tables[1]);
        draw_question(&random, &q);
        printf("seed %llu case %llu: %u and %u records, %u attributes, %u selections\n", (unsigned long long)seed,
               (unsigned long long)i, tables[0].rows, tables[1].rows, q.options.attribute_count,
               q.options.selection_count);
        draw_given(&random, &q, &tables[0], &tables[0]);
        if (is_directed(&q))
            refuse_direction(context, &q, &tables[0]);
        else
            find_in_every_way(context, &q, &tables[0], NULL);
        draw_given(&random, &q, &tables[0], &tables[1]);
        find_in_every_way(context, &q, &tables[0], &tables[1]);
        for (int two = is_directed(&q); two < 2; two++) {
            draw_given(&random, &q, &tables[0], &tables[two]);
            learn_in_every_way(context, &q, &tables[0], two ? &tables[1] : NULL);
        }
    }
#ifdef HOST_GPU
    printf("%llu launches of lists, %llu of groups, %llu of them cut; %llu pairs listed, %llu scored\n",
           (unsigned long long)host_dedupe.lists, (unsigned long long)host_dedupe.meetings,
           (unsigned long long)host_dedupe.cut, (unsigned long long)host_dedupe.listed,
           (unsigned long long)host_dedupe.scored);
#endif
    for (int t = 0; t < 2; t++)
        for (uint32_t c = 0; c < COLUMNS; c++)
            free(tables[t].bytes[c]);
    akin_context_free(context);
}

int main(void)
{
#ifndef HOST_GPU
    if (ON_GPU && akin_device_find().devices == 0) {
        printf("skipped: %s\n", akin_device_find().state);
        return 77;
    }
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    make_synonyms();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    akin_synonyms_free(equals);
    return failed;
}
