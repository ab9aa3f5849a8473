#include <stdlib.h>
#include "join/plan.h"
akin_join_technique akin_plan_technique(akin_technique technique)
{
    static const akin_join_technique t[] = {
        0, akin_join_allpairs, akin_join_ppjoin, akin_join_groupjoin, akin_join_bitmap, akin_join_screened};
    return t[technique];
}
akin_status akin_plan_choose(akin_join_job *job, const akin_join_options *options, akin_join_report *report,
                             akin_error *error)
{
    (void)job;
    (void)error;
    report->done.technique = options->technique ? options->technique : AKIN_BITMAP;
    report->done.bits = options->bits ? options->bits : 256;
    report->done.bits_screen = report->done.bits < 128 ? report->done.bits : 128;
    const char *s = getenv("SCREEN");
    if (s)
        report->done.bits_screen = (uint32_t)atoi(s);
    return AKIN_OK;
}
