/* Addresses of tables as messages show them: without their secrets. */
#include "akin.h"
#include "base/remote.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

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

/* The '@' behind the user and the password; NULL: there is none. A password may have characters that should have been
 * escaped, such as '/'. A port is no password: it has digits alone. */
static const char *end_of_user(const char *authority)
{
    const char *part = authority + strcspn(authority, "/?#"), *found = NULL;
    const char *colon = memchr(authority, ':', (size_t)(part - authority)), *end = part;
    if (colon && *authority != '[' && colon + 1 + strspn(colon + 1, "0123456789") < part &&
        !memchr(authority, '@', (size_t)(part - authority)))
        end = authority + strcspn(authority, "?");
    for (const char *at = authority; at < end; at++)
        if (*at == '@')
            found = at;
    return found;
}

static int begins_with_one(const char *text, const char *const *names)
{
    for (; *names; names++)
        if (strncasecmp(text, *names, strlen(*names)) == 0)
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

/* Whether a parameter may be shown. Of databases the secret ones are known. Stores have new ones in new versions: only
 * those are shown that are known to be harmless. */
static int is_shown(const char *parameter, int is_of_store)
{
    static const char *const secrets[] = {"password=", "sslpassword=", "client_secret=", NULL};
    return is_of_store ? begins_with_one(parameter, harmless) : !begins_with_one(parameter, secrets);
}

/* Writes "?NAME=VALUE&..." without the values that are secret. The last parameter says what is read: it is taken as it
 * is, up to the end. */
static void put_parameters(writer *to, const char *from, int is_of_store)
{
    static const char *const sources[] = {"table=", "query=", NULL};
    char mark = '?';
    while (*from) {
        const char *name = from + 1;
        from = name + (begins_with_one(name, sources) ? strlen(name) : strcspn(name, "&"));
        if (!is_shown(name, is_of_store))
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
