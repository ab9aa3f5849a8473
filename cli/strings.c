/* The join of strings: its options, and the join itself. */
#include "strings.h"

#include <string.h>

#include "command.h"
#include "number.h"

/* "NAME:T". */
static int check_similarity(const akin_cli_option *option, const char *text, akin_cli_strings *out)
{
    size_t length = strcspn(text, ":");
    const akin_choice *row = NULL;
    if (!out->top && !text[length] && akin_choice_find(option->choices, text, &row, NULL) == AKIN_OK && row &&
        (row->capabilities & option->capabilities))
        return akin_cli_refuse(
            "--%s %s: expected the least similarity after the name, such as %s:0.9, or beside it "
            "--top K",
            option->name, row->name, row->name);
    row = NULL;
    int status = (out->top ? akin_cli_option_choose_name : akin_cli_option_choose)(option, text, &row);
    if (status != AKIN_CLI_DONE || !row)
        return status;
    out->compare.comparator = (akin_comparator)row->value;
    out->cutoff = AKIN_CUTOFF_ANY;
    if (!text[length])
        return AKIN_CLI_DONE;
    if (akin_ratio_parse(text + length + 1, &out->cutoff, NULL) != AKIN_OK || out->cutoff.num == 0 ||
        out->cutoff.num > out->cutoff.den)
        return akin_cli_refuse(
            "--similarity %s: expected a number above 0 and at most 1 behind the colon, such as 0.8 or 2/3 (at most "
            "9 digits)",
            text);
    return AKIN_CLI_DONE;
}

/* The edits that option `name` was set to, which has perhaps a similarity beside it. */
static int check_edits(const char *name, const char *text, int has_similarity, uint32_t *out)
{
    akin_ratio distance;
    /* 2.0, as a program may write its number, is a whole one */
    const int is_read = akin_ratio_parse(text, &distance, NULL) == AKIN_OK;
    if (has_similarity && is_read && distance.num > 0 && distance.num < distance.den)
        return akin_cli_refuse(
            "--%s %s: expected a whole number of edits; a similarity is written as --similarity %s:%s", name, text,
            name, text);
    if (!is_read || distance.num % distance.den != 0)
        return akin_cli_refuse("--%s %s: expected a whole number from 0 to 999999999, of edits", name,
                               akin_cli_word(text));
    *out = distance.num / distance.den;
    return AKIN_CLI_DONE;
}

int akin_cli_strings_check(const char *levenshtein, const akin_cli_option *option, const char *similarity, uint32_t top,
                           akin_cli_strings *out)
{
    *out = (akin_cli_strings){.wanted = 1, .compare = AKIN_COMPARE_OPTIONS_INIT, .cutoff = {0, 1}, .top = top};
    if (similarity)
        return check_similarity(option, similarity, out);
    out->distance = 1;
    out->most = UINT32_MAX;
    if (levenshtein == akin_cli_lacking)
        return AKIN_CLI_DONE;
    return check_edits("levenshtein", levenshtein, 1, &out->most);
}

int akin_cli_strings_check_trees(const char *edits, const akin_cli_option *option, const char *format, uint32_t top,
                                 akin_cli_strings *out)
{
    int chosen = AKIN_TREE_BRACKETS;
    *out = (akin_cli_strings){
        .wanted = 1, .trees = 1, .distance = 1, .compare = AKIN_COMPARE_OPTIONS_INIT, .most = UINT32_MAX, .top = top};
    if (akin_cli_option_take(option, format, &chosen) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    out->tree_format = (akin_tree_format)chosen;
    return edits == akin_cli_lacking ? AKIN_CLI_DONE : check_edits("tree-edits", edits, 0, &out->most);
}

int akin_cli_strings_check_graphs(const char *edits, const char *budget, int undecided, akin_cli_strings *out)
{
    *out = (akin_cli_strings){.wanted = 1,
                              .graphs = 1,
                              .distance = 1,
                              .compare = AKIN_COMPARE_OPTIONS_INIT,
                              .budget = AKIN_GRAPHS_BUDGET,
                              .undecided = undecided};
    if (budget && !akin_cli_read_u64(budget, 1, UINT64_MAX, &out->budget))
        return akin_cli_refuse("--budget %s: expected a whole number above 0, of states", akin_cli_word(budget));
    return check_edits("graph-edits", edits, 0, &out->most);
}

const char *akin_cli_strings_name(const akin_cli_strings *strings)
{
    const akin_choice *row = akin_choice_of_value("comparators", (int)strings->compare.comparator);
    return row ? row->name : "?";
}

/* The options for the library. */
static akin_match_options options_of(const akin_cli_strings *strings)
{
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    options.compare = &strings->compare;
    options.cutoff = strings->cutoff;
    options.most = strings->most;
    options.technique = strings->technique;
    options.top = strings->top;
    return options;
}

akin_status akin_cli_strings_check_device(const akin_cli_strings *strings, const char *device, akin_error *error)
{
    akin_match_options options = options_of(strings);
    if (strings->trees || strings->graphs)
        return strncmp(device ? device : "", "cuda", 4) == 0
                   ? akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                                    "%s are joined on the CPU alone: use the device cpu or auto",
                                    strings->trees ? "trees" : "graphs")
                   : AKIN_OK;
    return akin_match_check(device, &options, error);
}

akin_status akin_cli_strings_join(akin_cli_job *job, const akin_cli_strings *strings, const akin_cli_source *left,
                                  const akin_cli_source *right, uint32_t any_order, uint32_t connecting,
                                  akin_pair_sink sink, void *user, uint64_t *count, akin_match_report *report,
                                  akin_error *error)
{
    akin_match_options options = options_of(strings);
    options.any_order = any_order;
    options.connecting = connecting;
    return akin_match(job->context, &left->strings, left->rows, right ? &right->strings : NULL, right ? right->rows : 0,
                      &options, sink, user, count, report, error);
}

/* The columns of both sides, by whose names an error says which side it is of. */
static void name_sides(const akin_cli_source *left, const akin_cli_source *right, akin_column columns[2])
{
    columns[0] = left->strings;
    columns[1] = right ? right->strings : left->strings;
    columns[0].name = "left";
    columns[1].name = "right";
}

akin_status akin_cli_strings_join_graphs(akin_cli_job *job, const akin_cli_strings *strings,
                                         const akin_cli_source *left, const akin_cli_source *right, uint32_t any_order,
                                         uint32_t connecting, akin_pair_sink sink, void *user, uint64_t *count,
                                         akin_graphs_report *report, akin_error *error)
{
    akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
    akin_column columns[2];
    options.most = strings->most;
    options.any_order = any_order;
    options.connecting = connecting;
    options.undecided = strings->undecided != 0;
    options.budget = strings->budget;
    name_sides(left, right, columns);
    return akin_graphs_join(job->context, &columns[0], left->rows, right ? &columns[1] : NULL, right ? right->rows : 0,
                            &options, sink, user, count, report, error);
}

akin_status akin_cli_strings_join_trees(akin_cli_job *job, const akin_cli_strings *strings, const akin_cli_source *left,
                                        const akin_cli_source *right, uint32_t any_order, uint32_t connecting,
                                        akin_pair_sink sink, void *user, uint64_t *count, akin_trees_report *report,
                                        akin_error *error)
{
    akin_trees_options options = AKIN_TREES_OPTIONS_INIT;
    options.format = strings->tree_format;
    options.top = strings->top;
    options.most = strings->most;
    options.any_order = any_order;
    options.connecting = connecting;
    akin_column columns[2];
    name_sides(left, right, columns);
    return akin_trees_join(job->context, &columns[0], left->rows, right ? &columns[1] : NULL, right ? right->rows : 0,
                           &options, sink, user, count, report, error);
}
