/* Array: a NumPy buffer and a node, with the slots of Python that must be fast. */
#include "cast.h"
#include "hooks.h"
#include "memory.h"
#include "parts.h"
#include "paths.h"
#include "scalars.h"

static PyObject *array_new(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs)) {
    PyErr_SetString(PyExc_TypeError,
                    "Array cannot be constructed directly; use supremum.asarray(...), zeros(...) or the like");
    return NULL;
}

/* -- attributes -- */

#define DATA(object) (((Array *)(object))->data)

HandOut hand_out;

static PyObject *get_data(PyObject *x, void *Py_UNUSED(closure)) {
    HAND_OUT(DATA(x));
    return Py_NewRef((PyObject *)DATA(x));
}
static PyObject *get_node(PyObject *x, void *Py_UNUSED(closure)) { return Py_NewRef(((Array *)x)->node->object); }
static PyObject *get_dtype(PyObject *x, void *Py_UNUSED(closure)) { return Py_NewRef(((Array *)x)->node->public); }
static PyObject *get_ndim(PyObject *x, void *Py_UNUSED(closure)) { return PyLong_FromLong(PyArray_NDIM(DATA(x))); }
static PyObject *get_size(PyObject *x, void *Py_UNUSED(closure)) { return PyLong_FromSsize_t(PyArray_SIZE(DATA(x))); }
static PyObject *get_weak_type(PyObject *x, void *Py_UNUSED(closure)) {
    return PyBool_FromLong(((Array *)x)->node->weak);
}

static PyObject *get_shape(PyObject *x, void *Py_UNUSED(closure)) { return shape_of(&DATA(x)); }

static PyObject *get_transpose(PyObject *x, void *Py_UNUSED(closure)) {
    PyArrayObject *data = DATA(x);
    int ndim = PyArray_NDIM(data);
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    if (ndim < 2)
        return wrap((PyArrayObject *)Py_NewRef((PyObject *)data),
                    ((Array *)x)->node); /* two arrays may share an ndarray */
    for (int i = 0; i < ndim; i++) {
        shape[i] = PyArray_DIM(data, ndim - 1 - i);
        strides[i] = PyArray_STRIDE(data, ndim - 1 - i);
    }
    return wrap(new_view(data, ndim, shape, strides, PyArray_BYTES(data)), ((Array *)x)->node);
}

/* NumPy's arrays change in place; these say what to write. */
static int refuse_shape(PyObject *Py_UNUSED(x), PyObject *Py_UNUSED(value), void *Py_UNUSED(closure)) {
    PyErr_SetString(PyExc_AttributeError, "Array.shape cannot be set: write x = x.reshape(shape)");
    return -1;
}

static int refuse_dtype(PyObject *Py_UNUSED(x), PyObject *Py_UNUSED(value), void *Py_UNUSED(closure)) {
    PyErr_SetString(PyExc_AttributeError, "Array.dtype cannot be set: write x = x.astype(dtype), or x.view(dtype)");
    return -1;
}

static PyGetSetDef array_getset[] = {
    {"_data", get_data, NULL, NULL, NULL},
    {"_node", get_node, NULL, NULL, NULL},
    {"shape", get_shape, refuse_shape, PyDoc_STR("The lengths of the axes."), NULL},
    {"ndim", get_ndim, NULL, PyDoc_STR("The number of axes."), NULL},
    {"size", get_size, NULL, PyDoc_STR("The number of elements."), NULL},
    {"dtype", get_dtype, refuse_dtype, PyDoc_STR("The dtype of the elements."), NULL},
    {"weak_type", get_weak_type, NULL,
     PyDoc_STR("Whether the array defers to strongly typed operands, as Python scalars do."), NULL},
    {"at", at_of, NULL,
     PyDoc_STR(
         "Updates that return a new array: ``x.at[index].set(values)``, ``add``, ``multiply``, ``get`` and others."),
     NULL},
    {"T", get_transpose, NULL, PyDoc_STR("The array with its axes reversed."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyMemberDef array_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Array, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* -- conversions to Python's numbers -- */

/* Whether the array has one element of a type that C reads, and the state has no watchers; without `any_shape`, it must
 * have no dimensions. May run Python, before the array is looked at. */
static bool one_element(const Array *x, bool any_shape) {
    if (LOAD(guests) != 0 && (state_is_watched() != 0 || !IS_ARRAY(x))) { /* deleted meanwhile */
        PyErr_Clear(); /* without a state, the hook raises the error again */
        return false;
    }
    if (!is_native(x->node->type) || !aligned_native(x)) return false;
    return PyArray_NDIM(x->data) == 0 || (any_shape && PyArray_SIZE(x->data) == 1);
}

static int array_bool(PyObject *object) {
    Array *x = (Array *)object;
    if (one_element(x, true)) {
        char truth;
        truth_of(x->node->type)(PyArray_BYTES(x->data), &truth, 1);
        return truth;
    }
    PyObject *result = call_hook(HOOK_to_bool, object, NULL);
    int truth = result == NULL ? -1 : PyObject_IsTrue(result);
    Py_XDECREF(result);
    return truth;
}

static PyObject *array_float(PyObject *object) {
    Array *x = (Array *)object;
    if (one_element(x, false) && (x->node->type == E_FLOAT32 || x->node->type == E_FLOAT64))
        return scalar_from(x->node->type, PyArray_BYTES(x->data));
    return call_hook(HOOK_to_float, object, NULL);
}

static inline PyObject *integer_or(int hook, PyObject *object) {
    Array *x = (Array *)object;
    if (one_element(x, false) && x->node->type >= E_INT8 && x->node->type <= E_UINT64)
        return scalar_from(x->node->type, PyArray_BYTES(x->data));
    return call_hook(hook, object, NULL);
}
static PyObject *array_int(PyObject *object) { return integer_or(HOOK_to_int, object); }
static PyObject *array_index(PyObject *object) { return integer_or(HOOK_to_index, object); }

static PyObject *array_complex(PyObject *object, PyObject *Py_UNUSED(unused)) {
    Array *x = (Array *)object;
    if (one_element(x, false) && x->node->type >= E_COMPLEX64)
        return scalar_from(x->node->type, PyArray_BYTES(x->data));
    return call_hook(HOOK_to_complex, object, NULL);
}

/* -- sequence, iteration, buffer -- */

static Py_ssize_t array_length(PyObject *x) {
    if (PyArray_NDIM(DATA(x)) > 0) return PyArray_DIM(DATA(x), 0);
    PyErr_SetString(PyExc_TypeError, "len() of unsized object: the array is 0-d");
    return -1;
}

static PyObject *array_iter(PyObject *x) {
    return PyArray_NDIM(DATA(x)) > 0 ? PySeqIter_New(x) : call_hook(HOOK_iterate, x, NULL);
}

static int array_contains(PyObject *x, PyObject *value) {
    PyObject *result = call_hook(HOOK_contains, x, value, NULL);
    int found = result == NULL ? -1 : PyObject_IsTrue(result);
    Py_XDECREF(result);
    return found;
}

static int fill_view(const Operand *x, Py_buffer *view, int flags) {
    State *state = current_state();
    if (state == NULL) return -1;
    bool writable = state->mutable;
    if (x->node->kind == 'k') {
        PyErr_SetString(PyExc_TypeError, "memoryview: keys have no bytes to read; use random.key_data(keys)");
        return -1;
    }
    if (!is_native(x->node->type) && !is_of_numpy(PyArray_DESCR(x->data))) {
        PyErr_SetString(PyExc_BufferError,
                        "memoryview: the buffer protocol has no dtypes of ml_dtypes; use np.asarray(x)");
        return -1;
    }
    if (!writable && (flags & PyBUF_WRITABLE)) {
        PyErr_SetString(PyExc_BufferError,
                        "memoryview: Array is immutable (config.mutable is False), and cannot be written to");
        return -1;
    }
    if (PyObject_GetBuffer((PyObject *)x->data, view, flags) < 0) return -1;
    if (!writable) view->readonly = 1;
    return 0;
}

/* The buffer is the ndarray's, which the view then owns; so there is nothing to release here. */
static int array_getbuffer(PyObject *object, Py_buffer *view, int flags) {
    Operand x = operand_of(object);
    HAND_OUT(x.data);
    view->obj = NULL;
    int status = fill_view(&x, view, flags);
    Py_DECREF(x.data);
    return status;
}

static PyObject *array_sizeof(PyObject *x, PyObject *Py_UNUSED(unused)) {
    return PyLong_FromSsize_t((Py_ssize_t)sizeof(Array) + PyArray_NBYTES(DATA(x)));
}

static PyObject *array_init_subclass(PyObject *Py_UNUSED(cls), PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs)) {
    PyErr_SetString(PyExc_TypeError,
                    "type 'supremum.Array' is not an acceptable base type: hold an Array in an attribute instead");
    return NULL;
}

static PyMethodDef array_methods[] = {
    {"__init_subclass__", (PyCFunction)(void (*)(void))array_init_subclass, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     NULL},
    {"__complex__", array_complex, METH_NOARGS, NULL},
    {"__sizeof__", array_sizeof, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* -- the type -- */

static PyType_Slot array_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("Array()\n--\n\nAn array: a buffer and a node.")},
    {Py_tp_new, array_new},
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_getset, array_getset},
    {Py_tp_members, array_members},
    {Py_tp_methods, array_methods},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_tp_iter, array_iter},
    {Py_tp_richcompare, operator_compare},
#define X(name) {Py_nb_##name, operator_##name}, {Py_nb_inplace_##name, operator_inplace_##name},
    OPERATOR_SLOTS(X)
#undef X
        {Py_nb_power, operator_power},
    {Py_nb_inplace_power, operator_inplace_power},
    {Py_nb_divmod, operator_divmod},
    {Py_nb_matrix_multiply, operator_matrix_multiply},
    {Py_nb_inplace_matrix_multiply, operator_inplace_matrix_multiply},
    {Py_nb_negative, operator_negative},
    {Py_nb_positive, operator_positive},
    {Py_nb_absolute, operator_absolute},
    {Py_nb_invert, operator_invert},
    {Py_nb_bool, array_bool},
    {Py_nb_int, array_int},
    {Py_nb_float, array_float},
    {Py_nb_index, array_index},
    {Py_mp_length, array_length},
    {Py_mp_subscript, array_subscript},
    {Py_mp_ass_subscript, array_assign_subscript},
    {Py_sq_length, array_length},
    {Py_sq_item, array_item},
    {Py_sq_contains, array_contains},
    {Py_bf_getbuffer, array_getbuffer},
    {0, NULL},
};
PyType_Spec array_spec = {"supremum.Array", sizeof(Array), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, array_slots};

/* -- deleting -- */

/* The class of deleted arrays: of the same layout, with members that the package attaches. To C its instances are no
 * arrays. Freeing them is freeing arrays. */
PyTypeObject *DeletedType;

/* Buffers have no special method before Python 3.12, so this slot refuses by the method that the package attaches. May
 * run Python. */
static int deleted_getbuffer(PyObject *x, Py_buffer *view, int Py_UNUSED(flags)) {
    PyObject *result = PyObject_CallMethod(x, "_refuse", NULL);
    if (result == NULL) leave_out_frames();
    view->obj = NULL;
    if (result != NULL) PyErr_SetString(PyExc_BufferError, "memoryview: the array has been deleted");
    Py_XDECREF(result);
    return -1;
}

static PyType_Slot deleted_slots[] = {{Py_tp_doc, (void *)PyDoc_STR("An array that was deleted.")},
                                      {Py_tp_new, array_new},
                                      {Py_tp_dealloc, array_dealloc},
                                      {Py_bf_getbuffer, deleted_getbuffer},
                                      {0, NULL}};
PyType_Spec deleted_spec = {"supremum.DeletedArray", sizeof(Array), 0, Py_TPFLAGS_DEFAULT, deleted_slots};

/* Give an Array another buffer and the class of deleted arrays; nothing if another thread has done it meanwhile. May
 * run Python. */
static PyObject *retire(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count == 2 && Py_IS_TYPE(args[0], DeletedType)) Py_RETURN_NONE;
    if (count != 2 || !IS_ARRAY(args[0]) || !PyArray_CheckExact(args[1]) ||
        PyArray_DESCR((PyArrayObject *)args[1]) != ((Array *)args[0])->node->dtype) {
        PyErr_SetString(PyExc_TypeError, "retire: expected an Array and an ndarray of its dtype");
        return NULL;
    }
    if (PyObject_SetAttrString(args[0], "__class__", (PyObject *)DeletedType) < 0)
        return NULL;    /* Python knows how, with threads and without */
#ifndef Py_GIL_DISABLED /* without a GIL it is not known who reads the buffer: it lives as long as the array */
    PyObject *old = (PyObject *)DATA(args[0]);
    DATA(args[0]) = (PyArrayObject *)Py_NewRef(args[1]);
    Py_DECREF(old); /* may run Python */
#endif
    Py_RETURN_NONE;
}

/* An ndarray of any content, whose memory is the pool's where it is large. */
static PyObject *empty_function(PyObject *Py_UNUSED(module), PyObject *args) {
    PyArray_Dims shape = {NULL, 0};
    PyArray_Descr *dtype;
    PyArrayObject *out = NULL;
    if (PyArg_ParseTuple(args, "O&O!:empty", PyArray_IntpConverter, &shape, &PyArrayDescr_Type, &dtype))
        out = new_buffer(dtype, shape.len, shape.ptr, NULL, false);
    PyDimMem_FREE(shape.ptr);
    return (PyObject *)out;
}

PyMethodDef array_functions[] = {
    {"empty", empty_function, METH_VARARGS,
     PyDoc_STR("empty(shape, dtype)\n--\n\nReturn an ndarray whose elements are to be written.")},
    {"retire", FASTCALL(retire), PyDoc_STR("Give an Array another buffer and the class of deleted arrays.")},
    {NULL, NULL, 0, NULL},
};
