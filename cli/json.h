/* JSON that the command reads and writes: where a message points to, and how words stand in a text. */
#ifndef AKIN_CLI_JSON_H
#define AKIN_CLI_JSON_H

#include <stdint.h>
#include <stdio.h>

#include "akin.h"

/* A text that is read: what messages call it, and its nodes. */
typedef struct akin_cli_json {
    const char *name;
    const akin_json_node *nodes;
} akin_cli_json;

/* Refuses what is said at a node: "FILE:LINE: ", its key, and the message. Returns AKIN_CLI_USAGE. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int
akin_cli_json_refuse(const akin_cli_json *json, uint32_t node, const char *format, ...);

/* A node that is text, or a decimal number (which may be given as text, too); NULL, having refused it, if it is not. */
const char *akin_cli_json_text(const akin_cli_json *json, uint32_t node);
const char *akin_cli_json_number(const akin_cli_json *json, uint32_t node);

/* Writes a word as what stands within the quotes of a string. */
void akin_cli_json_put_part(FILE *out, const char *word);

/* Writes a word as a string; and as a number if it is one as it stands, else as a string. */
void akin_cli_json_put_text(FILE *out, const char *word);
void akin_cli_json_put_number(FILE *out, const char *word);

#endif
