/* Writes the pairs of a join as CSV, TSV or JSON lines. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "number.h"
#include "path.h"

#define BUFFER      (256u << 10)
#define LINE        160u /* bytes that hold any line */
#define CACHE_BITS  14
#define CACHE_SLOTS (1u << CACHE_BITS)

/* What stands around the three values of a line. */
typedef struct layout {
    const char *header, *before, *middle, *after, *end;
} layout;

static const layout layouts[] = {
    [AKIN_CLI_CSV] = {"left,right,similarity\n", "", ",", ",", "\n"},
    [AKIN_CLI_TSV] = {"left\tright\tsimilarity\n", "", "\t", "\t", "\n"},
    [AKIN_CLI_JSONL] = {"", "{\"left\":", ",\"right\":", ",\"similarity\":", "}\n"},
};

/* The text of a similarity. Formatting a double takes a microsecond, and a join has few distinct ones: a value depends
 * on the overlap and on the sum (or, for cosine, the product) of the sizes. Length 0 marks a slot that is free. */
typedef struct similarity {
    uint64_t sizes;
    uint32_t overlap;
    uint8_t length;
    char text[27];
} similarity;

struct akin_cli_pairs {
    akin_output *output;
    const layout *layout;
    akin_measure measure;
    akin_cli_side left, right;
    int numbers;      /* rows are called by their numbers */
    akin_error error; /* of the write that failed; code AKIN_OK so far */
    uint32_t left_row, left_size;
    size_t left_length;
    char
        left_text[48]; /* of lines with numbers: the line as far as the right row, kept while left_row stays the same */
    size_t length;
    char buffer[BUFFER];
    similarity cache[CACHE_SLOTS];
};

int akin_cli_format_parse(const char *name, akin_cli_format *out)
{
    static const char *const names[] = {[AKIN_CLI_CSV] = "csv", [AKIN_CLI_TSV] = "tsv", [AKIN_CLI_JSONL] = "jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (akin_cli_format)i;
            return 1;
        }
    }
    return 0;
}

int akin_cli_format_guess(const char *path, akin_cli_format *out)
{
    static const struct {
        const char *ending;
        akin_cli_format format;
    } endings[] = {
        {".csv", AKIN_CLI_CSV}, {".tsv", AKIN_CLI_TSV}, {".jsonl", AKIN_CLI_JSONL}, {".ndjson", AKIN_CLI_JSONL}};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (akin_cli_path_ends(path, endings[i].ending)) {
            *out = endings[i].format;
            return 1;
        }
    }
    return 0;
}

static char *put(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

/* The line of a pair as far as the right row's number. */
static void begin_line(akin_cli_pairs *pairs, uint32_t row)
{
    char *at = put(pairs->left_text, pairs->layout->before);
    at = akin_cli_put_u32(at, row);
    at = put(at, pairs->layout->middle);
    pairs->left_length = (size_t)(at - pairs->left_text);
    pairs->left_row = row;
    pairs->left_size = akin_sets_row(pairs->left.sets, row, NULL);
}

static char *put_similarity(akin_cli_pairs *pairs, char *at, uint32_t size_left, uint32_t size_right, uint32_t overlap)
{
    if (pairs->measure == AKIN_OVERLAP)
        return akin_cli_put_u32(at, overlap);
    uint64_t a = size_left, b = size_right;
    uint64_t sizes = pairs->measure == AKIN_COSINE ? a * b : a + b;
    uint64_t hash = (sizes * 0x9e3779b97f4a7c15u ^ overlap) * 0xff51afd7ed558ccdu;
    similarity *slot = &pairs->cache[hash >> (64 - CACHE_BITS)];
    if (slot->sizes != sizes || slot->overlap != overlap || slot->length == 0) {
        char text[AKIN_CLI_NUMBER];
        size_t length =
            akin_cli_format_double(text, akin_measure_value(pairs->measure, size_left, size_right, overlap));
        slot->sizes = sizes;
        slot->overlap = overlap;
        slot->length = (uint8_t)length;
        memcpy(slot->text, text, length);
    }
    memcpy(at, slot->text, sizeof slot->text); /* a fixed length is one or two moves; what is beyond is overwritten */
    return at + slot->length;
}

static akin_status flush(akin_cli_pairs *pairs)
{
    akin_status status = akin_output_write(pairs->output, pairs->buffer, pairs->length, &pairs->error);
    pairs->error.code = status;
    pairs->length = 0;
    return status;
}

/* Puts a name, however long, behind what is in the buffer; LINE bytes stay free. */
static akin_status put_name(akin_cli_pairs *pairs, const akin_cli_names *names, uint32_t row)
{
    char number[16];
    size_t length;
    const char *name = akin_cli_names_row(names, row, number, &length);
    if (length + LINE > BUFFER - pairs->length && flush(pairs) != AKIN_OK)
        return pairs->error.code;
    if (length + LINE > BUFFER)
        return pairs->error.code = akin_output_write(pairs->output, name, length, &pairs->error);
    memcpy(pairs->buffer + pairs->length, name, length);
    pairs->length += length;
    return AKIN_OK;
}

static akin_status put_text(akin_cli_pairs *pairs, const char *text)
{
    if (pairs->length > BUFFER - LINE && flush(pairs) != AKIN_OK)
        return pairs->error.code;
    pairs->length = (size_t)(put(pairs->buffer + pairs->length, text) - pairs->buffer);
    return AKIN_OK;
}

static akin_status put_named(akin_cli_pairs *pairs, const akin_pair *pair)
{
    const layout *layout = pairs->layout;
    akin_status status = put_text(pairs, layout->before);
    if (status == AKIN_OK)
        status = put_name(pairs, pairs->left.names, pair->left);
    if (status == AKIN_OK)
        status = put_text(pairs, layout->middle);
    if (status == AKIN_OK)
        status = put_name(pairs, pairs->right.names, pair->right);
    if (status == AKIN_OK)
        status = put_text(pairs, layout->after);
    if (status != AKIN_OK)
        return status;
    char *at = put_similarity(pairs, pairs->buffer + pairs->length, akin_sets_row(pairs->left.sets, pair->left, NULL),
                              akin_sets_row(pairs->right.sets, pair->right, NULL), pair->overlap);
    pairs->length = (size_t)(put(at, layout->end) - pairs->buffer);
    return AKIN_OK;
}

static akin_status put_numbered(akin_cli_pairs *pairs, const akin_pair *pair)
{
    if (pairs->length > BUFFER - LINE && flush(pairs) != AKIN_OK)
        return pairs->error.code;
    if (pair->left != pairs->left_row || pairs->left_length == 0)
        begin_line(pairs, pair->left);
    char *begin = pairs->buffer + pairs->length;
    memcpy(begin, pairs->left_text, sizeof pairs->left_text);
    char *at = akin_cli_put_u32(begin + pairs->left_length, pair->right);
    at = put(at, pairs->layout->after);
    at =
        put_similarity(pairs, at, pairs->left_size, akin_sets_row(pairs->right.sets, pair->right, NULL), pair->overlap);
    at = put(at, pairs->layout->end);
    pairs->length += (size_t)(at - begin);
    return AKIN_OK;
}

int akin_cli_pairs_sink(void *user, const akin_pair *batch, size_t count)
{
    akin_cli_pairs *pairs = user;
    for (size_t i = 0; i < count; i++)
        if ((pairs->numbers ? put_numbered : put_named)(pairs, &batch[i]) != AKIN_OK)
            return 1;
    return 0;
}

akin_status akin_cli_pairs_begin(akin_output *output, akin_cli_format format, akin_measure measure,
                                 const akin_cli_side *left, const akin_cli_side *right, akin_cli_pairs **out,
                                 akin_error *error)
{
    akin_cli_pairs *pairs = calloc(1, sizeof *pairs);
    if (!pairs) {
        snprintf(error->message, sizeof error->message, "out of memory for writing pairs");
        return error->code = AKIN_E_NOMEM;
    }
    pairs->output = output;
    pairs->layout = &layouts[format];
    pairs->measure = measure;
    pairs->left = *left;
    pairs->right = *right;
    pairs->numbers = !left->names->written && !right->names->written;
    pairs->length = (size_t)(put(pairs->buffer, pairs->layout->header) - pairs->buffer);
    *out = pairs;
    return AKIN_OK;
}

akin_status akin_cli_pairs_finish(akin_cli_pairs *pairs, akin_status status, akin_error *error)
{
    if (status == AKIN_OK)
        flush(pairs);
    if (pairs->error.code == AKIN_OK)
        return status;
    *error = pairs->error;
    return error->code;
}

void akin_cli_pairs_free(akin_cli_pairs *pairs)
{
    free(pairs);
}
