#include "sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void text_add(struct text *text, const char *format, ...) {
    for (;;) {
        size_t room = text->capacity - text->length;
        va_list arguments;
        va_start(arguments, format);
        int needed = vsnprintf(text->bytes ? text->bytes + text->length : NULL, room, format, arguments);
        va_end(arguments);
        if (needed < 0) return;
        if ((size_t)needed < room) {
            text->length += (size_t)needed;
            return;
        }
        text->capacity = (text->capacity + (size_t)needed) * 2 + 512;
        text->bytes = realloc(text->bytes, text->capacity);
        if (!text->bytes) {
            fputs("bench-sink: no memory\n", stderr);
            exit(1);
        }
    }
}
