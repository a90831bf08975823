/* libexpat, loaded on first use: only answers in XML need it. */
#ifndef BITPAL_CEXPAT_H
#define BITPAL_CEXPAT_H

#include <stddef.h>

/* The receiver of a document's parts. A function that returns 0 stops the parser. Texts are UTF-8. */
struct bitpal_xml_receiver {
  void *context;

  /* Called with the name and the attributes of an element: names and values in turn, ended by NULL. */
  int (*start)(void *context, const char *name, const char **attributes);

  /* Called at the end of an element; `offset` is that of the byte after its end tag. */
  int (*end)(void *context, size_t offset);

  /* Called with a piece of text, in which references are resolved. */
  void (*text)(void *context, const char *bytes, int count);

  /* Called at a DOCTYPE, which always stops the parser: so a document has only the five entities of XML. */
  void (*doctype)(void *context);
};

/* The place and the reason for which a document is refused. */
struct bitpal_xml_fault {
  size_t offset;

  /* libexpat's own text; NULL where a function of the receiver stopped the parser. */
  const char *message;
};

/* Loads libexpat once; thread-safe. Returns NULL on success, otherwise a message for people. */
const char *bitpal_xml_load(void);

/* libexpat's version: `expat_2.5.0`. */
const char *bitpal_xml_version(void);

/* Reads a whole document as UTF-8, whatever its declaration says. Returns 1 for a well-formed one; otherwise 0, and
   `fault` is set. bitpal_xml_load must have returned NULL before. */
int bitpal_xml_parse(
  const char *bytes, size_t count, const struct bitpal_xml_receiver *receiver, struct bitpal_xml_fault *fault);

#endif
