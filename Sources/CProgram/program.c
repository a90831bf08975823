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

/* glibc calls constructors with what the program was started with, in static programs too. */
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

/* The state of a thread that sleeps, in the form of the kernel, as a descriptor to read it from; -1 when there is none. */
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

/* Stands before glibc's `open` in this program.

   libdispatch, on which Swift's tasks run, looks once a second at the state of its threads while there is work, and ends
   the process by an illegal instruction when /proc has none. It is given a thread that sleeps, whereupon it starts one
   more thread for the work, as it does where threads wait. */
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
