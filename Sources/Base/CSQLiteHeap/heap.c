#include "CSQLiteHeap.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static sqlite3_mem_methods base;
static _Thread_local bitpal_heap_bound *current;

int64_t bitpal_heap_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bitpal_heap_bound *bitpal_heap_set_bound(bitpal_heap_bound *bound) {
  bitpal_heap_bound *before = current;
  current = bound;
  return before;
}

/* The clock is read for every large piece and for one of EACH small ones, because it costs as much as a small piece. */
enum { LARGE = 4096, EACH = 64 };

/* Whether the thread may allocate that many bytes more; the first refusal is noted in its bound. */
static int may_take(int64_t bytes) {
  bitpal_heap_bound *bound = current;
  if (bound == NULL || bytes <= 0) return 1;
  int refusal = BITPAL_HEAP_NONE;
  if (bytes > bound->bytes) {
    refusal = BITPAL_HEAP_MEMORY;
  } else if ((bytes >= LARGE || ++bound->pieces % EACH == 0) && bitpal_heap_clock() >= bound->deadline) {
    refusal = BITPAL_HEAP_TIME;
  }
  if (bound->refusal == BITPAL_HEAP_NONE) bound->refusal = refusal;
  return refusal == BITPAL_HEAP_NONE;
}

static void count(int64_t bytes) {
  if (current != NULL) current->bytes -= bytes;
}

static void *take(int size) {
  if (!may_take(size)) return NULL;
  void *piece = base.xMalloc(size);
  if (piece != NULL) count(base.xSize(piece));
  return piece;
}

static void give_back(void *piece) {
  if (piece == NULL) return;
  count(-(int64_t)base.xSize(piece));
  base.xFree(piece);
}

static void *resize(void *piece, int size) {
  int64_t before = base.xSize(piece);
  if (!may_take(size - before)) return NULL;
  void *resized = base.xRealloc(piece, size);
  if (resized != NULL) count(base.xSize(resized) - before);
  return resized;
}

/* It runs before other threads and before SQLite is initialized, which accepts no other allocator afterwards. */
__attribute__((constructor)) static void watch(void) {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &base) != SQLITE_OK) return;
  sqlite3_mem_methods own = base;
  own.xMalloc = take;
  own.xFree = give_back;
  own.xRealloc = resize;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &own);
  /* Nothing asks for SQLite's own statistics, which take a lock for every piece. */
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

void bitpal_heap_give_back(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void bitpal_heap_keep_less(void) {
#ifdef __GLIBC__
  if (getenv("MALLOC_ARENA_MAX") == NULL) mallopt(M_ARENA_MAX, 2);
  if (getenv("MALLOC_MMAP_THRESHOLD_") == NULL) mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  if (getenv("MALLOC_TRIM_THRESHOLD_") == NULL) mallopt(M_TRIM_THRESHOLD, 512 * 1024);
#endif
}
