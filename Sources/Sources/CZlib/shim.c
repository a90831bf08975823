#include "CZlib.h"

#if __has_include(<zlib.h>)

#include <CLoader.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <zlib.h>

#define FUNCTIONS(X) X(zlibVersion) X(inflateInit2_) X(inflate) X(inflateEnd)

BITPAL_LIBRARY(FUNCTIONS)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

static void load(void) {
  static const char *const files[] = {"libz.so.1", "libz.so", NULL};
  static const struct bitpal_library zlib = {files, "zlib", "zlib1g", NULL};
  bitpal_library_load(&zlib, functions, problem, sizeof problem);
}

const char *bitpal_zlib_load(void) {
  pthread_once(&once, load);
  return problem[0] == 0 ? NULL : problem;
}

const char *bitpal_zlib_version(void) { return library.zlibVersion(); }

enum bitpal_zlib_end bitpal_zlib_inflate(
  enum bitpal_zlib_format format, const unsigned char *bytes, size_t count, size_t *used,
  bitpal_zlib_receiver receiver, void *context) {
  /* The number of window bits also selects the format (zlib.h, inflateInit2). */
  static const int window[] = {[BITPAL_ZLIB_GZIP] = 15 + 16, [BITPAL_ZLIB_ZLIB] = 15, [BITPAL_ZLIB_RAW] = -15};
  unsigned char output[64 << 10];
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  *used = 0;
  if (count > UINT_MAX) { return BITPAL_ZLIB_MEMORY; }
  if (library.inflateInit2_(&stream, window[format], ZLIB_VERSION, (int)sizeof stream) != Z_OK) {
    return BITPAL_ZLIB_MEMORY;
  }
  stream.next_in = (unsigned char *)bytes;
  stream.avail_in = (unsigned)count;
  enum bitpal_zlib_end end;
  for (;;) {
    stream.next_out = output;
    stream.avail_out = sizeof output;
    int code = library.inflate(&stream, Z_NO_FLUSH);
    size_t produced = sizeof output - stream.avail_out;
    if (produced > 0 && !receiver(output, produced, context)) {
      end = BITPAL_ZLIB_STOPPED;
    } else if (code == Z_STREAM_END) {
      end = BITPAL_ZLIB_WHOLE;
    } else if (code == Z_MEM_ERROR) {
      end = BITPAL_ZLIB_MEMORY;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      end = BITPAL_ZLIB_DAMAGED;
    } else if (produced > 0 || stream.avail_in > 0) {
      continue;
    } else {
      end = BITPAL_ZLIB_CUT;
    }
    break;
  }
  *used = count - stream.avail_in;
  library.inflateEnd(&stream);
  return end;
}

#else

const char *bitpal_zlib_load(void) { return "this program was built without zlib (Debian: zlib1g-dev)"; }

const char *bitpal_zlib_version(void) { return "none"; }

enum bitpal_zlib_end bitpal_zlib_inflate(
  enum bitpal_zlib_format format, const unsigned char *bytes, size_t count, size_t *used,
  bitpal_zlib_receiver receiver, void *context) {
  (void)format, (void)bytes, (void)count, (void)receiver, (void)context;
  *used = 0;
  return BITPAL_ZLIB_MEMORY;
}

#endif
