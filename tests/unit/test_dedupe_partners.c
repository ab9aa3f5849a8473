/*
 * Whether a class of pairs is one of entities, from models that are set by hand: persons are, with columns that say
 * nothing or without them; households are not.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dedupe/partners.h"
#include "unit/test_learn_support.h"

#define LEVELS 9
#define MOST   8

typedef struct table {
    akin_training_comparison comparisons[MOST];
    akin_level_model models[MOST];
    akin_training training;
} table;

/* `expected` pairs of the class. */
static void begin(table *t, double expected)
{
    *t = (table){.training = {.comparisons = t->comparisons, .models = t->models}};
    t->training.model = (akin_fellegi_sunter){.comparisons = t->models, .expected = expected, .tempering = 1};
}

/* A column with values in all records, which are equal in the share m of pairs of the class, and in u of strangers. */
static void add(table *t, double m, double u)
{
    const uint32_t c = t->training.model.count++;
    akin_level_model *model = &t->models[c];
    t->comparisons[c] = (akin_training_comparison){.leveled.levels = LEVELS, .cuts = akin_level_cuts, .present = 1};
    *model = (akin_level_model){.levels = LEVELS};
    model->m[0] = 1 - m;
    model->u[0] = 1 - u;
    model->m[LEVELS - 1] = m;
    model->u[LEVELS - 1] = u;
    model->weights[0] = -1;
    model->weights[LEVELS - 1] = 1;
}

static void add_persons(table *t)
{
    add(t, 0.8, 0.01);    /* given name */
    add(t, 0.9, 0.0005);  /* date of birth */
    add(t, 0.85, 0.0001); /* telephone */
}

static void persons(void **state)
{
    table t;
    (void)state;
    begin(&t, 500);
    add_persons(&t);
    assert_true(akin_training_is_of_entities(&t.training));
}

static void columns_that_say_nothing(void **state)
{
    table t;
    (void)state;
    begin(&t, 500);
    add_persons(&t);
    add(&t, 0.003, 1e-7);    /* a hash of the row: the prior alone agrees */
    add(&t, 0.0009, 0.0008); /* a number at random */
    add(&t, 0.08, 0.07);     /* a time of entry */
    add(&t, 0.03, 0.03);     /* a clerk */
    assert_true(akin_training_is_of_entities(&t.training));
}

/* Persons of one household agree in the telephone, and the pairs of one person among them in the date of birth, too:
 * in 50 of 10,000 pairs, and not by chance. */
static void households(void **state)
{
    table t;
    (void)state;
    begin(&t, 10000);
    add(&t, 0.02, 0.01);
    add(&t, 0.005, 0.0001);
    add(&t, 0.95, 0.0001);
    assert_false(akin_training_is_of_entities(&t.training));
}

static void nothing_at_all(void **state)
{
    table t;
    (void)state;
    begin(&t, 500);
    add(&t, 0.003, 1e-7);
    add(&t, 0.08, 0.07);
    assert_false(akin_training_is_of_entities(&t.training));
    begin(&t, 0.5); /* hardly a match */
    add_persons(&t);
    assert_false(akin_training_is_of_entities(&t.training));
}

/* Of a list without duplicates, no pair agrees in what tells persons apart. */
static void neighbours(void **state)
{
    table t;
    (void)state;
    begin(&t, 1200);
    add(&t, 0.7, 0.0005);  /* suburb */
    add(&t, 0.99, 0.0009); /* postcode */
    add(&t, 0.99, 0.26);   /* state */
    assert_true(akin_training_is_of_entities(&t.training));
    add(&t, 0.012, 0.012);     /* given name */
    add(&t, 0.0009, 0.0009);   /* surname */
    add(&t, 0.0001, 0.0001);   /* address */
    add(&t, 0.00004, 0.00004); /* date of birth */
    add(&t, 0.00001, 0.00001); /* telephone */
    assert_false(akin_training_is_of_entities(&t.training));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persons),    cmocka_unit_test(columns_that_say_nothing),
        cmocka_unit_test(households), cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
