/* Adds pairs that were answered with yes to those that were selected. */
#include "dedupe/answered_pairs.h"

#include "dedupe/gathering.h"
#include "dedupe/labelling.h"

static const char what[] = "the answers";

/* Adds a pair of records. */
static akin_status add_pair(akin_dedupe_job *j, akin_scorer *scorer, double *each, const akin_labelled_pair *answer,
                            uint32_t right)
{
    akin_found *found = &j->workers[0].found;
    const uint32_t comparisons = j->gathering.count;
    double similarity;
    if (!akin_found_enlarge(found, &j->account, 1, 0, comparisons))
        return AKIN_E_NOMEM;
    const akin_status status = akin_scorer_score(scorer, answer->left, right, &similarity, each);
    if (status != AKIN_OK)
        return status;
    akin_gathering_levels(&j->gathering, each, found->levels + found->count * comparisons);
    found->pairs[found->count++] = (akin_scored_pair){answer->left, answer->right, similarity};
    j->found++;
    return AKIN_OK;
}

akin_status akin_answered_pairs_add(akin_dedupe_job *job, akin_error *error)
{
    akin_dedupe_job *j = job;
    const akin_labelling *l = j->options.labelling;
    if (!l || l->count == 0)
        return AKIN_OK;
    const akin_cancellation cancellation = {.scope = j->scope, .cancelled = &j->cancelled, .thread = 0};
    const uint32_t border = j->records.tables == 2 ? j->records.rows[0] : 0;
    akin_scorer *scorer = akin_scorer_create(&j->scoring, &cancellation);
    double *each = akin_alloc(&j->account, j->options.attribute_count, sizeof *each);
    akin_status status = scorer && each ? AKIN_OK : AKIN_E_NOMEM;
    for (uint64_t i = 0; i < l->count && status == AKIN_OK; i++) {
        const akin_labelled_pair *answer = &l->answers[i];
        const uint32_t right = answer->right + border;
        if (answer->answer == AKIN_ANSWER_YES &&
            !akin_selectors_have(j->selectors, j->options.selection_count, answer->left, right))
            status = add_pair(j, scorer, each, answer, right);
    }
    akin_scorer_free(scorer);
    akin_free(each);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}
