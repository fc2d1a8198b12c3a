/* Fast paths of asarray, array, astype, take, item, real and imag. */
#include "args.h"
#include "cast.h"
#include "hooks.h"
#include "loops/loops.h"
#include "parts.h"
#include "paths.h"
#include "run.h"
#include "scalars.h"
#include "threads.h"

/* -- asarray and array -- */

/* Make a 0-d array of a Python scalar; NULL without an exception where it does not fit the node, or the default one if
 * that is NULL. */
static PyObject *from_scalar(const State *state, PyObject *x, Scalar kind, const Node *node) {
    if (node == NULL) node = state->scalars[kind];
    _Alignas(16) char place[16];
    if (node == NULL || !holds(node, kind)) return NULL;
    if (store_scalar(node->type, x, kind, place) != 1) return NULL;
    PyArrayObject *out = new_data(node, 0, NULL, false);
    if (out != NULL) memcpy(PyArray_BYTES(out), place, type_size[node->type]);
    return wrap(out, node);
}

/* Return the items of a list or tuple (borrowed), or NULL. */
static PyObject *const *items_of(PyObject *x, Py_ssize_t *count) {
#ifndef Py_GIL_DISABLED /* another thread could change a list meanwhile */
    if (PyList_CheckExact(x)) {
        *count = PyList_GET_SIZE(x);
        return ((PyListObject *)x)->ob_item;
    }
#endif
    if (PyTuple_CheckExact(x)) {
        *count = PyTuple_GET_SIZE(x);
        return &PyTuple_GET_ITEM(x, 0);
    }
    return NULL;
}

enum { DEPTH = 8 }; /* of nested lists that are quick */

/* Find the shape of nested lists by their first items, and the kind of their first leaf: the number of axes, or -1. */
static int shape_of_list(PyObject *x, npy_intp *shape, Scalar *kind) {
    int ndim = 0;
    Py_ssize_t count;
    for (PyObject *const *items; (items = items_of(x, &count)) != NULL; x = items[0]) {
        if (ndim == DEPTH || count == 0) return -1;
        shape[ndim++] = count;
    }
    *kind = scalar_kind(x);
    return *kind == S_NONE ? -1 : ndim;
}

/* Write the leaves of nested lists, all of one kind; false where they are not as `shape` says or do not fit. Runs no
 * Python. */
static bool write_leaves(PyObject *x, int axis, int ndim, const npy_intp *shape, const Node *node, Scalar kind,
                         char **place) {
    Py_ssize_t count;
    PyObject *const *items = items_of(x, &count);
    if (items == NULL || count != shape[axis]) return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (axis < ndim - 1) {
            if (!write_leaves(items[i], axis + 1, ndim, shape, node, kind, place)) return false;
            continue;
        }
        if (scalar_kind(items[i]) != kind || store_scalar(node->type, items[i], kind, *place) != 1) return false;
        *place += type_size[node->type];
    }
    return true;
}

static PyObject *from_list(const State *state, PyObject *x, const Node *node) {
    npy_intp shape[DEPTH];
    Scalar kind;
    int ndim = shape_of_list(x, shape, &kind);
    if (ndim < 1) return NULL;
    if (node == NULL) node = state->defaults[kind];
    if (node == NULL || !holds(node, kind)) return NULL;
    npy_intp size = 1;
    for (int i = 0; i < ndim; i++)
        size = size_product(size, shape[i]); /* lengths of first items may say more than there is */
    if (ndim > 1 && size > 1 << 20) return NULL;
    PyArrayObject *out = new_data(node, ndim, shape, false);
    if (out == NULL) return NULL;
    char *place = PyArray_BYTES(out);
    if (write_leaves(x, 0, ndim, shape, node, kind, &place)) return wrap(out, node);
    Py_DECREF(out);
    return NULL;
}

/* A list or tuple of 0-d Arrays of one strong node. */
static PyObject *from_elements(const State *state, PyObject *x) {
    Py_ssize_t count;
    PyObject *const *items = items_of(x, &count);
    if (items == NULL || count == 0 || !IS_ARRAY(items[0])) return NULL;
    const Node *node = ((Array *)items[0])->node;
    if (node->weak || !keeps(state, node, S_NONE)) return NULL;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!IS_ARRAY(items[i]) || ((Array *)items[i])->node != node || PyArray_NDIM(((Array *)items[i])->data) != 0 ||
            !is_of(((Array *)items[i])->data, node))
            return NULL;
    npy_intp shape[] = {count};
    PyArrayObject *out = new_data(node, 1, shape, false);
    npy_intp itemsize = out == NULL ? 0 : PyArray_ITEMSIZE(out);
    for (Py_ssize_t i = 0; out != NULL && i < count; i++)
        memcpy(PyArray_BYTES(out) + i * itemsize, PyArray_BYTES(((Array *)items[i])->data), itemsize);
    return wrap(out, node);
}

/* Whether the bytes of truth values, along one axis and those after it, are 0 or 1. */
static bool are_truths(const char *place, int ndim, const npy_intp *shape, const npy_intp *strides) {
    if (ndim == 0) return (*place & ~1) == 0;
    char seen = 0;
    if (ndim == 1) {
        if (strides[0] == 1)
            for (npy_intp i = 0; i < shape[0]; i++) seen |= place[i];
        else
            for (npy_intp i = 0; i < shape[0]; i++) seen |= place[i * strides[0]];
        return (seen & ~1) == 0;
    }
    for (npy_intp i = 0; i < shape[0]; i++)
        if (!are_truths(place + i * strides[0], ndim - 1, shape + 1, strides + 1)) return false;
    return true;
}

/* Whether the elements have the bytes that all loops take for their values: see `canonical` in
 * _kernels/bit_patterns.py. */
static bool is_canonical(PyArrayObject *data) {
    if (PyArray_TYPE(data) != NPY_BOOL) return true;
    npy_intp size = PyArray_SIZE(data), step = 1;
    if (PyArray_IS_C_CONTIGUOUS(data) || PyArray_IS_F_CONTIGUOUS(data))
        return are_truths(PyArray_BYTES(data), 1, &size, &step);
    return are_truths(PyArray_BYTES(data), PyArray_NDIM(data), PyArray_DIMS(data), PyArray_STRIDES(data));
}

/* Return the node of an ndarray that can stay what it is, or NULL. */
static const Node *node_as_it_is(const State *state, PyArrayObject *data) {
    const Node *node = node_of_dtype(PyArray_DESCR(data));
    if (node == NULL || node->dtype != PyArray_DESCR(data) || !is_canonical(data)) return NULL;
    return allows(state, node) ? node : NULL;
}

PyObject *plain_operand(PyObject *x) {
    State *state = current_state();
    if (state == NULL) return NULL;
    Scalar kind = scalar_kind(x);
    if (kind != S_NONE) return from_scalar(state, x, kind, NULL);
    const Node *node = PyArray_CheckExact(x) ? node_as_it_is(state, (PyArrayObject *)x) : NULL;
    return node == NULL ? NULL : wrap((PyArrayObject *)Py_NewRef(x), node);
}

/* Convert elements where C's conversion is NumPy's, and floats to integers, which saturate; a truth value is whether an
 * element is not zero. */
static PyObject *cast_data(PyArrayObject *data, const Node *from, const Node *to) {
    Conversion how;
    if (!PyArray_ISALIGNED(data) || !find_conversion(from->type, to->type, &how)) return NULL;
    bool fortran = !PyArray_IS_C_CONTIGUOUS(data);
    if (fortran && !PyArray_IS_F_CONTIGUOUS(data)) return NULL;
    PyArrayObject *out = new_data(to, PyArray_NDIM(data), PyArray_DIMS(data), fortran);
    if (out == NULL) return NULL;
    npy_intp count = PyArray_SIZE(out);
    const char *elements = PyArray_BYTES(data);
    char *results = PyArray_BYTES(out);
    Py_INCREF(data);
    UNLOCKED_DO(count, share_conversion(&how, elements, results, count));
    Py_DECREF(data);
    return wrap(out, to);
}

/* Make an Array of a buffer, which is copied or not. */
static PyObject *wrap_data(PyArrayObject *data, const Node *node, bool copy) {
    Py_INCREF(data);
    if (!copy) return wrap(data, node);
    PyArrayObject *copied = (PyArrayObject *)PyArray_NewCopy(data, NPY_CORDER); /* may run Python */
    Py_DECREF(data);
    return wrap_checked(copied, node);
}

/* Return an Array of Python numbers, or NULL where one is infinite in the default dtype: the Python function warns of
 * those that were not. Takes over `made`. */
static PyObject *if_finite(PyObject *made) {
    if (made == NULL || ((Array *)made)->node->type != E_FLOAT32) return made;
    PyArrayObject *data = ((Array *)made)->data;
    const float *values = PyArray_DATA(data);
    npy_intp i = 0, size = PyArray_SIZE(data);
    while (i < size && !isinf(values[i])) i++;
    if (i < size) Py_CLEAR(made);
    return made;
}

static PyObject *converted(const Arguments *arguments, bool copy) {
    PyObject *found[2], *const parameters[] = {NULL, names.dtype};
    if (arguments->count < 1 || !arguments_by_name(arguments, parameters, 2, 2, found)) return NULL;
    State *state = current_state();
    if (state == NULL) return NULL;
    PyObject *x = found[0];
    const Node *wanted = NULL;
    if (found[1] != NULL && found[1] != Py_None && (wanted = node_of_argument(state, found[1])) == NULL) return NULL;
    const Node *node;
    PyArrayObject *data;
    if (PyArray_CheckExact(x)) {
        data = (PyArrayObject *)x;
        node = node_as_it_is(state, data);
    } else if (IS_ARRAY(x)) {
        data = ((Array *)x)->data;
        node = ((Array *)x)->node;
        if (!copy && (wanted == NULL || wanted == node)) return Py_NewRef(x);
    } else {
        Scalar kind = scalar_kind(x);
        PyObject *result = kind != S_NONE ? from_scalar(state, x, kind, wanted) : from_list(state, x, wanted);
        if (wanted == NULL) result = if_finite(result);
        return result != NULL || kind != S_NONE || wanted != NULL || PyErr_Occurred() ? result
                                                                                      : from_elements(state, x);
    }
    if (node == NULL || !is_of(data, node)) return NULL;
    if (wanted == NULL) wanted = node;
    return wanted->type == node->type ? wrap_data(data, wanted, copy) : cast_data(data, node, wanted);
}

FAST_PATH(asarray, converted(arguments, false))
FAST_PATH(array, converted(arguments, true))

/* -- astype -- */

/* Convert to another dtype, or copy; of the function the dtype comes by position, and the copy by its name. */
static PyObject *cast_or_copy(const Arguments *arguments, bool method) {
    PyObject *found[3], *const parameters[] = {NULL, method ? names.dtype : NULL, names.copy};
    if (!arguments_by_name(arguments, parameters, method ? 3 : 2, 3, found)) return NULL;
    PyObject *x = found[0], *copy = found[2];
    if (x == NULL || found[1] == NULL || !IS_ARRAY(x) || (copy != NULL && copy != Py_None && !PyBool_Check(copy)))
        return NULL;
    State *state = current_state();
    if (state == NULL) return NULL;
    const Node *from = ((Array *)x)->node, *to = node_of_argument(state, found[1]);
    PyArrayObject *data = ((Array *)x)->data;
    if (to == NULL || !is_of(data, from)) return NULL;
    if (to->type != from->type) return cast_data(data, from, to);
    /* By default the function copies, and the method where arrays can be written to. */
    bool copies = copy == NULL || copy == Py_None ? (method ? state->mutable : copy == NULL) : copy == Py_True;
    return to == from && !copies ? Py_NewRef(x) : wrap_data(data, to, copies);
}

FAST_PATH(astype, cast_or_copy(arguments, false))
FAST_PATH(astype_method, cast_or_copy(arguments, true))

/* -- take -- */

/* Indices in range; what is out of range, or counts beyond an index's width, is the Python function's to judge. */
static PyObject *quick_take(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[3], *const parameters[] = {names.a, NULL, names.axis};
    if (arguments->count < 2 || !arguments_by_name(arguments, parameters, 3, 3, found) || !IS_ARRAY(found[0]))
        return NULL;
    const Array *x = (Array *)found[0];
    npy_intp axis = NPY_RAVEL_AXIS, index;
    if (found[2] != NULL && found[2] != Py_None) {
        if (!read_length(found[2], &axis)) return NULL;
        if (axis < 0) axis += PyArray_NDIM(x->data);
        if (axis < 0 || axis >= PyArray_NDIM(x->data)) return NULL;
    }
    PyObject *taken = NULL, *indices = NULL;
    if (read_length(found[1], &index)) {
        indices = PyArray_SimpleNew(0, NULL, NPY_INTP);
        if (indices == NULL) return NULL;
        *(npy_intp *)PyArray_DATA((PyArrayObject *)indices) = index;
    } else if (IS_ARRAY(found[1]) && sizeof(npy_intp) == 8) {
        Type type = ((Array *)found[1])->node->type;
        if (type >= E_INT8 && type <= E_INT64) indices = (PyObject *)operand_of(found[1]).data;
    }
    if (indices == NULL) return NULL;
    Operand held = operand_of(found[0]);
    taken = PyArray_TakeFrom(held.data, indices, (int)axis, NULL, NPY_RAISE);
    Py_DECREF(indices);
    Py_DECREF(held.data);
    if (taken == NULL) drop_error(); /* the Python function says what was wrong */
    if (taken != NULL && !PyArray_CheckExact(taken)) Py_CLEAR(taken);
    return wrap_checked((PyArrayObject *)taken, held.node);
}

/* -- item -- */

static PyObject *quick_item(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    if (arguments->names != NULL || arguments->count < 1 || arguments->count > 2 || !IS_ARRAY(arguments->values[0]))
        return NULL;
    const Array *x = (Array *)arguments->values[0];
    if (!is_native(x->node->type) || !aligned_native(x)) return NULL;
    if (arguments->count == 1)
        return PyArray_SIZE(x->data) == 1 ? scalar_from(x->node->type, PyArray_BYTES(x->data)) : NULL;
    npy_intp index;
    if (PyArray_NDIM(x->data) != 1 || !read_length(arguments->values[1], &index)) return NULL;
    if (index < 0) index += PyArray_DIM(x->data, 0);
    if (index < 0 || index >= PyArray_DIM(x->data, 0)) return NULL;
    return scalar_from(x->node->type, PyArray_BYTES(x->data) + index * PyArray_STRIDE(x->data, 0));
}

/* -- real and imag -- */

#define PART(type) \
    for (npy_intp i = 0; i < count; i++) ((type *)to)[i] = ((const type *)from)[2 * i + part]
/* Copy a part of complex numbers: the first or the second of each two floats; the real part of floats is a copy. */
static PyObject *quick_part(const Arguments *arguments, int part) {
    const State *state = current_state();
    if (state == NULL || arguments->names != NULL || arguments->count != 1) return NULL;
    if (!IS_ARRAY(arguments->values[0])) return NULL;
    const Array *x = (Array *)arguments->values[0];
    Type type = x->node->type;
    if (!state->remember || x->node->weak || !aligned_native(x) || !PyArray_IS_C_CONTIGUOUS(x->data)) return NULL;
    bool real = part == 0 && type == E_FLOAT32;
    if (!real && type != E_COMPLEX64 && (type != E_COMPLEX128 || state->x64_off)) return NULL;
    const Node *node = real ? x->node : node_of_type(type == E_COMPLEX64 ? E_FLOAT32 : E_FLOAT64);
    if (node == NULL) return NULL;
    Operand held = operand_of(arguments->values[0]);
    PyArrayObject *out = new_data(node, PyArray_NDIM(held.data), PyArray_DIMS(held.data), false);
    if (out != NULL) {
        npy_intp count = PyArray_SIZE(out);
        const void *from = PyArray_DATA(held.data);
        void *to = PyArray_DATA(out);
        if (real) UNLOCKED_DO(count, memcpy(to, from, (size_t)count * sizeof(float)));
        else if (type == E_COMPLEX64) UNLOCKED_DO(count, PART(float));
        else UNLOCKED_DO(count, PART(double));
    }
    Py_DECREF(held.data);
    return wrap(out, node);
}

FAST_PATH(real, quick_part(arguments, 0))
FAST_PATH(imag, quick_part(arguments, 1))

const NamedPath conversion_paths[] = {
    {"asarray", quick_asarray, false},
    {"array", quick_array, false},
    {"astype", quick_astype, false},
    {"astype_method", quick_astype_method, false},
    {"take", quick_take, false},
    {"item", quick_item, false},
    {"real", quick_real, false},
    {"imag", quick_imag, false},
    {NULL, NULL, false},
};

/* -- functions of the module -- */

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
        UNLOCKED_DO(size, share_conversion(&how, from, to, size));
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
    {"cast", FASTCALL(cast_function),
     PyDoc_STR("cast(data, dtype)\n--\n\nReturn a new ndarray of a dtype, in C order or that of the columns.")},
    {"casts", FASTCALL(casts_function),
     PyDoc_STR("casts(dtype, other)\n--\n\nReturn whether `cast` has a conversion from one dtype to another.")},
    {NULL, NULL, 0, NULL},
};
