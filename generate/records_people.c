/*
 * People, as registers have them: given name, surname, street number, address, suburb, postcode, state, date of birth
 * and phone, the fields of Febrl's generator (P. Christen, Probabilistic Data Generation for Deduplication and Data
 * Linkage, IDEAL 2005). A suburb has a postcode and a state of its own, and a state its area code. Words are our own.
 */
#include "generate/records.h"

#define SEED    0x50656f70u /* of words and suburbs, which are the same in every collection */
#define SUBURBS 9000

enum { GIVEN, LAST, NUMBER, ADDRESS, SUBURB, POSTCODE, STATE, BORN, PHONE };

static const char given_names[] =
    "jack emily joshua sophie thomas jessica lachlan olivia james chloe benjamin georgia william sarah daniel isabella "
    "ethan "
    "emma samuel grace nicholas hannah matthew ella alexander charlotte ryan lucy jacob mia harrison ruby luke madison "
    "liam "
    "amelia michael zoe isaac lily dylan jasmine max alice oliver lara connor maya callum holly caleb eliza henry "
    "abbey john "
    "imogen mary peter anna paul ruth david helen robert joan george jean frank betty walter edith ernest doris arthur "
    "elsie "
    "harold vera albert ivy stanley rose alan nina bruno carla ivan petra omar leila hugo clara felix nora simon tessa";

static const char last_names[] =
    "smith jones williams brown wilson taylor white martin clarke green campbell ryan nguyen harris walker king "
    "thompson lee "
    "kelly robinson edwards hall wright young mitchell hill turner scott baker roberts clark lewis phillips morris "
    "parker evans "
    "wood cook collins carter watson bennett stewart murphy bailey cooper reid gray webb dixon hunt palmer mason "
    "knight "
    "marshall stone chapman ward fox rose field lane brooks marsh ford wells barnes grant bishop holmes shaw west hart "
    "lowe";

static const char street_names[] =
    "high station church park main mill school king queen victoria george william albert elizabeth river hill bridge "
    "lake "
    "forest garden orchard meadow valley view ocean beach harbour railway market castle chapel college spring willow "
    "cedar "
    "maple birch ash elm oak pine wattle banksia acacia grevillea bottlebrush magpie kestrel falcon heron swan eagle "
    "robin "
    "wren cooper mason weaver fletcher potter smith baker turner miller shepherd hunter fisher archer gardener carter";

static const char *const kinds[] = {"street", "place",   "road",    "crescent", "avenue", "court", "drive",
                                    "close",  "circuit", "terrace", "parade",   "way",    "lane",  "grove"};
static const uint16_t kind_weights[] = {250, 190, 70, 130, 60, 50, 50, 40, 60, 20, 12, 12, 10, 8, 0};

/* States, and where their postcodes and phone numbers begin. */
static const struct {
    const char *name;
    uint16_t postcode;
    uint8_t area;
} states[] = {{"nsw", 2000, 2}, {"vic", 3000, 3}, {"qld", 4000, 7}, {"wa", 6000, 8},
              {"sa", 5000, 8},  {"tas", 7000, 3}, {"act", 2600, 2}, {"nt", 800, 8}};
static const uint16_t state_weights[] = {345, 270, 165, 90, 80, 25, 16, 9, 0};

/* Drawn from a suburb's own sequence: its name, then where it is. */
static uint32_t compose_suburb(const akin_records_words *words, akin_random *random, akin_field *fields)
{
    static const char *const ends[] = {" north", " south", " east", " west", " heights", " beach", " park", " vale"};
    const akin_words *places = &words->places;
    uint32_t suburb = akin_zipf_draw(&places->zipf, random);
    akin_random own;
    akin_random_seed(&own, (uint64_t)SEED << 32 | suburb);
    uint32_t state = akin_draw_weighted(&own, state_weights);
    if (akin_draw_chance(&own, 40))
        akin_field_add(&fields[SUBURB], akin_draw_chance(&own, 500) ? "mount " : "port ");
    akin_field_word(&fields[SUBURB], places, suburb, AKIN_CASE_LOWER, 0);
    if (akin_draw_chance(&own, 160))
        akin_field_add(&fields[SUBURB], ends[akin_random_below(&own, 8)]);
    akin_field_number(&fields[POSTCODE], states[state].postcode + akin_random_below(&own, state > 5 ? 100 : 600), 4);
    akin_field_add(&fields[STATE], states[state].name);
    return state;
}

static void compose_address(const akin_records_words *words, akin_random *random, akin_field *fields)
{
    uint64_t most = 1 + akin_random_below(random, akin_draw_chance(random, 150) ? 400 : 90);
    if (!akin_draw_chance(random, 50))
        akin_field_number(&fields[NUMBER], 1 + akin_random_below(random, most), 1);
    if (akin_draw_chance(random, 20))
        return;
    akin_field_word(&fields[ADDRESS], &words->common, akin_zipf_draw(&words->common.zipf, random), AKIN_CASE_LOWER, 0);
    akin_field_put(&fields[ADDRESS], ' ');
    akin_field_add(&fields[ADDRESS], kinds[akin_draw_weighted(random, kind_weights)]);
}

/* Ages are spread evenly up to 60, and thin out up to 95. */
static void compose_date(akin_random *random, akin_field *field)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    uint64_t age = akin_random_below(random, 60), month = akin_random_below(random, 12);
    if (akin_draw_chance(random, 200))
        age += akin_random_below(random, 36);
    akin_field_number(field, 2005 - age, 4);
    akin_field_put(field, '-');
    akin_field_number(field, 1 + month, 2);
    akin_field_put(field, '-');
    akin_field_number(field, 1 + akin_random_below(random, days[month]), 2);
}

static void compose_phone(akin_random *random, uint32_t state, akin_field *field)
{
    int is_mobile = akin_draw_chance(random, 300);
    akin_field_number(field, is_mobile ? 4 : states[state].area, 2);
    akin_field_put(field, ' ');
    akin_field_number(field, akin_random_below(random, 10000), 4);
    akin_field_put(field, ' ');
    akin_field_number(field, akin_random_below(random, 10000), 4);
}

void akin_people_compose(const akin_records_words *words, akin_random *random, uint32_t tracks, akin_field *fields)
{
    (void)tracks;
    if (!akin_draw_chance(random, 20))
        akin_field_word(&fields[GIVEN], &words->given, akin_zipf_draw(&words->given.zipf, random), AKIN_CASE_LOWER, 0);
    if (!akin_draw_chance(random, 10))
        akin_field_word(&fields[LAST], &words->last, akin_zipf_draw(&words->last.zipf, random), AKIN_CASE_LOWER, 0);
    compose_address(words, random, fields);
    uint32_t state = compose_suburb(words, random, fields);
    if (!akin_draw_chance(random, 30))
        compose_date(random, &fields[BORN]);
    if (!akin_draw_chance(random, 60))
        compose_phone(random, state, &fields[PHONE]);
}

akin_status akin_people_words(akin_records_words *words, akin_error *error)
{
    *words = (akin_records_words){0};
    akin_status status = akin_words_make(street_names, 20000, 0.6, SEED, &words->common, error);
    if (status == AKIN_OK)
        status = akin_words_make(given_names, 4000, 0.9, SEED + 1, &words->given, error);
    if (status == AKIN_OK)
        status = akin_words_make(last_names, 60000, 0.75, SEED + 2, &words->last, error);
    return status == AKIN_OK ? akin_words_make("", SUBURBS, 0.6, SEED + 3, &words->places, error) : status;
}
