/* Words of the command line that are made of fields, as objects of a job file:
 * {"column": "title", "comparator": "exact", "threshold": 0.8} for "title:exact:0.8". */
#ifndef AKIN_CLI_FORMS_H
#define AKIN_CLI_FORMS_H

#include "json.h"

/* Whether the words of that option have a form: else an object cannot stand for one. */
int akin_cli_form_is_known(const char *option);

/* Writes the word that an object stands for, and a NUL, at *to, which moves on: for each node of the object at most
 * AKIN_CLI_FORM_ROOM bytes and twice its text. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
#define AKIN_CLI_FORM_ROOM 32
int akin_cli_form_read(const akin_cli_json *json, const char *option, uint32_t object, char **to);

/* Writes the object that a word stands for. A word that has no form is written as a string. */
void akin_cli_form_write(FILE *out, const char *option, const char *word);

#endif
