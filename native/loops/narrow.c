/* Conversions between contiguous narrow elements and float32 (int8). */
#include "narrow.h"

#define BLOCK(level, target, name, in_type, out_type) \
    target static void name##_block_##level(const char *from, char *to, npy_intp count) { \
        const in_type *in = (const in_type *)from; \
        out_type *out = (out_type *)to; \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) out[i] = name(in[i]); \
    }
/* The levels at which instructions do not take their place. */
#if HAS_LEVELS
#define LEVELS_OF_PLAIN_BITS(X, ...) EVERY_LEVEL_OF(X, __VA_ARGS__)
#define LEVELS_OF_ROUNDED(X, ...) X(PLAIN, TARGET_PLAIN, __VA_ARGS__) X(AVX2, TARGET_AVX2, __VA_ARGS__)
#define LEVELS_OF_HALF(X, ...) X(PLAIN, TARGET_PLAIN, __VA_ARGS__)
#else
#define LEVELS_OF_PLAIN_BITS EVERY_LEVEL_OF
#define LEVELS_OF_ROUNDED EVERY_LEVEL_OF
#define LEVELS_OF_HALF EVERY_LEVEL_OF
#endif
#define WIDENED_PLAIN_BITS LEVELS_OF_PLAIN_BITS
#define WIDENED_ROUNDED LEVELS_OF_PLAIN_BITS
#define WIDENED_UPPER_HALF LEVELS_OF_HALF
#define WIDENED_HALF LEVELS_OF_HALF
#define NARROWED_PLAIN_BITS LEVELS_OF_PLAIN_BITS
#define NARROWED_ROUNDED LEVELS_OF_ROUNDED
#define NARROWED_UPPER_HALF LEVELS_OF_ROUNDED
#define NARROWED_HALF LEVELS_OF_HALF

#define DEFINE_FLOAT(name, NAME, storage, width, fraction, bias, has, how) \
    WIDENED_##how(BLOCK, widen_##name, uint##storage##_t, float) \
        NARROWED_##how(BLOCK, narrow_##name, float, uint##storage##_t)
#define DEFINE_INTEGER(name, NAME, bits, has_sign) \
    EVERY_LEVEL_OF(BLOCK, widen_##name, uint8_t, int8_t) EVERY_LEVEL_OF(BLOCK, narrow_##name, int8_t, uint8_t)
NARROW_FLOATS(DEFINE_FLOAT)
NARROW_INTEGERS(DEFINE_INTEGER)

/* -- bfloat16 by the processor's instruction -- */

/* The instruction rounds to nearest, but takes subnormal numbers for zeros, so vectors with any are left to the plain
 * one; and it keeps bits of NaN, which are set anew. */
#if HAS_LEVELS && (defined(__clang__) ? __clang_major__ >= 9 : __GNUC__ >= 10)
#define HAS_BFLOAT16_INSTRUCTION 1
__attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512bf16"))) static void
narrow_by_instruction(const char *from, char *to, npy_intp count) {
    enum { SUBNORMAL = 0x20, NAN_OR_SUBNORMAL = SUBNORMAL | 0x01 | 0x80, SOME = 32 };
    const float *in = (const float *)from;
    uint16_t *out = (uint16_t *)to;
    for (; count >= SOME; count -= SOME, in += SOME, out += SOME) {
        __m512 low = _mm512_loadu_ps(in), high = _mm512_loadu_ps(in + SOME / 2);
        __m512i rounded = (__m512i)_mm512_cvtne2ps_pbh(high, low);
        if (_mm512_fpclass_ps_mask(low, NAN_OR_SUBNORMAL) | _mm512_fpclass_ps_mask(high, NAN_OR_SUBNORMAL)) {
            if (_mm512_fpclass_ps_mask(low, SUBNORMAL) | _mm512_fpclass_ps_mask(high, SUBNORMAL)) {
                narrow_bfloat16_block_AVX512((const char *)in, (char *)out, SOME);
                continue;
            }
            __mmask32 nan = (__mmask32)_mm512_cmp_ps_mask(high, high, _CMP_UNORD_Q) << 16 |
                            _mm512_cmp_ps_mask(low, low, _CMP_UNORD_Q);
            __m512i quiet =
                _mm512_or_si512(_mm512_and_si512(rounded, _mm512_set1_epi16((short)0x8000)), _mm512_set1_epi16(0x7FC0));
            rounded = _mm512_mask_mov_epi16(rounded, nan, quiet);
        }
        _mm512_storeu_si512(out, rounded);
    }
    narrow_bfloat16_block_AVX512((const char *)in, (char *)out, count);
}
static bool has_bfloat16_instruction(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 5);
}
#endif

/* -- tables -- */

#define ENTRY(level, target, name) [level] = name##_block_##level,
#define WIDENED(name, NAME, storage, width, fraction, bias, has, how) \
    [E_##NAME - E_NARROW] = {WIDENED_##how(ENTRY, widen_##name)},
#define NARROWED(name, NAME, storage, width, fraction, bias, has, how) \
    [E_##NAME - E_NARROW] = {NARROWED_##how(ENTRY, narrow_##name)},
#define WIDENED_INTEGER(name, NAME, ...) [E_##NAME - E_NARROW] = {EVERY_LEVEL_OF(ENTRY, widen_##name)},
#define NARROWED_INTEGER(name, NAME, ...) [E_##NAME - E_NARROW] = {EVERY_LEVEL_OF(ENTRY, narrow_##name)},
static Cast *widenings[E_TYPES - E_NARROW][LEVELS] = {NARROW_FLOATS(WIDENED) NARROW_INTEGERS(WIDENED_INTEGER)};
static Cast *narrowings[E_TYPES - E_NARROW][LEVELS] = {NARROW_FLOATS(NARROWED) NARROW_INTEGERS(NARROWED_INTEGER)};

Cast *widening_of(Type type) { return widenings[type - E_NARROW][loop_level]; }
Cast *narrowing_of(Type type) { return narrowings[type - E_NARROW][loop_level]; }

int add_narrow(PyObject *Py_UNUSED(module)) {
    for (int i = 0; i < E_TYPES - E_NARROW; i++)
        for (int level = AVX2; level < LEVELS; level++) {
            Cast *widen = fast_widening((Type)(i + E_NARROW), level),
                 *narrow = fast_narrowing((Type)(i + E_NARROW), level);
            if (widen != NULL) widenings[i][level] = widen;
            if (narrow != NULL) narrowings[i][level] = narrow;
        }
#if defined(HAS_BFLOAT16_INSTRUCTION)
    if (has_bfloat16_instruction()) narrowings[E_BFLOAT16 - E_NARROW][AVX512] = narrow_by_instruction;
#endif
    return 0;
}
