/* Conversions of float32 (int8) to contiguous narrow elements. */
#include "narrow.h"

#define DEFINE(name, level, target, in_type, out_type, function) \
    target static void name##_##level(const char *from, char *to, npy_intp count) { \
        const in_type *in = (const in_type *)from; \
        out_type *out = (out_type *)to; \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) out[i] = function(in[i]); \
    }
#define OF_FLOAT(level, target, name, storage) \
    DEFINE(narrow_block_##name, level, target, float, uint##storage##_t, narrow_##name)
#define OF_INTEGER(level, target, name) DEFINE(narrow_block_##name, level, target, int8_t, uint8_t, narrow_##name)

#define NARROW(level, target, name) [level] = narrow_block_##name##_##level,
#define ROW(name, NAME, ...) [E_##NAME - E_NARROW] = {EVERY_LEVEL_OF(NARROW, name)},

#define DEFINE_FLOAT(name, NAME, storage, width, fraction, bias, has) EVERY_LEVEL_OF(OF_FLOAT, name, storage)
#define DEFINE_INTEGER(name, NAME, bits, has_sign) EVERY_LEVEL_OF(OF_INTEGER, name)

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
                narrow_block_bfloat16_AVX512((const char *)in, (char *)out, SOME);
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
    narrow_block_bfloat16_AVX512((const char *)in, (char *)out, count);
}
static bool has_bfloat16_instruction(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 5);
}
#endif

/* -- tables -- */

static Cast *narrowings[E_TYPES - E_NARROW][LEVELS] = {NARROW_FLOATS(ROW) NARROW_INTEGERS(ROW)};

Cast *narrowing_of(Type type) { return narrowings[type - E_NARROW][loop_level]; }

int add_narrow(PyObject *Py_UNUSED(module)) {
    /* Conversions by instructions take the place of the plain ones. */
    for (int i = 0; i < E_TYPES - E_NARROW; i++)
        for (int level = AVX2; level < LEVELS; level++) {
            Cast *widen = fast_widening((Type)(i + E_NARROW), level),
                 *narrow = fast_narrowing((Type)(i + E_NARROW), level);
            if (widen != NULL) widening_table[i][level] = widen;
            if (narrow != NULL) narrowings[i][level] = narrow;
        }
#if defined(HAS_BFLOAT16_INSTRUCTION)
    if (has_bfloat16_instruction()) narrowings[E_BFLOAT16 - E_NARROW][AVX512] = narrow_by_instruction;
#endif
    return 0;
}
