/* Rules for a plan that lacks them, from the profiles of columns. */
#include "dedupe/plan.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/budget.h"
#include "base/options.h"
#include "dedupe/job.h"
#include "dedupe/plan_words.h"
#include "dedupe/profile.h"
#include "dedupe/selections.h"
#include "graph/clusterings.h"

AKIN_OPTIONS_END(akin_suggest_options, ignored_count);

#define PRECISION  "0.9" /* that is wanted of a join with a reference table */
#define REFERENCE  100   /* records of the left table, at least */
#define NEAREST    "10"  /* records that each record is compared with, for all its columns together */
#define PAIRS      20    /* pairs for each record that equal values may select, of all columns together */
#define LEAST_SIZE 10    /* records of a block that stays, at least */
#define COLUMNS    24    /* that are compared, at most */
#define EVENTS     24    /* selections by events and another column, at most */
#define CATEGORIES 3     /* values that make no blocks, if there are no more */
#define WITH_CODES 0.3   /* share of values of a column whose codes are compared */

static int lacks(const akin_dedupe_plan *plan, int option)
{
    return plan->said[option].count == 0;
}

/* A suggestion in the making. */
typedef struct suggestion {
    akin_dedupe_plan *plan;
    akin_account *account;
    akin_records records;
    akin_column *sides[2]; /* columns of one name, side by side */
    uint32_t columns;
    akin_profile *profiles;
    const char *ids[2], *sources[2]; /* columns with a part of their own; NULL: there are none */
    char *id_word, *source_word;     /* what they are in */
    char *word;                      /* room for a word: all names, in quotes */
    akin_warning_sink sink;
    void *user;
} suggestion;

/* ---------------------------------------------------------------------------------------------------------- columns */

/* The names of the column that an option says, COLUMN or LEFT=RIGHT, in each table; none: it says none. */
static akin_status read_pair(suggestion *s, int option, char **word, const char *names[2], akin_error *error)
{
    const akin_plan_said *said = s->plan->said[option].rows;
    char ended;
    if (lacks(s->plan, option))
        return AKIN_OK;
    const size_t size = strlen(said->word) + 1;
    char *text = *word = akin_alloc(s->account, size, 1);
    if (!text)
        return akin_fail_memory(error, "the profiles of columns");
    memcpy(text, said->word, size);
    names[0] = names[1] = akin_plan_take(&text, "=", &ended);
    if (names[0] && ended == '=')
        names[1] = akin_plan_take(&text, "", &ended);
    return AKIN_OK;
}

static int is_one_of(const char *const names[2], const char *name)
{
    return (names[0] && strcmp(names[0], name) == 0) || (names[1] && strcmp(names[1], name) == 0);
}

static int is_ignored(const suggestion *s, const akin_suggest_options *options, const char *name)
{
    if (is_one_of(s->ids, name) || is_one_of(s->sources, name))
        return 1;
    for (size_t i = 0; i < options->ignored_count; i++)
        if (strcmp(options->ignored[i], name) == 0)
            return 1;
    return 0;
}

/* Refuses names of columns that no table has. */
static akin_status check_ignored(const akin_suggest_options *options, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < options->ignored_count && status == AKIN_OK; i++) {
        uint32_t at;
        const char *name = options->ignored[i];
        if (!options->right || akin_table_find(options->right, name, &at, NULL) != AKIN_OK)
            status = akin_table_find(options->left, name, &at, error);
    }
    return status;
}

/* The rows of both tables. */
static akin_status take_rows(suggestion *s, const akin_suggest_options *options, akin_error *error)
{
    const uint32_t left = akin_table_rows(options->left), right = options->right ? akin_table_rows(options->right) : 0;
    s->records = (akin_records){.columns = {s->sides[0], options->right ? s->sides[1] : NULL},
                                .tables = options->right ? 2 : 1,
                                .rows = {left, right},
                                .count = left + right};
    return (uint64_t)left + right < UINT32_MAX
               ? AKIN_OK
               : akin_fail(error, AKIN_E_LIMIT, "%u and %u records: expected fewer than %u together", left, right,
                           UINT32_MAX);
}

/* Takes the columns that all tables have, in the order of the left one. */
static akin_status take_columns(suggestion *s, const akin_suggest_options *options, akin_error *error)
{
    const akin_table *left = options->left, *right = options->right;
    const uint32_t most = akin_table_columns(left);
    size_t room = 64;
    akin_status status = AKIN_OK;
    s->sides[0] = akin_alloc(s->account, most, sizeof *s->sides[0]);
    s->sides[1] = akin_alloc(s->account, most, sizeof *s->sides[1]);
    s->profiles = akin_alloc_zero(s->account, most, sizeof *s->profiles);
    if (!s->sides[0] || !s->sides[1] || !s->profiles)
        return akin_fail_memory(error, "the profiles of columns");
    for (uint32_t c = 0; c < most && status == AKIN_OK; c++) {
        akin_column *column = &s->sides[0][s->columns], *other = &s->sides[1][s->columns];
        uint32_t at;
        column->size = other->size = sizeof *column;
        status = akin_table_column(left, c, column, error);
        /* No word names a column without a name. */
        if (status != AKIN_OK || !*column->name || is_ignored(s, options, column->name) ||
            (right && akin_table_find(right, column->name, &at, NULL) != AKIN_OK))
            continue;
        if (right)
            status = akin_table_column(right, at, other, error);
        room += 4 * strlen(column->name) + 6; /* a block may name it twice */
        s->columns++;
    }
    s->word = akin_alloc(s->account, room, 1);
    if (status == AKIN_OK && !s->word)
        status = akin_fail_memory(error, "the profiles of columns");
    return status == AKIN_OK ? take_rows(s, options, error) : status;
}

/* Whether a column would be compared if there were few. */
static int is_wanted(const akin_profile *p)
{
    return p->kind != AKIN_PROFILE_EMPTY && p->kind != AKIN_PROFILE_ROWS && !p->is_repeated;
}

static int is_compared(const akin_profile *p)
{
    return is_wanted(p) && !p->is_beyond;
}

static uint32_t count_compared(const suggestion *s)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < s->columns; c++)
        count += (uint32_t)is_compared(&s->profiles[c]);
    return count;
}

/* Whether a column tells more than another one, or as much and stands before it. */
static int tells_more(const suggestion *s, uint32_t column, uint32_t other)
{
    const double a = s->profiles[column].telling, b = s->profiles[other].telling;
    return a > b || (a == b && column < other);
}

/* Keeps the COLUMNS columns that tell most. Returns how many it leaves out. */
static uint32_t keep_telling(const suggestion *s)
{
    uint32_t left_out = 0;
    for (uint32_t c = 0; c < s->columns; c++) {
        uint32_t before = 0;
        for (uint32_t other = 0; other < s->columns; other++)
            before += other != c && is_wanted(&s->profiles[other]) && tells_more(s, other, c);
        s->profiles[c].is_beyond = is_wanted(&s->profiles[c]) && before >= COLUMNS;
        left_out += (uint32_t)s->profiles[c].is_beyond;
    }
    return left_out;
}

/* Says how many columns are left out, because there are so many. */
static void explain_bound(const suggestion *s, uint32_t left_out)
{
    char text[200];
    if (left_out == 0 || !s->sink)
        return;
    snprintf(text, sizeof text, "%u columns are left out: the %d that tell records apart best are compared", left_out,
             COLUMNS);
    s->sink(s->user, text);
}

/* Says which columns are left out, and why. */
static void explain(const suggestion *s)
{
    char text[700];
    for (uint32_t c = 0; c < s->columns; c++) {
        const akin_profile *p = &s->profiles[c];
        const char *why = p->kind == AKIN_PROFILE_EMPTY  ? "hardly any record has a value, or all have the same"
                          : p->kind == AKIN_PROFILE_ROWS ? "its values are numbers of rows"
                          : p->is_repeated               ? "other columns have nearly all of its words"
                                                         : NULL;
        if (why && s->sink) {
            snprintf(text, sizeof text, "column '%.500s' is left out: %s", p->name, why);
            s->sink(s->user, text);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ words */

static akin_status add(const suggestion *s, const char *option, const char *word, akin_error *error)
{
    return akin_dedupe_plan_add(s->plan, option, word, error);
}

/* Adds a word that begins with the name of a column. */
static akin_status add_of_column(const suggestion *s, const char *option, const char *name, const char *rest,
                                 akin_error *error)
{
    char *end = akin_plan_put(s->word, name, NULL);
    memcpy(end, rest, strlen(rest) + 1);
    return add(s, option, s->word, error);
}

/* Whether a word of --combine makes a column of that name, which needs no quotes. */
static int makes_column(const char *word, const char *name)
{
    const size_t length = strlen(name);
    word += *word == '"';
    return strncmp(word, name, length) == 0 && (word[length] == '=' || word[length] == '"');
}

static int is_column(const suggestion *s, const char *name)
{
    const akin_plan_list *combined = &s->plan->said[AKIN_PLAN_COMBINE];
    for (uint64_t i = 0; i < combined->count; i++)
        if (makes_column(((const akin_plan_said *)combined->rows)[i].word, name))
            return 1;
    for (uint32_t c = 0; c < s->columns; c++)
        if (strcmp(s->profiles[c].name, name) == 0)
            return 1;
    return 0;
}

/* A name that begins so, and that no column has. */
static void name_combined(const suggestion *s, const char *start, char name[16])
{
    snprintf(name, 16, "%s", start);
    for (uint32_t n = 2; is_column(s, name); n++)
        snprintf(name, 16, "%s%u", start, n);
}

/* Combines the columns for which `takes` holds. Returns how many there are; it adds a column only if there is one. */
static akin_status combine(const suggestion *s, const char *name, int (*takes)(const akin_profile *p), uint32_t *count,
                           akin_error *error)
{
    char *end = akin_plan_put(s->word, name, NULL);
    *count = 0;
    for (uint32_t c = 0; c < s->columns; c++)
        if (takes(&s->profiles[c])) {
            *end++ = (*count)++ ? '+' : '=';
            end = akin_plan_put(end, s->profiles[c].name, NULL);
        }
    *end = '\0';
    return *count > 0 ? add(s, "combine", s->word, error) : AKIN_OK;
}

static int has_codes(const akin_profile *p)
{
    return is_compared(p) && p->kind == AKIN_PROFILE_LONG && p->codes >= WITH_CODES;
}

/* Whether records are compared by the column where none tells them apart: of a table whose records are equal, or that
 * has hardly any. */
static int is_of_equals(const akin_profile *p)
{
    return p->kind != AKIN_PROFILE_ROWS;
}

/* How values of a kind are compared: with one comparator or two, whose mean counts. */
static const struct {
    akin_profile_kind kind;
    const char *comparators[2];
} ways[] = {{AKIN_PROFILE_EVENTS, {":date/30", NULL}},     {AKIN_PROFILE_DATES, {":osa", NULL}},
            {AKIN_PROFILE_AMOUNTS, {":percent/20", NULL}}, {AKIN_PROFILE_WORD, {":osa", NULL}},
            {AKIN_PROFILE_WORDS, {":osa", ":tfidf/3"}},    {AKIN_PROFILE_LONG, {":tfidf/3", NULL}}};

/* Whether a text stands alone in one table: how alike it has to be is fixed, and is that of both comparators. */
static int is_single(const suggestion *s, const akin_profile *p)
{
    return s->records.tables == 1 && count_compared(s) == 1 &&
           (p->kind == AKIN_PROFILE_WORD || p->kind == AKIN_PROFILE_WORDS || p->kind == AKIN_PROFILE_LONG);
}

static akin_status compare_column(const suggestion *s, const akin_profile *p, akin_error *error)
{
    const akin_profile_kind kind = is_single(s, p) ? AKIN_PROFILE_WORDS : p->kind;
    akin_status status = AKIN_OK;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (size_t i = 0; i < 2 && ways[w].kind == kind && ways[w].comparators[i] && status == AKIN_OK; i++)
            status = add_of_column(s, "compare", p->name, ways[w].comparators[i], error);
    return status;
}

/* All columns by themselves, as one text, and the codes of texts. */
static akin_status suggest_comparisons(const suggestion *s, const char *record, const char *codes, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint32_t count = 0;
    for (uint32_t c = 0; c < s->columns && status == AKIN_OK; c++)
        if (is_compared(&s->profiles[c]))
            status = compare_column(s, &s->profiles[c], error);
    if (status == AKIN_OK && count_compared(s) > 1)
        status = add_of_column(s, "compare", record, ":tfidf/3", error);
    if (status == AKIN_OK && (count_compared(s) > 1 || s->records.tables == 2))
        status = combine(s, codes, has_codes, &count, error);
    return status == AKIN_OK && count > 0 ? add_of_column(s, "compare", codes, ":codes", error) : status;
}

static int makes_blocks(const akin_profile *p)
{
    return is_compared(p) && p->distinct > CATEGORIES && p->kind != AKIN_PROFILE_EVENTS;
}

/* The most records of a block, so that blocks of all columns have PAIRS pairs for each record at most. */
static uint32_t largest_block(const suggestion *s)
{
    const uint64_t most = (uint64_t)PAIRS * s->records.count;
    uint32_t size = AKIN_PROFILE_BLOCK;
    for (; size > LEAST_SIZE; size--) {
        uint64_t pairs = 0;
        for (uint32_t c = 0; c < s->columns; c++)
            pairs += makes_blocks(&s->profiles[c]) ? s->profiles[c].blocks[size] : 0;
        if (pairs <= most)
            break;
    }
    return size;
}

/* Whether equal values are shared, but by so many records that their blocks would select no pair. */
static int are_all_large(const suggestion *s, const akin_profile *p, uint32_t largest)
{
    return lacks(s->plan, AKIN_PLAN_MAX_BLOCK) && p->blocks[largest] == 0 && p->most > 1;
}

/* Writes the part of a block that values of a column share which are nearly the same. */
static void put_near(char *to, size_t room, const akin_profile *p)
{
    double width = 1;
    while (width * 500 <= p->size && width < 1e8)
        width *= 10; /* about a hundredth */
    if (p->kind == AKIN_PROFILE_AMOUNTS)
        snprintf(to, room, ":round:%.0f", width);
    else
        snprintf(to, room, "%s", p->kind == AKIN_PROFILE_DATES ? "" : ":prefix:3");
}

/* Records of neighbouring weeks whose values in another column are nearly the same. */
static akin_status block_events(const suggestion *s, const akin_profile *event, uint32_t *count, akin_error *error)
{
    char near[32];
    akin_status status = AKIN_OK;
    for (uint32_t c = 0; c < s->columns && *count < EVENTS && status == AKIN_OK; c++) {
        const akin_profile *p = &s->profiles[c];
        if (!makes_blocks(p))
            continue;
        ++*count;
        char *end = akin_plan_put(s->word, event->name, NULL);
        memcpy(end, ":week+", 6);
        end = akin_plan_put(end + 6, p->name, NULL);
        put_near(near, sizeof near, p);
        memcpy(end, near, strlen(near) + 1);
        status = add(s, "block", s->word, error);
    }
    return status;
}

static akin_status suggest_selections(const suggestion *s, const char *record, akin_error *error)
{
    const uint32_t largest = largest_block(s);
    char size[16];
    uint32_t events = 0;
    akin_status status = AKIN_OK;
    for (uint32_t c = 0; c < s->columns && status == AKIN_OK; c++)
        if (makes_blocks(&s->profiles[c]) && !are_all_large(s, &s->profiles[c], largest))
            status = add_of_column(s, "block", s->profiles[c].name, "", error);
    for (uint32_t c = 0; c < s->columns && status == AKIN_OK; c++)
        if (is_compared(&s->profiles[c]) && s->profiles[c].kind == AKIN_PROFILE_EVENTS)
            status = block_events(s, &s->profiles[c], &events, error);
    if (status == AKIN_OK) {
        char nearest[32];
        snprintf(nearest, sizeof nearest, NEAREST ":%s", record);
        status = add(s, "nearest", nearest, error);
    }
    snprintf(size, sizeof size, "%u", largest);
    if (status == AKIN_OK && lacks(s->plan, AKIN_PLAN_MAX_BLOCK))
        status = add(s, "max-block", size, error);
    return status;
}

/* Whether there is a single column, from which no weights can be learnt, and a left table that is large enough to show
 * how alike wrong partners are; and nothing else is wanted. */
static int needs_reference(const suggestion *s)
{
    return s->records.tables == 2 && count_compared(s) == 1 && s->records.rows[0] >= REFERENCE &&
           lacks(s->plan, AKIN_PLAN_PRECISION) && lacks(s->plan, AKIN_PLAN_THRESHOLD) &&
           lacks(s->plan, AKIN_PLAN_WEIGHTS) && lacks(s->plan, AKIN_PLAN_ONE_TO_ONE);
}

/* Whether the left table is taken for a reference table: see reference.h. */
static int has_reference(const suggestion *s)
{
    return !lacks(s->plan, AKIN_PLAN_PRECISION) && s->records.tables == 2 && count_compared(s) < AKIN_LEARNABLE;
}

/* Candidates in a reference table are near by characters or by words; its records may have several partners. */
static akin_status suggest_reference(const suggestion *s, const char *record, akin_error *error)
{
    char nearest[40];
    snprintf(nearest, sizeof nearest, NEAREST ":%s:words", record);
    akin_status status = add(s, "nearest", nearest, error);
    if (status == AKIN_OK && lacks(s->plan, AKIN_PLAN_CLUSTER))
        status = add(s, "cluster", akin_choice_name(&akin_clusterings, AKIN_CLUSTERING_COMPONENTS), error);
    return status;
}

static akin_status suggest_folds(const suggestion *s, akin_error *error)
{
    return lacks(s->plan, AKIN_PLAN_FOLD) ? add(s, "fold", AKIN_PLAN_ALL, error) : AKIN_OK;
}

/*
 * Rules for records that no column tells apart: those that are equal as wholes are duplicates. They stand side by side
 * in a window, which makes a chain of them.
 */
static akin_status suggest_equals(const suggestion *s, const char *record, int has_comparisons, int has_selections,
                                  akin_error *error)
{
    uint32_t count;
    const char *selection = s->records.tables == 2 ? "nearest" : "window";
    akin_status status = combine(s, record, is_of_equals, &count, error);
    if (status == AKIN_OK && count == 0)
        return akin_fail(error, AKIN_E_OPTION,
                         s->records.tables == 2
                             ? "the tables have no columns of one name that can be compared: name those to compare"
                             : "the table has no columns that can be compared");
    if (status == AKIN_OK && s->sink)
        s->sink(s->user, "no column tells records apart: records that are equal in all columns are duplicates");
    if (status == AKIN_OK && !has_comparisons)
        status = add_of_column(s, "compare", record, ":exact", error);
    if (status == AKIN_OK && !has_comparisons)
        status = suggest_folds(s, error);
    if (status == AKIN_OK && lacks(s->plan, AKIN_PLAN_WEIGHTS) && lacks(s->plan, AKIN_PLAN_THRESHOLD))
        status = add(s, "threshold", "1", error);
    if (status == AKIN_OK && !has_selections) {
        char word[32];
        snprintf(word, sizeof word, "%s:%s", s->records.tables == 2 ? NEAREST : "2", record);
        status = add(s, selection, word, error);
    }
    return status;
}

/* Comparisons, and how values are cleaned. */
static akin_status suggest_how(const suggestion *s, const char *record, akin_error *error)
{
    char codes[16];
    name_combined(s, "codes", codes);
    akin_status status = suggest_comparisons(s, record, codes, error);
    return status == AKIN_OK ? suggest_folds(s, error) : status;
}

/* Where the weights of comparisons will come from, unless the plan says it. */
static akin_weighting weights_of(const akin_dedupe_plan *plan)
{
    const int are_given = !lacks(plan, AKIN_PLAN_COMPARE) && !lacks(plan, AKIN_PLAN_THRESHOLD);
    return are_given ? AKIN_WEIGHTS_GIVEN : AKIN_WEIGHTS_LEARN;
}

static akin_status suggest(suggestion *s, const akin_scope *scope, akin_error *error)
{
    const int has_comparisons = !lacks(s->plan, AKIN_PLAN_COMPARE);
    const int has_selections = !lacks(s->plan, AKIN_PLAN_SELECTIONS);
    const int is_learnt = weights_of(s->plan) == AKIN_WEIGHTS_LEARN;
    char record[16];
    uint32_t count;
    akin_status status = akin_profile_make(scope, s->account, &s->records, s->columns, s->profiles, error);
    if (status != AKIN_OK)
        return status;
    name_combined(s, "record", record);
    if (count_compared(s) == 0)
        return suggest_equals(s, record, has_comparisons, has_selections, error);
    explain(s);
    explain_bound(s, keep_telling(s));
    status = combine(s, record, is_compared, &count, error);
    if (status == AKIN_OK && !has_comparisons)
        status = suggest_how(s, record, error);
    if (status == AKIN_OK && !has_comparisons && needs_reference(s))
        status = add(s, "precision", PRECISION, error);
    if (status == AKIN_OK && lacks(s->plan, AKIN_PLAN_WEIGHTS) && is_learnt)
        status = add(s, "weights", akin_choice_name(&akin_weightings, AKIN_WEIGHTS_LEARN), error);
    if (status == AKIN_OK && !has_selections)
        status = suggest_selections(s, record, error);
    return status == AKIN_OK && !has_selections && has_reference(s) ? suggest_reference(s, record, error) : status;
}

int akin_dedupe_plan_is_partial(const akin_dedupe_plan *plan)
{
    return lacks(plan, AKIN_PLAN_COMPARE) || lacks(plan, AKIN_PLAN_SELECTIONS);
}

akin_status akin_dedupe_plan_suggest(akin_context *context, akin_dedupe_plan *plan, const akin_suggest_options *options,
                                     akin_warning_sink sink, void *user, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_account account = {.limit = akin_budget_job(scope)};
    akin_suggest_options own = AKIN_SUGGEST_OPTIONS_INIT;
    suggestion s = {.plan = plan, .account = &account, .sink = sink, .user = user};
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_suggest_options", error);
    if (status == AKIN_OK && !own.left)
        status = akin_fail(error, AKIN_E_OPTION, "akin_suggest_options: left is NULL");
    if (status == AKIN_OK && akin_dedupe_plan_is_partial(plan)) {
        status = akin_plan_check(plan, weights_of(plan), error);
        if (status == AKIN_OK)
            status = check_ignored(&own, error);
        if (status == AKIN_OK)
            status = read_pair(&s, AKIN_PLAN_ID, &s.id_word, s.ids, error);
        if (status == AKIN_OK)
            status = read_pair(&s, AKIN_PLAN_ONE_PER_SOURCE, &s.source_word, s.sources, error);
        if (status == AKIN_OK)
            status = take_columns(&s, &own, error);
        if (status == AKIN_OK)
            status = suggest(&s, scope, error);
    }
    akin_free(s.sides[0]);
    akin_free(s.sides[1]);
    akin_free(s.profiles);
    akin_free(s.id_word);
    akin_free(s.source_word);
    akin_free(s.word);
    return status;
}
