/* Soundex: names that sound alike have the same code. */
#ifndef AKIN_STRINGS_SOUNDEX_H
#define AKIN_STRINGS_SOUNDEX_H

#include <stdint.h>

#define AKIN_SOUNDEX_CODE 4

/*
 * Writes the code of a name, a letter and three digits, as the National Archives of the United States describe it:
 * letters with the same digit side by side count once, the first letter among them, and so they do with H or W between
 * them, but not with a vowel. Letters are those of ASCII in either case; all else is passed over. 0: there is no
 * letter, and no code.
 */
int akin_soundex(const char *text, uint32_t length, char code[AKIN_SOUNDEX_CODE]);

#endif
