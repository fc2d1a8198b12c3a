/* Python scalars as elements, and elements as Python scalars. */
#include "scalars.h"

#include "cast.h"
#include "loops/narrow.h"

#include <math.h>

static const long long lowest[] = {
    [E_INT8] = INT8_MIN, [E_INT16] = INT16_MIN, [E_INT32] = INT32_MIN, [E_INT64] = INT64_MIN, [E_UINT64] = 0};
static const long long highest[] = {
    [E_INT8] = INT8_MAX,   [E_INT16] = INT16_MAX,   [E_INT32] = INT32_MAX,   [E_INT64] = INT64_MAX,
    [E_UINT8] = UINT8_MAX, [E_UINT16] = UINT16_MAX, [E_UINT32] = UINT32_MAX, [E_UINT64] = INT64_MAX};

static int write_integer(Type type, long long value, char *place) {
    switch (type) {
    case E_INT8: *(int8_t *)place = (int8_t)value; return 1;
    case E_INT16: *(int16_t *)place = (int16_t)value; return 1;
    case E_INT32: *(int32_t *)place = (int32_t)value; return 1;
    case E_INT64: *(int64_t *)place = (int64_t)value; return 1;
    case E_UINT8: *(uint8_t *)place = (uint8_t)value; return 1;
    case E_UINT16: *(uint16_t *)place = (uint16_t)value; return 1;
    case E_UINT32: *(uint32_t *)place = (uint32_t)value; return 1;
    case E_UINT64: *(uint64_t *)place = (uint64_t)value; return 1;
    case E_FLOAT32: *(float *)place = (float)value; return 1;
    case E_FLOAT64: *(double *)place = (double)value; return 1;
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
    if (is_narrow_integer(type)) {
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
