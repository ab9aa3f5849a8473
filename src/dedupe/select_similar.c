/* Selects pairs by a join of sets: the values of a column as words or q-grams. */
#include "base/bits.h"
#include "dedupe/select_similar.h"
#include "join/join.h"
#include "dedupe/joined.h"
#include "sets/measure.h"
#include "text/options.h"

akin_status akin_select_similar_check(const akin_selection *selection, uint32_t at, akin_error *error)
{
    const akin_measure_row *measure = akin_measure_of(selection->measure);
    akin_ratio cutoff = selection->cutoff;
    char names[200];
    if (measure && (measure->choice.capabilities & AKIN_FOR_DEDUPE) && cutoff.num > 0 && cutoff.num <= cutoff.den)
        return AKIN_OK;
    akin_choice_list(&akin_measures, AKIN_FOR_DEDUPE, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "selection %u: expected %s, and a similarity above 0, to 1", at, names);
}

/* ------------------------------------------------------------------------------------------------------------- join */

/* What a join's pairs go to: for each record its partners behind it, as they come, which is in order. */
typedef struct listing {
    akin_selector *selector;
    akin_account *account;
    uint64_t count, room;
    uint32_t next; /* the first record whose partners do not begin yet */
    int failed;    /* memory is short */
} listing;

static int take_joined_pairs(void *user, const akin_pair *pairs, size_t count)
{
    listing *j = user;
    akin_selector *s = j->selector;
    uint32_t border = s->records->tables == 2 ? s->records->rows[0] : 0;
    uint32_t *larger = akin_enlarge(j->account, s->order, &j->room, j->count + count, sizeof *larger);
    if (!larger) {
        j->failed = 1;
        return 1;
    }
    s->order = larger;
    for (size_t i = 0; i < count; i++) {
        while (j->next <= pairs[i].left)
            s->starts[j->next++] = j->count;
        larger[j->count++] = pairs[i].right + border;
    }
    return 0;
}

/* Lists all pairs. */
static akin_status list_pairs(const akin_selecting *job, const akin_joined *join, akin_selector *selector,
                              akin_error *error)
{
    listing j = {.selector = selector, .account = job->account};
    selector->starts = akin_alloc(job->account, (uint64_t)selector->count + 1, sizeof *selector->starts);
    selector->order = akin_enlarge(job->account, NULL, &j.room, 1, sizeof *selector->order);
    akin_status status =
        selector->starts && selector->order ? AKIN_OK : akin_fail_memory(error, "the pairs to compare");
    if (status == AKIN_OK)
        status = akin_joined_list(join, job->scope, job->account, take_joined_pairs, &j, error);
    if (j.failed)
        status = akin_fail_memory(error, "the pairs to compare");
    while (status == AKIN_OK && j.next <= selector->count) /* at last where the last one's end */
        selector->starts[j.next++] = j.count;
    return status;
}

akin_status akin_select_similar(const akin_selecting *job, akin_selector *selector, akin_error *error)
{
    const akin_selection *selection = job->selection;
    akin_joined join = {.border = 0};
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    options.measure = selection->measure;
    options.threshold = selection->cutoff;
    akin_status status = akin_text_options_read(selection->text, &text, error);
    text.counts = &selector->known.texts;
    if (status == AKIN_OK)
        status = akin_joined_make(job->scope, job->account, selector->records, selection->parts[0].column, &text,
                                  &options, &join, error);
    if (status == AKIN_OK)
        akin_join_foresee(job->scope, join.sets[0], join.sets[1], &options,
                          job->streams ? AKIN_FORESEEN_COMPARED : AKIN_FORESEEN_LISTED);
    if (status == AKIN_OK && job->streams)
        status = akin_selector_stream(selector, job->account, &join, error);
    else if (status == AKIN_OK)
        status = list_pairs(job, &join, selector, error);
    akin_joined_clear(&join);
    return status;
}
