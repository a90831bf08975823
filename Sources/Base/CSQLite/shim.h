#include <sqlite3.h>
#include <stddef.h>

/* SQLITE_TRANSIENT and SQLITE_STATIC are casts, which Swift does not import. */
static inline int bitpal_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int bitpal_bind_borrowed_text(
    sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

/* sqlite3_db_config is variadic, so Swift does not import it. Bitpal's schemas have no views, triggers or functions, so
   those of a file are never run; and SQL must not write to the tables that only SQLite itself may change. */
static inline void bitpal_distrust_schema(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/* The last connection to a file leaves the write-ahead log as it is when it is closed. */
static inline void bitpal_leave_log(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

static inline int bitpal_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* glibc declares memmem only with _GNU_SOURCE, which Swift does not define. */
extern void *memmem(const void *text, size_t count, const void *wanted, size_t wanted_count);

/* bitpal_checksum(value, ...): the 64-bit FNV-1a hash (Noll; draft-eastlake-fnv) of the type and bytes of each value.
   Every step is a bijection, so one changed byte always gives another checksum. */
static inline void bitpal_checksum(sqlite3_context *context, int count, sqlite3_value **values) {
  sqlite3_uint64 sum = 14695981039346656037u;
  for (int place = 0; place < count; place++) {
    sum = (sum ^ (unsigned)(sqlite3_value_type(values[place]) | 0x100)) * 1099511628211u;
    const unsigned char *text = sqlite3_value_text(values[place]);
    int size = sqlite3_value_bytes(values[place]);
    for (int index = 0; text && index < size; index++) sum = (sum ^ text[index]) * 1099511628211u;
  }
  sqlite3_result_int64(context, (sqlite3_int64)sum);
}

static inline int bitpal_add_checksum(sqlite3 *database) {
  return sqlite3_create_function_v2(
      database, "bitpal_checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, (void *)0, bitpal_checksum,
      (void (*)(sqlite3_context *, int, sqlite3_value **))0, (void (*)(sqlite3_context *))0, (void (*)(void *))0);
}
