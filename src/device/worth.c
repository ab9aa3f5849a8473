/* Compares what jobs take with a GPU and without. */
#include "device/worth.h"

#include "base/context.h"
#include "device/devices.h"

#define BYTES_A_SECOND 4e9 /* that are brought to a GPU */

double akin_calibrated_scale(const akin_scope *scope, akin_calibrated kind)
{
    const double scale = scope->context->scale[kind];
    return scale > 0 ? scale : 1;
}

double akin_device_opening(const akin_scope *scope)
{
    const double wished = akin_wishes_of(scope)->gpu_opens;
    if (akin_device_opened(scope))
        return 0;
    return (wished > 0 ? wished : AKIN_DEVICE_OPENS) * akin_calibrated_scale(scope, AKIN_CALIBRATED_OPENING);
}

double akin_device_bringing(const akin_scope *scope, double bytes)
{
    return bytes / BYTES_A_SECOND * akin_calibrated_scale(scope, AKIN_CALIBRATED_TRANSFER);
}

int akin_device_is_optional(const akin_scope *scope)
{
    return scope->device_choice == AKIN_DEVICE_AUTO;
}

double akin_device_seconds(const akin_scope *scope, const akin_device_estimate *e)
{
    return e->there + (akin_device_opening(scope) + e->bring) / (e->times > 1 ? e->times : 1);
}

int akin_device_is_worth(const akin_scope *scope, const akin_device_estimate *e)
{
    if (!akin_device_is_optional(scope))
        return akin_device_is_required(scope);
    return akin_wishes_of(scope)->gpu_always || akin_device_seconds(scope, e) < e->here;
}

int akin_device_is_quick(const akin_scope *scope, double there, double quick)
{
    return akin_device_is_optional(scope) && akin_device_opened(scope) && there < quick;
}
