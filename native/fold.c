/* Folds: sums, products, extremes, means, truths and cumulations by the loops of NumPy's ufuncs.
 *
 * A reduction is NumPy's: the loop of the ufunc with the result as first input and output, which stays in place along the axes that go.
 * Sums are NumPy's bit for bit, because the calls of the loop are: all of a contiguous buffer at once, which the loop adds in pairs; blocks
 * of NumPy's buffer size where elements are converted; along axes in the order of memory. What NumPy would order in another way (strides
 * that are not those of C order) goes to the Python definition.
 */
#include "engine.h"

enum { REDUCE, MEAN, ACCUMULATE };
enum { BUFFER = 8192 }; /* elements: NumPy's default buffer, by which it splits sums of converted elements */

/* What turns elements of a type into what the plan folds; NULL where nothing does or nothing needs to. */
static Cast *into(const Plan *plan, Type from) {
    if (from == plan->type) return NULL;
    return plan->type == E_BOOL ? truth_of(from) : cast_between(from, plan->type);
}

/* -- all elements ---------------------------------------------------------------------------------------------------------------------------- */

/* Fold `count` contiguous elements of one type into `out`, which has the identity or the first element already. */
static void fold_same(const Plan *plan, char *out, const char *in, npy_intp count) {
    char *pointers[] = {out, (char *)in, out};
    npy_intp steps[] = {0, plan->input_size, 0};
    plan->loop(pointers, &count, steps, plan->auxiliary);
}

/* The same with a conversion, in blocks that are NumPy's; false where there is no memory. */
static bool fold_converted(const Plan *plan, Cast *cast, char *out, const char *in, npy_intp itemsize, npy_intp count) {
    _Alignas(16) char few[256 * 16];
    char *room = count <= 256 ? few : PyMem_RawMalloc((size_t)(count < BUFFER ? count : BUFFER) * plan->input_size);
    if (room == NULL) return false;
    for (npy_intp done = 0; done < count; done += BUFFER) {
        npy_intp now = count - done < BUFFER ? count - done : BUFFER;
        cast(in + done * itemsize, room, now);
        fold_same(plan, out, room, now);
    }
    if (room != few) PyMem_RawFree(room);
    return true;
}

/* Fold a whole contiguous buffer of at least one element into `out`; false with an exception. */
static bool fold_all(const Plan *plan, const Array *x, char *out) {
    const char *in = PyArray_BYTES(x->data);
    npy_intp count = PyArray_SIZE(x->data), itemsize = PyArray_ITEMSIZE(x->data);
    Cast *cast = into(plan, x->node->type);
    if (plan->identity < 0) { /* extremes begin with the first element */
        if (cast == NULL) memcpy(out, in, plan->input_size);
        else cast(in, out, 1);
        in += itemsize;
        count--;
    }
    bool good = true;
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(count);
    if (cast == NULL) fold_same(plan, out, in, count);
    else good = fold_converted(plan, cast, out, in, itemsize, count);
    NPY_END_THREADS;
    if (!good) PyErr_NoMemory();
    return good;
}

/* -- along axes ------------------------------------------------------------------------------------------------------------------------------ */

/* Adjacent axes of a C-contiguous buffer that are all kept or all folded, as one. */
typedef struct { int ndim; npy_intp shape[NPY_MAXDIMS]; bool folded[NPY_MAXDIMS]; } Axes;

static void merge_axes(Axes *axes, PyArrayObject *data, const bool *folded) {
    axes->ndim = 0;
    for (int axis = 0; axis < PyArray_NDIM(data); axis++) {
        npy_intp length = PyArray_DIM(data, axis);
        if (length == 1) continue;
        if (axes->ndim > 0 && axes->folded[axes->ndim - 1] == folded[axis]) axes->shape[axes->ndim - 1] *= length;
        else { axes->shape[axes->ndim] = length; axes->folded[axes->ndim++] = folded[axis]; }
    }
}

/* Begin extremes with the elements whose place along every folded axis is 0; or with the identity. */
static void begin_axes(const Plan *plan, const Axes *axes, int axis, char *out, const char *in, const npy_intp *out_steps, const npy_intp *in_steps) {
    if (axis == axes->ndim) { memcpy(out, in, plan->input_size); return; }
    npy_intp length = axes->folded[axis] ? 1 : axes->shape[axis];
    for (npy_intp i = 0; i < length; i++) begin_axes(plan, axes, axis + 1, out + i * out_steps[axis], in + i * in_steps[axis], out_steps, in_steps);
}

static void fold_axes(const Plan *plan, const Axes *axes, int axis, char *out, const char *in, const npy_intp *out_steps, const npy_intp *in_steps) {
    if (axis >= axes->ndim - 1) {
        npy_intp count = axes->ndim == 0 ? 1 : axes->shape[axis], step = axes->ndim == 0 ? 0 : out_steps[axis];
        char *pointers[] = {out, (char *)in, out};
        npy_intp steps[] = {step, plan->input_size, step};
        plan->loop(pointers, &count, steps, plan->auxiliary);
        return;
    }
    for (npy_intp i = 0; i < axes->shape[axis]; i++)
        fold_axes(plan, axes, axis + 1, out + i * out_steps[axis], in + i * in_steps[axis], out_steps, in_steps);
}

/* Fold a C-contiguous buffer of the plan's own dtype along axes into `out`, which is C-contiguous. */
static void fold_along(const Plan *plan, PyArrayObject *data, const bool *folded, PyArrayObject *out) {
    Axes axes;
    npy_intp out_steps[NPY_MAXDIMS], in_steps[NPY_MAXDIMS];
    merge_axes(&axes, data, folded);
    npy_intp out_step = plan->input_size, in_step = plan->input_size;
    for (int axis = axes.ndim - 1; axis >= 0; axis--) {
        in_steps[axis] = in_step;
        in_step *= axes.shape[axis];
        out_steps[axis] = axes.folded[axis] ? 0 : out_step;
        if (!axes.folded[axis]) out_step *= axes.shape[axis];
    }
    char *to = PyArray_BYTES(out);
    const char *from = PyArray_BYTES(data);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(PyArray_SIZE(data));
    if (plan->identity < 0) begin_axes(plan, &axes, 0, to, from, out_steps, in_steps);
    fold_axes(plan, &axes, 0, to, from, out_steps, in_steps);
    NPY_END_THREADS;
}

/* -- results ------------------------------------------------------------------------------------------------------------------------------------ */

/* Fill a contiguous buffer with 0 or 1. */
static void fill_identity(const Plan *plan, char *place, npy_intp count) {
    memset(place, 0, (size_t)count * plan->input_size);
    if (plan->identity == 0) return;
    uint8_t one = 1;
    Cast *cast = plan->type == E_BOOL ? truth_of(E_BOOL) : cast_between(E_BOOL, plan->type);
    for (npy_intp i = 0; i < count; i++) cast((const char *)&one, place + i * plan->input_size, 1);
}

/* Divide sums by a count; of complex numbers, each part. */
static void divide(Type type, char *place, npy_intp count, npy_intp divisor) {
    if (type == E_FLOAT32 || type == E_COMPLEX64)
        for (npy_intp i = 0; i < count * (1 + (type == E_COMPLEX64)); i++) ((float *)place)[i] /= (float)divisor;
    else
        for (npy_intp i = 0; i < count * (1 + (type == E_COMPLEX128)); i++) ((double *)place)[i] /= (double)divisor;
}

/* Read an axis that counts from either end into `folded`; false where it is none or comes twice (an exception may be set). */
static bool mark_axis(PyObject *axis, int ndim, bool *folded) {
    if (!PyLong_CheckExact(axis)) return false;
    int overflow;
    long place = PyLong_AsLongAndOverflow(axis, &overflow);
    if (overflow || (place == -1 && PyErr_Occurred())) return false;
    if (place < 0) place += ndim;
    if (place < 0 || place >= ndim || folded[place]) return false;
    return folded[place] = true;
}

static bool mark_axes(PyObject *axis, int ndim, bool *folded) {
    memset(folded, axis == NULL || axis == Py_None, ndim * sizeof(bool));
    if (axis == NULL || axis == Py_None) return true;
    if (ndim == 0) return false;
    if (!PyTuple_CheckExact(axis)) return mark_axis(axis, ndim, folded);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(axis); i++)
        if (!mark_axis(PyTuple_GET_ITEM(axis, i), ndim, folded)) return false;
    return true;
}

/* Convert folded sums to the dtype of the result; takes over `folded`. */
static PyArrayObject *rounded(const Plan *plan, PyArrayObject *folded) {
    if (plan->type == plan->node->type) return folded;
    PyArrayObject *out = new_data(plan->node, PyArray_NDIM(folded), PyArray_DIMS(folded), false);
    if (out != NULL) cast_between(plan->type, plan->node->type)(PyArray_BYTES(folded), PyArray_BYTES(out), PyArray_SIZE(folded));
    Py_DECREF(folded);
    return out;
}

/* Make the buffer that is folded into: of the plan's own dtype. */
static PyArrayObject *new_folded(const Plan *plan, int ndim, const npy_intp *shape) {
    if (plan->input == plan->node->dtype) return new_data(plan->node, ndim, shape, false);
    Py_INCREF(plan->input); /* which NumPy takes over */
    return (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, plan->input, ndim, (npy_intp *)shape, NULL, NULL, 0, NULL);
}

static PyObject *reduce(const Plan *plan, const Array *x, PyObject *axis, bool keepdims, int how) {
    PyArrayObject *data = x->data;
    int ndim = PyArray_NDIM(data), kept = 0;
    bool folded[NPY_MAXDIMS], everything = true;
    npy_intp shape[NPY_MAXDIMS], size = PyArray_SIZE(data);
    if (!mark_axes(axis, ndim, folded)) return NULL;
    for (int i = 0; i < ndim; i++) {
        everything = everything && (folded[i] || PyArray_DIM(data, i) == 1);
        if (!folded[i]) shape[kept++] = PyArray_DIM(data, i);
        else if (keepdims) shape[kept++] = 1;
    }
    if (size == 0 && (plan->identity < 0 || how == MEAN)) return NULL;
    bool convert = x->node->type != plan->type;
    if (convert && into(plan, x->node->type) == NULL) return NULL;
    if (!(PyArray_IS_C_CONTIGUOUS(data) || (everything && PyArray_IS_F_CONTIGUOUS(data)))) return NULL;
    /* A buffer of NumPy's may split sums of converted floats where this would not; integers and truths are exact in any order. */
    if (convert && !everything && (size > BUFFER || (plan->type >= E_FLOAT32 && type_size[x->node->type] > 4))) return NULL;
    PyArrayObject *out = new_folded(plan, kept, shape);
    if (out == NULL) return NULL;
    npy_intp results = PyArray_SIZE(out);
    if (plan->identity >= 0) fill_identity(plan, PyArray_BYTES(out), results);
    if (size != 0 && everything) {
        if (!fold_all(plan, x, PyArray_BYTES(out))) { Py_DECREF(out); return NULL; }
    } else if (size != 0) {
        PyArrayObject *same = (PyArrayObject *)Py_NewRef((PyObject *)data);
        if (convert) {
            Py_DECREF(same);
            same = new_folded(plan, ndim, PyArray_DIMS(data));
            if (same == NULL) { Py_DECREF(out); return NULL; }
            into(plan, x->node->type)(PyArray_BYTES(data), PyArray_BYTES(same), size);
        }
        fold_along(plan, same, folded, out);
        Py_DECREF(same);
    }
    if (how == MEAN && results) divide(plan->type, PyArray_BYTES(out), results, size / results);
    return wrap(rounded(plan, out), plan->node);
}

/* Cumulate one axis of a contiguous buffer, as NumPy does: the first element, then each result from the one before it. */
static PyObject *accumulate(const Plan *plan, const Array *x, PyObject *axis) {
    PyArrayObject *data = x->data;
    bool folded[1];
    if (PyArray_NDIM(data) != 1 || !PyArray_IS_C_CONTIGUOUS(data) || plan->type != plan->node->type) return NULL;
    if (axis != NULL && axis != Py_None && !mark_axes(axis, 1, folded)) return NULL;
    Cast *cast = into(plan, x->node->type);
    if (cast == NULL && x->node->type != plan->type) return NULL;
    PyArrayObject *out = new_folded(plan, 1, PyArray_DIMS(data));
    npy_intp count = PyArray_DIM(data, 0) - 1, step = plan->input_size;
    if (out == NULL || count < 0) return wrap(out, plan->node);
    char *to = PyArray_BYTES(out), *from = PyArray_BYTES(data);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(count);
    if (cast != NULL) { /* the result holds the converted elements until each is overwritten */
        cast(from, to, count + 1);
        from = to;
    } else memcpy(to, from, step);
    char *pointers[] = {to, from + step, to + step};
    npy_intp steps[] = {step, step, step};
    plan->loop(pointers, &count, steps, plan->auxiliary);
    NPY_END_THREADS;
    return wrap(out, plan->node);
}

static PyObject *fold_array(Operation *operation, int how, const Array *array, PyObject *axis, bool keepdims) {
    bool owned;
    Plan *plan = plan_of_one(operation, array, &owned);
    if (plan == NULL) return NULL;
    PyObject *result = NULL;
    if (plan->loop != NULL && behaved(array)) {
        Py_INCREF(plan); /* kept where the lock is released */
        PyArrayObject *data = held(array);
        result = how == ACCUMULATE ? accumulate(plan, array, axis) : reduce(plan, array, axis, keepdims, how);
        Py_DECREF(data);
        Py_DECREF(plan);
    }
    PLAN_DONE(plan, owned);
    return result;
}

static PyObject *quick_fold(Operation *operation, int how, const Arguments *arguments) {
    PyObject *found[3] = {NULL}, *const parameters[3] = {names.a, names.axis, names.keepdims};
    /* The axis of `cumulative_sum` comes by its name alone. */
    if (!arguments_by_name(arguments, parameters, how == ACCUMULATE ? 1 : 2, how == ACCUMULATE ? 2 : 3, found)) return NULL;
    PyObject *x = found[0], *keepdims = found[2];
    if (x == NULL || (keepdims != NULL && !PyBool_Check(keepdims))) return NULL;
    PyObject *array = IS_ARRAY(x) ? Py_NewRef(x) : PyArray_CheckExact(x) ? plain_operand(x) : NULL;
    PyObject *result = array == NULL ? NULL : fold_array(operation, how, (Array *)array, found[1], keepdims == Py_True);
    Py_XDECREF(array);
    return result;
}

PyObject *quick_reduce(Operation *operation, const Arguments *arguments) { return quick_fold(operation, REDUCE, arguments); }
PyObject *quick_mean(Operation *operation, const Arguments *arguments) { return quick_fold(operation, MEAN, arguments); }
PyObject *quick_accumulate(Operation *operation, const Arguments *arguments) { return quick_fold(operation, ACCUMULATE, arguments); }
