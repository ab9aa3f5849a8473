/* Primitives of the GPU that the host plays (property/host_device.h). */
#include "property/host_primitives.h"

#include "property/host_kernel.h"

/* By one bit after the other, those left out that are the same in all; the sorted arrays are left in the twins now and
 * then, as on a GPU. */
akin_status host_sort_pairs32(akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint32_t **values,
                              uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t bit = 0; bit < bits && status == AKIN_OK; bit++) {
        uint64_t to = 0, ones = 0;
        for (uint64_t i = 0; i < n; i++)
            ones += (*keys)[i] >> bit & 1;
        for (uint32_t side = 0; side < 2 && ones > 0 && ones < n; side++)
            for (uint64_t i = 0; i < n; i++)
                if (((*keys)[i] >> bit & 1) == side) {
                    (*twin)[to] = (*keys)[i];
                    (*values_twin)[to++] = (*values)[i];
                }
        if (to == 0)
            continue;
        uint32_t *swap = *keys;
        *keys = *twin;
        *twin = swap;
        swap = *values;
        *values = *values_twin;
        *values_twin = swap;
    }
    return status;
}

akin_status host_sort32(akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint64_t n, uint32_t bits,
                        akin_error *error)
{
    akin_status status = host_enter(error);
    for (uint32_t bit = 0; bit < bits && status == AKIN_OK; bit++) {
        uint64_t to = 0;
        for (uint32_t side = 0; side < 2; side++)
            for (uint64_t i = 0; i < n; i++)
                if (((*keys)[i] >> bit & 1) == side)
                    (*twin)[to++] = (*keys)[i];
        uint32_t *swap = *keys;
        *keys = *twin;
        *twin = swap;
    }
    return status;
}

/* The same, of longer keys; values may be left out. */
static void sort64(uint64_t **keys, uint64_t **twin, uint32_t **values, uint32_t **values_twin, uint64_t n,
                   uint32_t bits)
{
    for (uint32_t bit = 0; bit < bits; bit++) {
        uint64_t to = 0, ones = 0;
        for (uint64_t i = 0; i < n; i++)
            ones += (*keys)[i] >> bit & 1;
        for (uint32_t side = 0; side < 2 && ones > 0 && ones < n; side++)
            for (uint64_t i = 0; i < n; i++)
                if (((*keys)[i] >> bit & 1) == side) {
                    (*twin)[to] = (*keys)[i];
                    if (values)
                        (*values_twin)[to] = (*values)[i];
                    to++;
                }
        if (to == 0)
            continue;
        uint64_t *swap = *keys;
        *keys = *twin;
        *twin = swap;
        if (values) {
            uint32_t *values_swap = *values;
            *values = *values_twin;
            *values_twin = values_swap;
        }
    }
}

akin_status host_sort64(akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint64_t n, uint32_t bits,
                        akin_error *error)
{
    akin_status status = host_enter(error);
    if (status == AKIN_OK)
        sort64(keys, twin, NULL, NULL, n, bits);
    return status;
}

akin_status host_sort_pairs64(akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint32_t **values,
                              uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status == AKIN_OK)
        sort64(keys, twin, values, values_twin, n, bits);
    return status;
}

akin_status host_count_runs64(akin_device_stream *stream, const uint64_t *keys, uint64_t n, uint64_t *distinct,
                              uint32_t *counts, uint64_t *found, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    *found = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            distinct[*found] = keys[i];
            counts[(*found)++] = 0;
        }
        counts[*found - 1]++;
    }
    return AKIN_OK;
}

akin_status host_count_runs32(akin_device_stream *stream, const uint32_t *keys, uint64_t n, uint32_t *distinct,
                              uint32_t *counts, uint64_t *found, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    *found = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            distinct[*found] = keys[i];
            counts[(*found)++] = 0;
        }
        counts[*found - 1]++;
    }
    return AKIN_OK;
}

akin_status host_scan64(akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint64_t *offsets,
                        akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    offsets[0] = 0;
    for (uint64_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + counts[i];
    return AKIN_OK;
}

akin_status host_select_positions(akin_device_stream *stream, const uint8_t *flags, uint64_t n, uint32_t *out,
                                  uint64_t *found, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    *found = 0;
    for (uint64_t i = 0; i < n; i++)
        if (flags[i])
            out[(*found)++] = (uint32_t)i;
    return AKIN_OK;
}

akin_status host_segments_of(akin_device_stream *stream, const uint64_t *offsets, uint64_t segments, uint64_t first,
                             uint64_t n, uint32_t *out, akin_error *error)
{
    akin_status status = host_enter(error);
    uint32_t segment = 0;
    for (uint64_t i = first; i < first + n && status == AKIN_OK; i++) {
        while (offsets[segment + 1] <= i)
            segment++;
        if (segment >= segments)
            abort();
        out[i - first] = segment;
    }
    return status;
}

akin_status host_scan32(akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint32_t *offsets,
                        akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    offsets[0] = 0;
    for (uint64_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + counts[i];
    return AKIN_OK;
}

akin_status host_select32(akin_device_stream *stream, const uint32_t *items, const uint8_t *flags, uint64_t n,
                          uint32_t *out, uint64_t *found, akin_error *error)
{
    akin_status status = host_select_positions(stream, flags, n, out, found, error);
    for (uint64_t i = 0; status == AKIN_OK && i < *found; i++)
        out[i] = items[out[i]];
    return status;
}

akin_status host_select64(akin_device_stream *stream, const uint64_t *items, const uint8_t *flags, uint64_t n,
                          uint64_t *out, uint64_t *found, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    *found = 0;
    for (uint64_t i = 0; i < n; i++)
        if (flags[i])
            out[(*found)++] = items[i];
    return AKIN_OK;
}

akin_status host_segment_sums(akin_device_stream *stream, const uint32_t *values, const uint64_t *offsets,
                              uint64_t segments, uint64_t n, uint64_t *sums, akin_error *error)
{
    akin_status status = host_enter(error);
    must(offsets[0] == 0 && offsets[segments] == n);
    for (uint64_t s = 0; s < segments && status == AKIN_OK; s++) {
        sums[s] = 0;
        for (uint64_t i = offsets[s]; i < offsets[s + 1]; i++)
            sums[s] += values[i];
    }
    return status;
}
