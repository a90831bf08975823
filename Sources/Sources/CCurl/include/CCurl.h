/* libcurl, loaded on first use, behind functions that Swift can call.

   Linking libcurl would add 4 ms to every start, also when the answer comes from the cache. curl_easy_setopt and
   similar functions are variadic, so Swift cannot call them. The constants and types are libcurl's own. */
#ifndef BITPAL_CCURL_H
#define BITPAL_CCURL_H

#include <curl/curl.h>

/* Loads libcurl once; thread-safe. Returns NULL on success, otherwise a message for people. No other function of this
   file may be called before this one has returned NULL. */
const char *bitpal_curl_load(void);

/* Receives `size` * `count` bytes and returns the number of bytes taken; a smaller number ends the transfer. */
typedef size_t (*bitpal_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

/* libcurl's own description of itself: `libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …`. */
const char *bitpal_curl_version(void);

CURL *bitpal_curl_easy_init(void);
void bitpal_curl_easy_cleanup(CURL *easy);
CURLcode bitpal_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode bitpal_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode bitpal_curl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode bitpal_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode bitpal_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode bitpal_curl_set_receiver(CURL *easy, CURLoption option, bitpal_curl_receiver value);
/* Makes connections to this machine and to private networks fail, and sets *refused to 1 when one was attempted. */
CURLcode bitpal_curl_refuse_private(CURL *easy, int *refused);
/* Makes the transfer fail instead of sending its request again, which libcurl does by itself when a kept connection ends
   without an answer; *sent counts the attempts. Before libcurl 7.80 the transfer has a connection of its own. */
CURLcode bitpal_curl_send_once(CURL *easy, int *sent);
CURLcode bitpal_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode bitpal_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
/* The descriptor of a connection that was made with CURLOPT_CONNECT_ONLY. */
CURLcode bitpal_curl_get_socket(CURL *easy, long *value);
CURLcode bitpal_curl_easy_perform(CURL *easy);
CURLcode bitpal_curl_easy_send(CURL *easy, const void *bytes, size_t count, size_t *sent);
CURLcode bitpal_curl_easy_recv(CURL *easy, void *bytes, size_t count, size_t *received);
const char *bitpal_curl_easy_strerror(CURLcode code);

struct curl_slist *bitpal_curl_slist_append(struct curl_slist *list, const char *line);
void bitpal_curl_slist_free(struct curl_slist *list);

CURLM *bitpal_curl_multi_init(void);
void bitpal_curl_multi_cleanup(CURLM *multi);
CURLMcode bitpal_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode bitpal_curl_multi_add(CURLM *multi, CURL *easy);
CURLMcode bitpal_curl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode bitpal_curl_multi_perform(CURLM *multi);
CURLMcode bitpal_curl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode bitpal_curl_multi_wakeup(CURLM *multi);
/* The next transfer that has ended; NULL when there is none. */
CURL *bitpal_curl_multi_next_done(CURLM *multi, CURLcode *result);

/* Resolves `reference` against the absolute URL `base` (NULL when `reference` is absolute) and splits it into its parts
   as libcurl does for a transfer. bitpal_curl_url_free frees the parts. The port is 0 when the URL has none and its
   scheme has no default. */
struct bitpal_curl_url {
  char *url;
  char *scheme;
  char *host;
  char *user;
  long port;
};
CURLUcode bitpal_curl_url_parse(const char *base, const char *reference, struct bitpal_curl_url *parts);
void bitpal_curl_url_free(struct bitpal_curl_url *parts);

#endif
