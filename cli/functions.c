/* The options of an index that choose the hash functions of vectors, sets and signatures. */
#include "functions.h"

#include <inttypes.h>
#include <stdint.h>

#include "command.h"
#include "number.h"

#define AKIN_CLI_FAMILIES 200 /* bytes of a list of families */

/* Lists the families that have an option, or all. */
static const char *families_with(const char *option, char text[AKIN_CLI_FAMILIES])
{
    akin_cli_list list = {.text = text, .room = AKIN_CLI_FAMILIES};
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("families", i)); i++)
        if (!option || akin_family_takes((akin_family_kind)row->value, option))
            akin_cli_list_add(&list, row->name, "", "");
    return akin_cli_list_end(&list);
}

/* Families are of sets or of vectors, and some numbers are of some families. */
static int check_family(const akin_cli_functions_words *words, const akin_search_facts *facts,
                        akin_vectors_options *out)
{
    const struct {
        const char *name, *word;
    } of_some[] = {{"width", words->width}, {"sigma", words->sigma}, {"buckets", words->buckets}};
    char families[AKIN_CLI_FAMILIES];
    if (words->family && akin_family_parse(words->family, &out->family, NULL) != AKIN_OK)
        return akin_cli_refuse("--family %s: expected %s", akin_cli_word(words->family), families_with(NULL, families));
    const akin_family_facts *family = akin_family_facts_of(out->family);
    if (family->objects != facts->objects)
        return akin_cli_refuse("--family %s: is for --kind %s, not for %s", akin_family_name(out->family),
                               family->objects == AKIN_GIVEN_SETS ? "sets" : "vectors", facts->title);
    for (size_t i = 0; i < sizeof of_some / sizeof *of_some; i++)
        if (of_some[i].word && !akin_family_takes(out->family, of_some[i].name))
            return akin_cli_refuse("--%s: is for --family %s, not for %s", of_some[i].name,
                                   families_with(of_some[i].name, families), akin_family_name(out->family));
    return AKIN_CLI_DONE;
}

static int read_whole(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    return !text || akin_cli_read_u64(text, low, high, out)
               ? AKIN_CLI_DONE
               : akin_cli_refuse("--%s %s: expected a whole number from %" PRIu64 " to %" PRIu64, name,
                                 akin_cli_word(text), low, high);
}

/* Of numbers above 0. */
static int read_decimal(const char *name, const char *text, double low, double high, double *out)
{
    return !text || (akin_cli_read_double(text, out) && *out > 0 && *out >= low && *out <= high)
               ? AKIN_CLI_DONE
               : akin_cli_refuse("--%s %s: expected a decimal number %s", name, akin_cli_word(text),
                                 low > 0    ? "from 0.02 to 1"
                                 : high > 1 ? "above 0"
                                            : "above 0 and below 1");
}

/* How many there are: a number of them, or what they are to achieve. */
static int check_functions(const akin_cli_functions_words *words, akin_vectors_options *out)
{
    uint64_t functions = out->functions;
    if (words->functions && (words->epsilon || words->delta))
        return akin_cli_refuse("--functions %s: --%s says how many, too: expected one of them",
                               akin_cli_word(words->functions), words->epsilon ? "epsilon" : "delta");
    if (!words->epsilon != !words->delta)
        return akin_cli_missing(&(akin_cli_option){.name = words->epsilon ? "delta" : "epsilon", .argument = "X"},
                                "--%s needs it, too", words->epsilon ? "epsilon" : "delta");
    int status = read_whole("functions", words->functions, 1, 1000000, &functions);
    if (status == AKIN_CLI_DONE)
        status = read_decimal("epsilon", words->epsilon, 0.02, 1, &out->epsilon);
    if (status == AKIN_CLI_DONE)
        status = read_decimal("delta", words->delta, 0, 0.9999999999, &out->delta);
    out->functions = words->epsilon ? 0 : (uint32_t)functions;
    return status;
}

int akin_cli_functions_check(const akin_cli_functions_words *words, akin_search_kind kind, akin_vectors_options *out)
{
    const akin_search_facts *facts = akin_search_facts_of(kind, 1);
    uint64_t buckets = 0;
    int status = AKIN_CLI_DONE;
    if (akin_search_facts_take(facts, "family"))
        status = check_family(words, facts, out);
    if (status == AKIN_CLI_DONE)
        status = check_functions(words, out);
    if (status == AKIN_CLI_DONE)
        status = read_decimal("width", words->width, 0, 1e30, &out->width);
    if (status == AKIN_CLI_DONE)
        status = read_decimal("sigma", words->sigma, 0, 1e30, &out->sigma);
    if (status == AKIN_CLI_DONE)
        status = read_whole("buckets", words->buckets, 2, INT32_MAX, &buckets);
    if (status == AKIN_CLI_DONE)
        status = read_whole("seed", words->seed, 0, UINT64_MAX, &out->seed);
    out->buckets = (uint32_t)buckets;
    out->signatures_only = words->signatures_only != NULL;
    return status;
}
