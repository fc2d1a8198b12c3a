/* Operations of one and two operands: a plan's loop around buffers.
 *
 * From the cheapest to the most general: one call of the loop (same shape and order, or a scalar); nested loops over coalesced axes
 * (broadcast and strided); blocks of converted elements (mixed dtypes in one order); NumPy's iterator (large, strided and mixed); the
 * Python callable of the plan (no loop, foreign byte order, unaligned).
 */
#include "loops/loops.h"

enum {
    BLOCK = 128,   /* elements converted at once: so few that the processor keeps fetching from all operands ahead, as it does in one loop */
    FEW = 4096,    /* elements up to which nested loops are cheaper than NumPy's iterator, whatever the strides */
    LONG_ROW = 64, /* elements of the last axis from which nested loops are as good as the iterator */
    ORDER = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS,
};

/* Let other threads run where there is much to do. The plan is kept meanwhile, for its state may go. */
static void call_loop(const Plan *plan, char **pointers, const npy_intp *count, const npy_intp *steps) {
    if (*count < UNLOCKED) {
        plan->loop(pointers, count, steps, plan->auxiliary);
        return;
    }
    Py_INCREF((PyObject *)plan);
    Py_BEGIN_ALLOW_THREADS
    plan->loop(pointers, count, steps, plan->auxiliary);
    Py_END_ALLOW_THREADS
    Py_DECREF((PyObject *)plan);
}

/* -- the plan's Python callable ---------------------------------------------------------------------------------------------------------- */

/* Wrap what a kernel answered; takes over `answer`. */
static PyObject *wrap_answer(const Plan *plan, PyObject *answer) {
    if (answer == NULL) return NULL;
    if (!PyArray_CheckExact(answer)) { /* NumPy makes scalars of results without dimensions */
        PyObject *array = PyArray_FromAny(answer, NULL, 0, 0, 0, NULL);
        Py_DECREF(answer);
        if (array == NULL) return NULL;
        answer = array;
    }
    return wrap_checked((PyArrayObject *)answer, plan->node);
}

/* Have the plan's callable compute. May run Python. */
static PyObject *call_kernel(Operation *operation, Plan *plan, PyObject *a, PyObject *b) {
    if (plan->call == NULL) return PyErr_Format(PyExc_NotImplementedError, "%U: there is neither a loop nor a kernel", operation->name);
    PyObject *arguments[] = {a, b};
    Py_INCREF((PyObject *)plan);
    PyObject *result = wrap_answer(plan, call_silently(plan->call, arguments, b == NULL ? 1 : 2));
    Py_DECREF((PyObject *)plan);
    return result;
}

/* -- operands in one order --------------------------------------------------------------------------------------------------------------------- */

/* Where a loop reads an operand: elements of some type, `step` bytes apart (0: the same one again and again). */
typedef struct { const char *start; npy_intp step; Type type; } Source;

/* Find the conversion of an operand; it is NumPy's, which rounds to narrow floats by way of float32 (but float64 to float16 at once). */
static bool find_operand_conversion(Type from, Type to, Conversion *found) {
    if (!find_conversion(from, to, found)) return false;
    if (is_native(from) && is_narrow_float(to) && found->second != NULL && !(from == E_FLOAT64 && to == E_FLOAT16))
        found->first = cast_between(from, E_FLOAT32);
    return found->first != NULL;
}

/* Convert blocks and call the loop on them. Each source is contiguous or one element; of another type than the loop's, it has a conversion. */
static void run_blocks(const Plan *plan, const Source *sources, const Conversion *conversions, int count, char *out, npy_intp size) {
    _Alignas(16) char room[2][BLOCK * 16];
    bool converts[2] = {false, false};
    char *pointers[3];
    npy_intp steps[3];
    for (int i = 0; i < count; i++) {
        steps[i] = sources[i].step;
        pointers[i] = (char *)sources[i].start;
        if (sources[i].type == plan->type) continue;
        pointers[i] = room[i];
        if (steps[i] == 0) { /* one element: converted once */
            convert_elements(&conversions[i], sources[i].start, room[i], 1);
        } else {
            converts[i] = true;
            steps[i] = plan->input_size;
        }
    }
    steps[count] = plan->output_size;
    const npy_intp some = converts[0] || converts[1] ? BLOCK : size;
    for (npy_intp done = 0; done < size; done += some) {
        npy_intp now = size - done < some ? size - done : some, later = size - done - now, next = later < some ? later : some;
        if (size >= FAR) {
            for (int i = 0; i < count; i++) fetch(sources[i].start + (done + now) * sources[i].step, next * sources[i].step);
            fetch(out + (done + now) * plan->output_size, next * plan->output_size);
        }
        for (int i = 0; i < count; i++) {
            if (converts[i]) convert_elements(&conversions[i], sources[i].start + done * sources[i].step, room[i], now);
            else if (pointers[i] != room[i]) pointers[i] = (char *)sources[i].start + done * steps[i];
        }
        /* The loop may move the pointers, so it gets copies. */
        char *now_pointers[3] = {pointers[0], count == 2 ? pointers[1] : out + done * plan->output_size, out + done * plan->output_size};
        plan->loop(now_pointers, &now, steps, plan->auxiliary);
    }
}

/* Compute into `out` from sources in its order; false where a conversion is missing. */
static bool run_flat(const Plan *plan, const Source *sources, int count, char *out, npy_intp size) {
    Conversion conversions[2];
    bool mixed = false;
    for (int i = 0; i < count; i++) {
        if (sources[i].type == plan->type) continue;
        if (!find_operand_conversion(sources[i].type, plan->type, &conversions[i])) return false;
        mixed = true;
    }
    if (!mixed) {
        char *pointers[3] = {(char *)sources[0].start, count == 2 ? (char *)sources[1].start : out, out};
        npy_intp steps[3] = {sources[0].step, count == 2 ? sources[1].step : plan->output_size, plan->output_size};
        call_loop(plan, pointers, &size, steps);
    } else if (size < UNLOCKED) run_blocks(plan, sources, conversions, count, out, size);
    else {
        Py_INCREF((PyObject *)plan);
        Py_BEGIN_ALLOW_THREADS
        run_blocks(plan, sources, conversions, count, out, size);
        Py_END_ALLOW_THREADS
        Py_DECREF((PyObject *)plan);
    }
    return true;
}

/* -- broadcast and strided operands ---------------------------------------------------------------------------------------------------------------- */

int broadcast(int count, PyArrayObject *const *arrays, npy_intp *shape) {
    int ndim = 0;
    for (int i = 0; i < count; i++) ndim = PyArray_NDIM(arrays[i]) > ndim ? PyArray_NDIM(arrays[i]) : ndim;
    for (int axis = 0; axis < ndim; axis++) {
        shape[axis] = 1;
        for (int i = 0; i < count; i++) {
            int own = axis - ndim + PyArray_NDIM(arrays[i]);
            npy_intp length = own < 0 ? 1 : PyArray_DIM(arrays[i], own);
            if (length == 1 || length == shape[axis]) continue;
            if (shape[axis] != 1) return -1;
            shape[axis] = length;
        }
    }
    return ndim;
}

/* A nest of loops over two operands and a result. */
typedef struct { int ndim; npy_intp shape[NPY_MAXDIMS], strides[3][NPY_MAXDIMS]; } Nest;

/* Merge axes that lie behind one another in every operand, and drop those of length 1. */
static void coalesce(Nest *nest) {
    int kept = 0;
    for (int axis = 0; axis < nest->ndim; axis++) {
        if (nest->shape[axis] == 1) continue;
        bool merges = kept > 0;
        for (int i = 0; merges && i < 3; i++) merges = nest->strides[i][kept - 1] == nest->strides[i][axis] * nest->shape[axis];
        int target = merges ? kept - 1 : kept++;
        nest->shape[target] = merges ? nest->shape[target] * nest->shape[axis] : nest->shape[axis];
        for (int i = 0; i < 3; i++) nest->strides[i][target] = nest->strides[i][axis];
    }
    nest->ndim = kept;
}

static void run_nest(const Plan *plan, const Nest *nest, char *const *starts) {
    int last = nest->ndim - 1;
    npy_intp count = last < 0 ? 1 : nest->shape[last], place[NPY_MAXDIMS] = {0};
    npy_intp steps[3];
    char *pointers[3] = {starts[0], starts[1], starts[2]};
    for (int i = 0; i < 3; i++) steps[i] = last < 0 ? 0 : nest->strides[i][last];
    for (;;) {
        char *now[3] = {pointers[0], pointers[1], pointers[2]};
        plan->loop(now, &count, steps, plan->auxiliary);
        int axis = last - 1;
        for (; axis >= 0; axis--) {
            for (int i = 0; i < 3; i++) pointers[i] += nest->strides[i][axis];
            if (++place[axis] < nest->shape[axis]) break;
            for (int i = 0; i < 3; i++) pointers[i] -= nest->strides[i][axis] * nest->shape[axis];
            place[axis] = 0;
        }
        if (axis < 0) return;
    }
}

/* Compute by NumPy's iterator, which orders axes, converts elements and copies where operands overlap; into `target`, or, without one, into a
 * new result. Returns a new reference, or NULL with an exception and nothing computed. */
static PyArrayObject *run_iterator(const Plan *plan, PyArrayObject *const *inputs, int count, PyArrayObject *target) {
    PyArrayObject *operands[3] = {inputs[0], count == 2 ? inputs[1] : NULL, NULL};
    npy_uint32 flags[3], all = NPY_ITER_EXTERNAL_LOOP | NPY_ITER_BUFFERED | NPY_ITER_GROWINNER | NPY_ITER_ZEROSIZE_OK;
    npy_uint32 read = NPY_ITER_READONLY | NPY_ITER_ALIGNED | NPY_ITER_NBO, write = NPY_ITER_WRITEONLY | NPY_ITER_ALLOCATE;
    PyArray_Descr *dtypes[3] = {plan->input, count == 2 ? plan->input : plan->node->dtype, plan->node->dtype};
    if (target != NULL) {
        all |= NPY_ITER_COPY_IF_OVERLAP;
        read |= NPY_ITER_OVERLAP_ASSUME_ELEMENTWISE;
        write = NPY_ITER_WRITEONLY | NPY_ITER_ALIGNED | NPY_ITER_NBO | NPY_ITER_NO_BROADCAST | NPY_ITER_OVERLAP_ASSUME_ELEMENTWISE;
    }
    flags[0] = read;
    flags[1] = count == 2 ? read : write;
    flags[2] = write;
    operands[count] = target;
    NpyIter *iterator = NpyIter_MultiNew(count + 1, operands, all, NPY_KEEPORDER, NPY_UNSAFE_CASTING, flags, dtypes);
    if (iterator == NULL) return NULL;
    PyArrayObject *out = target != NULL ? target : NpyIter_GetOperandArray(iterator)[count]; /* of an overlapping target, that is a copy */
    Py_INCREF(out);
    NpyIter_IterNextFunc *next = NpyIter_GetIterSize(iterator) == 0 ? NULL : NpyIter_GetIterNext(iterator, NULL);
    if (next != NULL) {
        char **pointers = NpyIter_GetDataPtrArray(iterator);
        npy_intp *steps = NpyIter_GetInnerStrideArray(iterator), *inner = NpyIter_GetInnerLoopSizePtr(iterator);
        Py_INCREF((PyObject *)plan);
        NPY_BEGIN_THREADS_DEF;
        if (!NpyIter_IterationNeedsAPI(iterator)) { NPY_BEGIN_THREADS_THRESHOLDED(NpyIter_GetIterSize(iterator)); } /* conversions may */
        do {
            char *now[3] = {pointers[0], pointers[1], count == 2 ? pointers[2] : NULL};
            plan->loop(now, inner, steps, plan->auxiliary);
        } while (next(iterator));
        NPY_END_THREADS;
        Py_DECREF((PyObject *)plan);
    }
    if (NpyIter_Deallocate(iterator) != NPY_SUCCEED || PyErr_Occurred()) { Py_DECREF(out); return NULL; }
    return out;
}

/* Compute by a nest of loops into a new C-contiguous result; a scalar has no array. */
static PyArrayObject *run_strided(const Plan *plan, PyArrayObject *a, PyArrayObject *b, const char *scalar, int ndim, const npy_intp *shape) {
    PyArrayObject *operands[2] = {a, b}, *out = new_data(plan->node, ndim, shape, false);
    if (out == NULL) return NULL;
    Nest nest = {.ndim = ndim};
    char *starts[3];
    memcpy(nest.shape, shape, ndim * sizeof(npy_intp));
    for (int i = 0; i < 2; i++) {
        int offset = operands[i] == NULL ? ndim : ndim - PyArray_NDIM(operands[i]);
        starts[i] = operands[i] == NULL ? (char *)scalar : PyArray_BYTES(operands[i]);
        for (int axis = 0; axis < ndim; axis++)
            nest.strides[i][axis] = axis < offset || PyArray_DIM(operands[i], axis - offset) == 1 ? 0 : PyArray_STRIDE(operands[i], axis - offset);
    }
    starts[2] = PyArray_BYTES(out);
    memcpy(nest.strides[2], PyArray_STRIDES(out), ndim * sizeof(npy_intp));
    npy_intp size = PyArray_SIZE(out);
    if (size == 0) return out;
    coalesce(&nest);
    Py_INCREF((PyObject *)plan);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(size);
    run_nest(plan, &nest, starts);
    NPY_END_THREADS;
    Py_DECREF((PyObject *)plan);
    return out;
}

/* Return the result of an operation, which the caller gives; where it is NULL because it would be larger than any array, have the hook say so. The
 * second operand may be a scalar, or NULL. */
static PyObject *made(Operation *operation, const Node *node, PyObject *result, const Array *x, PyObject *y) {
    if (result != NULL || !PyErr_ExceptionMatches(PyExc_ValueError)) return result;
    PyArrayObject *arrays[] = {x->data, y != NULL && IS_ARRAY(y) ? ((Array *)y)->data : x->data};
    npy_intp shape[NPY_MAXDIMS];
    int ndim = broadcast(2, arrays, shape);
    if (ndim < 0 || bytes_of_shape(ndim, shape, PyDataType_ELSIZE(node->dtype)) < TOO_LARGE) return NULL;
    PyErr_Clear();
    return call_hook(HOOK_mismatch, (PyObject *)operation, (PyObject *)x, y, NULL);
}

/* -- two operands ------------------------------------------------------------------------------------------------------------------------------------- */

static bool same_shape(PyArrayObject *a, PyArrayObject *b) {
    int ndim = PyArray_NDIM(a);
    if (PyArray_NDIM(b) != ndim) return false;
    for (int i = 0; i < ndim; i++)
        if (PyArray_DIM(a, i) != PyArray_DIM(b, i)) return false;
    return true;
}

/* Whether one of two arrays has one element and no more axes than the other, so that it counts as a scalar beside it. */
static bool beside(PyArrayObject *small, PyArrayObject *large) {
    return PyArray_NDIM(small) <= PyArray_NDIM(large) && PyArray_SIZE(small) == 1;
}

/* Convert a small operand to the loop's dtype as a whole; a new reference. */
static PyArrayObject *converted(const Plan *plan, const Array *x) {
    if (x->node->type == plan->type) return (PyArrayObject *)Py_NewRef((PyObject *)x->data);
    if (!is_native(plan->type)) { /* numbers may be too large for it, of which NumPy would speak */
        PyObject *astype = PyObject_GetAttrString((PyObject *)x->data, "astype"), *arguments[] = {(PyObject *)plan->input};
        PyObject *found = astype == NULL ? NULL : call_silently(astype, arguments, 1);
        Py_XDECREF(astype);
        return (PyArrayObject *)found;
    }
    Py_INCREF(plan->input); /* which NumPy takes over */
    return (PyArrayObject *)PyArray_FromArray(x->data, plan->input, NPY_ARRAY_FORCECAST);
}

/* Two arrays that do not lie in one order. */
static PyObject *two_strided(Operation *operation, Plan *plan, const Array *x, const Array *y) {
    PyArrayObject *operands[2] = {x->data, y->data};
    npy_intp shape[NPY_MAXDIMS], size = 1;
    const Node *node = plan->node; /* plans may go where the lock is released, nodes stay */
    int ndim = broadcast(2, operands, shape);
    if (ndim < 0) return call_hook(HOOK_mismatch, (PyObject *)operation, (PyObject *)x, (PyObject *)y, NULL);
    for (int i = 0; i < ndim; i++) size = size_product(size, shape[i]); /* of a size that does not fit, NumPy says so when the result is made */
    bool mixed = x->node->type != plan->type || y->node->type != plan->type;
    PyObject *result;
    if (size > FEW && (mixed || shape[ndim - 1] < LONG_ROW)) result = wrap(run_iterator(plan, operands, 2, NULL), node);
    else if (!mixed) result = wrap(run_strided(plan, x->data, y->data, NULL, ndim, shape), node);
    else {
        Py_INCREF((PyObject *)plan);
        PyArrayObject *a = converted(plan, x), *b = a == NULL ? NULL : converted(plan, y);
        result = b == NULL ? NULL : wrap(run_strided(plan, a, b, NULL, ndim, shape), node);
        Py_XDECREF(a);
        Py_XDECREF(b);
        Py_DECREF((PyObject *)plan);
    }
    return made(operation, node, result, x, (PyObject *)y);
}

static PyObject *two_arrays(Operation *operation, Plan *plan, const Array *x, const Array *y) {
    PyArrayObject *a = x->data, *b = y->data, *like;
    enum { PLAIN = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED };
    if (plan->loop != NULL && x->node->type == plan->type && y->node->type == plan->type &&
        (PyArray_FLAGS(a) & PyArray_FLAGS(b) & PLAIN) == PLAIN && same_shape(a, b) && is_of(a, x->node) && is_of(b, y->node)) {
        /* The most frequent operands; what follows would do the same. */
        const Node *node = plan->node;
        PyArrayObject *out = new_data(node, PyArray_NDIM(a), PyArray_DIMS(a), false);
        if (out == NULL) return made(operation, node, NULL, x, (PyObject *)y);
        char *pointers[] = {PyArray_BYTES(a), PyArray_BYTES(b), PyArray_BYTES(out)};
        npy_intp steps[] = {plan->input_size, plan->input_size, plan->output_size}, count = PyArray_SIZE(out);
        if (count > 0) call_loop(plan, pointers, &count, steps);
        return wrap(out, node);
    }
    if (plan->loop == NULL || !behaved(x) || !behaved(y)) {
        npy_intp shape[NPY_MAXDIMS];
        PyArrayObject *operands[2] = {a, b};
        if (broadcast(2, operands, shape) < 0) return call_hook(HOOK_mismatch, (PyObject *)operation, (PyObject *)x, (PyObject *)y, NULL);
        const Node *node = plan->node;
        return made(operation, node, call_kernel(operation, plan, (PyObject *)a, (PyObject *)b), x, (PyObject *)y);
    }
    int order = PyArray_FLAGS(a) & PyArray_FLAGS(b) & ORDER;
    npy_intp a_step = PyArray_ITEMSIZE(a), b_step = PyArray_ITEMSIZE(b);
    if (order && same_shape(a, b)) like = a;
    else if ((PyArray_FLAGS(a) & ORDER) && beside(b, a)) { like = a; b_step = 0; order = PyArray_FLAGS(a) & ORDER; }
    else if ((PyArray_FLAGS(b) & ORDER) && beside(a, b)) { like = b; a_step = 0; order = PyArray_FLAGS(b) & ORDER; }
    else return two_strided(operation, plan, x, y);
    PyArrayObject *out = new_data(plan->node, PyArray_NDIM(like), PyArray_DIMS(like), !(order & NPY_ARRAY_C_CONTIGUOUS));
    if (out == NULL) return made(operation, plan->node, NULL, x, (PyObject *)y);
    Source sources[2] = {{PyArray_BYTES(a), a_step, x->node->type}, {PyArray_BYTES(b), b_step, y->node->type}};
    npy_intp size = PyArray_SIZE(out);
    const Node *node = plan->node; /* as above */
    if (size == 0 || run_flat(plan, sources, 2, PyArray_BYTES(out), size)) return wrap(out, node);
    Py_DECREF(out);
    return call_kernel(operation, plan, (PyObject *)a, (PyObject *)b);
}

/* Have Python make the scalar's buffer, which may have another dtype than the loop's (see `Plan.convert`). May run Python. */
static PyObject *converted_scalar(Operation *operation, Plan *plan, const Array *x, PyObject *scalar, bool scalar_first) {
    if (plan->convert == NULL) return PyErr_Format(PyExc_NotImplementedError, "%U: the plan converts no scalar", operation->name);
    Py_INCREF((PyObject *)plan);
    PyObject *result = NULL, *buffer = PyObject_CallOneArg(plan->convert, scalar);
    if (buffer != NULL && !PyArray_CheckExact(buffer)) {
        PyErr_Format(PyExc_TypeError, "%U: convert must return an ndarray, got %R", operation->name, buffer);
        Py_CLEAR(buffer);
    }
    if (buffer != NULL)
        result = call_kernel(operation, plan, scalar_first ? buffer : (PyObject *)x->data, scalar_first ? (PyObject *)x->data : buffer);
    Py_XDECREF(buffer);
    Py_DECREF((PyObject *)plan);
    return result;
}

/* Make an ndarray without dimensions of an element of the loop's input. */
static PyArrayObject *scalar_buffer(const Plan *plan, const char *place) {
    Py_INCREF(plan->input); /* which NumPy takes over */
    PyArrayObject *buffer = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, plan->input, 0, NULL, NULL, NULL, 0, NULL);
    if (buffer != NULL) memcpy(PyArray_BYTES(buffer), place, plan->input_size);
    return buffer;
}

static PyObject *array_and_scalar(Operation *operation, Plan *plan, const Array *x, PyObject *scalar, Scalar kind, bool scalar_first) {
    _Alignas(16) char place[16];
    PyArrayObject *a = x->data;
    int written = plan->loop != NULL && behaved(x) ? write_scalar(plan, scalar, kind, place) : 0;
    if (written < 0) return NULL;
    if (!written) return converted_scalar(operation, plan, x, scalar, scalar_first);
    Source array = {PyArray_BYTES(a), PyArray_ITEMSIZE(a), x->node->type}, one = {place, 0, plan->type};
    Source sources[2] = {scalar_first ? one : array, scalar_first ? array : one};
    const Node *node = plan->node;
    if (PyArray_FLAGS(a) & ORDER) {
        PyArrayObject *out = new_data(node, PyArray_NDIM(a), PyArray_DIMS(a), !PyArray_IS_C_CONTIGUOUS(a));
        if (out == NULL) return made(operation, node, NULL, x, scalar);
        npy_intp size = PyArray_SIZE(out);
        if (size == 0 || run_flat(plan, sources, 2, PyArray_BYTES(out), size)) return wrap(out, node);
        Py_DECREF(out);
        return converted_scalar(operation, plan, x, scalar, scalar_first);
    }
    if (PyArray_SIZE(a) > FEW) {
        PyArrayObject *operand = scalar_buffer(plan, place), *operands[2] = {scalar_first ? operand : a, scalar_first ? a : operand};
        PyObject *result = operand == NULL ? NULL : wrap(run_iterator(plan, operands, 2, NULL), node);
        Py_XDECREF(operand);
        return made(operation, node, result, x, scalar);
    }
    PyArrayObject *operand = converted(plan, x);
    if (operand == NULL) return NULL;
    PyArrayObject *first = scalar_first ? NULL : operand, *second = scalar_first ? operand : NULL;
    PyArrayObject *out = run_strided(plan, first, second, place, PyArray_NDIM(operand), PyArray_DIMS(operand));
    Py_DECREF(operand);
    return wrap(out, node);
}

/* Apply an operation after ndarrays, and a Python scalar beside no Array, became Arrays. */
static PyObject *after_conversion(Operation *operation, PyObject *x, PyObject *y) {
    bool second_stays = IS_ARRAY(y) || scalar_kind(y) != S_NONE;
    bool first_stays = IS_ARRAY(x) || (scalar_kind(x) != S_NONE && scalar_kind(y) == S_NONE);
    PyObject *first = first_stays ? Py_NewRef(x) : plain_operand(x);
    PyObject *second = first == NULL ? NULL : second_stays ? Py_NewRef(y) : plain_operand(y);
    PyObject *result = second == NULL ? NULL : quick_binary(operation, first, second); /* of which one is an Array now */
    Py_XDECREF(first);
    Py_XDECREF(second);
    return result;
}

PyObject *quick_binary(Operation *operation, PyObject *x, PyObject *y) {
    PyObject *result;
    Plan *plan;
    bool owned;
    if (IS_ARRAY(x) && IS_ARRAY(y)) {
        plan = plan_of_two(operation, (Array *)x, (Array *)y, &owned);
        if (plan == NULL) return NULL;
        PyArrayObject *first = held((Array *)x), *second = held((Array *)y);
        result = two_arrays(operation, plan, (Array *)x, (Array *)y);
        Py_DECREF(first);
        Py_DECREF(second);
    } else {
        bool scalar_first = !IS_ARRAY(x);
        PyObject *array = scalar_first ? y : x, *scalar = scalar_first ? x : y;
        Scalar kind = scalar_kind(scalar);
        if (kind == S_NONE || !IS_ARRAY(array)) return after_conversion(operation, x, y);
        plan = plan_of_scalar(operation, (Array *)array, kind, scalar_first, &owned);
        if (plan == NULL) return NULL;
        PyArrayObject *data = held((Array *)array);
        result = array_and_scalar(operation, plan, (Array *)array, scalar, kind, scalar_first);
        Py_DECREF(data);
    }
    PLAN_DONE(plan, owned);
    return result;
}

/* -- one operand -------------------------------------------------------------------------------------------------------------------------------------- */

static PyObject *one_array(Operation *operation, Plan *plan, const Array *x) {
    PyArrayObject *a = x->data;
    const Node *node = plan->node;
    if (plan->loop == NULL || !behaved(x)) return made(operation, node, call_kernel(operation, plan, (PyObject *)a, NULL), x, NULL);
    if (!(PyArray_FLAGS(a) & ORDER)) return made(operation, node, wrap(run_iterator(plan, &a, 1, NULL), node), x, NULL);
    PyArrayObject *out = new_data(node, PyArray_NDIM(a), PyArray_DIMS(a), !PyArray_IS_C_CONTIGUOUS(a));
    if (out == NULL) return made(operation, node, NULL, x, NULL);
    Source source = {PyArray_BYTES(a), PyArray_ITEMSIZE(a), x->node->type};
    npy_intp size = PyArray_SIZE(out);
    if (size == 0 || run_flat(plan, &source, 1, PyArray_BYTES(out), size)) return wrap(out, node);
    Py_DECREF(out);
    return call_kernel(operation, plan, (PyObject *)a, NULL);
}

PyObject *quick_unary(Operation *operation, PyObject *x) {
    bool owned;
    if (!IS_ARRAY(x)) {
        PyObject *array = plain_operand(x), *result = array == NULL ? NULL : quick_unary(operation, array);
        Py_XDECREF(array);
        return result;
    }
    Plan *plan = plan_of_one(operation, (Array *)x, &owned);
    if (plan == NULL) return NULL;
    PyArrayObject *data = held((Array *)x);
    PyObject *result = one_array(operation, plan, (Array *)x);
    Py_DECREF(data);
    PLAN_DONE(plan, owned);
    return result;
}

/* -- in place ------------------------------------------------------------------------------------------------------------------------------------------ */

/* Whether two contiguous buffers share memory without being the same elements. */
static bool overlap(PyArrayObject *a, PyArrayObject *b) {
    const char *first = PyArray_BYTES(a), *second = PyArray_BYTES(b);
    if (first == second && PyArray_NBYTES(a) == PyArray_NBYTES(b)) return false;
    return first < second + PyArray_NBYTES(b) && second < first + PyArray_NBYTES(a);
}

/* Whether the result of a plan goes into a buffer in one call of the loop (or block by block). */
static bool flat_in_place(PyArrayObject *a, PyArrayObject *b) {
    int order = PyArray_FLAGS(a) & ORDER;
    if (b == NULL || !order) return order != 0;
    return PyArray_ISALIGNED(b) && (beside(b, a) || ((order & PyArray_FLAGS(b)) && same_shape(a, b))) && !overlap(a, b);
}

/* Compute into `a`, beside an array's buffer `b` or, without one, the element at `place`; false without an exception where it is not plain. */
static bool store_result(const Plan *plan, PyArrayObject *a, PyArrayObject *b, Type type, const char *place) {
    npy_intp size = PyArray_SIZE(a);
    if (flat_in_place(a, b)) {
        Source sources[2] = {{PyArray_BYTES(a), PyArray_ITEMSIZE(a), plan->type}, {place, 0, plan->type}};
        if (b != NULL) sources[1] = (Source){PyArray_BYTES(b), PyArray_SIZE(b) == 1 ? 0 : PyArray_ITEMSIZE(b), type};
        return size == 0 || run_flat(plan, sources, 2, PyArray_BYTES(a), size);
    }
    PyArrayObject *other = b == NULL ? scalar_buffer(plan, place) : (PyArrayObject *)Py_NewRef((PyObject *)b);
    PyArrayObject *operands[2] = {a, other}, *out = other == NULL ? NULL : run_iterator(plan, operands, 2, a);
    if (out == NULL) PyErr_Clear(); /* the hook says which shapes do not fit */
    Py_XDECREF(other);
    Py_XDECREF(out);
    return out != NULL;
}

PyObject *quick_in_place(Operation *operation, PyObject *x, PyObject *y) {
    Array *target = (Array *)x, *array = IS_ARRAY(y) ? (Array *)y : NULL;
    _Alignas(16) char place[16];
    Scalar kind = array != NULL ? S_NONE : scalar_kind(y);
    if (array == NULL && kind == S_NONE) return NULL;
    bool owned, done = false;
    Plan *plan = array != NULL ? plan_of_two(operation, target, array, &owned) : plan_of_scalar(operation, target, kind, false, &owned);
    if (plan == NULL) return NULL;
    if (plan->loop != NULL && plan->type == target->node->type && plan->node->type == target->node->type && behaved(target) &&
        PyArray_ISWRITEABLE(target->data) && (array == NULL || is_of(array->data, array->node)) && (array != NULL || write_scalar(plan, y, kind, place) == 1)) {
        PyArrayObject *a = held(target), *b = array == NULL ? NULL : held(array);
        done = store_result(plan, a, b, array == NULL ? plan->type : array->node->type, place);
        Py_DECREF(a);
        Py_XDECREF(b);
    }
    PLAN_DONE(plan, owned);
    return done ? Py_NewRef(x) : NULL;
}
