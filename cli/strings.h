/* The join of strings: its options, and the join itself. */
#ifndef AKIN_CLI_STRINGS_H
#define AKIN_CLI_STRINGS_H

#include "command.h"
#include "source.h"

/* Which strings are paired. */
typedef struct akin_cli_strings {
    int wanted;   /* strings are joined, and not sets; 0: what follows means nothing */
    int distance; /* results have the distance of a pair instead of its similarity */
    akin_compare_options compare;
    akin_ratio cutoff; /* the least similarity; of a distance num is 0 */
    uint32_t most;     /* the largest distance */
    akin_match_technique technique;
    int trees;                    /* they are trees, compared by edits */
    int graphs;                   /* they are graphs, compared by edits */
    uint64_t budget;              /* of states of a pair of graphs */
    int undecided;                /* pairs of graphs beyond it are results without a distance */
    akin_tree_format tree_format; /* how a string is one */
    uint32_t top;                 /* how many of the best partners of each left row; 0: all pairs */
} akin_cli_strings;

/* What --levenshtein and --similarity, an option of the command, were set to: one of them, the other one is NULL. With
 * `top` above 0 D and T may be left out. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_strings_check(const char *levenshtein, const akin_cli_option *option, const char *similarity, uint32_t top,
                           akin_cli_strings *out);

/* What --tree-edits and --tree-format (NULL: not given), options of the command, were set to. With `top` above 0 the
 * number of edits may be left out. Returns AKIN_CLI_DONE or
 * AKIN_CLI_USAGE. */
int akin_cli_strings_check_trees(const char *edits, const akin_cli_option *option, const char *format, uint32_t top,
                                 akin_cli_strings *out);

/* What --graph-edits and --budget (NULL: not given) were set to. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_strings_check_graphs(const char *edits, const char *budget, int undecided, akin_cli_strings *out);

/* How a join of strings is named for people: "levenshtein", "jaro". */
const char *akin_cli_strings_name(const akin_cli_strings *strings);

/* Refuses what cannot be done on a device (as in akin_context_options), before anything is read. Errors: those of
 * akin_match_check. */
akin_status akin_cli_strings_check_device(const akin_cli_strings *strings, const char *device, akin_error *error);

/* Joins two sources (right NULL: one with itself). The rest is as in akin_match. */
akin_status akin_cli_strings_join(akin_cli_job *job, const akin_cli_strings *strings, const akin_cli_source *left,
                                  const akin_cli_source *right, uint32_t any_order, uint32_t connecting,
                                  akin_pair_sink sink, void *user, uint64_t *count, akin_match_report *report,
                                  akin_error *error);

/* The same for trees, as in akin_trees_join. The column of an error is "left" or "right". */
akin_status akin_cli_strings_join_trees(akin_cli_job *job, const akin_cli_strings *strings, const akin_cli_source *left,
                                        const akin_cli_source *right, uint32_t any_order, uint32_t connecting,
                                        akin_pair_sink sink, void *user, uint64_t *count, akin_trees_report *report,
                                        akin_error *error);

/* The same for graphs, as in akin_graphs_join. */
akin_status akin_cli_strings_join_graphs(akin_cli_job *job, const akin_cli_strings *strings,
                                         const akin_cli_source *left, const akin_cli_source *right, uint32_t any_order,
                                         uint32_t connecting, akin_pair_sink sink, void *user, uint64_t *count,
                                         akin_graphs_report *report, akin_error *error);

#endif
