/* Opens a system library on first use, or explains why that fails. */
#ifndef BITPAL_CLOADER_H
#define BITPAL_CLOADER_H

#include <stddef.h>

/* A system library. */
struct bitpal_library {
  /* Its file names as the dynamic linker knows them, ended by NULL; the first that can be opened is taken. */
  const char *const *files;

  /* The names of the library and of its Debian package, and the oldest version that has all functions, for messages;
     `oldest` is NULL where it is unknown. */
  const char *name, *package, *oldest;
};

/* A function of a library, and the pointer to it that is set. */
struct bitpal_library_function {
  const char *name;
  void *pointer;
};

/* Declares `library`, a structure with a pointer for each function in FUNCTIONS, and `functions`, the list of them. */
#define BITPAL_LIBRARY(FUNCTIONS) \
  static struct { FUNCTIONS(BITPAL_LIBRARY_POINTER) } library; \
  static const struct bitpal_library_function functions[] = {FUNCTIONS(BITPAL_LIBRARY_FUNCTION){NULL, NULL}};
#define BITPAL_LIBRARY_POINTER(name) __typeof__(&name) name;
#define BITPAL_LIBRARY_FUNCTION(name) {#name, &library.name},

/* Opens a library and sets the pointers to its functions, which are ended by one without a name. Returns 1, or 0 with a
   message for people of at most `size` bytes in `problem`. */
int bitpal_library_load(
  const struct bitpal_library *library, const struct bitpal_library_function *functions, char *problem, size_t size);

#endif
