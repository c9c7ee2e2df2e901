// A server of objects that keeps no bytes and checks no signature: to measure clients by, and for nothing else.

#ifndef BENCH_SINK_H
#define BENCH_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the command line asks for.
struct settings {
    int port;
    int threads;
    /// Milliseconds before a part copy is answered.
    int latency;
    /// Whether bodies are summed, and answers of OSS and TOS tell a CRC-64.
    bool crc;
    /// PEM files; NULL without TLS.
    const char *certificate, *key;
    /// Objects that are said to be there, full of zeros. Any path that ends in the name is one.
    struct pretended {
        const char *name;
        uint64_t size;
    } objects[32];
    int object_count;
};

extern struct settings settings;

/// Text that grows.
struct text {
    char *bytes;
    size_t length, capacity;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum dialect { DIALECT_S3, DIALECT_OSS, DIALECT_TOS };

/// The head of a request. Its strings point into the connection's buffer.
struct request {
    enum dialect dialect;
    const char *method, *path, *query;
    uint64_t length;
    /// Bytes of the object where the body frames them; else `length`.
    uint64_t decoded_length;
    /// Whether the body comes in chunks; its length is then known at its end.
    bool is_chunked;
    bool expects_continue, closes;
    /// Path of the object to copy; NULL without one.
    const char *copy_source;
    bool has_range;
    uint64_t range_first, range_last;
};

/// Reads the head in `head`, which ends behind its last line with a NUL, and cuts it to pieces. False for what cannot be read.
bool request_read(struct request *request, char *head);

/// The value of a parameter of the query, up to `&` or the end; NULL where it is missing.
const char *request_parameter(const struct request *request, const char *name);

bool request_is(const struct request *request, const char *method);
bool request_copies_part(const struct request *request);

/// Where the reading of a body in chunks is.
struct chunks {
    enum { CHUNK_SIZE, CHUNK_EXTENSION, CHUNK_DATA, CHUNK_END, CHUNK_TRAILER, CHUNK_DONE } state;
    /// Bytes of data that are left of this chunk, of all data so far, and of the present line of the trailer.
    uint64_t left, total, line;
};

/// Takes the next bytes of such a body. The state is `CHUNK_DONE` when all of it has come.
void chunks_take(struct chunks *chunks, const char *bytes, size_t length);

/// Adds head and document of the answer to `out`, and returns how many zeros follow.
uint64_t answer(const struct request *request, uint64_t crc, struct text *out);

/// What has been counted since the last reset.
void stats_connected(void);
void stats_begin(void);
void stats_end(const struct request *request);
void stats_write(struct text *out);
void stats_reset(void);

/// What is stored. Calls are made with the lock held.
void store_lock(void);
void store_unlock(void);

struct part {
    uint64_t size, crc;
    unsigned char tag[16];
    bool present;
};

struct upload {
    uint64_t id;
    struct part *parts;
    int count;
    struct upload *next;
};

struct object {
    uint64_t size, crc;
    char tag[48];
};

struct upload *store_begin(void);
struct upload *store_find(uint64_t id);
void store_end(struct upload *upload);
/// The place of part `number`; NULL for one that no upload can have.
struct part *store_part(struct upload *upload, int number);
void store_put(const char *path, const struct object *object);
bool store_get(const char *path, struct object *object);
void store_clear(void);

/// The CRC-64 of so many zeros.
uint64_t crc_of_zeros(uint64_t length);

/// Serves until the process is told to end. Returns an exit status.
int serve(void);

#endif
