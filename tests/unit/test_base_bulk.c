/* Arrays that move from the heap to a mapped file: their content, their limits, full disks, nothing left behind. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/bulk.h"
#include "base/temporary.h"
#include "unit/test_base_files.h"

#include <signal.h>
#include <sys/resource.h>

static akin_context bounded(akin_context *self)
{
    return (akin_context){.scope = {.context = self, .threads = 1, .memory = AKIN_MEMORY_LEAST}, .temporary = scratch};
}

/* Grows an array number by number and holds it against what was put in. */
static void fill(akin_bulk *bulk, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        assert_int_equal(akin_bulk_grow(bulk, (i + 1) * sizeof i, "a test", NULL), AKIN_OK);
        ((uint64_t *)bulk->data)[i] = i * i;
    }
}

static void check(const akin_bulk *bulk, uint64_t count)
{
    assert_int_equal((uintptr_t)bulk->data % 64, 0);
    assert_true(bulk->capacity >= count * sizeof count);
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(((const uint64_t *)bulk->data)[i], i * i);
}

static void on_the_heap_without_a_bound(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 1}, .temporary = scratch};
    akin_account account = {0};
    akin_bulk bulk = akin_bulk_of(akin_scope_of(&context), &account, 10);
    fill(&bulk, 300000);
    check(&bulk, 300000);
    assert_false(bulk.mapped);
    assert_int_equal(account.held, bulk.capacity);
    akin_bulk_trim(&bulk, 1000 * sizeof(uint64_t));
    check(&bulk, 1000);
    assert_int_equal(account.held, 1000 * sizeof(uint64_t));
    akin_bulk_clear(&bulk);
    akin_bulk_clear(&bulk);
    assert_int_equal(account.held, 0);
}

static void in_a_file_beyond_the_share(void **state)
{
    (void)state;
    akin_context context = bounded(&context);
    akin_account account = {0};
    akin_bulk bulk = akin_bulk_of(akin_scope_of(&context), &account, 100000);
    fill(&bulk, 10000);
    assert_false(bulk.mapped);
    fill(&bulk, 500000);
    assert_true(bulk.mapped);
    check(&bulk, 500000);
    assert_true(account.held == 0 && account.peak <= 100000);
    assert_int_equal(scratch_entries("."), 0); /* the file has no name */
    uint64_t before = bulk.capacity;
    assert_int_equal(akin_bulk_reserve(&bulk, before + 5000000, "a test", NULL), AKIN_OK);
    for (uint64_t i = before; i < bulk.capacity; i += 997)
        assert_int_equal(((const char *)bulk.data)[i], 0);
    akin_bulk_trim(&bulk, 10);
    check(&bulk, 500000);
    akin_bulk_clear(&bulk);
    assert_null(bulk.data);
}

static void a_large_one_goes_there_at_once(void **state)
{
    (void)state;
    akin_context context = bounded(&context);
    akin_account account = {0};
    akin_bulk bulk = akin_bulk_of(akin_scope_of(&context), &account, 1000);
    assert_int_equal(akin_bulk_reserve(&bulk, 3000000, "a test", NULL), AKIN_OK);
    assert_true(bulk.mapped && bulk.capacity >= 3000000 && account.peak == 0);
    akin_bulk_clear(&bulk);
    bulk = akin_bulk_adopt(akin_alloc(&account, 100, 1));
    assert_int_equal(account.held, 100);
    akin_bulk_clear(&bulk);
    assert_int_equal(account.held, 0);
}

static void what_cannot_be_had(void **state)
{
    (void)state;
    akin_context context = bounded(&context);
    akin_error error;
    akin_account account = {.limit = 5000};
    akin_bulk bulk = {.account = &account, .limit = UINT64_MAX};
    fill(&bulk, 100);
    assert_int_equal(akin_bulk_reserve(&bulk, 9000, "the test", &error), AKIN_E_NOMEM); /* the account's limit */
    assert_non_null(strstr(error.message, "the test"));
    check(&bulk, 100);
    akin_bulk_clear(&bulk);
    bulk = akin_bulk_of(akin_scope_of(&context), NULL, 10000);
    fill(&bulk, 100);
    assert_int_equal(akin_bulk_reserve(&bulk, UINT64_MAX, "the test", &error), AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "the test"));
    check(&bulk, 100);
    akin_bulk_clear(&bulk);

    char absent[] = "/absent/directory";
    context.temporary = absent;
    bulk = akin_bulk_of(akin_scope_of(&context), NULL, 1000);
    fill(&bulk, 100);
    assert_int_equal(akin_bulk_reserve(&bulk, 2000, "the test", &error), AKIN_E_IO);
    assert_memory_equal(error.message, absent, strlen(absent));
    check(&bulk, 100);
    akin_bulk_clear(&bulk);
}

/* Arrays of a store share what it may have of the heap; whichever grows beyond goes to a file, and the others stay. */
static void in_a_store(void **state)
{
    (void)state;
    akin_context context = bounded(&context);
    akin_error error;
    akin_store store = {0};
    assert_int_equal(akin_store_begin(&store, akin_scope_of(&context), 256, "a test", NULL), AKIN_OK);
    assert_int_equal(store.account.limit, AKIN_MEMORY_LEAST / 256);
    akin_bulk bulks[3] = {akin_bulk_in(&store), akin_bulk_in(&store), akin_bulk_in(&store)};
    fill(&bulks[0], 4000);
    fill(&bulks[1], 4000);
    assert_false(bulks[0].mapped || !bulks[1].mapped);
    assert_int_equal(akin_bulk_reserve_zeros(&bulks[2], 100000, "a test", NULL), AKIN_OK);
    assert_true(bulks[2].mapped);
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(((const char *)bulks[2].data)[i], 0);
    check(&bulks[0], 4000);
    check(&bulks[1], 4000);
    assert_int_equal(store.account.held, bulks[0].capacity);
    assert_true(store.account.peak <= store.account.limit);
    for (int i = 0; i < 3; i++)
        akin_bulk_clear(&bulks[i]);
    memset(store.directory, 'x', strlen(store.directory)); /* a copy: the context's is as it was */
    bulks[0] = akin_bulk_in(&store);
    assert_int_equal(akin_bulk_reserve(&bulks[0], 100000, NULL, NULL), AKIN_E_IO);
    assert_int_equal(akin_store_fail(&store, AKIN_E_IO, "the test", &error), AKIN_E_IO);
    assert_memory_equal(error.message, store.directory, strlen(store.directory));
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(akin_store_fail(&store, AKIN_E_NOMEM, "the test", &error), AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "the test"));
    akin_bulk_clear(&bulks[0]);
    akin_store_clear(&store);

    context.scope.memory = 0; /* on the heap, however many bytes */
    assert_int_equal(akin_store_begin(&store, akin_scope_of(&context), 256, "a test", NULL), AKIN_OK);
    store.account.limit = 0;
    bulks[0] = akin_bulk_in(&store);
    assert_int_equal(akin_bulk_reserve_zeros(&bulks[0], 3000000, "a test", NULL), AKIN_OK);
    assert_false(bulks[0].mapped);
    for (size_t i = 0; i < 3000000; i += 101)
        assert_int_equal(((const char *)bulks[0].data)[i], 0);
    akin_bulk_clear(&bulks[0]);
    akin_store_clear(&store);
}

/* No file may be longer than 4 MiB, which is what a full disk looks like. */
static void a_full_disk(void **state)
{
    (void)state;
    akin_context context = bounded(&context);
    akin_error error;
    struct rlimit before, less;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    less = before;
    less.rlim_cur = 4 << 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    akin_bulk bulk = akin_bulk_of(akin_scope_of(&context), NULL, 1000);
    fill(&bulk, 250000);
    assert_int_equal(akin_bulk_reserve(&bulk, 8 << 20, "the test", &error), AKIN_E_IO);
    assert_memory_equal(error.message, scratch, strlen(scratch));
    assert_non_null(strstr(error.message, "too large"));
    check(&bulk, 250000);
    akin_bulk_clear(&bulk);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void temporary_files(void **state)
{
    (void)state;
    int fd = -1;
    char got[4];
    assert_int_equal(akin_temporary_open(scratch, &fd), 0);
    assert_int_equal(scratch_entries("."), 0);
    assert_int_equal(akin_temporary_write(fd, "abcd", 4, 100), 0);
    assert_int_equal(akin_temporary_read(fd, got, 4, 99), 0);
    assert_memory_equal(got, "\0abc", 4);
    assert_true(akin_temporary_read(fd, got, 4, 102) != 0); /* beyond its end */
    assert_int_equal(akin_temporary_grow(fd, 104, 5000), 0);
    assert_int_equal(akin_temporary_read(fd, got, 4, 4996), 0);
    close(fd);
    assert_true(akin_temporary_write(fd, "abcd", 4, 0) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_the_heap_without_a_bound),
        cmocka_unit_test(in_a_file_beyond_the_share),
        cmocka_unit_test(a_large_one_goes_there_at_once),
        cmocka_unit_test(what_cannot_be_had),
        cmocka_unit_test(in_a_store),
        cmocka_unit_test(a_full_disk),
        cmocka_unit_test(temporary_files),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
