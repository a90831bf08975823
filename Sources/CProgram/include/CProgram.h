/* Access to the arguments of the process where /proc is not mounted. */
#ifndef BITPAL_CPROGRAM_H
#define BITPAL_CPROGRAM_H

/* Returns an argument of the program, at 0 its own name; NULL after the last one. Swift reads them from /proc. */
const char *bitpal_argument(int place);

#endif
