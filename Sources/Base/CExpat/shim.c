#include "CExpat.h"

#if __has_include(<expat.h>)

#include <CLoader.h>
#include <expat.h>
#include <limits.h>
#include <pthread.h>

#define FUNCTIONS(X) \
  X(XML_ExpatVersion) X(XML_ParserCreate) X(XML_ParserFree) X(XML_SetUserData) X(XML_SetElementHandler) \
  X(XML_SetCharacterDataHandler) X(XML_SetStartDoctypeDeclHandler) X(XML_Parse) \
  X(XML_StopParser) X(XML_GetErrorCode) X(XML_ErrorString) X(XML_GetCurrentByteIndex) X(XML_GetCurrentByteCount)

BITPAL_LIBRARY(FUNCTIONS)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

static void load(void) {
  static const char *const files[] = {"libexpat.so.1", "libexpat.so", NULL};
  static const struct bitpal_library libexpat = {files, "libexpat", "libexpat1", NULL};
  bitpal_library_load(&libexpat, functions, problem, sizeof problem);
}

const char *bitpal_xml_load(void) {
  pthread_once(&once, load);
  return problem[0] == 0 ? NULL : problem;
}

const char *bitpal_xml_version(void) { return library.XML_ExpatVersion(); }

struct reading {
  XML_Parser parser;
  const struct bitpal_xml_receiver *receiver;
};

static void stop_unless(const struct reading *reading, int goes_on) {
  if (!goes_on) { library.XML_StopParser(reading->parser, XML_FALSE); }
}

static void start(void *data, const char *name, const char **attributes) {
  struct reading *reading = data;
  stop_unless(reading, reading->receiver->start(reading->receiver->context, name, attributes));
}

static void end(void *data, const char *name) {
  (void)name;
  struct reading *reading = data;
  size_t after = (size_t)library.XML_GetCurrentByteIndex(reading->parser)
    + (size_t)library.XML_GetCurrentByteCount(reading->parser);
  stop_unless(reading, reading->receiver->end(reading->receiver->context, after));
}

static void text(void *data, const char *bytes, int count) {
  struct reading *reading = data;
  reading->receiver->text(reading->receiver->context, bytes, count);
}

static void doctype(void *data, const char *name, const char *system, const char *public, int has_subset) {
  (void)name, (void)system, (void)public, (void)has_subset;
  struct reading *reading = data;
  reading->receiver->doctype(reading->receiver->context);
  stop_unless(reading, 0);
}

int bitpal_xml_parse(
  const char *bytes, size_t count, const struct bitpal_xml_receiver *receiver, struct bitpal_xml_fault *fault) {
  fault->offset = 0;
  fault->message = NULL;
  XML_Parser parser = library.XML_ParserCreate("UTF-8");
  if (parser == NULL || count > INT_MAX) {
    if (parser != NULL) { library.XML_ParserFree(parser); }
    fault->message = "it is too large";
    return 0;
  }
  struct reading reading = {parser, receiver};
  library.XML_SetUserData(parser, &reading);
  library.XML_SetElementHandler(parser, start, end);
  library.XML_SetCharacterDataHandler(parser, text);
  library.XML_SetStartDoctypeDeclHandler(parser, doctype);
  int is_good = library.XML_Parse(parser, bytes, (int)count, XML_TRUE) == XML_STATUS_OK;
  if (!is_good) {
    enum XML_Error code = library.XML_GetErrorCode(parser);
    long offset = (long)library.XML_GetCurrentByteIndex(parser);
    fault->offset = offset < 0 ? 0 : (size_t)offset;
    if (code != XML_ERROR_ABORTED) { fault->message = library.XML_ErrorString(code); }
  }
  library.XML_ParserFree(parser);
  return is_good;
}

#else

const char *bitpal_xml_load(void) { return "this program was built without libexpat (Debian: libexpat1-dev)"; }

const char *bitpal_xml_version(void) { return "none"; }

int bitpal_xml_parse(
  const char *bytes, size_t count, const struct bitpal_xml_receiver *receiver, struct bitpal_xml_fault *fault) {
  (void)bytes, (void)count, (void)receiver;
  fault->offset = 0;
  fault->message = bitpal_xml_load();
  return 0;
}

#endif
