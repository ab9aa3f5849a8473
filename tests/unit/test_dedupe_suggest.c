/* Rules for a plan that lacks them: the words that each kind of column gets, what is left out and why, and the size of
 * blocks against a plain count of pairs. The plans finish and run. */
#define _GNU_SOURCE

#include "test_table_support.h"

#include "base/random.h"

#define ROWS 40

/* What is said of columns that are left out, a line each. */
typedef struct notes {
    char text[2000];
} notes;

static void note(void *user, const char *text)
{
    notes *n = user;
    const size_t length = strlen(n->text);
    snprintf(n->text + length, sizeof n->text - length, "%s\n", text);
}

static akin_table *read_table(const char *name, const char *text)
{
    akin_error error = {.message = ""};
    akin_table *table = NULL;
    read_bytes(name, text, strlen(text), NULL, &table, &error);
    assert_string_equal(error.message, "");
    return table;
}

/* A plan of words: option, word, ..., NULL. */
static akin_dedupe_plan *make_plan(const char *const *words)
{
    akin_dedupe_plan *plan;
    assert_int_equal(akin_dedupe_plan_create(NULL, &plan, NULL), AKIN_OK);
    for (; words && *words; words += 2)
        assert_int_equal(akin_dedupe_plan_add(plan, words[0], words[1], NULL), AKIN_OK);
    return plan;
}

/* The words of a plan, "OPTION WORD" in each line. */
static const char *words_of(const akin_dedupe_plan *plan)
{
    static const char *const options[] = {"all-pairs", "block", "nearest", "max-block", "compare",
                                          "combine",   "fold",  "weights", "threshold"};
    static char text[20000];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *word;
        for (uint64_t at = 0; (word = akin_dedupe_plan_word(plan, options[i], at)); at++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %s\n", options[i], word);
    }
    return text;
}

static int drop_pairs(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)user, (void)pairs, (void)each, (void)count;
    return 0;
}

/* Finishes the plan, and runs it over the tables. */
static void run_plan(akin_dedupe_plan *plan, const akin_table *left, const akin_table *right)
{
    const akin_table *const tables[2] = {left, right};
    akin_column columns[2][16];
    akin_error error = {.message = ""};
    akin_dedupe_plan_finish(plan, &error);
    assert_string_equal(error.message, "");
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    for (int side = 0; side < 2 && tables[side]; side++)
        for (uint32_t c = 0; c < titles->column_count; c++) {
            uint32_t at;
            columns[side][c] = (akin_column){.size = sizeof(akin_column)};
            assert_int_equal(akin_table_find(tables[side], titles->columns[c], &at, NULL), AKIN_OK);
            assert_int_equal(akin_table_column(tables[side], at, &columns[side][c], NULL), AKIN_OK);
        }
    akin_dedupe(&context, columns[0], akin_table_rows(left), right ? columns[1] : NULL,
                right ? akin_table_rows(right) : 0, titles->column_count, akin_dedupe_plan_options(plan), drop_pairs,
                NULL, NULL, NULL, &error);
    assert_string_equal(error.message, "");
}

/* The rules for tables are those, and what is said is that; they run. The same with three threads. */
static void expect_rules(const akin_suggest_options *options, const char *const *given, const char *expected,
                         const char *said)
{
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        notes n = {""};
        akin_error error = {.message = ""};
        akin_dedupe_plan *plan = make_plan(given);
        context.scope.threads = threads;
        assert_true(akin_dedupe_plan_is_partial(plan));
        akin_dedupe_plan_suggest(&context, plan, options, note, &n, &error);
        assert_string_equal(error.message, "");
        assert_false(akin_dedupe_plan_is_partial(plan));
        assert_string_equal(words_of(plan), expected);
        assert_string_equal(n.text, said);
        run_plan(plan, options->left, options->right);
        akin_dedupe_plan_free(plan);
    }
    context.scope.threads = 1;
}

static void expect_failure_to_suggest(const akin_suggest_options *options, const char *message)
{
    akin_error error = {.message = ""};
    akin_dedupe_plan *plan = make_plan(NULL);
    assert_int_equal(akin_dedupe_plan_suggest(&context, plan, options, NULL, NULL, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, message);
    akin_dedupe_plan_free(plan);
}

/* ------------------------------------------------------------------------------------------------------------ kinds */

/* A word of letters that belongs to a number. */
static const char *spell(uint32_t number)
{
    static char words[4][8];
    static unsigned next;
    char *word = words[next++ % 4];
    snprintf(word, 8, "%c%c%c%c%c", 'b' + number % 19, 'a' + number / 7 % 20, 'c' + number * 5 % 17,
             'a' + number / 3 % 13, 'd' + number * 11 % 19);
    return word;
}

/* The values of a column of a kind in a row. */
static void write_value(FILE *out, const char *kind, uint32_t row)
{
    if (strcmp(kind, "row") == 0)
        fprintf(out, "%u", row * 2 + 7);
    else if (strcmp(kind, "constant") == 0)
        fputs("x", out);
    else if (strcmp(kind, "rare") == 0)
        fputs(row == 0 ? "x" : "", out);
    else if (strcmp(kind, "event") == 0)
        fprintf(out, "2024-%02u-%02u", row % 12 + 1, row * 7 % 28 + 1);
    else if (strcmp(kind, "birth") == 0)
        fprintf(out, "%u-%02u-%02u", 1940 + row * 3 % 60, row % 12 + 1, row * 7 % 28 + 1);
    else if (strcmp(kind, "amount") == 0)
        fprintf(out, "%u.%02u", row * 37 % 90, row * 13 % 100);
    else if (strcmp(kind, "large") == 0)
        fprintf(out, "%u.5", 10000 + row * 37);
    else if (strcmp(kind, "few") == 0)
        fputs(row % 3 ? "north" : "south", out);
    else if (strcmp(kind, "word") == 0)
        fputs(spell(row), out);
    else if (strcmp(kind, "phone") == 0)
        fprintf(out, "0207 %03u %04u", row * 37 % 1000, row * 977 % 10000);
    else if (strcmp(kind, "words") == 0)
        fprintf(out, "%s %s", spell(row), spell(row * 5 + 1));
    else if (strcmp(kind, "long") == 0)
        fprintf(out, "%s of the %s and other %s", spell(row), spell(row + 50), spell(row * 3));
    else if (strcmp(kind, "coded") == 0)
        fprintf(out, "%s camera DSCW%03u with a case", spell(row), row * 7);
    else if (strcmp(kind, "other") == 0)
        fputs(spell(row * 5 + 1), out);
    else
        fail_msg("%s: there is no such kind", kind);
}

/* A table of columns: name, kind, ..., NULL. A name is written as it stands in CSV. */
static akin_table *make_table(const char *file, uint32_t rows, const char *const *columns)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (size_t i = 0; columns[i]; i += 2)
        fprintf(out, "%s%s", i ? "," : "", columns[i]);
    for (uint32_t row = 0; row < rows; row++)
        for (size_t i = 0; columns[i]; i += 2) {
            fputc(i ? ',' : '\n', out);
            write_value(out, columns[i + 1], row);
        }
    fputc('\n', out);
    fclose(out);
    akin_table *table = read_table(file, text);
    free(text);
    return table;
}

/* The rules of one table. */
static void expect_rules_of(const char *const *columns, const char *const *given, const char *expected,
                            const char *said)
{
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    akin_table *table = make_table("a.csv", ROWS, columns);
    options.left = table;
    expect_rules(&options, given, expected, said);
    akin_table_free(table);
}

#define ENDS          "fold all\nweights learn\n"
#define NEAREST_OF    "nearest 10:record\nmax-block 1000\n"
#define BOTH          "compare x:osa\ncompare x:tfidf/3\n"
#define SAYS_ROWS(x)  "column '" x "' is left out: its values are numbers of rows\n"
#define SAYS_SAME(x)  "column '" x "' is left out: hardly any record has a value, or all have the same\n"
#define SAYS_TWICE(x) "column '" x "' is left out: other columns have nearly all of its words\n"

/* Each kind by itself. A single text is compared by both comparators of texts. */
static void test_kinds(void **state)
{
    static const struct {
        const char *kind, *expected;
    } cases[] = {
        {"event", NEAREST_OF "compare x:date/30\ncombine record=x\n" ENDS},
        {"birth", "block x\n" NEAREST_OF "compare x:osa\ncombine record=x\n" ENDS},
        {"amount", "block x\n" NEAREST_OF "compare x:percent/20\ncombine record=x\n" ENDS},
        {"word", "block x\n" NEAREST_OF BOTH "combine record=x\n" ENDS},
        {"few", NEAREST_OF BOTH "combine record=x\n" ENDS},
        {"phone", "block x\n" NEAREST_OF BOTH "combine record=x\n" ENDS},
        {"words", "block x\n" NEAREST_OF BOTH "combine record=x\n" ENDS},
        {"long", "block x\n" NEAREST_OF BOTH "combine record=x\n" ENDS},
        {"coded", "block x\n" NEAREST_OF BOTH "combine record=x\n" ENDS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const columns[] = {"x", cases[i].kind, NULL};
        expect_rules_of(columns, NULL, cases[i].expected, "");
    }
}

/* Columns that say nothing are left out, beside one that is compared. */
static void test_left_out(void **state)
{
    static const char *const columns[] = {"number", "row", "same", "constant", "rare", "rare", "x", "word", NULL};
    (void)state;
    expect_rules_of(columns, NULL, "block x\n" NEAREST_OF BOTH "combine record=x\n" ENDS,
                    SAYS_ROWS("number") SAYS_SAME("same") SAYS_SAME("rare"));
}

/* A full name beside its parts; with one of them alone both stay. */
static void test_repeated(void **state)
{
    static const char *const all[] = {"first", "word", "surname", "other", "name", "words", NULL};
    static const char *const half[] = {"first", "word", "name", "words", NULL};
    (void)state;
    expect_rules_of(
        all, NULL,
        "block first\nblock surname\n" NEAREST_OF
        "compare first:osa\ncompare surname:osa\ncompare record:tfidf/3\ncombine record=first+surname\n" ENDS,
        SAYS_TWICE("name"));
    expect_rules_of(half, NULL,
                    "block first\nblock name\n" NEAREST_OF
                    "compare first:osa\ncompare name:osa\ncompare name:tfidf/3\n"
                    "compare record:tfidf/3\ncombine record=first+name\n" ENDS,
                    "");
}

/* Neighbouring weeks, with another column each. */
static void test_events(void **state)
{
    static const char *const columns[] = {"seen",  "event", "price", "amount", "sum", "large", "born",
                                          "birth", "x",     "word",  "kind",   "few", NULL};
    (void)state;
    expect_rules_of(columns, NULL,
                    "block price\nblock sum\nblock born\nblock x\nblock seen:week+price:round:1\n"
                    "block seen:week+sum:round:100\nblock seen:week+born\nblock seen:week+x:prefix:3\n" NEAREST_OF
                    "compare seen:date/30\ncompare price:percent/20\ncompare sum:percent/20\ncompare born:osa\n"
                    "compare x:osa\ncompare kind:osa\ncompare record:tfidf/3\n"
                    "combine record=seen+price+sum+born+x+kind\n" ENDS,
                    "");
}

/* Names that stand in quotes, and those that combined columns would have. */
static void test_names(void **state)
{
    static const char *const quoted[] = {"\"\"\"a\"\"\"", "word",        "b:c",   "other", "d+e",
                                         "event",         "\"f=\"\"g\"", "coded", NULL};
    static const char *const taken[] = {"record", "word", "codes", "coded", "record2", "other", "", "birth", NULL};
    static const char *const combine[] = {"combine", "record3=codes+record", "combine", "\"codes2\"=codes", NULL};
    (void)state;
    expect_rules_of(
        quoted, NULL,
        "block \"\"\"a\"\"\"\nblock \"b:c\"\nblock \"f=\"\"g\"\nblock \"d+e\":week+\"\"\"a\"\"\":prefix:3\n"
        "block \"d+e\":week+\"b:c\":prefix:3\nblock \"d+e\":week+\"f=\"\"g\":prefix:3\n" NEAREST_OF
        "compare \"\"\"a\"\"\":osa\ncompare \"b:c\":osa\ncompare \"d+e\":date/30\ncompare \"f=\"\"g\":tfidf/3\n"
        "compare record:tfidf/3\ncompare codes:codes\ncombine record=\"\"\"a\"\"\"+\"b:c\"+\"d+e\"+\"f=\"\"g\"\n"
        "combine codes=\"f=\"\"g\"\n" ENDS,
        "");
    expect_rules_of(taken, combine,
                    "block record\nblock codes\nblock record2\nnearest 10:record4\nmax-block 1000\n"
                    "compare record:osa\ncompare codes:tfidf/3\ncompare record2:osa\ncompare record4:tfidf/3\n"
                    "compare codes3:codes\ncombine record3=codes+record\ncombine \"codes2\"=codes\n"
                    "combine record4=record+codes+record2\ncombine codes3=codes\n" ENDS,
                    "");
}

/* --------------------------------------------------------------------------------------------------- given in part */

/* What is given stays, and the other half is found. */
static void test_given(void **state)
{
    static const char *const columns[] = {"x", "word", "y", "other", NULL};
    static const char *const compared[] = {"compare", "x:exact", "threshold", "0.5", "max-block", "7", NULL};
    static const char *const selected[] = {"all-pairs", "", "fold", "x:case", "threshold", "0.9", NULL};
    static const char *const only[] = {"compare", "x:exact", NULL};
    static const char *const both[] = {"all-pairs", "", "compare", "x:exact", NULL};
    (void)state;
    expect_rules_of(columns, compared,
                    "block x\nblock y\nnearest 10:record\nmax-block 7\ncompare x:exact\ncombine record=x+y\n"
                    "threshold 0.5\n",
                    "");
    expect_rules_of(columns, only,
                    "block x\nblock y\n" NEAREST_OF "compare x:exact\ncombine record=x+y\nweights learn\n", "");
    expect_rules_of(columns, selected,
                    "all-pairs \ncompare x:osa\ncompare y:osa\ncompare record:tfidf/3\ncombine record=x+y\n"
                    "fold x:case\nweights learn\nthreshold 0.9\n",
                    "");
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    akin_table *table = make_table("a.csv", ROWS, columns);
    akin_dedupe_plan *plan = make_plan(both);
    options.left = table;
    assert_false(akin_dedupe_plan_is_partial(plan));
    assert_int_equal(akin_dedupe_plan_suggest(&context, plan, &options, NULL, NULL, NULL), AKIN_OK);
    assert_string_equal(words_of(plan), "all-pairs \ncompare x:exact\n");
    akin_dedupe_plan_free(plan);
    akin_table_free(table);
}

/* Ids and ignored columns, in silence. */
static void test_ignored(void **state)
{
    static const char *const columns[] = {"\"i=d\"", "row", "x", "word", "y", "other", NULL};
    static const char *const id[] = {"id", "\"i=d\"", NULL};
    static const char *const ignored[] = {"y", "missing"};
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    (void)state;
    akin_table *table = make_table("a.csv", ROWS, columns);
    options.left = table;
    options.ignored = ignored;
    options.ignored_count = 1;
    expect_rules(&options, id, "block x\n" NEAREST_OF BOTH "combine record=x\n" ENDS, "");
    options.ignored_count = 2;
    expect_failure_to_suggest(&options, "there is no column 'missing'; the columns are: 'i=d', 'x', 'y'");
    akin_table_free(table);
}

/* Columns of one name alone, wherever they stand; ids of two names. */
static void test_two_tables(void **state)
{
    static const char *const left[] = {"a", "word", "x", "other", "number", "phone", "y", "birth", NULL};
    static const char *const right[] = {"key", "phone", "y",      "birth", "a", "word",
                                        "z",   "other", "number", "phone", NULL};
    static const char *const others[] = {"z", "word", NULL};
    static const char *const ids[] = {"id", "number=key", NULL};
    static const char *const ignored[] = {"z"};
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    (void)state;
    akin_table *one = make_table("a.csv", ROWS, left), *two = make_table("b.csv", ROWS - 9, right);
    akin_table *three = make_table("c.csv", ROWS, others);
    options.left = one;
    options.right = two;
    options.ignored = ignored;
    options.ignored_count = 1;
    expect_rules(&options, ids,
                 "block a\nblock y\n" NEAREST_OF
                 "compare a:osa\ncompare y:osa\ncompare record:tfidf/3\ncombine record=a+y\n" ENDS,
                 "");
    options.right = three;
    expect_failure_to_suggest(&options,
                              "the tables have no columns of one name that can be compared: name those to compare");
    akin_table_free(one);
    akin_table_free(two);
    akin_table_free(three);
}

#define EQUALS "compare record:exact\ncombine record=a+b\nfold all\nthreshold 1\n"

/* Tables that no column tells apart: records without rows, alone, or equal. */
static void test_equals(void **state)
{
    static const char *const texts[] = {"a,b\n", "a,b\nx,y\n", "a,b\nx,y\nx,y\n", "a,b\n\"\",x\n\"\",x\n"};
    static const char said[] = "no column tells records apart: records that are equal in all columns are duplicates\n";
    static const char *const learns[] = {"weights", "learn", NULL};
    static const char *const compares[] = {"compare", "a:osa", NULL};
    static const char *const selects[] = {"all-pairs", "", NULL};
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        akin_table *table = read_table("a.csv", texts[i]);
        options.left = table;
        options.right = NULL;
        expect_rules(&options, NULL, EQUALS, said); /* the window is not among the options that are looked at */
        expect_rules(&options, selects, "all-pairs \n" EQUALS, said);
        expect_rules(&options, compares, "compare a:osa\ncombine record=a+b\nthreshold 1\n", said);
        expect_rules(&options, learns, "compare record:exact\ncombine record=a+b\nfold all\nweights learn\n", said);
        options.right = table;
        expect_rules(&options, NULL, "nearest 10:record\n" EQUALS, said);
        akin_table_free(table);
    }
}

/* Tables without anything to compare, and no table. */
static void test_nothing(void **state)
{
    static const char *const ignored[] = {"a"};
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    (void)state;
    akin_table *table = read_table("a.csv", "a\nx\n");
    options.left = table;
    options.ignored = ignored;
    options.ignored_count = 1;
    expect_failure_to_suggest(&options, "the table has no columns that can be compared");
    options.right = table;
    expect_failure_to_suggest(&options,
                              "the tables have no columns of one name that can be compared: name those to compare");
    akin_table_free(table);
    options.left = options.right = NULL;
    expect_failure_to_suggest(&options, "akin_suggest_options: left is NULL");
}

#define WIDE 60 /* columns */

/* Of many columns those that tell most: the number of their values grows with the column. */
static void test_many_columns(void **state)
{
    char *text = NULL, said[200];
    size_t length;
    FILE *out = open_memstream(&text, &length);
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    akin_dedupe_plan *plan = make_plan(NULL);
    notes n = {""};
    uint64_t compared = 0;
    const char *word;
    (void)state;
    assert_non_null(out);
    for (uint32_t c = 0; c < WIDE; c++)
        fprintf(out, "c%u%c", c, c + 1 < WIDE ? ',' : '\n');
    for (uint32_t row = 0; row < 400; row++)
        for (uint32_t c = 0; c < WIDE; c++)
            fprintf(out, "%s%c", spell((row * 7919 + c * 31) % (2 + 3 * c)), c + 1 < WIDE ? ',' : '\n');
    fclose(out);
    akin_table *table = read_table("a.csv", text);
    free(text);
    options.left = table;
    assert_int_equal(akin_dedupe_plan_suggest(&context, plan, &options, note, &n, NULL), AKIN_OK);
    snprintf(said, sizeof said, "%u columns are left out: the 24 that tell records apart best are compared\n",
             WIDE - 24);
    assert_string_equal(n.text, said);
    for (uint64_t at = 0; (word = akin_dedupe_plan_word(plan, "compare", at)); at++)
        if (*word == 'c') {
            const unsigned long column = strtoul(word + 1, NULL, 10);
            assert_true(column >= WIDE - 24);
            compared++;
        }
    assert_int_equal(compared, 24);
    akin_dedupe_plan_free(plan);
    akin_table_free(table);
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

#define MANY    1500
#define COLUMNS 3

static uint32_t drawn[COLUMNS][MANY]; /* values; 0: missing */

/* Draws values of which some are frequent, and makes a table of them. */
static akin_table *draw_table(akin_random *random, uint32_t rows, const uint32_t values[COLUMNS])
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fputs("x,y,z\n", out);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t c = 0; c < COLUMNS; c++) {
            const uint32_t most = (uint32_t)akin_random_below(random, values[c]) + 1;
            const uint32_t value = drawn[c][row] = (uint32_t)akin_random_below(random, most + 1);
            if (value > 0) /* letters: numbers might be those of rows */
                fprintf(out, "%c%c%c", 'a' + value % 26, 'a' + value / 26 % 26, 'a' + value / 676);
            fputc(c + 1 < COLUMNS ? ',' : '\n', out);
        }
    fclose(out);
    akin_table *table = read_table("a.csv", text);
    free(text);
    return table;
}

/* The records of the block of each record. */
static uint32_t block_of(uint32_t column, uint32_t row, uint32_t rows)
{
    uint32_t count = 0;
    for (uint32_t other = 0; other < rows; other++)
        count += drawn[column][other] == drawn[column][row];
    return count;
}

/* The most records of a block, by counts of all pairs. */
static uint32_t plain_size(uint32_t rows)
{
    static uint64_t pairs[MANY + 1]; /* twice those of blocks of so many records */
    uint64_t sum = 0;
    uint32_t size = 0;
    memset(pairs, 0, sizeof pairs);
    for (uint32_t c = 0; c < COLUMNS; c++)
        for (uint32_t row = 0; row < rows; row++)
            if (drawn[c][row] > 0) {
                const uint32_t count = block_of(c, row, rows);
                pairs[count] += count - 1;
            }
    while (size < 1000 && (sum += pairs[size + 1]) <= 40ull * rows)
        size++;
    return size < 10 ? 10 : size;
}

static void test_blocks(void **state)
{
    static const uint32_t cases[][COLUMNS + 1] = {{1500, 1500, 700, 900}, {1500, 60, 50, 40}, {1500, 900, 30, 2000},
                                                  {1200, 12, 10, 8},      {300, 200, 90, 10}, {90, 4, 5, 6}};
    akin_random random;
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    uint32_t below = 0;
    (void)state;
    akin_random_seed(&random, 7);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_table *table = draw_table(&random, cases[i][0], cases[i] + 1);
        akin_dedupe_plan *plan = make_plan(NULL);
        options.left = table;
        assert_int_equal(akin_dedupe_plan_suggest(&context, plan, &options, NULL, NULL, NULL), AKIN_OK);
        const uint32_t expected = plain_size(cases[i][0]);
        assert_int_equal(atoi(akin_dedupe_plan_word(plan, "max-block", 0)), expected);
        below += expected > 10 && expected < 1000;
        run_plan(plan, table, NULL);
        akin_dedupe_plan_free(plan);
        akin_table_free(table);
    }
    assert_true(below >= 2);
}

/* ----------------------------------------------------------------------------------------------------- cancellation */

typedef struct canceller {
    uint32_t asked, at;
} canceller;

static int cancel(void *user)
{
    canceller *c = user;
    return c->asked++ >= c->at;
}

static void test_cancelled(void **state)
{
    static const char *const columns[] = {"x", "word", "y", "other", NULL};
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    canceller c;
    (void)state;
    akin_table *table = make_table("a.csv", ROWS, columns);
    options.left = table;
    context.scope.reporter.cancel = cancel;
    context.scope.reporter.user = &c;
    for (uint32_t at = 0, goes_on = 1; goes_on; at++) {
        akin_error error = {.code = AKIN_OK};
        akin_dedupe_plan *plan = make_plan(NULL);
        c = (canceller){0, at};
        const akin_status status = akin_dedupe_plan_suggest(&context, plan, &options, NULL, NULL, &error);
        goes_on = c.asked > at;
        assert_int_equal(status, goes_on ? AKIN_E_CANCELLED : AKIN_OK);
        assert_int_equal(error.code, status);
        assert_true(goes_on || at > 0);
        akin_dedupe_plan_free(plan);
    }
    context.scope.reporter.cancel = NULL;
    akin_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),     cmocka_unit_test(test_left_out),     cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_events),    cmocka_unit_test(test_names),        cmocka_unit_test(test_given),
        cmocka_unit_test(test_ignored),   cmocka_unit_test(test_two_tables),   cmocka_unit_test(test_equals),
        cmocka_unit_test(test_nothing),   cmocka_unit_test(test_many_columns), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
