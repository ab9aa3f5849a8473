/* The distance of two forests within a band. */
#include "trees/band.h"

#include "base/bits.h"

#include <string.h>

#define FAR  AKIN_BAND_FAR
#define LOOK (1 << 22) /* cells between two looks at whether to go on */

/* ------------------------------------------------------------------------------------------------------------ sides */

/* Makes room for a forest, with a node to spare; 0: memory is short. */
static int enlarge_side(akin_band *band, akin_band_side *side, uint32_t count)
{
    uint32_t **const arrays[] = {&side->label, &side->size, &side->depth, &side->first, &side->above, &side->origin};
    const uint64_t room = count + (uint64_t)count / 2 + 64;
    if (count <= side->room && side->label)
        return 1;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        akin_free(*arrays[i]);
        *arrays[i] = akin_alloc(band->account, room, sizeof **arrays[i]);
    }
    side->room = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!*arrays[i])
            return 0;
    side->room = room;
    return 1;
}

/* The sum of the sizes of subtrees that need a table of their own: of each first leaf the largest one. */
static uint64_t count_cells(const akin_band_side *side)
{
    uint64_t cells = 0;
    for (uint32_t x = 0; x < side->count; x++)
        cells += side->above[x] == AKIN_TREE_NO_NODE ? side->size[x] : 0;
    return cells;
}

/* Takes the nodes of a forest, perhaps in the mirror, whose postorder is preorder backwards. */
static void fill_side(const akin_tree_forest *forest, int is_mirrored, akin_band_side *side)
{
    const akin_tree *tree = forest->tree;
    const uint32_t count = akin_tree_forest_nodes(forest);
    side->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t node = forest->begin + i, depth = tree->depth[node] - forest->depth;
        const uint32_t at = is_mirrored ? count - 1 - (i + 1 - tree->size[node] + depth) : i;
        side->label[at] = tree->label[node];
        side->size[at] = tree->size[node];
        side->depth[at] = depth;
        side->origin[at] = node;
        side->first[at] = at + 1 - tree->size[node];
    }
    for (uint32_t i = 0; i < count; i++)
        side->above[i] = AKIN_TREE_NO_NODE;
    /* subtrees of one first leaf: the parent of a first child comes right behind the last child */
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t first = side->first[i];
        if (first == i)
            continue;
        uint32_t child = i - 1; /* the last child; go to the first one */
        while (side->first[child] != first)
            child = side->first[child] - 1;
        side->above[child] = i;
    }
}

int akin_band_take(akin_band *band, const akin_tree_forest forests[2])
{
    uint64_t cells[2];
    for (int s = 0; s < 2; s++)
        if (!enlarge_side(band, &band->sides[s], akin_tree_forest_nodes(&forests[s])))
            return 0;
    for (int mirrored = 1; mirrored >= 0; mirrored--) {
        for (int s = 0; s < 2; s++)
            fill_side(&forests[s], mirrored, &band->sides[s]);
        cells[mirrored] = count_cells(&band->sides[0]) + count_cells(&band->sides[1]);
    }
    for (int s = 0; s < 2 && cells[1] < cells[0]; s++)
        fill_side(&forests[s], 1, &band->sides[s]);
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- tables */

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Where T(x, y) is, if x and y are at most K numbers apart. */
static uint32_t *inner_at(const akin_band *band, uint32_t x, uint32_t y)
{
    return band->inner + x * (2 * (uint64_t)band->most + 1) + (y + band->most - x);
}

/* Whether to go on after that many cells more. */
static int goes_on(akin_band *band, uint64_t cells)
{
    band->looked += cells;
    if (!band->cancellation || band->looked < LOOK)
        return 1;
    band->looked = 0;
    band->is_stopped = !akin_goes_on(band->cancellation);
    return !band->is_stopped;
}

/* Sets T to 0 for equal subtrees, and to FAR for others. Of a diagonal, a run of equal nodes that is as long as the
 * subtree where it ends is that subtree. Returns 0 if memory is short. */
static int begin_inner(akin_band *band)
{
    const akin_band_side *l = &band->sides[0], *r = &band->sides[1];
    const uint64_t most = band->most, width = 2 * most + 1;
    uint32_t *inner = akin_enlarge(band->account, band->inner, &band->inner_room, l->count * width, sizeof *inner);
    uint32_t *runs = akin_enlarge(band->account, band->runs, &band->runs_room, width, sizeof *runs);
    band->inner = inner ? inner : band->inner;
    band->runs = runs ? runs : band->runs;
    if (!inner || !runs)
        return 0;
    memset(runs, 0, width * sizeof *runs);
    for (uint64_t x = 0; x < l->count; x++) {
        const uint64_t from = x > most ? 0 : most - x, to = akin_min_u64(width, r->count + most - x);
        if (from >= to)
            continue;
        if (!goes_on(band, to - from))
            return 0;
        const uint32_t *restrict labels = r->label + (x + from - most), *restrict sizes = r->size + (x + from - most);
        const int32_t label = (int32_t)l->label[x], size = (int32_t)l->size[x];
        uint32_t *restrict row = inner + x * width + from, *restrict run = runs + from;
        for (uint64_t d = 0; d < to - from; d++) { /* without branches, and signed, for SIMD */
            const uint32_t equal = (uint32_t) - (((int32_t)labels[d] == label) & ((int32_t)sizes[d] == size));
            run[d] = (run[d] + 1) & equal;
            row[d] = (int32_t)run[d] >= size ? 0 : FAR;
        }
    }
    return 1;
}

/* Whether a mapping of cost K or less may take subtree x to subtree y, which T does not have yet. */
static int is_wanted(const akin_band *band, uint32_t x, uint32_t y)
{
    const akin_band_side *l = &band->sides[0], *r = &band->sides[1];
    const uint32_t left = apart(l->first[x], r->first[y]), below = apart(l->size[x], r->size[y]),
                   above = apart(l->depth[x], r->depth[y]),
                   right = apart(l->count - l->first[x] - l->size[x] - l->depth[x],
                                 r->count - r->first[y] - r->size[y] - r->depth[y]);
    return (uint64_t)left + below + above + right <= band->most && *inner_at(band, x, y) != 0;
}

/* The largest subtrees of first leaves a and b that are wanted with some other one; sizes of 0: none is. */
static void find_wanted(const akin_band *band, uint32_t a, uint32_t b, uint32_t slack, uint32_t wanted[2])
{
    const akin_band_side *l = &band->sides[0], *r = &band->sides[1];
    uint32_t from = b;
    wanted[0] = wanted[1] = 0;
    for (uint32_t x = a; x != AKIN_TREE_NO_NODE; x = l->above[x]) {
        while (from != AKIN_TREE_NO_NODE && r->size[from] + slack < l->size[x])
            from = r->above[from];
        for (uint32_t y = from; y != AKIN_TREE_NO_NODE && r->size[y] <= l->size[x] + slack; y = r->above[y])
            if (is_wanted(band, x, y)) {
                wanted[0] = l->size[x];
                wanted[1] = akin_max_u32(wanted[1], r->size[y]);
            }
    }
}

/* A row of F that is filled: places at[from] to at[to], beside the row above it and the one before the subtree of its
 * node. */
typedef struct table_row {
    uint32_t *at;
    const uint32_t *above, *before;
    uint32_t *inner;       /* T of its node, and of the right node of place j at j */
    const uint32_t *first; /* of the right node of place j, at j */
    uint32_t from, to, b, slack;
    uint32_t most; /* costs above it are FAR */
} table_row;

/* A row whose node has the first leaf a: at right nodes that have the first leaf b, two subtrees end. */
static void fill_path_row(const table_row *r, uint32_t label, const uint32_t *labels)
{
    uint32_t *restrict at = r->at, *restrict inner = r->inner;
    const uint32_t *restrict above = r->above, *restrict first = r->first;
    const uint32_t slack = r->slack, b = r->b, most = r->most;
    uint32_t left = at[r->from - 1];
    for (uint32_t j = r->from; j <= r->to; j++) {
        const uint32_t other = first[j] - b;
        uint32_t cost = akin_min_u32(above[j], left) + 1;
        if (other == 0)
            cost = akin_min_u32(cost, above[j - 1] + (label != labels[j]));
        else if (other <= slack) /* all before right subtree j is inserted */
            cost = akin_min_u32(cost, other + inner[j]);
        cost = cost > most ? FAR : cost;
        if (other == 0)
            inner[j] = cost;
        at[j] = left = cost;
    }
}

/* A row whose node has a subtree that begins behind the first `skip` nodes. */
static void fill_inner_row(const table_row *r, uint32_t skip)
{
    uint32_t *restrict at = r->at;
    const uint32_t *restrict above = r->above, *restrict before = r->before, *restrict inner = r->inner,
                             *restrict first = r->first;
    const uint32_t slack = r->slack, b = r->b, most = r->most, least = skip > slack ? skip - slack : 0,
                   width = skip + slack - least;
    uint32_t left = at[r->from - 1];
    for (uint32_t j = r->from; j <= r->to; j++) {
        const uint32_t other = first[j] - b;
        uint32_t cost = akin_min_u32(above[j], left) + 1;
        if (other - least <= width) /* and not below `least` */
            cost = akin_min_u32(cost, before[other] + inner[j]);
        at[j] = left = cost > most ? FAR : cost;
    }
}

/* Fills places `from` to `to` of row i of F. */
static void fill_row(const akin_band *band, const akin_band_table *t, uint32_t i, uint32_t from, uint32_t to)
{
    const akin_band_side *l = &band->sides[0], *r = &band->sides[1];
    const uint32_t p = t->a + i - 1, skip = l->first[p] - t->a;
    if (from > to)
        return;
    const table_row row = {.at = band->forest + i * t->width - i + t->slack + 1,
                           .above = band->forest + (i - 1) * t->width - (i - 1) + t->slack + 1,
                           .before = band->forest + skip * t->width - skip + t->slack + 1,
                           .inner = inner_at(band, p, t->b + from - 1) - from,
                           .first = r->first + t->b - 1,
                           .from = from,
                           .to = to,
                           .b = t->b,
                           .slack = t->slack,
                           .most = band->most - apart(t->a, t->b)};
    if (skip == 0)
        fill_path_row(&row, l->label[p], r->label + t->b - 1);
    else
        fill_inner_row(&row, skip);
}

int akin_band_fill(akin_band *band, uint32_t a, uint32_t rows, uint32_t b, uint32_t columns, akin_band_table *table)
{
    akin_band_table t = {a, b, akin_min_u32(band->most - apart(a, b), akin_max_u32(rows, columns)), 0};
    t.width = 2 * (uint64_t)t.slack + 3;
    uint32_t *forest =
        akin_enlarge(band->account, band->forest, &band->forest_room, (rows + UINT64_C(1)) * t.width, sizeof *forest);
    if (!forest)
        return 0;
    band->forest = forest;
    for (uint64_t d = 0; d < t.width; d++) /* F(0, j) */
        forest[d] = d > t.slack && d - t.slack - 1 <= columns && d + 1 < t.width ? (uint32_t)(d - t.slack - 1) : FAR;
    for (uint32_t i = 1; i <= rows; i++) {
        const uint32_t from = i > t.slack ? i - t.slack : 0, to = akin_min_u32(columns, i + t.slack);
        uint32_t *row = forest + i * t.width;
        const uint32_t filled_to = to >= from ? (uint32_t)(to + t.slack + 1 - i) : 0;
        for (uint32_t d = 0; d < from + t.slack + 1 - i; d++)
            row[d] = FAR;
        for (uint64_t d = filled_to + UINT64_C(1); d < t.width; d++)
            row[d] = FAR;
        if (from == 0)
            row[t.slack + 1 - i] = i;
        fill_row(band, &t, i, akin_max_u32(from, 1), to);
        if (!goes_on(band, t.width))
            return 0;
    }
    *table = t;
    return 1;
}

int akin_band_distance(akin_band *band, uint32_t most, uint32_t *distance)
{
    const akin_band_side *l = &band->sides[0], *r = &band->sides[1];
    akin_band_table table = {0, 0, 0, 0};
    *distance = FAR;
    band->most = most;
    if (apart(l->count, r->count) > most)
        return 1;
    if (l->count == 0 || r->count == 0) {
        *distance = akin_max_u32(l->count, r->count);
        return 1;
    }
    if (!begin_inner(band))
        return 0;
    for (uint32_t a = l->count; a-- > 0;) {
        if (l->first[a] != a)
            continue;
        const uint32_t last = a > most ? a - most : 0;
        for (uint32_t b = (uint32_t)akin_min_u64(r->count, a + (uint64_t)most + 1); b-- > last;) {
            uint32_t wanted[2] = {0, 0};
            if (r->first[b] != b || a + b == 0)
                continue;
            find_wanted(band, a, b, most - apart(a, b), wanted);
            if (wanted[0] > 0 && !akin_band_fill(band, a, wanted[0], b, wanted[1], &table))
                return 0;
        }
    }
    if (!akin_band_fill(band, 0, l->count, 0, r->count, &table))
        return 0;
    *distance = band->forest[l->count * table.width + (r->count + table.slack + 1 - l->count)];
    return 1;
}

void akin_band_clear(akin_band *band)
{
    for (int s = 0; s < 2; s++) {
        akin_band_side *side = &band->sides[s];
        uint32_t *const arrays[] = {side->label, side->size, side->depth, side->first, side->above, side->origin};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            akin_free(arrays[i]);
    }
    akin_free(band->inner);
    akin_free(band->runs);
    akin_free(band->forest);
    *band = (akin_band){.account = band->account, .cancellation = band->cancellation};
}
