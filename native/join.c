/* Fast paths of concat, stack, where and clip. */
#include "args.h"
#include "loops/loops.h"
#include "paths.h"
#include "run.h"
#include "scalars.h"
#include "threads.h"

/* -- concat and stack -- */

/* Return the items of a list or tuple of at least one Array, all of one node and C-contiguous; NULL where they are not.
 */
static PyObject *const *arrays_of(PyObject *sequence, Py_ssize_t *count) {
    PyObject *const *items;
    if (PyTuple_CheckExact(sequence)) {
        items = &PyTuple_GET_ITEM(sequence, 0);
        *count = PyTuple_GET_SIZE(sequence);
    }
#ifndef Py_GIL_DISABLED /* another thread could change a list meanwhile */
    else if (PyList_CheckExact(sequence)) {
        items = ((PyListObject *)sequence)->ob_item;
        *count = PyList_GET_SIZE(sequence);
    }
#endif
    else
        return NULL;
    if (*count == 0) return NULL;
    for (Py_ssize_t i = 0; i < *count; i++) {
        if (!IS_ARRAY(items[i]) || ((Array *)items[i])->node != ((Array *)items[0])->node) return NULL;
        PyArrayObject *data = ((Array *)items[i])->data;
        if (!PyArray_IS_C_CONTIGUOUS(data) || !is_of(data, ((Array *)items[0])->node) ||
            PyArray_NDIM(data) != PyArray_NDIM(((Array *)items[0])->data))
            return NULL;
    }
    return items;
}

/* Copy pieces of `size` bytes that follow each other to places that are `step` bytes apart; small ones by moves of a
 * constant size. */
static void copy_pieces(const char *from, npy_intp size, char *to, npy_intp step, npy_intp count) {
#define COPY(constant) \
    case constant: \
        for (npy_intp i = 0; i < count; i++) memcpy(to + i * step, from + i * constant, constant); \
        break;
    switch (size) {
        COPY(1)
        COPY(2)
        COPY(4)
        COPY(8) COPY(16) default : for (npy_intp i = 0; i < count; i++) memcpy(to + i * step, from + i * size, size);
    }
#undef COPY
}

/* Join along an axis that the arrays have, or along a new one. The list may change while the lock is released, so it is
 * not. */
static PyObject *join(PyObject *sequence, PyObject *axis_object, bool new_axis) {
    Py_ssize_t count;
    npy_intp axis = 0, shape[NPY_MAXDIMS], outer = 1, inner;
    PyObject *const *items = arrays_of(sequence, &count);
    if (items == NULL || (axis_object != NULL && !read_length(axis_object, &axis))) return NULL;
    const Array *first = (Array *)items[0];
    int ndim = PyArray_NDIM(first->data) + new_axis;
    if (axis < 0) axis += ndim;
    if (axis < 0 || axis >= ndim || ndim > NPY_MAXDIMS) return NULL;
    for (int i = 0; i < ndim; i++)
        shape[i] = new_axis && i == axis ? count : PyArray_DIM(first->data, i - (new_axis && i > axis));
    inner = PyArray_ITEMSIZE(first->data);
    if (!new_axis) shape[axis] = 0;
    for (Py_ssize_t k = 0; k < count; k++) {
        PyArrayObject *data = ((Array *)items[k])->data;
        for (int i = 0; i < PyArray_NDIM(data); i++) {
            if (!new_axis && i == axis)
                shape[axis] =
                    size_sum(shape[axis], PyArray_DIM(data, i)); /* empty arrays may be as long as they like */
            else if (PyArray_DIM(data, i) != PyArray_DIM(first->data, i)) return NULL;
        }
    }
    if (bytes_of_shape(ndim, shape, inner) == TOO_LARGE) return NULL;
    PyArrayObject *out = new_data(first->node, ndim, shape, false);
    if (out == NULL || PyArray_SIZE(out) == 0) return wrap(out, first->node);
    for (int i = 0; i < axis; i++) outer *= shape[i];
    for (int i = (int)axis + 1; i < ndim; i++) inner *= shape[i];
    enum { SOME = 256 }; /* pieces of each array at a time, for small ones share what the processor's cache holds */
    npy_intp width = new_axis ? inner * count : inner * shape[axis];
    for (npy_intp done = 0; done < outer; done += SOME) {
        npy_intp now = outer - done < SOME ? outer - done : SOME;
        char *place = PyArray_BYTES(out) + done * width;
        for (Py_ssize_t k = 0; k < count; k++) {
            PyArrayObject *data = ((Array *)items[k])->data;
            npy_intp size = new_axis ? inner : inner * PyArray_DIM(data, (int)axis);
            copy_pieces(PyArray_BYTES(data) + done * size, size, place, width, now);
            place += size;
        }
    }
    return wrap(out, first->node);
}

static PyObject *join_arguments(const Arguments *arguments, int positional, bool new_axis) {
    PyObject *found[2], *const parameters[] = {NULL, names.axis};
    if (arguments->count < 1 || !arguments_by_name(arguments, parameters, positional, 2, found)) return NULL;
    return join(found[0], found[1], new_axis);
}

FAST_PATH(concat, join_arguments(arguments, 1, false))
FAST_PATH(concatenate, join_arguments(arguments, 2, false))
FAST_PATH(stack, join_arguments(arguments, 2, true))

/* -- where -- */

/* Without branches, so that compilers make vector instructions of it. A step of 0 means one element for all. */
#define CHOOSE_BY_BITS(type, A, B) \
    for (npy_intp i = 0; i < count; i++) { \
        type bits = (type)(mask[i] ? ~(type)0 : 0); \
        ((type *)to)[i] = (type)((A & bits) | (B & (type)~bits)); \
    }
#define CHOOSE(type) \
    { \
        const type *x = (const type *)a, *y = (const type *)b; \
        const type first = *x, second = *y; \
        if (a_many && b_many) CHOOSE_BY_BITS(type, x[i], y[i]) \
        else if (a_many) CHOOSE_BY_BITS(type, x[i], second) \
        else if (b_many) CHOOSE_BY_BITS(type, first, y[i]) \
        else CHOOSE_BY_BITS(type, first, second) \
        return; \
    }

/* Copy elements of `a` where the mask holds, else of `b`. There is at least one. */
static void choose(char *to, const char *mask, const char *a, bool a_many, const char *b, bool b_many, npy_intp count,
                   Py_ssize_t itemsize) {
    switch (itemsize) {
    case 1: CHOOSE(uint8_t)
    case 2: CHOOSE(uint16_t)
    case 4: CHOOSE(uint32_t)
    case 8: CHOOSE(uint64_t)
    default:
        for (npy_intp i = 0; i < count; i++)
            memcpy(to + i * itemsize, mask[i] ? a + (a_many ? i * itemsize : 0) : b + (b_many ? i * itemsize : 0),
                   itemsize);
    }
}

void choose_elements(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Choosing *all = context;
    npy_intp offset = first * all->itemsize;
    const Choice *taken = *all->mask.start ? &all->a : &all->b; /* whole, where the mask is one for all */
    if (!all->mask.many) {
        npy_intp size = taken->many ? (last - first) * all->itemsize : all->itemsize;
        for (npy_intp i = offset; i < last * all->itemsize; i += size)
            memcpy(all->to + i, taken->start + (taken->many ? i : 0), size);
        return;
    }
    choose(all->to + offset, all->mask.start + first, all->a.start + (all->a.many ? offset : 0), all->a.many,
           all->b.start + (all->b.many ? offset : 0), all->b.many, last - first, all->itemsize);
}

/* Read an operand, a scalar where there is no buffer; one that does not lie in C's order is copied. False, perhaps with
 * an exception, where it cannot be read. May run Python. */
static bool read_choice(PyArrayObject *like, Operand *x, PyObject *scalar, const Node *node, char *place,
                        Choice *choice) {
    if (x->data == NULL) {
        *choice = (Choice){place, false};
        return store_scalar(node->type, scalar, scalar_kind(scalar), place) == 1;
    }
    bool one = PyArray_NDIM(x->data) == 0;
    if (x->node != node || !aligned_native(x)) return false;
    if (!one && !PyArray_SAMESHAPE(x->data, like)) return false;
    if (!one && !PyArray_IS_C_CONTIGUOUS(x->data)) {
        PyArrayObject *copy = (PyArrayObject *)PyArray_NewCopy(x->data, NPY_CORDER);
        if (copy == NULL) return false;
        Py_SETREF(x->data, copy);
    }
    *choice = (Choice){PyArray_BYTES(x->data), !one};
    return true;
}

/* Return the node that an Array and a Python scalar promote to, if it is the Array's and C knows it; else NULL,
 * perhaps with an exception. May run Python. */
static const Node *node_with_scalar(Operation *operation, PyObject *array, PyObject *scalar, bool scalar_first) {
    Call call;
    Scalar kind = scalar_kind(scalar);
    if (operation == NULL || kind == S_NONE || !begin_scalar(&call, operation, array, kind, scalar_first)) return NULL;
    const Node *node = call.plan->node;
    bool same = node == call.x.node && is_native(node->type);
    end_call(&call);
    return same ? node : NULL;
}

/* Return the node that two Python scalars promote to, as arrays of them would, if C knows it; else NULL, perhaps with
 * an exception. May run Python. */
static const Node *node_of_scalars(Operation *operation, const State *state, PyObject *x, PyObject *y) {
    Scalar first = scalar_kind(x), second = scalar_kind(y);
    if (operation == NULL || first == S_NONE || second == S_NONE) return NULL;
    const Operand a = {NULL, state->scalars[first]}, b = {NULL, state->scalars[second]};
    Plan *plan = a.node == NULL || b.node == NULL ? NULL : plan_of_two(operation, a, b);
    if (plan == NULL) return NULL;
    const Node *node = plan->node;
    PLAN_DONE(plan);
    return is_native(node->type) && (node == a.node || node == b.node) ? node : NULL;
}

static PyObject *quick_where(Operation *operation, const Arguments *arguments) {
    if (arguments->names != NULL || arguments->count != 3 || !IS_ARRAY(arguments->values[0])) return NULL;
    PyObject *x = arguments->values[1], *y = arguments->values[2];
    const State *state = current_state(); /* which may run Python */
    bool arrays[] = {IS_ARRAY(x), IS_ARRAY(y)};
    if (state == NULL || !IS_ARRAY(arguments->values[0])) return NULL;
    if (((Array *)arguments->values[0])->node->type != E_BOOL) return NULL;
    if (arrays[0] && arrays[1] && !keeps(state, ((Array *)x)->node, S_NONE)) return NULL;
    Operand mask = operand_of(arguments->values[0]), first = {NULL}, second = {NULL};
    if (arrays[0]) first = operand_of(x);
    if (arrays[1]) second = operand_of(y);
    const Node *node = first.node;
    if (!arrays[0] && !arrays[1]) node = node_of_scalars(operation, state, x, y);
    else if (!arrays[0]) node = node_with_scalar(operation, y, x, true);
    else if (!arrays[1]) node = node_with_scalar(operation, x, y, false);
    _Alignas(16) char place[2][16];
    Choice a, b;
    PyArrayObject *out = NULL, *like = mask.data; /* of the shape of the result */
    if (PyArray_NDIM(like) == 0 && first.data != NULL) like = first.data;
    if (PyArray_NDIM(like) == 0 && second.data != NULL) like = second.data;
    Py_INCREF(like); /* which may be replaced by a copy */
    if (node != NULL && PyArray_IS_C_CONTIGUOUS(mask.data) && aligned_native(&mask) &&
        read_choice(like, &first, x, node, place[0], &a) && read_choice(like, &second, y, node, place[1], &b))
        out = new_data(node, PyArray_NDIM(like), PyArray_DIMS(like), false);
    Py_DECREF(like);
    npy_intp count = out == NULL ? 0 : PyArray_SIZE(out);
    if (count > 0) {
        const Choice holds = {PyArray_BYTES(mask.data), PyArray_NDIM(mask.data) != 0};
        Choosing all = {PyArray_BYTES(out), holds, a, b, PyArray_ITEMSIZE(out)};
        UNLOCKED_DO(count, share_work(choose_elements, &all, count, 1));
    }
    Py_DECREF(mask.data);
    Py_XDECREF(first.data);
    Py_XDECREF(second.data);
    return wrap(out, node);
}

/* -- clip -- */

/* Read a bound: a Python scalar in the array's dtype, or a 0-d array of its node. */
static bool read_bound(PyObject *x, const Node *node, char *place) {
    if (!IS_ARRAY(x)) {
        Scalar kind = scalar_kind(x);
        if (is_narrow_float(node->type)) return store_narrow(node->type, x, kind, place) == 1;
        if (kind == S_NONE || kind == S_COMPLEX || (kind == S_FLOAT && node->type < E_FLOAT32)) return false;
        return store_scalar(node->type, x, kind, place) == 1;
    }
    const Array *bound = (Array *)x;
    if (bound->node != node || PyArray_NDIM(bound->data) != 0 || !aligned_native(bound)) return false;
    memcpy(place, PyArray_BYTES(bound->data), PyArray_ITEMSIZE(bound->data));
    return true;
}

/* The operation's plan has the loop of NumPy's clip, of three inputs. */
static PyObject *quick_clip(Operation *operation, const Arguments *arguments) {
    PyObject *found[3], *const parameters[] = {names.a, names.min, names.max};
    if (operation == NULL || arguments->count < 1 || !arguments_by_name(arguments, parameters, 3, 3, found))
        return NULL;
    const State *state = current_state(); /* which may run Python */
    if (state == NULL || !IS_ARRAY(found[0]) || found[1] == NULL || found[2] == NULL) return NULL;
    const Node *node = ((Array *)found[0])->node;
    for (int i = 1; i < 3; i++)
        if (!keeps(state, node, IS_ARRAY(found[i]) ? S_NONE : scalar_kind(found[i]))) return NULL;
    Call call;
    if (!begin_one(&call, operation, found[0])) return NULL;
    const Plan *plan = call.plan;
    PyArrayObject *x = call.x.data, *out = NULL;
    _Alignas(16) char low[16], high[16];
    if (plan->loop != NULL && plan->node == call.x.node && PyArray_IS_C_CONTIGUOUS(x) && aligned_native(&call.x) &&
        read_bound(found[1], plan->node, low) && read_bound(found[2], plan->node, high))
        out = new_data(plan->node, PyArray_NDIM(x), PyArray_DIMS(x), false);
    npy_intp count = out == NULL ? 0 : PyArray_SIZE(out);
    if (count > 0) {
        char *pointers[] = {PyArray_BYTES(x), low, high, PyArray_BYTES(out)};
        npy_intp steps[] = {plan->input_size, 0, 0, plan->input_size};
        if (count < SHARED) UNLOCKED_DO(count, plan->loop(pointers, &count, steps, plan->auxiliary));
        else UNLOCKED_DO(count, share_loop(plan, 4, pointers, steps, count));
    }
    PyObject *result = wrap(out, plan->node);
    end_call(&call);
    return result;
}

const NamedPath join_paths[] = {{"concat", quick_concat, false}, {"concatenate", quick_concatenate, false},
                                {"stack", quick_stack, false},   {"where", quick_where, false},
                                {"clip", quick_clip, false},     {NULL, NULL, false}};
