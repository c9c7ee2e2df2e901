#include "sink.h"

#include "CChecksum.h"

uint64_t crc_of_zeros(uint64_t length) {
    static const unsigned char zero;
    uint64_t crc = 0, run = transfer_crc64_update(0, &zero, 1), run_length = 1;
    for (; length; length >>= 1) {
        if (length & 1) crc = transfer_crc64_combine(crc, run, run_length);
        run = transfer_crc64_combine(run, run, run_length);
        run_length <<= 1;
    }
    return crc;
}
