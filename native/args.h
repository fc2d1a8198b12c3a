/* Arguments of calls: by name, as lengths, shapes and dtypes. */
#ifndef SUPREMUM_ARGS_H
#define SUPREMUM_ARGS_H

#include "plan.h"

/* The arguments of a call, as vectorcall passes them. */
typedef struct {
    PyObject *const *values;
    Py_ssize_t count;
    PyObject *names;
} Arguments;
/* Sort arguments by parameter names (interned strings), of which the first `positional` may come by position; false
 * where one is unknown, given twice or too many. Absent ones become NULL. */
bool arguments_by_name(const Arguments *arguments, PyObject *const *names, int positional, int count, PyObject **found);
/* Interned strings of parameters. */
#define PARAMETERS(X) \
    X(axis) \
    X(keepdims) \
    X(dtype) \
    X(copy) \
    X(shape) \
    X(fill_value) \
    X(min) \
    X(max) \
    X(a) \
    X(key) \
    X(num) \
    X(data) \
    X(minval) \
    X(maxval) \
    X(b) \
    X(rtol) \
    X(atol) \
    X(equal_nan) \
    X(a1) \
    X(a2) \
    X(__supremum_function__) \
    X(__supremum_level__) X(__name__) X(_node) X(scaled) X(add) X(cotangents) X(operand)
typedef struct {
#define X(name) PyObject *name;
    PARAMETERS(X)
#undef X
} Names;
extern Names names;
/* Return new references to the arguments of a call as a tuple and a dict; false with an exception. */
bool pack_arguments(PyObject *const *args, Py_ssize_t count, PyObject *keywords, PyObject **positional,
                    PyObject **named);
/* Find an entry of a dict: 1 with a new reference, 0 without, -1 with an exception. May run Python, which compares keys
 * of the user's. */
int find_entry(PyObject *dict, PyObject *key, PyObject **found);
/* Return a new dict of the arguments of a call, a tuple and a dict, by name in the order of the parameters, defaults
 * among them; `parameters` is what the hook of that name returns of the function, which is named in errors. May run
 * Python. */
PyObject *bind_arguments(PyObject *parameters, PyObject *function, PyObject *args, PyObject *kwargs);
/* Read an exact Python int: 1, or 0 where `x` is none or does not fit. */
static inline int read_length(PyObject *x, npy_intp *value) {
    if (!PyLong_CheckExact(x)) return 0;
    int overflow;
    long long found = PyLong_AsLongLongAndOverflow(x, &overflow);
    *value = (npy_intp)found;
    return !overflow && *value == found;
}
/* Read a shape, a tuple of ints or an int, of which none is below `least`: the number of axes, or -1 without an
 * exception. */
static inline int read_shape(PyObject *x, npy_intp least, npy_intp *shape) {
    PyObject *const *parts = PyTuple_CheckExact(x) ? &PyTuple_GET_ITEM(x, 0) : &x;
    Py_ssize_t count = PyTuple_CheckExact(x) ? PyTuple_GET_SIZE(x) : 1;
    if (count > NPY_MAXDIMS) return -1;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!read_length(parts[i], &shape[i]) || shape[i] < least) return -1;
    return (int)count;
}
/* Read an axis that counts from either end; -1 without an exception where it is none. */
static inline int read_axis(PyObject *x, int ndim) {
    npy_intp axis;
    if (!read_length(x, &axis) || axis < -ndim || axis >= ndim) return -1;
    return (int)(axis < 0 ? axis + ndim : axis);
}
/* Return the strong node that a `dtype=` means in a state (see dtypes.c), or NULL without an exception: where it is
 * another spelling, no dtype, or one of 64 bits that the state does not allow. Runs no Python. */
const Node *find_dtype(const State *state, PyObject *dtype);
/* The same of nodes whose elements C knows. */
const Node *node_of_argument(const State *state, PyObject *dtype);

#endif
