/* Fast paths of zeros, ones, empty, full and arange. */
#include "args.h"
#include "cast.h"
#include "paths.h"
#include "run.h"
#include "scalars.h"

void fill_elements(char *place, const char *element, Py_ssize_t itemsize, npy_intp count) {
    npy_intp total = itemsize * count, filled = itemsize;
    if (count == 0) return;
    memcpy(place, element, itemsize);
    while (filled < total) { /* what is there is copied behind itself */
        npy_intp more = filled < total - filled ? filled : total - filled;
        memcpy(place + filled, place, more);
        filled += more;
    }
}

/* Read a shape and a dtype; the node without a dtype is the state's default of a kind. NULL without an exception where
 * they are not plain. */
static const Node *shape_and_dtype(PyObject *shape, PyObject *dtype, Scalar kind, npy_intp *lengths, int *ndim) {
    State *state = current_state();
    if (state == NULL || shape == NULL) return NULL;
    *ndim = read_shape(shape, 0, lengths);
    if (*ndim < 0) return NULL;
    const Node *node = dtype == NULL || dtype == Py_None ? state->defaults[kind] : node_of_argument(state, dtype);
    if (node == NULL || !is_native(node->type)) return NULL;
    /* Of a size that does not fit, the Python function says so. */
    return bytes_of_shape(*ndim, lengths, type_size[node->type]) == TOO_LARGE ? NULL : node;
}

/* What NumPy cannot make, such as an array larger than memory, the Python function words. */
static PyObject *made(PyArrayObject *data, const Node *node) {
    if (data == NULL && PyErr_ExceptionMatches(PyExc_MemoryError)) PyErr_Clear();
    return wrap(data, node);
}

static PyObject *filled(const Arguments *arguments, bool ones) {
    PyObject *found[2], *const parameters[] = {names.shape, names.dtype};
    npy_intp lengths[NPY_MAXDIMS];
    int ndim;
    if (!arguments_by_name(arguments, parameters, 2, 2, found)) return NULL;
    const Node *node = shape_and_dtype(found[0], found[1], S_FLOAT, lengths, &ndim);
    if (node == NULL) return NULL;
    if (!ones) return made(new_zeros(node, ndim, lengths), node);
    PyArrayObject *out = new_data(node, ndim, lengths, false);
    _Alignas(16) char one[16];
    if (out != NULL) {
        cast_between(node->type == E_BOOL ? E_UINT8 : E_BOOL, node->type == E_BOOL ? E_UINT8 : node->type)("\1", one,
                                                                                                           1);
        fill_elements(PyArray_BYTES(out), one, type_size[node->type], PyArray_SIZE(out));
    }
    return made(out, node);
}

FAST_PATH(zeros, filled(arguments, false))
FAST_PATH(ones, filled(arguments, true))

/* A Python scalar; without a dtype the array is weak, as the scalar is. */
static PyObject *quick_full(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[3], *const parameters[] = {names.shape, names.fill_value, names.dtype};
    npy_intp lengths[NPY_MAXDIMS];
    int ndim;
    if (!arguments_by_name(arguments, parameters, 3, 3, found) || found[1] == NULL) return NULL;
    PyObject *value = found[1], *dtype = found[2] == NULL ? Py_None : found[2];
    Scalar kind = scalar_kind(value);
    if (kind == S_NONE) return NULL;
    const Node *node = shape_and_dtype(found[0], dtype, kind, lengths, &ndim);
    if (node == NULL) return NULL;
    _Alignas(16) char element[16];
    if (!holds(node, kind)) return NULL;
    int stored = store_scalar(node->type, value, kind, element);
    if (stored != 1) return NULL;
    if (dtype == Py_None) {
        State *state = current_state();
        if (state == NULL || state->scalars[kind]->type != node->type) return NULL;
        node = state->scalars[kind];
    }
    PyArrayObject *out = new_data(node, ndim, lengths, false);
    if (out != NULL) fill_elements(PyArray_BYTES(out), element, type_size[node->type], PyArray_SIZE(out));
    return made(out, node);
}

/* Integers below this are exact in every dtype of at least 32 bits. */
enum { SMALL = 1 << 24 };

static PyObject *quick_arange(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    npy_intp stop, lengths[NPY_MAXDIMS];
    int ndim;
    PyObject *found[4], *const parameters[] = {NULL, NULL, NULL, names.dtype};
    if (arguments->count != 1 || !arguments_by_name(arguments, parameters, 1, 4, found)) return NULL;
    if (!read_length(found[0], &stop) || stop < 0 || stop >= SMALL) return NULL;
    const Node *node = shape_and_dtype(found[0], found[3], S_INT, lengths, &ndim);
    if (node == NULL || type_size[node->type] < 4) return NULL;
    PyArrayObject *out = new_data(node, 1, &stop, false);
    if (out == NULL) return made(out, node);
    int32_t block[256];
    char *place = PyArray_BYTES(out);
    Cast *cast = cast_between(E_INT32, node->type);
    for (npy_intp done = 0; done < stop; done += 256) {
        npy_intp now = stop - done < 256 ? stop - done : 256;
        int32_t *to = node->type == E_INT32 ? (int32_t *)place + done : block;
        for (npy_intp i = 0; i < now; i++) to[i] = (int32_t)(done + i);
        if (to == block) cast((const char *)block, place + done * type_size[node->type], now);
    }
    return wrap(out, node);
}

const NamedPath creation_paths[] = {
    {"zeros", quick_zeros, false}, {"empty", quick_zeros, false},   {"ones", quick_ones, false},
    {"full", quick_full, false},   {"arange", quick_arange, false}, {NULL, NULL, false},
};
