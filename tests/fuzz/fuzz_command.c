/*
 * Fuzzes command lines: the input is words, each up to a line feed, then behind a NUL byte the content of the files a,
 * b.csv, c.jsonl and d.json, with NUL bytes between. Whatever the words say, a command ends with a status that it
 * documents, a message if it failed, and nothing on standard error that a terminal must not get. Two runs give the
 * same.
 *
 * The files that words name are in a folder of the fuzzer: no word, and no job, holds a slash that could lead out of
 * it. Numbers are short, and jobs have little time, so that no input takes long.
 */
#include "commands.h"

#define WORDS  24
#define LONG   200 /* bytes of a word */
#define DIGITS 3   /* of a number in a word */

static const char *const files[] = {"a", "b.csv", "c.jsonl", "d.json"};

/* Makes text harmless: no path is absolute or leads up, as an address would, and no job takes one apart into escapes.
 * Returns its new length. */
static size_t tame(char *text, size_t length, int is_word)
{
    size_t to = 0, digits = 0;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i], before = i > 0 ? text[i - 1] : '\0';
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (is_word && digits > DIGITS)
            continue;
        if ((c == '/' && !(before >= '0' && before <= '9')) || (c == ':' && i + 1 < length && text[i + 1] == '/'))
            text[to++] = '_';
        else if (before == '\\' && c == 'u')
            text[to++] = 'n';
        else
            text[to++] = c;
    }
    return to;
}

/* An exponent makes a short number large. */
static int is_large(const char *word)
{
    for (; *word; word++)
        if (word[0] >= '0' && word[0] <= '9' && (word[1] | 32) == 'e' && word[2] >= '0' && word[2] <= '9')
            return 1;
    return 0;
}

/* Cuts the words; 0: it is not to be run. */
static int cut_words(const uint8_t *data, size_t size, char words[WORDS][LONG], const char *list[WORDS + 4], int *count)
{
    *count = 0;
    for (size_t at = 0; at < size && *count < WORDS;) {
        const uint8_t *feed = memchr(data + at, '\n', size - at);
        const size_t end = feed ? (size_t)(feed - data) : size, length = end - at;
        char *word = words[*count];
        if (length >= LONG)
            return 0;
        memcpy(word, data + at, length);
        word[tame(word, length, 1)] = '\0';
        if (is_large(word) || strstr(word, "calibrate")) /* which takes seconds */
            return 0;
        list[(*count)++] = word;
        at = end + 1;
    }
    return *count > 0;
}

static void put_files(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const uint8_t *nul = size > 0 ? memchr(data, 0, size) : NULL;
        const size_t length = nul && i + 1 < sizeof files / sizeof *files ? (size_t)(nul - data) : size;
        char *copy = malloc(length + 1);
        require(copy != NULL);
        memcpy(copy, data, length);
        put_file(files[i], copy, tame(copy, length, 0));
        free(copy);
        data += length + (nul != NULL && size > length);
        size -= length + (nul != NULL && size > length);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char words[WORDS][LONG];
    const char *list[WORDS + 4];
    int count;
    const uint8_t *nul = size > 0 ? memchr(data, 0, size) : NULL;
    const size_t first = nul ? (size_t)(nul - data) : size;
    if (!cut_words(data, first, words, list, &count))
        return 0;
    make_folder();
    empty_folder(dup(folder));
    put_files(nul ? nul + 1 : data + size, nul ? size - first - 1 : 0);
    outcome o = run_words(count, list);
    check_outcome(&o);
    clear_outcome(&o);
    return 0;
}
