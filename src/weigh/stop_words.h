/* Stop words: the languages that have a list. */
#ifndef AKIN_WEIGH_STOP_WORDS_H
#define AKIN_WEIGH_STOP_WORDS_H

#include "base/choice.h"

extern const akin_choice_table akin_languages;

#endif
