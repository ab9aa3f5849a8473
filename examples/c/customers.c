/*
 * Finds the customers that are in a table more than once, and prints them.
 *
 *     customers ../data/customers.csv
 */
#include <akin.h>
#include <inttypes.h>
#include <stdio.h>

enum { ID, GIVEN_NAME, SURNAME, BORN, PHONE, COLUMNS };
static const char *const names[COLUMNS] = {"id", "given_name", "surname", "date_of_birth", "phone"};

/* Receives the pairs that belong together, in order, and puts their rows into clusters: an akin_scored_sink. */
static int take(void *user, const akin_scored_pair *pairs, const double *each, size_t count)
{
    (void)each;
    for (size_t i = 0; i < count; i++) {
        akin_pair pair = {pairs[i].left, pairs[i].right, 0};
        if (akin_clusters_add(user, &pair, &pairs[i].similarity, 1, NULL) != AKIN_OK)
            return 1;
    }
    return 0;
}

static akin_status find(akin_context *context, const akin_column *columns, uint32_t rows, akin_clusters *clusters,
                        akin_error *error)
{
    akin_compare_options names_alike = AKIN_COMPARE_OPTIONS_INIT, edits = AKIN_COMPARE_OPTIONS_INIT;
    names_alike.comparator = AKIN_JARO_WINKLER;
    const akin_attribute attributes[] = {
        {GIVEN_NAME, 0, &names_alike, {7, 10}, {1, 1}},
        {SURNAME, 0, &names_alike, {7, 10}, {2, 1}},
        {BORN, 0, &edits, {6, 10}, {2, 1}},
        {PHONE, 0, &edits, {6, 10}, {1, 1}},
    };
    /* Neighbours by surname, and all who were born on one day. */
    const akin_key_part by_surname = {.column = SURNAME, .key = AKIN_KEY_VALUE},
                        by_birth = {.column = BORN, .key = AKIN_KEY_VALUE};
    const akin_selection selections[] = {
        {.kind = AKIN_SELECT_WINDOW, .window = 8, .parts = &by_surname, .part_count = 1},
        {.kind = AKIN_SELECT_BLOCK, .parts = &by_birth, .part_count = 1},
    };
    akin_dedupe_options options = AKIN_DEDUPE_OPTIONS_INIT;
    options.attributes = attributes;
    options.attribute_count = sizeof attributes / sizeof attributes[0];
    options.selections = selections;
    options.selection_count = sizeof selections / sizeof selections[0];
    options.missing = AKIN_MISSING_SKIP;
    options.threshold = (akin_ratio){7, 10};

    uint64_t pairs = 0;
    akin_dedupe_report report = {.size = sizeof report};
    akin_status status =
        akin_dedupe(context, columns, rows, NULL, 0, COLUMNS, &options, take, clusters, &pairs, &report, error);
    if (status == AKIN_OK)
        printf("%" PRIu64 " of %" PRIu64 " pairs were compared, %" PRIu64 " belong together\n", report.pairs_selected,
               report.pairs_all, pairs);
    return status;
}

static void print_value(const akin_column *column, uint32_t row)
{
    uint64_t start = column->offsets[row];
    printf(" %.*s", (int)(column->offsets[row + 1] - start), column->bytes + start);
}

/* The clusters of more than three rows, each by its first row, and how many there are of each size. */
static void print_clusters(const akin_clusters *clusters, const akin_column *columns)
{
    uint32_t rows = akin_clusters_rows(clusters), of_size[8] = {0};
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t size = akin_clusters_size(clusters, row);
        if (akin_clusters_row(clusters, row) != row)
            continue;
        of_size[size < 8 ? size : 7]++;
        if (size <= 3)
            continue;
        printf("%" PRIu32 " rows:", size);
        for (uint32_t column = 0; column < COLUMNS; column++)
            print_value(&columns[column], row);
        printf("\n");
    }
    for (uint32_t size = 1; size < 8; size++)
        if (of_size[size] > 0)
            printf("clusters of %" PRIu32 ": %" PRIu32 "\n", size, of_size[size]);
}

int main(int argc, char **argv)
{
    akin_context *context = NULL;
    akin_table *table = NULL;
    akin_clusters *clusters = NULL;
    akin_column columns[COLUMNS];
    akin_error error;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.column_count = COLUMNS;
    options.columns = names;
    if (argc != 2) {
        fprintf(stderr, "usage: customers CUSTOMERS.csv\n");
        return 2;
    }
    akin_status status = akin_context_create(NULL, &context, &error);
    if (status == AKIN_OK)
        status = akin_table_read(context, argv[1], &options, &table, &error);
    for (uint32_t i = 0; status == AKIN_OK && i < COLUMNS; i++) {
        columns[i].size = sizeof columns[i];
        status = akin_table_column(table, i, &columns[i], &error);
    }
    if (status == AKIN_OK)
        status = akin_clusters_create(context, akin_table_rows(table), 0, &clusters, &error);
    if (status == AKIN_OK)
        status = find(context, columns, akin_table_rows(table), clusters, &error);
    if (status == AKIN_OK) {
        akin_clusters_finish(clusters);
        print_clusters(clusters, columns);
    } else {
        fprintf(stderr, "customers: %s\n", error.message);
    }
    akin_clusters_free(clusters);
    akin_table_free(table);
    akin_context_free(context);
    return status == AKIN_OK ? 0 : 1;
}
