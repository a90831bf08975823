/* Opens a system library on first use, or explains why that fails. */
#ifndef BITPAL_CLOADER_H
#define BITPAL_CLOADER_H

#include <stddef.h>

/* Returns a library's handle for dlsym, by the first of its names that can be opened; NULL when none can be.

   names: file names as the dynamic linker knows them, ended by NULL.
   library, package: the name of the library and of its Debian package, for the message.
   problem: receives a message for people of at most `size` bytes, only when NULL is returned. */
void *bitpal_library_open(
  const char *const *names, const char *library, const char *package, char *problem, size_t size);

#endif
