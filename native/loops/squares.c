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

/* Square numbers, contiguous ones at a level of instructions. */
#define AT_LEVEL(level, target, real) \
    target static void squares_##real##_##level(const char *in, npy_intp step, char *out, npy_intp apart, \
                                                npy_intp count) { \
        const npy_intp size = 2 * (npy_intp)sizeof(real); \
        if (step == size && apart == size && unordered(in, size, out, size, count, size)) INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) SQUARE(real, (const real *)in + 2 * i, (real *)out + 2 * i); \
        else for (; count > 0; count--, in += step, out += apart) SQUARE(real, (const real *)in, (real *)out); }
#define ENTRY(level, target, real) squares_##real##_##level,
#define SQUARES(real) \
    EVERY_LEVEL_OF(AT_LEVEL, real) \
    static void squares_##real(char **args, npy_intp const *dimensions, npy_intp const *steps, \
                               void *Py_UNUSED(data)) { \
        static void (*const at[])(const char *, npy_intp, char *, npy_intp, npy_intp) = {EVERY_LEVEL_OF(ENTRY, real)}; \
        at[loop_level](args[0], steps[0], args[1], steps[1], dimensions[0]); \
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
