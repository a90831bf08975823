#define _GNU_SOURCE
#include "CProgram.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int argument_count = 0;
static char **arguments = NULL;

/* glibc passes the arguments of the program to constructors, in static programs too. */
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

const char *bitpal_argument(int place) {
  return place >= 0 && place < argument_count ? arguments[place] : NULL;
}

/* Whether a path is /proc/<number>/stat, the state of a thread. */
static bool is_thread_state(const char *path) {
  int number = 0, end = 0;
  return sscanf(path, "/proc/%d/stat%n", &number, &end) == 1 && end > 0 && path[end] == '\0';
}

/* Returns a descriptor that reads as the state of a sleeping thread in the kernel's format; -1 on failure. */
static int sleeping_thread(void) {
  static const char state[] = "0 (thread) S";
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) { return -1; }
  bool is_written = write(ends[1], state, sizeof state - 1) == (ssize_t)sizeof state - 1;
  close(ends[1]);
  if (is_written) { return ends[0]; }
  close(ends[0]);
  return -1;
}

/* Replaces glibc's `open` in this program.

   libdispatch, on which Swift's tasks run, reads the state of its threads once per second while there is work. Without
   /proc it ends the process with an illegal instruction. Here it reads the state of a sleeping thread instead, and
   starts one more thread for the work, as it does when threads wait. */
int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  int file = openat(AT_FDCWD, path, flags, mode);
  return file < 0 && is_thread_state(path) ? sleeping_thread() : file;
}
