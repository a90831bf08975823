/* Opens a library of the system's when it is first needed, or says why it cannot be had. */
#ifndef BITPAL_CLOADER_H
#define BITPAL_CLOADER_H

#include <stddef.h>

/* A library's handle for dlsym, by the first of its names that can be opened; NULL when none can be.

   names: file names as the dynamic linker knows them, ended by NULL.
   library, package: what it is called, and the Debian package that brings it, for `problem`: a sentence for people, of
   at most `size` bytes, written only when NULL is returned. */
void *bitpal_library_open(
  const char *const *names, const char *library, const char *package, char *problem, size_t size);

#endif
