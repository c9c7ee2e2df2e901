#include "CChecksum.h"

uint32_t transfer_crc32_update(uint32_t crc, const void *bytes, size_t length) {
    const uint8_t *byte = bytes;
    crc = ~crc;
    while (length--) {
        crc ^= *byte++;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}
