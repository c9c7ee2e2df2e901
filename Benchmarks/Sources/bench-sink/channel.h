#ifndef BENCH_CHANNEL_H
#define BENCH_CHANNEL_H

#include <openssl/ssl.h>
#include <stddef.h>
#include <sys/types.h>

/// A socket that does not wait, with or without TLS.
struct channel {
    int fd;
    SSL *tls;
};

enum { CHANNEL_AGAIN = -1, CHANNEL_ENDED = -2 };

/// Reads the certificate of `settings`. False, with the reason on standard error, when it cannot be used.
bool channel_prepare(void);
bool channel_open(struct channel *channel, int fd);
void channel_close(struct channel *channel);

/// Bytes, or one of the values above.
ssize_t channel_read(struct channel *channel, void *bytes, size_t length);
ssize_t channel_write(struct channel *channel, const void *bytes, size_t length);
/// Takes bytes and drops them, inside the kernel where it can. `scratch` holds at least 256 KiB.
ssize_t channel_drop(struct channel *channel, void *scratch, size_t length);
/// Sends zeros, without copying them where it can.
ssize_t channel_write_zeros(struct channel *channel, size_t length);
/// Whether bytes wait that epoll does not know of.
bool channel_has_pending(const struct channel *channel);

#endif
