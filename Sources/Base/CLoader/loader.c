#include "CLoader.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *open_first(const struct bitpal_library *library, char *problem, size_t size) {
  for (const char *const *file = library->files; *file != NULL; file++) {
    void *handle = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) { return handle; }
  }
  /* dlopen gives only a text as its reason. Opening /dev/null shows whether any file can be opened at all. */
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno != ENOENT && errno != EACCES) {
    snprintf(problem, size, "%s cannot be loaded: %s", library->name, strerror(errno));
  } else {
    if (file >= 0) { close(file); }
    snprintf(
      problem, size, "%s is not installed (on Debian and Ubuntu: apt install %s)", library->name, library->package);
  }
  return NULL;
}

int bitpal_library_load(
  const struct bitpal_library *library, const struct bitpal_library_function *functions, char *problem, size_t size) {
  void *handle = open_first(library, problem, size);
  if (handle == NULL) { return 0; }
  for (; functions->name != NULL; functions++) {
    void *function = dlsym(handle, functions->name);
    if (function == NULL) {
      const char *package = library->package;
      if (library->oldest == NULL) {
        snprintf(problem, size, "%s has no %s: install a newer %s", library->name, functions->name, package);
      } else {
        snprintf(
          problem, size, "%s is older than %s (it has no %s): install a newer %s", library->name, library->oldest,
          functions->name, package);
      }
      return 0;
    }
    /* ISO C has no conversion between pointers to objects and to functions; POSIX gives both one representation. */
    memcpy(functions->pointer, &function, sizeof function);
  }
  return 1;
}
