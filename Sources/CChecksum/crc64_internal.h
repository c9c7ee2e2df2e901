// Shared by the files of this target only.
//
// Polynomials are bit-reflected throughout: bit 63 of a word is the coefficient of x^0, bit 0 that of x^63. The first
// byte of a message holds its highest powers, so little-endian loads put every coefficient in its place.

#ifndef OBJECT_TRANSFER_CRC64_INTERNAL_H
#define OBJECT_TRANSFER_CRC64_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Multipliers that carry 128 bits of message forward by some distance, modulo the polynomial.
///
/// A carry-less product of two reflected words comes out one bit too low, so each holds one power of x less than the
/// distance it stands for.
typedef struct {
    /// For the 8 bytes that come first, which are another 64 bits away from the target.
    uint64_t first;
    /// For the 8 bytes after them.
    uint64_t second;
} crc64_fold_step;

typedef struct {
    /// 64 bytes forward: the stride of the four accumulators.
    crc64_fold_step stride;
    /// 16 bytes forward: from one accumulator to the next.
    crc64_fold_step neighbour;
} crc64_fold_steps;

/// The least that `crc64_fold` accepts.
enum { crc64_fold_minimum = 64 };

/// Whether this processor can run `crc64_fold`.
bool crc64_fold_is_supported(void);

/// Replaces a prefix of the message, with the checksum register `state` before it, by 16 bytes that leave the register as
/// the prefix would when they are processed from a register of zero. Returns the prefix's length, a multiple of 16 with
/// less than 16 bytes after it. `length` is at least `crc64_fold_minimum`.
size_t crc64_fold(uint64_t state, const uint8_t *bytes, size_t length, const crc64_fold_steps *steps, uint8_t result[16]);

#endif
