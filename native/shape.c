/* Fast paths of functions that change shapes. */
#include "args.h"
#include "paths.h"

static Array *plain_array(const Arguments *arguments, Py_ssize_t least, Py_ssize_t most) {
    if (arguments->names != NULL || arguments->count < least || arguments->count > most ||
        !IS_ARRAY(arguments->values[0]))
        return NULL;
    return (Array *)arguments->values[0];
}

static PyObject *view_of(const Array *x, int ndim, const npy_intp *shape, const npy_intp *strides, char *start) {
    return wrap(new_view(x->data, ndim, shape, strides, start), x->node);
}

/* -- reshape -- */

static PyObject *reshaped(const Array *x, int ndim, npy_intp *shape) {
    npy_intp size = PyArray_SIZE(x->data), known = 1, strides[NPY_MAXDIMS];
    int missing = -1;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == -1) {
            if (missing >= 0) return NULL;
            missing = i;
        } else known = size_product(known, shape[i]);
    }
    if (missing >= 0) {
        if (known == 0 || size % known) return NULL;
        shape[missing] = size / known;
        known *= shape[missing];
    }
    if (known != size || size == 0) return NULL; /* strides of no elements are NumPy's to choose */
    if (!PyArray_IS_C_CONTIGUOUS(x->data)) {     /* a view all the same, or a copy, which may run Python */
        Operand whole = operand_of((PyObject *)x);
        PyArrayObject *out = (PyArrayObject *)PyArray_Newshape(whole.data, &(PyArray_Dims){shape, ndim}, NPY_CORDER);
        Py_DECREF(whole.data);
        return wrap(out, whole.node);
    }
    npy_intp stride = PyArray_ITEMSIZE(x->data);
    for (int i = ndim - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= shape[i];
    }
    return view_of(x, ndim, shape, strides, PyArray_BYTES(x->data));
}

static PyObject *quick_reshape(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    Array *x = plain_array(arguments, 2, 2);
    npy_intp shape[NPY_MAXDIMS];
    int ndim = x == NULL ? -1 : read_shape(arguments->values[1], -1, shape);
    return ndim < 0 ? NULL : reshaped(x, ndim, shape);
}

/* The method, which takes lengths one by one, too. */
static PyObject *quick_reshape_method(Operation *operation, const Arguments *arguments) {
    Array *x = plain_array(arguments, 2, NPY_MAXDIMS);
    npy_intp shape[NPY_MAXDIMS];
    if (arguments->count == 2) return quick_reshape(operation, arguments);
    for (Py_ssize_t i = 1; x != NULL && i < arguments->count; i++)
        if (!read_length(arguments->values[i], &shape[i - 1]) || shape[i - 1] < -1) return NULL;
    return x == NULL ? NULL : reshaped(x, (int)arguments->count - 1, shape);
}

/* -- axes -- */

static PyObject *quick_permute_dims(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    Array *x = plain_array(arguments, 2, 2);
    if (x == NULL || !PyTuple_CheckExact(arguments->values[1])) return NULL;
    int ndim = PyArray_NDIM(x->data);
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    bool taken[NPY_MAXDIMS] = {false};
    if (PyTuple_GET_SIZE(arguments->values[1]) != ndim) return NULL;
    for (int i = 0; i < ndim; i++) {
        int axis = read_axis(PyTuple_GET_ITEM(arguments->values[1], i), ndim);
        if (axis < 0 || taken[axis]) return NULL;
        taken[axis] = true;
        shape[i] = PyArray_DIM(x->data, axis);
        strides[i] = PyArray_STRIDE(x->data, axis);
    }
    return view_of(x, ndim, shape, strides, PyArray_BYTES(x->data));
}

/* Read the arguments of functions of an array and an axis, which may come by keyword; NULL where they are not plain. */
static Array *array_and_axis(const Arguments *arguments, PyObject **axis) {
    PyObject *found[2], *const parameters[] = {names.a, names.axis};
    if (arguments->count < 1 || !arguments_by_name(arguments, parameters, 2, 2, found) || !IS_ARRAY(found[0]))
        return NULL;
    *axis = found[1];
    return (Array *)found[0];
}

static PyObject *quick_expand_dims(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *given;
    Array *x = array_and_axis(arguments, &given);
    if (x == NULL || given == NULL) return NULL;
    int ndim = PyArray_NDIM(x->data), axis = read_axis(given, ndim + 1);
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    if (axis < 0 || ndim == NPY_MAXDIMS) return NULL;
    for (int i = 0; i <= ndim; i++) {
        shape[i] = i == axis ? 1 : PyArray_DIM(x->data, i - (i > axis));
        strides[i] = i == axis ? 0 : PyArray_STRIDE(x->data, i - (i > axis));
    }
    return view_of(x, ndim + 1, shape, strides, PyArray_BYTES(x->data));
}

static PyObject *quick_squeeze(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *given;
    Array *x = array_and_axis(arguments, &given);
    if (x == NULL) return NULL;
    bool all = given == NULL || given == Py_None;
    int ndim = PyArray_NDIM(x->data), axis = all ? -1 : read_axis(given, ndim), kept = 0;
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    if (!all && (axis < 0 || PyArray_DIM(x->data, axis) != 1)) return NULL;
    for (int i = 0; i < ndim; i++) {
        if (all ? PyArray_DIM(x->data, i) == 1 : i == axis) continue;
        shape[kept] = PyArray_DIM(x->data, i);
        strides[kept++] = PyArray_STRIDE(x->data, i);
    }
    return view_of(x, kept, shape, strides, PyArray_BYTES(x->data));
}

static PyObject *quick_flip(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *given;
    Array *x = array_and_axis(arguments, &given);
    if (x == NULL || PyArray_SIZE(x->data) == 0 || PyArray_NDIM(x->data) == 0)
        return NULL; /* without axes it is a copy, no view */
    bool all = given == NULL || given == Py_None;
    int ndim = PyArray_NDIM(x->data), axis = all ? -1 : read_axis(given, ndim);
    npy_intp strides[NPY_MAXDIMS];
    char *start = PyArray_BYTES(x->data);
    if (!all && axis < 0) return NULL;
    for (int i = 0; i < ndim; i++) {
        bool turned = all || i == axis;
        strides[i] = turned ? -PyArray_STRIDE(x->data, i) : PyArray_STRIDE(x->data, i);
        if (turned) start += (PyArray_DIM(x->data, i) - 1) * PyArray_STRIDE(x->data, i);
    }
    return view_of(x, ndim, PyArray_DIMS(x->data), strides, start);
}

/* A read-only view: several of its elements may be one. */
static PyObject *quick_broadcast_to(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    Array *x = plain_array(arguments, 2, 2);
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    int ndim = x == NULL ? -1 : read_shape(arguments->values[1], 0, shape);
    if (ndim < 0 || ndim < PyArray_NDIM(x->data)) return NULL;
    int new_axes = ndim - PyArray_NDIM(x->data);
    for (int i = 0; i < ndim; i++) {
        npy_intp length = i < new_axes ? 1 : PyArray_DIM(x->data, i - new_axes);
        if (length != shape[i] && length != 1) return NULL;
        strides[i] = length == shape[i] && i >= new_axes ? PyArray_STRIDE(x->data, i - new_axes) : 0;
    }
    PyArrayObject *view = new_view(x->data, ndim, shape, strides, PyArray_BYTES(x->data));
    if (view != NULL) PyArray_CLEARFLAGS(view, NPY_ARRAY_WRITEABLE);
    return wrap(view, x->node);
}

const NamedPath shape_paths[] = {
    {"reshape", quick_reshape, false},           {"reshape_method", quick_reshape_method, false},
    {"permute_dims", quick_permute_dims, false}, {"expand_dims", quick_expand_dims, false},
    {"squeeze", quick_squeeze, false},           {"flip", quick_flip, false},
    {"broadcast_to", quick_broadcast_to, false}, {NULL, NULL, false},
};
