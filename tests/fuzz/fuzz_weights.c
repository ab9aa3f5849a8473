/*
 * Fuzzes the opening of saved term weights: with the input as it is, which the checksums refuse nearly always, and
 * again with all checksums made right. Weights that open are gone through, and made an index.
 */
#include "base/context.h"
#include "base/memory.h"
#include "weigh/file.h"

#include "container.h"

#include <math.h>

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static void use(const akin_weights *weights)
{
    akin_weights_statistics s = {.size = sizeof s};
    uint64_t pairs = 0, words = 0;
    double sum = 0;
    require(akin_weights_describe(weights, &s, NULL) == AKIN_OK);
    for (uint32_t i = 0; i < (s.order == AKIN_WEIGHTS_BY_TERM ? s.ids : s.documents); i++) {
        const uint32_t *ids, *tf;
        const double *values;
        uint32_t count = akin_weights_list(weights, i, &ids, &tf, &values);
        for (uint32_t j = 0; j < count; j++) {
            require(ids[j] < (s.order == AKIN_WEIGHTS_BY_TERM ? s.documents : s.ids));
            require(j == 0 || ids[j] > ids[j - 1]);
            require(tf[j] > 0 && isfinite(values[j]));
            words += tf[j];
        }
        pairs += count;
    }
    require(pairs == s.pairs && words == s.words);
    for (uint32_t i = 0; i < s.ids; i++) {
        const char *bytes;
        size_t length;
        akin_weights_term(weights, i, &bytes, &length);
        require(length == 0 || memchr(bytes, bytes[length - 1], length) != NULL);
        require(akin_weights_df(weights, i) <= s.documents);
    }
    for (uint32_t i = 0; i < s.documents; i++) {
        const char *bytes;
        size_t length;
        akin_weights_name(weights, i, &bytes, &length);
        require(length == 0 || memchr(bytes, bytes[length - 1], length) != NULL);
    }
    require(akin_weights_sum(&context, weights, &sum, NULL) == AKIN_OK);
}

#define WORDS                                                                                                          \
    (1 << 20) /* at most, in what becomes an index: factors are tabulated up to the most that a document has a term */

static void make_index(const akin_weights *weights)
{
    akin_rank_index *index = NULL;
    if (weights->words > WORDS)
        return;
    akin_status status = akin_rank_index_create(&context, weights, NULL, &index, NULL);
    require(status == AKIN_OK || status == AKIN_E_OPTION || status == AKIN_E_INPUT);
    require(status != AKIN_E_OPTION || weights->order == AKIN_WEIGHTS_BY_DOCUMENT);
    akin_rank_index_free(index);
}

static void parse(const uint8_t *data, size_t size, int mended)
{
    akin_error error;
    akin_weights *weights = NULL;
    uint8_t *image = image_of(data, size, mended);
    akin_bulk bulk = akin_bulk_adopt(image);
    akin_status status = akin_weights_parse(akin_scope_of(&context), "input", &bulk, size, &weights, &error);
    require(status == AKIN_OK || status == AKIN_E_INPUT || status == AKIN_E_NOMEM);
    if (status == AKIN_OK) {
        use(weights);
        make_index(weights);
    } else {
        akin_free(image);
    }
    akin_weights_free(weights);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size, 0);
    parse(data, size, 1);
    return 0;
}
