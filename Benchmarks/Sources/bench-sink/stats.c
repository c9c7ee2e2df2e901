#include "sink.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

static struct {
    _Atomic uint64_t connections, requests, in_flight, most_in_flight;
    _Atomic uint64_t puts, parts, copies, lists, heads, gets, others, body_bytes;
    /// Microseconds, when the first part (or object, or part copy) began to come and the last was answered.
    _Atomic uint64_t first_data, last_data;
} counted;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

void stats_connected(void) { counted.connections++; }

void stats_begin(void) {
    uint64_t running = ++counted.in_flight, most = counted.most_in_flight;
    while (running > most && !atomic_compare_exchange_weak(&counted.most_in_flight, &most, running)) {}
}

/// What moves the object's bytes, as opposed to Create, Complete and the like.
static _Atomic uint64_t *counter(const struct request *request) {
    bool has_part = request_parameter(request, "partNumber");
    if (request_is(request, "PUT")) return request->copy_source ? &counted.copies : has_part ? &counted.parts : &counted.puts;
    if (request_is(request, "HEAD")) return &counted.heads;
    if (!request_is(request, "GET")) return &counted.others;
    return request_parameter(request, "uploadId") ? &counted.lists : &counted.gets;
}

void stats_end(const struct request *request) {
    counted.in_flight--;
    // Whoever asks for these figures is none of the clients.
    if (strncmp(request->path, "/_", 2) == 0) return;
    counted.requests++;
    ++*counter(request);
    if (!request_is(request, "PUT")) return;
    counted.body_bytes += request->decoded_length;
    uint64_t at = now(), unset = 0;
    // The first answer stands for the first request: close enough for anything but a handful of parts.
    atomic_compare_exchange_strong(&counted.first_data, &unset, at);
    counted.last_data = at;
}

void stats_write(struct text *out) {
    text_add(
        out,
        "{\"connections\": %lu, \"requests\": %lu, \"most_in_flight\": %lu, \"puts\": %lu, \"parts\": %lu, "
        "\"copies\": %lu, \"lists\": %lu, \"heads\": %lu, \"gets\": %lu, \"others\": %lu, \"body_bytes\": %lu, "
        "\"span_us\": %lu}\n",
        counted.connections, counted.requests, counted.most_in_flight, counted.puts, counted.parts, counted.copies,
        counted.lists, counted.heads, counted.gets, counted.others, counted.body_bytes,
        counted.last_data - counted.first_data);
}

void stats_reset(void) {
    counted.connections = counted.requests = counted.puts = counted.parts = counted.copies = counted.lists = 0;
    counted.heads = counted.gets = counted.others = counted.body_bytes = 0;
    counted.first_data = counted.last_data = 0;
    counted.most_in_flight = counted.in_flight;
}
