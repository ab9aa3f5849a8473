/* Primitives of a GPU that is made of host memory: to be included behind property/host_device.h. */
#ifndef AKIN_TEST_HOST_PRIMITIVES_H
#define AKIN_TEST_HOST_PRIMITIVES_H

#include "device/primitives.h"
#include "property/host_device.h"

/* By one bit after the other, those left out that are the same in all; the sorted arrays are left in the twins now and
 * then, as on a GPU. */
akin_status __wrap_akin_device_sort_pairs32(akin_device_stream *stream, uint32_t **keys, uint32_t **twin,
                                            uint32_t **values, uint32_t **values_twin, uint64_t n, uint32_t bits,
                                            akin_error *error)
{
    akin_status status = enter(error);
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

akin_status __wrap_akin_device_sort32(akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint64_t n,
                                      uint32_t bits, akin_error *error)
{
    akin_status status = enter(error);
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

akin_status __wrap_akin_device_sort64(akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint64_t n,
                                      uint32_t bits, akin_error *error)
{
    akin_status status = enter(error);
    if (status == AKIN_OK)
        sort64(keys, twin, NULL, NULL, n, bits);
    return status;
}

akin_status __wrap_akin_device_sort_pairs64(akin_device_stream *stream, uint64_t **keys, uint64_t **twin,
                                            uint32_t **values, uint32_t **values_twin, uint64_t n, uint32_t bits,
                                            akin_error *error)
{
    akin_status status = enter(error);
    if (status == AKIN_OK)
        sort64(keys, twin, values, values_twin, n, bits);
    return status;
}

akin_status __wrap_akin_device_count_runs64(akin_device_stream *stream, const uint64_t *keys, uint64_t n,
                                            uint64_t *distinct, uint32_t *counts, uint64_t *found, akin_error *error)
{
    akin_status status = enter(error);
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

akin_status __wrap_akin_device_count_runs32(akin_device_stream *stream, const uint32_t *keys, uint64_t n,
                                            uint32_t *distinct, uint32_t *counts, uint64_t *found, akin_error *error)
{
    akin_status status = enter(error);
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

akin_status __wrap_akin_device_scan64(akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint64_t *offsets,
                                      akin_error *error)
{
    akin_status status = enter(error);
    if (status != AKIN_OK)
        return status;
    offsets[0] = 0;
    for (uint64_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + counts[i];
    return AKIN_OK;
}

akin_status __wrap_akin_device_select_positions(akin_device_stream *stream, const uint8_t *flags, uint64_t n,
                                                uint32_t *out, uint64_t *found, akin_error *error)
{
    akin_status status = enter(error);
    if (status != AKIN_OK)
        return status;
    *found = 0;
    for (uint64_t i = 0; i < n; i++)
        if (flags[i])
            out[(*found)++] = (uint32_t)i;
    return AKIN_OK;
}

akin_status __wrap_akin_device_segments_of(akin_device_stream *stream, const uint64_t *offsets, uint64_t segments,
                                           uint64_t first, uint64_t n, uint32_t *out, akin_error *error)
{
    akin_status status = enter(error);
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

#endif
