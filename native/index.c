/* Subscripts: reading and writing by ints, slices, None, Ellipsis, tuples of those and 0-d integer Arrays, as views.
 *
 * Index arrays and masks are read in gather.c, or by NumPy. Everything else, and every error, goes to the hooks
 * `getitem` and `setitem`.
 */
#include "args.h"
#include "hooks.h"
#include "paths.h"
#include "run.h"
#include "scalars.h"

/* -- keys that make views -- */

/* A view as it grows while a key is read. */
typedef struct {
    int ndim;
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    char *start;
    bool element;
} View;

/* Read an index: 1, or 0 where `part` is none that is plain. A bool is a mask, not an index. */
static int read_index(PyObject *part, npy_intp *index) {
    if (PyLong_CheckExact(part)) {
        int overflow;
        long long value = PyLong_AsLongLongAndOverflow(part, &overflow);
        if (overflow || (npy_intp)value != value) return 0;
        *index = (npy_intp)value;
        return 1;
    }
    if (!IS_ARRAY(part)) return 0;
    Array *x = (Array *)part;
    if (PyArray_NDIM(x->data) != 0 || !aligned_native(x)) return 0;
    const char *place = PyArray_BYTES(x->data);
    switch (x->node->type) {
    case E_INT8: *index = *(const int8_t *)place; return 1;
    case E_INT16: *index = *(const int16_t *)place; return 1;
    case E_INT32: *index = *(const int32_t *)place; return 1;
    case E_INT64: *index = (npy_intp) * (const int64_t *)place; return *(const int64_t *)place == *index;
    case E_UINT8: *index = *(const uint8_t *)place; return 1;
    case E_UINT16: *index = *(const uint16_t *)place; return 1;
    default: return 0;
    }
}

/* Read a bound or the step of a slice, clipped to what fits: 1, 0 where it is no exact int, or -1 where it is None. */
static inline int read_bound(PyObject *bound, npy_intp *value) {
    if (bound == Py_None) return -1;
    if (!PyLong_CheckExact(bound)) return 0;
    int overflow;
    long long found = PyLong_AsLongLongAndOverflow(bound, &overflow);
    if (found > NPY_MAX_INTP || overflow > 0) found = NPY_MAX_INTP;
    if (found < -NPY_MAX_INTP || overflow < 0) found = -NPY_MAX_INTP; /* so that it can be negated */
    *value = (npy_intp)found;
    return 1;
}

/* Move a bound that counts from either end into an axis; in downward slices, -1 is before the first element. */
static inline npy_intp clipped(npy_intp bound, npy_intp length, bool down) {
    if (bound < 0) {
        bound += length;
        return bound < 0 ? -(npy_intp)down : bound;
    }
    return bound >= length ? length - down : bound;
}

/* Read a slice of exact ints and None by Python's rules: 1, or 0 where it is not plain or its step is 0. */
static inline int read_slice(PyObject *part, npy_intp length, npy_intp *start, npy_intp *step, npy_intp *count) {
    PySliceObject *slice = (PySliceObject *)part;
    npy_intp stop = 0;
    int has_start = read_bound(slice->start, start), has_stop = read_bound(slice->stop, &stop),
        has_step = read_bound(slice->step, step);
    if (!has_start || !has_stop || !has_step) return 0;
    if (has_step < 0) *step = 1;
    if (*step == 0) return 0;
    bool down = *step < 0;
    *start = has_start > 0 ? clipped(*start, length, down) : down ? length - 1 : 0;
    stop = has_stop > 0 ? clipped(stop, length, down) : down ? -1 : length;
    npy_intp distance = down ? *start - stop : stop - *start, stride = down ? -*step : *step;
    if (distance <= 0) *count = 0;
    else *count = stride == 1 ? distance : (distance - 1) / stride + 1; /* divisions are slow */
    return 1;
}

/* Apply one part of a key to the axis of `data` that comes next: 1, or 0 where it is not plain. */
static inline int apply_part(PyArrayObject *data, PyObject *part, View *view, int *axis) {
    npy_intp index;
    if (part == Py_None) {
        if (view->ndim == NPY_MAXDIMS) return 0;
        view->shape[view->ndim] = 1;
        view->strides[view->ndim++] = 0;
        return 1;
    }
    if (*axis == PyArray_NDIM(data)) return 0;
    npy_intp length = PyArray_DIM(data, *axis), stride = PyArray_STRIDE(data, *axis);
    if (PySlice_Check(part)) {
        npy_intp start = 0, step = 1, count = length;
        PySliceObject *slice = (PySliceObject *)part;
        bool whole = slice->start == Py_None && slice->stop == Py_None && slice->step == Py_None;
        if (view->ndim == NPY_MAXDIMS || (!whole && !read_slice(part, length, &start, &step, &count))) return 0;
        if (count > 0) view->start += start * stride;
        view->shape[view->ndim] = count;
        view->strides[view->ndim++] =
            (npy_intp)((size_t)stride *
                       (size_t)step); /* of a step beyond the axis it may overflow: it is never taken */
    } else {
        if (!read_index(part, &index)) return 0;
        if (index < 0) index += length;
        if (index < 0 || index >= length) return 0;
        view->start += index * stride;
    }
    ++*axis;
    return 1;
}

/* Take an axis of `data` as it is: 1, or 0 where there would be too many. */
static inline int keep_axis(PyArrayObject *data, View *view, int axis) {
    if (view->ndim == NPY_MAXDIMS) return 0;
    view->shape[view->ndim] = PyArray_DIM(data, axis);
    view->strides[view->ndim++] = PyArray_STRIDE(data, axis);
    return 1;
}

/* Read a key into a view of `data`: 1, or 0 where it is not plain or out of range. */
static int read_key(PyArrayObject *data, PyObject *key, View *view) {
    int ndim = PyArray_NDIM(data), axis = 0;
    view->ndim = 0;
    view->start = PyArray_BYTES(data);
    view->element = false;
    bool several = PyTuple_CheckExact(key), seen_ellipsis = false;
    PyObject *const *parts = several ? &PyTuple_GET_ITEM(key, 0) : &key;
    PyObject *const *end = parts + (several ? PyTuple_GET_SIZE(key) : 1);
    for (; parts < end; parts++) {
        if (*parts != Py_Ellipsis) {
            if (!apply_part(data, *parts, view, &axis)) return 0;
            continue;
        }
        if (seen_ellipsis) return 0;
        seen_ellipsis = true;
        Py_ssize_t behind = 0; /* axes that the parts behind the ellipsis take */
        for (PyObject *const *part = parts + 1; part < end; part++) behind += *part != Py_None;
        for (; axis < ndim - behind; axis++)
            if (!keep_axis(data, view, axis)) return 0;
    }
    for (; axis < ndim; axis++)
        if (!keep_axis(data, view, axis)) return 0;
    view->element = view->ndim == 0 && !seen_ellipsis;
    return 1;
}

/* Copy one element, so that it stays what it is when the array is written to. */
static PyObject *element_at(const Array *x, const char *place) {
    if (!is_of(x->data, x->node)) return wrap_checked(operand_of((PyObject *)x).data, x->node); /* which says so */
    PyArrayObject *out = new_data(x->node, 0, NULL, false);
    if (out == NULL) return NULL;
    switch (PyArray_ITEMSIZE(out)) { /* of constant sizes, copies are single instructions */
    case 4: memcpy(PyArray_BYTES(out), place, 4); break;
    case 8: memcpy(PyArray_BYTES(out), place, 8); break;
    default: memcpy(PyArray_BYTES(out), place, PyArray_ITEMSIZE(out));
    }
    return wrap(out, x->node);
}

/* Make what a key selects: an element, or a view. */
static PyObject *selected(const Array *x, const View *view) {
    if (view->element) return element_at(x, view->start);
    return wrap(new_view(x->data, view->ndim, view->shape, view->strides, view->start), x->node);
}

/* -- index arrays and masks -- */

/* Return the buffer of a mask or an index array that means to NumPy what it means here, or NULL without an exception.
 */
static PyArrayObject *index_buffer(PyObject *key) {
    if (!IS_ARRAY(key)) return NULL;
    Array *x = (Array *)key;
    if (PyArray_NDIM(x->data) == 0) return NULL;
    bool counts = x->node->type <= E_INT32 || (x->node->type == E_INT64 && sizeof(npy_intp) == 8) ||
                  x->node->type == E_UINT8 || x->node->type == E_UINT16;
    return counts ? x->data : NULL;
}

/* Return a copy of a mask, or of an index array as intp; NULL with an exception. NumPy counts or checks them, and reads
 * them again afterwards: another thread may have written to the original then. */
static PyArrayObject *own_index(PyArrayObject *data) {
    bool integers = PyArray_DESCR(data)->kind != 'b' && PyArray_CanCastSafely(PyArray_TYPE(data), NPY_INTP);
    if (!integers) return (PyArrayObject *)PyArray_NewCopy(data, NPY_CORDER);
    return (PyArrayObject *)PyArray_FromArray(data, PyArray_DescrFromType(NPY_INTP),
                                              NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY);
}

/* -- slots -- */

/* Return an element or a row. */
static PyObject *item_at(PyObject *object, Py_ssize_t index) {
    Array *x = (Array *)object;
    int ndim = PyArray_NDIM(x->data);
    if (ndim == 0 || index < 0 || index >= PyArray_DIM(x->data, 0)) {
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return NULL;
    }
    char *start = PyArray_BYTES(x->data) + index * PyArray_STRIDE(x->data, 0);
    if (ndim == 1) return element_at(x, start);
    return wrap(new_view(x->data, ndim - 1, PyArray_DIMS(x->data) + 1, PyArray_STRIDES(x->data) + 1, start), x->node);
}

/* Whether the hook makes an access, as of a deleted array (2: unless it makes a view); -1 with an exception. */
static inline int is_left(PyObject *array) {
    if (LOAD(guests) == 0) return 0;
    int watched = state_is_watched(); /* may run Python */
    return watched == 1 || watched < 0 ? watched : IS_ARRAY(array) ? watched : 1;
}

PyObject *array_item(PyObject *object, Py_ssize_t index) {
    int left = is_left(object);
    PyArrayObject *data = ((Array *)object)->data;
    /* The end of an iteration is no access. */
    bool beyond = PyArray_NDIM(data) == 0 || index >= PyArray_DIM(data, 0);
    if (left == 0 || (left > 0 && beyond)) return item_at(object, index);
    PyObject *key = left < 0 ? NULL : PyLong_FromSsize_t(index);
    PyObject *result = key == NULL ? NULL : call_hook(HOOK_getitem, object, key, NULL);
    Py_XDECREF(key);
    return result;
}

PyObject *array_subscript(PyObject *object, PyObject *key) {
    Array *x = (Array *)object;
    View view;
    npy_intp place;
    int left = is_left(object);
    if (left == 2 && index_buffer(key) == NULL && read_key(x->data, key, &view) && !view.element)
        return selected(x, &view);
    if (left != 0) return left < 0 ? NULL : call_hook(HOOK_getitem, object, key, NULL);
    if (PyLong_CheckExact(key) && PyArray_NDIM(x->data) > 0 &&
        read_length(key, &place)) { /* the most frequent key, for which there is nothing to build up */
        npy_intp length = PyArray_DIM(x->data, 0);
        if (place < 0) place += length;
        return place >= 0 && place < length ? item_at(object, place) : call_hook(HOOK_getitem, object, key, NULL);
    }
    PyArrayObject *index = index_buffer(key);
    if (index == NULL && read_key(x->data, key, &view)) return selected(x, &view);
    if (index != NULL) {
        Operand operand = operand_of(object), indices = operand_of(key);
        PyObject *result = read_by_array(&operand, &indices);
        if (result == NULL && !PyErr_Occurred()) {
            PyArrayObject *own = own_index(indices.data);
            PyObject *found = own == NULL ? NULL : PyObject_GetItem((PyObject *)operand.data, (PyObject *)own);
            Py_XDECREF(own);
            if (found != NULL && PyArray_CheckExact(found)) result = wrap_checked((PyArrayObject *)found, operand.node);
            else {
                Py_XDECREF(found);
                drop_error(); /* the hook says what was wrong */
            }
        }
        Py_DECREF(operand.data);
        Py_DECREF(indices.data);
        if (result != NULL || PyErr_Occurred()) return result;
    }
    return call_hook(HOOK_getitem, object, key, NULL);
}

/* -- assignments: 1, or 0 where they are not plain, or -1 with an exception -- */

/* What is written: the buffer of an Array, or the element that a Python scalar became. */
typedef struct {
    PyArrayObject *data; /* owned, or NULL */
    _Alignas(16) char element[16];
} Written;

static int read_value(const Node *node, PyObject *value, Written *found) {
    found->data = NULL;
    if (!IS_ARRAY(value)) {
        Scalar kind = scalar_kind(value);
        return kind != S_NONE && holds(node, kind) ? store_scalar(node->type, value, kind, found->element) : 0;
    }
    if (((Array *)value)->node != node || !is_of(((Array *)value)->data, node)) return 0;
    found->data = operand_of(value).data;
    return 1;
}

/* Return it as a buffer, a new reference, which is dropped before the element. */
static PyArrayObject *buffer_of(Written *value, const Node *node) {
    if (value->data != NULL) return (PyArrayObject *)Py_NewRef((PyObject *)value->data);
    npy_intp none[1] = {0};
    Py_INCREF(node->dtype); /* which NumPy takes over */
    return (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, node->dtype, 0, none, NULL, value->element, 0, NULL);
}

/* NumPy's assignment has ended: of an error, the hook says what was wrong. */
static int finished(int status) {
    if (status == 0) return 1;
    drop_error();
    return PyErr_Occurred() ? -1 : 0;
}

/* NumPy drops axes of length 1, JAX does not: a value has no more axes than what it is written to. */
static bool has_too_many_axes(const Written *value, int ndim) {
    return value->data != NULL && PyArray_NDIM(value->data) > ndim;
}

static int store_in_view(PyArrayObject *data, const Node *node, const View *view, Written *value) {
    npy_intp size = 1;
    for (int i = 0; i < view->ndim; i++) size = size_product(size, view->shape[i]);
    if (has_too_many_axes(value, view->ndim)) return 0;
    if (size == 1 && (value->data == NULL || PyArray_SIZE(value->data) == 1)) {
        memmove(view->start, value->data == NULL ? value->element : PyArray_BYTES(value->data), PyArray_ITEMSIZE(data));
        return 1;
    }
    PyArrayObject *target = new_view(data, view->ndim, view->shape, view->strides, view->start);
    PyArrayObject *source = target == NULL ? NULL : buffer_of(value, node);
    int done = source == NULL ? -1 : finished(PyArray_CopyInto(target, source));
    Py_XDECREF(source);
    Py_XDECREF(target);
    return done;
}

static int store_by_array(PyArrayObject *data, const Node *node, PyObject *key, Written *value) {
    Operand index = operand_of(key);
    bool mask = PyArray_DESCR(index.data)->kind == 'b';
    int ndim = PyArray_NDIM(data) - (mask ? PyArray_NDIM(index.data) - 1 : 1 - PyArray_NDIM(index.data));
    PyArrayObject *source = has_too_many_axes(value, ndim) ? NULL : buffer_of(value, node);
    int done = source == NULL ? (PyErr_Occurred() ? -1 : 0) : write_by_indices(data, &index, source);
    if (source != NULL && !done) {
        /* Of one value for a mask of the same shape, NumPy reads the mask once for all. */
        bool once = PyArray_NDIM(source) == 0 && mask && PyArray_NDIM(index.data) == PyArray_NDIM(data);
        PyArrayObject *own = once ? (PyArrayObject *)Py_NewRef((PyObject *)index.data) : own_index(index.data);
        done = finished(own == NULL ? -1 : PyObject_SetItem((PyObject *)data, (PyObject *)own, (PyObject *)source));
        Py_XDECREF(own);
    }
    Py_XDECREF(source);
    Py_DECREF(index.data);
    return done;
}

NOINLINE int store_at(PyArrayObject *data, const Node *node, PyObject *key, PyObject *value) {
    View view;
    Written written;
    if (!(PyArray_FLAGS(data) & NPY_ARRAY_WRITEABLE) || !PyArray_ISALIGNED(data) || !is_of(data, node)) return 0;
    int done = read_value(node, value, &written);
    if (done != 1) return done;
    if (read_key(data, key, &view)) done = store_in_view(data, node, &view, &written);
    else done = index_buffer(key) == NULL ? 0 : store_by_array(data, node, key, &written);
    Py_XDECREF(written.data);
    return done;
}

int array_assign_subscript(PyObject *object, PyObject *key, PyObject *value) {
    State *state = current_state();
    if (state == NULL) return -1;
    PyObject *result;
    if (value == NULL) result = call_hook(HOOK_delitem, object, key, NULL);
    else {
        Operand target = operand_of(object);
        HAND_OUT(target.data);
        int stored = state->mutable && state->watcher == NULL ? store_at(target.data, target.node, key, value) : 0;
        Py_DECREF(target.data);
        if (stored != 0) return stored < 0 ? -1 : 0;
        result = call_hook(HOOK_setitem, object, key, value, NULL);
    }
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}
