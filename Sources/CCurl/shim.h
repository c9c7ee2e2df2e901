// libcurl for Swift.
//
// `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt` are C variadics, which Swift does not import; each
// `static inline` function below is one of their typed forms. Every one returns the library's own result code, which the
// caller looks at.
#ifndef OBJECT_TRANSFER_CCURL_SHIM_H
#define OBJECT_TRANSFER_CCURL_SHIM_H

#include <curl/curl.h>

typedef size_t (*transfer_curl_data_callback)(char *buffer, size_t size, size_t count, void *context);

static inline CURLcode transfer_curl_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_curl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_curl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_curl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_curl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_curl_setopt_callback(CURL *handle, CURLoption option, transfer_curl_data_callback value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode transfer_curl_setopt_seek_callback(CURL *handle, curl_seek_callback value) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode transfer_curl_setopt_sockopt_callback(CURL *handle, curl_sockopt_callback value) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, value);
}

static inline CURLcode transfer_curl_setopt_closesocket_callback(CURL *handle, curl_closesocket_callback value) {
    return curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, value);
}

/// Certificates in memory, which are copied. Refused by a libcurl that does not know how (before 7.77).
static inline CURLcode transfer_curl_setopt_ca_bytes(CURL *handle, const void *bytes, size_t length) {
#if LIBCURL_VERSION_NUM >= 0x074d00
    struct curl_blob blob = {.data = (void *)bytes, .len = length, .flags = CURL_BLOB_COPY};
    return curl_easy_setopt(handle, CURLOPT_CAINFO_BLOB, &blob);
#else
    (void)handle, (void)bytes, (void)length;
    return CURLE_UNKNOWN_OPTION;
#endif
}

static inline CURLcode transfer_curl_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode transfer_curl_getinfo_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, (char **)value);
}

static inline CURLcode transfer_curl_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode transfer_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// As `0xMMmmpp`: major, minor, patch of the library at run time.
static inline unsigned int transfer_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num;
}

/// The result of a finished transfer; `message->data` is a union, which Swift reads less clearly.
static inline CURLcode transfer_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}

// Macros that are expressions do not import.
static const long transfer_curl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long transfer_curl_http_version_1_1 = CURL_HTTP_VERSION_1_1;
static const long transfer_curl_http_version_2_tls = CURL_HTTP_VERSION_2TLS;
static const size_t transfer_curl_readfunc_abort = CURL_READFUNC_ABORT;
static const int transfer_curl_pause_cont = CURLPAUSE_CONT;

#endif
