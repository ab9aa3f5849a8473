/*
 * What a report gathers, against what is found out pair by pair: which pairs are counted, drawn and listed, what they
 * come to, how good they are; and that it changes nothing of the pairs that are handed over.
 */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/context.h"
#include "base/random.h"
#include "report/report.h"
#include "unit/test_base_files.h"
#include "unit/test_ratio.h"
#include "unit/test_sanitizers.h"

static akin_wishes wishes; /* of the tests below */

#define ROWS       40 /* of each table */
#define MOST       (2 * ROWS)
#define COLUMNS    4 /* a name, a city, a number, and what is the same everywhere */
#define ATTRIBUTES 3
#define SELECTIONS 3
#define LISTED     7

static akin_context context = {.scope = {.context = &context, .threads = 3}};

typedef struct table {
    char bytes[COLUMNS][ROWS * 16], ids[ROWS * 8];
    uint64_t offsets[COLUMNS][ROWS + 1], id_offsets[ROWS + 1];
    akin_column columns[COLUMNS], id;
} table;

/* Two records, their similarities, and who selects them. */
typedef struct couple {
    int is_there, is_right, is_beaten; /* is_beaten: of one record each, by a better pair */
    double each[ATTRIBUTES], average;
    int by[SELECTIONS], selected;
} couple;

typedef struct world {
    table tables[2];
    uint32_t count, records; /* tables, and records of all of them */
    akin_compare_options compare[ATTRIBUTES];
    akin_attribute attributes[ATTRIBUTES];
    akin_key_part parts[SELECTIONS];
    akin_selection selections[SELECTIONS];
    akin_selected selected[SELECTIONS];
    akin_dedupe_options options;
    couple couples[MOST][MOST];
    char gold_bytes[2][4 * MOST * 8];
    uint64_t gold_offsets[2][4 * MOST + 1];
    akin_column gold[2];
    uint32_t gold_rows;
} world;

static world w;

/* ----------------------------------------------------------------------------------------------------------- worlds */

static void put(char *bytes, uint64_t *offsets, uint32_t row, const char *text)
{
    size_t length = strlen(text);
    memcpy(bytes + offsets[row], text, length);
    offsets[row + 1] = offsets[row] + length;
}

static const char *draw_value(akin_random *random, uint32_t column)
{
    static char text[16];
    uint32_t length = column == 2 ? 1 : 2 + (uint32_t)akin_random_below(random, 5);
    if (column == 3)
        return "same";
    if (akin_random_below(random, 6) == 0)
        return "";
    for (uint32_t i = 0; i < length; i++)
        text[i] = (char)((column == 2 ? '0' : 'a') + akin_random_below(random, column == 2 ? 9 : 4));
    text[length] = '\0';
    if (column == 2 && akin_random_below(random, 5) == 0)
        return "none";
    return text;
}

static void draw_table(akin_random *random, table *t, char side)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        char id[8];
        snprintf(id, sizeof id, "%c%u", side, row);
        put(t->ids, t->id_offsets, row, id);
        for (uint32_t c = 0; c < COLUMNS; c++)
            put(t->bytes[c], t->offsets[c], row, draw_value(random, c));
    }
    for (uint32_t c = 0; c < COLUMNS; c++)
        t->columns[c] = (akin_column){sizeof(akin_column), "made up", t->offsets[c], t->bytes[c], NULL, 0, NULL, 0, 0};
    t->id = (akin_column){sizeof(akin_column), "id", t->id_offsets, t->ids, NULL, 0, NULL, 0, 0};
}

static const table *table_of(uint32_t record, uint32_t *row)
{
    *row = record % ROWS;
    return &w.tables[record / ROWS];
}

/* Whether weights are half of all. */
static int is_evidence(double weights)
{
    double all = 0;
    for (uint32_t i = 0; i < ATTRIBUTES; i++)
        all += value_of_ratio(w.attributes[i].weight);
    return weights >= all / 2;
}

/* How alike two records are, as the manual has it. */
static void compare(couple *c, uint32_t a, uint32_t b)
{
    double sum = 0, weights = 0;
    uint32_t x, y;
    const table *left = table_of(a, &x), *right = table_of(b, &y);
    for (uint32_t i = 0; i < ATTRIBUTES; i++) {
        const akin_column *m = &left->columns[i], *n = &right->columns[i];
        uint64_t lengths[2] = {m->offsets[x + 1] - m->offsets[x], n->offsets[y + 1] - n->offsets[y]};
        const char *texts[2] = {m->bytes + m->offsets[x], n->bytes + n->offsets[y]};
        int missing[2] = {lengths[0] == 0 || (i == 2 && *texts[0] == 'n'),
                          lengths[1] == 0 || (i == 2 && *texts[1] == 'n')};
        akin_compared compared;
        assert_int_equal(
            akin_compare(&context, &w.compare[i], texts[0], lengths[0], texts[1], lengths[1], &compared, NULL),
            AKIN_OK);
        double similarity = missing[0] || missing[1] ? NAN : compared.similarity,
               weight = value_of_ratio(w.attributes[i].weight);
        c->each[i] = similarity;
        if (isnan(similarity) && w.options.missing == AKIN_MISSING_SKIP)
            continue;
        weights += weight;
        if (isnan(similarity))
            sum += w.options.missing == AKIN_MISSING_EQUAL && missing[0] && missing[1] ? weight : 0;
        else if (value_reaches(similarity, w.attributes[i].threshold))
            sum += weight * similarity;
    }
    c->average = is_evidence(weights) ? sum / weights : 0;
}

static int mark(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)each;
    for (size_t i = 0; i < count; i++)
        w.couples[pairs[i].left][pairs[i].right + (w.count == 2 ? ROWS : 0)].by[*(int *)user] = 1;
    return 0;
}

/* A column that is the same everywhere makes every pair that is selected one that is found. */
static void select_by(int at)
{
    static const akin_compare_options exact = {sizeof exact, AKIN_EXACT,        0, {1, 10}, {0, 1}, {0, 1},
                                               AKIN_JACCARD, AKIN_TOKENS_WORDS, 3, -1,      0,      0};
    const akin_attribute same = {3, 0, &exact, {0, 1}, {1, 1}};
    akin_dedupe_options options = w.options;
    options.attributes = &same;
    options.attribute_count = 1;
    options.selections = &w.selections[at];
    options.selection_count = 1;
    options.selected = NULL;
    assert_int_equal(akin_dedupe(&context, w.tables[0].columns, ROWS, w.count == 2 ? w.tables[1].columns : NULL, ROWS,
                                 COLUMNS, &options, mark, &at, NULL, NULL, NULL),
                     AKIN_OK);
}

static void ask(akin_random *random, uint32_t tables, akin_missing missing, int all)
{
    static const char *const names[] = {"levenshtein", "jaro-winkler", "number/9"};
    static const double thresholds[] = {0, 0.6, 0.5}, weights[] = {2, 1, 0.5};
    memset(&w, 0, sizeof w);
    w.count = tables;
    w.records = tables * ROWS;
    draw_table(random, &w.tables[0], 'a');
    draw_table(random, &w.tables[1], 'b');
    for (uint32_t i = 0; i < ATTRIBUTES; i++) {
        w.compare[i].size = sizeof w.compare[i];
        assert_int_equal(akin_compare_options_parse(names[i], &w.compare[i], NULL), AKIN_OK);
        w.attributes[i] = (akin_attribute){i, 0, &w.compare[i], ratio_of(thresholds[i]), ratio_of(weights[i])};
    }
    w.parts[0] = (akin_key_part){.column = 0, .key = AKIN_KEY_VALUE};
    w.parts[1] = (akin_key_part){.column = 2, .key = AKIN_KEY_VALUE};
    w.selections[0] = (akin_selection){.kind = AKIN_SELECT_WINDOW, .window = 9, .parts = w.parts, .part_count = 1};
    w.selections[1] = (akin_selection){.kind = AKIN_SELECT_BLOCK, .parts = w.parts + 1, .part_count = 1};
    w.selections[2] = (akin_selection){
        .kind = AKIN_SELECT_SIMILAR, .parts = w.parts, .part_count = 1, .measure = AKIN_DICE, .cutoff = {1, 2}};
    if (all)
        w.selections[1] = (akin_selection){.kind = AKIN_SELECT_ALL};
    w.options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    w.options.selections = w.selections;
    w.options.selection_count = SELECTIONS;
    w.options.attributes = w.attributes;
    w.options.attribute_count = ATTRIBUTES;
    w.options.selected = w.selected;
    w.options.missing = missing;
    w.options.threshold = ratio_of(0.655);
    for (int i = 0; i < SELECTIONS; i++)
        select_by(i);
    for (uint32_t a = 0; a < w.records; a++)
        for (uint32_t b = a + 1; b < w.records; b++) {
            couple *c = &w.couples[a][b];
            c->is_there = tables == 1 || (a < ROWS && b >= ROWS);
            c->selected = c->by[0] || c->by[1] || c->by[2];
            compare(c, a, b);
        }
}

static long nine_digits(double number)
{
    return lround(number * 1e9);
}

/* Takes the most similar pairs first, and the first of two that are as similar to 9 digits. Leaves out pairs with a
 * record that is taken. */
static void choose_one_to_one(void)
{
    static couple *best[MOST * MOST];
    static int taken[MOST];
    uint32_t count = 0;
    memset(taken, 0, sizeof taken);
    for (uint32_t a = 0; a < w.records; a++)
        for (uint32_t b = a + 1; b < w.records; b++)
            if (w.couples[a][b].selected) {
                uint32_t at = count++;
                for (; at > 0 && nine_digits(best[at - 1]->average) < nine_digits(w.couples[a][b].average); at--)
                    best[at] = best[at - 1];
                best[at] = &w.couples[a][b];
            }
    for (uint32_t i = 0; i < count; i++) {
        size_t at = (size_t)(best[i] - &w.couples[0][0]), a = at / MOST, b = at % MOST;
        best[i]->is_beaten = taken[a] || taken[b];
        if (!best[i]->is_beaten)
            taken[a] = taken[b] = 1;
    }
    w.options.one_to_one = 1;
}

/* Gold: very similar pairs, others, some twice or turned round, an unknown id, and a pair of one record. */
static void draw_gold(akin_random *random)
{
    for (uint32_t a = 0; a < w.records && w.gold_rows + 8 < 4 * MOST; a++) {
        uint32_t b = (uint32_t)akin_random_below(random, w.records), best = b;
        for (uint32_t other = 0; other < w.records; other++)
            if (other != a && w.couples[a < other ? a : other][a < other ? other : a].average >
                                  w.couples[a < best ? a : best][a < best ? best : a].average)
                best = other;
        b = akin_random_below(random, 4) ? best : b;
        uint32_t pair[2] = {a, b};
        if (a == b || (w.count == 2 && !(a < ROWS && b >= ROWS)))
            continue;
        for (int again = 0; again < 2; again++, w.gold_rows++)
            for (int side = 0; side < 2; side++) {
                uint32_t record = pair[w.count == 1 && again ? 1 - side : side], row;
                const table *t = table_of(record, &row);
                char id[8] = {0};
                memcpy(id, t->ids + t->id_offsets[row], t->id_offsets[row + 1] - t->id_offsets[row]);
                put(w.gold_bytes[side], w.gold_offsets[side], w.gold_rows, id);
            }
        w.couples[a < b ? a : b][a < b ? b : a].is_right = 1;
    }
    for (int side = 0; side < 2; side++) {
        put(w.gold_bytes[side], w.gold_offsets[side], w.gold_rows, side ? "nobody" : "a0");
        put(w.gold_bytes[side], w.gold_offsets[side], w.gold_rows + 1, "a1");
        w.gold[side] =
            (akin_column){sizeof(akin_column), "gold", w.gold_offsets[side], w.gold_bytes[side], NULL, 0, NULL, 0, 0};
    }
    w.gold_rows += 2;
}

/* ---------------------------------------------------------------------------------------------------------- answers */

typedef struct answer {
    akin_scored_pair pairs[MOST * MOST];
    double each[MOST * MOST][ATTRIBUTES];
    uint32_t count;
} answer;

static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    answer *a = user;
    memcpy(a->pairs + a->count, pairs, count * sizeof *pairs);
    memcpy(a->each + a->count, each, count * sizeof a->each[0]);
    a->count += (uint32_t)count;
    return 0;
}

static void find(const akin_dedupe_options *options, answer *a, uint64_t *count, akin_dedupe_report *figures)
{
    akin_error error = {.message = ""};
    a->count = 0;
    akin_status status = akin_dedupe(&context, w.tables[0].columns, ROWS, w.count == 2 ? w.tables[1].columns : NULL,
                                     ROWS, COLUMNS, options, take, a, count, figures, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
}

static akin_report *make_report(answer *a, akin_dedupe_report *figures)
{
    akin_report_options options = AKIN_REPORT_OPTIONS_INIT;
    akin_dedupe_options with = w.options;
    akin_report *report = NULL;
    uint64_t count = 0;
    options.ids[0] = &w.tables[0].id;
    options.ids[1] = w.count == 2 ? &w.tables[1].id : NULL;
    options.gold[0] = &w.gold[0];
    options.gold[1] = &w.gold[1];
    options.gold_rows = w.gold_rows;
    options.pairs = LISTED;
    assert_int_equal(akin_report_create(&context, &options, &report, NULL), AKIN_OK);
    with.report = report;
    find(&with, a, &count, figures);
    assert_int_equal(count, a->count);
    assert_int_equal(figures->pairs_found, a->count);
    return report;
}

static int reaches(const couple *c)
{
    return average_reaches(c->average, ATTRIBUTES, w.options.threshold);
}

static uint64_t is_found(const couple *c)
{
    return reaches(c) && !c->is_beaten;
}

/* The highest of 0, 0.01, ... 1 that a similarity of 9 digits reaches. */
static uint32_t bin_of(double similarity)
{
    uint32_t k = 100;
    while (k > 0 && similarity < k / 100.0 - 0.5e-9)
        k--;
    return k;
}

static int is_gathered(const couple *c, akin_ratio least)
{
    return c->selected && average_reaches(c->average, ATTRIBUTES, least);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

/* What is counted of pairs. */
static void check_bins(const akin_report *r)
{
    akin_bins drawn = {0}, found = {0}, near = {0}, right = {0};
    static akin_bins columns[ATTRIBUTES];
    uint64_t missing[ATTRIBUTES] = {0}, count = 0, credits[SELECTIONS] = {0}, soles[SELECTIONS] = {0};
    memset(columns, 0, sizeof columns);
    for (uint32_t a = 0; a < w.records; a++)
        for (uint32_t b = a + 1; b < w.records; b++) {
            const couple *c = &w.couples[a][b];
            if (!c->selected)
                continue;
            assert_true(c->is_there);
            assert_int_equal(r->drawn.pairs[count++], akin_two_records(a, b));
            uint32_t bin = bin_of(c->average);
            drawn[bin]++;
            for (uint32_t i = 0; i < ATTRIBUTES && is_found(c); i++) {
                if (isnan(c->each[i]))
                    missing[i]++;
                else
                    columns[i][bin_of(c->each[i])]++;
            }
            found[bin] += is_found(c);
            near[bin] += (uint64_t)(!is_found(c) && is_gathered(c, r->least));
            right[bin] += (uint64_t)(c->is_right && is_gathered(c, r->least));
            for (int i = 0; i < SELECTIONS && is_found(c); i++) {
                credits[i] += (uint64_t)c->by[i];
                soles[i] += (uint64_t)(c->by[i] && c->by[0] + c->by[1] + c->by[2] == 1);
            }
        }
    assert_true(r->drawn.is_all);
    assert_int_equal(r->drawn.count, count);
    assert_int_equal(r->figures.pairs_selected, count);
    assert_memory_equal(r->drawn_bins, drawn, sizeof drawn);
    assert_memory_equal(r->found_bins, found, sizeof found);
    assert_memory_equal(r->near_bins, near, sizeof near);
    assert_memory_equal(r->right_bins, right, sizeof right);
    for (uint32_t i = 0; i < ATTRIBUTES; i++) {
        assert_memory_equal(r->columns[i].found, columns[i], sizeof columns[i]);
        assert_int_equal(r->columns[i].found_missing, missing[i]);
    }
    assert_memory_equal(r->credits, credits, sizeof credits);
    assert_memory_equal(r->soles, soles, sizeof soles);
    assert_memory_equal(r->selected, w.selected, sizeof w.selected);
}

static int is_listed(const akin_report *r, uint32_t a, uint32_t b)
{
    for (uint64_t i = 0; i < r->pair_count; i++)
        if (r->pairs[i].records == akin_two_records(a, b))
            return 1;
    return 0;
}

/* How many pairs on the same side of the threshold are nearer to it, or as near and come first. */
static uint32_t count_nearer(uint32_t a, uint32_t b, int gold)
{
    const couple *c = &w.couples[a][b];
    double threshold = value_of_ratio(w.options.threshold);
    double own = is_found(c) ? fmax(0, c->average - threshold) : fabs(threshold - c->average);
    uint32_t nearer = 0;
    for (uint32_t x = 0; x < w.records; x++)
        for (uint32_t y = x + 1; y < w.records; y++) {
            const couple *o = &w.couples[x][y];
            double other = is_found(o) ? fmax(0, o->average - threshold) : fabs(threshold - o->average);
            nearer += o->selected && is_found(o) == is_found(c) && (!gold || o->is_right == c->is_right) &&
                      (other < own || (other == own && akin_two_records(x, y) < akin_two_records(a, b)));
        }
    return nearer;
}

/* Those nearest to the threshold are listed, and each is what it is. */
static void check_listed(const akin_report *r)
{
    double threshold = value_of_ratio(w.options.threshold);
    for (uint32_t a = 0; a < w.records; a++)
        for (uint32_t b = a + 1; b < w.records; b++) {
            const couple *c = &w.couples[a][b];
            if (!is_gathered(c, r->least))
                continue;
            int is_wrong = is_found(c) && !c->is_right, is_missed = !is_found(c) && c->is_right;
            if (count_nearer(a, b, 0) < LISTED || ((is_wrong || is_missed) && count_nearer(a, b, 1) < (LISTED + 1) / 2))
                assert_true(is_listed(r, a, b));
        }
    for (uint64_t i = 0; i < r->pair_count; i++) {
        const akin_report_pair *pair = &r->pairs[i];
        const couple *c = &w.couples[pair->records >> 32][(uint32_t)pair->records];
        double sum = 0, weights = 0;
        assert_true(c->is_there && c->average == pair->average && c->is_right == pair->is_right);
        for (uint32_t k = 0; k < ATTRIBUTES; k++) {
            double each = r->each[i * ATTRIBUTES + k];
            assert_true(isnan(c->each[k]) ? isnan(each) : each == c->each[k]);
            sum += r->counts[i * ATTRIBUTES + k];
            weights +=
                w.options.missing == AKIN_MISSING_SKIP && isnan(each) ? 0 : value_of_ratio(w.attributes[k].weight);
        }
        assert_true(c->average == (is_evidence(weights) ? sum / weights : 0));
        assert_int_equal(pair->selected, (unsigned)(c->by[0] | c->by[1] << 1 | c->by[2] << 2));
        akin_report_kind kind = !c->selected               ? AKIN_REPORT_SKIPPED
                                : is_found(c)              ? AKIN_REPORT_FOUND
                                : reaches(c)               ? AKIN_REPORT_BEATEN
                                : is_gathered(c, r->least) ? AKIN_REPORT_NEAR
                                                           : AKIN_REPORT_BELOW;
        assert_int_equal(pair->kind, kind);
        if (i > 0) {
            double before = fabs(r->pairs[r->order[i - 1]].average - threshold);
            assert_true(before <= fabs(r->pairs[r->order[i]].average - threshold));
        }
    }
}

/* Columns of ids for akin_evaluate. */
typedef struct id_lists {
    char bytes[2][MOST * MOST * 4];
    uint64_t offsets[2][MOST * MOST + 1];
    double similarities[MOST * MOST];
    akin_column columns[2];
    uint32_t rows;
} id_lists;

static void check_gold(const akin_report *r)
{
    static id_lists all, found;
    id_lists *both[] = {&all, &found};
    uint64_t kinds[AKIN_REPORT_KINDS] = {0};
    all.rows = found.rows = 0;
    kinds[AKIN_REPORT_UNKNOWN] = w.count == 2 ? 2 : 1; /* of two tables a1 is no right record, either */
    for (uint32_t a = 0; a < w.records; a++)
        for (uint32_t b = a + 1; b < w.records; b++) {
            const couple *c = &w.couples[a][b];
            int near = is_gathered(c, r->least) && !c->is_beaten;
            if (c->is_right)
                kinds[!c->selected               ? AKIN_REPORT_SKIPPED
                      : is_found(c)              ? AKIN_REPORT_FOUND
                      : reaches(c)               ? AKIN_REPORT_BEATEN
                      : is_gathered(c, r->least) ? AKIN_REPORT_NEAR
                                                 : AKIN_REPORT_BELOW]++;
            for (int list = 0; list < 2; list++) {
                if (!c->selected || !(near && (!list || is_found(c))))
                    continue;
                for (int side = 0; side < 2; side++) {
                    uint32_t row;
                    const table *t = table_of(side ? b : a, &row);
                    char id[8] = {0};
                    memcpy(id, t->ids + t->id_offsets[row], t->id_offsets[row + 1] - t->id_offsets[row]);
                    put(both[list]->bytes[side], both[list]->offsets[side], both[list]->rows, id);
                }
                both[list]->similarities[both[list]->rows++] = c->average;
            }
        }
    assert_memory_equal(r->gold.of_kind, kinds, sizeof kinds);
    for (int list = 0; list < 2; list++)
        for (int side = 0; side < 2; side++)
            both[list]->columns[side] = (akin_column){
                sizeof(akin_column), "ids", both[list]->offsets[side], both[list]->bytes[side], NULL, 0, NULL, 0, 0};
    for (uint32_t closed = 0; closed < 2; closed++) {
        akin_evaluate_options how = {.size = sizeof how, .linked = w.count == 2, .closed = closed};
        akin_evaluation at, curve[AKIN_CURVE_POINTS];
        assert_int_equal(akin_evaluate(&context, found.columns, found.rows, w.gold, w.gold_rows, &how, &at, NULL),
                         AKIN_OK);
        assert_memory_equal(&r->gold.at[closed], &at, sizeof at);
        assert_int_equal(akin_evaluate_curve(&context, all.columns, all.similarities, all.rows, w.gold, w.gold_rows,
                                             &how, curve, NULL),
                         AKIN_OK);
        for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++)
            if (k / 100.0 >= value_of_ratio(r->least))
                assert_memory_equal(&r->gold.curve[closed][k], &curve[k], sizeof curve[k]);
    }
}

static void check_clusters(const akin_report *r, const answer *a)
{
    akin_clusters *clusters = NULL;
    assert_int_equal(akin_clusters_create(&context, ROWS, w.count == 2 ? ROWS : 0, &clusters, NULL), AKIN_OK);
    for (uint32_t i = 0; i < a->count; i++) {
        akin_pair pair = {.left = a->pairs[i].left, .right = a->pairs[i].right};
        assert_int_equal(akin_clusters_add(clusters, &pair, NULL, 1, NULL), AKIN_OK);
    }
    akin_clusters_finish(clusters);
    for (uint32_t record = 0; record < w.records; record++)
        assert_int_equal(akin_clusters_row(clusters, record), akin_clusters_row(r->clusters, record));
    for (uint32_t i = 0; i < r->largest_count; i++) {
        const akin_report_cluster *c = &r->largest[i];
        uint64_t pairs = 0;
        double weakest = 2;
        assert_true(c->size > 1 && c->size == akin_clusters_size(clusters, c->first) && c->members[0] == c->first);
        assert_true(i == 0 || c->size < r->largest[i - 1].size ||
                    (c->size == r->largest[i - 1].size && c->first > r->largest[i - 1].first));
        for (uint32_t p = 0; p < a->count; p++) {
            int within = akin_clusters_row(clusters, a->pairs[p].left) == c->first;
            pairs += (uint64_t)within;
            weakest = within ? fmin(weakest, a->pairs[p].similarity) : weakest;
        }
        assert_true(pairs == c->pairs && weakest == c->weakest);
        for (uint32_t m = 0; m < c->size && m < AKIN_REPORT_MEMBERS; m++)
            assert_true(akin_clusters_row(clusters, c->members[m]) == c->first &&
                        (m == 0 || c->members[m] > c->members[m - 1]));
    }
    for (uint32_t record = 0; record < w.records && r->largest_count < AKIN_REPORT_CLUSTERS; record++)
        if (akin_clusters_size(clusters, record) > 1) { /* there was room for all */
            uint32_t i = 0;
            while (i < r->largest_count && r->largest[i].first != akin_clusters_row(clusters, record))
                i++;
            assert_true(i < r->largest_count);
        }
    akin_clusters_free(clusters);
}

static void against_pairs(void **state)
{
    static answer without, with;
    akin_random random;
    (void)state;
    akin_random_seed(&random, 7);
    for (int way = 0; way < 24; way++) {
        akin_dedupe_report figures = {.size = sizeof figures}, plain = {.size = sizeof plain};
        uint64_t count;
        ask(&random, 1 + (uint32_t)(way % 2), (akin_missing)(1 + way / 2 % 3), way / 6 % 2);
        draw_gold(&random);
        if (way / 12)
            choose_one_to_one();
        find(&w.options, &without, &count, &plain);
        akin_report *r = make_report(&with, &figures);
        assert_int_equal(with.count, without.count);
        assert_memory_equal(with.pairs, without.pairs, with.count * sizeof with.pairs[0]);
        for (uint32_t i = 0; i < with.count * ATTRIBUTES; i++) { /* NAN, too */
            double a = with.each[i / ATTRIBUTES][i % ATTRIBUTES], b = without.each[i / ATTRIBUTES][i % ATTRIBUTES];
            assert_true(isnan(a) ? isnan(b) : a == b);
        }
        assert_true(with.count > 0 && r->least.num == 45 && r->least.den == 100 && r->pair_count > LISTED);
        check_bins(r);
        check_listed(r);
        check_gold(r);
        check_clusters(r, &with);
        akin_report_free(r);
    }
}

/* A window that is wider than there are records selects all pairs, and they are all drawn. */
static void wide(void **state)
{
    akin_random random;
    akin_report *report = NULL;
    (void)state;
    akin_random_seed(&random, 9);
    ask(&random, 1, AKIN_MISSING_ZERO, 0);
    w.selections[0].window = 1000000;
    w.options.selection_count = 1;
    assert_int_equal(akin_report_create(&context, NULL, &report, NULL), AKIN_OK);
    akin_dedupe_options with = w.options;
    with.report = report;
    assert_int_equal(
        akin_dedupe(&context, w.tables[0].columns, ROWS, NULL, 0, COLUMNS, &with, NULL, NULL, NULL, NULL, NULL),
        AKIN_OK);
    assert_true(report->drawn.is_all && report->drawn.count == ROWS * (ROWS - 1) / 2);
    akin_report_free(report);
}

/* Of half a million pairs some are drawn: those that are selected, none twice, from everywhere. */
static void sample(void **state)
{
    enum { MANY = 1000, WINDOW = 400 };
    static char bytes[MANY * 4];
    static uint64_t offsets[MANY + 1];
    const akin_column column = {sizeof column, "number", offsets, bytes, NULL, 0, NULL, 0, 0};
    const akin_key_part part = {.column = 0, .key = AKIN_KEY_VALUE};
    const akin_selection selections[] = {
        {.kind = AKIN_SELECT_WINDOW, .window = WINDOW, .parts = &part, .part_count = 1}, {.kind = AKIN_SELECT_ALL}};
    const akin_attribute attribute = {0, 0, NULL, {0, 1}, {1, 1}};
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    (void)state;
    for (uint32_t row = 0; row < MANY; row++) {
        char text[8];
        snprintf(text, sizeof text, "%04u", row);
        put(bytes, offsets, row, text);
    }
    for (uint32_t way = 2; way < 6; way++) {
        uint32_t count = way / 2;
        akin_report *report = NULL;
        context.wishes = &wishes;
        wishes.sample_cells = way % 2 ? 480000 : 0; /* 16 a pair: three fifths may be measured, or all */
        uint64_t near = 0, low = 0,
                 all = count == 2 ? MANY * (MANY - 1) / 2
                                  : (uint64_t)WINDOW * (WINDOW - 1) / 2 + (uint64_t)(MANY - WINDOW) * (WINDOW - 1);
        options.selections = selections;
        options.selection_count = count;
        options.attributes = &attribute;
        options.attribute_count = 1;
        options.threshold = ratio_of(1);
        assert_int_equal(akin_report_create(&context, NULL, &report, NULL), AKIN_OK);
        options.report = report;
        assert_int_equal(akin_dedupe(&context, &column, MANY, NULL, 0, 1, &options, NULL, NULL, NULL, NULL, NULL),
                         AKIN_OK);
        const akin_drawn *drawn = &report->drawn;
        assert_int_equal(report->figures.pairs_selected, all);
        assert_true(!drawn->is_all);
        assert_in_range(drawn->count, way % 2 ? 29900 : 40000, way % 2 ? 30000 : AKIN_REPORT_SAMPLE);
        assert_true(fabs(drawn->pairs_all - (double)all) < 0.02 * (double)all);
        for (uint64_t i = 0; i < drawn->count; i++) {
            uint32_t a = (uint32_t)(drawn->pairs[i] >> 32), b = (uint32_t)drawn->pairs[i];
            assert_true(a < b && b < MANY && (count == 2 || b - a < WINDOW) &&
                        (i == 0 || drawn->pairs[i] > drawn->pairs[i - 1]));
            near += b - a < WINDOW / 2;
            low += b < MANY / 2;
        }
        uint64_t half = WINDOW / 2, there = half * (half - 1) / 2 + (MANY - half) * (half - 1);
        double expected = (double)there / (double)all * (double)drawn->count;
        assert_true(fabs((double)near - expected) <
                    5 * sqrt(expected)); /* five standard deviations, and no more of them */
        half = MANY / 2;
        there =
            count == 2 ? half * (half - 1) / 2 : (uint64_t)WINDOW * (WINDOW - 1) / 2 + (half - WINDOW) * (WINDOW - 1);
        expected = (double)there / (double)all * (double)drawn->count;
        assert_true(fabs((double)low - expected) < 5 * sqrt(expected)); /* not only the first ones */
        akin_report_free(report);
    }
    wishes.sample_cells = 0;
}

/* A caller has twelve steps, before and after the job, whose own are there beside them. */
static void steps(void **state)
{
    static answer a;
    static const char *const own[] = {"values", "select", "compare", "report"};
    akin_dedupe_report figures = {.size = sizeof figures};
    akin_report_options of = AKIN_REPORT_OPTIONS_INIT;
    akin_report *report = NULL;
    akin_random random;
    uint64_t count;
    (void)state;
    akin_random_seed(&random, 13);
    ask(&random, 1, AKIN_MISSING_ZERO, 1);
    for (uint32_t before = 0; before <= 14; before += 2) {
        assert_int_equal(akin_report_create(&context, &of, &report, NULL), AKIN_OK);
        akin_dedupe_options with = w.options;
        with.report = report;
        for (uint32_t i = 0; i < before; i++)
            akin_report_step(report, "before", i);
        find(&with, &a, &count, &figures);
        for (uint32_t i = 0; i < 14; i++)
            akin_report_step(report, "after", i);
        assert_int_equal(report->step_count, 12 + 4);
        uint32_t first = before < 12 ? before : 12;
        for (uint32_t i = 0; i < 16; i++)
            assert_string_equal(report->steps[i].name, i < first ? "before" : i < first + 4 ? own[i - first] : "after");
        akin_report_free(report);
    }
}

/* ------------------------------------------------------------------------------------------------------------ pages */

/* The page without what differs from run to run; the report is freed. */
static char *write_page(akin_report *report)
{
    enum { ROOM = 16 << 20 };
    akin_output *output = NULL;
    for (uint32_t i = 0; i < report->step_count; i++)
        report->steps[i].seconds = 1;
    report->figures.memory = 12345678;
    assert_int_equal(akin_output_open(&context, scratch_path("page.html"), &output, NULL), AKIN_OK);
    assert_int_equal(akin_report_write(report, output, NULL), AKIN_OK);
    assert_int_equal(akin_output_commit(output, NULL), AKIN_OK);
    akin_report_free(report);
    FILE *file = fopen(scratch_path("page.html"), "rb");
    char *text = malloc(ROOM);
    assert_true(file && text);
    size_t length = fread(text, 1, ROOM - 1, file);
    assert_true(length < ROOM - 1);
    text[length] = '\0';
    fclose(file);
    return text;
}

static char *page_of(uint32_t threads)
{
    static answer a;
    akin_dedupe_report figures = {.size = sizeof figures};
    context.scope.threads = threads;
    akin_report *report = make_report(&a, &figures);
    context.scope.threads = 3;
    return write_page(report);
}

/* The rows of a table's body, from what stands before it on. */
static char *body_of(const char *page, const char *before)
{
    const char *table = strstr(page, before), *body = table ? strstr(table, "<tbody") : NULL;
    const char *first = body ? strchr(body, '\n') : NULL, *end = first ? strstr(first, "</tbody>") : NULL;
    char *copy = end ? strndup(first + 1, (size_t)(end - first) - 1) : NULL;
    assert_non_null(copy);
    return copy;
}

static void expect_body(const char *page, const char *before, const char *expected)
{
    char *body = body_of(page, before);
    assert_string_equal(body, expected);
    free(body);
}

/* The table of all pairs by their averages: found, not found, none estimated, and right ones if known. */
static void check_overall(const char *page, akin_ratio least)
{
    char *expected = NULL;
    size_t length;
    FILE *out = open_memstream(&expected, &length);
    if (!out)
        fail_msg("no memory");
    for (uint32_t k = 0; k <= 100; k++) {
        uint64_t counts[2] = {0}, right = 0;
        for (uint32_t a = 0; a < w.records; a++)
            for (uint32_t b = a + 1; b < w.records; b++) {
                const couple *c = &w.couples[a][b];
                if (!c->selected || bin_of(c->average) != k)
                    continue;
                counts[!is_found(c)]++;
                right += (uint64_t)(c->is_right && is_gathered(c, least));
            }
        if (counts[0] + counts[1] == 0)
            continue;
        fprintf(out, "<tr><td>%.2f</td><td>%u</td><td>%u</td><td>0</td>", k / 100.0, (unsigned)counts[0],
                (unsigned)counts[1]);
        if (w.gold_rows > 0)
            fprintf(out, "<td>%u</td>", (unsigned)right);
        fprintf(out, "</tr>\n");
    }
    fclose(out);
    assert_non_null(expected);
    expect_body(page, "data-chart=\"overall\"", expected);
    free(expected);
}

/* The table that says how good pairs are begins with how many were found, are right, and both. */
static void check_evaluation(const char *page)
{
    char expected[80];
    unsigned found = 0, gold = w.count == 2 ? 2 : 1, both = 0; /* gold: of ids that no record has */
    for (uint32_t a = 0; a < w.records; a++)
        for (uint32_t b = a + 1; b < w.records; b++) {
            const couple *c = &w.couples[a][b];
            int is = c->selected && is_found(c);
            found += (unsigned)is;
            gold += (unsigned)c->is_right;
            both += (unsigned)(is && c->is_right);
        }
    snprintf(expected, sizeof expected, "<td>%u</td><td>%u</td><td>%u</td>", found, gold, both);
    char *body = body_of(page, "<h3>At the threshold</h3>");
    assert_non_null(strstr(body, expected));
    free(body);
}

static void page(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 11);
    for (uint32_t tables = 1; tables <= 2; tables++) {
        ask(&random, tables, AKIN_MISSING_EQUAL, 1);
        draw_gold(&random);
        if (tables == 2)
            choose_one_to_one();
        char *text = page_of(1), *again = page_of(5);
        assert_string_equal(text, again);
        check_overall(text, ratio_of(0.45));
        check_evaluation(text);
        assert_null(strstr(text, "{{"));
        assert_null(strstr(text, "@STYLE"));
        assert_non_null(strstr(text, "</html>"));
        assert_non_null(strstr(text, tables == 2 ? "<h1 id=\"result-title\">Links</h1>"
                                                 : "<h1 id=\"result-title\">Duplicates</h1>"));
        assert_non_null(strstr(text, "<section id=\"gold\""));
        assert_true((strstr(text, "threshold, displaced by a better pair") != NULL) == (tables == 2));
        free(text);
        free(again);
        w.gold_rows = 0;
        text = page_of(2);
        check_overall(text, ratio_of(0.45));
        assert_null(strstr(text, "<section id=\"gold\""));
        assert_null(strstr(text, "data-right=\"0\" data-average"));
        free(text);
    }
}

/* ----------------------------------------------------------------------------------------------------- small tables */

#define FEW 20 /* rows, at most */

/* A table of a few rows whose columns, all alike, are compared one by one. */
typedef struct few {
    uint64_t offsets[FEW + 1];
    akin_column *columns;
    akin_attribute *attributes;
    akin_dedupe_options options;
    akin_report_options of;
    uint32_t rows;
} few;

static const akin_selection everything = {.kind = AKIN_SELECT_ALL};

static void begin_few(few *f, uint32_t columns, const char *const *values, uint32_t rows)
{
    char *bytes = calloc(rows, 4096);
    *f = (few){.options = AKIN_DEDUPE_OPTIONS_INIT, .of = AKIN_REPORT_OPTIONS_INIT, .rows = rows};
    f->columns = calloc(columns, sizeof *f->columns);
    f->attributes = calloc(columns, sizeof *f->attributes);
    assert_true(bytes && f->columns && f->attributes);
    for (uint32_t row = 0; row < rows; row++)
        put(bytes, f->offsets, row, values[row]);
    for (uint32_t c = 0; c < columns; c++) {
        f->columns[c] = (akin_column){sizeof(akin_column), "text", f->offsets, bytes, NULL, 0, NULL, 0, 0};
        f->attributes[c] = (akin_attribute){c, 0, NULL, {0, 1}, {1, 1}};
    }
    f->options.selections = &everything;
    f->options.selection_count = 1;
    f->options.attributes = f->attributes;
    f->options.attribute_count = columns;
}

static akin_report *find_few(few *f)
{
    akin_report *report = NULL;
    assert_int_equal(akin_report_create(&context, &f->of, &report, NULL), AKIN_OK);
    f->options.report = report;
    assert_int_equal(akin_dedupe(&context, f->columns, f->rows, NULL, 0, f->options.attribute_count, &f->options, NULL,
                                 NULL, NULL, NULL, NULL),
                     AKIN_OK);
    return report;
}

static void end_few(few *f)
{
    free((char *)f->columns[0].bytes);
    free(f->columns);
    free(f->attributes);
}

/* Twice 1 and 0.4 are 0.7999999999999999 on average, which reaches 0.8: in the result, and so in what it is made of. */
static void on_the_threshold(void **state)
{
    static const char *const values[] = {"abcde", "abxyz", "nothing"};
    static const uint64_t offsets[] = {0, 1};
    const akin_column gold[2] = {{sizeof gold[0], "left", offsets, "0", NULL, 0, NULL, 0, 0},
                                 {sizeof gold[0], "right", offsets, "1", NULL, 0, NULL, 0, 0}};
    akin_compare_options by = AKIN_COMPARE_OPTIONS_INIT;
    uint64_t same[] = {0, 1, 2, 3};
    few f;
    (void)state;
    begin_few(&f, 3, values, 3);
    by.comparator = AKIN_LEVENSHTEIN;
    f.attributes[2].compare = &by;
    f.columns[0].offsets = f.columns[1].offsets = same;
    f.columns[0].bytes = f.columns[1].bytes = "ssd"; /* the first two rows are alike there */
    f.options.threshold = ratio_of(0.8);
    f.of.gold[0] = &gold[0];
    f.of.gold[1] = &gold[1];
    f.of.gold_rows = 1;
    akin_report *report = find_few(&f);
    assert_int_equal(report->pair_count, 1);
    assert_true(report->pairs[0].average < 0.8 && report->pairs[0].kind == AKIN_REPORT_FOUND);
    assert_int_equal(report->found_bins[80], 1);
    assert_int_equal(report->drawn_bins[80], 1);
    for (int closed = 0; closed < 2; closed++) {
        assert_int_equal(report->gold.at[closed].both, 1);
        assert_memory_equal(&report->gold.curve[closed][80], &report->gold.at[closed], sizeof report->gold.at[closed]);
        assert_int_equal(report->gold.curve[closed][81].pairs, 0);
    }
    char *page = write_page(report);
    expect_body(page, "data-chart=\"overall\"",
                "<tr><td>0.00</td><td>0</td><td>2</td><td>0</td><td>0</td></tr>\n"
                "<tr><td>0.80</td><td>1</td><td>0</td><td>0</td><td>1</td></tr>\n");
    free(page);
    f.columns[0].bytes = f.columns[2].bytes;
    end_few(&f);
}

/* A threshold between hundredths: the pairs of its hundredth that reach it are not counted again, or estimated, as
 * pairs below it. */
static void between_hundredths(void **state)
{
    static const char *const values[] = {"abcdefg", "abcdefx", "1234567", "vwqrstu", "0"};
    akin_compare_options by = AKIN_COMPARE_OPTIONS_INIT;
    few f;
    (void)state;
    by.comparator = AKIN_LEVENSHTEIN;
    for (int sampled = 0; sampled < 2; sampled++) {
        begin_few(&f, 1, values, 5);
        f.attributes[0].compare = &by;
        f.options.threshold = ratio_of(0.855); /* 6 of 7 are 0.857 */
        f.of.margin = 0;
        akin_report *report = find_few(&f);
        report->drawn.is_all = !sampled; /* as if there were others */
        char *page = write_page(report);
        expect_body(page, "data-chart=\"overall\"",
                    sampled ? "<tr><td>0.00</td><td>0</td><td>0</td><td>9</td></tr>\n"
                              "<tr><td>0.85</td><td>1</td><td>0</td><td>0</td></tr>\n"
                            : "<tr><td>0.00</td><td>0</td><td>9</td><td>0</td></tr>\n"
                              "<tr><td>0.85</td><td>1</td><td>0</td><td>0</td></tr>\n");
        free(page);
        end_few(&f);
    }
}

/* Of long values that begin alike the page shows the part around the first difference; of values of many columns
 * little; and of equal values the beginning, in any script. */
static void long_values(void **state)
{
#define FIFTEEN "abcdefghijklmno"
#define GREEK   "\xce\xb1\xce\xb2\xce\xb3\xce\xb4\xce\xb5\xce\xb6\xce\xb7\xce\xb8\xce\xb9\xce\xba" /* ten letters */
#define GREEKS  GREEK GREEK GREEK GREEK GREEK
    static const struct {
        uint32_t columns;
        const char *values[2], *shown;
    } cases[] = {
        {200, /* 24 symbols each; two differ behind 15 */
         {FIFTEEN "-" FIFTEEN, FIFTEEN "+" FIFTEEN},
         "<td><bdi><i>\xe2\x80\xa6</i>defghijklmno-abcdefghijk<i>\xe2\x80\xa6</i></bdi>"
         "<bdi><i>\xe2\x80\xa6</i>defghijklmno+abcdefghijk<i>\xe2\x80\xa6</i></bdi></td>"},
        {200, /* behind 12: not yet */
         {"abcdefghijkl-" FIFTEEN, "abcdefghijkl+" FIFTEEN},
         "<td><bdi>abcdefghijkl-abcdefghijk<i>\xe2\x80\xa6</i></bdi>"
         "<bdi>abcdefghijkl+abcdefghijk<i>\xe2\x80\xa6</i></bdi></td>"},
        {39, /* 120 symbols; both are the same 150, of two bytes each */
         {GREEKS GREEKS GREEKS, GREEKS GREEKS GREEKS},
         "<td><bdi>" GREEKS GREEKS GREEK GREEK "<i>\xe2\x80\xa6</i></bdi>"
         "<bdi>" GREEKS GREEKS GREEK GREEK "<i>\xe2\x80\xa6</i></bdi></td>"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        few f;
        const char *values[FEW];
        for (int row = 0; row < FEW; row++)
            values[row] = cases[i].values[row % 2];
        begin_few(&f, cases[i].columns, values, FEW);
        f.options.threshold = ratio_of(0.01);
        f.of.margin = 0;
        akin_compare_options by = AKIN_COMPARE_OPTIONS_INIT;
        by.comparator = AKIN_LEVENSHTEIN;
        for (uint32_t c = 0; c < cases[i].columns; c++)
            f.attributes[c].compare = &by;
        char *page = write_page(find_few(&f));
        if (!strstr(page, cases[i].shown))
            fail_msg("case %zu: %.600s", i, strstr(page, "<td><bdi>") ? strstr(page, "<td><bdi>") : "no value");
        free(page);
        end_few(&f);
    }
}

/* ----------------------------------------------------------------------------------------------------------- memory */

#define ALIKE_MOST 1000 /* records of the same value */
#define OTHERS     20   /* and of one that is not quite the same */

typedef struct crowd {
    char bytes[5 * (ALIKE_MOST + OTHERS)];
    uint64_t offsets[ALIKE_MOST + OTHERS + 1];
} crowd;

static int take_none(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)user;
    (void)pairs;
    (void)each;
    (void)count;
    return 0;
}

/* Finds the pairs of `alike` records, and of the others, with a bound of 16 MB, and a report or none. */
static akin_status find_crowd(uint32_t alike, int one_to_one, akin_report *report, akin_context *bounded)
{
    static crowd c;
    akin_compare_options by = AKIN_COMPARE_OPTIONS_INIT;
    const akin_attribute attribute = {0, 0, &by, {0, 1}, {1, 1}};
    static const akin_column column = {sizeof column, "text", c.offsets, c.bytes, NULL, 0,
                                       NULL,          0,      0}; /* the page needs it */
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    for (uint32_t row = 0; row < alike + OTHERS; row++)
        put(c.bytes, c.offsets, row, row < alike ? "aaaaa" : "aaaab");
    by.comparator = AKIN_LEVENSHTEIN;
    options.selections = &everything;
    options.selection_count = 1;
    options.attributes = &attribute;
    options.attribute_count = 1;
    options.threshold = ratio_of(0.9);
    options.one_to_one = (uint32_t)one_to_one;
    options.report = report;
    return akin_dedupe(bounded, &column, alike + OTHERS, NULL, 0, 1, &options, take_none, NULL, NULL, NULL, NULL);
}

static const akin_wishes all_records = {.equal_rows = -1}; /* a job without a report sees them, as one with it */

static akin_context *create_small(void)
{
    akin_context_options of = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *small = NULL;
    of.threads = 1;
    of.device = "cpu";
    of.memory = (uint64_t)16 << 20;
    assert_int_equal(akin_context_create(&of, &small, NULL), AKIN_OK);
    small->wishes = &all_records;
    return small;
}

/* What is found without a report under a bound is found with one, be it without pairs below the threshold. */
static void bounded(void **state)
{
    akin_context *small = create_small();
    uint32_t with_near = 0, without_near = 0, failed[2] = {0};
    (void)state;
    for (uint32_t alike = 300; alike <= ALIKE_MOST; alike += UNDER_ASAN ? 45 : 15)
        for (int one_to_one = 0; one_to_one < 2; one_to_one++) {
            akin_report *report = NULL;
            akin_status plain = find_crowd(alike, one_to_one, NULL, small);
            assert_int_equal(akin_report_create(small, NULL, &report, NULL), AKIN_OK);
            akin_status status = find_crowd(alike, one_to_one, report, small);
            if (status != AKIN_OK && plain == AKIN_OK)
                fail_msg("%u records, one_to_one %d: %d, without a report %d", alike, one_to_one, status, plain);
            with_near += status == AKIN_OK && report->least.num < 90;
            without_near += status == AKIN_OK && report->least.num == 900000;
            failed[one_to_one] += status == AKIN_E_NOMEM;
            akin_report_free(report);
        }
    assert_true(with_near > 0 && without_near > 0);
    assert_true(failed[0] > 0 && failed[1] > failed[0]); /* so that there is no room left before */
    akin_context_free(small);
}

/* The report says how good clusters are, or that it lacks the memory to say so. */
static void closures(void **state)
{
    static const uint64_t offsets[] = {0, 1};
    const akin_column gold[2] = {{sizeof gold[0], "left", offsets, "0", NULL, 0, NULL, 0, 0},
                                 {sizeof gold[0], "right", offsets, "1", NULL, 0, NULL, 0, 0}};
    akin_context *small = create_small();
    uint32_t with = 0, without = 0;
    (void)state;
    for (uint32_t alike = 300; alike <= ALIKE_MOST; alike += 30) {
        akin_report_options of = AKIN_REPORT_OPTIONS_INIT;
        akin_report *report = NULL;
        uint64_t found = (uint64_t)alike * (alike - 1) / 2 + OTHERS * (OTHERS - 1) / 2;
        of.gold[0] = &gold[0];
        of.gold[1] = &gold[1];
        of.gold_rows = 1;
        akin_status plain = find_crowd(alike, 0, NULL, small);
        assert_int_equal(akin_report_create(small, &of, &report, NULL), AKIN_OK);
        akin_status status = find_crowd(alike, 0, report, small);
        assert_true(status == AKIN_OK || plain != AKIN_OK);
        if (status != AKIN_OK) {
            akin_report_free(report);
            continue;
        }
        const akin_report_gold *g = &report->gold;
        int there = g->has_closures;
        assert_true(g->at[0].pairs == found && g->at[0].both == 1);
        assert_true(g->curve[0][90].pairs == found && g->curve[0][100].pairs == found);
        assert_true(!there || (g->at[1].pairs == found && g->at[1].both == 1 && g->curve[1][100].pairs == found));
        with += (uint32_t)there;
        without += (uint32_t)!there;
        char *page = write_page(report);
        assert_int_equal(strstr(page, "The figures of the clusters are left out") != NULL, !there);
        assert_int_equal(strstr(page, "Pairs within clusters") != NULL, there);
        assert_int_equal(strstr(page, "F1 of clusters") != NULL, there);
        assert_non_null(strstr(page, "</html>"));
        free(page);
    }
    assert_true(with > 0 && without > 0);
    akin_context_free(small);
}

/* ---------------------------------------------------------------------------------------------------------- options */

static void refused(const akin_report_options *options, const char *message)
{
    akin_error error = {.message = ""};
    akin_report *report = NULL;
    assert_int_equal(akin_report_create(&context, options, &report, &error), AKIN_E_OPTION);
    assert_null(report);
    if (!strstr(error.message, message))
        fail_msg("'%s' does not say '%s'", error.message, message);
}

static void options(void **state)
{
    akin_report_options bad = AKIN_REPORT_OPTIONS_INIT, good = bad;
    (void)state;
    bad.margin = 1.5;
    refused(&bad, "margin 1.5");
    bad = good;
    bad.margin = NAN;
    refused(&bad, "margin");
    bad = good;
    bad.pairs = 0;
    refused(&bad, "0 pairs");
    bad = good;
    bad.gold_rows = 1;
    refused(&bad, "gold_rows is 1");
    bad = good;
    bad.size = 3;
    refused(&bad, "size is 3");
}

/* A report is of one job, and is not written before that is done; ids must be there and differ. */
static void used(void **state)
{
    static answer a;
    akin_random random;
    akin_error error = {.message = ""};
    akin_output *output = NULL;
    akin_report *report = NULL;
    akin_report_options of = AKIN_REPORT_OPTIONS_INIT;
    akin_dedupe_report figures = {.size = sizeof figures};
    (void)state;
    akin_random_seed(&random, 3);
    ask(&random, 1, AKIN_MISSING_ZERO, 1);
    draw_gold(&random);
    assert_int_equal(akin_output_open(&context, scratch_path("page.html"), &output, NULL), AKIN_OK);
    assert_int_equal(akin_report_create(&context, &of, &report, NULL), AKIN_OK);
    assert_int_equal(akin_report_write(report, output, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "of nothing yet"));
    akin_report_free(report);
    akin_output_discard(output);
    report = make_report(&a, &figures);
    akin_dedupe_options with = w.options;
    with.report = report;
    assert_int_equal(
        akin_dedupe(&context, w.tables[0].columns, ROWS, NULL, 0, COLUMNS, &with, NULL, NULL, NULL, NULL, &error),
        AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "has been used"));
    akin_report_free(report);
    for (int way = 0; way < 2; way++) {
        if (way)
            w.tables[0].id_offsets[1] = 0; /* row 0 has no id, */
        else
            memcpy(w.tables[0].ids + w.tables[0].id_offsets[1], "a0", 2); /* or row 1 that of row 0 */
        of.ids[0] = &w.tables[0].id;
        of.gold[0] = &w.gold[0];
        of.gold[1] = &w.gold[1];
        of.gold_rows = w.gold_rows;
        assert_int_equal(akin_report_create(&context, &of, &report, NULL), AKIN_OK);
        with.report = report;
        assert_int_equal(
            akin_dedupe(&context, w.tables[0].columns, ROWS, NULL, 0, COLUMNS, &with, NULL, NULL, NULL, NULL, &error),
            AKIN_E_INPUT);
        assert_non_null(strstr(error.message, way ? "row 0 of the left table has no id"
                                                  : "row 1 of the left table has the id of row 0"));
        akin_report_free(report);
    }
    akin_report_free(NULL);
}

/* A margin of 0 gathers nothing below the threshold, and pairs that are just below it are none that are found. */
static void margins(void **state)
{
    static answer a;
    akin_random random;
    akin_report *report = NULL;
    akin_report_options of = AKIN_REPORT_OPTIONS_INIT;
    uint64_t count;
    (void)state;
    akin_random_seed(&random, 5);
    ask(&random, 1, AKIN_MISSING_ZERO, 1);
    for (int way = 0; way < 2; way++) {
        akin_dedupe_options with = w.options;
        uint64_t near = 0;
        of.margin = way ? 1 : 0;
        assert_int_equal(akin_report_create(&context, &of, &report, NULL), AKIN_OK);
        with.report = report;
        find(&with, &a, &count, NULL);
        for (uint32_t k = 0; k < AKIN_CURVE_POINTS; k++)
            near += report->near_bins[k];
        akin_ratio least = way ? (akin_ratio){1, 100} : w.options.threshold;
        assert_memory_equal(&report->least, &least, sizeof least);
        assert_true(way ? near > 100 : near == 0);
        akin_report_free(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_pairs),
        cmocka_unit_test(wide),
        cmocka_unit_test(sample),
        cmocka_unit_test_setup_teardown(page, scratch_make, scratch_remove),
        cmocka_unit_test(options),
        cmocka_unit_test_setup_teardown(used, scratch_make, scratch_remove),
        cmocka_unit_test(margins),
        cmocka_unit_test(steps),
        cmocka_unit_test_setup_teardown(closures, scratch_make, scratch_remove),
        cmocka_unit_test(bounded),
        cmocka_unit_test_setup_teardown(on_the_threshold, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(between_hundredths, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(long_values, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
