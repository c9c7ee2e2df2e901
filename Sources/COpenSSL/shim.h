// OpenSSL's digests and message authentication for Swift. TLS is libcurl's business, so only libcrypto is linked.
#ifndef OBJECT_TRANSFER_COPENSSL_SHIM_H
#define OBJECT_TRANSFER_COPENSSL_SHIM_H

#include <openssl/crypto.h>
#include <openssl/evp.h>

/// A digest by its name, to be kept: since 3.0 OpenSSL looks up the constants, such as `EVP_sha256()`, by name and under locks every
/// time one is used. Null when the library does not provide it.
static inline const EVP_MD *transfer_openssl_digest(const char *name) {
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
    return EVP_MD_fetch(NULL, name, NULL);
#else
    return EVP_get_digestbyname(name);
#endif
}

#endif
