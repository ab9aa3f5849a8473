/* How candidates are shared among the threads of a GPU. */
#include "papers/join/sharings.h"

#include "akin_papers.h"

static const akin_choice sharing_rows[] = {
    {"auto", "", "by the average size of the sets", AKIN_SHARING_AUTO, AKIN_IS_DEFAULT},
    {"many", "", "a thread verifies many pairs", AKIN_SHARING_MANY, 0},
    {"one", "", "a thread verifies one pair", AKIN_SHARING_ONE, 0},
    {"part", "", "the threads of a warp share a pair", AKIN_SHARING_PART, 0},
};
const akin_choice_table akin_papers_sharings = AKIN_CHOICE_TABLE("sharing", sharing_rows);

const char *akin_sharing_name(akin_sharing sharing)
{
    return akin_choice_name(&akin_papers_sharings, (int)sharing);
}

akin_status akin_sharing_parse(const char *name, akin_sharing *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_papers_sharings, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_sharing)value;
    return status;
}
