/* The edit distance of trees, against Zhang and Shasha, and against all mappings of small trees. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trees/brackets.h"
#include "trees/sequence.h"
#include "trees/verifier.h"
#include "unit/test_sanitizers.h"
#include "unit/test_trees_support.h"

#define PAIRS (UNDER_SANITIZER ? 4000 : 100000)

/* Two trees, and what finds their distance. */
typedef struct fixture {
    akin_account account;
    akin_random random;
    akin_context *context;
    akin_tree_builder builder;
    akin_tree_verifier verifier;
} fixture;

static void set_up(fixture *f, uint64_t seed)
{
    *f = (fixture){.account = {0}};
    akin_random_seed(&f->random, seed);
    assert_int_equal(akin_context_create(NULL, &f->context, NULL), AKIN_OK);
    f->builder = (akin_tree_builder){.account = &f->account, .nodes = {.account = &f->account}};
    assert_int_equal(akin_dictionary_create(f->context, &f->builder.dictionary, NULL), AKIN_OK);
    akin_tree_verifier_begin(&f->verifier, &f->account, NULL);
}

static void tear_down(fixture *f)
{
    akin_tree_verifier_clear(&f->verifier);
    akin_dictionary_free(f->builder.dictionary);
    akin_tree_builder_clear(&f->builder);
    akin_context_free(f->context);
    assert_int_equal(f->account.held, 0);
}

/* Reads two trees into the nodes of the builder. */
static void read_both(fixture *f, const char *left, const char *right, akin_tree out[2])
{
    const char *const texts[] = {left, right};
    akin_tree_fault fault;
    uint32_t counts[2];
    f->builder.nodes.first = 0;
    for (int s = 0; s < 2; s++) {
        akin_tree_nodes_begin(&f->builder.nodes);
        assert_int_equal(akin_brackets_read(&f->builder, texts[s], strlen(texts[s]), &fault, NULL), AKIN_OK);
        counts[s] = akin_tree_nodes_end(&f->builder.nodes);
    }
    for (int s = 0; s < 2; s++) {
        const uint32_t first = s ? counts[0] : 0;
        out[s] = (akin_tree){f->builder.nodes.label + first, f->builder.nodes.size + first,
                             f->builder.nodes.depth + first, f->builder.nodes.pre + first, counts[s]};
    }
}

static void draw_both(fixture *f, uint32_t most_nodes, uint32_t labels, akin_tree out[2])
{
    static drawn_tree left, right;
    static char texts[2][TREE_TEXT];
    const int shape = (int)akin_random_below(&f->random, SHAPES);
    draw_tree(&f->random, 1 + (uint32_t)akin_random_below(&f->random, most_nodes), labels, shape, &left);
    right = left;
    if (akin_random_below(&f->random, 8) > 0)
        edit_tree(&f->random, (uint32_t)akin_random_below(&f->random, 12), labels, &right);
    else
        draw_tree(&f->random, 1 + (uint32_t)akin_random_below(&f->random, most_nodes), labels, shape, &right);
    write_tree(&left, texts[0]);
    write_tree(&right, texts[1]);
    read_both(f, texts[0], texts[1], out);
}

/* Whether, by their numbers in postorder, x is above y. */
static int is_above(const akin_tree *t, uint32_t x, uint32_t y)
{
    return y < x && y + t->size[x] > x;
}

/* The cost of a mapping, from partners of left nodes; UINT32_MAX: it is none, as two pairs contradict each other. */
static uint32_t mapping_cost(const akin_tree *a, const akin_tree *b, const uint32_t *partners)
{
    uint32_t pairs = 0, renamed = 0;
    for (uint32_t x = 0; x < a->nodes; x++) {
        if (partners[x] == UINT32_MAX)
            continue;
        if (partners[x] >= b->nodes)
            return UINT32_MAX;
        pairs++;
        renamed += a->label[x] != b->label[partners[x]];
        for (uint32_t y = 0; y < x; y++)
            if (partners[y] != UINT32_MAX &&
                (partners[y] >= partners[x] || is_above(a, x, y) != is_above(b, partners[x], partners[y])))
                return UINT32_MAX;
    }
    return a->nodes + b->nodes - 2 * pairs + renamed;
}

/* The least cost of all mappings, one by one: for small trees. */
static uint32_t cheapest_mapping(const akin_tree *a, const akin_tree *b)
{
    uint32_t partners[16], least = UINT32_MAX, x = 0;
    memset(partners, 0xff, sizeof partners);
    for (;;) { /* counts through all partners of all nodes, UINT32_MAX first */
        const uint32_t cost = mapping_cost(a, b, partners);
        least = cost < least ? cost : least;
        for (x = 0; x < a->nodes && ++partners[x] == b->nodes; x++)
            partners[x] = UINT32_MAX;
        if (x == a->nodes)
            return least;
    }
}

/* The distance within K is that of Zhang and Shasha, or it is above K, and the mapping costs as much. */
static void check_pair(fixture *f, const akin_tree trees[2], uint32_t most, uint32_t expected)
{
    static uint32_t partners[TREE_MOST];
    uint32_t distance = 0, again = 0;
    assert_true(akin_tree_verify(&f->verifier, &trees[0], &trees[1], most, NULL, &distance));
    assert_int_equal(distance, expected <= most ? expected : AKIN_BAND_FAR);
    assert_true(akin_tree_verify(&f->verifier, &trees[0], &trees[1], most, partners, &again));
    assert_int_equal(again, distance);
    if (distance != AKIN_BAND_FAR)
        assert_int_equal(mapping_cost(&trees[0], &trees[1], partners), distance);
}

static void against_zhang_shasha(void **state)
{
    fixture f;
    (void)state;
    set_up(&f, 1);
    for (int i = 0; i < PAIRS; i++) {
        akin_tree trees[2];
        draw_both(&f, i % 100 == 0 ? 60 : 16, 1 + (uint32_t)i % 7, trees);
        check_pair(&f, trees, (uint32_t)akin_random_below(&f.random, 14), plain_distance(&trees[0], &trees[1]));
    }
    tear_down(&f);
}

static void of_large_trees(void **state)
{
    fixture f;
    (void)state;
    set_up(&f, 2);
    for (int i = 0; i < (UNDER_SANITIZER ? 3 : 30); i++) {
        akin_tree trees[2];
        draw_both(&f, TREE_MOST / 2, 3, trees);
        check_pair(&f, trees, i % 3 ? 10 : UINT32_MAX, plain_distance(&trees[0], &trees[1]));
    }
    tear_down(&f);
}

static void against_all_mappings(void **state)
{
    fixture f;
    (void)state;
    set_up(&f, 3);
    for (int i = 0; i < (UNDER_SANITIZER ? 20 : 400); i++) {
        akin_tree trees[2];
        draw_both(&f, i % 100 == 0 ? 7 : 5, 1 + (uint32_t)i % 3, trees);
        if (trees[0].nodes > 7 || trees[1].nodes > 7)
            continue;
        check_pair(&f, trees, UINT32_MAX, cheapest_mapping(&trees[0], &trees[1]));
    }
    tear_down(&f);
}

/* Trees whose distance is known. */
static void of_known_trees(void **state)
{
    static const struct {
        const char *left, *right;
        uint32_t distance;
    } known[] = {{"{a}", "{a}", 0},
                 {"{a}", "{b}", 1},
                 {"{a{b}{c}}", "{a{c}{b}}", 2},
                 {"{f{d{a}{c{b}}}{e}}", "{f{c{d{a}{b}}}{e}}", 2}, /* the example of Zhang and Shasha */
                 {"{a{b{c{d}}}}", "{a{b}{c}{d}}", 4},
                 {"{a{b}{c}{d}}", "{a{x{b}{c}{d}}}", 1},
                 {"{a}", "{b{a}}", 1},
                 {"{}", "{a}", 1}};
    fixture f;
    (void)state;
    set_up(&f, 4);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        akin_tree trees[2];
        read_both(&f, known[i].left, known[i].right, trees);
        assert_int_equal(plain_distance(&trees[0], &trees[1]), known[i].distance);
        check_pair(&f, trees, UINT32_MAX, known[i].distance);
    }
    tear_down(&f);
}

/* The edit distance of sequences, against the table that everybody knows. */
static void of_sequences(void **state)
{
    uint32_t a[30], b[30], table[31][31];
    int32_t reach[2 * (2 * 40 + 3)];
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (int round = 0; round < 20000; round++) {
        const uint32_t n = (uint32_t)akin_random_below(&random, 31), m = (uint32_t)akin_random_below(&random, 31),
                       labels = 1 + (uint32_t)akin_random_below(&random, 4);
        for (uint32_t i = 0; i < 30; i++) {
            a[i] = (uint32_t)akin_random_below(&random, labels);
            b[i] = akin_random_below(&random, 8) ? a[i] : (uint32_t)akin_random_below(&random, labels);
        }
        for (uint32_t i = 0; i <= n; i++)
            for (uint32_t j = 0; j <= m; j++) {
                table[i][j] = i + j;
                if (i > 0 && j > 0) {
                    const uint32_t gap = (table[i - 1][j] < table[i][j - 1] ? table[i - 1][j] : table[i][j - 1]) + 1,
                                   same = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
                    table[i][j] = gap < same ? gap : same;
                }
            }
        const uint32_t most = (uint32_t)akin_random_below(&random, 40), distance = table[n][m];
        assert_int_equal(akin_sequence_edits(a, n, b, m, most, reach), distance <= most ? distance : most + 1);
    }
}

/* Writes a root with `count` children, whose labels are those of `letter` and a number. */
static void write_wide(char *to, uint32_t count, char letter)
{
    to += sprintf(to, "{r");
    for (uint32_t i = 0; i < count; i++)
        to += sprintf(to, "{%c%u}", letter, i);
    sprintf(to, "}");
}

/* A long comparison ends when its thread is told to, and says so. */
static void stopped(void **state)
{
    enum { WIDE = 4000, TEXT = WIDE * 8 + 8 };
    static char texts[2][TEXT];
    fixture f;
    akin_tree trees[2];
    atomic_int cancelled = 1;
    uint32_t distance = 0;
    (void)state;
    set_up(&f, 1);
    akin_cancellation cancellation = {akin_scope_of(f.context), &cancelled, 1, 0};
    akin_tree_verifier_begin(&f.verifier, &f.account, &cancellation);
    write_wide(texts[0], WIDE, 'a');
    write_wide(texts[1], WIDE, 'b');
    read_both(&f, texts[0], texts[1], trees);
    assert_false(akin_tree_verify(&f.verifier, &trees[0], &trees[1], UINT32_MAX, NULL, &distance));
    assert_int_equal(akin_tree_verifier_failure(&f.verifier), AKIN_E_CANCELLED);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_known_trees),       cmocka_unit_test(of_sequences),
        cmocka_unit_test(against_zhang_shasha), cmocka_unit_test(against_all_mappings),
        cmocka_unit_test(of_large_trees),       cmocka_unit_test(stopped),
    };
    return RUN_TESTS(tests, 0, NULL, NULL);
}
