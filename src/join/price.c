/* What the two halves of the planner find out from samples. */
#include "join/price.h"

#include "signature/screen.h"

double akin_plan_left(const akin_plan_facts *facts, uint32_t bits)
{
    const akin_sample *sample = &facts->sample;
    uint32_t width = akin_screen_width(bits);
    double unlike = facts->compatible * sample->left[width], alike = sample->met * sample->left_of_met[width];
    return unlike > alike ? unlike : alike;
}

akin_status akin_plan_sample_visits(akin_plan_facts *facts, uint64_t tokens, const akin_sample *whole,
                                    akin_error *error)
{
    akin_sample *sample = &facts->sample;
    akin_status status = akin_sample_visits(facts->job, tokens, whole, sample, error);
    if (sample->met > facts->compatible) /* a few visits of huge sets say little about how often a pair meets */
        sample->met = facts->compatible;
    return status;
}
