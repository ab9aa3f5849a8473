/* The keys of records as text, for programs that bring records of one key, or of neighbouring keys, together. */
#include "base/ceiling.h"
#include "dedupe/equals.h"
#include "dedupe/keys.h"
#include "dedupe/selections.h"
#include "strings/alphabet.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_MOST 21 /* digits, and the end, of a key that is a number */

static const char what[] = "the keys";

/* A part of the keys. */
typedef struct part_keys {
    const akin_key_part *part;
    const akin_key_row *row;
    akin_values values;
    uint64_t *numbers; /* of values; NULL: keys are texts */
} part_keys;

/* What keys are made of. */
typedef struct key_form {
    const akin_key_part *parts;
    uint32_t count;
    int is_of_equals; /* a record may lack some parts */
} key_form;

/* The key of one record, which grows. */
typedef struct key_text {
    akin_account *account;
    char *bytes;
    uint64_t length, capacity;
} key_text;

static int add_bytes(key_text *key, const char *bytes, uint64_t length)
{
    char *room = akin_enlarge(key->account, key->bytes, &key->capacity, key->length + length, 1);
    if (!room)
        return 0;
    key->bytes = room;
    memcpy(key->bytes + key->length, bytes, length);
    key->length += length;
    return 1;
}

/* The text of a part of the key of a record; NULL: it has none. A number is written into `number`. */
static const char *text_of_part(const part_keys *p, uint32_t record, char number[NUMBER_MOST], uint64_t *length)
{
    const uint32_t value = p->values.of[record];
    if (value == AKIN_VALUE_NONE || (p->numbers && p->numbers[value] == 0))
        return NULL;
    if (p->numbers) {
        *length = (uint64_t)snprintf(number, NUMBER_MOST, "%020" PRIu64, p->numbers[value]);
        return number;
    }
    const char *text = akin_values_text(&p->values, value, length);
    *length = p->row->cut ? p->row->cut(text, *length, p->part->argument) : *length;
    return text;
}

/* Makes the key of a record. Several parts stand behind one another, each behind its length and a colon. *has: whether
 * it has enough of them. */
static akin_status make_key(const key_form *form, const part_keys *parts, uint32_t record, key_text *key, int *has)
{
    char number[NUMBER_MOST], length_text[NUMBER_MOST + 1];
    uint32_t present = 0;
    key->length = 0;
    for (uint32_t i = 0; i < form->count; i++) {
        uint64_t length = 0;
        const char *text = text_of_part(&parts[i], record, number, &length);
        if (!text && !form->is_of_equals)
            break;
        present += text != NULL;
        const int front = form->count > 1 ? snprintf(length_text, sizeof length_text, "%" PRIu64 ":", length) : 0;
        if (!add_bytes(key, length_text, (uint64_t)front) || (text && !add_bytes(key, text, length)))
            return AKIN_E_NOMEM;
    }
    *has = form->is_of_equals ? akin_equals_are_telling(present, form->count) : present == form->count;
    return AKIN_OK;
}

static akin_status put_keys(akin_dedupe_job *j, const key_form *form, const part_keys *parts, akin_frame *frame,
                            akin_error *error)
{
    const uint32_t rows = j->records.count;
    key_text key = {.account = &j->account};
    akin_status status = akin_frame_extend(frame, rows, NULL, error);
    for (uint32_t record = 0; record < rows && status == AKIN_OK; record++) {
        int has = 0;
        status = akin_records_check_cancelled(j->scope, record, error);
        if (status == AKIN_OK && make_key(form, parts, record, &key, &has) != AKIN_OK)
            status = akin_fail_memory(error, what);
        if (status == AKIN_OK)
            status = akin_frame_add_text(frame, 0, has ? key.bytes : NULL, key.length, error);
    }
    akin_free(key.bytes);
    return status;
}

static akin_status make_part(const akin_scope *scope, akin_account *account, const akin_records *records, part_keys *p,
                             akin_error *error)
{
    p->row = akin_key_row_of(p->part->key);
    akin_status status = akin_column_check(&records->columns[0][p->part->column], "left", error);
    if (status == AKIN_OK)
        status = akin_values_make(scope, account, records, p->part->column, &p->values, error);
    if (status == AKIN_OK && p->row->number)
        status = akin_keys_of_values(scope, &p->values, p->part, 0, account, &p->numbers, error);
    return status;
}

/* The form of the keys of a selection. */
static akin_status form_of(const akin_dedupe_options *options, uint32_t selection, key_form *out, akin_error *error)
{
    if (selection >= options->selection_count)
        return akin_fail(error, AKIN_E_OPTION, "there is no selection %u; expected one from 0 to %u", selection,
                         options->selection_count - 1);
    const akin_selection *selected = &options->selections[selection];
    const akin_selection_row *row = akin_selection_row_of(selected->kind);
    if (!row->has_keys)
        return akin_fail(error, AKIN_E_OPTION, "selection %u is %s, which has no keys", selection, row->choice.name);
    *out = (key_form){.parts = selected->parts, .count = selected->part_count};
    return AKIN_OK;
}

/* The form of the keys of equal records; its parts, *parts, are to be freed. */
static akin_status form_of_equals(akin_dedupe_job *j, akin_key_part **parts, key_form *out, akin_error *error)
{
    const akin_dedupe_options *o = &j->options;
    uint32_t *attributes = akin_alloc(&j->account, o->attribute_count, sizeof *attributes);
    *parts = akin_alloc_zero(&j->account, o->attribute_count, sizeof **parts);
    if (attributes && *parts) {
        *out = (key_form){.parts = *parts, .count = akin_equals_attributes(j, attributes), .is_of_equals = 1};
        for (uint32_t i = 0; i < out->count; i++)
            (*parts)[i] = (akin_key_part){.column = o->attributes[attributes[i]].column, .key = AKIN_KEY_VALUE};
    }
    const int done = attributes && *parts;
    akin_free(attributes);
    return done ? AKIN_OK : akin_fail_memory(error, what);
}

static akin_status run(akin_context *context, akin_dedupe_job *j, const key_form *form, akin_frame **out,
                       akin_error *error)
{
    static const akin_type type = AKIN_TYPE_TEXT;
    static const char *const name = "key";
    akin_frame *frame = NULL;
    part_keys *parts = akin_alloc_zero(&j->account, form->count, sizeof *parts);
    akin_status status = AKIN_OK;
    if (!parts)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < form->count && status == AKIN_OK; i++) {
        parts[i].part = &form->parts[i];
        status = make_part(j->scope, &j->account, &j->records, &parts[i], error);
    }
    if (status == AKIN_OK)
        status = akin_frame_create(context, 1, &type, &name, &frame, error);
    if (status == AKIN_OK)
        status = put_keys(j, form, parts, frame, error);
    for (uint32_t i = 0; i < form->count; i++) {
        akin_values_clear(&parts[i].values);
        akin_free(parts[i].numbers);
    }
    akin_free(parts);
    if (status == AKIN_OK)
        *out = frame;
    else
        akin_frame_free(frame);
    return status;
}

akin_status akin_dedupe_keys(akin_context *context, const akin_column *columns, uint32_t rows, uint32_t column_count,
                             const akin_dedupe_options *options, uint32_t selection, akin_frame **out,
                             akin_error *error)
{
    akin_dedupe_job j = {.scope = akin_scope_of(context), .columns = column_count};
    akin_status status = akin_dedupe_read_options(&j, options, error);
    if (status != AKIN_OK)
        return status;
    if (rows == UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "%u records: expected fewer", rows);
    key_form form = {.parts = NULL};
    akin_key_part *parts = NULL;
    j.records = (akin_records){.columns = {columns, NULL}, .tables = 1, .rows = {rows, 0}, .count = rows};
    akin_account_begin(&j.account, j.scope);
    status = selection == AKIN_KEYS_OF_EQUALS ? form_of_equals(&j, &parts, &form, error)
                                              : form_of(&j.options, selection, &form, error);
    if (status == AKIN_OK)
        status = akin_columns_make(j.scope, &j.account, &j.options, j.columns, &j.records, &j.made, error);
    if (status == AKIN_OK)
        status = run(context, &j, &form, out, error);
    akin_columns_clear(&j.made);
    akin_free(parts);
    return akin_ceiling_conclude(j.scope, &j.account, "the keys", status, error);
}
