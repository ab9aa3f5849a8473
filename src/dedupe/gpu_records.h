/*
 * The records of a job on a GPU: of each column that it needs the shapes and symbols, made there of the texts as they
 * lie in the tables; of numbers and dates what they are, read here.
 */
#ifndef AKIN_DEDUPE_GPU_RECORDS_H
#define AKIN_DEDUPE_GPU_RECORDS_H

#include "dedupe/gpu_kernels.h"
#include "dedupe/values.h"

/* A column. Lengths: the values of each table by their lengths; a missing value has length 0. */
typedef struct akin_gpu_loaded {
    int is_there;
    akin_gpu_column column;
    uint32_t longest;
    uint32_t lengths[2][AKIN_GPU_LONGEST + 1];
    akin_device_buffer shapes, symbols;
} akin_gpu_loaded;

typedef struct akin_gpu_records {
    const akin_scope *scope;
    akin_account *account;
    akin_device *device;
    akin_device_stream *stream;
    const akin_records *records;
    akin_gpu_loaded *columns; /* of each column of the tables */
    uint32_t unfit;           /* 1 + the column that has a value which is not for the GPU */
    uint32_t count;           /* columns */
    akin_device_buffer bytes, offsets, validity, lengths, starts, kinds, survey;
} akin_gpu_records;

/* Makes `columns` columns, all empty. The caller clears them in any case. Errors: AKIN_E_NOMEM, AKIN_E_DEVICE. */
akin_status akin_gpu_records_begin(const akin_scope *scope, akin_account *account, akin_device *device,
                                   const akin_records *records, uint32_t columns, akin_gpu_records *out,
                                   akin_error *error);
void akin_gpu_records_clear(akin_gpu_records *records);

/* Brings a column there, unless it is. Errors: AKIN_E_INPUT with `unfit` set, without a message: a value is not UTF-8,
 * or longer than AKIN_GPU_LONGEST; AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_status akin_gpu_records_need(akin_gpu_records *records, uint32_t column, akin_error *error);

/* Gives back what is only needed while columns are brought there. */
void akin_gpu_records_ready(akin_gpu_records *records);

/* Brings the numbers or days of a column there, NAN where there is none. Errors: as above. */
akin_status akin_gpu_records_numbers(akin_gpu_records *records, uint32_t column, int dates, akin_device_buffer *out,
                                     akin_error *error);

#endif
