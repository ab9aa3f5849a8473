/* Queries that stand on the command line: the arguments of --query, as a column of text or as sets of token ids. */
#include "typed.h"

#include <stdlib.h>
#include <string.h>

#include "path.h"

int akin_cli_typed_given(const akin_cli_arguments *arguments, int option)
{
    int at = 0;
    return akin_cli_repeated_next(arguments, option, NULL, &at) != NULL;
}

int akin_cli_typed_operands(const akin_cli_arguments *arguments, int option, const char *command, const char *first,
                            const char **queries)
{
    const int is_typed = akin_cli_typed_given(arguments, option), count = arguments->operand_count;
    const char *const *operands = arguments->operands;
    if (is_typed && count == 2)
        return akin_cli_refuse("%s: --query gives the queries already: expected a file of queries, or --query",
                               akin_cli_word(operands[1]));
    if (!is_typed && count == 1)
        return akin_cli_refuse("expected a file of queries, or --query TEXT: akin %s %s QUERIES", command, first);
    if (count != (is_typed ? 1 : 2))
        return akin_cli_refuse(
            "expected an index and a file of queries, not %d files: akin %s %s QUERIES; the text of a query "
            "itself is given by --query TEXT",
            count, command, first);
    for (int i = 0; i < count; i++)
        if (!*operands[i])
            return akin_cli_refuse("expected the name of a file, not an empty word");
    if (count == 2 && akin_cli_path_is_stdin(operands[0]) && akin_cli_path_is_stdin(operands[1]))
        return akin_cli_refuse("%s and %s: standard input can be read only once", operands[0], operands[1]);
    *queries = is_typed ? NULL : operands[1];
    return AKIN_CLI_DONE;
}

int akin_cli_typed_check(const char *const *given, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (given[i])
            return akin_cli_refuse("--%s: says how a file of queries is read, and --query gives the text itself",
                                   given[i]);
    return AKIN_CLI_DONE;
}

akin_status akin_cli_typed_make(const akin_cli_arguments *arguments, int option, akin_cli_typed *out, akin_error *error)
{
    const char *query;
    uint64_t length = 0;
    uint32_t rows = 0;
    for (int at = 0; (query = akin_cli_repeated_next(arguments, option, NULL, &at)); rows++)
        length += strlen(query);
    *out = (akin_cli_typed){.offsets = malloc(((size_t)rows + 1) * sizeof *out->offsets), .bytes = malloc(length + 1)};
    if (!out->offsets || !out->bytes)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the queries");
    length = 0;
    for (int at = 0; (query = akin_cli_repeated_next(arguments, option, NULL, &at)); out->rows++) {
        out->offsets[out->rows] = length;
        memcpy(out->bytes + length, query, strlen(query));
        length += strlen(query);
    }
    out->offsets[rows] = length;
    out->column =
        (akin_column){.size = sizeof out->column, .name = "query", .offsets = out->offsets, .bytes = out->bytes};
    return AKIN_OK;
}

void akin_cli_typed_clear(akin_cli_typed *typed)
{
    free(typed->offsets);
    free(typed->bytes);
    *typed = (akin_cli_typed){0};
}

/* Reads the ids of one query, of the bytes from `at` on, before `end`; returns how many, or -1 if there is something
 * else. */
static int64_t read_ids(const char *at, const char *end, uint32_t *ids)
{
    int64_t count = 0;
    for (; at < end; at++) {
        uint64_t id = 0;
        if (*at == ' ' || *at == '\t')
            continue;
        for (; at < end && *at != ' ' && *at != '\t'; at++) {
            if (*at < '0' || *at > '9' || (id = 10 * id + (uint64_t)(*at - '0')) > UINT32_MAX)
                return -1;
        }
        ids[count++] = (uint32_t)id;
    }
    return count;
}

akin_status akin_cli_typed_sets(akin_context *context, const akin_cli_typed *typed, akin_sets **out, akin_error *error)
{
    const size_t most = (size_t)typed->offsets[typed->rows] / 2 + typed->rows + 1;
    uint64_t *offsets = calloc((size_t)typed->rows + 1, sizeof *offsets);
    uint32_t *ids = malloc(most * sizeof *ids);
    akin_status status = AKIN_E_NOMEM;
    if (offsets && ids)
        status = AKIN_OK;
    else
        akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the queries");
    for (uint32_t i = 0; i < typed->rows && status == AKIN_OK; i++) {
        const char *query = typed->bytes + typed->offsets[i], *end = typed->bytes + typed->offsets[i + 1];
        const int64_t count = read_ids(query, end, ids + offsets[i]);
        if (count < 0)
            status = akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NOT_A_TOKEN,
                                    "--query '%.*s': expected token ids with blanks between them, such as '3 17 40'",
                                    (int)(end - query < 200 ? end - query : 200), query);
        else
            offsets[i + 1] = offsets[i] + (uint64_t)count;
    }
    if (status == AKIN_OK)
        status = akin_sets_from_arrays(context, typed->rows, offsets, ids, out, error);
    free(offsets);
    free(ids);
    return status;
}

void akin_cli_typed_advise(akin_error *error)
{
    if (error->reason == AKIN_REASON_NO_FILE)
        akin_cli_append(error, "; the text of a query itself is given by --query TEXT");
}
