/*
 * Fuzzes compressed files before every reader of the library. The first byte selects a reader, the second one how the
 * file comes about: the rest of the input as it is, which a decoder may take or not; or packed by gzip or zstd. The
 * third byte says how long each member or frame is (0: there is one), and two bytes whether and where the file is cut
 * or a byte of it changed. What is packed and undamaged is read as the plain file is, but a saved index is refused, as
 * it is read in place. One thread and three say the same of a damaged file.
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "base/limits.h"
#include "packed.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/mman.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD     5
#define UNPACKED (1 << 20) /* bytes of a decompressed file, at most */

/* ---------------------------------------------------------------------------------------------------- what is read */

/* All that a reader says. */
typedef struct text {
    char *bytes;
    size_t length;
    FILE *stream;
} text;

static void begin(text *t)
{
    *t = (text){0};
    require((t->stream = open_memstream(&t->bytes, &t->length)) != NULL);
}

static void put_table(FILE *to, const akin_table *table)
{
    for (uint32_t i = 0; i < akin_table_columns(table); i++) {
        akin_column c = AKIN_COLUMN_INIT;
        require(akin_table_column(table, i, &c, NULL) == AKIN_OK);
        fprintf(to, "\n%s:", c.name);
        for (uint32_t row = 0; row < akin_table_rows(table); row++) {
            const size_t length = (size_t)(c.offsets[row + 1] - c.offsets[row]);
            fprintf(to, " %d,%zu:", !c.validity || (c.validity[row / 8] >> row % 8 & 1), length);
            fwrite(c.bytes + c.offsets[row], 1, length, to);
        }
    }
}

static akin_status read_table(akin_context *context, const char *path, int format, FILE *to, akin_error *error)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    options.format = (akin_format)format;
    const akin_status status = akin_table_read(context, path, &options, &table, error);
    if (status == AKIN_OK)
        put_table(to, table);
    akin_table_free(table);
    return status;
}

static akin_status read_sets(akin_context *context, const char *path, int format, FILE *to, akin_error *error)
{
    akin_sets *sets = NULL;
    (void)format;
    const akin_status status = akin_sets_read(context, path, &sets, error);
    for (uint32_t row = 0; status == AKIN_OK && row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens, count = akin_sets_row(sets, row, &tokens);
        fprintf(to, "\n%" PRIu32 ":", count);
        for (uint32_t i = 0; i < count; i++)
            fprintf(to, " %" PRIu32, tokens[i]);
    }
    akin_sets_free(sets);
    return status;
}

static akin_status read_matrix(akin_context *context, const char *path, int format, FILE *to, akin_error *error)
{
    akin_matrix *matrix = NULL;
    const akin_status status = akin_matrix_read(context, path, (akin_matrix_format)format, &matrix, error);
    if (status == AKIN_OK) {
        static const size_t widths[] = {
            [AKIN_NUMBER_U8] = 1, [AKIN_NUMBER_I32] = 4, [AKIN_NUMBER_I64] = 8, [AKIN_NUMBER_F32] = 4};
        fprintf(to, "%" PRIu32 " x %" PRIu32 " of %d: ", matrix->rows, matrix->columns, (int)matrix->number);
        fwrite(matrix->numbers, widths[matrix->number], (size_t)matrix->rows * matrix->columns, to);
    }
    akin_matrix_free(matrix);
    return status;
}

static akin_status read_trec(akin_context *context, const char *path, int format, FILE *to, akin_error *error)
{
    akin_trec_evaluation found = {.size = sizeof found};
    (void)format;
    const akin_status status = akin_evaluate_trec(context, path, path, &found, error);
    if (status == AKIN_OK)
        fprintf(to, "%g %g %g", found.map, found.p_10, found.mrr);
    return status;
}

static akin_status read_synonyms(akin_context *context, const char *path, int format, FILE *to, akin_error *error)
{
    akin_synonyms *synonyms = NULL;
    (void)format;
    require(akin_synonyms_create(&synonyms, error) == AKIN_OK);
    const akin_status status = akin_synonyms_read(context, synonyms, path, error);
    (void)to;
    akin_synonyms_free(synonyms);
    return status;
}

static akin_status read_json(akin_context *context, const char *path, int format, FILE *to, akin_error *error)
{
    akin_json *json = NULL;
    (void)format;
    const akin_status status = akin_json_read(context, path, &json, error);
    const akin_json_node *nodes = status == AKIN_OK ? akin_json_nodes(json) : NULL;
    for (uint32_t i = 0; nodes && i < nodes[0].next; i++)
        fprintf(to, "\n%d %s: %s", (int)nodes[i].kind, nodes[i].key ? nodes[i].key : "",
                nodes[i].text ? nodes[i].text : "");
    akin_json_free(json);
    return status;
}

static akin_status open_index(akin_context *context, const char *path, int format, FILE *to, akin_error *error)
{
    akin_search_index *index = NULL;
    akin_search_statistics about = {.size = sizeof about};
    (void)format;
    const akin_status status = akin_search_index_open(context, path, &index, error);
    if (status == AKIN_OK && akin_search_index_describe(index, &about, error) == AKIN_OK)
        fprintf(to, "%" PRIu32, about.objects);
    akin_search_index_free(index);
    return status;
}

static const struct {
    akin_status (*read)(akin_context *context, const char *path, int format, FILE *to, akin_error *error);
    int format;
    int in_place; /* it reads plain files alone */
} readers[] = {
    {read_table, AKIN_FORMAT_CSV, 0},
    {read_table, AKIN_FORMAT_TSV, 0},
    {read_table, AKIN_FORMAT_JSONL, 0},
    {read_table, AKIN_FORMAT_TEXT, 0},
    {read_table, AKIN_FORMAT_PARAGRAPHS, 0},
    {read_table, AKIN_FORMAT_WHOLE, 0},
    {read_sets, 0, 0},
    {read_matrix, 1, 0},
    {read_matrix, 2, 0},
    {read_matrix, 3, 0},
    {read_matrix, 4, 0},
    {read_matrix, 5, 0},
    {read_matrix, 6, 0},
    {read_matrix, 7, 0},
    {read_trec, 0, 0},
    {read_synonyms, 0, 0},
    {read_json, 0, 0},
    {open_index, 0, 1},
};

enum { READERS = sizeof readers / sizeof readers[0] };

/* What a file reads as, by that many threads, or why it is refused. */
static text read_by(uint8_t reader, const char *path, uint32_t threads, uint64_t block, int *is_read)
{
    const akin_wishes wishes = {.block_bytes = block};
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error = {.message = ""};
    text t;
    begin(&t);
    options.threads = threads;
    require(akin_context_create(&options, &context, &error) == AKIN_OK);
    require(akin_context_limit(context, AKIN_LIMIT_DECOMPRESSED, UNPACKED, &error) == AKIN_OK);
    context->wishes = &wishes;
    const akin_status status = readers[reader].read(context, path, readers[reader].format, t.stream, &error);
    *is_read = status == AKIN_OK;
    require(status == AKIN_OK || error.message[0] != '\0');
    if (status != AKIN_OK)
        fprintf(t.stream, "%d at %" PRIu64 ": %s", (int)status, error.line, error.message);
    akin_context_free(context);
    require(fclose(t.stream) == 0);
    return t;
}

/* The same of bytes. By one thread and by three it is the same. */
static text read_bytes(uint8_t reader, const uint8_t *data, size_t size, uint64_t block, int *is_read)
{
    static int file = -1;
    char path[64];
    int also;
    if (file < 0)
        file = memfd_create("packed", MFD_CLOEXEC);
    require(file >= 0 && ftruncate(file, 0) == 0 && (size == 0 || pwrite(file, data, size, 0) == (ssize_t)size));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file); /* one name, which messages have */
    text one = read_by(reader, path, 1, block, is_read), all = read_by(reader, path, 3, block, &also);
    require(one.length == all.length && memcmp(one.bytes, all.bytes, one.length) == 0);
    free(all.bytes);
    return one;
}

/* Cuts the file, or changes a byte of it, as two bytes of the input say. */
static size_t damage(uint8_t *data, size_t size, const uint8_t how[2])
{
    const size_t at = (size_t)how[1] * size / 256;
    if (how[0] > 128)
        return at;
    if (size > 0)
        data[at] ^= how[0];
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD || data[0] >= READERS || data[1] >= PACKINGS)
        return -1;
    const uint8_t *content = data + HEAD;
    const uint64_t block = 16 + size % 500;
    int is_read, also = 0;
    text plain = read_bytes(data[0], content, size - HEAD, block, &is_read);
    if (data[1] != PLAIN) {
        size_t length;
        uint8_t *packed = pack((packing)data[1], content, size - HEAD, data[2], &length);
        length = damage(packed, length, data + 3);
        text other = read_bytes(data[0], packed, length, block, &also);
        if (readers[data[0]].in_place)
            require(!also);
        else if (data[3] == 0 && !looks_packed(content, size - HEAD))
            require(other.length == plain.length && memcmp(other.bytes, plain.bytes, plain.length) == 0);
        free(other.bytes);
        free(packed);
    }
    free(plain.bytes);
    return 0;
}
