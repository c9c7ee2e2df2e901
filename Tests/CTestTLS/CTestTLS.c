#include "CTestTLS.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

struct test_certificate {
    X509 *certificate;
    EVP_PKEY *key;
};

static EVP_PKEY *make_key(void) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, NULL);
    if (!context || EVP_PKEY_keygen_init(context) <= 0 ||
        EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) <= 0 ||
        EVP_PKEY_keygen(context, &key) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

static int add_extension(X509 *certificate, X509 *issuer, int name, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, name, value);
    if (!extension) return 0;
    int result = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return result;
}

static int fill(X509 *certificate, EVP_PKEY *key, const test_certificate_request *request,
                const test_certificate *issuer) {
    unsigned char serial[8];
    if (RAND_bytes(serial, sizeof serial) != 1) return 0;
    serial[0] = (unsigned char)((serial[0] & 0x7F) | 0x40);
    BIGNUM *number = BN_bin2bn(serial, sizeof serial, NULL);
    int has_serial = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509 *signer = issuer ? issuer->certificate : certificate;
    return has_serial && X509_set_version(certificate, 2) &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), request->valid_from) &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), request->valid_until) &&
           X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)request->common_name, -1, -1,
                                      0) &&
           X509_set_issuer_name(certificate, X509_get_subject_name(signer)) && X509_set_pubkey(certificate, key) &&
           add_extension(certificate, signer, NID_basic_constraints,
                         request->is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE") &&
           (!request->alternative_names ||
            add_extension(certificate, signer, NID_subject_alt_name, request->alternative_names)) &&
           X509_sign(certificate, issuer ? issuer->key : key,
                     request->has_weak_signature ? EVP_sha1() : EVP_sha256());
}

test_certificate *test_certificate_make(const test_certificate_request *request, const test_certificate *issuer) {
    test_certificate *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->certificate = X509_new();
    made->key = make_key();
    if (!made->certificate || !made->key || !fill(made->certificate, made->key, request, issuer)) {
        test_certificate_free(made);
        return NULL;
    }
    return made;
}

void test_certificate_free(test_certificate *certificate) {
    if (!certificate) return;
    X509_free(certificate->certificate);
    EVP_PKEY_free(certificate->key);
    free(certificate);
}

static char *text_of(BIO *memory) {
    char *bytes = NULL;
    long count = BIO_get_mem_data(memory, &bytes);
    char *text = count >= 0 ? malloc((size_t)count + 1) : NULL;
    if (text) {
        memcpy(text, bytes, (size_t)count);
        text[count] = 0;
    }
    BIO_free(memory);
    return text;
}

char *test_certificate_pem(const test_certificate *certificate) {
    BIO *memory = BIO_new(BIO_s_mem());
    if (memory) PEM_write_bio_X509(memory, certificate->certificate);
    return memory ? text_of(memory) : NULL;
}

char *test_certificate_key_pem(const test_certificate *certificate) {
    BIO *memory = BIO_new(BIO_s_mem());
    if (memory) PEM_write_bio_PrivateKey(memory, certificate->key, NULL, NULL, 0, NULL, NULL);
    return memory ? text_of(memory) : NULL;
}

unsigned long test_certificate_name_hash(const test_certificate *certificate) {
    return X509_NAME_hash(X509_get_subject_name(certificate->certificate));
}

struct test_tls_server {
    SSL_CTX *context;
};

struct test_tls_session {
    SSL *ssl;
    char offered[128];
};

/* Writes down what the client offers, and takes HTTP/1.1. */
static int choose_protocol(SSL *ssl, const unsigned char **chosen, unsigned char *length, const unsigned char *offered,
                           unsigned int count, void *context) {
    (void)context;
    test_tls_session *session = SSL_get_app_data(ssl);
    int result = SSL_TLSEXT_ERR_NOACK;
    size_t written = 0;
    for (unsigned int place = 0; place < count; place += offered[place] + 1u) {
        unsigned int size = offered[place];
        if (place + 1 + size > count) break;
        if (written + size + 2 <= sizeof session->offered) {
            memcpy(session->offered + written, offered + place + 1, size);
            written += size;
            session->offered[written++] = ',';
            session->offered[written] = 0;
        }
        if (size == 8 && memcmp(offered + place + 1, "http/1.1", 8) == 0) {
            *chosen = offered + place + 1;
            *length = (unsigned char)size;
            result = SSL_TLSEXT_ERR_OK;
        }
    }
    return result;
}

test_tls_server *test_tls_server_new(const test_certificate *certificate) {
    test_tls_server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    server->context = SSL_CTX_new(TLS_server_method());
    if (server->context) {
        // Also for certificates that no client should take.
        SSL_CTX_set_security_level(server->context, 0);
        SSL_CTX_set_alpn_select_cb(server->context, choose_protocol, NULL);
        SSL_CTX_set_mode(server->context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    }
    if (!server->context || SSL_CTX_use_certificate(server->context, certificate->certificate) != 1 ||
        SSL_CTX_use_PrivateKey(server->context, certificate->key) != 1) {
        test_tls_server_free(server);
        return NULL;
    }
    return server;
}

int test_tls_server_outdate(test_tls_server *server) {
    return SSL_CTX_set_cipher_list(server->context, "DEFAULT:@SECLEVEL=0") == 1 &&
           SSL_CTX_set_min_proto_version(server->context, TLS1_VERSION) == 1 &&
           SSL_CTX_set_max_proto_version(server->context, TLS1_1_VERSION) == 1;
}

void test_tls_server_free(test_tls_server *server) {
    if (!server) return;
    SSL_CTX_free(server->context);
    free(server);
}

test_tls_session *test_tls_session_new(test_tls_server *server, int descriptor) {
    test_tls_session *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    session->ssl = SSL_new(server->context);
    if (!session->ssl || SSL_set_fd(session->ssl, descriptor) != 1) {
        test_tls_session_free(session);
        return NULL;
    }
    SSL_set_app_data(session->ssl, session);
    return session;
}

void test_tls_session_free(test_tls_session *session) {
    if (!session) return;
    SSL_free(session->ssl);
    free(session);
}

static int meaning(const test_tls_session *session, int result) {
    switch (SSL_get_error(session->ssl, result)) {
    case SSL_ERROR_WANT_READ: return TEST_TLS_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return TEST_TLS_WANTS_WRITE;
    default: return TEST_TLS_ENDED;
    }
}

int test_tls_accept(test_tls_session *session) {
    ERR_clear_error();
    int result = SSL_accept(session->ssl);
    return result == 1 ? 1 : meaning(session, result);
}

int test_tls_read(test_tls_session *session, void *buffer, int count) {
    ERR_clear_error();
    int result = SSL_read(session->ssl, buffer, count);
    return result > 0 ? result : meaning(session, result);
}

int test_tls_write(test_tls_session *session, const void *buffer, int count) {
    ERR_clear_error();
    int result = SSL_write(session->ssl, buffer, count);
    return result > 0 ? result : meaning(session, result);
}

void test_tls_close(test_tls_session *session) {
    ERR_clear_error();
    (void)SSL_shutdown(session->ssl);
    ERR_clear_error();
}

const char *test_tls_offered_protocols(const test_tls_session *session) { return session->offered; }
