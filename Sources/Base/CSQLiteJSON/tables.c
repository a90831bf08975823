#include "CSQLiteJSON.h"

#include <sqlite3.h>
#include <string.h>

struct source {
  struct bitpal_json_reader reader;
  int is_tree;
};

struct table {
  sqlite3_vtab base;
  const struct source *source;
};

struct cursor {
  sqlite3_vtab_cursor base;
  void *rows;
  sqlite3_int64 row;
  int is_at_end;
};

enum { JSON_COLUMN = 8 };

static const struct bitpal_json_reader *reader(const sqlite3_vtab_cursor *cursor) {
  return &((struct table *)cursor->pVtab)->source->reader;
}

static int connect(sqlite3 *connection, void *source, int count, const char *const *words, sqlite3_vtab **result, char **problem) {
  (void)count, (void)words, (void)problem;
  int code = sqlite3_declare_vtab(
    connection, "CREATE TABLE x(key,value,type,atom,id,parent,fullkey,path,json HIDDEN,root HIDDEN)");
  if (code != SQLITE_OK) return code;
  struct table *table = sqlite3_malloc(sizeof *table);
  if (table == NULL) return SQLITE_NOMEM;
  memset(table, 0, sizeof *table);
  table->source = source;
  sqlite3_vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
  *result = &table->base;
  return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table) {
  sqlite3_free(table);
  return SQLITE_OK;
}

/* The text and the path are arguments: `json_each(:body, '$.rows')` is `json = :body AND root = '$.rows'`. */
static int best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  int places[2] = {-1, -1};
  for (int index = 0; index < info->nConstraint; index++) {
    int column = info->aConstraint[index].iColumn - JSON_COLUMN;
    if (column < 0) continue;
    /* A plan in which an argument is not known yet is none. */
    if (!info->aConstraint[index].usable) return SQLITE_CONSTRAINT;
    /* A second condition on an argument is left to SQLite. */
    if (info->aConstraint[index].op == SQLITE_INDEX_CONSTRAINT_EQ && places[column] < 0) places[column] = index;
  }
  info->idxNum = 0;
  info->estimatedCost = 1e99;
  if (places[0] < 0) return SQLITE_OK;
  info->estimatedCost = 1;
  for (int column = 0; column < 2 && places[column] >= 0; column++) {
    info->aConstraintUsage[places[column]].argvIndex = column + 1;
    info->aConstraintUsage[places[column]].omit = 1;
    info->idxNum = column + 1;
  }
  return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **result) {
  (void)table;
  struct cursor *cursor = sqlite3_malloc(sizeof *cursor);
  if (cursor == NULL) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  cursor->is_at_end = 1;
  *result = &cursor->base;
  return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
  if (((struct cursor *)base)->rows != NULL) reader(base)->close(((struct cursor *)base)->rows);
  sqlite3_free(base);
  return SQLITE_OK;
}

static int fail(sqlite3_vtab_cursor *cursor, const char *message, const char *path) {
  sqlite3_free(cursor->pVtab->zErrMsg);
  cursor->pVtab->zErrMsg = sqlite3_mprintf(message, path);
  return SQLITE_ERROR;
}

static int next(sqlite3_vtab_cursor *base) {
  struct cursor *cursor = (struct cursor *)base;
  cursor->row++;
  cursor->is_at_end = !reader(base)->next(cursor->rows);
  return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int plan, const char *name, int count, sqlite3_value **values) {
  (void)name, (void)plan;
  struct cursor *cursor = (struct cursor *)base;
  const struct source *source = ((struct table *)base->pVtab)->source;
  if (cursor->rows != NULL) source->reader.close(cursor->rows);
  cursor->rows = NULL;
  cursor->row = -1;
  cursor->is_at_end = 1;
  if (count == 0) return SQLITE_OK;
  /* Without the copy that a closing NUL needs, so that the check sees the body as what it is. */
  int is_text = sqlite3_value_type(values[0]) == SQLITE_TEXT;
  const unsigned char *text = is_text ? sqlite3_value_blob(values[0]) : sqlite3_value_text(values[0]);
  if (text == NULL && !is_text) return SQLITE_OK;
  /* What a function or one of these tables gives as JSON has been read already. */
  int is_json = is_text && sqlite3_value_subtype(values[0]) == 'J';
  size_t size = (size_t)sqlite3_value_bytes(values[0]);
  if (text == NULL || (!is_json && !source->reader.check(text, size, source->reader.context))) {
    return fail(base, "malformed JSON", "");
  }
  const char *path = count > 1 ? (const char *)sqlite3_value_text(values[1]) : "$";
  if (path == NULL) return SQLITE_OK;
  cursor->rows = source->reader.open(values[0], path, source->is_tree, source->reader.context);
  return cursor->rows == NULL ? fail(base, "JSON path error near '%.80s'", path) : next(base);
}

static int eof(sqlite3_vtab_cursor *base) { return ((struct cursor *)base)->is_at_end; }

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index) {
  if (index < JSON_COLUMN) reader(base)->column(((struct cursor *)base)->rows, context, index);
  return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *result) {
  *result = ((struct cursor *)base)->row;
  return SQLITE_OK;
}

static const sqlite3_module module = {
  .xConnect = connect, .xBestIndex = best_index, .xDisconnect = disconnect, .xOpen = open_cursor,
  .xClose = close_cursor, .xFilter = filter, .xNext = next, .xEof = eof, .xColumn = column, .xRowid = rowid,
};

int bitpal_json_tables(void *connection, const struct bitpal_json_reader *reader) {
  static const char *const names[2] = {"json_each", "json_tree"};
  for (int index = 0; index < 2; index++) {
    struct source *source = sqlite3_malloc(sizeof *source);
    if (source == NULL) return SQLITE_NOMEM;
    *source = (struct source){*reader, index};
    int code = sqlite3_create_module_v2(connection, names[index], &module, source, sqlite3_free);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}
