/* Makes the random collections that the joins are tried on. */
#include "property/shapes.h"

#include <string.h>

#define SIZE_MOST 20000

static uint32_t below(akin_random *random, uint64_t bound)
{
    return (uint32_t)akin_random_below(random, bound);
}

/* Adds a row of `size` tokens of the universe, drawn without repetition: a selection of each with the same chance. */
static void add_drawn(akin_random *random, uint32_t universe, uint32_t size, rows *out)
{
    uint32_t tokens[SIZE_MOST], drawn = 0;
    for (uint32_t token = 0; token < universe && drawn < size; token++)
        if (below(random, universe - token) < size - drawn)
            tokens[drawn++] = token;
    rows_add(out, tokens, drawn);
}

/* Adds a copy of a row in which about a tenth of the tokens, and perhaps none, give way to tokens of other rows. */
static void add_altered(akin_random *random, const rows *from, uint32_t row, rows *out)
{
    uint32_t tokens[SIZE_MOST], size = rows_size(from, row), changes = below(random, size / 8 + 2);
    if (size)
        memcpy(tokens, rows_tokens(from, row), size * sizeof *tokens);
    for (; size && changes; changes--) {
        uint32_t other = below(random, from->count), others = rows_size(from, other);
        if (others)
            tokens[below(random, size)] = rows_tokens(from, other)[below(random, others)];
    }
    rows_add(out, tokens, size);
}

/* Every third row or so is an altered copy of an earlier one. */
static int add_relative(akin_random *random, rows *out)
{
    if (out->count == 0 || below(random, 3))
        return 0;
    add_altered(random, out, below(random, out->count), out);
    return 1;
}

/* Sets of up to 12 tokens, each as likely as the other. */
static void make_uniform(akin_random *random, uint32_t universe, uint32_t count, rows *out)
{
    while (out->count < count)
        add_drawn(random, universe, 1 + below(random, universe < 12 ? universe : 12), out);
}

/* Sets all of 12 tokens, so that they fill one size class. */
static void make_class(akin_random *random, uint32_t universe, uint32_t count, rows *out)
{
    while (out->count < count) {
        uint32_t tokens[12], at = below(random, 12), row = out->count;
        add_drawn(random, universe, 12, out);
        if (row == 0 || below(random, 2))
            continue;
        memcpy(tokens, rows_tokens(out, row), sizeof tokens); /* all but some of an earlier row's instead */
        const uint32_t *earlier = rows_tokens(out, below(random, row));
        for (uint32_t i = 0; i < 12; i++)
            tokens[i] = i == at ? tokens[i] : earlier[i];
        rows_add(out, tokens, 12);
        if (rows_size(out, out->count - 1) != 12)
            out->count--;
    }
    out->count = count;
}

/* Exactly that many distinct tokens in all, if there are rows: whether the signature is the set depends on it. */
static void make_universe(akin_random *random, uint32_t universe, uint32_t count, rows *out)
{
    for (uint32_t row = 0; row < count; row++) {
        uint32_t tokens[SIZE_MOST], size = 0;
        if (row % 4 && below(random, 3) == 0) {
            size = rows_size(out, row - 1);
            memcpy(tokens, rows_tokens(out, row - 1), size * sizeof *tokens);
        }
        for (uint32_t token = row; token < universe; token += count) /* its share of the universe, come what may */
            tokens[size++] = token;
        for (uint32_t more = below(random, 8); more; more--)
            tokens[size++] = below(random, universe);
        rows_add(out, tokens, size);
    }
}

/* Skewed tokens: the frequent ones are in most sets. */
static void add_skewed(akin_random *random, uint32_t universe, rows *out)
{
    uint32_t tokens[64], size = 1 + below(random, 20) + below(random, 20);
    for (uint32_t i = 0; i < size; i++) {
        double u = akin_random_unit(random);
        tokens[i] = (uint32_t)(u * u * u * universe);
    }
    rows_add(out, tokens, size);
}

static void make_skewed(akin_random *random, uint32_t universe, uint32_t count, rows *out)
{
    while (out->count < count)
        if (!add_relative(random, out))
            add_skewed(random, universe, out);
}

/* One set that holds everything, among small ones. */
static void make_huge(akin_random *random, uint32_t universe, uint32_t count, rows *out)
{
    uint32_t place = below(random, count ? count : 1);
    while (out->count < count)
        if (out->count == place)
            add_drawn(random, universe, universe, out);
        else if (!add_relative(random, out) || rows_size(out, out->count - 1) > 100)
            add_drawn(random, universe, 1 + below(random, 20), out);
}

static void add_copy(rows *out, uint32_t row)
{
    rows_add(out, rows_tokens(out, row), rows_size(out, row));
}

static void make_equal(akin_random *random, uint32_t size, uint32_t count, rows *out)
{
    if (count)
        add_drawn(random, 3 * size, size, out);
    while (out->count < count)
        add_copy(out, 0);
}

static void make_disjoint(akin_random *random, uint32_t size, uint32_t count, rows *out)
{
    (void)random;
    while (out->count < count) {
        uint32_t tokens[64];
        for (uint32_t i = 0; i < size; i++)
            tokens[i] = out->count * size + i;
        rows_add(out, tokens, size);
    }
}

/* Every set is a part of the larger ones: a pair is as alike as its sizes allow, on the edge of the length filter. */
static void make_chain(akin_random *random, uint32_t longest, uint32_t count, rows *out)
{
    uint32_t tokens[SIZE_MOST];
    for (uint32_t i = 0; i < longest; i++)
        tokens[i] = i * 7919 % longest;
    while (out->count < count)
        rows_add(out, tokens, out->count < longest ? out->count + 1 : 1 + below(random, longest));
}

/* Two sets of r and s tokens that share n, and a third like the second but with a token less in common. */
static void add_edge(akin_random *random, uint32_t r, uint32_t s, uint32_t n, rows *out)
{
    uint32_t pool[SIZE_MOST] = {0}, universe = 2 * (r + s);
    for (uint32_t i = 0; i < universe; i++)
        pool[i] = i;
    for (uint32_t i = 0; i < r + s; i++) {
        uint32_t j = i + below(random, universe - i), token = pool[i];
        pool[i] = pool[j];
        pool[j] = token;
    }
    rows_add(out, pool, r);             /* [0, r) */
    rows_add(out, pool + r - n, s);     /* [r - n, r - n + s) */
    rows_add(out, pool + r - n + 1, s); /* [r - n + 1, ...) */
}

/* Pairs exactly on common thresholds num / den, and pairs that miss them by one token. */
static void make_edges(akin_random *random, uint32_t largest, uint32_t count, rows *out)
{
    static const uint32_t ratios[][2] = {{13, 20}, {4, 5}, {9, 10}, {1, 2}, {1, 3}, {2, 3}, {7, 10}, {19, 20}, {3, 4}};
    while (out->count < count) {
        uint32_t which = below(random, sizeof ratios / sizeof *ratios);
        uint32_t num = ratios[which][0], den = ratios[which][1], k = 1 + below(random, largest / den);
        uint32_t n = num * k, r, s;
        switch (below(random, 3)) {
        case 0: /* Jaccard: n of a union of den k tokens */
            r = n + below(random, den * k - n + 1);
            s = den * k + n - r;
            break;
        case 1: /* Dice: 2 n of r + s = 2 den k tokens */
            r = n + below(random, 2 * (den * k - n) + 1);
            s = 2 * den * k - r;
            break;
        default: /* cosine: n of sqrt(r s) = den k, where r = den k p / q and s = den k q / p */
            r = s = den * k;
            if (k % 6 == 0 && 3 * num <= 2 * den) {
                r = den * k / 3 * 2;
                s = den * k / 2 * 3;
            }
        }
        add_edge(random, r, s, n, out);
    }
    out->count = count;
}

static void make_mostly_empty(akin_random *random, uint32_t universe, uint32_t count, rows *out)
{
    while (out->count < count)
        if (below(random, 8))
            rows_add(out, NULL, 0);
        else
            add_skewed(random, universe, out);
}

static void make_empty(akin_random *random, uint32_t parameter, uint32_t count, rows *out)
{
    (void)random;
    (void)parameter;
    while (out->count < count)
        rows_add(out, NULL, 0);
}

/* Copies of a few sets. */
static void make_duplicates(akin_random *random, uint32_t distinct, uint32_t count, rows *out)
{
    while (out->count < count)
        if (out->count < distinct)
            add_drawn(random, 40, 1 + below(random, 15), out);
        else
            add_copy(out, below(random, distinct));
}

/* Token ids from all of the 32 bits, 0 and the largest among them; the same id for the same token in both collections.
 */
static void make_sparse(akin_random *random, uint32_t universe, uint32_t count, rows *out)
{
    rows dense = {0};
    make_skewed(random, universe, count, &dense);
    for (uint32_t row = 0; row < count; row++) {
        uint32_t tokens[SIZE_MOST], size = rows_size(&dense, row);
        for (uint32_t i = 0; i < size; i++) {
            uint32_t token = rows_tokens(&dense, row)[i];
            tokens[i] = token == 1 ? UINT32_MAX : token * 2654435761u; /* an odd factor: distinct for distinct tokens */
        }
        rows_add(out, tokens, size);
    }
    rows_clear(&dense);
}

/* Sizes of all orders of magnitude. */
static void make_wide(akin_random *random, uint32_t largest, uint32_t count, rows *out)
{
    while (out->count < count) {
        uint32_t size = 1;
        while (size < largest && below(random, 4))
            size += 1 + below(random, size);
        if (!add_relative(random, out))
            add_drawn(random, 2 * largest, size < largest ? size : largest, out);
    }
}

/* Sets of up to four tokens that all share one, whose list in an index is long. */
static void make_common(akin_random *random, uint32_t universe, uint32_t count, rows *out)
{
    while (out->count < count) {
        uint32_t tokens[4] = {0}, size = 1 + below(random, 4);
        for (uint32_t i = 1; i < size; i++)
            tokens[i] = 1 + below(random, universe - 1);
        rows_add(out, tokens, size);
    }
}

const shape shapes[] = {
    {"no rows", 0, 10, make_uniform, 1},
    {"one row", 1, 10, make_uniform, 1},
    {"two rows", 2, 4, make_uniform, 1},
    {"three equal rows", 3, 5, make_equal, 1},
    {"empty sets only", 20, 0, make_empty, 1},
    {"one token", 40, 1, make_uniform, 1},
    {"tiny universe", 90, 6, make_uniform, 1},
    {"small universe", 200, 25, make_uniform, 1},
    {"universe of 63", 150, 63, make_universe, 0},
    {"universe of 64", 150, 64, make_universe, 1},
    {"universe of 65", 150, 65, make_universe, 1},
    {"universe of 127", 150, 127, make_universe, 0},
    {"universe of 128", 150, 128, make_universe, 1},
    {"universe of 129", 150, 129, make_universe, 0},
    {"universe of 255", 150, 255, make_universe, 0},
    {"universe of 256", 150, 256, make_universe, 0},
    {"universe of 257", 150, 257, make_universe, 0},
    {"universe of 2047", 200, 2047, make_universe, 0},
    {"universe of 2048", 200, 2048, make_universe, 0},
    {"universe of 2049", 200, 2049, make_universe, 0},
    {"one class of 1", 1, 60, make_class, 0},
    {"one class of 7", 7, 60, make_class, 0},
    {"one class of 8", 8, 60, make_class, 0},
    {"one class of 9", 9, 60, make_class, 0},
    {"one class of 63", 63, 90, make_class, 0},
    {"one class of 64", 64, 90, make_class, 0},
    {"one class of 65", 65, 90, make_class, 0},
    {"one class of 127", 127, 200, make_class, 0},
    {"one class of 128", 128, 200, make_class, 1},
    {"one class of 129", 129, 200, make_class, 1},
    {"one class of 511", 511, 300, make_class, 0},
    {"one class of 512", 512, 300, make_class, 0},
    {"one class of 513", 513, 300, make_class, 0},
    {"one class of 1024", 1024, 400, make_class, 0},
    {"one class of 1100", 1100, 400, make_class, 0},
    {"skewed", 127, 500, make_skewed, 1},
    {"skewed", 300, 3000, make_skewed, 1},
    {"skewed", 513, 800, make_skewed, 0},
    {"skewed", 1100, 5000, make_skewed, 0},
    {"few tokens, many rows", 1100, 30, make_skewed, 0},
    {"a huge set", 60, 20000, make_huge, 0},
    {"a huge set", 129, 4000, make_huge, 1},
    {"all equal", 129, 1, make_equal, 0},
    {"all equal", 128, 9, make_equal, 1},
    {"all equal", 600, 40, make_equal, 0},
    {"all disjoint", 300, 1, make_disjoint, 0},
    {"all disjoint", 200, 33, make_disjoint, 1},
    {"chain", 64, 64, make_chain, 1},
    {"chain", 250, 250, make_chain, 0},
    {"chain", 260, 1000, make_chain, 0},
    {"on the threshold", 120, 60, make_edges, 1},
    {"on the threshold", 300, 400, make_edges, 0},
    {"on the threshold", 600, 40, make_edges, 0},
    {"mostly empty", 400, 300, make_mostly_empty, 1},
    {"mostly empty", 4500, 600, make_mostly_empty, 0},
    {"duplicates", 200, 5, make_duplicates, 1},
    {"duplicates", 700, 40, make_duplicates, 0},
    {"sparse ids", 200, 900, make_sparse, 1},
    {"sparse ids", 700, 30000, make_sparse, 0},
    {"wide sizes", 150, 200, make_wide, 1},
    {"wide sizes", 500, 1500, make_wide, 0},
    {"one token in common", 300, 200, make_common, 1},
    {"one token in common", 2300, 3000, make_common, 0},
};
const size_t shapes_count = sizeof shapes / sizeof *shapes;

void shape_make(const shape *shape, akin_random *random, rows *left, rows *right)
{
    uint32_t counts[] = {0, 1, shape->rows / 3, shape->rows, shape->rows, shape->rows + 1};
    uint32_t count = counts[below(random, sizeof counts / sizeof *counts)];
    shape->make(random, shape->parameter, shape->rows, left);
    shape->make(random, shape->parameter, count, right);
    for (uint32_t copies = left->count ? count / 4 : 0; copies; copies--)
        add_altered(random, left, below(random, left->count), right);
}
