/*
 * Makes up records: who is whose duplicate, then batch by batch what they say.
 *
 * Originals are numbered, and those that have duplicates drawn, with how many; the list of all records is shuffled, and
 * rows are made in its order. What a row says follows from the seed and its place in that list alone: a duplicate is
 * composed as its original was, from the same random numbers, and modified with others of its own. So nothing but the
 * list is kept, and blocks of rows are made by threads, a few for each at a time, and handed on in order.
 */
#include "generate/records.h"

#include "base/annex.h"
#include "base/bits.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "table/strings.h"

#include <stdio.h>
#include <string.h>

AKIN_OPTIONS_END(akin_records_options, seed);

#define BLOCK_VALUES  8192 /* of its rows together */
#define BLOCKS        4    /* for a thread at a time */
#define COLUMNS       (1 + AKIN_RECORD_FIELDS)
#define COPIES_MOST   1000
#define MODIFIED_MOST 1000

static const akin_records_kind_row kinds[] = {
    {{"people", "", "names, address, date of birth, phone", AKIN_RECORDS_PEOPLE, AKIN_IS_DEFAULT},
     .names = {"given_name", "surname", "street_number", "address", "suburb", "postcode", "state", "date_of_birth",
               "phone"},
     .others = {1, 0, 5, 4, 3, 2, 6, 8, 7},
     .fields = AKIN_PEOPLE_FIELDS,
     .words = akin_people_words,
     .compose = akin_people_compose},
    {{"cd", "", "artist, title, category, genre, year, tracks", AKIN_RECORDS_CD, 0},
     .names = {"artist", "title", "category", "genre", "year"},
     .others = {1, 0, 3, 2, 4},
     .fields = AKIN_CD_FIELDS,
     .has_tracks = 1,
     .words = akin_cds_words,
     .compose = akin_cds_compose},
};
const akin_choice_table akin_records_kinds = AKIN_CHOICE_TABLE("kind of records", kinds);

/* Rows as they are made. */
typedef struct block {
    akin_strings columns[COLUMNS];
} block;

typedef struct generation {
    const akin_scope *scope;
    akin_records_options options;
    uint32_t weights[AKIN_MODIFICATIONS];
    uint64_t weight; /* of all */
    const akin_records_kind_row *kind;
    const akin_copies_row *distribution;
    uint32_t fields, block_rows;
    char tracks[AKIN_RECORD_TRACKS][8]; /* their names */
    uint32_t originals;
    uint32_t *copies;            /* of each original */
    akin_record_origin *records; /* in the order of their rows */
    akin_records_words words;
    akin_field *scratch; /* the fields of a record for each thread */
    block *blocks;
    uint64_t begin, end; /* the rows at hand */
    akin_records_sink sink;
    void *user;
} generation;

/* ----------------------------------------------------------------------------------------------------------- copies */

static uint64_t weigh_evenly(uint64_t before, uint32_t copies)
{
    (void)copies;
    return before;
}

static uint64_t weigh_by_poisson(uint64_t before, uint32_t copies)
{
    return before / copies;
}

static uint64_t weigh_by_zipf(uint64_t before, uint32_t copies)
{
    (void)before;
    return AKIN_COPIES_ONE / copies;
}

static const akin_copies_row distributions[] = {
    {{"uniform", "", "every number is as likely as any other", AKIN_COPIES_UNIFORM, 0}, weigh_evenly},
    {{"poisson", "", "the probability of K is proportional to 1 / K!", AKIN_COPIES_POISSON, AKIN_IS_DEFAULT},
     weigh_by_poisson},
    {{"zipf", "", "the probability of K is proportional to 1 / K", AKIN_COPIES_ZIPF, 0}, weigh_by_zipf},
};
const akin_choice_table akin_copies_ways = AKIN_CHOICE_TABLE("distribution of copies", distributions);

/* Makes a list of the weights of 1 to `most` copies, added up. */
static void sum_weights(const akin_copies_row *distribution, uint32_t most, uint64_t *sums)
{
    uint64_t weight = AKIN_COPIES_ONE, sum = 0;
    for (uint32_t k = 1; k <= most; k++) {
        weight = distribution->weight(weight, k);
        sum += weight;
        sums[k - 1] = sum;
    }
}

/* The numbers below `count`, shuffled. */
static void shuffle(akin_random *random, uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (uint32_t)akin_random_below(random, (uint64_t)i + 1);
        numbers[i] = numbers[j];
        numbers[j] = i;
    }
}

static void shuffle_records(akin_random *random, akin_record_origin *records, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)akin_random_below(random, i);
        akin_record_origin record = records[i - 1];
        records[i - 1] = records[j];
        records[j] = record;
    }
}

/* Deals the duplicates out to originals in the order of a list: to each as many as are drawn, and if any are left to
 * all that may have more. */
static void deal_copies(generation *g, akin_random *random, const uint32_t *order, const uint64_t *sums)
{
    uint32_t most = g->options.most_copies, left = g->options.rows - g->originals;
    for (uint32_t i = 0; i < g->originals && left > 0; i++) {
        uint64_t drawn = akin_random_below(random, sums[most - 1]);
        uint32_t count = 1;
        while (sums[count - 1] <= drawn)
            count++;
        count = count < left ? count : left;
        g->copies[order[i]] = count;
        left -= count;
    }
    for (uint32_t i = 0; left > 0; i++) {
        uint32_t *count = &g->copies[order[i]], more = most - *count;
        more = more < left ? more : left;
        *count += more;
        left -= more;
    }
}

/* Who is whose duplicate, and in which order they come. */
static akin_status plan_duplicates(generation *g, akin_error *error)
{
    uint64_t sums[COPIES_MOST] = {0};
    akin_random random;
    uint32_t next = 0;
    g->copies = akin_alloc_zero(NULL, g->originals, sizeof *g->copies);
    g->records = akin_alloc(NULL, g->options.rows, sizeof *g->records);
    if (!g->copies || !g->records)
        return akin_fail_memory(error, "made-up records");
    akin_random_seed(&random, g->options.seed);
    sum_weights(g->distribution, g->options.most_copies, sums);
    uint32_t *order = (uint32_t *)(void *)g->records; /* there is room before the records come */
    shuffle(&random, order, g->originals);
    deal_copies(g, &random, order, sums);
    for (uint32_t i = 0; i < g->originals; i++)
        g->records[next++] = (akin_record_origin){i, 0};
    for (uint32_t i = 0; i < g->originals; i++)
        for (uint32_t copy = 1; copy <= g->copies[i]; copy++)
            g->records[next++] = (akin_record_origin){i, copy};
    if (g->options.linked) {
        shuffle_records(&random, g->records, g->originals);
        shuffle_records(&random, g->records + g->originals, g->options.rows - g->originals);
    } else {
        shuffle_records(&random, g->records, g->options.rows);
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* The sequence of random numbers of a record. The factors are odd, so that no two records share a seed. */
static void seed_record(const generation *g, const akin_record_origin *record, akin_random *random)
{
    akin_random_seed(random, g->options.seed);
    uint64_t salt = akin_random_next(random), name = (uint64_t)record->copy << 32 | record->original;
    akin_random_seed(random, salt ^ name * UINT64_C(0xd6e8feb86659fd93));
}

static uint32_t draw_modification(const generation *g, akin_random *random)
{
    uint64_t at = akin_random_below(random, g->weight);
    uint32_t drawn = 0;
    for (; at >= g->weights[drawn]; drawn++)
        at -= g->weights[drawn];
    return drawn;
}

/* The field that one is mistaken for: of tracks the other one of two. The last of an odd number, like others that are
 * mistaken for none, is so for itself, with which nothing is exchanged. */
static uint32_t mistaken_for(const generation *g, uint32_t at)
{
    uint32_t own = g->kind->fields;
    if (at < own)
        return g->kind->others[at];
    uint32_t other = own + ((at - own) ^ 1);
    return other < g->fields ? other : at;
}

/* Some modifications do nothing to some values: it is tried again then, for some time. */
static void modify(const generation *g, akin_random *random, akin_field *fields)
{
    uint32_t counts[AKIN_RECORD_FIELDS] = {0};
    uint64_t wanted = 1 + akin_random_below(random, g->options.record_modifications);
    for (uint64_t tries = 20 * wanted; tries > 0 && wanted > 0; tries--) {
        uint32_t at = (uint32_t)akin_random_below(random, g->fields), modification = draw_modification(g, random);
        if (counts[at] == g->options.field_modifications ||
            !akin_record_modify(fields, at, mistaken_for(g, at), modification, random))
            continue;
        counts[at]++;
        wanted--;
    }
}

static void compose(const generation *g, const akin_record_origin *record, akin_field *fields)
{
    akin_random random;
    seed_record(g, &(akin_record_origin){record->original, 0}, &random);
    for (uint32_t i = 0; i < g->fields; i++)
        fields[i].length = 0;
    g->kind->compose(&g->words, &random, g->options.tracks, fields);
    if (record->copy == 0)
        return;
    seed_record(g, record, &random);
    modify(g, &random, fields);
}

/* Symbols are below 2048, of two bytes at most. */
static akin_status write_field(akin_strings *to, const akin_field *field)
{
    char text[2 * AKIN_FIELD_LONGEST + AKIN_STRINGS_PIECE];
    size_t length = 0;
    memset(text, 0, AKIN_STRINGS_PIECE);
    for (uint32_t i = 0; i < field->length; i++) {
        uint32_t symbol = field->symbols[i];
        if (symbol >= 0x80) {
            text[length++] = (char)(0xc0 | symbol >> 6);
            symbol = 0x80 | (symbol & 0x3f);
        }
        text[length++] = (char)symbol;
    }
    return akin_strings_add(to, text, length);
}

static akin_status write_id(akin_strings *to, const akin_record_origin *record)
{
    char text[40 + AKIN_STRINGS_PIECE] = "";
    int length = record->copy == 0 ? snprintf(text, 40, "rec-%u-org", record->original)
                                   : snprintf(text, 40, "rec-%u-dup-%u", record->original, record->copy - 1);
    return akin_strings_add(to, text, (size_t)length);
}

static void empty(block *b)
{
    for (uint32_t i = 0; i < COLUMNS; i++)
        b->columns[i].rows = b->columns[i].length = 0;
}

static akin_status make_block(void *argument, uint64_t task, uint32_t thread)
{
    generation *g = argument;
    block *b = &g->blocks[task];
    akin_field *fields = g->scratch + (size_t)thread * AKIN_RECORD_FIELDS;
    uint64_t begin = g->begin + task * g->block_rows, end = akin_min_u64(begin + g->block_rows, g->end);
    akin_status status = AKIN_OK;
    empty(b);
    for (uint64_t row = begin; row < end && status == AKIN_OK; row++) {
        compose(g, &g->records[row], fields);
        status = write_id(&b->columns[0], &g->records[row]);
        for (uint32_t i = 0; i < g->fields && status == AKIN_OK; i++)
            status = write_field(&b->columns[i + 1], &fields[i]);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- batches */

static const char *name_of_column(const generation *g, uint32_t column)
{
    uint32_t own = g->kind->fields;
    return column == 0 ? "id" : column > own ? g->tracks[column - own - 1] : g->kind->names[column - 1];
}

/* Hands on rows that have been made. */
static akin_status deliver_rows(const generation *g, akin_records_table table, uint64_t first, const block *b,
                                const akin_record_origin *origins, akin_error *error)
{
    static const char *const sides[] = {"left", "right"};
    static const uint64_t nothing[1] = {0};
    akin_column columns[COLUMNS];
    akin_records_batch batch = {
        .size = sizeof batch, .table = table, .first = first, .columns = columns, .origins = origins};
    batch.rows = (uint32_t)b->columns[0].rows;
    batch.column_count = origins ? 1 + g->fields : 2;
    for (uint32_t i = 0; i < batch.column_count; i++) {
        const akin_strings *strings = &b->columns[i];
        columns[i] = (akin_column){.size = sizeof columns[i], .name = origins ? name_of_column(g, i) : sides[i]};
        columns[i].offsets = strings->offsets ? strings->offsets : nothing;
        columns[i].bytes = strings->bytes ? strings->bytes : "";
    }
    return g->sink(g->user, &batch) == 0 ? AKIN_OK
                                         : akin_fail(error, AKIN_E_CANCELLED, "cancelled by the sink of records");
}

/* Makes the rows from `begin` on, and hands them on as a table. */
static akin_status make_table(generation *g, akin_records_table table, uint32_t begin, uint32_t end, akin_error *error)
{
    uint64_t round = (uint64_t)g->scope->threads * BLOCKS * g->block_rows;
    akin_status status = AKIN_OK;
    g->begin = begin;
    do {
        g->end = akin_min_u64(g->begin + round, end);
        uint64_t blocks = akin_ceil_div(g->end - g->begin, g->block_rows);
        status = akin_scope_report(g->scope, "generating", g->begin, g->options.rows);
        if (status == AKIN_OK)
            status = akin_parallel(g->scope, NULL, blocks, make_block, g);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, "made-up records");
        if (blocks == 0)
            empty(g->blocks);
        for (uint64_t i = 0; i < akin_max_u64(blocks, 1) && status == AKIN_OK; i++) {
            uint64_t first = g->begin + i * g->block_rows;
            status = deliver_rows(g, table, first - begin, &g->blocks[i], g->records + first, error);
        }
        g->begin = g->end;
    } while (g->begin < end && status == AKIN_OK);
    return status;
}

/* The pairs of the records of each original, in the order of the originals. */
static akin_status make_gold(generation *g, akin_error *error)
{
    block *b = g->blocks;
    uint64_t first = 0;
    akin_status status = AKIN_OK;
    empty(b);
    for (uint32_t original = 0; original < g->originals; original++)
        for (uint32_t left = 0; left < (g->options.linked ? 1 : g->copies[original]); left++)
            for (uint32_t right = left + 1; right <= g->copies[original]; right++) {
                status = write_id(&b->columns[0], &(akin_record_origin){original, left});
                if (status == AKIN_OK)
                    status = write_id(&b->columns[1], &(akin_record_origin){original, right});
                if (status != AKIN_OK)
                    return akin_fail_stopped(error, status, "made-up records");
                if (b->columns[0].rows < BLOCK_VALUES / 2)
                    continue;
                status = deliver_rows(g, AKIN_RECORDS_GOLD, first, b, NULL, error);
                if (status == AKIN_OK && akin_scope_report(g->scope, NULL, 0, 0) != AKIN_OK)
                    status = akin_fail_stopped(error, AKIN_E_CANCELLED, "made-up records");
                if (status != AKIN_OK)
                    return status;
                first += BLOCK_VALUES / 2;
                empty(b);
            }
    return b->columns[0].rows > 0 || first == 0 ? deliver_rows(g, AKIN_RECORDS_GOLD, first, b, NULL, error) : AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- options */

static akin_status check_records_options(const akin_records_options *o, akin_error *error)
{
    if (!akin_choice_of(&akin_records_kinds, (int)o->kind))
        return akin_fail(error, AKIN_E_OPTION, "kind %d is none of those there are", (int)o->kind);
    if (!(o->duplicates >= 0 && o->duplicates < 1))
        return akin_fail_option(error, AKIN_REASON_NONE, "duplicates", " is %g; expected 0 to below 1", o->duplicates);
    if (!akin_choice_of(&akin_copies_ways, (int)o->copies))
        return akin_fail(error, AKIN_E_OPTION, "copies %d is none of the distributions there are", (int)o->copies);
    if (o->most_copies < 1 || o->most_copies > COPIES_MOST)
        return akin_fail_option(error, AKIN_REASON_NONE, "most_copies", " is %u; expected 1 to %d", o->most_copies,
                                COPIES_MOST);
    if (o->field_modifications < 1 || o->record_modifications < 1 || o->field_modifications > MODIFIED_MOST ||
        o->record_modifications > MODIFIED_MOST)
        return akin_fail(error, AKIN_E_OPTION,
                         "field_modifications is %u and record_modifications %u; expected 1 to %d",
                         o->field_modifications, o->record_modifications, MODIFIED_MOST);
    if (o->tracks > AKIN_RECORD_TRACKS)
        return akin_fail_option(error, AKIN_REASON_NONE, "tracks", " is %u; expected at most %d", o->tracks,
                                AKIN_RECORD_TRACKS);
    if (o->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_records_options: reserved is %u; expected 0", o->reserved);
    return AKIN_OK;
}

static akin_status take_weights(generation *g, akin_error *error)
{
    static const uint32_t usual[AKIN_MODIFICATIONS] = AKIN_MODIFICATIONS_INIT;
    const akin_records_options *o = &g->options;
    if (o->weights && o->weight_count > AKIN_MODIFICATIONS)
        return akin_fail_option(error, AKIN_REASON_NONE, "weight_count", " is %u; expected at most %d", o->weight_count,
                                AKIN_MODIFICATIONS);
    for (uint32_t i = 0; i < AKIN_MODIFICATIONS; i++) {
        g->weights[i] = !o->weights ? usual[i] : i < o->weight_count ? o->weights[i] : 0;
        g->weight += g->weights[i];
    }
    return g->weight > 0 ? AKIN_OK : akin_fail(error, AKIN_E_OPTION, "the weights of all modifications are 0");
}

/* How many are originals; the share is rounded, and one at least is left. */
static akin_status count_originals(generation *g, akin_error *error)
{
    uint32_t rows = g->options.rows, copies = (uint32_t)(rows * g->options.duplicates + 0.5);
    copies = copies < rows ? copies : rows - (rows > 0);
    g->originals = rows - copies;
    if ((uint64_t)g->originals * g->options.most_copies < copies)
        return akin_fail(
            error, AKIN_E_OPTION,
            "%u duplicates are more than %u for each of the others, which are %u; expected fewer, or more for each",
            copies, g->options.most_copies, g->originals);
    return AKIN_OK;
}

static akin_status begin_records(generation *g, akin_error *error)
{
    uint64_t threads = g->scope->threads;
    g->kind = (const akin_records_kind_row *)akin_choice_of(&akin_records_kinds, (int)g->options.kind);
    g->distribution = (const akin_copies_row *)akin_choice_of(&akin_copies_ways, (int)g->options.copies);
    g->fields = g->kind->fields + (g->kind->has_tracks ? g->options.tracks : 0);
    g->block_rows = BLOCK_VALUES / (1 + g->fields);
    for (uint32_t i = 0; i < AKIN_RECORD_TRACKS; i++)
        snprintf(g->tracks[i], sizeof g->tracks[i], "track%02u", i + 1);
    g->scratch = akin_alloc(NULL, threads * AKIN_RECORD_FIELDS, sizeof *g->scratch);
    g->blocks = akin_alloc_zero(NULL, threads * BLOCKS, sizeof *g->blocks);
    if (!g->scratch || !g->blocks)
        return akin_fail_memory(error, "made-up records");
    akin_status status = g->kind->words(&g->words, error);
    return status == AKIN_OK ? plan_duplicates(g, error) : status;
}

static void clear_records(generation *g)
{
    for (uint64_t i = 0; g->blocks && i < (uint64_t)g->scope->threads * BLOCKS; i++)
        for (uint32_t c = 0; c < COLUMNS; c++)
            akin_strings_clear(&g->blocks[i].columns[c]);
    akin_free(g->blocks);
    akin_free(g->scratch);
    akin_free(g->copies);
    akin_free(g->records);
    akin_words_clear(&g->words.common);
    akin_words_clear(&g->words.given);
    akin_words_clear(&g->words.last);
    akin_words_clear(&g->words.places);
    akin_zipf_clear(&g->words.artists);
}

akin_status akin_records_generate(akin_context *context, const akin_records_options *options, akin_records_sink sink,
                                  void *user, akin_error *error)
{
    generation g = {.scope = akin_scope_of(context), .options = AKIN_RECORDS_OPTIONS_INIT, .sink = sink, .user = user};
    akin_status status = akin_annex_check(AKIN_VERSION_STRING, error);
    if (status == AKIN_OK)
        status =
            akin_options_read(options, &g.options, sizeof g.options, sizeof g.options, "akin_records_options", error);
    if (status == AKIN_OK)
        status = check_records_options(&g.options, error);
    if (status == AKIN_OK)
        status = take_weights(&g, error);
    if (status == AKIN_OK)
        status = count_originals(&g, error);
    if (status == AKIN_OK)
        status = begin_records(&g, error);
    uint32_t rows = g.options.rows, first = g.options.linked ? g.originals : rows;
    if (status == AKIN_OK)
        status = make_table(&g, AKIN_RECORDS_TABLE, 0, first, error);
    if (status == AKIN_OK && g.options.linked)
        status = make_table(&g, AKIN_RECORDS_SECOND_TABLE, first, rows, error);
    if (status == AKIN_OK)
        status = make_gold(&g, error);
    clear_records(&g);
    return status;
}
