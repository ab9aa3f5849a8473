/* A libcuda.so.1 of a certain age, without a device: FAKE_DRIVER is its version, as CUDA numbers them, FAKE_INIT what
 * cuInit returns (100: no device; 999: something failed). CUDA's runtime finds every other function, and each fails. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int cuDriverGetVersion(int *version);
int cuInit(unsigned flags);
int cuGetProcAddress(const char *name, void **out, int version, uint64_t flags);
int cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *found);

static int setting(const char *name)
{
    const char *value = getenv(name);
    return value ? atoi(value) : 0;
}

int cuDriverGetVersion(int *version)
{
    *version = setting("FAKE_DRIVER");
    return 0;
}

int cuInit(unsigned flags)
{
    (void)flags;
    return setting("FAKE_INIT");
}

static int fails(void)
{
    return 999;
}

/* A pointer to a function is none to an object, so it is copied byte by byte. */
#define GIVE(function)                                                                                                 \
    do {                                                                                                               \
        __typeof__(&(function)) given = (function);                                                                    \
        memcpy(out, &given, sizeof given);                                                                             \
    } while (0)

int cuGetProcAddress(const char *name, void **out, int version, uint64_t flags)
{
    (void)flags;
    if (strcmp(name, "cuDriverGetVersion") == 0)
        GIVE(cuDriverGetVersion);
    else if (strcmp(name, "cuInit") == 0)
        GIVE(cuInit);
    else if (strcmp(name, "cuGetProcAddress") == 0 && version >= 12000)
        GIVE(cuGetProcAddress_v2);
    else if (strcmp(name, "cuGetProcAddress") == 0)
        GIVE(cuGetProcAddress);
    else
        GIVE(fails);
    return 0;
}

int cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *found)
{
    if (found)
        *found = 0;
    return cuGetProcAddress(name, out, version, flags);
}
