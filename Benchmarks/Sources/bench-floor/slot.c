#define _GNU_SOURCE
#include "floor.h"

#include "CChecksum.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t send_bytes(char *buffer, size_t size, size_t count, void *argument) {
    struct slot *slot = argument;
    struct piece *piece = slot->piece;
    size_t wanted = size * count;
    if (wanted > piece->length - slot->done) wanted = (size_t)(piece->length - slot->done);
    if (!wanted) return 0;
    ssize_t read = pread(slot->file, buffer, wanted, (off_t)(piece->offset + slot->done));
    if (read <= 0) return CURL_READFUNC_ABORT;
    if (options.crc) piece->crc = transfer_crc64_update(piece->crc, buffer, (size_t)read);
    slot->done += (uint64_t)read;
    return (size_t)read;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *argument) {
    struct slot *slot = argument;
    struct piece *piece = slot->piece;
    size_t length = size * count;
    if (options.crc) piece->crc = transfer_crc64_update(piece->crc, bytes, length);
    if (plan.file >= 0) {
        off_t offset = (off_t)(piece->offset + slot->done);
        if (pwrite(plan.file, bytes, length, offset) != (ssize_t)length) return 0;
    }
    slot->done += length;
    return length;
}

static void keep_tag(struct piece *piece, const char *from, const char *end) {
    size_t length = (size_t)(end - from);
    if (length >= sizeof piece->tag) return;
    memcpy(piece->tag, from, length);
    piece->tag[length] = 0;
}

/// The document of a part copy, which comes in one piece.
static size_t take_copy_result(char *bytes, size_t size, size_t count, void *argument) {
    struct slot *slot = argument;
    static const char before[] = "<ETag>&quot;", after[] = "&quot;</ETag>";
    char *from = memmem(bytes, size * count, before, sizeof before - 1);
    char *end = memmem(bytes, size * count, after, sizeof after - 1);
    if (from && end) keep_tag(slot->piece, from + sizeof before - 1, end);
    return size * count;
}

static size_t take_header(char *line, size_t size, size_t count, void *argument) {
    struct slot *slot = argument;
    size_t length = size * count;
    if (length > 7 && strncasecmp(line, "etag:", 5) == 0) {
        char *from = memchr(line, '"', length), *end = memrchr(line, '"', length);
        if (from && end > from) keep_tag(slot->piece, from + 1, end);
    }
    return length;
}

void slot_prepare(struct slot *slot) {
    CURL *handle = slot->handle = curl_easy_init();
    if (!handle) fail("no memory");
    curl_easy_setopt(handle, CURLOPT_PRIVATE, slot);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, slot);
    if (options.ca_file) curl_easy_setopt(handle, CURLOPT_CAINFO, options.ca_file);
    if (options.work == WORK_GET) {
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_bytes);
        return;
    }
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, 256L << 10);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, send_bytes);
    curl_easy_setopt(handle, CURLOPT_READDATA, slot);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_copy_result);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, slot);
}

static void set_headers(struct slot *slot) {
    struct piece *piece = slot->piece;
    curl_slist_free_all(slot->headers);
    slot->headers = curl_slist_append(NULL, "Expect:");
    if (options.work == WORK_COPY) {
        char line[2048];
        snprintf(line, sizeof line, "x-amz-copy-source: /%s/%s", options.bucket, options.operand);
        slot->headers = curl_slist_append(slot->headers, line);
        snprintf(
            line, sizeof line, "x-amz-copy-source-range: bytes=%llu-%llu", (unsigned long long)piece->offset,
            (unsigned long long)(piece->offset + piece->length - 1));
        slot->headers = curl_slist_append(slot->headers, line);
    }
    curl_easy_setopt(slot->handle, CURLOPT_HTTPHEADER, slot->headers);
}

void slot_begin(struct slot *slot, struct piece *piece) {
    slot->piece = piece;
    slot->done = 0;
    char url[2048], range[64];
    int used = snprintf(url, sizeof url, "%s/%s/%s", options.endpoint, options.bucket, options.key);
    size_t room = sizeof url - (size_t)used;
    if (options.work == WORK_GET) {
        snprintf(
            range, sizeof range, "%llu-%llu", (unsigned long long)piece->offset,
            (unsigned long long)(piece->offset + piece->length - 1));
        curl_easy_setopt(slot->handle, CURLOPT_RANGE, range);
    } else {
        set_headers(slot);
        uint64_t body = options.work == WORK_COPY ? 0 : piece->length;
        curl_easy_setopt(slot->handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)body);
        if (options.work == WORK_SMALL) {
            snprintf(url + used, room, "/%s", strrchr(piece->path, '/') + 1);
            slot->file = open(piece->path, O_RDONLY | O_CLOEXEC);
            if (slot->file < 0) fail("%s cannot be read", piece->path);
        } else {
            slot->file = plan.file;
            snprintf(url + used, room, "?partNumber=%zu&uploadId=%s", piece - plan.pieces + 1, plan.upload_id);
        }
    }
    curl_easy_setopt(slot->handle, CURLOPT_URL, url);
}

void slot_end(struct slot *slot, CURLcode result) {
    long status = 0;
    curl_easy_getinfo(slot->handle, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK) fail("%s", curl_easy_strerror(result));
    if (status / 100 != 2) fail("status %ld", status);
    if (options.work == WORK_SMALL) close(slot->file);
    if (options.work == WORK_GET && slot->done != slot->piece->length) fail("the answer ends early");
    if (options.work != WORK_GET && !*slot->piece->tag) fail("no ETag was answered");
}
