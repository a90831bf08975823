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

static inline int bitpal_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* glibc declares it only to those who ask for what is GNU's own, which Swift does not. */
extern void *memmem(const void *text, size_t count, const void *wanted, size_t wanted_count);
