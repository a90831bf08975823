/* What the tool needs of its own process where /proc is not mounted. */
#ifndef BITPAL_CPROGRAM_H
#define BITPAL_CPROGRAM_H

/* A word with which the program was started, 0 for its own name; NULL behind the last. Swift reads them from /proc. */
const char *bitpal_argument(int place);

#endif
