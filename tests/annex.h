/* Tests of all rows: those of the library, and then those of the annex. */
#ifndef TESTS_ANNEX_H
#define TESTS_ANNEX_H

#include "akin_papers.h"

static inline const akin_choice *choice_of_both(const char *what, uint32_t index)
{
    uint32_t own = 0;
    while (own <= index && akin_choices(what, own))
        own++;
    return index < own ? akin_choices(what, index) : akin_annex_choices(akin_papers(), what, index - own);
}

#endif
