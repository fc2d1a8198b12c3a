/* Operations of one and two operands: a plan's loop around buffers.
 *
 * From the cheapest to the most general: one call of the loop (same shape and order, or a scalar); nested loops over
 * coalesced axes (broadcast and strided); blocks of converted elements (mixed dtypes in one order); NumPy's iterator
 * (large, strided and mixed); the Python callable of the plan (no loop, foreign byte order, unaligned).
 */
#include "batches.h"
#include "hooks.h"
#include "loops/loops.h"
#include "run.h"
#include "scalars.h"
#include "threads.h"

enum {
    BLOCK = 128, /* elements converted at once: so few that the processor keeps fetching from all operands ahead, as it
                    does in one loop */
    FEW = 4096,  /* elements up to which nested loops are cheaper than NumPy's iterator, whatever the strides */
    LONG_ROW = 64, /* elements of the last axis from which nested loops are as good as the iterator */
    ORDER = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS,
};

/* A call of a loop that threads share. */
typedef struct {
    const Plan *plan;
    int operands;
    char *const *pointers;
    const npy_intp *steps;
} LoopCall;

static void loop_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const LoopCall *call = context;
    char *pointers[4];
    npy_intp count = last - first;
    for (int i = 0; i < call->operands; i++) pointers[i] = call->pointers[i] + first * call->steps[i];
    call->plan->loop(pointers, &count, call->steps, call->plan->auxiliary);
}

void share_loop(const Plan *plan, int operands, char *const *pointers, const npy_intp *steps, npy_intp count) {
    divide_work(MOST_THREADS, loop_part, &(LoopCall){plan, operands, pointers, steps}, count, 1);
}

/* Let other threads run where there is much to do, or compute too. */
static void call_loop(const Plan *plan, char **pointers, const npy_intp *count, const npy_intp *steps) {
    if (*count < UNLOCKED) {
        plan->loop(pointers, count, steps, plan->auxiliary);
        return;
    }
    Py_BEGIN_ALLOW_THREADS
    if (*count < SHARED) plan->loop(pointers, count, steps, plan->auxiliary);
    else share_loop(plan, 3, pointers, steps, *count);
    Py_END_ALLOW_THREADS
}

/* -- the plan's Python callable -- */

/* Wrap the result of a kernel; takes over `result`. */
static PyObject *wrap_result(const Plan *plan, PyObject *result) {
    if (result == NULL) return NULL;
    if (!PyArray_CheckExact(result)) { /* NumPy makes scalars of results without dimensions */
        PyObject *array = PyArray_FromAny(result, NULL, 0, 0, 0, NULL);
        Py_DECREF(result);
        if (array == NULL) return NULL;
        result = array;
    }
    return wrap_checked((PyArrayObject *)result, plan->node);
}

/* Have the plan's callable compute. May run Python. */
static PyObject *call_kernel(Operation *operation, const Plan *plan, PyObject *a, PyObject *b) {
    if (plan->call == NULL)
        return PyErr_Format(PyExc_NotImplementedError, "%U: there is neither a loop nor a kernel", operation->name);
    PyObject *arguments[] = {a, b};
    return wrap_result(plan, call_silently(plan->call, arguments, b == NULL ? 1 : 2));
}

/* -- operands in one order -- */

bool find_operand_conversion(Type from, Type to, Conversion *found) {
    if (!find_conversion(from, to, found)) return false;
    if (is_native(from) && is_narrow_float(to) && found->second != NULL && !(from == E_FLOAT64 && to == E_FLOAT16))
        found->first = cast_between(from, E_FLOAT32);
    return found->first != NULL;
}

/* What `compute_blocks` is, for callers here. */
static inline void run_blocks(const Plan *plan, const Source *sources, const Conversion *conversions, int count,
                              char *out, npy_intp size) {
    _Alignas(16) char scratch[2][BLOCK * 16];
    bool converts[2] = {false, false};
    char *pointers[3];
    npy_intp steps[3];
    for (int i = 0; i < count; i++) {
        steps[i] = sources[i].step;
        pointers[i] = (char *)sources[i].start;
        if (sources[i].type == plan->type) continue;
        pointers[i] = scratch[i];
        if (steps[i] == 0) { /* one element: converted once */
            convert_elements(&conversions[i], sources[i].start, scratch[i], 1);
        } else {
            converts[i] = true;
            steps[i] = plan->input_size;
        }
    }
    steps[count] = plan->output_size;
    const npy_intp some = converts[0] || converts[1] ? BLOCK : size;
    for (npy_intp done = 0; done < size; done += some) {
        npy_intp now = size - done < some ? size - done : some;
        for (int i = 0; i < count; i++) {
            if (converts[i])
                convert_elements(&conversions[i], sources[i].start + done * sources[i].step, scratch[i], now);
            else if (pointers[i] != scratch[i]) pointers[i] = (char *)sources[i].start + done * steps[i];
        }
        /* The loop may move the pointers, so it gets copies. */
        char *now_pointers[3] = {pointers[0], count == 2 ? pointers[1] : out + done * plan->output_size,
                                 out + done * plan->output_size};
        plan->loop(now_pointers, &now, steps, plan->auxiliary);
    }
}

void compute_blocks(const Plan *plan, const Source *sources, const Conversion *conversions, int count, char *out,
                    npy_intp size) {
    run_blocks(plan, sources, conversions, count, out, size);
}

/* The same of parts of it. */
typedef struct {
    const Plan *plan;
    const Source *sources;
    const Conversion *conversions;
    int count;
    char *out;
} Blocks;

static void blocks_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Blocks *blocks = context;
    Source sources[2] = {blocks->sources[0], blocks->sources[blocks->count - 1]};
    for (int i = 0; i < 2; i++) sources[i].start += first * sources[i].step;
    run_blocks(blocks->plan, sources, blocks->conversions, blocks->count,
               blocks->out + first * blocks->plan->output_size, last - first);
}

/* Compute into `out` from sources in its order; false where a conversion is missing. */
static inline bool run_flat(const Plan *plan, const Source *sources, int count, char *out, npy_intp size) {
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
        Py_BEGIN_ALLOW_THREADS
        if (size < SHARED) run_blocks(plan, sources, conversions, count, out, size);
        else divide_work(MOST_THREADS, blocks_part, &(Blocks){plan, sources, conversions, count, out}, size, 1);
        Py_END_ALLOW_THREADS
    }
    return true;
}

/* -- broadcast and strided operands -- */

/* Whether NumPy's iterator converts elements for a plan's loop: casts of other types are missing, or warn, or drop
 * imaginary parts. */
static bool iterates(const Plan *plan, Type type) {
    return type == plan->type || (is_native(type) && is_native(plan->type));
}

/* Whether the elements of rows lie backwards: some loops of NumPy's round them differently, and its iterator may
 * buffer them. */
static bool is_backwards(PyArrayObject *a) {
    int ndim = PyArray_NDIM(a);
    return ndim > 1 && PyArray_STRIDE(a, ndim - 1) < 0 && PyArray_DIM(a, ndim - 1) > 1;
}

/* Compute by NumPy's iterator, which orders axes, converts elements and copies where operands overlap; into `target`,
 * or, without one, into a new result. Returns a new reference, or NULL with an exception and nothing computed. */
static PyArrayObject *run_iterator(const Plan *plan, PyArrayObject *const *inputs, int count, PyArrayObject *target) {
    PyArrayObject *operands[3] = {inputs[0], count == 2 ? inputs[1] : NULL, NULL};
    npy_uint32 flags[3], all = NPY_ITER_EXTERNAL_LOOP | NPY_ITER_BUFFERED | NPY_ITER_GROWINNER | NPY_ITER_ZEROSIZE_OK;
    npy_uint32 read = NPY_ITER_READONLY | NPY_ITER_ALIGNED | NPY_ITER_NBO,
               write = NPY_ITER_WRITEONLY | NPY_ITER_ALLOCATE;
    PyArray_Descr *dtypes[3] = {plan->input, count == 2 ? plan->input : plan->node->dtype, plan->node->dtype};
    if (target != NULL) {
        all |= NPY_ITER_COPY_IF_OVERLAP;
        read |= NPY_ITER_OVERLAP_ASSUME_ELEMENTWISE;
        write = NPY_ITER_WRITEONLY | NPY_ITER_ALIGNED | NPY_ITER_NBO | NPY_ITER_NO_BROADCAST |
                NPY_ITER_OVERLAP_ASSUME_ELEMENTWISE;
    }
    flags[0] = read;
    flags[1] = count == 2 ? read : write;
    flags[2] = write;
    operands[count] = target;
    NpyIter *iterator = NpyIter_MultiNew(count + 1, operands, all, NPY_KEEPORDER, NPY_UNSAFE_CASTING, flags, dtypes);
    if (iterator == NULL) return NULL;
    PyArrayObject *out = target != NULL
                             ? target
                             : NpyIter_GetOperandArray(iterator)[count]; /* of an overlapping target, that is a copy */
    Py_INCREF(out);
    NpyIter_IterNextFunc *next = NpyIter_GetIterSize(iterator) == 0 ? NULL : NpyIter_GetIterNext(iterator, NULL);
    if (next != NULL) {
        char **pointers = NpyIter_GetDataPtrArray(iterator);
        npy_intp *steps = NpyIter_GetInnerStrideArray(iterator), *inner = NpyIter_GetInnerLoopSizePtr(iterator);
        NPY_BEGIN_THREADS_DEF;
        if (!NpyIter_IterationNeedsAPI(iterator)) {
            NPY_BEGIN_THREADS_THRESHOLDED(NpyIter_GetIterSize(iterator));
        } /* conversions may */
        do {
            char *now[3] = {pointers[0], pointers[1], count == 2 ? pointers[2] : NULL};
            plan->loop(now, inner, steps, plan->auxiliary);
        } while (next(iterator));
        NPY_END_THREADS;
    }
    if (NpyIter_Deallocate(iterator) != NPY_SUCCEED || PyErr_Occurred()) {
        Py_DECREF(out);
        return NULL;
    }
    return out;
}

/* -- how operands are computed -- */

/* What a loop computes with: the buffer of an array, or else an element of the loop's type. */
typedef struct {
    PyArrayObject *data; /* or NULL */
    Type type;
    const char *element;
} Input;
static inline Input input_of(const Operand *x) { return (Input){x->data, x->node->type, NULL}; }

/* What a computation ended with: an exception, operands whose shapes do not fit, or of which some cannot be converted,
 * or a result. */
typedef enum { FAILED, MISFIT, UNCONVERTED, COMPUTED } Outcome;
static inline Outcome outcome_of(PyArrayObject *out) { return out == NULL ? FAILED : COMPUTED; }

/* Make an ndarray without dimensions of an element of the loop's input. */
static PyArrayObject *scalar_buffer(const Plan *plan, const char *place) {
    Py_INCREF(plan->input); /* which NumPy takes over */
    PyArrayObject *buffer =
        (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, plan->input, 0, NULL, NULL, NULL, 0, NULL);
    if (buffer != NULL) memcpy(PyArray_BYTES(buffer), place, plan->input_size);
    return buffer;
}

/* Compute by a nest of loops into a new result. */
static PyArrayObject *run_strided(const Plan *plan, const Input *inputs, int ndim, const npy_intp *shape) {
    Nest nest = {.ndim = ndim};
    char *starts[3];
    memcpy(nest.shape, shape, ndim * sizeof(npy_intp));
    for (int i = 0; i < 2; i++) {
        PyArrayObject *data = inputs[i].data;
        int offset = data == NULL ? ndim : ndim - PyArray_NDIM(data);
        starts[i] = data == NULL ? (char *)inputs[i].element : PyArray_BYTES(data);
        for (int axis = 0; axis < ndim; axis++)
            nest.strides[i][axis] =
                axis < offset || PyArray_DIM(data, axis - offset) == 1 ? 0 : PyArray_STRIDE(data, axis - offset);
    }
    PyArrayObject *out = new_like_operands(plan, &nest);
    if (out == NULL) return NULL;
    starts[2] = PyArray_BYTES(out);
    memcpy(nest.strides[2], PyArray_STRIDES(out), ndim * sizeof(npy_intp));
    npy_intp size = PyArray_SIZE(out);
    if (size == 0) return out;
    coalesce(&nest);
    UNLOCKED_DO(size, share_nest(plan, &nest, starts, size));
    return out;
}

/* Have NumPy's iterator compute into a new result. */
static PyArrayObject *iterate(const Plan *plan, const Input *inputs, int count) {
    PyArrayObject *operands[2] = {NULL, NULL}, *out = NULL;
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        operands[i] = inputs[i].data == NULL ? scalar_buffer(plan, inputs[i].element)
                                             : (PyArrayObject *)Py_NewRef((PyObject *)inputs[i].data);
        good = operands[i] != NULL;
    }
    if (good) out = run_iterator(plan, operands, count, NULL);
    Py_XDECREF(operands[0]);
    Py_XDECREF(operands[1]);
    return out;
}

/* Broadcast the arrays among inputs: the number of axes, or -1 where their shapes do not fit. */
static int broadcast_inputs(const Input *inputs, int count, npy_intp *shape) {
    PyArrayObject *arrays[2];
    int some = 0;
    for (int i = 0; i < count; i++)
        if (inputs[i].data != NULL) arrays[some++] = inputs[i].data;
    return broadcast(some, arrays, shape);
}

/* Convert an operand to the loop's dtype as a whole; a new reference, or NULL, without an exception where there is no
 * conversion. May run Python. */
static PyArrayObject *converted(const Plan *plan, const Input *x) {
    Conversion how;
    if (x->type == plan->type) return (PyArrayObject *)Py_NewRef((PyObject *)x->data);
    if (!find_operand_conversion(x->type, plan->type, &how)) return NULL;
    bool fortran = PyArray_IS_F_CONTIGUOUS(x->data) && !PyArray_IS_C_CONTIGUOUS(x->data);
    int order = fortran ? NPY_ARRAY_FARRAY_RO : NPY_ARRAY_CARRAY_RO;
    PyArrayObject *from = (PyArrayObject *)PyArray_FromArray(x->data, NULL, order), *to = NULL;
    if (from == NULL) return NULL;
    to = new_buffer(plan->input, PyArray_NDIM(from), PyArray_DIMS(from), NULL, fortran);
    npy_intp size = PyArray_SIZE(from);
    bool same = type_of_dtype(PyArray_DESCR(from)) == x->type && PyArray_ISALIGNED(from); /* Python may have run */
    if (to != NULL && same && PyArray_SIZE(to) == size) {
        const char *elements = PyArray_BYTES(from);
        char *results = PyArray_BYTES(to);
        UNLOCKED_DO(size, share_conversion(&how, elements, results, size));
    } else Py_CLEAR(to);
    Py_DECREF(from);
    return to;
}

/* Whether a loop can read a buffer as it lies. */
static bool is_input(const Plan *plan, PyArrayObject *data) {
    return PyArray_ISALIGNED(data) && type_of_dtype(PyArray_DESCR(data)) == plan->type;
}

/* Compute from operands that are converted first. May run Python, after which the operands are looked at again. */
static Outcome run_converted(const Plan *plan, const Input *inputs, int count, PyArrayObject **out) {
    Input own[2] = {{NULL}, {NULL}};
    npy_intp shape[NPY_MAXDIMS];
    Outcome found = COMPUTED;
    for (int i = 0; found == COMPUTED && i < count; i++) {
        own[i] = inputs[i];
        if (inputs[i].data == NULL) continue;
        own[i].type = plan->type;
        own[i].data = converted(plan, &inputs[i]);
        if (own[i].data == NULL) found = PyErr_Occurred() ? FAILED : UNCONVERTED;
    }
    for (int i = 0; found == COMPUTED && i < count; i++)
        if (own[i].data != NULL && !is_input(plan, own[i].data)) found = UNCONVERTED;
    int ndim = found == COMPUTED ? broadcast_inputs(own, count, shape) : -1;
    if (ndim < 0 && found == COMPUTED) found = UNCONVERTED;
    if (ndim >= 0) found = outcome_of(*out = count == 1 ? iterate(plan, own, 1) : run_strided(plan, own, ndim, shape));
    Py_XDECREF(own[0].data);
    Py_XDECREF(own[1].data);
    return found;
}

/* Compute from operands that do not lie in one order: by a nest of loops, or where that would be slow by NumPy's
 * iterator; mixed ones that are few, or that it does not convert, are converted first. */
static ALWAYS_INLINE Outcome run_apart(const Plan *plan, const Input *inputs, int count, PyArrayObject **out) {
    npy_intp shape[NPY_MAXDIMS], size = 1;
    int ndim = broadcast_inputs(inputs, count, shape);
    if (ndim < 0) return MISFIT;
    bool mixed = false, iterable = true, backwards = false;
    for (int i = 0; i < ndim; i++)
        size = size_product(size, shape[i]); /* of a size that does not fit, NumPy says so when the result is made */
    for (int i = 0; i < count; i++) {
        backwards = backwards || (inputs[i].data != NULL && is_backwards(inputs[i].data));
        if (inputs[i].type == plan->type) continue;
        mixed = true;
        iterable = iterable && iterates(plan, inputs[i].type);
    }
    if (mixed && (!iterable || (count == 2 && size <= FEW))) return run_converted(plan, inputs, count, out);
    bool slow = count == 1 || backwards || (size > FEW && (mixed || shape[ndim - 1] < LONG_ROW));
    return outcome_of(*out = slow ? iterate(plan, inputs, count) : run_strided(plan, inputs, ndim, shape));
}

/* Whether one of two arrays has one element and no more axes than the other, so that it counts as a scalar next to it.
 */
static bool counts_as_scalar(PyArrayObject *small, PyArrayObject *large) {
    return PyArray_NDIM(small) <= PyArray_NDIM(large) && PyArray_SIZE(small) == 1;
}

static inline bool is_ordered(PyArrayObject *a) { return (PyArray_FLAGS(a) & ORDER) != 0; }

static NOINLINE Outcome run_any_apart(const Plan *plan, const Input *inputs, int count, PyArrayObject **out) {
    return run_apart(plan, inputs, count, out);
}

/* Compute from operands that all lie in the order of `like`, or are single elements: by one call of the loop. */
static ALWAYS_INLINE Outcome run_together(const Plan *plan, PyArrayObject *like, const Source *sources, int count,
                                          PyArrayObject **out) {
    *out = new_data(plan->node, PyArray_NDIM(like), PyArray_DIMS(like), !PyArray_IS_C_CONTIGUOUS(like));
    if (*out == NULL) return FAILED;
    npy_intp size = PyArray_SIZE(*out);
    if (size == 0 || run_flat(plan, sources, count, PyArray_BYTES(*out), size)) return COMPUTED;
    Py_CLEAR(*out);
    return UNCONVERTED;
}

static ALWAYS_INLINE PyObject *one_array(Operation *operation, const Plan *plan, const Operand *x) {
    PyArrayObject *a = x->data, *out;
    Outcome found = UNCONVERTED;
    if (plan->loop != NULL && aligned_native(x)) {
        Source source = {PyArray_BYTES(a), PyArray_ITEMSIZE(a), x->node->type};
        Input input = input_of(x);
        found = is_ordered(a) ? run_together(plan, a, &source, 1, &out) : run_any_apart(plan, &input, 1, &out);
    }
    if (found == COMPUTED) return wrap(out, plan->node);
    return found == UNCONVERTED ? call_kernel(operation, plan, (PyObject *)a, NULL) : NULL;
}

static NOINLINE PyObject *two_arrays(Operation *operation, const Call *call) {
    const Plan *plan = call->plan;
    PyArrayObject *a = call->x.data, *b = call->y.data, *out, *like = NULL;
    npy_intp a_step = PyArray_ITEMSIZE(a), b_step = PyArray_ITEMSIZE(b), shape[NPY_MAXDIMS];
    Outcome found;
    if (plan->loop == NULL || !aligned_native(&call->x) || !aligned_native(&call->y))
        found = broadcast(2, (PyArrayObject *[]){a, b}, shape) < 0 ? MISFIT : UNCONVERTED;
    else {
        if ((PyArray_FLAGS(a) & PyArray_FLAGS(b) & ORDER) && same_shape(a, b)) like = a;
        else if (is_ordered(a) && counts_as_scalar(b, a)) {
            like = a;
            b_step = 0;
        } else if (is_ordered(b) && counts_as_scalar(a, b)) {
            like = b;
            a_step = 0;
        }
        if (like != NULL) {
            Source sources[2] = {{PyArray_BYTES(a), a_step, call->x.node->type},
                                 {PyArray_BYTES(b), b_step, call->y.node->type}};
            found = run_together(plan, like, sources, 2, &out);
        } else found = run_apart(plan, (Input[]){input_of(&call->x), input_of(&call->y)}, 2, &out);
    }
    if (found == COMPUTED) return wrap(out, plan->node);
    return found == UNCONVERTED ? call_kernel(operation, plan, (PyObject *)a, (PyObject *)b) : NULL;
}

/* Have Python make the scalar's buffer, which may have another dtype than the loop's (see `Plan.convert`). May run
 * Python. */
static PyObject *converted_scalar(Operation *operation, const Plan *plan, PyArrayObject *a, PyObject *scalar,
                                  bool scalar_first) {
    if (plan->convert == NULL)
        return PyErr_Format(PyExc_NotImplementedError, "%U: the plan converts no scalar", operation->name);
    PyObject *result = NULL, *buffer = PyObject_CallOneArg(plan->convert, scalar);
    if (buffer == NULL) leave_out_frames();
    if (buffer != NULL && !PyArray_CheckExact(buffer)) {
        PyErr_Format(PyExc_TypeError, "%U: convert must return an ndarray, got %R", operation->name, buffer);
        Py_CLEAR(buffer);
    }
    if (buffer != NULL)
        result =
            call_kernel(operation, plan, scalar_first ? buffer : (PyObject *)a, scalar_first ? (PyObject *)a : buffer);
    Py_XDECREF(buffer);
    return result;
}

static ALWAYS_INLINE PyObject *array_and_scalar(Operation *operation, const Call *call, PyObject *scalar, Scalar kind,
                                                bool scalar_first) {
    const Plan *plan = call->plan;
    const Operand *x = &call->x;
    _Alignas(16) char place[16];
    PyArrayObject *a = x->data, *out;
    Outcome found = UNCONVERTED;
    int written = plan->loop != NULL && aligned_native(x) ? write_scalar(plan, scalar, kind, place) : 0;
    if (written < 0) return NULL;
    if (written && is_ordered(a)) {
        Source array = {PyArray_BYTES(a), PyArray_ITEMSIZE(a), x->node->type}, one = {place, 0, plan->type};
        Source sources[2] = {scalar_first ? one : array, scalar_first ? array : one};
        found = run_together(plan, a, sources, 2, &out);
    } else if (written) {
        Input array = input_of(x), one = {NULL, plan->type, place};
        Input inputs[2] = {scalar_first ? one : array, scalar_first ? array : one};
        found = run_any_apart(plan, inputs, 2, &out);
    }
    if (found == COMPUTED) return wrap(out, plan->node);
    return found == UNCONVERTED ? converted_scalar(operation, plan, a, scalar, scalar_first) : NULL;
}

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
PyObject *(*quick_duals)(Operation *operation, PyObject *const *operands);

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

/* The same of batches, and of operands that are differentiated. */
static PyObject *quick_guests(Operation *operation, PyObject *const *operands) {
    PyObject *found = quick_batches(operation, operands);
    return found != NULL || PyErr_Occurred() ? found : quick_duals(operation, operands);
}

/* -- operands of any kind -- */

PyObject *quick_unary(Operation *operation, PyObject *x) {
    Call call;
    if (!IS_ARRAY(x)) {
        PyObject *result = quick_guests(operation, &x);
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

/* Apply an operation to guests, or after ndarrays, and a Python scalar next to no Array, became Arrays. */
static PyObject *after_conversion(Operation *operation, PyObject *x, PyObject *y) {
    PyObject *found = quick_guests(operation, (PyObject *[]){x, y});
    if (found != NULL || PyErr_Occurred()) return found;
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

/* An operand and another one that is no Array. */
static NOINLINE PyObject *binary_of_other(Operation *operation, PyObject *array, PyObject *scalar, bool scalar_first) {
    Call call;
    PyObject *x = scalar_first ? scalar : array, *y = scalar_first ? array : scalar;
    Scalar kind = scalar_kind(scalar);
    if (kind == S_NONE || (scalar_first && !IS_ARRAY(array))) return after_conversion(operation, x, y);
    if (!begin_scalar(&call, operation, array, kind, scalar_first)) return NULL;
    PyObject *result = array_and_scalar(operation, &call, scalar, kind, scalar_first);
    bool mismatch = result == NULL && is_mismatch(&call);
    end_call(&call);
    return mismatch ? call_hook(HOOK_mismatch, (PyObject *)operation, x, y, NULL) : result;
}

NOINLINE PyObject *quick_binary(Operation *operation, PyObject *x, PyObject *y) {
    Call call;
    if (!IS_ARRAY(x) || !IS_ARRAY(y))
        return IS_ARRAY(x) ? binary_of_other(operation, x, y, false) : binary_of_other(operation, y, x, true);
    if (!begin_two(&call, operation, x, y)) return NULL;
    PyObject *result = are_alike(call.plan, call.x, call.y) ? two_alike(&call) : two_arrays(operation, &call);
    bool mismatch = result == NULL && is_mismatch(&call);
    end_call(&call);
    return mismatch ? call_hook(HOOK_mismatch, (PyObject *)operation, x, y, NULL) : result;
}

/* -- in place -- */

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
    return PyArray_ISALIGNED(b) && (counts_as_scalar(b, a) || ((order & PyArray_FLAGS(b)) && same_shape(a, b))) &&
           !overlap(a, b);
}

/* Compute into `a`, next to an array's buffer `b` or, without one, the element at `place`; false without an exception
 * where it is not plain. */
static bool store_result(const Plan *plan, PyArrayObject *a, PyArrayObject *b, Type type, const char *place) {
    npy_intp size = PyArray_SIZE(a);
    if (flat_in_place(a, b)) {
        Source sources[2] = {{PyArray_BYTES(a), PyArray_ITEMSIZE(a), plan->type}, {place, 0, plan->type}};
        if (b != NULL) sources[1] = (Source){PyArray_BYTES(b), PyArray_SIZE(b) == 1 ? 0 : PyArray_ITEMSIZE(b), type};
        return size == 0 || run_flat(plan, sources, 2, PyArray_BYTES(a), size);
    }
    if (b != NULL && !iterates(plan, type)) return false;
    PyArrayObject *other = b == NULL ? scalar_buffer(plan, place) : (PyArrayObject *)Py_NewRef((PyObject *)b);
    PyArrayObject *operands[2] = {a, other}, *out = other == NULL ? NULL : run_iterator(plan, operands, 2, a);
    if (out == NULL) drop_error(); /* the hook says which shapes do not fit */
    Py_XDECREF(other);
    Py_XDECREF(out);
    return out != NULL;
}

PyObject *quick_in_place(Operation *operation, PyObject *x, PyObject *y) {
    const State *state = current_state();
    if (state == NULL || !state->remember) return NULL; /* watchers see plans that are made, and the hook makes one */
    _Alignas(16) char place[16];
    bool one = !IS_ARRAY(y), done = false;
    Scalar kind = one ? scalar_kind(y) : S_NONE;
    if (one && kind == S_NONE) return NULL;
    Call call;
    if (!(one ? begin_scalar(&call, operation, x, kind, false) : begin_two(&call, operation, x, y))) return NULL;
    const Plan *plan = call.plan;
    Type type = call.x.node->type;
    if (plan->loop != NULL && plan->type == type && plan->node->type == type && aligned_native(&call.x) &&
        PyArray_ISWRITEABLE(call.x.data) &&
        (one ? write_scalar(plan, y, kind, place) == 1 : is_of(call.y.data, call.y.node)))
        done = store_result(plan, call.x.data, call.y.data, one ? type : call.y.node->type, place);
    end_call(&call);
    return done ? Py_NewRef(x) : NULL;
}
