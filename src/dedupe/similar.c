/* Selects pairs by a join of sets: the values of a column as words or q-grams. */
#include "base/bits.h"
#include "dedupe/selection.h"

/* What a join's pairs go to: for each record its partners behind it, as they come, which is in order. */
typedef struct joined {
    akin_selector *selector;
    akin_account *account;
    uint64_t count, room;
    uint32_t next; /* the first record whose partners do not begin yet */
    int failed;    /* memory is short */
} joined;

static int take(void *user, const akin_pair *pairs, size_t count)
{
    joined *j = user;
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

/* Makes sets of a column of both tables, of one dictionary. */
static akin_status make_sets(akin_context *context, const akin_selector *selector, const akin_selection *selection,
                             akin_sets *sets[2], akin_error *error)
{
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_dictionary_create(context, &dictionary, error);
    for (uint32_t side = 0; side < selector->records->tables && status == AKIN_OK; side++) {
        const akin_column *column = &selector->records->columns[side][selection->parts[0].column];
        status = akin_sets_from_columns(context, column, 1, selector->records->rows[side], selection->text, dictionary,
                                        &sets[side], error);
    }
    akin_dictionary_free(dictionary);
    return status;
}

/* The context of the jobs within: on the CPU, as this one is, with a memory bound of which they may have what is left. */
static akin_context within(const akin_context *context, const akin_account *account)
{
    akin_context own = *context;
    uint64_t held = account->held, left = account->limit > held ? account->limit - held : 1;
    own.device_choice = AKIN_DEVICE_CPU;
    own.memory = context->memory ? left / 5 * 8 + 1 : 0;
    return own;
}

akin_status akin_selector_join(akin_context *context, akin_account *account, const akin_selection *selection,
                               akin_selector *selector, akin_error *error)
{
    akin_sets *sets[2] = {NULL, NULL};
    joined j = {.selector = selector, .account = account};
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_context own = within(context, account);
    options.measure = selection->measure;
    options.threshold = selection->cutoff;
    selector->count = selector->records->count;
    selector->starts = akin_alloc(account, (uint64_t)selector->count + 1, sizeof *selector->starts);
    selector->order = akin_enlarge(account, NULL, &j.room, 1, sizeof *selector->order);
    akin_status status =
        selector->starts && selector->order ? AKIN_OK : akin_fail_memory(error, "the pairs to compare");
    if (status == AKIN_OK)
        status = make_sets(&own, selector, selection, sets, error);
    if (status == AKIN_OK)
        status = akin_join(&own, sets[0], sets[1], &options, take, &j, NULL, NULL, error);
    if (j.failed)
        status = akin_fail_memory(error, "the pairs to compare");
    while (status == AKIN_OK && j.next <= selector->count) /* at last where the last one's end */
        selector->starts[j.next++] = j.count;
    akin_sets_free(sets[0]);
    akin_sets_free(sets[1]);
    return status;
}

int akin_selector_found(const akin_selector *selector, uint32_t lower, uint32_t higher)
{
    uint64_t begin = selector->starts[lower], count = selector->starts[lower + 1] - begin;
    uint64_t at = count ? akin_lower_bound_u32(selector->order + begin, count, higher) : 0;
    return at < count && selector->order[begin + at] == higher;
}
