// libFuzzer's entry, and how much memory one execution takes.
#ifndef OBJECT_TRANSFER_CFUZZER_H
#define OBJECT_TRANSFER_CFUZZER_H

#include <stddef.h>
#include <stdint.h>

// Of libFuzzer, which has no header of its own.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

// Begins to count what this thread takes from the heap.
void fuzz_memory_begin(void);

// The most that was held at one time since then, in bytes. 0 without the address sanitizer, which tells it.
size_t fuzz_memory_peak(void);

#endif
