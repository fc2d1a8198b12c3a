/* Arithmetic of floats of 8 bits by the instructions of x86: see halves.c. */
#include "narrow_kernels.h"

#if HAS_LEVELS
#define ARITHMETIC 1
#define LEVEL AVX512
#define SOME 32
#define TARGET TARGET_AVX512
#include "halves_of.h"

#define ROW(name, NAME, storage, width, fraction, bias, has, how) \
    IF_UPPER_##how([E_##NAME - E_NARROW] = {[ADD] = add_##name, \
                                            [SUBTRACT] = subtract_##name, \
                                            [MULTIPLY] = multiply_##name, \
                                            [DIVIDE] = divide_##name}, )
static Kernel *const kernels[E_TYPES - E_NARROW][ARITHMETICS] = {NARROW_FLOATS(ROW)};

Kernel *fast_arithmetic(Arithmetic which, Type type) { return kernels[type - E_NARROW][which]; }
#else
Kernel *fast_arithmetic(Arithmetic Py_UNUSED(which), Type Py_UNUSED(type)) { return NULL; }
#endif
