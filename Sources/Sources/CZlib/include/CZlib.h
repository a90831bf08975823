/* zlib, loaded on first use: only compressed answers need it. */
#ifndef BITPAL_CZLIB_H
#define BITPAL_CZLIB_H

#include <stddef.h>

/* The format of a compressed stream: gzip (RFC 1952), zlib (RFC 1950) or plain deflate (RFC 1951). */
enum bitpal_zlib_format { BITPAL_ZLIB_GZIP, BITPAL_ZLIB_ZLIB, BITPAL_ZLIB_RAW };

/* How reading a stream ended: at its end with a right checksum, before its end because the bytes were used up, at
   damaged bytes, because the receiver stopped it, or because no memory was left. */
enum bitpal_zlib_end { BITPAL_ZLIB_WHOLE, BITPAL_ZLIB_CUT, BITPAL_ZLIB_DAMAGED, BITPAL_ZLIB_STOPPED, BITPAL_ZLIB_MEMORY };

/* Receives decompressed bytes; a result of 0 stops the reading. */
typedef int (*bitpal_zlib_receiver)(const unsigned char *bytes, size_t count, void *context);

/* Loads zlib once; thread-safe. Returns NULL on success, otherwise a message for people. */
const char *bitpal_zlib_load(void);

/* zlib's version: `1.2.13`. */
const char *bitpal_zlib_version(void);

/* Decompresses the stream at the start of `bytes`, and sets `used` to the number of bytes that it takes up.
   bitpal_zlib_load must have returned NULL before. */
enum bitpal_zlib_end bitpal_zlib_inflate(
  enum bitpal_zlib_format format, const unsigned char *bytes, size_t count, size_t *used,
  bitpal_zlib_receiver receiver, void *context);

#endif
