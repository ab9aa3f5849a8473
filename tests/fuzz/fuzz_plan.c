/*
 * Fuzzes plans of deduplication. An input that is JSON is an object of options; any other is lines "OPTION WORD". What is read
 * is refused with a message, or is written as JSON that is read as the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static int add_json(akin_dedupe_plan *plan, const akin_json *json)
{
    const akin_json_node *nodes = akin_json_nodes(json);
    if (nodes->kind != AKIN_JSON_OBJECT)
        return 0;
    for (uint32_t at = 1; at < nodes->next; at = nodes[at].next)
        if (akin_dedupe_plan_add_json(plan, nodes[at].key, json, at, "input", NULL) != AKIN_OK)
            return 0;
    return 1;
}

static int add_lines(akin_dedupe_plan *plan, char *text)
{
    while (*text) {
        size_t line = strcspn(text, "\n"), option = strcspn(text, " \n");
        int is_last = text[line] == '\0';
        text[line] = '\0';
        if (option >= line)
            return 0;
        text[option] = '\0';
        if (akin_dedupe_plan_add(plan, text, text + option + 1, NULL) != AKIN_OK)
            return 0;
        text += is_last ? line : line + 1;
    }
    return 1;
}

/* Whether the words of JSON are those of the plan that wrote it: one that is no UTF-8 cannot be written so. */
static void read_again(const akin_dedupe_plan *plan, const char *option, const char *text, int is_repeated)
{
    akin_dedupe_plan *again;
    akin_json *json = NULL;
    size_t length = strlen(text);
    char *list = malloc(length + 3);
    require(list != NULL);
    list[0] = '[';
    memcpy(list + 1, text, length);
    memcpy(list + 1 + length, "]", 2);
    if (akin_json_parse("again", is_repeated ? list : text, is_repeated ? length + 2 : length, &json, NULL) ==
        AKIN_OK) {
        require(akin_dedupe_plan_create(&again, NULL) == AKIN_OK);
        require(akin_dedupe_plan_add_json(again, option, json, 0, NULL, NULL) == AKIN_OK);
        require(akin_dedupe_plan_word(again, option, 0) != NULL);
        akin_dedupe_plan_free(again);
    }
    akin_json_free(json);
    free(list);
    require(akin_dedupe_plan_options(plan) != NULL);
}

static void check(const akin_dedupe_plan *plan)
{
    const akin_dedupe_options *options = akin_dedupe_plan_options(plan);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    const akin_choice *option;
    for (uint32_t i = 0; i < options->attribute_count; i++)
        require(options->attributes[i].column < titles->column_count + options->combined_count &&
                titles->attributes[i] && titles->comparators[i]);
    for (uint32_t i = 0; i < options->selection_count; i++) {
        require(titles->selections[i] != NULL);
        for (uint32_t part = 0; part < options->selections[i].part_count; part++)
            require(options->selections[i].parts[part].column < titles->column_count + options->combined_count);
    }
    for (uint32_t i = 0; (option = akin_choices("selections", i)); i++) {
        const char *json;
        for (uint64_t at = 0; (json = akin_dedupe_plan_json(plan, option->name, at)); at++)
            read_again(plan, option->name, json, option->arguments[0] != '\0');
    }
    for (uint32_t i = 0; (option = akin_choices("plan-options", i)); i++) {
        const char *json;
        int is_repeated = strcmp(option->name, "compare") == 0 || strcmp(option->name, "combine") == 0 ||
                          strcmp(option->name, "fold") == 0;
        for (uint64_t at = 0; (json = akin_dedupe_plan_json(plan, option->name, at)); at++)
            read_again(plan, option->name, json, is_repeated);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    akin_dedupe_plan *plan = NULL;
    akin_json *json = NULL;
    akin_error error = {.message = ""};
    char *text = malloc(size + 1);
    require(text && akin_dedupe_plan_create(&plan, NULL) == AKIN_OK);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    int is_whole =
        akin_json_parse("input", text, size, &json, NULL) == AKIN_OK ? add_json(plan, json) : add_lines(plan, text);
    if (is_whole) {
        if (akin_dedupe_plan_finish(plan, &error) == AKIN_OK)
            check(plan);
        else
            require(error.message[0] != '\0');
    }
    akin_json_free(json);
    akin_dedupe_plan_free(plan);
    free(text);
    return 0;
}
