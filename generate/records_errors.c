/*
 * What goes wrong with a value when it is entered once more: typing errors, values that are left out or put in the
 * wrong field, words shortened, split, joined and swapped, what is misheard and what is misread. The kinds are those of
 * Febrl's generator (P. Christen, Probabilistic Data Generation for Deduplication and Data Linkage, IDEAL 2005;
 * Christen and Pudjijono, Accurate Synthetic Generation of Realistic Personal Information, PAKDD 2009); that a value is
 * in other letters is added.
 */
#include "generate/records.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- symbols */

static int is_between(uint32_t symbol, char low, char high)
{
    return symbol >= (unsigned char)low && symbol <= (unsigned char)high;
}

static int is_small(uint32_t symbol)
{
    return is_between(symbol, 'a', 'z') || (symbol >= 0xdf && symbol <= 0xff && symbol != 0xf7);
}

static int is_large(uint32_t symbol)
{
    return is_between(symbol, 'A', 'Z') || (symbol >= 0xc0 && symbol <= 0xde && symbol != 0xd7);
}

static uint32_t small(uint32_t symbol)
{
    return is_large(symbol) ? symbol + 32 : symbol;
}

static uint32_t large(uint32_t symbol)
{
    return is_small(symbol) && symbol != 0xdf && symbol != 0xff ? symbol - 32 : symbol;
}

static int insert(akin_field *field, uint32_t at, uint32_t symbol)
{
    if (field->length == AKIN_FIELD_LONGEST)
        return 0;
    memmove(field->symbols + at + 1, field->symbols + at, (field->length - at) * sizeof *field->symbols);
    field->symbols[at] = (uint16_t)symbol;
    field->length++;
    return 1;
}

static int take_out(akin_field *field, uint32_t at, uint32_t count)
{
    field->length -= count;
    memmove(field->symbols + at, field->symbols + at + count, (field->length - at) * sizeof *field->symbols);
    return 1;
}

/* A place below `places`, rather in the middle than at an end: beginnings are seldom wrong. */
static uint32_t draw_place(akin_random *random, uint32_t places)
{
    return (uint32_t)((akin_random_below(random, places) + akin_random_below(random, places)) / 2);
}

/* ----------------------------------------------------------------------------------------------------------- typing */

/* What is beside each letter on the keyboard; of digits it is the next one. */
static const char *const neighbours[] = {
    "qwsz", "vghn", "xdfv", "serfxc", "wrsd", "drtgcv", "ftyhvb", "gyujbn", "uojk", "huiknm", "jiolm", "kop",  "njk",
    "bhjm", "ipkl", "ol",   "wa",     "etdf", "awedzx", "ryfg",   "yihj",   "cfgb", "qeas",   "zsdc",  "tugh", "asx"};

/* The symbol that is hit in the place of another one. */
static uint32_t miss(akin_random *random, uint32_t symbol)
{
    if (is_between(symbol, '0', '9'))
        return '0' + (symbol - '0' + (akin_draw_chance(random, 500) ? 1 : 9)) % 10;
    if (!is_between(small(symbol), 'a', 'z') || akin_draw_chance(random, 250)) {
        uint32_t any = 'a' + (uint32_t)akin_random_below(random, 26);
        return is_large(symbol) ? large(any) : any;
    }
    const char *near = neighbours[small(symbol) - 'a'];
    uint32_t hit = (unsigned char)near[akin_random_below(random, strlen(near))];
    return is_large(symbol) ? large(hit) : hit;
}

/* A key is hit twice, or one beside it, too. */
static int type_more(akin_field *field, akin_random *random)
{
    if (field->length == 0)
        return 0;
    uint32_t at = draw_place(random, field->length), symbol = field->symbols[at];
    return insert(field, at + 1, akin_draw_chance(random, 400) ? small(symbol) : small(miss(random, symbol)));
}

static int type_less(akin_field *field, akin_random *random)
{
    return field->length > 1 && take_out(field, draw_place(random, field->length), 1);
}

static int type_other(akin_field *field, akin_random *random)
{
    if (field->length == 0)
        return 0;
    uint32_t at = draw_place(random, field->length), symbol = field->symbols[at], other = miss(random, symbol);
    field->symbols[at] = (uint16_t)other;
    return other != symbol;
}

static int type_swapped(akin_field *field, akin_random *random)
{
    if (field->length < 2)
        return 0;
    uint32_t at = draw_place(random, field->length - 1);
    uint16_t first = field->symbols[at], second = field->symbols[at + 1];
    field->symbols[at] = second;
    field->symbols[at + 1] = first;
    return first != second;
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* A word: its first symbol and what is behind the last. */
typedef struct word {
    uint32_t begin, end;
} word;

/* The words of a field, as many as there is room for. */
static uint32_t find_words(const akin_field *field, word words[AKIN_FIELD_LONGEST / 2])
{
    uint32_t count = 0, at = 0;
    while (at < field->length) {
        uint32_t begin = at;
        while (at < field->length && field->symbols[at] != ' ')
            at++;
        if (at > begin && count < AKIN_FIELD_LONGEST / 2)
            words[count++] = (word){begin, at};
        at++;
    }
    return count;
}

/* A word becomes its first letter, with a point or without. */
static int abbreviate(akin_field *field, akin_random *random)
{
    word words[AKIN_FIELD_LONGEST / 2];
    uint32_t count = find_words(field, words);
    if (count == 0)
        return 0;
    word w = words[akin_random_below(random, count)];
    uint32_t first = field->symbols[w.begin];
    if (w.end - w.begin < 3 || !(is_small(first) || is_large(first)))
        return 0;
    int has_point = akin_draw_chance(random, 500);
    if (has_point)
        field->symbols[w.begin + 1] = '.';
    return take_out(field, w.begin + 1 + (uint32_t)has_point, w.end - w.begin - 1 - (uint32_t)has_point);
}

static int split_word(akin_field *field, akin_random *random)
{
    word words[AKIN_FIELD_LONGEST / 2];
    uint32_t count = find_words(field, words);
    if (count == 0)
        return 0;
    word w = words[akin_random_below(random, count)];
    return w.end - w.begin > 3 &&
           insert(field, w.begin + 1 + (uint32_t)akin_random_below(random, w.end - w.begin - 1), ' ');
}

static int merge_words(akin_field *field, akin_random *random)
{
    word words[AKIN_FIELD_LONGEST / 2];
    uint32_t count = find_words(field, words);
    if (count < 2)
        return 0;
    uint32_t at = (uint32_t)akin_random_below(random, count - 1);
    return take_out(field, words[at].end, words[at + 1].begin - words[at].end);
}

static void append_letters(akin_field *to, const akin_field *from, uint32_t begin, uint32_t end)
{
    for (; begin < end; begin++)
        akin_field_put(to, from->symbols[begin]);
}

/* Two words beside each other change places. */
static int swap_words(akin_field *field, akin_random *random)
{
    word words[AKIN_FIELD_LONGEST / 2];
    akin_field from = *field;
    uint32_t count = find_words(field, words);
    if (count < 2)
        return 0;
    uint32_t at = (uint32_t)akin_random_below(random, count - 1);
    field->length = words[at].begin;
    append_letters(field, &from, words[at + 1].begin, words[at + 1].end);
    append_letters(field, &from, words[at].end, words[at + 1].begin);
    append_letters(field, &from, words[at].begin, words[at].end);
    append_letters(field, &from, words[at + 1].end, from.length);
    return memcmp(field->symbols, from.symbols, from.length * sizeof *from.symbols) != 0;
}

/* All letters become small or capital ones, or the first of words capital ones. */
static int change_case(akin_field *field, akin_random *random)
{
    akin_field from = *field;
    uint64_t way = akin_random_below(random, 3);
    for (uint32_t i = 0; i < field->length; i++) {
        int is_first = i == 0 || field->symbols[i - 1] == ' ';
        uint32_t symbol = field->symbols[i];
        field->symbols[i] = (uint16_t)(way == 1 || (way == 2 && is_first) ? large(symbol) : small(symbol));
    }
    return memcmp(field->symbols, from.symbols, from.length * sizeof *from.symbols) != 0;
}

/* --------------------------------------------------------------------------------------------- heard and seen wrong */

typedef struct replacement {
    const char *from, *to;
} replacement;

/* What sounds alike. */
static const replacement heard[] = {
    {"ph", "f"},  {"f", "ph"},   {"ck", "k"}, {"k", "c"},   {"c", "k"},       {"c", "s"},   {"s", "z"},   {"z", "s"},
    {"th", "t"},  {"t", "d"},    {"d", "t"},  {"ee", "ea"}, {"ea", "ee"},     {"ie", "y"},  {"y", "ie"},  {"i", "y"},
    {"y", "i"},   {"oo", "u"},   {"ou", "u"}, {"au", "o"},  {"ei", "ie"},     {"ai", "ay"}, {"ay", "ai"}, {"x", "ks"},
    {"ks", "x"},  {"qu", "kw"},  {"w", "v"},  {"v", "w"},   {"b", "p"},       {"p", "b"},   {"g", "k"},   {"j", "y"},
    {"ch", "sh"}, {"sh", "sch"}, {"ll", "l"}, {"l", "ll"},  {"nn", "n"},      {"n", "nn"},  {"tt", "t"},  {"t", "tt"},
    {"ss", "s"},  {"s", "ss"},   {"mm", "m"}, {"m", "mm"},  {"rr", "r"},      {"r", "rr"},  {"e", "a"},   {"a", "e"},
    {"o", "u"},   {"u", "o"},    {"h", ""},   {"gh", ""},   {"tion", "sion"}, {"ey", "y"},  {"er", "or"}, {"en", "on"},
};

/* What looks alike to a reading machine. */
static const replacement seen[] = {
    {"l", "1"}, {"1", "l"}, {"i", "l"}, {"l", "i"}, {"o", "0"},  {"0", "o"},  {"O", "0"},  {"0", "O"},  {"S", "5"},
    {"5", "S"}, {"s", "5"}, {"B", "8"}, {"8", "B"}, {"Z", "2"},  {"2", "Z"},  {"z", "2"},  {"g", "q"},  {"q", "g"},
    {"g", "9"}, {"9", "g"}, {"6", "b"}, {"b", "6"}, {"m", "rn"}, {"rn", "m"}, {"w", "vv"}, {"cl", "d"}, {"d", "cl"},
    {"e", "c"}, {"c", "e"}, {"h", "b"}, {"b", "h"}, {"u", "v"},  {"v", "u"},  {"n", "h"},  {"n", "ri"}, {"li", "h"},
    {"I", "l"}, {"I", "1"}, {"E", "F"}, {"F", "E"}, {"D", "O"},  {"G", "6"},  {"4", "A"},  {"7", "1"},  {"1", "7"},
    {"3", "8"}, {"8", "3"}, {"t", "f"}, {"f", "t"}, {"a", "o"},  {"o", "a"},  {"k", "lc"}, {"r", "n"},  {"U", "V"},
};

/* Where a text stands in a field, letters alike, from `at` on; the field's length if it does not. */
static uint32_t find_text(const akin_field *field, const char *text, uint32_t at, int any_case)
{
    uint32_t length = (uint32_t)strlen(text);
    for (; at + length <= field->length; at++) {
        uint32_t i = 0;
        while (i < length &&
               (any_case ? small(field->symbols[at + i]) : field->symbols[at + i]) == (unsigned char)text[i])
            i++;
        if (i == length)
            return at;
    }
    return field->length;
}

/* Does one of the replacements, the first from some place on that can be done, at a place from some other one on. */
static int replace(akin_field *field, akin_random *random, const replacement *list, uint32_t count, int any_case)
{
    uint64_t first = akin_random_below(random, count);
    uint32_t from = field->length ? draw_place(random, field->length) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const replacement *r = &list[(first + i) % count];
        uint32_t at = find_text(field, r->from, from, any_case), length = (uint32_t)strlen(r->to);
        if (at == field->length || field->length - strlen(r->from) + length > AKIN_FIELD_LONGEST)
            continue;
        int is_capital = any_case && is_large(field->symbols[at]);
        take_out(field, at, (uint32_t)strlen(r->from));
        for (uint32_t k = 0; k < length; k++) {
            uint32_t symbol = (unsigned char)r->to[k];
            insert(field, at + k, is_capital && k == 0 ? large(symbol) : symbol);
        }
        return 1;
    }
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- fields */

static int leave_out(akin_field *field)
{
    int is_given = field->length > 0;
    field->length = 0;
    return is_given;
}

static int exchange(akin_field *a, akin_field *b)
{
    akin_field was = *a;
    if (a == b || (a->length == 0 && b->length == 0))
        return 0;
    *a = *b;
    *b = was;
    return a->length != b->length || memcmp(a->symbols, b->symbols, a->length * sizeof *a->symbols) != 0;
}

/* ------------------------------------------------------------------------------------------------------------ table */

/* Of errors that look at one field alone. */
#define OF_FIELD(name, change)                                                                                         \
    static int name(akin_field *fields, uint32_t at, uint32_t other, akin_random *random)                              \
    {                                                                                                                  \
        akin_field *field = &fields[at];                                                                               \
        (void)other;                                                                                                   \
        return change;                                                                                                 \
    }

OF_FIELD(apply_insert, type_more(field, random))
OF_FIELD(apply_delete, type_less(field, random))
OF_FIELD(apply_substitute, type_other(field, random))
OF_FIELD(apply_transpose, type_swapped(field, random))
OF_FIELD(apply_abbreviate, abbreviate(field, random))
OF_FIELD(apply_split, split_word(field, random))
OF_FIELD(apply_merge, merge_words(field, random))
OF_FIELD(apply_words, swap_words(field, random))
OF_FIELD(apply_phonetic, replace(field, random, heard, sizeof heard / sizeof heard[0], 1))
OF_FIELD(apply_ocr, replace(field, random, seen, sizeof seen / sizeof seen[0], 0))
OF_FIELD(apply_case, change_case(field, random))

static int apply_missing(akin_field *fields, uint32_t at, uint32_t other, akin_random *random)
{
    (void)other, (void)random;
    return leave_out(&fields[at]);
}

static int apply_swap(akin_field *fields, uint32_t at, uint32_t other, akin_random *random)
{
    (void)random;
    return exchange(&fields[at], &fields[other]);
}

/* In parentheses the weights of AKIN_MODIFICATIONS_INIT. */
static const akin_modification_row rows[] = {
    {{"insert", "", "a character is added (10)", AKIN_MODIFY_INSERT, 0}, apply_insert},
    {{"delete", "", "a character is dropped (12)", AKIN_MODIFY_DELETE, 0}, apply_delete},
    {{"substitute", "", "a character is replaced (20)", AKIN_MODIFY_SUBSTITUTE, 0}, apply_substitute},
    {{"transpose", "", "two neighbouring characters are swapped (8)", AKIN_MODIFY_TRANSPOSE, 0}, apply_transpose},
    {{"missing", "", "the value is dropped (6)", AKIN_MODIFY_MISSING, 0}, apply_missing},
    {{"swap", "", "two columns are swapped (2)", AKIN_MODIFY_SWAP, 0}, apply_swap},
    {{"abbreviate", "", "a word is cut to its first letter (5)", AKIN_MODIFY_ABBREVIATE, 0}, apply_abbreviate},
    {{"split", "", "a word is cut in two (4)", AKIN_MODIFY_SPLIT, 0}, apply_split},
    {{"merge", "", "two words are joined (5)", AKIN_MODIFY_MERGE, 0}, apply_merge},
    {{"words", "", "two words are swapped (3)", AKIN_MODIFY_WORDS, 0}, apply_words},
    {{"phonetic", "", "letters become others that sound alike (8)", AKIN_MODIFY_PHONETIC, 0}, apply_phonetic},
    {{"ocr", "", "letters become others that look alike (5)", AKIN_MODIFY_OCR, 0}, apply_ocr},
    {{"case", "", "letters become small or capital (12)", AKIN_MODIFY_CASE, 0}, apply_case},
};
const akin_choice_table akin_modifications = AKIN_CHOICE_TABLE("kind of error", rows);

_Static_assert(sizeof rows / sizeof *rows == AKIN_MODIFICATIONS, "each modification has a row");

int akin_record_modify(akin_field *fields, uint32_t at, uint32_t other, uint32_t modification, akin_random *random)
{
    return rows[modification].apply(fields, at, other, random);
}
