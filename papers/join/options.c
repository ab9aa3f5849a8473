/* Options of the papers' joins, and what these record of a step. */
#include "papers/join/options.h"

#include "base/options.h"
#include "join/technique_rows.h"
#include "papers/join/technique.h"

AKIN_OPTIONS_END(akin_papers_join_options, reserved);
AKIN_OPTIONS_END(akin_papers_join_step, seconds_output);

#define NAMES 200 /* bytes of a list of techniques */

/* A request, and the row that serves it on a GPU. */
typedef struct request {
    const akin_annex *annex;
    const akin_technique_row *technique;
    int is_on_cpu; /* the library does it, on the CPU */
    akin_papers_join_options options;
} request;

static int can(const akin_technique_row *technique, unsigned capabilities)
{
    return (technique->choice.capabilities & capabilities) != 0;
}

/* A size of blocks is refused where there are none. */
static akin_status check_block(const request *a, akin_error *error)
{
    char names[NAMES];
    if (a->options.block == 0)
        return AKIN_OK;
    akin_technique_list(a->annex, AKIN_TAKES_BLOCK, names, sizeof names);
    if (!can(a->technique, AKIN_TAKES_BLOCK))
        return akin_fail(error, AKIN_E_OPTION, "blocks of %u sets: %s has no blocks; expected %s", a->options.block,
                         a->technique->choice.name, names);
    if (a->is_on_cpu)
        return akin_fail(error, AKIN_E_OPTION,
                         "blocks of %u sets: %s has blocks on a GPU alone; use the device cuda, or ask for none",
                         a->options.block, a->technique->choice.name);
    if (a->options.block > AKIN_BLOCK_MOST)
        return akin_fail(error, AKIN_E_OPTION, "blocks of %u sets: expected 1 to %d", a->options.block,
                         AKIN_BLOCK_MOST);
    return AKIN_OK;
}

/* What finds candidates is refused where there is no choice. */
static akin_status check_filter(const request *a, akin_error *error)
{
    const akin_technique_row *filter = akin_technique_of(a->annex, a->options.filter);
    char names[NAMES];
    if (a->options.filter == AKIN_AUTO)
        return AKIN_OK;
    akin_technique_list(a->annex, AKIN_IS_FILTER, names, sizeof names);
    if (!filter || !can(filter, AKIN_IS_FILTER))
        return akin_fail(error, AKIN_E_OPTION, "a filter by %s: expected %s",
                         filter ? filter->choice.name : "an unknown technique", names);
    if (can(a->technique, AKIN_TAKES_FILTER))
        return AKIN_OK;
    akin_technique_list(a->annex, AKIN_TAKES_FILTER, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "a filter by %s goes with the technique %s, and not with %s",
                     filter->choice.name, names, a->technique->choice.name);
}

/* Who verifies candidates is refused where there is no choice. */
static akin_status check_sharing(const request *a, akin_error *error)
{
    const char *sharing = akin_sharing_name(a->options.sharing);
    char names[NAMES];
    if (!sharing)
        return akin_fail(error, AKIN_E_OPTION, "unknown sharing %d", (int)a->options.sharing);
    int has_it = can(a->technique, AKIN_TAKES_SHARING);
    if (a->options.sharing == AKIN_SHARING_AUTO || (has_it && !a->is_on_cpu))
        return AKIN_OK;
    if (has_it)
        return akin_fail(error, AKIN_E_OPTION,
                         "sharing '%s': %s has a choice on a GPU alone; use the device cuda, or ask for none", sharing,
                         a->technique->choice.name);
    akin_technique_list(a->annex, AKIN_TAKES_SHARING, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "sharing '%s' goes with %s, on a GPU, and not with %s", sharing, names,
                     a->technique->choice.name);
}

static akin_status read_papers_options(const void *annex, akin_papers_join_options *own, akin_error *error)
{
    *own = (akin_papers_join_options)AKIN_PAPERS_JOIN_OPTIONS_INIT;
    return akin_options_read(annex, own, sizeof *own, sizeof *own, "akin_papers_join_options", error);
}

static akin_status check_join_options(const akin_annex *annex, akin_device_choice device,
                                      const akin_join_options *options, akin_error *error)
{
    const akin_technique_row *row = akin_technique_of(annex, options->technique);
    request a = {.annex = annex,
                 .technique = akin_technique_on_gpu(annex, options->technique),
                 .is_on_cpu = row && row->on_cpu && device != AKIN_DEVICE_CUDA};
    akin_status status = read_papers_options(options->annex, &a.options, error);
    if (status == AKIN_OK)
        status = check_block(&a, error);
    if (status == AKIN_OK)
        status = check_filter(&a, error);
    return status == AKIN_OK ? check_sharing(&a, error) : status;
}

const akin_join_reader akin_papers_join_readers[AKIN_PAPERS_READERS] = {
    {{"options", "", "reads the options of the papers' joins", 0, AKIN_FROM_PAPER}, check_join_options},
};

akin_papers_join_options akin_papers_join_options_of(const void *annex)
{
    akin_papers_join_options own;
    read_papers_options(annex, &own, NULL);
    return own;
}

akin_status akin_papers_join_step_read(const akin_join_step *step, akin_papers_join_step *out, akin_error *error)
{
    const double *figures = step->annex_figures;
    const akin_papers_join_step own = {.size = sizeof own,
                                       .filter = (akin_technique)step->annex_chosen[AKIN_CHOSEN_FILTER],
                                       .sharing = (akin_sharing)step->annex_chosen[AKIN_CHOSEN_SHARING],
                                       .block_pairs = (uint64_t)figures[AKIN_FIGURE_BLOCK_PAIRS],
                                       .cleared = (uint64_t)figures[AKIN_FIGURE_CLEARED],
                                       .seconds_clearing = figures[AKIN_FIGURE_CLEARING],
                                       .seconds_filter = figures[AKIN_FIGURE_FILTER],
                                       .seconds_verify = figures[AKIN_FIGURE_VERIFY],
                                       .seconds_output = figures[AKIN_FIGURE_OUTPUT]};
    return akin_options_write(&own, sizeof own, out, "akin_papers_join_step", error);
}
