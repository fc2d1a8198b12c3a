/* Fast paths of sort and argsort of short rows, and of argmax and argmin of narrow floats, which are all of the last
 * axis of a contiguous buffer.
 *
 * NumPy's own calls take longer to begin than a few elements take to sort. Elements are ordered by 64-bit integers,
 * their keys: NaN last, and zeros of both signs equal. Elements with equal keys keep their order and all their bits.
 */
#include "loops/loops.h"

enum { FEW = 32 }; /* elements of a row up to which insertion is fast */

/* -- arguments -- */

/* Rows of elements of one type: a whole buffer, or its last axis. Until the loop nothing runs Python. */
typedef struct {
    const Array *x; /* borrowed */
    Type type;
    bool flat;
    npy_intp size, count, length;
    const Node *integer; /* the default one */
} Rows;

/* Read (a, axis): the axis is the last one, or None for the flattened buffer; false where they are not plain. */
static bool read_rows(const Arguments *arguments, PyObject *axis, Rows *rows) {
    PyObject *found[2], *const parameters[] = {names.a, names.axis};
    const State *state = current_state();
    if (state == NULL || !state->remember || !arguments_by_name(arguments, parameters, 2, 2, found)) return false;
    if (found[0] == NULL || !IS_ARRAY(found[0])) return false;
    const Array *x = (Array *)found[0];
    int ndim = PyArray_NDIM(x->data);
    npy_intp place = -1;
    if (x->node->weak || !behaved(x) || !PyArray_IS_C_CONTIGUOUS(x->data)) return false;
    if (found[1] != NULL) axis = found[1];
    rows->flat = axis == Py_None;
    if (!rows->flat && axis != NULL && (!read_length(axis, &place) || (place != -1 && place != ndim - 1))) return false;
    if ((ndim == 0 && !rows->flat) || PyArray_SIZE(x->data) == 0) return false;
    rows->x = x;
    rows->integer = state->defaults[S_INT];
    rows->type = x->node->type;
    rows->size = PyArray_ITEMSIZE(x->data);
    rows->length = rows->flat ? PyArray_SIZE(x->data) : PyArray_DIM(x->data, ndim - 1);
    rows->count = PyArray_SIZE(x->data) / rows->length;
    return true;
}

/* Return the node of indices, int32 or int64; NULL without an exception where there is none. */
static const Node *index_node(const Rows *rows) {
    const Node *node = rows->integer;
    if (node == NULL || node->weak || rows->length > INT32_MAX) return NULL;
    return node->type == E_INT32 || node->type == E_INT64 ? node : NULL;
}

static void write_index(Type type, char *to, npy_intp place, npy_intp index) {
    if (type == E_INT32) ((int32_t *)to)[place] = (int32_t)index;
    else ((int64_t *)to)[place] = index;
}

/* Make the result of some rows: without the last axis, or as many elements in each. */
static PyArrayObject *new_result(const Rows *rows, const Node *node, bool keeps) {
    npy_intp length = rows->length;
    if (rows->flat) return new_data(node, keeps, &length, false);
    return new_data(node, PyArray_NDIM(rows->x->data) - !keeps, PyArray_DIMS(rows->x->data), false);
}

/* -- sorting -- */

/* Write the keys of a short row; false where the order of a type is not known. */
static bool write_keys(Type type, const char *from, npy_intp count, int64_t *keys) {
    switch (type) {
#define INTEGERS(TYPE, type, flip) \
    case TYPE: \
        for (npy_intp i = 0; i < count; i++) keys[i] = (int64_t)((const type *)from)[i] ^ flip; \
        return true;
        INTEGERS(E_BOOL, uint8_t, 0)
        INTEGERS(E_INT8, int8_t, 0)
        INTEGERS(E_INT16, int16_t, 0)
        INTEGERS(E_INT32, int32_t, 0)
        INTEGERS(E_INT64, int64_t, 0)
        INTEGERS(E_UINT8, uint8_t, 0)
        INTEGERS(E_UINT16, uint16_t, 0)
        INTEGERS(E_UINT32, uint32_t, 0)
        INTEGERS(E_UINT64, uint64_t, INT64_MIN)
#define FLOATS(TYPE, type, integer, \
               least) /* the bits of a negative number, which has the sign, in the order of numbers */ \
    case TYPE: \
        for (npy_intp i = 0; i < count; i++) { \
            type x = ((const type *)from)[i]; \
            integer bits; \
            memcpy(&bits, &x, sizeof bits); \
            keys[i] = x != x ? INT64_MAX : bits >= 0 ? bits : (int64_t)least - bits; \
        } \
        return true;
        FLOATS(E_FLOAT32, float, int32_t, INT32_MIN)
        FLOATS(E_FLOAT64, double, int64_t, INT64_MIN)
    default: return narrow_keys(type, from, count, keys);
    }
}

/* Write the stable order of keys, which are sorted too. */
static void insert_keys(int64_t *keys, uint8_t *order, npy_intp count) {
    for (npy_intp i = 0; i < count; i++) {
        int64_t key = keys[i];
        npy_intp place = i;
        for (; place > 0 && keys[place - 1] > key; place--) {
            keys[place] = keys[place - 1];
            order[place] = order[place - 1];
        }
        keys[place] = key;
        order[place] = (uint8_t)i;
    }
}

/* Copy the elements of a row in an order. */
static void copy_elements(npy_intp size, const char *from, char *to, const uint8_t *order, npy_intp count) {
    switch (size) {
#define COPY(bytes, type) \
    case bytes: \
        for (npy_intp i = 0; i < count; i++) ((type *)to)[i] = ((const type *)from)[order[i]]; \
        return;
        COPY(1, uint8_t)
        COPY(2, uint16_t)
        COPY(4, uint32_t)
        COPY(8, uint64_t)
    }
}

static PyObject *sort_rows(const Arguments *arguments, bool indices) {
    Rows rows;
    int64_t keys[FEW];
    uint8_t order[FEW];
    if (!read_rows(arguments, NULL, &rows) || rows.length > FEW || rows.type == E_COMPLEX64 ||
        rows.type == E_COMPLEX128)
        return NULL;
    const Node *node = indices ? index_node(&rows) : rows.x->node;
    const char *from = PyArray_BYTES(rows.x->data);
    if (node == NULL || !write_keys(rows.type, from, 1, keys)) return NULL;
    PyArrayObject *out = new_result(&rows, node, true);
    if (out == NULL) return NULL;
    Operand x = operand_of((PyObject *)rows.x);
    char *to = PyArray_BYTES(out);
    npy_intp step = rows.length * rows.size, out_step = rows.length * PyArray_ITEMSIZE(out);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(PyArray_SIZE(out));
    for (npy_intp row = 0; row < rows.count; row++, from += step, to += out_step) {
        write_keys(rows.type, from, rows.length, keys);
        insert_keys(keys, order, rows.length);
        if (indices)
            for (npy_intp i = 0; i < rows.length; i++) write_index(node->type, to, i, order[i]);
        else copy_elements(rows.size, from, to, order, rows.length);
    }
    NPY_END_THREADS;
    Py_DECREF(x.data);
    return wrap(out, node);
}

static PyObject *quick_sort(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    return sort_rows(arguments, false);
}
static PyObject *quick_argsort(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    return sort_rows(arguments, true);
}

/* -- the place of an extreme -- */

static PyObject *place_of_rows(const Arguments *arguments, bool greatest) {
    Rows rows;
    if (!read_rows(arguments, Py_None, &rows) || is_native(rows.type)) return NULL;
    const Node *node = index_node(&rows);
    const char *from = PyArray_BYTES(rows.x->data);
    if (node == NULL || place_of_extreme(rows.type, from, 1, greatest) < 0) return NULL;
    PyArrayObject *out = new_result(&rows, node, false);
    if (out == NULL) return NULL;
    Operand x = operand_of((PyObject *)rows.x);
    char *to = PyArray_BYTES(out);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(rows.count * rows.length);
    for (npy_intp row = 0; row < rows.count; row++, from += rows.length * rows.size)
        write_index(node->type, to, row, place_of_extreme(rows.type, from, rows.length, greatest));
    NPY_END_THREADS;
    Py_DECREF(x.data);
    return wrap(out, node);
}

static PyObject *quick_argmax(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    return place_of_rows(arguments, true);
}
static PyObject *quick_argmin(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    return place_of_rows(arguments, false);
}

const Way ordering_ways[] = {
    {"sort", quick_sort}, {"argsort", quick_argsort}, {"argmax", quick_argmax}, {"argmin", quick_argmin}, {NULL, NULL},
};
