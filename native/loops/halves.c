/* Conversions and arithmetic of narrow floats by the instructions of x86.
 *
 * F16C converts float16, and to float32 the floats of 8 bits whose exponents have at most its range: as the upper bits
 * of a float16 they are their value times a power of two, subnormal numbers too. AVX-512 has shifts of 16 bits by a
 * number of places of each element, by which floats of 8 bits are rounded. The results are those of the plain
 * conversions (narrow.c).
 */
#include "narrow_kernels.h"

/* X(name, NAME of its Type) */
#define UPPER_HALVES(X) \
    X(float8_e3m4, FLOAT8_E3M4) \
    X(float8_e4m3, FLOAT8_E4M3) \
    X(float8_e4m3b11fnuz, FLOAT8_E4M3B11FNUZ) \
    X(float8_e4m3fn, FLOAT8_E4M3FN) \
    X(float8_e4m3fnuz, FLOAT8_E4M3FNUZ) \
    X(float8_e5m2, FLOAT8_E5M2) \
    X(float6_e2m3fn, FLOAT6_E2M3FN) X(float6_e3m2fn, FLOAT6_E3M2FN) X(float4_e2m1fn, FLOAT4_E2M1FN)
#if HAS_LEVELS
#define LOAD_FLOATS_AVX512(from) _mm512_loadu_ps(from)
#define LOAD_FLOATS_AVX2(from) _mm256_loadu_ps(from)
#define STORE_FLOATS_AVX512(to, x) _mm512_storeu_ps(to, x)
#define STORE_FLOATS_AVX2(to, x) _mm256_storeu_ps(to, x)
#define LOAD_CODES_AVX512(from) _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(from)))
#define LOAD_CODES_AVX2(from) _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(from)))
#define WIDE_HALF_AVX512(x, which) _mm512_cvtph_ps(_mm512_extracti64x4_epi64((__m512i)(x), which))
#define WIDE_HALF_AVX2(x, which) _mm256_cvtph_ps(_mm256_extracti128_si256((__m256i)(x), which))
/* `a` where an element of `x`, as an integer with a sign, is greater than `limit`, or equal to it, else `b`. */
#define IF_ABOVE_AVX512(x, limit, a, b) \
    ((Halves)_mm512_mask_mov_epi16( \
        (__m512i)(b), _mm512_cmpgt_epi16_mask((__m512i)(x), _mm512_set1_epi16((short)(limit))), (__m512i)(a)))
#define IF_EQUAL_AVX512(x, limit, a, b) \
    ((Halves)_mm512_mask_mov_epi16( \
        (__m512i)(b), _mm512_cmpeq_epi16_mask((__m512i)(x), _mm512_set1_epi16((short)(limit))), (__m512i)(a)))
#define IF_ABOVE_AVX2(x, limit, a, b) \
    ((Halves)_mm256_blendv_epi8((__m256i)(b), (__m256i)(a), \
                                _mm256_cmpgt_epi16((__m256i)(x), _mm256_set1_epi16((short)(limit)))))
#define IF_EQUAL_AVX2(x, limit, a, b) \
    ((Halves)_mm256_blendv_epi8((__m256i)(b), (__m256i)(a), \
                                _mm256_cmpeq_epi16((__m256i)(x), _mm256_set1_epi16((short)(limit)))))
#define LEVEL AVX2
#define SOME 16
#define TARGET TARGET_AVX2
#include "halves_of.h"
#define LEVEL AVX512
#define SOME 32
#define TARGET TARGET_AVX512
#include "halves_of.h"

#define WIDEN(name, NAME) \
    [E_##NAME - E_NARROW] = {[AVX2] = widen_fast_##name##_AVX2, [AVX512] = widen_fast_##name##_AVX512},
#define NARROW(name, NAME) [E_##NAME - E_NARROW] = {[AVX512] = narrow_fast_##name##_AVX512},
static Cast *const widenings[E_TYPES - E_NARROW][LEVELS] = {WIDEN(float16, FLOAT16) UPPER_HALVES(WIDEN)};
static Cast *const narrowings[E_TYPES - E_NARROW][LEVELS] = {
    [E_FLOAT16 - E_NARROW] = {[AVX2] = narrow_fast_float16_AVX2, [AVX512] = narrow_fast_float16_AVX512},
    UPPER_HALVES(NARROW) NARROW(float8_e5m2fnuz, FLOAT8_E5M2FNUZ)};

#define ROW(name, NAME) \
    [E_##NAME - E_NARROW] = { \
        [ADD] = add_##name, [SUBTRACT] = subtract_##name, [MULTIPLY] = multiply_##name, [DIVIDE] = divide_##name},
static Kernel *const kernels[E_TYPES - E_NARROW][ARITHMETICS] = {UPPER_HALVES(ROW)};

Cast *fast_widening(Type type, int level) { return widenings[type - E_NARROW][level]; }
Cast *fast_narrowing(Type type, int level) { return narrowings[type - E_NARROW][level]; }
Kernel *fast_arithmetic(Arithmetic which, Type type) { return kernels[type - E_NARROW][which]; }
#else
Cast *fast_widening(Type Py_UNUSED(type), int Py_UNUSED(level)) { return NULL; }
Cast *fast_narrowing(Type Py_UNUSED(type), int Py_UNUSED(level)) { return NULL; }
Kernel *fast_arithmetic(Arithmetic Py_UNUSED(which), Type Py_UNUSED(type)) { return NULL; }
#endif
