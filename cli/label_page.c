/* Writes a page with questions, for a browser: the template with the questions as JSON in it. */
#define _POSIX_C_SOURCE 200809L

#include "label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "stream.h"

#define MARK "{{questions}}"

/* JSON within an element of HTML: no text can end the element. What is not UTF-8 becomes U+FFFD in the browser. */
static void put_text(FILE *to, const char *text, size_t length)
{
    putc('"', to);
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == '"' || c == '\\' || c == '<' || c == '&')
            fprintf(to, "\\u%04x", c);
        else
            putc(c, to);
    }
    putc('"', to);
}

static void put_record(FILE *to, const akin_cli_questions *q, int side, uint32_t row)
{
    const uint32_t count = akin_dedupe_plan_titles(q->request->plan)->column_count;
    char number[16];
    size_t length;
    const char *text = akin_cli_label_name(q, side, row, number, &length);
    putc('[', to);
    put_text(to, text, length);
    for (uint32_t c = 0; c < count; c++) {
        text = akin_cli_label_value(q, side, c, row, &length);
        putc(',', to);
        put_text(to, text, length);
    }
    putc(']', to);
}

static void put_pair(FILE *to, const akin_cli_questions *q, const akin_scored_pair *pair)
{
    char numbers[2][16];
    size_t lengths[2];
    const char *left = akin_cli_label_name(q, 0, pair->left, numbers[0], &lengths[0]);
    const char *right = akin_cli_label_name(q, 1, pair->right, numbers[1], &lengths[1]);
    fputs("{\"ids\":[", to);
    put_text(to, left, lengths[0]);
    putc(',', to);
    put_text(to, right, lengths[1]);
    fputs("],\"left\":", to);
    put_record(to, q, 0, pair->left);
    fputs(",\"right\":", to);
    put_record(to, q, 1, pair->right);
    putc('}', to);
}

static void put_columns(FILE *to, const akin_cli_questions *q)
{
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(q->request->plan);
    const char *id = titles->id ? titles->id : "row";
    fputs("\"columns\":[", to);
    put_text(to, id, strlen(id));
    for (uint32_t c = 0; c < titles->column_count; c++) {
        putc(',', to);
        put_text(to, titles->columns[c], strlen(titles->columns[c]));
    }
    putc(']', to);
}

/* Each question is taken as unsure until all are chosen, so that none comes twice. */
static akin_status put_pairs(FILE *to, const akin_cli_questions *q, uint64_t *key, akin_error *error)
{
    uint64_t count = 0;
    akin_status status = AKIN_OK;
    fputs(",\"pairs\":[", to);
    for (int is_there = 1; count < q->request->limit && status == AKIN_OK && is_there;) {
        akin_scored_pair pair;
        status = akin_labelling_next(q->labelling, &pair, &is_there, error);
        if (status != AKIN_OK || !is_there)
            break;
        fputs(count > 0 ? ",\n" : "\n", to);
        put_pair(to, q, &pair);
        *key = (*key * 31 + pair.left) * 31 + pair.right;
        status = akin_labelling_answer(q->labelling, pair.left, pair.right, AKIN_ANSWER_UNSURE, error);
        count += status == AKIN_OK;
    }
    while (count-- > 0)
        akin_labelling_undo(q->labelling, NULL);
    fputc(']', to);
    return status;
}

/* The questions as JSON, to be freed. The key keeps the answers of different pages apart in a browser. */
static akin_status make_questions(const akin_cli_questions *q, akin_cli_stream *out, akin_error *error)
{
    uint64_t key = 0;
    if (!akin_cli_stream_open(out))
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the questions");
    putc('{', out->to);
    put_columns(out->to, q);
    akin_status status = put_pairs(out->to, q, &key, error);
    fprintf(out->to, ",\"key\":\"%llx\"}", (unsigned long long)key);
    if (!akin_cli_stream_close(out) && status == AKIN_OK)
        status = akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the questions");
    return status;
}

akin_status akin_cli_label_page(const akin_cli_questions *questions, akin_output *output, akin_error *error)
{
    const char *template = (const char *)akin_cli_label_template, *mark = template;
    const char *end = template + akin_cli_label_template_length;
    akin_cli_stream made;
    akin_status status = make_questions(questions, &made, error);
    while (memcmp(mark, MARK, strlen(MARK)) != 0)
        mark++;
    if (status == AKIN_OK)
        status = akin_output_write(output, template, (size_t)(mark - template), error);
    if (status == AKIN_OK)
        status = akin_output_write(output, made.text, made.length, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, mark + strlen(MARK), (size_t)(end - mark) - strlen(MARK), error);
    free(made.text);
    return status;
}
