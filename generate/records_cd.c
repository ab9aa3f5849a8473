/*
 * CDs, as listeners type them in: artist, title, category, genre, year and tracks. How long values are, how many words
 * they have, how often they repeat and are missing is much as in the 9,763 CDs of freedb of Forchhammer et al.,
 * Duplicate Detection on GPUs, BTW 2013 (docs/generate.md has both side by side); all words are our own.
 */
#include "generate/records.h"

#define WORDS   80000
#define ARTISTS 400000
#define SEED    0x43447321u /* of words and artists, which are the same in every collection */

enum { ARTIST, TITLE, CATEGORY, GENRE, YEAR, TRACKS };

static const char common_words[] =
    "the of you a love me my and to in i de on la it is for no your all one night time don't with be life i'm day "
    "world "
    "man blue up down el out this go heart dream baby home dance song what dreams by girl black good way like little "
    "from we "
    "never song sun can light new get back come at so fire sweet hey again moon it's that do lost long old rain now "
    "live "
    "another away people where water music who when know las los en que un over je les le so not high big red road "
    "soul "
    "blues christmas angel sky gone star say think want let deep free white dead summer river hard last boy just feel "
    "here "
    "forever summer morning lady crazy game train tonight right ain't beautiful wild ich du der die das und mi corazon "
    "amor "
    "vida eyes run king wind got cold hot make child stop city house sea lonely can't stay take tears secret rock roll "
    "through without about alone every nothing something end only more house mother part hold street wonder mind peace "
    "line "
    "boys girls face ever lover land lie before true young memory winter snow spring door inside until under soon "
    "enough "
    "stranger yesterday tomorrow friend friends women devil god heaven hell jesus lord children broken sleep walk "
    "walking "
    "shine golden silver green yellow fall falling rise rising flying fly bird birds wings ship ocean island mountain "
    "desert "
    "valley garden flower flowers roses rose tree leaves stone diamond gold money power machine radio television "
    "telephone "
    "letter picture story book word words silence voice voices sound sounds noise drum guitar piano bass groove funk "
    "jazz "
    "tango samba bossa waltz march ballad hymn prayer chant lullaby serenade overture finale part two three seven "
    "hundred "
    "thousand million first second third reason question answer promise trouble danger fear anger hate fool magic "
    "mystery "
    "shadow shadows ghost spirit body skin hand hands arms head hair lips kiss smile laugh cry crying goodbye hello "
    "welcome "
    "believe remember forget forgive understand imagine pretend surrender escape follow lead leave leaving return turn "
    "turning changes change chance choice circle square corner edge border bridge tower window mirror glass paper "
    "plastic "
    "metal iron steel wire fence wall floor room kitchen table chair bed pillow blanket coffee sugar honey wine "
    "whiskey";

static const char given_names[] =
    "john david michael paul peter james robert george richard tom bob bill joe charlie jack frank eddie louis billy "
    "johnny "
    "mary maria anna elena laura nina ella sarah joan linda barbara diana carmen rosa julia eva lena martin daniel "
    "thomas "
    "stefan klaus hans jan erik lars olaf pierre jean michel jacques antonio carlos jose juan luis pedro marco paolo "
    "luca "
    "roberto franco andrea sergio ivan igor boris dmitri miles duke chet stan art ray buddy muddy steve phil eric "
    "brian roger "
    "keith mick neil bruce alan andy tony chris nick mark matt ben sam max leo oscar felix simon adam kate jane alice "
    "emma";

static const char last_names[] =
    "smith jones brown taylor johnson williams davis miller wilson moore white martin thompson walker young king "
    "wright hill "
    "green baker adams nelson carter mitchell roberts turner phillips campbell parker evans edwards collins stewart "
    "morris "
    "rogers reed cook morgan bell murphy bailey cooper richardson cox howard ward peterson gray watson brooks kelly "
    "sanders "
    "price bennett wood ross henderson coleman jenkins perry powell long patterson hughes butler simmons foster bryant "
    "russell "
    "griffin hayes meyer schmidt schneider fischer weber wagner becker schulz hoffmann koch richter klein wolf neumann "
    "schwarz braun lange krause garcia martinez lopez gonzalez perez sanchez ramirez torres flores rivera silva santos "
    "costa "
    "rossi russo ferrari bianchi romano ricci marino greco conti bruno moreau dubois durand leroy simon laurent petit";

static const char *const stock[] = {"Greatest Hits", "Live",       "The Collection", "Best Of",    "The Best Of",
                                    "Now",           "Anthology",  "The Very Best",  "Unplugged",  "Gold",
                                    "Singles",       "Essentials", "Debut",          "Collection", "Ballads",
                                    "Platinum",      "Christmas",  "Demo",           "Untitled",   "Live In Concert"};
static const uint16_t stock_weights[] = {200, 140, 40, 40, 35, 35, 25, 20, 20, 20, 15,
                                         12,  10,  10, 10, 10, 10, 10, 10, 10, 0};

static const char *const categories[] = {"misc",   "rock",       "folk",    "classical", "jazz", "blues",
                                         "newage", "soundtrack", "country", "reggae",    "data"};
static const uint16_t category_weights[] = {311, 310, 78, 76, 62, 51, 36, 31, 27, 13, 5, 0};
#define CLASSICAL 3

static const char *const genres[] = {
    "Rock",        "Pop",      "Classical", "Jazz",        "Folk",      "Other",   "Soundtrack", "Blues",   "Country",
    "Electronic",  "Dance",    "Metal",     "Alternative", "Gospel",    "Techno",  "Vocal",      "misc",    "Hard Rock",
    "Punk",        "Latin",    "Reggae",    "Misc",        "rock",      "New Age", "House",      "Hip-Hop", "Punk Rock",
    "Rap",         "Trance",   "Ambient",   "World",       "Celtic",    "Indie",   "Ska",        "Soul",    "Funk",
    "Swing",       "Opera",    "Disco",     "Oldies",      "Comedy",    "pop",     "Chanson",    "Baroque", "Hardcore",
    "Death Metal", "Acoustic", "Big Band",  "Easy",        "Industrial"};
static const uint16_t genre_weights[] = {845, 366, 340, 276, 218, 163, 157, 155, 112, 108, 98, 86, 82, 77, 76, 74, 68,
                                         67,  66,  62,  61,  58,  57,  55,  53,  51,  50,  48, 45, 42, 40, 38, 36, 34,
                                         32,  31,  30,  29,  28,  27,  26,  25,  24,  23,  22, 21, 20, 19, 18, 17, 0};

/* Words of a phrase, less 1. */
static const uint16_t title_lengths[] = {200, 250, 220, 142, 78, 44, 28, 16, 9, 5, 4, 3, 2, 0};
static const uint16_t track_lengths[] = {250, 270, 210, 138, 62, 30, 18, 10, 6, 4, 2, 1, 0};

/* ---------------------------------------------------------------------------------------------------------- letters */

/* How a record is written. */
typedef struct style {
    const akin_records_words *words;
    akin_case letters; /* of all words, but where AKIN_CASE_FIRST: */
    int is_sentence;   /* only of the first word of a phrase */
    unsigned accents;
    char between[4]; /* artist and track */
    int has_artists; /* before tracks */
} style;

static unsigned draw_accents(akin_random *random, uint32_t often)
{
    return akin_draw_chance(random, often) ? 1 + (unsigned)akin_random_below(random, AKIN_ACCENTS) : 0;
}

static style draw_style(const akin_records_words *words, akin_random *random)
{
    style s = {.words = words, .letters = AKIN_CASE_FIRST};
    uint64_t drawn = akin_random_below(random, 1000);
    s.letters = drawn < 38 ? AKIN_CASE_LOWER : drawn < 62 ? AKIN_CASE_UPPER : AKIN_CASE_FIRST;
    s.is_sentence = akin_draw_chance(random, 270);
    s.accents = draw_accents(random, 130);
    const char *between = akin_draw_chance(random, 600) ? " / " : " - ";
    for (int i = 0; i < 3; i++)
        s.between[i] = between[i];
    return s;
}

/* Adds a text as it is, or in the letters of the record. */
static void add_styled_text(akin_field *field, const style *s, const char *text)
{
    for (; *text; text++) {
        char c = *text;
        if (s->letters == AKIN_CASE_LOWER && c >= 'A' && c <= 'Z')
            c = (char)(c + 32);
        if (s->letters == AKIN_CASE_UPPER && c >= 'a' && c <= 'z')
            c = (char)(c - 32);
        akin_field_put(field, (unsigned char)c);
    }
}

/* ---------------------------------------------------------------------------------------------------------- artists */

static void add_name(akin_field *field, const akin_words *names, akin_random *random, akin_case letters,
                     unsigned accents)
{
    akin_field_word(field, names, akin_zipf_draw(&names->zipf, random), letters, accents);
}

static void add_person(akin_field *field, const style *s, akin_random *random, unsigned accents)
{
    add_name(field, &s->words->given, random, s->letters, accents);
    akin_field_put(field, ' ');
    if (akin_draw_chance(random, 60)) {
        add_name(field, &s->words->given, random, s->letters, 0);
        akin_field_put(field, ' ');
    }
    add_name(field, &s->words->last, random, s->letters, accents);
}

static uint32_t length_of(const akin_words *words, uint32_t word)
{
    return words->starts[word + 1] - words->starts[word];
}

/* Names of bands are words: rare ones mostly, and rather long. */
static void add_band(akin_field *field, const style *s, akin_random *random, unsigned accents, int words)
{
    const akin_words *common = &s->words->common;
    for (int i = 0; i < words; i++) {
        uint32_t word = (uint32_t)akin_random_below(random, WORDS), other = (uint32_t)akin_random_below(random, WORDS);
        word = length_of(common, other) > length_of(common, word) ? other : word;
        if (akin_draw_chance(random, 300))
            word = akin_zipf_draw(&common->zipf, random);
        if (i > 0)
            akin_field_put(field, ' ');
        akin_field_word(field, common, word, s->letters, accents);
    }
}

static const uint16_t artist_kinds[] = {270, 425, 105, 25, 22, 45, 35, 20, 32, 21, 0};

/* Adds the name of artist number `artist`. It is the same everywhere, except for the case of letters. */
static void add_artist(akin_field *field, const style *s, uint32_t artist)
{
    akin_random random;
    akin_random_seed(&random, (uint64_t)SEED << 32 | artist);
    unsigned accents = draw_accents(&random, 150);
    uint32_t kind = akin_draw_weighted(&random, artist_kinds);
    if (kind == 3 || kind == 4)
        add_styled_text(field, s, "The ");
    if (kind == 1 || kind == 5 || kind == 6 || kind == 7 || kind == 9)
        add_person(field, s, &random, accents);
    else
        add_band(field, s, &random, accents, kind == 0 || kind == 3 ? 1 : kind == 8 ? 3 : 2);
    if (kind == 5) {
        add_styled_text(field, s, akin_draw_chance(&random, 700) ? " & " : " and ");
        add_person(field, s, &random, accents);
    } else if (kind == 6) {
        static const char *const groups[] = {" Orchestra", " Trio", " Quartet", " Band", " Ensemble", " Group"};
        add_styled_text(field, s, groups[akin_random_below(&random, 6)]);
    } else if (kind == 7) {
        add_styled_text(field, s, " and the ");
        add_band(field, s, &random, accents, 1);
    } else if (kind == 9) {
        add_styled_text(field, s, ", ");
        add_person(field, s, &random, accents);
        add_styled_text(field, s, ", ");
        add_person(field, s, &random, accents);
    }
}

static void add_some_artist(akin_field *field, const style *s, akin_random *random)
{
    add_artist(field, s, akin_zipf_draw(&s->words->artists, random));
}

/* ---------------------------------------------------------------------------------------------------------- phrases */

/* A word of a phrase. Those of the most frequent words need something behind them, and who has but one word rather
 * takes a rare one. */
static uint32_t draw_word(const style *s, akin_random *random, uint32_t words, int is_last)
{
    const akin_zipf *zipf = &s->words->common.zipf;
    if (words == 1 && akin_draw_chance(random, 350))
        return (uint32_t)akin_random_below(random, WORDS);
    uint32_t word = akin_zipf_draw(zipf, random);
    return word < 12 && (is_last || words < 3) ? akin_zipf_draw(zipf, random) : word;
}

static void add_phrase(akin_field *field, const style *s, akin_random *random, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = draw_word(s, random, words, i + 1 == words);
        akin_case letters = i > 0 && s->is_sentence && s->letters == AKIN_CASE_FIRST ? AKIN_CASE_LOWER : s->letters;
        if (i > 0)
            add_styled_text(field, s,
                            words > 3 && akin_draw_chance(random, 15) ? ", "
                            : akin_draw_chance(random, 8)             ? " & "
                                                                      : " ");
        akin_field_word(field, &s->words->common, word, letters, s->accents);
    }
}

/* What is added to titles: which disc it is, a number, a year. */
static void add_title_end(akin_field *field, const style *s, akin_random *random)
{
    static const char *const ends[] = {" (Disc ",  " Disc ", " CD", " [Disc ", " - Disc ", " Vol. ", " Vol ", ", Vol. ",
                                       " Volume ", " CD ",   " #",  " ",       " (",       " - ",    " (CD"};
    static const uint16_t weights[] = {28, 12, 20, 8, 12, 24, 10, 8, 10, 8, 4, 14, 12, 10, 6, 0};
    uint32_t end = akin_draw_weighted(random, weights);
    add_styled_text(field, s, ends[end]);
    if (end == 11 || end == 12 || end == 13)
        akin_field_number(field, 1960 + akin_random_below(random, 45), 4);
    else
        akin_field_number(
            field, 1 + akin_random_below(random, 1 + akin_random_below(random, end >= 5 && end < 9 ? 20 : 4)), 1);
    if (end == 0 || end == 12 || end == 14)
        akin_field_put(field, ')');
    if (end == 3)
        akin_field_put(field, ']');
}

/* Works have a form, a number and a key, and movements a number and a tempo. */
static void add_work(akin_field *field, const style *s, akin_random *random)
{
    static const char *const forms[] = {"Symphony", "Concerto", "Sonata",  "String Quartet", "Suite", "Piano Concerto",
                                        "Mass",     "Sinfonia", "Quintet", "Partita",        "Trio",  "Prelude"};
    add_styled_text(field, s, forms[akin_random_below(random, 12)]);
    if (akin_draw_chance(random, 600)) {
        add_styled_text(field, s, akin_draw_chance(random, 500) ? " No. " : " No.");
        akin_field_number(field, 1 + akin_random_below(random, 30), 1);
    }
    if (akin_draw_chance(random, 600)) {
        add_styled_text(field, s, " in ");
        akin_field_put(field, 'A' + (uint32_t)akin_random_below(random, 7));
        add_styled_text(field, s, akin_draw_chance(random, 150) ? " flat" : "");
        add_styled_text(field, s, akin_draw_chance(random, 500) ? " major" : " minor");
    }
    if (akin_draw_chance(random, 300)) {
        add_styled_text(field, s, akin_draw_chance(random, 500) ? ", Op. " : " op.");
        akin_field_number(field, 1 + akin_random_below(random, 140), 1);
    }
}

static void add_movement(akin_field *field, const style *s, akin_random *random, uint32_t track)
{
    static const char *const numbers[] = {"I", "II", "III", "IV", "V", "VI"};
    static const char *const tempos[] = {"Allegro",  "Andante", "Adagio",    "Presto",    "Largo",    "Allegretto",
                                         "Menuetto", "Scherzo", "Rondo",     "Vivace",    "Finale",   "Moderato",
                                         "Lento",    "Gigue",   "Allemande", "Sarabande", "Courante", "Fuga"};
    static const char *const ways[] = {"",           " con brio", " ma non troppo", " assai",     " molto",
                                       " cantabile", " con moto", " vivace",        " sostenuto", " e maestoso"};
    add_styled_text(field, s, akin_draw_chance(random, 500) ? ": " : " - ");
    if (akin_draw_chance(random, 500)) {
        akin_field_add(field, numbers[(track + akin_random_below(random, 2)) % 6]);
        add_styled_text(field, s, ". ");
    }
    add_styled_text(field, s, tempos[akin_random_below(random, 18)]);
    add_styled_text(field, s, ways[akin_random_below(random, 10)]);
}

/* ----------------------------------------------------------------------------------------------------------- fields */

static void compose_title(akin_field *fields, const style *s, akin_random *random, int is_classical)
{
    akin_field *title = &fields[TITLE];
    uint64_t drawn = akin_random_below(random, 1000);
    if (drawn < 1)
        return;
    if (drawn < 58) {
        *title = fields[ARTIST];
    } else if (drawn < 71) {
        add_styled_text(title, s, stock[akin_draw_weighted(random, stock_weights)]);
        return;
    } else if (drawn < 87) {
        add_styled_text(title, s, drawn < 81 ? "The Best Of " : "Best Of ");
        for (uint32_t i = 0; i < fields[ARTIST].length; i++)
            akin_field_put(title, fields[ARTIST].symbols[i]);
    } else if (is_classical && drawn < 500) {
        add_name(title, &s->words->last, random, s->letters, 0);
        add_styled_text(title, s, akin_draw_chance(random, 500) ? ": " : " - ");
        add_work(title, s, random);
    } else {
        add_phrase(title, s, random, 1 + akin_draw_weighted(random, title_lengths));
    }
    if (akin_draw_chance(random, 185))
        add_title_end(title, s, random);
    if (akin_draw_chance(random, 30)) {
        add_styled_text(title, s, " - ");
        add_phrase(title, s, random, 1 + (uint32_t)akin_random_below(random, 4));
    }
}

/* What is added to tracks, in parentheses. */
static void add_track_end(akin_field *field, const style *s, akin_random *random)
{
    static const char *const ends[] = {" (Live)",     " (Remix)",    " (Reprise)",      " (Instrumental)",
                                       " [Live]",     " (Intro)",    " (Radio Edit)",   " (Bonus Track)",
                                       " (Acoustic)", " (Club Mix)", " (Extended Mix)", " (Original Mix)"};
    if (akin_draw_chance(random, 500)) {
        add_styled_text(field, s, ends[akin_random_below(random, 12)]);
        return;
    }
    add_styled_text(field, s, akin_draw_chance(random, 300) ? " (feat. " : " (");
    add_phrase(field, s, random, 1 + (uint32_t)akin_random_below(random, 4));
    add_styled_text(field, s, ")");
}

/* Names that are rather no names. */
static int add_no_name(akin_field *field, const style *s, akin_random *random, uint32_t track)
{
    static const char *const first[] = {"Intro", "Prelude", "Introduction", "Prologue", "Overture"};
    static const uint16_t weights[] = {111, 15, 14, 13, 12, 0};
    uint64_t drawn = akin_random_below(random, 10000);
    if (drawn < (track == 0 ? 190 : 0)) {
        add_styled_text(field, s, first[akin_draw_weighted(random, weights)]);
        return 1;
    }
    if (drawn < 200 || drawn > 209)
        return 0;
    if (drawn < 204)
        add_styled_text(field, s, akin_draw_chance(random, 500) ? "Track " : "Track");
    akin_field_number(field, track + 1, drawn & 1 ? 2 : 1);
    return 1;
}

static void compose_track(akin_field *fields, const style *s, akin_random *random, uint32_t track, int is_classical)
{
    akin_field *field = &fields[TRACKS + track];
    if (add_no_name(field, s, random, track))
        return;
    uint32_t like_title = track == 0 ? 52 : track < 6 ? 20 : 8;
    if (akin_draw_chance(random, like_title)) {
        *field = fields[TITLE];
        return;
    }
    if (akin_draw_chance(random, 15)) {
        akin_field_number(field, track + 1, 2);
        add_styled_text(field, s, akin_draw_chance(random, 500) ? " " : ". ");
    }
    if (s->has_artists) {
        add_some_artist(field, s, random);
        akin_field_add(field, s->between);
    }
    if (is_classical && akin_draw_chance(random, 550)) {
        add_work(field, s, random);
        add_movement(field, s, random, track);
        return;
    }
    add_phrase(field, s, random, 1 + akin_draw_weighted(random, track_lengths));
    if (akin_draw_chance(random, 75))
        add_track_end(field, s, random);
}

/* Ten at least; how many have more falls off steeply, and then one in 25 is of short pieces. */
static uint32_t draw_tracks(akin_random *random)
{
    static const uint16_t weights[] = {19, 126, 405, 250, 130, 22, 0};
    uint32_t more = akin_draw_weighted(random, weights);
    return more < 5 ? 10 + more : 15 + (uint32_t)akin_random_below(random, AKIN_RECORD_TRACKS - 14);
}

static void compose_artist(akin_field *field, style *s, akin_random *random)
{
    static const char *const various[] = {"Various", "Various Artists", "Varios", "Diverse", "Various artists", "V.A."};
    static const uint16_t weights[] = {590, 565, 34, 16, 12, 8, 0};
    int is_various = akin_draw_chance(random, 125);
    s->has_artists = akin_draw_chance(random, is_various ? 800 : 45);
    if (is_various)
        add_styled_text(field, s, various[akin_draw_weighted(random, weights)]);
    else
        add_some_artist(field, s, random);
}

/* Half of the years are not given; the others are of 1960 to 2003, the more frequent the later. */
static void compose_year(akin_field *field, akin_random *random)
{
    uint64_t ago = akin_random_below(random, 1 + akin_random_below(random, akin_draw_chance(random, 100) ? 44 : 30));
    if (akin_draw_chance(random, 536))
        akin_field_number(field, 2003 - ago, 4);
}

void akin_cds_compose(const akin_records_words *words, akin_random *random, uint32_t tracks, akin_field *fields)
{
    style s = draw_style(words, random);
    uint32_t category = akin_draw_weighted(random, category_weights), has = draw_tracks(random);
    int is_classical = category == CLASSICAL;
    compose_artist(&fields[ARTIST], &s, random);
    compose_title(fields, &s, random, is_classical);
    akin_field_add(&fields[CATEGORY], categories[category]);
    if (akin_draw_chance(random, 653))
        akin_field_add(&fields[GENRE], genres[akin_draw_weighted(random, genre_weights)]);
    compose_year(&fields[YEAR], random);
    for (uint32_t track = 0; track < tracks && track < has; track++)
        if (!akin_draw_chance(random, 1))
            compose_track(fields, &s, random, track, is_classical);
}

akin_status akin_cds_words(akin_records_words *words, akin_error *error)
{
    *words = (akin_records_words){0};
    akin_status status = akin_words_make(common_words, WORDS, 0.93, SEED, &words->common, error);
    if (status == AKIN_OK)
        status = akin_words_make(given_names, 3000, 0.9, SEED + 1, &words->given, error);
    if (status == AKIN_OK)
        status = akin_words_make(last_names, 60000, 0.75, SEED + 2, &words->last, error);
    return status == AKIN_OK ? akin_zipf_build(ARTISTS, 0.63, 0, &words->artists, error) : status;
}
