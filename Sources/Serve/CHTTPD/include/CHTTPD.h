/* libmicrohttpd, loaded on first use, behind functions that Swift can call.

   Only `bitpal serve` needs it: if it were linked, every other command would load it too, and fail where it is not
   installed. MHD_start_daemon and MHD_get_connection_info are variadic, so Swift cannot call them. The constants and
   types are libmicrohttpd's own. */
#ifndef BITPAL_CHTTPD_H
#define BITPAL_CHTTPD_H

#include <microhttpd.h>

/* Loads libmicrohttpd once; thread-safe. Returns NULL on success, otherwise a message for people. No other function of
   this file may be called before this one has returned NULL. */
const char *bitpal_httpd_load(void);

/* libmicrohttpd's version: `0.9.75`. */
const char *bitpal_httpd_version(void);

/* Called with the target of each request as it was sent, before its headers are read. The returned pointer belongs to
   the request and is passed to its later callbacks. */
typedef void *(*bitpal_httpd_target)(void *context, const char *target, struct MHD_Connection *connection);

/* The parameters of a daemon. The callbacks are called on the daemon's own thread. */
struct bitpal_httpd_setup {
  /* A listening socket; the daemon closes it unless bitpal_httpd_quiesce takes it back. */
  MHD_socket listener;
  /* The largest number of connections at the same time; a further one is closed at once. */
  unsigned int connections;
  /* The number of seconds without traffic after which a connection is closed, unless it is suspended. */
  unsigned int idle_seconds;
  /* The largest size of the request line and headers of a connection, in bytes. */
  size_t bytes;
  void *context;
  MHD_AccessHandlerCallback answer;
  bitpal_httpd_target begin;
  MHD_RequestCompletedCallback end;
  MHD_NotifyConnectionCallback connection;
};

/* Starts a daemon with one thread of its own, whose connections can be suspended. Returns NULL when that fails. */
struct MHD_Daemon *bitpal_httpd_start(const struct bitpal_httpd_setup *setup);

/* Stops accepting connections, and returns the listening socket, which the caller then owns. */
MHD_socket bitpal_httpd_quiesce(struct MHD_Daemon *daemon);

/* Closes all connections and ends the daemon's thread; no connection may be suspended. */
void bitpal_httpd_stop(struct MHD_Daemon *daemon);

/* Returns the socket of a connection, or MHD_INVALID_SOCKET when it is not known. */
MHD_socket bitpal_httpd_socket(struct MHD_Connection *connection);

/* Returns the number of bytes of a request's line and headers as they were sent; 0 when it is not known. */
size_t bitpal_httpd_head_size(struct MHD_Connection *connection);

/* Keeps libmicrohttpd from judging a request itself, once its target has been copied, and before its headers are read.

   Where it dislikes Host or Content-Length, version 0.9.75 answers with two heads; where its memory does not suffice for
   hundreds of cookies or parameters, it does not answer. The caller judges the headers and reads the query and cookies.
   To this end the library finds headers of ours first, and an empty query. */
void bitpal_httpd_prepare(struct MHD_Connection *connection, const char *target);

/* Calls `each` for every header that the client sent. */
void bitpal_httpd_headers(struct MHD_Connection *connection, MHD_KeyValueIterator each, void *context);

void bitpal_httpd_suspend(struct MHD_Connection *connection);
void bitpal_httpd_resume(struct MHD_Connection *connection);

/* Returns a response with a copy of the bytes, which bitpal_httpd_response_free releases. */
struct MHD_Response *bitpal_httpd_response(const void *bytes, size_t count);

/* Returns a response whose content `read` supplies in pieces, on the daemon's thread. Without content `read` may
   suspend the connection and return 0; at the end it returns MHD_CONTENT_READER_END_OF_STREAM. `free` is called
   after that. */
struct MHD_Response *bitpal_httpd_stream(
  MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback free, int is_head);
enum MHD_Result bitpal_httpd_response_header(struct MHD_Response *response, const char *name, const char *value);
enum MHD_Result bitpal_httpd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
void bitpal_httpd_response_free(struct MHD_Response *response);

/* Returns memory that is not in use to the system. */
void bitpal_httpd_trim(void);

#endif
