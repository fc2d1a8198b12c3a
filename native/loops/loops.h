/* What the loops of our own share: how a compiler is made to emit vector instructions.
 *
 * Loops are plain C over contiguous elements that compilers vectorise (with -O3). They are written once, in functions
 * that are ALWAYS_INLINE, and compiled once for each level of the processor, in wrappers with a TARGET. The level is
 * looked up when the module is loaded; there is nothing that a dynamic linker must support. Other compilers and
 * processors have level 0 only.
 */
#ifndef SUPREMUM_LOOPS_H
#define SUPREMUM_LOOPS_H

#include "../numpys.h"

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

/* Have the processor fetch memory that is used soon, `offset` bytes from a place: a hint, without an effect where there
 * is none. */
#if defined(__GNUC__)
#define HAS_VECTORS 1 /* of more than one register, as types */
#define PREFETCH(place, offset) __builtin_prefetch((const void *)((uintptr_t)(place) + (uintptr_t)(offset)))
#else
#define HAS_VECTORS 0
#define PREFETCH(place, offset) ((void)(place), (void)(offset))
#endif
/* Elements that no cache holds, so that fetching them ahead is worth its instructions. */
enum { MANY = 1 << 21 };
/* Have it fetch bytes that follow each other, while others are computed with; by itself it sees no further than a page.
 */
static inline void fetch(const char *from, npy_intp bytes) {
    for (npy_intp i = 0; i < bytes; i += 64) PREFETCH(from, i);
}

/* The levels of processors: the architecture's least, AVX2 (with F16C), AVX-512 as of 2017. (Windows does not align the
 * stack for wide registers.) */
enum { PLAIN, AVX2, AVX512, LEVELS };
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32)
#include <cpuid.h>
#define HAS_LEVELS 1
#define TARGET_PLAIN
#define TARGET_AVX2 __attribute__((target("avx2,f16c")))
#define TARGET_AVX512 __attribute__((target("avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl")))
/* Define wrappers of every level by a macro that takes a level and its TARGET. */
#define EVERY_LEVEL(X) X(PLAIN, TARGET_PLAIN) X(AVX2, TARGET_AVX2) X(AVX512, TARGET_AVX512)
/* The same with further arguments. */
#define EVERY_LEVEL_OF(X, ...) \
    X(PLAIN, TARGET_PLAIN, __VA_ARGS__) X(AVX2, TARGET_AVX2, __VA_ARGS__) X(AVX512, TARGET_AVX512, __VA_ARGS__)
static inline int processor_level(void) {
    unsigned a, b, c, d; /* compilers before 2021 do not know F16C by name */
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_F16C)) return PLAIN;
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

/* Whether a loop may read an operand in any order, before or after it writes the result: they are the same elements, or
 * share no memory. */
static inline bool unordered(const char *in, npy_intp in_step, const char *out, npy_intp out_step, npy_intp count,
                             npy_intp size) {
    if (in == out && in_step == out_step) return true;
    npy_intp in_span = in_step * (count - 1), out_span = out_step * (count - 1);
    uintptr_t in_first = (uintptr_t)(in_span < 0 ? in + in_span : in),
              out_first = (uintptr_t)(out_span < 0 ? out + out_span : out);
    uintptr_t in_end = (uintptr_t)(in_span < 0 ? in : in + in_span) + size,
              out_end = (uintptr_t)(out_span < 0 ? out : out + out_span) + size;
    return in_end <= out_first || out_end <= in_first;
}

/* Return the sum, in the order of NumPy's, of SUMMED elements that a conversion makes float32. */
enum { SUMMED = 8192 };
float sum_converted(const Conversion *how, const char *from);
/* The same of any number of floats. */
float sum_floats(const float *x, npy_intp count, bool far);
/* The same of threads that share it; it needs no GIL. */
float share_sum(const float *x, npy_intp count);
/* Elements that are folded into a partial result at most: pieces do not depend on the number of threads. */
enum { PIECE = 1 << 16 };
/* Return how often NumPy's sum of so many numbers is halved until only pieces are left, and find one of them: its first
 * number, and how many there are. */
int depth_of_pieces(npy_intp count);
void find_piece(npy_intp count, int depth, npy_intp piece, npy_intp *first, npy_intp *length);
/* Write the sums of each SUMMED squares of deviations from a center, of elements that a conversion makes float32, or
 * (NULL) are. */
void sum_squares(const Conversion *how, const char *from, npy_intp count, float center, float *sums);
/* Add the columns of a matrix, which a conversion makes float32, to sums, row by row; rows begin `stride` elements
 * apart. There is space for SUMMED floats, or for the whole matrix. */
void sum_columns(const Conversion *how, const char *from, npy_intp rows, npy_intp columns, npy_intp stride,
                 float *scratch, float *sums);

/* Find the extreme of contiguous narrow floats, or the first NaN; false where their type is not known. */
bool find_extreme(Type type, const char *codes, npy_intp count, bool greatest, char *code);
/* Fold the columns of a matrix of narrow floats into extremes, of which there are some before; false where NaN is not
 * beyond all numbers. */
bool extremes_of_columns(Type type, const char *codes, npy_intp rows, npy_intp columns, bool greatest, char *found);
/* Return the place of the first extreme of contiguous narrow floats, or of the first NaN; -1 where their type is not
 * known. */
npy_intp place_of_extreme(Type type, const char *codes, npy_intp count, bool greatest);
/* Write integers in the order of narrow floats: INT64_MAX for NaN, and the same for zeros of both signs; false where
 * their type is not known. */
bool narrow_keys(Type type, const char *codes, npy_intp count, int64_t *keys);

/* Multiply stacks of matrices of 8- or 16-bit integers, which fit each other, into a C-contiguous one of at most 32
 * bits an element, modulo its width; uint16 counts as int16. False with an exception. */
bool multiply_integers(PyArrayObject *x, PyArrayObject *y, PyArrayObject *out);

/* Find the loop of a ufunc of a narrow type; false where there is none. */
bool narrow_loop(PyObject *ufunc, Type type, UfuncLoop *found);
/* Find our loop of maximum or minimum, as those ufuncs have it; false of other ufuncs or types. */
bool find_extreme_loop(const PyUFuncObject *ufunc, Type type, UfuncLoop *found);

/* Return what converts floats to integers, or NULL where the types are others. */
Cast *saturating_cast(Type from, Type to);

/* How far apart close numbers may be; the relative tolerance is that of the second operand. */
typedef struct {
    double relative, absolute;
    bool equal_nan;
} Tolerance;
/* Compare numbers of E_FLOAT32 or E_FLOAT64 with others, or with one: each by itself, or all at once. */
void close_elements(Type type, const char *a, const char *b, bool one, const Tolerance *within, npy_intp count,
                    uint8_t *to);
bool all_close(Type type, const char *a, const char *b, bool one, const Tolerance *within, npy_intp count);
/* Whether elements of a native type are the same, up to the first that are not; `equal_nan` is for floats alone. */
bool same_elements(Type type, const char *a, const char *b, bool equal_nan, npy_intp count);
/* Count elements of a native type, but for complex numbers, that are not zero. */
npy_intp count_nonzero(Type type, const char *from, npy_intp count);
/* Pack whether so many bytes are not zero, or unpack so many bits. */
void convert_bits(bool packs, const uint8_t *from, npy_intp count, bool big, uint8_t *to);

/* Counts of the integers below `capacity`; the table is freed by PyMem_RawFree. */
typedef struct {
    uint32_t *counts;
    npy_intp capacity;
} Counts;
/* Count integers or truth values; negative ones count as 0, those from `length` on do not, unless that is negative.
 * False without memory. */
bool count_values(Type type, Counts *counts, const void *from, npy_intp count, npy_intp length);
/* Add weights, floats or doubles, to the sums that integers below `length` say. */
void sum_weights(Type type, const void *from, bool doubles, const void *weights, npy_intp count, double *to,
                 npy_intp length);
/* The edges of bins, one more than bins: finite and ascending, of one distance (but for roundings) or not. */
typedef struct {
    const void *edges;
    npy_intp count;
    bool uniform;
} Bins;
bool edges_ascend(Type type, const void *edges, npy_intp bins);
/* Find the bins of numbers of E_FLOAT32 or E_FLOAT64, the type of the edges: -1 outside. */
void find_bins(Type type, const char *x, npy_intp count, const Bins *bins, int64_t *to);

/* Combine rows of a buffer, chosen by places, of which negative ones choose none, with rows of values, or (`step` 0
 * instead of 1) with one value. */
typedef void Scatter(char *target, const int64_t *places, npy_intp count, npy_intp length, const char *values,
                     npy_intp step);
enum { SCATTER_ADD, SCATTER_SUBTRACT, SCATTER_MULTIPLY, SCATTER_MAXIMUM, SCATTER_MINIMUM, SCATTER_SET, SCATTERS };
/* Have negative indices count from the end; those out of range become -1. */
void indices_in_range(int64_t *indices, npy_intp count, int64_t bound);
/* Return the loop for a type, or NULL where there is none. */
Scatter *scatter_loop(int which, Type type);

/* What is done to numbers that stay in registers: they are put to a place, squared, or an operand is taken in their
 * stead or computed with, which is an array or (+ OF_NUMBER) one number. */
enum { PUT, SQUARED, TAKE, PLUS, MINUS, MINUS_FROM, TIMES, OVER, OVER_FROM, OF_NUMBER };
typedef struct {
    int code;
    char *place;
    npy_intp apart; /* bytes from one element to the next; 0 where each group of vectors is at the same place */
} Instruction;
/* Do it to numbers of E_FLOAT32 or E_FLOAT64, where the compiler has vectors. */
void compute_in_registers(Type type, const Instruction *steps, int length, npy_intp count);

/* Add what a file has to the module, or find what it needs; -1 with an exception. */
int add_levels(PyObject *module), add_samplers(PyObject *module), add_narrow(PyObject *module);
int add_extremes(PyObject *module), add_narrow_loops(PyObject *module);
int add_order(PyObject *module), add_narrow_extremes(PyObject *module), add_products(PyObject *module),
    add_squares(PyObject *module);
int add_powers(PyObject *module), add_special(PyObject *module);

#endif
