#include "CChecksum.h"

#include <pthread.h>

static uint32_t table[256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0);
        table[byte] = crc;
    }
}

uint32_t transfer_crc32_update(uint32_t crc, const void *bytes, size_t length) {
    pthread_once(&table_once, fill_table);
    const uint8_t *byte = bytes;
    crc = ~crc;
    for (; length > 0; length--) crc = (crc >> 8) ^ table[(crc ^ *byte++) & 0xFF];
    return ~crc;
}
