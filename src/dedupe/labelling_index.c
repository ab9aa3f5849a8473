/* The records of answers: an answer is about two. */
#include "dedupe/labelling.h"

#include "base/sort.h"

static uint64_t record_of(const akin_labelling *l, uint32_t row, uint32_t side)
{
    return (uint64_t)(l->pool.tables == 1 ? 0 : side) << 32 | row;
}

uint64_t akin_labelling_index_find(const akin_labelling_index *index, uint32_t row, uint32_t side)
{
    const uint64_t record = record_of(index->labelling, row, side);
    const uint64_t at = akin_lower_bound_u64(index->records, index->record_count, record);
    return at < index->record_count && index->records[at] == record ? at : index->record_count;
}

static void list_records(akin_labelling_index *x)
{
    const akin_labelling *l = x->labelling;
    for (uint64_t i = 0; i < l->count; i++) {
        x->records[2 * i] = record_of(l, l->answers[i].left, 0);
        x->records[2 * i + 1] = record_of(l, l->answers[i].right, 1);
    }
    akin_sort_u64(x->records, 2 * l->count);
    for (uint64_t i = 0; i < 2 * l->count; i++)
        if (i == 0 || x->records[i] != x->records[i - 1])
            x->records[x->record_count++] = x->records[i];
}

static void count_answers(akin_labelling_index *x)
{
    const akin_labelling *l = x->labelling;
    for (uint64_t i = 0; i < l->count; i++) {
        const akin_labelled_pair *a = &l->answers[i];
        uint64_t *of = x->of + 2 * i;
        of[0] = akin_labelling_index_find(x, a->left, 0);
        of[1] = akin_labelling_index_find(x, a->right, 1);
        x->earlier[2 * i] = x->yes[of[0]];
        x->earlier[2 * i + 1] = x->yes[of[1]];
        for (uint32_t side = 0; side < (of[0] == of[1] ? 1u : 2u); side++) {
            x->yes[of[side]] += a->answer == AKIN_ANSWER_YES;
            x->all[of[side]]++;
        }
    }
}

akin_status akin_labelling_index_make(const akin_labelling *labelling, akin_account *account, akin_labelling_index *out,
                                      akin_error *error)
{
    const uint64_t count = labelling->count;
    *out = (akin_labelling_index){.labelling = labelling};
    out->records = akin_alloc(account, count, 2 * sizeof *out->records);
    out->of = akin_alloc(account, count, 2 * sizeof *out->of);
    out->earlier = akin_alloc(account, count, 2 * sizeof *out->earlier);
    out->yes = akin_alloc_zero(account, count, 2 * sizeof *out->yes);
    out->all = akin_alloc_zero(account, count, 2 * sizeof *out->all);
    if (!out->records || !out->of || !out->earlier || !out->yes || !out->all)
        return akin_fail_memory(error, "the answers");
    list_records(out);
    count_answers(out);
    return AKIN_OK;
}

void akin_labelling_index_clear(akin_labelling_index *index)
{
    akin_free(index->records);
    akin_free(index->of);
    akin_free(index->earlier);
    akin_free(index->yes);
    akin_free(index->all);
    *index = (akin_labelling_index){0};
}
