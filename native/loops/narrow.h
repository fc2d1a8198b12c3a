/* Narrow floats and integers: their elements as C sees them, and the conversions to and from float32 (of integers:
 * int8).
 *
 * The conversions are arithmetic on bits that compilers vectorise, without a table and without a branch. Widening is
 * exact. Rounding is to nearest, ties to even (powers of two: to nearest, ties up, and up to 2**-126 from all above
 * 2**-127), once. They do not depend on the processor's treatment of subnormal numbers.
 */
#ifndef SUPREMUM_NARROW_H
#define SUPREMUM_NARROW_H

#include "loops.h"

static ALWAYS_INLINE uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static ALWAYS_INLINE float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Choose as vectors do. (Of a conditional expression a compiler may make a branch, lest floating-point arithmetic is
 * done in vain.) */
static ALWAYS_INLINE uint32_t choose(bool first, uint32_t a, uint32_t b) {
    return b ^ ((a ^ b) & (0u - (uint32_t)first));
}

/* -- one element -- */

/* Return the bits of a float32; the parameters from `width` on are those of the table above. */
static ALWAYS_INLINE uint32_t widened(uint32_t code, int width, int fraction, int bias, int has) {
    if (has == POWERS) return code == 0 ? 0x00400000u : code == 0xFF ? 0x7FC00000u : code << 23;
    if (fraction == 7) return code << 16;             /* bfloat16 */
    const uint32_t largest = (1u << (width - 1)) - 1; /* of all magnitudes */
    uint32_t magnitude = code & largest, sign = code > largest ? 0x80000000u : 0,
             shifted = magnitude << (23 - fraction);
    /* The exponent is too small by the difference of the biases. A subnormal number gets the next exponent, whose
     * leading 1 is subtracted. */
    uint32_t normal = shifted + ((uint32_t)(127 - bias) << 23);
    const uint32_t one = (uint32_t)(128 - bias) << 23;
    uint32_t subnormal = bits_of(float_of(shifted + one) - float_of(one));
    uint32_t found = choose(magnitude < (1u << fraction), subnormal, normal);
    if (has == WITH_INFINITY) {
        const uint32_t infinity = largest & ~((1u << fraction) - 1);
        found = choose(magnitude >= infinity, 0x7F800000u, found);
        found = choose(magnitude > infinity, 0x7FC00000u | (width == 16 ? shifted : 0), found);
    }
    if (has == NAN_ONLY) found = choose(magnitude == largest, 0x7FC00000u, found);
    if (has == ONE_NAN) return choose(code == largest + 1, 0xFFC00000u, found | sign);
    return found | sign;
}

/* Return the code of a float32, given by its bits. */
static ALWAYS_INLINE uint32_t narrowed(uint32_t bits, int width, int fraction, int bias, int has) {
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    bool is_nan = magnitude > 0x7F800000u;
    if (has == POWERS) {
        uint32_t power = magnitude < 0x00800000u ? magnitude > 0x00400000u
                                                 : (magnitude + 0x00400000u) >> 23; /* 2**-127 is subnormal */
        return choose((bits == 0) | (bits > 0x7F800000u), 0xFFu, power);
    }
    if (fraction == 7) { /* bfloat16 */
        float x = float_of(bits);
        uint32_t quiet = x != x ? (bits & 0x80000000u) | 0x7FC00000u : bits;
        return (quiet + 0x7FFFu + ((quiet >> 16) & 1)) >> 16;
    }
    const uint32_t largest = (1u << (width - 1)) - 1, infinity = largest & ~((1u << fraction) - 1);
    const int shift = 23 - fraction;                        /* bits that are lost */
    const uint32_t smallest = (uint32_t)(128 - bias) << 23; /* of the numbers that are normal */
    /* Half of the last place is added, less one bit if it was even, and the difference of the biases is taken away. */
    uint32_t normal =
        (magnitude + ((magnitude >> shift) & 1) + (1u << (shift - 1)) - 1 - ((uint32_t)(127 - bias) << 23)) >> shift;
    /* Next to a power of two whose last place is that of subnormal numbers, addition rounds. */
    const uint32_t power = smallest + ((uint32_t)shift << 23);
    uint32_t subnormal = bits_of(float_of(magnitude) + float_of(power)) - power;
    uint32_t code = choose(magnitude < smallest, subnormal, normal);
    uint32_t sign = (bits >> (32 - width)) & (largest + 1);
    switch (has) {
    case WITH_INFINITY: { /* of NaN, float16 has space for some bits, which processors keep */
        uint32_t quiet =
            infinity | (1u << (fraction - 1)) | (width == 16 ? (bits >> shift) & ((1u << fraction) - 1) : 0);
        return choose(is_nan, quiet, code < infinity ? code : infinity) | sign;
    }
    case NAN_ONLY: return (code < largest ? code : largest) | sign; /* NaN is beyond all numbers here and there */
    case ONE_NAN: return choose(code > largest, largest + 1, choose(code == 0, 0, code | sign));
    default: return choose(is_nan, largest + 1, code < largest ? code : largest) ^ sign;
    }
}

/* The parameters by name; widen_NAME and narrow_NAME: an element as a float, and a float as an element. */
#define CONVERSIONS(name, NAME, storage, width, fraction, bias, has, how) \
    enum { width_of_##name = width, fraction_of_##name = fraction, bias_of_##name = bias, has_of_##name = has }; \
    static ALWAYS_INLINE float widen_##name(uint##storage##_t code) { \
        return float_of(widened(code, width, fraction, bias, has)); \
    } \
    static ALWAYS_INLINE uint##storage##_t narrow_##name(float x) { \
        return (uint##storage##_t)narrowed(bits_of(x), width, fraction, bias, has); \
    }
NARROW_FLOATS(CONVERSIONS)
#undef CONVERSIONS

/* Integers: as an int8, and from one, modulo 2**bits. */
#define CONVERSIONS(name, NAME, bits, has_sign) \
    static ALWAYS_INLINE int8_t widen_##name(uint8_t code) { \
        const uint8_t top = 1u << (bits - 1), mask = (uint8_t)(2 * top - 1); \
        return (int8_t)(has_sign ? ((code & mask) ^ top) - top : code & mask); \
    } \
    static ALWAYS_INLINE uint8_t narrow_##name(int8_t x) { return (uint8_t)x & ((1u << bits) - 1); }
NARROW_INTEGERS(CONVERSIONS)
#undef CONVERSIONS

/* F16C: 16 (AVX512) or 8 (AVX2) elements of float16 at a place as a vector of float32, and the reverse. */
#if HAS_LEVELS
#include <immintrin.h>
#define WIDE_AVX512(x) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(x)))
#define ROUND_AVX512(to, x) _mm256_storeu_si256((__m256i *)(to), _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT))
#define WIDE_AVX2(x) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(x)))
#define ROUND_AVX2(to, x) _mm_storeu_si128((__m128i *)(to), _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT))
#endif

/* -- contiguous elements -- */

/* Conversions between contiguous elements and float32 (int8) at the level in use; `type` is a narrow one. */
Cast *widening_of(Type type), *narrowing_of(Type type);
/* The same by the processor's instructions, at a level; NULL where there are none. */
Cast *fast_widening(Type type, int level), *fast_narrowing(Type type, int level);
/* Some code where a format is one that instructions widen, or round; else none. */
#define IF_UPPER_UPPER_HALF(...) __VA_ARGS__
#define IF_UPPER_ROUNDED(...)
#define IF_UPPER_HALF(...)
#define IF_UPPER_PLAIN_BITS(...)
#define IF_ROUNDED_UPPER_HALF(...) __VA_ARGS__
#define IF_ROUNDED_ROUNDED(...) __VA_ARGS__
#define IF_ROUNDED_HALF(...)
#define IF_ROUNDED_PLAIN_BITS(...)
/* Conversions of numbers that float32 cannot represent to float32 such that its rounding to a narrow type is the
 * number's; NULL of other types. */
Cast *odd_rounding_of(Type type);

#endif
