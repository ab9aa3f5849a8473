/* The memory that a technique takes on the CPU beside the sets: upper bounds from the sizes of the sides, which are set
 * in the job. Each is an akin_join_bytes (technique.h). */
#ifndef AKIN_JOIN_ROOM_H
#define AKIN_JOIN_ROOM_H

#include "join/technique.h"

akin_join_bytes akin_room_prefix;   /* AllPairs, PPJoin, GroupJoin */
akin_join_bytes akin_room_bitmap;   /* the bitmap join */
akin_join_bytes akin_room_screened; /* the screened join, in as many blocks of tokens as there is room for */

#endif
