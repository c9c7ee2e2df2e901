// Calls every function of the C that this package has of its own, with what the library passes and with what lies at the edges, and
// compares the results. Scripts/undefined-behaviour builds it with clang's sanitizers, which end it at the first undefined behaviour.

#include "../../Sources/CCurl/shim.h"
#include "../../Sources/CChecksum/include/CChecksum.h"
#include "../../Sources/CFileSystem/shim.h"
#include "../../Sources/COpenSSL/shim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures = 0;

static void check(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "undefined-behaviour: wrong: %s\n", what);
    failures++;
}

// MARK: Checksums

static uint64_t crc64_by_bits(uint64_t crc, const uint8_t *bytes, size_t length) {
    uint64_t state = ~crc;
    for (size_t i = 0; i < length; i++) {
        state ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) state = (state >> 1) ^ (state & 1 ? 0xC96C5795D7870F42ull : 0);
    }
    return ~state;
}

static uint32_t crc32_by_bits(uint32_t crc, const uint8_t *bytes, size_t length) {
    uint32_t state = ~crc;
    for (size_t i = 0; i < length; i++) {
        state ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) state = (state >> 1) ^ (state & 1 ? 0xEDB88320u : 0);
    }
    return ~state;
}

/// Every length around the widths of the fold and of the tables, at every alignment, each in memory that ends where the bytes end.
static void check_lengths_and_alignments(void) {
    for (size_t length = 0; length <= 300; length++) {
        for (size_t offset = 0; offset < 16; offset++) {
            uint8_t *memory = malloc(offset + length + (offset + length == 0));
            if (memory == NULL) abort();
            for (size_t i = 0; i < offset + length; i++) memory[i] = (uint8_t)(i * 167 + length);
            const uint8_t *bytes = memory + offset;
            const uint64_t before = 0x0123456789ABCDEFull * (length + 1);
            const uint64_t expected = crc64_by_bits(before, bytes, length);
            check(transfer_crc64_update(before, bytes, length) == expected, "CRC-64 by folding");
            check(transfer_crc64_update_table(before, bytes, length) == expected, "CRC-64 by tables");
            check(
                transfer_crc32_update((uint32_t)before, bytes, length)
                    == crc32_by_bits((uint32_t)before, bytes, length),
                "CRC-32");
            free(memory);
        }
    }
}

/// An empty Swift buffer has no address.
static void check_nothing(void) {
    check(transfer_crc64_update(42, NULL, 0) == 42, "CRC-64 of nothing");
    check(transfer_crc64_update_table(42, NULL, 0) == 42, "CRC-64 of nothing by tables");
    check(transfer_crc32_update(42, NULL, 0) == 42, "CRC-32 of nothing");
}

static void check_combining(void) {
    uint8_t bytes[1000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 31);
    const uint64_t whole = transfer_crc64_update(0, bytes, sizeof bytes);
    for (size_t cut = 0; cut <= sizeof bytes; cut++) {
        const uint64_t first = transfer_crc64_update(0, bytes, cut);
        const uint64_t second = transfer_crc64_update(0, bytes + cut, sizeof bytes - cut);
        check(transfer_crc64_combine(first, second, sizeof bytes - cut) == whole, "combining");
    }
    // Zeros as long as a length can be, in one piece and in two.
    const uint64_t half = transfer_crc64_combine(0, 0, 1ull << 63);
    check(transfer_crc64_combine(half, 0, (1ull << 63) - 1) == transfer_crc64_combine(0, 0, UINT64_MAX), "long zeros");
    check(transfer_crc64_combine(UINT64_MAX, 7, 0) == (UINT64_MAX ^ 7), "combining with no bytes");
}

// MARK: Shims

static void check_file_system(void) {
    bool is_memory = true;
    unsigned long long room = 0;
    FILE *file = tmpfile();
    check(file != NULL, "a temporary file");
    if (file != NULL) {
        check(transfer_memory_room(fileno(file), &is_memory, &room) == 0, "room for a file");
        fclose(file);
    }
    errno = 0;
    check(transfer_memory_room(-1, &is_memory, &room) == -1 && errno == EBADF, "a descriptor that is none");
}

static void check_digests(void) {
    const EVP_MD *sha256 = transfer_openssl_digest("SHA256");
    check(sha256 != NULL && EVP_MD_size(sha256) == 32, "SHA-256");
    check(transfer_openssl_digest("no digest") == NULL, "a digest that is none");
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
    EVP_MD_free((EVP_MD *)sha256);
#endif
}

static size_t take(char *buffer, size_t size, size_t count, void *context) {
    (void)buffer;
    *(size_t *)context += size * count;
    return size * count;
}

static int seek(void *context, curl_off_t offset, int origin) {
    (void)context, (void)offset, (void)origin;
    return CURL_SEEKFUNC_OK;
}

static int set_up_socket(void *context, curl_socket_t socket, curlsocktype purpose) {
    (void)context, (void)socket, (void)purpose;
    return CURL_SOCKOPT_OK;
}

static int close_socket(void *context, curl_socket_t socket) {
    (void)context;
    return close(socket);
}

/// Every setter and getter, on a transfer from a file, which libcurl runs through the callbacks that are set.
static void check_curl(void) {
    char path[] = "/tmp/undefined-behaviour-XXXXXX";
    const int descriptor = mkstemp(path);
    check(descriptor >= 0 && write(descriptor, "twelve bytes", 12) == 12, "a file to read");
    char url[64];
    snprintf(url, sizeof url, "file://%s", path);

    check(curl_global_init(CURL_GLOBAL_ALL) == CURLE_OK, "libcurl");
    CURL *handle = curl_easy_init();
    CURLM *multi = curl_multi_init();
    struct curl_slist *headers = curl_slist_append(NULL, "x-name: value");
    size_t taken = 0;
    check(transfer_curl_version() >= 0x074400, "the version of libcurl");
    check(transfer_curl_setopt_string(handle, CURLOPT_URL, url) == CURLE_OK, "a string");
    check(transfer_curl_setopt_long(handle, CURLOPT_NOSIGNAL, 1) == CURLE_OK, "a number");
    check(transfer_curl_setopt_long(handle, CURLOPT_SSLVERSION, transfer_curl_tls_1_2) == CURLE_OK, "a version of TLS");
    check(transfer_curl_setopt_offset(handle, CURLOPT_INFILESIZE_LARGE, INT64_MAX) == CURLE_OK, "a length");
    check(transfer_curl_setopt_pointer(handle, CURLOPT_WRITEDATA, &taken) == CURLE_OK, "a pointer");
    check(transfer_curl_setopt_list(handle, CURLOPT_HTTPHEADER, headers) == CURLE_OK, "a list");
    check(transfer_curl_setopt_callback(handle, CURLOPT_WRITEFUNCTION, take) == CURLE_OK, "a callback");
    check(transfer_curl_setopt_seek_callback(handle, seek) == CURLE_OK, "the callback to seek");
    check(transfer_curl_setopt_sockopt_callback(handle, set_up_socket) == CURLE_OK, "the callback for new sockets");
    check(transfer_curl_setopt_closesocket_callback(handle, close_socket) == CURLE_OK, "the callback to close");
    const CURLcode blob = transfer_curl_setopt_ca_bytes(handle, "none", 4);
    check(blob == CURLE_OK || blob == CURLE_UNKNOWN_OPTION, "certificates in memory");
    check(transfer_curl_setopt_long(handle, (CURLoption)0, 1) != CURLE_OK, "an option that is none");

    check(transfer_curl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, 1) == CURLM_OK, "an option of all transfers");
    check(curl_multi_add_handle(multi, handle) == CURLM_OK, "a transfer");
    int running = 1;
    while (running > 0) {
        check(curl_multi_perform(multi, &running) == CURLM_OK, "libcurl's loop");
        if (failures > 0) break;
    }
    int left = 0;
    const CURLMsg *message = curl_multi_info_read(multi, &left);
    check(message != NULL && transfer_curl_message_result(message) == CURLE_OK, "the result");
    check(taken == 12, "the bytes that came");
    long status = -1;
    curl_off_t bytes = -1;
    void *address = NULL;
    check(transfer_curl_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK, "a status");
    check(transfer_curl_getinfo_offset(handle, CURLINFO_SIZE_DOWNLOAD_T, &bytes) == CURLE_OK && bytes == 12, "a size");
    check(
        transfer_curl_getinfo_pointer(handle, CURLINFO_EFFECTIVE_URL, &address) == CURLE_OK && address != NULL
            && strcmp(address, url) == 0,
        "a pointer that libcurl keeps");

    curl_multi_remove_handle(multi, handle);
    curl_multi_cleanup(multi);
    curl_easy_cleanup(handle);
    curl_slist_free_all(headers);
    curl_global_cleanup();
    close(descriptor);
    unlink(path);
}

int main(int count, char **arguments) {
    (void)arguments;
    check_lengths_and_alignments();
    check_nothing();
    check_combining();
    check_file_system();
    check_digests();
    check_curl();
#ifdef PLANTED
    // 64 with one argument, none: a shift by the width of the type.
    check(1ull << (63 + count) != 2, "a planted shift");
#else
    (void)count;
#endif
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
