/* Conversions of narrow floats by the instructions of x86.
 *
 * F16C converts float16, and to float32 the floats of 8 bits whose exponents have at most its range: as the upper bits
 * of a float16 they are their value times a power of two, subnormal numbers too. AVX-512 has shifts of 16 bits by a
 * number of places of each element, by which floats of 8 bits are rounded. The results are those of the plain
 * conversions (narrow.c).
 */
#include "narrow_kernels.h"

#if HAS_LEVELS
#define ARITHMETIC 0
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
#define WIDEN_ROW(name, NAME, storage, width, fraction, bias, has, how) IF_UPPER_##how(WIDEN(name, NAME))
#define NARROW_ROW(name, NAME, storage, width, fraction, bias, has, how) \
    IF_ROUNDED_##how([E_##NAME - E_NARROW] = {[AVX512] = narrow_fast_##name##_AVX512}, )
static Cast *const widenings[E_TYPES - E_NARROW][LEVELS] = {WIDEN(float16, FLOAT16) NARROW_FLOATS(WIDEN_ROW)};
static Cast *const narrowings[E_TYPES - E_NARROW][LEVELS] = {
    [E_FLOAT16 - E_NARROW] = {[AVX2] = narrow_fast_float16_AVX2, [AVX512] = narrow_fast_float16_AVX512},
    NARROW_FLOATS(NARROW_ROW)};

Cast *fast_widening(Type type, int level) { return widenings[type - E_NARROW][level]; }
Cast *fast_narrowing(Type type, int level) { return narrowings[type - E_NARROW][level]; }
#else
Cast *fast_widening(Type Py_UNUSED(type), int Py_UNUSED(level)) { return NULL; }
Cast *fast_narrowing(Type Py_UNUSED(type), int Py_UNUSED(level)) { return NULL; }
#endif
