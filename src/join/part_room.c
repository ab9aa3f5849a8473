/* Adds up what ranking takes (sets/), and what the techniques take (room.h). */
#include "join/part_room.h"

#include "base/annex.h"
#include "base/bits.h"
#include "base/context.h"
#include "join/room.h"
#include "join/technique_rows.h"
#include "sets/gather.h"
#include "signature/parity.h"

double akin_part_joined_bytes(const akin_join_job *job, const akin_join_options *options)
{
    const akin_technique asked = options->technique;
    const uint32_t bits = options->bits ? options->bits : AKIN_PARITY_BITS_LEAST;
    const akin_technique named = asked == AKIN_AUTO && job->place != AKIN_JOIN_ON_GPU ? AKIN_SCREENED : asked;
    const akin_technique_row *row = akin_technique_of(akin_annex_of(job->scope), named);
    const akin_join_step step = akin_join_step_of(named, bits, bits);
    if (row && row->bytes_on_cpu)
        return row->bytes_on_cpu(job, &step);
    const akin_join_step prefix = akin_join_step_of(AKIN_GROUPJOIN, 0, 0); /* it is not known: more than most */
    return akin_room_prefix(job, &prefix) + akin_room_bitmap(job, &step);
}

/* The sets and tokens of both sides. */
typedef struct amounts {
    double sets, tokens;
} amounts;

static amounts amounts_of(const akin_join_job *job)
{
    amounts a = {0, 0};
    for (int s = 0; s < (job->self ? 1 : 2); s++) {
        const akin_ranked *side = s ? job->indexed : job->probes;
        a.sets += side->count;
        for (uint32_t c = 0; c < side->classes; c++)
            a.tokens += (double)(side->class_first[c + 1] - side->class_first[c]) * side->class_size[c];
    }
    return a;
}

/* What ranking takes, with the arrays that stay. */
static double ranking_bytes(const amounts *a)
{
    return AKIN_RANK_TOKEN * a->tokens + AKIN_RANK_SET * a->sets + AKIN_RANK_BESIDE;
}

static double joining_bytes(const akin_join_job *job, const akin_join_options *options, const amounts *a)
{
    const double ranked = AKIN_RANKED_TOKEN * a->tokens + AKIN_RANKED_SET * a->sets;
    akin_join_job joined = *job;
    joined.room = job->room > ranked ? job->room - ranked : 1;
    return ranked + akin_part_joined_bytes(&joined, options);
}

double akin_part_ranked_bytes(const akin_join_job *job, const akin_join_options *options)
{
    const amounts a = amounts_of(job);
    const double ranking = ranking_bytes(&a), joining = joining_bytes(job, options, &a);
    return ranking > joining ? ranking : joining;
}

double akin_part_anew_bytes(const akin_join_job *job, const akin_join_options *options, uint64_t bound)
{
    const amounts a = amounts_of(job);
    const uint64_t total = (uint64_t)a.tokens;
    const double universe = (double)job->indexed->universe,
                 gathered = AKIN_GATHER_TOKEN * a.tokens + AKIN_GATHER_SET * a.sets;
    const double counting = akin_ranking_bytes(bound, total, universe, job->threads);
    const double ranking = akin_ranking_table_bytes(bound, total, universe) + ranking_bytes(&a);
    const double before = gathered + (counting > ranking ? counting : ranking);
    const double joining = joining_bytes(job, options, &a);
    return before > joining ? before : joining;
}
