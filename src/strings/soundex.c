/* Codes names by Soundex. */
#include "strings/soundex.h"

/* Of A to Z: the digit; '0': a vowel, which parts letters of the same digit. H and W have none either, and do not. */
static const char digits[] = "01230120022455012623010202";

int akin_soundex(const char *text, uint32_t length, char code[AKIN_SOUNDEX_CODE])
{
    uint32_t count = 0;
    char last = 0;
    for (uint32_t i = 0; i < length && count < AKIN_SOUNDEX_CODE; i++) {
        unsigned letter = ((unsigned char)text[i] | 0x20u) - 'a';
        if (letter > 'z' - 'a')
            continue;
        int is_silent = letter == 'h' - 'a' || letter == 'w' - 'a';
        char digit = digits[letter];
        if (count == 0)
            code[count++] = (char)('A' + letter);
        else if (is_silent)
            continue;
        else if (digit != '0' && digit != last)
            code[count++] = digit;
        last = digit;
    }
    for (uint32_t i = count; count > 0 && i < AKIN_SOUNDEX_CODE; i++)
        code[i] = '0';
    return count > 0;
}
