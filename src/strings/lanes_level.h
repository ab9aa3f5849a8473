/*
 * What a SIMD level does with its lanes, once it has lanes_body.h in 64 bits, and in 32 bits if NARROW: to be included
 * by its file, which has defined INLINE, TARGET, LEVEL, its name, NARROW, and LOOKS_UP, whether a table of few slots is
 * held in registers. It may define ONE(job, is_jaro, swaps, results), JARO(job, matches) and PAIRS(pairs, is_jaro,
 * swaps, results), faster ways for some jobs, which answer 0 for others. JARO notes what is kept.
 */
#if !NARROW
#define compare_32(job, slots, words, looks_up, ...) ((void)(looks_up))
#define compare_pairs_32(...)                        ((void)0)
#endif

/* Whether lanes of 32 bits have room for the pattern, and for where texts begin. */
static int is_narrow(const akin_lanes_job *job)
{
    return NARROW && job->length <= 32 && job->at[job->count - 1] - job->at[0] < INT32_MAX - AKIN_LANES_LONGEST;
}

/* Gives each symbol of the pattern a slot, from 1 on; 0: there are too many for registers. */
static int set_slots(const akin_lanes_job *job, uint8_t slots[256])
{
    uint8_t next = 1;
    memset(slots, 0, 256);
    for (uint32_t i = 0; i < job->length; i++) {
        uint8_t *slot = &slots[job->pattern[i]];
        if (*slot == 0 && next == AKIN_LANES_FEW)
            return 0;
        if (*slot == 0)
            *slot = next++;
    }
    return 1;
}

INLINE void compare(const akin_lanes_job *job, int is_jaro, int swaps, void *results)
{
    uint8_t slots[256];
#ifdef ONE
    if (ONE(job, is_jaro, swaps, results))
        return;
#endif
    const int is_few = LOOKS_UP && set_slots(job, slots);
    if (is_narrow(job) && is_few)
        compare_32(job, slots, 1, 1, is_jaro, swaps, results);
    else if (is_narrow(job))
        compare_32(job, slots, 1, 0, is_jaro, swaps, results);
    else if (job->length <= 64 && is_few)
        compare_64(job, slots, 1, 1, is_jaro, swaps, results);
    else if (job->length <= 64)
        compare_64(job, slots, 1, 0, is_jaro, swaps, results);
    else if (job->length <= 128 && is_few)
        compare_64(job, slots, 2, 1, is_jaro, swaps, results);
    else if (job->length <= 128)
        compare_64(job, slots, 2, 0, is_jaro, swaps, results);
    else if (job->length <= 256)
        compare_64(job, slots, 4, 0, is_jaro, swaps, results);
    else if (is_jaro || job->length <= AKIN_LANES_LONGEST)
        compare_64(job, slots, 8, 0, is_jaro, swaps, results);
    else
        compare_tall_64(job, swaps, results);
}

TARGET static void levenshtein(const akin_lanes_job *job, uint32_t *distances)
{
    compare(job, 0, 0, distances);
}

TARGET static void osa(const akin_lanes_job *job, uint32_t *distances)
{
    compare(job, 0, 1, distances);
}

TARGET static void jaro(const akin_lanes_job *job, akin_jaro *matches)
{
    if (job->kept)
        *job->kept_count = 0;
#ifdef JARO
    if (JARO(job, matches))
        return;
#endif
    compare(job, 1, 0, matches);
    for (uint32_t i = 0; job->kept && i < job->count; i++) { /* the outcome is as good as random: no branch */
        job->kept[*job->kept_count] = i;
        *job->kept_count += matches[i].matched >= job->bound[i];
    }
}

INLINE void compare_pairs(const akin_lanes_pairs *pairs, int is_jaro, int swaps, void *results)
{
#ifdef PAIRS
    if (PAIRS(pairs, is_jaro, swaps, results))
        return;
#endif
    if (NARROW && pairs->rows <= 32)
        compare_pairs_32(pairs, 1, is_jaro, swaps, results);
    else if (pairs->rows <= 64)
        compare_pairs_64(pairs, 1, is_jaro, swaps, results);
    else if (pairs->rows <= 128)
        compare_pairs_64(pairs, 2, is_jaro, swaps, results);
    else if (pairs->rows <= 256)
        compare_pairs_64(pairs, 4, is_jaro, swaps, results);
    else
        compare_pairs_64(pairs, 8, is_jaro, swaps, results);
}

TARGET static void levenshtein_pairs(const akin_lanes_pairs *pairs, uint32_t *distances)
{
    compare_pairs(pairs, 0, 0, distances);
}

TARGET static void osa_pairs(const akin_lanes_pairs *pairs, uint32_t *distances)
{
    compare_pairs(pairs, 0, 1, distances);
}

TARGET static void jaro_pairs(const akin_lanes_pairs *pairs, akin_jaro *matches)
{
    compare_pairs(pairs, 1, 0, matches);
}

const akin_lanes LEVEL = {levenshtein, osa, jaro, levenshtein_pairs, osa_pairs, jaro_pairs};
