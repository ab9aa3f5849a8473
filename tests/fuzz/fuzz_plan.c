/*
 * Fuzzes plans of deduplication. An input that is JSON is an object of options; any other is lines "OPTION WORD". A
 * plan is refused with a message, or is written as JSON that is read as the same plan.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "akin_papers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
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

/* What the plan is as JSON, to be freed. */
static char *write(const akin_dedupe_plan *plan)
{
    const char *members = akin_dedupe_plan_members(plan);
    size_t length = strlen(members);
    char *text = malloc(length + 3);
    require(text != NULL);
    text[0] = '{';
    memcpy(text + 1, members, length);
    memcpy(text + 1 + length, "}", 2);
    return text;
}

/* The JSON of a plan is read as a plan with the same JSON, unless a word is not UTF-8. */
static void read_again(const akin_dedupe_plan *plan)
{
    akin_dedupe_plan *again = NULL;
    akin_json *json = NULL;
    char *text = write(plan), *second;
    if (akin_json_parse("again", text, strlen(text), &json, NULL) == AKIN_OK) {
        require(akin_dedupe_plan_create(akin_papers(), &again, NULL) == AKIN_OK);
        require(akin_dedupe_plan_read(again, json, 0, NULL, NULL, NULL) == AKIN_OK);
        require(akin_dedupe_plan_finish(again, NULL) == AKIN_OK);
        second = write(again);
        require(strcmp(text, second) == 0);
        free(second);
    }
    akin_dedupe_plan_free(again);
    akin_json_free(json);
    free(text);
}

static void check(const akin_dedupe_plan *plan)
{
    const akin_dedupe_options *options = akin_dedupe_plan_options(plan);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    for (uint32_t i = 0; i < options->attribute_count; i++)
        require(options->attributes[i].column < titles->column_count + options->combined_count &&
                titles->attributes[i] && titles->comparators[i]);
    for (uint32_t i = 0; i < options->selection_count; i++) {
        require(titles->selections[i] != NULL);
        for (uint32_t part = 0; part < options->selections[i].part_count; part++)
            require(options->selections[i].parts[part].column < titles->column_count + options->combined_count);
    }
    read_again(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    akin_dedupe_plan *plan = NULL;
    akin_json *json = NULL;
    akin_error error = {.message = ""};
    char *text = malloc(size + 1);
    require(text && akin_dedupe_plan_create(akin_papers(), &plan, NULL) == AKIN_OK);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    int is_whole = akin_json_parse("input", text, size, &json, NULL) == AKIN_OK
                       ? akin_dedupe_plan_read(plan, json, 0, "input", NULL, NULL) == AKIN_OK
                       : add_lines(plan, text);
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
