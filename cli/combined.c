/* Reads which columns are made of others. */
#include "combined.h"

#include <string.h>

#include "command.h"
#include "fields.h"

#define FIRST AKIN_CLI_COLUMNS /* the number of the first one, before akin_cli_combined_number */

int akin_cli_combined_find(const akin_cli_rules *rules, const char *name, uint32_t *out)
{
    for (uint32_t i = 0; i < rules->options.combined_count; i++)
        if (strcmp(rules->combined_names[i], name) == 0) {
            *out = FIRST + i;
            return 1;
        }
    return 0;
}

/* The columns that one is made of, none of which is combined. */
static int read_parts(akin_cli_rules *rules, const char *word, const char *itself, char *text, akin_combined *combined)
{
    uint32_t known;
    char ended = '+';
    combined->columns = rules->combined_parts + rules->combined_part_count;
    while (ended) {
        const char *name = akin_cli_field_take(&text, "+", &ended);
        if (!name || !*name)
            return akin_cli_refuse("--combine %s: expected NAME=COLUMN+COLUMN", word);
        if (strcmp(name, itself) == 0 || akin_cli_combined_find(rules, name, &known))
            return akin_cli_refuse("--combine %s: '%s' is combined itself: expected columns of the file", word, name);
        if (rules->combined_part_count == AKIN_CLI_RULES)
            return akin_cli_refuse("--combine: more than %d columns in all", AKIN_CLI_RULES);
        int status = akin_cli_rules_column(rules, name, &rules->combined_parts[rules->combined_part_count++]);
        if (status != AKIN_CLI_DONE)
            return status;
        combined->count++;
    }
    return AKIN_CLI_DONE;
}

int akin_cli_combined_read(akin_cli_rules *rules, const char *word, char *copy)
{
    char ended;
    uint32_t known;
    uint64_t at = rules->options.combined_count;
    const char *name = akin_cli_field_take(&copy, "=", &ended);
    if (!name || !*name || !ended)
        return akin_cli_refuse("--combine %s: expected NAME=COLUMN+COLUMN", akin_cli_word(word));
    if (akin_cli_combined_find(rules, name, &known))
        return akin_cli_refuse("--combine %s: '%s' is combined already", word, name);
    for (uint32_t i = 0; i < rules->column_count; i++)
        if (strcmp(rules->columns[i], name) == 0) /* only those have been named yet */
            return akin_cli_refuse("--combine %s: '%s' is a column that another --combine takes", word, name);
    if (at == AKIN_CLI_RULES)
        return akin_cli_refuse("--combine: more than %d of them", AKIN_CLI_RULES);
    rules->combined[at] = (akin_combined){.count = 0};
    int status = read_parts(rules, word, name, copy, &rules->combined[at]);
    rules->combined_names[at] = name;
    rules->options.combined = rules->combined;
    rules->options.combined_count++;
    return status;
}

int akin_cli_combined_number(akin_cli_rules *rules)
{
    uint32_t count = rules->column_count, combined = (uint32_t)rules->options.combined_count;
    if (count + combined > AKIN_CLI_COLUMNS)
        return akin_cli_refuse("--compare, --pairs and --combine: more than %d columns", AKIN_CLI_COLUMNS);
    for (uint32_t i = 0; i < combined; i++)
        rules->columns[count + i] = rules->combined_names[i];
    for (uint32_t i = 0; i < rules->options.attribute_count; i++)
        if (rules->attributes[i].column >= FIRST)
            rules->attributes[i].column += count - FIRST;
    for (uint32_t i = 0; i < rules->part_count; i++)
        if (rules->parts[i].column >= FIRST)
            rules->parts[i].column += count - FIRST;
    return AKIN_CLI_DONE;
}
