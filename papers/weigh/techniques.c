/* The rows of the paper's techniques, the options that they take, and how a GPU counts by them. */
#include "papers/weigh/techniques.h"

#include "base/scope.h"
#include "device/devices.h"
#include "papers/weigh/primitives.h"

/* -------------------------------------------------------------------------------------------------------- options */

static akin_status check_device(const akin_scope *scope, const char *name, akin_error *error)
{
    if (akin_device_is_required(scope))
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION, "the technique %s is one of a GPU: expected the device cuda, or hash", name);
}

static akin_status check_primitives(const akin_scope *scope, const akin_weigh_options *options,
                                    const akin_analysis *analysis, akin_error *error)
{
    (void)options;
    (void)analysis;
    return check_device(scope, "primitives", error);
}

static akin_status check_dictionary(const akin_scope *scope, const akin_weigh_options *options,
                                    const akin_analysis *analysis, akin_error *error)
{
    akin_status status = check_device(scope, "dictionary", error);
    if (status != AKIN_OK)
        return status;
    if (*analysis->stem || analysis->stop_count > 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "the technique dictionary looks words up as they stand: expected no %s, or hash or primitives",
                         *analysis->stem ? "stems" : "stop words");
    if (options->dictionary && options->unknown == AKIN_UNKNOWN_ADD)
        return akin_fail(
            error, AKIN_E_OPTION,
            "the technique dictionary has one id for all unknown terms: expected that they share it, or hash "
            "or primitives");
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- ways */

static akin_status begin_primitives(akin_gpu_terms *terms, const akin_trie *dictionary, akin_error *error)
{
    (void)dictionary;
    return akin_gpu_paper_begin(terms, 0, error);
}

/* Without a fixed vocabulary, akin_gpu_paper_add makes a dictionary. */
static akin_status begin_dictionary(akin_gpu_terms *terms, const akin_trie *dictionary, akin_error *error)
{
    akin_status status = akin_gpu_paper_begin(terms, 1, error);
    akin_gpu_paper *p = terms->own;
    if (status != AKIN_OK)
        return status;
    p->builds = !dictionary;
    return dictionary ? akin_gpu_paper_bring(terms, dictionary, NULL, error) : AKIN_OK;
}

#define WAY(first)                                                                                                     \
    {                                                                                                                  \
        .begin = (first), .trim = akin_gpu_paper_trim, .clear = akin_gpu_paper_clear, .count = akin_gpu_paper_count,   \
        .weigh = akin_gpu_paper_weigh                                                                                  \
    }

static const akin_gpu_way by_primitives = WAY(begin_primitives), by_dictionary = WAY(begin_dictionary);

const akin_weigh_technique_row akin_papers_weigh_techniques[AKIN_PAPERS_WEIGH_TECHNIQUES] = {
    {{"primitives", "", "sorts tokens as strings", AKIN_WEIGH_PRIMITIVES, AKIN_ON_GPU | AKIN_FROM_PAPER},
     .check = check_primitives,
     .way = &by_primitives,
     .add = akin_gpu_weigher_count},
    {{"dictionary", "", "looks words up in a frozen dictionary", AKIN_WEIGH_DICTIONARY, AKIN_ON_GPU | AKIN_FROM_PAPER},
     .check = check_dictionary,
     .way = &by_dictionary,
     .add = akin_gpu_paper_add},
};
