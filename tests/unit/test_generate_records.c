/* Made-up records: the same everywhere, gold pairs that are the pairs of one original, the numbers of duplicates of the
 * options, values that look like such values, and errors that are what they are called. */
#define _GNU_SOURCE

#include "unit/test_sanitizers.h"
#include "base/context.h"
#include "generate/records.h"
#include "table/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The tables that were made: values without gaps, each ended by NUL, and where those of a row begin. */
typedef struct table {
    char *text;
    size_t length;
    FILE *out;
    uint32_t rows, columns;
    char names[64][16];
    size_t *starts;
    akin_record_origin *origins;
} table;

typedef struct tables {
    table of[3];
    uint32_t batches, stop; /* the number of the batch at which the sink stops; 0: none */
} tables;

static int take(void *user, const akin_records_batch *batch)
{
    tables *all = user;
    table *t = &all->of[batch->table - 1];
    assert_int_equal(batch->size, sizeof *batch);
    assert_int_equal(batch->first, t->rows);
    assert_in_range((uint64_t)batch->rows * batch->column_count, 0,
                    8192); /* so that memory does not grow with tracks */
    assert_int_equal(batch->origins == NULL, batch->table == AKIN_RECORDS_GOLD);
    if (++all->batches == all->stop)
        return 1;
    if (!t->out) {
        t->out = open_memstream(&t->text, &t->length);
        t->columns = batch->column_count;
        for (uint32_t c = 0; c < t->columns; c++)
            snprintf(t->names[c], sizeof t->names[c], "%s", batch->columns[c].name);
    }
    assert_non_null(t->out);
    t->starts = realloc(t->starts, (t->rows + batch->rows + 1) * sizeof *t->starts);
    t->origins = realloc(t->origins, (t->rows + batch->rows + 1) * sizeof *t->origins);
    assert_non_null(t->starts);
    assert_non_null(t->origins);
    for (uint32_t row = 0; row < batch->rows; row++) {
        fflush(t->out);
        t->starts[t->rows + row] = t->length;
        if (batch->origins)
            t->origins[t->rows + row] = batch->origins[row];
        for (uint32_t c = 0; c < t->columns; c++) {
            const akin_column *column = &batch->columns[c];
            size_t length = (size_t)(column->offsets[row + 1] - column->offsets[row]);
            assert_int_equal(akin_utf8_check(column->bytes + column->offsets[row], length), length);
            fwrite(column->bytes + column->offsets[row], 1, length, t->out);
            fputc('\0', t->out);
        }
    }
    fflush(t->out);
    t->rows += batch->rows;
    return 0;
}

static const char *value(const table *t, uint32_t row, uint32_t column)
{
    const char *at = t->text + t->starts[row];
    while (column-- > 0)
        at += strlen(at) + 1;
    return at;
}

static void drop(tables *all)
{
    for (int i = 0; i < 3; i++) {
        if (all->of[i].out)
            fclose(all->of[i].out);
        free(all->of[i].text);
        free(all->of[i].starts);
        free(all->of[i].origins);
    }
    memset(all, 0, sizeof *all);
}

static void make(const akin_records_options *options, uint32_t threads, tables *out)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    akin_error error = {.message = ""};
    memset(out, 0, sizeof *out);
    assert_int_equal(akin_records_generate(&context, options, take, out, &error), AKIN_OK);
}

static akin_records_options options_of(akin_records_kind kind, uint32_t rows, double duplicates)
{
    akin_records_options options = AKIN_RECORDS_OPTIONS_INIT;
    options.kind = kind;
    options.rows = rows;
    options.duplicates = duplicates;
    return options;
}

static uint64_t hash(const table *t)
{
    return XXH3_64bits(t->text, t->length);
}

/* ------------------------------------------------------------------------------------------------------ determinism */

/* What these are is no more than what they were when they were first made: on every machine they must be the same. */
static void test_same_everywhere(void **state)
{
    (void)state;
    static const struct {
        akin_records_kind kind;
        int linked;
        uint64_t hashes[3];
    } cases[] = {
        {AKIN_RECORDS_PEOPLE, 0, {0x6590e74e46255474, 0, 0x33f180c9d6673e86}},
        {AKIN_RECORDS_CD, 0, {0x8ec6621a18376bda, 0, 0x33f180c9d6673e86}},
        {AKIN_RECORDS_CD, 1, {0x73455f8738f32ffd, 0x824f76c90ef11a97, 0xea4d82360ce8c32a}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t threads = 1; threads < 6; threads += 2) {
            akin_records_options options = options_of(cases[i].kind, 20000, 0.2);
            tables all;
            options.linked = cases[i].linked;
            options.tracks = 12;
            make(&options, threads, &all);
            for (int t = 0; t < 3; t++)
                if (all.of[t].out)
                    assert_int_equal(hash(&all.of[t]), cases[i].hashes[t]);
            drop(&all);
        }
}

/* Other seeds make other records, and more rows or tracks of originals none but more. */
static void test_seeds(void **state)
{
    (void)state;
    akin_records_options options = options_of(AKIN_RECORDS_CD, 500, 0);
    tables first, other, wider;
    make(&options, 1, &first);
    options.tracks = 20;
    make(&options, 1, &wider);
    assert_int_equal(wider.of[0].columns, 26);
    assert_string_equal(wider.of[0].names[25], "track20");
    for (uint32_t row = 0; row < 500; row++)
        for (uint32_t c = 0; c < first.of[0].columns; c++)
            assert_string_equal(value(&first.of[0], row, c), value(&wider.of[0], row, c));
    options.tracks = 2;
    options.seed = 2;
    make(&options, 1, &other);
    assert_true(hash(&first.of[0]) != hash(&other.of[0]));
    drop(&first);
    drop(&other);
    drop(&wider);
}

/* ------------------------------------------------------------------------------------------------------------- gold */

static int order_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All pairs of rows of one original, by their ids, as text. */
static char **expected_pairs(const tables *all, int linked, size_t *count)
{
    const table *left = &all->of[0], *right = &all->of[linked];
    char **pairs = NULL;
    *count = 0;
    for (uint32_t i = 0; i < left->rows; i++)
        for (uint32_t j = 0; j < right->rows; j++) {
            const akin_record_origin *a = &left->origins[i], *b = &right->origins[j];
            if (a->original != b->original || a->copy >= b->copy)
                continue;
            pairs = realloc(pairs, (*count + 1) * sizeof *pairs);
            assert_non_null(pairs);
            assert_true(asprintf(&pairs[(*count)++], "%s %s", value(left, i, 0), value(right, j, 0)) > 0);
        }
    if (pairs)
        qsort(pairs, *count, sizeof *pairs, order_ids);
    return pairs;
}

static void check_gold(akin_records_kind kind, uint32_t rows, double duplicates, akin_copies copies, int linked)
{
    akin_records_options options = options_of(kind, rows, duplicates);
    tables all;
    size_t count;
    options.copies = copies;
    options.linked = linked;
    make(&options, 2, &all);
    char **expected = expected_pairs(&all, linked, &count);
    const table *gold = &all.of[2];
    assert_int_equal(gold->rows, count);
    assert_string_equal(gold->names[0], "left");
    assert_string_equal(gold->names[1], "right");
    char **found = calloc(count + 1, sizeof *found);
    assert_non_null(found);
    for (uint32_t i = 0; i < count; i++)
        assert_true(asprintf(&found[i], "%s %s", value(gold, i, 0), value(gold, i, 1)) > 0);
    qsort(found, count, sizeof *found, order_ids);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(found[i], expected[i]);
        free(found[i]);
        free(expected[i]);
    }
    free(found);
    free(expected);
    drop(&all);
}

static void test_gold(void **state)
{
    const akin_choice *copies;
    (void)state;
    for (uint32_t i = 0; (copies = akin_annex_choices(akin_generators(), "copies", i)); i++) {
        check_gold(AKIN_RECORDS_PEOPLE, 900, 0.3, (akin_copies)copies->value, 0);
        check_gold(AKIN_RECORDS_CD, 900, 0.6, (akin_copies)copies->value, 1);
    }
    check_gold(AKIN_RECORDS_PEOPLE, 900, 0, AKIN_COPIES_POISSON, 0);
    check_gold(AKIN_RECORDS_PEOPLE, 5000, 0.8, AKIN_COPIES_UNIFORM, 0); /* more pairs than go into a batch */
    check_gold(AKIN_RECORDS_CD, 2, 0.5, AKIN_COPIES_POISSON, 0);
    check_gold(AKIN_RECORDS_CD, 1, 0.5, AKIN_COPIES_POISSON, 0);
    check_gold(AKIN_RECORDS_CD, 0, 0.5, AKIN_COPIES_POISSON, 1);
}

/* Ids and origins agree, and each number 0 to rows - 1 of originals and their copies is there once. */
static void test_origins(void **state)
{
    (void)state;
    akin_records_options options = options_of(AKIN_RECORDS_PEOPLE, 5000, 0.25);
    tables all;
    make(&options, 3, &all);
    uint32_t copies[3750] = {0}, originals = 0, moved = 0;
    for (uint32_t row = 0; row < 5000; row++) {
        const akin_record_origin *o = &all.of[0].origins[row];
        char id[40];
        if (o->copy == 0)
            snprintf(id, sizeof id, "rec-%u-org", o->original);
        else
            snprintf(id, sizeof id, "rec-%u-dup-%u", o->original, o->copy - 1);
        assert_string_equal(value(&all.of[0], row, 0), id);
        assert_in_range(o->original, 0, 3749);
        assert_in_range(o->copy, 0, 5);
        assert_int_equal(copies[o->original] >> o->copy & 1, 0);
        copies[o->original] |= 1u << o->copy;
        originals += o->copy == 0;
        moved += o->original != row;
    }
    assert_int_equal(originals, 3750);
    assert_true(moved > 4900); /* they are shuffled */
    for (uint32_t i = 0; i < 3750; i++)
        assert_int_equal(copies[i] & (copies[i] + 1), 0); /* without a gap */
    drop(&all);
}

/* ------------------------------------------------------------------------------------------------------- statistics */

/* How many originals have 1, 2, ... 5 duplicates, of 1000 that have any. */
static void count_copies(akin_copies copies, uint32_t shares[6])
{
    akin_records_options options = options_of(AKIN_RECORDS_PEOPLE, 40000, 0.25);
    tables all;
    uint32_t most[30000] = {0}, any = 0, counts[6] = {0};
    options.copies = copies;
    make(&options, 2, &all);
    for (uint32_t row = 0; row < 40000; row++) {
        const akin_record_origin *o = &all.of[0].origins[row];
        most[o->original] = most[o->original] > o->copy ? most[o->original] : o->copy;
    }
    for (uint32_t i = 0; i < 30000; i++) {
        counts[most[i]]++;
        any += most[i] > 0;
    }
    for (int k = 0; k < 6; k++)
        shares[k] = counts[k] * 1000 / any;
    drop(&all);
}

static void test_copies(void **state)
{
    (void)state;
    static const uint32_t expected[][6] = {
        [AKIN_COPIES_UNIFORM] = {0, 200, 200, 200, 200, 200},
        [AKIN_COPIES_POISSON] = {0, 583, 291, 97, 24, 5}, /* 1 / k!, of 1 + 1/2 + 1/6 + 1/24 + 1/120 */
        [AKIN_COPIES_ZIPF] = {0, 438, 219, 146, 109, 88}, /* 1 / k, of 137 / 60 */
    };
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_annex_choices(akin_generators(), "copies", i)); i++) {
        const size_t copies = (size_t)row->value;
        uint32_t shares[6];
        assert_true(copies < sizeof expected / sizeof *expected);
        count_copies((akin_copies)copies, shares);
        for (int k = 1; k < 6; k++)
            assert_in_range(shares[k] + 30, expected[copies][k], expected[copies][k] + 60);
    }
}

/* All originals together have the number of duplicates that the options want, even where that is nearly all they may
 * have. */
static void test_full(void **state)
{
    (void)state;
    akin_records_options options = options_of(AKIN_RECORDS_PEOPLE, 6000, 5.0 / 6);
    tables all;
    make(&options, 1, &all);
    assert_int_equal(all.of[0].rows, 6000);
    assert_int_equal(all.of[2].rows, 15000); /* the 15 pairs of 6 records, of 1000 originals */
    drop(&all);
}

typedef struct statistics {
    double missing, length, distinct;
} statistics;

static statistics describe(const table *t, uint32_t column)
{
    statistics s = {0};
    const char **values = malloc(t->rows * sizeof *values);
    assert_non_null(values);
    uint32_t given = 0, distinct = 0;
    for (uint32_t row = 0; row < t->rows; row++) {
        const char *v = value(t, row, column);
        for (const char *c = v; *c; c++)
            s.length += (*c & 0xc0) != 0x80;
        if (*v)
            values[given++] = v;
    }
    qsort(values, given, sizeof *values, order_ids);
    for (uint32_t i = 0; i < given; i++)
        distinct += i == 0 || strcmp(values[i - 1], values[i]) != 0;
    free(values);
    s.missing = 1 - (double)given / t->rows;
    s.length /= given;
    s.distinct = (double)distinct / given;
    return s;
}

/* CDs look like those of freedb, which docs/generate.md describes: the same number, without duplicates. */
static void test_cds(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        statistics low, high;
    } expected[] = {{"artist", {0, 12, 0.72}, {0.002, 15, 0.82}},   {"title", {0, 17.5, 0.93}, {0.003, 21.5, 0.98}},
                    {"category", {0, 4, 0}, {0.002, 6, 0.004}},     {"genre", {0.31, 5, 0}, {0.38, 7.5, 0.02}},
                    {"year", {0.43, 3.99, 0}, {0.5, 4.01, 0.02}},   {"track01", {0, 17.5, 0.92}, {0.005, 22, 0.98}},
                    {"track02", {0, 17.5, 0.93}, {0.005, 22, 0.99}}};
    akin_records_options options = options_of(AKIN_RECORDS_CD, 9763, 0);
    tables all;
    make(&options, 2, &all);
    for (uint32_t c = 0; c < 7; c++) {
        statistics s = describe(&all.of[0], c + 1);
        assert_string_equal(all.of[0].names[c + 1], expected[c].name);
        assert_true(s.missing >= expected[c].low.missing && s.missing <= expected[c].high.missing);
        assert_true(s.length >= expected[c].low.length && s.length <= expected[c].high.length);
        assert_true(s.distinct >= expected[c].low.distinct && s.distinct <= expected[c].high.distinct);
    }
    drop(&all);
}

static void test_people(void **state)
{
    (void)state;
    static const char *const names[] = {"id",     "given_name", "surname", "street_number", "address",
                                        "suburb", "postcode",   "state",   "date_of_birth", "phone"};
    static const double missing[] = {0, 0.02, 0.01, 0.05, 0.02, 0, 0, 0, 0.03, 0.06};
    akin_records_options options = options_of(AKIN_RECORDS_PEOPLE, 20000, 0);
    tables all;
    make(&options, 2, &all);
    const table *t = &all.of[0];
    assert_int_equal(t->columns, 10);
    for (uint32_t c = 0; c < 10; c++) {
        statistics s = describe(t, c);
        assert_string_equal(t->names[c], names[c]);
        assert_true(s.missing > missing[c] - 0.006 && s.missing < missing[c] + 0.006);
    }
    /* A suburb is in one place. */
    for (uint32_t row = 0; row < 2000; row++)
        for (uint32_t other = 0; other < row; other++)
            if (strcmp(value(t, row, 5), value(t, other, 5)) == 0 && strcmp(value(t, row, 6), value(t, other, 6)) == 0)
                assert_string_equal(value(t, row, 7), value(t, other, 7));
    for (uint32_t row = 0; row < t->rows; row++) {
        unsigned year, month, day;
        const char *born = value(t, row, 8);
        assert_true(!*born || (sscanf(born, "%4u-%2u-%2u", &year, &month, &day) == 3 && strlen(born) == 10 &&
                               year >= 1911 && year <= 2005 && month >= 1 && month <= 12 && day >= 1 && day <= 31));
    }
    drop(&all);
}

/* Pairs of an original and its one duplicate: their rows in the two tables. */
static void match_rows(const tables *all, uint32_t *row_of)
{
    for (uint32_t row = 0; row < all->of[0].rows; row++)
        row_of[all->of[0].origins[row].original] = row;
}

static const char *original_value(const tables *all, const uint32_t *row_of, uint32_t row, uint32_t column)
{
    return value(&all->of[0], row_of[all->of[1].origins[row].original], column);
}

static akin_records_options options_of_pairs(akin_records_kind kind, uint32_t tracks)
{
    akin_records_options options = options_of(kind, 4000, 0.5);
    options.tracks = tracks;
    options.most_copies = 1;
    options.linked = 1;
    return options;
}

/* Duplicates differ from their originals, nearly all of them, and in no more columns than have errors (a swap has two):
 * in every column, and in none much more often. */
static void check_duplicates(akin_records_kind kind, uint32_t tracks, uint32_t most)
{
    akin_records_options options = options_of_pairs(kind, tracks);
    uint32_t row_of[2000] = {0}, same = 0, differing[10] = {0};
    tables all;
    options.record_modifications = most;
    make(&options, 1, &all);
    match_rows(&all, row_of);
    uint32_t columns = all.of[0].columns;
    for (uint32_t row = 0; row < 2000; row++) {
        uint32_t differences = 0;
        for (uint32_t c = 1; c < columns; c++) {
            int differs = strcmp(value(&all.of[1], row, c), original_value(&all, row_of, row, c)) != 0;
            differences += (uint32_t)differs;
            differing[c] += (uint32_t)differs;
        }
        same += differences == 0;
        assert_true(differences <= 2 * most);
    }
    assert_true(same < 40);
    uint32_t even = 2000 / (columns - 1) * (1 + most) / 2;
    for (uint32_t c = 1; c < columns; c++)
        assert_in_range(differing[c], even / 4, 2 * even);
    drop(&all);
}

static void test_duplicates(void **state)
{
    (void)state;
    for (uint32_t most = 1; most <= 4; most += 3) {
        check_duplicates(AKIN_RECORDS_PEOPLE, 0, most);
        for (uint32_t tracks = 0; tracks <= 4; tracks++)
            check_duplicates(AKIN_RECORDS_CD, tracks, most);
    }
}

/* ---------------------------------------------------------------------------------------------------- modifications */

static akin_field field_of(const char *text)
{
    akin_field field = {.length = 0};
    akin_field_add(&field, text);
    return field;
}

static const char *text_of(const akin_field *field)
{
    static char text[AKIN_FIELD_LONGEST + 1];
    for (uint32_t i = 0; i < field->length; i++)
        text[i] = field->symbols[i] < 0x80 ? (char)field->symbols[i] : '#';
    text[field->length] = '\0';
    return text;
}

static int is_same_field(const akin_field *a, const akin_field *b)
{
    return a->length == b->length && memcmp(a->symbols, b->symbols, a->length * sizeof *a->symbols) == 0;
}

/* Every value after 3000 modifications of a text is on a list, and each value of the list occurs. A modification that
 * says that it did nothing, which happens or never does, has changed nothing. */
static void expect_values(uint32_t modification, int may_do_nothing, const char *text, const char *const *expected)
{
    unsigned seen[40] = {0}, nothing = 0;
    akin_random random;
    akin_random_seed(&random, 5);
    for (int n = 0; n < 3000; n++) {
        const akin_field was[2] = {field_of(text), field_of("other")};
        akin_field fields[2] = {was[0], was[1]};
        if (!akin_record_modify(fields, 0, 1, modification, &random)) {
            assert_true(is_same_field(&fields[0], &was[0]) && is_same_field(&fields[1], &was[1]));
            nothing++;
            continue;
        }
        int found = 0;
        while (expected[found] && strcmp(text_of(&fields[0]), expected[found]) != 0)
            found++;
        assert_non_null(expected[found]);
        assert_true(is_same_field(&fields[1], modification == AKIN_MODIFY_SWAP ? &was[0] : &was[1]));
        seen[found] = 1;
    }
    for (int i = 0; expected[i]; i++)
        assert_int_equal(seen[i], 1);
    assert_int_equal(nothing > 0, may_do_nothing);
}

#define ALWAYS(modification, text, ...) expect_values(modification, 0, text, (const char *const[]){__VA_ARGS__, NULL})
#define SOMETIMES(modification, text, ...)                                                                             \
    expect_values(modification, 1, text, (const char *const[]){__VA_ARGS__, NULL})

static void test_modifications(void **state)
{
    (void)state;
    ALWAYS(AKIN_MODIFY_DELETE, "abcd", "bcd", "acd", "abd", "abc");
    SOMETIMES(AKIN_MODIFY_TRANSPOSE, "abcc", "bacc", "acbc");
    ALWAYS(AKIN_MODIFY_MISSING, "abc", "");
    ALWAYS(AKIN_MODIFY_SWAP, "abc", "other");
    SOMETIMES(AKIN_MODIFY_ABBREVIATE, "john 4711 Smith", "j 4711 Smith", "j. 4711 Smith", "john 4711 S",
              "john 4711 S.");
    SOMETIMES(AKIN_MODIFY_SPLIT, "abc defg", "abc d efg", "abc de fg", "abc def g");
    ALWAYS(AKIN_MODIFY_MERGE, "ab cd ef", "abcd ef", "ab cdef");
    ALWAYS(AKIN_MODIFY_WORDS, "ab cd e", "cd ab e", "ab e cd");
    SOMETIMES(AKIN_MODIFY_WORDS, "ab ab e", "ab e ab");
    ALWAYS(AKIN_MODIFY_CASE, "Ab cD", "ab cd", "AB CD", "Ab Cd");
    SOMETIMES(AKIN_MODIFY_CASE, "ab", "AB", "Ab");
    ALWAYS(AKIN_MODIFY_PHONETIC, "Phx", "Fx", "Bhx", "Phks", "Px");
    ALWAYS(AKIN_MODIFY_OCR, "O7", "07", "O1");
    ALWAYS(AKIN_MODIFY_SUBSTITUTE, "5", "4", "6");
    /* Nothing can be done here. */
    for (uint32_t modification = 0; modification < AKIN_MODIFICATIONS; modification++) {
        akin_random random;
        akin_field fields[2] = {{.length = 0}, {.length = 0}};
        akin_random_seed(&random, modification);
        assert_int_equal(akin_record_modify(fields, 0, 1, modification, &random), 0);
        assert_int_equal(fields[0].length, 0);
    }
}

/* Characters that are typed are mostly beside those they stand for, in their letters. */
static void test_keyboard(void **state)
{
    (void)state;
    static const char near[] = "awedzx";
    uint32_t beside = 0, longer = 0;
    akin_random random;
    akin_random_seed(&random, 3);
    for (int n = 0; n < 2000; n++) {
        akin_field fields[2] = {field_of("S"), field_of("")};
        if (akin_record_modify(fields, 0, 1, AKIN_MODIFY_SUBSTITUTE, &random)) {
            assert_in_range(fields[0].symbols[0], 'A', 'Z');
            beside += strchr(near, (int)fields[0].symbols[0] + 32) != NULL;
        }
        longer += akin_record_modify(fields, 0, 1, AKIN_MODIFY_INSERT, &random) && fields[0].length == 2;
    }
    assert_in_range(beside, 1500, 1800);
    assert_int_equal(longer, 2000);
}

/* Fields that are as long as they may be stay so, whatever befalls them; and any order of all errors ends. */
static void test_longest(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 9);
    for (int n = 0; n < 300; n++) {
        akin_field fields[2] = {{.length = 0}, {.length = 0}};
        for (int i = 0; i < 2 * AKIN_FIELD_LONGEST; i++)
            akin_field_put(&fields[0], (uint32_t)akin_random_below(&random, 0x150) | 1);
        assert_int_equal(fields[0].length, AKIN_FIELD_LONGEST);
        for (int i = 0; i < 100; i++) {
            akin_record_modify(fields, 0, 1, (uint32_t)akin_random_below(&random, AKIN_MODIFICATIONS), &random);
            assert_in_range(fields[0].length, 0, AKIN_FIELD_LONGEST);
            assert_in_range(fields[1].length, 0, AKIN_FIELD_LONGEST);
        }
    }
}

/* A kind of error that alone has a weight is the only one there is. */
static void test_weights(void **state)
{
    (void)state;
    akin_records_options options = options_of_pairs(AKIN_RECORDS_CD, 2);
    uint32_t weights[AKIN_MODIFICATIONS] = {0}, row_of[2000] = {0}, missing = 0;
    tables all;
    weights[AKIN_MODIFY_MISSING] = 7;
    options.weights = weights;
    options.weight_count = AKIN_MODIFY_MISSING + 1;
    make(&options, 1, &all);
    match_rows(&all, row_of);
    for (uint32_t row = 0; row < 2000; row++)
        for (uint32_t c = 1; c < 8; c++) {
            const char *v = value(&all.of[1], row, c), *was = original_value(&all, row_of, row, c);
            assert_true(!*v || strcmp(v, was) == 0);
            missing += !*v && *was;
        }
    assert_in_range(missing, 5000, 6200); /* one to five, three on average, of each */
    drop(&all);
}

/* Symbols of a value. */
static uint32_t symbols_of(const char *text)
{
    uint32_t count = 0;
    for (; *text; text++)
        count += (*text & 0xc0) != 0x80;
    return count;
}

/* Each deletion takes a symbol: the same number in a record, equal shares of each number, and no more than the limit in
 * a value. */
static void check_counts(uint32_t tracks, uint32_t in_field, uint32_t in_record)
{
    akin_records_options options = options_of_pairs(AKIN_RECORDS_CD, tracks);
    uint32_t weights[AKIN_MODIFICATIONS] = {0}, row_of[2000] = {0}, of_count[10] = {0}, most[16] = {0};
    tables all;
    weights[AKIN_MODIFY_DELETE] = 1;
    options.weights = weights;
    options.weight_count = AKIN_MODIFICATIONS;
    options.field_modifications = in_field;
    options.record_modifications = in_record;
    make(&options, 1, &all);
    match_rows(&all, row_of);
    for (uint32_t row = 0; row < 2000; row++) {
        uint32_t errors = 0;
        for (uint32_t c = 1; c < all.of[0].columns; c++) {
            uint32_t fewer = symbols_of(original_value(&all, row_of, row, c)) - symbols_of(value(&all.of[1], row, c));
            assert_in_range(fewer, 0, in_field);
            most[c] = most[c] > fewer ? most[c] : fewer;
            errors += fewer;
        }
        assert_in_range(errors, 1, in_record);
        of_count[errors]++;
    }
    for (uint32_t n = 1; n <= in_record; n++)
        assert_in_range(of_count[n] * in_record, 1600, 2400);
    for (uint32_t c = 1; c < all.of[0].columns; c++)
        assert_int_equal(most[c], in_field);
    drop(&all);
}

static void test_counts(void **state)
{
    (void)state;
    check_counts(1, 1, 3);
    check_counts(3, 2, 5);
    check_counts(2, 3, 9);
}

/* Tracks change places in twos, and the last of an odd number with none. */
static void test_swaps(void **state)
{
    (void)state;
    static const uint32_t partners[] = {0, 2, 1, 4, 3, 5, 7, 6, 8}; /* of columns, the first being the id */
    uint32_t weights[AKIN_MODIFICATIONS] = {0}, row_of[2000] = {0}, swapped[9] = {0};
    akin_records_options options = options_of_pairs(AKIN_RECORDS_CD, 3);
    tables all;
    weights[AKIN_MODIFY_SWAP] = 1;
    options.weights = weights;
    options.weight_count = AKIN_MODIFICATIONS;
    options.record_modifications = 1;
    make(&options, 1, &all);
    match_rows(&all, row_of);
    for (uint32_t row = 0; row < 2000; row++)
        for (uint32_t c = 1; c < 9; c++) {
            const char *v = value(&all.of[1], row, c), *was = original_value(&all, row_of, row, c);
            int differs = strcmp(v, was) != 0;
            assert_true(!differs || strcmp(v, original_value(&all, row_of, row, partners[c])) == 0);
            swapped[c] += (uint32_t)differs;
        }
    for (uint32_t c = 1; c < 9; c++)
        assert_in_range(swapped[c], partners[c] == c ? 0 : 300, partners[c] == c ? 0 : 1000);
    drop(&all);
}

/* --------------------------------------------------------------------------------------------------------- refusals */

static void expect_refused(const akin_records_options *options, const char *message)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    tables all = {.batches = 0};
    akin_error error;
    assert_int_equal(akin_records_generate(&context, options, take, &all, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, message);
    assert_int_equal(all.batches, 0);
}

static void test_options(void **state)
{
    (void)state;
    static const uint32_t zeros[AKIN_MODIFICATIONS + 1] = {0};
    akin_records_options o = AKIN_RECORDS_OPTIONS_INIT;
    o.kind = (akin_records_kind)3;
    expect_refused(&o, "kind 3 is none of those there are");
    o = options_of(AKIN_RECORDS_CD, 10, 1);
    expect_refused(&o, "duplicates is 1; expected 0 to below 1");
    o = options_of(AKIN_RECORDS_CD, 10, -0.1);
    expect_refused(&o, "duplicates is -0.1; expected 0 to below 1");
    o = options_of(AKIN_RECORDS_CD, 100, 0.9);
    expect_refused(
        &o, "90 duplicates are more than 5 for each of the others, which are 10; expected fewer, or more for each");
    o = options_of(AKIN_RECORDS_CD, 10, 0);
    o.copies = (akin_copies)0;
    expect_refused(&o, "copies 0 is none of the distributions there are");
    o = options_of(AKIN_RECORDS_CD, 10, 0);
    o.most_copies = 0;
    expect_refused(&o, "most_copies is 0; expected 1 to 1000");
    o = options_of(AKIN_RECORDS_CD, 10, 0);
    o.record_modifications = 0;
    expect_refused(&o, "field_modifications is 2 and record_modifications 0; expected 1 to 1000");
    o = options_of(AKIN_RECORDS_CD, 10, 0);
    o.tracks = 45;
    expect_refused(&o, "tracks is 45; expected at most 44");
    o = options_of(AKIN_RECORDS_CD, 10, 0);
    o.weights = zeros;
    expect_refused(&o, "the weights of all modifications are 0");
    o.weight_count = AKIN_MODIFICATIONS + 1;
    expect_refused(&o, "weight_count is 14; expected at most 13");
    o = options_of(AKIN_RECORDS_CD, 10, 0);
    o.reserved = 1;
    expect_refused(&o, "akin_records_options: reserved is 1; expected 0");
}

static int cancel(void *user)
{
    return --*(int *)user < 0;
}

/* A sink, and the caller, can end it at any time. */
static void test_stopping(void **state)
{
    (void)state;
    akin_records_options options = options_of(AKIN_RECORDS_CD, 30000, 0.3);
    akin_error error;
    for (uint32_t stop = 1; stop < 20; stop += 3) {
        akin_context context = {.scope = {.context = &context, .threads = 2}};
        tables all = {.stop = stop};
        assert_int_equal(akin_records_generate(&context, &options, take, &all, &error), AKIN_E_CANCELLED);
        assert_string_equal(error.message, "cancelled by the sink of records");
        assert_int_equal(all.batches, stop);
        drop(&all);
    }
    for (int n = 0; n < 3; n++) {
        int left = n;
        akin_context context = {
            .scope = {.context = &context, .threads = 1, .reporter = {.cancel = cancel, .user = &left}}};
        tables all = {.stop = 0};
        assert_int_equal(akin_records_generate(&context, &options, take, &all, &error), AKIN_E_CANCELLED);
        drop(&all);
    }
}

/* Each kind of error has its number as its place, and says how often it is. */
static void test_kinds_of_errors(void **state)
{
    static const uint32_t usual[AKIN_MODIFICATIONS] = AKIN_MODIFICATIONS_INIT;
    const akin_choice *choice;
    uint32_t i = 0;
    (void)state;
    for (; (choice = akin_annex_choices(akin_generators(), "modifications", i)); i++) {
        char weight[16];
        assert_int_equal(choice->value, i);
        snprintf(weight, sizeof weight, " (%u)", usual[i]);
        assert_non_null(strstr(choice->help, weight));
    }
    assert_int_equal(i, AKIN_MODIFICATIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_everywhere),
        cmocka_unit_test(test_kinds_of_errors),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_gold),
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_cds),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_modifications),
        cmocka_unit_test(test_keyboard),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_swaps),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_stopping),
    };
    return RUN_TESTS(tests, 1, NULL, NULL);
}
