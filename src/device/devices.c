/* Reads which GPUs a context wishes for, opens them on first need, and closes them. */
#include "device/devices.h"

#include "base/memory.h"
#include "base/thread.h"
#include "device/backend.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the N of "cuda:N", which has `length` characters: 1 to 4 digits; 0 if they are anything else. */
static int parse_number(const char *text, size_t length, uint32_t *out)
{
    if (length < 1 || length > 4 || strspn(text, "0123456789") < length)
        return 0;
    *out = (uint32_t)strtoul(text, NULL, 10);
    return 1;
}

static akin_status fail_device(const char *device, akin_error *error)
{
    akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_CHOICE,
                   "unknown device '%.60s'; expected auto, cpu, cuda, cuda:N, cuda:N,M,... or cuda:all", device);
    return akin_note_word(AKIN_E_OPTION, device, strlen(device), error);
}

/* Reads the numbers of "cuda:N" or "cuda:N,M,...". */
static akin_status read_device_numbers(const char *device, akin_device_wish *out, akin_error *error)
{
    const char *text = device + strlen("cuda:");
    for (uint32_t count = 0;; count++) {
        size_t length = strcspn(text, ",");
        uint32_t number;
        if (!parse_number(text, length, &number))
            return fail_device(device, error);
        if (count == AKIN_DEVICES_MOST)
            return akin_fail(error, AKIN_E_OPTION, "device '%.60s': expected at most %d GPUs", device,
                             AKIN_DEVICES_MOST);
        for (uint32_t i = 0; i < count; i++)
            if (out->numbers[i] == number)
                return akin_fail(error, AKIN_E_OPTION, "device '%.60s': GPU %u is named twice", device, number);
        out->numbers[count] = (uint16_t)number;
        out->count = count + 1;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return AKIN_OK;
}

akin_status akin_device_wish_read(const char *device, akin_device_wish *out, akin_error *error)
{
    *out = (akin_device_wish){.choice = AKIN_DEVICE_AUTO};
    if (!device || strcmp(device, "auto") == 0)
        return AKIN_OK;
    out->choice = AKIN_DEVICE_CPU;
    if (strcmp(device, "cpu") == 0)
        return AKIN_OK;
    out->choice = AKIN_DEVICE_CUDA;
    out->all = strcmp(device, "cuda:all") == 0;
    if (out->all || strcmp(device, "cuda") == 0)
        return AKIN_OK;
    return strncmp(device, "cuda:", 5) == 0 ? read_device_numbers(device, out, error) : fail_device(device, error);
}

/* The thread that opens the GPUs of a context. */
struct akin_device_opener {
    pthread_t thread;
    pid_t process;        /* that has the thread: after a fork there is none to wait for */
    pthread_mutex_t lock; /* several threads of a job may wait */
    int has_ended;
};

/* Whether the process was forked, so that it lacks the thread, which may have been inside CUDA. */
static int is_forked(const struct akin_device_opener *opening)
{
    return opening && opening->process != getpid();
}

/* Waits for the thread that opens the GPUs. It is joined once. */
static void await_opening(const akin_context *context)
{
    struct akin_device_opener *opening = context->opening;
    if (!opening || is_forked(opening))
        return;
    pthread_mutex_lock(&opening->lock);
    if (!opening->has_ended)
        pthread_join(opening->thread, NULL);
    opening->has_ended = 1;
    pthread_mutex_unlock(&opening->lock);
}

void akin_devices_close(akin_context *context)
{
    await_opening(context);
    if (context->opening && !is_forked(context->opening))
        pthread_mutex_destroy(&context->opening->lock);
    akin_free(context->opening);
    context->opening = NULL;
    akin_devices *devices = context->devices;
    for (uint32_t i = 0; devices && i < AKIN_DEVICES_MOST; i++) {
        akin_device_close(devices->twin[i]);
        if (i > 0) /* the first is the context's */
            akin_device_close(devices->device[i]);
    }
    akin_free(devices);
    akin_device_close(context->device);
    context->devices = NULL;
    context->device = NULL;
}

/* Opens the first GPU if a job may use it. */
static akin_status open_first(const akin_scope *scope, akin_device **out, akin_error *error)
{
    akin_context *context = scope->context;
    akin_status status = AKIN_OK;
    int required = scope->device_choice == AKIN_DEVICE_CUDA;
    *out = NULL;
    if (scope->device_choice == AKIN_DEVICE_CPU)
        return AKIN_OK;
    if (!context->device && is_forked(context->opening))
        return required ? akin_fail(error, AKIN_E_DEVICE,
                                    "GPU %u was opened before the process was forked: only the parent can use it",
                                    context->wish.numbers[0])
                        : AKIN_OK;
    if (!context->device && (required || !context->device_tried)) {
        context->device_tried = 1;
        status = akin_device_open_by(context->backend, context->wish.numbers[0], context->device_memory,
                                     &context->device, required ? error : NULL);
    }
    if (context->device && (required || !akin_device_lost(context->device)))
        *out = context->device;
    return required ? status : AKIN_OK;
}

akin_status akin_device_of(const akin_scope *scope, akin_device **out, akin_error *error)
{
    await_opening(scope->context);
    return open_first(scope, out, error);
}

akin_device *akin_device_opened(const akin_scope *scope)
{
    await_opening(scope->context);
    return scope->context->device;
}

uint32_t akin_device_first(const akin_scope *scope)
{
    return scope->context->wish.numbers[0];
}

/* Opens all GPUs but the first, which is open. After an error those that were opened stay, for a later call. */
static akin_status open_all(const akin_context *context, akin_devices *devices, akin_error *error)
{
    uint32_t count = context->wish.count > 0 ? context->wish.count : 1;
    akin_status status = AKIN_OK;
    if (context->wish.all)
        count = context->device->backend->find().devices;
    count = count < AKIN_DEVICES_MOST ? count : AKIN_DEVICES_MOST;
    for (uint32_t i = 1; i < count && status == AKIN_OK; i++)
        if (!devices->device[i])
            status = akin_device_open_by(context->backend, context->wish.all ? i : context->wish.numbers[i],
                                         context->device_memory, &devices->device[i], error);
    devices->count = status == AKIN_OK ? count : 0;
    return status;
}

/* Opens all GPUs if a job may use them. */
static akin_status open_wished(const akin_scope *scope, akin_devices **out, akin_error *error)
{
    akin_context *context = scope->context;
    akin_device *first;
    akin_status status = open_first(scope, &first, error);
    *out = NULL;
    if (status != AKIN_OK || !first)
        return status;
    if (!context->devices)
        context->devices = akin_alloc_zero(NULL, 1, sizeof *context->devices);
    if (!context->devices)
        return akin_fail_memory(error, "the devices");
    context->devices->device[0] = first;
    if (context->devices->count == 0)
        status = open_all(context, context->devices, error);
    if (status == AKIN_OK)
        *out = context->devices;
    return status;
}

akin_status akin_devices_of(const akin_scope *scope, akin_devices **out, akin_error *error)
{
    await_opening(scope->context);
    return open_wished(scope, out, error);
}

/* What fails here fails again where the GPUs are wanted, with a message. */
static void *open_them(void *argument)
{
    akin_devices *devices;
    (void)open_wished(&((akin_context *)argument)->scope, &devices, NULL);
    return NULL;
}

akin_status akin_devices_start(akin_context *context, akin_error *error)
{
    akin_devices *devices;
    if (!akin_device_has_driver(context->backend))
        return open_wished(&context->scope, &devices, error);
    context->opening = akin_alloc_zero(NULL, 1, sizeof *context->opening);
    if (!context->opening)
        return akin_fail_memory(error, "the devices");
    context->opening->process = getpid();
    pthread_mutex_init(&context->opening->lock, NULL);
    if (akin_thread_start(&context->opening->thread, open_them, context))
        return AKIN_OK;
    context->opening->has_ended = 1; /* the system starts no more threads */
    return open_wished(&context->scope, &devices, error);
}

akin_status akin_devices_twin(akin_devices *devices, uint32_t at, akin_error *error)
{
    if (devices->twin[at])
        return AKIN_OK;
    const akin_device *first = devices->device[at];
    akin_status status = akin_device_open_by(first->backend, first->number, 1, &devices->twin[at], error);
    if (status == AKIN_OK)
        akin_device_bound(devices->twin[at], 0);
    return status;
}
