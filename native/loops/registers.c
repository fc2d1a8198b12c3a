/* Sums, differences, products and quotients of floats that follow one another: what is computed stays in registers from
 * one to the next. The bits are those of NumPy's loops, but for which one of two NaN is the result; that differs there
 * from one element to the next.
 */
#include "loops.h"

#if HAS_VECTORS
/* Bytes of a vector, and how many of them are computed with at once. */
enum { BYTES_PLAIN = 16, BYTES_AVX2 = 32, BYTES_AVX512 = 64, COUNT_PLAIN = 8, COUNT_AVX2 = 8, COUNT_AVX512 = 16 };
/* Compute with what an operand has at a place: vectors, or one number. */
#define STEP(code, result) \
    case code: \
        for (int i = 0; i < COUNT; i++) { \
            Vector m = ((const Vector *)place)[i]; \
            a[i] = result; \
        } \
        break; \
    case (code) + OF_NUMBER: { \
        Vector m = *(const Number *)place - (Vector){0}; \
        for (int i = 0; i < COUNT; i++) a[i] = result; \
        break; \
    }
/* Compute from an element on as long as there are enough for all vectors; return the next element. */
#define COMPUTE_IN(level, target, type, bytes, count) \
    target static npy_intp type##_##level(const Instruction *steps, int length, npy_intp done, npy_intp end) { \
        typedef type Number; \
        typedef Number Vector __attribute__((vector_size(bytes), aligned(sizeof(Number)), may_alias)); \
        enum { COUNT = count, SOME = COUNT * sizeof(Vector) / sizeof(Number) }; \
        for (; done + SOME <= end; done += SOME) { \
            Vector a[COUNT] = {{0}}; \
            for (const Instruction *step = steps, *last = steps + length; step < last; step++) { \
                char *place = step->place + done * step->apart; \
                switch (step->code) { \
                case PUT: \
                    for (int i = 0; i < COUNT; i++) ((Vector *)place)[i] = a[i]; \
                    break; \
                    STEP(SQUARED, a[i] * a[i]) \
                    STEP(TAKE, m) \
                    STEP(PLUS, a[i] + m) \
                    STEP(MINUS, a[i] - m) \
                    STEP(MINUS_FROM, m - a[i]) \
                    STEP(TIMES, a[i] * m) \
                    STEP(OVER, a[i] / m) \
                    STEP(OVER_FROM, m / a[i]) \
                } \
            } \
        } \
        return done; \
    }
#define COMPUTE(level, target, type) COMPUTE_IN(level, target, type, BYTES_##level, COUNT_##level)
#define COMPUTE_ALL(type) EVERY_LEVEL_OF(COMPUTE, type) COMPUTE_IN(ONE, , type, sizeof(type), 1)
COMPUTE_ALL(float)
COMPUTE_ALL(double)

#define ROW(level, target) {float_##level, double_##level},
void compute_in_registers(Type type, const Instruction *steps, int length, npy_intp count) {
    typedef npy_intp Compute(const Instruction *, int, npy_intp, npy_intp);
    static Compute *const compute[][2] = {EVERY_LEVEL(ROW)}, *const one[2] = {float_ONE, double_ONE};
    const int which = type == E_FLOAT64, size = which ? 8 : 4;
    npy_intp lead = (npy_intp)(-(uintptr_t)steps->place % 64) / size; /* then vectors are whole lines of the cache */
    npy_intp done = one[which](steps, length, 0, count < 4096 ? 0 : lead);
    done = compute[loop_level][which](steps, length, done, count);
    one[which](steps, length, compute[PLAIN][which](steps, length, done, count), count);
}
#endif
