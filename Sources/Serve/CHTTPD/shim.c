#include "CHTTPD.h"

#include <CLoader.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>

#define FUNCTIONS(X) \
  X(MHD_get_version) X(MHD_start_daemon) X(MHD_quiesce_daemon) X(MHD_stop_daemon) \
  X(MHD_get_connection_info) X(MHD_get_connection_values) X(MHD_set_connection_value) \
  X(MHD_suspend_connection) X(MHD_resume_connection) \
  X(MHD_create_response_from_buffer) X(MHD_create_response_from_callback) X(MHD_set_response_options) X(MHD_add_response_header) X(MHD_queue_response) X(MHD_destroy_response)

BITPAL_LIBRARY(FUNCTIONS)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

static void load(void) {
  static const char *const files[] = {"libmicrohttpd.so.12", "libmicrohttpd.so", NULL};
  static const struct bitpal_library libmicrohttpd = {files, "libmicrohttpd", "libmicrohttpd12", NULL};
  bitpal_library_load(&libmicrohttpd, functions, problem, sizeof problem);
}

const char *bitpal_httpd_load(void) {
  pthread_once(&once, load);
  return problem[0] == 0 ? NULL : problem;
}

const char *bitpal_httpd_version(void) { return library.MHD_get_version(); }

struct MHD_Daemon *bitpal_httpd_start(const struct bitpal_httpd_setup *setup) {
  return library.MHD_start_daemon(
    MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, setup->answer, setup->context,
    MHD_OPTION_LISTEN_SOCKET, setup->listener, MHD_OPTION_CONNECTION_LIMIT, setup->connections,
    MHD_OPTION_CONNECTION_TIMEOUT, setup->idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, setup->bytes,
    MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, setup->begin, setup->context,
    MHD_OPTION_NOTIFY_COMPLETED, setup->end, setup->context, MHD_OPTION_NOTIFY_CONNECTION, setup->connection,
    setup->context, MHD_OPTION_END);
}

MHD_socket bitpal_httpd_quiesce(struct MHD_Daemon *daemon) { return library.MHD_quiesce_daemon(daemon); }
void bitpal_httpd_stop(struct MHD_Daemon *daemon) { library.MHD_stop_daemon(daemon); }

MHD_socket bitpal_httpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? MHD_INVALID_SOCKET : info->connect_fd;
}

size_t bitpal_httpd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

/* The library takes the first header of a name, and these stand before those of the client. */
static const char *const own[][2] = {{"Host", "-"}, {"Content-Length", "0"}, {"Cookie", "-"}};
#define OWN (sizeof own / sizeof own[0])

void bitpal_httpd_prepare(struct MHD_Connection *connection, const char *target) {
  for (size_t i = 0; i < OWN; i++) {
    library.MHD_set_connection_value(connection, MHD_HEADER_KIND, own[i][0], own[i][1]);
  }
  /* The target lies in the connection's own buffer, and the library has found the question mark already. */
  char *query = strchr(target, '?');
  if (query != NULL && query[1] != 0) query[1] = 0;
}

struct reader {
  MHD_KeyValueIterator each;
  void *context;
  size_t skipped;
};

static enum MHD_Result read_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct reader *reader = context;
  if (reader->skipped < OWN) {
    reader->skipped++;
    return MHD_YES;
  }
  return reader->each(reader->context, kind, name, value);
}

void bitpal_httpd_headers(struct MHD_Connection *connection, MHD_KeyValueIterator each, void *context) {
  struct reader reader = {each, context, 0};
  library.MHD_get_connection_values(connection, MHD_HEADER_KIND, read_header, &reader);
}

void bitpal_httpd_suspend(struct MHD_Connection *connection) { library.MHD_suspend_connection(connection); }
void bitpal_httpd_resume(struct MHD_Connection *connection) { library.MHD_resume_connection(connection); }

struct MHD_Response *bitpal_httpd_response(const void *bytes, size_t count) {
  /* The cast is safe, because libmicrohttpd copies the bytes and does not change them. */
  return library.MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
struct MHD_Response *bitpal_httpd_stream(
  MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback free, int is_head) {
  struct MHD_Response *response =
    library.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read, context, free);
  /* In chunks, the library would send the last of them after the head. */
  if (response != NULL && is_head) {
    library.MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
  }
  return response;
}
enum MHD_Result bitpal_httpd_response_header(struct MHD_Response *response, const char *name, const char *value) {
  return library.MHD_add_response_header(response, name, value);
}
enum MHD_Result bitpal_httpd_queue(
  struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  return library.MHD_queue_response(connection, status, response);
}
void bitpal_httpd_response_free(struct MHD_Response *response) { library.MHD_destroy_response(response); }
void bitpal_httpd_trim(void) { malloc_trim(0); }
