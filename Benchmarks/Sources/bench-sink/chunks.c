#include "sink.h"

static int digit(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    char small = (char)(character | 32);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

void chunks_take(struct chunks *chunks, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && chunks->state != CHUNK_DONE;) {
        char character = bytes[i];
        switch (chunks->state) {
        case CHUNK_SIZE:
        case CHUNK_EXTENSION:
            if (character == '\n') {
                chunks->state = chunks->left ? CHUNK_DATA : CHUNK_TRAILER;
                chunks->line = 0;
            } else if (chunks->state == CHUNK_SIZE && digit(character) >= 0) {
                chunks->left = chunks->left * 16 + (uint64_t)digit(character);
            } else {
                chunks->state = CHUNK_EXTENSION;
            }
            i++;
            break;
        case CHUNK_DATA: {
            uint64_t taken = length - i < chunks->left ? length - i : chunks->left;
            chunks->left -= taken;
            chunks->total += taken;
            i += taken;
            if (!chunks->left) chunks->state = CHUNK_END;
            break;
        }
        case CHUNK_END:
            if (character == '\n') chunks->state = CHUNK_SIZE;
            i++;
            break;
        case CHUNK_TRAILER:
            if (character == '\n') {
                if (!chunks->line) chunks->state = CHUNK_DONE;
                chunks->line = 0;
            } else if (character != '\r') {
                chunks->line++;
            }
            i++;
            break;
        case CHUNK_DONE: break;
        }
    }
}
