/*
 * Keeps the mappings of saved files in a table that a signal handler can read. A file that gets shorter while it is
 * mapped raises SIGBUS where what was behind its end is read, in any thread. The handler finds the file by the address,
 * and ends the command at once: what was read so far may be wrong, too. Outputs that have no names vanish then.
 */
#define _POSIX_C_SOURCE 200809L

#include "mapped.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

#define FILES 64 /* that a command maps at once, far more than any does; a fault in others has its usual effect */

static _Atomic(const akin_mapping *) files[FILES];
static akin_error changed; /* of a file that is mapped no more; its code is AKIN_OK while there is none */

void akin_cli_mapped_note(void *user, const akin_mapping *mapping, int is_open)
{
    const akin_mapping *const before = is_open ? NULL : mapping;
    (void)user;
    if (!is_open && changed.code == AKIN_OK)
        akin_mapping_check(mapping, &changed);
    for (int i = 0; i < FILES; i++)
        if (atomic_load(&files[i]) == before) {
            atomic_store(&files[i], is_open ? mapping : NULL);
            return;
        }
}

akin_status akin_cli_mapped_check(akin_error *error)
{
    akin_status status = changed.code;
    if (status != AKIN_OK && error)
        *error = changed;
    for (int i = 0; i < FILES && status == AKIN_OK; i++)
        status = akin_mapping_check(atomic_load(&files[i]), error);
    return status;
}

/* Writes text to standard error, with '?' for control characters. */
static void put(const char *text)
{
    char part[256];
    size_t used = 0;
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        part[used++] = (char)(byte < ' ' || byte == 0x7f ? '?' : byte);
        if (used < sizeof part && text[1])
            continue;
        if (write(STDERR_FILENO, part, used) < 0)
            return;
        used = 0;
    }
}

static void on_fault(int number, siginfo_t *about, void *context)
{
    (void)context;
    for (int i = 0; i < FILES; i++) {
        const akin_mapping *mapping = atomic_load(&files[i]);
        if (!mapping || !akin_mapping_has(mapping, about->si_addr))
            continue;
        put("akin: ");
        put(akin_mapping_name(mapping));
        put(": was shortened while it was read: run this again");
        if (write(STDERR_FILENO, "\n", 1) < 0)
            _exit(AKIN_CLI_FAILED);
        _exit(AKIN_CLI_USAGE);
    }
    signal(number, SIG_DFL);
    raise(number); /* which waits until this function returns */
}

void akin_cli_mapped_catch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}
