#include "CFuzzer.h"

// Of the sanitizers' run-time library.
int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *))
    __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void *p) __attribute__((weak));

// What is freed may have been taken before, so the level may sink below nothing.
static _Thread_local ptrdiff_t level;
static _Thread_local ptrdiff_t peak;

static void took(const volatile void *place, size_t size) {
    (void)place;
    level += (ptrdiff_t)size;
    if (level > peak) peak = level;
}

static void gave(const volatile void *place) {
    if (place != NULL) level -= (ptrdiff_t)__sanitizer_get_allocated_size(place);
}

__attribute__((constructor)) static void install(void) {
    if (__sanitizer_install_malloc_and_free_hooks != NULL && __sanitizer_get_allocated_size != NULL)
        __sanitizer_install_malloc_and_free_hooks(took, gave);
}

void fuzz_memory_begin(void) {
    level = 0;
    peak = 0;
}

size_t fuzz_memory_peak(void) { return (size_t)peak; }
