/* Conversions of floats to integers: towards zero, to the nearest limit where the integer has no such number, NaN to 0.
 */
#include "loops.h"

enum { BLOCK = 512, FEW = 32 };

/* Limit a number to [low, most], and make 0 of NaN. (On bits, for compilers vectorise the choice of integers best.) */
#define LIMITED(from, bits) \
    static ALWAYS_INLINE from limited_##from(from x, from low, from most) { \
        uint##bits##_t found, least, greatest; \
        memcpy(&found, &x, sizeof found); \
        memcpy(&least, &low, sizeof least); \
        memcpy(&greatest, &most, sizeof greatest); \
        found = x < most ? found : greatest; \
        found = x > low ? found : least; \
        found = x == x ? found : 0; \
        memcpy(&x, &found, sizeof x); \
        return x; \
    }
LIMITED(float, 32)
LIMITED(double, 64)

/* Whether all numbers are in the range of an integer: [0, end), or (-end, end) of one with a sign. As integers,
 * positive floats have the order of their values, negative ones are greater, and so are NaN. */
#define IN_RANGE(level, target, from, bits) \
    target static inline bool in_range_##from##_##level(const from *source, npy_intp count, from end, bool has_sign) { \
        uint##bits##_t most, greatest = 0, sign = has_sign ? (uint##bits##_t)1 << (bits - 1) : 0; \
        memcpy(&most, &end, sizeof most); \
        for (npy_intp i = 0; i < count; i++) { \
            uint##bits##_t x; \
            memcpy(&x, source + i, sizeof x); \
            x &= ~sign; \
            greatest = x > greatest ? x : greatest; \
        } \
        return greatest < most; \
    }

/* Convert numbers, limited to [low, most], which the float has exactly, so that the conversion is defined; from
 * `beyond` on, where the integer may have numbers above `most`, they become the greatest one. Narrow integers are made
 * of wider ones. Integers of 64 bits are made one by one but by AVX-512, so limits are left out of blocks that need
 * none (a glance at the first few finds out most that do). */
#define SATURATE(level, target, from_name, from, to_name, to, via, low, most, beyond, greatest) \
    target static void from_name##_to_##to_name##_##level(const char *source, char *result, npy_intp count) { \
        const from *in = (const from *)source; \
        to *out = (to *)result; \
        for (npy_intp done = 0, now; done < count; done += now, in += now, out += now) { \
            now = count - done < BLOCK ? count - done : BLOCK; \
            if (sizeof(to) == 8 && level < AVX512 && \
                in_range_##from##_##level(in, now < FEW ? now : FEW, beyond, (low) != 0) && \
                in_range_##from##_##level(in, now, beyond, (low) != 0)) { \
                for (npy_intp i = 0; i < now; i++) out[i] = (to)in[i]; \
                continue; \
            } \
            for (npy_intp i = 0; i < now; i++) { \
                to found = (to)(via)limited_##from(in[i], low, most); \
                out[i] = sizeof(to) >= 4 && in[i] >= (beyond) ? (greatest) : found; \
            } \
        } \
    }
/* The greatest float32 below 2**31, 2**32, 2**63 and 2**64, and the greatest float64 below the latter two. */
#define FROM_FLOAT32(X, level, target) \
    X(level, target, FLOAT32, float, INT8, int8_t, int32_t, -128.0f, 127.0f, 128.0f, INT8_MAX) \
    X(level, target, FLOAT32, float, UINT8, uint8_t, int32_t, 0.0f, 255.0f, 256.0f, UINT8_MAX) \
    X(level, target, FLOAT32, float, INT16, int16_t, int32_t, -32768.0f, 32767.0f, 32768.0f, INT16_MAX) \
    X(level, target, FLOAT32, float, UINT16, uint16_t, int32_t, 0.0f, 65535.0f, 65536.0f, UINT16_MAX) \
    X(level, target, FLOAT32, float, INT32, int32_t, int32_t, -2147483648.0f, 2147483520.0f, 2147483648.0f, INT32_MAX) \
    X(level, target, FLOAT32, float, UINT32, uint32_t, uint32_t, 0.0f, 4294967040.0f, 4294967296.0f, UINT32_MAX) \
    X(level, target, FLOAT32, float, INT64, int64_t, int64_t, -9223372036854775808.0f, 9223371487098961920.0f, \
      9223372036854775808.0f, INT64_MAX) \
    X(level, target, FLOAT32, float, UINT64, uint64_t, uint64_t, 0.0f, 18446742974197923840.0f, \
      18446744073709551616.0f, UINT64_MAX)
#define FROM_FLOAT64(X, level, target) \
    X(level, target, FLOAT64, double, INT8, int8_t, int32_t, -128.0, 127.0, 128.0, INT8_MAX) \
    X(level, target, FLOAT64, double, UINT8, uint8_t, int32_t, 0.0, 255.0, 256.0, UINT8_MAX) \
    X(level, target, FLOAT64, double, INT16, int16_t, int32_t, -32768.0, 32767.0, 32768.0, INT16_MAX) \
    X(level, target, FLOAT64, double, UINT16, uint16_t, int32_t, 0.0, 65535.0, 65536.0, UINT16_MAX) \
    X(level, target, FLOAT64, double, INT32, int32_t, int32_t, -2147483648.0, 2147483647.0, 2147483648.0, INT32_MAX) \
    X(level, target, FLOAT64, double, UINT32, uint32_t, uint32_t, 0.0, 4294967295.0, 4294967296.0, UINT32_MAX) \
    X(level, target, FLOAT64, double, INT64, int64_t, int64_t, -9223372036854775808.0, 9223372036854774784.0, \
      9223372036854775808.0, INT64_MAX) \
    X(level, target, FLOAT64, double, UINT64, uint64_t, uint64_t, 0.0, 18446744073709549568.0, 18446744073709551616.0, \
      UINT64_MAX)
#define ALL(level, target) \
    IN_RANGE(level, target, float, 32) \
    IN_RANGE(level, target, double, 64) FROM_FLOAT32(SATURATE, level, target) FROM_FLOAT64(SATURATE, level, target)
EVERY_LEVEL(ALL)

#define ENTRY(level, target, from_name, from, to_name, ...) [E_##to_name] = from_name##_to_##to_name##_##level,
#define ROWS(level, target) {{FROM_FLOAT32(ENTRY, level, target)}, {FROM_FLOAT64(ENTRY, level, target)}},
static Cast *const casts[][2][E_UINT64 + 1] = {EVERY_LEVEL(ROWS)};

Cast *saturating_cast(Type from, Type to) {
    if ((from != E_FLOAT32 && from != E_FLOAT64) || to < E_INT8 || to > E_UINT64) return NULL;
    return casts[loop_level][from == E_FLOAT64][to];
}
