#ifndef C_TEST_TLS_H
#define C_TEST_TLS_H

/* Throw-away certificates, and the server's end of TLS, for tests. OpenSSL's own headers stay behind this one. */

#include <stddef.h>

/* A certificate with its key. */
typedef struct test_certificate test_certificate;

typedef struct {
    const char *common_name;
    /* As OpenSSL's configuration writes it, such as "DNS:localhost,IP:127.0.0.1"; NULL for none. */
    const char *alternative_names;
    /* Seconds from now. */
    long valid_from;
    long valid_until;
    /* Whether it may vouch for others. */
    int is_authority;
    /* Whether it is signed by way of SHA-1. */
    int has_weak_signature;
} test_certificate_request;

/* Signed by `issuer`, or by itself where that is NULL. NULL when OpenSSL would not. */
test_certificate *test_certificate_make(const test_certificate_request *request, const test_certificate *issuer);
void test_certificate_free(test_certificate *certificate);

/* In PEM form, without and with the key; to be freed with `free`. */
char *test_certificate_pem(const test_certificate *certificate);
char *test_certificate_key_pem(const test_certificate *certificate);

/* By which a directory of certificates names it. */
unsigned long test_certificate_name_hash(const test_certificate *certificate);

/* What all connections of one server share. */
typedef struct test_tls_server test_tls_server;

test_tls_server *test_tls_server_new(const test_certificate *certificate);
void test_tls_server_free(test_tls_server *server);
/* From now on it speaks no version of TLS after 1.1. Zero when OpenSSL would not. */
int test_tls_server_outdate(test_tls_server *server);

/* The server's end of one connection, over a descriptor that does not block. Not for two threads at once. */
typedef struct test_tls_session test_tls_session;

enum { TEST_TLS_WANTS_READ = -1, TEST_TLS_WANTS_WRITE = -2, TEST_TLS_ENDED = -3 };

test_tls_session *test_tls_session_new(test_tls_server *server, int descriptor);
void test_tls_session_free(test_tls_session *session);

/* Above zero when done; else one of the three. */
int test_tls_accept(test_tls_session *session);
/* The number of bytes; else one of the three. */
int test_tls_read(test_tls_session *session, void *buffer, int count);
int test_tls_write(test_tls_session *session, const void *buffer, int count);
/* Says that nothing more comes; does not wait. */
void test_tls_close(test_tls_session *session);

/* The names of the protocols that the client offered, each followed by a comma; empty for none. */
const char *test_tls_offered_protocols(const test_tls_session *session);

#endif
