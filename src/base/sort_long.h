/*
 * The sort of many keys of one type, which checks for cancellation now and then. sort.c includes it after sort_keys.h,
 * whose functions sort the short runs.
 */

/* Partitions as the other one does; *below: how many keys are below the pivot. */
static int NAME(partition_long)(KEY *keys, size_t count, KEY pivot, size_t *below,
                                struct akin_cancellation *cancellation)
{
    *below = 0;
    for (size_t i = 0; i < count;) {
        if (!goes_on(cancellation))
            return 0;
        for (const size_t end = count - i < STEP ? count : i + STEP; i < end; i++) {
            const KEY key = keys[i];
            keys[i] = keys[*below];
            keys[*below] = key;
            *below += key < pivot;
        }
    }
    return 1;
}

static int NAME(quick_long)(KEY *keys, size_t count, int depth, struct akin_cancellation *cancellation)
{
    while (count > STEP && depth-- > 0) {
        const KEY pivot = NAME(median)(keys[0], keys[count / 2], keys[count - 1]);
        size_t middle;
        if (!NAME(partition_long)(keys, count, pivot, &middle, cancellation))
            return 0;
        if (middle == 0) { /* the pivot is the least: its equals go to the front and are done with */
            if (pivot == (KEY)-1)
                return 1;
            if (!NAME(partition_long)(keys, count, pivot + 1, &middle, cancellation))
                return 0;
            keys += middle;
            count -= middle;
            continue;
        }
        const int is_low_shorter =
            middle <= count - middle; /* the shorter side by recursion, so that the stack stays low */
        if (!NAME(quick_long)(is_low_shorter ? keys : keys + middle, is_low_shorter ? middle : count - middle, depth,
                              cancellation))
            return 0;
        keys += is_low_shorter ? middle : 0;
        count = is_low_shorter ? count - middle : middle;
    }
    if (count > STEP / 4 && !goes_on(cancellation))
        return 0;
    NAME(sort)(keys, count);
    return 1;
}

static int NAME(sort_long)(KEY *keys, size_t count, struct akin_cancellation *cancellation)
{
    int depth = 0;
    for (size_t n = count; n > 0; n >>= 1)
        depth += 2;
    return NAME(quick_long)(keys, count, depth, cancellation);
}
