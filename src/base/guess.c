/* "Did you mean ...?": the known name that is nearest to a word. */
#include "akin.h"

#include <string.h>

#define NAME_LENGTH 40 /* longer words are beyond guessing */

/* A letter without its case, and a dash for what often stands for one. */
static char lower(char c)
{
    return c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The edit distance of names by those letters, a swap of two neighbours counting once (optimal string alignment). */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][NAME_LENGTH + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *oldest = before;
        before = above, above = row, row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]) &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
    }
    return row[b_length];
}

/* Whether a word is the name with each + written as "plus". */
static int spells_out(const char *word, const char *name)
{
    const size_t length = strlen("plus");
    for (; *word && *name; name++) {
        const int is_plus = *name == '+' && strncmp(word, "plus", length) == 0;
        if (!is_plus && lower(*word) != lower(*name))
            return 0;
        word += is_plus ? length : 1;
    }
    return !*word && !*name;
}

void akin_guess_offer(akin_guess *guess, const char *name)
{
    size_t word_length = strlen(guess->word), name_length = strlen(name);
    if (word_length < 2 || word_length > NAME_LENGTH || name_length > NAME_LENGTH)
        return;
    size_t distance = edit_distance(guess->word, word_length, name, name_length);
    int longer = 0; /* of two names that the word begins with, the longer one is meant */
    if (strncmp(guess->word, name, word_length) == 0 || spells_out(guess->word, name))
        distance = 1; /* cut short, or spelled out */
    else if (name_length > 2 && strncmp(guess->word, name, name_length) == 0 && distance > 2) {
        distance = 2; /* drawn out: an ending that is not there */
        longer = guess->best && strncmp(guess->best, name, strlen(guess->best)) == 0;
    }
    if (distance > (word_length + 1) / 3)
        return;
    if (!guess->best || distance < guess->distance || (longer && distance == guess->distance)) {
        guess->best = name;
        guess->distance = distance;
    }
}
