/* Rounding to float32 so that another rounding, to a narrow float, is correct.
 *
 * A number that float32 cannot represent becomes the neighbour with an odd code ("round to odd"): rounding it to
 * nearest might produce a tie that the number is not. Integers beyond 2**53 keep the bits that float64 has space for,
 * the last of them set if any lower bit is.
 */
#include "narrow.h"

static ALWAYS_INLINE float odd_double(double x) {
    float near = (float)x;
    uint32_t bits = bits_of(near);
    double back = (double)near;
    bool away = (back < 0 ? -back : back) > (x < 0 ? -x : x), inexact = back != x && x == x;
    uint32_t odd = (bits & 1) != 0 ? bits : away ? bits - 1 : bits + 1;
    return float_of(inexact ? odd : bits);
}

static ALWAYS_INLINE float odd_int32_t(int32_t x) { return odd_double((double)x); }
static ALWAYS_INLINE float odd_uint32_t(uint32_t x) { return odd_double((double)x); }
static ALWAYS_INLINE float odd_uint64_t(uint64_t x) {
    uint64_t beyond = x & 0x7FF;
    return odd_double((double)(x >> 53 == 0 ? x : (x - beyond) | ((uint64_t)(beyond != 0) << 11)));
}
static ALWAYS_INLINE float odd_int64_t(int64_t x) {
    float magnitude = odd_uint64_t(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
    return x < 0 ? -magnitude : magnitude;
}

#define DEFINE(level, target, type) \
    target static void odd_block_##type##_##level(const char *from, char *to, npy_intp count) { \
        const type *in = (const type *)from; \
        float *out = (float *)to; \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) out[i] = odd_##type(in[i]); \
    }
#define ENTRY(level, target, type) [level] = odd_block_##type##_##level,
#define TABLE(type) \
    EVERY_LEVEL_OF(DEFINE, type) \
    static Cast *const odd_blocks_##type[LEVELS] = {EVERY_LEVEL_OF(ENTRY, type)};
TABLE(double)
TABLE(int32_t)
TABLE(uint32_t)
TABLE(int64_t)
TABLE(uint64_t)

Cast *odd_rounding_of(Type type) {
    switch (type) {
    case E_FLOAT64: return odd_blocks_double[loop_level];
    case E_INT32: return odd_blocks_int32_t[loop_level];
    case E_UINT32: return odd_blocks_uint32_t[loop_level];
    case E_INT64: return odd_blocks_int64_t[loop_level];
    case E_UINT64: return odd_blocks_uint64_t[loop_level];
    default: return NULL;
    }
}
