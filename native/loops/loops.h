/* What the loops of our own share: how a compiler is asked for vector instructions.
 *
 * Loops are plain C over contiguous elements that compilers vectorise (with -O3). They are written once, in functions that are ALWAYS_INLINE, and
 * compiled once for each level of the processor, in wrappers with a TARGET. The level is looked up when the module is loaded; there is nothing
 * that a dynamic linker must support. Other compilers and processors have level 0 only.
 */
#ifndef SUPREMUM_LOOPS_H
#define SUPREMUM_LOOPS_H

#include "../engine.h"

#if defined(_MSC_VER) && !defined(__clang__)
#define ALWAYS_INLINE __forceinline
#elif defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* Before a loop none of whose iterations reads what another one writes. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#elif defined(_MSC_VER)
#define INDEPENDENT __pragma(loop(ivdep))
#else
#define INDEPENDENT
#endif

/* The levels of processors: the architecture's least, AVX2, AVX-512 as of 2017. (Windows does not align the stack for wide registers.) */
enum { PLAIN, AVX2, AVX512, LEVELS };
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32)
#define HAS_LEVELS 1
#define TARGET_PLAIN
#define TARGET_AVX2 __attribute__((target("avx2")))
#define TARGET_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl")))
/* Define wrappers of every level by a macro that takes a level and its TARGET. */
#define EVERY_LEVEL(X) X(PLAIN, TARGET_PLAIN) X(AVX2, TARGET_AVX2) X(AVX512, TARGET_AVX512)
/* The same with further arguments. */
#define EVERY_LEVEL_OF(X, ...) X(PLAIN, TARGET_PLAIN, __VA_ARGS__) X(AVX2, TARGET_AVX2, __VA_ARGS__) X(AVX512, TARGET_AVX512, __VA_ARGS__)
static inline int processor_level(void) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return AVX512;
    return __builtin_cpu_supports("avx2") ? AVX2 : PLAIN;
}
#else
#define HAS_LEVELS 0
#define TARGET_PLAIN
#define EVERY_LEVEL(X) X(PLAIN, TARGET_PLAIN)
#define EVERY_LEVEL_OF(X, ...) X(PLAIN, TARGET_PLAIN, __VA_ARGS__)
static inline int processor_level(void) { return PLAIN; }
#endif

/* The level in use: the processor's, which tests lower. */
extern int loop_level;

/* Whether a loop may read an operand in any order, before or after it writes the result: they are the same elements, or share no memory. */
static inline bool unordered(const char *in, npy_intp in_step, const char *out, npy_intp out_step, npy_intp count, npy_intp size) {
    if (in == out && in_step == out_step) return true;
    npy_intp in_span = in_step * (count - 1), out_span = out_step * (count - 1);
    uintptr_t in_first = (uintptr_t)(in_span < 0 ? in + in_span : in), out_first = (uintptr_t)(out_span < 0 ? out + out_span : out);
    uintptr_t in_end = (uintptr_t)(in_span < 0 ? in : in + in_span) + size, out_end = (uintptr_t)(out_span < 0 ? out : out + out_span) + size;
    return in_end <= out_first || out_end <= in_first;
}

/* Add what a file has to the module, or find what it needs; -1 with an exception. */
int add_levels(PyObject *module), add_samplers(PyObject *module), add_narrow(PyObject *module);
int add_extremes(PyObject *module);

#endif
