/* Adds up the arrays that each technique allocates. */
#include "join/room.h"

#include "join/sample.h"
#include "join/token_blocks.h"

#define BESIDE      (double)(1 << 20) /* samples, tasks, tables of sizes; at most */
#define BESIDE_PART 8                 /* a part in this number of the room: a small join needs less */
#define LISTS_LEAST                                                                                                    \
    4 /* a screened join leaves a part in this number of the room for its lists, or room for all. The
                       * counts that these are cut by, and the tasks, take less: AKIN_LEFT_CUTTING */

/* A projection is learnt from signs, slopes and shares of all tokens, and from some sampled sets. */
#define PROJECTED 9.0

static double beside_bytes(const akin_join_job *job)
{
    const double part = job->room / BESIDE_PART;
    return job->room > 0 && part < BESIDE ? part : BESIDE;
}

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
    return beside_bytes(job) + marks_bytes(job) + 8 * universe + (step->technique == AKIN_ALLPAIRS ? 4 : 8) * postings +
           job->threads * (8 * universe + 8 * entries) + groups;
}

double akin_room_bitmap(const akin_join_job *job, const akin_join_step *step)
{
    const double wide = step->bits / 8.0, narrow = step->bits_screen / 8.0;
    const double order = 8, keys = 16, slack = akin_rule_divides(job->threshold.rule) ? 8 : 0;
    const double laid_out = narrow + (step->bits != step->bits_screen ? wide : 0);
    /* in a self-join the narrow signatures are laid out in rows and in strips */
    return beside_bytes(job) + marks_bytes(job) + PROJECTED * (double)job->indexed->universe +
           sets_of_both(job) * (wide + order + (job->self ? 2 : 1) * laid_out) + slack * job->indexed->count +
           keys * (job->indexed->count > job->probes->count ? job->indexed->count : job->probes->count);
}

double akin_room_screened(const akin_join_job *job, const akin_join_step *step)
{
    const double lists = akin_token_blocks_bytes(job, akin_token_blocks_each(step->bits_screen));
    const double fixed = beside_bytes(job) + marks_bytes(job) + sets_of_both(job) * step->bits / 8;
    const double least = job->room / LISTS_LEAST;
    return fixed + (lists < least ? lists : least);
}
