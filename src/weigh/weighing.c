/* Makes room for weights in the making. */
#include "weigh/weighing.h"

static const char what[] = "term weights"; /* the memory is for */

akin_status akin_weigher_make_room(akin_weigher *weigher, uint64_t documents, uint64_t pairs, akin_error *error)
{
    akin_weigher *w = weigher;
    akin_bulk *arrays = w->weights->arrays;
    akin_status status =
        akin_bulk_grow(&arrays[AKIN_WEIGHTS_OFFSETS], (documents + 1) * sizeof *w->offsets, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_grow(&arrays[AKIN_WEIGHTS_LENGTHS], documents * sizeof *w->lengths, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_grow(&arrays[AKIN_WEIGHTS_IDS], pairs * sizeof *w->ids, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_grow(&arrays[AKIN_WEIGHTS_TF], pairs * sizeof *w->tf, what, error);
    w->offsets = arrays[AKIN_WEIGHTS_OFFSETS].data;
    w->lengths = arrays[AKIN_WEIGHTS_LENGTHS].data;
    w->ids = arrays[AKIN_WEIGHTS_IDS].data;
    w->tf = arrays[AKIN_WEIGHTS_TF].data;
    return status;
}
