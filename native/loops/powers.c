/* Powers, as a ufunc; `_kernels/pointwise.py` defines the same in NumPy calls.
 *
 * Floats: powers of 2, 1, -1 and 0.5 are squares, the numbers, reciprocals and roots (and (-inf) ** 0.5 is inf). Others
 * are NumPy's, but for negative numbers, for which its loops take thirty times as long: they are powers of the
 * magnitudes with a sign, of float32 computed in float64. Integers: products, which wrap; a power of a negative
 * exponent is truncated towards zero.
 */
#include "narrow.h"

#include <math.h>

enum { SOME = 1024 }; /* elements of a block */

/* The loop of a ufunc, which has blocks computed. */
#define IN_BLOCKS(type) \
    static void powers_##type(char **args, npy_intp const *dimensions, npy_intp const *steps, void *Py_UNUSED(data)) { \
        npy_intp count = dimensions[0], size = sizeof(type), some = SOME, one = steps[1] == 0 || count == 1; \
        type scratch[3][SOME]; \
        for (int k = 0; k < 2; k++) /* results that are read again, as in a reduction, are made one by one */ \
            if (count > 1 && (steps[2] == 0 || !unordered(args[k], steps[k], args[2], steps[2], count, size))) \
                some = 1; \
        for (npy_intp done = 0, now; done < count; done += now) { \
            const type *in[2]; \
            char *to = args[2] + done * steps[2]; \
            now = count - done < some ? count - done : some; \
            for (int k = 0; k < 2; k++) { \
                const char *from = args[k] + done * steps[k]; \
                npy_intp elements = k == 1 && one ? 1 : now; \
                in[k] = steps[k] == size ? (const type *)from : scratch[k]; \
                for (npy_intp i = 0; steps[k] != size && i < elements; i++) \
                    scratch[k][i] = *(const type *)(from + i * steps[k]); \
            } \
            type *out = steps[2] == size ? (type *)to : scratch[2]; \
            block_##type(in[0], in[1], !one, out, now); \
            for (npy_intp i = 0; steps[2] != size && i < now; i++) *(type *)(to + i * steps[2]) = out[i]; \
        } \
    }

/* -- floats -- */

static UfuncLoop power_of_float, power_of_double; /* NumPy's */

typedef struct {
    bool some_short, some_roots, one;
} Kinds; /* of exponents; `one`: they are the same */

/* Whether a magnitude is a whole number: of those below `fine`, whose fractions addition removes. */
#define IS_WHOLE(x, fine) (((x) >= (fine)) | (((x) + (fine)) - (fine) == (x)))

/* What is done to a contiguous block, at a level of instructions. */
#define BLOCKS(level, target, type, bits, fine, copy_sign, magnitude, root) \
    target static Kinds kinds_of_##type##_##level(const type *exponents, npy_intp count) { \
        uint##bits##_t some_short = 0, some_roots = 0, others = 0; \
        for (npy_intp i = 0; i < count; i++) { \
            type b = exponents[i]; \
            some_short |= (uint##bits##_t)((b == 2) | (b == 1) | (b == -1)); \
            some_roots |= (uint##bits##_t)(b == (type)0.5); \
            others |= (uint##bits##_t)(b != exponents[0]); \
        } \
        return (Kinds){(some_short | some_roots) != 0, some_roots != 0, others == 0}; \
    } \
    target static void roots_of_##type##_##level(const type *x, type *to, npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) \
            to[i] = root(x[i] == -(type)INFINITY ? (type)INFINITY : x[i] + 0); /* -0.0 becomes 0.0 */ \
    } \
    /* Write magnitudes, and say whether any number has a sign. */ \
    target static bool magnitudes_of_##type##_##level(const type *x, type *to, npy_intp count) { \
        uint##bits##_t any = 0; \
        for (npy_intp i = 0; i < count; i++) { \
            any |= (uint##bits##_t)(copy_sign(1, x[i]) < 0); \
            to[i] = magnitude(x[i]); \
        } \
        return any != 0; \
    } \
    /* Powers of magnitudes become those of numbers: of odd exponents with the sign, of those that are not whole NaN, \
     * but of zeros and infinities. */ \
    target static void sign_##type##_##level(const type *a, const type *b, npy_intp b_step, type *out, \
                                             npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) { \
            type exponent = b[i * b_step], size = exponent < 0 ? -exponent : exponent, half = size * (type)0.5; \
            bool whole = IS_WHOLE(size, fine), odd = whole & !IS_WHOLE(half, fine), \
                 none = !whole & (a[i] < 0) & (a[i] > -(type)INFINITY); \
            type sign = odd ? copy_sign(1, a[i]) : 1, found = out[i] * sign; \
            out[i] = none ? (type)NAN : found; \
        } \
    } \
    target static void replace_##type##_##level(const type *a, const type *b, const type *roots, type *out, \
                                                npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) { \
            type found = b[i] == 2 ? a[i] * a[i] : out[i]; \
            found = b[i] == 1 ? a[i] : found; \
            found = b[i] == -1 ? 1 / a[i] : found; \
            out[i] = b[i] == (type)0.5 ? roots[i] : found; \
        } \
    }
#define ROW(level, target, type) \
    {kinds_of_##type##_##level, roots_of_##type##_##level, magnitudes_of_##type##_##level, sign_##type##_##level, \
     replace_##type##_##level},

/* Write the powers of magnitudes in place of those of negative numbers; with `one` exponent, all are the first. */
static void refine_float(const float *a, const float *b, bool one, float *out, npy_intp count) {
    enum { FEW_BITS = 64 };
    double x[SOME], y[SOME];
    const float size = fabsf(b[0]);
    if (one && !IS_WHOLE(size, 8388608.0f)) return; /* powers that are not real, and those of zeros and infinities */
    for (npy_intp i = 0; i < count; i++) x[i] = fabsf(a[i]);
    if (one && size <= FEW_BITS) {
        for (npy_intp i = 0; i < count; i++) y[i] = 1;
        for (unsigned rest = (unsigned)size; rest > 0; rest >>= 1) {
            if (rest & 1)
                for (npy_intp i = 0; i < count; i++) y[i] *= x[i];
            for (npy_intp i = 0; i < count; i++) x[i] *= x[i];
        }
        for (npy_intp i = 0; b[0] < 0 && i < count; i++) y[i] = 1 / y[i];
        memcpy(x, y, (size_t)count * sizeof *x);
    } else {
        char *places[] = {(char *)x, (char *)y, (char *)x};
        npy_intp sizes[] = {sizeof(double), sizeof(double), sizeof(double)};
        for (npy_intp i = 0; i < count; i++) y[i] = b[one ? 0 : i];
        power_of_double.function(places, &count, sizes, power_of_double.data);
    }
    /* Without a branch, which no processor could predict. */
    for (npy_intp i = 0; i < count; i++)
        out[i] = float_of(choose(bits_of(a[i]) >> 31, bits_of((float)x[i]), bits_of(out[i])));
}
static void refine_double(const double *Py_UNUSED(a), const double *Py_UNUSED(b), bool Py_UNUSED(one),
                          double *Py_UNUSED(out), npy_intp Py_UNUSED(count)) {}

#define POWERS(type, bits, fine, copy_sign, magnitude, root) \
    EVERY_LEVEL_OF(BLOCKS, type, bits, fine, copy_sign, magnitude, root) \
    static const struct { \
        Kinds (*kinds)(const type *exponents, npy_intp count); \
        void (*roots)(const type *x, type *to, npy_intp count); \
        bool (*magnitudes)(const type *x, type *to, npy_intp count); \
        void (*sign)(const type *a, const type *b, npy_intp b_step, type *out, npy_intp count); \
        void (*replace)(const type *a, const type *b, const type *roots, type *out, npy_intp count); \
    } at_##type[LEVELS] = {EVERY_LEVEL_OF(ROW, type)}; \
    /* Raise to one exponent that is short; the result may take the place of the operand. */ \
    static void short_block_##type(const type *a, type exponent, type *out, npy_intp count) { \
        if (exponent == 2) \
            for (npy_intp i = 0; i < count; i++) out[i] = a[i] * a[i]; \
        else if (exponent == 1) \
            for (npy_intp i = 0; i < count; i++) out[i] = a[i]; \
        else if (exponent == -1) \
            for (npy_intp i = 0; i < count; i++) out[i] = 1 / a[i]; \
        else at_##type[loop_level].roots(a, out, count); \
    } \
    /* Raise to exponents, or (with a step of 0) to one; the result may take the place of the numbers. */ \
    static void block_##type(const type *a, const type *b, npy_intp b_step, type *out, npy_intp count) { \
        Kinds kinds = at_##type[loop_level].kinds(b, b_step ? count : 1); \
        if (kinds.some_short && kinds.one) { \
            short_block_##type(a, b[0], out, count); \
            return; \
        } \
        type roots[SOME], found[SOME]; \
        char *places[] = {(char *)found, (char *)b, (char *)found}; \
        npy_intp sizes[] = {sizeof(type), b_step * (npy_intp)sizeof(type), sizeof(type)}; \
        bool signs = at_##type[loop_level].magnitudes(a, found, count); \
        power_of_##type.function(places, &count, sizes, power_of_##type.data); \
        if (signs) { \
            refine_##type(a, b, b_step == 0 || kinds.one, found, count); \
            at_##type[loop_level].sign(a, b, b_step, found, count); \
        } \
        if (kinds.some_roots) at_##type[loop_level].roots(a, roots, count); \
        if (kinds.some_short) at_##type[loop_level].replace(a, b, kinds.some_roots ? roots : found, found, count); \
        memcpy(out, found, (size_t)count * sizeof *out); \
    }
POWERS(float, 32, 8388608.0f, copysignf, fabsf, sqrtf)
POWERS(double, 64, 4503599627370496.0, copysign, fabs, sqrt)
IN_BLOCKS(float)
IN_BLOCKS(double)

/* -- integers -- */

/* Square by square, for all exponents of a block at once: no branch, which no processor could predict. */
#define RAISE(level, target, type, wrapping) \
    target static void raise_##type##_##level(const type *a, const type *b, npy_intp b_step, type *out, \
                                              npy_intp count) { \
        wrapping x[SOME], rest[SOME], found[SOME], any = 0; \
        for (npy_intp i = 0; i < count; i++) { \
            type exponent = b[i * b_step]; \
            bool inverse = (type) - 1 < 1 && exponent < 0, unit = a[i] == 1 || a[i] == (type) - 1; \
            x[i] = inverse & !unit ? 0 : (wrapping)a[i]; \
            rest[i] = inverse ? (wrapping)(!unit | (exponent & 1)) : (wrapping)exponent; \
            found[i] = 1; \
            any |= rest[i]; \
        } \
        for (; any > 0; any >>= 1) \
            for (npy_intp i = 0; i < count; i++) { \
                found[i] *= rest[i] & 1 ? x[i] : 1; \
                x[i] *= x[i]; \
                rest[i] >>= 1; \
            } \
        for (npy_intp i = 0; i < count; i++) out[i] = (type)found[i]; \
    }
#define RAISE_ENTRY(level, target, type) raise_##type##_##level,
#define INTEGER_POWERS(TYPE, type, wrapping) \
    EVERY_LEVEL_OF(RAISE, type, wrapping) \
    static void block_##type(const type *a, const type *b, npy_intp b_step, type *out, npy_intp count) { \
        static void (*const raise[])(const type *, const type *, npy_intp, type *, \
                                     npy_intp) = {EVERY_LEVEL_OF(RAISE_ENTRY, type)}; \
        if (b_step != 0 || b[0] != 2) raise[loop_level](a, b, b_step, out, count); \
        else { \
            INDEPENDENT \
            for (npy_intp i = 0; i < count; i++) out[i] = (type)((wrapping)a[i] * (wrapping)a[i]); \
        } \
    } \
    IN_BLOCKS(type)
NATIVE_INTEGERS(INTEGER_POWERS)

/* -- the ufunc -- */

int add_powers(PyObject *module) {
#define FUNCTION(TYPE, type, ...) powers_##type,
#define TYPES(TYPE, ...) NPY_##TYPE, NPY_##TYPE, NPY_##TYPE,
    /* The ufunc borrows the tables for ever. Those of floats come last, for they may be missing. */
    static PyUFuncGenericFunction loops[] = {NATIVE_INTEGERS(FUNCTION) powers_float, powers_double};
    static const char types[] = {
        NATIVE_INTEGERS(TYPES) NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE};
    enum { ALL = sizeof loops / sizeof *loops };
    static void *data[ALL];
    bool found =
        find_numpy_loop("power", E_FLOAT32, &power_of_float) && find_numpy_loop("power", E_FLOAT64, &power_of_double);
    PyObject *ufunc = PyUFunc_FromFuncAndData(loops, data, (char *)types, found ? ALL : ALL - 2, 2, 1, PyUFunc_None,
                                              "powers", "Powers.", 0);
    int failed = ufunc == NULL ? -1 : PyModule_AddObjectRef(module, "power", ufunc);
    Py_XDECREF(ufunc);
    return failed;
}
