/* json_each and json_tree over checked text: SQLite's own tables on a connection of their own, behind a check. */
#ifndef BITPAL_CSQLITEJSON_H
#define BITPAL_CSQLITEJSON_H

#include <stddef.h>

/* Returns 1 when a text may be read as JSON. */
typedef int (*bitpal_json_check)(const unsigned char *text, size_t count, void *context);

/* Replaces json_each and json_tree of a connection (`sqlite3 *`). `inner` is another connection, which must stay open
   longer. Returns an error code of SQLite. */
int bitpal_json_tables(void *connection, void *inner, bitpal_json_check check, void *context);

#endif
