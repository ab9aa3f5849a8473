/* Stands in for the GPU where akin was built without CUDA. */
#include "device/device.h"

const char *akin_device_state(void)
{
    return "built without CUDA";
}

akin_status akin_device_require(uint32_t number, akin_error *error)
{
    return akin_fail(error, AKIN_E_DEVICE,
                     "GPU %u was asked for, but this akin was built without CUDA; use the device cpu or auto", number);
}
