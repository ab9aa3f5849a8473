/* Saved files that others change while they are mapped: the change is seen, and whatever bytes there are, nothing is
 * read or written elsewhere. */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include "akin.h"
#include "dict/trie.h"
#include "test_text_columns.h"

#include "test_base_files.h"

#include <fcntl.h>
#include <time.h>

#define ROWS    3000
#define QUERIES 20
#define ROUNDS  60
#define SPOTS   40 /* that a round changes */
#define WORDS   400
#define COLUMNS 3 /* of vectors and signatures */

/* What is told of mappings. */
typedef struct watched {
    const akin_mapping *mapping;
    int opened, closed;
} watched;

static void watch(void *user, const akin_mapping *mapping, int is_open)
{
    watched *w = user;
    w->mapping = is_open ? mapping : NULL;
    w->opened += is_open;
    w->closed += !is_open;
}

static akin_context *begin_context(watched *w, int unmapped)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = 2;
    options.device = "cpu";
    options.unmapped = unmapped;
    options.mapped = watch;
    options.user = w;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    return context;
}

/* ------------------------------------------------------------------------------------------------------------- data */

static uint64_t drawn = 1; /* a linear congruence, so that all runs draw the same */

static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((drawn >> 33) % below);
}

/* Texts of words, the first of which are in most of them, and often more than once. */
static builder draw_texts(uint32_t rows)
{
    builder b = {0};
    for (uint32_t row = 0; row < rows; row++) {
        char text[1024];
        size_t used = 0;
        const uint32_t only = draw(10) ? 0 : 1 + draw(5); /* the word that a text repeats */
        for (uint32_t i = 0, count = 3 + draw(only ? 80 : 30); i < count; i++) {
            const uint32_t word = only ? only : draw(draw(draw(WORDS) + 1) + 1);
            used += (size_t)snprintf(text + used, sizeof text - used, "w%u%s ", word * 7919 % 1000,
                                     word % 3 ? "" : "\xe4\xb8\xad");
        }
        builder_add(&b, text, used);
    }
    return b;
}

/* Strings of many different code points: bytes do not identify these. */
static builder draw_strings(uint32_t rows)
{
    builder b = {0};
    for (uint32_t row = 0; row < rows; row++) {
        char text[64];
        size_t used = 0;
        for (uint32_t i = 0, count = 2 + draw(12); i < count; i++) {
            const uint32_t point = draw(4) ? draw(8) : draw(400);
            used += (size_t)snprintf(text + used, sizeof text - used, "\xe4%c%c", (int)(0xb8 + point / 64) - 256,
                                     (int)(0x80 + point % 64) - 256);
        }
        if (row % 50 == 7)
            builder_null(&b);
        else
            builder_add(&b, text, used);
    }
    return b;
}

static builder draw_numbers(uint32_t rows, uint32_t below)
{
    builder b = {0};
    for (uint32_t row = 0; row < rows; row++) {
        char text[16];
        builder_add(&b, text, (size_t)snprintf(text, sizeof text, "%u", draw(below)));
    }
    return b;
}

static akin_sets *draw_sets(akin_context *context, uint32_t rows)
{
    uint64_t *offsets = malloc((rows + UINT64_C(1)) * sizeof *offsets);
    uint32_t *tokens = malloc((size_t)rows * 20 * sizeof *tokens);
    akin_sets *sets = NULL;
    assert_true(offsets && tokens);
    offsets[0] = 0;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t size = draw(20);
        offsets[row + 1] = offsets[row] + size;
        for (uint32_t i = 0; i < size; i++)
            tokens[offsets[row] + i] = draw(draw(300) + 1);
    }
    assert_int_equal(akin_sets_from_arrays(context, rows, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

/* All that is indexed, and asked. */
typedef struct corpus {
    builder texts, strings, numbers, names, asked_texts, asked_strings, asked_numbers;
    akin_column columns[2], name, asked_columns[2], text, string, asked_text, asked_string;
    akin_sets *sets, *asked_sets;
    float reals[ROWS * COLUMNS];
    int32_t whole[ROWS * COLUMNS];
    akin_matrix vectors, signatures, asked_vectors, asked_signatures;
} corpus;

static corpus data;

static void make_corpus(akin_context *context)
{
    corpus *c = &data;
    c->texts = draw_texts(ROWS);
    c->strings = draw_strings(ROWS);
    c->numbers = draw_numbers(ROWS, 1000);
    c->names = draw_numbers(ROWS, 1000000);
    c->asked_texts = draw_texts(QUERIES);
    c->asked_strings = draw_strings(QUERIES);
    c->asked_numbers = draw_numbers(QUERIES, 1000);
    c->text = builder_column(&c->texts, "text");
    c->string = builder_column(&c->strings, "text");
    c->name = builder_column(&c->names, "name");
    c->asked_text = builder_column(&c->asked_texts, "text");
    c->asked_string = builder_column(&c->asked_strings, "text");
    c->columns[0] = c->text;
    c->columns[1] = builder_column(&c->numbers, "number");
    c->asked_columns[0] = c->asked_text;
    c->asked_columns[1] = builder_column(&c->asked_numbers, "number");
    c->sets = draw_sets(context, ROWS);
    c->asked_sets = draw_sets(context, QUERIES);
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        c->reals[i] = (float)draw(1000);
        c->whole[i] = (int32_t)draw(draw(200) + 1);
    }
    c->vectors = (akin_matrix){sizeof c->vectors, ROWS, COLUMNS, AKIN_NUMBER_F32, 0, c->reals};
    c->signatures = (akin_matrix){sizeof c->signatures, ROWS, COLUMNS, AKIN_NUMBER_I32, 0, c->whole};
    c->asked_vectors = (akin_matrix){sizeof c->vectors, QUERIES, COLUMNS, AKIN_NUMBER_F32, 0, c->reals + 30};
    c->asked_signatures = (akin_matrix){sizeof c->vectors, QUERIES, COLUMNS, AKIN_NUMBER_I32, 0, c->whole + 30};
}

static void clear_corpus(void)
{
    builder *const all[] = {&data.texts,       &data.strings,       &data.numbers,      &data.names,
                            &data.asked_texts, &data.asked_strings, &data.asked_numbers};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        builder_clear(all[i]);
    akin_sets_free(data.sets);
    akin_sets_free(data.asked_sets);
}

/* ------------------------------------------------------------------------------------------------------------ kinds */

/* What is opened: an index, or a trie, or weights. */
typedef struct opened {
    akin_search_index *index;
    akin_trie *trie;
    akin_weights *weights;
} opened;

typedef enum kind { DOCUMENTS, BM25, SETS, MINHASH, ROWS_OF, STRINGS, VECTORS, SIGNATURES, TRIE, WEIGHTS, KINDS } kind;

static const char *const kind_names[KINDS] = {"documents", "bm25",    "sets",       "minhash", "rows",
                                              "strings",   "vectors", "signatures", "trie",    "weights"};

static const char *path_of(kind of)
{
    char name[32];
    snprintf(name, sizeof name, "%s.akin", kind_names[of]);
    return scratch_path(name);
}

static void write_weights(akin_context *context)
{
    akin_weights *weights = NULL;
    akin_output *output = NULL;
    assert_int_equal(akin_weigh(context, &data.text, 1, ROWS, NULL, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_output_open(context, path_of(WEIGHTS), &output, NULL), AKIN_OK);
    assert_int_equal(akin_weights_write(context, weights, &data.name, AKIN_WEIGHTS_AKIN, output, NULL), AKIN_OK);
    assert_int_equal(akin_output_commit(output, NULL), AKIN_OK);
    akin_weights_free(weights);
}

static void save_kind(akin_context *context, kind of)
{
    akin_rows_options rows = {sizeof rows, (const char *const[]){"number"}, 1, 20};
    akin_strings_options strings = {.size = sizeof strings, .ngram = 2};
    akin_vectors_options functions = AKIN_VECTORS_OPTIONS_INIT;
    akin_weigh_options weigh = AKIN_WEIGH_OPTIONS_INIT;
    akin_search_index *index = NULL;
    akin_weights *weights = NULL;
    akin_trie *trie = NULL;
    akin_status status = AKIN_OK;
    functions.functions = 20;
    functions.family = of == MINHASH ? AKIN_FAMILY_JACCARD : functions.family;
    weigh.order = AKIN_WEIGHTS_BY_TERM;
    if (of == DOCUMENTS)
        status = akin_search_index_of_documents(context, &data.text, 1, ROWS, NULL, &data.name, &index, NULL);
    else if (of == BM25)
        status = akin_weigh(context, &data.text, 1, ROWS, &weigh, &weights, NULL) == AKIN_OK
                     ? akin_search_index_of_weights(context, weights, &data.name, &index, NULL)
                     : AKIN_E_INPUT;
    else if (of == SETS)
        status = akin_search_index_of_sets(context, data.sets, &data.name, &index, NULL);
    else if (of == MINHASH)
        status = akin_search_index_of_minhash(context, data.sets, &functions, &data.name, &index, NULL);
    else if (of == ROWS_OF)
        status = akin_search_index_of_rows(context, data.columns, 2, ROWS, &rows, &data.name, &index, NULL);
    else if (of == STRINGS)
        status = akin_search_index_of_strings(context, &data.string, ROWS, &strings, &data.name, &index, NULL);
    else if (of == VECTORS)
        status = akin_search_index_of_vectors(context, &data.vectors, &functions, &data.name, &index, NULL);
    else if (of == SIGNATURES)
        status = akin_search_index_of_signatures(context, &data.signatures, NULL, &data.name, &index, NULL);
    else if (of == TRIE)
        status = akin_trie_build(context, &data.name, ROWS, NULL, &trie, NULL);
    else
        write_weights(context);
    assert_int_equal(status, AKIN_OK);
    if (index)
        assert_int_equal(akin_search_index_save(context, index, path_of(of), NULL), AKIN_OK);
    if (trie)
        assert_int_equal(akin_trie_save(context, trie, path_of(of), NULL), AKIN_OK);
    akin_search_index_free(index);
    akin_weights_free(weights);
    akin_trie_free(trie);
}

static akin_status open_kind(akin_context *context, kind of, opened *out, akin_error *error)
{
    *out = (opened){0};
    return of == TRIE      ? akin_trie_open(context, path_of(of), &out->trie, error)
           : of == WEIGHTS ? akin_weights_open(context, path_of(of), &out->weights, error)
                           : akin_search_index_open(context, path_of(of), &out->index, error);
}

static const akin_mapping *mapping_of(const opened *o)
{
    return o->trie      ? akin_trie_mapping(o->trie)
           : o->weights ? akin_weights_mapping(o->weights)
                        : akin_search_index_mapping(o->index);
}

static void close_kind(opened *o)
{
    akin_search_index_free(o->index);
    akin_trie_free(o->trie);
    akin_weights_free(o->weights);
}

/* -------------------------------------------------------------------------------------------------------------- use */

/* Reads all of the name of each hit. */
static int take_hits(void *user, const akin_search_hit *found, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const char *bytes;
        size_t length;
        double distance;
        assert_true(found[i].object < ROWS && found[i].query < QUERIES);
        if (akin_search_index_name(user, found[i].object, &bytes, &length))
            for (size_t at = 0; at < length; at++)
                sum += (unsigned char)bytes[at];
        akin_search_distance(user, &data.asked_vectors, found[i].query, found[i].object, &distance, NULL);
    }
    return sum == UINT64_MAX;
}

/* Searches, and extends the index. What comes of it does not matter. */
static void use_index(akin_context *context, kind of, akin_search_index *index, akin_search_options *o)
{
    akin_search_index *more = NULL;
    const akin_matrix *asked = of == VECTORS ? &data.asked_vectors : &data.asked_signatures;
    if (of == SETS || of == MINHASH)
        akin_search_sets(context, index, data.asked_sets, o, take_hits, index, NULL, NULL);
    else if (of == VECTORS || of == SIGNATURES)
        akin_search_vectors(context, index, asked, o, take_hits, index, NULL, NULL);
    else if (of == ROWS_OF)
        akin_search(context, index, data.asked_columns, 2, QUERIES, o, take_hits, index, NULL, NULL);
    else
        akin_search(context, index, of == STRINGS ? &data.asked_string : &data.asked_text, 1, QUERIES, o, take_hits,
                    index, NULL, NULL);
    if (o->technique != AKIN_SEARCH_AUTO)
        return;
    akin_search_index_save(context, index, scratch_path("again.akin"), NULL);
    if (of == SETS || of == MINHASH)
        akin_search_index_append_sets(context, index, data.asked_sets, &data.name, &more, NULL);
    else if (of == VECTORS || of == SIGNATURES)
        akin_search_index_append_vectors(context, index, asked, &data.name, &more, NULL);
    else if (of == ROWS_OF)
        akin_search_index_append(context, index, data.asked_columns, 2, QUERIES, &data.name, NULL, &more, NULL);
    else
        akin_search_index_append(context, index, of == STRINGS ? &data.asked_string : &data.asked_text, 1, QUERIES,
                                 &data.name, NULL, &more, NULL);
    akin_search_index_free(more);
}

static void search_every_way(akin_context *context, kind of, akin_search_index *index)
{
    static const akin_search_technique techniques[] = {AKIN_SEARCH_AUTO, AKIN_SEARCH_LISTS, AKIN_SEARCH_SCAN};
    for (size_t i = 0; i < sizeof techniques / sizeof *techniques; i++)
        for (uint32_t variant = 0; variant < 2; variant++) {
            akin_search_options o = AKIN_SEARCH_OPTIONS_INIT;
            o.technique = techniques[i];
            o.k = variant ? 3 : 400;
            if (of == DOCUMENTS || of == SETS)
                o.measure = variant ? AKIN_JACCARD : AKIN_OVERLAP;
            if (of == STRINGS && techniques[i] != AKIN_SEARCH_SCAN)
                o.candidates = 50;
            if (of == VECTORS && variant)
                o.rerank = 30;
            use_index(context, of, index, &o);
        }
}

static void use_trie(akin_context *context, const akin_trie *trie)
{
    static uint32_t ids[ROWS];
    char word[16];
    size_t length;
    akin_bulk words[2];
    akin_trie_look_up(context, trie, &data.name, ROWS, ids, NULL);
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint64_t at = data.name.offsets[i];
        uint32_t id = 0;
        if (akin_trie_find(trie, data.name.bytes + at, (size_t)(data.name.offsets[i + 1] - at), &id))
            assert_true(id < akin_trie_count(trie));
        assert_true(ids[i] == AKIN_TRIE_UNKNOWN || ids[i] < akin_trie_count(trie));
        akin_trie_string(trie, i, word, sizeof word, &length, NULL);
    }
    akin_trie_list(akin_scope_of(context), trie, words, NULL);
    akin_bulk_clear(&words[0]);
    akin_bulk_clear(&words[1]);
}

static void use_weights(akin_context *context, const akin_weights *weights)
{
    akin_rank_index *index = NULL;
    akin_output *output = NULL;
    assert_int_equal(akin_output_open(context, scratch_path("weights.csv"), &output, NULL), AKIN_OK);
    akin_weights_write(context, weights, NULL, AKIN_WEIGHTS_CSV, output, NULL);
    akin_output_discard(output);
    akin_rank_index_create(context, weights, NULL, &index, NULL);
    akin_rank_index_free(index);
}

static void use_kind(akin_context *context, kind of, opened *o)
{
    if (o->trie)
        use_trie(context, o->trie);
    else if (o->weights)
        use_weights(context, o->weights);
    else
        search_every_way(context, of, o->index);
}

/* ---------------------------------------------------------------------------------------------------------- changes */

static void put(int file, const char *bytes, size_t length, size_t at)
{
    assert_int_equal(pwrite(file, bytes, length, (off_t)at), (ssize_t)length);
}

/* Changes some bytes at random: to any, to zeros or to ones, a few or many in a row. */
static void spoil(int file, size_t length)
{
    for (uint32_t i = 0; i < SPOTS; i++) {
        char bytes[512];
        const size_t some = 1 + draw(draw(4) ? 8 : sizeof bytes), at = draw((uint32_t)(length - some));
        const uint32_t how = draw(4);
        for (size_t b = 0; b < some; b++)
            bytes[b] = (char)(how == 0 ? 0 : how == 1 ? 0xff : draw(256));
        put(file, bytes, some, at);
    }
}

static void test_spoilt(void **state)
{
    (void)state;
    watched w = {0};
    akin_context *context = begin_context(&w, 0);
    make_corpus(context);
    for (kind of = 0; of < KINDS; of++) {
        opened o;
        size_t length;
        save_kind(context, of);
        char *good = scratch_read(path_of(of), &length);
        assert_int_equal(open_kind(context, of, &o, NULL), AKIN_OK);
        assert_ptr_equal(mapping_of(&o), w.mapping);
        use_kind(context, of, &o);
        int file = open(path_of(of), O_WRONLY);
        assert_true(file >= 0);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            spoil(file, length);
            use_kind(context, of, &o);
            if (round % 4 == 3)
                put(file, good, length, 0);
        }
        close(file);
        close_kind(&o);
        free(good);
    }
    assert_int_equal(w.opened, KINDS);
    assert_int_equal(w.closed, KINDS);
    clear_corpus();
    akin_context_free(context);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static void save_small(akin_context *context, const char *name)
{
    static const char *const words[] = {"red", "blue", "green"};
    builder b = builder_of(words, 3);
    const akin_column column = builder_column(&b, "word");
    akin_trie *trie = NULL;
    assert_int_equal(akin_trie_build(context, &column, 3, NULL, &trie, NULL), AKIN_OK);
    assert_int_equal(akin_trie_save(context, trie, scratch_path(name), NULL), AKIN_OK);
    akin_trie_free(trie);
    builder_clear(&b);
}

typedef enum change { TOUCHED, SHORTER, LONGER, REPLACED, REMOVED, CHANGES } change;

static void do_change(const char *path, change what)
{
    const struct timespec times[2] = {{0, UTIME_OMIT}, {1000000000, 1}};
    const char *other = scratch_path("other.akin");
    if (what == TOUCHED)
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    else if (what == SHORTER)
        assert_int_equal(truncate(path, 10), 0);
    else if (what == LONGER)
        assert_int_equal(truncate(path, 100000), 0);
    else if (what == REPLACED)
        assert_int_equal(rename(other, path), 0);
    else
        assert_int_equal(unlink(path), 0);
}

static void test_checked(void **state)
{
    static const char *const said[CHANGES] = {"was written to", "was shortened", "was made longer",
                                              "was replaced by another file", "was removed or renamed"};
    (void)state;
    watched w = {0};
    akin_context *context = begin_context(&w, 0);
    for (change what = 0; what < CHANGES; what++) {
        const char *path = scratch_path("small.akin");
        akin_trie *trie = NULL;
        akin_error error;
        save_small(context, "small.akin");
        save_small(context, "other.akin");
        assert_int_equal(akin_trie_open(context, path, &trie, NULL), AKIN_OK);
        assert_int_equal(akin_mapping_check(akin_trie_mapping(trie), &error), AKIN_OK);
        assert_string_equal(akin_mapping_name(w.mapping), path);
        do_change(path, what);
        assert_int_equal(akin_mapping_check(akin_trie_mapping(trie), &error), AKIN_E_INPUT);
        assert_int_equal(error.reason, AKIN_REASON_CHANGED);
        assert_true(strncmp(error.message, path, strlen(path)) == 0 && strstr(error.message, said[what]));
        akin_trie_free(trie);
    }
    assert_int_equal(akin_mapping_check(NULL, NULL), AKIN_OK);
    akin_context_free(context);
}

/* What is read into memory has no mapping, and survives its file. */
static void test_unmapped(void **state)
{
    (void)state;
    watched w = {0};
    akin_context *context = begin_context(&w, 1);
    akin_trie *trie = NULL;
    char word[8];
    size_t length = 0;
    save_small(context, "small.akin");
    assert_int_equal(akin_trie_open(context, scratch_path("small.akin"), &trie, NULL), AKIN_OK);
    assert_null(akin_trie_mapping(trie));
    assert_int_equal(w.opened, 0);
    assert_int_equal(truncate(scratch_path("small.akin"), 0), 0);
    for (uint32_t id = 0; id < 3; id++) {
        uint32_t found = 3;
        assert_int_equal(akin_trie_string(trie, id, word, sizeof word, &length, NULL), AKIN_OK);
        assert_true(akin_trie_find(trie, word, length, &found) && found == id);
    }
    akin_trie_free(trie);
    akin_context_free(context);
}

/* Where a mapping begins and ends. An object may outlive its context. */
static void test_addresses(void **state)
{
    (void)state;
    watched w = {0};
    akin_context *context = begin_context(&w, 0);
    akin_trie *trie = NULL;
    size_t length = 0, inside = 0;
    save_small(context, "small.akin");
    free(scratch_read(scratch_path("small.akin"), &length));
    assert_int_equal(akin_trie_open(context, scratch_path("small.akin"), &trie, NULL), AKIN_OK);
    akin_context_free(context);
    const char *const cells = trie->parts[AKIN_TRIE_CELLS].data;
    for (const char *at = cells - length; at < cells + length; at++)
        inside += (size_t)akin_mapping_has(w.mapping, at);
    assert_int_equal(inside, length);
    assert_int_equal(w.closed, 0);
    akin_trie_free(trie);
    assert_int_equal(w.closed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_spoilt, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_checked, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_unmapped, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_addresses, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
