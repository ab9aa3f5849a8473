/* Answers, in the order in which they were added. */
#include "dedupe/labelling.h"

#include "base/random.h"

#include <string.h>

#define GONE ((akin_answer)0) /* an answer that a later one replaces */

static const akin_choice answers[] = {
    {"yes", "", "the records are of one entity", AKIN_ANSWER_YES, 0},
    {"no", "", "the records are of different entities", AKIN_ANSWER_NO, 0},
    {"unsure", "", "nobody can tell; nothing is learnt from it", AKIN_ANSWER_UNSURE, 0},
};
const akin_choice_table akin_answers = AKIN_CHOICE_TABLE("answer", answers);

akin_status akin_labelling_create(akin_labelling **out, akin_error *error)
{
    *out = akin_alloc_zero(NULL, 1, sizeof **out);
    return *out ? AKIN_OK : akin_fail_memory(error, "the answers");
}

void akin_labelling_free(akin_labelling *labelling)
{
    if (!labelling)
        return;
    akin_pool_clear(&labelling->pool);
    akin_slots_clear(&labelling->slots);
    akin_free(labelling->answers);
    akin_free(labelling);
}

static uint64_t hash_of(const akin_labelled_pair *pair)
{
    return akin_random_mixed((uint64_t)pair->left << 32 | pair->right);
}

/* The slot of a pair with an answer, or the free one where it goes. There is a free one. A slot of an answer that was
 * taken back may have the number of another one, whose pair tells. */
static uint64_t *find_slot(const akin_labelling *l, const akin_labelled_pair *pair)
{
    const uint64_t hash = hash_of(pair);
    uint64_t at = akin_slots_home(&l->slots, hash);
    for (; l->slots.slots[at] != 0; at = akin_slots_next(&l->slots, at)) {
        const uint32_t number = akin_slots_number(l->slots.slots[at]);
        if (akin_slots_match(l->slots.slots[at], hash) && number < l->count && l->answers[number].answer != GONE &&
            l->answers[number].left == pair->left && l->answers[number].right == pair->right)
            break;
    }
    return &l->slots.slots[at];
}

/* Adds an answer, for which there is room. */
static void append(akin_labelling *l, const akin_labelled_pair *pair)
{
    uint64_t *slot = find_slot(l, pair);
    if (*slot != 0) {
        l->answers[akin_slots_number(*slot)].answer = GONE;
        l->gone++;
    } else {
        l->taken++;
    }
    *slot = akin_slots_make(hash_of(pair), (uint32_t)l->count);
    l->answers[l->count++] = *pair;
}

static void put_in_order(akin_labelled_pair *pair, uint32_t tables)
{
    const uint32_t left = pair->left;
    if (tables != 1 || left <= pair->right)
        return;
    pair->left = pair->right;
    pair->right = left;
}

/* Adds all answers anew, in the order of the rows of so many tables; 0: as they are. */
static void renew(akin_labelling *l, uint32_t tables)
{
    const uint64_t count = l->count;
    if (l->slots.slots)
        memset(l->slots.slots, 0, (l->slots.mask + 1) * sizeof *l->slots.slots);
    l->count = l->taken = l->gone = 0;
    for (uint64_t i = 0; i < count; i++) {
        akin_labelled_pair pair = l->answers[i];
        put_in_order(&pair, tables);
        append(l, &pair);
    }
}

void akin_labelling_drop(akin_labelling *labelling)
{
    akin_labelling *l = labelling;
    uint64_t kept = 0;
    if (l->gone == 0)
        return;
    for (uint64_t i = 0; i < l->count; i++)
        if (l->answers[i].answer != GONE)
            l->answers[kept++] = l->answers[i];
    l->count = kept;
    renew(l, 0);
}

akin_status akin_labelling_put(akin_labelling *labelling, uint32_t left, uint32_t right, akin_answer answer,
                               akin_error *error)
{
    akin_labelling *l = labelling;
    akin_labelled_pair pair = {left, right, answer, 0};
    if (!akin_choice_of(&akin_answers, (int)answer))
        return akin_fail(error, AKIN_E_OPTION, "%d is not an akin_answer", (int)answer);
    akin_labelled_pair *larger = akin_enlarge(NULL, l->answers, &l->room, l->count + 1, sizeof *larger);
    if (!larger)
        return akin_fail_memory(error, "the answers");
    l->answers = larger;
    if (akin_slots_reserve(&l->slots, l->taken + 1) != AKIN_OK)
        return akin_fail_memory(error, "the answers");
    put_in_order(&pair, l->pool.tables);
    append(l, &pair);
    return AKIN_OK;
}

akin_status akin_labelling_answer(akin_labelling *labelling, uint32_t left, uint32_t right, akin_answer answer,
                                  akin_error *error)
{
    const akin_status status = akin_labelling_put(labelling, left, right, answer, error);
    akin_labelling_drop(labelling);
    return status;
}

uint64_t akin_labelling_find(const akin_labelling *labelling, uint32_t left, uint32_t right)
{
    const akin_labelled_pair pair = {.left = left, .right = right};
    const uint64_t slot = labelling->count > 0 ? *find_slot(labelling, &pair) : 0;
    return slot != 0 ? akin_slots_number(slot) : labelling->count;
}

int akin_labelling_undo(akin_labelling *labelling, akin_labelled_pair *out)
{
    if (labelling->count == 0)
        return 0;
    labelling->count--;
    if (out)
        *out = labelling->answers[labelling->count];
    return 1;
}

uint64_t akin_labelling_count(const akin_labelling *labelling)
{
    return labelling->count;
}

akin_labelled_pair akin_labelling_at(const akin_labelling *labelling, uint64_t index)
{
    return labelling->answers[index];
}

void akin_labelling_settle(akin_labelling *labelling, uint32_t tables)
{
    renew(labelling, tables);
    akin_labelling_drop(labelling);
}
