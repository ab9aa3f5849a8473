/* Addresses as messages show them. */
#include "akin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_passwords_are_left_out(void **state)
{
    static const char *const cases[][2] = {
        {"people.csv", "people.csv"},
        {"", ""},
        {"a:secret@b", "a:secret@b"},
        {"duckdb:a.db?query=select 'x://me:secret@b'", "duckdb:a.db?query=select 'x://me:secret@b'"},
        {"postgresql://db/people?table=a", "postgresql://db/people?table=a"},
        {"postgresql://me@db:5432/people?table=a", "postgresql://me@db:5432/people?table=a"},
        {"postgresql://db:5432/people?user=me@db&table=a", "postgresql://db:5432/people?user=me@db&table=a"},
        {"postgresql://[::1]:5432/p@b?table=a", "postgresql://[::1]:5432/p@b?table=a"},
        {"postgresql://me:secret@db/people?table=a", "postgresql://me@db/people?table=a"},
        {"postgres://me:secret@db", "postgres://me@db"},
        {"postgresql://me:@db/people", "postgresql://me@db/people"},
        {"postgresql://:secret@/people", "postgresql://@/people"},
        {"postgresql://me:se@cret@db/people", "postgresql://me@db/people"},
        {"postgresql://me:se@cr/et@db/people?table=a", "postgresql://me@db/people?table=a"},
        {"postgresql://me:123/4@db/people?user=a@b", "postgresql://me@db/people?user=a@b"},
        {"postgresql://me:12?3@db?table=a", "postgresql://me@db?table=a"},
        {"postgresql://me@db:5432/p@b?table=a", "postgresql://me@db:5432/p@b?table=a"},
        {"s3://KEY:123/45abc@bucket/x.csv", "s3://KEY@bucket/x.csv"},
        {"https://host:8080/a.csv?to%6ben=secret", "https://host:8080/a.csv"},
        {"S3://bucket/a.csv?secret_key=secret&x=1", "S3://bucket/a.csv?x=1"},
        {"postgresql://db/p?oauth_client_secret=s&scram_client_key=s&sslkey=a.key&table=t",
         "postgresql://db/p?sslkey=a.key&table=t"},
        {"postgresql://db/people?table=a&password=secret", "postgresql://db/people?table=a"},
        {"postgresql://db/people?table=a&b", "postgresql://db/people?table=a&b"},
        {"postgresql://me:se/cret@db/people?table=a", "postgresql://me@db/people?table=a"},
        {"postgresql://me:se?cret@db/people?table=a", "postgresql://me@db/people?table=a"},
        {"postgresql://me:se?cr/et@db?user=a&query=select '@'", "postgresql://me@db?user=a&query=select '@'"},
        {"postgresql://db/people?p%61ss%77ORD=secret&table=a", "postgresql://db/people?table=a"},
        {"postgresql://db/people?sslcert=%61&pass%7=a&table=a", "postgresql://db/people?sslcert=%61&pass%7=a&table=a"},
        {"postgresql://db/people?password=secret&table=a", "postgresql://db/people?table=a"},
        {"postgresql://db/people?user=me&PassWord=secret&sslmode=require",
         "postgresql://db/people?user=me&sslmode=require"},
        {"postgresql://db/people?sslpassword=secret", "postgresql://db/people"},
        {"postgresql://db/people?query=select a&password=b", "postgresql://db/people?query=select a&password=b"},
        {"s3://key:secret@bucket/a.parquet?region=x", "s3://key@bucket/a.parquet?region=x"},
        {"s3://bucket/a.csv?scheme=http&secret_key=secret&Region=x", "s3://bucket/a.csv?scheme=http&Region=x"},
        {"s3://bucket/a.csv?new_token=secret", "s3://bucket/a.csv"},
        {"abfs://box@me.net/a.csv?client_id=1&client_secret=secret&tenant_id=2",
         "abfs://box@me.net/a.csv?client_id=1&tenant_id=2"},
        {"postgresql://db/people?client_secret=secret&table=a", "postgresql://db/people?table=a"},
    };
    char shown[200];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(akin_address_show(cases[i][0], shown, sizeof shown), strlen(cases[i][1]));
        assert_string_equal(shown, cases[i][1]);
    }
}

static void test_it_is_cut_to_the_room(void **state)
{
    char shown[12] = "?";
    (void)state;
    assert_int_equal(akin_address_show("postgres://me:secret@db", NULL, 0), strlen("postgres://me@db"));
    assert_int_equal(akin_address_show("postgres://me:secret@db", shown, 1), strlen("postgres://me@db"));
    assert_string_equal(shown, "");
    akin_address_show("postgres://me:secret@db", shown, sizeof shown);
    assert_string_equal(shown, "postgres://");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passwords_are_left_out),
        cmocka_unit_test(test_it_is_cut_to_the_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
