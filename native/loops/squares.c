/* Squares of complex numbers, as a ufunc. The real part is (a - b)(a + b): a² - b², which NumPy computes, loses all
 * digits near the diagonals of the plane, and is NaN where both squares overflow. `_kernels/complex_numbers.py` defines
 * the same in NumPy calls.
 */
#include "loops.h"

/* Square a number. On the diagonals one factor is 0, and the other one may have overflowed; a - a is 0 if a is finite,
 * else NaN. */
#define SQUARE(real, from, to) \
    do { \
        real a = (from)[0], b = (from)[1], zero = a - a, product = (a - b) * (a + b); \
        product = a == b ? zero : product; \
        (to)[0] = a == -b ? zero : product; \
        (to)[1] = 2 * (a * b); \
    } while (0)

/* Square contiguous numbers, in place or not. */
#define CONTIGUOUS(level, target, real) \
    target static void contiguous_##real##_##level(const real *from, real *to, npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) SQUARE(real, from + 2 * i, to + 2 * i); \
    }
#define ENTRY(level, target, real) contiguous_##real##_##level,
#define SQUARES(real) \
    EVERY_LEVEL_OF(CONTIGUOUS, real) \
    static void squares_##real(char **args, npy_intp const *dimensions, npy_intp const *steps, \
                               void *Py_UNUSED(data)) { \
        static void (*const contiguous[])(const real *, real *, npy_intp) = {EVERY_LEVEL_OF(ENTRY, real)}; \
        const char *in = args[0]; \
        char *out = args[1]; \
        npy_intp count = dimensions[0], size = 2 * (npy_intp)sizeof(real); \
        if (steps[0] == size && steps[1] == size && unordered(in, size, out, size, count, size)) \
            contiguous[loop_level]((const real *)in, (real *)out, count); \
        else \
            for (npy_intp i = 0; i < count; i++, in += steps[0], out += steps[1]) \
                SQUARE(real, (const real *)in, (real *)out); \
    }
SQUARES(float)
SQUARES(double)

int add_squares(PyObject *module) {
    /* The ufunc borrows the tables for ever. */
    static PyUFuncGenericFunction loops[] = {squares_float, squares_double};
    static void *data[] = {NULL, NULL};
    static const char types[] = {NPY_CFLOAT, NPY_CFLOAT, NPY_CDOUBLE, NPY_CDOUBLE};
    PyObject *ufunc = PyUFunc_FromFuncAndData(loops, data, (char *)types, 2, 1, 1, PyUFunc_None, "complex_square",
                                              "The square of complex numbers.", 0);
    int failed = ufunc == NULL ? -1 : PyModule_AddObjectRef(module, "complex_square", ufunc);
    Py_XDECREF(ufunc);
    return failed;
}
