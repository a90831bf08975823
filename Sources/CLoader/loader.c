#include "CLoader.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *bitpal_library_open(
  const char *const *names, const char *library, const char *package, char *problem, size_t size) {
  for (; *names != NULL; names++) {
    void *handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) { return handle; }
  }
  /* dlopen gives only a text as its reason. Opening /dev/null shows whether any file can be opened at all. */
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno != ENOENT && errno != EACCES) {
    snprintf(problem, size, "%s cannot be loaded: %s", library, strerror(errno));
  } else {
    if (file >= 0) { close(file); }
    snprintf(problem, size, "%s is not installed (on Debian and Ubuntu: apt install %s)", library, package);
  }
  return NULL;
}
