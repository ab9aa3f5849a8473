/* Keys by which records are sorted, or put into blocks: the table of them, and the keys of a column's records. */
#ifndef AKIN_DEDUPE_KEYS_H
#define AKIN_DEDUPE_KEYS_H

#include "base/choice.h"
#include "dedupe/gpu_kernels.h"
#include "dedupe/values.h"

/* A key; its value is an akin_key. It is a number or a text: a row has `number`, or `cut`, or neither for the whole
 * text. */
typedef struct akin_key_row {
    akin_choice choice;
    uint32_t most;    /* the argument, behind a colon, is from 1 to this; 0: there is none */
    int has_scale;    /* behind the colon stands a decimal number above 0 */
    int is_bucket;    /* `number` is that of a bucket: blocks have neighbouring ones, too */
    akin_gpu_key gpu; /* the same on a GPU; AKIN_GPU_NO_KEY: it sorts by none that is longer than 32 bits */
    /* The key of a value, which is above 0, and by which records are sorted; 0: it has none. */
    uint64_t (*number)(const akin_values *values, uint32_t value, const akin_key_part *part);
    /* How many bytes of a value are its key; records are sorted by these. */
    akin_values_cut cut;
} akin_key_row;

extern const akin_choice_table akin_keys;

/* The row of a key; NULL: there is none. */
const akin_key_row *akin_key_row_of(akin_key key);

/* The keys of values, to be freed: 0 where a value has none. Equal keys are equal numbers; where `sorted` their order
 * is that of keys, too. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_keys_of_values(const akin_scope *scope, const akin_values *values, const akin_key_part *part,
                                int sorted, akin_account *account, uint64_t **out, akin_error *error);

/* The key of a record: 0 where its value is missing, or has none. */
static inline uint64_t akin_key_of_record(const akin_values *values, const uint64_t *keys, uint32_t record)
{
    return values->of[record] == AKIN_VALUE_NONE ? 0 : keys[values->of[record]];
}

#endif
