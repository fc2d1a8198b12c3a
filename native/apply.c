/* Elementwise operations by their operands: Arrays and Python scalars, to which ndarrays and batches are reduced. */
#include "batches.h"
#include "hooks.h"
#include "run.h"

/* Whether a call without a result has none because the shapes of its operands do not fit, where no exception is set, or
 * because the result would be larger than any array. The hook says so. */
static bool is_mismatch(const Call *call) {
    if (!PyErr_Occurred()) return true;
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) return false;
    PyArrayObject *operands[] = {call->x.data, call->y.data == NULL ? call->x.data : call->y.data};
    npy_intp shape[NPY_MAXDIMS];
    int ndim = broadcast(2, operands, shape);
    if (ndim >= 0 && bytes_of_shape(ndim, shape, PyDataType_ELSIZE(call->plan->node->dtype)) < TOO_LARGE) return false;
    PyErr_Clear();
    return true;
}

/* -- batches -- */

PyTypeObject *BatchType;

PyObject *new_batch(PyTypeObject *type, Axis *axis, PyObject *value) {
    Batch *self = (Batch *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->axis = (Axis *)Py_NewRef((PyObject *)axis);
    self->value = Py_NewRef(value);
    return (PyObject *)self;
}

/* Return the number of axes of an Array, or of one position of a batch of one; -1 of others. */
static int axes_of(PyObject *x) {
    int mapped = 0;
    for (; PyObject_TypeCheck(x, BatchType); mapped++) x = ((Batch *)x)->value;
    return IS_ARRAY(x) ? PyArray_NDIM(((Array *)x)->data) - mapped : -1;
}

/* The same where an operand is no Array: one of `vmap`'s batches. NULL without an exception where it is not plain. */
static PyObject *quick_batches(Operation *operation, PyObject *const *operands) {
    PyObject *values[2];
    Batch *batch = NULL;
    int ndim = 0;
    for (int i = 0; i < operation->operands; i++) {
        values[i] = operands[i];
        if (!PyObject_TypeCheck(operands[i], BatchType)) continue;
        Batch *one = (Batch *)operands[i];
        if (batch != NULL && (one->axis != batch->axis || axes_of(one->value) != ndim)) return NULL;
        batch = one;
        values[i] = one->value;
        ndim = axes_of(one->value);
    }
    if (batch == NULL || ndim < 1 || batch->axis->position != Py_None) return NULL;
    for (int i = 0; i < operation->operands;
         i++) { /* what others have no axes that would be aligned with the mapped one */
        bool fits = values[i] != operands[i] || scalar_kind(operands[i]) != S_NONE;
        if (!fits && (!IS_ARRAY(operands[i]) || axes_of(operands[i]) >= ndim)) return NULL;
    }
    PyObject *value =
        operation->operands == 1 ? quick_unary(operation, values[0]) : quick_binary(operation, values[0], values[1]);
    if (value == NULL) {
        drop_error(); /* the error is that of one position */
        return NULL;
    }
    PyObject *result = new_batch(Py_TYPE(batch), batch->axis, value);
    Py_DECREF(value);
    return result;
}

/* -- operands -- */

PyObject *quick_unary(Operation *operation, PyObject *x) {
    Call call;
    if (!IS_ARRAY(x)) {
        PyObject *result = quick_batches(operation, &x);
        if (result != NULL || PyErr_Occurred()) return result;
        PyObject *array = plain_operand(x);
        result = array == NULL ? NULL : quick_unary(operation, array);
        Py_XDECREF(array);
        return result;
    }
    if (!begin_one(&call, operation, x)) return NULL;
    PyObject *result = one_array(operation, call.plan, &call.x);
    bool mismatch = result == NULL && is_mismatch(&call);
    end_call(&call);
    return mismatch ? call_hook(HOOK_mismatch, (PyObject *)operation, x, NULL) : result;
}

/* Whether two arrays are of the most frequent kind: of one shape and the loop's dtype, and C-contiguous. */
static inline bool are_alike(const Plan *plan, Operand x, Operand y) {
    enum { PLAIN = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED };
    return plan->loop != NULL && x.node->type == plan->type && y.node->type == plan->type &&
           (PyArray_FLAGS(x.data) & PyArray_FLAGS(y.data) & PLAIN) == PLAIN && same_shape(x.data, y.data) &&
           is_of(x.data, x.node) && is_of(y.data, y.node);
}

/* Compute of such arrays what `two_arrays` would, in fewer instructions. */
static inline PyObject *two_alike(const Call *call) {
    const Plan *plan = call->plan;
    PyArrayObject *a = call->x.data, *out = new_data(plan->node, PyArray_NDIM(a), PyArray_DIMS(a), false);
    if (out == NULL) return NULL;
    npy_intp count = PyArray_SIZE(out);
    char *pointers[] = {PyArray_BYTES(call->x.data), PyArray_BYTES(call->y.data), PyArray_BYTES(out)};
    npy_intp steps[] = {plan->input_size, plan->input_size, plan->output_size};
    if (count >= UNLOCKED) call_loop(plan, pointers, &count, steps);
    else if (count > 0) plan->loop(pointers, &count, steps, plan->auxiliary);
    return wrap(out, plan->node);
}

/* Apply an operation to batches, or after ndarrays, and a Python scalar next to no Array, became Arrays. */
static PyObject *after_conversion(Operation *operation, PyObject *x, PyObject *y) {
    PyObject *batches = quick_batches(operation, (PyObject *[]){x, y});
    if (batches != NULL || PyErr_Occurred()) return batches;
    bool second_stays = IS_ARRAY(y) || scalar_kind(y) != S_NONE;
    bool first_stays = IS_ARRAY(x) || (scalar_kind(x) != S_NONE && scalar_kind(y) == S_NONE);
    PyObject *first = first_stays ? Py_NewRef(x) : plain_operand(x);
    PyObject *second = first == NULL ? NULL : second_stays ? Py_NewRef(y) : plain_operand(y);
    PyObject *result =
        second == NULL ? NULL : quick_binary(operation, first, second); /* of which one is an Array now */
    Py_XDECREF(first);
    Py_XDECREF(second);
    return result;
}

PyObject *quick_binary(Operation *operation, PyObject *x, PyObject *y) {
    PyObject *result;
    Call call;
    if (IS_ARRAY(x) && IS_ARRAY(y)) {
        if (!begin_two(&call, operation, x, y)) return NULL;
        if (are_alike(call.plan, call.x, call.y)) result = two_alike(&call);
        else result = two_arrays(operation, &call);
        bool mismatch = result == NULL && is_mismatch(&call);
        end_call(&call);
        return mismatch ? call_hook(HOOK_mismatch, (PyObject *)operation, x, y, NULL) : result;
    }
    bool scalar_first = !IS_ARRAY(x);
    PyObject *array = scalar_first ? y : x, *scalar = scalar_first ? x : y;
    Scalar kind = scalar_kind(scalar);
    if (kind == S_NONE || !IS_ARRAY(array)) return after_conversion(operation, x, y);
    if (!begin_scalar(&call, operation, array, kind, scalar_first)) return NULL;
    result = array_and_scalar(operation, &call, scalar, kind, scalar_first);
    bool mismatch = result == NULL && is_mismatch(&call);
    end_call(&call);
    return mismatch ? call_hook(HOOK_mismatch, (PyObject *)operation, x, y, NULL) : result;
}
