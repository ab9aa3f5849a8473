/* Words looked up in frozen dictionaries on the GPU against a sorted list of them: every kind, every way to deal words
 * out, words of the device's and of the host's, limits. `small`, for a checker of memory, takes few words. */
#include "base/context.h"
#include "device/devices.h"
#include "dict/trie_gpu.h"
#include "gpu/gpu.h"
#include "unit/test_dict_words.h"

static akin_wishes wishes; /* of the tests below */

static int small;

/* Words in device memory, side by side or with gaps between them, looked up `times` times. */
static void check_device(gpu *g, const akin_trie *trie, const words *asked, const uint32_t *expected, uint32_t gap)
{
    const uint64_t count = asked->count;
    uint32_t *begins = malloc((count + 1) * sizeof *begins), *ends = malloc((count + 1) * sizeof *ends);
    char *bytes = malloc(asked->used + count * gap + 1);
    uint64_t used = 0;
    akin_trie_copy copy;
    assert_true(begins && ends && bytes);
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const char *word = words_at(asked, i, &length);
        begins[i] = (uint32_t)used;
        memcpy(bytes + used, word, length);
        used += length;
        ends[i] = (uint32_t)used;
        memset(bytes + used, 'a', gap);
        used += gap;
    }
    OK(akin_trie_upload(g->device, g->stream, trie, &g->buffers[0], &copy, &gpu_error));
    const akin_gpu_words there = {gpu_put(g, 1, bytes, used, 1), gpu_put(g, 2, begins, count, sizeof *begins),
                                  gpu_put(g, 3, ends, count, sizeof *ends), count};
    for (int balance = 0; balance < AKIN_BALANCES; balance++) {
        uint32_t *ids = gpu_array(g, 4, count, sizeof *ids);
        OK(copy.look_up(g->stream, &copy.view, &there, (akin_balance)balance, ids, &gpu_error));
        gpu_expect(g, ids, expected, count, sizeof *ids);
    }
    free(begins);
    free(ends);
    free(bytes);
}

static void check_host(akin_context *context, const akin_trie *trie, const words *asked, const uint32_t *expected)
{
    akin_column column = words_column(asked);
    uint32_t *ids = malloc(((uint64_t)asked->count + 1) * sizeof *ids);
    akin_device *device;
    assert_non_null(ids);
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    for (int balance = 0; balance < AKIN_BALANCES; balance++) {
        const akin_trie_gpu_job job = {akin_scope_of(context), device, trie, (akin_balance)balance};
        memset(ids, 0x5a, ((uint64_t)asked->count + 1) * sizeof *ids);
        OK(akin_trie_look_up_there(&job, &column, asked->count, ids, &gpu_error));
        assert_memory_equal(ids, expected, asked->count * sizeof *ids);
        assert_int_equal(ids[asked->count], 0x5a5a5a5a);
        assert_int_equal(akin_device_held(device), 0);
    }
    OK(akin_trie_look_up(context, trie, &column, asked->count, ids, &gpu_error));
    assert_memory_equal(ids, expected, asked->count * sizeof *ids);
    words_column_clear(&column);
    free(ids);
}

static akin_context *create(uint64_t device_memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context;
    options.device = "cuda";
    options.device_memory = device_memory;
    options.threads = 3;
    OK(akin_context_create(&options, &context, &gpu_error));
    return context;
}

static uint32_t *ids_of(const words *in, const words *asked)
{
    uint32_t count, *ids = malloc(((size_t)asked->count + 1) * sizeof *ids);
    reversed *list = words_by_id(in, &count);
    assert_non_null(ids);
    for (uint32_t i = 0; i < asked->count; i++) {
        size_t length;
        const char *word = words_at(asked, i, &length);
        ids[i] = words_id(list, count, word, length);
    }
    free(list);
    return ids;
}

static void check(gpu *g, const words *in, const words *asked)
{
    akin_context plain = words_context(&plain, 1), *context = create(0);
    uint32_t *expected = ids_of(in, asked);
    context->wishes = &wishes;
    wishes.candidates = 2000; /* words of a chunk */
    for (size_t k = 0; k < WORD_KINDS; k++) {
        akin_trie *trie = words_build(&plain, in, word_kinds[k]);
        check_device(g, trie, asked, expected, 0);
        check_device(g, trie, asked, expected, 3);
        check_host(context, trie, asked, expected);
        akin_trie_free(trie);
    }
    akin_context_free(context);
    free(expected);
}

static void random_words(void **state)
{
    static const struct {
        uint32_t count, longest, alphabet, asked;
    } shapes[] = {{0, 1, 1, 100},           {1, 0, 1, 33},       {10, 3, 2, 1},
                  {300, 12, 2, 255},        {1000, 3, 255, 257}, {3000, 20, 255, 1025},
                  {20000, 2, 255, 5000},    {40, 300, 3, 3000},  {30000, 7, 60, 70001},
                  {200000, 40, 20, 1 << 20}};
    for (uint64_t i = 0; i < sizeof shapes / sizeof *shapes && !(small && shapes[i].asked > 3000); i++) {
        words in = words_draw(i, shapes[i].count, shapes[i].longest, shapes[i].alphabet);
        words asked = words_draw(i % 3 == 0 ? i : 1000 + i, shapes[i].asked, shapes[i].longest, shapes[i].alphabet);
        check(*state, &in, &asked);
        words_clear(&in);
        words_clear(&asked);
    }
}

/* More words than a launch has. */
static void launches(void **state)
{
    gpu *g = *state;
    if (small)
        skip();
    const uint32_t count = (uint32_t)(akin_device_properties(g->device)->multiprocessors * AKIN_GPU_SHARE) + 1001;
    words in = words_draw(3, 2000, 5, 26), asked = {0};
    akin_context plain = words_context(&plain, 1);
    uint32_t *own = ids_of(&in, &in), *expected = malloc(count * sizeof *expected);
    assert_non_null(expected);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t drawn = (uint32_t)(i * UINT64_C(2654435761) % in.count);
        size_t length;
        const char *word = words_at(&in, drawn, &length);
        words_add(&asked, word, length);
        expected[i] = own[drawn];
    }
    for (size_t k = 0; k < WORD_KINDS; k++) {
        akin_trie *trie = words_build(&plain, &in, word_kinds[k]);
        check_device(g, trie, &asked, expected, 1);
        akin_trie_free(trie);
    }
    free(own);
    free(expected);
    words_clear(&in);
    words_clear(&asked);
}

/* Words at the borders of what is looked up there, and words that no chunk has room for. */
static void long_words(void **state)
{
    static const size_t lengths[] = {30, 31, 32, AKIN_GPU_WORD - 1, AKIN_GPU_WORD, AKIN_GPU_WORD + 1, 70000};
    akin_context plain = words_context(&plain, 1), *context = create(0);
    words in = {0}, asked = {0};
    char *word = malloc(70001);
    (void)state;
    assert_non_null(word);
    memset(word, 'a', 70001);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        words_add(&in, word, lengths[i]);
        for (size_t other = 0; other < 3; other++) {
            words_add(&asked, word, lengths[i] + other - 1);
            words_add(&asked, word, i);
        }
    }
    context->wishes = &wishes;
    wishes.candidates = 1;
    uint32_t *expected = ids_of(&in, &asked);
    for (size_t k = 0; k < WORD_KINDS; k++) {
        akin_trie *trie = words_build(&plain, &in, word_kinds[k]);
        check_host(context, trie, &asked, expected);
        akin_trie_free(trie);
    }
    free(expected);
    free(word);
    akin_context_free(context);
    words_clear(&in);
    words_clear(&asked);
}

/* Within little memory words go there in small chunks; where a trie has no room, the CPU does it. */
static void limits(void **state)
{
    akin_context plain = words_context(&plain, 1);
    words in = words_draw(8, 20000, 9, 26);
    akin_trie *trie = words_build(&plain, &in, AKIN_TRIE_CHUNKS);
    uint32_t *expected = ids_of(&in, &in), *ids = malloc(in.count * sizeof *ids);
    const uint64_t own = akin_trie_gpu_bytes(trie), bounds[] = {own + (512 << 10), own + (64 << 10)};
    akin_column column = words_column(&in);
    akin_device *device;
    akin_error error;
    (void)state;
    assert_non_null(ids);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        akin_context *context = create(bounds[i]);
        check_host(context, trie, &in, expected);
        OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
        assert_true(akin_device_peak(device) <= bounds[i]);
        akin_context_free(context);
    }
    akin_context *context = create(own - 1000);
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    const akin_trie_gpu_job job = {akin_scope_of(context), device, trie, AKIN_BALANCE_BINS};
    assert_int_equal(akin_trie_look_up_there(&job, &column, in.count, ids, &error), AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "not enough GPU memory for a trie"));
    OK(akin_trie_look_up(context, trie, &column, in.count, ids, &gpu_error));
    assert_memory_equal(ids, expected, in.count * sizeof *ids);
    akin_context_free(context);
    words_column_clear(&column);
    akin_trie_free(trie);
    words_clear(&in);
    free(expected);
    free(ids);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_words, gpu_setup, gpu_teardown),
        cmocka_unit_test_setup_teardown(launches, gpu_setup, gpu_teardown),
        cmocka_unit_test(long_words),
        cmocka_unit_test(limits),
    };
    small = count > 1 && strcmp(arguments[1], "small") == 0;
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
