/* What is refused of the paper's techniques. */
#include "search/paper/choice.h"

akin_status akin_paper_check(const akin_search_options *options, int is_of_candidates, int is_gpu, akin_error *error)
{
    const akin_search_technique technique = options->technique;
    const char *name = akin_search_technique_name(technique);
    if (options->load_balance > 0 && technique != AKIN_SEARCH_CPQ && technique != AKIN_SEARCH_SPQ)
        return akin_fail(error, AKIN_E_OPTION,
                         "load is balanced by cpq and spq alone, not by the technique %s, which needs no such thing",
                         name);
    if (!akin_search_is_paper(technique))
        return AKIN_OK;
    if (options->measure != AKIN_OVERLAP)
        return akin_fail(error, AKIN_E_OPTION, "the technique %s counts, and measures nothing: expected auto or lists",
                         name);
    if (is_of_candidates && (options->candidates == 0 || technique == AKIN_SEARCH_SPQ_SCAN))
        return akin_fail(error, AKIN_E_OPTION,
                         "the technique %s: sequences are counted by cpu-idx, cpq or spq, and as candidates only",
                         name);
    if (is_gpu && technique == AKIN_SEARCH_CPU_IDX)
        return akin_fail(error, AKIN_E_OPTION,
                         "the technique cpu-idx is one of the CPU: expected the device cpu, or cpq or spq");
    if (!is_gpu && akin_search_is_gpu_paper(technique))
        return akin_fail(error, AKIN_E_OPTION, "the technique %s is one of a GPU: expected the device cuda, or cpu-idx",
                         name);
    return AKIN_OK;
}
