/* Counts the terms of documents on a GPU: batches are brought there and cut into tokens. */
#include "weigh/gpu.h"

#include "base/bits.h"
#include "base/memory.h"
#include "device/primitives.h"

static const char what[] = "term weights";

/* ----------------------------------------------------------------------------------------------------------- memory */

akin_status akin_gpu_terms_need(akin_gpu_terms *terms, int buffer, uint64_t count, size_t size, akin_error *error)
{
    return akin_device_reserve(terms->device, &terms->buffers[buffer], count, size, what, error);
}

akin_status akin_gpu_terms_extend(akin_gpu_terms *terms, int buffer, uint64_t used, uint64_t bytes, akin_error *error)
{
    akin_device_buffer *old = &terms->buffers[buffer], larger = {0};
    if (old->data && bytes <= old->bytes)
        return AKIN_OK;
    akin_status status = akin_device_reserve(terms->device, &larger, bytes, 1, what, error);
    if (status == AKIN_OK && used > 0)
        status = akin_device_copy(terms->stream, larger.data, old->data, used, error);
    if (status != AKIN_OK) {
        akin_device_release(terms->device, &larger);
        return status;
    }
    akin_device_release(terms->device, old);
    *old = larger;
    return AKIN_OK;
}

akin_status akin_gpu_terms_extend_df(akin_gpu_terms *terms, akin_error *error)
{
    akin_gpu_terms *t = terms;
    akin_device_buffer *df = &t->buffers[AKIN_TERMS_DF];
    const uint64_t used = (uint64_t)t->df_count * sizeof(uint32_t), wanted = (uint64_t)t->ids * sizeof(uint32_t);
    if (wanted <= used)
        return AKIN_OK;
    akin_status status = AKIN_OK;
    if (!df->data || wanted > df->bytes)
        status = akin_gpu_terms_extend(t, AKIN_TERMS_DF, used, wanted + wanted / 2, error);
    if (status == AKIN_OK)
        status = akin_device_fill(t->stream, (char *)df->data + used, 0, wanted - used, error);
    t->df_count = status == AKIN_OK ? t->ids : t->df_count;
    return status;
}

akin_status akin_gpu_terms_begin(akin_gpu_terms *terms, akin_device *device, const akin_weights *weights,
                                 const akin_gpu_way *way, const akin_scope *scope, akin_error *error)
{
    akin_gpu_terms *t = terms;
    t->device = device;
    t->way = way;
    t->scope = scope;
    t->dictionary = weights->dictionary;
    t->shared = weights->shared;
    t->ids = weights->dictionary->count + (weights->shared != AKIN_WEIGHTS_NONE);
    t->table.salt[0] = weights->dictionary->salt.word[0];
    t->table.salt[1] = weights->dictionary->salt.word[1];
    t->is_plain = !*weights->analysis->stem && weights->analysis->stop_count == 0 && t->ids == 0;
    if (t->ids >= AKIN_GPU_SPARE)
        return akin_fail(error, AKIN_E_LIMIT, "more than %u terms, on a GPU", AKIN_GPU_SPARE - 1);
    if (akin_analyser_begin(&t->analyser, weights->analysis, scope->cpu, NULL) != AKIN_OK)
        return akin_fail_memory(error, what);
    akin_status status = akin_device_stream_create(device, &t->stream, error);
    if (status == AKIN_OK)
        status = akin_device_stream_create(device, &t->copies, error);
    for (int i = 0; i < 2 && status == AKIN_OK; i++) {
        status = akin_device_event_create(device, &t->places[i].copied, error);
        if (status == AKIN_OK)
            status = akin_device_event_create(device, &t->places[i].used, error);
    }
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_TOLD, 1, sizeof(akin_gpu_told), error);
    return status == AKIN_OK ? akin_pinned_reserve(device, &t->told, 1, sizeof(akin_gpu_told), what, error) : status;
}

void akin_gpu_terms_trim(akin_gpu_terms *terms)
{
    for (int i = 0; i < 2; i++) {
        akin_device_release(terms->device, &terms->places[i].text);
        akin_device_release(terms->device, &terms->places[i].offsets);
    }
    for (int i = 0; i < AKIN_TERMS_BUFFERS; i++)
        if (i != AKIN_TERMS_WORDS && i != AKIN_TERMS_POOL && i != AKIN_TERMS_DF && i != AKIN_TERMS_TOLD)
            akin_device_release(terms->device, &terms->buffers[i]);
    if (terms->way->trim)
        terms->way->trim(terms);
    terms->is_dirty = 1;
}

void akin_gpu_terms_clear(akin_gpu_terms *terms)
{
    akin_gpu_terms *t = terms;
    akin_analyser_clear(&t->analyser);
    if (!t->device)
        return;
    if (t->way->clear)
        t->way->clear(t);
    akin_device_stream_free(t->copies);
    akin_device_stream_free(t->stream);
    for (int i = 0; i < 2; i++) {
        akin_device_event_free(t->places[i].copied);
        akin_device_event_free(t->places[i].used);
        akin_device_release(t->device, &t->places[i].text);
        akin_device_release(t->device, &t->places[i].offsets);
    }
    for (int i = 0; i < AKIN_TERMS_BUFFERS; i++)
        akin_device_release(t->device, &t->buffers[i]);
    akin_pinned_release(t->device, &t->told);
    *t = (akin_gpu_terms){0};
}

void akin_gpu_counted_clear(akin_device *device, akin_gpu_counted *counted)
{
    akin_device_release(device, &counted->offsets);
    akin_device_release(device, &counted->lengths);
    akin_device_release(device, &counted->ids);
    akin_device_release(device, &counted->tf);
}

/* ---------------------------------------------------------------------------------------------------------- batches */

akin_status akin_gpu_terms_send(akin_gpu_terms *terms, uint32_t place, const akin_gpu_batch *batch, akin_error *error)
{
    akin_gpu_place *p = &terms->places[place];
    const uint64_t offsets = (uint64_t)batch->documents + 1;
    akin_status status = akin_device_reserve(terms->device, &p->text,
                                             akin_ceil_div(batch->bytes, 8) * 8 + AKIN_GPU_PADDING, 1, what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(terms->device, &p->offsets, offsets, sizeof *batch->offsets, what, error);
    if (status == AKIN_OK)
        status = akin_device_stream_wait(terms->copies, p->used, error);
    if (status == AKIN_OK)
        status = akin_device_write(terms->copies, p->text.data, batch->text, batch->bytes, error);
    if (status == AKIN_OK)
        status =
            akin_device_write(terms->copies, p->offsets.data, batch->offsets, offsets * sizeof *batch->offsets, error);
    p->batch = *batch;
    return status == AKIN_OK ? akin_device_event_record(p->copied, terms->copies, error) : status;
}

/* Reads the results of kernels, and waits for them. */
static akin_status hear_tokens(akin_gpu_terms *t, akin_error *error)
{
    akin_gpu_told *told = t->told.data;
    akin_status status = akin_kernels(t->stream)->terms_look->report(
        t->stream, &told->tokens, t->text.bases + t->text.spans, sizeof told->tokens, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(t->stream, error);
    t->tokens = told->tokens;
    return status;
}

akin_status akin_gpu_terms_cut(akin_gpu_terms *terms, const akin_gpu_place *place, akin_error *error)
{
    akin_gpu_terms *t = terms;
    const akin_gpu_place *p = place;
    const akin_gpu_batch *b = &p->batch;
    const uint64_t spans = b->bytes / AKIN_GPU_SPAN + 1, words = spans * AKIN_GPU_WORDS;
    akin_device_buffer *buffers = t->buffers;
    akin_status status = akin_device_stream_wait(t->stream, p->copied, error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_BEGINS, words, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_STOPS, words, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_RANKS, words, sizeof(uint16_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_COUNTS, spans, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_BASES, spans + 1, sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = akin_gpu_terms_need(t, AKIN_TERMS_FIRSTS, (uint64_t)b->documents + 1, sizeof(uint64_t), error);
    if (status != AKIN_OK)
        return status;
    t->text = (akin_gpu_text){.text = p->text.data,
                              .bytes = b->bytes,
                              .spans = spans,
                              .offsets = p->offsets.data,
                              .documents = b->documents,
                              .rule = b->rule,
                              .begins = buffers[AKIN_TERMS_BEGINS].data,
                              .stops = buffers[AKIN_TERMS_STOPS].data,
                              .ranks = buffers[AKIN_TERMS_RANKS].data,
                              .counts = buffers[AKIN_TERMS_COUNTS].data,
                              .bases = buffers[AKIN_TERMS_BASES].data,
                              .firsts = buffers[AKIN_TERMS_FIRSTS].data};
    status = akin_device_fill(t->stream, t->text.stops, 0, words * sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->start(t->stream, &t->text, error);
    for (uint64_t first = 0; first < spans && status == AKIN_OK; first += AKIN_GPU_SLICE)
        status = akin_kernels(t->stream)->terms_look->mark(t->stream, &t->text, first,
                                                           akin_min_u64(AKIN_GPU_SLICE, spans - first), error);
    if (status == AKIN_OK)
        status = akin_device_scan64(t->stream, t->text.counts, spans, t->text.bases, error);
    if (status == AKIN_OK)
        status = akin_kernels(t->stream)->terms_look->place(t->stream, &t->text, error);
    return status == AKIN_OK ? hear_tokens(t, error) : status;
}

akin_status akin_gpu_terms_count(akin_gpu_terms *terms, uint32_t place, akin_gpu_counted *counted, akin_error *error)
{
    akin_gpu_terms *t = terms;
    akin_gpu_place *p = &t->places[place];
    double start = akin_clock();
    akin_status status = akin_gpu_terms_cut(t, p, error);
    akin_gpu_terms_timed(t, AKIN_TERMS_CUT, &start);
    counted->documents = p->batch.documents;
    counted->tokens = t->tokens;
    return status == AKIN_OK ? t->way->count(t, p, counted, error) : status;
}

akin_status akin_gpu_terms_weigh(akin_gpu_terms *terms, const akin_formula_terms *formula, double mean,
                                 const akin_gpu_counted *counted, const double *idf, double *values, akin_error *error)
{
    return terms->way->weigh(terms, formula, mean, counted, idf, values, error);
}
