/* Indexes for match-count search as akin.h has them: names, descriptions, reports, and what is refused. */
#include "base/context.h"
#include "test_text_columns.h"

#include "annex.h"
#include "device/device.h"

static akin_context context = {.scope = {.context = &context, .threads = 2}};

static akin_search_hit found[64];
static size_t found_count;

static int keep(void *user, const akin_search_hit *hits, size_t count)
{
    (void)user;
    assert_true(found_count + count <= sizeof found / sizeof *found);
    memcpy(found + found_count, hits, count * sizeof *hits);
    found_count += count;
    return 0;
}

static int refuse(void *user, const akin_search_hit *hits, size_t count)
{
    (void)user;
    (void)hits;
    return count > 0;
}

static const char *const texts[] = {"red boat", "blue boat", NULL, "red red sky"};
static const char *const numbers[] = {"1", "2.5", "", "4"};
static const char *const labels[] = {"a", "b", "", "d"};

static akin_search_index *documents(void)
{
    builder b = builder_of(texts, 4), n = builder_of(labels, 4);
    const akin_column column = builder_column(&b, "text"), names = builder_column(&n, "id");
    akin_search_index *index = NULL;
    assert_int_equal(akin_search_index_of_documents(&context, &column, 1, 4, NULL, &names, &index, NULL), AKIN_OK);
    builder_clear(&b);
    builder_clear(&n);
    return index;
}

static akin_status make_rows(const char *first, const char *second, const char *numeric, uint32_t bins,
                             akin_search_index **out, akin_error *error)
{
    builder b = builder_of(texts, 4), n = builder_of(numbers, 4);
    const akin_column columns[] = {builder_column(&b, first), builder_column(&n, second)};
    akin_rows_options options = AKIN_ROWS_OPTIONS_INIT;
    options.numeric = &numeric;
    options.numeric_count = numeric != NULL;
    options.bins = bins;
    akin_status status = akin_search_index_of_rows(&context, columns, 2, 4, &options, NULL, out, error);
    builder_clear(&b);
    builder_clear(&n);
    return status;
}

static akin_search_index *strings(uint32_t ngram)
{
    builder b = builder_of(texts, 4);
    const akin_column column = builder_column(&b, "text");
    akin_strings_options options = AKIN_STRINGS_OPTIONS_INIT;
    akin_search_index *index = NULL;
    options.ngram = ngram;
    assert_int_equal(akin_search_index_of_strings(&context, &column, 4, &options, NULL, &index, NULL), AKIN_OK);
    builder_clear(&b);
    return index;
}

static akin_status ask(const akin_search_index *index, const char *name, const char *query,
                       const akin_search_options *options, akin_search_report *report, akin_error *error)
{
    builder b = builder_of(&query, 1);
    const akin_column column = builder_column(&b, name);
    found_count = 0;
    akin_status status = akin_search(&context, index, &column, 1, 1, options, keep, NULL, report, error);
    builder_clear(&b);
    return status;
}

static void check(const akin_search_index *index, const akin_search_options *options, akin_status expected,
                  const char *why)
{
    akin_error error = {.message = ""};
    assert_int_equal(ask(index, "text", "red", options, NULL, &error), expected);
    if (!strstr(error.message, why))
        fail_msg("%s: expected %s", error.message, why);
}

static void described(void **state)
{
    akin_search_statistics about = {.size = sizeof about};
    akin_search_index *index = documents();
    const char *name;
    size_t length;
    (void)state;
    assert_int_equal(akin_search_index_describe(index, &about, NULL), AKIN_OK);
    assert_int_equal(about.kind, AKIN_KIND_DOCUMENTS);
    assert_int_equal(about.objects, 4);
    assert_int_equal(about.keywords, 4); /* red, boat, blue, sky */
    assert_int_equal(about.columns, 0);
    assert_true(akin_search_index_name(index, 3, &name, &length));
    assert_memory_equal(name, "d", length);
    assert_false(akin_search_index_name(index, 4, &name, &length));
    akin_search_index_free(index);
    assert_int_equal(make_rows("text", "age", "age", 8, &index, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_describe(index, &about, NULL), AKIN_OK);
    assert_int_equal(about.columns, 2);
    assert_int_equal(about.keywords, 3 + 3);
    assert_false(akin_search_index_name(index, 0, &name, &length));
    akin_search_index_free(index);
    index = strings(2);
    assert_int_equal(akin_search_index_describe(index, &about, NULL), AKIN_OK);
    assert_int_equal(about.ngram, 2);
    assert_int_equal(about.longest, 11);
    akin_search_index_free(index);
    akin_search_index_free(NULL);
}

static void reported(void **state)
{
    akin_search_report report = {.size = sizeof report};
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_index *index = documents();
    (void)state;
    assert_int_equal(ask(index, "text", "Red boat, red sea", NULL, &report, NULL), AKIN_OK);
    assert_int_equal(report.queries, 1);
    assert_int_equal(report.items, 2);
    assert_int_equal(report.found, 4);
    assert_int_equal(report.by_count, 1);
    assert_int_equal(report.technique, AKIN_SEARCH_LISTS);
    assert_int_equal(found_count, 4);
    static const uint32_t expected[][2] = {{0, 2}, {1, 1}, {3, 1}, {2, 0}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(found[i].object, expected[i][0]);
        assert_int_equal(found[i].count, expected[i][1]);
    }
    options.measure = AKIN_JACCARD;
    options.k = 2;
    assert_int_equal(ask(index, "text", "red sky at night", &options, &report, NULL), AKIN_OK);
    assert_int_equal(found[0].object, 3);
    assert_true(found[0].similarity == 2.0 / 4); /* red, sky of red, sky, at, night */
    assert_int_equal(found[1].object, 0);
    assert_true(found[1].similarity == 1.0 / 5);
    options.measure = AKIN_OVERLAP;
    options.least = 1;
    assert_int_equal(ask(index, "text", "nothing", &options, &report, NULL), AKIN_OK);
    assert_int_equal(found_count, 0);
    akin_search_index_free(index);
    index = strings(2);
    options.least = 0;
    options.candidates = 3;
    assert_int_equal(ask(index, "text", "red boat", &options, &report, NULL), AKIN_OK);
    assert_int_equal(found_count, 2);
    assert_int_equal(report.by_count + report.by_scan, 1);
    akin_search_index_free(index);
}

static void refused(void **state)
{
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT, none = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_index *index = documents();
    (void)state;
    options.k = 0;
    check(index, &options, AKIN_E_OPTION, "k is 0");
    options = none;
    options.one_round = 2;
    check(index, &options, AKIN_E_OPTION, "one_round 2");
    options = none;
    options.technique = (akin_search_technique)99;
    check(index, &options, AKIN_E_OPTION, "akin_search_options: there is no technique 99");
    options = none;
    options.candidates = 2;
    check(index, &options, AKIN_E_OPTION, "this is an index of documents");
    options = none;
    options.technique = AKIN_SEARCH_SCAN;
    check(index, &options, AKIN_E_OPTION, "a scan takes columns");
    options.measure = AKIN_JACCARD;
    check(index, &options, AKIN_E_OPTION, "cannot be scanned");
    options = none;
    options.weights = (const uint32_t[]){2};
    check(index, &options, AKIN_E_OPTION, "weights are of the columns of rows");
    options = none;
    options.measure = (akin_measure)5;
    check(index, &options, AKIN_E_OPTION, "measure is 5");
    check(index, NULL, AKIN_OK, "");
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    if (akin_device_find().devices == 0)
        check(index, NULL, AKIN_E_DEVICE, "GPU 0 was asked for");
    context.scope.device_choice = AKIN_DEVICE_AUTO;
    akin_sets *sets = NULL;
    const uint64_t offsets[] = {0, 0};
    assert_int_equal(akin_sets_from_arrays(&context, 1, offsets, NULL, &sets, NULL), AKIN_OK);
    assert_int_equal(akin_search_sets(&context, index, sets, NULL, keep, NULL, NULL, NULL), AKIN_E_OPTION);
    akin_search_index_free(index);
    assert_int_equal(akin_search_index_of_sets(&context, sets, NULL, &index, NULL), AKIN_OK);
    check(index, NULL, AKIN_E_OPTION, "an index of sets; expected one of documents");
    akin_search_index_free(index);
    akin_sets_free(sets);

    index = strings(0);
    options = none;
    options.measure = AKIN_DICE;
    check(index, &options, AKIN_E_OPTION, "this is an index of strings");
    options = none;
    options.candidates = 2;
    check(index, &options, AKIN_E_OPTION, "candidates need n-grams");
    options = none;
    options.least = 1;
    check(index, &options, AKIN_E_OPTION, "strings have distances");
    options = none;
    options.one_round = 1;
    check(index, &options, AKIN_E_OPTION, "how many these are");
    options = none;
    options.technique = AKIN_SEARCH_LISTS;
    check(index, &options, AKIN_E_OPTION, "is for a search with candidates");
    akin_search_index_free(index);
}

/* What the techniques of the annex refuse, and their options. */
static void annex_refused(void **state)
{
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT, none = AKIN_SEARCH_OPTIONS_INIT;
    akin_papers_search_options papers = AKIN_PAPERS_SEARCH_OPTIONS_INIT;
    akin_search_index *index = documents();
    const akin_choice *row;
    (void)state;
    context.annex = akin_papers();
    for (uint32_t i = 0; (row = akin_annex_choices(akin_papers(), "search-techniques", i)); i++) {
        options.technique = (akin_search_technique)row->value;
        check(index, &options, row->capabilities & AKIN_ON_CPU ? AKIN_OK : AKIN_E_OPTION,
              row->capabilities & AKIN_ON_CPU ? "" : "is one of a GPU: expected the device cuda, or cpu-idx");
        options.measure = AKIN_JACCARD;
        check(index, &options, AKIN_E_OPTION, "counts, and measures nothing: expected lists");
        options = none;
    }
    options.annex = &papers;
    check(index, &options, AKIN_OK, "");
    papers.load_balance = 1;
    for (uint32_t i = 0; (row = choice_of_both("search-techniques", i)); i++) {
        const int splits = row->value == AKIN_SEARCH_CPQ || row->value == AKIN_SEARCH_SPQ;
        options.technique = (akin_search_technique)row->value;
        check(index, &options, AKIN_E_OPTION,
              splits ? "is one of a GPU" : " splits no long lists, which load_balance asks for: expected cpq or spq");
    }
    papers.load_balance = 2;
    check(index, &options, AKIN_E_OPTION, "load_balance 2");
    papers = (akin_papers_search_options)AKIN_PAPERS_SEARCH_OPTIONS_INIT;
    papers.reserved = 1;
    check(index, &options, AKIN_E_OPTION, "reserved 1");
    papers.size = 1;
    check(index, &options, AKIN_E_OPTION, "akin_papers_search_options");
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    options = none;
    options.technique = AKIN_SEARCH_CPU_IDX;
    check(index, &options, AKIN_E_OPTION, "the technique cpu-idx is one of the CPU: expected the device cpu, or cpq, ");
    context.scope.device_choice = AKIN_DEVICE_AUTO;
    akin_search_index_free(index);

    index = strings(0);
    check(index, &options, AKIN_E_OPTION, "candidates among them are counted by cpu-idx, cpq or spq");
    options.technique = AKIN_SEARCH_SPQ_SCAN;
    options.candidates = 3;
    check(index, &options, AKIN_E_OPTION, "counts no strings");
    akin_search_index_free(index);
    context.annex = NULL;
}

/* Without the annex its techniques and options are refused; with it a technique finds the same. */
static void annex_needed(void **state)
{
    const akin_papers_search_options papers = AKIN_PAPERS_SEARCH_OPTIONS_INIT;
    akin_search_report report = {.size = sizeof report};
    akin_papers_search_report counted = {.size = sizeof counted};
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_index *index = documents(), *of_strings = strings(2);
    akin_search_hit expected[4];
    const akin_choice *row;
    (void)state;
    for (uint32_t i = 0; (row = akin_annex_choices(akin_papers(), "search-techniques", i)); i++) {
        options.technique = (akin_search_technique)row->value;
        check(index, &options, AKIN_E_OPTION, "call akin_context_use(context, akin_papers(), error) first");
    }
    options.technique = AKIN_SEARCH_AUTO;
    options.annex = &papers;
    check(index, &options, AKIN_E_OPTION,
          "akin_search_options: annex has options of an annex that the context does not use");
    options.annex = NULL;
    assert_int_equal(ask(index, "text", "Red boat", &options, &report, NULL), AKIN_OK);
    assert_int_equal(found_count, 4);
    memcpy(expected, found, sizeof expected);
    context.annex = akin_papers();
    options.technique = AKIN_SEARCH_CPU_IDX;
    options.annex = &papers;
    assert_int_equal(ask(index, "text", "Red boat", &options, &report, NULL), AKIN_OK);
    assert_int_equal(report.technique, AKIN_SEARCH_CPU_IDX);
    assert_int_equal(found_count, 4);
    assert_memory_equal(found, expected, sizeof expected);
    assert_int_equal(akin_papers_search_report_read(&report, &counted, NULL), AKIN_OK);
    assert_true(counted.query_bytes == 0 && counted.again == 0 && counted.seconds_match == 0);
    counted.size = 1;
    assert_int_equal(akin_papers_search_report_read(&report, &counted, NULL), AKIN_E_OPTION);
    options.candidates = 2; /* n-grams are counted by it, too */
    options.k = 1;
    assert_int_equal(ask(of_strings, "text", "red boat", &options, &report, NULL), AKIN_OK);
    assert_int_equal(report.technique, AKIN_SEARCH_CPU_IDX);
    assert_int_equal(found_count, 1);
    assert_int_equal(found[0].object, 0);
    akin_search_index_free(of_strings);
    akin_search_index_free(index);
    context.annex = NULL;
}

static void rows_refused(void **state)
{
    akin_search_index *index = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(make_rows("text", "text", NULL, 8, &index, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "column 'text' is there twice");
    assert_int_equal(make_rows("text", "", NULL, 8, &index, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "column 1 has no name");
    assert_int_equal(make_rows("text", "age", "height", 8, &index, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "numeric height: there is no such column; the columns are: text, age");
    assert_int_equal(make_rows("text", "age", "age", 0, &index, &error), AKIN_E_OPTION);
    assert_int_equal(make_rows("text", "age", "text", 8, &index, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "row 0, column 'text': 'red boat' is no number");
    assert_null(index);
    assert_int_equal(make_rows("text", "age", "age", 8, &index, &error), AKIN_OK);
    assert_int_equal(ask(index, "height", "1", NULL, NULL, &error), AKIN_E_OPTION);
    assert_string_equal(
        error.message,
        "the index has no column 'height' to look for; its columns are: text, age (leave it out, or let it be the id)");
    static const char *const bad[] = {"x", "[1", "[1,2", "[1;2]", "[a,2]", "[", "1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ask(index, "age", bad[i], NULL, NULL, &error), AKIN_E_INPUT);
        assert_non_null(strstr(error.message, "row 0, column 'age': '"));
        assert_non_null(strstr(error.message, "is neither a number nor a range"));
    }
    assert_int_equal(ask(index, "age", "[2,1]", NULL, NULL, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "row 0, column 'age': '[2,1]' is a range that ends before it begins");
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    options.weights = (const uint32_t[]){0};
    assert_int_equal(ask(index, "age", "1", &options, NULL, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "column 0 has the weight 0; expected at least 1");
    options.weights = (const uint32_t[]){1000};
    assert_int_equal(ask(index, "age", "1", &options, NULL, &error), AKIN_OK);
    assert_int_equal(found[0].count, 1000);
    akin_search_index_free(index);
}

/* Of the queries that cannot be read, the first is named, whichever thread has it. */
static void first_named(void **state)
{
    akin_search_index *index = documents();
    builder b = {0};
    akin_error error;
    (void)state;
    for (uint32_t row = 0; row < 300; row++)
        builder_add(&b, row == 77 || row == 41 || row == 290 ? "\xff" : "boat", 1);
    const akin_column column = builder_column(&b, "text");
    for (context.scope.threads = 1; context.scope.threads <= 3; context.scope.threads++) {
        assert_int_equal(akin_search(&context, index, &column, 1, 300, NULL, refuse, NULL, NULL, &error), AKIN_E_INPUT);
        assert_string_equal(error.message, "row 41, column 'text': the text is not valid UTF-8");
    }
    context.scope.threads = 2;
    akin_search_index_free(index);
    builder_clear(&b);
}

static void stopped(void **state)
{
    akin_search_index *index = documents();
    builder b = builder_of(texts, 4);
    const akin_column column = builder_column(&b, "text");
    akin_error error;
    (void)state;
    assert_int_equal(akin_search(&context, index, &column, 1, 4, NULL, refuse, NULL, NULL, &error), AKIN_E_CANCELLED);
    assert_string_equal(error.message, "cancelled by the sink of a search");
    akin_search_index_free(index);
    builder_clear(&b);
}

static void named(void **state)
{
    akin_search_kind kind = AKIN_KIND_SETS;
    akin_search_technique technique = AKIN_SEARCH_AUTO;
    (void)state;
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("search-kinds", i)); i++) {
        assert_int_equal(akin_search_kind_parse(row->name, &kind, NULL), AKIN_OK);
        assert_int_equal(kind, row->value);
        assert_string_equal(akin_search_kind_name(kind), row->name);
    }
    assert_null(akin_search_kind_name((akin_search_kind)0));
    assert_null(akin_search_kind_name((akin_search_kind)9));
    assert_string_equal(akin_certificate_name(AKIN_CERTIFICATE_NONE), "none");
    assert_string_equal(akin_certificate_name(AKIN_CERTIFIED_BY_COUNT), "by count");
    assert_string_equal(akin_certificate_name(AKIN_CERTIFIED_BY_SCAN), "by scan");
    assert_null(akin_certificate_name((akin_certificate)3));
    assert_int_equal(akin_search_kind_parse("pictures", &kind, NULL), AKIN_E_OPTION);
    for (uint32_t i = 0; (row = choice_of_both("search-techniques", i)); i++) {
        assert_int_equal(akin_search_technique_parse(akin_papers(), row->name, &technique, NULL), AKIN_OK);
        assert_int_equal(technique, row->value);
        assert_string_equal(akin_search_technique_name(akin_papers(), technique), row->name);
    }
    assert_int_equal(akin_search_technique_parse(NULL, "cpu-idx", &technique, NULL), AKIN_E_OPTION);
    assert_null(akin_search_technique_name(NULL, AKIN_SEARCH_CPU_IDX));
    assert_int_equal(akin_search_technique_parse(akin_papers(), "fast", &technique, NULL), AKIN_E_OPTION);
}

/* Each kind is made of objects in its form, and refuses others. */
static void made_of_any_kind(void **state)
{
    static const uint64_t offsets[] = {0, 2, 4}, two[] = {0, 1, 2};
    static const uint32_t tokens[] = {5, 7};
    const akin_column text = {.size = sizeof text, .name = "text", .offsets = offsets, .bytes = "{}{}"};
    const akin_matrix bytes = {sizeof bytes, 2, 2, AKIN_NUMBER_U8, 0, "abcd"};
    akin_context *context = NULL;
    akin_sets *sets = NULL;
    const akin_choice *row;
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(akin_sets_from_arrays(context, 2, two, tokens, &sets, NULL), AKIN_OK);
    const akin_search_objects given[] = {{.size = sizeof *given, .sets = sets},
                                         {.size = sizeof *given, .matrix = &bytes},
                                         {.size = sizeof *given, .columns = &text, .column_count = 1, .rows = 2}};
    for (uint32_t i = 0; (row = akin_choices("search-kinds", i)); i++) {
        int made = 0;
        assert_true(akin_search_facts_of((akin_search_kind)row->value, 0) ||
                    akin_search_facts_of((akin_search_kind)row->value, 1));
        for (int form = 0; form < 3; form++) {
            akin_search_statistics about = {.size = sizeof about};
            akin_search_index *index = NULL;
            akin_error error;
            akin_status status =
                akin_search_index_make(context, (akin_search_kind)row->value, &given[form], NULL, NULL, &index, &error);
            if (status != AKIN_OK) {
                assert_int_equal(status, AKIN_E_OPTION);
                assert_non_null(strstr(error.message, "is not made of these objects: expected one of "));
                continue;
            }
            assert_int_equal(akin_search_index_describe(index, &about, NULL), AKIN_OK);
            assert_int_equal(about.kind, row->value);
            assert_int_equal(about.objects, 2);
            assert_non_null(akin_search_facts_of(about.kind, about.functions > 0));
            akin_search_index_free(index);
            made++;
        }
        assert_int_equal(made, 1);
    }
    akin_sets_free(sets);
    akin_context_free(context);
}

static void facts(void **state)
{
    const akin_search_facts *sets = akin_search_facts_of(AKIN_KIND_SETS, 0);
    (void)state;
    assert_string_equal(akin_search_facts_of(AKIN_KIND_SETS, 1)->title, "sets by MinHash");
    assert_null(akin_search_facts_of(AKIN_KIND_DOCUMENTS, 1));
    assert_null(akin_search_facts_of(AKIN_KIND_VECTORS, 0));
    assert_null(akin_search_facts_of((akin_search_kind)0, 0));
    assert_true(akin_search_facts_take(sets, "measure"));
    assert_false(akin_search_facts_take(sets, "meas"));
    assert_false(akin_search_facts_take(sets, "scan"));
}

/* Strings of several columns are those of the column that they are combined in, and queries likewise. */
static void several_columns(void **state)
{
    static const char *const first[] = {"Ann", "", NULL, "Bob"}, *const second[] = {"Lee", "Lee", "Ulm", NULL};
    static const char *const both[] = {"Ann Lee", "Lee", "Ulm", "Bob"}, *const asked[] = {"Bo", "b"};
    builder builders[] = {builder_of(first, 4), builder_of(second, 4), builder_of(both, 4), builder_of(&asked[0], 1),
                          builder_of(&asked[1], 1)};
    akin_column columns[5];
    akin_strings_options strings_options = AKIN_STRINGS_OPTIONS_INIT;
    akin_search_index_options options = AKIN_SEARCH_INDEX_OPTIONS_INIT;
    akin_search_index *index = NULL, *longer = NULL;
    (void)state;
    for (int i = 0; i < 5; i++)
        columns[i] = builder_column(&builders[i], "text");
    strings_options.folds = AKIN_FOLD_CASE;
    options.strings = &strings_options;
    const akin_search_objects objects = {.size = sizeof objects, .columns = columns, .column_count = 2, .rows = 4};
    assert_int_equal(akin_search_index_make(&context, AKIN_KIND_STRINGS, &objects, &options, NULL, &index, NULL),
                     AKIN_OK);
    for (uint32_t row = 0; row < 4; row++) {
        assert_int_equal(ask(index, "q", both[row], NULL, NULL, NULL), AKIN_OK);
        assert_int_equal(found[0].object, row);
        assert_int_equal(found[0].count, 0);
    }
    found_count = 0;
    assert_int_equal(akin_search(&context, index, columns + 3, 2, 1, NULL, keep, NULL, NULL, NULL), AKIN_OK);
    assert_int_equal(found[0].object, 3);
    assert_int_equal(found[0].count, 1); /* "Bo b" */
    assert_int_equal(akin_search_index_append(&context, index, columns, 2, 4, NULL, NULL, &longer, NULL), AKIN_OK);
    assert_int_equal(ask(longer, "q", "ann lee", NULL, NULL, NULL), AKIN_OK);
    assert_true(found[0].object == 0 && found[1].object == 4 && found[1].count == 0);
    akin_search_index_free(index);
    akin_search_index_free(longer);
    for (int i = 0; i < 5; i++)
        builder_clear(&builders[i]);
}

/* Texts that an index of documents is extended by are counted as those it is made of, and described alike. */
static void brief_documents(void **state)
{
    static const char *const strings[] = {"the red boat", "a boat", "...", "", "one two three four", NULL, "boat"};
    builder b = builder_of(strings, 7);
    const akin_column column = builder_column(&b, "text");
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        akin_text_counts made = {0, 0}, added = {7, 5}; /* to which they are added */
        akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
        akin_search_index *index = NULL, *longer = NULL, *longest = NULL;
        akin_search_statistics about = {.size = sizeof about};
        context.scope.threads = threads;
        text.tokens = AKIN_TOKENS_SHINGLES;
        text.q = 4;
        text.counts = &made;
        assert_int_equal(akin_search_index_of_documents(&context, &column, 1, 2, &text, NULL, &index, NULL), AKIN_OK);
        assert_true(made.texts == 2 && made.brief == 2);
        assert_int_equal(akin_search_index_append(&context, index, &column, 1, 7, NULL, &added, &longer, NULL),
                         AKIN_OK);
        assert_int_equal(added.texts, 7 + 4);
        assert_int_equal(added.brief, 5 + 3);
        assert_int_equal(akin_search_index_append(&context, longer, &column, 1, 1, NULL, &added, &longest, NULL),
                         AKIN_OK);
        assert_int_equal(added.texts, 7 + 4 + 1);
        assert_int_equal(akin_search_index_describe(longest, &about, NULL), AKIN_OK);
        assert_true(about.tokens == AKIN_TOKENS_SHINGLES && about.q == 4);
        akin_search_index_free(index);
        akin_search_index_free(longer);
        akin_search_index_free(longest);
    }
    context.scope.threads = 2;
    builder_clear(&b);
}

/* Strings and queries of code points are UTF-8; those of bytes may be anything. */
static void code_points(void **state)
{
    static const char *const bad[] = {"caf\xc3\xa9", "caf\xe9"};
    builder b = builder_of(bad, 2);
    const akin_column column = builder_column(&b, "name");
    akin_strings_options options = AKIN_STRINGS_OPTIONS_INIT;
    akin_search_index *index = NULL;
    akin_error error = {.message = ""};
    (void)state;
    assert_int_equal(akin_search_index_of_strings(&context, &column, 2, &options, NULL, &index, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "name: row 1 is not UTF-8");
    assert_int_equal(error.reason, AKIN_REASON_NOT_UTF8);
    assert_int_equal(error.row, 1);
    options.bytes = 2;
    assert_int_equal(akin_search_index_of_strings(&context, &column, 2, &options, NULL, &index, &error), AKIN_E_OPTION);
    options.bytes = 1;
    assert_int_equal(akin_search_index_of_strings(&context, &column, 2, &options, NULL, &index, &error), AKIN_OK);
    assert_int_equal(ask(index, "query", "caf", NULL, NULL, &error), AKIN_OK);
    assert_int_equal(found[0].object, 1); /* one byte away, and the other one two */
    akin_search_index_free(index);
    options.bytes = 0;
    assert_int_equal(akin_search_index_of_strings(&context, &column, 1, &options, NULL, &index, &error), AKIN_OK);
    assert_int_equal(ask(index, "query", "caf", NULL, NULL, &error), AKIN_OK);
    assert_int_equal(found[0].count, 1);
    assert_int_equal(ask(index, "query", "caf\xe9", NULL, NULL, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "query: row 0 is not UTF-8");
    akin_search_index_free(index);
    builder_clear(&b);
}

/* All of them are candidates and equally near, more than are compared before a caller is asked whether to go on. */
static void many_candidates(void **state)
{
    enum { STRINGS = 5000 };
    static char text[STRINGS][24];
    static const char *rows[STRINGS];
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_strings_options ngrams = AKIN_STRINGS_OPTIONS_INIT;
    akin_search_index *index = NULL;
    (void)state;
    for (int i = 0; i < STRINGS; i++) {
        snprintf(text[i], sizeof text[i], "abcdefgh%04d", i);
        rows[i] = text[i];
    }
    builder b = builder_of(rows, STRINGS);
    const akin_column column = builder_column(&b, "text");
    ngrams.ngram = 3;
    options.k = 2;
    options.candidates = STRINGS;
    options.one_round = 1;
    assert_int_equal(akin_search_index_of_strings(&context, &column, STRINGS, &ngrams, NULL, &index, NULL), AKIN_OK);
    assert_int_equal(ask(index, "text", "abcdefghxxxx", &options, NULL, NULL), AKIN_OK);
    assert_int_equal(found_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(found[i].object, i);
        assert_int_equal(found[i].count, 4); /* edits */
        assert_int_equal(found[i].certificate, AKIN_CERTIFIED_BY_COUNT);
    }
    akin_search_index_free(index);
    builder_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(described),        cmocka_unit_test(reported),        cmocka_unit_test(refused),
        cmocka_unit_test(annex_refused),    cmocka_unit_test(annex_needed),    cmocka_unit_test(rows_refused),
        cmocka_unit_test(stopped),          cmocka_unit_test(named),           cmocka_unit_test(first_named),
        cmocka_unit_test(made_of_any_kind), cmocka_unit_test(facts),           cmocka_unit_test(code_points),
        cmocka_unit_test(several_columns),  cmocka_unit_test(brief_documents), cmocka_unit_test(many_candidates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
