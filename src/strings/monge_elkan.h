/* Monge-Elkan: each word is compared with the nearest of the other string. */
#ifndef AKIN_STRINGS_MONGE_ELKAN_H
#define AKIN_STRINGS_MONGE_ELKAN_H

#include "strings/comparer_functions.h"

extern const akin_comparer_functions akin_monge_elkan_functions;

#endif
