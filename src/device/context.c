/* The public context: what a run has at its disposal, and what this build and machine offer. */
#define _GNU_SOURCE /* sched_getaffinity */

#include "base/budget.h"
#include "base/ceiling.h"
#include "base/context.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/temporary.h"
#include "device/devices.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

AKIN_OPTIONS_END(akin_info, reserved);
AKIN_OPTIONS_END(akin_device_info, reserved);
AKIN_OPTIONS_END(akin_context_options, reserved);
AKIN_OPTIONS_END(akin_opener, close_bytes);

#define THREADS_MOST 4096 /* beyond any machine; a larger number is a slip, and would only use up memory */

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *akin_version(void)
{
    return AKIN_VERSION_STRING;
}

static uint32_t threads_available(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > THREADS_MOST ? THREADS_MOST : (uint32_t)online;
}

static akin_status choose_threads(uint32_t required, uint32_t *out, akin_error *error)
{
    if (required > THREADS_MOST)
        return akin_fail(error, AKIN_E_OPTION, "%u threads are too many; expected at most %d", required, THREADS_MOST);
    *out = required ? required : threads_available();
    return AKIN_OK;
}

/* The level that AKIN_CPU names, or else the best. */
static akin_status choose_cpu(akin_cpu best, akin_cpu *out, akin_error *error)
{
    const char *name = getenv("AKIN_CPU");
    *out = best;
    if (!name || !*name)
        return AKIN_OK;
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= best; cpu++) {
        if (strcmp(name, akin_cpu_name(cpu)) == 0) {
            *out = cpu;
            return AKIN_OK;
        }
    }
    if (akin_cpu_is_known(name))
        return akin_fail(error, AKIN_E_OPTION, "AKIN_CPU asks for %s, but this CPU offers no more than %s", name,
                         akin_cpu_name(best));
    return akin_fail(error, AKIN_E_OPTION, "AKIN_CPU is '%.60s'; expected scalar, neon, avx2 or avx512", name);
}

/* Copies the opener of the caller. Who opens files in stores reads and closes them, too. */
static akin_status read_opener(const akin_opener *given, akin_opener *own, akin_error *error)
{
    *own = (akin_opener){.size = sizeof *own};
    akin_status status =
        akin_options_read(given, own, sizeof *own, offsetof(akin_opener, open_bytes), "akin_opener", error);
    if (status == AKIN_OK && own->open_bytes && (!own->read_bytes || !own->close_bytes))
        status = akin_fail(error, AKIN_E_OPTION, "akin_opener: open_bytes without read_bytes and close_bytes");
    return status;
}

akin_status akin_context_create(const akin_context_options *options, akin_context **out, akin_error *error)
{
    akin_context_options own = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context made = {.cpu_best = akin_cpu_detect()};
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_context_options", error);
    if (status == AKIN_OK)
        status = read_opener(own.opener, &made.own_opener, error);
    if (status == AKIN_OK)
        status = akin_options_check(own.saver, sizeof *own.saver, "akin_saver", error);
    if (status == AKIN_OK)
        status = choose_threads(own.threads, &made.scope.threads, error);
    if (status == AKIN_OK)
        status = akin_device_wish_read(own.device, &made.wish, error);
    if (status == AKIN_OK)
        status = choose_cpu(made.cpu_best, &made.scope.cpu, error);
    if (status == AKIN_OK && own.reserved != 0)
        status = akin_fail(error, AKIN_E_OPTION, "akin_context_options: reserved is %d; expected 0", own.reserved);
    if (status == AKIN_OK && own.memory && own.memory < AKIN_MEMORY_LEAST)
        status = akin_fail(error, AKIN_E_OPTION, "a memory bound of %llu bytes: expected at least %llu, 16 MiB",
                           (unsigned long long)own.memory, (unsigned long long)AKIN_MEMORY_LEAST);
    if (status == AKIN_OK && own.ceiling && own.ceiling < AKIN_MEMORY_LEAST)
        status = akin_fail(error, AKIN_E_OPTION, "a memory ceiling of %llu bytes: expected at least %llu, 16 MiB",
                           (unsigned long long)own.ceiling, (unsigned long long)AKIN_MEMORY_LEAST);
    if (status != AKIN_OK)
        return status;
    akin_limited_begin(&made.limited);
    made.scope.memory = own.memory;
    akin_ceiling_begin(&made, own.ceiling);
    made.scope.device_choice = made.wish.choice;
    made.scope.reporter = (akin_reporter){own.progress, own.cancel, own.user};
    made.device_memory = own.device_memory;
    made.saver = own.saver;
    made.sync = own.sync;
    made.note = own.note;
    made.unmapped = own.unmapped != 0;
    made.verify = own.verify != 0;
    made.mapped = own.mapped;
    made.mapped_user = own.user;
    akin_context *context = akin_alloc(NULL, 1, sizeof *context);
    if (context && own.temporary) {
        made.temporary = akin_alloc(NULL, strlen(own.temporary) + 1, 1);
        if (made.temporary)
            memcpy(made.temporary, own.temporary, strlen(own.temporary) + 1);
    }
    if (!context || (own.temporary && !made.temporary)) {
        akin_free(context);
        return akin_fail_memory(error, "a context");
    }
    *context = made;
    context->scope.context = context;
    context->opener = own.opener ? &context->own_opener : NULL;
    if (own.memory)
        akin_temporary_sweep(akin_context_temporary(&context->scope), own.note, own.user);
    if (context->scope.device_choice == AKIN_DEVICE_CUDA)
        status = akin_devices_start(context, error);
    if (status == AKIN_OK)
        *out = context;
    else
        akin_context_free(context);
    return status;
}

void akin_context_free(akin_context *context)
{
    if (context) {
        akin_devices_close(context);
        akin_free(context->temporary);
    }
    akin_free(context);
}

akin_status akin_temporary_file(const akin_context *context, int *fd, akin_error *error)
{
    const char *directory = akin_context_temporary(&context->scope);
    const int failed = akin_temporary_open(directory, fd);
    return failed ? akin_temporary_fail(error, failed, directory) : AKIN_OK;
}

akin_status akin_context_info(const akin_context *context, akin_info *info, akin_error *error)
{
    akin_device_support support = akin_device_find();
    akin_info own = {
        .size = sizeof own,
        .version = akin_version(),
        .cpu = akin_cpu_name(context->scope.cpu),
        .cpu_best = akin_cpu_name(context->cpu_best),
        .threads = context->scope.threads,
        .device = support.state,
        .zlib = zlibVersion(),
        .zstd = ZSTD_versionString(),
        /* compiled in from its header, so that this is the version at run time too */
        .xxhash = TEXT(XXH_VERSION_MAJOR) "." TEXT(XXH_VERSION_MINOR) "." TEXT(XXH_VERSION_RELEASE),
        .utf8proc = utf8proc_version(),
        .unicode = utf8proc_unicode_version(),
        .devices = support.devices,
        .cuda = support.cuda,
        .cuda_driver = support.driver,
    };
    return akin_options_write(&own, sizeof own, info, "akin_info", error);
}

const char *akin_context_cpu(const akin_context *context)
{
    return akin_cpu_name(context->scope.cpu);
}

uint32_t akin_context_threads(const akin_context *context)
{
    return context->scope.threads;
}

akin_status akin_context_device_info(const akin_context *context, uint32_t number, akin_device_info *info,
                                     akin_error *error)
{
    (void)context;
    akin_device_info own;
    akin_status status = akin_options_check(info, sizeof own, "akin_device_info", error);
    if (status == AKIN_OK)
        status = akin_device_describe(number, &own, error);
    if (status == AKIN_OK)
        status = akin_options_write(&own, sizeof own, info, "akin_device_info", error);
    return status;
}
