/* Saved indexes whose checksums are right, and which say what is not so: each is refused, by name. */
#define _GNU_SOURCE /* nftw, mkdtemp */

#include "base/context.h"
#include "test_text_columns.h"

#include "test_base_saved.h"
#include "rank/rank_index.h"

#include <math.h>

static akin_context context = {.scope = {.context = &context, .threads = 1}, .temporary = scratch};

/* The sections that a change is made to, as what they are. */
#define LISTS(s, part) ((s)->data[AKIN_RANK_INDEX_LISTS + AKIN_LISTS_##part])

static akin_rank_index_head *head_of(saved *s)
{
    return s->data[AKIN_RANK_INDEX_HEAD];
}

static akin_lists_head *lists_head_of(saved *s)
{
    return LISTS(s, HEAD);
}

static akin_list *lists_of(saved *s)
{
    return LISTS(s, LISTS);
}

/* A list, as the words have them, with that many entries, or more. */
static akin_list *list_with(saved *s, uint32_t entries)
{
    for (uint32_t i = 0; i < lists_head_of(s)->lists; i++)
        if (lists_of(s)[i].count >= entries)
            return &lists_of(s)[i];
    fail_msg("no list has %u entries", entries);
    return NULL;
}

/* The first of the two lists of a word. */
static akin_list *lists_of_word(saved *s, const char *word)
{
    akin_rank_index *index = NULL;
    uint32_t list;
    assert_int_equal(akin_rank_index_open(&context, scratch_path("good.akin"), &index, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_find(index, word, (uint32_t)strlen(word), &list, NULL), AKIN_OK);
    assert_int_not_equal(list, AKIN_RANK_INDEX_NONE);
    akin_rank_index_free(index);
    return &lists_of(s)[list];
}

static akin_block *blocks_of(saved *s, const akin_list *list)
{
    return (akin_block *)LISTS(s, BLOCKS) + list->block;
}

static uint64_t *words_of(saved *s, const akin_list *list)
{
    return (uint64_t *)LISTS(s, WORDS) + list->words;
}

static void longer(saved *s, uint32_t section, int64_t bytes)
{
    saved_resize(s, section, (uint64_t)((int64_t)s->lengths[section] + bytes));
}

/* --------------------------------------------------------------------- what lists_take.c and lists_check.c refuse */

#define LENGTH(part, bytes)                                                                                            \
    static void length_of_##part(saved *s)                                                                             \
    {                                                                                                                  \
        longer(s, AKIN_RANK_INDEX_LISTS + AKIN_LISTS_##part, bytes);                                                   \
    }
LENGTH(HEAD, -4)
LENGTH(LISTS, sizeof(akin_list))
LENGTH(BLOCKS, -(int)sizeof(akin_block))
LENGTH(WORDS, 1)
LENGTH(NUMBERS, 4)
LENGTH(CLASSES, -4)
LENGTH(FIRSTS, 8)
LENGTH(FACTORS, -1)

static void first_class_begins_late(saved *s)
{
    ((uint32_t *)LISTS(s, CLASSES))[0] = 1;
}

static void last_class_ends_early(saved *s)
{
    ((uint32_t *)LISTS(s, CLASSES))[lists_head_of(s)->classes]--;
}

static void a_factor_of_no_class(saved *s)
{
    longer(s, AKIN_RANK_INDEX_LISTS + AKIN_LISTS_FACTORS, sizeof(double));
}

static void class_without_documents(saved *s)
{
    ((uint32_t *)LISTS(s, CLASSES))[1] = 0;
}

static void factors_that_fall(saved *s)
{
    uint64_t *firsts = LISTS(s, FIRSTS);
    firsts[1] = firsts[2] + 1;
}

static void factor_below_zero(saved *s)
{
    ((double *)LISTS(s, FACTORS))[0] = -1;
}

static void factor_too_large(saved *s)
{
    ((double *)LISTS(s, FACTORS))[0] = 2 * AKIN_LISTS_LARGEST;
}

static void factor_not_a_number(saved *s)
{
    ((double *)LISTS(s, FACTORS))[0] = NAN;
}

static void number_twice(saved *s)
{
    uint32_t *numbers = LISTS(s, NUMBERS);
    numbers[0] = numbers[1];
}

static void number_too_large(saved *s)
{
    ((uint32_t *)LISTS(s, NUMBERS))[0] = lists_head_of(s)->documents;
}

static void first_list_begins_late(saved *s)
{
    lists_of(s)[0].words = 1;
}

static void blocks_without_lists(saved *s)
{
    lists_head_of(s)->entries = lists_head_of(s)->lists = 0;
    saved_resize(s, AKIN_RANK_INDEX_LISTS + AKIN_LISTS_LISTS, 0);
}

static void entry_too_many(saved *s)
{
    lists_head_of(s)->entries++;
}

static void scale_too_large(saved *s)
{
    list_with(s, 1)->scale = -2 * AKIN_LISTS_LARGEST;
}

static void list_too_long(saved *s)
{
    akin_list *list = list_with(s, 1);
    uint32_t more = lists_head_of(s)->documents + 1 - list->count;
    list->count += more;
    lists_head_of(s)->entries += more;
}

static void blocks_with_a_gap(saved *s)
{
    lists_of(s)[1].block++;
}

static void words_with_a_gap(saved *s)
{
    lists_of(s)[1].words++;
}

static void last_beyond_all(saved *s)
{
    blocks_of(s, list_with(s, AKIN_BLOCK + 1))[0].last = lists_head_of(s)->documents;
}

static void last_before_block(saved *s)
{
    blocks_of(s, list_with(s, AKIN_BLOCK + 1))[1].last = 0;
}

static void entries_of_block(saved *s)
{
    blocks_of(s, list_with(s, AKIN_BLOCK + 1))->entries_less_1--;
}

static void lower_of_32_bits(saved *s)
{
    blocks_of(s, list_with(s, 2))->low = 32;
}

static void counts_of_33_bits(saved *s)
{
    blocks_of(s, list_with(s, 1))->counts = 33;
}

static void reserved_of_block(saved *s)
{
    blocks_of(s, list_with(s, 1))->reserved = 1;
}

static void words_of_block(saved *s)
{
    blocks_of(s, list_with(s, AKIN_BLOCK + 1))[1].words++;
}

static void bound_of_rest(saved *s)
{
    blocks_of(s, list_with(s, 1))->rest *= 2;
}

static void counts_beyond_section(saved *s)
{
    akin_list *list = lists_of(s) + lists_head_of(s)->lists - 1;
    while (list->count < 2)
        list--;
    blocks_of(s, list)[akin_list_blocks(list) - 1].counts = 32;
}

static void document_too_many(saved *s)
{
    uint64_t *upper = words_of(s, list_with(s, AKIN_BLOCK));
    *upper |= ~*upper & (*upper + 1); /* its first zero */
}

static void document_too_few(saved *s)
{
    uint64_t *upper = words_of(s, list_with(s, AKIN_BLOCK));
    *upper &= *upper - 1;
}

/* Two documents. The second lies as far behind the last one as 32 bits reach, so that decoding wraps, and finds it. */
static void one_behind_upper_halves(saved *s)
{
    akin_list *list = lists_of_word(s, "two");
    akin_block *block = blocks_of(s, list);
    uint64_t *words = words_of(s, list);
    assert_int_equal(list->count, 2);
    assert_int_equal(akin_block_words(block, 0), 2);
    block->low = 31;
    words[0] = UINT64_C(1) << 62;
    words[1] = block->last - 1;
}

/* With all lower halves zero, documents that are near each other are the same. */
static void documents_the_same(saved *s)
{
    akin_list *list = lists_of_word(s, "near");
    const akin_block *block = blocks_of(s, list);
    const uint64_t lower = akin_ceil_div(akin_block_upper(block, 0), 64);
    assert_true(block->low > 0 && block->entries_less_1 > 1);
    memset(words_of(s, list) + lower, 0,
           akin_ceil_div((uint64_t)block->entries_less_1 * block->low, 64) * sizeof(uint64_t));
}

static void class_without_factors(saved *s)
{
    uint64_t *firsts = LISTS(s, FIRSTS);
    const uint32_t classes = lists_head_of(s)->classes;
    firsts[classes - 1] = firsts[classes];
}

static void factor_beyond_bound(saved *s)
{
    ((double *)LISTS(s, FACTORS))[0] = 1e9;
}

/* ---------------------------------------------------------- what rank_index_file.c and rank_index_check.c refuse */

static void numbers_too_many(saved *s)
{
    longer(s, AKIN_RANK_INDEX_HEAD, 8);
}

static void no_such_formula(saved *s)
{
    head_of(s)->formula = 99;
}

static void shared_twice(saved *s)
{
    head_of(s)->shared = 2;
}

static void reserved_of_head(saved *s)
{
    head_of(s)->reserved = 1;
}

static void delta_below_zero(saved *s)
{
    head_of(s)->delta = -1;
}

static void lists_of_unknown_words(saved *s)
{
    head_of(s)->shared = 1;
}

static void term_too_many(saved *s)
{
    head_of(s)->terms++;
}

static void two_scales(saved *s)
{
    lists_of_word(s, "twice")[1].scale *= 2;
}

/* A word that its one document has twice is listed as if it were there once. */
static void in_the_wrong_list(saved *s)
{
    akin_list *lists = lists_of_word(s, "twice");
    assert_true(lists[0].count == 0 && lists[1].count == 1);
    lists[1].words += akin_block_words(blocks_of(s, &lists[1]), 0);
    lists[1].block++;
    lists[0].count = 1;
    lists[1].count = 0;
}

/* The other way round: a count of 1 where all are larger. */
static void count_of_one(saved *s)
{
    akin_list *lists = lists_of_word(s, "twice");
    assert_int_equal(akin_block_words(blocks_of(s, &lists[1]), 0), 1);
    *words_of(s, &lists[1]) = 0;
}

/* The one document that has it twice becomes the one that has it once. */
static void document_twice(saved *s)
{
    akin_list *lists = lists_of_word(s, "both");
    assert_true(lists[0].count == 1 && lists[1].count == 1);
    blocks_of(s, &lists[0])->last = blocks_of(s, &lists[1])->last;
}

static void names_without_offsets(saved *s)
{
    saved_resize(s, AKIN_RANK_INDEX_NAME_OFFSETS, 0);
}

static void name_too_many(saved *s)
{
    longer(s, AKIN_RANK_INDEX_NAME_OFFSETS, 8);
}

static void names_begin_late(saved *s)
{
    ((uint64_t *)s->data[AKIN_RANK_INDEX_NAME_OFFSETS])[0] = 1;
}

static void names_end_early(saved *s)
{
    longer(s, AKIN_RANK_INDEX_NAMES, 1);
}

static void names_that_fall(saved *s)
{
    uint64_t *offsets = s->data[AKIN_RANK_INDEX_NAME_OFFSETS];
    offsets[1] = offsets[2] + 1;
}

static const struct {
    void (*change)(saved *s);
    const char *why;
} cases[] = {
    {length_of_HEAD, "its sections are not as long as they must be"},
    {length_of_LISTS, "its sections are not as long as they must be"},
    {length_of_BLOCKS, "its sections are not as long as they must be"},
    {length_of_WORDS, "its sections are not as long as they must be"},
    {length_of_NUMBERS, "its sections are not as long as they must be"},
    {length_of_CLASSES, "its sections are not as long as they must be"},
    {length_of_FIRSTS, "its sections are not as long as they must be"},
    {length_of_FACTORS, "its sections are not as long as they must be"},
    {first_class_begins_late, "its classes are not those of its documents"},
    {last_class_ends_early, "its classes are not those of its documents"},
    {a_factor_of_no_class, "its classes are not those of its documents"},
    {class_without_documents, "its classes are not in order"},
    {factors_that_fall, "its classes are not in order"},
    {factor_below_zero, "a factor is none"},
    {factor_too_large, "a factor is none"},
    {factor_not_a_number, "a factor is none"},
    {number_twice, "two documents have one number"},
    {number_too_large, "two documents have one number"},
    {first_list_begins_late, "its first list does not begin at the beginning"},
    {blocks_without_lists, "it has blocks of no list"},
    {entry_too_many, "its entries are not as many as its head says"},
    {scale_too_large, "a list is not what it must be"},
    {list_too_long, "a list is not what it must be"},
    {blocks_with_a_gap, "lists do not follow one another"},
    {words_with_a_gap, "lists do not follow one another"},
    {last_beyond_all, "the blocks of a list are not in order"},
    {last_before_block, "the blocks of a list are not in order"},
    {entries_of_block, "a block is not what it must be"},
    {lower_of_32_bits, "a block is not what it must be"},
    {counts_of_33_bits, "a block is not what it must be"},
    {reserved_of_block, "a block is not what it must be"},
    {words_of_block, "a block is not what it must be"},
    {bound_of_rest, "a bound is not that of the blocks behind it"},
    {counts_beyond_section, "a block is not what it must be"},
    {document_too_many, "a block has more documents, or fewer, than it says"},
    {document_too_few, "a block has more documents, or fewer, than it says"},
    {one_behind_upper_halves, "a block has a document behind its last one"},
    {documents_the_same, "the documents of a list are not in order"},
    {class_without_factors, "a document has no factor for a count"},
    {factor_beyond_bound, "a factor is beyond its bound"},
    {numbers_too_many, "its numbers are not as many as they must be"},
    {no_such_formula, "its numbers are not what they must be"},
    {shared_twice, "its numbers are not what they must be"},
    {reserved_of_head, "its numbers are not what they must be"},
    {delta_below_zero, "its numbers are not what they must be"},
    {lists_of_unknown_words, "its lists are not as many as its words"},
    {term_too_many, "its terms are not as many as it says"},
    {two_scales, "a term has two scales"},
    {in_the_wrong_list, "a document is in the wrong list of a term"},
    {count_of_one, "a document is in the wrong list of a term"},
    {document_twice, "a term has a document twice"},
    {names_without_offsets, "it has names of no documents"},
    {name_too_many, "its names are not those of its documents"},
    {names_begin_late, "its names are not those of its documents"},
    {names_end_early, "its names are not those of its documents"},
    {names_that_fall, "its names are not in order"},
};

/* 400 documents of 3 words each, and all have the first of these words, and one of 4. */
static void save_good(const char *path)
{
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_weights *weights = NULL;
    akin_rank_index *index = NULL;
    builder texts = {0}, names = {0};
    for (uint32_t i = 0; i < 400; i++) {
        const char *second = i == 3 || i == 9 ? "two" : i % 16 < 4 ? "near" : "far", *third = "last";
        char name[8];
        if (i == 17 || i == 18)
            second = "both";
        if (i == 18)
            third = "both";
        if (i == 19)
            second = third = "twice";
        char line[64];
        int length = snprintf(line, sizeof line, "all %s %s", second, third);
        builder_add(&texts, line, (size_t)length);
        length = snprintf(name, sizeof name, "d%u", i);
        builder_add(&names, name, (size_t)length);
    }
    builder_add(&texts, "all far more last", 17);
    builder_add(&names, "d", 1);
    akin_column text = builder_column(&texts, "text"), name = builder_column(&names, "name");
    options.order = AKIN_WEIGHTS_BY_TERM;
    assert_int_equal(akin_weigh(&context, &text, 1, texts.rows, &options, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_create(&context, weights, &name, &index, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_save(&context, index, path, NULL), AKIN_OK);
    akin_rank_index_free(index);
    akin_weights_free(weights);
    builder_clear(&texts);
    builder_clear(&names);
}

/* Refused when all is checked: because that is wanted, or as the file is of version 1. */
static void try_altered(size_t at, uint32_t version)
{
    saved s = saved_read(&context, scratch_path("good.akin"), "index", AKIN_RANK_INDEX_SECTIONS);
    const char *path = scratch_path("altered.akin");
    char expected[PATH_BYTES + 200];
    akin_rank_index *index = NULL;
    akin_error error = {.message = "opened"};
    cases[at].change(&s);
    s.version = version;
    saved_write(&context, &s, path);
    snprintf(expected, sizeof expected, "%s: no index: %s", path, cases[at].why);
    context.verify = version > 1;
    akin_status status = akin_rank_index_open(&context, path, &index, &error);
    context.verify = 0;
    assert_string_equal(error.message, expected);
    assert_int_equal(status, AKIN_E_INPUT);
    assert_null(index);
}

static void test_altered(void **state)
{
    (void)state;
    save_good(scratch_path("good.akin"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t version = 1; version <= 2; version++)
            try_altered(i, version);
}

static int count_ranked(void *user, const akin_ranking_hit *hits, size_t count)
{
    (void)hits;
    *(uint64_t *)user += count;
    return 0;
}

/* Opens an index, and ranks by it, until there are bits of frequent terms. What it refuses then is of the query alone,
 * or of what was damaged. */
static akin_status use_index(akin_context *own, const char *path, akin_error *error)
{
    static const char *const texts[] = {"all far both", "near last twice more"};
    enum { TIMES = 70 };
    akin_rank_index *index = NULL;
    uint64_t found = 0;
    akin_status status = akin_rank_index_open(own, path, &index, error);
    if (status != AKIN_OK)
        return status;
    builder b = builder_of(texts, 2);
    const akin_column column = builder_column(&b, "text");
    for (int i = 0; i < TIMES && status == AKIN_OK; i++, found = 0) {
        status = akin_rank(own, index, &column, 1, 2, NULL, count_ranked, &found, NULL);
        assert_true(status == AKIN_OK || status == AKIN_E_INPUT);
        assert_true(found <= 20);
    }
    akin_rank_index_free(index);
    builder_clear(&b);
    return AKIN_OK;
}

static void test_changed(void **state)
{
    (void)state;
    save_good(scratch_path("good.akin"));
    saved_change(&context, scratch_path("good.akin"), "index", AKIN_RANK_INDEX_SECTIONS, use_index);
    context.verify = 1;
    saved_change(&context, scratch_path("good.akin"), "index", AKIN_RANK_INDEX_SECTIONS, use_index);
    context.verify = 0;
}

/* --------------------------------------------------------------------------------------------------------- versions */

/* What is ranked, and how the documents are called, as text. */
typedef struct answer {
    const akin_rank_index *index;
    char text[4096];
    size_t length;
} answer;

static int write_answer(void *user, const akin_ranking_hit *hits, size_t count)
{
    answer *a = user;
    for (size_t i = 0; i < count; i++) {
        const char *name = "";
        size_t length = 0;
        assert_true(akin_rank_index_name(a->index, hits[i].document, &name, &length));
        a->length += (size_t)snprintf(a->text + a->length, sizeof a->text - a->length, "%u %u %.*s %a\n", hits[i].query,
                                      hits[i].document, (int)length, name, hits[i].score);
        assert_true(a->length < sizeof a->text);
    }
    return 0;
}

/* What an open index answers to the first `count` of these queries, the last of which has all its other words. */
static akin_status ask_some(const akin_rank_index *index, uint32_t count, answer *a)
{
    static const char *const texts[] = {"none", "all far both", "near last twice more two"};
    builder b = builder_of(texts, 3);
    const akin_column column = builder_column(&b, "text");
    *a = (answer){.index = index};
    akin_status status = akin_rank(&context, index, &column, 1, count, NULL, write_answer, a, NULL);
    builder_clear(&b);
    return status;
}

static akin_status ask(const akin_rank_index *index, answer *a)
{
    return ask_some(index, 3, a);
}

static void ask_file(const char *path, answer *a)
{
    akin_rank_index *index = NULL;
    assert_int_equal(akin_rank_index_open(&context, path, &index, NULL), AKIN_OK);
    assert_int_equal(ask(index, a), AKIN_OK);
    akin_rank_index_free(index);
}

/* A file of version 1 gives the same answers, and is saved as one of version 2. */
static void test_version_1(void **state)
{
    (void)state;
    akin_rank_index *index = NULL;
    answer good, old;
    size_t lengths[2];
    save_good(scratch_path("good.akin"));
    ask_file(scratch_path("good.akin"), &good);
    saved s = saved_read(&context, scratch_path("good.akin"), "index", AKIN_RANK_INDEX_SECTIONS);
    assert_int_equal(s.version, 2);
    s.version = 1;
    saved_write(&context, &s, scratch_path("old.akin"));
    for (int unmapped = 0; unmapped < 2; unmapped++) {
        context.unmapped = unmapped;
        ask_file(scratch_path("old.akin"), &old);
        assert_string_equal(old.text, good.text);
    }
    context.unmapped = 0;
    assert_int_equal(akin_rank_index_open(&context, scratch_path("old.akin"), &index, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_save(&context, index, scratch_path("again.akin"), NULL), AKIN_OK);
    akin_rank_index_free(index);
    char *first = scratch_read(scratch_path("good.akin"), &lengths[0]);
    char *again = scratch_read(scratch_path("again.akin"), &lengths[1]);
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(first, again, lengths[0]);
    free(first);
    free(again);
}

/* Each byte of a file that is changed is found out when all is checked. Else, mapped or read, the file is refused, or a
 * query is, or answers are the same. */
static void test_flipped(void **state)
{
    (void)state;
    answer good, other;
    size_t length;
    uint64_t late = 0;
    save_good(scratch_path("good.akin"));
    ask_file(scratch_path("good.akin"), &good);
    assert_true(good.length > 100);
    char *image = scratch_read(scratch_path("good.akin"), &length);
    for (size_t i = 0; i < length; i++) {
        akin_rank_index *index = NULL;
        akin_error error = {.message = ""};
        image[i] = (char)(image[i] ^ (1 << i % 8));
        context.unmapped = (int)(i % 2);
        scratch_write("flipped.akin", image, length);
        image[i] = (char)(image[i] ^ (1 << i % 8));
        context.verify = 1;
        assert_int_equal(akin_rank_index_open(&context, scratch_path("flipped.akin"), &index, &error), AKIN_E_INPUT);
        context.verify = 0;
        akin_status status = akin_rank_index_open(&context, scratch_path("flipped.akin"), &index, &error);
        const int is_open = status == AKIN_OK;
        if (is_open)
            status = ask(index, &other);
        assert_true(status == AKIN_OK || status == AKIN_E_INPUT);
        late += is_open && status == AKIN_E_INPUT;
        if (status == AKIN_OK)
            assert_string_equal(other.text, good.text);
        akin_rank_index_free(index);
    }
    context.unmapped = 0;
    free(image);
    assert_true(late > 0);
}

/* Blocks that no query reads may be damaged, until all are wanted. */
static void test_late(void **state)
{
    (void)state;
    akin_rank_index *index = NULL;
    akin_error error = {.message = ""};
    answer some;
    size_t length;
    save_good(scratch_path("good.akin"));
    char *image = scratch_read(scratch_path("good.akin"), &length);
    uint64_t at;
    memcpy(&at, image + 32 + 24 * (AKIN_RANK_INDEX_LISTS + AKIN_LISTS_WORDS), sizeof at);
    image[at] ^= 1;
    scratch_write("late.akin", image, length);
    assert_int_equal(akin_rank_index_open(&context, scratch_path("late.akin"), &index, NULL), AKIN_OK);
    assert_int_equal(ask_some(index, 1, &some), AKIN_OK);
    assert_int_equal(ask(index, &some), AKIN_E_INPUT);
    assert_int_equal(akin_rank_index_check(akin_scope_of(&context), index, &error), AKIN_E_INPUT);
    assert_int_equal(error.reason, AKIN_REASON_DAMAGED);
    assert_non_null(strstr(error.message, "late.akin: byte "));
    assert_int_equal(akin_rank_index_save(&context, index, scratch_path("copy.akin"), NULL), AKIN_E_INPUT);
    akin_rank_index_free(index);
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_altered), cmocka_unit_test(test_changed), cmocka_unit_test(test_version_1),
        cmocka_unit_test(test_flipped), cmocka_unit_test(test_late),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
