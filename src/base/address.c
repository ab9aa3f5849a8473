/* Addresses of tables as messages show them: without their secrets. */
#include "akin.h"
#include "base/remote.h"

#include <ctype.h>
#include <string.h>

/* A text in the making; `length` counts what does not fit, too. */
typedef struct writer {
    char *text;
    size_t room, length;
} writer;

static void put(writer *to, const char *from, const char *end)
{
    for (; from < end; from++, to->length++)
        if (to->length + 1 < to->room)
            to->text[to->length] = *from;
}

/* What follows "SCHEME://"; NULL: the address does not begin so. */
static const char *authority_of(const char *address)
{
    const char *at = address;
    while (isalnum((unsigned char)*at) || (*at && strchr("+-.", *at)))
        at++;
    return at > address && strncmp(at, "://", 3) == 0 ? at + 3 : NULL;
}

/* The "?" or "&" before what is read, a table or a query; the end of the address if nothing says so. */
static const char *source_of(const char *address)
{
    const char *at = address;
    while ((at += strcspn(at, "?&"), *at) && strncmp(at + 1, "table=", 6) != 0 && strncmp(at + 1, "query=", 6) != 0)
        at++;
    return at;
}

/* The "?" or "&" before the first parameter, NAME=VALUE; the end of the address if there is none. */
static const char *parameters_of(const char *address)
{
    const char *at = address, *name;
    while ((at += strcspn(at, "?&"), *at)) {
        name = at + 1;
        while (isalnum((unsigned char)*name) || (*name && strchr("_%.-", *name)))
            name++;
        if (name > at + 1 && *name == '=')
            break;
        at++;
    }
    return at;
}

/*
 * The '@' behind the user and the password, the last one that may be that; NULL: there is none. A password may have
 * characters that should have been escaped, such as '@', '/' and '?'. Digits behind a colon are a port if no '@'
 * follows before the parameters.
 */
static const char *end_of_user(const char *authority)
{
    const char *part = authority + strcspn(authority, "/?#"), *end = part, *found = NULL;
    const char *colon = memchr(authority, ':', (size_t)(part - authority));
    const char *at = memchr(authority, '@', (size_t)(part - authority));
    const int has_password = colon && *authority != '[' && !(at && at < colon);
    if (has_password && !at && colon + 1 + strspn(colon + 1, "0123456789") < part)
        end = source_of(authority);
    else if (has_password)
        end = parameters_of(authority);
    for (at = authority; at < end; at++)
        if (*at == '@')
            found = at;
    return found;
}

/* The value of a digit in base 16; -1: the character is none. */
static int digit_of(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Reads the next character of a text in lower case; it may be escaped, as in "pass%77ord". */
static int next_of(const char **text)
{
    const char *at = *text;
    const int high = *at == '%' ? digit_of(at[1]) : -1, low = high >= 0 ? digit_of(at[2]) : -1;
    *text += low >= 0 ? 3 : 1;
    return tolower(low >= 0 ? 16 * high + low : (unsigned char)*at);
}

/* Whether a text begins with a name, in any case. */
static int begins_with(const char *text, const char *name)
{
    for (; *name; name++)
        if (next_of(&text) != *name)
            return 0;
    return 1;
}

static int begins_with_one(const char *text, const char *const *names)
{
    for (; *names; names++)
        if (begins_with(text, *names))
            return 1;
    return 0;
}

/* Parameters of stores that are known to have no secrets. */
static const char *const harmless[] = {"region=",
                                       "scheme=",
                                       "endpoint_override=",
                                       "allow_",
                                       "check_directory_existence_before_creation=",
                                       "force_virtual_addressing=",
                                       "smart_defaults=",
                                       "tls_",
                                       "retry_limit_seconds=",
                                       "default_bucket_location=",
                                       "project_id=",
                                       "enable_tls=",
                                       "background_writes=",
                                       "blob_storage_",
                                       "dfs_storage_",
                                       "credential_kind=",
                                       "tenant_id=",
                                       "client_id=",
                                       "user=",
                                       "replication=",
                                       "buffer_size=",
                                       "default_block_size=",
                                       "use_mmap=",
                                       NULL};

/* Whether the name of a parameter has one of these words. */
static int names_secret(const char *parameter)
{
    static const char *const words[] = {"password", "secret", "token", "key", NULL};
    for (const char *at = parameter; *at && *at != '='; next_of(&at))
        if (begins_with_one(at, words))
            return 1;
    return 0;
}

/* Whether a parameter may be shown. Parameters of databases show by their names that they are secret. Stores have new
 * ones in new versions: only those are shown that are known to be harmless. */
static int is_shown(const char *parameter, int is_of_store)
{
    if (is_of_store)
        return begins_with_one(parameter, harmless);
    return begins_with(parameter, "sslkey=") || !names_secret(parameter); /* sslkey is the name of a file */
}

/* Writes "?NAME=VALUE&..." without the values that are secret. A query is the last parameter and goes up to the end. */
static void put_parameters(writer *to, const char *from, int is_of_store)
{
    const char *source = source_of(from);
    char mark = '?';
    while (*from) {
        const char *name = from + 1;
        const int is_source = from == source, is_query = is_source && begins_with(name, "query=");
        from = name + (is_query ? strlen(name) : strcspn(name, "&"));
        if (!is_source && !is_shown(name, is_of_store))
            continue;
        put(to, &mark, &mark + 1);
        put(to, name, from);
        mark = '&';
    }
}

size_t akin_address_show(const char *address, char *shown, size_t room)
{
    writer to = {shown, room, 0};
    const char *authority = authority_of(address), *from = address;
    if (authority) {
        const char *at = end_of_user(authority);
        const char *colon = at ? memchr(authority, ':', (size_t)(at - authority)) : NULL;
        if (colon) {
            put(&to, address, colon);
            from = at;
        }
        const char *parameters = (at ? at : authority) + strcspn(at ? at : authority, "?");
        put(&to, from, parameters);
        put_parameters(&to, parameters, akin_remote_of(address) != NULL);
    } else {
        put(&to, from, from + strlen(from));
    }
    if (room > 0)
        shown[to.length < room ? to.length : room - 1] = '\0';
    return to.length;
}
