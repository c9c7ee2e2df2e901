#include "CChecksum.h"

static const uint64_t polynomial = 0xC96C5795D7870F42ull;

uint64_t transfer_crc64_update_table(uint64_t crc, const void *bytes, size_t length) {
    const uint8_t *byte = bytes;
    crc = ~crc;
    while (length--) {
        crc ^= *byte++;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? polynomial : 0);
    }
    return ~crc;
}

uint64_t transfer_crc64_update(uint64_t crc, const void *bytes, size_t length) {
    return transfer_crc64_update_table(crc, bytes, length);
}

// a times b modulo the polynomial, bits reflected.
static uint64_t multiply(uint64_t a, uint64_t b) {
    uint64_t product = 0;
    for (; b; b <<= 1) {
        if (b >> 63) product ^= a;
        a = (a >> 1) ^ (a & 1 ? polynomial : 0);
    }
    return product;
}

uint64_t transfer_crc64_combine(uint64_t crc_a, uint64_t crc_b, uint64_t length_b) {
    uint64_t power = 1ull << 55;  // x^8
    for (; length_b; length_b >>= 1) {
        if (length_b & 1) crc_a = multiply(crc_a, power);
        power = multiply(power, power);
    }
    return crc_a ^ crc_b;
}

bool transfer_crc64_is_accelerated(void) { return false; }
