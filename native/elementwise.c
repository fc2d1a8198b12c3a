/* Operations of one and two operands: a plan's loop around buffers.
 *
 * From the cheapest to the most general: one call of the loop (same shape and order, or a scalar); nested loops over
 * coalesced axes (broadcast and strided); blocks of converted elements (mixed dtypes in one order); NumPy's iterator
 * (large, strided and mixed); the Python callable of the plan (no loop, foreign byte order, unaligned).
 */
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
    bool fetches;
} LoopCall;

static void loop_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    enum { SOME = 1024 };
    const LoopCall *call = context;
    char *pointers[4];
    npy_intp now;
    for (npy_intp done = first; done < last; done += now) {
        npy_intp rest = last - done;
        now = call->fetches && rest > SOME ? SOME : rest;
        for (int i = 0; i < call->operands; i++) pointers[i] = call->pointers[i] + done * call->steps[i];
        if (call->fetches) fetch(pointers[0] + now * call->steps[0], (rest - now < SOME ? rest - now : SOME) * 4);
        call->plan->loop(pointers, &now, call->steps, call->plan->auxiliary);
    }
}

void share_loop(const Plan *plan, int operands, char *const *pointers, const npy_intp *steps, npy_intp count) {
    /* These loops of NumPy's keep the processor from fetching ahead by itself: they take half as long. */
    const char *name = ((PyUFuncObject *)plan->ufunc)->name;
    bool fetches = plan->type == E_FLOAT32 && steps[0] == 4 && (strcmp(name, "sin") == 0 || strcmp(name, "cos") == 0);
    divide_work(MOST_THREADS, loop_part, &(LoopCall){plan, operands, pointers, steps, fetches}, count, 1);
}

void call_loop(const Plan *plan, char **pointers, const npy_intp *count, const npy_intp *steps) {
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
        npy_intp now = size - done < some ? size - done : some, later = size - done - now,
                 next = later < some ? later : some;
        if (size >= FAR) {
            for (int i = 0; i < count; i++)
                fetch(sources[i].start + (done + now) * sources[i].step, next * sources[i].step);
            fetch(out + (done + now) * plan->output_size, next * plan->output_size);
        }
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

/* Compute by a nest of loops into a new result; a scalar has no array. */
static PyArrayObject *run_strided(const Plan *plan, PyArrayObject *a, PyArrayObject *b, const char *scalar, int ndim,
                                  const npy_intp *shape) {
    PyArrayObject *operands[2] = {a, b};
    Nest nest = {.ndim = ndim};
    char *starts[3];
    memcpy(nest.shape, shape, ndim * sizeof(npy_intp));
    for (int i = 0; i < 2; i++) {
        int offset = operands[i] == NULL ? ndim : ndim - PyArray_NDIM(operands[i]);
        starts[i] = operands[i] == NULL ? (char *)scalar : PyArray_BYTES(operands[i]);
        for (int axis = 0; axis < ndim; axis++)
            nest.strides[i][axis] = axis < offset || PyArray_DIM(operands[i], axis - offset) == 1
                                        ? 0
                                        : PyArray_STRIDE(operands[i], axis - offset);
    }
    PyArrayObject *out = new_like_operands(plan, &nest);
    if (out == NULL) return NULL;
    starts[2] = PyArray_BYTES(out);
    memcpy(nest.strides[2], PyArray_STRIDES(out), ndim * sizeof(npy_intp));
    npy_intp size = PyArray_SIZE(out);
    if (size == 0) return out;
    coalesce(&nest);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(size);
    share_nest(plan, &nest, starts, size);
    NPY_END_THREADS;
    return out;
}

/* -- two operands -- */

/* Whether one of two arrays has one element and no more axes than the other, so that it counts as a scalar next to it.
 */
static bool counts_as_scalar(PyArrayObject *small, PyArrayObject *large) {
    return PyArray_NDIM(small) <= PyArray_NDIM(large) && PyArray_SIZE(small) == 1;
}

/* Convert an operand to the loop's dtype as a whole; a new reference, or NULL, without an exception where there is no
 * conversion. May run Python. */
static PyArrayObject *converted(const Plan *plan, const Operand *x) {
    Conversion how;
    if (x->node->type == plan->type) return (PyArrayObject *)Py_NewRef((PyObject *)x->data);
    if (!find_operand_conversion(x->node->type, plan->type, &how)) return NULL;
    bool fortran = PyArray_IS_F_CONTIGUOUS(x->data) && !PyArray_IS_C_CONTIGUOUS(x->data);
    int order = fortran ? NPY_ARRAY_FARRAY_RO : NPY_ARRAY_CARRAY_RO;
    PyArrayObject *from = (PyArrayObject *)PyArray_FromArray(x->data, NULL, order), *to = NULL;
    if (from == NULL) return NULL;
    to = new_buffer(plan->input, PyArray_NDIM(from), PyArray_DIMS(from), NULL, fortran);
    npy_intp size = PyArray_SIZE(from);
    bool same =
        type_of_dtype(PyArray_DESCR(from)) == x->node->type && PyArray_ISALIGNED(from); /* Python may have run */
    if (to != NULL && same && PyArray_SIZE(to) == size) {
        const char *elements = PyArray_BYTES(from);
        char *results = PyArray_BYTES(to);
        NPY_BEGIN_THREADS_DEF;
        NPY_BEGIN_THREADS_THRESHOLDED(size);
        share_conversion(&how, elements, results, size);
        NPY_END_THREADS;
    } else Py_CLEAR(to);
    Py_DECREF(from);
    return to;
}

/* Whether a loop can read a buffer as it lies. */
static bool is_input(const Plan *plan, PyArrayObject *data) {
    return PyArray_ISALIGNED(data) && type_of_dtype(PyArray_DESCR(data)) == plan->type;
}

/* Two arrays that do not lie in one order; NULL without an exception where their shapes do not fit. */
static PyObject *two_strided(Operation *operation, const Call *call) {
    const Plan *plan = call->plan;
    PyArrayObject *operands[2] = {call->x.data, call->y.data};
    npy_intp shape[NPY_MAXDIMS], size = 1;
    int ndim = broadcast(2, operands, shape);
    if (ndim < 0) return NULL;
    for (int i = 0; i < ndim; i++)
        size = size_product(size, shape[i]); /* of a size that does not fit, NumPy says so when the result is made */
    bool mixed = call->x.node->type != plan->type || call->y.node->type != plan->type;
    bool whole = mixed && (size <= FEW || !iterates(plan, call->x.node->type) || !iterates(plan, call->y.node->type));
    bool backwards = is_backwards(operands[0]) || is_backwards(operands[1]);
    if (!whole && (backwards || (size > FEW && (mixed || shape[ndim - 1] < LONG_ROW))))
        return wrap(run_iterator(plan, operands, 2, NULL), plan->node);
    if (!mixed) return wrap(run_strided(plan, operands[0], operands[1], NULL, ndim, shape), plan->node);
    PyArrayObject *a = converted(plan, &call->x), *b = a == NULL ? NULL : converted(plan, &call->y);
    PyArrayObject *inputs[2] = {a, b}; /* which are looked at again, for Python may have run */
    PyObject *result = NULL;
    if (b != NULL && is_input(plan, a) && is_input(plan, b) && (ndim = broadcast(2, inputs, shape)) >= 0)
        result = wrap(run_strided(plan, a, b, NULL, ndim, shape), plan->node);
    else if (!PyErr_Occurred()) result = call_kernel(operation, plan, (PyObject *)operands[0], (PyObject *)operands[1]);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

PyObject *two_arrays(Operation *operation, const Call *call) {
    const Plan *plan = call->plan;
    PyArrayObject *a = call->x.data, *b = call->y.data, *like;
    if (plan->loop == NULL || !aligned_native(&call->x) || !aligned_native(&call->y)) {
        npy_intp shape[NPY_MAXDIMS];
        PyArrayObject *operands[2] = {a, b};
        return broadcast(2, operands, shape) < 0 ? NULL : call_kernel(operation, plan, (PyObject *)a, (PyObject *)b);
    }
    int order = PyArray_FLAGS(a) & PyArray_FLAGS(b) & ORDER;
    npy_intp a_step = PyArray_ITEMSIZE(a), b_step = PyArray_ITEMSIZE(b);
    if (order && same_shape(a, b)) like = a;
    else if ((PyArray_FLAGS(a) & ORDER) && counts_as_scalar(b, a)) {
        like = a;
        b_step = 0;
        order = PyArray_FLAGS(a) & ORDER;
    } else if ((PyArray_FLAGS(b) & ORDER) && counts_as_scalar(a, b)) {
        like = b;
        a_step = 0;
        order = PyArray_FLAGS(b) & ORDER;
    } else return two_strided(operation, call);
    PyArrayObject *out =
        new_data(plan->node, PyArray_NDIM(like), PyArray_DIMS(like), !(order & NPY_ARRAY_C_CONTIGUOUS));
    if (out == NULL) return NULL;
    Source sources[2] = {{PyArray_BYTES(a), a_step, call->x.node->type},
                         {PyArray_BYTES(b), b_step, call->y.node->type}};
    npy_intp size = PyArray_SIZE(out);
    if (size == 0 || run_flat(plan, sources, 2, PyArray_BYTES(out), size)) return wrap(out, plan->node);
    Py_DECREF(out);
    return call_kernel(operation, plan, (PyObject *)a, (PyObject *)b);
}

/* Have Python make the scalar's buffer, which may have another dtype than the loop's (see `Plan.convert`). May run
 * Python. */
static PyObject *converted_scalar(Operation *operation, const Plan *plan, const Operand *x, PyObject *scalar,
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
        result = call_kernel(operation, plan, scalar_first ? buffer : (PyObject *)x->data,
                             scalar_first ? (PyObject *)x->data : buffer);
    Py_XDECREF(buffer);
    return result;
}

/* Make an ndarray without dimensions of an element of the loop's input. */
static PyArrayObject *scalar_buffer(const Plan *plan, const char *place) {
    Py_INCREF(plan->input); /* which NumPy takes over */
    PyArrayObject *buffer =
        (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, plan->input, 0, NULL, NULL, NULL, 0, NULL);
    if (buffer != NULL) memcpy(PyArray_BYTES(buffer), place, plan->input_size);
    return buffer;
}

PyObject *array_and_scalar(Operation *operation, const Call *call, PyObject *scalar, Scalar kind, bool scalar_first) {
    const Plan *plan = call->plan;
    const Operand *x = &call->x;
    _Alignas(16) char place[16];
    PyArrayObject *a = x->data;
    int written = plan->loop != NULL && aligned_native(x) ? write_scalar(plan, scalar, kind, place) : 0;
    if (written < 0) return NULL;
    if (!written) return converted_scalar(operation, plan, x, scalar, scalar_first);
    Source array = {PyArray_BYTES(a), PyArray_ITEMSIZE(a), x->node->type}, one = {place, 0, plan->type};
    Source sources[2] = {scalar_first ? one : array, scalar_first ? array : one};
    const Node *node = plan->node;
    if (PyArray_FLAGS(a) & ORDER) {
        PyArrayObject *out = new_data(node, PyArray_NDIM(a), PyArray_DIMS(a), !PyArray_IS_C_CONTIGUOUS(a));
        if (out == NULL) return NULL;
        npy_intp size = PyArray_SIZE(out);
        if (size == 0 || run_flat(plan, sources, 2, PyArray_BYTES(out), size)) return wrap(out, node);
        Py_DECREF(out);
        return converted_scalar(operation, plan, x, scalar, scalar_first);
    }
    if ((PyArray_SIZE(a) > FEW || is_backwards(a)) && iterates(plan, x->node->type)) {
        PyArrayObject *operand = scalar_buffer(plan, place),
                      *operands[2] = {scalar_first ? operand : a, scalar_first ? a : operand};
        PyObject *result = operand == NULL ? NULL : wrap(run_iterator(plan, operands, 2, NULL), node);
        Py_XDECREF(operand);
        return result;
    }
    PyArrayObject *operand = converted(plan, x);
    if (operand == NULL) return PyErr_Occurred() ? NULL : converted_scalar(operation, plan, x, scalar, scalar_first);
    PyArrayObject *first = scalar_first ? NULL : operand, *second = scalar_first ? operand : NULL;
    PyArrayObject *out = run_strided(plan, first, second, place, PyArray_NDIM(operand), PyArray_DIMS(operand));
    Py_DECREF(operand);
    return wrap(out, node);
}

/* -- one operand -- */

PyObject *one_array(Operation *operation, const Plan *plan, const Operand *x) {
    PyArrayObject *a = x->data;
    if (plan->loop == NULL || !aligned_native(x)) return call_kernel(operation, plan, (PyObject *)a, NULL);
    if (!(PyArray_FLAGS(a) & ORDER)) {
        PyArrayObject *operand =
            iterates(plan, x->node->type) ? (PyArrayObject *)Py_NewRef((PyObject *)a) : converted(plan, x);
        if (operand == NULL) return PyErr_Occurred() ? NULL : call_kernel(operation, plan, (PyObject *)a, NULL);
        PyObject *result = wrap(run_iterator(plan, &operand, 1, NULL), plan->node);
        Py_DECREF(operand);
        return result;
    }
    PyArrayObject *out = new_data(plan->node, PyArray_NDIM(a), PyArray_DIMS(a), !PyArray_IS_C_CONTIGUOUS(a));
    if (out == NULL) return NULL;
    Source source = {PyArray_BYTES(a), PyArray_ITEMSIZE(a), x->node->type};
    npy_intp size = PyArray_SIZE(out);
    if (size == 0 || run_flat(plan, &source, 1, PyArray_BYTES(out), size)) return wrap(out, plan->node);
    Py_DECREF(out);
    return call_kernel(operation, plan, (PyObject *)a, NULL);
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
