/* JSON of which one value is replaced by another at a time, so that readers meet each wrong value in each place. */
#ifndef AKIN_TEST_JSON_VALUES_H
#define AKIN_TEST_JSON_VALUES_H

#include <stdlib.h>
#include <string.h>

/* Where the value ends that begins at `at`. */
static inline const char *json_value_end(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"')
            for (at++; *at != '"'; at++)
                at += *at == '\\';
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (*at && (depth > 0 || !strchr(",]}\n ", *at)));
    return at;
}

/* Whether a value begins there: not a key, which a colon follows. */
static inline int json_is_value(const char *text, const char *at)
{
    const char *before = at;
    while (before > text && strchr(" \n", before[-1]))
        before--;
    const int follows = before > text && strchr(":,[", before[-1]) && !strchr(" \n]", *at);
    return follows && *json_value_end(at) != ':' && !(*at == '"' && json_value_end(at)[-1] == ':');
}

/* Calls `use` with each text; it says whether the text was accepted. Returns how many were. */
static inline uint64_t json_replace_each(const char *text, int (*use)(const char *text))
{
    static const char *const others[] = {"0",    "-1",        "0.5",  "7",    "1e300",  "99999999999",
                                         "\"\"", "\"x\"",     "[]",   "[0]",  "[\"\"]", "[1,1]",
                                         "{}",   "{\"x\":1}", "true", "null", "[{}]"};
    const size_t length = strlen(text);
    char *changed = malloc(length + 32);
    uint64_t accepted = 0;
    if (!changed)
        abort();
    int is_string = 0;
    for (const char *at = text; *at; at++) {
        const int begins = !is_string && json_is_value(text, at);
        if (*at == '"' && (at == text || at[-1] != '\\'))
            is_string = !is_string;
        for (size_t i = 0; begins && i < sizeof others / sizeof *others; i++) {
            const size_t before = (size_t)(at - text), added = strlen(others[i]);
            const char *end = json_value_end(at);
            memcpy(changed, text, before);
            memcpy(changed + before, others[i], added);
            memcpy(changed + before + added, end, strlen(end) + 1);
            accepted += (uint64_t)(use(changed) != 0);
        }
    }
    free(changed);
    return accepted;
}

#endif
