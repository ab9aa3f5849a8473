/*
 * The comparison sort of one key type; sort.c includes it once for each, with KEY (the type) and NAME(x) (its function
 * names) defined. Quicksort with the median of three, which leaves short runs to insertion sort and turns to heap sort
 * when the pivots are bad (Musser, Introspective Sorting and Selection Algorithms, 1997).
 */

static void NAME(insertion)(KEY *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        KEY key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* Lets keys[root] sink to its place in the heap of count keys, the largest on top. */
static void NAME(sift)(KEY *keys, size_t root, size_t count)
{
    KEY key = keys[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && keys[child + 1] > keys[child])
            child++;
        if (keys[child] <= key)
            break;
        keys[root] = keys[child];
    }
    keys[root] = key;
}

static void NAME(heap)(KEY *keys, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        NAME(sift)(keys, i, count);
    for (size_t i = count; i-- > 1;) {
        KEY largest = keys[0];
        keys[0] = keys[i];
        keys[i] = largest;
        NAME(sift)(keys, 0, i);
    }
}

static KEY NAME(median)(KEY a, KEY b, KEY c)
{
    KEY low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Moves the keys below `pivot` to the front and returns how many they are. There is no branch to mispredict: every key
 * trades places with the first one that is not below, and the border moves or stays. */
static size_t NAME(partition)(KEY *keys, size_t count, KEY pivot)
{
    size_t below = 0;
    for (size_t i = 0; i < count; i++) {
        KEY key = keys[i];
        keys[i] = keys[below];
        keys[below] = key;
        below += key < pivot;
    }
    return below;
}

static void NAME(quick)(KEY *keys, size_t count, int depth)
{
    while (count > INSERTION_MOST) {
        if (depth-- == 0) {
            NAME(heap)(keys, count);
            return;
        }
        KEY pivot = NAME(median)(keys[0], keys[count / 2], keys[count - 1]);
        size_t middle = NAME(partition)(keys, count, pivot);
        if (middle == 0) { /* the pivot is the least: its equals go to the front and are done with */
            if (pivot == (KEY)-1)
                return;
            middle = NAME(partition)(keys, count, pivot + 1);
            keys += middle;
            count -= middle;
        } else if (middle <= count - middle) { /* the shorter side by recursion, so that the stack stays low */
            NAME(quick)(keys, middle, depth);
            keys += middle;
            count -= middle;
        } else {
            NAME(quick)(keys + middle, count - middle, depth);
            count = middle;
        }
    }
    NAME(insertion)(keys, count);
}

static void NAME(sort)(KEY *keys, size_t count)
{
    size_t ordered = 1;
    while (ordered < count && keys[ordered - 1] <= keys[ordered])
        ordered++;
    if (ordered >= count)
        return;
    int depth = 0;
    for (size_t n = count; n > 0; n >>= 1)
        depth += 2;
    NAME(quick)(keys, count, depth);
}
