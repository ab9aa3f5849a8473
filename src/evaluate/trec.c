/*
 * Evaluates a ranking in TREC's format against judgements. Queries and documents are numbered as the judgements, then
 * the run, have them; The fields of a line are put into one integer of 128 bits, so that sorting these integers groups
 * and ranks the lines:
 *
 *     judgement    query | document | line | relevance, signed, plus 2^31
 *     answer       query | score, so that larger ones come first | place of the document, the last id first
 *     repeated?    0 | query | document | line
 */
#include "base/memory.h"
#include "base/options.h"
#include "base/reader.h"
#include "base/sort.h"
#include "dict/dictionary.h"
#include "strings/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS   6
#define NDCG_AT  10
#define P_AT     10
#define R_AT     100
#define BIAS     0x80000000u
#define CUT_GAIN 0x7fffffff
#define EXAMPLE  40             /* bytes of a query that a message shows */
#define MARK     "\xef\xbb\xbf" /* that some editors put before UTF-8 text */

static const char what[] = "an evaluation"; /* the memory is for */

typedef struct field {
    const char *bytes;
    size_t length;
} field;

typedef struct keys {
    akin_u128 *list;
    uint64_t count, capacity;
} keys;

typedef struct evaluation {
    const akin_scope *scope;
    akin_dictionary *queries, *documents;
    keys judged, answers, seen;
    uint32_t *place;  /* of each document, in the order of their ids, the last first */
    const char *name; /* of the file at hand */
    uint64_t line;
    char unjudged[EXAMPLE]; /* a query of the run without judgements; "": there is none */
} evaluation;

static akin_u128 key_of(uint32_t query, uint64_t middle, uint32_t low)
{
    return (akin_u128)query << 96 | (akin_u128)middle << 32 | low;
}

static akin_status add_key(keys *k, akin_u128 key, akin_error *error)
{
    akin_u128 *list = akin_enlarge(NULL, k->list, &k->capacity, k->count + 1, sizeof *list);
    if (!list)
        return akin_fail_memory(error, what);
    k->list = list;
    list[k->count++] = key;
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static akin_status refuse_line(const evaluation *e, const char *expected, akin_error *error)
{
    return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, e->name, e->line, "expected %s", expected);
}

/* Cuts a line into fields; returns how many there are, FIELDS + 1 if there are more than can be. */
static uint32_t split_fields(const char *line, size_t length, field fields[FIELDS])
{
    uint32_t count = 0;
    for (size_t i = 0; i < length;) {
        size_t begin = i;
        while (i < length && line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            i++;
        if (i > begin) {
            if (count == FIELDS)
                return FIELDS + 1;
            fields[count++] = (field){line + begin, i - begin};
        } else {
            i++;
        }
    }
    return count;
}

/* A decimal number, with a sign, a point and an exponent if need be; 0 if it is none. */
static int read_number(field from, double *out)
{
    return from.length <= UINT32_MAX && akin_number_parse(from.bytes, (uint32_t)from.length, out);
}

static akin_status take_judgement(evaluation *e, const field *fields, uint32_t count, akin_error *error)
{
    uint32_t query, document;
    double relevance = 0;
    if (count != 4)
        return refuse_line(e, "a judgement: query, 0, document, relevance", error);
    if (!read_number(fields[3], &relevance) || relevance != floor(relevance) || fabs(relevance) > CUT_GAIN)
        return refuse_line(e, "a whole number as the relevance", error);
    akin_status status = akin_dictionary_add(e->queries, fields[0].bytes, fields[0].length, &query, error);
    if (status == AKIN_OK)
        status = akin_dictionary_add(e->documents, fields[2].bytes, fields[2].length, &document, error);
    if (status != AKIN_OK)
        return status;
    uint32_t biased = (uint32_t)((int64_t)relevance + BIAS);
    return add_key(&e->judged, key_of(query, (uint64_t)document << 32 | (uint32_t)e->line, biased), error);
}

/* Keeps a query as an example, up to a whole character. */
static void keep_query(field query, char example[EXAMPLE])
{
    size_t length = query.length < EXAMPLE ? query.length : EXAMPLE - 1;
    while (length < query.length && length > 0 && ((unsigned char)query.bytes[length] & 0xc0) == 0x80)
        length--;
    memcpy(example, query.bytes, length);
    example[length] = '\0';
}

/* A score as a number that is the lower, the larger the score is. */
static uint64_t descending(double score)
{
    uint64_t bits;
    score += 0.0; /* -0 is 0 */
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? bits : ~(bits | UINT64_C(1) << 63);
}

static akin_status take_answer(evaluation *e, const field *fields, uint32_t count, akin_error *error)
{
    uint32_t query, document;
    double score;
    if (count != 6)
        return refuse_line(e, "an answer: query, Q0, document, rank, score, tag", error);
    if (!read_number(fields[4], &score))
        return refuse_line(e, "a number as the score", error);
    if (!akin_dictionary_find(e->queries, fields[0].bytes, fields[0].length, &query)) {
        if (!*e->unjudged)
            keep_query(fields[0], e->unjudged);
        return AKIN_OK;
    }
    akin_status status = akin_dictionary_add(e->documents, fields[2].bytes, fields[2].length, &document, error);
    if (status == AKIN_OK)
        status = add_key(&e->seen, (akin_u128)query << 64 | (akin_u128)document << 32 | (uint32_t)e->line, error);
    return status == AKIN_OK ? add_key(&e->answers, key_of(query, descending(score), document), error) : status;
}

typedef akin_status (*taker)(evaluation *e, const field *fields, uint32_t count, akin_error *error);

static akin_status take_block(evaluation *e, const char *data, size_t length, taker take, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < length && status == AKIN_OK;) {
        const char *line = data + i, *end = memchr(line, '\n', length - i);
        size_t bytes = end ? (size_t)(end - line) : length - i;
        field fields[FIELDS];
        e->line++;
        i += bytes + 1;
        if (memchr(line, '\0', bytes))
            return refuse_line(e, "text, not a NUL byte", error);
        if (e->line > UINT32_MAX)
            return akin_fail(error, AKIN_E_LIMIT, "%s: has more than 4294967295 lines", e->name);
        uint32_t count = split_fields(line, bytes, fields);
        if (count > 0)
            status = take(e, fields, count, error);
    }
    return status;
}

static akin_status read_file(evaluation *e, const char *path, taker take, akin_error *error)
{
    akin_reader *reader = NULL;
    char *data;
    size_t length = 1;
    akin_status status = akin_reader_open(e->scope, path, &reader, error);
    if (status != AKIN_OK)
        return status;
    e->name = akin_reader_name(reader);
    e->line = 0;
    while (status == AKIN_OK && length > 0) {
        status = akin_reader_next(reader, &data, &length, error);
        const size_t mark = e->line == 0 && length >= 3 && memcmp(data, MARK, 3) == 0 ? 3 : 0;
        if (status == AKIN_OK && length > 0)
            status = take_block(e, data + mark, length - mark, take, error);
    }
    akin_reader_close(reader);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- ordering */

/* Whether two keys that follow one another are of one query and document, which `shift` leaves; `name` is the
 * file's. */
static akin_status check_repeated(const evaluation *e, const keys *k, int shift, const char *name, akin_error *error)
{
    for (uint64_t i = 1; i < k->count; i++)
        if (k->list[i] >> shift == k->list[i - 1] >> shift) {
            const char *document = "";
            size_t length = 0;
            uint32_t id = (uint32_t)(k->list[i] >> shift), line = (uint32_t)(k->list[i] >> (shift - 32));
            akin_dictionary_string(e->documents, id, &document, &length, NULL);
            return akin_fail_line(error, AKIN_E_INPUT, AKIN_REASON_REPEATED, name, line,
                                  "document '%.*s' is there twice for its query", (int)(length < 200 ? length : 200),
                                  document);
        }
    return AKIN_OK;
}

/* Whether the id of document a comes before that of b: the last one first. */
static int comes_before(const evaluation *e, uint32_t a, uint32_t b)
{
    const char *left, *right;
    size_t left_length, right_length;
    akin_dictionary_string(e->documents, a, &left, &left_length, NULL);
    akin_dictionary_string(e->documents, b, &right, &right_length, NULL);
    int order = memcmp(left, right, left_length < right_length ? left_length : right_length);
    return order != 0 ? order > 0 : left_length > right_length;
}

static void sink_entry(const evaluation *e, uint32_t *heap, uint64_t count, uint64_t i)
{
    const uint32_t moved = heap[i];
    for (uint64_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && comes_before(e, heap[child], heap[child + 1]))
            child++;
        if (!comes_before(e, moved, heap[child]))
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

/* Puts the documents in order, and their places in the answers, which are sorted. */
static akin_status order_answers(evaluation *e, akin_error *error)
{
    const uint32_t count = akin_dictionary_count(e->documents);
    uint32_t *heap = akin_alloc(NULL, count, sizeof *heap);
    e->place = akin_alloc(NULL, count, sizeof *e->place);
    if (heap && e->place) {
        for (uint32_t i = 0; i < count; i++)
            heap[i] = i;
        for (uint64_t i = count / 2; i-- > 0;)
            sink_entry(e, heap, count, i);
        for (uint64_t left = count; left-- > 1;) {
            uint32_t last = heap[0];
            heap[0] = heap[left];
            heap[left] = last;
            sink_entry(e, heap, left, 0);
        }
        for (uint32_t i = 0; i < count; i++)
            e->place[heap[i]] = i;
    }
    for (uint64_t i = 0; i < e->answers.count && heap && e->place; i++) {
        akin_u128 *key = &e->answers.list[i];
        *key = *key >> 32 << 32 | e->place[(uint32_t)*key];
    }
    akin_sort_u128(e->answers.list, e->answers.count);
    for (uint64_t i = 0; i < e->answers.count && heap && e->place; i++) { /* and back */
        akin_u128 *key = &e->answers.list[i];
        *key = *key >> 32 << 32 | heap[(uint32_t)*key];
    }
    akin_free(heap);
    return heap && e->place ? AKIN_OK : akin_fail_memory(error, what);
}

/* -------------------------------------------------------------------------------------------------------- measuring */

/* The first key of a query or a later one. */
static uint64_t first_of(const keys *k, akin_u128 bound)
{
    uint64_t low = 0, high = k->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (k->list[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The relevance of a document for a query; 0 if it is not judged. */
static int64_t relevance_of(const evaluation *e, uint32_t query, uint32_t document)
{
    uint64_t at = first_of(&e->judged, key_of(query, (uint64_t)document << 32, 0));
    if (at == e->judged.count || e->judged.list[at] >> 64 != ((akin_u128)query << 32 | document))
        return 0;
    return (int64_t)(uint32_t)e->judged.list[at] - BIAS;
}

/* The gain of the best order of the judged documents of a query, from `begin` to `end`, and the number of relevant
 * ones. */
static double ideal(const evaluation *e, uint64_t begin, uint64_t end, uint64_t *relevant)
{
    int64_t best[NDCG_AT] = {0};
    double gain = 0;
    *relevant = 0;
    for (uint64_t i = begin; i < end; i++) {
        int64_t relevance = (int64_t)(uint32_t)e->judged.list[i] - BIAS;
        *relevant += relevance > 0;
        for (int place = 0; place < NDCG_AT; place++)
            if (relevance > best[place]) {
                int64_t lower = best[place];
                best[place] = relevance;
                relevance = lower;
            }
    }
    for (int place = 0; place < NDCG_AT; place++)
        gain += (double)best[place] / log2(place + 2);
    return gain;
}

/* Adds the results of a query's answers. */
static void measure_query(const evaluation *e, uint32_t query, double best, uint64_t relevant,
                          akin_trec_evaluation *sum)
{
    uint64_t at = first_of(&e->answers, key_of(query, 0, 0)), rank = 0, found = 0, found_10 = 0, found_100 = 0;
    double gain = 0, precision = 0;
    for (; at < e->answers.count && e->answers.list[at] >> 96 == query; at++) {
        int64_t relevance = relevance_of(e, query, (uint32_t)e->answers.list[at]);
        rank++;
        sum->found++;
        if (relevance <= 0)
            continue;
        found++;
        precision += (double)found / (double)rank;
        found_10 += rank <= P_AT;
        found_100 += rank <= R_AT;
        sum->mrr += found == 1 ? 1.0 / (double)rank : 0;
        gain += rank <= NDCG_AT ? (double)relevance / log2((double)rank + 1) : 0;
    }
    sum->p_10 += (double)found_10; /* divided at the end, so that 3 of 20 are 0.15 */
    sum->r_100 += (double)found_100 / (double)relevant;
    sum->ndcg_10 += gain / best;
    sum->map += precision / (double)relevant;
    sum->answered += rank > 0;
}

static void evaluate_run(const evaluation *e, akin_trec_evaluation *sum)
{
    const keys *k = &e->judged;
    for (uint64_t begin = 0, end; begin < k->count; begin = end) {
        uint32_t query = (uint32_t)(k->list[begin] >> 96);
        uint64_t relevant;
        for (end = begin; end < k->count && k->list[end] >> 96 == query;)
            end++;
        double best = ideal(e, begin, end, &relevant);
        if (relevant == 0)
            continue;
        sum->queries++;
        sum->relevant += relevant;
        measure_query(e, query, best, relevant, sum);
    }
    double queries = sum->queries > 0 ? sum->queries : 1;
    sum->ndcg_10 /= queries;
    sum->map /= queries;
    sum->p_10 /= queries * P_AT;
    sum->r_100 /= queries;
    sum->mrr /= queries;
}

/* -------------------------------------------------------------------------------------------------------- the whole */

/* Refuses a run whose queries are other ones than those of the judgements. */
static akin_status check_relation(const evaluation *e, akin_error *error)
{
    char judged[EXAMPLE] = "";
    field query;
    if (e->answers.count > 0 || !*e->unjudged || akin_dictionary_count(e->queries) == 0)
        return AKIN_OK;
    akin_dictionary_string(e->queries, 0, &query.bytes, &query.length, NULL);
    keep_query(query, judged);
    return akin_fail(error, AKIN_E_INPUT,
                     "the run and the judgements have no query in common: queries of the run are like '%s', those of "
                     "the judgements like '%s'",
                     e->unjudged, judged);
}

static akin_status read_run(evaluation *e, const char *path, const char *judgements, akin_error *error)
{
    akin_status status = akin_dictionary_create_within(e->scope, &e->queries, error);
    if (status == AKIN_OK)
        status = akin_dictionary_create_within(e->scope, &e->documents, error);
    if (status == AKIN_OK)
        status = read_file(e, judgements, take_judgement, error);
    if (status != AKIN_OK)
        return status;
    akin_sort_u128(e->judged.list, e->judged.count);
    status = check_repeated(e, &e->judged, 64, judgements, error);
    if (status == AKIN_OK)
        status = read_file(e, path, take_answer, error);
    if (status != AKIN_OK)
        return status;
    akin_sort_u128(e->seen.list, e->seen.count);
    status = check_repeated(e, &e->seen, 32, path, error);
    if (status == AKIN_OK)
        status = check_relation(e, error);
    return status == AKIN_OK ? order_answers(e, error) : status;
}

akin_status akin_evaluate_trec(akin_context *context, const char *path, const char *judgements,
                               akin_trec_evaluation *result, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    evaluation e = {.scope = scope};
    akin_trec_evaluation sum = {.size = sizeof sum};
    akin_status status = akin_options_check(result, sizeof sum, "akin_trec_evaluation", error);
    if (status == AKIN_OK)
        status = read_run(&e, path, judgements, error);
    if (status == AKIN_OK)
        evaluate_run(&e, &sum);
    akin_dictionary_free(e.queries);
    akin_dictionary_free(e.documents);
    akin_free(e.judged.list);
    akin_free(e.answers.list);
    akin_free(e.seen.list);
    akin_free(e.place);
    return status == AKIN_OK ? akin_options_write(&sum, sizeof sum, result, "akin_trec_evaluation", error) : status;
}
