/*
 * Runs one inner loop of the library at one SIMD level: what an emulator counts the instructions of, where no CPU of
 * an architecture is at hand (bench/instructions.sh).
 *
 *     instructions_bench                          lists the loops, and for each its items: what one run deals with
 *     instructions_bench LOOP LEVEL REPEATS       runs one
 */
#define _POSIX_C_SOURCE 200809L

#include "instructions.h"

#include "search/apart.h"
#include "search/nearest_bounds.h"
#include "search/scan.h"
#include "sets/ids.h"
#include "sets/sweep.h"
#include "signature/family.h"
#include "signature/screen.h"
#include "table/json.h"
#include "table/marks.h"
#include "table/utf8.h"
#include "text/normal.h"
#include "weigh/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES = 8192,
    TESTS = 8,
    BITMAPS = 31,
    GROUPS = 32,
    PROBES = 4,
    VECTORS = 8,
    FUNCTIONS = 64,
    TERMS = 256,
    PARTS = 16
};

/* What the loops read: whatever is in it, the loops go through all of it. */
static struct room {
    _Alignas(64) uint8_t bytes[2 * BYTES];
    _Alignas(64) uint8_t more[2 * BYTES];
    _Alignas(64) uint64_t words[32 * GROUPS * AKIN_SCREEN_GROUP], hits[PROBES * AKIN_SCREEN_WORDS];
    char text[BYTES + 64], copy[BYTES + 64], numbers[BYTES + 64];
    float vectors[BYTES];
    uint32_t values[BYTES];
} room;

static double sink; /* so that what is computed is of use */

static void screen(akin_cpu cpu, uint32_t bits, int refines)
{
    const int64_t limits[PROBES] = {1, 1, 1, 1};
    const akin_screen_block block = {.probes = room.words + 8,
                                     .probe_count = PROBES,
                                     .strip = room.words,
                                     .groups = GROUPS,
                                     .limits = limits,
                                     .hits = room.hits};
    for (uint32_t p = 0; p < PROBES && refines; p++)
        memset(room.hits + p * AKIN_SCREEN_WORDS, 1, GROUPS); /* a hit in each group */
    (refines ? akin_refine_choose : akin_screen_choose)(cpu, bits)(&block);
}

static void screen_64(akin_cpu cpu)
{
    screen(cpu, 64, 0);
}

static void screen_256(akin_cpu cpu)
{
    screen(cpu, 256, 0);
}

static void screen_2048(akin_cpu cpu)
{
    screen(cpu, 2048, 0);
}

static void refine_2048(akin_cpu cpu)
{
    screen(cpu, 2048, 1);
}

static void hamming_2048(akin_cpu cpu)
{
    sink += akin_hamming_choose(cpu)(room.words, room.words + 32, 32);
}

static void scan(akin_cpu cpu, int narrow)
{
    akin_scan_test tests[TESTS];
    for (int t = 0; t < TESTS; t++)
        tests[t] = (akin_scan_test){room.bytes, 3, 20, 1};
    const akin_scan_job job = {
        .tests = tests, .narrow = narrow ? TESTS : 0, .count = TESTS, .end = AKIN_SCAN_BLOCK, .counts = room.more};
    akin_scan_choose(cpu)(&job);
}

static void scan_narrow(akin_cpu cpu)
{
    scan(cpu, 1);
}

static void scan_wide(akin_cpu cpu)
{
    scan(cpu, 0);
}

static void sweep_groups(akin_cpu cpu)
{
    akin_sweep_bits bits[BITMAPS];
    for (int b = 0; b < BITMAPS; b++)
        bits[b] = (akin_sweep_bits){(const uint16_t *)(const void *)room.words, 1};
    sink += akin_sweep_choose(cpu)->add_groups(room.more, AKIN_SWEEP_PLACES, bits, BITMAPS);
}

static void sweep_find(akin_cpu cpu)
{
    static uint16_t found[BYTES];
    sink += akin_sweep_choose(cpu)->find(room.bytes, BYTES, 255, found);
}

static int go_on(void *user, uint32_t list)
{
    (void)user, (void)list;
    return 1;
}

static void bags(akin_cpu cpu)
{
    static akin_nearest_list lists[AKIN_NEAREST_QUERIES];
    const akin_ordered ordered = {.count = AKIN_ORDERED_BLOCK, .bags = room.bytes};
    akin_bags_job job = {.ordered = &ordered,
                         .end = 1,
                         .counts = room.more,
                         .queries = AKIN_NEAREST_QUERIES,
                         .lists = lists,
                         .stop = go_on};
    for (int q = 0; q < AKIN_NEAREST_QUERIES; q++) {
        lists[q].too_far = 1;
        job.lengths[q] = 255;
    }
    sink += akin_nearest_screen_choose(cpu)(&job);
}

static void marks_of(akin_cpu cpu)
{
    static const marker by_level[] = AKIN_CPU_ROW(mark_plain, mark_neon, mark_avx2, mark_avx2);
    for (int i = 0; i < BYTES; i += MARKS_BYTES)
        sink += (double)by_level[cpu](room.text + i, ',').feed;
}

static void json_string(akin_cpu cpu)
{
    sink += (double)(akin_json_finder_for(cpu)(room.text) - room.text);
}

static void utf8_ascii(akin_cpu cpu)
{
    sink += akin_utf8_is_valid(room.text, BYTES, cpu);
}

static void utf8_greek(akin_cpu cpu)
{
    sink += akin_utf8_is_valid((const char *)room.copy, BYTES, cpu);
}

static void fold_ascii(akin_cpu cpu)
{
    akin_normal normal = {0};
    akin_normal_begin(&normal, cpu, NULL, AKIN_TOKENS_WORDS, 1);
    sink += akin_normal_take(&normal, room.text, BYTES, BYTES);
    akin_normal_clear(&normal);
}

static void read_ids(akin_cpu cpu)
{
    const akin_scope scope = {.threads = 1, .cpu = cpu};
    akin_ids ids;
    akin_status status = akin_ids_begin(&ids, &scope, "numbers", NULL);
    for (int i = 0; i < PARTS && status == AKIN_OK; i++)
        status = akin_ids_add(&ids, room.numbers, BYTES, NULL);
    akin_ids_clear(&ids);
}

static void apart(akin_cpu cpu, akin_apart_numbers numbers, int squared, uint32_t dimensions)
{
    sink += akin_apart_choose(cpu, numbers, squared)(room.vectors, room.vectors + dimensions, dimensions);
}

static void bytes_l1(akin_cpu cpu)
{
    apart(cpu, AKIN_APART_BYTES, 0, BYTES / 2);
}

static void bytes_l2(akin_cpu cpu)
{
    apart(cpu, AKIN_APART_BYTES, 1, BYTES / 2);
}

static void floats_l2(akin_cpu cpu)
{
    apart(cpu, AKIN_APART_FLOATS, 1, BYTES / 2);
}

static void sign_l2(akin_cpu cpu)
{
    const akin_family family = {
        .head = {.kind = AKIN_FAMILY_L2, .functions = FUNCTIONS, .dimensions = 64, .buckets = 64, .width = 1},
        .stride = FUNCTIONS,
        .scale = room.vectors,
        .shift = room.vectors};
    akin_family_choose(cpu, AKIN_FAMILY_L2)(&family, room.vectors, VECTORS, room.values);
}

static void shelf(akin_cpu cpu)
{
    akin_shelf s = {.cpu = cpu};
    uint32_t ids[TERMS], counts[TERMS], sorted[TERMS], sorted_counts[TERMS];
    for (uint32_t i = 0; i < TERMS; i++) {
        ids[i] = i * 2654435761u % 4096;
        counts[i] = 1;
    }
    if (akin_shelf_reserve(&s, 4096, TERMS) == AKIN_OK)
        akin_shelf_arrange(&s, ids, counts, TERMS, sorted, sorted_counts);
    akin_shelf_clear(&s);
}

static const struct loop loops[] = {
    {"screen-64", screen_64, PROBES *GROUPS *AKIN_SCREEN_GROUP, "pair of signatures of 64 bits"},
    {"screen-256", screen_256, PROBES *GROUPS *AKIN_SCREEN_GROUP, "pair of 256 bits"},
    {"screen-2048", screen_2048, PROBES *GROUPS *AKIN_SCREEN_GROUP, "pair of 2048 bits"},
    {"refine-2048", refine_2048, PROBES *GROUPS, "hit of 2048 bits"},
    {"hamming-2048", hamming_2048, 1, "distance of 2048 bits"},
    {"scan-8", scan_narrow, TESTS *AKIN_SCAN_BLOCK, "object and test, codes of 8 bits"},
    {"scan-16", scan_wide, TESTS *AKIN_SCAN_BLOCK, "object and test, codes of 16 bits"},
    {"sweep-add", sweep_groups, BITMAPS *AKIN_SWEEP_PLACES, "place and bitmap"},
    {"sweep-find", sweep_find, BYTES, "place"},
    {"bags", bags, AKIN_NEAREST_QUERIES *AKIN_ORDERED_BLOCK, "string and query"},
    {"marks", marks_of, BYTES, "byte of CSV"},
    {"json-string", json_string, BYTES, "byte of a string"},
    {"utf8-ascii", utf8_ascii, BYTES, "byte of ASCII"},
    {"utf8-greek", utf8_greek, BYTES, "byte of Greek"},
    {"fold", fold_ascii, BYTES, "byte of ASCII, folded and classified"},
    {"ids", read_ids, PARTS *BYTES, "byte of token ids"},
    {"apart-bytes-l1", bytes_l1, BYTES / 2, "dimension of bytes, L1"},
    {"apart-bytes-l2", bytes_l2, BYTES / 2, "dimension of bytes, L2"},
    {"apart-floats-l2", floats_l2, BYTES / 2, "dimension of floats, L2"},
    {"sign-l2", sign_l2, VECTORS *FUNCTIONS * 64, "vector, function and dimension"},
    {"shelf", shelf, TERMS, "term of a document"},
    {NULL, NULL, 0, NULL},
};

static void fill_room(void)
{
    for (int i = 0; i < BYTES; i++) {
        room.text[i] = i % 7 == 6 ? ' ' : (char)('A' + i % 26);
        room.copy[i] = (char)(i % 2 ? 0xb1 : 0xce); /* alpha */
        room.numbers[i] = "12340 12341 12342 12343 12344\n"[i % 30];
        room.bytes[i] = (uint8_t)(i * 31 % 64);
    }
    room.text[BYTES] = '"';
}

static int level_of(const char *name)
{
    int level = 0;
    while (level <= (int)akin_cpu_detect() && strcmp(name, akin_cpu_name((akin_cpu)level)) != 0)
        level++;
    return level;
}

/* Lists the loops, or runs the one of that name. */
static void deal_with(const struct loop *all, int argc, char **argv)
{
    const int level = argc > 2 ? level_of(argv[2]) : 0, repeats = argc > 3 ? atoi(argv[3]) : 0;
    for (const struct loop *loop = all; loop->name; loop++)
        if (argc == 1)
            printf("%s\t%d\t%s\n", loop->name, loop->items, loop->item);
        else if (strcmp(argv[1], loop->name) == 0 && level <= (int)akin_cpu_detect())
            for (int r = 0; r < repeats; r++)
                loop->run((akin_cpu)level);
}

int main(int argc, char **argv)
{
    fill_room();
    fill_strings();
    deal_with(loops, argc, argv);
    deal_with(loops_of_strings, argc, argv);
    return sink < 0;
}
