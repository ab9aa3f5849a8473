/* Pairs that a job gives, taken into a frame as they come. */
#include "pairs.h"

akin_status pairs_begin(pairs *p, job *j, const char *number)
{
    static const akin_type types[] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_F64};
    const char *const names[] = {"left", "right", number, "similarity"};
    *p = (pairs){.status = AKIN_OK, .has_number = number != NULL};
    if (number)
        return akin_frame_create(j->context, 4, types, names, &p->frame, &j->error);
    return akin_frame_create(j->context, 3, types + 1, (const char *const[]){"left", "right", "similarity"}, &p->frame,
                             &j->error);
}

akin_status pairs_begin_distances(pairs *p, job *j)
{
    static const akin_type types[] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_U32};
    *p = (pairs){.status = AKIN_OK, .has_number = 1};
    return akin_frame_create(j->context, 3, types, (const char *const[]){"left", "right", "distance"}, &p->frame,
                             &j->error);
}

int pairs_take_rows(void *user, const akin_pair *taken, size_t count)
{
    pairs *p = user;
    void *data[4];
    p->status = akin_frame_extend(p->frame, count, data, &p->error);
    if (p->status != AKIN_OK)
        return 1;
    for (size_t i = 0; i < count; i++) {
        ((uint32_t *)data[0])[i] = taken[i].left;
        ((uint32_t *)data[1])[i] = taken[i].right;
        if (p->has_number)
            ((uint32_t *)data[2])[i] = taken[i].overlap;
    }
    return 0;
}

int pairs_take_graphs(void *user, const akin_pair *taken, size_t count)
{
    pairs *p = user;
    const uint64_t first = akin_frame_rows(p->frame);
    if (pairs_take_rows(user, taken, count) != 0)
        return 1;
    for (size_t i = 0; i < count && p->status == AKIN_OK; i++)
        if (taken[i].overlap == AKIN_GRAPHS_UNDECIDED)
            p->status = akin_frame_set_null(p->frame, 2, first + i, &p->error);
    return p->status != AKIN_OK;
}

int pairs_take(void *user, const akin_pair *taken, size_t count)
{
    pairs *p = user;
    void *data[4];
    p->status = akin_frame_extend(p->frame, count, data, &p->error);
    if (p->status != AKIN_OK)
        return 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t left = akin_sets_row(p->left, taken[i].left, NULL);
        uint32_t right = akin_sets_row(p->right, taken[i].right, NULL);
        ((uint32_t *)data[0])[i] = taken[i].left;
        ((uint32_t *)data[1])[i] = taken[i].right;
        ((uint32_t *)data[2])[i] = taken[i].overlap;
        ((double *)data[3])[i] = akin_measure_value(p->measure, left, right, taken[i].overlap);
    }
    return 0;
}

PyObject *pairs_end(pairs *p, job *j, akin_status status)
{
    if (p->status != AKIN_OK) { /* the job only says that it was stopped */
        status = p->status;
        j->error = p->error;
    }
    if (status == AKIN_OK)
        return frame_wrap(j->module, p->frame);
    akin_frame_free(p->frame);
    return job_fail(j, status);
}
