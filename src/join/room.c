/* Adds up the arrays that each technique allocates. */
#include "join/room.h"

#include "join/sample.h"
#include "join/token_blocks.h"

#define BESIDE      (double)(1 << 20) /* samples, tasks, tables of sizes */
#define LISTS_LEAST 4 /* a screened join leaves a part in this number of the room for its lists, or room for all */

/* A projection is learnt from signs, slopes and shares of all tokens, and from some sampled sets. */
#define PROJECTED 9.0

/* The marks of all threads. */
static double marks_bytes(const akin_join_job *job)
{
    return job->threads * (double)job->indexed->universe / 8;
}

/* The sets of both sides. */
static double sets_of_both(const akin_join_job *job)
{
    return (double)job->indexed->count + (job->self ? 0 : job->probes->count);
}

double akin_room_prefix(const akin_join_job *job, const akin_join_step *step)
{
    const double universe = (double)job->indexed->universe, entries = job->indexed->count;
    const double postings = akin_sample_postings(job, job->indexed, AKIN_PREFIX_INDEXED);
    const double groups = step->technique == AKIN_GROUPJOIN ? 4 * sets_of_both(job) : 0;
    return BESIDE + marks_bytes(job) + 8 * universe + (step->technique == AKIN_ALLPAIRS ? 4 : 8) * postings +
           job->threads * (8 * universe + 8 * entries) + groups;
}

double akin_room_bitmap(const akin_join_job *job, const akin_join_step *step)
{
    const double wide = step->bits / 8.0, narrow = step->bits_screen / 8.0;
    const double order = 8, keys = 16, slack = akin_rule_divides(job->threshold.rule) ? 8 : 0;
    const double laid_out = narrow + (step->bits != step->bits_screen ? wide : 0);
    /* in a self-join the narrow signatures are laid out in rows and in strips */
    return BESIDE + marks_bytes(job) + PROJECTED * (double)job->indexed->universe +
           sets_of_both(job) * (wide + order + (job->self ? 2 : 1) * laid_out) + slack * job->indexed->count +
           keys * (job->indexed->count > job->probes->count ? job->indexed->count : job->probes->count);
}

double akin_room_screened(const akin_join_job *job, const akin_join_step *step)
{
    const double lists = akin_token_blocks_bytes(job, akin_token_blocks_each(step->bits_screen));
    const double fixed = BESIDE + marks_bytes(job) + sets_of_both(job) * step->bits / 8;
    const double least = akin_token_blocks_least(job, job->room > 0 ? job->room / LISTS_LEAST : 0);
    return fixed + (lists < least ? lists : least);
}
