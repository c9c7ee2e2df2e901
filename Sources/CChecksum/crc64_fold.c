// One algorithm over two instruction sets: x86-64 PCLMULQDQ and arm64 PMULL. Both are compiled for their own functions
// alone and entered only after asking the processor, so the rest of the program keeps its baseline.

#include "crc64_internal.h"

#if defined(__x86_64__)

#include <emmintrin.h>
#include <wmmintrin.h>

#define USES_FOLD __attribute__((target("sse2,pclmul")))

typedef __m128i block;

bool crc64_fold_is_supported(void) { return __builtin_cpu_supports("pclmul"); }

USES_FOLD __attribute__((always_inline)) static inline block load(const uint8_t *bytes) {
    return _mm_loadu_si128((const __m128i *)bytes);
}

USES_FOLD __attribute__((always_inline)) static inline void store(uint8_t *bytes, block value) {
    _mm_storeu_si128((__m128i *)bytes, value);
}

USES_FOLD __attribute__((always_inline)) static inline block pair(uint64_t first, uint64_t second) {
    return _mm_set_epi64x((long long)second, (long long)first);
}

USES_FOLD __attribute__((always_inline)) static inline block add(block a, block b) { return _mm_xor_si128(a, b); }

USES_FOLD __attribute__((always_inline)) static inline block forward(block value, block step) {
    return _mm_xor_si128(_mm_clmulepi64_si128(value, step, 0x00), _mm_clmulepi64_si128(value, step, 0x11));
}

#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ \
    && (defined(__ARM_FEATURE_AES) || defined(__linux__))

#include <arm_neon.h>

#define USES_FOLD __attribute__((target("aes")))

typedef uint64x2_t block;

#if defined(__ARM_FEATURE_AES)
bool crc64_fold_is_supported(void) { return true; }
#else
#include <sys/auxv.h>
bool crc64_fold_is_supported(void) {
    const unsigned long has_pmull = 1ul << 4;  // HWCAP_PMULL of the kernel's interface
    return (getauxval(AT_HWCAP) & has_pmull) != 0;
}
#endif

USES_FOLD __attribute__((always_inline)) static inline block load(const uint8_t *bytes) {
    return vreinterpretq_u64_u8(vld1q_u8(bytes));
}

USES_FOLD __attribute__((always_inline)) static inline void store(uint8_t *bytes, block value) {
    vst1q_u8(bytes, vreinterpretq_u8_u64(value));
}

USES_FOLD __attribute__((always_inline)) static inline block pair(uint64_t first, uint64_t second) {
    return vcombine_u64(vcreate_u64(first), vcreate_u64(second));
}

USES_FOLD __attribute__((always_inline)) static inline block add(block a, block b) { return veorq_u64(a, b); }

USES_FOLD __attribute__((always_inline)) static inline block forward(block value, block step) {
    poly128_t first = vmull_p64((poly64_t)vgetq_lane_u64(value, 0), (poly64_t)vgetq_lane_u64(step, 0));
    poly128_t second = vmull_high_p64(vreinterpretq_p64_u64(value), vreinterpretq_p64_u64(step));
    return veorq_u64(vreinterpretq_u64_p128(first), vreinterpretq_u64_p128(second));
}

#endif

#if defined(USES_FOLD)

USES_FOLD size_t crc64_fold(
    uint64_t state, const uint8_t *bytes, size_t length, const crc64_fold_steps *steps, uint8_t result[16]
) {
    const uint8_t *next = bytes + 64;
    size_t rest = length - 64;

    // Four accumulators hide the latency of the multiplication.
    block a = add(load(bytes), pair(state, 0));
    block b = load(bytes + 16);
    block c = load(bytes + 32);
    block d = load(bytes + 48);
    const block stride = pair(steps->stride.first, steps->stride.second);
    for (; rest >= 64; rest -= 64, next += 64) {
        a = add(forward(a, stride), load(next));
        b = add(forward(b, stride), load(next + 16));
        c = add(forward(c, stride), load(next + 32));
        d = add(forward(d, stride), load(next + 48));
    }

    const block neighbour = pair(steps->neighbour.first, steps->neighbour.second);
    b = add(b, forward(a, neighbour));
    c = add(c, forward(b, neighbour));
    d = add(d, forward(c, neighbour));
    for (; rest >= 16; rest -= 16, next += 16) d = add(forward(d, neighbour), load(next));
    store(result, d);
    return length - rest;
}

#else

bool crc64_fold_is_supported(void) { return false; }

size_t crc64_fold(
    uint64_t state, const uint8_t *bytes, size_t length, const crc64_fold_steps *steps, uint8_t result[16]
) {
    // Never entered: there is no support to ask for.
    (void)state, (void)bytes, (void)length, (void)steps, (void)result;
    return 0;
}

#endif
