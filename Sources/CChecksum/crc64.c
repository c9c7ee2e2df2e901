#include "CChecksum.h"
#include "crc64_internal.h"

#include <pthread.h>
#include <string.h>

static const uint64_t polynomial = 0xC96C5795D7870F42ull;

/// `slices[n][b]` is the register after byte `b` and `n` zero bytes.
static uint64_t slices[16][256];
/// `zeros[k]` moves a register over 2^k zero bytes when multiplied with it.
static uint64_t zeros[64];
static crc64_fold_steps steps;
static bool can_fold;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// a times b modulo the polynomial.
static uint64_t multiply(uint64_t a, uint64_t b) {
    uint64_t product = 0;
    for (; b != 0; b <<= 1) {
        if (b >> 63) product ^= a;
        a = (a >> 1) ^ (a & 1 ? polynomial : 0);
    }
    return product;
}

/// x to the power `exponent`, modulo the polynomial.
static uint64_t power_of_x(unsigned exponent) {
    uint64_t power = 1ull << 63;
    for (; exponent > 0; exponent--) power = (power >> 1) ^ (power & 1 ? polynomial : 0);
    return power;
}

static crc64_fold_step step_over(unsigned bits) {
    return (crc64_fold_step){.first = power_of_x(bits + 64 - 1), .second = power_of_x(bits - 1)};
}

static void prepare(void) {
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? polynomial : 0);
        slices[0][byte] = crc;
    }
    for (unsigned slice = 1; slice < 16; slice++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            uint64_t crc = slices[slice - 1][byte];
            slices[slice][byte] = (crc >> 8) ^ slices[0][crc & 0xFF];
        }
    }
    zeros[0] = power_of_x(8);
    for (unsigned k = 1; k < 64; k++) zeros[k] = multiply(zeros[k - 1], zeros[k - 1]);
    steps.stride = step_over(512);
    steps.neighbour = step_over(128);
    can_fold = crc64_fold_is_supported();
}

static uint64_t load_little_endian(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/// The register after the eight bytes of `word` and as many bytes of zero as stand for the first of `slices`.
static uint64_t eight_bytes(uint64_t word, const uint64_t (*slices)[256]) {
    return slices[7][word & 0xFF] ^ slices[6][word >> 8 & 0xFF] ^ slices[5][word >> 16 & 0xFF]
        ^ slices[4][word >> 24 & 0xFF] ^ slices[3][word >> 32 & 0xFF] ^ slices[2][word >> 40 & 0xFF]
        ^ slices[1][word >> 48 & 0xFF] ^ slices[0][word >> 56];
}

/// Sixteen bytes at a time: only the lookups of the first eight wait for the register, the others run ahead.
static uint64_t update_by_tables(uint64_t state, const uint8_t *bytes, size_t length) {
    for (; length >= 16; length -= 16, bytes += 16) {
        state = eight_bytes(state ^ load_little_endian(bytes), &slices[8])
            ^ eight_bytes(load_little_endian(bytes + 8), &slices[0]);
    }
    for (; length > 0; length--) state = (state >> 8) ^ slices[0][(state ^ *bytes++) & 0xFF];
    return state;
}

uint64_t transfer_crc64_update_table(uint64_t crc, const void *bytes, size_t length) {
    pthread_once(&once, prepare);
    return ~update_by_tables(~crc, bytes, length);
}

uint64_t transfer_crc64_update(uint64_t crc, const void *bytes, size_t length) {
    pthread_once(&once, prepare);
    const uint8_t *rest = bytes;
    uint64_t state = ~crc;
    if (can_fold && length >= crc64_fold_minimum) {
        uint8_t folded[16];
        size_t done = crc64_fold(state, rest, length, &steps, folded);
        state = update_by_tables(0, folded, sizeof folded);
        rest += done;
        length -= done;
    }
    return ~update_by_tables(state, rest, length);
}

uint64_t transfer_crc64_combine(uint64_t crc_a, uint64_t crc_b, uint64_t length_b) {
    pthread_once(&once, prepare);
    // The initial and final inversions of B cancel those of A, so A is moved over B's length as it stands.
    for (unsigned k = 0; length_b != 0; length_b >>= 1, k++) {
        if (length_b & 1) crc_a = multiply(crc_a, zeros[k]);
    }
    return crc_a ^ crc_b;
}

bool transfer_crc64_is_accelerated(void) {
    pthread_once(&once, prepare);
    return can_fold;
}
