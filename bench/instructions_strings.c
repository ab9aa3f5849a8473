/* The inner loops of strings, for instructions_bench.c: 64 texts of about one length, 26 letters, no bound. */
#include "instructions.h"

#include "strings/scan.h"

#include <stdlib.h>
#include <string.h>

enum { TEXTS = 64, LONGEST = 128, MOST = TEXTS * LONGEST, BAGS = 4096, NONE = 1024 };

static struct strings {
    uint8_t symbols[MOST + AKIN_BATCH_PAD], patterns[TEXTS][LONGEST];
    uint64_t at[TEXTS + AKIN_LANES];
    uint32_t lengths[TEXTS + AKIN_LANES], rows[TEXTS], bound[TEXTS + AKIN_LANES];
    akin_lanes_pair pairs[TEXTS];
    uint16_t order[TEXTS];
    union {
        uint32_t edits[TEXTS + 2 * AKIN_LANES];
        akin_jaro jaro[TEXTS + 2 * AKIN_LANES];
    } results;
    _Alignas(AKIN_LANES_ALIGN) uint8_t room[AKIN_LANES_ROOM];
    uint32_t noted[LONGEST];
    uint64_t bags[AKIN_BAG_WORDS][BAGS];
    akin_counts counts[BAGS];
    uint32_t heads[BAGS], places[BAGS], passed[BAGS + 16];
    uint32_t out[4][BAGS + 16];
    uint64_t begins[BAGS + 16];
    uint8_t prefixes[BAGS + 16];
    float rests[BAGS + 16];
} strings;

static uint32_t draw(uint32_t below)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

void fill_strings(void)
{
    for (uint32_t i = 0; i < MOST; i++) {
        strings.symbols[i] = (uint8_t)draw(26);
        strings.patterns[i / LONGEST][i % LONGEST] = (uint8_t)draw(26);
    }
    for (uint32_t i = 0; i < BAGS; i++) {
        for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
            strings.bags[w][i] = (uint64_t)draw(1u << 31) << 32 | draw(1u << 31);
        strings.places[i] = i;
        strings.heads[i] = draw(1u << 31);
        strings.counts[i].of[i % AKIN_COUNTS_KINDS] = 20;
    }
}

/* Texts and patterns whose lengths are about this one, a tenth more or less, ascending. */
static void set_lengths(uint32_t length)
{
    for (uint32_t i = 0; i < TEXTS + AKIN_LANES; i++) {
        const uint32_t of = i < TEXTS ? i : TEXTS - 1;
        strings.at[i] = (uint64_t)of * LONGEST;
        strings.lengths[i] = length - length / 10 + of * (length / 5) / TEXTS;
        strings.bound[i] = NONE;
    }
    for (uint32_t i = 0; i < TEXTS; i++) {
        strings.rows[i] = strings.lengths[draw(TEXTS)];
        strings.order[i] = (uint16_t)i;
        strings.pairs[i] = (akin_lanes_pair){strings.patterns[i], strings.symbols + strings.at[i], strings.rows[i],
                                             strings.lengths[i]};
    }
}

/* Compares a text with a pattern that is set. */
static void compare_text(akin_pattern *pattern, uint32_t i, int is_jaro, int swaps)
{
    const akin_symbols text = {.bytes = strings.symbols + strings.at[i], .length = strings.lengths[i]};
    if (is_jaro)
        strings.results.jaro[i] = akin_jaro_of(pattern, &text, strings.noted);
    else
        strings.results.edits[i] = (swaps ? akin_osa : akin_levenshtein)(pattern, &text, NONE);
}

/* A pattern and all texts. */
static void one(akin_cpu cpu, uint32_t length, int is_jaro, int swaps)
{
    const akin_lanes *lanes = akin_lanes_choose(cpu);
    set_lengths(length);
    const akin_lanes_job job = {.symbols = strings.symbols,
                                .at = strings.at,
                                .lengths = strings.lengths,
                                .count = TEXTS,
                                .pattern = strings.patterns[0],
                                .length = length,
                                .bound = strings.bound,
                                .room = strings.room};
    const akin_symbols own = {.bytes = strings.patterns[0], .length = length};
    akin_pattern pattern = {.account = NULL};
    if (lanes && is_jaro)
        lanes->jaro(&job, strings.results.jaro);
    else if (lanes)
        (swaps ? lanes->osa : lanes->levenshtein)(&job, strings.results.edits);
    else if (akin_pattern_set(&pattern, &own))
        for (uint32_t i = 0; i < TEXTS; i++)
            compare_text(&pattern, i, is_jaro, swaps);
    akin_pattern_clear(&pattern);
}

/* Each text and a pattern of its own. */
static void pairs(akin_cpu cpu, uint32_t length, int is_jaro, int swaps)
{
    const akin_lanes *lanes = akin_lanes_choose(cpu);
    akin_pattern pattern = {.account = NULL};
    set_lengths(length);
    const akin_lanes_pairs all = {.pairs = strings.pairs,
                                  .order = strings.order,
                                  .count = TEXTS,
                                  .rows = strings.lengths[TEXTS - 1],
                                  .room = strings.room};
    if (lanes && is_jaro)
        lanes->jaro_pairs(&all, strings.results.jaro);
    else if (lanes)
        (swaps ? lanes->osa_pairs : lanes->levenshtein_pairs)(&all, strings.results.edits);
    for (uint32_t i = 0; i < TEXTS && !lanes; i++) {
        const akin_symbols own = {.bytes = strings.patterns[i], .length = strings.rows[i]};
        if (akin_pattern_set(&pattern, &own))
            compare_text(&pattern, i, is_jaro, swaps);
    }
    akin_pattern_clear(&pattern);
}

#define LOOP(name, of, length, is_jaro, swaps)                                                                         \
    static void name(akin_cpu cpu)                                                                                     \
    {                                                                                                                  \
        of(cpu, length, is_jaro, swaps);                                                                               \
    }

LOOP(one_levenshtein_20, one, 20, 0, 0)
LOOP(one_levenshtein_48, one, 48, 0, 0)
LOOP(one_levenshtein_100, one, 100, 0, 0)
LOOP(one_osa_20, one, 20, 0, 1)
LOOP(one_jaro_20, one, 20, 1, 0)
LOOP(one_jaro_48, one, 48, 1, 0)
LOOP(pairs_levenshtein_12, pairs, 12, 0, 0)
LOOP(pairs_levenshtein_20, pairs, 20, 0, 0)
LOOP(pairs_levenshtein_48, pairs, 48, 0, 0)
LOOP(pairs_levenshtein_100, pairs, 100, 0, 0)
LOOP(pairs_osa_20, pairs, 20, 0, 1)
LOOP(pairs_jaro_20, pairs, 20, 1, 0)
LOOP(pairs_jaro_48, pairs, 48, 1, 0)

static void screen(akin_cpu cpu, int by_prefix)
{
    akin_bag_strip strip = {.heads = strings.heads, .count = BAGS};
    akin_bag_query query = {.by_prefix = by_prefix, .limit = {20, 20, 20, 20, 20}};
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
        strip.bags[w] = strings.bags[w];
    akin_bag_screen_choose(cpu)(&strip, &query, strings.passed);
}

static void screen_bags(akin_cpu cpu)
{
    screen(cpu, 0);
}

static void screen_bags_by_prefix(akin_cpu cpu)
{
    screen(cpu, 1);
}

static void compare_counts(akin_cpu cpu)
{
    akin_counts_compare_choose(cpu)(strings.counts, &strings.counts[7], strings.places, BAGS, strings.out[0]);
}

static void sift(akin_cpu cpu)
{
    const akin_scan_limits limits = {.apart = {0}};
    const akin_scan_passed passed = {.places = strings.places,
                                     .heads = strings.heads,
                                     .count = BAGS,
                                     .by_prefix = 1,
                                     .limits = &limits,
                                     .length = 20,
                                     .place = strings.out[0],
                                     .runs = strings.out[1],
                                     .lengths = strings.out[2],
                                     .bound = strings.out[3],
                                     .at = strings.begins,
                                     .prefix = strings.prefixes,
                                     .rest = strings.rests};
    akin_scan_sift_choose(cpu)(&passed);
}

const struct loop loops_of_strings[] = {
    {"screen-bags", screen_bags, BAGS, "bag of a string"},
    {"screen-prefix", screen_bags_by_prefix, BAGS, "bag, and its first symbols"},
    {"compare-counts", compare_counts, BAGS, "string's counts of symbols"},
    {"sift", sift, BAGS, "candidate"},
    {"one-lev-20", one_levenshtein_20, TEXTS, "text and query, 20 symbols, Levenshtein"},
    {"one-lev-48", one_levenshtein_48, TEXTS, "the same, 48 symbols"},
    {"one-lev-100", one_levenshtein_100, TEXTS, "the same, 100 symbols"},
    {"one-osa-20", one_osa_20, TEXTS, "text and query, 20 symbols, OSA"},
    {"one-jaro-20", one_jaro_20, TEXTS, "text and query, 20 symbols, Jaro"},
    {"one-jaro-48", one_jaro_48, TEXTS, "the same, 48 symbols"},
    {"pairs-lev-12", pairs_levenshtein_12, TEXTS, "pair, 12 symbols, Levenshtein"},
    {"pairs-lev-20", pairs_levenshtein_20, TEXTS, "the same, 20 symbols"},
    {"pairs-lev-48", pairs_levenshtein_48, TEXTS, "the same, 48 symbols"},
    {"pairs-lev-100", pairs_levenshtein_100, TEXTS, "the same, 100 symbols"},
    {"pairs-osa-20", pairs_osa_20, TEXTS, "pair, 20 symbols, OSA"},
    {"pairs-jaro-20", pairs_jaro_20, TEXTS, "pair, 20 symbols, Jaro"},
    {"pairs-jaro-48", pairs_jaro_48, TEXTS, "the same, 48 symbols"},
    {NULL, NULL, 0, NULL},
};
