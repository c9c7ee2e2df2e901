// The transfers of transfer-bench by libcurl's multi interface alone, on one thread: without signatures, retries, checkpoints and
// events. What a program over libcurl can hardly undercut.

#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum work { WORK_PUT, WORK_GET, WORK_COPY, WORK_SMALL };

/// What the command line asks for.
struct options {
    enum work work;
    /// File, key of the source or directory; NULL for a download that keeps nothing.
    const char *operand;
    const char *endpoint, *bucket, *key, *ca_file;
    uint64_t part_size;
    int jobs;
    bool crc;
    /// Which of how many equal stretches of the file is sent, so that several programs can share one.
    unsigned share, shares;
};

extern struct options options;

/// The stretch of an object or the file that one request moves.
struct piece {
    uint64_t offset, length;
    /// Without quotes.
    char tag[64];
    uint64_t crc;
    /// A file of its own, with small files.
    char *path;
};

/// What has to be moved.
struct plan {
    struct piece *pieces;
    size_t count;
    uint64_t size;
    char upload_id[128];
    /// The file of a put or get; -1 without one.
    int file;
};

extern struct plan plan;

/// A handle, and the piece that it moves.
struct slot {
    CURL *handle;
    struct curl_slist *headers;
    struct piece *piece;
    uint64_t done;
    int file;
};

void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/// Everything that is the same for all pieces.
void slot_prepare(struct slot *slot);
/// Sets the slot up for another piece.
void slot_begin(struct slot *slot, struct piece *piece);
/// Looks at the answer.
void slot_end(struct slot *slot, CURLcode result);

/// Bytes of an object.
uint64_t head_object(const char *key);
void begin_upload(void);
void complete_upload(void);

#endif
