/* Compares what jobs take with a GPU and without. */
#include "device/worth.h"

#include "base/context.h"
#include "device/devices.h"

double akin_device_opening(const akin_scope *scope)
{
    const double wished = akin_wishes_of(scope)->gpu_opens, scale = scope->context->scale_gpu[0];
    if (akin_device_opened(scope))
        return 0;
    return (wished > 0 ? wished : AKIN_DEVICE_OPENS) * (scale > 0 ? scale : 1);
}

int akin_device_is_worth(const akin_scope *scope, const akin_device_estimate *e)
{
    const double times = e->times > 1 ? e->times : 1;
    if (scope->device_choice != AKIN_DEVICE_AUTO)
        return scope->device_choice == AKIN_DEVICE_CUDA;
    return akin_device_opening(scope) + e->bring + times * e->there < times * e->here;
}
