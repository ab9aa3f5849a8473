/* Numbers as text: read from the command line, written to results and to reports. */
#ifndef AKIN_CLI_NUMBER_H
#define AKIN_CLI_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "akin.h"

#define AKIN_CLI_NUMBER 32 /* bytes that hold any number written here, its NUL included */

/* Writes the fewest digits that read back to the same double, which is finite, and a NUL; returns their length. */
size_t akin_cli_format_double(char text[AKIN_CLI_NUMBER], double value);

#define AKIN_CLI_DIGITS_MOST   15 /* digits behind the point that --digits may ask for */
#define AKIN_CLI_DIGITS_SCREEN 6  /* digits behind the point in a table on a terminal */
#define AKIN_CLI_DIGITS_HELP                                                                                           \
    "round similarities and scores to N decimal places, 0 to 15 (default: the fewest that read back to the same "      \
    "number, and 6 in a table on a terminal)"

/* The same, rounded to `digits` behind the point, trailing zeros left out; below 0: akin_cli_format_double. */
size_t akin_cli_format_rounded(char text[AKIN_CLI_NUMBER], double value, int digits);

#define AKIN_CLI_TEXTS_BITS 11

/* The text of a number; key: the bits of the double. Length 0 marks a slot that is free. */
typedef struct akin_cli_text {
    uint64_t key;
    uint8_t length;
    char text[27];
} akin_cli_text;

/* Texts of numbers that a thread has written: few of them are distinct. Zeros: none. */
typedef struct akin_cli_texts {
    akin_cli_text slots[1u << AKIN_CLI_TEXTS_BITS];
} akin_cli_texts;

/* Puts a number as akin_cli_format_rounded has it, always with the same `digits`, without a NUL; up to
 * AKIN_CLI_NUMBER bytes are written. Returns where it ends. */
char *akin_cli_texts_put(akin_cli_texts *texts, char *at, double value, int digits);

/* Reads the argument of --digits, NULL: not given, which is -1. Returns 0 if it is none. */
int akin_cli_read_digits(const char *text, int *digits);

#define AKIN_CLI_PLAIN 64 /* bytes that hold any number that the next one writes */

/* The same without an exponent, of a number from 0 to 1 that is 0 or not below 1e-20; returns text. */
const char *akin_cli_format_plain(char text[AKIN_CLI_PLAIN], double value);

/* For people: "1,234,567"; 1234567 as "1.23 M", with unit "B" as "1.23 MB", with " pairs" as "1.23 M pairs". Both
 * return text. */
const char *akin_cli_format_grouped(char text[AKIN_CLI_NUMBER], uint64_t value);
const char *akin_cli_format_amount(char text[AKIN_CLI_NUMBER], double value, const char *unit);

/* Reads a whole decimal number, digits only, from low to high; 0 if it is none. */
int akin_cli_read_u64(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/* Reads the argument of an option, a size in bytes of at least `low`, which messages call `least`. Errors:
 * AKIN_E_OPTION. */
akin_status akin_cli_read_size(const char *option, const char *text, uint64_t low, const char *least, uint64_t *out,
                               akin_error *error);

/* Reads a decimal number ("10", "2.5", without sign or exponent); 0 if it is none. */
int akin_cli_read_double(const char *text, double *out);

#endif
