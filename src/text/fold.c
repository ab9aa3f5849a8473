/* Folds a text: ASCII by a table, what is beyond by its code points. */
#include "text/fold.h"

#include "base/memory.h"
#include "text/utf8.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#define PARTS 64 /* code points that one decomposes to, with room to spare */
#define ROOM  (4 * PARTS)

#define NOTHING '\0'

static const akin_choice folds[] = {
    {"case", "", "upper and lower case", AKIN_FOLD_CASE, 0},
    {"accents", "", "accents, strokes and joined letters", AKIN_FOLD_ACCENTS, 0},
    {"punctuation", "", "punctuation and symbols", AKIN_FOLD_PUNCTUATION, 0},
    {"blanks", "", "runs of white space, and invisible characters", AKIN_FOLD_BLANKS, 0},
    {"all", "", "all of these", AKIN_FOLD_ALL, AKIN_IS_DEFAULT},
    {"none", "", "nothing", 0, 0},
};
const akin_choice_table akin_folds = AKIN_CHOICE_TABLE("fold", folds);

akin_status akin_folds_parse(const char *text, uint32_t *out, akin_error *error)
{
    uint32_t all = 0;
    for (const char *name = text; name;) {
        const size_t length = strcspn(name, "+");
        const akin_choice *row = NULL;
        akin_status status = akin_choice_parse(&akin_folds, name, length, 0, &row, error);
        if (status != AKIN_OK)
            return status;
        all |= (uint32_t)row->value;
        name = name[length] ? name + length + 1 : NULL;
    }
    *out = all;
    return AKIN_OK;
}

akin_status akin_folds_check(uint32_t folds, akin_error *error)
{
    return folds & ~(uint32_t)AKIN_FOLD_ALL
               ? akin_fail(error, AKIN_E_OPTION, "folds are %u: expected a sum of akin_fold", folds)
               : AKIN_OK;
}

/* Whether a row is one fold, and not a sum of several. */
static int is_single(const akin_choice *row)
{
    return row->value > 0 && (row->value & (row->value - 1)) == 0;
}

void akin_folds_write(uint32_t folds, char *text, size_t room)
{
    const char *whole = akin_choice_name(&akin_folds, (int)folds); /* such as "all" */
    const akin_choice *row;
    size_t length = 0;
    snprintf(text, room, "%s", whole ? whole : "");
    for (uint32_t i = 0; !whole && (row = akin_choice_at(&akin_folds, i)) && length < room; i++)
        if (is_single(row) && (folds & (uint32_t)row->value))
            length += (size_t)snprintf(text + length, room - length, "%s%s", length > 0 ? "+" : "", row->name);
}

/* ----------------------------------------------------------------------------------------------------- code points */

/* What is written for an apostrophe: quotation marks that stand alone, accents that stand alone, primes, and letters
 * that look like them. */
static int is_apostrophe(int32_t point)
{
    static const uint16_t all[] = {0x27,  0x60,  0xb4,   0x2b9,  0x2bb,  0x2bc,  0x2bd,
                                   0x2be, 0x2bf, 0x2018, 0x2019, 0x201b, 0x2032, 0xff07};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (point == all[i])
            return 1;
    return 0;
}

static int is_punctuation(int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);
    return (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_SO) || is_apostrophe(point);
}

static int is_mark(int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ME;
}

/* White space, line ends and control characters. */
static int is_blank(int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);
    return category == UTF8PROC_CATEGORY_CC || (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP);
}

/* Whether it is not to be seen, such as a soft hyphen or a byte order mark. */
static int is_hidden(int32_t point)
{
    return utf8proc_get_property(point)->ignorable != 0;
}

/* Whether a mark may be left out. Its class decides: marks above and below letters, and the points of Hebrew and
 * Arabic; not those that make another letter in Indic scripts, Thai or Kana. */
static int is_accent(int32_t point)
{
    const utf8proc_property_t *property = utf8proc_get_property(point);
    int class = property->combining_class;
    return (class >= 10 && class <= 35) || class >= 200 || property->category == UTF8PROC_CATEGORY_ME;
}

/* What people write for a letter with a stroke, or two that are joined, which Unicode does not decompose; NULL: it is
 * none of these. */
static const char *plain_letter(int32_t point)
{
    static const struct letter {
        int32_t point;
        char plain[3];
    } letters[] = {
        {0xc6, "AE"}, {0xd0, "D"},  {0xd8, "O"},  {0xde, "TH"},   {0xdf, "ss"},  {0xe6, "ae"},
        {0xf0, "d"},  {0xf8, "o"},  {0xfe, "th"}, {0x110, "D"},   {0x111, "d"},  {0x126, "H"},
        {0x127, "h"}, {0x131, "i"}, {0x141, "L"}, {0x142, "l"},   {0x152, "OE"}, {0x153, "oe"},
        {0x166, "T"}, {0x167, "t"}, {0x17f, "s"}, {0x1e9e, "SS"},
    };
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].point == point)
            return letters[i].plain;
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------- text */

void akin_folder_begin(akin_folder *folder, akin_account *account, uint32_t folds)
{
    *folder = (akin_folder){.account = account, .folds = folds};
    akin_unicode_begin(&folder->unicode, account, AKIN_TOKENS_QGRAMS, (folds & AKIN_FOLD_CASE) != 0);
    for (int c = 0; c < 128; c++) {
        char *to = &folder->ascii[c];
        *to = (char)c;
        if ((folds & AKIN_FOLD_CASE) && c >= 'A' && c <= 'Z')
            *to = (char)(c - 'A' + 'a');
        if ((folds & AKIN_FOLD_PUNCTUATION) && is_punctuation(c))
            *to = is_apostrophe(c) ? NOTHING : ' ';
        if ((folds & AKIN_FOLD_BLANKS) && is_blank(c))
            *to = ' ';
    }
}

void akin_folder_clear(akin_folder *folder)
{
    akin_unicode_clear(&folder->unicode);
    akin_free(folder->text);
    *folder = (akin_folder){0};
}

static akin_status reserve_folded(akin_folder *f, uint64_t more)
{
    char *larger = akin_enlarge(f->account, f->text, &f->capacity, f->length + more, 1);
    if (!larger)
        return AKIN_E_NOMEM;
    f->text = larger;
    return AKIN_OK;
}

/* Adds a character of ASCII, but no unwanted blank. There is room. */
static inline void add_ascii(akin_folder *f, char c)
{
    f->text[f->length] = c;
    f->length += !(c == ' ' && (f->folds & AKIN_FOLD_BLANKS) && (f->length == 0 || f->text[f->length - 1] == ' '));
}

static void add_point(akin_folder *f, int32_t point)
{
    if (point == ' ')
        add_ascii(f, ' ');
    else
        f->length += (uint64_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)f->text + f->length);
}

/* Adds a code point without its accents: what it decomposes to, unless that is all the same. */
static void add_plain(akin_folder *f, int32_t point)
{
    int32_t parts[PARTS];
    int boundary = 0, changes = 0;
    utf8proc_ssize_t count =
        utf8proc_decompose_char(point, parts, PARTS, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, &boundary);
    for (utf8proc_ssize_t i = 0; i < count; i++)
        changes |= is_accent(parts[i]) || plain_letter(parts[i]) != NULL;
    if (!changes) {
        add_point(f, point);
        return;
    }
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        const char *plain = plain_letter(parts[i]);
        if (plain)
            for (; *plain; plain++)
                add_ascii(f, *plain);
        else if (!is_accent(parts[i]))
            add_point(f, parts[i]);
    }
}

/* Adds a code point as the folds say. *gone: the one before, which marks belong to, was left out as punctuation. */
static void add_folded(akin_folder *f, int32_t point, int *gone)
{
    uint32_t folds = f->folds;
    if ((folds & AKIN_FOLD_BLANKS) && is_hidden(point))
        return;
    *gone = (folds & AKIN_FOLD_PUNCTUATION) && (is_punctuation(point) || (*gone && is_mark(point)));
    if (*gone) {
        if (!is_mark(point) && !is_apostrophe(point))
            add_ascii(f, ' ');
    } else if ((folds & AKIN_FOLD_BLANKS) && is_blank(point)) {
        add_ascii(f, ' ');
    } else if (folds & AKIN_FOLD_ACCENTS) {
        add_plain(f, point);
    } else {
        add_point(f, point);
    }
}

/* Leaves out the blank at the end. */
static void trim_end(akin_folder *f)
{
    f->length -= (f->folds & AKIN_FOLD_BLANKS) && f->length > 0 && f->text[f->length - 1] == ' ';
}

static akin_status take_points(akin_folder *f, const char *from, uint64_t length)
{
    const int32_t *points;
    size_t count;
    int gone = 0;
    akin_status status = akin_unicode_normalise(&f->unicode, from, (size_t)length, &points, &count);
    f->length = 0;
    for (size_t i = 0; i < count && status == AKIN_OK; i++) {
        status = reserve_folded(f, ROOM);
        if (status == AKIN_OK)
            add_folded(f, points[i], &gone);
    }
    if (status != AKIN_OK)
        return status;
    trim_end(f);
    status = akin_unicode_normalise(&f->unicode, f->text, (size_t)f->length, &points, &count);
    f->length = 0;
    for (size_t i = 0; i < count && status == AKIN_OK; i++) {
        status = reserve_folded(f, ROOM);
        if (status == AKIN_OK)
            f->length += (uint64_t)utf8proc_encode_char(points[i], (utf8proc_uint8_t *)f->text + f->length);
    }
    return status;
}

/* Whether it is UTF-8; *beyond says whether there is more than ASCII. */
static int is_text(const char *from, uint64_t length, int *beyond)
{
    *beyond = 0;
    for (uint64_t at = 0; at < length;) {
        size_t size;
        if (akin_utf8_decode(from + at, (size_t)(length - at), &size) == AKIN_NO_POINT)
            return 0;
        *beyond |= size > 1;
        at += size;
    }
    return 1;
}

akin_status akin_folder_take(akin_folder *folder, const char *from, uint64_t length)
{
    akin_folder *f = folder;
    int beyond;
    f->length = 0;
    if (!is_text(from, length, &beyond))
        return AKIN_E_INPUT;
    if (beyond)
        return take_points(f, from, length);
    if (reserve_folded(f, length + 1) != AKIN_OK)
        return AKIN_E_NOMEM;
    for (uint64_t i = 0; i < length; i++) {
        char c = f->ascii[(unsigned char)from[i]];
        if (c != NOTHING || !from[i])
            add_ascii(f, c);
    }
    trim_end(f);
    return AKIN_OK;
}
