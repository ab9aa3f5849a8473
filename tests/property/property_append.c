/*
 * Indexes that are extended against those made of all objects at once: random objects of each kind, with names and
 * without, in up to three pieces, also from a file, also under a memory bound: the same bytes. And numbers beyond those
 * that an index was made with, counted one by one.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 84 if not given
 */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/random.h"
#include "property/setting.h"
#include "search/index.h"
#include "search/kinds.h"
#include "signature/family.h"
#include "table/matrix.h"

#define COLUMNS 4
#define PIECES  3

static akin_context *context;
static char path[64];

static void *must(void *block)
{
    assert_non_null(block);
    return block;
}

/* ---------------------------------------------------------------------------------------------------------- columns */

/* Strings on their way to be a column. */
typedef struct text {
    uint64_t *offsets;
    char *bytes;
    uint8_t *validity;
    uint64_t used;
    uint32_t rows;
    akin_column column;
} text;

static void begin_text(text *t, const char *name, uint32_t rows, uint32_t longest)
{
    *t = (text){.offsets = must(calloc(rows + 1, sizeof *t->offsets)),
                .bytes = must(malloc((size_t)rows * longest + 1)),
                .validity = must(calloc(rows / 8 + 1, 1))};
    t->column = (akin_column){
        .size = sizeof t->column, .name = name, .offsets = t->offsets, .bytes = t->bytes, .validity = t->validity};
}

static void end_row(text *t, int valid)
{
    t->validity[t->rows / 8] = (uint8_t)(t->validity[t->rows / 8] | (valid ? 1u << t->rows % 8 : 0));
    t->offsets[++t->rows] = t->used;
}

static void add_row(text *t, const char *bytes)
{
    memcpy(t->bytes + t->used, bytes, strlen(bytes));
    t->used += strlen(bytes);
    end_row(t, 1);
}

static void free_text(text *t)
{
    free(t->offsets);
    free(t->bytes);
    free(t->validity);
}

/* Some words of a few hundred; some rows are null. */
static void draw_text(akin_random *random, text *t, const char *name, uint32_t rows)
{
    char row[128];
    begin_text(t, name, rows, sizeof row);
    for (uint32_t i = 0; i < rows; i++) {
        size_t used = 0;
        const uint64_t count = akin_random_below(random, 8);
        for (uint64_t w = 0; w < count; w++)
            used += (size_t)snprintf(row + used, sizeof row - used, "w%llu ",
                                     (unsigned long long)akin_random_below(random, 1 + akin_random_below(random, 400)));
        row[used] = '\0';
        if (akin_random_below(random, 20))
            add_row(t, row);
        else
            end_row(t, 0);
    }
}

/* A few code points: some that a single byte distinguishes, or more. */
static void draw_letters(akin_random *random, text *t, const char *name, uint32_t rows)
{
    const uint64_t letters = akin_random_below(random, 2) ? 30 : 900;
    char row[128];
    begin_text(t, name, rows, sizeof row);
    for (uint32_t i = 0; i < rows; i++) {
        size_t used = 0;
        const uint64_t count = akin_random_below(random, 12);
        for (uint64_t w = 0; w < count; w++) {
            const uint32_t point = 0x4e00 + (uint32_t)akin_random_below(random, 1 + akin_random_below(random, letters));
            row[used++] = (char)(0xe0 | point >> 12);
            row[used++] = (char)(0x80 | (point >> 6 & 0x3f));
            row[used++] = (char)(0x80 | (point & 0x3f));
        }
        row[used] = '\0';
        if (akin_random_below(random, 20))
            add_row(t, row);
        else
            end_row(t, 0);
    }
}

/* One of a few values, or none. */
static void draw_values(akin_random *random, text *t, const char *name, uint32_t rows)
{
    static const uint32_t sizes[] = {2, 30, 250, 400, 3000};
    const uint32_t size = sizes[akin_random_below(random, 5)];
    char row[32];
    begin_text(t, name, rows, sizeof row);
    for (uint32_t i = 0; i < rows; i++) {
        snprintf(row, sizeof row, "v%llu", (unsigned long long)akin_random_below(random, size));
        add_row(t, akin_random_below(random, 9) ? row : "");
    }
}

/* Numbers from -50 to 50; the first two rows have these. */
static void draw_numbers(akin_random *random, text *t, const char *name, uint32_t rows)
{
    char row[32];
    begin_text(t, name, rows, sizeof row);
    for (uint32_t i = 0; i < rows; i++) {
        snprintf(row, sizeof row, "%.3f", i < 2 ? 100.0 * i - 50 : akin_random_unit(random) * 100 - 50);
        add_row(t, i < 2 || akin_random_below(random, 9) ? row : "");
    }
}

static void draw_names(text *t, uint32_t rows)
{
    char row[32];
    begin_text(t, "key", rows, sizeof row);
    for (uint32_t i = 0; i < rows; i++) {
        snprintf(row, sizeof row, "n%x", i * 2654435761u);
        add_row(t, row);
    }
}

/* Rows from `first` to `end`, with bits of their own. */
static akin_column slice(const text *t, uint32_t first, uint32_t end, uint8_t *bits)
{
    akin_column column = t->column;
    column.offsets += first;
    memset(bits, 0, (end - first) / 8 + 1);
    for (uint32_t i = first; i < end; i++)
        if (t->validity[i / 8] >> i % 8 & 1)
            bits[(i - first) / 8] = (uint8_t)(bits[(i - first) / 8] | 1u << (i - first) % 8);
    column.validity = bits;
    return column;
}

/* ----------------------------------------------------------------------------------------------------------- worlds */

typedef struct world {
    akin_search_kind kind;
    uint32_t rows, columns;
    int named;
    akin_rows_options row_options;
    akin_strings_options string_options;
    akin_text_options text_options;
    text texts[COLUMNS], names;
    uint64_t *offsets; /* of sets */
    uint32_t *tokens;
    int is_hashed;      /* these are, by MinHash */
    akin_matrix matrix; /* of vectors and signatures */
    akin_vectors_options functions;
    akin_signatures_options signature_options;
} world;

static const char *const numeric[] = {"c1", "c2"};
static const char *const stops[] = {"w0", "w7 w8"};

/* Numbers, and many of them are equal. */
static akin_matrix draw_matrix(akin_random *random, uint32_t rows, uint32_t columns, akin_number number)
{
    static const uint32_t sizes[] = {2, 30, 250, 70000};
    const uint32_t size = sizes[akin_random_below(random, 4)];
    const size_t count = (size_t)rows * columns, each = akin_number_bytes(number);
    char *numbers = must(malloc(count * each + 1));
    for (size_t i = 0; i < count; i++) {
        const int64_t value = (int64_t)akin_random_below(random, size) - size / 2;
        const float real = (float)value / 7;
        const int32_t less = (int32_t)value;
        const uint8_t least = (uint8_t)value;
        memcpy(numbers + i * each,
               number == AKIN_NUMBER_U8    ? (const void *)&least
               : number == AKIN_NUMBER_F32 ? (const void *)&real
               : number == AKIN_NUMBER_I32 ? (const void *)&less
                                           : &value,
               each);
    }
    return (akin_matrix){sizeof(akin_matrix), rows, columns, number, 0, numbers};
}

/* One of the families that hash such objects. */
static akin_family_kind draw_family(akin_random *random, akin_given_form objects)
{
    const akin_choice *row;
    do
        row = akin_choice_at(&akin_families, (uint32_t)akin_random_below(random, akin_families.count));
    while (!row || akin_family_facts_of((akin_family_kind)row->value)->objects != objects);
    return (akin_family_kind)row->value;
}

/* Functions with a width or sigma that options give, or that the library measures. */
static void draw_functions(akin_random *random, world *w)
{
    static const akin_number integers[] = {AKIN_NUMBER_U8, AKIN_NUMBER_I32, AKIN_NUMBER_I64};
    const uint32_t columns = 1 + (uint32_t)akin_random_below(random, 6);
    const akin_number of_vectors = akin_random_below(random, 2) ? AKIN_NUMBER_U8 : AKIN_NUMBER_F32;
    const akin_number of_signatures = integers[akin_random_below(random, 3)];
    const akin_family_kind family = draw_family(random, w->is_hashed ? AKIN_GIVEN_SETS : AKIN_GIVEN_MATRIX);
    const int is_told = akin_random_below(random, 2) == 0;
    w->matrix = draw_matrix(random, w->rows, columns, w->kind == AKIN_KIND_VECTORS ? of_vectors : of_signatures);
    w->functions = (akin_vectors_options)AKIN_VECTORS_OPTIONS_INIT;
    w->functions.family = family;
    w->functions.functions = 1 + (uint32_t)akin_random_below(random, 9);
    w->functions.buckets = akin_random_below(random, 2) ? 2 + (uint32_t)akin_random_below(random, 300) : 0;
    w->functions.seed = akin_random_next(random);
    const akin_family_facts *facts = akin_family_facts_of(family);
    w->functions.width = is_told && facts->has_width ? 40 : 0;
    w->functions.sigma = is_told && facts->has_sigma ? 300 : 0;
    w->functions.signatures_only = akin_random_below(random, 3) == 0 && !w->is_hashed;
    if (!facts->has_buckets)
        w->functions.buckets = 0;
    w->signature_options = (akin_signatures_options)AKIN_SIGNATURES_OPTIONS_INIT;
    w->signature_options.buckets = akin_random_below(random, 3) ? 0 : 50;
    w->signature_options.seed = w->functions.seed;
}

/* The rows of a matrix from `first` to `end`. */
static akin_matrix part_of(const akin_matrix *m, uint32_t first, uint32_t end)
{
    akin_matrix part = *m;
    part.rows = end - first;
    part.numbers = (const char *)m->numbers + (size_t)first * m->columns * akin_number_bytes(m->number);
    return part;
}

static void draw_world(akin_random *random, world *w, akin_search_kind kind, int is_hashed, uint32_t rows)
{
    static const char *const names[] = {"c0", "c1", "c2", "c3"};
    *w = (world){.kind = kind,
                 .rows = rows,
                 .is_hashed = is_hashed,
                 .columns = kind == AKIN_KIND_STRINGS ? 1 : 1 + (uint32_t)akin_random_below(random, COLUMNS),
                 .named = akin_random_below(random, 2) == 0,
                 .string_options = {.size = sizeof w->string_options,
                                    .ngram = (uint32_t)akin_random_below(random, 4),
                                    .bytes = (uint32_t)akin_random_below(random, 2)},
                 .text_options = AKIN_TEXT_OPTIONS_INIT};
    w->row_options = (akin_rows_options){sizeof w->row_options, numeric,
                                         w->columns > 2   ? 2
                                         : w->columns > 1 ? 1
                                                          : 0,
                                         1 + (uint32_t)akin_random_below(random, 300)};
    w->text_options.stop_words = stops;
    w->text_options.stop_word_count = (uint32_t)akin_random_below(random, 3);
    for (uint32_t c = 0; c < w->columns; c++)
        if (kind != AKIN_KIND_ROWS)
            (kind == AKIN_KIND_STRINGS ? draw_letters : draw_text)(random, &w->texts[c], names[c], rows);
        else if (c == 1 || c == 2)
            draw_numbers(random, &w->texts[c], names[c], rows);
        else
            draw_values(random, &w->texts[c], names[c], rows);
    draw_names(&w->names, rows);
    w->offsets = must(calloc(rows + 1, sizeof *w->offsets));
    w->tokens = must(calloc((size_t)rows * 8 + 1, sizeof *w->tokens));
    const uint64_t universe = akin_random_below(random, 2) ? 500 : UINT64_C(1) << 20;
    for (uint32_t i = 0; i < rows; i++) {
        const uint64_t count = akin_random_below(random, 8);
        w->offsets[i + 1] = w->offsets[i];
        for (uint64_t t = 0, token = 0; t < count; t++) {
            token += 1 + akin_random_below(random, universe / 8);
            w->tokens[w->offsets[i + 1]++] = (uint32_t)token;
        }
    }
    draw_functions(random, w);
}

static void free_world(world *w)
{
    for (uint32_t c = 0; c < w->columns; c++)
        free_text(&w->texts[c]);
    free_text(&w->names);
    free(w->offsets);
    free(w->tokens);
    free((void *)(uintptr_t)w->matrix.numbers);
}

/* An index of vectors or signatures from `first` to `end`; or `index` extended by them. */
static akin_status take_matrix(const world *w, const akin_search_index *index, uint32_t first, uint32_t end,
                               const akin_column *names, akin_search_index **out, akin_error *error)
{
    const akin_matrix matrix = part_of(&w->matrix, first, end);
    return index ? akin_search_index_append_vectors(context, index, &matrix, names, out, error)
           : w->kind == AKIN_KIND_VECTORS
               ? akin_search_index_of_vectors(context, &matrix, &w->functions, names, out, error)
               : akin_search_index_of_signatures(context, &matrix, &w->signature_options, names, out, error);
}

/* What an index of a kind is made of. */
static akin_given_form objects_of(akin_search_kind kind)
{
    const akin_search_facts *facts = akin_search_facts_of(kind, 0);
    return (facts ? facts : akin_search_facts_of(kind, 1))->objects;
}

/* The same of any kind. */
static akin_status take(const world *w, const akin_search_index *index, uint32_t first, uint32_t end,
                        akin_search_index **out, akin_error *error)
{
    akin_column columns[COLUMNS + 1];
    uint8_t *bits[COLUMNS + 1];
    akin_sets *sets = NULL;
    const akin_column *names = w->named ? &columns[COLUMNS] : NULL;
    akin_status status;
    for (uint32_t c = 0; c <= COLUMNS; c++) {
        bits[c] = must(malloc((end - first) / 8 + 1));
        if (c < w->columns || c == COLUMNS)
            columns[c] = slice(c < COLUMNS ? &w->texts[c] : &w->names, first, end, bits[c]);
    }
    if (w->kind == AKIN_KIND_SETS)
        assert_int_equal(akin_sets_from_arrays(context, end - first, w->offsets + first, w->tokens, &sets, NULL),
                         AKIN_OK);
    if (objects_of(w->kind) == AKIN_GIVEN_MATRIX)
        status = take_matrix(w, index, first, end, names, out, error);
    else if (index)
        status =
            sets ? akin_search_index_append_sets(context, index, sets, names, out, error)
                 : akin_search_index_append(context, index, columns, w->columns, end - first, names, NULL, out, error);
    else
        status =
            sets && w->is_hashed ? akin_search_index_of_minhash(context, sets, &w->functions, names, out, error)
            : sets               ? akin_search_index_of_sets(context, sets, names, out, error)
            : w->kind == AKIN_KIND_DOCUMENTS ? akin_search_index_of_documents(context, columns, w->columns, end - first,
                                                                              &w->text_options, names, out, error)
            : w->kind == AKIN_KIND_ROWS
                ? akin_search_index_of_rows(context, columns, w->columns, end - first, &w->row_options, names, out,
                                            error)
                : akin_search_index_of_strings(context, columns, end - first, &w->string_options, names, out, error);
    akin_sets_free(sets);
    for (uint32_t c = 0; c <= COLUMNS; c++)
        free(bits[c]);
    return status;
}

static void expect_same(const akin_search_index *a, const akin_search_index *b)
{
    akin_section left[AKIN_SEARCH_SECTIONS], right[AKIN_SEARCH_SECTIONS];
    akin_search_index_sections(a, left);
    akin_search_index_sections(b, right);
    for (int i = 0; i < AKIN_SEARCH_SECTIONS; i++) {
        if (left[i].length != right[i].length ||
            (left[i].length > 0 && memcmp(left[i].data, right[i].data, left[i].length) != 0))
            printf("section %d differs\n", i);
        assert_int_equal(left[i].length, right[i].length);
        if (left[i].length > 0)
            assert_memory_equal(left[i].data, right[i].data, left[i].length);
    }
}

/* Saves an index, and opens it in its place. */
static void save_and_open(akin_search_index **index)
{
    akin_search_index *opened = NULL;
    assert_int_equal(akin_search_index_save(context, *index, path, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_open(context, path, &opened, NULL), AKIN_OK);
    akin_search_index_free(*index);
    *index = opened;
}

/* What was measured of the first objects stays: others are made with that. */
static void tell_measured(world *w, const akin_search_index *index)
{
    akin_search_statistics about = {.size = sizeof about};
    assert_int_equal(akin_search_index_describe(index, &about, NULL), AKIN_OK);
    w->functions.width = about.width;
    w->functions.sigma = about.sigma;
}

static void extend_world(akin_random *random, world *w)
{
    akin_search_index *index = NULL, *longer = NULL, *whole = NULL, *bounded = NULL;
    const uint32_t pieces = 1 + (uint32_t)akin_random_below(random, PIECES);
    uint32_t first = 0;
    for (uint32_t piece = 0; piece <= pieces; piece++) {
        const uint32_t rest = w->rows - first;
        uint32_t end = piece == pieces ? w->rows : first + (uint32_t)akin_random_below(random, rest + UINT64_C(1));
        if (piece < pieces && end - first > AKIN_RANGE && akin_random_below(random, 2))
            end = first + AKIN_RANGE;
        if (first == 0 && end == 1) /* both ends of the numbers are in one piece */
            end = w->rows < 2 ? w->rows : 2;
        akin_error error;
        const akin_status status = take(w, index, first, end, &longer, &error);
        if (status != AKIN_OK)
            printf("%s\n", error.message);
        assert_int_equal(status, AKIN_OK);
        akin_search_index_free(index);
        index = longer;
        if (piece == 0)
            tell_measured(w, index);
        if (akin_random_below(random, 2))
            save_and_open(&index);
        first = end;
    }
    assert_int_equal(take(w, NULL, 0, w->rows, &whole, NULL), AKIN_OK);
    expect_same(index, whole);
    context->scope.memory = UINT64_C(1) << 20;
    assert_int_equal(take(w, NULL, 0, w->rows, &bounded, NULL), AKIN_OK);
    context->scope.memory = 0;
    expect_same(bounded, whole);
    akin_search_index_free(index);
    akin_search_index_free(whole);
    akin_search_index_free(bounded);
}

/* Whether indexes of a kind are extended. */
static int can_grow(const akin_search_kind_row *row)
{
    return (row->plain ? row->plain : row->hashed)->unite != NULL;
}

static void every_case(void **state)
{
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 84);
    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        static const uint32_t most[] = {4, 100, 2000, 2000, 2000, 2000, 2 * AKIN_RANGE + 3000};
        akin_random random;
        world w;
        akin_random_seed(&random, seed * 1000003 + i);
        context->scope.threads = 1 + (uint32_t)i % 3;
        const akin_choice *row = akin_choice_at(&akin_search_kinds, (uint32_t)(i % (akin_search_kinds.count + 1)));
        const int is_hashed = row == NULL; /* sets, by MinHash */
        if (!is_hashed && !can_grow((const akin_search_kind_row *)row))
            continue;
        const akin_search_kind kind = is_hashed ? AKIN_KIND_SETS : (akin_search_kind)row->value;
        draw_world(&random, &w, kind, is_hashed,
                   (uint32_t)akin_random_below(&random, most[akin_random_below(&random, 7)] + 1));
        printf("seed %llu case %llu: %u %s%s, %u columns\n", (unsigned long long)seed, (unsigned long long)i, w.rows,
               akin_search_kind_name(w.kind), is_hashed ? " by MinHash" : "", w.columns);
        extend_world(&random, &w);
        free_world(&w);
    }
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

#define NUMBERS 60

typedef struct expectation {
    const double *numbers;
    double low, high;
    uint32_t tolerance, bins;
    uint32_t checked;
} expectation;

static double bin_of(const expectation *e, double x)
{
    return x == e->high ? e->bins - 1 : floor((x - e->low) / (e->high - e->low) * e->bins);
}

static int check_hits(void *user, const akin_search_hit *found, size_t count)
{
    expectation *e = user;
    for (size_t i = 0; i < count; i++) {
        const double apart = bin_of(e, e->numbers[found[i].query]) - bin_of(e, e->numbers[found[i].object]);
        assert_int_equal(found[i].count, fabs(apart) <= e->tolerance);
        e->checked++;
    }
    return 0;
}

/* Numbers beyond those that an index was made with have bins of the same width. */
static void numbers_beyond(void **state)
{
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1);
    akin_random random;
    (void)state;
    akin_random_seed(&random, seed);
    for (int i = 0; i < 40; i++) {
        static const akin_rows_options template = {sizeof template, numeric, 1, 0};
        akin_rows_options rows = template;
        akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
        double numbers[NUMBERS];
        uint8_t bits[2][NUMBERS];
        char row[32];
        akin_search_index *index = NULL, *longer = NULL;
        text t;
        begin_text(&t, "c1", NUMBERS, sizeof row);
        for (int n = 0; n < NUMBERS; n++) { /* eighths, so that nothing is rounded */
            const int64_t drawn = (int64_t)akin_random_below(&random, n < 20 ? 64 : 640) - (n < 20 ? 0 : 300);
            numbers[n] = n == 0 ? 0 : n == 1 ? 8 : (double)drawn / 8;
            snprintf(row, sizeof row, "%.17g", numbers[n]);
            add_row(&t, row);
        }
        rows.bins = 1u << akin_random_below(&random, 6);
        const akin_column first = slice(&t, 0, 20, bits[0]), second = slice(&t, 20, NUMBERS, bits[1]);
        assert_int_equal(akin_search_index_of_rows(context, &first, 1, 20, &rows, NULL, &index, NULL), AKIN_OK);
        assert_int_equal(akin_search_index_append(context, index, &second, 1, NUMBERS - 20, NULL, NULL, &longer, NULL),
                         AKIN_OK);
        save_and_open(&longer);
        expectation e = {numbers, 0, 8, (uint32_t)akin_random_below(&random, 10), rows.bins, 0};
        options.k = NUMBERS;
        options.tolerance = e.tolerance;
        assert_int_equal(akin_search(context, longer, &t.column, 1, NUMBERS, &options, check_hits, &e, NULL, NULL),
                         AKIN_OK);
        assert_int_equal(e.checked, NUMBERS * NUMBERS);
        akin_search_index_free(index);
        akin_search_index_free(longer);
        free_text(&t);
    }
}

/* ---------------------------------------------------------------------------------------------------------- refused */

static akin_column one_value(const char *name, const char *value, uint64_t offsets[2])
{
    offsets[0] = 0;
    offsets[1] = strlen(value);
    return (akin_column){.size = sizeof(akin_column), .name = name, .offsets = offsets, .bytes = value};
}

static void refuse(const akin_search_index *index, const akin_column *columns, uint32_t count, const akin_column *names,
                   akin_status expected, const char *message)
{
    akin_search_index *longer = NULL;
    akin_error error;
    assert_int_equal(akin_search_index_append(context, index, columns, count, 1, names, NULL, &longer, &error),
                     expected);
    assert_string_equal(error.message, message);
}

static void what_is_refused(void **state)
{
    static const uint64_t two[] = {0, 1, 2};
    static const char *const ages[] = {"age"};
    const akin_column table[] = {{.size = sizeof *table, .name = "age", .offsets = two, .bytes = "19"},
                                 {.size = sizeof *table, .name = "town", .offsets = two, .bytes = "RO"}};
    const akin_rows_options options = {sizeof options, ages, 1, 8};
    uint64_t offsets[3][2];
    akin_column given[3] = {one_value("town", "R", offsets[0]), one_value("age", "1e9", offsets[1]),
                            one_value("name", "Ada", offsets[2])};
    akin_search_index *index = NULL, *longer = NULL;
    akin_sets *sets = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_search_index_of_rows(context, table, 2, 2, &options, NULL, &index, NULL), AKIN_OK);
    refuse(
        index, given, 2, NULL, AKIN_E_INPUT,
        "row 0, column 'age': '1e9' is too far from the numbers of the index, 1 to 9: the intervals of that width do "
        "not reach so far");
    refuse(index, given, 1, NULL, AKIN_E_OPTION,
           "there is no column 'age', which the rows of the index have, or it is the id");
    given[1] = one_value("age", "7", offsets[1]);
    refuse(index, given, 3, NULL, AKIN_E_OPTION, "the index has no column 'name'; its columns are: age, town");
    refuse(index, given, 2, &given[2], AKIN_E_OPTION,
           "the objects of the index have no names: expected none for these");
    assert_int_equal(akin_sets_from_arrays(context, 1, two, (const uint32_t[]){5}, &sets, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_append_sets(context, index, sets, NULL, &longer, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "an index of rows is not extended by sets");
    akin_search_index_free(index);
    assert_int_equal(akin_search_index_of_sets(context, sets, &given[0], &index, NULL), AKIN_OK);
    refuse(index, given, 1, &given[2], AKIN_E_OPTION, "an index of sets is not extended by columns");
    refuse(index, given, 1, NULL, AKIN_E_OPTION, "an index of sets is not extended by columns");
    assert_int_equal(akin_search_index_append_sets(context, index, sets, NULL, &longer, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the objects of the index have names: expected some for these, too");
    akin_search_index_free(index);
    akin_sets_free(sets);
    given[1] = one_value("age", "7", offsets[1]);
    assert_int_equal(akin_search_index_of_rows(context, given + 1, 1, 1, &options, NULL, &index, NULL), AKIN_OK);
    given[1] = one_value("age", "8", offsets[1]);
    refuse(index, given + 1, 1, NULL, AKIN_E_INPUT,
           "row 0, column 'age': '8' is too far from the numbers of the index, 7 to 7: the intervals of that width do "
           "not reach so far");
    akin_search_index_free(index);
}

static void refuse_matrix(const akin_search_index *index, const akin_matrix *matrix, const char *message)
{
    akin_search_index *longer = NULL;
    akin_error error;
    assert_int_equal(akin_search_index_append_vectors(context, index, matrix, NULL, &longer, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, message);
}

static void what_vectors_are_refused(void **state)
{
    static const float numbers[] = {1, 2, 3};
    static const uint64_t offsets[] = {0, 1};
    const akin_column text = {.size = sizeof text, .name = "text", .offsets = offsets, .bytes = "a"};
    const akin_matrix bytes = {sizeof bytes, 1, 3, AKIN_NUMBER_U8, 0, "abc"}, fewer = {sizeof fewer, 1, 2, 0, 0, "ab"};
    const akin_matrix floats = {sizeof floats, 1, 3, AKIN_NUMBER_F32, 0, numbers};
    akin_search_index *index = NULL;
    (void)state;
    assert_int_equal(akin_search_index_of_vectors(context, &bytes, NULL, NULL, &index, NULL), AKIN_OK);
    refuse_matrix(index, &fewer, "an index of 3 columns is not extended by 2");
    refuse_matrix(index, &floats, "an index of vectors of bytes is extended by such alone");
    refuse(index, &text, 1, NULL, AKIN_E_OPTION, "an index of vectors is not extended by columns");
    refuse(index, &text, 1, &text, AKIN_E_OPTION, "an index of vectors is not extended by columns");
    akin_search_index_free(index);
    assert_int_equal(akin_search_index_of_signatures(context, &bytes, NULL, NULL, &index, NULL), AKIN_OK);
    refuse_matrix(index, &fewer, "an index of 3 columns is not extended by 2");
    refuse_matrix(index, &floats, "signatures of floats: expected integers");
    akin_search_index_free(index);
    assert_int_equal(akin_search_index_of_documents(context, &text, 1, 1, NULL, NULL, &index, NULL), AKIN_OK);
    refuse_matrix(index, &bytes, "an index of documents is not extended by a matrix");
    akin_search_index_free(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case), cmocka_unit_test(numbers_beyond),
                                       cmocka_unit_test(what_is_refused), cmocka_unit_test(what_vectors_are_refused)};
    const akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    char folder[] = "/tmp/akin-test-append-XXXXXX";
    if (!mkdtemp(folder) || akin_context_create(&options, &context, NULL) != AKIN_OK)
        return 1;
    snprintf(path, sizeof path, "%s/index.akin", folder);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    akin_context_free(context);
    unlink(path);
    rmdir(folder);
    return failed;
}
