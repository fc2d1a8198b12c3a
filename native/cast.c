/* Conversions between elements of NumPy's own dtypes, and of Python's scalars to them.
 *
 * The table has the conversions that C defines and NumPy does with the same bits: whatever becomes an integer comes
 * from an integer or a truth value, whatever is complex stays complex. Floats become integers in loops/saturating.c,
 * narrow numbers are converted in steps
 * (`find_conversion`), and the real part of complex numbers is NumPy's to take.
 */
#include "large.h"
#include "loops/narrow.h"

#include <math.h>

const uint8_t type_size[E_COUNT] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};

#define INTEGERS(X, ...) \
    X(INT8, int8_t, __VA_ARGS__) \
    X(INT16, int16_t, __VA_ARGS__) \
    X(INT32, int32_t, __VA_ARGS__) \
    X(INT64, int64_t, __VA_ARGS__) \
    X(UINT8, uint8_t, __VA_ARGS__) \
    X(UINT16, uint16_t, __VA_ARGS__) X(UINT32, uint32_t, __VA_ARGS__) X(UINT64, uint64_t, __VA_ARGS__)
#define INTEGERS_AGAIN(X, ...) /* a macro does not expand within itself */ \
    X(INT8, int8_t, __VA_ARGS__) \
    X(INT16, int16_t, __VA_ARGS__) \
    X(INT32, int32_t, __VA_ARGS__) \
    X(INT64, int64_t, __VA_ARGS__) \
    X(UINT8, uint8_t, __VA_ARGS__) \
    X(UINT16, uint16_t, __VA_ARGS__) X(UINT32, uint32_t, __VA_ARGS__) X(UINT64, uint64_t, __VA_ARGS__)
#define FLOATS(X, ...) X(FLOAT32, float, __VA_ARGS__) X(FLOAT64, double, __VA_ARGS__)
#define FLOATS_AGAIN(X, ...) X(FLOAT32, float, __VA_ARGS__) X(FLOAT64, double, __VA_ARGS__)

/* -- elements to elements -- */

#define REAL(TO, to_type, FROM, from_type) \
    static void cast_##FROM##_##TO(const char *from, char *to, npy_intp count) { \
        const from_type *in = (const from_type *)from; \
        to_type *out = (to_type *)to; \
        for (npy_intp i = 0; i < count; i++) out[i] = (to_type)in[i]; \
    }
#define TO_COMPLEX(TO, part_type, FROM, from_type) \
    static void cast_##FROM##_##TO(const char *from, char *to, npy_intp count) { \
        const from_type *in = (const from_type *)from; \
        part_type *out = (part_type *)to; \
        for (npy_intp i = 0; i < count; i++) { \
            out[2 * i] = (part_type)in[i]; \
            out[2 * i + 1] = 0; \
        } \
    }
#define FROM_TRUTH(TO, to_type, ...) \
    static void cast_BOOL_##TO(const char *from, char *to, npy_intp count) { \
        const uint8_t *in = (const uint8_t *)from; \
        to_type *out = (to_type *)to; \
        for (npy_intp i = 0; i < count; i++) out[i] = (to_type)(in[i] != 0); \
    }
#define FROM_TRUTH_TO_COMPLEX(TO, part_type) \
    static void cast_BOOL_##TO(const char *from, char *to, npy_intp count) { \
        const uint8_t *in = (const uint8_t *)from; \
        part_type *out = (part_type *)to; \
        for (npy_intp i = 0; i < count; i++) { \
            out[2 * i] = (part_type)(in[i] != 0); \
            out[2 * i + 1] = 0; \
        } \
    }
#define FROM_INTEGER(FROM, from_type, ...) \
    INTEGERS_AGAIN(REAL, FROM, from_type) \
    FLOATS_AGAIN(REAL, FROM, from_type) \
    TO_COMPLEX(COMPLEX64, float, FROM, from_type) TO_COMPLEX(COMPLEX128, double, FROM, from_type)
#define FROM_FLOAT(FROM, from_type, ...) \
    FLOATS_AGAIN(REAL, FROM, from_type) \
    TO_COMPLEX(COMPLEX64, float, FROM, from_type) TO_COMPLEX(COMPLEX128, double, FROM, from_type)

INTEGERS(FROM_INTEGER, )
INTEGERS(FROM_TRUTH, )
FLOATS(FROM_TRUTH, )
FROM_TRUTH_TO_COMPLEX(COMPLEX64, float)
FROM_TRUTH_TO_COMPLEX(COMPLEX128, double)
FLOATS(FROM_FLOAT, )

static void cast_COMPLEX64_COMPLEX128(const char *from, char *to, npy_intp count) {
    cast_FLOAT32_FLOAT64(from, to, 2 * count);
}
static void cast_COMPLEX128_COMPLEX64(const char *from, char *to, npy_intp count) {
    cast_FLOAT64_FLOAT32(from, to, 2 * count);
}

#define ENTRY(TO, to_type, FROM) [E_##TO] = cast_##FROM##_##TO,
#define COMPLEX_ENTRIES(FROM) [E_COMPLEX64] = cast_##FROM##_COMPLEX64, [E_COMPLEX128] = cast_##FROM##_COMPLEX128
#define INTEGER_ROW(FROM, from_type, ...) \
    [E_##FROM] = {INTEGERS_AGAIN(ENTRY, FROM) FLOATS_AGAIN(ENTRY, FROM) COMPLEX_ENTRIES(FROM)},
#define FLOAT_ROW(FROM, from_type, ...) [E_##FROM] = {FLOATS_AGAIN(ENTRY, FROM) COMPLEX_ENTRIES(FROM)},

static Cast *const casts[E_COUNT][E_COUNT] = {
    INTEGER_ROW(BOOL, uint8_t, ) INTEGERS(INTEGER_ROW, )
        FLOATS(FLOAT_ROW, )[E_COMPLEX64] = {[E_COMPLEX128] = cast_COMPLEX64_COMPLEX128},
    [E_COMPLEX128] = {[E_COMPLEX64] = cast_COMPLEX128_COMPLEX64},
};

Cast *cast_between(Type from, Type to) { return !is_native(from) || !is_native(to) ? NULL : casts[from][to]; }

/* -- which elements are not zero -- */

#define TRUTH(FROM, from_type, ...) \
    static void truth_##FROM(const char *from, char *to, npy_intp count) { \
        const from_type *in = (const from_type *)from; \
        for (npy_intp i = 0; i < count; i++) to[i] = in[i] != 0; \
    }
#define TRUTH_OF_COMPLEX(FROM, part_type) \
    static void truth_##FROM(const char *from, char *to, npy_intp count) { \
        const part_type *in = (const part_type *)from; \
        for (npy_intp i = 0; i < count; i++) to[i] = in[2 * i] != 0 || in[2 * i + 1] != 0; \
    }
INTEGERS(TRUTH, )
FLOATS(TRUTH, )
TRUTH(BOOL, uint8_t, )
TRUTH_OF_COMPLEX(COMPLEX64, float)
TRUTH_OF_COMPLEX(COMPLEX128, double)

#define TRUTH_ENTRY(FROM, from_type, ...) [E_##FROM] = truth_##FROM,
static Cast *const truths[E_COUNT] = {
    INTEGERS(TRUTH_ENTRY, ) FLOATS(TRUTH_ENTRY, )[E_BOOL] = truth_BOOL,
    [E_COMPLEX64] = truth_COMPLEX64,
    [E_COMPLEX128] = truth_COMPLEX128,
};

Cast *truth_of(Type from) { return !is_native(from) ? NULL : truths[from]; }

/* -- narrow elements -- */

static npy_intp size_of(Type type) { return is_native(type) ? type_size[type] : size_of_narrow(type); }
static bool is_narrow_integer(Type type) { return type >= E_INT1; }

/* Find the step from a type that is not narrow. */
static Cast *step_from_native(Type from, Type to) {
    if (to == E_BOOL) return truth_of(from);
    if (is_native(to)) {
        Cast *cast = cast_between(from, to);
        return cast != NULL ? cast : saturating_cast(from, to);
    }
    return from == (is_narrow_integer(to) ? E_INT8 : E_FLOAT32) ? narrowing_of(to) : NULL;
}

/* Return the type that a conversion goes through. */
static Type middle_of(Type from, Type to) {
    return is_narrow_integer(is_native(from) ? to : from) ? E_INT8 : E_FLOAT32;
}

bool find_conversion(Type from, Type to, Conversion *found) {
    if (from == to || from == E_FOREIGN || to == E_FOREIGN) return false;
    if (is_narrow_integer(to) && (from == E_FLOAT32 || from == E_FLOAT64))
        return false; /* they saturate at limits that int8 does not have */
    *found = (Conversion){.from_size = size_of(from), .to_size = size_of(to)};
    Type middle = middle_of(from, to);
    if (is_native(from)) {
        found->first = step_from_native(from, to);
        if (found->first != NULL || is_native(to)) return found->first != NULL;
        found->first = odd_rounding_of(from);
        if (found->first == NULL || is_narrow_integer(to)) found->first = cast_between(from, middle);
    } else {
        found->first = widening_of(from);
        if (to == middle) return true;
    }
    found->middle_size = type_size[middle];
    found->second = step_from_native(middle, to);
    return found->first != NULL && found->second != NULL;
}

void convert_elements(const Conversion *how, const char *from, char *to, npy_intp count) {
    enum { SOME = 512 };
    _Alignas(16) char scratch[SOME * sizeof(float)];
    const bool far = count >= FAR;
    if (how->second == NULL && !far) {
        how->first(from, to, count);
        return;
    }
    for (npy_intp now; count > 0; count -= now, from += now * how->from_size, to += now * how->to_size) {
        now = count < SOME ? count : SOME;
        npy_intp next = count - now < SOME ? count - now : SOME;
        if (far) fetch(to + now * how->to_size, next * how->to_size); /* what is read it sees coming by itself */
        how->first(from, how->second == NULL ? to : scratch, now);
        if (how->second != NULL) how->second(scratch, to, now);
    }
}

typedef struct {
    const Conversion *how;
    const char *from;
    char *to;
} Converting;

static void convert_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Converting *all = context;
    convert_elements(all->how, all->from + first * all->how->from_size, all->to + first * all->how->to_size,
                     last - first);
}

void share_conversion(const Conversion *how, const char *from, char *to, npy_intp count) {
    share_work(convert_part, &(Converting){how, from, to}, count, 1);
}

/* Convert an ndarray to a dtype: a function of the module. */
static PyObject *cast_function(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count) {
    if (count == 2 && PyArray_IsScalar(arguments[0], Generic)) { /* NumPy's result without dimensions */
        PyObject *again[] = {PyArray_FromAny(arguments[0], NULL, 0, 0, 0, NULL), arguments[1]};
        PyObject *found = again[0] == NULL ? NULL : cast_function(NULL, again, 2);
        Py_XDECREF(again[0]);
        return found;
    }
    if (count != 2 || !PyArray_Check(arguments[0]) || !PyArray_DescrCheck(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "cast: expected an ndarray and a dtype");
        return NULL;
    }
    PyArrayObject *data = (PyArrayObject *)arguments[0];
    PyArray_Descr *dtype = (PyArray_Descr *)arguments[1];
    Conversion how;
    /* Elsewhere, a copy in the order of the axes in memory, in which NumPy's casts are: sums depend on it. */
    if (PyArray_ISONESEGMENT(data) && PyArray_ISALIGNED(data)) Py_INCREF(data);
    else data = (PyArrayObject *)PyArray_NewCopy(data, NPY_KEEPORDER);
    if (data == NULL) return NULL;
    bool fortran = PyArray_IS_F_CONTIGUOUS(data) && !PyArray_IS_C_CONTIGUOUS(data);
    if (!find_conversion(type_of_dtype(PyArray_DESCR(data)), type_of_dtype(dtype), &how)) {
        PyErr_Format(PyExc_TypeError, "cast: there is no conversion from %S to %S", PyArray_DESCR(data), dtype);
        Py_DECREF(data);
        return NULL;
    }
    npy_intp strides[NPY_MAXDIMS];
    for (int i = 0; i < PyArray_NDIM(data); i++)
        strides[i] = PyArray_STRIDE(data, i) / PyArray_ITEMSIZE(data) * PyDataType_ELSIZE(dtype);
    PyArrayObject *out =
        new_buffer(dtype, PyArray_NDIM(data), PyArray_DIMS(data), PyArray_ISONESEGMENT(data) ? NULL : strides, fortran);
    if (out != NULL) {
        npy_intp size = PyArray_SIZE(out);
        const char *from = PyArray_BYTES(data);
        char *to = PyArray_BYTES(out);
        NPY_BEGIN_THREADS_DEF;
        NPY_BEGIN_THREADS_THRESHOLDED(size);
        share_conversion(&how, from, to, size);
        NPY_END_THREADS;
    }
    Py_DECREF(data);
    return (PyObject *)out;
}

/* Whether there is a conversion between two dtypes. */
static PyObject *casts_function(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count) {
    Conversion how;
    if (count != 2 || !PyArray_DescrCheck(arguments[0]) || !PyArray_DescrCheck(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "casts: expected two dtypes");
        return NULL;
    }
    return PyBool_FromLong(find_conversion(type_of_dtype((PyArray_Descr *)arguments[0]),
                                           type_of_dtype((PyArray_Descr *)arguments[1]), &how));
}

PyMethodDef cast_functions[] = {
    {"cast", (PyCFunction)(void (*)(void))cast_function, METH_FASTCALL,
     PyDoc_STR("cast(data, dtype)\n--\n\nReturn a new ndarray of a dtype, in C order or that of the columns.")},
    {"casts", (PyCFunction)(void (*)(void))casts_function, METH_FASTCALL,
     PyDoc_STR("casts(dtype, other)\n--\n\nReturn whether `cast` has a conversion from one dtype to another.")},
    {NULL, NULL, 0, NULL},
};

/* -- Python scalars -- */

static const long long lowest[] = {
    [E_INT8] = INT8_MIN, [E_INT16] = INT16_MIN, [E_INT32] = INT32_MIN, [E_INT64] = INT64_MIN, [E_UINT64] = 0};
static const long long highest[] = {
    [E_INT8] = INT8_MAX,   [E_INT16] = INT16_MAX,   [E_INT32] = INT32_MAX,   [E_INT64] = INT64_MAX,
    [E_UINT8] = UINT8_MAX, [E_UINT16] = UINT16_MAX, [E_UINT32] = UINT32_MAX, [E_UINT64] = INT64_MAX};

static int write_integer(Type type, long long value, char *place) {
    switch (type) {
#define WRITE(TO, to_type, ...) \
    case E_##TO: *(to_type *)place = (to_type)value; return 1;
        INTEGERS(WRITE, )
        FLOATS(WRITE, )
    case E_BOOL: *(uint8_t *)place = value != 0; return 1;
    case E_COMPLEX64:
        ((float *)place)[0] = (float)value;
        ((float *)place)[1] = 0;
        return 1;
    case E_COMPLEX128:
        ((double *)place)[0] = (double)value;
        ((double *)place)[1] = 0;
        return 1;
    default: return 0;
    }
}

static int write_complex(Type type, Py_complex value, char *place) {
    switch (type) {
    case E_FLOAT32: *(float *)place = (float)value.real; return 1;
    case E_FLOAT64: *(double *)place = value.real; return 1;
    case E_COMPLEX64:
        ((float *)place)[0] = (float)value.real;
        ((float *)place)[1] = (float)value.imag;
        return 1;
    case E_COMPLEX128:
        ((double *)place)[0] = value.real;
        ((double *)place)[1] = value.imag;
        return 1;
    default: return 0;
    }
}

/* Read a Python int that lies in [low, high]: 1, or 0 where it does not, or -1 with an exception. */
static int small_integer(PyObject *scalar, long long low, long long high, long long *value) {
    int overflow;
    *value = PyLong_AsLongLongAndOverflow(scalar, &overflow);
    if (*value == -1 && PyErr_Occurred()) return -1;
    return !overflow && *value >= low && *value <= high;
}

static int write_inexact(Type type, PyObject *scalar, Scalar kind, char *place) {
    if (kind == S_FLOAT) return write_complex(type, (Py_complex){PyFloat_AS_DOUBLE(scalar), 0}, place);
    return type >= E_COMPLEX64 ? write_complex(type, PyComplex_AsCComplex(scalar), place) : 0;
}

/* Write a number as an element of a narrow type, as NumPy and ml_dtypes round it: to float16 once, to others through
 * float32. */
static int write_narrow(Type type, double value, char *place) {
    if (type >= E_INT1) {
        int8_t small = (int8_t)value;
        narrowing_of(type)((const char *)&small, place, 1);
        return 1;
    }
    float near = (float)value;
    if (type == E_FLOAT16 && (double)near != value &&
        value == value) { /* round to odd, so that the second rounding is right */
        uint32_t bits;
        memcpy(&bits, &near, sizeof bits);
        if (!(bits & 1)) bits += fabs((double)near) < fabs(value) ? 1 : -1;
        memcpy(&near, &bits, sizeof bits);
    }
    narrowing_of(type)((const char *)&near, place, 1);
    return 1;
}

static int write_number(Type type, long long value, char *place) {
    return type >= E_NARROW ? write_narrow(type, (double)value, place) : write_integer(type, value, place);
}

int write_scalar(const Plan *plan, PyObject *scalar, Scalar kind, char *place) {
    long long value;
    switch (kind) {
    case S_FLOAT:
        if (is_narrow_float(plan->type) && plan->floats)
            return write_narrow(plan->type, PyFloat_AS_DOUBLE(scalar), place);
        return plan->floats ? write_inexact(plan->type, scalar, kind, place) : 0;
    case S_COMPLEX: return plan->floats ? write_inexact(plan->type, scalar, kind, place) : 0;
    case S_BOOL: /* whose integers no dtype need have: int1 has no 1, float8_e8m0fnu no 0 */
        value = scalar == Py_True;
        if (plan->type != E_BOOL && (value < plan->low || value > plan->high)) return 0;
        return write_number(plan->type, value, place);
    default: break;
    }
    int small = small_integer(scalar, plan->low, plan->high, &value);
    return small == 1 ? write_number(plan->type, value, place) : small;
}

int store_scalar(Type type, PyObject *scalar, Scalar kind, char *place) {
    long long value;
    if (!is_native(type)) return 0;
    switch (kind) {
    case S_FLOAT:
    case S_COMPLEX: return write_inexact(type, scalar, kind, place);
    case S_BOOL: return write_integer(type, scalar == Py_True, place);
    default: break;
    }
    if (type == E_BOOL) return 0;
    /* A float holds these exactly; larger ones are Python's to round. */
    long long exact = type == E_FLOAT32 || type == E_COMPLEX64 ? 1LL << 24 : 1LL << 53;
    bool inexact = type >= E_FLOAT32;
    int small = small_integer(scalar, inexact ? -exact : lowest[type], inexact ? exact : highest[type], &value);
    return small == 1 ? write_integer(type, value, place) : small;
}

int store_narrow(Type type, PyObject *scalar, Scalar kind, char *place) {
    long long value = scalar == Py_True;
    if (!is_narrow_float(type)) return 0;
    if (kind == S_FLOAT) return write_narrow(type, PyFloat_AS_DOUBLE(scalar), place);
    int small = kind == S_BOOL ? 1 : kind == S_INT ? small_integer(scalar, -(1LL << 24), 1LL << 24, &value) : 0;
    return small == 1 ? write_narrow(type, (double)value, place) : small;
}

PyObject *scalar_from(Type type, const char *place) {
    switch (type) {
    case E_BOOL: return PyBool_FromLong(*(const uint8_t *)place);
    case E_INT8: return PyLong_FromLong(*(const int8_t *)place);
    case E_INT16: return PyLong_FromLong(*(const int16_t *)place);
    case E_INT32: return PyLong_FromLong(*(const int32_t *)place);
    case E_INT64: return PyLong_FromLongLong(*(const int64_t *)place);
    case E_UINT8: return PyLong_FromLong(*(const uint8_t *)place);
    case E_UINT16: return PyLong_FromLong(*(const uint16_t *)place);
    case E_UINT32: return PyLong_FromUnsignedLong(*(const uint32_t *)place);
    case E_UINT64: return PyLong_FromUnsignedLongLong(*(const uint64_t *)place);
    case E_FLOAT32: return PyFloat_FromDouble(*(const float *)place);
    case E_FLOAT64: return PyFloat_FromDouble(*(const double *)place);
    case E_COMPLEX64: return PyComplex_FromDoubles(((const float *)place)[0], ((const float *)place)[1]);
    case E_COMPLEX128: return PyComplex_FromDoubles(((const double *)place)[0], ((const double *)place)[1]);
    default: PyErr_SetString(PyExc_SystemError, "an element of a foreign dtype was requested"); return NULL;
    }
}
