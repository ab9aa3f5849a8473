/* Fuzzes models of learnt weights: a text of JSON is refused with a message, or is read as a model, whose text is read
 * as a model of the same text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* NULL: it is refused. */
static akin_dedupe_model *read_model(const char *text, size_t length)
{
    akin_error error = {.message = ""};
    akin_dedupe_model *model = NULL;
    akin_json *json = NULL;
    if (akin_json_parse("input", text, length, &json, NULL) != AKIN_OK)
        return NULL;
    if (akin_dedupe_model_read(json, "input", &model, &error) != AKIN_OK) {
        require(model == NULL && error.code == AKIN_E_INPUT && error.message[0] != '\0');
        require(akin_dedupe_model_read(json, NULL, &model, &error) == AKIN_E_INPUT && error.message[0] != '\0');
    }
    akin_json_free(json);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    akin_dedupe_model *model = read_model((const char *)data, size), *again;
    if (!model)
        return 0;
    const char *text = akin_dedupe_model_text(model);
    again = read_model(text, strlen(text));
    require(again != NULL && strcmp(akin_dedupe_model_text(again), text) == 0);
    akin_dedupe_model_free(again);
    akin_dedupe_model_free(model);
    return 0;
}
