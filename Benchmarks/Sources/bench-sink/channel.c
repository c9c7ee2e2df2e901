#define _GNU_SOURCE
#include "sink.h"

#include "channel.h"

#include <errno.h>
#include <openssl/err.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ZEROS = 4 << 20, RECORDS = 256 << 10 };

static SSL_CTX *context;
static int zeros_file = -1;
static const unsigned char *zeros;

static bool prepare_zeros(void) {
    zeros_file = memfd_create("zeros", MFD_CLOEXEC);
    if (zeros_file < 0 || ftruncate(zeros_file, ZEROS)) return false;
    unsigned char *map = mmap(NULL, ZEROS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, zeros_file, 0);
    zeros = map;
    return map != MAP_FAILED;
}

bool channel_prepare(void) {
    if (!prepare_zeros()) {
        perror("bench-sink: memory for zeros");
        return false;
    }
    if (!settings.certificate) return true;
    context = SSL_CTX_new(TLS_server_method());
    if (!context || SSL_CTX_use_certificate_chain_file(context, settings.certificate) != 1
        || SSL_CTX_use_PrivateKey_file(context, settings.key, SSL_FILETYPE_PEM) != 1) {
        ERR_print_errors_fp(stderr);
        return false;
    }
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // One read of the socket brings many records.
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, RECORDS);
    return true;
}

bool channel_open(struct channel *channel, int fd) {
    *channel = (struct channel){.fd = fd};
    if (!context) return true;
    channel->tls = SSL_new(context);
    if (!channel->tls || SSL_set_fd(channel->tls, fd) != 1) return false;
    SSL_set_accept_state(channel->tls);
    return true;
}

void channel_close(struct channel *channel) {
    if (channel->tls) {
        SSL_shutdown(channel->tls);
        SSL_free(channel->tls);
        // Else the next call for another connection would take what is left for its own.
        ERR_clear_error();
    }
    close(channel->fd);
}

static ssize_t result(ssize_t count) {
    if (count > 0) return count;
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? CHANNEL_AGAIN : CHANNEL_ENDED;
}

static ssize_t tls_result(struct channel *channel, int count) {
    if (count > 0) return count;
    int error = SSL_get_error(channel->tls, count);
    ERR_clear_error();
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? CHANNEL_AGAIN : CHANNEL_ENDED;
}

static int shortened(size_t length) { return length > RECORDS ? RECORDS : (int)length; }

ssize_t channel_read(struct channel *channel, void *bytes, size_t length) {
    if (channel->tls) return tls_result(channel, SSL_read(channel->tls, bytes, shortened(length)));
    return result(recv(channel->fd, bytes, length, 0));
}

ssize_t channel_write(struct channel *channel, const void *bytes, size_t length) {
    if (channel->tls) return tls_result(channel, SSL_write(channel->tls, bytes, shortened(length)));
    return result(send(channel->fd, bytes, length, MSG_NOSIGNAL));
}

ssize_t channel_drop(struct channel *channel, void *scratch, size_t length) {
    if (channel->tls) return channel_read(channel, scratch, length);
    return result(recv(channel->fd, scratch, length, MSG_TRUNC));
}

ssize_t channel_write_zeros(struct channel *channel, size_t length) {
    if (channel->tls) return channel_write(channel, zeros, length);
    off_t offset = 0;
    return result(sendfile(channel->fd, zeros_file, &offset, length > ZEROS ? ZEROS : length));
}

bool channel_has_pending(const struct channel *channel) { return channel->tls && SSL_has_pending(channel->tls); }
