/*
 * Keeps the mappings of saved files in a table that a signal handler can read. If a mapped file gets shorter, any
 * thread that reads behind the new end receives SIGBUS. The handler finds the file by the address, and ends the command
 * at once: what was read so far may be wrong, too. Outputs that have no names vanish then.
 */
#define _POSIX_C_SOURCE 200809L

#include "mapped.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

#define FILES 64 /* that a command maps at once, far more than any does; a fault in others has its usual effect */

static _Atomic(const akin_mapping *) files[FILES];
static char messages[FILES][1100]; /* of each: what is said if it gets shorter; made before, as a handler cannot */
static int is_terminal;            /* standard error is one, and may show progress */
static akin_error changed;         /* what was found first; its code is AKIN_OK while nothing was */

/* The message of a file that gets shorter, with '?' for characters that a terminal must not get. */
static void make_message(const akin_mapping *mapping, char *out, size_t room)
{
    akin_error shown;
    akin_error_set(&shown, AKIN_E_INPUT, AKIN_REASON_CHANGED, "%.900s: was shortened while it was read: run this again",
                   akin_mapping_name(mapping));
    snprintf(out, room, "%sakin: %s\n", is_terminal ? "\r\x1b[K" : "", shown.message);
}

void akin_cli_mapped_note(void *user, const akin_mapping *mapping, int is_open)
{
    const akin_mapping *const before = is_open ? NULL : mapping;
    (void)user;
    if (!is_open && changed.code == AKIN_OK)
        akin_mapping_check(mapping, &changed);
    for (int i = 0; i < FILES; i++)
        if (atomic_load(&files[i]) == before) {
            if (is_open)
                make_message(mapping, messages[i], sizeof messages[i]);
            atomic_store(&files[i], is_open ? mapping : NULL);
            return;
        }
}

akin_status akin_cli_mapped_check(akin_error *error)
{
    for (int i = 0; i < FILES && changed.code == AKIN_OK; i++)
        akin_mapping_check(atomic_load(&files[i]), &changed);
    if (changed.code != AKIN_OK && error)
        *error = changed;
    return changed.code;
}

static void on_fault(int number, siginfo_t *about, void *context)
{
    (void)context;
    for (int i = 0; i < FILES; i++) {
        const akin_mapping *mapping = atomic_load(&files[i]);
        if (!mapping || !akin_mapping_has(mapping, about->si_addr))
            continue;
        if (write(STDERR_FILENO, messages[i], strlen(messages[i])) < 0)
            _exit(AKIN_CLI_FAILED);
        _exit(AKIN_CLI_USAGE);
    }
    signal(number, SIG_DFL);
    raise(number); /* which waits until this function returns */
}

void akin_cli_mapped_catch(void)
{
    struct sigaction action;
    changed = (akin_error){.code = AKIN_OK};
    is_terminal = isatty(STDERR_FILENO);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}
