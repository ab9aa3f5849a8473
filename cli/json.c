/* JSON that the command reads and writes. */
#include "json.h"

#include <stdarg.h>
#include <string.h>

#include "command.h"
#include "pairs.h"
#include "names.h"

int akin_cli_json_refuse(const akin_cli_json *json, uint32_t node, const char *format, ...)
{
    char message[1024];
    const akin_json_node *at = &json->nodes[node];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (at->key)
        return akin_cli_refuse("%s:%llu: \"%.100s\": %s", json->name, (unsigned long long)at->line, at->key, message);
    return akin_cli_refuse("%s:%llu: %s", json->name, (unsigned long long)at->line, message);
}

const char *akin_cli_json_text(const akin_cli_json *json, uint32_t node)
{
    if (json->nodes[node].kind == AKIN_JSON_STRING)
        return json->nodes[node].text;
    akin_cli_json_refuse(json, node, "expected a string");
    return NULL;
}

const char *akin_cli_json_number(const akin_cli_json *json, uint32_t node)
{
    if (json->nodes[node].text) /* of a number, or of a string */
        return json->nodes[node].text;
    akin_cli_json_refuse(json, node, "expected a number");
    return NULL;
}

/* Names of rows are written as JSON strings elsewhere: a byte between quotes at a time. */
void akin_cli_json_put_part(FILE *out, const char *word)
{
    char text[16];
    for (; *word; word++) {
        size_t length = akin_cli_name_write(text, word, 1, AKIN_FORMAT_JSONL);
        fwrite(text + 1, 1, length - 2, out);
    }
}

void akin_cli_json_put_text(FILE *out, const char *word)
{
    putc('"', out);
    akin_cli_json_put_part(out, word);
    putc('"', out);
}

void akin_cli_json_put_number(FILE *out, const char *word)
{
    akin_json *json = NULL;
    int is_number = akin_json_parse("", word, strlen(word), &json, NULL) == AKIN_OK &&
                    akin_json_nodes(json)->kind == AKIN_JSON_NUMBER && !strpbrk(word, " \t\r\n");
    akin_json_free(json);
    if (is_number)
        fputs(word, out);
    else
        akin_cli_json_put_text(out, word);
}
