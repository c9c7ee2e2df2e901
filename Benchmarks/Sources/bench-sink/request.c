#include "sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool request_is(const struct request *request, const char *method) { return strcmp(request->method, method) == 0; }

bool request_copies_part(const struct request *request) {
    return request->copy_source && request_parameter(request, "partNumber");
}

const char *request_parameter(const struct request *request, const char *name) {
    size_t length = strlen(name);
    for (const char *item = request->query; *item;) {
        if (strncmp(item, name, length) == 0 && (item[length] == '=' || item[length] == '&' || !item[length])) {
            return item[length] == '=' ? item + length + 1 : item + length;
        }
        const char *next = strchr(item, '&');
        if (!next) break;
        item = next + 1;
    }
    return NULL;
}

static bool read_range(struct request *request, const char *value) {
    unsigned long long first, last = UINT64_MAX;
    if (sscanf(value, "bytes=%llu-%llu", &first, &last) < 1 || last < first) return false;
    request->has_range = true;
    request->range_first = first;
    request->range_last = last;
    return true;
}

/// A header of the service's own, without its prefix.
static void read_service_header(struct request *request, const char *name, char *value) {
    if (strcasecmp(name, "copy-source") == 0) {
        value[strcspn(value, "?")] = 0;
        request->copy_source = value;
    } else if (strcasecmp(name, "copy-source-range") == 0) {
        read_range(request, value);
    } else if (strcasecmp(name, "decoded-content-length") == 0) {
        request->decoded_length = strtoull(value, NULL, 10);
    }
}

static bool read_header(struct request *request, const char *name, char *value) {
    static const struct {
        const char *prefix;
        enum dialect dialect;
    } services[] = {{"x-amz-", DIALECT_S3}, {"x-oss-", DIALECT_OSS}, {"x-tos-", DIALECT_TOS}};
    for (size_t i = 0; i < sizeof services / sizeof services[0]; i++) {
        if (strncasecmp(name, services[i].prefix, 6)) continue;
        request->dialect = services[i].dialect;
        read_service_header(request, name + 6, value);
        return true;
    }
    if (strcasecmp(name, "content-length") == 0) {
        request->length = strtoull(value, NULL, 10);
    } else if (strcasecmp(name, "transfer-encoding") == 0) {
        request->is_chunked = strcasecmp(value, "chunked") == 0;
    } else if (strcasecmp(name, "range") == 0) {
        return read_range(request, value);
    } else if (strcasecmp(name, "expect") == 0) {
        request->expects_continue = strncasecmp(value, "100", 3) == 0;
    } else if (strcasecmp(name, "connection") == 0) {
        request->closes = strcasecmp(value, "close") == 0;
    } else if (strcasecmp(name, "authorization") == 0) {
        if (strncmp(value, "OSS", 3) == 0) request->dialect = DIALECT_OSS;
        if (strncmp(value, "TOS", 3) == 0) request->dialect = DIALECT_TOS;
    }
    return true;
}

bool request_read(struct request *request, char *head) {
    *request = (struct request){.dialect = DIALECT_S3, .query = "", .decoded_length = UINT64_MAX};
    char *line = strsep(&head, "\n");
    request->method = strsep(&line, " ");
    char *path = strsep(&line, " ");
    if (!path || *path != '/') return false;
    request->path = strsep(&path, "?");
    if (path) request->query = path;
    // What comes back in a document is not escaped there.
    if (strpbrk(request->path, "&<>\"\\")) return false;
    while ((line = strsep(&head, "\n")) && *line && *line != '\r') {
        char *value = line, *name = strsep(&value, ":");
        if (!value) return false;
        value += strspn(value, " \t");
        value[strcspn(value, "\r")] = 0;
        if (!read_header(request, name, value)) return false;
    }
    if (request->decoded_length == UINT64_MAX) request->decoded_length = request->length;
    return true;
}
