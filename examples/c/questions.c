/*
 * Ranks the rows of a table of texts for each question on the command line.
 *
 *     questions ../data/notices.jsonl "when does the first boat leave?" ...
 */
#include <akin.h>
#include <stdio.h>
#include <string.h>

/* Prints what was found for a question, the best first: an akin_rank_sink. */
static int print(void *user, const akin_ranking_hit *found, size_t count)
{
    const akin_column *texts = user;
    for (size_t i = 0; i < count; i++) {
        const uint64_t *offsets = texts->offsets + found[i].document;
        uint64_t length = offsets[1] - offsets[0];
        printf("  %.3f  %.*s...\n", found[i].score, (int)(length < 70 ? length : 70), texts->bytes + offsets[0]);
    }
    return 0;
}

/* Weighs the words of the texts, by term, and makes an index of that: nothing of the weights is kept. */
static akin_status index_texts(akin_context *context, const akin_column *texts, uint32_t rows, akin_rank_index **out,
                               akin_error *error)
{
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_text_options words = AKIN_TEXT_OPTIONS_INIT;
    akin_weights *weights = NULL;
    options.order = AKIN_WEIGHTS_BY_TERM;
    options.stem = "english";
    options.text = &words;
    akin_status status = akin_stop_words("english", &words.stop_words, &words.stop_word_count, error);
    if (status == AKIN_OK)
        status = akin_weigh(context, texts, 1, rows, &options, &weights, error);
    if (status == AKIN_OK)
        status = akin_rank_index_create(context, weights, NULL, out, error);
    akin_weights_free(weights);
    return status;
}

/* Asks question by question. The ranker, which is made of the index once, is kept between them. */
static akin_status ask(akin_context *context, const akin_rank_index *index, akin_column *texts, char **questions,
                       akin_error *error)
{
    akin_rank_options options = AKIN_RANK_OPTIONS_INIT;
    akin_ranking *ranking = NULL;
    options.k = 2;
    akin_status status = akin_ranking_create(context, index, &options, &ranking, error);
    for (; status == AKIN_OK && *questions != NULL; questions++) {
        const uint64_t offsets[] = {0, strlen(*questions)};
        akin_column asked = {.size = sizeof asked, .name = "question", .offsets = offsets, .bytes = *questions};
        printf("%s\n", *questions);
        status = akin_ranking_run(ranking, &asked, 1, 1, print, texts, error);
    }
    akin_ranking_free(ranking);
    return status;
}

static akin_status answer(akin_context *context, const char *path, char **questions, akin_error *error)
{
    static const char *const text = "text";
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    akin_rank_index *index = NULL;
    akin_column texts = AKIN_COLUMN_INIT;
    options.column_count = 1;
    options.columns = &text;
    akin_status status = akin_table_read(context, path, &options, &table, error);
    if (status == AKIN_OK)
        status = akin_table_column(table, 0, &texts, error);
    if (status == AKIN_OK)
        status = index_texts(context, &texts, akin_table_rows(table), &index, error);
    if (status == AKIN_OK)
        status = ask(context, index, &texts, questions, error);
    akin_rank_index_free(index);
    akin_table_free(table);
    return status;
}

int main(int argc, char **argv)
{
    akin_context *context = NULL;
    akin_error error;
    if (argc < 3) {
        fprintf(stderr, "usage: questions TEXTS QUESTION...\n");
        return 2;
    }
    akin_status status = akin_context_create(NULL, &context, &error);
    if (status == AKIN_OK)
        status = answer(context, argv[1], argv + 2, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "questions: %s\n", error.message);
    akin_context_free(context);
    return status == AKIN_OK ? 0 : 1;
}
