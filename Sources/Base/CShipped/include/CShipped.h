// The files that are shipped inside the program: providers, imports and the demo recording.
#ifndef CSHIPPED_H
#define CSHIPPED_H

#include <stddef.h>

typedef struct {
  // The path below the root of the repository, such as providers/kraken.yaml.
  const char *path;
  const unsigned char *bytes;
  size_t count;
} bitpal_shipped_file;

// Returns all files, sorted by path.
const bitpal_shipped_file *bitpal_shipped_files(void);

// Returns the number of files.
size_t bitpal_shipped_count(void);

#endif
