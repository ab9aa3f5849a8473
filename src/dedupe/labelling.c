/* Answers, in the order in which they were added. */
#include "dedupe/labelling.h"

#include <string.h>

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
    akin_free(labelling->answers);
    akin_free(labelling);
}

/* Removes the answer of a pair. */
static void drop(akin_labelling *l, const akin_labelled_pair *pair)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < l->count; i++)
        if (l->answers[i].left != pair->left || l->answers[i].right != pair->right)
            l->answers[kept++] = l->answers[i];
    l->count = kept;
}

static void put_in_order(akin_labelled_pair *pair, uint32_t tables)
{
    const uint32_t left = pair->left;
    if (tables != 1 || left <= pair->right)
        return;
    pair->left = pair->right;
    pair->right = left;
}

akin_status akin_labelling_answer(akin_labelling *labelling, uint32_t left, uint32_t right, akin_answer answer,
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
    put_in_order(&pair, l->pool.tables);
    drop(l, &pair);
    l->answers[l->count++] = pair;
    return AKIN_OK;
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
    const uint64_t count = labelling->count;
    labelling->count = 0;
    for (uint64_t i = 0; i < count; i++) {
        akin_labelled_pair pair = labelling->answers[i];
        put_in_order(&pair, tables);
        drop(labelling, &pair);
        labelling->answers[labelling->count++] = pair;
    }
}
