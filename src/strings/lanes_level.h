/*
 * What a SIMD level does with its lanes, once it has lanes_body.h in 32 and in 64 bits: to be included by its file, which has
 * defined INLINE, TARGET, and LOOKS_UP, whether frequent symbols are looked up in another way.
 */

/* Whether lanes of 32 bits have room for the pattern, and for where texts begin. */
static int is_narrow(const akin_lanes_job *job)
{
    return job->length <= 32 && job->at[job->count - 1] - job->at[0] < INT32_MAX - AKIN_LANES_LONGEST;
}

INLINE void edit(const akin_lanes_job *job, int swaps, uint32_t *distances)
{
    if (!is_narrow(job))
        edit_64(job, job->places64, swaps, 0, distances);
    else if (LOOKS_UP && job->is_frequent)
        edit_32(job, job->places32, swaps, 1, distances);
    else
        edit_32(job, job->places32, swaps, 0, distances);
}

TARGET static void levenshtein(const akin_lanes_job *job, uint32_t *distances)
{
    edit(job, 0, distances);
}

TARGET static void osa(const akin_lanes_job *job, uint32_t *distances)
{
    edit(job, 1, distances);
}

TARGET static void jaro(const akin_lanes_job *job, akin_jaro *matches)
{
    if (!is_narrow(job))
        jaro_64(job, job->places64, 0, matches);
    else if (LOOKS_UP && job->is_frequent)
        jaro_32(job, job->places32, 1, matches);
    else
        jaro_32(job, job->places32, 0, matches);
}

static const akin_lanes lanes = {levenshtein, osa, jaro};
