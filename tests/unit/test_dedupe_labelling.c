/* Questions and answers, with the persons of made-up records as the one who answers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/context.h"
#include "dedupe/labelling.h"
#include "unit/test_dedupe_learn.h"
#include "unit/test_sanitizers.h"

static people one, two;

/* How many pairs a job finds, and how many of them are right. */
typedef struct answer {
    const people *right; /* NULL: there is one table */
    uint64_t found, both;
    const akin_labelled_pair *looked_for; /* NULL: none */
    int is_there;
} answer;

static int is_same(const people *right, uint32_t a, uint32_t b)
{
    return one.of[a] == (right ? right : &one)->of[b];
}

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    answer *a = user;
    (void)each;
    for (size_t i = 0; i < count; i++) {
        a->found++;
        a->both += is_same(a->right, pairs[i].left, pairs[i].right) != 0;
        a->is_there |= a->looked_for && pairs[i].left == a->looked_for->left && pairs[i].right == a->looked_for->right;
    }
    return 0;
}

static void find(uint32_t threads, const people *right, const question *q, akin_labelling *labelling,
                 akin_dedupe_model **model, answer *out)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    akin_dedupe_options options = q->options;
    akin_error error = {.message = ""};
    *out = (answer){.right = right, .looked_for = out->looked_for};
    options.titles = &people_titles;
    options.labelling = labelling;
    options.learnt_model = model;
    const akin_status status = akin_dedupe(&context, one.columns, one.rows, right ? right->columns : NULL,
                                           right ? right->rows : 0, FIELDS, &options, take, out, NULL, NULL, &error);
    assert_string_equal(status == AKIN_OK ? "" : error.message, "");
}

static akin_labelling *create(void)
{
    akin_labelling *made;
    assert_int_equal(akin_labelling_create(&made, NULL), AKIN_OK);
    return made;
}

/* The next question; 0: there is none. */
static int next(akin_labelling *labelling, akin_scored_pair *pair)
{
    int is_there;
    akin_error error = {.message = ""};
    assert_int_equal(akin_labelling_next(labelling, pair, &is_there, &error), AKIN_OK);
    return is_there;
}

static void expect_new(const akin_labelling *labelling, const akin_scored_pair *pair)
{
    for (uint64_t i = 0; i < akin_labelling_count(labelling); i++) {
        const akin_labelled_pair at = akin_labelling_at(labelling, i);
        assert_true(at.left != pair->left || at.right != pair->right);
    }
}

/* Answers so many questions. */
static void answer_all(akin_labelling *labelling, const people *right, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        akin_scored_pair pair;
        assert_true(next(labelling, &pair));
        expect_new(labelling, &pair);
        assert_true(pair.similarity >= 0 && pair.similarity <= 1);
        const akin_answer said = is_same(right, pair.left, pair.right) ? AKIN_ANSWER_YES : AKIN_ANSWER_NO;
        assert_int_equal(akin_labelling_answer(labelling, pair.left, pair.right, said, NULL), AKIN_OK);
    }
}

static uint64_t count_matches(const people *right)
{
    uint64_t count = 0;
    for (uint32_t a = 0; a < one.rows; a++)
        for (uint32_t b = right ? 0 : a + 1; b < (right ? right : &one)->rows; b++)
            count += is_same(right, a, b) != 0;
    return count;
}

static double f1_of(const answer *a)
{
    return 2 * (double)a->both / (double)(a->found + count_matches(a->right));
}

/* ---------------------------------------------------------------------------------------------------------- answers */

static void answers_help(void **state)
{
    question q;
    (void)state;
    for (int tables = 1; tables <= 2; tables++) {
        const people *right = tables == 2 ? &two : NULL;
        answer without = {0}, with = {0};
        akin_labelling *labelling = create();
        make_people(&one, 11, tables == 2 ? 300 : 150, tables == 2 ? 1 : 2, tables == 2 ? 1 : 4);
        make_people(&two, 11, 300, 1, 1);
        find(2, right, ask(&q), labelling, NULL, &without);
        answer_all(labelling, right, 60);
        find(2, right, &q, labelling, NULL, &with);
        assert_true(f1_of(&with) >= f1_of(&without) - 0.002 && f1_of(&with) > 0.95);
        akin_labelling_free(labelling);
    }
}

/* An answer decides about its pair, whatever its values say. */
static void answers_decide(void **state)
{
    question q;
    (void)state;
    make_people(&one, 12, 150, 2, 3);
    for (int yes = 0; yes < 2; yes++) {
        uint32_t a = 0, b = 1;
        akin_labelling *labelling = create();
        while (yes && is_same(NULL, a, b))
            b++;
        const akin_labelled_pair pair = {a, b, AKIN_ANSWER_YES, 0};
        answer found = {.looked_for = &pair};
        find(1, NULL, ask(&q), NULL, NULL, &found);
        assert_int_equal(found.is_there, !yes);
        assert_int_equal(akin_labelling_answer(labelling, b, a, yes ? AKIN_ANSWER_YES : AKIN_ANSWER_NO, NULL), AKIN_OK);
        q.selections[0] = (akin_selection){.kind = AKIN_SELECT_ALL};
        find(1, NULL, &q, labelling, NULL, &found);
        assert_int_equal(found.is_there, yes);
        akin_labelling_free(labelling);
    }
}

static void unsure_teaches_nothing(void **state)
{
    question q;
    akin_dedupe_model *plain = NULL, *unsure = NULL;
    akin_labelling *labelling = create();
    answer found = {0};
    (void)state;
    make_people(&one, 13, 150, 2, 3);
    find(1, NULL, ask(&q), NULL, &plain, &found);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(akin_labelling_answer(labelling, i, i + 1, AKIN_ANSWER_UNSURE, NULL), AKIN_OK);
    find(1, NULL, &q, labelling, &unsure, &found);
    assert_string_equal(akin_dedupe_model_text(plain), akin_dedupe_model_text(unsure));
    akin_dedupe_model_free(plain);
    akin_dedupe_model_free(unsure);
    akin_labelling_free(labelling);
}

/* -------------------------------------------------------------------------------------------------------- questions */

static void questions_depend_on_answers_alone(void **state)
{
    question q;
    answer found = {0};
    akin_labelling *const labellings[] = {create(), create()};
    akin_dedupe_model *models[2] = {NULL, NULL};
    (void)state;
    make_people(&one, 14, 200, 1, 3);
    ask(&q);
    for (int i = 0; i < 2; i++) {
        find(i ? 4 : 1, NULL, &q, labellings[i], NULL, &found);
        answer_all(labellings[i], NULL, 20);
        find(i ? 1 : 4, NULL, &q, labellings[i], NULL, &found);
        answer_all(labellings[i], NULL, 5);
        find(i ? 4 : 1, NULL, &q, labellings[i], &models[i], &found);
    }
    for (uint64_t i = 0; i < 25; i++) {
        const akin_labelled_pair a = akin_labelling_at(labellings[0], i), b = akin_labelling_at(labellings[1], i);
        assert_true(a.left == b.left && a.right == b.right && a.answer == b.answer);
    }
    assert_string_equal(akin_dedupe_model_text(models[0]), akin_dedupe_model_text(models[1]));
    for (int i = 0; i < 2; i++) {
        akin_dedupe_model_free(models[i]);
        akin_labelling_free(labellings[i]);
    }
}

static void what_is_taken_back_is_asked_again(void **state)
{
    question q;
    answer found = {0};
    akin_labelled_pair last;
    akin_scored_pair pair, again;
    akin_labelling *labelling = create();
    (void)state;
    make_people(&one, 15, 100, 1, 3);
    assert_false(akin_labelling_undo(labelling, NULL));
    find(1, NULL, ask(&q), labelling, NULL, &found);
    answer_all(labelling, NULL, 9);
    assert_true(next(labelling, &pair));
    assert_int_equal(akin_labelling_answer(labelling, pair.left, pair.right, AKIN_ANSWER_UNSURE, NULL), AKIN_OK);
    assert_int_equal(akin_labelling_answer(labelling, pair.right, pair.left, AKIN_ANSWER_NO, NULL), AKIN_OK);
    assert_int_equal(akin_labelling_count(labelling), 10);
    assert_true(akin_labelling_undo(labelling, &last));
    assert_true(last.left == pair.left && last.right == pair.right && last.answer == AKIN_ANSWER_NO);
    assert_true(next(labelling, &again));
    assert_memory_equal(&again, &pair, sizeof pair);
    akin_labelling_free(labelling);
}

/* Of few records each pair is asked about once. */
static void questions_come_to_an_end(void **state)
{
    question q;
    answer found = {0};
    akin_scored_pair pair;
    akin_labelling *labelling = create();
    uint32_t asked = 0;
    (void)state;
    make_people(&one, 16, 6, 2, 2);
    find(1, NULL, ask_of_all(&q), labelling, NULL, &found);
    for (; next(labelling, &pair); asked++)
        assert_int_equal(akin_labelling_answer(labelling, pair.left, pair.right, AKIN_ANSWER_UNSURE, NULL), AKIN_OK);
    assert_int_equal(asked, one.rows * (one.rows - 1) / 2);
    akin_labelling_free(labelling);
}

/* Two records that are partners have no others, if a record has one. */
static void partners_have_no_others(void **state)
{
    question q;
    answer found = {.right = &two};
    akin_scored_pair pair;
    akin_labelling *labelling = create();
    (void)state;
    make_people(&one, 17, 40, 1, 1);
    make_people(&two, 17, 40, 1, 1);
    ask_of_all(&q)->options.one_to_one = 1;
    find(1, &two, &q, labelling, NULL, &found);
    while (next(labelling, &pair)) {
        for (uint64_t i = 0; i < akin_labelling_count(labelling); i++) {
            const akin_labelled_pair at = akin_labelling_at(labelling, i);
            assert_true(at.answer != AKIN_ANSWER_YES || (at.left != pair.left && at.right != pair.right));
        }
        answer_all(labelling, &two, 1);
    }
    akin_labelling_free(labelling);
}

/* ----------------------------------------------------------------------------------------------------------- rivals */

/* Answers such as "01Y": records 0 and 1, yes, and likely; "01y": not likely. */
static akin_rivals judge(uint32_t tables, const char *text)
{
    akin_labelled_pair answers[9];
    uint64_t places[9], count = 0;
    double odds[9];
    for (const char *at = text; *at; at += at[3] ? 4 : 3, count++) {
        const akin_answer said = strchr("Yy", at[2])   ? AKIN_ANSWER_YES
                                 : strchr("Nn", at[2]) ? AKIN_ANSWER_NO
                                                       : AKIN_ANSWER_UNSURE;
        answers[count] = (akin_labelled_pair){(uint32_t)(at[0] - '0'), (uint32_t)(at[1] - '0'), said, 0};
        places[count] = count;
        odds[count] = at[2] < 'a' ? 1 : -1;
    }
    const akin_labelling labelling = {
        .answers = answers, .count = count, .pool = {.tables = tables, .count = sizeof odds / sizeof *odds}};
    akin_labelling_index index;
    assert_int_equal(akin_labelling_index_make(&labelling, NULL, &index, NULL), AKIN_OK);
    const akin_rivals shown = akin_labelling_judge_rivals(&index, places, odds);
    akin_labelling_index_clear(&index);
    return shown;
}

static void rivals_show_partners(void **state)
{
    (void)state;
    assert_int_equal(judge(1, "01Y 02Y 03Y 04Y"), AKIN_RIVALS_SHOW_NOTHING); /* one record has several */
    assert_int_equal(judge(1, "01Y 02Y 03Y 45Y 56Y"), AKIN_RIVALS_SHOW_MANY);
    assert_int_equal(judge(1, "01Y 02Y 45Y 56Y"), AKIN_RIVALS_SHOW_NOTHING);
    assert_int_equal(judge(2, "01Y 02Y 03Y 45Y 56Y"), AKIN_RIVALS_SHOW_NOTHING); /* row 5 is another one on the right */
    assert_int_equal(judge(2, "01Y 02Y 03Y 45Y 65Y"), AKIN_RIVALS_SHOW_MANY);
    assert_int_equal(judge(1, "01Y 02Y 03Y 45Y 56y"), AKIN_RIVALS_SHOW_NOTHING);
    assert_int_equal(judge(1, "01Y 02Y 03Y 45Y 56U"), AKIN_RIVALS_SHOW_NOTHING);
    assert_int_equal(judge(1, "01Y 07N 02Y 03Y 45Y 56Y"), AKIN_RIVALS_SHOW_NOTHING); /* 3 to 1 */
    assert_int_equal(judge(1, "01Y 07N 02Y 03Y 04Y 56Y 67Y"), AKIN_RIVALS_SHOW_MANY);
    assert_int_equal(judge(1, "01Y 02Y 03Y 45Y 56Y 07N 17N 27N 37N"), AKIN_RIVALS_SHOW_MANY);
    assert_int_equal(judge(1, "01Y 07N 08N 17N"), AKIN_RIVALS_SHOW_NOTHING);
    assert_int_equal(judge(1, "07N 08N 17N 18N 01Y"), AKIN_RIVALS_SHOW_ONE);
    assert_int_equal(judge(1, "07n 08N 17N 18N 01Y"), AKIN_RIVALS_SHOW_NOTHING);
    assert_int_equal(judge(1, "45N 46N 75N 76N 01Y"), AKIN_RIVALS_SHOW_NOTHING); /* no rivals */
}

/* What the model says of partners. */
static int are_many(const people *right, const question *q, akin_labelling *labelling, answer *out)
{
    akin_dedupe_model *model = NULL;
    find(2, right, q, labelling, &model, out);
    const int many = strstr(akin_dedupe_model_text(model), "\"partners\": \"many\"") != NULL;
    akin_dedupe_model_free(model);
    return many;
}

/* Few persons have a second record on the right, so the model thinks that a record has one partner. */
static void answers_show_many_partners(void **state)
{
    question q;
    answer without = {.right = &two}, with = {.right = &two};
    akin_labelling *labelling = create();
    (void)state;
    make_people(&one, 21, 200, 1, 1);
    make_people(&two, 21, 200, 1, 1);
    for (uint32_t r = 0; r < 200; r += 12) {
        memcpy(two.texts[two.rows], one.texts[r], sizeof two.texts[0]);
        two.of[two.rows++] = two.of[r];
    }
    finish_people(&two);
    assert_false(are_many(&two, ask(&q), NULL, &without));
    find(1, &two, &q, labelling, NULL, &with);
    answer_all(labelling, &two, 60);
    assert_true(are_many(&two, &q, labelling, &with));
    assert_true(f1_of(&with) > 0.98 && f1_of(&with) > f1_of(&without) + 0.02);
    q.options.one_to_one = 1;
    assert_false(are_many(&two, &q, labelling, &with));
    akin_labelling_free(labelling);
}

/* Some persons have a sibling on the right, who is alike. */
static void answers_show_one_partner(void **state)
{
    question q;
    answer found = {.right = &two};
    akin_labelling *labelling = create();
    uint64_t rivals = 0;
    (void)state;
    make_people(&one, 22, 200, 1, 1);
    make_people(&two, 22, 200, 1, 1);
    for (uint32_t r = 0; r < 200; r += 11) {
        memcpy(two.texts[two.rows], two.texts[r], sizeof two.texts[0]);
        spell(two.texts[two.rows][0], 5 * r + 3, 5);
        two.of[two.rows++] = 1000 + r;
    }
    finish_people(&two);
    assert_false(are_many(&two, ask(&q), labelling, &found));
    answer_all(labelling, &two, 60);
    for (uint64_t i = 0; i < akin_labelling_count(labelling); i++)
        for (uint64_t k = 0; k < akin_labelling_count(labelling); k++)
            rivals += akin_labelling_at(labelling, i).answer == AKIN_ANSWER_YES &&
                      akin_labelling_at(labelling, k).answer == AKIN_ANSWER_NO &&
                      akin_labelling_at(labelling, k).left == akin_labelling_at(labelling, i).left;
    assert_true(rivals >= 3);
    assert_false(are_many(&two, &q, labelling, &found));
    assert_true(f1_of(&found) > 0.95);
    akin_labelling_free(labelling);
}

/* A record has one partner, but for what a person says, unless the caller says so. */
static void both_answers_count(void **state)
{
    question q;
    (void)state;
    make_people(&one, 23, 200, 1, 1);
    make_people(&two, 23, 200, 1, 1);
    memcpy(two.texts[1], two.texts[0], sizeof two.texts[0]);
    finish_people(&two);
    ask_of_all(&q);
    for (uint32_t second = 0; second < 2; second++) {
        const akin_labelled_pair pair = {0, second, AKIN_ANSWER_YES, 0};
        answer found = {.looked_for = &pair};
        akin_labelling *labelling = create();
        assert_int_equal(akin_labelling_answer(labelling, 0, 0, AKIN_ANSWER_YES, NULL), AKIN_OK);
        assert_int_equal(akin_labelling_answer(labelling, 0, 1, AKIN_ANSWER_YES, NULL), AKIN_OK);
        q.options.one_to_one = 0;
        find(1, &two, &q, labelling, NULL, &found);
        assert_true(found.is_there);
        q.options.one_to_one = 1;
        find(1, &two, &q, labelling, NULL, &found);
        assert_int_equal(found.is_there, second == 0);
        akin_labelling_free(labelling);
    }
}

/* --------------------------------------------------------------------------------------------------------- refusals */

/* Two tables of one column, where a precision is wanted: without answers the left one would be a reference table. */
static void one_column_of_two_tables(void **state)
{
    question q;
    answer a = {0};
    akin_scored_pair pair;
    akin_labelling *labelling = create();
    (void)state;
    make_people(&one, 5, 100, 1, 1);
    make_people(&two, 5, 100, 1, 1);
    ask(&q)->options.attribute_count = 1;
    q.options.precision = (akin_ratio){9, 10};
    find(1, &two, &q, labelling, NULL, &a);
    assert_true(next(labelling, &pair));
    answer_all(labelling, &two, 20);
    find(1, &two, &q, labelling, NULL, &a);
    assert_true(a.found > 0);
    akin_labelling_free(labelling);
}

static void expect_refusal(const question *q, akin_labelling *labelling, const char *message)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_dedupe_options options = q->options;
    akin_error error = {.message = ""};
    options.labelling = labelling;
    assert_int_equal(
        akin_dedupe(&context, one.columns, one.rows, NULL, 0, FIELDS, &options, NULL, NULL, NULL, NULL, &error),
        AKIN_E_OPTION);
    if (!strstr(error.message, message))
        fail_msg("'%s' is not in: %s", message, error.message);
}

static void refusals(void **state)
{
    question q;
    akin_scored_pair pair;
    akin_error error;
    int is_there;
    (void)state;
    make_people(&one, 18, 20, 1, 2);
    akin_labelling *labelling = create();
    assert_int_equal(akin_labelling_next(labelling, &pair, &is_there, &error), AKIN_E_OPTION);
    assert_int_equal(akin_labelling_answer(labelling, 0, 1, (akin_answer)9, &error), AKIN_E_OPTION);
    ask(&q)->options.weights = AKIN_WEIGHTS_GIVEN;
    q.options.threshold = (akin_ratio){8, 10};
    expect_refusal(&q, labelling, "answers teach weights");
    assert_int_equal(akin_labelling_answer(labelling, 3, 3, AKIN_ANSWER_YES, &error), AKIN_OK);
    expect_refusal(ask(&q), labelling, "one record");
    akin_labelling_undo(labelling, NULL);
    assert_int_equal(akin_labelling_answer(labelling, 3, one.rows, AKIN_ANSWER_YES, &error), AKIN_OK);
    expect_refusal(&q, labelling, "no such row");
    akin_labelling_free(labelling);
    akin_labelling_free(NULL);
}

/* ----------------------------------------------------------------------------------------------------------- tables */

/* A column of words, which end with an empty one. */
typedef struct words {
    uint64_t offsets[8];
    char bytes[100];
    akin_column column;
    uint32_t count;
} words;

static const akin_column *column_of(words *w, const char *const *list)
{
    w->count = 0;
    w->offsets[0] = 0;
    for (; list[w->count]; w->count++) {
        const size_t length = strlen(list[w->count]);
        memcpy(w->bytes + w->offsets[w->count], list[w->count], length);
        w->offsets[w->count + 1] = w->offsets[w->count] + length;
    }
    w->column = (akin_column){.size = sizeof w->column, .name = "word", .offsets = w->offsets, .bytes = w->bytes};
    return &w->column;
}

static akin_status add(akin_labelling *labelling, const akin_column *ids, const char *left, const char *right,
                       const char *said, akin_error *error)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    words w[3];
    const char *const lists[3][2] = {{left, NULL}, {right, NULL}, {said, NULL}};
    const akin_column answers[3] = {*column_of(&w[0], lists[0]), *column_of(&w[1], lists[1]),
                                    *column_of(&w[2], lists[2])};
    const akin_column *const of_sides[2] = {ids, ids};
    return akin_labelling_add(&context, labelling, of_sides, (const uint32_t[2]){3, 3}, answers, 1, error);
}

static void tables_name_records(void **state)
{
    static const char *const names[] = {"a", "bb", "c", NULL};
    words w;
    akin_error error;
    akin_labelling *labelling = create();
    const akin_column *ids = column_of(&w, names);
    (void)state;
    assert_int_equal(add(labelling, ids, "bb", "a", "yes", &error), AKIN_OK);
    assert_int_equal(add(labelling, NULL, "2", "0", "unsure", &error), AKIN_OK);
    const akin_labelled_pair first = akin_labelling_at(labelling, 0), second = akin_labelling_at(labelling, 1);
    assert_true(first.left == 1 && first.right == 0 && first.answer == AKIN_ANSWER_YES);
    assert_true(second.left == 2 && second.right == 0 && second.answer == AKIN_ANSWER_UNSURE);
    static const struct {
        int is_named;
        const char *left, *right, *said, *message;
    } wrong[] = {{1, "d", "a", "yes", "no record has the id 'd'"},
                 {0, "3", "0", "yes", "no record has the id '3'"},
                 {0, "00", "1", "yes", "no record has the id '00'"},
                 {0, "0", "", "yes", "has no id"},
                 {0, "0", "1", "", "has no answer"},
                 {0, "0", "1", "maybe", "unknown answer 'maybe'"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(
            add(labelling, wrong[i].is_named ? ids : NULL, wrong[i].left, wrong[i].right, wrong[i].said, &error),
            AKIN_E_INPUT);
        if (!strstr(error.message, wrong[i].message))
            fail_msg("'%s' is not in: %s", wrong[i].message, error.message);
    }
    static const char *const twice[] = {"a", "bb", "a", NULL};
    assert_int_equal(add(labelling, column_of(&w, twice), "a", "bb", "no", &error), AKIN_E_INPUT);
    assert_int_equal(akin_labelling_count(labelling), 2);
    akin_labelling_free(labelling);
}

/* --------------------------------------------------------------------------------------------------- many answers */

#define ANSWERS 600

/* The same answers in a plain list. */
typedef struct plain {
    akin_labelled_pair answers[ANSWERS];
    uint64_t count;
} plain;

static void answer_plainly(plain *p, akin_labelled_pair pair)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < p->count; i++)
        if (p->answers[i].left != pair.left || p->answers[i].right != pair.right)
            p->answers[kept++] = p->answers[i];
    p->answers[kept] = pair;
    p->count = kept + 1;
}

static void expect_plain(const akin_labelling *l, const plain *p, uint32_t rows)
{
    assert_int_equal(akin_labelling_count(l), p->count);
    for (uint64_t i = 0; i < p->count; i++) {
        const akin_labelled_pair at = akin_labelling_at(l, i);
        assert_true(at.left == p->answers[i].left && at.right == p->answers[i].right &&
                    at.answer == p->answers[i].answer);
        assert_int_equal(akin_labelling_find(l, at.left, at.right), i);
    }
    for (uint32_t a = 0; a < rows; a++)
        for (uint32_t b = 0; b < rows; b++) {
            int is_there = 0;
            for (uint64_t i = 0; i < p->count; i++)
                is_there |= p->answers[i].left == a && p->answers[i].right == b;
            assert_int_equal(akin_labelling_find(l, a, b) < p->count, is_there);
        }
}

static int has_record(const akin_labelled_pair *pair, uint32_t tables, uint32_t row, int side)
{
    return tables == 1 ? pair->left == row || pair->right == row : row == (side ? pair->right : pair->left);
}

/* How many of some answers are about a record; those that are yes, if `is_yes`. */
static uint64_t count_plainly(const plain *p, uint64_t before, uint32_t tables, uint32_t row, int side, int is_yes)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < before; i++)
        count += (!is_yes || p->answers[i].answer == AKIN_ANSWER_YES) && has_record(&p->answers[i], tables, row, side);
    return count;
}

static void expect_plain_records(akin_labelling *l, const plain *p, uint32_t tables)
{
    akin_labelling_index index;
    l->pool.tables = tables;
    assert_int_equal(akin_labelling_index_make(l, NULL, &index, NULL), AKIN_OK);
    for (uint64_t i = 0; i < p->count; i++)
        for (int side = 0; side < 2; side++) {
            const uint32_t row = side ? p->answers[i].right : p->answers[i].left;
            const uint64_t record = akin_labelling_index_find(&index, row, (uint32_t)side);
            assert_int_equal(index.of[2 * i + (uint64_t)side], record);
            assert_int_equal(index.earlier[2 * i + (uint64_t)side], count_plainly(p, i, tables, row, side, 1));
            assert_int_equal(index.yes[record], count_plainly(p, p->count, tables, row, side, 1));
            assert_int_equal(index.all[record], count_plainly(p, p->count, tables, row, side, 0));
        }
    assert_int_equal(akin_labelling_index_find(&index, 1000, 0), index.record_count);
    akin_labelling_index_clear(&index);
    l->pool.tables = 0;
}

/* Answers at random, of which some replace others or are taken back. */
static void many_answers(void **state)
{
    static plain p;
    (void)state;
    for (uint32_t rows = 2; rows <= 32; rows *= 4) {
        akin_labelling *l = create();
        akin_random random;
        akin_random_seed(&random, rows);
        p.count = 0;
        for (uint32_t step = 0; step < ANSWERS; step++) {
            akin_labelled_pair pair = {(uint32_t)akin_random_below(&random, rows),
                                       (uint32_t)akin_random_below(&random, rows),
                                       (akin_answer)(1 + akin_random_below(&random, 3)), 0};
            if (akin_random_below(&random, 4) == 0) {
                assert_int_equal(akin_labelling_undo(l, NULL), p.count > 0);
                p.count -= p.count > 0;
                continue;
            }
            assert_int_equal(akin_labelling_answer(l, pair.left, pair.right, pair.answer, NULL), AKIN_OK);
            answer_plainly(&p, pair);
            if (step % 50 == 0)
                expect_plain(l, &p, rows);
        }
        expect_plain(l, &p, rows);
        expect_plain_records(l, &p, 1);
        expect_plain_records(l, &p, 2);
        const plain before = p;
        p.count = 0;
        for (uint64_t i = 0; i < before.count; i++) {
            const akin_labelled_pair a = before.answers[i];
            answer_plainly(&p, a.left < a.right ? a : (akin_labelled_pair){a.right, a.left, a.answer, 0});
        }
        akin_labelling_settle(l, 1);
        expect_plain(l, &p, rows);
        akin_labelling_free(l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_help),
                                       cmocka_unit_test(answers_decide),
                                       cmocka_unit_test(unsure_teaches_nothing),
                                       cmocka_unit_test(questions_depend_on_answers_alone),
                                       cmocka_unit_test(what_is_taken_back_is_asked_again),
                                       cmocka_unit_test(questions_come_to_an_end),
                                       cmocka_unit_test(partners_have_no_others),
                                       cmocka_unit_test(rivals_show_partners),
                                       cmocka_unit_test(answers_show_many_partners),
                                       cmocka_unit_test(answers_show_one_partner),
                                       cmocka_unit_test(both_answers_count),
                                       cmocka_unit_test(one_column_of_two_tables),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(tables_name_records),
                                       cmocka_unit_test(many_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
