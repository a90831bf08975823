#include "CCurl.h"

#include <CLoader.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* The macros check the argument types of direct calls; here all calls go through pointers. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define FUNCTIONS(X) \
  X(curl_global_init) X(curl_free) X(curl_version) \
  X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_perform) X(curl_easy_send) X(curl_easy_recv) X(curl_easy_setopt) X(curl_easy_getinfo) X(curl_easy_strerror) \
  X(curl_slist_append) X(curl_slist_free_all) \
  X(curl_multi_init) X(curl_multi_cleanup) X(curl_multi_setopt) X(curl_multi_add_handle) \
  X(curl_multi_remove_handle) X(curl_multi_perform) X(curl_multi_poll) X(curl_multi_wakeup) X(curl_multi_info_read) \
  X(curl_url) X(curl_url_cleanup) X(curl_url_set) X(curl_url_get)

BITPAL_LIBRARY(FUNCTIONS)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

static void load(void) {
  static const char *const files[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so", NULL};
  static const struct bitpal_library libcurl = {files, "libcurl", "libcurl4", "7.68"};
  if (!bitpal_library_load(&libcurl, functions, problem, sizeof problem)) { return; }
  CURLcode code = library.curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) {
    snprintf(problem, sizeof problem, "libcurl does not start: %s", library.curl_easy_strerror(code));
  }
}

const char *bitpal_curl_load(void) {
  pthread_once(&once, load);
  return problem[0] == 0 ? NULL : problem;
}

const char *bitpal_curl_version(void) { return library.curl_version(); }

CURL *bitpal_curl_easy_init(void) { return library.curl_easy_init(); }
void bitpal_curl_easy_cleanup(CURL *easy) { library.curl_easy_cleanup(easy); }

CURLcode bitpal_curl_set_long(CURL *easy, CURLoption option, long value) {
  return library.curl_easy_setopt(easy, option, value);
}
CURLcode bitpal_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return library.curl_easy_setopt(easy, option, value);
}
CURLcode bitpal_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return library.curl_easy_setopt(easy, option, value);
}
CURLcode bitpal_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return library.curl_easy_setopt(easy, option, value);
}
CURLcode bitpal_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return library.curl_easy_setopt(easy, option, value);
}
CURLcode bitpal_curl_set_receiver(CURL *easy, CURLoption option, bitpal_curl_receiver value) {
  return library.curl_easy_setopt(easy, option, value);
}
/* The IPv4 blocks that are not globally reachable (RFC 6890, without its documentation networks), and multicast. */
static int is_private_4(uint32_t address) {
  static const struct { uint32_t start; int bits; } blocks[] = {
    {0x00000000, 8}, {0x0A000000, 8}, {0x64400000, 10}, {0x7F000000, 8}, {0xA9FE0000, 16}, {0xAC100000, 12},
    {0xC0000000, 24}, {0xC0A80000, 16}, {0xC6120000, 15}, {0xE0000000, 3},
  };
  for (size_t index = 0; index < sizeof blocks / sizeof *blocks; index++) {
    if ((address ^ blocks[index].start) >> (32 - blocks[index].bits) == 0) return 1;
  }
  return 0;
}

static uint32_t word(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int is_private(const struct curl_sockaddr *address) {
  if (address->family == AF_INET) {
    return is_private_4(ntohl(((const struct sockaddr_in *)&address->addr)->sin_addr.s_addr));
  }
  if (address->family != AF_INET6) return 1;
  const uint8_t *bytes = ((const struct sockaddr_in6 *)&address->addr)->sin6_addr.s6_addr;
  uint32_t first = word(bytes), middle = word(bytes + 4) | word(bytes + 8);
  /* Addresses that contain an IPv4 address: 6to4, NAT64, mapped. */
  if (first >> 16 == 0x2002) return is_private_4(word(bytes + 2));
  if (first == 0x0064FF9B) return middle != 0 || is_private_4(word(bytes + 12));
  if (first == 0 && word(bytes + 4) == 0 && word(bytes + 8) == 0xFFFF) return is_private_4(word(bytes + 12));
  /* Global unicast is 2000::/3. */
  return first >> 29 != 1;
}

static curl_socket_t open_public(void *refused, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  if (!is_private(address)) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  }
  *(int *)refused = 1;
  return CURL_SOCKET_BAD;
}

CURLcode bitpal_curl_refuse_private(CURL *easy, int *refused) {
  CURLcode code = library.curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, (void *)refused);
  return code == CURLE_OK ? library.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_public) : code;
}

static int permit_first(void *sent, char *remote, char *local, int remote_port, int local_port) {
  (void)remote, (void)local, (void)remote_port, (void)local_port;
  return ++*(int *)sent > 1 ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

CURLcode bitpal_curl_send_once(CURL *easy, int *sent) {
  CURLcode code = library.curl_easy_setopt(easy, CURLOPT_PREREQDATA, (void *)sent);
  if (code == CURLE_OK) code = library.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, permit_first);
  return code == CURLE_UNKNOWN_OPTION ? library.curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L) : code;
}
CURLcode bitpal_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return library.curl_easy_getinfo(easy, info, value);
}
CURLcode bitpal_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return library.curl_easy_getinfo(easy, info, value);
}
CURLcode bitpal_curl_get_socket(CURL *easy, long *value) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  CURLcode code = library.curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
  *value = socket;
  return code;
}
CURLcode bitpal_curl_easy_perform(CURL *easy) { return library.curl_easy_perform(easy); }
CURLcode bitpal_curl_easy_send(CURL *easy, const void *bytes, size_t count, size_t *sent) {
  return library.curl_easy_send(easy, bytes, count, sent);
}
CURLcode bitpal_curl_easy_recv(CURL *easy, void *bytes, size_t count, size_t *received) {
  return library.curl_easy_recv(easy, bytes, count, received);
}
const char *bitpal_curl_easy_strerror(CURLcode code) { return library.curl_easy_strerror(code); }

struct curl_slist *bitpal_curl_slist_append(struct curl_slist *list, const char *line) {
  return library.curl_slist_append(list, line);
}
void bitpal_curl_slist_free(struct curl_slist *list) { library.curl_slist_free_all(list); }

CURLM *bitpal_curl_multi_init(void) { return library.curl_multi_init(); }
void bitpal_curl_multi_cleanup(CURLM *multi) { library.curl_multi_cleanup(multi); }
CURLMcode bitpal_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return library.curl_multi_setopt(multi, option, value);
}
CURLMcode bitpal_curl_multi_add(CURLM *multi, CURL *easy) { return library.curl_multi_add_handle(multi, easy); }
CURLMcode bitpal_curl_multi_remove(CURLM *multi, CURL *easy) { return library.curl_multi_remove_handle(multi, easy); }
CURLMcode bitpal_curl_multi_perform(CURLM *multi) {
  int running = 0;
  return library.curl_multi_perform(multi, &running);
}
CURLMcode bitpal_curl_multi_poll(CURLM *multi, int milliseconds) {
  return library.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}
CURLMcode bitpal_curl_multi_wakeup(CURLM *multi) { return library.curl_multi_wakeup(multi); }

CURL *bitpal_curl_multi_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = library.curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

CURLUcode bitpal_curl_url_parse(const char *base, const char *reference, struct bitpal_curl_url *parts) {
  memset(parts, 0, sizeof *parts);
  CURLU *url = library.curl_url();
  if (url == NULL) return CURLUE_OUT_OF_MEMORY;
  CURLUcode code = CURLUE_OK;
  char *port = NULL;
  /* An unsupported scheme is accepted here, so that the caller can refuse it by its name. */
  if (base != NULL) code = library.curl_url_set(url, CURLUPART_URL, base, CURLU_NON_SUPPORT_SCHEME);
  if (code == CURLUE_OK) code = library.curl_url_set(url, CURLUPART_URL, reference, CURLU_NON_SUPPORT_SCHEME);
  if (code == CURLUE_OK) code = library.curl_url_get(url, CURLUPART_URL, &parts->url, 0);
  if (code == CURLUE_OK) code = library.curl_url_get(url, CURLUPART_SCHEME, &parts->scheme, 0);
  /* These may be missing: file URLs have no host, most URLs have no user. */
  if (code == CURLUE_OK) {
    library.curl_url_get(url, CURLUPART_HOST, &parts->host, 0);
    library.curl_url_get(url, CURLUPART_USER, &parts->user, 0);
    if (library.curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK) {
      parts->port = strtol(port, NULL, 10);
    }
  }
  library.curl_free(port);
  library.curl_url_cleanup(url);
  if (code != CURLUE_OK) bitpal_curl_url_free(parts);
  return code;
}

void bitpal_curl_url_free(struct bitpal_curl_url *parts) {
  library.curl_free(parts->url);
  library.curl_free(parts->scheme);
  library.curl_free(parts->host);
  library.curl_free(parts->user);
  memset(parts, 0, sizeof *parts);
}
