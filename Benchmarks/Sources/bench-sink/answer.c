#include "sink.h"

#include "CChecksum.h"

#include <inttypes.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const prefixes[] = {"x-amz-", "x-oss-", "x-tos-"};
static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// An answer while it is written: headers and document grow apart, for the length of one is in the other.
struct reply {
    const struct request *request;
    int status;
    struct text headers, document;
    /// Bytes of an object that follow, or would follow but for HEAD.
    uint64_t object_bytes;
    bool has_object;
};

static bool is_json(const struct reply *reply) { return reply->request->dialect == DIALECT_TOS; }

static void tell_tag(struct reply *reply, const char *tag) { text_add(&reply->headers, "ETag: \"%s\"\r\n", tag); }

static void tell_crc(struct reply *reply, uint64_t crc) {
    if (!settings.crc || reply->request->dialect == DIALECT_S3) return;
    text_add(
        &reply->headers, "%shash-crc64ecma: %" PRIu64 "\r\n", prefixes[reply->request->dialect], crc);
}

static void refuse(struct reply *reply, int status, const char *code) {
    reply->status = status;
    const char *format = is_json(reply) ? "{\"Code\": \"%s\", \"Message\": \"%s\", \"RequestId\": \"0\"}"
                                        : "<Error><Code>%s</Code><Message>%s</Message><RequestId>0</RequestId></Error>";
    text_add(&reply->document, format, code, code);
}

static void hexadecimal(const unsigned char *bytes, char *text) {
    for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/// A tag that differs from part to part and from content to content, as far as that is known here.
static void make_tag(uint64_t a, uint64_t b, unsigned char tag[16]) {
    for (int i = 0; i < 16; i++) {
        a = (a ^ (b + (uint64_t)i)) * 0x9E3779B97F4A7C15ull;
        tag[i] = (unsigned char)(a >> 56);
    }
}

/// Bucket and key of the path, which need not have both.
static void split_path(const char *path, int *bucket_length, const char **bucket, const char **key) {
    *bucket = path + 1;
    const char *slash = strchr(*bucket, '/');
    *bucket_length = slash ? (int)(slash - *bucket) : (int)strlen(*bucket);
    *key = slash ? slash + 1 : "";
}

static void begin_upload(struct reply *reply) {
    const char *bucket, *key;
    int length;
    split_path(reply->request->path, &length, &bucket, &key);
    struct upload *upload = store_begin();
    const char *format = is_json(reply)
        ? "{\"Bucket\": \"%.*s\", \"Key\": \"%s\", \"UploadId\": \"%016" PRIX64 "\"}"
        : "<InitiateMultipartUploadResult><Bucket>%.*s</Bucket><Key>%s</Key><UploadId>%016" PRIX64
          "</UploadId></InitiateMultipartUploadResult>";
    text_add(&reply->document, format, length, bucket, key, upload->id);
}

static void tell_copied(struct reply *reply, const char *root, const char *tag) {
    if (is_json(reply)) {
        text_add(
            &reply->document, "{\"ETag\": \"\\\"%s\\\"\", \"LastModified\": \"2026-01-01T00:00:00.000Z\"}", tag);
        return;
    }
    text_add(
        &reply->document,
        "<%s><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;%s&quot;</ETag></%s>", root, tag, root);
}

static void put_part(struct reply *reply, struct upload *upload, uint64_t crc) {
    const struct request *request = reply->request;
    int number = atoi(request_parameter(request, "partNumber"));
    uint64_t size = request->decoded_length;
    if (request->copy_source) {
        struct object source;
        if (!store_get(request->copy_source, &source)) return refuse(reply, 404, "NoSuchKey");
        size = request->has_range ? request->range_last - request->range_first + 1 : source.size;
        crc = settings.crc ? crc_of_zeros(size) : 0;
    }
    struct part *part = store_part(upload, number);
    if (!part) return refuse(reply, 400, "InvalidArgument");
    *part = (struct part){.size = size, .crc = crc, .present = true};
    make_tag(upload->id + crc, (uint64_t)number << 32, part->tag);
    char tag[33];
    hexadecimal(part->tag, tag);
    if (request->copy_source) {
        tell_copied(reply, "CopyPartResult", tag);
    } else {
        tell_tag(reply, tag);
        tell_crc(reply, crc);
    }
}

static void complete_upload(struct reply *reply, struct upload *upload) {
    struct object object = {0};
    int count = 0;
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    EVP_DigestInit_ex(digest, EVP_md5(), NULL);
    for (int i = 0; i < upload->count; i++) {
        const struct part *part = &upload->parts[i];
        if (!part->present) continue;
        count++;
        if (settings.crc) object.crc = transfer_crc64_combine(object.crc, part->crc, part->size);
        object.size += part->size;
        EVP_DigestUpdate(digest, part->tag, sizeof part->tag);
    }
    unsigned char whole[EVP_MAX_MD_SIZE];
    EVP_DigestFinal_ex(digest, whole, NULL);
    EVP_MD_CTX_free(digest);
    if (!count) return refuse(reply, 400, "InvalidPart");
    hexadecimal(whole, object.tag);
    snprintf(object.tag + 32, sizeof object.tag - 32, "-%d", count);
    store_put(reply->request->path, &object);
    store_end(upload);

    const char *bucket, *key;
    int length;
    split_path(reply->request->path, &length, &bucket, &key);
    tell_crc(reply, object.crc);
    const char *format = is_json(reply)
        ? "{\"Bucket\": \"%.*s\", \"Key\": \"%s\", \"Location\": \"http://127.0.0.1\", \"ETag\": \"\\\"%s\\\"\"}"
        : "<CompleteMultipartUploadResult><Bucket>%.*s</Bucket><Key>%s</Key><Location>http://127.0.0.1</Location>"
          "<ETag>&quot;%s&quot;</ETag></CompleteMultipartUploadResult>";
    text_add(&reply->document, format, length, bucket, key, object.tag);
}

/// One page of the parts that are there.
static void list_parts(struct reply *reply, struct upload *upload) {
    const char *marker = request_parameter(reply->request, "part-number-marker");
    if (!marker) marker = request_parameter(reply->request, "partNumberMarker");
    int first = marker ? atoi(marker) : 0, told = 0, last = first;
    bool is_truncated = false;
    struct text parts = {0};
    for (int i = first < 0 ? 0 : first; i < upload->count; i++) {
        const struct part *part = &upload->parts[i];
        if (!part->present) continue;
        if (told == 1000) {
            is_truncated = true;
            break;
        }
        char tag[33];
        hexadecimal(part->tag, tag);
        last = i + 1;
        if (is_json(reply)) {
            text_add(
                &parts,
                "%s{\"PartNumber\": %d, \"ETag\": \"\\\"%s\\\"\", \"Size\": %" PRIu64
                ", \"LastModified\": \"2026-01-01T00:00:00.000Z\"}",
                told ? ", " : "", last, tag, part->size);
        } else {
            text_add(
                &parts,
                "<Part><PartNumber>%d</PartNumber><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
                "<ETag>&quot;%s&quot;</ETag><Size>%" PRIu64 "</Size>",
                last, tag, part->size);
            if (settings.crc && reply->request->dialect == DIALECT_OSS) {
                text_add(&parts, "<HashCrc64ecma>%" PRIu64 "</HashCrc64ecma>", part->crc);
            }
            text_add(&parts, "</Part>");
        }
        told++;
    }
    const char *bucket, *key, *list = parts.bytes ? parts.bytes : "", *truth = is_truncated ? "true" : "false";
    int length;
    split_path(reply->request->path, &length, &bucket, &key);
    const char *format = is_json(reply)
        ? "{\"Bucket\": \"%.*s\", \"Key\": \"%s\", \"UploadId\": \"%016" PRIX64
          "\", \"NextPartNumberMarker\": %d, \"MaxParts\": 1000, \"IsTruncated\": %s, \"Parts\": [%s]}"
        : "<ListPartsResult><Bucket>%.*s</Bucket><Key>%s</Key><UploadId>%016" PRIX64
          "</UploadId><NextPartNumberMarker>%d</NextPartNumberMarker><MaxParts>1000</MaxParts>"
          "<IsTruncated>%s</IsTruncated>%s</ListPartsResult>";
    text_add(&reply->document, format, length, bucket, key, upload->id, last, truth, list);
    free(parts.bytes);
}

/// What is asked of an upload that has begun.
static void continue_upload(struct reply *reply, const char *id, uint64_t crc) {
    const struct request *request = reply->request;
    struct upload *upload = store_find(strtoull(id, NULL, 16));
    if (!upload) return refuse(reply, 404, "NoSuchUpload");
    if (request_is(request, "PUT") && request_parameter(request, "partNumber")) {
        put_part(reply, upload, crc);
    } else if (request_is(request, "POST")) {
        complete_upload(reply, upload);
    } else if (request_is(request, "GET")) {
        list_parts(reply, upload);
    } else if (request_is(request, "DELETE")) {
        store_end(upload);
        reply->status = 204;
    } else {
        refuse(reply, 405, "MethodNotAllowed");
    }
}

static void put_object(struct reply *reply, uint64_t crc) {
    const struct request *request = reply->request;
    struct object object = {.size = request->decoded_length, .crc = crc};
    if (request->copy_source && !store_get(request->copy_source, &object)) return refuse(reply, 404, "NoSuchKey");
    unsigned char tag[16];
    make_tag(object.size, object.crc, tag);
    hexadecimal(tag, object.tag);
    store_put(request->path, &object);
    if (request->copy_source) return tell_copied(reply, "CopyObjectResult", object.tag);
    tell_tag(reply, object.tag);
    tell_crc(reply, crc);
}

static void get_object(struct reply *reply) {
    const struct request *request = reply->request;
    struct object object;
    if (!store_get(request->path, &object)) return refuse(reply, 404, "NoSuchKey");
    uint64_t first = 0, end = object.size;
    if (request->has_range) {
        if (request->range_first >= object.size) return refuse(reply, 416, "InvalidRange");
        first = request->range_first;
        if (request->range_last < end) end = request->range_last + 1;
        reply->status = 206;
        text_add(
            &reply->headers, "Content-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64 "\r\n", first, end - 1,
            object.size);
    }
    reply->has_object = true;
    reply->object_bytes = end - first;
    tell_tag(reply, object.tag);
    tell_crc(reply, object.crc);
    text_add(
        &reply->headers,
        "Accept-Ranges: bytes\r\nContent-Type: application/octet-stream\r\n"
        "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n");
}

/// A listing of the objects that are said to be there.
static void list_objects(struct reply *reply) {
    const char *prefix = request_parameter(reply->request, "prefix");
    size_t length = prefix ? strcspn(prefix, "&") : 0;
    text_add(&reply->document, "<ListBucketResult><IsTruncated>false</IsTruncated>");
    for (int i = 0; i < settings.object_count; i++) {
        const struct pretended *object = &settings.objects[i];
        if (length && strncmp(object->name, prefix, length)) continue;
        text_add(
            &reply->document,
            "<Contents><Key>%s</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            "<ETag>&quot;%032" PRIx64 "-2&quot;</ETag><Size>%" PRIu64 "</Size></Contents>",
            object->name, object->size, object->size);
    }
    text_add(&reply->document, "</ListBucketResult>");
}

static void perform(struct reply *reply, uint64_t crc) {
    const struct request *request = reply->request;
    const char *id = request_parameter(request, "uploadId"), *bucket, *key;
    int length;
    split_path(request->path, &length, &bucket, &key);
    // A client of a domain bound to one bucket names none.
    struct object object;
    bool names_object = *key || store_get(request->path, &object);
    if (id) {
        continue_upload(reply, id, crc);
    } else if (request_is(request, "POST") && request_parameter(request, "uploads")) {
        begin_upload(reply);
    } else if (request_is(request, "PUT")) {
        put_object(reply, crc);
    } else if (request_is(request, "GET") && (!names_object || request_parameter(request, "list-type"))) {
        list_objects(reply);
    } else if (request_is(request, "HEAD") || request_is(request, "GET")) {
        // A client may ask whether the bucket is there.
        if (names_object) get_object(reply);
    } else if (request_is(request, "DELETE")) {
        reply->status = 204;
    } else {
        refuse(reply, 501, "NotImplemented");
    }
}

static const char *reason(int status) {
    switch (status) {
    case 200: return "OK";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 404: return "Not Found";
    default: return "Refused";
    }
}

/// The date of this second; with the lock held.
static const char *date(void) {
    static time_t second;
    static char text[40];
    time_t now = time(NULL);
    if (now != second) {
        struct tm parts;
        strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &parts));
        second = now;
    }
    return text;
}

uint64_t answer(const struct request *request, uint64_t crc, struct text *out) {
    struct reply reply = {.request = request, .status = 200};
    store_lock();
    if (strncmp(request->path, "/_", 2) == 0) {
        stats_write(&reply.document);
        if (strcmp(request->path, "/_reset") == 0) {
            stats_reset();
            store_clear();
        }
    } else {
        perform(&reply, crc);
    }
    bool has_body = !request_is(request, "HEAD") && reply.status != 204;
    bool is_xml = reply.document.length && *reply.document.bytes == '<';
    uint64_t length = reply.has_object ? reply.object_bytes
        : reply.document.length ? reply.document.length + (is_xml ? sizeof declaration - 1 : 0) : 0;
    text_add(
        out, "HTTP/1.1 %d %s\r\nServer: bench-sink\r\nDate: %s\r\n%srequest-id: 0000000000000001\r\n%s%s", reply.status,
        reason(reply.status), date(), prefixes[request->dialect], request->closes ? "Connection: close\r\n" : "",
        reply.headers.bytes ? reply.headers.bytes : "");
    store_unlock();
    if (reply.document.length) text_add(out, "Content-Type: application/%s\r\n", is_xml ? "xml" : "json");
    if (reply.status != 204) text_add(out, "Content-Length: %" PRIu64 "\r\n", length);
    text_add(out, "\r\n");
    if (has_body && reply.document.length) text_add(out, "%s%s", is_xml ? declaration : "", reply.document.bytes);
    free(reply.headers.bytes);
    free(reply.document.bytes);
    return has_body ? reply.object_bytes : 0;
}
