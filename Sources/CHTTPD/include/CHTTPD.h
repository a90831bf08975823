/* libmicrohttpd, loaded when it is first needed, behind functions that Swift can call.

   Only `bitpal serve` needs it: linking it would make every other command load it too, and fail where it is not
   installed. MHD_start_daemon and MHD_get_connection_info are variadic, which Swift cannot call. The constants and types
   are libmicrohttpd's own. */
#ifndef BITPAL_CHTTPD_H
#define BITPAL_CHTTPD_H

#include <microhttpd.h>

/* Loads libmicrohttpd, once; thread-safe. NULL when it is there, else why not, for people. Nothing else here may be
   called before this has returned NULL. */
const char *bitpal_httpd_load(void);

/* libmicrohttpd's version: `0.9.75`. */
const char *bitpal_httpd_version(void);

/* Called with the target of each request as it was sent, before anything else is known of it; what it returns is the
   request's own pointer in all that follows. */
typedef void *(*bitpal_httpd_target)(void *context, const char *target, struct MHD_Connection *connection);

/* What a daemon is made of. The callbacks are called on the daemon's own thread. */
struct bitpal_httpd_setup {
  /* A socket that listens; the daemon closes it unless bitpal_httpd_quiesce takes it back. */
  MHD_socket listener;
  /* The most connections at once; one more is closed as soon as it is there. */
  unsigned int connections;
  /* After so many seconds in which nothing came or went a connection is closed, unless it is suspended. */
  unsigned int idle_seconds;
  /* The most bytes of a connection's request: line and headers. */
  size_t bytes;
  void *context;
  MHD_AccessHandlerCallback answer;
  bitpal_httpd_target begin;
  MHD_RequestCompletedCallback end;
  MHD_NotifyConnectionCallback connection;
};

/* Starts a daemon with one thread of its own, whose connections can be suspended; NULL when the system refuses. */
struct MHD_Daemon *bitpal_httpd_start(const struct bitpal_httpd_setup *setup);

/* No further connection is taken; the socket that listened, which is now the caller's. */
MHD_socket bitpal_httpd_quiesce(struct MHD_Daemon *daemon);

/* Closes all connections and ends the daemon's thread; no connection may be suspended. */
void bitpal_httpd_stop(struct MHD_Daemon *daemon);

/* The socket of a connection. */
MHD_socket bitpal_httpd_socket(struct MHD_Connection *connection);

/* How many bytes a request's line and headers were, as they were sent; 0 where that is not known. */
size_t bitpal_httpd_head_size(struct MHD_Connection *connection);

/* Calls `each` for every header of a request. */
void bitpal_httpd_headers(struct MHD_Connection *connection, MHD_KeyValueIterator each, void *context);

void bitpal_httpd_suspend(struct MHD_Connection *connection);
void bitpal_httpd_resume(struct MHD_Connection *connection);

/* A response with a copy of the bytes; to be given to bitpal_httpd_response_free. */
struct MHD_Response *bitpal_httpd_response(const void *bytes, size_t count);

/* A response that is read bit by bit on the daemon's thread, from a callback that may suspend the connection and say 0
   while there is nothing, and says MHD_CONTENT_READER_END_OF_STREAM at the end. `free` is called when it is over. */
struct MHD_Response *bitpal_httpd_stream(
  MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback free);
enum MHD_Result bitpal_httpd_response_header(struct MHD_Response *response, const char *name, const char *value);
enum MHD_Result bitpal_httpd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
void bitpal_httpd_response_free(struct MHD_Response *response);

#endif
