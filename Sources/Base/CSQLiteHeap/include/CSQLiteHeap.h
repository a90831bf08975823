/* A bound on the memory and the time that SQLite may use on one thread.

   SQLite's own limits do not bound a single statement. sqlite3_hard_heap_limit64 counts the memory of all connections
   of the process, so a limit that stops one would make a blameless one fail. The progress handler is not called within
   one long function, and some functions take seconds. But all of them allocate memory, so the allocator checks both
   bounds: it is SQLite's own, and refuses memory to a thread that has reached its bound.

   It is installed when the program is loaded, before SQLite is first used. When the program has chosen another
   allocator for SQLite, that one stays and nothing is bounded here. */
#ifndef BITPAL_CSQLITEHEAP_H
#define BITPAL_CSQLITEHEAP_H

#include <stdint.h>

/* The reason for which memory was refused. */
enum { BITPAL_HEAP_NONE = 0, BITPAL_HEAP_MEMORY = 1, BITPAL_HEAP_TIME = 2 };

typedef struct {
  int64_t bytes;    /* how many bytes may still be taken; what is given back counts again */
  int64_t deadline; /* on bitpal_heap_clock: from here on nothing is given out any more */
  int refusal;      /* the first refusal, BITPAL_HEAP_NONE without one */
  unsigned pieces;  /* how many pieces were asked for */
} bitpal_heap_bound;

/* Returns the nanoseconds of a monotonic clock. */
int64_t bitpal_heap_clock(void);

/* Sets the bound of the calling thread, or removes it with NULL. Returns the previous bound. */
bitpal_heap_bound *bitpal_heap_set_bound(bitpal_heap_bound *bound);

/* Has glibc's allocator give back freed memory of the whole process sooner. Each thread has an arena of its own otherwise,
   which keeps what its busiest moment took, and a threshold that grows keeps large pieces as well. Variables of the
   environment, such as MALLOC_ARENA_MAX, hold where they are set. */
void bitpal_heap_keep_less(void);

/* Gives freed memory of the whole process back now. */
void bitpal_heap_give_back(void);

#endif
