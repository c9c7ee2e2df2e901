#ifndef OBJECT_TRANSFER_CCHECKSUM_H
#define OBJECT_TRANSFER_CCHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// CRC-64/XZ: the reflected ECMA-182 polynomial with initial value and final XOR of all ones, as OSS and TOS report it.
///
/// Continues `crc`, which is 0 for the first bytes. Picks carry-less multiplication where the processor has it.
uint64_t transfer_crc64_update(uint64_t crc, const void *bytes, size_t length);

/// The same by tables alone; the fall-back of machines without carry-less multiplication, and a check on it.
uint64_t transfer_crc64_update_table(uint64_t crc, const void *bytes, size_t length);

/// The CRC-64/XZ of A followed by B, from the CRC of A, the CRC of B and the length of B in bytes.
uint64_t transfer_crc64_combine(uint64_t crc_a, uint64_t crc_b, uint64_t length_b);

/// Whether `transfer_crc64_update` uses carry-less multiplication on this machine.
bool transfer_crc64_is_accelerated(void);

/// CRC-32 (ISO-HDLC, the one of zip and Ethernet). Continues `crc`, which is 0 for the first bytes.
uint32_t transfer_crc32_update(uint32_t crc, const void *bytes, size_t length);

#endif
