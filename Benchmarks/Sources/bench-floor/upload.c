#define _GNU_SOURCE
#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct document {
    char *bytes;
    size_t length;
};

static size_t take(char *bytes, size_t size, size_t count, void *argument) {
    struct document *document = argument;
    size_t length = size * count;
    document->bytes = realloc(document->bytes, document->length + length + 1);
    if (!document->bytes) return 0;
    memcpy(document->bytes + document->length, bytes, length);
    document->length += length;
    document->bytes[document->length] = 0;
    return length;
}

/// A handle for the requests before and behind the pieces, so that they share a connection.
static CURL *control(const char *key, const char *query) {
    static CURL *handle;
    if (!handle) handle = curl_easy_init();
    if (!handle) fail("no memory");
    curl_easy_reset(handle);
    char url[2048];
    snprintf(url, sizeof url, "%s/%s/%s%s", options.endpoint, options.bucket, key, query);
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
    if (options.ca_file) curl_easy_setopt(handle, CURLOPT_CAINFO, options.ca_file);
    return handle;
}

static void perform(CURL *handle) {
    CURLcode result = curl_easy_perform(handle);
    if (result != CURLE_OK) fail("%s", curl_easy_strerror(result));
}

static struct document post(const char *query, const char *body) {
    CURL *handle = control(options.key, query);
    struct document document = {0};
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &document);
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/xml");
    headers = curl_slist_append(headers, "Expect:");
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    perform(handle);
    curl_slist_free_all(headers);
    if (!document.bytes) fail("an empty answer");
    return document;
}

uint64_t head_object(const char *key) {
    CURL *handle = control(key, "");
    curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    perform(handle);
    curl_off_t size = -1;
    curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size);
    if (size < 0) fail("the size of %s was not told", key);
    return (uint64_t)size;
}

void begin_upload(void) {
    struct document document = post("?uploads", "");
    char *from = strstr(document.bytes, "<UploadId>"), *end = strstr(document.bytes, "</UploadId>");
    if (!from || !end) fail("no upload was begun");
    snprintf(plan.upload_id, sizeof plan.upload_id, "%.*s", (int)(end - from - 10), from + 10);
    free(document.bytes);
}

void complete_upload(void) {
    char query[256], *body = NULL;
    size_t length;
    FILE *text = open_memstream(&body, &length);
    if (!text) fail("no memory");
    fputs("<CompleteMultipartUpload>", text);
    for (size_t i = 0; i < plan.count; i++) {
        fprintf(
            text, "<Part><PartNumber>%zu</PartNumber><ETag>\"%s\"</ETag></Part>", i + 1, plan.pieces[i].tag);
    }
    fputs("</CompleteMultipartUpload>", text);
    fclose(text);
    snprintf(query, sizeof query, "?uploadId=%s", plan.upload_id);
    struct document document = post(query, body);
    if (!strstr(document.bytes, "<ETag>")) fail("the upload was not completed");
    free(document.bytes);
    free(body);
}
