/* akin join: the pairs of similar sets or strings of one collection, or of two. */
#include "join.h"

#include "calibration.h"
#include "comparator.h"
#include "explain.h"
#include "folding.h"
#include "job_file.h"
#include "join_options.h"
#include "number.h"
#include "reading.h"
#include "sides.h"
#include "writer.h"

static const akin_cli_option options[OPTION_COUNT] = {
    [MEASURE] = {.heading = "Measure (one of them)",
                 .argument = "T",
                 .may_lack = 1,
                 .choices = "measures",
                 .capabilities = AKIN_FOR_JOIN},
    [LEVENSHTEIN] = {.name = "levenshtein",
                     .argument = "D",
                     .may_lack = 1,
                     .help = "strings at most D edits apart. An edit inserts, deletes or replaces a character"},
    [SIMILARITY] = {.name = "similarity",
                    .argument = "NAME:T",
                    .choices = "comparators",
                    .capabilities = AKIN_FOR_MATCH,
                    .help = "strings whose similarity is at least T: {}. 'akin help comparators' explains them"},
    [TREE_EDITS] = {.name = "tree-edits",
                    .argument = "K",
                    .may_lack = 1,
                    .help =
                        "trees at most K edits apart. An edit inserts, deletes or renames a node, and the children of "
                        "a deleted node take its place"},
    [GRAPH_EDITS] = {.name = "graph-edits",
                     .argument = "K",
                     .help =
                         "graphs at most K edits apart. An edit inserts, deletes or renames a node or an edge. A graph "
                         "is text such as \"C C O; 0-1:single 1-2:double\": nodes, then edges"},
    [FLOORED] = {.heading = "Similarities of Jaro", .name = "floored", .help = AKIN_CLI_JARO_FLOORED("match")},
    [PREFIX_SCALE] = {.name = "prefix-scale", .argument = "S", .help = AKIN_CLI_JARO_PREFIX_SCALE("match")},
    [BOOST_THRESHOLD] = {.name = "boost-threshold", .argument = "T", .help = AKIN_CLI_JARO_BOOST_THRESHOLD("match")},
    [TOP] = {.heading = "Best partners",
             .name = "top",
             .letter = 'k',
             .argument = "K",
             .help =
                 "only the K best partners of each left row, the best first. Partners that are equally good come in "
                 "the order of their rows. In one file, the partners of a row are all other rows. You may leave out "
                 "T, D or the number of tree edits: --jaccard --top 3"},
    [TREE_FORMAT] = {.heading = "Trees",
                     .name = "tree-format",
                     .argument = "FORMAT",
                     .choices = "tree-formats",
                     .help = "how a text is a tree: {} (default: brackets). 'akin help tree-formats' explains them"},
    [BUDGET] = {.heading = "Graphs",
                .name = "budget",
                .argument = "N",
                .help = "the most states of a search for the distance of two graphs (default: 1000000). A pair that "
                        "takes more is an error"},
    [UNDECIDED] = {.name = "undecided",
                   .help =
                       "write a pair that takes more states as one without a distance, which means that nobody knows "
                       "whether it qualifies. Not with --count, --clusters, --clusters-of or --deduplicated"},
    [INPUT] = {.heading = "Input",
               .name = "input",
               .argument = "KIND",
               .choices = "table-formats",
               .capabilities = AKIN_CAN_READ,
               .other = "ids",
               .help =
                   "what the files hold: {} (default: {table-formats:columns} by the ending of the name; other files "
                   "are text if an option for text or strings is given, else ids). A row is a record, a line of text, "
                   "or a line of token ids below 2^32"},
    [TABLE] = {AKIN_CLI_JOB_TABLE},
    [SQL] = {AKIN_CLI_JOB_SQL},
    [ON] = {.name = "on",
            .argument = "COLUMNS",
            .help =
                "the columns to compare, as A,B. LEFT=RIGHT: a column that the two files call differently. The column "
                "of a file of plain text is called text. Quote a name that has a comma or an equals sign, as in CSV. "
                "The tokens of several columns form one set. The values of several columns form one string, with "
                "blanks between"},
    [LEFT_ON] = {.name = "left-on",
                 .argument = "COLUMNS",
                 .help = "the columns of FILE, if those of FILE2 have other names"},
    [RIGHT_ON] = {.name = "right-on", .argument = "COLUMNS", .help = "the columns of FILE2"},
    [ID] = {.name = "id",
            .argument = "COLUMN",
            .help = "the column with the names of the rows, or LEFT=RIGHT (default: row numbers)"},
    [LEFT_ID] = {.name = "left-id", .argument = "COLUMN", .help = AKIN_CLI_LEFT_ID_HELP},
    [RIGHT_ID] = {.name = "right-id", .argument = "COLUMN", .help = AKIN_CLI_RIGHT_ID_HELP},
    [LOSSY] = {AKIN_CLI_READING_LOSSY},
    [SKIP_BAD] = {AKIN_CLI_JOB_SKIP_BAD},
    [BAD] = {AKIN_CLI_JOB_BAD},
    [TOKENS] = {.name = "tokens",
                .argument = "KIND",
                .choices = "tokens",
                .help = "how text is cut into tokens: {} (default: words). Words and codes ignore case. N: runs of N "
                        "words or characters"},
    [MULTISET] = {.name = "multiset", .help = "count a token as often as it occurs (default: once)"},
    [IGNORE_CASE] = {AKIN_CLI_IGNORE_CASE("ignore case, in strings and in every kind of tokens (words always do)")},
    [FOLD] = {AKIN_CLI_FOLD},
    [STOP_WORDS] = {.name = "stop-words",
                    .argument = "LIST",
                    .choices = "stop-words",
                    .help = "leave out the words of a language, {}, or of a file with one word a line"},
    [OUTPUT] = {.heading = "Output",
                .name = "output",
                .letter = 'o',
                .argument = "FILE",
                .written = 1,
                .help = "write to FILE, which appears whole or not at all (default: standard output)"},
    [FORMAT] = {.name = "format",
                .argument = "FORMAT",
                .choices = "table-formats",
                .capabilities = AKIN_CAN_WRITE,
                .help = "{} (default: by the ending of the output's name, else csv)"},
    [SAFE_CSV] = {AKIN_CLI_SAFE_CSV_OPTION},
    [REPLACE] = {AKIN_CLI_JOB_REPLACE},
    [SYNC] = {AKIN_CLI_JOB_SYNC},
    [SHOW] = {.name = "show", .argument = "COLUMNS", .help = AKIN_CLI_SHOW_HELP},
    [DIGITS] = {.name = "digits", .argument = "N", .help = AKIN_CLI_DIGITS_HELP},
    [COUNT] = {.name = "count", .help = "write only the number of pairs"},
    [CLUSTERS] = {.name = "clusters",
                  .help =
                      "write clusters in place of pairs: for each row the number and the size of its cluster, and the "
                      "first row of the cluster. With two files also the side of each row"},
    [CLUSTERS_OF] = {.name = "clusters-of", .argument = "N", .help = AKIN_CLI_CLUSTERS_OF_HELP},
    [DEDUPLICATED] =
        {.name = "deduplicated",
         .argument = "FILE",
         .written = 1,
         .help = "also write to FILE the first record of each cluster, as it stands in the input. If the input "
                 "is a folder, a pattern or @LIST, FILE is a folder that gets its files, and a job that was "
                 "stopped goes on"},
    [EXPLAIN] = {.name = "explain",
                 .help = "print to standard error how akin found the pairs, and the time of each step"},
    [QUIET] = {AKIN_CLI_JOB_QUIET},
    [TECHNIQUE] = {.heading = "Technique and resources (they never change the pairs)",
                   .name = "technique",
                   .argument = "NAME",
                   .choices = "techniques string-techniques",
                   .help =
                       "how akin finds candidates: {} (default: auto). Strings take {string-techniques}. 'akin help "
                       "techniques' explains them"},
    [BITS] = {.name = "bits",
              .argument = "N",
              .help =
                  "the width of signatures, for techniques with signatures: a power of two from 64 to 2048 (default: "
                  "akin chooses)"},
    [BLOCK] =
        {.name = "block",
         .argument = "N",
         .help = "the number of sets in a block, from 1 to 65536 (default: 15000), for {techniques:block}, and bitmap "
                 "with --device cuda"},
    [FILTER] = {.name = "filter",
                .argument = "NAME",
                .choices = "techniques",
                .capabilities = AKIN_IS_FILTER,
                .other = "auto",
                .help = "the technique that finds the candidates of hybrid: {} (default: auto, the one with the "
                        "shortest predicted time)"},
    [SHARING] = {.name = "sharing",
                 .argument = "HOW",
                 .choices = "sharings",
                 .help = "how the threads of a GPU share candidates, for hybrid, and bitmap with --device cuda: {} "
                         "(default: auto, by the size of the sets)"},
    [THREADS] = {AKIN_CLI_JOB_THREADS},
    [MEMORY] = {.name = "memory",
                .argument = "SIZE",
                .help = "a limit on the heap, at least 16M; 0: none. The rest goes to temporary files in $TMPDIR "
                        "(default: 3/4 of the memory of the system, or of the limit of the cgroup, once a join needs "
                        "more). " AKIN_CLI_JOB_SIZES},
    [DEVICE] = {.name = "device",
                .argument = "NAME",
                .help = "auto, cpu, cuda, or cuda:N for GPU N, counted from 0 (default: auto). Several GPUs share the "
                        "work: cuda:0,1, or cuda:all, which also uses the CPU"},
    [DEVICE_MEMORY] = {AKIN_CLI_JOB_DEVICE_MEMORY},
    [LIMITS] = {AKIN_CLI_JOB_LIMITS(AKIN_FOR_JOIN)},
    [JOB] = {AKIN_CLI_JOB_OPTION("")},
    [SAVE_JOB] = {AKIN_CLI_SAVE_JOB_OPTION},
    [ALLOW_PATHS] = {AKIN_CLI_ALLOW_PATHS_OPTION},
};

static int run_join(const akin_cli_arguments *arguments)
{
    akin_cli_join_request request = {.wanted.sets = AKIN_JOIN_OPTIONS_INIT};
    akin_cli_job job;
    akin_error error;
    akin_cli_report report = {
        .strings.size = sizeof report.strings, .trees.size = sizeof report.trees, .graphs.size = sizeof report.graphs};
    double seconds_read = 0;
    int status = akin_cli_join_check(arguments, &request), strings = request.wanted.strings.wanted;
    if (status == AKIN_CLI_DONE) {
        akin_status done = akin_cli_job_begin(&job, &request.resources, request.quiet, &error);
        if (done == AKIN_OK && !strings)
            akin_cli_calibration_use(job.context);
        if (done == AKIN_OK)
            done = akin_cli_join_run(&job, &request, &report, &seconds_read, &error);
        status = akin_cli_job_end(&job, done, &error);
        if (status == AKIN_CLI_DONE && request.explain && request.wanted.strings.trees)
            akin_cli_explain_trees(&request.wanted.strings, &report.trees, seconds_read);
        else if (status == AKIN_CLI_DONE && request.explain && request.wanted.strings.graphs)
            akin_cli_explain_graphs(&report.graphs, seconds_read);
        else if (status == AKIN_CLI_DONE && request.explain && strings)
            akin_cli_explain_strings(&request.wanted.strings, &report.strings, seconds_read);
        else if (status == AKIN_CLI_DONE && request.explain)
            akin_cli_explain(report.sets, request.wanted.sets.top, seconds_read);
    }
    akin_join_report_free(report.sets);
    akin_cli_join_request_clear(&request);
    return status;
}

const akin_cli_command akin_cli_join = {
    .name = "join",
    .summary = "find the pairs of similar rows, in one file or between two",
    .usage = "FILE [FILE2] MEASURE [OPTION...]",
    .about =
        "Finds every pair of similar rows in FILE, or with FILE2 every pair of a row of\n"
        "FILE (left) and a row of FILE2 (right). FILE may also be a folder, a pattern in\n"
        "quotes such as 'shards/*.csv', or @LIST, a file with a name in each line.\n"
        "\n"
        "A row is a set of tokens: words or parts of words of a text, or token ids. With\n"
        "--levenshtein or --similarity a row is a string, compared character by\n"
        "character: a column, several columns with blanks between, or a line of text.\n"
        "Case and accents count, unless you give --ignore-case or --fold. The output\n"
        "shows strings as they are in the input. With --tree-edits a row is a tree, such\n"
        "as {a{b}{c}}, a JSON value or an XML document, and with --graph-edits a graph.\n"
        "\n"
        "The answer is exact. akin writes a pair if and only if the pair reaches the\n"
        "threshold. It compares integers, so it also writes a pair exactly on the\n"
        "threshold. An empty row and a null have no partners. Rows are numbered from 0.\n"
        "Pairs are sorted by left row, then by right row. Within one file, each pair\n"
        "appears once, and the left row number is smaller than the right one.\n"
        "\n"
        "T is a number above 0 and at most 1, such as 0.8 or 2/3. N is a whole number\n"
        "above 0. D and K are whole numbers of 0 or more.\n",
    .notes =
        "Examples:\n"
        "  akin join notes.txt --tokens words --jaccard 0.8 -o pairs.csv\n"
        "      the pairs of lines that share 80 % of their words\n"
        "  akin join corpus.jsonl.zst --on text --jaccard 0.8 --deduplicated one.jsonl\n"
        "      the pairs, and one document of each cluster of near-duplicates\n"
        "  akin join corpus.jsonl.zst --on text --jaccard 0.8 --clusters -o clusters.csv\n"
        "      each document with its cluster of near-duplicates\n"
        "  akin join products.csv --on name,maker --id sku --tokens qgrams:3 --cosine 0.9\n"
        "      products whose names and makers are written alike, by their sku\n"
        "  akin join names.txt --levenshtein 2\n"
        "      the lines that are at most two edits apart\n"
        "  akin join records.jsonl --on body --tree-edits 3 --tree-format json\n"
        "      JSON values that are at most three edits apart\n"
        "  akin join molecules.csv --on graph --id name --graph-edits 2\n"
        "      molecules that are at most two atoms or bonds apart\n"
        "  akin join left.csv right.csv --on name --similarity jaro-winkler:0.92\n"
        "      similar names of two files\n"
        "  akin join names.txt --levenshtein 1 --fold all\n"
        "      the lines that are at most one edit apart, once they are folded\n"
        "  akin join names.csv list.txt --on name=text --similarity jaro-winkler \\\n"
        "        --top 3 --show name=text --digits 3\n"
        "      for each name the three most similar lines of the list, with their values\n"
        "  akin join staff.csv payroll.csv --left-on name --right-on employee --jaccard 0.8\n"
        "      two files whose columns have different names\n"
        "  zcat baskets.txt.gz | akin join - --dice 0.9 --count --explain\n"
        "      the number of pairs of similar sets of ids, and how akin found them\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_join,
};
