/* json_each and json_tree over checked text, by a reader of ours. */
#ifndef BITPAL_CSQLITEJSON_H
#define BITPAL_CSQLITEJSON_H

#include <stddef.h>

/* A reader of JSON; values are `sqlite3_value *`. */
struct bitpal_json_reader {
  void *context;

  /* Returns 1 when a text may be read as JSON. */
  int (*check)(const unsigned char *text, size_t count, void *context);

  /* Returns the rows of a text that may be read; NULL for a path that is none. */
  void *(*open)(void *text, const char *path, int is_tree, void *context);

  /* Moves to the next row; returns 1 when there is one. */
  int (*next)(void *rows);

  /* Sets the result of a column (`sqlite3_context *`): key, value, type, atom, id, parent, fullkey, path. */
  void (*column)(void *rows, void *result, int column);
  void (*close)(void *rows);
};

/* Replaces json_each and json_tree of a connection (`sqlite3 *`); the reader's context must stay longer. Returns an error
   code of SQLite. */
int bitpal_json_tables(void *connection, const struct bitpal_json_reader *reader);

#endif
