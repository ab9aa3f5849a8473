/* The options of an index that tell what hash functions vectors, sets and signatures have. */
#include "functions.h"

#include <inttypes.h>
#include <stdint.h>

#include "command.h"
#include "number.h"

/* Families are of sets or of vectors, and some numbers are of some families. */
static int check_family(const akin_cli_functions_words *words, akin_search_kind kind, akin_vectors_options *out)
{
    const int of_sets = kind == AKIN_KIND_SETS;
    if (words->family && akin_family_parse(words->family, &out->family, NULL) != AKIN_OK)
        return akin_cli_refuse("--family %s: expected e2lsh-l1, e2lsh-l2, random-binning, simhash or minhash",
                               akin_cli_word(words->family));
    if ((out->family == AKIN_FAMILY_JACCARD) != of_sets)
        return akin_cli_refuse("--family %s: is for --kind %s, not for %s", words->family, of_sets ? "vectors" : "sets",
                               akin_search_kind_name(kind));
    if (words->width && out->family != AKIN_FAMILY_L1 && out->family != AKIN_FAMILY_L2)
        return akin_cli_refuse("--width: is for --family e2lsh-l1 and e2lsh-l2, not for %s",
                               akin_family_name(out->family));
    if (words->sigma && out->family != AKIN_FAMILY_LAPLACE)
        return akin_cli_refuse("--sigma: is for --family random-binning, not for %s", akin_family_name(out->family));
    if (words->buckets && out->family == AKIN_FAMILY_COSINE)
        return akin_cli_refuse("--buckets: the functions of simhash have two values, and no others");
    if (words->signatures_only && of_sets)
        return akin_cli_refuse("--signatures-only: is for --kind vectors: of sets nothing else is kept");
    return AKIN_CLI_DONE;
}

static int read_whole(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    return !text || akin_cli_read_u64(text, low, high, out)
               ? AKIN_CLI_DONE
               : akin_cli_refuse("--%s %s: expected a whole number from %" PRIu64 " to %" PRIu64, name,
                                 akin_cli_word(text), low, high);
}

/* Of numbers above 0. */
static int read_decimal(const char *name, const char *text, double low, double high, double *out)
{
    return !text || (akin_cli_read_double(text, out) && *out > 0 && *out >= low && *out <= high)
               ? AKIN_CLI_DONE
               : akin_cli_refuse("--%s %s: expected a decimal number %s", name, akin_cli_word(text),
                                 low > 0    ? "from 0.02 to 1"
                                 : high > 1 ? "above 0"
                                            : "above 0 and below 1");
}

/* How many there are: a number of them, or what they are to achieve. */
static int check_functions(const akin_cli_functions_words *words, akin_vectors_options *out)
{
    uint64_t functions = out->functions;
    if (words->functions && (words->epsilon || words->delta))
        return akin_cli_refuse("--functions %s: --%s says how many, too: expected one of them",
                               akin_cli_word(words->functions), words->epsilon ? "epsilon" : "delta");
    if (!words->epsilon != !words->delta)
        return akin_cli_refuse("--%s: expected --%s, too", words->epsilon ? "epsilon" : "delta",
                               words->epsilon ? "delta" : "epsilon");
    int status = read_whole("functions", words->functions, 1, 1000000, &functions);
    if (status == AKIN_CLI_DONE)
        status = read_decimal("epsilon", words->epsilon, 0.02, 1, &out->epsilon);
    if (status == AKIN_CLI_DONE)
        status = read_decimal("delta", words->delta, 0, 0.9999999999, &out->delta);
    out->functions = words->epsilon ? 0 : (uint32_t)functions;
    return status;
}

int akin_cli_functions_check(const akin_cli_functions_words *words, akin_search_kind kind, akin_vectors_options *out)
{
    const int of_signatures = kind == AKIN_KIND_SIGNATURES;
    const struct {
        const char *name, *word;
        int of_signatures;
    } all[] = {{"family", words->family, 0},
               {"functions", words->functions, 0},
               {"epsilon", words->epsilon, 0},
               {"delta", words->delta, 0},
               {"width", words->width, 0},
               {"buckets", words->buckets, 1},
               {"sigma", words->sigma, 0},
               {"seed", words->seed, 1},
               {"signatures-only", words->signatures_only, 0}};
    const int has_functions = kind == AKIN_KIND_VECTORS || of_signatures || (kind == AKIN_KIND_SETS && words->family);
    uint64_t buckets = 0;
    int status = AKIN_CLI_DONE;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].word && (!has_functions || (of_signatures && !all[i].of_signatures)))
            return akin_cli_refuse("--%s: is for --kind vectors%s, not for %s", all[i].name,
                                   kind == AKIN_KIND_SETS ? ", or with --family minhash" : "",
                                   akin_search_kind_name(kind));
    if (!has_functions)
        return AKIN_CLI_DONE;
    if (!of_signatures)
        status = check_family(words, kind, out);
    if (status == AKIN_CLI_DONE)
        status = check_functions(words, out);
    if (status == AKIN_CLI_DONE)
        status = read_decimal("width", words->width, 0, 1e30, &out->width);
    if (status == AKIN_CLI_DONE)
        status = read_decimal("sigma", words->sigma, 0, 1e30, &out->sigma);
    if (status == AKIN_CLI_DONE)
        status = read_whole("buckets", words->buckets, 2, INT32_MAX, &buckets);
    if (status == AKIN_CLI_DONE)
        status = read_whole("seed", words->seed, 0, UINT64_MAX, &out->seed);
    out->buckets = (uint32_t)buckets;
    out->signatures_only = words->signatures_only != NULL;
    return status;
}
