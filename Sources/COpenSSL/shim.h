// OpenSSL's digests and message authentication for Swift. TLS is libcurl's business, so only libcrypto is linked.
#ifndef OBJECT_TRANSFER_COPENSSL_SHIM_H
#define OBJECT_TRANSFER_COPENSSL_SHIM_H

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#endif
