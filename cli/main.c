/* The command akin, which reads what libakin reads. */
#include <stddef.h>

#include "run.h"

int main(int argc, char **argv)
{
    return akin_cli_run(argc, argv, NULL);
}
