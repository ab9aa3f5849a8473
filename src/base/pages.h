/* Large blocks straight from the system, in huge pages where it has them. */
#ifndef AKIN_BASE_PAGES_H
#define AKIN_BASE_PAGES_H

#include <stddef.h>

/* Whether this build has the functions below; without, they fail. */
extern const int akin_pages_are_there;

/* Maps at least `size` bytes, zeroed, aligned to a huge page; NULL when memory is short. */
void *akin_pages_map(size_t size);

/* Resizes what was mapped with `old` bytes, moving pages rather than bytes, and at no moment holding both. NULL when
 * memory is short; the old mapping then stays. */
void *akin_pages_remap(void *pages, size_t old, size_t size);

/* Has the system give small pages to a block of akin_alloc that is touched in few places, at random: each costs less
 * then, and the rest nothing. */
void akin_pages_scatter(void *block, size_t size);

/* Gives back what was mapped with `size` bytes. */
void akin_pages_unmap(void *pages, size_t size);

#endif
