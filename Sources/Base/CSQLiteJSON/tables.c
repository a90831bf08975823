#include "CSQLiteJSON.h"

#include <sqlite3.h>
#include <string.h>

struct source {
  struct bitpal_json_reader reader;
  /* For json_tree; NULL for json_each. */
  sqlite3 *inner;
};

struct table {
  sqlite3_vtab base;
  const struct source *source;
  /* Compiled, and used by no cursor: a SELECT within a SELECT opens a cursor for each row. */
  sqlite3_stmt *idle;
};

struct cursor {
  sqlite3_vtab_cursor base;
  /* The rows of json_each, or of json_tree. */
  void *each;
  sqlite3_stmt *rows;
  int is_at_end;
};

enum { JSON_COLUMN = 8 };

static const char tree[] = "SELECT key,value,type,atom,id,parent,fullkey,path,rowid FROM json_tree(?1,?2)";

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
  sqlite3_finalize(((struct table *)table)->idle);
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
  if (((struct cursor *)base)->each != NULL) reader(base)->close(((struct cursor *)base)->each);
  sqlite3_stmt *rows = ((struct cursor *)base)->rows;
  struct table *table = (struct table *)base->pVtab;
  if (rows != NULL && table->idle == NULL) {
    sqlite3_reset(rows);
    sqlite3_clear_bindings(rows);
    table->idle = rows;
  } else {
    sqlite3_finalize(rows);
  }
  sqlite3_free(base);
  return SQLITE_OK;
}

static int fail(struct cursor *cursor, int code, const char *message) {
  sqlite3_free(cursor->base.pVtab->zErrMsg);
  cursor->base.pVtab->zErrMsg = sqlite3_mprintf("%s", message);
  cursor->is_at_end = 1;
  return code;
}

static int next(sqlite3_vtab_cursor *base) {
  struct cursor *cursor = (struct cursor *)base;
  if (cursor->each != NULL) {
    cursor->is_at_end = !reader(base)->next(cursor->each);
    return SQLITE_OK;
  }
  int code = sqlite3_step(cursor->rows);
  cursor->is_at_end = code != SQLITE_ROW;
  if (code == SQLITE_ROW || code == SQLITE_DONE) return SQLITE_OK;
  return fail(cursor, code, sqlite3_errmsg(sqlite3_db_handle(cursor->rows)));
}

/* Binds a path with each name spelled as checked text spells it: SQLite compares the names of these tables byte by byte,
   and a reverse solidus or a control character of a name is always an escape there. */
static int bind_path(sqlite3_stmt *rows, sqlite3_value *value) {
  const unsigned char *path = sqlite3_value_text(value);
  if (path == NULL) return sqlite3_bind_value(rows, 2, value);
  sqlite3_str *spelled = sqlite3_str_new(NULL);
  for (; *path != 0; path++) {
    if (*path == '\\') {
      sqlite3_str_appendall(spelled, "\\\\");
    } else if (*path < 0x20) {
      sqlite3_str_appendf(spelled, "\\u%04x", *path);
    } else {
      sqlite3_str_appendchar(spelled, 1, (char)*path);
    }
  }
  int code = sqlite3_str_errcode(spelled);
  char *text = sqlite3_str_finish(spelled);
  if (code != SQLITE_OK) return code;
  return sqlite3_bind_text(rows, 2, text == NULL ? "" : text, -1, text == NULL ? SQLITE_STATIC : sqlite3_free);
}

static int filter_tree(struct cursor *cursor, int count, sqlite3_value **values) {
  struct table *table = (struct table *)cursor->base.pVtab;
  if (cursor->rows == NULL) {
    cursor->rows = table->idle;
    table->idle = NULL;
  }
  if (cursor->rows == NULL) {
    int code = sqlite3_prepare_v2(table->source->inner, tree, -1, &cursor->rows, NULL);
    if (code != SQLITE_OK) return code;
  }
  sqlite3_reset(cursor->rows);
  int code = sqlite3_bind_value(cursor->rows, 1, values[0]);
  if (code == SQLITE_OK && count > 1) code = bind_path(cursor->rows, values[1]);
  if (code == SQLITE_OK && count == 1) code = sqlite3_bind_text(cursor->rows, 2, "$", 1, SQLITE_STATIC);
  return code == SQLITE_OK ? next(&cursor->base) : code;
}

static int filter(sqlite3_vtab_cursor *base, int plan, const char *name, int count, sqlite3_value **values) {
  (void)name, (void)plan;
  struct cursor *cursor = (struct cursor *)base;
  const struct source *source = ((struct table *)base->pVtab)->source;
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
    return fail(cursor, SQLITE_ERROR, "malformed JSON");
  }
  if (source->inner != NULL) return filter_tree(cursor, count, values);
  if (cursor->each != NULL) source->reader.close(cursor->each);
  cursor->each = NULL;
  const char *path = count > 1 ? (const char *)sqlite3_value_text(values[1]) : "$";
  if (path == NULL) return SQLITE_OK;
  cursor->each = source->reader.open(values[0], path, source->reader.context);
  if (cursor->each != NULL) return next(base);
  char *message = sqlite3_mprintf("JSON path error near '%.80s'", path);
  int code = fail(cursor, SQLITE_ERROR, message == NULL ? "" : message);
  sqlite3_free(message);
  return code;
}

static int eof(sqlite3_vtab_cursor *base) { return ((struct cursor *)base)->is_at_end; }

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index) {
  struct cursor *cursor = (struct cursor *)base;
  if (index >= JSON_COLUMN) return SQLITE_OK;
  if (cursor->each != NULL) {
    reader(base)->column(cursor->each, context, index);
  } else {
    sqlite3_result_value(context, sqlite3_column_value(cursor->rows, index));
  }
  return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *result) {
  struct cursor *cursor = (struct cursor *)base;
  *result = cursor->each != NULL ? reader(base)->row(cursor->each) : sqlite3_column_int64(cursor->rows, JSON_COLUMN);
  return SQLITE_OK;
}

static const sqlite3_module module = {
  .xConnect = connect, .xBestIndex = best_index, .xDisconnect = disconnect, .xOpen = open_cursor,
  .xClose = close_cursor, .xFilter = filter, .xNext = next, .xEof = eof, .xColumn = column, .xRowid = rowid,
};

int bitpal_json_tables(void *connection, void *inner, const struct bitpal_json_reader *reader) {
  static const char *const names[2] = {"json_each", "json_tree"};
  for (int index = 0; index < 2; index++) {
    struct source *source = sqlite3_malloc(sizeof *source);
    if (source == NULL) return SQLITE_NOMEM;
    *source = (struct source){*reader, index == 0 ? NULL : inner};
    int code = sqlite3_create_module_v2(connection, names[index], &module, source, sqlite3_free);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}
