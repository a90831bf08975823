/* A bound on what SQLite may take on one thread, in memory and in time.

   SQLite's own limits do not bound a single statement: sqlite3_hard_heap_limit64 counts what all connections of the
   process hold, so a limit that stops one would fail another that does nothing wrong; and the progress handler is not
   asked within one long function, of which some take seconds. All of those ask for memory, though. So the allocator is
   where both are looked at: it is SQLite's own, and says no to a thread that has had its share.

   It is put in place when the program is loaded, before SQLite is first used. When the program has chosen an allocator of
   its own for SQLite, that one stays and nothing is bounded here. */
#ifndef BITPAL_CSQLITEHEAP_H
#define BITPAL_CSQLITEHEAP_H

#include <stdint.h>

/* Why memory was refused. */
enum { BITPAL_HEAP_NONE = 0, BITPAL_HEAP_MEMORY = 1, BITPAL_HEAP_TIME = 2 };

typedef struct {
  int64_t bytes;    /* how many bytes may still be taken; what is given back counts again */
  int64_t deadline; /* on bitpal_heap_clock: from here on nothing is given out any more */
  int refusal;      /* the first refusal, BITPAL_HEAP_NONE without one */
  unsigned pieces;  /* how many pieces were asked for */
} bitpal_heap_bound;

/* Nanoseconds on a clock that never goes back. */
int64_t bitpal_heap_clock(void);

/* Bounds the calling thread from here on; NULL lifts the bound. Returns the bound before. */
bitpal_heap_bound *bitpal_heap_set_bound(bitpal_heap_bound *bound);

#endif
