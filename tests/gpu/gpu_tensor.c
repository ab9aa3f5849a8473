/* The kernels of the tensor join's filter against every pair looked at one by one. */
#include "gpu/gpu.h"
#include "join/kernels.h"

#define COLUMNS 64 /* of a task */

/* Random signatures of a side, what each needs, and the same on the device. */
typedef struct side {
    uint32_t count, padded;
    uint64_t *signatures;
    int32_t *ask; /* slack, and as term of an exact rule the size */
    akin_tensor_side device;
} side;

typedef struct trial {
    uint32_t bits;
    akin_tensor_kernel kernel;
    akin_tensor_rule rule;
    int32_t extra; /* of the tasks */
    int self;
    int keep;
    side rows, columns;
} trial;

static uint32_t common(const trial *t, uint32_t row, uint32_t column)
{
    uint32_t n = 0, words = t->bits / 64;
    for (uint32_t w = 0; w < words; w++)
        n += (uint32_t)__builtin_popcountll(t->rows.signatures[(uint64_t)row * words + w] &
                                            t->columns.signatures[(uint64_t)column * words + w]);
    return n;
}

static int expected(const trial *t, uint32_t row, uint32_t column, int32_t extra)
{
    int64_t n = common(t, row, column), r = t->rows.ask[row], s = t->columns.ask[column];
    if (t->self && column >= row)
        return 0;
    if (t->rule.squared)
        return n * n * t->rule.factor >= r * s * t->rule.share;
    if (t->rule.exact)
        return n * t->rule.factor >= (r + s) * t->rule.share + t->rule.extra;
    return 2 * n >= r + s + extra;
}

/* Half of the bits are set, so that two share a quarter; some are copies of an earlier one, and share half. */
static void make_side(gpu *g, const trial *t, side *out, uint32_t count, int buffer)
{
    uint32_t words = t->bits / 64, steps;
    *out = (side){.count = count, .padded = (count / AKIN_TENSOR_STEP + 1) * AKIN_TENSOR_STEP + AKIN_TENSOR_PADDING};
    steps = out->padded / AKIN_TENSOR_STEP;
    out->signatures = calloc((size_t)out->padded * words, sizeof *out->signatures);
    out->ask = calloc(out->padded, sizeof *out->ask);
    int32_t *term = calloc(out->padded, sizeof *term), *low = calloc(steps, sizeof *low);
    uint32_t *set = calloc(out->padded, sizeof *set);
    assert_true(out->signatures && out->ask && term && low && set);
    for (uint32_t i = 0; i < out->padded; i++) {
        uint64_t *own = out->signatures + (uint64_t)i * words, from = i ? gpu_random(g, 32) % i : 0;
        int copy = i > 0 && gpu_random(g, 4) == 0;
        for (uint32_t w = 0; w < words && i < count; w++)
            own[w] = copy ? out->signatures[from * words + w] : gpu_random(g, 64);
        set[i] = count - 1 - i; /* another order */
        out->ask[i] = i < count ? (int32_t)(t->bits / 3 + gpu_random(g, 3)) : t->rule.exact ? 1 : 1 << 28;
        term[i] = t->rule.exact && !t->rule.squared ? out->ask[i] * (int32_t)t->rule.share : out->ask[i];
    }
    for (uint32_t s = 0; s < steps; s++) {
        low[s] = INT32_MAX;
        for (uint32_t i = s * AKIN_TENSOR_STEP; i < (s + 1) * AKIN_TENSOR_STEP; i++)
            low[s] = out->ask[i] < low[s] ? out->ask[i] : low[s];
    }
    uint64_t rows = out->padded;
    out->device.count = count;
    uint32_t *all = malloc((rows * (3 + t->bits / 32) + steps) * sizeof *all), *at = all;
    assert_non_null(all);
    memcpy(at, out->signatures, rows * t->bits / 8);
    memcpy(at += rows * t->bits / 32, set, rows * 4);
    memcpy(at += rows, out->ask, rows * 4);
    memcpy(at += rows, term, rows * 4);
    memcpy(at + rows, low, steps * 4);
    uint32_t *device = gpu_put(g, buffer, all, rows * (3 + t->bits / 32) + steps, sizeof *all);
    out->device.signatures = device;
    out->device.set = device += rows * t->bits / 32;
    out->device.slack = (int32_t *)(device += rows);
    out->device.term = (int32_t *)(device += rows);
    out->device.low = (int32_t *)(device + rows);
    free(all);
    free(term);
    free(low);
    free(set);
}

/* As the join cuts them. */
static uint32_t make_tasks(const trial *t, akin_tensor_task *tasks, int32_t extra)
{
    uint32_t rows = AKIN_TENSOR_ROWS(t->bits), count = 0;
    for (uint32_t row = 0; row < t->rows.count; row += rows) {
        uint32_t end = t->columns.count;
        if (t->self && row + rows < end)
            end = row + rows;
        for (uint32_t column = 0; column < end; column += COLUMNS, count++)
            tasks[count] = (akin_tensor_task){row, column, column + COLUMNS < end ? column + COLUMNS : end, extra, 0};
    }
    return count;
}

/* Marks what was found, once each. */
static void mark(const trial *t, const akin_gpu_pair *pairs, const uint32_t *overlaps, uint64_t count, uint8_t *found)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t row = t->rows.count - 1 - (uint32_t)(pairs[i] >> 32);
        uint32_t column = t->columns.count - 1 - (uint32_t)pairs[i];
        assert_true(row < t->rows.count && column < t->columns.count);
        assert_int_equal(found[(uint64_t)row * t->columns.count + column]++, 0);
        if (t->rule.exact)
            assert_int_equal(overlaps[i], common(t, row, column));
    }
}

static void run_trial(gpu *g, trial *t, uint32_t rows, uint32_t columns)
{
    int32_t extra = t->extra;
    akin_tensor_kernel kernel;
    make_side(g, t, &t->rows, rows, 0);
    if (t->self)
        t->columns = t->rows;
    else
        make_side(g, t, &t->columns, columns, 1);
    akin_tensor_task *tasks = calloc(10000, sizeof *tasks);
    uint8_t *found = calloc((size_t)rows * columns + 1, 1);
    assert_true(tasks && found);
    OK(akin_kernels_of(g->device)->tensor->kernel_of(g->device, t->bits, t->kernel, &kernel, &gpu_error));
    uint32_t count = make_tasks(t, tasks, extra);
    uint64_t right = 0, counted = 0;
    akin_tensor_taken taken = {.room = AKIN_TENSOR_LEAST, .kernel = kernel};
    if (t->keep) {
        taken.pairs = gpu_array(g, 2, taken.room, sizeof(akin_gpu_pair));
        taken.overlaps = t->rule.exact ? gpu_array(g, 3, taken.room, sizeof(uint32_t)) : NULL;
    }
    akin_tensor_task *at = gpu_put(g, 4, tasks, count, sizeof *tasks);
    for (int turn = 5; count > 0; turn = 11 - turn) {
        akin_gpu_tally none = {.valid = UINT64_MAX}, *told;
        taken.resume = gpu_array(g, turn, (uint64_t)count * AKIN_TENSOR_WARPS, sizeof *tasks);
        taken.tally = gpu_put(g, 7, &none, 1, sizeof none);
        OK(akin_kernels(g->stream)->tensor->filter(g->stream, &t->rows.device, &t->columns.device, t->rule, t->self,
                                                   t->bits, at, count, &taken, &gpu_error));
        told = gpu_get(g, taken.tally, 1, sizeof *told);
        uint64_t written = told->count < told->valid ? told->count : told->valid;
        assert_true(written <= taken.room);
        if (t->keep) {
            akin_gpu_pair *pairs = gpu_get(g, taken.pairs, written, sizeof *pairs);
            uint32_t *overlaps = t->rule.exact ? gpu_get(g, taken.overlaps, written, sizeof *overlaps) : NULL;
            mark(t, pairs, overlaps, written, found);
            free(pairs);
            free(overlaps);
        }
        counted += told->found;
        assert_true(told->resumed <= count * AKIN_TENSOR_WARPS && (told->resumed == 0 || written > 0));
        count = told->resumed;
        at = taken.resume;
        taken.kernel = kernel == AKIN_TENSOR_WGMMA ? AKIN_TENSOR_MMA : kernel;
        free(told);
    }
    for (uint32_t row = 0; row < t->rows.count; row++)
        for (uint32_t column = 0; column < t->columns.count; column++) {
            int wanted = expected(t, row, column, extra);
            right += (uint64_t)wanted;
            if (t->keep && found[(uint64_t)row * t->columns.count + column] != wanted)
                fail_msg("kernel %d, %u bits, row %u of %u, column %u of %u: %d expected", (int)kernel, t->bits, row,
                         rows, column, columns, wanted);
        }
    if (!t->keep)
        assert_int_equal(counted, right);
    free(t->rows.signatures);
    free(t->rows.ask);
    if (!t->self) {
        free(t->columns.signatures);
        free(t->columns.ask);
    }
    free(tasks);
    free(found);
}

static void run_sizes(gpu *g, trial t)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 33}, {31, 64}, {129, 127}, {128, 128}, {512, 513}, {700, 600}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (t.self = 0; t.self < 2; t.self++)
            run_trial(g, &t, sizes[i][0], t.self ? sizes[i][0] : sizes[i][1]);
}

/* Signatures that may qualify; then exact rules, for about half of the pairs, for few and for all of them. */
static void run_kernel(gpu *g, akin_tensor_kernel kernel)
{
    for (uint32_t bits = 256; bits <= 2048; bits *= 2) {
        int32_t half = (int32_t)bits / 4;
        trial t = {.bits = bits, .kernel = kernel, .keep = 1, .rule = {.factor = 2}, .extra = -half / 2 - 1};
        run_sizes(g, t);
        t.extra = half / 4; /* copies alone */
        run_sizes(g, t);
        t.extra = -(1 << 27); /* exact rules of no threshold: the first look is to pass all */
        for (t.keep = 0; t.keep < 2; t.keep++) {
            t.rule = (akin_tensor_rule){.exact = 1, .factor = 1, .extra = half};
            run_sizes(g, t);
            t.rule.extra = half * 5 / 3;
            run_sizes(g, t);
            t.rule.extra = 1;
            run_sizes(g, t);
            t.rule = (akin_tensor_rule){.exact = 1, .factor = 8, .share = 3};
            run_sizes(g, t);
            t.rule = (akin_tensor_rule){.exact = 1, .squared = 1, .factor = 16, .share = 9};
            run_sizes(g, t);
        }
    }
}

static void by_popcounts(void **state)
{
    run_kernel(*state, AKIN_TENSOR_PLAIN);
}

static void by_mma(void **state)
{
    run_kernel(*state, AKIN_TENSOR_MMA);
}

static void by_wgmma(void **state)
{
    run_kernel(*state, AKIN_TENSOR_WGMMA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_popcounts),
        cmocka_unit_test(by_mma),
        cmocka_unit_test(by_wgmma),
    };
    int absent = gpu_absent();
    return absent ? absent : cmocka_run_group_tests(tests, gpu_setup, gpu_teardown);
}
