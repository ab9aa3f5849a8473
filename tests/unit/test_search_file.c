/* Altered indexes for match-count search with correct checksums: each is refused, with its name. */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include "base/context.h"
#include "test_text_columns.h"

#include "search/index_file.h"
#include "test_base_saved.h"

#include <math.h>

static akin_context context = {.scope = {.context = &context, .threads = 1}, .temporary = scratch};

static akin_search_head *head_of(saved *s)
{
    return s->data[AKIN_SEARCH_HEAD];
}

static akin_dimension *dimensions_of(saved *s)
{
    return s->data[AKIN_SEARCH_DIMENSIONS];
}

static void longer(saved *s, uint32_t section, int64_t bytes)
{
    saved_resize(s, section, (uint64_t)((int64_t)s->lengths[section] + bytes));
}

/* -------------------------------------------------------------------------------------------------- what all have */

static void numbers_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_HEAD, 4);
}

static void no_such_kind(saved *s)
{
    head_of(s)->kind = 7;
}

static void too_many_rows(saved *s)
{
    head_of(s)->rows = UINT32_MAX;
}

static void one_row_more(saved *s)
{
    head_of(s)->rows++;
}

static void dimensions_of_none(saved *s)
{
    head_of(s)->dimensions = head_of(s)->dimensions == 0;
}

static void ngram_too_long(saved *s)
{
    head_of(s)->ngram = AKIN_NGRAM_MOST + 1;
}

static void another_kind(saved *s)
{
    head_of(s)->kind = head_of(s)->kind == AKIN_KIND_SETS ? AKIN_KIND_DOCUMENTS : AKIN_KIND_SETS;
    head_of(s)->dimensions = head_of(s)->ngram = head_of(s)->functions = head_of(s)->letters = 0;
}

static void letters_of_none(saved *s)
{
    head_of(s)->letters = 2;
}

static void folds_of_none(saved *s)
{
    head_of(s)->folds = 16;
}

static void folds_of_no_strings(saved *s)
{
    head_of(s)->folds = AKIN_FOLD_CASE;
}

static void head_of_another_version(saved *s)
{
    s->version = 1;
}

static void functions_of_none(saved *s)
{
    head_of(s)->functions = head_of(s)->functions == 0;
}

static void name_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_NAME_OFFSETS, 8);
}

static void names_without_offsets(saved *s)
{
    saved_resize(s, AKIN_SEARCH_NAME_OFFSETS, 0);
}

static void names_that_fall(saved *s)
{
    uint64_t *offsets = s->data[AKIN_SEARCH_NAME_OFFSETS];
    offsets[1] = offsets[2] + 1;
}

/* --------------------------------------------------------------------------------------------------- what some have */

static void token_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_TOKENS, 4);
}

static void tokens_that_fall(saved *s)
{
    ((uint32_t *)s->data[AKIN_SEARCH_TOKENS])[1] = 0;
}

static void size_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_SIZES, 4);
}

static void stop_words_cut(saved *s)
{
    longer(s, AKIN_SEARCH_ANALYSIS, -1);
}

static void dimension_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_DIMENSIONS, sizeof(akin_dimension));
}

static void strings_that_fall(saved *s)
{
    uint64_t *offsets = s->data[AKIN_SEARCH_STRING_OFFSETS];
    offsets[1] = offsets[2] + 1;
}

static void string_too_many(saved *s)
{
    const uint64_t length = s->lengths[AKIN_SEARCH_STRINGS];
    longer(s, AKIN_SEARCH_STRING_OFFSETS, 8);
    memcpy((char *)s->data[AKIN_SEARCH_STRING_OFFSETS] + s->lengths[AKIN_SEARCH_STRING_OFFSETS] - 8, &length, 8);
}

static void bin_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_BINS, 4);
}

static void first_keyword_late(saved *s)
{
    dimensions_of(s)[1].first++;
}

static void first_string_late(saved *s)
{
    dimensions_of(s)[1].string++;
}

static void bins_too_many(saved *s)
{
    dimensions_of(s)[1].bins = AKIN_ROWS_BINS_MOST + 1;
}

static void low_above_high(saved *s)
{
    dimensions_of(s)[1].low = dimensions_of(s)[1].high + 1;
}

static void high_infinite(saved *s)
{
    dimensions_of(s)[1].high = INFINITY;
}

static void reserved_of_dimension(saved *s)
{
    dimensions_of(s)[0].reserved = 1;
}

static void values_in_disorder(saved *s)
{
    ((char *)s->data[AKIN_SEARCH_STRINGS])[strlen("text")] = 'z';
}

static void bins_in_disorder(saved *s)
{
    ((uint32_t *)s->data[AKIN_SEARCH_BINS])[1] = 0;
}

static void bin_beyond_all(saved *s)
{
    const uint64_t count = s->lengths[AKIN_SEARCH_BINS] / sizeof(uint32_t);
    ((uint32_t *)s->data[AKIN_SEARCH_BINS])[count - 1] = dimensions_of(s)[1].bins + AKIN_ROWS_BINS_MOST;
}

static void bin_below_all(saved *s)
{
    ((int32_t *)s->data[AKIN_SEARCH_BINS])[0] = -AKIN_ROWS_BINS_MOST - 1;
}

/* A keyword changes from one column to the other, in all but the objects' own columns. */
static void columns_disagree(saved *s)
{
    akin_codes *codes = s->data[AKIN_SEARCH_OBJECTS + AKIN_OBJECTS_CODES];
    codes[0].count++;
    codes[1].first++;
    codes[1].count--;
}

static void null_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_VALIDITY, 1);
}

static void gram_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_GRAMS, 8);
}

static void grams_that_fall(saved *s)
{
    ((uint64_t *)s->data[AKIN_SEARCH_GRAMS])[1] = 0;
}

static void point_cut(saved *s)
{
    longer(s, AKIN_SEARCH_TOKENS, -2);
}

static void points_of_bytes(saved *s)
{
    head_of(s)->letters = 0;
}

static void point_twice(saved *s)
{
    uint32_t *points = s->data[AKIN_SEARCH_TOKENS];
    points[1] = points[0];
}

static void point_beyond_unicode(saved *s)
{
    ((uint32_t *)s->data[AKIN_SEARCH_TOKENS])[0] = 0x110000;
}

static void number_cut(saved *s)
{
    longer(s, AKIN_SEARCH_BINS, -4);
}

static void number_of_no_point(saved *s)
{
    ((uint32_t *)s->data[AKIN_SEARCH_BINS])[0] = 2 * AKIN_LETTERS_BYTES;
}

static void number_of_another_byte(saved *s)
{
    ((uint32_t *)s->data[AKIN_SEARCH_BINS])[0]++;
}

/* Vectors, sets by MinHash, signatures. */
static akin_search_lsh *lsh_of(saved *s)
{
    return s->data[AKIN_SEARCH_LSH];
}

static void function_too_many(saved *s)
{
    lsh_of(s)->family.functions++;
}

static void family_of_sets(saved *s)
{
    lsh_of(s)->family.kind = lsh_of(s)->family.kind == AKIN_FAMILY_JACCARD ? AKIN_FAMILY_L2 : AKIN_FAMILY_JACCARD;
}

static void width_not_a_number(saved *s)
{
    lsh_of(s)->family.width = NAN;
}

static void bucket_too_many(saved *s)
{
    lsh_of(s)->family.buckets++;
}

static void number_of_no_vector(saved *s)
{
    lsh_of(s)->number = AKIN_NUMBER_I32;
}

static void sets_that_are_kept(saved *s)
{
    lsh_of(s)->is_kept = 1;
}

static void scale_cut(saved *s)
{
    longer(s, AKIN_SEARCH_SCALE, -4);
}

static void salt_cut(saved *s)
{
    longer(s, AKIN_SEARCH_SALT, -8);
}

static void salt_of_none(saved *s)
{
    longer(s, AKIN_SEARCH_SALT, 8);
}

static void scale_infinite(saved *s)
{
    ((float *)s->data[AKIN_SEARCH_SCALE])[2] = INFINITY;
}

static void vectors_cut(saved *s)
{
    longer(s, AKIN_SEARCH_VECTORS, -4);
}

static void vector_not_a_number(saved *s)
{
    ((float *)s->data[AKIN_SEARCH_VECTORS])[3] = NAN;
}

static void vectors_not_kept(saved *s)
{
    lsh_of(s)->is_kept = 0;
}

static void values_that_fall(saved *s)
{
    ((int64_t *)s->data[AKIN_SEARCH_VALUES])[1] = -100;
}

static void value_too_many(saved *s)
{
    longer(s, AKIN_SEARCH_VALUES, 8);
}

static void ends_too_late(saved *s)
{
    ((uint64_t *)s->data[AKIN_SEARCH_VALUE_ENDS])[0] = 1000;
}

static void ends_cut(saved *s)
{
    longer(s, AKIN_SEARCH_VALUE_ENDS, -8);
}

static void last_end_early(saved *s)
{
    const uint64_t last = s->lengths[AKIN_SEARCH_VALUE_ENDS] / sizeof(uint64_t) - 1;
    ((uint64_t *)s->data[AKIN_SEARCH_VALUE_ENDS])[last]--;
}

static void signatures_with_a_width(saved *s)
{
    lsh_of(s)->family.width = 1;
}

/* A part of stored trees. */
static void *part_of(saved *s, int part)
{
    return s->data[AKIN_SEARCH_STORED + part];
}

static void marks_of_none(saved *s)
{
    ((akin_stored_head *)part_of(s, AKIN_STORED_HEAD))->marks = 0;
}

static void format_of_none(saved *s)
{
    ((akin_stored_head *)part_of(s, AKIN_STORED_HEAD))->format = 99;
}

static void tree_numbers_cut(saved *s)
{
    saved_resize(s, AKIN_SEARCH_STORED + AKIN_STORED_HEAD, 12);
}

static void buckets_cut(saved *s)
{
    saved_resize(s, AKIN_SEARCH_STORED + AKIN_STORED_BUCKETS, AKIN_TREE_BUCKETS);
}

static void trees_that_fall(saved *s)
{
    uint64_t *begin = part_of(s, AKIN_STORED_BEGIN);
    begin[1] = begin[2] + 1;
}

static void tree_twice(saved *s)
{
    uint32_t *rows = part_of(s, AKIN_STORED_ROWS);
    rows[1] = rows[0];
}

static void tree_beyond_all(saved *s)
{
    ((uint32_t *)part_of(s, AKIN_STORED_ROWS))[2] = 4;
}

static void labels_that_fall(saved *s)
{
    ((uint64_t *)part_of(s, AKIN_STORED_LABEL_OFFSETS))[1] = 99;
}

static void rank_beyond_all(saved *s)
{
    ((uint32_t *)part_of(s, AKIN_STORED_SLOTS))[0] = 7;
}

static void marks_that_fall(saved *s)
{
    ((uint64_t *)part_of(s, AKIN_STORED_MARKS_BEGIN))[2] = 999;
}

static void place_beyond_all(saved *s)
{
    ((uint32_t *)part_of(s, AKIN_STORED_PLACE))[0] = 3;
}

static const struct {
    const char *kind; /* the kind of the file; NULL: all kinds */
    void (*change)(saved *s);
    const char *why;
} cases[] = {
    {NULL, numbers_too_many, "its numbers are not as many as they must be"},
    {NULL, no_such_kind, "its numbers are not what they must be"},
    {NULL, too_many_rows, "its numbers are not what they must be"},
    {NULL, dimensions_of_none, "its numbers are not what they must be"},
    {NULL, ngram_too_long, "its numbers are not what they must be"},
    {NULL, another_kind, "it has parts of another kind of index"},
    {NULL, name_too_many, "its names are not those of its objects"},
    {NULL, names_without_offsets, "its names are not those of its objects"},
    {NULL, names_that_fall, "its names are not those of its objects"},
    {NULL, one_row_more, "its names are not those of its objects"},
    {"sets", token_too_many, "its tokens are not as many as its keywords"},
    {"sets", tokens_that_fall, "its tokens are not rising"},
    {"sets", size_too_many, "its sizes are not those of its objects"},
    {"documents", size_too_many, "its sizes are not those of its objects"},
    {"rows", size_too_many, "it has parts of another kind of index"},
    {"documents", stop_words_cut, "its stop words are damaged"},
    {"rows", dimension_too_many, "its columns are not as many as it says"},
    {"rows", strings_that_fall, "its strings are not in order"},
    {"rows", string_too_many, "its keywords are not those of its columns"},
    {"rows", bin_too_many, "its keywords are not those of its columns"},
    {"rows", first_keyword_late, "its columns are not in order"},
    {"rows", first_string_late, "its columns are not in order"},
    {"rows", bins_too_many, "its columns are not in order"},
    {"rows", low_above_high, "its columns are not in order"},
    {"rows", high_infinite, "its columns are not in order"},
    {"rows", reserved_of_dimension, "its columns are not in order"},
    {"rows", values_in_disorder, "the values of a column are not rising"},
    {"rows", bins_in_disorder, "the bins of a column are not rising"},
    {"rows", bin_beyond_all, "a bin of a column is none"},
    {"rows", bin_below_all, "a bin of a column is none"},
    {"rows", columns_disagree, "its keywords are not those of its columns"},
    {"strings", strings_that_fall, "its strings are not those of its objects"},
    {"strings", null_too_many, "its nulls are not those of its objects"},
    {"strings", gram_too_many, "its n-grams are not as many as its keywords"},
    {"strings", grams_that_fall, "its n-grams are not rising"},
    {"strings", point_cut, "its code points are not those of its strings"},
    {"strings", points_of_bytes, "its code points are not those of its strings"},
    {"strings", point_twice, "its code points are not numbered"},
    {"wide", point_beyond_unicode, "its code points are not numbered"},
    {"wide", number_cut, "its code points are not those of its strings"},
    {"wide", number_of_no_point, "its code points are not numbered"},
    {"wide", number_of_another_byte, "its code points are not numbered"},
    {NULL, letters_of_none, "its numbers are not what they must be"},
    {NULL, folds_of_none, "its numbers are not what they must be"},
    {"sets", folds_of_no_strings, "its numbers are not what they must be"},
    {NULL, head_of_another_version, "its numbers are not as many as they must be"},
    {"sets", functions_of_none, "its numbers are not what they must be"},
    {"rows", functions_of_none, "its numbers are not what they must be"},
    {"vectors", functions_of_none, "its numbers are not what they must be"},
    {"signatures", functions_of_none, "its numbers are not what they must be"},
    {"minhash", functions_of_none, "it has parts of another kind of index"},
    {"vectors", function_too_many, "its hash functions are not what they must be"},
    {"vectors", family_of_sets, "its hash functions are not what they must be"},
    {"minhash", family_of_sets, "its hash functions are not what they must be"},
    {"vectors", width_not_a_number, "its hash functions are not what they must be"},
    {"vectors", number_of_no_vector, "its hash functions are not what they must be"},
    {"minhash", sets_that_are_kept, "its hash functions are not what they must be"},
    {"vectors", scale_cut, "its hash functions are not as many as it says"},
    {"minhash", salt_cut, "its hash functions are not as many as it says"},
    {"vectors", scale_infinite, "its hash functions are not numbers"},
    {"vectors", vectors_cut, "its vectors are not as many as its objects"},
    {"vectors", vectors_not_kept, "its vectors are not as many as its objects"},
    {"vectors", vector_not_a_number, "its vectors are not numbers"},
    {"vectors", bucket_too_many, "its keywords are not those of its hash functions"},
    {"minhash", bucket_too_many, "its keywords are not those of its hash functions"},
    {"minhash", size_too_many, "it has parts of another kind of index"},
    {"signatures", values_that_fall, "its values are not those of its columns"},
    {"signatures", value_too_many, "its values are not those of its columns"},
    {"signatures", ends_too_late, "its values are not those of its columns"},
    {"signatures", ends_cut, "its values are not those of its columns"},
    {"signatures", last_end_early, "its values are not those of its columns"},
    {"signatures", signatures_with_a_width, "its buckets are not what they must be"},
    {"signatures", function_too_many, "its buckets are not what they must be"},
    {"signatures", bucket_too_many, "its buckets are not what they must be"},
    {"signatures", salt_of_none, "it has parts of another kind of index"},
    {"trees", marks_of_none, "the numbers of its trees are not what they must be"},
    {"trees", format_of_none, "the numbers of its trees are not what they must be"},
    {"trees", tree_numbers_cut, "the numbers of its trees are not what they must be"},
    {"trees", buckets_cut, "the numbers of its trees are not what they must be"},
    {"trees", trees_that_fall, "its trees are not those of its objects"},
    {"trees", tree_twice, "its trees are not those of its objects"},
    {"trees", tree_beyond_all, "its trees are not those of its objects"},
    {"trees", labels_that_fall, "its labels are not where they must be"},
    {"trees", rank_beyond_all, "its labels are not where they must be"},
    {"trees", marks_that_fall, "the marks of its trees are not where they must be"},
    {"trees", place_beyond_all, "the marks of its trees are not where they must be"},
};

static const char *const kinds[] = {"sets",    "documents", "rows",       "strings", "wide",
                                    "vectors", "minhash",   "signatures", "trees"};

/* Files of trees have more sections. */
static uint32_t sections_of(const char *kind)
{
    return strcmp(kind, "trees") == 0 ? AKIN_SEARCH_SECTIONS : AKIN_SEARCH_STORED;
}

static const char *good(const char *kind)
{
    static char name[32];
    snprintf(name, sizeof name, "%s.akin", kind);
    return scratch_path(name);
}

static void save(const char *kind, akin_search_index *index)
{
    assert_int_equal(akin_search_index_save(&context, index, good(kind), NULL), AKIN_OK);
    akin_search_index_free(index);
}

/* Four strings. One of them has more code points than there are bytes. */
static void save_wide(const akin_strings_options *options, const akin_column *names)
{
    char all[3 * 300 + 1] = "";
    for (uint32_t i = 0; i < 300; i++)
        snprintf(all + 3 * i, 4, "\xe4%c%c", (int)(0xb8 + i / 64) - 256, (int)(0x80 + i % 64) - 256);
    const char *const texts[] = {all, "blue", NULL, ""};
    builder b = builder_of(texts, 4);
    const akin_column column = builder_column(&b, "text");
    akin_search_index *index = NULL;
    assert_int_equal(akin_search_index_of_strings(&context, &column, 4, options, names, &index, NULL), AKIN_OK);
    save("wide", index);
    builder_clear(&b);
}

static void save_trees(const akin_column *names)
{
    static const char *const texts[] = {"{a{b}{c{d}}}", "{a{b}}", NULL, "{x{b}{y}}"};
    builder b = builder_of(texts, 4);
    const akin_column column = builder_column(&b, "text");
    const akin_search_objects objects = {.size = sizeof objects, .columns = &column, .column_count = 1, .rows = 4};
    akin_search_index *index = NULL;
    assert_int_equal(akin_search_index_make(&context, AKIN_KIND_TREES, &objects, NULL, names, &index, NULL), AKIN_OK);
    save("trees", index);
    builder_clear(&b);
}

/* One of each kind, of the same four rows. */
static void save_good(void)
{
    static const char *const texts[] = {"a red boat", "blue", NULL, "sky"}, *const numbers[] = {"1", "2", "5", "9"};
    static const char *const stop_words[] = {"the"}, *const numeric[] = {"age"};
    const uint64_t offsets[] = {0, 2, 3, 3, 4};
    const uint32_t tokens[] = {5, 6, 5, 900};
    builder b = builder_of(texts, 4), n = builder_of(numbers, 4);
    const akin_column columns[] = {builder_column(&b, "text"), builder_column(&n, "age")};
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    akin_rows_options rows = {sizeof rows, numeric, 1, 7};
    akin_strings_options strings = {.size = sizeof strings, .ngram = 2};
    akin_search_index *index = NULL;
    akin_sets *sets = NULL;
    text.stop_words = stop_words;
    text.stop_word_count = 1;
    assert_int_equal(akin_sets_from_arrays(&context, 4, offsets, tokens, &sets, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_of_sets(&context, sets, &columns[1], &index, NULL), AKIN_OK);
    save("sets", index);
    assert_int_equal(akin_search_index_of_documents(&context, columns, 1, 4, &text, &columns[1], &index, NULL),
                     AKIN_OK);
    save("documents", index);
    assert_int_equal(akin_search_index_of_rows(&context, columns, 2, 4, &rows, &columns[1], &index, NULL), AKIN_OK);
    save("rows", index);
    assert_int_equal(akin_search_index_of_strings(&context, columns, 4, &strings, &columns[1], &index, NULL), AKIN_OK);
    save("strings", index);
    save_wide(&strings, &columns[1]);
    akin_vectors_options functions = AKIN_VECTORS_OPTIONS_INIT;
    const float reals[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const int32_t whole[] = {1, 2, 3, 4, 1, 6, 7, -8};
    const akin_matrix vectors = {sizeof vectors, 4, 2, AKIN_NUMBER_F32, 0, reals};
    const akin_matrix signatures = {sizeof signatures, 4, 2, AKIN_NUMBER_I32, 0, whole};
    functions.functions = 3;
    assert_int_equal(akin_search_index_of_vectors(&context, &vectors, &functions, &columns[1], &index, NULL), AKIN_OK);
    save("vectors", index);
    functions.family = AKIN_FAMILY_JACCARD;
    assert_int_equal(akin_search_index_of_minhash(&context, sets, &functions, &columns[1], &index, NULL), AKIN_OK);
    save("minhash", index);
    assert_int_equal(akin_search_index_of_signatures(&context, &signatures, NULL, &columns[1], &index, NULL), AKIN_OK);
    save("signatures", index);
    save_trees(&columns[1]);
    akin_sets_free(sets);
    builder_clear(&b);
    builder_clear(&n);
}

static void altered(void **state)
{
    (void)state;
    save_good();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
            if (cases[i].kind && strcmp(cases[i].kind, kinds[kind]) != 0)
                continue;
            if (cases[i].change == head_of_another_version && strcmp(kinds[kind], "trees") == 0)
                continue; /* version 1 had no trees */
            saved s = saved_read(&context, good(kinds[kind]), "search", sections_of(kinds[kind]));
            const char *path = scratch_path("altered.akin");
            akin_search_index *index = NULL;
            akin_error error = {.message = "opened"};
            cases[i].change(&s);
            saved_write(&context, &s, path);
            akin_status status = akin_search_index_open(&context, path, &index, &error);
            if (!strstr(error.message, cases[i].why))
                fail_msg("%s: '%s', expected '%s'", kinds[kind], error.message, cases[i].why);
            assert_int_equal(status, AKIN_E_INPUT);
            assert_null(index);
        }
}

/* Cut short, of another version, or with a byte changed. */
static void damaged(void **state)
{
    static const uint64_t seeds[] = {0, 9, 17, 40, 900};
    (void)state;
    save_good();
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        const char *path = scratch_path("damaged.akin");
        char bytes[8192];
        FILE *in = fopen(good("documents"), "rb"), *out = fopen(path, "wb");
        assert_true(in && out);
        size_t length = fread(bytes, 1, sizeof bytes, in);
        assert_true(length > 1000 && length < sizeof bytes);
        bytes[seeds[i]] = (char)(bytes[seeds[i]] ^ 1);
        length -= i == 4 ? 64 : 0;
        assert_int_equal(fwrite(bytes, 1, length, out), length);
        fclose(in);
        fclose(out);
        akin_search_index *index = NULL;
        akin_error error;
        assert_int_equal(akin_search_index_open(&context, path, &index, &error), AKIN_E_INPUT);
        assert_non_null(strstr(error.message, "damaged.akin: "));
    }
}

static int count_hits(void *user, const akin_search_hit *hits, size_t count)
{
    (void)hits;
    *(uint64_t *)user += count;
    return 0;
}

/* Opens an index, and asks it for what any index is asked for, and for what those of its kind are. */
static akin_status use_index(akin_context *own, const char *path, akin_error *error)
{
    static const char *const texts[] = {"red boat 3", "{a{b}{z}}"}, *const numbers[] = {"2"};
    static const uint64_t offsets[] = {0, 2};
    static const uint32_t tokens[] = {5, 900};
    static const float reals[] = {1, 3};
    static const int32_t whole[] = {1, 3};
    akin_search_statistics about = {.size = sizeof about};
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_index *index = NULL;
    akin_sets *sets = NULL;
    const char *name;
    size_t length;
    uint64_t found = 0;
    akin_status status = akin_search_index_open(own, path, &index, error);
    if (status != AKIN_OK)
        return status;
    assert_int_equal(akin_search_index_describe(index, &about, NULL), AKIN_OK);
    builder b = builder_of(&texts[about.kind == AKIN_KIND_TREES], 1), n = builder_of(numbers, 1);
    const akin_column columns[] = {builder_column(&b, "text"), builder_column(&n, "age")};
    const akin_matrix vector = {sizeof vector, 1, 2, AKIN_NUMBER_F32, 0, reals},
                      signature = {sizeof signature, 1, 2, AKIN_NUMBER_I32, 0, whole};
    for (uint32_t i = 0; i < about.objects && i < 8; i++)
        akin_search_index_name(index, i, &name, &length);
    assert_int_equal(akin_sets_from_arrays(own, 1, offsets, tokens, &sets, NULL), AKIN_OK);
    options.k = 3;
    /* Each refuses what is for other kinds of index. */
    const akin_status any[] = {akin_search(own, index, columns, about.kind == AKIN_KIND_ROWS ? 2 : 1, 1, &options,
                                           count_hits, &found, NULL, NULL),
                               akin_search_sets(own, index, sets, &options, count_hits, &found, NULL, NULL),
                               akin_search_vectors(own, index, &vector, &options, count_hits, &found, NULL, NULL),
                               akin_search_vectors(own, index, &signature, &options, count_hits, &found, NULL, NULL)};
    for (size_t i = 0; i < sizeof any / sizeof *any; i++)
        assert_true(any[i] == AKIN_OK || any[i] == AKIN_E_OPTION || any[i] == AKIN_E_INPUT || any[i] == AKIN_E_LIMIT);
    assert_true(found <= 12);
    akin_sets_free(sets);
    akin_search_index_free(index);
    builder_clear(&b);
    builder_clear(&n);
    return AKIN_OK;
}

static void changed(void **state)
{
    (void)state;
    save_good();
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        if (strcmp(kinds[kind], "wide") != 0)
            saved_change(&context, good(kinds[kind]), "search", sections_of(kinds[kind]), use_index);
}

/* Version 1 had a head without folds: its indexes are read, and fold nothing. */
static void first_version(void **state)
{
    (void)state;
    save_good();
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind], "trees") != 0; kind++) {
        saved s = saved_read(&context, good(kinds[kind]), "search", sections_of(kinds[kind]));
        const char *path = scratch_path("first.akin");
        akin_search_statistics about = {.size = sizeof about}, before = {.size = sizeof before};
        akin_search_index *index = NULL, *now = NULL;
        saved_resize(&s, AKIN_SEARCH_HEAD, 24);
        s.version = 1;
        saved_write(&context, &s, path);
        assert_int_equal(akin_search_index_open(&context, path, &index, NULL), AKIN_OK);
        assert_int_equal(akin_search_index_open(&context, good(kinds[kind]), &now, NULL), AKIN_OK);
        assert_int_equal(akin_search_index_describe(index, &about, NULL), AKIN_OK);
        assert_int_equal(akin_search_index_describe(now, &before, NULL), AKIN_OK);
        assert_memory_equal(&about, &before, sizeof about);
        assert_int_equal(about.folds, 0);
        akin_search_index_free(index);
        akin_search_index_free(now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(altered), cmocka_unit_test(damaged), cmocka_unit_test(changed),
                                       cmocka_unit_test(first_version)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
