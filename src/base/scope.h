/*
 * A scope: the resources that a job may use, and its reporter. A context owns what lasts (devices, callbacks, the
 * temporary folder) and has one scope, its whole; functions below the public ones see scopes alone.
 *
 *     akin_context ---- its scope: all threads, the whole of --memory, its device policy, the caller's callbacks
 *                           |
 *                           | akin_scope_narrow: fewer threads, less memory, the CPU alone, another reporter
 *                           v
 *                       a narrower scope, a value in the frame of the function that narrows
 *
 * A scope goes down by pointer. The context's scope lives as long as the context, so objects that outlive a call keep
 * that one. A narrower scope ends with its frame: nothing that outlives the call keeps a pointer to it, and an object
 * that needs one for longer has the value as a member.
 */
#ifndef AKIN_BASE_SCOPE_H
#define AKIN_BASE_SCOPE_H

#include "base/cpu.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The devices that the option `device` may choose. */
typedef enum akin_device_choice { AKIN_DEVICE_AUTO, AKIN_DEVICE_CPU, AKIN_DEVICE_CUDA } akin_device_choice;

#define AKIN_DEVICES_MOST 16 /* GPUs that a context has */

/* The GPUs that a text such as "cuda:0,1" names. */
typedef struct akin_device_wish {
    akin_device_choice choice;
    int all;                             /* all GPUs, and the CPU with them */
    uint32_t count;                      /* of the numbers; 0: none is named */
    uint16_t numbers[AKIN_DEVICES_MOST]; /* of GPUs; the first is 0 where none is named */
} akin_device_wish;

/* The callbacks for progress and for cancellation. A function of NULL is not called. */
typedef struct akin_reporter {
    void (*progress)(void *user, const akin_progress *progress);
    int (*cancel)(void *user);
    void *user;
} akin_reporter;

typedef struct akin_scope {
    akin_context *context; /* the owner of devices, prices and the temporary folder */
    uint32_t threads;      /* at least 1 */
    akin_cpu cpu;
    akin_device_choice device_choice;
    uint64_t memory;  /* the bound in bytes, see base/budget.h; 0: none */
    uint64_t ceiling; /* of a scope without a bound, see base/ceiling.h; 0: none */
    akin_reporter reporter;
    double until; /* when its jobs stop, in seconds of akin_clock; 0: at no time */
} akin_scope;

/* How a scope is narrowed. 0, or NULL, leaves a field as it is. */
typedef struct akin_narrowing {
    uint32_t threads;              /* the number of threads */
    uint64_t memory;               /* the bound, where the scope has one */
    uint64_t ceiling;              /* the same for the ceiling */
    int on_cpu;                    /* no GPU is used */
    const akin_reporter *reporter; /* the callbacks of the narrower job; {0}: none */
} akin_narrowing;

akin_scope akin_scope_narrow(const akin_scope *scope, akin_narrowing narrowing);

/* The scope of a context, its whole; without a context NULL. A function takes NULL as a scope only where its comment
 * says so. */
const akin_scope *akin_scope_of(akin_context *context);

/* Whether the time of the scope's jobs is up. */
int akin_scope_is_late(const akin_scope *scope);

/* Reports how far the job is (phase NULL: nothing), and returns whether to stop: AKIN_E_CANCELLED if the caller
 * cancels or the time is up, else AKIN_OK. Only the thread of the job calls this, at most every few milliseconds. */
akin_status akin_scope_report(const akin_scope *scope, const char *phase, uint64_t done, uint64_t total);

/* The same where pieces of work are counted, whatever the phase. */
akin_status akin_scope_report_pieces(const akin_scope *scope, const char *phase, uint64_t done, uint64_t total);

#ifdef __cplusplus
}
#endif

#endif
